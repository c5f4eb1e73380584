"""The options with interesting odds, and the step that plays each one out."""

from __future__ import annotations

from collections.abc import Callable

from zareba.odds import Act
from zareba.table import Choose, Confirm, Option, Table
from zareba_rulesets.fixed_baynet.actions.activation import perform_or_end
from zareba_rulesets.fixed_baynet.actions.unit_actions import UNIT_ACTIONS, is_action, menu_of
from zareba_rulesets.fixed_baynet.chapters.aiming import NONE, Answers, resolve_counter_attack
from zareba_rulesets.fixed_baynet.chapters.fire import fire_with_man
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.melee import strike_with_man
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit


def next_act(battle: Battle, question: Choose | Confirm, option: Option) -> tuple[str, Act[Battle]] | None:
    """Return the odds procedure of an option and the step that plays it, for acts with dice.

    No option reveals a range that has to be guessed (FBN-006).
    """
    why, actor = question.why, question.actor
    if is_action(why):
        acts = menu_of(battle, battle.units[actor]).of(option) if why == "act" else [option]
        action = UNIT_ACTIONS.of(battle.book.rules).read(acts[0])
        has_odds = action is not None and action.odds and len(acts) == 1
        return (action.odds, _does(actor, acts[0])) if action is not None and has_odds else None
    if why == "aim the gun at":
        key, _, number = actor.rpartition(" ")
        home = battle.home(str(option))
        return None if home is None else ("gun_aim", _does(key, ("gun fire", int(number) - 1, home.spec.id)))
    if why == "aim at":
        return "shot", lambda table, battle: _alone(table, battle, actor, fire_with_man)
    if why == "strike":
        return "close_combat", lambda table, battle: _alone(table, battle, actor, strike_with_man)
    if why == "answer" and option is True:
        return "counter_attack", lambda table, battle: _answer(table, battle, actor, *question.about)
    if why == "counter-attack" and option != NONE and len(question.about) == 2:
        return "counter_attack", lambda table, battle: _answer(table, battle, *question.about, volley=True)
    return None


def _does(unit: str, option: Option) -> Act[Battle]:
    return lambda table, battle: perform_or_end(table, battle, battle.units.change(unit), option)


def _alone(table: Table, battle: Battle, man: str, does: Callable[[Table, Battle, Unit, Figure], object]) -> None:
    """Let one man act; if he is in panic, the other panicking men follow (FBN-164)."""
    home = battle.home(man)
    assert home is not None, "he is in play"
    unit = battle.change(home)
    figure = unit.figures[man]
    in_panic = bool(figure.reaction)
    does(table, battle, unit, figure)
    if in_panic:
        carry_out_panic(table, battle, unit)


def _answer(table: Table, battle: Battle, man: str, foe: str, *, volley: bool = False) -> None:
    """Play a man's answer to a shot, and the rest of the volley if there is one. His wound is already counted."""
    home, other = battle.home(man), battle.home(foe)
    assert home is not None and other is not None, "both are in play until the answer is made"
    unit, foes = battle.change(home), battle.change(other)
    figure, shooter = unit.figures[man], foes.figures[foe]

    def shoot_back() -> None:
        resolve_counter_attack(table, battle, unit, figure, foes, shooter, Answers(), single=not volley)

    if figure.spec.leads:
        shoot_back()
    else:
        resolve_hit(table, battle, unit, figure, False, 0, "fire", foes, shoot_back)
    if volley:
        perform_or_end(table, battle, battle.units.change(battle.active), ("fire", unit.spec.id))
