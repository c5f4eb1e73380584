"""Bodies of men as values: the bases of a unit as they stand, and who of two bodies is nearest to whom. Any one unit of length."""

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
from zareba.space.geometry import EPSILON, Bounds, Point, bounds, middle_of, widened

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
    """Some figures on round bases of one size. Never changed: a move, a loss or a change of base makes another body.

    `at` are the middles of the bases, `box` the rectangle and `reach` the radius of the circle round `centre` that hold all
    of them. Bodies are compared by identity, so that what was measured of one, or between two, holds while they live.
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
        """Its bases one by one, made when first asked for."""
        if self._bases is None:
            self._bases = [Base(x, y, self.radius) for x, y in self.at]
        return self._bases

    def shifted(self, dx: float, dy: float) -> Body:
        """The body moved as one."""
        return Body(tuple([(x + dx, y + dy) for x, y in self.at]), self.radius)

    def only(self, places: Sequence[int]) -> Body:
        """The body of some of its figures, by their places in it; the same if they are all."""
        return self if len(places) == len(self.at) else Body(tuple([self.at[place] for place in places]), self.radius)

    def without(self, places: Collection[int]) -> Body:
        """The body with some figures taken away."""
        gone = set(places)
        return Body(tuple([point for place, point in enumerate(self.at) if place not in gone]), self.radius)

    def circle_gap(self, other: Body) -> float:
        """A lower bound of the gap between two bodies, from the circles round them."""
        return dist(self.centre, other.centre) - self.reach - other.reach

    def lies_in_arc(self, start: Point, facing: float, half: float) -> bool | None:
        """Whether the circle round it lies in an arc from a point, `half` degrees to either hand; None if only part of it may.

        Of arcs wider than half a circle nothing is said.
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
    """A body drawn up in ranks of `width` figures round a centre, the front rank towards `facing` (degrees).

    `spacing`: from middle to middle, in widths of a base.
    """
    places = in_ranks(count, width, 2 * radius * spacing)
    return Body(tuple(drawn_up(places, centre, direction(facing))), radius)


def crowd_of(bodies: Iterable[Body], square: float = 8.0) -> Crowd:
    """The bases of some bodies, for somebody who looks for room among them."""
    return Crowd((base for body in bodies for base in body.bases), square)


class Near(NamedTuple):
    """The least gap between the bases of two bodies, and the places of the figures that have it."""

    gap: float
    own: int
    other: int


def nearest(a: Body, b: Body) -> Near:
    """The nearest figures of two bodies that both have some, from base edge to base edge.

    Figures are tried in the order in which they lie along the line between the centres; that order bounds the rest, and
    the distance of the two foremost bounds it from the start.
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
    """The nearest of some bodies with figures, the first of equals, and the gap; far ones are ruled out by their circles alone.

    `gaps` measures between two bodies, or knows it.
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
    """Whether rounding alone may set the least of some lengths apart from another."""
    limit = least * (1 + 1e-9)
    return sum([length <= limit for length in lengths]) > 1


def touching(own: Sequence[Base], others: Sequence[Base], reach: float) -> list[int]:
    """The places of those of some bases that come within `reach` of one of the others, edge to edge, in their order."""
    if len(own) > 1 and len(others) > 1:  # most units lie well apart, all but a few of their men
        widest = reach + max([base[2] for base in own]) + max([base[2] for base in others])
        west, south, east, north = widened(bounds([base[:2] for base in others]), widest)
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
    """The places of some bases in groups that hang together by gaps of at most so much, each from its first base on."""
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
    """For one base after the other the gaps to each of all, edge to edge; to itself there is no end of them."""
    for place, (x, y, radius, _, _) in enumerate(bases):
        row = [hypot(x - other_x, y - other_y) - radius - own for other_x, other_y, own, _, _ in bases]
        row[place] = inf
        yield row


def are_linked(bases: Sequence[Base], least: float, most: float) -> bool:
    """Whether everybody's nearest comrade stands at most `most` away and no nearer than `least`, and all hang together."""
    for row in gaps_within(bases):
        nearest = min(row)
        if nearest > most + SLACK or (least > 0 and nearest < least - SLACK):
            return False
    return len(chains(bases, most + SLACK)) == 1
