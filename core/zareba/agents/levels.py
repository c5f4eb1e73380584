"""The levels of AI players below `general`: recruit, regular and veteran.

A recruit and a regular evaluate as doctrine does, with errors; a veteran searches as a general
does, but with fewer playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from math import sqrt
from statistics import median
from typing import Any

from zareba.agents.general import PLAYOUTS, General
from zareba.agents.rollout import RolloutAgent
from zareba.battle.evaluation import Evaluation
from zareba.game import Game
from zareba.game.doctrine import Doctrine, WeighedAnswer
from zareba.table import Agent, Answer, Choose, Confirm, Place

RECRUIT, REGULAR = 0.4, 0.15
"""The standard deviation of the errors of a recruit and of a regular, as a multiple of the usual difference of values.
"""
VETERAN = PLAYOUTS // 3
"""The number of playouts of a veteran's search."""
_DRAWN = 12
"""The number of uniform numbers whose sum is a nearly normal one."""


class FallibleDoctrine(Doctrine):
    """Doctrine that misjudges each answer by a normal error.

    Its standard deviation is `error` times the median difference between the best answer and another one, so that
    the same error makes a player equally fallible under rules whose values differ less. The same seed gives the same
    errors. A choice that comes again in a turn has none, because a free action could otherwise be repeated forever.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int, *, error: float) -> None:
        super().__init__(game, seat, seed)
        self._error = error
        self._about = ""
        self._turn = -1
        self._choices_of_turn: set[tuple[str, tuple[Answer, ...]]] = set()

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        turn = self._game.game_turn(state)
        if turn != self._turn:
            self._turn, self._choices_of_turn = turn, set()
        self._about = f"{self._seed}/{self._seat}/{turn}/{question.why}/{question.actor}"
        return super().__call__(question, state)

    def weigh_evaluations(self, answers: Sequence[Answer], evaluations: Sequence[Evaluation]) -> list[WeighedAnswer]:
        """Return evaluated answers with the value that this player sees in them."""
        weighed = super().weigh_evaluations(answers, evaluations)
        choice = self._about, tuple(answers)
        if len(weighed) < 2 or choice in self._choices_of_turn:
            return weighed
        self._choices_of_turn.add(choice)
        best, *others = sorted((one.value for one in weighed), reverse=True)
        error = self._error * median(best - value for value in others)
        return [one._replace(value=one.value + error * self._draw(one.answer)) for one in weighed]

    def _draw(self, answer: Answer) -> float:
        """Return a number that belongs to an answer: nearly normal, with mean 0 and standard deviation 1."""
        key = blake2b(f"{self._about}/{answer}".encode(), digest_size=_DRAWN).digest()
        return float((sum(key) / 255 - _DRAWN / 2) * sqrt(12 / _DRAWN))


def general_agent(game: Game[Any], seat: str, seed: int, *, playouts: int = PLAYOUTS) -> Agent:
    """Return the general for a game; a `RolloutAgent` if its rules evaluate nothing, because plans need evaluations."""
    if not game.has_evaluation:
        return RolloutAgent(game, seat, seed)
    return General(game, seat, seed, playouts=playouts)


LEVELS: dict[str, Callable[[Game[Any], str, int], Agent]] = {
    "recruit": partial(FallibleDoctrine, error=RECRUIT),
    "regular": partial(FallibleDoctrine, error=REGULAR),
    "veteran": partial(general_agent, playouts=VETERAN),
    "general": general_agent,
}
"""The levels, weakest first."""
