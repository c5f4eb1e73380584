"""Draw counters of units and their symbols."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, sqrt
from typing import NamedTuple

from zareba.base.exact import cosd, sind
from zareba.picture.label_placement import LabelPlacement
from zareba.picture.svg import SvgCanvas, escape_text, group, number, text
from zareba.picture.zones import cell_middle
from zareba.presentation.board import Appearance, Board, BoardFigure, BoardPiece
from zareba.space.geometry import Point

# --- Counters ---------------------------------------------------------------------------------------------------------
# The pieces on the table: figures in their places, blocks of bases on boxes and hexes, and a tag for every unit.


_MAN = 0.42
"""Default radius of a base in inches, if the ruleset gives none."""
SHAPES = 3
MOST_BASES = 12
_MEN = ("foot", "horse")


CROWD, MANY = 24, 12
"""With more units than CROWD, names show only under the pointer; with more than MANY, this applies to leaders."""
TAG, _FOR_TAG = 2.3, 0.62
"""Depth of a tag and its name, in letter heights; the share of its part of a cell that it may take from the body."""
_MOST_PUFFS = 5
_WIDE = 0.3
"""Half the width of a letter of a name, as a share of its height."""


@dataclass(frozen=True)
class _Hand:
    """The drawing context: board, canvas, letter size of tags, and the sides by number.

    `smoke` are the units and guns that have fired. `things` are the objects on the table that matter. `named` means
    that names are shown.
    """

    board: Board
    sheet: SvgCanvas
    size: float
    sides: Mapping[str, int]
    smoke: Collection[str] = ()
    things: Collection[str] = ()
    named: bool = True

    def side(self, side: str) -> int:
        """Return the number of a side; pieces without a side get the last number."""
        return self.sides.get(side, 9)

    def shape(self, look: Appearance, side: str) -> str:
        """Return the symbol of one figure of a piece."""
        kind = "horse" if look.kind in ("horse", "camel") else "foot"
        return f"{kind}-{min(self.side(side), SHAPES - 1)}"


def draw_pieces(board: Board, sheet: SvgCanvas, size: float, smoke: Collection[str], things: Collection[str]) -> str:
    """Return all pieces of a board; those of one unit are together, with one tag, and with smoke if it has fired."""
    units: dict[tuple[str, str], list[BoardPiece]] = {}
    for piece in board.pieces:
        units.setdefault((piece.side, piece.look.unit or piece.id), []).append(piece)
    count = sum(1 for side, _ in units if side)
    sides = {side: place for place, side in enumerate(board.sides)}
    hand = _Hand(board, sheet, size, sides, smoke, things, named=count <= CROWD)
    kind = f"pieces{' crowded' if count > CROWD else ' many' if count > MANY else ''}"
    if board.space != "free":
        return group(kind, _on_cells(hand))
    men = [_men(hand, unit, members) for (_, unit), members in units.items()]
    clouds = [_cloud(hand, unit, members) for (_, unit), members in units.items()]
    room = LabelPlacement(board.columns * board.inches, sheet.depth)
    tags = [_tag_of(hand, unit, members, room) for (side, unit), members in units.items() if side]
    return group(kind, [*men, *clouds, *tags])


# --- free tables -----------------------------------------------------------------------------------------------------------


def _men(hand: _Hand, unit: str, members: Sequence[BoardPiece]) -> str:
    """Return the figures and guns of a unit in their places."""
    scale = hand.board.inches
    drawn = []
    for piece in members:
        places = piece.look.men or (BoardFigure(piece.x, piece.y, piece.look.facing),)
        figures = [_man(hand, piece, man, (man.x * scale, man.y * scale)) for man in places]
        drawn.append(_piece(hand, piece, unit, figures))
    return "".join(drawn)


def _cloud(hand: _Hand, unit: str, members: Sequence[BoardPiece]) -> str:
    """Return the smoke in front of a unit that has fired, or in front of those of its guns that have."""
    fired = [piece for piece in members if unit in hand.smoke or piece.id in hand.smoke]
    men = [
        man
        for piece in fired
        for man in piece.look.men or (BoardFigure(piece.x, piece.y, piece.look.facing),)
        if not man.down
    ]
    if not men:
        return ""
    chosen = men[:: -(-len(men) // _MOST_PUFFS)]
    scale = hand.board.inches
    puffs = []
    for man in chosen:
        facing = man.facing or 0.0
        at = man.x * scale + sind(facing) * 1.1, man.y * scale + cosd(facing) * 1.1
        puffs.append(hand.sheet.use("smoke", at, turn=facing))
    return group("smoke", [escape_text(f"{members[0].look.name} fired"), *puffs])


def _tag_of(hand: _Hand, unit: str, members: Sequence[BoardPiece], room: LabelPlacement) -> str:
    """Return the tag of a unit: above it or as near as there is room, then with a line to the unit."""
    scale, size = hand.board.inches, hand.size
    head = next((piece for piece in members if piece.id == unit), members[0])
    men = [man for piece in members for man in piece.look.men or (BoardFigure(piece.x, piece.y),)]
    men = [man for man in men if not man.down] or men
    xs, ys = [man.x * scale for man in men], [man.y * scale for man in men]
    reach = head.look.base * scale or _MAN
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    look, words = head.look, head.text
    if head.id != unit and look.unit:
        kind = "foot" if look.kind == "leader" and len(members) > 1 else look.kind
        look = replace(look, kind=kind)
        words = f"{look.name}: {', '.join([f'{look.strength or len(men)} able', *look.states])}"
    half = max(
        _half(hand, unit, look), size * 0.72 * _WIDE * len(look.name) if hand.named and look.kind != "leader" else 0.0
    )
    at = room.find(middle, (max(ys) - min(ys)) / 2 + reach, (max(xs) - min(xs)) / 2 + reach, half, size)
    tied = abs(at[1] - max(ys) - reach - size) > size or abs(at[0] - middle[0]) > size
    stalk = hand.sheet.shape(f"stalk side-{hand.side(head.side)}", [middle, at], closed=False) if tied else ""
    return stalk + _tag(hand, head, unit, look, at, words)


def _man(hand: _Hand, piece: BoardPiece, man: BoardFigure, point: Point) -> str:
    look = piece.look
    radius = look.base * hand.board.inches or _MAN
    if look.kind == "thing" and piece.id not in hand.things:
        return hand.sheet.use("dropped", point)
    if look.kind not in (*_MEN, "camel", "leader"):
        return hand.sheet.use(look.kind, point, scale=0.9 if look.kind == "thing" else 1.2, turn=look.facing or 0.0)
    drawn = hand.sheet.use(hand.shape(look, piece.side), point, scale=radius / 0.46, turn=man.facing or 0.0)
    if look.kind == "leader":
        drawn += hand.sheet.use("star", point, scale=0.7)
    return drawn + (hand.sheet.use("down", point) if man.down else "")


def _piece(hand: _Hand, piece: BoardPiece, unit: str, drawn: Sequence[str]) -> str:
    label = hand.board.labels.get(piece.id, "")
    words = f"{label} {piece.text}".strip()
    kind = f"piece side-{hand.side(piece.side)} kind-{piece.look.kind}{' troubled' if piece.look.states else ''}"
    return group(kind, [escape_text(words), *drawn], f' data-piece="{escape(piece.id)}" data-unit="{escape(unit)}"')


# --- tags ------------------------------------------------------------------------------------------------------------------


def _label(hand: _Hand, unit: str) -> str:
    """Return the key of a unit in the terminal; "" if only its figures have keys."""
    return hand.board.labels.get(unit, "")


def _half(hand: _Hand, unit: str, look: Appearance) -> float:
    """Return half the width of a tag."""
    letters = len(_label(hand, unit)) + len(_count(look))
    return hand.size * (0.75 + 0.31 * letters + (0.2 if letters else 0))


def _count(look: Appearance) -> str:
    """Return the number of figures left; "" for a leader, or if the ruleset gives none."""
    return "" if look.strength is None or look.kind == "leader" else str(look.strength)


def _tag(hand: _Hand, piece: BoardPiece, unit: str, look: Appearance, at: Point, words: str, room: float = 0.0) -> str:
    """Return a tag: the terminal key, the sign of the arm, and the count; its shape shows the side.

    With a limited `room`, its name is smaller. A name too small to read shows only when the pointer is on it.
    """
    size, side = hand.size, hand.side(piece.side)
    label, count, half = _label(hand, unit), _count(look), _half(hand, unit, look)
    x, y = hand.sheet.xy(at)
    base = number(size * 0.36)
    aside = number(size * 0.31 * (len(label) - len(count)))
    parts = [
        escape_text(f"{label} {words}".strip()),
        _plate(side, half, size),
        f'<use href="#arm-{look.kind}" transform="translate({aside} 0) scale({number(size)})"/>',
    ]
    for kind, shown, from_left in (("key", label, -half + size * 0.3), ("count", count, half - size * 0.3)):
        if shown:
            parts.append(
                f'<text class="{kind}" x="{number(from_left)}" y="{base}" font-size="{number(size)}">{escape(shown)}</text>'
            )
    parts += _lines_below(look, size, room)
    kind = f"tag side-{side} kind-{look.kind}{' troubled' if look.states else ''}"
    data = f' data-unit="{escape(unit)}" data-piece="{escape(piece.id)}" transform="translate({x} {y})"'
    return group(kind, parts, data)


def _lines_below(look: Appearance, size: float, room: float) -> Iterator[str]:
    """Yield the name of a unit and the conditions it is in."""
    lines = (("unit-name", look.name, 0.72), ("state", ", ".join(look.states), 0.68))
    for place, (kind, shown, share) in enumerate(lines):
        if shown:
            fits = min(size * share, room / (2 * _WIDE * len(shown))) if room else size * share
            tight = " tight" if fits < size * 0.5 else ""
            yield text(0, number(size * (1.45 + 0.75 * place)), max(fits, size * 0.5), shown, f"{kind}{tight}")


def _plate(side: int, half: float, size: float) -> str:
    """Return the plate of a tag: square for the first side, round for the second, pointed for all others."""
    left, right, high = number(-half), number(half), number(size * 0.72)
    if side == 0:
        return f'<path class="plate" d="M{left} -{high}H{right}V{high}H{left}Z"/>'
    if side == 1:
        return (
            f'<rect class="plate" x="{left}" y="-{high}" width="{number(2 * half)}" height="{number(size * 1.44)}" '
            f'rx="{high}"/>'
        )
    inner, outer = number(-half + size * 0.5), number(half - size * 0.5)
    return f'<path class="plate" d="M{left} 0L{inner} -{high}H{outer}L{right} 0L{outer} {high}H{inner}Z"/>'


# --- boxes and hexes -------------------------------------------------------------------------------------------------------


def _on_cells(hand: _Hand) -> list[str]:
    """Return units as blocks of bases, side by side if several share a cell; those further south are drawn last."""
    stacks: dict[Point, list[BoardPiece]] = {}
    for piece in hand.board.pieces:
        stacks.setdefault((piece.x, piece.y), []).append(piece)
    found: list[str] = []
    room = hand.board.inches * 0.86
    for (column, row), stack in sorted(stacks.items(), key=lambda item: -item[0][1]):
        x, y = cell_middle(hand.board, int(column), int(row))
        units = [piece for piece in stack if piece.look.kind != "leader"]
        chiefs = [piece for piece in stack if piece.look.kind == "leader"]
        foot = min(hand.size * 2.2, room * 0.4) if units and chiefs else 0.0
        found += _ranged(hand, units, (x, y + foot / 2), room, room - foot)
        found += _ranged(hand, chiefs, (x, y - (room - foot) / 2 if units else y), room, foot or room)
    return found


def _ranged(hand: _Hand, stack: Sequence[BoardPiece], middle: Point, wide: float, deep: float) -> Iterator[str]:
    """Yield some pieces in rows inside a part of their cell."""
    across = ceil(sqrt(len(stack))) if stack and stack[0].look.kind != "leader" else len(stack)
    down = ceil(len(stack) / across) if stack else 0
    for place, piece in enumerate(stack):
        line, here = divmod(place, across)
        inline = min(across, len(stack) - line * across)
        at = (
            middle[0] + (here - (inline - 1) / 2) * wide / across,
            middle[1] - (line - (down - 1) / 2) * deep / down,
        )
        yield _block(hand, piece, at, wide / inline, deep / down)


def _block(hand: _Hand, piece: BoardPiece, at: Point, wide: float, deep: float) -> str:
    """Return a unit in its part of a cell: its bases behind its front, and its tag below them."""
    look, label = piece.look, hand.board.labels.get(piece.id, "")
    size = hand.size if look.kind == "leader" else min(hand.size, deep * _FOR_TAG / TAG)
    x, y = hand.sheet.xy(at)
    parts = [escape_text(f"{label} {piece.text}".strip())]
    below = -size * 0.2
    if look.kind in ("thing", "flyer"):
        parts.append(f'<use href="#{look.kind}" transform="scale(1.1)"/>')
    elif look.kind != "leader":
        bases = _bases(hand, piece)
        turned = sind(look.facing or 0.0) ** 2  # a body that faces east or west has width and depth exchanged
        across, along = bases.wide + (bases.deep - bases.wide) * turned, bases.deep + (bases.wide - bases.deep) * turned
        scale = min(1.0, wide * 0.96 / across, max(0.3, (deep - size * TAG) / along))
        below = -min(size * 1.6, deep / 2 - size * 1.55)
        up = below + size * 0.85 + along * scale / 2
        turn = f" rotate({number(look.facing)})" if look.facing else ""
        parts.append(
            group("body", bases.drawn, f' transform="translate(0 {number(-up)}){turn} scale({number(scale)})"')
        )
    side = hand.side(piece.side)
    if piece.side:
        paper = replace(hand, sheet=SvgCanvas(0.0), size=size)
        small = max(0.55, min(1.0, wide / (2 * _half(paper, piece.id, look) + size * 0.2)))
        tag = _tag(paper, piece, piece.id, look, (0.0, 0.0), piece.text, wide / small)
        parts.append(group("foot", [tag], f' transform="translate(0 {number(-below)}) scale({number(small)})"'))
    kind = f"piece block side-{side} kind-{look.kind}{' troubled' if look.states else ''}"
    data = f' data-piece="{escape(piece.id)}" data-unit="{escape(look.unit or piece.id)}"'
    return group(kind, parts, f'{data} transform="translate({x} {y})"')


class _Body(NamedTuple):
    """The drawing of a unit on a cell, with its width and depth."""

    drawn: list[str]
    wide: float
    deep: float


def _bases(hand: _Hand, piece: BoardPiece) -> _Body:
    """Return one base for each figure (up to `MOST_BASES`), in ranks or facing outwards in a square.

    The facing and any smoke are included.
    """
    look = piece.look
    symbol = hand.shape(look, piece.side)
    fired = piece.id in hand.smoke
    if look.formation == "square":
        ring = [(-0.9, -0.9), (0, -0.9), (0.9, -0.9), (0.9, 0), (0.9, 0.9), (0, 0.9), (-0.9, 0.9), (-0.9, 0)]
        found = [f'<use href="#{symbol}" transform="translate({px} {py})"/>' for px, py in ring]
        found.append('<path class="square" d="M-.9 -.9H.9V.9H-.9Z"/>')
        if fired:
            found += [
                f'<use href="#smoke" transform="rotate({turn}) translate(0 -1.7) scale(.8)"/>'
                for turn in (0, 90, 180, 270)
            ]
        return _Body(found, 2.8, 2.8)
    count = min(look.strength or 1, MOST_BASES)
    wide = min(count, 4 if count <= 8 else 6)
    ranks = ceil(count / wide)
    found = []
    for place in range(count):
        rank, file = divmod(place, wide)
        inline = min(wide, count - rank * wide)
        px, py = (file - (inline - 1) / 2) * 0.98, (rank - (ranks - 1) / 2) * 1.0
        found.append(f'<use href="#{symbol}" transform="translate({number(px)} {number(py)})"/>')
    armed = look.kind not in (*_MEN, "camel")
    if armed:
        found.append(f'<use href="#{look.kind}" transform="translate(0 -{number(ranks * 0.5 + 0.3)}) scale(1.3)"/>')
    front = ranks * 0.5 + (1.1 if armed else 0.25)
    if look.facing is not None:
        found.append(f'<path class="front" d="M-.7 -{number(front)}L0 -{number(front + 0.5)}L.7 -{number(front)}"/>')
    if fired:
        places = (0.0,) if wide < 3 else (-0.3 * wide, 0.0, 0.3 * wide)
        found += [f'<use href="#smoke" transform="translate({number(px)} -{number(front + 0.5)})"/>' for px in places]
    return _Body(found, max(2.0, wide * 0.98 + 0.1), ranks + 2 * (front - ranks * 0.5))


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
    "down": '<path class="t-fallen" d="M-.34 -.34L.34 .34M.34 -.34L-.34 .34"/>',
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
