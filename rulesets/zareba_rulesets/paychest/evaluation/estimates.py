"""What a commander can reckon from the table: chances of fire and melee, who sees whom, who is dangerous.

Losses are shares of a unit of fifteen men. The numbers are rough on purpose: means in place of distributions, and a
unit's middle in place of its men.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from zareba.base.exact import dist, power
from zareba.space import Point
from zareba.space.field.line_of_sight import line_is_clear
from zareba_rulesets.paychest.chapters.melee import hits_of
from zareba_rulesets.paychest.chapters.to_hit import FireFacts, ready_weapon
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.ranges import bands_of
from zareba_rulesets.paychest.forces.units import FigureSpec, Unit
from zareba_rulesets.paychest.ground.field import Field

__all__ = [
    "OUT",
    "SHAKEN",
    "SHARE",
    "Arms",
    "Survey",
    "arms_of",
    "at_range",
    "exchange",
    "fire_by_range",
    "hit_chance",
    "is_clear",
    "reach",
    "threat_of",
]

SHARE = 15.0
OUT = 0.38
"""About the part of all hits that put a man out of the fight: killed, knocked out, or unable to walk (Table 6)."""
SHAKEN = 5 / 12
"""The chance that a unit fails at the loss of its leader (PAY-128)."""
LONG_ARM = 12.0
"""Inches: what reaches no further is a weapon for close quarters."""
AIMED_AT = 3
"""Enemy units in sight among which a unit looks for its best target."""
MOST_KEPT = 20_000
MUSKET_SHOT = 36.0
"""Inches within which enemies who see a place make it dangerous."""

Shot = tuple[str, int, str]
"""(weapon, Firearms Skill, gait)."""

Arms = dict[tuple[str, int, int], int]
"""What a unit can fire: (weapon, Firearms Skill, shots) -> men."""

ByRange = tuple[tuple[float, ...], tuple[float, ...]]
"""Ranges in inches, rising, and what fire is worth up to each of them; at the end what it is worth beyond: nothing."""
HARMLESS: ByRange = ((), (0.0,))


def arms_of(battle: Battle, unit: Unit) -> Arms:
    """The firearms of a unit's able men who carry nothing."""
    best = battle.book.best_firearm
    return _count(
        (ready_weapon(battle.book, figure) if figure.wounds else best[figure.weapons, 0], figure.spec)
        for figure in unit.able
        if not figure.loads
    )


def _count(men: Iterable[tuple[str, FigureSpec]]) -> Arms:
    """Men with weapons, as many as there are of each kind; who has none is not counted."""
    return Counter([(weapon, spec.firearms, spec.shots) for weapon, spec in men if weapon])


def is_bladed(battle: Battle, arms: Arms, men: int) -> bool:
    """Whether most of a unit have nothing that reaches."""
    return 2 * sum(count for (weapon, _, _), count in arms.items() if reach(battle, weapon) > LONG_ARM) < men


def reach(battle: Battle, weapon: str) -> float:
    """How far a weapon reaches as the game stands, whoever has it."""
    return bands_of(battle, None, weapon)[-1][1]


def _chances(battle: Battle, shot: Shot) -> tuple[tuple[float, float], ...]:
    """The upper end of each range band with the chance of one shot in it (PAY-107 to PAY-112)."""
    weapon, skill, gait = shot
    found = []
    for band, limit in bands_of(battle, None, weapon):
        facts = FireFacts(skill, band, gait)  # type: ignore[arg-type]  # known words
        total = battle.book.rules.tally("firearms", facts).total
        found.append((limit, min(total, 6) / 6 if total >= 1 else skill / 36))
    return tuple(found)


def hit_chance(battle: Battle, skill: int, weapon: str, inches: float, gait: str) -> float:
    """The chance of one shot at men in the open."""
    shot = weapon, skill, gait
    bands = None if battle.book.rules.changes("range") else battle.book.chances.get(shot)
    if bands is None:
        bands = battle.book.chances[shot] = _chances(battle, shot)
    for limit, chance in bands:
        if inches <= limit:
            return chance
    return 0.0


def fire_by_range(battle: Battle, arms: Arms, gait: str) -> ByRange:
    """Losses to be expected from a turn's fire, in shares of a unit; kept where nothing changes the bands of the book."""
    if battle.book.rules.changes("range"):
        return _worths(battle, arms, gait)
    known, key = battle.book.fire_worths, (gait, *arms.items())
    worths = known.get(key)
    if worths is None:
        if len(known) > MOST_KEPT:
            known.clear()
        worths = known[key] = _worths(battle, arms, gait)
    return worths


def _worths(battle: Battle, arms: Arms, gait: str) -> ByRange:
    """The same at the end of each range band of any of the weapons."""
    most_shots = battle.book.most_shots
    limits = sorted({limit for weapon, _, _ in arms for _, limit in bands_of(battle, None, weapon)})
    found = []
    for limit in limits:
        total = 0.0
        for (weapon, skill, shots), men in arms.items():
            most = most_shots[weapon]
            fired = shots if most is None or shots < most else most
            total += men * fired * hit_chance(battle, skill, weapon, limit, gait)
        found.append(total * OUT / SHARE)
    return tuple(limits), (*found, 0.0)


def threat_of(battle: Battle, enemy: Unit) -> ByRange:
    """What the fire of an enemy unit is worth by range; nothing while it runs.

    Its men are taken for what they came as: who of them is wounded or laden cannot be told from afar.
    """
    if enemy.rout:
        return HARMLESS
    standing = enemy.standing
    if standing.threat is None or battle.book.rules.changes("range"):
        best = battle.book.best_firearm
        arms = _count((best[figure.spec.weapons, 0], figure.spec) for figure in standing.able)
        standing.threat = fire_by_range(battle, arms, "halt")
    return standing.threat


def at_range(fire: ByRange, inches: float) -> float:
    """What fire is worth at a range."""
    limits, worths = fire
    return worths[bisect_left(limits, inches)]


@lru_cache(maxsize=MOST_KEPT)
def is_clear(field: Field, a: Point, b: Point) -> bool:
    """Whether the ground hides neither of two points from the other (PAY-089); it never changes, so this is kept."""
    return line_is_clear(a, b, field.screens.all)


class Survey:
    """What a unit can fire, and what is known of its enemies: who is seen from where, and what each of them can fire.

    Made for one question and not kept for the next: nothing on the table changes while a question is answered.
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
        """How far off the middle of each enemy unit is, with its number, the nearest first."""
        found = self._around.get(at)
        if found is None:
            found = self._around[at] = sorted([(dist(at, middle), n) for n, middle in enumerate(self._middles)])
        return found

    def sees_any(self, at: Point, reach: float) -> bool:
        """Whether the middle of an enemy unit can be seen from a point within reach, with men who are not down."""
        field, middles = self._battle.field, self._middles
        for away, number in self.around(at):
            if away > reach:
                break
            if is_clear(field, at, middles[number]) and self._mark(number):
                return True
        return False

    def fire(self, at: Point, gait: str) -> float:
        """The best that the unit's fire is worth from a point, on one of the three nearest in sight; 0 without a target."""
        return self._weigh(at, gait, within=0.0)[0]

    def danger(self, at: Point) -> float:
        """Losses that the enemies who see a point could inflict on a unit there in a turn, were all to fire at it."""
        return self._weigh(at, "", within=MUSKET_SHOT)[1]

    def fire_and_danger(self, at: Point, gait: str) -> tuple[float, float]:
        """Both at once; men with blades only know no danger, for they must go through it."""
        return self._weigh(at, gait, within=0.0 if self.bladed else MUSKET_SHOT)

    def _mark(self, number: int) -> float:
        """How good a mark an enemy unit is: few men are a poor one, and men who are down none at all (PAY-101)."""
        known = self._marks[number]
        if known is None:
            enemy = self._enemies[number]
            up = sum(["down" not in figure.marks for figure in enemy.able])
            known = self._marks[number] = (0.4 if enemy.rout else 1.0) * min(1.0, up / 6)
        return known

    def _weigh(self, at: Point, gait: str, within: float) -> tuple[float, float]:
        battle, middles, threats = self._battle, self._middles, self._threats
        field = battle.field
        limits, worths = fire_by_range(battle, self.arms, gait) if gait and self.arms else HARMLESS
        best = total = 0.0
        left = AIMED_AT
        for away, number in self.around(at):
            worth = worths[bisect_left(limits, away)] if left else 0.0
            if worth <= best:  # and no more at all who are further off
                left = 0
                if away > within:
                    break
            if away <= within:
                known = threats[number]
                if known is None:
                    known = threats[number] = threat_of(battle, self._enemies[number])
                threat = known[1][bisect_left(known[0], away)]
            else:
                threat = 0.0
            if (left or threat) and is_clear(field, at, middles[number]):
                total += threat
                if left:
                    best = max(best, worth * self._mark(number))
                    left -= 1
        return best, total


@lru_cache(maxsize=1024)
def exchange(skills: tuple[int, ...], foe: int) -> tuple[float, float]:
    """Men out to be expected of one melee, of the foe and of ours: one or two of ours, by skill, against one (P9)."""
    theirs = ours = 0.0
    for dice in product(range(1, 7), repeat=len(skills) + 1):
        excess = sum(hits_of(skill, die) for skill, die in zip(skills, dice, strict=False)) - hits_of(foe, dice[-1])
        if excess > 0:
            theirs += 1.0 - power(1.0 - OUT, excess)
        elif excess < 0:
            ours += 1.0 - power(1.0 - OUT, -excess)
    ways = float(6 ** (len(skills) + 1))
    return theirs / ways, ours / ways
