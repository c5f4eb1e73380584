"""A player without one kind of action, to measure what the action is worth.

"doctrine without charge" never chooses an option that begins with the word "charge", and answers no if asked whether
to charge. If nothing else is offered it takes the option, so that play can continue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.game import Game
from zareba.table import Agent, Answer, Choose, Confirm, LazyOptions, LooksAhead, Option, Place

WITHOUT = " without "
"""The separator between a player's name and the forbidden word."""


class Restricted:
    """A player that avoids one word. `offered` holds the first words of the options offered so far."""

    def __init__(self, player: Agent, word: str) -> None:
        self._player, self._word = player, word
        self.offered: set[str] = set()
        if isinstance(player, LooksAhead):
            self.follow = player.follow

    @property
    def reason(self) -> str:
        """The reason for the last choice."""
        return str(getattr(self._player, "reason", ""))

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        if isinstance(question, Confirm):
            self.offered.add(question.why)
            return question.why != self._word and self._player(question, state)
        if isinstance(question, Choose) and not isinstance(question.options, LazyOptions):
            words = [_word_of(option) for option in question.options]
            self.offered.update(words)
            left = [option for option, word in zip(question.options, words, strict=True) if word != self._word]
            if len(left) == 1:
                return left[0]
            if left:
                question = question._replace(options=tuple(left))
        return self._player(question, state)


def _word_of(option: Option) -> str:
    """Return the first word of an option."""
    while isinstance(option, tuple) and option:
        option = option[0]
    return str(option)


def restrict_agent(make: Callable[[Game[Any], str, int], Agent], word: str) -> Callable[[Game[Any], str, int], Agent]:
    """Return a function that creates the restricted player."""

    def made(game: Game[Any], seat: str, seed: int) -> Agent:
        return Restricted(make(game, seat, seed), word)

    return made
