"""The unit squares of a table that contain shapes of some kind. Most paths and lines of sight meet none of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from zareba.space.geometry import Bounds, Point
from zareba.space.outlines import TerrainArea, TerrainLine

__all__ = ["GridIndex"]

MARGIN = 1e-6


class GridIndex:
    """A table in squares of one unit, with running sums that answer for any rectangle at once.

    A square is occupied if one of the shapes touches it.
    """

    __slots__ = ("_columns", "_rows", "_sums")

    def __init__(self, width: float, depth: float, shapes: Sequence[TerrainArea | TerrainLine]) -> None:
        self._columns, self._rows = ceil(width) + 1, ceil(depth) + 1
        self._sums: list[list[int]] = []
        if shapes:
            self._count(shapes)

    def is_open(self, west: float, south: float, east: float, north: float) -> bool:
        """Return True if nothing touches a rectangle.

        False for one that extends beyond the table, where nothing is known, unless there are no shapes.
        """
        sums = self._sums
        if west < 0 or south < 0 or east >= self._columns or north >= self._rows:
            return not sums
        if not sums:
            return True
        left, right = int(west), int(east) + 1
        below, above = sums[int(south)], sums[int(north) + 1]
        return above[right] - above[left] == below[right] - below[left]

    def _count(self, shapes: Sequence[TerrainArea | TerrainLine]) -> None:
        marked = [[0] * self._columns for _ in range(self._rows)]
        for shape in shapes:
            for a, b in shape.legs:
                self._mark_line(marked, a, b)
            if isinstance(shape, TerrainLine):
                continue
            for row, column in self._squares(shape.box):
                if not marked[row][column] and shape.holds((column + 0.5, row + 0.5)):
                    marked[row][column] = 1
        above = [0] * (self._columns + 1)
        self._sums = [above]
        for squares in marked:
            total, sums = 0, [0]
            for column, square in enumerate(squares):
                total += square
                sums.append(above[column + 1] + total)
            self._sums.append(sums)
            above = sums

    def _squares(self, box: Bounds) -> list[tuple[int, int]]:
        """Return row and column of the squares that a box touches."""
        columns = range(max(0, floor(box[0] - MARGIN)), min(self._columns, floor(box[2] + MARGIN) + 1))
        rows = range(max(0, floor(box[1] - MARGIN)), min(self._rows, floor(box[3] + MARGIN) + 1))
        return [(row, column) for row in rows for column in columns]

    def _mark_line(self, marked: list[list[int]], a: Point, b: Point) -> None:
        (ax, ay), (bx, by) = a, b
        box = (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        dx, dy = bx - ax, by - ay
        half = (abs(dx) + abs(dy)) * (0.5 + MARGIN) + MARGIN
        for row, column in self._squares(box):
            # A square that touches the line's box meets the line if its middle is close enough to the line.
            if abs(dx * (row + 0.5 - ay) - dy * (column + 0.5 - ax)) <= half:
                marked[row][column] = 1
