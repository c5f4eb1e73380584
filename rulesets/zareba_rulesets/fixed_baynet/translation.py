"""Translate a neutral scenario into these rules: table, forces and starting positions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil
from typing import Annotated, Any, Literal

from pydantic import Field as PydanticField

from zareba.base.exact import dist
from zareba.base.grammar import amount, in_a_sentence
from zareba.base.yamlfile import Id, YamlModel
from zareba.battle.unit_mapping import armed_like, evenly, map_unit, map_unit_as, unsupported_words_of
from zareba.rules import RefersTo
from zareba.scenario import Leader, Scenario, Terrain, arrival_point, starting_positions
from zareba.scenario import Unit as Troop
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placement import place_of, zone_of
from zareba.scenario.unsupported import left_out
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, bounds, boxes_meet
from zareba.space.ground.buildings import OFF_WALL, Building, BuildingOpening, BuildingSection, openings_between, tiles
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import OPPOSITE, TerrainArea, bearing_of, gap_at, parts_outside
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, JAGGED, FbnBook
from zareba_rulesets.fixed_baynet.book.tables import TerrainRow, UnitValues
from zareba_rulesets.fixed_baynet.forces.units import FigureSpec, UnitSpec
from zareba_rulesets.fixed_baynet.ground import Field

# --- Forces -----------------------------------------------------------------------------------------------------------
# Translate the units and leaders of a neutral scenario into squads, batteries and single men (FBN-196 to FBN-203).


@dataclass
class Squad:
    """A unit of these rules before it is set up: its men in order, and its guns by type (Table 4-D).

    `team` is the number of draught animals of each gun. `shells`, `solid` and `rockets` say which rounds the guns fire.
    """

    spec: UnitSpec
    men: list[FigureSpec]
    formation: str
    guns: list[str] = field(default_factory=list)
    team: int = 0
    shells: bool = True
    solid: bool = True
    rockets: bool = False
    hidden: bool = False


def _mapped_values(book: FbnBook, scenario: Scenario, unit_id: str, part: str) -> UnitValues:
    """Return the values the unit mapping gives for a squad, a crew or an independent leader.

    With an empty `unit_id` there is no scenario unit to look at.
    """
    own_facts: dict[str, Any] = {
        "part": part,
        "native_regular_table": book.settings.native_regular_table,
        "native_regular_square": book.settings.native_regular_square,
    }
    entries = book.file.unit_mapping
    return UnitValues(
        **(map_unit(entries, scenario, unit_id, **own_facts) if unit_id else map_unit_as(entries, **own_facts))
    )


def build_forces(book: FbnBook, scenario: Scenario, notes: list[str]) -> dict[str, Squad]:
    """Return every unit of these rules by id. `notes` collects everything the rules cannot express.

    A scenario unit that becomes one squad keeps its id; several squads are named `id.1`, `id.2` and so on. Leaders
    join the first squad of their unit; a leader without a unit is a unit alone (FBN-123).
    """
    squads: dict[str, Squad] = {}
    for unit_id, troop in scenario.units.items():
        kind = book.file.mapping.arm[troop.arm]
        if kind == "none":
            notes.append(left_out(troop, "FBN-261"))
            continue
        leaders = [(key, leader) for key, leader in scenario.leaders.items() if leader.unit == unit_id]
        if kind in ("battery", "machine_gun"):
            squads |= _crews(book, scenario, unit_id, kind, leaders, notes)
        else:
            squads |= _squads(book, scenario, unit_id, leaders, notes)
    for key, leader in scenario.leaders.items():
        if leader.unit is None:
            squads[key] = _lone_leader(book, scenario, key, leader)
    weapons = book.file.mapping.weapon
    without_weapon = [
        troop.name for troop in scenario.units.values() if troop.weapon != "none" and weapons[troop.weapon] == "none"
    ]
    if without_weapon:
        notes.append(f"slings and thrown rocks are not in these rules: {', '.join(without_weapon)}")
    return squads


def _squads(
    book: FbnBook, scenario: Scenario, unit_id: str, leaders: list[tuple[str, Leader]], notes: list[str]
) -> dict[str, Squad]:
    """Return the squads of one unit of the scenario, by unit id."""
    troop, mapped = scenario.units[unit_id], _mapped_values(book, scenario, unit_id, "squad")
    lines = str(mapped.lines)
    sizes = _squad_sizes(book, troop.figures, bool(mapped.bands))
    if sum(sizes) != troop.figures:
        notes.append(f"{troop.name}: {amount(troop.figures, 'figure')} become {sum(sizes)} (FBN-200)")
    if troop.formation == "square" and not mapped.squares:
        notes.append(f"{troop.name}: closed order, because they cannot form square (FBN-060)")
    if troop.arm in ("wagon", "pack_animals"):
        notes.append(f"{troop.name}: represented by drivers and bearers (FBN-261)")
    squads: dict[str, Squad] = {}
    armed = troop.armed
    for number, size in enumerate(sizes):
        key = unit_id if len(sizes) == 1 else f"{unit_id}.{number + 1}"
        name = troop.name if len(sizes) == 1 else f"{troop.name} ({number + 1})"
        men = _men(book, key, troop, mapped, size, leaders if number == 0 else [], min(armed, size))
        armed -= min(armed, size)
        spec = UnitSpec(key, name, troop.side, "squad", unit_id, lines, bool(mapped.drilled))
        squads[key] = Squad(spec, men, _formation(book, troop, mapped, size), hidden=troop.hidden)
    return squads


def _squad_sizes(book: FbnBook, figures: int, in_bands: bool) -> list[int]:
    """Return the sizes of a unit's squads, also for riders (FBN-188, FBN-197, FBN-198, FBN-199, FBN-200).

    Up to 15 Europeans form one squad; all others are split into squads of at most 20.
    """
    squads = book.file.squads
    is_one_squad = figures <= squads.upto and not in_bands
    count = 1 if is_one_squad else ceil(figures / squads.large)
    if book.settings.squad_size_strict:
        return [squads.small] if is_one_squad else [squads.large] * max(1, round(figures / squads.large))
    return evenly(figures, count)


def _formation(book: FbnBook, troop: Troop, mapped: UnitValues, size: int) -> str:
    """Return the formation the scenario names, or by default that of the unit mapping.

    A single man has none (FBN-062).
    """
    if size < 2:
        return "open"
    formation = book.file.mapping.formation[troop.formation] if troop.formation else str(mapped.formation)
    return "closed" if formation == "square" and not mapped.squares else formation


def _men(
    book: FbnBook,
    key: str,
    troop: Troop,
    mapped: UnitValues,
    size: int,
    leaders: list[tuple[str, Leader]],
    armed: int,
) -> list[FigureSpec]:
    """Return the men of a squad: leaders, NCO or hero, medic, bearer, soldiers (FBN-196 to FBN-199, FBN-203)."""
    table, leader_role = str(mapped.lines), str(mapped.led_by)
    civil = troop.kind == "civilian"
    roles: list[tuple[str, str, Leader | None]] = [(_role(book, leader, table), lid, leader) for lid, leader in leaders]
    if not civil:
        has_leader = any(role == leader_role for role, _, _ in roles)
        may_have_leader = size > 1 or "hero" in troop.traits
        if leader_role != "nobody" and may_have_leader and not has_leader:
            roles.append((leader_role, "", None))
        if "medic" in troop.traits:
            roles.append(("medic", "", None))
        if "standard" in troop.traits:
            roles.append(("bearer", "", None))
    roles = roles[:size]
    roles += [("civilian" if civil else "soldier", "", None)] * (size - len(roles))
    men = []
    for number, (role, leader_id, leader) in enumerate(roles):
        carried = _weapon(book, troop, number < armed)
        men.append(_man(book, f"{key}/{number + 1}", troop, table, role, carried, leader_id, leader))
    return men


def _role(book: FbnBook, leader: Leader, table: str) -> str:
    """Return a leader's role according to his rank.

    Officers and NCOs are heroes already; only in native units is an NCO flagged as a hero given that role (FBN-123,
    FBN-159).
    """
    if leader.non_combatant:
        return "civilian"
    role = book.file.mapping.rank[leader.rank]
    return "hero" if leader.hero and role == "nco" and table == "native" else role


def _weapon(book: FbnBook, troop: Troop, armed: bool) -> str:
    """Return the firearm of a man, armed or unarmed. The default is a rifle if the force list names no arms
    (FBN-191).
    """
    if troop.weapon == "none":
        return "none" if troop.kind == "civilian" or troop.close_weapon != "none" else "rifle"
    return book.file.mapping.weapon[troop.weapon] if armed else "none"


def _has_close_weapon(book: FbnBook, weapon: str, troop: Troop | None = None) -> bool:
    """Return True if the weapon, or the second weapon of the man's troop, is one for close combat (FBN-113)."""
    weapons = (weapon, book.file.mapping.close_weapon[troop.close_weapon]) if troop else (weapon,)
    return any(name != "none" and book.weapons[name].close for name in weapons)


def _spare(book: FbnBook, weapon: str) -> str:
    """Return the man's spare weapon (FBN-193)."""
    return "pistol" if weapon == "rifle" and book.settings.switch_weapon == "in_game" else "none"


def _man(
    book: FbnBook,
    figure_id: str,
    troop: Troop,
    table: str,
    role: str,
    weapon: str,
    leader_id: str,
    leader: Leader | None,
) -> FigureSpec:
    """Return one man.

    A leader has the stats of his squad (FBN-124), and a rider his own stats, not his mount's (FBN-029).
    """
    civil = role == "civilian"
    quality = "green" if civil else book.file.mapping.quality[troop.quality]
    return FigureSpec(
        id=figure_id,
        name=leader.name if leader else _label(troop, figure_id, role),
        side=troop.side,
        role="soldier" if role == "bearer" else role,
        **_stats(book, "native" if civil else table, quality),
        weapon="none" if civil else weapon,
        spare=_spare(book, weapon),
        close=not civil and _has_close_weapon(book, weapon, troop),
        rides=troop.mounted and not civil,
        bearer=role == "bearer",
        sniper="sniper" in troop.traits,
        flares=leader.flares if leader else 0,
        leader_id=leader_id,
    )


ROLE_NAMES = {
    "officer": "officer",
    "nco": "NCO",
    "hero": "hero",
    "medic": "medic",
    "bearer": "bearer",
    "crew": "gunner",
}
"""The names of the roles of men who are not ordinary soldiers."""


def _label(troop: Troop, figure_id: str, role: str) -> str:
    """Return the name of a man without one in the scenario: what he is, his number and his unit."""
    squad, _, number = figure_id.partition("/")
    part = f" ({squad.rpartition('.')[2]})" if "." in squad else ""
    return f"{ROLE_NAMES.get(role, 'man')} {number} of {in_a_sentence(troop.name)}{part}"


def _stats(book: FbnBook, table: str, quality: str) -> dict[str, Any]:
    """Return a man's stats and his column of the panic table. Veterans use the line named by the setting (FBN-030)."""
    veteran = quality == "veteran"
    line = book.file.stat_lines[table][book.settings.veteran_stats if veteran else quality]  # type: ignore[index]  # the three keys
    stats = {name: getattr(line, name) for name in ("cs", "ds", "sp", "ac", "gl")}
    return {"table": table, "column": "elite" if veteran else quality, **stats}


def _crews(
    book: FbnBook, scenario: Scenario, unit_id: str, kind: str, leaders: list[tuple[str, Leader]], notes: list[str]
) -> dict[str, Squad]:
    """Return gun crews: batteries of two guns with four men each, machine guns with two men (FBN-202)."""
    troop, numbers = scenario.units[unit_id], book.file.crew_size
    if kind == "machine_gun":
        crew, per_unit, gun = numbers.machine_gun, 1, "machine_gun"
        pieces = max(1, troop.figures // crew)
    else:
        pieces, per_unit, crew = max(1, round(troop.figures / numbers.gun)), numbers.battery, numbers.gun
        gun = book.file.mapping.gun[troop.gun.kind] if troop.gun and troop.arm != "rocket" else "light_howitzer"
    units = ceil(pieces / per_unit)
    table = str(_mapped_values(book, scenario, unit_id, "crew").lines)
    crews: dict[str, Squad] = {}
    men_left, guns_left, armed = troop.figures, pieces, troop.armed
    for number in range(units):
        key = unit_id if units == 1 else f"{unit_id}.{number + 1}"
        guns = min(per_unit, guns_left)
        guns_left -= guns
        size = men_left if number == units - 1 else min(men_left, guns * crew)
        men_left -= size
        name = troop.name if units == 1 else f"{troop.name} ({number + 1})"
        men = []
        for i in range(size):
            leader = leaders[i] if number == 0 and i < len(leaders) else None
            men.append(_gunner(book, f"{key}/{i + 1}", troop, table, _weapon(book, troop, armed > 0), leader))
            armed -= 1
        ammunition = troop.gun.ammunition if troop.gun else ("shell",)
        crews[key] = Squad(
            UnitSpec(key, name, troop.side, kind, unit_id, table),
            men,
            "open",
            [gun] * guns,
            _draught_animals(book, troop, gun),
            "shell" in ammunition or gun == "trench_mortar",
            ("shot" in ammunition or "case" in ammunition) and gun != "trench_mortar" and troop.arm != "rocket",
            troop.arm == "rocket",
            troop.hidden,
        )
    if troop.gun and "case" in troop.gun.ammunition:
        notes.append(f"{troop.name}: case counts as shot")
    return crews


def _gunner(
    book: FbnBook, figure_id: str, troop: Troop, table: str, weapon: str, leader: tuple[str, Leader] | None
) -> FigureSpec:
    """Return a gunner.

    Crews count as Green, including a leader among them (FBN-124, FBN-201); their arms are for self-defence (FBN-101,
    FBN-205).
    """
    leader_id, officer = leader or ("", None)
    return FigureSpec(
        id=figure_id,
        name=officer.name if officer else _label(troop, figure_id, "crew"),
        side=troop.side,
        role=book.file.mapping.rank[officer.rank] if officer else "crew",
        **_stats(book, table, "green"),
        weapon=weapon,
        spare=_spare(book, weapon),
        close=_has_close_weapon(book, weapon, troop),
        crew=True,
        leader_id=leader_id,
    )


def _draught_animals(book: FbnBook, troop: Troop, gun: str) -> int:
    """Return the number of draught animals: as many as the gun's weight needs, or 0 if it is drawn by hand
    (FBN-207).
    """
    return 0 if troop.draught == "hand" else book.file.movers[book.guns[gun].weight].riders


def _lone_leader(book: FbnBook, scenario: Scenario, key: str, leader: Leader) -> Squad:
    """Return an independent hero, officer or NCO as a unit of one (FBN-015, FBN-123).

    Natives are armed like the largest unit of their side; others have a pistol and a sword (FBN-191).
    """
    quality = book.file.mapping.quality[leader.quality]
    table = str(_mapped_values(book, scenario, next(iter(scenario.units_of(leader.side)), ""), "leader").lines)
    fights = not leader.non_combatant
    troop = armed_like(scenario, leader) if table == "native" and fights else None
    weapon = "none" if not fights else "pistol" if troop is None else _weapon(book, troop, armed=True)
    close = fights and _has_close_weapon(book, "melee_weapon" if troop is None else weapon, troop)
    man = FigureSpec(
        id=f"{key}/1", name=leader.name, side=leader.side, role=_role(book, leader, table), **_stats(book, table, quality),
        weapon=weapon, close=close, rides=leader.mounted,
        flares=leader.flares, leader_id=key,
    )  # fmt: skip
    return Squad(UnitSpec(key, leader.name, leader.side, "independent", key, table), [man], "open")


# --- Overrides that a scenario can give for these rules alone ---------------------------------------------------------


class ForceOverride(YamlModel):
    """`reserve`: the force arrives only when it is called (FBN-037)."""

    reserve: bool = False


class BuildingOverride(YamlModel):
    """`kind`: how figures are placed in it; by default as the scenario's `rooms` says.

    `doors`: heavy doors are shut (FBN-254).
    """

    kind: Literal["sections", "openable", "tower", "silo"] | None = None
    doors: Literal["light", "heavy"] = "light"


class Overrides(YamlModel):
    """Overrides by id, for forces (units and leaders) and for buildings."""

    forces: dict[Annotated[Id, RefersTo("units", "leaders")], ForceOverride] = PydanticField(default_factory=dict)
    buildings: dict[Annotated[Id, RefersTo("terrain")], BuildingOverride] = PydanticField(default_factory=dict)


# --- Translate the terrain of a neutral scenario into terrain pieces of these rules -----------------------------------


_STRIP_KINDS = ("stream", "river", "ford", "bridge", "gully", "trench", "barbed_wire")


def lay_out(book: FbnBook, scenario: Scenario, overrides: Mapping[str, BuildingOverride], notes: list[str]) -> Field:
    """Return the battlefield of a scenario.

    `overrides` are by building; `notes` collects everything these rules cannot express.
    """
    pieces: list[TerrainPiece[TerrainRow]] = []
    heights: list[Height] = []
    houses: dict[str, Building[TerrainRow]] = {}
    cliffs = [piece for piece in scenario.terrain.values() if piece.kind == "cliff"]
    for name, piece in scenario.terrain.items():
        row_name = book.file.mapping.word_of(piece)
        row = book.terrain[row_name]
        heights += _heights(book, name, piece)
        if piece.kind == "building" and piece.area is not None:
            houses[name] = _building(book, overrides.get(name, BuildingOverride()), name, piece, heights)
            pieces.append(TerrainPiece.area(name, row, piece.area, building=name))
        elif piece.kind == "road":
            if piece.line and any(c.area and boxes_meet(bounds(c.area), bounds(piece.line)) for c in cliffs):
                pieces += _strips(name, piece, book, "path")
        elif piece.area is not None:
            if row_name not in ("clear", "low_slope"):
                pieces.append(TerrainPiece.area(name, row, piece.area))
        elif piece.kind in _STRIP_KINDS:
            pieces += _strips(name, piece, book, row_name)
        elif piece.line is not None:
            pieces += _walls(book, name, piece, row_name, notes)
    return Field(
        book,
        scenario.table.width,
        scenario.table.depth,
        tuple(pieces),
        tuple(heights),
        houses,
        _deployment(book, scenario),
        {side: _home_edge(scenario, side) for side in scenario.sides},
        scenario.entrenched,
        [at for goal in scenario.objectives.values() if (at := place_of(scenario, goal)) is not None],
        {side: scenario.exits_for(side) for side in scenario.sides},
        {key: piece.name or piece.kind.replace("_", " ") for key, piece in scenario.terrain.items()},
    )


def _heights(book: FbnBook, name: str, piece: Terrain) -> list[Height]:
    """Return the heights of a hill: one step per level at the crest, half on the slope below it (FBN-073, FBN-273)."""
    if piece.kind not in ("hill", "kopje") or piece.area is None:
        return []
    top = float(book.file.heights.level) * (piece.levels or 1)
    row = book.terrain["high_slope" if piece.slope == "steep" else "low_slope"]
    uphill = JAGGED if row.uphill == "jagged" else BUMPY
    heights = [Height(TerrainArea(piece.area), top / 2 if piece.crest else top, uphill, name)]
    if piece.crest is not None:
        heights.append(Height(TerrainArea(piece.crest), top, uphill, name))
    return heights


def _strips(name: str, piece: Terrain, book: FbnBook, row_name: str) -> list[TerrainPiece[TerrainRow]]:
    """Return a line that has a width as one rectangle per segment."""
    half = piece.across / 2
    strips = []
    is_crossing = piece.kind in ("ford", "bridge", "road")
    for number, (a, b) in enumerate(pairwise(piece.line or ())):
        length = dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        x, y = -uy * half, ux * half
        overlap = half if number else 0.0  # segments overlap at bends, so that no gap opens on the outer side
        ax, ay = a[0] - ux * overlap, a[1] - uy * overlap
        corners = ((ax + x, ay + y), (b[0] + x, b[1] + y), (b[0] - x, b[1] - y), (ax - x, ay - y))
        label = name if number == 0 else f"{name}.{number}"
        strips.append(TerrainPiece.area(label, book.terrain[row_name], corners, over=is_crossing))
    return strips


def _walls(book: FbnBook, name: str, piece: Terrain, row_name: str, notes: list[str]) -> list[TerrainPiece[TerrainRow]]:
    """Return a wall as lines, with gaps at light or open gates. A closed heavy gate counts as wall."""
    line, gaps = piece.line or (), []
    for gate in piece.gates.values():
        if gate.kind == "light_wood" or gate.open:
            gaps.append(gap_at(line, gate.at, gate.width))
        else:
            notes.append(f"{piece.name or name}: its heavy gate counts as wall")
    row = book.terrain[row_name]
    return [
        TerrainPiece.line(name if number == 0 else f"{name}.{number}", row, part)
        for number, part in enumerate(parts_outside(line, gaps))
    ]


def _building(
    book: FbnBook, override: BuildingOverride, name: str, piece: Terrain, heights: list[Height]
) -> Building[TerrainRow]:
    """Return a building: sections of 6 by 6 inches, an opening every 4 inches of wall, two doors (FBN-240, FBN-245).

    Its kind is sections, openable, silo or tower (FBN-259, FBN-260).
    """
    numbers = book.file.buildings
    kind = override.kind or ("openable" if piece.rooms else "sections")
    points = piece.area or ()
    box = bounds(points)
    levels = [1] if kind == "tower" else list(range(piece.floors or 1))
    sections: dict[str, BuildingSection] = {}
    for level in levels if kind != "silo" else []:
        for number, rect in enumerate([box] if kind == "tower" else tiles(points, numbers.section)):
            key = f"{name}:{level}:{number}"
            sections[key] = BuildingSection(
                key, name, level, rect, numbers.tower if kind == "tower" else numbers.capacity
            )
    openings: dict[str, BuildingOpening] = {}
    if kind == "tower":
        key, middle = next(iter(sections)), ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        openings[f"{name}:rail"] = BuildingOpening(f"{name}:rail", "rail", key, "", middle, 1)
        foot = ((box[0] + box[2]) / 2, box[1] - OFF_WALL)
        openings[f"{name}:ladder"] = BuildingOpening(f"{name}:ladder", "ladder", key, "", foot, 0)
    elif sections:
        openings = openings_between(name, points, sections, numbers.opening, heavy=override.doors == "heavy")
    top = max((h.top for h in heights if h.shape.holds(points[0])), default=0.0)
    row, floors = book.terrain[book.file.mapping.word_of(piece)], len(levels)
    return Building(name, kind, row, tuple(points), box, sections, openings, top, floors)


def _home_edge(scenario: Scenario, side: str) -> str:
    """Return the table edge of a side: the one the scenario names, or the next of the four by the order of sides."""
    named = scenario.sides[side].home_edge
    if named is not None:
        return named
    order = ("south", "north", "west", "east")
    return order[list(scenario.sides).index(side) % len(order)]


def _deployment(book: FbnBook, scenario: Scenario) -> dict[str, tuple[tuple[Point, ...], ...]]:
    """Return each side's deployment area: its zones, or by default the strip along its own edge (FBN-011)."""
    areas: dict[str, tuple[tuple[Point, ...], ...]] = {}
    width, depth, strip = scenario.table.width, scenario.table.depth, float(book.file.deployment.strip)
    for side, entry in scenario.sides.items():
        if entry.deployment:
            areas[side] = tuple(tuple(zone) for zone in entry.deployment.values())
            continue
        w, s, e, n = {
            "south": (0.0, 0.0, width, strip),
            "north": (0.0, depth - strip, width, depth),
            "west": (0.0, 0.0, strip, depth),
            "east": (width - strip, 0.0, width, depth),
        }[_home_edge(scenario, side)]
        areas[side] = (((w, s), (e, s), (e, n), (w, n)),)
    return areas


# --- The whole scenario: table, forces and starting positions ---------------------------------------------------------


WHEN_CALLED = -1  # the turn of a reserve


@dataclass
class Plan:
    """A scenario in the terms of these rules.

    `spots` maps units to their starting points, `zones` to the polygon in which players set them up, `inside` to a
    building, and `entries` to turn, point and edge of arrival. `notes` lists what these rules cannot express. `night`,
    `fog` and `entrenched` are flags of the game (FBN-114, FBN-234).
    """

    field: Field
    squads: dict[str, Squad]
    spots: dict[str, Point]
    zones: dict[str, tuple[Point, ...]]
    inside: dict[str, str]
    facing: dict[str, float]
    entries: dict[str, tuple[int, Point, str]]
    night: bool
    fog: bool
    entrenched: bool
    reserves: frozenset[str]
    notes: list[str] = dataclasses.field(default_factory=list)


def translate(book: FbnBook, scenario: Scenario) -> Plan:
    """Return a scenario in the terms of these rules.

    One inch is one inch; there may be any number of sides from two up.
    """
    notes: list[str] = []
    overrides = overrides_of(scenario, "fixed_baynet", Overrides)
    battlefield = lay_out(book, scenario, overrides.buildings, notes)
    squads = build_forces(book, scenario, notes)
    positions = starting_positions(scenario, [name for name, unit in scenario.units.items() if unit.hidden])
    plan = Plan(
        field=battlefield,
        squads=squads,
        spots={},
        zones={},
        inside={},
        facing={},
        entries={},
        night=scenario.night or book.settings.night,
        fog=scenario.fog or book.settings.fog,
        entrenched=scenario.entrenched,
        reserves=frozenset(name for name, override in overrides.forces.items() if override.reserve),
        notes=notes,
    )
    for unit_id, squad in squads.items():
        _record_start(plan, scenario, unit_id, squad, positions)
    notes += unsupported_words_of(book.file, scenario)
    return plan


def _record_start(plan: Plan, scenario: Scenario, unit_id: str, squad: Squad, positions: dict[str, Point]) -> None:
    """Record where a unit starts: a point, a zone, a building, or its edge of arrival."""
    source = squad.spec.source
    force = scenario.units.get(source) or scenario.leaders[source]
    named = scenario.facing_of(source) if source in scenario.units else None
    plan.facing[unit_id] = bearing_of(named or OPPOSITE[plan.field.home_edge[squad.spec.side]])
    if force.arrival is not None:
        plan.entries[unit_id] = (
            WHEN_CALLED if source in plan.reserves else force.arrival.turn,
            arrival_point(scenario, force.arrival),
            force.arrival.edge,
        )
        return
    plan.spots[unit_id] = positions.get(source, (plan.field.width / 2, plan.field.depth / 2))
    inside: str | None = getattr(force, "inside", None)
    if inside is not None and inside in plan.field.buildings:
        plan.inside[unit_id] = inside
    elif (zone := zone_of(scenario, force)) is not None:
        plan.zones[unit_id] = tuple(zone)
