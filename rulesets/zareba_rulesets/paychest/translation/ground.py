"""Translation of a scenario's terrain into the terrain of these rules."""

from __future__ import annotations

from zareba.scenario import Scenario
from zareba.space.geometry import Points
from zareba.space.paths import gap_at, part_of, parts_outside, strips
from zareba_rulesets.paychest.book.numbers import PaychestBook

__all__ = ["lay_ground"]

SHUT_GATE = "shut_gate"
Areas = dict[str, tuple[str, Points, Points]]
"""Areas by name: the line of the terrain chart, the outline, and the crest of a hill."""
Lines = dict[str, tuple[str, Points]]
"""Linear pieces by name: the line of the terrain chart, and the points of the line."""


def lay_ground(book: PaychestBook, scenario: Scenario) -> tuple[Areas, Lines]:
    """Return the areas and linear pieces of a scenario in the terms of the terrain chart (PAY-085).

    Roads, rivers and gullies become areas, as strips of their width. Walls and hedges become lines, interrupted by
    their gates.
    """
    areas: Areas = {}
    lines: Lines = {}
    for name, piece in scenario.terrain.items():
        kind = book.file.mapping.word_of(piece)
        if piece.area is not None:
            areas[name] = (kind, piece.area, piece.crest or ())
            continue
        assert piece.line is not None, "a piece of terrain is an area or a line"
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
