"""Places in a formation: men in ranks, and how they stand about a point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import pi

from zareba.space.bearings import angle_between, bearing_to, offset
from zareba.space.geometry import Point, Points, distance_to_path, hull, middle_of

__all__ = ["drawn_up", "faces_out", "in_ranks", "in_ring"]


@lru_cache(maxsize=4096)
def in_ranks(
    count: int, files: int, apart: float, *, deep: int = 0, in_files: bool = False, middle_first: bool = False
) -> tuple[Point, ...]:
    """How far aside to the right, and how far ahead of the middle, each of so many men stands in ranks of so many files.

    `deep`: as if there were so many ranks. A rank that is not full stands behind the middle of the others; with `in_files`
    its men stand behind somebody, half a file to the right if need be. They are counted from the left of the front rank on,
    or of each rank from its middle.
    """
    if not count:
        return ()
    found: list[Point] = []
    deep = deep or -(-count // files)
    for first in range(0, count, files):
        here = min(files, count - first)
        behind = 0.5 if in_files and (files - here) % 2 else 0.0
        places = [place - (here - 1) / 2 for place in range(here)]
        if middle_first:
            places.sort(key=abs)
        found += [(place * apart + behind * apart, ((deep - 1) / 2 - first // files) * apart) for place in places]
    return tuple(found)


def drawn_up(places: Iterable[Point], at: Point, ahead: Point) -> list[Point]:
    """The points of places in a formation about a point, which faces one way: a step of length 1."""
    (x, y), (east, north) = at, ahead
    return [(x + aside * north + on * east, y - aside * east + on * north) for aside, on in places]


def in_ring(count: int, apart: float, least: float) -> list[Point]:
    """The places of so many men in a ring about the origin, from the north on: so far apart along it, and no closer in than
    with `least` of its length.
    """
    across = max(count * apart, least) / (2 * pi)
    return [offset((0.0, 0.0), 360 * place / count, across) for place in range(count)]


def faces_out(points: Points, facings: Sequence[float], outline: float, turn: float) -> bool:
    """Whether men form a ring that looks outwards: each within `outline` of the shape round them all, and facing away from
    its middle, at most `turn` degrees off.
    """
    corners, middle = hull(points), middle_of(points)
    ring = (*corners, corners[0])
    for at, facing in zip(points, facings, strict=True):
        if distance_to_path(at, ring) > outline:
            return False
        if at != middle and angle_between(facing, bearing_to(middle, at)) > turn:
            return False
    return True
