"""Shortest paths around closed ground on an open table."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise

from zareba.base.exact import dist
from zareba.space.geometry import EPSILON, Point, Points, edges
from zareba.space.lazy import Lazy
from zareba.space.outlines import TerrainArea, TerrainLine

__all__ = ["Detours"]


class Detours:
    """Paths around some closed areas and lines; keep one instance for each set of them.

    Paths stay `clearance` away from the corners they turn, so they never touch the closed ground.
    """

    __slots__ = ("_areas", "_corners", "_extent", "_lines", "_open")

    def __init__(
        self, extent: Point, areas: Sequence[TerrainArea], lines: Sequence[TerrainLine] = (), clearance: float = 0.01
    ) -> None:
        """Set up for a table of width and depth `extent`, which paths never leave."""
        self._extent = extent
        self._areas = tuple(areas)
        self._lines = tuple(lines)
        corners = [corner for area in areas for corner in _round_area(area.points, clearance)]
        corners += [corner for line in lines for corner in _round_line(line.points, clearance)]
        self._corners = tuple(corner for corner in corners if self._is_free(corner))
        self._open: Lazy[tuple[Point, Point], bool] = Lazy(lambda leg: self.is_open(*leg))

    def is_open(self, a: Point, b: Point) -> bool:
        """Return True if the straight line from a to b touches no closed line and no closed area."""
        return not any(area.meets(a, b) for area in self._areas) and not any(line.meets(a, b) for line in self._lines)

    def way(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        """Return the shortest path from start to goal, both included, or None if there is none.

        Neither end may touch closed ground. From a point to itself the path is that one point.
        """
        came_from: dict[Point, Point] = {}
        cheapest = {start: 0.0}
        settled: set[Point] = set()
        queue = [(dist(start, goal), start)]
        while queue:
            _, here = heappop(queue)
            if here == goal:
                way = [goal]
                while way[-1] in came_from:
                    way.append(came_from[way[-1]])
                return tuple(reversed(way))
            if here in settled:
                continue
            settled.add(here)
            for onward in (goal, *self._corners):
                total = cheapest[here] + dist(here, onward)
                if onward in settled or total >= cheapest.get(onward, float("inf")):
                    continue
                between_corners = here != start and onward != goal
                if self._open[here, onward] if between_corners else self.is_open(here, onward):
                    cheapest[onward] = total
                    came_from[onward] = here
                    heappush(queue, (total + dist(onward, goal), onward))
        return None

    def _is_free(self, point: Point) -> bool:
        on_table = 0 <= point[0] <= self._extent[0] and 0 <= point[1] <= self._extent[1]
        return on_table and not any(area.holds(point) for area in self._areas)


def _outward(before: Point, corner: Point, after: Point, clearance: float) -> Point | None:
    """Return the point just off a corner on its outer side; None if the line goes straight on."""
    back, on = dist(corner, before), dist(corner, after)
    out = (
        (corner[0] - before[0]) / back + (corner[0] - after[0]) / on,
        (corner[1] - before[1]) / back + (corner[1] - after[1]) / on,
    )
    reach = dist((0, 0), out)
    if reach < EPSILON:
        return None
    return corner[0] + clearance * out[0] / reach, corner[1] + clearance * out[1] / reach


def _round_area(area: Points, clearance: float) -> list[Point]:
    """Return a point just off each corner of a polygon; at corners that turn inwards it is inside the polygon."""
    corners = [corner for before, corner in edges(area) if corner != before]
    if not corners:
        return []
    threes = zip([corners[-1], *corners], corners, [*corners[1:], corners[0]], strict=False)
    points = (_outward(before, corner, after, clearance) for before, corner, after in threes)
    return [point for point in points if point is not None]


def _round_line(line: Points, clearance: float) -> list[Point]:
    """Return a point just beyond each end of a line, and one off each of its bends."""
    corners = [line[0], *(corner for before, corner in pairwise(line) if corner != before)]
    if len(corners) == 1:
        return []
    # Folding the line back at its ends makes the ends corners of no width.
    threes = zip([corners[1], *corners], corners, [*corners[1:], corners[-2]], strict=False)
    points = (_outward(before, corner, after, clearance) for before, corner, after in threes)
    return [point for point in points if point is not None]
