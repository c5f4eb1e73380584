"""Things that are carried off, and the edges over which units leave to their side's credit: what a scenario sends them for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort
from zareba.state import Record, record

__all__ = ["Prize", "carried_by", "exit_edge", "take_along"]


@record
class Prize(Record):
    """A thing that can be taken: where it lies, who has it (else ""), who took it over which edge (else "")."""

    at: tuple[float, float]
    carrier: str
    taken_by: str
    edge: str


def carried_by(prizes: Mapping[str, Prize], unit: str) -> list[str]:
    """The things that a unit carries."""
    return [name for name, prize in prizes.items() if prize.carrier == unit]


def exit_edge(scenario: Scenario, side: str, unit: str, things: Iterable[str]) -> str | None:
    """The edge over which a unit may leave to the credit of its side: under escort, or with what it carries."""
    carried = set(things)
    for goal in scenario.objectives.values():
        if goal.by and side not in goal.by:
            continue
        if isinstance(goal, Escort) and goal.edge is not None and unit in goal.units:
            return goal.edge
        if isinstance(goal, CarryOff) and goal.object in carried:
            return goal.edge
    return None


def take_along(prizes: Mapping[str, Prize], unit: str, side: str, edge: str) -> None:
    """What a unit carries goes with it over an edge."""
    for name in carried_by(prizes, unit):
        prize = prizes[name]
        prize.carrier, prize.taken_by, prize.edge = "", side, edge
