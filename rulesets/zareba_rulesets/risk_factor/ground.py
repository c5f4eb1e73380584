"""The terrain: what it hides, what it shelters, and where units stand on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import inf
from operator import attrgetter
from typing import NamedTuple

from zareba.base.exact import dist, distances, total
from zareba.space import FreeTable
from zareba.space.bearings import direction
from zareba.space.field.bodies import Body, Crowd, FigureBlockers, NearestPair, crowd_of_bodies, nearest
from zareba.space.field.line_of_sight import SightBlocker, SightBlockers, is_clear_through_growth
from zareba.space.field.line_of_sight import sight_blockers as blockers_of_line
from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import UnitIndex
from zareba.space.geometry import Bounds, Point, box_between, boxes_meet, hull, is_inside
from zareba.space.ground.buildings import CoverFinder, best_cover
from zareba.space.ground.movement_cost import MovementCost
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.moves import LineFormation, furthest_first, offset_along
from zareba.space.outlines import TerrainArea, TerrainLine
from zareba_rulesets.risk_factor.book import COVER_ORDER, Cover, Ground, RskBook

# --- The terrain of a battle and what depends on it alone: move costs, cover, concealment and lines of sight ----------


SQUARE = 5.0  # cm: the side of the squares by which terrain is found
MOST_CACHED = 6_000
"""The number of measurements of each kind that are cached. A body is immutable, so its measurements stay valid."""


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


class CoverDepth(NamedTuple):
    """The depth of a figure in concealing terrain: the name of the piece, and the distance in cm from its edge."""

    piece: str
    cm: float


_RANK = attrgetter("rank")


class StaticTerrain:
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
        self.blocking_pieces = [p for p in every if p.ground.blocks_sight or p.ground.wood or p.crest]
        self._deepest: float = max(book.settings.woods_look_depth, book.settings.woods_fire_depth)
        between = book.lengths["wood_between"]
        self.blockers = SightBlockers(
            [SightBlocker(p, through=between if p.ground.wood else None) for p in self.blocking_pieces], SQUARE
        )
        self.move_costs = {
            riding: MovementCost((width, depth), "cm", every, partial(self._cost_of_piece, riding))
            for riding in (False, True)
        }
        self.closed = self.move_costs[False].closed
        self.open_lines: Lazy[tuple[Point, Point], bool] = LazyBetween(self.move_costs[False].is_open, MOST_CACHED)
        """True for two points if the straight line between them is free of closed ground."""
        self.unit_index: UnitIndex | None = None
        self.gaps: Lazy[tuple[Body, Body], NearestPair] = LazyBetween(nearest, MOST_CACHED)
        self.hulls: Lazy[Body, tuple[Point, ...]] = Lazy(lambda body: hull(body.at), MOST_CACHED)
        near, either = book.lengths["near_object"], book.settings.los_near_object == "either"
        self.figure_blockers: Lazy[tuple[Body, ...], FigureBlockers] = Lazy(
            partial(FigureBlockers, near=near, either=either), most=100
        )
        """The bodies between two bodies, including these two, with a cache of the lines of fire past them."""
        self.in_command: Lazy[tuple[Body, Body], tuple[bool, ...]] = LazyBetween(self._within_command, MOST_CACHED)
        self.last_seen_by: dict[Body, tuple[str, Body]] = {}
        self.depths: Lazy[Body, tuple[CoverDepth | None, ...]] = Lazy(self._depths, MOST_CACHED)
        shelters = CoverFinder((width, depth), near, self.covers, _shelter_of)
        self.shelters: Lazy[Body, tuple[tuple[FigureCover, ...], ...]] = Lazy(shelters.of_body, MOST_CACHED)
        """The cover of each figure of a body; empty if no figure has any."""
        self.sheltered: Lazy[Body, bool] = Lazy(lambda body: all(self.shelters[body] or ((),)), MOST_CACHED)
        works = CoverFinder((width, depth), near, self.fortified, _shelter_of)
        self.in_works: Lazy[Body, bool] = Lazy(partial(_mostly_in, works), MOST_CACHED)

    def on_table(self, point: Point) -> bool:
        """Return True if a point is on the table or on its edge."""
        return self.table.is_on_table(point)

    # --- cover --------------------------------------------------------------------------------------------------------

    def cover_of(self, body: Body, index: int, seen_from: Point | None) -> Cover:
        """Return the cover of one figure from a point, or with None its best cover from any side (RSK-099, RSK-107).

        Low cover protects a figure within 2 cm of it if the line crosses it; a trench protects from every side.
        """
        shelters = self.shelters[body]
        best = best_cover(shelters[index], seen_from, body.at[index], _RANK) if shelters else None
        return "open" if best is None else COVER_ORDER[best.rank]

    def all_in_cover(self, body: Body, seen_from: Point | None) -> bool:
        """Return True if every figure has cover from a point, or with None any cover at all (RSK-116)."""
        if seen_from is None or not self.sheltered[body]:
            return self.sheltered[body]
        return all(self.cover_of(body, index, seen_from) != "open" for index in range(len(body)))

    # --- concealment and sight ----------------------------------------------------------------------------------------

    def _depths(self, body: Body) -> tuple[CoverDepth | None, ...]:
        """Return for each figure of a body the concealing cover that it is in and how deep, or None."""
        near = [piece for piece in self.concealing if boxes_meet(body.box, piece.box)]
        return tuple([_depth_in(point, near) for point in body.at]) if near else (None,) * len(body)

    def line_clear(self, a: Point, b: Point, blockers: Sequence[SightBlocker[Ground]] | None = None) -> bool:
        """Return True if nothing blocks the straight line from a to b (RSK-155).

        Buildings, high walls, hill crests between the ends, and more than 10 cm of wood block it. Terrain that holds
        one of the ends does not, except a wood in which that end is too deep to look or shoot out on that side
        (RSK-152). Low obstacles and figures do not block it. `blockers` are the only pieces that can block it, if
        known.
        """
        between, known = self.book.lengths["wood_between"], self.blockers.all if blockers is None else blockers
        return is_clear_through_growth(a, b, known, between, self._is_too_deep)

    def _is_too_deep(self, wood: TerrainArea, inside: Point, outside: Point) -> bool:
        """Return True if a figure so deep in a wood can neither look nor shoot out on the side of another point
        (RSK-152).
        """
        return wood.depth_behind(inside, outside) > self._deepest

    def may_hide_in(self, box: Bounds) -> bool:
        """Return True if anything that blocks sight reaches into a rectangle."""
        return any(boxes_meet(box, piece.hiding.box) for piece in self.blocking_pieces)

    def between(self, a: Body, b: Body) -> tuple[SightBlocker[Ground], ...] | None:
        """Return what could block a line between two bodies in either direction. None if something blocks all lines."""
        return self.blockers.between(a.box, b.box)

    # --- closed ground ------------------------------------------------------------------------------------------------

    def meets_walls(self, a: Point, b: Point) -> bool:
        """Return True if the straight line between two points runs into closed ground."""
        return bool(self.closed) and a != b and not self.open_lines[a, b]

    def is_closed(self, point: Point) -> bool:
        """Return True if a point is in closed ground, where a figure cannot stand."""
        return bool(self.closed) and not self.move_costs[False].can_stand(point)

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

    # --- enclosed terrain and going -----------------------------------------------------------------------------------

    def _within_command(self, leader: Body, body: Body) -> tuple[bool, ...]:
        """Return for each figure of a body if a leader's order reaches it."""
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
        return not self.move_costs[mounted].is_plain(box)

    def barrier_between(self, a: Point, b: Point) -> bool:
        """Return True if a low barrier or wall lies across the line between two points (RSK-168)."""
        box = box_between(a, b)
        return any(boxes_meet(box, piece.box) and piece.meets(a, b) for piece in self.barriers)


def _depth_in(point: Point, near: Sequence[TerrainPiece[Ground]]) -> CoverDepth | None:
    """Return the cover that a point is in and how deep, or None."""
    for piece in near:
        if piece.holds(point):
            return CoverDepth(piece.name, piece.depth(point))
    return None


def in_same_piece(a: CoverDepth | None, b: CoverDepth | None) -> bool:
    """Return True if two figures are in the same concealing terrain."""
    return a is not None and b is not None and a.piece == b.piece


def _is_rough(ground: Ground) -> bool:
    """Return True if terrain is not open and clear for riders (RSK-075). A low barrier alone does not count."""
    return ground.difficult or ground.conceals or ground.enclosed or ground.closed


def _shelter_of(piece: TerrainPiece[Ground]) -> FigureCover:
    """Return the cover of a piece and the line that it counts across. A trench and an area have no such line."""
    trench = not piece.ground.barrier and not piece.ground.closed
    return FigureCover(
        COVER_ORDER.index(piece.ground.cover),
        piece.shape if isinstance(piece.shape, TerrainLine) and not trench else None,
    )


def _mostly_in(works: CoverFinder[FigureCover], body: Body) -> bool:
    """Return True if most figures are in or behind something fortified (RSK-135)."""
    return 2 * sum([bool(found) for found in works.of_body(body)]) > len(body)


# --- Line of sight between two bodies over the terrain alone (RSK-126, RSK-152 to RSK-155) ----------------------------


def view_between(field: StaticTerrain, a: Body, b: Body) -> SightLine:
    """Return what body `a` sees of body `b` over the terrain. Sight dice and marks for shooting are applied elsewhere
    (RSK-150, RSK-151).
    """
    blockers = field.between(a, b)
    a_depths, b_depths = field.depths[a], field.depths[b]
    is_concealed = any(b_depths)
    is_hidden = any(a_depths)
    if blockers == () and not (is_concealed or is_hidden):
        field.views[b, a] = PLAIN
        return PLAIN
    if not (is_concealed or is_hidden):  # such a view is the same from both ends
        is_barred = blockers is None or _is_screened(field, a, b, blockers)
        found = (
            NOTHING if is_barred or not _any_clear(field, a, b, range(len(a)), range(len(b)), blockers or ()) else PLAIN
        )
        field.views[b, a] = found
        return found
    if is_concealed and is_hidden and _share_cover(field, a, b):
        return PLAIN
    if blockers is None or _is_screened(field, a, b, blockers):
        return NOTHING
    lookers = [i for i, depth in enumerate(a_depths) if _looks_out(field, depth)] if is_hidden else range(len(a))
    exposed = [j for j, depth in enumerate(b_depths) if depth is None] if is_concealed else range(len(b))
    if lookers and exposed and _any_clear(field, a, b, lookers, exposed, blockers):
        return PLAIN
    return _concealed_distance(field, a, b, lookers, blockers) if is_concealed and lookers else NOTHING


def sight_blockers(field: StaticTerrain, a: Body, b: Body) -> list[str]:
    """Return the terrain pieces that hide the nearest figure of body `b` from body `a`: pieces between them, and pieces
    they are in (RSK-152).
    """
    pair = field.gaps[a, b]
    start, end = a.at[pair.first_index], b.at[pair.second_index]
    blockers = field.blockers.near(box_between(start, end))
    names = [
        screen.piece.name for screen in blockers_of_line(blockers, lambda ones: field.line_clear(start, end, ones))
    ]
    names += [
        depth.piece
        for depth in (field.depths[a][pair.first_index], field.depths[b][pair.second_index])
        if depth is not None
    ]
    return names


def nearest_in_sight(field: StaticTerrain, a: Body, b: Body) -> int:
    """Return the figure of body `b` nearest to body `a`, among those that a figure of `a` can see or shoot at."""
    near, blockers, a_depths, b_depths = (
        field.gaps[a, b].second_index,
        field.between(a, b),
        field.depths[a],
        field.depths[b],
    )
    if blockers is None or not (blockers or any(a_depths) or any(b_depths)):
        return near
    deepest = max(field.book.settings.woods_look_depth, field.book.settings.woods_fire_depth)
    lookers = [i for i, depth in enumerate(a_depths) if _looks_out(field, depth)] or range(len(a))

    def distance_of(j: int) -> float:
        return min(distances(b.at[j], a.at))

    for j in sorted(range(len(b)), key=distance_of):
        depth = b_depths[j]
        if (depth is None or depth.cm <= deepest) and _any_clear(field, a, b, lookers, (j,), blockers):
            return j
    return near


def facing_first(body: Body, other: Body, figures: Iterable[int]) -> list[int]:
    """Return figures of a body, the foremost towards another body first."""
    return furthest_first(body.at, (other.centre[0] - body.centre[0], other.centre[1] - body.centre[1]), figures)


def _looks_out(field: StaticTerrain, depth: CoverDepth | None) -> bool:
    """Return True if a figure at a depth can see out of its cover (RSK-152)."""
    if depth is None or not field.pieces[depth.piece].ground.wood:
        return True
    return bool(depth.cm <= field.book.settings.woods_look_depth)


def _share_cover(field: StaticTerrain, a: Body, b: Body) -> bool:
    """Return True if two figures in the same cover are near enough to see each other (RSK-153)."""
    reach = field.book.lengths["wood_sight"]
    if a.circle_gap(b) > reach:
        return False
    reach += a.radius + b.radius
    for mine, here in zip(field.depths[a], a.at, strict=True):
        if mine is not None:
            for theirs, target_point in zip(field.depths[b], b.at, strict=True):
                if theirs is not None and mine.piece == theirs.piece and dist(here, target_point) <= reach:
                    return True
    return False


def _is_screened(field: StaticTerrain, a: Body, b: Body, blockers: Iterable[SightBlocker[Ground]]) -> bool:
    """Return True if one piece hides the whole of each body from the other. A piece that holds part of a body does not
    count.
    """
    for screen in blockers:
        box = screen.piece.hiding.box
        if not (boxes_meet(box, a.box) or boxes_meet(box, b.box)) and screen.hides(field.hulls[a], field.hulls[b]):
            return True
    return False


def _any_clear(
    field: StaticTerrain,
    a: Body,
    b: Body,
    lookers: Sequence[int],
    sought: Sequence[int],
    blockers: Sequence[SightBlocker[Ground]],
) -> bool:
    """Return True if any line between figures of two bodies is clear. The foremost figures are tried first."""
    if not blockers:
        return True
    here = [a.at[i] for i in facing_first(a, b, lookers)]
    target_points = [b.at[j] for j in facing_first(b, a, sought)]
    return any(field.line_clear(p, q, blockers) for q in target_points for p in here)


def _concealed_distance(
    field: StaticTerrain, a: Body, b: Body, lookers: Sequence[int], blockers: Sequence[SightBlocker[Ground]]
) -> SightLine:
    """Return how near the concealed figures of a body are along clear lines, or a plain view if they are seen from the
    lip of a donga.
    """
    settings, depths = field.book.settings, field.depths[b]
    shallow, deepest = settings.woods_look_depth, max(settings.woods_look_depth, settings.woods_fire_depth)
    hidden = [(j, depth) for j, depth in enumerate(depths) if depth is not None]
    if _from_the_lip(field, a, b, lookers, blockers):
        return PLAIN
    near = [j for j, (_, depth) in hidden if depth <= shallow]
    deep = [j for j, (_, depth) in hidden if depth <= deepest]
    found = _least_line(field, a, b, lookers, near, blockers)
    return SightLine(False, found, found if near == deep else _least_line(field, a, b, lookers, deep, blockers))


def _from_the_lip(
    field: StaticTerrain, a: Body, b: Body, lookers: Sequence[int], blockers: Sequence[SightBlocker[Ground]]
) -> bool:
    """Return True if a figure near the lip of a sunken piece sees a figure in it (RSK-155)."""
    lip, own, other = field.book.lengths["donga_lip"], field.depths[a], field.depths[b]
    for name in dict.fromkeys(depth.piece for depth in other if depth is not None):
        piece = field.pieces[name]
        if not piece.ground.sunken:
            continue
        sought = [j for j, depth in enumerate(other) if depth is not None and depth.piece == name]
        beside = [i for i in lookers if (depth := own[i]) is None or depth.piece != name]
        beside = [i for i in beside if piece.is_within(a.at[i], lip)]
        if beside and _any_clear(field, a, b, beside, sought, blockers):
            return True
    return False


def _least_line(
    field: StaticTerrain,
    a: Body,
    b: Body,
    lookers: Sequence[int],
    sought: Sequence[int],
    blockers: Sequence[SightBlocker[Ground]],
) -> float:
    """Return the shortest clear line between figures of two bodies that are not in the same cover."""
    if not sought:
        return inf
    own, other = field.depths[a], field.depths[b]
    if not any(own):
        near = nearest(a.subset(lookers), b.subset(sought))
        if not blockers or field.line_clear(a.at[lookers[near.first_index]], b.at[sought[near.second_index]], blockers):
            return near.gap
    pairs = [(i, j) for i in lookers for j in sought if not in_same_piece(own[i], other[j])]
    lines = sorted((dist(a.at[i], b.at[j]), a.at[i], b.at[j]) for i, j in pairs)
    radii = a.radius + b.radius
    clear = (length for length, p, q in lines if not blockers or field.line_clear(p, q, blockers))
    return max(0.0, next(clear, inf) - radii)


# --- The terrain of a battle together with the lines of sight over it -------------------------------------------------


class Field(StaticTerrain):
    """The terrain, and the lines of sight between units over it."""

    def __init__(self, book: RskBook, width: float, depth: float, pieces: Mapping[str, TerrainPiece[Ground]]) -> None:
        super().__init__(book, width, depth, pieces)
        self.views = LazyBetween(partial(view_between, self), MOST_CACHED)


# --- Units in cover: in line along works, or in the near part of rocks, dongas, bush and woods (RSK-007, RSK-107) -----


CLOSE_UP = 0.05  # cm between a base and the works it lines
_LINING = LineFormation(spacing=1.1, rows=3, close_up=CLOSE_UP, square_on=0.5, beside=2.2, deeper=2.0)
FAR = 60.0  # cm ahead where an enemy is assumed
_WORTH: dict[Cover, float] = {"open": 0.0, "soft": 0.5, "hard": 1.0}
SHIFT = 0.004  # cost of 1 cm of shift, in units of WORTH


def along_works(
    field: Field, occupied: Iterable[Body], body: Body, facing: float, reach: float, zone: Sequence[Point]
) -> Body | None:
    """Return a unit in line along works within `reach` cm of its front. None if there are no works, or if its present
    cover is better.
    """
    ahead = direction(facing)
    (x, y), front = body.centre, max(offset_along(at, ahead) for at in body.at) - offset_along(body.centre, ahead)
    far = front + body.radius + reach
    works = [piece for piece in field.fortified if not piece.is_area]
    if not any(piece.meets((x, y), (x + ahead[0] * far, y + ahead[1] * far)) for piece in works):
        return None
    near = [piece for piece in works if piece.distance((x, y)) <= far]  # walls may continue beyond gates and corners
    parts = [_LINING.rows_along(piece.points, body.radius, facing) for piece in near]
    rows = [[at for part in parts for at in part[row]] for row in range(_LINING.rows)]
    return _best_line(field, occupied, body, facing, [rows], reach + 2 * body.outer_radius, zone, min_share=0.0)


def in_cover_near(
    field: Field, occupied: Iterable[Body], body: Body, facing: float, reach: float, zone: Sequence[Point]
) -> Body | None:
    """Return a unit in the best cover of its zone within `reach` cm. None if most of its men would have no cover, or no
    better cover than now.

    Buildings are not occupied in this way.
    """
    places = (
        _LINING.rows_along(piece.points, body.radius, facing)
        if isinstance(piece.shape, TerrainLine)
        else _rows_in(field, piece, piece.shape, body.radius, facing)
        for piece in field.covers
        if not piece.ground.blocks_sight
    )
    return _best_line(field, occupied, body, facing, places, reach, zone, min_share=0.5)


def is_mostly_in_cover(field: Field, body: Body, facing: float) -> bool:
    """Return True if most of a unit's men have cover from the front."""
    return 2 * _cover(field, body, direction(facing))[1] > len(body)


def _best_line(
    field: Field,
    occupied: Iterable[Body],
    body: Body,
    facing: float,
    places: Iterable[Sequence[Sequence[Point]]],
    reach: float,
    zone: Sequence[Point],
    min_share: float,
) -> Body | None:
    """Return the unit in the places that cover it best, or None if they cover no more than the `min_share` share of its
    men. `places` are given by rows.
    """
    crowd, best, best_share = crowd_of_bodies(occupied), None, _cover(field, body, direction(facing))[0]

    def is_free(at: Point) -> bool:
        return (not zone or is_inside(at, zone)) and _has_room(field, crowd, at, body.radius)

    for rows in places:
        line = _LINING.line_up(body, [list(filter(is_free, row)) for row in rows], facing, reach)
        if line is None:
            continue
        cover, covered = _cover(field, line, direction(facing))
        worth = cover - SHIFT * dist(line.centre, body.centre)
        if covered > min_share * len(line) and worth > best_share:
            best, best_share = line, worth
    return best


def _cover(field: Field, body: Body, ahead: Point) -> tuple[float, int]:
    """Return the mean cover of a body from the front, and how many of its men have any."""
    found = [
        field.cover_of(body, index, (x + ahead[0] * FAR, y + ahead[1] * FAR)) for index, (x, y) in enumerate(body.at)
    ]
    return total(_WORTH[cover] for cover in found) / len(found), sum(cover != "open" for cover in found)


def _rows_in(
    field: Field, piece: TerrainPiece[Ground], area: TerrainArea, radius: float, facing: float
) -> list[list[Point]]:
    """Return three rows of places: the first ranks along the front of an area, the places behind them, and those round
    the area.

    Men farther back have their mates in their line of fire (RSK-106). In a wood, only places from which figures can
    look out are used (RSK-152).
    """
    files, outside = _LINING.files_in(area, radius, facing)
    inside = [_looking_out(field, piece, file, radius) for file in files]
    ranks = field.book.counts["lining_ranks"]  # ranks in which all figures can shoot
    return [[at for file in inside for at in file[:ranks]], [at for file in inside for at in file[ranks:]], outside]


def _looking_out(field: Field, piece: TerrainPiece[Ground], places: list[Point], radius: float) -> list[Point]:
    """Return the places from which figures can look out of the piece they are in."""
    if not piece.ground.wood or not places:
        return places
    depths, looks = field.depths[Body(tuple(places), radius)], field.book.settings.woods_look_depth
    return [at for at, depth in zip(places, depths, strict=True) if depth is not None and depth.cm <= looks]


def _has_room(field: Field, crowd: Crowd, at: Point, radius: float) -> bool:
    """Return True if a base has room at a point: on the table, on open ground, among the others."""
    x, y = at
    on_table = radius <= x <= field.width - radius and radius <= y <= field.depth - radius
    return on_table and not field.is_closed(at) and crowd.is_free(at, radius)
