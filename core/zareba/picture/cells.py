"""Boxes and hexes laid over the ground: what each counts as, its name, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from zareba.base.exact import dist
from zareba.people.board import Board, Cell
from zareba.picture.svg import Sheet, group, number, said, text
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point
from zareba.space.grid.cells import CellGrid

__all__ = ["cell_middle", "cell_outline", "draw_cells", "grid_of", "place_at"]


def grid_of(board: Board) -> CellGrid:
    """The grid of a board, made once."""
    return _grid(board.space, board.columns, board.rows, board.short_rows)


@lru_cache(maxsize=16)
def _grid(space: str, columns: int, rows: int, short_rows: bool) -> CellGrid:
    return HexGrid(columns, rows, short_rows=short_rows) if space == "hexes" else BoxGrid(columns, rows)


def _on_table(board: Board, point: Point) -> Point:
    return board.origin[0] + point[0] * board.inches, board.origin[1] + point[1] * board.inches


def cell_middle(board: Board, column: int, row: int) -> Point:
    """The middle of a cell, in inches on the table."""
    grid = grid_of(board)
    return _on_table(board, grid.centre(row * board.columns + column))


def cell_outline(board: Board, cell: int) -> list[Point]:
    """The corners of the cell of a number, in inches on the table."""
    grid = grid_of(board)
    return [_on_table(board, point) for point in grid.outline(cell)]


def place_at(board: Board, point: Point) -> Point:
    """A point of the scenario's table, in inches, as a place of the board: the nearest cell, or the point in its length."""
    if board.space == "free":
        return (point[0] - board.origin[0]) / board.inches, (point[1] - board.origin[1]) / board.inches
    grid = grid_of(board)
    cells = sorted(map(grid.column_row, grid.cells))
    return min(cells, key=lambda cell: dist(cell_middle(board, *cell), point))


def draw_cells(board: Board, sheet: Sheet, size: float) -> str:
    """Every cell with its ground, its level and its name; each can be pointed at by its number."""
    grid = grid_of(board)
    told = {(cell.x, cell.y): cell for cell in board.cells}
    drawn = []
    for number_ in grid.cells:
        column, row = number_ % board.columns, number_ // board.columns
        outline = cell_outline(board, number_)
        drawn.append(_cell(number_, grid.label(number_), told.get((column, row)), outline, sheet, size))
    return group(f"cells {board.space}", drawn)


def _cell(place: int, label: str, cell: Cell | None, outline: Sequence[Point], sheet: Sheet, size: float) -> str:
    tints = dict.fromkeys(cell.tints) if cell else {}
    words = f"{label}: {cell.text or 'open'}" if cell else f"{label}: open"
    if cell and cell.level:
        words += f", level {cell.level}"
    shown = f"{label} · level {cell.level}" if cell and cell.level else label
    west, top = min(px for px, _ in outline), max(py for _, py in outline)
    corner = any(
        px - west < 0.01 and top - py < 0.01 for px, py in outline
    )  # a box has room in its corner, a hex below its tip
    x = west + size * 0.25 if corner else sum(px for px, _ in outline) / len(outline)
    y = sheet.depth - top + size * (0.85 if corner else 1.25)
    parts = [
        said(words),
        *(sheet.shape(f"tint {tint}", outline, closed=True) for tint in tints),
        sheet.shape("rim", outline, closed=True),
        text(number(x), number(y), size * 0.7, shown, f"cell-name{' corner' if corner else ''}"),
    ]
    return group("cell", parts, f' data-cell="{place}"')
