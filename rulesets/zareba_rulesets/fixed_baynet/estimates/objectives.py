"""Objectives of the sides: the places to hold or reach, and the units that should go there."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from zareba.base.exact import hypot
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold, Objective
from zareba.space.geometry import Point, bounds
from zareba.space.table_edges import middle_of_edge
from zareba_rulesets.fixed_baynet.estimates.expected_losses import is_civil
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.ground.field import Field

__all__ = ["ObjectivePlace", "SideObjectives", "inches_to_go"]

MIDDLE = 0.5
"""Distance in inches at which the middle of a unit counts as being at a place."""


class ObjectivePlace(NamedTuple):
    """A place a side wants: position, radius and points; `units` that must go there, if the scenario names any.

    `edge` is the table edge to reach. `at` is then its middle, or the point in front of one unit.
    """

    at: Point
    radius: float
    points: float
    units: tuple[str, ...] = ()
    edge: str = ""


class SideObjectives:
    """The objectives of all sides of a scenario. Places that never change are computed once."""

    def __init__(self, scenario: Scenario, field: Field) -> None:
        self.scenario = scenario
        self._extent = field.width, field.depth
        self._goals: dict[str, list[tuple[str, ObjectivePlace | CarryOff]]] = {
            side: [
                (key, aim)
                for key, goal in scenario.objectives_of(side).items()
                if (aim := self._lasting(goal)) is not None
            ]
            for side in scenario.sides
        }

    def _lasting(self, goal: Objective) -> ObjectivePlace | CarryOff | None:
        """Return an objective as a fixed place, an object to carry off, or None if it has no place."""
        if isinstance(goal, Escort):
            if goal.at is None:  # radius 0: the middle never reaches the edge, so the unit goes on until it is off
                edge = goal.edge or "north"
                return ObjectivePlace(middle_of_edge(self._extent, edge), 0.0, goal.points, goal.units, edge)
            return ObjectivePlace(goal.at, MIDDLE, goal.points, goal.units)  # the men near it count, not the unit
        if isinstance(goal, CarryOff):
            return goal
        if not isinstance(goal, Hold):
            return None
        if goal.at is not None:
            return ObjectivePlace(goal.at, goal.radius, goal.points)
        assert goal.terrain is not None, "a checked scenario says where"
        piece = self.scenario.terrain[goal.terrain]
        w, s, e, n = bounds(piece.area or piece.line or ())
        return ObjectivePlace(((w + e) / 2, (s + n) / 2), max(min(e - w, n - s), piece.across) / 2, goal.points)

    def defends(self, side: str) -> bool:
        """Return True if a side is the defender."""
        return self.scenario.sides[side].role == "defender"

    def aims(self, battle: Battle, side: str) -> list[ObjectivePlace]:
        """Return the places a side currently wants to hold, reach or take an object from."""
        found: list[ObjectivePlace] = []
        for key, goal in self._goals.get(side, ()):
            if key in battle.achieved:
                continue
            if isinstance(goal, ObjectivePlace):
                found.append(goal)
                continue
            prize = battle.prizes.get(goal.object)
            if prize is None or prize.taken_by:
                continue
            holder = battle.units.get(prize.carrier) if prize.carrier else None
            if holder is not None and holder.spec.side == side:
                found.append(
                    ObjectivePlace(
                        middle_of_edge(self._extent, goal.edge), 0.0, goal.points, (holder.spec.source,), goal.edge
                    )
                )
            else:
                found.append(ObjectivePlace(prize.at, 2.0, goal.points))
        return found

    def aim_of(self, battle: Battle, unit: Unit) -> ObjectivePlace | None:
        """Return the place a unit should go to: one named for it, or the best to which no friendly unit is nearer."""
        source = unit.spec.source
        to_all: list[ObjectivePlace] = []
        for aim in self.aims(battle, unit.spec.side):
            if not aim.units:
                to_all.append(aim)
            elif source in aim.units:
                return _point_in_front(unit, aim) if aim.edge else aim
        if not to_all:
            return None
        side = unit.spec.side
        friends = [other for other in battle.units.values() if other.spec.side == side and other is not unit]
        to_all.sort(key=attrgetter("points"), reverse=True)
        return next((aim for aim in to_all if not _is_anybody_nearer(unit, friends, aim.at)), None)

    def is_urgent(self, battle: Battle, unit: Unit, aim: ObjectivePlace) -> bool:
        """Return True if a unit must set out now to arrive before the battle ends."""
        left = inches_to_go(unit, aim)
        stride = 7.0 if is_civil(unit) else 12.0
        return left > 0 and self.scenario.turns - battle.turn <= 1 + left / stride


def _point_in_front(unit: Unit, aim: ObjectivePlace) -> ObjectivePlace:
    """Return an edge as the point straight in front of a unit, because it may be crossed anywhere."""
    x, y = unit.middle
    return aim._replace(at=(x, aim.at[1]) if aim.edge in ("north", "south") else (aim.at[0], y))


def _is_anybody_nearer(unit: Unit, friends: Sequence[Unit], at: Point) -> bool:
    """Return True if a friendly unit that could be sent is nearer to a place than the unit itself."""
    away = _gap(unit, at)
    for friend in friends:
        if _gap(friend, at) < away and friend.on_table and not friend.guns and not is_civil(friend):
            return True
    return False


def _gap(unit: Unit, at: Point) -> float:
    w, s, e, n = unit.box
    return hypot((w + e) / 2 - at[0], (s + n) / 2 - at[1])


def inches_to_go(unit: Unit, aim: ObjectivePlace) -> float:
    """Return the inches a unit still has to go to a place; 0 if it is there."""
    return max(0.0, _gap(unit, aim.at) - aim.radius)
