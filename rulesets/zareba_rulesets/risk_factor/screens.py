"""What hides one whole unit from another: convex parts of ground, so that the corners of units answer for all figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from zareba.space.geometry import Point, crossing, hull, turn

if TYPE_CHECKING:
    from zareba.space.field.pieces import Piece
    from zareba_rulesets.risk_factor.book import Ground

__all__ = ["Screen", "is_screened", "screens_of"]

Screen = Callable[[Point, Point], bool]
"""Whether a part of some ground blocks the line between two points that lie outside that ground."""

MARGIN = 1e-6


def screens_of(piece: Piece[Ground], wood_between: float) -> tuple[Screen, ...]:
    """The convex parts of a piece that block every line through them (RSK-155).

    Of a wood it is the middle, `wood_between` / 2 from its sides: a line that comes there has more than `wood_between` cm of
    wood. Shapes with bays have none, and their lines are tried one by one.
    """
    if not piece.is_area:
        return tuple(_leg(a, b) for a, b in pairwise(piece.points))
    corners = piece.hiding.points
    core = hull(corners)
    if len(core) != len(corners):
        return ()
    core = _without_rim(core, wood_between / 2 if piece.ground.wood else 0.0)
    return (_core(core),) if core else ()


def _leg(a: Point, b: Point) -> Screen:
    return lambda p, q: crossing(p, q, a, b) is not None


def _without_rim(corners: tuple[Point, ...], rim: float) -> tuple[Point, ...]:
    """A convex shape without the strip of some width along its sides; empty if nothing is left."""
    left = list(corners)
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
        depths = [turn(a, b, point) / length - rim - MARGIN for point in left]
        kept: list[Point] = []
        for k, (point, deep) in enumerate(zip(left, depths, strict=True)):
            before, was = left[k - 1], depths[k - 1]
            if (deep > 0) != (was > 0):
                t = was / (was - deep)
                kept.append((before[0] + (point[0] - before[0]) * t, before[1] + (point[1] - before[1]) * t))
            if deep > 0:
                kept.append(point)
        left = kept
    return tuple(left)


def _core(corners: tuple[Point, ...]) -> Screen:
    sides = tuple(zip(corners, (*corners[1:], corners[0]), strict=True))

    def blocks(p: Point, q: Point) -> bool:
        """Whether the line enters the core: what is left of it inside all sides is more than a point."""
        first, last = 0.0, 1.0
        for a, b in sides:
            start, end = turn(a, b, p), turn(a, b, q)
            if start <= 0 and end <= 0:
                return False
            if start < 0:
                first = max(first, start / (start - end))
            elif end < 0:
                last = min(last, start / (start - end))
        return first < last

    return blocks


def is_screened(screens: Iterable[Screen], ones: Sequence[Point], others: Sequence[Point]) -> bool:
    """Whether one screen blocks all lines between two hulls: it does if it blocks those between their corners."""
    return any(all(screen(p, q) for p in ones for q in others) for screen in screens)
