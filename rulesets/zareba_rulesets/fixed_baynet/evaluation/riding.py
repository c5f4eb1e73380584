"""Evaluation of rides. A ride whose minimum distance leads past the goal is worse than standing still (FBN-174)."""

from __future__ import annotations

from functools import partial
from typing import Any

from zareba.base.amounts import amount
from zareba.plugins.ruleset import Evaluation
from zareba_rulesets.fixed_baynet.actions.destinations import ways_to_ride
from zareba_rulesets.fixed_baynet.estimates.positions import PositionValue
from zareba_rulesets.fixed_baynet.estimates.unit_view import KEPT, UnitView

__all__ = ["ride", "wheel"]


def ride(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    """Return the evaluation of a straight ride. It is positive only if some ride leads to a better position."""
    worth = _wish_to_ride(look, option[1])
    return worth if worth.ground <= 0 or _leads_nearer(look, option[1]) else PAST


def _wish_to_ride(look: UnitView, gait: int) -> Evaluation:
    """Return the value of riding.

    Riders with close weapons gather pace, others ride while the enemy is far, and a unit with an objective gets there
    in time.
    """
    away = look.nearest[0]
    if look.keeps:
        return KEPT
    if look.is_urgent and look.aim is not None:
        reason = partial('{:.0f}" to an objective of {} (FBN-265)'.format, look.left, amount(look.aim.points, "point"))
        return Evaluation(ground=0.2 + 0.01 * gait, reason=reason)
    if look.melee or look.man.spec.close:
        return Evaluation(ground=0.03 + 0.01 * gait if away > 2 else -0.02, reason="gather pace for a charge (FBN-176)")
    worth = 0.03 + 0.001 * gait if away > 20 else -0.02
    return Evaluation(ground=worth, reason=partial('{:.0f}" from the enemy'.format, away))


def _leads_nearer(look: UnitView, gait: int) -> bool:
    """Return True if some legal straight ride at this gait improves the unit's position."""
    if gait not in look.leads:
        look.leads[gait] = _is_there_a_way_nearer(look, gait)
    return look.leads[gait]


def _is_there_a_way_nearer(look: UnitView, gait: int) -> bool:
    ground = PositionValue(look)
    if not _may_lead_nearer(look, ground, gait):
        return False
    return ground.better(ways_to_ride(look.battle, look.unit, gait)[1]) is not None


def _may_lead_nearer(look: UnitView, ground: PositionValue, gait: int) -> bool:
    """Return True if a ride at this gait, with all ways open, could improve the position."""
    kind = look.battle.book.gaits[gait]
    least = float(max(1, kind.least))
    return ground.gain(least, (least + kind.most) / 2, float(kind.most)) > 0


PAST = Evaluation(ground=-0.02, reason="no ride at this gait leads nearer (FBN-174)")


def wheel(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    """Return the evaluation of a ride with turns.

    A straight ride goes farther, but a turn is better than standing if no straight ride helps.
    """
    gait = option[1]
    wanted = _wish_to_ride(look, gait).ground > 0 and _may_lead_nearer(look, PositionValue(look), gait)
    return Evaluation(
        ground=0.02 if wanted and not _leads_nearer(look, gait) else -0.02,
        reason="a turn costs 1 or 2 inches (FBN-175)",
    )
