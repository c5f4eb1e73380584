"""Terrain difficulty, a number from 0: slopes and terrain on a straight path, and what blocks figures that move in
parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from zareba.base.exact import dist
from zareba.space.field.grid_index import GridIndex
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import EPSILON, Bounds, Point, bounds_meet
from zareba.space.ground.terrain_window import Height, TerrainWindow
from zareba.space.outlines import TerrainArea, TerrainLine

__all__ = ["SharedPath", "climb_of", "runs_along", "runs_over"]

G = TypeVar("G")


def climb_of(a: Point, b: Point, hills: Sequence[Height]) -> int:
    """Return the difficulty of the steepest rise on a straight path; 0 if it does not gain height."""
    start, steepest = 0.0, 0
    higher = []
    for hill in hills:
        if not hill.shape.holds(a):
            higher.append(hill)
        elif hill.top > start:
            start = hill.top
    for hill in higher:
        if hill.top > start and hill.difficulty > steepest and hill.shape.meets(a, b):
            steepest = hill.difficulty
    return steepest


def runs_over(piece: TerrainPiece[Any], covers: Sequence[TerrainPiece[Any]], a: Point, b: Point) -> bool:
    """Return True if a straight path runs over part of an area, or crosses a line after the path's start.

    Stretches on top of the piece, on its `covers` (always areas), do not count.
    """
    length = dist(a, b)
    if isinstance(piece.shape, TerrainLine):
        return any(t * length > EPSILON for t in piece.shape.marks(a, b))
    over = [cover.shape for cover in covers if cover.meets(a, b)]
    if not over and piece.shape.is_convex:
        inner = piece.shape.chord(a, b, -EPSILON)
        if inner is not None and (inner[1] - inner[0]) * length > EPSILON:
            return True  # clearly inside for some length: the exact stretch does not matter
    parts = piece.shape.spans(a, b)
    for shape in over:
        assert isinstance(shape, TerrainArea), "only areas can be on top of other ground"
        for start, end in shape.spans(a, b):
            parts = [
                part
                for first, last in parts
                for part in ((first, min(last, start)), (max(first, end), last))
                if part[0] < part[1]
            ]
    return any((end - start) * length > EPSILON for start, end in parts)


def runs_along(piece: TerrainPiece[Any], a: Point, b: Point) -> bool:
    """Return True if a straight path runs along a strip, at most 45 degrees off its longest side."""
    (cx, cy), (dx, dy) = max(piece.legs, key=lambda side: dist(*side))
    (px, py), (qx, qy) = a, b
    along = (dx - cx) * (qx - px) + (dy - cy) * (qy - py)
    across = (dx - cx) * (qy - py) - (dy - cy) * (qx - px)
    return abs(along) >= abs(across)


class SharedPath(Generic[G]):
    """Figures at `starts` that all move by the same vector, for trying many vectors.

    No figure may touch ground more difficult than the move allows. Each piece is tested against all figures. The pair
    of figure and piece that blocked the last move is tried first, because the next move is often a shorter one in the
    same direction.
    """

    __slots__ = ("_covering", "_difficulty", "_last", "_lies_under", "_slower", "_squares", "_starts", "_window")

    def __init__(
        self,
        starts: Sequence[Point],
        window: TerrainWindow[G],
        squares: Callable[[int], GridIndex],
        difficulty: Callable[[TerrainPiece[G]], int],
        lies_under: Callable[[TerrainPiece[G]], bool],
    ) -> None:
        """Set up for figures at `starts`; `window` holds all terrain they may reach.

        `difficulty` returns the difficulty of a piece for them. `squares` returns the index of worse ground.
        `lies_under` returns True if other pieces may be on top of a piece, which then count instead of it.
        """
        self._window, self._starts, self._difficulty, self._squares = window, starts, difficulty, squares
        self._lies_under = lies_under
        self._covering = [piece for piece in window.pieces if piece.over]
        self._slower: dict[int, list[tuple[TerrainPiece[G], int]]] = {}
        self._last: tuple[TerrainPiece[G], int, Point] | None = None

    def barred(self, dx: float, dy: float, sweep: Bounds, most: int) -> TerrainPiece[G] | Height | None:
        """Return the piece or rise that blocks a move; None if nothing does.

        No figure may touch ground worse than `most`. `sweep` is the box that the figures move over.
        """
        if self._squares(most).is_open(*sweep):
            return None
        west, south, east, north = sweep
        west, south, east, north = west - EPSILON, south - EPSILON, east + EPSILON, north + EPSILON
        covering = [
            piece
            for piece in self._covering
            if (box := piece.box)[0] <= east and west <= box[2] and box[1] <= north and south <= box[3]
        ]
        if self._last is not None:
            piece, difficulty, (x, y) = self._last
            if difficulty > most and self._meets(piece, covering, (x, y), (x + dx, y + dy)):
                return piece
        for piece, difficulty in self._worse_than(most):
            box = piece.box
            if box[0] > east or west > box[2] or box[1] > north or south > box[3]:
                continue
            if not piece.may_meet(sweep):
                continue
            for x, y in self._starts:
                if self._meets(piece, covering, (x, y), (x + dx, y + dy)):
                    self._last = piece, difficulty, (x, y)
                    return piece
        for hill in self._window.hills:
            if hill.difficulty > most and bounds_meet(hill.shape.box, sweep) and hill.shape.may_meet(sweep):
                for x, y in self._starts:
                    if climb_of((x, y), (x + dx, y + dy), self._window.hills) > most:
                        return hill
        return None

    def _worse_than(self, most: int) -> list[tuple[TerrainPiece[G], int]]:
        found = self._slower.get(most)
        if found is None:
            with_difficulty = [(piece, self._difficulty(piece)) for piece in self._window.pieces]
            found = self._slower[most] = [
                (piece, difficulty) for piece, difficulty in with_difficulty if difficulty > most
            ]
        return found

    def _meets(self, piece: TerrainPiece[G], covering: Sequence[TerrainPiece[G]], a: Point, b: Point) -> bool:
        """Return True if a path meets a piece.

        If something may be on top of the piece, the path must run over the piece itself.
        """
        if not piece.meets(a, b):
            return False
        if not covering:
            return True
        return runs_over(piece, () if piece.over or not self._lies_under(piece) else covering, a, b)
