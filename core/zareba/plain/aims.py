"""Where a scenario sends a side: the places that it is to hold, the edges to reach, the things and men to take."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.plain.state import Battle, Unit
from zareba.scenario.model import CaptureLeader, CarryOff, Escort, Goal
from zareba.scenario.placing import place_of
from zareba.space import Point
from zareba.space.edges import nearest_on_edge

__all__ = ["aims_of"]


def aims_of(battle: Battle, unit: Unit) -> list[Point]:
    """The places to which its objectives send a unit; its own way off the table alone, if it has one."""
    scenario = battle.scenario
    edge = battle.exit_of(unit)
    if edge is not None:
        return [nearest_on_edge(unit.place, battle.field.table.extent, edge)]
    return [at for goal in scenario.objectives_of(unit.side).values() for at in _places(battle, unit, goal)]


def _places(battle: Battle, unit: Unit, goal: Goal) -> Iterator[Point]:
    inch = battle.book.reach.inch
    if isinstance(goal, CarryOff):
        prize = battle.prizes.get(goal.object)
        if prize is not None and not prize.taken_by and not prize.carrier:
            yield prize.at
    elif isinstance(goal, CaptureLeader):
        for other in battle.on_table():
            if goal.leader in other.leaders and other.side != unit.side:
                yield other.place
    elif (at := place_of(battle.scenario, goal)) is not None and (
        not isinstance(goal, Escort) or unit.id in goal.units
    ):
        yield at[0] * inch, at[1] * inch
