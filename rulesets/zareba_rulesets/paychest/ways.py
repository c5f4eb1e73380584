"""Ways round closed ground, found on a coarse grid and kept, for suggestions and for men cut off (not a rule)."""

from __future__ import annotations

from heapq import heappop, heappush
from math import ceil, inf

from zareba.space import Point
from zareba.space.lazy import Lazy
from zareba_rulesets.paychest.field import Field

__all__ = ["Ways"]

CELL = 2.0
AHEAD = 6


class Ways:
    """For each sort of mover and each goal, the price of the way from every cell; made when first asked."""

    __slots__ = ("_columns", "_field", "_prices", "_rows", "_steps")

    def __init__(self, field: Field) -> None:
        self._field = field
        self._columns = ceil(field.table.width / CELL)
        self._rows = ceil(field.table.depth / CELL)
        self._steps: Lazy[tuple[str, int], tuple[tuple[int, float], ...]] = Lazy(self._around)
        self._prices: Lazy[tuple[str, int], list[float]] = Lazy(self._spread)

    def heading(self, start: Point, goal: Point, column: str) -> Point:
        """Where to go straight first on the way from start to goal: the goal itself where the way is open."""
        if self._is_open(start, goal, column):
            return goal
        cell, prices = self._cell(start), self._prices[column, self._cell(goal)]
        here = start
        for _ in range(AHEAD):
            steps = self._steps[column, cell]
            onward = min(steps, key=lambda step: (prices[step[0]], step[0]), default=None)
            if onward is None or prices[onward[0]] >= prices[cell] or prices[onward[0]] == inf:
                break
            point = self._middle(onward[0])
            if here is not start and not self._is_open(start, point, column):
                break
            here, cell = point, onward[0]
        return goal if here is start else here

    def _is_open(self, a: Point, b: Point, column: str) -> bool:
        field = self._field
        if field.is_plain(a, b, column):
            return True
        return not field.march(a, b, 1000.0, column)[2]

    def _cell(self, point: Point) -> int:
        x = min(max(int(point[0] / CELL), 0), self._columns - 1)
        y = min(max(int(point[1] / CELL), 0), self._rows - 1)
        return y * self._columns + x

    def _middle(self, cell: int) -> Point:
        y, x = divmod(cell, self._columns)
        width, depth = self._field.table.extent
        return min((x + 0.5) * CELL, width), min((y + 0.5) * CELL, depth)

    def _around(self, key: tuple[str, int]) -> tuple[tuple[int, float], ...]:
        column, cell = key
        y, x = divmod(cell, self._columns)
        here = self._middle(cell)
        found = []
        for east, north in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)):
            to_x, to_y = x + east, y + north
            if 0 <= to_x < self._columns and 0 <= to_y < self._rows:
                other = to_y * self._columns + to_x
                there = self._middle(other)
                _, spent, barred = self._field.march(here, there, 1000.0, column)
                if not barred and self._field.can_stand(there, column):
                    found.append((other, spent))
        return tuple(found)

    def _spread(self, key: tuple[str, int]) -> list[float]:
        column, goal = key
        prices = [inf] * (self._columns * self._rows)
        prices[goal] = 0.0
        queue = [(0.0, goal)]
        while queue:
            price, cell = heappop(queue)
            if price > prices[cell]:
                continue
            for other, spent in self._steps[column, cell]:
                if price + spent < prices[other]:
                    prices[other] = price + spent
                    heappush(queue, (price + spent, other))
        return prices
