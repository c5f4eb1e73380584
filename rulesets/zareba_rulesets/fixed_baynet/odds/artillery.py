"""Odds of guns and of damage to buildings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import sqrt
from typing import Annotated, Literal

from pydantic import Field

from zareba.base.exact import hypot
from zareba.base.grammar import amount
from zareba.base.state import facts
from zareba.odds import Formula, SmallBattle, after_step, binomial, count_outcomes, outcomes_of, refuse
from zareba.rules import Rules
from zareba.space.bearings import bearing
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.space.ground.buildings import Building, BuildingSection
from zareba.table import Answer, Draw, Roll, Table
from zareba_rulesets.fixed_baynet.book.numbers import CRITICAL, MISS, FbnBook
from zareba_rulesets.fixed_baynet.chapters import artillery
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    SHELL,
    SHOT,
    BlastFacts,
    Impact,
    aim_gun,
    always_deviates,
    fire_direct,
    fire_gun_at_building,
    fire_modes,
    gun_facts,
    land_indirect,
)
from zareba_rulesets.fixed_baynet.chapters.buildings import bash_door, fire_at_building
from zareba_rulesets.fixed_baynet.chapters.fire import Band, Cover, Defence, Formation, ShotFacts, Skill
from zareba_rulesets.fixed_baynet.chapters.hits import FATAL, roll_hit_location
from zareba_rulesets.fixed_baynet.chapters.machine_guns import roll_for_jam
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState
from zareba_rulesets.fixed_baynet.ground import Field as Ground
from zareba_rulesets.fixed_baynet.odds import stage
from zareba_rulesets.fixed_baynet.odds.fire import DISTANCES, LOSSES, RESULTS, Men, losses, shot_by_shot, target_of
from zareba_rulesets.fixed_baynet.odds.stage import (
    PROCEDURES,
    bare_battle,
    bare_figure,
    bare_unit,
    field_with_cover,
    gun_with_crew,
    passive_answer,
    step_of,
)

# --- Odds of artillery (chapter 19): aim, bursts, direct and indirect fire --------------------------------------------


_GunName = Literal[
    "light_howitzer", "medium_howitzer", "heavy_howitzer", "light_gun", "medium_gun", "heavy_gun", "trench_mortar"
]
Ammunition = Literal["shot", "shell"]
Inches = Annotated[float, Field(gt=0, le=200)]
Rank = Annotated[int, Field(ge=1, le=5)]
_Rolls = Annotated[int, Field(ge=1, le=5)]
_ROUND = LOSSES | {"artillery.direct", "artillery.aim", "artillery.burst", "artillery.blast", "artillery.deviation"}
"""Steps that an exact calculation of a round's losses does not run."""


# --- deviation and aim ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DeviationFacts:
    ammunition: Ammunition = "shell"
    critical: bool = False


@PROCEDURES.register("FBN-219", inches=int, hour=int)
def deviation(rules: Rules, facts: DeviationFacts) -> SmallBattle:
    """Deviation of a round.

    Distance in inches, and direction as an hour of the clock, 12 being straight on.
    """

    def fall(table: Table, battle: Battle, _: None) -> tuple[int, int]:
        x, y = artillery.roll_deviated_point(table, (0.0, 0.0), (0.0, 50.0), facts.ammunition, facts.critical, "gun")[
            :2
        ]
        return round(hypot(x, y - 50.0)), round(bearing((0.0, 50.0), (x, y)) % 360 / 30) or 12

    return SmallBattle(bare_battle(rules), [fall])


@PROCEDURES.register("FBN-215", result=Literal["critical miss", "miss", "hit", "critical"])
def gun_aim(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """The D12 of a gun's direct fire.

    A critical miss strays farther (FBN-220). A critical is a bloody death for the man aimed at.
    """

    def aim(table: Table, battle: Battle, _: None) -> str:
        impact = aim_gun(table, facts, (0.0, 0.0), (0.0, 50.0), SHELL, False, "gun")
        return RESULTS[impact.direct] if impact.direct or not impact.wild else "critical miss"

    def settled(question: Roll | Draw) -> int | None:
        return 1 if question.why in ("deviation", "direction") else None

    return SmallBattle(bare_battle(rules), [aim], neutral_answer=settled)


# --- bursts -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BurstFacts:
    """`men` identical men under the marker of a shell (FBN-217), with `rolls` at each until he is down (FBN-213).

    `leader`: they are leaders, who fall only to a fatal hit location or a critical (FBN-125).
    """

    ds: Defence
    formation: Formation = "open"
    cv: Cover = 0
    charging: bool = False
    crew: bool = False
    chest: bool = False
    men: Men = 1
    rolls: _Rolls = 1
    leader: bool = False

    def blast(self) -> BlastFacts:
        """Return the facts of one man under the burst."""
        return BlastFacts(**{field.name: getattr(self, field.name) for field in fields(BlastFacts)})


def fallen(battle: Battle, _: object) -> int:
    """Return the number of men down."""
    return losses(battle).down


def _falls(rules: Rules, facts: BlastFacts, rolls: int = 1, leader: bool = False) -> Fraction:
    """Return the chance that a man under a burst falls."""

    def roll(table: Table, battle: Battle, _: None) -> bool:
        result = artillery.roll_blast(table, facts, "man")
        return bool(result) and (
            not leader or result == CRITICAL or roll_hit_location(table, battle.book, "man") in FATAL
        )

    return 1 - count_outcomes(rules, SmallBattle(bare_battle(rules), [roll])).get(False, Fraction(0)) ** rolls


def _each_man(rules: Rules, facts: BurstFacts) -> dict[int, Fraction]:
    """Return the exact distribution of the men who fall under a burst."""
    return binomial(facts.men, _falls(rules, facts.blast(), facts.rolls, facts.leader))


@PROCEDURES.register("FBN-217", closed=Formula(_each_man, _ROUND), down=int)
def burst(rules: Rules, facts: BurstFacts) -> SmallBattle:
    """Men under the marker of a shell."""
    book, at = FbnBook(rules), (100.0, 60.0)
    target = target_of(facts, facts.men, 50.0, leaders=facts.men * facts.leader)
    battle = bare_battle(
        rules, [gun_with_crew("light_gun", 0, book), target], stage.field_with_cover(rules, at, facts.cv)
    )
    battle.book.settings = battle.book.settings.with_changes(artillery_damage="dice")
    battle.book.guns = {"light_gun": book.guns["light_gun"].model_copy(update={"multiple": facts.rolls})}

    def come_down(table: Table, battle: Battle, _: None) -> None:
        unit = battle.units["battery"]
        artillery.resolve_burst(table, battle, unit, unit.guns[0], SHELL, Impact(*at), None)

    return SmallBattle(battle, [come_down], fallen, answer=passive_answer)


# --- a round ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DirectFacts:
    """A round at the middle man of a block of `ranks` by `files` men, with their centres `apart` inches apart.

    `distance` is in inches to the middle man, edge to edge. `cs` is that of the best gunner.
    """

    gun: _GunName = "light_gun"
    ammunition: Ammunition = "shell"
    distance: Inches = 30
    cs: Skill = -1
    ds: Defence = 4
    formation: Formation = "mass"
    ranks: Rank = 3
    files: Rank = 3
    apart: Inches = 1.0

    @property
    def middle(self) -> str:
        """The id of the man in the middle of the block; the gun aims at him."""
        return f"man {(self.ranks // 2) * self.files + self.files // 2 + 1}"

    def battle(self, rules: Rules) -> Battle:
        """Return a battle with the block to the north of a gun that points at it."""
        dx, dy = ((n // 2 - (n - 1) / 2) * self.apart for n in (self.files, self.ranks))  # offset of the middle man
        x, y = 100.0, 10.0 + sqrt(max(0.0, (1.5 + self.distance) ** 2 - dx * dx)) - dy
        men = [
            bare_figure(f"man {rank * self.files + file + 1}", "blue", x + (file - (self.files - 1) / 2) * self.apart,
                        y + (rank - (self.ranks - 1) / 2) * self.apart, table="native", ds=self.ds, weapon="none")
            for rank in range(self.ranks)
            for file in range(self.files)
        ]  # fmt: skip
        unit = gun_with_crew(self.gun, self.cs, FbnBook(rules))
        battle = bare_battle(rules, [unit, bare_unit("target", "blue", men, self.formation)])
        refuse(
            "direct" not in fire_modes(battle, unit.guns[0]),
            f"a {self.gun.replace('_', ' ')} does not fire direct (FBN-210)",
        )
        refuse(
            self.distance > battle.book.gun_range[self.gun],
            f"a {self.gun.replace('_', ' ')} reaches {amount(battle.book.gun_range[self.gun], 'inch', 'inches')} (FBN-211)",
        )
        refuse(
            len(men) == 1 and self.formation != "open",
            "a single man has no formation except open: formation with ranks=1 files=1 (FBN-062)",
        )
        return battle


def _round(rules: Rules, facts: DirectFacts) -> dict[int, Fraction]:
    """Return the exact losses by impact point, each man counted independently (FBN-217, FBN-218)."""
    battle = facts.battle(rules)
    unit, target = battle.units["battery"], battle.units["target"]
    gun, man = unit.guns[0], target.figures[facts.middle]
    shot, strays = gun_facts(battle, unit, gun, target, man), always_deviates(battle, gun)

    def come_down(table: Table, battle: Battle, _: None) -> Impact:
        return aim_gun(table, shot, gun.at, man.at, facts.ammunition, strays, "gun")

    falls = _falls(rules, artillery.blast_facts(battle, target, man), artillery.rolls_per_man(battle, gun))

    def caught(impact: Impact) -> dict[int, Fraction]:
        under = len(artillery.men_under_burst(battle, gun, facts.ammunition, impact, man if impact.direct else None))
        if facts.ammunition == SHOT:
            under = 0 if impact.direct else min(1, under)  # the nearest man; ties are drawn at random
        return outcomes_of(binomial(under, falls), lambda men: men + (impact.direct > 0))

    return after_step(count_outcomes(rules, SmallBattle(battle, [come_down])), lambda impact: caught(impact).items())


@PROCEDURES.register("FBN-215", closed=Formula(_round, _ROUND), down=int)
def artillery_direct(rules: Rules, facts: DirectFacts) -> SmallBattle:
    """A round at a block of men."""

    def fire(table: Table, battle: Battle, _: None) -> None:
        unit, target = battle.units.change("battery"), battle.units.change("target")
        fire_direct(table, battle, unit, unit.guns[0], target, target.figures[facts.middle], facts.ammunition)

    return SmallBattle(facts.battle(rules), [fire], fallen, answer=passive_answer)


@dataclass(frozen=True)
class IndirectFacts:
    """A point `distance` inches away and the guessed distance."""

    gun: _GunName = "medium_howitzer"
    ammunition: Ammunition = "shell"
    distance: Inches = 24
    guess: Inches = 24


@PROCEDURES.register("FBN-222", right=float, beyond=float, covered=bool)
def artillery_indirect(rules: Rules, facts: IndirectFacts) -> SmallBattle:
    """A round fired at a guessed range.

    The point of impact relative to the target point, in inches to the right and beyond; and if the marker covers the
    target point.
    """

    def land(table: Table, battle: Battle, _: None) -> tuple[float, float, bool]:
        book, at = battle.book, (0.0, facts.distance)
        impact = land_indirect(table, (0.0, 0.0), at, facts.guess, facts.ammunition, "gun")
        reach = book.burst_radius(facts.gun) if facts.ammunition == SHELL else float(book.file.ball.inches)
        right, beyond = round(impact.x, 6) + 0.0, round(impact.y - facts.distance, 6) + 0.0
        return right, beyond, hypot(right, beyond) <= reach + 1e-6

    return SmallBattle(bare_battle(rules), [land])


# --- Odds of machine guns (FBN-229 to FBN-232) ------------------------------------------------------------------------


@facts
class MachineGunFacts(ShotFacts):
    """Salvos of a machine gun in one turn at a unit of `men`.

    `jam_die`: the jam die is rolled before the first salvo (FBN-232). `leader`: the first man is a leader, who is the
    target until a hit location takes him down (FBN-125).
    """

    ds: Defence = 4
    cs: Skill = -1
    salvos: Annotated[int, Field(ge=1, le=3)] = 3
    men: Men = 20
    jam_die: bool = True
    leader: bool = False


def _range_of_salvo(rules: Rules, facts: MachineGunFacts) -> float:
    """Return the range of a salvo. Raises ZarebaError for a salvo that is not possible."""
    book = FbnBook(rules)
    limit: float = getattr(book.gun_bands["machine_gun"], facts.band)
    refuse(
        facts.saddle or facts.sniper,
        "a crew fires a machine gun, not a rider or sniper: saddle, sniper (FBN-229)",
    )
    refuse(
        facts.dark and limit > book.file.night.inches,
        f"too far to see at night: dark with band={facts.band} (FBN-235)",
    )
    return limit


def _salvo_by_shots(rules: Rules, facts: MachineGunFacts) -> dict[tuple[bool, int], Fraction]:
    """Return the exact outcome of a turn's salvos: jammed or not, and men down (FBN-229, FBN-232)."""
    _range_of_salvo(rules, facts)
    first = facts.jam_die and rules.settings["jam_roll"] == "before_first_salvo"
    jam = SmallBattle(bare_battle(rules), [lambda table, *_: first and roll_for_jam(table, "gun")])
    lost = shot_by_shot(rules, facts, facts.salvos * FbnBook(rules).file.salvo.shots, facts.leader)

    def fire(jammed: bool) -> dict[tuple[bool, int], Fraction]:
        return outcomes_of(lost, lambda losses_by_fire: (jammed, 0 if jammed else losses_by_fire.down))

    return after_step(count_outcomes(rules, jam), lambda jammed: fire(jammed).items())


@PROCEDURES.register("FBN-229", closed=Formula(_salvo_by_shots, LOSSES | {"machine_gun.salvo"}), jammed=bool, down=int)
def machine_gun(rules: Rules, facts: MachineGunFacts) -> SmallBattle:
    """Machine-gun salvos, with the jam die."""
    limit = _range_of_salvo(rules, facts)
    gun = gun_with_crew("machine_gun", facts.cs, FbnBook(rules))
    gun.guns[0].jam = "" if facts.jam_die else "clear"
    target = target_of(facts, facts.men, limit, leaders=int(facts.leader))
    battle = bare_battle(rules, [gun, target], field_with_cover(rules, (100.0, 10.0 + limit), facts.cv))
    battle.book.settings = battle.book.settings.with_changes(figures_block_los=False)
    battle.night = facts.dark

    def outcome(battle: Battle, _: None) -> tuple[bool, int]:
        return battle.units["battery"].guns[0].jam == "jammed", losses(battle).down

    return SmallBattle(
        battle, [step_of("battery", ("salvo", 0, "target"))] * facts.salvos, outcome, answer=passive_answer
    )


# --- Odds of fire at buildings and of bashing doors (chapter 21) ------------------------------------------------------


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


@PROCEDURES.register("FBN-249", points=int, pierced=int)
def building(rules: Rules, facts: BuildingFacts) -> SmallBattle:
    """Shots at a building.

    Damage points left, and men hit through the wall before it collapsed.
    """
    refuse(
        facts.shell and (facts.saddle or facts.sniper or facts.damage % 2),
        "a crew fires a shell, with twice the gun's multiple as damage: saddle, sniper, damage (FBN-213)",
    )

    book = FbnBook(rules)
    reach = getattr(book.gun_bands["light_gun"], facts.band) if facts.shell else DISTANCES[facts.band] * 0.9
    battle = walls(facts, rules, (100.0, 10.5 + reach))
    if facts.shell:
        row = book.guns["light_gun"].model_copy(update={"multiple": facts.damage // 2})
        battle.book.guns = {**book.guns, "light_gun": row}
        battle.units["firer"] = gun_with_crew("light_gun", facts.cs, book)
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

    return SmallBattle(battle, [shoot] * facts.shots, outcome, answer=passive_answer, neutral_answer=settled)


# --- doors ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DoorFacts:
    cs: Skill = 0
    attempts: Annotated[int, Field(ge=1, le=60)] = 1


@PROCEDURES.register("FBN-254", opened=bool)
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
