"""What shelters a base where it stands: the areas that hold it, the lines that it stands at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, TypeVar

from zareba.space.field.bodies import Body
from zareba.space.field.pieces import Piece
from zareba.space.field.squares import Squares
from zareba.space.geometry import Bounds, Point, widened
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import Line

__all__ = ["Sheltering", "Shelters", "best_shelter"]

S = TypeVar("S")
G = TypeVar("G")
MOST_KEPT = 50_000


class Sheltering(Protocol):
    """What shelters somebody."""

    @property
    def line(self) -> Line | None:
        """The line across which alone it shelters, or None: from every side."""
        ...


L = TypeVar("L", bound=Sheltering)


def best_shelter(shelters: Iterable[L], start: Point | None, at: Point, worth: Callable[[L], float]) -> L | None:
    """The best of some shelters at a point against a look from another, the first of equals; from None: from anywhere.

    None if none of them is worth anything.
    """
    best, most = None, 0.0
    for shelter in shelters:
        value = worth(shelter)
        if value > most and (start is None or (line := shelter.line) is None or line.meets(start, at)):
            best, most = shelter, value
    return best


class Shelters(Generic[S]):
    """All that shelters anybody on a table. An area shelters whom it holds, a line whose edge is no more than `near` to it."""

    __slots__ = ("_at", "_pieces", "_squares", "near")

    def __init__(
        self, extent: Point, near: float, pieces: Iterable[Piece[G]], shelter: Callable[[Piece[G]], S]
    ) -> None:
        """`shelter`: what the rules say of a piece for those whom it shelters."""
        self.near = near
        self._pieces: list[tuple[Piece[Any], S]] = [(piece, shelter(piece)) for piece in pieces]
        self._squares = Squares(*extent, [piece.shape for piece, _ in self._pieces])
        self._at: Lazy[tuple[Point, float], tuple[S, ...]] = LazyBetween(self._look, MOST_KEPT)

    def any_in(self, box: Bounds, within: float) -> bool:
        """Whether any may lie no farther than so much from an upright rectangle."""
        return not self._squares.is_open(*widened(box, within))

    def of(self, at: Point, radius: float) -> tuple[S, ...]:
        """What shelters a base of this radius at a point, in the order of the pieces."""
        return self._at[at, radius] if self.any_in((*at, *at), radius + self.near) else ()

    def of_body(self, body: Body) -> tuple[tuple[S, ...], ...]:
        """What shelters each figure of a body; nothing at all where nobody has any."""
        if not self.any_in(body.box, self.near):
            return ()
        found = tuple([self.of(point, body.radius) for point in body.at])
        return found if any(found) else ()

    def _look(self, at: Point, radius: float) -> tuple[S, ...]:
        touch = radius + self.near
        return tuple([found for piece, found in self._pieces if piece.is_within(at, 0.0 if piece.is_area else touch)])
