"""The translation of a neutral scenario into a battle: terrain, groups and starting positions."""

from __future__ import annotations

from collections.abc import Collection

from zareba.base.exact import dist
from zareba.battle.unit_mapping import unsupported_words_of
from zareba.scenario import Scenario, starting_positions
from zareba.scenario.overrides import overrides_of
from zareba.space.geometry import Point, bounds, middle_of
from zareba.space.outlines import TerrainArea, bearing_of
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.forces import UnitSpec
from zareba_rulesets.risk_factor.ground import Field
from zareba_rulesets.risk_factor.translation.deployment import ObjectiveGround, Plan, hidden_units, set_up_units
from zareba_rulesets.risk_factor.translation.forces import Overrides, build_forces
from zareba_rulesets.risk_factor.translation.ground import ground_pieces

__all__ = ["Plan", "first_goal", "hidden_units", "translate"]


def translate(book: RskBook, scenario: Scenario, solo: Collection[str] = ()) -> Plan:
    """Translate a scenario; the tables run the `solo` sides."""
    scale = book.settings.scenario_cm_per_inch
    notes: list[str] = []
    ground = Field(book, scenario.table.width * scale, scenario.table.depth * scale, ground_pieces(book, scenario))
    overrides = overrides_of(scenario, "risk_factor", Overrides)
    specs = build_forces(book, scenario, overrides.units, notes)
    hidden = hidden_units(book, scenario, ground, solo)
    home = _home_facing(scenario, hidden)
    plan = Plan(
        field=ground,
        specs=specs,
        facing={unit: _facing(scenario, spec, home) for unit, spec in specs.items()},
        bodies={},
        entries={},
        arrivals={},
        hidden={},
        markers=frozenset(hidden),
        commanders=_commanders(scenario, specs, overrides.player_characters),
        home=home,
        places=_places(scenario, scale),
        notes=notes,
    )
    set_up_units(book, scenario, plan, scale, hidden)
    notes += unsupported_words_of(book.file, scenario)
    return plan


def _home_facing(scenario: Scenario, hidden: Collection[str]) -> dict[str, float]:
    """Return the bearing towards each side's own edge: the edge that the scenario names, or else the one nearest to its
    units at the start.

    Hidden units count only if a side has no other units.
    """
    facings = {}
    positions = starting_positions(scenario, hidden)
    for side, entry in scenario.sides.items():
        if entry.home_edge is not None:
            facings[side] = bearing_of(entry.home_edge)
            continue
        positioned = [unit for unit in scenario.units_of(side) if unit in positions]
        own_positions = [positions[unit] for unit in positioned if unit not in hidden] or [
            positions[unit] for unit in positioned
        ]
        own_positions = own_positions or [(0.0, 0.0)]
        x, y = middle_of(own_positions)
        edge_distances = {180.0: y, 270.0: x, 0.0: scenario.table.depth - y, 90.0: scenario.table.width - x}
        facings[side] = min(edge_distances, key=lambda edge: edge_distances[edge])
    return facings


def _facing(scenario: Scenario, spec: UnitSpec, home: dict[str, float]) -> float:
    """Return the facing of a unit at the start: as the scenario says, else away from its home edge."""
    named = scenario.facing_of(spec.parent) if spec.parent else None
    return bearing_of(named) if named is not None else (home[spec.side] + 180) % 360


def _commanders(scenario: Scenario, specs: dict[str, UnitSpec], named: Collection[str]) -> dict[str, list[str]]:
    """Return the Player Characters of each side: those `named`, or else its highest-ranking leader, non-combatants
    excepted (RSK-018, RSK-070).
    """
    commanders: dict[str, list[str]] = {}
    for side in scenario.sides:
        leaders = [name for name in scenario.leaders_of(side) if name in specs and not specs[name].non_combatant]
        commanders[side] = [name for name in leaders if name in named] or leaders[:1]
    return commanders


# --- places -----------------------------------------------------------------------------------------------------------


def _places(scenario: Scenario, scale: float) -> dict[str, ObjectiveGround]:
    """Return the place of each objective that has one: its centre, its radius, and the area of a terrain piece."""
    places: dict[str, ObjectiveGround] = {}
    for key, goal in scenario.objectives.items():
        if goal.kind == "hold" and goal.terrain is not None:
            piece = scenario.terrain[goal.terrain]
            points = [(x * scale, y * scale) for x, y in (piece.area or piece.line or ())]
            west, south, east, north = bounds(points)
            middle = ((west + east) / 2, (south + north) / 2)
            places[key] = ObjectiveGround(middle, 0.0, TerrainArea(points) if piece.area else None)
        elif goal.kind in ("hold", "escort") and goal.at is not None:
            x, y = goal.at
            places[key] = ObjectiveGround((x * scale, y * scale), goal.radius * scale)
    return places


def first_goal(scenario: Scenario, plan: Plan, side: str, start: Point, scale: float) -> Point:
    """Return where an attacker's unit marches at the start: the nearest objective, or else the enemy's set-up zone
    (RSK-191).

    Objectives are places, and objects to be carried off, at their position or at the position of the enemy unit that
    has them.
    """
    goals = scenario.objectives_of(side)
    goal_points = [plan.places[key].centre for key in goals if key in plan.places]
    for goal in goals.values():
        if goal.kind == "carry_off":
            thing = scenario.objects[goal.object]
            enemy_holds_it = thing.carrier is not None and scenario.units[thing.carrier].side != side
            at = starting_positions(scenario).get(thing.carrier or "") if enemy_holds_it else thing.position
            if thing.carrier in plan.markers and enemy_holds_it:
                at = None  # the attackers do not know where a hidden unit is
            goal_points += [(at[0] * scale, at[1] * scale)] if at is not None else []
    if goal_points:
        return min(goal_points, key=lambda place: dist(place, start))
    enemy = scenario.enemies_of(side)[0]
    zones = list(scenario.sides[enemy].deployment.values())
    if zones:
        west, south, east, north = bounds(zones[0])
        return (west + east) / 2 * scale, (south + north) / 2 * scale
    return plan.field.width / 2, plan.field.depth / 2
