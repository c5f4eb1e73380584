"""The places where a side's objectives send its units: places to hold, edges to reach, objects and leaders to take."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.scenario.model import BaseObjective, CaptureLeader, CarryOff, Escort
from zareba.simple_ruleset.state import Battle, Unit
from zareba.space import Point
from zareba.space.outlines import nearest_on_edge


def objective_places(battle: Battle, unit: Unit) -> list[Point]:
    """Return the places where the objectives of its side send a unit. A unit that must leave the table gets only the
    nearest point of its edge.
    """
    edge = battle.exit_of(unit)
    if edge is not None:
        return [nearest_on_edge(unit.place, battle.field.table.extent, edge)]
    return [at for goal, place in battle.field.goals[unit.side] for at in _places(battle, unit, goal, place)]


def _places(battle: Battle, unit: Unit, goal: BaseObjective, place: Point | None) -> Iterator[Point]:
    if isinstance(goal, CarryOff):
        carried_object = battle.carried_objects.get(goal.object)
        if carried_object is not None and not carried_object.taken_by and not carried_object.carrier:
            yield carried_object.at
    elif isinstance(goal, CaptureLeader):
        for other in battle.on_table():
            if goal.leader in other.leaders and other.side != unit.side:
                yield other.place
    elif place is not None and (not isinstance(goal, Escort) or unit.id in goal.units):
        yield place
