"""The first screen of the report: which system shall we use? Rows of plain words with small pictures, ready to be laid out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.analysis.answers.verdicts import in_figures
from zareba.base.amounts import amount

__all__ = ["FirstScreen", "Gauge", "Line", "Part", "first_screen"]


@dataclass(frozen=True, slots=True)
class Gauge:
    """One answer in words, its number with the interval, and where these lie on a bar of 100; `bar` False: no number."""

    title: str
    words: str
    figures: str
    sure: bool
    bar: bool
    at: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Part:
    """The share of games that a side wins, or that are drawn, as a part of a bar of 100; `colour` numbers the sides."""

    name: str
    share: str
    width: float
    colour: str


@dataclass(frozen=True, slots=True)
class Line:
    """A system. `brief`: the shares of wins as the bar has them, without names.

    `listed`: what the order in which the sides are listed is worth, "" where that is not shown.
    """

    title: str
    balance: str
    listed: str
    sure: bool
    parts: tuple[Part, ...]
    wins: str
    brief: str
    gauges: tuple[Gauge, ...]
    turns: str
    left_out: str


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """The first screen."""

    warning: str
    sure: str
    lines: tuple[Line, ...]
    picks: tuple[tuple[str, str], ...]


def first_screen(advice: Mapping[str, Any]) -> FirstScreen:
    """The first screen for what `zareba.analysis.answers.advice` has found."""
    rows: Sequence[Mapping[str, Any]] = advice["rows"]
    tops = [
        max((gauge["high"] or 0.0 for gauge in column), default=0.0)
        for column in zip(*(r["gauges"] for r in rows), strict=True)
    ]
    return FirstScreen(
        warning=advice["nothing_to_compare"],
        sure=advice["sure"],
        lines=tuple(_line(row, tops) for row in rows),
        picks=tuple((pick["wish"], _pick(pick, len(rows))) for pick in advice["picks"]),
    )


def _pick(pick: Mapping[str, Any], all_of_them: int) -> str:
    """Whom to take for a wish, in words: for a battle, and for an hour where that is counted too."""
    titles, hourly = pick["titles"], pick["an_hour"]
    found = _one_of(titles, all_of_them)
    if hourly and set(hourly) == set(titles):
        found = f"{found}, in a battle as in an hour"
    elif hourly:
        found = f"in a battle {found}; in an hour of table time {_one_of(hourly, all_of_them)}"
    return found + "".join(f" ({remark})" for remark in (pick["note"], pick["doubt"]) if remark)


def _one_of(titles: Sequence[str], all_of_them: int) -> str:
    if not titles:
        return "none of them; each is shown to favour a side"
    if len(titles) == all_of_them:
        return "any of them; the games do not tell them apart"
    first, *others = titles
    return first if not others else f"{first}, or {' or '.join(others)}: too near to tell"


def _line(row: Mapping[str, Any], tops: Sequence[float]) -> Line:
    turns, left_out = row["turns"], row["left_out"]
    shares = [f"{win['name']} {_brief(win['value'], 'share')}" for win in row["wins"] if win["value"]]
    return Line(
        title=row["title"],
        balance=row["balance"]["words"],
        listed=row["balance"]["listed"],
        sure=row["balance"]["sure"],
        parts=tuple(
            Part(
                win["name"],
                in_figures(win["value"], "share"),
                100 * win["value"],
                "drawn" if win["side"] == "drawn" else f"s{number}",
            )
            for number, win in enumerate(row["wins"])
        ),
        wins=", ".join(shares),
        brief=" : ".join(f"{100 * win['value']:.0f}" for win in row["wins"] if win["side"] != "drawn") + " won",
        gauges=tuple(_gauge(gauge, top) for gauge, top in zip(row["gauges"], tops, strict=True)),
        turns="{} turns".format(in_figures(turns["value"], "turns")),
        left_out=amount(left_out, "thing") if left_out else "nothing",
    )


def _brief(value: float, unit: str) -> str:
    """As few digits as tell systems apart; the tables below have all of them."""
    if unit == "share":
        return f"{value:.0%}".replace("%", "\u00a0%")
    if unit == "changes":
        return f"{value:.2f}" if 0 < value < 0.1 else f"{value:.1f}"  # where none was seen, how many there may be still
    return f"{value:.0f}"


def _gauge(gauge: Mapping[str, Any], top: float) -> Gauge:
    value, low, high, unit = (gauge[name] for name in ("value", "low", "high", "unit"))
    if value is None:
        return Gauge(gauge["title"], gauge["words"], "", sure=False, bar=False, at=0.0, start=0.0, width=0.0)
    scale = 100 / (1.0 if unit == "share" else top or 1.0)
    tell = {
        "index": "table time {}",
        "changes": "{} changes of lead",
        "choices": "{} a battle",
        "a battle": "{} a battle",
    }
    number = tell.get(unit, "{}").format(_brief(value, unit))
    figures = f"{number} ({_brief(low, unit)} to {_brief(high, unit)})"
    if gauge["hourly"] is not None:
        figures += f", {gauge['hourly']:.0f} an hour"
    start = min(100.0, low * scale)
    return Gauge(
        gauge["title"], gauge["words"], figures, gauge["sure"], bar=True,
        at=round(min(100.0, value * scale), 2), start=round(start, 2), width=round(max(0.8, min(100.0, high * scale) - start), 2),
    )  # fmt: skip
