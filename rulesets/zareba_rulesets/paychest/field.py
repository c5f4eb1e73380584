"""The ground: terrain with its prices, sight and cover (PAY-085, PAY-088, PAY-089)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import dist
from typing import NamedTuple, TypeVar

from zareba.space import FreeTable, Point
from zareba.space.geometry import EPSILON, Bounds, Points, bounds, crossing
from zareba.space.lazy import Lazy
from zareba.space.outlines import Area, Line
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.screens import Screen
from zareba_rulesets.paychest.tables import Ground

__all__ = ["Field", "Piece", "Shelter"]

O = TypeVar("O", Area, Line, Area | Line)
COVERS = ("none", "soft", "hard")
REACH = 1.5
SHORT = 0.01
SQUARE = 2.0
HALF_DIAGONAL = 0.71
FAR = 1000.0
COLUMNS = ("foot", "mounted", "wheels")


class Piece(NamedTuple):
    """A piece of terrain: its ground, corners or points, bounds, and for a hill its crest."""

    name: str
    ground: Ground
    points: tuple[Point, ...]
    box: Bounds
    is_area: bool
    crest: tuple[Point, ...] = ()


class Shelter(NamedTuple):
    """Cover that a figure has where it stands: from everywhere in an area, across a linear piece otherwise."""

    cover: str
    exposure: str
    line: tuple[Point, ...]


class Field:
    """A table in inches with its ground. Made once for a scenario; shared by all its battles."""

    __slots__ = (
        "_between",
        "_closed",
        "_covers",
        "_marches",
        "_near_covers",
        "_priced",
        "_rates",
        "_routes",
        "_squares",
        "_walls",
        "_ways",
        "areas",
        "blockers",
        "book",
        "home",
        "lines",
        "starting",
        "table",
    )

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
            name: Piece(name, terrain[kind], tuple(polygon), bounds(polygon), True, tuple(crest))
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
        self.blockers = tuple(self._screen(piece) for piece in pieces if piece.ground.sight != "open" and _hides(piece))
        self._rates: Lazy[tuple[str, tuple[str, ...]], float | None] = Lazy(self._price)
        self._near_covers: Lazy[tuple[int, int], tuple[tuple[Area | Line, Shelter], ...]] = Lazy(self._covers_about)
        self._between: Lazy[tuple[int, ...], tuple[Screen, ...] | None] = Lazy(self._screens)
        self._squares: Lazy[tuple[str, int, int], bool | None] = Lazy(self._openness)
        dear = {column: [piece for piece in pieces if piece.ground.price(column) != 1] for column in COLUMNS}
        self._marches = {column: tuple(piece.box for piece in found) for column, found in dear.items()}
        self._priced = {column: tuple(_outline(piece) for piece in found) for column, found in dear.items()}
        self._closed = {
            column: tuple(Area(piece.points) for piece in found if piece.is_area and piece.ground.price(column) is None)
            for column, found in dear.items()
        }
        self._walls = {
            column: tuple(
                Line(piece.points) for piece in found if not piece.is_area and piece.ground.price(column) is None
            )
            for column, found in dear.items()
        }
        self._ways = tuple(Area(piece.points) for piece in self.areas.values() if piece.ground.way)
        self._routes = {column: self._route_table(column) for column in COLUMNS}
        self.home = dict(home)
        self.starting = dict(starting)

    def _screen(self, piece: Piece) -> Screen:
        return Screen(
            piece.ground.sight,
            piece.crest or piece.points,
            is_area=piece.is_area,
            through=self.book.file.sight.inches_through_growth,
            loophole=self.book.bases["foot"] + self.book.contact,
        )

    def _route_table(self, column: str) -> FreeTable:
        """The table with what has a price of its own, or makes a way through it, for a sort of mover alone."""
        return FreeTable(
            *self.table.extent,
            "in",
            {name: piece.points for name, piece in self.areas.items() if _matters(piece, column)},
            {name: piece.points for name, piece in self.lines.items() if _matters(piece, column)},
        )

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

    def is_open(self, a: Point, b: Point, column: str) -> bool:
        """Whether a mover comes straight from a to b, if its allowance lasts."""
        if column == "air":
            return True
        met = [span for area in _about(self._closed[column], a, b) for span in area.spans(a, b)]
        if met:
            ways = [span for way in _about(self._ways, a, b) for span in way.spans(a, b)]
            short = EPSILON / (dist(a, b) or 1.0)
            if any(_is_bare(span, ways, short) for span in met):
                return False
        if not any(wall.meets(a, b) for wall in self._walls[column]):
            return True
        return not self.march(a, b, FAR, column)[2]

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
        if column == "air" or not any(
            outline.meets(start, end) for outline in _about(self._priced[column], start, end)
        ):
            return end, min(reach, allowance), False
        rates = self._rates
        found = self._routes[column].advance(
            (start, end), allowance, lambda names: rates[column, names], lambda line: self.toll(column, line)
        )
        point = found.point
        if found.stopped_by is not None:
            back = self.book.bases["foot"] if found.stopped_by in self.lines else SHORT
            point = towards(point, start, min(dist(start, point), back))
        return point, found.spent, found.stopped_by is not None

    def can_stand(self, point: Point, column: str) -> bool:
        """Whether a point is on the table and its ground open to this sort of mover."""
        x, y = point
        width, depth = self.table.extent
        if not (-EPSILON <= x <= width + EPSILON and -EPSILON <= y <= depth + EPSILON):
            return False
        if column == "air":
            return True
        known = self._squares[column, int(x), int(y)]
        return self._is_going(point, column) if known is None else known

    def _is_going(self, point: Point, column: str) -> bool:
        return self._rates[column, self._routes[column].areas_at(point)] is not None

    def _openness(self, key: tuple[str, int, int]) -> bool | None:
        """Whether all of a square inch is open or none of it; None where a border of terrain may run through it."""
        column, x, y = key
        table, middle = self._routes[column], (x + 0.5, y + 0.5)
        for name, piece in self.areas.items():
            if _matters(piece, column):
                away = table.distance_to_piece(middle, name) or table.depth_inside(middle, name)
                if away <= HALF_DIAGONAL:
                    return None
        return self._is_going(middle, column)

    # --- sight ------------------------------------------------------------------------------------------------------

    def blockers_near(self, box: Bounds) -> list[Screen]:
        """What may block sight within an upright rectangle."""
        return [screen for screen in self.blockers if screen.is_near(box)]

    def screens_between(self, a: Bounds, b: Bounds) -> tuple[Screen, ...] | None:
        """What may block sight between two upright rectangles; None where every line between them is blocked.

        The rectangles are taken to whole squares of two inches, and the answer is kept for them.
        """
        return self._between[(*_squared(a), *_squared(b))]

    def _screens(self, key: tuple[int, ...]) -> tuple[Screen, ...] | None:
        a, b = _unsquared(key[:4]), _unsquared(key[4:])
        found = []
        for screen in self.blockers_near((min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))):
            parts = screen.parts(a, b)
            if parts:
                return None
            if parts is None:
                found.append(screen)
        return tuple(found)

    def sees(self, a: Point, b: Point, blockers: Iterable[Screen]) -> bool:
        """Whether nothing of the ground blocks the straight line from a to b (PAY-089)."""
        for screen in blockers:  # noqa: SIM110  # twice as fast as all() with a generator
            if screen.blocks(a, b):
                return False
        return True

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
        near = self._near_covers[int(at[0]), int(at[1])]
        if not near:
            return ()
        touch = radius + self.book.contact
        return tuple(shelter for outline, shelter in near if outline.distance(at) <= (touch if shelter.line else 0.0))

    def _covers_about(self, square: tuple[int, int]) -> tuple[tuple[Area | Line, Shelter], ...]:
        """The cover that a base somewhere in a square inch may have."""
        middle = (square[0] + 0.5, square[1] + 0.5)
        return tuple(
            (outline, Shelter(piece.ground.cover, piece.ground.exposure, () if piece.is_area else piece.points))
            for piece in self._covers
            if (outline := _outline(piece)).distance(middle) <= HALF_DIAGONAL + REACH
        )

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


def _about(outlines: Sequence[O], a: Point, b: Point) -> list[O]:
    """Those of some outlines whose boxes the box of a line touches."""
    west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
    south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
    west, south, east, north = west - EPSILON, south - EPSILON, east + EPSILON, north + EPSILON
    found = []
    for outline in outlines:
        box = outline.box
        if west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north:
            found.append(outline)
    return found


def _squared(box: Bounds) -> tuple[int, int, int, int]:
    return int(box[0] // SQUARE), int(box[1] // SQUARE), int(box[2] // SQUARE) + 1, int(box[3] // SQUARE) + 1


def _unsquared(squares: tuple[int, ...]) -> Bounds:
    west, south, east, north = squares
    return west * SQUARE, south * SQUARE, east * SQUARE, north * SQUARE


def _is_bare(span: tuple[float, float], covers: Sequence[tuple[float, float]], short: float) -> bool:
    """Whether some part of a stretch, longer than `short`, lies under none of the covers."""
    start, end = span
    for cover in sorted(covers):
        if cover[0] - start > short:
            break
        start = max(start, cover[1])
    return end - start > short


def _matters(piece: Piece, column: str) -> bool:
    return piece.ground.way or piece.ground.price(column) != 1


def _outline(piece: Piece) -> Area | Line:
    return Area(piece.points) if piece.is_area else Line(piece.points)


def _hides(piece: Piece) -> bool:
    """Hills and dunes hide by their crest alone (PAY-089)."""
    return piece.ground.sight != "crest" or bool(piece.crest)
