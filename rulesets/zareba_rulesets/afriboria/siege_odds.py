"""Odds of bombardments, ladders and everything in the air, from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.afriboria.air import hits_on_flier
from zareba_rulesets.afriboria.battle import Battle
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import DiceFacts, Exchange, ExchangeFacts, answer_flags, attack
from zareba_rulesets.afriboria.field import Ground
from zareba_rulesets.afriboria.ladders import repulse
from zareba_rulesets.afriboria.siege import batter
from zareba_rulesets.afriboria.situation import StructureKey, TerrainKey, UnitKey, bare_battle, unit_of

__all__ = ["AIR_AND_SIEGE", "AirAttackOdds", "AntiAirOdds", "BombardmentOdds", "LadderOdds"]

GunKey = Literal["art_field", "art_horse", "art_heavy"]


class _Result:
    """A state of nothing but a result."""

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def copy(self) -> _Result:
        return _Result(self.value)


def _single(run: Callable[[Table], Any]) -> list[Leg]:
    """One leg of one stage whose result is what `run` gives."""

    def stage(table: Table, state: _Result) -> None:
        state.value = run(table)

    return [Leg(_Result, [stage], lambda state: state.value, lambda state: state.value)]


# --- bombardment and ladders --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BombardmentOdds:
    """Guns at a structure with `value` points left."""

    gun: GunKey
    range: int
    structure: StructureKey
    value: int
    hilltop: bool = False
    card: int = 0


@dataclass(frozen=True)
class BombardmentOutcome:
    value_left: int
    rubble: bool


def _bombardment_dice(rules: Rules, facts: BombardmentOdds) -> Tally:
    row = AfrBook(rules).profiles[facts.gun].dice
    if not 1 <= facts.range <= len(row):
        raise ZarebaError(f"the range of this gun is 1 to {len(row)} hexes, not {facts.range} (AFR-311)")
    return rules.tally(
        "battle_dice", DiceFacts(row[facts.range - 1], facts.range, hilltop=facts.hilltop, card=facts.card)
    )


def _bombardment_legs(rules: Rules, facts: BombardmentOdds) -> Sequence[Leg]:
    book, dice = AfrBook(rules), _bombardment_dice(rules, facts).total

    def run(table: Table) -> BombardmentOutcome:
        left = max(0, facts.value - batter(table, book, dice, facts.structure, "gun", "structure"))
        return BombardmentOutcome(left, left == 0)

    return _single(run)


@dataclass(frozen=True)
class LadderOdds:
    """A ladder put up by `figures` men against a manned wall."""

    figures: int = 6


@dataclass(frozen=True)
class LadderOutcome:
    """The ladder `stands`, `falls` or is `broken`; figures lost."""

    ladder: str
    lost: int


def _ladder_legs(rules: Rules, facts: LadderOdds) -> Sequence[Leg]:
    book = AfrBook(rules)

    def start() -> Battle:
        return bare_battle(
            book, [unit_of(book, "escalade", "red", "inf_b", 0, facts.figures, ladders=True)], size=(2, 2)
        )

    def stage(table: Table, battle: Battle) -> None:
        battle.ending = repulse(table, battle, battle.units["escalade"])

    def result(battle: Battle) -> LadderOutcome:
        return LadderOutcome(battle.ending, facts.figures - battle.units["escalade"].figures)

    return [Leg(start, [stage], result, result)]


# --- the air ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AirAttackOdds:
    """An attack from the air on a ground unit at range 1 or 2; range 0 is a bomb."""

    range: int
    defender: UnitKey
    defender_figures: int
    terrain: TerrainKey = "open"
    defender_officer: bool = False
    voluntary: bool = False


@dataclass(frozen=True)
class AirAttackOutcome:
    kills: int
    retreat: int
    jammed: bool


def _air_attack_dice(rules: Rules, facts: AirAttackOdds) -> Tally:
    book = AfrBook(rules)
    row = book.file.air_ground_dice.dice
    if not 0 <= facts.range <= len(row):
        raise ZarebaError(f"an aircraft fights the ground at range 0 to {len(row)}, not {facts.range} (AFR-269)")
    dice = row[facts.range - 1] if facts.range else book.file.bomb_dice.dice[0]
    cover = Ground.of(book, [] if facts.terrain == "open" else [facts.terrain]).cover[True, False]
    return rules.tally("battle_dice", DiceFacts(dice, facts.range, cover=cover))


def _air_attack_legs(rules: Rules, facts: AirAttackOdds) -> Sequence[Leg]:
    book = AfrBook(rules)
    compiled = ExchangeFacts(
        _air_attack_dice(rules, facts).total,
        "modern",
        close=False,
        figures=facts.defender_figures,
        strength=facts.defender_figures,
        jams=facts.range > 0,
        steady_above=book.threshold(book.profiles[facts.defender], facts.defender_officer),
        sandbags=facts.terrain == "sandbags",
        stands=not facts.voluntary,
    )

    def run(table: Table) -> AirAttackOutcome:
        exchange = Exchange("aircraft", "defender", "blue", facts=compiled)
        attack(table, book, exchange)
        answer_flags(table, book, exchange)
        return AirAttackOutcome(exchange.kills, exchange.retreat, exchange.jammed)

    return _single(run)


@dataclass(frozen=True)
class AntiAirOdds:
    """Fire of a machine gun, anti-aircraft gun or aircraft at what flies, at range 0 to 3. `strength` of an airship."""

    target: Literal["aircraft", "airship"]
    range: int = 1
    strength: int = 6


@dataclass(frozen=True)
class AntiAirOutcome:
    """Whether it is brought down, and the strength that an airship loses."""

    down: bool
    strength_lost: int


def _anti_air_legs(rules: Rules, facts: AntiAirOdds) -> Sequence[Leg]:
    book = AfrBook(rules)
    if not 0 <= facts.range <= len(book.air_dice):
        raise ZarebaError(f"fire at what flies reaches 0 to {len(book.air_dice)} hexes, not {facts.range} (AFR-272)")
    dice = book.air_dice[max(1, facts.range) - 1]

    def run(table: Table) -> AntiAirOutcome:
        hits = hits_on_flier(table, book, dice, facts.target, "gun", "target")
        if facts.target == "aircraft":
            return AntiAirOutcome(hits >= book.file.aircraft_falls_at.hits, 0)
        lost = min(hits, facts.strength)
        return AntiAirOutcome(lost == facts.strength, lost)

    return _single(run)


AIR_AND_SIEGE = (
    Procedure(
        "bombardment",
        "AFR-308",
        "one salvo of guns at a structure",
        BombardmentOdds,
        BombardmentOutcome,
        _bombardment_legs,
        lambda outcome: outcome,
        lambda rules, facts: [_bombardment_dice(rules, facts)],
    ),
    Procedure(
        "ladder",
        "AFR-332",
        "the repulse of a ladder against a manned wall",
        LadderOdds,
        LadderOutcome,
        _ladder_legs,
        lambda outcome: outcome,
    ),
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
    ),
)
