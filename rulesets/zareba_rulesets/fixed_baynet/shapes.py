"""Shapes of terrain for questions asked for every shot and step: is a point inside, where does a line run inside.

Most pieces are convex, and for those half-planes answer ten times as fast as edges do. Others go the long way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zareba.exact import hypot, total
from zareba.space.geometry import Bounds, Point, bounds, is_inside, spans_inside

__all__ = ["Shape", "shape_of"]

SLACK = 1e-9
Plane = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A polygon with its rectangle. `planes` are (nx, ny, c) with nx * x + ny * y <= c inside; none if it is not convex."""

    points: tuple[Point, ...]
    box: Bounds
    planes: tuple[Plane, ...]

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside or on the border."""
        box = self.box
        if not (box[0] - SLACK <= x <= box[2] + SLACK and box[1] - SLACK <= y <= box[3] + SLACK):
            return False
        if not self.planes:
            return is_inside((x, y), self.points)
        for nx, ny, c in self.planes:  # noqa: SIM110  # asked millions of times; a loop takes half the time of all()
            if nx * x + ny * y > c + SLACK:
                return False
        return True

    def span(self, a: Point, b: Point) -> tuple[float, float] | None:
        """The stretch of a line inside a convex shape, from 0 at a to 1 at b, or None."""
        ax, ay = a
        dx, dy = b[0] - ax, b[1] - ay
        start, end = 0.0, 1.0
        for nx, ny, c in self.planes:
            along = nx * dx + ny * dy
            room = c + SLACK - nx * ax - ny * ay
            if -1e-12 < along < 1e-12:
                if room < 0:
                    return None
                continue
            t = room / along
            if along > 0:
                if t < end:
                    end = t
            elif t > start:
                start = t
            if start > end:
                return None
        return start, end

    def spans(self, a: Point, b: Point) -> list[tuple[float, float]]:
        """The stretches of a line inside the shape, from 0 at a to 1 at b; a mere touch has no length."""
        if not self.planes:
            return spans_inside(a, b, self.points)
        found = self.span(a, b)
        return [] if found is None else [found]

    def meets(self, a: Point, b: Point) -> bool:
        """Whether a line touches the shape."""
        return self.span(a, b) is not None if self.planes else bool(spans_inside(a, b, self.points))

    def first_to_meet(self, starts: Sequence[Point], dx: float, dy: float) -> int:
        """The place of the first of several lines, from these points all by the same way, that touches the shape; -1: none."""
        if not self.planes:
            return next((place for place, (x, y) in enumerate(starts) if self.meets((x, y), (x + dx, y + dy))), -1)
        sides = [(nx, ny, c + SLACK, nx * dx + ny * dy) for nx, ny, c in self.planes]
        for place, (x, y) in enumerate(starts):
            start, end = 0.0, 1.0
            for nx, ny, c, along in sides:
                room = c - nx * x - ny * y
                if -1e-12 < along < 1e-12:
                    if room < 0:
                        break
                    continue
                t = room / along
                if along > 0:
                    if t < end:
                        end = t
                elif t > start:
                    start = t
                if start > end:
                    break
            else:
                return place
        return -1

    def may_touch(self, box: Bounds) -> bool:
        """False if a rectangle certainly lies outside the shape, beyond one of its sides."""
        west, south, east, north = box
        for nx, ny, c in self.planes:
            if nx * (west if nx > 0 else east) + ny * (south if ny > 0 else north) > c + SLACK:
                return False
        return True


def shape_of(points: Sequence[Point]) -> Shape:
    """The shape of a polygon in either turning sense."""
    corners = tuple(points)
    return Shape(corners, bounds(corners), _planes(corners))


def _planes(points: tuple[Point, ...]) -> tuple[Plane, ...]:
    """The half-planes of a convex polygon; none for any other."""
    turns = []
    count = len(points)
    for i in range(count):
        (ax, ay), (bx, by), (cx, cy) = points[i], points[(i + 1) % count], points[(i + 2) % count]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    if not (all(turn >= -SLACK for turn in turns) or all(turn <= SLACK for turn in turns)):
        return ()
    sign = 1.0 if total(turns) > 0 else -1.0
    found = []
    for i in range(count):
        (ax, ay), (bx, by) = points[i], points[(i + 1) % count]
        reach = hypot(bx - ax, by - ay)
        if reach > 0:
            nx, ny = sign * (by - ay) / reach, -sign * (bx - ax) / reach
            found.append((nx, ny, nx * ax + ny * ay))
    return tuple(found)
