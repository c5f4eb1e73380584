"""Formations: figures placed around a point, in a block or along a wall (PAY-048, PAY-088)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil, sqrt

from zareba.base.exact import dist, hypot
from zareba.base.speedups import new_tuple
from zareba.space import Point
from zareba.space.field.bodies import Base, Crowd
from zareba.space.field.free_table import place_formation, rank_positions
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Points, bounds, box_around, is_inside, shift_into, up_to, widen
from zareba.space.moves import first_free, rings, spread_along
from zareba_rulesets.paychest.book.tables import Ground
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit

BASE_GAP = 0.15
"""The gap in inches between the bases of a block."""
_WALL_REACH = 3.0
"""The distance in inches within which a unit that forms up lines a wall."""
FORM_UP_REACH = 30.0
"""The distance in inches within which a figure finds room when its unit forms up in a crowd."""


def block(count: int, spacing: float) -> tuple[Point, ...]:
    """Return offsets (aside, ahead) for a block of figures twice as wide as deep, from the middle of the front."""
    return rank_positions(count, max(1, ceil(sqrt(2 * count))), spacing, middle_first=True)


def bases_of(battle: Battle, unit: Unit) -> list[Base]:
    """Return the bases of a unit's figures.

    The list is cached with the unit's `positions` and rebuilt after every move and loss.
    """
    positions = unit.positions
    if positions.bases is None:
        foot, mounted, side = battle.book.bases["foot"], battle.book.bases["mounted"], unit.spec.side
        positions.bases = [
            new_tuple(Base, (x, y, mounted if man.mount else foot, side, key)) for x, y, key, man in positions.on_ground
        ]
    return positions.bases


def bases_in_box(battle: Battle, box: Box, skip: Collection[str] = ()) -> list[Base]:
    """Return the bases of able figures and engines in a rectangle, except those with the ids in `skip`.

    Figures out of action block nothing (PAY-126). Figures on a conveyance have no separate base.
    """
    west, south, east, north = box
    bases = [
        base
        for unit in battle.units.values()
        if (unit_box := unit.box)[2] >= west and unit_box[0] <= east and unit_box[3] >= south and unit_box[1] <= north
        for base in bases_of(battle, unit)
        if west <= base.x <= east and south <= base.y <= north and base.key not in skip
    ]
    return [*bases, *_engines_in_box(battle, box, skip)] if battle.engines else bases


def crowd_with(battle: Battle, box: Box, movers: Mapping[str, Base]) -> Crowd:
    """Return the bases of able figures and engines that meet a rectangle as a `Crowd`, with figures about to move.

    `movers` holds the bases of figures of one unit, by id. Bases outside the rectangle may be included.
    """
    west, south, east, north = box
    home = next(iter(movers)).rpartition(".")[0]
    crowds, single = [], list(movers.values())
    for key, unit in battle.units.items():
        left, low, right, high = unit.box
        if right < west or left > east or high < south or low > north:
            continue
        if key == home:
            single += [base for base in bases_of(battle, unit) if base.key not in movers]
        else:
            positions = unit.positions
            if positions.crowd is None:
                positions.crowd = Crowd(bases_of(battle, unit))
            crowds.append(positions.crowd)
    if battle.engines:
        single += _engines_in_box(battle, box, movers)
    return Crowd.joined([*crowds, Crowd(single)])


def _engines_in_box(battle: Battle, box: Box, skip: Collection[str]) -> Iterator[Base]:
    """Yield the bases of engines in a rectangle, except those with the ids in `skip`."""
    west, south, east, north = box
    for key, engine in battle.engines.items():
        at = engine.at
        if at is None or engine.carrier or key in skip or engine.altitude:
            continue
        if west <= at[0] <= east and south <= at[1] <= north:
            yield Base(*at, battle.engine_radius(engine), engine.side, key)


def crowd_around(battle: Battle, at: Point, reach: float, skip: Collection[str] = ()) -> Crowd:
    """Return the bases around a point as a `Crowd`, to find free places among them."""
    return Crowd(bases_in_box(battle, box_around(at, reach), skip))


def nearest_free(
    battle: Battle, goal: Point, radius: float, column: str, crowd: Crowd, within: float = 12.0, zone: Points = ()
) -> Point | None:
    """Return the goal or the nearest point where a base can stand, or None if there is none `within` this distance.

    The base's centre must be inside the `zone`, if there is one. `column` is the mover type.
    """
    can_stand = battle.field.move_costs[column].can_stand
    candidates = rings(0.5, within, least=8, per=6.0, from_east=True)
    return first_free(goal, radius, crowd, candidates, lambda at: can_stand(at) and (not zone or is_inside(at, zone)))


def wall_near(battle: Battle, at: Point, reach: float = _WALL_REACH) -> TerrainPiece[Ground] | None:
    """Return the nearest wall or fence with hard cover within reach of a point, or None."""
    shortest, nearest = reach, None
    for piece in battle.field.lines.values():
        if piece.ground.cover == "hard":
            west, south, east, north = piece.box
            if not (west - shortest <= at[0] <= east + shortest and south - shortest <= at[1] <= north + shortest):
                continue
            distance = piece.distance(at)
            if distance <= shortest:
                shortest, nearest = distance, piece
    return nearest


def wall_slots(piece: TerrainPiece[Ground], at: Point, count: int, radius: float, behind: Point) -> list[Point]:
    """Return positions against the leg of a wall nearest to a point, on the side of `behind`, the nearest first.

    On a high wall the positions are on top of it (PAY-089, PAY-091).
    """
    return spread_along(piece.legs, at, count, 2 * radius + 0.05, 0.0 if piece.ground.climb else radius, behind)


def depth_of(battle: Battle, figures: Sequence[Figure]) -> float:
    """Return the distance in inches from the middle of a block of figures to the rear of its last rank."""
    radius = max(battle.radius(figure) for figure in figures)
    return radius - min(ahead for _, ahead in block(len(figures), 2 * radius + BASE_GAP))


def roomiest_point(battle: Battle, figures: Sequence[Figure], at: Point, ahead: Point) -> Point:
    """Return the point with the most room for a block that faces `ahead`.

    It is `at` or a point to either side of it; of equals, the nearest.
    """
    radius = max(battle.radius(figure) for figure in figures)
    column = "mounted" if any(figure.mount for figure in figures) else "foot"
    dx, dy = ahead
    offsets = block(len(figures), 2 * radius + BASE_GAP)
    crowd = crowd_around(battle, at, 2 * FORM_UP_REACH)
    most_room, best_point = -1, at
    for number in range(2 * int(FORM_UP_REACH)):
        offset = (number + 1) // 2 * (1 if number % 2 else -1)
        candidate = at[0] + offset * dy, at[1] - offset * dx
        if not battle.field.move_costs[column].can_stand(candidate):
            continue
        spots = place_formation(offsets, candidate, ahead)
        free_spots = sum(crowd.is_free(spot, radius) for spot in spots)
        if free_spots > most_room:
            most_room, best_point = free_spots, candidate
        if free_spots == len(offsets):
            break
    return best_point


def form_up(battle: Battle, unit: Unit, figures: Sequence[Figure], at: Point, ahead: Point, zone: Points = ()) -> None:
    """Place figures around a point, facing the direction `ahead`: along a wall nearby, else in a block.

    Used only for set-up and arrivals. Figures do not overlap other bases, and stay inside the `zone` if it has room,
    always on the table.
    """
    if not figures:
        return
    radius = max(battle.radius(figure) for figure in figures)
    column = "mounted" if any(figure.mount for figure in figures) else "foot"
    length = hypot(*ahead) or 1.0
    dx, dy = ahead[0] / length, ahead[1] / length
    spacing = 2 * radius + BASE_GAP
    goals = place_formation(block(len(figures), spacing), at, (dx, dy))
    if zone:
        goals = shift_block_into(goals, zone, 0.0)
    if column == "foot":
        wall = wall_near(battle, at)
        if wall is not None:
            along_wall = wall_slots(wall, at, len(figures), radius, up_to(at, (at[0] - dx, at[1] - dy), 1.0))
            goals = along_wall + goals[len(along_wall) :]
    crowd = crowd_around(battle, at, 2 * FORM_UP_REACH, {figure.spec.id for figure in figures})
    positions: list[Point] = []
    for figure, goal in zip(figures, goals, strict=True):
        base = battle.radius(figure)
        position = nearest_free(battle, goal, base, column, crowd, FORM_UP_REACH, zone)
        if position is None:  # the zone is full
            goal = battle.field.table.nearest_point_inside(goal, base)
            position = (
                nearest_free(battle, goal, base, column, crowd, FORM_UP_REACH, battle.field.area_inside(base)) or goal
            )
        if positions:
            gap, near = min((dist(other, position), other) for other in positions)
            if gap > battle.book.file.cohesion_at_start.inches:
                position = nearest_free(battle, near, base, column, crowd, FORM_UP_REACH, zone) or position
        figure.at = position
        positions.append(position)
        crowd.add(Base(*position, base))
    unit.measure()


def shift_block_into(spots: Sequence[Point], zone: Points, room: float) -> list[Point]:
    """Return a block moved into the rectangle around a zone, at least `room` inches from its sides."""
    across, along = shift_into(bounds(spots), widen(bounds(zone), -room))
    return [(x + across, y + along) for x, y in spots]
