"""Scoring a scenario's objectives, the same under every rule system.

A ruleset describes how things stand (`zareba.scenario.standing`); what that is worth is written in the scenario alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.base.amounts import amount
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Scenario, Survive
from zareba.scenario.standing import Standing

__all__ = ["decided", "decision", "is_destroyed", "points", "settle", "winner"]

EPSILON = 1e-9


def _may_score(scenario: Scenario, goal_id: str) -> tuple[str, ...]:
    return scenario.objectives[goal_id].by or tuple(scenario.sides)


def _enemies(scenario: Scenario, side: str) -> list[str]:
    return [key for key, unit in scenario.units.items() if unit.side != side]


def settle(scenario: Scenario, standing: Standing[Any], achieved: dict[str, str]) -> None:
    """At the end of a turn, note what cannot be undone: objective id -> side, added to `achieved`."""
    for key, goal in scenario.objectives.items():
        if key in achieved:
            continue
        sides = _may_score(scenario, key)
        if isinstance(goal, CarryOff):
            side = standing.carried_off(goal)
            if side in sides:
                achieved[key] = side
        elif isinstance(goal, CaptureLeader):
            if standing.leader_lost(goal.leader):
                own = scenario.leaders[goal.leader].side
                achieved.update((key, side) for side in sides if side != own)
        elif isinstance(goal, Escort):
            if standing.share_brought(goal) >= goal.share:
                own = scenario.units[goal.units[0]].side
                achieved.update((key, side) for side in sides if side == own)
        elif isinstance(goal, Survive) and standing.turn == goal.turn:
            side = goal.by[0] if goal.by else scenario.units[goal.units[0]].side
            if standing.share_left(goal.units or tuple(scenario.units_of(side))) >= goal.share - EPSILON:
                achieved[key] = side


def is_destroyed(standing: Standing[Any], units: Sequence[str], share: float) -> bool:
    """Whether these units have lost so great a share of their starting strength; an exact share counts.

    Who never was there, because the rules do not field him, is not destroyed.
    """
    return (
        standing.fielded(units) and 1 - standing.share_left(units) >= share - EPSILON
    )  # 1 - 0.8 is a little less than 0.2


def points(scenario: Scenario, standing: Standing[Any], achieved: Mapping[str, str]) -> dict[str, float]:
    """The points of every side as things stand: what is achieved, what is held, and losses inflicted."""
    return _summed(scenario, _scorers(scenario, standing, achieved))


def _summed(scenario: Scenario, scorers: Sequence[tuple[str, str]]) -> dict[str, float]:
    scored = dict.fromkeys(scenario.sides, 0.0)
    for key, side in scorers:
        scored[side] += scenario.objectives[key].points
    return scored


def _scorers(scenario: Scenario, standing: Standing[Any], achieved: Mapping[str, str]) -> list[tuple[str, str]]:
    found = list(achieved.items())
    for key, goal in scenario.objectives.items():
        sides = _may_score(scenario, key)
        if isinstance(goal, Hold):
            side = None if key in achieved else standing.holder(goal)
            if side in sides:
                found.append((key, side))
        elif isinstance(goal, Destroy):
            for side in sides:
                units = goal.units or tuple(_enemies(scenario, side))
                if achieved.get(key) == side or scenario.units[units[0]].side == side:
                    continue
                if is_destroyed(standing, units, goal.share):
                    found.append((key, side))
    return found


def decided(
    scenario: Scenario, standing: Standing[Any], achieved: Mapping[str, str], *, ended: bool = False
) -> str | None:
    """The side that has won outright at the end of this turn: by a decisive objective, or by its quota of points.

    A decisive `hold` counts only when the game has `ended`, as all holding does.
    """
    found = decision(scenario, standing, achieved, ended=ended)
    return found[0] if found is not None else None


def decision(
    scenario: Scenario, standing: Standing[Any], achieved: Mapping[str, str], *, ended: bool = False
) -> tuple[str, str] | None:
    """The side that has won outright, as `decided` says, and what decided it as a phrase; None while no side has."""
    decisive = any(goal.decisive for goal in scenario.objectives.values())
    quotas = {side: entry.victory.quota for side, entry in scenario.sides.items() if entry.victory.quota is not None}
    if not decisive and not quotas:
        return None
    scorers = _scorers(scenario, standing, achieved)
    for key, side in scorers:
        goal = scenario.objectives[key]
        if goal.decisive and (ended or not isinstance(goal, Hold)):
            return side, f"decisive objective '{goal.name}'"
    scored = _summed(scenario, scorers) if quotas else {}
    reached = next((side for side, quota in quotas.items() if scored[side] >= quota), None)
    return None if reached is None else (reached, f"quota of {amount(quotas[reached], 'point')} reached")


def winner(scored: Mapping[str, float]) -> str | None:
    """The side with the most points; None when the best are equal."""
    best = max(scored.values())
    leading = [side for side, value in scored.items() if value == best]
    return leading[0] if len(leading) == 1 else None
