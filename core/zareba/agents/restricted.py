"""A commander who is denied something, to find out what it is worth: he plays as he would, but never takes it.

"doctrine without charge" never answers with an option that begins with the word charge, and says no where he is asked
whether to. Where nothing else is offered he takes it all the same, for play must go on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.game import Game
from zareba.table import Agent, Answer, Choose, Confirm, LazyOptions, Option, Place

__all__ = ["WITHOUT", "Restricted", "restricted"]

WITHOUT = " without "
"""Between a player's name and the word that he is denied."""


class Restricted:
    """Another player, without a word. `met`: the words with which what he was offered began."""

    def __init__(self, player: Agent, word: str) -> None:
        self._player, self._word = player, word
        self.met: set[str] = set()

    @property
    def reason(self) -> str:
        """Why the last choice was made."""
        return str(getattr(self._player, "reason", ""))

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        if isinstance(question, Confirm):
            self.met.add(question.why)
            return question.why != self._word and self._player(question, state)
        if isinstance(question, Choose) and not isinstance(question.options, LazyOptions):
            words = [_word_of(option) for option in question.options]
            self.met.update(words)
            left = [option for option, word in zip(question.options, words, strict=True) if word != self._word]
            if len(left) == 1:
                return left[0]
            if left:
                question = question._replace(options=tuple(left))
        return self._player(question, state)


def _word_of(option: Option) -> str:
    """The word with which an option begins."""
    while isinstance(option, tuple) and option:
        option = option[0]
    return str(option)


def restricted(make: Callable[[Game[Any], str, int], Agent], word: str) -> Callable[[Game[Any], str, int], Agent]:
    """Makes such a player."""

    def made(game: Game[Any], seat: str, seed: int) -> Agent:
        return Restricted(make(game, seat, seed), word)

    return made
