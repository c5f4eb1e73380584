"""Figures on their bases, and units as the figures they are made of. Any one unit of length."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import TypeAlias

from zareba.exact import dist, hypot, total
from zareba.space.bearings import direction
from zareba.space.geometry import (
    Point,
    Points,
    area,
    clip,
    distance_between_polygons,
    distance_to_polygon,
    distance_to_segment,
    spans_inside,
)

__all__ = [
    "CONTACT",
    "Base",
    "RectangularBase",
    "RoundBase",
    "bases_on_line",
    "contact_along",
    "frontage",
    "gap",
    "in_contact",
    "mean_centre",
    "nearest_figure",
    "overlap",
    "unit_gap",
]

CONTACT = 1e-6
"""Bases closer than this touch: room for the rounding of a figure placed exactly against another."""


@dataclass(frozen=True, slots=True)
class RoundBase:
    """A round base; a radius of 0 makes it a point."""

    centre: Point
    radius: float


@dataclass(frozen=True, slots=True)
class RectangularBase:
    """A rectangular base: `width` across its facing (a bearing), `depth` along it."""

    centre: Point
    width: float
    depth: float
    facing: float = 0.0

    @property
    def outline(self) -> tuple[Point, Point, Point, Point]:
        """The corners: front left, front right, rear right, rear left."""
        east, north = direction(self.facing)
        x, y = self.centre
        right, ahead = self.width / 2, self.depth / 2
        return (
            (x - right * north + ahead * east, y + right * east + ahead * north),
            (x + right * north + ahead * east, y - right * east + ahead * north),
            (x + right * north - ahead * east, y - right * east - ahead * north),
            (x - right * north - ahead * east, y + right * east - ahead * north),
        )


Base: TypeAlias = RoundBase | RectangularBase


def _reach(base: Base) -> float:
    """The distance from the centre of a base to its furthest point."""
    return base.radius if isinstance(base, RoundBase) else hypot(base.width, base.depth) / 2


def gap(a: Base, b: Base) -> float:
    """The distance from edge to edge, 0 when the bases touch or overlap. From centre to centre use `dist`."""
    if isinstance(a, RoundBase):
        if isinstance(b, RoundBase):
            return max(0.0, dist(a.centre, b.centre) - a.radius - b.radius)
        return max(0.0, distance_to_polygon(a.centre, b.outline) - a.radius)
    if isinstance(b, RoundBase):
        return gap(b, a)
    return distance_between_polygons(a.outline, b.outline)


def in_contact(a: Base, b: Base) -> bool:
    """True if two bases touch or overlap."""
    return gap(a, b) <= CONTACT


def overlap(a: Base, b: Base) -> bool:
    """True if one base stands partly on the other; touching is allowed."""
    if isinstance(a, RoundBase):
        if isinstance(b, RoundBase):
            return dist(a.centre, b.centre) < a.radius + b.radius - CONTACT
        return distance_to_polygon(a.centre, b.outline) < a.radius - CONTACT
    if isinstance(b, RoundBase):
        return overlap(b, a)
    return area(clip(a.outline, b.outline)) > CONTACT


def contact_along(start: Point, end: Point, radius: float, other: Base) -> float | None:
    """How far a round base can move straight from start to end before it touches another base.

    The length moved, 0 if they touch at the start, or None if they never touch on the way.
    """
    reach = dist(start, end)

    def clearance(moved: float) -> float:
        t = moved / reach if reach else 0.0
        here = start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])
        return gap(RoundBase(here, radius), other)

    if clearance(0.0) <= CONTACT:
        return 0.0
    if isinstance(other, RoundBase):
        return _contact_of_rounds(start, end, radius + other.radius, other.centre)
    # Along a straight line the gap to a convex base falls, then rises: find its foot, then the first touch.
    low, high = 0.0, reach
    while high - low > CONTACT / 8:
        third = (high - low) / 3
        if clearance(low + third) <= clearance(high - third):
            high -= third
        else:
            low += third
    if clearance(high) > CONTACT:
        return None
    low = 0.0
    while high - low > CONTACT / 8:
        middle = (low + high) / 2
        low, high = (low, middle) if clearance(middle) <= CONTACT / 2 else (middle, high)
    return high


def _contact_of_rounds(start: Point, end: Point, radii: float, other: Point) -> float | None:
    reach = dist(start, end)
    if reach == 0:
        return None
    ahead = ((other[0] - start[0]) * (end[0] - start[0]) + (other[1] - start[1]) * (end[1] - start[1])) / reach
    beside = dist(start, other) * dist(start, other) - ahead * ahead
    if ahead <= 0 or beside > radii * radii:
        return None
    moved = max(0.0, ahead - sqrt(radii * radii - beside))
    return moved if moved <= reach + CONTACT else None


def bases_on_line(a: Point, b: Point, bases: Sequence[Base]) -> tuple[int, ...]:
    """The places in `bases` of those that the straight line from a to b runs through, nearest to a first.

    A base that the line only touches is not among them.
    """
    west, east = sorted((a[0], b[0]))
    south, north = sorted((a[1], b[1]))
    found: list[tuple[float, int]] = []
    for index, base in enumerate(bases):
        x, y = base.centre
        reach = _reach(base)
        if not (west - reach <= x <= east + reach and south - reach <= y <= north + reach):
            continue
        if isinstance(base, RoundBase):
            met = distance_to_segment(base.centre, a, b) < base.radius - CONTACT
        else:
            inner = replace(base, width=base.width - 2 * CONTACT, depth=base.depth - 2 * CONTACT)
            met = bool(spans_inside(a, b, inner.outline))
        if met:
            found.append((dist(a, base.centre), index))
    return tuple(index for _, index in sorted(found))


def mean_centre(centres: Points) -> Point:
    """The middle of a unit: the mean of its figures' centres. ValueError if there are none."""
    if not centres:
        raise ValueError("a unit without figures has no centre")
    return total(x for x, _ in centres) / len(centres), total(y for _, y in centres) / len(centres)


def nearest_figure(base: Base, figures: Sequence[Base]) -> int:
    """The place in `figures` of the one with the least gap to a base, the first of equals."""
    return min(range(len(figures)), key=lambda index: gap(base, figures[index]))


def unit_gap(a: Sequence[Base], b: Sequence[Base]) -> float:
    """The least distance from edge to edge between any figure of one unit and any of the other.

    ValueError if either has no figures.
    """
    if not a or not b:
        raise ValueError("a unit without figures is at no distance")
    others = sorted(b, key=lambda other: other.centre[0])
    xs = [other.centre[0] for other in others]
    widest = max(_reach(other) for other in others)
    least = inf
    for figure in a:
        x = figure.centre[0]
        reach = _reach(figure) + widest
        first = bisect_left(xs, x)
        # From the figure's own place outwards, until the bare difference in x is too wide.
        for onward in (range(first, len(others)), range(first - 1, -1, -1)):
            for index in onward:
                if abs(xs[index] - x) - reach >= least:
                    break
                least = min(least, gap(figure, others[index]))
    return least


def frontage(centres: Points, target: Point, figure_width: float) -> float:
    """The width of a unit across its line to a target.

    The spread of the figures' centres, at right angles to the line from their mean to the target, plus one
    figure's width (PAY-099). A unit right on its target is as wide as one figure.
    """
    x, y = mean_centre(centres)
    dx, dy = target[0] - x, target[1] - y
    reach = dist((x, y), target)
    if reach == 0:
        return figure_width
    across = [((px - x) * dy - (py - y) * dx) / reach for px, py in centres]
    return max(across) - min(across) + figure_width
