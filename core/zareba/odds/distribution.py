"""Distributions: outcomes with their probabilities, exact or sampled, and calculations with them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from typing import Any, Literal, TypeVar

S = TypeVar("S")
T = TypeVar("T", bound=Hashable)

_Z_95 = 1.959963984540054
"""Standard deviations of a 95 % confidence interval."""


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """Outcomes with their probabilities, which sum to 1. `samples` is the number of plays sampled, 0 if exact."""

    outcomes: Mapping[Any, Fraction]
    samples: int = 0

    @property
    def method(self) -> Literal["exact", "sampled"]:
        """The method by which the outcomes were found."""
        return "sampled" if self.samples else "exact"

    def probability(self, holds: Callable[[Any], bool]) -> Fraction:
        """Return the probability that `holds` is true of the outcome."""
        return sum((p for outcome, p in self.outcomes.items() if holds(outcome)), Fraction(0))

    def mean(self, value: Callable[[Any], Any]) -> Fraction:
        """Return the mean of `value` over the outcomes."""
        return sum((p * value(outcome) for outcome, p in self.outcomes.items()), Fraction(0))

    def interval(self, p: Fraction) -> tuple[float, float]:
        """Return the 95 % Wilson interval of a sampled probability; the probability itself if it is exact."""
        return _wilson(float(p), self.samples) if self.samples else (float(p), float(p))


def after_step(chances: Mapping[S, Fraction], after: Callable[[S], Iterable[tuple[T, Fraction]]]) -> dict[T, Fraction]:
    """Return the distribution after one more random step; `after` gives its results with their probabilities."""
    results: dict[T, Fraction] = {}
    for state, p in chances.items():
        for result, q in after(state):
            results[result] = results.get(result, Fraction(0)) + p * q
    return {result: p for result, p in results.items() if p}


def outcomes_of(chances: Mapping[S, Fraction], outcome: Callable[[S], T]) -> dict[T, Fraction]:
    """Return the distribution of `outcome` applied to each outcome, adding the probabilities of equal results."""
    return after_step(chances, lambda result: [(outcome(result), Fraction(1))])


def after_steps(start: T, steps: Iterable[Callable[[T], Iterable[tuple[T, Fraction]]]]) -> dict[T, Fraction]:
    """Return the distribution after several random steps from `start`."""
    chances = {start: Fraction(1)}
    for step in steps:
        chances = after_step(chances, step)
    return chances


def binomial(tries: int, chance: Fraction) -> dict[int, Fraction]:
    """Return the distribution of successes in independent tries with the same chance (binomial)."""
    failure = 1 - chance
    chances = {n: comb(tries, n) * chance**n * failure ** (tries - n) for n in range(tries + 1)}
    return {n: p for n, p in chances.items() if p}


def frequencies(counts: Mapping[Any, int]) -> dict[Any, Fraction]:
    """Return the relative frequency of each outcome."""
    plays = sum(counts.values())
    return {outcome: Fraction(n, plays) for outcome, n in counts.items()}


def _wilson(share: float, n: int) -> tuple[float, float]:
    middle = (share + _Z_95 * _Z_95 / (2 * n)) / (1 + _Z_95 * _Z_95 / n)
    half = _Z_95 / (1 + _Z_95 * _Z_95 / n) * sqrt(share * (1 - share) / n + _Z_95 * _Z_95 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
