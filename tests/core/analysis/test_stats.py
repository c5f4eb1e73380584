"""Statistics compared with published values, exact enumeration and measured coverage, never with themselves."""

from __future__ import annotations

import itertools
import math
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.analysis.statistics import intervals
from zareba.analysis.statistics.intervals import DifferenceInterval, Interval, PairedShares, ShareEstimate


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_limits_that_newcombe_printed(successes: int, n: int, low: float, high: float) -> None:
    interval = ShareEstimate(successes, n).limits()
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_wilson_interval_without_data_is_from_0_to_1() -> None:
    assert ShareEstimate(0, 0).limits() == Interval(0.0, 1.0)


def test_wilson_covers_95_percent_at_50_games_by_exact_summation() -> None:
    intervals = [ShareEstimate(k, 50).limits() for k in range(51)]
    coverage = []
    for p in (step / 200 for step in range(1, 200)):
        covered = (k for k, i in enumerate(intervals) if i.low <= p <= i.high)
        coverage.append(math.fsum(comb(50, k) * p**k * (1 - p) ** (50 - k) for k in covered))
    assert 0.945 < sum(coverage) / len(coverage) < 0.96
    assert min(coverage) > 0.9


@pytest.mark.parametrize(
    ("a", "n_a", "b", "n_b", "low", "high"),
    [
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (10, 10, 0, 10, 0.6075, 1.0),
    ],
)
def test_newcombe_gives_the_published_limits(a: int, n_a: int, b: int, n_b: int, low: float, high: float) -> None:
    interval = DifferenceInterval(ShareEstimate(a, n_a), ShareEstimate(b, n_b)).limits()
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@pytest.mark.parametrize(("cells", "low", "high"), [((36, 12, 2, 0), 0.0569, 0.3404), ((54, 0, 0, 0), -0.0664, 0.0664)])
def test_newcombe_paired_gives_the_published_limits(cells: tuple[int, int, int, int], low: float, high: float) -> None:
    interval = PairedShares(*cells).limits()
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_pairs_that_agree_narrow_the_interval() -> None:
    paired = PairedShares(20, 5, 2, 23).limits()
    unpaired = DifferenceInterval(ShareEstimate(25, 50), ShareEstimate(22, 50)).limits()
    assert paired.high - paired.low < 0.7 * (unpaired.high - unpaired.low)


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_the_interval_of_a_quantile_is_that_of_every_possible_resample(q: float) -> None:
    values = (3.0, 1.0, 4.0, 1.5, 9.0)
    every = sorted(intervals.quantile(draw, q) for draw in itertools.product(values, repeat=5))
    tail = 0.025 * len(every)
    interval = intervals.quantile_interval(values, q)
    assert interval.low == every[math.ceil(tail) - 1]
    assert interval.high == every[math.ceil(len(every) - tail) - 1]


def test_quantile_is_a_value_that_occurred() -> None:
    assert [intervals.quantile([4, 1, 3, 2], q) for q in (0.1, 0.5, 0.9)] == [1, 2, 4]


def test_holm_on_the_textbook_example() -> None:
    assert intervals.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_a_p_value_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = intervals.holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    ranked = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [adjusted[i] for i in ranked] == sorted(adjusted)


def test_the_test_that_all_are_alike_is_that_of_chi_squared() -> None:
    from scipy.stats import chi2

    found = [ShareEstimate(won, 400) for won in (180, 200, 230, 210, 190)]
    errors = [(f.limits(1.0).high - f.limits(1.0).low) / 2 for f in found]
    middle = sum(f.value / e**2 for f, e in zip(found, errors, strict=True)) / sum(1 / e**2 for e in errors)
    q = sum(((f.value - middle) / e) ** 2 for f, e in zip(found, errors, strict=True))
    for some in range(2, 6):
        assert 0 < intervals.all_alike(found[:some]) <= 1
    assert intervals.all_alike(found) == pytest.approx(chi2.sf(q, 4))
    assert (
        intervals.all_alike([ShareEstimate(50, 100)] * 3) == 1.0
        and intervals.all_alike([ShareEstimate(50, 100)]) == 1.0
    )


def test_alike_is_shown_only_where_the_interval_lies_within_the_margin() -> None:
    for n, shown in ((400, False), (4000, True)):
        assert (
            intervals.equivalence(DifferenceInterval(ShareEstimate(n / 2, n), ShareEstimate(n / 2, n)), 0.05) < 0.05
        ) is shown
    assert intervals.equivalence(
        DifferenceInterval(ShareEstimate(2200, 4000), ShareEstimate(2000, 4000)), 0.05
    ) == pytest.approx(0.5, abs=0.01)
    assert intervals.equivalence(DifferenceInterval(ShareEstimate(2600, 4000), ShareEstimate(2000, 4000)), 0.05) > 0.99


def test_games_needed_for_five_points() -> None:
    assert intervals.games_needed(0.05, 0.5, z=1.959964) == 385


def test_cohen_h() -> None:
    assert intervals.cohen_h(1.0, 0.0) == pytest.approx(math.pi)
    assert intervals.cohen_h(0.6, 0.5) == pytest.approx(0.2014, abs=1e-4)


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_cliff_delta_counts_every_pair(a: list[int], b: list[int]) -> None:
    pairs = [(x > y) - (x < y) for x in a for y in b]
    assert intervals.cliff_delta(a, b) == pytest.approx(sum(pairs) / len(pairs))


def test_pairing_gain_of_values_that_move_together() -> None:
    assert intervals.pairing_gain([1, 2, 3, 4], [1, 2, 3, 5]) == pytest.approx((1.25 + 2.1875) / 0.1875)
    assert intervals.pairing_gain([1, 2, 3], [2, 3, 4]) == math.inf


def test_correlation() -> None:
    assert intervals.correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert intervals.correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert intervals.correlation([1, 1, 1], [3, 2, 1]) == 0
