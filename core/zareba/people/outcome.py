"""How a game ended, and how that reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zareba.base.amounts import noted
from zareba.scenario.law import Outcome

if TYPE_CHECKING:
    from zareba.scenario import Scenario

__all__ = ["Outcome", "outcome_sentence"]


def outcome_sentence(scenario: Scenario, outcome: Outcome) -> str:
    """Who has won a game that is over, the points of all sides, and why it ended."""
    sides = scenario.sides
    points = ", ".join(f"{sides[side].name} {scored:g}" for side, scored in outcome.points.items())
    won = "a draw" if outcome.winner is None else f"{noted(sides[outcome.winner].name, outcome.winner)} wins"
    return f"The game is over: {won}. Points: {points}. Reason: {outcome.ending.replace('_', ' ')}."
