"""Evaluation of options for the AI players. One unit of value is a squad of twenty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zareba.battle.evaluation import Evaluation, habit
from zareba.battle.legal_actions import ActionKinds
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.fixed_baynet.actions.unit_actions import is_act
from zareba_rulesets.fixed_baynet.estimates.expected_losses import MAN
from zareba_rulesets.fixed_baynet.estimates.objectives import SideObjectives
from zareba_rulesets.fixed_baynet.estimates.positions import NOTHING
from zareba_rulesets.fixed_baynet.evaluation import choices, destinations
from zareba_rulesets.fixed_baynet.evaluation.act_ranking import ActRanking
from zareba_rulesets.fixed_baynet.evaluation.destinations import best_places
from zareba_rulesets.fixed_baynet.forces.battle import Battle

__all__ = ["SideObjectives", "best_kinds", "best_places", "evaluate"]

FIRST = Evaluation(ground=0.001, reason="no option is better than another")
SUGGESTED = Evaluation(ground=0.001, reason="the scenario suggests this")
SILENT = Evaluation(reason="keeps his AC for later (FBN-098)")
ANSWER = Evaluation(inflicts=MAN / 2, reason="a counter-attack may take an enemy (FBN-098)")


def evaluate(battle: Battle, mission: SideObjectives, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
    """Return one evaluation per option, in order.

    A question for a point gets one per suggestion, and a confirmation one each for no and yes.
    """
    if isinstance(question, Confirm):
        return [SILENT, ANSWER]
    if isinstance(question, Choose) and is_act(question.why):
        judge = ActRanking(battle, mission, battle.units[question.actor])
        return [judge.kind(option) if question.why == "act" else judge.act(option) for option in question.options]
    weigh = JUDGEMENTS.get(question.why)
    if weigh is not None:
        return weigh(battle, mission, question)
    count = len(question.suggestions if isinstance(question, Place) else question.options)
    return [SUGGESTED if question.why.startswith("deploy") else FIRST, *[NOTHING] * (count - 1)]


def best_kinds(battle: Battle, mission: SideObjectives, question: Choose) -> Mapping[Option, Evaluation] | None:
    """Return the kinds of act worth considering, with their evaluations; None for other questions."""
    if question.why != "act" or not isinstance(question.options, ActionKinds):
        return None
    return ActRanking(battle, mission, battle.units[question.actor]).best_of(question.options)


JUDGEMENTS: dict[str, Callable[[Battle, SideObjectives, Any], Sequence[Evaluation]]] = {
    "activate": choices.value_activation,
    "move to": destinations.value_points,
    "ride to": destinations.value_points,
    "ride on": habit("ground", {"ride on": 0.01, "halt": 0.0}, "a charge may follow the turn (FBN-180)", other=0.1),
    "deploy at": destinations.value_deployment,
    "counter-attack": choices.value_counter_attacks,
    "load": habit("inflicts", {"shell": 0.1}, "a shell hits all men under its marker (FBN-216)"),
    "aim at": choices.value_target,
    "aim at point": choices.value_aim_points,
    "strike": choices.value_target,
    "face": choices.value_bearings,
    "turn gun to": choices.value_bearings,
    "what he does": choices.value_acts_of_man,
}
