"""Who comes on later: when a unit is due, and whether its die brings it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zareba.board import Awaited
from zareba.scenario import Scenario
from zareba.table import Table
from zareba.telling import due

__all__ = ["arrives", "awaited", "due_in"]


def due_in(scenario: Scenario) -> dict[str, int]:
    """The units that are not there from the start, with the turns in which they are due."""
    return {key: unit.arrival.turn for key, unit in scenario.units.items() if unit.arrival is not None}


def arrives(table: Table, scenario: Scenario, unit: str, rule: str) -> bool:
    """Whether a unit that is due comes on this turn: at once, or if its die shows enough."""
    arrival = scenario.units[unit].arrival
    if arrival is None or arrival.die is None or arrival.at_least is None:
        return True
    return table.roll(1, arrival.die, why="arrival", rule=rule, actor=unit) >= arrival.at_least


def awaited(scenario: Scenario, units: Mapping[str, str], name: Callable[[str], str]) -> list[Awaited]:
    """Those units, with their sides, that are still to be set up or to come, as people are told."""
    return [Awaited(unit, side, name(unit), due(scenario, unit)) for unit, side in units.items()]
