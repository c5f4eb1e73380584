"""What a scenario says and many rule systems have no words for: the notes that players are given before the game."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from zareba.amounts import amount
from zareba.scenario.model import Scenario, Unit

__all__ = ["events_unspoken", "hidden_unspoken", "light_unspoken", "traits_unspoken"]


def hidden_unspoken(units: Iterable[Unit]) -> list[str]:
    """For rules without hidden deployment."""
    hidden = sum(unit.hidden for unit in units)
    return [f"hidden deployment: {amount(hidden, 'hidden unit')} openly on the table"] if hidden else []


def light_unspoken(scenario: Scenario) -> list[str]:
    """For rules that are not played by night or in fog."""
    known = (("night", scenario.night), ("fog", scenario.fog))
    return [f"{words}: no effect on sight or fire" for words, flag in known if flag]


def events_unspoken(scenario: Scenario) -> list[str]:
    """For rules in which weather and light do not change."""
    count = len(scenario.events)
    return [f"without effect: {amount(count, 'event')} of weather or light"] if count else []


def traits_unspoken(units: Iterable[Unit], spoken: Collection[str] = ()) -> list[str]:
    """The traits of units but for those that the rules know."""
    traits = sorted({trait for unit in units for trait in unit.traits}.difference(spoken))
    return [f"traits without effect: {', '.join(trait.replace('_', ' ') for trait in traits)}"] if traits else []
