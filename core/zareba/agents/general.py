"""The general: an AI player that plays the battle on in its mind and departs from doctrine for a clear gain.

It searches in three ways. At the first choice of a turn it compares plans for its whole side, and at the first move of
a unit plans for that unit: each plan gives a script for the rest of the turn, such as careful, bold, or to an objective
(`zareba.agents.scripts`). At choices that the ruleset names, such as cards and orders, it compares the answers that
doctrine rates best. `Advisor.search` of the ruleset says which of these pay.

`zareba.agents.candidates` plays the candidates on and compares them. Doctrine stays unless the gain is clear
(`Search.errors`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zareba.agents.candidates import Candidate, CandidateComparison, SearchBudget
from zareba.agents.rule_aware import RuleAwareDoctrine
from zareba.agents.scripts import BY_DOCTRINE, Script, ScriptedDoctrine, Units, scripts_of
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.game.parts.play import sets_up
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, QuestionChanged

PLAYOUTS = 48
"""The most playouts of one search. `Search.decisions` of the ruleset may end it earlier."""
SECONDS = 0.5
"""The time limit, in seconds, up to which `PLAYOUTS` are enough. A longer limit buys more playouts in proportion."""
_SIDE_PLAYOUTS = 1.5
"""A plan for the whole side gets this many times the playouts of a plan for a unit: it is searched once a turn."""
ANSWERS = 4
"""The number of answers compared at one choice, including the one that doctrine would give."""


def _never() -> bool:
    return False


class General:
    """A player that searches. `reason` explains the last choice; read it before the game continues.

    `playouts` is the most playouts of one search. The player calls `enough` between the steps of a playout: when it
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
        self._turn, self._sets_up = 0, False
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
        turn, is_setting_up = self._game.game_turn(state), self._is_setting_up(start)
        if (turn, is_setting_up) != (self._turn, self._sets_up):
            self._turn, self._sets_up = turn, is_setting_up
            self._side, self._plan, self._planned = BY_DOCTRINE, {}, set()
        if start is not None and turn > 0:
            try:
                answer = self._search_here(start, question, state)
            except QuestionChanged:  # the step already depends on something hidden from this seat
                answer = None
            if answer is not None:
                return answer.answer
        return self._by_plan(start, question, state)

    def searches_at(self, question: Choose | Place | Confirm, state: Any) -> bool:
        """Return True if the player may search before it answers a question, so that the answer takes time."""
        if (turn := self._game.game_turn(state)) <= 0:
            return False
        planned = self._planned if turn == self._turn and not self._sets_up else set()
        return (
            (self._search.sides and ("", "") not in planned)
            or self._is_first_of_unit(question, self._unit_of(question, state), planned)
            or self._compares_answers(question)
        )

    def _is_setting_up(self, start: Any) -> bool:
        """Return True if the current step is part of the set-up, which gets its own plan."""
        step = None if start is None else self._game.play.next_step(start)
        return self._sets_up if step is None else sets_up(step)

    # --- what to search ----------------------------------------------------------------------------------------------

    def _search_here(self, start: Any, question: Choose | Place | Confirm, state: Any) -> GivenAnswer | None:
        """Search for plans, which are kept, and for the best answer; return the answer if it is not that of the
        plan.
        """
        known = [answered for answered in self._given if answered.seen_by(self._seat)]
        if self._search.sides and ("", "") not in self._planned:
            self._planned.add(("", ""))
            plans = [Candidate(None, script, {}) for script in self._scripts]
            self._side = self._best_of(start, known, plans, _SIDE_PLAYOUTS).side
        unit = self._unit_of(question, state)
        if self._is_first_of_unit(question, unit, self._planned):
            self._planned.add((question.why, unit))
            now = self._plan.get(unit, self._side)
            scripts = [now, *(script for script in self._scripts if script != now)]
            units = [Candidate(None, self._side, {**self._plan, unit: script}) for script in scripts]
            self._plan = self._best_of(start, known, units).units
        if not self._compares_answers(question):
            return None
        first = self._by_plan(None, question, state)
        weighed = sorted(self._scripted.weigh(question, state), key=lambda choice: -choice.value)
        others = [choice.answer for choice in weighed if choice.answer != first][: ANSWERS - 1]
        if not others:
            return None
        answers = [GivenAnswer(question, answer) for answer in (first, *others)]
        best = self._best_of(start, known, [Candidate(answer, self._side, self._plan) for answer in answers]).answer
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
        self, start: Any, known: Sequence[GivenAnswer], candidates: Sequence[Candidate], times: float = 1.0
    ) -> Candidate:
        """Return the best candidate; the first unless another is clearly better. The budget is multiplied by
        `times`.
        """
        self._searches += 1
        times *= max(1.0, (self.seconds or 0.0) / SECONDS)
        playouts = self._playouts * times
        comparison = CandidateComparison(
            self._game,
            self._seat,
            self._units,
            start,
            known,
            candidates,
            seed=self._seed,
            luck=f"{self._seed}/{self._seat}/{self._turn}/{self._searches}",
            turns=self._search.turns,
            errors=self._search.errors,
            win=self._search.win,
            budget=SearchBudget(playouts, self._search.decisions * playouts / PLAYOUTS, self.enough),
        )
        best = comparison.best()
        self._search_reason = comparison.reason or self._search_reason
        return best
