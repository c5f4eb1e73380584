"""Boxes and hexes drawn over the terrain, each with its ground, its name and its level."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from zareba.base.exact import dist
from zareba.picture.svg import SvgCanvas, escape_text, group, number, text
from zareba.presentation.board import Board, BoardCell
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point
from zareba.space.grid.cells import CellGrid

__all__ = ["cell_middle", "cell_outline", "draw_cells", "grid_of", "place_at"]


def grid_of(board: Board) -> CellGrid:
    """Return the grid of a board (cached)."""
    return _grid(board.space, board.columns, board.rows, board.short_rows)


@lru_cache(maxsize=16)
def _grid(space: str, columns: int, rows: int, short_rows: bool) -> CellGrid:
    return HexGrid(columns, rows, short_rows=short_rows) if space == "hexes" else BoxGrid(columns, rows)


def _on_table(board: Board, point: Point) -> Point:
    return board.origin[0] + point[0] * board.inches, board.origin[1] + point[1] * board.inches


def cell_middle(board: Board, column: int, row: int) -> Point:
    """Return the middle of a cell, in inches on the table."""
    grid = grid_of(board)
    return _on_table(board, grid.centre(row * board.columns + column))


def cell_outline(board: Board, cell: int) -> list[Point]:
    """Return the corners of the cell with this number, in inches on the table."""
    grid = grid_of(board)
    return [_on_table(board, point) for point in grid.outline(cell)]


def place_at(board: Board, point: Point) -> Point:
    """Return the board place of a point of the scenario's table, in inches.

    On a grid it is the nearest cell, on a free table the point in the board's unit of length.
    """
    if board.space == "free":
        return (point[0] - board.origin[0]) / board.inches, (point[1] - board.origin[1]) / board.inches
    grid = grid_of(board)
    cells = sorted(map(grid.column_row, grid.cells))
    return min(cells, key=lambda cell: dist(cell_middle(board, *cell), point))


def draw_cells(board: Board, sheet: SvgCanvas, size: float) -> str:
    """Return every cell with its ground, level and name. The page addresses cells by their number."""
    grid = grid_of(board)
    told = {(cell.x, cell.y): cell for cell in board.cells}
    drawn = []
    for number_ in grid.cells:
        column, row = number_ % board.columns, number_ // board.columns
        outline = cell_outline(board, number_)
        drawn.append(_cell(number_, grid.label(number_), told.get((column, row)), outline, sheet, size))
    return group(f"cells {board.space}", drawn)


def _cell(
    place: int, label: str, cell: BoardCell | None, outline: Sequence[Point], sheet: SvgCanvas, size: float
) -> str:
    tints = dict.fromkeys(cell.tints) if cell else {}
    words = f"{label}: {cell.text or 'open'}" if cell else f"{label}: open"
    if cell and cell.level:
        words += f", level {cell.level}"
    shown = f"{label} · level {cell.level}" if cell and cell.level else label
    west, top = min(px for px, _ in outline), max(py for _, py in outline)
    corner = any(
        px - west < 0.01 and top - py < 0.01 for px, py in outline
    )  # the name fits in the corner of a box, or below the top corner of a hex
    x = west + size * 0.25 if corner else sum(px for px, _ in outline) / len(outline)
    y = sheet.depth - top + size * (0.85 if corner else 1.25)
    parts = [
        escape_text(words),
        *(sheet.shape(f"tint {tint}", outline, closed=True) for tint in tints),
        sheet.shape("rim", outline, closed=True),
        text(number(x), number(y), size * 0.7, shown, f"cell-name{' corner' if corner else ''}"),
    ]
    return group("cell", parts, f' data-cell="{place}"')
