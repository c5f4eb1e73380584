"""Round bases on a table: overlap, bases near a place, and bases on a line. Any unit of length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space.geometry import Bounds, Point

__all__ = ["SLACK", "Base", "Crowd", "on_line", "passes", "stands_on"]

SLACK = 1e-6
"""Bases may overlap by this much and still count as touching.

It allows for rounding when one base is set exactly against another.
"""


class Base(NamedTuple):
    """A round base: middle, radius, side, and the name of its figure; "" if it has none."""

    x: float
    y: float
    radius: float
    side: str = ""
    key: str = ""

    @property
    def at(self) -> Point:
        """Its middle."""
        return self.x, self.y


def stands_on(at: Point, radius: float, bases: Iterable[Base]) -> bool:
    """Return True if a base at a place would overlap any of the bases; touching is allowed."""
    x, y = at
    room = radius - SLACK
    for other_x, other_y, other_radius, _, _ in bases:
        apart = room + other_radius
        across = x - other_x
        if -apart < across < apart:
            along = y - other_y
            if across * across + along * along < apart * apart:
                return True
    return False


def on_line(bases: Iterable[Base], start: Point, end: Point, near: float = 0.0) -> Iterator[Base]:
    """Yield the bases that a straight line crosses, or whose edges it passes nearer than `near`."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    for base in bases:
        if passes(base[0] - ax, base[1] - ay, dx, dy, near + base[2]):
            yield base


def passes(x: float, y: float, dx: float, dy: float, reach: float) -> bool:
    """Return True if the path from the origin along (dx, dy) comes nearer than `reach` to a point."""
    square = dx * dx + dy * dy
    along = x * dx + y * dy
    if along > 0:
        share = along / square if along < square else 1.0
        x, y = x - share * dx, y - share * dy
    return reach > 0.0 and x * x + y * y < reach * reach


class Crowd:
    """Bases sorted into squares, for fast tests for a free place.

    A good `square` is about three men wide: few squares to look into, few bases in each.
    """

    __slots__ = ("_side", "_squares", "_widest")

    def __init__(self, bases: Iterable[Base] = (), square: float = 3.0) -> None:
        self._side = square
        self._squares: dict[tuple[int, int], list[Base]] = {}
        self._widest = 0.0
        for base in bases:
            key = (int(base[0] // square), int(base[1] // square))
            if key in self._squares:
                self._squares[key].append(base)
            else:
                self._squares[key] = [base]
            if base[2] > self._widest:
                self._widest = base[2]

    def add(self, base: Base) -> None:
        """Add a base."""
        square = (int(base[0] // self._side), int(base[1] // self._side))
        if square in self._squares:
            self._squares[square].append(base)
        else:
            self._squares[square] = [base]
        if base[2] > self._widest:
            self._widest = base[2]

    def remove(self, base: Base) -> None:
        """Remove a base that was added."""
        self._squares[int(base[0] // self._side), int(base[1] // self._side)].remove(base)

    def is_free(self, at: Point, radius: float) -> bool:
        """Return True if a base at a place would overlap no other."""
        x, y = at
        side, squares = self._side, self._squares
        reach, room = radius + self._widest, radius - SLACK
        south, north = int((y - reach) // side), int((y + reach) // side) + 1
        for column in range(int((x - reach) // side), int((x + reach) // side) + 1):
            for row in range(south, north):
                for other_x, other_y, other_radius, _, _ in squares.get((column, row), ()):
                    apart = room + other_radius
                    across, along = x - other_x, y - other_y
                    if -apart < across < apart and across * across + along * along < apart * apart:
                        return False
        return True

    def near(self, at: Point, radius: float) -> list[Base]:
        """Return the bases that a base of this radius would overlap at a place."""
        x, y = at
        reach = radius + self._widest
        about = self.within((x, y, x, y), reach)
        return [base for base in about if dist(base.at, at) < radius + base[2]]

    def within(self, box: Bounds, reach: float) -> list[Base]:
        """Return the bases whose middles are at most `reach` from a box along each axis."""
        west, south, east, north = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
        side, squares = self._side, self._squares
        rows = range(int(south // side), int(north // side) + 1)
        return [
            base
            for column in range(int(west // side), int(east // side) + 1)
            for row in rows
            for base in squares.get((column, row), ())
            if west <= base[0] <= east and south <= base[1] <= north
        ]
