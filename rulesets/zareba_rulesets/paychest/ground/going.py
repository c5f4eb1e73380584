"""The going for one sort of mover: what an inch costs, where it may stand, how far it comes (PAY-070, PAY-085)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from zareba.exact import dist
from zareba.space import FreeTable, Point
from zareba.space.field.pieces import Piece
from zareba.space.field.squares import Squares
from zareba.space.geometry import EPSILON, bounds
from zareba.space.lazy import Lazy
from zareba.space.outlines import Area, Line
from zareba_rulesets.paychest.book.tables import Ground

__all__ = ["Going", "towards"]

O = TypeVar("O", Area, Line, Area | Line)
SHORT = 0.01
FAR = 1000.0


class Going:
    """The ground as a mover of one column of Table 3 meets it.

    `bare`: what an inch costs where no piece of terrain lies; `stand_off`: how near to a wall a mover is stopped.
    """

    __slots__ = (
        "_boxes",
        "_closed",
        "_not_plain",
        "_pieces",
        "_priced",
        "_rates",
        "_shut",
        "_stand_off",
        "_table",
        "_walls",
        "_ways",
        "bare",
        "least",
    )

    def __init__(
        self, extent: Point, pieces: Sequence[Piece[Ground]], column: str, bare: float, stand_off: float
    ) -> None:
        self.bare = bare
        prices = {piece.name: piece.ground.price(column) for piece in pieces}
        areas = [price for piece in pieces if piece.is_area and (price := prices[piece.name]) is not None]
        self.least = min([bare, *areas])
        told = {
            p.name for p in pieces if (prices[p.name] != bare or self.least < bare if p.is_area else column != "air")
        }
        kept = [piece for piece in pieces if piece.ground.way or piece.name in told]
        priced = [piece for piece in kept if piece.name in told]
        closed = [piece for piece in priced if prices[piece.name] is None]
        self._pieces: Mapping[str, tuple[Piece[Ground], float | None]] = {p.name: (p, prices[p.name]) for p in kept}
        self._stand_off = stand_off
        self._boxes = tuple(piece.box for piece in priced)
        self._priced: Mapping[Area | Line, float | None] = {piece.shape: prices[piece.name] for piece in priced}
        self._closed = tuple(piece.shape for piece in closed if isinstance(piece.shape, Area))
        self._walls = tuple(piece.shape for piece in closed if isinstance(piece.shape, Line))
        self._ways = tuple(piece.shape for piece in kept if piece.ground.way and isinstance(piece.shape, Area))
        self._table = FreeTable.of(*extent, "in", kept)
        self._rates: Lazy[tuple[str, ...], float | None] = Lazy(self._rate)
        self._not_plain = Squares(*extent, [piece.shape for piece in priced])
        self._shut = Squares(*extent, self._closed)

    def _rate(self, names: tuple[str, ...]) -> float | None:
        """The price of an inch where these areas lie: a road over all, else the dearest of them (PAY-085)."""
        ways = [name for name in names if self._pieces[name][0].ground.way]
        prices = [self._pieces[name][1] for name in ways or names] or [self.bare]
        return None if None in prices else max(price for price in prices if price is not None)

    def _toll(self, line: str) -> float | None:
        """The price of crossing a linear piece."""
        return self._pieces[line][1]

    def is_plain(self, a: Point, b: Point) -> bool:
        """Whether no ground with a price of its own lies near the straight line from a to b."""
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        return not any(west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north for box in self._boxes)

    def is_open(self, a: Point, b: Point) -> bool:
        """Whether a mover comes straight from a to b, if its allowance lasts."""
        if self._not_plain.is_open(*bounds((a, b))):
            return True
        met = [span for area in _about(self._closed, a, b) for span in area.spans(a, b)]
        if met:
            ways = [span for way in _about(self._ways, a, b) for span in way.spans(a, b)]
            short = EPSILON / (dist(a, b) or 1.0)
            if any(_is_bare(span, ways, short) for span in met):
                return False
        if not any(wall.meets(a, b) for wall in self._walls):
            return True
        return not self.march(a, b, FAR)[2]

    def march(self, start: Point, goal: Point, allowance: float) -> tuple[Point, float, bool]:
        """How far an allowance leads straight towards a goal (PAY-070): the point, what is spent, and if barred.

        Whoever is stopped by a linear piece stands against it, as near as half a foot base.
        """
        reach = dist(start, goal)
        if reach <= EPSILON or allowance <= 0:
            return start, 0.0, False
        end = goal
        if reach > allowance / self.least:
            share = allowance / self.least / reach
            end = (start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1]))
        price = self._even_price(start, end)
        if price == self.least:
            return end, min(price * reach, allowance), False
        if price is not None:
            whole = price * dist(start, end)
            if whole <= allowance + EPSILON:
                return end, min(whole, allowance), False
            share = allowance / whole
            return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])), allowance, False
        found = self._table.advance((start, end), allowance, self._rates.__getitem__, self._toll)
        point = found.point
        if found.stopped_by is not None:
            back = SHORT if self._pieces[found.stopped_by][0].is_area else self._stand_off
            point = towards(point, start, min(dist(start, point), back))
        return point, found.spent, found.stopped_by is not None

    def _even_price(self, a: Point, b: Point) -> float | None:
        """The price of an inch where it is one and the same all along a straight line; None where that is not certain."""
        if self._not_plain.is_open(*bounds((a, b))):
            return 1.0
        prices = []
        for outline in _about(tuple(self._priced), a, b):
            if isinstance(outline, Line):
                if outline.meets(a, b):
                    return None
                continue
            spans = outline.spans(a, b)
            if spans:
                price = self._priced[outline]
                if price is None or spans[0] != (0.0, 1.0):
                    return None
                prices.append(price)
        if not prices:
            return self.bare
        return None if any(way.meets(a, b) for way in _about(self._ways, a, b)) else max(prices)

    def can_stand(self, point: Point) -> bool:
        """Whether a point is on the table and its ground open."""
        x, y = point
        width, depth = self._table.extent
        if not (-EPSILON <= x <= width + EPSILON and -EPSILON <= y <= depth + EPSILON):
            return False
        return self._shut.is_open(x, y, x, y) or self._rates[self._table.areas_at(point)] is not None


def towards(a: Point, b: Point, length: float) -> Point:
    """The point at a length from a on the way to b, b itself when it is nearer."""
    reach = dist(a, b)
    if reach <= length:
        return b
    share = length / reach
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _about(outlines: Sequence[O], a: Point, b: Point) -> list[O]:
    """Those of some outlines whose boxes the box of a line touches."""
    west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
    south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
    west, south, east, north = west - EPSILON, south - EPSILON, east + EPSILON, north + EPSILON
    found = []
    for outline in outlines:
        box = outline.box
        if west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north:
            found.append(outline)
    return found


def _is_bare(span: tuple[float, float], covers: Sequence[tuple[float, float]], short: float) -> bool:
    """Whether some part of a stretch, longer than `short`, lies under none of the covers."""
    start, end = span
    for cover in sorted(covers):
        if cover[0] - start > short:
            break
        start = max(start, cover[1])
    return end - start > short
