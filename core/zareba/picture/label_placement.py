"""Free places for labels and tags, so that none covers another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zareba.space.geometry import Bounds, Point

__all__ = ["LabelPlacement"]

RINGS = 5


class LabelPlacement:
    """The boxes already taken on a table of some width and depth."""

    def __init__(self, width: float, depth: float) -> None:
        self._width = width
        self._depth = depth
        self._taken: list[Bounds] = []

    def keep_free(self, box: Bounds) -> None:
        """Keep labels off a box."""
        self._taken.append(box)

    def first(self, places: Sequence[Point], half: float, up: float, down: float) -> Point:
        """Return the first free place for a label twice `half` wide that extends `up` and `down` from its point.

        Places that would hang over an edge are moved inside. If none is free, the first is used.
        """
        inside = [
            (min(max(x, half), max(half, self._width - half)), min(max(y, down), self._depth - up)) for x, y in places
        ]
        for x, y in inside:
            box = x - half, y - down, x + half, y + up
            if not any(_meet(box, other) for other in self._taken):
                self._taken.append(box)
                return x, y
        return inside[0]

    def find(self, middle: Point, above: float, beside: float, half: float, size: float) -> Point:
        """Return a free place for a unit's tag: above it, otherwise below, to the side, or further off.

        `above` and `beside` are the distances to which the unit extends from its middle. The tag is twice `half` wide,
        its letters have size `size`, and its name is below it.
        """
        west, east = min(half, self._width / 2), max(self._width - half, self._width / 2)
        for x, y in _round(middle, above, beside, half, size):
            at = min(max(x, west), east), y
            box = at[0] - half, y - size * 1.6, at[0] + half, y + size * 0.8
            if size < y < self._depth - size * 0.7 and not any(_meet(box, other) for other in self._taken):
                self._taken.append(box)
                return at
        return min(max(middle[0], west), east), min(middle[1] + above + size, self._depth - size)


def _round(middle: Point, above: float, beside: float, half: float, size: float) -> Iterator[Point]:
    x, y = middle
    for ring in range(RINGS):
        up, aside = above + size * (1.0 + 1.8 * ring), beside + half + size * (0.4 + 1.8 * ring)
        yield from (
            (x, y + up + size * 0.7),
            (x, y - up),
            (x + aside, y),
            (x - aside, y),
            (x + aside, y + up),
            (x - aside, y - up),
        )


def _meet(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
