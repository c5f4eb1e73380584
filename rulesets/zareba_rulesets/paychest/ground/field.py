"""The ground: terrain with its prices, sight and cover (PAY-085, PAY-088, PAY-089)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from zareba.space import FreeTable, Point
from zareba.space.field.pieces import Piece
from zareba.space.field.screens import Screen, Screens
from zareba.space.field.squares import Squares
from zareba.space.geometry import Bounds, Points
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import Line
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Ground
from zareba_rulesets.paychest.ground.going import Going, towards

__all__ = ["Field", "Shelter", "cover_from", "towards"]

COVERS = ("none", "soft", "hard")
REACH = 1.5
SQUARE = 2.0
MOST_KEPT = 50_000


class Shelter(NamedTuple):
    """Cover that a figure has where it stands: from everywhere in an area, across a linear piece otherwise."""

    cover: str
    exposure: str
    line: Line | None = None


def shelter_of(piece: Piece[Ground]) -> Shelter:
    """The cover that a piece of terrain gives."""
    return Shelter(piece.ground.cover, piece.ground.exposure, piece.shape if isinstance(piece.shape, Line) else None)


class Field:
    """A table in inches with its ground. Made once for a scenario; shared by all its battles."""

    __slots__ = (
        "_covers",
        "_going",
        "_shelter",
        "_sheltered",
        "areas",
        "book",
        "home",
        "lines",
        "screens",
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
    ) -> None:
        """`areas`: name -> (terrain, polygon, crest or ()); `lines`: name -> (obstacle, line); `home`: side -> edge."""
        self.book = book
        terrain, obstacles = book.file.terrain, book.file.obstacles
        self.areas = {
            name: Piece.area(name, terrain[kind], polygon, crest) for name, (kind, polygon, crest) in areas.items()
        }
        self.lines = {name: Piece.line(name, obstacles[kind], line) for name, (kind, line) in lines.items()}
        pieces = (*self.areas.values(), *self.lines.values())
        self.table = FreeTable.of(width, depth, "in", pieces)
        self._covers = tuple(piece for piece in pieces if piece.ground.cover != "none")
        hiding = [piece for piece in pieces if piece.ground.sight != "open" and _hides(piece)]
        self.screens = Screens([self._screen(piece) for piece in hiding], SQUARE)
        self._shelter = Squares(width, depth, [piece.shape for piece in self._covers])
        self._sheltered: Lazy[tuple[Point, float], tuple[Shelter, ...]] = LazyBetween(self._shelters, MOST_KEPT)
        self._going = {
            column: Going(self.table.extent, pieces, column, book.bare[column], book.bases["foot"])
            for column in book.bare
        }
        self.home = dict(home)

    def _screen(self, piece: Piece[Ground]) -> Screen[Ground]:
        """What hides (PAY-089): growth where there is too much of it; a wall where nobody stands on it or at a loophole."""
        return Screen(
            piece,
            through=self.book.file.sight.inches_through_growth if piece.ground.sight == "thick" else None,
            loophole=self.book.bases["foot"] + self.book.contact if piece.ground.cover != "none" else 0.0,
        )

    # --- moving -----------------------------------------------------------------------------------------------------

    def is_plain(self, a: Point, b: Point, column: str) -> bool:
        """Whether no ground with a price of its own lies near the straight line from a to b."""
        return self._going[column].is_plain(a, b)

    def is_open(self, a: Point, b: Point, column: str) -> bool:
        """Whether a mover of this column of Table 3 comes straight from a to b, if its allowance lasts."""
        return self._going[column].is_open(a, b)

    def march(self, start: Point, goal: Point, allowance: float, column: str) -> tuple[Point, float, bool]:
        """How far an allowance leads straight towards a goal (PAY-070): the point, what is spent, and if barred."""
        return self._going[column].march(start, goal, allowance)

    def at_most(self, allowance: float, column: str) -> float:
        """The inches that an allowance leads where the going is best."""
        return allowance / self._going[column].least

    def bare_price(self, column: str) -> float:
        """What an inch costs where no piece of terrain lies."""
        return self._going[column].bare

    def can_stand(self, point: Point, column: str) -> bool:
        """Whether a point is on the table and its ground open to this sort of mover."""
        return self._going[column].can_stand(point)

    # --- cover ------------------------------------------------------------------------------------------------------

    def has_cover_near(self, box: Bounds) -> bool:
        """Whether any cover lies within reach of an upright rectangle."""
        return not self._shelter.is_open(*self._on_table(box, REACH))

    def _on_table(self, box: Bounds, reach: float) -> Bounds:
        """What lies on the table of a rectangle that is widened on every side."""
        (west, south, east, north), (width, depth) = box, self.table.extent
        return max(west - reach, 0.0), max(south - reach, 0.0), min(east + reach, width), min(north + reach, depth)

    def shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        """All cover where a base stands: areas that hold it, linear pieces that it touches (PAY-088)."""
        if self._shelter.is_open(*self._on_table((*at, *at), radius + self.book.contact)):
            return ()
        return self._sheltered[at, radius]

    def _shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        touch = radius + self.book.contact
        near = [piece for piece in self._covers if piece.is_within(at, 0.0 if piece.is_area else touch)]
        return tuple(shelter_of(piece) for piece in near)

    def inside(self, base: float) -> Points:
        """The part of the table on which a base of this radius hangs over no edge (PAY-007)."""
        width, depth = self.table.extent
        return (base, base), (width - base, base), (width - base, depth - base), (base, depth - base)

    def edge_distance(self, at: Point, edge: str) -> float:
        return self.table.distance_to_edge(at, edge)  # type: ignore[arg-type]  # scenarios name edges


def cover_from(a: Point, b: Point, shelters: Sequence[Shelter]) -> tuple[str, str]:
    """The cover and exposure of a figure at b, given its shelters, from a firer at a (PAY-088): the best there is."""
    cover, exposure = "none", "open"
    for shelter in shelters:
        if shelter.line is not None and not shelter.line.meets(a, b):
            continue
        if COVERS.index(shelter.cover) > COVERS.index(cover):
            cover, exposure = shelter.cover, shelter.exposure
        elif shelter.cover == cover == "hard" and shelter.exposure == "parapet":
            exposure = "parapet"
    return cover, exposure


def _hides(piece: Piece[Ground]) -> bool:
    """Hills and dunes hide by their crest alone (PAY-089)."""
    return piece.ground.sight != "crest" or piece.crest is not None
