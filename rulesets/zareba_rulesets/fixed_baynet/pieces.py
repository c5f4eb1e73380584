"""What stands on a table and does not change: areas, lines, hills, buildings with their sections and openings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from zareba.exact import hypot, total
from zareba.space.geometry import Bounds, Point, bounds, crossing, distance_to_path, distance_to_polygon
from zareba_rulesets.fixed_baynet.book import Row
from zareba_rulesets.fixed_baynet.shapes import Shape, shape_of

__all__ = ["Building", "Height", "Opening", "Piece", "Section", "area_piece", "line_piece"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of terrain: a polygon, or an open line without width. `over`: it lies on top of rivers and crags."""

    name: str
    row: Row
    points: tuple[Point, ...]
    is_area: bool
    box: Bounds
    over: bool = False
    building: str = ""
    shape: Shape | None = None

    def distance(self, point: Point) -> float:
        """Inches from a point; 0 inside an area."""
        if self.is_area:
            return distance_to_polygon(point, self.points)
        return distance_to_path(point, self.points)

    def is_within(self, point: Point, inches: float, radius: float) -> bool:
        """Whether it is no more than some inches from the edge of a base about a point."""
        (x, y), (west, south, east, north), reach = point, self.box, inches + radius + 1e-6
        if x < west - reach or x > east + reach or y < south - reach or y > north + reach:
            return False
        return self.distance(point) - radius <= inches + 1e-6

    def holds(self, point: Point) -> bool:
        """Whether an area holds a point."""
        return self.shape is not None and self.shape.holds(*point)

    def meets(self, a: Point, b: Point) -> bool:
        """Whether the straight line from a to b touches the piece."""
        return self.shape.meets(a, b) if self.shape is not None else bool(self.crossings(a, b))

    def first_to_meet(self, starts: Sequence[Point], dx: float, dy: float) -> int:
        """Which of several straight lines, from these points all by the same way, touches the piece first; -1: none."""
        if self.shape is not None:
            return self.shape.first_to_meet(starts, dx, dy)
        return next((place for place, (x, y) in enumerate(starts) if self.crossings((x, y), (x + dx, y + dy))), -1)

    def crossings(self, a: Point, b: Point) -> list[float]:
        """Where the straight line from a to b, 0 at a and 1 at b, meets a line."""
        return [t for c, d in pairwise(self.points) if (t := crossing(a, b, c, d)) is not None]

    def length_inside(self, a: Point, b: Point) -> float:
        """Inches of the straight line from a to b inside an area."""
        if self.shape is None:
            return 0.0
        return hypot(a[0] - b[0], a[1] - b[1]) * total(end - start for start, end in self.shape.spans(a, b))


@dataclass(frozen=True, slots=True)
class Height:
    """Ground that stands `inches` above the table; climbing onto it is bumpy or jagged (FBN-073)."""

    shape: Shape
    inches: float
    uphill: int


@dataclass(frozen=True, slots=True)
class Section:
    """One room or corridor of a building (FBN-242)."""

    id: str
    building: str
    level: int
    box: Bounds
    capacity: int

    @property
    def middle(self) -> Point:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, slots=True)
class Opening:
    """A door, window or rail to the open, or an inner door or stairs between two sections (FBN-245, FBN-251).

    `section` lies on one side, `other` on the other, "" for the open air.
    """

    id: str
    kind: str
    section: str
    other: str
    at: Point
    level: int
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Building:
    """A building: `kind` is sections, openable, silo or tower (FBN-240, FBN-259, FBN-260); `ground` its height in inches,
    `floors` how many it has, which is how far it rises above that (FBN-273).
    """

    id: str
    kind: str
    row: Row
    points: tuple[Point, ...]
    box: Bounds
    sections: Mapping[str, Section]
    openings: Mapping[str, Opening]
    ground: float
    floors: int = 1

    @property
    def size(self) -> int:
        """Number of sections, the Size of the damage formula (FBN-249)."""
        return max(1, len(self.sections))


def area_piece(name: str, row: Row, points: Sequence[Point], over: bool = False, building: str = "") -> Piece:
    return Piece(name, row, tuple(points), True, bounds(points), over, building, shape_of(points))


def line_piece(name: str, row: Row, points: Sequence[Point]) -> Piece:
    return Piece(name, row, tuple(points), False, bounds(points))
