"""Findings of a comparison: verdicts, summary and stand-ins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zareba.analysis.compare import Comparison
from zareba.analysis.findings.advice import advise, certainty_sentence, in_a_sentence, indistinguishable_from_best
from zareba.analysis.games.metrics import all_metrics
from zareba.analysis.games.notable import most_different
from zareba.analysis.games.simulate import ACTIVITY_GAMES
from zareba.analysis.statistics.estimates import (
    MOST_TURNS_RATIO,
    SIGNIFICANCE,
    Column,
    Difference,
    Estimate,
    compare_columns,
    p_of_no_difference,
)
from zareba.analysis.statistics.robustness import robustness
from zareba.analysis.studies.set_pieces import set_pieces
from zareba.analysis.studies.sweep import curves
from zareba.analysis.studies.tournament import Match, elo_of
from zareba.base.grammar import amount, join_with_and, join_with_or, percent
from zareba.registry import ruleset, ruleset_names
from zareba.rules.catalogue import RuleEntry, load_catalogue
from zareba.scenario import load_scenario

# --- Answer the questions of a rules review in plain sentences: the answer, the numbers, and how certain it is --------


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
_NO_DIFFERENCE = "The games show no statistically clear difference."
_MOST_EXCEPTIONS = 3
"""If more pairs than this are not shown, the sentence leaves them to the table of differences."""

_DECIMALS = {"turns": 1, "index": 0, "choices": 1, "acts": 1, "per turn": 1, "per battle": 0, "per hour": 0}


def in_figures(value: float, unit: str) -> str:
    """Return a value as text: shares in percent, other values with a sensible number of decimals. A value that
    rounds to zero has no sign.
    """
    written = percent(value, 1) if unit in ("share", "of length") else f"{value:z.{_DECIMALS.get(unit, 2)}f}"
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
    estimates = {titles.get(name, name): by_metric for name, by_metric in estimates.items()}
    differences = [
        replace(
            difference,
            first=titles.get(difference.first, difference.first),
            second=titles.get(difference.second, difference.second),
        )
        for difference in differences
    ]
    answers = []
    for id, question in _QUESTIONS.items():
        metrics = [metric for metric in all_metrics() if metric.question == id and metric.id in _LEAD_INS]
        metrics.sort(key=lambda metric: metric.id != _ANSWERS[id][0])
        answer = _answer(id, estimates, differences, sides)
        claims = [_claim(metric.primary, metric.id, differences) for metric in metrics]
        if answer == _NO_DIFFERENCE and metrics[0].primary and _tested(metrics[0].id, differences):
            answer, claims[0] = claims[0].strip(), ""  # the claim says the same, and why
        sentences = [
            _ranking(metric.id, estimates, sides) + claim + _doubt(metric.id, robust, titles)
            for metric, claim in zip(metrics, claims, strict=True)
        ]
        text = " ".join(filter(None, [answer, *sentences]))
        answers.append({"id": id, "question": question, "text": text})
    return answers


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
    known = {name: estimate for name, found in estimates.items() if (estimate := found[metric][0]).value is not None}
    if len(known) < 2:
        return ""
    shown = {
        (difference.metric, difference.first, difference.second)
        for difference in differences
        if difference.is_significant
    }
    most, least = (indistinguishable_from_best(known, metric, shown, most=end) for end in (True, False))
    if len(most) == len(known):
        return _NO_DIFFERENCE
    side = of_sides(next(iter(known.values())).name, sides).removeprefix("won by ")
    answer = largest.format(join_with_or(most), side=side[:1].upper() + side[1:])
    if not smallest:
        return f"{answer}."
    unclear = [name for name in most if name in least]
    remark = f" The games do not show to which end {join_with_and(unclear)} {_belong(unclear)}." if unclear else ""
    return f"{answer}, {smallest.format(join_with_or(least))}.{remark}"


def _belong(names: Sequence[str]) -> str:
    return "belongs" if len(names) == 1 else "belong"


def _ranking(metric: str, estimates: Mapping[str, Mapping[str, Sequence[Estimate]]], sides: Mapping[str, str]) -> str:
    headlines = {variant: found[metric][0] for variant, found in estimates.items()}
    known = [(estimate.value, variant) for variant, estimate in headlines.items() if estimate.value is not None]
    example = next(iter(headlines.values()))  # all have the same name
    lead_in = _LEAD_INS[metric].format(name=of_sides(example.name, sides))
    if not known:
        return "" if metric == "M14" else f"{lead_in}: no data."  # M14 is measured only on request
    ranked = "; ".join(f"{variant} {_with_interval(headlines[variant])}" for _, variant in sorted(known))
    return f"{lead_in}: {ranked}.{_REMARKS.get(metric, '') if len(known) > 1 else ''}"


def _with_interval(estimate: Estimate) -> str:
    assert estimate.value is not None and estimate.low is not None and estimate.high is not None, (
        "only known values are ranked"
    )
    value, low, high = (in_figures(number, estimate.unit) for number in (estimate.value, estimate.low, estimate.high))
    return f"{value} ({low} to {high})"


def _tested(metric: str, differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences of a metric that were tested as claims."""
    return [
        difference
        for difference in differences
        if difference.metric == metric
        and difference.primary
        and (difference.p_holm is not None or difference.anytime is not None)
    ]


def _claim(primary: bool, metric: str, differences: Sequence[Difference]) -> str:
    """Say which differences of a primary metric the games show, all comparisons taken together."""
    tested = _tested(metric, differences)
    some_not_compared = primary and any(
        difference.metric == metric and not difference.primary for difference in differences
    )
    if some_not_compared and not tested:
        return " Turns are not compared, because a turn differs from ruleset to ruleset."
    if not primary or not tested:
        return ""
    remark = (
        " Rulesets whose numbers of turns differ too much are not compared with each other."
        if some_not_compared
        else ""
    )
    shown = [difference for difference in tested if difference.is_significant]
    alike = [difference for difference in tested if difference.is_equivalent]
    if not shown:
        if len(alike) == len(tested):
            return (
                f" All are equal to within {_margin(alike[0])}."
                if len(tested) > 1
                else f" The two are equal to within {_margin(alike[0])}."
            ) + remark
        if any(difference.anytime is not None for difference in tested):
            return (
                " No difference is statistically clear yet: a run that looks repeatedly (--stop) needs more evidence than"
                " separate intervals."
            ) + remark
        if any(difference.low > 0 or difference.high < 0 for difference in tested):
            together = " Tested together with the other primary metrics, no difference"
        else:
            together = " No difference"
        return f"{together} is statistically clear at this number of games.{remark}"
    if len(shown) == len(tested):
        return (" The difference is" if len(tested) == 1 else " All differences are") + f" statistically clear.{remark}"
    not_shown = [
        f"{difference.first} and {difference.second}" for difference in tested if not difference.is_significant
    ]
    exceptions = f", but not that of {'; '.join(not_shown)}" if len(not_shown) <= _MOST_EXCEPTIONS else ""
    counted = f"{len(shown)} of {amount(len(tested), 'difference')}"
    return f" {counted} {'is' if len(shown) == 1 else 'are'} statistically clear{exceptions}.{remark}"


def _doubt(metric: str, robust: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    """Say which claims hold under all conditions and which do not, if that was tested."""
    pairs: dict[str, list[str]] = {}
    for claim in robust:
        if claim["metric"] == metric:
            pair = " and ".join(titles.get(name, name) for name in (claim["first"], claim["second"]))
            pairs.setdefault(claim["holds"], []).append(pair)
    if not pairs:
        return ""
    if list(pairs) == ["holds under all"]:
        return " This holds under all conditions tested."
    exceptions = ["; ".join(pair) + f": {holds}." for holds, pair in pairs.items() if holds != "holds under all"]
    holding = len(pairs.get("holds under all", ()))
    rest = f" The remaining {amount(holding, 'claim holds', 'claims hold')} under all conditions." if holding else ""
    return f" But {' '.join(exceptions)}{rest}"


def _margin(difference: Difference) -> str:
    assert difference.margin is not None, "only with a margin are two alike"
    number = in_figures(difference.margin, difference.unit)
    return number if difference.unit == "share" else f"{number} {difference.unit}"


# --- Count the games that were decided by our reading of a rule that is missing, damaged or ambiguous -----------------


LEAST_SHARE = 0.05
"""A reading is reported if it ended more than this share of the games."""


def ended_by_stand_ins(column: Column, scenario: str) -> list[str]:
    """Return a sentence for each reading that ended, or won by the ruleset's own victory rule, over 5 % of the
    games.
    """
    sentences = []
    for rule, ended in _endings(column, scenario).items():
        entry = _catalogue(column)[rule]
        sentences.append(
            f"{ended} of {amount(len(column.records), 'game')} ended by our reading of a rule ({rule}, status {entry.status}):"
            f" {entry.summary} The setting {' or '.join(entry.settings())} changes it; --robust tests its other values."
        )
    return sentences


def games_by_stand_ins(column: Column, scenario: str) -> int:
    """Return the number of games that ended by the readings that ended more than 5 % of them."""
    return sum(_endings(column, scenario).values())


def _endings(column: Column, scenario: str) -> dict[str, int]:
    """Return the number of games that each reading ended, by rule id, if they are more than 5 %."""
    counts = {}
    for rule, entry in _catalogue(column).items():
        ended = sum(entry.ends in (record.ending, record.own_ground) for record in column.records) if entry.ends else 0
        if ended > LEAST_SHARE * len(column.records) and not _set_by_scenario(entry.ends, scenario):
            counts[rule] = ended
    return counts


def _catalogue(column: Column) -> Mapping[str, RuleEntry]:
    if column.variant.ruleset not in ruleset_names():
        return {}
    folders = ruleset(column.variant.ruleset).folders
    return load_catalogue(*folders).rules if (folders[-1] / "rules.yaml").is_file() else {}


def _set_by_scenario(ending: str, scenario: str) -> bool:
    """Return True if the scenario itself sets what ended the games, such as a quota of points, so that it is no
    stand-in.
    """
    if ending != "quota":
        return False
    return any(side.victory.quota is not None for side in load_scenario(scenario).sides.values())


# --- The summary of a comparison as plain JSON data, including its verdicts in words ----------------------------------


BOTS_CANNOT_SAY = (
    "All games were played by AI players. Results between AI players do not predict results between"
    " people: an AI does not bluff, tire, bargain or enjoy a charge. If a ranking changes with"
    " other AI players, it says more about the players than about the rules."
)


def summarise(comparison: Comparison) -> dict[str, Any]:
    """Return the content of `summary.json`: header, metrics, differences, sentences, method.

    Two runs of the same request give equal data.
    """
    columns = comparison.columns()
    estimates = {
        column.variant.name: {metric.id: column.estimates(metric) for metric in all_metrics()} for column in columns
    }
    differences = _differences(comparison, columns)
    robust = robustness(differences, columns, comparison.condition_columns())
    shown = {
        (difference.metric, difference.first, difference.second)
        for difference in differences
        if difference.is_significant
    }
    titles: Mapping[str, str] = comparison.header.get("titles", {})
    sides: Mapping[str, str] = comparison.header.get("sides", {})
    left_out = {name: len(notes) for name, notes in comparison.notes.items()}
    return {
        "header": {
            "scenario": comparison.scenario,
            "games": comparison.games,
            "seed": comparison.seed,
            "agents": dict(comparison.agents),
            "swapped": any(column.swapped for column in columns),
            "partial": comparison.partial,
            **({"where": list(comparison.where)} if comparison.where else {}),
            **comparison.header,
        },
        "advice": {
            **advise(estimates, titles, sides, left_out, robust, shown),
            "sure": certainty_sentence(
                estimates,
                [len(column.records) for column in columns],
                robust,
                {
                    titles.get(column.variant.name, column.variant.name): (ended, len(column.records))
                    for column in columns
                    if (ended := games_by_stand_ins(column, comparison.scenario))
                },
                tested=bool(comparison.conditions),
            ),
            **(_screen_of_selection(comparison) if comparison.where else {}),
        },
        "metrics": [
            {
                "id": metric.id,
                "title": metric.title,
                "question": metric.question,
                "definition": metric.definition,
                "primary": metric.primary,
            }
            for metric in all_metrics()
        ],
        "variants": [_variant_summary(comparison, column, estimates[column.variant.name]) for column in columns],
        "omnibus": {id: round(p, 6) for id, p in p_of_no_difference(columns).items()}
        if len(columns) > 2 and not comparison.where
        else {},
        "differences": [difference.to_dict() for difference in differences],
        "skill": [
            {"variant": name, "title": titles.get(name, name), "matches": [_skill(match) for match in matches]}
            for name, matches in comparison.skill.items()
        ],
        "sweep": curves(comparison.sweep, columns) if comparison.sweep is not None else None,
        "told_apart": most_different(columns, comparison.scenario),
        "robustness": robust,
        "conditions": [
            {
                "kind": condition.kind,
                "title": condition.title,
                "games": max(map(len, condition.records.values()), default=0),
            }
            for condition in comparison.conditions
        ],
        "verdicts": verdicts(estimates, differences, titles, sides, robust),
        "set_pieces": set_pieces([column.variant for column in columns]) if comparison.with_set_pieces else [],
        "method": _method(comparison, differences, robust),
        "caution": BOTS_CANNOT_SAY,
    }


def _differences(comparison: Comparison, columns: Sequence[Column]) -> list[Difference]:
    """Return the differences between all columns.

    Those of a run that stops when it is decided have an anytime-valid decision. A selection of games makes no claims.
    """
    differences = compare_columns(columns)
    if comparison.stopping is not None:
        decisions = {
            (verdict.metric, verdict.first, verdict.second): verdict.decision for verdict in comparison.verdicts()
        }
        differences = [
            replace(difference, anytime=decisions.get((difference.metric, difference.first, difference.second)))
            if difference.primary
            else difference
            for difference in differences
        ]
    if comparison.where:
        differences = [replace(difference, p_holm=None, p_alike=None) for difference in differences]
    return differences


def _variant_summary(
    comparison: Comparison, column: Column, estimates: Mapping[str, Sequence[Estimate]]
) -> dict[str, Any]:
    """Return what `summary.json` says about one variant; `estimates` are given by metric."""
    return {
        **column.variant.to_dict(),
        "games": len(column.records),
        "metrics": {id: [estimate.to_dict() for estimate in found] for id, found in estimates.items()},
        "not_in_these_rules": list(comparison.notes.get(column.variant.name, ())),
        "for_these_rules_alone": list(comparison.overrides.get(column.variant.name, ())),
        "ended_by_stand_ins": ended_by_stand_ins(column, comparison.scenario),
    }


def _skill(match: Match) -> dict[str, Any]:
    """Return the room for skill (M15) that a match shows: the better player's share of points, and its Elo
    equivalent.
    """
    return {
        "first": match.first, "second": match.second, "games": match.games,
        **{name: round(getattr(match, name), 6) for name in ("score", "low", "high")},
        **{f"elo{end}": round(elo_of(getattr(match, name), match.games), 1)
           for end, name in (("", "score"), ("_low", "low"), ("_high", "high"))},
    }  # fmt: skip


def _method(
    comparison: Comparison, differences: Sequence[Difference], robust: Sequence[Mapping[str, Any]]
) -> list[str]:
    notes = []
    if comparison.conditions:
        notes.append(_conditions_note(comparison, robust))
    elif any(difference.is_significant for difference in differences):
        notes.append("The claims were not tested with other players, stand-ins or translations; use --robust.")
    if comparison.where:
        notes.append(
            f"Only games with {' and '.join(comparison.where)} are reported. Games selected by their course are not a"
            " fair sample of a ruleset, so no claims are made."
        )
    if comparison.partial and not comparison.where:
        requested = comparison.games * len(comparison.variants)
        notes.append(
            f"The run was interrupted: {len(comparison.records):,} of {amount(requested, 'game')} were finished."
        )
    notes.append(
        "Intervals are at 95 %: Wilson's for shares, the score interval for counts, Student's with Hall's transformation for"
        " means and spreads (for a spread of two values, that of their shares), and the exact percentile bootstrap for quantiles. As these are"
        " whole turns, their intervals cover more than 95 %. The interval of a difference comes from those of its values, and"
        " its p is one minus the highest confidence at which the interval excludes zero."
    )
    seconds = ", ".join(f"{number:g} a {act}" for act, number in comparison.seconds.items())
    notes.append(f"Table time is an index based on assumed seconds per act, which --seconds can change: {seconds}.")
    with_activity = sum(record.acts is not None for record in comparison.records)
    if with_activity < len(comparison.records):
        notes.append(
            f"Acts at the table were counted in {amount(with_activity, 'game')}, the first {ACTIVITY_GAMES} of each variant in a"
            " run. Table time, decisions, decision stakes, no-choice turns and bookkeeping come from these games alone, and so do"
            " their intervals."
        )
    paired = [difference for difference in differences if difference.paired]
    if paired:
        gains = [difference.pairing_gain for difference in paired if difference.pairing_gain is not None]
        gain = f", which saves a factor of {min(gains):.1f} to {max(gains):.1f} in games" if gains else ""
        notes.append(f"Variants of one ruleset share the luck of each game and are compared pair by pair{gain}.")
    if len(paired) < len(differences):
        notes.append(
            "Different rulesets share no dice and are compared unpaired. So are variants of one"
            " ruleset whose games are not positively correlated."
        )
    if any(record.swapped for record in comparison.records):
        notes.append("The players swapped sides in every second game; intervals are based on such pairs of games.")
    if differences:
        primary = ", ".join(metric.id for metric in all_metrics() if metric.primary)
        notes.append(
            f"The primary metrics ({primary}) were chosen in advance. Numbers of turns are compared only between variants of one"
            " ruleset, because a turn differs between rulesets; lead changes, which are read once a turn, only if the ruleset"
            f" with more of them has at most {MOST_TURNS_RATIO:g} times the turns of the other. A difference counts as shown when"
            f" Holm's adjusted p over all primary comparisons is below {percent(SIGNIFICANCE)} and, with more than two variants, the"
            " test that all are alike is rejected too. All other metrics are exploratory. Not shown does not mean equal:"
            " two variants are alike if they differ by less than a margin declared in advance, by two one-sided tests."
        )
    if comparison.stopping is not None:
        notes.append(
            "The run was set to stop as soon as every primary comparison was decided. Its verdicts come from confidence"
            " sequences that hold at every look (anytime-valid, 5 % error in total). The p values and intervals assume a"
            " number of games fixed in advance and support no claims here."
        )
    if not any(record.swapped for record in comparison.records):
        notes.append("Each side is listed first in the same share of games, so the order favours neither.")
    return notes


def _screen_of_selection(comparison: Comparison) -> dict[str, Any]:
    """Return the first screen for games that were selected by their course, which say nothing about a ruleset or
    battle.
    """
    requested = comparison.games * len(comparison.variants)
    return {
        "nothing_to_compare": "",
        "picks": [],
        "sure": f"based on the {len(comparison.records):,} of {amount(requested, 'game')} with {' and '.join(comparison.where)}; as they were"
        " selected by their course, they say nothing about a ruleset in general",
    }


def _conditions_note(comparison: Comparison, robust: Sequence[Mapping[str, Any]]) -> str:
    counts = []
    for kind, words in (("players", "set of players"), ("stand-in", "stand-in"), ("translation", "translation")):
        of_kind = [condition for condition in comparison.conditions if condition.kind == kind]
        effective = [condition for condition in of_kind if condition.records]
        without_effect = (
            f" ({len(of_kind) - len(effective)} more have no effect in this battle)"
            if len(effective) < len(of_kind)
            else ""
        )
        if of_kind:
            counts.append(
                f"{amount(len(effective), words, 'sets of players' if kind == 'players' else '')}{without_effect}"
            )
    holding = sum(row["holds"] == "holds under all" for row in robust)
    games = sum(len(records) for condition in comparison.conditions for records in condition.records.values())
    return (
        f"The primary comparisons were repeated under other conditions, one thing changed at a time: {', '.join(counts)};"
        f" {amount(games, 'game')}. {holding} of {amount(len(robust), 'claim')} {'holds' if holding == 1 else 'hold'} under all."
        " Games under a condition share their luck with those of the comparison, which makes the estimates more precise."
    )
