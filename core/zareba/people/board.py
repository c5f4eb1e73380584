"""What lies on a table, ready to be drawn in a terminal, a page or a report; no rules and no hidden things in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, product
from string import ascii_lowercase, ascii_uppercase
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from zareba.base.exact import total

__all__ = [
    "Awaited",
    "Board",
    "Cell",
    "Kind",
    "Look",
    "Man",
    "Opening",
    "Piece",
    "arrow",
    "column_letters",
    "labelled",
    "massed",
    "near",
    "parted",
    "place_name",
    "row_length",
    "whereabouts",
]

Kind: TypeAlias = Literal[
    "foot", "horse", "camel", "gun", "machine_gun", "rocket", "wagon", "vehicle", "flyer", "leader", "marker", "thing"
]
"""What a counter shows: troops by what carries them, who leads, a marker for what is not known, a thing on the ground."""


class Man(NamedTuple):
    """A single figure where he stands on a free table, and which way he looks, if he does; `down`: he lies or is hurt."""

    x: float
    y: float
    facing: float | None = None
    down: bool = False


@dataclass(frozen=True)
class Look:
    """How a piece is drawn to scale; whatever a system does not know is left out.

    `unit` is the unit that a single man or gun belongs to, "" for a piece that is a unit itself. `facing` is in degrees
    from north by east; `men` are its figures in their places, on round bases of the radius `base`; `states` are what is
    the matter with it, in words.
    """

    kind: Kind = "foot"
    unit: str = ""
    name: str = ""
    strength: int | None = None
    facing: float | None = None
    formation: str = ""
    states: tuple[str, ...] = ()
    men: tuple[Man, ...] = ()
    base: float = 0.0


ARROWS = ("↑", "↗", "→", "↘", "↓", "↙", "←", "↖")

FALLEN = "+"
"""The symbol of a man who lies where he fell."""


@dataclass(frozen=True)
class Piece:
    """A counter: `symbol` is at most three characters; `side` picks its colour; `text` says all in words.

    `x`, `y` are the cell of a grid, or the point of a free table in its unit of length.
    """

    id: str
    side: str
    symbol: str
    text: str
    x: float
    y: float
    look: Look = Look()


@dataclass(frozen=True)
class Cell:
    """A box or hex that is not open ground: its short mark, its name, its level, and notes such as walls.

    `tints` are what it looks like to those who draw it in colours, the last over the others: wood, scrub, rock, rough,
    water, sand, hill, built or shut.
    """

    x: int
    y: int
    mark: str
    text: str
    level: int = 0
    tints: tuple[str, ...] = ()


class Opening(NamedTuple):
    """A door or window that a system cuts into the wall of a building on a free table; a door may be open or shut."""

    x: float
    y: float
    kind: Literal["door", "window"]
    open: bool = False


class Awaited(NamedTuple):
    """Somebody who is still to come: the piece that he will be, his side, his name, and when."""

    id: str
    side: str
    name: str
    when: str


@dataclass(frozen=True)
class Board:
    """A table of one of three kinds with its cells, pieces and a line on where play stands.

    `columns` and `rows` count cells, or units of `length` on a free table; row 0 is the southern one. `labels` are the
    short names of pieces by id, as `labelled` gives them; `awaited` are those still to come. `inches` are in a unit of
    `length`, and `origin` is the place, in inches on the scenario's table, of the south-west corner. `short_rows`: every
    second row of hexes has one hex less (`HexGrid`).
    """

    space: Literal["hexes", "boxes", "free"]
    columns: int
    rows: int
    length: str
    headline: str
    cells: tuple[Cell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    sides: dict[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    awaited: tuple[Awaited, ...] = ()
    inches: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)
    openings: tuple[Opening, ...] = ()
    short_rows: bool = False


Shown = TypeVar("Shown", Piece, Cell)
One = TypeVar("One")


def arrow(bearing: float) -> str:
    """The arrow that points nearest to a bearing in degrees."""
    return ARROWS[round(bearing / 45) % 8]


def labelled(pieces: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """A short name for every piece of the sides, in their order: numbers for the first, small letters for the second.

    All other sides share the capitals.
    """
    found: dict[str, str] = {}
    names = count(1), _letters(ascii_lowercase), _letters(ascii_uppercase)
    for order, own in enumerate(pieces.values()):
        found.update(zip(own, map(str, names[min(order, 2)]), strict=False))
    return found


def parted(pieces: Iterable[One], begins_hidden: Callable[[One], bool]) -> tuple[list[One], list[One]]:
    """Return those who are seen from the start and those who begin hidden, each in their order.

    Who begins hidden comes last where pieces are labelled, so that no gap in the labels betrays him.
    """
    every = list(pieces)
    return [one for one in every if not begins_hidden(one)], [one for one in every if begins_hidden(one)]


def _letters(alphabet: str) -> Iterator[str]:
    """Letters without end: a to z, aa, ab and on."""
    for length in count(1):
        yield from map("".join, product(alphabet, repeat=length))


def column_letters(column: int) -> str:
    """Column letters as people read them: A to Z, AA and on."""
    return next(islice(_letters(ascii_uppercase), column, None))


def place_name(board: Board, at: tuple[float, float]) -> str:
    """How people call a place of the board: `E4` of a grid; `12 4` on a free table, in its unit of length."""
    x, y = at
    if board.space == "free":
        return f"{round(x, 1):g} {round(y, 1):g}"
    return f"{column_letters(int(x))}{int(y) + 1}"


def row_length(board: Board, row: int) -> int:
    """The number of cells in a row."""
    return board.columns - (1 if board.short_rows and row % 2 else 0)


def massed(
    board: Board, units: Mapping[str, str], listed: Mapping[str, Sequence[str]], things: Collection[str] = ()
) -> Board:
    """The board with single men as one piece a unit, between them; `units` are the names of units by id.

    Who lies fallen is not counted, and not drawn; of what lies on the ground only `things` are. A unit that has a piece of
    its own stays as it is. `listed` are the ids of all pieces by side (`Game.pieces`): in their order units have their
    labels, which stay the same all game.
    """
    whole = {piece.id for piece in board.pieces}
    men: dict[str, list[Piece]] = {}
    for piece in board.pieces:
        if piece.look.unit in units and piece.look.unit not in whole:
            men.setdefault(piece.look.unit, []).append(piece)
    single = {piece.id: unit for unit, own in men.items() for piece in own}
    blocks = []
    for unit, own in men.items():
        standing = [piece for piece in own if piece.symbol != FALLEN]
        if standing:
            x, y = _middle(standing)
            symbol = own[0].symbol if len(standing) == 1 else ""
            blocks.append(Piece(unit, own[0].side, symbol, f"{units[unit]} ({len(standing)})", x, y))
    order = {side: [_whose(one, units) for one in listed.get(side, ())] for side in board.sides}
    there = [(piece.id, piece.side) for piece in board.pieces] + [(one.id, one.side) for one in board.awaited]
    for piece_id, side in there:
        if side in order:
            order[side].append(single.get(piece_id, piece_id))
    litter = {piece.id for piece in board.pieces if piece.look.kind == "thing" and piece.id not in things}
    pieces = (*(piece for piece in board.pieces if piece.id not in single and piece.id not in litter), *blocks)
    labels = labelled({side: list(dict.fromkeys(ids)) for side, ids in order.items()})
    return replace(board, pieces=pieces, labels=labels)


def _whose(piece: str, units: Mapping[str, str]) -> str:
    """The unit of a single man, by his id; any other piece is its own."""
    unit = piece
    while unit not in units and (shorter := unit.rpartition(".")[0]):
        unit = shorter
    return unit if unit in units else piece


def near(board: Board, at: tuple[float, float], reach: float) -> Board:
    """The part of a board within `reach` of a point either way, in a frame of its own."""
    west, south = max(0, int(at[0] - reach)), max(0, int(at[1] - reach))
    if board.space == "hexes":
        south -= south % 2  # the rows that are pushed half a hex stay the odd ones
    east, north = min(board.columns, int(at[0] + reach) + 1), min(board.rows, int(at[1] + reach) + 1)
    title = f"from {place_name(board, (west, south))} to {place_name(board, (east - 1, north - 1))}"
    return replace(
        board,
        columns=east - west,
        rows=north - south,
        headline=title,
        cells=tuple(_inside(board.cells, west, south, east, north)),
        pieces=tuple(_inside(board.pieces, west, south, east, north)),
        awaited=(),
        short_rows=board.short_rows and east == board.columns,
    )


def _inside(shown: Sequence[Shown], west: int, south: int, east: int, north: int) -> Iterator[Shown]:
    for one in shown:
        if west <= one.x < east and south <= one.y < north:
            yield replace(one, x=one.x - west, y=one.y - south)


def _middle(pieces: Sequence[Piece]) -> tuple[float, float]:
    return total([piece.x for piece in pieces]) / len(pieces), total([piece.y for piece in pieces]) / len(pieces)


def whereabouts(board: Board) -> dict[str, tuple[float, float]]:
    """Where every piece stands, and every unit of single men, between its men; by id."""
    found: dict[str, list[Piece]] = {}
    for piece in board.pieces:
        found.setdefault(piece.id, []).append(piece)
    for piece in board.pieces:
        if piece.look.unit and not any(one.id == piece.look.unit for one in found.get(piece.look.unit, ())):
            found.setdefault(piece.look.unit, []).append(piece)
    return {name: _middle(pieces) for name, pieces in found.items()}
