"""Is it the rules? Each claim once more with something else than the rules changed: what does not hold there is not theirs.

Games under a condition share their luck with the games as they are. What they have in common with these is taken from all
games of the comparison, and only what is left from the few that were played again (a regression on a control variate).
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

__all__ = ["Kind", "Repeated", "Said", "robustness"]

Kind = Literal["players", "stand-in", "translation"]
"""What is changed: who commands, what stands where a book is silent, how the battle is told to a system."""

Said = Literal["kept", "turned", "gone", "open"]
"""What becomes of a claim: shown again; shown the other way round; shown to be less than matters; not told by so few games."""

Columns: TypeAlias = Mapping[str, Column]

FEWEST = 30
"""Pairs from which a regression may be taken. With fewer games only a claim that turns round counts, not one that stays open."""

_DEPENDS = {"players": "the players", "stand-in": "a stand-in", "translation": "the translation"}


@dataclass(frozen=True, slots=True)
class Repeated:
    """A condition with the columns that stand in the place of others under it, by the names of variants."""

    kind: Kind
    title: str
    columns: Columns


def robustness(
    claims: Sequence[Difference], columns: Sequence[Column], conditions: Sequence[Repeated]
) -> list[dict[str, Any]]:
    """Of each primary difference that was shown what it is under each condition that concerns it, and whether it holds.

    It holds under all where each of them shows it once more; it depends on what was changed where one shows the other way
    round, or that there is less than matters, all conditions of the claim taken together; else it is not shown under all,
    which may be for want of games.
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
        still_open = [one["title"] for one in under if one["says"] == "open" and one["n"] >= FEWEST]
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


def _under(claim: Difference, metric: Metric, base: Columns, condition: Repeated, z: float) -> dict[str, Any]:
    """What a claim is under a condition; `z` is how far out nothing may be left for the claim to be gone."""
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


def _claimed(claim: Difference, metric: Metric, base: Columns, condition: Repeated) -> tuple[Estimator, int]:
    """The difference under a condition, and the fewest pairs of games that it was told by."""
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
    """The number of a column that shares its luck with another of which there are more games."""
    own, known = _units(metric, column), _units(metric, base)
    if len(own) < FEWEST or _slope(own, known) == 0:
        return _number(metric, column)
    return _foretold(own, known, base.samples[metric.id][0].bounds)


def _foretold(own: Mapping[int, float], known: Mapping[int, float], bounds: tuple[float, float]) -> Estimator:
    """The mean of `own`: what goes with `known` by the mean of all of that, the rest by itself."""
    slope = _slope(own, known) if len(own) >= FEWEST else 0.0
    if slope == 0:
        return Mean.of(list(own.values()), *bounds)
    rest = Mean.of([value - slope * known[pair] for pair, value in own.items() if pair in known])
    return intervals.DifferenceInterval(rest, Scaled(Mean.of(list(known.values())), -slope))


def _slope(own: Mapping[int, float], known: Mapping[int, float]) -> float:
    """How much of a change in `known` is found in `own`, over the pairs that both have."""
    pairs = [(known[pair], value) for pair, value in own.items() if pair in known]
    if len(pairs) < FEWEST:
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
