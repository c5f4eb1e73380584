"""A person at the page of a game, and what this person may see: the state, the board, the objectives and the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from zareba.presentation.board import Board, group_by_place
from zareba.presentation.objectives import PlacedObjective, placed_objectives
from zareba.session.history import SeenStep
from zareba.session.session import HUMAN
from zareba.table import Draw, Roll, seat_of
from zareba.web.lobby.games import OpenGame

Made = TypeVar("Made")


@dataclass(frozen=True)
class Viewer:
    """A person at the page of a game: the seats of the link, none for a watcher."""

    open: OpenGame
    seats: frozenset[str]

    @property
    def seat(self) -> str | None:
        """The seat whose view is shown: the one that must answer, else the first; None for a watcher."""
        question = self.open.session.pending
        asked = getattr(question, "seat", None)
        if asked in self.seats:
            return str(asked)
        return next((seat for seat in self.open.game.seats if seat in self.seats), None)

    def visible(self, state: Any) -> Any:
        """Return a state as far as the viewer may see it."""
        game, seat = self.open.game, self.seat
        return game.sight.public(state) if seat is None else game.sight.view(state, seat)

    def board_of(self, state: Any) -> Board:
        """Return the board of a visible state; its pieces have the same keys as in the terminal."""
        game = self.open.game
        board = game.display.labelled_board(state)
        names = {unit: game.narrator.name_of(unit) for unit in game.umpire_editor().piece_holders(state)}
        labels = group_by_place(board, names, game.display.pieces(state), game.scenario.objects).labels
        return replace(board, labels=labels)

    def headline(self, board: Board) -> str:
        """Return the headline of a board without the cards, which lie next to the map."""
        has_cards = self.open.game.display.cards(self.state(), self.seat)
        return board.headline.partition("; ")[0] if has_cards else board.headline

    def state(self) -> Any:
        """Return the current state as far as the viewer may see it."""
        return self.open.cached(("state", self.seat), lambda: self.visible(self.open.session.state))

    def board(self) -> Board:
        """Return the current board. Viewers with the full view share it."""
        return self.shared("board", lambda: self.board_of(self.state()))

    def shared(self, what: Any, make: Callable[[], Made]) -> Made:
        """Return a value that depends only on the visible state, computed once for all viewers with the same view."""
        return self.open.cached((what, *self._view()), make)

    def drawn(self, what: str, board: Board, draw: Callable[[], Made], *others: object) -> Made:
        """Return a drawing of a board; it is drawn again if the board, the order of its labels, or one of `others` has
        changed.
        """
        shown = board, tuple(board.labels), others
        return self.shared(what, lambda: self.open.drawn((what, *self._view()), shown, draw))

    def _view(self) -> tuple[bool, str | None]:
        """Return a key that is the same for all viewers who see the same."""
        hidden = self.state() is not self.open.session.state
        return hidden, self.seat if hidden else None

    def objectives(self) -> tuple[PlacedObjective, ...]:
        """Return the objectives with a place, as far as the viewer may see who is there."""

        def found() -> tuple[PlacedObjective, ...]:
            game, state = self.open.game, self.state()
            return placed_objectives(game.scenario, game.scoreboard(state), state.achieved, game.narrator.name_of)

        return self.shared("objectives", found)

    def smoke(self, steps: Iterable[SeenStep]) -> frozenset[str]:
        """Return the units and guns that fired in the turn of the last steps; the steps come last first."""
        game, found, turn = self.open.game, set[str](), None
        for step in steps:
            if turn not in (None, step.played.turn):
                break
            turn = step.played.turn
            found.update(fired for event in step.events if (fired := game.narrator.firing_piece(event)))
        return frozenset(found)

    @property
    def reader(self) -> str:
        """The seat for which the log is filtered; "" for a watcher."""
        return self.seat or ""

    def log(self) -> list[SeenStep]:
        """Return the steps that the viewer may know of, in order; their indices are the numbers of the log."""
        return self.open.cached(("log", self.seats, self.reader), self._log)

    def _log(self) -> list[SeenStep]:
        steps = self.open.session.history.steps_seen_by(self.reader)
        return [step for step in steps if step.played.answers or step.end.events if self._notices(step)][::-1]

    def _notices(self, step: SeenStep) -> bool:
        """Return True if a step shows the viewer an event, dice, a card or one of the viewer's choices."""
        if not self.open.game.sight.may_hide(self.reader):
            return True
        asked = [answer.question for answer in step.played.answers]
        own = any(seat_of(question) in self.seats for question in asked)
        chance = any(
            isinstance(question, (Roll, Draw)) and step.sees(self.reader, index) for index, question in enumerate(asked)
        )
        return own or chance or bool(step.events)

    def has_limited_view(self) -> bool:
        """Return True if something is, or can be, hidden from the viewer, so that the page has its own versions."""
        if self.seats in self.open.seat_pages:
            return True
        game, reader = self.open.game, self.reader
        return game.sight.may_hide(reader) or bool(game.sight.secrets(self.open.session.state, reader))

    def is_asked(self) -> bool:
        """Return True if the viewer must answer the pending question, and no AI player does so for them. Any player may
        type the faces of real dice.
        """
        session, question = self.open.session, self.open.session.pending
        if question is None or not session.asks_person() or session.deputy_answers():
            return False
        if isinstance(question, Roll):
            return any(session.seats[seat] == HUMAN for seat in self.seats)
        return getattr(question, "seat", None) in self.seats
