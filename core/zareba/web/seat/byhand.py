"""Umpires' acts at the page: what may be set by hand, and the agreement of everybody who plays.

Who is alone at the table does as he likes. With another person there an act is proposed first, and done once each of them
has agreed: it is their game as much as his. Nothing is proposed or refused by what the seat may not see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zareba.agents import agent_names
from zareba.base.characters import is_one_line
from zareba.base.errors import ZarebaError, unknown_name
from zareba.people.board import whereabouts
from zareba.picture.cells import place_at
from zareba.session import Correction
from zareba.session.umpire import ACTS, corrected, within_reach
from zareba.table import Roll
from zareba.web.door.forms import Form
from zareba.web.door.refusals import Forbidden
from zareba.web.house.games import Proposal
from zareba.web.seat.view import Viewer

__all__ = ["agree", "decline", "of_piece", "of_table", "umpire"]

MOST_WORDS = 200
YES = {"yes": True, "no": False}
WITHOUT_PIECE = ("again", "goal", "turn", "give", "take")


def _seated(viewer: Viewer) -> list[str]:
    """Which people's seats are his; refuses who only watches."""
    own = [seat for seat in viewer.open.session.people if seat in viewer.seats]
    if not own:
        raise Forbidden("This is for those who play a side themselves.")
    return own


# --- what may be set -----------------------------------------------------------------------------------------------------


def of_piece(viewer: Viewer, piece: str) -> dict[str, Any]:
    """What may be set of a piece: its numbers and words with what they are now, its marks, whether it stands somewhere."""
    game, seen = viewer.open.game, viewer.seen(viewer.open.session.state)
    hand = game.by_hand()
    fields = []
    for name, now in hand.offered(seen, piece):
        allowed = hand.fields.get(name)
        told: dict[str, Any] = {"name": name, "words": name.replace("_", " "), "now": _shown(now)}
        if allowed is bool:
            told["choices"] = ["yes", "no"]
        elif allowed is None:
            told |= {"low": 0, "high": hand.most(seen, piece)}
        elif isinstance(allowed, range):
            told |= {"low": allowed[0], "high": allowed[-1]}
        else:
            told["choices"] = [str(value) for value in allowed]
        fields.append(told)
    held = getattr(hand.piece(seen, piece), "marks", None)
    marks = [] if held is None else [(word, word.replace("_", " "), word in held) for word in sorted(hand.marks)]
    return {"fields": fields, "marks": marks, "stands": piece in whereabouts(game.drawn(seen))}


def of_table(viewer: Viewer) -> dict[str, Any]:
    """What may be set that is no piece's: the turn, objectives, the last dice, cards; and the pieces that there are."""
    session, game = viewer.open.session, viewer.open.game
    seen = viewer.seen(session.state)
    labels = viewer.drawn(seen).labels
    known, groups = within_reach(game, seen), []
    for side, ids in game.pieces(seen).items():
        own = [piece for piece in known if piece in ids]
        groups.append(
            (game.name_of(side), [(one, f"{labels.get(one, '')} {game.name_of(one)}".strip()) for one in own])
        )
    rest = [one for one in known if not any(one == known_one for _, own in groups for known_one, _ in own)]
    groups.append(("Others", [(one, game.name_of(one)) for one in rest]))
    try:
        thrown = session.history.last_throw()
        dice = f"{getattr(thrown.question, 'dice', 0)}d{getattr(thrown.question, 'sides', 0)}"
        last = {"dice": dice, "faces": " ".join(map(str, thrown.faces)), "why": game.describe(seen, thrown.question)}
    except ZarebaError:
        last = {}
    return {
        "groups": [group for group in groups if group[1]],
        "turn": game.game_turn(seen),
        "turns": game.scenario.turns,
        "goals": [(key, goal.name) for key, goal in game.scenario.objectives.items()],
        "sides": [(side, game.name_of(side)) for side in game.seats],
        "last": last,
        "cards": "sides" in game.by_hand().pieces,
        "own": [(seat, game.name_of(seat)) for seat in _seated(viewer)],
        "players": agent_names(),
        "alone": len(session.people) <= len(_seated(viewer)),
    }


def _shown(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


# --- what is done --------------------------------------------------------------------------------------------------------


def umpire(viewer: Viewer, form: Form) -> None:
    """Do an umpire's act, or propose it where others play too."""
    own = _seated(viewer)
    act = _read(viewer, form)
    if viewer.open.thinking:
        raise ZarebaError("a program is playing on; wait a moment")
    if len(own) == len(viewer.open.session.people):
        viewer.open.change(lambda session: session.correct(act))
        return
    viewer.open.propose(Proposal(own[0], act, _words(viewer, act), frozenset(own)))


def agree(viewer: Viewer, form: Form) -> None:
    """Agree to what another has proposed; the last to agree has it done."""
    own, proposal = _seated(viewer), _pending(viewer)
    agreed = proposal.agreed | frozenset(own)
    if agreed >= frozenset(viewer.open.session.people):
        viewer.open.change(lambda session: session.correct(proposal.act))
    else:
        viewer.open.propose(proposal._replace(agreed=agreed))


def decline(viewer: Viewer, form: Form) -> None:
    """Refuse what another has proposed, or take back what one has proposed oneself."""
    _seated(viewer)
    _pending(viewer)
    viewer.open.propose(None)


def _pending(viewer: Viewer) -> Proposal:
    if viewer.open.proposal is None:
        raise ZarebaError("nothing is proposed any more")
    return viewer.open.proposal


def _words(viewer: Viewer, act: Correction) -> str:
    """What an act would do, in words, as far as the seat can see; raises ZarebaError when that cannot be done."""
    session = viewer.open.session
    start = viewer.seen(session.history.steps[-1].start)
    done = corrected(session.game, start, act, check=False)
    return next(str(event.data["text"]) for event in done.events if event.kind == "umpire")


def _read(viewer: Viewer, form: Form) -> Correction:
    """The act that a form asks for."""
    name, of, reason = form.text("act"), form.text("of"), form.text("reason")
    if name not in ACTS:
        raise unknown_name("umpire's act", name, ACTS)
    if len(reason) > MOST_WORDS or not is_one_line(reason):
        raise ZarebaError(f"a reason is one line of up to {MOST_WORDS} characters")
    game, seen = viewer.open.game, viewer.seen(viewer.open.session.state)
    if name not in WITHOUT_PIECE and of not in within_reach(game, seen):
        raise ZarebaError("there is no such piece on your table")
    act = Correction(name, of, reason=reason)  # type: ignore[arg-type]  # it is one of the acts
    if name == "again":
        return Correction("again", reason=reason, faces=_faces(viewer, form))
    if name == "turn":
        return Correction("turn", value=form.whole("value"), reason=reason)
    if name == "move":
        point = form.number("x"), form.number("y")
        return replace(act, value=place_at(game.drawn(seen), point))
    if name == "set":
        return replace(act, what=form.text("what"), value=_value(viewer, of, form))
    if name == "goal":
        return replace(act, value=form.text("value"))
    return replace(act, what=form.text("what"))


def _value(viewer: Viewer, piece: str, form: Form) -> Any:
    """A value as its field wants it; whether it may have that the session says."""
    hand, written = viewer.open.game.by_hand(), form.text("value")
    allowed = hand.fields.get(form.text("what"), range(0))
    if allowed is bool:
        return YES.get(written, written)
    if isinstance(allowed, range):
        return form.whole("value") if written.isdecimal() else written
    return written


def _faces(viewer: Viewer, form: Form) -> tuple[int, ...]:
    """The faces that are to count; none where the program is to throw again."""
    thrown = viewer.open.session.history.last_throw().question
    assert isinstance(thrown, Roll), "a throw of dice"
    words = form.text("faces").replace(",", " ").split()
    if not all(word.isdecimal() and len(word) < 6 for word in words):
        raise ZarebaError(f"type {thrown.dice} numbers from 1 to {thrown.sides}, or none to throw again")
    return tuple(map(int, words))
