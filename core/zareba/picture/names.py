"""Names on the map: of objectives, terrain and cells."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.picture.label_placement import Label, LabelPlacement, LabelSize, Spot
from zareba.picture.svg import SvgCanvas, label, number, text

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
