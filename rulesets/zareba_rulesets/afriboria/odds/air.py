"""Odds of attacks from the air, on what flies, and on what is parked, from the functions that play uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.afriboria.air_battle import anti_air_facts, hits_on_flier, hits_on_parked
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import DiceFacts, Exchange, ExchangeFacts, answer_flags, attack
from zareba_rulesets.afriboria.odds.facts import (
    AttackFacts,
    CardDice,
    Figures,
    Section,
    Terrains,
    WayBack,
    aftermath,
    battle_dice,
    dice_left,
    ground_of,
    single_leg,
)
from zareba_rulesets.afriboria.odds.stage import UnitKey

__all__ = ["AIR", "AirAttackOdds", "AntiAirOdds", "ParkedFacts", "air_exchange"]

AirRange = Annotated[int, Field(ge=0, le=3)]
Strength = Annotated[int, Field(ge=1, le=100)]


@dataclass(frozen=True)
class AirAttackOdds(WayBack):
    """An attack from the air on a ground unit at range 1 or 2; range 0 is a bomb. The other words are those of a battle."""

    range: AirRange
    defender: UnitKey
    defender_figures: Figures
    terrain: Terrains = ()
    defender_officer: bool = False
    voluntary: bool = False
    defender_section: Section = 0
    stubborn: bool = False
    inspired: bool = False
    card: CardDice = 0


@dataclass(frozen=True)
class AirAttackOutcome:
    """As of a battle; nobody answers an attack from the air (AFR-281)."""

    hits: int
    kills: int
    retreat: int
    lost_to_flags: int
    destroyed: bool
    jammed: bool


def _air_attack_dice(rules: Rules, facts: AirAttackOdds) -> Tally:
    book = AfrBook(rules)
    row = book.file.air_ground_dice.dice
    if not 0 <= facts.range <= len(row):
        raise ZarebaError(f"an aircraft fights the ground at range 0 to {len(row)}, not {facts.range} (AFR-269)")
    dice = row[facts.range - 1] if facts.range else book.file.bomb_dice.dice[0]
    cover = ground_of(book, facts.terrain).cover[True][False]
    return rules.tally("battle_dice", DiceFacts(dice, facts.range, card=facts.card, cover=cover))


def air_exchange(rules: Rules, facts: AirAttackOdds) -> ExchangeFacts:
    """The facts of the exchange; play finds the same in the same situation."""
    book = AfrBook(rules)
    return ExchangeFacts(
        _air_attack_dice(rules, facts).total,
        "modern",
        close=False,
        figures=facts.defender_section or facts.defender_figures,
        strength=facts.defender_figures,
        jams=facts.range > 0,
        steady_above=book.threshold(book.profiles[facts.defender], facts.defender_officer),
        stubborn=facts.stubborn,
        inspired=facts.inspired,
        sandbags="sandbags" in facts.terrain,
        stands=not facts.voluntary,
    )


def _air_attack_legs(rules: Rules, facts: AirAttackOdds) -> Sequence[Leg]:
    book, compiled = AfrBook(rules), air_exchange(rules, facts)
    dice_left(_air_attack_dice(rules, facts))

    def run(table: Table) -> AirAttackOutcome:
        exchange = Exchange("aircraft", "defender", "blue", facts=compiled)
        attack(table, book, exchange)
        answer_flags(table, book, exchange)
        after = aftermath(exchange, facts.defender_figures, facts, voluntary=facts.voluntary)
        return AirAttackOutcome(exchange.hits, exchange.kills, *after, exchange.jammed)

    return single_leg(run)


@dataclass(frozen=True)
class AntiAirOdds:
    """Fire of a machine gun, anti-aircraft gun or aircraft at what flies, at range 0 to 3. `strength` of an airship; `card`:
    dice by cards and events."""

    target: Literal["aircraft", "airship"]
    range: AirRange = 1
    strength: Strength = 6
    card: CardDice = 0


@dataclass(frozen=True)
class AntiAirOutcome:
    """Whether it is brought down, and the strength that an airship loses."""

    down: bool
    strength_lost: int


def _anti_air_dice(rules: Rules, facts: AntiAirOdds) -> Tally:
    book = AfrBook(rules)
    if not 0 <= facts.range <= len(book.air_dice):
        raise ZarebaError(f"fire at what flies reaches 0 to {len(book.air_dice)} hexes, not {facts.range} (AFR-272)")
    return rules.tally("battle_dice", anti_air_facts(book, facts.range, facts.card))


def _anti_air_legs(rules: Rules, facts: AntiAirOdds) -> Sequence[Leg]:
    book, dice = AfrBook(rules), _anti_air_dice(rules, facts).total

    def run(table: Table) -> AntiAirOutcome:
        hits = hits_on_flier(table, book, dice, facts.target, "gun", "target")
        if facts.target == "aircraft":
            return AntiAirOutcome(hits >= book.file.aircraft_falls_at.hits, 0)
        lost = min(hits, facts.strength)
        return AntiAirOutcome(lost == facts.strength, lost)

    return single_leg(run)


@dataclass(frozen=True)
class ParkedFacts(AttackFacts):
    """An attack on a flier on the ground; `strength`: points left to an airship, 1 for an aircraft."""

    strength: Strength = 1


@dataclass(frozen=True)
class ParkedOutcome:
    """`hits` that were not saved, and whether they destroy it."""

    hits: int
    destroyed: bool


def _parked_legs(rules: Rules, facts: ParkedFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    profile = book.profiles[facts.attacker]
    if profile.jams:
        raise ZarebaError(
            f"{profile.title} does not fire at what is parked: foot, mounted troops and guns do (AFR-278)"
        )
    dice, hits = dice_left(battle_dice(book, facts)), profile.hits

    def run(table: Table) -> ParkedOutcome:
        unsaved = hits_on_parked(table, book, dice, hits, facts.range == 1, "attacker", "aircraft")
        return ParkedOutcome(unsaved, unsaved >= facts.strength)

    return single_leg(run)


AIR = (
    Procedure(
        "attack_from_air",
        "AFR-269",
        "an aircraft or airship with gun or bomb against a ground unit",
        AirAttackOdds,
        AirAttackOutcome,
        _air_attack_legs,
        lambda outcome: outcome,
        lambda rules, facts: [_air_attack_dice(rules, facts)],
    ),
    Procedure(
        "anti_aircraft",
        "AFR-274",
        "fire at an aircraft or airship in the air",
        AntiAirOdds,
        AntiAirOutcome,
        _anti_air_legs,
        lambda outcome: outcome,
        lambda rules, facts: [_anti_air_dice(rules, facts)],
    ),
    Procedure(
        "attack_on_parked",
        "AFR-278",
        "an attack of a ground unit on a parked aircraft or airship",
        ParkedFacts,
        ParkedOutcome,
        _parked_legs,
        lambda outcome: outcome,
        lambda rules, facts: [battle_dice(AfrBook(rules), facts)],
    ),
)
