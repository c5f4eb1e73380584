"""Odds of artillery (chapter 19): aim, bursts, direct and indirect fire."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import sqrt
from typing import Annotated, Literal

from pydantic import Field

from zareba.base.exact import hypot
from zareba.base.grammar import amount
from zareba.odds import Formula, SmallBattle, after_step, binomial, count_outcomes, outcomes_of, refuse
from zareba.rules import Rules
from zareba.space.bearings import bearing
from zareba.table import Draw, Roll, Table
from zareba_rulesets.fixed_baynet.book.dice import CRITICAL
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.fire.fire import Cover, Defence, Formation, ShotFacts, Skill
from zareba_rulesets.fixed_baynet.chapters.fire.hits import FATAL, roll_hit_location
from zareba_rulesets.fixed_baynet.chapters.guns import bursts
from zareba_rulesets.fixed_baynet.chapters.guns.artillery import (
    aim_gun,
    always_deviates,
    fire_direct,
    fire_modes,
    gun_facts,
)
from zareba_rulesets.fixed_baynet.chapters.guns.bursts import SHELL, SHOT, BlastFacts, Impact
from zareba_rulesets.fixed_baynet.chapters.guns.indirect import land_indirect
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.odds import stage
from zareba_rulesets.fixed_baynet.odds.fire import LOSSES, RESULTS, Men, losses, target_of
from zareba_rulesets.fixed_baynet.odds.stage import PROCEDURES, bare_battle, bare_figure, bare_unit, battery, passive

__all__ = ["BurstFacts", "DeviationFacts"]

GunName = Literal[
    "light_howitzer", "medium_howitzer", "heavy_howitzer", "light_gun", "medium_gun", "heavy_gun", "trench_mortar"
]
Ammunition = Literal["shot", "shell"]
Inches = Annotated[float, Field(gt=0, le=200)]
Rank = Annotated[int, Field(ge=1, le=5)]
Rolls = Annotated[int, Field(ge=1, le=5)]
ROUND = LOSSES | {"artillery.direct", "artillery.aim", "artillery.burst", "artillery.blast", "artillery.deviation"}
"""Steps that an exact calculation of a round's losses does not run."""


# --- deviation and aim ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DeviationFacts:
    ammunition: Ammunition = "shell"
    critical: bool = False


@PROCEDURES.of("FBN-219", inches=int, hour=int)
def deviation(rules: Rules, facts: DeviationFacts) -> SmallBattle:
    """Deviation of a round.

    Distance in inches, and direction as an hour of the clock, 12 being straight on.
    """

    def fall(table: Table, battle: Battle, _: None) -> tuple[int, int]:
        x, y = bursts.roll_deviated_point(table, (0.0, 0.0), (0.0, 50.0), facts.ammunition, facts.critical, "gun")[:2]
        return round(hypot(x, y - 50.0)), round(bearing((0.0, 50.0), (x, y)) % 360 / 30) or 12

    return SmallBattle(bare_battle(rules), [fall])


@PROCEDURES.of("FBN-215", result=Literal["critical miss", "miss", "hit", "critical"])
def gun_aim(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """The D12 of a gun's direct fire.

    A critical miss strays farther (FBN-220). A critical is a bloody death for the man aimed at.
    """

    def aim(table: Table, battle: Battle, _: None) -> str:
        impact = aim_gun(table, facts, (0.0, 0.0), (0.0, 50.0), SHELL, False, "gun")
        return RESULTS[impact.direct] if impact.direct or not impact.wild else "critical miss"

    def settled(question: Roll | Draw) -> int | None:
        return 1 if question.why in ("deviation", "direction") else None

    return SmallBattle(bare_battle(rules), [aim], settled=settled)


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
    rolls: Rolls = 1
    leader: bool = False

    def blast(self) -> BlastFacts:
        return BlastFacts(**{one.name: getattr(self, one.name) for one in fields(BlastFacts)})


def fallen(battle: Battle, _: object) -> int:
    """Return the number of men down."""
    return losses(battle).down


def _falls(rules: Rules, facts: BlastFacts, rolls: int = 1, leader: bool = False) -> Fraction:
    """Return the chance that a man under a burst falls."""

    def roll(table: Table, battle: Battle, _: None) -> bool:
        result = bursts.roll_blast(table, facts, "man")
        return bool(result) and (
            not leader or result == CRITICAL or roll_hit_location(table, battle.book, "man") in FATAL
        )

    return 1 - count_outcomes(rules, SmallBattle(bare_battle(rules), [roll])).get(False, Fraction(0)) ** rolls


def _each_man(rules: Rules, facts: BurstFacts) -> dict[int, Fraction]:
    return binomial(facts.men, _falls(rules, facts.blast(), facts.rolls, facts.leader))


@PROCEDURES.of("FBN-217", closed=Formula(_each_man, ROUND), down=int)
def burst(rules: Rules, facts: BurstFacts) -> SmallBattle:
    """Men under the marker of a shell."""
    book, at = FbnBook(rules), (100.0, 60.0)
    target = target_of(facts, facts.men, 50.0, leaders=facts.men * facts.leader)
    battle = bare_battle(rules, [battery("light_gun", 0, book), target], stage.sheltered(rules, at, facts.cv))
    battle.book.settings = battle.book.settings.but(artillery_damage="dice")
    battle.book.guns = {"light_gun": book.guns["light_gun"].model_copy(update={"multiple": facts.rolls})}

    def come_down(table: Table, battle: Battle, _: None) -> None:
        unit = battle.units["battery"]
        bursts.resolve_burst(table, battle, unit, unit.guns[0], SHELL, Impact(*at), None)

    return SmallBattle(battle, [come_down], fallen, answer=passive)


# --- a round ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DirectFacts:
    """A round at the middle man of a block of `ranks` by `files` men, with their centres `apart` inches apart.

    `distance` is in inches to the middle man, edge to edge. `cs` is that of the best gunner.
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

    @property
    def middle(self) -> str:
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
        unit = battery(self.gun, self.cs, FbnBook(rules))
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

    falls = _falls(rules, bursts.blast_facts(battle, target, man), bursts.rolls_per_man(battle, gun))

    def caught(impact: Impact) -> dict[int, Fraction]:
        under = len(bursts.men_under_burst(battle, gun, facts.ammunition, impact, man if impact.direct else None))
        if facts.ammunition == SHOT:
            under = 0 if impact.direct else min(1, under)  # the nearest man; ties are drawn at random
        return outcomes_of(binomial(under, falls), lambda men: men + (impact.direct > 0))

    return after_step(count_outcomes(rules, SmallBattle(battle, [come_down])), lambda impact: caught(impact).items())


@PROCEDURES.of("FBN-215", closed=Formula(_round, ROUND), down=int)
def artillery_direct(rules: Rules, facts: DirectFacts) -> SmallBattle:
    """A round at a block of men."""

    def fire(table: Table, battle: Battle, _: None) -> None:
        unit, target = battle.units.change("battery"), battle.units.change("target")
        fire_direct(table, battle, unit, unit.guns[0], target, target.figures[facts.middle], facts.ammunition)

    return SmallBattle(facts.battle(rules), [fire], fallen, answer=passive)


@dataclass(frozen=True)
class IndirectFacts:
    """A point `distance` inches away and the guessed distance."""

    gun: GunName = "medium_howitzer"
    ammunition: Ammunition = "shell"
    distance: Inches = 24
    guess: Inches = 24


@PROCEDURES.of("FBN-222", right=float, beyond=float, covered=bool)
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
