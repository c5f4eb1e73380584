"""The terrain of a generated scenario: pieces that do not overlap, with room for the sides at their edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.authoring.rng import KeyedRandom
from zareba.base.exact import cosd, sind
from zareba.scenario.vocabulary.words import TERRAIN
from zareba.space.geometry import Point, bounds, bounds_meet

__all__ = ["ZONE", "ground"]

ZONE = 7.0
"""Depth of a deployment zone, in inches."""
APART = 1.5
"""Distance between two pieces of terrain, in inches."""
TRIES = 40

WALLS = ("low_wall", "hedge", "sangar", "mealie_bags")


def ground(
    luck: KeyedRandom, width: float, depth: float, kinds: Sequence[str], count: int
) -> dict[str, dict[str, Any]]:
    """Return pieces of terrain by id: first a piece worth fighting for in the middle, then the others around it.

    Pieces that find no room are left out, even the one in the middle.
    """
    pieces: dict[str, dict[str, Any]] = {}
    taken: list[tuple[float, float, float, float]] = []
    river = luck.of("river").chance(35)
    if river:
        pieces |= _river(luck.of("river"), width, depth, taken)
    prize = luck.of("prize").one_of([kind for kind in ("village", "ruins", "hill", "kopje") if kind in kinds])
    _put(pieces, taken, luck.of("prize"), prize, width, depth, (0.3, 0.7))
    for number in range(count):
        kind = luck.of(f"kind/{number}").one_of(kinds)
        _put(pieces, taken, luck.of(f"piece/{number}"), kind, width, depth, (0.1, 0.9))
    if not river:
        pieces["track"] = _track(luck.of("track"), width, depth)
    wall = luck.of("wall")
    host = next((key for key, piece in pieces.items() if piece["kind"] in ("village", "ruins")), None)
    if host is not None and wall.chance(60):
        west, south, east, north = bounds(pieces[host]["area"])
        y = south - 1.0 if wall.chance(50) else north + 1.0
        if ZONE < y < depth - ZONE:
            kind = wall.one_of(WALLS)
            pieces["wall"] = {"kind": kind, "name": kind.replace("_", " ").capitalize(), "line": [[west, y], [east, y]]}
    return pieces


def _put(
    pieces: dict[str, dict[str, Any]],
    taken: list[tuple[float, float, float, float]],
    luck: KeyedRandom,
    kind: str,
    width: float,
    depth: float,
    middle: tuple[float, float],
) -> None:
    """Place one piece where there is room; after some tries it is left out."""
    word = TERRAIN[kind]
    known = word.names or (f"The {kind.replace('_', ' ')}",)
    for _ in range(TRIES):
        half = luck.between(*word.half_width)
        x = luck.between(width * 0.06 + half, width * 0.94 - half)
        y = luck.between(max(ZONE + half * 0.6, depth * middle[0]), min(depth - ZONE - half * 0.6, depth * middle[1]))
        area = _box(luck, x, y, half) if word.laid_out else _blob(luck, x, y, half)
        box = bounds(area)
        wide = box[0] - APART, box[1] - APART, box[2] + APART, box[3] + APART
        if any(bounds_meet(wide, other) for other in taken) or box[1] < 1 or box[3] > depth - 1:
            continue
        taken.append(box)
        key = kind if kind not in pieces else next(f"{kind}_{n}" for n in range(2, 99) if f"{kind}_{n}" not in pieces)
        names = [name for name in known if name not in {piece.get("name") for piece in pieces.values()}]
        piece: dict[str, Any] = {
            "kind": kind,
            "name": luck.one_of(names or [f"{known[0]} {len(pieces) + 1}"]),
            "area": _listed(area),
        }
        if kind == "hill":
            piece |= {
                "slope": luck.one_of(("gentle", "steep")),
                "levels": luck.whole(1, 2),
                "crest": _listed(_shrunk(area, x, y)),
            }
        if kind == "village":
            piece["material"] = luck.one_of(("adobe", "wood", "stone"))
        pieces[key] = piece
        return


def _blob(luck: KeyedRandom, x: float, y: float, half: float) -> list[Point]:
    """Return an irregular outline around a point, such as that of a hill or a wood, with seven corners."""
    corners = 7
    found = []
    for corner in range(corners):
        away = half * (75 + luck.below(30)) / 100
        angle = 360.0 * corner / corners
        found.append((_half(x + away * cosd(angle)), _half(y + away * 0.75 * sind(angle))))
    return found


def _box(luck: KeyedRandom, x: float, y: float, half: float) -> list[Point]:
    deep = half * (60 + luck.below(30)) / 100
    return [
        (_half(x - half), _half(y - deep)),
        (_half(x + half), _half(y - deep)),
        (_half(x + half), _half(y + deep)),
        (_half(x - half), _half(y + deep)),
    ]


def _shrunk(area: Sequence[Point], x: float, y: float) -> list[Point]:
    """Return the crest of a hill: its outline shrunk to two fifths."""
    return [(round(x + (px - x) * 0.4, 2), round(y + (py - y) * 0.4, 2)) for px, py in area]


def _half(value: float) -> float:
    return round(value * 2) / 2


def _listed(points: Sequence[Point]) -> list[list[float]]:
    return [[_plain(x), _plain(y)] for x, y in points]


def _plain(value: float) -> float:
    """Return a whole number as an int, to be written without a decimal point."""
    return int(value) if value == int(value) else value


def _river(
    luck: KeyedRandom, width: float, depth: float, taken: list[tuple[float, float, float, float]]
) -> dict[str, dict[str, Any]]:
    """Return a stream across the middle with two fords; all other terrain keeps off it."""
    y = luck.between(depth * 0.42, depth * 0.58)
    line = [
        [0, y],
        [_half(width * 0.35), _half(y + luck.between(-2, 2))],
        [_half(width * 0.7), _half(y + luck.between(-2, 2))],
        [width, y],
    ]
    taken.append((0.0, min(p[1] for p in line) - 1.5, width, max(p[1] for p in line) + 1.5))
    found: dict[str, dict[str, Any]] = {
        "stream": {"kind": "stream", "name": "The stream", "line": [[_plain(a), _plain(b)] for a, b in line]}
    }
    for number, corner in enumerate(line[1:3], start=1):
        a, b = corner
        name = "The upper ford" if number == 1 else "The lower ford"
        found[f"ford_{number}"] = {
            "kind": "ford",
            "name": name,
            "line": [[_plain(a), _plain(b - 1.5)], [_plain(a), _plain(b + 1.5)]],
            "width": 3,
        }
    return found


def _track(luck: KeyedRandom, width: float, depth: float) -> dict[str, Any]:
    xs = [luck.between(width * 0.3, width * 0.7) for _ in range(4)]
    ys = [0.0, _half(depth / 3), _half(depth * 2 / 3), depth]
    return {"kind": "road", "name": "Track", "line": [[_plain(x), _plain(y)] for x, y in zip(xs, ys, strict=True)]}
