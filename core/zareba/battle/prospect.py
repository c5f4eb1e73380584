"""The prospect of a side: the share of a scenario's points that it can expect, as a quick estimate without dice.

AI players compare unfinished battles by it. It counts points scored, who is at each place and who can still get there,
cargo on its way, and losses on the way to a threshold. It needs no rules: the scoreboard supplies positions and ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.base.exact import total
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Objective, Survive
from zareba.scenario.victory import CountedGroup, Scoreboard

_NEAR = 2.0
"""Turns of moving after which a group counts half at a place that it can still reach."""
_UNLIKELY = 0.05
"""The share at which a group counts if it needs more turns than are left: a run or a card may still bring it there."""
_UNKNOWN = 0.3
"""The share at which a group counts if the ruleset does not know its way."""
_KEEPING = 0.5
"""The weight of an owner that has left its place, as a share of an average group. Rulesets let it keep the place."""
_EMPTY = 0.2
"""The weight of "no side" at a place, as a share of an average group."""
_LONG = 4.0
"""Turns of moving after which cargo is half as likely to arrive."""
_CAPTURE = 0.2
"""The chance to capture a leader who is still free."""
_ALMOST = 0.9
"""The chance that losses just below a threshold will still reach it."""


def prospects(scoreboard: Scoreboard[Any], turns_left: float) -> dict[str, float]:
    """Return for each side the share of all points, 0 to 1, that it can expect. `turns_left` are the turns still to
    play.
    """
    scenario = scoreboard.scenario
    sides = tuple(scenario.sides)
    all_points = total(abs(goal.points) for goal in scenario.objectives.values())
    groups = _by_unit(scoreboard)
    expected = dict.fromkeys(sides, 0.0)
    if not all_points:
        return expected
    for key, goal in scenario.objectives.items():
        if key in scoreboard.achieved:
            expected[scoreboard.achieved[key]] += goal.points
            continue
        chances = _chances(scoreboard, groups, key, goal, turns_left)
        for side in sides:
            if not goal.by or side in goal.by:
                expected[side] += goal.points * chances.get(side, 0.0)
    return {side: points / all_points for side, points in expected.items()}


def _by_unit(scoreboard: Scoreboard[Any]) -> list[CountedGroup]:
    """Return the men who may still act, those of one unit with one fate together at the place of the first of them."""
    found: dict[tuple[str, str, str, str], CountedGroup] = {}
    for men in scoreboard.men:
        if men.number and men.fate in ("ready", "going back", "coming"):
            key = men.side, men.unit, men.fate, "" if men.unit else men.leader
            first = found.get(key)
            found[key] = men if first is None else first._replace(number=first.number + men.number)
    return list(found.values())


def _chances(
    scoreboard: Scoreboard[Any], groups: Sequence[CountedGroup], key: str, goal: Objective, turns_left: float
) -> Mapping[str, float]:
    """Return the chance of each side to score an objective. Sides that are not listed have none."""
    scenario = scoreboard.scenario
    if isinstance(goal, Hold):
        return _hold(scoreboard, groups, key, goal, turns_left)
    if isinstance(goal, CarryOff):
        return _carry_off(scoreboard, groups, key, goal, turns_left)
    if isinstance(goal, Destroy):
        found = {}
        for side in scenario.sides:
            units = goal.units or tuple(name for name, unit in scenario.units.items() if unit.side != side)
            if units and scenario.units[units[0]].side != side:
                lost = 1 - scoreboard.share_left(units)
                found[side] = 1.0 if lost >= goal.share else _ALMOST * (lost / goal.share) ** 2
        return found
    if isinstance(goal, CaptureLeader):
        lost = scoreboard.leader_lost(goal.leader)
        return {
            side: 1.0 if lost else _CAPTURE for side in scenario.sides if side != scenario.leaders[goal.leader].side
        }
    side = goal.by[0] if isinstance(goal, Survive) and goal.by else scenario.units[goal.units[0]].side
    left = scoreboard.share_left(goal.units or tuple(scenario.units_of(side)))
    if left < goal.share:
        return {}
    spare = (left - goal.share) / (1 - goal.share) if goal.share < 1 else 1.0
    if isinstance(goal, Survive):
        return {side: 0.5 + 0.5 * spare}
    return {side: (0.7 + 0.3 * spare) * _share_expected(scoreboard, key, goal, turns_left)}


def _hold(
    scoreboard: Scoreboard[Any], groups: Sequence[CountedGroup], key: str, goal: Hold, turns_left: float
) -> dict[str, float]:
    """Return the chance of each side to hold a place at the end: by the men at it and on their way, squared."""
    present = dict.fromkeys(scoreboard.scenario.sides, 0.0)
    for men in groups:
        present[men.side] += men.number * _weight(scoreboard.turns_to_reach(men, key, goal), turns_left)
    average = total(men.number for men in groups) / len(groups) if groups else 1.0
    owner = scoreboard.owner(key, goal)
    if owner is not None:
        present[owner] += _KEEPING * average
    whole = total(weight * weight for weight in present.values()) + (_EMPTY * average) ** 2
    return {side: weight * weight / whole for side, weight in present.items()}


def _carry_off(
    scoreboard: Scoreboard[Any], groups: Sequence[CountedGroup], key: str, goal: CarryOff, turns_left: float
) -> dict[str, float]:
    """Return the chance of the side whose unit carries an object, or of the sides by their ways to it."""
    taken_by = scoreboard.carried_off(goal)
    if taken_by is not None:
        return {taken_by: 1.0}
    if not scoreboard.lies_on_table(goal):
        return {}
    carrier = getattr(scoreboard.carried_objects.get(goal.object), "carrier", "")
    carriers = [men for men in groups if men.fate == "ready" and carrier and _is_unit(men, carrier)]
    if carriers:
        way = scoreboard.turns_to_reach(carriers[0], key, goal)
        return {carriers[0].side: 0.3 + 0.7 * _arrives(way, turns_left)}
    present = dict.fromkeys(scoreboard.scenario.sides, 0.0)
    for men in groups:
        if men.fate == "ready":
            weight = 0.3 * _weight(scoreboard.turns_to_reach(men, key, goal), turns_left)
            present[men.side] = max(present[men.side], weight)
    return present


def _is_unit(men: CountedGroup, unit: str) -> bool:
    """Return True if a group is a unit of the rules, or the unit of the scenario that it is part of."""
    return bool(men.unit) and (unit == men.unit or unit.startswith((men.unit + "/", men.unit + ".", men.unit + " ")))


def _share_expected(scoreboard: Scoreboard[Any], key: str, goal: Escort, turns_left: float) -> float:
    """Return the share, 0 to 1, of an escort's units that can be expected to arrive."""
    arrived, on_the_way = scoreboard.share_brought(goal), []
    for men in scoreboard.groups_of_units(dict.fromkeys(goal.units)):
        if men.number and men.fate in ("ready", "going back", "broken", "coming"):
            on_the_way.append(_arrives(scoreboard.turns_to_reach(men, key, goal), turns_left))
    share = arrived + (1 - arrived) * (total(on_the_way) / len(on_the_way) if on_the_way else 0.0)
    return 0.2 + 0.8 * share if on_the_way else share


def _weight(way: float | None, turns_left: float) -> float:
    """Return how much a group counts at a place that is `way` turns of moving away."""
    if way is None:
        return _UNKNOWN
    weight = 1 / (1 + (way / _NEAR) ** 2)
    return weight if way <= max(0.0, turns_left) else _UNLIKELY * weight


def _arrives(way: float | None, turns_left: float) -> float:
    if way is None:
        return _UNKNOWN
    return 1 / (1 + way / _LONG) if way <= max(0.0, turns_left) else _UNLIKELY
