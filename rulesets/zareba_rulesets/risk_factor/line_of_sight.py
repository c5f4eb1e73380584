"""What can be told of the line between two units: the gap of their bases, sight and range band."""

from __future__ import annotations

from zareba_rulesets.risk_factor.battle import Battle
from zareba_rulesets.risk_factor.body import nearest
from zareba_rulesets.risk_factor.sight import sees

__all__ = ["line_between"]


def line_between(battle: Battle, a: str, b: str) -> list[str]:
    """The gap from base edge to base edge (RSK-004), whether the other is in sight (RSK-126), and the range (RSK-029)."""
    unit, other = battle.units.get(a), battle.units.get(b)
    if unit is None or other is None or not unit.hurt or not other.hurt:
        return []
    gap = nearest(unit.body, other.body).gap
    told = [f"{gap:.1f} cm from base to base", "in sight" if sees(battle, unit, other) else "out of sight"]
    if unit.spec.weapon != "none" and battle.book.reach(unit.spec.weapon):
        band = battle.book.band(unit.spec.weapon, gap)
        told.append(f"{band} range" if band else "out of range")
    return told
