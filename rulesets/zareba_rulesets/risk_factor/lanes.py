"""The figures between two bodies, sorted so that those near one line of fire are found at once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from math import hypot
from typing import TypeAlias

from zareba.space.geometry import EPSILON, Point
from zareba_rulesets.risk_factor.body import Body

__all__ = ["Mark", "Obstacles", "Standee", "stands_between"]

Standee: TypeAlias = tuple[float, float, float, float]
"""A figure as it may stand in the way: its place across a line, x, y, and the radius of its base."""

Mark: TypeAlias = tuple[Point, float]
"""A figure as it may be aimed at: its place and the radius of its base."""

ASIDE = 10.0  # leaders who shoot or are shot at with a group stand up to this far, in cm, beside its figures


class Obstacles:
    """The figures that could stand between two bodies, sorted across the line from one to the other.

    Figures within `near` cm of the shooter are overlooked, and with `either` those that near the target too (RSK-107).
    `clear` keeps what was found out about single lines of fire between them, by the points at their ends.
    """

    __slots__ = ("_across", "_either", "_figures", "_left", "_near", "_widest", "clear")

    def __init__(self, a: Body, b: Body, others: tuple[Body, ...], near: float, either: bool) -> None:
        self._near = near + EPSILON
        self._either = either
        dx, dy = b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]
        length = hypot(dx, dy) or 1.0
        lx, ly = self._left = (-dy / length, dx / length)
        figures = [(x * lx + y * ly, x, y, body.radius) for body in (a, b) for x, y in body.at]
        margin = ASIDE + a.radius + b.radius
        least, most = min(figures)[0] - margin, max(figures)[0] + margin
        for body in others:
            radius = body.radius
            figures += [
                (across, x, y, radius)
                for x, y in body.at
                if least <= (across := x * lx + y * ly) + radius and across - radius <= most
            ]
        figures.sort()
        self._figures = figures
        self._across = [figure[0] for figure in figures]
        self._widest = max([body.radius for body in (a, b, *others)])
        self.clear: dict[tuple[Point, Point], bool] = {}

    def screen(
        self, here: Point, own: float, there: Point, wide: float, guess: Standee | None = None
    ) -> Standee | None:
        """A figure that hides part of a base of radius `wide` from a figure of radius `own` (RSK-106), or None.

        `guess` is tried before the others: who stands before one man often stands before his neighbour too.
        """
        if guess is not None and stands_between((guess,), here, own, there, wide, self._near, self._either):
            return guess
        lx, ly = self._left
        one, other = here[0] * lx + here[1] * ly, there[0] * lx + there[1] * ly
        if one > other:
            one, other = other, one
        margin, across = self._widest + wide, self._across
        first = bisect_left(across, one - margin)
        last = bisect_right(across, other + margin, first)
        return stands_between(self._figures[first:last], here, own, there, wide, self._near, self._either)

    def past(
        self, screen: Standee, here: Point, own: float, marks: Sequence[Mark], order: Sequence[int], first: int
    ) -> int:
        """The place in an order, from the `first` on, of a mark that one figure does not hide; the end if it hides all.

        It asks for one figure and many marks what `stands_between` asks for many figures and one mark.
        """
        sx, sy = here
        _, x, y, radius = screen
        px, py = x - sx, y - sy
        if (px * px + py * py) ** 0.5 - own - radius <= self._near:
            return first
        for place in range(first, len(order)):
            (tx, ty), wide = marks[order[place]]
            dx, dy = tx - sx, ty - sy
            length = (dx * dx + dy * dy) ** 0.5
            if length <= own + wide:
                return place
            ux, uy = dx / length, dy / length
            ahead = px * ux + py * uy
            if ahead <= 0.0 or ahead >= length - 1e-6:
                return place
            beside = px * uy - py * ux
            half = radius + wide / length * ahead - 1e-6
            if beside >= half or -beside >= half:
                return place
            if self._either and ((x - tx) ** 2 + (y - ty) ** 2) ** 0.5 - wide - radius <= self._near:
                return place
        return len(order)


def stands_between(
    figures: Iterable[Standee],
    here: Point,
    own: float,
    there: Point,
    wide: float,
    near: float,
    either: bool,
) -> Standee | None:
    """The first of some figures that stands in the corridor from a point to a whole base, or None."""
    (sx, sy), (tx, ty) = here, there
    dx, dy = tx - sx, ty - sy
    length = (dx * dx + dy * dy) ** 0.5
    if length <= own + wide:
        return None
    ux, uy = dx / length, dy / length
    far, widening = length - 1e-6, wide / length
    for figure in figures:
        _, x, y, radius = figure
        px, py = x - sx, y - sy
        ahead = px * ux + py * uy
        if ahead <= 0.0 or ahead >= far:
            continue
        beside = px * uy - py * ux
        half = radius + widening * ahead - 1e-6
        if beside >= half or -beside >= half:
            continue
        if (px * px + py * py) ** 0.5 - own - radius <= near:
            continue
        if either and ((x - tx) ** 2 + (y - ty) ** 2) ** 0.5 - wide - radius <= near:
            continue
        return figure
    return None
