"""The odds of rallying (VCC-159 to VCC-162)."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.odds import Procedure, Situation
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.odds.stage import small_table, unit_of
from zareba_rulesets.vcc.rally import RallyFacts, rally

__all__ = ["PROCEDURES", "RallyOutcome"]


@dataclass(frozen=True)
class RallyOutcome:
    rallied: bool


def _rally(rules: Rules, facts: RallyFacts) -> Situation:
    def start() -> Battle:
        return small_table(rules, unit_of(facts, "unit", "blue", marks=("prone", "broken")), facts=facts)

    def roll(table: Table, battle: Battle, _: None) -> bool:
        return rally(table, battle, battle.unit("unit"))

    return Situation(start, [roll], lambda battle, rallied: RallyOutcome(rallied))


PROCEDURES = (Procedure("rally", "VCC-160", "A rally roll", RallyFacts, RallyOutcome, situation=_rally),)
