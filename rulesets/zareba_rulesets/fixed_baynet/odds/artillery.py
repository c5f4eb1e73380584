"""Odds of artillery (chapter 19): aim, bursts, direct and indirect fire, built from the functions that play uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.exact import hypot
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.fixed_baynet.artillery import aim_gun, aim_roll
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.book import FbnBook
from zareba_rulesets.fixed_baynet.bursts import (
    BlastFacts,
    Impact,
    blast_one,
    blast_roll,
    deviation,
    gun_damage,
    struck_by,
)
from zareba_rulesets.fixed_baynet.dice import CRITICAL
from zareba_rulesets.fixed_baynet.fire import Cover, Defence, Formation, ShotFacts, Skill
from zareba_rulesets.fixed_baynet.hits import strike
from zareba_rulesets.fixed_baynet.indirect import land_indirect
from zareba_rulesets.fixed_baynet.odds.fire import Men, falls, fire_tally
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_figure, bare_unit
from zareba_rulesets.fixed_baynet.units import Gun, Unit

__all__ = ["ARTILLERY_PROCEDURES", "BurstFacts", "DeviationFacts", "quiet"]

GunName = Literal[
    "light_howitzer", "medium_howitzer", "heavy_howitzer", "light_gun", "medium_gun", "heavy_gun", "trench_mortar"
]
Ammunition = Literal["shot", "shell"]
Inches = Annotated[float, Field(gt=0, le=200)]
Rank = Annotated[int, Field(ge=1, le=5)]
Rolls = Annotated[int, Field(ge=1, le=5)]
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
        slate.values = (inches, table.roll(1, 12, why="direction", rule="FBN-221", actor="gun"))

    return [slate_leg(run)]


# --- one round ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GunAimOutcome:
    """A critical miss strays farther (FBN-220); a critical is a bloody death for whom it was aimed at."""

    result: Literal["critical miss", "miss", "hit", "critical"]


def _gun_aim_legs(rules: Rules, facts: ShotFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        slate.values = (GUN_RESULTS[aim_roll(table, facts, "gun")],)

    return [slate_leg(run)]


GUN_RESULTS = ("critical miss", "miss", "hit", "critical")


@dataclass(frozen=True)
class BurstFacts:
    """`men` alike under the marker of a shell (FBN-217); `rolls` at each of them until he is down (FBN-213).

    `leader`: they are leaders, whom a hit takes down by its location alone (FBN-125).
    """

    ds: Defence
    formation: Formation = "open"
    cv: Cover = 0
    charging: bool = False
    crew: bool = False
    chest: bool = False
    men: Men = 1
    rolls: Rolls = 1
    leader: bool = False

    def blast(self) -> BlastFacts:
        return BlastFacts(**{name: getattr(self, name) for name in BlastFacts.__dataclass_fields__})


@dataclass(frozen=True)
class BlastOutcome:
    """Men down."""

    down: int


def _burst_legs(rules: Rules, facts: BurstFacts) -> list[Leg]:
    book = FbnBook(rules)

    def one(table: Table, slate: Slate) -> None:
        results = (blast_roll(table, facts.blast(), "man") for _ in range(facts.rolls))
        down = any(falls(table, book, result, facts.leader) for result in results)
        slate.values = (slate.values[0] + down,)

    return [slate_leg(*[one] * facts.men, first=(0,))]


def _burst_tallies(rules: Rules, facts: BurstFacts) -> list[Tally]:
    return [rules.tally("blast", facts.blast())]


# --- direct fire ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DirectFacts:
    """A round at the middle man of a block of men, `ranks` by `files`, their centres `apart` inches.

    `distance` in inches to the middle man, edge to edge; `cs` of the best gunner.
    """

    gun: GunName = "light_gun"
    ammunition: Ammunition = "shell"
    distance: Inches = 30
    cs: Skill = -1
    ds: Defence = 4
    formation: Formation = "mass"
    ranks: Rank = 3
    files: Rank = 3
    apart: Inches = 1.0

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
        target, gun = battle.units.change("target"), battle.units["battery"].guns[0]
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
        target = battle.units.change("target")
        (first, situation), *rest = run.waiting
        quiet(target)
        battery = battle.units.change("battery")
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


def quiet(unit: Unit) -> None:
    """What a round does to the target's glory is not asked here: its events count as had."""
    unit.events = ("banner", "half", "ridden at", "charge", "pinned", "flank")


def _quiet_battle(battle: Battle) -> Battle:
    quiet(battle.units["target"])
    return battle


def _down(table: Table, battle: Battle, man: str, critical: bool, damage: int) -> None:
    target = battle.units.change("target")
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
    distance: Inches = 24
    guess: Inches = 24


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
        reach = book.burst_radius(facts.gun) if facts.ammunition == "shell" else float(book.file.ball.inches)
        right, beyond = round(impact.x, 6), round(impact.y - facts.distance, 6)
        slate.values = (right + 0.0, beyond + 0.0, hypot(right, beyond) <= reach + 1e-6)

    return [slate_leg(run)]


def _same(result: Any) -> Any:
    return result


ARTILLERY_PROCEDURES = (
    Procedure(
        "deviation", "FBN-219", "how far and where a round strays",
        DeviationFacts, DeviationOutcome, _deviation_legs,
    ),
    Procedure(
        "gun_aim", "FBN-215", "the D12 of a piece that fires direct",
        ShotFacts, GunAimOutcome, _gun_aim_legs, tallies=fire_tally,
    ),
    Procedure(
        "burst", "FBN-217", "men under the marker of a shell",
        BurstFacts, BlastOutcome, _burst_legs, tallies=_burst_tallies,
    ),
    Procedure(
        "artillery_direct", "FBN-215", "a round at a block of men",
        DirectFacts, BlastOutcome, _direct_legs, _same, _direct_tallies,
    ),
    Procedure(
        "artillery_indirect", "FBN-222", "a round by a guessed range",
        IndirectFacts, IndirectOutcome, _indirect_legs,
    ),
)  # fmt: skip
