"""Estimates for the AI: expected hits of volleys and blows, dangers and cover.

This module contains no rules. It computes averages and distances from the numbers of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.space.geometry import Point, box_gap, joint_box
from zareba_rulesets.fixed_baynet.book.dice import hit_bands
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import find_targets, firers, target_figures
from zareba_rulesets.fixed_baynet.chapters.fire.fire import shot_facts
from zareba_rulesets.fixed_baynet.chapters.guns.indirect import guess_limits
from zareba_rulesets.fixed_baynet.chapters.melee.charges import chargers, contact_spot, men_outdoors, sort_by_distance
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import fight_facts, foe_in_front, strikers
from zareba_rulesets.fixed_baynet.chapters.morale.glory import CHARGE
from zareba_rulesets.fixed_baynet.chapters.movement.movement import step_towards
from zareba_rulesets.fixed_baynet.chapters.sight.contact import foes_in_reach, has_close_weapon
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import band_of
from zareba_rulesets.fixed_baynet.chapters.sight.sight import (
    OPEN_WINDOW,
    cover_between,
    sees,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = [
    "MAN",
    "NO_VOLLEY",
    "Volley",
    "blow_worth",
    "cover_at_point",
    "estimate_few_shots",
    "estimate_volley",
    "fight_chances",
    "fights_hand_to_hand",
    "hit_chance",
    "is_civil",
    "is_melee",
    "is_threatened",
    "marker_reason",
    "men_in_danger",
    "round_worth",
    "share_in_contact",
    "typical_man",
    "would_panic_by_charging",
]

MAN = 0.05  # the value of one man: a squad of twenty is 1
FOREMOST = 2  # number of chargers, and of targets, that are considered


class Volley(NamedTuple):
    """The estimate of one volley: hits and losses to counter-attacks."""

    taken: float
    answered: float


NO_VOLLEY = Volley(0.0, 0.0)


def hit_chance(book: FbnBook, need: int) -> float:
    """Return the share of rolls of the fire die that reach a number; its extremes always miss and hit (Table 10-B)."""
    die = book.file.fire_die
    lowest = hit_bands(need, die.faces, die.misses, die.critical, True).thresholds[0]
    return (die.faces + 1 - lowest) / die.faces


@lru_cache(maxsize=4096)
def blow_chances(bonus: int, own_dice: int, foe_dice: int, faces: int) -> tuple[float, float]:
    """Return the chances that a blow takes the enemy or the striker, by the difference of their bonuses.

    Each rolls a number of dice and counts the best.
    """
    won = lost = 0.0
    own, foe = (
        [(face**dice - (face - 1) ** dice) / faces**dice for face in range(1, faces + 1)]
        for dice in (own_dice, foe_dice)
    )
    for i, p in enumerate(own):
        for j, q in enumerate(foe):
            if i + bonus > j:
                won += p * q
            elif i + bonus < j:
                lost += p * q
    return won, lost


def _blow_chances(book: FbnBook, bonus: int, own_weapon: bool, foe_weapon: bool) -> tuple[float, float]:
    """Return the same by the close-combat weapons of the two."""
    blow = book.file.blow
    own = blow.close_weapon if own_weapon else blow.dice
    foe = blow.close_weapon if foe_weapon else blow.dice
    return blow_chances(bonus, own, foe, blow.die)


def estimate_volley(battle: Battle, unit: Unit, target: Unit, ready: Sequence[Figure] | None = None) -> Volley:
    """Return the estimate of one volley at another unit, based on the shot of the man in the middle.

    `ready` are the men who may fire, if the caller has them. Returns NO_VOLLEY if he has no target.
    """
    if ready is None:
        ready = firers(battle, unit, target.spec.id)
    return _estimate_by_one(battle, unit, target, ready, ready[len(ready) // 2]) if ready else NO_VOLLEY


def estimate_few_shots(battle: Battle, unit: Unit, target: Unit, ready: Sequence[Figure]) -> Volley:
    """Return the estimate if the middle man has no target: a few shots, if the nearest man has one."""
    box = target.box
    figure = min(ready, key=lambda man: box_gap((*man.at, *man.at), box))
    return _estimate_by_one(battle, unit, target, ready[: max(1, len(ready) // 4)], figure)


def _estimate_by_one(battle: Battle, unit: Unit, target: Unit, ready: Sequence[Figure], figure: Figure) -> Volley:
    """Return the estimate of a volley by these men, if all of them shot like one of them."""
    men = target_figures(battle, unit.spec.side, target)
    if not men:
        return NO_VOLLEY
    scene = battle.field.scene(joint_box(unit.box, target.box))
    aimed_at = find_targets(battle, unit, figure, men, scene)
    if not aimed_at:
        return NO_VOLLEY
    man, inches, _ = aimed_at[0]
    band = band_of(battle, figure, inches) or "long"
    need = battle.book.rules.tally(
        "fire", shot_facts(battle, figure, target, man, scene, band), battle, unit, target
    ).total
    taken = min(len(ready) * hit_chance(battle.book, need), float(len(men)))
    answered = 0.0
    answers = battle.book.settings.counter_attack == "wounded" and "activated" not in target.marks
    if answers and man.weapon != "none":
        answered = taken * hit_chance(battle.book, figure.spec.ds - man.spec.cs) * 0.9
    return Volley(taken, answered)


def blow_worth(battle: Battle, unit: Unit, target: Unit) -> tuple[float, float]:
    """Return the chances of one blow of a man of the unit against one of the target's."""
    own, foe, book = typical_man(unit), typical_man(target), battle.book
    higher = (own.mounted and not foe.mounted) - (foe.mounted and not own.mounted)
    bonus = own.spec.cs - foe.spec.cs + higher * book.melee_bonus["rider"]
    if target.shape == "square":
        bonus -= book.melee_bonus["square"]
    return _blow_chances(book, int(bonus), has_close_weapon(battle, own), has_close_weapon(battle, foe))


def fight_chances(battle: Battle, unit: Unit) -> tuple[float, float]:
    """Return the chances of the first man who can strike, with all modifiers of his position (Table 12-A)."""
    for figure in strikers(battle, unit):
        foe = foe_in_front(battle, unit, figure)
        home = None if foe is None else battle.home(foe.spec.id)
        if foe is None or home is None:
            continue
        own, other = fight_facts(battle, unit, figure, foe, True), fight_facts(battle, home, foe, figure, False)
        tally = battle.book.rules.tally
        bonus = tally("close_combat", own).total - tally("close_combat", other).total
        won, lost = _blow_chances(battle.book, bonus, own.weapon, other.weapon)
        return won, lost if battle.book.settings.cc_symmetric and not other.harmless else 0.0
    return 0.0, 0.0


def would_panic_by_charging(battle: Battle, unit: Unit) -> bool:
    """Return True if the confusion of a charge makes a unit panic (FBN-143, FBN-151)."""
    worst = max([man.gl for man in unit.steady], default=0)
    return worst + battle.book.file.glory.event >= battle.book.panics_at and CHARGE not in unit.events


def share_in_contact(battle: Battle, unit: Unit, target: Unit) -> float:
    """Return the share of a charge on foot that reaches its target, judged by the foremost men: all in contact, or
    some within reach over a wall (FBN-103).
    """
    foremost = sort_by_distance(chargers(battle, unit), target)[:FOREMOST]
    if not foremost:
        return 0.0
    scene = battle.field.view(joint_box(unit.box, target.box))
    for man in foremost:
        near = men_outdoors(man, target)[:FOREMOST]
        if contact_spot(battle, unit, man, [foe for foe in near if sees(battle, man, foe, scene)]) is not None:
            return 1.0
    if not has_close_weapon(battle, foremost[0]):
        return 0.0
    aside = battle.copy_for_look_ahead(unit.spec.id)
    copy = aside.units[unit.spec.id]
    first = copy.figures[foremost[0].spec.id]
    for foe in men_outdoors(first, target)[:1]:
        step_towards(aside, copy, first, foe.at, charging=True)
    return 0.4 if foes_in_reach(aside, first, unit.spec.side) else 0.0


def round_worth(battle: Battle, unit: Unit, gun: Gun, point: Point) -> tuple[float, int]:
    """Return the value of a round at a point, allowing for a bad guess, and the number of enemies under the marker.

    The value is 0 outside the range of the gun, and negative if the round endangers friends. The count is the same at
    any distance, so that it does not reveal the range to the player who guesses (FBN-006).
    """
    least, most = guess_limits(battle, unit, gun)
    reach = battle.book.burst_radius(gun.kind)
    stray = (battle.book.file.deviation["shell"].die + 1) / 2  # inches a shell deviates on average (FBN-219)
    in_reach = least - reach <= dist(point, gun.at) <= most + reach
    enemies = friends = 0
    for other in battle.on_table():
        own = other.spec.side == unit.spec.side
        wide = reach + stray if own else reach
        if not own and "hidden" in other.marks:
            continue
        under = sum(dist(man.at, point) <= wide for man in other.figures.values())
        friends += under * own
        enemies += under * (not own)
    return MAN * (enemies - friends) if in_reach else 0.0, enemies


def marker_reason(men: int) -> Callable[[], str]:
    """Return the reason for a round at a point, by the number of enemies under the marker (FBN-216)."""
    return partial("{} under the marker (FBN-216)".format, amount(men, "man", "men") if men else "no enemy")


def typical_man(unit: Unit) -> Figure:
    """Return a typical man of the unit."""
    return next(reversed(unit.figures.values()))


def is_melee(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit fights mainly hand to hand."""
    return fights_hand_to_hand(battle, typical_man(unit))


def fights_hand_to_hand(battle: Battle, man: Figure) -> bool:
    """Return True if a man has a close-combat weapon and no weapon that reaches beyond a throw."""
    reach = limits_of(battle, man)[2] if man.weapon != "none" else -1.0
    return man.spec.close and reach < 12


def is_civil(unit: Unit) -> bool:
    """Return True if a unit is civilians, who are unarmed."""
    return typical_man(unit).spec.role == "civilian"


def men_in_danger(battle: Battle, unit: Unit, foes: Sequence[tuple[float, Unit]]) -> float:
    """Return the number of men that enemies may shoot down before this unit acts again.

    Enemies that have acted this turn count half. `foes` are the enemies with their distances.
    """
    danger = 0.0
    for away, foe in foes:
        man = typical_man(foe)
        if man.weapon != "none" and away <= limits_of(battle, man)[2]:
            danger += (0.1 if "activated" in foe.marks else 0.2) * len(foe.figures)
    return min(danger, float(len(unit.figures)))


def cover_at_point(battle: Battle, unit: Unit, foe: Unit, x: float, y: float) -> int:
    """Return the CV that a man of the unit would have at a point against a man of the enemy (FBN-070)."""
    man, firer = typical_man(unit), typical_man(foe)
    if man.place:
        return cover_between(battle, firer.at, firer, man, OPEN_WINDOW)
    box = min(x, firer.x), min(y, firer.y), max(x, firer.x), max(y, firer.y)
    scene = battle.field.scene(box)
    if not scene.covers:
        return 0
    mark = Figure(x, y, battle.field.height((x, y)), man.facing, man.gl, man.weapon, mounted=man.mounted, spec=man.spec)
    return cover_between(battle, firer.at, firer, mark, scene)


def is_threatened(battle: Battle, unit: Unit) -> bool:
    """Return True if enemies that shoot may come within reach of a unit this turn, or if no enemy is seen yet."""
    foes = battle.enemies(unit.spec.side)
    if not foes:
        return True
    shooters = 0
    for foe in foes:
        man = typical_man(foe)
        reach = limits_of(battle, man)[2] if man.weapon != "none" else -1.0
        if reach > 0 and box_gap(unit.box, foe.box) <= reach + 10:
            shooters += len(foe.figures)
    return shooters > 2
