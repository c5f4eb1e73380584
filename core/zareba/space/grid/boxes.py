"""A table of square boxes.

A box is a number: `row * columns + column`, column 0 in the west, row 0 in the south. A direction is one of the eight
compass points, numbered clockwise from 0 for north. A side, the line between two boxes or at the rim of the table, is
a number as well. Lengths are in boxes. All answers are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from zareba.space.geometry import Point
from zareba.space.grid.cells import CellGrid
from zareba.space.lazy import Lazy

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
DIRECTIONS = tuple(range(8))
N, NE, E, SE, S, SW, W, NW = DIRECTIONS
_OFFSETS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def is_corner(direction: int) -> bool:
    """Return True for the four directions that point at a corner of the box: NE, SE, SW, NW."""
    return direction % 2 == 1


def opposite(direction: int) -> int:
    """Return the opposite direction."""
    return (direction + 4) % 8


def turn_direction(direction: int, eighths: int) -> int:
    """Return the direction after turning that many times 45 degrees clockwise; anticlockwise if negative."""
    return (direction + eighths) % 8


class BoxGrid(CellGrid):
    """A rectangle of boxes with all measurements on it."""

    __slots__ = (
        "_crossed",
        "_directions",
        "_distances",
        "_orthogonal",
        "_sides_crossed",
        "_sides_entered",
    )

    cell_name = "box"

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self._orthogonal: Lazy[int, tuple[int, ...]] = Lazy(
            lambda box: tuple(near for near in self._around[box][::2] if near is not None)
        )
        self._distances: Lazy[tuple[int, int, int, int], Fraction | int] = Lazy(self._measure)
        self._directions: Lazy[tuple[int, int], int] = Lazy(self._aim)
        self._crossed: Lazy[tuple[int, int], tuple[int, ...]] = Lazy(self._cross)
        self._sides_crossed: Lazy[tuple[int, int], tuple[int, ...]] = Lazy(self._cross_sides)
        self._sides_entered: Lazy[tuple[int, int], tuple[int, ...]] = Lazy(self._enter)

    def _key(self) -> tuple[int, int]:
        return self.columns, self.rows

    def centre(self, box: int) -> Point:
        """Return the middle of a box, in boxes from the south-west corner of the table."""
        column, row = self._column_row[box]
        return column + 0.5, row + 0.5

    def outline(self, box: int) -> tuple[Point, ...]:
        """Return the four corners of a box, anticlockwise from the south-west, in boxes."""
        x, y = self._column_row[box]
        return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)

    @property
    def extent(self) -> Point:
        """Width and depth of the table, in boxes."""
        return self.columns, self.rows

    @property
    def pitch(self) -> Point:
        """The distance from column to column and from row to row: 1 and 1."""
        return 1, 1

    def neighbours(self, box: int, diagonal: bool = True) -> tuple[int, ...]:
        """Return the boxes that share a side with a box, and with `diagonal` also a corner, clockwise from north."""
        return self._neighbours[box] if diagonal else self._orthogonal[box]

    def distance(self, a: int, b: int, diagonal: Fraction | int = 1) -> Fraction | int:
        """Return the distance between two boxes, where each diagonal step counts as `diagonal`.

        Exact: an int if it is whole, otherwise a Fraction. With `diagonal` from 1 to 2 it is the length of the
        shortest path and obeys the triangle inequality.
        """
        return self._distances[a, b, diagonal.numerator, diagonal.denominator]

    def direction(self, a: int, b: int) -> int:
        """Return the compass direction nearest to the line from a to b.

        There are no ties: the line half way between two directions has an irrational slope and meets no centre. Raises
        ValueError if a is b.
        """
        return self._directions[a, b]

    def in_arc(self, facing: int, a: int, b: int) -> bool:
        """Return True if b is in the quarter of the table in front of box a, edges and a itself included."""
        (ax, ay), (bx, by) = self._column_row[a], self._column_row[b]
        dx, dy = bx - ax, by - ay
        east, north = _OFFSETS[facing]
        if is_corner(facing):
            return dx * east >= 0 and dy * north >= 0
        return dx * east + dy * north >= abs(dx * north) + abs(dy * east)

    # Boxes and sides on a line

    def crossed(self, a: int, b: int) -> tuple[int, ...]:
        """Return the boxes whose inside the line between two centres crosses, from a to b, without a and b.

        A box touched only at a corner is not crossed.
        """
        return self._crossed[a, b]

    def sees(self, a: int, b: int, blocks: Callable[[int], bool]) -> bool:
        """Return True if no crossed box blocks. The two ends never block, so neighbours always see each other."""
        return not any(blocks(box) for box in self._crossed[a, b])

    def sides_crossed(self, a: int, b: int) -> tuple[int, ...]:
        """Return the sides that the line between the two centres crosses, in order from a to b.

        A line through a corner crosses all four sides that meet there: first those of the box it leaves, then those of
        the box it enters.
        """
        return self._sides_crossed[a, b]

    def sides_entered(self, a: int, b: int) -> tuple[int, ...]:
        """Return the sides of b that the line from the centre of a crosses: one, two at a corner, none if a is b."""
        return self._sides_entered[a, b]

    # Sides

    def side(self, box: int, direction: int) -> int:
        """Return the side of a box to the N, E, S or W. Sides are numbered from 0.

        Raises ValueError for a direction that points at a corner.
        """
        if is_corner(direction):
            raise ValueError(f"a box has a corner, not a side, to the {COMPASS[direction]}")
        column, row = self._column_row[box]
        if direction in (N, S):
            return (row + (direction == N)) * self.columns + column
        upright = self.columns * (self.rows + 1)
        return upright + row * (self.columns + 1) + column + (direction == E)

    def sides(self, box: int) -> tuple[int, int, int, int]:
        """Return the four sides of a box: N, E, S, W."""
        return self.side(box, N), self.side(box, E), self.side(box, S), self.side(box, W)

    def side_boxes(self, side: int) -> tuple[int, ...]:
        """Return the boxes on both sides of a side line, south or west first; only one at the rim of the table."""
        (x, y), (x_end, _) = self.side_line(side)
        behind = self.at(int(x), int(y) - 1) if x_end > x else self.at(int(x) - 1, int(y))
        ahead = self.at(int(x), int(y))
        return tuple(box for box in (behind, ahead) if box is not None)

    def side_line(self, side: int) -> tuple[Point, Point]:
        """Return the two ends of a side, south or west first, in boxes."""
        upright = self.columns * (self.rows + 1)
        if side < upright:
            y, x = divmod(side, self.columns)
            return (x, y), (x + 1, y)
        y, x = divmod(side - upright, self.columns + 1)
        return (x, y), (x, y + 1)

    # Computing the answers

    def _look_around(self, box: int) -> tuple[int | None, ...]:
        column, row = self._column_row[box]
        return tuple(self.at(column + dx, row + dy) for dx, dy in _OFFSETS)

    def _measure(self, key: tuple[int, int, int, int]) -> Fraction | int:
        a, b, numerator, denominator = key
        (ax, ay), (bx, by) = self._column_row[a], self._column_row[b]
        fewer, more = sorted((abs(bx - ax), abs(by - ay)))
        exact = Fraction(numerator, denominator) * fewer + (more - fewer)
        return exact.numerator if exact.denominator == 1 else exact

    def _aim(self, key: tuple[int, int]) -> int:
        (ax, ay), (bx, by) = self._column_row[key[0]], self._column_row[key[1]]
        dx, dy = bx - ax, by - ay
        if dx == dy == 0:
            raise ValueError("a box has no direction to itself")
        fewer, more = sorted((abs(dx), abs(dy)))
        # The border between a side and a corner lies at 22.5 degrees, whose tangent is sqrt(2) - 1.
        if (fewer + more) ** 2 < 2 * more**2:
            dx, dy = (dx, 0) if abs(dx) == more else (0, dy)
        return _OFFSETS.index(((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)))

    def _walk(self, a: int, b: int) -> list[int]:
        """Return all boxes on the line from a to b, both included, without boxes touched only at a corner.

        Raises ValueError for a box that is not on the table.
        """
        if not (0 <= a < self.size and 0 <= b < self.size):
            raise ValueError(f"there is no line from box {a} to box {b} on a table of {self.size} boxes")
        (column, row), (last_column, last_row) = self._column_row[a], self._column_row[b]
        run, rise = abs(last_column - column), abs(last_row - row)
        eastward = 1 if last_column > column else -1
        northward = 1 if last_row > row else -1
        boxes = [a]
        columns_passed = rows_passed = 0
        while boxes[-1] != b:
            # Positive when the line passes above the corner diagonally ahead and so leaves by the top.
            height = (2 * columns_passed + 1) * rise - (2 * rows_passed + 1) * run
            if height <= 0:
                columns_passed += 1
            if height >= 0:
                rows_passed += 1
            boxes.append((row + rows_passed * northward) * self.columns + column + columns_passed * eastward)
        return boxes

    def _cross(self, key: tuple[int, int]) -> tuple[int, ...]:
        return tuple(self._walk(*key)[1:-1])

    def _cross_sides(self, key: tuple[int, int]) -> tuple[int, ...]:
        boxes = self._walk(*key)
        sides: list[int] = []
        for box_from, box_to in pairwise(boxes):
            direction = self._around[box_from].index(box_to)
            if not is_corner(direction):
                sides.append(self.side(box_from, direction))
                continue
            for box, towards in ((box_from, direction), (box_to, opposite(direction))):
                sides += (self.side(box, turn_direction(towards, -1)), self.side(box, turn_direction(towards, 1)))
        return tuple(sides)

    def _enter(self, key: tuple[int, int]) -> tuple[int, ...]:
        own_sides = self.sides(key[1])
        return tuple(side for side in self._sides_crossed[key] if side in own_sides)
