"""When a battle ends and who wins it: the standard victory rules, the same under all rulesets.

A battle ends when a decisive objective or a side's quota is met, when at most one side can still act, when the
ruleset's own victory rule ends it, or at the turn limit. Achieved objectives stay achieved. A side left alone in the
field also achieves every objective that no enemy can now prevent. The side with most points wins; with equal points,
the side with the greater share of its strength left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zareba.base.grammar import in_a_sentence
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Objective, Scenario
from zareba.scenario.scoreboard import Scoreboard
from zareba.scenario.scoring import EPSILON, count_points, decided, decision, record_achieved_objectives, winner

__all__ = [
    "EVEN",
    "Outcome",
    "end_of_battle",
    "front",
    "in_the_field",
    "judge",
    "objectives_at_the_end",
    "points_in_play",
]

EVEN = 0.02
"""Shares of strength that differ by no more than this are equal."""


@dataclass(frozen=True)
class Outcome:
    """The result of a game: winner (None: a draw), points of each side, and in one word why it ended.

    `ground` is what decided the winner: "objective", "points", "strength", or a word of the ruleset's own victory
    rule. `decided_by` is the same as a phrase with figures.
    """

    winner: str | None
    points: Mapping[str, float]
    ending: str
    ground: str = "points"
    decided_by: str = ""


def end_of_battle(scoreboard: Scoreboard[Any], achieved: dict[str, str], own: str = "") -> str:
    """Return the reason why the battle ends, "" if it goes on. Permanently scored objectives are added to `achieved`.

    Checked in this order: a decisive objective or quota; fewer than two sides able to act; `own`, the reason of the
    ruleset's own victory rule; the turn limit.
    """
    scenario = scoreboard.scenario
    record_achieved_objectives(scenario, scoreboard, achieved)
    if decided(scenario, scoreboard, achieved) is not None:
        return "objectives"
    if sum(scoreboard.can_act(side) for side in scenario.sides) < 2:
        return "collapse"
    return own or ("turn_limit" if scoreboard.turn >= scenario.turns else "")


def judge(scoreboard: Scoreboard[Any], ending: str) -> Outcome:
    """Return the outcome of a battle as it is now, if it ends for this reason."""
    scenario = scoreboard.scenario
    found = objectives_at_the_end(scoreboard)
    outright, scored = decision(scenario, scoreboard, found, ended=True), count_points(scenario, scoreboard, found)
    if outright is not None:
        return Outcome(outright[0], scored, ending, "objective", outright[1])
    left = {side: scoreboard.strength(side) for side in scenario.sides}
    alone = in_the_field(scoreboard, ending)
    best = winner(scored)
    if best is not None:
        return Outcome(best, scored, ending, "points", f"{alone}most points")
    first = front(scored, left)
    return Outcome(first, scored, ending, "strength", alone + _by_strength(scenario, scored, left, first))


def in_the_field(scoreboard: Scoreboard[Any], ending: str) -> str:
    """Return a phrase saying that only one side, or none, is left in the field; "" otherwise.

    It is the first part of `decided_by`.
    """
    if scoreboard.unopposed is not None:
        return f"only {in_a_sentence(scoreboard.scenario.sides[scoreboard.unopposed].name)} left in the field, "
    return "no side left in the field, " if ending == "collapse" else ""


def _by_strength(scenario: Scenario, scored: Mapping[str, float], left: Mapping[str, float], first: str | None) -> str:
    """Say that strength decided among sides with equal points, or that it did not differ enough."""
    equal = "points equal, " if scenario.objectives else ""
    best = max(scored.values())
    shares = [f"{left[side]:.0%}" for side in sorted(left, key=lambda side: -left[side]) if scored[side] == best]
    told = "larger share of strength left" if first is not None else f"strength left differs by {EVEN:.0%} at most"
    return f"{equal}{told} ({' to '.join(shares)})"


def front(scored: Mapping[str, float], left: Mapping[str, float]) -> str | None:
    """Return the leading side: most points, then most strength among sides with equal points; None if even."""
    most = max(scored.values())
    leading = sorted((side for side in scored if scored[side] == most), key=lambda side: -left[side])
    if len(leading) > 1 and left[leading[0]] - left[leading[1]] <= EVEN + EPSILON:
        return None
    return leading[0]


def points_in_play(scenario: Scenario) -> int:
    """Return the most points that one side can score; 0 if there are no objectives."""
    return max(sum(goal.points for goal in scenario.objectives_of(side).values()) for side in scenario.sides)


def objectives_at_the_end(scoreboard: Scoreboard[Any]) -> dict[str, str]:
    """Return the achieved objectives, plus those that an unopposed side achieves by being alone in the field."""
    found, side = dict(scoreboard.achieved), scoreboard.unopposed
    if side is not None:
        for key, goal in scoreboard.scenario.objectives_of(side).items():
            if key not in found and _is_open(scoreboard, side, goal):
                found[key] = side
    return found


def _is_open(scoreboard: Scoreboard[Any], side: str, goal: Objective) -> bool:
    """Return True if a side alone in the field can still achieve this objective with what it has left."""
    scenario = scoreboard.scenario
    if isinstance(goal, Hold):
        return True  # all other sides have left the field
    if isinstance(goal, CarryOff):
        return scoreboard.lies_on_table(goal)
    if isinstance(goal, CaptureLeader):
        return scenario.leaders[goal.leader].side != side and scoreboard.is_on_table(goal.leader)
    if isinstance(goal, Destroy):
        hunted = goal.units or tuple(key for key, unit in scenario.units.items() if unit.side != side)
        return scenario.units[hunted[0]].side != side and 1 - scoreboard.share_off(hunted) >= goal.share - EPSILON
    units = goal.units or tuple(scenario.units_of(side))
    own = scenario.units[units[0]].side == side
    if isinstance(goal, Escort):
        return own and scoreboard.share_left(units) >= goal.share - EPSILON
    to_come = scoreboard.turn <= goal.turn
    return (own or side in goal.by) and to_come and scoreboard.share_left(units) >= goal.share - EPSILON
