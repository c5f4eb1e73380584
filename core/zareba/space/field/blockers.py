"""Figures in the way: find figures between a shooter and a target."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.base.exact import hypot
from zareba.space.field.bodies import Body
from zareba.space.geometry import EPSILON, Point

__all__ = ["FigureBlockers", "any_figure_between"]

KEPT = 6
Figure = tuple[float, float, float]


class FigureBlockers:
    """The units whose figures may be between some shooters and their targets.

    The path to a base is clear if no figure is in the corridor from the middle of the shooter's base to both edges of
    the target's. Figures within `near` of the shooter are ignored; with `either`, figures within `near` of the target
    as well. `clear` caches results for single lines of fire by their end points.
    """

    __slots__ = ("_bodies", "_either", "_last", "_near", "clear")

    def __init__(self, bodies: Iterable[Body], near: float, either: bool) -> None:
        self._bodies = tuple(bodies)
        self._near = near + EPSILON
        self._either = either
        self._last: list[Figure] = []
        self.clear: dict[tuple[Point, Point], bool] = {}

    def hide(self, here: Point, own: float, there: Point, wide: float) -> bool:
        """Return True if a figure hides part of a base of radius `wide` from a base of radius `own`.

        Figures that blocked earlier lines are tried first, because a body in the way usually blocks many lines.
        """
        last, near, either = self._last, self._near, self._either
        found = _first_between(last, here, own, there, wide, near, either)
        if found is not None:
            if last[0] is not found:
                last.remove(found)
                last.insert(0, found)
            return True
        for body in self._bodies:
            if _may_stand_between(body, here, there, wide):
                radius = body.radius
                figures = [(x, y, radius) for x, y in body.at]
                found = _first_between(figures, here, own, there, wide, near, either)
                if found is not None:
                    last.insert(0, found)
                    del last[KEPT:]
                    return True
        return False


def any_figure_between(
    bodies: Iterable[Body], here: Point, own: float, there: Point, wide: float, near: float, either: bool
) -> bool:
    """Return True if a figure of any body is in the corridor from a point to a whole base."""
    return FigureBlockers(bodies, near, either).hide(here, own, there, wide)


def _may_stand_between(body: Body, here: Point, there: Point, wide: float) -> bool:
    """Return True if a body's box touches the box of a corridor, and its circle touches the corridor."""
    (sx, sy), (tx, ty), (left, low, right, high) = here, there, body.box
    west, east = (sx, tx) if sx < tx else (tx, sx)
    south, north = (sy, ty) if sy < ty else (ty, sy)
    if left > east + wide or right < west - wide or low > north + wide or high < south - wide:
        return False
    (x, y), dx, dy = body.centre, tx - sx, ty - sy
    beside, reach = (x - sx) * dy - (y - sy) * dx, body.reach + wide
    return beside * beside <= reach * reach * (dx * dx + dy * dy)


def _first_between(
    figures: Iterable[Figure], here: Point, own: float, there: Point, wide: float, near: float, either: bool
) -> Figure | None:
    """Return the first figure in the corridor from a point to a whole base."""
    (sx, sy), (tx, ty) = here, there
    dx, dy = tx - sx, ty - sy
    length = hypot(dx, dy)
    if length <= own + wide:
        return None
    ux, uy = dx / length, dy / length
    far, widening = length - 1e-6, wide / length
    for figure in figures:
        x, y, radius = figure
        px, py = x - sx, y - sy
        ahead = px * ux + py * uy
        if 0.0 < ahead < far:
            half = radius + widening * ahead - 1e-6
            if (
                -half < px * uy - py * ux < half
                and hypot(px, py) - own - radius > near
                and not (either and hypot(x - tx, y - ty) - wide - radius <= near)
            ):
                return figure
    return None
