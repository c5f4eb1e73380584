"""What a commander can reckon from the table: chances of fire and melee, who sees whom, who is dangerous.

Losses are shares of a unit of fifteen men. The numbers are rough on purpose: means in place of distributions, and a
unit's middle in place of its men.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import dist

from zareba.space import Point
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.melee import hits_of
from zareba_rulesets.paychest.shooting import FireFacts, ready_weapon
from zareba_rulesets.paychest.units import Unit

__all__ = [
    "OUT",
    "SHAKEN",
    "SHARE",
    "Arms",
    "Survey",
    "arms_of",
    "exchange",
    "fire_worth",
    "hit_chance",
    "is_bladed",
]

SHARE = 15.0
OUT = 0.38
"""About the part of all hits that put a man out of the fight: killed, knocked out, or unable to walk (Table 6)."""
SHAKEN = 5 / 12
"""The chance that a unit fails at the loss of its leader (PAY-128)."""
LONG_ARM = 12.0
"""Inches: what reaches no further is a weapon for close quarters."""
MOST_KEPT = 20_000
MUSKET_SHOT = 36.0
"""Inches within which enemies who see a place make it dangerous."""

Shot = tuple[str, int, str]
"""(weapon, Firearms Skill, gait)."""

Arms = dict[tuple[str, int, int], int]
"""What a unit can fire: (weapon, Firearms Skill, shots) -> men."""


def arms_of(battle: Battle, unit: Unit) -> Arms:
    """The firearms of a unit's able men who carry nothing."""
    best = battle.book.best_firearm
    arms: Arms = {}
    for figure in unit.able:
        if figure.loads:
            continue
        weapon = ready_weapon(battle.book, figure) if figure.wounds else best[figure.weapons, 0]
        if weapon:
            spec = figure.spec
            arm = (weapon, spec.firearms, spec.shots)
            arms[arm] = arms.get(arm, 0) + 1
    return arms


def is_bladed(battle: Battle, arms: Arms, men: int) -> bool:
    """Whether most of a unit have nothing that reaches."""
    ranges = battle.book.ranges
    return 2 * sum(count for (weapon, _, _), count in arms.items() if ranges[weapon] > LONG_ARM) < men


def _chances(battle: Battle, shot: Shot) -> tuple[tuple[float, float], ...]:
    """The upper end of each range band with the chance of one shot in it (PAY-107 to PAY-112)."""
    weapon, skill, gait = shot
    found = []
    for band, limit in battle.book.bands[weapon]:
        facts = FireFacts(skill, band, gait)  # type: ignore[arg-type]  # known words
        total = battle.book.rules.tally("firearms", facts).total
        found.append((limit, min(total, 6) / 6 if total >= 1 else skill / 36))
    return tuple(found)


def hit_chance(battle: Battle, skill: int, weapon: str, inches: float, gait: str) -> float:
    """The chance of one shot at men in the open."""
    shot = weapon, skill, gait
    bands = battle.book.chances.get(shot)
    if bands is None:
        bands = battle.book.chances[shot] = _chances(battle, shot)
    for limit, chance in bands:
        if inches <= limit:
            return chance
    return 0.0


def fire_worth(battle: Battle, arms: Arms, inches: float, gait: str) -> float:
    """Losses to be expected from a turn's fire at this range, in shares of a unit."""
    known, key = battle.book.fire_worths, (gait, *arms.items())
    worths = known.get(key)
    if worths is None:
        if len(known) > MOST_KEPT:
            known.clear()
        worths = known[key] = _worths(battle, arms, gait)
    for limit, worth in worths:
        if inches <= limit:
            return worth
    return 0.0


def _worths(battle: Battle, arms: Arms, gait: str) -> list[tuple[float, float]]:
    """The same at the end of each range band of any of the weapons; the bands of a book never change."""
    bands, most_shots = battle.book.bands, battle.book.most_shots
    limits = sorted({limit for weapon, _, _ in arms for _, limit in bands[weapon]})
    found = []
    for limit in limits:
        total = 0.0
        for (weapon, skill, shots), men in arms.items():
            most = most_shots[weapon]
            fired = shots if most is None or shots < most else most
            total += men * fired * hit_chance(battle, skill, weapon, limit, gait)
        found.append((limit, total * OUT / SHARE))
    return found


class Survey:
    """What one question asks again and again about the enemies of a side: who sees whom, and what each can fire.

    Made for one question and not kept for the next: nothing on the table changes while a question is answered.
    """

    __slots__ = ("_arms", "_around", "_battle", "_sight", "enemies")

    def __init__(self, battle: Battle, side: str) -> None:
        self.enemies = list(battle.enemies(side))
        self._battle = battle
        self._arms: dict[str, Arms] = {}
        self._around: dict[Point, list[tuple[float, int, Unit]]] = {}
        self._sight: dict[tuple[Point, int], bool] = {}

    def arms(self, enemy: Unit) -> Arms:
        """What an enemy unit can fire."""
        name = enemy.spec.id
        arms = self._arms.get(name)
        if arms is None:
            arms = self._arms[name] = arms_of(self._battle, enemy)
        return arms

    def visible(self, at: Point, reach: float, most: int = 1000) -> list[tuple[float, Unit]]:
        """(inches, unit) for those whose middle can be seen from a point within reach, the nearest first and `most` of them."""
        around = self._around.get(at)
        if around is None:
            around = [(dist(at, enemy.standing.middle), place, enemy) for place, enemy in enumerate(self.enemies)]
            around.sort()
            self._around[at] = around
        found: list[tuple[float, Unit]] = []
        for away, place, enemy in around:
            if away > reach or len(found) >= most:
                break
            if self._sees(at, place, enemy):
                found.append((away, enemy))
        return found

    def _sees(self, at: Point, place: int, enemy: Unit) -> bool:
        key = at, place
        seen = self._sight.get(key)
        if seen is None:
            field = self._battle.field
            seen = self._sight[key] = field.sees(at, enemy.standing.middle, field.blockers)
        return seen

    def danger(self, at: Point) -> float:
        """Losses that the enemies who see a point could inflict on a unit there in a turn, were all to fire at it."""
        total = 0.0
        for away, enemy in self.visible(at, MUSKET_SHOT):
            if not enemy.rout:
                total += fire_worth(self._battle, self.arms(enemy), away, "halt")
        return total


@lru_cache(maxsize=1024)
def exchange(skills: tuple[int, ...], foe: int) -> tuple[float, float]:
    """Men out to be expected of one melee, of the foe and of ours: one or two of ours, by skill, against one (P9)."""
    theirs = ours = 0.0
    for dice in product(range(1, 7), repeat=len(skills) + 1):
        excess = sum(hits_of(skill, die) for skill, die in zip(skills, dice, strict=False)) - hits_of(foe, dice[-1])
        if excess > 0:
            theirs += 1.0 - (1.0 - OUT) ** excess
        elif excess < 0:
            ours += 1.0 - (1.0 - OUT) ** -excess
    ways = 6.0 ** (len(skills) + 1)
    return theirs / ways, ours / ways
