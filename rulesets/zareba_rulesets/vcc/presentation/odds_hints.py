"""The options that come with odds, and the action that each of them starts."""

from __future__ import annotations

from zareba.odds import Act
from zareba.table import Choose, Confirm, Option
from zareba_rulesets.vcc.chapters.fire import fire_rocket
from zareba_rulesets.vcc.chapters.movement import CHARGE, charge
from zareba_rulesets.vcc.forces import Battle
from zareba_rulesets.vcc.sequence import shoot


def next_act(battle: Battle, question: Choose | Confirm, option: Option) -> tuple[str, Act[Battle]] | None:
    """Return the odds procedure and the action for a shot, a charge or a rocket (VCC-093, VCC-050, VCC-098)."""
    why, actor = question.why, question.actor
    if why == "fire at" and option in battle.units:
        return "fire_step", lambda table, battle: shoot(table, battle, battle.unit(actor))
    if why == "move" and isinstance(option, tuple) and option[0] == CHARGE:
        return "melee", lambda table, battle: charge(table, battle, battle.unit(actor), battle.unit(option[1]))
    if why == "rocket at" and isinstance(option, int):
        return "rocket_morale", lambda table, battle: fire_rocket(table, battle, battle.unit(actor), option)
    return None
