"""Odds as data, as tables with bars, and as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from rich.console import Group, RenderableType
from rich.text import Text

from zareba.base.errors import ZarebaError
from zareba.base.state import canonical_json
from zareba.cli.output import plain_table
from zareba.cli.sanitize import sanitize
from zareba.game import Game
from zareba.odds import ChoiceOdds, Distribution, Odds, Procedure
from zareba.odds.phrases import by_unit
from zareba.rules.settings import text

_FEW = 12
_FEW_PLAYED, _MANY_PLAYS = 4, 100
"""Fewer rows are shown if the odds come from fewer plays than this, because most of them were seen once."""
_ROWS = 20
_BAR = 30
_BAR_BESIDE_INTERVAL = 10
"""Length of the longest bar next to an interval. It is shorter than `_BAR` so that everything fits into 80 columns."""


def odds_data(procedure: Procedure, found: Odds) -> list[dict[str, Any]]:
    """Return every outcome with its probability, the likeliest first."""
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
    """Return the mean of every field of the outcome that is a number in all outcomes."""
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
    """Return all outcomes with bars if they are few, otherwise one table per field of the outcome."""
    names = _names(procedure)
    if len(found.outcomes) <= _FEW:
        ordered = sorted(found.outcomes.items(), key=lambda item: [_order(getattr(item[0], name)) for name in names])
        rows = [([_shown(getattr(outcome, name)) for name in names], p) for outcome, p in ordered]
        return _bars(names, rows, found)
    tables: list[RenderableType] = []
    for name in names:
        tables += [_bars([name], [([label], p) for label, p in _grouped(_spread(found, name))], found), Text("")]
    return Group(*tables[:-1])


def changes_table(game: Game[Any], found: ChoiceOdds) -> RenderableType:
    """Return the possible changes of the units, the likeliest first. The rest of many outcomes share one row."""
    rows = sorted(found.outcomes.items(), key=lambda item: (-item[1], str(item[0])))
    most = _FEW if not found.samples or found.samples >= _MANY_PLAYS else _FEW_PLAYED
    shown = [
        (by_unit(game, [(change.unit, game.narrator.describe_change(change)) for change in changes]), p)
        for changes, p in rows[:most]
    ]
    if len(rows) > most:
        left = len(rows) - most
        name = "another outcome" if left == 1 else f"one of {left} other outcomes"
        shown.append((name, sum((p for _, p in rows[most:]), Fraction(0))))
    return _bars(["outcome"], [([sanitize(words or "no change")], p) for words, p in shown], found)


def _spread(found: Odds, name: str) -> list[tuple[Any, Fraction]]:
    """Return the distribution of one field, in the natural order of its values."""
    total: dict[Any, Fraction] = {}
    for outcome, p in found.outcomes.items():
        value = getattr(outcome, name)
        total[value] = total.get(value, Fraction(0)) + p
    return sorted(total.items(), key=lambda item: _order(item[0]))


def _order(value: Any) -> tuple[int, Any]:
    return (0, value) if _is_number(value) else (1, str(value))


def _grouped(spread: Sequence[tuple[Any, Fraction]]) -> list[tuple[str, Fraction]]:
    """Return at most `_ROWS` rows. Larger sets of numbers are grouped into ranges of equal width."""
    if len(spread) <= _ROWS or not all(isinstance(value, int) for value, _ in spread):
        return [(_shown(value), p) for value, p in spread]
    low, high = spread[0][0], spread[-1][0]
    width = -(-(high - low + 1) // _ROWS)
    total: dict[int, Fraction] = {}
    for value, p in spread:
        start = low + (value - low) // width * width
        total[start] = total.get(start, Fraction(0)) + p
    return [(f"{start} to {min(start + width - 1, high)}", p) for start, p in total.items()]


def _bars(heads: Sequence[str], rows: Sequence[tuple[list[str], Fraction]], found: Distribution) -> RenderableType:
    most = max(p for _, p in rows)
    longest = _BAR_BESIDE_INTERVAL if found.samples else _BAR
    shown = []
    for labels, p in rows:
        low, high = found.interval(p)
        interval = [f"{low:.1%} to {high:.1%}"] if high > low else []
        shown.append([*labels, f"{float(p):.2%}", *interval, "█" * round(longest * p / most) or "▏"])
    columns = [head.replace("_", " ") for head in heads]
    return plain_table(
        [*columns, "chance", *(["95 %"] if shown and len(shown[0]) > len(heads) + 2 else []), ""],
        shown,
        right=("chance",),
    )


def _shown(value: Any) -> str:
    return text(value) if isinstance(value, (bool, str)) else f"{float(value):g}" if _is_number(value) else str(value)


def check_plot(path: Path) -> None:
    """Raise ZarebaError if the file is neither SVG nor PNG, or if its folder is missing."""
    if path.suffix not in (".svg", ".png"):
        raise ZarebaError(f"a plot must be an .svg or .png file, not '{path.name}'")
    if not path.parent.is_dir():
        raise ZarebaError(f"there is no folder {path.parent} for the plot; create it or choose another --plot")


def save_plot(path: Path, title: str, procedure: Procedure, found: Odds) -> None:
    """Draw bars for every field of the outcome, as SVG or PNG. Raises ZarebaError without matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise ZarebaError("plots need matplotlib: pip install 'zareba[report]'") from None
    names = _names(procedure)
    # A fixed salt and no date make the file reproducible.
    with rc_context({"svg.hashsalt": "zareba"}):
        figure = Figure(figsize=(6.4, 1.2 + 2.2 * len(names)), layout="constrained")
        figure.suptitle(_mathless(title))
        for axes, name in zip(figure.subplots(len(names), squeeze=False)[:, 0], names, strict=True):
            spread = _spread(found, name)
            numbers = all(_is_number(value) for value, _ in spread)
            where = [float(value) if numbers else _mathless(_shown(value)) for value, _ in spread]
            axes.bar(where, [float(p) for _, p in spread], color="#7a4a1e")
            axes.set_xlabel(name.replace("_", " "))
            axes.set_ylabel("chance")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _mathless(words: str) -> str:
    """Return text that matplotlib does not parse as a formula."""
    return sanitize(words).replace("$", r"\$")
