"""Who takes which place when the turns run out: one unit for each, the dearest place first (not a rule)."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil, dist, inf

from zareba.space import Point
from zareba_rulesets.paychest.battle import Battle, Goal
from zareba_rulesets.paychest.units import Figure, Unit

__all__ = ["claim_of", "is_late", "strangers_at"]

PACE = 6.0
"""Inches that a unit comes forward in a turn on ground that is not all open."""
SPARE = 1
"""Turns to spare when a unit sets out for the place that it is to hold at the end."""
LATE = 3
"""Turns before the end from which it matters who stands where."""
CLEAR = 6.0
"""Inches round a place within which no enemy may be when one man alone is to hold it."""


def is_late(battle: Battle, goal: Goal) -> bool:
    """Whether a place counts soon."""
    return goal.kind == "hold" and goal.due - battle.turn < LATE


def claim_of(battle: Battle, unit: Unit) -> Goal | None:
    """The place that a unit is to stand on at the end: to hold it, or that the enemy may not.

    For each place the unit that is nearest, and which must set out now to be there in time.
    """
    side, taken = unit.spec.side, set[str]()
    places = [goal for goal in battle.goals if goal.kind == "hold" and goal.at is not None]
    if not places:
        return None
    for goal in sorted(places, key=lambda goal: -goal.points):
        away, name = _nearest(battle, side, goal, taken)
        if name and goal.due - battle.turn <= ceil(max(0.0, away - goal.radius) / PACE) + SPARE:
            if name == unit.spec.id:
                return goal
            taken.add(name)
    return None


def _nearest(battle: Battle, side: str, goal: Goal, taken: Collection[str]) -> tuple[float, str]:
    """How far the nearest unit is that can take a place, and which it is; "" where none can."""
    at, best, name = goal.at, inf, ""
    assert at is not None, "a place to hold has a middle"
    for key, unit in battle.units.items():
        if unit.spec.side != side or unit.box[2] < 0 or unit.rout or key in taken:
            continue
        standing = unit.standing
        away = dist(standing.middle, at)
        if away > best or (away == best and key > name):
            continue
        if len(standing.able) > 1 or not strangers_at(battle, side, goal, CLEAR):
            best, name = away, key
    return best, name


def strangers_at(battle: Battle, side: str, goal: Goal, room: float = 0.0) -> list[tuple[Point, Figure]]:
    """The enemies of a side who stand on a place or within `room` inches of it."""
    at, reach = goal.at, goal.radius + room
    assert at is not None, "a place to hold has a middle"
    return [
        (figure.at, figure)
        for enemy in battle.enemies(side)
        if enemy.box[0] - reach <= at[0] <= enemy.box[2] + reach
        if enemy.box[1] - reach <= at[1] <= enemy.box[3] + reach
        for figure in enemy.able
        if figure.at is not None and dist(figure.at, at) <= reach
    ]
