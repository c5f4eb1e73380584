"""Doctrine: an AI player that works the same way under every ruleset.

The ruleset evaluates each option (losses inflicted and suffered, ground, order). The player weighs the evaluations by
its temper and takes the best. All knowledge of a ruleset is in its evaluations, all judgement is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from zlib import crc32

from zareba.battle.evaluation import Evaluation
from zareba.game import Game
from zareba.table import Answer, Choose, Confirm, Place

Weighed: TypeAlias = "list[tuple[Answer, float, str | Callable[[], str]]]"


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
        self._given: str | Callable[[], str] = ""

    @property
    def reason(self) -> str:
        """The reason for the last choice. Read it before the game goes on: it is found on demand, from the state."""
        given = self._given() if callable(self._given) else self._given
        return (given or "no option looks better")[:80]

    def _lot(self, question: Choose | Place | Confirm) -> int:
        """Return a number to break ties, from the question alone, so that a resumed game goes on in the same way."""
        return crc32(f"{self._seed}/{self._seat}/{question.why}/{question.actor}".encode())

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        return self.take(question, self.weigh(question, state))

    def take(self, question: Choose | Place | Confirm, weighed: Weighed) -> Answer:
        """Return the best of the weighed answers."""
        best = max(worth for _, worth, _ in weighed)
        tied = [one for one in weighed if one[1] >= best - 1e-9]
        answer, _, self._given = tied[self._lot(question) % len(tied)] if len(tied) > 1 else tied[0]
        return answer

    def weigh(self, question: Choose | Place | Confirm, state: Any) -> Weighed:
        """Return the answers worth weighing, in their order, each with its worth to this temper and the reason."""
        return self.worths(*self.appraised(question, state))

    def appraised(
        self, question: Choose | Place | Confirm, state: Any
    ) -> tuple[Sequence[Answer], Sequence[Evaluation]]:
        """Return the answers worth weighing, in their order, and the ruleset's evaluation of each."""
        game, seen = self._game, self._game.sight.view(state, self._seat)
        if isinstance(question, Place):
            places = game.advisor.best_places(seen, question)
            return list(places), list(places.values())
        if isinstance(question, Choose):
            options = game.advisor.best_options(seen, question)
            return list(options), list(options.values())
        return (False, True), game.advisor.evaluate(seen, question)

    def worths(self, answers: Sequence[Answer], appraisals: Sequence[Evaluation]) -> Weighed:
        """Return evaluated answers with their worth to this temper."""
        aggression, caution = self._aggression, self._caution
        return [
            (answer, one.inflicts * aggression - one.suffers * caution + one.ground + one.steadies, one.reason)
            for answer, one in zip(answers, appraisals, strict=True)
        ]
