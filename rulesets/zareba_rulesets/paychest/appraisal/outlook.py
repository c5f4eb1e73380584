"""What a commander can reckon from the table: chances of fire and melee, who sees whom, who is dangerous.

Losses are shares of a unit of fifteen men. The numbers are rough on purpose: means in place of distributions, and a
unit's middle in place of its men.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from math import dist

from zareba.space import Point
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.goals import centre_of
from zareba_rulesets.paychest.melee import hits_of
from zareba_rulesets.paychest.shooting import FireFacts, ready_weapon
from zareba_rulesets.paychest.units import Unit

__all__ = [
    "OUT",
    "SHAKEN",
    "SHARE",
    "Arms",
    "arms_of",
    "danger",
    "exchange",
    "fire_worth",
    "hit_chance",
    "is_bladed",
    "visible",
]

SHARE = 15.0
OUT = 0.38
"""About the part of all hits that put a man out of the fight: killed, knocked out, or unable to walk (Table 6)."""
SHAKEN = 5 / 12
"""The chance that a unit fails at the loss of its leader (PAY-128)."""
LONG_ARM = 12.0
"""Inches: what reaches no further is a weapon for close quarters."""

Arms = Counter[tuple[str, int, int]]
"""What a unit can fire: (weapon, Firearms Skill, shots) -> men."""


def arms_of(battle: Battle, unit: Unit) -> Arms:
    """The firearms of a unit's able men who carry nothing."""
    book = battle.book
    arms: Arms = Counter()
    for figure in unit.able:
        if not figure.loads and (weapon := ready_weapon(book, figure)):
            arm = (weapon, figure.spec.firearms, figure.spec.shots)
            arms[arm] = arms.get(arm, 0) + 1
    return arms


def is_bladed(battle: Battle, arms: Arms, men: int) -> bool:
    """Whether most of a unit have nothing that reaches."""
    ranges = battle.book.ranges
    return 2 * sum(count for (weapon, _, _), count in arms.items() if ranges[weapon] > LONG_ARM) < men


def hit_chance(battle: Battle, skill: int, weapon: str, inches: float, gait: str, cover: str = "none") -> float:
    """The chance of one shot (PAY-107 to PAY-112)."""
    band = battle.book.band(weapon, inches)
    if band is None:
        return 0.0
    known = battle.book.chances
    chance = known.get((skill, band, gait, cover))
    if chance is None:
        facts = FireFacts(skill, band, gait, cover)  # type: ignore[arg-type]  # known words
        total = battle.book.rules.tally("firearms", facts).total
        chance = known[skill, band, gait, cover] = min(total, 6) / 6 if total >= 1 else skill / 36
    return chance


def fire_worth(battle: Battle, arms: Arms, inches: float, gait: str, cover: str = "none") -> float:
    """Losses to be expected from a turn's fire at this range, in shares of a unit."""
    total = 0.0
    for (weapon, skill, shots), men in arms.items():
        most = battle.book.most_shots[weapon]
        fired = shots if most is None else min(shots, most)
        total += men * fired * hit_chance(battle, skill, weapon, inches, gait, cover)
    return total * OUT / SHARE


def visible(battle: Battle, at: Point, others: Iterable[Unit], reach: float) -> list[tuple[float, Unit]]:
    """(inches, unit) for those units whose middle can be seen from a point within reach, the nearest first."""
    found = []
    for other in others:
        there = centre_of(other)
        away = dist(at, there)
        if away > reach:
            continue
        if battle.field.sees(at, there, battle.field.blockers):
            found.append((away, other))
    return sorted(found, key=lambda pair: pair[0])


def danger(battle: Battle, side: str, at: Point) -> float:
    """Losses that the enemies who see a point could inflict on a unit there in a turn, were all to fire at it."""
    total = 0.0
    for away, enemy in visible(battle, at, battle.enemies(side), 36.0):
        if not enemy.rout:
            total += fire_worth(battle, arms_of(battle, enemy), away, "halt")
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
