"""The ground of a scenario, drawn so that one knows it without a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from zlib import crc32

from zareba.exact import atan2d, dist
from zareba.picture.svg import Sheet, group, number, said, text
from zareba.scenario import Scenario
from zareba.scenario.model import Gate, Terrain
from zareba.space.geometry import Point, bounds, distance_to_segment, edges, is_inside

__all__ = ["draw_terrain"]

ORDER = (
    "open", "hill", "deep_sand", "marsh", "crops", "tall_grass", "scrub", "rough", "rocks", "kopje", "cliff", "lake",
    "stream", "river", "gully", "road", "ford", "bridge", "orchard", "palm_grove", "light_wood", "dense_wood", "jungle",
    "village", "ruins", "building", "trench", "hedge", "fence", "low_wall", "high_wall", "mealie_bags", "sandbags",
    "sangar", "zareba", "barbed_wire", "rampart",
)  # fmt: skip
"""What lies under and what over; a kind that is not named lies over all."""

# What grows or lies in an area: the symbol, the inches between two of them, how large they are, whether they stand in rows.
GROWTH: Mapping[str, tuple[str, float, float, bool]] = {
    "light_wood": ("tree", 2.4, 1.0, False),
    "dense_wood": ("tree", 1.5, 1.0, False),
    "jungle": ("tree", 1.3, 0.9, False),
    "palm_grove": ("palm", 2.0, 1.0, False),
    "orchard": ("fruit", 1.6, 1.0, True),
    "scrub": ("bush", 1.7, 1.0, False),
    "tall_grass": ("grass", 1.2, 0.8, False),
    "marsh": ("reed", 1.9, 0.8, False),
    "rocks": ("stone", 1.4, 1.0, False),
    "rough": ("stone", 2.2, 0.7, False),
    "kopje": ("stone", 1.7, 1.1, False),
    "village": ("house", 3.1, 0.95, True),
    "ruins": ("ruin", 2.2, 1.0, True),
}
MOST_GROWTH = 400


def draw_terrain(scenario: Scenario, sheet: Sheet, size: float) -> str:
    """All pieces of ground, each with its name; `size` is that of the letters."""
    layers = {kind: place for place, kind in enumerate(ORDER)}
    pieces = sorted(scenario.terrain.items(), key=lambda item: layers.get(item[1].kind, len(ORDER)))
    drawn = [_piece(key, piece, sheet) for key, piece in pieces]
    aims = {goal.name for goal in scenario.objectives.values()}  # whose flags have their names already
    named = [_name(piece, sheet, size) for _, piece in pieces if piece.name and piece.name not in aims]
    return group("terrain", [*drawn, *named], ' clip-path="url(#table-edge)"')


def _piece(key: str, piece: Terrain, sheet: Sheet) -> str:
    title = said(_words(piece))
    if piece.area is not None:
        parts = [title, *_area(key, piece, piece.area, sheet)]
    else:
        parts = [title, *_line(piece, piece.line or (), sheet)]
    return group(f"piece-of-ground {piece.kind}", parts, f' data-ground="{key}"')


def _words(piece: Terrain) -> str:
    notes = [piece.kind.replace("_", " ")]
    notes += [f"{piece.slope} slopes"] if piece.slope else []
    notes += [f"{piece.levels} levels"] if (piece.levels or 1) > 1 else []
    notes += [f"of {piece.material}"] if piece.material else []
    notes += ["deep"] if piece.is_deep else ["shallow"] if piece.depth == "shallow" else []
    return f"{piece.name}: {', '.join(notes)}" if piece.name else ", ".join(notes).capitalize()


def _name(piece: Terrain, sheet: Sheet, size: float) -> str:
    points = piece.area or piece.line or ()
    if piece.area is not None:
        west, south, east, _ = bounds(points)
        x, y = sheet.xy(((west + east) / 2, south))
        return text(x, number(float(y) + size), size, piece.name or "", "ground-name")
    a, b = points[len(points) // 2 - 1], points[len(points) // 2]
    x, y = sheet.xy(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
    return text(x, number(float(y) - piece.across / 2 - size * 0.4), size, piece.name or "", "ground-name")


# --- areas ---------------------------------------------------------------------------------------------------------------


def _area(key: str, piece: Terrain, area: Sequence[Point], sheet: Sheet) -> Iterator[str]:
    if piece.kind == "hill":
        yield from _hill(piece, area, sheet)
        return
    yield sheet.shape("area", area, closed=True)
    if piece.kind == "crops":
        yield from _furrows(area, sheet)
    if piece.kind == "deep_sand":
        yield from (sheet.shape("ripple", ripple, closed=False) for ripple in _ripples(key, area))
    if piece.kind == "building":
        yield from _building(piece, area, sheet)
    if piece.kind == "cliff":
        yield from _hachures(area, sheet, closed=True, length=0.9)
    if piece.kind in GROWTH:
        symbol, apart, scale, rows = GROWTH[piece.kind]
        margin = scale * 0.75 if rows else scale * 0.4
        for point, luck in _scattered(key, area, apart, rows=rows, margin=margin):
            turn = 0.0 if rows or symbol in ("grass", "reed", "tree") else luck * 360
            yield sheet.use(symbol, point, scale=scale * (0.8 + 0.4 * luck if not rows else 1.0), turn=turn)


def _hill(piece: Terrain, area: Sequence[Point], sheet: Sheet) -> Iterator[str]:
    """Contours from the foot to the crest, with strokes downhill, close together where it is steep."""
    yield sheet.shape("area", area, closed=True)
    levels = piece.levels or 1
    crest = piece.crest or _shrunk(area, 0.35)
    middle = _middle(crest)
    for level in range(1, levels):
        share = level / levels
        yield sheet.shape("contour", _between(area, crest, middle, share), closed=True)
    yield from _hachures(area, sheet, closed=True, length=1.1 if piece.slope == "steep" else 0.6)
    yield sheet.shape("crest", crest, closed=True)


def _between(area: Sequence[Point], crest: Sequence[Point], middle: Point, share: float) -> list[Point]:
    """A contour: every corner of the foot drawn towards the crest by a share of the way."""
    found = []
    for point in area:
        inner = min(crest, key=lambda corner: dist(point, corner))
        goal = ((inner[0] * 3 + middle[0]) / 4, (inner[1] * 3 + middle[1]) / 4)
        found.append((point[0] + (goal[0] - point[0]) * share, point[1] + (goal[1] - point[1]) * share))
    return found


def _shrunk(area: Sequence[Point], share: float) -> list[Point]:
    x, y = _middle(area)
    return [(x + (px - x) * share, y + (py - y) * share) for px, py in area]


def _middle(points: Sequence[Point]) -> Point:
    west, south, east, north = bounds(points)
    return (west + east) / 2, (south + north) / 2


def _hachures(points: Sequence[Point], sheet: Sheet, *, closed: bool, length: float) -> Iterator[str]:
    """Short strokes across an edge, towards the inside of an area, or to both sides of a line."""
    middle = _middle(points)
    strokes = []
    for (x, y), (dx, dy) in _along(points, 0.9, closed=closed):
        side = 1.0 if (middle[0] - x) * -dy + (middle[1] - y) * dx > 0 else -1.0
        strokes.append(sheet.path([(x, y), (x - dy * length * side, y + dx * length * side)], closed=False))
        if not closed:
            strokes.append(sheet.path([(x, y), (x + dy * length * side, y - dx * length * side)], closed=False))
    yield f'<path class="hachure" d="{"".join(strokes)}"/>'


def _building(piece: Terrain, area: Sequence[Point], sheet: Sheet) -> Iterator[str]:
    """Walls seen from above, the roof within, and the ridge."""
    yield sheet.shape("t-roof", _shrunk(area, 0.86), closed=True)
    west, south, east, north = bounds(area)
    x, y = (west + east) / 2, (south + north) / 2
    long = (east - west) >= (north - south)
    ridge = [(west + 1, y), (east - 1, y)] if long else [(x, south + 1), (x, north - 1)]
    if not piece.rooms:
        yield sheet.shape("ridge", ridge, closed=False)
    for gate in piece.gates.values():
        yield _gate(gate, (*area, area[0]), sheet)


def _furrows(area: Sequence[Point], sheet: Sheet) -> Iterator[str]:
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
    """Places within an area, each with a lot from 0 to 1 of its own; the same for the same area, from north to south."""
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


# --- lines ---------------------------------------------------------------------------------------------------------------


def _line(piece: Terrain, line: Sequence[Point], sheet: Sheet) -> Iterator[str]:
    across = max(0.35, piece.across)
    draw = LINES.get(piece.kind)
    if draw is None:
        yield sheet.shape("course", line, closed=False)
    else:
        yield from draw(line, sheet, across)
    for gate in piece.gates.values():
        yield _gate(gate, line, sheet)


def _road(line: Sequence[Point], sheet: Sheet, across: float) -> Iterator[str]:
    yield sheet.shape("verge", line, closed=False, more=f' stroke-width="{number(across)}"')
    yield sheet.shape("course", line, closed=False, more=f' stroke-width="{number(across * 0.8)}"')
    yield sheet.shape("rut", line, closed=False)


def _water(line: Sequence[Point], sheet: Sheet, across: float) -> Iterator[str]:
    yield sheet.shape("bank", line, closed=False, more=f' stroke-width="{number(across)}"')
    yield sheet.shape("course", line, closed=False, more=f' stroke-width="{number(across * 0.85)}"')
    yield sheet.shape("ripple", line, closed=False)


def _gully(line: Sequence[Point], sheet: Sheet, across: float) -> Iterator[str]:
    yield sheet.shape("course", line, closed=False, more=f' stroke-width="{number(across)}"')
    yield from _hachures(line, sheet, closed=False, length=0.7)


def _barrier(line: Sequence[Point], sheet: Sheet, across: float) -> Iterator[str]:
    """A wall or breastwork: a shadow, its body, and what it is built of on top."""
    yield sheet.shape("shadow", line, closed=False)
    yield sheet.shape("course", line, closed=False)
    yield sheet.shape("built", line, closed=False)


LINES: Mapping[str, Callable[[Sequence[Point], Sheet, float], Iterator[str]]] = {
    "road": _road,
    "bridge": _road,
    "stream": _water,
    "river": _water,
    "ford": _water,
    "gully": _gully,
    **dict.fromkeys(
        (
            "hedge", "fence", "low_wall", "high_wall", "mealie_bags", "sandbags", "sangar", "zareba", "barbed_wire",
            "trench", "rampart",
        ),
        _barrier,
    ),
}  # fmt: skip


def _gate(gate: Gate, line: Sequence[Point], sheet: Sheet) -> str:
    """A gap in a wall, with its leaves when it is shut."""
    a, b = min(pairwise(line), key=lambda leg: distance_to_segment(gate.at, *leg))
    x, y = sheet.xy(gate.at)
    turn = number(atan2d(a[1] - b[1], b[0] - a[0]))
    half = number(gate.width / 2)
    words = said(f"Gate of {gate.kind.replace('_', ' ')}, {'open' if gate.open else 'shut'}")
    leaf = "" if gate.open else f'<path class="leaf-of-gate" d="M-{half} 0H{half}"/>'
    gap = f'<path class="gap" d="M-{half} 0H{half}"/>'
    return f'<g class="gate" transform="translate({x} {y}) rotate({turn})">{words}{gap}{leaf}</g>'


def _along(points: Sequence[Point], apart: float, *, closed: bool) -> Iterator[tuple[Point, Point]]:
    """Points along a line, with the direction of the line there."""
    legs = zip(points, (*points[1:], points[0]) if closed else points[1:], strict=False)
    for a, b in legs:
        length = dist(a, b)
        if length == 0:
            continue
        dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        for step in range(max(1, round(length / apart))):
            at = (step + 0.5) * length / max(1, round(length / apart))
            yield (a[0] + dx * at, a[1] + dy * at), (dx, dy)
