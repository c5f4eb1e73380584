"""Odds of fire and casualties: one shot, volleys, cards on a man or a group (PAY-094 to PAY-127)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from zareba.odds import Leg, Procedure, Slate, odds, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.casualties import apply_card, strike
from zareba_rulesets.paychest.odds.legs import (
    Cover,
    DeckFacts,
    Fate,
    Gait,
    Hits,
    Inches,
    Men,
    Shots,
    Skill,
    Wounds,
    fate_of,
    merged_deck,
    volley_leg,
)
from zareba_rulesets.paychest.shooting import FireFacts, shoot
from zareba_rulesets.paychest.trial import bare_battle, bare_unit, state_key

__all__ = [
    "PROCEDURES",
    "CasualtyFacts",
    "GroupFacts",
    "ShotFacts",
    "VolleyFacts",
    "VolleyLossesFacts",
    "fire_facts",
    "fire_tallies",
]

Drawn = Annotated[int, Field(ge=1, le=5)]
Firearm = Literal["rifle", "carbine", "musket", "bow", "pistol", "thrown_spear"]


@dataclass(frozen=True)
class ShotFacts:
    """One man's shot. `skill`: his Firearms Skill on the roster; wounds are his own."""

    skill: Skill = 4
    inches: Inches = 20.0
    weapon: Firearm = "rifle"
    gait: Gait = "halt"
    cover: Cover = "none"
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0


@dataclass(frozen=True)
class HitOutcome:
    hit: bool


@dataclass(frozen=True)
class VolleyFacts(ShotFacts):
    """A group's volleys: `firers` men alike, each firing `shots` times; a musket no more than once (PAY-026)."""

    firers: Men = 8
    shots: Shots = 2


@dataclass(frozen=True)
class HitsOutcome:
    hits: int


@dataclass(frozen=True)
class VolleyLossesFacts(ShotFacts, DeckFacts):
    """One volley of men alike, and what its hits do to `group` fresh men in the open; they fall by `hit_spread`.

    A second volley finds other men: who is out is no target (PAY-106).
    """

    firers: Men = 8
    group: Men = 10


@dataclass(frozen=True)
class GroupFacts(DeckFacts):
    """So many hits of one volley on a group of fresh men, at random or evenly by `hit_spread` (PAY-105)."""

    hits: Hits = 3
    group: Men = 5


@dataclass(frozen=True)
class GroupOutcome:
    killed: int
    unconscious: int


@dataclass(frozen=True)
class CasualtyFacts(DeckFacts):
    """Casualty cards on one man, with the wounds that he has already; with too many of them he is down at the start."""

    cards: Drawn = 1
    crippled_legs: Wounds = 0
    leg_wounds: Wounds = 0
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0
    smashed_arms: Wounds = 0


@dataclass(frozen=True)
class CasualtyOutcome:
    """What has become of him. A leader who is killed, unconscious or cannot walk is lost (PAY-128)."""

    fate: Fate


def fire_facts(rules: Rules, facts: ShotFacts) -> FireFacts | None:
    """The shot as play sees it; None out of range."""
    band = PaychestBook(rules).band(facts.weapon, facts.inches)
    if band is None:
        return None
    return FireFacts(
        skill=facts.skill,
        band=band,  # type: ignore[arg-type]  # one of the three
        gait=facts.gait,
        cover=facts.cover,
        arm_wounds=facts.arm_wounds,
        body_wounds=facts.body_wounds,
    )


def fire_tallies(rules: Rules, facts: ShotFacts) -> list[Tally]:
    shot = fire_facts(rules, facts)
    return [] if shot is None else [rules.tally("firearms", shot)]


def shots_leg(rules: Rules, facts: ShotFacts, count: int) -> Leg:
    shot = fire_facts(rules, facts)

    def fire(table: Table, slate: Slate) -> None:
        slate.values = (0 if shot is None else shoot(table, shot, count, "firer"),)

    return slate_leg(fire)


def hit_legs(rules: Rules, facts: ShotFacts) -> list[Leg]:
    return [shots_leg(rules, facts, 1)]


def volley_legs(rules: Rules, facts: VolleyFacts) -> list[Leg]:
    most = PaychestBook(rules).most_shots[facts.weapon]
    shots = facts.shots if most is None else min(facts.shots, most)
    return [shots_leg(rules, facts, facts.firers * shots)]


def volley_losses_legs(rules: Rules, facts: VolleyLossesFacts) -> list[Leg]:
    shot = {name: getattr(facts, name) for name in ShotFacts.__dataclass_fields__}
    hits = odds(rules, VOLLEY, VolleyFacts(**shot, firers=facts.firers, shots=1)).outcomes
    return [volley_leg(rules, facts, facts.group, {outcome.hits: p for outcome, p in hits.items()})]


def group_legs(rules: Rules, facts: GroupFacts) -> list[Leg]:
    return [volley_leg(rules, facts, facts.group, {facts.hits: Fraction(1)})]


def casualty_legs(rules: Rules, facts: CasualtyFacts) -> list[Leg]:
    wounds = [
        *["crippled_leg"] * facts.crippled_legs,
        *["leg_wound"] * facts.leg_wounds,
        *["arm_wound"] * facts.arm_wounds,
        *["body_wound"] * facts.body_wounds,
        *["smashed_arm"] * facts.smashed_arms,
    ]

    def start() -> Battle:
        unit = bare_unit("unit", "red", [(10.0, 10.0)])
        battle = bare_battle(rules, [unit])
        battle.casualties = merged_deck(rules, facts)
        return battle

    def suffer(table: Table, battle: Battle) -> None:
        for wound in wounds:
            apply_card(table, battle, battle.figure("unit.1"), wound, "fire", [])

    def hit(table: Table, battle: Battle) -> None:
        strike(table, battle, battle.figure("unit.1"), None, "fire", [])
        battle.change("unit").hits = 0

    return [Leg(start, [suffer, *[hit] * facts.cards], state_key, lambda battle: fate_of(battle.figure("unit.1")))]


VOLLEY = Procedure(
    "volley",
    "PAY-094",
    "Hits of a group's volleys",
    VolleyFacts,
    HitsOutcome,
    volley_legs,
    lambda r: HitsOutcome(*r),
    fire_tallies,
)

PROCEDURES = (
    Procedure(
        "to_hit",
        "PAY-111",
        "One man's shot",
        ShotFacts,
        HitOutcome,
        hit_legs,
        lambda r: HitOutcome(r[0] > 0),
        fire_tallies,
    ),
    VOLLEY,
    Procedure(
        "volley_losses",
        "PAY-105",
        "A group's volley at a group and what it does",
        VolleyLossesFacts,
        GroupOutcome,
        volley_losses_legs,
        lambda r: GroupOutcome(*r[0]),
        fire_tallies,
    ),
    Procedure(
        "casualty",
        "PAY-115",
        "Casualty cards on one man",
        CasualtyFacts,
        CasualtyOutcome,
        casualty_legs,
        CasualtyOutcome,
    ),
    Procedure(
        "group_casualties",
        "PAY-105",
        "Hits on a group of men",
        GroupFacts,
        GroupOutcome,
        group_legs,
        lambda r: GroupOutcome(*r[0]),
    ),
)
