"""Draw the pieces on the table and the tags of units."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from math import ceil, sqrt
from typing import NamedTuple

from zareba.base.exact import cosd, dist, sind, total
from zareba.picture.label_placement import LETTER, NAME, WIDE, Label, LabelPlacement, LabelSize, PlacedLabel
from zareba.picture.svg import SvgCanvas, circle, group, hit_area, label, number, text, tooltip
from zareba.picture.zones import cell_middle
from zareba.presentation.board import Appearance, Board, BoardFigure, BoardPiece
from zareba.space.geometry import Bounds, Point, bounds

# The pieces on the table: figures in their places, blocks of bases on boxes and hexes, and a tag for every unit.


_BASE_RADIUS = 0.42
"""Default radius of a base in inches, if the ruleset gives none."""
SHAPES = 3
"""The number of symbols of a figure, one for each side. The third side and all others share the last one."""
MOST_BASES = 12
"""The largest number of bases drawn for a unit on a cell."""
_MEN = ("foot", "horse")
_MOST_PUFFS = 5
"""The largest number of puffs of smoke drawn for a unit that has fired."""
_NEARBY = 4.0
"""Distance in inches from the middle figure of a unit within which its figures determine the place of its tag."""
_USED_SHARE = 0.94
"""The share of a cell that its units use."""
_TAG_DEPTH = 1.7
"""Depth that is kept free for the tag below a unit on a cell, in letter heights."""
_MOST_TAG_SHARE = 0.42
"""The largest share of the depth of a cell that is kept free for the tag."""
_HALF_PLATE = LETTER * 0.72
"""Half the height of a plate in CSS pixels."""
_LINE_HEIGHT = 12.5
"""The height of a line of text below a plate in CSS pixels."""
_LEADER, _UNIT, _PART = 1, 2, 3
"""The ranks of tags: leaders, units, and guns that belong to a unit."""


@dataclass(frozen=True)
class _Hand:
    """The drawing context: board, canvas, letter size of tags in inches, and the sides by number.

    `smoke` are the units and guns that have fired. `things` are the objects on the table that matter.
    """

    board: Board
    canvas: SvgCanvas
    size: float
    sides: Mapping[str, int]
    smoke: Collection[str] = ()
    things: Collection[str] = ()

    def side(self, side: str) -> int:
        """Return the number of a side; pieces without a side get the last number."""
        return self.sides.get(side, 9)


class _Tag(NamedTuple):
    """A tag to draw: its piece, unit and appearance, its words, and the box that its unit takes on the table.

    `cell` is the middle of the cell of the unit, and half the width of the cell; None on an open table.
    """

    piece: BoardPiece
    unit: str
    look: Appearance
    words: str
    box: Bounds
    below: bool = False
    cell: tuple[float, float, float] | None = None


def draw_pieces(
    board: Board,
    canvas: SvgCanvas,
    size: float,
    room: LabelPlacement | None,
    smoke: Collection[str],
    things: Collection[str],
) -> str:
    """Return all pieces of a board; those of one unit have one tag, and smoke if it has fired.

    The places taken by the pieces and their tags are added to `room`. Without it the tags are not placed and not shown.
    """
    sides = {side: index for index, side in enumerate(board.sides)}
    hand = _Hand(board, canvas, size, sides, smoke, things)
    drawn, tags = (_on_free_table if board.space == "free" else _on_cells)(hand, room)
    return group("pieces", [*drawn, group("labels", _tags(hand, tags, room))])


# --- free tables ------------------------------------------------------------------------------------------------------


def _on_free_table(hand: _Hand, room: LabelPlacement | None) -> tuple[list[str], list[_Tag]]:
    """Return figures, guns and smoke, and the tags to draw."""
    units: dict[tuple[str, str], list[BoardPiece]] = {}
    for piece in hand.board.pieces:
        units.setdefault((piece.side, piece.look.unit or piece.id), []).append(piece)
    men = [_men(hand, unit, members, room) for (_, unit), members in units.items()]
    clouds = [_cloud(hand, unit, members) for (_, unit), members in units.items()]
    return [*men, *clouds], [_tag_of(hand, unit, members) for (side, unit), members in units.items() if side]


def _men(hand: _Hand, unit: str, members: Sequence[BoardPiece], room: LabelPlacement | None) -> str:
    """Return the figures and guns of a unit in their places."""
    scale = hand.board.inches
    drawn = []
    for piece in members:
        places = piece.look.men or (BoardFigure(piece.x, piece.y, piece.look.facing),)
        label_, side = hand.board.labels.get(piece.id, ""), hand.side(piece.side)
        drawn.append(_piece(piece, unit, label_, side, hand.canvas, scale, piece.id in hand.things))
        if room is not None and (piece.look.kind != "thing" or piece.id in hand.things):
            reach = piece.look.base * scale or _BASE_RADIUS
            for man in places:
                x, y = man.x * scale, man.y * scale
                room.keep_free((x - reach, y - reach, x + reach, y + reach))
    return "".join(drawn)


def _cloud(hand: _Hand, unit: str, members: Sequence[BoardPiece]) -> str:
    """Return the smoke in front of a unit that has fired, or in front of those of its guns that have."""
    fired = [piece for piece in members if unit in hand.smoke or piece.id in hand.smoke]
    men = [
        man
        for piece in fired
        for man in piece.look.men or (BoardFigure(piece.x, piece.y, piece.look.facing),)
        if not man.condition
    ]
    if not men:
        return ""
    chosen = men[:: -(-len(men) // _MOST_PUFFS)]
    scale = hand.board.inches
    puffs = []
    for man in chosen:
        facing = man.facing or 0.0
        at = man.x * scale + sind(facing) * 1.1, man.y * scale + cosd(facing) * 1.1
        puffs.append(hand.canvas.use("smoke", at, turn=facing))
    return group("smoke", [tooltip(f"{members[0].look.name} fired"), *puffs])


def _tag_of(hand: _Hand, unit: str, members: Sequence[BoardPiece]) -> _Tag:
    """Return the tag of a unit, which stands around its figures that have not fallen."""
    scale = hand.board.inches
    head = next((piece for piece in members if piece.id == unit), members[0])
    men = [man for piece in members for man in piece.look.men or (BoardFigure(piece.x, piece.y),)]
    men = [man for man in men if man.condition in ("", "lying")] or men
    spots = [(man.x * scale, man.y * scale) for man in men]
    reach = head.look.base * scale or _BASE_RADIUS
    west, south, east, north = bounds(_nearby(spots))
    look, words = head.look, head.text
    if head.id != unit and look.unit:
        kind = "foot" if look.kind == "leader" and len(members) > 1 else look.kind
        look = replace(look, kind=kind)
        words = f"{look.name}: {', '.join([f'{look.strength or len(men)} able', *look.states])}"
    return _Tag(head, unit, look, words, (west - reach, south - reach, east + reach, north + reach))


def _nearby(spots: Sequence[Point]) -> list[Point]:
    """Return the figures near the one in the middle of a unit, so that the tag of a scattered unit is at figures."""
    count = len(spots)
    middle = total([x for x, _ in spots]) / count, total([y for _, y in spots]) / count
    centre = min(spots, key=lambda spot: dist(spot, middle))
    return [spot for spot in spots if dist(spot, centre) <= _NEARBY]


@lru_cache(maxsize=8192)
def _piece(
    piece: BoardPiece, unit: str, label_: str, side: int, canvas: SvgCanvas, inches: float, is_object: bool
) -> str:
    """Return the figures or the gun of a piece. Most pieces are the same after the next choice, so they are kept."""
    look = piece.look
    places = look.men or (BoardFigure(piece.x, piece.y, look.facing),)
    radius = look.base * inches or _BASE_RADIUS
    figures = [_man(look, man, (man.x * inches, man.y * inches), side, canvas, radius, is_object) for man in places]
    kind = f"piece side-{side} kind-{look.kind}{' troubled' if look.states else ''}"
    data = f' data-piece="{escape(piece.id)}" data-unit="{escape(unit)}"'
    return group(kind, [tooltip(f"{label_} {piece.text}".strip()), *figures], data)


def _man(
    look: Appearance, man: BoardFigure, point: Point, side: int, canvas: SvgCanvas, radius: float, is_object: bool
) -> str:
    """Return a figure, a gun or a thing; things that are no objects of the battle are drawn as dropped."""
    if look.kind == "thing" and not is_object:
        return canvas.use("dropped", point)
    if look.kind not in (*_MEN, "camel", "leader"):
        return canvas.use(look.kind, point, scale=0.9 if look.kind == "thing" else 1.2, turn=look.facing or 0.0)
    drawn = canvas.use(_shape(look, side), point, scale=radius / 0.46, turn=man.facing or 0.0)
    if look.kind == "leader":
        drawn += canvas.use("star", point, scale=0.7)
    if man.condition:
        drawn = group(man.condition, [drawn + canvas.use(man.condition, point)])
    return drawn


def _shape(look: Appearance, side: int) -> str:
    """Return the symbol of one figure of a piece."""
    kind = "horse" if look.kind in ("horse", "camel") else "foot"
    return f"{kind}-{min(side, SHAPES - 1)}"


# --- tags -------------------------------------------------------------------------------------------------------------


def _tags(hand: _Hand, tags: Sequence[_Tag], room: LabelPlacement | None) -> Iterator[str]:
    """Yield the tags of units: next to them, or as near as there is room, then with a line to the unit."""
    placed: Sequence[PlacedLabel | None] = [None] * len(tags)
    if room is not None:
        placed = room.place([_label_of(hand, tag) for tag in tags])
    for tag, at in zip(tags, placed, strict=True):
        yield _tag(hand, tag, at)


def _label_of(hand: _Hand, tag: _Tag) -> Label:
    """Return the label of a tag: with name and conditions, with the name, or the plate alone."""
    scale, look = hand.size / LETTER, tag.look
    half, up = _half(hand, tag.unit, look) * scale, _HALF_PLATE * scale
    lines = [line for line in (look.name, ", ".join(look.states)) if line]
    sizes = [LabelSize(half, up, up)]
    for count, line in enumerate(lines, 1):
        wide = max(sizes[-1].half, NAME * WIDE * len(line) * scale)
        sizes.append(LabelSize(wide, up, up + _LINE_HEIGHT * count * scale))
    rank = _LEADER if look.kind == "leader" else _PART if tag.piece.look.unit and tag.piece.id == tag.unit else _UNIT
    return Label(rank, sizes[::-1], box=tag.box, below=tag.below)


def _half(hand: _Hand, unit: str, look: Appearance) -> float:
    """Return half the width of a plate, in CSS pixels."""
    letters = len(hand.board.labels.get(unit, "")) + len(_count(look))
    return LETTER * (0.75 + 0.31 * letters + (0.2 if letters else 0) + (0.55 if look.badge else 0))


def _count(look: Appearance) -> str:
    """Return the number of figures left; "" for a leader, or if the ruleset gives none."""
    return "" if look.strength is None or look.kind == "leader" else str(look.strength)


def _tag(hand: _Hand, tag: _Tag, placed: PlacedLabel | None) -> str:
    """Return a tag: a badge, the terminal key, the sign of the arm, and the count; its shape shows the side.

    It is drawn in CSS pixels. Below it are the name of the unit and the conditions it is in, if there is room.
    """
    piece, look, side = tag.piece, tag.look, hand.side(tag.piece.side)
    label_, count, half = hand.board.labels.get(tag.unit, ""), _count(look), _half(hand, tag.unit, look)
    left = -half + (LETTER * 1.1 if look.badge else 0.0)
    aside = number((left + half) / 2 + LETTER * 0.31 * (len(label_) - len(count)))
    base = number(LETTER * 0.36)
    parts = [
        tooltip(f"{label_} {tag.words}".strip()),
        _plate(side, half, LETTER),
        f'<use href="#arm-{look.kind}" transform="translate({aside} 0) scale({number(LETTER)})"/>',
        *_badge(look, -half + LETTER * 0.75),
    ]
    for kind, shown, x in (("key", label_, left + LETTER * 0.3), ("count", count, half - LETTER * 0.3)):
        if shown:
            parts.append(
                f'<text class="{kind}" x="{number(x)}" y="{base}" font-size="{number(LETTER)}">{escape(shown)}</text>'
            )
    lines = [(kind, shown) for kind, shown in (("unit-name", look.name), ("state", ", ".join(look.states))) if shown]
    for index, (kind, shown) in enumerate(lines):
        absent = placed is not None and placed.detail > len(lines) - 1 - index
        y = number(_HALF_PLATE + _LINE_HEIGHT * (index + 0.8))
        parts.append(text(0, y, NAME, shown, f"line {kind}{' absent' if absent else ''}"))
    kind = f"tag side-{side} kind-{look.kind}{' troubled' if look.states else ''}"
    data = f' data-unit="{escape(tag.unit)}" data-piece="{escape(piece.id)}"'
    data += f' data-box="{_edges(tag.box, hand.canvas)}" data-half="{number(half)}"'
    data += ' data-below="1"' if tag.below else ""
    if tag.cell is not None:
        middle, centre, reach = tag.cell
        data += f' data-cell-of="{number(middle)} {number(hand.canvas.depth - centre)} {number(reach)}"'
    at = None if placed is None else (placed.x, placed.y)
    stalk = ""
    if placed is not None and placed.is_tied:
        west, south, east, north = tag.box
        stalk = hand.canvas.shape(
            "stalk", [((west + east) / 2, (south + north) / 2), (placed.x, placed.y)], closed=False
        )
    return label(kind, parts, at, hand.size / LETTER, hand.canvas, data, below=stalk)


def _edges(box: Bounds, canvas: SvgCanvas) -> str:
    """Return the left, upper, right and lower edge of a box for a script of the page."""
    west, south, east, north = box
    return " ".join(map(number, (west, canvas.depth - north, east, canvas.depth - south)))


def _badge(look: Appearance, x: float) -> Iterator[str]:
    """Yield the badge of a unit: a disc in its colour with the first letter of the colour."""
    if look.badge:
        yield circle(number(x), 0, LETTER * 0.52, f"badge badge-{look.badge}")
        yield text(number(x), number(LETTER * 0.34), LETTER * 0.92, look.badge[0].upper(), "badge-letter")


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


# --- boxes and hexes --------------------------------------------------------------------------------------------------


def _on_cells(hand: _Hand, room: LabelPlacement | None) -> tuple[list[str], list[_Tag]]:
    """Return units as blocks of bases, side by side if several share a cell, and the tags to draw.

    Those further south are drawn last.
    """
    stacks: dict[Point, list[BoardPiece]] = {}
    for piece in hand.board.pieces:
        stacks.setdefault((piece.x, piece.y), []).append(piece)
    drawn: list[str] = []
    tags: list[_Tag] = []
    width = hand.board.inches * (_USED_SHARE if hand.board.space == "boxes" else _USED_SHARE * 0.92)
    for (column, row), stack in sorted(stacks.items(), key=lambda item: -item[0][1]):
        middle = cell_middle(hand.board, int(column), int(row))
        in_order = sorted(stack, key=lambda piece: piece.look.kind == "leader")
        for piece, at, wide, deep in _ranged(in_order, middle, width):
            body, box = _block(hand, piece, at, wide, deep)
            drawn.append(body)
            if room is not None:
                room.keep_free(box)
            if piece.side:
                cell = (*middle, hand.board.inches / 2)
                tags.append(_Tag(piece, piece.id, piece.look, piece.text, box, below=True, cell=cell))
    return drawn, tags


def _ranged(
    stack: Sequence[BoardPiece], middle: Point, width: float
) -> Iterator[tuple[BoardPiece, Point, float, float]]:
    """Yield the pieces of a cell in rows: each with the middle, width and depth of its part."""
    columns = ceil(sqrt(len(stack)))
    rows = ceil(len(stack) / columns)
    for index, piece in enumerate(stack):
        row, column = divmod(index, columns)
        in_row = min(columns, len(stack) - row * columns)
        x = middle[0] + (column - (in_row - 1) / 2) * width / in_row
        yield piece, (x, middle[1] - (row - (rows - 1) / 2) * width / rows), width / in_row, width / rows


def _block(hand: _Hand, piece: BoardPiece, at: Point, wide: float, deep: float) -> tuple[str, Bounds]:
    """Return a unit in its part of a cell, its bases behind its front, and the box that they take."""
    look, label_ = piece.look, hand.board.labels.get(piece.id, "")
    parts = [tooltip(f"{label_} {piece.text}".strip())]
    for_tag = min(hand.size * _TAG_DEPTH, deep * _MOST_TAG_SHARE)
    turned = ""
    if look.kind in ("thing", "flyer"):
        body, across, along = [f'<use href="#{look.kind}"/>'], 1.6, 1.4
    elif look.kind == "leader":
        body, across, along = (
            [f'<use href="#{_shape(look, hand.side(piece.side))}"/><use href="#star" transform="scale(.8)"/>'],
            1.0,
            1.0,
        )
    else:
        bases = _bases(hand, piece)
        sideways = sind(look.facing or 0.0) ** 2  # a body that faces east or west has width and depth exchanged
        body, turned = bases.drawn, f" rotate({number(look.facing)})" if look.facing else ""
        across = bases.wide + (bases.deep - bases.wide) * sideways
        along = bases.deep + (bases.wide - bases.deep) * sideways
    scale = min(1.0, wide * 0.96 / across, (deep - for_tag) * 0.96 / along)
    x, y = at[0], at[1] + for_tag / 2
    box = x - across * scale / 2, y - along * scale / 2, x + across * scale / 2, y + along * scale / 2
    west, north = hand.canvas.xy((x, y))
    parts.append(hit_area(box, hand.canvas))
    parts.append(group("body", body, f' transform="translate({west} {north}){turned} scale({number(scale)})"'))
    side = hand.side(piece.side)
    kind = f"piece block side-{side} kind-{look.kind}{' troubled' if look.states else ''}"
    data = f' data-piece="{escape(piece.id)}" data-unit="{escape(look.unit or piece.id)}"'
    if not piece.side:  # it has no tag that says what it takes
        data += f' data-taken="{_edges(box, hand.canvas)}"'
    return group(kind, parts, data), box


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
    symbol = _shape(look, hand.side(piece.side))
    fired = piece.id in hand.smoke
    if look.formation == "square":
        ring = [(-0.9, -0.9), (0, -0.9), (0.9, -0.9), (0.9, 0), (0.9, 0.9), (0, 0.9), (-0.9, 0.9), (-0.9, 0)]
        shapes = [f'<use href="#{symbol}" transform="translate({px} {py})"/>' for px, py in ring]
        shapes.append('<path class="square" d="M-.9 -.9H.9V.9H-.9Z"/>')
        if fired:
            shapes += [
                f'<use href="#smoke" transform="rotate({turn}) translate(0 -1.7) scale(.8)"/>'
                for turn in (0, 90, 180, 270)
            ]
        return _Body(shapes, 2.8, 2.8)
    count = min(look.strength or 1, MOST_BASES)
    wide = min(count, 4 if count <= 8 else 6)
    ranks = ceil(count / wide)
    shapes = []
    for index in range(count):
        rank, file = divmod(index, wide)
        in_rank = min(wide, count - rank * wide)
        px, py = (file - (in_rank - 1) / 2) * 0.98, (rank - (ranks - 1) / 2) * 1.0
        shapes.append(f'<use href="#{symbol}" transform="translate({number(px)} {number(py)})"/>')
    armed = look.kind not in (*_MEN, "camel")
    if armed:
        shapes.append(f'<use href="#{look.kind}" transform="translate(0 -{number(ranks * 0.5 + 0.3)}) scale(1.3)"/>')
    front = ranks * 0.5 + (1.3 if armed else 0.25)
    if look.facing is not None:
        shapes.append(f'<path class="front" d="M-.7 -{number(front)}L0 -{number(front + 0.5)}L.7 -{number(front)}"/>')
    if fired:
        places = (0.0,) if wide < 3 else (-0.3 * wide, 0.0, 0.3 * wide)
        shapes += [f'<use href="#smoke" transform="translate({number(px)} -{number(front + 0.5)})"/>' for px in places]
    return _Body(shapes, max(2.0, wide * 0.98 + 0.1), ranks + 2 * (front - ranks * 0.5))
