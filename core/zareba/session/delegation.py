"""A program that stands in for people for a while: for one choice, a unit, a phase, some turns, or till it is told to stop."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from zareba.base.amounts import amount
from zareba.game import Game
from zareba.table import Choose, Question, Step, seat_of

__all__ = ["SCOPES", "Deputy", "Scope", "is_which_man", "phase_of", "piece_of", "sets_up", "unit_of"]

Scope: TypeAlias = Literal["choice", "unit", "phase", "turn", "game"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

_NUMBERED = re.compile(r"/.*$|[. ]?[0-9]+$")


@dataclass
class Deputy:
    """Who stands in for a seat: `player` as long as `scope` says, counted from the question at which he took over.

    `unit`, of the scope "unit": whose choices he makes, till another unit's come. `turns`: game turns, of the scope "turn".
    """

    seat: str
    player: str
    scope: Scope
    unit: str
    phase: str
    turn: int
    turns: int = 1
    answered: int = 0

    def covers(self, game: Game[Any], state: Any, step: Step, question: Question) -> bool:
        """Whether a choice of his seat is still his to make."""
        if self.scope == "choice":
            return self.answered == 0
        if self.scope == "unit":
            offered = self.answered == 0 and self.unit in (getattr(question, "options", None) or ())
            return offered or unit_of(game, state, question) == self.unit
        if self.scope == "phase":
            return phase_of(step) == self.phase and game.game_turn(state) == self.turn
        return self.scope == "game" or game.game_turn(state) < self.turn + self.turns

    def told(self, game: Game[Any]) -> str:
        """What he was told to do, in words."""
        what = {
            "choice": "this choice",
            "unit": f"the choices of {game.name_of(self.unit)}" if self.unit else "",
            "phase": "the rest of this phase",
            "turn": "the rest of this turn" if self.turns == 1 else amount(self.turns, "turn"),
            "game": "the rest of the game",
        }[self.scope]
        return f"{self.player} makes {what}" if self.scope in ("choice", "unit") else f"{self.player} plays {what}"


def phase_of(step: Step) -> str:
    """What the steps of one phase have in common: what is done, and by whom or in which phase, without its numbers."""
    about = step.about
    while (shorter := _NUMBERED.sub("", about)) != about:
        about = shorter
    return f"{step.name.partition('.')[0]} {about}"


def sets_up(step: Step) -> bool:
    """Whether a step is part of the set-up, before the first turn."""
    return phase_of(step).startswith(("deploy", "setup"))


def unit_of(game: Game[Any], state: Any, question: Question) -> str:
    """The piece that a choice is about, a man's unit for his own; "" when it is about none."""
    return piece_of(game, state, question.actor) if seat_of(question) is not None else ""


def piece_of(game: Game[Any], state: Any, actor: str) -> str:
    """The piece for which something is asked or thrown, a man's unit for his own; "" when it is for none."""
    known = game.umpire_editor().named(state)
    while actor not in known and (shorter := re.sub(r"[./][^./]*$", "", actor)) != actor:
        actor = shorter
    return actor if actor in known else ""


def is_which_man(game: Game[Any], state: Any, question: Question) -> bool:
    """Whether a choice is no more than which man of one unit."""
    if not isinstance(question, Choose) or len(question.options) < 2:
        return False
    known = game.umpire_editor().named(state)
    units = {
        piece_of(game, state, one) if isinstance(one, str) and one not in known else "" for one in question.options
    }
    return len(units) == 1 and "" not in units
