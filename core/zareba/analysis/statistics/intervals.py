"""Estimates that give their interval at any confidence, so that an interval and its test cannot disagree.

An estimator has a value and gives its limits at `z` standard deviations (1.96 for 95 %). The limits of a difference
are recovered from those of its two estimates (the method of variance estimates recovery; for shares this is Newcombe's
method). Its p is one minus the highest confidence at which the limits exclude zero. No random numbers are used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol

__all__ = [
    "CONFIDENCE",
    "Count",
    "DifferenceInterval",
    "Estimator",
    "Interval",
    "Mean",
    "PairedShares",
    "Scaled",
    "Share",
    "Spread",
    "Z",
    "p_value",
]

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
FARTHEST = 38.0
"""Standard deviations beyond which the tail probability is zero as a float."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval, in the unit of its value."""

    low: float
    high: float


class Estimator(Protocol):
    """A number estimated from games."""

    @property
    def value(self) -> float:
        """The estimate."""

    def limits(self, z: float = Z) -> Interval:
        """Return the interval at `z` standard deviations."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of `n` games with Wilson's score interval. Both numbers may be fractions if the number of games is an
    effective one.
    """

    successes: float
    n: float

    @property
    def value(self) -> float:
        """The share."""
        return self.successes / self.n if self.n else 0.5

    def limits(self, z: float = Z) -> Interval:
        """Return Wilson's score interval."""
        n, share = self.n, self.value
        if n == 0:
            return Interval(0.0, 1.0)
        centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
        low = 0.0 if self.successes == 0 else max(0.0, centre - half)
        high = 1.0 if self.successes == n else min(1.0, centre + half)
        return Interval(low, high)


@dataclass(frozen=True, slots=True)
class Count:
    """A mean of counts, most of them small, with the score interval of a Poisson mean scaled by the dispersion of the
    counts.

    If no count is above zero, the interval reaches up to the rate that would have shown itself.
    """

    value: float
    dispersion: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Count:
        """Return the mean of some counts, or of pairs of counts."""
        n, mean = len(values), math.fsum(values) / len(values)
        variance = math.fsum((value - mean) ** 2 for value in values) / max(1, n - 1)
        dispersion = variance / mean if mean > 0 else 1.0
        return cls(mean, max(dispersion, 1.0) if mean * n < 3 else dispersion, n)

    def limits(self, z: float = Z) -> Interval:
        """Return the score interval of a Poisson mean."""
        reach = z**2 * self.dispersion / self.n
        half = math.sqrt(self.value * reach + reach**2 / 4)
        return Interval(max(0.0, self.value + reach / 2 - half), self.value + reach / 2 + half)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of values that may be skewed: Student's interval, corrected for skewness by Hall's transformation (1992).

    Skewed values estimate their own error less precisely, as if there were fewer of them. Student's degrees of freedom
    are therefore divided by 1 + skewness² / 2. With that, simulations give the nominal coverage for every kind of
    value in a comparison from 100 games on.

    `low` and `high` are the bounds of the measured value. If all values are equal, the interval reaches towards the
    bounds as far as unseen values still may.
    """

    value: float
    error: float
    skewness: float
    n: int
    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def of(cls, values: Sequence[float], low: float = -math.inf, high: float = math.inf) -> Mean:
        """Return the mean of some values."""
        n, mean = len(values), math.fsum(values) / len(values)
        second = math.fsum((value - mean) ** 2 for value in values) / n
        third = math.fsum((value - mean) ** 3 for value in values) / n
        if second <= 1e-24 * max(1.0, mean**2):
            return cls(mean, 0.0, 0.0, n, low, high)
        return cls(mean, math.sqrt(second / max(1, n - 1)), third / second**1.5, n, low, high)

    def limits(self, z: float = Z) -> Interval:
        """Return the interval by Hall's transformation."""
        if self.error == 0:
            unseen = z**2 / (self.n + z**2)
            low = self.value - (self.value - self.low) * unseen if math.isfinite(self.low) else self.value
            high = self.value + (self.high - self.value) * unseen if math.isfinite(self.high) else self.value
            return Interval(low, high)
        t = _student(z, (self.n - 1) / (1 + self.skewness**2 / 2))
        low, high = (self.value - self.error * self._turned(end) for end in (t, -t))
        return Interval(max(self.low, low), min(self.high, high))

    def _turned(self, t: float) -> float:
        """Return the inverse of Hall's cubic transformation at `t`."""
        root, skewness = math.sqrt(self.n), self.skewness
        if abs(skewness) < 1e-9:
            return t
        inner = 1 + skewness * (t / root - skewness / (6 * self.n))
        return 3 * root / skewness * (math.copysign(abs(inner) ** (1 / 3), inner) - 1)


@dataclass(frozen=True, slots=True)
class Spread:
    """A standard deviation, computed from the mean of the squared deviations.

    For values of only two kinds, `apart` is their distance and `share` that of the higher kind. The interval then
    comes from Wilson's interval of the share: near an even share the squares hardly vary, and their interval would be
    too narrow. If all values are equal, `reach` is the largest possible distance of another value.
    """

    squares: Mean
    share: Share | None = None
    apart: float = 0.0
    reach: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float], low: float = -math.inf, high: float = math.inf) -> Spread:
        """Return the standard deviation of some values. No value can lie outside `low` and `high`."""
        n, mean = len(values), math.fsum(values) / len(values)
        correction = n / max(1, n - 1)
        squares = Mean.of([(value - mean) ** 2 * correction for value in values], low=0.0)
        kinds = sorted(set(values))
        if len(kinds) == 1:
            reach = max(mean - low, high - mean)
            return cls(squares, reach=reach if math.isfinite(reach) else 0.0)
        if len(kinds) == 2:
            return cls(squares, Share(sum(value == kinds[1] for value in values), n), kinds[1] - kinds[0])
        return cls(squares)

    @property
    def value(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.squares.value)

    def limits(self, z: float = Z) -> Interval:
        """Return the square roots of the limits of the mean square, lowered by the error of the mean itself."""
        n = self.squares.n
        if self.reach:
            unseen = z**2 / (n + z**2)
            return Interval(self.value, self.reach * math.sqrt(unseen * (1 - unseen)))
        if self.share is not None:
            share = self.share.limits(z)
            ends = [self.apart * math.sqrt(one * (1 - one)) for one in (share.low, share.high)]
            high = self.apart / 2 if share.low <= 0.5 <= share.high else max(ends)
            return Interval(min(*ends, self.value), max(high, self.value))
        found = self.squares.limits(z)
        of_mean, of_squares = z**2 * self.squares.value / n, self.squares.value - found.low
        # If the squares vary much, their error covers that of the mean, which is of a smaller order.
        low = found.low - of_mean * min(1.0, of_mean / of_squares if of_squares else 1.0)
        return Interval(math.sqrt(max(0.0, low)), math.sqrt(max(0.0, found.high)))


@dataclass(frozen=True, slots=True)
class Scaled:
    """An estimate multiplied by the factor `by`."""

    one: Estimator
    by: float

    @property
    def value(self) -> float:
        """The product."""
        return self.by * self.one.value

    def limits(self, z: float = Z) -> Interval:
        """Return the limits of the estimate, multiplied by the factor."""
        found = self.one.limits(z)
        low, high = sorted((self.by * found.low, self.by * found.high))
        return Interval(low, high)


@dataclass(frozen=True, slots=True)
class DifferenceInterval:
    """The difference `one - other` of two estimates. `correlation` is 0 if they are independent."""

    one: Estimator
    other: Estimator
    correlation: float = 0.0

    @property
    def value(self) -> float:
        """The first estimate minus the second."""
        return self.one.value - self.other.value

    def limits(self, z: float = Z) -> Interval:
        """Return the interval recovered from those of the two estimates."""
        a, b = self.one.limits(z), self.other.limits(z)
        low = self.value - self._reach(self.one.value - a.low, b.high - self.other.value)
        high = self.value + self._reach(a.high - self.one.value, self.other.value - b.low)
        return Interval(low, high)

    def _reach(self, one: float, other: float) -> float:
        return math.sqrt(max(0.0, one**2 - 2 * self.correlation * one * other + other**2))


@dataclass(frozen=True, slots=True)
class PairedShares:
    """Share a minus share b, counted on the same pairs (Newcombe 1998, paired method 10)."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def value(self) -> float:
        """Share a minus share b."""
        return (self.only_a - self.only_b) / (self.both + self.only_a + self.only_b + self.neither)

    def limits(self, z: float = Z) -> Interval:
        """Return Newcombe's interval."""
        n = self.both + self.only_a + self.only_b + self.neither
        a, b = self.both + self.only_a, self.both + self.only_b
        excess: float = self.both * self.neither - self.only_a * self.only_b
        if excess > 0:
            excess = max(0.0, excess - n / 2)
        margins = a * b * (n - a) * (n - b)
        return DifferenceInterval(Share(a, n), Share(b, n), excess / math.sqrt(margins) if margins else 0.0).limits(z)


def p_value(difference: Estimator, at: float = 0.0) -> float:
    """Return the two-sided p of a true value of `at`: one minus the highest confidence at which the interval excludes
    it.
    """
    if difference.value == at:
        return 1.0
    above = difference.value > at

    def leaves_out(z: float) -> bool:
        found = difference.limits(z)
        return found.low > at if above else found.high < at

    low, high = 0.0, FARTHEST
    if leaves_out(high):
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if leaves_out(middle) else (low, middle)
    return math.erfc(low / math.sqrt(2))


def _student(z: float, degrees: float) -> float:
    """Return the quantile of Student's distribution that corresponds to `z` in the normal one.

    Uses the expansion of Cornish and Fisher, accurate to 0.001 from 10 degrees of freedom on.
    """
    if degrees <= 0:
        return math.inf
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
