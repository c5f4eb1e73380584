"""From the terrain of a neutral scenario to the ground of these rules (the catalogue's "Scenario mapping")."""

from __future__ import annotations

from zareba.scenario import Scenario, Terrain
from zareba.space.geometry import Points
from zareba.space.paths import gap_at, part_of, parts_outside, strips
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
            for number, strip in enumerate(strips(piece.line, piece.across / 2)):
                areas[f"{name}/{number}" if number else name] = (kind, strip, ())
        else:
            gaps = {key: gap_at(piece.line, gate.at, gate.width) for key, gate in piece.gates.items()}
            for number, part in enumerate(parts_outside(piece.line, gaps.values())):
                lines[f"{name}/{number}" if number else name] = (kind, part)
            for key, gap in gaps.items():
                if not piece.gates[key].open:
                    lines[f"{name} {key}"] = (SHUT_GATE, part_of(piece.line, *gap))
    return areas, lines


def _shaded(kind: str, piece: Terrain) -> str:
    """A hill by its slope; a river that can be waded."""
    if kind == "rise" and piece.slope == "steep":
        return "steep_slope"
    if kind == "deep_water" and piece.kind == "river" and piece.depth == "shallow":
        return "shallows"
    return kind
