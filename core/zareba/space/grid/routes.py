"""Moving from cell to cell within a budget: what can be reached, and by which way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import TypeAlias

__all__ = ["Cost", "GridStep", "Number", "find_path", "find_reachable"]

Number: TypeAlias = int | float | Fraction


@dataclass(frozen=True, slots=True)
class GridStep:
    """The price of one step; `ends` says that the mover may not go on from the cell it entered."""

    cost: Number
    ends: bool = False


Cost: TypeAlias = Callable[[int, int, int], GridStep | Number | None]
"""Asked `cost(from_cell, to_cell, direction)`: the price, a `Step`, or None where the way is closed."""

_State: TypeAlias = tuple[int, bool]


def _search(
    around: Callable[[int], Sequence[int | None]],
    start: int,
    budget: Number,
    cost: Cost,
    goal: int | None,
) -> tuple[dict[int, Number], dict[_State, _State], _State | None]:
    """Cheapest first search over (cell, move ended), since a dear way in may leave a mover free to go on."""
    origin = (start, False)
    cheapest: dict[_State, Number] = {origin: 0}
    came_from: dict[_State, _State] = {}
    reached: dict[int, Number] = {}
    settled: set[_State] = set()
    queue: list[tuple[Number, int, bool]] = [(0, start, False)]
    while queue:
        spent, cell, ended = heappop(queue)
        state = (cell, ended)
        if state in settled:
            continue
        settled.add(state)
        reached.setdefault(cell, spent)
        if cell == goal:
            return reached, came_from, state
        if ended:
            continue
        for direction, onward in enumerate(around(cell)):
            if onward is None or (onward, False) in settled:
                continue
            answer = cost(cell, onward, direction)
            if answer is None:
                continue
            price, ends = (answer.cost, answer.ends) if isinstance(answer, GridStep) else (answer, False)
            if price < 0:
                raise ValueError(f"a step costs at least 0, not {price}")
            total = spent + price
            after = (onward, ends)
            if total <= budget and (after not in cheapest or total < cheapest[after]):
                cheapest[after] = total
                came_from[after] = state
                heappush(queue, (total, onward, ends))
    return reached, came_from, None


def find_reachable(
    around: Callable[[int], Sequence[int | None]], start: int, budget: Number, cost: Cost
) -> dict[int, Number]:
    """Every cell that can be reached and the least it costs, cheapest first; the start is there at 0.

    `around(cell)` gives the neighbours of a cell by direction, None off the table. A cell whose cheapest
    entry ends the move is still passed through where a dearer entry does not.
    """
    reached, _, _ = _search(around, start, budget, cost, None)
    return reached


def find_path(
    around: Callable[[int], Sequence[int | None]], start: int, goal: int, budget: Number, cost: Cost
) -> tuple[int, ...] | None:
    """The cells of a cheapest way from start to goal, both included, or None if the budget is too small.

    The same question always has the same answer, however many ways are equally cheap.
    """
    _, came_from, state = _search(around, start, budget, cost, goal)
    if state is None:
        return None
    cells = [goal]
    while state in came_from:
        state = came_from[state]
        cells.append(state[0])
    return tuple(reversed(cells))
