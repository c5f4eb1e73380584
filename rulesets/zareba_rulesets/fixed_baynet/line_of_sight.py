"""What can be told of the line between two units: the gap of their nearest men, sight and range band."""

from __future__ import annotations

from itertools import product

from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.ranges import band_of
from zareba_rulesets.fixed_baynet.sight import joint_box, range_between, scene_of, sees

__all__ = ["line_between"]


def line_between(battle: Battle, a: str, b: str) -> list[str]:
    """The gap between the nearest men of two units (FBN-005), whether he sees him (FBN-078), and the range (FBN-081)."""
    unit, other = battle.units.get(a), battle.units.get(b)
    if unit is None or other is None or not unit.figures or not other.figures or -1 in (unit.box[0], other.box[0]):
        return []
    pairs = product(unit.figures.values(), other.figures.values())
    man, his = min(pairs, key=lambda pair: range_between(battle, *pair))
    away = range_between(battle, man, his)
    scene = scene_of(battle, joint_box(unit.box, other.box))
    told = [f'{away:.1f}" between the nearest men', "in sight" if sees(battle, man, his, scene) else "out of sight"]
    if man.weapon != "none":
        band = band_of(battle.book, man.weapon, away)
        told.append(f"{band} range" if band else "out of range")
    return told
