"""From a neutral scenario to a battle: ground, groups, and where everybody stands at the start."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import dist

from zareba.errors import ZarebaError
from zareba.scenario import Scenario, arrival_point, starting_positions
from zareba.scenario.overrides import overrides_of
from zareba.scenario.unspoken import unspoken
from zareba.space.bearings import direction
from zareba.space.geometry import Point, bounds
from zareba_rulesets.risk_factor.battle import UnitSpec
from zareba_rulesets.risk_factor.body import Body
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.field import Field
from zareba_rulesets.risk_factor.places import beside, drawn_up, find_room, fits, radius_of
from zareba_rulesets.risk_factor.translation.forces import roster
from zareba_rulesets.risk_factor.translation.ground import ground_pieces
from zareba_rulesets.risk_factor.translation.overrides import Overrides

__all__ = ["Plan", "first_goal", "translate"]

SPOKEN = frozenset(
    {
        "hidden",
        "first",
        "orders",
        "formation",
        "facing",
        "loyalty",
        "hero",
        "leader_quality",
        "leader_mounted",
        "true_fortification",
        "slope",
        "gate_open",
    }
)
"""The words of `zareba.scenario.unspoken` that mean something in these rules."""

SPOKEN_TRAITS = ("volley", "formed", "no_quarter", "musician")

COMPASS = {
    "north": 0.0,
    "north_east": 45.0,
    "east": 90.0,
    "south_east": 135.0,
    "south": 180.0,
    "south_west": 225.0,
    "west": 270.0,
    "north_west": 315.0,
}


@dataclass
class Plan:
    """A scenario in cm. `bodies`: where units on the table stand; `entries`: where the others come on.

    `hidden`: units that the scenario hides, by their unit there. `places`: the ground of each objective as a point and
    a radius or as a polygon. `notes`: what these rules cannot express.
    """

    field: Field
    specs: dict[str, UnitSpec]
    facing: dict[str, float]
    bodies: dict[str, Body]
    entries: dict[str, Point]
    arrivals: dict[str, int]
    hidden: dict[str, list[str]]
    commanders: dict[str, list[str]]
    home: dict[str, float]
    places: dict[str, tuple[Point, float, tuple[Point, ...]]]
    notes: list[str]


def translate(book: RskBook, scenario: Scenario) -> Plan:
    """Translate a scenario. Raises ZarebaError if it has more or fewer than two sides."""
    if len(scenario.sides) != 2:
        raise ZarebaError(f"{scenario.id} has {len(scenario.sides)} sides; the Risk Factor rules are for two (RSK-041)")
    scale = book.settings.scenario_cm_per_inch
    notes: list[str] = []
    ground = Field(book, scenario.table.width * scale, scenario.table.depth * scale, ground_pieces(book, scenario))
    said = overrides_of(scenario, "risk_factor", Overrides)
    specs = roster(book, scenario, said.units, notes)
    home = _home_facing(scenario)
    plan = Plan(
        field=ground,
        specs=specs,
        facing={unit: _facing(scenario, spec, home) for unit, spec in specs.items()},
        bodies={},
        entries={},
        arrivals={},
        hidden={},
        commanders=_commanders(scenario, specs, said.player_characters),
        home=home,
        places=_places(scenario, scale),
        notes=notes,
    )
    _set_out(book, scenario, plan, scale)
    _note_unspoken(scenario, plan)
    return plan


def _home_facing(scenario: Scenario) -> dict[str, float]:
    """The bearing towards each side's own edge: as named, else the edge nearest to its units at the start."""
    edges = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
    found = {}
    positions = starting_positions(scenario)
    for side, entry in scenario.sides.items():
        if entry.home_edge is not None:
            found[side] = edges[entry.home_edge]
            continue
        own = [positions[unit] for unit in scenario.units_of(side) if unit in positions] or [(0.0, 0.0)]
        x, y = sum(p[0] for p in own) / len(own), sum(p[1] for p in own) / len(own)
        away = {180.0: y, 270.0: x, 0.0: scenario.table.depth - y, 90.0: scenario.table.width - x}
        found[side] = min(away, key=lambda edge: away[edge])
    return found


def _facing(scenario: Scenario, spec: UnitSpec, home: dict[str, float]) -> float:
    named = scenario.facing_of(spec.parent) if spec.parent else None
    return COMPASS[named] if named is not None else (home[spec.side] + 180) % 360


def _commanders(scenario: Scenario, specs: dict[str, UnitSpec], named: Collection[str]) -> dict[str, list[str]]:
    """The Player Characters of each side: its highest leader who fights, or those `named` (RSK-018, RSK-070)."""
    found: dict[str, list[str]] = {}
    for side in scenario.sides:
        leaders = [name for name in scenario.leaders_of(side) if name in specs and not specs[name].non_combatant]
        found[side] = [name for name in leaders if name in named] or leaders[:1]
    return found


# --- where they stand --------------------------------------------------------------------------------------------------------


def _set_out(book: RskBook, scenario: Scenario, plan: Plan, scale: float) -> None:
    """Put every unit of the scenario where it starts: squads side by side, then the leaders beside their men."""
    positions = starting_positions(scenario)
    for unit_id, unit in scenario.units.items():
        groups = [spec for spec in plan.specs.values() if spec.parent == unit_id and not spec.leader]
        figures = [spec for spec in plan.specs.values() if spec.parent == unit_id and spec.leader]
        if not groups:
            continue
        members = [spec.id for spec in (*groups, *figures)]
        if unit.arrival is not None:
            at = arrival_point(scenario, unit_id) or (0.0, 0.0)
            for member in members:
                plan.arrivals[member] = unit.arrival.turn
                plan.entries[member] = (at[0] * scale, at[1] * scale)
            continue
        if unit.hidden:
            plan.hidden[unit_id] = members
        x, y = positions.get(unit_id, (scenario.table.width / 2, scenario.table.depth / 2))
        room = scenario.terrain[unit.inside].area if unit.inside else None
        inside = tuple((px * scale, py * scale) for px, py in room) if room else ()
        _side_by_side(book, plan, groups, unit.formation, (x * scale, y * scale), inside)
    for spec in plan.specs.values():
        if spec.leader and spec.id not in plan.arrivals:
            _set_leader(book, scenario, plan, spec, positions, scale)


def _side_by_side(
    book: RskBook, plan: Plan, groups: list[UnitSpec], formation: str | None, at: Point, inside: tuple[Point, ...]
) -> None:
    """The groups of one unit in a row across its facing, each with room, lining any works just before them."""
    facing = plan.facing[groups[0].id]
    ahead = direction(facing)
    right = (ahead[1], -ahead[0])
    drawn = [drawn_up(book, spec, formation, (0.0, 0.0), facing) for spec in groups]
    widths = [_width(body, right) + 1.0 for body in drawn]
    start = -sum(widths) / 2
    for spec, width in zip(groups, widths, strict=True):
        offset = start + width / 2
        start += width
        centre = (at[0] + right[0] * offset, at[1] + right[1] * offset)
        body = drawn_up(book, spec, formation, centre, facing)
        body = find_room(plan.field, plan.bodies.values(), body, inside)
        plan.bodies[spec.id] = _line_works(book, plan, body, facing)


def _width(body: Body, right: Point) -> float:
    across = [x * right[0] + y * right[1] for x, y in body.at]
    return max(across) - min(across) + 2 * body.radius


def _line_works(book: RskBook, plan: Plan, body: Body, facing: float) -> Body:
    """A group set up within 10 cm behind works that it faces is moved up to them, so that it has their cover (RSK-107)."""
    ahead = direction(facing)
    reach = book.lengths["line_works"]
    front = max(body.at, key=lambda point: point[0] * ahead[0] + point[1] * ahead[1])
    depth = (front[0] - body.centre[0]) * ahead[0] + (front[1] - body.centre[1]) * ahead[1] + body.radius
    far = (body.centre[0] + ahead[0] * (depth + reach), body.centre[1] + ahead[1] * (depth + reach))
    best = None
    for piece in plan.field.fortified:
        if piece.is_area or not piece.cuts(body.centre, far):
            continue
        gap = min(piece.away(point) for point in body.at) - body.radius - book.lengths["contact"] / 2
        best = gap if best is None else min(best, gap)
    if best is None or best <= 0:
        return body
    moved = body.shifted(ahead[0] * best, ahead[1] * best)
    return moved if fits(plan.field, list(plan.bodies.values()), moved, ()) else body


def _set_leader(
    book: RskBook, scenario: Scenario, plan: Plan, spec: UnitSpec, positions: dict[str, Point], scale: float
) -> None:
    """A leader beside the first group of his unit, an NCO beside his own squad, others where the scenario puts them."""
    radius = radius_of(book, spec)
    group = _group_of(plan, spec)
    leader = scenario.leaders.get(spec.id)
    if leader is not None and leader.arrival is not None:
        at = arrival_point(scenario, spec.id) or (0.0, 0.0)
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


def _places(scenario: Scenario, scale: float) -> dict[str, tuple[Point, float, tuple[Point, ...]]]:
    """The ground of each objective that is a place: its middle, a radius, and the polygon where it is terrain."""
    found: dict[str, tuple[Point, float, tuple[Point, ...]]] = {}
    for key, goal in scenario.objectives.items():
        if goal.kind == "hold" and goal.terrain is not None:
            piece = scenario.terrain[goal.terrain]
            points = [(x * scale, y * scale) for x, y in (piece.area or piece.line or ())]
            west, south, east, north = bounds(points)
            middle = ((west + east) / 2, (south + north) / 2)
            found[key] = (middle, 0.0, tuple(points) if piece.area else ())
        elif goal.kind in ("hold", "escort") and goal.at is not None:
            found[key] = ((goal.at[0] * scale, goal.at[1] * scale), goal.radius * scale, ())
    return found


def first_goal(scenario: Scenario, plan: Plan, side: str, start: Point, scale: float) -> Point:
    """Where an attacker's unit marches at the start: the nearest objective, else the enemy's set-up zone (RSK-191).

    Objectives are places, and objects to be carried off where they lie or where the enemy has them.
    """
    goals = scenario.objectives_of(side)
    own = [plan.places[key][0] for key in goals if key in plan.places]
    for goal in goals.values():
        if goal.kind == "carry_off":
            thing = scenario.objects[goal.object]
            held = thing.carrier is not None and scenario.units[thing.carrier].side != side
            at = starting_positions(scenario).get(thing.carrier or "") if held else thing.position
            own += [(at[0] * scale, at[1] * scale)] if at is not None else []
    if own:
        return min(own, key=lambda place: dist(place, start))
    enemy = scenario.enemies_of(side)[0]
    zones = list(scenario.sides[enemy].deployment.values())
    if zones:
        west, south, east, north = bounds(zones[0])
        return (west + east) / 2 * scale, (south + north) / 2 * scale
    return plan.field.width / 2, plan.field.depth / 2


def _note_unspoken(scenario: Scenario, plan: Plan) -> None:
    """Say what the scenario has and these rules cannot express (RSK-008)."""
    notes = plan.notes
    notes += unspoken(scenario, SPOKEN, traits=SPOKEN_TRAITS)
    if scenario.siege:
        notes.append("siege works: no breaches or ladders; walls are crossed by winning at them")
