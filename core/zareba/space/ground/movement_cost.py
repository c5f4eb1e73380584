"""Terrain as one kind of mover meets it: the cost of paths, places where it may stand, and how far it can go."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from zareba.base.exact import dist
from zareba.space.field.free_table import FreeTable, Length, PathAdvance, Rate, Toll
from zareba.space.field.grid_index import GridIndex
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import (
    EPSILON,
    Bounds,
    Point,
    Points,
    about,
    bounds,
    bounds_meet,
    box_between,
    joint_box,
    length,
    up_to,
    widen,
)
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import TerrainArea, TerrainLine, lies_across

__all__ = ["CostOf", "Leg", "MovementCost"]

G = TypeVar("G")
O = TypeVar("O", TerrainArea, TerrainLine, TerrainArea | TerrainLine)
SHORT = 0.01
FAR = 1000.0
MOST_KEPT = 6_000

CostOf: TypeAlias = Callable[[TerrainPiece[G]], float | None]
"""The cost of a piece of terrain: per unit of length in an area, or for crossing a line; None if it is closed."""


class Leg(NamedTuple):
    """The result of a straight move: the end point, the allowance spent, and True if something stopped it."""

    point: Point
    spent: float
    barred: bool


class MovementCost(Generic[G]):
    """The cost of paths over a table's terrain for one kind of mover. Make one for each table and kind.

    Where several areas overlap, the most expensive counts. An area that is `over` others, such as a road or a ford,
    counts instead of them.
    """

    __slots__ = (
        "_boxes",
        "_closed",
        "_closed_ways",
        "_cost_of_shape",
        "_lines",
        "_not_plain",
        "_pieces",
        "_rate",
        "_round",
        "_shut",
        "_stand_off",
        "_table",
        "_walls",
        "_ways",
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
        stand_off: float = SHORT,
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
        self._closed_ways = tuple(p.shape for p in closed if isinstance(p.shape, TerrainArea) and p.over)
        self._walls = tuple(piece.shape for piece in closed if isinstance(piece.shape, TerrainLine))
        self._lines = tuple(piece for piece in relevant if not piece.is_area)
        self._ways = {p.name: p.shape for p in pieces if p.over and isinstance(p.shape, TerrainArea)}
        self._table = FreeTable.of(*extent, unit, pieces)
        self._rate: Rate = Lazy(self._dearest).__getitem__
        self._not_plain = GridIndex(*extent, [piece.shape for piece in relevant])
        self._shut = GridIndex(*extent, (*self._closed, *self._closed_ways))
        self._round: Lazy[tuple[Point, Point], tuple[Point, ...] | None] = LazyBetween(self._look_round, MOST_KEPT)

    def _dearest(self, names: tuple[str, ...]) -> float | None:
        """Return the cost of a unit of length where these areas overlap."""
        ways = [name for name in names if name in self._ways]
        costs = [self._pieces[name][1] for name in ways or names] or [self.bare]
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
        if any(_is_bare(span, (), short) for way in _about(self._closed_ways, a, b) for span in way.spans(a, b)):
            return False
        met = [span for area in _about(self._closed, a, b) for span in area.spans(a, b)]
        if met:
            ways = [span for way in _about(self._ways.values(), a, b) for span in way.spans(a, b)]
            if any(_is_bare(span, ways, short) for span in met):
                return False
        if not any(wall.meets(a, b) for wall in self._walls):
            return True
        return not self.march(a, b, FAR).barred

    def march(self, start: Point, goal: Point, allowance: float) -> Leg:
        """Return how far an allowance leads straight towards a goal.

        A mover stopped by a line stays `stand_off` away from it.
        """
        reach = dist(start, goal)
        if reach <= EPSILON or allowance <= 0:
            return Leg(start, 0.0, False)
        end = goal
        if reach > allowance / self.least:
            share = allowance / self.least / reach
            end = (start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1]))
        cost = self._even_cost(start, end)
        if cost == self.least:
            return Leg(end, min(cost * reach, allowance), False)
        if cost is not None:
            whole = cost * dist(start, end)
            if whole <= allowance + EPSILON:
                return Leg(end, min(whole, allowance), False)
            share = allowance / whole
            point = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            return Leg(point, allowance, False)
        found = self.advance((start, end), allowance)
        point = found.point
        if found.stopped_by is not None:
            back = SHORT if self._pieces[found.stopped_by][0].is_area else self._stand_off
            point = up_to(point, start, min(dist(start, point), back))
        return Leg(point, found.spent, found.stopped_by is not None)

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
            for line in self._too_dear(bounds(path), path[0], tolls, most - self.least * length(path)):
                if any(line.meets(a, b) for a, b in pairwise(path)):
                    return None
        return self._table.cost(path, self._rate, tolls, most)

    def is_barred(
        self, start: Point, goal: Point, room: float, toll: CostOf[G] | None = None, most: float = math.inf
    ) -> bool:
        """Return True if one line blocks all straight paths to places within `room` of a goal.

        A line blocks if it is closed or costs more than `most`; `toll` is as in `advance`.
        """
        west, south, east, north = box = about(goal, room)
        corners = (west, south), (west, north), (east, north), (east, south)
        return any(
            lies_across(TerrainLine(leg), (start,), corners)
            for line in self._too_dear(joint_box(box, (*start, *start)), start, self._tolls(toll), most)
            for leg in line.legs
        )

    def _too_dear(self, box: Bounds, start: Point, toll: Toll, left: float) -> Iterator[TerrainPiece[G]]:
        """Yield the lines that may be in a box and cost more than `left`, except those at which the mover starts."""
        for line in self._lines:
            if bounds_meet(box, line.box):
                cost = toll(line.name)
                if (cost is None or cost > left + SHORT) and line.distance(start) > SHORT:
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
        return None if any(way.meets(a, b) for way in _about(self._ways.values(), a, b)) else max(costs)

    def can_stand(self, point: Point) -> bool:
        """Return True if a point is on the table and its ground is not closed."""
        if not self._table.is_on_table(point):
            return False
        x, y = point
        return self._shut.is_open(x, y, x, y) or self._rate(self._table.areas_at(point)) is not None

    def way_round(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        """Return the shortest path that touches no closed ground, or None."""
        return self._round[start, goal]

    def _look_round(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        return self._table.way_round(start, goal, tuple([piece.name for piece in self.closed]))


def _about(outlines: Iterable[O], a: Point, b: Point) -> list[O]:
    """Return the outlines whose boxes touch the box of a line."""
    west, south, east, north = widen(box_between(a, b), EPSILON)
    found = []
    for outline in outlines:
        box = outline.box
        if west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north:
            found.append(outline)
    return found


def _is_bare(span: tuple[float, float], covers: Sequence[tuple[float, float]], short: float) -> bool:
    """Return True if a part of a stretch longer than `short` is under none of the covers."""
    start, end = span
    for cover in sorted(covers):
        if cover[0] - start > short:
            break
        start = max(start, cover[1])
    return end - start > short
