"""The protocol that every kind of table implements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from zareba.space.geometry import Point
from zareba.space.grid.routes import Number

__all__ = ["Space"]

Place = TypeVar("Place", contravariant=True)
Between = TypeVar("Between", covariant=True)


class Space(Protocol[Place, Between]):
    """A table, whatever its unit of measure.

    A `Place` is a cell number on boxes and hexes, a point on an open table. `Between` is what a line crosses: a cell
    number on a grid, a piece of terrain with its stretch of the line on an open table.
    """

    @property
    def extent(self) -> Point:
        """Width and depth of the table in its own measure."""
        ...

    def distance(self, a: Place, b: Place) -> Number:
        """Return the distance from a to b, the same in both directions."""
        ...

    def distance_to_edge(self, place: Place, edge: str) -> float:
        """Return the distance from a place to an edge of the table, at right angles to the edge."""
        ...

    def crossed(self, a: Place, b: Place) -> Sequence[Between]:
        """Return everything that the straight line from a to b crosses."""
        ...

    def sees(self, a: Place, b: Place, blocks: Callable[[Between], bool]) -> bool:
        """Return True if nothing on the straight line from a to b blocks it; the same in both directions."""
        ...
