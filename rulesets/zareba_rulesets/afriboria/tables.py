"""The shape of `ruleset.yaml`."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from zareba.rules import Book, RefersTo, RulesetFile

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


class Ruled(Book):
    """An entry with the rule that it comes from."""

    rule: StrictStr


class FaceEntry(Ruled):
    """One face of the battle die, the number of a normal die that stands for it, and its sign (AFR-008)."""

    number: StrictInt
    symbol: StrictStr


class HitFaces(Ruled):
    """The faces with which one sort of troops hits, far and close (AFR-195)."""

    far: list[Face]
    close: list[Face]


class Faces(Ruled):
    faces: list[Face]


class DiceNumber(Ruled):
    dice: StrictInt


class SteadyAbove(Ruled):
    """Figures above which flags may be ignored, by class (none: never); less `officer` with one in the hex."""

    A: StrictInt | None = None
    B: StrictInt | None = None
    C: StrictInt | None = None
    N: StrictInt | None = None
    officer: StrictInt


class Profile(Ruled):
    """A kind of unit (Table 3, AFR-020). `row` is the rule of its dice."""

    title: StrictStr
    arm: Arm
    troop: TroopClass = Field(alias="class")
    hits: Annotated[StrictStr, RefersTo("hits")]
    figures: StrictInt
    battle_move: StrictInt
    move: StrictInt
    dice: list[StrictInt]
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
        """The type that tells units of one hex apart (AFR-169)."""
        return _TYPES[self.arm]

    @cached_property
    def walks(self) -> bool:
        """Whether it counts as foot where ground admits infantry alone; packs move like it (AFR-024, AFR-134)."""
        return self.arm in ("infantry", "dismounted", "pack")

    @cached_property
    def climbs(self) -> bool:
        """Whether it uses ladders (AFR-337)."""
        return self.arm in ("infantry", "dismounted")

    @cached_property
    def storms(self) -> bool:
        """Whether it may break through and attack commanders (AFR-220, AFR-253)."""
        return self.arm in ("infantry", "dismounted", "mounted")

    @cached_property
    def aided(self) -> bool:
        """Whether an officer lends it his die (AFR-183)."""
        return self.storms and self.troop != "N"


_TYPES = {
    "infantry": "infantry", "dismounted": "infantry", "pack": "infantry", "mounted": "mounted", "vehicle": "mounted",
    "artillery": "artillery", "machine_gun": "artillery",
}  # fmt: skip


class CommanderMove(Ruled):
    mounted: StrictInt
    foot: StrictInt
    wounded: StrictInt


class CompanySize(Ruled):
    least: StrictInt
    most: StrictInt
    colours: StrictInt


class MoveOptions(Ruled):
    battle_move: StrictInt
    move: StrictInt


class Terrain(Ruled):
    """One kind of terrain (Table 5, AFR-126). `cover_guns` replaces `cover` against guns, machine guns and aircraft."""

    title: StrictStr
    stop: StrictBool = False
    no_battle: StrictBool = False
    cover: StrictInt = 0
    cover_guns: StrictInt | None = None
    blocks: StrictBool = False
    hampers: StrictBool = False
    infantry_only: StrictBool = False
    closed: StrictBool = False


class Structure(Ruled):
    title: StrictStr
    hit: list[Face]
    save: list[Face]


class Gate(Ruled):
    structure: Annotated[StrictStr, RefersTo("structures")]


class WallFigures(Ruled):
    cm_15: StrictInt
    cm_10: StrictInt


class Ladder(Ruled):
    brought_down: list[Face]
    destroyed: list[Face]


class Air(Ruled):
    """A flying thing: hexes of a flight, hexes of a flight with an action, turns in the air, bombs, strength."""

    fly: StrictInt
    act: StrictInt
    turns: StrictInt
    bombs: StrictInt
    strength: StrictInt = 1


class DiceRow(Ruled):
    dice: list[StrictInt]


class FallsAt(Ruled):
    hits: StrictInt


class Card(Ruled):
    """A command card; the comment in `ruleset.yaml` says what each field does."""

    title: StrictStr
    text: StrictStr = ""
    copies: StrictInt
    orders: dict[Literal["red", "blue", "green", "any"], StrictInt] = Field(default_factory=dict)
    special: StrictBool = False
    event: StrictBool = False
    who: Literal["", "mounted", "infantry", "foot", "led", "company"] = ""
    all: Literal["", "artillery", "commanders"] = ""
    moves: StrictBool = True
    battles: StrictBool = True
    bonus: Literal["", "close", "far"] = ""
    march: StrictInt = 0
    regains: StrictInt = 0
    before: Literal["", "scouts", "new_orders"] = ""


class EventCard(Ruled):
    """An event card; the comment in `ruleset.yaml` says what each field does."""

    title: StrictStr
    text: StrictStr = ""
    copies: StrictInt
    tags: list[StrictStr]
    dice: StrictInt = 0
    faces: list[Face] = Field(default_factory=list)
    figures: StrictInt = 0
    hexes: StrictInt = 0


class HexInches(Book):
    cm_15: StrictInt
    cm_10: StrictInt


class Mapping(Book):
    """How the words of a neutral scenario become terms of these rules."""

    hex_inches: HexInches
    area_terrain: dict[str, list[Annotated[StrictStr, RefersTo("terrain")]]]
    linear_terrain: dict[str, list[Annotated[StrictStr, RefersTo("terrain")]]]
    foot: dict[str, dict[str, ProfileName]]
    riders: dict[str, dict[str, ProfileName]]
    guns: dict[str, ProfileName]
    missiles: dict[str, StrictBool]
    ranks: dict[str, Literal["officer", "nco"]]


class AfrFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    faces: dict[Face, FaceEntry]
    hits: dict[str, HitFaces]
    saves: dict[Literal["close", "far"], Faces]
    defence_faces: dict[str, dict[TroopClass, Faces]]
    defence_dice: dict[TroopClass, DiceNumber]
    steady_above: dict[str, SteadyAbove]
    profiles: dict[str, Profile]
    commander_move: CommanderMove
    company: CompanySize
    horse_mg_by_sheet: MoveOptions
    infantry_walk: MoveOptions
    terrain: dict[str, Terrain]
    structures: dict[str, Structure]
    gates: dict[str, Gate]
    wall_figures: WallFigures
    ladder: Ladder
    air: dict[Literal["aircraft", "airship"], Air]
    air_ground_dice: DiceRow
    bomb_dice: DiceRow
    air_dice: DiceRow
    aircraft_falls_at: FallsAt
    cards: dict[str, Card]
    events: dict[str, EventCard]
    mapping: Mapping
