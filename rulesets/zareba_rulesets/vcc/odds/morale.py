"""The odds of leader checks (VCC-110 to VCC-117), morale checks (VCC-137 to VCC-158) and rallies (VCC-159 to VCC-162)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from zareba.base.state import facts
from zareba.odds import Situation
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.vcc.book.tables import Bases
from zareba_rulesets.vcc.chapters.casualties.leaders import resolve_checks
from zareba_rulesets.vcc.chapters.fire.fire import Band
from zareba_rulesets.vcc.chapters.morale.morale import MoraleFacts
from zareba_rulesets.vcc.chapters.morale.rally import RallyFacts
from zareba_rulesets.vcc.chapters.morale.rally import rally as roll_to_rally
from zareba_rulesets.vcc.forces.battle import Battle, LeaderCheck, Unit
from zareba_rulesets.vcc.odds.stage import (
    OPEN,
    PROCEDURES,
    LeaderState,
    Marker,
    Room,
    Wounds,
    bases_left,
    checked,
    leader_state,
    small_table,
    unit_of,
)

__all__ = [
    "LeaderCheckFacts",
    "MoraleCheckFacts",
    "MoraleOutcome",
    "morale_battle",
    "morale_outcome",
]


@facts
class LeaderCheckFacts:
    """`checks` leader checks that are due, one after another, at a band (melee: close), on a leader with `wounds`."""

    band: Band = "close"
    wounds: Wounds = 0
    checks: Annotated[int, Field(ge=1, le=12)] = 1
    bases: Bases = 5


@PROCEDURES.of("VCC-110", leader=LeaderState, jest=bool)
def leader_check(rules: Rules, facts: LeaderCheckFacts) -> Situation:
    """Leader checks that are due.

    What became of the leader, and whether his jest waits for the unit's next check.
    """
    battle = small_table(rules, unit_of(facts, "unit", "blue", leader=True))

    def check(table: Table, battle: Battle, _: None) -> None:
        battle.checks = [LeaderCheck("unit", facts.band)]
        resolve_checks(table, battle, "fire")

    def outcome(battle: Battle, _: None) -> tuple[LeaderState, bool]:
        unit = battle.unit("unit")
        return leader_state(unit), "jest" in unit.marks

    return Situation(battle, [check] * facts.checks, outcome)


@facts
class MoraleCheckFacts(MoraleFacts):
    """A morale check. `bases` living bases or gunners without the leader base; `hits` the marker of left-over hits.

    `room_behind`: boxes into which the unit can fall back, then comes its own edge (`edge_behind`) or it is barred
    (VCC-156).
    """

    hits: Marker = 0
    room_behind: Room = OPEN
    edge_behind: bool = False


@dataclass(frozen=True)
class MoraleOutcome:
    """The line of the table of failures, "passes", or "routs" off the table; bases left with the leader base."""

    result: str
    bases: int


def morale_battle(rules: Rules, facts: MoraleCheckFacts, *others: Unit) -> Battle:
    """The unit with the room behind it, and the Army Commander if he is there."""
    return small_table(rules, unit_of(facts, "unit", "blue"), *others, facts=facts)


def morale_outcome(battle: Battle, result: str) -> MoraleOutcome:
    """What has become of the unit."""
    return MoraleOutcome(result, bases_left(battle.unit("unit")))


@PROCEDURES.of("VCC-137", MoraleOutcome)
def morale(rules: Rules, facts: MoraleCheckFacts) -> Situation:
    """A morale check and its consequences."""

    def check(table: Table, battle: Battle, _: None) -> str:
        return checked(table, battle, battle.unit("unit"), due=True)

    return Situation(morale_battle(rules, facts), [check], morale_outcome)


@PROCEDURES.of("VCC-160", rallied=bool)
def rally(rules: Rules, facts: RallyFacts) -> Situation:
    """A rally roll."""
    battle = small_table(rules, unit_of(facts, "unit", "blue", marks=("prone", "broken")), facts=facts)

    def roll(table: Table, battle: Battle, _: None) -> bool:
        return roll_to_rally(table, battle, battle.unit("unit"))

    return Situation(battle, [roll])
