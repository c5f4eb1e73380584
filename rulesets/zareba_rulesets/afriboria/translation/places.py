"""Starting hexes, deployment zones, edges of arrival, and commanders with their units (AFR-047, AFR-096)."""

from __future__ import annotations

from collections.abc import Collection

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.scenario import Leader, Scenario, arrival_point, starting_positions
from zareba.scenario.model import Arrival
from zareba.scenario.placement import occupied
from zareba.space import HexGrid, Point, Raster
from zareba.space.grid.terrain import HALF
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.pieces import UnitSpec
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.ground.field import Field
from zareba_rulesets.afriboria.ground.terrain import hexes_of

__all__ = ["admits", "attach", "occupy", "place"]


def place(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Find the hex of every unit: the wanted one, else the nearest with room, towards its own edge (AFR-047)."""
    positions = starting_positions(scenario)
    for name, spec in plan.units.items():
        unit = scenario.units[spec.source]
        if unit.arrival is not None:
            plan.arrivals[name] = unit.arrival.turn
            plan.entries[name] = _entries(scenario, raster, unit.arrival)
            continue
        inside_hexes = () if unit.inside is None else hexes_of(book, scenario.terrain[unit.inside], raster)
        plan.placed[name] = nearest_room(book, plan, spec, raster, positions[spec.source], inside_hexes)
        if unit.position is None and unit.inside is None:
            zone_hexes = _zone(book, scenario, raster, spec.side, unit.zone)
            plan.zones[name] = [cell for cell in zone_hexes if admits(plan.field, spec.side, spec.profile.walks, cell)]
    for name, flier in plan.fliers.items():
        plan.placed[name] = raster.central_cell_at(positions.get(name) or (0.0, 0.0))
        if name not in positions:
            plan.placed[name] = _middle_of_edge(plan.field, flier.side)
    for side in scenario.sides:  # without an airfield, aircraft use their starting hexes
        if side not in plan.field.bases and side not in plan.field.trucks:
            own = (name for name, flier in plan.fliers.items() if flier.side == side and flier.kind == "aircraft")
            plan.field.bases[side] = tuple(plan.placed[name] for name in own)


def occupy(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Make sure that each side holds the places that it holds at the start of the scenario, whatever the hex size
    (AFR-047).

    An enemy unit that is outside the place in the scenario is moved out of its hexes. If the side has no unit in them,
    one of its units next to the place is moved in, but none that holds another place.
    """
    for key, (side, sources) in occupied(scenario).items():
        cells = plan.places[key]
        unit_cells = {name: cell for name, cell in plan.placed.items() if name in plan.units and name not in plan.zones}
        units_inside = {name for name, cell in unit_cells.items() if cell in cells}
        cells_outside = [cell for cell in raster.grid.cells if cell not in cells]
        for name in units_inside:
            if plan.units[name].side != side:
                _settle(book, raster, plan, name, cells_outside)
        if any(plan.units[name].side == side for name in units_inside):
            continue
        busy = {cell for other, held in plan.places.items() if other != key for cell in held}
        for name in (part for source in sources for part in reversed(plan.parts.get(source, []))):
            if plan.placed[name] not in busy and _settle(book, raster, plan, name, cells):
                break


def _settle(book: AfrBook, raster: Raster[HexGrid], plan: Plan, name: str, within: Collection[int]) -> bool:
    """Put a unit into the nearest of some hexes; False, and nothing changed, where none of them has room for it."""
    cell = nearest_room(book, plan, plan.units[name], raster, raster.to_table(plan.placed[name]), within)
    if cell in within:
        plan.placed[name] = cell
    return cell in within


def _zone(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], side: str, zone: str | None) -> list[int]:
    """Return the hexes of a deployment zone of a side."""
    zones = scenario.sides[side].deployment
    if not zones:
        return []
    covered = raster.coverage(zones[zone or next(iter(zones))])
    return sorted(cell for cell, share in covered.items() if share >= HALF) or sorted(covered)


def admits(battlefield: Field, side: str, walks: bool, cell: int) -> bool:
    """Return True if the ground of a hex can hold a unit or commander of a side at the start."""
    ground = battlefield.ground[cell]
    structure = battlefield.structures.get(cell)
    if ground.closed or (structure is not None and structure.side != side):
        return False
    return walks or not ground.infantry_only


def nearest_room(
    book: AfrBook, plan: Plan, spec: UnitSpec, raster: Raster[HexGrid], at: Point, within: Collection[int] = ()
) -> int:
    """The nearest hex to a point of the table that has room and no enemy; one of the hexes `within`, if any has."""
    battlefield, grid, goal = plan.field, plan.field.grid, raster.central_cell_at(at)
    occupants: dict[int, list[str]] = {}
    for other, cell in plan.placed.items():
        if other in plan.units:
            occupants.setdefault(cell, []).append(plan.units[other].side)

    def is_suitable(cell: int) -> bool:
        units_there = occupants.get(cell, [])
        return (
            len(units_there) < book.room
            and all(side == spec.side for side in units_there)
            and admits(battlefield, spec.side, spec.profile.walks, cell)
        )

    home = battlefield.home[spec.side]

    def order(cell: int) -> tuple[float, ...]:
        off = round(dist(raster.to_table(cell), at), 6)
        near = grid.distance(goal, cell), grid.distance_to_edge(cell, home), off, *grid.from_middle(cell), -cell
        return cell not in within, *near

    found = next((cell for cell in sorted(grid.cells, key=order) if is_suitable(cell)), None)
    if found is None:
        raise ZarebaError(f"there is no room on the field for {spec.name}; remove units or use 10 cm hexes")
    return found


def _entries(scenario: Scenario, raster: Raster[HexGrid], arrival: Arrival) -> list[int]:
    """Return the hexes of the edge of an arrival, the nearest to its entry point first."""
    row, at = raster.grid.edge_row(arrival.edge), arrival_point(scenario, arrival)

    def order(cell: int) -> tuple[float, ...]:
        return round(dist(raster.to_table(cell), at), 6), *raster.grid.from_middle(cell), -cell

    return sorted(row, key=order)


def _middle_of_edge(battlefield: Field, side: str) -> int:
    """The hex in the middle of a side's own edge."""
    grid = battlefield.grid
    return min(grid.edge_row(battlefield.home[side]), key=lambda cell: (grid.from_middle(cell), -cell))


def attach(scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Find the start of each commander: his own position, or deployment by his owner, by default with his unit (AFR-047).

    If the scenario gives the position of his unit, he starts there.
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
            if plan.arrivals.get(unit, 0) > scenario.turns:  # he waits off the table with his unit
                plan.arrivals[name], plan.entries[name] = plan.arrivals[unit], plan.entries[unit]
            if unit in plan.zones:
                source = scenario.units[plan.units[unit].source]
                wide = _zone(plan.field.book, scenario, raster, spec.side, source.zone)
        else:
            at = positions.get(name)
            plan.chiefs[name] = raster.central_cell_at(at) if at is not None else _middle_of_edge(plan.field, spec.side)
            if leader is not None and leader.position is None:
                wide = _zone(plan.field.book, scenario, raster, spec.side, leader.zone)
        open_hexes = [cell for cell in wide if admits(plan.field, spec.side, not spec.mounted, cell)]
        if open_hexes:
            plan.zones[name] = open_hexes
