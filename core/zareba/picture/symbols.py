"""The small drawings that a picture uses again and again, about an inch across, round their middle.

Their classes begin with t- and are styled by themselves: where a symbol is used, it has no parents.
"""

from __future__ import annotations

__all__ = ["ARMS", "SYMBOLS", "defs"]

SYMBOLS = {
    "tree": '<circle class="t-shade" cx=".12" cy=".14" r=".72"/><circle class="t-leaf" r=".7"/>'
    '<circle class="t-light" cx="-.2" cy="-.22" r=".3"/>',
    "fruit": '<circle class="t-shade" cx=".08" cy=".1" r=".5"/><circle class="t-leaf" r=".48"/>'
    '<circle class="t-fruit" cx=".14" cy="-.1" r=".1"/><circle class="t-fruit" cx="-.18" cy=".12" r=".1"/>',
    "palm": '<path class="t-frond" d="M0 0L.8 .1M0 0L.45 .65M0 0L-.3 .75M0 0L-.8 .2M0 0L-.5 -.6M0 0L.2 -.8"/>'
    '<circle class="t-trunk" r=".15"/>',
    "bush": '<circle class="t-leaf" cx="-.2" cy=".05" r=".26"/><circle class="t-leaf" cx=".2" cy="0" r=".3"/>'
    '<circle class="t-light" cx=".1" cy="-.12" r=".12"/>',
    "grass": '<path class="t-blade" d="M-.3 .3L-.42 -.25M0 .3L0 -.4M.3 .3L.42 -.25"/>',
    "reed": '<path class="t-reed" d="M-.6 .3H.6M-.2 .3V-.3M.1 .3V-.4M.4 .3V-.15"/>',
    "stone": '<path class="t-stone" d="M-.55 .3L-.4 -.3L.1 -.45L.55 -.05L.4 .35Z"/>'
    '<path class="t-edge" d="M-.4 -.3L.05 .05L.55 -.05M.05 .05L-.05 .34"/>',
    "house": '<path class="t-wall" d="M-1 -.75H1V.75H-1Z"/><path class="t-roof" d="M-.8 -.55H.8V.55H-.8Z"/>'
    '<path class="t-door" d="M-.2 .55V.75H.2V.55Z"/>',
    "ruin": '<path class="t-broken" d="M-.8 .6V-.5H-.1M.3 -.5H.8V.1M.2 .6H-.3"/>',
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
    # men from above: the first side stands on round bases, the second on square ones, all others on triangles
    "foot-0": '<circle class="t-base" r=".46"/><path class="t-arm" d="M.2 .1L.24 -.5"/><circle class="t-head" r=".2"/>',
    "foot-1": '<path class="t-base" d="M-.42 -.42H.42V.42H-.42Z"/><path class="t-arm" d="M.2 .1L.24 -.5"/><circle class="t-head" r=".2"/>',
    "foot-2": '<path class="t-base" d="M0 -.52L.5 .38H-.5Z"/><circle class="t-head" r=".2"/>',
    "horse-0": '<ellipse class="t-base" rx=".3" ry=".46"/><path class="t-mane" d="M0 -.42V.34"/><circle class="t-head" cy=".06" r=".15"/>',
    "horse-1": '<path class="t-base" d="M-.28 -.46H.28V.46H-.28Z"/><path class="t-mane" d="M0 -.42V.34"/><circle class="t-head" cy=".06" r=".15"/>',
    "horse-2": '<path class="t-base" d="M0 -.52L.34 .4H-.34Z"/><path class="t-mane" d="M0 -.42V.34"/><circle class="t-head" cy=".06" r=".15"/>',
    "down": '<path class="t-fallen" d="M-.34 -.34L.34 .34M.34 -.34L-.34 .34"/>',
}
"""What each is drawn of; the classes get their colours from the style sheet."""

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


def defs() -> str:
    """All symbols, for the head of a picture."""
    named = [*SYMBOLS.items(), *((f"arm-{name}", drawn) for name, drawn in ARMS.items())]
    drawings = [f'<g id="{name}">{drawn}</g>' for name, drawn in named]
    return f"<defs>{''.join(drawings)}</defs>"
