"""Odds of the Risk Factor and the Action tables (RSK-113 to RSK-149), and of a side that is beaten by them (RSK-183)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.state import facts
from zareba.odds import Closed, Situation, counted, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.chapters.actions.actions import Snapshot, action_throws
from zareba_rulesets.risk_factor.chapters.actions.risk import RiskFacts
from zareba_rulesets.risk_factor.chapters.melee.charge import attack
from zareba_rulesets.risk_factor.chapters.orders.manoeuvre import to_move
from zareba_rulesets.risk_factor.chapters.victory import check_after_throws
from zareba_rulesets.risk_factor.forces.battle import Battle
from zareba_rulesets.risk_factor.odds import stage
from zareba_rulesets.risk_factor.odds.stage import MIDDLE, PROCEDURES, RADIUS, Centimetres, Factor, Tenths, row, unit_of

__all__ = ["ActionFacts"]

Sheet = Literal["missile", "melee"]
SOUTH = 100.0
"""Where those stand who throw."""


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
class BeatenFacts:
    """A side of groups with these Risk Factors, all on one table: has it lost after its Action throws (RSK-183)?

    `tables` names the table of each where they differ.
    """

    risks: Annotated[tuple[int, ...], Field(min_length=1, max_length=200)] = (9, 7)
    table: Sheet = "melee"
    tables: Annotated[tuple[Sheet, ...], Field(max_length=200)] = ()


def _facing(
    rules: Rules, facts: ActionFacts, doing: str, away: float = MIDDLE, number: int = 1, **traits: Any
) -> Battle:
    """A number of units with an enemy so far before them, if there is one in sight."""
    marks = "commanded " * facts.commanded + "works" * facts.works
    said = {"action": doing, "marks": marks, "table": facts.table, **traits}
    units = [unit_of(f"unit {n:03}", "red", [at], **said) for n, at in enumerate(row(number, SOUTH))]
    enemy = unit_of("enemy", "blue", row(1, SOUTH + away + 2 * RADIUS))
    return stage.small_table(rules, *units, *[enemy] * facts.enemy_in_sight)


def _throw(*known: ActionFacts) -> Callable[[Table, Battle, None], None]:
    """The throws of the units, on the Risk Factors that their facts make."""

    def throw(table: Table, battle: Battle, _: None) -> None:
        shots = []
        for unit, one in zip(battle.of("red"), known, strict=True):
            risk = table.tally("risk_factor", one, unit).total if one.risk is None else one.risk
            shots.append(Snapshot(unit, one, risk, one.table, one.falling_back))
        action_throws(table, battle, shots)
        check_after_throws(table, battle)

    return throw


@PROCEDURES.of("RSK-127", risk=int, result=str, bound=bool)
def action(rules: Rules, facts: ActionFacts) -> Situation:
    """Risk Factor and Action throw of a unit.

    The Risk Factor, the result, and whether it binds the unit.
    """

    def outcome(battle: Battle, _: None) -> tuple[int, str, bool]:
        ((name, risk),) = battle.risk.items()
        return risk, battle.units[name].result, "free" not in battle.units[name].marks

    return Situation(_facing(rules, facts, "advance" if facts.advancing else "halt"), [_throw(facts)], outcome)


@PROCEDURES.of("RSK-137", attacks=bool, contact=bool)
def charge_contact(rules: Rules, facts: ContactFacts) -> Situation:
    """Whether a unit the tables run reaches its enemy.

    Whether it attacks, and whether it reaches the enemy.
    """
    moves = RskBook(rules).moves
    kinds: dict[float, dict[str, Any]] = {moves["foot"]: {}, moves["mounted"]: {"mounted": True}, moves["civilian"]: {"civilian": True}}  # fmt: skip
    if facts.allowance not in kinds:
        known = " or ".join(f"{cm:g}" for cm in kinds)
        raise ZarebaError(f"men move {known} cm: allowance (RSK-071, RSK-073, RSK-074)")
    refuse(facts.commanded, "whoever is commanded goes where he is told: commanded (RSK-066)")
    doings = {"attack": facts.attacking, "advance": facts.advancing, "retreat": facts.falling_back, "halt": True}
    doing = next(one for one, holds in doings.items() if holds)
    traits = {"native": facts.native, **kinds[facts.allowance]}
    facts = replace(facts, advancing=facts.advancing or facts.attacking)

    def charge(table: Table, battle: Battle, _: None) -> tuple[bool, bool]:
        battle.charging = to_move(battle)[1]
        for name in battle.charging:
            attack(table, battle, battle.units[name])
        attacks = bool(battle.charging)
        return attacks, attacks and bool(battle.touching(battle.of("red")[0]))

    return Situation(_facing(rules, facts, doing, facts.distance, **traits), [_throw(facts), charge])


def _groups(facts: BeatenFacts) -> list[ActionFacts]:
    sheets = facts.tables or (facts.table,) * len(facts.risks)
    refuse(len(sheets) != len(facts.risks), "name one table for each Risk Factor, or none: tables (RSK-130)")
    return [ActionFacts(risk=risk, table=sheet) for risk, sheet in zip(facts.risks, sheets, strict=True)]


def _one_by_one(rules: Rules, facts: BeatenFacts) -> dict[bool, Fraction]:
    """No group's throw bears on another's."""
    alone = [BeatenFacts((group.risk,), group.table) for group in _groups(facts) if group.risk is not None]
    beaten = prod(counted(rules, side_beaten(rules, one)).get(True, Fraction(0)) for one in alone)
    return {lost: p for lost, p in ((True, Fraction(beaten)), (False, Fraction(1 - beaten))) if p}


@PROCEDURES.of("RSK-183", closed=Closed(_one_by_one, frozenset({"actions.side", "actions.die"})), beaten=bool)
def side_beaten(rules: Rules, facts: BeatenFacts) -> Situation:
    """Whether a side has lost after its Action throws."""
    groups = _groups(facts)
    battle = _facing(rules, groups[0], "halt", number=len(groups))
    return Situation(battle, [_throw(*groups)], lambda battle, _: "red" in battle.beaten)
