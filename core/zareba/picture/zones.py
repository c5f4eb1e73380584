"""Overlays of the map: range of fire or command, as far as the piece can see, and legal destinations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from zareba.base.exact import cosd, sind
from zareba.picture.cells import cell_outline
from zareba.picture.svg import SvgCanvas, escape_text, group, number
from zareba.picture.terrain import edge_of
from zareba.presentation.board import Board
from zareba.presentation.umpire_editor import PieceRange
from zareba.scenario import Scenario
from zareba.space.geometry import Point

__all__ = ["legal_zone", "zones"]

RAYS = 60
"""The number of bearings in which the visible distance is measured."""
SQUARES = 48
"""The number of squares along the longer side of a free table that are tested as destinations."""
STEPS = 16
"""The number of points tested along each bearing, up to the end of the last band."""


def legal_zone(board: Board, scenario: Scenario, legal: Callable[[Point], object]) -> str:
    """Return the legal area of a free table as path data: all squares for whose middles `legal` returns None.

    Returns "" if every square is legal, or none, because no overlay is needed.
    """
    side = max(board.columns, board.rows) / SQUARES
    across, along = round(board.columns / side), round(board.rows / side)
    drawn, count = [], 0
    for row in range(along):
        start = None
        for column in range(across + 1):
            free = column < across and legal(((column + 0.5) * side, (row + 0.5) * side)) is None
            count += free
            if free and start is None:
                start = column
            elif not free and start is not None:
                x, y = start * side * board.inches, scenario.table.depth - (row + 1) * side * board.inches
                wide, deep = number((column - start) * side * board.inches), number(side * board.inches)
                drawn.append(f"M{number(x)} {number(y)}h{wide}v{deep}h-{wide}z")
                start = None
    return "".join(drawn) if count < across * along else ""


class _Part(NamedTuple):
    """The area of one band of one range, with its description; the nearest band is 0."""

    place: int
    path: str
    words: str


def zones(scenario: Scenario, board: Board, reaches: Iterable[tuple[str, PieceRange]], kind: str) -> str:
    """Return an overlay of some ranges, each with a description, in one colour: `kind` is fire, command or danger.

    Overlapping ranges are drawn no darker than a single one. Nearer bands are on top of those further away.
    """
    sheet = SvgCanvas(scenario.table.depth)
    draw = _bands if board.space == "free" else _cells
    parts = [part for words, reach in reaches for part in draw(board, sheet, words, reach)]
    layers = [
        group(
            f"band band-{min(place, 2)}",
            [f'<path d="{one.path}">{escape_text(one.words)}</path>' for one in parts if one.place == place],
        )
        for place in sorted({one.place for one in parts}, reverse=True)
    ]
    cut = f' clip-path="url(#{edge_of(scenario)})"' if board.space == "free" else ""
    return group(f"overlay {kind}", layers, cut)


def _cells(board: Board, sheet: SvgCanvas, words: str, reach: PieceRange) -> Iterator[_Part]:
    for place, (band, cells) in enumerate(reach.cells.items()):
        path = "".join(sheet.path(cell_outline(board, cell), closed=True) for cell in cells)
        if path:
            yield _Part(place, path, _title(words, reach, band))


def _bands(board: Board, sheet: SvgCanvas, words: str, reach: PieceRange) -> Iterator[_Part]:
    rays = list(_rays(reach))
    x, y = reach.at
    for place, (band, limit) in enumerate(reach.bands):
        rim = [(x + sind(way) * min(limit, far), y + cosd(way) * min(limit, far)) for way, far in rays]
        if reach.half < 180:
            rim.append((x, y))
        yield _Part(
            place, sheet.path([_inches(board, point) for point in rim], closed=True), _title(words, reach, band)
        )


def _title(words: str, reach: PieceRange, band: str) -> str:
    return f"{words}: {reach.words}{f', {band}' if band else ''} ({reach.rule})"


def _inches(board: Board, point: Point) -> Point:
    return board.origin[0] + point[0] * board.inches, board.origin[1] + point[1] * board.inches


def _rays(reach: PieceRange) -> Iterator[tuple[float, float]]:
    """Yield bearings, each with the visible distance in that direction."""
    most = reach.bands[-1][1] if reach.bands else 0.0
    all_round = reach.half >= 180
    x, y = reach.at
    for ray in range(RAYS if all_round else RAYS + 1):
        way = 360 * ray / RAYS if all_round else reach.facing - reach.half + 2 * reach.half * ray / RAYS
        across, along = sind(way), cosd(way)
        far = most
        if reach.sees is not None:
            for step in range(1, STEPS + 1):
                length = most * step / STEPS
                if not reach.sees((x + across * length, y + along * length)):
                    far = most * (step - 1) / STEPS
                    break
        yield way, far
