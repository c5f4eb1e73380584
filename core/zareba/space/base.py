"""The questions that every kind of table answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from zareba.space.geometry import Point
from zareba.space.grid.routes import Number

__all__ = ["Space"]

Place = TypeVar("Place", contravariant=True)
Between = TypeVar("Between", covariant=True)


class Space(Protocol[Place, Between]):
    """A table, whatever it measures by.

    A `Place` is a cell number on boxes and hexes, a point on an open table; what lies `Between` two places
    is a cell number there, a piece of terrain with its stretch of the line here.
    """

    @property
    def extent(self) -> Point:
        """Width and depth of the table in its own measure."""
        ...

    def distance(self, a: Place, b: Place) -> Number:
        """How far it is from a to b, the same both ways."""
        ...

    def distance_to_edge(self, place: Place, edge: str) -> float:
        """How far a place is from an edge of the table, at right angles to it."""
        ...

    def crossed(self, a: Place, b: Place) -> Sequence[Between]:
        """What the straight line from a to b runs through."""
        ...

    def sees(self, a: Place, b: Place, blocks: Callable[[Between], bool]) -> bool:
        """True if nothing on the straight line from a to b blocks; the same both ways."""
        ...
