"""What the options of a question are worth, for commanders with sense (not a rule; odds and distances only).

Losses are shares of a unit of fifteen men. One module for each part of an activation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zareba.battle.evaluation import Evaluation, first_does, habit
from zareba.space import Point
from zareba.table import Choose, Confirm, Place
from zareba_rulesets.paychest.evaluation.destinations import best_of, place
from zareba_rulesets.paychest.evaluation.fighting import fights, joins, melee, victim
from zareba_rulesets.paychest.evaluation.firing import fire, gun, man, target, unit_target
from zareba_rulesets.paychest.evaluation.loads import corporal, edge, handle
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
    # a deed noted by hand changes nothing till a corporal is needed
    "brave deed in": habit("steadies", {"nobody": 0.1}, "+1 changes 0 odds (PAY-044)"),
    # each unit is led by the same head, which knows its objectives
    "order for": first_does("steadies", 0.1, "1 head plans for all, orders add 0 (PAY-033)"),
}


def evaluate(battle: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
    """One appraisal for each option, in order (for a confirmation: no, yes)."""
    unit = _unit_of(battle, question.actor)
    if isinstance(question, Confirm):
        return [Evaluation(reason="0 shots"), Evaluation(inflicts=0.1, reason="1 shot more")]
    if isinstance(question, Place):
        return _any_will_do(len(question.suggestions)) if unit is None else place(battle, unit, question)
    judge = JUDGES.get(question.why)
    return _any_will_do(len(question.options)) if judge is None or unit is None else judge(battle, unit, question)


def _any_will_do(count: int) -> list[Evaluation]:
    """A question of which nothing is known, as a house rule may ask it: the first option does."""
    return [Evaluation(steadies=0.0 if n else 0.1, reason=f"option {n + 1} of {count}") for n in range(count)]


def best_places(battle: Battle, question: Place) -> Mapping[Point, Evaluation]:
    """The points among which the best is, whatever the temper of the commander, with what each is worth."""
    unit = _unit_of(battle, question.actor)
    if unit is None:
        return dict(zip(question.suggestions, _any_will_do(len(question.suggestions)), strict=True))
    return best_of(battle, unit, question)


def _unit_of(battle: Battle, actor: str) -> Unit | None:
    """The unit that a question is about, whoever is named: unit, figure or gun; None if a house rule names nobody."""
    if actor in battle.engines:
        actor = battle.engines[actor].unit
    return battle.units.get(actor) or battle.units.get(actor.rpartition(".")[0])
