"""Contact between bases: how far a base moves before it touches another, and the places next to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from typing import NamedTuple

from zareba.base.exact import hypot
from zareba.space.bearings import offset
from zareba.space.field.bases import Base
from zareba.space.geometry import Point

__all__ = ["Contact", "first_touch", "places_round"]


class Contact(NamedTuple):
    """The distance a base has moved, and the base that it touches there."""

    moved: float
    base: Base


def first_touch(
    start: Point,
    goal: Point,
    radius: float,
    bases: Iterable[Base],
    apart: float = 0.0,
    slack: float = 0.0,
    passes: Callable[[float, float, Base], bool] | None = None,
) -> Contact | None:
    """Return where a base moving straight first comes within `apart` of another's edge, or None.

    Of equals, the first counts. A base ahead that is already this near, or at most `slack` further, is met at once.
    `passes` may ignore it: its arguments are the distance between the two middles, the distance of the other's middle
    from the path, and the other base.
    """
    x, y = start
    dx, dy = goal[0] - x, goal[1] - y
    best = sqrt(dx * dx + dy * dy)
    if best <= 1e-9:
        return None
    ux, uy = dx / best, dy / best
    found = None
    for base in bases:
        across, along, near = base[0] - x, base[1] - y, radius + base[2] + apart
        ahead = across * ux + along * uy
        if ahead <= 0.0 or ahead > best + near:
            continue
        beside = across * uy - along * ux
        if not -near < beside < near:
            continue
        moved = ahead - sqrt(near * near - beside * beside)
        if moved <= slack:
            if passes is not None and passes(hypot(across, along), abs(beside), base):
                continue
            moved = max(0.0, moved)
        if moved < best:
            best, found = moved, base
    return None if found is None else Contact(best, found)


def places_round(at: Point, reach: float, towards: float, turns: Iterable[float]) -> Iterator[Point]:
    """Yield the places at `reach` from a point, at some turns from the bearing `towards`, in order."""
    return (offset(at, towards + turn, reach) for turn in turns)
