"""The positions of the units of a scenario when the battle begins."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from zareba.base.exact import total
from zareba.scenario import Scenario, Unit, arrival_point, starting_positions
from zareba.scenario.placement import area_of
from zareba.space.bearings import direction
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba.space.outlines import TerrainArea
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.forces import (
    UnitSpec,
    find_room,
    formation_body,
    is_room_for,
    place_close_behind,
    radius_of,
)
from zareba_rulesets.risk_factor.ground import CLOSE_UP, Field, along_works, in_cover_near, is_mostly_in_cover

# --- A scenario in the terms of these rules ---------------------------------------------------------------------------


class ObjectiveGround(NamedTuple):
    """The ground of an objective: within a radius of its centre, or the area of a terrain piece."""

    centre: Point
    radius: float
    area: TerrainArea | None = None


@dataclass
class Plan:
    """A scenario in the terms of these rules, with lengths in cm. `bodies`: where units on the table stand; `entries`:
    where the others come on.

    `hidden`: the groups and leaders of each unit that the scenario hides; `markers`: the units of the scenario that
    begin as markers (RSK-186). `places`: the ground of each objective, as its centre with a radius or an area.
    `notes`: what these rules cannot express.
    """

    field: Field
    specs: dict[str, UnitSpec]
    facing: dict[str, float]
    bodies: dict[str, Body]
    entries: dict[str, Point]
    arrivals: dict[str, int]
    hidden: dict[str, list[str]]
    markers: frozenset[str]
    commanders: dict[str, list[str]]
    home: dict[str, float]
    places: dict[str, ObjectiveGround]
    notes: list[str]


# --- Starting positions: squads side by side, in cover if they may look for it, with leaders next to their men --------


_FIXED_FORMATIONS = ("mass", "column", "laager", "square", "limbered")
"""Formations that a unit keeps even if there is cover near."""
Ground: TypeAlias = "tuple[Point, ...]"
_MOST_CM_TO_COVER = 16  # cm tried to either side of a unit's place before places behind it
ASIDE = 100  # largest shift in cm of a unit whose place is taken


def hidden_units(book: RskBook, scenario: Scenario, field: Field, solo: Collection[str]) -> list[str]:
    """Return the units that begin as markers (RSK-186): by default only those of a solo side against players."""
    hidden: list[str] = []
    for side in scenario.sides:
        hiding = [name for name, unit in scenario.units_of(side).items() if unit.hidden]
        use: str = book.settings.hidden_use
        enemies_are_solo = side in solo and any(enemy not in solo for enemy in scenario.enemies_of(side))
        if hiding and field.concealing and (enemies_are_solo if use == "auto" else use == "on"):
            hidden += hiding
    return hidden


def set_up_units(book: RskBook, scenario: Scenario, plan: Plan, scale: float, hidden: Collection[str] = ()) -> None:
    """Put every unit of the scenario where it starts: squads side by side, then the leaders beside their men.

    The `hidden` units come last, so that the places of the others do not depend on them.
    """
    positions = starting_positions(scenario, hidden)
    openly = [unit for unit in scenario.units if unit not in hidden]
    for units in filter(None, (openly, hidden)):
        _place_units(book, scenario, plan, units, positions, scale)
        for spec in plan.specs.values():
            with_them = spec.parent in hidden if units is hidden else spec.parent not in hidden
            if with_them and spec.leader and spec.id not in plan.arrivals:
                _set_leader(book, scenario, plan, spec, positions, scale)


def _place_units(
    book: RskBook, scenario: Scenario, plan: Plan, units: Collection[str], positions: dict[str, Point], scale: float
) -> None:
    """Put some units where they start. Those who may look for cover do so when all the others stand."""
    seekers: list[tuple[list[UnitSpec], Ground]] = []
    for unit_id in units:
        unit = scenario.units[unit_id]
        groups = [spec for spec in plan.specs.values() if spec.parent == unit_id and not spec.leader]
        figures = [spec for spec in plan.specs.values() if spec.parent == unit_id and spec.leader]
        if not groups:
            continue
        members = [spec.id for spec in (*groups, *figures)]
        if unit.arrival is not None:
            at = arrival_point(scenario, unit.arrival)
            for member in members:
                plan.arrivals[member] = unit.arrival.turn
                plan.entries[member] = (at[0] * scale, at[1] * scale)
            continue
        if unit.hidden:
            plan.hidden[unit_id] = members
        x, y = positions.get(unit_id, (scenario.table.width / 2, scenario.table.depth / 2))
        ground = _ground_of(scenario, unit, scale)
        _side_by_side(plan, groups, unit.formation, (x * scale, y * scale), ground)
        if unit.inside is None:
            _line_works(book, plan, groups, unit.formation, ground)
        if ground and _seeks_cover(scenario, unit):
            seekers += [(groups, ground)]
    _into_cover(book, plan, seekers)


def _ground_of(scenario: Scenario, unit: Unit, scale: float) -> Ground:
    """Return the building or zone in which a unit is set up, in cm. Empty if the scenario gives its position."""
    area = None if unit.position is not None else area_of(scenario, unit)
    if area is None:
        return ()
    points = (
        (scenario.terrain[area].area or ()) if isinstance(area, str) else scenario.sides[area[0]].deployment[area[1]]
    )
    return tuple((x * scale, y * scale) for x, y in points)


def _side_by_side(plan: Plan, groups: list[UnitSpec], formation: str | None, at: Point, ground: Ground) -> None:
    """Place the groups of one unit in a row across its facing, each inside its zone if there is room."""
    facing = plan.facing[groups[0].id]
    ahead = direction(facing)
    right = (ahead[1], -ahead[0])
    bodies = [formation_body(plan.field, spec, formation, (0.0, 0.0), facing) for spec in groups]
    widths = [_width(body, right) + 1.0 for body in bodies]
    start = -total(widths) / 2
    for spec, width in zip(groups, widths, strict=True):
        offset = start + width / 2
        start += width
        centre = (at[0] + right[0] * offset, at[1] + right[1] * offset)
        body = formation_body(plan.field, spec, formation, centre, facing)
        plan.bodies[spec.id] = _body_with_room(plan, body, ground, facing)


def _body_with_room(plan: Plan, body: Body, ground: Ground, facing: float) -> Body:
    """Return a body as near to its place as there is room in its zone, or else anywhere. Places to either side come
    before places behind.

    Friends in front would block its fire (RSK-106).
    """
    others = list(plan.bodies.values())
    shifted = (
        _shifted_aside(plan, find_room(plan.field, (), body, ground), ground, facing, _MOST_CM_TO_COVER)
        if ground
        else None
    )
    if shifted is not None:
        return shifted
    moved_body = find_room(plan.field, others, body, ground, limit=ASIDE)
    return moved_body if is_room_for(plan.field, others, moved_body, ground) else find_room(plan.field, others, body)


def _shifted_aside(plan: Plan, body: Body, ground: Ground, facing: float, limit: int) -> Body | None:
    """Return a body shifted to either side as little as needed for room in its zone, or None if there is no room."""
    others, (x, y) = list(plan.bodies.values()), direction(facing + 90)
    for cm in range(0, limit, 2):
        for hand in (cm, -cm):
            moved = body.moved_by(hand * x, hand * y)
            if is_room_for(plan.field, others, moved, ground):
                return moved
    return None


def _width(body: Body, right: Point) -> float:
    """Return the width of a body at right angles to its facing."""
    across = [x * right[0] + y * right[1] for x, y in body.at]
    return max(across) - min(across) + 2 * body.radius


# --- cover ------------------------------------------------------------------------------------------------------------


def _line_works(book: RskBook, plan: Plan, groups: list[UnitSpec], formation: str | None, ground: Ground) -> None:
    """Move groups set up within 10 cm behind works that they face up to them, so that they have cover (RSK-107).

    They then stand in line along the works as far as there is room, unless the scenario gives them a close formation.
    """
    facing, reach = plan.facing[groups[0].id], book.lengths["line_works"]
    for spec in groups:
        others = [body for name, body in plan.bodies.items() if name != spec.id]
        plan.bodies[spec.id] = _moved_up(plan, others, plan.bodies[spec.id], direction(facing), reach, ground)
    if formation not in _FIXED_FORMATIONS:
        lined = along_works(plan.field, _other_bodies(plan, groups), _joined_body(plan, groups), facing, reach, ground)
        if lined is not None:
            _assign_places(plan, groups, lined, facing)


def _moved_up(plan: Plan, others: list[Body], body: Body, ahead: Point, reach: float, ground: Ground) -> Body:
    """Return a body moved up to fortifications close ahead, if there is room, else the body where it is."""
    front = max(body.at, key=lambda point: point[0] * ahead[0] + point[1] * ahead[1])
    depth = (front[0] - body.centre[0]) * ahead[0] + (front[1] - body.centre[1]) * ahead[1] + body.radius
    far = (body.centre[0] + ahead[0] * (depth + reach), body.centre[1] + ahead[1] * (depth + reach))
    works = [piece for piece in plan.field.fortified if not piece.is_area and piece.meets(body.centre, far)]
    gaps = [min(piece.distance(point) for point in body.at) - body.radius - CLOSE_UP for piece in works]
    best = min(gaps, default=0.0)
    moved = body.moved_by(ahead[0] * best, ahead[1] * best)
    return moved if best > 0 and is_room_for(plan.field, others, moved, ground) else body


def _seeks_cover(scenario: Scenario, unit: Unit) -> bool:
    """Return True if a unit may look for cover in its zone: units that are to hold, except civilians, units in
    buildings and units in close formation.
    """
    if unit.inside is not None or unit.formation in _FIXED_FORMATIONS or unit.kind == "civilian":
        return False
    return unit.orders == "hold" or (unit.orders is None and scenario.sides[unit.side].role == "defender")


def _into_cover(book: RskBook, plan: Plan, seekers: list[tuple[list[UnitSpec], Ground]]) -> None:
    """Place units that are to hold in the best cover of their zone, within a move of the place drawn for them (RSK-099,
    RSK-107).

    Units that find no cover stay at their place, or as near to it as the others leave room.
    """
    bodies = {spec.id: plan.bodies.pop(spec.id) for groups, _ in seekers for spec in groups}
    left: dict[str, Ground] = {}
    for groups, zone in seekers:
        facing, reach = plan.facing[groups[0].id], book.moves["mounted" if groups[0].mounted else "foot"]
        whole = Body(tuple(at for spec in groups for at in bodies[spec.id].at), bodies[groups[0].id].radius)
        lined = in_cover_near(plan.field, plan.bodies.values(), whole, facing, reach, zone)
        if lined is not None:
            _assign_places(plan, groups, lined, facing)
            continue
        for spec in groups:
            body = bodies[spec.id]
            if is_mostly_in_cover(plan.field, body, facing) and is_room_for(
                plan.field, list(plan.bodies.values()), body, zone
            ):
                plan.bodies[spec.id] = body
            else:
                left[spec.id] = zone
    for group, zone in left.items():
        plan.bodies[group] = _shifted_body(plan, group, bodies[group], zone)


def _shifted_body(plan: Plan, group: str, body_at_origin: Body, zone: Ground) -> Body:
    """Return a group as it was drawn up, or shifted to either side, if necessary in closer order, or behind its place.

    Friends in front would block its fire (RSK-106).
    """
    others, spec, facing = list(plan.bodies.values()), plan.specs[group], plan.facing[group]
    if is_room_for(plan.field, others, body_at_origin, ()):
        return body_at_origin
    closer = [
        formation_body(plan.field, spec, formation, body_at_origin.centre, facing) for formation in (None, "mass")
    ]
    for body in (body_at_origin, *closer):
        shifted = _shifted_aside(plan, body, zone, facing, ASIDE)
        if shifted is not None:
            return shifted
    for body in (body_at_origin, *closer):
        moved_body = find_room(plan.field, others, body, zone, limit=ASIDE)
        if is_room_for(plan.field, others, moved_body, zone):
            return moved_body
    return find_room(plan.field, others, body_at_origin)


def _other_bodies(plan: Plan, groups: list[UnitSpec]) -> list[Body]:
    """Return the bodies placed so far, without those of some groups."""
    group_ids = {spec.id for spec in groups}
    return [body for name, body in plan.bodies.items() if name not in group_ids]


def _joined_body(plan: Plan, groups: list[UnitSpec]) -> Body:
    """Return the figures of several groups as one body."""
    return Body(tuple(at for spec in groups for at in plan.bodies[spec.id].at), plan.bodies[groups[0].id].radius)


def _assign_places(plan: Plan, groups: list[UnitSpec], body: Body, facing: float) -> None:
    """Assign the places of a body to groups, from left to right."""
    ahead = direction(facing)
    places = sorted(body.at, key=lambda at: at[0] * ahead[1] - at[1] * ahead[0])
    for spec in groups:
        group_places, places = places[: spec.figures], places[spec.figures :]
        plan.bodies[spec.id] = Body(tuple(group_places), body.radius)


# --- leaders ----------------------------------------------------------------------------------------------------------


def _set_leader(
    book: RskBook, scenario: Scenario, plan: Plan, spec: UnitSpec, positions: dict[str, Point], scale: float
) -> None:
    """Place a leader next to the first group of his unit, an NCO next to his squad, and other leaders where the
    scenario puts them.
    """
    radius = radius_of(book, spec)
    group = _group_of(plan, spec)
    leader = scenario.leaders.get(spec.id)
    if leader is not None and leader.arrival is not None:
        at = arrival_point(scenario, leader.arrival)
        plan.arrivals[spec.id], plan.entries[spec.id] = leader.arrival.turn, (at[0] * scale, at[1] * scale)
        return
    if group is not None and group in plan.arrivals:
        plan.arrivals[spec.id], plan.entries[spec.id] = plan.arrivals[group], plan.entries[group]
        return
    if group is not None:
        plan.bodies[spec.id] = place_close_behind(
            plan.field, plan.bodies.values(), plan.bodies[group], plan.facing[group], radius
        )
        return
    x, y = positions.get(spec.id, (scenario.table.width / 2, scenario.table.depth / 2))
    plan.bodies[spec.id] = find_room(plan.field, plan.bodies.values(), Body(((x * scale, y * scale),), radius))


def _group_of(plan: Plan, spec: UnitSpec) -> str | None:
    """Return the group that a leader belongs to, or None."""
    own = spec.id.removesuffix("_nco")
    if own != spec.id and own in plan.specs:
        return own
    return next((o.id for o in plan.specs.values() if o.parent == spec.parent and not o.leader and spec.parent), None)
