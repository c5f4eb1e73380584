"""The schema of `ruleset.yaml`: every table and number of these rules, with the limits within which it makes sense."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import (
    AfterValidator,
    Field,
    PlainValidator,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from zareba.battle.terrain_mapping import TerrainMapping
from zareba.battle.unit_mapping import UnitMapping, requires_values
from zareba.rules import (
    Book,
    Count,
    PhaseEntry,
    PositiveInt,
    RefersTo,
    RulesetFile,
    WithRule,
    all_of,
    check_order,
    every_word,
)
from zareba.scenario.vocabulary import RANKS, CloseWeapon, GunClass
from zareba.scenario.vocabulary import Formation as FormationWord
from zareba.scenario.vocabulary import Quality as QualityWord
from zareba.scenario.vocabulary.words import ARMS, WEAPONS

BANDS = ("short", "medium", "long")
GAITS = ("halt", "walk", "canter", "gallop")
WALK, CANTER = 1, 2
"""Indices of walk and canter in `GAITS`, as stored on figures."""
LOCATION_DIE = 12  # Table 13-A uses a D12

Move = Literal["flat", "bumpy", "jagged", "closed"]
_GaitName = Literal["halt", "walk", "canter", "gallop"]
Reaction = Literal["flee", "freeze", "onwards", "prone", "take_cover", "berserk"]
_Location = Literal[
    "arm_light", "leg_light", "groin", "chest_light", "head_light",
    "arm_heavy", "leg_heavy", "chest_heavy", "head_heavy", "bloody_death",
]  # fmt: skip
Number = StrictInt | StrictFloat
_Faces = Annotated[StrictInt, Field(ge=2, le=1000)]
Skill = Annotated[StrictInt, Field(ge=-9, le=9)]
Cover = Annotated[StrictInt, Field(ge=0, le=9)]
Inches = Annotated[Number, Field(ge=0, le=1000)]
Length = Annotated[Number, Field(gt=0, le=1000)]
_Degrees = Annotated[Number, Field(gt=0, le=360)]


def _share(value: Any) -> Fraction:
    """Return a fraction of a whole, written as 1/2, 0.5 or 1."""
    try:
        share = Fraction(str(value)) if isinstance(value, (int, float, str)) and not isinstance(value, bool) else None
    except (ValueError, ZeroDivisionError):
        share = None
    if share is None or not 0 < share <= 1:
        raise ValueError(f"{value!r} is no part of a whole; write a fraction above 0 and up to 1, such as 1/2 or 0.5")
    return share


Share = Annotated[Fraction, PlainValidator(_share)]


# --- soldiers and weapons ---------------------------------------------------------------------------------------------


class StatLine(WithRule):
    """One row of Tables 4-A and 4-B (FBN-018, FBN-019, FBN-020, FBN-021, FBN-022)."""

    cs: Skill
    ds: Skill
    sp: PositiveInt
    gl: Annotated[StrictInt, Field(ge=1, le=6)]

    @property
    def ac(self) -> int:
        """Actions per turn: half the speed, rounded up (FBN-021)."""
        return ceil(self.sp / 2)


class Weapon(WithRule):
    """One row of Table 4-C: outer limits of its range bands in inches, AC to use, damage (FBN-025, FBN-026)."""

    in_order = ("short <= medium <= long",)

    short: Length | None = None
    medium: Length | None = None
    long: Length | None = None
    ac: PositiveInt
    damage: PositiveInt
    close: StrictBool = False
    long_arm: StrictBool = False
    from_saddle: StrictBool = False

    @model_validator(mode="after")
    def _bands(self) -> Weapon:
        """Reject a weapon with range bands and no maximum range."""
        if self.long is None and (self.short is not None or self.medium is not None):
            raise ValueError("a weapon with range bands needs a long band, its maximum range")
        return self


class Wounds(WithRule):
    """The number of wounds that put a man out of action (FBN-024)."""

    man: PositiveInt


class Reach(WithRule):
    """Inches between bases: reach of a close-combat weapon, and the largest gap that is contact (FBN-005, FBN-103)."""

    close_weapon: Inches
    contact: Annotated[Number, Field(ge=0.01, le=1)]  # chargers stop 0.001 inch short


class Arm(WithRule):
    """The share of its range bands that a long arm keeps if the firer has a light arm wound (FBN-127)."""

    bands: Share


# --- guns -------------------------------------------------------------------------------------------------------------


class GunType(WithRule):
    """One row of Table 4-D. `range` and `least` are in inches; `weight`: the weapon class (FBN-264).

    The range of some guns is a setting instead (FBN-211, FBN-228).
    """

    in_order = ("least <= range",)

    weight: Literal["light", "medium", "heavy"] = Field(alias="class")
    range: PositiveInt | None = None
    least: Annotated[StrictInt, Field(ge=0, le=30)] = 0
    multiple: PositiveInt
    wounds: PositiveInt
    ds: Skill
    crew: PositiveInt
    fire: Literal["direct", "indirect", "either"]


_RANGED_BY_SETTING = ("light_gun", "trench_mortar")


def _guns(table: dict[str, GunType]) -> dict[str, GunType]:
    """Reject a gun without a range, or with one that a setting gives."""
    for name, row in table.items():
        if (row.range is None) is not (name in _RANGED_BY_SETTING):
            raise ValueError(f"{name}: " + ("give its range" if row.range is None else "its range is a setting"))
    return table


class GunBands(WithRule):
    """Short and medium range as fractions of the maximum range (FBN-212)."""

    in_order = ("short <= medium",)

    short: Share
    medium: Share


class Damage(WithRule):
    """The damage of one kind of ammunition, before a gun's multiple (FBN-213)."""

    damage: PositiveInt


class GunArcs(WithRule):
    """Fire arcs of guns and machine guns in degrees (FBN-080).

    With the setting `arc_is_total` off, `artillery` is the arc to each side instead of the whole arc.
    """

    artillery: _Degrees
    machine_gun: _Degrees


class GunCosts(WithRule):
    """The AC of a gun per turn, and the AC cost of firing, turning and moving it (FBN-205)."""

    ac: PositiveInt
    fire: PositiveInt
    turn: PositiveInt
    move: PositiveInt


class TurnOfGun(WithRule):
    """The degrees by which one turn action may turn a gun (FBN-208)."""

    degrees: Annotated[StrictInt, Field(ge=15, le=180)]


class Movers(WithRule):
    """Movers needed for a gun of one weight class: men on foot, or riders or draught animals (FBN-207, FBN-233)."""

    riders: Count = 0
    men: Count = 0

    @model_validator(mode="after")
    def _men_or_horses(self) -> Movers:
        """Reject a gun moved by both men and riders, or by neither."""
        if bool(self.riders) is bool(self.men):
            raise ValueError("a gun is moved by men or by riders: give one of the two, at least 1")
        return self


class Deviation(WithRule):
    """The faces of the die for the inches by which a round deviates (FBN-219).

    On a critical miss `critical_die` is rolled instead and `critical_plus` added (FBN-220).
    """

    die: _Faces
    critical_die: _Faces
    critical_plus: Count


class MarkerSizes(WithRule):
    """Diameters of the burst marker, in inches (FBN-216)."""

    in_order = ("small <= middle <= large",)

    small: Length
    middle: Length
    large: Length


class WithinInches(WithRule):
    """A distance in inches."""

    inches: Inches


class StrayShotReach(WithinInches):
    """Inches from the spot where a stray solid shot lands within which it may hit the nearest man or gun (FBN-218)."""


class RiddenAtReach(WithinInches):
    """Inches ahead of a fast rider within which units count as ridden at (FBN-142)."""


class TakeCoverReach(WithinInches):
    """Inches within which a panicking man looks for cover (FBN-167)."""


class RevealDistance(WithinInches):
    """Inches from an enemy unit within which a hidden unit is revealed (FBN-078)."""


class SalvoRow(WithRule):
    """The shots of a machine gun's salvo, and the most salvos it may fire in a turn (FBN-229)."""

    shots: PositiveInt
    salvos: PositiveInt


class Medic(WithRule):
    """The die a medic rolls and the lowest score that succeeds (FBN-137)."""

    in_order = ("lowest <= die",)

    die: _Faces
    lowest: PositiveInt = Field(alias="from")


class Jam(WithRule):
    """The die of a machine gun and the lowest score that jams it; with `never` no die is rolled (FBN-232)."""

    die: _Faces
    lowest: PositiveInt | Literal["never"] = Field(alias="from")

    @model_validator(mode="after")
    def _score(self) -> Jam:
        """Reject a score that the die never shows."""
        if self.lowest != "never" and self.lowest > self.die:
            raise ValueError(f"no D{self.die} shows a {self.lowest}; from is 1 to {self.die}, or never")
        return self


class Die(WithRule):
    """The number of faces of a die: initiative (FBN-008) or the gunner's guess of a range (FBN-225)."""

    die: _Faces


# --- dice of fire and blows -------------------------------------------------------------------------------------------


class FireDie(WithRule):
    """The die of fire: scores up to `misses` miss (FBN-089), scores from `critical` on kill (FBN-087)."""

    faces: _Faces
    misses: Count
    critical: PositiveInt

    @model_validator(mode="after")
    def _scores(self) -> FireDie:
        """Reject scores of the fire die that overlap."""
        if not self.misses < self.critical <= self.faces:
            raise ValueError(
                f"a D{self.faces} cannot miss up to {self.misses} and be critical from {self.critical} on: "
                f"critical is 1 to {self.faces}, and misses is less than critical"
            )
        return self


class BlowRow(WithRule):
    """A blow in close combat: the die, and the number of dice rolled without and with a close-combat weapon.

    The best die counts (FBN-113). `ac` and `damage` are for a man without such a weapon (FBN-104, FBN-107).
    """

    die: _Faces
    dice: PositiveInt
    close_weapon: PositiveInt
    ac: PositiveInt
    damage: PositiveInt


class Differences(WithRule):
    """The smallest difference of scores for one result of a blow (FBN-106, FBN-107, FBN-108)."""

    difference: PositiveInt


# --- ground and movement ----------------------------------------------------------------------------------------------


class TerrainRow(WithRule):
    """One row of the terrain chart (FBN-065). Only terrain that shelters figures has a cover value."""

    title: StrictStr
    cv: Cover
    move: Move
    shelter: Literal["none", "inside", "behind", "both"] = "none"
    uphill: Literal["none", "bumpy", "jagged"] = "none"
    wall: StrictBool = False
    forest: StrictBool = False
    trench: StrictBool = False
    dangerous: StrictBool = False
    blocks_sight: StrictBool = False
    building: StrictBool = False
    notice: StrictBool = False

    @model_validator(mode="after")
    def _cover(self) -> TerrainRow:
        """Reject a cover value that has no effect."""
        if self.cv and self.shelter == "none" and not self.building:
            raise ValueError(f"CV {self.cv} has no effect without shelter; set shelter to inside, behind or both")
        return self


_BARE_GROUND = ("clear", "low_slope", "high_slope")
"""Rows for the bare table and its slopes, which lie under all other terrain.

They allow full speed, except uphill on a slope.
"""
ROWS = (*_BARE_GROUND, "rubble", "path", "shallow_river", "wooden_wall", "wooden_building", "stone_building")


def _terrain(table: dict[str, TerrainRow]) -> dict[str, TerrainRow]:
    """Reject bare ground that slows or shelters, and rows that wrongly have an uphill side."""
    for name, row in table.items():
        if name in _BARE_GROUND and (row.move != "flat" or row.shelter != "none"):
            raise ValueError(f"{name}: the bare table is flat and gives no shelter; map this ground to another row")
        if (row.uphill != "none") is not (name in _BARE_GROUND[1:]):
            raise ValueError(f"{name}: the two slopes must be bumpy or jagged uphill, and no other row may be")
    return table


class SpeedShares(WithRule):
    """Speed on slow ground, as fractions of full speed (FBN-047)."""

    in_order = ("jagged <= bumpy",)

    bumpy: Share
    jagged: Share


class MoveCosts(WithRule):
    """Inches of move allowance that one inch of ground costs if `terrain_move` is proportional (FBN-048)."""

    in_order = ("flat <= bumpy <= jagged",)

    flat: Length
    bumpy: Length
    jagged: Length


class Heights(WithRule):
    """Heights in inches: of eyes, of one level of a hill and of one floor of a building (FBN-273).

    A man is higher than another from a difference of `higher` on. `eye` and `rider_eye` are above the ground.
    """

    higher: Length
    eye: Inches
    rider_eye: Inches
    level: Length
    floor: Length


class CoverReach(WithRule):
    """Limits on cover by its distance, in inches (FBN-071).

    Against a higher firer, cover more than `inches` from the man is worth at most `cv`, or exactly `cv` if the setting
    `high_shooter_cv` is `set`. Cover within `own_cover` of the firer does not protect his target. An area that holds
    both does not protect him either if they are that near to each other.
    """

    inches: Inches
    cv: Cover
    own_cover: Inches


class Movement(WithRule):
    """Limits and factors of movement (FBN-040).

    `most_ac` is the most AC an activation may spend on movement. A charge multiplies speed by `charge` (FBN-041).
    Crawling (FBN-052) and a light leg wound (FBN-128) leave a share of it, `prone` and `leg`. With a groin wound a man
    moves `groin` inches per action (FBN-129).
    """

    most_ac: PositiveInt
    charge: PositiveInt
    prone: Share
    leg: Share
    groin: Count


class Bases(WithRule):
    """Base diameters in inches. Larger bases than these limits would not fit into rooms and ranks."""

    foot: Annotated[Number, Field(ge=0.25, le=2)]
    mounted: Annotated[Number, Field(ge=0.25, le=2)]
    gun: Annotated[Number, Field(ge=0.25, le=2.5)]


class Spacing(WithRule):
    """The least and most inches between bases in open order, and how many degrees facings may differ (FBN-056).

    The limit on facings also applies to closed order and mass.
    """

    in_order = ("least <= most",)

    least: Inches
    most: Inches
    facing: _Degrees


class SquareForm(WithRule):
    """The test of a square (FBN-271): distances in inches, angles in degrees.

    Men stand at most `outline` from the outline of the formation and face at most `facing` off straight outwards. The
    gap to the nearest other base is at most `most`.
    """

    outline: Inches
    facing: _Degrees
    most: Inches


class Arcs(WithRule):
    """Degrees to each side of a man's facing at which his front ends and his rear begins (FBN-063)."""

    in_order = ("front <= rear",)

    front: Annotated[Number, Field(gt=0, le=180)]
    rear: Annotated[Number, Field(gt=0, le=180)]


class Gait(WithRule):
    """One row of Table 16-A, in inches.

    `turn` is the cost of a turn; `after` is the slowest gait allowed in the previous turn.
    """

    in_order = ("least <= most",)

    least: Count
    most: Count
    turn: Count
    after: _GaitName


def _gaits(table: dict[str, Gait]) -> dict[str, Gait]:
    """Reject gaits that are out of order."""
    halt = table["halt"]
    if halt.most or halt.turn or halt.after != "halt":
        raise ValueError("a horse at a halt does not move or turn, and may halt after any gait")
    check_order("halt.most <= walk.most <= canter.most <= gallop.most", table)
    if late := [name for index, name in enumerate(GAITS) if index and GAITS.index(table[name].after) >= index]:
        raise ValueError(f"a {late[0]} comes after a slower gait, not after {table[late[0]].after}")
    return table


class MountTurn(WithRule):
    """The angle for which a gait's turn cost is paid once (FBN-175)."""

    degrees: _Degrees


# --- morale and wounds ------------------------------------------------------------------------------------------------


class FromScore(WithRule):
    """The lowest D12 score that hits a location (FBN-125)."""

    lowest: Annotated[StrictInt, Field(alias="from", ge=1, le=LOCATION_DIE)]


def _locations(table: dict[str, FromScore]) -> dict[str, FromScore]:
    """Reject hit locations that leave a gap or share a score."""
    scores = sorted(row.lowest for row in table.values())
    if not scores or scores[0] != 1 or len(set(scores)) < len(scores):
        raise ValueError("one location must start at a score of 1, and no two at the same score")
    return table


_DIFFERENCES = ("capture", "wound", "critical")


def _differences(table: dict[str, Differences]) -> dict[str, Differences]:
    """Reject differences of close combat that are out of order."""
    check_order("capture.difference <= wound.difference <= critical.difference", table)
    return table


class Glory(WithRule):
    """Numbers of the glory rules.

    `panic` is the GL at which a man panics. `event` and `hearten` are the changes for bad and good events. `natural`
    is the score for recovery if `panic_check_target` is natural_six. `wait` is the interval at which a soldier may try
    to recover, in Glory phases.
    """

    in_order = ("natural <= die",)

    panic: Annotated[StrictInt, Field(ge=2, le=1000)]
    event: PositiveInt
    hearten: PositiveInt
    die: _Faces
    natural: PositiveInt
    wait: PositiveInt


class HalfStrength(WithRule):
    """The share of its starting figures at which a unit counts as at half strength (FBN-141)."""

    part: Share


class Pinned(WithRule):
    """The number of turns in a row in which a unit must be shot at to be pinned (FBN-144)."""

    turns: PositiveInt


class PanicReactions(WithRule):
    """One row of Table 15-A: the reaction of a panicking man for each score of the die (FBN-163)."""

    reactions: Annotated[list[Reaction], Field(min_length=2, max_length=1000)]

    @model_validator(mode="after")
    def _check_reactions(self) -> PanicReactions:
        """Reject a panic table that has only the reaction that is rolled again."""
        if set(self.reactions) == {"freeze"}:
            raise ValueError("a reroll of freeze would never end; name at least one other reaction")
        return self


class Heroic(WithRule):
    """A heroic deed: by how much the losses that a unit inflicts hand to hand must exceed its own (FBN-161)."""

    surplus: PositiveInt


# --- night, buildings, forces -----------------------------------------------------------------------------------------


class Night(WithRule):
    """Inches that men can see at night and in fog at night (FBN-235).

    Within `notice` inches of his path a man may fail to notice terrain (FBN-239).
    """

    inches: Inches
    fog: Inches
    notice: Inches


class FlareRow(WithRule):
    """The diameter of the ground that a flare lights, and how far it can be fired, in inches (FBN-238)."""

    across: Length
    reach: Inches


class Buildings(WithRule):
    """Sizes, limits and distances of buildings; lengths in inches.

    Sections are about `section` wide and deep and hold `capacity` men; a watchtower holds `tower` (FBN-242, FBN-260).
    There is an opening about every `opening` inches of wall, for `users` men (FBN-245). A man outside uses a door or
    ladder within `door_reach` of his base (FBN-253, FBN-260).
    """

    section: Annotated[Number, Field(ge=2, le=48)]
    capacity: PositiveInt
    tower: PositiveInt
    opening: Length
    users: PositiveInt
    door_reach: Inches


class Door(WithRule):
    """The DS of a closed door when a man bashes it (FBN-254)."""

    ds: Skill


class DamagePoints(WithRule):
    """Damage points of a building: CV less `minus`, plus `per_section` for each section (FBN-249)."""

    minus: Count
    per_section: Count


class Squads(WithRule):
    """The sizes of squads (FBN-197 to FBN-199).

    Up to `upto` men form one squad. Larger units and native bands form squads of at most `large` men. With
    `squad_size_strict` a squad has `small` or `large` men (FBN-200).
    """

    in_order = ("small <= large",)

    small: PositiveInt
    large: PositiveInt
    upto: PositiveInt


class CrewSize(WithRule):
    """The men of a gun and of a machine gun, and the guns of a battery (FBN-202)."""

    gun: PositiveInt
    machine_gun: PositiveInt
    battery: PositiveInt


class Deployment(WithRule):
    """The depth in inches of the strip along its edge where a side sets up without zones of its own (FBN-011)."""

    strip: Length


class ObjectiveValues(WithRule):
    """Distances in inches for picking up an object, leaving over an edge, and holding a piece of terrain (FBN-265)."""

    take: Inches
    edge: Inches
    hold: Inches


class Mapping(TerrainMapping[Annotated[StrictStr, RefersTo("terrain")]]):
    """The translation of a neutral scenario's words into terms of these rules."""

    arm: Annotated[dict[str, Literal["foot", "mounted", "battery", "machine_gun", "none"]], every_word(ARMS)]
    quality: Annotated[dict[str, Literal["green", "regular", "veteran", "elite"]], all_of(*get_args(QualityWord))]
    weapon: Annotated[dict[str, Annotated[StrictStr, RefersTo("weapons", besides=("none",))]], every_word(WEAPONS)]
    close_weapon: Annotated[dict[str, Literal["melee_weapon", "none"]], all_of(*get_args(CloseWeapon))]
    gun: Annotated[dict[str, Annotated[StrictStr, RefersTo("guns")]], all_of(*get_args(GunClass))]
    formation: Annotated[dict[str, Literal["open", "closed", "mass", "square"]], all_of(*get_args(FormationWord))]
    rank: Annotated[dict[str, Literal["officer", "nco", "hero"]], all_of(*RANKS)]


Lines = Annotated[dict[Literal["green", "regular", "elite"], StatLine], all_of("green", "regular", "elite")]
_Weights = Annotated[dict[Literal["light", "medium", "heavy"], Movers], all_of("light", "medium", "heavy")]


class UnitValues(Book):
    """The values that an entry of the unit mapping sets."""

    lines: Annotated[StrictStr | None, RefersTo("stat_lines")] = None
    led_by: Literal["nco", "hero", "nobody"] | None = None
    bands: StrictBool | None = None
    formation: Literal["open", "mass"] | None = None
    squares: StrictBool | None = None
    drilled: StrictBool | None = None


class FbnUnitMapping(UnitMapping[UnitValues]):
    """An entry of the unit mapping: the characteristics of a unit's men (FBN-196 to FBN-201)."""

    own: ClassVar[frozenset[str]] = frozenset({"part", "native_regular_table", "native_regular_square"})


def _sequence(sequence: dict[str, PhaseEntry]) -> dict[str, PhaseEntry]:
    """Return the sequence of play, checked: a unit is chosen before it acts (FBN-012)."""
    if sequence["actions"].stages != ["unit", "act"]:
        raise ValueError("actions.stages must be unit and act, in this order")
    return sequence


class FbnFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    sequence: Annotated[dict[str, PhaseEntry], all_of("actions", "housekeeping"), AfterValidator(_sequence)]
    stat_lines: Annotated[dict[str, Lines], all_of("european", "native")]
    wounds: Wounds
    weapons: Annotated[dict[str, Weapon], all_of("rifle", "pistol", "melee_weapon")]
    reach: Reach
    wounded_arm: Arm
    guns: Annotated[
        dict[str, GunType], all_of(*_RANGED_BY_SETTING, "machine_gun", "light_howitzer"), AfterValidator(_guns)
    ]
    gun_bands: GunBands
    ammunition: Annotated[dict[Literal["shot", "shell"], Damage], all_of("shot", "shell")]
    gun_arcs: GunArcs
    gun_costs: GunCosts
    turn_of_gun: TurnOfGun
    movers: _Weights
    deviation: Annotated[dict[Literal["shot", "shell"], Deviation], all_of("shot", "shell")]
    burst_inches: Annotated[dict[Literal["by_multiple", "by_class"], MarkerSizes], all_of("by_multiple", "by_class")]
    ball: StrayShotReach
    salvo: SalvoRow
    jam: Jam
    initiative: Die
    fire_die: FireDie
    blow: BlowRow
    terrain: Annotated[dict[str, TerrainRow], all_of(*ROWS), AfterValidator(_terrain)]
    going: SpeedShares
    prices: MoveCosts
    heights: Heights
    cover_reach: CoverReach
    movement: Movement
    bases: Bases
    spacing: Spacing
    square_form: SquareForm
    arcs: Arcs
    gaits: Annotated[dict[_GaitName, Gait], all_of(*GAITS), AfterValidator(_gaits)]
    turn_of_mount: MountTurn
    ridden_at: RiddenAtReach
    close_combat: Annotated[
        dict[Literal["capture", "wound", "critical"], Differences], all_of(*_DIFFERENCES), AfterValidator(_differences)
    ]
    hit_location: Annotated[dict[_Location, FromScore], AfterValidator(_locations)]
    glory: Glory
    half_strength: HalfStrength
    pinned: Pinned
    panic: Annotated[dict[Literal["green", "regular", "elite"], PanicReactions], all_of("green", "regular", "elite")]
    take_cover: TakeCoverReach
    heroic: Heroic
    medic: Medic
    night: Night
    flare: FlareRow
    hidden: RevealDistance
    buildings: Buildings
    door: Door
    damage_points: DamagePoints
    squads: Squads
    unit_mapping: Annotated[
        dict[str, FbnUnitMapping], requires_values("lines", "led_by", "bands", "formation", "squares", "drilled")
    ]
    crew_size: CrewSize
    deployment: Deployment
    guess: Die
    objectives: ObjectiveValues
    mapping: Mapping
