"""Odds of command: a leader's points, and the chain of command (RSK-050 to RSK-070)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.command import roll_points
from zareba_rulesets.risk_factor.odds.limits import Class, Group

__all__ = ["COMMAND", "PointsFacts"]

Link = Literal[
    "none", "veteran", "raw", "hero", "musician",
    "disloyal_veteran", "disloyal_raw", "disloyal_hero", "disloyal_musician",
]  # fmt: skip
DISLOYAL = "disloyal_"


@dataclass(frozen=True)
class PointsFacts:
    """A leader who wants to command `figures` men of one group, loyal, disloyal or routing; `busy`: he loads or fires."""

    figures: Group = 10
    leader: Class = "veteran"
    busy: bool = False
    loyal: bool = True
    routing: bool = False


@dataclass(frozen=True)
class PointsOutcome:
    """Whether the whole group is commanded, and the points thrown."""

    commanded: bool
    points: int


def _points_legs(rules: Rules, facts: PointsFacts) -> list[Leg]:
    book = RskBook(rules)
    counts = book.counts
    each = counts["loyal_cost"] if facts.loyal else counts["disloyal_cost"]
    if facts.routing:
        each = counts["router_cost"] if facts.loyal else book.settings.command_disloyal_router_cost

    def throw(table: Table, slate: Slate) -> None:
        _, points = roll_points(table, book, facts.leader, facts.busy, "leader")
        slate.values = (points >= each * facts.figures, points)

    return [slate_leg(throw)]


@dataclass(frozen=True)
class ChainFacts:
    """An officer, the leaders he links in turn, and the loyal squads (figures each) he then buys in order (RSK-061).

    A `disloyal_` leader costs more points (RSK-057). `musicians` is the class of musicians among the links, read where they throw their own dice too (RSK-054).
    """

    officer: Class = "veteran"
    busy: bool = False
    links: tuple[Link, ...] = ("veteran", "raw")
    squads: tuple[Group, ...] = (9, 9, 9)
    musicians: Class = "veteran"


@dataclass(frozen=True)
class ChainOutcome:
    """How many of the squads are commanded; each is bought if the points left pay for all of it (RSK-059)."""

    squads: int


def _chain_legs(rules: Rules, facts: ChainFacts) -> list[Leg]:
    book = RskBook(rules)
    free = book.settings.command_link_cost == "free"

    def officer(table: Table, slate: Slate) -> None:
        slate.values = (roll_points(table, book, facts.officer, facts.busy, "officer")[1], 0)

    def link(name: str, number: int) -> Callable[[Table, Slate], None]:
        kind, loyal = name.removeprefix(DISLOYAL), not name.startswith(DISLOYAL)
        cost = 0 if free else book.counts["loyal_cost" if loyal else "disloyal_cost"]

        def stage(table: Table, slate: Slate) -> None:
            pool, music = slate.values
            if pool < cost or kind == "none":
                return
            if kind == "musician":
                extra = table.roll(1, 6, why="drum or bugle", rule="RSK-054", actor="music") if not music else 0
                if book.settings.command_musician == "class_dice":
                    extra += roll_points(table, book, facts.musicians, False, f"link {number}")[1]
                slate.values = (pool - cost + extra, 1)
            else:
                slate.values = (pool - cost + roll_points(table, book, kind, False, f"link {number}")[1], music)

        return stage

    def result(slate: Slate) -> ChainOutcome:
        pool, bought = slate.values[0], 0
        for squad in facts.squads:
            price = squad * book.counts["loyal_cost"]
            if pool >= price:
                pool, bought = pool - price, bought + 1
        return ChainOutcome(bought)

    stages = [officer, *(link(kind, number) for number, kind in enumerate(facts.links))]
    return [Leg(Slate, stages, lambda slate: slate.values, result)]


COMMAND = (
    Procedure(
        "command_points",
        "RSK-050",
        "A leader's throw and one group",
        PointsFacts,
        PointsOutcome,
        _points_legs,
        lambda values: PointsOutcome(*values),
    ),
    Procedure(
        "command_chain",
        "RSK-061",
        "The chain of command and squads bought in order",
        ChainFacts,
        ChainOutcome,
        _chain_legs,
        lambda result: result,
    ),
)
