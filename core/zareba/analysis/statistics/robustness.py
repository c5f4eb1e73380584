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

Said = Literal["kept", "turned", "gone", "open"]
"""The fate of a claim: shown again, shown reversed, shown to be smaller than the margin, or undecided by so few games.
"""

_Columns: TypeAlias = Mapping[str, Column]

_FEWEST = 30
"""Pairs needed for a regression. With fewer games, a claim counts only if it is reversed, not if it stays open."""

_DEPENDS = {"players": "the players", "stand-in": "a stand-in", "translation": "the translation"}


@dataclass(frozen=True, slots=True)
class Repeated:
    """A condition with the columns that replace the original ones under it, by variant name."""

    kind: Kind
    title: str
    columns: _Columns


def robustness(
    claims: Sequence[Difference], columns: Sequence[Column], conditions: Sequence[Repeated]
) -> list[dict[str, Any]]:
    """Test each primary difference that was shown under every condition that concerns it.

    A claim holds under all conditions if each shows it again. It depends on the changed thing if a condition shows it
    reversed or smaller than the margin, at a confidence that covers all conditions of the claim together. Otherwise it
    is not shown under all, possibly for lack of games.
    """
    base = {column.variant.name: column for column in columns}
    metrics = {metric.id: metric for metric in all_metrics()}
    found = []
    for claim in claims:
        concerned = [one for one in conditions if claim.first in one.columns or claim.second in one.columns]
        if not (claim.primary and claim.shown and concerned):
            continue
        z = NormalDist().inv_cdf(1 - SIGNIFICANCE / 2 / len(concerned))
        under = [_under(claim, metrics[claim.metric], base, one, z) for one in concerned]
        kinds = list(dict.fromkeys(one["kind"] for one in under if one["says"] in ("turned", "gone")))
        still_open = [one["title"] for one in under if one["says"] == "open" and one["n"] >= _FEWEST]
        if kinds:
            holds = f"depends on {' and '.join(_DEPENDS[kind] for kind in kinds)}"
        else:
            holds = "not shown under all" if still_open else "holds under all"
        found.append(
            {
                "metric": claim.metric,
                "first": claim.first,
                "second": claim.second,
                "value": round(claim.value, 6),
                "holds": holds,
                "depends_on": [one["title"] for one in under if one["says"] in ("turned", "gone")],
                "open": still_open,
                "under": under,
            }
        )
    return found


def _under(claim: Difference, metric: Metric, base: _Columns, condition: Repeated, z: float) -> dict[str, Any]:
    """Return the claim under one condition. `z` is the confidence at which the claim counts as reversed or gone."""
    number, n = _claimed(claim, metric, base, condition)
    sign = math.copysign(1.0, claim.value)
    plain, wide = number.limits(), number.limits(z)
    says: Said = "open"
    if (plain.low if sign > 0 else -plain.high) > 0:
        says = "kept"
    elif (wide.high if sign > 0 else -wide.low) < 0:
        says = "turned"
    elif claim.margin is not None and -claim.margin < wide.low and wide.high < claim.margin:
        says = "gone"
    return {
        "kind": condition.kind, "title": condition.title, "value": round(number.value, 6) + 0.0,
        "low": round(plain.low, 6) + 0.0, "high": round(plain.high, 6) + 0.0, "n": n, "says": says,
    }  # fmt: skip


def _claimed(claim: Difference, metric: Metric, base: _Columns, condition: Repeated) -> tuple[Estimator, int]:
    """Return the difference under a condition, and the smaller number of pairs of games behind it."""
    both = [condition.columns.get(name) for name in (claim.first, claim.second)]
    plain = [base[name] for name in (claim.first, claim.second)]
    n = min(len(_units(metric, column)) for column in both if column is not None)
    if claim.paired and None not in both:
        a, b = (_units(metric, column) for column in both if column is not None)
        known_a, known_b = (_units(metric, column) for column in plain)
        low, high = plain[0].samples[metric.id][0].bounds
        bounds = low - high, high - low
        return _foretold(_differences(a, b), _differences(known_a, known_b), bounds), n
    one, other = (
        _number(metric, known) if column is None else _again(metric, column, known)
        for column, known in zip(both, plain, strict=True)
    )
    return intervals.DifferenceInterval(one, other), n


def _again(metric: Metric, column: Column, base: Column) -> Estimator:
    """Return the estimate of a column, using another column with more games that shares its luck."""
    own, known = _units(metric, column), _units(metric, base)
    if len(own) < _FEWEST or _slope(own, known) == 0:
        return _number(metric, column)
    return _foretold(own, known, base.samples[metric.id][0].bounds)


def _foretold(own: Mapping[int, float], known: Mapping[int, float], bounds: tuple[float, float]) -> Estimator:
    """Return the mean of `own`, taking the part that follows `known` from the mean of all of `known`."""
    slope = _slope(own, known) if len(own) >= _FEWEST else 0.0
    if slope == 0:
        return Mean.of(list(own.values()), *bounds)
    rest = Mean.of([value - slope * known[pair] for pair, value in own.items() if pair in known])
    return intervals.DifferenceInterval(rest, Scaled(Mean.of(list(known.values())), -slope))


def _slope(own: Mapping[int, float], known: Mapping[int, float]) -> float:
    """Return the regression slope of `own` on `known` over the pairs that both have."""
    pairs = [(known[pair], value) for pair, value in own.items() if pair in known]
    if len(pairs) < _FEWEST:
        return 0.0
    x, y = (math.fsum(values) / len(pairs) for values in zip(*pairs, strict=True))
    spread = math.fsum((a - x) ** 2 for a, _ in pairs)
    return math.fsum((a - x) * (b - y) for a, b in pairs) / spread if spread else 0.0


def _units(metric: Metric, column: Column) -> Mapping[int, float]:
    return column.units(column.samples[metric.id][0])


def _number(metric: Metric, column: Column) -> Estimator:
    return estimator_of(column.samples[metric.id][0], list(_units(metric, column).values()))


def _differences(a: Mapping[int, float], b: Mapping[int, float]) -> dict[int, float]:
    return {pair: value - b[pair] for pair, value in a.items() if pair in b}
