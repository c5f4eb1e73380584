"""Evaluation of other actions in the move step: limbering, pushing, driving, dismounting and climbing walls."""

from __future__ import annotations

from functools import partial

from zareba.base.amounts import amount
from zareba.base.exact import dist
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba_rulesets.paychest.chapters.movement.destinations import Destinations
from zareba_rulesets.paychest.chapters.movement.machines import room_towards
from zareba_rulesets.paychest.estimates.positions import PositionValue
from zareba_rulesets.paychest.forces.battle import Battle

__all__ = ["NOTHING", "climb", "machine"]

LEG = 1.0
"""Moves shorter than this, in inches, gain nothing."""
NOTHING = 0.1
"""The cost of an action that gains nothing: a lost move."""
NEAR_ENOUGH = 40.0
"""A limbered gun stops when it sees a target within this distance, in inches."""


def climb(seen: PositionValue, fear: float) -> Evaluation:
    """Evaluate climbing a wall: worthwhile if the unit's goal lies elsewhere."""
    return Evaluation(
        0.0, fear, 0.35 if _is_wanted_elsewhere(seen) else 0.0, reason="takes the unit over the wall (PAY-091)"
    )


def machine(seen: PositionValue, fear: float, option: tuple[object, ...]) -> Evaluation:
    """Evaluate an action with a gun, conveyance or mount. `fear` is the cost of enemy fire at the present position."""
    verb, survey, here, away = option[0], seen.survey, seen.here, seen.away
    effective = seen.battle.book.shell[0]
    if verb == "unlimber":
        close = away < effective and survey.sees_any(here, effective)
        return Evaluation(0.5 if close else 0.0, fear, reason=partial('the enemy is {:.0f}" away'.format, away))
    if verb == "drive":
        engine = seen.battle.engines[str(option[1])]
        gun = engine.kind in ("gun", "machine_gun")
        if gun and survey.sees_any(here, NEAR_ENOUGH):
            return Evaluation(0.0, fear, reason=partial('a target {:.0f}" away is near enough'.format, away))
        mover = "gun_limbered" if gun else engine.kind
        end = _end_of(seen, str(option[1]), mover, str(option[2]))
        if end is None:
            return Evaluation(0.0, fear + NOTHING, reason="there is no way on, or no room")
        if seen.is_too_bold(end):
            return Evaluation(0.0, fear + NOTHING, reason="no friends stand between this unit and the enemy")
        dice = _dice(seen.battle, mover, str(option[2]))
        worth = 0.14 if option[2] == "advance" else 0.2
        return Evaluation(0.0, fear, worth, reason=f"on its way, {amount(dice, 'die', 'dice')} a turn")
    if verb == "mount" and option[1] == "down" and _is_barred(seen):
        return Evaluation(
            0.0, fear, 0.3, reason=f"the last {amount(seen.on_foot['run'], 'inch', 'inches')} must be covered on foot"
        )
    blind = verb == "push" and away > 6 and not survey.sees_any(here, effective)
    if blind and _end_of(seen, str(option[1]), "gun_by_hand", "advance") is not None:
        return Evaluation(0.0, fear, 0.15, reason="no target in sight from here")
    return Evaluation(0.0, fear + NOTHING, reason="nothing is gained by this")


def _dice(battle: Battle, mover: str, gait: str) -> int:
    """Return the dice of a mover at a gait (PAY-066)."""
    line = battle.book.movers[mover]
    return line.run if gait == "run" else line.advance


def _end_of(seen: PositionValue, key: str, mover: str, gait: str) -> Point | None:
    """Return the point an engine reaches with average dice, or None if it has no route, no room or no reason to go."""
    battle, at = seen.battle, seen.battle.engines[key].at
    if at is None or not _is_wanted_elsewhere(seen):
        return None
    line = battle.book.movers[mover]
    inches = battle.book.inches_per_die * _dice(battle, mover, gait)
    points = Destinations(battle, seen.unit, at, inches, line.ground)
    first, aim = points.at(0), points.aims[0]
    if first is None or (first == aim and not battle.field.going[line.ground].is_open(at, first)):
        return None
    end, _, _ = battle.field.going[line.ground].march(at, first, inches)
    end = room_towards(battle, key, end)
    return None if dist(at, end) < LEG or seen.is_taken(end) else end


def _is_wanted_elsewhere(seen: PositionValue) -> bool:
    return seen.purpose is not None and seen.left > seen.purpose.radius


def _is_barred(seen: PositionValue) -> bool:
    """Return True if mounted figures are near a goal that they cannot ride onto."""
    wanted = seen.purpose.at if seen.purpose is not None else seen.here
    return dist(seen.here, wanted) <= seen.on_foot["run"] and not seen.battle.field.going["mounted"].can_stand(wanted)
