"""Intentions: which unit of a side goes for which objective, so that no place is sought by all units or by none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class ValuedObjective(NamedTuple):
    """Something that a side wants: its name, its value, and the strength needed for it, counted as that of the
    units.
    """

    key: str
    value: float
    strength: float = 0.0


def assign_objectives(
    units: Sequence[tuple[str, float]],
    objectives: Sequence[ValuedObjective],
    cost: Callable[[str, ValuedObjective], float | None],
) -> dict[str, ValuedObjective]:
    """Return the objective of each unit that gets one.

    `units` are names with their strength. `cost` returns the price of sending a unit to an objective, on the scale of
    the values: 0 if it is there, None if it cannot go. First each objective keeps the weakest unit that is there, so
    that no place is left empty. Then each round takes the pair with the greatest value less cost. An objective is open
    until its units have the strength needed, and at least one unit goes for it. Units left over get no objective.
    """
    assigned: dict[str, ValuedObjective] = {}
    sent: dict[str, float] = {}
    for objective in sorted(objectives, key=lambda candidate: candidate.value, reverse=True):
        there = [(strength, name) for name, strength in units if name not in assigned and cost(name, objective) == 0]
        if there:
            strength, name = min(there, key=lambda entry: entry[0])
            assigned[name], sent[objective.key] = objective, strength
    pairs = [
        (objective.value - price, -index, objective, name, strength)
        for index, (name, strength) in enumerate(units)
        for objective in objectives
        if (price := cost(name, objective)) is not None and objective.value > price
    ]
    for _, _, objective, name, strength in sorted(pairs, key=lambda pair: pair[:2], reverse=True):
        if name in assigned or (objective.key in sent and sent[objective.key] >= objective.strength):
            continue
        assigned[name] = objective
        sent[objective.key] = sent.get(objective.key, 0.0) + strength
    return assigned
