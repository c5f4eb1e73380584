"""Compare candidates by playing the battle on: plans of a side or a unit, or answers to the present question.

Each candidate is played on under the real rules, house rules included. Each playout has new dice, a new guess at what
is hidden (`Sight.determinize`) and an enemy of a different temperament. All candidates share them, so only the
candidates make a difference. Weak candidates are dropped early (sequential halving). Before a plan replaces doctrine,
playouts to the end of the battle check it if they are short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple
from zlib import crc32

from zareba.agents.scripts import BY_DOCTRINE, Script, ScriptedDoctrine, Units
from zareba.base.exact import total
from zareba.base.memento import key
from zareba.battle.prospect import prospects
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.odds.drivers.sampler import endless_loop_error
from zareba.table import GivenAnswer, QuestionChanged, RememberingTable, SeededTable

_FEWEST = 4
"""The fewest playouts of a candidate that can show a gain."""
_BOLD, _CAUTIOUS, _WAITING = (
    Script("bold", aggression=1.5),
    Script("cautious", caution=1.5),
    Script("waiting", holds=True),
)
_TEMPERAMENTS = BY_DOCTRINE, _BOLD, BY_DOCTRINE, _CAUTIOUS
"""The temperaments of the enemy, in turn."""
_IN_CHECKS = BY_DOCTRINE, _WAITING, _BOLD, BY_DOCTRINE, _WAITING, _CAUTIOUS
"""The temperaments of the enemy, in turn, in playouts that check a plan."""
_LENGTH = 1 / 32
"""The share of a search's decisions after which a playout ends, at the end of a turn. A playout without losses goes on,
because the prospect knows ways, not danger.
"""
_MOST_CHECKS = 12
"""The most playouts to the end of the battle that check a plan."""
_SHORTENS = 2.0
"""How much too long the expected playout to the end usually is: towards the end fewer units move."""
_MOST_STEPS = 20_000
"""The largest number of steps of one playout. A house rule that takes more counts as endless."""
_OPEN = 0.5
"""The lead in prospects and strength with which an unfinished battle counts as half won."""


class Candidate(NamedTuple):
    """Something to play on: an answer to the present question, if any, and the scripts of the side and of its units."""

    answer: GivenAnswer | None
    side: Script
    units: Mapping[str, Script]


class SearchBudget:
    """The unused part of a search: `playouts` of its candidates, and `decisions` of all players in them.

    The number of decisions bounds the time of a search and does not depend on the machine. `enough` may end the search
    earlier.
    """

    def __init__(self, playouts: float, decisions: float, enough: Callable[[], bool]) -> None:
        self.playouts, self.decisions, self.enough = playouts, decisions, enough
        self.left = decisions


class _OutOfBudget(Exception):
    """Raised in a playout for which the budget does not suffice."""


class _Playout:
    """A battle played on in the mind. `own` is the player of the seat, `decisions` counts the decisions of all
    players.
    """

    def __init__(
        self,
        game: Game[Any],
        state: Any,
        luck: int,
        own: ScriptedDoctrine,
        players: Mapping[str, Doctrine],
        given: Sequence[GivenAnswer],
    ) -> None:
        self.state, self.own, self.decisions = state, own, 0
        self._game, self._luck, self._players = game, luck, players
        self._table: SeededTable = RememberingTable(game.rules, state, luck, players, given)
        self._steps = 0
        self._step = game.play.next_step(state)
        if self._step is None:
            raise QuestionChanged

    @property
    def over(self) -> bool:
        """True if the battle is over."""
        return self._step is None

    def play(self, last_turn: float, budget: SearchBudget) -> None:
        """Play to the end of a turn or of the battle. Raise _OutOfBudget if the budget does not suffice."""
        game, state = self._game, self.state
        while self._step is not None and game.advisor.search_turn(state) <= last_turn:
            if budget.left <= 0 or budget.enough():
                raise _OutOfBudget
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise endless_loop_error(game.rules)
            table = self._table
            before = sum(table.decisions.values())
            table.begin(self._step)
            game.play.perform(table, state, self._step)
            decisions = sum(table.decisions.values()) - before
            self.decisions += decisions
            budget.left -= decisions
            if isinstance(table, RememberingTable):
                self._table = SeededTable(game.rules, state, self._luck, self._players)
            self._step = game.play.next_step(state)


class CandidateComparison:
    """A comparison of candidates, played on from the start of the current step.

    `known` are the answers given in the step so far, as far as the seat may know them. The first candidate is the one
    to keep unless another is clearly better. Comparisons with the same `luck` have the same dice. `turns` is the number
    of turns played on after the present one (`Advisor.search_turn`); None ends playouts by the budget. A candidate is
    clearly better if its gain exceeds `errors` standard errors. `win` is the value of a win.
    """

    def __init__(
        self,
        game: Game[Any],
        seat: str,
        units: Units,
        start: Any,
        known: Sequence[GivenAnswer],
        candidates: Sequence[Candidate],
        *,
        seed: int,
        luck: str,
        turns: int | None,
        errors: float,
        win: float,
        budget: SearchBudget,
    ) -> None:
        self._game, self._seat, self._units = game, seat, units
        self._start, self._known, self._candidates = start, known, candidates
        self._seed, self._luck, self._budget = seed, luck, budget
        self._turn, self._search_turn = game.game_turn(start), game.advisor.search_turn(start)
        self._last_turn: float | None = None if turns is None else self._search_turn + turns
        self._may_end = turns is None
        self._temperaments: Sequence[Script] = _TEMPERAMENTS
        self._leads: list[list[float]] = [[] for _ in candidates]
        self._left = list(range(len(candidates)))
        self._attempts, self._errors, self._win = 0, errors, win
        self.reason = ""

    def best(self) -> Candidate:
        """Return the best candidate; the first unless another is clearly better. `reason` then says by how much."""
        with suppress(_OutOfBudget):
            self._halve()
        best = self._clearly_best()
        if best and self._may_end and not self._is_confirmed(best):
            best, self.reason = 0, ""
        return self._candidates[best]

    def _halve(self) -> None:
        """Play all candidates in rounds. After each round drop the worse half and all that are not ahead of the first.

        The comparison ends early if only the first is left.
        """
        budget, leads = self._budget, self._leads
        self._left = self._attempt_first()
        rounds = max(1, (len(self._left) - 1).bit_length())
        for number in range(1, rounds + 1):
            if len(self._left) == 1:
                return
            attempts = self._attempts + max(1, round(budget.playouts / rounds / len(self._left)))
            reserve = budget.decisions * (rounds - number) / rounds
            while self._attempts < attempts and budget.left > reserve:
                self._attempt()
            first = fmean(leads[0])
            ahead = sorted(
                (number for number in self._left[1:] if fmean(leads[number]) > first),
                key=lambda number: -fmean(leads[number]),
            )
            self._left = [0, *ahead[: max(1, len(self._left) // 2 - 1)]]

    def _clearly_best(self) -> int:
        """Return the number of the candidate that gains most on the first, if the gain is clear; else 0."""
        leads, best, most = self._leads, 0, 0.0
        for number in self._left[1:]:
            gains = [lead - first for lead, first in zip(leads[number], leads[0], strict=False)]
            if len(gains) < _FEWEST:
                continue
            gain = fmean(gains)
            if gain > most and self._is_clear(gains):
                best, most = number, gain
                self.reason = f"played on {len(gains)} times: {fmean(leads[number]):+.2f}, by doctrine {fmean(leads[0][: len(gains)]):+.2f}"
        return best

    def _is_clear(self, gains: Sequence[float]) -> bool:
        """Return True if the mean gain exceeds the limit of standard errors."""
        return fmean(gains) > self._errors * stdev(gains) / sqrt(len(gains))

    def _is_confirmed(self, best: int) -> bool:
        """Return False if new playouts to the end of the battle show no gain of a candidate, or a loss against an
        enemy who waits.

        A playout that ends early sees the losses of an advance, but not always what it wins. If the end is too far
        away for the budget, there is no check.
        """
        game, budget, leads = self._game, self._budget, self._leads
        if self._last_turn is None or budget.enough():
            return True
        if self._last_turn != inf:
            spent = (budget.decisions - budget.left) / total(map(len, leads))
            turns_played, turns_left = self._last_turn - self._search_turn + 1, game.scenario.turns - self._turn + 1
            if budget.decisions * _SHORTENS < 2 * _FEWEST * spent * turns_left / turns_played:
                return True
        budget.left, self._last_turn = budget.decisions, inf
        self._left, self._leads, self._temperaments = [0, best], [[] for _ in leads], _IN_CHECKS
        first = self._attempts
        with suppress(_OutOfBudget):
            for _ in range(_MOST_CHECKS):
                self._attempt()
        gains = [lead - first for lead, first in zip(self._leads[best], self._leads[0], strict=False)]
        waiting = [gain for number, gain in enumerate(gains, first) if self._temper(number) is _WAITING]
        return len(gains) < _FEWEST or (fmean(gains) > 0 and fmean(waiting) >= 0)

    def _temper(self, attempt: int) -> Script:
        """Return the temperament of the enemy in an attempt."""
        return self._temperaments[attempt % len(self._temperaments)]

    # --- playouts ----------------------------------------------------------------------------------------------------

    def _attempt_first(self) -> list[int]:
        """Play each candidate once. Return those that play this turn differently from all before them.

        The same answers in another order are no difference if they lead to the same state.
        """
        left, played, results = [], set[tuple[Any, ...]](), set[tuple[Any, ...]]()
        luck, world = self._guess()
        for number, candidate in enumerate(self._candidates):
            playout = self._playout(number, luck, world)
            playout.play(self._search_turn, self._budget)
            answers = candidate.answer and candidate.answer.answer, *playout.own.answers
            result = frozenset(Counter(answers).items()), key(playout.state)
            if answers in played or result in results:
                continue
            played.add(answers)
            results.add(result)
            left.append(number)
            if self._last_turn is None:
                self._last_turn = self._find_last_turn(playout)
            self._finish(number, playout)
        self._attempts += 1
        return left

    def _attempt(self) -> None:
        """Play each candidate that is left once more, with the same dice."""
        luck, world = self._guess()
        for number in self._left:
            self._finish(number, self._playout(number, luck, world))
        self._attempts += 1

    def _find_last_turn(self, playout: _Playout) -> float:
        """Play on, and return the turn after which playouts end: the first in which this playout is long and men have
        fallen.
        """
        game, length = self._game, self._budget.decisions * _LENGTH
        strength = game.strength(self._start)
        while not playout.over and (playout.decisions < length or game.strength(playout.state) == strength):
            playout.play(game.advisor.search_turn(playout.state), self._budget)
        return inf if playout.over else game.advisor.search_turn(playout.state) - 1

    def _finish(self, number: int, playout: _Playout) -> None:
        """Play a playout to its end, and note the lead of the seat."""
        assert self._last_turn is not None, "set by the first playout"
        playout.play(self._last_turn, self._budget)
        self._leads[number].append(self._lead(playout.state, over=playout.over))

    def _guess(self) -> tuple[int, Any]:
        """Return the seed of an attempt, and the battle with a guess of what is hidden."""
        luck = crc32(f"{self._luck}/{self._attempts}".encode())
        return luck, self._game.sight.determinize(self._start, self._seat, luck)

    def _playout(self, number: int, luck: int, world: Any) -> _Playout:
        game, candidate = self._game, self._candidates[number]
        temper = self._temper(self._attempts)
        players: dict[str, Doctrine] = {
            side: ScriptedDoctrine(game, side, luck, self._units, temper=temper)
            for side in game.seats
            if side not in game.solo
        }
        players[self._seat] = own = ScriptedDoctrine(game, self._seat, self._seed, self._units)
        own.follow_plan(self._turn, candidate.side, candidate.units)
        given = self._known if candidate.answer is None else [*self._known, candidate.answer]
        return _Playout(game, world.copy(), luck, own, players, given)

    def _lead(self, state: Any, *, over: bool) -> float:
        """Return the lead of the seat over the best other side in points (expected ones if the battle goes on),
        strength and victory.
        """
        game, strength, win = self._game, self._game.strength(state), self._win
        if not over:
            points: Mapping[str, float] = prospects(
                game.scoreboard(state), game.scenario.turns - game.game_turn(state) + 1
            )
            lead = self._ahead(points) + self._ahead(strength) + game.advisor.reserve(state, self._seat)
            return lead + win * lead / (_OPEN + abs(lead))
        outcome = game.play.outcome(state)
        all_points = total(abs(value) for value in outcome.points.values()) or 1.0
        lead = self._ahead(outcome.points) / all_points + self._ahead(strength)
        if outcome.winner is not None:
            lead += win if outcome.winner == self._seat else -win
        return lead

    def _ahead(self, values: Mapping[str, float]) -> float:
        """Return by how much the seat is ahead of the best other side."""
        return values[self._seat] - max(values[side] for side in self._game.seats if side != self._seat)
