"""Movement of panicking men (FBN-166, FBN-167, FBN-169, FBN-170): on foot, mounted, from buildings, into cover."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import atan2d, dist, hypot
from zareba.space.bearings import bearing_to, offset
from zareba.space.field.bases import Base
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, about, box_between, middle_of, nearest_on
from zareba.space.ground.buildings import BuildingOpening
from zareba.space.moves.contact import places_round
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import CANTER, Row
from zareba_rulesets.fixed_baynet.chapters.buildings.buildings import cross_opening, crossings, is_open
from zareba_rulesets.fixed_baynet.chapters.buildings.doors import climb_ladder, ladders, may_spend_all
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import spend_ride
from zareba_rulesets.fixed_baynet.chapters.cavalry.gaits import allowed_gaits, ride_refused
from zareba_rulesets.fixed_baynet.chapters.melee.charges import contact_spot, move_into_contact
from zareba_rulesets.fixed_baynet.chapters.movement.movement import can_move, crowd_refusal, step_towards
from zareba_rulesets.fixed_baynet.chapters.sight.contact import stands_on_spot
from zareba_rulesets.fixed_baynet.chapters.sight.sight import cover_between, row_now
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import BESIDE, bases_near, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = [
    "charge_or_move",
    "close_in",
    "cover_near",
    "is_sheltered",
    "leave_building",
    "move_towards",
    "ride_at",
    "ride_away",
]

BEHIND, AT_CORNER = 0.1, 0.05
ASIDE = (30, -30, 60, -60, 90, -90)  # degrees off the straight line, tried if a figure blocks it


# --- on foot ------------------------------------------------------------------------------------------------------------


def move_towards(battle: Battle, unit: Unit, man: Figure, goal: Point) -> float:
    """Make one movement action towards a goal, around closed ground and past figures in the way.

    Return the inches moved.
    """
    corner, (x, y) = _next_corner(battle, man, goal), man.at
    moved = step_towards(battle, unit, man, corner)
    if moved == 0 and corner != goal:
        moved = step_towards(battle, unit, man, goal)
    away, way = hypot(corner[0] - x, corner[1] - y), atan2d(corner[0] - x, corner[1] - y)
    for turn in ASIDE:
        if moved > 0 or away < AT_CORNER:
            break
        moved = step_towards(battle, unit, man, offset(man.at, way + turn, away))
    return moved


def _next_corner(battle: Battle, man: Figure, goal: Point) -> Point:
    """Return the first corner on the shortest path around closed ground, or the goal itself if the way is open."""
    if man.place or not battle.field.closed_pieces or not battle.field.leg(man.at, goal, False, ruins(battle)).closed:
        return goal
    way = battle.field.way_round(man.at, goal) or ()
    return next((point for point in way[1:-1] if dist(point, man.at) > AT_CORNER), goal)


def close_in(battle: Battle, unit: Unit, man: Figure, prey: Figure) -> None:
    """Move a man one action towards another, into contact if it reaches."""
    away = dist(prey.at, man.at)
    stop = battle.radius(man) + battle.radius(prey) + 0.001
    share = max(0.0, away - stop) / away if away else 0.0
    move_towards(battle, unit, man, (man.x + (prey.x - man.x) * share, man.y + (prey.y - man.y) * share))


def charge_or_move(battle: Battle, unit: Unit, man: Figure, foes: Sequence[Figure]) -> bool:
    """Charge if a charge reaches, otherwise move. Return False if he cannot get nearer (FBN-170)."""
    if can_move(battle, man, charging=True):
        spot = contact_spot(battle, unit, man, foes[:3])
        if spot is not None and spot != man.at:
            man.facing = bearing_to(man.at, spot)
            move_into_contact(battle, unit, man, spot)
            man.ac -= 1
            man.moves += 1
            man.mark("charged", "moved")
            unit.measure()
            return True
    if not can_move(battle, man):
        return False
    before = man.ac
    close_in(battle, unit, man, foes[0])
    return man.ac < before


# --- on horseback ---------------------------------------------------------------------------------------------------------


def ride_away(battle: Battle, unit: Unit, man: Figure, goal: Point, gaits: Sequence[int] = ()) -> float:
    """Ride towards a goal at the highest legal gait (FBN-166), around closed ground and past figures in the way, for 1
    AC. Return the inches moved.

    `gaits` are those allowed to him, if the caller has them.
    """
    goal = _next_corner(battle, man, goal)
    away, way = dist(goal, man.at), atan2d(goal[0] - man.x, goal[1] - man.y)
    if away < AT_CORNER:
        return 0.0
    reach = float(battle.book.gaits[-1].most)
    bases = bases_near(battle, (*man.at, *man.at), reach + battle.book.between_bases, {man.spec.id})
    gaits = gaits or allowed_gaits(battle.book, man)
    rides = (_ride_straight(battle, unit, man, gaits, (way + turn) % 360, away, bases) for turn in (0, *ASIDE))
    return next((inches for inches in rides if inches), 0.0)


def _ride_straight(
    battle: Battle, unit: Unit, man: Figure, open_to: Sequence[int], way: float, away: float, bases: Sequence[Base]
) -> float:
    """Ride up to `away` inches on one bearing, at the highest allowed gait that is possible. Return the inches moved."""
    gaits = battle.book.gaits
    for gait in reversed(open_to):
        length = min(float(gaits[gait].most), away)
        while length >= max(min(1.0, away), gaits[gait].least):
            end = offset(man.at, way, length)
            if _is_way_free(battle, unit, man, end, bases) and ride_refused(battle, man, (man.at, end), gait) is None:
                battle.put(man, *end)
                spend_ride(man, gait, way)
                unit.measure()
                return length
            length -= 1
    return 0.0


def _is_way_free(
    battle: Battle, unit: Unit, man: Figure, end: Point, bases: Sequence[Base], charging: bool = False
) -> bool:
    """Return True if there is room at the end of the move and no enemy on the way (FBN-050, FBN-270)."""
    way = end[0] - man.x, end[1] - man.y
    return (
        open_ground(battle, *end)
        and crowd_refusal(battle, unit.spec.side, [man.at], way, battle.radius(man), bases, charging) is None
    )


def ride_at(battle: Battle, unit: Unit, man: Figure, prey: Figure) -> bool:
    """Ride a man at an enemy: into contact at the highest gait that gets there, or as near as possible.

    Return False if he does not move.
    """
    if man.moves >= battle.book.settings.mount_moves_per_turn:
        return False
    start, towards = man.at, atan2d(man.x - prey.x, man.y - prey.y)
    reach = battle.radius(man) + battle.radius(prey) + 0.001
    bases = bases_near(battle, box_between(start, prey.at), 4.0, {man.spec.id})
    gaits = allowed_gaits(battle.book, man)
    for gait in reversed(gaits):
        for spot in places_round(prey.at, reach, towards, BESIDE):
            if (
                _is_way_free(battle, unit, man, spot, bases, gait >= CANTER)
                and ride_refused(battle, man, (start, spot), gait, charging=gait >= CANTER) is None
            ):
                battle.put(man, *spot)
                spend_ride(man, gait, bearing_to(start, spot))
                if gait >= CANTER:
                    man.mark("charged")
                unit.measure()
                return True
    return ride_away(battle, unit, man, prey.at, gaits) > 0


# --- buildings and cover --------------------------------------------------------------------------------------------------


def leave_building(table: Table, battle: Battle, unit: Unit, man: Figure) -> bool:
    """Cross one boundary on the shortest way out of a building through open doors, or walk towards it.

    Return False if there is no way. A man on a watchtower climbs down the ladder, which takes his whole activation
    (FBN-260).
    """
    for ladder in ladders(battle, man):
        if may_spend_all(man):
            climb_ladder(table, battle, unit, man, ladder)
            return True
    way = _way_out(battle, man.place)
    if way is None:
        return False
    for crossing, to in crossings(battle, man):
        if crossing is way:
            cross_opening(table, battle, unit, man, way, to)
            return True
    return stands_on_spot(battle, man) and step_towards(battle, unit, man, way.at) > 0


def _way_out(battle: Battle, place: str) -> BuildingOpening | None:
    """Return the first opening on the way from a section to the open air through the fewest sections."""
    house = battle.field.buildings[place.partition(":")[0]]
    frontier: list[tuple[str, BuildingOpening | None]] = [(place, None)]
    seen = {place}
    for room, first in frontier:
        for way in house.openings.values():
            if not is_open(battle, way) or room not in (way.section, way.other):
                continue
            to = way.other if room == way.section else way.section
            if not to:
                return first or way
            if to not in seen:
                seen.add(to)
                frontier.append((to, first or way))
    return None


def is_sheltered(battle: Battle, man: Figure, foe: Figure | None) -> bool:
    """Return True if a man has a CV of 1 or more, from the terrain he is in or against the nearest enemy (FBN-167)."""
    here = man.at
    if man.place or cover_between(battle, here, None, man, battle.field.scene((*here, *here))) >= 1:
        return True
    if foe is None:
        return False
    return cover_between(battle, foe.at, foe, man, battle.field.scene(box_between(here, foe.at))) >= 1


def cover_near(battle: Battle, man: Figure, reach: float, foes: Sequence[Figure]) -> Point | None:
    """Return the nearest cover within reach without an enemy: in an area, or behind a wall from the nearest enemy."""
    best: tuple[float, Point] | None = None
    for piece in battle.field.near(about(man.at, reach)):
        row = row_now(battle, piece)
        if row.cv < 1 or row.shelter == "none" or row.move == "closed":
            continue
        spot = _spot_in_area(man, piece, foes) if piece.is_area else _spot_behind_wall(battle, man, piece, foes)
        if spot is None:
            continue
        far = dist(spot, man.at)
        if far <= reach and (best is None or far < best[0]):
            best = (far, spot)
    return None if best is None else best[1]


def _spot_in_area(man: Figure, piece: TerrainPiece[Row], foes: Sequence[Figure]) -> Point | None:
    """Return a spot just inside an area of terrain, or None if it holds an enemy (FBN-167)."""
    if any(piece.holds(foe.at) for foe in foes):
        return None
    at = nearest_on(man.at, piece.legs)
    x, y = middle_of(piece.points)
    away = hypot(x - at[0], y - at[1]) or 1.0
    return at[0] + (x - at[0]) / away * 0.6, at[1] + (y - at[1]) / away * 0.6


def _spot_behind_wall(battle: Battle, man: Figure, piece: TerrainPiece[Row], foes: Sequence[Figure]) -> Point | None:
    """Return a spot close behind a wall, on the side away from the nearest enemy."""
    if not foes:
        return None
    foe = foes[0]
    at = nearest_on(man.at, piece.legs)
    away = dist(at, foe.at)
    if away == 0:
        return None
    back = battle.radius(man) + BEHIND
    spot = (at[0] + (at[0] - foe.x) / away * back, at[1] + (at[1] - foe.y) / away * back)
    held = any(dist(other.at, spot) <= 2 for other in foes)
    return None if held or not piece.meets(foe.at, spot) else spot
