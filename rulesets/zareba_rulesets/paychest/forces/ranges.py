"""Weapon ranges by band (PAY-008, PAY-026), including changes by house rules."""

from __future__ import annotations

from typing import cast

from zareba_rulesets.paychest.book.tables import Band
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.units import Figure

Bands = tuple[tuple[Band, float], ...]
"""The range bands of a weapon with their limits in inches, the nearest first."""


def bands_of(battle: Battle, firer: Figure | Engine | None, weapon: str) -> Bands:
    """Return the range bands of a weapon for a figure or gun. Without one, return those that apply generally."""
    book = battle.book
    bands = book.bands[weapon]
    return cast("Bands", book.rules.ranges(bands, battle, firer, weapon)) if book.has_range_lines else bands


def longest_range(battle: Battle, firer: Figure | Engine | None, weapon: str) -> float:
    """Return the inches within which a figure or gun can fire a weapon, or within which anyone can without one."""
    _, limit = bands_of(battle, firer, weapon)[-1]
    return limit


def band_of(bands: Bands, inches: float) -> Band | None:
    """Return the range band of a distance, limits included (PAY-008), or None beyond the weapon's reach."""
    for name, limit in bands:
        if inches <= limit:
            return name
    return None
