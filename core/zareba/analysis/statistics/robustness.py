"""Check whether a claim comes from the rules: test it again while something other than the rules is changed.

Games under a condition share their luck with the original games. The shared part is estimated from all games of the
comparison, and only the remainder from the few games played again (regression on a control variate).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal, TypeAlias

from zareba.analysis.games.metrics import Metric, all_metrics
from zareba.analysis.statistics import intervals
from zareba.analysis.statistics.estimates import SIGNIFICANCE, Column, Difference, estimator_of
from zareba.analysis.statistics.intervals import Estimator, Mean, Scaled

Kind = Literal["players", "stand-in", "translation"]
"""The thing that is changed: the players, a stand-in for a gap in a rulebook, or the translation of the scenario for a
ruleset.
"""

Fate = Literal["kept", "turned", "gone", "open"]
"""The fate of a claim: shown again, shown reversed, shown to be smaller than the margin, or undecided by this number of
games.
"""

_Columns: TypeAlias = Mapping[str, Column]

_FEWEST_PAIRS = 30
"""Pairs of games needed for a regression. With fewer, a claim that stays open does not count against it."""

_DEPENDS = {"players": "the players", "stand-in": "a stand-in", "translation": "the translation"}


@dataclass(frozen=True, slots=True)
class ConditionColumns:
    """A condition with the columns that replace the original ones under it, by variant name."""

    kind: Kind
    title: str
    columns: _Columns


def robustness(
    claims: Sequence[Difference], columns: Sequence[Column], conditions: Sequence[ConditionColumns]
) -> list[dict[str, Any]]:
    """Test each primary difference that was shown under every condition that concerns it.

    A claim holds under all conditions if each shows it again. It depends on the changed thing if a condition shows it
    reversed or smaller than the margin, at a confidence that covers all conditions of the claim together. Otherwise it
    is not shown under all, possibly for lack of games.
    """
    base = {column.variant.name: column for column in columns}
    metrics = {metric.id: metric for metric in all_metrics()}
    results = []
    for claim in claims:
        relevant = [
            condition
            for condition in conditions
            if claim.first in condition.columns or claim.second in condition.columns
        ]
        if not (claim.primary and claim.is_significant and relevant):
            continue
        z = NormalDist().inv_cdf(1 - SIGNIFICANCE / 2 / len(relevant))
        under = [_claim_under(claim, metrics[claim.metric], base, condition, z) for condition in relevant]
        refuted = [result for result in under if result["says"] in ("turned", "gone")]
        kinds = list(dict.fromkeys(result["kind"] for result in refuted))
        still_open = [result["title"] for result in under if result["says"] == "open" and result["n"] >= _FEWEST_PAIRS]
        if kinds:
            verdict = f"depends on {' and '.join(_DEPENDS[kind] for kind in kinds)}"
        else:
            verdict = "not shown under all" if still_open else "holds under all"
        results.append(
            {
                "metric": claim.metric,
                "first": claim.first,
                "second": claim.second,
                "value": round(claim.value, 6),
                "holds": verdict,
                "depends_on": [result["title"] for result in refuted],
                "open": still_open,
                "under": under,
            }
        )
    return results


def _claim_under(
    claim: Difference, metric: Metric, base: _Columns, condition: ConditionColumns, z: float
) -> dict[str, Any]:
    """Return the claim under one condition. `z` is the confidence at which the claim counts as reversed or gone."""
    difference, n = _difference_under(claim, metric, base, condition)
    sign = math.copysign(1.0, claim.value)
    interval, wider = difference.limits(), difference.limits(z)
    fate: Fate = "open"
    if (interval.low if sign > 0 else -interval.high) > 0:
        fate = "kept"
    elif (wider.high if sign > 0 else -wider.low) < 0:
        fate = "turned"
    elif claim.margin is not None and -claim.margin < wider.low and wider.high < claim.margin:
        fate = "gone"
    return {
        "kind": condition.kind, "title": condition.title, "value": round(difference.value, 6) + 0.0,
        "low": round(interval.low, 6) + 0.0, "high": round(interval.high, 6) + 0.0, "n": n, "says": fate,
    }  # fmt: skip


def _difference_under(
    claim: Difference, metric: Metric, base: _Columns, condition: ConditionColumns
) -> tuple[Estimator, int]:
    """Return the difference under a condition, and the smaller number of pairs of games behind it."""
    changed = [condition.columns.get(name) for name in (claim.first, claim.second)]
    original = [base[name] for name in (claim.first, claim.second)]
    n = min(len(_units(metric, column)) for column in changed if column is not None)
    if claim.paired and None not in changed:
        a, b = (_units(metric, column) for column in changed if column is not None)
        original_a, original_b = (_units(metric, column) for column in original)
        low, high = original[0].samples[metric.id][0].bounds
        bounds = low - high, high - low
        return _with_control(_differences(a, b), _differences(original_a, original_b), bounds), n
    first, other = (
        _estimator(metric, before) if column is None else _changed_estimator(metric, column, before)
        for column, before in zip(changed, original, strict=True)
    )
    return intervals.DifferenceInterval(first, other), n


def _changed_estimator(metric: Metric, column: Column, original: Column) -> Estimator:
    """Return the estimate of a column under a condition, using the original column, which has more games."""
    few, many = _units(metric, column), _units(metric, original)
    if len(few) < _FEWEST_PAIRS or _slope(few, many) == 0:
        return _estimator(metric, column)
    return _with_control(few, many, original.samples[metric.id][0].bounds)


def _with_control(few: Mapping[int, float], many: Mapping[int, float], bounds: tuple[float, float]) -> Estimator:
    """Return the mean of `few` values, by regression on `many` values that share their luck (a control variate)."""
    slope = _slope(few, many) if len(few) >= _FEWEST_PAIRS else 0.0
    if slope == 0:
        return Mean.of(list(few.values()), *bounds)
    rest = Mean.of([value - slope * many[pair] for pair, value in few.items() if pair in many])
    return intervals.DifferenceInterval(rest, Scaled(Mean.of(list(many.values())), -slope))


def _slope(few: Mapping[int, float], many: Mapping[int, float]) -> float:
    """Return the regression slope of `few` on `many` over the pairs that both have."""
    pairs = [(many[pair], value) for pair, value in few.items() if pair in many]
    if len(pairs) < _FEWEST_PAIRS:
        return 0.0
    x, y = (math.fsum(values) / len(pairs) for values in zip(*pairs, strict=True))
    spread = math.fsum((a - x) ** 2 for a, _ in pairs)
    return math.fsum((a - x) * (b - y) for a, b in pairs) / spread if spread else 0.0


def _units(metric: Metric, column: Column) -> Mapping[int, float]:
    return column.units(column.samples[metric.id][0])


def _estimator(metric: Metric, column: Column) -> Estimator:
    return estimator_of(column.samples[metric.id][0], list(_units(metric, column).values()))


def _differences(a: Mapping[int, float], b: Mapping[int, float]) -> dict[int, float]:
    return {pair: value - b[pair] for pair, value in a.items() if pair in b}
