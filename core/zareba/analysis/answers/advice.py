"""Which system shall we use on Friday? Each in plain words, with how sure they are, and which of them is the most of a kind.

Words are for values between limits that are declared here; where the interval of a value reaches over a limit, both words
are said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

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

ONE_SIDED = 0.85
"""Where one side wins so many games it hardly matters who plays."""


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
    Aspect("choice", "To decide", "M7", "choices", ((8, "little"), (20, "a good deal"), (END, "much"))),
    Aspect("paper", "To throw and look up", "M17", "a turn", ((15, "little"), (40, "a good deal"), (END, "much"))),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gauge:
    """One answer: its words, its value with the interval, all None where no game tells."""

    aspect: str
    title: str
    words: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    sure: bool


def advise(
    estimates: Mapping[str, Estimates],
    titles: Mapping[str, str],
    sides: Mapping[str, str],
    left_out: Mapping[str, int],
    robust: Sequence[Mapping[str, Any]] = (),
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
        "picks": picks(estimates, titles, robust),
    }


def _gauge(aspect: Aspect, found: Estimates) -> Gauge:
    one = found[aspect.metric][0]
    if one.value is None or one.low is None or one.high is None:
        return Gauge(aspect.id, aspect.title, "no game tells", aspect.unit, None, None, None, sure=False)
    words = aspect.words_for(one.low, one.high)
    return Gauge(
        aspect.id, aspect.title, _either(words), aspect.unit, one.value, one.low, one.high, sure=len(words) == 1
    )


def _either(words: Sequence[str]) -> str:
    """One word, or two between which the games do not tell; with more they tell nothing."""
    return " or ".join(words) if len(words) < 3 else "too few games to tell"


def _balance(found: Estimates, sides: Mapping[str, str]) -> dict[str, Any]:
    """Who wins, in words: by how much the side that wins most is above its share of the wins."""
    best = max(found["M1"][:-1], key=lambda one: one.value or 0.0)
    name = in_a_sentence(sides.get(side := best.name.removeprefix("won by "), side))
    assert best.low is not None and best.value is not None and best.high is not None, "every game has an outcome"
    leans, favours = f"leans to {name}", f"favours {name}"
    leaning = Aspect("", "", "M1", "share", (
        (0.6, "balanced"), (0.75, leans), (ONE_SIDED, favours), (END, f"{name} all but certain"),
    ))  # fmt: skip
    fair = 1 / (len(found["M1"]) - 1)  # of two sides one half, as the words have it
    words = leaning.words_for(*(0.5 + (share - fair) / (1 - fair) / 2 for share in (best.low, best.high)))
    return {
        "words": f"leans to or {favours}" if words == [leans, favours] else _either(words),
        "sure": len(words) == 1,
    }


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
    estimates: Mapping[str, Estimates], titles: Mapping[str, str], robust: Sequence[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Who is the most of a kind; those whose intervals overlap with that of the first are named with it.

    `doubt`: what claims of the first about this hang on, where they do not hold under all conditions (`robust`).
    """
    if len(estimates) < 2:
        return []

    def evenness(found: Estimates) -> Estimate:
        return max(found["M1"][:-1], key=lambda one: one.value or 0.0)

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
        known = {
            variant: one
            for variant, all_of_it in estimates.items()
            if (one := all_of_it[metric][0] if metric else evenness(all_of_it)).value is not None
        }
        if len(known) > 1:
            names = _first(known, most=most)
            found.append(
                {
                    "wish": wish,
                    "titles": [titles.get(name, name) for name in names],
                    "doubt": _doubt(metric or "M1", names[0], robust),
                }
            )
    return found


def _doubt(metric: str, first: str, robust: Sequence[Mapping[str, Any]]) -> str:
    """What the claims of a metric about a variant depend on."""
    found = [
        one["holds"]
        for one in robust
        if one["metric"] == metric and first in (one["first"], one["second"]) and one["holds"] != "holds under all"
    ]
    depends = list(dict.fromkeys(one for one in found if one.startswith("depends")))
    return " and ".join(depends) if depends else found[0] if found else ""


def _first(known: Mapping[str, Estimate], *, most: bool) -> list[str]:
    """The variant with the most, or least; with it those that the games do not tell from it."""
    ordered = sorted(known, key=lambda name: known[name].value or 0.0, reverse=most)
    best = known[ordered[0]]
    assert best.low is not None and best.high is not None, "only known values are ordered"
    near = [ordered[0]]
    for name in ordered[1:]:
        one = known[name]
        assert one.low is not None and one.high is not None, "as above"
        if (one.high >= best.low) if most else (one.low <= best.high):
            near.append(name)
    return near
