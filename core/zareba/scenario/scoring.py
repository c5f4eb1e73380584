"""Scoring of a scenario's objectives, the same under every ruleset.

A ruleset describes the state of the battle (`zareba.scenario.scoreboard`); the scenario alone says what that state is
worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.base.grammar import amount
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Scenario, Survive
from zareba.scenario.scoreboard import Scoreboard

__all__ = ["count_points", "decided", "decision", "is_destroyed", "record_achieved_objectives", "scorers", "winner"]

EPSILON = 1e-9


def _may_score(scenario: Scenario, goal_id: str) -> tuple[str, ...]:
    return scenario.objectives[goal_id].by or tuple(scenario.sides)


def _enemies(scenario: Scenario, side: str) -> list[str]:
    return [key for key, unit in scenario.units.items() if unit.side != side]


def record_achieved_objectives(scenario: Scenario, scoreboard: Scoreboard[Any], achieved: dict[str, str]) -> None:
    """At the end of a turn, add permanently scored objectives to `achieved` (objective id -> side)."""
    for key, goal in scenario.objectives.items():
        if key in achieved:
            continue
        sides = _may_score(scenario, key)
        if isinstance(goal, CarryOff):
            side = scoreboard.carried_off(goal)
            if side in sides:
                achieved[key] = side
        elif isinstance(goal, CaptureLeader):
            if scoreboard.leader_lost(goal.leader):
                own = scenario.leaders[goal.leader].side
                achieved.update((key, side) for side in sides if side != own)
        elif isinstance(goal, Escort):
            if scoreboard.share_brought(goal) >= goal.share:
                own = scenario.units[goal.units[0]].side
                achieved.update((key, side) for side in sides if side == own)
        elif isinstance(goal, Survive) and scoreboard.turn == goal.turn:
            side = goal.by[0] if goal.by else scenario.units[goal.units[0]].side
            if scoreboard.share_left(goal.units or tuple(scenario.units_of(side))) >= goal.share - EPSILON:
                achieved[key] = side


def is_destroyed(scoreboard: Scoreboard[Any], units: Sequence[str], share: float) -> bool:
    """Return True if these units have lost at least this share of their starting strength.

    Units that the ruleset does not put on the table are never destroyed.
    """
    return (
        scoreboard.fielded(units) and 1 - scoreboard.share_left(units) >= share - EPSILON
    )  # EPSILON, because 1 - 0.8 is slightly less than 0.2


def count_points(scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str]) -> dict[str, float]:
    """Return the points of every side now: objectives achieved, places held, and losses inflicted."""
    return _summed(scenario, scorers(scenario, scoreboard, achieved))


def _summed(scenario: Scenario, scored_by: Sequence[tuple[str, str]]) -> dict[str, float]:
    scored = dict.fromkeys(scenario.sides, 0.0)
    for key, side in scored_by:
        scored[side] += scenario.objectives[key].points
    return scored


def scorers(scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the objectives that score now, each with the side that gets its points."""
    found = list(achieved.items())
    for key, goal in scenario.objectives.items():
        sides = _may_score(scenario, key)
        if isinstance(goal, Hold):
            side = None if key in achieved else scoreboard.holder(goal)
            if side in sides:
                found.append((key, side))
        elif isinstance(goal, Destroy):
            for side in sides:
                units = goal.units or tuple(_enemies(scenario, side))
                if achieved.get(key) == side or scenario.units[units[0]].side == side:
                    continue
                if is_destroyed(scoreboard, units, goal.share):
                    found.append((key, side))
    return found


def decided(
    scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str], *, ended: bool = False
) -> str | None:
    """Return the side that has won outright at the end of this turn, by a decisive objective or its quota of points.

    A decisive `hold` counts only when the game has `ended`, like every `hold`.
    """
    found = decision(scenario, scoreboard, achieved, ended=ended)
    return found[0] if found is not None else None


def decision(
    scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str], *, ended: bool = False
) -> tuple[str, str] | None:
    """The side that has won outright, as `decided` says, and what decided it as a phrase; None while no side has."""
    decisive = any(goal.decisive for goal in scenario.objectives.values())
    quotas = {side: entry.victory.quota for side, entry in scenario.sides.items() if entry.victory.quota is not None}
    if not decisive and not quotas:
        return None
    found = scorers(scenario, scoreboard, achieved)
    for key, side in found:
        goal = scenario.objectives[key]
        if goal.decisive and (ended or not isinstance(goal, Hold)):
            return side, f"decisive objective '{goal.name}'"
    scored = _summed(scenario, found) if quotas else {}
    reached = next((side for side, quota in quotas.items() if scored[side] >= quota), None)
    return None if reached is None else (reached, f"quota of {amount(quotas[reached], 'point')} reached")


def winner(scored: Mapping[str, float]) -> str | None:
    """Return the side with the most points; None if the best are equal."""
    best = max(scored.values())
    leading = [side for side, value in scored.items() if value == best]
    return leading[0] if len(leading) == 1 else None
