"""Intervals, tests and effect sizes for comparisons of whole games, in plain Python.

Nothing here draws a random number. The percentile bootstrap is computed as the limit of endlessly many
resamples: exactly for quantiles, and for means by the Cornish-Fisher expansion of the resampled mean to its
fourth cumulant. Against 20,000 real resamples the expansion is off by less than a fiftieth of the interval
from 8 values on, and a mean of 4,000 games costs about 2 ms where 2,000 real resamples cost 500.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

__all__ = [
    "Interval",
    "Moments",
    "cliff_delta",
    "cohen_h",
    "correlation",
    "holm",
    "mcnemar",
    "newcombe",
    "newcombe_paired",
    "pairing_gain",
    "quantile",
    "quantile_interval",
    "two_share_test",
    "wilson",
]

CONFIDENCE = 0.95
NORMAL = NormalDist()
Z = NORMAL.inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval in the unit of the value that it belongs to."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Moments:
    """The first four cumulants of the mean of a sample as resampling would spread it.

    The difference of two independent means is `one - other`.
    """

    mean: float
    variance: float
    third: float
    fourth: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Moments:
        """The moments of the mean of `values`, which must not be empty."""
        n = len(values)
        mean = math.fsum(values) / n
        deviations = [value - mean for value in values]
        second, third, fourth = (math.fsum(d**power for d in deviations) / n for power in (2, 3, 4))
        return cls(mean, second / n, third / n**2, (fourth - 3 * second**2) / n**3)

    def __sub__(self, other: Moments) -> Moments:
        return Moments(
            self.mean - other.mean,
            self.variance + other.variance,
            self.third - other.third,
            self.fourth + other.fourth,
        )

    def interval(self, low: float, high: float) -> Interval:
        """The percentile bootstrap interval, kept within `low` and `high`, the range a mean can have."""
        return Interval(*(min(max(self._percentile(z), low), high) for z in (-Z, Z)))

    def p_value(self) -> float:
        """Two-sided p of a true mean of zero, by the normal approximation (fair from about 50 values on)."""
        if self.variance == 0:
            return 1.0 if self.mean == 0 else 0.0
        return _two_sided(self.mean / math.sqrt(self.variance))

    def _percentile(self, z: float) -> float:
        if self.variance == 0:
            return self.mean
        spread = math.sqrt(self.variance)
        skew, excess = self.third / spread**3, self.fourth / spread**4
        shift = (z**2 - 1) * skew / 6 + (z**3 - 3 * z) * excess / 24 - (2 * z**3 - 5 * z) * skew**2 / 36
        return self.mean + spread * (z + shift)


def wilson(successes: float, n: float) -> Interval:
    """Wilson's score interval for a share. Both may be fractions: an effective number of games."""
    if n == 0:
        return Interval(0.0, 1.0)
    share = successes / n
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2)) / (1 + Z**2 / n)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low, high)


def newcombe(a: int, n_a: int, b: int, n_b: int) -> Interval:
    """Interval for share a minus share b of two independent samples (Newcombe 1998, method 10)."""
    return _joined(a, n_a, b, n_b, 0.0)


def newcombe_paired(both: int, only_a: int, only_b: int, neither: int) -> Interval:
    """Interval for share a minus share b counted on the same pairs (Newcombe 1998, paired method 10)."""
    n = both + only_a + only_b + neither
    a, b = both + only_a, both + only_b
    excess: float = both * neither - only_a * only_b
    if excess > 0:
        excess = max(0.0, excess - n / 2)
    margins = a * b * (n - a) * (n - b)
    return _joined(a, n, b, n, excess / math.sqrt(margins) if margins else 0.0)


def two_share_test(a: int, n_a: int, b: int, n_b: int) -> float:
    """Two-sided p of equal shares in two independent samples (score test with the pooled share)."""
    pooled = (a + b) / (n_a + n_b)
    variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b)
    return _two_sided((a / n_a - b / n_b) / math.sqrt(variance)) if variance else 1.0


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p that pairs which differ are as likely to differ one way as the other."""
    n = only_a + only_b
    tail = sum(math.comb(n, k) for k in range(min(only_a, only_b) + 1))
    return min(1.0, 2 * tail / (1 << n))


def quantile(values: Sequence[float], q: float) -> float:
    """The smallest value that at least a share `q` of the values do not exceed."""
    return sorted(values)[_rank(len(values), q) - 1]


def quantile_interval(values: Sequence[float], q: float) -> Interval:
    """The percentile bootstrap interval of `quantile`, exact: a resampled rank is a binomial count."""
    ordered = sorted(values)
    n, rank = len(ordered), _rank(len(values), q)
    tail = (1 - CONFIDENCE) / 2

    def at_most(k: int) -> float:
        """Chance that the resampled quantile does not exceed the value of rank k + 1."""
        return _binomial_at_least(rank, n, (k + 1) / n)

    low, high = (bisect_left(range(n - 1), share, key=at_most) for share in (tail, 1 - tail))
    return Interval(ordered[low], ordered[high])


def cohen_h(a: float, b: float) -> float:
    """Effect size of two shares: difference of their arcsines. 0.2 is small, 0.5 middling, 0.8 large."""
    return 2 * math.asin(math.sqrt(a)) - 2 * math.asin(math.sqrt(b))


def cliff_delta(a: Sequence[float], b: Sequence[float]) -> float:
    """Chance that a value of `a` exceeds one of `b`, minus the chance of the reverse (-1 to 1)."""
    ordered = sorted(b)
    below = sum(bisect_left(ordered, value) for value in a)
    above = sum(len(ordered) - bisect_right(ordered, value) for value in a)
    return (below - above) / (len(a) * len(b))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p values adjusted by Holm's step-down method, in the order given."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for step, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)


def correlation(a: Sequence[float], b: Sequence[float]) -> float:
    """Pearson's correlation of paired values; 0 when either does not vary."""
    one, other = Moments.of(a), Moments.of(b)
    products = math.fsum((x - one.mean) * (y - other.mean) for x, y in zip(a, b, strict=True))
    scale = len(a) ** 2 * math.sqrt(one.variance * other.variance)
    return products / scale if scale else 0.0


def pairing_gain(a: Sequence[float], b: Sequence[float]) -> float:
    """How many times fewer games pairing needs: variance of the unpaired over the paired difference.

    Infinite when every pair differs by the same amount.
    """
    paired = Moments.of([x - y for x, y in zip(a, b, strict=True)]).variance
    return (Moments.of(a).variance + Moments.of(b).variance) / paired if paired else math.inf


def _joined(a: int, n_a: int, b: int, n_b: int, phi: float) -> Interval:
    share_a, share_b = a / n_a, b / n_b
    wilson_a, wilson_b = wilson(a, n_a), wilson(b, n_b)

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(0.0, one**2 - 2 * phi * one * other + other**2))

    difference = share_a - share_b
    low = difference - reach(share_a - wilson_a.low, wilson_b.high - share_b)
    high = difference + reach(wilson_a.high - share_a, share_b - wilson_b.low)
    return Interval(low, high)


def _two_sided(z: float) -> float:
    return math.erfc(abs(z) / math.sqrt(2))


def _rank(n: int, q: float) -> int:
    return max(1, math.ceil(q * n - 1e-9))


def _binomial_at_least(k: int, n: int, p: float) -> float:
    """P(at least `k` of `n`), for 1 <= k and 0 < p <= 1."""
    if p >= 1:
        return 1.0
    log_p, log_q, whole = math.log(p), math.log1p(-p), math.lgamma(n + 1)
    return math.fsum(
        math.exp(whole - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * log_p + (n - i) * log_q)
        for i in range(k, n + 1)
    )
