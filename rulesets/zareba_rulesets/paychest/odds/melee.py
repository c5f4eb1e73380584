"""Odds of melee and morale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.grammar import amount
from zareba.odds import Formula, SmallBattle, after_step, after_steps, binomial, count_outcomes, outcomes_of, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.chapters.command import leaders_lost
from zareba_rulesets.paychest.chapters.guns import cover_shock as shock
from zareba_rulesets.paychest.chapters.melee import Fight, fight, hits_of, melee_facts
from zareba_rulesets.paychest.chapters.morale import (
    check_morale,
    fall_back,
    flee_singly,
    rally,
    rally_roll,
    run_inches,
    second_roll,
)
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.odds import stage
from zareba_rulesets.paychest.odds.stage import (
    ACTS,
    OF_A_RUN,
    PROCEDURES,
    RUNS,
    Fate,
    FigureCondition,
    Hits,
    Inches,
    Kind,
    Men,
    Skill,
    Wounds,
    after_cards,
    bare_battle,
    bare_unit,
    body_of,
    fate_word,
    set_condition,
    skip_consequences,
    two_figures,
    ways_to_hit,
)

# --- Odds of melee: one figure against one or two (PAY-136 to PAY-147) ------------------------------------------------


MEN = ("a", "b", "b2")
Fates = tuple[str, str, str]


@dataclass(frozen=True)
class MeleeFactsOfTwo:
    """Figure `a` against figure `b`, and also `b2` unless its skill is None. Skills are those of the roster."""

    a_skill: Skill
    b_skill: Skill
    b2_skill: Skill | None = None
    a_body_wounds: Wounds = 0
    b_body_wounds: Wounds = 0
    b2_body_wounds: Wounds = 0
    a_back_turned: bool = False
    b_back_turned: bool = False
    b2_back_turned: bool = False
    a_lame: bool = False
    b_lame: bool = False
    b2_lame: bool = False
    a_smashed_arms: Wounds = 0
    b_smashed_arms: Wounds = 0
    b2_smashed_arms: Wounds = 0
    a_recovered: bool = False
    b_recovered: bool = False
    b2_recovered: bool = False
    a_unarmed: bool = False
    b_unarmed: bool = False
    b2_unarmed: bool = False


@PROCEDURES.register("PAY-139", closed=skip_consequences(), on_a=int, on_b=int)
def melee(rules: Rules, facts: MeleeFactsOfTwo) -> SmallBattle:
    """Excess hits of one figure against one or two.

    Hits left on each side after they cancel (PAY-140).
    """
    spots = {"a": (10.0, 10.0), "b": (11.0, 10.0), "b2": (9.0, 10.0)}
    enemies = MEN if facts.b2_skill is not None else MEN[:2]
    units = [
        stage.bare_unit(man, "red" if man == "a" else "blue", [spots[man]], melee=getattr(facts, f"{man}_skill"))
        for man in enemies
    ]
    battle = stage.bare_battle(rules, units)
    most_hits, fewest = [0, 0], [0, 0]
    for man, unit in zip(enemies, units, strict=True):
        (figure,) = unit.figures.values()
        set_condition(battle.book, figure, facts, f"{man}_")
        stage.reject_figure_out_of_action(battle.book, figure, f"{man}_body_wounds, {man}_smashed_arms, {man}_lame")
        skill = rules.tallies["melee"].total(melee_facts(battle, figure))
        most_hits[man != "a"] += hits_of(skill, 1)
        fewest[man != "a"] += hits_of(skill, 6)
    pairing = Fight(("a.1",), tuple(f"{man}.1" for man in enemies[1:]))

    def act(table: Table, battle: Battle, _: None) -> tuple[int, int]:
        ours, theirs = fight(table, battle, pairing)
        return max(0, theirs - ours), max(0, ours - theirs)

    paths = len(battle.book.cards) ** max(0, most_hits[0] - fewest[1], most_hits[1] - fewest[0])
    return SmallBattle(battle, [act], paths=paths)


def fates_of(men: Sequence[FigureCondition]) -> Fates:
    """Return the fates of the fighters; a third man who takes no part is unhurt."""
    return fate_word(men[0]), fate_word(men[1]), fate_word(men[2]) if len(men) > 2 else "unhurt"


def casualty_chances(rules: Rules, facts: MeleeFactsOfTwo) -> dict[Fates, Fraction]:
    """Return the chances of each combination of fates, by formula.

    Hits on two figures fall on either with equal chance, or all on the first if the winner chooses (PAY-144).
    """
    situation = melee(rules, facts)
    excess, battle = ways_to_hit(rules, situation), situation.start
    a, *others = (body_of(figure) for unit in battle.units.values() for figure in unit.figures.values())
    hits = 1 if rules.settings["melee_excess_spread"] == "winner" else 2
    on_a = after_cards(rules, stage.DeckFacts(), (a,), max(ours for ours, _ in excess))
    on_b = after_cards(rules, stage.DeckFacts(), tuple(others[:hits]), max(theirs for _, theirs in excess))

    def fates_of_fallen(left: tuple[int, int]) -> Iterator[tuple[Fates, Fraction]]:
        for (mine, p), (his, q) in product(on_a[left[0]].items(), on_b[left[1]].items()):
            yield fates_of((*mine, *his, *others[hits:])), p * q

    return after_step(excess, fates_of_fallen)


@PROCEDURES.register("PAY-141", closed=Formula(casualty_chances, ACTS), a=Fate, b=Fate, b2=Fate)
def melee_casualties(rules: Rules, facts: MeleeFactsOfTwo) -> SmallBattle:
    """A melee with its casualty cards.

    The fate of each figure; b2 is "unhurt" if it took no part.
    """

    def outcome(battle: Battle, _: object) -> Fates:
        return fates_of([body_of(battle.figure(f"{man}.1")) for man in MEN if man in battle.units])

    return replace(melee(rules, facts), outcome=outcome)


# --- Odds of morale: checks, second rolls, lost leaders and routs (PAY-128 to PAY-135, PAY-148 to PAY-171) ------------


EVENTS_READ = frozenset({"second morale roll", "steady"})
"""Events for results that leave no trace on a unit."""
_SINGLY, _ROUTS = frozenset({"forced.singly"}), frozenset({"forced.move", "forced.rally"})
Dice = Annotated[int, Field(ge=1, le=20)]
Moves = Annotated[int, Field(ge=1, le=50)]
_RoutState = Literal["rallied", "off", "running"]
_Routed = tuple[_RoutState, int]


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
    results_read = [str(event.data.get("result", "passes")) for event in table.events if event.kind in EVENTS_READ]
    return results_read[-1] if results_read else unit.rout or unit.pending or "inactive"


def _situation_with_roll(start: Battle, roll: Callable[[Table, Battle], Any]) -> SmallBattle:
    """Return a situation with one roll of a unit: "passes", or the result of the roll that follows."""

    def act(table: Table, battle: Battle, _: None) -> str:
        passed = roll(table, battle)
        return "passes" if passed is True else result_of(table, battle.unit("unit"))

    return SmallBattle(start, [act], kept_events=EVENTS_READ)


ROLLS = skip_consequences(OF_A_RUN, RUNS)
"""Leaves out how far figures run, which does not affect the result of a roll."""


@PROCEDURES.register("PAY-148", closed=ROLLS, result=str)
def morale(rules: Rules, facts: MoraleFacts) -> SmallBattle:
    """A unit's morale check, with its second roll."""
    refuse(not facts.hits, "a unit without hits makes no check: hits (PAY-148)")
    battle = two_figures(rules, facts.kind)
    battle.unit("unit").hits = facts.hits
    return _situation_with_roll(battle, lambda table, battle: check_morale(table, battle, battle.change("unit")))


@PROCEDURES.register("PAY-151", closed=ROLLS, result=str)
def second_morale(rules: Rules, facts: LeaderFacts) -> SmallBattle:
    """The second morale roll alone."""
    start = two_figures(rules, facts.kind)
    return _situation_with_roll(start, lambda table, battle: second_roll(table, battle, battle.change("unit")))


@PROCEDURES.register("PAY-128", closed=ROLLS, result=str)
def leader_loss(rules: Rules, facts: LeaderFacts) -> SmallBattle:
    """The loss of a unit's leader.

    The result for a unit of two figures whose leader has fallen.
    """
    battle = two_figures(rules, facts.kind, led=True)
    battle.figure("unit.1").fate = "dead"
    return _situation_with_roll(battle, lambda table, battle: leaders_lost(table, battle, ["unit.1"]))


@PROCEDURES.register("PAY-189", closed=ROLLS, result=str)
def cover_shock(rules: Rules, facts: ShockFacts) -> SmallBattle:
    """Shock to hidden figures under gun fire."""
    spots = [(2.0 + 2 * (number % 28), 12.0 + 2 * (number // 28)) for number in range(facts.hidden)]
    unit = bare_unit("unit", "red", spots, kind=facts.kind)
    for figure in unit.figures.values():
        figure.mark("down")

    def roll(table: Table, battle: Battle) -> bool:
        return not shock(table, battle, battle.unit("unit").able)

    return _situation_with_roll(bare_battle(rules, [unit]), roll)


def _flight_chances(rules: Rules, facts: FlightFacts) -> dict[int, Fraction]:
    """Return the chances of each number of runners: all figures roll separately with the same chance."""
    of_one = count_outcomes(rules, stand_or_run(rules, FlightFacts(1, facts.at_most)))
    return binomial(facts.figures, of_one.get(1, Fraction(0)))


@PROCEDURES.register("PAY-155", closed=Formula(_flight_chances, _SINGLY), running=int)
def stand_or_run(rules: Rules, facts: FlightFacts) -> SmallBattle:
    """Number of figures that run off singly."""
    unit = bare_unit("unit", "red", [(2.0 * number, 24.0) for number in range(facts.figures)])
    battle = bare_battle(rules, [unit], width=400.0)

    def act(table: Table, battle: Battle, _: None) -> int:
        return len(flee_singly(table, battle, battle.change("unit"), facts.at_most, dice=1, backs=True))

    return SmallBattle(battle, [act], paths=2**facts.figures)


# --- routs ------------------------------------------------------------------------------------------------------------


def _rout_chances(rules: Rules, facts: RoutFacts) -> dict[_Routed, Fraction]:
    """Return the chances of how a rout ends, by the inches covered before the edge.

    Before each move but the first the unit may rally.
    """
    battle = rout(rules, facts).start

    def chances_of_roll(roll: Callable[[Table], Any]) -> dict[Any, Fraction]:
        return count_outcomes(rules, SmallBattle(battle, [lambda table, *_: roll(table)]))

    rallies = chances_of_roll(lambda table: facts.rallies and rally_roll(table, battle, "unit")).get(True, Fraction(0))
    runs = chances_of_roll(lambda table: run_inches(table, facts.dice, "unit"))

    def runs_after(number: int, inches_gone: int) -> Iterator[tuple[int | _Routed, Fraction]]:
        again = 1 - rallies if number > 1 else Fraction(1)
        yield ("rallied", number - 1), 1 - again
        for inches, p in runs.items():
            yield ("off", number) if inches_gone + inches >= facts.inches else inches_gone + inches, again * p

    def move(number: int) -> Callable[[int | _Routed], Iterable[tuple[int | _Routed, Fraction]]]:
        return lambda now: runs_after(number, now) if isinstance(now, int) else [(now, Fraction(1))]

    ends: dict[int | _Routed, Fraction] = after_steps(0, map(move, range(1, facts.moves + 1)))
    return outcomes_of(ends, lambda end: ("running", facts.moves) if isinstance(end, int) else end)


@PROCEDURES.register("PAY-158", closed=Formula(_rout_chances, _ROUTS), state=_RoutState, moves=int)
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

    def outcome(battle: Battle, moves: int) -> _Routed:
        unit = battle.unit("unit")
        return "off" if not unit.able else "running" if unit.rout else "rallied", moves

    return SmallBattle(battle, [run] * facts.moves, outcome, 0)
