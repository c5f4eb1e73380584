"""The model of `ruleset.yaml`."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr, field_validator, model_validator

from zareba.battle.unit_mapping import UnitMapping, settles
from zareba.rules import (
    Book,
    Chance,
    Count,
    Dice,
    PhaseEntry,
    RefersTo,
    RulesetFile,
    Score,
    Some,
    WithRule,
    all_of,
    every_word,
)
from zareba.rules import Faces as DieFaces
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS, RANKS, GateKind
from zareba.scenario.vocabulary.words import TERRAIN, WEAPONS

__all__ = [
    "CLASSES", "COLOURS", "FACES", "AfrFile", "Card", "EventCard", "Face", "MoveOptions", "Profile", "Terrain", "TroopClass",
]  # fmt: skip

Face = Literal["hit_a", "hit_ab", "hit_abc", "sabres", "shield", "flag"]
Arm = Literal["infantry", "pack", "mounted", "dismounted", "artillery", "machine_gun", "vehicle"]
TroopClass = Literal["A", "B", "C", "N"]
ProfileName = Annotated[StrictStr, RefersTo("profiles")]

FACES: tuple[Face, ...] = ("hit_a", "hit_ab", "hit_abc", "sabres", "shield", "flag")
COLOURS = ("red", "blue", "green")
CLASSES: tuple[TroopClass, ...] = ("A", "B", "C", "N")


def _each_once(names: list[Any]) -> list[Any]:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"'{twice}' is listed twice")
    return names


FaceList = Annotated[list[Face], AfterValidator(_each_once)]
Row = Annotated[list[Annotated[StrictInt, Field(ge=1, le=100)]], Field(max_length=20)]
"""Dice by range, beginning with the next hex; the row ends at the longest range."""
SomeRow = Annotated[Row, Field(min_length=1)]
Men = Annotated[StrictInt, Field(ge=1, le=200)]
Hexes = Annotated[StrictInt, Field(ge=0, le=200)]
BattleMove = Annotated[StrictInt, Field(ge=-1, le=200)]
"""Hexes; -1 for units that cannot battle."""


class FaceEntry(WithRule):
    """One face of the battle die, the number of a normal die for it, and its symbol (AFR-008)."""

    number: Annotated[StrictInt, Field(ge=1, le=6)]
    symbol: StrictStr


class HitFaces(WithRule):
    """The hit faces of one class of troops, at a distance and close (AFR-195)."""

    far: FaceList
    close: FaceList


class Faces(WithRule):
    faces: FaceList


class DiceNumber(WithRule):
    dice: Dice


class SureKill(WithRule):
    """From this many hits, not counting sabres, this many of them cannot be saved."""

    in_order = ("kills <= from_hits",)

    from_hits: Some
    kills: Count


class Jam(WithRule):
    """A machine gun jams when the shields are more than this share of its dice."""

    above: Chance


class SureRetreat(WithRule):
    """From this many flags, this many of them cannot be saved."""

    in_order = ("flags <= from_flags",)

    from_flags: Some
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
    battle_move: BattleMove
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

    least: Some
    most: Some
    colours: Annotated[StrictInt, Field(ge=1, le=len(COLOURS))]


class MoveOptions(WithRule):
    in_order = ("battle_move <= move",)

    battle_move: BattleMove
    move: Hexes


class Terrain(WithRule):
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


class Structure(WithRule):
    title: StrictStr
    hit: FaceList
    save: FaceList


class Gate(WithRule):
    structure: Annotated[StrictStr, RefersTo("structures")]


class WallFigures(WithRule):
    cm_15: Men
    cm_10: Men


class Ladder(WithRule):
    """The defender's dice, the faces that bring a ladder down or destroy it, and the figures lost with it."""

    dice: Dice
    brought_down: FaceList
    destroyed: FaceList
    figures: Count


class LadderMoves(WithRule):
    """The hexes of movement that ladder actions cost."""

    put_up: Hexes
    climb: Some
    throw_down: Hexes


class Air(WithRule):
    """An aircraft or airship: hexes of a flight, hexes of a flight with an action, turns in the air, bombs, strength."""

    in_order = ("act <= fly",)

    fly: Hexes
    act: Hexes
    turns: Count
    bombs: Count
    strength: Annotated[StrictInt, Field(ge=1, le=100)] = 1


class DiceRow(WithRule):
    dice: SomeRow


class BombDice(WithRule):
    """The dice of a bomb, which falls on the hex beneath."""

    dice: Annotated[Row, Field(min_length=1, max_length=1)]


class FallsAt(WithRule):
    hits: Some


class Card(WithRule):
    """A command card; the comment in `ruleset.yaml` explains each field."""

    title: StrictStr
    text: StrictStr = ""
    copies: Count
    orders: dict[Literal["red", "blue", "green", "any"], Some] = Field(default_factory=dict)
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
    faces: FaceList = Field(default_factory=list)
    figures: Count = 0
    least: Count = 0
    hexes: Hexes = 0
    turns: Count = 0
    orders: Count = 0


"""Profiles by kind of troops and quality."""


class HexInches(Book):
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

    profile: ProfileName


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
    unit_mapping: Annotated[dict[str, UnitMapping[OfProfile]], settles("profile")]
    quota: Quota
    solo: Solo
    commander_move: CommanderMove
    company: CompanySize
    horse_mg_by_sheet: MoveOptions
    infantry_walk: MoveOptions
    terrain: dict[str, Terrain]
    structures: Annotated[dict[str, Structure], all_of("wood", "adobe", "stone", "stone_fort")]
    gates: Annotated[dict[str, Gate], all_of(*get_args(GateKind))]
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
        if lacking := [stage for stage in ("card", "draw", "close") if stage not in sequence["turn"].stages]:
            raise ValueError(f"play needs {', '.join(lacking)} among the stages of the turn; keep it there")
        return sequence

    @model_validator(mode="after")
    def _one_number_a_face(self) -> AfrFile:
        numbers = sorted(entry.number for entry in self.faces.values())
        if numbers != list(range(1, len(FACES) + 1)):
            raise ValueError(
                f"the faces have the numbers {', '.join(map(str, numbers))}; give each face another number, 1 to 6"
            )
        return self
