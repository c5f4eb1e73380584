"""The facts of an attack and its target, for odds questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

__all__ = ["AWAY", "AttackFacts", "BattleFacts", "CardDice", "CommanderFacts", "Figures", "Range", "Section", "StructureKey", "Terrains", "UnitKey", "WayBack"]  # fmt: skip

UnitKey = Literal[
    "inf_a", "inf_b", "inf_c", "civ_n", "pack", "cav_a", "cav_b", "cav_c", "cav_a_foot", "cav_b_foot", "cav_c_foot",
    "art_field", "art_horse", "art_heavy", "mg_foot", "mg_horse", "aa_gun", "rocket", "vehicle", "vehicle_mg", "vehicle_gun",
]  # fmt: skip
TerrainKey = Literal[
    "open", "wood", "orchard", "hill", "building", "river", "ford", "marsh", "depression", "debris", "sandbags", "barbed_wire",
    "bridge", "field", "rough", "fence", "fieldwork",
]  # fmt: skip
StructureKey = Literal["wood", "adobe", "stone", "stone_fort"]
Figures = Annotated[int, Field(ge=1, le=200)]
Range = Annotated[int, Field(ge=1, le=8)]
Firearms = Annotated[int, Field(ge=-1, le=200)]
CardDice = Annotated[int, Field(ge=-4, le=4)]
Section = Annotated[int, Field(ge=0, le=200)]
Rows = Annotated[int, Field(ge=0, le=200)]
AWAY = 20  # hexes to the own edge: too far to matter
Terrains = tuple[TerrainKey, ...]


@dataclass(frozen=True)
class AttackFacts:
    """The facts that give the dice of an attack, whatever the target.

    `terrain` are the features of the target's hex, `attacker_terrain` those of the attacker's. `attacker_missile`: it
    fires at a distance; `firearms` of the attacker, -1: all figures have one. `officer`: one who lends his die;
    `card`: dice by cards and events.
    """

    attacker: UnitKey
    attacker_figures: Figures
    range: Range
    terrain: Terrains = ()
    attacker_terrain: Terrains = ()
    attacker_missile: bool = True
    firearms: Firearms = -1
    lancers: bool = False
    officer: bool = False
    hilltop: bool = False
    ladders: bool = False
    card: CardDice = 0


@dataclass(frozen=True, kw_only=True)
class WayBack:
    """The way back of the defender.

    `blocked`: no hex behind it is free, else the way is barred after `barred_behind` hexes; `at_edge`: the field ends
    behind it, else after `rows_behind` hexes.
    """

    blocked: bool = False
    barred_behind: Rows = AWAY
    at_edge: bool = False
    rows_behind: Rows = AWAY


@dataclass(frozen=True)
class BattleFacts(WayBack, AttackFacts):
    """A battle of one unit against another.

    `defender_officer`: one in the defender's hex; `officer_apart`: he is with another section than the one attacked,
    or has lent his die to another unit. `voluntary`: the defender retreats voluntarily. `defended`: it has no defence
    left, or none against this attack. `defender_section`: of a unit on a wall only these figures can be hit, 0: all.
    `stubborn`: it may ignore any flags, in a structure; `inspired`: an event makes it ignore all flags.
    """

    defender: UnitKey = field(kw_only=True)
    defender_figures: Figures = field(kw_only=True)
    defender_missile: bool = True
    defender_officer: bool = False
    officer_apart: bool = False
    defender_ladders: bool = False
    voluntary: bool = False
    defended: bool = False
    defender_section: Section = 0
    stubborn: bool = False
    inspired: bool = False


@dataclass(frozen=True)
class CommanderFacts(WayBack, AttackFacts):
    """An attack on a commander without a unit; the fields are those of a battle. `character`: he is only wounded."""

    voluntary: bool = False
    stubborn: bool = False
    character: bool = False
