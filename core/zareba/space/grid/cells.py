"""The base class of grids of boxes and grids of hexes.

A cell is a number: `row * columns + column`, column 0 in the west, row 0 in the south. Directions are numbers as well,
clockwise from 0. Lengths in `centre`, `outline` and `extent` count the distance from the middle of one cell to the
middle of the next as 1, from the south-west corner of the table.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from math import floor
from typing import ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.space.geometry import Bounds, Point
from zareba.space.grid.routes import Cost, Number, find_path, find_reachable
from zareba.space.lazy import Lazy
from zareba.space.outlines import Edge, distances_to_edges

_LABEL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,3})")


class CellGrid(ABC):
    """A table of columns and rows of cells.

    `cells` are the numbers of all its cells, each below `size`. Answers that games ask for again and again are kept, so
    share one grid among all games on its table.
    """

    __slots__ = ("_around", "_column_row", "_labels", "_neighbours", "cells", "columns", "rows", "size")

    cell_name: ClassVar[str]

    def __init__(self, columns: int, rows: int) -> None:
        if columns < 1 or rows < 1:
            raise ZarebaError(f"a table needs at least one column and one row, not {columns} x {rows}")
        self.columns = columns
        self.rows = rows
        self.size = columns * rows
        self.cells = tuple(range(self.size))
        self._column_row = tuple((column, row) for row in range(rows) for column in range(columns))
        self._labels: Lazy[int, str] = Lazy(self._name)
        self._around: Lazy[int, tuple[int | None, ...]] = Lazy(self._look_around)
        self._neighbours: Lazy[int, tuple[int, ...]] = Lazy(
            lambda cell: tuple(near for near in self._around[cell] if near is not None)
        )

    @abstractmethod
    def _key(self) -> tuple[int, ...]:
        """Return the arguments that construct this grid again."""

    @abstractmethod
    def _look_around(self, cell: int) -> tuple[int | None, ...]:
        """Return the neighbours of a cell by direction, None off the table."""

    @property
    @abstractmethod
    def extent(self) -> Point:
        """Width and depth of the table."""

    @abstractmethod
    def centre(self, cell: int) -> Point:
        """Return the middle of a cell."""

    @abstractmethod
    def outline(self, cell: int) -> tuple[Point, ...]:
        """Return the corners of a cell, in order around it."""

    @property
    @abstractmethod
    def pitch(self) -> Point:
        """The distance from column to column and from row to row."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CellGrid):
            return NotImplemented
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._key()}"

    def __reduce__(self) -> tuple[type[CellGrid], tuple[int, ...]]:
        return type(self), self._key()

    def column_row(self, cell: int) -> tuple[int, int]:
        """Return column and row of a cell, both from 0."""
        return self._column_row[cell]

    def at(self, column: int, row: int) -> int | None:
        """Return the cell at a column and row, or None off the table."""
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return row * self.columns + column
        return None

    def label(self, cell: int) -> str:
        """Return the display name of a cell: column letters A to Z, AA and so on from the west, rows from 1."""
        return self._labels[cell]

    def _name(self, cell: int) -> str:
        column, row = self._column_row[cell]
        letters = ""
        column += 1
        while column:
            column, letter = divmod(column - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{letters}{row + 1}"

    def parse(self, label: str) -> int:
        """Return the cell with a display name; lower case is accepted.

        Raises ZarebaError if the table has no such cell.
        """
        match = _LABEL.fullmatch(label.strip().upper())
        if match:
            column = 0
            for letter in match[1]:
                column = column * 26 + ord(letter) - ord("A") + 1
            cell = self.at(column - 1, int(match[2]) - 1)
            if cell is not None:
                return cell
        last = self.label(self.cells[-1])
        raise ZarebaError(f"the table has no {self.cell_name} '{label}'; it runs from A1 to {last}")

    def around(self, cell: int) -> tuple[int | None, ...]:
        """Return the neighbours of a cell, by direction; None off the table."""
        return self._around[cell]

    def neighbour(self, cell: int, direction: int) -> int | None:
        """Return the next cell in a direction, or None off the table."""
        return self._around[cell][direction]

    def cells_near(self, box: Bounds) -> tuple[int, ...]:
        """Return the cells that a box may touch, by number: all that do, and a few around them."""
        across, along = self.pitch
        west, south, east, north = box
        columns = range(max(0, floor(west / across) - 1), min(self.columns, floor(east / across) + 2))
        rows = range(max(0, floor(south / along) - 1), min(self.rows, floor(north / along) + 2))
        return tuple(row * self.columns + column for row in rows for column in columns)

    def edge_row(self, edge: Edge) -> tuple[int, ...]:
        """Return the outermost row or column along an edge of the table, from the west or from the south."""
        if edge in ("north", "south"):
            row = 0 if edge == "south" else self.rows - 1
            return tuple(range(row * self.columns, (row + 1) * self.columns))
        column = 0 if edge == "west" else self.columns - 1
        return tuple(range(column, self.size, self.columns))

    def distance_to_edge(self, cell: int, edge: str) -> float:
        """Return the distance of the middle of a cell from an edge of the table, at right angles to the edge.

        Cells at the same distance get exactly equal numbers.
        """
        return distances_to_edges(self.centre(cell), self.extent)[edge]

    def from_middle(self, cell: int) -> tuple[float, float]:
        """Return the distances of a cell from the middle of the table, and from the middle line from west to east.

        Mirrored cells, and no others, have exactly the same numbers.
        """
        (x, y), (width, depth) = self.centre(cell), self.extent
        return round(dist((x, y), (width / 2, depth / 2)), 6), round(abs(y - depth / 2), 6)

    def reachable(self, start: int, budget: Number, cost: Cost) -> dict[int, Number]:
        """Return the cells within a budget of steps and the lowest cost of each; see `zareba.space.grid.routes`."""
        return find_reachable(self.around, start, budget, cost)

    def path(self, start: int, goal: int, budget: Number, cost: Cost) -> tuple[int, ...] | None:
        """Return a cheapest path within a budget, both ends included, or None; see `zareba.space.grid.routes`."""
        return find_path(self.around, start, goal, budget, cost)
