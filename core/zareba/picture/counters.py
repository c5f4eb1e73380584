"""The pieces on the table: figures in their places, blocks of bases on boxes and hexes, and a tag for every unit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, sqrt
from typing import NamedTuple

from zareba.base.exact import cosd, sind
from zareba.picture.cells import cell_middle
from zareba.picture.label_placement import LabelPlacement
from zareba.picture.svg import SvgCanvas, escape_text, group, number, text
from zareba.presentation.board import Appearance, Board, BoardFigure, BoardPiece
from zareba.space.geometry import Point

__all__ = ["draw_pieces"]

MAN = 0.42
"""Default radius of a base in inches, if the ruleset gives none."""
SHAPES = 3
MOST_BASES = 12
MEN = ("foot", "horse")


CROWD, MANY = 24, 12
"""With more units than CROWD, names show only under the pointer; with more than MANY, this applies to leaders."""
TAG, FOR_TAG = 2.3, 0.62
"""Depth of a tag and its name, in letter heights; the share of its part of a cell that it may take from the body."""
MOST_PUFFS = 5
WIDE = 0.3
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
    chosen = men[:: -(-len(men) // MOST_PUFFS)]
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
    reach = head.look.base * scale or MAN
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    look, words = head.look, head.text
    if head.id != unit and look.unit:
        kind = "foot" if look.kind == "leader" and len(members) > 1 else look.kind
        look = replace(look, kind=kind)
        words = f"{look.name}: {', '.join([f'{look.strength or len(men)} able', *look.states])}"
    half = max(
        _half(hand, unit, look), size * 0.72 * WIDE * len(look.name) if hand.named and look.kind != "leader" else 0.0
    )
    at = room.find(middle, (max(ys) - min(ys)) / 2 + reach, (max(xs) - min(xs)) / 2 + reach, half, size)
    tied = abs(at[1] - max(ys) - reach - size) > size or abs(at[0] - middle[0]) > size
    stalk = hand.sheet.shape(f"stalk side-{hand.side(head.side)}", [middle, at], closed=False) if tied else ""
    return stalk + _tag(hand, head, unit, look, at, words)


def _man(hand: _Hand, piece: BoardPiece, man: BoardFigure, point: Point) -> str:
    look = piece.look
    radius = look.base * hand.board.inches or MAN
    if look.kind == "thing" and piece.id not in hand.things:
        return hand.sheet.use("dropped", point)
    if look.kind not in (*MEN, "camel", "leader"):
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
            fits = min(size * share, room / (2 * WIDE * len(shown))) if room else size * share
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
    size = hand.size if look.kind == "leader" else min(hand.size, deep * FOR_TAG / TAG)
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
    armed = look.kind not in (*MEN, "camel")
    if armed:
        found.append(f'<use href="#{look.kind}" transform="translate(0 -{number(ranks * 0.5 + 0.3)}) scale(1.3)"/>')
    front = ranks * 0.5 + (1.1 if armed else 0.25)
    if look.facing is not None:
        found.append(f'<path class="front" d="M-.7 -{number(front)}L0 -{number(front + 0.5)}L.7 -{number(front)}"/>')
    if fired:
        places = (0.0,) if wide < 3 else (-0.3 * wide, 0.0, 0.3 * wide)
        found += [f'<use href="#smoke" transform="translate({number(px)} -{number(front + 0.5)})"/>' for px in places]
    return _Body(found, max(2.0, wide * 0.98 + 0.1), ranks + 2 * (front - ranks * 0.5))
