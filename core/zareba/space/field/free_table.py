"""Places and moves on a table without a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import pi
from typing import Any, Literal, NamedTuple, TypeAlias

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist, hypot, total
from zareba.base.grammar import amount
from zareba.space.bearings import angle_between, bearing_to, offset
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import EPSILON, Bounds, Point, Points, distance_to_path, edges, hull, middle_of
from zareba.space.lazy import Lazy
from zareba.space.outlines import EDGES, Edge, TerrainArea, TerrainLine, distances_to_edges

# --- Shortest paths around closed ground on an open table -------------------------------------------------------------


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

    def shortest_path(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        """Return the shortest path from start to goal, both included, or None if there is none.

        Neither end may touch closed ground. From a point to itself the path is that one point.
        """
        came_from: dict[Point, Point] = {}
        cheapest = {start: 0.0}
        settled: set[Point] = set()
        queue = [(dist(start, goal), start)]
        while queue:
            _, point = heappop(queue)
            if point == goal:
                path = [goal]
                while path[-1] in came_from:
                    path.append(came_from[path[-1]])
                return tuple(reversed(path))
            if point in settled:
                continue
            settled.add(point)
            for onward in (goal, *self._corners):
                total = cheapest[point] + dist(point, onward)
                if onward in settled or total >= cheapest.get(onward, float("inf")):
                    continue
                between_corners = point != start and onward != goal
                if self._open[point, onward] if between_corners else self.is_open(point, onward):
                    cheapest[onward] = total
                    came_from[onward] = point
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
    length = dist((0, 0), out)
    if length < EPSILON:
        return None
    return corner[0] + clearance * out[0] / length, corner[1] + clearance * out[1] / length


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


# --- An open table measured in inches or centimetres, with its terrain as polygons and lines --------------------------
#
# The table reports the terrain on a line or a path; the rules decide what it hinders, blocks or costs.


Length: TypeAlias = Literal["in", "cm"]
"""The unit in which a table is measured."""

_STOP_SHORT = 1e-3
"""The distance before a barrier at which a move stops, in units of length."""
_AT_EDGE = 1e-6
"""A point within this distance of an edge counts as on it."""
_PARALLEL = 1e-12
"""A direction with a smaller component than this across an edge runs parallel to it."""


class Crossing(NamedTuple):
    """A piece of terrain on a line, with the stretches inside it as (from, to) lengths along the line.

    For a linear piece that the line crosses, from equals to: the stretch has no length.
    """

    piece: str
    spans: tuple[tuple[float, float], ...]

    @property
    def length(self) -> float:
        """The length of line inside the piece."""
        return total(end - start for start, end in self.spans)


class PathStretch(NamedTuple):
    """A straight part of a path: the areas it runs through, and the linear pieces crossed at its end."""

    start: Point
    end: Point
    length: float
    areas: tuple[str, ...]
    crosses: tuple[str, ...]


class PathAdvance(NamedTuple):
    """The end of a move along a path: the point, the allowance spent, and the piece that stopped it, if one did."""

    point: Point
    spent: float
    stopped_by: str | None


Rate: TypeAlias = Callable[[tuple[str, ...]], float | None]
"""The cost of a unit of length in ground covered by these areas; None if it is closed."""

Toll: TypeAlias = Callable[[str], float | None]
"""The cost of crossing a linear piece; None if it cannot be crossed."""


class FreeTable:
    """An open rectangular table. Points are (x, y) from its south-west corner, in its unit of length."""

    __slots__ = ("_areas", "_boxes", "_detours", "_lines", "depth", "unit", "width")

    def __init__(
        self,
        width: float,
        depth: float,
        unit: Length,
        areas: Mapping[str, Points] | None = None,
        lines: Mapping[str, Points] | None = None,
    ) -> None:
        """Make a table; `areas` (polygons) and `lines` (open lines of two or more points) are by name, in `unit`."""
        self.width = width
        self.depth = depth
        self.unit = unit
        self._areas = {name: TerrainArea(_enough(name, points, 3)) for name, points in (areas or {}).items()}
        self._lines = {name: TerrainLine(_enough(name, points, 2)) for name, points in (lines or {}).items()}
        pieces: dict[str, TerrainArea | TerrainLine] = {**self._areas, **self._lines}
        self._boxes = [(name, piece, *_with_slack(piece.box)) for name, piece in pieces.items()]
        self._detours: Lazy[tuple[str, ...], Detours] = Lazy(self._find_path_around)
        if twice := next((name for name in self._lines if name in self._areas), None):
            raise ZarebaError(f"'{twice}' names both an area and a line of terrain; rename one")

    def __reduce__(self) -> tuple[type[FreeTable], tuple[object, ...]]:
        areas = {name: area.points for name, area in self._areas.items()}
        lines = {name: line.points for name, line in self._lines.items()}
        return FreeTable, (self.width, self.depth, self.unit, areas, lines)

    @classmethod
    def of(cls, width: float, depth: float, unit: Length, pieces: Iterable[TerrainPiece[Any]]) -> FreeTable:
        """Return a table with some pieces of terrain on it."""
        areas: dict[str, Points] = {}
        lines: dict[str, Points] = {}
        for piece in pieces:
            (areas if piece.is_area else lines)[piece.name] = piece.points
        return cls(width, depth, unit, areas, lines)

    @property
    def extent(self) -> Point:
        """Width and depth of the table."""
        return self.width, self.depth

    def is_on_table(self, point: Point) -> bool:
        """Return True if a point is on the table or on its edge."""
        return -EPSILON <= point[0] <= self.width + EPSILON and -EPSILON <= point[1] <= self.depth + EPSILON

    def distance(self, a: Point, b: Point) -> float:
        """Return the distance between two points."""
        return dist(a, b)

    def distance_to_edge(self, point: Point, edge: str) -> float:
        """Return the distance of a point from an edge of the table, at right angles to the edge."""
        return distances_to_edges(point, self.extent)[edge]

    def edge_at(self, point: Point, slack: float = _AT_EDGE) -> Edge | None:
        """Return the first table edge at most `slack` from a point on the table, or None."""
        (x, y), width, depth = point, self.width, self.depth
        if slack < x < width - slack and slack < y < depth - slack:
            return None
        away = distances_to_edges(point, self.extent)
        return next((edge for edge in EDGES if away[edge] <= slack), None)

    def nearest_point_inside(self, point: Point, room: float = 0.0) -> Point:
        """Return the nearest point on the table that is at least `room` from every edge."""
        return min(max(point[0], room), self.width - room), min(max(point[1], room), self.depth - room)

    def edge_point_towards(self, point: Point, direction: Point) -> Point:
        """Return where a straight line from a point of the table in a direction (a unit vector) reaches an edge."""
        length = hypot(self.width, self.depth)
        for coordinate, component, extent in (
            (point[0], direction[0], self.width),
            (point[1], direction[1], self.depth),
        ):
            if component > _PARALLEL:
                length = min(length, (extent - coordinate) / component)
            elif component < -_PARALLEL:
                length = min(length, coordinate / -component)
        return self.nearest_point_inside((point[0] + direction[0] * length, point[1] + direction[1] * length))

    # Terrain at a point

    def areas_at(self, point: Point) -> tuple[str, ...]:
        """Return the areas that contain a point, borders included, in the order they were given."""
        return tuple(name for name, area in self._areas.items() if area.holds(point))

    def distance_to_piece(self, point: Point, piece: str) -> float:
        """Return the distance of a point from a piece of terrain, 0 inside an area.

        Raises KeyError for an unknown piece.
        """
        outline = self._areas.get(piece) or self._lines[piece]
        return outline.distance(point)

    # Terrain on a line

    def crossed(self, a: Point, b: Point) -> tuple[Crossing, ...]:
        """Return the terrain on the straight line from a to b: areas, then linear pieces, in the order they were given.

        A line along the border of an area is inside it; a line that only touches the area is not. Areas at the two
        ends are included, and so are linear pieces on which an end lies.
        """
        length = dist(a, b)
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        crossings: list[Crossing] = []
        for name, piece, left, low, right, high in self._boxes:
            if left > east or right < west or low > north or high < south:
                continue
            if isinstance(piece, TerrainLine):
                lengths = tuple([(t * length, t * length) for t in piece.marks(a, b)])
            else:
                lengths = tuple([(t * length, u * length) for t, u in piece.spans(a, b) if (u - t) * length > EPSILON])
            if lengths:
                crossings.append(Crossing(name, lengths))
        return tuple(crossings)

    def sees(self, a: Point, b: Point, blocks: Callable[[Crossing], bool]) -> bool:
        """Return True if no piece of terrain on the straight line blocks it."""
        return not any(blocks(met) for met in self.crossed(a, b))

    # Moving

    def stretches(self, path: Points) -> Iterator[PathStretch]:
        """Yield a path of straight legs, cut wherever the ground changes or the path crosses a linear piece.

        A linear piece at the start of the path does not count as crossed; one at the end does.
        """
        for a, b in pairwise(path):
            length = dist(a, b)
            if length <= EPSILON:
                continue
            met = self.crossed(a, b)
            if not met:
                yield PathStretch(a, b, length, (), ())
                continue
            areas = [piece for piece in met if piece.spans[0][0] != piece.spans[0][1]]
            lines = [piece for piece in met if piece.spans[0][0] == piece.spans[0][1]]
            cuts = {0.0, length}
            for piece in met:
                for span in piece.spans:
                    cuts.update(span)
            for start, end in pairwise(_without_repeats(sorted(cuts))):
                middle = (start + end) / 2
                yield PathStretch(
                    _at(a, b, start / length),
                    _at(a, b, end / length),
                    end - start,
                    tuple([piece.piece for piece in areas if _holds(piece, middle, 0.0)]),
                    tuple([piece.piece for piece in lines if _holds(piece, end, EPSILON)]),
                )

    def cost(self, path: Points, rate: Rate, toll: Toll, most: float = math.inf) -> float | None:
        """Return the cost of a path, or None if it is closed somewhere or costs more than `most`."""
        whole = 0.0
        for stretch in self.stretches(path):
            cost = rate(stretch.areas)
            if cost is None:
                return None
            whole += cost * stretch.length
            for line in stretch.crosses:
                crossing_cost = toll(line)
                if crossing_cost is None:
                    return None
                whole += crossing_cost
            if whole > most:
                return None
        return whole

    def advance(self, path: Points, allowance: float, rate: Rate, toll: Toll) -> PathAdvance:
        """Return the last point of a path that an allowance reaches.

        A mover stops before closed ground. It stops just short of a linear piece that it cannot pay for in full, so
        that the piece is still ahead in its next move.
        """
        point, spent = path[0], 0.0
        for stretch in self.stretches(path):
            cost = rate(stretch.areas)
            if cost is None:
                return PathAdvance(point, spent, stretch.areas[-1] if stretch.areas else None)
            whole = cost * stretch.length
            left = allowance - spent
            if whole > left + EPSILON:
                return PathAdvance(_at(stretch.start, stretch.end, left / whole), allowance, None)
            tolls = [(line, toll(line)) for line in stretch.crosses]
            costs = [cost for _, cost in tolls if cost is not None]
            barred = next((line for line, cost in tolls if cost is None), None)
            if tolls and (barred is not None or whole + total(costs) > left + EPSILON):
                kept = max(0.0, stretch.length - _STOP_SHORT) / stretch.length
                short = _at(stretch.start, stretch.end, kept)
                return PathAdvance(short, spent + kept * whole, barred or tolls[0][0])
            point, spent = stretch.end, min(allowance, spent + whole + total(costs))
        return PathAdvance(point, spent, None)

    def path_around(self, start: Point, goal: Point, closed: tuple[str, ...]) -> tuple[Point, ...] | None:
        """Return the shortest path between two points that touches none of the closed pieces, or None.

        Raises KeyError for an unknown piece.
        """
        return self._detours[closed].shortest_path(start, goal)

    def _find_path_around(self, closed: tuple[str, ...]) -> Detours:
        return Detours(
            self.extent,
            [self._areas[name] for name in closed if name in self._areas],
            [self._lines[name] for name in closed if name not in self._areas],
        )


def _enough(name: str, points: Points, least: int) -> Points:
    if len(points) < least:
        raise ZarebaError(f"terrain '{name}' needs at least {amount(least, 'point')}, not {len(points)}")
    return points


def _with_slack(box: Bounds) -> Bounds:
    """Return a box widened by the tolerance within which a line touches it."""
    return box[0] - EPSILON, box[1] - EPSILON, box[2] + EPSILON, box[3] + EPSILON


def _at(a: Point, b: Point, t: float) -> Point:
    return b if t >= 1 else (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))


def _holds(piece: Crossing, mark: float, slack: float) -> bool:
    for start, end in piece.spans:  # noqa: SIM110  # twice as fast as any() with a generator
        if start - slack <= mark <= end + slack:
            return True
    return False


def _without_repeats(marks: list[float]) -> list[float]:
    """Return the marks in order, without those that differ from the one before only by rounding."""
    separate: list[float] = []
    for mark in marks:
        if not separate or mark - separate[-1] > EPSILON:
            separate.append(mark)
    return separate


# --- Places in a formation: ranks and rings of figures, and their points on the table ---------------------------------


@lru_cache(maxsize=4096)
def rank_positions(
    count: int, files: int, apart: float, *, deep: int = 0, in_files: bool = False, middle_first: bool = False
) -> tuple[Point, ...]:
    """Return each figure's place in ranks of `files` figures, as (to the right, ahead) from the middle.

    With `deep`, places are as if there were that many ranks. A rank that is not full is centred behind the others.
    With `in_files` each figure in it is behind another, half a file to the right if necessary. Places are listed from
    the left of the front rank; with `middle_first`, each rank is listed from its middle.
    """
    if not count:
        return ()
    positions: list[Point] = []
    deep = deep or -(-count // files)
    for first in range(0, count, files):
        in_rank = min(files, count - first)
        shift = 0.5 if in_files and (files - in_rank) % 2 else 0.0
        places = [place - (in_rank - 1) / 2 for place in range(in_rank)]
        if middle_first:
            places.sort(key=abs)
        positions += [(place * apart + shift * apart, ((deep - 1) / 2 - first // files) * apart) for place in places]
    return tuple(positions)


def place_formation(places: Iterable[Point], at: Point, ahead: Point) -> list[Point]:
    """Return the points of formation places around `at`, facing along the unit vector `ahead`."""
    (x, y), (east, north) = at, ahead
    return [(x + aside * north + on * east, y - aside * east + on * north) for aside, on in places]


def in_ring(count: int, apart: float, least: float) -> list[Point]:
    """Return the places of `count` figures in a ring around the origin, from the north.

    They are `apart` along the ring, or further if needed for a circumference of at least `least`.
    """
    across = max(count * apart, least) / (2 * pi)
    return [offset((0.0, 0.0), 360 * index / count, across) for index in range(count)]


def faces_out(points: Points, facings: Sequence[float], outline: float, turn: float) -> bool:
    """Return True if figures form a ring that looks outwards.

    Each must be within `outline` of the convex hull of all, and face away from its middle, at most `turn` degrees off.
    """
    corners, middle = hull(points), middle_of(points)
    ring = (*corners, corners[0])
    for at, facing in zip(points, facings, strict=True):
        if distance_to_path(at, ring) > outline:
            return False
        if at != middle and angle_between(facing, bearing_to(middle, at)) > turn:
            return False
    return True
