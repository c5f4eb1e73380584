"""Straight moves and paths over ground."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from math import ceil, inf
from typing import Any, Generic, NamedTuple, TypeVar

from zareba.base.exact import dist
from zareba.base.speedups import cached_attribute
from zareba.space.field.free_table import FreeTable, Length, PathStretch
from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import GridIndex
from zareba.space.geometry import Point
from zareba.space.ground.movement_cost import UNLIMITED, MovementCost, SharedPath, climb_of, runs_along, runs_over
from zareba.space.ground.terrain_window import OPEN_WINDOW, Height, TerrainWindow, TerrainWindows
from zareba.space.lazy import Lazy, LazyBetween

# --- Pathfinding ------------------------------------------------------------------------------------------------------
# Paths around closed ground and through costly ground, found on a coarse grid and cached: good, but not the shortest.


_CELLS_AHEAD = 6
"""How many cells of a path are searched for the farthest one that can be reached in a straight line."""
_MOST_GOALS = 128
"""The number of goals whose paths are cached."""
_NEIGHBOURS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
"""The cells around a cell, as (columns, rows): those across a side first."""


class Pathfinder:
    """For each goal, the cost of the path from every cell for one kind of mover, computed on demand."""

    __slots__ = ("_cell", "_columns", "_extent", "_movement_cost", "_onward", "_rows", "_steps")

    def __init__(self, movement_cost: MovementCost[Any], extent: Point, cell: float) -> None:
        """Set up for a table of `extent` (width, depth), with cells as wide as the narrowest gap to find."""
        self._movement_cost, self._extent, self._cell = movement_cost, extent, cell
        self._columns, self._rows = ceil(extent[0] / cell), ceil(extent[1] / cell)
        self._steps: Lazy[int, tuple[tuple[int, float], ...]] = Lazy(self._around)
        self._onward: Lazy[int, Lazy[int, int | None]] = Lazy(self._lead, _MOST_GOALS)

    def heading(self, start: Point, goal: Point) -> Point:
        """Return the first point to move straight to on the path from start to goal: the goal if the path is open.

        A mover in a corner, from which the next cell cannot be reached, first goes to the middle of the cell it is in.
        """
        is_open = self._movement_cost.is_open
        if is_open(start, goal):
            return goal
        cell, onward = self._cell_at(start), self._onward[self._cell_at(goal)]
        reached = start
        for _ in range(_CELLS_AHEAD):
            step = onward[cell]
            if step is None:
                return goal if reached is start else reached
            point = self._middle(step)
            if not is_open(start, point):
                if reached is start:
                    cell_middle = self._middle(cell)
                    reached = cell_middle if cell_middle != start and is_open(start, cell_middle) else point
                break
            reached, cell = point, step
        return reached

    def _lead(self, goal: int) -> Lazy[int, int | None]:
        """Return, by cell, the next cell on the path to a goal; None in the goal and where no path leads to it."""
        wave, steps = _CostsToGoal(self._columns * self._rows, goal, self._steps), self._steps

        def best(cell: int) -> int | None:
            costs = wave.costs_up_to(cell)
            cost, onward = min(((costs[other], other) for other, _ in steps[cell]), default=(inf, 0))
            return onward if cost < costs[cell] else None

        return Lazy(best)

    def _cell_at(self, point: Point) -> int:
        x = min(max(int(point[0] / self._cell), 0), self._columns - 1)
        y = min(max(int(point[1] / self._cell), 0), self._rows - 1)
        return y * self._columns + x

    def _middle(self, cell: int) -> Point:
        y, x = divmod(cell, self._columns)
        width, depth = self._extent
        return min((x + 0.5) * self._cell, width), min((y + 0.5) * self._cell, depth)

    def _around(self, cell: int) -> tuple[tuple[int, float], ...]:
        """Return the reachable cells around one, with their costs.

        Diagonal steps need both adjacent cells to be reachable.
        """
        y, x = divmod(cell, self._columns)
        centre = self._middle(cell)
        cost_by_step: dict[tuple[int, int], float] = {}
        for east, north in _NEIGHBOURS:
            to_x, to_y = x + east, y + north
            if not (0 <= to_x < self._columns and 0 <= to_y < self._rows):
                continue
            if east and north and not ((east, 0) in cost_by_step and (0, north) in cost_by_step):
                continue
            neighbour = self._middle(to_y * self._columns + to_x)
            leg = self._movement_cost.march(centre, neighbour, UNLIMITED)
            if not leg.is_blocked and self._movement_cost.can_stand(neighbour):
                cost_by_step[east, north] = leg.spent
        return tuple([(cell + north * self._columns + east, spent) for (east, north), spent in cost_by_step.items()])


class _CostsToGoal:
    """The costs of paths to a goal, computed outwards from it as far as they are needed."""

    __slots__ = ("_costs", "_done", "_queue", "_steps")

    def __init__(self, cells: int, goal: int, steps: Mapping[int, tuple[tuple[int, float], ...]]) -> None:
        self._steps = steps
        self._costs = [inf] * cells
        self._costs[goal] = 0.0
        self._queue = [(0.0, goal)]
        self._done: set[int] = set()

    def costs_up_to(self, wanted: int) -> list[float]:
        """Return all costs, final for this cell and for every cell with a lower cost."""
        costs, steps, queue, done = self._costs, self._steps, self._queue, self._done
        while queue and wanted not in done:
            cost, cell = heappop(queue)
            if cell in done:
                continue
            done.add(cell)
            for other, spent in steps[cell]:
                onward = cost + spent
                if onward < costs[other]:
                    costs[other] = onward
                    heappush(queue, (onward, other))
        return costs


# --- Straight moves over terrain: how difficult one is, what it costs, what blocks it, and if it is dangerous ---------


G = TypeVar("G")


class TerrainReading(NamedTuple):
    """The rules' data about a piece of terrain for movers.

    `difficulty`: a number from 0; one more than the worst means closed. `wall`: it has to be climbed, and is closed
    to movers that walls stop. `under`: other pieces may be on top of it, which then count instead. `along`: moving
    along its length has difficulty 0.
    """

    difficulty: int
    title: str
    wall: bool = False
    danger: bool = False
    under: bool = False
    along: bool = False


class StraightMove(NamedTuple):
    """A straight move.

    It holds the worst difficulty that the move touches, its cost, the title of what blocks it, and True if it is
    dangerous.
    """

    difficulty: int
    cost: float
    closed: str
    dangerous: bool


class StraightMoves(Generic[G]):
    """The properties of straight moves over a table's terrain. Make one for each table.

    `down` are the names of the buildings that have collapsed; their ground counts as ruins.
    """

    def __init__(
        self,
        extent: Point,
        unit: Length,
        windows: TerrainWindows[G],
        pieces: Sequence[TerrainPiece[G]],
        heights: Sequence[Height],
        readings: Mapping[str, TerrainReading],
        ruins: TerrainReading,
        costs: Sequence[float],
        *,
        whole: bool,
        climbed: float,
    ) -> None:
        """Set up with `readings` of each piece by its name and `costs`, the cost of a unit of length by difficulty.

        With `whole`, the worst ground that a move touches decides its whole cost. Otherwise each stretch is paid
        separately; a wall has no width, so its cost applies to the last `climbed` of the stretch before it.
        """
        self._extent, self._unit, self._windows = extent, unit, windows
        self._pieces, self._heights = tuple(pieces), tuple(heights)
        self._readings, self._ruins, self._costs = readings, ruins, tuple(costs)
        self.closed = len(self._costs)
        """The difficulty of ground that no mover may enter."""
        self._whole, self._climbed = whole, climbed
        self._covering = tuple(piece for piece in pieces if piece.over)
        self.slower: Lazy[tuple[int, bool], GridIndex] = LazyBetween(self._slower)
        """(difficulty, walls stop the mover) -> the squares that may hold worse ground."""

    @cached_attribute
    def table(self) -> FreeTable:
        """The measured table."""
        return FreeTable.of(*self._extent, self._unit, self._pieces)

    def _slower(self, most: int, stops: bool) -> GridIndex:
        return self._windows.squares(
            [piece for piece in self._pieces if self.difficulty_and_title(piece, stops)[0] > most],
            [hill for hill in self._heights if hill.difficulty > most],
        )

    def difficulty_and_title(
        self, piece: TerrainPiece[G], stops: bool, down: frozenset[str] = frozenset()
    ) -> tuple[int, str]:
        """Return the difficulty of a piece and its title; `stops` means that walls are closed to the mover."""
        reading = self._read(piece, down)
        return self.closed if reading.wall and stops else reading.difficulty, reading.title

    def _read(self, piece: TerrainPiece[G], down: frozenset[str]) -> TerrainReading:
        return self._ruins if down and piece.building in down and piece.building else self._readings[piece.name]

    def is_bridged(self, piece: TerrainPiece[G], point: Point) -> bool:
        """Return True if a piece is under others, and one of them is there at a point."""
        lies_under = bool(self._covering) and not piece.over and self._readings[piece.name].under
        return lies_under and any(other.holds(point) for other in self._covering)

    def areas_at(self, point: Point) -> list[TerrainPiece[G]]:
        """Return the areas that contain a point, without those that are covered by another there."""
        return self._uncovered([piece for piece in self._pieces if piece.holds(point)])

    def _uncovered(self, pieces: list[TerrainPiece[G]]) -> list[TerrainPiece[G]]:
        if len(pieces) > 1 and any(piece.over for piece in pieces):
            return [piece for piece in pieces if piece.over or not self._readings[piece.name].under]
        return pieces

    def shared_path(
        self, starts: Sequence[Point], window: TerrainWindow[G], stops: bool, down: frozenset[str]
    ) -> SharedPath[G]:
        """Return the shared path of figures at these places."""
        return SharedPath(
            starts,
            window,
            lambda most: self.slower[most, stops],
            lambda piece: self.difficulty_and_title(piece, stops, down)[0],
            lambda piece: self._readings[piece.name].under,
        )

    def of(
        self,
        a: Point,
        b: Point,
        stops: bool,
        down: frozenset[str] = frozenset(),
        window: TerrainWindow[G] | None = None,
    ) -> StraightMove:
        """Return the properties of a straight move; `stops` means that walls are closed.

        `window` is the terrain window of a larger rectangle, if the caller has it.
        """
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        length = dist(b, a)
        if window is None:
            window = self._windows.of((west, south, east, north))
        if window is OPEN_WINDOW:
            return StraightMove(0, length * self._costs[0], "", False)
        climb = climb_of(a, b, window.hills) if window.hills else 0
        near = []
        for piece in window.pieces:
            w, s, e, n = piece.box
            if w <= east and e >= west and s <= north and n >= south:
                near.append(piece)
        if not near:
            return StraightMove(climb, length * self._costs[climb], "", False)
        if self._whole:
            return self._move_over_worst_ground(a, b, stops, down, near, climb, length)
        return self._move_by_stretches(a, b, stops, down, climb)

    def _move_over_worst_ground(
        self,
        a: Point,
        b: Point,
        stops: bool,
        down: frozenset[str],
        near: list[TerrainPiece[G]],
        climb: int,
        length: float,
    ) -> StraightMove:
        """Return a move for which only the worst ground counts, so that it need not be cut into stretches."""
        worst, danger, readings = climb, False, self._readings
        bridged = [piece for piece in near if piece.over]
        for piece in near:
            difficulty, title, wall, dangerous, _, _ = self._read(piece, down) if down else readings[piece.name]
            if difficulty <= worst and not dangerous and not wall:
                continue
            if not piece.meets(a, b):
                continue
            if bridged and not runs_over(piece, bridged if self._lies_under(piece) else (), a, b):
                continue
            if difficulty == self.closed or (wall and stops):
                return StraightMove(worst, length, title, danger or dangerous)
            worst, danger = max(worst, difficulty), danger or dangerous
        return StraightMove(worst, length * self._costs[worst], "", danger)

    def _lies_under(self, piece: TerrainPiece[G]) -> bool:
        return not piece.over and self._readings[piece.name].under

    def _move_by_stretches(self, a: Point, b: Point, stops: bool, down: frozenset[str], climb: int) -> StraightMove:
        """Return a move that is paid stretch by stretch."""
        hardest, cost, danger, by_name = climb, 0.0, False, self._by_name
        for stretch in self.table.stretches((a, b)):
            worst = climb
            for piece in self._uncovered([by_name[name] for name in stretch.areas]):
                reading = self._read(piece, down)
                if reading.difficulty == self.closed:
                    return StraightMove(hardest, cost, reading.title, danger or reading.danger)
                eased = reading.along and self._keeps_along(stretch)
                worst = max(worst, 0 if eased else reading.difficulty)
                danger = danger or reading.danger
            ground = worst
            for name in stretch.crosses:
                reading = self._readings[name]
                if reading.wall and stops:
                    return StraightMove(hardest, cost, reading.title, danger)
                worst = max(worst, min(reading.difficulty, self.closed - 1))
                danger = danger or reading.danger
            hardest = max(hardest, worst)
            climbed = min(stretch.length, self._climbed)
            cost += (stretch.length - climbed) * self._costs[ground] + climbed * self._costs[worst]
        return StraightMove(hardest, cost, "", danger)

    @cached_attribute
    def _by_name(self) -> Mapping[str, TerrainPiece[Any]]:
        return {piece.name: piece for piece in self._pieces}

    def _keeps_along(self, stretch: PathStretch) -> bool:
        """Return True if a stretch runs along a piece that is easy along its length."""
        along = (self._by_name[name] for name in stretch.areas if self._readings[name].along)
        return any(runs_along(piece, stretch.start, stretch.end) for piece in along)


# --- The length of the way round closed ground ------------------------------------------------------------------------


class WayLengths:
    """The lengths of the shortest ways round closed ground, found on a coarse grid and cached for each goal.

    Ways that no step blocks are as long as the straight line. For AI players: lengths are estimates, not rules.
    """

    __slots__ = ("_cell", "_columns", "_rows", "_steps", "_waves", "is_open")

    def __init__(self, extent: Point, cell: float, is_open: Callable[[Point, Point], bool]) -> None:
        """Set up for a table of `extent` (width, depth). `is_open` returns True if a straight move is possible."""
        self._cell, self.is_open = cell, is_open
        self._columns, self._rows = ceil(extent[0] / cell), ceil(extent[1] / cell)
        self._steps: Lazy[int, tuple[tuple[int, float], ...]] = Lazy(self._around)
        self._waves: Lazy[int, _CostsToGoal] = Lazy(self._wave, _MOST_GOALS)

    def length(self, start: Point, goal: Point) -> float:
        """Return the length of the way from a point to a goal; infinite if there is none."""
        if self.is_open(start, goal):
            return dist(start, goal)
        wave = self._waves[self._cell_at(goal)]
        own = self._cell_at(start)
        near = (own, *[cell for cell, _ in self._steps[own]])
        return min(dist(start, self._middle(cell)) + wave.costs_up_to(cell)[cell] for cell in near)

    def _wave(self, goal: int) -> _CostsToGoal:
        return _CostsToGoal(self._columns * self._rows, goal, self._steps)

    def _cell_at(self, point: Point) -> int:
        x = min(max(int(point[0] / self._cell), 0), self._columns - 1)
        y = min(max(int(point[1] / self._cell), 0), self._rows - 1)
        return y * self._columns + x

    def _middle(self, cell: int) -> Point:
        y, x = divmod(cell, self._columns)
        return (x + 0.5) * self._cell, (y + 0.5) * self._cell

    def _around(self, cell: int) -> tuple[tuple[int, float], ...]:
        """Return the cells to which a straight move from the middle of one is open, with their distances."""
        y, x = divmod(cell, self._columns)
        here = self._middle(cell)
        found = []
        for east, north in _NEIGHBOURS:
            to_x, to_y = x + east, y + north
            if 0 <= to_x < self._columns and 0 <= to_y < self._rows:
                there = self._middle(to_y * self._columns + to_x)
                if self.is_open(here, there):
                    found.append((to_y * self._columns + to_x, dist(here, there)))
        return tuple(found)
