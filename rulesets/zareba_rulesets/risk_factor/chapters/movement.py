"""Moves: paths and their cost, cover to fall back to, and guards of prisoners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from zareba.base.exact import dist, hypot, total
from zareba.base.tally import Tally
from zareba.rules import procedure
from zareba.space.bearings import bearing_to
from zareba.space.field.bodies import SLACK, Base, Body, Crowd, crowd_of_bodies
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import (
    Bounds,
    Point,
    bounds,
    box_between,
    boxes_meet,
    length,
    nearest_leg,
    nearest_on,
    nearest_on_segment,
    towards,
    widen,
)
from zareba.space.ground.movement_cost import CostOf
from zareba.space.lazy import Lazy
from zareba.space.moves import even_shares_back, first_place_back, first_touch, furthest_first
from zareba.space.outlines import cut_off, distance_along
from zareba.table import MoveCost, Table
from zareba_rulesets.risk_factor.book import Ground
from zareba_rulesets.risk_factor.chapters.sight import nearest_visible, sees
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Captives, Unit

# --- Guards of prisoners, and the figures that must kill prisoners (RSK-157 to RSK-160) -------------------------------


def prisoners_held(prisoners: int, guards: int, killers: int, prisoners_each: int) -> int:
    """Return how many prisoners the guards and killers can hold: five each. The rest escape (RSK-157, RSK-158)."""
    return min(prisoners, prisoners_each * (guards + killers))


def must_kill(group: int, prisoners: int, each: int) -> int:
    """Return how many figures of a group with `no_quarter` must kill: one for every `each` prisoners, at most the whole
    group (RSK-160).
    """
    return min(group, -(-prisoners // each))


def figures_near_prisoners(battle: Battle, captor: Unit, captives: Captives) -> list[int]:
    """Return the figures of a captor that can guard or kill prisoners: within 5 cm of them, not in contact with an
    enemy, not routing (RSK-157).
    """
    if captor.status == "routing":
        return []
    in_contact = battle.figures_in_contact(captor)
    reach = battle.book.lengths["guard"] + captor.body.radius + captives.body.radius
    return [
        index
        for index, point in enumerate(captor.body.at)
        if index not in in_contact and any(dist(point, other) <= reach for other in captives.body.at)
    ]


def guarded_by(battle: Battle, captor: Unit) -> tuple[list[Captives], set[int]]:
    """Return the guarded prisoners of a captor, and all figures that guard them. All prisoners of a captor are counted
    together (RSK-157).
    """
    guarded_prisoners: list[Captives] = []
    guards: set[int] = set()
    for captives in battle.captives:
        near = figures_near_prisoners(battle, captor, captives) if captives.captor == captor.spec.id else []
        if near:
            guarded_prisoners.append(captives)
            guards.update(near)
    return guarded_prisoners, guards


def stand_to_kill(battle: Battle, unit: Unit) -> frozenset[int]:
    """Return the figures that stay behind with the prisoners because they must kill them: those farthest from the enemy
    (RSK-159, RSK-160).

    There are none if the group goes back, or with `prisoners.killers` set to move.
    """
    if not battle.captives or not unit.spec.no_quarter or battle.book.settings.prisoners_killers == "move":
        return frozenset()
    guarded_prisoners, guards = guarded_by(battle, unit)
    if not guarded_prisoners or unit.status in BACKWARD:
        return frozenset()
    enemies = [point for enemy in battle.against(unit.spec.side) for point in enemy.body.at]

    def nearness(index: int) -> float:
        return -min([dist(unit.body.at[index], point) for point in enemies], default=0.0)

    number = must_kill(
        unit.count, sum(captives.count for captives in guarded_prisoners), battle.book.counts["must_kill"]
    )
    return frozenset(sorted(guards, key=lambda index: (nearness(index), index))[:number])


# --- Move allowances, paths, and the cost of difficult ground and barriers (RSK-071 to RSK-078) -----------------------


_CROSSING_SHARE = 0.99  # share of the second of two moves that a barrier costs; the rest carries the unit clear of it
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
    rules = battle.book.rules
    if not rules.changes("movement"):
        return float(base_allowance)
    return float(rules.number("movement", base_allowance, battle, unit, seen=seen))


def full_move(battle: Battle, unit: Unit) -> float:
    """Return the longest allowance in a unit: that of an unhurt figure, or of a wounded one if all are wounded
    (RSK-072).
    """
    return allowance(battle, unit, all(unit.hurt))


def turn_towards(unit: Unit, point: Point) -> None:
    """Turn a unit towards a point. Turning is free (RSK-078)."""
    if unit.is_on_table:
        unit.facing = bearing_to(unit.body.centre, point)


def path_to(battle: Battle, start: Point, goal: Point) -> list[Point]:
    """Return the straight line, or the shortest way round closed ground that blocks it."""
    if battle.field.meets_walls(start, goal):
        return list(battle.field.move_costs[False].path_around(start, goal) or (start, goal))
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
    straight_moves, clear = field.move_costs[False], field.move_costs[True]
    progress = straight_moves.advance(path, share * cm + bonus, _barrier_cost(battle, unit, cm))
    if unit.mounted and _is_slowed(battle, unit, cut_off(path, distance_along(path, progress.point))):
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


def _is_slowed(battle: Battle, unit: Unit, path: Sequence[Point]) -> bool:
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
    return bool(affordable_bonuses(battle, unit, hurt, path, (bonus,)))


def affordable_bonuses(
    battle: Battle, unit: Unit, hurt: bool, path: Sequence[Point], bonuses: Sequence[float]
) -> list[float]:
    """Return the bonuses with which a figure can pay for a way, of several that rise."""
    cm, most = allowance(battle, unit, hurt, _is_slowed(battle, unit, path)), length(path)
    costs = battle.field.move_costs[False]
    enough = [bonus for bonus in bonuses if most <= cm + bonus + 1e-9]
    if not enough or costs.is_plain(bounds(path)):
        return enough
    cost = costs.cost(path, _barrier_cost(battle, unit, cm), cm + enough[-1] + 1e-9)
    return [] if cost is None else [bonus for bonus in enough if cost <= cm + bonus + 1e-9]


def is_walled_off(battle: Battle, unit: Unit, hurt: bool, start: Point, goal: Point, room: float, bonus: float) -> bool:
    """Return True if a barrier that a figure cannot pay for lies between it and every point within `room` of the goal
    (RSK-077).
    """
    cm = allowance(battle, unit, hurt)
    left = cm + bonus - max(0.0, dist(start, goal) - room)
    return battle.field.move_costs[False].is_barred(start, goal, room, _barrier_cost(battle, unit, cm), left)


def march_cost(battle: Battle, unit: Unit, goal: Point) -> MoveCost:
    """Return the cost of the way from a unit's centre to a point, and what the unit can spend on it this turn (RSK-071,
    RSK-077).
    """
    path, hurt = path_to(battle, unit.body.centre, goal), all(unit.hurt)
    cm = allowance(battle, unit, hurt, _is_slowed(battle, unit, path))
    return MoveCost(battle.field.move_costs[False].cost(path, _barrier_cost(battle, unit, cm)), cm)


def _barrier_cost(battle: Battle, unit: Unit, cm: float) -> CostOf[Ground]:
    """Return the price of crossing a low barrier: half the allowance, or two whole moves in contact with it (RSK-077).
    Other lines are free.
    """
    whole_moves = battle.book.settings.movement_barrier_cost == "two_moves"

    def cost_of_piece(piece: TerrainPiece[Ground]) -> float:
        if not piece.ground.barrier:
            return 0.0
        if whole_moves:
            return _CROSSING_SHARE * cm if unit.crossing else 1e6
        return cm / 2

    return cost_of_piece


# --- Movement: how the figures of a unit move together, and where they end (RSK-038, RSK-078 to RSK-080, RSK-145) -----


ENEMY_GAP = 0.5  # smallest distance in cm between the bases of a moving unit and of an enemy it does not charge
_SHORTEST_MOVE = 0.05  # cm; shorter moves are ignored
_RINGS = (0.0, 1.5, 3.0, 4.5, 6.0, 8.0, 10.0, 12.0)  # cm from the spot wanted for a leader


@procedure("movement.go")
def go(
    table: Table,
    battle: Battle,
    unit: Unit,
    path: Sequence[Point],
    length: float,
    bonus: float = 0.0,
    may_leave: bool = False,
    share: float = 1.0,
) -> float:
    """Move a unit as a body along the path of its centre, at most `length` cm. Return the cm moved by the figure that
    went farthest.

    Each figure pays for its own way: difficult ground counts twice (RSK-076), a low barrier costs half its allowance
    (RSK-077), and the wounded fall behind. `bonus` cm are added to each allowance (RSK-137, RSK-142). Units that will
    shoot afterwards spend only a `share` of the allowance (RSK-089, RSK-090).

    Friends may be passed, but no figure ends on another base; enemies may not be passed (RSK-079). With `may_leave`,
    figures that cross the edge of the table are out of play (RSK-145); otherwise they stop there.
    """
    legs = cut_off(path, length)
    body, killers = unit.body, leave_killers(battle, unit)
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
    is_straight = len(legs) == 2 and not hindered
    keeps_together = len(straight_reach) == 1 and not killers
    if is_straight and keeps_together and not blocks and _is_on_board(battle, sweep):  # all figures move alike
        (reach,) = straight_reach.values()
        share = reach / full_length if full_length else 0.0
        return _arrive(table, battle, unit, body.moved_by(end[0] * share, end[1] * share), reach)
    end_points, distances, is_crossed = _figure_moves(battle, unit, steps, straight_reach, bonus, share, hindered)
    unit.crossing = is_crossed
    for index in killers:
        end_points[index], distances[index] = body.at[index], 0.0
    leaving = [i for i, point in enumerate(end_points) if may_leave and not battle.field.on_table(point)]
    if leaving:
        companions = () if unit.spec.leader else battle.leaders_with(unit)
        _leave_field(table, battle, unit, leaving)
        for leader in companions:
            if not unit.is_on_table and not leader.marks & {"free", "moved"}:
                _leave_field(table, battle, leader, [0])
        end_points = [point for i, point in enumerate(end_points) if i not in set(leaving)]
        distances = [cm for i, cm in enumerate(distances) if i not in set(leaving)]
        if not unit.is_on_table:
            return full_length
    goals = end_points
    end_points = list(map(battle.field.table.nearest_point_inside, goals))
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
    return [o for o in battle.units.values() if o.is_on_table and o is not unit and boxes_meet(box, o.body.box)]


def _is_on_board(battle: Battle, box: Bounds) -> bool:
    """Return True if a rectangle is wholly on the table."""
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
    if unit.is_on_table:
        table.emit("over the edge", "RSK-145", unit=unit.spec.id, count=len(leaving), left=unit.count)
    table.emit(
        "loss", "RSK-145", unit=unit.spec.id, side=unit.spec.side, lost=len(leaving), left=unit.count, cause="morale"
    )
    if not unit.is_on_table:
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
    crowd = crowd_of_bodies(o.body for o in blocks)
    enemies = [o.body for o in blocks if o.spec.side != side]
    order = furthest_first(at, end)
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


def short_of(start: Point, goal: Point, radius: float, enemies: Sequence[Body], min_gap: float = ENEMY_GAP) -> Point:
    """Return the goal, or the point on the way where a base would come within `min_gap` cm of the first enemy.

    An enemy that is already nearer than that bars the way only if it is directly in the way (RSK-146).
    """
    length = dist(start, goal)
    if length <= 1e-9 or not enemies:
        return goal
    box = widen(box_between(start, goal), radius + ENEMY_GAP)
    bases = (base for enemy in enemies if boxes_meet(box, enemy.box) for base in enemy.bases)
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

    return first_place_back(start, way, even_shares_back(dist(start, goal), 1.25), holds) or start


def _arrive(
    table: Table, battle: Battle, unit: Unit, body: Body, distance: float, with_prisoners: bool = True
) -> float:
    """Place a unit at the end of its move, mark how far it went, and turn it the way it moved (RSK-078)."""
    old = unit.body
    farthest = max(dist(a, b) for a, b in zip(old.at, body.at, strict=True))
    if farthest <= _SHORTEST_MOVE:
        return 0.0
    place_body(battle, unit, body, with_prisoners)
    unit.mark("moved")
    if distance > full_move(battle, unit) / 2 + 1e-6:
        unit.mark("far")
    unit.facing = bearing_to(old.centre, body.centre)
    table.emit("move", "RSK-038", unit=unit.spec.id, cm=round(farthest, 1), bearing=round(unit.facing))
    bring_leaders(battle, unit, old)
    return farthest


def leave_killers(battle: Battle, unit: Unit) -> frozenset[int]:
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
            captives.body = captives.body.moved_by(dx, dy)
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
        others = [o.body for o in battle.units.values() if o.is_on_table and o is not leader]
        reach = full_move(battle, leader) + extra
        share = min(1.0, reach / length) if length else 1.0
        goal_body = leader.body.moved_by(share * dx, share * dy)
        spot = free_spot_near(battle, leader, goal_body, others, reach, unit.body if share == 1.0 else None)
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


def free_spot_near(
    battle: Battle, leader: Unit, goal_body: Body, others: list[Body], max_distance: float, group: Body | None
) -> Body | None:
    """Return the free spot nearest to the one wanted, or None if there is none.

    It is at most `max_distance` cm from where the leader stood, and within 5 cm of `group` if one is given.
    """
    reach = battle.book.lengths["with_group"]
    crowd = crowd_of_bodies(o for o in others if goal_body.circle_gap(o) <= _RINGS[-1] + 2 * goal_body.radius)
    for ring in _RINGS:
        for dx, dy in ((0, -1), (0.7, -0.7), (-0.7, -0.7), (1, 0), (-1, 0), (0.7, 0.7), (-0.7, 0.7), (0, 1)):
            body = goal_body.moved_by(ring * dx, ring * dy)
            spot = body.at[0]
            if not battle.field.on_table(spot) or battle.field.is_closed(spot) or not crowd.is_free(spot, body.radius):
                continue
            near = dist(leader.body.at[0], spot) <= max_distance + SLACK
            if near and (group is None or battle.field.gaps[body, group].gap <= reach):
                return body
    return None


# --- The nearest threat to a unit, and the cover it can fall back to (RSK-136, RSK-140, RSK-193) ----------------------


ARRIVED = 3.0  # a unit has arrived if its centre is within this many cm of the place
_SHIFT = 0.1  # cm; for shorter shifts rounding errors could decide


def threat_point(battle: Battle, unit: Unit) -> Point | None:
    """Return the nearest figure of an enemy in sight, otherwise the nearest place where an enemy was last seen
    (RSK-193).
    """
    found = nearest_visible(battle, unit)
    if found is not None:
        enemy, near = found
        return enemy.body.at[near.second_index]
    side, centre = unit.spec.side, unit.body.centre
    known = [body for name, body in battle.known.items() if name in battle.units and battle.units[name].side != side]
    return min((point for body in known for point in body.at), key=lambda at: dist(at, centre), default=None)


def nearest_cover(battle: Battle, unit: Unit, farther: bool) -> Point | None:
    """Return the nearest cover that a unit can reach in one move and that brings it no nearer to a visible enemy, or
    None.

    With `farther` the cover must be farther from every enemy unit in sight than the unit is now. Cover that the unit
    is already in does not qualify (RSK-140). Without `farther` it must only not be nearer (RSK-136).
    """
    centre, reach = unit.body.centre, full_move(battle, unit)
    enemies = battle.against(unit.spec.side)
    threat, seen = threat_point(battle, unit), Lazy[str, bool](lambda name: sees(battle, unit, battle.units[name]))
    best: Point | None = None
    for piece in battle.field.covers:
        if (piece.ground.closed and piece.is_area) or _far_off(piece.box, centre) > reach + 2 * unit.body.radius:
            continue
        spot = _spot_behind(piece, unit.body, threat)
        distance = dist(centre, spot)
        if distance > reach or not battle.field.on_table(spot) or (best is not None and distance >= dist(centre, best)):
            continue
        if farther and distance <= ARRIVED:
            continue
        if not can_walk(battle, unit, all(unit.hurt), (centre, spot), 0.0):
            continue
        moved_body = unit.body.moved_by(spot[0] - centre[0], spot[1] - centre[1])
        if all(keeps_off(battle, unit, moved_body, e, farther) or not seen[e.spec.id] for e in enemies):
            best = spot
    return best


def keeps_off(battle: Battle, unit: Unit, moved_body: Body, enemy: Unit, farther: bool) -> bool:
    """Return True if shifting the body of a unit brings it no nearer to an enemy, or with `farther`, takes it farther
    away.

    All figures shift alike. If the circles round both units show that the shift leads away from the whole enemy unit,
    or closer to it, the nearest figures need not be found.
    """
    (x, y), (nx, ny), (ex, ey) = unit.body.centre, moved_body.centre, enemy.body.centre
    dx, dy = nx - x, ny - y
    length = hypot(dx, dy)
    if length > _SHIFT:
        progress = dx * (x - ex) + dy * (y - ey)
        spare = length * (unit.body.outer_radius + enemy.body.outer_radius)
        if progress > spare or progress < -spare - length * length:
            return progress > 0
    new_gap, present_gap = battle.field.gaps[moved_body, enemy.body].gap, battle.gap(unit, enemy).gap
    return new_gap > present_gap if farther else new_gap >= present_gap - 1e-9


def _far_off(box: Bounds, point: Point) -> float:
    """Return the least distance that a point can be from a rectangle, measured along one axis."""
    west, south, east, north = box
    return max(west - point[0], point[0] - east, south - point[1], point[1] - north)


def _spot_behind(piece: TerrainPiece[Ground], body: Body, threat: Point | None) -> Point:
    """Return where a unit's centre goes to be inside an area, or behind a line as seen from the threat."""
    centre = body.centre
    if piece.is_area:
        return _spot_inside(piece, body)
    a, b = nearest_leg(centre, piece.legs)
    point = nearest_on_segment(centre, a, b)
    length = dist(a, b)
    nx, ny = -(b[1] - a[1]) / length, (b[0] - a[0]) / length
    if threat is not None and (threat[0] - point[0]) * nx + (threat[1] - point[1]) * ny > 0:
        nx, ny = -nx, -ny
    deep = 2 * body.radius
    return point[0] + nx * deep, point[1] + ny * deep


def _spot_inside(piece: TerrainPiece[Ground], body: Body) -> Point:
    """Return where a unit's centre goes to be just inside the near side of an area. A unit already inside stays where
    it is.
    """
    centre = body.centre
    if piece.holds(centre):
        return centre
    near = nearest_on(centre, piece.legs)
    distance = dist(centre, near) or 1.0
    ahead = ((near[0] - centre[0]) / distance, (near[1] - centre[1]) / distance)
    behind = max((centre[0] - x) * ahead[0] + (centre[1] - y) * ahead[1] for x, y in body.at) + body.radius
    deep = (towards(centre, near, distance + behind * share) for share in (1.0, 0.75, 0.5, 0.25))
    return next((spot for spot in deep if piece.holds(spot)), near)
