"""What may bar several men who all go by the same way (FBN-048, FBN-065, FBN-073), where whole actions count."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import hypot
from zareba.space.field.pieces import Piece
from zareba.space.geometry import EPSILON, Bounds, Point
from zareba_rulesets.fixed_baynet.book.numbers import Row
from zareba_rulesets.fixed_baynet.ground.field import Field
from zareba_rulesets.fixed_baynet.ground.ways import CLOSED, Scene, climb_of, runs_over

__all__ = ["Barriers"]


class Barriers:
    """The pieces and heights of a scene about men at `starts`, for many ways that they may go.

    As `Field.leg` would say of each of them, but asked of each piece for all of them. Who was barred by what the last
    time is looked at first, for the next way is often a shorter one in the same direction.
    """

    __slots__ = ("_bridges", "_field", "_last", "_ruins", "_scene", "_slower", "_starts", "_stops")

    def __init__(
        self, field: Field, scene: Scene, starts: Sequence[Point], mounted: bool, ruins: frozenset[str]
    ) -> None:
        self._field, self._scene, self._starts, self._ruins = field, scene, starts, ruins
        self._stops = field.walls_stop(mounted)
        self._bridges = [piece for piece in scene.pieces if piece.over]
        self._slower: dict[int, list[tuple[int, Row, Piece[Row]]]] = {}
        self._last: tuple[int, Row, Piece[Row], Point] | None = None

    def _slower_than(self, most: int) -> list[tuple[int, Row, Piece[Row]]]:
        found = self._slower.get(most)
        if found is None:
            paces = [(*self._field.pace_of(piece, self._stops, self._ruins), piece) for piece in self._scene.pieces]
            found = self._slower[most] = [(pace, row, piece) for pace, row, piece in paces if pace > most]
        return found

    def refused(self, dx: float, dy: float, sweep: Bounds, most: int) -> str | None:
        """Why they may not all go by this way when nobody may touch ground that is worse going than `most`, or None.

        `sweep` is the rectangle that they go over.
        """
        if self._field.slower[most, self._stops].is_open(*sweep):
            return None
        west, south, east, north = sweep
        west, south, east, north = west - EPSILON, south - EPSILON, east + EPSILON, north + EPSILON
        bridges = [
            piece
            for piece in self._bridges
            if (box := piece.box)[0] <= east and west <= box[2] and box[1] <= north and south <= box[3]
        ]
        if self._last is not None:
            pace, row, piece, (x, y) = self._last
            if pace > most and _bars(piece, bridges, (x, y), (x + dx, y + dy)):
                return _sentence(pace, row)
        for pace, row, piece in self._slower_than(most):
            box = piece.box
            if box[0] > east or west > box[2] or box[1] > north or south > box[3]:
                continue
            if not piece.may_meet(sweep):
                continue
            for x, y in self._starts:
                if _bars(piece, bridges, (x, y), (x + dx, y + dy)):
                    self._last = pace, row, piece, (x, y)
                    return _sentence(pace, row)
        return self._uphill(dx, dy, sweep, most)

    def _uphill(self, dx: float, dy: float, sweep: Bounds, most: int) -> str | None:
        west, south, east, north = sweep
        for hill in self._scene.hills:
            if hill.uphill <= most:
                continue
            box = hill.shape.box
            if (
                box[0] > east + EPSILON
                or west > box[2] + EPSILON
                or box[1] > north + EPSILON
                or south > box[3] + EPSILON
            ):
                continue
            if not hill.shape.may_meet(sweep):
                continue
            for x, y in self._starts:
                if climb_of((x, y), (x + dx, y + dy), self._scene.hills) > most:
                    return "it goes uphill (FBN-073)"
        return None


def _bars(piece: Piece[Row], bridges: Sequence[Piece[Row]], a: Point, b: Point) -> bool:
    """Whether a way meets a piece; where something may lie on top of it, whether it runs over the piece for a length."""
    if not piece.meets(a, b):
        return False
    return not bridges or runs_over(piece, bridges, a, b, hypot(b[0] - a[0], b[1] - a[1]))


def _sentence(pace: int, row: Row) -> str:
    return f"{row.title} bars the way (FBN-065)" if pace == CLOSED else f"{row.title} is slow (FBN-048)"
