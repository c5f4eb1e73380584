"""The options with odds worth showing, and the rules that resolve them."""

from __future__ import annotations

from zareba.odds import Act
from zareba.table import Choose, Confirm, Option
from zareba_rulesets.paychest.actions.fire import fire_at_group, fire_at_man, fire_gun_at
from zareba_rulesets.paychest.actions.melee_pairing import MELEE_ACTIONS, melee_step
from zareba_rulesets.paychest.actions.movement import MOVE_ACTIONS, move_unit
from zareba_rulesets.paychest.chapters.melee import Fight, fight
from zareba_rulesets.paychest.forces.battle import Battle, kind_of


def next_act(battle: Battle, question: Choose | Confirm, option: Option) -> tuple[str, Act[Battle]] | None:
    """Return the act that resolves an option with odds, or None (PAY-067, PAY-092, PAY-094, PAY-136, PAY-178)."""
    why, actor, rules = question.why, question.actor, battle.book.rules
    if why == MOVE_ACTIONS.question:
        action = MOVE_ACTIONS.for_session(rules).action_of(option)
        if action is not None and action.odds:
            return action.odds, lambda table, battle: move_unit(table, battle, battle.change(actor))
    if why == MELEE_ACTIONS.question:
        row = MELEE_ACTIONS.for_session(rules).action_of(option)
        if row is not None and row.odds:
            return row.odds, lambda table, battle: melee_step(table, battle, battle.change(actor))
    if why == "volley at" and isinstance(option, tuple):
        return "volley_losses", lambda table, battle: fire_at_group(table, battle, actor, option, question.about)
    if why == "fire at":
        return "to_hit", lambda table, battle: fire_at_man(table, battle, actor, str(option))
    if why == "gun at" and isinstance(option, tuple):
        return kind_of(battle.engines[actor]), lambda table, battle: fire_gun_at(table, battle, actor, option)
    if why == "fights" and str(option).rpartition(".")[0] in battle.units:
        return "melee", lambda table, battle: fight(table, battle, Fight((actor,), (str(option),)))
    return None
