"""The shape of `ruleset.yaml`, and the numbers of a session made ready for play."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from zareba.chance import SumBands
from zareba.rules import Book, RefersTo, Rules, RulesetFile, typed_settings
from zareba_rulesets.vcc.settings import Settings

__all__ = ["CREWED", "Bases", "Cover", "Going", "Ground", "Profile", "VccBook", "VccFile", "Weapon"]

Going = Literal["free", "ends", "road", "no"]
Cover = Literal["none", "soft", "hard"]
TroopKind = Literal["foot", "mounted", "rocket", "wagon", "machine_gun", "artillery"]
CREWED = frozenset({"artillery", "machine_gun", "rocket"})
"""The classes of troops that serve a weapon."""

Bases = Annotated[int, Field(ge=0, le=24)]
"""Bases of a unit or gunners: at most twice the largest unit (VCC-010)."""


class Ruled(Book):
    """An entry with the rule that it comes from."""

    rule: StrictStr


class Weapon(Ruled):
    """Outer limits of the range bands in boxes; None where a weapon has no such band (VCC-081)."""

    close: StrictInt | None = None
    medium: StrictInt | None = None
    long: StrictInt | None = None

    def limits(self) -> tuple[tuple[str, int], ...]:
        """The bands that the weapon has, nearest first, with their outer limits."""
        bands = (("close", self.close), ("medium", self.medium), ("long", self.long))
        return tuple((name, limit) for name, limit in bands if limit is not None)


class TroopClass(Ruled):
    """What a class of troops may do: boxes a step, stacking points, the ground column it uses, whether it charges."""

    allowance: StrictInt
    stack: StrictInt
    ground: Literal["foot", "mounted", "wheels"]
    charges: StrictBool


class Profile(Ruled):
    """A kind of unit: class, dice as numbers of faces (0: none), size, traits (VCC-010)."""

    title: StrictStr
    troop: Annotated[TroopKind, RefersTo("classes")] = Field(alias="class")
    fire_die: StrictInt
    melee_die: StrictInt
    bases: StrictInt
    leader: StrictBool
    regular: StrictBool = False
    regular_on_foot: StrictBool = False
    square: StrictBool = False
    can_dismount: StrictBool = False


class Ground(Ruled):
    """What an area terrain or an obstacle does: cover, sight, and the going for foot, mounted and wheels (VCC-055)."""

    title: StrictStr
    cover: Cover
    blocks_sight: StrictBool = False
    foot: Going
    mounted: Going
    wheels: Going
    mounted_charge: StrictBool = True

    def going(self, ground: str) -> Going:
        """The going for `foot`, `mounted` or `wheels`."""
        going: Going = getattr(self, ground)
        return going


class Boxes(Ruled):
    boxes: StrictInt


class Faces(Ruled):
    faces: StrictInt


class Sizes(Ruled):
    least: StrictInt
    most: StrictInt


class Die(Ruled):
    die: StrictInt


class Rocket(Ruled):
    die: StrictInt
    on_target: StrictInt
    drift_directions: Die
    drift_distance: Die


class LeaderHitOn(Ruled):
    close: StrictInt
    medium: StrictInt
    long: StrictInt


class LeaderEffect(Ruled):
    """One row of the table of leader hits: from this score of 2d6 up to the next row; wounds it gives (VCC-111)."""

    lowest: StrictInt = Field(alias="from")
    wounds: StrictInt = 0


class Wounds(Ruled):
    wounds: StrictInt


class Hits(Ruled):
    hits: StrictInt


class HitDice(Ruled):
    hit_dice: StrictInt


class Failure(Ruled):
    """One line of the table of failed morale: a margin, and what it does (VCC-151 to VCC-154)."""

    missed_by: StrictInt
    hit_dice: StrictInt = 0
    prone: StrictBool = False
    retreat: StrictInt = 0
    broken: StrictBool = False


class Least(Ruled):
    least: StrictInt


class Overheating(Ruled):
    die: StrictInt
    from_turn: StrictInt


class FirePhase(Ruled):
    weapons: list[Annotated[StrictStr, RefersTo("weapons")]]


class Mapping(Book):
    """How the words of a neutral scenario become terms of these rules."""

    area_terrain: dict[str, Annotated[StrictStr, RefersTo("terrain", besides=("hill", "road"))]]
    linear_terrain: dict[str, Annotated[StrictStr, RefersTo("terrain", "obstacles", besides=("river", "bridge"))]]
    quality: dict[str, Literal["elite", "ordinary", "raw"]]
    weapon: dict[str, Annotated[StrictStr, RefersTo("weapons", besides=("none",))]]


class VccFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    fire_phases: dict[str, FirePhase]
    weapons: dict[str, Weapon]
    classes: dict[str, TroopClass]
    commander_allowance: Boxes
    profiles: dict[str, Profile]
    native_crew_fire_die: Faces
    unit_size: Sizes
    terrain: dict[str, Ground]
    obstacles: dict[str, Ground]
    rocket: Rocket
    leader_hit_on: LeaderHitOn
    leader_hit_effects: dict[str, LeaderEffect]
    leader_dies_at: Wounds
    leader_check_hits: Hits
    failed_morale: dict[str, Failure]
    barred_retreat: HitDice
    rally_four_plus: Least
    overheating: Overheating
    mapping: Mapping


class VccBook:
    """The numbers of a session as plain attributes and tables, looked up millions of times."""

    __slots__ = (
        "bands",
        "classes",
        "failures",
        "file",
        "fire_weapons",
        "leader_effect_rows",
        "leader_effects",
        "leader_hit_on",
        "rules",
        "settings",
    )

    def __init__(self, rules: Rules) -> None:
        file = rules.book
        assert isinstance(file, VccFile), "the registry validates ruleset.yaml with VccFile"
        self.rules = rules
        self.file = file
        self.settings = typed_settings(Settings, rules.settings)
        self.bands = {name: weapon.limits() for name, weapon in file.weapons.items()}
        self.classes = file.classes
        self.fire_weapons = {phase: frozenset(entry.weapons) for phase, entry in file.fire_phases.items()}
        bands = ("close", "medium", "long")
        self.leader_hit_on = {band: SumBands((getattr(file.leader_hit_on, band),)) for band in bands}
        effects = sorted(file.leader_hit_effects.items(), key=lambda item: item[1].lowest)
        self.leader_effects = tuple((name, effect.wounds) for name, effect in effects)
        self.leader_effect_rows = SumBands(tuple(effect.lowest for _, effect in effects[1:]))
        self.failures = sorted(file.failed_morale.items(), key=lambda item: item[1].missed_by)

    def failure(self, missed_by: int) -> tuple[str, Failure]:
        """The line of failed morale for a margin; a margin beyond the last line is the last (VCC-154)."""
        found = self.failures[0]
        for name, line in self.failures:
            if line.missed_by <= missed_by:
                found = name, line
        return found
