"""From the terrain of a neutral scenario to the ground of these rules (the catalogue's "Scenario mapping")."""

from __future__ import annotations

from itertools import pairwise
from math import dist

from zareba.scenario import Scenario, Terrain
from zareba.space import Point
from zareba.space.geometry import Points, nearest_on_segment
from zareba_rulesets.paychest.book import PaychestBook

__all__ = ["lay_ground"]

Areas = dict[str, tuple[str, Points, Points]]
Lines = dict[str, tuple[str, Points]]


def lay_ground(book: PaychestBook, scenario: Scenario) -> tuple[Areas, Lines]:
    """The areas and linear pieces of a scenario in the terms of Table 3 (PAY-085).

    Roads, waters and gullies are strips of their width, so areas; walls and hedges are lines, with openings where
    their gates stand open.
    """
    mapping = book.file.mapping
    areas: Areas = {}
    lines: Lines = {}
    for name, piece in scenario.terrain.items():
        if piece.area is not None:
            kind = _shaded(mapping.area_terrain[piece.kind], piece)
            areas[name] = (kind, piece.area, piece.crest or ())
            continue
        assert piece.line is not None, "a piece of terrain is an area or a line"
        kind = _shaded(mapping.linear_terrain.get(piece.kind) or mapping.area_terrain[piece.kind], piece)
        if kind in book.file.terrain:
            for number, strip in enumerate(_strips(piece.line, piece.across / 2)):
                areas[f"{name}/{number}" if number else name] = (kind, strip, ())
        else:
            for number, part in enumerate(_without_gates(piece)):
                lines[f"{name}/{number}" if number else name] = (kind, part)
    return areas, lines


def _shaded(kind: str, piece: Terrain) -> str:
    """A hill by its slope; a river that can be waded."""
    if kind == "rise" and piece.slope == "steep":
        return "steep_slope"
    if kind == "deep_water" and piece.kind == "river" and piece.depth == "shallow":
        return "shallows"
    return kind


def _strips(line: Points, half: float) -> list[Points]:
    """A rectangle along each leg of a line, longer by half its width at either end so that bends are filled."""
    found: list[Points] = []
    for a, b in pairwise(line):
        length = dist(a, b)
        if length == 0:
            continue
        ux, uy = (b[0] - a[0]) / length * half, (b[1] - a[1]) / length * half
        start, end = (a[0] - ux, a[1] - uy), (b[0] + ux, b[1] + uy)
        left, right = (-uy, ux), (uy, -ux)
        found.append(
            [
                (start[0] + left[0], start[1] + left[1]),
                (end[0] + left[0], end[1] + left[1]),
                (end[0] + right[0], end[1] + right[1]),
                (start[0] + right[0], start[1] + right[1]),
            ]
        )
    return found


def _without_gates(piece: Terrain) -> list[Points]:
    """A wall as its parts between open gates; a shut gate is wall (PAY-085)."""
    legs: list[list[Point]] = [list(leg) for leg in pairwise(piece.line or ())]
    for gate in piece.gates.values():
        if not gate.open:
            continue
        leg = min(legs, key=lambda leg: dist(gate.at, nearest_on_segment(gate.at, leg[0], leg[1])))
        legs.remove(leg)
        legs += _cut(leg, gate.at, gate.width / 2)
    joined: list[list[Point]] = []
    for leg in legs:
        before = next((part for part in joined if part[-1] == leg[0]), None)
        if before is None:
            joined.append(leg)
        else:
            before.append(leg[1])
    return [part for part in joined if len(part) > 1]


def _cut(leg: list[Point], at: Point, half: float) -> list[list[Point]]:
    a, b = leg
    length = dist(a, b)
    middle = dist(a, nearest_on_segment(at, a, b))
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    first, last = max(0.0, middle - half), min(length, middle + half)
    parts = []
    if first > 0:
        parts.append([a, (a[0] + first * ux, a[1] + first * uy)])
    if last < length:
        parts.append([(a[0] + last * ux, a[1] + last * uy), b])
    return parts
