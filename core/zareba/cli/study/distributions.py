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
from zareba.base.grammar import begin_sentence, chance_in_percent, percent
from zareba.base.state import canonical_json
from zareba.battle.sentence_templates import Words
from zareba.cli.output import plain_table
from zareba.cli.sanitize import sanitize
from zareba.game import Game
from zareba.odds import ChoiceOdds, Distribution, Odds, Procedure
from zareba.odds.phrases import by_unit, likely_range, without_lost_units

_MOST_OUTCOMES = 12
"""The largest number of outcomes that get a row each."""
_FEW_PLAYS = 100
_MOST_OUTCOMES_OF_FEW_PLAYS = 4
"""The same if the odds come from fewer than `_FEW_PLAYS` plays, because most of these outcomes occurred only once."""
_MOST_VALUES = 20
"""If a field of the outcome has more values than this, they are grouped into ranges."""
_BAR = 30
"""Length of the longest bar, in characters."""
_SHORT_BAR = 10
"""The same next to a column of intervals, or to long labels. Everything then fits into 80 columns."""
_LONG_LABELS = 36
"""Columns of labels that are wider than this leave room for a short bar only."""


def odds_data(procedure: Procedure, odds: Odds) -> list[dict[str, Any]]:
    """Return every outcome with its probability, the likeliest first."""
    outcome_type = TypeAdapter(procedure.outcome)
    rows = []
    for outcome, p in odds.outcomes.items():
        row: dict[str, Any] = {"outcome": outcome_type.dump_python(outcome, mode="json"), "p": float(p), "exact": None}
        if odds.samples:
            row["interval"] = list(odds.interval(p))
        else:
            row["exact"] = f"{p.numerator}/{p.denominator}"
        rows.append(row)
    return sorted(rows, key=lambda row: (-row["p"], canonical_json(row["outcome"])))


def means(procedure: Procedure, odds: Odds) -> dict[str, float]:
    """Return the mean of every field of the outcome that is a number in all outcomes."""
    return {
        name: float(odds.mean(lambda outcome, name=name: Fraction(getattr(outcome, name))))  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        for name in _field_names(procedure)
        if all(_is_number(getattr(outcome, name)) for outcome in odds.outcomes)
    }


def _field_names(procedure: Procedure) -> list[str]:
    return [field.name for field in fields(procedure.outcome)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def likely_result(procedure: Procedure, odds: Odds, words: Words) -> str:
    """Return the likely result in one line: the likely range and mean of each number, and the likeliest of other
    values.

    `words` has the titles of the results.
    """
    parts = []
    for name in _field_names(procedure):
        rows, title = _field_distribution(odds, name), words.title_of_result(procedure.name, name)
        if len(rows) == 1 or not all(_is_number(value) for value, _ in rows):
            value, p = max(rows, key=lambda row: row[1])
            if p == 1 and value == 0 and not isinstance(value, bool):
                continue  # a number that is always 0 says nothing
            parts.append(f"{title}: {_value_text(value)}" + (f" ({chance_in_percent(p)})" if p < 1 else ""))
            continue
        low, high = likely_range(rows)
        mean = sum(float(p) * float(value) for value, p in rows)
        parts.append(f"{title}: {f'{low:g}' if low == high else f'{low:g} to {high:g}'} ({mean:.1f} on average)")
    return f"Likely result. {begin_sentence('; '.join(parts or ['nothing']))}."


def odds_table(procedure: Procedure, odds: Odds, words: Words) -> RenderableType:
    """Return all outcomes with bars if they are few, otherwise one table per field of the outcome.

    `words` has the titles of the fields.
    """
    names = _field_names(procedure)
    titles = [words.title_of_result(procedure.name, name) for name in names]
    if len(odds.outcomes) <= _MOST_OUTCOMES:
        ordered = sorted(odds.outcomes.items(), key=lambda item: [_sort_key(getattr(item[0], name)) for name in names])
        rows = [([_value_text(getattr(outcome, name)) for name in names], p) for outcome, p in ordered]
        return _bars(titles, rows, odds)
    tables: list[RenderableType] = []
    for name, title in zip(names, titles, strict=True):
        tables += [
            _bars([title], [([label], p) for label, p in _rows(_field_distribution(odds, name))], odds),
            Text(""),
        ]
    return Group(*tables[:-1])


def changes_table(game: Game[Any], odds: ChoiceOdds) -> RenderableType:
    """Return the possible changes of the units, the likeliest first. The rest of many outcomes share one row."""
    rows = sorted(odds.outcomes.items(), key=lambda item: (-item[1], str(item[0])))
    describe = game.narrator.describe_change
    few_plays = 0 < odds.samples < _FEW_PLAYS
    most = _MOST_OUTCOMES_OF_FEW_PLAYS if few_plays else _MOST_OUTCOMES
    shown = [
        (by_unit(game, [(change.unit, describe(change)) for change in without_lost_units(game, changes)]), p)
        for changes, p in rows[:most]
    ]
    if len(rows) > most:
        other = len(rows) - most
        name = "another outcome" if other == 1 else f"any of {other} other outcomes"
        shown.append((name, sum((p for _, p in rows[most:]), Fraction(0))))
    longest_bar = _SHORT_BAR if odds.samples else _BAR // 2
    cells, has_intervals = _chances([p for _, p in shown], odds, longest_bar)
    heads = ["chance", *(["95 %"] if has_intervals else []), "", "outcome"]
    # The outcome stands last, because only the other columns are always short.
    return plain_table(
        heads, [[*cell, sanitize(words or "no change")] for cell, (words, _) in zip(cells, shown, strict=True)]
    )


def _field_distribution(odds: Odds, name: str) -> list[tuple[Any, Fraction]]:
    """Return the distribution of one field, in the natural order of its values."""
    total: dict[Any, Fraction] = {}
    for outcome, p in odds.outcomes.items():
        value = getattr(outcome, name)
        total[value] = total.get(value, Fraction(0)) + p
    return sorted(total.items(), key=lambda item: _sort_key(item[0]))


def _sort_key(value: Any) -> tuple[int, Any]:
    return (0, value) if _is_number(value) else (1, str(value))


def _rows(distribution: Sequence[tuple[Any, Fraction]]) -> list[tuple[str, Fraction]]:
    """Return a row for each value. More whole numbers than `_MOST_VALUES` are grouped into ranges of equal width."""
    if len(distribution) <= _MOST_VALUES or not all(isinstance(value, int) for value, _ in distribution):
        return [(_value_text(value), p) for value, p in distribution]
    low, high = distribution[0][0], distribution[-1][0]
    width = -(-(high - low + 1) // _MOST_VALUES)  # rounded up
    total: dict[int, Fraction] = {}
    for value, p in distribution:
        start = low + (value - low) // width * width
        total[start] = total.get(start, Fraction(0)) + p
    return [(f"{start} to {min(start + width - 1, high)}", p) for start, p in total.items()]


def _bars(heads: Sequence[str], rows: Sequence[tuple[list[str], Fraction]], odds: Distribution) -> RenderableType:
    """Return a table of rows, each with its labels and its chance, and with a bar. Sampled odds also have intervals."""
    columns = zip(heads, *(labels for labels, _ in rows), strict=True)
    has_long_labels = sum(max(map(len, column)) + 2 for column in columns) > _LONG_LABELS
    longest_bar = _SHORT_BAR if odds.samples or has_long_labels else _BAR
    chances, has_intervals = _chances([p for _, p in rows], odds, longest_bar)
    cells = [[*labels, *chance] for (labels, _), chance in zip(rows, chances, strict=True)]
    return plain_table([*heads, "chance", *(["95 %"] if has_intervals else []), ""], cells, right=("chance",))


def _chances(chances: Sequence[Fraction], odds: Distribution, longest_bar: int) -> tuple[list[list[str]], bool]:
    """Return the cells of each chance: in percent, its interval if it is sampled, and a bar; and if there are
    intervals.
    """
    intervals = [odds.interval(p) for p in chances]
    has_intervals = any(high > low for low, high in intervals)
    likeliest = max(chances)
    cells = []
    for p, (low, high) in zip(chances, intervals, strict=True):
        interval = [f"{percent(low, 1)} to {percent(high, 1)}"] if has_intervals else []
        cells.append([chance_in_percent(p, 1), *interval, "█" * round(longest_bar * p / likeliest) or "▏"])
    return cells, has_intervals


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return ("no", "yes")[value]
    if value is None or value == "":
        return "none"
    return f"{float(value):g}" if _is_number(value) else str(value).replace("_", " ")


def check_plot(path: Path) -> None:
    """Raise ZarebaError if the file is neither SVG nor PNG, or if its folder is missing."""
    if path.suffix not in (".svg", ".png"):
        raise ZarebaError(f"a plot must be an .svg or .png file, not '{path.name}'")
    if not path.parent.is_dir():
        raise ZarebaError(f"there is no folder {path.parent} for the plot; create it or choose another --plot")


def save_plot(path: Path, title: str, procedure: Procedure, odds: Odds, words: Words) -> None:
    """Draw bars for every field of the outcome, as SVG or PNG. `words` has the titles of the fields.

    Raises ZarebaError without matplotlib.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise ZarebaError("plots need matplotlib: pip install 'zareba[report]'") from None
    names = _field_names(procedure)
    # A fixed salt and no date make the file reproducible.
    with rc_context({"svg.hashsalt": "zareba"}):
        figure = Figure(figsize=(6.4, 1.2 + 2.2 * len(names)), layout="constrained")
        figure.suptitle(_without_math(title))
        for axes, name in zip(figure.subplots(len(names), squeeze=False)[:, 0], names, strict=True):
            distribution = _field_distribution(odds, name)
            numbers = all(_is_number(value) for value, _ in distribution)
            positions = [float(value) if numbers else _without_math(_value_text(value)) for value, _ in distribution]
            axes.bar(positions, [float(p) for _, p in distribution], color="#7a4a1e")
            axes.set_xlabel(_without_math(words.title_of_result(procedure.name, name)))
            axes.set_ylabel("chance")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _without_math(words: str) -> str:
    """Return text that matplotlib does not parse as a formula."""
    return sanitize(words).replace("$", r"\$")
