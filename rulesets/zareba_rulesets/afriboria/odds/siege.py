"""The odds of bombardments and ladders (chapters 19 and 20)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from zareba.odds import SmallBattle, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.chapters.movement.ladders import erect
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF
from zareba_rulesets.afriboria.ground.field import StructureSpec
from zareba_rulesets.afriboria.odds.facts import CardDice, Figures, Range, StructureKey
from zareba_rulesets.afriboria.odds.stage import ATTACKER, PROCEDURES, attack, bare_battle, small_table, unit_of

__all__ = ["BombardmentOdds", "LadderOdds"]

Value = Annotated[int, Field(ge=1, le=20)]
GunKey = Literal["art_field", "art_horse", "art_heavy"]


@dataclass(frozen=True)
class BombardmentOdds:
    """A bombardment of a structure with `value` points left."""

    gun: GunKey
    range: Range
    structure: StructureKey
    value: Value
    hilltop: bool = False
    card: CardDice = 0


@PROCEDURES.of("AFR-308", value_left=int, rubble=bool)
def bombardment(rules: Rules, facts: BombardmentOdds) -> SmallBattle:
    """One salvo of guns at a structure."""
    gun = unit_of(AfrBook(rules), ATTACKER, "red", facts.gun, OFF)
    gun.mark("battle")
    refuse(facts.range > gun.reach, f"the range of this gun is 1 to {gun.reach} hexes, not {facts.range} (AFR-311)")
    target = StructureSpec(facts.structure, facts.value, "blue")
    return attack(small_table(rules, facts, gun, target), facts, "bombardment", ())


@dataclass(frozen=True)
class LadderOdds:
    """A ladder put up by `figures` men against a manned wall."""

    figures: Figures = 6


@PROCEDURES.of("AFR-332", ladder=str, lost=int)
def ladder(rules: Rules, facts: LadderOdds) -> SmallBattle:
    """The repulse of a ladder against a manned wall.

    The ladder `stands`, `falls` or is `broken`; figures lost.
    """
    book, wall = AfrBook(rules), 1
    storming = unit_of(book, ATTACKER, "red", "inf_b", 0, facts.figures, ladders=True)
    manned = {wall: StructureSpec(next(iter(book.file.structures)), 1, "blue")}
    battle = bare_battle(book, [storming, unit_of(book, "wall", "blue", "inf_b", wall)], size=(1, 2), structures=manned)

    def put_up(table: Table, battle: Battle, _: None) -> tuple[str, int]:
        erect(table, battle, battle.units[ATTACKER], wall)
        (result,) = [event.data["result"] for event in table.events if event.kind == "ladder"]
        return str(result), facts.figures - battle.units[ATTACKER].figures

    return SmallBattle(battle, [put_up])
