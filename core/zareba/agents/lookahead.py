"""The look-ahead player: simulates the most promising options before it chooses.

It knows the view of its seat, the rules and the odds, and assumes that both sides continue by doctrine. Every
candidate is simulated with the same dice, so that only the choices make a difference. The player departs from doctrine
only if another option is better by more than the standard error.
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
from zareba.odds.drivers.sampler import endless_loop_error
from zareba.table import (
    Answer,
    Choose,
    Confirm,
    GivenAnswer,
    Place,
    QuestionChanged,
    RememberingTable,
    SeededTable,
)

CANDIDATES = 3
"""The number of answers simulated, including the one that doctrine would take."""
TRIES = 4
"""The number of games simulated after each answer."""
_LEAST_TRIES = 2
"""With fewer simulated games per candidate the player follows doctrine."""
_TURNS = 1
"""The number of turns simulated after the present one."""
_MOST_STEPS = 20_000
"""The largest number of steps simulated after one candidate. A house rule that takes more counts as endless."""
_WIN = 2.0
"""Value of a win. All points together and all strength together are each worth 1."""


def _never() -> bool:
    return False


class LookAhead:
    """A player that simulates the candidates that doctrine rates best. `reason` gives the results.

    When `enough` returns True, it decides by the simulations finished so far.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int) -> None:
        self._game = game
        self._seat = seat
        self._seed = seed
        self._doctrine = Doctrine(game, seat, seed)
        self._players = {side: Doctrine(game, side, seed) for side in game.seats if side not in game.solo}
        self._start: Any = None
        self._given: Sequence[GivenAnswer] = ()
        self._result = ""
        self.enough: Callable[[], bool] = _never

    @property
    def reason(self) -> str:
        """The reason for the last choice; read it before the game continues."""
        return self._result or self._doctrine.reason

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Set the start of the current step and the answers given in it. Without them the player follows doctrine."""
        self._start, self._given = start, given

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._result = ""
        weighed = self._doctrine.weigh(question, state)
        first = self._doctrine.take(question, weighed)
        start, self._start = self._start, None
        if start is None:
            return first
        promising = sorted(weighed, key=lambda one: -one.value)
        others = [one.answer for one in promising if one.answer != first][: CANDIDATES - 1]
        if not others:
            return first
        known = [one for one in self._given if one.seen_by(self._seat)]
        try:
            by_doctrine, *by_others = self._simulate(start, known, question, [first, *others])
        except QuestionChanged:  # the step already depends on something hidden from this seat
            return first
        if len(by_doctrine) < _LEAST_TRIES:
            return first
        best, gain = first, 0.0
        for answer, leads in zip(others, by_others, strict=True):
            gains = [lead - doctrine_lead for lead, doctrine_lead in zip(leads, by_doctrine, strict=True)]
            if fmean(gains) > gain and fmean(gains) > stdev(gains) / sqrt(len(gains)):
                best, gain = answer, fmean(gains)
                self._result = (
                    f"simulated {len(gains)} times: {fmean(leads):+.2f}, doctrine's choice {fmean(by_doctrine):+.2f}"
                )
        return best

    def _simulate(
        self, start: Any, known: Sequence[GivenAnswer], question: Any, answers: Sequence[Answer]
    ) -> list[list[float]]:
        """Return the lead of the seat after each answer, one value per simulated game and the same number for each
        answer.
        """
        rounds: list[list[float]] = []
        for attempt in range(TRIES):
            leads: list[float] = []
            for answer in answers:
                if self.enough():
                    break
                lead = self._play_on(start, [*known, GivenAnswer(question, answer)], attempt)
                if lead is not None:
                    leads.append(lead)
            if len(leads) < len(answers):
                break  # time ran out before the last answer was simulated
            rounds.append(leads)
        return [list(by_answer) for by_answer in zip(*rounds, strict=True)] or [[] for _ in answers]

    def _play_on(self, start: Any, known: Sequence[GivenAnswer], attempt: int) -> float | None:
        """Return the lead of the seat after one simulated game of some turns; None if time ran out."""
        game = self._game
        luck = crc32(f"{self._seed}/{self._seat}/in the mind/{attempt}".encode())
        state = game.sight.determinize(start, self._seat, luck)
        step = game.play.next_step(state)
        if step is None:
            raise QuestionChanged
        table: SeededTable = RememberingTable(game.rules, state, luck, self._players, known)
        last_turn = step.turn + _TURNS
        steps = 0
        while step is not None and step.turn <= last_turn:
            if self.enough():
                return None
            steps += 1
            if steps > _MOST_STEPS:
                raise endless_loop_error(game.rules)
            table.begin(step)
            game.play.perform(table, state, step)
            if isinstance(table, RememberingTable):
                table = SeededTable(game.rules, state, luck, self._players)
            step = game.play.next_step(state)
        return self._lead(state, over=step is None)

    def _lead(self, state: Any, *, over: bool) -> float:
        """Return the lead of the seat over the best other side, in points, strength and victory."""
        game, seat = self._game, self._seat
        outcome, strength = game.play.outcome(state), game.strength(state)
        others = [side for side in game.seats if side != seat]
        points = outcome.points
        all_points = total(abs(value) for value in points.values()) or 1.0
        lead = (points[seat] - max(points[side] for side in others)) / all_points
        lead += strength[seat] - max(strength[side] for side in others)
        if over and outcome.winner is not None:
            lead += _WIN if outcome.winner == seat else -_WIN
        return lead
