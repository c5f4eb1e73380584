"""From a neutral scenario to these rules: boxes, terrain, units, leaders (the catalogue's "Scenario mapping")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as data_field
from math import ceil, floor

from zareba.errors import ZarebaError
from zareba.scenario import Scenario, Terrain, Unit, arrival_point, starting_positions
from zareba.space.boxes import BoxGrid, E, N, S, W, is_corner, opposite, turned
from zareba.space.geometry import Point
from zareba.space.terrain import Raster, sides_along
from zareba_rulesets.vcc.battle import UnitSpec
from zareba_rulesets.vcc.book import Ground, VccBook
from zareba_rulesets.vcc.field import Field

__all__ = ["Translation", "translate"]

EDGES = {"north": N, "east": E, "south": S, "west": W}
FACINGS = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")
REGULAR_KINDS = ("european_regular", "native_regular")
NATIVE_KINDS = ("tribal", "own_led_regular")
HALF = 0.5


@dataclass
class Translation:
    """A scenario in boxes. `placed`: unit -> box at the start; `zones`: unit -> boxes for those set out by players.

    `entries`: unit -> edge boxes on arrival (VCC-169). `commanders`: side -> (name, box, unit). `leaders`: every other
    leader -> the unit that he leads. `notes`: what these rules cannot express.
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
    prizes: dict[str, tuple[int, str]]
    notes: list[str] = data_field(default_factory=list)


def translate(book: VccBook, scenario: Scenario) -> Translation:
    """Translate a scenario (VCC-167). Raises ZarebaError if it has more or fewer than two sides."""
    if len(scenario.sides) != 2:
        raise ZarebaError(
            f"{scenario.id} has {len(scenario.sides)} sides; Victorian Colonial Combat is for two (VCC-016)"
        )
    inches = book.settings.box_inches
    grid = BoxGrid(ceil(scenario.table.width / inches), ceil(scenario.table.depth / inches))
    raster = Raster(grid, inches)
    notes: list[str] = []
    by_role = _roles(scenario)
    specs = _specs(book, scenario, notes)
    spots = starting_positions(scenario)
    positions = {unit: at for unit, at in spots.items() if unit in specs}
    homes = _home_edges(scenario, by_role, positions)
    ground, level, roads = _ground(book, scenario, raster)
    obstacles, gates = _obstacles(book, scenario, raster, ground)
    starting = {
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
        starting,
        {side: tuple(unit for unit, spec in specs.items() if spec.side == side) for side in scenario.sides},
    )
    placed = _place(book, battlefield, raster, specs, positions)
    leaders = _leaders(scenario, spots, specs)
    specs = _named(scenario, leaders, specs)
    zones = _zones(scenario, raster, specs)
    _note_unspoken(scenario, specs, notes)
    return Translation(
        field=battlefield,
        specs=specs,
        placed=placed,
        zones=zones,
        facing={unit: _facing(scenario, unit, specs, homes) for unit in specs},
        squares=frozenset(
            u for u, spec in specs.items() if spec.can_square and scenario.units[u].formation == "square"
        ),
        entries=_entries(scenario, raster, specs),
        commanders=_commanders(scenario, spots, placed, specs),
        leaders=leaders,
        places=_places(scenario, raster),
        prizes=_prizes(scenario, raster, placed),
        notes=notes,
    )


# --- sides --------------------------------------------------------------------------------------------------------------


def _roles(scenario: Scenario) -> tuple[str, str]:
    """The British and the Native side (VCC-016): more regular units, else the side listed first; or as overridden."""
    first, second = scenario.sides
    british = scenario.overrides.get("vcc", {}).get("british")
    if british is None:
        regulars = {
            side: sum(unit.kind in REGULAR_KINDS for unit in scenario.units_of(side).values())
            for side in (first, second)
        }
        british = second if regulars[second] > regulars[first] else first
    if british not in scenario.sides:
        raise ZarebaError(f"{scenario.id}: overrides.vcc.british names no side: {british}")
    return (first, second) if british == first else (second, first)


def _home_edges(scenario: Scenario, by_role: tuple[str, str], positions: Mapping[str, Point]) -> dict[str, int]:
    """As the scenario names them, else the edge nearest to the mean position of the side's units."""
    found: dict[str, int] = {}
    width, depth = scenario.table.width, scenario.table.depth
    for side, order in zip(by_role, ((S, W, N, E), (N, E, S, W)), strict=True):
        named = scenario.sides[side].home_edge
        if named is not None:
            found[side] = EDGES[named]
            continue
        own = [positions[unit] for unit in scenario.units_of(side) if unit in positions]
        x = sum(point[0] for point in own) / len(own) if own else width / 2
        y = sum(point[1] for point in own) / len(own) if own else depth / 2
        away = {S: y, W: x, N: depth - y, E: width - x}
        found[side] = min(order, key=lambda edge: (away[edge], order.index(edge)))
        taken = [edge for other, edge in found.items() if other != side]
        if found[side] in taken:
            found[side] = opposite(found[side])
    return found


def _facing(scenario: Scenario, unit: str, specs: Mapping[str, UnitSpec], homes: Mapping[str, int]) -> int:
    named = scenario.units[unit].facing
    facing = FACINGS.index(named) if named else opposite(homes[specs[unit].side])
    crewed = specs[unit].troop in ("artillery", "machine_gun", "rocket")
    return turned(facing, 1) if is_corner(facing) and not crewed else facing


# --- units --------------------------------------------------------------------------------------------------------------


def _specs(book: VccBook, scenario: Scenario, notes: list[str]) -> dict[str, UnitSpec]:
    found: dict[str, UnitSpec] = {}
    for unit_id, unit in scenario.units.items():
        profile_id = _profile(book, unit)
        if profile_id is None:
            notes.append(f"{unit.name}: {unit.arm.replace('_', ' ')} are not in these rules")
            continue
        profile = book.file.profiles[profile_id]
        settings = book.settings
        irregular_foot = profile.troop == "foot" and not profile.regular and unit.kind in NATIVE_KINDS
        dervish = profile.troop == "foot" and "fanatic" in unit.traits
        native_crew = profile.troop in ("artillery", "machine_gun") and unit.kind in NATIVE_KINDS
        found[unit_id] = UnitSpec(
            id=unit_id,
            name=unit.name,
            side=unit.side,
            profile=profile_id,
            troop=profile.troop,
            weapon=_weapon(book, unit, profile.troop),
            fire_die=book.file.native_crew_fire_die.faces if native_crew else profile.fire_die,
            melee_die=profile.melee_die,
            bases=_bases(book, unit, profile.troop, profile.leader, notes),
            leader=profile.leader,
            quality="elite"
            if unit.quality == "veteran" and settings.veteran_as == "elite"
            else book.file.mapping.quality[unit.quality],
            regular=profile.regular,
            regular_on_foot=profile.regular_on_foot and unit.kind in REGULAR_KINDS,
            can_square=profile.square,
            can_dismount=profile.can_dismount,
            lancers=profile.troop == "mounted" and (unit.close_weapon == "lance" or "lancers" in unit.traits),
            dervish_foot=irregular_foot if settings.dervish_foot_applies_to == "all_irregular_foot" else dervish,
        )
    return found


def _profile(book: VccBook, unit: Unit) -> str | None:
    regular = unit.kind in REGULAR_KINDS
    crewed = {"artillery": "field_gun", "machine_gun": "machine_gun", "rocket": "rocket_section"}
    if unit.arm in crewed:
        return crewed[unit.arm]
    if unit.arm in ("wagon", "pack_animals", "civilians"):
        return "wagon_section"
    if unit.mounted and unit.kind == "european_irregular":
        return "mounted_european_irregular"
    if unit.arm == "cavalry":
        return "regular_cavalry" if regular else "irregular_cavalry"
    if unit.arm == "camelry":
        return "camel_corps" if regular else "irregular_camelry"
    if unit.mounted:
        return "camel_corps"
    if unit.arm != "infantry":
        return None
    firearms = book.file.mapping.weapon[unit.weapon] != "none" and unit.share >= HALF
    if unit.kind == "european_regular":
        return "regular_infantry"
    if unit.kind == "native_regular" or (unit.kind == "own_led_regular" and firearms):
        return "native_regular_infantry"
    if unit.kind == "european_irregular":
        return "european_irregular"
    return "irregular_firearms" if firearms else "irregular_shock"


def _weapon(book: VccBook, unit: Unit, troop: str) -> str:
    if troop in ("artillery", "machine_gun", "rocket"):
        return troop
    if unit.share < HALF or troop == "wagon":
        return "none"
    return book.file.mapping.weapon[unit.weapon]


def _bases(book: VccBook, unit: Unit, troop: str, leader: bool, notes: list[str]) -> int:
    """Ordinary bases or gunners: by figures to a base, halves up, the leader base among them (VCC-010, VCC-011)."""
    settings, sizes = book.settings, book.file.unit_size
    if troop == "wagon":
        return 1
    if troop not in ("foot", "mounted"):
        total = unit.figures
    else:
        per_base = settings.figures_per_base_infantry if troop == "foot" else settings.figures_per_base_cavalry
        total = max(2, floor(unit.figures / per_base + HALF))
    if total > sizes.most:
        notes.append(f"{unit.name}: {unit.figures} figures count as the largest unit, {sizes.most} bases (VCC-010)")
    return max(sizes.least, min(sizes.most, total) - leader)


# --- ground ---------------------------------------------------------------------------------------------------------------


def _ground(
    book: VccBook, scenario: Scenario, raster: Raster[BoxGrid]
) -> tuple[list[str], tuple[int, ...], frozenset[int]]:
    """Kind and level of every box, and the boxes with a road: a piece counts where it covers half a box or more."""
    size = raster.grid.size
    kind, covered = ["open"] * size, [0.0] * size
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
                elif share >= HALF and share > covered[box]:
                    kind[box], covered[box] = _water(piece, word), share
            if piece.crest is not None:
                for box, share in raster.coverage(piece.crest).items():
                    if share >= HALF and level[box]:
                        level[box] += (piece.levels or 2) - 1
        elif piece.line is not None:
            crossed = raster.crossed_by(piece.line)
            if word == "road":
                roads |= set(crossed)
            elif word in ("river", "water"):
                for box in _filled(crossed, raster):
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
    mapping = book.file.mapping
    return mapping.area_terrain.get(piece.kind) or mapping.linear_terrain[piece.kind]


def _water(piece: Terrain, word: str) -> str:
    if word != "river":
        return word
    return "closed" if piece.depth == "deep" or (piece.kind == "river" and piece.depth is None) else "ford"


def _filled(crossed: Mapping[int, float], raster: Raster[BoxGrid]) -> set[int]:
    """The boxes that a water crosses for at least half a box, and those that join two of them which only touch."""
    wide = {box for box, inches in crossed.items() if inches >= raster.inches * HALF}
    order, grid = list(crossed), raster.grid
    joints = {
        box
        for before, box, after in zip(order, order[1:], order[2:], strict=False)
        if {before, after} <= wide and after not in grid.neighbours(before, diagonal=False)
    }
    return wide | joints


def _boxes_of(piece: Terrain, raster: Raster[BoxGrid]) -> list[int]:
    if piece.area is not None:
        return list(raster.coverage(piece.area))
    return list(raster.crossed_by(piece.line or ()))


def _obstacles(
    book: VccBook, scenario: Scenario, raster: Raster[BoxGrid], ground: list[str]
) -> tuple[dict[int, Ground], frozenset[int]]:
    """What lies on the sides of boxes: walls, fences, and water where it does not fill boxes; and the gates in them.

    A ford makes deep water on a side passable, a bridge takes it away.
    """
    found: dict[int, Ground] = {}
    gates: set[int] = set()
    obstacles = book.file.obstacles
    for piece in scenario.terrain.values():
        if piece.line is None or piece.kind in ("road", "ford", "bridge"):
            continue
        word = _word(book, piece)
        sides = sides_along(raster, piece.line)
        if word in ("river", "water"):
            word = "deep_water" if _water(piece, "river") == "closed" else "water"
            filled = _filled(raster.crossed_by(piece.line), raster)
            sides = tuple(side for side in sides if not filled.intersection(raster.grid.side_boxes(side)))
        found.update(dict.fromkeys(sides, obstacles[word]))
        for gate in piece.gates.values():
            at = raster.to_grid(gate.at)
            gates.add(min(sides, key=lambda side: _away(raster.grid, side, at)))
    for piece in scenario.terrain.values():
        if piece.kind in ("ford", "bridge"):
            for side in _sides_between(raster.grid, _boxes_of(piece, raster)):
                if found.get(side) in (obstacles["deep_water"], obstacles["water"]):
                    found[side] = obstacles["water"]
                    if piece.kind == "bridge":
                        del found[side]
    return found, frozenset(gates)


def _sides_between(grid: BoxGrid, boxes: list[int]) -> set[int]:
    """The sides that neighbouring boxes of a list share."""
    together = set(boxes)
    return {side for box in boxes for side in grid.sides(box) if together.issuperset(grid.side_boxes(side))}


def _away(grid: BoxGrid, side: int, at: Point) -> float:
    (ax, ay), (bx, by) = grid.side_line(side)
    return float(((ax + bx) / 2 - at[0]) ** 2 + ((ay + by) / 2 - at[1]) ** 2)


# --- positions --------------------------------------------------------------------------------------------------------------


def _place(
    book: VccBook,
    battlefield: Field,
    raster: Raster[BoxGrid],
    specs: Mapping[str, UnitSpec],
    positions: Mapping[str, Point],
) -> dict[str, int]:
    """The box of every unit at the start; from a full box to the nearest one with room, towards its own edge."""
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
            column: str = book.classes[spec.troop].ground,
            others: set[int] = others,
        ) -> bool:
            free = load.get((box, side), 0) + points <= book.settings.stack_points and box not in others
            return free and battlefield.ground[box].going(column) != "no"

        order = sorted(
            range(grid.size), key=lambda box: (_gap(centre(wanted), centre(box)), _ahead(grid, box, home), box)
        )
        box = next((box for box in order if suits(box)), wanted)
        found[unit] = box
        load[box, spec.side] = load.get((box, spec.side), 0) + points
    return found


def _ahead(grid: BoxGrid, box: int, home: int) -> int:
    """How far a box lies from a home edge, in boxes."""
    column, row = grid.column_row(box)
    return {N: grid.rows - 1 - row, E: grid.columns - 1 - column, S: row, W: column}[home]


def _zones(scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec]) -> dict[str, list[int]]:
    """The boxes in which players set out the units to which the scenario gives a zone and no position (VCC-025)."""
    found: dict[str, list[int]] = {}
    for unit_id, spec in specs.items():
        unit = scenario.units[unit_id]
        zones = scenario.sides[spec.side].deployment
        if unit.position is not None or unit.arrival is not None or unit.inside is not None or not zones:
            continue
        polygon = zones[unit.zone or next(iter(zones))]
        found[unit_id] = sorted(box for box, share in raster.coverage(polygon).items() if share >= HALF)
    return found


def _entries(scenario: Scenario, raster: Raster[BoxGrid], specs: Mapping[str, UnitSpec]) -> dict[str, list[int]]:
    """The edge box nearest to the entry point and its two neighbours along the edge (VCC-169)."""
    found: dict[str, list[int]] = {}
    for unit_id in specs:
        arrival = scenario.units[unit_id].arrival
        at = arrival_point(scenario, unit_id)
        if arrival is None or at is None:
            continue
        row = raster.grid.edge_row(arrival.edge)
        nearest = min(range(len(row)), key=lambda i: _gap(raster.to_table(row[i]), at))
        found[unit_id] = [row[i] for i in (nearest, nearest - 1, nearest + 1) if 0 <= i < len(row)]
    return found


def _gap(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _highest(scenario: Scenario, side: str) -> str | None:
    """The leader who becomes a side's Army Commander: the highest who fights (VCC-163)."""
    return next((key for key, leader in scenario.leaders_of(side).items() if not leader.non_combatant), None)


def _commanders(
    scenario: Scenario, spots: Mapping[str, Point], placed: Mapping[str, int], specs: Mapping[str, UnitSpec]
) -> dict[str, tuple[str, int, str]]:
    """The Army Commander of each side, with his own unit or the nearest one."""
    found: dict[str, tuple[str, int, str]] = {}
    for side in scenario.sides:
        highest = _highest(scenario, side)
        own = [unit for unit in placed if specs[unit].side == side]
        if highest is None or not own:
            continue
        unit = scenario.leaders[highest].unit
        if unit is None or unit not in placed:
            unit = _nearest(own, spots.get(highest), spots)
        found[side] = (scenario.leaders[highest].name, placed[unit], unit)
    return found


def _leaders(scenario: Scenario, spots: Mapping[str, Point], specs: Mapping[str, UnitSpec]) -> dict[str, str]:
    """The unit that every other leader leads: his own if it is of the line, else the nearest that is."""
    found: dict[str, str] = {}
    for side in scenario.sides:
        line = [unit for unit, spec in specs.items() if spec.side == side and spec.leader]
        for key, leader in scenario.leaders_of(side).items():
            if key != _highest(scenario, side) and line:
                found[key] = leader.unit if leader.unit in line else _nearest(line, spots.get(key), spots)
    return found


def _nearest(units: list[str], at: Point | None, spots: Mapping[str, Point]) -> str:
    """The unit nearest to a place; the first listed where nothing is known."""
    there = [unit for unit in units if unit in spots]
    return min(there, key=lambda unit: _gap(spots[unit], at)) if at is not None and there else units[0]


def _named(scenario: Scenario, leaders: Mapping[str, str], specs: Mapping[str, UnitSpec]) -> dict[str, UnitSpec]:
    """The units with the names of those who lead them, the highest where there are several."""
    names: dict[str, str] = {}
    for key, unit in leaders.items():
        names.setdefault(unit, scenario.leaders[key].name)
    return {unit: replace(spec, leader_name=names.get(unit, "")) for unit, spec in specs.items()}


def _places(scenario: Scenario, raster: Raster[BoxGrid]) -> dict[str, frozenset[int]]:
    """The boxes of each objective that is a place."""
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
                b
                for b in range(raster.grid.size)
                if _gap(raster.to_table(b), goal.at) <= (reach - HALF * raster.inches) ** 2
            ]
            found[key] = frozenset([raster.cell_at(goal.at), *near])
    return found


def _prizes(scenario: Scenario, raster: Raster[BoxGrid], placed: Mapping[str, int]) -> dict[str, tuple[int, str]]:
    """Where each object of the scenario lies, and the unit that has it."""
    found: dict[str, tuple[int, str]] = {}
    for key, thing in scenario.objects.items():
        if thing.carrier is not None and thing.carrier in placed:
            found[key] = (placed[thing.carrier], thing.carrier)
        elif thing.position is not None:
            found[key] = (raster.cell_at(thing.position), "")
    return found


def _note_unspoken(scenario: Scenario, specs: Mapping[str, UnitSpec], notes: list[str]) -> None:
    """Say what the scenario has and these rules cannot express."""
    hidden = sum(scenario.units[unit].hidden for unit in specs)
    if hidden:
        notes.append(f"hidden deployment: the {hidden} hidden unit(s) stand openly on the table")
    for flag, words in ((scenario.night, "night"), (scenario.fog, "fog")):
        if flag:
            notes.append(f"{words}: no effect on sight or fire")
    if scenario.siege:
        notes.append("siege works: walls are hard cover; ladders, batteries and breaches are not in these rules")
    if scenario.events:
        notes.append(f"{len(scenario.events)} event(s) of weather or light have no effect")
    traits = sorted(
        {t for unit in specs for t in scenario.units[unit].traits} - {"lancers", "fanatic", "formed", "volley"}
    )
    if traits:
        notes.append(f"traits without effect: {', '.join(trait.replace('_', ' ') for trait in traits)}")
    if any(scenario.units[unit].arm == "civilians" for unit in specs):
        notes.append("civilians count as a wagon section: they carry no arms and are captured like wagons")
