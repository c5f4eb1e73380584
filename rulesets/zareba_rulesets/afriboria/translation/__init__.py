"""Translates a neutral scenario into these rules."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import ceil

from zareba.base.exact import dist
from zareba.battle.unit_mapping import unsupported_words_of
from zareba.scenario import Scenario, Terrain
from zareba.scenario.model import Hold
from zareba.scenario.overrides import overrides_of
from zareba.scenario.vocabulary import OPPOSITE
from zareba.space import Edge, HexGrid, Point, Raster
from zareba.space.geometry import EPSILON
from zareba.space.table_edges import EDGES
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.pieces import OFF, CommanderSpec, UnitSpec
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.ground.field import Field
from zareba_rulesets.afriboria.ground.terrain import ground_kinds, hexes_of, structure_specs
from zareba_rulesets.afriboria.translation.forces import commanders, forces
from zareba_rulesets.afriboria.translation.overrides import Overrides
from zareba_rulesets.afriboria.translation.places import attach, occupy, place

__all__ = ["hex_inches", "translate"]

LEAST_HEXES = 6


def translate(book: AfrBook, scenario: Scenario) -> Plan:
    """Return the plan of a scenario: hexes of 6 inches, or 4 with 10 cm hexes; units of at most the listed size
    (AFR-049).
    """
    raster = _raster(book, scenario)
    home = _homes(scenario)
    overrides = overrides_of(scenario, "afriboria", Overrides, book.file)
    kinds, hilltops = ground_kinds(book, scenario, raster)
    defender = next(
        (side for side, entry in scenario.sides.items() if entry.role == "defender"), next(iter(scenario.sides))
    )
    structures = structure_specs(book, scenario, raster, defender) if scenario.siege else {}
    battlefield = Field(book, raster.grid, kinds, home, hilltops, structures, *_bases(scenario, raster))
    units, fliers = forces(book, scenario, overrides)
    plan = Plan(battlefield, units, commanders(book, scenario, units), fliers)
    place(book, scenario, raster, plan)
    holds = {key: goal for key, goal in scenario.objectives.items() if isinstance(goal, Hold)}
    plan.places = {key: _held_hexes(book, scenario, raster, goal) for key, goal in holds.items()}
    occupy(book, scenario, raster, plan)
    attach(scenario, raster, plan)
    _objectives(scenario, raster, plan)
    plan.ladders = frozenset(name for name, spec in units.items() if "ladders" in scenario.units[spec.source].traits)
    plan.strengths = {name: scenario.units[name].strength or book.file.air["airship"].strength for name in fliers}
    plan.quotas = _quotas(book, scenario, plan)
    plan.first = scenario.first if scenario.first in scenario.sides else ""
    plan.turn_limit = 2 * scenario.turns
    plan.events = overrides.event_cards == "on" or book.settings.event_cards == "on"
    plan.without = frozenset(overrides.without)
    plan.notes += unsupported_words_of(book.file, scenario)
    return plan


def _raster(book: AfrBook, scenario: Scenario) -> Raster[HexGrid]:
    """The hexes of a table: an odd number of rows, every second one a hex shorter.

    So the board is its own mirror image, and a mirrored scenario has a mirrored board (AFR-004).
    """
    inches, table = hex_inches(book), scenario.table
    columns = max(LEAST_HEXES, round(table.width / inches))
    rows = max(LEAST_HEXES, 2 * round((table.depth / (inches * 0.866) - 1) / 2)) | 1
    return Raster.centred(HexGrid(columns, rows, short_rows=True), inches, table.width, table.depth)


def hex_inches(book: AfrBook) -> float:
    """Return the distance between adjacent hexes, in inches of the scenario's table (AFR-004)."""
    sizes = book.file.mapping.hex_inches
    return float(sizes.cm_15 if book.settings.hex_cm == 15 else sizes.cm_10)


def _homes(scenario: Scenario) -> dict[str, Edge]:
    """Return the own edge of each side: as given, else opposite the enemy's, else south for the first side (AFR-005)."""
    home_edges = {side: entry.home_edge for side, entry in scenario.sides.items()}
    first, second = home_edges
    if home_edges[first] is None and home_edges[second] is None:
        return {first: "south", second: "north"}
    return {
        side: edge or OPPOSITE[home_edges[second if side == first else first] or "north"]
        for side, edge in home_edges.items()
    }


def _bases(
    scenario: Scenario, raster: Raster[HexGrid]
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[str, ...]]]:
    """Return the air bases of each side: hexes of airfields and fuel trucks, and the names of carried trucks
    (AFR-260).
    """
    found: dict[str, list[int]] = {}
    trucks: dict[str, list[str]] = {}
    for name, thing in scenario.objects.items():
        if thing.kind not in ("airfield", "fuel_truck"):
            continue
        for side in [thing.side] if thing.side else scenario.sides:
            if thing.carrier:
                trucks.setdefault(side, []).append(name)
            elif thing.position is not None:
                found.setdefault(side, []).append(raster.central_cell_at(thing.position))
    fixed = {side: tuple(cells) for side, cells in found.items()}
    return fixed, {side: tuple(names) for side, names in trucks.items()}


def _objectives(scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """The hexes of places to be reached, units to be destroyed, exits, and things to carry."""
    for key, goal in scenario.objectives.items():
        if goal.kind == "escort" and goal.at is not None and not goal.edge:
            cell = raster.central_cell_at(goal.at)
            plan.areas[key] = frozenset((cell, *raster.grid.neighbours(cell)))
        elif goal.kind == "destroy":
            for side in goal.by or scenario.sides:
                units = goal.units or tuple(u for u, entry in scenario.units.items() if entry.side != side)
                if scenario.units[units[0]].side != side:
                    plan.hunted.append((key, side, units))
    plan.field.goals = plan.places
    plan.field.names = {key: thing.name for key, thing in scenario.objects.items()}
    plan.exits = {side: scenario.exits_for(side) for side in scenario.sides}
    plan.edges = {edge: frozenset(raster.grid.edge_row(edge)) for edge in EDGES}
    for key, thing in scenario.objects.items():
        if thing.carrier in plan.units:
            plan.prizes[key] = (plan.placed.get(thing.carrier, OFF), thing.carrier)
        elif thing.position is not None and thing.kind not in ("airfield", "fuel_truck"):
            plan.prizes[key] = (raster.central_cell_at(thing.position), "")


def _held_hexes(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], goal: Hold) -> tuple[int, ...]:
    """The hexes of a place: those whose middles lie within its radius, or those of its terrain; else those of its middle."""
    if goal.terrain is not None:
        piece = scenario.terrain[goal.terrain]
        at, hexes = _centre(piece), hexes_of(book, piece, raster)
    else:
        assert goal.at is not None, "a place is a point or a piece of terrain"
        at = goal.at
        reach = goal.radius + EPSILON
        hexes = [cell for cell in raster.grid.cells if dist(raster.to_table(cell), at) <= reach]
    return tuple(hexes or raster.cells_at(at))


def _centre(piece: Terrain) -> Point:
    if piece.area is not None:
        xs, ys = [x for x, _ in piece.area], [y for _, y in piece.area]
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    line = piece.line or ((0.0, 0.0), (0.0, 0.0))
    a, b = list(pairwise(line))[(len(line) - 1) // 2]
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _quotas(book: AfrBook, scenario: Scenario, plan: Plan) -> dict[str, int | None]:
    """Return the points that win (AFR-052): the scenario's; without one, by setting none, half of the enemy, or a number.

    Half of the enemy is half of his units and commanders, rounded up. To that half, or to the number, are added the
    points of places in which the side starts, because it has them without a fight.
    """
    chosen = book.settings.vp_quota
    quotas: dict[str, int | None] = {}
    for side, entry in scenario.sides.items():
        quotas[side] = entry.victory.quota
        if entry.victory.quota is None and chosen != "none":
            quota = chosen if isinstance(chosen, int) else _half_of_the_enemy(book, plan, side)
            quotas[side] = quota + _points_at_start(scenario, plan, side)
    return quotas


def _half_of_the_enemy(book: AfrBook, plan: Plan, side: str) -> int:
    pieces: Iterable[UnitSpec | CommanderSpec] = (*plan.units.values(), *plan.commanders.values())
    enemies = sum(piece.side != side and piece.points > 0 for piece in pieces)
    return max(1, ceil(enemies * Fraction(str(book.file.quota.share))))


def _points_at_start(scenario: Scenario, plan: Plan, side: str) -> int:
    """Return the points of the places where only units of this side are placed."""
    points_held = 0
    for key, goal in scenario.objectives_of(side).items():
        cells = plan.places.get(key, ())
        sides_there = {spec.side for name, spec in plan.units.items() if plan.placed.get(name) in cells}
        points_held += goal.points if sides_there == {side} else 0
    return points_held
