"""Evaluation of fire: the order of shots, target groups and single targets (PAY-092 to PAY-104, PAY-173)."""

from __future__ import annotations

from functools import partial

from zareba.base.amounts import amount
from zareba.base.exact import dist
from zareba.battle.evaluation import Evaluation, each
from zareba.table import Choose, Option, Point
from zareba_rulesets.paychest.book.tables import DIE
from zareba_rulesets.paychest.chapters.to_hit import ready_weapon
from zareba_rulesets.paychest.estimates.expected_losses import (
    SHARE,
    arms_of,
    at_range,
    fire_by_range,
    hit_chance,
    is_clear,
    out_chance,
    reach,
)
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["fire", "gun", "man", "target", "unit_target"]

GOOD_SHOT = 3
"""The Firearms Skill from which leaders aim at the enemy's leader instead of joining the volley."""
ORDER = {"volley with leaders": 0.31, "volley": 0.3, "unjam": 0.4, "gun": 0.6, "leader": 0.2}
"""Guns come first, then the group. Leaders come last, because they choose after the other shots."""


@each
def fire(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate what to fire next. A leader with an enemy leader in range and sight keeps his shots for him."""
    word = str(option[0] if isinstance(option, tuple) else option)
    if word == "done":
        return Evaluation(reason="nothing left is worth firing")
    if word == "volley of picked men":
        return Evaluation(suffers=1.0, reason=f"fewer than all {len(unit.able)} fire")
    if word == "volley with leaders" and _may_shake(battle, unit):
        chance = battle.book.disabling * battle.book.leader_loss_fails
        return Evaluation(inflicts=0.1, reason=f"leaders aim at their leader: {chance:.0%} of the hits shake his unit")
    if word.startswith("volley"):
        return Evaluation(inflicts=ORDER[word], reason=partial(_men_who_fire, battle, unit))
    return Evaluation(inflicts=ORDER[word], reason="fires as well")


def _may_shake(battle: Battle, unit: Unit) -> bool:
    """Return True if a good shot among the unit's leaders has an enemy leader in range and sight (PAY-092, PAY-128)."""
    book, field = battle.book, battle.field
    shots = [
        (figure.at, reach(battle, weapon))
        for figure in unit.able
        if figure.rank in book.leader_ranks and figure.spec.firearms >= GOOD_SHOT
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
        away = _away(battle, here, first)
        worth = at_range(fire, away)
        weight = _weight(battle, enemy, away)
        reason = partial('{:.2f} of a unit at {:.0f}", weight {:.1f}'.format, worth, away, weight)
        found.append(Evaluation(inflicts=0.02 + worth * weight, reason=reason))
    return found


def _no_group(option: Option) -> Evaluation:
    """Evaluate fire at a stretch of ground, or holding fire."""
    stretch = option == "a stretch"
    return Evaluation(inflicts=0.01 if stretch else 0.0, reason="a place without a group" if stretch else "holds fire")


def _away(battle: Battle, here: Point, figure: Figure) -> float:
    return dist(here, figure.at) if figure.at is not None else battle.book.long_arm[1]


def _weight(battle: Battle, enemy: Unit, away: float) -> float:
    """Return the importance of a hit on a unit: low if it routs, higher if close, highest if it carries an object."""
    if enemy.rout and not battle.book.results[enemy.rout].rallies:
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
    """Evaluate a gun's targets: larger groups are easier to hit and lose more men (PAY-173)."""
    here = unit.standing.middle
    hits = battle.book.file.guns["shell"].hit_dice * (1 + DIE) / 2
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            found.append(_no_group(option))
            continue
        enemy = battle.unit(option[0])
        near = [figure for figure in enemy.able if "down" not in figure.marks]
        away = _away(battle, here, battle.figure(option[1]))
        worth = min(len(near), hits) / SHARE * _weight(battle, enemy, away)
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
        return Evaluation(reason="holds fire")
    shooter = battle.figure(question.actor)
    weapon, leader = ready_weapon(battle.book, shooter), enemy.figures.get(enemy.leader)
    led = leader is not None and leader.able and not enemy.spec.single and not enemy.rout
    aim = leader if led and leader is not None else enemy.able[0]
    away = _away(battle, shooter.at or unit.standing.middle, aim)
    chance = hit_chance(battle, shooter.spec.firearms, weapon, away, shooter.gait) if weapon else 0.0
    book = battle.book
    shaken = chance * book.disabling * book.leader_loss_fails * len(enemy.able) / SHARE if led else 0.0
    worth = chance * out_chance(battle) / SHARE + shaken
    reason = partial("hit chance {:.2f}, worth {:.2f} of a unit".format, chance, worth)
    return Evaluation(inflicts=0.001 + worth, reason=reason)


@each
def man(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the figures of a unit as targets: its leader, else the carrier of an object."""
    if option == battle.unit_of(battle.figure(str(option))).leader:
        lost = battle.book.disabling
        return Evaluation(inflicts=0.4, reason=f"their leader: {lost:.0%} of the hits take him out (PAY-092)")
    if any(thing.carrier == option for thing in battle.prizes()):
        return Evaluation(inflicts=0.6, reason="carries an object of an objective, which he may drop")
    return Evaluation(inflicts=0.1, reason=f"{out_chance(battle):.0%} of the hits put him out")
