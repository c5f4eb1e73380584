"""The difficulty of ground, and what movement over it costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from zareba.base.exact import dist
from zareba.space.field.free_table import FreeTable, Length, PathAdvance, Rate, Toll
from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import GridIndex
from zareba.space.geometry import (
    EPSILON,
    Bounds,
    Point,
    Points,
    bounds,
    box_around,
    box_between,
    boxes_meet,
    joint_box,
    length,
    up_to,
    widen,
)
from zareba.space.ground.terrain_window import Height, TerrainWindow
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import TerrainArea, TerrainLine, lies_across

# --- Terrain as one kind of mover meets it: the cost of paths, places where it may stand, and how far it can go -------


G = TypeVar("G")
O = TypeVar("O", TerrainArea, TerrainLine, TerrainArea | TerrainLine)
_TOLERANCE = 0.01
"""The distance from closed ground at which a move stops, and the slack of lengths and costs."""
UNLIMITED = 1000.0
"""An allowance above the cost of any move, to find out if a way is open."""
MOST_CACHED = 6_000

CostOf: TypeAlias = Callable[[TerrainPiece[G]], float | None]
"""The cost of a piece of terrain: per unit of length in an area, or for crossing a line; None if it is closed."""


class Leg(NamedTuple):
    """The result of a straight move: the end point, the allowance spent, and True if something stopped it."""

    point: Point
    spent: float
    is_blocked: bool


class MovementCost(Generic[G]):
    """The cost of paths over a table's terrain for one kind of mover. Make one for each table and kind.

    Where several areas overlap, the most expensive counts. An area that is `over` others, such as a road or a ford,
    counts instead of them.
    """

    __slots__ = (
        "_boxes",
        "_closed",
        "_closed_crossings",
        "_cost_of_shape",
        "_crossings",
        "_legs",
        "_lines",
        "_not_plain",
        "_pieces",
        "_rate",
        "_round",
        "_shut",
        "_stand_off",
        "_table",
        "_walls",
        "bare",
        "closed",
        "least",
    )

    def __init__(
        self,
        extent: Point,
        unit: Length,
        pieces: Sequence[TerrainPiece[G]],
        cost_of: CostOf[G],
        *,
        bare: float = 1.0,
        stand_off: float = _TOLERANCE,
    ) -> None:
        """Set up the costs for one kind of mover.

        `bare` is the cost of open ground. `stand_off` is the distance from a line at which a stopped mover stays.
        Pieces that do not change the cost may be left out.
        """
        self.bare = bare
        costs = {piece.name: cost_of(piece) for piece in pieces}
        self.least = min(
            [bare, *(cost for piece in pieces if piece.is_area and (cost := costs[piece.name]) is not None)]
        )

        def matters(piece: TerrainPiece[G]) -> bool:
            cost = costs[piece.name]
            return cost is None or (cost != bare or self.least < bare if piece.is_area else cost != 0.0)

        relevant = [piece for piece in pieces if matters(piece)]
        self.closed = closed = tuple([piece for piece in relevant if costs[piece.name] is None])
        """The pieces that no mover may enter or cross."""
        self._pieces: Mapping[str, tuple[TerrainPiece[G], float | None]] = {p.name: (p, costs[p.name]) for p in pieces}
        self._stand_off = stand_off
        self._boxes = tuple(widen(piece.box, EPSILON) for piece in relevant)
        self._cost_of_shape: Mapping[TerrainArea | TerrainLine, float | None] = {
            piece.shape: costs[piece.name] for piece in relevant
        }
        self._closed = tuple(p.shape for p in closed if isinstance(p.shape, TerrainArea) and not p.over)
        self._closed_crossings = tuple(p.shape for p in closed if isinstance(p.shape, TerrainArea) and p.over)
        self._walls = tuple(piece.shape for piece in closed if isinstance(piece.shape, TerrainLine))
        self._lines = tuple(piece for piece in relevant if not piece.is_area)
        self._legs = {line.name: [TerrainLine(leg) for leg in line.legs] for line in self._lines}
        self._crossings = {p.name: p.shape for p in pieces if p.over and isinstance(p.shape, TerrainArea)}
        self._table = FreeTable.of(*extent, unit, pieces)
        self._rate: Rate = Lazy(self._highest_toll).__getitem__
        self._not_plain = GridIndex(*extent, [piece.shape for piece in relevant])
        self._shut = GridIndex(*extent, (*self._closed, *self._closed_crossings))
        self._round: Lazy[tuple[Point, Point], tuple[Point, ...] | None] = LazyBetween(
            self._find_path_around, MOST_CACHED
        )

    def _highest_toll(self, names: tuple[str, ...]) -> float | None:
        """Return the cost of a unit of length where these areas overlap."""
        crossings = [name for name in names if name in self._crossings]
        costs = [self._pieces[name][1] for name in crossings or names] or [self.bare]
        return None if None in costs else max(cost for cost in costs if cost is not None)

    def _toll(self, line: str) -> float | None:
        """Return the cost of crossing a line."""
        return self._pieces[line][1]

    def _tolls(self, toll: CostOf[G] | None) -> Toll:
        """Return the cost function for lines, with `toll` in place of the usual cost of lines that are not closed."""
        if toll is None:
            return self._toll
        pieces = self._pieces
        return lambda line: None if pieces[line][1] is None else toll(pieces[line][0])

    def is_plain(self, box: Bounds) -> bool:
        """Return True if no terrain that changes the cost is in a box, judged by the bounding boxes of the pieces."""
        west, south, east, north = box
        for left, low, right, high in self._boxes:  # twice as fast as any() with a generator
            if left <= east and right >= west and low <= north and high >= south:
                return False
        return True

    def is_open(self, a: Point, b: Point) -> bool:
        """Return True if a mover with enough allowance can go straight from a to b."""
        if self._not_plain.is_open(*box_between(a, b)):
            return True
        short = EPSILON / (dist(a, b) or 1.0)
        if any(
            _is_bare(span, (), short)
            for covering in _about(self._closed_crossings, a, b)
            for span in covering.spans(a, b)
        ):
            return False
        met = [span for area in _about(self._closed, a, b) for span in area.spans(a, b)]
        if met:
            spans = [span for covering in _about(self._crossings.values(), a, b) for span in covering.spans(a, b)]
            if any(_is_bare(span, spans, short) for span in met):
                return False
        if not any(wall.meets(a, b) for wall in self._walls):
            return True
        return not self.march(a, b, UNLIMITED).is_blocked

    def march(self, start: Point, goal: Point, allowance: float) -> Leg:
        """Return how far an allowance leads straight towards a goal.

        A mover stopped by a line stays `stand_off` away from it.
        """
        length = dist(start, goal)
        if length <= EPSILON or allowance <= 0:
            return Leg(start, 0.0, False)
        end = goal
        if length > allowance / self.least:
            share = allowance / self.least / length
            end = (start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1]))
        cost = self._even_cost(start, end)
        if cost == self.least:
            return Leg(end, min(cost * length, allowance), False)
        if cost is not None:
            whole = cost * dist(start, end)
            if whole <= allowance + EPSILON:
                return Leg(end, min(whole, allowance), False)
            share = allowance / whole
            point = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            return Leg(point, allowance, False)
        advance = self.advance((start, end), allowance)
        point = advance.point
        if advance.stopped_by is not None:
            back = _TOLERANCE if self._pieces[advance.stopped_by][0].is_area else self._stand_off
            point = up_to(point, start, min(dist(start, point), back))
        return Leg(point, advance.spent, advance.stopped_by is not None)

    def advance(self, path: Points, allowance: float, toll: CostOf[G] | None = None) -> PathAdvance:
        """Return the last point of a path that an allowance reaches, like `FreeTable.advance`.

        `toll` replaces the usual cost of lines that are not closed.
        """
        return self._table.advance(path, allowance, self._rate, self._tolls(toll))

    def cost(self, path: Points, toll: CostOf[G] | None = None, most: float = math.inf) -> float | None:
        """Return the cost of a path, or None if it is closed somewhere or costs more than `most`.

        `toll` is as in `advance`.
        """
        tolls = self._tolls(toll)
        if most < math.inf and self._lines:
            start = path[0]
            for line in self._too_costly_pieces(bounds(path), tolls, most - self.least * length(path)):
                for a, b in pairwise(path):
                    if line.meets(a, b) and line.distance(start) > _TOLERANCE:
                        return None
        return self._table.cost(path, self._rate, tolls, most)

    def is_barred(
        self, start: Point, goal: Point, room: float, toll: CostOf[G] | None = None, most: float = math.inf
    ) -> bool:
        """Return True if one line blocks all straight paths to places within `room` of a goal.

        A line blocks if it is closed or costs more than `most`; `toll` is as in `advance`.
        """
        west, south, east, north = box = box_around(goal, room)
        corners = (west, south), (west, north), (east, north), (east, south)
        for line in self._too_costly_pieces(joint_box(box, (*start, *start)), self._tolls(toll), most):
            for leg in self._legs[line.name]:
                if lies_across(leg, (start,), corners) and line.distance(start) > _TOLERANCE:
                    return True
        return False

    def _too_costly_pieces(self, box: Bounds, toll: Toll, left: float) -> Iterator[TerrainPiece[G]]:
        """Yield the lines that may be in a box and cost more than `left`. A mover may cross one at which it starts."""
        for line in self._lines:
            if boxes_meet(box, line.box):
                cost = toll(line.name)
                if cost is None or cost > left + _TOLERANCE:
                    yield line

    def _even_cost(self, a: Point, b: Point) -> float | None:
        """Return the cost of a unit of length if it is certainly the same all along a straight line; otherwise None."""
        if self._not_plain.is_open(*box_between(a, b)):
            return self.bare
        costs = []
        for outline in _about(self._cost_of_shape, a, b):
            if isinstance(outline, TerrainLine):
                if outline.meets(a, b):
                    return None
                continue
            spans = outline.spans(a, b)
            if spans:
                cost = self._cost_of_shape[outline]
                if cost is None or spans[0] != (0.0, 1.0):
                    return None
                costs.append(cost)
        if not costs:
            return self.bare
        return None if any(crossing.meets(a, b) for crossing in _about(self._crossings.values(), a, b)) else max(costs)

    def can_stand(self, point: Point) -> bool:
        """Return True if a point is on the table and its ground is not closed."""
        if not self._table.is_on_table(point):
            return False
        x, y = point
        return self._shut.is_open(x, y, x, y) or self._rate(self._table.areas_at(point)) is not None

    def path_around(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        """Return the shortest path that touches no closed ground, or None."""
        return self._round[start, goal]

    def _find_path_around(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        return self._table.path_around(start, goal, tuple([piece.name for piece in self.closed]))


def _about(outlines: Iterable[O], a: Point, b: Point) -> list[O]:
    """Return the outlines whose boxes touch the box of a line."""
    west, south, east, north = widen(box_between(a, b), EPSILON)
    touched = []
    for outline in outlines:
        box = outline.box
        if west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north:
            touched.append(outline)
    return touched


def _is_bare(span: tuple[float, float], covers: Sequence[tuple[float, float]], short: float) -> bool:
    """Return True if a part of a stretch longer than `short` is under none of the covers."""
    start, end = span
    for cover in sorted(covers):
        if cover[0] - start > short:
            break
        start = max(start, cover[1])
    return end - start > short


# --- Difficulty -------------------------------------------------------------------------------------------------------
# Terrain difficulty, a number from 0: slopes and terrain on a straight path, and what blocks figures that move in
# parallel.


def climb_of(a: Point, b: Point, hills: Sequence[Height]) -> int:
    """Return the difficulty of the steepest rise on a straight path; 0 if it does not gain height."""
    start, steepest = 0.0, 0
    higher = []
    for hill in hills:
        if not hill.shape.holds(a):
            higher.append(hill)
        elif hill.top > start:
            start = hill.top
    for hill in higher:
        if hill.top > start and hill.difficulty > steepest and hill.shape.meets(a, b):
            steepest = hill.difficulty
    return steepest


def runs_over(piece: TerrainPiece[Any], covers: Sequence[TerrainPiece[Any]], a: Point, b: Point) -> bool:
    """Return True if a straight path runs over part of an area, or crosses a line after the path's start.

    Stretches on top of the piece, on its `covers` (always areas), do not count.
    """
    length = dist(a, b)
    if isinstance(piece.shape, TerrainLine):
        return any(t * length > EPSILON for t in piece.shape.marks(a, b))
    covering_shapes = [cover.shape for cover in covers if cover.meets(a, b)]
    if not covering_shapes and piece.shape.is_convex:
        inner = piece.shape.chord(a, b, -EPSILON)
        if inner is not None and (inner[1] - inner[0]) * length > EPSILON:
            return True  # clearly inside for some length: the exact stretch does not matter
    parts = piece.shape.spans(a, b)
    for shape in covering_shapes:
        assert isinstance(shape, TerrainArea), "only areas can be on top of other ground"
        for start, end in shape.spans(a, b):
            parts = [
                part
                for first, last in parts
                for part in ((first, min(last, start)), (max(first, end), last))
                if part[0] < part[1]
            ]
    return any((end - start) * length > EPSILON for start, end in parts)


def runs_along(piece: TerrainPiece[Any], a: Point, b: Point) -> bool:
    """Return True if a straight path runs along a strip, at most 45 degrees off its longest side."""
    (cx, cy), (dx, dy) = max(piece.legs, key=lambda side: dist(*side))
    (px, py), (qx, qy) = a, b
    along = (dx - cx) * (qx - px) + (dy - cy) * (qy - py)
    across = (dx - cx) * (qy - py) - (dy - cy) * (qx - px)
    return abs(along) >= abs(across)


class SharedPath(Generic[G]):
    """Figures at `starts` that all move by the same vector, for trying many vectors.

    No figure may touch ground more difficult than the move allows. Each piece is tested against all figures. The pair
    of figure and piece that blocked the last move is tried first, because the next move is often a shorter one in the
    same direction.
    """

    __slots__ = ("_covering", "_difficulty", "_last", "_lies_under", "_slower", "_squares", "_starts", "_window")

    def __init__(
        self,
        starts: Sequence[Point],
        window: TerrainWindow[G],
        squares: Callable[[int], GridIndex],
        difficulty: Callable[[TerrainPiece[G]], int],
        lies_under: Callable[[TerrainPiece[G]], bool],
    ) -> None:
        """Set up for figures at `starts`; `window` holds all terrain they may reach.

        `difficulty` returns the difficulty of a piece for them. `squares` returns the index of worse ground.
        `lies_under` returns True if other pieces may be on top of a piece, which then count instead of it.
        """
        self._window, self._starts, self._difficulty, self._squares = window, starts, difficulty, squares
        self._lies_under = lies_under
        self._covering = [piece for piece in window.pieces if piece.over]
        self._slower: dict[int, list[tuple[TerrainPiece[G], int]]] = {}
        self._last: tuple[TerrainPiece[G], int, Point] | None = None

    def blocker(self, dx: float, dy: float, sweep: Bounds, most: int) -> TerrainPiece[G] | Height | None:
        """Return the piece or rise that blocks a move; None if nothing does.

        No figure may touch ground worse than `most`. `sweep` is the box that the figures move over.
        """
        if self._squares(most).is_open(*sweep):
            return None
        west, south, east, north = sweep
        west, south, east, north = west - EPSILON, south - EPSILON, east + EPSILON, north + EPSILON
        covering = [
            piece
            for piece in self._covering
            if (box := piece.box)[0] <= east and west <= box[2] and box[1] <= north and south <= box[3]
        ]
        if self._last is not None:
            piece, difficulty, (x, y) = self._last
            if difficulty > most and self._meets(piece, covering, (x, y), (x + dx, y + dy)):
                return piece
        for piece, difficulty in self._worse_than(most):
            box = piece.box
            if box[0] > east or west > box[2] or box[1] > north or south > box[3]:
                continue
            if not piece.may_meet(sweep):
                continue
            for x, y in self._starts:
                if self._meets(piece, covering, (x, y), (x + dx, y + dy)):
                    self._last = piece, difficulty, (x, y)
                    return piece
        for hill in self._window.hills:
            if hill.difficulty > most and boxes_meet(hill.shape.box, sweep) and hill.shape.may_meet(sweep):
                for x, y in self._starts:
                    if climb_of((x, y), (x + dx, y + dy), self._window.hills) > most:
                        return hill
        return None

    def _worse_than(self, difficulty_limit: int) -> list[tuple[TerrainPiece[G], int]]:
        slower_pieces = self._slower.get(difficulty_limit)
        if slower_pieces is None:
            with_difficulty = [(piece, self._difficulty(piece)) for piece in self._window.pieces]
            slower_pieces = self._slower[difficulty_limit] = [
                (piece, difficulty) for piece, difficulty in with_difficulty if difficulty > difficulty_limit
            ]
        return slower_pieces

    def _meets(self, piece: TerrainPiece[G], covering: Sequence[TerrainPiece[G]], a: Point, b: Point) -> bool:
        """Return True if a path meets a piece.

        If something may be on top of the piece, the path must run over the piece itself.
        """
        if not piece.meets(a, b):
            return False
        if not covering:
            return True
        return runs_over(piece, () if piece.over or not self._lies_under(piece) else covering, a, b)
