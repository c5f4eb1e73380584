"""The options that come with odds, and the action that each of them starts."""

from __future__ import annotations

from typing import Any

from zareba.odds import Act
from zareba.table import Choose, Confirm, Option
from zareba_rulesets.afriboria.chapters.combat import fight_unit
from zareba_rulesets.afriboria.chapters.engagement import strike, strike_from_air
from zareba_rulesets.afriboria.chapters.movement import put_up_ladder
from zareba_rulesets.afriboria.forces.battle import Battle

_Found = tuple[str, Act[Battle]]
"""A procedure of the odds and the action that it computes."""
_ATTACKS = {
    "bomb": "attack_from_air",
    "commander": "attack_on_commander",
    "flier": "anti_aircraft",
    "parked": "attack_on_parked",
    "structure": "bombardment",
}


def next_act(battle: Battle, question: Choose | Confirm, option: Option) -> _Found | None:
    """Return the odds procedure and the action for an attack, its defence, or a ladder against a held wall (AFR-170,
    AFR-207, AFR-333).
    """
    why, actor, about = question.why, question.actor, question.about
    if why == "battle against" and isinstance(option, tuple):
        return _attack(battle, actor, option)
    if why == "which unit is attacked":
        (cell,), flier = about, battle.fliers.get(actor)
        return _attack(battle, actor, ("bomb" if flier is not None and flier.hex == cell else "hex", cell))
    if why == "defender":
        attacker, verb, cell = about
        return _attack(battle, attacker, (verb, actor if verb == "commander" else cell))
    if why == "fight on against" and isinstance(option, int):
        return "battle", lambda table, battle: fight_unit(
            table, battle, battle.units[actor], option, battle.units[about[0]] if about else None
        )
    if why in ("move", "ladder at"):
        wall = option[1] if isinstance(option, tuple) and option[0] == "ladder" else option
        if isinstance(wall, int) and wall in battle.here and battle.held_by_enemy(wall, battle.units[actor].spec.side):
            return "ladder", lambda table, battle: put_up_ladder(table, battle, battle.units[actor], wall)
    return None


def _attack(battle: Battle, attacker: str, target: tuple[str, Any]) -> _Found:
    """Return the odds procedure and the action of an attack on a target."""
    kind, _ = target
    unit = battle.units.get(attacker)
    if unit is None:
        name = _ATTACKS.get(kind, "attack_from_air")
        return name, lambda table, battle: strike_from_air(table, battle, battle.fliers[attacker], target)
    name = _ATTACKS.get(kind) or ("fire_from_wall" if unit.sections else "battle")
    return name, lambda table, battle: strike(table, battle, battle.units[attacker], target)
