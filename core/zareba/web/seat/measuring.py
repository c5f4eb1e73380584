"""Distances on the map, and the zones of fire and command that can be laid over it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from zareba.base.errors import unknown_name
from zareba.base.exact import dist
from zareba.base.grammar import join_with_and
from zareba.picture import zones
from zareba.picture.zones import grid_of
from zareba.presentation.board import Board
from zareba.presentation.umpire_editor import PieceRange
from zareba.scenario import Scenario
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point, crossing, spans_inside
from zareba.web.seat.viewer import Viewer

_OVERLAYS = ("command", "fire", "danger")


def measure(viewer: Viewer, start: Point, end: Point, pieces: tuple[str, str]) -> dict[str, Any]:
    """Return sentences about two points: their distance, facts of the rules about two pieces there, terrain between.

    The points are given in inches of the table, and the pieces by their ids, "" for none.
    """
    game = viewer.open.game
    state = viewer.visible(viewer.open.session.state)
    board = game.display.labelled_board(state)
    sentences = [_distance_in_words(board, start, end)]
    on_board = {piece.id: piece for piece in board.pieces}
    first, second = (on_board.get(piece) for piece in pieces)
    if first and second:
        unit, other = first.look.unit or first.id, second.look.unit or second.id
        facts = game.umpire_editor().measurements(state, unit, other) if unit != other else ()
        if facts:
            sentences.append(f"from {first.look.name} to {second.look.name}: {', '.join(facts)}")
    if crossed := _terrain_between(game.scenario, start, end):
        sentences.append(f"across {join_with_and(crossed)}")
    return {"words": sentences}


def _distance_in_words(board: Board, start: Point, end: Point) -> str:
    """Return the distance between two points of the table in the ruleset's unit; on a grid, that of their cells."""
    if board.space == "free":
        first, last = ((x / board.inches, y / board.inches) for x, y in (start, end))
        unit = '"' if board.length == "inches" else f" {board.length}"
        return f"{dist(first, last):.1f}{unit}"
    grid = grid_of(board)
    assert isinstance(grid, (BoxGrid, HexGrid)), "a board of cells has a grid"
    left, top = board.origin
    from_cell, to_cell = (
        _nearest_cell(grid, ((x - left) / board.inches, (y - top) / board.inches)) for x, y in (start, end)
    )
    cells_apart = float(grid.distance(from_cell, to_cell))
    return f"{grid.label(from_cell)} to {grid.label(to_cell)}: {cells_apart:g} {board.length}"


def _nearest_cell(grid: BoxGrid | HexGrid, point: Point) -> int:
    return min(grid.cells, key=lambda cell: dist(grid.centre(cell), point))


def _terrain_between(scenario: Scenario, start: Point, end: Point) -> list[str]:
    """Return the names of the scenario's terrain that a line crosses; the rules decide which of it blocks sight."""
    names = []
    for piece in scenario.terrain.values():
        in_area = piece.area is not None and bool(spans_inside(start, end, piece.area))
        over_line = piece.line is not None and any(
            crossing(start, end, *leg) is not None for leg in pairwise(piece.line)
        )
        if in_area or over_line:
            names.append(piece.name or piece.kind.replace("_", " "))
    return names


def overlay(viewer: Viewer, kind: str, piece: str) -> dict[str, Any]:
    """Return the zone of fire or command of the viewer's side, or of one piece, as a drawing for the map.

    The kind "danger" is the zone of fire of all visible enemies.
    """
    if kind not in _OVERLAYS:
        raise unknown_name("overlay", kind, _OVERLAYS)

    def draw() -> dict[str, Any]:
        game = viewer.open.game
        board = game.display.labelled_board(viewer.visible(viewer.open.session.state))
        ranges = list(_named_ranges(viewer, board, kind, piece))
        words = "" if ranges else f"no unit has a zone of {kind} now"
        return {"svg": zones(game.scenario, board, ranges, kind), "words": words}

    return viewer.open.cached(("overlay", viewer.seats, kind, piece), draw)


def _named_ranges(viewer: Viewer, board: Board, kind: str, piece: str) -> Iterator[tuple[str, PieceRange]]:
    """Yield the ranges of one piece, or of all units of a side if `piece` is ""; each with the name of its unit."""
    game, state = viewer.open.game, viewer.visible(viewer.open.session.state)
    editor, range_kind = game.umpire_editor(), "fire" if kind == "danger" else kind
    sides_of_units: dict[str, str] = {}
    for drawn in board.pieces:
        sides_of_units |= {unit: drawn.side for unit in (drawn.look.unit, drawn.id) if unit and drawn.side}
    for unit, side in sides_of_units.items():
        is_enemy = side != viewer.seat
        is_wanted = unit == piece if piece else is_enemy == (kind == "danger")
        if is_wanted:
            for reach in editor.reaches(state, unit):
                if reach.kind == range_kind:
                    yield game.narrator.name_of(unit), reach
