"""The random player: picks every option with equal chance. It serves as a baseline and as the player of the fuzz
tests.
"""

from __future__ import annotations

from random import Random
from typing import Any

from zareba.game import Game
from zareba.table import Answer, Choose, Confirm, Place, is_lazy


class RandomPlayer:
    """A player that chooses at random. `reason` is always the same."""

    reason = "random choice"

    def __init__(self, game: Game[Any], seat: str, seed: int) -> None:
        self._random = Random(f"{seed}/{seat}").random

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        if isinstance(question, Confirm):
            return self._random() < 0.5
        offered = question.options if isinstance(question, Choose) else question.suggestions
        if is_lazy(offered):
            return offered.any(self._random)
        return offered[int(self._random() * len(offered))]
