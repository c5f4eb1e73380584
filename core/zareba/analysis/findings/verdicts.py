"""Answer the questions of a rules review, each in one or two plain sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zareba.analysis.findings.advice import in_a_sentence
from zareba.analysis.games.metrics import all_metrics
from zareba.analysis.statistics.estimates import Difference, Estimate
from zareba.base.amounts import amount

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
        sentences = [
            _ranking(metric.id, estimates, sides)
            + _claim(metric.primary, metric.id, differences)
            + _doubt(metric.id, robust, titles)
            for metric in all_metrics()
            if metric.question == id and metric.id in _LEAD_INS
        ]
        found.append({"id": id, "question": question, "text": " ".join(filter(None, sentences))})
    return found


def _ranking(metric: str, estimates: Mapping[str, Mapping[str, Sequence[Estimate]]], sides: Mapping[str, str]) -> str:
    headlines = {variant: found[metric][0] for variant, found in estimates.items()}
    known = [(estimate.value, variant) for variant, estimate in headlines.items() if estimate.value is not None]
    some = next(iter(headlines.values()))
    lead_in = _LEAD_INS[metric].format(name=of_sides(some.name, sides))
    if not known:
        return "" if metric == "M14" else f"{lead_in}: no data."  # M14 is measured only on request
    ranked = "; ".join(f"{variant} {in_figures(value, some.unit)}" for value, variant in sorted(known))
    return f"{lead_in}: {ranked}."


def _claim(primary: bool, metric: str, differences: Sequence[Difference]) -> str:
    tested = [difference for difference in differences if difference.metric == metric]
    if not primary or not tested or all(one.p_holm is None and one.anytime is None for one in tested):
        return ""
    shown = [difference for difference in tested if difference.shown]
    alike = [difference for difference in tested if difference.alike]
    if not shown:
        if len(alike) == len(tested):
            return (
                f" All are equal to within {_margin(alike[0])}."
                if len(tested) > 1
                else f" The two are equal to within {_margin(alike[0])}."
            )
        if any(one.anytime is not None for one in tested):
            return (
                " No difference is shown yet: a run that looks repeatedly (--stop) needs more evidence than separate"
                " intervals."
            )
        return " No difference is shown at this number of games."
    if len(shown) == len(tested):
        return " The difference is shown." if len(tested) == 1 else " All differences are shown."
    above: dict[str, list[str]] = {}
    for difference in shown:
        low, high = difference.first, difference.second
        if difference.value > 0:
            low, high = high, low
        above.setdefault(low, []).append(high)
    pairs = "; ".join(f"{low} below {_listed(highs)}" for low, highs in above.items())
    return f" Shown: {pairs}. The other differences are not shown."


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


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
