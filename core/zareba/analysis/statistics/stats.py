"""Quantiles, multiple tests and effect sizes for comparisons of whole games, in plain Python."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from zareba.analysis.statistics.intervals import CONFIDENCE, Estimator, Interval, Mean, p_value

__all__ = [
    "all_alike",
    "cliff_delta",
    "cohen_h",
    "correlation",
    "equivalence",
    "games_needed",
    "holm",
    "pairing_gain",
    "quantile",
    "quantile_interval",
]


def quantile(values: Sequence[float], q: float) -> float:
    """Return the smallest value that is at least as large as a share `q` of the values."""
    return sorted(values)[_rank(len(values), q) - 1]


def quantile_interval(values: Sequence[float], q: float) -> Interval:
    """Return the percentile bootstrap interval of `quantile`, computed exactly: a resampled rank is a binomial count."""
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


def all_alike(found: Sequence[Estimator]) -> float:
    """Return the p value of the hypothesis that several independent estimates share one value (Cochran's Q)."""
    errors = [(interval.high - interval.low) / 2 for interval in (one.limits(1.0) for one in found)]
    if len(found) < 2:
        return 1.0
    if min(errors) == 0:
        return 1.0 if len({one.value for one in found}) == 1 else 0.0
    weights = [1 / error**2 for error in errors]
    middle = math.fsum(w * one.value for w, one in zip(weights, found, strict=True)) / math.fsum(weights)
    q = math.fsum(w * (one.value - middle) ** 2 for w, one in zip(weights, found, strict=True))
    return _chi_squared_above(q, len(found) - 1)


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
