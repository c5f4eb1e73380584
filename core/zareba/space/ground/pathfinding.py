"""Paths around closed ground and through costly ground, found on a coarse grid and cached: good, but not the shortest."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from math import ceil, inf
from typing import Any

from zareba.space.geometry import Point
from zareba.space.ground.movement_cost import FAR, MovementCost
from zareba.space.lazy import Lazy

__all__ = ["Pathfinder"]

AHEAD = 6
MOST_GOALS = 128
"""The number of goals whose paths are cached."""
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))


class Pathfinder:
    """For each goal, the cost of the path from every cell for one kind of mover, computed on demand."""

    __slots__ = ("_cell", "_columns", "_extent", "_movement_cost", "_onward", "_rows", "_steps")

    def __init__(self, movement_cost: MovementCost[Any], extent: Point, cell: float) -> None:
        """Set up for a table of `extent` (width, depth), with cells as wide as the narrowest gap to find."""
        self._movement_cost, self._extent, self._cell = movement_cost, extent, cell
        self._columns, self._rows = ceil(extent[0] / cell), ceil(extent[1] / cell)
        self._steps: Lazy[int, tuple[tuple[int, float], ...]] = Lazy(self._around)
        self._onward: Lazy[int, Lazy[int, int | None]] = Lazy(self._lead, MOST_GOALS)

    def heading(self, start: Point, goal: Point) -> Point:
        """Return the first point to move straight to on the path from start to goal: the goal if the path is open.

        A mover in a corner, from which the next cell cannot be reached, first goes to the middle of the cell it is in.
        """
        is_open = self._movement_cost.is_open
        if is_open(start, goal):
            return goal
        cell, onward = self._cell_at(start), self._onward[self._cell_at(goal)]
        here = start
        for _ in range(AHEAD):
            step = onward[cell]
            if step is None:
                return goal if here is start else here
            point = self._middle(step)
            if not is_open(start, point):
                if here is start:
                    own = self._middle(cell)
                    here = own if own != start and is_open(start, own) else point
                break
            here, cell = point, step
        return here

    def _lead(self, goal: int) -> Lazy[int, int | None]:
        """Return, by cell, the next cell on the path to a goal; None in the goal and where no path leads to it."""
        wave, steps = _Wave(self._columns * self._rows, goal, self._steps), self._steps

        def best(cell: int) -> int | None:
            costs = wave.reach(cell)
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
        here = self._middle(cell)
        found: dict[tuple[int, int], float] = {}
        for east, north in STEPS:
            to_x, to_y = x + east, y + north
            if not (0 <= to_x < self._columns and 0 <= to_y < self._rows):
                continue
            if east and north and not ((east, 0) in found and (0, north) in found):
                continue
            there = self._middle(to_y * self._columns + to_x)
            leg = self._movement_cost.march(here, there, FAR)
            if not leg.barred and self._movement_cost.can_stand(there):
                found[east, north] = leg.spent
        return tuple([(cell + north * self._columns + east, spent) for (east, north), spent in found.items()])


class _Wave:
    """The costs of paths to a goal, computed outwards from it as far as they are needed."""

    __slots__ = ("_costs", "_done", "_queue", "_steps")

    def __init__(self, cells: int, goal: int, steps: Mapping[int, tuple[tuple[int, float], ...]]) -> None:
        self._steps = steps
        self._costs = [inf] * cells
        self._costs[goal] = 0.0
        self._queue = [(0.0, goal)]
        self._done: set[int] = set()

    def reach(self, wanted: int) -> list[float]:
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
