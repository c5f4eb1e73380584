"""Evaluation of the options of a question, for AI players. It uses odds and distances only and is not a rule.

Losses are measured in units of fifteen figures. There is one module for each part of an activation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zareba.battle.evaluation import Evaluation, first_does, habit
from zareba.space import Point
from zareba.table import Choose, Confirm, Place
from zareba_rulesets.paychest.evaluation.destinations import best_of, place
from zareba_rulesets.paychest.evaluation.firing import fire, gun, man, target, unit_target
from zareba_rulesets.paychest.evaluation.loads import corporal, edge, handle
from zareba_rulesets.paychest.evaluation.melee import fights, joins, melee, victim
from zareba_rulesets.paychest.evaluation.movement import move, posture
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["best_places", "evaluate"]

JUDGES: dict[str, Callable[[Battle, Unit, Choose], list[Evaluation]]] = {
    "acting corporal": corporal,
    "handle": handle,
    "move": move,
    "at the edge": edge,
    "posture": posture,
    "fire": fire,
    "volley at": target,
    "gun at": gun,
    "fire at unit": unit_target,
    "fire at": man,
    "melee": melee,
    "fights": fights,
    "joins against": joins,
    "which man is hit": victim,
    # a recorded deed has no effect until a corporal is needed
    "brave deed in": habit("steadies", {"nobody": 0.1}, "a deed counts only when a corporal is chosen (PAY-044)"),
    # the same AI leads every unit and knows the objectives
    "order for": first_does("steadies", 0.1, "the AI already plans for all its units (PAY-033)"),
}


def evaluate(battle: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
    """Return one evaluation per option, in order (for a confirmation: no, yes)."""
    unit = _unit_of(battle, question.actor)
    if isinstance(question, Confirm):
        return [Evaluation(reason="holds fire"), Evaluation(inflicts=0.1, reason="joins in the fire")]
    if isinstance(question, Place):
        return _any_will_do(len(question.suggestions)) if unit is None else place(battle, unit, question)
    judge = JUDGES.get(question.why)
    return _any_will_do(len(question.options)) if judge is None or unit is None else judge(battle, unit, question)


def _any_will_do(count: int) -> list[Evaluation]:
    """Return evaluations for an unknown question, such as one from a house rule: the first option is preferred."""
    return [Evaluation(steadies=0.0 if n else 0.1, reason=f"option {n + 1} of {count}") for n in range(count)]


def best_places(battle: Battle, question: Place) -> Mapping[Point, Evaluation]:
    """Return the points among which the best one is for every AI temperament, with their evaluations."""
    unit = _unit_of(battle, question.actor)
    if unit is None:
        return dict(zip(question.suggestions, _any_will_do(len(question.suggestions)), strict=True))
    return best_of(battle, unit, question)


def _unit_of(battle: Battle, actor: str) -> Unit | None:
    """Return the unit that a question is about, from a unit, figure or gun. None if a house rule names none of them."""
    if actor in battle.engines:
        actor = battle.engines[actor].unit
    return battle.units.get(actor) or battle.units.get(actor.rpartition(".")[0])
