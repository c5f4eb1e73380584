"""Doctrine: an AI player that works the same way under every ruleset.

The ruleset evaluates each option (`zareba.battle.evaluation.Evaluation`: losses inflicted and suffered, ground gained,
units steadied). The player weighs the evaluations by its temper and takes the best. All knowledge of a ruleset is in
its evaluations; the preferences of the player are here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from zareba.base.speedups import new_tuple
from zareba.battle.evaluation import Evaluation
from zareba.game import Game
from zareba.table import Answer, Choose, Confirm, Place


class WeighedAnswer(NamedTuple):
    """An answer with its value to a player."""

    answer: Answer
    value: float
    """The value for the temper of the player, in shares of a unit's strength."""
    reason: str | Callable[[], str]
    """The reason for the value, or a function that returns it."""


class Doctrine:
    """An AI player that weighs evaluations by its temper.

    It counts losses inflicted `aggression` times and losses suffered `caution` times; the default of 1 and 1 is a
    steady officer. `reason` explains the last choice in at most 80 characters.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int, *, aggression: float = 1.0, caution: float = 1.0) -> None:
        self._game = game
        self._seat = seat
        self._aggression = aggression
        self._caution = caution
        self._seed = seed
        self._reason: str | Callable[[], str] = ""

    @property
    def reason(self) -> str:
        """The reason for the last choice.

        Read it before the game continues: a reason may be a function that computes the text from the state.
        """
        reason = self._reason() if callable(self._reason) else self._reason
        return (reason or "no option looks better")[:80]

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        return self.take(question, self.weigh(question, state))

    def weigh(self, question: Choose | Place | Confirm, state: Any) -> list[WeighedAnswer]:
        """Return the answers that the ruleset evaluates, in their order, with their value to this player."""
        return self.weigh_evaluations(*self.evaluations(question, state))

    def evaluations(
        self, question: Choose | Place | Confirm, state: Any
    ) -> tuple[Sequence[Answer], Sequence[Evaluation]]:
        """Return the answers that the ruleset evaluates, in their order, and the evaluation of each."""
        game, view = self._game, self._game.sight.view(state, self._seat)
        if isinstance(question, Place):
            places = game.advisor.best_places(view, question)
            return list(places), list(places.values())
        if isinstance(question, Choose):
            options = game.advisor.best_options(view, question)
            return list(options), list(options.values())
        return (False, True), game.advisor.evaluate(view, question)

    def weigh_evaluations(self, answers: Sequence[Answer], evaluations: Sequence[Evaluation]) -> list[WeighedAnswer]:
        """Return evaluated answers with their value to this player."""
        aggression, caution = self._aggression, self._caution
        return [
            new_tuple(
                WeighedAnswer,
                (
                    answer,
                    evaluation.inflicts * aggression
                    - evaluation.suffers * caution
                    + evaluation.ground
                    + evaluation.steadies,
                    evaluation.reason,
                ),
            )
            for answer, evaluation in zip(answers, evaluations, strict=True)
        ]

    def take(self, question: Choose | Place | Confirm, weighed: Sequence[WeighedAnswer]) -> Answer:
        """Return the answer with the highest value, and keep its reason."""
        highest = max([evaluation.value for evaluation in weighed])
        tied = [evaluation for evaluation in weighed if evaluation.value >= highest - 1e-9]
        best = tied[self._tie_breaker(question) % len(tied)] if len(tied) > 1 else tied[0]
        self._reason = best.reason
        return best.answer

    def _tie_breaker(self, question: Choose | Place | Confirm) -> int:
        """Return a number that depends on the seed and the question alone, so that a resumed game continues in the same
        way.
        """
        return crc32(f"{self._seed}/{self._seat}/{question.why}/{question.actor}".encode())
