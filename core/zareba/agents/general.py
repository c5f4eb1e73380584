"""The general: an AI player that plays the battle on in its mind and departs from doctrine for a clear gain.

It searches in three ways. At the first choice of a turn it compares plans for its whole side, and at the first move of
a unit plans for that unit: each plan gives a script for the rest of the turn, such as careful, bold, or to an objective
(`zareba.agents.scripts`). At choices that the ruleset names, such as cards and orders, it compares the answers that
doctrine rates best. `Advisor.search` of the ruleset says which of these pay.

Each candidate is played on under the real rules, house rules included. Each playout has new dice, a new guess at what is hidden
(`Sight.determinize`) and an enemy of a different temperament; all candidates share them, so only the plans make a difference.
Weak candidates are dropped early (sequential halving). Doctrine stays unless the gain exceeds a standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple
from zlib import crc32

from zareba.agents.rule_aware import RuleAwareDoctrine
from zareba.agents.scripts import BY_DOCTRINE, Script, ScriptedDoctrine, Units, scripts_of
from zareba.base.exact import total
from zareba.battle.prospect import prospects
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

PLAYOUTS = 48
"""The number of playouts of one search, if time does not end it earlier."""
SECONDS = 0.5
"""The time limit, in seconds, up to which `PLAYOUTS` are enough. A longer limit buys more playouts in proportion."""
_SIDE_PLAYOUTS = 2.0
"""A plan for the whole side gets this many times the playouts of a plan for a unit: it is searched once a turn."""
ERRORS = 1.0
"""The number of standard errors by which a candidate must be better than doctrine. At two, most plans that win more
often are refused, because the few playouts of a search show only a gain of a quarter of all wins.
"""
ANSWERS = 4
"""The number of answers compared at one choice, including the one that doctrine would give."""
_FEWEST = 4
"""The fewest playouts of a candidate that can show a gain."""
_TEMPERAMENTS = (BY_DOCTRINE, Script("bold", aggression=1.5), BY_DOCTRINE, Script("cautious", caution=1.5))
"""The temperaments of the enemy, in turn."""
_MOST_STEPS = 20_000
"""The largest number of steps of one playout. A house rule that takes more counts as endless."""
_WIN = 2.0
"""The value of a win. All points together and all strength together are each worth 1."""
_OPEN = 0.5
"""The lead in prospects and strength with which an unfinished battle counts as half won."""


class _Candidate(NamedTuple):
    """Something to play on: an answer to the present question, if any, and the scripts of the side and of its units."""

    answer: GivenAnswer | None
    side: Script
    units: Mapping[str, Script]


def _never() -> bool:
    return False


class General:
    """A player that searches. `reason` explains the last choice; read it before the game continues.

    `playouts` is the number of playouts of one search. The player calls `enough` between the steps of a playout: when it
    returns True, the player decides by the playouts finished so far. `seconds` is the time limit that `enough` keeps,
    None for no limit. Without a time limit the same seed gives the same game.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int, *, playouts: int = PLAYOUTS) -> None:
        self._game, self._seat, self._seed = game, seat, seed
        self._search = game.advisor.search
        self._playouts = playouts
        self._units = Units(game)
        self._scripted = ScriptedDoctrine(game, seat, seed, self._units)
        self._doctrine = (RuleAwareDoctrine if game.rules.runs_code else Doctrine)(game, seat, seed)
        self._scripts = scripts_of(game, seat)
        self._start: Any = None
        self._given: Sequence[GivenAnswer] = ()
        self._search_reason = ""
        self._player: Doctrine = self._doctrine
        self._turn = 0
        self._side = BY_DOCTRINE
        self._plan: Mapping[str, Script] = {}
        self._planned: set[tuple[str, str]] = set()
        """What has been searched in this turn: kinds of question, each with the unit that it was about."""
        self._searches = 0
        self.enough: Callable[[], bool] = _never
        self.seconds: float | None = None

    @property
    def reason(self) -> str:
        """The reason for the last choice."""
        return self._search_reason or self._player.reason

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Set the start of the current step and the answers given in it. Without them the player does not search."""
        self._start, self._given = start, given

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._search_reason = ""
        start, self._start = self._start, None
        turn = self._game.game_turn(state)
        if turn != self._turn:
            self._turn, self._side, self._plan, self._planned = turn, BY_DOCTRINE, {}, set()
        if start is not None and turn > 0:
            try:
                answer = self._search_here(start, question, state)
            except QuestionChanged:  # the step already depends on something hidden from this seat
                answer = None
            if answer is not None:
                return answer.answer
        return self._by_plan(start, question, state)

    def searches_at(self, question: Choose | Place | Confirm, state: Any) -> bool:
        """Return True if the player searches before it answers a question, so that the answer takes time."""
        if (turn := self._game.game_turn(state)) <= 0:
            return False
        planned = self._planned if turn == self._turn else set()
        return (
            (self._search.sides and ("", "") not in planned)
            or self._is_first_of_unit(question, self._unit_of(question, state), planned)
            or self._compares_answers(question)
        )

    # --- what to search ----------------------------------------------------------------------------------------------

    def _search_here(self, start: Any, question: Choose | Place | Confirm, state: Any) -> GivenAnswer | None:
        """Search for plans, which are kept, and for the best answer; return the answer if it is not that of the plan."""
        known = [one for one in self._given if one.seen_by(self._seat)]
        if self._search.sides and ("", "") not in self._planned:
            self._planned.add(("", ""))
            plans = [_Candidate(None, script, {}) for script in self._scripts]
            self._side = self._best_of(start, known, plans, _SIDE_PLAYOUTS).side
        unit = self._unit_of(question, state)
        if self._is_first_of_unit(question, unit, self._planned):
            self._planned.add((question.why, unit))
            now = self._plan.get(unit, self._side)
            scripts = [now, *(script for script in self._scripts if script != now)]
            units = [_Candidate(None, self._side, {**self._plan, unit: script}) for script in scripts]
            self._plan = self._best_of(start, known, units).units
        if not self._compares_answers(question):
            return None
        first = self._by_plan(None, question, state)
        weighed = sorted(self._scripted.weigh(question, state), key=lambda one: -one.value)
        others = [one.answer for one in weighed if one.answer != first][: ANSWERS - 1]
        if not others:
            return None
        answers = [GivenAnswer(question, answer) for answer in (first, *others)]
        best = self._best_of(start, known, [_Candidate(answer, self._side, self._plan) for answer in answers]).answer
        return None if best is answers[0] else best

    def _unit_of(self, question: Choose | Place | Confirm, state: Any) -> str:
        """Return the unit that a question is about; "" for none, or if units get no separate plans."""
        return self._units.of(state, question) if self._search.units else ""

    def _is_first_of_unit(self, question: Choose | Place | Confirm, unit: str, planned: set[tuple[str, str]]) -> bool:
        """Return True for the first question of a turn in which a unit may get a separate plan."""
        return bool(unit) and question.why in self._search.units and (question.why, unit) not in planned

    def _compares_answers(self, question: Choose | Place | Confirm) -> bool:
        """Return True if answers are compared: at the choices that the ruleset names, and at options of house rules."""
        answers = self._search.answers
        return answers is None or question.why in answers or bool(isinstance(question, Choose) and question.added)

    def _by_plan(self, start: Any, question: Choose | Place | Confirm, state: Any) -> Answer:
        """Answer by the script of the unit or of the side, or by doctrine if that is the plan."""
        unit = self._unit_of(question, state)
        if self._plan.get(unit, self._side) is BY_DOCTRINE:
            self._player = self._doctrine
            if isinstance(self._doctrine, RuleAwareDoctrine) and start is not None:
                self._doctrine.enough = self.enough
                self._doctrine.follow(start, self._given)
        else:
            self._player = self._scripted
            self._scripted.follow_plan(self._turn, self._side, self._plan)
        return self._player(question, state)

    # --- the search --------------------------------------------------------------------------------------------------

    def _best_of(
        self, start: Any, known: Sequence[GivenAnswer], candidates: Sequence[_Candidate], times: float = 1.0
    ) -> _Candidate:
        """Return the best candidate by sequential halving; the first unless another is clearly better.

        In each round all candidates left get the same number of playouts with the same dice. Then the worse half and
        all that are not ahead of the first are dropped. The search ends early if only the first is left. The number of
        playouts is multiplied by `times`.
        """
        self._searches += 1
        leads: list[list[float]] = [[] for _ in candidates]
        left = list(range(len(candidates)))
        rounds = max(1, (len(candidates) - 1).bit_length())
        playouts = self._playouts * times * max(1.0, (self.seconds or 0.0) / SECONDS)
        attempt = 0
        for _ in range(rounds):
            for _ in range(max(2, round(playouts / rounds / len(left)))):
                values = self._play_all(start, known, [candidates[one] for one in left], attempt)
                if values is None:
                    return candidates[self._clearly_best(leads, left)]
                for one, value in zip(left, values, strict=True):
                    leads[one].append(value)
                attempt += 1
            of_first = fmean(leads[0])
            ahead = [one for one in left[1:] if fmean(leads[one]) > of_first]
            if not ahead:
                return candidates[0]
            ahead.sort(key=lambda one: -fmean(leads[one]))
            left = [0, *ahead[: max(1, len(left) // 2 - 1)]]
        return candidates[self._clearly_best(leads, left)]

    def _clearly_best(self, leads: Sequence[Sequence[float]], left: Sequence[int]) -> int:
        """Return the number of the candidate that gains most on the first, if the gain is clear; else 0."""
        best, most = 0, 0.0
        for one in left[1:]:
            gains = [lead - first for lead, first in zip(leads[one], leads[0], strict=False)]
            if len(gains) < _FEWEST:
                continue
            gain = fmean(gains)
            if gain > most and gain > ERRORS * stdev(gains) / sqrt(len(gains)):
                best, most = one, gain
                self._search_reason = f"played on {len(gains)} times: {fmean(leads[one]):+.2f}, by doctrine {fmean(leads[0][: len(gains)]):+.2f}"
        return best

    def _play_all(
        self, start: Any, known: Sequence[GivenAnswer], candidates: Sequence[_Candidate], attempt: int
    ) -> list[float] | None:
        """Return the lead after a playout of each candidate with the same dice; None if time ran out."""
        leads = []
        for candidate in candidates:
            lead = self._play_on(start, known, candidate, attempt)
            if lead is None:
                return None
            leads.append(lead)
        return leads

    def _play_on(self, start: Any, known: Sequence[GivenAnswer], candidate: _Candidate, attempt: int) -> float | None:
        """Return the lead of the seat after one playout; None if time ran out."""
        game = self._game
        luck = crc32(f"{self._seed}/{self._seat}/{self._turn}/{self._searches}/{attempt}".encode())
        state = game.sight.determinize(start, self._seat, luck)
        step = game.play.next_step(state)
        if step is None:
            raise QuestionChanged
        players: dict[str, Doctrine] = {
            side: ScriptedDoctrine(game, side, luck, self._units, temper=_TEMPERAMENTS[attempt % len(_TEMPERAMENTS)])
            for side in game.seats
            if side not in game.solo
        }
        players[self._seat] = own = ScriptedDoctrine(game, self._seat, self._seed, self._units)
        own.follow_plan(self._turn, candidate.side, candidate.units)
        given = known if candidate.answer is None else [*known, candidate.answer]
        table: SeededTable = RememberingTable(game.rules, state, luck, players, given)
        turns = self._search.turns
        last_turn = None if turns is None else self._turn + turns
        steps = 0
        while step is not None and (last_turn is None or game.game_turn(state) <= last_turn):
            if self.enough():
                return None
            steps += 1
            if steps > _MOST_STEPS:
                raise endless_loop_error(game.rules)
            table.begin(step)
            game.play.perform(table, state, step)
            if isinstance(table, RememberingTable):
                table = SeededTable(game.rules, state, luck, players)
            step = game.play.next_step(state)
        return self._lead(state, over=step is None)

    def _lead(self, state: Any, *, over: bool) -> float:
        """Return the lead of the seat over the best other side in points (expected ones if the battle goes on), strength
        and victory.
        """
        game, strength = self._game, self._game.strength(state)
        if not over:
            points: Mapping[str, float] = prospects(
                game.scoreboard(state), game.scenario.turns - game.game_turn(state) + 1
            )
            lead = self._ahead(points) + self._ahead(strength)
            return lead + _WIN * lead / (_OPEN + abs(lead))
        outcome = game.play.outcome(state)
        all_points = total(abs(value) for value in outcome.points.values()) or 1.0
        lead = self._ahead(outcome.points) / all_points + self._ahead(strength)
        if outcome.winner is not None:
            lead += _WIN if outcome.winner == self._seat else -_WIN
        return lead

    def _ahead(self, values: Mapping[str, float]) -> float:
        """Return by how much the seat is ahead of the best other side."""
        return values[self._seat] - max(values[side] for side in self._game.seats if side != self._seat)
