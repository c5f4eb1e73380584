"""Units enter and leave the table: deployment before the first turn, arrivals, and exits."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, sqrt

from zareba.base.exact import dist
from zareba.base.state import blank
from zareba.battle.arrivals import arrival_turns, arrives
from zareba.battle.carried_objects import CarriedObject, leave_with_objects, pick_up
from zareba.battle.unit_mapping import facts_of, map_unit
from zareba.scenario import Scenario, arrival_point, starting_positions
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placement import zone_of
from zareba.simple_ruleset.ground import Field
from zareba.simple_ruleset.model import Overrides, SimpleRulesetFile, TroopRow
from zareba.simple_ruleset.state import Battle, Unit, UnitSpec
from zareba.space import Point
from zareba.space.geometry import Points, is_inside
from zareba.table import LazyOptions, Table

_UNARMED = TroopRow(rule="")
_RINGS = (1.5, 3.0, 5.0, 8.0)
"""Distances in inches from an occupied place to the free places tried around it."""
_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7))
"""The directions from an occupied place in which free places are tried."""


def mapped_units(book: SimpleRulesetFile, scenario: Scenario, ruleset: str) -> dict[str, UnitSpec]:
    """Return the units of a scenario under this ruleset, from its unit mappings and the scenario's overrides."""
    overrides = overrides_of(scenario, ruleset, Overrides, book)
    return {unit: _spec(book, scenario, overrides, unit) for unit in scenario.units}


def _spec(book: SimpleRulesetFile, scenario: Scenario, overrides: Overrides, unit_id: str) -> UnitSpec:
    """Return a unit under this ruleset. A leader without a unit is with the first unit of the side."""
    unit = scenario.units[unit_id]
    override = overrides.units.get(unit_id)
    mapped = map_unit(book.unit_mapping, scenario, unit_id)
    mapped |= override.model_dump(exclude_none=True) if override else {}

    first = next(iter(scenario.units_of(unit.side)))
    leaders = tuple(
        key
        for key, leader in scenario.leaders.items()
        if leader.side == unit.side and (leader.unit or first) == unit_id
    )
    figures = mapped.get("figures") or ceil(unit.figures / mapped.get("figures_for", 1))
    return UnitSpec(
        unit_id,
        unit.side,
        unit.name,
        figures,
        unit.room * book.reach.inch * sqrt(figures / unit.figures),
        book.troops[mapped["troop"]],
        book.weapons[mapped["weapon"]] if "weapon" in mapped else _UNARMED,
        facts_of(scenario, unit_id),
        leaders,
    )


def first_state(
    book: SimpleRulesetFile,
    scenario: Scenario,
    field: Field,
    specs: dict[str, UnitSpec],
    phase: str,
    counts: Callable[..., bool],
) -> Battle:
    """Return the battle before the first step. Every unit is on its place in the scenario; units with a zone are still
    to be deployed.
    """
    inch = book.reach.inch
    places = {key: (x * inch, y * inch) for key, (x, y) in starting_positions(scenario).items()}
    units = {
        key: Unit(None, spec.figures, frozenset(), dict(book.numbers), "", spec=spec) for key, spec in specs.items()
    }
    battle = blank(
        Battle,
        phase=phase,
        units=units,
        arrivals=arrival_turns(scenario),
        book=book,
        field=field,
        scenario=scenario,
        counts=counts,
    )
    for name, thing in scenario.objects.items():
        x, y = thing.position or (0.0, 0.0)
        battle.carried_objects[name] = CarriedObject((x * inch, y * inch), thing.carrier or "")
    width, depth = field.table.extent
    for side in sorted(scenario.sides, key=lambda side: scenario.sides[side].deploys):
        for key in scenario.units_of(side):
            if key in battle.arrivals:
                continue
            if _zone(battle, key):
                battle.setting_out.append(key)
            units[key].at = _free_place(battle, units[key], places.get(key, (width / 2, depth / 2)))
    return battle


def _zone(battle: Battle, unit_id: str) -> Points:
    """Return the deployment zone of a unit; empty if the scenario fixes its place."""
    inch = battle.book.reach.inch
    zone = zone_of(battle.scenario, battle.scenario.units[unit_id]) or ()
    return tuple((x * inch, y * inch) for x, y in zone)


def _free_place(battle: Battle, unit: Unit, at: Point) -> Point:
    """Return the place, or a free one near it; the place itself if all of them are occupied."""
    inch = battle.book.reach.inch
    nearby = [(at[0] + x * ring * inch, at[1] + y * ring * inch) for ring in _RINGS for x, y in _DIRECTIONS]
    table = battle.field.table
    for place in (at, *nearby):
        if table.is_on_table(place) and battle.field.at(place).pace and battle.stands_on(unit, place) is None:
            return place
    return at


def deploy_next_unit(table: Table, battle: Battle) -> None:
    """Ask the owner where in its zone the next unit is deployed. After the last one, the first turn begins."""
    if not battle.setting_out:
        battle.turn = 1
        return
    unit = battle.units[battle.setting_out.pop(0)]
    zone = _zone(battle, unit.id)

    def legal(at: Point) -> str | None:
        if not is_inside(at, zone):
            return "that is outside the unit's zone"
        if not battle.field.at(at).pace:
            return "that ground is impassable"
        other = battle.stands_on(unit, at)
        return f"there is no room beside {other.spec.name}" if other else None

    def legal_or_here(at: Point) -> str | None:
        return None if at == unit.at else legal(at)

    suggestions = LazyOptions.among([unit.place, *_grid_over(zone)], legal_or_here)
    rule = battle.book.rule_ids["set_up"]
    unit.at = table.place(unit.side, suggestions, legal_or_here, why="set up at", rule=rule, actor=unit.id)
    table.emit("set up", rule, unit=unit.id)
    if not battle.setting_out:
        battle.turn = 1


def _grid_over(zone: Points) -> list[Point]:
    """Return five by three points, evenly spread over the rectangle around a zone."""
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    left, width = min(xs), max(xs) - min(xs)
    south, depth = min(ys), max(ys) - min(ys)
    return [(left + a * width, south + b * depth) for b in (0.0, 0.5, 1.0) for a in (0.0, 0.25, 0.5, 0.75, 1.0)]


def bring_on_units_due(table: Table, battle: Battle) -> None:
    """Put units that are due on the table, at or near the place that the scenario names."""
    for key in units_due(battle):
        bring_on(table, battle, key)


def units_due(battle: Battle) -> list[str]:
    """Return the units that arrive in this turn, or roll for it."""
    return [key for key, turn in battle.arrivals.items() if turn <= battle.turn]


def bring_on(table: Table, battle: Battle, key: str) -> None:
    """Put a unit that is due on the table, if its die allows it."""
    rule, inch = battle.book.rule_ids["arrive"], battle.book.reach.inch
    arrival = battle.scenario.units[key].arrival
    if arrival is None or not arrives(table, arrival, key, rule):
        return
    x, y = arrival_point(battle.scenario, arrival)
    unit = battle.units[key]
    del battle.arrivals[key]
    unit.at = _free_place(battle, unit, (x * inch, y * inch))
    table.emit("arrived", rule, unit=key)


def leave(table: Table, battle: Battle, side: str = "") -> None:
    """Take units that have reached their exit edge off the table, with the objects they carry."""
    rule = battle.book.rule_ids["leave"]
    for unit in battle.on_table(side):
        edge = battle.exit_of(unit)
        if edge is None or not battle.counts(battle, unit):
            continue
        if battle.field.table.distance_to_edge(unit.place, edge) - unit.radius <= battle.book.reach.leave:
            unit.at, unit.gone = None, leave_with_objects(table, battle.carried_objects, unit.id, unit.side, edge, rule)


def pick_up_objects(table: Table, battle: Battle) -> None:
    """Move objects with their carriers. A free object is taken by the nearest unit in reach, unless both sides have
    units in reach.
    """
    rule, reach = battle.book.rule_ids["take_up"], battle.book.reach.take_up

    def move_with_carrier(carried_object: CarriedObject) -> bool:
        carried_object.at = battle.units[carried_object.carrier].at or carried_object.at
        return True

    def find_taker(_: str, carried_object: CarriedObject) -> str:
        in_reach = [
            unit
            for unit in battle.on_table()
            if battle.counts(battle, unit) and dist(unit.place, carried_object.at) - unit.radius <= reach
        ]
        is_undisputed = len({unit.side for unit in in_reach}) == 1
        return min(in_reach, key=lambda unit: dist(unit.place, carried_object.at)).id if is_undisputed else ""

    pick_up(table, battle.carried_objects, move_with_carrier, find_taker, rule)
