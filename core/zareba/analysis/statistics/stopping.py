"""Stop a run as soon as the answer is known, using confidence sequences that remain valid at every look.

The mean of values between 0 and 1 has the predictable plug-in empirical Bernstein sequence (Waudby-Smith and Ramdas
2024). Its interval may be inspected after any number of games, and all of its intervals together hold with the stated
confidence. An interval for a fixed number of games, inspected every 50 games, gives false alarms in a third of long
runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from zareba.analysis.games.metrics import Metric, all_metrics
from zareba.analysis.statistics.estimates import SIGNIFICANCE, Column
from zareba.analysis.statistics.intervals import Interval

FIRST_LOOK = 60
_GROWTH = 1.25
"""Each look comes after at least this many times the games of the look before."""
_MOST_WEIGHT = 0.5
"""The largest weight of a value in `anytime_interval`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The anytime-valid verdict on the difference of two variants in a primary metric."""

    metric: str
    first: str
    second: str
    decision: str
    """ "differ", "alike" or "" (not decided yet)."""
    low: float
    high: float


def anytime_interval(values: Sequence[float], alpha: float) -> Interval:
    """Return an interval for the mean of `values`, each between 0 and 1, that may be computed after every value.

    The chance that any of these intervals misses the mean is at most `alpha`.
    """
    threshold = math.log(2 / alpha)
    mean, variance = 0.5, 0.25
    summed = squares = weighted_sum = weights = penalty = 0.0
    low, high = 0.0, 1.0
    for t, value in enumerate(values, start=1):
        weight = min(_MOST_WEIGHT, math.sqrt(2 * threshold / (variance * t * math.log(1 + t))))
        weights, weighted_sum = weights + weight, weighted_sum + weight * value
        penalty += (value - mean) ** 2 * (-math.log1p(-weight) - weight)
        middle, half_width = weighted_sum / weights, (threshold + penalty) / weights
        low, high = max(low, middle - half_width), min(high, middle + half_width)
        summed += value
        mean = (0.5 + summed) / (t + 1)
        squares += (value - mean) ** 2
        variance = (0.25 + squares) / (t + 1)
    return Interval(low, high)


def verdicts_so_far(columns: Sequence[Column], turn_limit: int) -> list[Verdict]:
    """Return the verdict on every two variants and every primary metric.

    At most one run in 20 has a wrong verdict. Lengths in turns of different rulesets are left out, because their turns
    differ.
    """
    metrics = [metric for metric in all_metrics() if metric.primary]
    pairs = list(combinations(columns, 2))
    alpha = SIGNIFICANCE / (len(metrics) * (len(columns) + len(pairs)))
    verdicts = []
    for metric in metrics:
        scale = 1.0 if _unit(metric, columns) == "share" else float(turn_limit)
        intervals = {column.variant.name: _interval(metric, column, scale, alpha) for column in columns}
        for first, other in pairs:
            if metric.id == "M5" and first.variant.ruleset != other.variant.ruleset:
                continue
            a, b = intervals[first.variant.name], intervals[other.variant.name]
            low, high = a.low - b.high, a.high - b.low
            if first.variant.ruleset == other.variant.ruleset:
                paired = _paired_interval(metric, first, other, scale, alpha)
                low, high = max(low, paired.low), min(high, paired.high)
            low, high = low * scale, high * scale
            margin = metric.margin or 0.0
            decision = "differ" if low > 0 or high < 0 else "alike" if -margin < low and high < margin else ""
            verdicts.append(Verdict(metric.id, first.variant.name, other.variant.name, decision, low, high))
    return verdicts


def decided(verdicts: Sequence[Verdict]) -> bool:
    """Return True if every comparison is decided."""
    return all(verdict.decision for verdict in verdicts)


def next_look(games: int) -> int:
    """Return the number of games per variant after which the next look is due."""
    return max(FIRST_LOOK, 20 * math.ceil(games * _GROWTH / 20))


def _unit(metric: Metric, columns: Sequence[Column]) -> str:
    return columns[0].samples[metric.id][0].unit


def _interval(metric: Metric, column: Column, scale: float, alpha: float) -> Interval:
    """Return the confidence sequence of the mean of a variant, in units of `scale`."""
    units = column.units(column.samples[metric.id][0])
    return anytime_interval([min(1.0, value / scale) for _, value in sorted(units.items())], alpha)


def _paired_interval(metric: Metric, first: Column, second: Column, scale: float, alpha: float) -> Interval:
    """Return the confidence sequence of the difference within pairs of games, in units of `scale`."""
    a, b = (column.units(column.samples[metric.id][0]) for column in (first, second))
    differences = [(min(1.0, a[pair] / scale) - min(1.0, b[pair] / scale) + 1) / 2 for pair in sorted(a) if pair in b]
    interval = anytime_interval(differences, alpha)  # of differences moved from -1 to 1 into 0 to 1
    return Interval(2 * interval.low - 1, 2 * interval.high - 1)
