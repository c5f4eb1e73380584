"""Odds of the Risk Factor and the Action tables (RSK-113 to RSK-149), and of a side being beaten by them (RSK-183)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.state import facts as facts_class
from zareba.odds import Formula, SmallBattle, count_outcomes, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.chapters.action_throws.risk import RiskFacts
from zareba_rulesets.risk_factor.chapters.action_throws.throws import Snapshot, action_throws
from zareba_rulesets.risk_factor.chapters.melee.charge import carry_out_charge
from zareba_rulesets.risk_factor.chapters.orders.manoeuvre import to_move
from zareba_rulesets.risk_factor.chapters.victory import check_after_throws
from zareba_rulesets.risk_factor.forces.battle import Battle
from zareba_rulesets.risk_factor.odds import stage
from zareba_rulesets.risk_factor.odds.stage import MIDDLE, PROCEDURES, RADIUS, Centimetres, Factor, Tenths, row, unit_of

__all__ = ["ActionFacts"]

Sheet = Literal["missile", "melee"]
SOUTH = 100.0
"""The y coordinate of the units that throw, in cm."""


@facts_class
class ActionFacts(RiskFacts):
    """The lines of Table R for one unit, and its Action throw. `casualties` is in full tenths lost.

    `risk` sets the Risk Factor directly; the conditions are then ignored. `commanded`: a result that is not blue binds
    the unit. `works`: it defends works, which it does not leave at Risk Factor 0 or less (RSK-135). Without an enemy
    in sight it cannot move towards one (RSK-134).
    """

    casualties: Tenths = 0
    table: Sheet = "melee"
    commanded: bool = False
    falling_back: bool = False
    risk: Factor | None = None
    works: bool = False
    enemy_in_sight: bool = True


@facts_class
class ContactFacts(ActionFacts):
    """The same for a solo unit `distance` cm from its enemy, which may come into contact this turn.

    `allowance` is its move in cm. `native`: it moves D6 cm farther. `attacking`: its current action is Attack, which
    also counts as advancing.
    """

    distance: Centimetres = 28.0
    allowance: Centimetres = 25.0
    native: bool = True
    attacking: bool = False


@dataclass(frozen=True)
class BeatenFacts:
    """A side of groups with these Risk Factors, all on one Action table (RSK-183).

    `tables` names the table of each group if they differ.
    """

    risks: Annotated[tuple[int, ...], Field(min_length=1, max_length=200)] = (9, 7)
    table: Sheet = "melee"
    tables: Annotated[tuple[Sheet, ...], Field(max_length=200)] = ()


def _facing(
    rules: Rules, facts: ActionFacts, doing: str, distance: float = MIDDLE, number: int = 1, **traits: Any
) -> Battle:
    """Return a small table with a number of units and an enemy `distance` cm in front of them, if one is in sight."""
    marks = "commanded " * facts.commanded + "works" * facts.works
    said = {"action": doing, "marks": marks, "table": facts.table, **traits}
    units = [unit_of(f"unit {n:03}", "red", [at], **said) for n, at in enumerate(row(number, SOUTH))]
    enemy = unit_of("enemy", "blue", row(1, SOUTH + distance + 2 * RADIUS))
    return stage.small_table(rules, *units, *[enemy] * facts.enemy_in_sight)


def _make_throws(*known: ActionFacts) -> Callable[[Table, Battle, None], None]:
    """Return a step that makes the Action throws of the units, with the Risk Factors from their facts."""

    def make_throws(table: Table, battle: Battle, _: None) -> None:
        shots = []
        for unit, one in zip(battle.of("red"), known, strict=True):
            risk = table.tally("risk_factor", one, unit).total if one.risk is None else one.risk
            shots.append(Snapshot(unit, one, risk, one.table, one.falling_back))
        action_throws(table, battle, shots)
        check_after_throws(table, battle)

    return make_throws


@PROCEDURES.of("RSK-127", risk=int, result=str, bound=bool)
def action(rules: Rules, facts: ActionFacts) -> SmallBattle:
    """Risk Factor and Action throw of a unit.

    The Risk Factor, the result, and whether it binds the unit.
    """

    def outcome(battle: Battle, _: None) -> tuple[int, str, bool]:
        ((name, risk),) = battle.risk.items()
        return risk, battle.units[name].result, "free" not in battle.units[name].marks

    return SmallBattle(_facing(rules, facts, "advance" if facts.advancing else "halt"), [_make_throws(facts)], outcome)


@PROCEDURES.of("RSK-137", attacks=bool, contact=bool)
def charge_contact(rules: Rules, facts: ContactFacts) -> SmallBattle:
    """Chance that a unit run by the tables reaches its enemy.

    Attack or no attack, and contact or no contact with the enemy.
    """
    moves = RskBook(rules).moves
    kinds: dict[float, dict[str, Any]] = {moves["foot"]: {}, moves["mounted"]: {"mounted": True}, moves["civilian"]: {"civilian": True}}  # fmt: skip
    if facts.allowance not in kinds:
        known = " or ".join(f"{cm:g}" for cm in kinds)
        raise ZarebaError(f"men move {known} cm: allowance (RSK-071, RSK-073, RSK-074)")
    refuse(facts.commanded, "a commanded unit follows its orders, not the tables: commanded (RSK-066)")
    doings = {"attack": facts.attacking, "advance": facts.advancing, "retreat": facts.falling_back, "halt": True}
    doing = next(one for one, holds in doings.items() if holds)
    traits = {"native": facts.native, **kinds[facts.allowance]}
    facts = replace(facts, advancing=facts.advancing or facts.attacking)

    def charge(table: Table, battle: Battle, _: None) -> tuple[bool, bool]:
        battle.charging = to_move(battle)[1]
        for name in battle.charging:
            carry_out_charge(table, battle, battle.units[name])
        attacks = bool(battle.charging)
        return attacks, attacks and bool(battle.enemies_in_contact(battle.of("red")[0]))

    return SmallBattle(_facing(rules, facts, doing, facts.distance, **traits), [_make_throws(facts), charge])


def _groups(facts: BeatenFacts) -> list[ActionFacts]:
    sheets = facts.tables or (facts.table,) * len(facts.risks)
    refuse(len(sheets) != len(facts.risks), "name one table for each Risk Factor, or none: tables (RSK-130)")
    return [ActionFacts(risk=risk, table=sheet) for risk, sheet in zip(facts.risks, sheets, strict=True)]


def _one_by_one(rules: Rules, facts: BeatenFacts) -> dict[bool, Fraction]:
    """Return the odds as a product over the groups. The throws of the groups are independent."""
    single_facts = [BeatenFacts((group.risk,), group.table) for group in _groups(facts) if group.risk is not None]
    beaten = prod(count_outcomes(rules, side_beaten(rules, one)).get(True, Fraction(0)) for one in single_facts)
    return {lost: p for lost, p in ((True, Fraction(beaten)), (False, Fraction(1 - beaten))) if p}


@PROCEDURES.of("RSK-183", closed=Formula(_one_by_one, frozenset({"actions.side", "actions.die"})), beaten=bool)
def side_beaten(rules: Rules, facts: BeatenFacts) -> SmallBattle:
    """Chance that a side has lost after its Action throws."""
    groups = _groups(facts)
    battle = _facing(rules, groups[0], "halt", number=len(groups))
    return SmallBattle(battle, [_make_throws(*groups)], lambda battle, _: "red" in battle.beaten)
