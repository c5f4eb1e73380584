"""Describe each ruleset in plain words with a statement of certainty, and pick the best for common wishes.

Words stand for ranges of values declared here. If an interval spans a limit, both words are given.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from zareba.analysis.games.samples import PER_HOUR
from zareba.analysis.statistics.estimates import MOST_TURNS_RATIO, Estimate
from zareba.base.grammar import amount, in_a_sentence, join_with_and, percent
from zareba.renamed import with_old_json_keys

__all__ = [
    "ASPECTS",
    "ONE_SIDED",
    "Aspect",
    "Measure",
    "advise",
    "certainty_sentence",
    "in_a_sentence",
    "indistinguishable_from_best",
    "nothing_to_compare",
    "picks",
]

Estimates = Mapping[str, Sequence[Estimate]]
"""The estimates of a variant, by metric id."""

Shown = Collection[tuple[str, str, str]]
"""Differences that the comparison shows: the metric, and the two variants in either order."""

ONE_SIDED = 0.85
"""Share of wins above which a battle is too one-sided to compare rulesets."""
NEGLIGIBLE = 0.05
"""A share of wins this little above the fair share does not matter."""
WIDTH_OF_99_PERCENT = 2.576 / 1.96
"""The width of a 99 % interval relative to a 95 % one. It is used for a bias, because every ruleset is tested for one.
"""


@dataclass(frozen=True, slots=True)
class Aspect:
    """A question that players ask about a ruleset."""

    id: str
    title: str
    metric: str
    """The id of the metric whose first number answers it."""
    unit: str
    words: tuple[tuple[float, str], ...]
    """The word for values below each limit, in ascending order."""

    def words_for(self, low: float, high: float) -> list[str]:
        """Return the words for the values from `low` to `high`."""
        first, last = (next(i for i, (limit, _) in enumerate(self.words) if value < limit) for value in (low, high))
        return [word for _, word in self.words[first : last + 1]]


END = math.inf
ASPECTS = (
    Aspect("length", "Length", "M6", "index", ((90, "short"), (180, "medium"), (END, "long"))),
    Aspect("blood", "Losses", "M10", "share", ((0.3, "mild"), (0.55, "bloody"), (END, "very bloody"))),
    Aspect("fortune", "Lead changes", "M11", "changes", ((0.4, "steady"), (1.0, "some swings"), (END, "swingy"))),
    Aspect("choice", "Decisions", "M7", "choices", ((100, "few"), (300, "moderate"), (END, "many"))),
    Aspect("paper", "Bookkeeping", "M17", "per battle", ((250, "light"), (800, "moderate"), (END, "heavy"))),
)  # fmt: skip
"""The questions of the first screen. Values are per battle, because a turn differs between rulesets."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The answer to one question for a ruleset. The numbers are None if there is no data."""

    aspect: str
    """The id of the question."""
    title: str
    words: str
    """One word, or several if the games do not decide between them."""
    unit: str
    value: float | None
    low: float | None
    high: float | None
    sure: bool
    """True if the games decide on one word."""
    hourly: float | None = None
    """The value per hour of table time; None if it is not counted per hour."""


def advise(
    estimates: Mapping[str, Estimates],
    titles: Mapping[str, str],
    sides: Mapping[str, str],
    left_out: Mapping[str, int],
    robust: Sequence[Mapping[str, Any]] = (),
    shown: Shown = (),
) -> dict[str, Any]:
    """Return the content of the first screen: a row per variant, the best for each wish, and a warning if a comparison
    says little.
    """
    rows = []
    for variant, of_variant in estimates.items():
        wins = [(estimate.name.removeprefix("won by "), estimate) for estimate in of_variant["M1"]]
        row = {
            "variant": variant,
            "title": titles.get(variant, variant),
            "turns": of_variant["M5"][0].to_dict(),
            "wins": [
                {
                    "side": side,
                    "name": sides.get(side, side),
                    "value": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                }
                for side, estimate in wins
            ],
            "balance": _balance(of_variant, sides),
            "measures": [asdict(_measure_of(aspect, of_variant)) for aspect in ASPECTS],
            "left_out": left_out.get(variant, 0),
        }
        rows.append(with_old_json_keys("compare, advice.rows", row))
    return {
        "nothing_to_compare": nothing_to_compare(estimates, sides),
        "rows": rows,
        "picks": picks(estimates, titles, robust, shown),
    }


def _measure_of(aspect: Aspect, estimates: Estimates) -> Measure:
    estimate = estimates[aspect.metric][0]
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return Measure(aspect.id, aspect.title, "no data", aspect.unit, None, None, None, sure=False)
    words = aspect.words_for(estimate.low, estimate.high)
    hourly = _hourly(estimates, aspect.metric)
    return Measure(
        aspect.id,
        aspect.title,
        _join_words(words, len(aspect.words)),
        aspect.unit,
        estimate.value,
        estimate.low,
        estimate.high,
        sure=len(words) == 1,
        hourly=hourly.value if hourly is not None else None,
    )


def _hourly(estimates: Estimates, metric: str) -> Estimate | None:
    """Return the value of a metric per hour of table time, or None if it is not counted per hour."""
    return next(
        (estimate for estimate in estimates[metric] if estimate.name.endswith(PER_HOUR) and estimate.value is not None),
        None,
    )


def _join_words(words: Sequence[str], known: int) -> str:
    """Return one word, or several joined by "or" if the games do not decide between them. All `known` words together
    say nothing.
    """
    if len(words) == known:
        return "too few games to tell"
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _balance(estimates: Estimates, sides: Mapping[str, str]) -> dict[str, Any]:
    """Describe the balance in words, from the lead of the most successful side over its fair share of wins.

    `listed` says how much the order of the sides decides, "" if no such bias is shown.
    """
    best = _winner(estimates)
    name = in_a_sentence(sides.get(side := best.name.removeprefix("won by "), side))
    assert best.low is not None and best.value is not None and best.high is not None, "every game has an outcome"
    leaning = Aspect("", "", "M1", "share", (
        (0.6, "balanced"), (0.75, _MODERATE), (ONE_SIDED, _STRONG), (END, _CERTAIN),
    ))  # fmt: skip
    fair = _fair_share(estimates)  # one half with two sides, as the limits above assume
    words = leaning.words_for(*(0.5 + (share - fair) / (1 - fair) / 2 for share in (best.low, best.high)))
    if words[0] == "balanced" and _favours_a_side(estimates):
        words[0] = _SLIGHT
    return {
        "words": _balance_words(words, name, len(leaning.words)),
        "sure": len(words) == 1,
        "listed": _listing_advantage(estimates),
    }


_SLIGHT, _MODERATE, _STRONG, _CERTAIN = "slight", "moderate", "strong", "almost certain to win"
"""Degrees of advantage of the most successful side."""


def _balance_words(words: Sequence[str], name: str, known: int) -> str:
    """Say how large the advantage of the side `name` is: one degree, or a range of degrees from the first to the last
    possible one. All `known` words together say nothing.
    """
    first, last = words[0], words[-1]
    if len(words) == known:
        return "too few games to tell"
    if last == _CERTAIN:
        return f"{name} {_CERTAIN}" if first == last else f"at least a {first} advantage for {name}"
    if last == "balanced":
        return last
    return f"{first if first == last else f'{first} to {last}'} advantage for {name}"


def _winner(estimates: Estimates) -> Estimate:
    """Return the win share of the most successful side."""
    return max(estimates["M1"][:-1], key=lambda estimate: estimate.value or 0.0)


def _fair_share(estimates: Estimates) -> float:
    """Return the win share of each side if all win equally often."""
    return 1 / (len(estimates["M1"]) - 1)


def _bias(estimates: Estimates) -> Estimate | None:
    """Return the advantage of the side listed first, or None if the games do not show one."""
    for estimate in estimates.get("M3", ())[:1]:
        if estimate.value is not None and estimate.low is not None and estimate.high is not None:
            half_interval = estimate.value - estimate.low if estimate.value > 0 else estimate.high - estimate.value
            if abs(estimate.value) > max(NEGLIGIBLE, half_interval * WIDTH_OF_99_PERCENT):
                return estimate
    return None


def _listing_advantage(estimates: Estimates) -> str:
    """Describe the advantage from the order of the sides in words."""
    bias = _bias(estimates)
    if bias is None or bias.value is None or bias.low is None or bias.high is None:
        return ""
    low, high = sorted((abs(bias.low), abs(bias.high)))
    return (
        f"the side listed {'first' if bias.value > 0 else 'last'} has an advantage of {100 * abs(bias.value):.0f} points"
        f" ({100 * low:.0f} to {100 * high:.0f})"
    )


def _is_uneven(estimates: Estimates) -> bool:
    """Return True if the games show that a side, or the side listed first, has an advantage that matters."""
    return _bias(estimates) is not None or _favours_a_side(estimates)


def _favours_a_side(estimates: Estimates) -> bool:
    """Return True if the games show that a side wins more than its fair share by a margin that matters."""
    best, fair = _winner(estimates), _fair_share(estimates)
    leads = estimates.get("M2", ())[:1] if len(estimates["M1"]) == 3 else ()
    for lead in leads:  # the lead of the first of two sides; a draw counts for neither
        assert lead.low is not None and lead.high is not None, "as every game has an outcome"
        if (lead.low > 0 or lead.high < 0) and max(-lead.low, lead.high) > 2 * NEGLIGIBLE:
            return True
    assert best.low is not None and best.high is not None, "every game has an outcome"
    return best.low > fair and best.high > fair + NEGLIGIBLE


def certainty_sentence(
    estimates: Mapping[str, Estimates],
    games: Sequence[int],
    robust: Sequence[Mapping[str, Any]],
    interpreted: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    *,
    tested: bool,
) -> str:
    """Describe the certainty: number of games, precision, and whether a change of anything but the rules reverses a
    claim. `interpreted` holds, by the title of a ruleset, how many of its games ended by our reading of a rule.
    """

    def within(metric: str) -> float:
        known = [found[metric][0] for found in estimates.values()]
        return max(((estimate.high or 0.0) - (estimate.low or 0.0)) / 2 for estimate in known)

    def points(metric: str) -> str:
        return amount(max(1, math.ceil(100 * within(metric) - 0.5)), "percentage point")

    few, many = min(games), max(games)
    number = amount(many, "game") if few == many else f"{few} to {amount(many, 'game')}"
    sentence = (
        f"{number} of each; win shares are accurate to {points('M1')}, turns to"
        f" {within('M5'):.1f} and losses to {points('M10')} (95 % confidence)"
    )
    if interpreted:
        ended = join_with_and(
            f"{ended_early} of {amount(of, 'game')} under {title}" for title, (ended_early, of) in interpreted.items()
        )
        sentence += f". Our reading of an unclear rule ended {ended}"
    if robust:
        holding = sum(row["holds"] == "holds under all" for row in robust)
        return f"{sentence}. {holding} of {amount(len(robust), 'claimed difference')} {'holds' if holding == 1 else 'hold'} under all other conditions"
    return sentence if tested else f"{sentence}. Not tested with other AI players or other readings (use --robust)"


def nothing_to_compare(estimates: Mapping[str, Estimates], sides: Mapping[str, str]) -> str:
    """Return a warning if one side wins nearly always under most of the rulesets, else ""."""
    one_sided: dict[str, int] = {}
    for found in estimates.values():
        for estimate in found["M1"][:-1]:
            if (estimate.value or 0.0) > ONE_SIDED:
                side = estimate.name.removeprefix("won by ")
                one_sided[side] = one_sided.get(side, 0) + 1
    if not one_sided or sum(one_sided.values()) * 2 <= len(estimates):
        return ""
    shares = "; ".join(
        f"more than {percent(ONE_SIDED)} of games go to {in_a_sentence(sides.get(side, side))} under {count} of {len(estimates)}"
        for side, count in one_sided.items()
    )
    return (
        f"This battle is one-sided: {shares}. Results and lead changes say little about the rules"
        " here; use 'zareba balance' to make it even."
    )


def picks(
    estimates: Mapping[str, Estimates],
    titles: Mapping[str, str],
    robust: Sequence[Mapping[str, Any]] = (),
    shown: Shown = (),
) -> list[dict[str, Any]]:
    """Return the best rulesets for each wish, with those that the games do not distinguish from the best.

    `an_hour` holds the same per hour of table time, if counted. `note` is a remark on the answer. `doubt` says what
    the claims about the best depend on, if they do not hold under all conditions (`robust`).
    """
    if len(estimates) < 2:
        return []
    wishes = (
        ("Shortest", "M6", False),
        ("Most even", "", False),
        ("Bloodiest", "M10", True),
        ("Most lead changes", "M11", True),
        ("Most decisions", "M7", True),
        ("Least bookkeeping", "M17", False),
    )
    answers = []
    for wish, metric, most in wishes:
        if not metric:
            answers.append(_most_even(estimates, titles, robust, shown))
            continue
        known = {
            variant: headline
            for variant, by_metric in estimates.items()
            if (headline := by_metric[metric][0]).value is not None
        }
        if len(known) > 1:
            names = indistinguishable_from_best(known, metric, shown, most=most)
            rates = {variant: _hourly(estimates[variant], metric) for variant in known}
            hourly = {variant: rate for variant, rate in rates.items() if rate is not None}
            answers.append(
                {
                    "wish": wish,
                    "titles": [titles.get(name, name) for name in names],
                    "an_hour": [
                        titles.get(name, name) for name in indistinguishable_from_best(hourly, "", (), most=most)
                    ]
                    if hourly
                    else [],
                    "note": _lead_read_seldom(estimates, names[0], titles) if metric == "M11" else "",
                    "doubt": _doubt(metric, names[0], robust),
                }
            )
    return answers


def _most_even(
    estimates: Mapping[str, Estimates], titles: Mapping[str, str], robust: Sequence[Mapping[str, Any]], shown: Shown
) -> dict[str, Any]:
    """Return the most even rulesets. A ruleset that is shown to be uneven is excluded, however close to the others it
    is.
    """
    known = {variant: _winner(found) for variant, found in estimates.items()}
    even = {variant: estimate for variant, estimate in known.items() if not _is_uneven(estimates[variant])}
    names = indistinguishable_from_best(even, "M1", shown, most=False) if even else []
    nearest = indistinguishable_from_best(
        {name: estimate for name, estimate in known.items() if _bias(estimates[name]) is None} or known,
        "M1",
        shown,
        most=False,
    )
    shares = " and ".join(dict.fromkeys(percent(known[name].value or 0.0) for name in nearest))
    closest = f"closest: {' and '.join(titles.get(name, name) for name in nearest)}, where a side wins {shares}"
    return {
        "wish": "Most even",
        "titles": [titles.get(name, name) for name in names],
        "an_hour": [],
        "note": "" if even else closest,
        "doubt": _doubt("M1", names[0], robust) if names else "",
    }


def _lead_read_seldom(estimates: Mapping[str, Estimates], best: str, titles: Mapping[str, str]) -> str:
    """Return a note that names the rulesets whose battles have far fewer turns than those of the best, or "".

    The lead is read once a turn, so their lead changes cannot be compared.
    """
    turns = {name: estimate.value for name, found in estimates.items() if (estimate := found["M5"][0]).value}
    few = [name for name, value in turns.items() if value * MOST_TURNS_RATIO < turns.get(best, 0.0)]
    if not few:
        return ""
    named = join_with_and(f"{titles.get(name, name)} ({amount(round(turns[name], 1), 'turn')})" for name in few)
    return f"not compared: {named}, because the lead is read once a turn"


def _doubt(metric: str, first: str, robust: Sequence[Mapping[str, Any]]) -> str:
    """Describe what the claims of a metric about a variant depend on."""
    verdicts = [
        claim["holds"]
        for claim in robust
        if claim["metric"] == metric
        and first in (claim["first"], claim["second"])
        and claim["holds"] != "holds under all"
    ]
    depends = list(dict.fromkeys(verdict for verdict in verdicts if verdict.startswith("depends")))
    return " and ".join(depends) if depends else verdicts[0] if verdicts else ""


def indistinguishable_from_best(known: Mapping[str, Estimate], metric: str, shown: Shown, *, most: bool) -> list[str]:
    """Return the variant with the largest or smallest value, followed by those that the games do not distinguish from
    it.

    A variant is distinguished if its interval does not overlap, or if the comparison shows the difference.
    """
    ordered = sorted(known, key=lambda name: known[name].value or 0.0, reverse=most)
    best = known[ordered[0]]
    assert best.low is not None and best.high is not None, "only known values are ordered"
    near = [ordered[0]]
    for name in ordered[1:]:
        estimate = known[name]
        assert estimate.low is not None and estimate.high is not None, "as above"
        apart = (metric, ordered[0], name) in shown or (metric, name, ordered[0]) in shown
        if not apart and ((estimate.high >= best.low) if most else (estimate.low <= best.high)):
            near.append(name)
    return near
