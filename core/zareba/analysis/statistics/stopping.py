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
_MOST_LEAN = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """The anytime-valid verdict on two variants and a primary metric: `said` is "differ", "alike" or "" (not known
    yet).
    """

    metric: str
    first: str
    second: str
    said: str
    low: float
    high: float


def sequence(values: Sequence[float], alpha: float) -> Interval:
    """Return the interval after all `values`, each between 0 and 1, of a confidence sequence that fails with chance
    `alpha`.
    """
    threshold = math.log(2 / alpha)
    mean, variance = 0.5, 0.25
    summed = squares = lent = leaned = penalty = 0.0
    low, high = 0.0, 1.0
    for t, value in enumerate(values, start=1):
        lean = min(_MOST_LEAN, math.sqrt(2 * threshold / (variance * t * math.log(1 + t))))
        leaned, lent = leaned + lean, lent + lean * value
        penalty += (value - mean) ** 2 * (-math.log1p(-lean) - lean)
        middle, reach = lent / leaned, (threshold + penalty) / leaned
        low, high = max(low, middle - reach), min(high, middle + reach)
        summed += value
        mean = (0.5 + summed) / (t + 1)
        squares += (value - mean) ** 2
        variance = (0.25 + squares) / (t + 1)
    return Interval(low, high)


def verdicts_so_far(columns: Sequence[Column], turn_limit: int) -> list[Verdict]:
    """Return the verdict on every two variants and every primary metric. All of them together are wrong in one run in
    20. The numbers of turns of different rulesets are left out, because their turns differ.
    """
    metrics = [metric for metric in all_metrics() if metric.primary]
    pairs = list(combinations(columns, 2))
    alpha = SIGNIFICANCE / (len(metrics) * (len(columns) + len(pairs)))
    found = []
    for metric in metrics:
        scale = 1.0 if _unit(metric, columns) == "share" else float(turn_limit)
        alone = {column.variant.name: _of(metric, column, scale, alpha) for column in columns}
        for one, other in pairs:
            if metric.id == "M5" and one.variant.ruleset != other.variant.ruleset:
                continue
            a, b = alone[one.variant.name], alone[other.variant.name]
            low, high = a.low - b.high, a.high - b.low
            if one.variant.ruleset == other.variant.ruleset:
                together = _of_pairs(metric, one, other, scale, alpha)
                low, high = max(low, together.low), min(high, together.high)
            low, high = low * scale, high * scale
            margin = metric.margin or 0.0
            said = "differ" if low > 0 or high < 0 else "alike" if -margin < low and high < margin else ""
            found.append(Verdict(metric.id, one.variant.name, other.variant.name, said, low, high))
    return found


def decided(verdicts: Sequence[Verdict]) -> bool:
    """Return True if every verdict is known."""
    return all(verdict.said for verdict in verdicts)


def next_look(games: int) -> int:
    """Return the number of games per variant after which the next look is due."""
    return max(FIRST_LOOK, 20 * math.ceil(games * _GROWTH / 20))


def _unit(metric: Metric, columns: Sequence[Column]) -> str:
    return columns[0].samples[metric.id][0].unit


def _of(metric: Metric, column: Column, scale: float, alpha: float) -> Interval:
    units = column.units(column.samples[metric.id][0])
    return sequence([min(1.0, value / scale) for _, value in sorted(units.items())], alpha)


def _of_pairs(metric: Metric, one: Column, other: Column, scale: float, alpha: float) -> Interval:
    """Return the confidence sequence of the difference within pairs of games."""
    a, b = (column.units(column.samples[metric.id][0]) for column in (one, other))
    differences = [(min(1.0, a[pair] / scale) - min(1.0, b[pair] / scale) + 1) / 2 for pair in sorted(a) if pair in b]
    found = sequence(differences, alpha)
    return Interval(2 * found.low - 1, 2 * found.high - 1)
