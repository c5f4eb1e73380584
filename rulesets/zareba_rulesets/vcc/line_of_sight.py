"""What can be told of the line between two units: sight, field of fire and range band."""

from __future__ import annotations

from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.sight import band_of, can_see, in_front

__all__ = ["line_between"]


def line_between(battle: Battle, a: str, b: str) -> list[str]:
    """Whether the one sees the other (VCC-072), has him in its field of fire (VCC-058), and at which range (VCC-081)."""
    unit, other = battle.units.get(a), battle.units.get(b)
    if unit is None or other is None or not unit.on_table or not other.on_table:
        return []
    told = ["in sight" if can_see(battle, unit.box, other.box) else "out of sight"]
    told.append("in its field of fire" if in_front(battle, unit, other.box) else "outside its field of fire")
    if unit.spec.weapon != "none":
        band = band_of(battle, unit.spec.weapon, unit.box, other.box)
        told.append(f"{band} range" if band else "out of range")
    return told
