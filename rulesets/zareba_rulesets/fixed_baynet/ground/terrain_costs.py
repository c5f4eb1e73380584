"""The effect of each row of the terrain chart on movement (FBN-042, FBN-047, FBN-065, FBN-072, FBN-073, FBN-075,
FBN-077).
"""

from __future__ import annotations

from zareba.space.ground.straight_moves import TerrainReading
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED, Row

__all__ = ["CLOSED", "NO_RUINS", "reading_of"]

GOING = {"flat": FLAT, "bumpy": BUMPY, "jagged": JAGGED}
CLOSED = 3
NO_RUINS: frozenset[str] = frozenset()


def reading_of(row: Row, eased: bool) -> TerrainReading:
    """Return the effect of a terrain row on movement. With `eased`, moving along a trench is easy (FBN-077).

    Rivers and crags lie under fords, bridges and paths (FBN-072, FBN-075).
    """
    stream = row.notice and row.shelter == "inside" and not row.trench
    under = stream or (row.move == "closed" and not row.building)
    along = row.trench and eased
    return TerrainReading(GOING.get(row.move, CLOSED), row.title, row.wall, row.dangerous, under, along)
