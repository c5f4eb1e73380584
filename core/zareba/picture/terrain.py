"""The terrain of a scenario, drawn so that it is recognisable without a legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from zlib import crc32

from zareba.picture.label_placement import LabelPlacement
from zareba.picture.linear_terrain import draw_line_terrain, gate, opening
from zareba.picture.relief import draw_cliff, draw_hill, shrunk
from zareba.picture.svg import SvgCanvas, escape_text, group, number, text
from zareba.presentation.board import Board
from zareba.scenario import Scenario
from zareba.scenario.model import Terrain
from zareba.scenario.vocabulary.words import TERRAIN, likes
from zareba.space.geometry import Point, bounds, clip, distance_to_path, distance_to_segment, edges, is_inside

__all__ = ["draw_names", "draw_openings", "draw_terrain", "edge_of"]

UPRIGHT = ("grass", "reed", "tree", "tree-2", "tree-3", "bush", "bush-2", "palm", "stone", "stone-2")
"""Symbols lit from the north-west, which therefore are not rotated."""
NATURAL = 0.9
"""Distance in inches before its corners at which the outline of natural ground bends."""
MOST_GROWTH = 400
FAINT = frozenset({"road", "open"})
"""Ground that needs no name; its name is placed after all others."""


def edge_of(scenario: Scenario) -> str:
    """Return the name of the clip path at the edge of a table; one page may have pictures of several tables."""
    return f"edge-{number(scenario.table.width)}-{number(scenario.table.depth)}"


def draw_terrain(scenario: Scenario, sheet: SvgCanvas) -> str:
    """Return all pieces of terrain, clipped at the edge of the table."""
    pieces = sorted(scenario.terrain.items(), key=lambda item: TERRAIN[item[1].kind].layer)
    drawn = [_piece(key, piece, sheet) for key, piece in pieces]
    return group("terrain", drawn, f' clip-path="url(#{edge_of(scenario)})"')


def draw_openings(scenario: Scenario, board: Board, sheet: SvgCanvas) -> str:
    """Return the doors and windows of the board, each in the nearest wall of a building."""
    walls = [
        (*piece.area, piece.area[0]) for piece in scenario.terrain.values() if piece.area and piece.kind == "building"
    ]
    drawn = []
    for one in board.openings if walls else ():
        at = one.x * board.inches, one.y * board.inches
        wall = min(walls, key=partial(distance_to_path, at))
        state = "" if one.kind == "window" else ", open" if one.open else ", shut"
        half = "-.6 0H.6" if one.kind == "door" else "-.42 0H.42"
        kind = f"{one.kind}{' ajar' if one.open else ''}"
        drawn.append(opening(at, wall, sheet, kind, f"{one.kind.capitalize()}{state}", f'<path d="M{half}"/>'))
    return group("openings", drawn)


def draw_names(scenario: Scenario, sheet: SvgCanvas, size: float, room: LabelPlacement) -> str:
    """Return the names of the terrain pieces where there is room; `size` is the size of the letters."""
    aims = {goal.name for goal in scenario.objectives.values()}  # their flags already show these names
    named = [piece for piece in scenario.terrain.values() if piece.name and piece.name not in aims]
    words = [_name(piece, sheet, size, room) for piece in named if piece.kind not in FAINT]
    for piece in scenario.terrain.values():
        if piece.area is not None and TERRAIN[piece.kind].laid_out:
            room.keep_free(bounds(piece.area))
    return group("names", [*words, *(_name(piece, sheet, size, room) for piece in named if piece.kind in FAINT)])


def _piece(key: str, piece: Terrain, sheet: SvgCanvas) -> str:
    title = escape_text(_words(piece))
    if piece.area is not None:
        parts = [title, *_area(key, piece, piece.area, sheet)]
    else:
        parts = [title, *draw_line_terrain(piece, piece.line or (), sheet)]
    kinds = " ".join(likes(piece.kind, TERRAIN))
    return group(f"piece-of-ground {kinds}", parts, f' data-ground="{key}"')


def _words(piece: Terrain) -> str:
    notes = [piece.kind.replace("_", " ")]
    notes += [f"{piece.slope} slopes"] if piece.slope else []
    notes += [f"{piece.levels} levels"] if (piece.levels or 1) > 1 else []
    notes += [f"of {piece.material}"] if piece.material else []
    notes += ["deep"] if piece.is_deep else ["shallow"] if piece.depth == "shallow" else []
    return f"{piece.name}: {', '.join(notes)}" if piece.name else ", ".join(notes).capitalize()


def _name(piece: Terrain, sheet: SvgCanvas, size: float, room: LabelPlacement) -> str:
    """Return a name: below or inside its area, along the middle of its line, or as near as there is room."""
    name = piece.name or ""
    points = piece.area or piece.line or ()
    half = size * 0.27 * len(name)
    if piece.area is not None:
        west, south, east, north = bounds(points)
        x, y = (west + east) / 2, (south + north) / 2
        where = [(x, south - size * 0.9), (x, north + size * 0.5), (x, south + size * 0.5), (x, y), (x, north - size)]
    else:
        off = piece.across / 2 + size * 0.5
        where = []
        for a, b in sorted(pairwise(points), key=_steepness):
            for share in (0.5, 0.25, 0.75):
                x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
                steep = abs(b[1] - a[1]) > abs(b[0] - a[0])
                where += (
                    [(x + off + half, y), (x - off - half, y)] if steep else [(x, y + off), (x, y - off - size * 0.5)]
                )
    at = room.first(where, half, size * 0.75, size * 0.45)
    wet = not {"river", "stream", "lake"}.isdisjoint(likes(piece.kind, TERRAIN))
    kind = "ground-name water" if wet else "ground-name"
    x_, y_ = sheet.xy(at)
    return text(x_, y_, size, name, kind)


def _steepness(leg: tuple[Point, Point]) -> float:
    """Return how much further a leg runs north or south than east or west."""
    (ax, ay), (bx, by) = leg
    return abs(ay - by) - abs(ax - bx)


# --- areas ---------------------------------------------------------------------------------------------------------------


def _area(key: str, piece: Terrain, area: Sequence[Point], sheet: SvgCanvas) -> Iterator[str]:
    kinds, word = likes(piece.kind, TERRAIN), TERRAIN[piece.kind]
    if "hill" in kinds:
        yield from draw_hill(piece, area, sheet)
        return
    if "cliff" in kinds:
        yield from draw_cliff(area, sheet)
        return
    if "building" in kinds or "village" in kinds:
        yield sheet.shape(
            "cast", area, closed=True, more=' transform="translate(.35 .4)"' if "building" in kinds else ""
        )
    natural = 0.0 if word.laid_out else NATURAL
    yield sheet.shape("area", area, closed=True, rounded=natural)
    if "lake" in kinds:
        for share, kind in ((0.93, "deep"), (0.8, "deep")):
            yield sheet.shape(kind, shrunk(area, share), closed=True, rounded=natural)
    if "crops" in kinds:
        yield from _furrows(area, sheet)
    if "deep_sand" in kinds:
        yield from (sheet.shape("ripple", ripple, closed=False) for ripple in _ripples(key, area))
    if "building" in kinds:
        yield from _building(piece, area, sheet)
    if (drawn := word.symbols) is not None:
        margin = drawn.scale * 0.55 if drawn.rows else drawn.scale * 0.4
        for place, (point, luck) in enumerate(_scattered(key, area, drawn.apart, rows=drawn.rows, margin=margin)):
            symbol = drawn.names[(place + int(luck * 7)) % len(drawn.names)]
            turn = 0.0 if drawn.rows or symbol in UPRIGHT else luck * 360
            yield sheet.use(symbol, point, scale=drawn.scale * (0.8 + 0.4 * luck if not drawn.rows else 1.0), turn=turn)


def _building(piece: Terrain, area: Sequence[Point], sheet: SvgCanvas) -> Iterator[str]:
    """Yield walls seen from above, around the two sides of the roof.

    If figures can be in the rooms, the floor is drawn instead of the roof.
    """
    if piece.rooms:
        yield sheet.shape("floor", shrunk(area, 0.88), closed=True)
    else:
        west, south, east, north = bounds(area)
        x, y = (west + east) / 2, (south + north) / 2
        roof = shrunk(area, 0.92)
        yield sheet.shape("roof", roof, closed=True)
        if east - west >= north - south:
            away = clip(roof, [(west, south), (east, south), (east, y), (west, y)])
        else:
            away = clip(roof, [(x, south), (east, south), (east, north), (x, north)])
        yield sheet.shape("roof away", away, closed=True)
    for one in piece.gates.values():
        yield gate(one, (*area, area[0]), sheet)


def _furrows(area: Sequence[Point], sheet: SvgCanvas) -> Iterator[str]:
    west, south, east, north = bounds(area)
    y = south + 0.4
    rows = []
    while y < north:
        inside = [x / 4 for x in range(int(west * 4), int(east * 4) + 1) if is_inside((x / 4, y), area)]
        if inside:
            rows.append(sheet.path([(inside[0], y), (inside[-1], y)], closed=False))
        y += 0.7
    yield f'<path class="furrow" d="{"".join(rows)}"/>'


def _ripples(key: str, area: Sequence[Point]) -> Iterator[list[Point]]:
    for (x, y), _ in _scattered(key, area, 2.2, rows=False, margin=0.6):
        yield [(x - 0.6, y - 0.1), (x - 0.2, y + 0.12), (x + 0.2, y - 0.1), (x + 0.6, y + 0.12)]


def _scattered(
    key: str, area: Sequence[Point], apart: float, *, rows: bool, margin: float
) -> Iterator[tuple[Point, float]]:
    """Yield points inside an area from north to south, each with a random number from 0 to 1.

    They are always the same for the same area.
    """
    west, south, east, north = bounds(area)
    while (east - west) * (north - south) / apart**2 > MOST_GROWTH:
        apart *= 1.5
    across, along = max(1, round((east - west) / apart)), max(1, round((north - south) / apart))
    for row in reversed(range(along)):
        for column in range(across):
            lot = crc32(f"{key}/{column}/{row}".encode())
            jitter = (0.0, 0.0) if rows else ((lot % 97) / 97 - 0.5, (lot // 97 % 97) / 97 - 0.5)
            x = west + (column + 0.5 + jitter[0] * 0.8) * (east - west) / across
            y = south + (row + 0.5 + jitter[1] * 0.8) * (north - south) / along
            if is_inside((x, y), area) and _depth_inside((x, y), area) >= margin:
                yield (x, y), (lot // 9409 % 101) / 100


def _depth_inside(point: Point, area: Sequence[Point]) -> float:
    return min(distance_to_segment(point, a, b) for a, b in edges(area))
