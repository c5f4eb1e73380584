"""The range of a unit's battles (AFR-037, AFR-182): its row of dice in the book, as house rules change it now."""

from __future__ import annotations

from collections.abc import Sequence

from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import Unit


def reach_of(battle: Battle, unit: Unit) -> int:
    """Return the longest range in hexes at which a unit battles now; 0 for a unit without dice."""
    printed, rules = unit.reach, battle.book.rules
    if not printed or "range" not in rules.changed_numbers:
        return printed
    hexes: int = rules.number("range", printed, battle, unit, of=unit.kind)
    return hexes


def row_at(row: Sequence[int], distance: int) -> int:
    """Return the dice of a row at a range. Beyond the row, which a house rule may allow, its last entry counts."""
    return row[min(distance, len(row)) - 1]
