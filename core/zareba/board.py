"""What lies on a table, ready to be drawn in a terminal, a page or a report; no rules and no hidden things in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, product
from string import ascii_lowercase, ascii_uppercase
from typing import Literal, NamedTuple, TypeAlias

from zareba.exact import total

__all__ = [
    "Awaited",
    "Board",
    "Cell",
    "Kind",
    "Look",
    "Man",
    "Piece",
    "column_letters",
    "labelled",
    "place_name",
    "whereabouts",
]

Kind: TypeAlias = Literal[
    "foot", "horse", "camel", "gun", "machine_gun", "rocket", "wagon", "vehicle", "flyer", "leader", "marker", "thing"
]
"""What a counter shows: troops by what carries them, who leads, a marker for what is not known, a thing on the ground."""


class Man(NamedTuple):
    """A single figure where he stands on a free table, and which way he looks, if he does; `down`: he lies or is hurt."""

    x: float
    y: float
    facing: float | None = None
    down: bool = False


@dataclass(frozen=True)
class Look:
    """How a piece is drawn to scale; whatever a system does not know is left out.

    `unit` is the unit that a single man or gun belongs to, "" for a piece that is a unit itself. `facing` is in degrees
    from north by east; `men` are its figures in their places, on round bases of the radius `base`; `states` are what is
    the matter with it, in words.
    """

    kind: Kind = "foot"
    unit: str = ""
    name: str = ""
    strength: int | None = None
    facing: float | None = None
    formation: str = ""
    states: tuple[str, ...] = ()
    men: tuple[Man, ...] = ()
    base: float = 0.0


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
    look: Look = Look()


@dataclass(frozen=True)
class Cell:
    """A box or hex that is not open ground: its short mark, its name, its level, and notes such as walls.

    `grounds` are the ruleset's own words for what it counts as, for those who draw it.
    """

    x: int
    y: int
    mark: str
    text: str
    level: int = 0
    grounds: tuple[str, ...] = ()


class Awaited(NamedTuple):
    """Somebody who is still to come: the piece that he will be, his side, his name, and when."""

    id: str
    side: str
    name: str
    when: str


@dataclass(frozen=True)
class Board:
    """A table of one of three kinds with its cells, pieces and a line on where play stands.

    `columns` and `rows` count cells, or units of `length` on a free table; row 0 is the southern one. `labels` are the
    short names of pieces by id, as `labelled` gives them; `awaited` are those still to come. `inches` are in a unit of
    `length`, and `origin` is the place, in inches on the scenario's table, of the south-west corner.
    """

    space: Literal["hexes", "boxes", "free"]
    columns: int
    rows: int
    length: str
    headline: str
    cells: tuple[Cell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    sides: dict[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    awaited: tuple[Awaited, ...] = ()
    inches: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)


def labelled(pieces: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """A short name for every piece of the sides, in their order: numbers for the first, small letters for the second.

    All other sides share the capitals.
    """
    found: dict[str, str] = {}
    names = count(1), _letters(ascii_lowercase), _letters(ascii_uppercase)
    for order, own in enumerate(pieces.values()):
        found.update(zip(own, map(str, names[min(order, 2)]), strict=False))
    return found


def _letters(alphabet: str) -> Iterator[str]:
    """Letters without end: a to z, aa, ab and on."""
    for length in count(1):
        yield from map("".join, product(alphabet, repeat=length))


def column_letters(column: int) -> str:
    """Column letters as people read them: A to Z, AA and on."""
    return next(islice(_letters(ascii_uppercase), column, None))


def place_name(board: Board, at: tuple[float, float]) -> str:
    """How people call a place of the board: `E4` of a grid; `12 4` on a free table, in its unit of length."""
    x, y = at
    if board.space == "free":
        return f"{round(x, 1):g} {round(y, 1):g}"
    return f"{column_letters(int(x))}{int(y) + 1}"


def whereabouts(board: Board) -> dict[str, tuple[float, float]]:
    """Where every piece stands, and every unit of single men, between its men; by id.

    A man's id is that of his unit, a point or a stroke, and more.
    """
    found: dict[str, list[tuple[float, float]]] = {}
    for piece in board.pieces:
        found.setdefault(piece.id, []).append((piece.x, piece.y))
        unit = re.split(r"[./](?=[^./]*$)", piece.id)[0]
        if unit != piece.id:
            found.setdefault(unit, []).append((piece.x, piece.y))
    return {
        name: (total([x for x, _ in spots]) / len(spots), total([y for _, y in spots]) / len(spots))
        for name, spots in found.items()
    }
