"""Free places for a base: in widening rings around a point, or back along a path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from zareba.base.exact import cosd, sind
from zareba.space.field.bases import Crowd
from zareba.space.geometry import Point

__all__ = ["drawn_back", "evenly_back", "first_free", "foremost", "rings"]


@lru_cache(maxsize=256)
def rings(
    apart: float, out_to: float, *, least: int, per: float = 0.0, first: float = 0.0, from_east: bool = False
) -> tuple[Point, ...]:
    """Return steps from a point to places on circles around it, nearest circle first.

    Circles are `apart` from each other, up to `out_to`. Each has `per` places for each unit of its radius, but at
    least `least`. They go clockwise from the bearing `first`, or, with `from_east`, anticlockwise from the east.
    """
    found = []
    for number in range(1, int(out_to / apart + 1e-9) + 1):
        away = number * apart
        places = max(least, int(away * per))
        for place in range(places):
            angle = 360 * place / places
            if from_east:
                found.append((away * cosd(angle), away * sind(angle)))
            else:
                found.append((away * sind(first + angle), away * cosd(first + angle)))
    return tuple(found)


def first_free(
    want: Point, radius: float, crowd: Crowd, around: Iterable[Point], is_open: Callable[[Point], bool]
) -> Point | None:
    """Return the wanted place, or the first `around` it, that is open and free of other bases; None if none is."""
    x, y = want
    if crowd.is_free(want, radius) and is_open(want):
        return want
    for aside, ahead in around:
        at = x + aside, y + ahead
        if crowd.is_free(at, radius) and is_open(at):
            return at
    return None


def evenly_back(reach: float, step: float) -> list[float]:
    """Return shares of a path of length `reach`, from all of it down to none, in even parts of about `step`."""
    parts = max(1, int(reach / step))
    return [part / parts for part in range(parts, -1, -1)]


def drawn_back(start: Point, way: Point, shares: Iterable[float], holds: Callable[[Point], bool]) -> Point | None:
    """Return the first place for which `holds` is true, at some shares of the path `way` (east, north); or None."""
    (x, y), (east, north) = start, way
    for share in shares:
        at = x + east * share, y + north * share
        if holds(at):
            return at
    return None


def foremost(at: Sequence[Point], way: Point, places: Iterable[int] | None = None) -> list[int]:
    """Return the indices of some points, or of all, furthest along a direction first."""
    east, north = way
    return sorted(range(len(at)) if places is None else places, key=lambda k: -(at[k][0] * east + at[k][1] * north))
