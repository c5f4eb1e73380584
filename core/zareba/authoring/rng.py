"""The random numbers for generating a scenario, keyed by topic, so that one more hill does not change the forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from zareba.chance import KeyedDice

__all__ = ["KeyedRandom"]

T = TypeVar("T")
FINE = 10_000


class KeyedRandom:
    """The random numbers for one topic of a scenario; `of` returns those for another topic."""

    def __init__(self, seed: int, about: str = "") -> None:
        self._seed = seed
        self._dice = KeyedDice(seed)
        self._about = about
        self._drawn = 0

    def of(self, about: str) -> KeyedRandom:
        """Return the random numbers for another topic; they do not depend on how many were drawn here."""
        return KeyedRandom(self._seed, f"{self._about}/{about}")

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to `bound` - 1."""
        self._drawn += 1
        return self._dice.below(f"{self._about}/{self._drawn}", bound)

    def between(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`, rounded to the nearest half: inches on a table."""
        return round((low + (high - low) * self.below(FINE) / FINE) * 2) / 2

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        return low + self.below(high - low + 1)

    def one_of(self, things: Sequence[T]) -> T:
        """Return a random item of a sequence."""
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        """Return True with this probability in percent."""
        return self.below(100) < percent
