"""The card of a unit: its troops, condition, present options, standing order, and umpire edits."""

from __future__ import annotations

from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.session.umpire import within_reach
from zareba.table import Choose
from zareba.web.seat.umpire import of_piece, of_table
from zareba.web.seat.view import Viewer, aims_of
from zareba.web.security.pages import render

__all__ = ["card", "table_by_hand"]


def card(viewer: Viewer, piece: str) -> str:
    """Return the card of a piece. Raises ZarebaError if the seat sees no piece of that name."""
    session, game = viewer.open.session, viewer.open.game
    seen = viewer.seen(session.state)
    board = viewer.drawn(seen)
    there = [one for one in board.pieces if piece in (one.id, one.look.unit)]
    due = [one for one in board.awaited if one.id == piece]
    if not there and not due:
        raise ZarebaError("no such unit is on your table")
    unit = piece if due or any(one.id == piece for one in there) else there[0].look.unit or there[0].id
    side = next(
        (side for side, ids in game.display.pieces(seen).items() if unit in ids), there[0].side if there else ""
    )
    known = unit in within_reach(game, seen)
    own = side in viewer.seats
    order = session.orders.given.get(unit) if own else None
    scenario_unit = game.scenario.units.get(unit)
    told: dict[str, Any] = {
        "id": unit,
        "label": board.labels.get(unit, ""),
        "name": game.narrator.name_of(unit),
        "side": game.narrator.name_of(side) if side else "",
        "number": list(board.sides).index(side) if side in board.sides else 9,
        "words": list(dict.fromkeys(one.text for one in there))[:24] or [f"{one.name}, {one.when}" for one in due],
        "troops": _troops(scenario_unit) if scenario_unit else "",
        "reaches": [
            (kind, said)
            for kind, said in (("fire", "Fire range"), ("command", "Command range"))
            if known and any(reach.kind == kind for reach in game.umpire_editor().reaches(seen, unit))
        ],
        "asks": game.narrator.describe(seen, session.pending) if viewer.is_asked() and session.pending else "",
        "options": list(_options(viewer, seen, board, unit)),
        "may_order": own and known and bool(there) and session.pending is not None,
        "order": str(order) if order else "",
        "hand": of_piece(viewer, unit) if known and viewer.seats and session.pending is not None else None,
    }
    return render("card.html.j2", told)


def _troops(unit: Any) -> str:
    """Return the scenario's description of a unit, which is the same under all rules."""
    words = [amount(unit.figures, "figure"), unit.quality, unit.kind, unit.arm]
    words += [unit.weapon] if unit.weapon != "none" else []
    words += [unit.close_weapon] if unit.close_weapon != "none" else []
    return ", ".join(word.replace("_", " ") for word in (*words, *unit.traits))


def _options(viewer: Viewer, seen: Any, board: Any, unit: str) -> Any:
    """Yield the options of the pending question that involve the unit: number and words."""
    question = viewer.open.session.pending
    if not viewer.is_asked() or not isinstance(question, Choose):
        return
    for aim in aims_of(viewer, seen, board, question):
        if unit in aim["pieces"]:
            yield aim["n"], viewer.open.game.narrator.describe_option(seen, question, question.options[aim["n"]])


def table_by_hand(viewer: Viewer) -> str:
    """Return the umpire's form, with the pieces by name."""
    return render("umpire.html.j2", of_table(viewer))
