"""A table of hexes.

Hexes have a corner at the top ("pointy top") and form rows from west to east, odd rows shifted half a hex to the east.
With `flat_top` they have a side at the top and form columns from south to north, odd columns shifted half a hex to the
north. A hex is a number, `row * columns + column`. A direction is a number too: 0 to 5 clockwise, named in `compass`.
With `short_rows` the shifted rows have one hex less; with an odd number of rows such a table is symmetrical in both
directions. The numbers of the missing hexes are not used.

Tests of a line against a hex use whole numbers on a stretched copy of the table, where the middle of a hex (pointy
top) is at x = 2 column + (1 in an odd row), y = 3 row. Straight lines stay straight there.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import TypeAlias

from zareba.space.geometry import Bounds, Point
from zareba.space.grid.cells import CellGrid
from zareba.space.lazy import Lazy
from zareba.space.outlines import Edge

POINTY_COMPASS = ("NE", "E", "SE", "SW", "W", "NW")
FLAT_COMPASS = ("N", "NE", "SE", "S", "SW", "NW")

EdgeRun: TypeAlias = tuple[int | None, int | None]
"""The hexes to the left and right of a hex side along which a line runs; None beyond the rim."""

# Axial steps clockwise: (along the row, rows up) with pointy tops; the axes are swapped with flat tops.
_POINTY_STEPS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
_FLAT_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_CORNERS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
_ROW_PITCH = sqrt(3) / 2
_CORNER_REACH = 1 / sqrt(3)


def _dot(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Return twice the scalar product of two axial vectors, with neighbours at distance 1."""
    return 2 * a[0] * b[0] + 2 * a[1] * b[1] + a[0] * b[1] + a[1] * b[0]


class HexGrid(CellGrid):
    """A grid of hexes with all measurements on it. Lengths are in hexes."""

    __slots__ = (
        "_axial",
        "_by_axial",
        "_clockwise",
        "_directions",
        "_lines",
        "_present",
        "_steps",
        "compass",
        "flat_top",
        "short_rows",
    )

    cell_name = "hex"

    def __init__(self, columns: int, rows: int, flat_top: bool = False, short_rows: bool = False) -> None:
        super().__init__(columns, rows)
        self.flat_top = bool(flat_top)
        self.short_rows = bool(short_rows)
        self.compass = FLAT_COMPASS if flat_top else POINTY_COMPASS
        self._steps = _FLAT_STEPS if flat_top else _POINTY_STEPS
        # Swapping the axes makes a mirror image, in which left and right change places.
        self._clockwise = -1 if flat_top else 1
        # (place in its row, row), with flat top (place in its column, column)
        lanes = [(row, column) if flat_top else (column, row) for column, row in self._column_row]
        self._axial = tuple((place - lane // 2, lane) for place, lane in lanes)
        if self.short_rows:
            last = (rows if flat_top else columns) - 1
            self.cells = tuple(cell for cell, (place, lane) in enumerate(lanes) if place < last or lane % 2 == 0)
        self._present = frozenset(self.cells)
        self._by_axial = {self._axial[cell]: cell for cell in self.cells}
        self._directions: Lazy[tuple[int, int], int] = Lazy(self._aim)
        self._lines: Lazy[tuple[int, int], tuple[tuple[int, ...], tuple[EdgeRun, ...]]] = Lazy(self._trace)

    def _key(self) -> tuple[int, ...]:
        return self.columns, self.rows, int(self.flat_top), *([1] if self.short_rows else [])

    def _look_around(self, cell: int) -> tuple[int | None, ...]:
        along, lane = self._axial[cell]
        return tuple(self._by_axial.get((along + step, lane + up)) for step, up in self._steps)

    # Places

    def at(self, column: int, row: int) -> int | None:
        """The hex at a column and row, or None off the table."""
        cell = super().at(column, row)
        return cell if cell in self._present else None

    def cells_near(self, box: Bounds) -> tuple[int, ...]:
        """The hexes that an upright rectangle may touch: all that do and a few round them, by number."""
        return tuple(cell for cell in super().cells_near(box) if cell in self._present)

    def edge_row(self, edge: Edge) -> tuple[int, ...]:
        """The outermost row or column along an edge; a short row ends with the hex before the missing one."""
        far, back = ("north", self.columns) if self.flat_top else ("east", 1)
        cells = super().edge_row(edge)
        if edge == far:
            return tuple(cell if cell in self._present else cell - back for cell in cells)
        return tuple(cell for cell in cells if cell in self._present)

    def axial(self, cell: int) -> tuple[int, int]:
        """Return the axial coordinates of a hex: steps along its row and rows up (with flat top, columns).

        They add like vectors: the order in which two differences are added does not matter.
        """
        return self._axial[cell]

    @property
    def extent(self) -> Point:
        """Width and depth of the smallest rectangle around all hexes."""
        places, lanes = (self.rows, self.columns) if self.flat_top else (self.columns, self.rows)
        along = places + (0.5 if lanes > 1 and not self.short_rows else 0.0)
        across = (lanes - 1) * _ROW_PITCH + 2 * _CORNER_REACH
        return (across, along) if self.flat_top else (along, across)

    @property
    def pitch(self) -> Point:
        """The distance from column to column and from row to row: 1 along the rows, about 0.866 across them."""
        return (_ROW_PITCH, 1) if self.flat_top else (1, _ROW_PITCH)

    def centre(self, cell: int) -> Point:
        """Return the middle of a hex."""
        return self._plane(*self._stretched(cell))

    def outline(self, cell: int) -> tuple[Point, ...]:
        """Return the six corners of a hex, in order around it."""
        x, y = self._stretched(cell)
        return tuple(self._plane(x + dx, y + dy) for dx, dy in _CORNERS)

    def _stretched(self, cell: int) -> tuple[int, int]:
        along, lane = self._axial[cell]
        return 2 * along + lane, 3 * lane

    def _plane(self, x: int, y: int) -> Point:
        along, across = (x + 1) / 2, y * _ROW_PITCH / 3 + _CORNER_REACH
        return (across, along) if self.flat_top else (along, across)

    # Neighbours, distance, direction

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the hexes that share a side with a hex, clockwise from direction 0."""
        return self._neighbours[cell]

    def distance(self, a: int, b: int) -> int:
        """Return the smallest number of steps from hex to hex."""
        (a_along, a_lane), (b_along, b_lane) = self._axial[a], self._axial[b]
        along, lane = b_along - a_along, b_lane - a_lane
        return max(abs(along), abs(lane), abs(along + lane))

    def ring(self, centre: int, radius: int) -> tuple[int, ...]:
        """Return the hexes of the table exactly `radius` steps away, clockwise; radius 0 is the hex itself."""
        if radius == 0:
            return (centre,)
        along, lane = self._axial[centre]
        along, lane = along + radius * self._steps[0][0], lane + radius * self._steps[0][1]
        cells: list[int] = []
        for turn in range(6):
            step, up = self._steps[(turn + 2) % 6]
            for _ in range(radius):
                cell = self._by_axial.get((along, lane))
                if cell is not None:
                    cells.append(cell)
                along, lane = along + step, lane + up
        return tuple(cells)

    def direction(self, a: int, b: int) -> int:
        """Return the direction nearest to the line from a to b; exactly between two, the clockwise one.

        Raises ValueError if a is b.
        """
        return self._directions[a, b]

    def _aim(self, key: tuple[int, int]) -> int:
        a, b = self._axial[key[0]], self._axial[key[1]]
        if a == b:
            raise ValueError("a hex has no direction to itself")
        line = (b[0] - a[0], b[1] - a[1])
        alike = [_dot(line, step) for step in self._steps]
        best = alike.index(max(alike))
        following = (best + 1) % 6
        # `index` returns the first of two equals: the anticlockwise one, unless they are 0 and 5.
        return following if alike[following] == alike[best] else best

    def in_arc(self, facing: int, a: int, b: int) -> bool:
        """Return True if b is within 60 degrees of the facing of hex a to either side, both limits included.

        The limits run through the middles of the two hexes next to the faced one. Hex a is in its own arc.
        """
        (a_along, a_lane), (b_along, b_lane) = self._axial[a], self._axial[b]
        along, lane = b_along - a_along, b_lane - a_lane
        left, right = self._steps[facing - 1], self._steps[(facing + 1) % 6]
        return (
            self._clockwise * (left[0] * lane - left[1] * along) <= 0
            and self._clockwise * (right[0] * lane - right[1] * along) >= 0
        )

    # Hexes and sides on a line

    def crossed(self, a: int, b: int) -> tuple[int, ...]:
        """Return the hexes whose inside the line between two middles crosses, from a to b, without a and b.

        A hex touched only at a corner or along a side is not crossed; see `edge_runs` for sides.
        """
        return self._lines[a, b][0]

    def edge_runs(self, a: int, b: int) -> tuple[EdgeRun, ...]:
        """Return the hexes to the (left, right) of each hex side along which the line from a to b runs, in order."""
        return self._lines[a, b][1]

    def sees(self, a: int, b: int, blocks: Callable[[int], bool]) -> bool:
        """Return True if no crossed hex blocks, and no two hexes both block on a side along which the line runs.

        The two ends never block, and neither does the space beyond the rim.
        """
        crossed, runs = self._lines[a, b]
        if any(blocks(cell) for cell in crossed):
            return False
        return not any(
            left is not None and right is not None and blocks(left) and blocks(right) for left, right in runs
        )

    def _trace(self, key: tuple[int, int]) -> tuple[tuple[int, ...], tuple[EdgeRun, ...]]:
        a, b = key
        start, end = self._axial[a], self._axial[b]
        line = (end[0] - start[0], end[1] - start[1])
        run, rise = 2 * line[0] + line[1], 3 * line[1]
        crossed: list[tuple[int, tuple[int, int]]] = []
        sides: list[tuple[int, tuple[int, int], tuple[int, int]]] = []
        for along, lane in _near_line(line):
            x, y = 2 * along + lane, 3 * lane
            # Positive if a corner is to the left of the line.
            turns = [run * (y + dy) - rise * (x + dx) for dx, dy in _CORNERS]
            if min(turns) < 0 < max(turns):
                crossed.append((_dot((along, lane), line), (along, lane)))
            elif max(turns) > 0:
                for corner in range(6):
                    if turns[corner] == turns[corner - 1] == 0:
                        step = _POINTY_STEPS[corner - 1]
                        across = (along + step[0], lane + step[1])
                        sides.append((_dot((along, lane), line), (along, lane), across))

        def cell(place: tuple[int, int]) -> int | None:
            return self._by_axial.get((start[0] + place[0], start[1] + place[1]))

        inside = (cell(place) for _, place in sorted(crossed))
        runs = [(cell(left), cell(right)) for _, left, right in sorted(sides)]
        if self.flat_top:
            runs = [(right, left) for left, right in runs]
        return tuple(hex_ for hex_ in inside if hex_ is not None and hex_ not in key), tuple(runs)


def _near_line(line: tuple[int, int]) -> list[tuple[int, int]]:
    """Return all hexes that the line from the start may meet, as axial steps from the start."""
    along, lane = line
    if lane == 0:
        return [(step, 0) for step in range(0, along, 1 if along > 0 else -1)]
    run, rise = 2 * along + lane, 3 * lane
    steps: list[tuple[int, int]] = []
    for row in range(min(0, lane), max(0, lane) + 1):
        low = max(3 * row - 2, min(0, rise))
        high = min(3 * row + 2, max(0, rise))
        west = min(run * low // rise, run * high // rise)
        east = max(-(-run * low // rise), -(-run * high // rise))
        # The middles, x = 2 step + row, of the hexes that the line may meet in this row.
        steps += [(step, row) for step in range((west - row) // 2, (east + 1 - row) // 2 + 1)]
    return steps
