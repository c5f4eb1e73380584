"""The ground: terrain with its prices, sight and cover (PAY-085, PAY-088, PAY-089)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import dist
from typing import NamedTuple

from zareba.space import FreeTable, Point
from zareba.space.geometry import Bounds, Points, bounds, crossing, distance_to_segment, is_inside, spans_inside
from zareba.space.lazy import Lazy
from zareba_rulesets.paychest.book import Ground, PaychestBook

__all__ = ["Field", "Piece", "Shelter"]

COVERS = ("none", "soft", "hard")
REACH = 1.5
SHORT = 0.01


class Piece(NamedTuple):
    """A piece of terrain: its ground, corners or points, bounds, and for a hill its crest.

    `sides`: of the convex shape that hides what is behind it, each as a corner and the normal that points inwards;
    none where that shape is not convex.
    """

    name: str
    ground: Ground
    points: tuple[Point, ...]
    box: Bounds
    is_area: bool
    crest: tuple[Point, ...] = ()
    sides: tuple[tuple[float, float, float, float], ...] = ()


class Shelter(NamedTuple):
    """Cover that a figure has where it stands: from everywhere in an area, across a linear piece otherwise."""

    cover: str
    exposure: str
    line: tuple[Point, ...]


class Field:
    """A table in inches with its ground. Made once for a scenario; shared by all its battles."""

    __slots__ = ("_covers", "_marches", "_rates", "areas", "blockers", "book", "home", "lines", "starting", "table")

    def __init__(
        self,
        book: PaychestBook,
        width: float,
        depth: float,
        areas: Mapping[str, tuple[str, Points, Points]],
        lines: Mapping[str, tuple[str, Points]],
        home: Mapping[str, str],
        starting: Mapping[str, int],
    ) -> None:
        """`areas`: name -> (terrain, polygon, crest or ()); `lines`: name -> (obstacle, line); `home`: side -> edge."""
        self.book = book
        terrain, obstacles = book.file.terrain, book.file.obstacles
        self.areas = {
            name: Piece(
                name, terrain[kind], tuple(polygon), bounds(polygon), True, tuple(crest), _sides(crest or polygon)
            )
            for name, (kind, polygon, crest) in areas.items()
        }
        self.lines = {
            name: Piece(name, obstacles[kind], tuple(line), bounds(line), False) for name, (kind, line) in lines.items()
        }
        self.table = FreeTable(
            width,
            depth,
            "in",
            {name: piece.points for name, piece in self.areas.items()},
            {name: piece.points for name, piece in self.lines.items()},
        )
        pieces = (*self.areas.values(), *self.lines.values())
        self._covers = tuple(piece for piece in pieces if piece.ground.cover != "none")
        self.blockers = tuple(piece for piece in pieces if piece.ground.sight != "open" and _hides(piece))
        self._rates: Lazy[tuple[str, tuple[str, ...]], float | None] = Lazy(self._price)
        self._marches = {
            column: tuple(piece.box for piece in pieces if piece.ground.price(column) != 1)
            for column in ("foot", "mounted", "wheels")
        }
        self.home = dict(home)
        self.starting = dict(starting)

    # --- moving -----------------------------------------------------------------------------------------------------

    def _price(self, key: tuple[str, tuple[str, ...]]) -> float | None:
        """The price of an inch where these areas lie: a road over all, else the dearest of them (PAY-085)."""
        column, names = key
        grounds = [self.areas[name].ground for name in names]
        if not grounds or any(ground.way for ground in grounds):
            return 1.0
        prices = [ground.price(column) for ground in grounds]
        return None if None in prices else max(price for price in prices if price is not None)

    def toll(self, column: str, line: str) -> float | None:
        """The price of crossing a linear piece."""
        return self.lines[line].ground.price(column)

    def is_plain(self, a: Point, b: Point, column: str) -> bool:
        """Whether no ground with a price of its own lies near the straight line from a to b."""
        if column == "air":
            return True
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        return not any(
            west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north for box in self._marches[column]
        )

    def march(self, start: Point, goal: Point, allowance: float, column: str) -> tuple[Point, float, bool]:
        """How far an allowance leads straight towards a goal (PAY-070): the point, what is spent, and if barred.

        Whoever is stopped by a linear piece stands against it, as near as half a foot base.
        """
        reach = dist(start, goal)
        if reach <= 1e-9 or allowance <= 0:
            return start, 0.0, False
        end = goal
        if reach > allowance:
            share = allowance / reach
            end = (start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1]))
        if self.is_plain(start, end, column):
            return end, min(reach, allowance), False
        rates = self._rates
        found = self.table.advance(
            (start, end), allowance, lambda names: rates[column, names], lambda line: self.toll(column, line)
        )
        point = found.point
        if found.stopped_by is not None:
            back = self.book.bases["foot"] if found.stopped_by in self.lines else SHORT
            point = towards(point, start, min(dist(start, point), back))
        return point, found.spent, found.stopped_by is not None

    def can_stand(self, point: Point, column: str) -> bool:
        """Whether a point is on the table and its ground open to this sort of mover."""
        if not self.table.is_on_table(point):
            return False
        return column == "air" or self._rates[column, self.table.areas_at(point)] is not None

    # --- sight ------------------------------------------------------------------------------------------------------

    def blockers_near(self, box: Bounds) -> list[Piece]:
        """What may block sight within an upright rectangle."""
        return [
            piece
            for piece in self.blockers
            if box[0] <= piece.box[2] and piece.box[0] <= box[2] and box[1] <= piece.box[3] and piece.box[1] <= box[3]
        ]

    def sees(self, a: Point, b: Point, blockers: Iterable[Piece]) -> bool:
        """Whether nothing of the ground blocks the straight line from a to b (PAY-089)."""
        return all(not self._blocks(piece, a, b) for piece in blockers)

    def _blocks(self, piece: Piece, a: Point, b: Point) -> bool:
        west, south, east, north = piece.box
        if (
            (a[0] < west and b[0] < west)
            or (a[0] > east and b[0] > east)
            or (a[1] < south and b[1] < south)
            or (a[1] > north and b[1] > north)
        ):
            return False
        sight = piece.ground.sight
        if not piece.is_area:  # a high wall: whoever stands on it or at a loophole sees and is seen across it
            loophole = self.book.bases["foot"] + self.book.contact
            near = min(_away(a, piece.points), _away(b, piece.points))
            return near > loophole and any(crossing(a, b, c, d) is not None for c, d in pairwise(piece.points))
        spans = _chord(a, b, piece.sides) if piece.sides else spans_inside(a, b, piece.crest or piece.points)
        if sight == "thick":
            inside = sum(end - start for start, end in spans)
            return inside * dist(a, b) > self.book.file.sight.inches_through_growth
        return bool(spans) and spans[0][0] > 0 and spans[-1][1] < 1 and any(end > start for start, end in spans)

    # --- cover ------------------------------------------------------------------------------------------------------

    def has_cover_near(self, box: Bounds) -> bool:
        """Whether any cover lies within reach of an upright rectangle."""
        west, south, east, north = box
        return any(
            west - REACH <= piece.box[2]
            and piece.box[0] <= east + REACH
            and south - REACH <= piece.box[3]
            and piece.box[1] <= north + REACH
            for piece in self._covers
        )

    def shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        """All cover where a base stands: areas that hold it, linear pieces that it touches (PAY-088)."""
        found = []
        x, y = at
        touch = radius + self.book.contact
        for piece in self._covers:
            west, south, east, north = piece.box
            if x < west - touch or x > east + touch or y < south - touch or y > north + touch:
                continue
            ground = piece.ground
            if piece.is_area:
                if is_inside(at, piece.points):
                    found.append(Shelter(ground.cover, ground.exposure, ()))
            elif _away(at, piece.points) <= touch:
                found.append(Shelter(ground.cover, ground.exposure, piece.points))
        return tuple(found)

    def edge_distance(self, at: Point, edge: str) -> float:
        return self.table.distance_to_edge(at, edge)  # type: ignore[arg-type]  # scenarios name edges


def cover_from(a: Point, b: Point, shelters: Sequence[Shelter]) -> tuple[str, str]:
    """The cover and exposure of a figure at b, given its shelters, from a firer at a (PAY-088): the best there is."""
    cover, exposure = "none", "open"
    for shelter in shelters:
        if shelter.line and not any(crossing(a, b, c, d) is not None for c, d in pairwise(shelter.line)):
            continue
        if COVERS.index(shelter.cover) > COVERS.index(cover):
            cover, exposure = shelter.cover, shelter.exposure
        elif shelter.cover == cover == "hard" and shelter.exposure == "parapet":
            exposure = "parapet"
    return cover, exposure


def towards(a: Point, b: Point, length: float) -> Point:
    """The point at a length from a on the way to b, b itself when it is nearer."""
    reach = dist(a, b)
    if reach <= length:
        return b
    share = length / reach
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _sides(polygon: Points) -> tuple[tuple[float, float, float, float], ...]:
    """The sides of a convex polygon with normals that point inwards; none if it is not convex."""
    corners = [corner for before, corner in zip((polygon[-1], *polygon), polygon, strict=False) if corner != before]
    found = []
    turns = set()
    for i, (x, y) in enumerate(corners):
        (next_x, next_y), (after_x, after_y) = corners[(i + 1) % len(corners)], corners[(i + 2) % len(corners)]
        turn = (next_x - x) * (after_y - next_y) - (next_y - y) * (after_x - next_x)
        turns.add(turn > 0)
        found.append((x, y, -(next_y - y), next_x - x))
    if len(turns) > 1:
        return ()
    sign = 1.0 if turns == {True} else -1.0
    return tuple((x, y, sign * nx, sign * ny) for x, y, nx, ny in found)


def _chord(a: Point, b: Point, sides: Sequence[tuple[float, float, float, float]]) -> list[tuple[float, float]]:
    """The stretch of the segment from a to b in a convex shape, as one pair from 0 at a to 1 at b; none if outside."""
    start, end = 0.0, 1.0
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    for x, y, nx, ny in sides:
        height = (ax - x) * nx + (ay - y) * ny
        climb = dx * nx + dy * ny
        if climb == 0:
            if height < 0:
                return []
            continue
        t = -height / climb
        if climb > 0:
            if t > start:
                start = t
        elif t < end:
            end = t
        if start > end:
            return []
    return [(start, end)]


def _away(point: Point, line: Points) -> float:
    return min(distance_to_segment(point, a, b) for a, b in pairwise(line))


def _hides(piece: Piece) -> bool:
    """Hills and dunes hide by their crest alone (PAY-089)."""
    return piece.ground.sight != "crest" or bool(piece.crest)
