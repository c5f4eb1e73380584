"""What players do: answer, throw, take back, play again. Nothing of it is believed because the page sent it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.errors import ZarebaError
from zareba.session import Session
from zareba.table import Choose, Confirm, Place, Roll
from zareba.web.forms import Form
from zareba.web.refusals import Forbidden, Unknown
from zareba.web.view import Viewer, answer_of, parts

__all__ = ["done"]


def done(viewer: Viewer, what: str, form: Form) -> dict[str, Any]:
    """Carry out what was sent, if the table is still as the page had it; gives what the page is to show."""
    act = ACTS.get(what)
    if act is None:
        raise Unknown
    with viewer.open.lock:
        if form.whole("version") != viewer.open.version:
            raise ZarebaError("the table has changed since; look again")
        act(viewer, form)
        return parts(viewer, form.text("ground"))


def _answer(viewer: Viewer, form: Form) -> None:
    question = viewer.open.session.pending
    if question is None or not viewer.is_asked():
        raise Forbidden("You are not asked.")
    if isinstance(question, Roll):
        faces = form.text("faces").replace(",", " ").split()
        if not all(face.isdecimal() and len(face) < 6 for face in faces):
            raise ZarebaError(f"type {question.dice} numbers from 1 to {question.sides}")
        viewer.open.change(lambda session: session.throw([int(face) for face in faces]))
    elif isinstance(question, Place) and not form.text("option"):
        point = form.number("x"), form.number("y")
        viewer.open.change(lambda session: session.answer(point))
    elif isinstance(question, (Choose, Confirm, Place)):
        answer = answer_of(question, form.whole("option"))
        if answer is None:
            raise ZarebaError("there is no such option; look again")
        viewer.open.change(lambda session: session.answer(answer))


def _throw(viewer: Viewer, form: Form) -> None:
    if not viewer.is_asked():
        raise Forbidden("You are not asked.")
    viewer.open.change(Session.throw_for_me)


def _undo(viewer: Viewer, form: Form) -> None:
    viewer.open.change(Session.undo)


def _redo(viewer: Viewer, form: Form) -> None:
    viewer.open.change(Session.redo)


def _go(viewer: Viewer, form: Form) -> None:
    viewer.open.play_on()


ACTS: dict[str, Callable[[Viewer, Form], None]] = {
    "answer": _answer,
    "throw": _throw,
    "undo": _undo,
    "redo": _redo,
    "go": _go,
}
