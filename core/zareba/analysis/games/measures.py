"""What a single game says: who led, who lost what to which cause, what its table time comes to.

The lead at the end of a turn is the difference of the scores that decide the battle, as a share of the points in play;
where no points are in play, of strength. In front is who would win if the battle ended then, as the common law has it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.records import GameRecord
from zareba.scenario.victory import front

__all__ = [
    "cause_share",
    "course",
    "decisive_moment",
    "drama",
    "final_lead",
    "lead",
    "lead_changes",
    "leaders",
    "lost",
    "lost_in_all",
    "table_time",
]


def leaders(record: GameRecord) -> list[str | None]:
    """The side in front at the end of each turn, None while they are level (start left out)."""
    return [
        front(
            {side: record.score[side][turn] for side in record.sides},
            {side: record.strength[side][turn] for side in record.sides},
        )
        for turn in range(1, record.turns + 1)
    ]


def table_time(record: GameRecord, seconds: Mapping[str, float] = SECONDS) -> float:
    """A sixtieth of what its acts come to by declared seconds: an index, for nobody has held a watch to it."""
    return math.fsum(seconds[act] * number for act, number in record.acts.items()) / 60


def lead(record: GameRecord, side: str, turn: int) -> float:
    """How far `side` is ahead of any other at the end of `turn` (0 is the start): a share of the points in play."""
    of, whole = (record.score, record.in_play) if record.in_play else (record.strength, 1)
    others = (numbers[turn] for other, numbers in of.items() if other != side)
    return (of[side][turn] - max(others)) / whole


def lost(record: GameRecord, side: str) -> float:
    """Share of its starting strength that `side` lost."""
    return math.fsum(record.losses[side].values())


def lost_in_all(record: GameRecord) -> float:
    """Share of its starting strength that a side lost, averaged over the sides."""
    return math.fsum(lost(record, side) for side in record.sides) / len(record.sides)


def cause_share(record: GameRecord, cause: str) -> float | None:
    """Share of all strength lost that went to `cause`; None when nothing was lost."""
    total = math.fsum(lost(record, side) for side in record.sides)
    return math.fsum(record.losses[side][cause] for side in record.sides) / total if total else None


def course(record: GameRecord) -> tuple[Any, ...]:
    """What has happened in a game, so that two that went alike agree in it."""
    return record.winner, record.turns, record.strength, record.score, record.dice, record.draws


def lead_changes(record: GameRecord) -> int:
    """How often another side came to the front; turns that end level are passed over."""
    reigns = [side for side in leaders(record) if side is not None]
    return sum(before != after for before, after in itertools.pairwise(reigns))


def drama(record: GameRecord) -> float | None:
    """How far the winner was behind, averaged over the turns; None when nobody won."""
    winner = record.winner
    if winner is None or record.turns == 0:
        return None
    return math.fsum(max(0.0, -lead(record, winner, t)) for t in range(1, record.turns + 1)) / record.turns


def decisive_moment(record: GameRecord) -> float | None:
    """The turn in which the winner took the lead for good, as a share of the length; None when nobody won.

    0 when it led from the first turn on, 1 when it won without being in front at the end.
    """
    if record.winner is None or record.turns == 0:
        return None
    taken: int | None = None
    for turn, side in enumerate(leaders(record), start=1):
        if side == record.winner and taken is None:
            taken = turn
        elif side not in (record.winner, None):
            taken = None
    if taken is None:
        return 1.0
    return 0.0 if taken == 1 else taken / record.turns


def final_lead(record: GameRecord) -> float:
    """The lead of the first side at the end."""
    return lead(record, record.sides[0], -1)
