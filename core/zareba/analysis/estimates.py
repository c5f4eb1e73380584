"""From samples to numbers with intervals, and to differences between variants with tests and effect sizes.

The unit is the game, or the pair of games where agents were swapped between the sides: the two share a seed,
so that counting them as independent would make the intervals too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from zareba.analysis import stats
from zareba.analysis.metrics import Metric, Sample, Scope, all_metrics, measure
from zareba.analysis.records import GameRecord, Variant
from zareba.analysis.stats import Interval, Moments

__all__ = ["SIGNIFICANCE", "Column", "Difference", "Estimate", "compare_columns", "estimate"]

SIGNIFICANCE = 0.05
_QUANTILES = {"median": 0.5, "p10": 0.1, "p90": 0.9}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval from `n` games; all three are None where no game has the value."""

    name: str
    kind: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    n: int

    def to_dict(self) -> dict[str, Any]:
        """The JSON-ready form, numbers rounded for reading."""
        return {key: _rounded(value) for key, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Difference:
    """A headline value of variant `first` minus that of `second`, with interval, test and effect size.

    `p_holm` is None for exploratory metrics, for which no claim is made. `pairing_gain` is None unless the
    games were paired (or every pair differs by the same amount). `n` counts pairs when paired, else the
    units of `first` and `second`.
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
    effect: str
    effect_size: float

    @property
    def shown(self) -> bool:
        """Whether the difference may be claimed, all primary comparisons taken together."""
        return self.p_holm is not None and self.p_holm < SIGNIFICANCE

    def to_dict(self) -> dict[str, Any]:
        """The JSON-ready form, numbers rounded for reading."""
        data = {key: _rounded(value) for key, value in asdict(self).items()}
        return {**data, "n": list(self.n), "shown": self.shown}


@dataclass(frozen=True, slots=True)
class Column:
    """One variant of a comparison with its games and their samples, keyed by metric id."""

    variant: Variant
    records: tuple[GameRecord, ...]
    samples: dict[str, list[Sample]]

    @classmethod
    def of(cls, variant: Variant, records: Sequence[GameRecord], scope: Scope) -> Column:
        """The column of a variant, every metric taken from its games."""
        samples = {metric.id: measure(metric, records, scope) for metric in all_metrics()}
        return cls(variant, tuple(records), samples)

    @property
    def swapped(self) -> bool:
        """Whether agents changed sides in some of its games."""
        return any(record.swapped for record in self.records)

    def units(self, sample: Sample) -> dict[int, float]:
        """The value of each pair of games, by pair number; a pair without a value is left out."""
        pairs: dict[int, list[float]] = {}
        for record, value in zip(self.records, sample.values, strict=True):
            if value is not None:
                pairs.setdefault(record.pair, []).append(value)
        return {pair: math.fsum(values) / len(values) for pair, values in pairs.items()}

    def estimates(self, metric: Metric) -> list[Estimate]:
        """The value of each sample of a metric with its interval."""
        return [estimate(sample, self.units(sample)) for sample in self.samples[metric.id]]


def estimate(sample: Sample, units: dict[int, float]) -> Estimate:
    """The value of a sample with its interval; `units` holds its mean in each pair of games."""
    values = [value for value in sample.values if value is not None]
    if not values:
        return Estimate(sample.name, sample.kind, sample.unit, None, None, None, 0)
    value, interval = _value_and_interval(sample.kind, values, list(units.values()))
    return Estimate(sample.name, sample.kind, sample.unit, value, interval.low, interval.high, len(values))


def compare_columns(columns: Sequence[Column]) -> list[Difference]:
    """Every two columns on every metric that can be compared, Holm's adjustment over all primary ones."""
    found = [
        difference
        for metric in all_metrics()
        for index, one in enumerate(columns)
        for other in columns[index + 1 :]
        if (difference := _difference(metric, one, other)) is not None
    ]
    primary = [index for index, difference in enumerate(found) if difference.primary]
    for index, adjusted in zip(primary, stats.holm([found[index].p for index in primary]), strict=True):
        found[index] = replace(found[index], p_holm=adjusted)
    return found


def _value_and_interval(kind: str, values: list[float], units: list[float]) -> tuple[float, Interval]:
    if kind == "share":
        share = math.fsum(values) / len(values)
        games = _effective_games(share, len(values), units)
        return share, stats.wilson(share * games, games)
    if kind in _QUANTILES:
        q = _QUANTILES[kind]
        return stats.quantile(values, q), stats.quantile_interval(values, q)
    if kind == "spread":
        mean = math.fsum(values) / len(values)
        squares = [(value - mean) ** 2 for value in values]
        spread = Moments.of(squares)
        interval = spread.interval(0.0, max(squares))
        return math.sqrt(spread.mean), Interval(math.sqrt(interval.low), math.sqrt(interval.high))
    moments = Moments.of(units)
    return moments.mean, moments.interval(min(units), max(units))


def _effective_games(share: float, n: int, units: list[float]) -> float:
    """How many independent games tell as much as `n` games in pairs."""
    variance = Moments.of(units).variance
    if len(units) == n or variance == 0:
        return n
    return min(float(n), share * (1 - share) / variance)


def _difference(metric: Metric, one: Column, other: Column) -> Difference | None:
    sample, counterpart = one.samples[metric.id][0], other.samples[metric.id][0]
    if sample.kind not in ("share", "mean"):
        return None
    units, their_units = one.units(sample), other.units(counterpart)
    if not units or not their_units:
        return None
    a, b = list(units.values()), list(their_units.values())
    both = [pair for pair in units if pair in their_units]
    shared_a, shared_b = [units[pair] for pair in both], [their_units[pair] for pair in both]
    paired = (
        one.variant.ruleset == other.variant.ruleset and len(both) > 1 and stats.correlation(shared_a, shared_b) > 0
    )
    if paired:
        a, b = shared_a, shared_b
    counted = sample.kind == "share" and not one.swapped and not other.swapped
    interval, p = _counted(a, b, paired) if counted else _averaged(a, b, paired)
    gain = stats.pairing_gain(a, b) if paired else math.inf
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    share = sample.kind == "share"
    return Difference(
        metric=metric.id,
        name=sample.name,
        unit=sample.unit,
        primary=metric.primary,
        first=one.variant.name,
        second=other.variant.name,
        paired=paired,
        pairing_gain=gain if math.isfinite(gain) else None,
        n=(len(a),) if paired else (len(a), len(b)),
        value=mean_a - mean_b,
        low=interval.low,
        high=interval.high,
        p=p,
        p_holm=None,
        effect="Cohen's h" if share else "Cliff's delta",
        effect_size=stats.cohen_h(mean_a, mean_b) if share else stats.cliff_delta(a, b),
    )


def _counted(a: list[float], b: list[float], paired: bool) -> tuple[Interval, float]:
    wins_a, wins_b = round(sum(a)), round(sum(b))
    if not paired:
        interval = stats.newcombe(wins_a, len(a), wins_b, len(b))
        return interval, stats.two_share_test(wins_a, len(a), wins_b, len(b))
    both = sum(x == y == 1 for x, y in zip(a, b, strict=True))
    only_a, only_b = wins_a - both, wins_b - both
    interval = stats.newcombe_paired(both, only_a, only_b, len(a) - both - only_a - only_b)
    return interval, stats.mcnemar(only_a, only_b)


def _averaged(a: list[float], b: list[float], paired: bool) -> tuple[Interval, float]:
    if paired:
        differences = [x - y for x, y in zip(a, b, strict=True)]
        moments = Moments.of(differences)
        return moments.interval(min(differences), max(differences)), moments.p_value()
    moments = Moments.of(a) - Moments.of(b)
    return moments.interval(min(a) - max(b), max(a) - min(b)), moments.p_value()


def _rounded(value: Any) -> Any:
    """Six decimals: more than any interval supports, few enough to hide the last bit of a sum."""
    return round(value, 6) + 0.0 if isinstance(value, float) else value
