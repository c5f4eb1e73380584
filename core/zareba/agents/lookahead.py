"""Looking ahead: a commander who plays the most promising choices on in his mind before he makes one.

He knows what his seat may see, the rules and the odds, and takes it that both sides go on as doctrine would. He plays
every candidate on with the same dice, so that the choices alone make the difference, and departs from doctrine only where
what he saw is better by more than the luck of those dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any
from zlib import crc32

from zareba.base.exact import total
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.table import (
    Answer,
    Choose,
    Confirm,
    Given,
    OtherwiseAsked,
    Place,
    RememberingTable,
    SeededTable,
)

__all__ = ["LookAhead"]

CANDIDATES = 3
TRIES = 4
LEAST_TRIES = 2
"""With fewer games to compare by he goes by doctrine."""
TURNS = 1
"""How many turns after the present one are played on."""
WIN = 2.0
"""What winning is worth beside all points and all strength, which are worth 1 each."""


def _never() -> bool:
    return False


class LookAhead:
    """Tries out the candidates that doctrine thinks best. `reason` says what came of them.

    Once `enough` says so he decides by what he has seen till then.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int) -> None:
        self._game = game
        self._seat = seat
        self._seed = seed
        self._doctrine = Doctrine(game, seat, seed)
        self._players = {side: Doctrine(game, side, seed) for side in game.seats if side not in game.solo}
        self._start: Any = None
        self._given: Sequence[Given] = ()
        self._seen = ""
        self.enough: Callable[[], bool] = _never

    @property
    def reason(self) -> str:
        """Why the last choice was made; ask before the game goes on."""
        return self._seen or self._doctrine.reason

    def follow(self, start: Any, given: Sequence[Given]) -> None:
        """How the step under way began, and what was answered in it; without it he goes by doctrine."""
        self._start, self._given = start, given

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._seen = ""
        weighed = self._doctrine.weigh(question, state)
        first = self._doctrine.take(question, weighed)
        start, self._start = self._start, None
        if start is None:
            return first
        promising = sorted(weighed, key=lambda one: -one[1])
        others = [answer for answer, _, _ in promising if answer != first][: CANDIDATES - 1]
        if not others:
            return first
        known = [one for one in self._given if one.seen_by(self._seat)]
        try:
            by_doctrine, *tried = self._tries(start, known, question, [first, *others])
        except OtherwiseAsked:  # what he cannot see has already had a part in this step
            return first
        if len(by_doctrine) < LEAST_TRIES:
            return first
        best, gain = first, 0.0
        for answer, leads in zip(others, tried, strict=True):
            gains = [lead - plain for lead, plain in zip(leads, by_doctrine, strict=True)]
            if fmean(gains) > gain and fmean(gains) > stdev(gains) / sqrt(len(gains)):
                best, gain = answer, fmean(gains)
                self._seen = (
                    f"played on {len(gains)} times: {fmean(leads):+.2f}, doctrine's choice {fmean(by_doctrine):+.2f}"
                )
        return best

    def _tries(self, start: Any, known: Sequence[Given], question: Any, answers: Sequence[Answer]) -> list[list[float]]:
        """How far ahead he is after each answer, in so many games as there is time for; the same number of each."""
        rounds: list[list[float]] = []
        for attempt in range(TRIES):
            found: list[float] = []
            for answer in answers:
                if self.enough():
                    return [list(leads) for leads in zip(*rounds, strict=True)] or [[] for _ in answers]
                lead = self._play_on(start, [*known, Given(question, answer)], attempt)
                if lead is not None:
                    found.append(lead)
            if len(found) < len(answers):
                break  # there was no time to play the last of them on
            rounds.append(found)
        return [list(leads) for leads in zip(*rounds, strict=True)]

    def _play_on(self, start: Any, known: Sequence[Given], attempt: int) -> float | None:
        """How far ahead his side is in the end: one game in the mind, some turns long; None where there was no time for it."""
        game = self._game
        luck = crc32(f"{self._seed}/{self._seat}/in the mind/{attempt}".encode())
        state = game.imagine(start, self._seat, luck)
        step = game.next_step(state)
        if step is None:
            raise OtherwiseAsked
        table: SeededTable = RememberingTable(game.rules, state, luck, self._players, known)
        last = step.turn + TURNS
        while step is not None and step.turn <= last:
            if self.enough():
                return None
            table.begin(step)
            game.perform(table, state, step)
            if isinstance(table, RememberingTable):
                table = SeededTable(game.rules, state, luck, self._players)
            step = game.next_step(state)
        return self._lead(state, over=step is None)

    def _lead(self, state: Any, *, over: bool) -> float:
        """How far the seat is ahead of the best of the others: in points, in strength, in having won."""
        game, seat = self._game, self._seat
        outcome, strength = game.outcome(state), game.strength(state)
        others = [side for side in game.seats if side != seat]
        points = outcome.points
        most = total(abs(value) for value in points.values()) or 1.0
        lead = (points[seat] - max(points[side] for side in others)) / most
        lead += strength[seat] - max(strength[side] for side in others)
        if over and outcome.winner is not None:
            lead += WIN if outcome.winner == seat else -WIN
        return lead
