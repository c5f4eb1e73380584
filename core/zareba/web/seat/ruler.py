"""The ruler: distances between two points in the ruleset's unit, and zones of fire and command."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from zareba.base.errors import unknown_name
from zareba.base.exact import dist
from zareba.base.grammar import join_with_and
from zareba.picture import zones
from zareba.picture.cells import grid_of
from zareba.presentation.board import Board
from zareba.presentation.umpire_editor import PieceRange
from zareba.scenario import Scenario
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point, crossing, spans_inside
from zareba.web.seat.view import Viewer

__all__ = ["measure", "overlay"]

OVERLAYS = ("command", "fire", "danger")


def measure(viewer: Viewer, a: Point, b: Point, pieces: tuple[str, str]) -> dict[str, Any]:
    """Return the distance between two points, given in inches of the table, and facts of the rules about two pieces
    there.
    """
    game = viewer.open.game
    state = viewer.seen(viewer.open.session.state)
    board = game.display.drawn(state)
    if board.space == "free":
        there = [(x / board.inches, y / board.inches) for x, y in (a, b)]
        unit = '"' if board.length == "inches" else f" {board.length}"
        words = [f"{dist(*there):.1f}{unit}"]
    else:
        grid = grid_of(board)
        assert isinstance(grid, (BoxGrid, HexGrid)), "a board of cells has a grid"
        cells = [
            _nearest(grid, ((x - board.origin[0]) / board.inches, (y - board.origin[1]) / board.inches))
            for x, y in (a, b)
        ]
        words = [f"{grid.label(cells[0])} to {grid.label(cells[1])}: {float(grid.distance(*cells)):g} {board.length}"]
    named = {piece.id: (piece.look.unit or piece.id, piece.look.name) for piece in board.pieces}
    if named.keys() >= set(pieces):
        (unit, name), (other, its_name) = named[pieces[0]], named[pieces[1]]
        said = game.umpire_editor().measured(state, unit, other) if unit != other else ()
        words += [f"from {name} to {its_name}: {', '.join(said)}"] if said else []
    crossed = list(_between(game.scenario, a, b))
    return {"words": [*words, *([f"across {join_with_and(crossed)}"] if crossed else [])]}


def _between(scenario: Scenario, a: Point, b: Point) -> Iterator[str]:
    """Yield the scenario's terrain that a line crosses; the rules decide which of it blocks sight."""
    for piece in scenario.terrain.values():
        name = piece.name or piece.kind.replace("_", " ")
        if (piece.area is not None and spans_inside(a, b, piece.area)) or (
            piece.line is not None and any(crossing(a, b, *leg) is not None for leg in pairwise(piece.line))
        ):
            yield name


def overlay(viewer: Viewer, kind: str, piece: str) -> dict[str, Any]:
    """Return the zone of fire or command of the viewer's side or of one piece; "danger" is the zone of fire of all
    visible enemies.
    """
    if kind not in OVERLAYS:
        raise unknown_name("overlay", kind, OVERLAYS)

    def laid_over() -> dict[str, Any]:
        game = viewer.open.game
        board = game.display.drawn(viewer.seen(viewer.open.session.state))
        found = list(_reaches(viewer, board, kind, piece))
        words = "" if found else f"no unit has a zone of {kind} now"
        return {"svg": zones(game.scenario, board, found, kind), "words": words}

    return viewer.open.once(("overlay", viewer.seats, kind, piece), laid_over)


def _reaches(viewer: Viewer, board: Board, kind: str, piece: str) -> Iterator[tuple[str, PieceRange]]:
    game, seen = viewer.open.game, viewer.seen(viewer.open.session.state)
    editor, wanted = game.umpire_editor(), "fire" if kind == "danger" else kind
    sides: dict[str, str] = {}
    for one in board.pieces:
        sides |= {name: one.side for name in (one.look.unit, one.id) if name and one.side}
    for name, side in sides.items():
        if name == piece or (not piece and (side == viewer.seat) is not (kind == "danger")):
            yield from (
                (game.narrator.name_of(name), reach) for reach in editor.reaches(seen, name) if reach.kind == wanted
            )


def _nearest(grid: BoxGrid | HexGrid, point: Point) -> int:
    return min(grid.cells, key=lambda cell: dist(grid.centre(cell), point))
