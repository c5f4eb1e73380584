"""The visible content of a table, ready to draw in a terminal, a page or a report. It holds no rules and no hidden
information.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, product
from string import ascii_lowercase, ascii_uppercase
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from zareba.base.exact import total

Kind: TypeAlias = Literal[
    "foot", "horse", "camel", "gun", "machine_gun", "rocket", "wagon", "vehicle", "flyer", "leader", "marker", "thing"
]
"""The kind of piece a counter shows.

Troops are shown by transport or weapon. "leader" is a leader, "marker" an unknown unit, "thing" an object.
"""


Condition: TypeAlias = Literal["", "lying", "wounded", "out"]
"""The condition of a figure: fit, lying down, wounded, or out of the battle (killed, disabled or captured)."""


class BoardFigure(NamedTuple):
    """A figure on a free table, with its facing if it has one, and its condition."""

    x: float
    y: float
    facing: float | None = None
    condition: Condition = ""


@dataclass(frozen=True)
class Appearance:
    """The details for drawing a piece to scale; details that a ruleset does not have are left out.

    `unit` is the unit that a single figure or gun belongs to, "" for a piece that is a unit itself. `facing` is in
    degrees clockwise from north. `men` are its figures in their places, on round bases of radius `base`. `states` are
    its conditions, in words. `meaning` explains the symbol if it says more than the kind. `badge` is the colour by
    which cards order the unit: red, blue or green.
    """

    kind: Kind = "foot"
    unit: str = ""
    name: str = ""
    strength: int | None = None
    facing: float | None = None
    formation: str = ""
    states: tuple[str, ...] = ()
    men: tuple[BoardFigure, ...] = ()
    base: float = 0.0
    meaning: str = ""
    badge: str = ""


ARROWS = ("↑", "↗", "→", "↘", "↓", "↙", "←", "↖")

OBJECTIVE_MARK = "◎"
"""The mark of a cell that is the place of an objective."""
_FALLEN = "+"
"""The symbol of a fallen figure."""


@dataclass(frozen=True)
class BoardPiece:
    """A counter: `symbol` has at most three characters, `side` chooses its colour, `text` describes it completely.

    `x`, `y` are the cell of a grid, or the point of a free table in its unit of length.
    """

    id: str
    side: str
    symbol: str
    text: str
    x: float
    y: float
    look: Appearance = Appearance()


OBJECTIVE = "objective: "
"""The words before the names of the objectives in the text of a cell."""


@dataclass(frozen=True)
class BoardCell:
    """A box or hex that is not open ground: its short mark, its name, its level, and notes such as walls.

    `tints` are its ground types for drawings in colour, the last on top: wood, scrub, rock, rough, water, sand, hill,
    built or shut.
    """

    x: int
    y: int
    mark: str
    text: str
    level: int = 0
    tints: tuple[str, ...] = ()


class BoardOpening(NamedTuple):
    """A door or window that a ruleset adds to the wall of a building on a free table; a door may be open or shut."""

    x: float
    y: float
    kind: Literal["door", "window"]
    open: bool = False


class ArrivingPiece(NamedTuple):
    """A piece that is still to come: its id, side and name, and when it arrives."""

    id: str
    side: str
    name: str
    when: str


@dataclass(frozen=True)
class Board:
    """A table of one of three kinds with its cells, pieces and a line on where play stands.

    `columns` and `rows` count cells, or units of `length` on a free table; row 0 is the southern one. `labels` are the
    short names of pieces by id, as `assign_labels` gives them; `awaited` are those still to come. `inches` are in a
    unit of `length`, and `origin` is the place, in inches on the scenario's table, of the south-west corner.
    `short_rows`: every second row of hexes has one hex less (`HexGrid`). `corner` is the column and row, on the whole
    table, of the south-west cell of a part that `part_around` has cut out; names of places count from it.
    """

    space: Literal["hexes", "boxes", "free"]
    columns: int
    rows: int
    length: str
    headline: str
    cells: tuple[BoardCell, ...] = ()
    pieces: tuple[BoardPiece, ...] = ()
    sides: dict[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    awaited: tuple[ArrivingPiece, ...] = ()
    inches: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)
    openings: tuple[BoardOpening, ...] = ()
    short_rows: bool = False
    corner: tuple[int, int] = (0, 0)


PieceOrCell = TypeVar("PieceOrCell", BoardPiece, BoardCell)
T = TypeVar("T")


def arrow(bearing: float) -> str:
    """Return the arrow nearest to a bearing in degrees."""
    return ARROWS[round(bearing / 45) % 8]


def assign_labels(pieces: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return a short name for every piece: numbers for the first side, lower-case letters for the second.

    All other sides share the capital letters.
    """
    labels: dict[str, str] = {}
    numbers, small_letters, capital_letters = count(1), _letters(ascii_lowercase), _letters(ascii_uppercase)
    for side_number, own in enumerate(pieces.values()):
        names = (numbers, small_letters, capital_letters)[min(side_number, 2)]
        labels.update(zip(own, map(str, names), strict=False))
    return labels


def objectives_in(text: str) -> list[str]:
    """Return the names of the objectives in the text of a cell."""
    return [name.removesuffix(", ") for name in text.split(OBJECTIVE)[1:]]


def mark_objectives(board: Board, places: Mapping[str, tuple[float, float]]) -> Board:
    """Return the board with the mark `OBJECTIVE_MARK` in every cell that is the place of an objective.

    On an open table, whose terrain does not name objectives, `places` are their positions by name.
    """
    cells = [replace(cell, mark=OBJECTIVE_MARK) if OBJECTIVE in cell.text else cell for cell in board.cells]
    if board.space == "free":
        cells += [BoardCell(int(x), int(y), OBJECTIVE_MARK, f"{OBJECTIVE}{name}") for name, (x, y) in places.items()]
    return replace(board, cells=tuple(cells))


def split_hidden(pieces: Iterable[T], begins_hidden: Callable[[T], bool]) -> tuple[list[T], list[T]]:
    """Return the pieces seen from the start and the pieces that begin hidden, each in order.

    Hidden pieces come last when pieces are labelled, so that no gap in the labels reveals them.
    """
    visible: list[T] = []
    hidden: list[T] = []
    for piece in pieces:
        (hidden if begins_hidden(piece) else visible).append(piece)
    return visible, hidden


def _letters(alphabet: str) -> Iterator[str]:
    """Yield letters without end: a to z, aa, ab and so on."""
    for length in count(1):
        yield from map("".join, product(alphabet, repeat=length))


def column_letters(column: int) -> str:
    """Return the display name of a column: A to Z, AA and so on."""
    return next(islice(_letters(ascii_uppercase), column, None))


def place_name(board: Board, at: tuple[float, float]) -> str:
    """Return the display name of a place: `E4` on a grid, `12 4` on a free table in its unit of length."""
    x, y = at[0] + board.corner[0], at[1] + board.corner[1]
    if board.space == "free":
        return f"{round(x, 1):g} {round(y, 1):g}"
    return f"{column_letters(int(x))}{int(y) + 1}"


def row_length(board: Board, row: int) -> int:
    """Return the number of cells in a row."""
    return board.columns - (1 if board.short_rows and row % 2 else 0)


def group_by_place(
    board: Board, units: Mapping[str, str], pieces_by_side: Mapping[str, Sequence[str]], things: Collection[str] = ()
) -> Board:
    """Return the board with the single figures of each unit as one piece, in their middle.

    `units` are unit names by id. Fallen figures are neither counted nor drawn; of the objects on the ground only
    `things` are drawn. A unit that has a piece already stays as it is. `pieces_by_side` are the ids of all pieces
    (`Display.pieces`). Labels follow their order, so that a unit keeps its label all game.
    """
    own_pieces = {piece.id for piece in board.pieces}
    figures: dict[str, list[BoardPiece]] = {}
    for piece in board.pieces:
        if piece.look.unit in units and piece.look.unit not in own_pieces:
            figures.setdefault(piece.look.unit, []).append(piece)
    unit_of_figure = {piece.id: unit for unit, own in figures.items() for piece in own}
    grouped = []
    for unit, own in figures.items():
        standing = [piece for piece in own if piece.symbol != _FALLEN]
        if standing:
            x, y = _middle(standing)
            symbol = own[0].symbol if len(standing) == 1 else ""
            grouped.append(BoardPiece(unit, own[0].side, symbol, f"{units[unit]} ({len(standing)})", x, y))
    to_label = {side: [_unit_of(piece, units) for piece in pieces_by_side.get(side, ())] for side in board.sides}
    present = [(piece.id, piece.side) for piece in board.pieces]
    for piece_id, side in (*present, *((piece.id, piece.side) for piece in board.awaited)):
        if side in to_label:
            to_label[side].append(unit_of_figure.get(piece_id, piece_id))
    ungrouped = [
        piece
        for piece in board.pieces
        if piece.id not in unit_of_figure and (piece.look.kind != "thing" or piece.id in things)
    ]
    labels = assign_labels({side: list(dict.fromkeys(ids)) for side, ids in to_label.items()})
    return replace(board, pieces=(*ungrouped, *grouped), labels=labels)


def _unit_of(piece: str, units: Mapping[str, str]) -> str:
    """Return the unit of a single figure, by the figure's id; any other piece is its own unit."""
    unit = piece
    while unit not in units and (shorter := unit.rpartition(".")[0]):
        unit = shorter
    return unit if unit in units else piece


def part_around(board: Board, at: tuple[float, float], reach: float) -> Board:
    """Return the part of a board within `reach` of a point in each direction.

    Its coordinates start at the corner of that part; `Board.corner` keeps the names of its columns and rows.
    """
    west, south = max(0, int(at[0] - reach)), max(0, int(at[1] - reach))
    if board.space == "hexes":
        south -= south % 2  # rows shifted by half a hex must stay odd
    east, north = min(board.columns, int(at[0] + reach) + 1), min(board.rows, int(at[1] + reach) + 1)
    if board.space == "free":
        title = f"x {west} to {east - 1}, y {south} to {north - 1} ({board.length})"
    else:
        title = f"from {place_name(board, (west, south))} to {place_name(board, (east - 1, north - 1))}"
    return replace(
        board,
        columns=east - west,
        rows=north - south,
        headline=title,
        cells=tuple(_moved_to_corner(board.cells, west, south, east, north)),
        pieces=tuple(_moved_to_corner(board.pieces, west, south, east, north)),
        awaited=(),
        short_rows=board.short_rows and east == board.columns,
        corner=(west, south),
    )


def _moved_to_corner(
    entries: Sequence[PieceOrCell], west: int, south: int, east: int, north: int
) -> Iterator[PieceOrCell]:
    """Yield the pieces or cells inside a rectangle, with coordinates that start at its corner."""
    for entry in entries:
        if west <= entry.x < east and south <= entry.y < north:
            yield replace(entry, x=entry.x - west, y=entry.y - south)


def _middle(pieces: Sequence[BoardPiece]) -> tuple[float, float]:
    return total([piece.x for piece in pieces]) / len(pieces), total([piece.y for piece in pieces]) / len(pieces)


def describe_position(board: Board) -> dict[str, tuple[float, float]]:
    """Return the position of every piece by id, and of every unit of single figures (the mean of its figures)."""
    pieces_by_id: dict[str, list[BoardPiece]] = {}
    for piece in board.pieces:
        pieces_by_id.setdefault(piece.id, []).append(piece)
    units_with_own_piece = set(pieces_by_id)
    for piece in board.pieces:
        if piece.look.unit and piece.look.unit not in units_with_own_piece:
            pieces_by_id.setdefault(piece.look.unit, []).append(piece)
    return {name: _middle(pieces) for name, pieces in pieces_by_id.items()}
