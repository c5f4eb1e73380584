"""Odds of morale: checks, second rolls, lost leaders and routs (PAY-128 to PAY-135, PAY-148 to PAY-171)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.grammar import amount
from zareba.odds import Formula, SmallBattle, after_steps, binomial, count_outcomes, outcomes_of, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.chapters.guns.gunnery import cover_shock as shock
from zareba_rulesets.paychest.chapters.leaders import leaders_lost
from zareba_rulesets.paychest.chapters.morale.forced import fall_back, flee_singly, rally, rally_roll, run_inches
from zareba_rulesets.paychest.chapters.morale.morale import check_morale, second_roll
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.odds.closed import OF_A_RUN, PROCEDURES, RUNS, skip_consequences
from zareba_rulesets.paychest.odds.stage import Hits, Inches, Kind, Men, bare_battle, bare_unit, lone

__all__ = ["HEARD", "ROLLS", "LeaderFacts", "MoraleFacts", "RoutFacts", "ShockFacts", "leader_loss", "result_of"]

HEARD = frozenset({"second morale roll", "steady"})
"""Events for results that leave no trace on a unit."""
SINGLY, ROUTS = frozenset({"forced.singly"}), frozenset({"forced.move", "forced.rally"})
Dice = Annotated[int, Field(ge=1, le=20)]
Moves = Annotated[int, Field(ge=1, le=50)]
RoutState = Literal["rallied", "off", "running"]
Routed = tuple[RoutState, int]


@dataclass(frozen=True)
class LeaderFacts:
    """A unit that has lost its leader (PAY-128) or makes its second morale roll (PAY-151)."""

    kind: Kind


@dataclass(frozen=True)
class MoraleFacts(LeaderFacts):
    """A unit's morale check with this many hits this turn (PAY-149)."""

    hits: Hits


@dataclass(frozen=True)
class ShockFacts:
    """Hidden figures under a shot that calls for a shock roll (PAY-189)."""

    hidden: Men
    kind: Kind = "irregular"


@dataclass(frozen=True)
class FlightFacts:
    """Figures that each run on `at_most` or less (PAY-155, PAY-156)."""

    figures: Men = 6
    at_most: Hits = 2


@dataclass(frozen=True)
class RoutFacts:
    """A rout with these dice, starting this far from the table edge, followed for some moves (PAY-130, PAY-158)."""

    inches: Inches
    dice: Dice = 3
    rallies: bool = True
    moves: Moves = 5


def result_of(table: Table, unit: Unit) -> str:
    """Return the result of a unit's morale rolls (PAY-128, PAY-151)."""
    heard = [str(event.data.get("result", "passes")) for event in table.events if event.kind in HEARD]
    return heard[-1] if heard else unit.rout or unit.pending or "inactive"


def _situation_with_roll(start: Battle, roll: Callable[[Table, Battle], Any]) -> SmallBattle:
    """Return a situation with one roll of a unit: "passes", or the result of the roll that follows."""

    def act(table: Table, battle: Battle, _: None) -> str:
        passed = roll(table, battle)
        return "passes" if passed is True else result_of(table, battle.unit("unit"))

    return SmallBattle(start, [act], hears=HEARD)


ROLLS = skip_consequences(OF_A_RUN, RUNS)
"""Leaves out how far figures run, which does not affect the result of a roll."""


@PROCEDURES.of("PAY-148", closed=ROLLS, result=str)
def morale(rules: Rules, facts: MoraleFacts) -> SmallBattle:
    """A unit's morale check, with its second roll."""
    refuse(not facts.hits, "a unit without hits makes no check: hits (PAY-148)")
    battle = lone(rules, facts.kind)
    battle.unit("unit").hits = facts.hits
    return _situation_with_roll(battle, lambda table, battle: check_morale(table, battle, battle.change("unit")))


@PROCEDURES.of("PAY-151", closed=ROLLS, result=str)
def second_morale(rules: Rules, facts: LeaderFacts) -> SmallBattle:
    """The second morale roll alone."""
    start = lone(rules, facts.kind)
    return _situation_with_roll(start, lambda table, battle: second_roll(table, battle, battle.change("unit")))


@PROCEDURES.of("PAY-128", closed=ROLLS, result=str)
def leader_loss(rules: Rules, facts: LeaderFacts) -> SmallBattle:
    """The loss of a unit's leader.

    The result when the leader of two figures has fallen.
    """
    battle = lone(rules, facts.kind, led=True)
    battle.figure("unit.1").fate = "dead"
    return _situation_with_roll(battle, lambda table, battle: leaders_lost(table, battle, ["unit.1"]))


@PROCEDURES.of("PAY-189", closed=ROLLS, result=str)
def cover_shock(rules: Rules, facts: ShockFacts) -> SmallBattle:
    """Shock to hidden figures under gun fire."""
    spots = [(2.0 + 2 * (number % 28), 12.0 + 2 * (number // 28)) for number in range(facts.hidden)]
    unit = bare_unit("unit", "red", spots, kind=facts.kind)
    for figure in unit.figures.values():
        figure.mark("down")

    def roll(table: Table, battle: Battle) -> bool:
        return not shock(table, battle, battle.unit("unit").able)

    return _situation_with_roll(bare_battle(rules, [unit]), roll)


def flight_chances(rules: Rules, facts: FlightFacts) -> dict[int, Fraction]:
    """Return the chances of each number of runners: all figures roll separately with the same chance."""
    one = count_outcomes(rules, stand_or_run(rules, FlightFacts(1, facts.at_most)))
    return binomial(facts.figures, one.get(1, Fraction(0)))


@PROCEDURES.of("PAY-155", closed=Formula(flight_chances, SINGLY), running=int)
def stand_or_run(rules: Rules, facts: FlightFacts) -> SmallBattle:
    """Number of figures that run off singly."""
    unit = bare_unit("unit", "red", [(2.0 * number, 24.0) for number in range(facts.figures)])
    battle = bare_battle(rules, [unit], width=400.0)

    def act(table: Table, battle: Battle, _: None) -> int:
        return len(flee_singly(table, battle, battle.change("unit"), facts.at_most, dice=1, backs=True))

    return SmallBattle(battle, [act], paths=2**facts.figures)


# --- routs ------------------------------------------------------------------------------------------------------------


def rout_chances(rules: Rules, facts: RoutFacts) -> dict[Routed, Fraction]:
    """Return the chances of how a rout ends, by the inches covered before the edge.

    Before each move but the first the unit may rally.
    """
    battle = rout(rules, facts).start

    def chances_of_roll(roll: Callable[[Table], Any]) -> dict[Any, Fraction]:
        return count_outcomes(rules, SmallBattle(battle, [lambda table, *_: roll(table)]))

    rallies = chances_of_roll(lambda table: facts.rallies and rally_roll(table, battle, "unit")).get(True, Fraction(0))
    runs = chances_of_roll(lambda table: run_inches(table, facts.dice, "unit"))

    def runs_after(number: int, inches_gone: int) -> Iterator[tuple[int | Routed, Fraction]]:
        again = 1 - rallies if number > 1 else Fraction(1)
        yield ("rallied", number - 1), 1 - again
        for inches, p in runs.items():
            yield ("off", number) if inches_gone + inches >= facts.inches else inches_gone + inches, again * p

    def move(number: int) -> Callable[[int | Routed], Iterable[tuple[int | Routed, Fraction]]]:
        return lambda now: runs_after(number, now) if isinstance(now, int) else [(now, Fraction(1))]

    ends: dict[int | Routed, Fraction] = after_steps(0, map(move, range(1, facts.moves + 1)))
    return outcomes_of(ends, lambda end: ("running", facts.moves) if isinstance(end, int) else end)


@PROCEDURES.of("PAY-158", closed=Formula(rout_chances, ROUTS), state=RoutState, moves=int)
def rout(rules: Rules, facts: RoutFacts) -> SmallBattle:
    """A rout, move by move.

    The first move is made at once; before each later one a rout that can rally rolls for it. The state is rallied, off
    the table or still running, with the number of moves made.
    """
    unit = bare_unit("unit", "red", [(30.0, facts.inches)], kind="irregular")
    battle = bare_battle(rules, [unit], depth=facts.inches + 1)
    routs = {
        (result.dice, result.rallies): name
        for name, result in battle.book.results.items()
        if result.rout and result.dice
    }
    refuse(
        (facts.dice, facts.rallies) not in routs,
        f"no rout of {amount(facts.dice, 'die', 'dice')} that {'rallies' if facts.rallies else 'does not rally'}: dice, rallies (PAY-158)",
    )
    unit.rout = routs[facts.dice, facts.rallies]

    def run(table: Table, battle: Battle, moves: int) -> int:
        unit = battle.change("unit")
        if not moves:
            fall_back(table, battle, unit, facts.dice, backs=True)
        elif not unit.rout or not unit.able or rally(table, battle, unit):
            return moves
        return moves + 1

    def outcome(battle: Battle, moves: int) -> Routed:
        unit = battle.unit("unit")
        return "off" if not unit.able else "running" if unit.rout else "rallied", moves

    return SmallBattle(battle, [run] * facts.moves, outcome, 0)
