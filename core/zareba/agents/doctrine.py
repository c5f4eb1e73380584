"""Doctrine: a commander with sense, the same under every rule system.

A ruleset appraises each option (losses dealt and taken, ground, order); the commander weighs the appraisals by his
temper and takes the best. All knowledge of a system lies in its appraisals, all judgement here.
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

from zareba.ruleset import Appraisal, Game
from zareba.table import Answer, Choose, Confirm, Place

__all__ = ["Doctrine"]


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
        self.reason = ""

    def worth(self, appraisal: Appraisal) -> float:
        """One number for an appraisal."""
        return (
            appraisal.inflicts * self._aggression
            - appraisal.suffers * self._caution
            + appraisal.ground
            + appraisal.steadies
        )

    def _lot(self, question: Choose | Place | Confirm) -> int:
        """Breaks ties by the question itself, so that a resumed game goes on as it would have gone."""
        return crc32(f"{self._seed}/{self._seat}/{question.why}/{question.actor}".encode())

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        game = self._game
        appraisals = game.appraise(game.view(state, self._seat), question)
        worths = [self.worth(appraisal) for appraisal in appraisals]
        best = max(worths)
        tied = [index for index, worth in enumerate(worths) if worth >= best - 1e-9]
        index = tied[self._lot(question) % len(tied)] if len(tied) > 1 else tied[0]
        reason = appraisals[index].reason
        self.reason = ((reason() if callable(reason) else reason) or f"as good as any (worth {best:.2f})")[:80]
        if isinstance(question, Choose):
            return question.options[index]
        return question.suggestions[index] if isinstance(question, Place) else bool(index)
