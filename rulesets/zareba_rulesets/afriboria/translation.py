"""From a neutral scenario to these rules ("Scenario mapping" of the catalogue)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as made
from itertools import pairwise
from math import ceil, dist

from zareba.errors import ZarebaError, unknown_name
from zareba.scenario import Leader, Scenario, Terrain, Unit, arrival_point, starting_positions
from zareba.scenario.vocabulary import OPPOSITE
from zareba.space import Edge, HexGrid, Point, Raster
from zareba_rulesets.afriboria.battle import CommanderSpec, FlierSpec, UnitSpec
from zareba_rulesets.afriboria.book import COLOURS, AfrBook
from zareba_rulesets.afriboria.field import Field
from zareba_rulesets.afriboria.ground import ground_kinds, structure_specs

__all__ = ["EDGES", "Exit", "Plan", "translate"]

HALF = 0.5
LEAST_HEXES = 6
EDGES: tuple[Edge, ...] = ("north", "east", "south", "west")

Exit = tuple[str, tuple[str, ...], str]
"""An edge over which units may leave: by these units of the scenario, or with this object."""


@dataclass
class Plan:
    """What a scenario means under these rules.

    `placed` and `chiefs` are hexes at the start, `zones` the hexes in which a unit's owner sets it out, `entries` where it
    arrives; `attached` the unit with which a commander starts; `places` the hex of each objective that is held, `areas` the
    hexes of those to be reached; `notes` what these rules cannot express.
    """

    field: Field
    units: dict[str, UnitSpec]
    commanders: dict[str, CommanderSpec]
    fliers: dict[str, FlierSpec]
    placed: dict[str, int] = made(default_factory=dict)
    chiefs: dict[str, int] = made(default_factory=dict)
    zones: dict[str, list[int]] = made(default_factory=dict)
    entries: dict[str, list[int]] = made(default_factory=dict)
    arrivals: dict[str, int] = made(default_factory=dict)
    attached: dict[str, str] = made(default_factory=dict)
    places: dict[str, int] = made(default_factory=dict)
    areas: dict[str, frozenset[int]] = made(default_factory=dict)
    prizes: dict[str, tuple[int, str]] = made(default_factory=dict)
    exits: tuple[Exit, ...] = ()
    edges: dict[str, frozenset[int]] = made(default_factory=dict)
    ladders: frozenset[str] = frozenset()
    strengths: dict[str, int] = made(default_factory=dict)
    quotas: dict[str, int] = made(default_factory=dict)
    first: str = ""
    turn_limit: int = 0
    events: bool = False
    without: frozenset[str] = frozenset()
    notes: list[str] = made(default_factory=list)


def translate(book: AfrBook, scenario: Scenario) -> Plan:
    """The plan of a scenario: hexes of 6 inches, or 4 with 10 cm hexes; units of at most the listed size (AFR-049)."""
    if len(scenario.sides) != 2:
        raise ZarebaError(f"Afriboria is a game of two sides (AFR-018), but '{scenario.id}' has {len(scenario.sides)}")
    raster = _raster(book, scenario)
    home = _homes(scenario)
    own = scenario.overrides.get("afriboria", {})
    kinds, hilltops = ground_kinds(book, scenario, raster)
    defender = next(
        (side for side, entry in scenario.sides.items() if entry.role == "defender"), next(iter(scenario.sides))
    )
    structures = structure_specs(book, scenario, raster, defender) if scenario.siege else {}
    battlefield = Field(book, raster.grid, kinds, home, hilltops, structures, *_bases(scenario, raster))
    units, fliers = _forces(book, scenario, own)
    plan = Plan(battlefield, units, _commanders(book, scenario, units), fliers)
    _place(book, scenario, raster, plan)
    _attach(scenario, raster, plan)
    _objectives(scenario, raster, plan)
    plan.ladders = frozenset(name for name, spec in units.items() if "ladders" in scenario.units[spec.source].traits)
    plan.strengths = {name: scenario.units[name].strength or book.file.air["airship"].strength for name in fliers}
    plan.quotas = _quotas(book, scenario, plan)
    plan.first = scenario.first if scenario.first in scenario.sides else ""
    plan.turn_limit = 2 * scenario.turns
    plan.events = own.get("event_cards") == "on" or book.settings.event_cards == "on"
    without = own.get("without", [])
    plan.without = frozenset(str(tag) for tag in without) if isinstance(without, list) else frozenset()
    _note_unspoken(scenario, plan)
    return plan


def _raster(book: AfrBook, scenario: Scenario) -> Raster[HexGrid]:
    sizes = book.file.mapping.hex_inches
    inches = sizes.cm_15 if book.settings.hex_cm == 15 else sizes.cm_10
    table = scenario.table
    columns = max(LEAST_HEXES, round(table.width / inches))
    rows = max(LEAST_HEXES, round(table.depth / (inches * 0.866)))
    return Raster.centred(HexGrid(columns, rows), float(inches), table.width, table.depth)


def _homes(scenario: Scenario) -> dict[str, Edge]:
    """The own edge of each side: as given, else opposite the enemy's, else the one nearest to its troops (AFR-005)."""
    given = {side: entry.home_edge for side, entry in scenario.sides.items()}
    first, second = given
    if given[first] is None and given[second] is None:
        return {first: "south", second: "north"}
    return {
        side: edge or OPPOSITE[given[second if side == first else first] or "north"] for side, edge in given.items()
    }


# --- forces ---------------------------------------------------------------------------------------------------------------------


def _forces(
    book: AfrBook, scenario: Scenario, own: Mapping[str, object]
) -> tuple[dict[str, UnitSpec], dict[str, FlierSpec]]:
    units: dict[str, UnitSpec] = {}
    fliers: dict[str, FlierSpec] = {}
    profiles, colours = own.get("profiles", {}), own.get("colours", {})
    assert isinstance(profiles, Mapping) and isinstance(colours, Mapping), "overrides of Afriboria are mappings"
    dealt = dict.fromkeys(scenario.sides, 0)
    planes = sum(unit.arm in ("aircraft", "airship") for unit in scenario.units.values())
    for name, unit in scenario.units.items():
        if unit.arm in ("aircraft", "airship"):
            colour = str(colours.get(name, COLOURS[len(fliers) % 3] if planes > 1 else ""))
            guns, bombs = "machine_gun" in unit.armament, "bombs" in unit.armament
            points = unit.points if unit.points is not None else 1
            fliers[name] = FlierSpec(name, unit.name, unit.side, unit.arm, colour, guns, bombs, points)
            continue
        key = str(profiles.get(name, _profile(book, unit)))
        if key not in book.profiles:
            raise unknown_name("unit of Afriboria called", key, book.profiles)
        for number, figures in enumerate(_parts(unit.figures, book.profiles[key].figures)):
            colour = str(colours.get(name, COLOURS[dealt[unit.side] % 3]))
            dealt[unit.side] += 1
            spec = _spec(book, unit, name, key, number, figures, colour)
            units[spec.id] = spec
    return units, fliers


def _parts(figures: int, most: int) -> list[int]:
    """One unit for every started maximum, figures spread evenly."""
    number = ceil(figures / most)
    return [figures // number + (part < figures % number) for part in range(number)]


def _spec(book: AfrBook, unit: Unit, name: str, key: str, number: int, figures: int, colour: str) -> UnitSpec:
    profile = book.profiles[key]
    crewed = profile.arm in ("artillery", "machine_gun", "vehicle")
    missile = crewed or book.file.mapping.missiles[unit.weapon]
    firearms = figures if crewed or unit.share == 1 else max(1, int(unit.share * figures + HALF))
    listed = 0 if profile.arm == "pack" else 1
    points = (unit.points or 0 if number == 0 else 0) if profile.arm == "pack" else listed
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


def _profile(book: AfrBook, unit: Unit) -> str:
    mapping = book.file.mapping
    if unit.arm == "artillery":
        assert unit.gun is not None, "a scenario's artillery has its pieces"
        return mapping.guns[unit.gun.kind]
    if unit.arm == "machine_gun":
        if "anti_aircraft" in unit.armament:
            return "aa_gun"
        return "mg_horse" if unit.draught == "horse" else "mg_foot"
    if unit.arm == "vehicle":
        weapons = set(unit.armament)
        return "vehicle_mg" if weapons & {"machine_gun", "anti_aircraft"} else "vehicle_gun" if weapons else "vehicle"
    fixed = {"rocket": "rocket", "wagon": "pack", "pack_animals": "pack", "civilians": "civ_n"}
    if unit.arm in fixed:
        return fixed[unit.arm]
    return (mapping.riders if unit.mounted else mapping.foot)[unit.kind][unit.quality]


def _commanders(book: AfrBook, scenario: Scenario, units: Mapping[str, UnitSpec]) -> dict[str, CommanderSpec]:
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
            found[f"{side}_nco"] = CommanderSpec(f"{side}_nco", "the senior NCO", side, officer=False)
    return found


# --- places ---------------------------------------------------------------------------------------------------------------------


def _place(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """The hex of every unit: the wanted one, else the nearest with room, towards its own edge (AFR-047)."""
    positions = starting_positions(scenario)
    for name, spec in plan.units.items():
        unit = scenario.units[spec.source]
        if unit.arrival is not None:
            at = arrival_point(scenario, spec.source)
            assert at is not None, "a unit with an arrival has a point of arrival"
            plan.arrivals[name] = unit.arrival.turn
            plan.entries[name] = _entries(raster, unit.arrival.edge, at)
            continue
        plan.placed[name] = nearest_room(book, plan, spec, raster.cell_at(positions[spec.source]))
        zones = scenario.sides[spec.side].deployment
        if unit.position is None and unit.inside is None and zones:
            polygon = zones[unit.zone or next(iter(zones))]
            covered = raster.coverage(polygon)
            wide = sorted(cell for cell, share in covered.items() if share >= HALF) or sorted(covered)
            plan.zones[name] = [cell for cell in wide if admits(plan.field, spec, cell)]
    for name, flier in plan.fliers.items():
        plan.placed[name] = raster.cell_at(positions.get(name) or (0.0, 0.0))
        if name not in positions:
            plan.placed[name] = min(plan.field.grid.edge_row(plan.field.home[flier.side]))


def admits(battlefield: Field, spec: UnitSpec, cell: int) -> bool:
    """Whether the ground of a hex can hold a unit at the start."""
    ground = battlefield.ground[cell]
    structure = battlefield.structures.get(cell)
    if ground.closed or (structure is not None and structure.side != spec.side):
        return False
    return spec.profile.walks or not ground.infantry_only


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
            len(there) < book.settings.room
            and all(side == spec.side for side in there)
            and admits(battlefield, spec, cell)
        )

    home = battlefield.home[spec.side]
    order = sorted(
        range(grid.size), key=lambda cell: (grid.distance(wanted, cell), grid.distance_to_edge(cell, home), cell)
    )
    found = next((cell for cell in order if suits(cell)), None)
    if found is None:
        raise ZarebaError(f"there is no room on the field for {spec.name}; take units away or use 10 cm hexes")
    return found


def _entries(raster: Raster[HexGrid], edge: Edge, at: Point) -> list[int]:
    row = raster.grid.edge_row(edge)
    return sorted(row, key=lambda cell: (dist(raster.to_table(cell), at), cell))


def _attach(scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Where commanders start: with their unit, or at their own place; one to a hex of his side (AFR-096)."""
    positions = starting_positions(scenario)
    for name, spec in plan.commanders.items():
        leader: Leader | None = scenario.leaders.get(name)
        unit = leader.unit if leader is not None else next(u for u, s in plan.units.items() if s.side == spec.side)
        if leader is not None and leader.arrival is not None:
            at = arrival_point(scenario, name)
            assert at is not None, "a leader with an arrival has a point of arrival"
            plan.arrivals[name] = leader.arrival.turn
            plan.entries[name] = _entries(raster, leader.arrival.edge, at)
        elif unit in plan.units:
            plan.attached[name] = unit
        else:
            at = positions.get(name)
            own_edge = plan.field.grid.edge_row(plan.field.home[spec.side])
            plan.chiefs[name] = raster.cell_at(at) if at is not None else own_edge[len(own_edge) // 2]


def _bases(
    scenario: Scenario, raster: Raster[HexGrid]
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[str, ...]]]:
    """Air bases of each side: hexes of airfields and fuel trucks, and the names of trucks that are carried (AFR-260)."""
    found: dict[str, list[int]] = {}
    trucks: dict[str, list[str]] = {}
    for name, thing in scenario.objects.items():
        if thing.kind not in ("airfield", "fuel_truck"):
            continue
        for side in [thing.side] if thing.side else scenario.sides:
            if thing.carrier:
                trucks.setdefault(side, []).append(name)
            elif thing.position is not None:
                found.setdefault(side, []).append(raster.cell_at(thing.position))
    fixed = {side: tuple(cells) for side, cells in found.items()}
    return fixed, {side: tuple(names) for side, names in trucks.items()}


def _objectives(scenario: Scenario, raster: Raster[HexGrid], plan: Plan) -> None:
    """Objective hexes at the centres of places (AFR-051), exits, and things to carry."""
    exits: list[Exit] = []
    for key, goal in scenario.objectives.items():
        if goal.kind == "hold":
            at = goal.at or _centre(scenario.terrain[goal.terrain or ""])
            plan.places[key] = raster.cell_at(at)
        elif goal.kind == "escort":
            if goal.edge:
                exits.append((goal.edge, goal.units, ""))
            elif goal.at is not None:
                cell = raster.cell_at(goal.at)
                plan.areas[key] = frozenset((cell, *raster.grid.neighbours(cell)))
        elif goal.kind == "carry_off":
            exits.append((goal.edge, (), goal.object))
    plan.field.goals = plan.places
    plan.exits = tuple(exits)
    plan.edges = {edge: frozenset(raster.grid.edge_row(edge)) for edge in EDGES}
    for key, thing in scenario.objects.items():
        if thing.carrier in plan.units:
            plan.prizes[key] = (plan.placed.get(thing.carrier, 0), thing.carrier)
        elif thing.position is not None and thing.kind not in ("airfield", "fuel_truck"):
            plan.prizes[key] = (raster.cell_at(thing.position), "")


def _centre(piece: Terrain) -> Point:
    if piece.area is not None:
        xs, ys = [x for x, _ in piece.area], [y for _, y in piece.area]
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    line = piece.line or ((0.0, 0.0), (0.0, 0.0))
    a, b = list(pairwise(line))[(len(line) - 1) // 2]
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _quotas(book: AfrBook, scenario: Scenario, plan: Plan) -> dict[str, int]:
    """Points that win (AFR-052): the scenario's, else half of the enemy's units and commanders, rounded up."""
    quotas = {}
    for side, entry in scenario.sides.items():
        pieces: Iterable[UnitSpec | CommanderSpec] = (*plan.units.values(), *plan.commanders.values())
        enemies = sum(piece.side != side and piece.points > 0 for piece in pieces)
        half = max(1, ceil(enemies / 2))
        given = entry.victory.quota if book.settings.vp_quota == "scenario" else None
        quotas[side] = given or half
    return quotas


def _note_unspoken(scenario: Scenario, plan: Plan) -> None:
    """Say what the scenario has and these rules cannot express."""
    notes = plan.notes
    hidden = sum(unit.hidden for unit in scenario.units.values())
    if hidden or scenario.hidden:
        notes.append(f"hidden deployment: {hidden} hidden unit(s) stand openly on the table, dummies are left out")
    for flag, words in ((scenario.night, "night"), (scenario.fog, "fog")):
        if flag:
            notes.append(f"{words}: no effect on sight or fire")
    if scenario.events:
        notes.append(f"{len(scenario.events)} event(s) of weather or light have no effect")
    known = {"lancers", "ladders"}
    traits = sorted({trait for unit in scenario.units.values() for trait in unit.traits} - known)
    if traits:
        notes.append(f"traits without effect: {', '.join(trait.replace('_', ' ') for trait in traits)}")
    if any(piece.kind == "deep_sand" for piece in scenario.terrain.values()):
        notes.append("deep sand: counts as open ground")
    sidearms = {unit.weapon for unit in scenario.units.values()} & {"pistol", "revolver", "flintlock_pistol"}
    if sidearms:
        notes.append("pistols and revolvers: used in close combat only")
