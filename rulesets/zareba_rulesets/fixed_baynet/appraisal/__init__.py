"""What the options of a choice are worth, for commanders with sense. One unit of worth is a squad of twenty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.table import Choose, Confirm, Place
from zareba_rulesets.fixed_baynet.appraisal import places
from zareba_rulesets.fixed_baynet.appraisal.acts import NOTHING, Judge
from zareba_rulesets.fixed_baynet.appraisal.prospects import MAN
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.options import is_act

__all__ = ["appraise"]

FIRST = Appraisal(ground=0.001, reason="as it stands: 1st of the list")
SILENT = Appraisal(reason="0 AC spent (FBN-098)")
ANSWER = Appraisal(inflicts=MAN / 2, reason="an answer costs 1 AC (FBN-098)")


def appraise(battle: Battle, scenario: Scenario, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
    """One appraisal for each option, in order; for points one for each suggestion; for confirm no, yes."""
    if isinstance(question, Confirm):
        return [SILENT, ANSWER]
    if isinstance(question, Choose) and is_act(question.why):
        judge = Judge(battle, scenario, battle.units[question.actor])
        return [judge.kind(option) if question.why == "act" else judge.act(option) for option in question.options]
    weigh = JUDGEMENTS.get(question.why)
    if weigh is not None:
        return weigh(battle, scenario, question)
    count = len(question.suggestions if isinstance(question, Place) else question.options)
    return [FIRST, *[NOTHING] * (count - 1)]


JUDGEMENTS: dict[str, Callable[[Battle, Scenario, Any], Sequence[Appraisal]]] = {
    "activate": places.activate,
    "move to": places.points,
    "ride to": places.points,
    "ride on": places.ride_on,
    "deploy at": places.deploy,
    "counter-attack": places.answers,
    "load": places.load,
    "aim at": places.aim,
    "strike": places.aim,
    "face": places.bearing,
    "turn gun to": places.bearing,
    "what he does": places.hold,
}
