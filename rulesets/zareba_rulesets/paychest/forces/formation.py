"""Formations: figures placed around a point, in a block or along a wall (PAY-048, PAY-088)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil, sqrt

from zareba.base.exact import dist, hypot
from zareba.space import Point
from zareba.space.field.bodies import Base, Crowd
from zareba.space.field.free_table import drawn_up, in_ranks
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Points, about, bounds, is_inside, shift_into, up_to, widen
from zareba.space.moves import first_free, rings, spread_along
from zareba_rulesets.paychest.book.tables import Ground
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit

ROOM = 0.15
_WALL_REACH = 3.0
FAR = 30.0
"""The distance in inches within which a figure finds room when its unit forms up in a crowd."""


def block(count: int, spacing: float) -> tuple[Point, ...]:
    """Return offsets (aside, ahead) for a block of figures twice as wide as deep, from the middle of the front."""
    return in_ranks(count, max(1, ceil(sqrt(2 * count))), spacing, middle_first=True)


def bases_of(battle: Battle, unit: Unit) -> list[Base]:
    """Return the bases of a unit's figures.

    The list is cached with the unit's `positions` and rebuilt after every move and loss.
    """
    positions = unit.positions
    if positions.bases is None:
        foot, mounted, side = battle.book.bases["foot"], battle.book.bases["mounted"], unit.spec.side
        positions.bases = [
            Base(x, y, mounted if man.mount else foot, side, key) for x, y, key, man in positions.on_ground
        ]
    return positions.bases


def bases_near(battle: Battle, box: Box, skip: Collection[str] = ()) -> list[Base]:
    """Return the bases of able figures and engines in a rectangle, except those in `skip`.

    Bodies block nothing (PAY-126). Figures on a conveyance have no separate base.
    """
    west, south, east, north = box
    found = [
        base
        for unit in battle.units.values()
        if (around := unit.box)[2] >= west and around[0] <= east and around[3] >= south and around[1] <= north
        for base in bases_of(battle, unit)
        if west <= base.x <= east and south <= base.y <= north and base.key not in skip
    ]
    for key, engine in battle.engines.items():
        at = engine.at
        if at is None or engine.carrier or key in skip or engine.altitude:
            continue
        if west <= at[0] <= east and south <= at[1] <= north:
            found.append(Base(*at, battle.engine_radius(engine), engine.side, key))
    return found


def crowd_about(battle: Battle, at: Point, reach: float, skip: Collection[str] = ()) -> Crowd:
    """Return the bases around a point, where free room is wanted."""
    return Crowd(bases_near(battle, about(at, reach), skip))


def nearest_free(
    battle: Battle, goal: Point, radius: float, column: str, crowd: Crowd, within: float = 12.0, zone: Points = ()
) -> Point | None:
    """Return the wanted point or the nearest one where a base can stand, or None if there is none within reach.

    With a `zone` the centre must be inside it.
    """
    can_stand = battle.field.move_costs[column].can_stand
    around = rings(0.5, within, least=8, per=6.0, from_east=True)
    return first_free(goal, radius, crowd, around, lambda at: can_stand(at) and (not zone or is_inside(at, zone)))


def wall_near(battle: Battle, at: Point, reach: float = _WALL_REACH) -> TerrainPiece[Ground] | None:
    """Return the nearest wall or fence with hard cover within reach of a point, or None."""
    best, found = reach, None
    for piece in battle.field.lines.values():
        if piece.ground.cover == "hard":
            west, south, east, north = piece.box
            if not (west - best <= at[0] <= east + best and south - best <= at[1] <= north + best):
                continue
            distance = piece.distance(at)
            if distance <= best:
                best, found = distance, piece
    return found


def wall_slots(piece: TerrainPiece[Ground], at: Point, count: int, radius: float, behind: Point) -> list[Point]:
    """Return positions against the leg of a wall nearest to a point, on the side of `behind`, the nearest first.

    On a high wall the positions are on top of it (PAY-089, PAY-091).
    """
    return spread_along(piece.legs, at, count, 2 * radius + 0.05, 0.0 if piece.ground.climb else radius, behind)


def depth_of(battle: Battle, figures: Sequence[Figure]) -> float:
    """Return the distance in inches from the middle of a block of figures to the rear of its last rank."""
    radius = max(battle.radius(figure) for figure in figures)
    return radius - min(ahead for _, ahead in block(len(figures), 2 * radius + ROOM))


def room_aside(battle: Battle, figures: Sequence[Figure], at: Point, ahead: Point) -> Point:
    """Return the point with the most room for a block facing `ahead`: the given one, or the nearest on either side."""
    radius = max(battle.radius(figure) for figure in figures)
    column = "mounted" if any(figure.mount for figure in figures) else "foot"
    dx, dy = ahead
    offsets = block(len(figures), 2 * radius + ROOM)
    crowd = crowd_about(battle, at, 2 * FAR)
    most_room, best = -1, at
    for number in range(2 * int(FAR)):
        by = (number + 1) // 2 * (1 if number % 2 else -1)
        here = at[0] + by * dy, at[1] - by * dx
        if not battle.field.move_costs[column].can_stand(here):
            continue
        spots = drawn_up(offsets, here, ahead)
        free = sum(crowd.is_free(spot, radius) for spot in spots)
        if free > most_room:
            most_room, best = free, here
        if free == len(offsets):
            break
    return best


def form_up(battle: Battle, unit: Unit, figures: Sequence[Figure], at: Point, ahead: Point, zone: Points = ()) -> None:
    """Place figures around a point, facing the direction `ahead`: along a wall nearby, else in a block.

    Used only for set-up and arrivals. Figures do not overlap other bases, and stay inside the `zone` if it has room,
    always on the table.
    """
    if not figures:
        return
    radius = max(battle.radius(figure) for figure in figures)
    column = "mounted" if any(figure.mount for figure in figures) else "foot"
    reach = hypot(*ahead) or 1.0
    dx, dy = ahead[0] / reach, ahead[1] / reach
    spacing = 2 * radius + ROOM
    wants = drawn_up(block(len(figures), spacing), at, (dx, dy))
    if zone:
        wants = moved_into(wants, zone, 0.0)
    if column == "foot":
        wall = wall_near(battle, at)
        if wall is not None:
            manned = wall_slots(wall, at, len(figures), radius, up_to(at, (at[0] - dx, at[1] - dy), 1.0))
            wants = manned + wants[len(manned) :]
    crowd = crowd_about(battle, at, 2 * FAR, {figure.spec.id for figure in figures})
    mates: list[Point] = []
    for figure, want in zip(figures, wants, strict=True):
        base = battle.radius(figure)
        place = nearest_free(battle, want, base, column, crowd, FAR, zone)
        if place is None:  # the zone is full
            want = battle.field.table.onto(want, base)
            place = nearest_free(battle, want, base, column, crowd, FAR, battle.field.area_inside(base)) or want
        if mates:
            gap, near = min((dist(mate, place), mate) for mate in mates)
            if gap > battle.book.file.cohesion_at_start.inches:
                place = nearest_free(battle, near, base, column, crowd, FAR, zone) or place
        figure.at = place
        mates.append(place)
        crowd.add(Base(*place, base))
    unit.measure()


def moved_into(spots: Sequence[Point], zone: Points, room: float) -> list[Point]:
    """Return a block moved into the rectangle around a zone, at least `room` inches from its sides."""
    across, along = shift_into(bounds(spots), widen(bounds(zone), -room))
    return [(x + across, y + along) for x, y in spots]
