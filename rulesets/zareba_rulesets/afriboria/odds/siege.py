"""Odds of bombardments and ladders, from the functions that play uses."""

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
from zareba_rulesets.afriboria.battle import Battle
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import DiceFacts
from zareba_rulesets.afriboria.ladders import repulse
from zareba_rulesets.afriboria.odds.facts import CardDice, Figures, Range, dice_left, single_leg
from zareba_rulesets.afriboria.odds.stage import StructureKey, bare_battle, unit_of
from zareba_rulesets.afriboria.siege import batter

__all__ = ["SIEGE", "BombardmentOdds", "LadderOdds"]

Value = Annotated[int, Field(ge=1, le=20)]
GunKey = Literal["art_field", "art_horse", "art_heavy"]


@dataclass(frozen=True)
class BombardmentOdds:
    """Guns at a structure with `value` points left."""

    gun: GunKey
    range: Range
    structure: StructureKey
    value: Value
    hilltop: bool = False
    card: CardDice = 0


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
    book, dice = AfrBook(rules), dice_left(_bombardment_dice(rules, facts))

    def run(table: Table) -> BombardmentOutcome:
        left = max(0, facts.value - batter(table, book, dice, facts.structure, "gun", "structure"))
        return BombardmentOutcome(left, left == 0)

    return single_leg(run)


@dataclass(frozen=True)
class LadderOdds:
    """A ladder put up by `figures` men against a manned wall."""

    figures: Figures = 6


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


SIEGE = (
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
)
