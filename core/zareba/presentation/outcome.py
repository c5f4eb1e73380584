"""The result of a finished game, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zareba.base.grammar import agreeing
from zareba.scenario.victory import Outcome

if TYPE_CHECKING:
    from zareba.scenario import Scenario

__all__ = ["Outcome", "outcome_sentence"]


def outcome_sentence(scenario: Scenario, outcome: Outcome) -> str:
    """Return the winner of a finished game, the points of all sides, why it ended, and what decided it."""
    sides = scenario.sides
    points = ", ".join(f"{sides[side].name} {scored:g}" for side, scored in outcome.points.items())
    won = "a draw"
    if outcome.winner is not None:
        name = sides[outcome.winner].name
        won = f"{name} {agreeing(name, 'wins', 'win')}"
    decided_by = f"; {outcome.decided_by}" if outcome.decided_by else ""
    return f"The game is over: {won}. Points: {points}. Reason: {outcome.ending.replace('_', ' ')}{decided_by}."
