"""What a seat may ask while it thinks: the odds of an option, whether a place will do, a distance, a rule."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from zareba.base.errors import ZarebaError
from zareba.picture import lawful
from zareba.rules import load_catalogue
from zareba.session.score import told as score_told
from zareba.table import Choose, MoveCost, Place, Roll, refusal
from zareba.web.door.forms import Form
from zareba.web.door.pages import render
from zareba.web.door.refusals import Forbidden
from zareba.web.seat.reasons import forecast
from zareba.web.seat.ruler import measured, overlay
from zareba.web.seat.sheet import is_current
from zareba.web.seat.view import Viewer

__all__ = [
    "advice",
    "briefing",
    "cost_told",
    "distance",
    "odds",
    "reach",
    "ruling",
    "score",
    "what_a_rule_says",
    "where",
    "whole",
]

OPEN_TO_ALL = ("What happened here", "What is to be done", "How long", "Special rules", "Not in these rules")
"""Sections of a briefing that are no side's own."""


LEAST = 0.05
"""What is less of a cost is not told."""


def whole(request: Request, name: str) -> int:
    """A whole number out of an address."""
    return Form(list(request.query_params.multi_items())).whole(name)


def _point(request: Request, x: str, y: str) -> tuple[float, float]:
    form = Form(list(request.query_params.multi_items()))
    return form.number(x), form.number(y)


def odds(viewer: Viewer, request: Request) -> dict[str, Any]:
    """The odds of an option of the question that the page has; nothing when the question has gone."""
    if not is_current(viewer, whole(request, "version")):
        return {"html": ""}
    return {"html": forecast(viewer, whole(request, "n"), at_length=request.query_params.get("whole") == "1")}


def ruling(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Whether somebody may go to a point, the sentence of the rule if not, and what the way there costs."""
    question = viewer.open.session.pending
    if not isinstance(question, Place) or not viewer.is_asked():
        raise ZarebaError("no place is asked for")
    point = _point(request, "x", "y")
    cost = "" if question.cost is None else cost_told(question.cost(point))
    return {"refused": refusal(question, point) or "", "cost": cost}


def cost_told(cost: MoveCost) -> str:
    """What a way costs, in words, as short as a tape has room for."""
    if cost.spent is None:
        return "closed ground lies in the way"
    ends = ", ends short of it" if cost.spent > cost.allowance + LEAST else ""
    return f"costs {cost.spent:.1f} of {cost.allowance:.1f}{ends}"


def where(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Where on the table the place may lie that is asked for; nothing when the question has gone."""
    question, game = viewer.open.session.pending, viewer.open.game
    if not is_current(viewer, whole(request, "version")) or not isinstance(question, Place) or not viewer.is_asked():
        return {"path": ""}
    board = game.drawn(viewer.seen(viewer.open.session.state))
    return {"path": lawful(board, game.scenario, question.legal) if board.space == "free" else ""}


def advice(viewer: Viewer, _: Request) -> dict[str, Any]:
    """What doctrine would do in one's place, and why."""
    session, game = viewer.open.session, viewer.open.game
    question = session.pending
    if question is None or not viewer.is_asked() or isinstance(question, Roll):
        raise ZarebaError("no choice is to be made")
    answer, reason = session.suggestion()
    words = f"{answer[0]:.1f}, {answer[1]:.1f}" if isinstance(question, Place) else "yes" if answer else "no"
    if isinstance(question, Choose):
        words = game.describe_option(viewer.seen(session.state), question, answer)
    return {"html": render("lines.html.j2", {"title": "Doctrine would choose", "sections": [("", (words, reason))]})}


def briefing(viewer: Viewer, _: Request) -> dict[str, Any]:
    """What is to be known of the battle, as far as the seat may know it; who watches learns what is to be done, no more."""
    session, seat = viewer.open.session, viewer.seat
    found = viewer.open.once(("briefing", seat), lambda: session.briefing(seat, watching=seat is None))
    kept = [(one.title, one.lines) for one in found.sections if viewer.seat is not None or one.title in OPEN_TO_ALL]
    return {"html": render("lines.html.j2", {"title": f"{found.title}, under {found.rules}", "sections": kept})}


def score(viewer: Viewer, _: Request) -> dict[str, Any]:
    """How the battle stands and how that came about; the closing page once it is over."""
    session, game = viewer.open.session, viewer.open.game
    if session.pending is None:
        lines: list[str] = viewer.open.once("closing", lambda: session.closing(session.think).lines(game))
    elif viewer.seat is None:
        raise Forbidden("How it came about is told to who watches when the battle is over.")
    else:
        lines = score_told(session.score(viewer.seat), game)
    return {"html": render("lines.html.j2", {"title": "The score", "sections": [("", lines)]})}


def distance(viewer: Viewer, request: Request) -> dict[str, Any]:
    """How far it is between two points, and what the rules say of the pieces that stand there."""
    pieces = request.query_params.get("a", ""), request.query_params.get("b", "")
    return measured(viewer, _point(request, "ax", "ay"), _point(request, "bx", "by"), pieces)


def reach(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Where a side, or one of its pieces, fires or commands, drawn over the table."""
    return overlay(viewer, request.query_params.get("kind", ""), request.query_params.get("piece", ""))


def what_a_rule_says(viewer: Viewer, request: Request) -> dict[str, Any]:
    """What a rule says, and how it is read here."""
    wanted, rules = request.query_params.get("id", ""), viewer.open.game.rules
    says = rules.says(wanted)
    if not says:
        raise ZarebaError("there is no such rule")
    entry = load_catalogue(rules.ruleset.folder).rules.get(wanted)
    return {"html": render("rule.html.j2", {"id": wanted, "says": says, "rule": entry})}
