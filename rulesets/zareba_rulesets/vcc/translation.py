"""Translates a neutral scenario into these rules: boxes, terrain, units, leaders (VCC-167)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as data_field
from math import ceil, floor
from typing import Annotated

from pydantic import Field as PydanticField

from zareba.base.exact import dist, total
from zareba.base.grammar import amount
from zareba.base.yamlfile import Id, YamlModel
from zareba.battle.unit_mapping import map_unit, unsupported_words_of
from zareba.renamed import RenamedAttribute, accept_old_arguments
from zareba.rules import RefersTo
from zareba.scenario import Scenario, Terrain, Unit, arrival_point, starting_positions
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placement import zone_of
from zareba.scenario.unsupported import left_out
from zareba.space.geometry import Point
from zareba.space.grid.boxes import BoxGrid, E, N, S, W, is_corner, opposite, turn_direction
from zareba.space.grid.terrain import HALF, Raster, distance_to_side, sides_along
from zareba.space.outlines import WINDS
from zareba_rulesets.vcc.book import CREWED, Obstacle, Profile, VccBook
from zareba_rulesets.vcc.forces import OFF_TABLE, UnitSpec
from zareba_rulesets.vcc.ground import Field

# --- The settings of a scenario for these rules alone -----------------------------------------------------------------


class Overrides(YamlModel):
    """`british`: the side that moves and fires as the British (VCC-016). `profiles`: unit -> its profile (VCC-167)."""

    british: Annotated[Id, RefersTo("sides")] | None = None
    profiles: dict[Annotated[Id, RefersTo("units")], Annotated[Id, RefersTo("profiles")]] = PydanticField(
        default_factory=dict
    )


# --- The roles, home edges and facings of the two sides (VCC-016) -----------------------------------------------------


EDGES = {"north": N, "east": E, "south": S, "west": W}
REGULAR_KINDS = ("european_regular", "native_regular")
NATIVE_KINDS = ("tribal", "own_led_regular")


def roles_of(scenario: Scenario, british: str | None) -> tuple[tuple[str, str], bool]:
    """Return the British and the Native side (VCC-016): `british` if given, else the side with more regular units.

    If both have as many, the side listed first is British, and the second value is True: dice may decide otherwise.
    """
    first_side, second_side = scenario.sides
    are_equal = False
    if british is None:
        regulars = {
            side: sum(unit.kind in REGULAR_KINDS for unit in scenario.units_of(side).values())
            for side in (first_side, second_side)
        }
        are_equal = regulars[first_side] == regulars[second_side]
        british = second_side if regulars[second_side] > regulars[first_side] else first_side
    return ((first_side, second_side) if british == first_side else (second_side, first_side)), are_equal


def home_edges(scenario: Scenario, by_role: tuple[str, str], positions: Mapping[str, Point]) -> dict[str, int]:
    """Return the home edges: as the scenario names them, else the edge nearest to the mean position of the side's
    units.

    If that edge is taken, the opposite one is used.
    """
    edges = {side: EDGES[entry.home_edge] for side, entry in scenario.sides.items() if entry.home_edge is not None}
    width, depth = scenario.table.width, scenario.table.depth
    for side, order in zip(by_role, ((S, W, N, E), (N, E, S, W)), strict=True):
        if side in edges:
            continue
        own_positions = [positions[unit] for unit in scenario.units_of(side) if unit in positions]
        x = total(point[0] for point in own_positions) / len(own_positions) if own_positions else width / 2
        y = total(point[1] for point in own_positions) / len(own_positions) if own_positions else depth / 2
        edge_distances = {S: y, W: x, N: depth - y, E: width - x}
        nearest = min(order, key=lambda edge: (edge_distances[edge], order.index(edge)))
        edges[side] = opposite(nearest) if nearest in edges.values() else nearest
    return edges


def facing_of(scenario: Scenario, unit: str, specs: Mapping[str, UnitSpec], homes: Mapping[str, int]) -> int:
    """Return the facing of a unit at the start: as the scenario says, else away from its home edge (VCC-026)."""
    given_facing = scenario.units[unit].facing
    facing = WINDS.index(given_facing) if given_facing else opposite(homes[specs[unit].side])
    return turn_direction(facing, 1) if is_corner(facing) and specs[unit].troop not in CREWED else facing


# --- Units as profiles of these rules, with their leaders and commanders (VCC-009 to VCC-026) -------------------------


def unit_specs(book: VccBook, scenario: Scenario, overrides: Overrides, notes: list[str]) -> dict[str, UnitSpec]:
    """Return the units of a scenario that these rules can show. A unit without a profile is left out, with a note."""
    specs: dict[str, UnitSpec] = {}
    for unit_id, unit in scenario.units.items():
        profile_id = _profile(book, scenario, overrides, unit_id)
        if profile_id == "none":
            notes.append(left_out(unit))
            continue
        profile = book.file.profiles[profile_id]
        settings = book.settings
        regular_on_foot = profile.regular_on_foot and unit.kind in REGULAR_KINDS
        native_crew = profile.troop in ("artillery", "machine_gun") and unit.kind in NATIVE_KINDS
        specs[unit_id] = UnitSpec(
            id=unit_id,
            name=unit.name,
            side=unit.side,
            profile=profile_id,
            troop=profile.troop,
            weapon=_weapon(book, unit, profile.troop),
            fire_die=book.file.native_crew_fire_die.faces if native_crew else profile.fire_die,
            melee_die=profile.melee_die,
            bases=_bases(book, unit, profile, notes),
            leader=profile.leader,
            quality="elite"
            if unit.quality == "veteran" and settings.veteran_as == "elite"
            else book.file.mapping.quality[unit.quality],
            regular=profile.regular,
            regular_on_foot=regular_on_foot,
            can_square=profile.square,
            can_dismount=profile.can_dismount,
            lancers=profile.troop == "mounted" and unit.close_weapon == "lance",
            dervish_foot=_dervish_foot(book, unit, profile, regular=profile.regular or regular_on_foot),
        )
    return specs


def _profile(book: VccBook, scenario: Scenario, overrides: Overrides, unit_id: str) -> str:
    """Return the profile of a unit: from the scenario's overrides, else from the unit mapping (VCC-167)."""
    if unit_id in overrides.profiles:
        return overrides.profiles[unit_id]
    unit = scenario.units[unit_id]
    shoots = book.file.mapping.weapon[unit.weapon] != "none" and unit.share >= book.file.armed_share.least
    return str(map_unit(book.file.unit_mapping, scenario, unit_id, shoots=shoots)["profile"])


def _dervish_foot(book: VccBook, unit: Unit, profile: Profile, *, regular: bool) -> bool:
    """Return True if a unit is Dervish foot when on foot: as tagged, or every irregular unit, Europeans included
    (VCC-022).
    """
    if profile.troop != "foot" and not profile.can_dismount:
        return False
    return not regular if book.settings.dervish_foot_applies_to == "all_irregular_foot" else "fanatic" in unit.traits


def _weapon(book: VccBook, unit: Unit, troop: str) -> str:
    """Return the line of the range chart for a unit, or "none" if too few of its men are armed."""
    if troop in CREWED:
        return troop
    if unit.share < book.file.armed_share.least or troop == "wagon":
        return "none"
    return book.file.mapping.weapon[unit.weapon]


def _bases(book: VccBook, unit: Unit, profile: Profile, notes: list[str]) -> int:
    """Return the ordinary bases or gunners: figures by base, halves rounded up, less the leader base (VCC-010,
    VCC-011).
    """
    settings, sizes, troop = book.settings, book.file.unit_size, profile.troop
    if profile.bases is not None:
        return profile.bases  # VCC-164
    if troop not in ("foot", "mounted"):
        total = unit.figures
    else:
        per_base = settings.figures_per_base_infantry if troop == "foot" else settings.figures_per_base_cavalry
        total = floor(unit.figures / per_base + 0.5)
    if total > sizes.most:
        notes.append(
            f"{unit.name}: {amount(unit.figures, 'figure')} reduced to the largest unit size, {amount(sizes.most, 'base')} (VCC-010)"
        )
    return max(sizes.least, min(sizes.most, total) - profile.leader)


def _senior_leader(scenario: Scenario, side: str) -> str | None:
    """Return the leader who becomes a side's Army Commander: the highest in rank who fights (VCC-163)."""
    return next((key for key, leader in scenario.leaders_of(side).items() if not leader.non_combatant), None)


def army_commanders(
    scenario: Scenario, spots: Mapping[str, Point], placed: Mapping[str, int], specs: Mapping[str, UnitSpec]
) -> dict[str, tuple[str, int, str]]:
    """Return the Army Commander of each side, with his own unit or the nearest one; off the table while that unit lies
    hidden.
    """
    commanders: dict[str, tuple[str, int, str]] = {}
    for side in scenario.sides:
        highest = _senior_leader(scenario, side)
        own_units = [unit for unit in placed if specs[unit].side == side]
        if highest is None or not own_units:
            continue
        unit = scenario.leaders[highest].unit
        if unit is not None and unit in specs and unit not in placed and scenario.units[unit].hidden:
            commanders[side] = (scenario.leaders[highest].name, OFF_TABLE, unit)  # hidden with his unit
            continue
        if unit is None or unit not in placed:
            unit = _nearest_unit(own_units, spots.get(highest), spots)
        commanders[side] = (scenario.leaders[highest].name, placed[unit], unit)
    return commanders


def unit_leaders(scenario: Scenario, spots: Mapping[str, Point], specs: Mapping[str, UnitSpec]) -> dict[str, str]:
    """Return the unit of every other leader: his own if it has a leader base, else the nearest that has one."""
    leaders: dict[str, str] = {}
    for side in scenario.sides:
        line = [unit for unit, spec in specs.items() if spec.side == side and spec.leader]
        for key, leader in scenario.leaders_of(side).items():
            if key != _senior_leader(scenario, side) and line:
                leaders[key] = leader.unit if leader.unit in line else _nearest_unit(line, spots.get(key), spots)
    return leaders


def _nearest_unit(units: list[str], at: Point | None, spots: Mapping[str, Point]) -> str:
    """Return the unit nearest to a place; the first listed if no positions are known."""
    placed = [unit for unit in units if unit in spots]
    return min(placed, key=lambda unit: dist(spots[unit], at)) if at is not None and placed else units[0]


def with_leader_names(
    scenario: Scenario, leaders: Mapping[str, str], specs: Mapping[str, UnitSpec]
) -> dict[str, UnitSpec]:
    """Return the units with the names of their leaders; the highest in rank where there are several."""
    names: dict[str, str] = {}
    for key, unit in leaders.items():
        names.setdefault(unit, scenario.leaders[key].name)
    return {unit: replace(spec, leader_name=names.get(unit, "")) for unit, spec in specs.items()}


# --- Terrain in boxes: the kind of each box, and the obstacles between boxes (VCC-167) --------------------------------


def ground_of_boxes(
    book: VccBook, scenario: Scenario, raster: Raster[BoxGrid]
) -> tuple[list[str], tuple[int, ...], frozenset[int]]:
    """Return kind and level of every box, and the boxes with a road. A piece counts where it covers at least half a
    box.
    """
    size = raster.grid.size
    kind, coverage = ["open"] * size, [0.0] * size
    level = [0] * size
    roads: set[int] = set()
    for piece in scenario.terrain.values():
        word = _word(book, piece)
        if piece.area is not None:
            for box, share in raster.coverage(piece.area).items():
                if word == "road":
                    roads.add(box)
                elif share >= HALF and word == "hill":
                    level[box] += 1 if piece.crest else (piece.levels or 1)
                elif share >= HALF and share > coverage[box]:
                    kind[box], coverage[box] = _water(piece, word), share
            if piece.crest is not None:
                for box, share in raster.coverage(piece.crest).items():
                    if share >= HALF and level[box]:
                        level[box] += (piece.levels or 2) - 1
        elif piece.line is not None:
            crossed = raster.crossed_by(piece.line)
            if word == "road":
                roads |= set(crossed)
            elif word in ("river", "water"):
                for box in _filled_boxes(crossed, raster):
                    kind[box] = _water(piece, "river")
    for piece in scenario.terrain.values():
        if piece.kind in ("ford", "bridge"):
            for box in _boxes_of(piece, raster):
                if kind[box] in ("closed", "ford"):
                    kind[box] = "ford" if piece.kind == "ford" else "open"
                if piece.kind == "bridge":
                    roads.add(box)
    return kind, tuple(level), frozenset(roads)


def _word(book: VccBook, piece: Terrain) -> str:
    """Return the word of these rules for a piece of terrain, from the mapping of the ruleset."""
    mapping = book.file.mapping
    return mapping.area_terrain.get(piece.kind) or mapping.linear_terrain[piece.kind]


def _water(piece: Terrain, word: str) -> str:
    """Return the terrain of a box of water by its depth: closed or a ford; other words unchanged."""
    if word != "river":
        return word
    return "closed" if piece.depth == "deep" or (piece.kind == "river" and piece.depth is None) else "ford"


def _filled_boxes(crossed: Mapping[int, float], raster: Raster[BoxGrid]) -> set[int]:
    """Return the boxes that a water crosses for at least half a box, and boxes that join two of these diagonally."""
    crossed_boxes = {box for box, inches in crossed.items() if inches >= raster.inches * 0.5}
    order, grid = list(crossed), raster.grid
    joints = {
        box
        for previous, box, following in zip(order, order[1:], order[2:], strict=False)
        if {previous, following} <= crossed_boxes and following not in grid.neighbours(previous, diagonal=False)
    }
    return crossed_boxes | joints


def _boxes_of(piece: Terrain, raster: Raster[BoxGrid]) -> list[int]:
    """Return the boxes that a piece of terrain touches."""
    if piece.area is not None:
        return list(raster.coverage(piece.area))
    return list(raster.crossed_by(piece.line or ()))


def obstacles_between(
    book: VccBook, scenario: Scenario, raster: Raster[BoxGrid]
) -> tuple[dict[int, Obstacle], frozenset[int]]:
    """Return the obstacles on the sides of boxes, and the gates in them: walls, fences, and water that does not fill
    boxes.

    A ford makes deep water on a side passable; a bridge removes it.
    """
    by_side: dict[int, Obstacle] = {}
    gates: set[int] = set()
    obstacles = book.file.obstacles
    for piece in scenario.terrain.values():
        if piece.line is None or piece.kind in ("road", "ford", "bridge"):
            continue
        word = _word(book, piece)
        sides = sides_along(raster, piece.line)
        if word in ("river", "water"):
            word = "deep_water" if _water(piece, "river") == "closed" else "water"
            filled_boxes = _filled_boxes(raster.crossed_by(piece.line), raster)
            sides = tuple(side for side in sides if not filled_boxes.intersection(raster.grid.side_boxes(side)))
        by_side.update(dict.fromkeys(sides, obstacles[word]))
        for gate in piece.gates.values():
            at = raster.to_grid(gate.at)
            gates.add(min(sides, key=lambda side: distance_to_side(raster.grid, side, at)))
    for piece in scenario.terrain.values():
        if piece.kind in ("ford", "bridge"):
            for side in _sides_between(raster.grid, _boxes_of(piece, raster)):
                if by_side.get(side) in (obstacles["deep_water"], obstacles["water"]):
                    by_side[side] = obstacles["water"]
                    if piece.kind == "bridge":
                        del by_side[side]
    return by_side, frozenset(gates)


def _sides_between(grid: BoxGrid, boxes: list[int]) -> set[int]:
    """Return the sides that neighbouring boxes of a list share."""
    box_set = set(boxes)
    return {side for box in boxes for side in grid.sides(box) if box_set.issuperset(grid.side_boxes(side))}


# --- Starting boxes, deployment zones, entry boxes and objectives (VCC-167 to VCC-169) --------------------------------


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


def carried_object_boxes(
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


# --- Translates a neutral scenario into these rules: boxes, terrain, units, leaders (VCC-167) -------------------------


@accept_old_arguments
@dataclass
class Plan:
    """A scenario in boxes. `placed`: unit -> box at the start; `zones`: unit -> boxes for units that players deploy.

    `entries`: unit -> edge boxes on arrival (VCC-169). `commanders`: side -> (name, box, unit). `leaders`: every other
    leader -> the unit that he leads. `notes`: features of the scenario that these rules cannot express.
    """

    field: Field
    specs: dict[str, UnitSpec]
    placed: dict[str, int]
    zones: dict[str, list[int]]
    facing: dict[str, int]
    squares: frozenset[str]
    entries: dict[str, list[int]]
    commanders: dict[str, tuple[str, int, str]]
    leaders: dict[str, str]
    places: dict[str, frozenset[int]]
    carried_objects: dict[str, tuple[int, str]]
    notes: list[str] = data_field(default_factory=list)
    prizes = RenamedAttribute("plan", "carried_objects")


def translate(book: VccBook, scenario: Scenario) -> Plan:
    """Translate a scenario (VCC-167)."""
    inches = book.settings.box_inches
    grid = BoxGrid(ceil(scenario.table.width / inches), ceil(scenario.table.depth / inches))
    raster = Raster(grid, inches)
    notes: list[str] = []
    overrides = overrides_of(scenario, "vcc", Overrides, book.file)
    by_role, are_equal = roles_of(scenario, overrides.british)
    specs = unit_specs(book, scenario, overrides, notes)
    spots = starting_positions(scenario)
    positions = {unit: at for unit, at in spots.items() if unit in specs}
    homes = home_edges(scenario, by_role, positions)
    ground, level, roads = ground_of_boxes(book, scenario, raster)
    obstacles, gates = obstacles_between(book, scenario, raster)
    starting_bases = {
        side: sum(spec.bases + spec.leader for spec in specs.values() if spec.side == side) for side in scenario.sides
    }
    battlefield = Field(
        book,
        grid,
        tuple(book.file.terrain[kind] for kind in ground),
        level,
        roads,
        obstacles,
        gates,
        by_role,
        homes,
        starting_bases,
        {side: tuple(unit for unit, spec in specs.items() if spec.side == side) for side in scenario.sides},
        roles_are_rolled=are_equal and book.settings.equal_sides == "dice",
        names={key: entry.name for named in (scenario.sides, scenario.objects) for key, entry in named.items()},
    )
    starts = starting_boxes(book, battlefield, raster, specs, positions)
    leaders = unit_leaders(scenario, spots, specs)
    specs = with_leader_names(scenario, leaders, specs)
    zones = deployment_zones(scenario, raster, specs)
    notes += unsupported_words_of(book.file, scenario, specs)
    notes += [
        f"{scenario_object.name}: not on the table, because these rules leave out its carrier"
        for scenario_object in scenario.objects.values()
        if scenario_object.carrier is not None and scenario_object.carrier not in specs
    ]
    return Plan(
        field=battlefield,
        specs=specs,
        placed=starts,
        zones=zones,
        facing={unit: facing_of(scenario, unit, specs, homes) for unit in specs},
        squares=frozenset(
            u for u, spec in specs.items() if spec.can_square and scenario.units[u].formation == "square"
        ),
        entries=entry_boxes(scenario, raster, specs),
        commanders=army_commanders(scenario, spots, starts, specs),
        leaders=leaders,
        places=objective_boxes(scenario, raster),
        carried_objects=carried_object_boxes(scenario, raster, specs, starts),
        notes=notes,
    )
