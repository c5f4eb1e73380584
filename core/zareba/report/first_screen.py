"""The first screen of the report, which answers which ruleset to use: rows of plain words with small bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.analysis.findings.findings import in_figures
from zareba.base.grammar import amount, join_with_or


@dataclass(frozen=True, slots=True)
class ScreenMeasure:
    """One answer in words, its number with the interval, and their positions on a bar of 100. `bar` is False without a
    number.
    """

    title: str
    words: str
    figures: str
    sure: bool
    bar: bool
    at: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """The share of games that a side wins, or of draws, as a part of a bar of 100. `colour` numbers the sides."""

    name: str
    share: str
    width: float
    colour: str


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """The row of a ruleset. `brief` holds the win shares as on the bar, without names.

    `start` and `width` are the interval of the first side's share on the bar. `listed` describes the advantage from the order of the sides, "" if none is shown.
    """

    title: str
    balance: str
    listed: str
    sure: bool
    parts: tuple[ScreenPart, ...]
    wins: str
    brief: str
    start: float
    width: float
    gauges: tuple[ScreenMeasure, ...]
    turns: str
    left_out: str


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """The content of the first screen."""

    warning: str
    sure: str
    lines: tuple[ScreenLine, ...]
    picks: tuple[tuple[str, str], ...]


def first_screen(advice: Mapping[str, Any]) -> FirstScreen:
    """Return the first screen for the advice of `zareba.analysis.findings.advice`."""
    rows: Sequence[Mapping[str, Any]] = advice["rows"]
    tops = [
        max((gauge["high"] or 0.0 for gauge in column), default=0.0)
        for column in zip(*(r["gauges"] for r in rows), strict=True)
    ]
    return FirstScreen(
        warning=advice["nothing_to_compare"],
        sure=advice["sure"],
        lines=tuple(_line(row, tops) for row in rows),
        picks=tuple((pick["wish"], _pick(pick, rows)) for pick in advice["picks"]),
    )


_ASPECTS = {
    "Shortest": "length",
    "Bloodiest": "blood",
    "Most lead changes": "fortune",
    "Most decisions": "choice",
    "Least bookkeeping": "paper",
}
"""The measure whose number stands next to the answer to a wish."""
_MOST_NUMBERS = 2
"""The most rulesets named with their numbers. All numbers are in the rows below."""


def _pick(pick: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the answer to a wish in words with its number: per battle, and per hour of table time if that is counted
    too.
    """
    titles, hourly = pick["titles"], pick["an_hour"]
    found = _one_of(titles, rows, lambda row: _number(row, pick["wish"]))
    if hourly and set(hourly) == set(titles):
        found = f"{found}, per battle and per hour"
    elif hourly:
        best = _one_of(hourly, rows, lambda row: f"{_measure(row, pick['wish'])['hourly']:.0f}")
        found = f"per battle {found}; per hour of table time {best}"
    return found + "".join(f" ({remark})" for remark in (pick["note"], pick["doubt"]) if remark)


def _one_of(
    titles: Sequence[str], rows: Sequence[Mapping[str, Any]], number: Callable[[Mapping[str, Any]], str]
) -> str:
    if not titles:
        return "none; each favours one side"
    if len(titles) == len(rows):
        return "no clear difference"
    if len(titles) <= _MOST_NUMBERS:
        by_title = {row["title"]: row for row in rows}
        titles = [f"{title}, {number(by_title[title])}" for title in titles]
    return join_with_or(titles) + (" (too close to call)" if len(titles) > 1 else "")


def _number(row: Mapping[str, Any], wish: str) -> str:
    """Return the number of a row that answers a wish, with its interval."""
    if wish not in _ASPECTS:
        return _shares(row["wins"])
    one = _measure(row, wish)
    value, low, high = (_brief(one[name], one["unit"]) for name in ("value", "low", "high"))
    before, after = {"index": ("table time ", ""), "share": ("", " of strength lost")}.get(one["unit"], ("", ""))
    return f"{before}{value} ({low} to {high}){after}"


def _measure(row: Mapping[str, Any], wish: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(one for one in row["gauges"] if one["aspect"] == _ASPECTS[wish])
    return found


def _line(row: Mapping[str, Any], tops: Sequence[float]) -> ScreenLine:
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
        gauges=tuple(_gauge(gauge, top) for gauge, top in zip(row["gauges"], tops, strict=True)),
        turns="{} turns".format(in_figures(turns["value"], "turns")),
        left_out=amount(left_out, "thing") if left_out else "nothing",
    )


def _shares(wins: Sequence[Mapping[str, Any]]) -> str:
    """Return the win shares of all sides, with the interval of the first."""
    first, *others = [win for win in wins if win["side"] != "drawn"]
    told = f"{100 * first['value']:.0f} ({100 * first['low']:.0f} to {100 * first['high']:.0f})"
    return " : ".join([told, *(f"{100 * win['value']:.0f}" for win in others)]) + " % won"


def _brief(value: float, unit: str) -> str:
    """Return a value with just enough digits to compare rulesets. The tables further down have all digits."""
    if unit == "share":
        return f"{value:.0%}".replace("%", "\u00a0%")
    if unit == "changes":
        return (
            f"{value:.2f}" if 0 < value < 0.1 else f"{value:.1f}"
        )  # small values, such as the upper limit if none was seen
    return f"{value:.0f}"


def _gauge(gauge: Mapping[str, Any], top: float) -> ScreenMeasure:
    value, low, high, unit = (gauge[name] for name in ("value", "low", "high", "unit"))
    if value is None:
        return ScreenMeasure(gauge["title"], gauge["words"], "", sure=False, bar=False, at=0.0, start=0.0, width=0.0)
    scale = 100 / (1.0 if unit == "share" else top or 1.0)
    tell = {
        "index": "table time {}",
        "choices": "{} per battle",
        "per battle": "{} per battle",
    }
    number = tell.get(unit, "{}").format(_brief(value, unit))
    figures = f"{number} ({_brief(low, unit)} to {_brief(high, unit)})"
    if gauge["hourly"] is not None:
        figures += f", {gauge['hourly']:.0f} per hour"
    start = min(100.0, low * scale)
    return ScreenMeasure(
        gauge["title"], gauge["words"], figures, gauge["sure"], bar=True,
        at=round(min(100.0, value * scale), 2), start=round(start, 2), width=round(max(0.8, min(100.0, high * scale) - start), 2),
    )  # fmt: skip
