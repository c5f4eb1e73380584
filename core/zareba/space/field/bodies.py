"""Bodies of units: the bases of their figures, and the figures that block a line between two of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from math import inf, sqrt
from typing import Any, NamedTuple

from zareba.base.exact import acosd, asind, dist, distances, hypot
from zareba.base.speedups import new_tuple
from zareba.base.state import Record
from zareba.space.bearings import direction
from zareba.space.field.free_table import place_formation, rank_positions
from zareba.space.geometry import EPSILON, Bounds, Point, bounds, middle_of, widen

# --- Round bases on a table: overlap, bases near a point, and bases on a line. Any unit of length ---------------------


SLACK = 1e-6
"""Bases may overlap by this much and still count as touching.

It allows for rounding when one base is set exactly against another.
"""


class Base(NamedTuple):
    """A round base: middle, radius, side, and the name of its figure; "" if it has none."""

    x: float
    y: float
    radius: float
    side: str = ""
    key: str = ""

    @property
    def at(self) -> Point:
        """Its middle."""
        return self.x, self.y


def overlaps_any(at: Point, radius: float, bases: Iterable[Base]) -> bool:
    """Return True if a base at a place would overlap any of the bases; touching is allowed."""
    x, y = at
    room = radius - SLACK
    for other_x, other_y, other_radius, _, _ in bases:
        apart = room + other_radius
        across = x - other_x
        if -apart < across < apart:
            along = y - other_y
            if across * across + along * along < apart * apart:
                return True
    return False


def on_line(bases: Iterable[Base], start: Point, end: Point, near: float = 0.0) -> Iterator[Base]:
    """Yield the bases that a straight line crosses, or whose edges it passes nearer than `near`."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    for base in bases:
        if passes(base[0] - ax, base[1] - ay, dx, dy, near + base[2]):
            yield base


def passes(x: float, y: float, dx: float, dy: float, reach: float) -> bool:
    """Return True if the path from the origin along (dx, dy) comes nearer than `reach` to a point."""
    square = dx * dx + dy * dy
    along = x * dx + y * dy
    if along > 0:
        share = along / square if along < square else 1.0
        x, y = x - share * dx, y - share * dy
    return reach > 0.0 and x * x + y * y < reach * reach


class Crowd:
    """Bases sorted into squares, which makes the search for free places fast.

    A good `square` is about three men wide: few squares to look into, few bases in each.
    """

    __slots__ = ("_side", "_squares", "_widest")

    def __init__(self, bases: Iterable[Base] = (), square: float = 3.0) -> None:
        self._side = square
        self._squares: dict[tuple[int, int], list[Base]] = {}
        self._widest = 0.0
        for base in bases:
            key = (int(base[0] // square), int(base[1] // square))
            if key in self._squares:
                self._squares[key].append(base)
            else:
                self._squares[key] = [base]
            if base[2] > self._widest:
                self._widest = base[2]

    @classmethod
    def joined(cls, crowds: Iterable[Crowd], square: float = 3.0) -> Crowd:
        """Return the bases of several crowds of this `square` as a new one. Faster than from the bases."""
        crowd = cls((), square)
        squares = crowd._squares
        for other in crowds:
            for key, bases in other._squares.items():
                if key in squares:
                    squares[key] += bases
                else:
                    squares[key] = bases.copy()
            if other._widest > crowd._widest:
                crowd._widest = other._widest
        return crowd

    def add(self, base: Base) -> None:
        """Add a base."""
        square = (int(base[0] // self._side), int(base[1] // self._side))
        if square in self._squares:
            self._squares[square].append(base)
        else:
            self._squares[square] = [base]
        if base[2] > self._widest:
            self._widest = base[2]

    def remove(self, base: Base) -> None:
        """Remove a base that was added."""
        self._squares[int(base[0] // self._side), int(base[1] // self._side)].remove(base)

    def is_free(self, at: Point, radius: float) -> bool:
        """Return True if a base at a place would overlap no other."""
        x, y = at
        side, squares = self._side, self._squares
        reach, room = radius + self._widest, radius - SLACK
        widest = room + self._widest
        south, north = int((y - reach) // side), int((y + reach) // side) + 1
        for column in range(int((x - reach) // side), int((x + reach) // side) + 1):
            for row in range(south, north):
                for other_x, other_y, other_radius, _, _ in squares.get((column, row), ()):
                    across = x - other_x
                    if -widest < across < widest:
                        along, apart = y - other_y, room + other_radius
                        if across * across + along * along < apart * apart:
                            return False
        return True

    def near(self, at: Point, radius: float) -> list[Base]:
        """Return the bases that a base of this radius would overlap at a place."""
        x, y = at
        reach = radius + self._widest
        candidates = self.within((x, y, x, y), reach)
        return [base for base in candidates if dist(base.at, at) < radius + base[2]]

    def within(self, box: Bounds, reach: float) -> list[Base]:
        """Return the bases whose middles are at most `reach` from a box along each axis."""
        west, south, east, north = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
        side, squares = self._side, self._squares
        rows = range(int(south // side), int(north // side) + 1)
        return [
            base
            for column in range(int(west // side), int(east // side) + 1)
            for row in rows
            for base in squares.get((column, row), ())
            if west <= base[0] <= east and south <= base[1] <= north
        ]


# --- The bases of a unit as one immutable value, and the nearest figures of two units. Any unit of length -------------


class Body(Record):
    """Figures on round bases of one size. Immutable: a move, a loss or a change of base makes a new body.

    `at` are the middles of the bases. `box` is the rectangle that holds all bases, `outer_radius` the radius of the
    circle around `centre` that does. Bodies are compared by identity, so that measurements of one body or between two
    can be cached.
    """

    __slots__ = ("_bases", "at", "box", "centre", "outer_radius", "radius")

    def __init__(self, at: tuple[Point, ...], radius: float) -> None:
        self.at = at
        self.radius = radius
        self._bases: list[Base] | None = None
        if at:
            xs, ys = [x for x, _ in at], [y for _, y in at]
            self.centre: Point = middle_of(at)
            centre = self.centre
            self.outer_radius = max(distances(centre, at)) + radius
            self.box: Bounds = (min(xs) - radius, min(ys) - radius, max(xs) + radius, max(ys) + radius)
        else:
            self.centre, self.outer_radius, self.box = (0.0, 0.0), 0.0, (0.0, 0.0, 0.0, 0.0)

    def __len__(self) -> int:
        return len(self.at)

    def copy(self) -> Body:
        return self

    def to_data(self) -> dict[str, Any]:
        return {"at": [list(point) for point in self.at], "radius": self.radius}

    @classmethod
    def from_data(cls, data: dict[str, Any], like: Body | None = None, **shared_values: Any) -> Body:
        return cls(tuple((x, y) for x, y in data["at"]), data["radius"])

    @property
    def bases(self) -> list[Base]:
        """The bases one by one, made on first use."""
        if self._bases is None:
            radius = self.radius
            self._bases = [new_tuple(Base, (x, y, radius, "", "")) for x, y in self.at]
        return self._bases

    def moved_by(self, dx: float, dy: float) -> Body:
        """Return the whole body moved by (dx, dy)."""
        return Body(tuple([(x + dx, y + dy) for x, y in self.at]), self.radius)

    def subset(self, indices: Sequence[int]) -> Body:
        """Return the body of some of the figures, by index; the same object if these are all."""
        return self if len(indices) == len(self.at) else Body(tuple([self.at[index] for index in indices]), self.radius)

    def without(self, indices: Collection[int]) -> Body:
        """Return the body without some of the figures, by index."""
        removed = set(indices)
        return Body(tuple([point for index, point in enumerate(self.at) if index not in removed]), self.radius)

    def circle_gap(self, other: Body) -> float:
        """Return a lower bound of the gap between two bodies, from the circles around them."""
        return dist(self.centre, other.centre) - self.outer_radius - other.outer_radius

    def lies_in_arc(self, start: Point, facing: float, half: float) -> bool | None:
        """Return True if its circle is inside an arc, False if it is outside, None if it is on the edge.

        The arc extends from a point, `half` degrees to each side of `facing`. Always None for arcs wider than half a
        circle.
        """
        dx, dy = self.centre[0] - start[0], self.centre[1] - start[1]
        east, north = direction(facing)
        forward = dx * east + dy * north
        if half == 90:
            return forward > 0 if abs(forward) >= self.outer_radius else None
        away = hypot(dx, dy)
        if half > 90 or away <= self.outer_radius:
            return None
        off_facing, half_width = acosd(forward / away), asind(self.outer_radius / away)
        return True if off_facing + half_width <= half else False if off_facing - half_width > half else None


EMPTY = Body((), 0.0)


def body_in_ranks(centre: Point, facing: float, count: int, radius: float, width: int, spacing: float = 1.1) -> Body:
    """Return a body in ranks of `width` figures around a centre, the front rank towards `facing` (degrees).

    `spacing` is the distance from middle to middle, in base widths.
    """
    places = rank_positions(count, width, 2 * radius * spacing)
    return Body(tuple(place_formation(places, centre, direction(facing))), radius)


def crowd_of_bodies(bodies: Iterable[Body], square: float = 8.0) -> Crowd:
    """Return the bases of some bodies as a `Crowd`, for finding free places among them."""
    return Crowd((base for body in bodies for base in body.bases), square)


class NearestPair(NamedTuple):
    """The smallest gap between two bodies, and the indices of the figures: in the first body and in the second."""

    gap: float
    first_index: int
    second_index: int


def nearest(a: Body, b: Body) -> NearestPair:
    """Return the nearest figures of two bodies, from base edge to base edge; both must have figures.

    Figures are tried in their order along the line between the centres. That order gives a lower bound for the
    remaining figures; the distance between the two foremost figures is the first upper bound.
    """
    (ax, ay), (bx, by) = a.centre, b.centre
    away = dist(a.centre, b.centre)
    radii = a.radius + b.radius
    a_at, b_at = a.at, b.at
    if len(a_at) == 1:
        if len(b_at) == 1:
            return NearestPair(max(0.0, away - radii), 0, 0)
        lengths = distances(a_at[0], b_at)
        shortest = min(lengths)
        if not _has_near_tie(lengths, shortest):
            return NearestPair(max(0.0, shortest - radii), 0, lengths.index(shortest))
    elif len(b_at) == 1:
        lengths = distances(b_at[0], a_at)
        shortest = min(lengths)
        if not _has_near_tie(lengths, shortest):
            return NearestPair(max(0.0, shortest - radii), lengths.index(shortest), 0)
    ux, uy = ((bx - ax) / away, (by - ay) / away) if away > 0 else (1.0, 0.0)
    backs = [-(x * ux + y * uy) for x, y in a_at]
    aheads = [x * ux + y * uy for x, y in b_at]
    back, ahead = min(backs), min(aheads)
    upper_bound = dist(a_at[backs.index(back)], b_at[aheads.index(ahead)]) + EPSILON
    own = sorted([(value, index) for index, value in enumerate(backs) if value + ahead <= upper_bound])
    others = sorted([(value, index) for index, value in enumerate(aheads) if value + back <= upper_bound])
    shortest_length, own_index, other_index = inf, 0, 0
    for back, i in own:
        if ahead + back >= shortest_length:
            break
        a_point = a_at[i]
        for value, j in others:
            if value + back >= shortest_length:
                break
            length = dist(a_point, b_at[j])
            if length < shortest_length:
                shortest_length, own_index, other_index = length, i, j
    return new_tuple(NearestPair, (max(0.0, shortest_length - radii), own_index, other_index))


def nearest_of(
    body: Body, others: Sequence[Body], gaps: Mapping[tuple[Body, Body], NearestPair]
) -> tuple[int, NearestPair] | None:
    """Return the index of the nearest body and its gap; of equals, the first.

    All bodies must have figures. `gaps` holds or computes the gap between two bodies. Distant bodies are excluded by
    their circles alone.
    """
    nearest_body: tuple[int, NearestPair] | None = None
    for lower_bound, k in sorted([(body.circle_gap(other), k) for k, other in enumerate(others)]):
        if nearest_body is not None and lower_bound >= nearest_body[1].gap:
            break
        pair = gaps[body, others[k]]
        if nearest_body is None or pair.gap < nearest_body[1].gap:
            nearest_body = k, pair
    return nearest_body


def _has_near_tie(lengths: list[float], least: float) -> bool:
    """Return True if the smallest length differs from another only by rounding."""
    limit = least * (1 + 1e-9)
    return sum([length <= limit for length in lengths]) > 1


def touching_indices(own: Sequence[Base], others: Sequence[Base], reach: float) -> list[int]:
    """Return the indices of the bases in `own` within `reach` of any other base, edge to edge, in order."""
    return list(touching_pairs(own, others, reach))


def touching_pairs(own: Sequence[Base], others: Sequence[Base], reach: float) -> dict[int, list[int]]:
    """Return the indices of the bases in `others` within `reach` of each base in `own`, edge to edge, in order.

    Bases in `own` that touch none are left out.
    """
    if not own or not others:
        return {}
    near_own, near_others = list(enumerate(own)), list(enumerate(others))
    if len(own) > 1 and len(others) > 1:  # in most pairs of units only a few figures are near each other
        search_distance = reach + max([base[2] for base in own]) + max([base[2] for base in others])
        near_own = _indices_within(near_own, widen(bounds([base[:2] for base in others]), search_distance))
        if not near_own:
            return {}
        near_others = _indices_within(near_others, widen(bounds([base[:2] for _, base in near_own]), search_distance))
    pairs: dict[int, list[int]] = {}
    for index, (x, y, radius, _, _) in near_own:
        own_reach = reach + radius
        for other, (other_x, other_y, other_radius, _, _) in near_others:
            apart, across = own_reach + other_radius, other_x - x
            if -apart <= across <= apart:
                along = other_y - y
                if across * across + along * along <= apart * apart:
                    if index in pairs:
                        pairs[index].append(other)
                    else:
                        pairs[index] = [other]
    return pairs


def _indices_within(bases: Sequence[tuple[int, Base]], box: Bounds) -> list[tuple[int, Base]]:
    """Return the bases with their centres in a box, with their indices."""
    west, south, east, north = box
    return [base for base in bases if west <= base[1][0] <= east and south <= base[1][1] <= north]


def connected_groups(bases: Sequence[Base], most: float) -> list[list[int]]:
    """Return the indices of the bases in connected groups, each starting from its first base.

    Bases with a gap of at most `most` are connected.
    """
    unconnected = list(enumerate(bases))
    groups = []
    while unconnected:
        group = [unconnected.pop(0)]
        for _, (x, y, radius, _, _) in group:
            if not unconnected:
                break
            reach = radius + most
            is_joined = [
                sqrt((x - other_x) * (x - other_x) + (y - other_y) * (y - other_y)) <= reach + other_radius
                for _, (other_x, other_y, other_radius, _, _) in unconnected
            ]
            if any(is_joined):
                group += compress(unconnected, is_joined)
                unconnected = [other for other, joins in zip(unconnected, is_joined, strict=True) if not joins]
        groups.append([index for index, _ in group])
    return groups


def gaps_within(bases: Sequence[Base]) -> Iterator[list[float]]:
    """Yield one list per base: its gaps to all bases, edge to edge. The gap to itself is infinite."""
    for index, (x, y, radius, _, _) in enumerate(bases):
        row = [
            hypot(x - other_x, y - other_y) - radius - other_radius for other_x, other_y, other_radius, _, _ in bases
        ]
        row[index] = inf
        yield row


def are_linked(bases: Sequence[Base], least: float, most: float) -> bool:
    """Return True if each base has its nearest neighbour between `least` and `most` away, and all are connected."""
    for row in gaps_within(bases):
        gap = min(row)
        if gap > most + SLACK or (least > 0 and gap < least - SLACK):
            return False
    return len(connected_groups(bases, most + SLACK)) == 1


# --- Figures in the way: find figures between a shooter and a target --------------------------------------------------


_MOST_REMEMBERED = 6
"""The number of figures that blocked earlier lines and are tried first for the next line."""


class FigureBlockers:
    """The bodies whose figures may be between some shooters and their targets.

    The path to a base is clear if no figure is in the corridor from the middle of the shooter's base to both edges of
    the target's. Figures within `near` of the shooter are ignored; with `either`, figures within `near` of the target
    as well. `clear` caches results for single lines of fire by their end points.
    """

    __slots__ = ("_bodies", "_either", "_last", "_near", "clear")

    def __init__(self, bodies: Iterable[Body], near: float, either: bool) -> None:
        self._bodies = tuple(bodies)
        self._near = near + EPSILON
        self._either = either
        self._last: list[tuple[float, float, float]] = []  # the middles and radii of the figures tried first
        self.clear: dict[tuple[Point, Point], bool] = {}

    def hides(self, shooter: Point, shooter_radius: float, target: Point, target_radius: float) -> bool:
        """Return True if a figure hides part of a base of radius `target_radius` from a base of radius
        `shooter_radius`.

        Figures that blocked earlier lines are tried first, because a body in the way usually blocks many lines.
        """
        (sx, sy), (tx, ty), near, either = shooter, target, self._near, self._either
        dx, dy = tx - sx, ty - sy
        square = dx * dx + dy * dy
        length = sqrt(square)
        if length <= shooter_radius + target_radius:
            return False
        ux, uy = dx / length, dy / length
        far, widening = length - 1e-6, target_radius / length
        recent = self._last
        for number, (x, y, radius) in enumerate(recent):  # the same test as below, without a call for speed
            px, py = x - sx, y - sy
            ahead = px * ux + py * uy
            if 0.0 < ahead < far:
                half = radius + widening * ahead - 1e-6
                if (
                    -half < px * uy - py * ux < half
                    and sqrt(px * px + py * py) - shooter_radius - radius > near
                    and not (either and hypot(x - tx, y - ty) - target_radius - radius <= near)
                ):
                    if number:
                        recent.insert(0, recent.pop(number))
                    return True
        west, east = (sx - target_radius, tx + target_radius) if sx < tx else (tx - target_radius, sx + target_radius)
        south, north = (sy - target_radius, ty + target_radius) if sy < ty else (ty - target_radius, sy + target_radius)
        for body in self._bodies:
            left, low, right, high = body.box
            if left > east or right < west or low > north or high < south:
                continue
            x, y = body.centre
            beside, reach = (x - sx) * dy - (y - sy) * dx, body.outer_radius + target_radius
            if beside * beside > reach * reach * square:
                continue
            radius = body.radius
            for x, y in body.at:
                px, py = x - sx, y - sy
                ahead = px * ux + py * uy
                if 0.0 < ahead < far:
                    half = radius + widening * ahead - 1e-6
                    if (
                        -half < px * uy - py * ux < half
                        and sqrt(px * px + py * py) - shooter_radius - radius > near
                        and not (either and hypot(x - tx, y - ty) - target_radius - radius <= near)
                    ):
                        recent.insert(0, (x, y, radius))
                        del recent[_MOST_REMEMBERED:]
                        return True
        return False


def is_blocked_by_figures(
    bodies: Iterable[Body],
    shooter: Point,
    shooter_radius: float,
    target: Point,
    target_radius: float,
    near: float,
    either: bool,
) -> bool:
    """Return True if a figure of any body is in the corridor from a point to a whole base."""
    return FigureBlockers(bodies, near, either).hides(shooter, shooter_radius, target, target_radius)
