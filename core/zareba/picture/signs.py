"""The signs of the map: figures, guns, conditions and arms, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

# --- The small symbols of a picture, about an inch across and centred on their middle ---------------------------------
#
# Their classes begin with `t-`. Style sheet rules must address these classes alone, because a `<use>`d symbol has no
# parent elements.


SYMBOLS = {
    "tree": '<ellipse class="t-shade" cx=".28" cy=".3" rx=".78" ry=".7"/><circle class="t-dark" r=".72"/>'
    '<circle class="t-leaf" cx="-.08" cy="-.08" r=".6"/><circle class="t-light" cx="-.22" cy="-.24" r=".3"/>'
    '<circle class="t-leaf" cx=".3" cy=".26" r=".16"/>',
    "tree-2": '<ellipse class="t-shade" cx=".26" cy=".32" rx=".8" ry=".66"/><path class="t-dark" d="M-.7 .1A.42 .42 0 0 1 -.3 -.6'
    'A.45 .45 0 0 1 .5 -.45A.42 .42 0 0 1 .6 .35A.45 .45 0 0 1 -.1 .65A.42 .42 0 0 1 -.7 .1Z"/>'
    '<path class="t-leaf" d="M-.55 0A.32 .32 0 0 1 -.25 -.5A.35 .35 0 0 1 .36 -.38A.3 .3 0 0 1 .3 .25A.4 .4 0 0 1 -.55 0Z"/>'
    '<circle class="t-light" cx="-.2" cy="-.22" r=".22"/><circle class="t-light" cx=".18" cy="-.2" r=".12"/>',
    "tree-3": '<ellipse class="t-shade" cx=".22" cy=".26" rx=".62" ry=".58"/><circle class="t-dark" r=".58"/>'
    '<circle class="t-leaf" cx="-.06" cy="-.07" r=".47"/><circle class="t-light" cx="-.18" cy="-.18" r=".2"/>',
    "fruit": '<ellipse class="t-shade" cx=".18" cy=".2" rx=".52" ry=".48"/><circle class="t-dark" r=".5"/>'
    '<circle class="t-leaf" cx="-.05" cy="-.05" r=".41"/><circle class="t-fruit" cx=".14" cy="-.14" r=".09"/>'
    '<circle class="t-fruit" cx="-.18" cy=".1" r=".09"/><circle class="t-fruit" cx=".16" cy=".2" r=".08"/>',
    "palm": '<path class="t-shadow" d="M.25 .25L1 .35M.25 .25L.65 .85M.25 .25L-.05 .95M.25 .25L-.5 .45"/>'
    '<path class="t-frond" d="M0 0Q.4 -.2 .85 .1M0 0Q.4 .2 .45 .7M0 0Q-.1 .4 -.35 .78M0 0Q-.4 -.1 -.85 .22M0 0Q-.4 -.2 -.5 -.65M0 0Q.1 -.4 .25 -.82"/>'
    '<circle class="t-trunk" r=".14"/>',
    "bush": '<ellipse class="t-shade" cx=".1" cy=".16" rx=".5" ry=".28"/><circle class="t-dark" cx="-.2" cy=".05" r=".27"/>'
    '<circle class="t-leaf" cx=".18" cy="0" r=".3"/><circle class="t-light" cx=".1" cy="-.12" r=".12"/>',
    "bush-2": '<ellipse class="t-shade" cx=".08" cy=".14" rx=".34" ry=".24"/><circle class="t-dark" r=".28"/>'
    '<circle class="t-light" cx="-.08" cy="-.09" r=".12"/>',
    "grass": '<path class="t-blade" d="M-.3 .3Q-.3 0 -.45 -.25M-.05 .3L0 -.42M.2 .3Q.22 0 .42 -.25"/>',
    "reed": '<path class="t-reed" d="M-.6 .3H.6M-.2 .3V-.3M.1 .3V-.42M.4 .3V-.15"/>',
    "stone": '<path class="t-shade" d="M-.4 .1L.2 -.3L.75 .1L.62 .5L-.2 .5Z"/><path class="t-stone" d="M-.55 .1L-.4 -.3L.1 -.45L.55 -.05L.4 .35L-.3 .38Z"/>'
    '<path class="t-lit" d="M-.55 .1L-.4 -.3L.1 -.45L.05 0Z"/><path class="t-edge" d="M-.4 -.3L.05 0L.55 -.05M.05 0L-.05 .36"/>',
    "stone-2": '<path class="t-shade" d="M-.2 0L.3 -.1L.55 .2L.3 .45L-.2 .4Z"/><path class="t-stone" d="M-.4 .05L-.15 -.32L.3 -.25L.4 .12L.05 .32Z"/>'
    '<path class="t-lit" d="M-.4 .05L-.15 -.32L.3 -.25L0 -.02Z"/>',
    "house": '<path class="t-shade" d="M-.75 -.5H1.3V1.05H-.75Z"/><path class="t-wall" d="M-1 -.75H1V.75H-1Z"/>'
    '<path class="t-roof" d="M-.9 -.65H.9V0H-.9Z"/><path class="t-roof t-away" d="M-.9 0H.9V.65H-.9Z"/><path class="t-ridge" d="M-.9 0H.9"/>'
    '<path class="t-door" d="M-.18 .62V.8H.18V.62Z"/>',
    "house-2": '<path class="t-shade" d="M-.5 -.6H.95V1.1H-.5Z"/><path class="t-wall" d="M-.72 -.85H.72V.85H-.72Z"/>'
    '<path class="t-flat" d="M-.56 -.69H.56V.69H-.56Z"/><path class="t-flat t-away" d="M-.56 .1H.56V.69H-.56Z"/><path class="t-door" d="M.6 -.16H.78V.16H.6Z"/>',
    "house-3": '<path class="t-shade" d="M-.7 -.45H1.25V.3H.6V1.1H-.7Z"/><path class="t-wall" d="M-.95 -.7H.95V.05H.3V.85H-.95Z"/>'
    '<path class="t-roof" d="M-.85 -.6H.85V-.32H-.4L-.63 -.1V.75H-.85Z"/><path class="t-roof t-away" d="M.85 -.32V-.05H.2V.75H-.63V-.1L-.4 -.32Z"/>'
    '<path class="t-door" d="M.2 .3H.4V.6H.2Z"/>',
    "ruin": '<path class="t-shadow" d="M-.6 .8V-.3H.1M.5 -.3H1V.3M.4 .8H-.1"/><path class="t-broken" d="M-.8 .6V-.5H-.1M.3 -.5H.8V.1M.2 .6H-.3"/>'
    '<path class="t-stone" d="M.3 .3L.5 .15L.62 .32L.45 .45Z"/>',
    "smoke": '<circle class="t-smoke" cx="-.55" cy=".1" r=".5"/><circle class="t-smoke" cx=".1" cy="-.2" r=".62"/><circle class="t-smoke" cx=".7" cy=".12" r=".46"/>'
    '<circle class="t-puff" cx=".2" cy="-.6" r=".34"/><circle class="t-puff" cx="-.35" cy="-.42" r=".28"/>',
    "dropped": '<path class="t-fallen" d="M-.3 .22L.3 -.22M.2 -.26L.32 -.1"/>',
    "swords": '<path class="t-swords-edge" d="M-1 -1L.9 .9M.25 .85L.85 .25M1 -1L-.9 .9M-.25 .85L-.85 .25"/>'
    '<path class="t-swords" d="M-1 -1L.9 .9M.25 .85L.85 .25M1 -1L-.9 .9M-.25 .85L-.85 .25"/>',
    "flag": '<path class="t-pole" d="M0 0V-1.5"/><path class="t-cloth" d="M0 -1.5L1 -1.15L0 -.8Z"/>',
    "star": '<path class="t-star" d="M0 -.62L.18 -.19L.6 -.19L.25 .09L.38 .54L0 .27L-.38 .54L-.25 .09L-.6 -.19L-.18 -.19Z"/>',
    "thing": '<path class="t-box" d="M-.5 -.35H.5V.35H-.5Z"/><path class="t-band" d="M-.5 -.1H.5M0 -.35V.35"/>',
    "marker": '<circle class="t-disc" r=".7"/><text class="t-query" y=".35" font-size="1">?</text>',
    "gun": '<path class="t-wheel" d="M-.42 -.3V.4M.42 -.3V.4"/><path class="t-barrel" d="M0 .6V-.75"/><path class="t-axle" d="M-.42 .05H.42"/>',
    "machine_gun": '<path class="t-barrel" d="M0 .1V-.7"/><path class="t-axle" d="M0 .1L-.4 .55M0 .1L.4 .55M-.25 -.1H.25"/>',
    "rocket": '<path class="t-barrel" d="M0 .6V-.2"/><path class="t-cone" d="M-.18 -.15L0 -.75L.18 -.15Z"/>',
    "wagon": '<path class="t-cart" d="M-.4 -.55H.4V.5H-.4Z"/><path class="t-axle" d="M-.55 -.3V.0M.55 -.3V0M-.55 .3V.55M.55 .3V.55"/>',
    "vehicle": '<path class="t-cart" d="M-.45 -.6H.45V.6H-.45Z"/><circle class="t-turret" r=".24"/><path class="t-barrel" d="M0 0V-.7"/>',
    "flyer": '<path class="t-cart" d="M0 -.7L.12 -.15L.8 .05V.2L.12 .12L.08 .5L.3 .65V.72H-.3V.65L-.08 .5L-.12 .12L-.8 .2V.05L-.12 -.15Z"/>',
    # figures from above: the first side has round bases, the second square ones, all others triangles
    "foot-0": '<circle class="t-base" r=".46"/><path class="t-arm" d="M.2 .1L.24 -.5"/><circle class="t-head" r=".2"/>',
    "foot-1": '<path class="t-base" d="M-.42 -.42H.42V.42H-.42Z"/><path class="t-arm" d="M.2 .1L.24 -.5"/><circle class="t-head" r=".2"/>',
    "foot-2": '<path class="t-base" d="M0 -.52L.5 .38H-.5Z"/><circle class="t-head" r=".2"/>',
    "horse-0": '<ellipse class="t-base" rx=".3" ry=".46"/><path class="t-mane" d="M0 -.42V.34"/><circle class="t-head" cy=".06" r=".15"/>',
    "horse-1": '<path class="t-base" d="M-.28 -.46H.28V.46H-.28Z"/><path class="t-mane" d="M0 -.42V.34"/><circle class="t-head" cy=".06" r=".15"/>',
    "horse-2": '<path class="t-base" d="M0 -.52L.34 .4H-.34Z"/><path class="t-mane" d="M0 -.42V.34"/><circle class="t-head" cy=".06" r=".15"/>',
    "lying": '<path class="t-lying-edge" d="M-.5 .08H.3"/><circle class="t-lying-edge" cx=".52" cy=".02" r=".07"/>'
    '<path class="t-lying" d="M-.5 .08H.3"/><circle class="t-lying-head" cx=".52" cy=".02" r=".17"/>',
    "wounded": '<path class="t-wound" d="M0 -.42L.22 .02A.26 .26 0 1 1 -.22 .02Z"/>',
    "out": '<path class="t-out-edge" d="M-.38 -.38L.38 .38M.38 -.38L-.38 .38"/>'
    '<path class="t-out" d="M-.38 -.38L.38 .38M.38 -.38L-.38 .38"/>',
}
"""The drawing of each symbol; its classes get their colours from the style sheet."""

ARMS = {
    "foot": '<path class="t-arms" d="M-.5 -.32L.5 .32M.5 -.32L-.5 .32"/>',
    "horse": '<path class="t-arms" d="M-.5 .32L.5 -.32"/>',
    "camel": '<path class="t-arms" d="M-.5 .32L.5 -.32M-.3 -.1A.2 .2 0 0 1 .1 -.1"/>',
    "gun": '<circle class="t-arms t-dot" r=".2"/>',
    "machine_gun": '<path class="t-arms" d="M0 .32V-.32M-.2 -.1L0 -.32L.2 -.1"/>',
    "rocket": '<path class="t-arms" d="M0 .32V-.32M-.2 -.1L0 -.32L.2 -.1M-.2 .15L0 -.07L.2 .15"/>',
    "wagon": '<circle class="t-arms" r=".24"/><path class="t-arms" d="M0 -.24V.24M-.24 0H.24"/>',
    "vehicle": '<ellipse class="t-arms" rx=".42" ry=".24"/>',
    "flyer": '<path class="t-arms" d="M-.45 -.2L0 0L-.45 .2ZM.45 -.2L0 0L.45 .2Z"/>',
    "leader": '<path class="t-arms t-dot" d="M0 -.36L.1 -.11L.36 -.11L.15 .05L.23 .31L0 .16L-.23 .31L-.15 .05L-.36 -.11L-.1 -.11Z"/>',
    "marker": '<path class="t-arms" d="M-.15 -.15A.15 .15 0 1 1 0 .05V.14"/>',
    "thing": '<path class="t-arms" d="M-.3 -.2H.3V.2H-.3Z"/>',
}
"""The signs on the tags of units, as on staff maps."""


TURF = (
    '<pattern id="t-turf" width="17" height="14" patternUnits="userSpaceOnUse"><path class="t-tuft" d="'
    "M10.5 10.2l-.1 -.32m.26 .32v-.4m.15 .4l.12 -.3M13.2 12.9l-.1 -.32m.26 .32v-.4m.15 .4l.12 -.3M12."
    "3 12.6l-.1 -.32m.26 .32v-.4m.15 .4l.12 -.3M1.0 6.7l-.1 -.32m.26 .32v-.4m.15 .4l.12 -.3M15.6 9.0l"
    "-.1 -.32m.26 .32v-.4m.15 .4l.12 -.3M14.9 2.1l-.1 -.32m.26 .32v-.4m.15 .4l.12 -.3M8.0 3.8l-.1 -.3"
    "2m.26 .32v-.4m.15 .4l.12 -.3M9.2 8.1l-.1 -.32m.26 .32v-.4m.15 .4l.12 -.3M0.7 3.4l-.1 -.32m.26 .3"
    "2v-.4m.15 .4l.12 -.3"
    '"/><path class="t-tuft t-speck" d="'
    "M4.9 12.7h.1M2.9 11.1h.1M10.5 6.3h.1M0.3 12.1h.1M13.1 13.3h.1M14.7 4.2h.1M9.2 9.5h.1M3.3 13.4h.1"
    "M16.2 12.4h.1M0.7 5.9h.1M4.7 4.8h.2M10.0 8.3h.2M5.9 4.5h.1M8.2 4.6h.1M8.1 2.7h.1M16.4 0.6h.2M6.2"
    " 5.8h.2M13.3 5.2h.2M14.2 6.4h.2M3.3 13.2h.1M2.3 3.6h.1M6.0 5.1h.2M4.4 6.5h.2M12.6 11.1h.1M0.9 13"
    ".1h.1M3.7 7.2h.1"
    '"/></pattern>'
)
"""The repeated pattern of open ground. It is named in an attribute, because a style sheet cannot do that."""


def defs() -> str:
    """Return the definitions of all symbols, to put at the head of a picture."""
    named = [*SYMBOLS.items(), *((f"arm-{name}", drawn) for name, drawn in ARMS.items())]
    drawings = [f'<g id="{name}">{drawn}</g>' for name, drawn in named]
    return f"<defs>{TURF}{''.join(drawings)}</defs>"


# --- The legend: every sign with its meaning, the same for all rulesets -----------------------------------------------


class Sign(NamedTuple):
    """A sign of the legend: its drawing around the origin, its meaning, and half the height of its picture in
    inches.
    """

    drawing: str
    meaning: str
    half: float = 0.8


def _use(*symbols: str) -> str:
    return "".join(f'<use href="#{symbol}"/>' for symbol in symbols)


def _on_base(symbol: str) -> str:
    """Return a sign that lies on the base of a figure."""
    return f'<g class="{symbol}">{_use("foot-0", symbol)}</g>'


def _arm(kind: str) -> str:
    plate = '<path class="plate" d="M-1 -.72H1V.72H-1Z"/>'
    return f'<g class="side-0">{plate}{_use(f"arm-{kind}")}</g>'


_SQUARE = '<path class="plate" d="M-1 -.72H1V.72H-1Z"/>'
_ROUND = '<rect class="plate" x="-1" y="-.72" width="2" height="1.44" rx=".72"/>'
_POINTED = '<path class="plate" d="M-1 0L-.5 -.72H.5L1 0L.5 .72H-.5Z"/>'

_SIGNS: dict[str, tuple[Sign, ...]] = {
    "Sides": (
        Sign(f'<g class="side-0">{_SQUARE}</g>', "first side: square tags", 1.1),
        Sign(f'<g class="side-1">{_ROUND}</g>', "second side: round tags", 1.1),
        Sign(f'<g class="side-2">{_POINTED}</g>', "other sides: pointed tags", 1.1),
        Sign(f'<g class="side-0">{_use("foot-0")}</g>', "figure of the first side: round base"),
        Sign(f'<g class="side-1">{_use("foot-1")}</g>', "figure of the second side: square base"),
        Sign(f'<g class="side-2">{_use("foot-2")}</g>', "figure of another side: triangular base"),
    ),
    "Figures": (
        Sign(f'<g class="side-0">{_use("horse-0")}</g>', "rider: narrow base"),
        Sign(f'<g class="side-0">{_use("foot-0")}<g transform="scale(.7)">{_use("star")}</g></g>', "leader"),
        Sign(f'<g class="side-0">{_on_base("lying")}</g>', "lying down"),
        Sign(f'<g class="side-0">{_on_base("wounded")}</g>', "wounded"),
        Sign(f'<g class="side-0">{_on_base("out")}</g>', "out of the battle: killed, disabled or captured"),
        Sign('<g class="side-0"><path class="front" d="M-.7 .3L0 -.2L.7 .3"/></g>', "front of a unit"),
        Sign('<g class="side-0"><path class="square" d="M-.6 -.6H.6V.6H-.6Z"/></g>', "unit in square"),
        Sign(_use("smoke"), "fired this turn", 1.1),
        Sign(_use("swords"), "close combat, between the two units that fought last", 1.3),
    ),
    "Guns and things": (
        Sign(_use("gun"), "gun"),
        Sign(_use("machine_gun"), "machine gun"),
        Sign(_use("rocket"), "rockets"),
        Sign(f'<g class="side-0">{_use("wagon")}</g>', "wagon"),
        Sign(f'<g class="side-0">{_use("vehicle")}</g>', "vehicle"),
        Sign(f'<g class="side-0">{_use("flyer")}</g>', "aircraft", 1.0),
        Sign(f'<g class="side-9">{_use("marker")}</g>', "unknown unit"),
        Sign(_use("thing"), "object to carry off"),
        Sign(_use("dropped"), "dropped weapon", 0.5),
    ),
    "Tags": (
        *(
            Sign(_arm(kind), meaning, 1.1)
            for kind, meaning in (
                ("foot", "foot"),
                ("horse", "cavalry"),
                ("camel", "camel troops"),
                ("gun", "artillery"),
                ("machine_gun", "machine guns"),
                ("rocket", "rockets"),
                ("wagon", "wagons"),
                ("vehicle", "vehicle"),
                ("flyer", "aircraft"),
                ("leader", "leader"),
                ("marker", "unknown unit"),
            )
        ),
        Sign(
            f'<g class="side-0">{_SQUARE}<text class="key" x="-.85" y=".36" font-size="1">4</text>'
            '<text class="count" x=".85" y=".36" font-size="1">6</text></g>',
            "left: number of the unit in lists; right: figures or bases left",
            1.1,
        ),
        Sign(
            f'<g class="troubled side-0">{_SQUARE}</g>',
            "dashed edge: the unit is in a condition, such as pinned or routing",
            1.1,
        ),
        *(
            Sign(
                f'<circle class="badge badge-{colour}" r=".62"/><text class="badge-letter" y=".36" font-size="1">'
                f"{colour[0].upper()}</text>",
                f"cards with {colour} order this unit",
            )
            for colour in ("red", "blue", "green")
        ),
    ),
    "Map": (
        Sign(_use("flag"), "objective", 1.7),
        Sign(
            '<g class="held side-0"><circle class="ring" r=".9"/></g>',
            "troops inside count for the objective; the colour is that of the side that holds it",
            1.1,
        ),
        Sign('<g class="held unheld"><circle class="ring" r=".9"/></g>', "objective that neither side holds", 1.1),
        Sign('<g class="zoned fire"><path d="M-.9 -.6H.9V.6H-.9Z"/></g>', "zone of fire of your side", 1.0),
        Sign('<g class="zoned danger"><path d="M-.9 -.6H.9V.6H-.9Z"/></g>', "zone of fire of visible enemies", 1.0),
        Sign('<g class="zoned command"><path d="M-.9 -.6H.9V.6H-.9Z"/></g>', "range of command", 1.0),
        Sign('<path class="possible" d="M-.9 -.6H.9V.6H-.9Z"/>', "what you may choose now", 1.0),
    ),
}


def legend() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the groups of the legend: a title, and the signs as SVG with their meanings.

    The pictures use the symbols of `defs`, which must be in the same document.
    """
    for title, signs in _SIGNS.items():
        yield title, [(_picture(sign), sign.meaning) for sign in signs]


def _picture(sign: Sign) -> str:
    half = sign.half
    box = f"{-half * 1.2:g} {-half:g} {half * 2.4:g} {half * 2:g}"
    return f'<svg class="zareba-table sign" viewBox="{box}" aria-hidden="true">{sign.drawing}</svg>'
