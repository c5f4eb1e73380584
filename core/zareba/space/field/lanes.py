"""Figures in the way: those between two bodies, sorted so that those near one line of fire are found at once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain

from zareba.exact import hypot
from zareba.space.field.bodies import Body
from zareba.space.geometry import EPSILON, Point

__all__ = ["Obstacles", "anybody_between"]


class Obstacles:
    """The figures that could stand between two bodies, sorted across the line from one to the other.

    The way to a base is clear when the corridor from the middle of the shooter's to both edges of it is free of figures.
    Those within `near` of the shooter are overlooked, and with `either` those that near the target too. `clear` keeps what
    was found out about single lines of fire, by the points at their ends.
    """

    __slots__ = ("_across", "_either", "_figures", "_last", "_left", "_near", "_widest", "clear")

    def __init__(
        self, a: Body, b: Body, others: tuple[Body, ...], near: float, either: bool, aside: float = 10.0
    ) -> None:
        """`aside`: how far beside the two bodies others may stand who shoot, or are shot at, with them."""
        self._near = near + EPSILON
        self._either = either
        dx, dy = b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]
        length = hypot(dx, dy) or 1.0
        lx, ly = self._left = (-dy / length, dx / length)
        figures = [(x * lx + y * ly, x * ly - y * lx, x, y, body.radius) for body in (a, b) for x, y in body.at]
        margin = aside + a.radius + b.radius
        least, most = min(figures)[0] - margin, max(figures)[0] + margin
        for body in others:
            radius, (x, y), reach = body.radius, body.centre, body.reach
            across = x * lx + y * ly
            if least <= across - reach and across + reach <= most:
                figures += [(x * lx + y * ly, x * ly - y * lx, x, y, radius) for x, y in body.at]
            elif least <= across + reach and across - reach <= most:
                figures += [
                    (across, x * ly - y * lx, x, y, radius)
                    for x, y in body.at
                    if least <= (across := x * lx + y * ly) + radius and across - radius <= most
                ]
        figures.sort()
        self._figures = figures
        self._across = [figure[0] for figure in figures]
        self._widest = max([body.radius for body in (a, b, *others)])
        self._last: list[tuple[float, float, float, float, float]] = []
        self.clear: dict[tuple[Point, Point], bool] = {}

    def hide(self, here: Point, own: float, there: Point, wide: float) -> bool:
        """Whether a figure hides part of a base of radius `wide` from one of radius `own`; who hid the last is asked first."""
        (sx, sy), (tx, ty) = here, there
        dx, dy = tx - sx, ty - sy
        length = hypot(dx, dy)
        if length <= own + wide:
            return False
        lx, ly = self._left
        margin = self._widest + wide
        one, other = sx * lx + sy * ly, tx * lx + ty * ly
        if one > other:
            one, other = other, one
        behind, beyond = sx * ly - sy * lx, tx * ly - ty * lx
        if behind > beyond:
            behind, beyond = beyond, behind
        behind, beyond = behind - margin, beyond + margin
        first = bisect_left(self._across, one - margin)
        last = bisect_right(self._across, other + margin, first)
        ux, uy = dx / length, dy / length
        far, widening, near, either = length - 1e-6, wide / length, self._near, self._either
        for figure in chain(self._last, self._figures[first:last]):
            _, along, x, y, radius = figure
            if behind < along < beyond:
                px, py = x - sx, y - sy
                ahead = px * ux + py * uy
                if 0.0 < ahead < far:
                    half = radius + widening * ahead - 1e-6
                    if (
                        -half < px * uy - py * ux < half
                        and hypot(px, py) - own - radius > near
                        and not (either and hypot(x - tx, y - ty) - wide - radius <= near)
                    ):
                        self._last = [figure]
                        return True
        return False


def anybody_between(
    bodies: Iterable[Body], here: Point, own: float, there: Point, wide: float, near: float, either: bool
) -> bool:
    """Whether a figure of any of some bodies stands in the corridor from a point to a whole base."""
    (sx, sy), (tx, ty) = here, there
    dx, dy = tx - sx, ty - sy
    length = hypot(dx, dy)
    if length <= own + wide:
        return False
    ux, uy = dx / length, dy / length
    far, widening = length - 1e-6, wide / length
    west, east = (sx - wide, tx + wide) if sx < tx else (tx - wide, sx + wide)
    south, north = (sy - wide, ty + wide) if sy < ty else (ty - wide, sy + wide)
    for body in bodies:
        left, low, right, high = body.box
        if left > east or right < west or low > north or high < south:
            continue
        radius = body.radius
        for x, y in body.at:
            px, py = x - sx, y - sy
            ahead = px * ux + py * uy
            if 0.0 < ahead < far:
                half = radius + widening * ahead - 1e-6
                if (
                    -half < px * uy - py * ux < half
                    and hypot(px, py) - own - radius > near
                    and not (either and hypot(x - tx, y - ty) - wide - radius <= near)
                ):
                    return True
    return False
