"""The model of `ruleset.yaml`, and its numbers compiled for one session."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from zareba.base.errors import ZarebaError
from zareba.battle.terrain_mapping import TerrainMapping
from zareba.battle.unit_mapping import UnitMapping, requires_values
from zareba.chance import Meaning
from zareba.rules import Book, CompiledBook, PhaseEntry, RefersTo, Rules, RulesetFile, WithRule, all_of, every_word
from zareba.scenario.vocabulary import CloseWeapon, Quality
from zareba.scenario.vocabulary.words import WEAPONS
from zareba.space.lazy import Lazy

Band = Literal["short", "medium", "long"]
Cover = Literal["open", "soft", "hard"]
TroopClass = Literal["raw", "veteran", "hero"]
Loading = Literal["muzzle", "breech", "magazine", "hurled", "none"]
Result = Literal["continue", "towards", "halt_in_cover", "halt", "advance", "attack", "retreat", "rout"]

WeaponName = Annotated[StrictStr, RefersTo("weapons", besides=("none",))]

BANDS: tuple[Band, ...] = ("short", "medium", "long")
COVER_ORDER: tuple[Cover, ...] = ("open", "soft", "hard")
"""The kinds of cover, the least first."""
FACES = range(1, 7)
"""The columns of an Action table."""


Range = Annotated[StrictInt, Field(ge=1, le=1000)]
_MeleeFactor = Annotated[StrictInt, Field(ge=0, le=20)]
Shots = Annotated[StrictInt, Field(ge=0, le=100)]
D6 = Annotated[StrictInt, Field(ge=1, le=6)]
_D6OrNever = Annotated[StrictInt, Field(ge=1, le=7)]
_D8OrNever = Annotated[StrictInt, Field(ge=1, le=9)]


class ClassEntry(WithRule):
    """A class of figure: the command dice of its leaders, and its rank among the classes."""

    command_dice: Annotated[StrictInt, Field(ge=0, le=20)]
    order: Annotated[StrictInt, Field(ge=0, le=100)]


def _is_short(length: Centimetres) -> Centimetres:
    """Refuse a contact distance outside 0.05 to 1 cm.

    It must be smaller than the smallest base, or no figure could stand next to another without being in contact.
    Chargers stop at 0.05 cm.
    """
    if not 0.05 <= length.cm <= 1.0:
        raise ValueError("the contact distance must be 0.05 to 1 cm")
    return length


def _check_action_table(rows: dict[str, ActionRow]) -> dict[str, ActionRow]:
    """Refuse an Action table without a row for units falling back, a row up to Risk Factor 0, and exactly one
    open-ended row.
    """
    limits = [row.up_to for name, row in rows.items() if name != "falling_back"]
    if "falling_back" not in rows or 0 not in limits:
        raise ValueError("an Action table needs the row 'falling_back', and one up to Risk Factor 0")
    if rows["falling_back"].up_to is not None:
        raise ValueError("the row 'falling_back' covers Risk Factor 0 and less; remove its 'up_to'")
    if limits.count(None) != 1:
        raise ValueError(
            "exactly one row of an Action table covers all higher Risk Factors; leave out its 'up_to' alone"
        )
    if len(set(limits)) < len(limits):
        raise ValueError("two rows of an Action table have the same 'up_to'")
    return rows


class Classes(Book):
    raw: ClassEntry
    veteran: ClassEntry
    hero: ClassEntry


class Weapon(WithRule):
    """A line of Table W: outer limits of the ranges in cm (None without ranges), melee factor, damage class.

    `bayonet` is the factor with a fixed bayonet. `hurled` weapons are thrown. `shots`, `blast` (radius in cm) and
    `any_cover` are for support weapons; these give their crews no melee factor.
    """

    in_order = ("short <= medium <= long",)

    title: StrictStr
    short: Range | None = None
    medium: Range | None = None
    long: Range | None = None
    factor: _MeleeFactor = 0
    bayonet: _MeleeFactor | None = None
    carbine: StrictBool = False
    hurled: StrictBool = False
    damage: Annotated[StrictStr, RefersTo("damage", besides=("",))] = ""
    shots: Shots = 0
    uncommanded_shots: Shots = 0
    blast: Annotated[StrictInt, Field(ge=0, le=200)] = 0
    any_cover: StrictBool = False

    @model_validator(mode="after")
    def _check(self) -> Weapon:
        """Reject a weapon with only some of its ranges, or with ranges and no class of damage."""
        limits = [limit for limit in (self.short, self.medium, self.long) if limit is not None]
        if len(limits) not in (0, 3):
            raise ValueError("a weapon has all three ranges, short, medium and long, or none")
        if limits and not self.damage:
            raise ValueError("a weapon with ranges needs a class of damage")
        return self


class Ranges(WithRule):
    in_order = ("short <= medium <= long",)

    short: Range
    medium: Range
    long: Range


class HitRow(WithRule):
    """The number to reach on a D8 by cover; 9 is never reached."""

    in_order = ("open <= soft <= hard",)

    open: _D8OrNever
    soft: _D8OrNever
    hard: _D8OrNever


class HitTable(Book):
    in_order = tuple(f"short.{cover} <= medium.{cover} <= long.{cover}" for cover in ("open", "soft", "hard"))

    short: HitRow
    medium: HitRow
    long: HitRow


class AnyCoverRow(WithRule):
    """The number to reach on a D8 by range, whatever the cover."""

    in_order = ("short <= medium <= long",)

    short: _D8OrNever
    medium: _D8OrNever
    long: _D8OrNever


class DamageRow(WithRule):
    """The lowest face of the die that wounds, and the lowest that kills; 7 is never thrown."""

    in_order = ("wound <= kill",)

    wound: _D6OrNever
    kill: _D6OrNever


class Face(WithRule):
    """The lowest face of a D6 that has an effect."""

    face: D6


class Centimetres(WithRule):
    """A length in cm."""

    cm: Annotated[StrictFloat, Field(ge=0, le=1000)]


class Allowance(WithRule):
    """The move allowance of one turn, in cm."""

    cm: Annotated[StrictFloat, Field(gt=0, le=1000)]


class Moves(Book):
    """Move allowances in cm. The bonus of routers may be 0."""

    foot: Allowance
    foot_wounded: Allowance
    civilian: Allowance
    skirts_down: Allowance
    mounted: Allowance
    guards: Allowance
    rout_bonus: Centimetres
    support: Allowance


class Lengths(Book):
    """Other lengths in cm."""

    in_order = ("command_enclosed.cm <= command_open.cm",)

    contact: Annotated[Centimetres, AfterValidator(_is_short)]
    with_group: Centimetres
    combine: Centimetres
    command_open: Centimetres
    command_enclosed: Centimetres
    near_object: Centimetres
    friends_back: Centimetres
    cavalry: Centimetres
    advance_to_attack: Centimetres
    rout_from: Centimetres
    platoon: Centimetres
    sight_step: Centimetres
    wood_sight: Centimetres
    wood_between: Centimetres
    donga_lip: Centimetres
    guard: Centimetres
    charged_with: Centimetres
    push_back: Centimetres
    follow_up: Centimetres
    reveal: Centimetres
    objective: Centimetres
    line_works: Centimetres
    marker_stops: Centimetres
    leave_edge: Centimetres
    take_up: Centimetres


class CountRow(WithRule):
    """A number."""

    count: Annotated[StrictInt, Field(ge=0, le=1000)]


class Divisor(WithRule):
    """A rate, as one in `count`."""

    count: Annotated[StrictInt, Field(ge=1, le=1000)]


class Size(WithRule):
    """A number of figures in a group."""

    count: Annotated[StrictInt, Field(ge=1, le=200)]


class Bearing(WithRule):
    """Degrees from one bearing to the next."""

    count: Annotated[StrictInt, Field(ge=1, le=90)]


class CountTable(Book):
    in_order = ("smallest_group.count <= largest_group.count",)

    smallest_group: Size
    largest_group: Size
    combine_at: CountRow
    loyal_cost: CountRow
    disloyal_cost: CountRow
    router_cost: CountRow
    stationary_rate: Divisor
    moving_rate: Divisor
    hurled_rate: Divisor
    horse_holders: Divisor
    guarded: Divisor
    dispatched: Divisor
    must_kill: Divisor
    terrain_bearing: Bearing
    kill_weight: Divisor
    lining_ranks: Size


class Share(WithRule):
    """A part of a whole, 0 to 1: this much or more is enough."""

    share: Annotated[StrictFloat, Field(ge=0, le=1)]


class Shares(Book):
    """The parts of a whole that are enough for something."""

    stay_in_cover: Share
    missile_troops: Share
    missile_platoon: Share


class Times(WithRule):
    times: Annotated[StrictFloat, Field(ge=1, le=10)]


class ActionRow(WithRule):
    """A row of an Action table: it covers Risk Factors up to `up_to`, with a result for each face of the die.

    The row without `up_to` covers all higher Risk Factors. The row of units falling back covers Risk Factor 0 and
    less.
    """

    up_to: Annotated[StrictInt, Field(ge=0, le=1000)] | None = None
    results: dict[Literal["1", "2", "3", "4", "5", "6"], Result] = Field(min_length=6)


ActionTable = Annotated[dict[str, ActionRow], AfterValidator(_check_action_table)]


class Actions(Book):
    missile: ActionTable
    melee: ActionTable


class Ground(WithRule):
    """The effects of a kind of terrain.

    `barrier`: low, crossed at a cost. `closed`: cannot be entered or crossed. `wood`: the rules for looking out of
    woods apply. `sunken`: can be seen into only from near its lip.
    """

    title: StrictStr
    cover: Cover = "open"
    difficult: StrictBool = False
    enclosed: StrictBool = False
    conceals: StrictBool = False
    wood: StrictBool = False
    sunken: StrictBool = False
    blocks_sight: StrictBool = False
    barrier: StrictBool = False
    closed: StrictBool = False
    fortified: StrictBool = False


class QualityEntry(WithRule):
    """The class and flags that a quality in a scenario stands for."""

    troop_class: TroopClass = Field(alias="class")
    superior_quality: StrictBool = False
    superior_melee: StrictBool = False


class OfMen(Book):
    """The result of an entry of the unit mapping."""

    men: Annotated[StrictStr, RefersTo("men")]


class MenEntry(WithRule):
    """The attributes of a sort of men."""

    kind: Literal["regular", "irregular"]
    formed: StrictBool = False
    volley: StrictBool = False
    native: StrictBool = False
    native_service: StrictBool = False
    civilian: StrictBool = False


class WeaponEntry(WithRule):
    """The line of Table W that a scenario's weapon uses, and how it is loaded."""

    weapon: WeaponName
    loading: Loading


class Mapping(TerrainMapping[Annotated[StrictStr, RefersTo("grounds")]]):
    """The mapping from the words of a neutral scenario to terms of these rules."""

    quality: Annotated[dict[str, QualityEntry], all_of(*get_args(Quality))]
    weapon: Annotated[dict[str, WeaponEntry], every_word(WEAPONS)]
    close_weapon: Annotated[dict[str, WeaponName], all_of(*get_args(CloseWeapon))]
    support: Annotated[dict[str, WeaponName], all_of("artillery", "machine_gun", "rocket")]


class RskFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    sequence: Annotated[dict[str, PhaseEntry], all_of("start")]
    classes: Classes
    weapons: dict[str, Weapon]
    half_bow: Ranges
    to_hit: HitTable
    rocket_to_hit: AnyCoverRow
    damage: dict[str, DamageRow]
    blows: DamageRow
    marker_moves: Face
    moves: Moves
    difficult_cost: Times
    lengths: Lengths
    counts: CountTable
    shares: Shares
    actions: Actions
    grounds: Annotated[dict[str, Ground], all_of("open", "broken", "keep", "fort", "gate")]
    unit_mapping: Annotated[dict[str, UnitMapping[OfMen]], requires_values("men")]
    men: Annotated[dict[str, MenEntry], all_of("civilian")]
    mapping: Mapping

    @model_validator(mode="after")
    def _check(self) -> RskFile:
        """Check that limits on the Action die stay within the columns of an Action table (RSK-127)."""
        for name, line in self.tallies["action_die"].modifiers.items() if "action_die" in self.tallies else ():
            for verb, bound in line.operations.items():
                if verb in ("at_least", "at_most") and bound not in FACES:
                    raise ValueError(
                        f"tallies.action_die.modifiers.{name}.{verb}: an Action table has columns 1 to 6, not {bound}"
                    )
        return self


def _by_risk(
    rows: dict[str, ActionRow],
) -> tuple[tuple[Result, ...], list[int], list[tuple[Result, ...]]]:
    """Return an Action table as the row of units falling back, the upper limits of the other rows, and their results.

    The last row covers everything above the limits.
    """
    limited = {row.up_to: row for row in rows.values() if row.up_to is not None}
    last_row = next(row for name, row in rows.items() if name != "falling_back" and row.up_to is None)
    limits = sorted(limited)
    results = [_by_face(row) for row in (*map(limited.__getitem__, limits), last_row)]
    return _by_face(rows["falling_back"]), limits, results


def _by_face(row: ActionRow) -> tuple[Result, ...]:
    """Return the results of a row, by the face of the die from 1 up."""
    return tuple(result for _, result in sorted(row.results.items()))


def _by_cover(row: HitRow) -> dict[Cover, int]:
    """Return the numbers to hit of a row, by cover."""
    return {"open": row.open, "soft": row.soft, "hard": row.hard}


def band_within(limits: Sequence[float], distance: float) -> Band | None:
    """Return the range band at a distance, limits included (RSK-029), or None beyond the last."""
    place = bisect_left(limits, distance)
    return BANDS[place] if place < len(limits) else None


class RskBook(CompiledBook[RskFile]):
    """The numbers of a session under these rules."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, RskFile)
        file = self.file
        self.weapons = file.weapons
        self.has_range_lines = rules.changes("range")
        self.ranges = {name: self._limits(name, weapon) for name, weapon in file.weapons.items()}
        self.ranges["none"] = ()
        self.hit_on = {band: _by_cover(getattr(file.to_hit, band)) for band in BANDS}
        self.damage = {name: (row.wound, row.kill) for name, row in file.damage.items()}
        self.blows = file.blows.wound, file.blows.kill
        self.moves: dict[str, float] = {name: entry.cm for name, entry in file.moves}
        self.lengths: dict[str, float] = {name: entry.cm for name, entry in file.lengths}
        self.counts: dict[str, int] = {name: entry.count for name, entry in file.counts}
        self.shares: dict[str, float] = {name: entry.share for name, entry in file.shares}
        self.classes: dict[str, ClassEntry] = dict(file.classes)
        self.orders = {name: entry.order for name, entry in self.classes.items()}
        self.blue = frozenset(self.settings.actions_blue) | {"towards", "halt_in_cover"}
        self.rows = {table: _by_risk(rows) for table, rows in file.actions}
        self.action_means: dict[Any, Meaning] = {}  # filled on first use
        self.backward = {table: Lazy(partial(self._share_going_back, table)) for table in self.rows}

    def _limits(self, name: str, weapon: Weapon) -> tuple[int, ...]:
        """Return the outer limits of the range bands of a weapon, nearest first (RSK-029). Slings follow their setting
        (RSK-034).
        """
        row: Weapon | Ranges = weapon
        if name == "sling" and self.settings.weapons_sling == "bow_half":
            row = self.file.half_bow
        if row.short is None or row.medium is None or row.long is None:
            return ()
        return row.short, row.medium, row.long

    def limits(self, weapon: str) -> tuple[tuple[Band, int], ...]:
        """Return the range bands of a weapon with their outer limits in cm, nearest first (RSK-029)."""
        return tuple(zip(BANDS, self.ranges[weapon], strict=False))  # empty for a weapon without ranges

    def factor(self, weapon: str, bayonet: bool) -> int:
        """Return the melee factor of a weapon: 0 for bare hands (RSK-036), 4 for a long arm with a bayonet (RSK-027,
        RSK-028).
        """
        if weapon == "none":
            return 0
        entry = self.weapons[weapon]
        if not bayonet or entry.bayonet is None:
            return entry.factor
        plain = entry.carbine and self.settings.weapons_long_arm_melee == "carbines_2"
        return entry.factor if plain else entry.bayonet

    def _share_going_back(self, table: str, risk: int) -> float:
        """Return the share of the faces of an Action throw that make a unit go back at a Risk Factor."""
        return sum(self.action(table, risk, face, False) in ("retreat", "rout") for face in FACES) / len(FACES)

    def action(self, table: str, risk: int, die: int, falling_back: bool) -> Result:
        """Return the result of an Action throw (RSK-130 to RSK-136). At Risk Factor 0 or less, units falling back use a
        separate row.

        Raise ZarebaError if a house rule took the throw beyond the table.
        """
        if die not in FACES:
            raise ZarebaError(
                f"an Action throw came to {die}, and its table has columns 1 to 6: put the lines that change "
                "tallies.action_die before those that hold it, with 'before: least' (RSK-127)"
            )
        back, limits, rows = self.rows[table]
        row = back if risk <= 0 and falling_back else rows[bisect_left(limits, risk)]
        return row[die - 1]

    def is_share_reached(self, name: str, part: int, whole: int) -> bool:
        """Return True if a part of a whole is at least the share `name`."""
        return part >= self.shares[name] * whole - 1e-9
