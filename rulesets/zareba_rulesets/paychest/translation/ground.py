"""From the terrain of a neutral scenario to the ground of these rules (the catalogue's "Scenario mapping")."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zareba.base.exact import dist
from zareba.scenario import Scenario, Terrain
from zareba.scenario.model import Gate
from zareba.space import Point
from zareba.space.geometry import Points, nearest_on_segment
from zareba_rulesets.paychest.book.numbers import PaychestBook

__all__ = ["lay_ground"]

SHUT_GATE = "shut_gate"
Areas = dict[str, tuple[str, Points, Points]]
Lines = dict[str, tuple[str, Points]]


def lay_ground(book: PaychestBook, scenario: Scenario) -> tuple[Areas, Lines]:
    """The areas and linear pieces of a scenario in the terms of Table 3 (PAY-085).

    Roads, waters and gullies are strips of their width, so areas; walls and hedges are lines, broken by their gates.
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
            for gate, opening in piece.gates.items():
                if not opening.open:
                    lines[f"{name} {gate}"] = (SHUT_GATE, _opening(piece, opening))
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
    """A wall as its parts between gates."""
    legs: list[list[Point]] = [list(leg) for leg in pairwise(piece.line or ())]
    for gate in piece.gates.values():
        if not legs:
            break  # the gates before take up the whole wall
        leg = _leg_at(legs, gate)
        legs.remove(leg)
        (a, b), (first, last) = leg, _span(leg, gate)
        legs += [part for part in ([a, first], [last, b]) if part[0] != part[1]]
    joined: list[list[Point]] = []
    for leg in legs:
        before = next((part for part in joined if part[-1] == leg[0]), None)
        if before is None:
            joined.append(leg)
        else:
            before.append(leg[1])
    return [part for part in joined if len(part) > 1]


def _opening(piece: Terrain, gate: Gate) -> Points:
    """A gate as a part of its wall."""
    return _span(_leg_at([list(leg) for leg in pairwise(piece.line or ())], gate), gate)


def _leg_at(legs: Sequence[list[Point]], gate: Gate) -> list[Point]:
    return min(legs, key=lambda leg: dist(gate.at, nearest_on_segment(gate.at, leg[0], leg[1])))


def _span(leg: Sequence[Point], gate: Gate) -> list[Point]:
    """Where a gate begins and ends on its leg of a wall."""
    a, b = leg
    length, half = dist(a, b), gate.width / 2
    middle = dist(a, nearest_on_segment(gate.at, a, b))
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    marks = max(0.0, middle - half), min(length, middle + half)
    return [a if mark == 0 else b if mark == length else (a[0] + mark * ux, a[1] + mark * uy) for mark in marks]
