"""Figures in line: in rows along works, or in the ranks of an area that face its front, each next to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space.bearings import direction
from zareba.space.field.bases import SLACK, Base, Crowd
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, Points, nearest_leg
from zareba.space.outlines import TerrainArea

__all__ = ["LineFormation", "offset_along", "spread_along"]


def offset_along(at: Point, way: Point) -> float:
    """Return how far a point lies along a direction (a unit vector), measured from the origin."""
    return at[0] * way[0] + at[1] * way[1]


def spread_along(
    legs: Iterable[Sequence[Point]], at: Point, count: int, apart: float, off: float, behind: Point
) -> list[Point]:
    """Return places spread evenly along the leg of a line nearest to a point, `off` from it on the side of `behind`.

    They are at least `apart` from each other, and at most `count`: those nearest to the point. There are fewer if the
    leg is short, none if it has no length.
    """
    a, b = nearest_leg(at, legs)
    length = dist(a, b)
    if length <= SLACK:
        return []
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    left = ux * (behind[1] - a[1]) - uy * (behind[0] - a[0]) >= 0
    nx, ny = (-uy * off, ux * off) if left else (uy * off, -ux * off)
    middle = (at[0] - a[0]) * ux + (at[1] - a[1]) * uy
    room = max(1, int(length / apart))
    marks = sorted([(k + 0.5) * length / room for k in range(room)], key=lambda mark: abs(mark - middle))
    return [(a[0] + mark * ux + nx, a[1] + mark * uy + ny) for mark in marks[:count]]


class LineFormation(NamedTuple):
    """The settings for lining works. Lengths are in base widths, except `close_up`.

    `spacing`: distance from one figure to the next. `rows`: number of rows; figures without a place in one row go into
    the next behind it. `close_up`: distance from a base to the works in front of it. `square_on`: sine of the smallest
    angle between the facing and works that count as in front. `beside`: steps to a neighbour, past at most one or two
    others. `deeper`: how much a place to the side is preferred to one behind.
    """

    spacing: float
    rows: int
    close_up: float
    square_on: float
    beside: float
    deeper: float

    def rows_along(self, line: Points, radius: float, facing: float) -> list[list[Point]]:
        """Return rows of places behind a line, as seen from ahead, the first row close to it."""
        ahead, step = direction(facing), 2 * radius * self.spacing
        found: list[list[Point]] = [[] for _ in range(self.rows)]
        for (ax, ay), (bx, by) in pairwise(line):
            length = dist((ax, ay), (bx, by))
            ux, uy = (bx - ax) / length, (by - ay) / length
            square = uy * ahead[0] - ux * ahead[1]
            if abs(square) < self.square_on:
                continue
            side = -1.0 if square > 0 else 1.0  # the normal (uy, -ux) points ahead or back
            number = int((length - 2 * radius) / step) + 1
            for row, places in enumerate(found):
                off = side * (radius + self.close_up + row * step)
                for k in range(number):
                    mark = length / 2 + (k - (number - 1) / 2) * step
                    places.append((ax + ux * mark + uy * off, ay + uy * mark - ux * off))
        return found

    def files_in(self, area: TerrainArea, radius: float, facing: float) -> tuple[list[list[Point]], list[Point]]:
        """Return the places in an area, file by file from its front back, and the places around it."""
        ahead, step, more = direction(facing), 2 * radius * self.spacing, self.rows - 1
        right = ahead[1], -ahead[0]
        deep = [offset_along(at, ahead) for at in area.points]
        wide = [offset_along(at, right) for at in area.points]
        inside: list[list[Point]] = []
        outside: list[Point] = []
        for column in range(-more, int((max(wide) - min(wide)) / step) + 1 + more):
            x = min(wide) + radius + column * step
            file: list[Point] = []
            for row in range(-more, int((max(deep) - min(deep)) / step) + 1 + more):
                y = max(deep) - radius - row * step
                at = (x * right[0] + y * ahead[0], x * right[1] + y * ahead[1])
                (file if area.holds(at) else outside).append(at)
            inside.append(file)
        return inside, outside

    def lined_up(self, body: Body, rows: Sequence[Sequence[Point]], facing: float, reach: float) -> Body | None:
        """Return a body in these places, each figure next to another; None if there are too few.

        It starts from the nearest place of the first row, which must be within `reach` of the body's middle. A row is
        filled only if no row before it has a place left.
        """
        first = min(rows[0], key=lambda at: dist(at, body.centre), default=None)
        if first is None or dist(first, body.centre) > reach:
            return None
        ahead, step = direction(facing), 2 * body.radius * self.spacing
        right, crowd = (ahead[1], -ahead[0]), Crowd([Base(*first, body.radius)], square=8.0)

        def off(at: Point) -> float:
            way = (at[0] - first[0], at[1] - first[1])
            return abs(offset_along(way, right)) + self.deeper * abs(offset_along(way, ahead))

        waiting = [at for row in rows for at in sorted(row, key=off)]
        chosen = [first]
        while len(chosen) < len(body):
            beside = (
                at
                for at in waiting
                if any(dist(at, o) <= self.beside * step for o in chosen) and crowd.is_free(at, body.radius)
            )
            at = next(beside, None)
            if at is None:
                return None
            chosen.append(at)
            crowd.add(Base(*at, body.radius))
        return Body(
            tuple(sorted(chosen, key=lambda at: (-offset_along(at, ahead), offset_along(at, right)))), body.radius
        )
