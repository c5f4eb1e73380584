"""The options with interesting odds, and the step that plays each one out."""

from __future__ import annotations

from collections.abc import Callable

from zareba.odds import Act
from zareba.table import Choose, Confirm, Option, Table
from zareba_rulesets.fixed_baynet.actions.activation import UNIT_ACTIONS, asks_for_action, menu_of, perform_or_end
from zareba_rulesets.fixed_baynet.chapters.fire import fire_with_man
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.melee import strike_with_man
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.targets import ANSWER_NONE, Answers, resolve_counter_attack
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit


def next_act(battle: Battle, question: Choose | Confirm, option: Option) -> tuple[str, Act[Battle]] | None:
    """Return the odds procedure of an option and the step that plays it, for actions with dice.

    No option reveals a range that has to be guessed (FBN-006).
    """
    why, actor = question.why, question.actor
    if asks_for_action(why):
        actions = menu_of(battle, battle.units[actor]).of(option) if why == "act" else [option]
        action = UNIT_ACTIONS.for_session(battle.book.rules).action_of(actions[0])
        has_odds = action is not None and action.odds and len(actions) == 1
        return (action.odds, _does(actor, actions[0])) if action is not None and has_odds else None
    if why == "aim the gun at":
        key, _, number = actor.rpartition(" ")
        target_unit = battle.unit_of(str(option))
        return (
            None if target_unit is None else ("gun_aim", _does(key, ("gun fire", int(number) - 1, target_unit.spec.id)))
        )
    if why == "aim at":
        return "shot", lambda table, battle: _alone(table, battle, actor, fire_with_man)
    if why == "strike":
        return "close_combat", lambda table, battle: _alone(table, battle, actor, strike_with_man)
    if why == "answer" and option is True:
        return "counter_attack", lambda table, battle: _answer(table, battle, actor, *question.about)
    if why == "counter-attack" and option != ANSWER_NONE and len(question.about) == 2:
        return "counter_attack", lambda table, battle: _answer(table, battle, *question.about, volley=True)
    return None


def _does(unit: str, option: Option) -> Act[Battle]:
    """Return the step in which a unit carries out an option."""
    return lambda table, battle: perform_or_end(table, battle, battle.units.change(unit), option)


def _alone(table: Table, battle: Battle, man: str, does: Callable[[Table, Battle, Unit, Figure], object]) -> None:
    """Let one man act; if he is in panic, the other panicking men follow (FBN-164)."""
    his_unit = battle.unit_of(man)
    assert his_unit is not None, "he is in play"
    unit = battle.change(his_unit)
    figure = unit.figures[man]
    in_panic = bool(figure.reaction)
    does(table, battle, unit, figure)
    if in_panic:
        carry_out_panic(table, battle, unit)


def _answer(table: Table, battle: Battle, man: str, foe: str, *, volley: bool = False) -> None:
    """Play a man's answer to a shot, and the rest of the volley if there is one. His wound is already counted."""
    his_unit, foe_unit = battle.unit_of(man), battle.unit_of(foe)
    assert his_unit is not None and foe_unit is not None, "both are in play until the answer is made"
    unit, shooter_unit = battle.change(his_unit), battle.change(foe_unit)
    figure, shooter = unit.figures[man], shooter_unit.figures[foe]

    def shoot_back() -> None:
        resolve_counter_attack(table, battle, unit, figure, shooter_unit, shooter, Answers(), single_shot=not volley)

    if figure.spec.leads:
        shoot_back()
    else:
        resolve_hit(table, battle, unit, figure, False, 0, "fire", shooter_unit, shoot_back)
    if volley:
        perform_or_end(table, battle, battle.units.change(battle.active), ("fire", unit.spec.id))
