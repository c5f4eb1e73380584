"""Evaluation of the options of a question, for AI players. It uses odds and distances only and is not a rule.

Losses are measured in units of fifteen figures. Actions say themselves what they are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zareba.actions import ActionTable
from zareba.battle.evaluation import Evaluation, fixed_values, prefer_first
from zareba.space import Point
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.paychest.actions.actor import NOTHING, MoveView, gains_nothing
from zareba_rulesets.paychest.actions.fire import FIRE_ACTIONS, FireView
from zareba_rulesets.paychest.actions.leaving import EXITS, ExitView
from zareba_rulesets.paychest.actions.loads import LOAD_ACTIONS, LoadView
from zareba_rulesets.paychest.actions.melee_pairing import MELEE_ACTIONS, MeleeView
from zareba_rulesets.paychest.actions.moving import MOVE_ACTIONS, value_of_moving
from zareba_rulesets.paychest.actions.posture import POSTURES, PostureView
from zareba_rulesets.paychest.chapters.movement import ADVANCE, EACH, HALT, RUN
from zareba_rulesets.paychest.estimates import IntendedGoals
from zareba_rulesets.paychest.evaluation.destinations import best_of, evaluate_places, place_of_man
from zareba_rulesets.paychest.evaluation.fire_targets import (
    evaluate_gun_targets,
    evaluate_men_to_aim_at,
    evaluate_units_to_aim_at,
    evaluate_volley_targets,
)
from zareba_rulesets.paychest.evaluation.melee_opponents import evaluate_helpers, evaluate_opponents, evaluate_victims
from zareba_rulesets.paychest.evaluation.promotion import evaluate_corporals
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["best_places", "evaluate"]

UNKNOWN = Evaluation(suffers=NOTHING, reason="only a house rule knows what this does")
"""The value of an option that only a house rule knows."""


def move_view(battle: Battle, unit: Unit) -> MoveView:
    """Return what an AI player knows about a unit in its move step."""
    return MoveView(battle, unit, IntendedGoals(battle, unit))


def evaluate_gaits(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate the gaits of one man, or of a unit that has mounted, dismounted or got off."""
    view = MoveView(battle, unit, IntendedGoals(battle, unit), here=place_of_man(unit, question.actor))
    values = {
        HALT: view.halt,
        ADVANCE: value_of_moving(view, ADVANCE),
        RUN: value_of_moving(view, RUN),
        EACH: gains_nothing(view),
    }
    return [values.get(str(option), UNKNOWN) for option in question.options]


ACTIONS: dict[str, tuple[ActionTable[Any, Any], Callable[[Battle, Unit], Any]]] = {
    actions.question: (actions, view)
    for actions, view in (
        (MOVE_ACTIONS, move_view),
        (LOAD_ACTIONS, LoadView),
        (EXITS, ExitView),
        (POSTURES, PostureView),
        (FIRE_ACTIONS, FireView),
        (MELEE_ACTIONS, MeleeView),
    )
}
"""The questions that actions answer: their tables, and what an AI player knows about the unit that acts."""

_EVALUATE_QUESTION: dict[str, Callable[[Battle, Unit, Choose], list[Evaluation]]] = {
    "acting corporal": evaluate_corporals,
    "gait": evaluate_gaits,
    "volley at": evaluate_volley_targets,
    "gun at": evaluate_gun_targets,
    "fire at unit": evaluate_units_to_aim_at,
    "fire at": evaluate_men_to_aim_at,
    "fights": evaluate_opponents,
    "joins against": evaluate_helpers,
    "which man is hit": evaluate_victims,
    # a recorded deed has no effect until a corporal is needed
    "brave deed in": fixed_values(
        "steadies", {"nobody": 0.1}, "a deed counts only when a corporal is chosen (PAY-044)"
    ),
    # the same AI leads every unit and knows the objectives
    "order for": prefer_first("steadies", 0.1, "units need not obey an order; it only says what you want (PAY-033)"),
}


def evaluate(battle: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
    """Return one evaluation per option, in order (for a confirmation: no, yes)."""
    unit = _unit_of(battle, question.actor)
    if isinstance(question, Confirm):
        return [Evaluation(reason="holds fire"), Evaluation(inflicts=0.1, reason="joins in the fire")]
    if isinstance(question, Place):
        return _prefer_the_first(len(question.suggestions)) if unit is None else evaluate_places(battle, unit, question)
    if unit is not None and question.why in ACTIONS:
        return _actions(battle, unit, question)
    evaluate_question = _EVALUATE_QUESTION.get(question.why)
    return (
        _prefer_the_first(len(question.options))
        if evaluate_question is None or unit is None
        else evaluate_question(battle, unit, question)
    )


def _actions(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Return the value of each action that may answer a question."""
    actions, look = ACTIONS[question.why]
    actions, view = actions.for_session(battle.book.rules), look(battle, unit)
    if isinstance(view, MoveView) and view.is_idle_commander:
        return [_evaluate_commander_alone(option) for option in question.options]
    found = [actions.action_of(option) for option in question.options]
    return [UNKNOWN if action is None else actions.value(action, view, battle.book) for action in found]


def _evaluate_commander_alone(option: Option) -> Evaluation:
    """Evaluate the move of a single commander, who stays out of danger because he gains no ground."""
    if option == "halt":
        return Evaluation(steadies=0.1, reason="a lone commander gains nothing by moving")
    return Evaluation(reason="a man alone is at risk")


def _prefer_the_first(count: int) -> list[Evaluation]:
    """Return evaluations for an unknown question, such as one from a house rule: the first option is preferred."""
    return [Evaluation(steadies=0.0 if n else 0.1, reason="no option is better than another") for n in range(count)]


def best_places(battle: Battle, question: Place) -> Mapping[Point, Evaluation]:
    """Return the points among which the best one is for every AI temperament, with their evaluations."""
    unit = _unit_of(battle, question.actor)
    if unit is None:
        return dict(zip(question.suggestions, _prefer_the_first(len(question.suggestions)), strict=True))
    return best_of(battle, unit, question)


def _unit_of(battle: Battle, actor: str) -> Unit | None:
    """Return the unit that a question is about, from a unit, figure or gun. None if a house rule names none of them."""
    if actor in battle.engines:
        actor = battle.engines[actor].unit
    return battle.units.get(actor) or battle.units.get(actor.rpartition(".")[0])
