"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Literal

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.space.bearings import widest_gap
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.risk_factor.actions import throw_die
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.command import roll_points
from zareba_rulesets.risk_factor.manoeuvre import is_closed_in
from zareba_rulesets.risk_factor.odds_fight import FIGHTS
from zareba_rulesets.risk_factor.prisoners import held, must_kill
from zareba_rulesets.risk_factor.risk import RiskFacts, joined
from zareba_rulesets.risk_factor.sight import spots
from zareba_rulesets.risk_factor.slate import Slate, slate_leg

__all__ = ["PROCEDURES"]

Class = Literal["veteran", "raw", "hero"]
Link = Literal["none", "veteran", "raw", "hero", "musician"]
Sheet = Literal["missile", "melee"]


# --- command ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PointsFacts:
    """A leader who wants to command `figures` men of one group, loyal, disloyal or routing; `busy`: he loads or fires."""

    figures: int = 10
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
    """An officer, the leaders he links in turn, and the loyal squads (figures each) he then buys in order (RSK-061)."""

    officer: Class = "veteran"
    busy: bool = False
    links: tuple[Link, ...] = ("veteran", "raw")
    squads: tuple[int, ...] = (9, 9, 9)


@dataclass(frozen=True)
class ChainOutcome:
    """How many of the squads are commanded; each is bought if the points left pay for all of it (RSK-059)."""

    squads: int


def _chain_legs(rules: Rules, facts: ChainFacts) -> list[Leg]:
    book = RskBook(rules)
    cost = 0 if book.settings.command_link_cost == "free" else book.counts["loyal_cost"]

    def officer(table: Table, slate: Slate) -> None:
        slate.values = (roll_points(table, book, facts.officer, facts.busy, "officer")[1], 0)

    def link(kind: str, number: int) -> Callable[[Table, Slate], None]:
        def stage(table: Table, slate: Slate) -> None:
            pool, music = slate.values
            if pool < cost or kind == "none":
                return
            if kind == "musician":
                extra = table.roll(1, 6, why="drum or bugle", rule="RSK-054", actor="music") if not music else 0
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


# --- Risk Factor and Action -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ActionFacts:
    """Table R for one unit and its Action throw; conditions as in the Risk Factor, `casualties` full tenths lost.

    `risk` fixes the Risk Factor itself and leaves the conditions unread. `commanded`: what is not blue binds it.
    """

    table: Sheet = "melee"
    commanded: bool = False
    falling_back: bool = False
    risk: int | None = None
    nothing_in_view: bool = False
    hero: bool = False
    superior: bool = False
    in_cover: bool = False
    advancing: bool = False
    in_range: bool = False
    raw_in_range: bool = False
    casualties: int = 0
    flank: bool = False
    friends: bool = False
    cavalry: bool = False
    routing: bool = False
    worse: bool = False

    def risk_facts(self) -> RiskFacts:
        names = {field.name for field in fields(ActionFacts)} & set(RiskFacts.__dataclass_fields__)
        return joined(RiskFacts(**{name: getattr(self, name) for name in names}))


@dataclass(frozen=True)
class ActionOutcome:
    """The Risk Factor, the result, and whether it binds the unit."""

    risk: int
    result: str
    bound: bool


def _risk_of(rules: Rules, facts: ActionFacts) -> int:
    return facts.risk if facts.risk is not None else rules.tally("risk_factor", facts.risk_facts()).total


def _action_legs(rules: Rules, facts: ActionFacts) -> list[Leg]:
    book, risk = RskBook(rules), _risk_of(rules, facts)

    def throw(table: Table, slate: Slate) -> None:
        result = book.action(facts.table, risk, throw_die(table, "unit"), facts.falling_back)
        slate.values = (risk, result, not facts.commanded or result not in book.blue)

    return [slate_leg(throw)]


def _action_tallies(rules: Rules, facts: ActionFacts) -> list[Tally]:
    return [] if facts.risk is not None else [rules.tally("risk_factor", facts.risk_facts())]


@dataclass(frozen=True)
class ContactFacts(ActionFacts):
    """The same for a unit that the tables run, `distance` cm from its enemy: does it come into contact this turn?

    `allowance` is its move in cm; `native`: it goes D6 cm farther.
    """

    distance: float = 28.0
    allowance: float = 25.0
    native: bool = True


@dataclass(frozen=True)
class ContactOutcome:
    """Whether it attacks, and whether it reaches the enemy."""

    attacks: bool
    contact: bool


def _contact_legs(rules: Rules, facts: ContactFacts) -> list[Leg]:
    book, risk = RskBook(rules), _risk_of(rules, facts)
    near = facts.distance <= book.lengths["advance_to_attack"] and facts.table == "melee"

    def throw(table: Table, slate: Slate) -> None:
        result = book.action(facts.table, risk, throw_die(table, "unit"), facts.falling_back)
        attacks = result == "attack" or (result in ("advance", "towards") and near)
        reach = facts.allowance
        if attacks and facts.native and reach < facts.distance:
            reach += table.roll(1, 6, why="attack", rule="RSK-137", actor="unit")
        slate.values = (attacks, attacks and reach >= facts.distance)

    return [slate_leg(throw)]


@dataclass(frozen=True)
class BeatenFacts:
    """A side of groups with these Risk Factors, all on one table: has it lost after its Action throws (RSK-183)?"""

    risks: tuple[int, ...] = (9, 7)
    table: Sheet = "melee"


@dataclass(frozen=True)
class BeatenOutcome:
    beaten: bool


def _beaten_legs(rules: Rules, facts: BeatenFacts) -> list[Leg]:
    book = RskBook(rules)

    def throw(number: int, risk: int) -> Callable[[Table, Slate], None]:
        def stage(table: Table, slate: Slate) -> None:
            back = book.action(facts.table, risk, throw_die(table, f"unit {number}"), False) in ("retreat", "rout")
            slate.values = (back and (slate.values[0] if slate.values else True),)

        return stage

    stages = [throw(number, risk) for number, risk in enumerate(facts.risks)]
    return [Leg(Slate, stages, lambda slate: slate.values, lambda slate: slate.values)]


# --- sight, markers, prisoners -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SightingFacts:
    """Looking for a figure `depth` cm inside cover at these distances, one turn after another; `fired` of late."""

    distances: tuple[float, ...] = (45.0,)
    depth: float = 3.0
    fired: bool = False


@dataclass(frozen=True)
class SightingOutcome:
    """The turn in which it is first seen, 0 for never."""

    turn: int


def _sighting_legs(rules: Rules, facts: SightingFacts) -> list[Leg]:
    book = RskBook(rules)
    far = float("inf")

    def look(turn: int, distance: float) -> Callable[[Table, Slate], None]:
        def stage(table: Table, slate: Slate) -> None:
            if slate.values:
                return
            die = table.roll(1, 6, why="sighting", rule="RSK-151", actor=str(turn))
            edge = distance if facts.depth <= book.settings.woods_look_depth else far
            deep = distance if facts.depth <= book.settings.woods_fire_depth else far
            if deep < far and spots(book, edge, deep, die, facts.fired, False):
                slate.values = (turn,)

        return stage

    stages = [look(turn, distance) for turn, distance in enumerate(facts.distances, start=1)]
    return [Leg(Slate, stages, lambda slate: slate.values, lambda slate: slate.values or (0,))]


@dataclass(frozen=True)
class MarkersFacts:
    """Hidden markers, dummies too, that all see an enemy (RSK-189)."""

    markers: int = 9


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

    prisoners: int = 8
    guards: int = 1
    killers: int = 0
    no_quarter_group: int = 0


@dataclass(frozen=True)
class PrisonersOutcome:
    """How many escape, how many are killed this turn, and how many are left."""

    escape: int
    killed: int
    left: int


def _prisoners_legs(rules: Rules, facts: PrisonersFacts) -> list[Leg]:
    counts = RskBook(rules).counts
    killers = must_kill(facts.no_quarter_group, facts.prisoners) if facts.no_quarter_group else facts.killers
    guards = max(0, facts.no_quarter_group - killers) if facts.no_quarter_group else facts.guards

    def judge(table: Table, slate: Slate) -> None:
        stay = held(facts.prisoners, guards, killers, counts["guarded"])
        killed = min(stay, counts["dispatched"] * killers)
        slate.values = (facts.prisoners - stay, killed, stay - killed)

    return [slate_leg(judge)]


# --- the list -----------------------------------------------------------------------------------------------------------------


def _of(outcome: Callable[..., Any]) -> Callable[[tuple[Any, ...]], Any]:
    return lambda values: outcome(*values)


PROCEDURES = {
    procedure.name: procedure
    for procedure in (
        Procedure(
            "command_points",
            "RSK-050",
            "A leader's throw and one group",
            PointsFacts,
            PointsOutcome,
            _points_legs,
            _of(PointsOutcome),
        ),
        Procedure(
            "command_chain",
            "RSK-061",
            "The chain of command and squads bought in order",
            ChainFacts,
            ChainOutcome,
            _chain_legs,
            lambda r: r,
        ),
        Procedure(
            "action",
            "RSK-127",
            "Risk Factor and Action throw of a unit",
            ActionFacts,
            ActionOutcome,
            _action_legs,
            _of(ActionOutcome),
            _action_tallies,
        ),
        Procedure(
            "charge_contact",
            "RSK-137",
            "Whether a unit the tables run reaches its enemy",
            ContactFacts,
            ContactOutcome,
            _contact_legs,
            _of(ContactOutcome),
            _action_tallies,
        ),
        Procedure(
            "side_beaten",
            "RSK-183",
            "Whether a side has lost after its Action throws",
            BeatenFacts,
            BeatenOutcome,
            _beaten_legs,
            _of(BeatenOutcome),
        ),
        Procedure(
            "sighting",
            "RSK-150",
            "When a concealed figure is seen",
            SightingFacts,
            SightingOutcome,
            _sighting_legs,
            _of(SightingOutcome),
        ),
        Procedure(
            "markers",
            "RSK-189",
            "Whether any hidden marker moves",
            MarkersFacts,
            MarkersOutcome,
            _markers_legs,
            _of(MarkersOutcome),
        ),
        Procedure(
            "surrender",
            "RSK-143",
            "Whether routers have a way out",
            SurrenderFacts,
            SurrenderOutcome,
            _surrender_legs,
            _of(SurrenderOutcome),
        ),
        Procedure(
            "prisoners",
            "RSK-157",
            "Prisoners who escape, are killed, or stay",
            PrisonersFacts,
            PrisonersOutcome,
            _prisoners_legs,
            _of(PrisonersOutcome),
        ),
        *FIGHTS,
    )
}
