"""Where everybody stands at the start: squads side by side, in cover where they may look for it, leaders beside their men."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from zareba.base.exact import total
from zareba.scenario import Scenario, Unit, arrival_point, starting_positions
from zareba.scenario.placing import area_of
from zareba.space.bearings import direction
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.forces.battle import UnitSpec
from zareba_rulesets.risk_factor.forces.places import beside, drawn_up, find_room, fits, radius_of
from zareba_rulesets.risk_factor.ground.field import Field
from zareba_rulesets.risk_factor.ground.lining import CLOSE_UP, along_works, in_cover_near, is_mostly_in_cover
from zareba_rulesets.risk_factor.translation.plan import Plan

__all__ = ["hidden_units", "set_out"]

CLOSE = ("mass", "column", "laager", "square", "limbered")
"""Formations that a unit keeps, whatever cover is near."""
Ground: TypeAlias = "tuple[Point, ...]"
NEAR = 16  # cm by which a unit stands to either hand of its place, rather than behind it
ASIDE = 100  # cm within which a unit whose place is taken finds another


def hidden_units(book: RskBook, scenario: Scenario, field: Field, solo: Collection[str]) -> list[str]:
    """Return the units that begin as markers (RSK-186): by default only those of a solo side against players."""
    found: list[str] = []
    for side in scenario.sides:
        hiding = [name for name, unit in scenario.units_of(side).items() if unit.hidden]
        use: str = book.settings.hidden_use
        alone = side in solo and any(enemy not in solo for enemy in scenario.enemies_of(side))
        if hiding and field.concealing and (alone if use == "auto" else use == "on"):
            found += hiding
    return found


def set_out(book: RskBook, scenario: Scenario, plan: Plan, scale: float, hidden: Collection[str] = ()) -> None:
    """Put every unit of the scenario where it starts: squads side by side, then the leaders beside their men.

    The `hidden` units come last, so that the places of the others do not depend on them.
    """
    positions = starting_positions(scenario, hidden)
    openly = [unit for unit in scenario.units if unit not in hidden]
    for units in filter(None, (openly, hidden)):
        _set_out_units(book, scenario, plan, units, positions, scale)
        for spec in plan.specs.values():
            with_them = spec.parent in hidden if units is hidden else spec.parent not in hidden
            if with_them and spec.leader and spec.id not in plan.arrivals:
                _set_leader(book, scenario, plan, spec, positions, scale)


def _set_out_units(
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
    """The building or the zone in which a unit is set up, in cm; empty where the scenario names its place."""
    area = None if unit.position is not None else area_of(scenario, unit)
    if area is None:
        return ()
    points = (
        (scenario.terrain[area].area or ()) if isinstance(area, str) else scenario.sides[area[0]].deployment[area[1]]
    )
    return tuple((x * scale, y * scale) for x, y in points)


def _side_by_side(plan: Plan, groups: list[UnitSpec], formation: str | None, at: Point, ground: Ground) -> None:
    """The groups of one unit in a row across its facing, each with room on its ground if there is any."""
    facing = plan.facing[groups[0].id]
    ahead = direction(facing)
    right = (ahead[1], -ahead[0])
    drawn = [drawn_up(plan.field, spec, formation, (0.0, 0.0), facing) for spec in groups]
    widths = [_width(body, right) + 1.0 for body in drawn]
    start = -total(widths) / 2
    for spec, width in zip(groups, widths, strict=True):
        offset = start + width / 2
        start += width
        centre = (at[0] + right[0] * offset, at[1] + right[1] * offset)
        body = drawn_up(plan.field, spec, formation, centre, facing)
        plan.bodies[spec.id] = _with_room(plan, body, ground, facing)


def _with_room(plan: Plan, body: Body, ground: Ground, facing: float) -> Body:
    """A body as near its place as its ground, or else any other, has room for it; to either hand rather than behind.

    Friends in front would bar its fire (RSK-106).
    """
    others = list(plan.bodies.values())
    aside = _aside(plan, find_room(plan.field, (), body, ground), ground, facing, NEAR) if ground else None
    if aside is not None:
        return aside
    found = find_room(plan.field, others, body, ground, limit=ASIDE)
    return found if fits(plan.field, others, found, ground) else find_room(plan.field, others, body)


def _aside(plan: Plan, body: Body, ground: Ground, facing: float, limit: int) -> Body | None:
    """A body shifted to either hand as little as will give it room on its ground; None without any."""
    others, (x, y) = list(plan.bodies.values()), direction(facing + 90)
    for cm in range(0, limit, 2):
        for hand in (cm, -cm):
            moved = body.shifted(hand * x, hand * y)
            if fits(plan.field, others, moved, ground):
                return moved
    return None


def _width(body: Body, right: Point) -> float:
    across = [x * right[0] + y * right[1] for x, y in body.at]
    return max(across) - min(across) + 2 * body.radius


# --- cover ------------------------------------------------------------------------------------------------------------------


def _line_works(book: RskBook, plan: Plan, groups: list[UnitSpec], formation: str | None, ground: Ground) -> None:
    """Groups set up within 10 cm behind works that they face are moved up to them, so that they have their cover (RSK-107).

    They then stand in line along them, as far as there is room, unless the scenario gives them a close formation.
    """
    facing, reach = plan.facing[groups[0].id], book.lengths["line_works"]
    for spec in groups:
        others = [body for name, body in plan.bodies.items() if name != spec.id]
        plan.bodies[spec.id] = _moved_up(plan, others, plan.bodies[spec.id], direction(facing), reach, ground)
    if formation not in CLOSE:
        lined = along_works(plan.field, _others(plan, groups), _as_one(plan, groups), facing, reach, ground)
        if lined is not None:
            _share_out(plan, groups, lined, facing)


def _moved_up(plan: Plan, others: list[Body], body: Body, ahead: Point, reach: float, ground: Ground) -> Body:
    front = max(body.at, key=lambda point: point[0] * ahead[0] + point[1] * ahead[1])
    depth = (front[0] - body.centre[0]) * ahead[0] + (front[1] - body.centre[1]) * ahead[1] + body.radius
    far = (body.centre[0] + ahead[0] * (depth + reach), body.centre[1] + ahead[1] * (depth + reach))
    works = [piece for piece in plan.field.fortified if not piece.is_area and piece.meets(body.centre, far)]
    gaps = [min(piece.distance(point) for point in body.at) - body.radius - CLOSE_UP for piece in works]
    best = min(gaps, default=0.0)
    moved = body.shifted(ahead[0] * best, ahead[1] * best)
    return moved if best > 0 and fits(plan.field, others, moved, ground) else body


def _seeks_cover(scenario: Scenario, unit: Unit) -> bool:
    """Whether a unit may seek cover in its zone: those who are to hold, but not in close order."""
    if unit.inside is not None or unit.formation in CLOSE or unit.kind == "civilian":
        return False
    return unit.orders == "hold" or (unit.orders is None and scenario.sides[unit.side].role == "defender")


def _into_cover(book: RskBook, plan: Plan, seekers: list[tuple[list[UnitSpec], Ground]]) -> None:
    """Who is to hold stands in the best cover of his zone within a move of the place drawn for him (RSK-099, RSK-107).

    Who finds none stays at his place, or as near it as the others leave him room.
    """
    drawn = {spec.id: plan.bodies.pop(spec.id) for groups, _ in seekers for spec in groups}
    left: dict[str, Ground] = {}
    for groups, zone in seekers:
        facing, reach = plan.facing[groups[0].id], book.moves["mounted" if groups[0].mounted else "foot"]
        whole = Body(tuple(at for spec in groups for at in drawn[spec.id].at), drawn[groups[0].id].radius)
        lined = in_cover_near(plan.field, plan.bodies.values(), whole, facing, reach, zone)
        if lined is not None:
            _share_out(plan, groups, lined, facing)
            continue
        for spec in groups:
            body = drawn[spec.id]
            if is_mostly_in_cover(plan.field, body, facing) and fits(
                plan.field, list(plan.bodies.values()), body, zone
            ):
                plan.bodies[spec.id] = body
            else:
                left[spec.id] = zone
    for group, zone in left.items():
        plan.bodies[group] = _elsewhere(plan, group, drawn[group], zone)


def _elsewhere(plan: Plan, group: str, drawn: Body, zone: Ground) -> Body:
    """A group as it was drawn up, or to either hand of that place, in closer order if need be, or behind it.

    Friends in front would bar its fire (RSK-106).
    """
    others, spec, facing = list(plan.bodies.values()), plan.specs[group], plan.facing[group]
    if fits(plan.field, others, drawn, ()):
        return drawn
    closer = [drawn_up(plan.field, spec, formation, drawn.centre, facing) for formation in (None, "mass")]
    for body in (drawn, *closer):
        aside = _aside(plan, body, zone, facing, ASIDE)
        if aside is not None:
            return aside
    for body in (drawn, *closer):
        found = find_room(plan.field, others, body, zone, limit=ASIDE)
        if fits(plan.field, others, found, zone):
            return found
    return find_room(plan.field, others, drawn)


def _others(plan: Plan, groups: list[UnitSpec]) -> list[Body]:
    own = {spec.id for spec in groups}
    return [body for name, body in plan.bodies.items() if name not in own]


def _as_one(plan: Plan, groups: list[UnitSpec]) -> Body:
    """The men of some groups as one body."""
    return Body(tuple(at for spec in groups for at in plan.bodies[spec.id].at), plan.bodies[groups[0].id].radius)


def _share_out(plan: Plan, groups: list[UnitSpec], body: Body, facing: float) -> None:
    """The places of a body for some groups, from left to right."""
    ahead = direction(facing)
    places = sorted(body.at, key=lambda at: at[0] * ahead[1] - at[1] * ahead[0])
    for spec in groups:
        own, places = places[: spec.figures], places[spec.figures :]
        plan.bodies[spec.id] = Body(tuple(own), body.radius)


# --- leaders ----------------------------------------------------------------------------------------------------------------


def _set_leader(
    book: RskBook, scenario: Scenario, plan: Plan, spec: UnitSpec, positions: dict[str, Point], scale: float
) -> None:
    """A leader beside the first group of his unit, an NCO beside his own squad, others where the scenario puts them."""
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
        plan.bodies[spec.id] = beside(plan.field, plan.bodies.values(), plan.bodies[group], plan.facing[group], radius)
        return
    x, y = positions.get(spec.id, (scenario.table.width / 2, scenario.table.depth / 2))
    plan.bodies[spec.id] = find_room(plan.field, plan.bodies.values(), Body(((x * scale, y * scale),), radius))


def _group_of(plan: Plan, spec: UnitSpec) -> str | None:
    own = spec.id.removesuffix("_nco")
    if own != spec.id and own in plan.specs:
        return own
    return next((o.id for o in plan.specs.values() if o.parent == spec.parent and not o.leader and spec.parent), None)
