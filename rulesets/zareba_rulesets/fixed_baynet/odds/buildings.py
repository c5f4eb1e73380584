"""Odds of buildings and doors (chapter 21), built from the functions that play uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.fixed_baynet.battle import Battle, House
from zareba_rulesets.fixed_baynet.building_damage import damage_building
from zareba_rulesets.fixed_baynet.dice import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.doors import bash_roll
from zareba_rulesets.fixed_baynet.field import Field as Ground
from zareba_rulesets.fixed_baynet.fire import Band, ShotFacts, Skill
from zareba_rulesets.fixed_baynet.odds.artillery import quiet
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_figure, bare_unit
from zareba_rulesets.fixed_baynet.pieces import Building, Section, area_piece

__all__ = ["BUILDING_PROCEDURES", "BuildingFacts", "DoorFacts"]


@dataclass(frozen=True)
class BuildingFacts:
    """Shots at a building of so many sections that has `lost` damage points; `damage` of each shot, `occupants` in the
    section that a critical pierces.
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

    def shot(self, rules: Rules) -> ShotFacts:
        cv = rules.book.terrain[self.material].cv  # type: ignore[attr-defined]  # the file model of these rules
        return ShotFacts(cv, band=self.band, cs=self.cs, saddle=self.saddle, dark=self.dark, sniper=self.sniper)


@dataclass(frozen=True)
class BuildingOutcome:
    """Damage points left, and men hit through the wall before it fell."""

    points: int
    pierced: int


class _House:
    def __init__(self, battle: Battle, pierced: int = 0) -> None:
        self.battle, self.pierced = battle, pierced

    def copy(self) -> _House:
        return _House(self.battle.copy(), self.pierced)


def _building_battle(rules: Rules, facts: BuildingFacts) -> Battle:
    men = [
        bare_figure(f"man {number + 1}", "blue", 50.0 + number % 5, 50.0 + number // 5, ds=99)
        for number in range(facts.occupants)
    ]
    book = bare_battle(rules, []).book
    row = book.terrain[facts.material]
    outline = ((48.0, 48.0), (56.0, 48.0), (56.0, 56.0), (48.0, 56.0))
    rooms = {
        f"house:0:{i}": Section(f"house:0:{i}", "house", 0, (48.0, 48.0, 56.0, 56.0), 20) for i in range(facts.sections)
    }
    house = Building("house", "sections", row, outline, (48.0, 48.0, 56.0, 56.0), rooms, {}, 0.0)
    field = Ground(
        book, 200.0, 200.0, (area_piece("house", row, outline, building="house"),), buildings={"house": house}
    )
    battle = bare_battle(rules, [bare_unit("target", "blue", men)], field)
    numbers = book.file.damage_points
    points = row.cv - numbers.minus + numbers.per_section * facts.sections
    battle.houses["house"] = House(max(0, points - facts.lost))
    for man in men:
        man.place = "house:0:0"
    quiet(battle.units["target"])
    return battle


def _building_legs(rules: Rules, facts: BuildingFacts) -> list[Leg]:
    def shoot(table: Table, run: _House) -> None:
        battle = run.battle
        house = battle.houses.change("house")
        if house.points <= 0:
            return
        need = table.tally("fire", facts.shot(rules)).total
        result = d12_result(table, need, why="shot", rule="FBN-247", actor="firer")
        if not result:
            return
        if house.points <= facts.damage:
            house.points = 0  # how the fall goes for those inside is another question
            run.pierced += min(len(battle.units["target"].figures), _pierced(facts, result))
            return
        target = battle.units.change("target")
        before = len(target.figures)
        table.state = battle
        quiet(target)
        damage_building(table, battle, "house", facts.damage, result == CRITICAL, facts.shell, None)
        run.pierced += before - len(target.figures)

    def key(run: _House) -> Any:
        return run.battle.houses["house"].points, run.pierced

    return [
        Leg(
            lambda: _House(_building_battle(rules, facts)),
            [shoot] * facts.shots,
            key,
            lambda run: BuildingOutcome(*key(run)),
        )
    ]


def _pierced(facts: BuildingFacts, result: int) -> int:
    if result != CRITICAL:
        return 0
    return facts.occupants if facts.shell else 1


def _building_tallies(rules: Rules, facts: BuildingFacts) -> list[Tally]:
    return [rules.tally("fire", facts.shot(rules))]


@dataclass(frozen=True)
class DoorFacts:
    cs: Skill = 0
    attempts: Annotated[int, Field(ge=1, le=60)] = 1


@dataclass(frozen=True)
class DoorOutcome:
    opened: bool


def _door_legs(rules: Rules, facts: DoorFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        if not slate.values[0]:
            slate.values = (bash_roll(table, facts.cs, "man"),)

    return [slate_leg(*[run] * facts.attempts, first=(False,))]


BUILDING_PROCEDURES = (
    Procedure(
        "building", "FBN-249", "shots at a building",
        BuildingFacts, BuildingOutcome, _building_legs, lambda outcome: outcome, _building_tallies,
    ),
    Procedure("door", "FBN-254", "bashing a locked door", DoorFacts, DoorOutcome, _door_legs),
)  # fmt: skip
