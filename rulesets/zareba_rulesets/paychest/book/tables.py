"""The data model of `ruleset.yaml`: the contents of each table and the limits of its values."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeVar, get_args

from pydantic import AfterValidator, Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from zareba.base.grammar import join_with_or
from zareba.battle.terrain_mapping import TerrainMapping
from zareba.battle.unit_mapping import UnitMapping, requires_values
from zareba.rules import Book, PhaseEntry, RefersTo, RulesetFile, WithRule, all_of, every_word
from zareba.scenario.vocabulary import LINE_KINDS, RANKS, CloseWeapon
from zareba.scenario.vocabulary import Kind as KindWord
from zareba.scenario.vocabulary.words import TERRAIN, WEAPONS

DIE = 6
"""Faces of a die (PAY-009)."""

_CONVEYANCES = ("wagon", "carriage", "tractor", "flyer")
_MOVERS = ("foot", "horse", "camel", "pack", "gun_by_hand", "gun_limbered", *_CONVEYANCES)
"""The lines of the movement chart for figures and engines."""

WIDEST_FIGURE = 1.5
"""Maximum width of a figure's base in inches, as assumed by the search for contact."""

_Column = Literal["foot", "mounted", "wheels", "air"]
COLUMNS: tuple[str, ...] = get_args(_Column)
"""The columns of the terrain chart."""
Kind = Literal["regular", "irregular"]
Band = Literal["short", "medium", "long"]
"""The range bands of a weapon."""
Gait = Literal["halt", "advance", "run"]
"""The speed at which a figure or gun has moved in its last activation."""
Cover = Literal["none", "soft", "hard"]
Arm = Literal["infantry", "cavalry", "artillery", "machine_gun"]
Number = StrictInt | StrictFloat
_Inch = Annotated[Number, Field(ge=0, le=400)]
Part = Annotated[Number, Field(gt=0, le=1)]
_Price = Annotated[Number, Field(gt=0, le=100)]
_Face = Annotated[StrictInt, Field(ge=1, le=DIE)]
Skill = Annotated[StrictInt, Field(ge=0, le=12)]
Change = Annotated[StrictInt, Field(ge=-12, le=12)]
Dice = Annotated[StrictInt, Field(ge=1, le=20)]
_NoDice = Annotated[StrictInt, Field(ge=0, le=20)]
PositiveInt = Annotated[StrictInt, Field(ge=1, le=200)]
Count = Annotated[StrictInt, Field(ge=0, le=200)]
_RankName = Annotated[StrictStr, RefersTo("ranks")]


class Inches(WithRule):
    inches: _Inch


class PerDie(WithRule):
    inches: Annotated[Number, Field(gt=0, le=100)]


class BaseRow(WithRule):
    inches: Annotated[Number, Field(gt=0, le=3)]


T = TypeVar("T")


def _exactly(*names: str) -> AfterValidator:
    """Return a validator that requires exactly these entries, which the rules use by name."""

    def check(entries: dict[str, T]) -> dict[str, T]:
        for name in names:
            if name not in entries:
                raise ValueError(f"the rules need '{name}'; change its values but keep the entry")
        for name in entries:
            if name not in names:
                raise ValueError(f"unknown entry '{name}'; known: {', '.join(names)}")
        return entries

    return AfterValidator(check)


def _fit_for_contact(bases: dict[str, BaseRow]) -> dict[str, BaseRow]:
    """Reject figures with bases too wide for the rules of contact."""
    for name in ("foot", "mounted"):
        if bases[name].inches > WIDEST_FIGURE:
            raise ValueError(f"the base of a figure is at most {WIDEST_FIGURE} inches wide: {name}")
    return bases


class Gap(WithRule):
    """The gap in inches between bases that touch. The minimum is larger than any rounding error."""

    inches: Annotated[Number, Field(ge=0.01, le=0.1)]


class Times(WithRule):
    times: Part


class Share(WithRule):
    """A part of a whole: this much or more counts."""

    share: Part


class SkillBounds(WithRule):
    in_order = ("least <= most",)

    least: Skill
    most: Skill


class Most(WithRule):
    most: Count


class MostAgainstOne(WithRule):
    most: Annotated[StrictInt, Field(ge=1, le=6)]


class MostOfSome(WithRule):
    most: PositiveInt


class Profile(WithRule):
    """A line of the profile table: the usual skills and arms of a figure of this kind (PAY-017)."""

    kind: Kind
    rank: _RankName
    firearms: Skill
    melee: Skill
    shots: Annotated[StrictInt, Field(ge=1, le=5)]
    weapons: list[StrictStr]


class Profiles(WithRule):
    profiles: list[Annotated[StrictStr, RefersTo("profiles")]]


class Quality(WithRule):
    firearms: Change
    melee: Change


class Rank(WithRule):
    """A rank: its line in the rank table, 1 the highest, and whether it makes a leader figure (PAY-035, PAY-092)."""

    line: PositiveInt
    leader: StrictBool


class Mover(WithRule):
    """Dice of a move by gait; `run` 0 means that it cannot run.

    `ground` is its column of the terrain chart (PAY-066).
    """

    advance: Dice
    run: _NoDice
    ground: _Column

    @model_validator(mode="after")
    def _runs_no_slower(self) -> Mover:
        """Reject a run that is slower than the advance."""
        if 0 < self.run < self.advance:
            raise ValueError(f"run {self.run} is fewer dice than advance {self.advance}; 0 for what cannot run")
        return self

    @property
    def gaits(self) -> tuple[Gait, ...]:
        return ("advance", "run") if self.run else ("advance",)


class Conveyance(WithRule):
    """Room on a conveyance or flyer (PAY-080, PAY-082).

    With `either` a machine gun takes the place of the heavy load.
    """

    figures: PositiveInt
    guns: Count
    machine_guns: Count
    loads: Count
    either: StrictBool = False


class Altitude(WithRule):
    most: Count
    inches_a_step: _Inch


class Ground(WithRule):
    """A terrain type.

    Areas have a cost per inch for each mover, lines a cost to cross; None means impassable (PAY-085).
    """

    title: StrictStr
    foot: _Price | None
    mounted: _Price | None
    wheels: _Price | None
    sight: Literal["open", "blocks", "thick", "crest"]
    cover: Literal["none", "soft", "hard"]
    exposure: Literal["open", "low_wall", "parapet", "wagon"] = "open"
    way: StrictBool = False
    climb: StrictBool = False

    def cost(self, column: str) -> float | None:
        """Return the cost for `foot`, `mounted`, `wheels` or `air`; flying over any terrain costs 1 an inch."""
        cost_of_inch: float | None = 1 if column == "air" else getattr(self, column)
        return cost_of_inch


class Growth(WithRule):
    inches_through_growth: _Inch


class Weapon(WithRule):
    """Upper ends of the range bands in inches, None without such a band (PAY-026). `hands` is 0 for a crewed weapon."""

    in_order = ("short < medium < long",)

    short: _Inch
    medium: _Inch
    long: _Inch | None = None
    hands: Annotated[StrictInt, Field(ge=0, le=2)] = 0
    shots_at_most: PositiveInt | None = None


class WeaponNames(WithRule):
    weapons: list[StrictStr]


class FirstDie(WithRule):
    first: _Face


class Jam(WithRule):
    """Highest first and second die of a shot that jams, and the number of shots in a row that jam it (PAY-175)."""

    first: _Face
    second: _Face
    in_a_row: Annotated[StrictInt, Field(ge=1, le=5)]


class GunRules(WithRule):
    crew: PositiveInt
    pushers: PositiveInt
    irregular_shots: Annotated[StrictInt, Field(ge=1, le=5)]
    figures_a_bonus: PositiveInt
    hit_dice: Dice


class CardClass(WithRule):
    """Cards of equal effect: location, result, copies in the pack, and the playing cards they stand for (PAY-116)."""

    location: StrictStr
    result: Literal[
        "killed",
        "unconscious",
        "crippled_leg",
        "leg_wound",
        "smashed_arm",
        "arm_wound",
        "body_wound",
        "graze",
    ]
    copies: Count
    cards: StrictStr


class Wounds(WithRule):
    wounds: Annotated[StrictInt, Field(ge=1, le=20)]


class LeastFace(WithRule):
    least: _Face


class Locations(WithRule):
    locations: list[StrictStr]


class Passing(WithRule):
    """A roll of some dice that passes at a total or more, which the dice must be able to reach."""

    dice: Dice
    passes_at: StrictInt

    @model_validator(mode="after")
    def _can_be_thrown(self) -> Passing:
        """Reject a number that the dice can never show."""
        if not self.dice <= self.passes_at <= DIE * self.dice:
            raise ValueError(f"{self.dice}d{DIE} show {self.dice} to {DIE * self.dice}, never {self.passes_at}")
        return self


class DiceOf(WithRule):
    dice: Dice


class Total(WithRule):
    total: PositiveInt


class ResultOf(WithRule):
    result: Annotated[StrictStr, RefersTo("results")]


class Result(WithRule):
    """The effect of a result of the second morale roll (PAY-151 to PAY-162)."""

    dice: _NoDice = 0
    when: Literal["now", "next"]
    backs: StrictBool = False
    rout: StrictBool = False
    rallies: StrictBool = False
    figures: Annotated[StrictInt, Field(ge=0, le=DIE)] = 0

    @model_validator(mode="after")
    def _hangs_together(self) -> Result:
        """Reject a result of the morale table whose parts contradict each other."""
        if (self.rout or self.figures or self.when == "next") and not self.dice:
            raise ValueError("a result that moves figures needs dice for the distance: dice")
        if self.when == "next" and (self.rout or self.figures):
            raise ValueError("routs and figures that run singly move at once: when: now")
        if self.rallies and not self.rout:
            raise ValueError("only a rout can rally: rout: true")
        return self

    def in_words(self) -> str:
        """Return what a unit with this result must do: "fall back 2d6 inches on the next move, backs turned"."""
        inches = f"{self.dice}d{DIE} inches"
        if self.figures:
            return f"hold, but figures that roll {join_with_or(map(str, range(1, self.figures + 1)))} run {inches}"
        if self.rout:
            end = "until it rallies" if self.rallies else "now and every turn until it is off the table"
            return f"rout {inches}{'' if self.rallies else ','} {end}"
        if not self.dice:
            return "hold"
        when = "now" if self.when == "now" else "on the next move"
        return f"fall back {inches} {when}, {'backs turned' if self.backs else 'facing the enemy'}"


Rows = Annotated[dict[str, ResultOf], _exactly("1", "2", "3", "4", "5", "6")]
"""A column of the second morale table: a result for each face of the die (PAY-151)."""


class Carried(WithRule):
    inches_carried: _Inch


class Parts(Book):
    """The number of component units of a kind. Without `most` it has no upper limit."""

    in_order = ("least <= most",)

    least: PositiveInt
    most: PositiveInt | None = None


class Formation(WithRule):
    """A line of the organisation chart: its figures by rank, its guns and its subformations (PAY-198)."""

    title: StrictStr
    kind: Kind
    arm: Arm
    staff: dict[_RankName, PositiveInt]
    guns: Count = 0
    of: dict[Annotated[StrictStr, RefersTo("organisation")], Parts] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_machine_guns(self) -> Formation:
        """Reject more than one machine gun in a unit, which a scenario cannot express."""
        if self.arm == "machine_gun" and self.guns > 1:
            raise ValueError(f"guns {self.guns}: a scenario unit has one machine gun; use more sections")
        return self


class Figures(WithRule):
    """A unit of more figures than this is led by an officer."""

    figures: Count


class Mapping(TerrainMapping[Annotated[StrictStr, RefersTo("terrain")]]):
    """The mapping from the words of a neutral scenario to the terms of these rules."""

    linear_terrain: Annotated[
        dict[str, Annotated[StrictStr, RefersTo("terrain", "obstacles")]], every_word(TERRAIN, LINE_KINDS)
    ]
    kind: Annotated[dict[str, Kind], all_of(*get_args(KindWord))]
    weapon: Annotated[dict[str, Annotated[StrictStr, RefersTo("weapons", besides=("none",))]], every_word(WEAPONS)]
    close_weapon: Annotated[dict[str, StrictStr], all_of(*get_args(CloseWeapon))]
    rank_regular: Annotated[dict[str, _RankName], all_of(*RANKS)]
    rank_irregular: Annotated[dict[str, _RankName], all_of(*RANKS)]
    officer_above_figures: Figures
    rank_words: dict[_RankName, StrictStr]
    muster: dict[str, dict[str, dict[str, StrictStr]]]


class OfProfile(Book):
    """The result of a unit mapping entry."""

    profile: Annotated[StrictStr, RefersTo("profiles")]


class PaychestUnitMapping(UnitMapping[OfProfile]):
    """An entry of the unit mapping: the figures of a unit that get a certain profile (PAY-017, PAY-019)."""

    own: ClassVar[frozenset[str]] = frozenset(
        {"regular", "place", "rank", "leads", "officer", "non_combatant", "firearm"}
    )


class PaychestFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    sequence: Annotated[dict[str, PhaseEntry], all_of("card", "end")]
    bases: Annotated[
        dict[str, BaseRow], _exactly("foot", "mounted", "gun", "conveyance"), AfterValidator(_fit_for_contact)
    ]
    contact: Gap
    cohesion_at_start: Inches
    skill_bounds: SkillBounds
    profiles: dict[str, Profile]
    legion_profiles: Profiles
    quality: Annotated[dict[str, Quality], _exactly("raw", "regular", "veteran", "elite")]
    quality_bounds: SkillBounds
    ranks: dict[str, Rank]
    movers: Annotated[dict[str, Mover], all_of(*_MOVERS)]
    fixed_inches_per_die: PerDie
    halved_by_load: Times
    halved_by_leg_wound: Times
    saddling: Times
    getting_off: Times
    mounts_led: Most
    bearers_apart: Inches
    conveyances: Annotated[dict[str, Conveyance], all_of(*_CONVEYANCES)]
    altitude: Altitude
    terrain: Annotated[dict[str, Ground], all_of("open", "steep_slope", "shallows")]
    obstacles: Annotated[dict[str, Ground], all_of("shut_gate")]
    sight: Growth
    friends_block_beyond: Inches
    climb_contact: Inches
    weapons: dict[str, Weapon]
    blades: WeaponNames
    target_stretch: Inches
    gun_stretch: Inches
    mixed_cover: Share
    double_roll: FirstDie
    jam: Jam
    guns: Annotated[dict[str, GunRules], _exactly("machine_gun", "shell")]
    casualty_cards: dict[str, CardClass]
    leg_wounds_that_lame: Wounds
    recovery: LeastFace
    exposure: Annotated[dict[str, Locations], _exactly("open", "low_wall", "parapet", "wagon")]
    most_against_one: MostAgainstOne
    leader_loss: Passing
    leader_loss_irregular: ResultOf
    leader_loss_fall_back: ResultOf
    morale: DiceOf
    rally: Passing
    cover_shock: Total
    second_morale: Annotated[dict[str, Rows], _exactly("regular", "irregular")]
    results: dict[str, Result]
    short_of_enemies: Inches
    brave_deeds: Carried
    held_within: Inches
    led_off: Share
    most_appearances: MostOfSome
    unit_size: MostOfSome
    guns_that_warn: Most
    organisation: dict[str, Formation]
    unit_mapping: Annotated[dict[str, PaychestUnitMapping], requires_values("profile")]
    mapping: Mapping

    @model_validator(mode="after")
    def _formations_can_be_mustered(self) -> PaychestFile:
        """Check that the scenario words of each formation's figures and leaders are defined (PAY-198)."""
        for name, formation in self.organisation.items():
            if formation.arm not in self.mapping.muster.get(formation.kind, ()):
                raise ValueError(f"organisation.{name}: mapping.muster.{formation.kind} needs {formation.arm}")
            for rank in formation.staff:
                if rank in self.ranks and self.ranks[rank].leader and rank not in self.mapping.rank_words:
                    raise ValueError(f"organisation.{name}: mapping.rank_words needs {rank}")
        return self

    @model_validator(mode="after")
    def _open_ground_is_open(self) -> PaychestFile:
        """Check that open ground, which is everything outside the pieces of terrain, is passable for all (PAY-085)."""
        for column in COLUMNS:
            if self.terrain["open"].cost(column) is None:
                raise ValueError(f"terrain.open.{column}: open ground must be passable; give it a price")
        return self

    @model_validator(mode="after")
    def _cards_can_be_drawn(self) -> PaychestFile:
        """Reject an empty casualty deck, and cards for locations that a figure in the open does not have."""
        if not any(card.copies for card in self.casualty_cards.values()):
            raise ValueError("the casualty deck has no cards; give at least one class copies")
        open_to = self.exposure["open"].locations
        for name, card in self.casualty_cards.items():
            if card.location not in open_to:
                raise ValueError(
                    f"casualty_cards.{name}: a figure in the open has no '{card.location}'; add it to exposure.open"
                )
        return self
