"""Starting positions of a scenario's forces: as given, or spread over their zones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

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

_LEADER_RADIUS = 0.6  # inches
_SPACINGS = (2.0, 1.5, 1.25, 1.0)
"""Least distances between two forces, as multiples of the sum of their radii; a smaller one is used only if needed."""
_MOST_POINTS = 4000
"""Largest number of points that are tried in all zones together."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Ground that is taken: its middle and radius in inches."""

    at: Point
    radius: float


class Placement(NamedTuple):
    """The starting positions of forces by id, in inches, and the forces that found no room."""

    positions: dict[str, Point]
    without_room: tuple[str, ...]


def starting_positions(scenario: Scenario, hidden: Collection[str] = ()) -> dict[str, Point]:
    """Return the starting position of every unit and leader on the table, by id, in inches.

    A given position is kept. A leader with a unit has the position of the unit. All others are spread over their zone
    or building, in the order of the file from the front. Later arrivals are left out. The `hidden` units take the room
    that is left, so that no other position reveals them.
    """
    return place_forces(scenario, hidden).positions


def place_forces(scenario: Scenario, hidden: Collection[str] = ()) -> Placement:
    """Return the placement of all forces, as `starting_positions` describes it."""
    forces = list(_forces(scenario))
    spots: dict[str, _Spot] = {}
    without_room = _place(scenario, [(key, force) for key, force in forces if key not in hidden], spots)
    without_room += _place(scenario, [(key, force) for key, force in forces if key in hidden], spots)
    positions = {key: spot.at for key, spot in spots.items()}
    for key, leader in scenario.leaders.items():
        if leader.unit in positions:
            positions[key] = positions[leader.unit]
    order = (*scenario.units, *scenario.leaders)
    return Placement({key: positions[key] for key in order if key in positions}, tuple(without_room))


def _place(scenario: Scenario, forces: Iterable[tuple[str, Unit | Leader]], spots: dict[str, _Spot]) -> list[str]:
    """Add the spots of some forces to those taken; return the ids of the forces that found no room."""
    radii_by_area: dict[str | tuple[str, str], dict[str, float]] = {}
    for key, force in forces:
        radius = force.room if isinstance(force, Unit) else _LEADER_RADIUS
        if force.position is not None:
            spots[key] = _Spot(force.position, radius)
        elif (area := area_of(scenario, force)) is not None:
            radii_by_area.setdefault(area, {})[key] = radius
    without_room: list[str] = []
    for area, radii in radii_by_area.items():
        points = _candidates(scenario, _polygon(scenario, area), _MOST_POINTS / len(radii_by_area))
        placed = _spread(points, radii, list(spots.values()))
        without_room += [key for key in radii if key not in placed]
        spots.update(placed)
    return without_room


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


def _spread(points: Sequence[Point], radii: Mapping[str, float], taken: Sequence[_Spot]) -> dict[str, _Spot]:
    """Return spots for forces among these points, as far apart as possible; forces that do not fit are left out."""
    placed: dict[str, _Spot] = {}
    for spacing in _SPACINGS:
        placed = _fill(points, radii, taken, spacing)
        if len(placed) == len(radii):
            break
    return placed


def _fill(
    points: Sequence[Point], radii: Mapping[str, float], taken: Sequence[_Spot], spacing: float
) -> dict[str, _Spot]:
    """Put each force at the first point that is far enough from every other force.

    The least distance is `spacing` times the sum of both radii.
    """
    smallest = min(radii.values())
    free = list(points)
    for other in taken:
        free = _points_away_from(free, other, spacing * (other.radius + smallest))
    placed: dict[str, _Spot] = {}
    for key, radius in radii.items():
        others = [*taken, *placed.values()]
        at = next((point for point in free if _is_free(point, radius, others, spacing)), None)
        if at is not None:
            placed[key] = _Spot(at, radius)
            free = _points_away_from(free, placed[key], spacing * (radius + smallest))
    return placed


def _is_free(point: Point, radius: float, others: Sequence[_Spot], spacing: float) -> bool:
    """Return True if a force of this radius is far enough from all others at a point."""
    return all(dist(point, other.at) >= spacing * (radius + other.radius) for other in others)


def _points_away_from(points: list[Point], spot: _Spot, distance: float) -> list[Point]:
    return [point for point in points if dist(point, spot.at) >= distance]


def _candidates(scenario: Scenario, polygon: Points, budget: float) -> list[Point]:
    """Return the passable points of a polygon, row by row from the front, each row from its middle outwards.

    The front is the side away from the nearest table edge. Deep water and cliffs are left out. Points are an inch
    apart, or further if a grid of one inch would have more than about `budget` points.
    """
    west, south, east, north = bounds(polygon)
    step = max(1.0, sqrt((east - west) * (north - south) / budget))
    middle_x, middle_y = middle_of_box(polygon)
    columns = [west + i * step for i in range(int((east - west) / step) + 1)]
    rows = [south + i * step for i in range(int((north - south) / step) + 1)]
    barriers = [piece for piece in scenario.terrain.values() if piece.is_deep or piece.kind == "cliff"]
    passable = [
        (x, y)
        for x in columns
        for y in rows
        if is_inside((x, y), polygon) and not any(lies_in((x, y), piece) for piece in barriers)
    ]
    distance_to_edge_behind = {  # by the direction of the front
        (0, 1): middle_y,
        (0, -1): scenario.table.depth - middle_y,
        (1, 0): middle_x,
        (-1, 0): scenario.table.width - middle_x,
    }
    front_x, front_y = min(distance_to_edge_behind, key=lambda front: distance_to_edge_behind[front])

    def order(point: Point) -> tuple[float, float, Point]:
        x, y = point
        ahead = x * front_x + y * front_y
        aside = abs((x - middle_x) * front_y) + abs((y - middle_y) * front_x)
        return -ahead, aside, point

    return sorted(passable, key=order)


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
    """Return for each objective that a side holds when the battle begins: the side, and its units there, nearest first.

    A unit is there if it is inside the place, or if the ground that it fills reaches the place. Only units count whose
    position the scenario gives, because the others are not set up yet. A place with units of two sides has no holder.
    """
    holders: dict[str, tuple[str, tuple[str, ...]]] = {}
    for key, goal in scenario.objectives.items():
        if not isinstance(goal, Hold):
            continue
        nearest_first = sorted(
            (gap, name)
            for name, unit in scenario.units.items()
            if unit.arrival is None and (gap := _gap(scenario, goal, unit)) is not None and gap <= unit.room
        )
        sides = {scenario.units[name].side for _, name in nearest_first}
        if len(sides) == 1:
            holders[key] = sides.pop(), tuple(name for _, name in nearest_first)
    return holders


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
