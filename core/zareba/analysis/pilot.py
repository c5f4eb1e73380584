"""Predict from a few pilot games how many games are needed and how precise the answer will be.

The pilot shows how much the values vary, not which variant leads, so its games may be part of the run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist

from zareba.analysis.games.metrics import Metric, all_metrics
from zareba.analysis.statistics.estimates import SIGNIFICANCE, Column
from zareba.analysis.statistics.intervals import Z, games_needed

PILOT_GAMES = 40
"""With 20 games, one pilot in five would misjudge the precision of the lead changes by more than a fifth."""
QUICK_GAMES = 100
"""The number of games of a first look."""
MOST_GAMES = 4000
"""The largest number of games that a pilot asks for."""
_POWER = 0.9
"""The chance that a run shows a difference as large as the margin."""
_DEVIATION_AT_EVEN_ODDS = 0.5


def games_wanted(columns: Sequence[Column]) -> int:
    """Return the number of games per variant that the primary metrics need.

    Each metric is estimated to within its margin. If two variants of one ruleset are compared pair by pair, a
    difference as large as the margin of the first metric is found in nine of ten runs.
    """
    needed = [
        games_needed(metric.margin, _deviation(metric, column), z=Z)
        for metric in _metrics_with_margin()
        if metric.margin is not None
        for column in columns
    ]
    pairs = [(a, b) for a, b in combinations(columns, 2) if a.variant.ruleset == b.variant.ruleset]
    first = _metrics_with_margin()[0]
    if pairs and first.margin is not None:
        tests = len(_metrics_with_margin()) * math.comb(len(columns), 2)
        z = NormalDist().inv_cdf(1 - SIGNIFICANCE / 2 / tests) + NormalDist().inv_cdf(_POWER)
        needed += [games_needed(first.margin, _pair_deviation(first, a, b), z=z) for a, b in pairs]
    return min(MOST_GAMES, 20 * math.ceil(max(needed) / 20))


def precision(columns: Sequence[Column], games: int) -> dict[str, float]:
    """Return half the interval width of each primary metric after `games` games, by metric id."""
    return {
        metric.id: max(Z * _deviation(metric, column, observed=True) for column in columns) / math.sqrt(games)
        for metric in _metrics_with_margin()
    }


def _metrics_with_margin() -> list[Metric]:
    return [metric for metric in all_metrics() if metric.primary and metric.margin is not None]


def _deviation(metric: Metric, column: Column, *, observed: bool = False) -> float:
    """Return the standard deviation of one game.

    For a share this is the value at even odds, which is the largest. With `observed`, it is the value at the observed
    share, after adding one win and one loss.
    """
    sample = column.samples[metric.id][0]
    values = [value for value in sample.values if value is not None]
    if sample.kind == "share":
        share = (math.fsum(values) + 1) / (len(values) + 2)
        return math.sqrt(share * (1 - share)) if observed else _DEVIATION_AT_EVEN_ODDS
    return _standard_deviation(values)


def _pair_deviation(metric: Metric, first: Column, second: Column) -> float:
    """Return the standard deviation of the difference in one pair, after adding two pairs that differ and two that do
    not.
    """
    a, b = (column.units(column.samples[metric.id][0]) for column in (first, second))
    common_pairs = [pair for pair in a if pair in b]
    differing = sum(a[pair] != b[pair] for pair in common_pairs)
    return math.sqrt((differing + 2) / (len(common_pairs) + 4))


def _standard_deviation(values: Sequence[float]) -> float:
    mean = math.fsum(values) / max(1, len(values))
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
