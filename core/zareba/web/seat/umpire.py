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
from zareba.web.lobby.games import Proposal
from zareba.web.seat.viewer import Viewer
from zareba.web.security import Forbidden, Form

MOST_WORDS = 200
_YES = {"yes": True, "no": False}
_WITHOUT_PIECE = ("again", "goal", "turn", "give", "take")


def seated(viewer: Viewer) -> list[str]:
    """Return the viewer's seats that people play. Raises Forbidden for a watcher."""
    own = [seat for seat in viewer.open.session.people if seat in viewer.seats]
    if not own:
        raise Forbidden("Only people who play a side can do this.")
    return own


# --- possible edits ------------------------------------------------------------------------------------------------------


def of_piece(viewer: Viewer, piece: str) -> dict[str, Any]:
    """Return the possible edits of a piece: its values, its marks, and whether it is on the map."""
    game, seen = viewer.open.game, viewer.seen(viewer.open.session.state)
    editor = game.umpire_editor()
    fields = []
    for name, now in editor.offered(seen, piece):
        allowed = editor.fields.get(name)
        told: dict[str, Any] = {"name": name, "words": name.replace("_", " "), "now": _shown(now)}
        if allowed is bool:
            told["choices"] = ["yes", "no"]
        elif allowed is None:
            told |= {"low": 0, "high": editor.most(seen, piece)}
        elif isinstance(allowed, range):
            told |= {"low": allowed[0], "high": allowed[-1]}
        else:
            told["choices"] = [str(value) for value in allowed]
        fields.append(told)
    held = getattr(editor.piece(seen, piece), "marks", None)
    marks = [] if held is None else [(word, word.replace("_", " "), word in held) for word in sorted(editor.marks)]
    return {"fields": fields, "marks": marks, "stands": piece in describe_position(game.display.drawn(seen))}


def of_table(viewer: Viewer) -> dict[str, Any]:
    """Return the other possible edits: turn, objectives, last dice and cards; and the list of pieces."""
    session, game = viewer.open.session, viewer.open.game
    seen = viewer.seen(session.state)
    labels = viewer.drawn(seen).labels
    known, groups = editable_pieces(game, seen), []
    for side, ids in game.display.pieces(seen).items():
        own = [piece for piece in known if piece in ids]
        groups.append(
            (
                game.narrator.name_of(side),
                [(one, f"{labels.get(one, '')} {game.narrator.name_of(one)}".strip()) for one in own],
            )
        )
    rest = [one for one in known if not any(one == known_one for _, own in groups for known_one, _ in own)]
    groups.append(("Others", [(one, game.narrator.name_of(one)) for one in rest]))
    try:
        thrown = session.history.last_throw(reader=viewer.reader)
        dice = f"{getattr(thrown.question, 'dice', 0)}d{getattr(thrown.question, 'sides', 0)}"
        last = {
            "dice": dice,
            "faces": " ".join(map(str, thrown.faces)),
            "why": game.narrator.describe(seen, thrown.question),
        }
    except ZarebaError:
        last = {}
    return {
        "groups": [group for group in groups if group[1]],
        "turn": game.game_turn(seen),
        "turns": game.scenario.turns,
        "goals": [(key, goal.name) for key, goal in game.scenario.objectives.items()],
        "sides": [(side, game.narrator.name_of(side)) for side in game.seats],
        "last": last,
        "cards": "sides" in game.umpire_editor().pieces,
        "own": [(seat, game.narrator.name_of(seat)) for seat in seated(viewer)],
        "players": agent_names(),
        "alone": len(session.people) <= len(seated(viewer)),
    }


def _shown(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


# --- corrections and agreement -------------------------------------------------------------------------------------------


def umpire(viewer: Viewer, form: Form) -> None:
    """Apply a correction, or propose it if other people play."""
    own = seated(viewer)
    act = _read(viewer, form)
    if viewer.open.thinking:
        raise ZarebaError("an AI player is moving; wait a moment")
    if len(own) == len(viewer.open.session.people):
        viewer.open.change(lambda session: session.correct(act))
        return
    viewer.open.propose(Proposal(own[0], act, _words(viewer, act), frozenset(own)))


def agree(viewer: Viewer, form: Form) -> None:
    """Agree to a proposal; the last agreement applies it."""
    own, proposal = seated(viewer), _pending(viewer)
    agreed = proposal.agreed | frozenset(own)
    if agreed >= frozenset(viewer.open.session.people):
        viewer.open.change(lambda session: _carry_out(session, proposal.act))
    else:
        viewer.open.propose(proposal._replace(agreed=agreed))


def decline(viewer: Viewer, form: Form) -> None:
    """Refuse or withdraw a proposal."""
    seated(viewer)
    _pending(viewer)
    viewer.open.propose(None)


def _carry_out(session: Session, act: Correction | Settlement) -> None:
    if isinstance(act, Settlement):
        session.settle(act)
    else:
        session.correct(act)


def _pending(viewer: Viewer) -> Proposal:
    if viewer.open.proposal is None:
        raise ZarebaError("there is no proposal any more")
    return viewer.open.proposal


def _words(viewer: Viewer, act: Correction) -> str:
    """Return the effect of a correction in words, as far as the seat can see. Raises ZarebaError if it is impossible."""
    session = viewer.open.session
    start = viewer.seen(session.history.steps[-1].start)
    done = apply_correction(session.game, start, act, check=False)
    return next(str(event.data["text"]) for event in done.events if event.kind == "umpire")


def _read(viewer: Viewer, form: Form) -> Correction:
    """Return the correction that a form asks for."""
    name, of, reason = form.text("act"), form.text("of"), form.text("reason")
    if name not in ACTS:
        raise unknown_name("umpire's act", name, ACTS)
    if len(reason) > MOST_WORDS or not is_one_line(reason):
        raise ZarebaError(f"a reason is one line of up to {MOST_WORDS} characters")
    game, seen = viewer.open.game, viewer.seen(viewer.open.session.state)
    if name not in _WITHOUT_PIECE and of not in editable_pieces(game, seen):
        raise ZarebaError("there is no such piece on your table")
    act = Correction(name, of, reason=reason)  # type: ignore[arg-type]  # it is one of the acts
    if name == "again":
        thrown = viewer.open.session.history.last_throw(reader=viewer.reader).question
        assert isinstance(thrown, Roll), "a throw of dice"
        whose = thrown.actor if game.sight.may_hide(viewer.reader) else ""  # the last throw of all may be out of sight
        return Correction("again", whose, reason=reason, faces=_faces(thrown, form))
    if name == "turn":
        return Correction("turn", value=form.whole("value"), reason=reason)
    if name == "move":
        point = form.number("x"), form.number("y")
        return replace(act, value=place_at(game.display.drawn(seen), point))
    if name == "set":
        return replace(act, what=form.text("what"), value=_value(viewer, of, form))
    if name == "goal":
        return replace(act, value=form.text("value"))
    return replace(act, what=form.text("what"))


def _value(viewer: Viewer, piece: str, form: Form) -> Any:
    """Return a value in the type of its field; the session checks it."""
    editor, written = viewer.open.game.umpire_editor(), form.text("value")
    allowed = editor.fields.get(form.text("what"), range(0))
    if allowed is bool:
        return _YES.get(written, written)
    if isinstance(allowed, range):
        return form.whole("value") if written.isdecimal() else written
    return written


def _faces(thrown: Roll, form: Form) -> tuple[int, ...]:
    """Return the new faces of the dice; none if they are to be thrown again."""
    words = form.text("faces").replace(",", " ").split()
    if not all(word.isdecimal() and len(word) < 6 for word in words):
        raise ZarebaError(f"type {thrown.dice} numbers from 1 to {thrown.sides}, or nothing to roll again")
    return tuple(map(int, words))
