"""Delegation: an AI player acts for a person during one choice, a unit's activation, a phase, some turns, or until
further notice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from zareba.base.grammar import amount
from zareba.game import Game
from zareba.table import Choose, Question, Step, seat_of

Scope: TypeAlias = Literal["choice", "unit", "phase", "set_up", "turn", "game"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

_NUMBERED = re.compile(r"/.*$|[. ]?[0-9]+$")


@dataclass
class Deputy:
    """An AI player that acts for a seat within a scope. The scope begins at the question of the delegation.

    The scope "unit" covers the choices of `unit` until another unit's turn, the scope "turn" lasts `turns` game turns.
    The scope "set_up" covers the present phase, and the other phases in which a side sets up. `answered` counts the
    questions that the AI player has answered.
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
        """Return True if a choice of the seat is within the scope."""
        if self.scope == "choice":
            return self.answered == 0
        if self.scope == "unit":
            is_offered = self.answered == 0 and self.unit in (getattr(question, "options", None) or ())
            return is_offered or unit_of(game, state, question) == self.unit
        return self.lasts(game, state, step)

    def lasts(self, game: Game[Any], state: Any, step: Step) -> bool:
        """Return True if the delegation is not over: its phase or its turns."""
        if self.scope in ("phase", "set_up"):
            sets_up = self.scope == "set_up" and step.name in game.display.set_up_phases
            return (sets_up or phase_of(step) == self.phase) and game.game_turn(state) == self.turn
        return self.scope != "turn" or game.game_turn(state) < self.turn + self.turns

    def describe(self, game: Game[Any]) -> str:
        """Return the delegation in words."""
        part = {
            "choice": "this choice",
            "unit": f"the choices of {game.narrator.name_of(self.unit)}" if self.unit else "",
            "phase": "the rest of this phase",
            "set_up": "the rest of the set-up",
            "turn": "the rest of this turn" if self.turns == 1 else amount(self.turns, "turn"),
            "game": "the rest of the game",
        }[self.scope]
        return f"the AI player {self.player} {'makes' if self.scope in ('choice', 'unit') else 'plays'} {part}"


def phase_of(step: Step) -> str:
    """Return a key shared by all steps of one phase: the action and the side or phase, without numbers."""
    about = step.about
    while (shorter := _NUMBERED.sub("", about)) != about:
        about = shorter
    return f"{step.name.partition('.')[0]} {about}"


def unit_of(game: Game[Any], state: Any, question: Question) -> str:
    """Return the piece that a choice is about (for a figure, its unit); "" if there is none."""
    return piece_of(game, state, question.actor) if seat_of(question) is not None else ""


def piece_of(game: Game[Any], state: Any, actor: str) -> str:
    """Return the piece that a question or throw is for (for a figure, its unit); "" if there is none."""
    pieces = game.umpire_editor().piece_holders(state)
    while actor not in pieces and (shorter := re.sub(r"[./][^./]*$", "", actor)) != actor:
        actor = shorter
    return actor if actor in pieces else ""


def only_selects_figure(game: Game[Any], state: Any, question: Question) -> bool:
    """Return True if a choice only selects a figure within one unit."""
    if not isinstance(question, Choose) or len(question.options) < 2:
        return False
    pieces = game.umpire_editor().piece_holders(state)
    options = question.options
    are_figures = all(isinstance(option, str) and option not in pieces for option in options)
    units = {piece_of(game, state, str(option)) for option in options} if are_figures else set()
    return len(units) == 1 and "" not in units
