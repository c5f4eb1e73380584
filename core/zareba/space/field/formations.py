"""Places in a formation: men in ranks, and how they stand about a point."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from zareba.space.geometry import Point

__all__ = ["drawn_up", "in_ranks"]


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
