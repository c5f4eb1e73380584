"""Zones and cells of the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from zareba.base.exact import cosd, dist, sind
from zareba.picture.label_placement import LabelPlacement, Spot, draw_name
from zareba.picture.svg import SvgCanvas, group, number, tooltip
from zareba.picture.terrain import clip_path_id
from zareba.presentation.board import Board, BoardCell
from zareba.presentation.umpire_editor import PieceRange
from zareba.scenario import Scenario
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point, bounds
from zareba.space.grid.cells import CellGrid

# --- Boxes and hexes drawn over the terrain, each with its ground, its name and its level -----------------------------


def grid_of(board: Board) -> CellGrid:
    """Return the grid of a board (cached)."""
    return _grid(board.space, board.columns, board.rows, board.short_rows)


@lru_cache(maxsize=16)
def _grid(space: str, columns: int, rows: int, short_rows: bool) -> CellGrid:
    return HexGrid(columns, rows, short_rows=short_rows) if space == "hexes" else BoxGrid(columns, rows)


def on_table(board: Board, point: Point) -> Point:
    """Return a point of the board, in its unit of length, in inches on the scenario's table."""
    return board.origin[0] + point[0] * board.inches, board.origin[1] + point[1] * board.inches


def cell_middle(board: Board, column: int, row: int) -> Point:
    """Return the middle of a cell, in inches on the table."""
    grid = grid_of(board)
    return on_table(board, grid.centre(row * board.columns + column))


def cell_outline(board: Board, cell: int) -> list[Point]:
    """Return the corners of the cell with this number, in inches on the table."""
    grid = grid_of(board)
    return [on_table(board, point) for point in grid.outline(cell)]


def place_at(board: Board, point: Point) -> Point:
    """Return the board place of a point of the scenario's table, in inches.

    On a grid it is the nearest cell, on a free table the point in the board's unit of length.
    """
    if board.space == "free":
        return (point[0] - board.origin[0]) / board.inches, (point[1] - board.origin[1]) / board.inches
    grid = grid_of(board)
    cells = sorted(map(grid.column_row, grid.cells))
    return min(cells, key=lambda cell: dist(cell_middle(board, *cell), point))


def draw_cells(board: Board, canvas: SvgCanvas, size: float, room: LabelPlacement) -> str:
    """Return every cell with its ground, level and name. The page addresses cells by their number."""
    grid = grid_of(board)
    cells = {(cell.x, cell.y): cell for cell in board.cells}
    drawn = []
    for number_ in grid.cells:
        column, row = number_ % board.columns, number_ // board.columns
        outline = cell_outline(board, number_)
        drawn.append(_cell(number_, grid.label(number_), cells.get((column, row)), outline, canvas, size, room))
    return group(f"cells {board.space}", drawn)


def _cell(
    place: int,
    label: str,
    cell: BoardCell | None,
    outline: Sequence[Point],
    canvas: SvgCanvas,
    size: float,
    room: LabelPlacement,
) -> str:
    tints = dict.fromkeys(cell.tints) if cell else {}
    words = f"{label}: {cell.text or 'open'}" if cell else f"{label}: open"
    if cell and cell.level:
        words += f", level {cell.level}"
    shown = f"{label} · {_height(cell.level)}" if cell and cell.level else label
    parts = [
        tooltip(words),
        *(canvas.shape(f"tint {tint}", outline, closed=True) for tint in tints),
        canvas.shape("rim", outline, closed=True),
        draw_name(shown, "cell-name", list(_corners(outline)), canvas, size, room),
    ]
    return group("cell", parts, f' data-cell="{place}"')


def _height(level: int) -> str:
    """Return the words for the height of a cell above open ground, level 0."""
    return "high ground" if level == 1 else f"high ground, level {level}"


def _corners(outline: Sequence[Point]) -> Iterator[Spot]:
    """Yield where the name of a cell may be: in the corners of a box, or in the lower and upper part of a hex."""
    west, south, east, north = bounds(outline)
    if len(outline) == 4:
        rim = 0.1
        yield from (Spot(west + rim, north - rim, "se"), Spot(east - rim, north - rim, "sw"))
        yield from (Spot(west + rim, south + rim, "ne"), Spot(east - rim, south + rim, "nw"))
        return
    middle, slope = (west + east) / 2, (north - south) * 0.13  # above the corner, where a hex is too narrow for a name
    yield from (Spot(middle, south + slope, "n"), Spot(middle, north - slope, "s"))


# --- Overlays of the map: range of fire or command, as far as the piece can see, and legal destinations ---------------


_RAYS = 60
"""The number of bearings in which the visible distance is measured."""
_SQUARES = 48
"""The number of squares along the longer side of a free table that are tested as destinations."""
_POINTS_PER_RAY = 16
"""The number of points tested along each bearing, up to the end of the last band."""


def legal_zone(board: Board, scenario: Scenario, legal: Callable[[Point], object]) -> str:
    """Return the legal area of a free table as path data: all squares for whose middles `legal` returns None.

    Returns "" if every square is legal, or none, because no overlay is needed.
    """
    side = max(board.columns, board.rows) / _SQUARES
    across, along = round(board.columns / side), round(board.rows / side)
    drawn, count = [], 0
    for row in range(along):
        start = None
        for column in range(across + 1):
            free = column < across and legal(((column + 0.5) * side, (row + 0.5) * side)) is None
            count += free
            if free and start is None:
                start = column
            elif not free and start is not None:
                x, y = start * side * board.inches, scenario.table.depth - (row + 1) * side * board.inches
                wide, deep = number((column - start) * side * board.inches), number(side * board.inches)
                drawn.append(f"M{number(x)} {number(y)}h{wide}v{deep}h-{wide}z")
                start = None
    return "".join(drawn) if count < across * along else ""


class _Part(NamedTuple):
    """The area of one band of one range, with its description; the nearest band is 0."""

    place: int
    path: str
    words: str


def zones(scenario: Scenario, board: Board, reaches: Iterable[tuple[str, PieceRange]], kind: str) -> str:
    """Return an overlay of some ranges, each with a description, in one colour: `kind` is fire, command or danger.

    Overlapping ranges are drawn no darker than a single one. Nearer bands are on top of those further away.
    """
    canvas = SvgCanvas(scenario.table.depth)
    draw = _bands if board.space == "free" else _cells
    parts = [part for words, reach in reaches for part in draw(board, canvas, words, reach)]
    layers = [
        group(
            f"band band-{min(place, 2)}",
            [f'<path d="{part.path}">{tooltip(part.words)}</path>' for part in parts if part.place == place],
        )
        for place in sorted({part.place for part in parts}, reverse=True)
    ]
    cut = f' clip-path="url(#{clip_path_id(scenario)})"' if board.space == "free" else ""
    return group(f"overlay {kind}", layers, cut)


def _cells(board: Board, canvas: SvgCanvas, words: str, reach: PieceRange) -> Iterator[_Part]:
    for index, (band, cells) in enumerate(reach.cells.items()):
        path = "".join(canvas.path(cell_outline(board, cell), closed=True) for cell in cells)
        if path:
            yield _Part(index, path, _title(words, reach, band))


def _bands(board: Board, canvas: SvgCanvas, words: str, reach: PieceRange) -> Iterator[_Part]:
    rays = list(_rays(reach))
    x, y = reach.at
    for index, (band, limit) in enumerate(reach.bands):
        rim = [(x + sind(bearing) * min(limit, far), y + cosd(bearing) * min(limit, far)) for bearing, far in rays]
        if reach.half < 180:
            rim.append((x, y))
        yield _Part(
            index, canvas.path([on_table(board, point) for point in rim], closed=True), _title(words, reach, band)
        )


def _title(words: str, reach: PieceRange, band: str) -> str:
    return f"{words}: {reach.words}{f', {band}' if band else ''} ({reach.rule})"


def _rays(reach: PieceRange) -> Iterator[tuple[float, float]]:
    """Yield bearings, each with the visible distance in that direction."""
    most = reach.bands[-1][1] if reach.bands else 0.0
    all_round = reach.half >= 180
    x, y = reach.at
    for ray in range(_RAYS if all_round else _RAYS + 1):
        bearing = 360 * ray / _RAYS if all_round else reach.facing - reach.half + 2 * reach.half * ray / _RAYS
        across, along = sind(bearing), cosd(bearing)
        far = most
        if reach.sees is not None:
            for step in range(1, _POINTS_PER_RAY + 1):
                length = most * step / _POINTS_PER_RAY
                if not reach.sees((x + across * length, y + along * length)):
                    far = most * (step - 1) / _POINTS_PER_RAY
                    break
        yield bearing, far
