"""What shots are worth: which of the unit's fire first, at which group, at which man (PAY-092 to PAY-104, PAY-173)."""

from __future__ import annotations

from functools import partial
from math import dist

from zareba.ruleset import Appraisal
from zareba.table import Choose, Option, Point
from zareba_rulesets.paychest.appraisal.outlook import OUT, SHAKEN, SHARE, arms_of, fire_worth, hit_chance
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.goals import centre_of
from zareba_rulesets.paychest.shooting import ready_weapon
from zareba_rulesets.paychest.units import Figure, Unit

__all__ = ["fire", "gun", "man", "target", "unit_target"]

LEADER_LOST = 11 / 26
"""The chance that one card costs a leader (Table 6)."""
ORDER = {"volley with leaders": 0.31, "volley": 0.3, "unjam": 0.4, "gun": 0.6, "leader": 0.2}
"""Guns first, then the group, leaders last, for they can still choose when the rest is marked."""


def fire(battle: Battle, unit: Unit, question: Choose) -> list[Appraisal]:
    """What to fire next. A leader who can shake an enemy unit keeps his shots for its leader."""
    return [_fire(battle, unit, option) for option in question.options]


def _fire(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    word = str(option[0] if isinstance(option, tuple) else option)
    if word == "done":
        return Appraisal(reason="0 shots left that are worth it")
    if word == "volley of picked men":
        return Appraisal(suffers=1.0, reason=f"fewer than all {len(unit.able)} fire")
    if word == "volley with leaders":
        alone = [figure for figure in unit.able if battle.is_leader(figure)]
        chance = LEADER_LOST * SHAKEN
        if any(figure.spec.firearms >= 3 for figure in alone):
            return Appraisal(
                inflicts=0.1, reason=f"a hit on their leader shakes them with {chance:.2f}: he aims at him"
            )
    if word.startswith("volley"):
        return Appraisal(inflicts=ORDER[word], reason=partial(_men_who_fire, battle, unit))
    return Appraisal(inflicts=ORDER[word], reason="1 shot more")


def _men_who_fire(battle: Battle, unit: Unit) -> str:
    return f"{sum(arms_of(battle, unit).values())} men can fire"


def target(battle: Battle, unit: Unit, question: Choose) -> list[Appraisal]:
    """Where a volley falls: hits by range and cover on men who still fight; a stretch only where there is no group."""
    arms = arms_of(battle, unit)
    here = centre_of(unit)
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            stretch = option == "a stretch"
            found.append(
                Appraisal(inflicts=0.01 if stretch else 0.0, reason="1 place, no group" if stretch else "0 shots")
            )
            continue
        enemy, first = battle.unit(option[0]), battle.figure(option[1])
        away = _away(here, first)
        worth = fire_worth(battle, arms, away, "halt")
        weight = _weight(battle, enemy, away)
        reason = partial("{:.2f} of a unit at {:.0f} inches, weight {:.1f}".format, worth, away, weight)
        found.append(Appraisal(inflicts=0.02 + worth * weight, reason=reason))
    return found


def _away(here: Point, figure: Figure) -> float:
    return dist(here, figure.at) if figure.at is not None else 36.0


def _weight(battle: Battle, enemy: Unit, away: float) -> float:
    """How much a hit on a unit counts: units that run count little, shaken ones more, chargers near at hand most."""
    if enemy.rout == "rout_4d6_off_board":
        return 0.3
    weight = 1.0 + 0.04 * min(enemy.hits, 10)
    if enemy.rout or enemy.pending:
        weight *= 0.8
    if any(thing.carrier in enemy.figures for thing in battle.prizes()):
        weight *= 2.0
    wanted = any(enemy.spec.id in goal.units for goal in battle.goals if enemy.spec.side not in goal.sides)
    if wanted or any(enemy.spec.id in goal.units for goal in battle.goals if goal.kind == "escort"):
        weight *= 1.5
    if away <= 12:
        weight *= 1.2
    return weight * (0.5 if len(enemy.able) == 1 else 1.0)


def gun(battle: Battle, unit: Unit, question: Choose) -> list[Appraisal]:
    """A gun's group: the bigger the group the surer the hit, one point of skill for every three (PAY-173)."""
    here = centre_of(unit)
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            stretch = option == "a stretch"
            found.append(
                Appraisal(inflicts=0.01 if stretch else 0.0, reason="1 place, no group" if stretch else "0 shots")
            )
            continue
        enemy = battle.unit(option[0])
        near = [figure for figure in enemy.able if "down" not in figure.marks]
        away = _away(here, battle.figure(option[1]))
        worth = min(len(near), 14) / SHARE * _weight(battle, enemy, away)
        found.append(Appraisal(inflicts=0.02 + worth, reason=f"about {len(near)} men at {away:.0f} inches"))
    return found


def unit_target(battle: Battle, unit: Unit, question: Choose) -> list[Appraisal]:
    """Whose man a leader aims at: a leader of many men first (PAY-128)."""
    shooter = battle.figure(question.actor)
    weapon = ready_weapon(battle.book, shooter)
    found = []
    for option in question.options:
        enemy = battle.units.get(str(option))
        if enemy is None:
            found.append(Appraisal(reason="0 shots"))
            continue
        leader = enemy.figures.get(enemy.leader)
        led = leader is not None and leader.able and not enemy.spec.single and not enemy.rout
        aim = leader if led and leader is not None else enemy.able[0]
        away = _away(shooter.at or centre_of(unit), aim)
        chance = hit_chance(battle, shooter.spec.firearms, weapon, away, shooter.gait) if weapon else 0.0
        shaken = chance * LEADER_LOST * SHAKEN * len(enemy.able) / SHARE if led else 0.0
        worth = chance * OUT / SHARE + shaken
        found.append(Appraisal(inflicts=0.001 + worth, reason=f"hits with {chance:.2f}, worth {worth:.2f} of a unit"))
    return found


def man(battle: Battle, unit: Unit, question: Choose) -> list[Appraisal]:
    """Which man of the unit: its leader, else who carries the prize."""
    prizes = {thing.carrier for thing in battle.prizes()}
    found = []
    for option in question.options:
        figure = battle.figure(str(option))
        if figure.spec.id == battle.unit_of(figure).leader:
            reason = f"their leader: {LEADER_LOST:.2f} that a hit costs them him (PAY-092)"
            found.append(Appraisal(inflicts=0.4, reason=reason))
        else:
            prize = figure.spec.id in prizes
            reason = (
                f"he carries the prize: {OUT:.2f} that he drops it" if prize else f"{OUT:.2f} that a hit puts him out"
            )
            found.append(Appraisal(inflicts=0.6 if prize else 0.1, reason=reason))
    return found
