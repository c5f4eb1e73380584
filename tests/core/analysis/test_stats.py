"""Published values, exact enumeration and coverage; nothing is compared with itself."""

from __future__ import annotations

import itertools
import math
import random
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.analysis import stats
from zareba.analysis.stats import Moments


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_limits_that_newcombe_printed(successes: int, n: int, low: float, high: float) -> None:
    interval = stats.wilson(successes, n)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_wilson_of_nothing_knows_nothing() -> None:
    assert stats.wilson(0, 0) == stats.Interval(0.0, 1.0)


def test_wilson_covers_95_percent_at_50_games_by_exact_summation() -> None:
    intervals = [stats.wilson(k, 50) for k in range(51)]
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
    interval = stats.newcombe(a, n_a, b, n_b)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@pytest.mark.parametrize(("cells", "low", "high"), [((36, 12, 2, 0), 0.0569, 0.3404), ((54, 0, 0, 0), -0.0664, 0.0664)])
def test_newcombe_paired_gives_the_published_limits(cells: tuple[int, int, int, int], low: float, high: float) -> None:
    interval = stats.newcombe_paired(*cells)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_pairs_that_agree_narrow_the_interval() -> None:
    paired, unpaired = stats.newcombe_paired(20, 5, 2, 23), stats.newcombe(25, 50, 22, 50)
    assert paired.high - paired.low < 0.7 * (unpaired.high - unpaired.low)


@pytest.mark.parametrize("values", [(0.0, 0.0, 1.0, 3.0, 7.0), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)])
def test_moments_are_those_of_every_possible_resample(values: tuple[float, ...]) -> None:
    means = [sum(draw) / len(values) for draw in itertools.product(values, repeat=len(values))]
    centre = sum(means) / len(means)
    second, third, fourth = (sum((m - centre) ** k for m in means) / len(means) for k in (2, 3, 4))
    found = Moments.of(values)
    assert found.mean == pytest.approx(centre)
    assert found.variance == pytest.approx(second)
    assert found.third == pytest.approx(third)
    assert found.fourth == pytest.approx(fourth - 3 * second**2)


@pytest.mark.parametrize("n", [12, 60])
def test_the_interval_of_a_mean_is_the_one_that_resampling_finds(n: int) -> None:
    luck = random.Random(5)
    values = [luck.expovariate(1.0) for _ in range(n)]
    means = sorted(sum(luck.choices(values, k=n)) / n for _ in range(8000))
    interval = Moments.of(values).interval(min(values), max(values))
    width = means[7800] - means[200]
    assert interval.low == pytest.approx(means[200], abs=0.03 * width)
    assert interval.high == pytest.approx(means[7800], abs=0.03 * width)


def test_the_interval_of_a_mean_covers_skewed_means() -> None:
    luck = random.Random(8)
    hits = 0
    for _ in range(1000):
        values = [luck.expovariate(1.0) for _ in range(100)]
        interval = Moments.of(values).interval(min(values), max(values))
        hits += interval.low <= 1.0 <= interval.high
    assert 0.92 < hits / 1000 < 0.97


def test_a_mean_never_leaves_the_range_of_its_values() -> None:
    interval = Moments.of([0.0] * 19 + [1.0]).interval(0.0, 1.0)
    assert interval.low == 0.0
    assert 0.05 < interval.high < 0.25


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_the_interval_of_a_quantile_is_that_of_every_possible_resample(q: float) -> None:
    values = (3.0, 1.0, 4.0, 1.5, 9.0)
    every = sorted(stats.quantile(draw, q) for draw in itertools.product(values, repeat=5))
    tail = 0.025 * len(every)
    interval = stats.quantile_interval(values, q)
    assert interval.low == every[math.ceil(tail) - 1]
    assert interval.high == every[math.ceil(len(every) - tail) - 1]


def test_quantile_is_a_value_that_occurred() -> None:
    assert [stats.quantile([4, 1, 3, 2], q) for q in (0.1, 0.5, 0.9)] == [1, 2, 4]


def test_holm_on_the_textbook_example() -> None:
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_a_p_value_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = stats.holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    ranked = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [adjusted[i] for i in ranked] == sorted(adjusted)


def test_mcnemar_is_the_binomial_test_on_pairs_that_differ() -> None:
    assert stats.mcnemar(1, 9) == pytest.approx(2 * (1 + 10) / 1024)
    assert stats.mcnemar(0, 0) == 1.0


def test_two_share_test_on_a_table_reckoned_by_hand() -> None:
    z = (56 / 70 - 48 / 80) / math.sqrt(104 / 150 * 46 / 150 * (1 / 70 + 1 / 80))
    assert stats.two_share_test(56, 70, 48, 80) == pytest.approx(math.erfc(z / math.sqrt(2)))
    assert stats.two_share_test(56, 70, 48, 80) == pytest.approx(0.0081, abs=2e-4)


def test_cohen_h() -> None:
    assert stats.cohen_h(1.0, 0.0) == pytest.approx(math.pi)
    assert stats.cohen_h(0.6, 0.5) == pytest.approx(0.2014, abs=1e-4)


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_cliff_delta_counts_every_pair(a: list[int], b: list[int]) -> None:
    pairs = [(x > y) - (x < y) for x in a for y in b]
    assert stats.cliff_delta(a, b) == pytest.approx(sum(pairs) / len(pairs))


def test_pairing_gain_of_values_that_move_together() -> None:
    assert stats.pairing_gain([1, 2, 3, 4], [1, 2, 3, 5]) == pytest.approx((1.25 + 2.1875) / 0.1875)
    assert stats.pairing_gain([1, 2, 3], [2, 3, 4]) == math.inf


def test_correlation() -> None:
    assert stats.correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert stats.correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert stats.correlation([1, 1, 1], [3, 2, 1]) == 0
