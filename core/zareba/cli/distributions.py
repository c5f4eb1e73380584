"""Odds as data, as tables with bars, and as a plot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from rich.console import Group, RenderableType
from rich.text import Text

from zareba.cli.output import plain_table
from zareba.cli.plain import clean
from zareba.errors import ZarebaError
from zareba.odds import Odds, Procedure
from zareba.rules.settings import text
from zareba.state import canonical_json

__all__ = ["means", "odds_data", "odds_table", "save_plot"]

_ROWS = 20
_BAR = 30


def odds_data(procedure: Procedure, found: Odds) -> list[dict[str, Any]]:
    """Every outcome with its probability, the likeliest first."""
    plain = TypeAdapter(procedure.outcome)
    rows = []
    for outcome, p in found.outcomes.items():
        row: dict[str, Any] = {"outcome": plain.dump_python(outcome, mode="json"), "p": float(p), "exact": None}
        if found.samples:
            row["interval"] = list(found.interval(p))
        else:
            row["exact"] = f"{p.numerator}/{p.denominator}"
        rows.append(row)
    return sorted(rows, key=lambda row: (-row["p"], canonical_json(row["outcome"])))


def means(procedure: Procedure, found: Odds) -> dict[str, float]:
    """The mean of every field of the outcome that is a number in all outcomes."""
    return {
        name: float(found.mean(lambda outcome, name=name: Fraction(getattr(outcome, name))))  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        for name in _names(procedure)
        if all(_is_number(getattr(outcome, name)) for outcome in found.outcomes)
    }


def _names(procedure: Procedure) -> list[str]:
    return [field.name for field in fields(procedure.outcome)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def odds_table(procedure: Procedure, found: Odds) -> RenderableType:
    """All outcomes when they are few; otherwise one table for each field of the outcome."""
    names = _names(procedure)
    if len(names) == 1 or len(found.outcomes) <= _ROWS // 2:
        rows = sorted(found.outcomes.items(), key=lambda item: tuple(map(_order, _values(item[0], names))))
        return _bars(names, [(tuple(map(_shown, _values(outcome, names))), p) for outcome, p in _few(rows, names)], found)
    tables: list[RenderableType] = []
    for name in names:
        spread = _spread(found, name)
        tables += [Text(""), _bars([name], [((label,), p) for label, p in spread], found)]
    return Group(*tables[1:])


def _few(rows: list[tuple[Any, Fraction]], names: Sequence[str]) -> list[tuple[Any, Fraction]]:
    return rows if len(rows) <= _ROWS or len(names) > 1 else rows


def _values(outcome: Any, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(getattr(outcome, name) for name in names)
