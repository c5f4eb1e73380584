"""Intervals agree with the libraries and with their tests, and cover the true value as often as stated."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.analysis.statistics.intervals import (
    CountEstimate,
    DifferenceInterval,
    Estimator,
    Interval,
    Mean,
    PairedShares,
    ShareEstimate,
    Spread,
    p_value,
)

Draw = Callable[[np.random.Generator, int], Any]


def values(draw: Draw, luck: np.random.Generator, n: int) -> list[float]:
    return [float(value) for value in draw(luck, n)]


# --- compared with the libraries --------------------------------------------------------------------------------------


@given(st.integers(1, 500), st.floats(0, 1))
def test_shares_have_the_limits_that_scipy_gives(n: int, part: float) -> None:
    from scipy.stats import binomtest, norm

    won = round(part * n)
    for level in (0.9, 0.95, 0.99):
        theirs = binomtest(won, n).proportion_ci(level, method="wilson")
        ours = ShareEstimate(won, n).limits(float(norm.ppf((1 + level) / 2)))
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("n", [12, 40, 400])
def test_a_mean_without_skewness_has_students_interval(n: int) -> None:
    from scipy.stats import t

    sample = [float(i % 2) for i in range(n)]
    ours, reach = Mean.of(sample).limits(), float(t.ppf(0.975, n - 1)) * math.sqrt(0.25 / (n - 1))
    assert (ours.low, ours.high) == pytest.approx((0.5 - reach, 0.5 + reach), rel=1e-3)


def test_an_interval_leans_to_the_side_of_the_long_tail() -> None:
    found = Mean.of([0.0] * 95 + [1.0] * 5)
    assert found.limits().high - found.value > 1.3 * (found.value - found.limits().low)


def test_interval_of_unseen_events_has_an_upper_bound() -> None:
    for n in (100, 400, 4000):
        assert CountEstimate.of([0] * n).limits().high == pytest.approx(1.96**2 / n, rel=1e-3)
        assert Mean.of([0.0] * n, 0.0, 1.0).limits().high == pytest.approx(ShareEstimate(0, n).limits().high)
    assert Mean.of([3.0] * 100).limits().low == Mean.of([3.0] * 100).limits().high == 3.0


# --- intervals and tests agree ----------------------------------------------------------------------------------------

PAIRS: dict[str, Estimator] = {
    "shares": DifferenceInterval(ShareEstimate(61, 100), ShareEstimate(48, 100)),
    "pairs of shares": PairedShares(40, 21, 8, 31),
    "counts": DifferenceInterval(CountEstimate.of([0] * 80 + [1] * 15 + [2] * 5), CountEstimate.of([0] * 92 + [1] * 8)),
    "means": DifferenceInterval(Mean.of([1.0, 2.0, 4.0] * 30), Mean.of([1.0, 2.0, 3.0] * 30)),
    "paired": Mean.of([-1.0] + [0.0] * 60 + [1.0] * 12),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_an_interval_leaves_out_zero_exactly_where_its_test_says_so(kind: str) -> None:
    from scipy.stats import norm

    found = PAIRS[kind]
    p = p_value(found)
    assert 0 < p < 1
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        limits = found.limits(float(norm.ppf((1 + level) / 2)))
        assert (p < 1 - level) is not (limits.low <= 0 <= limits.high)
    edge = found.limits(float(norm.isf(p / 2)))
    assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-6)


def test_p_is_1_without_a_difference_and_0_for_an_impossible_one() -> None:
    assert p_value(DifferenceInterval(ShareEstimate(50, 100), ShareEstimate(50, 100))) == 1.0
    assert p_value(DifferenceInterval(ShareEstimate(4000, 4000), ShareEstimate(0, 4000))) == 0.0


# --- coverage ---------------------------------------------------------------------------------------------------------

DRAWS: dict[str, tuple[Draw, Callable[[list[float]], Estimator]]] = {
    "M1 even": (lambda luck, n: luck.random(n) < 0.5, lambda v: ShareEstimate(sum(v), len(v))),
    "M1 one-sided": (lambda luck, n: luck.random(n) < 0.9, lambda v: ShareEstimate(sum(v), len(v))),
    "M2 balance": (lambda luck, n: luck.choice([-1, 0, 1], n, p=[0.25, 0.05, 0.7]), lambda v: Mean.of(v, -1, 1)),
    "M5 length": (lambda luck, n: np.minimum(12, 3 + luck.poisson(3, n)), Mean.of),
    "M10 losses": (lambda luck, n: luck.beta(2, 3, n), lambda v: Mean.of(v, 0, 1)),
    "M11 changes, many": (lambda luck, n: luck.poisson(1.2, n), CountEstimate.of),
    "M11 changes, uneven": (lambda luck, n: luck.poisson(luck.gamma(0.5, 0.6, n)), CountEstimate.of),
    "M11 changes, few": (lambda luck, n: luck.poisson(0.06, n), CountEstimate.of),
    "M12 drama": (
        lambda luck, n: np.where(luck.random(n) < 0.2, luck.exponential(0.1, n), 0),
        lambda v: Mean.of(v, 0, 1),
    ),
    "M13 moment": (
        lambda luck, n: np.where(luck.random(n) < 0.4, 0, luck.beta(1.5, 1, n)),
        lambda v: Mean.of(v, 0, 1),
    ),
    "M16 leads, normal": (lambda luck, n: luck.normal(0, 0.3, n), Spread.of),
    "M16 leads of two kinds": (lambda luck, n: np.where(luck.random(n) < 0.9, 1, -0.4), Spread.of),
    "M16 leads of two kinds, nearly even": (lambda luck, n: np.where(luck.random(n) < 0.47, 1, -0.4), Spread.of),
    "M16 leads about two": (
        lambda luck, n: np.where(luck.random(n) < 0.55, 1, -0.4) + luck.normal(0, 0.03, n),
        Spread.of,
    ),
    "M16 leads of three kinds": (lambda luck, n: luck.choice([-0.5, 0, 0.75], n, p=[0.3, 0.1, 0.6]), Spread.of),
    "M16 leads, skewed": (lambda luck, n: 1 - luck.gamma(1.5, 0.2, n), Spread.of),
    "M17 bookkeeping": (lambda luck, n: luck.gamma(9, 0.5, n), Mean.of),
}


def coverage(kind: str, n: int, runs: int, known_by: int) -> float:
    """Return the share of intervals that contain the true value."""
    draw, estimate = DRAWS[kind]
    truth = estimate(values(draw, np.random.default_rng(1), known_by)).value
    luck = np.random.default_rng(n)
    found = (estimate(values(draw, luck, n)).limits() for _ in range(runs))
    return sum(interval.low <= truth <= interval.high for interval in found) / runs


AT_LEAST = {"M16 leads about two"}
"""Samples with nearly only two values: the interval is wider than necessary and covers the truth more often."""


@pytest.mark.parametrize("kind", DRAWS)
def test_intervals_cover_the_true_value(kind: str) -> None:
    assert 0.91 <= coverage(kind, 100, 300, 100_000) <= (1.0 if kind in AT_LEAST else 0.995)


@pytest.mark.parametrize("n", [40, 100, 400])
def test_a_spread_of_two_values_as_likely_as_each_other_is_covered(n: int) -> None:
    """Squared deviations hardly vary here, so an interval from them alone covers the truth in only 80 to 91 % of
    runs.
    """
    luck, runs = np.random.default_rng(n), 600
    found = (
        Spread.of(values(lambda r, m: np.where(r.random(m) < 0.5, 1, -0.4), luck, n)).limits() for _ in range(runs)
    )
    assert sum(interval.low <= 0.7 <= interval.high + 1e-9 for interval in found) / runs >= 0.92


def test_a_spread_of_two_values_is_no_more_precise_than_their_share() -> None:
    """The leads are 59 and 41 percent of the points, each in 30 of 60 games."""
    found = Spread.of([0.59] * 30 + [0.41] * 30)
    limits, share = found.limits(), ShareEstimate(30, 60).limits()
    assert limits.low == pytest.approx(0.18 * math.sqrt(share.low * (1 - share.low)))
    assert limits.low < 0.088 and limits.high == pytest.approx(found.value)


def test_an_interval_of_equal_leads_allows_for_unseen_values() -> None:
    assert Spread.of([1.0] * 40).limits() == Interval(0.0, 0.0)
    limits = Spread.of([1.0] * 40, -1.0, 1.0).limits()
    unseen = ShareEstimate(0, 40).limits().high
    assert limits.low == 0.0 and limits.high == pytest.approx(2 * math.sqrt(unseen * (1 - unseen)))


@pytest.mark.deep
@pytest.mark.parametrize("n", [100, 400, 4000])
@pytest.mark.parametrize("kind", DRAWS)
def test_intervals_cover_95_percent(kind: str, n: int) -> None:
    """Coverage is 93.5 to 96.5 percent, within 3 standard errors of the simulation."""
    runs = {100: 4000, 400: 4000, 4000: 1000}[n]
    found, slack = coverage(kind, n, runs, 2_000_000), 3 * math.sqrt(0.05 * 0.95 / runs)
    print(f"{kind} at {n}: {found:.4f}")
    assert 0.935 - slack <= found <= (1.0 if kind in AT_LEAST else 0.965 + slack)


@pytest.mark.deep
@pytest.mark.parametrize("kind", DRAWS)
def test_false_alarms_occur_in_at_most_one_of_twenty_comparisons(kind: str) -> None:
    draw, estimate = DRAWS[kind]
    luck, runs = np.random.default_rng(3), 1500
    alarms = 0
    for _ in range(runs):
        one, other = (estimate(values(draw, luck, 400)) for _ in range(2))
        alarms += p_value(DifferenceInterval(one, other)) < 0.05
    print(f"{kind}: {alarms / runs:.4f}")
    assert alarms / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
