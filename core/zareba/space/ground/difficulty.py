"""Ground by how bad its going is, in grades: what a straight way runs over, what it climbs, and what bars men who go alike."""

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
    """The grade of the steepest rise on a straight way: only ground that gains height counts; 0 if none does."""
    start, steepest = 0.0, 0
    higher = []
    for hill in hills:
        if not hill.shape.holds(a):
            higher.append(hill)
        elif hill.top > start:
            start = hill.top
    for hill in higher:
        if hill.top > start and hill.grade > steepest and hill.shape.meets(a, b):
            steepest = hill.grade
    return steepest


def runs_over(piece: TerrainPiece[Any], covers: Sequence[TerrainPiece[Any]], a: Point, b: Point) -> bool:
    """Whether a straight way runs over a piece for a length, or crosses it after its start if that is a line.

    Not where it keeps to what lies on top of the piece: its `covers`, which are areas.
    """
    length = dist(a, b)
    if isinstance(piece.shape, TerrainLine):
        return any(t * length > EPSILON for t in piece.shape.marks(a, b))
    over = [cover.shape for cover in covers if cover.meets(a, b)]
    if not over and piece.shape.is_convex:
        inner = piece.shape.chord(a, b, -EPSILON)
        if inner is not None and (inner[1] - inner[0]) * length > EPSILON:
            return True  # well inside for a length: no need to know from where to where
    parts = piece.shape.spans(a, b)
    for shape in over:
        assert isinstance(shape, TerrainArea), "only areas lie on top of other ground"
        for start, end in shape.spans(a, b):
            parts = [
                part
                for first, last in parts
                for part in ((first, min(last, start)), (max(first, end), last))
                if part[0] < part[1]
            ]
    return any((end - start) * length > EPSILON for start, end in parts)


def runs_along(piece: TerrainPiece[Any], a: Point, b: Point) -> bool:
    """Whether a straight way runs along a strip rather than across it: by no more than 45 degrees off its long side."""
    (cx, cy), (dx, dy) = max(piece.legs, key=lambda side: dist(*side))
    (px, py), (qx, qy) = a, b
    along = (dx - cx) * (qx - px) + (dy - cy) * (qy - py)
    across = (dx - cx) * (qy - py) - (dy - cy) * (qx - px)
    return abs(along) >= abs(across)


class SharedPath(Generic[G]):
    """Men who stand at `starts` and all go by the same way, for many ways that they may go.

    Nobody may touch ground that is worse going than the way allows. Each piece is asked for all of them. Who was barred by
    what the last time is looked at first, for the next way is often a shorter one in the same direction.
    """

    __slots__ = ("_covering", "_grade", "_last", "_lies_under", "_scene", "_slower", "_squares", "_starts")

    def __init__(
        self,
        starts: Sequence[Point],
        scene: TerrainWindow[G],
        squares: Callable[[int], GridIndex],
        grade: Callable[[TerrainPiece[G]], int],
        lies_under: Callable[[TerrainPiece[G]], bool],
    ) -> None:
        """`scene`: all that they may come to. `grade`: how bad the going over a piece is for them; `squares`: where anything
        worse than a grade may lie; `lies_under`: whether others may lie on top of a piece, which then count alone."""
        self._scene, self._starts, self._grade, self._squares = scene, starts, grade, squares
        self._lies_under = lies_under
        self._covering = [piece for piece in scene.pieces if piece.over]
        self._slower: dict[int, list[tuple[TerrainPiece[G], int]]] = {}
        self._last: tuple[TerrainPiece[G], int, Point] | None = None

    def barred(self, dx: float, dy: float, sweep: Bounds, most: int) -> TerrainPiece[G] | Height | None:
        """What keeps them from going by a way on which nobody may touch ground worse than `most`: the piece, or the rise.

        `sweep` is the rectangle that they go over.
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
            piece, grade, (x, y) = self._last
            if grade > most and self._meets(piece, covering, (x, y), (x + dx, y + dy)):
                return piece
        for piece, grade in self._worse_than(most):
            box = piece.box
            if box[0] > east or west > box[2] or box[1] > north or south > box[3]:
                continue
            if not piece.may_meet(sweep):
                continue
            for x, y in self._starts:
                if self._meets(piece, covering, (x, y), (x + dx, y + dy)):
                    self._last = piece, grade, (x, y)
                    return piece
        for hill in self._scene.hills:
            if hill.grade > most and bounds_meet(hill.shape.box, sweep) and hill.shape.may_meet(sweep):
                for x, y in self._starts:
                    if climb_of((x, y), (x + dx, y + dy), self._scene.hills) > most:
                        return hill
        return None

    def _worse_than(self, most: int) -> list[tuple[TerrainPiece[G], int]]:
        found = self._slower.get(most)
        if found is None:
            graded = [(piece, self._grade(piece)) for piece in self._scene.pieces]
            found = self._slower[most] = [(piece, grade) for piece, grade in graded if grade > most]
        return found

    def _meets(self, piece: TerrainPiece[G], covering: Sequence[TerrainPiece[G]], a: Point, b: Point) -> bool:
        """Whether a way meets a piece; where something may lie on top of it, whether it runs over the piece for a length."""
        if not piece.meets(a, b):
            return False
        if not covering:
            return True
        return runs_over(piece, () if piece.over or not self._lies_under(piece) else covering, a, b)
