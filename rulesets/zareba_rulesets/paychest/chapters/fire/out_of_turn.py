"""Fire out of turn, for house rules: one volley of all who have a shot left."""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.paychest.chapters.fire.fire import in_reach, may_fire, volley
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["shoot_out_of_turn", "targets_out_of_turn"]


def targets_out_of_turn(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemies at which at least one man of a unit may aim (PAY-101, PAY-103)."""
    return [battle.units[name] for name in in_reach(battle, unit, may_fire(battle, unit))]


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire one volley at all of the target who can be aimed at (PAY-106)."""
    firers, name = may_fire(battle, unit), target.spec.id
    aimed = in_reach(battle, unit, firers)[name]
    before = sum(firer.figure.shots for firer in firers)
    volley(table, battle, unit, firers, aimed, name)
    return sum(firer.figure.shots for firer in firers) > before
