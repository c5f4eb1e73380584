"""Lines by the lengths along them: where a point lies on one, a part of it, what is left without its gaps, strips of a width;
and where a straight way passes a line nearest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space.geometry import EPSILON, Point, Points, crossing, length, nearest_on_segment

__all__ = [
    "Passing", "along", "crossings", "cut_off", "gap_at", "mitred", "part_of", "parts_outside", "passing", "strips",
]  # fmt: skip

SHORTEST = 0.1
"""A piece of a line between two gaps that is no longer is none."""


def along(line: Points, point: Point) -> float:
    """The length along a line of its point nearest to another."""
    best, found, done = inf, 0.0, 0.0
    for a, b in pairwise(line):
        at = nearest_on_segment(point, a, b)
        if (away := dist(at, point)) < best:
            best, found = away, done + dist(a, at)
        done += dist(a, b)
    return found


def cut_off(path: Points, reach: float) -> list[Point]:
    """A path cut off after some length; points on which it stands still are left out."""
    found = [path[0]]
    for a, b in pairwise(path):
        leg = dist(a, b)
        if leg <= EPSILON:
            continue
        if leg >= reach:
            if reach > EPSILON:
                found.append((a[0] + (b[0] - a[0]) * reach / leg, a[1] + (b[1] - a[1]) * reach / leg))
            return found
        found.append(b)
        reach -= leg
    return found


class Passing(NamedTuple):
    """Where a straight way is nearest to something: the length from its start and from the thing, both points."""

    along: float
    away: float
    way: Point
    edge: Point


def passing(legs: Iterable[Sequence[Point]], a: Point, b: Point) -> Passing:
    """Where the way from a to b, which touches none of some legs, is nearest to one, the last such place on it."""
    found: list[tuple[Point, Point]] = []
    for c, d in legs:
        found += [(point, nearest_on_segment(point, c, d)) for point in (a, b)]
        found += [(nearest_on_segment(point, a, b), point) for point in (c, d)]
    way, edge = min(found, key=lambda one: (round(dist(*one), 6), -dist(a, one[0])))
    return Passing(dist(a, way), dist(way, edge), way, edge)


def gap_at(line: Points, point: Point, width: float) -> tuple[float, float]:
    """Where an opening of a width about a point begins and ends, as lengths along a line."""
    middle = along(line, point)
    return middle - width / 2, middle + width / 2


def part_of(line: Points, start: float, end: float) -> list[Point]:
    """The part of a line from one length along it to another."""
    found: list[Point] = []
    done = 0.0
    for a, b in pairwise(line):
        reach = dist(a, b)
        first, last = max(0.0, start - done), min(reach, end - done)
        if first < last:
            ends = [(a[0] + (b[0] - a[0]) * t / reach, a[1] + (b[1] - a[1]) * t / reach) for t in (first, last)]
            found += ends if not found or dist(found[-1], ends[0]) > 1e-6 else ends[1:]
        done += reach
    return found


def parts_outside(line: Points, gaps: Iterable[tuple[float, float]]) -> list[list[Point]]:
    """The parts of a line outside some gaps, given as lengths along it."""
    whole = length(line)
    parts, start = [], 0.0
    for first, last in [*sorted(gaps), (whole, whole)]:
        if first - start > SHORTEST:
            parts.append(part_of(line, start, min(first, whole)))
        start = max(start, last)
    return parts


def strips(line: Points, half: float) -> Iterator[Points]:
    """A rectangle along each leg of a line, `half` to either hand, longer by that at both ends so that bends are filled."""
    for (ax, ay), (bx, by) in pairwise(line):
        reach = dist((ax, ay), (bx, by))
        if reach == 0:
            continue
        ux, uy = (bx - ax) / reach * half, (by - ay) / reach * half
        yield (
            (ax - ux - uy, ay - uy + ux),
            (bx + ux - uy, by + uy + ux),
            (bx + ux + uy, by + uy - ux),
            (ax - ux + uy, ay - uy - ux),
        )


def mitred(line: Points, half: float) -> list[Point]:
    """The outline of a line of some width, `half` to either hand, its bends mitred."""
    lefts = []
    for a, b in pairwise(line):
        reach = dist(a, b)
        lefts.append((-(b[1] - a[1]) / reach, (b[0] - a[0]) / reach))
    sides = [_left_at(lefts[max(0, place - 1) : place + 1]) for place in range(len(line))]
    left = [(x + dx * half, y + dy * half) for (x, y), (dx, dy) in zip(line, sides, strict=True)]
    right = [(x - dx * half, y - dy * half) for (x, y), (dx, dy) in zip(line, sides, strict=True)]
    return left + right[::-1]


def _left_at(lefts: Sequence[Point]) -> Point:
    """What lies to the left of a line at a point, by the legs that meet there: farther off at a bend, so that the width holds."""
    if len(lefts) == 1:
        return lefts[0]
    x, y = lefts[0][0] + lefts[1][0], lefts[0][1] + lefts[1][1]
    square = x * x + y * y
    factor = min(2.0, 2.0 / square) if square > 1e-9 else 1.0
    return x * factor, y * factor


def crossings(line: Points, path: Points) -> list[float]:
    """Where a path crosses a line, as lengths along the line."""
    found, done = [], 0.0
    for a, b in pairwise(line):
        reach = dist(a, b)
        found += [done + at * reach for c, d in pairwise(path) if (at := crossing(a, b, c, d)) is not None]
        done += reach
    return found
