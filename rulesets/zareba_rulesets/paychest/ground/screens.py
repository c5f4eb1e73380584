"""What the ground hides: pieces of terrain that may block a line of sight (PAY-089)."""

from __future__ import annotations

from zareba.exact import dist
from zareba.space import Point
from zareba.space.geometry import Bounds, Points
from zareba.space.outlines import Area, Line, lies_across

__all__ = ["Screen", "corners_of"]

SURELY = 1e-6


class Screen:
    """A piece of terrain as an obstacle to sight.

    `sight` is how it hides (blocks, thick, crest); `shape` what hides what is behind it, an area, the crest of a hill,
    or the line of a wall. `through`: inches that one sees through thick growth. `loophole`: how near to a wall
    one stands on it or at a loophole, and so sees and is seen across it.
    """

    __slots__ = ("_convex", "_loophole", "_shape", "_thick", "_through")

    def __init__(self, sight: str, shape: Area | Line, *, through: float, loophole: float) -> None:
        self._shape = shape
        self._convex = shape if isinstance(shape, Area) and shape.is_convex else None
        self._thick = sight == "thick"
        self._through = through
        self._loophole = loophole

    def is_near(self, box: Bounds) -> bool:
        """Whether it may block sight within an upright rectangle."""
        own = self._shape.box
        return box[0] <= own[2] and own[0] <= box[2] and box[1] <= own[3] and own[1] <= box[3]

    def blocks(self, a: Point, b: Point) -> bool:
        """Whether it blocks the straight line from a to b."""
        shape = self._shape
        if self._convex is not None:
            chord = self._convex.chord(a, b)
            if chord is None:
                return False
            start, end = chord
            return (end - start) * dist(a, b) > self._through if self._thick else start > 0 and end < 1
        if isinstance(shape, Line):
            return shape.meets(a, b) and min(shape.distance(a), shape.distance(b)) > self._loophole
        if self._thick:
            return shape.length_inside(a, b) > self._through
        spans = shape.spans(a, b)
        return bool(spans) and spans[0][0] > 0 and spans[-1][1] < 1 and any(end > start for start, end in spans)

    def is_beside(self, point: Point, box: Bounds) -> bool:
        """Whether one side of it parts it from a point and an upright rectangle, so that it hides neither from the other.

        False also where a line between them passes it on a corner.
        """
        return self._convex is not None and self._convex.is_parted((point, *corners_of(box)), SURELY)

    def hides(self, point: Point, box: Bounds) -> bool:
        """Whether it surely blocks every line from a point to an upright rectangle.

        What lies behind a convex piece, as seen from a point, is convex too: its corners answer for a rectangle.
        """
        if self._thick or self._convex is None:
            return False
        west, south, east, north = box
        for corner in corners_of((west - SURELY, south - SURELY, east + SURELY, north + SURELY)):
            if not self.blocks(point, corner):
                return False
        return not self._holds_part_of(box)

    def parts(self, a: Bounds, b: Bounds) -> bool | None:
        """Whether it blocks all lines between two upright rectangles, or none of them; None where it depends."""
        convex = self._convex
        if convex is None:
            return None
        hull = (*corners_of(a), *corners_of(b))
        if convex.is_parted(hull, SURELY) or self._lies_beside(a, b, hull):
            return False
        if self._thick or self._holds_part_of(a) or self._holds_part_of(b):
            return None
        return lies_across(convex, dict.fromkeys(corners_of(a)), dict.fromkeys(corners_of(b)), SURELY) or None

    def _lies_beside(self, a: Bounds, b: Bounds, hull: Points) -> bool:
        """Whether a straight line from one rectangle to the other parts the piece from both."""
        nx, ny = a[1] + a[3] - b[1] - b[3], b[0] + b[2] - a[0] - a[2]
        own = [x * nx + y * ny for x, y in self._shape.points]
        others = [x * nx + y * ny for x, y in hull]
        return min(own) > max(others) + SURELY or max(own) < min(others) - SURELY

    def _holds_part_of(self, box: Bounds) -> bool:
        """Whether a rectangle may lie partly in the piece."""
        return self._convex is None or not self._convex.is_parted(corners_of(box), SURELY)


def corners_of(box: Bounds) -> tuple[Point, Point, Point, Point]:
    """The corners of an upright rectangle."""
    west, south, east, north = box
    return (west, south), (east, south), (west, north), (east, north)
