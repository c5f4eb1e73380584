"""Starting positions of a scenario's forces: as given, or spread over their zones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from zareba.base.exact import dist
from zareba.scenario.model import Arrival, BaseObjective, Escort, Hold, Leader, Scenario, Terrain, Unit
from zareba.space.geometry import (
    Point,
    Points,
    bounds,
    distance_to_polygon,
    distance_to_segment,
    is_inside,
    middle_of_box,
)
from zareba.space.outlines import middle_of_edge

_LEADER_ROOM = 0.6
_SPACINGS = (2.0, 1.5, 1.25, 1.0)
_MOST_POINTS = 4000


@dataclass(frozen=True, slots=True)
class _Spot:
    """Ground that is taken: its middle and radius in inches."""

    at: Point
    room: float


def starting_positions(scenario: Scenario, hidden: Collection[str] = ()) -> dict[str, Point]:
    """Return the starting position of every unit and leader on the table, by id, in inches.

    A given position is kept. A leader with a unit has the position of the unit. All others are spread over their zone
    or building, in the order of the file from the front. Later arrivals are left out. The `hidden` units take the room
    that is left, so that no other position reveals them.
    """
    return place_forces(scenario, hidden)[0]


def place_forces(scenario: Scenario, hidden: Collection[str] = ()) -> tuple[dict[str, Point], tuple[str, ...]]:
    """Return the starting positions, and the ids of the forces that found no room."""
    forces = list(_forces(scenario))
    spots: dict[str, _Spot] = {}
    homeless = _place(scenario, [one for one in forces if one[0] not in hidden], spots)
    homeless += _place(scenario, [one for one in forces if one[0] in hidden], spots)
    positions = {key: spot.at for key, spot in spots.items()}
    for key, leader in scenario.leaders.items():
        if leader.unit in positions:
            positions[key] = positions[leader.unit]
    order = (*scenario.units, *scenario.leaders)
    return {key: positions[key] for key in order if key in positions}, tuple(homeless)


def _place(scenario: Scenario, forces: Iterable[tuple[str, Unit | Leader]], spots: dict[str, _Spot]) -> list[str]:
    """Add the spots of some forces to those taken; return the ids of the forces that found no room."""
    waiting: dict[str | tuple[str, str], dict[str, float]] = {}
    for key, force in forces:
        room = force.room if isinstance(force, Unit) else _LEADER_ROOM
        if force.position is not None:
            spots[key] = _Spot(force.position, room)
        elif (area := area_of(scenario, force)) is not None:
            waiting.setdefault(area, {})[key] = room
    homeless: list[str] = []
    for area, rooms in waiting.items():
        points = _candidates(scenario, _polygon(scenario, area), _MOST_POINTS / len(waiting))
        spread = _spread(points, rooms, list(spots.values()))
        homeless += [key for key in rooms if key not in spread]
        spots.update(spread)
    return homeless


def _forces(scenario: Scenario) -> Iterator[tuple[str, Unit | Leader]]:
    """Yield the units and the leaders without a unit that are on the table from the start."""
    for key, unit in scenario.units.items():
        if unit.arrival is None:
            yield key, unit
    for key, leader in scenario.leaders.items():
        if leader.arrival is None and leader.unit is None:
            yield key, leader


def area_of(scenario: Scenario, force: Unit | Leader) -> str | tuple[str, str] | None:
    """Return the area a force is set out in: a terrain id, a (side, zone) pair, or None if the scenario names none."""
    if isinstance(force, Unit) and force.inside is not None:
        return force.inside
    zones = scenario.sides[force.side].deployment
    zone = force.zone or next(iter(zones), None)
    return None if zone is None else (force.side, zone)


def zone_of(scenario: Scenario, force: Unit | Leader) -> Points | None:
    """Return the zone in which a player sets out a force; None if it has a given position or arrives later."""
    if force.position is not None or force.arrival is not None:
        return None
    area = area_of(scenario, force)
    return None if area is None or isinstance(area, str) else _polygon(scenario, area)


def _polygon(scenario: Scenario, area: str | tuple[str, str]) -> Points:
    if isinstance(area, str):
        return scenario.terrain[area].area or ()
    side, zone = area
    return scenario.sides[side].deployment[zone]


def _spread(points: Sequence[Point], rooms: Mapping[str, float], taken: Sequence[_Spot]) -> dict[str, _Spot]:
    """Return spots for forces among these points, as far apart as possible; forces that do not fit are left out."""
    placed: dict[str, _Spot] = {}
    for spacing in _SPACINGS:
        placed = _fill(points, rooms, taken, spacing)
        if len(placed) == len(rooms):
            break
    return placed


def _fill(
    points: Sequence[Point], rooms: Mapping[str, float], taken: Sequence[_Spot], spacing: float
) -> dict[str, _Spot]:
    """Put each force at the first point that is far enough from every other force.

    The least distance is `spacing` times the sum of both radii.
    """
    least = min(rooms.values())
    free = list(points)
    for other in taken:
        free = _clear(free, other, spacing * (other.room + least))
    placed: dict[str, _Spot] = {}
    for key, room in rooms.items():
        others = [*taken, *placed.values()]
        fits = (at for at in free if all(dist(at, o.at) >= spacing * (room + o.room) for o in others))
        at = next(fits, None)
        if at is not None:
            placed[key] = _Spot(at, room)
            free = _clear(free, placed[key], spacing * (room + least))
    return placed


def _clear(points: list[Point], spot: _Spot, reach: float) -> list[Point]:
    return [point for point in points if dist(point, spot.at) >= reach]


def _candidates(scenario: Scenario, polygon: Points, budget: float) -> list[Point]:
    """Return the passable points of a polygon, row by row from the front, each row from its middle outwards.

    The front is the side away from the nearest table edge. Deep water and cliffs are left out. Points are an inch
    apart, or further if a grid of one inch would have more than about `budget` points.
    """
    west, south, east, north = bounds(polygon)
    apart = max(1.0, sqrt((east - west) * (north - south) / budget))
    middle = middle_of_box(polygon)
    columns = [west + i * apart for i in range(int((east - west) / apart) + 1)]
    rows = [south + i * apart for i in range(int((north - south) / apart) + 1)]
    barriers = [piece for piece in scenario.terrain.values() if piece.is_deep or piece.kind == "cliff"]
    dry = [
        (x, y)
        for x in columns
        for y in rows
        if is_inside((x, y), polygon) and not any(lies_in((x, y), piece) for piece in barriers)
    ]
    behind = {
        (0, 1): middle[1],
        (0, -1): scenario.table.depth - middle[1],
        (1, 0): middle[0],
        (-1, 0): scenario.table.width - middle[0],
    }
    forward = min(behind, key=lambda direction: behind[direction])

    def order(point: Point) -> tuple[float, float, Point]:
        ahead = point[0] * forward[0] + point[1] * forward[1]
        aside = abs((point[0] - middle[0]) * forward[1]) + abs((point[1] - middle[1]) * forward[0])
        return -ahead, aside, point

    return sorted(dry, key=order)


def lies_in(point: Point, piece: Terrain) -> bool:
    """Return True if a point lies in an area of terrain, or within half the width of a line."""
    if piece.area is not None:
        return is_inside(point, piece.area)
    line = piece.line or ()
    return any(distance_to_segment(point, a, b) <= piece.across / 2 for a, b in pairwise(line))


def place_of(scenario: Scenario, goal: BaseObjective) -> Point | None:
    """Return the middle of the place that an objective wants held or reached, in inches; None if it has no place."""
    if isinstance(goal, Hold) and goal.terrain is not None:
        piece = scenario.terrain[goal.terrain]
        return middle_of_box(piece.area or piece.line or ())
    return goal.at if isinstance(goal, (Hold, Escort)) else None


def occupied(scenario: Scenario) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The places that a side holds when the battle begins: objective -> the side, and its units there, the nearest first.

    A unit is there if it is inside the place, or if the ground that it fills reaches the place. Units count whose place the
    scenario gives; where their owner sets out the others is not known yet. A place with units of two sides has no holder.
    """
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for key, goal in scenario.objectives.items():
        if not isinstance(goal, Hold):
            continue
        there = sorted(
            (gap, name)
            for name, unit in scenario.units.items()
            if unit.arrival is None and (gap := _gap(scenario, goal, unit)) is not None and gap <= unit.room
        )
        sides = {scenario.units[name].side for _, name in there}
        if len(sides) == 1:
            found[key] = sides.pop(), tuple(name for _, name in there)
    return found


def _gap(scenario: Scenario, goal: Hold, unit: Unit) -> float | None:
    """Return the distance of the middle of a unit from a place to hold; None if its position is not given."""
    if unit.inside is not None:
        return 0.0 if unit.inside == goal.terrain else None
    if unit.position is None:
        return None
    if goal.terrain is None:
        return max(0.0, dist(unit.position, goal.at) - goal.radius) if goal.at is not None else None
    piece = scenario.terrain[goal.terrain]
    if piece.area is not None:
        return distance_to_polygon(unit.position, piece.area)
    legs = pairwise(piece.line or ())
    return max(0.0, min(distance_to_segment(unit.position, a, b) for a, b in legs) - piece.across / 2)


def arrival_point(scenario: Scenario, arrival: Arrival) -> Point:
    """Return the point where a unit arrives: as given, otherwise the middle of the edge."""
    return arrival.at or middle_of_edge((scenario.table.width, scenario.table.depth), arrival.edge)
