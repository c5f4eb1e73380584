"""The questions that a page can ask: odds of an option, legality of a place, distances, the text of a rule."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from zareba.base.errors import ZarebaError
from zareba.picture import legal_zone
from zareba.rules import load_catalogue
from zareba.session.score import score_sentences
from zareba.table import Choose, MoveCost, Place, Roll, refusal
from zareba.web.seat.explanations import forecast
from zareba.web.seat.page_state import is_current
from zareba.web.seat.ruler import measure, overlay
from zareba.web.seat.view import Viewer
from zareba.web.security.forms import Form
from zareba.web.security.pages import render
from zareba.web.security.refusals import Forbidden

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

OPEN_TO_ALL = ("Background", "Objectives", "Length", "Special rules", "Not in these rules")
"""The public sections of a briefing."""


LEAST_EXCESS = 0.05
"""Cost differences below this are ignored."""


def whole(request: Request, name: str) -> int:
    """Return a whole number from the query of an address."""
    return Form(list(request.query_params.multi_items())).whole(name)


def _point(request: Request, x: str, y: str) -> tuple[float, float]:
    form = Form(list(request.query_params.multi_items()))
    return form.number(x), form.number(y)


def odds(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the odds of an option; nothing if the question of the page is no longer current."""
    if not is_current(viewer, whole(request, "version")):
        return {"html": ""}
    return {"html": forecast(viewer, whole(request, "n"), at_length=request.query_params.get("whole") == "1")}


def ruling(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the reason why a point is not allowed, or "", and the movement cost to it."""
    question = viewer.open.session.pending
    if not isinstance(question, Place) or not viewer.is_asked():
        raise ZarebaError("the question does not ask for a place")
    point = _point(request, "x", "y")
    cost = "" if question.cost is None else cost_told(question.cost(point))
    return {"refused": refusal(question, point) or "", "cost": cost}


def cost_told(cost: MoveCost) -> str:
    """Return the movement cost in a few words."""
    if cost.spent is None:
        return "impassable ground is in the way"
    ends = ", ends short of it" if cost.spent > cost.allowance + LEAST_EXCESS else ""
    return f"costs {cost.spent:.1f} of {cost.allowance:.1f}{ends}"


def where(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the area of the map in which the requested place may be; nothing if the question is no longer current."""
    question, game = viewer.open.session.pending, viewer.open.game
    if not is_current(viewer, whole(request, "version")) or not isinstance(question, Place) or not viewer.is_asked():
        return {"path": ""}
    board = game.display.drawn(viewer.seen(viewer.open.session.state))
    return {"path": legal_zone(board, game.scenario, question.legal) if board.space == "free" else ""}


def advice(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the choice of doctrine and its reason."""
    session, game = viewer.open.session, viewer.open.game
    question = session.pending
    if question is None or not viewer.is_asked() or isinstance(question, Roll):
        raise ZarebaError("there is no choice to make now")
    answer, reason = session.suggestion()
    words = f"{answer[0]:.1f}, {answer[1]:.1f}" if isinstance(question, Place) else "yes" if answer else "no"
    if isinstance(question, Choose):
        words = game.narrator.describe_option(viewer.seen(session.state), question, answer)
    return {"html": render("lines.html.j2", {"title": "Doctrine would choose", "sections": [("", (words, reason))]})}


def briefing(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the briefing as the seat may know it; a watcher gets only the public sections."""
    session, seat = viewer.open.session, viewer.seat
    found = viewer.open.once(("briefing", seat), lambda: session.briefing(seat, watching=seat is None))
    kept = [(one.title, one.lines) for one in found.sections if viewer.seat is not None or one.title in OPEN_TO_ALL]
    return {"html": render("lines.html.j2", {"title": f"{found.title}, under {found.rules}", "sections": kept})}


def score(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the score and its changes; after the end, the after-action report."""
    session, game = viewer.open.session, viewer.open.game
    if session.pending is None:
        lines: list[str] = viewer.open.once(
            "after_action_report", lambda: session.after_action_report(session.think).lines(game)
        )
    elif viewer.seat is None:
        raise Forbidden("Spectators can see the score details when the battle is over.")
    else:
        lines = score_sentences(session.score(viewer.seat), game)
    return {"html": render("lines.html.j2", {"title": "The score", "sections": [("", lines)]})}


def distance(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the distance between two points, and facts of the rules about the pieces there."""
    pieces = request.query_params.get("a", ""), request.query_params.get("b", "")
    return measure(viewer, _point(request, "ax", "ay"), _point(request, "bx", "by"), pieces)


def reach(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the area in which a side, or one of its pieces, fires or commands, as an overlay of the map."""
    return overlay(viewer, request.query_params.get("kind", ""), request.query_params.get("piece", ""))


def what_a_rule_says(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the text of a rule, and its interpretation here."""
    wanted, rules = request.query_params.get("id", ""), viewer.open.game.rules
    says = rules.says(wanted)
    if not says:
        raise ZarebaError("there is no such rule")
    entry = load_catalogue(*rules.ruleset.folders).rules.get(wanted)
    return {"html": render("rule.html.j2", {"id": wanted, "says": says, "rule": entry})}
