"""The ruler: between any two points of the table, in the measure of the system."""

from __future__ import annotations

from typing import Any

from zareba.exact import dist
from zareba.picture.cells import grid_of
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point
from zareba.web.seat.view import Viewer

__all__ = ["measured"]


def measured(viewer: Viewer, a: Point, b: Point, pieces: tuple[str, str]) -> dict[str, Any]:
    """How far it is between two points, given in inches of the table, and what the rules say of two pieces that are there."""
    game = viewer.open.game
    state = viewer.seen(viewer.open.session.state)
    board = game.drawn(state)
    if board.space == "free":
        there = [(x / board.inches, y / board.inches) for x, y in (a, b)]
        unit = '"' if board.length == "inches" else f" {board.length}"
        words = [f"{dist(*there):.1f}{unit}"]
    else:
        grid = grid_of(board.space, board.columns, board.rows)
        assert isinstance(grid, (BoxGrid, HexGrid)), "a board of cells has a grid"
        cells = [
            _nearest(grid, ((x - board.origin[0]) / board.inches, (y - board.origin[1]) / board.inches))
            for x, y in (a, b)
        ]
        words = [f"{grid.label(cells[0])} to {grid.label(cells[1])}: {float(grid.distance(*cells)):g} {board.length}"]
    named = {piece.id: (piece.look.unit or piece.id, piece.look.name) for piece in board.pieces}
    if named.keys() >= set(pieces):
        (unit, name), (other, its_name) = named[pieces[0]], named[pieces[1]]
        said = game.by_hand().measured(state, unit, other) if unit != other else ()
        words += [f"from {name} to {its_name}: {', '.join(said)}"] if said else []
    return {"words": words}


def _nearest(grid: BoxGrid | HexGrid, point: Point) -> int:
    return min(range(grid.size), key=lambda cell: dist(grid.centre(cell), point))
