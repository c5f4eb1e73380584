"""What can be told of the line between two figures: the distance, sight and range band."""

from __future__ import annotations

from zareba.exact import dist
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.shooting import ready_weapon
from zareba_rulesets.paychest.sight import sees, view_of

__all__ = ["line_between"]


def line_between(battle: Battle, a: str, b: str) -> list[str]:
    """Whether one figure has another in sight (PAY-089), and the range band of his best weapon (PAY-008)."""
    figures = {key: (unit, man) for unit in battle.units.values() for key, man in unit.figures.items()}
    if a not in figures or b not in figures:
        return []
    (unit, man), (_, other) = figures[a], figures[b]
    if man.at is None or other.at is None:
        return []
    (x, y), (ox, oy) = man.at, other.at
    away = dist(man.at, other.at)
    seen = sees(battle, view_of(battle, unit.spec.side, (x, y, x, y), (ox, oy, ox, oy)), man.at, other.at)
    told = [f'{away:.1f}" from middle to middle', "in sight" if seen else "out of sight"]
    weapon = ready_weapon(battle.book, man)
    if weapon:
        band = battle.book.band(weapon, away)
        told.append(
            f"{band} range of the {weapon.replace('_', ' ')}"
            if band
            else f"out of range of the {weapon.replace('_', ' ')}"
        )
    return told
