"""Draw terrain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from zlib import crc32

from zareba.base.exact import atan2d, cosd, dist, sind
from zareba.picture.label_placement import LabelPlacement, Spot, draw_name
from zareba.picture.svg import SvgCanvas, group, number, tooltip
from zareba.presentation.board import Board
from zareba.scenario import Scenario
from zareba.scenario.model import Gate, Terrain
from zareba.scenario.vocabulary.words import TERRAIN, known_word, word_with_ancestors
from zareba.space.geometry import (
    Point,
    bounds,
    clip,
    distance_to_path,
    distance_to_segment,
    edges,
    is_inside,
    middle_of_box,
    nearest_on_segment,
    segment_crossings,
)

# --- Hills and cliffs: contours from foot to crest, with the light from the north-west as usual on maps ---------------


_BEARINGS = 48
CONTOURS_PER_LEVEL = 3
"""Contours drawn for each level. The last of them, drawn stronger, is the one that the rules use."""
_SHADES = 4
"""The number of shades of light, and of shadow."""
_HILL_BEND = 1.4
"""Distance in inches before its corners at which the outline of a hill bends."""


def draw_hill(piece: Terrain, area: Sequence[Point], canvas: SvgCanvas) -> Iterator[str]:
    """Yield a hill: its foot, light and shaded slopes, contours, strokes downhill if steep, and the crest."""
    crest = piece.crest or shrink(area, 0.4)
    middle = middle_of_box(crest)
    yield canvas.shape("cast", area, closed=True, attributes=' transform="translate(.4 .45)"', rounded=_HILL_BEND)
    yield canvas.shape("area", area, closed=True, rounded=_HILL_BEND)
    bearings = [360 * bearing / _BEARINGS for bearing in range(_BEARINGS)]
    foot, top = (_smooth([_outermost(middle, bearing, edge) for bearing in bearings]) for edge in (area, crest))
    yield from _draw_slopes(foot, top, canvas)
    steps = (piece.levels or 1) * CONTOURS_PER_LEVEL
    for step in range(1, steps):
        loop = [_between(a, b, step / steps) for a, b in zip(foot, top, strict=True)]
        kind = "contour level" if step % CONTOURS_PER_LEVEL == 0 else "contour"
        yield canvas.shape(kind, loop, closed=True, rounded=0.8)
    if piece.slope == "steep":
        yield _draw_strokes(area, middle, canvas, 1.0)
    yield canvas.shape("crest", crest, closed=True, rounded=_HILL_BEND)


def draw_cliff(area: Sequence[Point], canvas: SvgCanvas) -> Iterator[str]:
    """Yield a cliff: close strokes inwards from its edge."""
    yield canvas.shape("area", area, closed=True)
    yield _draw_strokes(area, middle_of_box(area), canvas, 0.9)


def _draw_slopes(foot: Sequence[Point], top: Sequence[Point], canvas: SvgCanvas) -> Iterator[str]:
    """Yield the ground between foot and crest, each part shaded by its direction to the light."""
    paths_by_class: dict[str, list[str]] = {}
    rims = zip([*foot, foot[0]], [*top, top[0]], strict=True)
    for (a, inner_a), (b, inner_b) in pairwise(rims):
        length = dist(a, b)
        if length == 0:
            continue
        facing = (b[0] - a[0] + b[1] - a[1]) * 0.7071 / length  # 1: outside is north-west, -1: south-east
        shade = round(abs(facing) * _SHADES)
        if shade:
            css_class = f"{'lit' if facing > 0 else 'dark'} shade-{shade}"
            paths_by_class.setdefault(css_class, []).append(canvas.path([a, b, inner_b, inner_a], closed=True))
    for css_class, paths in paths_by_class.items():
        yield f'<path class="slope {css_class}" d="{"".join(paths)}"/>'


def _smooth(loop: Sequence[Point]) -> list[Point]:
    """Return a loop with its corners smoothed."""
    count = len(loop)
    trios = ((loop[index - 1], loop[index], loop[(index + 1) % count]) for index in range(count))
    return [((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4) for a, b, c in trios]


def _outermost(middle: Point, bearing: float, polygon: Sequence[Point]) -> Point:
    """Return the point where a ray finally leaves a polygon; the middle if it never meets the edge."""
    far = middle[0] + 400 * sind(bearing), middle[1] + 400 * cosd(bearing)
    reach = max((share for a, b in edges(polygon) for share in segment_crossings(middle, far, a, b)), default=0.0)
    return _between(middle, far, reach)


def _between(a: Point, b: Point, share: float) -> Point:
    """Return the point at a share of the way from a to b."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def shrink(area: Sequence[Point], share: float) -> list[Point]:
    """Return a polygon shrunk towards its middle to a share of its size."""
    middle = middle_of_box(area)
    return [_between(middle, point, share) for point in area]


def _draw_strokes(points: Sequence[Point], middle: Point, canvas: SvgCanvas, length: float) -> str:
    """Return strokes of a length from the edge of a polygon towards its middle."""
    strokes = []
    for (x, y), (dx, dy) in points_along(points, 0.55, closed=True):
        sign = 1.0 if (middle[0] - x) * -dy + (middle[1] - y) * dx > 0 else -1.0
        strokes.append(canvas.path([(x, y), (x - dy * length * sign, y + dx * length * sign)], closed=False))
    return f'<path class="hachure" d="{"".join(strokes)}"/>'


def points_along(points: Sequence[Point], spacing: float, *, closed: bool) -> Iterator[tuple[Point, Point]]:
    """Yield points along a line, each with the direction of the line there."""
    legs = zip(points, (*points[1:], points[0]) if closed else points[1:], strict=False)
    for a, b in legs:
        length = dist(a, b)
        if length == 0:
            continue
        dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        count = max(1, round(length / spacing))
        for step in range(count):
            at = (step + 0.5) * length / count
            yield (a[0] + dx * at, a[1] + dy * at), (dx, dy)


# --- Terrain along a line: roads, water, gullies, walls and breastworks, with their gates -----------------------------


_LINE_BEND = 0.75
"""Distance before a corner at which the bend of a road or river begins, as a share of its width."""


def draw_line_terrain(piece: Terrain, line: Sequence[Point], canvas: SvgCanvas) -> Iterator[str]:
    """Yield the drawing of a linear piece of terrain, in its real width."""
    across = max(0.35, piece.across)
    draw = LINE_DRAWERS.get(known_word(piece.kind, TERRAIN, LINE_DRAWERS))
    if draw is None:
        yield canvas.shape("course", line, closed=False)
    else:
        yield from draw(line, canvas, across)
    for opening in piece.gates.values():
        yield draw_gate(opening, line, canvas)


def _draw_layers(line: Sequence[Point], canvas: SvgCanvas, across: float, layers: Mapping[str, float]) -> Iterator[str]:
    """Yield the same line several times, each narrower than the one below it."""
    for kind, share in layers.items():
        width = f' stroke-width="{number(across * share)}"'
        yield canvas.shape(kind, line, closed=False, attributes=width, rounded=across * _LINE_BEND)


def _draw_road(line: Sequence[Point], canvas: SvgCanvas, across: float) -> Iterator[str]:
    return _draw_layers(line, canvas, across, {"verge": 1.0, "course": 0.86, "rut": 0.5, "between": 0.36})


def _draw_bridge(line: Sequence[Point], canvas: SvgCanvas, across: float) -> Iterator[str]:
    return _draw_layers(line, canvas, across, {"verge": 1.0, "course": 0.8, "planks": 0.8})


def _draw_water(line: Sequence[Point], canvas: SvgCanvas, across: float) -> Iterator[str]:
    yield from _draw_layers(line, canvas, across, {"shore": 1.18, "bank": 1.0, "course": 0.88, "deep": 0.5})
    for index, (share, kind) in enumerate(((-0.22, "ripple"), (0.05, "ripple wide"), (0.27, "ripple"))):
        yield canvas.shape(
            kind, _parallel_line(line, across * share), closed=False, rounded=across * (0.5 + index * 0.2)
        )


def _draw_ford(line: Sequence[Point], canvas: SvgCanvas, across: float) -> Iterator[str]:
    return _draw_layers(line, canvas, across, {"course": 1.0, "stones": 0.8, "stones wide": 0.4})


def _draw_gully(line: Sequence[Point], canvas: SvgCanvas, across: float) -> Iterator[str]:
    """Yield a dry bed between two banks that slope towards it."""
    yield from _draw_layers(line, canvas, across, {"rim": 1.0, "course": 0.94})
    strokes = []
    for (x, y), (dx, dy) in points_along(line, 0.6, closed=False):
        for side in (1, -1):
            outer, inner = 0.5 * across * side, 0.2 * across * side
            strokes.append(
                canvas.path([(x - dy * outer, y + dx * outer), (x - dy * inner, y + dx * inner)], closed=False)
            )
    yield f'<path class="hachure" d="{"".join(strokes)}"/>'
    yield from _draw_layers(line, canvas, across, {"bed": 0.36})


def _draw_barrier(line: Sequence[Point], canvas: SvgCanvas, across: float) -> Iterator[str]:
    """Yield a wall or breastwork: its shadow, its body, and its material on top."""
    yield canvas.shape("shadow", line, closed=False, attributes=' transform="translate(.28 .32)"')
    yield canvas.shape("course", line, closed=False)
    yield canvas.shape("built", line, closed=False)


def _parallel_line(line: Sequence[Point], offset: float) -> list[Point]:
    """Return a line parallel to another, `offset` to its left."""
    points = []
    for index, (x, y) in enumerate(line):
        before, after = line[max(0, index - 1)], line[min(len(line) - 1, index + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        points.append((x - dy / length * offset, y + dx / length * offset))
    return points


LINE_DRAWERS: Mapping[str, Callable[[Sequence[Point], SvgCanvas, float], Iterator[str]]] = {
    "road": _draw_road,
    "bridge": _draw_bridge,
    "stream": _draw_water,
    "river": _draw_water,
    "ford": _draw_ford,
    "gully": _draw_gully,
    **dict.fromkeys(
        (
            "hedge", "fence", "low_wall", "high_wall", "mealie_bags", "sandbags", "sangar", "zareba", "barbed_wire",
            "trench", "rampart",
        ),
        _draw_barrier,
    ),
}  # fmt: skip


def draw_gate(opening: Gate, line: Sequence[Point], canvas: SvgCanvas) -> str:
    """Return a gap in a wall, with a line across it if the gate is shut."""
    half = number(opening.width / 2)
    tooltip_text = f"Gate of {opening.kind.replace('_', ' ')}, {'open' if opening.open else 'shut'}"
    leaf = "" if opening.open else f'<path class="leaf-of-gate" d="M-{half} 0H{half}"/>'
    return draw_wall_opening(
        opening.at, line, canvas, "gate", tooltip_text, f'<path class="gap" d="M-{half} 0H{half}"/>{leaf}'
    )


def draw_wall_opening(
    at: Point, line: Sequence[Point], canvas: SvgCanvas, kind: str, tooltip_text: str, symbol: str
) -> str:
    """Return a gate, door or window, drawn along the leg of the wall that it is in."""
    a, b = min(pairwise(line), key=lambda leg: distance_to_segment(at, *leg))
    x, y = canvas.xy(nearest_on_segment(at, a, b))
    turn = number(atan2d(a[1] - b[1], b[0] - a[0]))
    return f'<g class="{kind}" transform="translate({x} {y}) rotate({turn})">{tooltip(tooltip_text)}{symbol}</g>'


# --- The terrain of a scenario, drawn so that it is recognisable without a legend -------------------------------------


_UPRIGHT = ("grass", "reed", "tree", "tree-2", "tree-3", "bush", "bush-2", "palm", "stone", "stone-2")
"""Symbols lit from the north-west, which therefore are not rotated."""
_GROUND_BEND = 0.9
"""Distance in inches before its corners at which the outline of natural ground bends."""
_MOST_SYMBOLS = 400
"""The approximate limit of symbols in one area; they stand farther apart in a larger area."""
_NAMED_LAST = frozenset({"road", "open"})
"""Ground that does not need a name; its name is placed after all others."""
_NAME_GAP = 0.25
"""Distance in inches between a line and its name."""


def clip_path_id(scenario: Scenario) -> str:
    """Return the id of the clip path at the edge of a table. It contains the size, because one page may show several
    tables.
    """
    return f"edge-{number(scenario.table.width)}-{number(scenario.table.depth)}"


def draw_terrain(scenario: Scenario, canvas: SvgCanvas) -> str:
    """Return all pieces of terrain, clipped at the edge of the table."""
    pieces = sorted(scenario.terrain.items(), key=lambda item: TERRAIN[item[1].kind].layer)
    drawn = [_draw_piece(key, piece, canvas) for key, piece in pieces]
    return group("terrain", drawn, f' clip-path="url(#{clip_path_id(scenario)})"')


def draw_openings(scenario: Scenario, board: Board, canvas: SvgCanvas) -> str:
    """Return the doors and windows of the board, each in the nearest wall of a building."""
    walls = [
        (*piece.area, piece.area[0]) for piece in scenario.terrain.values() if piece.area and piece.kind == "building"
    ]
    drawn = []
    for opening in board.openings if walls else ():
        at = opening.x * board.inches, opening.y * board.inches
        wall = min(walls, key=partial(distance_to_path, at))
        state = "" if opening.kind == "window" else ", open" if opening.open else ", shut"
        half = "-.6 0H.6" if opening.kind == "door" else "-.42 0H.42"
        kind = f"{opening.kind}{' ajar' if opening.open else ''}"
        drawn.append(
            draw_wall_opening(at, wall, canvas, kind, f"{opening.kind.capitalize()}{state}", f'<path d="M{half}"/>')
        )
    return group("openings", drawn)


def draw_names(scenario: Scenario, canvas: SvgCanvas, size: float, labels: LabelPlacement) -> str:
    """Return the names of the terrain pieces, if `labels` has room for them; `size` is the size of the letters."""
    objective_names = {goal.name for goal in scenario.objectives.values()}  # their flags already show these names
    named = [piece for piece in scenario.terrain.values() if piece.name and piece.name not in objective_names]
    names = [_draw_piece_name(piece, canvas, size, labels) for piece in named if piece.kind not in _NAMED_LAST]
    for piece in scenario.terrain.values():
        if piece.area is not None and TERRAIN[piece.kind].laid_out:
            labels.keep_free(bounds(piece.area))
    return group(
        "names",
        [*names, *(_draw_piece_name(piece, canvas, size, labels) for piece in named if piece.kind in _NAMED_LAST)],
    )


def _draw_piece(key: str, piece: Terrain, canvas: SvgCanvas) -> str:
    title = tooltip(_tooltip_text(piece))
    if piece.area is not None:
        parts = [title, *_draw_area(key, piece, piece.area, canvas)]
    else:
        parts = [title, *draw_line_terrain(piece, piece.line or (), canvas)]
    kinds = " ".join(word_with_ancestors(piece.kind, TERRAIN))
    return group(f"piece-of-ground {kinds}", parts, f' data-ground="{key}"')


def _tooltip_text(piece: Terrain) -> str:
    notes = [piece.kind.replace("_", " ")]
    notes += [f"{piece.slope} slopes"] if piece.slope else []
    notes += [f"{piece.levels} levels"] if (piece.levels or 1) > 1 else []
    notes += [f"of {piece.material}"] if piece.material else []
    notes += ["deep"] if piece.is_deep else ["shallow"] if piece.depth == "shallow" else []
    return f"{piece.name}: {', '.join(notes)}" if piece.name else ", ".join(notes).capitalize()


def _draw_piece_name(piece: Terrain, canvas: SvgCanvas, size: float, labels: LabelPlacement) -> str:
    """Return the name of a terrain piece, if there is room for it."""
    is_water = not {"river", "stream", "lake"}.isdisjoint(word_with_ancestors(piece.kind, TERRAIN))
    css_class = "ground-name water" if is_water else "ground-name"
    return draw_name(piece.name or "", css_class, list(_name_spots(piece)), canvas, size, labels)


def _name_spots(piece: Terrain) -> Iterator[Spot]:
    """Yield where a name may be: below, above or inside its area, or along the middle of its line."""
    if piece.area is not None:
        west, south, east, north = bounds(piece.area)
        x, y = (west + east) / 2, (south + north) / 2
        yield from (Spot(x, south, "s"), Spot(x, north, "n"), Spot(x, south, "n"), Spot(x, y, "c"), Spot(x, north, "s"))
        return
    offset = piece.across / 2 + _NAME_GAP
    for a, b in sorted(pairwise(piece.line or ()), key=_steepness):
        for share in (0.5, 0.25, 0.75):
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            if abs(b[1] - a[1]) > abs(b[0] - a[0]):
                yield from (Spot(x + offset, y, "e"), Spot(x - offset, y, "w"))
            else:
                yield from (Spot(x, y + offset, "n"), Spot(x, y - offset, "s"))


def _steepness(leg: tuple[Point, Point]) -> float:
    """Return how much further a leg runs north or south than east or west."""
    (ax, ay), (bx, by) = leg
    return abs(ay - by) - abs(ax - bx)


# --- areas ------------------------------------------------------------------------------------------------------------


def _draw_area(key: str, piece: Terrain, area: Sequence[Point], canvas: SvgCanvas) -> Iterator[str]:
    kinds, word = word_with_ancestors(piece.kind, TERRAIN), TERRAIN[piece.kind]
    if "hill" in kinds:
        yield from draw_hill(piece, area, canvas)
        return
    if "cliff" in kinds:
        yield from draw_cliff(area, canvas)
        return
    if "building" in kinds or "village" in kinds:
        yield canvas.shape(
            "cast", area, closed=True, attributes=' transform="translate(.35 .4)"' if "building" in kinds else ""
        )
    natural = 0.0 if word.laid_out else _GROUND_BEND
    yield canvas.shape("area", area, closed=True, rounded=natural)
    if "lake" in kinds:
        for share, kind in ((0.93, "deep"), (0.8, "deep")):
            yield canvas.shape(kind, shrink(area, share), closed=True, rounded=natural)
    if "crops" in kinds:
        yield from _draw_furrows(area, canvas)
    if "deep_sand" in kinds:
        yield from (canvas.shape("ripple", ripple, closed=False) for ripple in _ripple_lines(key, area))
    if "building" in kinds:
        yield from _draw_building(piece, area, canvas)
    if (symbols := word.symbols) is not None:
        margin = symbols.scale * 0.55 if symbols.rows else symbols.scale * 0.4
        for index, (point, random_number) in enumerate(
            _scatter_points(key, area, symbols.apart, rows=symbols.rows, margin=margin)
        ):
            symbol = symbols.names[(index + int(random_number * 7)) % len(symbols.names)]
            turn = 0.0 if symbols.rows or symbol in _UPRIGHT else random_number * 360
            yield canvas.use(
                symbol, point, scale=symbols.scale * (0.8 + 0.4 * random_number if not symbols.rows else 1.0), turn=turn
            )


def _draw_building(piece: Terrain, area: Sequence[Point], canvas: SvgCanvas) -> Iterator[str]:
    """Yield walls seen from above, around the two sides of the roof.

    If figures can be in the rooms, the floor is drawn instead of the roof.
    """
    if piece.rooms:
        yield canvas.shape("floor", shrink(area, 0.88), closed=True)
    else:
        west, south, east, north = bounds(area)
        x, y = (west + east) / 2, (south + north) / 2
        roof = shrink(area, 0.92)
        yield canvas.shape("roof", roof, closed=True)
        if east - west >= north - south:
            shaded_side = clip(roof, [(west, south), (east, south), (east, y), (west, y)])
        else:
            shaded_side = clip(roof, [(x, south), (east, south), (east, north), (x, north)])
        yield canvas.shape("roof away", shaded_side, closed=True)
    for opening in piece.gates.values():
        yield draw_gate(opening, (*area, area[0]), canvas)


def _draw_furrows(area: Sequence[Point], canvas: SvgCanvas) -> Iterator[str]:
    west, south, east, north = bounds(area)
    y = south + 0.4
    rows = []
    while y < north:
        inside = [x / 4 for x in range(int(west * 4), int(east * 4) + 1) if is_inside((x / 4, y), area)]
        if inside:
            rows.append(canvas.path([(inside[0], y), (inside[-1], y)], closed=False))
        y += 0.7
    yield f'<path class="furrow" d="{"".join(rows)}"/>'


def _ripple_lines(key: str, area: Sequence[Point]) -> Iterator[list[Point]]:
    for (x, y), _ in _scatter_points(key, area, 2.2, rows=False, margin=0.6):
        yield [(x - 0.6, y - 0.1), (x - 0.2, y + 0.12), (x + 0.2, y - 0.1), (x + 0.6, y + 0.12)]


def _scatter_points(
    key: str, area: Sequence[Point], spacing: float, *, rows: bool, margin: float
) -> Iterator[tuple[Point, float]]:
    """Yield points inside an area from north to south, each with a random number from 0 to 1.

    They are always the same for the same area.
    """
    west, south, east, north = bounds(area)
    while (east - west) * (north - south) / spacing**2 > _MOST_SYMBOLS:
        spacing *= 1.5
    column_count, row_count = max(1, round((east - west) / spacing)), max(1, round((north - south) / spacing))
    for row in reversed(range(row_count)):
        for column in range(column_count):
            hash_value = crc32(f"{key}/{column}/{row}".encode())
            jitter = (0.0, 0.0) if rows else ((hash_value % 97) / 97 - 0.5, (hash_value // 97 % 97) / 97 - 0.5)
            x = west + (column + 0.5 + jitter[0] * 0.8) * (east - west) / column_count
            y = south + (row + 0.5 + jitter[1] * 0.8) * (north - south) / row_count
            if is_inside((x, y), area) and _depth_inside((x, y), area) >= margin:
                yield (x, y), (hash_value // 9409 % 101) / 100


def _depth_inside(point: Point, area: Sequence[Point]) -> float:
    return min(distance_to_segment(point, a, b) for a, b in edges(area))
