"""The objectives of a side in a one-page ruleset: the places where they send its units, and their score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zareba.base.exact import dist
from zareba.base.speedups import new_tuple
from zareba.battle.carried_objects import unit_fate
from zareba.scenario.model import BaseObjective, CaptureLeader, CarryOff, Escort, Hold
from zareba.scenario.victory import CountedGroup, Fate, Scoreboard
from zareba.simple_ruleset.state import Battle, Unit
from zareba.space import Point
from zareba.space.outlines import nearest_on_edge

# --- The places where a side's objectives send its units --------------------------------------------------------------


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


# --- The score --------------------------------------------------------------------------------------------------------


class SimpleScoreboard(Scoreboard[Battle]):
    """A scoreboard that counts figures.

    A leader who has not fallen shares the fate of the unit and is not one of its figures.
    """

    def counted_groups(self) -> Iterable[CountedGroup]:
        """Yield the figures left of each unit, those lost, and its leaders."""
        for unit in self.battle.units.values():
            spec = unit.spec
            fate, edge = self._fate(unit)
            left, place = 0 if fate == "lost" else unit.figures, (unit.at, unit.radius)
            if left:
                yield new_tuple(CountedGroup, (spec.side, left, fate, spec.id, "", place, edge))
            if left < spec.figures:
                yield CountedGroup(spec.side, spec.figures - left, "lost", spec.id)
            for leader in spec.leaders:
                leader_fate: Fate = "lost" if leader in unit.fallen else fate
                yield new_tuple(CountedGroup, (spec.side, 0, leader_fate, "", leader, place, edge))

    def _fate(self, unit: Unit) -> tuple[Fate, str]:
        """Return the fate of a unit, and the edge by which it left the table, or "" if it has not left."""
        if unit.gone:
            return unit_fate(unit.gone)
        if unit.at is None:
            return "coming", ""
        return ("ready" if self.battle.counts(self.battle, unit) else "broken"), ""

    def spots(self, group: CountedGroup) -> Iterable[Point]:
        """Return the middle of the unit."""
        middle, _ = group.position
        return (middle,)

    def is_at(self, group: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Return True if a unit holds the place of a goal.

        Its edge is within the radius of the goal's point, or within `reach.hold` of the goal's terrain.
        """
        middle: Point
        unit_radius: float
        middle, unit_radius = group.position
        reach = self.battle.book.reach
        if isinstance(goal, Hold) and goal.terrain is not None:
            distance, limit = self.battle.field.distance_to(middle, goal.terrain), reach.hold
        else:
            x, y = goal.at or (0.0, 0.0)
            distance, limit = dist(middle, (x * reach.inch, y * reach.inch)), goal.radius * reach.inch
        return distance - unit_radius <= limit
