"""Outlines of areas, paths and the edges of the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from zareba.base.exact import dist, total
from zareba.space.geometry import (
    EPSILON,
    Bounds,
    Point,
    Points,
    bounds,
    crossing,
    distance_to_path,
    distance_to_segment,
    edges,
    is_inside,
    length,
    nearest_on_segment,
    orientation,
    segment_crossings,
    spans_inside,
)

# --- Areas and lines of terrain, prepared for the questions that come up for every step and every shot ----------------
#
# They give the same answers as the functions of `zareba.space.geometry`, several times as fast. They use that most
# areas are convex, and that most lines of sight and legs of a path miss most pieces by far.


class TerrainArea:
    """A polygon of terrain, including its border."""

    __slots__ = ("_edges", "_planes", "_sides", "box", "points")

    def __init__(self, points: Points) -> None:
        self.points: tuple[Point, ...] = tuple(points)
        self.box: Bounds = bounds(points)
        self._sides = _half_planes(self.points)
        self._planes = tuple((nx, ny, c) for nx, ny, c, _, _ in self._sides)
        self._edges = tuple((start, end, *_reach(start, end)) for start, end in edges(self.points))

    def holds(self, point: Point) -> bool:
        """Return True if a point is in the area or on its border."""
        x, y = point
        west, south, east, north = self.box
        if x < west - EPSILON or x > east + EPSILON or y < south - EPSILON or y > north + EPSILON:
            return False
        if not self._sides:
            return is_inside(point, self.points)
        for nx, ny, c in self._planes:  # noqa: SIM110  # 1.5 times as fast as all() with a generator
            if nx * x + ny * y < c - EPSILON:
                return False
        return True

    def spans(self, a: Point, b: Point) -> list[tuple[float, float]]:
        """Return the stretches of the line from a to b in the area, as (entry, exit) from 0 at a to 1 at b.

        Stretches are in order and do not touch. Where the line only touches the area, entry equals exit.
        """
        if not _passes(a, b, self.box):
            return []
        if not self._sides:
            return self._broken_spans(a, b)
        (ax, ay), (bx, by) = a, b
        a_in = b_in = True
        cut = []
        for nx, ny, c, start, end in self._sides:
            a_off, b_off = nx * ax + ny * ay - c, nx * bx + ny * by - c
            if a_off < -EPSILON:
                if b_off < -EPSILON:
                    return []
                a_in = False
            elif b_off < -EPSILON:
                b_in = False
            if a_off <= EPSILON or b_off <= EPSILON:
                cut.append((start, end))
        if a_in and b_in:
            return [(0.0, 1.0)]
        marks = [mark for start, end in cut for mark in segment_crossings(a, b, start, end)]
        if a_in:
            marks.append(0.0)
        if b_in:
            marks.append(1.0)
        return [(min(marks), max(marks))] if marks else []

    def _broken_spans(self, a: Point, b: Point) -> list[tuple[float, float]]:
        """Return the stretches in an area that is not convex.

        Entries and exits alternate only if the line crosses each side cleanly; at corners and along sides
        `spans_inside` decides.
        """
        marks = self._cuts(a, b)
        if not marks:
            return [(0.0, 1.0)] if self.holds(a) else []
        slack = 2 * EPSILON / (dist(a, b) or 1.0)
        if any(later - earlier <= slack for earlier, later in pairwise((0.0, *marks, 1.0))):
            return spans_inside(a, b, self.points)  # the line runs through a corner or along a side, or ends on one
        turns = [0.0, *marks] if self.holds(a) else marks
        turns = turns if len(turns) % 2 == 0 else [*turns, 1.0]
        return list(zip(turns[::2], turns[1::2], strict=True))

    def _cuts(self, a: Point, b: Point) -> list[float]:
        """Return where the line from a to b meets the sides, in order; a corner counts for both of its sides."""
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        cuts: list[float] = []
        for start, end, left, low, right, high in self._edges:
            if left <= east and right >= west and low <= north and high >= south:
                cuts += segment_crossings(a, b, start, end)
        cuts.sort()
        return cuts

    @property
    def legs(self) -> tuple[tuple[Point, Point], ...]:
        """The sides in order, the closing side first."""
        return tuple(edges(self.points))

    def depth_behind(self, inside: Point, outside: Point) -> float:
        """Return the distance of a point inside from the side where the line to another first leaves the area.

        For a point on the border, only a side that the line meets after crossing the area counts. 0 if there is none.
        """
        depths = []
        for a, b in edges(self.points):
            at = crossing(inside, outside, a, b)
            if at is not None and at > EPSILON:
                depths.append((at, abs(orientation(a, b, inside)) / dist(a, b)))
        return min(depths, default=(0.0, 0.0))[1]

    @property
    def is_convex(self) -> bool:
        """True if the area is convex, so that `chord` can be used."""
        return bool(self._sides)

    def chord(self, a: Point, b: Point, slack: float = 0.0) -> tuple[float, float] | None:
        """Return the part of the line a-b inside a convex area, from 0 at a to 1 at b; None if it at most touches.

        With `slack` the area counts as that much wider on every side.
        """
        (ax, ay), (bx, by) = a, b
        first, last = 0.0, 1.0
        for nx, ny, c in self._planes:
            least = c - slack
            from_a, from_b = nx * ax + ny * ay - least, nx * bx + ny * by - least
            if from_a < 0.0:
                if from_b < 0.0:
                    return None
                t = from_a / (from_a - from_b)
                if t > first:
                    first = t
            elif from_b < 0.0:
                t = from_a / (from_a - from_b)
                if t < last:
                    last = t
        return (first, last) if first < last else None

    def length_inside(self, a: Point, b: Point) -> float:
        """Return the length of the part of the line from a to b that is inside."""
        if not self._sides:
            return dist(a, b) * total(end - start for start, end in self.spans(a, b))
        chord = self.chord(a, b)
        return 0.0 if chord is None else (chord[1] - chord[0]) * dist(a, b)

    def is_beyond_one_side(self, points: Points, by: float) -> bool:
        """Return True if some points are all beyond the same side of a convex area, further from it than `by`."""
        for nx, ny, c in self._planes:
            least = c - by
            for x, y in points:
                if nx * x + ny * y >= least:
                    break
            else:
                return True
        return False

    def may_meet(self, box: Bounds) -> bool:
        """Return False if a box is certainly outside: beyond one side of a convex area."""
        west, south, east, north = box
        for nx, ny, c in self._planes:
            if nx * (east if nx > 0 else west) + ny * (north if ny > 0 else south) < c - EPSILON:
                return False
        return True

    def meets(self, a: Point, b: Point) -> bool:
        """Return True if the line from a to b touches the area."""
        if not _passes(a, b, self.box):
            return False
        if self._sides:
            return self.chord(a, b, EPSILON) is not None
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        for start, end, left, low, right, high in self._edges:
            if (
                left <= east
                and right >= west
                and low <= north
                and high >= south
                and segment_crossings(a, b, start, end)
            ):
                return True
        return self.holds(a)

    def distance(self, point: Point) -> float:
        """Return the distance of a point from the area; 0 inside it."""
        return 0.0 if self.holds(point) else self.distance_to_border(point)

    def distance_to_border(self, point: Point) -> float:
        """Return the distance of a point from the nearest border, whether inside or outside."""
        return min([distance_to_segment(point, edge[0], edge[1]) for edge in self._edges])

    def is_within(self, point: Point, reach: float) -> bool:
        """Return True if a point is at most `reach` from the area."""
        return _is_near(point, self.box, reach) and self.distance(point) <= reach


class TerrainLine:
    """An open line of terrain, such as a wall or a stream."""

    __slots__ = ("_legs", "box", "points")

    def __init__(self, points: Points) -> None:
        self.points: tuple[Point, ...] = tuple(points)
        self.box: Bounds = bounds(points)
        self._legs = tuple((start, end, *_reach(start, end)) for start, end in pairwise(self.points))

    @property
    def legs(self) -> tuple[tuple[Point, Point], ...]:
        """The straight parts in order."""
        return tuple(pairwise(self.points))

    def holds(self, point: Point) -> bool:
        """Return False: a line has no inside."""
        return False

    def length_inside(self, a: Point, b: Point) -> float:
        """Return 0: a line has no inside."""
        return 0.0

    def marks(self, a: Point, b: Point) -> list[float]:
        """Return where the line a-b meets this one, from 0 at a to 1 at b; a corner of this line counts once."""
        length = dist(a, b) or 1.0
        crossing_points = sorted(t for c, d in pairwise(self.points) if (t := crossing(a, b, c, d)) is not None)
        return [
            t
            for index, t in enumerate(crossing_points)
            if index == 0 or (t - crossing_points[index - 1]) * length > EPSILON
        ]

    def meets(self, a: Point, b: Point) -> bool:
        """Return True if the line from a to b touches or crosses this one."""
        if not _passes(a, b, self.box):
            return False
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        for start, end, left, low, right, high in self._legs:
            if (
                left <= east
                and right >= west
                and low <= north
                and high >= south
                and segment_crossings(a, b, start, end)
            ):
                return True
        return False

    def distance(self, point: Point) -> float:
        """Return the distance of a point from the line."""
        return distance_to_path(point, self.points)

    def is_within(self, point: Point, reach: float) -> bool:
        """Return True if a point is at most `reach` from the line."""
        return _is_near(point, self.box, reach) and self.distance(point) <= reach


def lies_across(shape: TerrainArea | TerrainLine, ones: Iterable[Point], others: Collection[Point]) -> bool:
    """Return True if a convex area or straight line cuts every line from one set of points to another.

    Both sets must be outside it. The region hidden by it from a point is convex. If it cuts the lines between the
    corners of two convex figures, it therefore cuts every line between their points.
    """
    for a in ones:
        for b in others:
            if isinstance(shape, TerrainLine):
                if not shape.meets(a, b):
                    return False
                continue
            if shape.chord(a, b) is None:
                return False
    return True


def _is_near(point: Point, box: Bounds, reach: float) -> bool:
    (x, y), (west, south, east, north) = point, box
    return west - reach <= x <= east + reach and south - reach <= y <= north + reach


def _passes(a: Point, b: Point, box: Bounds) -> bool:
    """Return False if a line is entirely to one side of a box."""
    (ax, ay), (bx, by), (west, south, east, north) = a, b, box
    return not (
        (ax < west - EPSILON and bx < west - EPSILON)
        or (ax > east + EPSILON and bx > east + EPSILON)
        or (ay < south - EPSILON and by < south - EPSILON)
        or (ay > north + EPSILON and by > north + EPSILON)
    )


def _reach(a: Point, b: Point) -> Bounds:
    """Return the box around a side, widened by the tolerance within which a line touches it."""
    west, south, east, north = bounds((a, b))
    return west - EPSILON, south - EPSILON, east + EPSILON, north + EPSILON


def _half_planes(points: tuple[Point, ...]) -> tuple[tuple[float, float, float, Point, Point], ...]:
    """Return the sides of a convex polygon, each as (nx, ny, c, start, end) with nx * x + ny * y >= c inside.

    Empty for a polygon that is not convex, or that winds round itself.
    """
    ring = [
        corner for before, corner in zip((points[-1], *points), points, strict=False) if dist(before, corner) > EPSILON
    ]
    if len(ring) < 3:
        return ()
    sides = []
    for start, end in edges(ring):
        length = dist(start, end)
        nx, ny = -(end[1] - start[1]) / length, (end[0] - start[0]) / length
        sides.append((nx, ny, nx * start[0] + ny * start[1], start, end))
    for sign in (1.0, -1.0):
        planes = tuple((sign * nx, sign * ny, sign * c, start, end) for nx, ny, c, start, end in sides)
        if all(nx * x + ny * y >= c - EPSILON for nx, ny, c, _, _ in planes for x, y in ring):
            return planes
    return ()


# --- Paths ------------------------------------------------------------------------------------------------------------
# Lines measured by the length along them: the position of a point, parts of a line, gaps, strips, and nearest passes.


_SHORTEST = 0.1
"""Pieces of a line between two gaps that are no longer than this are dropped."""


def distance_along(line: Points, point: Point) -> float:
    """Return the length along a line at which it is nearest to a point."""
    shortest, length, passed = inf, 0.0, 0.0
    for a, b in pairwise(line):
        at = nearest_on_segment(point, a, b)
        if (away := dist(at, point)) < shortest:
            shortest, length = away, passed + dist(a, at)
        passed += dist(a, b)
    return length


def cut_off(path: Points, reach: float) -> list[Point]:
    """Return a path cut off after some length, without repeated points."""
    points = [path[0]]
    for a, b in pairwise(path):
        leg = dist(a, b)
        if leg <= EPSILON:
            continue
        if leg >= reach:
            if reach > EPSILON:
                points.append((a[0] + (b[0] - a[0]) * reach / leg, a[1] + (b[1] - a[1]) * reach / leg))
            return points
        points.append(b)
        reach -= leg
    return points


class ClosestApproach(NamedTuple):
    """The closest approach of a straight path to a leg.

    `along` is the distance of this point from the start of the path, `gap` the distance between path and leg there.
    `on_path` is the point on the path, `on_leg` the point on the leg.
    """

    along: float
    gap: float
    on_path: Point
    on_leg: Point


def closest_approach(legs: Iterable[Sequence[Point]], a: Point, b: Point) -> ClosestApproach:
    """Return the closest approach of the path from a to b to any of the legs; of equals, the last on the path.

    The path must not touch any leg.
    """
    pairs: list[tuple[Point, Point]] = []
    for c, d in legs:
        pairs += [(point, nearest_on_segment(point, c, d)) for point in (a, b)]
        pairs += [(nearest_on_segment(point, a, b), point) for point in (c, d)]
    on_path, on_leg = min(pairs, key=lambda pair: (round(dist(*pair), 6), -dist(a, pair[0])))
    return ClosestApproach(dist(a, on_path), dist(on_path, on_leg), on_path, on_leg)


def gap_at(line: Points, point: Point, width: float) -> tuple[float, float]:
    """Return start and end of an opening of some width around a point, as lengths along a line."""
    middle = distance_along(line, point)
    return middle - width / 2, middle + width / 2


def part_of(line: Points, start: float, end: float) -> list[Point]:
    """Return the part of a line from one length along it to another."""
    points: list[Point] = []
    passed = 0.0
    for a, b in pairwise(line):
        length = dist(a, b)
        first, last = max(0.0, start - passed), min(length, end - passed)
        if first < last:
            ends = [(a[0] + (b[0] - a[0]) * t / length, a[1] + (b[1] - a[1]) * t / length) for t in (first, last)]
            points += ends if not points or dist(points[-1], ends[0]) > 1e-6 else ends[1:]
        passed += length
    return points


def parts_outside(line: Points, gaps: Iterable[tuple[float, float]]) -> list[list[Point]]:
    """Return the parts of a line outside some gaps, given as lengths along it."""
    whole = length(line)
    parts, start = [], 0.0
    for first, last in [*sorted(gaps), (whole, whole)]:
        if first - start > _SHORTEST:
            parts.append(part_of(line, start, min(first, whole)))
        start = max(start, last)
    return parts


def strips(line: Points, half: float) -> Iterator[Points]:
    """Yield a rectangle along each leg of a line, `half` to each side.

    Each is `half` longer at both ends, to fill the bends.
    """
    for (ax, ay), (bx, by) in pairwise(line):
        length = dist((ax, ay), (bx, by))
        if length == 0:
            continue
        ux, uy = (bx - ax) / length * half, (by - ay) / length * half
        yield (
            (ax - ux - uy, ay - uy + ux),
            (bx + ux - uy, by + uy + ux),
            (bx + ux + uy, by + uy - ux),
            (ax - ux + uy, ay - uy - ux),
        )


def mitre(line: Points, half: float) -> list[Point]:
    """Return the outline of a line of some width, `half` to each side, with mitred bends."""
    lefts = []
    for a, b in pairwise(line):
        length = dist(a, b)
        lefts.append((-(b[1] - a[1]) / length, (b[0] - a[0]) / length))
    sides = [_left_at(lefts[max(0, index - 1) : index + 1]) for index in range(len(line))]
    left = [(x + dx * half, y + dy * half) for (x, y), (dx, dy) in zip(line, sides, strict=True)]
    right = [(x - dx * half, y - dy * half) for (x, y), (dx, dy) in zip(line, sides, strict=True)]
    return left + right[::-1]


def _left_at(lefts: Sequence[Point]) -> Point:
    """Return the offset to the left of a line at a point, from the normals of the legs that meet there.

    It is longer at a bend, to keep the width of the line.
    """
    if len(lefts) == 1:
        return lefts[0]
    x, y = lefts[0][0] + lefts[1][0], lefts[0][1] + lefts[1][1]
    square = x * x + y * y
    factor = min(2.0, 2.0 / square) if square > 1e-9 else 1.0
    return x * factor, y * factor


def crossings(line: Points, path: Points) -> list[float]:
    """Return where a path crosses a line, as lengths along the line."""
    lengths, passed = [], 0.0
    for a, b in pairwise(line):
        length = dist(a, b)
        lengths += [passed + at * length for c, d in pairwise(path) if (at := crossing(a, b, c, d)) is not None]
        passed += length
    return lengths


# --- Table edges and compass directions: distances, nearest points and bearings ---------------------------------------


Edge: TypeAlias = Literal["north", "east", "south", "west"]
Wind: TypeAlias = Literal["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"]

EDGES: Final[tuple[Edge, ...]] = get_args(Edge)
WINDS: Final[tuple[Wind, ...]] = get_args(Wind)
OPPOSITE: Final[Mapping[str, Edge]] = {"north": "south", "east": "west", "south": "north", "west": "east"}
INWARD: Final[Mapping[str, Point]] = {
    "north": (0.0, -1.0),
    "east": (-1.0, 0.0),
    "south": (0.0, 1.0),
    "west": (1.0, 0.0),
}
"""The unit vector from an edge onto the table."""


def bearing_of(wind: str) -> float:
    """Return the bearing of a compass direction or of an edge.

    Raises ValueError for any other name.
    """
    return 45.0 * WINDS.index(wind)


def distances_to_edges(at: Point, extent: Point) -> dict[str, float]:
    """Return the distance of a point from each table edge, at right angles; `extent` is width and depth."""
    (x, y), (width, depth) = at, extent
    return {"north": depth - y, "east": width - x, "south": y, "west": x}


def nearest_on_edge(at: Point, extent: Point, edge: str) -> Point:
    """Return the point of an edge that is nearest to another point."""
    (x, y), (width, depth) = at, extent
    return {"north": (x, depth), "east": (width, y), "south": (x, 0.0), "west": (0.0, y)}[edge]


def middle_of_edge(extent: Point, edge: str) -> Point:
    """Return the middle of an edge of a table of this width and depth."""
    return nearest_on_edge((extent[0] / 2, extent[1] / 2), extent, edge)
