"""Odds of glory, panic, recovery and stumbling at night (chapters 14, 15 and 20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.odds import Formula, SmallBattle, after_steps
from zareba.rules import Rules
from zareba.table import Draw, Roll, Table
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.morale.glory import EVENT_RULES, glory_event, roll_recovery, test_glory
from zareba_rulesets.fixed_baynet.chapters.morale.glory import start_panic as panics
from zareba_rulesets.fixed_baynet.chapters.movement.night import roll_to_notice
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure
from zareba_rulesets.fixed_baynet.odds.fire import Men
from zareba_rulesets.fixed_baynet.odds.stage import PROCEDURES, bare_battle, bare_figure, bare_unit, does, passive

__all__ = ["CheckFacts", "GloryFacts", "RecoveryFacts"]

Glory = Annotated[int, Field(ge=1, le=7)]
Events = Annotated[int, Field(ge=0, le=6)]
Turns = Annotated[int, Field(ge=1, le=60)]
KINDS = tuple(EVENT_RULES)
REACTIONS = ("flee", "freeze", "onwards", "prone", "take_cover", "berserk")


@dataclass(frozen=True)
class GloryFacts:
    """A unit over several turns: printed and current GL, and the number of events in the first and each later turn."""

    printed: Glory = 4
    gl: Glory = 4
    events: Events = 1
    later_events: Events = 0
    turns: Turns = 1


def _alone(rules: Rules, now: int = 0, **spec: Any) -> Battle:
    """Return a battle with a unit of one man. `now` is his current GL, if it is not the printed one."""
    battle = bare_battle(rules, [bare_unit("unit", "blue", [bare_figure("man", "blue", 0, 0, **spec)])])
    _man(battle).gl = now or _man(battle).gl
    return battle


def _man(battle: Battle) -> Figure:
    return battle.units.change("unit").figures["man"]


@PROCEDURES.of("FBN-148", gl=int, panicked=bool)
def glory(rules: Rules, facts: GloryFacts) -> SmallBattle:
    """A unit's glory over several turns.

    GL after the last Glory phase; 7 is panic.
    """

    def turn(events: int) -> Callable[[Table, Battle, bool], bool]:
        def run(table: Table, battle: Battle, panicked: bool) -> bool:
            man, unit, limit = _man(battle), battle.units["unit"], battle.book.panics_at
            for kind in KINDS[:events]:
                if man.gl < limit:
                    glory_event(table, battle, unit, kind)
            if not panicked and not man.reaction and man.gl < limit:
                test_glory(table, battle, unit)
            unit.events = ()
            over = panicked or bool(man.reaction) or man.gl >= limit
            man.gl = limit if over else man.gl
            return over

        return run

    def settled(question: Roll | Draw) -> int | None:
        return 1 if question.why == "panic" else None

    turns = [turn(facts.events), *[turn(facts.later_events)] * (facts.turns - 1)]
    battle = _alone(rules, facts.gl, gl=facts.printed)
    outcome = lambda battle, over: (_man(battle).gl, over)  # noqa: E731  # as short as what it calls
    return SmallBattle(battle, turns, outcome, first=False, settled=settled)


@dataclass(frozen=True)
class CheckFacts:
    """A voluntary check (FBN-036): printed and current GL."""

    printed: Glory = 4
    gl: Glory = 6


@PROCEDURES.of("FBN-036", gl=int)
def glory_check(rules: Rules, facts: CheckFacts) -> SmallBattle:
    """A voluntary glory check."""
    battle = _alone(rules, facts.gl, gl=facts.printed)
    outcome = lambda battle, _: _man(battle).gl  # noqa: E731  # as short as what it calls
    return SmallBattle(battle, [does("unit", "check glory")], outcome, answer=passive)


@dataclass(frozen=True)
class PanicFacts:
    """`men` of one quality (a column of Table 15-A) who panic together."""

    column: Literal["green", "regular", "elite"] = "green"
    men: Annotated[int, Field(ge=1, le=20)] = 1


def _one_more(counts: tuple[int, ...], reaction: str) -> tuple[int, ...]:
    return tuple(n + (name == reaction) for name, n in zip(REACTIONS, counts, strict=True))


def _rows(rules: Rules, facts: PanicFacts) -> dict[tuple[int, ...], Fraction]:
    """Return the exact distribution of reactions, man by man.

    The reroll of FBN-163 may repeat without limit; it amounts to a die with the other rows only.
    """
    again = rules.settings["panic_row_reads"] == "reroll"
    rows = [one for one in FbnBook(rules).file.panic[facts.column].reactions if not (again and one == "freeze")]

    def take_fright(counts: tuple[int, ...]) -> list[tuple[tuple[int, ...], Fraction]]:
        return [(_one_more(counts, row), Fraction(1, len(rows))) for row in rows]

    nobody: tuple[int, ...] = (0,) * len(REACTIONS)
    return after_steps(nobody, [take_fright] * facts.men)


@PROCEDURES.of(
    "FBN-163",
    closed=Formula(_rows, frozenset({"panic.reaction"})),
    flee=int,
    freeze=int,
    onwards=int,
    prone=int,
    take_cover=int,
    berserk=int,
)
def panic(rules: Rules, facts: PanicFacts) -> SmallBattle:
    """Reactions of men in panic.

    The number of men with each reaction.
    """
    alone = _alone(rules, column=facts.column)

    def take_fright(table: Table, battle: Battle, counts: tuple[int, ...]) -> tuple[int, ...]:
        man = _man(battle)
        panics(table, battle, battle.units["unit"], man)
        found = _one_more(counts, man.reaction)
        battle.units["unit"] = alone.units["unit"].copy()
        return found

    return SmallBattle(alone, [take_fright] * facts.men, first=(0,) * 6)


@dataclass(frozen=True)
class RecoveryFacts:
    """A panicking man with this printed GL.

    `phases` is the number of Glory phases since the turn in which his panic began.
    """

    gl: Glory = 5
    leader: bool = False
    phases: Turns = 1


@PROCEDURES.of("FBN-154", recovered=bool)
def recovery(rules: Rules, facts: RecoveryFacts) -> SmallBattle:
    """Recovery of a panicking man."""
    battle = _alone(rules, FbnBook(rules).panics_at, gl=facts.gl, role="nco" if facts.leader else "soldier")
    _man(battle).reaction, _man(battle).since = "freeze", 1

    def phase(table: Table, battle: Battle, _: None) -> None:
        battle.turn += 1
        if _man(battle).reaction:
            roll_recovery(table, battle, battle.units["unit"], _man(battle))

    return SmallBattle(battle, [phase] * facts.phases, lambda battle, _: not _man(battle).reaction)


@dataclass(frozen=True)
class NoticeFacts:
    """A man who passes this number of features at night. He stops at the first that he does not notice (FBN-239)."""

    gl: Glory = 4
    features: Men = 1


@PROCEDURES.of("FBN-239", fell=bool)
def night_notice(rules: Rules, facts: NoticeFacts) -> SmallBattle:
    """Noticing terrain at night.

    True if he fell into one of the features.
    """

    def walk(table: Table, battle: Battle, fell: bool) -> bool:
        return fell or not roll_to_notice(table, _man(battle))

    alone = _alone(rules, gl=facts.gl)
    return SmallBattle(alone, [walk] * facts.features, first=False)
