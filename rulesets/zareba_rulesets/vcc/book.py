"""The numbers of `ruleset.yaml`: their model, the settings, and values prepared from both before play begins."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field, StrictBool, StrictInt, StrictStr, ValidationInfo, field_validator, model_validator

from zareba.battle.unit_mapping import UnitMapping, requires_values
from zareba.chance import SUM_AND_HIGHEST, SumBands, counts
from zareba.rules import (
    Book,
    Chance,
    CompiledBook,
    Count,
    Dice,
    Faces,
    PhaseEntry,
    PositiveInt,
    RefersTo,
    Rules,
    RulesetFile,
    Score,
    TallyEntry,
    WithRule,
    all_of,
    every_word,
)
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS
from zareba.scenario.vocabulary import Quality as QualityWord
from zareba.scenario.vocabulary.words import TERRAIN, WEAPONS
from zareba.table import Table

# --- The model of `ruleset.yaml`, with the limits of its numbers ------------------------------------------------------


Difficulty = Literal["free", "ends", "road", "no"]
Cover = Literal["none", "soft", "hard"]
Quality = Literal["elite", "ordinary", "raw"]
_TroopKind = Literal["foot", "mounted", "rocket", "wagon", "machine_gun", "artillery"]
CREWED = frozenset({"artillery", "machine_gun", "rocket"})
"""The classes of troops that serve a weapon."""

_MOST_BASES = 24
"""The most bases or gunners of a unit: twice the largest unit (VCC-010)."""

Bases = Annotated[int, Field(ge=0, le=_MOST_BASES)]
Band = Literal["close", "medium", "long"]
"""The distance to a target in range bands of the weapon (VCC-081)."""

_UnitSize = Annotated[StrictInt, Field(ge=1, le=_MOST_BASES)]

MOST_BOXES_BACK = 12
"""The longest retreat of any morale failure (VCC-154)."""

MOST_WOUNDS = 6
"""The largest number of wounds that a ruleset may require to kill a leader (VCC-115)."""


class Weapon(WithRule):
    """Outer limits of the range bands in boxes; None where a weapon has no such band (VCC-081)."""

    in_order = ("close < medium < long",)

    close: Count | None = None
    medium: Count | None = None
    long: Count | None = None

    def limits(self) -> tuple[tuple[Band, int], ...]:
        """Return the bands that the weapon has, nearest first, with their outer limits."""
        bands: tuple[tuple[Band, int | None], ...] = (
            ("close", self.close),
            ("medium", self.medium),
            ("long", self.long),
        )
        return tuple((name, limit) for name, limit in bands if limit is not None)


class TroopClass(WithRule):
    """The abilities of a class of troops: boxes per step, stacking points, ground column, and `charges` if it may
    charge.
    """

    allowance: Count
    stack: Count
    ground: Literal["foot", "mounted", "wheels"]
    charges: StrictBool = False


class Profile(WithRule):
    """A kind of unit: class, dice as numbers of faces (0: none), traits; `bases` only where figures do not count."""

    title: StrictStr
    troop: Annotated[_TroopKind, RefersTo("classes")] = Field(alias="class")
    fire_die: Faces | Literal[0] = 0
    melee_die: Faces
    bases: _UnitSize | None = None
    leader: StrictBool
    regular: StrictBool = False
    regular_on_foot: StrictBool = False
    square: StrictBool = False
    can_dismount: StrictBool = False


class Obstacle(WithRule):
    """An obstacle between boxes: the cover it gives, and its difficulty for foot, mounted and wheels (VCC-069)."""

    title: StrictStr
    cover: Cover
    foot: Difficulty
    mounted: Difficulty
    wheels: Difficulty
    mounted_charge: StrictBool = True

    def difficulty(self, column: str) -> Difficulty:
        """Return the difficulty for `foot`, `mounted` or `wheels`."""
        difficulty: Difficulty = getattr(self, column)
        return difficulty


class Ground(Obstacle):
    """An area terrain: cover, difficulty and line of sight (VCC-055, VCC-067, VCC-072)."""

    blocks_sight: StrictBool


class BoxCount(WithRule):
    boxes: Count


class OneDie(WithRule):
    faces: Faces


class Share(WithRule):
    least: Chance


class HalfTotal(WithRule):
    """The dice rolled in place of d3 when half the total counts (VCC-014)."""

    in_order = ("highest_from <= die",)

    die: Faces
    highest_from: Score


class UnitSizes(WithRule):
    in_order = ("least <= most",)

    least: _UnitSize
    most: _UnitSize


class Compass(WithRule):
    """A die for one of the eight directions."""

    die: Annotated[StrictInt, Field(ge=2, le=8)]


class Drift(WithRule):
    """The die for the number of boxes that a rocket drifts."""

    die: Faces


class Rocket(WithRule):
    in_order = ("on_target <= die",)

    die: Faces
    on_target: Score
    drift_directions: Compass
    drift_distance: Drift


class LeaderHitOn(WithRule):
    """The score that hits a leader, by range band."""

    close: Score
    medium: Score
    long: Score


class LeaderEffect(WithRule):
    """One row of the leader hit chart: its lowest score (the row runs up to the next one) and its effect (VCC-111 to
    VCC-114).
    """

    lowest: Score = Field(alias="from")
    wounds: Count = 0
    kills: StrictBool = False


class LeaderHits(WithRule):
    """The dice rolled to hit a leader, and the effects of a hit (VCC-110 to VCC-114). A longer range is never easier to
    hit at.
    """

    in_order = ("hit_on.close <= hit_on.medium <= hit_on.long",)

    dice: Annotated[Dice, Field(ge=1)]
    die: Faces
    hit_on: LeaderHitOn
    effects: dict[str, LeaderEffect]

    @model_validator(mode="after")
    def _every_score_has_a_row(self) -> LeaderHits:
        """Reject effects that leave a score of the dice without a row, or need one that they never show."""
        scores = [row.lowest for row in self.effects.values()]
        if not scores or min(scores) != self.dice or len(set(scores)) != len(scores):
            raise ValueError(
                f"the effects begin at {self.dice}, the least that {self.dice}d{self.die} shows, each at its own"
            )
        if (highest := max(self.hit_on.long, *scores)) > self.dice * self.die:
            raise ValueError(f"{self.dice}d{self.die} never shows {highest}")
        return self


class Wounds(WithRule):
    wounds: Annotated[StrictInt, Field(ge=1, le=MOST_WOUNDS)]


class Hits(WithRule):
    hits: PositiveInt


class HitDice(WithRule):
    hit_dice: Dice


class Failure(WithRule):
    """One line of the failed morale chart: a margin and its effects (VCC-151 to VCC-154)."""

    missed_by: Score
    hit_dice: Dice = 0
    prone: StrictBool = False
    retreat: Annotated[StrictInt, Field(ge=0, le=MOST_BOXES_BACK)] = 0
    broken: StrictBool = False


class RallyRoll(WithRule):
    in_order = ("four_plus <= die",)

    die: Faces
    four_plus: Score


class Overheating(WithRule):
    die: Faces
    from_turn: PositiveInt


class FirePhase(WithRule):
    weapons: list[Annotated[StrictStr, RefersTo("weapons")]]


class Mapping(Book):
    """The terms of these rules for the words of a neutral scenario."""

    area_terrain: Annotated[
        dict[str, Annotated[StrictStr, RefersTo("terrain", besides=("hill", "road"))]], every_word(TERRAIN, AREA_KINDS)
    ]
    linear_terrain: Annotated[
        dict[str, Annotated[StrictStr, RefersTo("terrain", "obstacles", besides=("river", "bridge"))]],
        every_word(TERRAIN, LINE_KINDS),
    ]
    quality: Annotated[dict[str, Quality], all_of(*get_args(QualityWord))]
    weapon: Annotated[dict[str, Annotated[StrictStr, RefersTo("weapons", besides=("none",))]], every_word(WEAPONS)]


class OfProfile(Book):
    """The result of a unit mapping entry."""

    profile: Annotated[StrictStr, RefersTo("profiles", besides=("none",))]


class VccUnitMapping(UnitMapping[OfProfile]):
    """An entry of the unit mapping (VCC-167)."""

    own: ClassVar[frozenset[str]] = frozenset({"shoots"})


class VccFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    sequence: Annotated[dict[str, PhaseEntry], all_of("deployment", "end_of_turn")]
    fire_phases: dict[str, FirePhase]
    weapons: dict[str, Weapon]
    classes: dict[str, TroopClass]
    commander_allowance: BoxCount
    change_of_footing: BoxCount
    arrival: BoxCount
    profiles: dict[str, Profile]
    native_crew_fire_die: OneDie
    half_total: HalfTotal
    unit_size: UnitSizes
    armed_share: Share
    terrain: Annotated[dict[str, Ground], all_of("open", "ford", "closed")]
    obstacles: Annotated[dict[str, Obstacle], all_of("water", "deep_water")]
    rocket: Rocket
    leader_hits: LeaderHits
    leader_dies_at: Wounds
    leader_check_hits: Hits
    morale_die: OneDie
    failed_morale: dict[str, Failure]
    barred_retreat: HitDice
    hit_die: OneDie
    rally_roll: RallyRoll
    overheating: Overheating
    unit_mapping: Annotated[dict[str, VccUnitMapping], requires_values("profile")]
    mapping: Mapping

    @field_validator("tallies")
    @classmethod
    def _check_dice_rounding(cls, tallies: dict[str, TallyEntry]) -> dict[str, TallyEntry]:
        """Reject fire and melee dice without rounding (VCC-078)."""
        for name in ("fire_dice", "melee_dice"):
            if name in tallies and tallies[name].round == "none":
                raise ValueError(f"{name} may end in part of a die; say how it is rounded: up, down or half_up")
        return tallies

    @field_validator("fire_phases")
    @classmethod
    def _every_phase_of_fire_has_its_weapons(
        cls, weapons: dict[str, FirePhase], info: ValidationInfo
    ) -> dict[str, FirePhase]:
        """Reject a phase of fire without a list of weapons."""
        sequence: dict[str, PhaseEntry] = info.data.get("sequence", {})
        if without_weapons := [
            name for name, phase in sequence.items() if phase.step == "fire" and name not in weapons
        ]:
            raise ValueError(
                f"units fire in {', '.join(without_weapons)} of the sequence; say with which weapons, if only []"
            )
        return weapons

    @field_validator("failed_morale")
    @classmethod
    def _every_margin_has_a_line(cls, lines: dict[str, Failure]) -> dict[str, Failure]:
        """Reject lines of failed morale that leave a margin without a line."""
        margins = [line.missed_by for line in lines.values()]
        if not margins or min(margins) != 1 or len(set(margins)) != len(margins):
            raise ValueError("the lines begin with a miss by 1, each with its own margin")
        return lines


# --- The numbers of a session, prepared for play ----------------------------------------------------------------------


class VccBook(CompiledBook[VccFile]):
    """The numbers of a session under these rules."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, VccFile)
        file = self.file
        self.bands = {name: weapon.limits() for name, weapon in file.weapons.items()}
        self.classes = file.classes
        self.fire_weapons = {phase: frozenset(entry.weapons) for phase, entry in file.fire_phases.items()}
        effects = sorted(file.leader_hits.effects.items(), key=lambda item: item[1].lowest)
        mortal = file.leader_dies_at.wounds
        self.leader_effects = tuple((name, mortal if effect.kills else effect.wounds) for name, effect in effects)
        self.leader_effect_rows = SumBands(tuple(effect.lowest for _, effect in effects[1:]))
        self.failures = sorted(file.failed_morale.items(), key=lambda item: item[1].missed_by)
        self.fire_factors = self._fire_factors()
        self.farthest_retreat = max(line.retreat for _, line in self.failures)

    def _fire_factors(self) -> dict[tuple[str, str], float]:
        """Return how range and cover multiply fire dice (VCC-086, VCC-087, VCC-091, VCC-092)."""
        bands = {band: self.modifier("fire_dice", band, 1.0) for band in ("close", "medium", "long")}
        covers = {cover: self.modifier("fire_dice", f"{cover}_cover", 1.0) for cover in ("none", "soft", "hard")}
        return {(band, cover): bands[band] * covers[cover] for band in bands for cover in covers}

    def failure(self, missed_by: int) -> tuple[str, Failure]:
        """Return the line of failed morale for a margin; the last line covers all larger margins (VCC-154)."""
        return [line for line in self.failures if line[1].missed_by <= missed_by][-1]


# --- Dice pools of d6, d3 and substitutes for a d3 (VCC-012 to VCC-014) -----------------------------------------------


def roll_pool(table: Table, book: VccBook, dice: int, die: int, *, why: str, rule: str, actor: str) -> tuple[int, bool]:
    """Roll a pool of d6 or d3 (VCC-012). Return the hits, and True if a die showed its highest face (VCC-080, VCC-109).

    With `d3_method` half_total, roll d6 instead of d3, halve their total and round it up. A 5 or 6 then counts as the
    highest face (VCC-014).
    """
    if die == 3 and book.settings.d3_method == "half_total":
        halved = book.file.half_total
        means = counts("before halving", f"on the highest die ({halved.highest_from} or more may hit the leader)")
        total, highest = table.roll(dice, halved.die, SUM_AND_HIGHEST, why=why, rule=rule, actor=actor, means=means)
        return (total + 1) // 2, highest >= halved.highest_from
    means = counts("hits (the sum of the dice)", f"on the highest die ({die} may hit the leader)")
    total, highest = table.roll(dice, die, SUM_AND_HIGHEST, why=why, rule=rule, actor=actor, means=means)
    return total, highest == die
