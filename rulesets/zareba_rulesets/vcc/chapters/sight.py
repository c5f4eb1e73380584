"""Line of sight (VCC-072) and range bands (VCC-081, VCC-082)."""

from __future__ import annotations

from typing import TypeAlias

from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.vcc.book import Band
from zareba_rulesets.vcc.forces import Battle, Unit
from zareba_rulesets.vcc.ground import RangeKey

Visibility: TypeAlias = Lazy[tuple[int, int], bool]
"""True for a pair of boxes if the second can be seen from the first. Valid only while no unit moves."""


def sees(battle: Battle, a: int, b: int) -> bool:
    """Return True if box b can be seen from box a (VCC-072).

    Blocking ground comes from a table of the field. Units in the boxes between are checked on each call.
    """
    boxes = battle.field.sight_lines[a, b]
    if boxes is None:
        return False
    here = battle.here
    return all(box not in here for box in boxes)


def visibility_between_boxes(battle: Battle) -> Visibility:
    """Return line of sight between all boxes, computed when a pair is first looked up (VCC-072)."""
    return LazyBetween(lambda a, b: sees(battle, a, b))


def sight_blockers(battle: Battle, a: int, b: int) -> list[str]:
    """Return what blocks line of sight between two boxes: ground with its box, or else the units between (VCC-072)."""
    field = battle.field
    ground_text = [
        f"{field.ground[box].title if field.ground[box].blocks_sight else 'higher ground'} at {field.grid.label(box)}"
        for box in field.blocking_boxes(a, b)
    ]
    return ground_text or [unit for box in field.sight_lines[a, b] or () for unit in battle.here.get(box, ())]


def range_key_of(battle: Battle, unit: Unit) -> RangeKey:
    """Return what the range bands of a unit depend on: its weapon or, with house rules, its bands with their limits."""
    weapon, book = unit.spec.weapon, battle.book
    if not book.rules.changes("range") or weapon not in book.bands:
        return weapon
    limits: RangeKey = book.rules.ranges(book.bands[weapon], battle, unit, weapon)  # type: ignore[assignment]  # the bands of the weapon
    return limits


def band_of(battle: Battle, unit: Unit, box: int) -> Band | None:
    """Return the range band from a unit to a box: close, medium or long. None if its weapon does not reach (VCC-081).

    Diagonal boxes count as `diagonal_range` says (VCC-082). The unit's own box is close.
    """
    return battle.field.range_bands[range_key_of(battle, unit), unit.box, box]


def in_front(battle: Battle, unit: Unit, box: int) -> bool:
    """Return True if a box is in the unit's field of fire. A square fires all round and has no flank (VCC-058,
    VCC-060).
    """
    return "square" in unit.marks or battle.field.front_arcs[unit.facing, unit.box, box]
