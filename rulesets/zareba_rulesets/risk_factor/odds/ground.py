"""Odds of what depends on where figures stand: sighting, markers, surrender, prisoners (RSK-143, RSK-150 to RSK-189)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.space.bearings import widest_gap
from zareba.table import Table
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.guards import held, must_kill
from zareba_rulesets.risk_factor.manoeuvre import is_closed_in
from zareba_rulesets.risk_factor.odds.limits import Centimetres, Group, Men
from zareba_rulesets.risk_factor.sight import spots

__all__ = ["GROUND"]

Markers = Annotated[int, Field(ge=1, le=60)]


@dataclass(frozen=True)
class SightingFacts:
    """Looking for a figure `depth` cm inside cover at these distances, one turn after another; `fired` of late."""

    distances: tuple[float, ...] = (45.0,)
    depth: Centimetres = 3.0
    fired: bool = False


@dataclass(frozen=True)
class SightingOutcome:
    """The turn in which it is first seen, 0 for never."""

    turn: int


def _sighting_legs(rules: Rules, facts: SightingFacts) -> list[Leg]:
    book = RskBook(rules)
    look_depth, far = book.settings.woods_look_depth, float("inf")

    def look(turn: int, distance: float) -> Callable[[Table, Slate], None]:
        def stage(table: Table, slate: Slate) -> None:
            if slate.values:
                return
            die = table.roll(1, 6, why="sighting", rule="RSK-151", actor=str(turn))
            edge = distance if facts.depth <= look_depth else far
            deep = distance if facts.depth <= max(look_depth, book.settings.woods_fire_depth) else far
            if deep < far and spots(book, edge, deep, die, facts.fired, False):
                slate.values = (turn,)

        return stage

    stages = [look(turn, distance) for turn, distance in enumerate(facts.distances, start=1)]
    return [Leg(Slate, stages, lambda slate: slate.values, lambda slate: slate.values or (0,))]


@dataclass(frozen=True)
class MarkersFacts:
    """Hidden markers, dummies too, that all see an enemy (RSK-189)."""

    markers: Markers = 9


@dataclass(frozen=True)
class MarkersOutcome:
    any_moves: bool


def _markers_legs(rules: Rules, facts: MarkersFacts) -> list[Leg]:
    def throw(table: Table, slate: Slate) -> None:
        moves = table.roll(1, 6, why="marker moves", rule="RSK-189", actor="marker") == 6
        slate.values = (moves or (slate.values[0] if slate.values else False),)

    return [Leg(Slate, [throw] * facts.markers, lambda slate: slate.values, lambda slate: slate.values or (False,))]


@dataclass(frozen=True)
class SurrenderFacts:
    """Routers with enemies or closed ground at these bearings within their reach (RSK-143)."""

    bearings: tuple[int, ...] = (20, 95, 170, 250, 320)


@dataclass(frozen=True)
class SurrenderOutcome:
    """Whether they surrender, and the widest angle without a blocker."""

    surrenders: bool
    widest: int


def _surrender_legs(rules: Rules, facts: SurrenderFacts) -> list[Leg]:
    book = RskBook(rules)

    def judge(table: Table, slate: Slate) -> None:
        around = [float(bearing) for bearing in facts.bearings]
        slate.values = (is_closed_in(around, book.settings.rout_escape_gap), int(widest_gap(set(around))))

    return [slate_leg(judge)]


@dataclass(frozen=True)
class PrisonersFacts:
    """Prisoners in the hands of a group: how many guard, how many kill; a group without quarter kills as it must."""

    prisoners: Group = 8
    guards: Men = 1
    killers: Men = 0
    no_quarter_group: Men = 0


@dataclass(frozen=True)
class PrisonersOutcome:
    """How many escape, how many are killed this turn, and how many are left."""

    escape: int
    killed: int
    left: int


def _prisoners_legs(rules: Rules, facts: PrisonersFacts) -> list[Leg]:
    counts = RskBook(rules).counts
    killers = (
        must_kill(facts.no_quarter_group, facts.prisoners, counts["must_kill"])
        if facts.no_quarter_group
        else facts.killers
    )
    guards = max(0, facts.no_quarter_group - killers) if facts.no_quarter_group else facts.guards

    def judge(table: Table, slate: Slate) -> None:
        stay = held(facts.prisoners, guards, killers, counts["guarded"])
        killed = min(stay, counts["dispatched"] * killers)
        slate.values = (facts.prisoners - stay, killed, stay - killed)

    return [slate_leg(judge)]


GROUND = (
    Procedure(
        "sighting",
        "RSK-150",
        "When a concealed figure is seen",
        SightingFacts,
        SightingOutcome,
        _sighting_legs,
        lambda values: SightingOutcome(*values),
    ),
    Procedure(
        "markers",
        "RSK-189",
        "Whether any hidden marker moves",
        MarkersFacts,
        MarkersOutcome,
        _markers_legs,
        lambda values: MarkersOutcome(*values),
    ),
    Procedure(
        "surrender",
        "RSK-143",
        "Whether routers have a way out",
        SurrenderFacts,
        SurrenderOutcome,
        _surrender_legs,
        lambda values: SurrenderOutcome(*values),
    ),
    Procedure(
        "prisoners",
        "RSK-157",
        "Prisoners who escape, are killed, or stay",
        PrisonersFacts,
        PrisonersOutcome,
        _prisoners_legs,
        lambda values: PrisonersOutcome(*values),
    ),
)
