"""The questions that a page can ask: odds of an option, legality of a place, distances, the text of a rule."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from zareba.base.errors import ZarebaError
from zareba.lessons import page_lesson
from zareba.picture import legal_zone
from zareba.picture.zones import grid_of
from zareba.rules import load_catalogue
from zareba.rules.catalogue import SOURCES
from zareba.session.briefing import HOW_TO_WIN
from zareba.session.score import score_sentences
from zareba.table import Choose, MoveCost, Place, Point, Roll, refusal
from zareba.web.form import FormData
from zareba.web.responses import Forbidden, render
from zareba.web.seat.explanations import all_odds, odds_line
from zareba.web.seat.measuring import measure, overlay
from zareba.web.seat.panel import answers, spot_in_words
from zareba.web.seat.umpire import edits_of_table
from zareba.web.seat.view import is_current, option_targets
from zareba.web.seat.viewer import Viewer

_PUBLIC_SECTIONS = ("Background", "Objectives", HOW_TO_WIN, "Length", "Special rules", "Not in these rules")
"""The sections of a briefing that watchers may read."""

_LEAST_EXCESS = 0.05
"""Cost differences below this are ignored."""
_BEYOND_REACH = (
    "The move can end in the coloured area. You may choose a place beyond it: the move then stops on the way."
)


def odds(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the odds of an option, in one line or in full; nothing if the question of the page is no longer
    current.
    """
    if not is_current(viewer, whole_number(request, "version")):
        return {"html": ""}
    show = all_odds if request.query_params.get("whole") == "1" else odds_line
    return {"html": show(viewer, whole_number(request, "n"))}


def ruling_on_place(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the reason why a point is not allowed, or "", and the movement cost to an allowed point."""
    question = viewer.open.session.pending
    if not isinstance(question, Place) or not viewer.is_asked():
        raise ZarebaError("the question does not ask for a place")
    point = _point(request, "x", "y")
    refused = refusal(question, point)
    if refused:  # the cost could contradict the reason: some rules limit a move by more than its cost
        return {"refused": _sentence(refused), "cost": ""}
    return {"refused": "", "cost": "" if question.cost is None else cost_in_words(question.cost(point))}


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


def cost_in_words(cost: MoveCost) -> str:
    """Return the movement cost in a few words."""
    if cost.spent is None:
        return "impassable ground is in the way"
    ends = "" if _is_enough(cost) else ", so the move stops on the way"
    return f"costs {cost.spent:.1f} of {cost.allowance:.1f}{ends}"


def _is_enough(cost: MoveCost) -> bool:
    """Return True if the movement available now suffices to arrive."""
    return cost.spent is not None and cost.spent <= cost.allowance + _LEAST_EXCESS


def why_not(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return why a piece or a cell of the map is not an option; "" if the question of the page is no longer current."""
    question, game = viewer.open.session.pending, viewer.open.game
    if not _can_answer_page(viewer, request) or not isinstance(question, Choose):
        return {"words": ""}
    board, piece = viewer.board(), request.query_params.get("piece", "")
    if piece and any(piece in (shown.id, shown.look.unit) for shown in board.pieces):
        return {"words": game.narrator.why_not(viewer.state(), question, piece=piece)}
    if request.query_params.get("cell") and board.space != "free":
        cell = whole_number(request, "cell")
        if not any(target["cell"] is not None for target in option_targets(viewer, viewer.state(), board, question)):
            return {"words": "This question asks for no place: choose a marked unit, or one of the options."}
        if cell in grid_of(board).cells:
            return {"words": game.narrator.why_not(viewer.state(), question, cell=cell)}
    raise ZarebaError("there is no such place on your table")


def legal_area(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the area of the map in which the requested place may be; nothing if the question is no longer current.

    If a move may also make for a point beyond its reach, the area is the reach, and a hint says so.
    """
    question, game = viewer.open.session.pending, viewer.open.game
    nothing = {"path": "", "hint": ""}
    if not _can_answer_page(viewer, request) or not isinstance(question, Place):
        return nothing
    board = game.display.labelled_board(viewer.visible(viewer.open.session.state))
    if board.space != "free":
        return nothing
    legal, cost, hint = question.legal, question.cost, ""

    def refuse(point: Point) -> object:
        nonlocal hint
        refused = legal(point)
        if refused is None and cost is not None and not _is_enough(cost(point)):
            refused = hint = _BEYOND_REACH
        return refused

    return {"path": legal_zone(board, game.scenario, refuse), "hint": hint}


def advice(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the choice of doctrine and its reason."""
    session, game = viewer.open.session, viewer.open.game
    question = session.pending
    if question is None or not viewer.is_asked() or isinstance(question, Roll):
        raise ZarebaError("there is no choice to make now")
    answer, reason = session.suggestion()
    listed = list(answers(question))
    if isinstance(question, Choose):
        words = game.narrator.describe_option(viewer.visible(session.state), question, answer)
    elif isinstance(question, Place):
        words = spot_in_words(game, viewer.board(), answer)
    else:
        words = "yes" if answer else "no"
    values = {
        "words": words,
        "reason": reason.rstrip("."),
        "number": listed.index(answer) if answer in listed else None,
        "point": answer if isinstance(question, Place) else None,
    }
    return {"html": render("advice.html.j2", values)}


def lesson(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the lesson next to the question of the tutorial; empty while the viewer has no question."""
    learnt = request.query_params.get("learnt", "").split(",")
    next_lesson = page_lesson(viewer.open.session, learnt) if viewer.is_asked() else None
    if next_lesson is None:
        return {"html": "", "key": "", "act": ""}
    html = render("lesson.html.j2", {"lesson": next_lesson})
    return {"html": html, "key": next_lesson.key, "act": next_lesson.act}


def briefing(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the briefing as the seat may know it; a watcher gets only the public sections."""
    session, seat = viewer.open.session, viewer.seat
    text = viewer.open.cached(("briefing", seat), lambda: session.briefing(seat, watching=seat is None))
    sections = [
        (section.title, section.lines)
        for section in text.sections
        if seat is not None or section.title in _PUBLIC_SECTIONS
    ]
    return {"html": render("lines.html.j2", {"title": f"{text.title}, under {text.rules}", "sections": sections})}


def score(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the score and its changes; after the end, the after-action report."""
    session, game = viewer.open.session, viewer.open.game
    if session.pending is None:
        lines: list[str] = viewer.open.cached(
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


def rule_text(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the text of a rule, and its interpretation here."""
    rule, rules = request.query_params.get("id", ""), viewer.open.game.rules
    entry = load_catalogue(*rules.ruleset.folders).rules.get(rule)
    text = rules.rule_in_a_line(rule) if entry is None else entry.summary  # house rules have no entry
    if not text:
        raise ZarebaError("there is no such rule")
    source = SOURCES[entry.status] if entry is not None else ""
    return {"html": render("rule.html.j2", {"id": rule, "says": text, "rule": entry, "source": source})}


def umpire_form(viewer: Viewer) -> str:
    """Return the umpire's form, with the pieces by name."""
    return render("umpire.html.j2", edits_of_table(viewer))


# --- The parameters of a request --------------------------------------------------------------------------------------


def whole_number(request: Request, name: str) -> int:
    """Return a whole number from the query of an address."""
    return FormData(list(request.query_params.multi_items())).integer(name)


def _point(request: Request, x: str, y: str) -> tuple[float, float]:
    """Return the point whose coordinates are two parameters of the query of an address."""
    form = FormData(list(request.query_params.multi_items()))
    return form.number(x), form.number(y)


def _can_answer_page(viewer: Viewer, request: Request) -> bool:
    """Return True if the viewer must answer the pending question and the page shows that question."""
    return is_current(viewer, whole_number(request, "version")) and viewer.is_asked()
