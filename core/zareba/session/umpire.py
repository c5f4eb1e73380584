"""Umpire corrections: people change the state by hand to match a real table, or by agreement.

The ruleset defines the possible edits (`zareba.presentation.umpire_editor`). This module applies an edit, emits its
event, and checks the new state before it counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Literal, TypeAlias, get_args

from zareba.agents import make_agent
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.state import digest
from zareba.game import Game
from zareba.game.advance import Done
from zareba.presentation.board import describe_position, place_name
from zareba.table import RecordedTable, SeededTable, Step
from zareba.table.drivers import Pause

_ActName: TypeAlias = Literal["set", "mark", "unmark", "move", "remove", "goal", "turn", "give", "take", "again"]
ACTS: tuple[str, ...] = get_args(_ActName)
_TRIED_STEPS = 60
"""Number of steps that random players simulate to test the new state."""


@dataclass(frozen=True)
class Correction:
    """An umpire's action: its kind, the piece, objective or side it applies to, the value, and the reason.

    `set`: `what` is a field of the piece. `mark`, `unmark`: `what` is a mark. `move`: the value is a place on the
    board. `goal`: the value is the side that has achieved the objective, "" for none. `turn`: the value is the turn.
    `give`, `take`: `what` is a card of a side's hand. `again`: `faces` replace those of the last throw, or of the last
    for the piece `of`; `what` describes the result in words.
    """

    act: _ActName
    of: str = ""
    what: str = ""
    value: Any = None
    reason: str = ""
    faces: tuple[int, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Return the correction for a journal."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


def editable_pieces(game: Game[Any], view: Any) -> list[str]:
    """Return the pieces that an umpire with this view may edit. `view` is a seat's view.

    A unit that begins hidden is included only while it is visible.
    """
    drawn_positions = describe_position(game.display.labelled_board(view))
    return [
        piece
        for piece in game.umpire_editor().piece_holders(view)
        if piece in drawn_positions or not _may_hide(game, piece)
    ]


def _may_hide(game: Game[Any], piece: str) -> bool:
    """Return True if a piece is, or is part of, a unit that begins hidden."""
    units = game.scenario.units
    base = next((key for key in (piece, piece.partition(".")[0], re.sub(r"_[0-9]+$", "", piece)) if key in units), "")
    return bool(base) and units[base].hidden


def correction_from_data(data: Any) -> Correction:
    """Return the correction that `to_data` encoded. Raises ZarebaError for anything else."""
    if not isinstance(data, Mapping) or data.get("act") not in ACTS or set(data) > set(Correction.__annotations__):
        raise ZarebaError("this is not a valid umpire correction")
    value, faces = data.get("value"), data.get("faces", [])
    has_texts = all(isinstance(data.get(key, ""), str) for key in ("of", "what", "reason"))
    if not has_texts or not isinstance(faces, list) or not all(type(face) is int for face in faces):
        raise ZarebaError("this is not a valid umpire correction")
    value = tuple(value) if isinstance(value, list) else value  # a place on the board is a list in JSON
    return Correction(
        data["act"], data.get("of", ""), data.get("what", ""), value, data.get("reason", ""), tuple(faces)
    )


def apply_correction(game: Game[Any], start: Any, act: Correction, *, check: bool) -> Done:
    """Apply the correction as a separate step, on a copy of a state between two steps.

    With `check` the new state is validated and simulated. Raises ZarebaError, with nothing changed, if the correction
    is impossible or the game could not continue.
    """
    state = start.copy()
    table = RecordedTable(game.rules, state, [])
    try:
        description = _apply(game, table, state, act)
    except Pause as pause:
        raise ZarebaError(f"that would ask '{pause.question.why}', which an umpire's correction cannot do") from pause
    reason = f" ({act.reason})" if act.reason else ""
    table.emit("umpire", "", text=f"the umpire {description}{reason}", act=act.act, of=act.of)
    if check:
        _check_state(game, state)
    return Done(Step("umpire", game.game_turn(start), act.act), state, tuple(table.events), (), ())


def _apply(game: Game[Any], table: RecordedTable, state: Any, act: Correction) -> str:
    """Apply the correction; return its description, which completes "the umpire ..."."""
    editor, name = game.umpire_editor(), game.narrator.name_of
    if act.act == "again":
        whose = f" for {name(act.of)}" if act.of else ""
        result = f": {act.what}" if act.what else ""
        return f"replaces the dice{whose}: {' '.join(map(str, act.faces))}{result}"
    if act.act == "turn":
        _check_whole_number("the turn", act.value, 1, game.scenario.turns)
        editor.set_turn(state, act.value)
        return f"sets the turn to {act.value}"
    if act.act == "goal":
        if act.of not in game.scenario.objectives:
            raise unknown_name("objective", act.of, game.scenario.objectives)
        if act.value and act.value not in game.seats:
            raise unknown_name("side", act.value, game.seats)
        editor.set_goal(state, act.of, act.value or "")
        goal = game.scenario.objectives[act.of].name
        return f"counts {goal} as achieved by {name(act.value)}" if act.value else f"leaves {goal} open again"
    if act.act in ("give", "take"):
        editor.deal(state, act.of, act.what, give=act.act == "give")
        side = name(act.of)
        return f"gives {side} the card {act.what}" if act.act == "give" else f"takes a card from {side}"
    piece = name(act.of)
    if act.act == "move":
        editor.move(table, state, act.of, act.value)
        return f"moves {piece} to {place_name(game.display.board(state), act.value)}"
    if act.act == "remove":
        editor.remove(table, state, act.of)
        return f"takes {piece} off the table"
    if act.act in ("mark", "unmark"):
        editor.mark(table, state, act.of, act.what, on=act.act == "mark")
        return f"{'marks' if act.act == 'mark' else 'unmarks'} {piece}: {act.what}"
    was = editor.set(table, state, act.of, act.what, act.value)
    return f"sets {act.what} of {piece} to {_value_text(act.value)} (was {_value_text(was)})"


def _value_text(value: Any) -> str:
    """Return the value of a field in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value or "none"
    return f"{value:g}"


def _check_whole_number(what: str, value: Any, low: int, high: int) -> None:
    """Raise ZarebaError if a value is not a whole number within these limits."""
    if type(value) is not int or not low <= value <= high:
        raise ZarebaError(f"{what} is a whole number from {low} to {high}, not {value!r}")


def _check_state(game: Game[Any], state: Any) -> None:
    """Raise ZarebaError if the ruleset finds a fault in the state, or if the state cannot be serialized or played
    on.
    """
    fault = game.umpire_editor().find_inconsistency(state)
    if fault:
        raise ZarebaError(f"invalid state: {fault}")
    data = state.to_data()
    if digest(game.from_data(data).to_data()) != digest(data):
        raise ZarebaError("invalid state: it could not be saved and loaded")
    try:
        _simulate(game, game.from_data(data))
    except Exception as error:
        raise ZarebaError(f"the battle could not continue from there ({type(error).__name__}: {error})") from error


def _simulate(game: Game[Any], state: Any) -> None:
    """Let random players play some steps; an error shows that the state is not valid."""
    agents = {seat: make_agent("random", game, seat, 1) for seat in game.seats if seat not in game.solo}
    table = SeededTable(game.rules, state, Random("in the mind").getrandbits(32), agents)
    for _ in range(_TRIED_STEPS):
        step = game.play.next_step(state)
        if step is None:
            return
        table.begin(step)
        game.play.perform(table, state, step)
    game.display.board(state)
