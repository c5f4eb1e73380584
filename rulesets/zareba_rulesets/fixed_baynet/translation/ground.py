"""Translate the terrain of a neutral scenario into terrain pieces of these rules (section 27 of the catalogue)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from zareba.base.exact import dist
from zareba.scenario import Scenario, Terrain
from zareba.scenario.placement import place_of
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, bounds, bounds_meet
from zareba.space.ground.buildings import OFF_WALL, Building, BuildingOpening, BuildingSection, openings_between, tiles
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba.space.paths import gap_at, parts_outside
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, JAGGED, FbnBook, Row
from zareba_rulesets.fixed_baynet.ground.field import Field
from zareba_rulesets.fixed_baynet.translation.overrides import BuildingOverride

__all__ = ["lay_out"]

STRIPS = ("stream", "river", "ford", "bridge", "gully", "trench", "barbed_wire")


def lay_out(book: FbnBook, scenario: Scenario, wishes: Mapping[str, BuildingOverride], notes: list[str]) -> Field:
    """Return the battlefield of a scenario.

    `wishes` are overrides by building; `notes` collects everything these rules cannot express.
    """
    pieces: list[TerrainPiece[Row]] = []
    heights: list[Height] = []
    houses: dict[str, Building[Row]] = {}
    cliffs = [piece for piece in scenario.terrain.values() if piece.kind == "cliff"]
    for name, piece in scenario.terrain.items():
        row_name = book.file.mapping.word_of(piece)
        row = book.terrain[row_name]
        heights += _heights(book, name, piece)
        if piece.kind == "building" and piece.area is not None:
            houses[name] = _building(book, wishes.get(name, BuildingOverride()), name, piece, heights)
            pieces.append(TerrainPiece.area(name, row, piece.area, building=name))
        elif piece.kind == "road":
            if piece.line and any(c.area and bounds_meet(bounds(c.area), bounds(piece.line)) for c in cliffs):
                pieces += _strips(name, piece, book, "path")
        elif piece.area is not None:
            if row_name not in ("clear", "low_slope"):
                pieces.append(TerrainPiece.area(name, row, piece.area))
        elif piece.kind in STRIPS:
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
    found = [Height(TerrainArea(piece.area), top / 2 if piece.crest else top, uphill, name)]
    if piece.crest is not None:
        found.append(Height(TerrainArea(piece.crest), top, uphill, name))
    return found


def _strips(name: str, piece: Terrain, book: FbnBook, row_name: str) -> list[TerrainPiece[Row]]:
    """Return a line that has a width as one rectangle per segment."""
    half = piece.across / 2
    found = []
    over = piece.kind in ("ford", "bridge", "road")
    for number, (a, b) in enumerate(pairwise(piece.line or ())):
        reach = dist(a, b)
        ux, uy = (b[0] - a[0]) / reach, (b[1] - a[1]) / reach
        x, y = -uy * half, ux * half
        more = half if number else 0.0  # segments overlap at bends, so that no gap opens on the outer side
        ax, ay = a[0] - ux * more, a[1] - uy * more
        corners = ((ax + x, ay + y), (b[0] + x, b[1] + y), (b[0] - x, b[1] - y), (ax - x, ay - y))
        label = name if number == 0 else f"{name}.{number}"
        found.append(TerrainPiece.area(label, book.terrain[row_name], corners, over=over))
    return found


def _walls(book: FbnBook, name: str, piece: Terrain, row_name: str, notes: list[str]) -> list[TerrainPiece[Row]]:
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


def _building(book: FbnBook, wish: BuildingOverride, name: str, piece: Terrain, heights: list[Height]) -> Building[Row]:
    """Return a building: sections of 6 by 6 inches, an opening every 4 inches of wall, two doors (FBN-240, FBN-245).

    Its kind is sections, openable, silo or tower (FBN-259, FBN-260).
    """
    numbers = book.file.buildings
    kind = wish.kind or ("openable" if piece.rooms else "sections")
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
        openings = openings_between(name, points, sections, numbers.opening, heavy=wish.doors == "heavy")
    top = max((h.top for h in heights if h.shape.holds(points[0])), default=0.0)
    row, floors = book.terrain[book.file.mapping.word_of(piece)], len(levels)
    return Building(name, kind, row, tuple(points), box, sections, openings, top, floors)


def _home_edge(scenario: Scenario, side: str) -> str:
    named = scenario.sides[side].home_edge
    if named is not None:
        return named
    order = ("south", "north", "west", "east")
    return order[list(scenario.sides).index(side) % len(order)]


def _deployment(book: FbnBook, scenario: Scenario) -> dict[str, tuple[tuple[Point, ...], ...]]:
    """Return each side's deployment area: its zones, or by default the strip along its own edge (FBN-011)."""
    found: dict[str, tuple[tuple[Point, ...], ...]] = {}
    width, depth, strip = scenario.table.width, scenario.table.depth, float(book.file.deployment.strip)
    for side, entry in scenario.sides.items():
        if entry.deployment:
            found[side] = tuple(tuple(zone) for zone in entry.deployment.values())
            continue
        w, s, e, n = {
            "south": (0.0, 0.0, width, strip),
            "north": (0.0, depth - strip, width, depth),
            "west": (0.0, 0.0, strip, depth),
            "east": (width - strip, 0.0, width, depth),
        }[_home_edge(scenario, side)]
        found[side] = (((w, s), (e, s), (e, n), (w, n)),)
    return found
