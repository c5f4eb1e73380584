"""The ruler: between any two points of the table, in the measure of the system; and how far fire and command reach."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from zareba.base.amounts import listed
from zareba.base.errors import unknown_name
from zareba.base.exact import dist
from zareba.people.board import Board
from zareba.people.byhand import Reach
from zareba.picture import zones
from zareba.picture.cells import grid_of
from zareba.scenario import Scenario
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point, crossing, spans_inside
from zareba.web.seat.view import Viewer

__all__ = ["measured", "overlay"]

OVERLAYS = ("command", "fire", "danger")


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
        said = game.by_hand().measured(state, unit, other) if unit != other else ()
        words += [f"from {name} to {its_name}: {', '.join(said)}"] if said else []
    crossed = list(_between(game.scenario, a, b))
    return {"words": [*words, *([f"across {listed(crossed)}"] if crossed else [])]}


def _between(scenario: Scenario, a: Point, b: Point) -> Iterator[str]:
    """The ground that a line crosses, as the scenario has it; what of it hides anybody the rules say."""
    for piece in scenario.terrain.values():
        name = piece.name or piece.kind.replace("_", " ")
        if (piece.area is not None and spans_inside(a, b, piece.area)) or (
            piece.line is not None and any(crossing(a, b, *leg) is not None for leg in pairwise(piece.line))
        ):
            yield name


def overlay(viewer: Viewer, kind: str, piece: str) -> dict[str, Any]:
    """Where one's own side commands or fires, or only one piece of it does; where all enemies who are seen fire: danger."""
    if kind not in OVERLAYS:
        raise unknown_name("overlay", kind, OVERLAYS)

    def laid_over() -> dict[str, Any]:
        game = viewer.open.game
        board = game.drawn(viewer.seen(viewer.open.session.state))
        found = list(_reaches(viewer, board, kind, piece))
        words = "" if found else f"nobody there has a zone of {kind} now"
        return {"svg": zones(game.scenario, board, found, kind), "words": words}

    return viewer.open.once(("overlay", viewer.seats, kind, piece), laid_over)


def _reaches(viewer: Viewer, board: Board, kind: str, piece: str) -> Iterator[tuple[str, Reach]]:
    game, seen = viewer.open.game, viewer.seen(viewer.open.session.state)
    hand, wanted = game.by_hand(), "fire" if kind == "danger" else kind
    sides: dict[str, str] = {}
    for one in board.pieces:
        sides |= {name: one.side for name in (one.look.unit, one.id) if name and one.side}
    for name, side in sides.items():
        if name == piece or (not piece and (side == viewer.seat) is not (kind == "danger")):
            yield from ((game.name_of(name), reach) for reach in hand.reaches(seen, name) if reach.kind == wanted)


def _nearest(grid: BoxGrid | HexGrid, point: Point) -> int:
    return min(grid.cells, key=lambda cell: dist(grid.centre(cell), point))
