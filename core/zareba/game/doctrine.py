"""Doctrine: a commander with sense, the same under every rule system.

A ruleset appraises each option (losses dealt and taken, ground, order); the commander weighs the appraisals by his
temper and takes the best. All knowledge of a system lies in its appraisals, all judgement here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from zlib import crc32

from zareba.battle.evaluation import Evaluation
from zareba.game import Game
from zareba.table import Answer, Choose, Confirm, Place

__all__ = ["Doctrine", "Weighed"]

Weighed: TypeAlias = "list[tuple[Answer, float, str | Callable[[], str]]]"


class Doctrine:
    """Weighs appraisals: `aggression` times the losses dealt, `caution` times those taken; 1 and 1 is a steady officer.

    `reason` says why the last choice was made, in at most 80 characters.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int, *, aggression: float = 1.0, caution: float = 1.0) -> None:
        self._game = game
        self._seat = seat
        self._aggression = aggression
        self._caution = caution
        self._seed = seed
        self._given: str | Callable[[], str] = ""
        self._worth = 0.0

    @property
    def reason(self) -> str:
        """Why the last choice was made. Ask before the game goes on: the words are found only now, from the state."""
        given = self._given() if callable(self._given) else self._given
        return (given or f"as good as any (worth {self._worth:.2f})")[:80]

    def _lot(self, question: Choose | Place | Confirm) -> int:
        """Breaks ties by the question itself, so that a resumed game goes on as it would have gone."""
        return crc32(f"{self._seed}/{self._seat}/{question.why}/{question.actor}".encode())

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        return self.take(question, self.weigh(question, state))

    def take(self, question: Choose | Place | Confirm, weighed: Weighed) -> Answer:
        """The best of the answers weighed."""
        best = max(worth for _, worth, _ in weighed)
        tied = [one for one in weighed if one[1] >= best - 1e-9]
        answer, _, self._given = tied[self._lot(question) % len(tied)] if len(tied) > 1 else tied[0]
        self._worth = best
        return answer

    def weigh(self, question: Choose | Place | Confirm, state: Any) -> Weighed:
        """The answers worth weighing, in their order: each with what it is worth to this temper, and the reason."""
        return self.worths(*self.appraised(question, state))

    def appraised(
        self, question: Choose | Place | Confirm, state: Any
    ) -> tuple[Sequence[Answer], Sequence[Evaluation]]:
        """The answers worth weighing, in their order, and what the ruleset says of each."""
        game, seen = self._game, self._game.view(state, self._seat)
        if isinstance(question, Place):
            places = game.best_places(seen, question)
            return list(places), list(places.values())
        if isinstance(question, Choose):
            options = game.best_options(seen, question)
            return list(options), list(options.values())
        return (False, True), game.evaluate(seen, question)

    def worths(self, answers: Sequence[Answer], appraisals: Sequence[Evaluation]) -> Weighed:
        """What appraised answers are worth to this temper."""
        aggression, caution = self._aggression, self._caution
        return [
            (answer, one.inflicts * aggression - one.suffers * caution + one.ground + one.steadies, one.reason)
            for answer, one in zip(answers, appraisals, strict=True)
        ]
