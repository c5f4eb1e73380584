"""The lot that makes a battle: keyed by what it decides, so that one more hill leaves the forces as they were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from zareba.chance import KeyedDice

__all__ = ["KeyedRandom"]

T = TypeVar("T")
FINE = 10_000


class KeyedRandom:
    """Lots of one battle, for one subject; `of` gives those of another."""

    def __init__(self, seed: int, about: str = "") -> None:
        self._seed = seed
        self._dice = KeyedDice(seed)
        self._about = about
        self._drawn = 0

    def of(self, about: str) -> KeyedRandom:
        """The lots of another subject, which do not hang on how many were drawn here."""
        return KeyedRandom(self._seed, f"{self._about}/{about}")

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1."""
        self._drawn += 1
        return self._dice.below(f"{self._about}/{self._drawn}", bound)

    def between(self, low: float, high: float) -> float:
        """A number between two, to the half: inches on a table."""
        return round((low + (high - low) * self.below(FINE) / FINE) * 2) / 2

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        return low + self.below(high - low + 1)

    def one_of(self, things: Sequence[T]) -> T:
        """One of some things."""
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        """Yes in so many of a hundred."""
        return self.below(100) < percent
