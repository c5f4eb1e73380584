"""Range bands (FBN-081, FBN-084, FBN-127, FBN-192), and what a chest wound does to a man's skill (FBN-130)."""

from __future__ import annotations

from zareba_rulesets.fixed_baynet.book.numbers import BANDS
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import Limits, limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure

__all__ = ["band_of", "band_within", "chest_sign"]


def band_of(battle: Battle, figure: Figure, inches: float) -> str | None:
    """The band of a man's shot: limits are inclusive, None out of reach (FBN-081); a spear within 1" is no missile (FBN-192).

    A light wound in the arm halves the reach of a long arm (FBN-127).
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
    for name, limit in zip(BANDS, limits, strict=True):
        if inches <= limit + 1e-9:
            return name
    return None


def chest_sign(battle: Battle, figure: Figure) -> int:
    """CS of a man with a light chest wound: one less, or one more as printed (FBN-130)."""
    if "chest_light" not in figure.locations:
        return 0
    return -1 if battle.book.settings.sign_reading == "sense" else 1
