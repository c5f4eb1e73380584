"""Bases on the ground, sorted into squares, so that room for one more is found without asking everybody."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor

from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.body import Body

__all__ = ["Crowd"]

SQUARE = 8.0  # no two bases that touch are farther apart than the widest base the settings allow
SLACK = 1e-6


class Crowd:
    """The bases that are in the way of somebody who looks for room."""

    __slots__ = ("_squares",)

    def __init__(self, bodies: Iterable[Body] = ()) -> None:
        self._squares: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
        for body in bodies:
            for point in body.at:
                self.add(point, body.radius)

    def add(self, point: Point, radius: float) -> None:
        """One more base."""
        square = (floor(point[0] / SQUARE), floor(point[1] / SQUARE))
        self._squares.setdefault(square, []).append((point[0], point[1], radius))

    def is_free(self, point: Point, radius: float) -> bool:
        """Whether a base here would stand on nobody's; touching is allowed."""
        x, y = point
        squares = self._squares
        column, row = floor(x / SQUARE), floor(y / SQUARE)
        for across in (column - 1, column, column + 1):
            for along in (row - 1, row, row + 1):
                for px, py, wide in squares.get((across, along), ()):
                    both = radius + wide - SLACK
                    if (x - px) * (x - px) + (y - py) * (y - py) < both * both:
                        return False
        return True
