"""The complete picture: the ground, which seldom changes, with the pieces on top."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from html import escape
from importlib import resources

from zareba.picture.counters import draw_pieces
from zareba.picture.label_placement import LabelPlacement
from zareba.picture.objectives import draw_objectives, draw_reaches
from zareba.picture.signs import defs
from zareba.picture.svg import SvgCanvas, number, tooltip
from zareba.picture.terrain import clip_path_id, draw_names, draw_openings, draw_terrain
from zareba.picture.zones import draw_cells
from zareba.presentation.board import Board
from zareba.presentation.objectives import PlacedObjective
from zareba.scenario import Scenario

_MARGIN = 0.6
_LETTERS = 62.0
"""The number of letters of a tag that would fit side by side across a standalone picture."""


def _size(scenario: Scenario) -> float:
    """Return the size in inches of the letters of a tag on a standalone picture; the page has its own."""
    return max(0.62, scenario.table.width / _LETTERS)


def _sheet(scenario: Scenario) -> SvgCanvas:
    return SvgCanvas(scenario.table.depth)


def view_box(scenario: Scenario, board: Board | None = None) -> tuple[float, float, float, float]:
    """Return the extent of the picture in inches from the north-west corner of the table: left, top, width and depth.

    A grid may extend beyond the table; all its cells are shown.
    """
    table = scenario.table
    west, south, east, north = 0.0, 0.0, table.width, table.depth
    if board is not None and board.space != "free":
        from zareba.picture.zones import grid_of

        across, along = grid_of(board).extent
        west, south = min(west, board.origin[0]), min(south, board.origin[1])
        east = max(east, board.origin[0] + across * board.inches)
        north = max(north, board.origin[1] + along * board.inches)
    left, top = west - _MARGIN, table.depth - north - _MARGIN
    return left, top, east - west + 2 * _MARGIN, north - south + 2 * _MARGIN


def ground(scenario: Scenario, board: Board | None = None) -> str:
    """Return the table without pieces: terrain, grid cells and objectives."""
    return _ground(scenario, board, LabelPlacement(scenario.table.width, scenario.table.depth))


def _ground(scenario: Scenario, board: Board | None, room: LabelPlacement) -> str:
    """Return the ground. Its names avoid what is in `room`."""
    canvas, size = _sheet(scenario), _size(scenario)
    table = scenario.table
    edge = f'x="0" y="0" width="{number(table.width)}" height="{number(table.depth)}"'
    drawn = [
        f'<clipPath id="{clip_path_id(scenario)}"><rect {edge}/></clipPath>',
        f'<rect class="table" {edge}/>',
        f'<rect class="turf" fill="url(#t-turf)" {edge}/>',
    ]
    on_cells = board is not None and board.space != "free"
    if on_cells:
        left, top, width, depth = view_box(scenario, board)
        drawn = [
            f'<rect class="beyond" x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(depth)}"/>',
            *drawn,
        ]
    drawn.append(draw_terrain(scenario, canvas))
    flags = draw_objectives(scenario, canvas, size, room, radius=board is None)
    names = draw_names(scenario, canvas, size, room)
    if board is not None and on_cells:
        drawn.append(draw_cells(board, canvas, size, room))
    if board is not None and board.openings:
        drawn.append(draw_openings(scenario, board, canvas))
    return "".join((*drawn, flags, names))


def pieces(scenario: Scenario, board: Board, smoke: Collection[str] = ()) -> str:
    """Return the pieces on the table, with smoke in front of the pieces and units in `smoke`.

    The page places their tags, because only a browser knows the size of the map on the screen.
    """
    return draw_pieces(board, _sheet(scenario), _size(scenario), None, smoke, scenario.objects)


def reaches(scenario: Scenario, board: Board, objectives: Sequence[PlacedObjective]) -> str:
    """Return where troops count for each objective, in the colours of the holders."""
    return draw_reaches(board, _sheet(scenario), objectives)


def picture(scenario: Scenario, board: Board | None = None, *, classes: str = "", smoke: Collection[str] = ()) -> str:
    """Return the table as a standalone SVG; without a board, the empty battlefield."""
    words = f"{scenario.title}: {board.headline}" if board is not None else scenario.title
    box = " ".join(map(number, view_box(scenario, board)))
    room = LabelPlacement(scenario.table.width, scenario.table.depth)
    units = draw_pieces(board, _sheet(scenario), _size(scenario), room, smoke, scenario.objects) if board else ""
    drawn = [
        tooltip(words),
        f"<style>{stylesheet()}</style>",
        defs(),
        f'<g class="ground">{_ground(scenario, board, room)}</g>',
        units,
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="zareba-table {escape(classes)}" role="img" viewBox="{box}">'
    return f"{head}{''.join(drawn)}</svg>"


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """Return the colours and strokes of a picture, for light and dark mode."""
    return (resources.files("zareba.picture") / "picture.css").read_text(encoding="utf-8")
