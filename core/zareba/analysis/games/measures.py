"""Values computed from the record of one game: who led when, losses by cause, table time.

The lead at the end of a turn is the difference of the scores that decide the battle, as a share of the points in play,
or of strength if no points are in play. The side in front is the one that would win by the common victory rule if the
battle ended then.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.records import GameRecord
from zareba.scenario.victory import leading_side


def leaders(record: GameRecord) -> list[str | None]:
    """Return the side in front at the end of each turn, None if level. The start is left out."""
    return [
        leading_side(
            {side: record.score[side][turn] for side in record.sides},
            {side: record.strength[side][turn] for side in record.sides},
        )
        for turn in range(1, record.turns + 1)
    ]


def table_time(record: GameRecord, seconds: Mapping[str, float] = SECONDS) -> float | None:
    """Return the declared seconds of all acts divided by 60, or None if acts were not counted. This is an index, not a
    measured time.
    """
    if record.acts is None:
        return None
    return math.fsum(seconds[act] * number for act, number in record.acts.items()) / 60


def acts_of(record: GameRecord, *acts: str) -> int | None:
    """Return the number of acts of these kinds, or None if acts were not counted."""
    return None if record.acts is None else sum(record.acts[act] for act in acts)


def lead(record: GameRecord, side: str, turn: int) -> float:
    """Return the lead of `side` over the best other side at the end of `turn` (0 is the start).

    It is a share of the points in play, or of strength if there are none.
    """
    values_of, most = (record.score, record.in_play) if record.in_play else (record.strength, 1)
    others = (values[turn] for other, values in values_of.items() if other != side)
    return (values_of[side][turn] - max(others)) / most


def lost(record: GameRecord, side: str) -> float:
    """Return the share of its starting strength that `side` lost."""
    return math.fsum(record.losses[side].values())


def mean_losses(record: GameRecord) -> float:
    """Return the share of starting strength lost, averaged over the sides."""
    return math.fsum(lost(record, side) for side in record.sides) / len(record.sides)


def cause_share(record: GameRecord, cause: str) -> float | None:
    """Return the share of all strength lost to `cause`, or None if there were no losses."""
    total = math.fsum(lost(record, side) for side in record.sides)
    return math.fsum(record.losses[side][cause] for side in record.sides) / total if total else None


def course(record: GameRecord) -> tuple[Any, ...]:
    """Return a key that is equal for two games that went the same way."""
    return record.winner, record.turns, record.strength, record.score, record.dice, record.draws


def lead_changes(record: GameRecord) -> int:
    """Return the number of times another side went in front. Turns that end level are skipped."""
    leading_sides = [side for side in leaders(record) if side is not None]
    return sum(before != after for before, after in itertools.pairwise(leading_sides))


def drama(record: GameRecord) -> float | None:
    """Return how far the winner was behind, averaged over the turns; None for a draw."""
    winner = record.winner
    if winner is None or record.turns == 0:
        return None
    return math.fsum(max(0.0, -lead(record, winner, t)) for t in range(1, record.turns + 1)) / record.turns


def decisive_moment(record: GameRecord) -> float | None:
    """Return the turn in which the winner took the lead for good, as a share of the length; None for a draw.

    0 if the winner led from the first turn on, 1 if it won without being in front at the end.
    """
    if record.winner is None or record.turns == 0:
        return None
    turn_taken: int | None = None
    for turn, side in enumerate(leaders(record), start=1):
        if side == record.winner and turn_taken is None:
            turn_taken = turn
        elif side not in (record.winner, None):
            turn_taken = None
    if turn_taken is None:
        return 1.0
    return 0.0 if turn_taken == 1 else turn_taken / record.turns


def final_lead(record: GameRecord) -> float:
    """Return the lead of the first side at the end."""
    return lead(record, record.sides[0], -1)
