"""What a comparison measures: each metric with its definition in words and its samples, one value a game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from zareba.analysis.acts import ACTS, SECONDS
from zareba.analysis.measures import (
    cause_share,
    decisive_moment,
    drama,
    final_lead,
    lead_changes,
    lost,
    lost_in_all,
    table_time,
)
from zareba.analysis.records import CAUSES, ENDINGS, GameRecord
from zareba.brought import installed_metrics, left_out
from zareba.errors import ZarebaError
from zareba.scenario.law import EVEN

__all__ = ["METRICS", "Kind", "Metric", "Sample", "Scope", "all_metrics", "measure"]

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


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and the press question it belongs to; its first sample is the one that is compared.

    `margin`: a difference that is too small to matter, declared in advance.
    """

    id: str
    title: str
    question: str
    definition: str
    primary: bool
    samples: Callable[[Sequence[GameRecord], Scope], list[Sample]]
    margin: float | None = None


def _balance(record: GameRecord, scope: Scope) -> float:
    first, *others = scope.sides
    return float(record.winner == first) - float(record.winner in others)


def _each(records: Iterable[GameRecord], value: Callable[[GameRecord], float | None]) -> tuple[float | None, ...]:
    return tuple(value(record) for record in records)


def _per_turn(count: Callable[[GameRecord], float]) -> Callable[[GameRecord], float | None]:
    return lambda record: count(record) / record.turns if record.turns else None


def _outcome(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    def share(name: str, winner: str | None) -> Sample:
        return Sample(name, "share", "share", _each(records, lambda record: float(record.winner == winner)))

    return [*(share(f"won by {side}", side) for side in scope.sides), share("drawn", None)]


def _side_balance(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    name = f"won by {scope.sides[0]} minus won by others"
    return [Sample(name, "mean", "share", _each(records, lambda record: _balance(record, scope)), -1.0)]


def _first_listed(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    def gain(record: GameRecord) -> float:
        return 0.0 if record.winner is None else 1.0 if record.winner == record.listed else -1.0

    return [Sample("won by who is listed first minus won by others", "mean", "share", _each(records, gain), -1.0)]


def _own_law(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
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


def _ending(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    def share(ending: str) -> Sample:
        values = _each(records, lambda record: float(record.ending == ending))
        return Sample(ending.replace("_", " "), "share", "share", values)

    decided = _each(records, lambda record: float(record.ending not in ("turn_limit", "act_limit")))
    return [Sample("ended before a limit", "share", "share", decided), *map(share, scope.endings)]


def _length(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    turns = _each(records, lambda record: record.turns)
    kinds: tuple[tuple[str, Kind], ...] = (
        ("mean", "mean"),
        ("median", "median"),
        ("shortest tenth up to", "p10"),
        ("longest tenth from", "p90"),
    )
    return [Sample(name, kind, "turns", turns) for name, kind in kinds]


def _table_time(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
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


def _choice(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
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
        Sample("decisions a turn", "mean", "choices", _each(records, _per_turn(sensible))),
        Sample("genuine choices a turn", "mean", "choices", _each(records, _per_turn(genuine))),
        *(of_side(side) for side in scope.sides),
        Sample("decisions that are genuine", "mean", "share", _each(records, genuine_share)),
        Sample("acts at a genuine choice", "mean", "acts", _each(records, options)),
    ]


def _losses(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
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


def _changes_of_lead(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    return [Sample("changes a game", "count", "changes", _each(records, lead_changes))]


def _drama_of_winner(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    return [Sample("winner behind by", "mean", "share", _each(records, drama))]


def _decision(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    return [Sample("decided after", "mean", "of length", _each(records, decisive_moment))]


def _dice_spread(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    return [Sample(f"final lead of {scope.sides[0]}", "spread", "share", _each(records, final_lead), -1.0)]


def _stake(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    def of_choice(record: GameRecord) -> float | None:
        met = sum(effort.genuine for effort in record.effort.values())
        return record.stake / met if met and record.stake else None

    return [Sample("at stake in a choice", "mean", "of a unit", _each(records, of_choice))]


def _bookkeeping(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    def together(record: GameRecord) -> float:
        return sum(record.acts[act] for act in BOOKKEEPING)

    def of_act(act: str) -> Sample:
        values = _each(records, _per_turn(lambda record: record.acts[act]))
        return Sample(f"{_plural(act)} a turn", "mean", "a turn", values)

    return [
        Sample("handfuls, cards, look-ups and markers a turn", "mean", "a turn", _each(records, _per_turn(together))),
        *(of_act(act) for act in (*BOOKKEEPING, "die")),
    ]


METRICS = (
    Metric(
        "M1",
        "Outcome",
        "balance",
        "Share of games that each side wins by the scenario's objectives and points, and share drawn.",
        True,
        _outcome,
        0.05,
    ),
    Metric(
        "M2",
        "Side balance",
        "balance",
        "Share of games that the first side wins minus the share won by anybody else; 0 is even.",
        False,
        _side_balance,
    ),
    Metric(
        "M3",
        "First place",
        "balance",
        "Share of games won by the side that is listed first minus the share won by others. Each side is listed first as"
        " often, so that this is what a system gives to the one that it names first, moves first or sets up first where"
        " the scenario leaves that open; 0 is nothing.",
        False,
        _first_listed,
    ),
    Metric(
        "M18",
        "Its own law",
        "balance",
        "What the system's own law of victory says of the same games, where its rules have one: how often it gives another"
        " winner than the scenario's objectives and points do, and what both went by.",
        False,
        _own_law,
    ),
    Metric(
        "M4",
        "Ending",
        "decision",
        "Share of games by the way they end; no game should be cut off by the act limit.",
        False,
        _ending,
    ),
    Metric("M5", "Length", "speed", "Game turns begun until the end.", True, _length, 0.5),
    Metric(
        "M6",
        "Table time",
        "speed",
        "What people would do at a table (handfuls of dice, cards, units and pieces moved, measurements, look-ups, markers,"
        " decisions with more than one sensible answer), each weighed by declared seconds and told in minutes: an index to"
        " compare systems by, for nobody has held a watch to it.",
        False,
        _table_time,
    ),
    Metric(
        "M7",
        "Choice",
        "control",
        "Decisions with something at stake and more than one sensible answer, a game turn; and genuine choices, those with"
        " more than one legal act: how many both sides meet a turn, each side in a game, their share of all that is asked,"
        " and how many acts they offer; acts that are looked for one by one count unless somebody looked and found them closed.",
        False,
        _choice,
    ),
    Metric(
        "M8",
        "Weight of a choice",
        "control",
        "What is at stake in a genuine choice, to a commander with sense: the worth of the best answer less that of the"
        " middling one, in shares of a unit's strength.",
        False,
        _stake,
    ),
    Metric(
        "M10",
        "Losses",
        "bloodiness",
        "Share of its strength that a side loses for good (dead, taken, run off), averaged over the sides; losses by cause as"
        " shares of all strength lost, in games with a loss.",
        True,
        _losses,
        0.05,
    ),
    Metric(
        "M11",
        "Changes of lead",
        "suspense",
        "How often another side is in front at the end of a turn: would win if the battle ended then, by points, or with equal"
        f" points by more than {EVEN:.0%} of strength; going in front first is no change.",
        True,
        _changes_of_lead,
        0.1,
    ),
    Metric(
        "M12",
        "Drama",
        "suspense",
        "How far the later winner was behind, as a share of the points in play (of strength where there are none), averaged"
        " over the turns; won games only.",
        False,
        _drama_of_winner,
    ),
    Metric(
        "M13",
        "Decisive moment",
        "suspense",
        "The turn in which the winner went in front for good, as a share of the length: 0 when it was in front from the first"
        " turn on, 1 when it went in front in the last turn; won games only.",
        False,
        _decision,
    ),
    Metric(
        "M16",
        "Spread of the dice",
        "luck",
        "Standard deviation of the first side's final lead, as a share of the points in play (of strength where there are"
        " none), with the same players throughout.",
        False,
        _dice_spread,
    ),
    Metric(
        "M17",
        "Bookkeeping",
        "bookkeeping",
        "Handfuls of dice, cards drawn, numbers looked up and markers laid or taken, a game turn; and the dice in the handfuls.",
        False,
        _bookkeeping,
    ),
)
"""The metrics of a comparison. The primary ones were chosen in advance; the others explore."""


@cache
def all_metrics() -> tuple[Metric, ...]:
    """The metrics of zareba and those that installed packages bring, which explore and are never primary.

    One that cannot stand beside the others is left out, with a warning.
    """
    found = {metric.id: metric for metric in METRICS}
    for package, metric in installed_metrics():
        if not isinstance(metric, Metric):
            left_out(package, "metrics", f"{metric!r} is none")
        elif metric.primary:
            left_out(package, "metrics", f"'{metric.id}' is primary, and only zareba's own can be")
        elif metric.id in found:
            left_out(package, "metrics", f"the id '{metric.id}' is taken")
        else:
            found[metric.id] = metric
    return tuple(found.values())


def measure(metric: Metric, records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """What a metric says of some games; raises ZarebaError naming the metric when it cannot."""
    try:
        return metric.samples(records, scope)
    except Exception as error:
        raise ZarebaError(f"the metric '{metric.id}' cannot be measured: {type(error).__name__}: {error}") from error
