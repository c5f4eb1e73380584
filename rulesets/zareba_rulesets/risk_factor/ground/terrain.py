"""The terrain of a battle and what depends on it alone: move costs, cover, concealment and lines of sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from operator import attrgetter
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space import FreeTable
from zareba.space.field.blockers import FigureBlockers
from zareba.space.field.bodies import Body, Near, nearest
from zareba.space.field.line_of_sight import SightBlocker, SightBlockers, is_clear_in_all
from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import UnitIndex
from zareba.space.geometry import Bounds, Point, bounds_meet, box_between, hull
from zareba.space.ground.cover import CoverFinder, best_cover
from zareba.space.ground.movement_cost import MovementCost
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import TerrainArea, TerrainLine
from zareba_rulesets.risk_factor.book.numbers import Cover, Ground, RskBook

__all__ = ["MOST_KEPT", "NOTHING", "PLAIN", "SightLine", "Terrain"]

SQUARE = 5.0
MOST_KEPT = 6_000
"""The number of measurements of each kind that are cached. A body is immutable, so its measurements stay valid."""

RANKING: tuple[Cover, ...] = ("open", "soft", "hard")


class SightLine(NamedTuple):
    """The view from one body to another as far as the terrain decides it (RSK-126, RSK-150).

    `plain`: a figure is in plain sight. `edge`: the shortest clear line to a concealed figure near the edge of its
    cover. `deep`: the same for a figure no deeper than the limit for shooting.
    """

    plain: bool
    edge: float
    deep: float


PLAIN = SightLine(True, inf, inf)
NOTHING = SightLine(False, inf, inf)


class FigureCover(NamedTuple):
    """The cover of a figure at its position: its rank, and the line that it counts across, if it counts across one line
    only.
    """

    rank: int
    line: TerrainLine | None


RANK = attrgetter("rank")


class Terrain:
    """The static terrain with cached measurements. It holds no state of play."""

    views: Lazy[tuple[Body, Body], SightLine]
    """The view between two bodies, worked out and cached by the field."""

    def __init__(self, book: RskBook, width: float, depth: float, pieces: Mapping[str, TerrainPiece[Ground]]) -> None:
        self.book = book
        self.width = width
        self.depth = depth
        self.pieces = dict(pieces)
        every = list(pieces.values())
        self.table = FreeTable.of(width, depth, "cm", every)
        self.covers = [p for p in every if p.ground.cover != "open"]
        self.concealing = [p for p in every if p.is_area and p.ground.conceals]
        self.enclosing = [p for p in every if p.is_area and p.ground.enclosed]
        self.fortified = [p for p in every if p.ground.fortified]
        self.barriers = [p for p in every if not p.is_area and (p.ground.barrier or p.ground.closed)]
        self.not_open = [p for p in every if p.is_area and _is_rough(p.ground)]
        self.rough = frozenset(piece.name for piece in self.not_open)
        self.blockers = [p for p in every if p.ground.blocks_sight or p.ground.wood or p.crest]
        self._deepest: float = max(book.settings.woods_look_depth, book.settings.woods_fire_depth)
        between = book.lengths["wood_between"]
        self.screens = SightBlockers(
            [SightBlocker(p, through=between if p.ground.wood else None) for p in self.blockers], SQUARE
        )
        self.going = {
            riding: MovementCost((width, depth), "cm", every, partial(self._cost_of_piece, riding))
            for riding in (False, True)
        }
        self.closed = self.going[False].closed
        self.throng: UnitIndex | None = None
        self.gaps: Lazy[tuple[Body, Body], Near] = LazyBetween(nearest, MOST_KEPT)
        self.hulls: Lazy[Body, tuple[Point, ...]] = Lazy(lambda body: hull(body.at), MOST_KEPT)
        near, either = book.lengths["near_object"], book.settings.los_near_object == "either"
        self.lanes: Lazy[tuple[Body, ...], FigureBlockers] = Lazy(
            partial(FigureBlockers, near=near, either=either), most=100
        )
        """The bodies between two bodies, including these two, with a cache of the lines of fire past them."""
        self.commanded: Lazy[tuple[Body, Body], tuple[bool, ...]] = LazyBetween(self._within_command, MOST_KEPT)
        self.witnesses: dict[Body, tuple[str, Body]] = {}
        self.depths: Lazy[Body, tuple[tuple[str, float] | None, ...]] = Lazy(self._depths, MOST_KEPT)
        shelters = CoverFinder((width, depth), near, self.covers, _shelter_of)
        self.shelters: Lazy[Body, tuple[tuple[FigureCover, ...], ...]] = Lazy(shelters.of_body, MOST_KEPT)
        """The cover of each figure of a body; empty if no figure has any."""
        self.sheltered: Lazy[Body, bool] = Lazy(lambda body: all(self.shelters[body] or ((),)), MOST_KEPT)
        works = CoverFinder((width, depth), near, self.fortified, _shelter_of)
        self.in_works: Lazy[Body, bool] = Lazy(partial(_mostly_in, works), MOST_KEPT)

    def on_table(self, point: Point) -> bool:
        """Return True if a point is on the table or on its edge."""
        return self.table.is_on_table(point)

    # --- cover ---------------------------------------------------------------------------------------------------------

    def cover_of(self, body: Body, index: int, seen_from: Point | None) -> Cover:
        """Return the cover of one figure from a point, or with None its best cover from any side (RSK-099, RSK-107).

        Low cover protects a figure within 2 cm of it if the line crosses it; a trench protects from every side.
        """
        shelters = self.shelters[body]
        best = best_cover(shelters[index], seen_from, body.at[index], RANK) if shelters else None
        return "open" if best is None else RANKING[best.rank]

    def all_in_cover(self, body: Body, seen_from: Point | None) -> bool:
        """Return True if every figure has cover from a point, or with None any cover at all (RSK-116)."""
        if seen_from is None or not self.sheltered[body]:
            return self.sheltered[body]
        return all(self.cover_of(body, index, seen_from) != "open" for index in range(len(body)))

    # --- concealment and sight --------------------------------------------------------------------------------------------

    def _depths(self, body: Body) -> tuple[tuple[str, float] | None, ...]:
        near = [piece for piece in self.concealing if bounds_meet(body.box, piece.box)]
        return tuple([_depth_in(point, near) for point in body.at]) if near else (None,) * len(body)

    def line_clear(self, a: Point, b: Point, screens: Sequence[SightBlocker[Ground]] | None = None) -> bool:
        """Return True if nothing blocks the straight line from a to b (RSK-155).

        Buildings, high walls, hill crests between the ends, and more than 10 cm of wood block it. Terrain that holds
        one of the ends does not, except a wood in which that end is too deep to look or shoot out on that side
        (RSK-152). Low obstacles and figures do not block it. `screens` are the only pieces that can block it, if
        known.
        """
        between, known = self.book.lengths["wood_between"], self.screens.all if screens is None else screens
        return is_clear_in_all(a, b, known, between, self._is_too_deep)

    def _is_too_deep(self, wood: TerrainArea, inside: Point, outside: Point) -> bool:
        """Return True if a figure so deep in a wood can neither look nor shoot out on the side of another point
        (RSK-152).
        """
        return wood.depth_behind(inside, outside) > self._deepest

    def may_hide_in(self, box: Bounds) -> bool:
        """Return True if anything that blocks sight reaches into a rectangle."""
        return any(bounds_meet(box, piece.hiding.box) for piece in self.blockers)

    def between(self, a: Body, b: Body) -> tuple[SightBlocker[Ground], ...] | None:
        """Return what could block a line between two bodies in either direction. None if something blocks all lines."""
        return self.screens.between(a.box, b.box)

    # --- closed ground ---------------------------------------------------------------------------------------------------

    def meets_walls(self, a: Point, b: Point) -> bool:
        """Return True if the straight line between two points runs into closed ground."""
        return bool(self.closed) and a != b and not self.going[False].is_open(a, b)

    def is_closed(self, point: Point) -> bool:
        """Return True if a point is in closed ground, where a figure cannot stand."""
        return bool(self.closed) and not self.going[False].can_stand(point)

    def _cost_of_piece(self, riding: bool, piece: TerrainPiece[Ground]) -> float | None:
        """Return the cost of one cm in a piece: 2 in difficult ground (RSK-076). The cost of a barrier depends on the
        unit that crosses it (RSK-077).

        With `riding`, ground that is not open and clear is impassable, as for riders who keep the mounted rate
        (RSK-075).
        """
        ground = piece.ground
        if ground.closed or (riding and piece.is_area and _is_rough(ground)):
            return None
        if piece.is_area:
            return self.book.file.difficult_cost.times if ground.difficult else 1.0
        return 1.0 if ground.barrier or ground.difficult else 0.0

    # --- enclosed terrain and going --------------------------------------------------------------------------------------

    def _within_command(self, leader: Body, body: Body) -> tuple[bool, ...]:
        lengths = self.book.lengths
        return self.within_command(leader, body, lengths["command_enclosed"], lengths["command_open"])

    def within_command(self, leader: Body, body: Body, shorter: float, longer: float) -> tuple[bool, ...]:
        """Return which figures of a body are within command distance of a leader: 50 cm, or 25 cm in enclosed terrain
        (RSK-055).
        """
        here, radii = leader.at[0], leader.radius + body.radius
        line = self.book.settings.command_enclosed_test == "line"
        if self.enclosing and self.enclosed(here):
            longer = shorter

        def is_reached(point: Point) -> bool:
            gap = dist(here, point) - radii
            if gap <= shorter or gap > longer:
                return gap <= shorter
            return not self.enclosed(point) and not (line and self.enclosed_between(here, point))

        return tuple([is_reached(point) for point in body.at])

    def enclosed(self, point: Point) -> bool:
        """Return True if a point is in enclosed terrain (RSK-055)."""
        return any(piece.holds(point) for piece in self.enclosing)

    def enclosed_between(self, a: Point, b: Point) -> bool:
        """Return True if the straight line between two points crosses enclosed terrain."""
        return any(piece.meets(a, b) for piece in self.enclosing)

    def hinders(self, box: Bounds, mounted: bool = False) -> bool:
        """Return True if a rectangle contains terrain that slows, stops or bars figures. For riders, all terrain that
        is not open and clear counts.
        """
        return not self.going[mounted].is_plain(box)

    def barrier_between(self, a: Point, b: Point) -> bool:
        """Return True if a low barrier or wall lies across the line between two points (RSK-168)."""
        box = box_between(a, b)
        return any(bounds_meet(box, piece.box) and piece.meets(a, b) for piece in self.barriers)


def _depth_in(point: Point, near: Sequence[TerrainPiece[Ground]]) -> tuple[str, float] | None:
    for piece in near:
        if piece.holds(point):
            return piece.name, piece.depth(point)
    return None


def _is_rough(ground: Ground) -> bool:
    """Return True if terrain is not open and clear for riders (RSK-075). A low barrier alone does not count."""
    return ground.difficult or ground.conceals or ground.enclosed or ground.closed


def _shelter_of(piece: TerrainPiece[Ground]) -> FigureCover:
    """Return the cover of a piece and the line that it counts across. A trench and an area have no such line."""
    trench = not piece.ground.barrier and not piece.ground.closed
    return FigureCover(
        RANKING.index(piece.ground.cover), piece.shape if isinstance(piece.shape, TerrainLine) and not trench else None
    )


def _mostly_in(works: CoverFinder[FigureCover], body: Body) -> bool:
    """Return True if most figures are in or behind something fortified (RSK-135)."""
    return 2 * sum([bool(found) for found in works.of_body(body)]) > len(body)
