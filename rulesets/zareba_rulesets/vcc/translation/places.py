"""Starting boxes, deployment zones, entry boxes and objectives (VCC-167 to VCC-169)."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.base.exact import dist
from zareba.scenario import Scenario, arrival_point
from zareba.scenario.placement import zone_of
from zareba.space.geometry import Point
from zareba.space.grid.boxes import BoxGrid, E, N, S, W
from zareba.space.grid.terrain import HALF, Raster
from zareba_rulesets.vcc.book.numbers import VccBook
from zareba_rulesets.vcc.forces.battle import OFF_TABLE, UnitSpec
from zareba_rulesets.vcc.ground.field import Field

__all__ = ["deployment_zones", "entry_boxes", "objective_boxes", "prize_boxes", "starting_boxes"]


def starting_boxes(
    book: VccBook,
    battlefield: Field,
    raster: Raster[BoxGrid],
    specs: Mapping[str, UnitSpec],
    positions: Mapping[str, Point],
) -> dict[str, int]:
    """Return the box of every unit at the start. Units move from a full box to the nearest with room, towards their own
    edge.
    """
    grid = raster.grid
    centre = grid.centre
    load: dict[tuple[int, str], int] = {}
    boxes: dict[str, int] = {}
    for unit, at in positions.items():
        spec = specs[unit]
        target = raster.cell_at(at)
        home_edge = battlefield.home_edge[spec.side]
        points = book.classes[spec.troop].stack
        others = {box for other, box in boxes.items() if specs[other].side != spec.side}

        def is_suitable(
            box: int,
            side: str = spec.side,
            points: int = points,
            troop: str = spec.troop,
            others: set[int] = others,
        ) -> bool:
            has_space = load.get((box, side), 0) + points <= book.settings.stack_points and box not in others
            return has_space and battlefield.difficulty(troop, box) != "no"

        order = sorted(
            range(grid.size),
            key=lambda box: (dist(centre(target), centre(box)), _distance_from_edge(grid, box, home_edge), box),
        )
        box = next((box for box in order if is_suitable(box)), target)
        boxes[unit] = box
        load[box, spec.side] = load.get((box, spec.side), 0) + points
    return boxes


def _distance_from_edge(grid: BoxGrid, box: int, edge: int) -> int:
    """Return the distance of a box from a home edge, in boxes."""
    column, row = grid.column_row(box)
    return {N: grid.rows - 1 - row, E: grid.columns - 1 - column, S: row, W: column}[edge]


def deployment_zones(
    scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec]
) -> dict[str, list[int]]:
    """Return the boxes in which players deploy each unit that the scenario gives a zone and no position (VCC-025)."""
    zones: dict[str, list[int]] = {}
    for unit_id in specs:
        zone = zone_of(scenario, scenario.units[unit_id])
        if zone is not None:
            zones[unit_id] = sorted(box for box, share in raster.coverage(zone).items() if share >= HALF)
    return zones


def entry_boxes(scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec]) -> dict[str, list[int]]:
    """Return the edge box nearest to each entry point and its two neighbours along the edge (VCC-169)."""
    entries: dict[str, list[int]] = {}
    for unit_id in specs:
        arrival = scenario.units[unit_id].arrival
        if arrival is None:
            continue
        at = arrival_point(scenario, arrival)
        row = raster.grid.edge_row(arrival.edge)
        nearest = min(range(len(row)), key=lambda i: dist(raster.to_table(row[i]), at))
        entries[unit_id] = [row[i] for i in (nearest, nearest - 1, nearest + 1) if 0 <= i < len(row)]
    return entries


def objective_boxes(scenario: Scenario, raster: Raster[BoxGrid]) -> dict[str, frozenset[int]]:
    """Return the boxes of each objective that is a place."""
    places: dict[str, frozenset[int]] = {}
    for key, goal in scenario.objectives.items():
        if goal.kind == "hold" and goal.terrain is not None:
            piece = scenario.terrain[goal.terrain]
            coverage = raster.coverage(piece.area) if piece.area is not None else raster.crossed_by(piece.line or ())
            covered_boxes = [box for box, share in coverage.items() if share >= HALF]
            places[key] = frozenset(covered_boxes or coverage)
        elif goal.kind in ("hold", "escort") and goal.at is not None:
            reach = max(goal.radius, raster.inches / 2)
            touched = [
                b for b in range(raster.grid.size) if dist(raster.to_table(b), goal.at) <= reach - 0.5 * raster.inches
            ]
            places[key] = frozenset([raster.cell_at(goal.at), *touched])
    return places


def prize_boxes(
    scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec], placed: Mapping[str, int]
) -> dict[str, tuple[int, str]]:
    """Return the box of each object of the scenario and the unit that carries it; OFF_TABLE with a unit still to
    arrive.
    """
    objects: dict[str, tuple[int, str]] = {}
    for key, scenario_object in scenario.objects.items():
        carrier = scenario_object.carrier or ""
        if carrier in specs:
            objects[key] = (placed.get(carrier, OFF_TABLE), carrier)
        elif scenario_object.position is not None:
            objects[key] = (raster.cell_at(scenario_object.position), "")
    return objects
