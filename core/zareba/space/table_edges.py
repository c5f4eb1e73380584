"""Table edges and compass directions: distances, nearest points and bearings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from zareba.space.geometry import Point

__all__ = [
    "EDGES", "INWARD", "OPPOSITE", "WINDS", "Edge", "Wind", "bearing_of", "distances_to_edges", "middle_of_edge",
    "nearest_on_edge",
]  # fmt: skip

Edge: TypeAlias = Literal["north", "east", "south", "west"]
Wind: TypeAlias = Literal["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"]

EDGES: Final[tuple[Edge, ...]] = get_args(Edge)
WINDS: Final[tuple[Wind, ...]] = get_args(Wind)
OPPOSITE: Final[Mapping[str, Edge]] = {"north": "south", "east": "west", "south": "north", "west": "east"}
INWARD: Final[Mapping[str, Point]] = {
    "north": (0.0, -1.0),
    "east": (-1.0, 0.0),
    "south": (0.0, 1.0),
    "west": (1.0, 0.0),
}
"""The unit vector from an edge onto the table."""


def bearing_of(wind: str) -> float:
    """Return the bearing of a compass direction or of an edge.

    Raises ValueError for any other name.
    """
    return 45.0 * WINDS.index(wind)


def distances_to_edges(at: Point, extent: Point) -> dict[str, float]:
    """Return the distance of a point from each table edge, at right angles; `extent` is width and depth."""
    (x, y), (width, depth) = at, extent
    return {"north": depth - y, "east": width - x, "south": y, "west": x}


def nearest_on_edge(at: Point, extent: Point, edge: str) -> Point:
    """Return the point of an edge that is nearest to another point."""
    (x, y), (width, depth) = at, extent
    return {"north": (x, depth), "east": (width, y), "south": (x, 0.0), "west": (0.0, y)}[edge]


def middle_of_edge(extent: Point, edge: str) -> Point:
    """Return the middle of an edge of a table of this width and depth."""
    return nearest_on_edge((extent[0] / 2, extent[1] / 2), extent, edge)
