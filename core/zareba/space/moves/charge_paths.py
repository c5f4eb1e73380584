"""Into contact: places beside a base, and ways to them round its edge and past others who bar the straight one.

Any one unit of length; angles are bearings in degrees.
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
"""Who stands so far within a base is certain to stand on it, whatever is rounded."""


class ContactArc(NamedTuple):
    """Degrees to either side of a bearing from a base within which places beside it are taken: just so, and certainly."""

    bearing: float
    half: float
    inner: float


class ChargePaths(NamedTuple):
    """How men run up to others and stop beside them.

    `touch`: from base to base where they stop; `bend`: degrees between the places tried round a base, and between the
    corners of a way round it; `most`: bases that one goes round at most; `turns`: the even steps to either hand.
    """

    touch: float
    bend: float
    most: int
    turns: tuple[float, ...]

    def taken_round(self, radius: float, taken: Crowd, ring: Ring) -> list[ContactArc]:
        """What bases that are `taken` leave of the places of a radius in contact with a base: nothing of these arcs.

        A wide base may lie over the whole round, where people crowd: then one touches it nowhere, and it is left out.
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
        """Places for one who comes from `start` in contact with a base, each with its turn from the straight way to it.

        That first, then farther and farther round. Beside even steps they are those where he would touch a base that is
        `taken` (`taken_round`, by the base), so that no gap is overlooked. Places well within one are left out.
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
        """The way to a place beside a base, `turn` degrees from the straight one: straight, or along its edge to a place
        that it hides.
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
        """A way to a place beside the base at a point, past others that bar the straight one, all on one hand (1 right,
        -1 left).

        Only those are passed who are `full`: whoever else bars the way is met.
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
        """Whether a base that goes this way would run into another than the one at a point."""
        return next(self._run_into(way, point, radius, others), None) is not None

    def _barring(self, way: Sequence[Point], point: Point, radius: float, others: Iterable[Ring]) -> list[Ring]:
        return list(self._run_into(way, point, radius, others))

    def _run_into(self, way: Sequence[Point], point: Point, radius: float, others: Iterable[Ring]) -> Iterator[Ring]:
        """The bases into which one that goes this way would run, but for that at a point."""
        west, south, east, north = bounds(way)
        for at, wide in others:
            (x, y), room = at, radius + wide - self.touch
            near = west - room < x < east + room and south - room < y < north + room and at != point
            if near and any(distance_to_segment(at, a, b) < room for a, b in pairwise(way)):
                yield at, wide

    def _along(self, start: Point, point: Point, both: float, base: float, turn: float) -> list[Point]:
        """The way to a place `both` from a point, at a turn from the bearing `base`: by the corners that it hides."""
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
        """The way along the edge of a base on one hand, until it bars the way on no more; None where it does all round."""
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
    """The cosine of the angle opposite to the side `apart` of a triangle."""
    return (both * both + away * away - apart * apart) / (2 * both * away)
