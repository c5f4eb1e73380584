"""Odds of morale: checks, second rolls, lost leaders, routs (PAY-128 to PAY-135, PAY-148 to PAY-171)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.amounts import amount
from zareba.errors import ZarebaError
from zareba.odds import Situation, counted
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.forced import fall_back, flee_singly, rally, rally_roll, run_inches
from zareba_rulesets.paychest.gunnery import cover_shock as shock
from zareba_rulesets.paychest.leaders import leaders_lost
from zareba_rulesets.paychest.morale import check_morale, second_roll
from zareba_rulesets.paychest.odds.closed import OF_A_RUN, RUNS, added, aside, by, procedure
from zareba_rulesets.paychest.odds.stage import Hits, Inches, Kind, Men, bare_battle, bare_unit, lone
from zareba_rulesets.paychest.pileup import several
from zareba_rulesets.paychest.units import Unit

__all__ = [
    "HEARD",
    "ROLLS",
    "LeaderFacts",
    "MoraleFacts",
    "MoraleOutcome",
    "RoutFacts",
    "ShockFacts",
    "leader_loss",
    "result_of",
]

HEARD = frozenset({"second morale roll", "steady"})
"""What is told of results that leave no trace on a unit."""
SINGLY, ROUTS = frozenset({"forced.singly"}), frozenset({"forced.move", "forced.rally"})
Dice = Annotated[int, Field(ge=1, le=20)]
Moves = Annotated[int, Field(ge=1, le=50)]


@dataclass(frozen=True)
class LeaderFacts:
    """A unit that has lost its leader (PAY-128), or that makes its second morale roll (PAY-151)."""

    kind: Kind


@dataclass(frozen=True)
class MoraleFacts(LeaderFacts):
    """A unit's check with so many hits this turn (PAY-149)."""

    hits: Hits


@dataclass(frozen=True)
class ShockFacts:
    """Hidden men under a shot that calls for a shock roll (PAY-189)."""

    hidden: Men
    kind: Kind = "irregular"


@dataclass(frozen=True)
class MoraleOutcome:
    """ "passes", or the result of the second roll or of the loss of a leader (Tables 8 and 9)."""

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


def result_of(table: Table, unit: Unit) -> str:
    """The result of the rolls of a unit that have been made (Tables 8 and 9)."""
    heard = [str(event.data.get("result", "passes")) for event in table.events if event.kind in HEARD]
    return heard[-1] if heard else unit.rout or unit.pending or "inactive"


def _rolled(start: Callable[[], Battle], roll: Callable[[Table, Battle], Any]) -> Situation:
    """A roll of a unit, and the result that follows."""

    def act(table: Table, battle: Battle, _: None) -> MoraleOutcome:
        passed = roll(table, battle)
        return MoraleOutcome("passes" if passed is True else result_of(table, battle.unit("unit")))

    return Situation(start, [act], lambda _, told: told, hears=HEARD)


ROLLS = aside(OF_A_RUN, RUNS)
"""Without how far anybody runs, on which the result of a roll does not hang."""


@procedure("PAY-148", "A unit's morale check with its second roll", MoraleFacts, MoraleOutcome, ROLLS)
def morale(rules: Rules, facts: MoraleFacts) -> Situation:
    if not facts.hits:
        raise ZarebaError("a unit without hits makes no check: hits (PAY-148)")
    battle = lone(rules, facts.kind)
    battle.unit("unit").hits = facts.hits
    return _rolled(battle.copy, lambda table, battle: check_morale(table, battle, battle.change("unit")))


@procedure("PAY-151", "The second morale roll alone", LeaderFacts, MoraleOutcome, ROLLS)
def second_morale(rules: Rules, facts: LeaderFacts) -> Situation:
    start = lone(rules, facts.kind).copy
    return _rolled(start, lambda table, battle: second_roll(table, battle, battle.change("unit")))


@procedure("PAY-128", "A unit that has lost its leader", LeaderFacts, MoraleOutcome, ROLLS)
def leader_loss(rules: Rules, facts: LeaderFacts) -> Situation:
    """What follows when the leader of two men has fallen."""
    battle = lone(rules, facts.kind, led=True)
    battle.figure("unit.1").fate = "dead"
    return _rolled(battle.copy, lambda table, battle: leaders_lost(table, battle, ["unit.1"]))


@procedure("PAY-189", "Hidden men under fire of guns", ShockFacts, MoraleOutcome, ROLLS)
def cover_shock(rules: Rules, facts: ShockFacts) -> Situation:
    spots = [(2.0 + 2 * (number % 28), 12.0 + 2 * (number // 28)) for number in range(facts.hidden)]
    unit = bare_unit("unit", "red", spots, kind=facts.kind)
    for figure in unit.figures.values():
        figure.mark("down")

    def roll(table: Table, battle: Battle) -> bool:
        return not shock(table, battle, battle.unit("unit").able)

    return _rolled(bare_battle(rules, [unit]).copy, roll)


def flight_chances(rules: Rules, facts: FlightFacts) -> dict[FlightOutcome, Fraction]:
    """Each man for himself, and all with the same chance."""
    one = counted(rules, stand_or_run(rules, FlightFacts(1, facts.at_most)))
    return added(several(facts.figures, one.get(FlightOutcome(1), Fraction(0))), FlightOutcome)


@procedure("PAY-155", "How many men run by themselves", FlightFacts, FlightOutcome, by(flight_chances, SINGLY))
def stand_or_run(rules: Rules, facts: FlightFacts) -> Situation:
    unit = bare_unit("unit", "red", [(2.0 * number, 24.0) for number in range(facts.figures)])
    battle = bare_battle(rules, [unit], width=400.0)

    def act(table: Table, battle: Battle, _: None) -> int:
        return len(flee_singly(table, battle, battle.change("unit"), facts.at_most, dice=1, backs=True))

    return Situation(battle.copy, [act], lambda _, running: FlightOutcome(running), paths=2**facts.figures)


# --- routs ------------------------------------------------------------------------------------------------------------


def rout_chances(rules: Rules, facts: RoutFacts) -> dict[RoutOutcome, Fraction]:
    """By the inches that are gone, short of the edge, and the chance of each way there."""
    battle = rout(rules, facts).start()

    def once(roll: Callable[[Table], Any]) -> dict[Any, Fraction]:
        return counted(rules, Situation(battle.copy, [lambda table, *_: roll(table)], lambda _, gave: gave))

    rallies = (
        once(lambda table: rally_roll(table, battle, "unit")).get(True, Fraction(0)) if facts.rallies else Fraction(0)
    )
    runs = once(lambda table: run_inches(table, facts.dice, "unit"))
    found: dict[RoutOutcome, Fraction] = {}
    left = {0: Fraction(1)}
    for number in range(1, facts.moves + 1):
        if number > 1:
            found[RoutOutcome("rallied", number - 1)] = rallies * sum(left.values())
            left = {gone: p * (1 - rallies) for gone, p in left.items()}
        following: dict[int, Fraction] = {}
        off = Fraction(0)
        for gone, p in left.items():
            for inches, q in runs.items():
                if gone + inches >= facts.inches:
                    off += p * q
                else:
                    following[gone + inches] = following.get(gone + inches, Fraction(0)) + p * q
        left = following
        found[RoutOutcome("off", number)] = off
    found[RoutOutcome("running", facts.moves)] = sum(left.values(), Fraction(0))
    return {outcome: p for outcome, p in found.items() if p}


@procedure("PAY-158", "A rout, move by move", RoutFacts, RoutOutcome, by(rout_chances, ROUTS))
def rout(rules: Rules, facts: RoutFacts) -> Situation:
    """The first move is run at once; before each later one a rout that rallies rolls for it (P13)."""
    unit = bare_unit("unit", "red", [(30.0, facts.inches)], kind="irregular")
    battle = bare_battle(rules, [unit], depth=facts.inches + 1)
    routs = {
        (result.dice, result.rallies): name
        for name, result in battle.book.results.items()
        if result.rout and result.dice
    }
    if (facts.dice, facts.rallies) not in routs:
        raise ZarebaError(
            f"no rout of {amount(facts.dice, 'die', 'dice')} that {'rallies' if facts.rallies else 'does not rally'}: dice, rallies (PAY-158)"
        )
    unit.rout = routs[facts.dice, facts.rallies]

    def run(table: Table, battle: Battle, moves: int) -> int:
        unit = battle.change("unit")
        if not moves:
            fall_back(table, battle, unit, facts.dice, backs=True)
        elif not unit.rout or not unit.able or rally(table, battle, unit):
            return moves
        return moves + 1

    def outcome(battle: Battle, moves: int) -> RoutOutcome:
        unit = battle.unit("unit")
        return RoutOutcome("off" if not unit.able else "running" if unit.rout else "rallied", moves)

    return Situation(battle.copy, [run] * facts.moves, outcome, 0)
