"""Odds of the Risk Factor and the Action tables (RSK-113 to RSK-149), and of a side that is beaten by them (RSK-183)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.risk_factor.actions import leaves_works, throw_die
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.odds.limits import Centimetres, Factor, Tenths
from zareba_rulesets.risk_factor.risk import RiskFacts

__all__ = ["ACTIONS", "ActionFacts"]

Sheet = Literal["missile", "melee"]


@facts
class ActionFacts(RiskFacts):
    """Table R for one unit and its Action throw; conditions as in the Risk Factor, `casualties` full tenths lost.

    `risk` fixes the Risk Factor itself and leaves the conditions unread. `commanded`: what is not blue binds it. `works`: it
    defends works, which it does not leave at Risk Factor 0 or less (RSK-135). Without an enemy in sight there is nobody
    to go towards (RSK-134).
    """

    casualties: Tenths = 0
    table: Sheet = "melee"
    commanded: bool = False
    falling_back: bool = False
    risk: Factor | None = None
    works: bool = False
    enemy_in_sight: bool = True


@dataclass(frozen=True)
class ActionOutcome:
    """The Risk Factor, the result, and whether it binds the unit."""

    risk: int
    result: str
    bound: bool


def _risk_of(rules: Rules, facts: ActionFacts) -> int:
    return facts.risk if facts.risk is not None else rules.tally("risk_factor", facts).total


def _action_legs(rules: Rules, facts: ActionFacts) -> list[Leg]:
    book, risk = RskBook(rules), _risk_of(rules, facts)

    def throw(table: Table, slate: Slate) -> None:
        result = _result(book, facts, risk, throw_die(table, "unit"))
        bound = not facts.commanded or result not in book.blue
        slate.values = (risk, "halt" if bound and _stays(book, facts, result, facts.advancing) else result, bound)

    return [slate_leg(throw)]


def _result(book: RskBook, facts: ActionFacts, risk: int, die: int) -> str:
    """What a throw says; without an enemy in sight nobody goes towards him (RSK-134)."""
    result = book.action(facts.table, risk, die, facts.falling_back)
    return "continue" if result == "towards" and not facts.enemy_in_sight else result


def _stays(book: RskBook, facts: ActionFacts, result: str, advancing: bool) -> bool:
    return facts.works and leaves_works(book, result, "advance" if advancing else "halt")


def _action_tallies(rules: Rules, facts: ActionFacts) -> list[Tally]:
    return [] if facts.risk is not None else [rules.tally("risk_factor", facts)]


@facts
class ContactFacts(ActionFacts):
    """The same for a unit that the tables run, `distance` cm from its enemy: does it come into contact this turn?

    `allowance` is its move in cm; `native`: it goes D6 cm farther. `attacking`: what it is doing is an Attack, and so it
    is advancing too.
    """

    distance: Centimetres = 28.0
    allowance: Centimetres = 25.0
    native: bool = True
    attacking: bool = False


@dataclass(frozen=True)
class ContactOutcome:
    """Whether it attacks, and whether it reaches the enemy."""

    attacks: bool
    contact: bool


def _as_advancing(facts: ContactFacts) -> ContactFacts:
    return replace(facts, advancing=True) if facts.attacking else facts


def _contact_tallies(rules: Rules, facts: ContactFacts) -> list[Tally]:
    return _action_tallies(rules, _as_advancing(facts))


def _contact_legs(rules: Rules, facts: ContactFacts) -> list[Leg]:
    facts = _as_advancing(facts)
    book, risk = RskBook(rules), _risk_of(rules, facts)
    near = facts.distance <= book.lengths["advance_to_attack"] and facts.table == "melee"

    def throw(table: Table, slate: Slate) -> None:
        result = _result(book, facts, risk, throw_die(table, "unit"))
        if _stays(book, facts, result, facts.advancing):
            result = "halt"
        advances = result in ("advance", "towards") or (result == "continue" and facts.advancing)
        attacks = result == "attack" or (result == "continue" and facts.attacking) or (advances and near)
        reach = facts.allowance
        if attacks and facts.native and reach < facts.distance:
            reach += table.roll(1, 6, why="attack", rule="RSK-137", actor="unit")
        slate.values = (attacks, attacks and reach >= facts.distance)

    return [slate_leg(throw)]


@dataclass(frozen=True)
class BeatenFacts:
    """A side of groups with these Risk Factors, all on one table: has it lost after its Action throws (RSK-183)?

    `tables` names the table of each where they differ.
    """

    risks: Annotated[tuple[int, ...], Field(min_length=1, max_length=200)] = (9, 7)
    table: Sheet = "melee"
    tables: Annotated[tuple[Sheet, ...], Field(max_length=200)] = ()


@dataclass(frozen=True)
class BeatenOutcome:
    beaten: bool


def _beaten_legs(rules: Rules, facts: BeatenFacts) -> list[Leg]:
    book, sheets = RskBook(rules), facts.tables or (facts.table,) * len(facts.risks)
    if len(sheets) != len(facts.risks):
        raise ZarebaError("name one table for each Risk Factor, or none: tables (RSK-130)")

    def throw(number: int, risk: int, sheet: Sheet) -> Callable[[Table, Slate], None]:
        def stage(table: Table, slate: Slate) -> None:
            back = book.action(sheet, risk, throw_die(table, f"unit {number}"), False) in ("retreat", "rout")
            slate.values = (back and (slate.values[0] if slate.values else True),)

        return stage

    stages = [throw(n, risk, sheet) for n, (risk, sheet) in enumerate(zip(facts.risks, sheets, strict=True))]
    return [Leg(Slate, stages, lambda slate: slate.values, lambda slate: slate.values)]


ACTIONS = (
    Procedure(
        "action",
        "RSK-127",
        "Risk Factor and Action throw of a unit",
        ActionFacts,
        ActionOutcome,
        _action_legs,
        lambda values: ActionOutcome(*values),
        _action_tallies,
    ),
    Procedure(
        "charge_contact",
        "RSK-137",
        "Whether a unit the tables run reaches its enemy",
        ContactFacts,
        ContactOutcome,
        _contact_legs,
        lambda values: ContactOutcome(*values),
        _contact_tallies,
    ),
    Procedure(
        "side_beaten",
        "RSK-183",
        "Whether a side has lost after its Action throws",
        BeatenFacts,
        BeatenOutcome,
        _beaten_legs,
        lambda values: BeatenOutcome(*values),
    ),
)
