"""The shape of `ruleset.yaml`, and the numbers of a session made ready for play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from zareba.chance import Counts
from zareba.rules import Book, Rules, RulesetFile

__all__ = ["COLOURS", "FACES", "AfrBook", "AfrFile", "Card", "EventCard", "Face", "Profile", "Settings", "Terrain"]

Face = Literal["hit_a", "hit_ab", "hit_abc", "sabres", "shield", "flag"]
Arm = Literal["infantry", "pack", "mounted", "dismounted", "artillery", "machine_gun", "vehicle"]
TroopClass = Literal["A", "B", "C", "N"]

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
    """A kind of unit (Table 3). `row` is the rule of its dice."""

    title: StrictStr
    arm: Arm
    troop: TroopClass = Field(alias="class")
    hits: StrictStr
    figures: StrictInt
    battle_move: StrictInt
    move: StrictInt
    dice: list[StrictInt]
    steady: StrictStr
    double_fire: StrictBool = False
    jams: StrictBool = False
    anti_air: StrictBool = False
    bombards: StrictBool = False
    covered: StrictBool = False
    no_hilltop: StrictBool = False
    on_foot: StrictStr = ""
    row: StrictStr = ""

    @property
    def type(self) -> str:
        """The type that tells units of one hex apart (AFR-169)."""
        return _TYPES[self.arm]

    @property
    def walks(self) -> bool:
        """Whether it counts as foot where ground or ladders admit infantry alone (AFR-134, AFR-337)."""
        return self.arm in ("infantry", "dismounted", "pack")

    @property
    def storms(self) -> bool:
        """Whether it may break through and attack commanders (AFR-220, AFR-253)."""
        return self.arm in ("infantry", "dismounted", "mounted")


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
    """One kind of terrain (Table 5). `cover_guns` replaces `cover` against guns, machine guns and aircraft."""

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
    structure: StrictStr


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
    area_terrain: dict[str, list[StrictStr]]
    linear_terrain: dict[str, list[StrictStr]]
    foot: dict[str, dict[str, StrictStr]]
    riders: dict[str, dict[str, StrictStr]]
    guns: dict[str, StrictStr]
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


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session with their types; names and meanings as in `ruleset.yaml`.

    Settings in parts are tuples of the parts that are on (faces) or a dict (siege values).
    """

    hex_cm: int
    stacking: str
    fastplay: str
    fastplay_flag_saves: str
    event_cards: str
    hand_size: int
    solo_cards: str
    die_display: str
    excess_hits: str
    defence_faces: str
    defence_terrain: str
    officer_die_in_defence: bool
    flag_save_faces: str
    double_fire_targets: str
    partial_firearms_scope: str
    mg_counts_as_artillery: bool
    mg_horse_move_fire: str
    jam_flags: str
    dismounted_move: str
    company_battle: str
    terrain_stack: str
    hill_vs_hill: str
    contiguous_hill_los: str
    minus_defender: str
    commander_flags: str
    commander_save_count: str
    air_hit_faces: tuple[str, ...]
    airship_hit_faces: tuple[str, ...]
    air_dice_range3: int
    air_save: str
    siege_values: dict[str, int]
    vp_quota: str
    breakthrough_target: str
    wall_second_fire: str

    @classmethod
    def read(cls, values: dict[str, Any]) -> Settings:
        """The settings from their full names; `siege_values.wood` is an entry of the field `siege_values`."""
        plain = {name: value for name, value in values.items() if "." not in name}
        parts: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            if "." in name:
                whole, part = name.split(".")
                parts.setdefault(whole, {})[part] = value
        for name in ("air_hit_faces", "airship_hit_faces"):
            plain[name] = tuple(face for face, counts in parts[name].items() if counts)
        return cls(**plain, siege_values=parts["siege_values"])

    @property
    def room(self) -> int:
        """Units of one side that a hex holds (AFR-081, AFR-297)."""
        return 1 if self.stacking == "one_unit" else 2

    @property
    def saves(self) -> bool:
        """Whether there are saving throws at all (AFR-016)."""
        return self.fastplay == "off"


class AfrBook:
    """The numbers of a session as plain attributes and tables, looked up millions of times."""

    __slots__ = (
        "air_dice", "cards", "commander_saves", "defence_reads", "file", "flag_saves", "hit_reads", "profiles", "rules",
        "save_reads", "settings", "steady",
    )  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        file = rules.book
        assert isinstance(file, AfrFile), "the registry validates ruleset.yaml with AfrFile"
        self.rules = rules
        self.file = file
        self.settings = settings = Settings.read(rules.settings)
        self.profiles = dict(file.profiles)
        if settings.mg_horse_move_fire == "sheet":
            self.profiles["mg_horse"] = _moving(file.profiles["mg_horse"], file.horse_mg_by_sheet)
        if settings.dismounted_move == "as_infantry":
            walking = [key for key, profile in file.profiles.items() if profile.arm == "dismounted"]
            self.profiles |= {key: _moving(file.profiles[key], file.infantry_walk) for key in walking}
        self.cards = file.cards
        self.hit_reads = {
            (key, close): self.read(
                [face for face in getattr(entry, "close" if close else "far") if face != "sabres"],
                [face for face in getattr(entry, "close" if close else "far") if face == "sabres"],
                ["shield"],
                ["flag"],
            )
            for key, entry in file.hits.items()
            for close in (True, False)
        }
        self.save_reads = {close: self.read(file.saves["close" if close else "far"].faces) for close in (True, False)}
        self.flag_saves = {close: self._flag_save(close) for close in (True, False)}
        self.commander_saves = self.save_reads
        self.defence_reads = self._defence_reads()
        self.steady = {name: entry.model_dump() for name, entry in file.steady_above.items()}
        self.air_dice = (*file.air_dice.dice, settings.air_dice_range3)

    def read(self, *groups: Iterable[str]) -> Counts:
        """A reading of battle dice: how many show a face of each group, in the order of the groups."""
        numbers = self.file.faces
        return Counts(tuple(frozenset(numbers[face].number for face in group) for group in groups))  # type: ignore[index]  # names of faces

    def _flag_save(self, close: bool) -> Counts:
        """AFR-227."""
        chosen = self.settings.flag_save_faces
        if chosen == "as_figures":
            return self.save_reads[close]
        return self.read(["flag"] if chosen == "flag" else ["shield", "sabres"])

    def _defence_reads(self) -> dict[tuple[str, str, bool], Counts]:
        """(hits of the defender, class of the attacker, close) -> the reading of defence dice (AFR-211, AFR-347)."""
        file, chosen = self.file, self.settings.defence_faces
        found: dict[tuple[str, str, bool], Counts] = {}
        for key, entry in file.hits.items():
            for troop in CLASSES:
                for close in (True, False):
                    own = entry.close if close else entry.far
                    by_enemy = own if chosen == "own_class" else file.defence_faces[chosen][troop].faces
                    found[key, troop, close] = self.read(own if key == "unarmed" else by_enemy)
        return found

    def threshold(self, profile: Profile, officer: bool) -> int | None:
        """Figures above which the unit may ignore all flags; None: never (AFR-229 to AFR-233)."""
        entry = self.steady[profile.steady]
        number: int | None = entry[profile.troop]
        return None if number is None else number - (entry["officer"] if officer else 0)


def _moving(profile: Profile, options: MoveOptions) -> Profile:
    return profile.model_copy(update={"battle_move": options.battle_move, "move": options.move})
