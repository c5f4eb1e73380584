"""The odds of rallying (VCC-159 to VCC-162)."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.odds.stage import bare_battle, lone_unit, put_commander, state_key
from zareba_rulesets.vcc.rally import RallyFacts, rally

__all__ = ["PROCEDURES", "RallyOutcome"]


@dataclass(frozen=True)
class RallyOutcome:
    rallied: bool


def _rally_legs(rules: Rules, facts: RallyFacts) -> list[Leg]:
    def start() -> Battle:
        unit = lone_unit(
            "unit",
            "blue",
            facts.bases,
            facts.leader,
            facts.quality,
            marks={"prone": True, "broken": True, "jest": facts.jest},
        )
        battle = bare_battle(rules, [unit])
        if facts.commander:
            put_commander(battle, "blue")
        return battle

    def roll(table: Table, battle: Battle) -> None:
        rally(table, battle, battle.unit("unit"))

    return [Leg(start, [roll], state_key, lambda battle: RallyOutcome("broken" not in battle.unit("unit").marks))]


def _rally_tallies(rules: Rules, facts: RallyFacts) -> list[Tally]:
    if rules.settings["rally_method"] == "four_plus":
        return []
    return [rules.tally("rally", facts)]


PROCEDURES = (
    Procedure("rally", "VCC-160", "A rally roll", RallyFacts, RallyOutcome, _rally_legs, tallies=_rally_tallies),
)
