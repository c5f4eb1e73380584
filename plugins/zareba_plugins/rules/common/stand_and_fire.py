"""Stand and fire: a unit that is charged may shoot at the chargers before they come home.

Most of the work is the rules' own. `targets` gives the enemies that a unit may shoot at as it stands, `shoot` lets it shoot out of its
turn: its men pay for the shots as their rules say (in Victorian Colonial Combat with their fire of this turn, in Fixed Bay'net
with their action counters), and the dice, the losses and the morale check are those of any other fire. A charge wraps the
published procedure of the charge, so the odds of "charge" show what the answer does to it, and "why?" shows its numbers.

In Paychest men march into contact, which is one of many places that a player names, so there is no moment before a charge. In
Afriboria a unit that is attacked already strikes back. So the rule is for the three other systems.

Play with it: `zareba play square_attacked --ruleset vcc --house-rule stand_and_fire`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.api import Setting, Table, Wrap, hookimpl, shoot, targets

RULESETS = ("vcc", "fixed_baynet", "risk_factor")
RULE = "HOUSE-STAND"
STAND, HOLD = "stand and fire", "hold fire"


@hookimpl
def zareba_settings() -> Mapping[str, Setting]:
    """Give one switch: whether the charged may hold their fire."""
    summary = "who decides whether the charged shoot: their player, or nobody, so that they always do"
    return {"decides": Setting(rule=RULE, summary=summary, default="player", values=["player", "nobody"])}


@hookimpl
def zareba_procedures(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, Wrap]:
    """Wrap the charge of each system."""
    asks = settings["decides"] == "player"

    def charge_of_unit(
        charge: Callable[..., Any], table: Table, battle: Any, unit: Any, target: Any, *more: Any
    ) -> Any:
        """Let the charged answer, then charge if the unit still can."""
        before = unit.box if ruleset == "vcc" else None
        if answer(table, unit, target, asks):
            unit, target = (battle.units.get(one.spec.id, one) for one in (unit, target))
            driven_off = ruleset == "vcc" and (unit.box != before or unit.marks & {"broken", "prone"})
            if driven_off or not is_there(ruleset, unit) or not is_there(ruleset, target):
                table.tell("charge stopped", RULE, unit=unit.spec.id)
                return 0 if ruleset == "fixed_baynet" else None
        return charge(table, battle, unit, target, *more)

    charges = {"vcc": "movement.charge", "fixed_baynet": "charge.unit", "risk_factor": "charge.home"}
    return {charges[ruleset]: charge_of_unit}


def answer(table: Table, unit: Any, target: Any, asks: bool) -> bool:
    """Let the charged `target` shoot at the charging `unit`, if its rules and its player let it; return True if it did."""
    if all(enemy.spec.id != unit.spec.id for enemy in targets(table, target)):
        return False
    side, name = target.spec.side, target.spec.id
    if asks and table.choose(side, (STAND, HOLD), why=STAND, rule=RULE, actor=name, about=(unit.spec.id,)) == HOLD:
        return False
    table.tell("stands and fires", RULE, unit=name, target=unit.spec.id)
    return shoot(table, target, unit)


def is_there(ruleset: str, unit: Any) -> bool:
    """Return True if a unit still has men on the table."""
    left = {"vcc": "on_table", "fixed_baynet": "figures", "risk_factor": "hurt"}[ruleset]
    return bool(getattr(unit, left))


@hookimpl
def zareba_words() -> Mapping[str, str]:
    """Give the sentences."""
    return {
        "question stand and fire": "{actor} is charged; does it fire before the enemy comes home?",
        "option stand and fire": "stand and fire",
        "option hold fire": "hold fire",
        "event stands and fires": "{unit} stands and fires at {target}",
        "event charge stopped": "the charge of {unit} does not come home",
    }
