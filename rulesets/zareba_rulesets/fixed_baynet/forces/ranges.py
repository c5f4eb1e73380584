"""Range bands of firearms and guns (FBN-081, FBN-212), with house rules applied."""

from __future__ import annotations

from collections.abc import Iterable

from zareba_rulesets.fixed_baynet.book.numbers import RangeLimits
from zareba_rulesets.fixed_baynet.book.tables import BANDS
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit


def limits_of(battle: Battle, figure: Figure) -> RangeLimits:
    """Return the range bands of a man's firearm with house rules applied; his wounds are not taken into account."""
    weapon, book = figure.weapon, battle.book
    bands = book.bands[weapon]
    return _apply_house_rules(battle, figure, weapon, bands) if book.has_range_lines else bands


def gun_limits(battle: Battle, unit: Unit, gun: Gun) -> RangeLimits:
    """Return the range bands of a gun (FBN-212) with house rules applied."""
    kind, book = gun.kind, battle.book
    bands = book.gun_bands[kind]
    return _apply_house_rules(battle, unit, kind, bands) if book.has_range_lines else bands


def _apply_house_rules(battle: Battle, firer: Figure | Unit, weapon: str, limits: RangeLimits) -> RangeLimits:
    """Return range bands as house rules change them; -1 for a band that is missing."""
    bands = [(band, limit) for band, limit in zip(BANDS, limits, strict=True) if limit >= 0]
    changed_limits = dict(battle.book.rules.ranges(tuple(bands), battle, firer, weapon))
    return RangeLimits(*[float(changed_limits.get(band, -1.0)) for band in BANDS])


def longest_range(battle: Battle, men: Iterable[Figure]) -> float:
    """Return the longest range among some men's firearms, ignoring wounds; 0 for an empty list."""
    return max([limits_of(battle, man).long for man in men], default=0.0)
