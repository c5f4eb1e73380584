"""Who comes on later: when a unit is due, and whether its die brings it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from zareba.chance import at_least
from zareba.presentation.board import ArrivingPiece
from zareba.presentation.narration import arrival_phrase
from zareba.scenario import Arrival, Scenario
from zareba.table import Table

__all__ = ["arrives", "awaited", "due_in"]


def due_in(scenario: Scenario) -> dict[str, int]:
    """The units that are not there from the start, with the turns in which they are due."""
    return {key: unit.arrival.turn for key, unit in scenario.units.items() if unit.arrival is not None}


def arrives(table: Table, arrival: Arrival | None, unit: str, rule: str) -> bool:
    """Whether who is due comes on this turn: at once, or if his die shows enough; if it does not, that is told."""
    if arrival is None or arrival.die is None or arrival.at_least is None:
        return True
    means = at_least(arrival.at_least, "arrives", "is not there yet", by="the scenario")
    die = table.roll(1, arrival.die, why="arrival", rule=rule, actor=unit, means=means)
    if die < arrival.at_least:
        table.tell("not arrived", rule, unit=unit, die=die)
    return die >= arrival.at_least


def awaited(
    scenario: Scenario, coming: Iterable[Any], source: Callable[[Any], str] | None = None, when: Mapping[str, str] = {}
) -> list[ArrivingPiece]:
    """Those who are still to be set up or to come, by what is known of them (`id`, `side`, `name`), as people are told.

    `source`: the unit or leader of the scenario as whom one comes, where that is not his id. `when`: of whom these rules
    know better than the scenario when he comes.
    """
    known = [(one, source(one) if source else one.id) for one in coming]
    return [
        ArrivingPiece(one.id, one.side, one.name, when.get(one.id) or arrival_phrase(scenario, of)) for one, of in known
    ]
