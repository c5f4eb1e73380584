"""Translates a neutral scenario into these rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Annotated, Literal

from pydantic import Field as PydanticField

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.base.grammar import in_a_sentence
from zareba.base.yamlfile import Id, YamlModel
from zareba.battle.unit_mapping import evenly, map_unit, unsupported_words_of
from zareba.rules import RefersTo
from zareba.scenario import Leader, Scenario, Terrain, Unit, arrival_point, starting_positions
from zareba.scenario.load import held_back
from zareba.scenario.model import Arrival, Hold
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placement import occupied
from zareba.scenario.vocabulary import OPPOSITE
from zareba.space import Edge, HexGrid, Point, Raster
from zareba.space.geometry import EPSILON
from zareba.space.grid.terrain import HALF
from zareba.space.outlines import EDGES
from zareba_rulesets.afriboria.book import COLOURS, AfrBook
from zareba_rulesets.afriboria.forces.battle import Plan
from zareba_rulesets.afriboria.forces.pieces import OFF, CommanderSpec, FlierSpec, UnitSpec
from zareba_rulesets.afriboria.ground import Field, ground_kinds, hexes_of, structure_specs

# --- The settings of a scenario for these rules alone -----------------------------------------------------------------


_UnitId = Annotated[Id, RefersTo("units")]


class Overrides(YamlModel):
    """`profiles`: unit -> its line of Table 3 (AFR-020). `colours`: unit -> the colour of its orders (AFR-041).

    `event_cards`: play with the event deck (AFR-341), `without` the cards with one of these tags.
    """

    profiles: dict[_UnitId, Annotated[Id, RefersTo("profiles")]] = PydanticField(default_factory=dict)
    colours: dict[_UnitId, Literal["red", "blue", "green"]] = PydanticField(default_factory=dict)
    event_cards: Literal["on", "off"] = "off"
    without: list[Id] = PydanticField(default_factory=list)


# --- The troops of a scenario as units of these rules: kinds, colours, figures, commanders, aircraft ------------------


_ROUND_HALF = 0.5


def translate_forces(
    book: AfrBook, scenario: Scenario, overrides: Overrides
) -> tuple[dict[str, UnitSpec], dict[str, FlierSpec]]:
    """Return the units and fliers of a scenario by id, with their colours dealt in turn (AFR-019, AFR-041)."""
    units: dict[str, UnitSpec] = {}
    fliers: dict[str, FlierSpec] = {}
    dealt = dict.fromkeys(scenario.sides, 0)
    flying = Counter(unit.arm for unit in scenario.units.values())
    # units held back come last, so that no visible unit's colour depends on them
    for name, unit in sorted(scenario.units.items(), key=lambda entry: held_back(scenario, entry[0])):
        if unit.arm in ("aircraft", "airship"):
            colour = overrides.colours.get(name, COLOURS[len(fliers) % 3] if flying[unit.arm] > 1 else "")
            guns, bombs = "machine_gun" in unit.armament, "bombs" in unit.armament
            points = unit.points if unit.points is not None else 1
            fliers[name] = FlierSpec(name, unit.name, unit.side, unit.arm, colour, guns, bombs, points)
            continue
        key = overrides.profiles.get(name) or map_unit(book.file.unit_mapping, scenario, name)["profile"]
        parts = ceil(unit.figures / book.profiles[key].figures)  # one unit for each full or partial maximum size
        for number, figures in enumerate(evenly(unit.figures, parts)):
            colour = overrides.colours.get(name, COLOURS[dealt[unit.side] % 3])
            dealt[unit.side] += 1
            spec = _spec(book, unit, name, key, number, figures, colour)
            units[spec.id] = spec
    order = {name: index for index, name in enumerate(scenario.units)}
    return dict(sorted(units.items(), key=lambda entry: order[entry[1].source])), fliers


def _spec(book: AfrBook, unit: Unit, name: str, key: str, number: int, figures: int, colour: str) -> UnitSpec:
    """Return part `number` of a unit of the scenario, with its figures, as a unit of kind `key`."""
    profile = book.profiles[key]
    is_crew = profile.arm in ("artillery", "machine_gun", "vehicle")
    missile = is_crew or book.file.mapping.missiles[unit.weapon]
    firearms = figures if is_crew or unit.share == 1 else max(1, int(unit.share * figures + _ROUND_HALF))
    points = 1
    if profile.arm == "pack":  # a pack train scores what the scenario says, once for all its parts
        points = (unit.points or 0) if number == 0 else 0
    return UnitSpec(
        id=name if number == 0 else f"{name}_{number + 1}",
        name=unit.name if number == 0 else f"{unit.name} {number + 1}",
        side=unit.side,
        key=key,
        profile=profile,
        colour=colour,
        figures=figures,
        firearms=firearms,
        missile=missile,
        foot=book.profiles[profile.on_foot] if profile.on_foot else None,
        lancers=key == "cav_a" and unit.close_weapon == "lance",
        points=points,
        source=name,
    )


def translate_commanders(book: AfrBook, scenario: Scenario, units: Mapping[str, UnitSpec]) -> dict[str, CommanderSpec]:
    """Return the commanders of a scenario by id; a side with units and no leader gets an NCO (AFR-039)."""
    found: dict[str, CommanderSpec] = {}
    for name, leader in scenario.leaders.items():
        rank = book.file.mapping.ranks[leader.rank]
        civilian = leader.non_combatant
        points = leader.points if civilian and leader.points is not None else 1
        found[name] = CommanderSpec(
            name, leader.name, leader.side, rank == "officer", leader.mounted, civilian, not civilian, points
        )
    for side in scenario.sides:
        led = any(spec.side == side for spec in found.values())
        if not led and any(spec.side == side for spec in units.values()):
            name = f"the senior NCO of {in_a_sentence(scenario.sides[side].name)}"
            found[f"{side}_nco"] = CommanderSpec(f"{side}_nco", name, side, officer=False)
    return found


# --- Starting hexes, deployment zones, edges of arrival, and commanders with their units (AFR-047, AFR-096) -----------


def place_units(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Find the hex of every unit: the wanted one, else the nearest with room, towards its own edge (AFR-047)."""
    positions = starting_positions(scenario)
    for name, spec in plan.units.items():
        unit = scenario.units[spec.source]
        if unit.arrival is not None:
            plan.arrivals[name] = unit.arrival.turn
            plan.entries[name] = _entries(scenario, raster, unit.arrival)
            continue
        inside_hexes = () if unit.inside is None else hexes_of(book, scenario.terrain[unit.inside], raster)
        plan.placed[name] = _nearest_room(book, plan, spec, raster, positions[spec.source], inside_hexes)
        if unit.position is None and unit.inside is None:
            zone_hexes = _zone(book, scenario, raster, spec.side, unit.zone)
            plan.zones[name] = [
                cell for cell in zone_hexes if can_hold_at_start(plan.field, spec.side, spec.profile.walks, cell)
            ]
    for name, flier in plan.fliers.items():
        plan.placed[name] = raster.central_cell_at(positions.get(name) or (0.0, 0.0))
        if name not in positions:
            plan.placed[name] = _middle_of_edge(plan.field, flier.side)
    for side in scenario.sides:  # without an airfield, aircraft use their starting hexes
        if side not in plan.field.bases and side not in plan.field.trucks:
            own = (name for name, flier in plan.fliers.items() if flier.side == side and flier.kind == "aircraft")
            plan.field.bases[side] = tuple(plan.placed[name] for name in own)


def keep_starting_holders(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
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
    """Put a unit into the nearest of some hexes. Return False, and change nothing, if none of them has room for it."""
    cell = _nearest_room(book, plan, plan.units[name], raster, raster.to_table(plan.placed[name]), within)
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


def can_hold_at_start(battlefield: Field, side: str, walks: bool, cell: int) -> bool:
    """Return True if the ground of a hex can hold a unit or commander of a side at the start."""
    ground = battlefield.ground[cell]
    structure = battlefield.structures.get(cell)
    if ground.closed or (structure is not None and structure.side != side):
        return False
    return walks or not ground.infantry_only


def _nearest_room(
    book: AfrBook, plan: Plan, spec: UnitSpec, raster: Raster[HexGrid], at: Point, within: Collection[int] = ()
) -> int:
    """Return the nearest hex to a point of the table that has room and no enemy; one of the hexes `within`, if any
    has.
    """
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
            and can_hold_at_start(battlefield, spec.side, spec.profile.walks, cell)
        )

    home = battlefield.home_edges[spec.side]

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
    """Return the hex in the middle of a side's own edge."""
    grid = battlefield.grid
    return min(grid.edge_row(battlefield.home_edges[side]), key=lambda cell: (grid.from_middle(cell), -cell))


def place_commanders(scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Find the start of each commander: his own position, or deployment by his owner, by default with his unit
    (AFR-047).

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
        open_hexes = [cell for cell in wide if can_hold_at_start(plan.field, spec.side, not spec.mounted, cell)]
        if open_hexes:
            plan.zones[name] = open_hexes


# --- Translates a neutral scenario into these rules -------------------------------------------------------------------


_LEAST_HEXES = 6  # columns and rows of the smallest board


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
    units, fliers = translate_forces(book, scenario, overrides)
    plan = Plan(battlefield, units, translate_commanders(book, scenario, units), fliers)
    place_units(book, scenario, raster, plan)
    holds = {key: goal for key, goal in scenario.objectives.items() if isinstance(goal, Hold)}
    plan.places = {key: _held_hexes(book, scenario, raster, goal) for key, goal in holds.items()}
    keep_starting_holders(book, scenario, raster, plan)
    place_commanders(scenario, raster, plan)
    _fill_in_objectives(scenario, raster, plan)
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
    """Return the hexes of a table: an odd number of rows, every second one a hex shorter.

    So the board is its own mirror image, and a mirrored scenario has a mirrored board (AFR-004).
    """
    inches, table = hex_inches(book), scenario.table
    columns = max(_LEAST_HEXES, round(table.width / inches))
    rows = max(_LEAST_HEXES, 2 * round((table.depth / (inches * 0.866) - 1) / 2)) | 1
    return Raster.centred(HexGrid(columns, rows, short_rows=True), inches, table.width, table.depth)


def hex_inches(book: AfrBook) -> float:
    """Return the distance between adjacent hexes, in inches of the scenario's table (AFR-004)."""
    sizes = book.file.mapping.hex_inches
    return float(sizes.cm_15 if book.settings.hex_cm == 15 else sizes.cm_10)


def _homes(scenario: Scenario) -> dict[str, Edge]:
    """Return the own edge of each side: as given, else opposite the enemy's, else south for the first side
    (AFR-005).
    """
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


def _fill_in_objectives(scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Fill in the plan's hexes of places to be reached, units to be destroyed, exits, and things to carry."""
    for key, goal in scenario.objectives.items():
        if goal.kind == "escort" and goal.at is not None and not goal.edge:
            cell = raster.central_cell_at(goal.at)
            plan.areas[key] = frozenset((cell, *raster.grid.neighbours(cell)))
        elif goal.kind == "destroy":
            for side in goal.by or scenario.sides:
                units = goal.units or tuple(u for u, entry in scenario.units.items() if entry.side != side)
                if units and scenario.units[units[0]].side != side:  # no units if every enemy is hidden
                    plan.hunted.append((key, side, units))
    plan.field.goals = plan.places
    plan.field.names = {key: thing.name for key, thing in scenario.objects.items()}
    plan.exits = {side: scenario.exits_for(side) for side in scenario.sides}
    plan.edges = {edge: frozenset(raster.grid.edge_row(edge)) for edge in EDGES}
    for key, thing in scenario.objects.items():
        if thing.carrier in plan.units:
            plan.carried_objects[key] = (plan.placed.get(thing.carrier, OFF), thing.carrier)
        elif thing.position is not None and thing.kind not in ("airfield", "fuel_truck"):
            plan.carried_objects[key] = (raster.central_cell_at(thing.position), "")


def _held_hexes(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], goal: Hold) -> tuple[int, ...]:
    """Return the hexes of a place: those whose middles lie within its radius, or those of its terrain; else those of
    its middle.
    """
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
    """Return the middle of an area, or of the middle part of a line."""
    if piece.area is not None:
        xs, ys = [x for x, _ in piece.area], [y for _, y in piece.area]
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    line = piece.line or ((0.0, 0.0), (0.0, 0.0))
    a, b = list(pairwise(line))[(len(line) - 1) // 2]
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _quotas(book: AfrBook, scenario: Scenario, plan: Plan) -> dict[str, int | None]:
    """Return the points that win (AFR-052): the scenario's; without one, by setting none, half of the enemy, or a
    number.

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
    """Return half of the enemy's units and commanders that score points, rounded up; at least 1."""
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
