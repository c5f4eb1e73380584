"""Answer the questions of a rules review in plain sentences: the answer, the numbers, and how certain it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zareba.analysis.findings.advice import in_a_sentence, not_told_apart
from zareba.analysis.games.metrics import all_metrics
from zareba.analysis.statistics.estimates import Difference, Estimate
from zareba.base.grammar import amount, join_with_or

__all__ = ["in_figures", "of_sides", "verdicts"]

_OF_A_SIDE = re.compile(r"\b(by|of) (\w+)")

_QUESTIONS = {
    "speed": "How long does a game take?",
    "decision": "Do games reach a decision?",
    "balance": "Who wins?",
    "bloodiness": "How bloody is it?",
    "suspense": "Does it stay open?",
    "luck": "How much depends on the dice?",
    "control": "How much is there to decide?",
    "bookkeeping": "How much bookkeeping is there?",
}

_ANSWERS = {
    "speed": ("M6", "Longest under {}", "shortest under {}"),
    "decision": ("M4", "Games end before a limit most often under {}", "least often under {}"),
    "balance": ("M1", "{side} won most often under {}", "least often under {}"),
    "bloodiness": ("M10", "Most losses under {}", "fewest under {}"),
    "suspense": ("M11", "Most lead changes under {}", ""),  # see `_looks` in the advice: few turns show few changes
    "luck": ("M16", "The final lead varies most under {}", "least under {}"),
    "control": ("M7", "Most decisions per battle under {}", "fewest under {}"),
    "bookkeeping": ("M17", "Most bookkeeping per battle under {}", "least under {}"),
}
"""The metric that answers each question, and the answer for its largest and its smallest value."""

_LEAD_INS = {
    "M1": "Games {name}",
    "M4": "Games {name}",
    "M5": "Turns per game",
    "M6": "Table time (an index)",
    "M7": "Decisions with more than one sensible answer, per battle",
    "M9": "Unit turns in which the rules allow no action",
    "M10": "Strength lost per side",
    "M11": "Lead changes per game",
    "M13": "Share of the game played before it is decided",
    "M14": "Openness over the turns (1: even, 0: certain)",
    "M16": "Standard deviation of the final lead",
    "M18": "Games with a different winner by the ruleset's own victory rule",
    "M17": "Throws, cards, lookups and markers per battle",
}

_REMARKS = {
    "M16": " If one side nearly always wins, the lead varies little, whatever the dice do.",
}
_EXCEPTIONS = 3
"""The most pairs named as not shown. If there are more, the table of differences names them."""

_DECIMALS = {"turns": 1, "index": 0, "choices": 1, "acts": 1, "per turn": 1, "per battle": 0, "per hour": 0}


def in_figures(value: float, unit: str) -> str:
    """Return a value as text: shares in percent, other values with a sensible number of decimals."""
    written = (
        f"{value:.1%}".replace("%", "\u00a0%")
        if unit in ("share", "of length")
        else f"{value:.{_DECIMALS.get(unit, 2)}f}"
    )
    return written.replace("-", "−")


def of_sides(name: str, sides: Mapping[str, str]) -> str:
    """Return the name of a number, such as "won by british", with the display name of its side."""
    return _OF_A_SIDE.sub(lambda found: f"{found[1]} {in_a_sentence(sides.get(found[2], found[2]))}", name)


def verdicts(
    estimates: Mapping[str, Mapping[str, Sequence[Estimate]]],
    differences: Sequence[Difference],
    titles: Mapping[str, str],
    sides: Mapping[str, str],
    robust: Sequence[Mapping[str, Any]] = (),
) -> list[dict[str, str]]:
    """Return one `{"id", "question", "text"}` per question. `estimates` is keyed by variant name, then metric id;
    `titles` by variant name.
    """
    estimates = {titles.get(name, name): found for name, found in estimates.items()}
    differences = [
        replace(one, first=titles.get(one.first, one.first), second=titles.get(one.second, one.second))
        for one in differences
    ]
    found = []
    for id, question in _QUESTIONS.items():
        metrics = [metric for metric in all_metrics() if metric.question == id and metric.id in _LEAD_INS]
        metrics.sort(key=lambda metric: metric.id != _ANSWERS[id][0])
        sentences = [
            _ranking(metric.id, estimates, sides)
            + _claim(metric.primary, metric.id, differences)
            + _doubt(metric.id, robust, titles)
            for metric in metrics
        ]
        text = " ".join(filter(None, [_answer(id, estimates, differences, sides), *sentences]))
        found.append({"id": id, "question": question, "text": text})
    return found


def _answer(
    question: str,
    estimates: Mapping[str, Mapping[str, Sequence[Estimate]]],
    differences: Sequence[Difference],
    sides: Mapping[str, str],
) -> str:
    """Return the answer to a question: the variants with the largest and the smallest value, as far as the games tell
    them apart.
    """
    metric, largest, smallest = _ANSWERS[question]
    known = {name: one for name, found in estimates.items() if (one := found[metric][0]).value is not None}
    if len(known) < 2:
        return ""
    shown = {(one.metric, one.first, one.second) for one in differences if one.shown}
    most, least = (not_told_apart(known, metric, shown, most=end) for end in (True, False))
    if len(most) == len(known):
        return "The games show no clear difference."
    side = of_sides(next(iter(known.values())).name, sides).removeprefix("won by ")
    said = largest.format(join_with_or(most), side=side[:1].upper() + side[1:])
    return f"{said}, {smallest.format(join_with_or(least))}." if smallest else f"{said}."


def _ranking(metric: str, estimates: Mapping[str, Mapping[str, Sequence[Estimate]]], sides: Mapping[str, str]) -> str:
    headlines = {variant: found[metric][0] for variant, found in estimates.items()}
    known = [(estimate.value, variant) for variant, estimate in headlines.items() if estimate.value is not None]
    some = next(iter(headlines.values()))
    lead_in = _LEAD_INS[metric].format(name=of_sides(some.name, sides))
    if not known:
        return "" if metric == "M14" else f"{lead_in}: no data."  # M14 is measured only on request
    ranked = "; ".join(f"{variant} {_with_interval(headlines[variant])}" for _, variant in sorted(known))
    return f"{lead_in}: {ranked}.{_REMARKS.get(metric, '') if len(known) > 1 else ''}"


def _with_interval(one: Estimate) -> str:
    assert one.value is not None and one.low is not None and one.high is not None, "only known values are ranked"
    value, low, high = (in_figures(number, one.unit) for number in (one.value, one.low, one.high))
    return f"{value} ({low} to {high})"


def _claim(primary: bool, metric: str, differences: Sequence[Difference]) -> str:
    """Say which differences of a primary metric the games show, all comparisons taken together."""
    every = [one for one in differences if one.metric == metric]
    tested = [one for one in every if one.primary and (one.p_holm is not None or one.anytime is not None)]
    unlike = primary and any(not one.primary for one in every)
    if unlike and not tested:
        return " They are not compared, because a turn differs between rulesets."
    if not primary or not tested:
        return ""
    rest = " Pairs with too unlike numbers of turns are not compared." if unlike else ""
    shown = [difference for difference in tested if difference.shown]
    alike = [difference for difference in tested if difference.alike]
    if not shown:
        if len(alike) == len(tested):
            return (
                f" All are equal to within {_margin(alike[0])}."
                if len(tested) > 1
                else f" The two are equal to within {_margin(alike[0])}."
            ) + rest
        if any(one.anytime is not None for one in tested):
            return (
                " No difference is shown yet: a run that looks repeatedly (--stop) needs more evidence than separate"
                " intervals."
            ) + rest
        return " No difference is shown at this number of games." + rest
    if len(shown) == len(tested):
        return (" The difference is shown." if len(tested) == 1 else " All differences are shown.") + rest
    others = [f"{one.first} and {one.second}" for one in tested if not one.shown]
    named = f", but not that of {'; '.join(others)}" if len(others) <= _EXCEPTIONS else ""
    counted = f"{len(shown)} of {amount(len(tested), 'difference')}"
    return f" {counted} {'is' if len(shown) == 1 else 'are'} shown{named}.{rest}"


def _doubt(metric: str, robust: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    """Say which claims hold under all conditions and which do not, if that was tested."""
    pairs: dict[str, list[str]] = {}
    for one in robust:
        if one["metric"] == metric:
            both = " and ".join(titles.get(name, name) for name in (one["first"], one["second"]))
            pairs.setdefault(one["holds"], []).append(both)
    if not pairs:
        return ""
    if list(pairs) == ["holds under all"]:
        return " This holds under all conditions tested."
    told = ["; ".join(both) + f": {holds}." for holds, both in pairs.items() if holds != "holds under all"]
    kept = len(pairs.get("holds under all", ()))
    rest = f" The remaining {amount(kept, 'claim holds', 'claims hold')} under all conditions." if kept else ""
    return f" But {' '.join(told)}{rest}"


def _margin(difference: Difference) -> str:
    assert difference.margin is not None, "only with a margin are two alike"
    number = in_figures(difference.margin, difference.unit)
    return number if difference.unit == "share" else f"{number} {difference.unit}"
