"""What lies on a measured table: areas and lines of ground, hills with their crests."""

from __future__ import annotations

from typing import Generic, TypeVar

from zareba.space.geometry import Bounds, Point, Points
from zareba.space.outlines import Area, Line

__all__ = ["Piece"]

G = TypeVar("G")


class Piece(Generic[G]):
    """A piece of ground: where it lies, and what the rules say of it, its `ground`, which only they read.

    `crest`: the part of a hill that hides what is behind it. `over`: it lies on top of other pieces, as a bridge does.
    `building`: the name of the one that stands there.
    """

    __slots__ = ("box", "building", "crest", "ground", "hiding", "name", "over", "points", "shape")

    def __init__(
        self,
        name: str,
        ground: G,
        shape: Area | Line,
        crest: Area | None = None,
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
        self.points: tuple[Point, ...] = shape.points
        self.box: Bounds = shape.box
        self.hiding: Area | Line = crest or shape
        """What of it hides: the crest of a hill, all of anything else."""

    @classmethod
    def area(
        cls, name: str, ground: G, points: Points, crest: Points = (), *, over: bool = False, building: str = ""
    ) -> Piece[G]:
        """A piece that covers ground."""
        return cls(name, ground, Area(points), Area(crest) if crest else None, over=over, building=building)

    @classmethod
    def line(cls, name: str, ground: G, points: Points) -> Piece[G]:
        """A piece without width, such as a wall."""
        return cls(name, ground, Line(points))

    @property
    def is_area(self) -> bool:
        """Whether it covers ground."""
        return isinstance(self.shape, Area)

    @property
    def legs(self) -> tuple[tuple[Point, Point], ...]:
        """The sides of an area, the straight parts of a line."""
        return self.shape.legs

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it or on its border; a line holds none."""
        return isinstance(self.shape, Area) and self.shape.holds(point)

    def meets(self, a: Point, b: Point) -> bool:
        """Whether the straight line from a to b touches it."""
        return self.shape.meets(a, b)

    def may_meet(self, box: Bounds) -> bool:
        """False if an upright rectangle certainly lies wide of an area."""
        return not isinstance(self.shape, Area) or self.shape.may_meet(box)

    def distance(self, point: Point) -> float:
        """How far a point is from it, 0 inside an area."""
        return self.shape.distance(point)

    def depth(self, point: Point) -> float:
        """How far a point inside an area is from the nearest border of it."""
        return self.shape.distance_to_border(point) if isinstance(self.shape, Area) else 0.0

    def is_within(self, point: Point, reach: float) -> bool:
        """Whether a point is no farther from it than so much."""
        (x, y), (west, south, east, north) = point, self.box
        if x < west - reach or x > east + reach or y < south - reach or y > north + reach:
            return False
        return self.shape.distance(point) <= reach

    def length_inside(self, a: Point, b: Point) -> float:
        """How much of the straight line from a to b is inside it; nothing of it in a line."""
        return self.shape.length_inside(a, b) if isinstance(self.shape, Area) else 0.0
