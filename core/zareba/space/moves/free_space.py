"""Room to stand: the first free place about a point in widening rings, or back along a way."""

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
    """Steps from a point to places on circles about it, so far apart and out to so much; the nearest circle first.

    On each are `per` places for each unit of its radius, but at `least` so many: clockwise from the bearing `first`, or
    from the east round by the north.
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
    """The wanted place, or the first of those `around` it where a base stands on nobody and the ground is open; or None."""
    x, y = want
    if crowd.is_free(want, radius) and is_open(want):
        return want
    for aside, ahead in around:
        at = x + aside, y + ahead
        if crowd.is_free(at, radius) and is_open(at):
            return at
    return None


def evenly_back(reach: float, step: float) -> list[float]:
    """Shares of a way so long, from the whole of it back to none, in even parts of about `step`."""
    parts = max(1, int(reach / step))
    return [part / parts for part in range(parts, -1, -1)]


def drawn_back(start: Point, way: Point, shares: Iterable[float], holds: Callable[[Point], bool]) -> Point | None:
    """The first place for which something holds, of those at some shares of a way that goes so far east and north; or None."""
    (x, y), (east, north) = start, way
    for share in shares:
        at = x + east * share, y + north * share
        if holds(at):
            return at
    return None


def foremost(at: Sequence[Point], way: Point, places: Iterable[int] | None = None) -> list[int]:
    """The places of some men, or of all, those farthest along a direction first."""
    east, north = way
    return sorted(range(len(at)) if places is None else places, key=lambda k: -(at[k][0] * east + at[k][1] * north))
