"""Movement: how the figures of a unit move together, and where they end (RSK-038, RSK-078 to RSK-080, RSK-145)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from zareba.base.exact import dist, total
from zareba.rules import procedure
from zareba.space.bearings import bearing_to
from zareba.space.field.bases import SLACK, Base, Crowd
from zareba.space.field.bodies import Body, crowd_of
from zareba.space.geometry import Bounds, Point, bounds, bounds_meet, box_between, widen
from zareba.space.moves.contact import first_touch
from zareba.space.moves.free_space import drawn_back, evenly_back, foremost
from zareba.space.paths import cut_off
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.movement.guards import stand_to_kill
from zareba_rulesets.risk_factor.chapters.movement.paths import (
    AT_BARRIER,
    allowance,
    full_move,
    moves_at_barrier,
    walk,
)
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit

__all__ = [
    "bring_leaders",
    "free_spot",
    "go",
    "killers_who_stay",
    "lose_figures",
    "place_body",
    "short_of",
    "spot_beside",
]

APART = 0.5
STIR = 0.05  # cm; shorter moves are ignored
RINGS = (0.0, 1.5, 3.0, 4.5, 6.0, 8.0, 10.0, 12.0)  # cm from the spot wanted for a leader


@procedure("movement.go")
def go(
    table: Table,
    battle: Battle,
    unit: Unit,
    path: Sequence[Point],
    length: float,
    bonus: float = 0.0,
    leaves: bool = False,
    share: float = 1.0,
) -> float:
    """Move a unit as a body along the path of its centre, at most `length` cm. Return the cm moved by the figure that
    went farthest.

    Each figure pays for its own way: difficult ground counts twice (RSK-076), a low barrier costs half its allowance
    (RSK-077), and the wounded fall behind. `bonus` cm are added to each allowance (RSK-137, RSK-142). Units that will
    shoot afterwards spend only a `share` of the allowance (RSK-089, RSK-090).

    Friends may be passed, but no figure ends on another base; enemies may not be passed (RSK-079). With `leaves`,
    figures that cross the edge of the table are out of play (RSK-145); otherwise they stop there.
    """
    legs = cut_off(path, length)
    body, killers = unit.body, killers_who_stay(battle, unit)
    if len(legs) < 2 or len(killers) == unit.count:
        return 0.0
    steps = [(x - legs[0][0], y - legs[0][1]) for x, y in legs]
    full_length = total(dist(a, b) for a, b in pairwise(legs))
    end = steps[-1]
    west, south, east, north = body.box
    sweep = (min(west, west + end[0]), min(south, south + end[1]), max(east, east + end[0]), max(north, north + end[1]))
    for x, y in steps[1:-1]:
        sweep = (min(sweep[0], west + x), min(sweep[1], south + y), max(sweep[2], east + x), max(sweep[3], north + y))
    hindered = battle.field.hinders(sweep, unit.mounted)
    blocks = _in_the_way(battle, unit, widen(sweep, 1.0))
    cms = {hurt: allowance(battle, unit, hurt, seen=table.tallies) for hurt in set(unit.hurt)}
    straight_reach = {hurt: min(full_length, share * cm + bonus) for hurt, cm in cms.items()}
    if (
        not hindered
        and not blocks
        and not killers
        and len(straight_reach) == 1
        and len(legs) == 2
        and _is_on_board(battle, sweep)
    ):
        share = straight_reach[unit.hurt[0]] / full_length if full_length else 0.0
        moved_body = body.shifted(end[0] * share, end[1] * share)
        return _arrive(table, battle, unit, moved_body, straight_reach[unit.hurt[0]])
    end_points, distances, is_crossed = _figure_moves(battle, unit, steps, straight_reach, bonus, share, hindered)
    unit.crossing = is_crossed
    for index in killers:
        end_points[index], distances[index] = body.at[index], 0.0
    leaving = [i for i, point in enumerate(end_points) if leaves and not battle.field.on_table(point)]
    if leaving:
        companions = () if unit.spec.leader else battle.leaders_with(unit)
        _leave_field(table, battle, unit, leaving)
        for leader in companions:
            if not unit.hurt and not leader.marks & {"free", "moved"}:
                _leave_field(table, battle, leader, [0])
        end_points = [point for i, point in enumerate(end_points) if i not in set(leaving)]
        distances = [cm for i, cm in enumerate(distances) if i not in set(leaving)]
        if not unit.hurt:
            return full_length
    goals = end_points
    end_points = list(map(battle.field.table.onto, goals))
    if hindered:  # figures that go round closed ground leave the straight line
        area = widen(bounds(end_points), body.radius)
        blocks = _in_the_way(battle, unit, bounds([(west, south), (east, north), area[:2], area[2:]]))
    moved_body = _settle(
        battle, unit, end_points, blocks, end, is_crooked=hindered or bool(killers) or not _is_on_board(battle, sweep)
    )
    shares = map(_share_of_way, unit.body.at, goals, moved_body.at)
    farthest = max(cm * share for cm, share in zip(distances, shares, strict=True))
    return _arrive(table, battle, unit, moved_body, farthest, with_prisoners=not killers)


def _in_the_way(battle: Battle, unit: Unit, box: Bounds) -> list[Unit]:
    """Return the other units that a move within a rectangle could meet."""
    return [o for o in battle.units.values() if o.hurt and o is not unit and bounds_meet(box, o.body.box)]


def _is_on_board(battle: Battle, box: Bounds) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= battle.field.width and box[3] <= battle.field.depth


def _figure_moves(
    battle: Battle,
    unit: Unit,
    steps: Sequence[Point],
    straight_reach: dict[bool, float],
    bonus: float,
    share: float,
    hindered: bool,
) -> tuple[list[Point], list[float], int]:
    """Return where each figure would end on its own way, what it spends, and the whole moves spent at a barrier
    (RSK-077).
    """
    goals: list[Point] = []
    distances: list[float] = []
    is_stopped = False
    for (x, y), hurt in zip(unit.body.at, unit.hurt, strict=True):
        way = [(x + dx, y + dy) for dx, dy in steps]
        if not hindered or not battle.field.hinders(bounds(way), unit.mounted):
            cut = cut_off(way, straight_reach[hurt])
            goals.append(cut[-1])
            distances.append(straight_reach[hurt])
            continue
        end, cost, by = walk(battle, unit, hurt, way, bonus, share)
        goals.append(end)
        distances.append(cost)
        is_stopped = is_stopped or (by and cost <= AT_BARRIER)
    return goals, distances, moves_at_barrier(battle, unit, is_stopped)


def _leave_field(table: Table, battle: Battle, unit: Unit, leaving: list[int]) -> None:
    """Remove figures that retreat or rout over the edge. They are lost to their side but are no casualties
    (RSK-145).
    """
    lose_figures(unit, leaving)
    if unit.hurt:
        table.emit("over the edge", "RSK-145", unit=unit.spec.id, count=len(leaving), left=unit.count)
    table.emit(
        "loss", "RSK-145", unit=unit.spec.id, side=unit.spec.side, lost=len(leaving), left=unit.count, cause="morale"
    )
    if not unit.hurt:
        table.emit("fled", "RSK-145", unit=unit.spec.id)
        battle.remove(unit, "fled")


def lose_figures(unit: Unit, lost: Sequence[int]) -> None:
    """Remove figures from the ranks of a unit."""
    lost_set = set(lost)
    unit.body = unit.body.without(lost)
    unit.hurt = tuple(hurt for index, hurt in enumerate(unit.hurt) if index not in lost_set)
    unit.armed = tuple(armed for index, armed in enumerate(unit.armed) if index not in lost_set)
    unit.kits = tuple(kit for index, kit in enumerate(unit.kits) if index not in lost_set)


def _settle(battle: Battle, unit: Unit, goals: list[Point], blocks: list[Unit], end: Point, is_crooked: bool) -> Body:
    """Return the final positions. The foremost figures are placed first, and each is drawn back along its way until its
    base has room.

    A figure stops short of the first enemy in its way (RSK-079). If the ways are `is_crooked`, figures also keep off
    closed ground and leave room for mates who have yet to move.
    """
    radius, at = unit.body.radius, unit.body.at
    side = unit.spec.side
    crowd = crowd_of(o.body for o in blocks)
    enemies = [o.body for o in blocks if o.spec.side != side]
    order = foremost(at, end)
    final: dict[int, Point] = {}
    for place, index in enumerate(order, start=1):
        start, goal = at[index], goals[index]
        goal = short_of(start, goal, radius, enemies)
        is_barred = partial(_is_barred, battle, radius, [at[mate] for mate in order[place:]]) if is_crooked else None
        final[index] = free_spot(start, goal, radius, crowd, is_barred)
        crowd.add(Base(*final[index], radius))
    return Body(tuple(final[index] for index in range(len(at))), radius)


def _share_of_way(start: Point, goal: Point, end: Point) -> float:
    """Return the share of its way that a figure has covered. The rest of its allowance is not spent (RSK-089,
    RSK-090).
    """
    full_length = dist(start, goal)
    return dist(start, end) / full_length if full_length else 0.0


def short_of(start: Point, goal: Point, radius: float, enemies: Sequence[Body], min_gap: float = APART) -> Point:
    """Return the goal, or the point on the way where a base would come within `min_gap` cm of the first enemy.

    An enemy that is already nearer than that bars the way only if it is directly in the way (RSK-146).
    """
    length = dist(start, goal)
    if length <= 1e-9 or not enemies:
        return goal
    box = widen(box_between(start, goal), radius + APART)
    bases = (base for enemy in enemies if bounds_meet(box, enemy.box) for base in enemy.bases)
    touch = first_touch(
        start,
        goal,
        radius,
        bases,
        min_gap,
        SLACK,
        lambda _, beside, base: beside * beside >= (radius + base.radius) ** 2,
    )
    free = length if touch is None else touch.moved
    return start[0] + (goal[0] - start[0]) / length * free, start[1] + (goal[1] - start[1]) / length * free


def _is_barred(battle: Battle, radius: float, behind: Sequence[Point], spot: Point) -> bool:
    """Return True if a spot is on closed ground, or leaves no room for mates who have yet to move."""
    return battle.field.is_closed(spot) or any(dist(spot, mate) < 2 * radius - SLACK for mate in behind)


def free_spot(
    start: Point, goal: Point, radius: float, crowd: Crowd, is_barred: Callable[[Point], bool] | None = None
) -> Point:
    """Return the last point between start and goal where a base has room and nothing else bars it, or the start if
    there is none.
    """
    way = goal[0] - start[0], goal[1] - start[1]

    def holds(spot: Point) -> bool:
        return crowd.is_free(spot, radius) and (is_barred is None or not is_barred(spot))

    return drawn_back(start, way, evenly_back(dist(start, goal), 1.25), holds) or start


def _arrive(
    table: Table, battle: Battle, unit: Unit, body: Body, distance: float, with_prisoners: bool = True
) -> float:
    """Place a unit at the end of its move, mark how far it went, and turn it the way it moved (RSK-078)."""
    old = unit.body
    farthest = max(dist(a, b) for a, b in zip(old.at, body.at, strict=True))
    if farthest <= STIR:
        return 0.0
    place_body(battle, unit, body, with_prisoners)
    unit.mark("moved")
    if distance > full_move(battle, unit) / 2 + 1e-6:
        unit.mark("far")
    unit.facing = bearing_to(old.centre, body.centre)
    table.emit("move", "RSK-038", unit=unit.spec.id, cm=round(farthest, 1), bearing=round(unit.facing))
    bring_leaders(battle, unit, old)
    return farthest


def killers_who_stay(battle: Battle, unit: Unit) -> frozenset[int]:
    """Return the figures of a moving unit that stay behind to kill prisoners, and record their number in `killers`
    (RSK-159, RSK-160).
    """
    killers = stand_to_kill(battle, unit)
    if killers:
        unit.killers = len(killers)
    return killers


def place_body(battle: Battle, unit: Unit, body: Body, with_prisoners: bool = True) -> None:
    """Place a unit, together with the prisoners it holds unless they stay behind."""
    dx, dy = body.centre[0] - unit.body.centre[0], body.centre[1] - unit.body.centre[1]
    for captives in battle.captives:
        if with_prisoners and captives.captor == unit.spec.id:
            captives.body = captives.body.shifted(dx, dy)
    unit.body = body


def bring_leaders(battle: Battle, unit: Unit, old: Body) -> None:
    """Move leaders without orders along with their group (RSK-192), as far as their allowance goes (RSK-072)."""
    if unit.spec.leader:
        return
    dx, dy = unit.body.centre[0] - old.centre[0], unit.body.centre[1] - old.centre[1]
    length = dist(unit.body.centre, old.centre)
    extra = max(0.0, length - full_move(battle, unit))
    for leader in battle.of(unit.spec.side):
        if not leader.spec.leader or leader.marks & {"free", "moved"} or not _was_with(battle, leader, unit, old):
            continue
        others = [o.body for o in battle.units.values() if o.hurt and o is not leader]
        reach = full_move(battle, leader) + extra
        share = min(1.0, reach / length) if length else 1.0
        goal_body = leader.body.shifted(share * dx, share * dy)
        spot = spot_beside(battle, leader, goal_body, others, reach, unit.body if share == 1.0 else None)
        if spot is None:
            continue
        distance = dist(leader.body.at[0], spot.at[0])
        leader.body = spot
        leader.facing = unit.facing
        leader.mark("moved")
        if "far" in unit.marks or distance > full_move(battle, leader) / 2 + 1e-6:
            leader.mark("far")


def _was_with(battle: Battle, leader: Unit, unit: Unit, old: Body) -> bool:
    """Return True if a group was the nearest one within 5 cm of a leader before it moved."""
    reach = battle.book.lengths["with_group"]
    if leader.body.circle_gap(old) > reach:
        return False
    gap = battle.field.gaps[leader.body, old].gap
    if gap > reach:
        return False
    for other in battle.groups(unit.spec.side):
        if other is not unit and leader.body.circle_gap(other.body) < gap and battle.gap(leader, other).gap < gap:
            return False
    return True


def spot_beside(
    battle: Battle, leader: Unit, goal_body: Body, others: list[Body], max_distance: float, group: Body | None
) -> Body | None:
    """Return the free spot nearest to the one wanted, or None if there is none.

    It is at most `max_distance` cm from where the leader stood, and within 5 cm of `group` if one is given.
    """
    reach = battle.book.lengths["with_group"]
    crowd = crowd_of(o for o in others if goal_body.circle_gap(o) <= RINGS[-1] + 2 * goal_body.radius)
    for ring in RINGS:
        for dx, dy in ((0, -1), (0.7, -0.7), (-0.7, -0.7), (1, 0), (-1, 0), (0.7, 0.7), (-0.7, 0.7), (0, 1)):
            body = goal_body.shifted(ring * dx, ring * dy)
            spot = body.at[0]
            if not battle.field.on_table(spot) or battle.field.is_closed(spot) or not crowd.is_free(spot, body.radius):
                continue
            near = dist(leader.body.at[0], spot) <= max_distance + SLACK
            if near and (group is None or battle.field.gaps[body, group].gap <= reach):
                return body
    return None
