"""The random numbers for generating a scenario, keyed by topic, so that one more hill does not change the forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from zareba.chance import KeyedDice

T = TypeVar("T")
_STEPS = 10_000
"""Number of equal steps in which `between` divides its range."""


class KeyedRandom:
    """The random numbers for one topic of a scenario; `of` returns those for another topic."""

    def __init__(self, seed: int, topic: str = "") -> None:
        self._seed = seed
        self._dice = KeyedDice(seed)
        self._topic = topic
        self._drawn = 0

    def for_topic(self, topic: str) -> KeyedRandom:
        """Return the random numbers for another topic; they do not depend on how many were drawn here."""
        return KeyedRandom(self._seed, f"{self._topic}/{topic}")

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to `bound` - 1."""
        self._drawn += 1
        return self._dice.below(f"{self._topic}/{self._drawn}", bound)

    def between(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`, rounded to the nearest half: inches on a table."""
        return round((low + (high - low) * self.below(_STEPS) / _STEPS) * 2) / 2

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        return low + self.below(high - low + 1)

    def one_of(self, items: Sequence[T]) -> T:
        """Return a random item of a sequence."""
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        """Return True with this probability in percent."""
        return self.below(100) < percent
