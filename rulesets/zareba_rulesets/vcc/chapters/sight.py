"""Seeing (VCC-072) and the range bands (VCC-081, VCC-082)."""

from __future__ import annotations

from typing import TypeAlias

from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.vcc.forces.battle import Battle, Unit
from zareba_rulesets.vcc.ground.field import Reaches

__all__ = ["Views", "band_of", "can_see", "in_front", "reach_of", "views", "what_hides"]

Views: TypeAlias = Lazy[tuple[int, int], bool]
"""Whether one box is seen from another, while all stand as they do."""


def can_see(battle: Battle, a: int, b: int) -> bool:
    """Whether box b is seen from box a (VCC-072). Ground is looked up; units in the boxes between are looked for."""
    watched = battle.field.sight[a, b]
    if watched is None:
        return False
    here = battle.here
    return all(box not in here for box in watched)


def views(battle: Battle) -> Views:
    """Between all boxes, looked for between two when somebody asks (VCC-072)."""
    return LazyBetween(lambda a, b: can_see(battle, a, b))


def what_hides(battle: Battle, a: int, b: int) -> list[str]:
    """What hides two boxes from each other: ground, named by its box, else units between (VCC-072)."""
    field = battle.field
    ground = [
        f"{field.ground[box].title if field.ground[box].blocks_sight else 'higher ground'} at {field.grid.label(box)}"
        for box in field.hiding(a, b)
    ]
    return ground or [unit for box in field.sight[a, b] or () for unit in battle.here.get(box, ())]


def reach_of(battle: Battle, unit: Unit) -> Reaches:
    """By what the field measures a unit's ranges: its weapon, or what house rules make of the limits of its bands."""
    weapon, book = unit.spec.weapon, battle.book
    if not book.rules.changes("range") or weapon not in book.bands:
        return weapon
    return book.rules.ranges(book.bands[weapon], battle, unit, weapon)


def band_of(battle: Battle, unit: Unit, box: int) -> str | None:
    """The range band from a unit to a box: close, medium or long; None beyond the reach of its weapon (VCC-081).

    Diagonal boxes count as `diagonal_range` says (VCC-082); the own box is close.
    """
    return battle.field.band[reach_of(battle, unit), unit.box, box]


def in_front(battle: Battle, unit: Unit, box: int) -> bool:
    """Whether a box lies in the unit's field of fire; a square fires all round and has no flank (VCC-058, VCC-060)."""
    return "square" in unit.marks or battle.field.front[unit.facing, unit.box, box]
