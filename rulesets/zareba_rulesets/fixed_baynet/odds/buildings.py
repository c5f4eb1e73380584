"""Odds of fire at buildings and of bashing doors (chapter 21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from zareba.odds import SmallBattle, refuse
from zareba.rules import Rules
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.space.ground.buildings import Building, BuildingSection
from zareba.table import Answer, Draw, Roll, Table
from zareba_rulesets.fixed_baynet.book.dice import MISS
from zareba_rulesets.fixed_baynet.book.numbers import BANDS, FbnBook
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import fire_at_building
from zareba_rulesets.fixed_baynet.chapters.buildings.doors import bash_door
from zareba_rulesets.fixed_baynet.chapters.fire.fire import Band, Skill
from zareba_rulesets.fixed_baynet.chapters.guns.artillery import fire_gun_at_building
from zareba_rulesets.fixed_baynet.chapters.guns.bursts import SHELL
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState
from zareba_rulesets.fixed_baynet.ground.field import Field as Ground
from zareba_rulesets.fixed_baynet.odds.fire import DISTANCES
from zareba_rulesets.fixed_baynet.odds.stage import PROCEDURES, bare_battle, bare_figure, bare_unit, battery, passive

__all__ = ["BuildingFacts", "DoorFacts"]


@dataclass(frozen=True)
class BuildingFacts:
    """Shots at a building with this number of `sections` that has lost `lost` damage points.

    `damage` is that of each shot; `occupants` are in the section that a critical pierces. `shell`: a gun fires shells,
    whose damage is twice its multiple (FBN-213). A shell that misses has no effect.
    """

    material: Literal["wooden_building", "stone_building"] = "wooden_building"
    sections: Annotated[int, Field(ge=1, le=100)] = 1
    lost: Annotated[int, Field(ge=0, le=200)] = 0
    shots: Annotated[int, Field(ge=1, le=60)] = 10
    damage: Annotated[int, Field(ge=1, le=20)] = 1
    shell: bool = False
    band: Band = "medium"
    cs: Skill = 0
    saddle: bool = False
    dark: bool = False
    sniper: bool = False
    occupants: Annotated[int, Field(ge=0, le=60)] = 20


def walls(facts: BuildingFacts, rules: Rules, at: Point) -> Battle:
    """Return a battle with a small building around a point, and its occupants in one section."""
    (x, y), book = at, FbnBook(rules)
    row, box = book.terrain[facts.material], (x - 0.5, y - 0.5, x + 0.5, y + 0.5)
    outline = ((box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]))
    rooms = {f"house:0:{n}": BuildingSection(f"house:0:{n}", "house", 0, box, 20) for n in range(facts.sections)}
    house = Building("house", "sections", row, outline, box, rooms, {}, 0.0)
    piece = TerrainPiece.area("house", row, outline, building="house")
    men = [bare_figure(f"man {n + 1}", "blue", x, y, weapon="none") for n in range(facts.occupants)]
    for man in men:
        man.place = "house:0:0"
    field = Ground(book, 200.0, 200.0, (piece,), buildings={"house": house})
    battle, numbers = bare_battle(rules, [bare_unit("target", "blue", men)], field), book.file.damage_points
    full = row.cv - numbers.minus + numbers.per_section * facts.sections
    refuse(facts.lost >= full, f"a building of {full} damage points cannot have lost {facts.lost}: lost (FBN-249)")
    battle.houses["house"] = BuildingState(full - facts.lost)
    battle.night = facts.dark
    return battle


@PROCEDURES.of("FBN-249", points=int, pierced=int)
def building(rules: Rules, facts: BuildingFacts) -> SmallBattle:
    """Shots at a building.

    Damage points left, and men hit through the wall before it collapsed.
    """
    refuse(
        facts.shell and (facts.saddle or facts.sniper or facts.damage % 2),
        "a crew fires a shell, with twice the gun's multiple as damage: saddle, sniper, damage (FBN-213)",
    )

    book = FbnBook(rules)
    reach = book.gun_bands["light_gun"][BANDS.index(facts.band)] if facts.shell else DISTANCES[facts.band] * 0.9
    battle = walls(facts, rules, (100.0, 10.5 + reach))
    if facts.shell:
        row = book.guns["light_gun"].model_copy(update={"multiple": facts.damage // 2})
        battle.book.guns = {**book.guns, "light_gun": row}
        battle.units["firer"] = battery("light_gun", facts.cs, book)
    else:
        weapon = book.weapons["pistol"].model_copy(update={"damage": facts.damage})
        battle.book.weapons = {**book.weapons, "pistol": weapon}
        man = bare_figure(
            "man", "red", 100.0, 10.0, cs=facts.cs, sniper=facts.sniper, mounted=facts.saddle, weapon="pistol"
        )
        battle.units["firer"] = bare_unit("firer", "red", [man])

    def shoot(table: Table, battle: Battle, _: None) -> None:
        unit = battle.units.change("firer")
        if facts.shell:
            unit.guns[0].ac = 99
            if battle.houses["house"].points:
                fire_gun_at_building(table, battle, unit, unit.guns[0], "house", SHELL)
            return
        man = unit.figures["man"]
        man.ac, man.attacks = 3, 0
        fire_at_building(table, battle, unit, "house", [man])

    def settled(question: Roll | Draw) -> Answer | None:
        """Return a fixed result for rolls that do not affect the outcome: the man hit, the fate of occupants in a
        collapse, and the deviation of a miss.
        """
        if isinstance(question, Draw):
            return question.cards[0][0]
        return {"collapse": MISS, "deviation": 1, "direction": 1}.get(question.why)

    def outcome(battle: Battle, _: object) -> tuple[int, int]:
        return battle.houses["house"].points, len(battle.fallen)

    return SmallBattle(battle, [shoot] * facts.shots, outcome, answer=passive, settled=settled)


# --- doors ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DoorFacts:
    cs: Skill = 0
    attempts: Annotated[int, Field(ge=1, le=60)] = 1


@PROCEDURES.of("FBN-254", opened=bool)
def door(rules: Rules, facts: DoorFacts) -> SmallBattle:
    """Bashing a locked door."""
    battle = bare_battle(rules, [bare_unit("unit", "red", [bare_figure("man", "red", 0, 0, cs=facts.cs)])])
    battle.houses["house"] = BuildingState(1)

    def attempt(table: Table, battle: Battle, _: None) -> None:
        man = battle.units.change("unit").figures["man"]
        man.ac = man.spec.ac
        if not battle.houses["house"].open_doors:
            bash_door(table, battle, man, "house:door")

    def outcome(battle: Battle, _: None) -> bool:
        return bool(battle.houses["house"].open_doors)

    return SmallBattle(battle, [attempt] * facts.attempts, outcome)
