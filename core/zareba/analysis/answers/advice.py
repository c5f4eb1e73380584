"""Which system shall we use on Friday? Each in plain words, with how sure they are, and which of them is the most of a kind.

Words are for values between limits that are declared here; where the interval of a value reaches over a limit, both words
are said.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zareba.analysis.games.samples import AN_HOUR
from zareba.analysis.statistics.estimates import Estimate
from zareba.base.amounts import amount, in_a_sentence

__all__ = [
    "ASPECTS",
    "ONE_SIDED",
    "Aspect",
    "Gauge",
    "advise",
    "how_sure",
    "in_a_sentence",
    "nothing_to_compare",
    "picks",
]

Estimates = Mapping[str, Sequence[Estimate]]
"""The estimates of a variant by metric id."""

Shown = Collection[tuple[str, str, str]]
"""Differences that the comparison shows: the metric, and the two variants in either order."""

ONE_SIDED = 0.85
"""Where one side wins so many games it hardly matters who plays."""
TOO_SMALL = 0.05
"""A share of wins that is above its fair share by less than this does not matter."""
MANY_LOOKS = 2.576 / 1.96
"""How much wider an interval of 99 % is than one of 95 %: a bias is looked for in every system."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that players ask: the metric whose first number answers it, and the words up to each limit."""

    id: str
    title: str
    metric: str
    unit: str
    words: tuple[tuple[float, str], ...]

    def words_for(self, low: float, high: float) -> list[str]:
        """The words of all values from `low` to `high`."""
        first, last = (next(i for i, (limit, _) in enumerate(self.words) if value < limit) for value in (low, high))
        return [word for _, word in self.words[first : last + 1]]


END = math.inf
ASPECTS = (
    Aspect("length", "How long", "M6", "index", ((90, "short"), (180, "middling"), (END, "long"))),
    Aspect("blood", "How bloody", "M10", "share", ((0.3, "mild"), (0.55, "bloody"), (END, "very bloody"))),
    Aspect("fortune", "How open", "M11", "changes", ((0.4, "steady"), (1.0, "turns at times"), (END, "swingy"))),
    Aspect("choice", "To decide", "M7", "choices", ((100, "little"), (300, "a good deal"), (END, "much"))),
    Aspect("paper", "To throw and look up", "M17", "a battle", ((250, "little"), (800, "a good deal"), (END, "much"))),
)  # fmt: skip
"""All of a whole battle: a turn is not the same in two systems."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """One answer: its words, its value with the interval, all None where no game tells.

    `hourly` is the value for an hour of table time, None where it is not counted so.
    """

    aspect: str
    title: str
    words: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    sure: bool
    hourly: float | None = None


def advise(
    estimates: Mapping[str, Estimates],
    titles: Mapping[str, str],
    sides: Mapping[str, str],
    left_out: Mapping[str, int],
    robust: Sequence[Mapping[str, Any]] = (),
    shown: Shown = (),
) -> dict[str, Any]:
    """What the first screen says: a row a variant, who is the most of each kind, and whether there is anything to compare."""
    rows = []
    for variant, found in estimates.items():
        wins = [(one.name.removeprefix("won by "), one) for one in found["M1"]]
        rows.append(
            {
                "variant": variant,
                "title": titles.get(variant, variant),
                "turns": found["M5"][0].to_dict(),
                "wins": [
                    {"side": side, "name": sides.get(side, side), "value": one.value, "low": one.low, "high": one.high}
                    for side, one in wins
                ],
                "balance": _balance(found, sides),
                "gauges": [asdict(_gauge(aspect, found)) for aspect in ASPECTS],
                "left_out": left_out.get(variant, 0),
            }
        )
    return {
        "nothing_to_compare": nothing_to_compare(estimates, sides),
        "rows": rows,
        "picks": picks(estimates, titles, robust, shown),
    }


def _gauge(aspect: Aspect, found: Estimates) -> Gauge:
    one = found[aspect.metric][0]
    if one.value is None or one.low is None or one.high is None:
        return Gauge(aspect.id, aspect.title, "no game tells", aspect.unit, None, None, None, sure=False)
    words = aspect.words_for(one.low, one.high)
    hourly = _an_hour(found, aspect.metric)
    return Gauge(
        aspect.id,
        aspect.title,
        _either(words, len(aspect.words)),
        aspect.unit,
        one.value,
        one.low,
        one.high,
        sure=len(words) == 1,
        hourly=hourly.value if hourly is not None else None,
    )


def _an_hour(found: Estimates, metric: str) -> Estimate | None:
    """What a metric is for an hour of table time, where it is counted so."""
    return next((one for one in found[metric] if one.name.endswith(AN_HOUR) and one.value is not None), None)


def _either(words: Sequence[str], known: int) -> str:
    """One word, or those between which the games do not tell; all `known` words together tell nothing."""
    if len(words) == known:
        return "too few games to tell"
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _balance(found: Estimates, sides: Mapping[str, str]) -> dict[str, Any]:
    """Who wins, in words: by how much the side that wins most is above its share of the wins.

    `listed` says by how much the order in which the sides are listed decides, "" where that is not shown.
    """
    best = _winner(found)
    name = in_a_sentence(sides.get(side := best.name.removeprefix("won by "), side))
    assert best.low is not None and best.value is not None and best.high is not None, "every game has an outcome"
    leans, favours = f"leans to {name}", f"favours {name}"
    leaning = Aspect("", "", "M1", "share", (
        (0.6, "balanced"), (0.75, leans), (ONE_SIDED, favours), (END, f"{name} all but certain"),
    ))  # fmt: skip
    fair = _fair(found)  # of two sides one half, as the words have it
    words = leaning.words_for(*(0.5 + (share - fair) / (1 - fair) / 2 for share in (best.low, best.high)))
    return {
        "words": _either(words, len(leaning.words)).replace(f"{leans} or {favours}", f"leans to or {favours}"),
        "sure": len(words) == 1,
        "listed": _listed(found),
    }


def _winner(found: Estimates) -> Estimate:
    """The share of wins of the side that wins most."""
    return max(found["M1"][:-1], key=lambda one: one.value or 0.0)


def _fair(found: Estimates) -> float:
    """The share of wins of each side where all win as often."""
    return 1 / (len(found["M1"]) - 1)


def _bias(found: Estimates) -> Estimate | None:
    """By how much the side that is listed first wins more often, or None where it is not shown that it does."""
    for one in found.get("M3", ())[:1]:
        if one.value is not None and one.low is not None and one.high is not None:
            reach = one.value - one.low if one.value > 0 else one.high - one.value
            if abs(one.value) > max(TOO_SMALL, reach * MANY_LOOKS):
                return one
    return None


def _listed(found: Estimates) -> str:
    """What the order in which the sides are listed is worth, in words."""
    one = _bias(found)
    if one is None or one.value is None or one.low is None or one.high is None:
        return ""
    low, high = sorted((abs(one.low), abs(one.high)))
    return (
        f"the side listed {'first' if one.value > 0 else 'last'} wins more often, by {100 * abs(one.value):.0f} points"
        f" ({100 * low:.0f} to {100 * high:.0f})"
    )


def _is_uneven(found: Estimates) -> bool:
    """Return True if the games show that one side wins more than its share, by more than does not matter.

    The side that is listed first is such a side too.
    """
    if _bias(found) is not None:
        return True
    best, fair = _winner(found), _fair(found)
    ahead = found.get("M2", ())[:1] if len(found["M1"]) == 3 else ()
    for one in ahead:  # by how much the first of two sides wins more often: draws are no wins of either
        assert one.low is not None and one.high is not None, "as every game has an outcome"
        if (one.low > 0 or one.high < 0) and max(-one.low, one.high) > 2 * TOO_SMALL:
            return True
    assert best.low is not None and best.high is not None, "every game has an outcome"
    return best.low > fair and best.high > fair + TOO_SMALL


def how_sure(
    estimates: Mapping[str, Estimates], games: Sequence[int], robust: Sequence[Mapping[str, Any]], *, looked: bool
) -> str:
    """By how many games that is told, how closely, and whether anything but the rules was seen to turn it round."""

    def within(metric: str) -> float:
        known = [found[metric][0] for found in estimates.values()]
        return max(((one.high or 0.0) - (one.low or 0.0)) / 2 for one in known)

    def points(metric: str) -> str:
        return amount(max(1, math.ceil(100 * within(metric) - 0.5)), "point")

    few, many = min(games), max(games)
    number = amount(many, "game") if few == many else f"{few} to {amount(many, 'game')}"
    told = (
        f"{number} of each, which tell shares of wins to within {points('M1')}, turns to within"
        f" {within('M5'):.1f} and losses to within {points('M10')}, 19 times in 20"
    )
    if robust:
        kept = sum(one["holds"] == "holds under all" for one in robust)
        return f"{told}. Of {amount(len(robust), 'claim')} that one system differs from another {kept} {'holds' if kept == 1 else 'hold'} under all other conditions too"
    return told if looked else f"{told}. Whether other commanders turn it round was not looked at (--robust does)"


def nothing_to_compare(estimates: Mapping[str, Estimates], sides: Mapping[str, str]) -> str:
    """A warning where one side wins nearly always under most of the systems; "" where there is a contest."""
    won: dict[str, int] = {}
    for found in estimates.values():
        for one in found["M1"][:-1]:
            if (one.value or 0.0) > ONE_SIDED:
                side = one.name.removeprefix("won by ")
                won[side] = won.get(side, 0) + 1
    if not won or sum(won.values()) * 2 <= len(estimates):
        return ""
    tells = "; ".join(
        f"more than {ONE_SIDED:.0%} of games go to {in_a_sentence(sides.get(side, side))} under {count} of {len(estimates)}"
        for side, count in won.items()
    ).replace("%", "\u00a0%")
    return (
        f"Who wins is hardly open in this battle: {tells}. Who wins, leads and turns of fortune tell little of the rules"
        " here; 'zareba balance' finds what makes it even."
    )


def picks(
    estimates: Mapping[str, Estimates],
    titles: Mapping[str, str],
    robust: Sequence[Mapping[str, Any]] = (),
    shown: Shown = (),
) -> list[dict[str, Any]]:
    """Who is the most of a kind, with those that the games do not tell from it.

    `an_hour`: the same for an hour of table time, where the number is counted so. `note`: what the reader has to know of the
    answer. `doubt`: what claims of the first about this hang on, where they do not hold under all conditions (`robust`).
    """
    if len(estimates) < 2:
        return []
    wishes = (
        ("a short evening", "M6", False),
        ("an even contest", "", False),
        ("a bloody day", "M10", True),
        ("turns of fortune", "M11", True),
        ("much to decide", "M7", True),
        ("little to look up", "M17", False),
    )
    found = []
    for wish, metric, most in wishes:
        if not metric:
            found.append(_even_contest(estimates, titles, robust, shown))
            continue
        known = {variant: one for variant, some in estimates.items() if (one := some[metric][0]).value is not None}
        if len(known) > 1:
            names = _first(known, metric, shown, most=most)
            rates = {variant: _an_hour(estimates[variant], metric) for variant in known}
            hourly = {variant: rate for variant, rate in rates.items() if rate is not None}
            found.append(
                {
                    "wish": wish,
                    "titles": [titles.get(name, name) for name in names],
                    "an_hour": [titles.get(name, name) for name in _first(hourly, "", (), most=most)] if hourly else [],
                    "note": _looks(estimates) if metric == "M11" else "",
                    "doubt": _doubt(metric, names[0], robust),
                }
            )
    return found


def _even_contest(
    estimates: Mapping[str, Estimates], titles: Mapping[str, str], robust: Sequence[Mapping[str, Any]], shown: Shown
) -> dict[str, Any]:
    """The most even systems. One that is shown to be uneven is not among them, however near the others it may be."""
    known = {variant: _winner(found) for variant, found in estimates.items()}
    even = {variant: one for variant, one in known.items() if not _is_uneven(estimates[variant])}
    names = _first(even, "M1", shown, most=False) if even else []
    nearest = min(known, key=lambda name: (_bias(estimates[name]) is not None, known[name].value or 0.0))
    share = f"{known[nearest].value or 0.0:.0%}".replace("%", "\u00a0%")
    return {
        "wish": "an even contest",
        "titles": [titles.get(name, name) for name in names],
        "an_hour": [],
        "note": "" if even else f"the nearest is {titles.get(nearest, nearest)}, where a side wins {share}",
        "doubt": _doubt("M1", names[0], robust) if names else "",
    }


def _looks(estimates: Mapping[str, Estimates]) -> str:
    """A word about changes of lead where one battle has at least twice the turns of another: each turn is one look."""
    turns = [one.value for found in estimates.values() if (one := found["M5"][0]).value]
    if not turns or max(turns) < 2 * min(turns):
        return ""
    return f"the lead is looked at once a turn, {min(turns):.1f} to {max(turns):.1f} times a battle"


def _doubt(metric: str, first: str, robust: Sequence[Mapping[str, Any]]) -> str:
    """What the claims of a metric about a variant depend on."""
    found = [
        one["holds"]
        for one in robust
        if one["metric"] == metric and first in (one["first"], one["second"]) and one["holds"] != "holds under all"
    ]
    depends = list(dict.fromkeys(one for one in found if one.startswith("depends")))
    return " and ".join(depends) if depends else found[0] if found else ""


def _first(known: Mapping[str, Estimate], metric: str, shown: Shown, *, most: bool) -> list[str]:
    """The variant with the most, or least; with it those that the games do not tell from it.

    Told from it is one whose interval lies apart, or whose difference from it the comparison shows.
    """
    ordered = sorted(known, key=lambda name: known[name].value or 0.0, reverse=most)
    best = known[ordered[0]]
    assert best.low is not None and best.high is not None, "only known values are ordered"
    near = [ordered[0]]
    for name in ordered[1:]:
        one = known[name]
        assert one.low is not None and one.high is not None, "as above"
        apart = (metric, ordered[0], name) in shown or (metric, name, ordered[0]) in shown
        if not apart and ((one.high >= best.low) if most else (one.low <= best.high)):
            near.append(name)
    return near
