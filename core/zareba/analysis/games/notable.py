"""Find the games worth looking at: those that stand out, and those in which two variants differ most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import median
from typing import Any, NamedTuple

from zareba.analysis.games.game_replay import command_of_record
from zareba.analysis.games.measures import final_lead, lead_changes, mean_losses
from zareba.analysis.games.records import GameRecord
from zareba.analysis.statistics.estimates import Column
from zareba.base.grammar import amount

__all__ = ["Notable", "identical_in_all", "most_different", "notable"]

SHOWN = 5
"""Number of games listed for each two variants."""


class Notable(NamedTuple):
    """A game that stands out: its distinction, variant, number and a summary."""

    what: str
    variant: str
    game: int
    words: str


def notable(records: Sequence[GameRecord], sides: Mapping[str, str] | None = None) -> list[Notable]:
    """Return the most typical game of each variant, the bloodiest, the longest, and the one with the most lead changes.

    The most typical game is nearest to the medians of length, losses and final lead, each relative to the range of the
    games. A game is listed once, under its first distinction. `sides` maps side ids to names.
    """
    by_variant: dict[str, list[GameRecord]] = {}
    for record in records:
        by_variant.setdefault(record.variant, []).append(record)
    found = []
    for variant, games in by_variant.items():
        outstanding: dict[int, str] = {}
        for what, size in _sizes(games).items():
            best = max(games, key=lambda one: (size(one), -one.game))
            outstanding.setdefault(best.game, what)
        by_number = {one.game: one for one in games}
        found += [
            Notable(what, variant, game, _words(by_number[game], sides or {})) for game, what in outstanding.items()
        ]
    return found


def _sizes(games: Sequence[GameRecord]) -> Mapping[str, Callable[[GameRecord], float]]:
    measures: tuple[Callable[[GameRecord], float], ...] = (lambda one: float(one.turns), mean_losses, final_lead)
    middles = [median(map(measure, games)) for measure in measures]
    spreads = [max(map(measure, games)) - min(map(measure, games)) or 1.0 for measure in measures]

    def ordinary(one: GameRecord) -> float:
        parts = zip(measures, middles, spreads, strict=True)
        return -max(abs(measure(one) - middle) / spread for measure, middle, spread in parts)

    return {
        "most typical": ordinary,
        "bloodiest": mean_losses,
        "longest": lambda one: float(one.turns),
        "most lead changes": lambda one: float(lead_changes(one)),
    }


def _words(record: GameRecord, sides: Mapping[str, str]) -> str:
    won = f"won by {sides.get(record.winner, record.winner)}" if record.winner else "a draw"
    changes = lead_changes(record)
    return (
        f"{amount(record.turns, 'turn')}, {won}; {amount(changes, 'lead change')}; "
        f"{100 * mean_losses(record):.0f} % losses"
    )


def most_different(columns: Sequence[Column], scenario: str) -> list[dict[str, Any]]:
    """Return, for every two variants of one ruleset, the games that differ most, with the commands that replay them.

    Such variants share the luck of each game. Games with different winners come first, then those with the largest
    difference in final lead, then in length.
    """
    found = []
    for one, other in combinations(columns, 2):
        if one.variant.ruleset != other.variant.ruleset:
            continue
        games = sorted(_pairs(one, other), key=lambda pair: _apart(*pair), reverse=True)
        found.append(
            {
                "first": one.variant.name,
                "second": other.variant.name,
                "games": [
                    {
                        "game": a.game,
                        "winners": [a.winner, b.winner],
                        "leads": [round(final_lead(a), 6), round(final_lead(b), 6)],
                        "turns": [a.turns, b.turns],
                        "again": [
                            command_of_record(a, one.variant, scenario),
                            command_of_record(b, other.variant, scenario),
                        ],
                    }
                    for a, b in games[:SHOWN]
                    if _apart(a, b) > (False, 0.0, 0)
                ],
                "alike": sum(_apart(a, b) == (False, 0.0, 0) for a, b in games),
                "of": len(games),
            }
        )
    return found


def identical_in_all(pair: Mapping[str, Any], first: str, second: str) -> str:
    """Say that all games of two variants came out alike, so that there is nothing to compare."""
    return (
        f"{first} and {second} share the luck of each game, and all {amount(pair['of'], 'game')} went alike: the"
        " difference between them rarely or never matters in this battle."
    )


def _pairs(one: Column, other: Column) -> Iterator[tuple[GameRecord, GameRecord]]:
    theirs = {record.game: record for record in other.records}
    return ((record, theirs[record.game]) for record in one.records if record.game in theirs)


def _apart(a: GameRecord, b: GameRecord) -> tuple[bool, float, int]:
    return a.winner != b.winner, abs(final_lead(a) - final_lead(b)), abs(a.turns - b.turns)
