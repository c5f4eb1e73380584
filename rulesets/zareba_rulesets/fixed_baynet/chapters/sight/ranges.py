"""Range bands (FBN-081, FBN-084, FBN-127, FBN-192), and the effect of a chest wound on skill (FBN-130)."""

from __future__ import annotations

from zareba_rulesets.fixed_baynet.book.numbers import BANDS
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import Limits, limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure

__all__ = ["band_of", "band_within", "chest_sign"]


def band_of(battle: Battle, figure: Figure, inches: float) -> str | None:
    """Return the range band of a man's shot, or None if it is out of reach.

    Limits are inclusive (FBN-081). A spear is not thrown within 1" (FBN-192). A light arm wound halves the reach of a
    long arm (FBN-127).
    """
    book = battle.book
    kind = book.weapons[figure.weapon]
    if kind.close and inches <= book.close_reach:
        return None
    limits = limits_of(battle, figure)
    if kind.long_arm and "arm_light" in figure.locations:
        part = book.wounded_arm
        limits = (limits[0] * part, limits[1] * part, limits[2] * part)
    return band_within(limits, inches)


def band_within(limits: Limits, inches: float) -> str | None:
    """Return the first band whose outer limit is not exceeded, or None beyond long range (FBN-081)."""
    for name, limit in zip(BANDS, limits, strict=True):
        if inches <= limit + 1e-9:
            return name
    return None


def chest_sign(battle: Battle, figure: Figure) -> int:
    """Return the CS change from a light chest wound: -1, or +1 if signs are read as printed (FBN-130)."""
    if "chest_light" not in figure.locations:
        return 0
    return -1 if battle.book.settings.sign_reading == "sense" else 1
