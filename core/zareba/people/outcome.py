"""How a game ended, and how that reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zareba.base.amounts import agreeing, noted
from zareba.scenario.law import Outcome

if TYPE_CHECKING:
    from zareba.scenario import Scenario

__all__ = ["Outcome", "outcome_sentence"]


def outcome_sentence(scenario: Scenario, outcome: Outcome) -> str:
    """Who has won a game that is over, the points of all sides, why it ended, and what decided it."""
    sides = scenario.sides
    points = ", ".join(f"{sides[side].name} {scored:g}" for side, scored in outcome.points.items())
    won = "a draw"
    if outcome.winner is not None:
        name = sides[outcome.winner].name
        won = f"{noted(name, outcome.winner)} {agreeing(name, 'wins', 'win')}"
    decided_by = f"; {outcome.decided_by}" if outcome.decided_by else ""
    return f"The game is over: {won}. Points: {points}. Reason: {outcome.ending.replace('_', ' ')}{decided_by}."
