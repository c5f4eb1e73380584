"""What lies on a table, ready to be drawn in a terminal, a page or a report; no rules and no hidden things in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Board", "Cell", "Piece"]


@dataclass(frozen=True)
class Piece:
    """A counter: `symbol` is at most three characters; `side` picks its colour; `text` says all in words.

    `x`, `y` are the cell of a grid, or the point of a free table in its unit of length.
    """

    id: str
    side: str
    symbol: str
    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Cell:
    """A box or hex that is not open ground: its short mark, its name, its level, and notes such as walls."""

    x: int
    y: int
    mark: str
    text: str
    level: int = 0


@dataclass(frozen=True)
class Board:
    """A table of one of three kinds with its cells, pieces and a line on where play stands.

    `columns` and `rows` count cells, or units of `length` on a free table; row 0 is the southern one.
    """

    space: Literal["hexes", "boxes", "free"]
    columns: int
    rows: int
    length: str
    headline: str
    cells: tuple[Cell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    sides: dict[str, str] = field(default_factory=dict)
