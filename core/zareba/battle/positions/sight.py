"""What ground hides from whom, in the scenario's own words and inches: for house rules that must know it in every system.

Rule systems have rules of sight of their own, and use those. This is the plain law of a table without any: what is solid,
and the crest of a hill, hides what is behind it; growth hides what has so much of it before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zareba.scenario import Scenario
from zareba.scenario.model import Terrain
from zareba.space.field.line_of_sight import SightBlocker
from zareba.space.field.pieces import TerrainPiece

__all__ = ["GROWTH", "SOLID", "screens_of"]

SOLID: Final = frozenset(
    {"village", "ruins", "building", "rocks", "kopje", "hill", "cliff", "high_wall", "rampart", "zareba"}
)
"""Kinds of terrain that hide what is behind them, of a hill its crest."""
GROWTH: Final[Mapping[str, float]] = {
    "tall_grass": 9.0,
    "crops": 9.0,
    "orchard": 9.0,
    "palm_grove": 9.0,
    "light_wood": 6.0,
    "dense_wood": 3.0,
    "jungle": 3.0,
}
"""Kinds of growth, and through how many inches of each one sees."""


def screens_of(scenario: Scenario) -> tuple[SightBlocker[str], ...]:
    """All that hides anything on the table of a scenario, in inches. A hill without a crest hides nothing."""
    found = []
    for name, terrain in scenario.terrain.items():
        hides = terrain.kind in SOLID and (terrain.kind != "hill" or terrain.crest is not None)
        if hides or terrain.kind in GROWTH:
            found.append(SightBlocker(_piece(name, terrain), through=GROWTH.get(terrain.kind)))
    return tuple(found)


def _piece(name: str, terrain: Terrain) -> TerrainPiece[str]:
    if terrain.area is not None:
        return TerrainPiece.area(name, terrain.kind, terrain.area, terrain.crest or ())
    assert terrain.line is not None, "a piece of terrain is an area or a line"
    return TerrainPiece.line(name, terrain.kind, terrain.line)
