"""Hills and cliffs: contours from foot to crest, with the light from the north-west as usual on maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from zareba.base.exact import cosd, dist, sind
from zareba.picture.svg import SvgCanvas
from zareba.scenario.model import Terrain
from zareba.space.geometry import Point, edges, meetings, middle_of_box

__all__ = ["draw_cliff", "draw_hill", "points_along", "shrunk"]

BEARINGS = 48
BETWEEN = 3
"""Contours drawn for each level. The last of them, drawn stronger, is the one that the rules use."""
SHADES = 4
"""The number of shades of light, and of shadow."""
BEND = 1.4
"""Distance in inches before its corners at which the outline of a hill bends."""


def draw_hill(piece: Terrain, area: Sequence[Point], sheet: SvgCanvas) -> Iterator[str]:
    """Yield a hill: its foot, light and shaded slopes, contours, strokes downhill if steep, and the crest."""
    crest = piece.crest or shrunk(area, 0.4)
    middle = middle_of_box(crest)
    yield sheet.shape("cast", area, closed=True, more=' transform="translate(.4 .45)"', rounded=BEND)
    yield sheet.shape("area", area, closed=True, rounded=BEND)
    ways = [360 * way / BEARINGS for way in range(BEARINGS)]
    foot, top = (_smooth([_outermost(middle, way, edge) for way in ways]) for edge in (area, crest))
    yield from _slopes(foot, top, sheet)
    steps = (piece.levels or 1) * BETWEEN
    for step in range(1, steps):
        loop = [_between(a, b, step / steps) for a, b in zip(foot, top, strict=True)]
        kind = "contour level" if step % BETWEEN == 0 else "contour"
        yield sheet.shape(kind, loop, closed=True, rounded=0.8)
    if piece.slope == "steep":
        yield _strokes(area, middle, sheet, 1.0)
    yield sheet.shape("crest", crest, closed=True, rounded=BEND)


def draw_cliff(area: Sequence[Point], sheet: SvgCanvas) -> Iterator[str]:
    """Yield a cliff: close strokes inwards from its edge."""
    yield sheet.shape("area", area, closed=True)
    yield _strokes(area, middle_of_box(area), sheet, 0.9)


def _slopes(foot: Sequence[Point], top: Sequence[Point], sheet: SvgCanvas) -> Iterator[str]:
    """Yield the ground between foot and crest, each part shaded by its direction to the light."""
    found: dict[str, list[str]] = {}
    rims = zip([*foot, foot[0]], [*top, top[0]], strict=True)
    for (a, inner_a), (b, inner_b) in pairwise(rims):
        length = dist(a, b)
        if length == 0:
            continue
        facing = (b[0] - a[0] + b[1] - a[1]) * 0.7071 / length  # 1: outside is north-west, -1: south-east
        shade = round(abs(facing) * SHADES)
        if shade:
            kind = f"{'lit' if facing > 0 else 'dark'} shade-{shade}"
            found.setdefault(kind, []).append(sheet.path([a, b, inner_b, inner_a], closed=True))
    for kind, parts in found.items():
        yield f'<path class="slope {kind}" d="{"".join(parts)}"/>'


def _smooth(loop: Sequence[Point]) -> list[Point]:
    """Return a loop with its corners smoothed."""
    count = len(loop)
    trios = ((loop[place - 1], loop[place], loop[(place + 1) % count]) for place in range(count))
    return [((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4) for a, b, c in trios]


def _outermost(middle: Point, way: float, polygon: Sequence[Point]) -> Point:
    """Return the point where a ray finally leaves a polygon; the middle if it never meets the edge."""
    far = middle[0] + 400 * sind(way), middle[1] + 400 * cosd(way)
    reach = max((share for a, b in edges(polygon) for share in meetings(middle, far, a, b)), default=0.0)
    return _between(middle, far, reach)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def shrunk(area: Sequence[Point], share: float) -> list[Point]:
    """Return a polygon shrunk towards its middle."""
    middle = middle_of_box(area)
    return [_between(middle, point, share) for point in area]


def _strokes(points: Sequence[Point], middle: Point, sheet: SvgCanvas, length: float) -> str:
    strokes = []
    for (x, y), (dx, dy) in points_along(points, 0.55, closed=True):
        side = 1.0 if (middle[0] - x) * -dy + (middle[1] - y) * dx > 0 else -1.0
        strokes.append(sheet.path([(x, y), (x - dy * length * side, y + dx * length * side)], closed=False))
    return f'<path class="hachure" d="{"".join(strokes)}"/>'


def points_along(points: Sequence[Point], apart: float, *, closed: bool) -> Iterator[tuple[Point, Point]]:
    """Yield points along a line, each with the direction of the line there."""
    legs = zip(points, (*points[1:], points[0]) if closed else points[1:], strict=False)
    for a, b in legs:
        length = dist(a, b)
        if length == 0:
            continue
        dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        count = max(1, round(length / apart))
        for step in range(count):
            at = (step + 0.5) * length / count
            yield (a[0] + dx * at, a[1] + dy * at), (dx, dy)
