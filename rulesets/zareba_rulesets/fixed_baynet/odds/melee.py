"""Odds of close combat (chapter 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from zareba.odds import SmallBattle
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.fire.fire import Skill
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import FightFacts, roll_blow_result
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.odds.stage import PROCEDURES, bare_battle

__all__ = ["MeleeFacts"]

Blows = Annotated[int, Field(ge=1, le=40)]


@dataclass(frozen=True)
class MeleeFacts:
    """Two fighters: CS, close-combat weapon and the modifiers of each (Table 12-A).

    `trench`: the defender is in a trench and the attacker comes from outside. `doorway`: they fight through a door,
    window or section boundary. `blows` of the attacker follow each other until one of the two is out.
    """

    attacker_cs: Skill = 0
    defender_cs: Skill = 0
    attacker_weapon: bool = False
    defender_weapon: bool = False
    attacker_uphill: bool = False
    defender_uphill: bool = False
    attacker_square: bool = False
    defender_square: bool = False
    attacker_rear: bool = False
    defender_rear: bool = False
    attacker_cover: bool = False
    defender_cover: bool = False
    attacker_rider: bool = False
    defender_rider: bool = False
    attacker_mass: bool = False
    defender_mass: bool = False
    attacker_chest: bool = False
    defender_chest: bool = False
    trench: bool = False
    doorway: bool = False
    defender_harmless: bool = False
    blows: Blows = 1

    def fighter(self, who: str, both: bool) -> FightFacts:
        """Return the facts of one of the two, as in play.

        In a doorway either the defender is sheltered or `both` are (FBN-256).
        """
        given: dict[str, Any] = {
            name: getattr(self, f"{who}_{name}", False) for name in FightFacts.__dataclass_fields__
        }
        shelter = "cover" if getattr(self, f"{who}_cover") and not self.trench else "none"
        if self.doorway:
            shelter = "doorway" if both or who == "defender" else "none"
        return FightFacts(**{**given, "shelter": shelter, "trench": who if self.trench else "none"})


@PROCEDURES.of("FBN-104", result=str, loser=str)
def close_combat(rules: Rules, facts: MeleeFacts) -> SmallBattle:
    """Blows of one man against another.

    The last result: miss, capture, wound or critical; and the one who suffers it ("" for neither).
    """
    both = rules.settings["doorway_cc"] == "both"
    attacker, defender = facts.fighter("attacker", both), facts.fighter("defender", both)

    def strike(table: Table, battle: Battle, last: tuple[str, str]) -> tuple[str, str]:
        return last if last[1] else roll_blow_result(table, attacker, defender, "attacker", "defender")

    return SmallBattle(bare_battle(rules), [strike] * facts.blows, first=("miss", ""))
