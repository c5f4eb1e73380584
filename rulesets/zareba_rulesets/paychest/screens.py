"""What the ground hides: pieces of terrain that may block a line of sight (PAY-089)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zareba.exact import dist, total
from zareba.space import Point
from zareba.space.geometry import Bounds, Points, bounds, crossing, distance_to_path, spans_inside

__all__ = ["Screen", "corners_of"]

Side = tuple[float, float, float]
SURELY = 1e-6


class Screen:
    """A piece of terrain as an obstacle to sight.

    `sight` is how it hides (blocks, thick, crest); `shape` the polygon that hides what is behind it, the crest of a
    hill, or the line of a wall. `through`: inches that one sees through thick growth. `loophole`: how near to a wall
    one stands on it or at a loophole, and so sees and is seen across it.
    """

    __slots__ = ("_box", "_is_area", "_loophole", "_shape", "_sides", "_thick", "_through")

    def __init__(self, sight: str, shape: tuple[Point, ...], *, is_area: bool, through: float, loophole: float) -> None:
        self._box = bounds(shape)
        self._shape = shape
        self._is_area = is_area
        self._sides = _sides(shape) if is_area else ()
        self._thick = sight == "thick"
        self._through = through
        self._loophole = loophole

    def is_near(self, box: Bounds) -> bool:
        """Whether it may block sight within an upright rectangle."""
        own = self._box
        return box[0] <= own[2] and own[0] <= box[2] and box[1] <= own[3] and own[1] <= box[3]

    def blocks(self, a: Point, b: Point) -> bool:
        """Whether it blocks the straight line from a to b."""
        (ax, ay), (bx, by) = a, b
        if self._sides:  # as `_chord`, which is asked too often here to be called
            start, end = 0.0, 1.0
            for nx, ny, least in self._sides:
                from_a = ax * nx + ay * ny - least
                from_b = bx * nx + by * ny - least
                if from_a < 0:
                    if from_b < 0:
                        return False
                    t = from_a / (from_a - from_b)
                    if t > start:
                        start = t
                elif from_b < 0:
                    t = from_a / (from_a - from_b)
                    if t < end:
                        end = t
            if start >= end:
                return False
            return (end - start) * dist(a, b) > self._through if self._thick else start > 0 and end < 1
        west, south, east, north = self._box
        if (ax < west and bx < west) or (ax > east and bx > east):
            return False
        if (ay < south and by < south) or (ay > north and by > north):
            return False
        if not self._is_area:
            near = min(distance_to_path(a, self._shape), distance_to_path(b, self._shape))
            return near > self._loophole and _crosses(a, b, self._shape)
        spans = spans_inside(a, b, self._shape)
        if self._thick:
            return total(end - start for start, end in spans) * dist(a, b) > self._through
        return bool(spans) and spans[0][0] > 0 and spans[-1][1] < 1 and any(end > start for start, end in spans)

    def is_beside(self, point: Point, box: Bounds) -> bool:
        """Whether one side of it parts it from a point and an upright rectangle, so that it hides neither from the other.

        False also where a line between them passes it on a corner.
        """
        x, y = point
        west, south, east, north = box
        for nx, ny, least in self._sides:
            if x * nx + y * ny < least - SURELY:
                inmost = (east if nx > 0 else west) * nx + (north if ny > 0 else south) * ny
                if inmost < least - SURELY:
                    return True
        return False

    def hides(self, point: Point, box: Bounds) -> bool:
        """Whether it surely blocks every line from a point to an upright rectangle.

        What lies behind a convex piece, as seen from a point, is convex too: its corners answer for a rectangle.
        """
        if self._thick or not self._sides:
            return False
        west, south, east, north = box
        for corner in corners_of((west - SURELY, south - SURELY, east + SURELY, north + SURELY)):
            if not self.blocks(point, corner):
                return False
        return not self._holds_part_of(box)

    def parts(self, a: Bounds, b: Bounds) -> bool | None:
        """Whether it blocks all lines between two upright rectangles, or none of them; None where it depends."""
        if not self._sides:
            return None
        hull = (*corners_of(a), *corners_of(b))
        if self._lies_beside(a, b, hull):
            return False
        if self._thick or self._holds_part_of(a) or self._holds_part_of(b):
            return None
        for one in dict.fromkeys(corners_of(a)):
            for other in dict.fromkeys(corners_of(b)):
                start, end = _chord(one, other, self._sides)
                if end - start < SURELY:
                    return None
        return True  # a line past the piece on one hand leaves a corner of both rectangles on that hand

    def _lies_beside(self, a: Bounds, b: Bounds, hull: Points) -> bool:
        """Whether a straight line parts the piece from both rectangles: along a side of it, or from one to the other."""
        if any(all(x * nx + y * ny < least - SURELY for x, y in hull) for nx, ny, least in self._sides):
            return True
        nx, ny = a[1] + a[3] - b[1] - b[3], b[0] + b[2] - a[0] - a[2]
        own = [x * nx + y * ny for x, y in self._shape]
        others = [x * nx + y * ny for x, y in hull]
        return min(own) > max(others) + SURELY or max(own) < min(others) - SURELY

    def _holds_part_of(self, box: Bounds) -> bool:
        """Whether a rectangle may lie partly in the piece."""
        corners = corners_of(box)
        return not any(all(x * nx + y * ny < least - SURELY for x, y in corners) for nx, ny, least in self._sides)


def corners_of(box: Bounds) -> tuple[Point, Point, Point, Point]:
    """The corners of an upright rectangle."""
    west, south, east, north = box
    return (west, south), (east, south), (west, north), (east, north)


def _sides(polygon: Points) -> tuple[Side, ...]:
    """The sides of a convex polygon as (nx, ny, least) with nx * x + ny * y >= least inside; none if it is not convex."""
    corners = [corner for before, corner in zip((polygon[-1], *polygon), polygon, strict=False) if corner != before]
    found = []
    turns = set()
    for i, (x, y) in enumerate(corners):
        (next_x, next_y), (after_x, after_y) = corners[(i + 1) % len(corners)], corners[(i + 2) % len(corners)]
        turn = (next_x - x) * (after_y - next_y) - (next_y - y) * (after_x - next_x)
        turns.add(turn > 0)
        found.append((x, y, -(next_y - y), next_x - x))
    if len(turns) > 1:
        return ()
    sign = 1.0 if turns == {True} else -1.0
    return tuple((sign * nx, sign * ny, sign * (x * nx + y * ny)) for x, y, nx, ny in found)


def _chord(a: Point, b: Point, sides: Sequence[Side]) -> tuple[float, float]:
    """The stretch of the segment from a to b in a convex shape, from 0 at a to 1 at b; (0, 0) if it is outside."""
    start, end = 0.0, 1.0
    ax, ay = a
    bx, by = b
    for nx, ny, least in sides:
        from_a = ax * nx + ay * ny - least
        from_b = bx * nx + by * ny - least
        if from_a < 0:
            if from_b < 0:
                return 0.0, 0.0
            t = from_a / (from_a - from_b)
            if t > start:
                start = t
        elif from_b < 0:
            t = from_a / (from_a - from_b)
            if t < end:
                end = t
    return (start, end) if start <= end else (0.0, 0.0)


def _crosses(a: Point, b: Point, line: Points) -> bool:
    return any(crossing(a, b, c, d) is not None for c, d in pairwise(line))
