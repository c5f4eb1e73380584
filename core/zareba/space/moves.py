"""Movement of figures on an open table: free places, contact, charges, lining works, and moving together.

- `free_space`: a free place near a point.
- `contact`: the first base that a moving base touches.
- `charge_paths`: paths to places in contact with a base.
- `line_formation`: places along works.
- `march`: blockers of figures that move in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import inf, sqrt
from typing import Literal, NamedTuple, TypeAlias

from zareba.base.exact import acosd, atan2d, cosd, dist, hypot, sind
from zareba.space.bearings import direction, offset
from zareba.space.field.bodies import SLACK, Base, Body, Crowd, passes
from zareba.space.geometry import Bounds, Point, Points, bounds, distance_to_segment, nearest_leg
from zareba.space.outlines import TerrainArea

# --- Charges into contact: places next to a base, and paths to them around it and past other bases in the way ---------
#
# Any unit of length; angles are bearings in degrees.


Ring: TypeAlias = tuple[Point, float]
"""The middle and the radius of a base."""

_ROUNDING = 0.01
"""A figure this far inside a base certainly overlaps it, despite rounding."""


class ContactArc(NamedTuple):
    """A blocked arc around a base: places within `half` degrees of a bearing are taken, within `inner` surely."""

    bearing: float
    half: float
    inner: float


class ChargePaths(NamedTuple):
    """The settings for paths into contact.

    `touch`: distance between bases at which a charge stops. `bend`: degrees between the places tried around a base,
    and between the corners of a path around it. `most`: greatest number of bases that a path goes around. `turns`: the
    evenly spaced turns to try, in both directions.
    """

    touch: float
    bend: float
    most: int
    turns: tuple[float, ...]

    def occupied_arcs(self, radius: float, taken: Crowd, ring: Ring) -> list[ContactArc]:
        """Return the arcs around a base, at contact distance for a mover of this radius, that `taken` bases block.

        In a crowd, a wide base may cover the whole circle, so that it is touched nowhere; it is left out.
        """
        point, contact = ring[0], radius + ring[1] + self.touch
        arcs = []
        for x, y, wide, _, _ in taken.near(point, contact + radius):
            distance, apart = dist((x, y), point), radius + wide
            if abs(contact - distance) < apart < contact + distance:
                bearing = atan2d(x - point[0], y - point[1])
                half = acosd(_cosine(contact, distance, apart))
                certainly_inside = apart - _ROUNDING
                inner = 0.0
                if certainly_inside > abs(contact - distance):
                    inner = acosd(_cosine(contact, distance, certainly_inside))
                arcs.append(ContactArc(bearing, half, inner))
        return arcs

    def places_in_contact(
        self, start: Point, radius: float, ring: Ring, taken: Mapping[Ring, Sequence[ContactArc]], reach: float = inf
    ) -> Iterator[tuple[float, Point]]:
        """Yield the places in contact with a base for a mover from `start`, each with its turn from the straight path.

        The straight one comes first, then places further and further around. In addition to the even steps there are
        the places that just touch a base in `taken` (arcs from `occupied_arcs`, by base), so that no gap is missed.
        Places certainly inside such a base are left out, and so are places surely farther from `start` than `reach`.
        """
        point, contact = ring[0], radius + ring[1] + self.touch
        straight = atan2d(start[0] - point[0], start[1] - point[1])
        yield 0.0, offset(point, straight, contact)
        farthest = self._farthest_turn(dist(start, point), contact, reach)
        turns, certainly_taken = [turn for turn in self.turns if -farthest <= turn <= farthest], []
        for bearing, half, inner in taken[ring]:
            middle = bearing - straight
            for edge in ((middle + half + 180) % 360 - 180, (middle - half + 180) % 360 - 180):
                if -farthest <= edge <= farthest:
                    turns.append(edge)
            if inner:
                certainly_taken.append((middle, inner))
        for turn in sorted(turns, key=abs):
            for middle, half in certainly_taken:
                if -half < (turn - middle + 180) % 360 - 180 < half:
                    break
            else:
                yield turn, offset(point, straight + turn, contact)

    @staticmethod
    def _farthest_turn(distance: float, contact: float, reach: float) -> float:
        """Return the largest turn at which a place `contact` from a point may be within `reach` of a mover."""
        if reach >= distance + contact or not distance:
            return 180.0
        cosine = _cosine(distance, contact, reach)
        return 0.0 if cosine > 1.0 else acosd(cosine) + _ROUNDING

    def path_into_contact(self, start: Point, radius: float, ring: Ring, turn: float) -> list[Point]:
        """Return the path to a place next to a base, `turn` degrees from the straight one.

        The path is straight, or goes along the edge of the base to a place that the base hides.
        """
        point, wide = ring
        return self._path_around(
            start, point, radius + wide + self.touch, atan2d(start[0] - point[0], start[1] - point[1]), turn
        )

    def past(
        self,
        start: Point,
        spot: Point,
        point: Point,
        radius: float,
        others: Sequence[Ring],
        full: Container[Point],
        hand: int,
    ) -> list[Point] | None:
        """Return a path to a place next to the base at a point, past other bases in the way, or None.

        It passes them all on one side (1 right, -1 left). It goes only around bases whose middles are in `full`,
        because they take no more attackers. If any other base is in the way, the result is None.
        """
        path, passed = [start], list[Ring]()
        while len(passed) <= self.most:
            rest = self._path_to_place(path[-1], spot, point)
            in_way = [ring for ring in self._bases_in_way(rest, point, radius, others) if ring not in passed[-1:]]
            if not in_way:
                return [*path, *rest[1:]]
            along: list[Point] | None = None
            while in_way:
                ring = min(in_way, key=lambda ring: dist(ring[0], path[-1]))
                passed.append(ring)
                along = self._path_past(path[-1], ring, spot, point, radius, hand) if ring[0] in full else None
                if along is None or len(passed) > self.most:
                    return None
                in_way = list(self._bases_in_way(along, ring[0], radius, others))
            path += along[1:] if along else []
        return None

    def is_barred(self, path: Sequence[Point], point: Point, radius: float, others: Iterable[Ring]) -> bool:
        """Return True if a base that follows this path would run into any base other than the one at a point."""
        return next(self._bases_in_way(path, point, radius, others), None) is not None

    def _bases_in_way(
        self, path: Sequence[Point], point: Point, radius: float, others: Iterable[Ring]
    ) -> Iterator[Ring]:
        """Yield the bases that a base on this path would run into, except the one at a point."""
        west, south, east, north = bounds(path)
        for at, wide in others:
            (x, y), room = at, radius + wide - self.touch
            if west - room < x < east + room and south - room < y < north + room and at != point:
                for a, b in pairwise(path):
                    if distance_to_segment(at, a, b) < room:
                        yield at, wide
                        break

    def _path_around(self, start: Point, point: Point, contact: float, straight: float, turn: float) -> list[Point]:
        """Return the path to a place `contact` from a point, at a turn from the bearing `straight`.

        It goes around the corners that the base hides.
        """
        distance = dist(start, point)
        bend = acosd(contact / distance) if distance > 0 else 0.0
        path = [start]
        while bend < abs(turn):
            path.append(offset(point, straight + (bend if turn > 0 else -bend), contact))
            bend += self.bend
        return [*path, offset(point, straight + turn, contact)]

    def _path_to_place(self, start: Point, spot: Point, point: Point) -> list[Point]:
        """Return the path to a place next to the base at a point."""
        straight = atan2d(start[0] - point[0], start[1] - point[1])
        turn = (atan2d(spot[0] - point[0], spot[1] - point[1]) - straight + 180) % 360 - 180
        return self._path_around(start, point, dist(spot, point), straight, turn)

    def _path_past(
        self, start: Point, ring: Ring, spot: Point, point: Point, radius: float, hand: int
    ) -> list[Point] | None:
        """Return the path along one side of a base until the base no longer blocks; None if it always does."""
        (x, y), wide = ring
        contact, straight = radius + wide + self.touch, atan2d(start[0] - x, start[1] - y)
        for step in range(1, int(180 / self.bend) + 1):
            along = self._path_around(start, (x, y), contact, straight, -hand * step * self.bend)
            if len(along) > 2:
                onward = self._path_to_place(along[-1], spot, point)
                if not self.is_barred(onward, point, radius, [ring]):
                    return along
        return None


def _cosine(side: float, other: float, opposite: float) -> float:
    """Return the cosine of the angle between two sides of a triangle, opposite the third."""
    return (side * side + other * other - opposite * opposite) / (2 * side * other)


# --- Contact between bases: how far a base moves before it touches another, and the places next to it -----------------


class BaseContact(NamedTuple):
    """The distance a base has moved, and the base that it touches there."""

    moved: float
    base: Base


def first_touch(
    start: Point,
    goal: Point,
    radius: float,
    bases: Iterable[Base],
    apart: float = 0.0,
    slack: float = 0.0,
    passes: Callable[[float, float, Base], bool] | None = None,
) -> BaseContact | None:
    """Return where a base moving straight first comes within `apart` of another's edge, or None.

    Of equals, the first counts. A base ahead that is already this near, or at most `slack` further, is met at once.
    `passes` may ignore it: its arguments are the distance between the two middles, the distance of the other's middle
    from the path, and the other base.
    """
    x, y = start
    dx, dy = goal[0] - x, goal[1] - y
    shortest = sqrt(dx * dx + dy * dy)
    if shortest <= 1e-9:
        return None
    ux, uy = dx / shortest, dy / shortest
    touched = None
    for base in bases:
        other_x, other_y, other_radius, _, _ = base
        across, along = other_x - x, other_y - y
        ahead = across * ux + along * uy
        if ahead <= 0.0:
            continue
        near = radius + other_radius + apart
        if ahead > shortest + near:
            continue
        beside = across * uy - along * ux
        if not -near < beside < near:
            continue
        travel = ahead - sqrt(near * near - beside * beside)
        if travel <= slack:
            if passes is not None and passes(hypot(across, along), abs(beside), base):
                continue
            travel = max(0.0, travel)
        if travel < shortest:
            shortest, touched = travel, base
    return None if touched is None else BaseContact(shortest, touched)


def points_around(at: Point, reach: float, towards: float, turns: Iterable[float]) -> Iterator[Point]:
    """Yield the places at `reach` from a point, at some turns from the bearing `towards`, in order."""
    return (offset(at, towards + turn, reach) for turn in turns)


# --- Free places for a base: in widening rings around a point, or back along a path -----------------------------------


@lru_cache(maxsize=256)
def rings(
    apart: float, out_to: float, *, least: int, per: float = 0.0, first: float = 0.0, from_east: bool = False
) -> tuple[Point, ...]:
    """Return steps from a point to places on circles around it, nearest circle first.

    Circles are `apart` from each other, up to `out_to`. Each has `per` places for each unit of its radius, but at
    least `least`. They go clockwise from the bearing `first`, or, with `from_east`, anticlockwise from the east.
    """
    offsets = []
    for number in range(1, int(out_to / apart + 1e-9) + 1):
        distance = number * apart
        places = max(least, int(distance * per))
        for index in range(places):
            angle = 360 * index / places
            if from_east:
                offsets.append((distance * cosd(angle), distance * sind(angle)))
            else:
                offsets.append((distance * sind(first + angle), distance * cosd(first + angle)))
    return tuple(offsets)


def first_free(
    want: Point, radius: float, crowd: Crowd, around: Iterable[Point], is_open: Callable[[Point], bool]
) -> Point | None:
    """Return the wanted place, or the first `around` it, that is open and free of other bases; None if none is."""
    x, y = want
    if crowd.is_free(want, radius) and is_open(want):
        return want
    for aside, ahead in around:
        at = x + aside, y + ahead
        if crowd.is_free(at, radius) and is_open(at):
            return at
    return None


def even_shares_back(reach: float, step: float) -> list[float]:
    """Return shares of a path of length `reach`, from all of it down to none, in even parts of about `step`."""
    parts = max(1, int(reach / step))
    return [part / parts for part in range(parts, -1, -1)]


def first_place_back(
    start: Point, path_vector: Point, shares: Iterable[float], holds: Callable[[Point], bool]
) -> Point | None:
    """Return the first place for which `holds` is true, at some shares of the path `path_vector` (east, north); or
    None.
    """
    (x, y), (east, north) = start, path_vector
    for share in shares:
        at = x + east * share, y + north * share
        if holds(at):
            return at
    return None


def furthest_first(at: Sequence[Point], direction: Point, places: Iterable[int] | None = None) -> list[int]:
    """Return the indices of some points, or of all, furthest along a direction first."""
    east, north = direction
    return sorted(range(len(at)) if places is None else places, key=lambda k: -(at[k][0] * east + at[k][1] * north))


# --- Figures in line: in rows along works, or in the ranks of an area that face its front, each next to another -------


def offset_along(at: Point, direction: Point) -> float:
    """Return how far a point lies along a direction (a unit vector), measured from the origin."""
    return at[0] * direction[0] + at[1] * direction[1]


def spread_along(
    legs: Iterable[Sequence[Point]], at: Point, count: int, apart: float, off: float, behind: Point
) -> list[Point]:
    """Return places spread evenly along the leg of a line nearest to a point, `off` from it on the side of `behind`.

    They are at least `apart` from each other, and at most `count`: those nearest to the point. There are fewer if the
    leg is short, none if it has no length.
    """
    a, b = nearest_leg(at, legs)
    length = dist(a, b)
    if length <= SLACK:
        return []
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    left = ux * (behind[1] - a[1]) - uy * (behind[0] - a[0]) >= 0
    nx, ny = (-uy * off, ux * off) if left else (uy * off, -ux * off)
    middle = (at[0] - a[0]) * ux + (at[1] - a[1]) * uy
    room = max(1, int(length / apart))
    marks = sorted([(k + 0.5) * length / room for k in range(room)], key=lambda mark: abs(mark - middle))
    return [(a[0] + mark * ux + nx, a[1] + mark * uy + ny) for mark in marks[:count]]


class LineFormation(NamedTuple):
    """The settings for lining works. Lengths are in base widths, except `close_up`.

    `spacing`: distance from one figure to the next. `rows`: number of rows; figures without a place in one row go into
    the next behind it. `close_up`: distance from a base to the works in front of it. `square_on`: sine of the smallest
    angle between the facing and works that count as in front. `beside`: steps to a neighbour, past at most one or two
    others. `deeper`: how much a place to the side is preferred to one behind.
    """

    spacing: float
    rows: int
    close_up: float
    square_on: float
    beside: float
    deeper: float

    def rows_along(self, line: Points, radius: float, facing: float) -> list[list[Point]]:
        """Return rows of places behind a line, as seen from ahead, the first row close to it."""
        ahead, step = direction(facing), 2 * radius * self.spacing
        rows: list[list[Point]] = [[] for _ in range(self.rows)]
        for (ax, ay), (bx, by) in pairwise(line):
            length = dist((ax, ay), (bx, by))
            ux, uy = (bx - ax) / length, (by - ay) / length
            square = uy * ahead[0] - ux * ahead[1]
            if abs(square) < self.square_on:
                continue
            side = -1.0 if square > 0 else 1.0  # the normal (uy, -ux) points ahead or back
            number = int((length - 2 * radius) / step) + 1
            for row, places in enumerate(rows):
                offset = side * (radius + self.close_up + row * step)
                for k in range(number):
                    mark = length / 2 + (k - (number - 1) / 2) * step
                    places.append((ax + ux * mark + uy * offset, ay + uy * mark - ux * offset))
        return rows

    def files_in(self, area: TerrainArea, radius: float, facing: float) -> tuple[list[list[Point]], list[Point]]:
        """Return the places in an area, file by file from its front back, and the places around it."""
        ahead, step, more = direction(facing), 2 * radius * self.spacing, self.rows - 1
        right = ahead[1], -ahead[0]
        deep = [offset_along(at, ahead) for at in area.points]
        wide = [offset_along(at, right) for at in area.points]
        inside: list[list[Point]] = []
        outside: list[Point] = []
        for column in range(-more, int((max(wide) - min(wide)) / step) + 1 + more):
            x = min(wide) + radius + column * step
            file: list[Point] = []
            for row in range(-more, int((max(deep) - min(deep)) / step) + 1 + more):
                y = max(deep) - radius - row * step
                at = (x * right[0] + y * ahead[0], x * right[1] + y * ahead[1])
                (file if area.holds(at) else outside).append(at)
            inside.append(file)
        return inside, outside

    def line_up(self, body: Body, rows: Sequence[Sequence[Point]], facing: float, reach: float) -> Body | None:
        """Return a body in these places, each figure next to another; None if there are too few.

        It starts from the nearest place of the first row, which must be within `reach` of the body's middle. A row is
        filled only if no row before it has a place left.
        """
        first = min(rows[0], key=lambda at: dist(at, body.centre), default=None)
        if first is None or dist(first, body.centre) > reach:
            return None
        ahead, step = direction(facing), 2 * body.radius * self.spacing
        right, crowd = (ahead[1], -ahead[0]), Crowd([Base(*first, body.radius)], square=8.0)

        def distance_from_first(at: Point) -> float:
            direction = (at[0] - first[0], at[1] - first[1])
            return abs(offset_along(direction, right)) + self.deeper * abs(offset_along(direction, ahead))

        waiting = [at for row in rows for at in sorted(row, key=distance_from_first)]
        chosen = [first]
        while len(chosen) < len(body):
            beside = (
                at
                for at in waiting
                if any(dist(at, o) <= self.beside * step for o in chosen) and crowd.is_free(at, body.radius)
            )
            at = next(beside, None)
            if at is None:
                return None
            chosen.append(at)
            crowd.add(Base(*at, body.radius))
        return Body(
            tuple(sorted(chosen, key=lambda at: (-offset_along(at, ahead), offset_along(at, right)))), body.radius
        )


# --- Find the bases that stop figures which all move by the same vector. Any unit of length ---------------------------


How: TypeAlias = Literal["on", "through", "against"]
"""A figure would end on a base, go through one, or end against one."""


class Blocker(NamedTuple):
    """A base that blocks a move, and how."""

    base: Base
    how: How


def find_blockers(
    starts: Sequence[Point], direction: Point, radius: float, bases: Iterable[Base], side: str, touch: float = 0.0
) -> Blocker | None:
    """Return the first base that stops the figures from all moving by `direction` (east, north); None if none does.

    All figures have bases of one radius. No figure may end on a base. Figures may pass bases of `side` but no others.
    With `touch`, no figure may end that close to a base of another side, edge to edge.
    """
    dx, dy = direction
    for base in bases:
        x, y, base_radius, base_side, _ = base
        reach = radius + base_radius - SLACK
        square = reach * reach
        end_x, end_y = x - dx, y - dy  # the start that would end exactly on the base
        for ax, ay in starts:
            off_x, off_y = ax - end_x, ay - end_y
            if off_x * off_x + off_y * off_y < square:
                return Blocker(base, "on")
        if base_side == side:
            continue
        for ax, ay in starts:
            if passes(x - ax, y - ay, dx, dy, reach):
                return Blocker(base, "through")
            if touch > 0 and hypot(end_x - ax, end_y - ay) <= radius + base_radius + touch:
                return Blocker(base, "against")
    return None


def is_blocked(start: Point, direction: Point, radius: float, bases: Iterable[Base], side: str) -> bool:
    """Return True if a base stops one figure from moving by `direction`: the same as `find_blockers`, but faster."""
    (ax, ay), (dx, dy) = start, direction
    square = dx * dx + dy * dy
    for x, y, base_radius, base_side, _ in bases:
        reach = radius + base_radius - SLACK
        off_x, off_y = ax - (x - dx), ay - (y - dy)
        if off_x * off_x + off_y * off_y < reach * reach:
            return True
        if base_side == side:
            continue
        off_x, off_y = x - ax, y - ay
        along = off_x * dx + off_y * dy
        if along > 0:
            share = along / square if along < square else 1.0
            off_x, off_y = off_x - share * dx, off_y - share * dy
        if reach > 0.0 and off_x * off_x + off_y * off_y < reach * reach:
            return True
    return False


def relevant_bases(bases: Iterable[Base], sweep: Bounds, end: Bounds, near: float, side: str) -> list[Base]:
    """Return the bases that may block a move over the box `sweep` into the box `end`.

    The figures stay `near` from the edges of bases. Bases of `side` block only the end of a move, all others the whole
    of it.
    """
    west, south, east, north = sweep
    w, s, e, n = end
    relevant = []
    for base in bases:
        x, y, reach = base[0], base[1], near + base[2]
        if (w - reach <= x <= e + reach and s - reach <= y <= n + reach) or (
            base[3] != side and west - reach <= x <= east + reach and south - reach <= y <= north + reach
        ):
            relevant.append(base)
    return relevant
