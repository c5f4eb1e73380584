"""Figures as they stand: the bases of a unit on the table, and the nearest figures of two units."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from math import inf, sqrt
from typing import Any, NamedTuple

from zareba.exact import atan2d, dist
from zareba.space.bearings import direction
from zareba.space.field import formations
from zareba.space.field.bases import Base, Crowd
from zareba.space.geometry import EPSILON, Bounds, Point, middle_of
from zareba.state import Record

__all__ = ["EMPTY", "Body", "Near", "bearing_to", "crowd_of", "ranks", "towards"]


class Body(Record):
    """The figures of one unit on round bases of one size (RSK-005). Never changed: a move makes a new body.

    `at` are the centres in cm; `reach` is the radius of the circle round `centre` that holds all bases. Bodies are
    compared by identity, so that what was measured between two of them can be remembered.
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
            self.reach = max([dist(centre, point) for point in at]) + radius
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
    def from_data(cls, data: dict[str, Any], **shared_values: Any) -> Body:
        return cls(tuple((x, y) for x, y in data["at"]), data["radius"])

    @property
    def bases(self) -> list[Base]:
        """Its bases one by one, made when first asked for."""
        if self._bases is None:
            self._bases = [Base(x, y, self.radius) for x, y in self.at]
        return self._bases

    def shifted(self, dx: float, dy: float) -> Body:
        """The body moved as one."""
        return Body(tuple((x + dx, y + dy) for x, y in self.at), self.radius)

    def without(self, indices: Iterable[int]) -> Body:
        """The body with some figures taken away."""
        gone = set(indices)
        return Body(tuple(point for index, point in enumerate(self.at) if index not in gone), self.radius)


EMPTY = Body((), 0.0)


def crowd_of(bodies: Iterable[Body]) -> Crowd:
    """The bases of some bodies, for somebody who looks for room among them."""
    return Crowd((base for body in bodies for base in body.bases), square=8.0)


class Near(NamedTuple):
    """The least gap in cm between the bases of two bodies, and the figures that have it."""

    gap: float
    own: int
    other: int


def nearest(a: Body, b: Body) -> Near:
    """The nearest figures of two bodies that both have some, from base edge to base edge (RSK-004).

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
        lengths = list(map(dist, repeat(a_at[0]), b_at))
        least = min(lengths)
        if not _is_matched(lengths, least):
            return Near(max(0.0, least - radii), 0, lengths.index(least))
    elif len(b_at) == 1:
        lengths = list(map(dist, a_at, repeat(b_at[0])))
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


def _is_matched(lengths: list[float], least: float) -> bool:
    """Whether rounding alone may set the least of some lengths apart from another."""
    limit = least * (1 + 1e-9)
    return sum([length <= limit for length in lengths]) > 1


def ranks(centre: Point, facing: float, count: int, radius: float, width: int, spacing: float = 1.1) -> Body:
    """A body drawn up in ranks of `width` figures round a centre, the front rank towards `facing` (degrees)."""
    places = formations.in_ranks(count, width, 2 * radius * spacing)
    return Body(tuple(formations.drawn_up(places, centre, direction(facing))), radius)


def towards(start: Point, goal: Point, length: float) -> Point:
    """The point `length` cm from start on the line to goal; beyond it if the line is shorter."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    reach = sqrt(dx * dx + dy * dy)
    if reach == 0:
        return start
    return start[0] + dx * length / reach, start[1] + dy * length / reach


def bearing_to(a: Point, b: Point) -> float:
    """The bearing of b from a in degrees, 0 north and 90 east; 0 for one point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return atan2d(dx, dy) % 360 if dx or dy else 0.0
