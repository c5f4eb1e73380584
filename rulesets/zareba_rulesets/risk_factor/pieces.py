"""Pieces of terrain on the table in cm: where they are, and what of them hides (RSK-155)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from zareba.exact import dist, total
from zareba.space.geometry import Bounds, Point, Points, bounds, crossing, distance_to_path, edges, turn
from zareba_rulesets.risk_factor.book import Ground

__all__ = ["Piece"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of terrain in cm: an area, or a line.

    `outline` are the sides of what hides: the crest of a hill, or the area itself. It lies in `hides`, and all of it within
    `reach` of `middle`.
    """

    name: str
    ground: Ground
    points: tuple[Point, ...]
    is_area: bool
    box: Bounds
    outline: tuple[tuple[float, float, float, float], ...] = ()
    is_hill: bool = False
    hides: Bounds = (0.0, 0.0, 0.0, 0.0)
    middle: Point = (0.0, 0.0)
    reach: float = 0.0

    @classmethod
    def make(cls, name: str, ground: Ground, points: Points, is_area: bool, crest: Points = ()) -> Piece:
        sides = tuple((*a, *b) for a, b in edges(crest or points)) if is_area else ()
        west, south, east, north = hides = bounds(crest or points)
        middle = ((west + east) / 2, (south + north) / 2)
        reach = max(dist(middle, point) for point in crest or points)
        return cls(name, ground, tuple(points), is_area, bounds(points), sides, bool(crest), hides, middle, reach)

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside what hides: the crest of a hill, the area of anything else; borders either way."""
        x, y = point
        inside = False
        for ax, ay, bx, by in self.outline:
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
        return inside

    def hidden_length(self, a: Point, b: Point) -> float:
        """How much of the line between two points outside runs through what hides."""
        (ax, ay), (bx, by) = a, b
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        cx, cy, _, _ = self.outline[0]
        before = (cy - ay) * dx - (cx - ax) * dy
        marks = []
        for cx, cy, ex, ey in self.outline:
            after = (ey - ay) * dx - (ex - ax) * dy
            if (before < 0.0) != (after < 0.0):  # the corners of this side lie on either hand of the line
                u = before / (before - after)
                along = (cx + u * (ex - cx) - ax) * dx + (cy + u * (ey - cy) - ay) * dy
                if 0.0 <= along <= square:
                    marks.append(along)
            before = after
        if len(marks) < 2:
            return 0.0
        marks.sort()
        return total(end - start for start, end in zip(marks[::2], marks[1::2], strict=False)) / sqrt(square)

    def depth_behind(self, inside: Point, outside: Point) -> float:
        """How far a point inside lies behind the side over which the line to another leaves the area first.

        One on the border, as markers are, lies behind a side only if the line goes through the area.
        """
        found = []
        for ax, ay, bx, by in self.outline:
            at = crossing(inside, outside, (ax, ay), (bx, by))
            if at is not None and at > 1e-9:
                found.append((at, abs(turn((ax, ay), (bx, by), inside)) / dist((ax, ay), (bx, by))))
        return min(found, default=(0.0, 0.0))[1]

    def away(self, point: Point) -> float:
        """How far a point is from a line."""
        return distance_to_path(point, self.points)

    def cuts(self, a: Point, b: Point) -> bool:
        """Whether the straight line from a to b crosses a line."""
        return any(crossing(a, b, c, d) is not None for c, d in pairwise(self.points))
