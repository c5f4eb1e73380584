"""What a seat may ask while it thinks: the odds of an option, whether a place will do, a distance, a rule."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from zareba.errors import ZarebaError
from zareba.rules import load_catalogue
from zareba.table import Place
from zareba.web.forms import Form
from zareba.web.pages import render
from zareba.web.reasons import forecast
from zareba.web.ruler import measured
from zareba.web.view import Viewer

__all__ = ["distance", "odds", "ruling", "what_a_rule_says", "whole"]


def whole(request: Request, name: str) -> int:
    """A whole number out of an address."""
    return Form(list(request.query_params.multi_items())).whole(name)


def _point(request: Request, x: str, y: str) -> tuple[float, float]:
    form = Form(list(request.query_params.multi_items()))
    return form.number(x), form.number(y)


def odds(viewer: Viewer, request: Request) -> dict[str, Any]:
    """The odds of an option of the question that the page has; nothing when the question has gone."""
    if whole(request, "version") != viewer.open.version:
        return {"html": ""}
    return {"html": forecast(viewer, whole(request, "n"), at_length=request.query_params.get("whole") == "1")}


def ruling(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Whether somebody may go to a point, and the sentence of the rule if not."""
    question = viewer.open.session.pending
    if not isinstance(question, Place) or not viewer.is_asked():
        raise ZarebaError("no place is asked for")
    refused = question.legal(_point(request, "x", "y"))
    return {"refused": refused or "", "rule": question.rule}


def distance(viewer: Viewer, request: Request) -> dict[str, Any]:
    """How far it is between two points."""
    return measured(viewer, _point(request, "ax", "ay"), _point(request, "bx", "by"))


def what_a_rule_says(viewer: Viewer, request: Request) -> dict[str, Any]:
    """What a rule says, and how it is read here."""
    wanted = request.query_params.get("id", "")
    entry = load_catalogue(viewer.open.game.rules.ruleset.folder).rules.get(wanted)
    if entry is None:
        raise ZarebaError("there is no such rule")
    return {"html": render("rule.html.j2", {"id": wanted, "rule": entry})}
