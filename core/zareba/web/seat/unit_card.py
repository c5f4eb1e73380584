"""The card of a unit: its troops, condition, present options, standing order, and umpire edits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.presentation.board import Board
from zareba.scenario.unsupported import TRAIT_NAMES
from zareba.session.briefing import troops_in_words
from zareba.session.umpire import editable_pieces
from zareba.table import Choose
from zareba.web.responses import render
from zareba.web.seat.panel import NO_SIDE
from zareba.web.seat.umpire import edits_of_piece
from zareba.web.seat.view import option_targets
from zareba.web.seat.viewer import Viewer

_MOST_SENTENCES = 24
_RANGE_BUTTONS = {"fire": "Fire range", "command": "Command range"}


def card(viewer: Viewer, piece: str) -> str:
    """Return the card of a unit, or of a single piece such as a leader, as HTML.

    `piece` may also be the id of one of the unit's figures. Raises ZarebaError if the seat sees no piece of that name.
    """
    session, game = viewer.open.session, viewer.open.game
    state = viewer.visible(session.state)
    board = viewer.board_of(state)
    on_map = [shown for shown in board.pieces if piece in (shown.id, shown.look.unit)]
    awaited = [reserve for reserve in board.awaited if reserve.id == piece]
    if not on_map and not awaited:
        raise ZarebaError("no such unit is on your table")
    has_own_piece = bool(awaited) or any(shown.id == piece for shown in on_map)
    unit = piece if has_own_piece else on_map[0].look.unit or on_map[0].id
    side_on_map = on_map[0].side if on_map else ""
    side = next((side for side, units in game.display.pieces(state).items() if unit in units), side_on_map)
    is_editable = unit in editable_pieces(game, state)
    is_own, is_over = side in viewer.seats, session.pending is None
    order = session.orders.given.get(unit) if is_own else None
    scenario_unit = game.scenario.units.get(unit)
    range_kinds = {reach.kind for reach in game.umpire_editor().reaches(state, unit)} if is_editable else set()
    sentences = list(dict.fromkeys(shown.text for shown in on_map))[:_MOST_SENTENCES]
    values: dict[str, Any] = {
        "id": unit,
        "label": board.labels.get(unit, ""),
        "name": game.narrator.name_of(unit),
        "side": game.narrator.name_of(side) if side else "",
        "number": list(board.sides).index(side) if side in board.sides else NO_SIDE,
        "words": sentences or [f"{reserve.name}, {reserve.when}" for reserve in awaited],
        "troops": _troops_in_words(scenario_unit) if scenario_unit else "",
        "reaches": [(kind, label) for kind, label in _RANGE_BUTTONS.items() if kind in range_kinds],
        "asks": game.narrator.describe(state, session.pending) if viewer.is_asked() and session.pending else "",
        "options": list(_options_about(viewer, state, board, unit)),
        "may_order": is_own and is_editable and bool(on_map) and not is_over,
        "order": str(order) if order else "",
        "hand": edits_of_piece(viewer, unit) if is_editable and viewer.seats and not is_over else None,
    }
    return render("card.html.j2", values)


def _troops_in_words(unit: Any) -> str:
    """Return the scenario's description of a unit: its troops, their kind and their special abilities."""
    special = [TRAIT_NAMES.get(trait, trait.replace("_", " ")) for trait in unit.traits]
    return "; ".join([troops_in_words(unit), unit.kind.replace("_", " "), *special])


def _options_about(viewer: Viewer, state: Any, board: Board, unit: str) -> Iterator[tuple[int, str]]:
    """Yield the options of the pending question that involve the unit: number and words."""
    question = viewer.open.session.pending
    if not viewer.is_asked() or not isinstance(question, Choose):
        return
    for target in option_targets(viewer, state, board, question):
        if unit in target["pieces"]:
            number = target["n"]
            yield number, viewer.open.game.narrator.describe_option(state, question, question.options[number])
