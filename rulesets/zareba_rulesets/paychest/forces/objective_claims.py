"""Chooses the units that go to the places to hold at the end of the game. An aid for AI players, not a rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import ceil, inf

from zareba.base.exact import dist, hypot
from zareba.space import Point
from zareba_rulesets.paychest.forces.battle import Battle, Goal
from zareba_rulesets.paychest.forces.safe_places import can_fight
from zareba_rulesets.paychest.forces.units import Figure, Unit

_PACE = 6.0
"""Inches a unit advances in a turn on partly difficult ground."""
_SPARE = 1
"""Turns to spare when a unit sets out for the place it should hold at the end."""
_CLEAR = 6.0
"""The distance in inches around a place within which there must be no enemy if a single figure is to hold it."""


def claim_of(battle: Battle, unit: Unit) -> Goal | None:
    """Return the place that a unit should stand on at the end, to hold it or deny it to the enemy, or None.

    The most valuable place is assigned first. Each goes to the nearest unit, once that unit must set out to be there
    in time.
    """
    side = unit.spec.side
    claimed: list[str] = []
    places = [goal for goal in battle.goals if goal.kind == "hold" and goal.at is not None]
    if not places:
        return None
    for goal in sorted(places, key=lambda goal: -goal.points):
        name = _unit_that_must_set_out(battle, side, goal, claimed)
        if name == unit.spec.id:
            return goal
        if name:
            claimed.append(name)
    return None


def _unit_that_must_set_out(battle: Battle, side: str, goal: Goal, claimed: Collection[str]) -> str:
    """Return the nearest unit that can take a place, if it has no time to spare, else ""."""
    at, best, name = goal.at, inf, ""
    assert at is not None, "a place to hold has a middle"
    turns_left = goal.due - battle.turn - _SPARE
    (x, y), (width, depth) = at, battle.field.table.extent
    if turns_left > _turns_to_walk(hypot(max(x, width - x), max(y, depth - y)), goal):
        return ""  # there is time enough from anywhere
    for key, unit in battle.units.items():
        if unit.spec.side != side or not unit.has_able_figures or unit.rout or key in claimed:
            continue
        positions = unit.positions
        distance = dist(positions.middle, at)
        if distance > best or (distance == best and key > name):
            continue
        if not can_fight(unit):
            continue
        if len(positions.able) > 1 or not enemies_at(battle, side, goal, _CLEAR):
            if turns_left > _turns_to_walk(distance, goal):
                return ""
            best, name = distance, key
    return name


def _turns_to_walk(distance: float, goal: Goal) -> int:
    """Return the number of turns needed to reach a place from a distance in inches."""
    return ceil(max(0.0, distance - goal.radius) / _PACE)


def enemies_at(battle: Battle, side: str, goal: Goal, room: float = 0.0) -> list[tuple[Point, Figure]]:
    """Return the enemies of a side on a place or within `room` inches of it."""
    return figures_at(battle.enemies(side), goal, room)


def figures_at(units: Iterable[Unit], goal: Goal, room: float = 0.0) -> list[tuple[Point, Figure]]:
    """Return the able figures of some units on a place or within `room` inches of it, each with its position."""
    at, reach = goal.at, goal.radius + room
    assert at is not None, "a place to hold has a middle"
    return [
        (figure.at, figure)
        for unit in units
        if unit.box[0] - reach <= at[0] <= unit.box[2] + reach
        if unit.box[1] - reach <= at[1] <= unit.box[3] + reach
        for figure in unit.able
        if figure.at is not None and dist(figure.at, at) <= reach
    ]
