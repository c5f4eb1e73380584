"""The odds of leader checks (VCC-110 to VCC-117), morale checks (VCC-137 to VCC-158) and rallies (VCC-159 to VCC-162)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from zareba.base.state import facts as facts_class
from zareba.odds import SmallBattle
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.vcc.book.tables import Band, Bases
from zareba_rulesets.vcc.chapters.casualties.leaders import resolve_checks
from zareba_rulesets.vcc.chapters.morale.morale import MoraleFacts
from zareba_rulesets.vcc.chapters.morale.rally import RallyFacts
from zareba_rulesets.vcc.chapters.morale.rally import rally as roll_to_rally
from zareba_rulesets.vcc.forces.battle import Battle, LeaderCheck, Unit
from zareba_rulesets.vcc.odds import stage
from zareba_rulesets.vcc.odds.stage import PROCEDURES, LeaderState, bases_left, check_if_due, small_table, unit_of

__all__ = ["LeaderCheckFacts", "MoraleCheckFacts", "morale_battle", "morale_of"]


@facts_class
class LeaderCheckFacts:
    """`checks` leader checks that are due, one after another, at a band (melee: close), on a leader with `wounds`."""

    band: Band = "close"
    wounds: stage.Wounds = 0
    checks: Annotated[int, Field(ge=1, le=12)] = 1
    bases: Bases = 5


@PROCEDURES.of("VCC-110", leader=LeaderState, jest=bool)
def leader_check(rules: Rules, facts: LeaderCheckFacts) -> SmallBattle:
    """Leader checks that are due.

    The state of the leader at the end, and whether a jest waits for the unit's next check.
    """
    battle = small_table(rules, unit_of(facts, "unit", "blue", leader=True))

    def check(table: Table, battle: Battle, _: None) -> None:
        battle.checks = [LeaderCheck("unit", facts.band)]
        resolve_checks(table, battle, "fire")

    def outcome(battle: Battle, _: None) -> tuple[LeaderState, bool]:
        unit = battle.unit("unit")
        return stage.leader_state(unit), "jest" in unit.marks

    return SmallBattle(battle, [check] * facts.checks, outcome)


@facts_class
class MoraleCheckFacts(MoraleFacts):
    """A morale check. `bases` are living bases or gunners without the leader base; `hits` is the marker of left-over
    hits.

    `room_behind`: boxes into which the unit can fall back, before its own edge (`edge_behind`) or a barred way
    (VCC-156).
    """

    hits: stage.Marker = 0
    room_behind: stage.Room = stage.OPEN
    edge_behind: bool = False


def morale_battle(rules: Rules, facts: MoraleCheckFacts, *others: Unit) -> Battle:
    """Return a battle with the unit, the room behind it, and the Army Commander if he is there."""
    return small_table(rules, unit_of(facts, "unit", "blue"), *others, facts=facts)


def morale_of(is_due: Callable[[Battle], bool]) -> Callable[[Table, Battle, None], tuple[str, int]]:
    """Return an action that makes the unit's check if `is_due`, and returns the result and the bases left."""

    def check(table: Table, battle: Battle, _: None) -> tuple[str, int]:
        unit = battle.unit("unit")
        return check_if_due(table, battle, unit, is_due(battle)), bases_left(unit)

    return check


@PROCEDURES.of("VCC-137", result=str, bases=int)
def morale(rules: Rules, facts: MoraleCheckFacts) -> SmallBattle:
    """A morale check and its consequences.

    The line of the failed morale chart, "passes", or "routs" off the table; bases left with the leader base.
    """
    return SmallBattle(morale_battle(rules, facts), [morale_of(lambda _: True)])


@PROCEDURES.of("VCC-160", rallied=bool)
def rally(rules: Rules, facts: RallyFacts) -> SmallBattle:
    """A rally roll."""
    battle = small_table(rules, unit_of(facts, "unit", "blue", marks=("prone", "broken")), facts=facts)
    return SmallBattle(battle, [lambda table, battle, _: roll_to_rally(table, battle, battle.unit("unit"))])
