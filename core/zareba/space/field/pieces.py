"""What lies on a measured table: areas and lines of ground, hills with their crests."""

from __future__ import annotations

from typing import Generic, TypeVar

from zareba.space.geometry import Bounds, Point, Points
from zareba.space.outlines import TerrainArea, TerrainLine

__all__ = ["TerrainPiece"]

G = TypeVar("G")


class TerrainPiece(Generic[G]):
    """A piece of ground: where it lies, and what the rules say of it, its `ground`, which only they read.

    `crest`: the part of a hill that hides what is behind it. `over`: it lies on top of other pieces, as a bridge does.
    `building`: the name of the one that stands there.
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
        # what its shape answers, without a step between: some of it is asked for every figure
        self.points: tuple[Point, ...] = shape.points
        self.box: Bounds = shape.box
        self.legs, self.holds, self.meets = shape.legs, shape.holds, shape.meets
        self.distance, self.is_within, self.length_inside = shape.distance, shape.is_within, shape.length_inside
        self.hiding: TerrainArea | TerrainLine = crest or shape
        """What of it hides: the crest of a hill, all of anything else."""

    @classmethod
    def area(
        cls, name: str, ground: G, points: Points, crest: Points = (), *, over: bool = False, building: str = ""
    ) -> TerrainPiece[G]:
        """A piece that covers ground."""
        return cls(
            name, ground, TerrainArea(points), TerrainArea(crest) if crest else None, over=over, building=building
        )

    @classmethod
    def line(cls, name: str, ground: G, points: Points) -> TerrainPiece[G]:
        """A piece without width, such as a wall."""
        return cls(name, ground, TerrainLine(points))

    def may_meet(self, box: Bounds) -> bool:
        """False if an upright rectangle certainly lies wide of an area."""
        return not isinstance(self.shape, TerrainArea) or self.shape.may_meet(box)

    def depth(self, point: Point) -> float:
        """How far a point inside an area is from the nearest border of it."""
        return self.shape.distance_to_border(point) if isinstance(self.shape, TerrainArea) else 0.0
