"""Troops in sight or out of sight inside a fort (AFR-315, AFR-316)."""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit

__all__ = ["set_exposure"]

EXPOSED, HIDDEN = "show themselves", "keep out of sight"


def set_exposure(table: Table, battle: Battle, unit: Unit) -> None:
    """Ask if a unit inside a building of a true fortification keeps out of sight, on entering and when ordered
    (AFR-316).
    """
    cell = unit.hex
    spec = battle.field.structures.get(cell)
    if cell == OFF or spec is None or not spec.fortification or not battle.standing(cell) or unit.sections:
        return
    choice = table.choose(unit.spec.side, (EXPOSED, HIDDEN), why="exposure", rule="AFR-316", actor=unit.spec.id)
    if choice == HIDDEN:
        unit.mark("unexposed")
    else:
        unit.unmark("unexposed")
