"""Hits and base losses (VCC-105 to VCC-108)."""

from __future__ import annotations

from zareba.chance import counts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.forces.battle import OFF_TABLE, Battle, Unit

__all__ = ["apply_hits", "destroy", "is_alive", "roll_hits"]

HITS = counts("hits")


@procedure("hits.apply")
def apply_hits(table: Table, battle: Battle, unit: Unit, hits: int, cause: str) -> None:
    """Add `hits` to the unit's marker and remove a base for every full `hits_per_base`, the leader base last.

    Left-over hits stay on the marker (VCC-106). A unit without bases is destroyed, and surplus hits are lost (VCC-107,
    VCC-108). `cause` is fire, melee or morale.
    """
    per_base = battle.book.settings.hits_per_base  # VCC-105
    lost = 0
    unit.hits += hits
    while unit.hits >= per_base and unit.strength:
        unit.hits -= per_base
        if unit.bases:
            unit.bases -= 1
        else:
            unit.leader = False
        lost += 1
    if lost:
        unit.mark("lost_base")
        table.emit(
            "loss", "VCC-105", unit=unit.spec.id, side=unit.spec.side, lost=lost, left=unit.strength, cause=cause
        )
    if not unit.strength:
        destroy(table, battle, unit, cause)


def destroy(table: Table, battle: Battle, unit: Unit, cause: str) -> None:
    """Remove a unit without bases; surplus hits are lost (VCC-108)."""
    unit.hits = 0
    table.emit("destroyed", "VCC-108", unit=unit.spec.id, box=unit.box, cause=cause)
    battle.remove(unit, "destroyed")


def roll_hits(table: Table, battle: Battle, unit: Unit, dice: int, why: str, rule: str, cause: str) -> None:
    """Roll a number of dice of hits on a unit and apply them (VCC-151, VCC-156). They cause no further check."""
    hits = table.roll(dice, battle.book.file.hit_die.faces, why=why, rule=rule, actor=unit.spec.id, means=HITS)
    apply_hits(table, battle, unit, hits, cause)


def is_alive(unit: Unit) -> bool:
    """Return True if a unit is on the table with at least one base."""
    return unit.box != OFF_TABLE and unit.strength > 0
