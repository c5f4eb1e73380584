"""Evaluation of smaller choices: which unit to activate, bearings and targets."""

from __future__ import annotations

from functools import partial
from typing import Any

from zareba.base.exact import atan2d
from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.space.bearings import angle_between
from zareba.space.table_edges import WINDS, bearing_of
from zareba.table import Option
from zareba_rulesets.fixed_baynet.actions.actor import AS_A_UNIT
from zareba_rulesets.fixed_baynet.actions.one_man import MAN_ACTIONS
from zareba_rulesets.fixed_baynet.chapters.fire.counter_attack import ALL
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import nearest_enemy
from zareba_rulesets.fixed_baynet.estimates.expected_losses import (
    MAN,
    is_civil,
    marker_reason,
    men_in_danger,
    round_worth,
    typical_man,
)
from zareba_rulesets.fixed_baynet.estimates.objectives import SideObjectives
from zareba_rulesets.fixed_baynet.estimates.positions import NOTHING
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle

__all__ = ["value_activation", "value_aim_points", "value_bearings", "value_counter_attacks", "value_target"]


@evaluate_each
def value_activation(battle: Battle, mission: SideObjectives, question: Any, option: Option) -> Evaluation:
    """Return the value of activating a unit: defenceless units first, then those nearest to the enemy, before he acts."""
    unit = battle.units.get(str(option))
    if unit is None:
        return NOTHING
    foes = battle.foes(unit)
    away = min([100.0, *[gap for gap, _ in foes]])
    bare = is_civil(unit) and any(not figure.prone for figure in unit.figures.values())
    exposed = 0.0 if typical_man(unit).prone or unit.guns else 0.02 * men_in_danger(battle, unit, foes)
    reason = partial('the enemy is {:.0f}" away'.format, away)
    return Evaluation(ground=1 / (4 + away) + exposed + bare, reason=reason)


def value_bearings(battle: Battle, mission: SideObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each bearing: towards the nearest enemy is best."""
    unit = battle.units.get(question.actor.rpartition(" ")[0]) or battle.units.get(question.actor)
    foe = nearest_enemy(battle, unit)[1] if unit is not None else None
    if unit is None or foe is None:
        return [NOTHING] * len(question.options)
    (x, y), (fx, fy) = unit.middle, foe.middle
    number = question.actor.rpartition(" ")[2]
    if question.why == "turn gun to" and number.isdigit():
        x, y = unit.guns[int(number) - 1].at
    to_enemy = atan2d(fx - x, fy - y)
    found = []
    for option in question.options:
        way = bearing_of(option) if option in WINDS else float(option)
        off = angle_between(to_enemy, way)
        found.append(
            Evaluation(ground=-off / 1000, reason=partial("the nearest enemy is {:.0f} degrees off".format, off))
        )
    return found


def value_acts_of_man(battle: Battle, mission: SideObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each action of one man. A unit acts together, so he does nothing by default."""
    actions, book, home = MAN_ACTIONS.of(battle.book.rules), battle.book, battle.home(question.actor)
    found = []
    for option in question.options:
        action = actions.read(option)
        worth = None if action is None else actions.flat(book).get(action.verb)
        if worth is None and action is not None and home is not None:
            worth = actions.value(action, UnitView(battle, mission, home), book)
        found.append(worth or AS_A_UNIT.of(book))
    return found


@evaluate_each
def value_target(battle: Battle, mission: SideObjectives, question: Any, option: Option) -> Evaluation:
    """Return the value of a target: leaders are worth most, and any enemy is worth more than none."""
    spec = battle.specs.get(str(option))
    worth = 0.0 if spec is None or spec.side == question.seat else MAN * (1.5 if spec.leads else 1.0)
    worse = partial("he is a leader, and his fall worsens glory by {} (FBN-140)".format, battle.book.file.glory.event)
    return Evaluation(inflicts=worth, reason=worse if worth > MAN else "he is an enemy like any other")


def value_aim_points(battle: Battle, mission: SideObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each point: most enemies and no friends under the marker, within the reach of the gun."""
    key, _, number = question.actor.rpartition(" ")
    unit = battle.units[key]
    found = []
    for point in question.suggestions:
        worth, under = round_worth(battle, unit, unit.guns[int(number) - 1], point)
        found.append(Evaluation(inflicts=worth, reason=marker_reason(under)))
    return found


def value_counter_attacks(battle: Battle, mission: SideObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each answer to a volley: to answer every hit is best (FBN-096)."""
    falling = battle.book.settings.counter_attack == "wounded"
    reason = "falling men counter-attack with AC they lose anyway" if falling else "men who stay in play counter-attack"
    reason = f"{reason} (FBN-096)"
    return [Evaluation(inflicts=2 * MAN if option == ALL else 0.0, reason=reason) for option in question.options]
