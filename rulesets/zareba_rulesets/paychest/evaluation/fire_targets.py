"""Evaluation of the targets of fire: groups, units and single figures (PAY-092 to PAY-104, PAY-173)."""

from __future__ import annotations

from functools import partial
from typing import Any

from zareba.base.exact import dist, total
from zareba.base.grammar import amount, percent
from zareba.battle.evaluation import Evaluation, about_men, evaluate_each
from zareba.table import Choose, Option, Point
from zareba_rulesets.paychest.book.tables import DIE
from zareba_rulesets.paychest.chapters.fire import ready_weapon
from zareba_rulesets.paychest.chapters.targets import volley_group
from zareba_rulesets.paychest.estimates import (
    LEAVING,
    UNIT_SIZE,
    arms_of,
    at_range,
    fire_by_range,
    hit_chance,
    is_leaving,
)
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.intentions import figures_at
from zareba_rulesets.paychest.forces.units import Figure, Unit


def evaluate_volley_targets(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate a volley's targets by range and importance. A stretch is chosen only if there is no group."""
    fire = fire_by_range(battle, arms_of(battle, unit), "halt")
    here = unit.positions.middle
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            found.append(_no_group(option))
            continue
        enemy, first = battle.unit(option[0]), battle.figure(option[1])
        distance = _distance_to(battle, here, first)
        value = at_range(fire, distance)
        importance = _importance(battle, enemy, distance)
        reason = partial(_toll, battle, unit, question, option)
        found.append(Evaluation(inflicts=0.02 + value * importance, reason=reason))
    return found


def _toll(battle: Battle, unit: Unit, question: Choose, option: tuple[Any, ...]) -> str:
    """Return what one volley should cost the enemy, as a reason: of the men who fire, as they have moved, and no more
    men than can be hit.
    """
    firers, group = volley_group(battle, unit, option, question.about)
    distance = _distance_to(battle, unit.positions.middle, battle.figure(option[1]))
    hits = total(
        [
            hit_chance(battle, man.spec.firearms, weapon, distance, man.gait)
            for man, weapon in firers
            if man.at is not None
        ]
    )
    return f"this volley should cost the enemy {about_men(min(hits * battle.book.out_chance, len(group)))}"


def _no_group(option: Option) -> Evaluation:
    """Evaluate fire at a stretch of ground, or holding fire."""
    stretch = option == "a stretch"
    return Evaluation(
        inflicts=0.01 if stretch else 0.0, reason="no enemy group stands there" if stretch else "holds fire"
    )


def _distance_to(battle: Battle, here: Point, figure: Figure) -> float:
    """Return the inches to a figure; those of long range if it is not on the table."""
    return dist(here, figure.at) if figure.at is not None else battle.book.long_arm.extreme


def _importance(battle: Battle, enemy: Unit, distance: float) -> float:
    """Return the importance of a hit on a unit.

    It is low if the unit routs, higher if it is close or stands on a place to hold, highest if it carries an object.
    """
    if is_leaving(battle, enemy):
        return LEAVING
    importance = 1.0 + 0.04 * min(enemy.hits, 10)
    if enemy.rout or enemy.pending:
        importance *= 0.8
    if any(thing.carrier in enemy.figures for thing in battle.things_of_objectives()):
        importance *= 2.0
    for goal in battle.goals:
        if enemy.spec.id in goal.units and (goal.kind == "escort" or enemy.spec.side not in goal.sides):
            importance *= 1.5
            break
    importance *= 1.0 + share_of_points(battle, enemy)
    if distance <= 12:
        importance *= 1.2
    return importance * (0.5 if len(enemy.able) == 1 else 1.0)


def share_of_points(battle: Battle, enemy: Unit) -> float:
    """Return the share of the scenario's points for the places on which a unit stands, divided by the turns left.

    A place counts at the end, and until then the enemies who fight matter more.
    """
    held = [goal for goal in battle.goals if goal.kind == "hold" and goal.at is not None and figures_at([enemy], goal)]
    if not held:
        return 0.0
    worth = total([goal.points / max(1, goal.due - battle.turn) for goal in held])
    return worth / (sum([goal.points for goal in battle.goals]) or 1)


def evaluate_gun_targets(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate a gun's targets: larger groups are easier to hit and lose more men (PAY-173)."""
    here = unit.positions.middle
    hits = battle.book.file.guns["shell"].hit_dice * (1 + DIE) / 2
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            found.append(_no_group(option))
            continue
        enemy = battle.unit(option[0])
        near = [figure for figure in enemy.able if "down" not in figure.marks]
        distance = _distance_to(battle, here, battle.figure(option[1]))
        value = min(len(near), hits) / UNIT_SIZE * _importance(battle, enemy, distance)
        found.append(
            Evaluation(
                inflicts=0.02 + value,
                reason=f"{amount(len(near), 'man stands', 'men stand')} there in the open",
            )
        )
    return found


@evaluate_each
def evaluate_units_to_aim_at(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the enemy units a leader may aim at: those whose leader commands many figures first (PAY-128)."""
    enemy = battle.units.get(str(option))
    if enemy is None:
        return Evaluation(reason="holds fire")
    shooter = battle.figure(question.actor)
    weapon, leader = ready_weapon(battle.book, shooter), enemy.figures.get(enemy.leader)
    led = leader is not None and leader.able and not enemy.spec.single and not enemy.rout
    aim = leader if led and leader is not None else enemy.able[0]
    distance = _distance_to(battle, shooter.at or unit.positions.middle, aim)
    chance = hit_chance(battle, shooter.spec.firearms, weapon, distance, shooter.gait) if weapon else 0.0
    book = battle.book
    shaken = chance * book.disabling_share * book.leader_loss_fails * len(enemy.able) / UNIT_SIZE if led else 0.0
    value = (chance * battle.book.out_chance / UNIT_SIZE + shaken) * _importance(battle, enemy, distance)

    def reason() -> str:
        # The man worth most may be out of range while others of his unit are not.
        nearest = min(_distance_to(battle, shooter.at or unit.positions.middle, figure) for figure in enemy.able)
        shown = chance or (hit_chance(battle, shooter.spec.firearms, weapon, nearest, shooter.gait) if weapon else 0.0)
        return f"the shot has a {percent(shown)} chance to hit" if shown else "a shot at the edge of its range"

    return Evaluation(inflicts=0.001 + value, reason=reason)


@evaluate_each
def evaluate_men_to_aim_at(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the figures of a unit as targets: its leader, else the carrier of an object."""
    if option == battle.unit_of(battle.figure(str(option))).leader:
        lost = battle.book.disabling_share
        return Evaluation(
            inflicts=0.4, reason=f"he leads the unit, and {percent(lost)} of the hits put him out of action (PAY-092)"
        )
    if any(thing.carrier == option for thing in battle.things_of_objectives()):
        return Evaluation(inflicts=0.6, reason="he carries an object of an objective, which he may drop")
    return Evaluation(inflicts=0.1, reason=f"{percent(battle.book.out_chance)} of the hits put him out of action")
