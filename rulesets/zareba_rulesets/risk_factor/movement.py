"""Movement (RSK-071 to RSK-080): allowances, and how the figures of a unit go along a path together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import dist

from zareba.rules import procedure
from zareba.space.geometry import Bounds, Point, bounds, bounds_meet
from zareba.table import Table
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.body import Body, bearing_to
from zareba_rulesets.risk_factor.crowd import Crowd

__all__ = [
    "allowance",
    "bring_leaders",
    "can_walk",
    "face",
    "go",
    "lose_figures",
    "path_to",
    "place_body",
    "walk",
]

APART = 0.5
SPARE = 0.99


def allowance(battle: Battle, unit: Unit, hurt: bool, rough: bool = False) -> float:
    """Cm that a figure of a unit may move this turn, before any D6 or rout bonus.

    Foot 25, wounded 20 (RSK-071, RSK-072); civilians 20, in long skirts 15, wounded or not (RSK-073); riders 40,
    wounded by setting (RSK-074), and on rough ground with `movement.mounted_rough` foot_rate as on foot (RSK-075). Crewed
    weapons 10 (RSK-008). Who holds prisoners at most 20 (RSK-157).
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
    return min(cm, moves["guards"]) if battle.captives and battle.held_by(unit) else cm


def face(unit: Unit, point: Point) -> None:
    """Turn towards a point; turning is free (RSK-078)."""
    if unit.hurt:
        unit.facing = bearing_to(unit.body.centre, point)


def path_to(battle: Battle, start: Point, goal: Point) -> list[Point]:
    """The straight line, or the shortest way round closed ground that lies across it."""
    field = battle.field
    if field.closed and _meets_closed(battle, start, goal):
        way = field.table.way_round(start, goal, field.closed)
        if way is not None:
            return list(way)
    return [start, goal]


def _meets_closed(battle: Battle, start: Point, goal: Point) -> bool:
    box = bounds((start, goal))
    pieces = battle.field.pieces
    if not any(bounds_meet(box, pieces[name].box) for name in battle.field.closed):
        return False
    return any(pieces[met.piece].ground.closed for met in battle.field.table.crossed(start, goal))


@procedure("movement.go")
def go(
    table: Table,
    battle: Battle,
    unit: Unit,
    path: Sequence[Point],
    length: float,
    bonus: float = 0.0,
    leaves: bool = False,
) -> float:
    """Shift a unit as a body along the path of its centre, at most `length` cm; the cm that its foremost figure went.

    Every figure pays for its own way: difficult ground twice (RSK-076), low barriers half its allowance (RSK-077); the
    wounded lag behind. `bonus` cm come on top of each allowance (RSK-137, RSK-142). Friends may be passed but nobody ends
    on another base; enemies are not passed (RSK-079). With `leaves` figures whose way crosses the edge are out of play
    (RSK-145), otherwise they stop there.
    """
    legs = _cut(path, length)
    body = unit.body
    if len(legs) < 2 or not unit.hurt:
        return 0.0
    steps = [(x - legs[0][0], y - legs[0][1]) for x, y in legs]
    whole = sum(dist(a, b) for a, b in pairwise(legs))
    end = steps[-1]
    west, south, east, north = body.box
    sweep = (min(west, west + end[0]), min(south, south + end[1]), max(east, east + end[0]), max(north, north + end[1]))
    for x, y in steps[1:-1]:
        sweep = (min(sweep[0], west + x), min(sweep[1], south + y), max(sweep[2], east + x), max(sweep[3], north + y))
    hindered = battle.field.hinders(sweep, unit.mounted)
    blocks = [o for o in battle.units.values() if o.hurt and o is not unit and bounds_meet(_wider(sweep), o.body.box)]
    straight = {hurt: _length(battle, unit, hurt, whole, bonus) for hurt in set(unit.hurt)}
    if not hindered and not blocks and len(straight) == 1 and len(legs) == 2 and _inside(battle, sweep):
        share = straight[unit.hurt[0]] / whole if whole else 0.0
        moved = body.shifted(end[0] * share, end[1] * share)
        return _arrive(table, battle, unit, moved, straight[unit.hurt[0]], path)
    wanted, spent, crossed = _figure_moves(battle, unit, steps, straight, bonus, hindered)
    unit.crossing = crossed
    gone = [i for i, point in enumerate(wanted) if leaves and not battle.field.on_table(point)]
    if gone:
        _leave_field(table, battle, unit, gone)
        wanted = [point for i, point in enumerate(wanted) if i not in set(gone)]
        spent = [cm for i, cm in enumerate(spent) if i not in set(gone)]
        if not unit.hurt:
            return whole
    moved = _settle(battle, unit, [_on_table(battle, point) for point in wanted], blocks, end)
    return _arrive(table, battle, unit, moved, max(spent), path)


def _on_table(battle: Battle, point: Point) -> Point:
    """The point of the table nearest to another."""
    return min(max(point[0], 0.0), battle.field.width), min(max(point[1], 0.0), battle.field.depth)


def _wider(box: Bounds) -> Bounds:
    return box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1


def _inside(battle: Battle, box: Bounds) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= battle.field.width and box[3] <= battle.field.depth


def _length(battle: Battle, unit: Unit, hurt: bool, whole: float, bonus: float) -> float:
    return min(whole, allowance(battle, unit, hurt) + bonus)


def _cut(path: Sequence[Point], length: float) -> list[Point]:
    """A path cut off after some length."""
    found = [path[0]]
    for a, b in pairwise(path):
        reach = dist(a, b)
        if reach <= 1e-9:
            continue
        if reach >= length:
            if length > 1e-9:
                found.append((a[0] + (b[0] - a[0]) * length / reach, a[1] + (b[1] - a[1]) * length / reach))
            return found
        found.append(b)
        length -= reach
    return found


def _figure_moves(
    battle: Battle,
    unit: Unit,
    steps: Sequence[Point],
    straight: dict[bool, float],
    bonus: float,
    hindered: bool,
) -> tuple[list[Point], list[float], int]:
    """Where each figure wants to end on its own way, what it spent, and the count of moves at a barrier."""
    wanted: list[Point] = []
    spent: list[float] = []
    stopped = False
    for (x, y), hurt in zip(unit.body.at, unit.hurt, strict=True):
        way = [(x + dx, y + dy) for dx, dy in steps]
        if not hindered:
            cut = _cut(way, straight[hurt])
            wanted.append(cut[-1])
            spent.append(straight[hurt])
            continue
        end, cost, by = walk(battle, unit, hurt, way, bonus)
        wanted.append(end)
        spent.append(cost)
        stopped = stopped or by
    return (
        wanted,
        spent,
        unit.crossing + 1 if stopped and battle.book.settings.movement_barrier_cost == "two_moves" else 0,
    )


def walk(battle: Battle, unit: Unit, hurt: bool, way: Sequence[Point], bonus: float) -> tuple[Point, float, bool]:
    """How far one figure comes on a way: the point, the allowance spent, whether a low barrier stopped it (RSK-077)."""
    field = battle.field
    if len(way) == 2 and field.closed and _meets_closed(battle, way[0], way[1]):
        way = path_to(battle, way[0], way[1])
    cm = allowance(battle, unit, hurt)
    reached = field.table.advance(way, cm + bonus, _rate(battle), _toll(battle, unit, cm))
    if is_slowed(battle, unit, way[0], reached.point):
        cm = allowance(battle, unit, hurt, rough=True)
        reached = field.table.advance(way, cm + bonus, _rate(battle), _toll(battle, unit, cm))
    by = reached.stopped_by
    return reached.point, reached.spent, by is not None and field.pieces[by].ground.barrier


def is_slowed(battle: Battle, unit: Unit, start: Point, end: Point) -> bool:
    """Whether a rider's move has a part on ground that is not open and clear, and so only a foot allowance (RSK-075)."""
    field = battle.field
    if not unit.mounted or not field.not_open or battle.book.settings.movement_mounted_rough != "foot_rate":
        return False
    rough = {piece.name for piece in field.not_open}
    return any(piece.piece in rough for piece in field.table.crossed(start, end))


def can_walk(battle: Battle, unit: Unit, hurt: bool, start: Point, end: Point, bonus: float) -> bool:
    """Whether a figure can pay for the straight way to a point; over open ground that is its length (RSK-162)."""
    rough = is_slowed(battle, unit, start, end)
    cm = allowance(battle, unit, hurt, rough)
    if dist(start, end) > cm + bonus + 1e-9:
        return False
    if not battle.field.hinders(bounds((start, end))):
        return True
    cost = battle.field.table.cost([start, end], _rate(battle), _toll(battle, unit, cm))
    return cost is not None and cost <= cm + bonus + 1e-9


def _rate(battle: Battle) -> Callable[[tuple[str, ...]], float | None]:
    pieces, double = battle.field.pieces, battle.book.file.difficult_cost.times

    def rate(areas: tuple[str, ...]) -> float | None:
        price = 1.0
        for name in areas:
            ground = pieces[name].ground
            if ground.closed:
                return None
            if ground.difficult:
                price = double
        return price

    return rate


def _toll(battle: Battle, unit: Unit, cm: float) -> Callable[[str], float | None]:
    """Half the allowance for a low barrier, or two whole moves in contact with it (RSK-077); closed lines not at all."""
    pieces = battle.field.pieces
    whole_moves = battle.book.settings.movement_barrier_cost == "two_moves"

    def toll(line: str) -> float | None:
        ground = pieces[line].ground
        if ground.closed:
            return None
        if not ground.barrier:
            return 0.0
        if whole_moves:
            return SPARE * cm if unit.crossing else 1e6
        return cm / 2

    return toll


def _leave_field(table: Table, battle: Battle, unit: Unit, gone: list[int]) -> None:
    """RSK-145: figures that retreat or rout over the edge are lost to their side, but are no casualties."""
    lose_figures(battle, unit, gone)
    table.tell(
        "loss", "RSK-145", unit=unit.spec.id, side=unit.spec.side, lost=len(gone), left=unit.count, cause="morale"
    )
    if not unit.hurt:
        table.tell("fled", "RSK-145", unit=unit.spec.id)
        battle.remove(unit, "fled")


def lose_figures(battle: Battle, unit: Unit, gone: Sequence[int]) -> None:
    """Take figures out of a unit's ranks, whatever became of them."""
    left = set(gone)
    unit.body = unit.body.without(gone)
    unit.hurt = tuple(hurt for index, hurt in enumerate(unit.hurt) if index not in left)
    unit.armed = tuple(armed for index, armed in enumerate(unit.armed) if index not in left)


def _settle(battle: Battle, unit: Unit, wanted: list[Point], blocks: list[Unit], end: Point) -> Body:
    """Nobody ends on another base: the foremost figures first, each drawn back along its way until it has room.

    Enemies are not passed: a figure stops short of the first that stands in its way (RSK-079).
    """
    radius, at = unit.body.radius, unit.body.at
    side = unit.spec.side
    crowd = Crowd(o.body for o in blocks)
    enemies = [(p, o.body.radius + APART) for o in blocks if o.spec.side != side for p in o.body.at]
    order = sorted(range(len(at)), key=lambda i: -(at[i][0] * end[0] + at[i][1] * end[1]))
    final: dict[int, Point] = {}
    for index in order:
        start, goal = at[index], wanted[index]
        goal = _short_of(start, goal, radius, enemies)
        final[index] = _free_spot(start, goal, radius, crowd)
        crowd.add(final[index], radius)
    return Body(tuple(final[index] for index in range(len(at))), radius)


def _short_of(start: Point, goal: Point, radius: float, enemies: list[tuple[Point, float]]) -> Point:
    """The goal, or the point on the way where a base would come up against the first enemy."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5
    if length <= 1e-9 or not enemies:
        return goal
    ux, uy = dx / length, dy / length
    free = length
    for (x, y), wide in enemies:
        px, py = x - start[0], y - start[1]
        ahead = px * ux + py * uy
        if ahead <= 0:
            continue
        beside, both = px * uy - py * ux, radius + wide
        if beside * beside < both * both:
            free = min(free, max(0.0, ahead - (both * both - beside * beside) ** 0.5))
    return (start[0] + ux * free, start[1] + uy * free)


def _free_spot(start: Point, goal: Point, radius: float, crowd: Crowd) -> Point:
    """The last point of the way from start to goal where a base has room; its start when there is none."""
    tries = max(1, int(dist(start, goal) / 1.25))
    for step in range(tries, -1, -1):
        t = step / tries
        spot = (start[0] + (goal[0] - start[0]) * t, start[1] + (goal[1] - start[1]) * t)
        if crowd.is_free(spot, radius):
            return spot
    return start


def _arrive(table: Table, battle: Battle, unit: Unit, body: Body, spent: float, path: Sequence[Point]) -> float:
    """Put a unit where it has come to, note how far it went, and turn it the way it moved (RSK-078)."""
    old = unit.body
    moved = max(dist(a, b) for a, b in zip(old.at, body.at, strict=True))
    if moved <= 1e-6:
        return 0.0
    place_body(battle, unit, body)
    unit.mark("moved")
    if spent > allowance(battle, unit, False) / 2 + 1e-6:
        unit.mark("far")
    unit.facing = bearing_to(old.centre, body.centre)
    table.tell("move", "RSK-038", unit=unit.spec.id, cm=round(moved, 1))
    bring_leaders(battle, unit, old)
    return moved


def place_body(battle: Battle, unit: Unit, body: Body) -> None:
    """Put a unit somewhere with the prisoners it holds and the objects it carries."""
    dx, dy = body.centre[0] - unit.body.centre[0], body.centre[1] - unit.body.centre[1]
    for captives in battle.captives:
        if captives.captor == unit.spec.id:
            captives.body = captives.body.shifted(dx, dy)
    unit.body = body


def bring_leaders(battle: Battle, unit: Unit, old: Body) -> None:
    """Leaders who are with a group and have no will of their own move with it (RSK-192)."""
    if unit.spec.leader:
        return
    dx, dy = unit.body.centre[0] - old.centre[0], unit.body.centre[1] - old.centre[1]
    reach = battle.book.lengths["with_group"]
    for leader in battle.of(unit.spec.side):
        if not leader.spec.leader or leader.marks & {"free", "moved"} or not _was_with(battle, leader, unit, old):
            continue
        others = [o.body for o in battle.units.values() if o.hurt and o is not leader]
        wanted = leader.body.shifted(dx, dy)
        spot = _beside(battle, wanted, others)
        if battle.field.gaps[spot, unit.body].gap > reach:
            continue
        leader.body = spot
        leader.facing = unit.facing
        leader.mark("moved")
        if "far" in unit.marks:
            leader.mark("far")


def _was_with(battle: Battle, leader: Unit, unit: Unit, old: Body) -> bool:
    """Whether this group was the nearest within 5 cm of a leader before it moved."""
    gap = battle.field.gaps[leader.body, old].gap
    if gap > battle.book.lengths["with_group"]:
        return False
    for other in battle.groups(unit.spec.side):
        if (
            other is not unit
            and battle.field.circle_gap(leader.body, other.body) < gap
            and battle.gap(leader, other).gap < gap
        ):
            return False
    return True


def _beside(battle: Battle, wanted: Body, others: list[Body]) -> Body:
    """A spot for one figure as near as possible to the one wanted, on nobody's base."""
    crowd = Crowd(o for o in others if battle.field.circle_gap(wanted, o) <= 8.0)
    for ring in (0.0, 1.5, 3.0, 4.5, 6.0):
        for dx, dy in ((0, -1), (0.7, -0.7), (-0.7, -0.7), (1, 0), (-1, 0), (0.7, 0.7), (-0.7, 0.7), (0, 1)):
            body = wanted.shifted(ring * dx, ring * dy)
            if battle.field.on_table(body.at[0]) and crowd.is_free(body.at[0], body.radius):
                return body
    return Body((_on_table(battle, wanted.at[0]),), wanted.radius)
