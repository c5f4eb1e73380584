"""The history of a game as the page shows it: what happened in a step of the log, and the map at any step."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from starlette.requests import Request

from zareba.base.errors import ZarebaError
from zareba.base.grammar import merge_alike
from zareba.picture import pieces
from zareba.web.lobby.games import OpenGame
from zareba.web.lobby.links import WATCHERS
from zareba.web.responses import render
from zareba.web.seat.acts import LogMoment, list_acts
from zareba.web.seat.explanations import numbers_in_words
from zareba.web.seat.queries import whole_number
from zareba.web.seat.viewer import Viewer


def act_in_words(viewer: Viewer, step: int) -> str:
    """Return the step of a log sentence: everything that happened in it, with dice, numbers and rules."""
    game, log = viewer.open.game, viewer.log()
    if not 0 <= step < len(log):
        raise ZarebaError("there is no such act")
    events = [event for event in log[step].events if game.narrator.describe_event(event)]
    sentences = [
        (sentence, rule)
        for rule, events_of_rule in groupby(events, key=lambda event: event.rule)
        for sentence in merge_alike(game.narrator.describe_event(event) for event in events_of_rule)
    ]
    explanations = numbers_in_words(viewer, log[step].results(viewer.reader))
    values = {
        "sentences": sentences,
        "explanations": explanations,
        "step": step,
        "share": spectators_link(viewer, step),
    }
    return render("act.html.j2", values)


def spectators_path(game: OpenGame) -> str:
    """Return the path at which anyone can watch the game; "" if it has no such link."""
    token = next((link.token for link in game.links.all() if link.holder == WATCHERS and link.token), "")
    return f"/game/{game.name}/{token}" if token else ""


def spectators_link(viewer: Viewer, step: int) -> str:
    """Return the path at which spectators see the map before a step; "" if the game has no link for them.

    Spectators may know fewer steps: their link opens the first one that is not earlier.
    """
    path = spectators_path(viewer.open)
    if not path:
        return ""
    rest = {id(shown.played) for shown in viewer.log()[step:]}
    log = Viewer(viewer.open, frozenset()).log()
    number = next((number for number, shown in enumerate(log) if id(shown.played) in rest), len(log))
    return f"{path}#moment={number}"


def moment(viewer: Viewer, step: int) -> dict[str, Any]:
    """Return the map before a step of the log; after the last step, the present map."""
    game, log = viewer.open.game, viewer.log()
    if not 0 <= step <= len(log):
        raise ZarebaError("there is no such step")
    state = viewer.visible(log[step].played.start if step < len(log) else viewer.open.session.state)
    board = viewer.board_of(state)
    sentences = [game.narrator.describe_event(event) for event in log[step - 1].events] if step else []
    return {
        "said": "; ".join(filter(None, sentences)),
        "pieces": pieces(game.scenario, board, viewer.smoke(reversed(log[:step]))),
        "headline": viewer.headline(board),
        "share": spectators_link(viewer, step),
        "steps": len(log),
        "step": step,
    }


def acts_since(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the acts since the moment in a request; without one, those since the viewer's last choice."""
    if "step" not in request.query_params:
        return list_acts(viewer, None)
    return list_acts(viewer, LogMoment(whole_number(request, "step"), whole_number(request, "beat")))
