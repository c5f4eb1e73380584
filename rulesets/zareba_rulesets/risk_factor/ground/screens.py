"""What hides one whole unit from another: convex parts of ground, so that the corners of units answer for all figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from zareba.exact import dist
from zareba.space.geometry import Point, hull, turn
from zareba.space.outlines import Area, Line, lies_across

if TYPE_CHECKING:
    from zareba.space.field.pieces import Piece
    from zareba_rulesets.risk_factor.book.numbers import Ground

__all__ = ["is_screened", "screens_of"]

MARGIN = 1e-6


def screens_of(piece: Piece[Ground], wood_between: float) -> tuple[Area | Line, ...]:
    """The convex parts of a piece that block every line through them (RSK-155).

    Of a wood it is the middle, `wood_between` / 2 from its sides: a line that comes there has more than `wood_between` cm of
    wood. Shapes with bays have none, and their lines are tried one by one.
    """
    if not piece.is_area:
        return tuple(Line(leg) for leg in piece.legs)
    corners = piece.hiding.points
    core = hull(corners)
    if len(core) != len(corners):
        return ()
    core = _without_rim(core, wood_between / 2 if piece.ground.wood else 0.0)
    return (Area(core),) if len(core) > 2 else ()


def _without_rim(corners: tuple[Point, ...], rim: float) -> tuple[Point, ...]:
    """A convex shape without the strip of some width along its sides; empty if nothing is left."""
    left = list(corners)
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = dist(a, b)
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


def is_screened(screens: Iterable[Area | Line], ones: Collection[Point], others: Collection[Point]) -> bool:
    """Whether one screen blocks all lines between two hulls."""
    return any(lies_across(screen, ones, others) for screen in screens)
