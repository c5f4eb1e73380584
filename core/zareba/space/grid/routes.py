"""Movement from cell to cell within a budget: reachable cells and cheapest paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import TypeAlias

Number: TypeAlias = int | float | Fraction


@dataclass(frozen=True, slots=True)
class GridStep:
    """The cost of one step; `ends` means that the mover has to stop in the cell it enters."""

    cost: Number
    ends: bool = False


Cost: TypeAlias = Callable[[int, int, int], GridStep | Number | None]
"""Called as `cost(from_cell, to_cell, direction)`; returns the cost, a `GridStep`, or None if not allowed."""

_State: TypeAlias = tuple[int, bool]


def _search(
    around: Callable[[int], Sequence[int | None]],
    start: int,
    budget: Number,
    cost: Cost,
    goal: int | None,
) -> tuple[dict[int, Number], dict[_State, _State], _State | None]:
    """Run a cheapest-first search over (cell, move ended).

    The flag is part of the state because a more expensive way into a cell may let the mover go on.
    """
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
            step_cost, ends = (answer.cost, answer.ends) if isinstance(answer, GridStep) else (answer, False)
            if step_cost < 0:
                raise ValueError(f"a step costs at least 0, not {step_cost}")
            total = spent + step_cost
            after = (onward, ends)
            if total <= budget and (after not in cheapest or total < cheapest[after]):
                cheapest[after] = total
                came_from[after] = state
                heappush(queue, (total, onward, ends))
    return reached, came_from, None


def find_reachable(
    around: Callable[[int], Sequence[int | None]], start: int, budget: Number, cost: Cost
) -> dict[int, Number]:
    """Return every reachable cell with its lowest cost, cheapest first; the start is included at cost 0.

    `around(cell)` returns the neighbours of a cell by direction, None off the table. If the cheapest way into a cell
    ends the move, the search still passes through the cell by a more expensive way that does not.
    """
    reached, _, _ = _search(around, start, budget, cost, None)
    return reached


def find_path(
    around: Callable[[int], Sequence[int | None]], start: int, goal: int, budget: Number, cost: Cost
) -> tuple[int, ...] | None:
    """Return the cells of a cheapest path from start to goal, both included, or None if the budget is too small.

    The answer is always the same for the same arguments, even if several paths are equally cheap.
    """
    _, came_from, state = _search(around, start, budget, cost, goal)
    if state is None:
        return None
    cells = [goal]
    while state in came_from:
        state = came_from[state]
        cells.append(state[0])
    return tuple(reversed(cells))
