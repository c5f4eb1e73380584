"""The common law: when a battle ends and who has won it, the same under all rule systems.

It ends when a decisive objective or a side's quota is met, when at most one side can still act, when the system's own law
ends it, or at the turn limit. Then what was achieved stays; a side that alone is left in the field achieves what nobody
can keep it from any more; and most points win, or with equal points the greater share of strength left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zareba.base.amounts import in_a_sentence
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Objective, Scenario
from zareba.scenario.scoring import EPSILON, decided, decision, points, settle, winner
from zareba.scenario.standing import Standing

__all__ = ["EVEN", "Outcome", "end_of_battle", "front", "in_the_field", "judge", "points_in_play", "settled"]

EVEN = 0.02
"""Shares of strength that differ by no more are equal."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winning side (None: a draw), the points of each side, and the reason in one word.

    `ground`: what decided who has won: an objective, points, strength, or a word of the system's own law. `decided_by`: the
    same as a phrase with its figures, for the closing sentence.
    """

    winner: str | None
    points: Mapping[str, float]
    ending: str
    ground: str = "points"
    decided_by: str = ""


def end_of_battle(standing: Standing[Any], achieved: dict[str, str], own: str = "") -> str:
    """The reason why the battle ends, "" if it goes on; what cannot be undone is noted in `achieved`.

    In this order: an objective that decides, a side that is left alone, or none; `own`, the reason that the system's own
    law has, if any; the turn limit.
    """
    scenario = standing.scenario
    settle(scenario, standing, achieved)
    if decided(scenario, standing, achieved) is not None:
        return "objectives"
    if sum(standing.can_act(side) for side in scenario.sides) < 2:
        return "collapse"
    return own or ("turn_limit" if standing.turn >= scenario.turns else "")


def judge(standing: Standing[Any], ending: str) -> Outcome:
    """Who has won a battle as it stands, if it ends like this."""
    scenario = standing.scenario
    found = settled(standing)
    outright, scored = decision(scenario, standing, found, ended=True), points(scenario, standing, found)
    if outright is not None:
        return Outcome(outright[0], scored, ending, "objective", outright[1])
    left = {side: standing.strength(side) for side in scenario.sides}
    alone = in_the_field(standing, ending)
    best = winner(scored)
    if best is not None:
        return Outcome(best, scored, ending, "points", f"{alone}most points")
    first = front(scored, left)
    return Outcome(first, scored, ending, "strength", alone + _by_strength(scenario, scored, left, first))


def in_the_field(standing: Standing[Any], ending: str) -> str:
    """Return whom a battle has left in the field, as the start of what decided it; "" while several sides are."""
    if standing.unopposed is not None:
        return f"only {in_a_sentence(standing.scenario.sides[standing.unopposed].name)} left in the field, "
    return "no side left in the field, " if ending == "collapse" else ""


def _by_strength(scenario: Scenario, scored: Mapping[str, float], left: Mapping[str, float], first: str | None) -> str:
    """Say that strength decided among sides with equal points, or that it did not differ enough."""
    equal = "points equal, " if scenario.objectives else ""
    best = max(scored.values())
    shares = [f"{left[side]:.0%}" for side in sorted(left, key=lambda side: -left[side]) if scored[side] == best]
    told = "most strength left" if first is not None else f"strength left differs by {EVEN:.0%} at most"
    return f"{equal}{told} ({' to '.join(shares)})"


def front(scored: Mapping[str, float], left: Mapping[str, float]) -> str | None:
    """The side that is in front: by points, by strength among those whose points are equal; None when it is even."""
    most = max(scored.values())
    leading = sorted((side for side in scored if scored[side] == most), key=lambda side: -left[side])
    if len(leading) > 1 and left[leading[0]] - left[leading[1]] <= EVEN + EPSILON:
        return None
    return leading[0]


def points_in_play(scenario: Scenario) -> int:
    """The most points that one side can score; 0 where there are no objectives."""
    return max(sum(goal.points for goal in scenario.objectives_of(side).values()) for side in scenario.sides)


def settled(standing: Standing[Any]) -> dict[str, str]:
    """What has been achieved, with what a side that is unopposed achieves by that."""
    found, side = dict(standing.achieved), standing.unopposed
    if side is not None:
        for key, goal in standing.scenario.objectives_of(side).items():
            if key not in found and _is_open(standing, side, goal):
                found[key] = side
    return found


def _is_open(standing: Standing[Any], side: str, goal: Objective) -> bool:
    """Whether a side that is alone in the field can still achieve this with what it has."""
    scenario = standing.scenario
    if isinstance(goal, Hold):
        return True  # whoever else stands there has left the field
    if isinstance(goal, CarryOff):
        return standing.lies_on_table(goal)
    if isinstance(goal, CaptureLeader):
        return scenario.leaders[goal.leader].side != side and standing.is_on_table(goal.leader)
    if isinstance(goal, Destroy):
        hunted = goal.units or tuple(key for key, unit in scenario.units.items() if unit.side != side)
        return scenario.units[hunted[0]].side != side and 1 - standing.share_off(hunted) >= goal.share - EPSILON
    units = goal.units or tuple(scenario.units_of(side))
    own = scenario.units[units[0]].side == side
    if isinstance(goal, Escort):
        return own and standing.share_left(units) >= goal.share - EPSILON
    to_come = standing.turn <= goal.turn
    return (own or side in goal.by) and to_come and standing.share_left(units) >= goal.share - EPSILON
