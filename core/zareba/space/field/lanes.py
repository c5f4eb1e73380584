"""Figures in the way: those between two bodies, sorted so that those near one line of fire are found at once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from zareba.exact import hypot
from zareba.space.field.bodies import Body
from zareba.space.geometry import EPSILON, Point

__all__ = ["Eye", "Mark", "Obstacles", "anybody_between"]

Mark: TypeAlias = tuple[Point, float]
"""A figure as it may be aimed at: its place and the radius of its base."""

Screen: TypeAlias = tuple[float, float, float]
"""A figure that may hide others: x and y from the one who looks, and the radius of its base."""


class Eye:
    """One figure that looks at many: whoever hides one man from it often hides others too, so he is asked about first.

    `screens` are figures that are likely to hide some, none of them overlooked; None before anybody asks.
    """

    __slots__ = ("here", "own", "screens")

    def __init__(self, here: Point, own: float) -> None:
        self.here = here
        self.own = own
        self.screens: list[Screen] | None = None

    def learn(self, x: float, y: float, radius: float) -> None:
        """Note a figure that hid somebody."""
        if self.screens is not None:
            self.screens.insert(0, (x - self.here[0], y - self.here[1], radius))


class Obstacles:
    """The figures that could stand between two bodies, sorted across the line from one to the other.

    The way to a base is clear when the corridor from the middle of the shooter's to both edges of it is free of figures.
    Those within `near` of the shooter are overlooked, and with `either` those that near the target too. Who has hidden a man
    from one eye is asked about first by the next, for they stand side by side. `clear` keeps what was found out about single
    lines of fire, by the points at their ends.
    """

    __slots__ = (
        "_across",
        "_ahead",
        "_either",
        "_eyes",
        "_figures",
        "_hiders",
        "_left",
        "_mates",
        "_near",
        "_widest",
        "clear",
    )

    def __init__(
        self, a: Body, b: Body, others: tuple[Body, ...], near: float, either: bool, aside: float = 10.0
    ) -> None:
        """`aside`: how far beside the two bodies others may stand who shoot, or are shot at, with them."""
        self._near = near + EPSILON
        self._either = either
        dx, dy = b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]
        length = hypot(dx, dy) or 1.0
        lx, ly = self._left = (-dy / length, dx / length)
        self._ahead = (ly, -lx)
        self._mates = a
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
        self._eyes: dict[Point, Eye] = {}
        self._hiders: dict[tuple[float, float, float], None] = {}
        self.clear: dict[tuple[Point, Point], bool] = {}

    def eye(self, here: Point, own: float) -> Eye:
        """A figure of base `own` that looks from one body at the other; its mates in front of it may hide men from it."""
        found = self._eyes.get(here)
        if found is None:
            found = self._eyes[here] = Eye(here, own)
        return found

    def _likely_screens(self, here: Point, own: float) -> list[Screen]:
        """The mates of an eye in front of it, and who has hidden somebody from another; none that it overlooks."""
        if self._either:
            return []
        (sx, sy), (fx, fy), radius, near = here, self._ahead, self._mates.radius, self._near
        found = []
        for x, y, wide in self._hiders:
            px, py = x - sx, y - sy
            if hypot(px, py) - own - wide > near:
                found.append((px, py, wide))
        for x, y in self._mates.at:
            px, py = x - sx, y - sy
            if px * fx + py * fy > 0.0 and hypot(px, py) - own - radius > near:
                found.append((px, py, radius))
        return found

    def next_open(self, eye: Eye, marks: Sequence[Mark], order: Sequence[int], first: int) -> int:
        """The place in an order, from the `first` on, of a mark that none of the likely ones hides; the end if they hide all.

        It asks for each of them what `anybody_between` asks.
        """
        if first == len(order):
            return first
        screens = eye.screens
        if screens is None:
            screens = eye.screens = self._likely_screens(eye.here, eye.own)
        if not screens:
            return first
        own, (sx, sy) = eye.own, eye.here
        for place in range(first, len(order)):
            (tx, ty), wide = marks[order[place]]
            dx, dy = tx - sx, ty - sy
            length = hypot(dx, dy)
            if length <= own + wide:
                return place
            ux, uy = dx / length, dy / length
            far, widening = length - 1e-6, wide / length
            for px, py, radius in screens:
                ahead = px * ux + py * uy
                if 0.0 < ahead < far:
                    half = radius + widening * ahead - 1e-6
                    if -half < px * uy - py * ux < half:
                        break
            else:
                return place
        return len(order)

    def screen(self, eye: Eye, there: Point, wide: float) -> bool:
        """Whether a figure hides part of a base of radius `wide` from an eye, which will remember it."""
        (sx, sy), own, (tx, ty) = eye.here, eye.own, there
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
        for _, along, x, y, radius in self._figures[first:last]:
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
                        if not either:
                            eye.learn(x, y, radius)
                            self._hiders[x, y, radius] = None
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
