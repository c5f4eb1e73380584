"""Fire out of turn, for house rules: a volley paid with AC of each man's next activation, like a counter-attack
(FBN-098).

A unit that has already acted this turn has its next activation in the next turn.
"""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.aiming import fire_targets
from zareba_rulesets.fixed_baynet.chapters.fire import fire_volley
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit


def targets_out_of_turn(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemy units a man of the unit could fire at now with the AC left of his next activation (FBN-081).

    If the unit is active, its men fire with the AC they have left now.
    """
    if battle.active == unit.spec.id:
        return list(fire_targets(battle, unit))
    look_ahead = battle.copy_for_look_ahead(unit.spec.id)
    ready = look_ahead.units[unit.spec.id]
    _grant_next_ac(look_ahead, ready)
    return [battle.units[target.spec.id] for target in fire_targets(look_ahead, ready)]


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire a volley (FBN-092) and take its AC from each man's next activation. Return True if a shot was fired.

    If the unit is active, its men pay with the AC they have left now.
    """
    if battle.active == unit.spec.id:
        return fire_volley(table, battle, unit, target) > 0
    has_acted = "activated" in unit.marks
    saved = {key: (man.ac, man.attacks, man.marks) for key, man in unit.figures.items()}
    _grant_next_ac(battle, unit)
    next_ac = {key: man.ac for key, man in unit.figures.items()}
    shots = fire_volley(table, battle, unit, target)
    unit = battle.change(unit)
    for key, man in unit.figures.items():
        if key in saved:
            paid = next_ac[key] - man.ac
            man.spent, man.owed = (man.spent, man.owed + paid) if has_acted else (man.spent + paid, man.owed)
            man.ac, man.attacks, old_marks = saved[key]
            man.marks -= {"fired", f"at {target.spec.id}"} - old_marks
    return shots > 0


def _grant_next_ac(battle: Battle, unit: Unit) -> None:
    """Give each man the AC with which his next activation would begin."""
    has_acted = "activated" in unit.marks
    for man in unit.figures.values():
        spent = man.spent
        if has_acted:
            man.spent = man.owed
        man.ac, man.attacks, man.spent = battle.counters_left(man), 0, spent
