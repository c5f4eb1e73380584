"""Games of a comparison that are worth looking at: those that stand out, and those in which two variants part most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import median
from typing import Any, NamedTuple

from zareba.analysis.games.game_replay import again
from zareba.analysis.games.measures import final_lead, lead_changes, lost_in_all
from zareba.analysis.games.records import GameRecord
from zareba.analysis.statistics.estimates import Column
from zareba.base.amounts import amount

__all__ = ["Notable", "identical_in_all", "most_different", "notable"]

SHOWN = 5
"""Games of each two variants that are named."""


class Notable(NamedTuple):
    """A game that stands out: by what, of which variant, its number, and how it went."""

    what: str
    variant: str
    game: int
    words: str


def notable(records: Sequence[GameRecord], sides: Mapping[str, str] | None = None) -> list[Notable]:
    """Of each variant the most ordinary game, the bloodiest, the longest, and the one in which the lead changed most.

    The most ordinary lies nearest to the middle in length, losses and final lead, each measured by how far games spread.
    A game is named once, for the first that it is. `sides` are the names of the sides, by their ids.
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
    measures: tuple[Callable[[GameRecord], float], ...] = (lambda one: float(one.turns), lost_in_all, final_lead)
    middles = [median(map(measure, games)) for measure in measures]
    spreads = [max(map(measure, games)) - min(map(measure, games)) or 1.0 for measure in measures]

    def ordinary(one: GameRecord) -> float:
        parts = zip(measures, middles, spreads, strict=True)
        return -max(abs(measure(one) - middle) / spread for measure, middle, spread in parts)

    return {
        "the most ordinary": ordinary,
        "the bloodiest": lost_in_all,
        "the longest": lambda one: float(one.turns),
        "the one in which the lead changed most": lambda one: float(lead_changes(one)),
    }


def _words(record: GameRecord, sides: Mapping[str, str]) -> str:
    won = f"won by {sides.get(record.winner, record.winner)}" if record.winner else "a draw"
    changes = lead_changes(record)
    return (
        f"{amount(record.turns, 'turn')}, {won}; the lead changed {amount(changes, 'time')}; "
        f"{100 * lost_in_all(record) / len(record.sides):.0f} % lost for good"
    )


def most_different(columns: Sequence[Column], scenario: str) -> list[dict[str, Any]]:
    """Of each two variants of one ruleset, whose games share their luck: the games that differ most, ready to be replayed.

    Those with another winner come first; among them, and among the rest, the greater the difference of the final leads,
    then of the lengths.
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
                        "again": [again(a, one.variant, scenario), again(b, other.variant, scenario)],
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
    """Of two variants none of whose games differ, called so: that there is nothing to compare."""
    return (
        f"{first} and {second} share the luck of each game, and {amount(pair['of'], 'game')} came out alike: what they differ"
        " in plays no part in this battle, or in too few of its games."
    )


def _pairs(one: Column, other: Column) -> Iterator[tuple[GameRecord, GameRecord]]:
    theirs = {record.game: record for record in other.records}
    return ((record, theirs[record.game]) for record in one.records if record.game in theirs)


def _apart(a: GameRecord, b: GameRecord) -> tuple[bool, float, int]:
    return a.winner != b.winner, abs(final_lead(a) - final_lead(b)), abs(a.turns - b.turns)
