"""Evaluation of a unit's choices in its move step: gaits, other actions and posture (PAY-067, PAY-086, PAY-091)."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from zareba.base.amounts import amount
from zareba.plugins.ruleset import Evaluation
from zareba.table import Choose, Option
from zareba_rulesets.paychest.estimates.expected_losses import Survey
from zareba_rulesets.paychest.estimates.positions import FEAR, PositionValue, go, stay
from zareba_rulesets.paychest.evaluation.machines import NOTHING, climb, machine
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["move", "posture"]

HIDE = 0.4
"""The weight of enemy fire for getting down without a target, since hidden figures are safe from it."""


def move(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate the gaits of a unit and the other actions of its move step."""
    calls = UnitGoals(battle, unit)
    if unit.spec.single and (calls.purpose is None or calls.purpose.kind not in ("prize", "escort", "claim")):
        return [_alone(option) for option in question.options]
    seen = PositionValue(battle, unit, calls)
    guns = sum(battle.engines[key].at is not None for key in battle.guns_of(unit))
    halt = stay(seen)
    return [halt if option == "halt" else _act(seen, halt.suffers, guns, option) for option in question.options]


def _alone(option: Option) -> Evaluation:
    """Evaluate the move of a single commander, who stays out of danger because he gains no ground."""
    halts = option == "halt"
    return Evaluation(
        steadies=0.1 if halts else 0.0, reason="a man alone gains no ground" if halts else "a man alone is at risk"
    )


def _act(seen: PositionValue, fear: float, guns: int, option: Option) -> Evaluation:
    """Evaluate an option other than halting. A unit that stays in place remains under the fire that falls there."""
    if isinstance(option, tuple):
        return machine(seen, fear, option)
    if option == "clear the jam":
        return Evaluation(0.5, fear, reason="a jammed gun cannot fire (PAY-176)")
    if option == "climb":
        return climb(seen, fear)
    if option not in seen.strides:
        return Evaluation(0.0, fear + NOTHING, reason="one order for all is enough")
    if guns:
        return Evaluation(0.0, fear + 0.5, reason=f"{amount(guns, 'gun')} would stay behind (PAY-178)")
    gait = str(option)
    goals = [] if seen.purpose is None or seen.left <= seen.purpose.radius else [seen.purpose.at]
    if seen.man is not None and (seen.free or seen.reached(seen.man, gait)):
        goals.append(seen.man)
    ways = [go(seen, goal, gait, seen.way_to(goal)) for goal in goals]
    return max(ways, key=attrgetter("total"), default=Evaluation(0.0, fear + NOTHING, reason="no ground to gain"))


def posture(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate postures: down if there is no target but a threat, up to fire (PAY-086)."""
    here, survey = unit.standing.middle, Survey(battle, unit)
    fire, danger = survey.fire(here, "halt"), survey.danger(here)
    threat = (FEAR if fire and not survey.bladed else HIDE) * danger
    found = []
    for option in question.options:
        if option == "down":
            found.append(Evaluation(steadies=threat, reason=partial("avoids {:.2f} of enemy fire".format, threat)))
        elif option == "up":
            reason = partial("up to fire, worth {:.2f}".format, fire)
            found.append(Evaluation(inflicts=fire, steadies=0.001, reason=reason))
        else:
            found.append(Evaluation(suffers=0.2, reason="one order for all is enough"))
    return found
