"""Where everybody starts: hexes, zones, edges of arrival, commanders with their units (AFR-047, AFR-096)."""

from __future__ import annotations

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.scenario import Leader, Scenario, arrival_point, starting_positions
from zareba.scenario.model import Arrival
from zareba.space import HexGrid, Raster
from zareba.space.grid.terrain import HALF
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.pieces import UnitSpec
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.ground.field import Field
from zareba_rulesets.afriboria.ground.ground import hexes_of

__all__ = ["admits", "attach", "place"]


def place(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """The hex of every unit: the wanted one, else the nearest with room, towards its own edge (AFR-047)."""
    positions = starting_positions(scenario)
    for name, spec in plan.units.items():
        unit = scenario.units[spec.source]
        if unit.arrival is not None:
            plan.arrivals[name] = unit.arrival.turn
            plan.entries[name] = _entries(scenario, raster, unit.arrival)
            continue
        plan.placed[name] = nearest_room(book, plan, spec, raster.cell_at(positions[spec.source]))
        if unit.position is None:
            wide = _zone(book, scenario, raster, spec.side, unit.zone, unit.inside)
            plan.zones[name] = [cell for cell in wide if admits(plan.field, spec.side, spec.profile.walks, cell)]
    for name, flier in plan.fliers.items():
        plan.placed[name] = raster.cell_at(positions.get(name) or (0.0, 0.0))
        if name not in positions:
            plan.placed[name] = min(plan.field.grid.edge_row(plan.field.home[flier.side]))
    for side in scenario.sides:  # without an airfield the place where its aircraft start is one
        if side not in plan.field.bases and side not in plan.field.trucks:
            own = (name for name, flier in plan.fliers.items() if flier.side == side and flier.kind == "aircraft")
            plan.field.bases[side] = tuple(plan.placed[name] for name in own)


def _zone(
    book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], side: str, zone: str | None, inside: str | None = None
) -> list[int]:
    """The hexes in which somebody may be set out: those of a building, or of a deployment zone of his side."""
    if inside is not None:
        return sorted(hexes_of(book, scenario.terrain[inside], raster))
    zones = scenario.sides[side].deployment
    if not zones:
        return []
    covered = raster.coverage(zones[zone or next(iter(zones))])
    return sorted(cell for cell, share in covered.items() if share >= HALF) or sorted(covered)


def admits(battlefield: Field, side: str, walks: bool, cell: int) -> bool:
    """Whether the ground of a hex can hold a unit or commander of a side at the start."""
    ground = battlefield.ground[cell]
    structure = battlefield.structures.get(cell)
    if ground.closed or (structure is not None and structure.side != side):
        return False
    return walks or not ground.infantry_only


def nearest_room(book: AfrBook, plan: Plan, spec: UnitSpec, wanted: int) -> int:
    """The nearest hex to the wanted one that has room and no enemy."""
    battlefield, grid = plan.field, plan.field.grid
    taken: dict[int, list[str]] = {}
    for other, cell in plan.placed.items():
        if other in plan.units:
            taken.setdefault(cell, []).append(plan.units[other].side)

    def suits(cell: int) -> bool:
        there = taken.get(cell, [])
        return (
            len(there) < book.room
            and all(side == spec.side for side in there)
            and admits(battlefield, spec.side, spec.profile.walks, cell)
        )

    home = battlefield.home[spec.side]
    order = sorted(
        range(grid.size), key=lambda cell: (grid.distance(wanted, cell), grid.distance_to_edge(cell, home), cell)
    )
    found = next((cell for cell in order if suits(cell)), None)
    if found is None:
        raise ZarebaError(f"there is no room on the field for {spec.name}; take units away or use 10 cm hexes")
    return found


def _entries(scenario: Scenario, raster: Raster[HexGrid], arrival: Arrival) -> list[int]:
    """The hexes of the edge over which somebody comes on, the nearest to his place first."""
    row, at = raster.grid.edge_row(arrival.edge), arrival_point(scenario, arrival)
    return sorted(row, key=lambda cell: (dist(raster.to_table(cell), at), cell))


def attach(scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Where commanders start: at their own place, or where their owner sets them out, by custom with their unit (AFR-047).

    Who belongs to a unit whose place the scenario gives, starts there.
    """
    positions = starting_positions(scenario)
    for name, spec in plan.commanders.items():
        leader: Leader | None = scenario.leaders.get(name)
        unit = leader.unit if leader is not None else next(u for u, s in plan.units.items() if s.side == spec.side)
        if leader is not None and leader.arrival is not None:
            plan.arrivals[name] = leader.arrival.turn
            plan.entries[name] = _entries(scenario, raster, leader.arrival)
            continue
        wide: list[int] = []
        if unit in plan.units:
            plan.attached[name] = unit
            if plan.arrivals.get(unit, 0) > scenario.turns:  # he waits with his men until they are called
                plan.arrivals[name], plan.entries[name] = plan.arrivals[unit], plan.entries[unit]
            if unit in plan.zones:
                source = scenario.units[plan.units[unit].source]
                wide = _zone(plan.field.book, scenario, raster, spec.side, source.zone)
        else:
            at = positions.get(name)
            own_edge = plan.field.grid.edge_row(plan.field.home[spec.side])
            plan.chiefs[name] = raster.cell_at(at) if at is not None else own_edge[len(own_edge) // 2]
            if leader is not None and leader.position is None:
                wide = _zone(plan.field.book, scenario, raster, spec.side, leader.zone)
        open_hexes = [cell for cell in wide if admits(plan.field, spec.side, not spec.mounted, cell)]
        if open_hexes:
            plan.zones[name] = open_hexes
