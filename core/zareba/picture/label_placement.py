"""Labels of a map: free places for them, so that no label covers another label or a figure, and the names drawn there.

The page does the same in `static/labels.js`, because only a browser knows how large the map is on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from zareba.picture.svg import SvgCanvas, label, number, text
from zareba.space.geometry import Bounds, Point

Direction: TypeAlias = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw", "c"]
"""The side of a point on which a label lies; "c" is centred on it."""

_TILE = 4.0
"""Width in inches of the tiles by which taken places are found."""
_RINGS = 4
"""The number of distances at which the tag of a unit is tried; from the second on, a line connects the two."""
_MUCH_WIDER = 1.2
"""A label this many times as wide as its plate has the plate in its middle."""
_AROUND: tuple[Direction, ...] = ("n", "s", "e", "w", "ne", "nw", "se", "sw")
_BELOW_FIRST: tuple[Direction, ...] = ("s", "n", "e", "w", "se", "sw", "ne", "nw")


class Spot(NamedTuple):
    """A point, and the side of it on which a label may lie."""

    x: float
    y: float
    side: Direction


class LabelSize(NamedTuple):
    """The extent of a label from its anchor: to both sides, up and down."""

    half: float
    up: float
    down: float


@dataclass(frozen=True)
class Label:
    """A label to place. Labels of a lower `rank` are placed first.

    `sizes` are its sizes, from the one with most details to the shortest. A name has `spots`, in order of preference. A
    tag has the `box` of its unit, and may stand further off.
    """

    rank: int
    sizes: Sequence[LabelSize]
    spots: Sequence[Spot] = ()
    box: Bounds | None = None
    below: bool = False


class PlacedLabel(NamedTuple):
    """The place of a label: its anchor, the number of its size, and whether a line connects it to its unit."""

    x: float
    y: float
    detail: int
    is_tied: bool


class LabelPlacement:
    """The boxes already taken on a table of some width and depth, which labels avoid."""

    def __init__(self, width: float, depth: float) -> None:
        self._width, self._depth = width, depth
        self._tiles: dict[tuple[int, int], list[Bounds]] = {}

    def keep_free(self, box: Bounds) -> None:
        """Keep labels off a box."""
        for tile in _tiles(box):
            self._tiles.setdefault(tile, []).append(box)

    def copy(self) -> LabelPlacement:
        """Return a placement with the same boxes taken."""
        made = LabelPlacement(self._width, self._depth)
        made._tiles = {tile: list(boxes) for tile, boxes in self._tiles.items()}
        return made

    def is_free(self, box: Bounds) -> bool:
        """Return True if a box lies on the table and meets no taken box."""
        if box[0] < 0 or box[1] < 0 or box[2] > self._width or box[3] > self._depth:
            return False
        return not any(_meet(box, other) for tile in _tiles(box) for other in self._tiles.get(tile, ()))

    def place(self, labels: Sequence[Label]) -> list[PlacedLabel | None]:
        """Return the places of some labels in their order; None for a label that has no room, which is left out.

        All labels show as many details as let all of them appear next to their units; otherwise they begin without
        details. Each label then shows its details if there is room for them.
        """
        most = max((len(label.sizes) for label in labels), default=1)
        order = sorted(range(len(labels)), key=lambda index: labels[index].rank)
        for detail in range(most):
            trial = self if detail == most - 1 else self.copy()
            placed: list[PlacedLabel | None] = [None] * len(labels)
            for index in order:
                placed[index] = trial._first(labels[index], min(detail, len(labels[index].sizes) - 1))
            if all(place is not None and not place.is_tied for place in placed):
                break
        self._tiles = trial._tiles
        for index in order:
            placed[index] = self._with_details(labels[index], placed[index])
        return placed

    def _first(self, label: Label, detail: int, rings: int = _RINGS) -> PlacedLabel | None:
        """Take the first free place for a label at this detail."""
        size = label.sizes[detail]
        for at, is_tied in _candidates(label, size, rings):
            box = _box(at, size)
            if self.is_free(box):
                self.keep_free(box)
                return PlacedLabel(*at, detail, is_tied)
        return None

    def _with_details(self, label: Label, placed: PlacedLabel | None) -> PlacedLabel | None:
        """Return a label with as many details as there is room for next to its unit."""
        if placed is None or not placed.detail:
            return placed
        box = _box((placed.x, placed.y), label.sizes[placed.detail])
        for tile in _tiles(box):
            self._tiles[tile].remove(box)
        for detail in range(placed.detail):
            better = self._first(label, detail, rings=1)
            if better is not None:
                return better
        self.keep_free(box)
        return placed


def _candidates(label: Label, size: LabelSize, rings: int) -> Iterator[tuple[Point, bool]]:
    """Yield the places where a label may be, best first, each with True if a line must connect it to its unit."""
    for spot in label.spots:
        yield _anchor(spot, size), False
    if label.box is not None:
        step = 1.5 * (size.up + size.down)
        west, south, east, north = label.box
        middle = (west + east) / 2, (south + north) / 2
        is_wide = size.half > _MUCH_WIDER * label.sizes[-1].half
        for ring in range(rings):
            out = ring * step
            for side in _BELOW_FIRST if label.below else _AROUND:
                if is_wide and side in ("e", "w"):
                    continue  # its plate would stand far from the unit
                x = west - out if "w" in side else east + out if "e" in side else middle[0]
                y = south - out if "s" in side else north + out if "n" in side else middle[1]
                beside: Direction = side if not is_wide else "n" if "n" in side else "s"
                yield _anchor(Spot(x, y, beside), size), ring > 0


def _anchor(spot: Spot, size: LabelSize) -> Point:
    """Return the anchor of a label that lies on one side of a point."""
    across = size.half if "e" in spot.side else -size.half if "w" in spot.side else 0.0
    centred = (size.down - size.up) / 2
    along = size.down if "n" in spot.side else -size.up if "s" in spot.side else centred
    return spot.x + across, spot.y + along


def _box(at: Point, size: LabelSize) -> Bounds:
    return at[0] - size.half, at[1] - size.down, at[0] + size.half, at[1] + size.up


def _tiles(box: Bounds) -> Iterator[tuple[int, int]]:
    for column in range(int(box[0] // _TILE), int(box[2] // _TILE) + 1):
        for row in range(int(box[1] // _TILE), int(box[3] // _TILE) + 1):
            yield column, row


def _meet(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# --- Names: of objectives, terrain and cells --------------------------------------------------------------------------


LETTER = 12.0
"""Size of the letters of a tag in CSS pixels."""
NAME = 11.5
"""Size of the letters of names in CSS pixels."""
WIDE = 0.29
"""Half the width of a letter, as a share of its size."""


def draw_name(
    words: str, kind: str, spots: Sequence[Spot], canvas: SvgCanvas, size: float, room: LabelPlacement
) -> str:
    """Return a name at the first of its spots that is free; without a free spot it is not shown.

    `size` is the size of the letters of a tag in inches. The page moves the name among its spots.
    """
    scale = size / LETTER
    extent = LabelSize(NAME * WIDE * len(words) * scale, NAME * 0.9 * scale, NAME * 0.3 * scale)
    (placed,) = room.place([Label(0, [extent], spots)])
    at = None if placed is None else (placed.x, placed.y)
    listed = ";".join(f"{number(spot.x)},{number(canvas.depth - spot.y)},{spot.side}" for spot in spots)
    return label(kind, [text(0, 0, NAME, words, "")], at, scale, canvas, f' data-spots="{listed}"')
