"""Odds of morale: checks, second rolls, lost leaders, routs (PAY-128 to PAY-135, PAY-148 to PAY-171)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Annotated, Literal

from pydantic import Field

from zareba.odds import Leg, Procedure, Slate, odds, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.casualties import strike
from zareba_rulesets.paychest.forced import flee_singly, rally_roll, run_inches
from zareba_rulesets.paychest.leaders import leaders_lost, loss_of_leader
from zareba_rulesets.paychest.morale import check_morale, second_roll
from zareba_rulesets.paychest.odds.fire import ShotFacts, fire_facts, fire_tallies
from zareba_rulesets.paychest.odds.legs import (
    Bound,
    DeckFacts,
    Hits,
    Inches,
    Kind,
    Men,
    Still,
    counted_leg,
    lone,
    merged_deck,
    result_leg,
    told,
)
from zareba_rulesets.paychest.shooting import shoot
from zareba_rulesets.paychest.trial import bare_battle, bare_unit, state_key

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
class TargetLeaderFacts(ShotFacts, DeckFacts):
    """Shots at one leader figure, and what his loss does to a unit of this kind."""

    shots: Hits = 1
    kind: Kind = "irregular"


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


def flight_legs(rules: Rules, facts: FlightFacts) -> list[Leg]:
    """Each man for himself, and all with the same chance: that of one man, found by playing him."""

    def stage(table: Table, battle: Battle) -> None:
        battle.order = flee_singly(Bound(table), battle, battle.change("unit"), facts.at_most)

    one = Leg(lambda: lone(rules, "regular"), [stage], lambda b: len(b.order), lambda b: len(b.order))
    man = odds(rules, Procedure("", "", "", FlightFacts, FlightOutcome, lambda *_: [one], FlightOutcome), facts)
    runs, men = man.probability(lambda outcome: outcome.running > 0), facts.figures
    chances = {n: comb(men, n) * runs**n * (1 - runs) ** (men - n) for n in range(men + 1)}
    return [counted_leg({n: p for n, p in chances.items() if p})]


def target_leader_legs(rules: Rules, facts: TargetLeaderFacts) -> list[Leg]:
    shot = fire_facts(rules, facts)

    def start() -> Battle:
        spots = [(10.0, 24.0), (13.0, 24.0)]
        unit = bare_unit(
            "unit", "red", spots, kind=facts.kind, leader="sergeant" if facts.kind == "regular" else "leader"
        )
        battle = bare_battle(rules, [unit])
        battle.casualties = merged_deck(rules, facts)
        return battle

    def fire(table: Table, battle: Battle) -> None:
        battle.order = [str(shoot(table, shot, 1, "firer") if shot is not None else 0)]

    def mark(table: Table, battle: Battle) -> None:
        fallen: list[str] = []
        if battle.order[-1] == "1":
            strike(table, battle, battle.figure("unit.1"), None, "fire", fallen)
        if fallen and not battle.unit("unit").lost:
            battle.change("unit").lost = ("waiting",)
        battle.order = [*battle.order[:-1], "hit" if battle.order[-1] == "1" else "miss"]

    def next_shot(table: Table, battle: Battle) -> None:
        battle.order = sorted(
            [*battle.order, str(shoot(table, shot, 1, "firer") if shot is not None else 0)], reverse=True
        )
        battle.order.sort(key=lambda word: word in ("0", "1"))

    def roll(table: Table, battle: Battle) -> None:
        unit = battle.change("unit")
        hits = str(battle.order.count("hit"))
        if not unit.lost:
            battle.order = [hits, "", "no roll"]
            return
        unit.lost = ()
        leaders_lost(Still(table), battle, ["unit.1"])
        result = "passes" if any(e.kind == "steady" for e in table.events) else ""
        result = result or told(table, "second morale roll", unit.rout or unit.pending or "inactive")
        battle.order = [hits, "lost", result]

    stages = [fire, mark, *([next_shot, mark] * (facts.shots - 1)), roll]

    def result(battle: Battle) -> tuple[int, bool, str]:
        return int(battle.order[0]), battle.order[1] == "lost", battle.order[2]

    return [Leg(start, stages, state_key, result)]


def rout_legs(rules: Rules, facts: RoutFacts) -> list[Leg]:
    """The first move is run at once; before each later one a rout that rallies rolls for it (P13)."""

    def move(number: int) -> Callable[[Table, Slate], None]:
        def stage(table: Table, slate: Slate) -> None:
            state, left, _ = slate.values
            if state != "running":
                return
            if number > 1 and facts.rallies and rally_roll(table, _rally_battle, "unit"):
                slate.values = ("rallied", 0.0, number - 1)
                return
            left -= run_inches(table, facts.dice, "unit")
            slate.values = ("off", 0.0, number) if left <= 0 else ("running", left, number)

        return stage

    _rally_battle = lone(rules, "irregular")
    stages = [move(number) for number in range(1, facts.moves + 1)]
    leg = slate_leg(*stages, first=("running", facts.inches, 0))
    return [Leg(leg.start, leg.stages, leg.key, lambda slate: (slate.values[0], slate.values[2]))]


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
        lambda r: FlightOutcome(*r),
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
        lambda r: TargetLeaderOutcome(*r),
        fire_tallies,
    ),
    Procedure(
        "rout",
        "PAY-158",
        "A rout, move by move",
        RoutFacts,
        RoutOutcome,
        rout_legs,
        lambda r: RoutOutcome(*r),
    ),
)
