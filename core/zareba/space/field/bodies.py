"""The bases of a unit as one immutable value, and the nearest figures of two units. Any unit of length."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from math import inf
from typing import Any, NamedTuple

from zareba.base.exact import acosd, asind, dist, distances, hypot
from zareba.base.state import Record
from zareba.space.bearings import direction
from zareba.space.field.bases import SLACK, Base, Crowd
from zareba.space.field.formations import drawn_up, in_ranks
from zareba.space.geometry import EPSILON, Bounds, Point, bounds, middle_of, widen

__all__ = [
    "EMPTY",
    "Body",
    "Near",
    "are_linked",
    "chains",
    "crowd_of",
    "gaps_within",
    "nearest",
    "nearest_of",
    "ranks",
    "touching",
]


class Body(Record):
    """Figures on round bases of one size. Immutable: a move, a loss or a change of base makes a new body.

    `at` are the middles of the bases. `box` is the rectangle that holds all bases, `reach` the radius of the circle
    around `centre` that does. Bodies are compared by identity, so that measurements of one body or between two can be
    cached.
    """

    __slots__ = ("_bases", "at", "box", "centre", "radius", "reach")

    def __init__(self, at: tuple[Point, ...], radius: float) -> None:
        self.at = at
        self.radius = radius
        self._bases: list[Base] | None = None
        if at:
            xs, ys = [x for x, _ in at], [y for _, y in at]
            self.centre: Point = middle_of(at)
            centre = self.centre
            self.reach = max(distances(centre, at)) + radius
            self.box: Bounds = (min(xs) - radius, min(ys) - radius, max(xs) + radius, max(ys) + radius)
        else:
            self.centre, self.reach, self.box = (0.0, 0.0), 0.0, (0.0, 0.0, 0.0, 0.0)

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
            self._bases = [Base(x, y, self.radius) for x, y in self.at]
        return self._bases

    def shifted(self, dx: float, dy: float) -> Body:
        """Return the whole body moved by (dx, dy)."""
        return Body(tuple([(x + dx, y + dy) for x, y in self.at]), self.radius)

    def only(self, places: Sequence[int]) -> Body:
        """Return the body of some of the figures, by index; the same object if these are all."""
        return self if len(places) == len(self.at) else Body(tuple([self.at[place] for place in places]), self.radius)

    def without(self, places: Collection[int]) -> Body:
        """Return the body without some of the figures, by index."""
        gone = set(places)
        return Body(tuple([point for place, point in enumerate(self.at) if place not in gone]), self.radius)

    def circle_gap(self, other: Body) -> float:
        """Return a lower bound of the gap between two bodies, from the circles around them."""
        return dist(self.centre, other.centre) - self.reach - other.reach

    def lies_in_arc(self, start: Point, facing: float, half: float) -> bool | None:
        """Return True if its circle is inside an arc, False if outside, None if undecided.

        The arc extends from a point, `half` degrees to each side of `facing`. Always None for arcs wider than half a
        circle.
        """
        dx, dy = self.centre[0] - start[0], self.centre[1] - start[1]
        east, north = direction(facing)
        forward = dx * east + dy * north
        if half == 90:
            return forward > 0 if abs(forward) >= self.reach else None
        away = hypot(dx, dy)
        if half > 90 or away <= self.reach:
            return None
        off, wide = acosd(forward / away), asind(self.reach / away)
        return True if off + wide <= half else False if off - wide > half else None


EMPTY = Body((), 0.0)


def ranks(centre: Point, facing: float, count: int, radius: float, width: int, spacing: float = 1.1) -> Body:
    """Return a body in ranks of `width` figures around a centre, the front rank towards `facing` (degrees).

    `spacing` is the distance from middle to middle, in base widths.
    """
    places = in_ranks(count, width, 2 * radius * spacing)
    return Body(tuple(drawn_up(places, centre, direction(facing))), radius)


def crowd_of(bodies: Iterable[Body], square: float = 8.0) -> Crowd:
    """Return the bases of some bodies as a `Crowd`, for finding free places among them."""
    return Crowd((base for body in bodies for base in body.bases), square)


class Near(NamedTuple):
    """The smallest gap between the bases of two bodies, and the indices of the two figures."""

    gap: float
    own: int
    other: int


def nearest(a: Body, b: Body) -> Near:
    """Return the nearest figures of two bodies, from base edge to base edge; both must have figures.

    Figures are tried in their order along the line between the centres. That order bounds the remaining figures; the
    distance between the two foremost figures is the first bound.
    """
    (ax, ay), (bx, by) = a.centre, b.centre
    away = dist(a.centre, b.centre)
    radii = a.radius + b.radius
    a_at, b_at = a.at, b.at
    if len(a_at) == 1:
        if len(b_at) == 1:
            return Near(max(0.0, away - radii), 0, 0)
        lengths = distances(a_at[0], b_at)
        least = min(lengths)
        if not _is_matched(lengths, least):
            return Near(max(0.0, least - radii), 0, lengths.index(least))
    elif len(b_at) == 1:
        lengths = distances(b_at[0], a_at)
        least = min(lengths)
        if not _is_matched(lengths, least):
            return Near(max(0.0, least - radii), lengths.index(least), 0)
    ux, uy = ((bx - ax) / away, (by - ay) / away) if away > 0 else (1.0, 0.0)
    backs = [-(x * ux + y * uy) for x, y in a_at]
    aheads = [x * ux + y * uy for x, y in b_at]
    back, ahead = min(backs), min(aheads)
    bound = dist(a_at[backs.index(back)], b_at[aheads.index(ahead)]) + EPSILON
    own = sorted([(value, index) for index, value in enumerate(backs) if value + ahead <= bound])
    others = sorted([(value, index) for index, value in enumerate(aheads) if value + back <= bound])
    best, first, second = inf, 0, 0
    for back, i in own:
        if ahead + back >= best:
            break
        here = a_at[i]
        for value, j in others:
            if value + back >= best:
                break
            length = dist(here, b_at[j])
            if length < best:
                best, first, second = length, i, j
    return Near(max(0.0, best - radii), first, second)


def nearest_of(body: Body, others: Sequence[Body], gaps: Mapping[tuple[Body, Body], Near]) -> tuple[int, Near] | None:
    """Return the index of the nearest body and its gap; of equals, the first.

    All bodies must have figures. `gaps` holds or computes the gap between two bodies. Distant bodies are excluded by
    their circles alone.
    """
    best: tuple[int, Near] | None = None
    for least, k in sorted([(body.circle_gap(other), k) for k, other in enumerate(others)]):
        if best is not None and least >= best[1].gap:
            break
        near = gaps[body, others[k]]
        if best is None or near.gap < best[1].gap:
            best = k, near
    return best


def _is_matched(lengths: list[float], least: float) -> bool:
    """Return True if the smallest length differs from another only by rounding."""
    limit = least * (1 + 1e-9)
    return sum([length <= limit for length in lengths]) > 1


def touching(own: Sequence[Base], others: Sequence[Base], reach: float) -> list[int]:
    """Return the indices of the bases in `own` within `reach` of any other base, edge to edge, in order."""
    if len(own) > 1 and len(others) > 1:  # in most pairs of units only a few figures are near each other
        widest = reach + max([base[2] for base in own]) + max([base[2] for base in others])
        west, south, east, north = widen(bounds([base[:2] for base in others]), widest)
    else:
        west, south, east, north = -inf, -inf, inf, inf
    found = []
    for place, (x, y, radius, _, _) in enumerate(own):
        if west <= x <= east and south <= y <= north:
            near = reach + radius
            for other_x, other_y, other_radius, _, _ in others:
                apart, across = near + other_radius, other_x - x
                if -apart <= across <= apart:
                    along = other_y - y
                    if across * across + along * along <= apart * apart:
                        found.append(place)
                        break
    return found


def chains(bases: Sequence[Base], most: float) -> list[list[int]]:
    """Return the indices of the bases in connected groups, each starting from its first base.

    Bases with a gap of at most `most` are connected.
    """
    left = list(enumerate(bases))
    found = []
    while left:
        chain = [left.pop(0)]
        for _, (x, y, radius, _, _) in chain:
            if not left:
                break
            reach = radius + most
            near = [hypot(x - other[0], y - other[1]) <= reach + other[2] for _, other in left]
            if any(near):
                chain += compress(left, near)
                left = [other for other, joins in zip(left, near, strict=True) if not joins]
        found.append([place for place, _ in chain])
    return found


def gaps_within(bases: Sequence[Base]) -> Iterator[list[float]]:
    """Yield one list per base: its gaps to all bases, edge to edge. The gap to itself is infinite."""
    for place, (x, y, radius, _, _) in enumerate(bases):
        row = [hypot(x - other_x, y - other_y) - radius - own for other_x, other_y, own, _, _ in bases]
        row[place] = inf
        yield row


def are_linked(bases: Sequence[Base], least: float, most: float) -> bool:
    """Return True if each base has its nearest neighbour between `least` and `most` away, and all are connected."""
    for row in gaps_within(bases):
        gap = min(row)
        if gap > most + SLACK or (least > 0 and gap < least - SLACK):
            return False
    return len(chains(bases, most + SLACK)) == 1
