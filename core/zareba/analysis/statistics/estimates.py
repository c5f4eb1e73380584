"""Turn samples into estimates with intervals, and compare variants with tests and effect sizes.

The unit is the game, or the pair of games if the agents swapped sides. The two games of a pair share a seed; counting
them as independent would make the intervals too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from zareba.analysis.games.metrics import Metric, Sample, Scope, all_metrics, measure
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.statistics import intervals
from zareba.analysis.statistics.intervals import (
    CountEstimate,
    Estimator,
    Mean,
    PairedShares,
    ShareEstimate,
    Spread,
    p_value,
)

SIGNIFICANCE = 0.05
MOST_TURNS_RATIO = 1.25
"""Lead changes are read once a turn. Two rulesets are compared if the one with more changes has at most this many times
the turns of the other: more readings alone would find more changes.
"""
_QUANTILES = {"median": 0.5, "p10": 0.1, "p90": 0.9}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval from `n` games. All three are None if no game has the value."""

    name: str
    kind: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    n: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form, with numbers rounded for reading."""
        return {key: _rounded(value) for key, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Difference:
    """The headline value of variant `first` minus that of `second`, with interval, test and effect size.

    - `primary`: False for exploratory metrics, about which no claims are made, and for two rulesets whose turns are too
      unlike to compare a number of turns or of lead changes.
    - `p_holm`: None if not primary. With more than two variants it is at least the p of the test that all of them are
      alike.
    - `p_alike`: the p of the hypothesis that the two differ by `margin` or more; None without a margin.
    - `pairing_gain`: None if the games were not paired, or if every pair differs by the same amount.
    - `anytime`: the verdict in a run that stops when it is decided (`zareba.analysis.statistics.stopping`), else None.
    - `n`: the number of pairs if paired, else the units of `first` and `second`.
    """

    metric: str
    name: str
    unit: str
    primary: bool
    first: str
    second: str
    paired: bool
    pairing_gain: float | None
    n: tuple[int, ...]
    value: float
    low: float
    high: float
    p: float
    p_holm: float | None
    margin: float | None
    p_alike: float | None
    effect: str
    effect_size: float
    anytime: str | None = None

    @property
    def is_equivalent(self) -> bool:
        """True if the two may be claimed to differ by less than the margin."""
        if self.anytime is not None:
            return self.anytime == "alike"
        return self.p_alike is not None and self.p_alike < SIGNIFICANCE

    @property
    def is_significant(self) -> bool:
        """True if the difference may be claimed, taking all primary comparisons together."""
        if self.anytime is not None:
            return self.anytime == "differ"
        return self.p_holm is not None and self.p_holm < SIGNIFICANCE

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form, with numbers rounded for reading."""
        data = {key: _rounded(value) for key, value in asdict(self).items()}
        return {**data, "n": list(self.n), "shown": self.is_significant, "alike": self.is_equivalent}


@dataclass(frozen=True, slots=True)
class Column:
    """One variant of a comparison with its games and their samples, by metric id."""

    variant: Variant
    records: tuple[GameRecord, ...]
    samples: dict[str, list[Sample]]

    @classmethod
    def of(cls, variant: Variant, records: Sequence[GameRecord], scope: Scope) -> Column:
        """Return the column of a variant, with every metric measured on its games."""
        samples = {metric.id: measure(metric, records, scope) for metric in all_metrics()}
        return cls(variant, tuple(records), samples)

    @property
    def swapped(self) -> bool:
        """True if the agents swapped sides in some of the games."""
        return any(record.swapped for record in self.records)

    def units(self, sample: Sample) -> dict[int, float]:
        """Return the value of each pair of games, by pair number. Pairs without a value are left out."""
        pairs: dict[int, list[float]] = {}
        for record, value in zip(self.records, sample.values, strict=True):
            if value is not None:
                pairs.setdefault(record.pair, []).append(value)
        return {pair: math.fsum(values) / len(values) for pair, values in pairs.items()}

    def estimates(self, metric: Metric) -> list[Estimate]:
        """Return the value of each sample of a metric with its interval."""
        return [estimate(sample, self.units(sample)) for sample in self.samples[metric.id]]


def estimate(sample: Sample, units: dict[int, float]) -> Estimate:
    """Return the value of a sample with its interval. `units` holds its mean in each pair of games."""
    values = [value for value in sample.values if value is not None]
    if not values:
        return Estimate(sample.name, sample.kind, sample.unit, None, None, None, 0)
    if sample.kind in _QUANTILES:
        q = _QUANTILES[sample.kind]
        value, interval = intervals.quantile(values, q), intervals.quantile_interval(values, q)
    else:
        estimator = estimator_of(sample, list(units.values()))
        value, interval = estimator.value, estimator.limits()
    return Estimate(sample.name, sample.kind, sample.unit, value, interval.low, interval.high, len(values))


def compare_columns(columns: Sequence[Column]) -> list[Difference]:
    """Compare every two columns on every comparable metric, with Holm's adjustment over all primary ones.

    Each primary metric is first tested for all columns being alike. The adjusted p of two columns is never smaller
    than that p.
    """
    p_all_alike = p_of_no_difference(columns)
    found = [
        difference
        for metric in all_metrics()
        for index, column in enumerate(columns)
        for other in columns[index + 1 :]
        if (difference := _difference(metric, column, other)) is not None
    ]
    primary = [index for index, difference in enumerate(found) if difference.primary]
    for index, adjusted in zip(primary, intervals.holm([found[index].p for index in primary]), strict=True):
        compared = found[index]
        least = 0.0 if compared.paired or len(columns) < 3 else p_all_alike[compared.metric]
        found[index] = replace(compared, p_holm=max(adjusted, least))
    bounded = [index for index in primary if found[index].p_alike is not None]
    alike = intervals.holm([p for index in bounded if (p := found[index].p_alike) is not None])
    for index, adjusted in zip(bounded, alike, strict=True):
        found[index] = replace(found[index], p_alike=adjusted)
    return found


def p_of_no_difference(columns: Sequence[Column]) -> dict[str, float]:
    """Return the p of the hypothesis that all columns are alike, by primary metric."""
    found = {}
    for metric in all_metrics():
        if metric.primary:
            estimators = []
            for column in columns:
                sample = column.samples[metric.id][0]
                units = list(column.units(sample).values())
                if units:
                    estimators.append(estimator_of(sample, units))
            found[metric.id] = intervals.all_alike(estimators)
    return found


def estimator_of(sample: Sample, units: Sequence[float]) -> Estimator:
    """Return the estimator of a sample from the values of all games and from the means of the pairs they were played in
    (`units`).
    """
    values = [value for value in sample.values if value is not None]
    if sample.kind == "share":
        share = math.fsum(values) / len(values)
        games = _effective_games(share, len(values), list(units))
        return ShareEstimate(share * games, games)
    if sample.kind == "count":
        return CountEstimate.of(units)
    return Spread.of(values, *sample.bounds) if sample.kind == "spread" else Mean.of(units, *sample.bounds)


def _effective_games(share: float, n: int, units: list[float]) -> float:
    """Return the number of independent games that carry as much information as `n` games in pairs."""
    variance = Mean.of(units).error ** 2 * (len(units) - 1) / len(units)
    if len(units) == n or variance == 0:
        return n
    return min(float(n), share * (1 - share) / variance)


def _difference(metric: Metric, first: Column, second: Column) -> Difference | None:
    sample, counterpart = first.samples[metric.id][0], second.samples[metric.id][0]
    if sample.kind not in ("share", "mean", "count"):
        return None
    units, their_units = first.units(sample), second.units(counterpart)
    if not units or not their_units:
        return None
    a, b = list(units.values()), list(their_units.values())
    both = [pair for pair in units if pair in their_units]
    shared_a, shared_b = [units[pair] for pair in both], [their_units[pair] for pair in both]
    paired = (
        first.variant.ruleset == second.variant.ruleset
        and len(both) > 1
        and intervals.correlation(shared_a, shared_b) > 0
    )
    if paired:
        a, b = shared_a, shared_b
        difference = _paired(sample, a, b, counted=not first.swapped and not second.swapped)
    else:
        difference = intervals.DifferenceInterval(estimator_of(sample, a), estimator_of(counterpart, b))
    interval = difference.limits()
    gain = intervals.pairing_gain(a, b) if paired else math.inf
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    share = sample.kind == "share"
    return Difference(
        metric=metric.id,
        name=sample.name,
        unit=sample.unit,
        primary=metric.primary and _has_like_turns(metric, first, second, mean_a - mean_b),
        first=first.variant.name,
        second=second.variant.name,
        paired=paired,
        pairing_gain=gain if math.isfinite(gain) else None,
        n=(len(a),) if paired else (len(a), len(b)),
        value=mean_a - mean_b,
        low=interval.low,
        high=interval.high,
        p=p_value(difference),
        p_holm=None,
        margin=metric.margin,
        p_alike=None if metric.margin is None else intervals.equivalence(difference, metric.margin),
        effect="Cohen's h" if share else "Cliff's delta",
        effect_size=intervals.cohen_h(mean_a, mean_b) if share else intervals.cliff_delta(a, b),
    )


def _has_like_turns(metric: Metric, first: Column, second: Column, difference: float) -> bool:
    """Return False if a difference of two rulesets may come from their turns alone."""
    if first.variant.ruleset == second.variant.ruleset or metric.id not in ("M5", "M11"):
        return True
    if metric.id == "M5":  # a turn is a different span of the battle in each ruleset
        return False
    turns = [math.fsum(record.turns for record in column.records) / len(column.records) for column in (first, second)]
    more, fewer = turns if difference > 0 else reversed(turns)
    return more <= MOST_TURNS_RATIO * fewer


def _paired(sample: Sample, a: list[float], b: list[float], *, counted: bool) -> Estimator:
    """Return the estimated difference within pairs of games.

    `counted`: each pair is one game of each variant, so the pairs that differ can be counted.
    """
    if sample.kind != "share" or not counted:
        low, high = sample.bounds
        return Mean.of([x - y for x, y in zip(a, b, strict=True)], low - high, high - low)
    both = sum(x == y == 1 for x, y in zip(a, b, strict=True))
    only_a, only_b = round(sum(a)) - both, round(sum(b)) - both
    return PairedShares(both, only_a, only_b, len(a) - both - only_a - only_b)


def _rounded(value: Any) -> Any:
    """Round to six decimals: more than any interval supports, few enough to hide the last bit of a sum."""
    return round(value, 6) + 0.0 if isinstance(value, float) else value
