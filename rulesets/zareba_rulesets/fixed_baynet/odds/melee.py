"""Odds of close combat (chapter 12), built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.fixed_baynet.close_combat import FightFacts, blow_result
from zareba_rulesets.fixed_baynet.fire import Skill

__all__ = ["MELEE_PROCEDURES", "MeleeFacts", "melee_of"]

Blows = Annotated[int, Field(ge=1, le=40)]


@dataclass(frozen=True)
class MeleeFacts:
    """Two fighters: CS, close-combat weapon, what stands for each (Table 12-A). `trench`: the defender is in one and the
    attacker comes from outside; `doorway`: they fight through a door, window or section boundary. `blows` of the
    attacker, one after another, until one of the two is out.
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
        value: Callable[[str], Any] = lambda name: getattr(self, f"{who}_{name}")  # noqa: E731  # a local shorthand
        defends = who == "defender"
        shelter = "cover" if value("cover") and not self.trench else "none"
        if self.doorway:
            shelter = "doorway" if defends or both else "none"
        return FightFacts(
            cs=value("cs"),
            rear=value("rear"),
            square=value("square"),
            mass=value("mass"),
            uphill=value("uphill"),
            shelter=shelter,  # type: ignore[arg-type]  # one of the three
            rider=value("rider"),
            trench=who if self.trench else "none",  # type: ignore[arg-type]  # attacker or defender
            chest=value("chest"),
            weapon=value("weapon"),
            harmless=defends and self.defender_harmless,
        )


def melee_of(attacker: FightFacts, defender: FightFacts, blows: int = 1) -> MeleeFacts:
    """The facts of a blow in play, for `blows` of the same kind."""
    pairs = {"attacker": attacker, "defender": defender}
    named = ("cs", "weapon", "uphill", "square", "rear", "rider", "mass", "chest")
    values = {f"{who}_{name}": getattr(facts, name) for who, facts in pairs.items() for name in named}
    covers = {f"{who}_cover": facts.shelter == "cover" for who, facts in pairs.items()}
    return MeleeFacts(
        **values,
        **covers,
        trench=defender.trench == "defender",
        doorway=defender.shelter == "doorway",
        defender_harmless=defender.harmless,
        blows=blows,
    )


@dataclass(frozen=True)
class MeleeOutcome:
    """The last result: miss, capture, wound or critical, and who suffers it ("" for nobody)."""

    result: str
    loser: str


def _fighters(rules: Rules, facts: MeleeFacts) -> tuple[FightFacts, FightFacts]:
    both = rules.settings["doorway_cc"] == "both"
    return facts.fighter("attacker", both), facts.fighter("defender", both)


def _melee_legs(rules: Rules, facts: MeleeFacts) -> list[Leg]:
    attacker, defender = _fighters(rules, facts)

    def strike(table: Table, slate: Slate) -> None:
        if not slate.values[1]:
            slate.values = (*blow_result(table, attacker, defender, "attacker", "defender"),)

    return [slate_leg(*[strike] * facts.blows, first=("miss", ""))]


def _melee_tallies(rules: Rules, facts: MeleeFacts) -> list[Tally]:
    return [rules.tally("close_combat", fighter) for fighter in _fighters(rules, facts)]


MELEE_PROCEDURES = (
    Procedure(
        "close_combat", "FBN-104", "blows of one man against another",
        MeleeFacts, MeleeOutcome, _melee_legs, tallies=_melee_tallies,
    ),
)  # fmt: skip
