"""Intentions: which unit of a side goes for which objective, so that no place is sought by all units or by none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Aim(NamedTuple):
    """Something that a side wants: its name, its value, and the strength needed for it, counted as that of the
    units.
    """

    key: str
    value: float
    strength: float = 0.0


def assign_aims(
    units: Sequence[tuple[str, float]], aims: Sequence[Aim], cost: Callable[[str, Aim], float | None]
) -> dict[str, Aim]:
    """Return the aim of each unit that gets one.

    `units` are names with their strength. `cost` returns the price of sending a unit to an aim, on the scale of the
    values: 0 if it is there, None if it cannot go. First each aim keeps the weakest unit that is there, so that no
    place is left empty. Then each round takes the pair with the greatest value less cost. An aim is open until its
    units have the strength needed, and at least one unit goes for it. Units left over get no aim.
    """
    assigned: dict[str, Aim] = {}
    sent: dict[str, float] = {}
    for aim in sorted(aims, key=lambda candidate: candidate.value, reverse=True):
        there = [(strength, name) for name, strength in units if name not in assigned and cost(name, aim) == 0]
        if there:
            strength, name = min(there, key=lambda entry: entry[0])
            assigned[name], sent[aim.key] = aim, strength
    pairs = [
        (aim.value - price, -index, aim, name, strength)
        for index, (name, strength) in enumerate(units)
        for aim in aims
        if (price := cost(name, aim)) is not None and aim.value > price
    ]
    for _, _, aim, name, strength in sorted(pairs, key=lambda pair: pair[:2], reverse=True):
        if name in assigned or (aim.key in sent and sent[aim.key] >= aim.strength):
            continue
        assigned[name] = aim
        sent[aim.key] = sent.get(aim.key, 0.0) + strength
    return assigned
