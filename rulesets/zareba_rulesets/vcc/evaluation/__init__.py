"""Estimates the value of the options of a choice, for AI players.

The estimates use the odds of the rules' own dice pools, distances, and the scenario's objectives. They contain no
rules. One unit of value is an average regular unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zareba.battle.evaluation import Evaluation, first_does, habit
from zareba.table import Choose
from zareba_rulesets.vcc.evaluation.fire import fire_at, fire_with, rocket_at
from zareba_rulesets.vcc.evaluation.movement import move, move_with, rate_facing
from zareba_rulesets.vcc.evaluation.other_choices import commander_to, fight, retreat_to, support
from zareba_rulesets.vcc.evaluation.side_view import NOTHING, CachedView, SideView
from zareba_rulesets.vcc.forces.battle import Battle

__all__ = ["Evaluator"]

AS_SUGGESTED = first_does("ground", 1.0, "as the scenario suggests")

EVALUATIONS: dict[str, Callable[[SideView, Choose], list[Evaluation]]] = {
    "fire with": fire_with,
    "fire at": fire_at,
    "rocket at": rocket_at,
    "move with": move_with,
    "move": move,
    "face": rate_facing,
    "pivot to": rate_facing,
    "retreat to": retreat_to,
    "commander to": commander_to,
    "attach commander to": habit("ground", {"alone": 0.1}, "he is safe from leader checks when unattached (VCC-163)"),
    "check morale of": habit("ground", {}, "the order of checks makes little difference (VCC-038)"),
    "fight": fight,
    "support": support,
    "deploy in": AS_SUGGESTED,
    "arrive in": AS_SUGGESTED,
}
"""The function that evaluates the options of each question."""


class Evaluator(CachedView):
    """Evaluates the choices of one game."""

    def evaluate(self, battle: Battle, question: Choose) -> Sequence[Evaluation]:
        """Return an evaluation of each option, in order; empty ones if the rules have no estimate for the question."""
        evaluate_options = EVALUATIONS.get(question.why)
        if evaluate_options is None:
            return [NOTHING] * len(question.options)
        return evaluate_options(SideView(battle, self, question.seat), question)
