"""Stand and fire: a charged unit may shoot at the chargers before contact.

The ruleset does most of the work. `targets` returns the enemies that a unit may shoot at as it stands; `shoot` lets it
shoot out of turn. The unit pays for the shots as its rules say: in Victorian Colonial Combat with its fire of this
turn, in Fixed Bay'net with its action counters. The dice, the casualties and the morale check are those of any other
fire. The rule wraps the procedure of the charge, so the odds of "charge" include the shots, and "why?" shows their
numbers.

In The Paychest a unit marches into contact as part of an ordinary move, so there is no moment before a charge. In
Afriboria an attacked unit already strikes back. The rule therefore supports the other three systems.

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
    """Add a setting: the player decides whether a charged unit shoots, or it always shoots."""
    summary = "decision that a charged unit shoots: by its player, or none (it always shoots)"
    return {"decides": Setting(rule=RULE, summary=summary, default="player", values=["player", "nobody"])}


@hookimpl
def zareba_procedures(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, Wrap]:
    """Wrap the charge of each system."""
    asks = settings["decides"] == "player"

    def charge_of_unit(
        charge: Callable[..., Any], table: Table, battle: Any, unit: Any, target: Any, *more: Any
    ) -> Any:
        """Let the charged unit shoot, then charge if the charging unit still can."""
        before = unit.box if ruleset == "vcc" else None
        if answer(table, unit, target, asks):
            unit, target = (battle.units.get(chosen.spec.id, chosen) for chosen in (unit, target))
            driven_off = ruleset == "vcc" and (unit.box != before or unit.marks & {"broken", "prone"})
            if driven_off or not is_there(ruleset, unit) or not is_there(ruleset, target):
                table.emit("charge stopped", RULE, unit=unit.spec.id)
                return 0 if ruleset == "fixed_baynet" else None
        return charge(table, battle, unit, target, *more)

    charges = {"vcc": "movement.charge", "fixed_baynet": "charge.unit", "risk_factor": "charge.home"}
    return {charges[ruleset]: charge_of_unit}


def answer(table: Table, unit: Any, target: Any, asks: bool) -> bool:
    """Let the charged `target` shoot at the charging `unit`, if the rules and its player allow it; return True if it
    did.
    """
    if all(enemy.spec.id != unit.spec.id for enemy in targets(table, target)):
        return False
    side, name = target.spec.side, target.spec.id
    if asks and table.choose(side, (STAND, HOLD), why=STAND, rule=RULE, actor=name, about=(unit.spec.id,)) == HOLD:
        return False
    table.emit("stands and fires", RULE, unit=name, target=unit.spec.id)
    return shoot(table, target, unit)


def is_there(ruleset: str, unit: Any) -> bool:
    """Return True if a unit still has figures on the table."""
    left = {"vcc": "on_table", "fixed_baynet": "figures", "risk_factor": "hurt"}[ruleset]
    return bool(getattr(unit, left))


@hookimpl
def zareba_words() -> Mapping[str, str]:
    """Give the texts of the question, the options and the events."""
    return {
        "question stand and fire": "{actor} is charged; does it fire before contact?",
        "option stand and fire": "stand and fire",
        "option hold fire": "hold fire",
        "event stands and fires": "{unit} stands and fires at {target}",
        "event charge stopped": "the charge of {unit} is stopped before contact",
    }
