"""Pieces of terrain on an open table: areas, lines, and hills with their crests."""

from __future__ import annotations

from typing import Generic, TypeVar

from zareba.space.geometry import Bounds, Point, Points
from zareba.space.outlines import TerrainArea, TerrainLine

G = TypeVar("G")


class TerrainPiece(Generic[G]):
    """A piece of terrain: its shape, and its `ground`, the ruleset's own data about it.

    `crest` is the part of a hill that blocks line of sight. `over` means that it is on top of other pieces, like a
    bridge. `building` is the name of the building there, if any.
    """

    __slots__ = (
        "box",
        "building",
        "crest",
        "distance",
        "ground",
        "hiding",
        "holds",
        "is_area",
        "is_within",
        "legs",
        "length_inside",
        "meets",
        "name",
        "over",
        "points",
        "shape",
    )

    def __init__(
        self,
        name: str,
        ground: G,
        shape: TerrainArea | TerrainLine,
        crest: TerrainArea | None = None,
        *,
        over: bool = False,
        building: str = "",
    ) -> None:
        self.name = name
        self.ground = ground
        self.shape = shape
        self.crest = crest
        self.over = over
        self.building = building
        self.is_area = isinstance(shape, TerrainArea)
        # attributes and methods of the shape, bound here because some are called for every figure
        self.points: tuple[Point, ...] = shape.points
        self.box: Bounds = shape.box
        self.legs, self.holds, self.meets = shape.legs, shape.holds, shape.meets
        self.distance, self.is_within, self.length_inside = shape.distance, shape.is_within, shape.length_inside
        self.hiding: TerrainArea | TerrainLine = crest or shape
        """The part that blocks line of sight: the crest of a hill, otherwise the whole piece."""

    @classmethod
    def area(
        cls, name: str, ground: G, points: Points, crest: Points = (), *, over: bool = False, building: str = ""
    ) -> TerrainPiece[G]:
        """Return a piece that covers an area."""
        return cls(
            name, ground, TerrainArea(points), TerrainArea(crest) if crest else None, over=over, building=building
        )

    @classmethod
    def line(cls, name: str, ground: G, points: Points) -> TerrainPiece[G]:
        """Return a piece without width, such as a wall."""
        return cls(name, ground, TerrainLine(points))

    def may_meet(self, box: Bounds) -> bool:
        """Return False if a box is certainly outside an area."""
        return not isinstance(self.shape, TerrainArea) or self.shape.may_meet(box)

    def depth(self, point: Point) -> float:
        """Return the distance of a point inside an area from its nearest border; 0 for a line."""
        return self.shape.distance_to_border(point) if isinstance(self.shape, TerrainArea) else 0.0
