"""Lines measured by the length along them: the position of a point, parts of a line, gaps, strips, and nearest passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space.geometry import EPSILON, Point, Points, crossing, length, nearest_on_segment

__all__ = [
    "Passing",
    "crossings",
    "cut_off",
    "distance_along",
    "gap_at",
    "mitre",
    "part_of",
    "parts_outside",
    "passing",
    "strips",
]  # fmt: skip

SHORTEST = 0.1
"""Pieces of a line between two gaps that are no longer than this are dropped."""


def distance_along(line: Points, point: Point) -> float:
    """Return the length along a line at which it is nearest to a point."""
    best, found, done = inf, 0.0, 0.0
    for a, b in pairwise(line):
        at = nearest_on_segment(point, a, b)
        if (away := dist(at, point)) < best:
            best, found = away, done + dist(a, at)
        done += dist(a, b)
    return found


def cut_off(path: Points, reach: float) -> list[Point]:
    """Return a path cut off after some length, without repeated points."""
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
    """The place where a straight path comes nearest to a leg.

    `along` is the distance from the start of the path, `away` the distance between the two. `way` is the point on the
    path, `edge` the point on the leg.
    """

    along: float
    away: float
    way: Point
    edge: Point


def passing(legs: Iterable[Sequence[Point]], a: Point, b: Point) -> Passing:
    """Return where the path from a to b comes nearest to one of the legs; of equals, the last on the path.

    The path must not touch any leg.
    """
    found: list[tuple[Point, Point]] = []
    for c, d in legs:
        found += [(point, nearest_on_segment(point, c, d)) for point in (a, b)]
        found += [(nearest_on_segment(point, a, b), point) for point in (c, d)]
    way, edge = min(found, key=lambda one: (round(dist(*one), 6), -dist(a, one[0])))
    return Passing(dist(a, way), dist(way, edge), way, edge)


def gap_at(line: Points, point: Point, width: float) -> tuple[float, float]:
    """Return start and end of an opening of some width around a point, as lengths along a line."""
    middle = distance_along(line, point)
    return middle - width / 2, middle + width / 2


def part_of(line: Points, start: float, end: float) -> list[Point]:
    """Return the part of a line from one length along it to another."""
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
    """Return the parts of a line outside some gaps, given as lengths along it."""
    whole = length(line)
    parts, start = [], 0.0
    for first, last in [*sorted(gaps), (whole, whole)]:
        if first - start > SHORTEST:
            parts.append(part_of(line, start, min(first, whole)))
        start = max(start, last)
    return parts


def strips(line: Points, half: float) -> Iterator[Points]:
    """Yield a rectangle along each leg of a line, `half` to each side.

    Each is `half` longer at both ends, to fill the bends.
    """
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


def mitre(line: Points, half: float) -> list[Point]:
    """Return the outline of a line of some width, `half` to each side, with mitred bends."""
    lefts = []
    for a, b in pairwise(line):
        reach = dist(a, b)
        lefts.append((-(b[1] - a[1]) / reach, (b[0] - a[0]) / reach))
    sides = [_left_at(lefts[max(0, place - 1) : place + 1]) for place in range(len(line))]
    left = [(x + dx * half, y + dy * half) for (x, y), (dx, dy) in zip(line, sides, strict=True)]
    right = [(x - dx * half, y - dy * half) for (x, y), (dx, dy) in zip(line, sides, strict=True)]
    return left + right[::-1]


def _left_at(lefts: Sequence[Point]) -> Point:
    """Return the offset to the left of a line at a point, from the normals of the legs that meet there.

    It is longer at a bend, to keep the width of the line.
    """
    if len(lefts) == 1:
        return lefts[0]
    x, y = lefts[0][0] + lefts[1][0], lefts[0][1] + lefts[1][1]
    square = x * x + y * y
    factor = min(2.0, 2.0 / square) if square > 1e-9 else 1.0
    return x * factor, y * factor


def crossings(line: Points, path: Points) -> list[float]:
    """Return where a path crosses a line, as lengths along the line."""
    found, done = [], 0.0
    for a, b in pairwise(line):
        reach = dist(a, b)
        found += [done + at * reach for c, d in pairwise(path) if (at := crossing(a, b, c, d)) is not None]
        done += reach
    return found
