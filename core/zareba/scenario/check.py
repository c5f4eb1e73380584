"""Checks on a scenario beyond its vocabulary. All faults are reported at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations, pairwise
from typing import Final, TypeAlias

from zareba.base.errors import Problem, nearest
from zareba.base.exact import dist
from zareba.base.filenames import is_reserved
from zareba.base.grammar import amount
from zareba.base.references import marked_names
from zareba.base.yamlfile import Document, KeyPath
from zareba.scenario.model import (
    Arrival,
    CaptureLeader,
    Destroy,
    Escort,
    Hold,
    Leader,
    Scenario,
    ScenarioEvent,
    Survive,
    Unit,
)
from zareba.scenario.placement import place_forces
from zareba.scenario.unsupported import terrain_conflicts, unit_conflicts
from zareba.scenario.vocabulary import Facing
from zareba.scenario.vocabulary.words import ARMS
from zareba.space.bearings import direction
from zareba.space.geometry import (
    EPSILON,
    Point,
    Points,
    area,
    clip,
    crossing,
    distance_to_segment,
    edges,
    is_inside,
    towards,
)
from zareba.space.outlines import bearing_of, distances_to_edges

_Fault: TypeAlias = tuple[KeyPath, str]

MAX_CORNERS = 1_000
_GATE_REACH = 1.0
"""Largest distance of a gate from its wall, in inches."""
_POSSIBLE_FACINGS: Final[tuple[Facing, ...]] = ("north", "east")
"""The facings tried for units whose facing the scenario leaves open."""


def check_scenario(scenario: Scenario, document: Document) -> list[Problem]:
    """Return every fault of a parsed scenario, with its place in the file."""
    return [document.error(path, message) for path, message in faults_of(scenario)]


def faults_of(scenario: Scenario) -> list[_Fault]:
    """Return every fault of a parsed scenario as (path, message).

    Crowded zones are reported only if the scenario has no other fault.
    """
    faults = [
        *_name_faults(scenario),
        *_position_faults(scenario),
        *_terrain_faults(scenario),
        *_unit_faults(scenario),
        *_leader_faults(scenario),
        *_objective_faults(scenario),
        *_object_faults(scenario),
        *_event_faults(scenario),
        *_victory_faults(scenario),
        *_overlap_faults(scenario),
    ]
    if not faults:
        # Zones can be filled only if all names and outlines are valid.
        faults += _crowding_faults(scenario)
    return faults


def _unknown_name_faults(path: KeyPath, what: str, name: str, known: Collection[str]) -> Iterator[_Fault]:
    """Yield a fault if `name` is not among `known`."""
    if name not in known:
        guess = nearest(name, known)
        hint = f"did you mean '{guess}'?" if guess else f"known: {', '.join(known) or 'none'}"
        yield path, f"there is no {what} '{name}'; {hint}"


def _name_faults(scenario: Scenario) -> Iterator[_Fault]:
    if is_reserved(scenario.id):
        yield ("id",), f"'{scenario.id}' is a reserved name on Windows; choose another"
    for path, name, mark, owner in marked_names(scenario):
        (section,) = mark.sections
        if section == "zones":  # zones of the force's own side
            assert isinstance(owner, (Unit, Leader)), "only units and leaders have zones"
            if owner.side in scenario.sides:
                yield from _unknown_name_faults(path, "zone", name, scenario.sides[owner.side].deployment)
        else:
            known = (*mark.besides, *getattr(scenario, section))
            yield from _unknown_name_faults(
                path, section if section == "terrain" else section.removesuffix("s"), name, known
            )
    for key in [key for key in scenario.leaders if key in scenario.units]:
        yield ("leaders", key), f"a unit has the id '{key}' too; rename one"
    for key in scenario.hidden:
        if key in scenario.sides and not any(unit.hidden for unit in scenario.units_of(key).values()):
            yield ("hidden", key), "no unit of this side is hidden; set 'hidden: true' on one"


def _off_table_faults(scenario: Scenario, path: KeyPath, point: Point | None) -> Iterator[_Fault]:
    width, depth = scenario.table.width, scenario.table.depth
    if point is not None and (point[0] > width or point[1] > depth):
        yield path, f"({point[0]:g}, {point[1]:g}) is off the table of {width:g} x {depth:g} inches; move it"


def _outline_faults(scenario: Scenario, path: KeyPath, polygon: Points | None) -> Iterator[_Fault]:
    if polygon is None:
        return
    for index, point in enumerate(polygon):
        yield from _off_table_faults(scenario, (*path, index), point)
    if area(polygon) < EPSILON or _crosses_itself(polygon):
        yield path, "the outline crosses or touches itself; list its corners in order, none twice"


def _crosses_itself(polygon: Points) -> bool:
    sides = list(edges(polygon))
    last = len(sides) - 1
    if any(dist(a, b) <= EPSILON for a, b in sides):
        return True
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(sides), 2):
        if j - i == 1 or (i, j) == (0, last):
            # Neighbours share one corner; they overlap if the outline turns straight back on itself.
            shared, before, after = (b, a, d) if j - i == 1 else (a, b, c)
            if distance_to_segment(before, shared, after) <= EPSILON:
                return True
            if distance_to_segment(after, shared, before) <= EPSILON:
                return True
        elif crossing(a, b, c, d) is not None:
            return True
    return False


def _position_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key, side in scenario.sides.items():
        for zone, polygon in side.deployment.items():
            yield from _outline_faults(scenario, ("sides", key, "deployment", zone), polygon)
    for key, unit in scenario.units.items():
        yield from _off_table_faults(scenario, ("units", key, "position"), unit.position)
    for key, leader in scenario.leaders.items():
        yield from _off_table_faults(scenario, ("leaders", key, "position"), leader.position)
    for key, thing in scenario.objects.items():
        yield from _off_table_faults(scenario, ("objects", key, "position"), thing.position)
    for key, goal in scenario.objectives.items():
        if isinstance(goal, Hold | Escort):
            yield from _off_table_faults(scenario, ("objectives", key, "at"), goal.at)


def _terrain_faults(scenario: Scenario) -> Iterator[_Fault]:
    corners = sum(len(piece.area or piece.line or ()) for piece in scenario.terrain.values())
    if corners > MAX_CORNERS:
        yield ("terrain",), f"{amount(corners, 'point')} in all; simplify the outlines to {MAX_CORNERS:,} or fewer"
    for key, piece in scenario.terrain.items():
        path: KeyPath = ("terrain", key)
        for name, message in terrain_conflicts(piece):
            yield (*path, name), message
        yield from _outline_faults(scenario, (*path, "area"), piece.area)
        yield from _outline_faults(scenario, (*path, "crest"), piece.crest)
        for index, point in enumerate(piece.line or ()):
            yield from _off_table_faults(scenario, (*path, "line", index), point)
        if any(dist(a, b) <= EPSILON for a, b in pairwise(piece.line or ())):
            yield (*path, "line"), "a point of the line appears twice in a row; keep one"
        if piece.crest and piece.area and not all(is_inside(point, piece.area) for point in piece.crest):
            yield (*path, "crest"), "the crest reaches beyond the hill; keep it inside 'area'"
        for gate, opening in piece.gates.items():
            away = min((distance_to_segment(opening.at, a, b) for a, b in pairwise(piece.line or ())), default=0.0)
            if away > _GATE_REACH:
                yield (
                    (*path, "gates", gate, "at"),
                    f"the gate is {away:.1f} inches from its wall; move it onto the line",
                )


def _unit_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key, unit in scenario.units.items():
        path: KeyPath = ("units", key)
        for name, message in unit_conflicts(unit):
            yield (*path, name), message
        yield from _start_faults(scenario, path, unit)
        yield from _arrival_faults(scenario, (*path, "arrival"), unit.arrival)
        place = scenario.terrain.get(unit.inside or "")
        if place is not None and place.area is None:
            yield (*path, "inside"), f"'{unit.inside}' is a line; give a position on it instead"
        if place and place.area and unit.position and not is_inside(unit.position, place.area):
            message = f"the position lies outside '{unit.inside}'; move it or remove 'inside'"
            yield (*path, "position"), message
    for key in scenario.sides:
        if not scenario.units_of(key):
            yield ("sides", key), "this side has no units; give it some"


def _leader_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key, leader in scenario.leaders.items():
        path: KeyPath = ("leaders", key)
        unit = scenario.units.get(leader.unit or "")
        if unit is not None and unit.side != leader.side:
            yield (*path, "unit"), f"'{leader.unit}' is on the side {unit.side}; choose a unit of {leader.side}"
        if leader.unit is not None:
            for name in ("position", "zone", "arrival"):
                if getattr(leader, name) is not None:
                    yield (
                        (*path, name),
                        f"the leader is with the unit '{leader.unit}'; remove the {name} or the unit",
                    )
        else:
            yield from _start_faults(scenario, path, leader)
            yield from _arrival_faults(scenario, (*path, "arrival"), leader.arrival)


def _start_faults(scenario: Scenario, path: KeyPath, force: Unit | Leader) -> Iterator[_Fault]:
    """Yield the faults of a force whose position, zone and arrival contradict each other or are all missing."""
    zones = scenario.sides[force.side].deployment if force.side in scenario.sides else None
    inside = force.inside if isinstance(force, Unit) else None
    if force.arrival is not None:
        for name in ("position", "zone", "inside"):
            if getattr(force, name, None) is not None:
                yield (
                    (*path, name),
                    f"it arrives in turn {force.arrival.turn}; remove the {name} or the arrival",
                )
    elif zones is not None and not zones and force.position is None and inside is None:
        yield (
            path,
            f"no place to set up: the side {force.side} has no deployment zone; give a position or an arrival",
        )
    zone = (zones or {}).get(force.zone or "")
    if zone is not None and force.position is not None and not is_inside(force.position, zone):
        yield (
            (*path, "position"),
            f"the position lies outside the zone '{force.zone}'; move it or remove the zone",
        )


def _arrival_faults(scenario: Scenario, path: KeyPath, arrival: Arrival | None) -> Iterator[_Fault]:
    if arrival is None:
        return
    width, depth = scenario.table.width, scenario.table.depth
    yield from _turn_faults(scenario, (*path, "turn"), arrival.turn)
    yield from _die_faults(path, arrival)
    if arrival.at is not None:
        x, y = arrival.at
        if abs(distances_to_edges(arrival.at, (width, depth))[arrival.edge]) > EPSILON:
            yield (*path, "at"), f"({x:g}, {y:g}) is not on the {arrival.edge} edge; move it there"
        else:
            yield from _off_table_faults(scenario, (*path, "at"), arrival.at)


def _turn_faults(scenario: Scenario, path: KeyPath, turn: int) -> Iterator[_Fault]:
    if turn > scenario.turns:
        yield path, f"turn {turn} is after the last turn {scenario.turns}; make it earlier"


def _die_faults(path: KeyPath, chance: Arrival | ScenarioEvent) -> Iterator[_Fault]:
    if (chance.die is None) != (chance.at_least is None):
        yield path, "'die' and 'at_least' go together; give both or neither"
    elif chance.die is not None and chance.at_least is not None and chance.at_least > chance.die:
        yield (*path, "at_least"), f"a die with {chance.die} faces cannot roll {chance.at_least}; lower it"


def _objective_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key, goal in scenario.objectives.items():
        path: KeyPath = ("objectives", key)
        if isinstance(goal, Hold) and (goal.at is None) == (goal.terrain is None):
            yield path, "a place to hold is a point or a piece of terrain; give 'at' or 'terrain'"
        if isinstance(goal, Escort) and (goal.at is None) == (goal.edge is None):
            yield path, "an escort ends at a point or over an edge; give 'at' or 'edge'"
        if isinstance(goal, Survive):
            yield from _turn_faults(scenario, (*path, "turn"), goal.turn)
            if len(goal.by) > 1 or not (goal.by or goal.units):
                yield path, f"only one side can score by surviving; name it in 'by': {', '.join(scenario.sides)}"
        if isinstance(goal, CaptureLeader) and goal.leader in scenario.leaders:
            owner = scenario.leaders[goal.leader].side
            if not goal.by or owner in goal.by:
                others = ", ".join(scenario.enemies_of(owner))
                yield path, f"the side {owner} would score for capturing its own leader; name others in 'by': {others}"


def _object_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key, thing in scenario.objects.items():
        if (thing.position is None) == (thing.carrier is None):
            yield ("objects", key), "an object has either a position or a carrier; give 'position' or 'carrier'"
        carrier = scenario.units.get(thing.carrier or "")
        if carrier is not None and ARMS[carrier.arm].flies:
            message = f"'{thing.carrier}' flies and cannot carry objects; name a unit on the ground or give a position"
            yield ("objects", key, "carrier"), message


def _event_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key, event in scenario.events.items():
        path: KeyPath = ("events", key)
        yield from _turn_faults(scenario, (*path, "turn"), event.turn)
        yield from _die_faults(path, event)
        if event.night is None and event.fog is None:
            yield path, "the event changes nothing; set 'night' or 'fog'"


def _victory_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key, side in scenario.sides.items():
        # Without any objectives, the side with the larger share of its strength left wins.
        if scenario.objectives and side.victory.quota is None and not scenario.objectives_of(key):
            yield ("sides", key), "this side has no way to win; give it an objective or a 'victory' quota"
        for name, goal in scenario.objectives_of(key).items():
            if isinstance(goal, Destroy) and goal.units:
                own = [unit for unit in goal.units if unit in scenario.units_of(key)]
                if own:
                    yield (
                        ("objectives", name),
                        f"the side {key} would score for destroying its own unit '{own[0]}'; name other sides in 'by'",
                    )


def _overlap_faults(scenario: Scenario) -> Iterator[_Fault]:
    positions = {
        key: unit.position
        for key, unit in scenario.units.items()
        if unit.position is not None and unit.arrival is None and unit.room > 0
    }
    for (first, first_at), (second, second_at) in combinations(positions.items(), 2):
        distance, enough = dist(first_at, second_at), scenario.units[first].room + scenario.units[second].room
        if distance < enough - EPSILON and _do_overlap(scenario, first, first_at, second, second_at):
            needed = _needed_distance(scenario, first, first_at, second, second_at, enough)
            yield (
                ("units", second, "position"),
                f"overlaps '{first}': {distance:.1f} inches apart, they need {needed:.1f}; move one",
            )


def _needed_distance(
    scenario: Scenario, first: str, first_at: Point, second: str, second_at: Point, enough: float
) -> float:
    """Return the distance at which two units no longer overlap, if the second moves straight away from the first.

    At the distance `enough` they never overlap.
    """
    distance = dist(first_at, second_at)
    away = (second_at[0] - first_at[0], second_at[1] - first_at[1]) if distance > EPSILON else (1.0, 0.0)
    for step in range(100):
        distance_tried = distance + (enough - distance) * step / 100
        at = towards(first_at, (first_at[0] + away[0], first_at[1] + away[1]), distance_tried)
        if not _do_overlap(scenario, first, first_at, second, at):
            return distance_tried
    return enough


def _do_overlap(scenario: Scenario, first: str, first_at: Point, second: str, second_at: Point) -> bool:
    """Return True if two units overlap in their formations; those whose facing is open may face either way together."""
    for facing in _POSSIBLE_FACINGS:
        common = clip(_rectangle(scenario, first, first_at, facing), _rectangle(scenario, second, second_at, facing))
        if area(common) <= EPSILON:
            return False
    return True


def _rectangle(scenario: Scenario, key: str, at: Point, facing_if_open: Facing) -> Points:
    """Return the ground of a unit: its frontage across its facing, its depth along it."""
    frontage, depth = scenario.units[key].footprint
    ahead = direction(bearing_of(scenario.facing_of(key) or facing_if_open))
    aside = (ahead[1], -ahead[0])
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return tuple(
        (
            at[0] + (x * frontage * aside[0] + y * depth * ahead[0]) / 2,
            at[1] + (x * frontage * aside[1] + y * depth * ahead[1]) / 2,
        )
        for x, y in corners
    )


def _crowding_faults(scenario: Scenario) -> Iterator[_Fault]:
    for key in place_forces(scenario).without_room:
        section = "units" if key in scenario.units else "leaders"
        yield (section, key), "there is no room left for it in its zone; enlarge the zone or move units"
