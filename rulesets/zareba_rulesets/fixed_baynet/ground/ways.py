"""What a way over the table meets (FBN-047, FBN-072, FBN-073, FBN-075, FBN-077): going, climbs, bridges, its scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space import Stretch
from zareba.space.field.pieces import Piece
from zareba.space.geometry import EPSILON, Point
from zareba.space.outlines import Area, Line
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED, Row
from zareba_rulesets.fixed_baynet.ground.pieces import Height

__all__ = [
    "CLOSED",
    "GOING",
    "NO_RUINS",
    "OPEN_SCENE",
    "Leg",
    "Scene",
    "climb_of",
    "is_covered",
    "runs_along",
    "runs_over",
]

GOING = {"flat": FLAT, "bumpy": BUMPY, "jagged": JAGGED}
CLOSED = 3
NO_RUINS: frozenset[str] = frozenset()


class Leg(NamedTuple):
    """A straight way: the slowest going it touches, its price in inches of speed, why it is closed, danger (FBN-042)."""

    going: int
    price: float
    closed: str
    dangerous: bool


class Scene(NamedTuple):
    """The pieces and heights that a rectangle of the table may touch.

    `screens` are those of the pieces that may hide somebody, `covers` those that may shelter him.
    """

    pieces: tuple[Piece[Row], ...]
    hills: tuple[Height, ...]
    screens: tuple[Piece[Row], ...]
    covers: tuple[Piece[Row], ...]


OPEN_SCENE = Scene((), (), (), ())


def climb_of(a: Point, b: Point, hills: tuple[Height, ...]) -> int:
    """The going of the steepest rise on the way: only ground that gains height counts (FBN-073)."""
    start, steepest = 0.0, FLAT
    higher = []
    for hill in hills:
        if not hill.shape.holds(a):
            higher.append(hill)
        elif hill.inches > start:
            start = hill.inches
    for hill in higher:
        if hill.inches > start and hill.uphill > steepest and hill.shape.meets(a, b):
            steepest = hill.uphill
    return steepest


def is_covered(row: Row) -> bool:
    """Rivers and crags lie under fords, bridges and paths."""
    return (row.notice and row.shelter == "inside" and not row.trench) or (row.move == "closed" and not row.building)


def runs_over(piece: Piece[Row], bridged: Sequence[Piece[Row]], a: Point, b: Point, length: float) -> bool:
    """Whether a way runs over a piece, where fords, bridges and paths may lie on top of it (FBN-072, FBN-075)."""
    if isinstance(piece.shape, Line):
        return any(t * length > EPSILON for t in piece.shape.marks(a, b))
    parts = piece.shape.spans(a, b)
    if not piece.over and is_covered(piece.ground):
        for other in bridged:
            assert isinstance(other.shape, Area), "fords, bridges and paths are areas"
            for start, end in other.shape.spans(a, b):
                parts = [
                    part
                    for first, last in parts
                    for part in ((first, min(last, start)), (max(first, end), last))
                    if part[0] < part[1]
                ]
    return any((end - start) * length > EPSILON for start, end in parts)


def runs_along(piece: Piece[Row], stretch: Stretch) -> bool:
    """Whether a stretch runs along a strip rather than across it: by no more than 45 degrees off its long side."""
    (ax, ay), (bx, by) = max(piece.legs, key=lambda side: dist(*side))
    (px, py), (qx, qy) = stretch.start, stretch.end
    along = (bx - ax) * (qx - px) + (by - ay) * (qy - py)
    across = (bx - ax) * (qy - py) - (by - ay) * (qx - px)
    return abs(along) >= abs(across)
