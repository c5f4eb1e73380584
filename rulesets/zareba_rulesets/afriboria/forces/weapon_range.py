"""How far a unit battles (AFR-037, AFR-182): the book's row of dice, and what house rules make of it here and now."""

from __future__ import annotations

from collections.abc import Sequence

from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import Unit

__all__ = ["reach_of", "row_at"]


def reach_of(battle: Battle, unit: Unit) -> int:
    """The longest range in hexes at which a unit battles now, 0 for one without dice."""
    printed = unit.reach
    hexes: int = battle.book.rules.number("range", printed, battle, unit, of=unit.kind) if printed else 0
    return hexes


def row_at(row: Sequence[int], distance: int) -> int:
    """The dice of a row at a range: whoever a house rule lets battle beyond its end has those of its end."""
    return row[min(distance, len(row)) - 1]
