"""Terrain along a line: roads, water, gullies, walls and breastworks, with their gates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from zareba.base.exact import atan2d
from zareba.picture.relief import points_along
from zareba.picture.svg import SvgCanvas, escape_text, number
from zareba.scenario.model import Gate, Terrain
from zareba.scenario.vocabulary.words import TERRAIN, known_word
from zareba.space.geometry import Point, distance_to_segment, nearest_on_segment

__all__ = ["draw_line_terrain", "gate", "opening"]

BEND = 0.75
"""Distance before a corner at which the bend of a road or river begins, as a share of its width."""


def draw_line_terrain(piece: Terrain, line: Sequence[Point], sheet: SvgCanvas) -> Iterator[str]:
    """Yield the drawing of a linear piece of terrain, in its real width."""
    across = max(0.35, piece.across)
    draw = LINES.get(known_word(piece.kind, TERRAIN, LINES))
    if draw is None:
        yield sheet.shape("course", line, closed=False)
    else:
        yield from draw(line, sheet, across)
    for one in piece.gates.values():
        yield gate(one, line, sheet)


def _layers(line: Sequence[Point], sheet: SvgCanvas, across: float, layers: Mapping[str, float]) -> Iterator[str]:
    """Yield the same line several times, each narrower than the one below it."""
    for kind, share in layers.items():
        width = f' stroke-width="{number(across * share)}"'
        yield sheet.shape(kind, line, closed=False, more=width, rounded=across * BEND)


def _road(line: Sequence[Point], sheet: SvgCanvas, across: float) -> Iterator[str]:
    return _layers(line, sheet, across, {"verge": 1.0, "course": 0.86, "rut": 0.5, "between": 0.36})


def _bridge(line: Sequence[Point], sheet: SvgCanvas, across: float) -> Iterator[str]:
    return _layers(line, sheet, across, {"verge": 1.0, "course": 0.8, "planks": 0.8})


def _water(line: Sequence[Point], sheet: SvgCanvas, across: float) -> Iterator[str]:
    yield from _layers(line, sheet, across, {"shore": 1.18, "bank": 1.0, "course": 0.88, "deep": 0.5})
    for place, (share, kind) in enumerate(((-0.22, "ripple"), (0.05, "ripple wide"), (0.27, "ripple"))):
        yield sheet.shape(kind, _beside(line, across * share), closed=False, rounded=across * (0.5 + place * 0.2))


def _ford(line: Sequence[Point], sheet: SvgCanvas, across: float) -> Iterator[str]:
    return _layers(line, sheet, across, {"course": 1.0, "stones": 0.8, "stones wide": 0.4})


def _gully(line: Sequence[Point], sheet: SvgCanvas, across: float) -> Iterator[str]:
    """Yield a dry bed between two banks that slope towards it."""
    yield from _layers(line, sheet, across, {"rim": 1.0, "course": 0.94})
    strokes = []
    for (x, y), (dx, dy) in points_along(line, 0.6, closed=False):
        for side in (1, -1):
            outer, inner = 0.5 * across * side, 0.2 * across * side
            strokes.append(
                sheet.path([(x - dy * outer, y + dx * outer), (x - dy * inner, y + dx * inner)], closed=False)
            )
    yield f'<path class="hachure" d="{"".join(strokes)}"/>'
    yield from _layers(line, sheet, across, {"bed": 0.36})


def _barrier(line: Sequence[Point], sheet: SvgCanvas, across: float) -> Iterator[str]:
    """Yield a wall or breastwork: its shadow, its body, and its material on top."""
    yield sheet.shape("shadow", line, closed=False, more=' transform="translate(.28 .32)"')
    yield sheet.shape("course", line, closed=False)
    yield sheet.shape("built", line, closed=False)


def _beside(line: Sequence[Point], by: float) -> list[Point]:
    """Return a line parallel to another, `by` to its left."""
    found = []
    for place, (x, y) in enumerate(line):
        before, after = line[max(0, place - 1)], line[min(len(line) - 1, place + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        found.append((x - dy / length * by, y + dx / length * by))
    return found


LINES: Mapping[str, Callable[[Sequence[Point], SvgCanvas, float], Iterator[str]]] = {
    "road": _road,
    "bridge": _bridge,
    "stream": _water,
    "river": _water,
    "ford": _ford,
    "gully": _gully,
    **dict.fromkeys(
        (
            "hedge", "fence", "low_wall", "high_wall", "mealie_bags", "sandbags", "sangar", "zareba", "barbed_wire",
            "trench", "rampart",
        ),
        _barrier,
    ),
}  # fmt: skip


def gate(one: Gate, line: Sequence[Point], sheet: SvgCanvas) -> str:
    """Return a gap in a wall, with its leaves if it is shut."""
    half = number(one.width / 2)
    words = f"Gate of {one.kind.replace('_', ' ')}, {'open' if one.open else 'shut'}"
    leaf = "" if one.open else f'<path class="leaf-of-gate" d="M-{half} 0H{half}"/>'
    return opening(one.at, line, sheet, "gate", words, f'<path class="gap" d="M-{half} 0H{half}"/>{leaf}')


def opening(at: Point, line: Sequence[Point], sheet: SvgCanvas, kind: str, words: str, drawn: str) -> str:
    """Return a gate, door or window, drawn along the leg of the wall that it is in."""
    a, b = min(pairwise(line), key=lambda leg: distance_to_segment(at, *leg))
    x, y = sheet.xy(nearest_on_segment(at, a, b))
    turn = number(atan2d(a[1] - b[1], b[0] - a[0]))
    return f'<g class="{kind}" transform="translate({x} {y}) rotate({turn})">{escape_text(words)}{drawn}</g>'
