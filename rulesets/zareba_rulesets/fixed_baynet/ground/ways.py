"""What a way over the table meets (FBN-047, FBN-065, FBN-072, FBN-073, FBN-075): how good the going is, and why it is refused."""

from __future__ import annotations

from typing import NamedTuple

from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED, Row

__all__ = ["CLOSED", "GOING", "NO_RUINS", "Leg", "is_covered", "pace_of"]

GOING = {"flat": FLAT, "bumpy": BUMPY, "jagged": JAGGED}
CLOSED = 3
NO_RUINS: frozenset[str] = frozenset()


class Leg(NamedTuple):
    """A straight way: the slowest going it touches, its price in inches of speed, why it is closed, danger (FBN-042)."""

    going: int
    price: float
    closed: str
    dangerous: bool


def pace_of(row: Row, stops: bool) -> int:
    """How a row of the terrain chart slows a move; `stops`: walls are closed."""
    return CLOSED if row.wall and stops else GOING.get(row.move, CLOSED)


def is_covered(row: Row) -> bool:
    """Rivers and crags lie under fords, bridges and paths."""
    return (row.notice and row.shelter == "inside" and not row.trench) or (row.move == "closed" and not row.building)
