"""Bases on the ground, sorted into squares, so that room for one more is found without asking everybody."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.exact import dist
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.body import Body

__all__ = ["SLACK", "Crowd"]

SQUARE = 8.0  # about three men wide: few squares to look into, few bases in each
SLACK = 1e-6


class Crowd:
    """The bases that are in the way of somebody who looks for room."""

    __slots__ = ("_squares", "_widest")

    def __init__(self, bodies: Iterable[Body] = ()) -> None:
        self._squares: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
        self._widest = 0.0
        for body in bodies:
            for point in body.at:
                self.add(point, body.radius)

    def add(self, point: Point, radius: float) -> None:
        """One more base."""
        x, y = point
        square = (int(x // SQUARE), int(y // SQUARE))
        if square in self._squares:
            self._squares[square].append((x, y, radius))
        else:
            self._squares[square] = [(x, y, radius)]
        if radius > self._widest:
            self._widest = radius

    def near(self, point: Point, radius: float) -> list[tuple[float, float, float]]:
        """The bases on which one so wide would stand here: their middles and radii."""
        x, y = point
        found, reach = [], radius + self._widest
        for column in range(int((x - reach) // SQUARE), int((x + reach) // SQUARE) + 1):
            for row in range(int((y - reach) // SQUARE), int((y + reach) // SQUARE) + 1):
                found += [
                    base for base in self._squares.get((column, row), ()) if dist(base[:2], point) < radius + base[2]
                ]
        return found

    def is_free(self, point: Point, radius: float) -> bool:
        """Whether a base here would stand on nobody's; touching is allowed."""
        x, y = point
        squares, reach = self._squares, radius + self._widest
        for column in range(int((x - reach) // SQUARE), int((x + reach) // SQUARE) + 1):
            for row in range(int((y - reach) // SQUARE), int((y + reach) // SQUARE) + 1):
                for px, py, wide in squares.get((column, row), ()):
                    both = radius + wide - SLACK
                    if (x - px) * (x - px) + (y - py) * (y - py) < both * both:
                        return False
        return True
