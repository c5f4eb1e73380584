"""Indexes that find units near a place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import ceil, floor, inf
from typing import Any

from zareba.base.exact import distances, hypot
from zareba.space.field.bodies import Body, NearestPair, touching_indices
from zareba.space.geometry import Bounds, Point
from zareba.space.lazy import Lazy
from zareba.space.outlines import TerrainArea, TerrainLine

# --- Unit index -------------------------------------------------------------------------------------------------------
# All units on the table at one moment: the bodies of each side, and the distances between them. Any unit of length.


class IndexedSide:
    """The units of a side, or some of them, that have figures on the table: `names` and `bodies` in the same order.

    It is immutable: when a unit moves or loses figures, its side gets a new index. Units are numbered by their index
    in `names`. Gaps are measured between the edges of bases.
    """

    __slots__ = (
        "_centres",
        "_circles",
        "_gaps",
        "_least_gaps",
        "_nearest",
        "_parts",
        "_ranked",
        "_touching",
        "_within",
        "all",
        "bodies",
        "names",
    )

    def __init__(self, units: Mapping[str, Body], gaps: Lazy[tuple[Body, Body], NearestPair]) -> None:
        """Index `units`, all by name, including those without figures; `gaps` caches the gap between two bodies."""
        self.all = units
        self.names = [name for name, body in units.items() if body.at]
        self.bodies = [body for body in units.values() if body.at]
        self._gaps = gaps
        self._circles = [(body.centre, body.outer_radius) for body in self.bodies]
        self._centres = [centre for centre, _ in self._circles]
        self._parts: dict[str, IndexedSide] = {}
        self._ranked: dict[tuple[Body, float], list[tuple[int, float]]] = {}
        self._least_gaps: dict[Body, list[float]] = {}
        self._nearest: dict[Body, tuple[int, NearestPair] | None] = {}
        self._within: dict[tuple[Body, float], list[int]] = {}
        self._touching: dict[tuple[Body, float], frozenset[int]] = {}

    def has(self, name: str, body: Body) -> bool:
        """Return True if a unit has exactly this body here."""
        return self.all.get(name) is body

    def part(self, key: str, holds: Callable[[str], bool]) -> IndexedSide:
        """Return the units for whose names `holds` is true; cached under `key`."""
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = IndexedSide({n: body for n, body in self.all.items() if holds(n)}, self._gaps)
        return part

    def least_gaps(self, body: Body) -> list[float]:
        """Return a lower bound of the gap between a body and each unit here, from the circles around their figures."""
        gaps = self._least_gaps.get(body)
        if gaps is None:
            centre, reach = body.centre, body.outer_radius
            centre_distances = distances(centre, self._centres)
            gaps = self._least_gaps[body] = [
                distance - reach - radius for distance, (_, radius) in zip(centre_distances, self._circles, strict=True)
            ]
        return gaps

    def within(self, body: Body, reach: float) -> list[int]:
        """Return the units whose nearest figures are at most `reach` from those of a body."""
        key = body, reach
        within = self._within.get(key)
        if within is None:
            gaps, bodies = self._gaps, self.bodies
            within = self._within[key] = [
                k
                for k, lower_bound in enumerate(self.least_gaps(body))
                if lower_bound <= reach and gaps[body, bodies[k]].gap <= reach
            ]
        return within

    def reaches(self, k: int, body: Body, reach: float) -> bool:
        """Return True if the nearest figures of unit `k` and a body are at most `reach` apart.

        Often their circles decide it.
        """
        least, other = self.least_gaps(body)[k], self.bodies[k]
        if least > reach or least + 2 * (body.outer_radius - body.radius + other.outer_radius - other.radius) <= reach:
            return least <= reach
        return self._gaps[body, other].gap <= reach

    def any_within(self, body: Body, reach: float) -> bool:
        """Return True if any unit's nearest figures are at most `reach` from those of a body."""
        return any(least <= reach and self.reaches(k, body, reach) for k, least in enumerate(self.least_gaps(body)))

    def ranked(self, body: Body, reach: float) -> list[tuple[int, float]]:
        """Return the units at most `reach` from a body, each with its gap, nearest first."""
        key = body, reach
        ranked = self._ranked.get(key)
        if ranked is None:
            (x, y), search_distance = body.centre, body.outer_radius + reach
            near = []
            for k, ((ox, oy), limit) in enumerate(self._circles):
                limit += search_distance
                if abs(ox - x) <= limit and abs(oy - y) <= limit:
                    lower_bound = hypot(ox - x, oy - y) - limit
                    gap = self._gaps[body, self.bodies[k]].gap if lower_bound <= 0 else inf
                    if gap <= reach:
                        near.append((gap, lower_bound, k))
            ranked = self._ranked[key] = [(k, gap) for gap, _, k in sorted(near)]
        return ranked

    def nearest(self, body: Body) -> tuple[int, NearestPair] | None:
        """Return the unit nearest to a body with its gap; of equals, the first. None if there are no units here."""
        if body not in self._nearest:
            self._nearest[body] = self.nearest_that(body, _any)
        return self._nearest[body]

    def nearest_that(self, body: Body, holds: Callable[[int], bool]) -> tuple[int, NearestPair] | None:
        """Return the nearest unit for which `holds` is true, with its gap.

        Distant units are excluded by their circles alone.
        """
        least_gaps = self.least_gaps(body)
        if not least_gaps:
            return None
        gaps, bodies = self._gaps, self.bodies
        best: tuple[int, NearestPair] | None = None
        limit = inf
        first = least_gaps.index(min(least_gaps))
        near = gaps[body, bodies[first]]
        if holds(first):
            best, limit = (first, near), near.gap
        for least, k in sorted([(least, k) for k, least in enumerate(least_gaps) if least < limit and k != first]):
            if least >= limit:
                break
            near = gaps[body, bodies[k]]
            if near.gap < limit and holds(k):
                best, limit = (k, near), near.gap
        return best

    def touching(self, body: Body, reach: float) -> frozenset[int]:
        """Return the figures of a body, by index, that are within `reach` of any figure here."""
        key = body, reach
        figures = self._touching.get(key)
        if figures is None:
            near = [base for k in self.within(body, reach) for base in self.bodies[k].bases]
            figures = self._touching[key] = frozenset(touching_indices(body.bases, near, reach))
        return figures


class UnitIndex:
    """All units at one moment: their `bodies` in the order of the battle, and an index of each side.

    `names_by_side` lists the names of each side. `present` are the bodies with figures, side by side. `found` caches
    other results about this moment, under keys chosen by the caller.
    """

    __slots__ = ("bodies", "found", "names_by_side", "present", "sides")

    def __init__(
        self,
        names_by_side: Mapping[str, Sequence[str]],
        names: Iterable[str],
        bodies: list[Body],
        gaps: Lazy[tuple[Body, Body], NearestPair],
        before: UnitIndex | None = None,
    ) -> None:
        """Index `names` and `bodies`, given in the same order; names of `names_by_side` that are not among them are
        skipped.

        Sides that are unchanged since `before` are reused.
        """
        self.names_by_side, self.bodies = names_by_side, bodies
        known = dict(zip(names, bodies, strict=True))
        self.sides: dict[str, IndexedSide] = {}
        for side, of_side in names_by_side.items():
            units = {name: known[name] for name in of_side if name in known}
            same = before.sides.get(side) if before is not None else None
            self.sides[side] = same if same is not None and same.all == units else IndexedSide(units, gaps)
        self.present = [body for side in self.sides.values() for body in side.bodies]
        self.found: dict[Hashable, Any] = {}

    def is_of(self, names_by_side: Mapping[str, Sequence[str]] | None, bodies: list[Body]) -> bool:
        """Return True if this index describes exactly these sides and bodies."""
        return self.bodies == bodies and self.names_by_side is names_by_side

    def in_box(self, box: Bounds) -> list[Body]:
        """Return the bodies that extend into a box."""
        west, south, east, north = box
        return [
            body
            for body in self.present
            if (b := body.box)[0] <= east and b[2] >= west and b[1] <= north and b[3] >= south
        ]


def _any(_: int) -> bool:
    return True


# --- The unit squares of a table that contain shapes of some kind. Most paths and lines of sight meet none of them ----


_MARGIN = 1e-6


class GridIndex:
    """A table in squares of one unit, with running sums that answer for any rectangle at once.

    A square is occupied if one of the shapes touches it.
    """

    __slots__ = ("_columns", "_rows", "_shapes", "_sums")

    def __init__(self, width: float, depth: float, shapes: Sequence[TerrainArea | TerrainLine]) -> None:
        self._columns, self._rows = ceil(width) + 1, ceil(depth) + 1
        self._shapes = shapes
        self._sums: list[list[int]] = []  # counted when first needed, because many battles never ask

    def is_open(self, west: float, south: float, east: float, north: float) -> bool:
        """Return True if nothing touches a rectangle.

        False for one that extends beyond the table, where nothing is known, unless there are no shapes.
        """
        if west < 0 or south < 0 or east >= self._columns or north >= self._rows:
            return not self._shapes
        if not self._shapes:
            return True
        sums = self._sums or self._count()
        left, right = int(west), int(east) + 1
        below, above = sums[int(south)], sums[int(north) + 1]
        return above[right] - above[left] == below[right] - below[left]

    def _count(self) -> list[list[int]]:
        marked = [[0] * self._columns for _ in range(self._rows)]
        for shape in self._shapes:
            for a, b in shape.legs:
                self._mark_line(marked, a, b)
            if isinstance(shape, TerrainLine):
                continue
            for row, column in self._squares(shape.box):
                if not marked[row][column] and shape.holds((column + 0.5, row + 0.5)):
                    marked[row][column] = 1
        above = [0] * (self._columns + 1)
        rows = [above]
        for squares in marked:
            total, sums = 0, [0]
            for column, square in enumerate(squares):
                total += square
                sums.append(above[column + 1] + total)
            rows.append(sums)
            above = sums
        self._sums = rows  # all at once, because threads of the web server share a table
        return rows

    def _squares(self, box: Bounds) -> list[tuple[int, int]]:
        """Return row and column of the squares that a box touches."""
        columns = range(max(0, floor(box[0] - _MARGIN)), min(self._columns, floor(box[2] + _MARGIN) + 1))
        rows = range(max(0, floor(box[1] - _MARGIN)), min(self._rows, floor(box[3] + _MARGIN) + 1))
        return [(row, column) for row in rows for column in columns]

    def _mark_line(self, marked: list[list[int]], a: Point, b: Point) -> None:
        (ax, ay), (bx, by) = a, b
        box = (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        dx, dy = bx - ax, by - ay
        half = (abs(dx) + abs(dy)) * (0.5 + _MARGIN) + _MARGIN
        for row, column in self._squares(box):
            # A square that touches the line's box meets the line if its middle is close enough to the line.
            if abs(dx * (row + 0.5 - ay) - dy * (column + 0.5 - ax)) <= half:
                marked[row][column] = 1
