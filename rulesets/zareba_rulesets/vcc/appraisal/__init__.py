"""What the options of a choice are worth, for commanders with sense.

No rule stands here: only the odds of the rules' own dice pools, distances, and what the scenario's objectives ask for.
One unit of worth is one base of six, so an average regular unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zareba.plugins.ruleset import Appraisal
from zareba.table import Choose
from zareba_rulesets.vcc.appraisal.fire import fire_at, fire_with, rocket_at
from zareba_rulesets.vcc.appraisal.movement import face, move, move_with
from zareba_rulesets.vcc.appraisal.other_choices import attach, commander_to, deploy_in, fight, retreat_to, support
from zareba_rulesets.vcc.appraisal.situation import NOTHING, Remembered, Situation
from zareba_rulesets.vcc.forces.battle import Battle

__all__ = ["Judgement"]


JUDGEMENTS: dict[str, Callable[[Situation, Choose], list[Appraisal]]] = {
    "fire with": fire_with,
    "fire at": fire_at,
    "rocket at": rocket_at,
    "move with": move_with,
    "move": move,
    "face": face,
    "pivot to": face,
    "retreat to": retreat_to,
    "commander to": commander_to,
    "attach commander to": attach,
    "fight": fight,
    "support": support,
    "deploy in": deploy_in,
    "arrive in": deploy_in,
}


class Judgement(Remembered):
    """Appraises the choices of one game."""

    def appraise(self, battle: Battle, question: Choose) -> Sequence[Appraisal]:
        """One appraisal for each option, in order."""
        weigh = JUDGEMENTS.get(question.why)
        if weigh is None:
            return [NOTHING] * len(question.options)
        return weigh(Situation(battle, self, question.seat), question)
