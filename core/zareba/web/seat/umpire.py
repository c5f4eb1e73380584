"""Umpire corrections on the page: the possible edits, and the agreement of all players.

A person playing alone can make any correction. With a second person, a correction is first proposed and is applied
when all have agreed. Hidden information never affects a proposal or a refusal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zareba.agents import agent_names
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.hidden_characters import is_one_line
from zareba.picture.zones import place_at
from zareba.presentation.board import describe_position
from zareba.session import Correction, Session, Settlement
from zareba.session.umpire import ACTS, apply_correction, editable_pieces
from zareba.table import Roll
from zareba.web.form import FormData
from zareba.web.lobby.games import Proposal
from zareba.web.responses import Forbidden
from zareba.web.seat.viewer import Viewer

LONGEST_REASON = 200
"""The largest number of characters of a reason."""
_YES_OR_NO = {"yes": True, "no": False}
_WITHOUT_PIECE = ("again", "goal", "turn", "give", "take")
"""The kinds of correction that are about no piece on the table."""


def seats_played_by(viewer: Viewer) -> list[str]:
    """Return the viewer's seats that people play. Raises Forbidden for a watcher."""
    seats = [seat for seat in viewer.open.session.people if seat in viewer.seats]
    if not seats:
        raise Forbidden("Only people who play a side can do this.")
    return seats


# --- possible edits ---------------------------------------------------------------------------------------------------


def edits_of_piece(viewer: Viewer, piece: str) -> dict[str, Any]:
    """Return the possible edits of a piece: its values, its marks, and whether it is on the map."""
    game, state = viewer.open.game, viewer.visible(viewer.open.session.state)
    editor = game.umpire_editor()
    fields = []
    for name, value in editor.editable_fields(state, piece):
        allowed = editor.fields.get(name)
        field: dict[str, Any] = {"name": name, "words": name.replace("_", " "), "now": _value_in_words(value)}
        if allowed is bool:
            field["choices"] = ["yes", "no"]
        elif allowed is None:
            field |= {"low": 0, "high": editor.max_figures(state, piece)}
        elif isinstance(allowed, range):
            field |= {"low": allowed[0], "high": allowed[-1]}
        else:
            field["choices"] = [str(choice) for choice in allowed]
        fields.append(field)
    present = getattr(editor.piece(state, piece), "marks", None)
    marks = (
        [] if present is None else [(mark, mark.replace("_", " "), mark in present) for mark in sorted(editor.marks)]
    )
    return {"fields": fields, "marks": marks, "stands": piece in describe_position(game.display.labelled_board(state))}


def edits_of_table(viewer: Viewer) -> dict[str, Any]:
    """Return the other possible edits: turn, objectives, last dice and cards; and the list of pieces."""
    session, game = viewer.open.session, viewer.open.game
    state, own_seats = viewer.visible(session.state), seats_played_by(viewer)
    return {
        "groups": _pieces_by_side(viewer, state),
        "turn": game.game_turn(state),
        "turns": game.scenario.turns,
        "goals": [(key, goal.name) for key, goal in game.scenario.objectives.items()],
        "sides": [(side, game.narrator.name_of(side)) for side in game.seats],
        "last": _last_throw(viewer, state),
        "cards": "sides" in game.umpire_editor().pieces,
        "own": [(seat, game.narrator.name_of(seat)) for seat in own_seats],
        "players": agent_names(),
        "alone": len(session.people) <= len(own_seats),
    }


def _pieces_by_side(viewer: Viewer, state: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the editable pieces in groups, each with a title, ids and names; pieces of no side come last."""
    game, labels = viewer.open.game, viewer.board_of(state).labels
    editable, groups = editable_pieces(game, state), []
    of_a_side: set[str] = set()
    for side, pieces in game.display.pieces(state).items():
        own = [piece for piece in editable if piece in pieces]
        of_a_side.update(own)
        named = [(piece, f"{labels.get(piece, '')} {game.narrator.name_of(piece)}".strip()) for piece in own]
        groups.append((game.narrator.name_of(side), named))
    groups.append(("Others", [(piece, game.narrator.name_of(piece)) for piece in editable if piece not in of_a_side]))
    return [(title, pieces) for title, pieces in groups if pieces]


def _last_throw(viewer: Viewer, state: Any) -> dict[str, str]:
    """Return the last throw of dice that the viewer knows of: dice, faces and reason; empty if there is none."""
    game = viewer.open.game
    try:
        thrown = viewer.open.session.history.last_throw(reader=viewer.reader)
    except ZarebaError:
        return {}
    roll = thrown.question
    return {
        "dice": f"{getattr(roll, 'dice', 0)}d{getattr(roll, 'sides', 0)}",
        "faces": " ".join(map(str, thrown.faces)),
        "why": game.narrator.describe(state, roll),
    }


def _value_in_words(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


# --- corrections and agreement ----------------------------------------------------------------------------------------


def umpire(viewer: Viewer, form: FormData) -> None:
    """Apply a correction, or propose it if other people play."""
    own_seats = seats_played_by(viewer)
    correction = _read_correction(viewer, form)
    if viewer.open.thinking:
        raise ZarebaError("an AI player is moving; wait a moment")
    if len(own_seats) == len(viewer.open.session.people):
        viewer.open.change(lambda session: session.correct(correction))
        return
    words = _correction_in_words(viewer, correction)
    viewer.open.propose(Proposal(own_seats[0], correction, words, frozenset(own_seats)))


def agree(viewer: Viewer, form: FormData) -> None:
    """Agree to a proposal; the last agreement applies it."""
    own_seats, proposal = seats_played_by(viewer), _pending_proposal(viewer)
    agreed = proposal.agreed | frozenset(own_seats)
    if agreed >= frozenset(viewer.open.session.people):
        viewer.open.change(lambda session: _carry_out(session, proposal.act))
    else:
        viewer.open.propose(proposal._replace(agreed=agreed))


def decline(viewer: Viewer, form: FormData) -> None:
    """Refuse or withdraw a proposal."""
    seats_played_by(viewer)  # refuses watchers
    _pending_proposal(viewer)
    viewer.open.propose(None)


def _carry_out(session: Session, act: Correction | Settlement) -> None:
    if isinstance(act, Settlement):
        session.settle(act)
    else:
        session.correct(act)


def _pending_proposal(viewer: Viewer) -> Proposal:
    """Return the proposal that waits for agreement. Raises ZarebaError if there is none."""
    if viewer.open.proposal is None:
        raise ZarebaError("there is no proposal any more")
    return viewer.open.proposal


def _correction_in_words(viewer: Viewer, correction: Correction) -> str:
    """Return the effect of a correction, as far as the seat can see. Raises ZarebaError if it is impossible."""
    session = viewer.open.session
    start = viewer.visible(session.history.steps[-1].start)
    done = apply_correction(session.game, start, correction, check=False)
    return next(str(event.data["text"]) for event in done.events if event.kind == "umpire")


def _read_correction(viewer: Viewer, form: FormData) -> Correction:
    """Return the correction that a form asks for. Raises ZarebaError if it is about nothing that the viewer sees."""
    act, of, reason = form.text("act"), form.text("of"), form.text("reason")
    if act not in ACTS:
        raise unknown_name("umpire's act", act, ACTS)
    if len(reason) > LONGEST_REASON or not is_one_line(reason):
        raise ZarebaError(f"a reason is one line of up to {LONGEST_REASON} characters")
    game, state = viewer.open.game, viewer.visible(viewer.open.session.state)
    if act not in _WITHOUT_PIECE and of not in editable_pieces(game, state):
        raise ZarebaError("there is no such piece on your table")
    correction = Correction(act, of, reason=reason)  # type: ignore[arg-type]  # it is one of the acts
    if act == "again":
        roll = viewer.open.session.history.last_throw(reader=viewer.reader).question
        assert isinstance(roll, Roll), "a throw of dice"
        actor = roll.actor if game.sight.may_hide(viewer.reader) else ""  # the last throw of all may be out of sight
        return Correction("again", actor, reason=reason, faces=_read_faces(roll, form))
    if act == "turn":
        return Correction("turn", value=form.integer("value"), reason=reason)
    if act == "move":
        point = form.number("x"), form.number("y")
        return replace(correction, value=place_at(game.display.labelled_board(state), point))
    if act == "set":
        return replace(correction, what=form.text("what"), value=_read_value(viewer, form))
    if act == "goal":
        return replace(correction, value=form.text("value"))
    return replace(correction, what=form.text("what"))


def _read_value(viewer: Viewer, form: FormData) -> Any:
    """Return the value in a form, in the type of its field; the session checks it."""
    typed = form.text("value")
    allowed = viewer.open.game.umpire_editor().fields.get(form.text("what"), range(0))
    if allowed is bool:
        return _YES_OR_NO.get(typed, typed)
    if isinstance(allowed, range):
        return form.integer("value") if typed.isdecimal() else typed
    return typed


def _read_faces(roll: Roll, form: FormData) -> tuple[int, ...]:
    """Return the new faces of the dice; none if they are to be thrown again."""
    faces = form.text("faces").replace(",", " ").split()
    if not all(face.isdecimal() and len(face) < 6 for face in faces):
        raise ZarebaError(f"type {roll.dice} numbers from 1 to {roll.sides}, or nothing to roll again")
    return tuple(map(int, faces))
