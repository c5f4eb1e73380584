"""Lines by the lengths along them: where a point lies on one, a part of it, what is left without its gaps, strips of a width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf

from zareba.base.exact import dist
from zareba.space.geometry import Point, Points, length, nearest_on_segment

__all__ = ["along", "gap_at", "part_of", "parts_outside", "strips"]

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
