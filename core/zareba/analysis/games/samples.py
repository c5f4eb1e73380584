"""The numbers that metrics are made of: of each, how it is estimated, its unit, and its value in every game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from zareba.analysis.games.acts import ACTS, SECONDS
from zareba.analysis.games.measures import (
    cause_share,
    decisive_moment,
    drama,
    final_lead,
    lead_changes,
    lost,
    lost_in_all,
    table_time,
)
from zareba.analysis.games.playouts import uncertainty
from zareba.analysis.games.records import CAUSES, ENDINGS, GameRecord

__all__ = ["AN_HOUR", "Kind", "Sample", "Scope"]

AN_HOUR = "an hour of table time"
"""How the name of a number ends that is counted for each hour of table time."""
BOOKKEEPING = ("handful", "card", "look-up", "marker")

Kind = Literal["share", "mean", "count", "median", "p10", "p90", "spread"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What all variants of a comparison have in common: the sides, every ending that was seen, the seconds of each act."""

    sides: tuple[str, ...]
    endings: tuple[str, ...]
    seconds: Mapping[str, float] = field(default_factory=lambda: SECONDS)

    @classmethod
    def of(cls, records: Sequence[GameRecord], seconds: Mapping[str, float] = SECONDS) -> Scope:
        """The scope of some games of one scenario, at least one."""
        seen = {record.ending for record in records} | {"act_limit"}
        known = tuple(ending for ending in ENDINGS if ending in seen)
        return cls(records[0].sides, known + tuple(sorted(seen - set(ENDINGS))), seconds)


@dataclass(frozen=True, slots=True)
class Sample:
    """One number of a metric: how it is estimated, in which unit, its value in each game, and between what it lies.

    A game to which it does not apply has None and is not counted. A share has 0 or 1 a game; a count is a mean of small
    whole numbers, most of which may be 0.
    """

    name: str
    kind: Kind
    unit: str
    values: tuple[float | None, ...]
    low: float = 0.0
    high: float | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that it can be."""
        top = 1.0 if self.unit in ("share", "of length") else math.inf
        return self.low, top if self.high is None else self.high


def _gain(record: GameRecord, side: str) -> float:
    """1 where a side has won, 0 in a draw, else -1 over the number of the others: 0 on average where all win as often."""
    return 0.0 if record.winner is None else 1.0 if record.winner == side else -1.0 / (len(record.sides) - 1)


def _each(records: Iterable[GameRecord], value: Callable[[GameRecord], float | None]) -> tuple[float | None, ...]:
    return tuple(value(record) for record in records)


def _per_turn(count: Callable[[GameRecord], float]) -> Callable[[GameRecord], float | None]:
    return lambda record: count(record) / record.turns if record.turns else None


def _per_hour(count: Callable[[GameRecord], float], scope: Scope) -> Callable[[GameRecord], float | None]:
    """A count for each hour of table time, by the declared seconds."""

    def rate(record: GameRecord) -> float | None:
        hours = table_time(record, scope.seconds) / 60
        return count(record) / hours if hours else None

    return rate


def outcome(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Who wins, in shares."""

    def share(name: str, winner: str | None) -> Sample:
        return Sample(name, "share", "share", _each(records, lambda record: float(record.winner == winner)))

    return [*(share(f"won by {side}", side) for side in scope.sides), share("drawn", None)]


def side_balance(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """By how much the first side wins more often."""
    name = f"won by {scope.sides[0]} minus won by others"
    return [Sample(name, "mean", "share", _each(records, lambda record: _gain(record, scope.sides[0])), -1.0)]


def first_listed(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """What it is worth to be listed first."""
    gains = _each(records, lambda record: _gain(record, record.listed))
    return [Sample("won by who is listed first minus won by others", "mean", "share", gains, -1.0)]


def own_law(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Who wins by the system's own law, how often that is somebody else, and what both went by where they differ."""
    bound = [record for record in records if record.own_ground]

    def differs(record: GameRecord) -> float | None:
        return float(record.own_winner != record.winner) if record.own_ground else None

    def share(name: str, winner: str | None) -> Sample:
        return Sample(
            name, "share", "share", _each(records, lambda r: float(r.own_winner == winner) if r.own_ground else None)
        )

    def because(ground: str, own_ground: str) -> Sample:
        name = f"the common law by {ground}, its own by {own_ground}"
        both = _each(
            records,
            lambda r: float(r.own_winner != r.winner and (r.ground, r.own_ground) == (ground, own_ground)) if r.own_ground else None,
        )  # fmt: skip
        return Sample(name, "share", "share", both)

    reasons = sorted({(record.ground, record.own_ground) for record in bound if record.own_winner != record.winner})
    return [
        Sample("games in which its own law gives another winner", "share", "share", _each(records, differs)),
        *(share(f"won by {side} by its own law", side) for side in scope.sides),
        share("drawn by its own law", None),
        *(because(*reason) for reason in reasons),
    ]


def ending(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """How games end."""

    def share(ending: str) -> Sample:
        values = _each(records, lambda record: float(record.ending == ending))
        return Sample(ending.replace("_", " "), "share", "share", values)

    decided = _each(records, lambda record: float(record.ending not in ("turn_limit", "act_limit")))
    return [Sample("ended before a limit", "share", "share", decided), *map(share, scope.endings)]


def length(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """How long they last."""
    turns = _each(records, lambda record: record.turns)
    kinds: tuple[tuple[str, Kind], ...] = (
        ("mean", "mean"),
        ("median", "median"),
        ("shortest tenth up to", "p10"),
        ("longest tenth from", "p90"),
    )
    return [Sample(name, kind, "turns", turns) for name, kind in kinds]


def time_at_table(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """What their acts come to."""

    def time(record: GameRecord) -> float:
        return table_time(record, scope.seconds)

    return [
        Sample("mean", "mean", "index", _each(records, time)),
        Sample("median", "median", "index", _each(records, time)),
        Sample("a turn", "mean", "index", _each(records, _per_turn(time))),
        *(_act(act, records) for act in ACTS),
    ]


def _act(act: str, records: Sequence[GameRecord]) -> Sample:
    return Sample(_plural(act), "mean", "a game", _each(records, lambda record: record.acts[act]))


def _plural(act: str) -> str:
    return {"die": "dice", "unit moved": "units moved", "piece moved": "pieces moved"}.get(act, f"{act}s")


def choice(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """What there is to decide."""

    def genuine(record: GameRecord) -> int:
        return sum(effort.genuine for effort in record.effort.values())

    def genuine_share(record: GameRecord) -> float | None:
        decisions = sum(effort.decisions for effort in record.effort.values())
        return genuine(record) / decisions if decisions else None

    def options(record: GameRecord) -> float | None:
        forced = sum(effort.decisions - effort.genuine for effort in record.effort.values())
        offered = sum(effort.options for effort in record.effort.values())
        return (offered - forced) / genuine(record) if genuine(record) else None

    def of_side(side: str) -> Sample:
        values = _each(records, lambda record: record.effort[side].genuine)
        return Sample(f"genuine choices of {side}", "mean", "choices", values)

    def sensible(record: GameRecord) -> float:
        return record.acts["decision"]

    return [
        Sample("decisions a battle", "mean", "choices", _each(records, sensible)),
        Sample(f"decisions {AN_HOUR}", "mean", "choices", _each(records, _per_hour(sensible, scope))),
        Sample("decisions a turn", "mean", "choices", _each(records, _per_turn(sensible))),
        Sample("genuine choices a turn", "mean", "choices", _each(records, _per_turn(genuine))),
        *(of_side(side) for side in scope.sides),
        Sample("decisions that are genuine", "mean", "share", _each(records, genuine_share)),
        Sample("acts at a genuine choice", "mean", "acts", _each(records, options)),
    ]


def losses(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Who loses what to which cause."""

    def of_side(side: str) -> Sample:
        values = _each(records, lambda record: lost(record, side))
        return Sample(f"lost by {side}", "mean", "share", values)

    def by_cause(cause: str) -> Sample:
        values = _each(records, lambda record: cause_share(record, cause))
        return Sample(f"losses by {cause}", "mean", "share", values)

    return [
        Sample("lost of a side's strength", "mean", "share", _each(records, lost_in_all)),
        *(of_side(side) for side in scope.sides),
        *(by_cause(cause) for cause in CAUSES),
        Sample("turn of first loss", "mean", "turns", _each(records, lambda record: record.first_loss)),
    ]


def changes_of_lead(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """How often the lead changes."""
    return [Sample("changes a game", "count", "changes", _each(records, lead_changes))]


def drama_of_winner(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """How far the winner was behind."""
    return [Sample("winner behind by", "mean", "share", _each(records, drama))]


def decision(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """When it is decided."""
    return [Sample("decided after", "mean", "of length", _each(records, decisive_moment))]


def dice_spread(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """How far games end apart."""
    return [Sample(f"final lead of {scope.sides[0]}", "spread", "share", _each(records, final_lead), -1.0)]


def stake(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """What a choice is about."""

    def of_choice(record: GameRecord) -> float | None:
        return record.stake / record.weighed if record.weighed else None

    return [Sample("at stake in a choice", "mean", "of a unit", _each(records, of_choice))]


def openness(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """How open games are while they last."""
    return [Sample("open over the turns", "mean", "share", _each(records, lambda record: uncertainty(record.chances)))]


def friction(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """How often units are left standing."""

    def share(part: Callable[[GameRecord], int]) -> tuple[float | None, ...]:
        return _each(records, lambda record: part(record) / record.unit_turns if record.unit_turns else None)

    return [
        Sample(
            "turns of units in which the rules leave one standing", "mean", "share", share(lambda record: record.denied)
        ),
        Sample("turns of units in which one stands idle", "mean", "share", share(lambda record: record.idle)),
    ]


def bookkeeping(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """What there is to throw, draw, look up and mark."""

    def together(record: GameRecord) -> float:
        return sum(record.acts[act] for act in BOOKKEEPING)

    def of_act(act: str) -> Sample:
        values = _each(records, _per_turn(lambda record: record.acts[act]))
        return Sample(f"{_plural(act)} a turn", "mean", "a turn", values)

    return [
        Sample("handfuls, cards, look-ups and markers a battle", "mean", "a battle", _each(records, together)),
        Sample(
            f"handfuls, cards, look-ups and markers {AN_HOUR}",
            "mean",
            "an hour",
            _each(records, _per_hour(together, scope)),
        ),
        Sample("handfuls, cards, look-ups and markers a turn", "mean", "a turn", _each(records, _per_turn(together))),
        *(of_act(act) for act in (*BOOKKEEPING, "die")),
    ]
