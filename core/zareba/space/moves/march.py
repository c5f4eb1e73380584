"""Find the bases that stop figures which all move by the same vector. Any unit of length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from zareba.base.exact import hypot
from zareba.space.field.bases import SLACK, Base, passes
from zareba.space.geometry import Bounds, Point

__all__ = ["Blocker", "How", "find_blockers", "that_matter"]

How: TypeAlias = Literal["on", "through", "against"]
"""A figure would end on a base, go through one, or end against one."""


class Blocker(NamedTuple):
    """A base that blocks a move, and how."""

    base: Base
    how: How


def find_blockers(
    starts: Sequence[Point], way: Point, radius: float, bases: Iterable[Base], side: str, touch: float = 0.0
) -> Blocker | None:
    """Return the first base that stops the figures from all moving by `way` (east, north); None if none does.

    All figures have bases of one radius. No figure may end on a base. Figures may pass bases of `side` but no others.
    With `touch`, no figure may end that close to a base of another side, edge to edge.
    """
    dx, dy = way
    for base in bases:
        x, y, own, whose, _ = base
        reach = radius + own - SLACK
        square = reach * reach
        end_x, end_y = x - dx, y - dy  # the start that would end exactly on the base
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
    """Return the bases that may block a move over the box `sweep` into the box `end`.

    The figures stay `near` from the edges of bases. Bases of `side` block only the end of a move, all others the whole
    of it.
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
