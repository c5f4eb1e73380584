"""Evaluation of fire: the order of shots, target groups and single targets (PAY-092 to PAY-104, PAY-173)."""

from __future__ import annotations

from functools import partial

from zareba.base.amounts import amount
from zareba.base.exact import dist
from zareba.battle.evaluation import Evaluation, each
from zareba.table import Choose, Option, Point
from zareba_rulesets.paychest.chapters.to_hit import ready_weapon
from zareba_rulesets.paychest.evaluation.estimates import (
    OUT,
    SHAKEN,
    SHARE,
    arms_of,
    at_range,
    fire_by_range,
    hit_chance,
    is_clear,
    reach,
)
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["fire", "gun", "man", "target", "unit_target"]

LEADER_LOST = 11 / 26
"""The chance that one casualty card takes out a leader."""
THEIR_LEADER = f"their leader: {LEADER_LOST:.2f} chance that a hit takes him out (PAY-092)"
WITH_PRIZE = f"carries an objective: {OUT:.2f} chance that a hit makes him drop it"
ANY_MAN = f"{OUT:.2f} chance that a hit puts him out"
ORDER = {"volley with leaders": 0.31, "volley": 0.3, "unjam": 0.4, "gun": 0.6, "leader": 0.2}
"""Guns come first, then the group. Leaders come last, because they choose after the other shots."""


@each
def fire(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate what to fire next. A leader with an enemy leader in range and sight keeps his shots for him."""
    word = str(option[0] if isinstance(option, tuple) else option)
    if word == "done":
        return Evaluation(reason="0 shots worth firing")
    if word == "volley of picked men":
        return Evaluation(suffers=1.0, reason=f"fewer than all {len(unit.able)} fire")
    if word == "volley with leaders" and _may_shake(battle, unit):
        chance = LEADER_LOST * SHAKEN
        return Evaluation(inflicts=0.1, reason=f"leaders aim at their leader: a hit shakes them with {chance:.2f}")
    if word.startswith("volley"):
        return Evaluation(inflicts=ORDER[word], reason=partial(_men_who_fire, battle, unit))
    return Evaluation(inflicts=ORDER[word], reason="1 more shot")


def _may_shake(battle: Battle, unit: Unit) -> bool:
    """Return True if a good shot among the unit's leaders has an enemy leader in range and sight (PAY-092, PAY-128)."""
    book, field = battle.book, battle.field
    shots = [
        (figure.at, reach(battle, weapon))
        for figure in unit.able
        if figure.rank in book.leader_ranks and figure.spec.firearms >= 3
        if figure.at is not None and (weapon := ready_weapon(book, figure))
    ]
    if not shots:
        return False
    for enemy in battle.enemies(unit.spec.side):
        leader = enemy.figures.get(enemy.leader)
        if leader is None or leader.at is None or enemy.spec.single or enemy.rout or not leader.able:
            continue
        if "down" in leader.marks:
            continue
        if any(dist(at, leader.at) <= reach and is_clear(field, at, leader.at) for at, reach in shots):
            return True
    return False


def _men_who_fire(battle: Battle, unit: Unit) -> str:
    return f"{amount(sum(arms_of(battle, unit).values()), 'man', 'men')} can fire"


def target(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate a volley's targets by range and importance. A stretch is chosen only if there is no group."""
    fire = fire_by_range(battle, arms_of(battle, unit), "halt")
    here = unit.standing.middle
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            found.append(_no_group(option))
            continue
        enemy, first = battle.unit(option[0]), battle.figure(option[1])
        away = _away(here, first)
        worth = at_range(fire, away)
        weight = _weight(battle, enemy, away)
        reason = partial('{:.2f} of a unit at {:.0f}", weight {:.1f}'.format, worth, away, weight)
        found.append(Evaluation(inflicts=0.02 + worth * weight, reason=reason))
    return found


def _no_group(option: Option) -> Evaluation:
    """Evaluate fire at a stretch of ground, or holding fire."""
    stretch = option == "a stretch"
    return Evaluation(inflicts=0.01 if stretch else 0.0, reason="1 place, no group" if stretch else "0 shots")


def _away(here: Point, figure: Figure) -> float:
    return dist(here, figure.at) if figure.at is not None else 36.0


def _weight(battle: Battle, enemy: Unit, away: float) -> float:
    """Return the importance of a hit on a unit: low if it routs, higher if close, highest if it carries an object."""
    if enemy.rout == "rout_4d6_off_board":
        return 0.3
    weight = 1.0 + 0.04 * min(enemy.hits, 10)
    if enemy.rout or enemy.pending:
        weight *= 0.8
    if any(thing.carrier in enemy.figures for thing in battle.prizes()):
        weight *= 2.0
    for goal in battle.goals:
        if enemy.spec.id in goal.units and (goal.kind == "escort" or enemy.spec.side not in goal.sides):
            weight *= 1.5
            break
    if away <= 12:
        weight *= 1.2
    return weight * (0.5 if len(enemy.able) == 1 else 1.0)


def gun(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate a gun's targets: larger groups are easier to hit, by one for every three figures (PAY-173)."""
    here = unit.standing.middle
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            found.append(_no_group(option))
            continue
        enemy = battle.unit(option[0])
        near = [figure for figure in enemy.able if "down" not in figure.marks]
        away = _away(here, battle.figure(option[1]))
        worth = min(len(near), 14) / SHARE * _weight(battle, enemy, away)
        found.append(
            Evaluation(
                inflicts=0.02 + worth,
                reason=f"about {amount(len(near), 'man', 'men')} at {amount(round(away), 'inch', 'inches')}",
            )
        )
    return found


@each
def unit_target(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the enemy units a leader may aim at: those whose leader commands many figures first (PAY-128)."""
    enemy = battle.units.get(str(option))
    if enemy is None:
        return Evaluation(reason="0 shots")
    shooter = battle.figure(question.actor)
    weapon, leader = ready_weapon(battle.book, shooter), enemy.figures.get(enemy.leader)
    led = leader is not None and leader.able and not enemy.spec.single and not enemy.rout
    aim = leader if led and leader is not None else enemy.able[0]
    away = _away(shooter.at or unit.standing.middle, aim)
    chance = hit_chance(battle, shooter.spec.firearms, weapon, away, shooter.gait) if weapon else 0.0
    shaken = chance * LEADER_LOST * SHAKEN * len(enemy.able) / SHARE if led else 0.0
    worth = chance * OUT / SHARE + shaken
    reason = partial("hit chance {:.2f}, worth {:.2f} of a unit".format, chance, worth)
    return Evaluation(inflicts=0.001 + worth, reason=reason)


@each
def man(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the figures of a unit as targets: its leader, else the carrier of an object."""
    if option == battle.unit_of(battle.figure(str(option))).leader:
        return Evaluation(inflicts=0.4, reason=THEIR_LEADER)
    if any(thing.carrier == option for thing in battle.prizes()):
        return Evaluation(inflicts=0.6, reason=WITH_PRIZE)
    return Evaluation(inflicts=0.1, reason=ANY_MAN)
