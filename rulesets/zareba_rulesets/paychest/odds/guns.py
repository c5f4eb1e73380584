"""Odds of machine guns and shells, and of men in cover under them (PAY-172 to PAY-191)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zareba.odds import Leg, Procedure, Slate, odds, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.paychest.battle import Battle, Engine
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.gunnery import shock_roll, try_gun
from zareba_rulesets.paychest.morale import second_roll
from zareba_rulesets.paychest.odds.fire import HitsOutcome
from zareba_rulesets.paychest.odds.legs import (
    Cover,
    DeckFacts,
    Gait,
    Hits,
    Inches,
    Kind,
    Men,
    Shots,
    Skill,
    StruckFacts,
    Wounds,
    counted_leg,
    deck_of,
    losses,
    result_leg,
    shown,
)
from zareba_rulesets.paychest.odds.morale import MoraleOutcome
from zareba_rulesets.paychest.pileup import DeckClasses, counted_hits
from zareba_rulesets.paychest.shooting import FireFacts, shoot

__all__ = ["PROCEDURES", "ExposedFacts", "MachineGunFacts", "ShellFacts", "ShockFacts"]


@dataclass(frozen=True)
class MachineGunFacts:
    """A machine gun's shots, each at its own group of so many fresh men in the open or in this cover.

    Skill and wounds are those of the man who fires it. `hidden`: men wholly hidden besides, for the bonus (PAY-173);
    `first_one`: a shot before these in the same activation showed a 1 (PAY-175).
    """

    skill: Skill
    inches: Inches
    group: Men = 12
    shots: Shots = 2
    gait: Gait = "halt"
    cover: Cover = "none"
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0
    hidden: Hits = 0
    first_one: bool = False


@dataclass(frozen=True)
class MachineGunOutcome:
    hits: int
    rounds: int
    jammed: bool


@dataclass(frozen=True)
class ShellFacts(StruckFacts):
    """One shell at a group of fresh men who all show as much (PAY-179 to PAY-182); for the rest see the machine gun."""

    skill: Skill = 4
    inches: Inches = 30.0
    group: Men = 12
    gait: Gait = "halt"
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0
    hidden: Hits = 0


@dataclass(frozen=True)
class ShellOutcome:
    killed: int
    unconscious: int


@dataclass(frozen=True)
class ExposedFacts(DeckFacts):
    """Hits of guns on men of whom so many are open or behind each cover (PAY-187, Table 7)."""

    hits: Hits = 14
    open: Hits = 0
    low_wall: Hits = 0
    parapet: Hits = 0
    wagon: Hits = 0


@dataclass(frozen=True)
class CountedOutcome:
    counted: int


@dataclass(frozen=True)
class ShockFacts:
    """Hidden men under a shot that calls for a shock roll (PAY-189)."""

    hidden: Men
    kind: Kind = "irregular"


def gun_facts_of(rules: Rules, facts: MachineGunFacts | ShellFacts, weapon: str, cover: str) -> FireFacts | None:
    book = PaychestBook(rules)
    band = book.band(weapon, facts.inches)
    if band is None:
        return None
    counted = facts.group + (facts.hidden if book.settings.group_bonus_counts == "all" else 0)
    return FireFacts(
        skill=facts.skill,
        band=band,  # type: ignore[arg-type]  # one of the three
        gait=facts.gait,
        cover=cover,  # type: ignore[arg-type]  # one of the three
        weapon=weapon,  # type: ignore[arg-type]  # one of the two
        arm_wounds=facts.arm_wounds,
        body_wounds=facts.body_wounds,
        bonus=counted // book.file.guns[weapon].figures_a_bonus,
    )


def machine_gun_legs(rules: Rules, facts: MachineGunFacts) -> list[Leg]:
    shot = gun_facts_of(rules, facts, "machine_gun", facts.cover)
    dice = PaychestBook(rules).file.guns["machine_gun"].hit_dice

    def stage(table: Table, slate: Slate) -> None:
        hits, rounds, jammed, ones = slate.values
        if jammed or shot is None:
            return
        engine = Engine("machine_gun", "", "red", "", None, first_ones=ones)
        hit = try_gun(table, engine, shot, "gun")
        if hit:
            rounds += table.roll(dice, 6, why="rounds that hit", rule="PAY-174", actor="gun")
        slate.values = (hits + hit, rounds, engine.jammed, engine.first_ones)

    leg = slate_leg(*[stage] * facts.shots, first=(0, 0, False, int(facts.first_one)))
    return [Leg(leg.start, leg.stages, leg.key, lambda slate: slate.values[:3])]


def machine_gun_tallies(rules: Rules, facts: MachineGunFacts) -> list[Tally]:
    shot = gun_facts_of(rules, facts, "machine_gun", facts.cover)
    return [] if shot is None else [rules.tally("firearms", shot)]


def shell_hits_legs(rules: Rules, facts: ShellFacts) -> list[Leg]:
    shot = gun_facts_of(rules, facts, "shell", "none")
    dice = PaychestBook(rules).file.guns["shell"].hit_dice

    def fire(table: Table, slate: Slate) -> None:
        hit = shot is not None and shoot(table, shot, 1, "gun")
        slate.values = (table.roll(dice, 6, why="rounds that hit", rule="PAY-182", actor="gun") if hit else 0,)

    return [slate_leg(fire)]


def shell_tallies(rules: Rules, facts: ShellFacts) -> list[Tally]:
    shot = gun_facts_of(rules, facts, "shell", "none")
    return [] if shot is None else [rules.tally("firearms", shot)]


SHELL_HITS = Procedure(
    "shell_hits", "PAY-182", "Hits of a shell", ShellFacts, HitsOutcome, shell_hits_legs, tallies=shell_tallies
)


def shell_legs(rules: Rules, facts: ShellFacts) -> list[Leg]:
    hits = {outcome.hits: p for outcome, p in odds(rules, SHELL_HITS, facts).outcomes.items()}
    return [losses(rules, facts, facts.group, hits, shown(rules, facts))]


def exposed_legs(rules: Rules, facts: ExposedFacts) -> list[Leg]:
    book = PaychestBook(rules)
    men = {name: getattr(facts, name) for name in ("open", "low_wall", "parapet", "wagon")}
    whole = sum(men.values()) or 1
    left = deck_of(rules, facts)
    classes: dict[Fraction, tuple[int, int]] = {}  # cards that count alike: copies in the pile, and in the whole pack
    for card, copies in book.full_deck().items():
        share = Fraction(sum(n for name, n in men.items() if book.cards[card].location in book.exposed[name]), whole)
        here, in_all = classes.get(share, (0, 0))
        classes[share] = here + left.get(card, 0), in_all + copies
    again = book.settings.casualty_reshuffle == "every_card"
    deck = DeckClasses(tuple(here for here, _ in classes.values()), tuple(n for _, n in classes.values()), again)
    return [counted_leg(counted_hits(deck, list(classes), facts.hits))]


def shock_legs(rules: Rules, facts: ShockFacts) -> list[Leg]:
    total = PaychestBook(rules).file.cover_shock.total

    def roll(table: Table, battle: Battle) -> bool:
        if not shock_roll(table, total, facts.hidden, "unit"):
            return True
        second_roll(table, battle, battle.change("unit"))
        return False

    return [result_leg(rules, facts.kind, roll)]


PROCEDURES = (
    Procedure(
        "machine_gun",
        "PAY-172",
        "Shots of a machine gun, with jams",
        MachineGunFacts,
        MachineGunOutcome,
        machine_gun_legs,
        lambda r: MachineGunOutcome(*r),
        machine_gun_tallies,
    ),
    SHELL_HITS,
    Procedure(
        "shell",
        "PAY-179",
        "A shell and what it does",
        ShellFacts,
        ShellOutcome,
        shell_legs,
        lambda r: ShellOutcome(*r),
        shell_tallies,
    ),
    Procedure(
        "exposed_hits",
        "PAY-187",
        "Hits of guns that count on men in cover",
        ExposedFacts,
        CountedOutcome,
        exposed_legs,
        CountedOutcome,
    ),
    Procedure(
        "cover_shock",
        "PAY-189",
        "Hidden men under fire of guns",
        ShockFacts,
        MoraleOutcome,
        shock_legs,
        MoraleOutcome,
    ),
)
