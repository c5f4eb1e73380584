"""The odds of leader checks (VCC-110 to VCC-117)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from zareba.odds import Procedure, Situation
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle, LeaderCheck
from zareba_rulesets.vcc.fire import Band
from zareba_rulesets.vcc.leaders import resolve_checks
from zareba_rulesets.vcc.odds.stage import LeaderState, Wounds, leader_state, small_table, unit_of
from zareba_rulesets.vcc.tables import Bases

__all__ = ["PROCEDURES", "LeaderCheckFacts", "LeaderCheckOutcome"]


@facts
class LeaderCheckFacts:
    """`checks` leader checks that are due, one after another, at a band (melee: close), on a leader with `wounds`."""

    band: Band = "close"
    wounds: Wounds = 0
    checks: Annotated[int, Field(ge=1, le=12)] = 1
    bases: Bases = 5


@dataclass(frozen=True)
class LeaderCheckOutcome:
    """What became of the leader, and whether his jest waits for the unit's next check."""

    leader: LeaderState
    jest: bool


def _leader_check(rules: Rules, facts: LeaderCheckFacts) -> Situation:
    def start() -> Battle:
        return small_table(rules, unit_of(facts, "unit", "blue", leader=True))

    def check(table: Table, battle: Battle, _: None) -> None:
        battle.checks = [LeaderCheck("unit", facts.band)]
        resolve_checks(table, battle, "fire")

    def outcome(battle: Battle, _: None) -> LeaderCheckOutcome:
        unit = battle.unit("unit")
        return LeaderCheckOutcome(leader_state(unit), "jest" in unit.marks)

    return Situation(start, [check] * facts.checks, outcome)


PROCEDURES = (
    Procedure(
        "leader_check",
        "VCC-110",
        "Leader checks that are due",
        LeaderCheckFacts,
        LeaderCheckOutcome,
        situation=_leader_check,
    ),
)
