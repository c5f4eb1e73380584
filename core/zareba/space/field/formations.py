"""Places in a formation: ranks and rings of figures, and their points on the table."""

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
    """Return each figure's place in ranks of `files` figures, as (to the right, ahead) from the middle.

    With `deep`, places are as if there were that many ranks. A rank that is not full is centred behind the others.
    With `in_files` each figure in it is behind another, half a file to the right if necessary. Places are listed from
    the left of the front rank; with `middle_first`, each rank is listed from its middle.
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
    """Return the points of formation places around `at`, facing along the unit vector `ahead`."""
    (x, y), (east, north) = at, ahead
    return [(x + aside * north + on * east, y - aside * east + on * north) for aside, on in places]


def in_ring(count: int, apart: float, least: float) -> list[Point]:
    """Return the places of `count` figures in a ring around the origin, from the north.

    They are `apart` along the ring, or further if needed for a circumference of at least `least`.
    """
    across = max(count * apart, least) / (2 * pi)
    return [offset((0.0, 0.0), 360 * place / count, across) for place in range(count)]


def faces_out(points: Points, facings: Sequence[float], outline: float, turn: float) -> bool:
    """Return True if figures form a ring that looks outwards.

    Each must be within `outline` of the convex hull of all, and face away from its middle, at most `turn` degrees off.
    """
    corners, middle = hull(points), middle_of(points)
    ring = (*corners, corners[0])
    for at, facing in zip(points, facings, strict=True):
        if distance_to_path(at, ring) > outline:
            return False
        if at != middle and angle_between(facing, bearing_to(middle, at)) > turn:
            return False
    return True
