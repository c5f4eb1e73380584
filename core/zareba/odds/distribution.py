"""What may come of something, with its probability: counted to the last path, or played so many times."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from typing import Any, Literal, TypeVar

__all__ = ["Distribution", "added", "chained", "leading", "played", "several"]

S = TypeVar("S")
T = TypeVar("T", bound=Hashable)

_Z = 1.959963984540054


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """Outcomes with their probabilities, which sum to 1. `samples`: of how many plays they are shares; 0 if exact."""

    outcomes: Mapping[Any, Fraction]
    samples: int = 0

    @property
    def method(self) -> Literal["exact", "sampled"]:
        """How the outcomes were found."""
        return "sampled" if self.samples else "exact"

    def probability(self, holds: Callable[[Any], bool]) -> Fraction:
        """The probability that an outcome has a property."""
        return sum((p for outcome, p in self.outcomes.items() if holds(outcome)), Fraction(0))

    def mean(self, value: Callable[[Any], Any]) -> Fraction:
        """The mean of a number over the outcomes."""
        return sum((p * value(outcome) for outcome, p in self.outcomes.items()), Fraction(0))

    def interval(self, p: Fraction) -> tuple[float, float]:
        """The 95 % Wilson interval of a sampled probability; the probability itself when exact."""
        return _wilson(float(p), self.samples) if self.samples else (float(p), float(p))


def leading(chances: Mapping[S, Fraction], after: Callable[[S], Iterable[tuple[T, Fraction]]]) -> dict[T, Fraction]:
    """The chances of what each of some outcomes leads to: what may come after it, and how likely."""
    found: dict[T, Fraction] = {}
    for one, p in chances.items():
        for then, q in after(one):
            found[then] = found.get(then, Fraction(0)) + p * q
    return {then: p for then, p in found.items() if p}


def added(chances: Mapping[S, Fraction], outcome: Callable[[S], T]) -> dict[T, Fraction]:
    """The chances of what is made of each of some outcomes."""
    return leading(chances, lambda one: [(outcome(one), Fraction(1))])


def chained(start: T, steps: Iterable[Callable[[T], Iterable[tuple[T, Fraction]]]]) -> dict[T, Fraction]:
    """Where steps end that are made one after another from `start`."""
    found = {start: Fraction(1)}
    for step in steps:
        found = leading(found, step)
    return found


def several(tries: int, chance: Fraction) -> dict[int, Fraction]:
    """How many of some tries come off, each for itself with the same chance."""
    missed = 1 - chance
    found = {n: comb(tries, n) * chance**n * missed ** (tries - n) for n in range(tries + 1)}
    return {n: p for n, p in found.items() if p}


def played(counts: Mapping[Any, int]) -> dict[Any, Fraction]:
    """The share of each outcome in what was played."""
    plays = sum(counts.values())
    return {outcome: Fraction(n, plays) for outcome, n in counts.items()}


def _wilson(share: float, n: int) -> tuple[float, float]:
    middle = (share + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
    half = _Z / (1 + _Z * _Z / n) * sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
