"""Odds of glory, panic, recovery and the night (chapters 14, 15 and 20), built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.fixed_baynet.glory import glory_event, panic, recover, test_glory, voluntary_check
from zareba_rulesets.fixed_baynet.night import notices
from zareba_rulesets.fixed_baynet.odds.fire import Men
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_figure, bare_unit

__all__ = ["GLORY_PROCEDURES", "CheckFacts", "GloryFacts", "RecoveryFacts"]

Glory = Annotated[int, Field(ge=1, le=7)]
Events = Annotated[int, Field(ge=0, le=6)]
Turns = Annotated[int, Field(ge=1, le=60)]
KINDS = ("banner", "half", "ridden at", "charge", "pinned", "flank")
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


def _glory_legs(rules: Rules, facts: GloryFacts) -> list[Leg]:
    def stage(turn: int) -> Callable[[Table, Any], None]:
        def run(table: Table, slate: Slate) -> None:
            gl, panicked = slate.values
            if panicked:
                return
            man = bare_figure("man", "blue", 0, 0, gl=facts.printed)
            man.gl = gl
            unit = bare_unit("unit", "blue", [man])
            battle = bare_battle(rules, [unit])
            limit = battle.book.panics_at
            for kind in KINDS[: facts.events if turn == 0 else facts.later_events]:
                if man.gl < limit:
                    glory_event(table, battle, unit, kind)
            if not man.reaction and man.gl < limit:
                test_glory(table, battle, unit)
            over = bool(man.reaction) or man.gl >= limit
            slate.values = (limit if over else man.gl, over)

        return run

    return [slate_leg(*[stage(turn) for turn in range(facts.turns)], first=(facts.gl, False))]


@dataclass(frozen=True)
class CheckFacts:
    """A voluntary check (FBN-036): printed and present GL."""

    printed: Glory = 4
    gl: Glory = 6


@dataclass(frozen=True)
class CheckOutcome:
    gl: int


def _check_legs(rules: Rules, facts: CheckFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        man = bare_figure("man", "blue", 0, 0, gl=facts.printed)
        man.gl = facts.gl
        unit = bare_unit("unit", "blue", [man])
        voluntary_check(table, bare_battle(rules, [unit]), unit)
        slate.values = (man.gl,)

    return [slate_leg(run)]


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


def _panic_legs(rules: Rules, facts: PanicFacts) -> list[Leg]:
    if rules.settings["panic_row_reads"] == "reroll" and facts.column == "green":
        return [slate_leg(*[_rerolled_panic] * facts.men, first=(0,) * 6)]

    def run(table: Table, slate: Slate) -> None:
        man = bare_figure("man", "blue", 0, 0, column=facts.column)
        unit = bare_unit("unit", "blue", [man])
        panic(table, bare_battle(rules, [unit]), unit, man)
        slate.values = tuple(
            count + (name == man.reaction) for name, count in zip(REACTIONS, slate.values, strict=True)
        )

    return [slate_leg(*[run] * facts.men, first=(0,) * 6)]


def _rerolled_panic(table: Table, slate: Slate) -> None:
    """The reroll of FBN-163 may go on for ever; what it comes to is a die of the five other rows."""
    rows = [name for name in table.rules.book.panic["green"].reactions if name != "freeze"]  # type: ignore[attr-defined]  # our file model
    reaction = rows[table.roll(1, len(rows), why="panic", rule="FBN-163", actor="man") - 1]
    slate.values = tuple(count + (name == reaction) for name, count in zip(REACTIONS, slate.values, strict=True))


@dataclass(frozen=True)
class RecoveryFacts:
    """A panicking man of this printed GL; `phases`: Glory phases since the turn in which his panic began."""

    gl: Glory = 5
    leader: bool = False
    phases: Turns = 1


@dataclass(frozen=True)
class RecoveryOutcome:
    recovered: bool


def _recovery_legs(rules: Rules, facts: RecoveryFacts) -> list[Leg]:
    def stage(phase: int) -> Callable[[Table, Any], None]:
        def run(table: Table, slate: Slate) -> None:
            if slate.values[0]:
                return
            man = bare_figure("man", "blue", 0, 0, gl=facts.gl, role="nco" if facts.leader else "soldier")
            man.reaction, man.since, man.gl = "freeze", 1, 7
            unit = bare_unit("unit", "blue", [man])
            battle = bare_battle(rules, [unit])
            battle.turn = 1 + phase
            recover(table, battle, unit, man)
            slate.values = (not man.reaction,)

        return run

    return [slate_leg(*[stage(phase) for phase in range(1, facts.phases + 1)], first=(False,))]


@dataclass(frozen=True)
class NoticeFacts:
    """A man who passes so many features at night; he stops at the first that he misses (FBN-239)."""

    gl: Glory = 4
    features: Men = 1


@dataclass(frozen=True)
class NoticeOutcome:
    """Whether he fell into one of them."""

    fell: bool


def _notice_legs(rules: Rules, facts: NoticeFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        if not slate.values[0]:
            slate.values = (not notices(table, bare_figure("man", "blue", 0, 0, gl=facts.gl)),)

    return [slate_leg(*[run] * facts.features, first=(False,))]


GLORY_PROCEDURES = (
    Procedure(
        "glory", "FBN-148", "a unit's glory over some turns",
        GloryFacts, GloryOutcome, _glory_legs,
    ),
    Procedure(
        "glory_check", "FBN-036", "a voluntary check of glory",
        CheckFacts, CheckOutcome, _check_legs,
    ),
    Procedure(
        "panic", "FBN-163", "reactions of men in panic",
        PanicFacts, PanicOutcome, _panic_legs,
    ),
    Procedure(
        "recovery", "FBN-154", "a panicking man's recovery",
        RecoveryFacts, RecoveryOutcome, _recovery_legs,
    ),
    Procedure(
        "night_notice", "FBN-239", "noticing ground at night",
        NoticeFacts, NoticeOutcome, _notice_legs,
    ),
)  # fmt: skip
