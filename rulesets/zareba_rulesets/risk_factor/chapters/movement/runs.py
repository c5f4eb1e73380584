"""The runs of chargers (RSK-079, RSK-162): to a place beside an enemy's base, round it and past other enemies."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise
from typing import TypeAlias

from zareba.base.exact import acosd, atan2d, cosd, dist, sind
from zareba.space.geometry import Point, bounds, distance_to_segment

__all__ = ["BEND", "TOUCH", "Ring", "is_barred", "run_past", "run_to"]

Ring: TypeAlias = tuple[Point, float]
"""The middle and the radius of a base."""

TOUCH = 0.05  # cm from base to base in contact
BEND = 20.0  # degrees between the places tried round a base
PASSED = 4  # bases that one goes round at most


def run_to(start: Point, point: Point, both: float, base: float, turn: float) -> list[Point]:
    """The way to a place beside a base: straight, or along its edge to a place that it hides.

    The place lies `both` cm from the middle of the base, `turn` degrees from the straight way to it, which has angle `base`.
    """
    away = dist(start, point)
    bend = acosd(both / away) if away > 0 else 0.0
    way = [start]
    while bend < abs(turn):
        angle = base + (bend if turn > 0 else -bend)
        way.append((point[0] + both * sind(angle), point[1] + both * cosd(angle)))
        bend += BEND
    return [*way, (point[0] + both * sind(base + turn), point[1] + both * cosd(base + turn))]


def is_barred(way: Sequence[Point], point: Point, radius: float, others: Sequence[Ring]) -> bool:
    """Whether a base that goes this way would run into another enemy than the one at a point."""
    return bool(_barring(way, point, radius, others, first=True))


def _barring(
    way: Sequence[Point], point: Point, radius: float, others: Sequence[Ring], first: bool = False
) -> list[Ring]:
    """The bases into which one that goes this way would run, but for that at a point; the `first` found, or all."""
    west, south, east, north = bounds(way)
    found = []
    for (x, y), wide in others:
        room = radius + wide - TOUCH
        near = west - room < x < east + room and south - room < y < north + room and (x, y) != point
        if near and any(distance_to_segment((x, y), a, b) < room for a, b in pairwise(way)):
            found.append(((x, y), wide))
            if first:
                break
    return found


def run_past(
    start: Point,
    spot: Point,
    point: Point,
    radius: float,
    others: Sequence[Ring],
    full: Container[Point],
    hand: int,
) -> list[Point] | None:
    """A way to a place beside the base at a point, past others that bar the straight one, all on one hand (1 right, -1 left).

    Only those are passed who are `full`: whoever else bars the way is met.
    """
    way, passed = [start], list[Ring]()
    while len(passed) <= PASSED:
        rest = _straight_on(way[-1], spot, point)
        barring = [ring for ring in _barring(rest, point, radius, others) if ring not in passed[-1:]]
        if not barring:
            return [*way, *rest[1:]]
        along: list[Point] | None = None
        while barring:
            ring = min(barring, key=lambda ring: dist(ring[0], way[-1]))
            passed.append(ring)
            along = _round(way[-1], ring, spot, point, radius, hand) if ring[0] in full else None
            if along is None or len(passed) > PASSED:
                return None
            barring = _barring(along, ring[0], radius, others)
        way += along[1:] if along else []
    return None


def _straight_on(here: Point, spot: Point, point: Point) -> list[Point]:
    base = atan2d(here[0] - point[0], here[1] - point[1])
    turn = (atan2d(spot[0] - point[0], spot[1] - point[1]) - base + 180) % 360 - 180
    return run_to(here, point, dist(spot, point), base, turn)


def _round(here: Point, ring: Ring, spot: Point, point: Point, radius: float, hand: int) -> list[Point] | None:
    """The way along the edge of a base on one hand, until it bars the way on no more; None where it does all round."""
    (x, y), wide = ring
    both, base = radius + wide + TOUCH, atan2d(here[0] - x, here[1] - y)
    for step in range(1, int(180 / BEND) + 1):
        along = run_to(here, (x, y), both, base, -hand * step * BEND)
        if len(along) > 2 and ring not in _barring(_straight_on(along[-1], spot, point), point, radius, [ring]):
            return along
    return None
