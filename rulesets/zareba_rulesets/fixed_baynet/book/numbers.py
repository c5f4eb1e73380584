"""Numbers of the rulebook and its dice."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil
from typing import NamedTuple

from zareba.chance import Meaning, SumBands, named
from zareba.rules import CompiledBook, Rules
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.tables import GAITS, FbnFile, Weapon

# --- The numbers of the ruleset, compiled once per session for use in play --------------------------------------------


FLAT, BUMPY, JAGGED = 0, 1, 2
"""The difficulty of ground: how much it slows a move (FBN-047)."""
NEVER = 1_000  # more AC than any figure has


class RangeLimits(NamedTuple):
    """The outer limits of the range bands of a weapon in inches; -1 for a band that it lacks (FBN-081, FBN-212)."""

    short: float
    medium: float
    long: float


class FbnBook(CompiledBook[FbnFile]):
    """The compiled numbers of a session."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, FbnFile)
        file = self.file
        self.weapons = file.weapons
        self.bands = {name: self._limits(weapon) for name, weapon in file.weapons.items()}
        self.shot_ac = {
            name: weapon.ac if self.bands[name].long >= 0 else NEVER for name, weapon in file.weapons.items()
        }
        self.shot_ac["none"] = NEVER
        self.guns = file.guns
        self.has_range_lines = rules.changes("range")
        self.gun_range = {name: self._gun_range(name) for name in file.guns}
        self.gun_bands = {
            name: RangeLimits(float(most * file.gun_bands.short), float(most * file.gun_bands.medium), float(most))
            for name, most in self.gun_range.items()
        }
        self.terrain = file.terrain
        self.speed_shares = (Fraction(1), file.going.bumpy, file.going.jagged)
        self._allowances_on_ground: dict[tuple[int, int], int] = {}
        self._reduced_speeds: dict[tuple[int, str], int] = {}
        self.formed_layouts: dict[tuple[str, int, int, bool], bool] = {}  # cache: layouts that count as formed
        self.move_prices = (float(file.prices.flat), float(file.prices.bumpy), float(file.prices.jagged))
        self.radius = {"foot": file.bases.foot / 2, "mounted": file.bases.mounted / 2, "gun": file.bases.gun / 2}
        self.radii = (self.radius["foot"], self.radius["mounted"])  # of men, of riders
        self.gun_and_man = self.radius["gun"] + max(self.radii)  # the most by which bases shorten a gun's range
        self.open_gap = float(file.spacing.least)  # between bases, when a unit forms open order
        self.contact = float(file.reach.contact)
        self.close_reach = float(file.reach.close_weapon)
        self.between_men = 2 * max(self.radii)  # inches between the centres of two men in contact, at most
        self.between_bases = 2 * max(self.radius.values())  # the same for bases of any kind
        self.bases_touch = self.between_men + self.contact + 0.45  # safely more than two bases in contact
        self.wounded_arm = float(file.wounded_arm.bands)
        self.in_touch = self.between_men + max(self.contact, self.close_reach) + 0.5  # the same within reach of a blow
        self.to_opening = 1.5 * file.buildings.section  # more than a man's distance from his opening in a room
        self.at_openings = self.to_opening + 3  # the same plus two bases
        self.indoors = self.to_opening + 6  # `in_touch` for men in rooms or at openings
        self.gaits = tuple(file.gaits[name] for name in GAITS)  # type: ignore[index]  # the four keys of the model
        self.gaits_after = tuple(  # the gaits allowed after each gait of the turn before (FBN-176)
            tuple(gait for gait, row in enumerate(self.gaits) if gait and GAITS.index(row.after) <= last)
            for last in range(len(GAITS))
        )
        self.most_moves = file.movement.most_ac
        self.moves_limit = 1 if self.settings.move_per == "turn" else self.most_moves
        self.charge_factor = file.movement.charge
        self.eyes = (float(file.heights.eye), float(file.heights.rider_eye))  # of men, of riders
        self.higher = float(file.heights.higher)
        self.door_reach = float(file.buildings.door_reach)
        self.users = file.buildings.users
        self.panics_at = file.glory.panic
        self.near = float(self.settings.nearby_inches)
        self.fire_half_arc = self.settings.foot_fire_arc / 2  # FBN-063

    @cached_property
    def melee_bonus(self) -> dict[str, int]:
        """The amounts that two lines add to a blow, by id; 0 if a house rule has removed a line or made its amount a
        function.
        """
        lines = self.rules.tallies["close_combat"].modifiers
        added = {line.id: line.amount for line in lines if line.operation == "add" and not callable(line.amount)}
        return {name: int(added.get(name, 0)) for name in ("rider", "square")}

    @staticmethod
    def _limits(weapon: Weapon) -> RangeLimits:
        """Return the outer limits of short, medium and long range; -1 for a band the weapon lacks."""
        limits = (weapon.short, weapon.medium, weapon.long)
        return RangeLimits(*[-1.0 if limit is None else float(limit) for limit in limits])

    def _gun_range(self, name: str) -> int:
        """Return the maximum range of a gun (FBN-211, FBN-228)."""
        if name == "light_gun":
            return int(self.settings.light_gun_range)
        if name == "trench_mortar":
            return int(self.settings.mortar_max_range)
        most = self.guns[name].range
        assert most is not None, "all other pieces have one in the table"
        return most

    @cached_property
    def locations(self) -> tuple[tuple[str, ...], SumBands]:
        """The locations of Table 13-A in order, and the reading of a D12 that gives the index of one (FBN-125)."""
        rows = sorted(self.file.hit_location.items(), key=lambda item: item[1].lowest)
        return tuple(name for name, _ in rows), SumBands(tuple(row.lowest for _, row in rows[1:]))

    @cached_property
    def arc_of_gun(self) -> float:
        """Half of an artillery arc, in degrees (FBN-080)."""
        arc = float(self.file.gun_arcs.artillery)
        return arc / 2 if self.settings.arc_is_total else arc

    def burst_radius(self, gun: str) -> float:
        """Return half the diameter of the marker for a gun's shells, in inches (FBN-002, FBN-216)."""
        kind = self.guns[gun]
        by = self.settings.burst_marker
        sizes = self.file.burst_inches[by]
        if by == "by_class":
            size = {"light": sizes.small, "medium": sizes.middle, "heavy": sizes.large}[kind.weight]
        else:
            size = sizes.small if kind.multiple <= 2 else sizes.middle if kind.multiple == 3 else sizes.large
        return size / 2

    def allowance_on_ground(self, speed: int, difficulty: int) -> int:
        """Return a move allowance on one kind of ground, rounded up (FBN-046, FBN-047)."""
        if not difficulty:
            return speed
        key = (speed, difficulty)
        found = self._allowances_on_ground.get(key)
        if found is None:
            found = self._allowances_on_ground[key] = ceil(speed * self.speed_shares[difficulty])
        return found

    def reduced_speed(self, speed: int, what: str) -> int:
        """Return the speed of a man with a leg wound or lying prone, rounded up (FBN-046, FBN-052, FBN-128)."""
        key = (speed, what)
        found = self._reduced_speeds.get(key)
        if found is None:
            part = self.file.movement.leg if what == "leg" else self.file.movement.prone
            found = self._reduced_speeds[key] = ceil(speed * part)
        return found


# --- The D12 of fire and the D3 (FBN-004, FBN-082, FBN-087 to FBN-090) ------------------------------------------------


MISS, HIT, CRITICAL = 0, 1, 2
_AIMS = named("a critical miss", "a miss", "a hit", "a critical hit")
D3 = named("1", "2", "3")


@lru_cache(maxsize=1024)
def hit_bands(need: int, faces: int, misses: int, critical: int, natural: bool) -> SumBands:
    """Return how a die with `faces` faces is read: 0 miss, 1 hit, 2 critical (FBN-087 to FBN-090).

    Scores up to `misses` always miss. Scores from `critical` on are critical; if `natural`, they hit even if more is
    needed.
    """
    low = max(need, misses + 1)
    if low > critical and natural:
        low = critical
    low = min(low, faces + 1)
    return SumBands((low, max(critical, low)))


_BLOODY_DEATH = frozenset({"FBN-082", "FBN-097", "FBN-217"})
"""Rolls for a hit on a man, whose best result is a bloody death (FBN-087)."""


@lru_cache
def _strikes(rule: str, by: str) -> Meaning:
    """Return the meaning of the D12 of fire, whose best result is a bloody death for a man."""
    return named("a miss", "a hit", "a bloody death" if rule in _BLOODY_DEATH else "a critical hit", by=by)


def d12_result(table: Table, need: int, *, why: str, rule: str, actor: str, by: str = "") -> int:
    """Roll the D12 of fire against the number needed: 0 miss, 1 hit, 2 critical.

    The settings decide how a 1 and a 12 are read. `by` names what the number needed depends on, for rolls without a
    modifier breakdown.
    """
    settings = table.rules.settings
    die = table.rules.book.fire_die
    misses = die.misses if settings["natural_1_misses"] else 0
    reading = hit_bands(need, die.faces, misses, die.critical, settings["natural_12_hits"])
    return table.roll(1, die.faces, reading, why=why, rule=rule, actor=actor, means=_strikes(rule, by))


@lru_cache(maxsize=1024)
def aim_bands(need: int, faces: int, misses: int, critical: int, natural: bool) -> SumBands:
    """Return how a gun's die is read: 0 critical miss (a 1), 1 miss, 2 hit, 3 critical (FBN-220)."""
    return SumBands((misses + 1, *hit_bands(need, faces, misses, critical, natural).thresholds))


def roll_gun_die(table: Table, need: int, *, why: str, rule: str, actor: str) -> int:
    """Roll a gun's die against the number needed: 0 critical miss, 1 miss, 2 hit, 3 critical (FBN-220)."""
    die = table.rules.book.fire_die
    reading = aim_bands(need, die.faces, die.misses, die.critical, table.rules.settings["natural_12_hits"])
    return table.roll(1, die.faces, reading, why=why, rule=rule, actor=actor, means=_AIMS)


def d3(table: Table, *, why: str, rule: str, actor: str) -> int:
    """Roll a D3: a D6 halved, rounded up (FBN-004)."""
    return 1 + table.roll(1, 6, SumBands((3, 5)), why=why, rule=rule, actor=actor, means=D3)
