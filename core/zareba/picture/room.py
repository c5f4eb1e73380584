"""Where there is room for a tag, so that none covers another."""

from __future__ import annotations

from zareba.space.geometry import Bounds, Point

__all__ = ["Room"]

RINGS = 5


class Room:
    """The tags that have been placed on a table of some width and depth."""

    def __init__(self, width: float, depth: float) -> None:
        self._width = width
        self._depth = depth
        self._taken: list[Bounds] = []

    def find(self, middle: Point, above: float, beside: float, half: float, size: float) -> Point:
        """A free place for a tag, as near as can be to a unit: above it if that is free, below, beside, or further off.

        `above` and `beside` are how far the unit reaches from its middle; the tag is twice `half` wide, its letters are of
        `size`, and its name stands below it.
        """
        x, y = middle
        for ring in range(RINGS):
            up, aside = above + size * (1.0 + 1.8 * ring), beside + half + size * (0.4 + 1.8 * ring)
            for at in (
                (x, y + up + size * 0.7),
                (x, y - up),
                (x + aside, y),
                (x - aside, y),
                (x + aside, y + up),
                (x - aside, y - up),
            ):
                box = at[0] - half, at[1] - size * 1.6, at[0] + half, at[1] + size * 0.8
                fits = size < at[1] < self._depth and half < at[0] < self._width - half
                if fits and not any(_meet(box, other) for other in self._taken):
                    self._taken.append(box)
                    return at
        return x, y + above + size


def _meet(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
