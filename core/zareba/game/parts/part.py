"""The base class of the parts of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from zareba.base.state import Record

if TYPE_CHECKING:
    from zareba.game.game import Game

__all__ = ["Part", "S"]

S = TypeVar("S", bound=Record)


class Part(Generic[S]):
    """A part of a game. `game` is the game that it belongs to; a ruleset declares its own class: `game: HillsGame`."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game
