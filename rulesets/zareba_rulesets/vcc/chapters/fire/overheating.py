"""Overheating of machine guns (VCC-103, VCC-104)."""

from __future__ import annotations

from zareba.chance import at_most
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.forces.battle import Battle, Unit

__all__ = ["check_overheating", "overheating"]


def overheating(table: Table, battle: Battle) -> None:
    """Check every machine gun for overheating at the end of a turn."""
    if battle.book.settings.mg_overheat == "off":
        return
    for unit in list(battle.units.values()):
        if unit.on_table and unit.spec.weapon == "machine_gun" and "wrecked" not in unit.marks:
            check_overheating(table, battle, unit)


@procedure("overheating.check")
def check_overheating(table: Table, battle: Battle, unit: Unit) -> None:
    """Check one machine gun: after k turns of fire in a row it overheats on a roll of k or less.

    The check begins at k = 2. The second overheating breaks the gun for good. A turn without a shot cools it and
    resets the count (VCC-104).
    """
    if "fired" not in unit.marks:
        unit.streak = 0
        unit.unmark("overheated")
        return
    unit.streak += 1
    rule = battle.book.file.overheating
    if unit.streak < rule.from_turn:
        return
    means = at_most(unit.streak, "overheats", "fires on", by="turns fired in a row")
    if table.roll(1, rule.die, why="overheating", rule="VCC-103", actor=unit.spec.id, means=means) > unit.streak:
        return
    if "overheated" in unit.marks:
        unit.unmark("overheated")
        unit.mark("wrecked")
        table.emit("broken for good", "VCC-103", unit=unit.spec.id)
    else:
        unit.mark("overheated")
        table.emit("overheated", "VCC-103", unit=unit.spec.id)
