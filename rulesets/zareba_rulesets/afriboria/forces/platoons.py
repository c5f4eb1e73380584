"""Platoons: the units under one commander (AFR-099 to AFR-104); with small hexes, one may be adjacent (AFR-298 to
AFR-301).
"""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit

__all__ = ["name_second", "name_seconds", "platoon", "same_platoon", "second_of", "take_command"]

NOBODY = "nobody"


def platoon(battle: Battle, chief: Commander) -> list[Unit]:
    """Return the units under a commander, at most two: those in his hex, or one there and the adjacent second (AFR-299,
    AFR-301).
    """
    units = battle.units_in(chief.hex)
    second = second_of(battle, chief) if len(units) == 1 else None
    return units if second is None else [*units, second]


def second_of(battle: Battle, chief: Commander) -> Unit | None:
    """Return the second unit named for a commander's platoon, while it is adjacent to him and a unit is in his own
    hex.
    """
    if not chief.second or chief.hex not in battle.here:
        return None
    unit = battle.units[chief.second]
    return unit if unit.hex in battle.field.near[chief.hex] and unit.hex not in battle.chiefs else None


def same_platoon(battle: Battle, one: Unit, other: Unit) -> bool:
    """Return True if two units are under one commander."""
    pair = {one.spec.id, other.spec.id}
    return any(
        pair <= {unit.spec.id for unit in platoon(battle, chief)} for chief in battle.side_commanders(one.spec.side)
    )


def _eligible(battle: Battle, chief: Commander) -> list[str]:
    """Return the friendly units next to a commander with a unit in his hex that no other commander has (AFR-298)."""
    side = chief.spec.side
    if battle.book.room != 1 or chief.hex == OFF or chief.hex not in battle.here:
        return []
    seconds = {
        other.second for other in battle.side_commanders(side) if other is not chief and second_of(battle, other)
    }
    beside = (name for cell in battle.field.near[chief.hex] for name in battle.here.get(cell, ()))
    return [
        name
        for name in beside
        if (unit := battle.units[name]).spec.side == side and unit.hex not in battle.chiefs and name not in seconds
    ]


def name_second(table: Table, battle: Battle, chief: Commander) -> None:
    """Let the owner name the second unit of a platoon, or none; the unit named before is offered first (AFR-298)."""
    if second_of(battle, chief) is None:
        chief.second = ""
    names = _eligible(battle, chief)
    if not names or names == [chief.second]:
        return
    options = [*sorted(names, key=lambda name: name != chief.second), NOBODY]
    choice = table.choose(chief.spec.side, options, why="second unit", rule="AFR-298", actor=chief.spec.id)
    chief.second = "" if choice == NOBODY else choice


def name_seconds(table: Table, battle: Battle, side: str) -> None:
    """Name the second units of all commanders of a side, when orders are announced (AFR-298)."""
    if battle.book.room == 1:
        for chief in battle.side_commanders(side):
            name_second(table, battle, chief)


def take_command(table: Table, battle: Battle, cell: int) -> None:
    """Name the second unit of the platoon when a commander comes to a unit or a unit to him (AFR-099, AFR-298).

    A commander who moves with his own unit keeps his platoon.
    """
    if battle.book.room == 1 and not battle.over:
        chief = battle.commander_in(cell)
        if chief is not None:
            name_second(table, battle, chief)
