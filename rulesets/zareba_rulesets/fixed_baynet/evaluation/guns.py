"""Evaluation of the acts of guns and machine guns, and of shots at them."""

from __future__ import annotations

from functools import partial
from typing import Any

from zareba.base.amounts import amount
from zareba.base.exact import atan2d, dist
from zareba.battle.evaluation import Evaluation, fixed
from zareba.space.bearings import angle_between
from zareba_rulesets.fixed_baynet.actions.gun_orders import plot_points
from zareba_rulesets.fixed_baynet.chapters.guns.artillery import aims_of_gun, gun_facts
from zareba_rulesets.fixed_baynet.chapters.guns.machine_guns import salvo_aim
from zareba_rulesets.fixed_baynet.estimates.expected_losses import MAN, hit_chance, round_worth
from zareba_rulesets.fixed_baynet.estimates.positions import NOTHING
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView

__all__ = ["PIECES", "at_gun", "gun_fire", "indirect", "salvo", "turn"]


def gun_fire(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    battle, unit = look.battle, look.unit
    gun, target = unit.guns[option[1]], battle.units[option[2]]
    man = next(aims_of_gun(battle, unit, gun, target), None)
    if man is None:
        return NOTHING
    need = battle.book.rules.tally("fire", gun_facts(battle, unit, gun, target, man), battle, unit, target).total
    radius = battle.book.burst_radius(gun.kind)
    under = sum(dist(f.at, man.at) <= radius for f in target.figures.values())
    taken = 0.7 * under * hit_chance(man.spec.ds)
    reason = partial("{}+ to hit, {} under the marker (FBN-215)".format, need, amount(under, "man", "men"))
    return Evaluation(inflicts=taken * MAN, reason=reason)


def salvo(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    battle, unit = look.battle, look.unit
    target, gun = battle.units[option[2]], unit.guns[option[1]]
    man = salvo_aim(battle, unit, gun, target)
    if man is None:
        return NOTHING
    need = battle.book.rules.tally("fire", gun_facts(battle, unit, gun, target, man), battle, unit, target).total
    taken = min(6 * hit_chance(need), float(len(target.figures)))
    reason = partial("{:.1f} hits expected, and pins (FBN-230)".format, taken)
    return Evaluation(inflicts=taken * MAN + 0.03, reason=reason)


def indirect(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    """Return the value of indirect fire, by its best point; a mortar's point is already plotted (FBN-222, FBN-227)."""
    battle, unit = look.battle, look.unit
    gun = unit.guns[option[1]]
    points = [(gun.plot[0], gun.plot[1])] if gun.plot else plot_points(battle, unit, gun)
    worth, under = max([round_worth(battle, unit, gun, point) for point in points], default=(0.0, 0))
    reason = partial("{} under the marker (FBN-216)".format, amount(under, "man", "men"))
    return Evaluation(ground=0.06 if worth > 0 else -0.02, reason=reason)


def at_gun(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    """Return the value of a shot at a gun. It is worth shots only while its unit has men to serve it."""
    return PIECES[option[0]] if look.battle.units[option[-2]].figures else BARE


PIECES = fixed(
    "ground",
    {
        "fire at gun": (0.03, "the gun itself, DS 3 (FBN-204)"),
        "gun at gun": (0.12, "gun against gun, DS 3 (FBN-204)"),
    },
)
BARE = Evaluation(ground=-0.02, reason="no gunners left to serve it (FBN-206)")


def turn(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    gun = look.unit.guns[option[1]]
    foe = look.nearest[1]
    if foe is None:
        return NOBODY
    x, y = foe.middle
    off = angle_between(gun.bearing, atan2d(x - gun.x, y - gun.y))
    reason = partial("the nearest enemy is {:.0f} degrees off (FBN-208)".format, off)
    return Evaluation(ground=0.02 if off > 20 else -0.02, reason=reason)


NOBODY = Evaluation(ground=-0.02, reason="no enemy to turn to (FBN-208)")
