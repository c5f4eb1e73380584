"""The table of a battle that does not change: ground, heights, walls, buildings with sections and openings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist, hypot
from typing import NamedTuple

from zareba.space import FreeTable, Stretch
from zareba.space.geometry import (
    Bounds,
    Point,
    bounds,
    bounds_meet,
    crossing,
    distance_to_polygon,
    distance_to_segment,
    edges,
)
from zareba_rulesets.fixed_baynet.book import BUMPY, FLAT, JAGGED, FbnBook, Row
from zareba_rulesets.fixed_baynet.shapes import Shape, shape_of

__all__ = ["Building", "Field", "Height", "Leg", "Opening", "Piece", "Section"]

GOING = {"flat": FLAT, "bumpy": BUMPY, "jagged": JAGGED}
CLOSED = 3


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
        return min(distance_to_segment(point, a, b) for a, b in pairwise(self.points))

    def holds(self, point: Point) -> bool:
        """Whether an area holds a point."""
        return self.shape is not None and self.shape.holds(*point)

    def meets(self, a: Point, b: Point) -> bool:
        """Whether the straight line from a to b touches the piece."""
        if self.shape is not None:
            return self.shape.meets(a, b)
        return any(crossing(a, b, c, d) is not None for c, d in pairwise(self.points))

    def length_inside(self, a: Point, b: Point) -> float:
        """Inches of the straight line from a to b inside an area."""
        if self.shape is None:
            return 0.0
        return hypot(a[0] - b[0], a[1] - b[1]) * sum(end - start for start, end in self.shape.spans(a, b))


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
    """A building: `kind` is sections, openable, silo or tower (FBN-240, FBN-259, FBN-260)."""

    id: str
    kind: str
    row: Row
    points: tuple[Point, ...]
    box: Bounds
    sections: Mapping[str, Section]
    openings: Mapping[str, Opening]
    ground: float

    @property
    def size(self) -> int:
        """Number of sections, the Size of the damage formula (FBN-249)."""
        return max(1, len(self.sections))


class Leg(NamedTuple):
    """A straight way: the slowest going it touches, its price in inches of speed, why it is closed, danger (FBN-042)."""

    going: int
    price: float
    closed: str
    dangerous: bool


@dataclass
class Field:
    """A battlefield. `deployment`: polygons of each side (FBN-011); `goals` of the objectives by id."""

    book: FbnBook
    width: float
    depth: float
    pieces: tuple[Piece, ...] = ()
    heights: tuple[Height, ...] = ()
    buildings: Mapping[str, Building] = field(default_factory=dict)
    deployment: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    home_edge: Mapping[str, str] = field(default_factory=dict)
    entrenched: bool = False
    places: Sequence[Point] = ()

    def __post_init__(self) -> None:
        areas = {piece.name: piece.points for piece in self.pieces if piece.is_area}
        lines = {piece.name: piece.points for piece in self.pieces if not piece.is_area}
        self.table = FreeTable(self.width, self.depth, "in", areas, lines)
        self.by_name = {piece.name: piece for piece in self.pieces}
        self.sections = {key: room for house in self.buildings.values() for key, room in house.sections.items()}
        self.openings = {key: way for house in self.buildings.values() for key, way in house.openings.items()}
        self.closed_pieces = tuple(piece.name for piece in self.pieces if piece.row.move == "closed" and not piece.over)
        settings = self.book.settings
        self._whole_actions = settings.terrain_move == "worst" and settings.trench_along == "jagged"

    def on_table(self, x: float, y: float) -> bool:
        return 0 <= x <= self.width and 0 <= y <= self.depth

    def height(self, point: Point) -> float:
        """Height of the ground in inches (FBN-273)."""
        x, y = point
        top = 0.0
        for hill in self.heights:
            if hill.inches > top and hill.shape.holds(x, y):
                top = hill.inches
        return top

    def floor_height(self, place: str) -> float:
        """Height of the floor of a section above the ground (FBN-273)."""
        section = self.sections.get(place)
        return section.level * float(self.book.file.heights["floor"]) if section else 0.0

    def near(self, box: Bounds) -> tuple[Piece, ...]:
        """The pieces whose rectangles meet a box."""
        w, s, e, n = box
        return tuple(
            piece
            for piece in self.pieces
            if piece.box[0] <= e and piece.box[2] >= w and piece.box[1] <= n and piece.box[3] >= s
        )

    def hills_near(self, box: Bounds) -> bool:
        return any(bounds_meet(hill.shape.box, box) for hill in self.heights)

    def areas_at(self, point: Point) -> list[Piece]:
        """The areas that hold a point; what lies on top of a river or crag hides it (FBN-072, FBN-075)."""
        found = [piece for piece in self.pieces if piece.holds(point)]
        if len(found) > 1 and any(piece.over for piece in found):
            return [piece for piece in found if piece.over or not _covered(piece.row)]
        return found

    def leg(self, a: Point, b: Point, mounted: bool, ruins: frozenset[str] = frozenset()) -> Leg:
        """What a straight way is like for men on foot or for mounts and guns (FBN-047, FBN-048, FBN-067, FBN-073).

        Walls are climbed at their rate, but not by mounts and guns; buildings are entered by doors only, and what is in
        `ruins` is rubble (FBN-250).
        """
        box = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
        climb = self._climb(a, b, box) if self.heights else FLAT
        length = hypot(b[0] - a[0], b[1] - a[1])
        near = self.near(box)
        if not near:
            return Leg(climb, length * self.book.price[climb], "", False)
        if self._whole_actions and not any(piece.over for piece in near):
            return self._touched(a, b, mounted, ruins, near, climb, length)
        going, price, danger = climb, 0.0, False
        for stretch in self.table.stretches((a, b)):
            slowest = climb
            for piece in self._kinds(stretch):
                row = self._row(piece, ruins)
                if row.move == "closed":
                    return Leg(going, price, row.title, danger or row.dangerous)
                slowest = max(slowest, self._pace(row, stretch))
                danger = danger or row.dangerous
            for name in stretch.crosses:
                row = self.by_name[name].row
                if row.wall and (mounted or self.book.settings.cover_passable == "never"):
                    return Leg(going, price, row.title, danger)
                slowest = max(slowest, GOING.get(row.move, JAGGED))
                danger = danger or row.dangerous
            going = max(going, slowest)
            price += stretch.length * self.book.price[slowest]
        return Leg(going, price, "", danger)

    def _touched(
        self,
        a: Point,
        b: Point,
        mounted: bool,
        ruins: frozenset[str],
        near: tuple[Piece, ...],
        climb: int,
        length: float,
    ) -> Leg:
        """A way of which only the slowest ground it touches matters (FBN-048): no need to cut it into stretches."""
        going, danger = climb, False
        no_walls = mounted or self.book.settings.cover_passable == "never"
        for piece in near:
            row = self._row(piece, ruins) if ruins else piece.row
            pace = GOING.get(row.move, CLOSED)
            if (pace <= going and not row.dangerous and not row.wall) or not piece.meets(a, b):
                continue
            if pace == CLOSED or (row.wall and no_walls):
                return Leg(going, length, row.title, danger or row.dangerous)
            going, danger = max(going, pace), danger or row.dangerous
        return Leg(going, length * self.book.price[going], "", danger)

    def _pace(self, row: Row, stretch: Stretch) -> int:
        """A trench is jagged to cross; along it with `trench_along` flat it is not (FBN-077)."""
        if row.trench and self.book.settings.trench_along == "flat" and self._along_trench(stretch):
            return FLAT
        return GOING[row.move]

    def _along_trench(self, stretch: Stretch) -> bool:
        pieces = [self.by_name[name] for name in stretch.areas]
        return any(piece.row.trench and _runs(piece, stretch) for piece in pieces)

    def _kinds(self, stretch: Stretch) -> list[Piece]:
        found = [self.by_name[name] for name in stretch.areas]
        if any(piece.over for piece in found):
            return [piece for piece in found if piece.over or not _covered(piece.row)]
        return found

    def _row(self, piece: Piece, ruins: frozenset[str]) -> Row:
        return self.book.terrain["rubble"] if piece.building in ruins and piece.building else piece.row

    def _climb(self, a: Point, b: Point, box: Bounds) -> int:
        """The going of the steepest rise on the way: only ground that gains height counts (FBN-073)."""
        start = self.height(a)
        steepest = FLAT
        for hill in self.heights:
            if hill.inches <= start or hill.uphill <= steepest or not bounds_meet(hill.shape.box, box):
                continue
            if hill.shape.meets(a, b) and not hill.shape.holds(*a):
                steepest = hill.uphill
        return steepest

    def way_round(self, start: Point, goal: Point) -> Sequence[Point] | None:
        """The shortest way that touches no closed ground, or None."""
        if not self.closed_pieces:
            return (start, goal)
        return self.table.way_round(start, goal, self.closed_pieces)

    def section_at(self, building: str, level: int, point: Point) -> str:
        """The section of a building nearest to a point on a level."""
        rooms = [room for room in self.buildings[building].sections.values() if room.level == level]
        return min(rooms, key=lambda room: (dist(room.middle, point), room.id)).id


def _covered(row: Row) -> bool:
    """Rivers and crags lie under fords, bridges and paths."""
    return (row.notice and row.shelter == "inside" and not row.trench) or (row.move == "closed" and not row.building)


def _runs(piece: Piece, stretch: Stretch) -> bool:
    """Whether a stretch runs along a strip rather than across it: longer than the strip is wide."""
    sides = sorted(dist(a, b) for a, b in edges(piece.points))
    return stretch.length > sides[0]


def area_piece(name: str, row: Row, points: Sequence[Point], over: bool = False, building: str = "") -> Piece:
    return Piece(name, row, tuple(points), True, bounds(points), over, building, shape_of(points))


def line_piece(name: str, row: Row, points: Sequence[Point]) -> Piece:
    return Piece(name, row, tuple(points), False, bounds(points))
