"""Odds of guns, machine guns, buildings and doors, built from the functions that play uses."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Any, Literal

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.fixed_baynet.artillery import (
    BlastFacts,
    Impact,
    aim_gun,
    blast_one,
    deviation,
    gun_damage,
    land_indirect,
    struck_by,
)
from zareba_rulesets.fixed_baynet.bare import bare_battle, bare_figure, bare_unit
from zareba_rulesets.fixed_baynet.battle import Battle, Gun, House
from zareba_rulesets.fixed_baynet.buildings import bash_roll, damage_building
from zareba_rulesets.fixed_baynet.dice import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.field import Building, Field, Section, area_piece
from zareba_rulesets.fixed_baynet.fire import Band, Formation, ShotFacts, to_hit
from zareba_rulesets.fixed_baynet.hits import strike
from zareba_rulesets.fixed_baynet.machine_guns import jams
from zareba_rulesets.fixed_baynet.slate import Slate, of, slate_leg

__all__ = ["GUN_PROCEDURES"]

GunName = Literal[
    "light_howitzer", "medium_howitzer", "heavy_howitzer", "light_gun", "medium_gun", "heavy_gun", "trench_mortar"
]
Ammunition = Literal["shot", "shell"]
GUN_AT = (100.0, 10.0)


# --- deviation ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DeviationFacts:
    ammunition: Ammunition = "shell"
    critical: bool = False


@dataclass(frozen=True)
class DeviationOutcome:
    """Inches, and the hour of the clock, 12 onwards."""

    inches: int
    hour: int


def _deviation_legs(rules: Rules, facts: DeviationFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        inches = deviation(table, facts.ammunition, facts.critical, "gun")
        slate.set(inches, table.roll(1, 12, why="direction", rule="FBN-221", actor="gun"))

    return [slate_leg(run)]


# --- direct fire ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DirectFacts:
    """A round at the middle man of a block of men, `ranks` by `files`, their centres `apart` inches.

    `distance` in inches to the middle man, edge to edge; `cs` of the best gunner.
    """

    gun: GunName = "light_gun"
    ammunition: Ammunition = "shell"
    distance: float = 30
    cs: int = -1
    ds: int = 4
    formation: Formation = "mass"
    ranks: int = 3
    files: int = 3
    apart: float = 1.0

    def battle(self, rules: Rules) -> Battle:
        """The block north of a gun that points at it."""
        away = 1.5 + self.distance
        men = [
            bare_figure(f"man {rank * self.files + file + 1}", "blue", GUN_AT[0] + (file - (self.files - 1) / 2) * self.apart,
                        GUN_AT[1] + away + (rank - (self.ranks - 1) / 2) * self.apart, table="native", ds=self.ds)
            for rank in range(self.ranks)
            for file in range(self.files)
        ]  # fmt: skip
        gunner = bare_figure("gunner", "red", GUN_AT[0], GUN_AT[1] - 1.5, role="crew", cs=self.cs)
        kind = rules.book.guns[self.gun]  # type: ignore[attr-defined]  # the file model of these rules
        battery = bare_unit("battery", "red", [gunner], guns=[Gun(self.gun, *GUN_AT, 0.0, 0.0, kind.wounds, ac=3)])
        return bare_battle(rules, [battery, bare_unit("target", "blue", men, self.formation)])

    def shot(self, rules: Rules) -> ShotFacts:
        """The facts of the aimed shot, by the bands of the piece (FBN-212)."""
        bands = bare_battle(rules, []).book.gun_bands[self.gun]
        band = next(
            (name for name, limit in zip(("short", "medium"), bands, strict=False) if self.distance <= limit), "long"
        )
        return ShotFacts(self.ds, formation=self.formation, band=band, cs=self.cs)  # type: ignore[arg-type]  # a band


@dataclass(frozen=True)
class BlastOutcome:
    """Men down."""

    down: int


class _Shoot:
    """A battle, where the round came down, and who is still to be attacked."""

    def __init__(
        self, battle: Battle, impact: Impact | None = None, waiting: tuple[tuple[str, BlastFacts], ...] = ()
    ) -> None:
        self.battle, self.impact, self.waiting = battle, impact, waiting

    def copy(self) -> _Shoot:
        return _Shoot(self.battle.copy(), self.impact, self.waiting)

    @property
    def key(self) -> Any:
        return self.waiting, self.down

    @property
    def down(self) -> int:
        return self.battle.units["target"].start - len(self.battle.units["target"].figures)


def _direct_legs(rules: Rules, facts: DirectFacts) -> list[Leg]:
    middle = f"man {(facts.ranks // 2) * facts.files + facts.files // 2 + 1}"

    def aim(table: Table, run: _Shoot) -> None:
        battle = run.battle
        table.state = battle
        target, gun, _battery = battle.units["target"], battle.units["battery"].guns[0], battle.units["battery"]
        man = target.figures[middle]
        strays = rules.settings["deviation_on"] == "always"
        run.impact = aim_gun(table, facts.shot(rules), gun.at, man.at, facts.ammunition, strays, "gun")
        direct = run.impact.direct
        if not direct or facts.ammunition == "shell":
            caught = struck_by(battle, gun, facts.ammunition, run.impact, man if direct else None)
            names = {figure.spec.id: situation for home, figure, situation in caught if home is target}
            if facts.ammunition == "shot" and len(names) > 1:
                one = table.draw(dict.fromkeys(names, 1), why="nearest of equals", rule="FBN-218", actor="gun")
                names = {one: names[one]}
            run.waiting = tuple(names.items())
        if direct:
            _down(table, battle, man.spec.id, direct == CRITICAL, gun_damage(battle, gun, facts.ammunition))

    def blast(table: Table, run: _Shoot) -> None:
        if not run.waiting:
            return
        battle = run.battle
        table.state = battle
        target = battle.units["target"]
        (first, situation), *rest = run.waiting
        quiet(target)
        battery = battle.units["battery"]
        blast_one(table, battle, battery, battery.guns[0], facts.ammunition, target, target.figures[first], situation)
        run.waiting = tuple(rest)

    stages = [aim, *[blast] * (facts.ranks * facts.files)]
    return [
        Leg(
            lambda: _Shoot(_quiet_battle(facts.battle(rules))),
            stages,
            lambda run: run.key,
            lambda run: BlastOutcome(run.down),
        )
    ]


def quiet(unit: Any) -> None:
    """What a round does to the target's glory is not asked here: its events count as had."""
    unit.events = ("banner", "half", "ridden at", "charge", "pinned", "flank")


def _quiet_battle(battle: Battle) -> Battle:
    quiet(battle.units["target"])
    return battle


def _down(table: Table, battle: Battle, man: str, critical: bool, damage: int) -> None:
    target = battle.units["target"]
    quiet(target)
    strike(table, battle, target, target.figures[man], critical, damage, "fire", battle.units["battery"])


def _direct_tallies(rules: Rules, facts: DirectFacts) -> list[Tally]:
    return [rules.tally("fire", facts.shot(rules))]


# --- indirect fire -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IndirectFacts:
    """A point `distance` inches away and the guess of it."""

    gun: GunName = "medium_howitzer"
    ammunition: Ammunition = "shell"
    distance: float = 24
    guess: float = 24


@dataclass(frozen=True)
class IndirectOutcome:
    """Where the round comes down from the point, in inches to the right and beyond; whether its marker covers the point."""

    right: float
    beyond: float
    covered: bool


def _indirect_legs(rules: Rules, facts: IndirectFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        goal = (0.0, facts.distance)
        impact = land_indirect(table, (0.0, 0.0), goal, facts.guess, facts.ammunition, "gun")
        book = bare_battle(rules, []).book
        reach = book.burst_radius(facts.gun) if facts.ammunition == "shell" else float(book.file.ball["inches"])
        right, beyond = round(impact.x, 6), round(impact.y - facts.distance, 6)
        slate.set(right + 0.0, beyond + 0.0, hypot(right, beyond) <= reach + 1e-6)

    return [slate_leg(run)]


# --- machine guns -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MachineGunFacts:
    """Salvos of a machine gun in one turn at a unit of `men`, with the jam die before the first (FBN-232)."""

    ds: int = 4
    formation: Formation = "open"
    cv: int = 0
    band: Band = "medium"
    cs: int = -1
    charging: bool = False
    salvos: int = 3
    men: int = 20

    def shot(self) -> ShotFacts:
        return ShotFacts(self.ds, self.formation, self.cv, self.band, self.cs, self.charging)


@dataclass(frozen=True)
class MachineGunOutcome:
    jammed: bool
    down: int


def _machine_gun_legs(rules: Rules, facts: MachineGunFacts) -> list[Leg]:
    def jam(table: Table, slate: Slate) -> None:
        slate.set(rules.settings["jam_roll"] == "before_first_salvo" and jams(table, "gun"), 0)

    def shoot(table: Table, slate: Slate) -> None:
        jammed, down = slate.values
        if not jammed and down < facts.men:
            slate.set(jammed, down + (to_hit(table, facts.shot(), "gun") > 0))

    shots = facts.salvos * int(rules.book.salvo["shots"])  # type: ignore[attr-defined]  # the file model of these rules
    return [slate_leg(jam, *[shoot] * shots)]


def _machine_gun_tallies(rules: Rules, facts: MachineGunFacts) -> list[Tally]:
    return [rules.tally("fire", facts.shot())]


# --- buildings and doors --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BuildingFacts:
    """Shots at a building of so many sections; `damage` of each, `occupants` in the section that a critical pierces."""

    material: Literal["wooden_building", "stone_building"] = "wooden_building"
    sections: int = 1
    shots: int = 10
    damage: int = 1
    shell: bool = False
    band: Band = "medium"
    cs: int = 0
    occupants: int = 20

    def shot(self, rules: Rules) -> ShotFacts:
        return ShotFacts(rules.book.terrain[self.material].cv, band=self.band, cs=self.cs)  # type: ignore[attr-defined]  # our file model


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
    field = Field(
        book, 200.0, 200.0, (area_piece("house", row, outline, building="house"),), buildings={"house": house}
    )
    battle = bare_battle(rules, [bare_unit("target", "blue", men)], field)
    numbers = book.file.damage_points
    battle.houses["house"] = House(row.cv - numbers["minus"] + numbers["per_section"] * facts.sections)
    for man in men:
        man.place = "house:0:0"
    quiet(battle.units["target"])
    return battle


def _building_legs(rules: Rules, facts: BuildingFacts) -> list[Leg]:
    def shoot(table: Table, run: _House) -> None:
        battle = run.battle
        house = battle.houses["house"]
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
        target = battle.units["target"]
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
    cs: int = 0
    attempts: int = 1


@dataclass(frozen=True)
class DoorOutcome:
    opened: bool


def _door_legs(rules: Rules, facts: DoorFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        if not slate.values[0]:
            slate.set(bash_roll(table, facts.cs, "man"))

    return [slate_leg(*[run] * facts.attempts, first=(False,))]


def _same(result: Any) -> Any:
    return result


GUN_PROCEDURES = (
    Procedure(
        "deviation",
        "FBN-219",
        "how far and where a round strays",
        DeviationFacts,
        DeviationOutcome,
        _deviation_legs,
        of(DeviationOutcome),
    ),
    Procedure(
        "artillery_direct",
        "FBN-215",
        "a round at a block of men",
        DirectFacts,
        BlastOutcome,
        _direct_legs,
        _same,
        _direct_tallies,
    ),
    Procedure(
        "artillery_indirect",
        "FBN-222",
        "a round by a guessed range",
        IndirectFacts,
        IndirectOutcome,
        _indirect_legs,
        of(IndirectOutcome),
    ),
    Procedure(
        "machine_gun",
        "FBN-229",
        "salvos with the jam die",
        MachineGunFacts,
        MachineGunOutcome,
        _machine_gun_legs,
        of(MachineGunOutcome),
        _machine_gun_tallies,
    ),
    Procedure(
        "building",
        "FBN-249",
        "shots at a building",
        BuildingFacts,
        BuildingOutcome,
        _building_legs,
        _same,
        _building_tallies,
    ),
    Procedure("door", "FBN-254", "bashing a locked door", DoorFacts, DoorOutcome, _door_legs, of(DoorOutcome)),
)
