"""How far firearms and pieces reach, band by band (FBN-081, FBN-212): as the book has it, or as house rules make it now."""

from __future__ import annotations

from collections.abc import Iterable

from zareba_rulesets.fixed_baynet.book.numbers import BANDS
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = ["Limits", "gun_limits", "limits_of", "longest"]

Limits = tuple[float, float, float]
"""Outer limits of short, medium and long in inches; -1 for a band that there is not."""


def limits_of(battle: Battle, figure: Figure) -> Limits:
    """The bands of a man's firearm, as house rules have them here and now; his wounds apart."""
    weapon, book = figure.weapon, battle.book
    return _changed(battle, figure, weapon, book.bands[weapon]) if book.rules.changes("range") else book.bands[weapon]


def gun_limits(battle: Battle, unit: Unit, gun: Gun) -> Limits:
    """The bands of a piece (FBN-212), by its range as house rules have it here and now."""
    kind, book = gun.kind, battle.book
    return _changed(battle, unit, kind, book.gun_bands[kind]) if book.rules.changes("range") else book.gun_bands[kind]


def _changed(battle: Battle, firer: Figure | Unit, weapon: str, limits: Limits) -> Limits:
    there = [(band, limit) for band, limit in zip(BANDS, limits, strict=True) if limit >= 0]
    found = dict(battle.book.rules.ranges(tuple(there), battle, firer, weapon))
    short, medium, long = (float(found.get(band, -1.0)) for band in BANDS)
    return short, medium, long


def longest(battle: Battle, men: Iterable[Figure]) -> float:
    """The longest range of some men's firearms, wounds apart; 0 of nobody."""
    return max([limits_of(battle, man)[2] for man in men], default=0.0)
