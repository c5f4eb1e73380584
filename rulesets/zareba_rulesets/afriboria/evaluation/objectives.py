"""The objectives of each side as places to go to, for AI players."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from zareba.scenario import Scenario
from zareba.scenario.model import CaptureLeader, CarryOff, Escort
from zareba_rulesets.afriboria.forces.battle import Battle, Plan
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit

_TO_SPARE = 1  # turns that a unit under escort keeps in hand when it waits for its guards
_DENIED = 0.5  # share of an object's points that it is worth to the side that must keep it


class WantedObjective(NamedTuple):
    """An objective of one unit: the steps from each hex to it, its points, if this unit alone holds it, its hexes."""

    distances: Sequence[int]
    points: float
    is_held_alone: bool
    hexes: tuple[int, ...]


class Objectives:
    """The objectives of one scenario.

    `places` are places to hold, by side. `exit_edges` are the edges of units under escort that leave the table,
    `destinations` the places to which escorted units go. `objects` are the objects to carry off, with edge, points and
    the sides that earn them. `leaders` are the leaders to capture.
    """

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.places = {
            side: [
                (key, plan.places[key], goal.points)
                for key, goal in scenario.objectives_of(side).items()
                if key in plan.places
            ]
            for side in scenario.sides
        }
        self.own_turns = 2 * scenario.turns  # each side has a turn of its own in a game turn
        self.exit_edges = {
            source: edge for exits in plan.exits.values() for edge, units, _ in exits for source in units
        }
        self.escorted = {
            unit: goal.points
            for goal in scenario.objectives.values()
            if isinstance(goal, Escort)
            for unit in goal.units
        }
        self.destinations = [
            (key, tuple(sorted(plan.areas[key])), goal.points, frozenset(goal.units))
            for key, goal in scenario.objectives.items()
            if isinstance(goal, Escort) and key in plan.areas
        ]
        self.objects = {
            goal.object: (goal.edge, goal.points, goal.by or tuple(scenario.sides))
            for goal in scenario.objectives.values()
            if isinstance(goal, CarryOff)
        }
        self.leaders = {
            goal.leader: (goal.points, goal.by or tuple(scenario.sides))
            for goal in scenario.objectives.values()
            if isinstance(goal, CaptureLeader)
        }

    def wanted_by(self, battle: Battle, unit: Unit) -> list[WantedObjective]:
        """Return the objectives that this unit may win or alone holds: places, escort goals, objects to take, a leader
        to capture.
        """
        found: list[WantedObjective] = []
        ways, walks = battle.field.path_lengths, unit.profile.walks
        for key, cells, points in self.places[unit.spec.side]:
            if battle.owners.get(key) != unit.spec.side:
                found.append(WantedObjective(ways[walks, cells], points, False, cells))
            elif unit.hex in cells and sum([len(battle.here.get(cell, ())) for cell in cells]) == 1:
                found.append(WantedObjective(ways[walks, cells], points, True, cells))
        for key, area, points, units in self.destinations:
            if unit.spec.source in units and key not in battle.achieved:
                found.append(WantedObjective(ways[walks, area], points, unit.hex in area, area))
        if self.objects:
            found += self._objects_to_carry(battle, unit)
        if self.escorted:
            found += self._units_to_escort(battle, unit)
        for leader, (points, sides) in self.leaders.items():
            chief = battle.commanders.get(leader)
            if chief is not None and chief.hex != OFF and unit.spec.side in sides and unit.spec.side != chief.spec.side:
                found.append(WantedObjective(ways[walks, (chief.hex,)], points, False, (chief.hex,)))
        return found

    def _units_to_escort(self, battle: Battle, unit: Unit) -> list[WantedObjective]:
        """Return the escorted units of the side that this one guards, with the hexes around.

        The guard is the nearest unit that can fight, with all others that the scenario counts as the same unit.
        """
        found: list[WantedObjective] = []
        if unit.spec.source in self.escorted or not _can_escort(unit):
            return found
        guards = self._guards(battle, unit.spec.side)
        for ward in battle.side_units(unit.spec.side):
            if ward.hex == OFF or not self.is_guarded(ward):
                continue
            distances = battle.field.distance[ward.hex]
            nearest = min(guards, key=lambda guard: (distances[guard.hex], guard.spec.id))
            if nearest.spec.source == unit.spec.source:
                around = battle.field.zone[ward.hex]
                ways = battle.field.path_lengths[unit.profile.walks, around]
                found.append(WantedObjective(ways, self.escorted[ward.spec.source], False, around))
        return found

    def is_guarded(self, unit: Unit) -> bool:
        """Return True for a unit under escort that cannot fight."""
        return unit.spec.source in self.escorted and not _can_escort(unit)

    def _guards(self, battle: Battle, side: str) -> list[Unit]:
        """Return the units of a side that can guard others."""
        own = battle.side_units(side)
        return [
            commander
            for commander in own
            if commander.hex != OFF and commander.spec.source not in self.escorted and _can_escort(commander)
        ]

    def guards_to_wait_for(self, battle: Battle, ward: Unit) -> list[int]:
        """Return the hexes of the nearest guards of a unit; none if it needs no guard or has no time to wait."""
        edge, move = self.exit_edges.get(ward.spec.source), ward.profile.move
        if edge is None or not move or not self.is_guarded(ward):
            return []
        turns = ceil(battle.field.grid.distance_to_edge(ward.hex, edge) / move)
        guards = self._guards(battle, ward.spec.side)
        if not guards or self.own_turns - battle.turn <= 2 * (turns + _TO_SPARE):
            return []
        distances = battle.field.distance[ward.hex]
        nearest = min(guards, key=lambda guard: (distances[guard.hex], guard.spec.id))
        return [guard.hex for guard in guards if guard.spec.source == nearest.spec.source]

    def stake(self, unit: Unit) -> float:
        """Return the points that the scenario puts on a unit under escort; 0 for all others."""
        return self.escorted.get(unit.spec.source, 0)

    def points_held_by(self, battle: Battle, unit: Unit) -> float:
        """Return the points that rest on a unit: places that it stands on, what it carries, and its escort."""
        points = self.stake(unit)
        for key, cells, worth in self.places[unit.spec.side]:
            if unit.hex in cells and battle.owners.get(key) == unit.spec.side:
                points += worth
        for name, (_, worth, sides) in self.objects.items():
            carried_object = battle.carried_objects.get(name)
            if carried_object is not None and carried_object.carrier == unit.spec.id and unit.spec.side in sides:
                points += worth
        return points

    def points_for(self, leader: str, side: str) -> float:
        """Return the points of a side for a leader it attacks; 0 if the scenario gives none."""
        points, sides = self.leaders.get(leader, (0, ()))
        return points if side in sides else 0

    def _objects_to_carry(self, battle: Battle, unit: Unit) -> list[WantedObjective]:
        """Return the objects to carry off that no friendly unit carries, for units that can pick them up."""
        found: list[WantedObjective] = []
        if unit.profile.arm == "artillery":
            return found
        for name, (_, points, sides) in self.objects.items():
            carried_object = battle.carried_objects.get(name)
            if carried_object is None or carried_object.taken_by or carried_object.hex == OFF:
                continue
            if not carried_object.carrier or battle.units[carried_object.carrier].spec.side != unit.spec.side:
                value = points if unit.spec.side in sides else _DENIED * points
                ways = battle.field.path_lengths[unit.profile.walks, (carried_object.hex,)]
                found.append(WantedObjective(ways, value, False, (carried_object.hex,)))
        return found

    def exit_edge_of(self, battle: Battle, unit: Unit) -> str | None:
        """Return the edge over which a unit must leave, by order of the scenario or with an object it carries."""
        edge = self.exit_edges.get(unit.spec.source)
        if edge is None and self.objects:
            for name, (exit_edge, _, sides) in self.objects.items():
                carried_object = battle.carried_objects.get(name)
                if carried_object is not None and carried_object.carrier == unit.spec.id and unit.spec.side in sides:
                    return exit_edge
        return edge


def _can_escort(unit: Unit) -> bool:
    """Return True for units that fight and move with the troops."""
    return unit.profile.arm in ("infantry", "mounted")
