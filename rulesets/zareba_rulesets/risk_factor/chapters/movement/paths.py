"""Move allowances, paths, and the cost of difficult ground and barriers (RSK-071 to RSK-078)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zareba.base.exact import dist
from zareba.base.tally import Tally
from zareba.space.bearings import bearing_to
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, bounds, length
from zareba.space.ground.movement_cost import CostOf
from zareba.space.paths import cut_off, distance_along
from zareba.table import MoveCost
from zareba_rulesets.risk_factor.book.numbers import Ground
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit

__all__ = [
    "AT_BARRIER",
    "allowance",
    "can_walk",
    "full_move",
    "is_walled_off",
    "march_cost",
    "moves_at_barrier",
    "path_to",
    "turn_towards",
    "walk",
]

SPARE = 0.99
AT_BARRIER = 0.1  # largest distance in cm from a barrier that counts as contact


def allowance(battle: Battle, unit: Unit, hurt: bool, rough: bool = False, seen: list[Tally] | None = None) -> float:
    """Return the cm that a figure of a unit may move this turn, before any D6 or rout bonus.

    Foot move 25, wounded 20 (RSK-071, RSK-072). Civilians move 20, or 15 in long skirts, wounded or not (RSK-073).
    Riders move 40, wounded riders by setting (RSK-074); on rough ground they move as on foot with
    `movement.mounted_rough` set to foot_rate (RSK-075). Crewed weapons move 10 (RSK-008). Units with prisoners move at
    most 20 (RSK-157).
    """
    moves, spec, settings = battle.book.moves, unit.spec, battle.book.settings
    if spec.support:
        cm = moves["support"]
    elif spec.civilian:
        cm = moves["skirts_down"] if spec.skirts == "down" else moves["civilian"]
    elif unit.mounted and not (rough and settings.movement_mounted_rough == "foot_rate"):
        cm = settings.movement_mounted_wounded if hurt else moves["mounted"]
    else:
        cm = moves["foot_wounded"] if hurt else moves["foot"]
    base_allowance = min(cm, moves["guards"]) if battle.captives and battle.held_by(unit) else cm
    return float(battle.book.rules.number("movement", base_allowance, battle, unit, seen=seen))


def full_move(battle: Battle, unit: Unit) -> float:
    """Return the longest allowance in a unit: that of an unhurt figure, or of a wounded one if all are wounded
    (RSK-072).
    """
    return allowance(battle, unit, all(unit.hurt))


def turn_towards(unit: Unit, point: Point) -> None:
    """Turn a unit towards a point. Turning is free (RSK-078)."""
    if unit.hurt:
        unit.facing = bearing_to(unit.body.centre, point)


def path_to(battle: Battle, start: Point, goal: Point) -> list[Point]:
    """Return the straight line, or the shortest way round closed ground that blocks it."""
    if battle.field.meets_walls(start, goal):
        return list(battle.field.going[False].way_round(start, goal) or (start, goal))
    return [start, goal]


def walk(
    battle: Battle, unit: Unit, hurt: bool, path: Sequence[Point], bonus: float, share: float = 1.0
) -> tuple[Point, float, bool]:
    """Move one figure along a way with a share of its allowance. Return the point reached, the allowance spent, and
    True if a low barrier stopped it (RSK-077).

    A rider moves as on foot into ground that is not open and clear, or at the mounted rate up to its edge, whichever
    is farther (RSK-075).
    """
    field = battle.field
    if len(path) == 2:
        path = path_to(battle, path[0], path[1])
    cm = allowance(battle, unit, hurt)
    straight_moves, clear = field.going[False], field.going[True]
    progress = straight_moves.advance(path, share * cm + bonus, _barrier_cost(battle, unit, cm))
    if unit.mounted and is_slowed(battle, unit, cut_off(path, distance_along(path, progress.point))):
        slow = allowance(battle, unit, hurt, rough=True)
        into = straight_moves.advance(path, share * slow + bonus, _barrier_cost(battle, unit, slow))
        short = clear.advance(path, share * cm + bonus, _barrier_cost(battle, unit, cm))
        progress = max(into, short, key=lambda end: distance_along(path, end.point))
    by = progress.stopped_by
    return progress.point, progress.spent, by is not None and field.pieces[by].ground.barrier


def moves_at_barrier(battle: Battle, unit: Unit, is_stopped: bool) -> int:
    """Return the whole moves that a unit has spent in contact with a low barrier, including this one if it was
    `is_stopped` there (RSK-077).
    """
    counts = is_stopped and battle.book.settings.movement_barrier_cost == "two_moves"
    return unit.crossing + 1 if counts else 0


def is_slowed(battle: Battle, unit: Unit, path: Sequence[Point]) -> bool:
    """Return True if part of a rider's way is on ground that is not open and clear, which allows only the foot rate
    (RSK-075).
    """
    field = battle.field
    if not unit.mounted or not field.not_open or battle.book.settings.movement_mounted_rough != "foot_rate":
        return False
    rough = field.rough
    return any(piece.piece in rough for start, end in pairwise(path) for piece in field.table.crossed(start, end))


def can_walk(battle: Battle, unit: Unit, hurt: bool, path: Sequence[Point], bonus: float) -> bool:
    """Return True if a figure can pay for a way. Over open ground the cost is the length of the way (RSK-162)."""
    cm = allowance(battle, unit, hurt, is_slowed(battle, unit, path))
    if length(path) > cm + bonus + 1e-9:
        return False
    if not battle.field.hinders(bounds(path)):
        return True
    return battle.field.going[False].cost(path, _barrier_cost(battle, unit, cm), cm + bonus + 1e-9) is not None


def is_walled_off(battle: Battle, unit: Unit, hurt: bool, start: Point, goal: Point, room: float, bonus: float) -> bool:
    """Return True if a barrier that a figure cannot pay for lies between it and every point within `room` of the goal
    (RSK-077).
    """
    cm = allowance(battle, unit, hurt)
    left = cm + bonus - max(0.0, dist(start, goal) - room)
    return battle.field.going[False].is_barred(start, goal, room, _barrier_cost(battle, unit, cm), left)


def march_cost(battle: Battle, unit: Unit, goal: Point) -> MoveCost:
    """Return the cost of the way from a unit's centre to a point, and what the unit can spend on it this turn (RSK-071,
    RSK-077).
    """
    path, hurt = path_to(battle, unit.body.centre, goal), all(unit.hurt)
    cm = allowance(battle, unit, hurt, is_slowed(battle, unit, path))
    return MoveCost(battle.field.going[False].cost(path, _barrier_cost(battle, unit, cm)), cm)


def _barrier_cost(battle: Battle, unit: Unit, cm: float) -> CostOf[Ground]:
    """Return the price of crossing a low barrier: half the allowance, or two whole moves in contact with it (RSK-077).
    Other lines are free.
    """
    whole_moves = battle.book.settings.movement_barrier_cost == "two_moves"

    def cost_of_piece(piece: TerrainPiece[Ground]) -> float:
        if not piece.ground.barrier:
            return 0.0
        if whole_moves:
            return SPARE * cm if unit.crossing else 1e6
        return cm / 2

    return cost_of_piece
