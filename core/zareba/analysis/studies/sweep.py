"""A number of the rules against the primary metrics: at each of its values the same games, with the same luck."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zareba.analysis.games.metrics import Metric, all_metrics
from zareba.analysis.games.records import Variant
from zareba.analysis.statistics.estimates import SIGNIFICANCE, Column
from zareba.analysis.statistics.intervals import Mean, p_value
from zareba.analysis.statistics.stats import holm
from zareba.analysis.studies.numbers import Number, number_at, turned, values_of
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules

__all__ = ["Sweep", "curves", "sweep_through"]


def sweep_through(written: str, base: Variant, folder: Path) -> tuple[Sweep, list[Variant]]:
    """What `PATH=1..6` asks for, and the variants other than the ruleset as it is; house rules for them go into `folder`.

    Raises ZarebaError for what is not written so, and for a path that is no number of the rules.
    """
    path, equals, values = written.partition("=")
    if not equals:
        raise ZarebaError(f"{written}: write it as PATH=1..6, with a path as 'zareba explain' takes it")
    rules = load_rules(base.ruleset)
    now = number_at(rules, path)
    named: list[tuple[Number, str]] = []
    others: list[Variant] = []
    for value in values_of(values):
        if value == now:
            named.append((value, base.name))
        else:
            others.append(turned(rules, path, value, folder))
            named.append((value, others[-1].name))
    return Sweep(path, base.ruleset, now, tuple(named)), others


@dataclass(frozen=True, slots=True)
class Sweep:
    """A `path` of a ruleset, and the name of the variant at each value; `now`: what it is in the rules as they are."""

    path: str
    ruleset: str
    now: Number
    values: tuple[tuple[Number, str], ...]


def curves(sweep: Sweep, columns: Sequence[Column]) -> dict[str, Any]:
    """Of every primary metric its estimate at each value, and how much it changes with a step of 1.

    The slope is that of each game over the values, averaged over the games: what luck the values share falls out of it.
    It is claimed where Holm's adjusted p over all of them is below 5 %.
    """
    by_name = {column.variant.name: column for column in columns}
    points = [(value, by_name[name]) for value, name in sweep.values if name in by_name]
    found = []
    for metric in all_metrics():
        if metric.primary:
            found += [_curve(metric, number, points) for number in range(_compared(metric, points))]
    tested = [one for one in found if one["slope"] is not None]
    for one, adjusted in zip(tested, holm([one["slope"]["p"] for one in tested]), strict=True):
        one["slope"] |= {"p": round(one["slope"]["p"], 6), "shown": adjusted < SIGNIFICANCE}
    return {"path": sweep.path, "ruleset": sweep.ruleset, "now": sweep.now, "curves": found}


def _compared(metric: Metric, points: Sequence[tuple[Number, Column]]) -> int:
    """How many numbers of a metric are drawn: each side's share of wins, of the others the one that is compared."""
    return len(points[0][1].samples[metric.id]) - 1 if metric.id == "M1" and points else min(1, len(points))


def _curve(metric: Metric, number: int, points: Sequence[tuple[Number, Column]]) -> dict[str, Any]:
    estimates = [(value, column.estimates(metric)[number]) for value, column in points]
    name, unit = estimates[0][1].name, estimates[0][1].unit
    return {
        "metric": metric.id,
        "title": metric.title,
        "name": name,
        "unit": unit,
        "points": [
            {"at": value, **{key: one.to_dict()[key] for key in ("value", "low", "high", "n")}}
            for value, one in estimates
        ],
        "slope": _slope(metric, number, points),
    }


def _slope(metric: Metric, number: int, points: Sequence[tuple[Number, Column]]) -> dict[str, Any] | None:
    """The mean over the games of the slope of each through all values; None for fewer than two values or games."""
    units: list[Mapping[int, float]] = [column.units(column.samples[metric.id][number]) for _, column in points]
    both = sorted(set.intersection(*(set(one) for one in units))) if units else []
    middle = math.fsum(value for value, _ in points) / max(1, len(points))
    spread = math.fsum((value - middle) ** 2 for value, _ in points)
    if len(both) < 2 or not spread:
        return None
    slopes = [
        math.fsum((value - middle) * one[game] for (value, _), one in zip(points, units, strict=True)) / spread
        for game in both
    ]
    mean = Mean.of(slopes, -math.inf, math.inf)
    limits = mean.limits()
    return {
        "value": round(mean.value, 6), "low": round(limits.low, 6), "high": round(limits.high, 6), "p": p_value(mean), "n": len(both),
    }  # fmt: skip
