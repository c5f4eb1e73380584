"""Statistics: intervals, tests and effect sizes."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol

# --- Estimates that give their interval at any confidence, so that an interval and its test cannot disagree -----------
#
# An estimator has a value and gives its limits at `z` standard deviations (1.96 for 95 %). The limits of a difference
# are recovered from those of its two estimates (the method of variance estimates recovery; for shares this is
# Newcombe's method). Its p is one minus the highest confidence at which the limits exclude zero. No random numbers are
# used.


CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_FARTHEST = 38.0
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
class ShareEstimate:
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
class CountEstimate:
    """A mean of counts, most of them small, with the score interval of a Poisson mean scaled by the dispersion of the
    counts.

    If no count is above zero, the interval reaches up to the rate that would have shown itself.
    """

    value: float
    dispersion: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> CountEstimate:
        """Return the mean of some counts, or of pairs of counts."""
        n, mean = len(values), math.fsum(values) / len(values)
        variance = math.fsum((value - mean) ** 2 for value in values) / max(1, n - 1)
        dispersion = variance / mean if mean > 0 else 1.0
        return cls(mean, max(dispersion, 1.0) if mean * n < 3 else dispersion, n)

    def limits(self, z: float = Z) -> Interval:
        """Return the score interval of a Poisson mean."""
        excess = z**2 * self.dispersion / self.n
        half_width = math.sqrt(self.value * excess + excess**2 / 4)
        return Interval(max(0.0, self.value + excess / 2 - half_width), self.value + excess / 2 + half_width)


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
        t = _student_quantile(z, (self.n - 1) / (1 + self.skewness**2 / 2))
        low, high = (self.value - self.error * self._hall_inverse(end) for end in (t, -t))
        return Interval(max(self.low, low), min(self.high, high))

    def _hall_inverse(self, t: float) -> float:
        """Return the inverse of Hall's cubic transformation at `t`."""
        root, skewness = math.sqrt(self.n), self.skewness
        if abs(skewness) < 1e-9:
            return t
        inner = 1 + skewness * (t / root - skewness / (6 * self.n))
        return 3 * root / skewness * (math.copysign(abs(inner) ** (1 / 3), inner) - 1)


@dataclass(frozen=True, slots=True)
class Spread:
    """A standard deviation, computed from the mean of the squared deviations.

    For values of only two kinds, `distance` is that between them and `share` that of the higher kind. The interval then
    comes from Wilson's interval of the share: near an even share the squares hardly vary, and their interval would be
    too narrow. If all values are equal, `farthest` is the largest possible distance of another value.
    """

    squares: Mean
    share: ShareEstimate | None = None
    distance: float = 0.0
    farthest: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float], low: float = -math.inf, high: float = math.inf) -> Spread:
        """Return the standard deviation of some values. No value can lie outside `low` and `high`."""
        n, mean = len(values), math.fsum(values) / len(values)
        correction = n / max(1, n - 1)
        squares = Mean.of([(value - mean) ** 2 * correction for value in values], low=0.0)
        kinds = sorted(set(values))
        if len(kinds) == 1:
            farthest = max(mean - low, high - mean)
            return cls(squares, farthest=farthest if math.isfinite(farthest) else 0.0)
        if len(kinds) == 2:
            return cls(squares, ShareEstimate(sum(value == kinds[1] for value in values), n), kinds[1] - kinds[0])
        return cls(squares)

    @property
    def value(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.squares.value)

    def limits(self, z: float = Z) -> Interval:
        """Return the square roots of the limits of the mean square, lowered by the error of the mean itself."""
        n = self.squares.n
        if self.farthest:
            unseen = z**2 / (n + z**2)
            return Interval(self.value, self.farthest * math.sqrt(unseen * (1 - unseen)))
        if self.share is not None:
            share = self.share.limits(z)
            ends = [self.distance * math.sqrt(limit * (1 - limit)) for limit in (share.low, share.high)]
            high = self.distance / 2 if share.low <= 0.5 <= share.high else max(ends)
            return Interval(min(*ends, self.value), max(high, self.value))
        limits = self.squares.limits(z)
        error_of_mean, error_of_squares = z**2 * self.squares.value / n, self.squares.value - limits.low
        # If the squares vary much, their error covers that of the mean, which is of a smaller order.
        low = limits.low - error_of_mean * min(1.0, error_of_mean / error_of_squares if error_of_squares else 1.0)
        return Interval(math.sqrt(max(0.0, low)), math.sqrt(max(0.0, limits.high)))


@dataclass(frozen=True, slots=True)
class Scaled:
    """An estimate multiplied by a factor."""

    estimate: Estimator
    factor: float

    @property
    def value(self) -> float:
        """The product."""
        return self.factor * self.estimate.value

    def limits(self, z: float = Z) -> Interval:
        """Return the limits of the estimate, multiplied by the factor."""
        limits = self.estimate.limits(z)
        low, high = sorted((self.factor * limits.low, self.factor * limits.high))
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

    def _reach(self, first: float, second: float) -> float:
        return math.sqrt(max(0.0, first**2 - 2 * self.correlation * first * second + second**2))


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
        return DifferenceInterval(
            ShareEstimate(a, n), ShareEstimate(b, n), excess / math.sqrt(margins) if margins else 0.0
        ).limits(z)


def p_value(difference: Estimator, at: float = 0.0) -> float:
    """Return the two-sided p of a true value of `at`: one minus the highest confidence at which the interval excludes
    it.
    """
    if difference.value == at:
        return 1.0
    above = difference.value > at

    def leaves_out(z: float) -> bool:
        limits = difference.limits(z)
        return limits.low > at if above else limits.high < at

    low, high = 0.0, _FARTHEST
    if leaves_out(high):
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if leaves_out(middle) else (low, middle)
    return math.erfc(low / math.sqrt(2))


def _student_quantile(z: float, degrees: float) -> float:
    """Return the quantile of Student's distribution that corresponds to `z` in the normal one.

    Uses the expansion of Cornish and Fisher, accurate to 0.001 from 10 degrees of freedom on.
    """
    if degrees <= 0:
        return math.inf
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


# --- Quantiles, multiple tests and effect sizes for comparisons of whole games, in plain Python -----------------------


def quantile(values: Sequence[float], q: float) -> float:
    """Return the smallest value that is at least as large as a share `q` of the values."""
    return sorted(values)[_rank(len(values), q) - 1]


def quantile_interval(values: Sequence[float], q: float) -> Interval:
    """Return the percentile bootstrap interval of `quantile`, computed exactly: a resampled rank is a binomial
    count.
    """
    ordered = sorted(values)
    n, rank = len(ordered), _rank(len(values), q)
    tail = (1 - CONFIDENCE) / 2

    def at_most(k: int) -> float:
        """Return the chance that the resampled quantile does not exceed the value of rank k + 1."""
        return _binomial_at_least(rank, n, (k + 1) / n)

    low, high = (bisect_left(range(n - 1), share, key=at_most) for share in (tail, 1 - tail))
    return Interval(ordered[low], ordered[high])


def cohen_h(a: float, b: float) -> float:
    """Return the effect size of two shares: the difference of their arcsines. 0.2 is small, 0.5 medium, 0.8 large."""
    return 2 * math.asin(math.sqrt(a)) - 2 * math.asin(math.sqrt(b))


def cliff_delta(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the chance that a value of `a` exceeds one of `b`, minus the chance of the reverse (-1 to 1)."""
    ordered = sorted(b)
    below = sum(bisect_left(ordered, value) for value in a)
    above = sum(len(ordered) - bisect_right(ordered, value) for value in a)
    return (below - above) / (len(a) * len(b))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p values adjusted by Holm's step-down method, in the order given."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for step, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p values adjusted by Benjamini and Hochberg, in the order given.

    Among the results below q, the expected share of false discoveries is at most q.
    """
    adjusted = [0.0] * len(p_values)
    lowest = 1.0
    ordered = sorted(range(len(p_values)), key=lambda i: p_values[i], reverse=True)
    for step, index in enumerate(ordered):
        lowest = min(lowest, p_values[index] * len(p_values) / (len(p_values) - step))
        adjusted[index] = lowest
    return tuple(adjusted)


def equivalence(difference: Estimator, margin: float) -> float:
    """Return the p value of the hypothesis that two values differ by `margin` or more: the larger of two one-sided
    tests.
    """

    def beyond(at: float, sign: int) -> float:
        half = p_value(difference, at) / 2
        return half if sign * (at - difference.value) > 0 else 1 - half

    return max(beyond(margin, 1), beyond(-margin, -1))


def all_alike(estimates: Sequence[Estimator]) -> float:
    """Return the p value of the hypothesis that several independent estimates share one value (Cochran's Q)."""
    errors = [(interval.high - interval.low) / 2 for interval in (estimate.limits(1.0) for estimate in estimates)]
    if len(estimates) < 2:
        return 1.0
    if min(errors) == 0:
        return 1.0 if len({estimate.value for estimate in estimates}) == 1 else 0.0
    weights = [1 / error**2 for error in errors]
    middle = math.fsum(w * estimate.value for w, estimate in zip(weights, estimates, strict=True)) / math.fsum(weights)
    q = math.fsum(w * (estimate.value - middle) ** 2 for w, estimate in zip(weights, estimates, strict=True))
    return _chi_squared_above(q, len(estimates) - 1)


def games_needed(half_width: float, deviation: float, *, z: float) -> int:
    """Return the number of games that estimate a mean to within `half_width` at `z` standard errors."""
    return max(2, math.ceil((z * deviation / half_width) ** 2))


def correlation(a: Sequence[float], b: Sequence[float]) -> float:
    """Return Pearson's correlation of paired values, or 0 if either does not vary."""
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    products = math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    scale = math.sqrt(math.fsum((x - mean_a) ** 2 for x in a) * math.fsum((y - mean_b) ** 2 for y in b))
    return products / scale if scale else 0.0


def pairing_gain(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the factor of games that pairing saves: the variance of the unpaired over that of the paired difference.

    Infinite if every pair differs by the same amount.
    """
    paired = Mean.of([x - y for x, y in zip(a, b, strict=True)]).error
    return (Mean.of(a).error ** 2 + Mean.of(b).error ** 2) / paired**2 if paired else math.inf


def _chi_squared_above(q: float, degrees: int) -> float:
    """Return the upper tail of the chi-squared distribution, summed from its first one or two degrees upwards."""
    if q <= 0:
        return 1.0
    half = q / 2
    tail, term = (math.exp(-half), math.exp(-half)) if degrees % 2 == 0 else (math.erfc(math.sqrt(half)), 0.0)
    if degrees % 2:
        term = math.exp(-half) / math.sqrt(math.pi * half)
    for step in range(2 if degrees % 2 == 0 else 1, degrees - 1 if degrees % 2 else degrees, 2):
        term *= half / (step / 2)
        tail += term
    return min(1.0, tail)


def _rank(n: int, q: float) -> int:
    return max(1, math.ceil(q * n - 1e-9))


def _binomial_at_least(k: int, n: int, p: float) -> float:
    """Return P(at least `k` of `n`), for 1 <= k and 0 < p <= 1."""
    if p >= 1:
        return 1.0
    log_p, log_q, whole = math.log(p), math.log1p(-p), math.lgamma(n + 1)
    return math.fsum(
        math.exp(whole - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * log_p + (n - i) * log_q)
        for i in range(k, n + 1)
    )
