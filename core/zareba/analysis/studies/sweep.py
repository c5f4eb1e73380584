"""Sweeps: give one number of the rules several values, and plot the primary metrics against it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeAlias

from zareba.analysis.games.metrics import Metric, all_metrics
from zareba.analysis.games.records import Variant
from zareba.analysis.statistics.estimates import SIGNIFICANCE, Column
from zareba.analysis.statistics.intervals import Mean, holm, p_value
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.registry import load_rules
from zareba.rules import Rules

# --- List the numbers of a ruleset, and make variants with one number changed by a generated house rule ---------------


Number: TypeAlias = "int | float"

MOST_VALUES = 20
"""The most values in a sweep."""
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


def numbers_of(rules: Rules) -> dict[str, Number]:
    """Return every number that a house rule can change, by path, and every numeric setting, by name."""
    settings = {name: value for name, value in rules.settings.items() if _is_number(value)}
    book = {path: value for path, value in _leaves(rules.data, "") if not path.startswith(("settings.", "ruleset."))}
    return settings | book


def number_at(rules: Rules, path: str) -> Number:
    """Return the number at a path, or that of a setting. The ZarebaError for an unknown path suggests the nearest
    one.
    """
    numbers = numbers_of(rules)
    if path not in numbers:
        below = [number for number in numbers if number.startswith(f"{path}.")]
        if not below:
            raise unknown_name(f"number of {rules.ruleset.id}", path, numbers)
        raise ZarebaError(f"'{path}' holds {amount(len(below), 'number')}; name one, as in {below[0]}")
    return numbers[path]


def numbers_matching(rules: Rules, pattern: str) -> dict[str, Number]:
    """Return the numbers whose paths match a pattern such as `weapons.*`. Raises ZarebaError if none matches."""
    all_numbers = numbers_of(rules)
    matching = {path: value for path, value in all_numbers.items() if fnmatchcase(path, pattern)}
    if not matching:
        groups = {path[: dot.start()] for path in all_numbers for dot in re.finditer(r"\.", path)}
        group = pattern.removesuffix(".*")
        if group in groups:
            raise ZarebaError(f"'{pattern}' is a group of numbers; write '{group}.*'")
        raise unknown_name(f"number or group of numbers of {rules.ruleset.id}", group, [*all_numbers, *groups])
    return matching


def _leaves(data: Any, path: str) -> Iterator[tuple[str, Number]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    elif _is_number(data):
        yield path, data


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def values_of(written: str) -> list[Number]:
    """Return the values of `1..6` (both ends included) or `1,2,4`. Raises ZarebaError for other text."""
    values: list[Number]
    if match := _RANGE.fullmatch(written.strip()):
        low, high = map(int, match.groups())
        values = list(range(low, min(high, low + MOST_VALUES) + 1))  # one more than the limit, to report an error
    else:
        try:
            values = [float(part) if "." in part else int(part) for part in written.split(",")]
        except ValueError:
            values = []
    values = list(dict.fromkeys(values))
    if not 2 <= len(values) <= MOST_VALUES:
        gives = f"more than {MOST_VALUES} values" if len(values) > 1 else "one value" if values else "no value"
        raise ZarebaError(f"'{written}' gives {gives}; write 2 to {MOST_VALUES} values, such as 1..6, 1,2,4 or 0.5,1")
    return values


def with_number(rules: Rules, path: str, value: Number, folder: Path) -> Variant:
    """Return a variant of the ruleset with another number at a path, or with another setting.

    A number of the rulebook is changed by a house rule, which is written into `folder` and can also be used for play.
    Raises FileError or ZarebaError if the rules refuse the value.
    """
    ruleset, name = rules.ruleset.id, f"{path}={value}"
    if path in rules.settings:
        load_rules(ruleset, {path: value})
        return Variant(name, ruleset, ((path, value),))
    was = number_at(rules, path)
    if isinstance(was, float):
        value = float(value)
    file = folder / f"{ruleset}.{name}.yaml"
    folder.mkdir(parents=True, exist_ok=True)
    rule = {
        "house_rule": re.sub(r"\W", "_", f"{ruleset}_{name}"),
        "title": f"{path} is {value}, not {was}"[:80],
        "ruleset": ruleset,
        "changes": [{"at": path, "was": was, "to": value}],
    }
    file.write_text(json.dumps(rule, indent=1) + "\n", encoding="utf-8")
    variant = Variant(name, ruleset, (), (str(file),))
    try:
        variant.rules()
    except ZarebaError:
        file.unlink()
        raise
    return variant


# --- Plot the primary metrics against one number of the rules; all values have the same games and random numbers ------


def sweep_through(option: str, base: Variant, folder: Path) -> tuple[Sweep, list[Variant]]:
    """Return the sweep for `PATH=1..6` and its variants besides the unchanged ruleset.

    The house rules of the variants are written into `folder`. Raises ZarebaError for invalid text and for a path that
    is not a number of the rules.
    """
    path, equals, values = option.partition("=")
    if not equals:
        raise ZarebaError(f"{option}: write PATH=1..6, with a path as for 'zareba explain'")
    rules = load_rules(base.ruleset)
    now = number_at(rules, path)
    variant_names: list[tuple[Number, str]] = []
    changed: list[Variant] = []
    for value in values_of(values):
        if value == now:
            variant_names.append((value, base.name))
        else:
            changed.append(with_number(rules, path, value, folder))
            variant_names.append((value, changed[-1].name))
    return Sweep(path, base.ruleset, now, tuple(variant_names)), changed


@dataclass(frozen=True, slots=True)
class Sweep:
    """The values of one number of a ruleset, each with its variant."""

    path: str
    """The path of the number in the ruleset, or the name of a setting."""
    ruleset: str
    now: Number
    """The value in the unchanged rules."""
    values: tuple[tuple[Number, str], ...]
    """Each value with the name of its variant."""


def curves(sweep: Sweep, columns: Sequence[Column]) -> dict[str, Any]:
    """Return the estimate of every primary metric at each value, and its slope: the change for a step of 1.

    The slope is computed per game over the values and averaged over the games, so the luck that the values share
    cancels out. It is claimed if Holm's adjusted p over all slopes is below 5 %.
    """
    by_name = {column.variant.name: column for column in columns}
    points = [(value, by_name[name]) for value, name in sweep.values if name in by_name]
    drawn = []
    for metric in all_metrics():
        if metric.primary:
            drawn += [_curve(metric, number, points) for number in range(_samples_to_draw(metric, points))]
    slopes = [curve["slope"] for curve in drawn if curve["slope"] is not None]
    for slope, adjusted in zip(slopes, holm([slope["p"] for slope in slopes]), strict=True):
        slope |= {"p": round(slope["p"], 6), "shown": adjusted < SIGNIFICANCE}
    return {"path": sweep.path, "ruleset": sweep.ruleset, "now": sweep.now, "curves": drawn}


def _samples_to_draw(metric: Metric, points: Sequence[tuple[Number, Column]]) -> int:
    """Return the number of samples of a metric to draw: each side's win share for M1, the headline value otherwise."""
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
            {"at": value, **{key: estimate.to_dict()[key] for key in ("value", "low", "high", "n")}}
            for value, estimate in estimates
        ],
        "slope": _slope(metric, number, points),
    }


def _slope(metric: Metric, number: int, points: Sequence[tuple[Number, Column]]) -> dict[str, Any] | None:
    """Return the mean over the games of each game's slope through all values; None for fewer than two values or
    games.
    """
    units: list[Mapping[int, float]] = [column.units(column.samples[metric.id][number]) for _, column in points]
    shared_games = sorted(set.intersection(*(set(unit) for unit in units))) if units else []
    middle = math.fsum(value for value, _ in points) / max(1, len(points))
    spread = math.fsum((value - middle) ** 2 for value, _ in points)
    if len(shared_games) < 2 or not spread:
        return None
    slopes = [
        math.fsum((value - middle) * values[game] for (value, _), values in zip(points, units, strict=True)) / spread
        for game in shared_games
    ]
    mean = Mean.of(slopes, -math.inf, math.inf)
    limits = mean.limits()
    return {
        "value": round(mean.value, 6), "low": round(limits.low, 6), "high": round(limits.high, 6), "p": p_value(mean), "n": len(shared_games),
    }  # fmt: skip
