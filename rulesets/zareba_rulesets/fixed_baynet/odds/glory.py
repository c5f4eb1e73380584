"""The odds of glory, panic, recovery and the night (chapters 14, 15 and 20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.odds import Closed, Procedure, Situation
from zareba.rules import Rules
from zareba.table import Draw, Roll, Table
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.book import FbnBook
from zareba_rulesets.fixed_baynet.glory import EVENT_RULES, glory_event, panic, recover, test_glory
from zareba_rulesets.fixed_baynet.night import notices
from zareba_rulesets.fixed_baynet.odds.fire import Men
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_figure, bare_unit, does, passive
from zareba_rulesets.fixed_baynet.units import Figure

__all__ = ["PROCEDURES", "CheckFacts", "GloryFacts", "RecoveryFacts"]

Glory = Annotated[int, Field(ge=1, le=7)]
Events = Annotated[int, Field(ge=0, le=6)]
Turns = Annotated[int, Field(ge=1, le=60)]
KINDS = tuple(EVENT_RULES)
REACTIONS = ("flee", "freeze", "onwards", "prone", "take_cover", "berserk")


@dataclass(frozen=True)
class GloryFacts:
    """A unit's run of turns: its printed and its present GL; different events in the first turn, and in each later one."""

    printed: Glory = 4
    gl: Glory = 4
    events: Events = 1
    later_events: Events = 0
    turns: Turns = 1


@dataclass(frozen=True)
class GloryOutcome:
    """GL after the last Glory phase; 7 is panic."""

    gl: int
    panicked: bool


def _alone(rules: Rules, **spec: Any) -> Battle:
    """A unit of one man."""
    return bare_battle(rules, [bare_unit("unit", "blue", [bare_figure("man", "blue", 0, 0, **spec)])])


def _man(battle: Battle) -> Figure:
    return battle.units.change("unit").figures["man"]


def _glory(rules: Rules, facts: GloryFacts) -> Situation:
    def start() -> Battle:
        battle = _alone(rules, gl=facts.printed)
        _man(battle).gl = facts.gl
        return battle

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
    return Situation(
        start, turns, lambda battle, over: GloryOutcome(_man(battle).gl, over), first=False, settled=settled
    )


@dataclass(frozen=True)
class CheckFacts:
    """A voluntary check (FBN-036): printed and present GL."""

    printed: Glory = 4
    gl: Glory = 6


@dataclass(frozen=True)
class CheckOutcome:
    gl: int


def _check(rules: Rules, facts: CheckFacts) -> Situation:
    def start() -> Battle:
        battle = _alone(rules, gl=facts.printed)
        _man(battle).gl = facts.gl
        return battle

    return Situation(
        start, [does("unit", "check glory")], lambda battle, _: CheckOutcome(_man(battle).gl), answer=passive
    )


@dataclass(frozen=True)
class PanicFacts:
    """`men` of a quality (a column of Table 15-A) who panic together."""

    column: Literal["green", "regular", "elite"] = "green"
    men: Annotated[int, Field(ge=1, le=20)] = 1


@dataclass(frozen=True)
class PanicOutcome:
    """How many of them react in each way."""

    flee: int
    freeze: int
    onwards: int
    prone: int
    take_cover: int
    berserk: int


def _panic(rules: Rules, facts: PanicFacts) -> Situation:
    def start() -> Battle:
        return _alone(rules, column=facts.column)

    def take_fright(table: Table, battle: Battle, counts: tuple[int, ...]) -> tuple[int, ...]:
        man = _man(battle)
        panic(table, battle, battle.units["unit"], man)
        found = tuple(n + (name == man.reaction) for name, n in zip(REACTIONS, counts, strict=True))
        battle.units["unit"] = _alone(rules, column=facts.column).units["unit"]
        return found

    return Situation(start, [take_fright] * facts.men, lambda battle, found: PanicOutcome(*found), first=(0,) * 6)


def _rows(rules: Rules, facts: PanicFacts) -> dict[PanicOutcome, Fraction]:
    """Man by man; the reroll of FBN-163 may go on for ever, and what it comes to is a die of the other rows."""
    again = rules.settings["panic_row_reads"] == "reroll"
    rows = [one for one in FbnBook(rules).file.panic[facts.column].reactions if not (again and one == "freeze")]
    states: dict[tuple[int, ...], Fraction] = {(0,) * 6: Fraction(1)}
    for _ in range(facts.men):
        following: dict[tuple[int, ...], Fraction] = {}
        for (counts, p), row in product(states.items(), rows):
            now = tuple(n + (name == row) for name, n in zip(REACTIONS, counts, strict=True))
            following[now] = following.get(now, Fraction(0)) + p / len(rows)
        states = following
    return {PanicOutcome(*counts): p for counts, p in states.items()}


@dataclass(frozen=True)
class RecoveryFacts:
    """A panicking man of this printed GL; `phases`: Glory phases since the turn in which his panic began."""

    gl: Glory = 5
    leader: bool = False
    phases: Turns = 1


@dataclass(frozen=True)
class RecoveryOutcome:
    recovered: bool


def _recovery(rules: Rules, facts: RecoveryFacts) -> Situation:
    def start() -> Battle:
        battle = _alone(rules, gl=facts.gl, role="nco" if facts.leader else "soldier")
        man = _man(battle)
        man.reaction, man.since, man.gl = "freeze", 1, battle.book.panics_at
        return battle

    def phase(table: Table, battle: Battle, _: None) -> None:
        battle.turn += 1
        if _man(battle).reaction:
            recover(table, battle, battle.units["unit"], _man(battle))

    return Situation(start, [phase] * facts.phases, lambda battle, _: RecoveryOutcome(not _man(battle).reaction))


@dataclass(frozen=True)
class NoticeFacts:
    """A man who passes so many features at night; he stops at the first that he misses (FBN-239)."""

    gl: Glory = 4
    features: Men = 1


@dataclass(frozen=True)
class NoticeOutcome:
    """Whether he fell into one of them."""

    fell: bool


def _notice(rules: Rules, facts: NoticeFacts) -> Situation:
    def walk(table: Table, battle: Battle, fell: bool) -> bool:
        return fell or not notices(table, _man(battle))

    return Situation(
        lambda: _alone(rules, gl=facts.gl), [walk] * facts.features, lambda _, fell: NoticeOutcome(fell), first=False
    )


PROCEDURES = (
    Procedure("glory", "FBN-148", "a unit's glory over some turns", GloryFacts, GloryOutcome, situation=_glory),
    Procedure("glory_check", "FBN-036", "a voluntary check of glory", CheckFacts, CheckOutcome, situation=_check),
    Procedure(
        "panic", "FBN-163", "reactions of men in panic", PanicFacts, PanicOutcome,
        situation=_panic, closed=Closed(_rows, frozenset({"panic.reaction"})),
    ),
    Procedure("recovery", "FBN-154", "a panicking man's recovery", RecoveryFacts, RecoveryOutcome, situation=_recovery),
    Procedure("night_notice", "FBN-239", "noticing ground at night", NoticeFacts, NoticeOutcome, situation=_notice),
)  # fmt: skip
