"""Estimates for AI players: what fire and melee may cost, and which enemies a unit can see.

Losses are measured in units of fifteen figures. The numbers are deliberately rough: means instead of distributions,
and a unit's centre instead of its figures.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from zareba.base.exact import dist, power
from zareba.battle.evaluation import about_men
from zareba.space import Point
from zareba.space.field.line_of_sight import line_is_clear
from zareba_rulesets.paychest.book.tables import DIE, Gait
from zareba_rulesets.paychest.chapters.melee import hits_of
from zareba_rulesets.paychest.chapters.to_hit import FireFacts, ready_weapon
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.ranges import bands_of
from zareba_rulesets.paychest.forces.units import FigureSpec, Unit
from zareba_rulesets.paychest.ground.field import Field

__all__ = [
    "SHARE",
    "Arms",
    "Survey",
    "arms_of",
    "at_range",
    "exchange",
    "fire_by_range",
    "hit_chance",
    "is_clear",
    "men_lost",
    "reach",
    "threat_of",
]

SHARE = 15.0
"""The figures of a unit of average size, in which losses are measured."""
LONG_ARM = 12.0
"""Weapons with a shorter range, in inches, count as close-quarters weapons."""
AIMED_AT = 3
"""The number of enemy units in sight among which a unit looks for its best target."""
MAX_CACHED = 20_000

Shot = tuple[str, int, Gait]
"""(weapon, Firearms Skill, gait)."""

Arms = dict[tuple[str, int, int], int]
"""The firearms of a unit: (weapon, Firearms Skill, shots) -> number of figures."""

ByRange = tuple[tuple[float, ...], tuple[float, ...]]
"""Ascending ranges in inches, and the value of fire up to each of them. The last value, beyond all ranges, is zero."""
HARMLESS: ByRange = ((), (0.0,))


def arms_of(battle: Battle, unit: Unit) -> Arms:
    """Return the firearms of a unit's able figures that carry nothing."""
    best = battle.book.best_firearm
    return _count(
        (ready_weapon(battle.book, figure) if figure.wounds else best[figure.weapons, 0], figure.spec)
        for figure in unit.able
        if not figure.loads
    )


def _count(men: Iterable[tuple[str, FigureSpec]]) -> Arms:
    """Return the number of figures for each kind of weapon. Figures without a weapon are not counted."""
    return Counter([(weapon, spec.firearms, spec.shots) for weapon, spec in men if weapon])


def is_bladed(battle: Battle, arms: Arms, men: int) -> bool:
    """Return True if most of a unit have no long-range weapon."""
    return 2 * sum(count for (weapon, _, _), count in arms.items() if reach(battle, weapon) > LONG_ARM) < men


def reach(battle: Battle, weapon: str) -> float:
    """Return the general range of a weapon, including changes by house rules."""
    return bands_of(battle, None, weapon)[-1][1]


def _chances(battle: Battle, shot: Shot) -> tuple[tuple[float, float], ...]:
    """Return the upper end of each range band and the chance that one shot hits in it (PAY-107 to PAY-112)."""
    weapon, skill, gait = shot
    first = battle.book.file.double_roll.first
    found = []
    for band, limit in bands_of(battle, None, weapon):
        facts = FireFacts(skill, band, gait)
        total = battle.book.rules.tally("firearms", facts).total
        found.append((limit, min(total, DIE) / DIE if total >= 1 else first * skill / DIE**2))
    return tuple(found)


def hit_chance(battle: Battle, skill: int, weapon: str, inches: float, gait: Gait) -> float:
    """Return the chance that one shot hits a target in the open."""
    shot = weapon, skill, gait
    bands = None if battle.book.rules.changes("range") else battle.book.chances.get(shot)
    if bands is None:
        bands = battle.book.chances[shot] = _chances(battle, shot)
    for limit, chance in bands:
        if inches <= limit:
            return chance
    return 0.0


def fire_by_range(battle: Battle, arms: Arms, gait: Gait) -> ByRange:
    """Return the expected losses from a turn's fire, in units. Cached unless a house rule changes the range bands."""
    if battle.book.rules.changes("range"):
        return _worths(battle, arms, gait)
    cache, key = battle.book.fire_worths, (gait, *arms.items())
    worths = cache.get(key)
    if worths is None:
        if len(cache) > MAX_CACHED:
            cache.clear()
        worths = cache[key] = _worths(battle, arms, gait)
    return worths


def _worths(battle: Battle, arms: Arms, gait: Gait) -> ByRange:
    """Return the expected losses from a turn's fire at the end of each range band of any of the weapons."""
    most_shots = battle.book.most_shots
    limits = sorted({limit for weapon, _, _ in arms for _, limit in bands_of(battle, None, weapon)})
    out_chance = battle.book.out_chance
    found = []
    for limit in limits:
        total = 0.0
        for (weapon, skill, shots), men in arms.items():
            max_shots = most_shots[weapon]
            fired = shots if max_shots is None or shots < max_shots else max_shots
            total += men * fired * hit_chance(battle, skill, weapon, limit, gait)
        found.append(total * out_chance / SHARE)
    return tuple(limits), (*found, 0.0)


def threat_of(battle: Battle, enemy: Unit) -> ByRange:
    """Return the value of an enemy unit's fire by range; zero while it routs.

    Its figures are assumed to be in their original condition, because wounds and loads cannot be seen from a distance.
    """
    if enemy.rout:
        return HARMLESS
    positions = enemy.standing
    if positions.threat is None or battle.book.rules.changes("range"):
        best = battle.book.best_firearm
        arms = _count((best[figure.spec.weapons, 0], figure.spec) for figure in positions.able)
        positions.threat = fire_by_range(battle, arms, "halt")
    return positions.threat


def at_range(fire: ByRange, inches: float) -> float:
    """Return the value of fire at a range."""
    limits, worths = fire
    return worths[bisect_left(limits, inches)]


@lru_cache(maxsize=MAX_CACHED)
def is_clear(field: Field, a: Point, b: Point) -> bool:
    """Return True if terrain does not block the line between two points (PAY-089).

    Cached because terrain never changes.
    """
    return line_is_clear(a, b, field.screens.all)


class Survey:
    """The firearms of a unit and the facts about its enemies: which are visible from a point, and what they can fire.

    An instance serves one question, because the table does not change while a question is being answered.
    """

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self._battle = battle
        self.arms = arms = arms_of(battle, unit)
        self.reach = max([reach(battle, weapon) for weapon, _, _ in arms], default=0.0)
        self.bladed = is_bladed(battle, arms, len(unit.able))
        self._enemies = list(battle.enemies(unit.spec.side))
        self._middles = [enemy.standing.middle for enemy in self._enemies]
        self._threats: list[ByRange | None] = [None] * len(self._enemies)
        self._marks: list[float | None] = [None] * len(self._enemies)
        self._around: dict[Point, list[tuple[float, int]]] = {}

    def around(self, at: Point) -> list[tuple[float, int]]:
        """Return the distance and index of each enemy unit from a point, the nearest first."""
        found = self._around.get(at)
        if found is None:
            found = self._around[at] = sorted([(dist(at, middle), n) for n, middle in enumerate(self._middles)])
        return found

    def sees_any(self, at: Point, inches: float) -> bool:
        """Return True if an enemy unit with figures up has its centre visible within `inches` of a point."""
        field, middles = self._battle.field, self._middles
        for distance, number in self.around(at):
            if distance > inches:
                break
            if is_clear(field, at, middles[number]) and self._mark(number):
                return True
        return False

    def fire(self, at: Point, gait: Gait) -> float:
        """Return the best value of fire from a point at one of the three nearest units in sight; 0 without one."""
        return self._weigh(at, gait, within=0.0)[0]

    def danger(self, at: Point) -> float:
        """Return the losses a unit at a point could suffer in a turn if all enemies that see it fired at it."""
        return self._weigh(at, None, within=self._battle.book.long_arm[1])[1]

    def fire_and_danger(self, at: Point, gait: Gait) -> tuple[float, float]:
        """Return the values of `fire` and `danger` together.

        For close-quarters units danger is 0, because they must come through it.
        """
        return self._weigh(at, gait, within=0.0 if self.bladed else self._battle.book.long_arm[1])

    def _mark(self, number: int) -> float:
        """Return how good a target an enemy unit is: small units are poor, units that are down none (PAY-101)."""
        known = self._marks[number]
        if known is None:
            enemy = self._enemies[number]
            up = sum(["down" not in figure.marks for figure in enemy.able])
            known = self._marks[number] = (0.4 if enemy.rout else 1.0) * min(1.0, up / 6)
        return known

    def _weigh(self, at: Point, gait: Gait | None, within: float) -> tuple[float, float]:
        """Return the value of the best fire from a point, and the danger there from enemies within some inches.

        Without a gait the value of fire is 0.
        """
        battle, middles, threats = self._battle, self._middles, self._threats
        field = battle.field
        limits, worths = fire_by_range(battle, self.arms, gait) if gait and self.arms else HARMLESS
        best = total = 0.0
        shots_left = AIMED_AT
        for distance, number in self.around(at):
            expected = worths[bisect_left(limits, distance)] if shots_left else 0.0
            if expected <= best:  # the targets further away are worth no more
                shots_left = 0
                if distance > within:
                    break
            if distance <= within:
                known = threats[number]
                if known is None:
                    known = threats[number] = threat_of(battle, self._enemies[number])
                threat = known[1][bisect_left(known[0], distance)]
            else:
                threat = 0.0
            if (shots_left or threat) and is_clear(field, at, middles[number]):
                total += threat
                if shots_left:
                    best = max(best, expected * self._mark(number))
                    shots_left -= 1
        return best, total


@lru_cache(maxsize=1024)
def exchange(skills: tuple[int, ...], foe: int, out_chance: float) -> tuple[float, float]:
    """Return the expected figures out in one melee, the enemy's and ours: some of ours, by skill, against one.

    `out_chance` is the chance that a hit puts a figure out.
    """
    theirs = ours = 0.0
    for dice in product(range(1, DIE + 1), repeat=len(skills) + 1):
        excess = sum(hits_of(skill, die) for skill, die in zip(skills, dice, strict=False)) - hits_of(foe, dice[-1])
        if excess > 0:
            theirs += 1.0 - power(1.0 - out_chance, excess)
        elif excess < 0:
            ours += 1.0 - power(1.0 - out_chance, -excess)
    ways = float(DIE ** (len(skills) + 1))
    return theirs / ways, ours / ways


def men_lost(share: float) -> str:
    """Return expected losses, given in units of `SHARE` figures, as a number of men in words."""
    return about_men(share * SHARE)
