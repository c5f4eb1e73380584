"""Many who all go by the same straight way: who of those about them bars it, and how. Any one unit of length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from zareba.base.exact import hypot
from zareba.space.field.bases import SLACK, Base, passes
from zareba.space.geometry import Bounds, Point

__all__ = ["Blocker", "How", "find_blockers", "that_matter"]

How: TypeAlias = Literal["on", "through", "against"]
"""One would end on a base, go through one, or end against one."""


class Blocker(NamedTuple):
    """A base that bars a way, and how."""

    base: Base
    how: How


def find_blockers(
    starts: Sequence[Point], way: Point, radius: float, bases: Iterable[Base], side: str, touch: float = 0.0
) -> Blocker | None:
    """Who keeps men on bases of one radius from all going so far east and north, the first of some bases; None: nobody does.

    Nobody may end on a base. Those of their own side may be passed, others not; and with a `touch` nobody may end so near
    against one of those, edge to edge.
    """
    dx, dy = way
    for base in bases:
        x, y, own, whose, _ = base
        reach = radius + own - SLACK
        square = reach * reach
        end_x, end_y = x - dx, y - dy  # where it stands, as seen from where they stop
        for ax, ay in starts:
            off_x, off_y = ax - end_x, ay - end_y
            if off_x * off_x + off_y * off_y < square:
                return Blocker(base, "on")
        if whose == side:
            continue
        for ax, ay in starts:
            if passes(x - ax, y - ay, dx, dy, reach):
                return Blocker(base, "through")
            if touch > 0 and hypot(end_x - ax, end_y - ay) <= radius + own + touch:
                return Blocker(base, "against")
    return None


def that_matter(bases: Iterable[Base], sweep: Bounds, end: Bounds, near: float, side: str) -> list[Base]:
    """Those of some bases that may bar a way over one rectangle into another, to men who keep so far from their edges.

    One's own side bars only the end of a way, others all of it.
    """
    west, south, east, north = sweep
    w, s, e, n = end
    found = []
    for base in bases:
        x, y, reach = base[0], base[1], near + base[2]
        if (w - reach <= x <= e + reach and s - reach <= y <= n + reach) or (
            base[3] != side and west - reach <= x <= east + reach and south - reach <= y <= north + reach
        ):
            found.append(base)
    return found
