"""The first screen of the report, which answers which ruleset to use: rows of plain words with small bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.analysis.findings.findings import in_figures
from zareba.base.grammar import amount, in_a_sentence, join_with_and, join_with_or, percent


@dataclass(frozen=True, slots=True)
class ScreenMeasure:
    """One measure of a ruleset: an answer in words, and its number as text and as a bar from 0 to 100."""

    title: str
    words: str
    """The answer in words, such as "short"."""
    figures: str
    """The number with its interval; "" if there is none."""
    sure: bool
    bar: bool
    """False if there is no number to draw."""
    at: float
    """The position of the number on the bar."""
    start: float
    """The position of the lower end of the interval on the bar."""
    width: float
    """The width of the interval on the bar."""


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """The share of games that a side wins, or of draws, as a part of the bar of a ruleset."""

    name: str
    share: str
    width: float
    """The width on a bar of 100."""
    colour: str
    """The CSS class of the colour: "s0" for the first side, "s1" for the second, "drawn" for draws."""


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """The row of a ruleset."""

    title: str
    balance: str
    """The winner, in words."""
    listed: str
    """The advantage of the side listed first, in words; "" if no advantage is shown."""
    sure: bool
    parts: tuple[ScreenPart, ...]
    """The parts of the bar of wins, from left to right."""
    wins: str
    """The name and win share of each side, and the share of draws."""
    brief: str
    """The win shares without names, in the order of the bar."""
    start: float
    """The position of the lower end of the interval of the first side's win share, on a bar of 100."""
    width: float
    """The width of that interval."""
    measures: tuple[ScreenMeasure, ...]
    turns: str
    left_out: str
    """The number of things that the ruleset leaves out, such as "3 things"."""


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """The content of the first screen."""

    warning: str
    """The reason why the comparison cannot answer the question; "" if it can."""
    sure: str
    """The certainty of the answers."""
    lines: tuple[ScreenLine, ...]
    picks: tuple[tuple[str, str], ...]
    """Each wish, such as "Shortest", with the rulesets that fulfil it."""


def heading(variants: Sequence[Mapping[str, Any]]) -> str:
    """Return the question that the first screen answers."""
    return f"Which {'ruleset' if len({variant['ruleset'] for variant in variants}) > 1 else 'rules'} shall we use?"


def first_screen(advice: Mapping[str, Any]) -> FirstScreen:
    """Return the first screen for the advice of `zareba.analysis.findings.advice`."""
    rows: Sequence[Mapping[str, Any]] = advice["rows"]
    highest = [
        max((measure["high"] or 0.0 for measure in column), default=0.0)
        for column in zip(*(row["measures"] for row in rows), strict=True)
    ]
    return FirstScreen(
        warning=advice["nothing_to_compare"],
        sure=advice["sure"],
        lines=tuple(_line(row, highest) for row in rows),
        picks=tuple(_answered_wishes([(pick["wish"], _pick(pick, rows)) for pick in advice["picks"]])),
    )


def _answered_wishes(picks: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the wishes with their answers; all wishes without a clear difference share one answer, the last."""
    alike = [wish for wish, answer in picks if answer == _NO_DIFFERENCE]
    together = ", ".join([alike[0], *[wish[0].lower() + wish[1:] for wish in alike[1:]]]) if alike else ""
    found = [(wish, answer) for wish, answer in picks if answer != _NO_DIFFERENCE]
    return [*found, (together, _NO_DIFFERENCE)] if alike else found


_NO_DIFFERENCE = "no statistically clear difference"
_ASPECT_OF_WISH = {
    "Shortest": "length",
    "Bloodiest": "blood",
    "Most lead changes": "fortune",
    "Most decisions": "choice",
    "Least bookkeeping": "paper",
}
"""The measure whose number is shown with the answer to a wish. All other wishes show the win shares."""
_MOST_NUMBERS = 2
"""If more rulesets than this fulfil a wish, their numbers are left out. All numbers are in the rows below."""


def _pick(pick: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return which rulesets fulfil a wish, with their numbers: per battle, and per hour of table time if the advice has
    that too.
    """
    titles, hourly_titles = pick["titles"], pick["an_hour"]
    answer = _join_titles(titles, rows, lambda row: _number(row, pick["wish"]))
    if hourly_titles and set(hourly_titles) == set(titles):
        answer = f"{answer}, per battle and per hour"
    elif hourly_titles:
        hourly = _join_titles(hourly_titles, rows, lambda row: f"{_measure(row, pick['wish'])['hourly']:.0f}")
        answer = f"{answer} per battle; {hourly} per hour of table time"
    return "; ".join(filter(None, [answer, pick["note"], pick["doubt"]]))


def _join_titles(
    titles: Sequence[str], rows: Sequence[Mapping[str, Any]], number: Callable[[Mapping[str, Any]], str]
) -> str:
    """Return the titles of rulesets joined with "or", each with its `number` if they are few."""
    if not titles:
        return "none; each favours one side"
    if len(titles) == len(rows):
        return _NO_DIFFERENCE
    if len(titles) <= _MOST_NUMBERS:
        by_title = {row["title"]: row for row in rows}
        titles = [f"{title}, {number(by_title[title])}" for title in titles]
    return join_with_or(titles) + (" (too close to call)" if len(titles) > 1 else "")


def _number(row: Mapping[str, Any], wish: str) -> str:
    """Return the number of a row that answers a wish, with its interval."""
    if wish not in _ASPECT_OF_WISH:
        return _named_shares(row["wins"])
    measure = _measure(row, wish)
    value, low, high = (_brief(measure[key], measure["unit"]) for key in ("value", "low", "high"))
    before, after = {"index": ("table-time index ", ""), "share": ("", " of strength lost")}.get(
        measure["unit"], ("", "")
    )
    return f"{before}{value} ({low} to {high}){after}"


def _measure(row: Mapping[str, Any], wish: str) -> Mapping[str, Any]:
    """Return the measure of a row that answers a wish."""
    measure: Mapping[str, Any] = next(
        measure for measure in row["measures"] if measure["aspect"] == _ASPECT_OF_WISH[wish]
    )
    return measure


def _line(row: Mapping[str, Any], highest: Sequence[float]) -> ScreenLine:
    """Return the row of a ruleset. `highest` holds the upper end of the scale of each measure."""
    turns, left_out = row["turns"], row["left_out"]
    first = row["wins"][0]
    shares = [f"{win['name']} {_brief(win['value'], 'share')}" for win in row["wins"] if win["value"]]
    return ScreenLine(
        title=row["title"],
        balance=row["balance"]["words"],
        listed=row["balance"]["listed"],
        sure=row["balance"]["sure"],
        parts=tuple(
            ScreenPart(
                win["name"],
                in_figures(win["value"], "share"),
                100 * win["value"],
                "drawn" if win["side"] == "drawn" else f"s{number}",
            )
            for number, win in enumerate(row["wins"])
        ),
        wins=", ".join(shares),
        brief=_shares(row["wins"]),
        start=round(100 * first["low"], 2),
        width=round(100 * (first["high"] - first["low"]), 2),
        measures=tuple(_screen_measure(measure, high) for measure, high in zip(row["measures"], highest, strict=True)),
        turns="{} turns".format(in_figures(turns["value"], "turns")),
        left_out=amount(left_out, "thing") if left_out else "nothing",
    )


def _named_shares(wins: Sequence[Mapping[str, Any]]) -> str:
    """Return which share each side won, in words: "the patrol won 25 % (9 % to 53 %) and the band 17 %"."""
    first, *others = [win for win in wins if win["side"] != "drawn"]
    value, low, high = (_brief(first[key], "share") for key in ("value", "low", "high"))
    shares = [f"{in_a_sentence(first['name'])} won {value} ({low} to {high})"]
    shares += [f"{in_a_sentence(win['name'])} {_brief(win['value'], 'share')}" for win in others]
    return join_with_and(shares)


def _shares(wins: Sequence[Mapping[str, Any]]) -> str:
    """Return the win shares of all sides without their names, as in the key of the bars, with the interval of the
    first.
    """
    first, *others = [win for win in wins if win["side"] != "drawn"]
    with_interval = f"{100 * first['value']:.0f} ({100 * first['low']:.0f} to {100 * first['high']:.0f})"
    return " : ".join([with_interval, *(f"{100 * win['value']:.0f}" for win in others)]) + "\N{NO-BREAK SPACE}% won"


def _brief(value: float, unit: str) -> str:
    """Return a value with just enough digits to compare rulesets. The tables further down have all digits."""
    if unit == "share":
        return percent(value)
    if unit == "changes":
        # The upper limit for games without any change of lead is small.
        return f"{value:.2f}" if 0 < value < 0.1 else f"{value:.1f}"
    return f"{value:.0f}"


def _screen_measure(measure: Mapping[str, Any], highest: float) -> ScreenMeasure:
    """Return a measure with its position on a bar that ends at `highest`; a share ends at 1."""
    value, low, high, unit = (measure[name] for name in ("value", "low", "high", "unit"))
    if value is None:
        return ScreenMeasure(
            measure["title"], measure["words"], "", sure=False, bar=False, at=0.0, start=0.0, width=0.0
        )
    scale = 100 / (1.0 if unit == "share" else highest or 1.0)
    phrases = {
        "index": "table-time index {}",
        "choices": "{} per battle",
        "per battle": "{} per battle",
    }
    number = phrases.get(unit, "{}").format(_brief(value, unit))
    figures = f"{number} ({_brief(low, unit)} to {_brief(high, unit)})"
    if measure["hourly"] is not None:
        figures += f", {measure['hourly']:.0f} per hour"
    start = min(100.0, low * scale)
    return ScreenMeasure(
        measure["title"],
        measure["words"],
        figures,
        measure["sure"],
        bar=True,
        at=round(min(100.0, value * scale), 2),
        start=round(start, 2),
        width=round(max(0.8, min(100.0, high * scale) - start), 2),  # a narrower band would not be visible
    )
