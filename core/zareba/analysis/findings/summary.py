"""The summary of a comparison as plain JSON data, including its verdicts in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zareba.analysis.compare import Comparison
from zareba.analysis.findings.advice import advise, how_sure
from zareba.analysis.findings.stand_ins import ended_by_stand_ins, games_by_stand_ins
from zareba.analysis.findings.verdicts import verdicts
from zareba.analysis.games.metrics import all_metrics
from zareba.analysis.games.notable import most_different
from zareba.analysis.statistics.estimates import MORE_TURNS, SIGNIFICANCE, Difference, compare_columns, omnibus
from zareba.analysis.statistics.robustness import robustness
from zareba.analysis.studies.set_pieces import set_pieces
from zareba.analysis.studies.sweep import curves
from zareba.analysis.studies.tournament import Match, elo_of
from zareba.base.grammar import amount

__all__ = ["BOTS_CANNOT_SAY", "summarise"]

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
    differences = compare_columns(columns)
    if comparison.stopping is not None:
        said = {(one.metric, one.first, one.second): one.said for one in comparison.verdicts()}
        differences = [
            replace(one, anytime=said.get((one.metric, one.first, one.second))) if one.primary else one
            for one in differences
        ]
    if comparison.where:
        differences = [replace(one, p_holm=None, p_alike=None) for one in differences]
    robust = robustness(differences, columns, comparison.repeated())
    shown = {(one.metric, one.first, one.second) for one in differences if one.shown}
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
            "sure": how_sure(
                estimates,
                [len(one.records) for one in columns],
                robust,
                {
                    titles.get(one.variant.name, one.variant.name): (ended, len(one.records))
                    for one in columns
                    if (ended := games_by_stand_ins(one, comparison.scenario))
                },
                looked=bool(comparison.conditions),
            ),
            **(_of_picked_games(comparison) if comparison.where else {}),
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
        "variants": [
            {
                **column.variant.to_dict(),
                "games": len(column.records),
                "metrics": {
                    id: [estimate.to_dict() for estimate in found]
                    for id, found in estimates[column.variant.name].items()
                },
                "not_in_these_rules": list(comparison.notes.get(column.variant.name, ())),
                "for_these_rules_alone": list(comparison.overrides.get(column.variant.name, ())),
                "ended_by_stand_ins": ended_by_stand_ins(column, comparison.scenario),
            }
            for column in columns
        ],
        "omnibus": {id: round(p, 6) for id, p in omnibus(columns).items()}
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
            {"kind": one.kind, "title": one.title, "games": max(map(len, one.records.values()), default=0)}
            for one in comparison.conditions
        ],
        "verdicts": verdicts(estimates, differences, titles, sides, robust),
        "set_pieces": set_pieces([column.variant for column in columns]) if comparison.with_set_pieces else [],
        "method": _method(comparison, differences, robust),
        "caution": BOTS_CANNOT_SAY,
    }


def _skill(match: Match) -> dict[str, Any]:
    """Return the room for skill (M15) that a match shows: the better player's share of points, and its Elo equivalent."""
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
        notes.append(_repeated(comparison, robust))
    elif any(one.shown for one in differences):
        notes.append("The claims were not tested with other players, stand-ins or translations; use --robust.")
    if comparison.where:
        notes.append(
            f"Only games with {' and '.join(comparison.where)} are reported. Games selected by their course are not a"
            " fair sample of a ruleset, so no claims are made."
        )
    if comparison.partial and not comparison.where:
        asked = comparison.games * len(comparison.variants)
        notes.append(f"The run was interrupted: {len(comparison.records)} of {amount(asked, 'game')} were finished.")
    notes.append(
        "Intervals are at 95 %: Wilson's for shares, the score interval for counts, Student's with Hall's transformation for"
        " means and spreads (for a spread of two values, that of their shares), and the exact percentile bootstrap for quantiles. As these are"
        " whole turns, their intervals cover more than 95 %. The interval of a difference comes from those of its values, and"
        " its p is one minus the highest confidence at which the interval excludes zero."
    )
    seconds = ", ".join(f"{number:g} a {act}" for act, number in comparison.seconds.items())
    notes.append(f"Table time is an index based on assumed seconds per act, which --seconds can change: {seconds}.")
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
            f" with more of them has at most {MORE_TURNS:g} times the turns of the other. A difference counts as shown when"
            f" Holm's adjusted p over all primary comparisons is below {SIGNIFICANCE:.0%} and, with more than two variants, the"
            " test that all are alike is rejected too. All other metrics are exploratory. Not shown does not mean equal:"
            " two variants are alike if they differ by less than a margin declared in advance, by two one-sided tests."
        )
    if comparison.stopping is not None:
        notes.append(
            "The run was set to stop as soon as every primary comparison was decided. Its verdicts come from confidence"
            " sequences that hold at every look (anytime-valid, 5 % error in total). The p values and intervals assume a"
            " number of games fixed in advance and support no claims here."
        )
    if not any(one.swapped for one in comparison.records):
        notes.append("Each side is listed first in the same share of games, so the order favours neither.")
    return notes


def _of_picked_games(comparison: Comparison) -> dict[str, Any]:
    """Return the first screen for games that were selected by their course, which say nothing about a ruleset or
    battle.
    """
    asked = comparison.games * len(comparison.variants)
    return {
        "nothing_to_compare": "",
        "picks": [],
        "sure": f"based on the {len(comparison.records)} of {amount(asked, 'game')} with {' and '.join(comparison.where)}; as they were"
        " selected by their course, they say nothing about a ruleset in general",
    }


def _repeated(comparison: Comparison, robust: Sequence[Mapping[str, Any]]) -> str:
    counts = []
    for kind, words in (("players", "set of players"), ("stand-in", "stand-in"), ("translation", "translation")):
        some = [one for one in comparison.conditions if one.kind == kind]
        touched = [one for one in some if one.records]
        idle = f" ({len(some) - len(touched)} more have no effect in this battle)" if len(touched) < len(some) else ""
        if some:
            counts.append(f"{amount(len(touched), words, 'sets of players' if kind == 'players' else '')}{idle}")
    kept = sum(one["holds"] == "holds under all" for one in robust)
    games = sum(len(games) for one in comparison.conditions for games in one.records.values())
    return (
        f"The primary comparisons were repeated under other conditions, one thing changed at a time: {', '.join(counts)};"
        f" {amount(games, 'game')}. {kept} of {amount(len(robust), 'claim')} {'holds' if kept == 1 else 'hold'} under all."
        " Games under a condition share their luck with those of the comparison, which makes the estimates more precise."
    )
