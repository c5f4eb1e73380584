"""The shape of `ruleset.yaml`, and the numbers of a session made ready for play."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from zareba.rules import Book, RefersTo, Rules, RulesetFile, typed_settings
from zareba.space.lazy import Lazy
from zareba_rulesets.risk_factor.settings import Settings

__all__ = ["BANDS", "Band", "Cover", "Ground", "Result", "RskBook", "RskFile", "TroopClass", "Weapon"]

Band = Literal["short", "medium", "long"]
Cover = Literal["open", "soft", "hard"]
TroopClass = Literal["raw", "veteran", "hero"]
Loading = Literal["muzzle", "breech", "magazine", "hurled", "none"]
Result = Literal["continue", "towards", "halt_in_cover", "halt", "advance", "attack", "retreat", "rout"]

WeaponName = Annotated[StrictStr, RefersTo("weapons", besides=("none",))]

BANDS: tuple[Band, ...] = ("short", "medium", "long")


class Ruled(Book):
    """An entry with the rule that it comes from."""

    rule: StrictStr


class ClassEntry(Ruled):
    """A class of figure: the command dice of its leaders and its place in the order of classes."""

    command_dice: StrictInt
    order: StrictInt


class Weapon(Ruled):
    """A line of Table W: outer limits of the ranges in cm, None where it has none; melee factor; damage class.

    `bayonet` is the factor with a bayonet fixed; `hurled` weapons leave the hand; `shots`, `blast` (radius in cm) and
    `any_cover` belong to support weapons.
    """

    title: StrictStr
    short: StrictInt | None = None
    medium: StrictInt | None = None
    long: StrictInt | None = None
    factor: StrictInt
    bayonet: StrictInt | None = None
    carbine: StrictBool = False
    hurled: StrictBool = False
    damage: Annotated[StrictStr, RefersTo("damage", besides=("",))] = ""
    shots: StrictInt = 0
    uncommanded_shots: StrictInt = 0
    blast: StrictInt = 0
    any_cover: StrictBool = False


class Ranges(Ruled):
    short: StrictInt
    medium: StrictInt
    long: StrictInt


class HitRow(Ruled):
    open: StrictInt
    soft: StrictInt
    hard: StrictInt


class DamageRow(Ruled):
    """From which face of the die a hit wounds, and from which it kills."""

    wound: StrictInt
    kill: StrictInt


class Centimetres(Ruled):
    cm: StrictFloat


class Count(Ruled):
    count: StrictInt


class Times(Ruled):
    times: StrictFloat


class ActionRow(Ruled):
    """A row of an Action table: it serves Risk Factors up to `up_to`; results by the face of the die."""

    up_to: StrictInt
    results: dict[Literal["1", "2", "3", "4", "5", "6"], Result] = Field(min_length=6)


class Ground(Ruled):
    """What a kind of ground does.

    `barrier`: low, crossed at a price. `closed`: not entered or crossed. `wood`: the rules for looking out of woods
    hold. `sunken`: seen into only from near its lip.
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


class QualityEntry(Ruled):
    """How a quality of the scenario counts."""

    troop_class: TroopClass = Field(alias="class")
    superior_quality: StrictBool = False
    superior_melee: StrictBool = False


class KindEntry(Ruled):
    """How a kind of troops of the scenario counts."""

    kind: Literal["regular", "irregular"]
    formed: StrictBool = False
    volley: StrictBool = False
    native: StrictBool = False
    native_service: StrictBool = False
    civilian: StrictBool = False


class WeaponEntry(Ruled):
    """The line of Table W of a scenario's weapon, and how it is loaded."""

    weapon: WeaponName
    loading: Loading


class Mapping(Book):
    """How the words of a neutral scenario become terms of these rules."""

    area_terrain: dict[str, Annotated[StrictStr, RefersTo("grounds")]]
    linear_terrain: dict[str, Annotated[StrictStr, RefersTo("grounds")]]
    quality: dict[str, QualityEntry]
    kind: dict[str, KindEntry]
    weapon: dict[str, WeaponEntry]
    close_weapon: dict[str, WeaponName]
    support: dict[str, WeaponName]


class RskFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    classes: dict[str, ClassEntry]
    weapons: dict[str, Weapon]
    half_bow: Ranges
    to_hit: dict[str, HitRow]
    rocket_to_hit: Ranges
    damage: dict[str, DamageRow]
    moves: dict[str, Centimetres]
    difficult_cost: Times
    lengths: dict[str, Centimetres]
    counts: dict[str, Count]
    actions: dict[str, dict[str, ActionRow]]
    grounds: dict[str, Ground]
    mapping: Mapping


def _by_risk(
    rows: dict[str, ActionRow],
) -> tuple[tuple[Result, ...], list[int], list[tuple[Result, ...]]]:
    """An Action table: the row of those falling back, and the highest Risk Factor and the results of the other rows."""
    others = sorted((row for name, row in rows.items() if name != "falling_back"), key=lambda row: row.up_to)
    return _by_face(rows["falling_back"]), [row.up_to for row in others], [_by_face(row) for row in others]


def _by_face(row: ActionRow) -> tuple[Result, ...]:
    return tuple(result for _, result in sorted(row.results.items()))


def _by_cover(row: HitRow) -> dict[Cover, int]:
    return {"open": row.open, "soft": row.soft, "hard": row.hard}


class RskBook:
    """The numbers of a session as plain attributes and tables, looked up millions of times."""

    __slots__ = (
        "backward",
        "blue",
        "counts",
        "damage",
        "file",
        "hit_on",
        "lengths",
        "moves",
        "orders",
        "ranges",
        "rows",
        "rules",
        "settings",
        "weapons",
    )

    def __init__(self, rules: Rules) -> None:
        file = rules.book
        assert isinstance(file, RskFile), "the registry validates ruleset.yaml with RskFile"
        self.rules = rules
        self.file = file
        self.settings = typed_settings(Settings, rules.settings)
        self.weapons = file.weapons
        self.ranges = {name: self._limits(name, weapon) for name, weapon in file.weapons.items()}
        self.ranges["none"] = ()
        self.hit_on = {band: _by_cover(file.to_hit[band]) for band in BANDS}
        self.damage = {name: (row.wound, row.kill) for name, row in file.damage.items()}
        self.moves = {name: entry.cm for name, entry in file.moves.items()}
        self.lengths = {name: entry.cm for name, entry in file.lengths.items()}
        self.counts = {name: entry.count for name, entry in file.counts.items()}
        self.orders = {name: entry.order for name, entry in file.classes.items()}
        self.blue = frozenset(self.settings.actions_blue) | {"towards", "halt_in_cover"}
        self.rows = {table: _by_risk(rows) for table, rows in file.actions.items()}
        self.backward = {table: Lazy(partial(self._share_going_back, table)) for table in self.rows}

    def _limits(self, name: str, weapon: Weapon) -> tuple[int, ...]:
        """Outer limits of the bands, nearest first (RSK-029); slings by their setting (RSK-034)."""
        row: Weapon | Ranges = weapon
        if name == "sling" and self.settings.weapons_sling == "bow_half":
            row = self.file.half_bow
        if row.short is None or row.medium is None or row.long is None:
            return ()
        return row.short, row.medium, row.long

    def reach(self, weapon: str) -> int:
        """The longest range of a weapon in cm, 0 for one that only strikes (RSK-030)."""
        return self.ranges[weapon][-1] if self.ranges[weapon] else 0

    def band(self, weapon: str, distance: float) -> Band | None:
        """The range band at a distance, limits included (RSK-029); None beyond long range."""
        limits = self.ranges[weapon]
        place = bisect_left(limits, distance)
        return BANDS[place] if place < len(limits) else None

    def factor(self, weapon: str, bayonet: bool) -> int:
        """The melee factor of a weapon: 0 for bare hands (RSK-036), a bayonet on a long arm 4 (RSK-027, RSK-028)."""
        if weapon == "none":
            return 0
        entry = self.weapons[weapon]
        if not bayonet or entry.bayonet is None:
            return entry.factor
        plain = entry.carbine and self.settings.weapons_long_arm_melee == "carbines_2"
        return entry.factor if plain else entry.bayonet

    def _share_going_back(self, table: str, risk: int) -> float:
        """The share of the faces of an Action throw that make a unit go back at a Risk Factor."""
        return sum(self.action(table, risk, face, False) in ("retreat", "rout") for face in range(1, 7)) / 6

    def action(self, table: str, risk: int, die: int, falling_back: bool) -> Result:
        """The result of an Action throw (RSK-130 to RSK-136): Risk Factor 0 and less has a row for those falling back."""
        back, limits, rows = self.rows[table]
        row = back if risk <= 0 and falling_back else rows[bisect_left(limits, risk)]
        return row[die - 1]
