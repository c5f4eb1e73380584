"""Plane geometry on the table: points, boxes, polygons, segments and paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Protocol, TypeAlias, TypeVar

from zareba.base.exact import dist, hypot, total
from zareba.space.grid.routes import Number

# --- Plane geometry for measuring and for turning terrain into cells --------------------------------------------------
#
# Points are `(x, y)` pairs in any unit of length, x to the east and y to the north. A polygon is a sequence of at least
# three corners in either direction of rotation, without the first corner repeated at the end. Points closer than
# `EPSILON` count as one point, so a line that touches a corner or runs along a border meets it. A box is an upright
# rectangle (west, south, east, north); its type is `Bounds`. Directions are in `bearings`, terrain in `outlines`.


EPSILON = 1e-9

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = Sequence[Point]
Bounds: TypeAlias = tuple[float, float, float, float]


def edges(polygon: Points) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of a polygon in order, the closing side first."""
    start = polygon[-1]
    for end in polygon:
        yield start, end
        start = end


def bounds(points: Points) -> Bounds:
    """Return the smallest box around the points: west, south, east, north."""
    if len(points) == 2:
        return box_between(points[0], points[1])
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def box_between(a: Point, b: Point) -> Bounds:
    """Return the smallest box around two points. Faster than `bounds`."""
    (ax, ay), (bx, by) = a, b
    if ax < bx:
        return (ax, ay, bx, by) if ay < by else (ax, by, bx, ay)
    return (bx, ay, ax, by) if ay < by else (bx, by, ax, ay)


def middle_of(points: Points) -> Point:
    """Return the mean of some points.

    Raises ValueError if there are none.
    """
    if not points:
        raise ValueError("no points have no middle")
    return total([x for x, _ in points]) / len(points), total([y for _, y in points]) / len(points)


def middle_of_box(points: Points) -> Point:
    """Return the middle of the smallest box around the points."""
    west, south, east, north = bounds(points)
    return (west + east) / 2, (south + north) / 2


def boxes_meet(a: Bounds, b: Bounds) -> bool:
    """Return True if two boxes overlap or touch."""
    return a[0] <= b[2] + EPSILON and b[0] <= a[2] + EPSILON and a[1] <= b[3] + EPSILON and b[1] <= a[3] + EPSILON


def box_gap(a: Bounds, b: Bounds) -> float:
    """Return the shortest distance between two boxes; 0 if they meet."""
    across = a[0] - b[2] if a[0] > b[2] else b[0] - a[2]
    along = a[1] - b[3] if a[1] > b[3] else b[1] - a[3]
    if across <= 0:
        return along if along > 0 else 0.0
    return sqrt(across * across + along * along) if along > 0 else across


def boxes_near(a: Bounds, b: Bounds, reach: float) -> bool:
    """Return True if two boxes are at most `reach` apart along each axis."""
    return a[0] - b[2] <= reach and b[0] - a[2] <= reach and a[1] - b[3] <= reach and b[1] - a[3] <= reach


def joint_box(a: Bounds, b: Bounds) -> Bounds:
    """Return the smallest box around two boxes."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def widen(box: Bounds, by: float) -> Bounds:
    """Return a box made larger by `by` on every side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def box_around(at: Point, reach: float) -> Bounds:
    """Return the box that extends `reach` from a point to each side."""
    x, y = at
    return x - reach, y - reach, x + reach, y + reach


def shift_into(box: Bounds, other: Bounds) -> Point:
    """Return how far (east, north) a box has to move to lie inside another."""
    across = max(other[0] - box[0], 0.0) + min(other[2] - box[2], 0.0)
    along = max(other[1] - box[1], 0.0) + min(other[3] - box[3], 0.0)
    return across, along


def area(polygon: Points) -> float:
    """Return the area of a polygon that does not cross itself; 0 with fewer than three corners."""
    return abs(_signed_area(polygon))


def _signed_area(polygon: Points) -> float:
    if len(polygon) < 3:
        return 0.0
    return total(ax * by - bx * ay for (ax, ay), (bx, by) in edges(polygon)) / 2


def orientation(a: Point, b: Point, c: Point) -> float:
    """Return twice the area of the triangle a, b, c: positive if c is to the left of the line from a to b, negative if
    it is to the right, 0 if it is on the line.
    """
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return the corners of the convex hull of some points, anticlockwise. One or two points are their own hull."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    return (*_half_hull(ordered), *_half_hull(ordered[::-1]))


def _half_hull(points: Points) -> list[Point]:
    """Return one side of a hull, without its last corner."""
    corners: list[Point] = []
    for point in points:
        while len(corners) > 1 and orientation(corners[-2], corners[-1], point) <= 0:
            corners.pop()
        corners.append(point)
    return corners[:-1]


def is_inside(point: Point, polygon: Points) -> bool:
    """Return True if the point is in the polygon or on its border."""
    x, y = point
    inside = False
    ax, ay = polygon[-1]
    for bx, by in polygon:
        dx, dy = bx - ax, by - ay
        if (ay > y) != (by > y) and x < ax + (y - ay) * dx / dy:
            inside = not inside
        # a cheap bound of the distance to the side's line avoids the exact distance for most sides
        if abs(dx * (y - ay) - dy * (x - ax)) <= 2 * EPSILON * (abs(dx) + abs(dy)) and (
            distance_to_segment(point, (ax, ay), (bx, by)) <= EPSILON
        ):
            return True
        ax, ay = bx, by
    return inside


def clip(polygon: Points, window: Points) -> list[Point]:
    """Return the part of a polygon inside a convex window; empty if there is none.

    If the part consists of several pieces, the result is one ring that joins them by lines of no width. Its area is
    right, its outline is not.
    """
    ring = list(polygon)
    sign = 1.0 if _signed_area(window) > 0 else -1.0
    for a, b in edges(window):
        if not ring:
            break
        heights = [sign * orientation(a, b, corner) for corner in ring]
        cut: list[Point] = []
        before, height_before = ring[-1], heights[-1]
        for corner, height in zip(ring, heights, strict=True):
            if (height >= 0) != (height_before >= 0):
                cut.append(_point_between(before, corner, height_before / (height_before - height)))
            if height >= 0:
                cut.append(corner)
            before, height_before = corner, height
        ring = cut
    return ring


def covered_share(cell: Points, polygon: Points) -> float:
    """Return the share, 0 to 1, of a convex cell that a polygon covers."""
    return min(1.0, area(clip(polygon, cell)) / area(cell))


def _point_between(a: Point, b: Point, t: float) -> Point:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def towards(start: Point, goal: Point, distance: float) -> Point:
    """Return the point at a distance from start on the line to goal; beyond goal if the line is shorter."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    length = sqrt(dx * dx + dy * dy)
    if length == 0:
        return start
    return start[0] + dx * distance / length, start[1] + dy * distance / length


def up_to(start: Point, goal: Point, distance: float) -> Point:
    """Return the point at a distance from start on the line to goal; the goal itself if it is nearer."""
    length = dist(start, goal)
    if length <= distance:
        return goal
    ratio = distance / length
    return start[0] + ratio * (goal[0] - start[0]), start[1] + ratio * (goal[1] - start[1])


def nearest_on_segment(point: Point, a: Point, b: Point) -> Point:
    """Return the point of the segment from a to b that is nearest to `point`."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0:
        return a
    t = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square
    return _point_between(a, b, min(1.0, max(0.0, t)))


def nearest_leg(point: Point, legs: Iterable[Points]) -> Points:
    """Return the leg nearest to a point; of equals, the first."""
    return min(legs, key=lambda leg: distance_to_segment(point, *leg))


def nearest_on(point: Point, legs: Iterable[Points]) -> Point:
    """Return the point on any of the legs that is nearest to `point`; of equal legs, the first counts."""
    return nearest_on_segment(point, *nearest_leg(point, legs))


def distance_to_segment(point: Point, a: Point, b: Point) -> float:
    """Return the distance from a point to the nearest point of a segment."""
    x, y = point
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    square = dx * dx + dy * dy
    if square == 0:
        return hypot(x - ax, y - ay)
    t = ((x - ax) * dx + (y - ay) * dy) / square
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    x, y = x - (ax + t * dx), y - (ay + t * dy)
    return sqrt(x * x + y * y)


def distance_to_path(point: Point, path: Points) -> float:
    """Return the distance from a point to a path of at least two points."""
    return min(distance_to_segment(point, a, b) for a, b in pairwise(path))


def distance_to_polygon(point: Point, polygon: Points) -> float:
    """Return the distance from a point to a polygon; 0 inside it."""
    if is_inside(point, polygon):
        return 0.0
    return min(distance_to_segment(point, a, b) for a, b in edges(polygon))


def segment_crossings(a: Point, b: Point, c: Point, d: Point) -> tuple[float, ...]:
    """Return where the segment a-b meets c-d, from 0 at a to 1 at b: nowhere, once, or both ends of an overlap."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    ux, uy = bx - ax, by - ay
    length = sqrt(ux * ux + uy * uy)
    if length <= EPSILON:
        return (0.0,) if distance_to_segment(a, c, d) <= EPSILON else ()
    slack = EPSILON / length
    ux, uy, cx, cy, dx, dy = ux / length, uy / length, cx - ax, cy - ay, dx - ax, dy - ay
    c_left, d_left = ux * cy - uy * cx, ux * dy - uy * dx
    if (c_left > EPSILON and d_left > EPSILON) or (c_left < -EPSILON and d_left < -EPSILON):
        return ()
    c_on, d_on = (ux * cx + uy * cy) / length, (ux * dx + uy * dy) / length
    if abs(c_left) <= EPSILON and abs(d_left) <= EPSILON:
        first, last = max(0.0, min(c_on, d_on)), min(1.0, max(c_on, d_on))
        return (min(first, 1.0), max(last, 0.0)) if first <= last + slack else ()
    if abs(c_left) <= EPSILON:
        t = c_on
    elif abs(d_left) <= EPSILON:
        t = d_on
    else:
        t = c_on + (d_on - c_on) * c_left / (c_left - d_left)
    return (min(1.0, max(0.0, t)),) if -slack <= t <= 1 + slack else ()


def crossing(a: Point, b: Point, c: Point, d: Point) -> float | None:
    """Return where the segment a-b first meets c-d, from 0 at a to 1 at b; None if it does not.

    Touching counts, at the ends too.
    """
    return min(segment_crossings(a, b, c, d), default=None)


def distance_between_segments(a: Point, b: Point, c: Point, d: Point) -> float:
    """Return the shortest distance between two segments; 0 if they meet."""
    if crossing(a, b, c, d) is not None:
        return 0.0
    return min(
        distance_to_segment(a, c, d),
        distance_to_segment(b, c, d),
        distance_to_segment(c, a, b),
        distance_to_segment(d, a, b),
    )


def distance_between_polygons(a: Points, b: Points) -> float:
    """Return the shortest distance between two polygons; 0 if they overlap or touch."""
    if is_inside(a[0], b) or is_inside(b[0], a):
        return 0.0
    return min(distance_between_segments(p, q, r, s) for p, q in edges(a) for r, s in edges(b))


def spans_inside(a: Point, b: Point, polygon: Points) -> list[tuple[float, float]]:
    """Return the stretches of the segment from a to b inside a polygon, as (entry, exit) from 0 at a to 1 at b.

    Stretches are in order and do not touch. Running along a border counts as inside. Where the segment only touches
    the polygon, entry equals exit.
    """
    marks = {0.0, 1.0}
    for c, d in edges(polygon):
        marks.update(segment_crossings(a, b, c, d))
    spans: list[tuple[float, float]] = []
    for mark in sorted(marks):
        if not is_inside(_point_between(a, b, mark), polygon):
            continue
        if spans and is_inside(_point_between(a, b, (spans[-1][1] + mark) / 2), polygon):
            spans[-1] = (spans[-1][0], mark)
        else:
            spans.append((mark, mark))
    return spans


def length(path: Points) -> float:
    """Return the length of a path of straight legs through the points."""
    whole = 0.0
    for a, b in pairwise(path):
        x, y = a[0] - b[0], a[1] - b[1]
        whole += sqrt(x * x + y * y)
    return whole


def length_inside(path: Points, polygon: Points) -> float:
    """Return the length of the part of a path that is inside a polygon."""
    return total(
        dist(a, b) * total(exit_ - entry for entry, exit_ in spans_inside(a, b, polygon)) for a, b in pairwise(path)
    )


# --- The protocol that every kind of table implements -----------------------------------------------------------------


Place = TypeVar("Place", contravariant=True)
Between = TypeVar("Between", covariant=True)


class Space(Protocol[Place, Between]):
    """A table, whatever its unit of measure.

    A `Place` is a cell number on boxes and hexes, a point on an open table. `Between` is what a line crosses: a cell
    number on a grid, a piece of terrain with its stretch of the line on an open table.
    """

    @property
    def extent(self) -> Point:
        """Width and depth of the table in its own measure."""
        ...

    def distance(self, a: Place, b: Place) -> Number:
        """Return the distance from a to b, the same in both directions."""
        ...

    def distance_to_edge(self, place: Place, edge: str) -> float:
        """Return the distance from a place to an edge of the table, at right angles to the edge."""
        ...

    def crossed(self, a: Place, b: Place) -> Sequence[Between]:
        """Return everything that the straight line from a to b crosses."""
        ...

    def sees(self, a: Place, b: Place, blocks: Callable[[Between], bool]) -> bool:
        """Return True if nothing on the straight line from a to b blocks it; the same in both directions."""
        ...
