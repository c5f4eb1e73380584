"""Ways round closed ground, found on a coarse grid and kept, for suggestions and for men cut off (not a rule)."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from math import ceil, inf

from zareba.space import Point
from zareba.space.lazy import Lazy
from zareba_rulesets.paychest.ground.field import Field

__all__ = ["Ways"]

CELL = 2.0
AHEAD = 6


class Ways:
    """For each sort of mover and each goal, the price of the way from every cell; made when first asked."""

    __slots__ = ("_columns", "_field", "_onward", "_rows", "_steps")

    def __init__(self, field: Field) -> None:
        self._field = field
        self._columns = ceil(field.table.width / CELL)
        self._rows = ceil(field.table.depth / CELL)
        self._steps: Lazy[str, Lazy[int, tuple[tuple[int, float], ...]]] = Lazy(
            lambda column: Lazy(lambda cell: self._around(column, cell))
        )
        self._onward: Lazy[tuple[str, int], Lazy[int, int | None]] = Lazy(self._lead)

    def heading(self, start: Point, goal: Point, column: str) -> Point:
        """Where to go straight first on the way from start to goal: the goal itself where the way is open.

        Who stands in a corner from which the next cell is barred goes to the middle of his own first.
        """
        is_open = self._field.is_open
        if is_open(start, goal, column):
            return goal
        cell, onward = self._cell(start), self._onward[column, self._cell(goal)]
        here = start
        for _ in range(AHEAD):
            step = onward[cell]
            if step is None:
                return goal if here is start else here
            point = self._middle(step)
            if not is_open(start, point, column):
                if here is start:
                    own = self._middle(cell)
                    here = own if own != start and is_open(start, own, column) else point
                break
            here, cell = point, step
        return here

    def _lead(self, key: tuple[str, int]) -> Lazy[int, int | None]:
        """For each cell the next on the way to a goal; None where there is none, as in the goal itself."""
        wave, steps = _Wave(self._columns * self._rows, key[1], self._steps[key[0]]), self._steps[key[0]]

        def best(cell: int) -> int | None:
            prices = wave.reach(cell)
            price, onward = min(((prices[other], other) for other, _ in steps[cell]), default=(inf, 0))
            return onward if price < prices[cell] else None

        return Lazy(best)

    def _cell(self, point: Point) -> int:
        x = min(max(int(point[0] / CELL), 0), self._columns - 1)
        y = min(max(int(point[1] / CELL), 0), self._rows - 1)
        return y * self._columns + x

    def _middle(self, cell: int) -> Point:
        y, x = divmod(cell, self._columns)
        width, depth = self._field.table.extent
        return min((x + 0.5) * CELL, width), min((y + 0.5) * CELL, depth)

    def _around(self, column: str, cell: int) -> tuple[tuple[int, float], ...]:
        """The cells beside one that can be gone to, with the prices; nobody cuts a corner between two that cannot."""
        y, x = divmod(cell, self._columns)
        here = self._middle(cell)
        found: dict[tuple[int, int], float] = {}
        for east, north in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)):
            to_x, to_y = x + east, y + north
            if not (0 <= to_x < self._columns and 0 <= to_y < self._rows):
                continue
            if east and north and not ((east, 0) in found and (0, north) in found):
                continue
            there = self._middle(to_y * self._columns + to_x)
            _, spent, barred = self._field.march(here, there, 1000.0, column)
            if not barred and self._field.can_stand(there, column):
                found[east, north] = spent
        return tuple([(cell + north * self._columns + east, spent) for (east, north), spent in found.items()])


class _Wave:
    """The prices of the ways to a goal, found outwards from it as far as somebody has asked."""

    __slots__ = ("_done", "_prices", "_queue", "_steps")

    def __init__(self, cells: int, goal: int, steps: Mapping[int, tuple[tuple[int, float], ...]]) -> None:
        self._steps = steps
        self._prices = [inf] * cells
        self._prices[goal] = 0.0
        self._queue = [(0.0, goal)]
        self._done: set[int] = set()

    def reach(self, wanted: int) -> list[float]:
        """All prices, final for this cell and for every cell with a lower one."""
        prices, steps, queue, done = self._prices, self._steps, self._queue, self._done
        while queue and wanted not in done:
            price, cell = heappop(queue)
            if cell in done:
                continue
            done.add(cell)
            for other, spent in steps[cell]:
                onward = price + spent
                if onward < prices[other]:
                    prices[other] = onward
                    heappush(queue, (onward, other))
        return prices
