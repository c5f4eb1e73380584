"""The default line of sight: the same under every ruleset, in inches, for house rules that need one.

Rulesets have their own in `chapters/sight`. Here solid terrain and the crest of a hill hide everything behind them;
vegetation hides everything behind more than a given depth of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zareba.scenario import Scenario
from zareba.scenario.model import Terrain
from zareba.scenario.vocabulary.words import TERRAIN, likes
from zareba.space.field.line_of_sight import SightBlocker
from zareba.space.field.pieces import TerrainPiece

__all__ = ["GROWTH", "SOLID", "screens_of"]

SOLID: Final = frozenset(kind for kind, word in TERRAIN.items() if word.see_into == 0)
"""Kinds of terrain that hide everything behind them. A hill does so with its crest."""
GROWTH: Final[Mapping[str, float]] = {kind: word.see_into for kind, word in TERRAIN.items() if word.see_into}
"""Kinds of vegetation, with the depth in inches that a figure can see through."""


def screens_of(scenario: Scenario) -> tuple[SightBlocker[str], ...]:
    """Return everything in a scenario that blocks sight, in inches. A hill without a crest hides nothing."""
    found = []
    for name, terrain in scenario.terrain.items():
        hides = terrain.kind in SOLID and ("hill" not in likes(terrain.kind, TERRAIN) or terrain.crest is not None)
        if hides or terrain.kind in GROWTH:
            found.append(SightBlocker(_piece(name, terrain), through=GROWTH.get(terrain.kind)))
    return tuple(found)


def _piece(name: str, terrain: Terrain) -> TerrainPiece[str]:
    if terrain.area is not None:
        return TerrainPiece.area(name, terrain.kind, terrain.area, terrain.crest or ())
    assert terrain.line is not None, "a piece of terrain is an area or a line"
    return TerrainPiece.line(name, terrain.kind, terrain.line)
