"""The numbers of `ruleset.yaml`: their model, the settings, and values prepared from both before play begins."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr, field_validator, model_validator

from zareba.base.grammar import percent
from zareba.battle.unit_mapping import UnitMapping, requires_values
from zareba.chance import ByCard, Counts, counts
from zareba.rules import (
    Book,
    Chance,
    CompiledBook,
    Count,
    Dice,
    PhaseEntry,
    PositiveInt,
    RefersTo,
    Rules,
    RulesetFile,
    Score,
    WithRule,
    all_of,
    every_word,
)
from zareba.rules import Faces as DieFaces
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS, RANKS, GateKind
from zareba.scenario.vocabulary.words import TERRAIN, WEAPONS

# --- The model of `ruleset.yaml` --------------------------------------------------------------------------------------


Face = Literal["hit_a", "hit_ab", "hit_abc", "sabres", "shield", "flag"]
Arm = Literal["infantry", "pack", "mounted", "dismounted", "artillery", "machine_gun", "vehicle"]
TroopClass = Literal["A", "B", "C", "N"]
_ProfileName = Annotated[StrictStr, RefersTo("profiles")]

FACES: tuple[Face, ...] = ("hit_a", "hit_ab", "hit_abc", "sabres", "shield", "flag")
COLOURS = ("red", "blue", "green")
CLASSES: tuple[TroopClass, ...] = ("A", "B", "C", "N")


def _check_listed_once(names: list[Any]) -> list[Any]:
    """Reject a name that is listed twice."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"'{twice}' is listed twice")
    return names


_FaceList = Annotated[list[Face], AfterValidator(_check_listed_once)]
Row = Annotated[list[Annotated[StrictInt, Field(ge=1, le=100)]], Field(max_length=20)]
"""Dice by range, beginning with the next hex; the row ends at the longest range."""
_SomeRow = Annotated[Row, Field(min_length=1)]
Men = Annotated[StrictInt, Field(ge=1, le=200)]
Hexes = Annotated[StrictInt, Field(ge=0, le=200)]
_BattleMove = Annotated[StrictInt, Field(ge=-1, le=200)]
"""Hexes; -1 for units that cannot battle."""


class FaceEntry(WithRule):
    """One face of the battle die, the number of a normal die for it, and its symbol (AFR-008)."""

    number: Annotated[StrictInt, Field(ge=1, le=6)]
    symbol: StrictStr


class HitFaces(WithRule):
    """The hit faces of one class of troops, at a distance and close (AFR-195)."""

    far: _FaceList
    close: _FaceList


class Faces(WithRule):
    faces: _FaceList


class DiceNumber(WithRule):
    dice: Dice


class SureKill(WithRule):
    """From this many hits, not counting sabres, this many of them cannot be saved."""

    in_order = ("kills <= from_hits",)

    from_hits: PositiveInt
    kills: Count


class Jam(WithRule):
    """A machine gun jams when the shields are more than this share of its dice."""

    above: Chance


class SureRetreat(WithRule):
    """From this many flags, this many of them cannot be saved."""

    in_order = ("flags <= from_flags",)

    from_flags: PositiveInt
    flags: Count


class Quota(WithRule):
    """The share of the enemy's units and commanders that wins where the scenario gives no quota."""

    share: Annotated[Chance, Field(gt=0)]


class Solo(WithRule):
    """A die that picks the first of two cards on a roll up to `first_to`."""

    in_order = ("first_to < die",)

    die: DieFaces
    first_to: Score


class SteadyAbove(WithRule):
    """Figures above which flags may be ignored, by class (none: never); less `officer` with one in the hex."""

    A: Count | None = None
    B: Count | None = None
    C: Count | None = None
    N: Count | None = None
    officer: Count = 0


class Profile(WithRule):
    """A kind of unit (Table 3, AFR-020). `row` is the rule of its dice."""

    in_order = ("battle_move <= move",)

    title: StrictStr
    arm: Arm
    troop: TroopClass = Field(alias="class")
    hits: Annotated[StrictStr, RefersTo("hits")]
    figures: Men
    battle_move: _BattleMove
    move: Hexes
    dice: Row
    steady: Annotated[StrictStr, RefersTo("steady_above")]
    double_fire: StrictBool = False
    jams: StrictBool = False
    anti_air: StrictBool = False
    bombards: StrictBool = False
    covered: StrictBool = False
    no_hilltop: StrictBool = False
    on_foot: Annotated[StrictStr, RefersTo("profiles", besides=("",))] = ""
    row: StrictStr = ""

    @cached_property
    def type(self) -> str:
        """The type that distinguishes two units of one hex (AFR-169)."""
        return _TYPES[self.arm]

    @cached_property
    def walks(self) -> bool:
        """True if it may enter ground open only to infantry; packs move like infantry (AFR-024, AFR-134)."""
        return self.arm in ("infantry", "dismounted", "pack")

    @cached_property
    def climbs(self) -> bool:
        """True if it can use ladders (AFR-337)."""
        return self.arm in ("infantry", "dismounted")

    @cached_property
    def storms(self) -> bool:
        """True if it may break through and attack commanders (AFR-220, AFR-253)."""
        return self.arm in ("infantry", "dismounted", "mounted")

    @cached_property
    def aided(self) -> bool:
        """True if an officer can lend it his die (AFR-183)."""
        return self.storms and self.troop != "N"


_TYPES = {
    "infantry": "infantry", "dismounted": "infantry", "pack": "infantry", "mounted": "mounted", "vehicle": "mounted",
    "artillery": "artillery", "machine_gun": "artillery",
}  # fmt: skip


class CommanderMove(WithRule):
    mounted: Hexes
    foot: Hexes
    wounded: Hexes


class CompanySize(WithRule):
    in_order = ("least <= most",)

    least: PositiveInt
    most: PositiveInt
    colours: Annotated[StrictInt, Field(ge=1, le=len(COLOURS))]


class MoveOptions(WithRule):
    in_order = ("battle_move <= move",)

    battle_move: _BattleMove
    move: Hexes


class TerrainRow(WithRule):
    """One kind of terrain (Table 5, AFR-126). `cover_guns` replaces `cover` against guns, machine guns and aircraft."""

    title: StrictStr
    stop: StrictBool = False
    no_battle: StrictBool = False
    cover: Dice = 0
    cover_guns: Dice | None = None
    blocks: StrictBool = False
    hampers: StrictBool = False
    infantry_only: StrictBool = False
    closed: StrictBool = False


class StructureRow(WithRule):
    title: StrictStr
    hit: _FaceList
    save: _FaceList


class GateRow(WithRule):
    structure: Annotated[StrictStr, RefersTo("structures")]


class WallFigures(WithRule):
    cm_15: Men
    cm_10: Men


class Ladder(WithRule):
    """The defender's dice, the faces that bring a ladder down or destroy it, and the figures lost with it."""

    dice: Dice
    brought_down: _FaceList
    destroyed: _FaceList
    figures: Count


class LadderMoves(WithRule):
    """The hexes of movement that ladder actions cost."""

    put_up: Hexes
    climb: PositiveInt
    throw_down: Hexes


class Air(WithRule):
    """An aircraft or airship: hexes of a flight, hexes of a flight with an action, turns in the air, bombs,
    strength.
    """

    in_order = ("act <= fly",)

    fly: Hexes
    act: Hexes
    turns: Count
    bombs: Count
    strength: Annotated[StrictInt, Field(ge=1, le=100)] = 1


class DiceRow(WithRule):
    dice: _SomeRow


class BombDice(WithRule):
    """The dice of a bomb, which falls on the hex beneath."""

    dice: Annotated[Row, Field(min_length=1, max_length=1)]


class FallsAt(WithRule):
    hits: PositiveInt


class Card(WithRule):
    """A command card; the comment in `ruleset.yaml` explains each field."""

    title: StrictStr
    text: StrictStr = ""
    copies: Count
    orders: dict[Literal["red", "blue", "green", "any"], PositiveInt] = Field(default_factory=dict)
    event: StrictBool = False
    who: Literal["", "mounted", "infantry", "foot", "led", "company"] = ""
    all: Literal["", "artillery", "commanders"] = ""
    moves: StrictBool = True
    battles: StrictBool = True
    bonus: Literal["", "close", "far"] = ""
    dice: Dice = 1
    march: Hexes = 0
    regains: Count = 0
    before: Literal["", "scouts", "new_orders"] = ""


class EventCard(WithRule):
    """An event card; the comment in `ruleset.yaml` explains each field."""

    title: StrictStr
    text: StrictStr = ""
    copies: Count
    tags: list[StrictStr]
    dice: Dice = 0
    faces: _FaceList = Field(default_factory=list)
    figures: Count = 0
    least: Count = 0
    hexes: Hexes = 0
    turns: Count = 0
    orders: Count = 0


class HexInches(Book):
    """The inches of a scenario that one hex covers, for hexes of 15 cm and of 10 cm."""

    cm_15: Annotated[StrictInt, Field(ge=1, le=40)]
    cm_10: Annotated[StrictInt, Field(ge=1, le=40)]


class Shares(Book):
    """The least share of a hex that terrain must cover, or run through, to count in it."""

    area: Annotated[Chance, Field(gt=0)]
    line: Annotated[Chance, Field(gt=0)]


class Mapping(Book):
    """The terms of these rules for the words of a neutral scenario."""

    hex_inches: HexInches
    shares: Shares
    area_terrain: Annotated[dict[str, list[Annotated[StrictStr, RefersTo("terrain")]]], every_word(TERRAIN, AREA_KINDS)]
    linear_terrain: Annotated[
        dict[str, list[Annotated[StrictStr, RefersTo("terrain")]]], every_word(TERRAIN, LINE_KINDS)
    ]
    missiles: Annotated[dict[str, StrictBool], every_word(WEAPONS)]
    ranks: Annotated[dict[str, Literal["officer", "nco"]], all_of(*RANKS)]


class OfProfile(Book):
    """The result of a unit mapping entry."""

    profile: _ProfileName


class AfrFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    sequence: Annotated[dict[str, PhaseEntry], all_of("setup", "turn")]
    faces: Annotated[dict[Face, FaceEntry], all_of(*FACES)]
    hits: Annotated[dict[str, HitFaces], all_of("modern", "unarmed")]
    sure_kill: SureKill
    jam: Jam
    sure_retreat: SureRetreat
    saves: Annotated[dict[Literal["close", "far"], Faces], all_of("close", "far")]
    defence_faces: Annotated[
        dict[str, Annotated[dict[TroopClass, Faces], all_of(*CLASSES)]],
        all_of("enemy_class_or_higher", "enemy_hit_faces"),
    ]
    defence_dice: Annotated[dict[TroopClass, DiceNumber], all_of(*CLASSES)]
    steady_above: dict[str, SteadyAbove]
    profiles: Annotated[
        dict[str, Profile],
        all_of("aa_gun", "mg_horse", "pack"),
    ]
    unit_mapping: Annotated[dict[str, UnitMapping[OfProfile]], requires_values("profile")]
    quota: Quota
    solo: Solo
    commander_move: CommanderMove
    company: CompanySize
    horse_mg_by_sheet: MoveOptions
    infantry_walk: MoveOptions
    terrain: dict[str, TerrainRow]
    structures: Annotated[dict[str, StructureRow], all_of("wood", "adobe", "stone", "stone_fort")]
    gates: Annotated[dict[str, GateRow], all_of(*get_args(GateKind))]
    wall_figures: WallFigures
    ladder: Ladder
    ladder_moves: LadderMoves
    air: Annotated[dict[Literal["aircraft", "airship"], Air], all_of("aircraft", "airship")]
    air_ground_dice: DiceRow
    bomb_dice: BombDice
    air_dice: DiceRow
    aircraft_falls_at: FallsAt
    cards: dict[str, Card]
    events: dict[str, EventCard]
    mapping: Mapping

    @field_validator("sequence")
    @classmethod
    def _every_turn_moves_on(cls, sequence: dict[str, PhaseEntry]) -> dict[str, PhaseEntry]:
        """Reject a turn without one of the stages that play needs."""
        if lacking := [stage for stage in ("card", "draw", "close") if stage not in sequence["turn"].stages]:
            raise ValueError(f"play needs {', '.join(lacking)} among the stages of the turn; keep it there")
        return sequence

    @model_validator(mode="after")
    def _one_number_a_face(self) -> AfrFile:
        """Reject two faces of the battle die with the same number."""
        numbers = sorted(entry.number for entry in self.faces.values())
        if numbers != list(range(1, len(FACES) + 1)):
            raise ValueError(
                f"the faces have the numbers {', '.join(map(str, numbers))}; give each face its own number, 1 to 6"
            )
        return self


# --- The numbers of a session, prepared for play ----------------------------------------------------------------------


HITS = counts("hits")
SAVED = counts("saved")


class AfrBook(CompiledBook[AfrFile]):
    """The numbers of a session under these rules.

    `room`: units of one side that a hex holds, whatever its size (AFR-081, AFR-296, AFR-297). `defends`: the game uses
    defence dice. `saves`: it uses saving throws; fast play may omit only these (AFR-016).
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, AfrFile)
        file, settings = self.file, self.settings
        self.profiles = dict(file.profiles)
        if settings.mg_horse_move_fire == "sheet":
            self.profiles["mg_horse"] = _profile_after_move(file.profiles["mg_horse"], file.horse_mg_by_sheet)
        if settings.dismounted_move == "as_infantry":
            walking = [key for key, profile in file.profiles.items() if profile.arm == "dismounted"]
            self.profiles |= {key: _profile_after_move(file.profiles[key], file.infantry_walk) for key in walking}
        self.cards = file.cards
        self.company = file.company
        self.room = 1 if settings.stacking == "one_unit" else 2
        self.defends = settings.fastplay != "on"
        self.saves = settings.fastplay == "off"
        self.hit_reads = {
            (key, close): self.reading_of(
                [face for face in getattr(entry, "close" if close else "far") if face != "sabres"],
                [face for face in getattr(entry, "close" if close else "far") if face == "sabres"],
                ["shield"],
                ["flag"],
            )
            for key, entry in file.hits.items()
            for close in (True, False)
        }
        sure, jam = file.sure_kill, file.jam.above
        hits = f"hits (of {sure.from_hits} or more, {sure.kills} cannot be saved)"
        shields = {
            False: "shields (no effect)",
            True: f"shields (they jam it when more than {percent(jam)} of the dice)",
        }
        self.battle_means = {jams: counts(hits, "sabres", shields[jams], "flags") for jams in shields}
        self.event_means = ByCard("turned over", tuple((key, card.text) for key, card in file.events.items()))
        self.save_reads = {
            close: self.reading_of(file.saves["close" if close else "far"].faces) for close in (True, False)
        }
        self.flag_saves = {close: self._flag_save(close) for close in (True, False)}
        self.defence_reads = self._defence_reads()
        self.steady = {name: entry.model_dump() for name, entry in file.steady_above.items()}
        self.air_dice = (*file.air_dice.dice, settings.air_dice_range3)

    def reading_of(self, *groups: Iterable[str]) -> Counts:
        """Return a reading of battle dice: how many show a face of each group, in the order of the groups."""
        numbers = self.file.faces
        return Counts(tuple(frozenset(numbers[face].number for face in group) for group in groups))  # type: ignore[index]  # names of faces

    def _flag_save(self, close: bool) -> Counts:
        """Return the faces that save flags (AFR-227)."""
        chosen = self.settings.flag_save_faces
        if chosen == "as_figures":
            return self.save_reads[close]
        return self.reading_of(["flag"] if chosen == "flag" else ["shield", "sabres"])

    def _defence_reads(self) -> dict[tuple[str, str, bool], Counts]:
        """Return the reading of defence dice by hit line of the defender, class of the attacker and range (AFR-211,
        AFR-347).
        """
        file, chosen = self.file, self.settings.defence_faces
        found: dict[tuple[str, str, bool], Counts] = {}
        for key, entry in file.hits.items():
            for troop in CLASSES:
                for close in (True, False):
                    own = entry.close if close else entry.far
                    by_enemy = own if chosen == "own_class" else file.defence_faces[chosen][troop].faces
                    found[key, troop, close] = self.reading_of(own if key == "unarmed" else by_enemy)
        return found

    def counts_as_gun(self, profile: Profile) -> bool:
        """Return True if a unit has the three privileges of guns: hilltops, depressions, fire over friends
        (AFR-035).
        """
        return profile.arm == "artillery" or (profile.arm == "machine_gun" and self.settings.mg_counts_as_artillery)

    def threshold(self, profile: Profile, officer: bool) -> int | None:
        """Return the figures above which the unit may ignore all flags; None: never (AFR-229 to AFR-233)."""
        entry = self.steady[profile.steady]
        number: int | None = entry[profile.troop]
        return None if number is None else number - (entry["officer"] if officer else 0)


def _profile_after_move(profile: Profile, options: MoveOptions) -> Profile:
    """Return a profile with other limits of movement."""
    return profile.model_copy(update={"battle_move": options.battle_move, "move": options.move})
