"""Terrain that gives cover to a base: the areas it is in and the lines it is close to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, TypeVar

from zareba.space.field.bodies import Body
from zareba.space.field.grid_index import GridIndex
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Bounds, Point, widen
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import TerrainLine

__all__ = ["CoverFinder", "GivesCover", "best_cover"]

S = TypeVar("S")
G = TypeVar("G")
MOST_KEPT = 50_000


class GivesCover(Protocol):
    """A source of cover."""

    @property
    def line(self) -> TerrainLine | None:
        """The line across which alone it gives cover; None if it gives cover from every side."""
        ...


L = TypeVar("L", bound=GivesCover)


def best_cover(shelters: Iterable[L], start: Point | None, at: Point, worth: Callable[[L], float]) -> L | None:
    """Return the most valuable source of cover at a point against an observer at `start`; of equals, the first.

    With `start` None, the direction does not matter. Returns None if no source is worth anything.
    """
    best, most = None, 0.0
    for shelter in shelters:
        value = worth(shelter)
        if value > most and (start is None or (line := shelter.line) is None or line.meets(start, at)):
            best, most = shelter, value
    return best


class CoverFinder(Generic[S]):
    """All sources of cover on a table.

    An area covers bases inside it; a line covers bases whose edge is within `near` of it.
    """

    __slots__ = ("_at", "_pieces", "_squares", "near")

    def __init__(
        self, extent: Point, near: float, pieces: Iterable[TerrainPiece[G]], shelter: Callable[[TerrainPiece[G]], S]
    ) -> None:
        """Index the pieces; `shelter` returns the rules' data about the cover that a piece gives."""
        self.near = near
        self._pieces: list[tuple[TerrainPiece[Any], S]] = [(piece, shelter(piece)) for piece in pieces]
        self._squares = GridIndex(*extent, [piece.shape for piece, _ in self._pieces])
        self._at: Lazy[tuple[Point, float], tuple[S, ...]] = LazyBetween(self._look, MOST_KEPT)

    def any_in(self, box: Bounds, within: float) -> bool:
        """Return True if there may be a source of cover at most `within` from a box."""
        return not self._squares.is_open(*widen(box, within))

    def of(self, at: Point, radius: float) -> tuple[S, ...]:
        """Return the sources of cover for a base of this radius at a point, in the order of the pieces."""
        return self._at[at, radius] if self.any_in((*at, *at), radius + self.near) else ()

    def of_body(self, body: Body) -> tuple[tuple[S, ...], ...]:
        """Return the sources of cover for each figure of a body; empty if no figure has any."""
        if not self.any_in(body.box, self.near):
            return ()
        found = tuple([self.of(point, body.radius) for point in body.at])
        return found if any(found) else ()

    def _look(self, at: Point, radius: float) -> tuple[S, ...]:
        touch = radius + self.near
        return tuple([found for piece, found in self._pieces if piece.is_within(at, 0.0 if piece.is_area else touch)])
