"""The shape of `ruleset.yaml`, and the numbers of a session made ready for play."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from zareba.chance import SumBands
from zareba.rules import Book, RefersTo, Rules, RulesetFile, typed_settings
from zareba_rulesets.fixed_baynet.settings import Settings

__all__ = ["BANDS", "GAITS", "FbnBook", "FbnFile", "GunType", "Row", "Settings", "StatLine", "Weapon"]

Move = Literal["flat", "bumpy", "jagged", "closed"]
Number = StrictInt | StrictFloat
BANDS = ("short", "medium", "long")
GAITS = ("halt", "walk", "canter", "gallop")
FLAT, BUMPY, JAGGED = 0, 1, 2
NEVER = 1_000  # more AC than anybody has


class Ruled(Book):
    """An entry with the rule that it comes from."""

    rule: StrictStr


class StatLine(Ruled):
    """One row of Tables 4-A and 4-B (FBN-018, FBN-019, FBN-020, FBN-021, FBN-022)."""

    cs: StrictInt
    ds: StrictInt
    sp: StrictInt
    gl: StrictInt

    @property
    def ac(self) -> int:
        """Actions in a turn: half the speed, rounded up (FBN-021)."""
        return ceil(self.sp / 2)


class Weapon(Ruled):
    """One row of Table 4-C: outer limits of its bands in inches, AC to use, damage (FBN-025, FBN-026)."""

    short: Number | None = None
    medium: Number | None = None
    long: Number | None = None
    ac: StrictInt
    damage: StrictInt
    close: StrictBool = False
    long_arm: StrictBool = False
    from_saddle: StrictBool = False


class GunType(Ruled):
    """One row of Table 4-D. `range` and `least` in inches; `weight` is its class (FBN-264)."""

    weight: Literal["light", "medium", "heavy"] = Field(alias="class")
    range: StrictInt
    least: StrictInt = 0
    multiple: StrictInt
    wounds: StrictInt
    ds: StrictInt
    crew: StrictInt
    fire: Literal["direct", "indirect", "either"]


class Row(Ruled):
    """A row of the terrain chart (FBN-065)."""

    title: StrictStr
    cv: StrictInt
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


class Deviation(Ruled):
    die: StrictInt
    critical_die: StrictInt
    critical_plus: StrictInt


class Movers(Ruled):
    riders: StrictInt
    men: StrictInt


class Gait(Ruled):
    """One row of Table 16-A, in inches; `turn` is the price of 90 degrees."""

    least: StrictInt
    most: StrictInt
    turn: StrictInt


class Damage(Ruled):
    damage: StrictInt


class Difference(Ruled):
    difference: StrictInt


class FromScore(Ruled):
    lowest: StrictInt = Field(alias="from")


class Reactions(Ruled):
    reactions: list[StrictStr]


class Sizes(Ruled):
    small: StrictInt
    middle: StrictInt
    large: StrictInt


class Numbers(Book):
    """A group of numbers of one rule, by name."""

    model_config = Book.model_config | {"extra": "allow"}
    __pydantic_extra__: dict[str, StrictInt | StrictFloat | StrictStr]
    rule: StrictStr

    def __getitem__(self, name: str) -> Any:
        return self.__pydantic_extra__[name]


class Mapping(Book):
    """How the words of a neutral scenario become terms of these rules."""

    area_terrain: dict[str, Annotated[StrictStr, RefersTo("terrain")]]
    linear_terrain: dict[str, Annotated[StrictStr, RefersTo("terrain")]]
    arm: dict[str, Literal["foot", "mounted", "battery", "machine_gun", "none"]]
    quality: dict[str, Literal["green", "regular", "veteran", "elite"]]
    weapon: dict[str, Annotated[StrictStr, RefersTo("weapons", besides=("none",))]]
    close_weapon: dict[str, Literal["melee_weapon", "none"]]
    gun: dict[str, Annotated[StrictStr, RefersTo("guns")]]
    formation: dict[str, Literal["open", "closed", "mass", "square"]]
    rank: dict[str, Literal["officer", "nco", "hero"]]


class FbnFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    stat_lines: dict[Literal["european", "native"], dict[str, StatLine]]
    wounds: Numbers
    weapons: dict[str, Weapon]
    reach: Numbers
    guns: dict[str, GunType]
    gun_bands: Numbers
    ammunition: dict[Literal["shot", "shell"], Damage]
    gun_arcs: Numbers
    gun_costs: Numbers
    turn_of_gun: Numbers
    movers: dict[Literal["light", "medium", "heavy"], Movers]
    deviation: dict[Literal["shot", "shell"], Deviation]
    burst_inches: dict[Literal["by_multiple", "by_class"], Sizes]
    ball: Numbers
    salvo: Numbers
    jam: Numbers
    terrain: dict[str, Row]
    going: Numbers
    prices: Numbers
    heights: Numbers
    cover_reach: Numbers
    movement: Numbers
    bases: Numbers
    spacing: Numbers
    square_form: Numbers
    arcs: Numbers
    gaits: dict[Literal["halt", "walk", "canter", "gallop"], Gait]
    ridden_at: Numbers
    close_combat: dict[Literal["capture", "wound", "critical"], Difference]
    hit_location: dict[str, FromScore]
    glory: Numbers
    panic: dict[Literal["green", "regular", "elite"], Reactions]
    take_cover: Numbers
    heroic: Numbers
    medic: Numbers
    night: Numbers
    flare: Numbers
    hidden: Numbers
    buildings: Numbers
    door: Numbers
    damage_points: Numbers
    squads: Numbers
    crew_size: Numbers
    deployment: Numbers
    guess: Numbers
    mapping: Mapping


class FbnBook:
    """The numbers of a session as plain attributes and tables, looked up millions of times."""

    def __init__(self, rules: Rules) -> None:
        file = rules.book
        assert isinstance(file, FbnFile), "the registry validates ruleset.yaml with FbnFile"
        self.rules = rules
        self.file = file
        self.settings = typed_settings(Settings, rules.settings)
        self.weapons = file.weapons
        self.bands = {name: self._limits(weapon) for name, weapon in file.weapons.items()}
        self.shot_ac = {name: weapon.ac if self.bands[name][2] >= 0 else NEVER for name, weapon in file.weapons.items()}
        self.shot_ac["none"] = NEVER
        self.guns = file.guns
        self.gun_range = {name: self._gun_range(name) for name in file.guns}
        self.gun_bands = {
            name: (most * file.gun_bands["short"], most * file.gun_bands["medium"], float(most))
            for name, most in self.gun_range.items()
        }
        self.terrain = file.terrain
        self.ratio = tuple(Fraction(str(file.going[name])) for name in ("flat", "bumpy", "jagged"))
        self._slowed: dict[tuple[int, int], int] = {}
        self._halved: dict[tuple[int, str], int] = {}
        self.drilled: dict[tuple[str, int, int, bool], bool] = {}  # which layouts of formations count as formed
        self.price = tuple(float(file.prices[name]) for name in ("flat", "bumpy", "jagged"))
        self.radius: dict[str, float] = {name: file.bases[name] / 2 for name in ("foot", "mounted", "gun")}
        self.radii = (self.radius["foot"], self.radius["mounted"])  # of men, of riders
        self.gun_and_man = self.radius["gun"] + max(self.radii)  # the most that bases take from a piece's range
        self.contact: float = file.reach["contact"]
        self.close_reach: float = file.reach["close_weapon"]
        self.gaits = tuple(file.gaits[name] for name in GAITS)  # type: ignore[index]  # the four keys of the model
        self.most_moves: int = file.movement["most_ac"]
        self.moves_limit = 1 if self.settings.move_per == "turn" else self.most_moves
        self.charge_factor: int = file.movement["charge"]
        self.eyes = (float(file.heights["eye"]), float(file.heights["rider_eye"]))  # of men, of riders
        self.higher = float(file.heights["higher"])
        self.door_reach = float(file.buildings["door_reach"])
        self.users = int(file.buildings["users"])
        self.panics_at: int = file.glory["panic"]
        self.near = float(self.settings.nearby_inches)
        self.fire_half_arc = self.settings.foot_fire_arc / 2  # FBN-063

    @staticmethod
    def _limits(weapon: Weapon) -> tuple[float, float, float]:
        """Outer limits of short, medium and long; -1 for a band that the weapon lacks."""
        limits = (weapon.short, weapon.medium, weapon.long)
        return tuple(-1.0 if limit is None else float(limit) for limit in limits)  # type: ignore[return-value]  # three

    def _gun_range(self, name: str) -> int:
        """The greatest range of a piece (FBN-211, FBN-228)."""
        if name == "light_gun":
            return self.settings.light_gun_range
        if name == "trench_mortar":
            return self.settings.mortar_max_range
        return self.guns[name].range

    @cached_property
    def locations(self) -> tuple[tuple[str, ...], SumBands]:
        """The locations of Table 13-A in order, and the reading of a D12 that gives their place (FBN-125)."""
        rows = sorted(self.file.hit_location.items(), key=lambda item: item[1].lowest)
        return tuple(name for name, _ in rows), SumBands(tuple(row.lowest for _, row in rows[1:]))

    @cached_property
    def arc_of_gun(self) -> float:
        """Half of an artillery arc in degrees (FBN-080)."""
        arc: float = self.file.gun_arcs["artillery"]
        return arc / 2 if self.settings.arc_is_total else arc

    def burst_radius(self, gun: str) -> float:
        """Half the diameter of the marker of a piece's shells in inches (FBN-002, FBN-216)."""
        kind = self.guns[gun]
        by = self.settings.burst_marker
        sizes = self.file.burst_inches[by]  # type: ignore[index]  # the two keys of the model
        if by == "by_class":
            size = {"light": sizes.small, "medium": sizes.middle, "heavy": sizes.large}[kind.weight]
        else:
            size = sizes.small if kind.multiple <= 2 else sizes.middle if kind.multiple == 3 else sizes.large
        return size / 2

    def slowed(self, speed: int, going: int) -> int:
        """An allowance on ground of a kind, rounded up (FBN-046, FBN-047)."""
        if not going:
            return speed
        key = (speed, going)
        found = self._slowed.get(key)
        if found is None:
            found = self._slowed[key] = ceil(speed * self.ratio[going])
        return found

    def halved(self, speed: int, what: str) -> int:
        """A speed for a man with a leg wound or lying down, rounded up (FBN-046, FBN-052, FBN-128)."""
        key = (speed, what)
        found = self._halved.get(key)
        if found is None:
            found = self._halved[key] = ceil(speed * Fraction(self.file.movement[what]))
        return found
