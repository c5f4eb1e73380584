"""Who comes upon whom: how far a base goes before it touches another, and the places beside it."""

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
    """How far a base has come, and the base that it touches there."""

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
    """Where a base that goes straight comes within `apart` of another's edge first, the first of equals; None: nowhere.

    One to whom it is so near already, or but `slack` farther, is come upon at once if he is ahead; `passes` may let it go by,
    from how far apart the middles of the two are, how far beside the way the other's lies, and who he is.
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
    """Places so far from a point, at some turns from the bearing `towards`, in their order."""
    return (offset(at, towards + turn, reach) for turn in turns)
