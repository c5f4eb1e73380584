"""Convert terrain drawn on a table in inches into cells, and into sides of boxes.

This module only measures. The rules decide which share of a cell makes it a wood, and what a line becomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import floor
from typing import Generic, TypeVar

from zareba.base.exact import dist
from zareba.space.geometry import (
    EPSILON,
    Point,
    Points,
    bounds,
    covered_share,
    distance_to_polygon,
    is_inside,
    spans_inside,
)
from zareba.space.grid.boxes import BoxGrid, E, N, S, W
from zareba.space.grid.cells import CellGrid

HALF = 0.5 - EPSILON  # half of a cell, less EPSILON because rounding may make an exact half slightly smaller

G = TypeVar("G", bound=CellGrid)
_Corner = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Raster(Generic[G]):
    """A grid laid over a table.

    `inches` is the distance from the middle of a cell to the middle of the next. `origin` is the position on the
    table, in inches, of the south-west corner of the grid's extent.
    """

    grid: G
    inches: float
    origin: Point = (0.0, 0.0)

    @classmethod
    def centred(cls, grid: G, inches: float, width: float, depth: float) -> Raster[G]:
        """Return a grid laid with its middle on the middle of a table of width x depth inches."""
        across, along = grid.extent
        return cls(grid, inches, ((width - across * inches) / 2, (depth - along * inches) / 2))

    def to_grid(self, point: Point) -> Point:
        """Return a point of the table in the grid's own measure."""
        return (point[0] - self.origin[0]) / self.inches, (point[1] - self.origin[1]) / self.inches

    def to_table(self, cell: int) -> Point:
        """Return the middle of a cell, in inches on the table."""
        x, y = self.grid.centre(cell)
        return self.origin[0] + x * self.inches, self.origin[1] + y * self.inches

    def coverage(self, polygon: Points) -> dict[int, float]:
        """Return the share, above 0 and up to 1, of every cell that a polygon covers at all, by cell number."""
        shape = [self.to_grid(point) for point in polygon]
        shares = {cell: covered_share(self.grid.outline(cell), shape) for cell in self.grid.cells_near(bounds(shape))}
        return {cell: covered for cell, covered in shares.items() if covered > EPSILON}

    def crossed_by(self, line: Points) -> dict[int, float]:
        """Return the length, in inches, of a line of straight legs in every cell that it runs through.

        Cells are in the order in which the line enters them. A leg along the common side of two cells is in both.
        """
        length_by_cell: dict[int, float] = {}
        for a, b in pairwise([self.to_grid(point) for point in line]):
            length = dist(a, b)
            on_leg = [
                (entry, leave, cell)
                for cell in self.grid.cells_near(bounds((a, b)))
                for entry, leave in spans_inside(a, b, self.grid.outline(cell))
                if (leave - entry) * length > EPSILON
            ]
            for entry, leave, cell in sorted(on_leg):
                length_by_cell[cell] = length_by_cell.get(cell, 0.0) + (leave - entry) * length * self.inches
        return length_by_cell

    def cell_at(self, point: Point) -> int:
        """Return the cell that contains a point of the table; beyond the rim, the nearest one.

        On a common border it is the cell further north, then the one further east.
        """
        grid_point = self.to_grid(point)
        width, depth = self.grid.extent
        x, y = min(max(grid_point[0], 0.0), width), min(max(grid_point[1], 0.0), depth)
        near = self.grid.cells_near((x - 1, y - 1, x + 1, y + 1))
        holders = [cell for cell in near if is_inside(grid_point, self.grid.outline(cell))]
        if holders:
            return max(holders, key=lambda cell: self.grid.centre(cell)[::-1])
        return min(near, key=lambda cell: distance_to_polygon(grid_point, self.grid.outline(cell)))

    def central_cell_at(self, point: Point) -> int:
        """Return the cell whose middle is nearest to a point; of equals, the one nearest to the middle of the grid.

        A mirrored point therefore gets the mirrored cell. Only between two cells next to the middle line the eastern
        one is taken.
        """
        return min(self.cells_at(point), key=lambda cell: (self.grid.from_middle(cell), -cell))

    def cells_at(self, point: Point) -> list[int]:
        """The cells whose middles are nearest to a point: one, or all that share it."""
        grid_point = self.to_grid(point)
        distances = {cell: dist(self.grid.centre(cell), grid_point) for cell in self.grid.cells}
        limit = min(distances.values()) + EPSILON
        return [cell for cell, distance in distances.items() if distance <= limit]


def sides_along(raster: Raster[BoxGrid], line: Points) -> tuple[int, ...]:
    """Return the sides of boxes that represent a line of straight legs, without gaps, in order.

    Every point of the line is moved to the nearest corner of a box, half-way cases to the north and east. Each leg
    becomes the steps between two such corners that stay nearest to it. A line too short for that becomes the side
    nearest to its western end. The same line drawn backwards gives the same sides.
    """
    grid = raster.grid
    points = [raster.to_grid(point) for point in line]
    sides: dict[int, None] = {}
    for a, b in pairwise(points):
        forward = a <= b
        first, last = (a, b) if forward else (b, a)
        stairs = _stairs(_corner(grid, first), _corner(grid, last), first, last)
        for low, high in pairwise(stairs if forward else stairs[::-1]):
            sides[_side_between(grid, *sorted((low, high)))] = None
    if sides:
        return tuple(sides)
    end = min(points)
    west, south = min(max(end[0], 0.0), float(grid.columns)), min(max(end[1], 0.0), float(grid.rows))
    near = {side for box in grid.cells_near((west, south, west, south)) for side in grid.sides(box)}
    return (min(sorted(near), key=lambda side: distance_to_side(grid, side, end)),)


def distance_to_side(grid: BoxGrid, side: int, point: Point) -> float:
    """Return the distance of a point of the grid from the middle of a side of a box."""
    (ax, ay), (bx, by) = grid.side_line(side)
    return dist(point, ((ax + bx) / 2, (ay + by) / 2))


def _corner(grid: BoxGrid, point: Point) -> _Corner:
    x, y = floor(point[0] + 0.5), floor(point[1] + 0.5)
    return min(max(x, 0), grid.columns), min(max(y, 0), grid.rows)


def _stairs(start: _Corner, end: _Corner, a: Point, b: Point) -> list[_Corner]:
    """Return the corners from start to end, one side apart, that stay nearest to the line through a and b."""
    east = 1 if end[0] > start[0] else -1
    north = 1 if end[1] > start[1] else -1

    def off_line(corner: _Corner) -> float:
        return abs((b[0] - a[0]) * (corner[1] - a[1]) - (b[1] - a[1]) * (corner[0] - a[0]))

    corners = [start]
    while corners[-1] != end:
        x, y = corners[-1]
        onward = [(x + east, y)] if x != end[0] else []
        if y != end[1]:
            onward.append((x, y + north))
        corners.append(min(onward, key=off_line))
    return corners


def _side_between(grid: BoxGrid, low: _Corner, high: _Corner) -> int:
    """Return the side between two corners; the one in the south or west comes first."""
    (x, y), (x_end, _) = low, high
    if x_end > x:
        below = grid.at(x, y - 1)
        return grid.side(below, N) if below is not None else grid.side(x, S)
    left = grid.at(x - 1, y)
    return grid.side(left, E) if left is not None else grid.side(y * grid.columns, W)
