"""The battlefield: terrain with its movement costs, line of sight and cover (PAY-085, PAY-088, PAY-089)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from zareba.space import FreeTable, Point
from zareba.space.field.line_of_sight import SightBlocker, SightBlockers
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Bounds, Points
from zareba.space.ground.buildings import CoverFinder, best_cover
from zareba.space.ground.movement_cost import MovementCost
from zareba.space.ground.pathfinding import Pathfinder, WayLengths
from zareba.space.lazy import Lazy
from zareba.space.outlines import TerrainLine
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Ground

_COVERS = ("none", "soft", "hard")
_SHELTER_REACH = 1.5
"""The distance in inches within which a shelter may cover a figure."""
SQUARE = 2.0
"""The side in inches of the squares by which terrain is found."""
_CELL = 2.0
"""The side in inches of the cells in which paths around closed ground are found."""


class Shelter(NamedTuple):
    """Cover at a figure's position: from all directions in an area, otherwise only across a linear piece."""

    cover: str
    exposure: str
    line: TerrainLine | None = None


def shelter_of(piece: TerrainPiece[Ground]) -> Shelter:
    """Return the cover that a piece of terrain gives."""
    return Shelter(
        piece.ground.cover, piece.ground.exposure, piece.shape if isinstance(piece.shape, TerrainLine) else None
    )


class Field:
    """The battlefield in inches with its terrain. Built once per scenario and shared by all its battles."""

    __slots__ = (
        "_shelters",
        "areas",
        "blockers",
        "book",
        "contacts",
        "home_edges",
        "lines",
        "move_costs",
        "pathfinders",
        "table",
        "way_lengths",
    )

    def __init__(
        self,
        book: PaychestBook,
        width: float,
        depth: float,
        areas: Mapping[str, tuple[str, Points, Points]],
        lines: Mapping[str, tuple[str, Points]],
        home_edges: Mapping[str, str],
    ) -> None:
        """Build the field.

        `areas` maps a name to (terrain, polygon, crest or ()), `lines` a name to (obstacle, line), `home_edges` a side
        to its edge.
        """
        self.book = book
        self.contacts: Mapping[str, Collection[str]] | None = None
        """The enemies that each figure touches, as people at a real table see it; None to judge by positions."""
        terrain, obstacles = book.file.terrain, book.file.obstacles
        self.areas = {
            name: TerrainPiece.area(name, terrain[kind], polygon, crest, over=terrain[kind].way)
            for name, (kind, polygon, crest) in areas.items()
        }
        self.lines = {name: TerrainPiece.line(name, obstacles[kind], line) for name, (kind, line) in lines.items()}
        pieces = (*self.areas.values(), *self.lines.values())
        self.table = FreeTable.of(width, depth, "in", pieces)
        hiding = [piece for piece in pieces if piece.ground.sight != "open" and _hides(piece)]
        self.blockers = SightBlockers([self._sight_blocker(piece) for piece in hiding], SQUARE)
        covers = [piece for piece in pieces if piece.ground.cover != "none"]
        self._shelters = CoverFinder(self.table.extent, book.contact, covers, shelter_of)
        self.move_costs: Lazy[str, MovementCost[Ground]] = Lazy(self._movement_costs)
        self.pathfinders: Lazy[str, Pathfinder] = Lazy(
            lambda column: Pathfinder(self.move_costs[column], self.table.extent, _CELL)
        )
        self.way_lengths: Lazy[str, WayLengths] = Lazy(
            lambda column: WayLengths(self.table.extent, _CELL, self.move_costs[column].is_open)
        )
        self.home_edges = dict(home_edges)

    def _sight_blocker(self, piece: TerrainPiece[Ground]) -> SightBlocker[Ground]:
        """Return the piece as a sight blocker (PAY-089).

        Growth blocks beyond a certain depth, a wall except for figures on it or at a loophole.
        """
        return SightBlocker(
            piece,
            through=self.book.file.sight.inches_through_growth if piece.ground.sight == "thick" else None,
            loophole=self.book.bases["foot"] + self.book.contact if piece.ground.cover != "none" else 0.0,
        )

    def _movement_costs(self, column: str) -> MovementCost[Ground]:
        """Return the movement costs in a column of the terrain chart (PAY-085).

        A road overrides other terrain, else the highest cost counts. No line stops a flyer. A base stopped by a line
        stands against it at the distance of half a foot base.
        """
        open_ground_cost, pieces = self.book.open_ground_cost[column], (*self.areas.values(), *self.lines.values())
        return MovementCost(
            self.table.extent,
            "in",
            [piece for piece in pieces if piece.over or piece.ground.cost(column) != open_ground_cost],
            lambda piece: piece.ground.cost(column),
            bare=open_ground_cost,
            stand_off=self.book.bases["foot"],
        )

    # --- cover ------------------------------------------------------------------------------------------------------

    def has_cover_near(self, box: Bounds) -> bool:
        """Return True if there is cover within reach of a rectangle."""
        return self._shelters.any_in(box, _SHELTER_REACH)

    def shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        """Return all cover at a base's position: areas that contain it and linear pieces that it touches (PAY-088)."""
        return self._shelters.of(at, radius)

    def area_inside(self, base: float) -> Points:
        """Return the part of the table where a base of this radius does not hang over the edge (PAY-007)."""
        width, depth = self.table.extent
        return (base, base), (width - base, base), (width - base, depth - base), (base, depth - base)


def cover_from(a: Point, b: Point, shelters: Sequence[Shelter]) -> tuple[str, str]:
    """Return the best cover and its exposure for a figure at `b` against a firer at `a` (PAY-088)."""
    best = best_cover(shelters, a, b, _shelter_rank)
    return ("none", "open") if best is None else (best.cover, best.exposure)


def _shelter_rank(shelter: Shelter) -> int:
    """Return the rank of a shelter. Among hard cover a parapet hides most of a figure."""
    return 2 * _COVERS.index(shelter.cover) + (shelter.cover == "hard" and shelter.exposure == "parapet")


def _hides(piece: TerrainPiece[Ground]) -> bool:
    """Return True if the piece can block line of sight. Hills and dunes do so only by their crest (PAY-089)."""
    return piece.ground.sight != "crest" or piece.crest is not None
