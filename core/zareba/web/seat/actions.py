"""The actions of players: answer, throw dice, undo, redo and others. Every input from the page is checked."""

from __future__ import annotations

from collections.abc import Callable

from zareba.agents import agent_names
from zareba.base.errors import ZarebaError, unknown_name
from zareba.picture.zones import place_at
from zareba.presentation.board import place_name
from zareba.session import SCOPES, Session, StandingOrder
from zareba.session.session import HOLD, HUMAN
from zareba.table import Choose, Confirm, Place, Roll
from zareba.web.form import FormData
from zareba.web.responses import Forbidden, Unknown
from zareba.web.seat.umpire import agree, decline, umpire
from zareba.web.seat.view import answer_of, is_current, page_state, position_of
from zareba.web.seat.viewer import Viewer

_AT_ANY_TIME = ("give_back", "hand_over", "decide")
"""Actions that are allowed while an AI player plays and the state changes."""
_FOR_SAME_POSITION = ("answer", "throw", "undo", "redo", "go", "delegate", "order")
"""Actions that depend only on the position, so that they work after a restart of the server."""


def perform_action(viewer: Viewer, what: str, form: FormData) -> bytes:
    """Carry out an action if the page is up to date; return the new page state."""
    action = ACTIONS.get(what)
    if action is None:
        raise Unknown
    with viewer.open.lock:
        if not _is_current(viewer, what, form):
            raise ZarebaError("the game has changed in the meantime; look again")
        action(viewer, form)
        return page_state(viewer).for_page(form.text("ground"))


def _is_current(viewer: Viewer, what: str, form: FormData) -> bool:
    """Return True if the request refers to the current state."""
    if what in _AT_ANY_TIME or is_current(viewer, form.integer("version")):
        return True
    return what in _FOR_SAME_POSITION and form.text("position") == position_of(viewer)


def _answer(viewer: Viewer, form: FormData) -> None:
    """Answer the pending question: with the faces of dice, a point on the map, or the number of an option."""
    question = viewer.open.session.pending
    if question is None or not viewer.is_asked():
        raise Forbidden("This choice is not yours.")
    if isinstance(question, Roll):
        faces = form.text("faces").replace(",", " ").split()
        if not all(face.isdecimal() and len(face) < 6 for face in faces):
            raise ZarebaError(f"type {question.dice} numbers from 1 to {question.sides}")
        viewer.open.change(lambda session: session.throw([int(face) for face in faces]))
    elif isinstance(question, Place) and not form.text("option"):
        point = form.number("x"), form.number("y")
        viewer.open.change(lambda session: session.answer(point))
    elif isinstance(question, (Choose, Confirm, Place)):
        answer = answer_of(question, form.integer("option"))
        if answer is None:
            raise ZarebaError("there is no such option; look again")
        viewer.open.change(lambda session: session.answer(answer))


def _throw(viewer: Viewer, form: FormData) -> None:
    if not viewer.is_asked():
        raise Forbidden("This choice is not yours.")
    viewer.open.change(Session.throw_for_me)


def _undo(viewer: Viewer, form: FormData) -> None:
    viewer.open.change(lambda session: session.undo(viewer.seats))


def _redo(viewer: Viewer, form: FormData) -> None:
    viewer.open.change(lambda session: session.redo(viewer.seats))


def _ask_undo(viewer: Viewer, form: FormData) -> None:
    """Ask the other players to agree to an undo."""
    viewer.open.change(lambda session: session.ask_undo(viewer.seats))


def _agree_undo(viewer: Viewer, form: FormData) -> None:
    viewer.open.change(lambda session: session.agree_undo(viewer.seats))


def _decline_undo(viewer: Viewer, form: FormData) -> None:
    viewer.open.change(lambda session: session.decline_undo(viewer.seats))


def _delegate(viewer: Viewer, form: FormData) -> None:
    """Let an AI player act for a while, or do nothing more."""
    if not viewer.is_asked():
        raise Forbidden("This choice is not yours.")
    scope = next((known for known in SCOPES if known == form.text("scope")), None)  # typed as one of the scopes
    if scope is None:
        raise unknown_name("scope", form.text("scope"), SCOPES)
    player = form.text("player", "doctrine")
    if player not in (*agent_names(), HOLD):
        raise unknown_name("AI player", player, [*agent_names(), HOLD])
    turns = form.integer("turns") if scope == "turn" and form.text("turns") else 1
    viewer.open.change(lambda session: session.delegate(scope, player, turns=turns))


def _hand_over(viewer: Viewer, form: FormData) -> None:
    """Let an AI player play one of the viewer's sides from now on, or take the side back."""
    side, player = form.text("side"), form.text("player")
    if side not in viewer.seats:
        raise Forbidden("That is not your side.")
    if player not in (HUMAN, *agent_names()):
        raise unknown_name("player", player, [HUMAN, *agent_names()])
    viewer.open.change(lambda session: session.seat(side, player))


def _give_back(viewer: Viewer, form: FormData) -> None:
    """End the viewer's delegations; an AI player in the background stops at its next choice."""

    def give_back(session: Session) -> None:
        for seat in viewer.seats & set(session.deputies):
            session.give_back(seat)

    viewer.open.change(give_back)


def _order(viewer: Viewer, form: FormData) -> None:
    """Give a unit of the viewer a standing order, or cancel it."""
    unit, kind, game = form.text("unit"), form.text("kind"), viewer.open.game
    visible = viewer.visible(viewer.open.session.state)
    if unit not in game.umpire_editor().piece_holders(visible) or not _is_own(viewer, unit):
        raise Forbidden("That is not your unit.")
    if kind == "go":
        board = game.display.labelled_board(visible)
        goal = place_at(board, (form.number("x"), form.number("y")))
        order: StandingOrder | None = StandingOrder("go", place_name(board, goal), goal)
    elif kind in ("hold", "fire"):
        order = StandingOrder("hold") if kind == "hold" else StandingOrder("fire")
    elif not kind:
        order = None
    else:
        raise unknown_name("standing order", kind, ["hold", "fire", "go"])
    viewer.open.change(lambda session: session.order(unit, order))


def _is_own(viewer: Viewer, unit: str) -> bool:
    """Return True if a unit belongs to one of the viewer's sides."""
    units_by_side = viewer.open.game.display.pieces(viewer.open.session.state)
    return any(unit in units for side, units in units_by_side.items() if side in viewer.seats)


def _go(viewer: Viewer, form: FormData) -> None:
    """Let the AI players play on."""
    viewer.open.play_on()


def _decide(viewer: Viewer, form: FormData) -> None:
    """Tell the AI player that is thinking to decide now."""
    viewer.open.decide_now()


ACTIONS: dict[str, Callable[[Viewer, FormData], None]] = {
    "answer": _answer,
    "throw": _throw,
    "undo": _undo,
    "redo": _redo,
    "ask_undo": _ask_undo,
    "agree_undo": _agree_undo,
    "decline_undo": _decline_undo,
    "go": _go,
    "decide": _decide,
    "delegate": _delegate,
    "give_back": _give_back,
    "order": _order,
    "hand_over": _hand_over,
    "umpire": umpire,
    "agree": agree,
    "decline": decline,
}
