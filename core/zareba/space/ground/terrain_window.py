"""The pieces and heights that a rectangle of the table may touch, cached by squares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import GridIndex
from zareba.space.geometry import Bounds, Point, box_between, boxes_meet
from zareba.space.lazy import LazyBetween
from zareba.space.outlines import TerrainArea

G = TypeVar("G")
MOST_CACHED = 50_000
_GRAZE = 1e-6
"""A sight line may touch a height for this share of its length and still not pass through it."""


class Height(NamedTuple):
    """Ground that rises to `top` above the table.

    `difficulty` is the difficulty of climbing it, `name` the name of its piece.
    """

    shape: TerrainArea
    top: float
    difficulty: int
    name: str = ""


def rises_between(hills: Iterable[Height], a: Point, b: Point, stand: float, from_eye: float, to_eye: float) -> bool:
    """Return True if ground rises into the sight line between two observers' eyes.

    Only ground higher than `stand` counts, the height at which the higher observer stands.
    """
    west, south, east, north = box_between(a, b)
    for hill in hills:
        box = hill.shape.box
        if hill.top <= stand or box[0] > east or box[2] < west or box[1] > north or box[3] < south:
            continue
        for start, end in hill.shape.spans(a, b):
            if end - start > _GRAZE and hill.top > from_eye + (start if to_eye > from_eye else end) * (
                to_eye - from_eye
            ):
                return True
    return False


class TerrainWindow(NamedTuple, Generic[G]):
    """The pieces and heights that a rectangle of the table may touch.

    `screens` are the pieces that may hide figures, `covers` those that may give cover.
    """

    pieces: tuple[TerrainPiece[G], ...]
    hills: tuple[Height, ...]
    screens: tuple[TerrainPiece[G], ...]
    covers: tuple[TerrainPiece[G], ...]


OPEN_WINDOW: TerrainWindow[Any] = TerrainWindow((), (), (), ())
"""The window of a rectangle that is all open and flat."""


class TerrainWindows(Generic[G]):
    """All terrain of a table; make one for each table.

    Rectangles are extended to whole squares of side `square`, and results are cached for these.
    """

    __slots__ = (
        "_boxes",
        "_extent",
        "_found",
        "_heights",
        "_hiding",
        "_hilly",
        "_sheltering",
        "_square",
        "hiding",
        "rough",
    )

    def __init__(
        self,
        extent: Point,
        pieces: Sequence[TerrainPiece[G]],
        heights: Sequence[Height],
        square: float,
        hides: Callable[[TerrainPiece[G]], bool],
        shelters: Callable[[TerrainPiece[G]], bool],
    ) -> None:
        """Index the terrain; `hides` and `shelters` return True if a piece may hide figures, or give them cover."""
        self._extent, self._square, self._heights = extent, square, heights
        self._boxes = [(*piece.box, piece) for piece in pieces]
        self.hiding = frozenset([piece.name for piece in pieces if hides(piece)])
        self._sheltering = frozenset([piece.name for piece in pieces if shelters(piece)])
        self.rough = self.squares(pieces, heights)
        """The squares with anything other than open, flat ground."""
        self._hiding = self.squares([piece for piece in pieces if piece.name in self.hiding], heights)
        self._hilly = self.squares((), heights)
        self._found: LazyBetween[tuple[int, int, int, int], TerrainWindow[G]] = LazyBetween(self._look, MOST_CACHED)

    def squares(self, pieces: Iterable[TerrainPiece[G]], heights: Iterable[Height] = ()) -> GridIndex:
        """Return the index of the squares that some pieces and heights touch."""
        return GridIndex(*self._extent, [piece.shape for piece in pieces] + [hill.shape for hill in heights])

    def of(self, box: Bounds) -> TerrainWindow[G]:
        """Return the terrain that a rectangle may touch."""
        return OPEN_WINDOW if self.rough.is_open(*box) else self._widened(box)

    def view(self, box: Bounds) -> TerrainWindow[G]:
        """Return the same as `of`, for lines of sight only.

        OPEN_WINDOW if nothing can hide figures, even if there is cover.
        """
        return OPEN_WINDOW if self._hiding.is_open(*box) else self._widened(box)

    def near(self, box: Bounds) -> tuple[TerrainPiece[G], ...]:
        """Return the pieces whose bounding boxes meet a box."""
        west, south, east, north = box
        return tuple([p for w, s, e, n, p in self._boxes if w <= east and e >= west and s <= north and n >= south])

    def hills_near(self, box: Bounds) -> tuple[Height, ...]:
        """Return the heights whose bounding boxes meet a box."""
        return tuple([hill for hill in self._heights if boxes_meet(box, hill.shape.box)])

    def height(self, point: Point) -> float:
        """Return the height of the ground at a point."""
        x, y = point
        top = 0.0
        if self._heights and not self._hilly.is_open(x, y, x, y):
            for hill in self._heights:
                if hill.top > top and hill.shape.holds(point):
                    top = hill.top
        return top

    def _widened(self, box: Bounds) -> TerrainWindow[G]:
        (west, south, east, north), side = box, self._square
        return self._found[int(west / side), int(south / side), int(east / side) + 1, int(north / side) + 1]

    def _look(self, west: int, south: int, east: int, north: int) -> TerrainWindow[G]:
        side = self._square
        box = (west * side, south * side, east * side, north * side)
        pieces = [piece for piece in self.near(box) if piece.may_meet(box)]
        hills = [hill for hill in self.hills_near(box) if hill.shape.may_meet(box)]
        if not pieces and not hills:
            return OPEN_WINDOW
        screens = [piece for piece in pieces if piece.name in self.hiding]
        covers = [piece for piece in pieces if piece.name in self._sheltering]
        return TerrainWindow(tuple(pieces), tuple(hills), tuple(screens), tuple(covers))
