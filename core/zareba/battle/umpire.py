"""The umpire: changes that a house rule may make to pieces between two steps, the same under every ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.exact import cosd, sind
from zareba.battle.positions import screens_of
from zareba.picture.zones import cell_middle, place_at
from zareba.presentation.board import Board, describe_position
from zareba.renamed import METHODS, warn_renamed
from zareba.scenario import Scenario
from zareba.scenario.placement import starting_positions
from zareba.space.field.line_of_sight import SightBlocker, line_is_clear
from zareba.table.questions import Point

_RINGS = (0.0, 2.0, 4.0, 6.0, 9.0, 12.0)
"""Distances from the wanted place, in inches, at which room for a unit is tried."""


class Umpire:
    """Access to pieces, in inches on the scenario's table. `scenario` includes the changes of house rules."""

    def __init__(self, game: Any, table: Any, state: Any) -> None:
        self.scenario: Scenario = game.scenario
        self._game = game
        self._table = table
        self._state = state

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the method that had a name in the last release."""
            new = METHODS["Umpire"].get(name)
            if new is None:
                raise AttributeError(f"'Umpire' object has no attribute '{name}'")
            warn_renamed(f"Umpire.{name}", new)
            return getattr(self, new)

    def parts(self, unit: str) -> list[str]:
        """Return the ids of the pieces that represent a unit of the scenario under these rules, on the table or not."""
        own = re.compile(rf"{re.escape(unit)}([_.][0-9]+)?")
        return [piece for piece in self._game.umpire_editor().piece_holders(self._state) if own.fullmatch(piece)]

    def pieces_on_table(self) -> dict[str, tuple[str, Point]]:
        """Return every piece on the table with its side and its position in inches."""
        board: Board = self._game.display.board(self._state)
        sides = {piece.id: piece.side for piece in board.pieces}
        sides |= {piece.look.unit: piece.side for piece in board.pieces if piece.look.unit}
        return {piece: (sides[piece], self._inches(board, at)) for piece, at in describe_position(board).items()}

    def sees(self, a: Point, b: Point) -> bool:
        """Return True if no terrain blocks the default line of sight between two points, in inches."""
        return line_is_clear(a, b, self._screens)

    @cached_property
    def _screens(self) -> tuple[SightBlocker[str], ...]:
        return screens_of(self.scenario)

    def starting_position(self, unit: str) -> Point | None:
        """Return the place, in inches, of a unit if it were set up at the start; None if the scenario gives it none."""
        units = {name: entry.model_copy(update={"arrival": None}) for name, entry in self.scenario.units.items()}
        return starting_positions(self.scenario.model_copy(update={"units": units})).get(unit)

    @staticmethod
    def _inches(board: Board, at: Point) -> Point:
        if board.space != "free":
            return cell_middle(board, int(at[0]), int(at[1]))
        return board.origin[0] + at[0] * board.inches, board.origin[1] + at[1] * board.inches

    def put(self, piece: str, at: Point) -> bool:
        """Put a piece on the table at a point, in inches, or at the nearest place with room; return False without room.

        Raises ZarebaError with the nearest name if the piece is unknown.
        """
        editor, board = self._game.umpire_editor(), self._game.display.board(self._state)
        known = {
            piece_id for ids in self._game.display.pieces(self._state).values() for piece_id in ids
        } | self._state.units.keys()
        if piece not in known:
            raise unknown_name("piece", piece, known)
        for place in self._near(board, at):
            tried = self._state.copy()
            try:
                editor.move(self._table, tried, piece, place)
            except ZarebaError:
                continue
            if not editor.find_inconsistency(tried):
                editor.move(self._table, self._state, piece, place)
                return True
        return False

    def _near(self, board: Board, at: Point) -> Iterator[Point]:
        """Yield places of the board around a point, the nearest first, each once."""
        width, depth = self.scenario.table.width, self.scenario.table.depth
        tried: set[Point] = set()
        for ring in _RINGS:
            for bearing in range(0, 360, 45) if ring else (0,):
                x, y = at[0] + ring * sind(bearing), at[1] + ring * cosd(bearing)
                if 0 < x < width and 0 < y < depth:
                    place = place_at(board, (x, y))
                    if place not in tried:
                        tried.add(place)
                        yield place
