"""Odds of morale: checks, second rolls, lost leaders, routs (PAY-128 to PAY-135, PAY-148 to PAY-171)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Literal

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure, Slate, odds, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.fates import Body, fates
from zareba_rulesets.paychest.forced import flee_singly, rally_roll, run_inches
from zareba_rulesets.paychest.leaders import leaders_lost, loss_of_leader
from zareba_rulesets.paychest.morale import check_morale, second_roll
from zareba_rulesets.paychest.odds.fire import ShotFacts, fire_tallies, hits_of_shots
from zareba_rulesets.paychest.odds.legs import (
    Bound,
    Hits,
    Inches,
    Kind,
    Men,
    Still,
    StruckFacts,
    Wounds,
    counted_leg,
    kinds_of,
    lone,
    result_leg,
    shown_to_fire,
    told,
)
from zareba_rulesets.paychest.odds.stage import bare_battle, bare_unit
from zareba_rulesets.paychest.pileup import several

__all__ = ["PROCEDURES", "FlightFacts", "LeaderFacts", "MoraleFacts", "MoraleOutcome", "RoutFacts", "TargetLeaderFacts"]

Dice = Annotated[int, Field(ge=1, le=20)]
Moves = Annotated[int, Field(ge=1, le=50)]


@dataclass(frozen=True)
class MoraleFacts:
    """A unit's check with so many hits this turn (PAY-149)."""

    kind: Kind
    hits: Hits


@dataclass(frozen=True)
class MoraleOutcome:
    """ "passes", or the result of the second roll (Table 8)."""

    result: str


@dataclass(frozen=True)
class LeaderFacts:
    """A unit that has lost its leader (PAY-128)."""

    kind: Kind


@dataclass(frozen=True)
class LeaderOutcome:
    """ "passes", or the result that follows (Table 9)."""

    result: str


@dataclass(frozen=True)
class FlightFacts:
    """Men who each run on `at_most` or less (PAY-155, PAY-156)."""

    figures: Men = 6
    at_most: Hits = 2


@dataclass(frozen=True)
class FlightOutcome:
    running: int


@dataclass(frozen=True)
class TargetLeaderFacts(ShotFacts, StruckFacts):
    """Shots at one leader figure, and what his loss does to a unit of this kind; his wounds are apart from the firer's.

    `exposure` counts with `exposure_check` all_fire (PAY-188).
    """

    shots: Hits = 1
    kind: Kind = "irregular"
    leader_leg_wounds: Wounds = 0
    leader_other_wounds: Wounds = 0


@dataclass(frozen=True)
class TargetLeaderOutcome:
    """`lost`: killed, unconscious or unable to walk; `result` "no roll", "passes" or what follows."""

    hits: int
    lost: bool
    result: str


@dataclass(frozen=True)
class RoutFacts:
    """A rout of this many dice, so far from the table edge, followed for a number of moves (PAY-130, PAY-158)."""

    inches: Inches
    dice: Dice = 3
    rallies: bool = True
    moves: Moves = 5


@dataclass(frozen=True)
class RallyOutcome:
    rallied: bool


@dataclass(frozen=True)
class RunOutcome:
    inches: int


@dataclass(frozen=True)
class RoutOutcome:
    """ "rallied", "off" the table or still "running", and after how many moves."""

    state: Literal["rallied", "off", "running"]
    moves: int


def morale_legs(rules: Rules, facts: MoraleFacts) -> list[Leg]:
    def roll(table: Table, battle: Battle) -> bool:
        battle.change("unit").hits = facts.hits
        return check_morale(table, battle, battle.change("unit"))

    return [result_leg(rules, facts.kind, roll)]


def second_legs(rules: Rules, facts: LeaderFacts) -> list[Leg]:
    def roll(table: Table, battle: Battle) -> bool:
        second_roll(table, battle, battle.change("unit"))
        return False

    return [result_leg(rules, facts.kind, roll)]


def leader_legs(rules: Rules, facts: LeaderFacts) -> list[Leg]:
    return [result_leg(rules, facts.kind, lambda table, battle: loss_of_leader(table, battle, battle.change("unit")))]


def one_runs_legs(rules: Rules, facts: FlightFacts) -> list[Leg]:
    def stage(table: Table, battle: Battle) -> None:
        battle.order = flee_singly(Bound(table), battle, battle.change("unit"), facts.at_most, dice=1, backs=True)

    return [Leg(lambda: lone(rules, "regular"), [stage], lambda b: len(b.order), lambda b: len(b.order))]


ONE_RUNS = Procedure(
    "one_runs", "PAY-155", "Whether one man runs", FlightFacts, FlightOutcome, one_runs_legs, FlightOutcome
)


def flight_legs(rules: Rules, facts: FlightFacts) -> list[Leg]:
    """Each man for himself, and all with the same chance."""
    runs = odds(rules, ONE_RUNS, facts).probability(lambda outcome: outcome.running > 0)
    return [counted_leg(several(facts.figures, runs))]


def lost_leader_legs(rules: Rules, facts: LeaderFacts) -> list[Leg]:
    """What follows when the leader of two men has fallen."""
    rank = "sergeant" if facts.kind == "regular" else "leader"

    def start() -> Battle:
        unit = bare_unit("unit", "red", [(10.0, 24.0), (13.0, 24.0)], kind=facts.kind, leader=rank)
        unit.figures["unit.1"].fate = "dead"
        return bare_battle(rules, [unit])

    def stage(table: Table, battle: Battle) -> None:
        leaders_lost(Still(table), battle, ["unit.1"])
        unit = battle.unit("unit")
        passed = any(event.kind == "steady" for event in table.events)
        battle.order = [
            "passes" if passed else told(table, "second morale roll", unit.rout or unit.pending or "inactive")
        ]

    return [Leg(start, [stage], lambda battle: battle.order[0], lambda battle: battle.order[0])]


def target_leader_legs(rules: Rules, facts: TargetLeaderFacts) -> list[Leg]:
    """How many shots hit, and whether they cost him his command; then what his unit makes of it."""
    book = PaychestBook(rules)
    hits = hits_of_shots(rules, facts, facts.shots)
    collapse, laming = book.settings.collapse_at_wounds, book.file.leg_wounds_that_lame.wounds
    leader = Body()
    for wound, times in (("leg_wound", facts.leader_leg_wounds), ("wound", facts.leader_other_wounds)):
        for _ in range(times):
            leader = leader.after(wound, collapse, laming)
    if leader.fate != "able" or leader.lame:
        raise ZarebaError(
            "a leader with these wounds is lost already: leader_leg_wounds, leader_other_wounds (PAY-128)"
        )
    deck = kinds_of(rules, facts, shown_to_fire(rules, facts))
    after = fates(deck, (leader,), max(hits), collapse, laming)
    found: dict[tuple[int, bool], Fraction] = {}
    for number, chance in hits.items():
        for (body,), p in after[number].items():
            key = number, body.fate != "able" or body.lame
            found[key] = found.get(key, Fraction(0)) + chance * p
    return [counted_leg(found), *lost_leader_legs(rules, LeaderFacts(facts.kind))]


def target_leader_outcome(shots: tuple[int, bool], result: str) -> TargetLeaderOutcome:
    hits, lost = shots
    return TargetLeaderOutcome(hits, lost, result if lost else "no roll")


def rally_legs(rules: Rules, _: RoutFacts) -> list[Leg]:
    battle = lone(rules, "irregular")

    def stage(table: Table, slate: Slate) -> None:
        slate.values = (rally_roll(table, battle, "unit"),)

    return [slate_leg(stage)]


def run_legs(_: Rules, facts: RoutFacts) -> list[Leg]:
    def stage(table: Table, slate: Slate) -> None:
        slate.values = (run_inches(table, facts.dice, "unit"),)

    return [slate_leg(stage)]


RALLY = Procedure("rally", "PAY-158", "Whether a rout ends", RoutFacts, RallyOutcome, rally_legs)
RUN = Procedure("run", "PAY-163", "How far a forced move goes", RoutFacts, RunOutcome, run_legs)


def rout_legs(rules: Rules, facts: RoutFacts) -> list[Leg]:
    """The first move is run at once; before each later one a rout that rallies rolls for it (P13)."""
    rallies = odds(rules, RALLY, facts).probability(lambda outcome: outcome.rallied) if facts.rallies else Fraction(0)
    runs = {outcome.inches: p for outcome, p in odds(rules, RUN, facts).outcomes.items()}
    whole = lcm(*(p.denominator for p in runs.values()))
    ways = {inches: p.numerator * (whole // p.denominator) for inches, p in runs.items()}
    found: dict[tuple[str, int], Fraction] = {}
    left, running = (
        {0: 1},
        Fraction(1),
    )  # inches gone, short of the edge -> ways; the chance of each way, without a rally
    for number in range(1, facts.moves + 1):
        if number > 1:
            found["rallied", number - 1] = running * rallies * sum(left.values())
            running *= 1 - rallies
        following: dict[int, int] = {}
        off = 0
        for gone, here in left.items():
            for inches, times in ways.items():
                if gone + inches >= facts.inches:
                    off += here * times
                else:
                    following[gone + inches] = following.get(gone + inches, 0) + here * times
        left = following
        running /= whole
        found["off", number] = running * off
    found["running", facts.moves] = running * sum(left.values())
    return [counted_leg({key: p for key, p in found.items() if p})]


PROCEDURES = (
    Procedure(
        "morale",
        "PAY-148",
        "A unit's morale check with its second roll",
        MoraleFacts,
        MoraleOutcome,
        morale_legs,
        MoraleOutcome,
    ),
    Procedure(
        "second_morale",
        "PAY-151",
        "The second morale roll alone",
        LeaderFacts,
        MoraleOutcome,
        second_legs,
        MoraleOutcome,
    ),
    Procedure(
        "stand_or_run",
        "PAY-155",
        "How many men run by themselves",
        FlightFacts,
        FlightOutcome,
        flight_legs,
        FlightOutcome,
    ),
    Procedure(
        "leader_loss",
        "PAY-128",
        "A unit that has lost its leader",
        LeaderFacts,
        LeaderOutcome,
        leader_legs,
        LeaderOutcome,
    ),
    Procedure(
        "shots_at_leader",
        "PAY-092",
        "Shots at a leader and what his loss does",
        TargetLeaderFacts,
        TargetLeaderOutcome,
        target_leader_legs,
        target_leader_outcome,
        fire_tallies,
    ),
    Procedure(
        "rout",
        "PAY-158",
        "A rout, move by move",
        RoutFacts,
        RoutOutcome,
        rout_legs,
    ),
)
