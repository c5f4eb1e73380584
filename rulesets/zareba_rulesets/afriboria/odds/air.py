"""The odds of attacks from the air, at fliers, and at parked aircraft (chapters 17 and 18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from zareba.odds import SmallBattle, refuse
from zareba.rules import Rules
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.pieces import OFF, Flier, FlierSpec
from zareba_rulesets.afriboria.odds.battles import BattleOutcome
from zareba_rulesets.afriboria.odds.facts import AttackFacts, CardDice, Figures, Section, Terrains, UnitKey, WayBack
from zareba_rulesets.afriboria.odds.stage import ATTACKER, DEFENDER, PROCEDURES, attack, small_table, unit_of

__all__ = ["AirAttackOdds", "AntiAirOdds", "ParkedFacts"]

AirRange = Annotated[int, Field(ge=0, le=3)]
Strength = Annotated[int, Field(ge=1, le=100)]


@dataclass(frozen=True)
class AirAttackOdds(WayBack):
    """An attack from the air on a ground unit at range 1 or 2; range 0 is a bomb. The other fields are those of a
    battle.
    """

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


@PROCEDURES.of("AFR-269", BattleOutcome)
def attack_from_air(rules: Rules, facts: AirAttackOdds) -> SmallBattle:
    """An aircraft or airship with gun or bomb against a ground unit.

    A ground unit has no defence against an attack from the air (AFR-281).
    """
    book = AfrBook(rules)
    reach = len(book.file.air_ground_dice.dice)
    refuse(facts.range > reach, f"aircraft attack ground targets at range 0 to {reach}, not {facts.range} (AFR-269)")
    plane = Flier(OFF, True, 1, bombs=1, spec=FlierSpec(ATTACKER, ATTACKER, "red", "aircraft"))
    return attack(small_table(rules, facts, plane), facts, "attack_from_air")


@dataclass(frozen=True)
class AntiAirOdds:
    """Fire of a machine gun, anti-aircraft gun or aircraft at a flier, at range 0 to 3.

    `strength` of an airship; `card`: dice by cards and events.
    """

    target: Literal["aircraft", "airship"]
    range: AirRange = 1
    strength: Strength = 6
    card: CardDice = 0


@PROCEDURES.of("AFR-274", down=bool, strength_lost=int)
def anti_aircraft(rules: Rules, facts: AntiAirOdds) -> SmallBattle:
    """Fire at an aircraft or airship in the air.

    `down` if it is brought down, and the strength that an airship loses.
    """
    book = AfrBook(rules)
    refuse(
        facts.range > len(book.air_dice),
        f"fire at aircraft has range 0 to {len(book.air_dice)}, not {facts.range} (AFR-272)",
    )
    gun = unit_of(book, ATTACKER, "red", "aa_gun", OFF)
    gun.mark("battle")
    target = Flier(OFF, True, facts.strength, spec=FlierSpec(DEFENDER, DEFENDER, "blue", facts.target))
    return attack(small_table(rules, facts, gun, target), facts, "anti_aircraft", ())


@dataclass(frozen=True)
class ParkedFacts(AttackFacts):
    """An attack on a flier on the ground; `strength`: points left to an airship, 1 for an aircraft."""

    strength: Strength = 1


@PROCEDURES.of("AFR-278", hits=int, destroyed=bool)
def attack_on_parked(rules: Rules, facts: ParkedFacts) -> SmallBattle:
    """An attack of a ground unit on a parked aircraft or airship.

    `hits` that were not saved, and `destroyed` if they destroy it.
    """
    profile = AfrBook(rules).profiles[facts.attacker]
    refuse(profile.jams, f"{profile.title} cannot attack parked aircraft; foot, mounted troops and guns can (AFR-278)")
    spec = FlierSpec(DEFENDER, DEFENDER, "blue", "airship" if facts.strength > 1 else "aircraft")
    parked = Flier(OFF, False, facts.strength, spec=spec)
    return attack(small_table(rules, facts, target=parked), facts, "attack_on_parked", ("anti-aircraft fire",))
