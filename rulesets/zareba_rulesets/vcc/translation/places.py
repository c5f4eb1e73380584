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
    found: dict[str, int] = {}
    for unit, at in positions.items():
        spec = specs[unit]
        wanted = raster.cell_at(at)
        home = battlefield.home_edge[spec.side]
        points = book.classes[spec.troop].stack
        others = {box for other, box in found.items() if specs[other].side != spec.side}

        def suits(
            box: int,
            side: str = spec.side,
            points: int = points,
            troop: str = spec.troop,
            others: set[int] = others,
        ) -> bool:
            free = load.get((box, side), 0) + points <= book.settings.stack_points and box not in others
            return free and battlefield.going(troop, box) != "no"

        order = sorted(
            range(grid.size), key=lambda box: (dist(centre(wanted), centre(box)), _ahead(grid, box, home), box)
        )
        box = next((box for box in order if suits(box)), wanted)
        found[unit] = box
        load[box, spec.side] = load.get((box, spec.side), 0) + points
    return found


def _ahead(grid: BoxGrid, box: int, home: int) -> int:
    """Return the distance of a box from a home edge, in boxes."""
    column, row = grid.column_row(box)
    return {N: grid.rows - 1 - row, E: grid.columns - 1 - column, S: row, W: column}[home]


def deployment_zones(
    scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec]
) -> dict[str, list[int]]:
    """Return the boxes in which players deploy each unit that the scenario gives a zone and no position (VCC-025)."""
    found: dict[str, list[int]] = {}
    for unit_id in specs:
        zone = zone_of(scenario, scenario.units[unit_id])
        if zone is not None:
            found[unit_id] = sorted(box for box, share in raster.coverage(zone).items() if share >= HALF)
    return found


def entry_boxes(scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec]) -> dict[str, list[int]]:
    """Return the edge box nearest to each entry point and its two neighbours along the edge (VCC-169)."""
    found: dict[str, list[int]] = {}
    for unit_id in specs:
        arrival = scenario.units[unit_id].arrival
        if arrival is None:
            continue
        at = arrival_point(scenario, arrival)
        row = raster.grid.edge_row(arrival.edge)
        nearest = min(range(len(row)), key=lambda i: dist(raster.to_table(row[i]), at))
        found[unit_id] = [row[i] for i in (nearest, nearest - 1, nearest + 1) if 0 <= i < len(row)]
    return found


def objective_boxes(scenario: Scenario, raster: Raster[BoxGrid]) -> dict[str, frozenset[int]]:
    """Return the boxes of each objective that is a place."""
    found: dict[str, frozenset[int]] = {}
    for key, goal in scenario.objectives.items():
        if goal.kind == "hold" and goal.terrain is not None:
            piece = scenario.terrain[goal.terrain]
            covered = raster.coverage(piece.area) if piece.area is not None else raster.crossed_by(piece.line or ())
            wide = [box for box, share in covered.items() if share >= HALF]
            found[key] = frozenset(wide or covered)
        elif goal.kind in ("hold", "escort") and goal.at is not None:
            reach = max(goal.radius, raster.inches / 2)
            near = [
                b for b in range(raster.grid.size) if dist(raster.to_table(b), goal.at) <= reach - 0.5 * raster.inches
            ]
            found[key] = frozenset([raster.cell_at(goal.at), *near])
    return found


def prize_boxes(
    scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec], placed: Mapping[str, int]
) -> dict[str, tuple[int, str]]:
    """Return the box of each object of the scenario and the unit that carries it; OFF_TABLE with a unit still to
    arrive.
    """
    found: dict[str, tuple[int, str]] = {}
    for key, thing in scenario.objects.items():
        carrier = thing.carrier or ""
        if carrier in specs:
            found[key] = (placed.get(carrier, OFF_TABLE), carrier)
        elif thing.position is not None:
            found[key] = (raster.cell_at(thing.position), "")
    return found
