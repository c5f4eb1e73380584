"""The terrain of a neutral scenario as terrain pieces in cm."""

from __future__ import annotations

from zareba.scenario import Scenario, Terrain
from zareba.scenario.model import Gate
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, Points
from zareba.space.outlines import crossings, gap_at, mitre, part_of, parts_outside
from zareba_rulesets.risk_factor.book import Ground, RskBook

_CROSSINGS = ("ford", "bridge")
STRIPS = ("broken", "closed", "donga", "open")


def ground_pieces(book: RskBook, scenario: Scenario) -> dict[str, TerrainPiece[Ground]]:
    """Return every terrain piece that matters in play, by name. The parts of a cut line are numbered.

    Streams, rivers and dongas become strips of their width. Rivers are cut at fords and bridges, walls at gates
    (RSK-076, RSK-077, RSK-155).
    """
    scale = book.settings.scenario_cm_per_inch
    found: dict[str, TerrainPiece[Ground]] = {}
    for name, terrain in scenario.terrain.items():
        word = book.file.mapping.word_of(terrain)
        if terrain.area is not None:
            area = _scale_points(terrain.area, scale)
            crest = (_scale_points(terrain.crest, scale) if terrain.crest else area) if terrain.kind == "hill" else []
            if word != "open" or crest:
                found[name] = TerrainPiece.area(name, book.file.grounds[word], area, crest)
        elif terrain.line is not None and terrain.kind not in ("road", "bridge"):
            for part, line in _cut_line(name, terrain, scenario, scale):
                found[part] = _linear(book, part, terrain, word, line, scale)
            for gate_name, gate in terrain.gates.items():
                if not gate.open:
                    line, part = _scale_points(terrain.line, scale), f"{name}.{gate_name}"
                    opening = part_of(line, *_gap(line, gate, scale))
                    found[part] = TerrainPiece.line(part, book.file.grounds["gate"], opening)
    return found


def _linear(
    book: RskBook, name: str, terrain: Terrain, word: str, line: list[Point], scale: float
) -> TerrainPiece[Ground]:
    """Return a piece of linear terrain: an area if it has a width, else a line."""
    ground = book.file.grounds[word]
    if word in STRIPS:
        return TerrainPiece.area(name, ground, mitre(line, terrain.across * scale / 2))
    return TerrainPiece.line(name, ground, line)


def _cut_line(name: str, terrain: Terrain, scenario: Scenario, scale: float) -> list[tuple[str, list[Point]]]:
    """Return a line cut where it can be passed: a deep river at its fords and bridges, a wall at its gates."""
    line = _scale_points(terrain.line or (), scale)
    gaps: list[tuple[float, float]] = []
    if terrain.kind == "river" and terrain.is_deep:
        for other in scenario.terrain.values():
            if other.kind in _CROSSINGS and other.line is not None:
                path = _scale_points(other.line, scale)
                half = other.across * scale / 2
                gaps += [(at - half, at + half) for at in crossings(line, path)]
    gaps += [_gap(line, gate, scale) for gate in terrain.gates.values()]
    parts = parts_outside(line, gaps)
    return [(name, parts[0])] if len(parts) == 1 else [(f"{name}.{n}", part) for n, part in enumerate(parts, start=1)]


def _gap(line: list[Point], gate: Gate, scale: float) -> tuple[float, float]:
    """Return the part of a line that a gate takes up."""
    return gap_at(line, (gate.at[0] * scale, gate.at[1] * scale), gate.width * scale)


def _scale_points(points: Points, scale: float) -> list[Point]:
    """Return points of the scenario in cm of the table."""
    return [(x * scale, y * scale) for x, y in points]
