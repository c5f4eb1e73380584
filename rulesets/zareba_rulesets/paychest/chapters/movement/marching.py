"""How figures walk towards a goal: in a straight line, around other bases, until they touch an enemy (PAY-069 to PAY-071)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import NamedTuple

from zareba.base.exact import cosd, dist, sind
from zareba.space import Point
from zareba.space.field.bases import SLACK, Base, Crowd
from zareba.space.geometry import Bounds, box_between, boxes_near, middle_of, up_to, widen
from zareba.space.moves.contact import first_touch
from zareba.space.moves.free_space import drawn_back
from zareba.table import MoveCost
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import bases_near, bases_of, wall_near, wall_slots
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["Mover", "column_of", "march", "step", "straight_cost", "up_to_enemies"]

BACK = 0.5
"""Inches between the places that a figure tries when it must stop short of its goal."""
ROUND = 6
"""The number of directions in which a figure looks for a place around an enemy's base."""
AIM = 1.0
"""A goal within this many inches of a base means that base, and within this many inches of a wall means the wall."""
ROOM = 3.0
"""Bases may touch only within this distance between centres, in inches. The widest bases are 3 inches across."""
BEHIND = 1.5
"""Figures that find no room at a wall make for a point this many inches behind it. This is a convention, not a rule."""
ABREAST = 1.5
"""Figures sent to one place keep formation within this many inches times the square root of their number."""


class Mover(NamedTuple):
    """A figure that moves, and its allowance in inches."""

    figure: Figure
    allowance: float


def column_of(battle: Battle, figure: Figure) -> str:
    """Return the terrain chart's column for a figure.

    One that leads mounts is limited to ground where the mounts can go.
    """
    return "mounted" if figure.mount or (figure.loads and battle.leads(figure)) else "foot"


def march(battle: Battle, unit: Unit, movers: Sequence[Mover], goal: Point) -> dict[str, float]:
    """Send figures of a unit towards a goal together and return the allowance that each has left.

    A goal on an enemy's base means a charge at that unit. A goal at a wall means lining the wall. For any other goal
    the figures keep their formation. Each moves as far as its own allowance permits (PAY-069).
    """
    order = sorted(movers, key=lambda m: dist(m.figure.at or goal, goal)) if len(movers) > 1 else movers
    reach = max(reach_of(battle, mover) for mover in movers)
    foes = _foes(battle, unit, widen(unit.box, reach + ROOM))
    places = _wanted_places(battle, [mover.figure for mover in order], goal, foes)
    own = {mover.figure.spec.id: _base(battle, mover.figure) for mover in movers}
    crowd = Crowd([*bases_near(battle, widen(unit.box, reach + ROOM), own), *own.values()])
    inches_left = {}
    for (figure, allowance), place in zip(order, places, strict=True):
        crowd.remove(own[figure.spec.id])
        inches_left[figure.spec.id] = max(0.0, allowance - step(battle, figure, place, allowance, foes, crowd))
        crowd.add(_base(battle, figure))
    unit.measure()
    return inches_left


def straight_cost(battle: Battle, column: str, here: Point, goal: Point, allowance: float) -> MoveCost:
    """Return the cost of a straight path in a column of the terrain chart (PAY-070), ignoring figures in the way."""
    return MoveCost(battle.field.going[column].cost((here, goal)), allowance)


def step(
    battle: Battle,
    figure: Figure,
    destination: Point,
    allowance: float,
    foes: Sequence[Base],
    crowd: Crowd,
) -> float:
    """Move one figure straight towards a place (PAY-070) and return the allowance it spends.

    It passes through friends, stops in contact with the first enemy on its path (PAY-071) and does not end on a base.
    """
    start = figure.at
    assert start is not None, "only figures on the table move"
    radius, column = battle.radius(figure), column_of(battle, figure)
    field = battle.field
    goal, foe = _up_to(start, destination, radius, foes)
    end, cost, barred = field.going[column].march(start, goal, allowance)
    if barred and dist(start, end) < BACK and foe is None:
        onward = battle.field.ways[column].heading(start, destination)
        if onward != destination:
            onward, foe = _up_to(start, onward, radius, foes)
            end, cost, barred = field.going[column].march(start, onward, allowance)
    if not crowd.is_free(end, radius):
        inches = allowance / field.going[column].bare
        beside = (
            None if foe is None else _another_contact_point(battle, start, foe, radius, inches, column, crowd, foes)
        )
        if beside is None:
            end = _pull_back(start, end, radius, crowd)
            _, cost, _ = field.going[column].march(start, end, allowance)
        else:
            end, cost = beside, min(allowance, field.going[column].bare * dist(start, beside))
    figure.at = end
    return cost


def up_to_enemies(battle: Battle, unit: Unit, start: Point, goal: Point, radius: float) -> Point:
    """Return the goal of a straight move, or the point where the base first touches an enemy (PAY-070, PAY-071)."""
    return _up_to(start, goal, radius, _foes(battle, unit, widen(box_between(start, goal), ROOM)))[0]


def _up_to(start: Point, goal: Point, radius: float, foes: Sequence[Base]) -> tuple[Point, Base | None]:
    """Return the goal and None, or the point where the moving base first touches an enemy, and that enemy's base."""
    touch = first_touch(start, goal, radius, _on_way(start, goal, foes, ROOM)) if foes else None
    return (goal, None) if touch is None else (up_to(start, goal, touch.moved), touch.base)


def reach_of(battle: Battle, mover: Mover) -> float:
    """Return the distance in inches that a figure covers on the easiest terrain."""
    return mover.allowance / battle.field.going[column_of(battle, mover.figure)].least


def _base(battle: Battle, figure: Figure) -> Base:
    assert figure.at is not None, "a mover is on the table"
    return Base(*figure.at, battle.radius(figure), battle.side_of(figure), figure.spec.id)


def _foes(battle: Battle, unit: Unit, box: Bounds) -> list[Base]:
    """Return the bases of the enemy units that meet a rectangle."""
    near = [other for other in battle.enemies(unit.spec.side) if boxes_near(other.box, box, 0.0)]
    found = [base for other in near for base in bases_of(battle, other)]
    for engine in battle.engines.values():
        at = engine.at
        if at is not None and engine.aboard and engine.side != unit.spec.side and not engine.altitude:
            found.append(Base(*at, battle.engine_radius(engine), engine.side, engine.aboard[0]))  # PAY-082
    return found


def _on_way(a: Point, b: Point, bases: Sequence[Base], room: float) -> list[Base]:
    """Return the bases that lie within `room` of the box around a path."""
    west, south, east, north = widen(box_between(a, b), room)
    return [base for base in bases if west <= base[0] <= east and south <= base[1] <= north]


def _wanted_places(battle: Battle, figures: Sequence[Figure], goal: Point, foes: Sequence[Base]) -> list[Point]:
    """Return the place that each figure makes for: an enemy, a position at a wall, or its place in the formation."""
    aimed = [
        (distance, key)
        for x, y, radius, _, key in _on_way(goal, goal, foes, ROOM)
        if (distance := dist((x, y), goal)) <= radius + AIM
    ]
    if aimed:
        enemy = min(aimed, key=lambda foe: foe[0])[1].rpartition(".")[0]
        bases = [foe for foe in foes if foe.key.rpartition(".")[0] == enemy]
        return _charge(figures, bases, battle.book.file.most_against_one.most)
    spots = [figure.at for figure in figures if figure.at is not None]
    middle = middle_of(spots)
    if not any(figure.mount for figure in figures):
        wall = wall_near(battle, goal, AIM)
        if wall is not None:
            slots = wall_slots(wall, goal, len(figures), battle.book.bases["foot"], middle)
            slots += [up_to(goal, middle, BEHIND)] * (len(figures) - len(slots))
            return _nearest_slots(spots, slots)
    room = sqrt(len(figures)) * ABREAST + 1.0
    column = "mounted" if any(column_of(battle, figure) == "mounted" for figure in figures) else "foot"
    places = []
    for x, y in spots:
        offset = (x - middle[0], y - middle[1])
        far = dist((0.0, 0.0), offset)
        close = min(1.0, room / far) if far else 1.0
        place = battle.field.table.onto((goal[0] + offset[0] * close, goal[1] + offset[1] * close))
        places.append(place if battle.field.going[column].can_stand(place) else goal)  # a ford is narrower than a unit
    return places


def _charge(figures: Sequence[Figure], foes: Sequence[Base], max_against_one: int) -> list[Point]:
    """Return for each figure the nearest enemy that fewer than `max_against_one` others are charging."""
    takers = dict.fromkeys((foe.key for foe in foes), 0)
    places = []
    for figure in figures:
        x, y = figure.at or (0.0, 0.0)
        free = [foe for foe in foes if takers[foe.key] < max_against_one] or foes
        foe = min(free, key=lambda foe: (foe[0] - x) * (foe[0] - x) + (foe[1] - y) * (foe[1] - y))
        takers[foe.key] += 1
        places.append((foe[0], foe[1]))
    return places


def _nearest_slots(spots: Sequence[Point], slots: list[Point]) -> list[Point]:
    """Return for each figure in turn the nearest position that none before it has taken."""
    free = list(slots)
    places = []
    for at in spots:
        best = min(free, key=lambda slot: dist(slot, at))
        free.remove(best)
        places.append(best)
    return places


def _another_contact_point(
    battle: Battle,
    start: Point,
    foe: Base,
    radius: float,
    inches: float,
    column: str,
    crowd: Crowd,
    foes: Sequence[Base],
) -> Point | None:
    """Return another reachable point in contact with the same enemy's base over open ground, or None."""
    foe_x, foe_y, contact_distance = foe[0], foe[1], foe[2] + radius
    for turn in range(1, ROUND):
        angle = 360 * turn / ROUND
        x, y = start[0] - foe_x, start[1] - foe_y
        far = dist((0.0, 0.0), (x, y)) or 1.0
        x, y = x / far * contact_distance, y / far * contact_distance
        at = (foe_x + x * cosd(angle) - y * sind(angle), foe_y + x * sind(angle) + y * cosd(angle))
        if dist(start, at) > inches or not crowd.is_free(at, radius):
            continue
        if not battle.field.going[column].is_plain(box_between(start, at)) or not battle.field.table.is_on_table(at):
            continue
        if first_touch(start, at, radius - SLACK, _on_way(start, at, foes, ROOM)) is None:
            return at
    return None


def _pull_back(start: Point, end: Point, radius: float, crowd: Crowd) -> Point:
    """Return the last point on the path, in half-inch steps, where the base overlaps no other, else the start."""
    length = dist(start, end)
    shares = [(length - number * BACK) / length for number in range(1, ceil(length / BACK))]
    way = end[0] - start[0], end[1] - start[1]
    return drawn_back(start, way, shares, lambda at: crowd.is_free(at, radius)) or start
