"""Charges into contact: places next to a base, and paths to them around it and past other bases in the way.

Any unit of length; angles are bearings in degrees.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from zareba.base.exact import acosd, atan2d, dist
from zareba.space.bearings import offset
from zareba.space.field.bases import Crowd
from zareba.space.geometry import Point, bounds, distance_to_segment

__all__ = ["ChargePaths", "ContactArc", "Ring"]

Ring: TypeAlias = tuple[Point, float]
"""The middle and the radius of a base."""

WELL = 0.01
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

    def taken_round(self, radius: float, taken: Crowd, ring: Ring) -> list[ContactArc]:
        """Return the arcs around a base, at contact distance for a mover of this radius, that `taken` bases block.

        In a crowd, a wide base may cover the whole circle, so that it is touched nowhere; it is left out.
        """
        point, both = ring[0], radius + ring[1] + self.touch
        arcs = []
        for x, y, wide, _, _ in taken.near(point, both + radius):
            away, apart = dist((x, y), point), radius + wide
            if abs(both - away) < apart < both + away:
                well = apart - WELL
                inner = acosd(_cosine(both, away, well)) if well > abs(both - away) else 0.0
                arcs.append(ContactArc(atan2d(x - point[0], y - point[1]), acosd(_cosine(both, away, apart)), inner))
        return arcs

    def beside(
        self, start: Point, radius: float, ring: Ring, taken: Mapping[Ring, Sequence[ContactArc]]
    ) -> Iterator[tuple[float, Point]]:
        """Yield the places in contact with a base for a mover from `start`, each with its turn from the straight path.

        The straight one comes first, then places further and further around. In addition to the even steps there are
        the places that just touch a base in `taken` (arcs from `taken_round`, by base), so that no gap is missed.
        Places certainly inside such a base are left out.
        """
        point, both = ring[0], radius + ring[1] + self.touch
        base = atan2d(start[0] - point[0], start[1] - point[1])
        yield 0.0, offset(point, base, both)
        edges, within = [], list[tuple[float, float]]()
        for bearing, half, inner in taken[ring]:
            middle = bearing - base
            edges += [(middle + half + 180) % 360 - 180, (middle - half + 180) % 360 - 180]
            if inner:
                within.append((middle, inner))
        for turn in sorted([*self.turns, *edges], key=abs):
            if not any(abs((turn - middle + 180) % 360 - 180) < half for middle, half in within):
                yield turn, offset(point, base + turn, both)

    def way(self, start: Point, radius: float, ring: Ring, turn: float) -> list[Point]:
        """Return the path to a place next to a base, `turn` degrees from the straight one.

        The path is straight, or goes along the edge of the base to a place that the base hides.
        """
        point, wide = ring
        return self._along(
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
        way, passed = [start], list[Ring]()
        while len(passed) <= self.most:
            rest = self._straight_on(way[-1], spot, point)
            barring = [ring for ring in self._barring(rest, point, radius, others) if ring not in passed[-1:]]
            if not barring:
                return [*way, *rest[1:]]
            along: list[Point] | None = None
            while barring:
                ring = min(barring, key=lambda ring: dist(ring[0], way[-1]))
                passed.append(ring)
                along = self._round(way[-1], ring, spot, point, radius, hand) if ring[0] in full else None
                if along is None or len(passed) > self.most:
                    return None
                barring = self._barring(along, ring[0], radius, others)
            way += along[1:] if along else []
        return None

    def is_barred(self, way: Sequence[Point], point: Point, radius: float, others: Iterable[Ring]) -> bool:
        """Return True if a base that follows this path would run into any base other than the one at a point."""
        return next(self._run_into(way, point, radius, others), None) is not None

    def _barring(self, way: Sequence[Point], point: Point, radius: float, others: Iterable[Ring]) -> list[Ring]:
        return list(self._run_into(way, point, radius, others))

    def _run_into(self, way: Sequence[Point], point: Point, radius: float, others: Iterable[Ring]) -> Iterator[Ring]:
        """Yield the bases that a base on this path would run into, except the one at a point."""
        west, south, east, north = bounds(way)
        for at, wide in others:
            (x, y), room = at, radius + wide - self.touch
            near = west - room < x < east + room and south - room < y < north + room and at != point
            if near and any(distance_to_segment(at, a, b) < room for a, b in pairwise(way)):
                yield at, wide

    def _along(self, start: Point, point: Point, both: float, base: float, turn: float) -> list[Point]:
        """Return the path to a place `both` from a point, at a turn from the bearing `base`.

        It goes around the corners that the base hides.
        """
        away = dist(start, point)
        bend = acosd(both / away) if away > 0 else 0.0
        way = [start]
        while bend < abs(turn):
            way.append(offset(point, base + (bend if turn > 0 else -bend), both))
            bend += self.bend
        return [*way, offset(point, base + turn, both)]

    def _straight_on(self, here: Point, spot: Point, point: Point) -> list[Point]:
        base = atan2d(here[0] - point[0], here[1] - point[1])
        turn = (atan2d(spot[0] - point[0], spot[1] - point[1]) - base + 180) % 360 - 180
        return self._along(here, point, dist(spot, point), base, turn)

    def _round(
        self, here: Point, ring: Ring, spot: Point, point: Point, radius: float, hand: int
    ) -> list[Point] | None:
        """Return the path along one side of a base until the base no longer blocks; None if it always does."""
        (x, y), wide = ring
        both, base = radius + wide + self.touch, atan2d(here[0] - x, here[1] - y)
        for step in range(1, int(180 / self.bend) + 1):
            along = self._along(here, (x, y), both, base, -hand * step * self.bend)
            if len(along) > 2:
                onward = self._straight_on(along[-1], spot, point)
                if not self.is_barred(onward, point, radius, [ring]):
                    return along
        return None


def _cosine(both: float, away: float, apart: float) -> float:
    """Return the cosine of the angle opposite the side `apart` of a triangle."""
    return (both * both + away * away - apart * apart) / (2 * both * away)
