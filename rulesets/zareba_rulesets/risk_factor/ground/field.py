"""The terrain of a battle together with the lines of sight over it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from zareba.space.field.pieces import TerrainPiece
from zareba.space.lazy import LazyBetween
from zareba_rulesets.risk_factor.book.numbers import Ground, RskBook
from zareba_rulesets.risk_factor.ground.sight_lines import view_between
from zareba_rulesets.risk_factor.ground.terrain import MOST_KEPT, Terrain

__all__ = ["MOST_KEPT", "Field"]


class Field(Terrain):
    """The terrain, and the lines of sight between units over it."""

    def __init__(self, book: RskBook, width: float, depth: float, pieces: Mapping[str, TerrainPiece[Ground]]) -> None:
        super().__init__(book, width, depth, pieces)
        self.views = LazyBetween(partial(view_between, self), MOST_KEPT)
