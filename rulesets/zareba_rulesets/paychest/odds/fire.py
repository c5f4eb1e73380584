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
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.fates import Body, fates
from zareba_rulesets.paychest.odds.legs import (
    Cover,
    DeckFacts,
    Fate,
    Firers,
    Gait,
    Inches,
    Men,
    Shots,
    Skill,
    StruckFacts,
    VolleyHits,
    Wounds,
    counted_leg,
    kinds_of,
    shown_to_fire,
    volley_leg,
    word_of,
)
from zareba_rulesets.paychest.pileup import several
from zareba_rulesets.paychest.shooting import FireFacts, shoot

__all__ = [
    "PROCEDURES",
    "CasualtyFacts",
    "GroupFacts",
    "HitsOutcome",
    "ShotFacts",
    "VolleyFacts",
    "VolleyLossesFacts",
    "fire_facts",
    "fire_tallies",
    "hits_of_shots",
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

    firers: Firers = 8
    shots: Shots = 2


@dataclass(frozen=True)
class HitsOutcome:
    hits: int


@dataclass(frozen=True)
class VolleyLossesFacts(ShotFacts, StruckFacts):
    """One volley of men alike, and what its hits do to `group` fresh men; they fall by `hit_spread`.

    `exposure` counts with `exposure_check` all_fire (PAY-188). A second volley finds other men: who is out is no target
    (PAY-106).
    """

    firers: Firers = 8
    group: Men = 10


@dataclass(frozen=True)
class GroupFacts(StruckFacts):
    """So many hits of one volley on a group of fresh men, at random or evenly by `hit_spread` (PAY-105).

    `exposure` counts with `exposure_check` all_fire (PAY-188).
    """

    hits: VolleyHits = 3
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


def hit_legs(rules: Rules, facts: ShotFacts) -> list[Leg]:
    shot = fire_facts(rules, facts)

    def fire(table: Table, slate: Slate) -> None:
        slate.values = (shot is not None and shoot(table, shot, 1, "firer") > 0,)

    return [slate_leg(fire)]


def hits_of_shots(rules: Rules, facts: ShotFacts, count: int) -> dict[int, Fraction]:
    """How many of so many shots alike hit, each for itself."""
    return several(count, odds(rules, TO_HIT, facts).probability(lambda outcome: outcome.hit))


def volley_legs(rules: Rules, facts: VolleyFacts) -> list[Leg]:
    most = PaychestBook(rules).most_shots[facts.weapon]
    shots = facts.shots if most is None else min(facts.shots, most)
    return [counted_leg(hits_of_shots(rules, facts, facts.firers * shots))]


def volley_losses_legs(rules: Rules, facts: VolleyLossesFacts) -> list[Leg]:
    hits = hits_of_shots(rules, facts, facts.firers)
    return [volley_leg(rules, facts, facts.group, hits, shown_to_fire(rules, facts))]


def group_legs(rules: Rules, facts: GroupFacts) -> list[Leg]:
    return [volley_leg(rules, facts, facts.group, {facts.hits: Fraction(1)}, shown_to_fire(rules, facts))]


def casualty_legs(rules: Rules, facts: CasualtyFacts) -> list[Leg]:
    book = PaychestBook(rules)
    collapse, laming = book.settings.collapse_at_wounds, book.file.leg_wounds_that_lame.wounds
    man = Body()
    for wound, times in (
        ("crippled_leg", facts.crippled_legs),
        ("leg_wound", facts.leg_wounds),
        ("wound", facts.arm_wounds + facts.body_wounds + facts.smashed_arms),
    ):
        for _ in range(times):
            man = man.after(wound, collapse, laming)
    hit = fates(kinds_of(rules, facts), (man,), facts.cards, collapse, laming)[facts.cards]
    found: dict[CasualtyOutcome, Fraction] = {}
    for (body,), p in hit.items():
        outcome = CasualtyOutcome(word_of(body))
        found[outcome] = found.get(outcome, Fraction(0)) + p
    return [counted_leg(found)]


TO_HIT = Procedure("to_hit", "PAY-111", "One man's shot", ShotFacts, HitOutcome, hit_legs, tallies=fire_tallies)

PROCEDURES = (
    TO_HIT,
    Procedure(
        "volley",
        "PAY-094",
        "Hits of a group's volleys",
        VolleyFacts,
        HitsOutcome,
        volley_legs,
        HitsOutcome,
        fire_tallies,
    ),
    Procedure(
        "volley_losses",
        "PAY-105",
        "A group's volley at a group and what it does",
        VolleyLossesFacts,
        GroupOutcome,
        volley_losses_legs,
        lambda r: GroupOutcome(*r),
        fire_tallies,
    ),
    Procedure(
        "casualty",
        "PAY-115",
        "Casualty cards on one man",
        CasualtyFacts,
        CasualtyOutcome,
        casualty_legs,
    ),
    Procedure(
        "group_casualties",
        "PAY-105",
        "Hits on a group of men",
        GroupFacts,
        GroupOutcome,
        group_legs,
        lambda r: GroupOutcome(*r),
    ),
)
