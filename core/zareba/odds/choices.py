"""The odds of a choice: count them over all dice and cards of the next step of play, or sample them if that takes long.

The odds start from the state that the seat may know. The step runs to its end, and so do the following steps that the
ruleset counts as consequences of the choice. Outcomes are changes from the moment of the question: what happened
earlier in the step is no consequence of the choice. A policy, which is part of the odds, answers questions on the way.
If exact enumeration takes too long, the choice is played out many times instead, and the odds are marked as sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from time import perf_counter
from typing import Any, TypeAlias

from zareba.base.memento import key
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.odds.distribution import Distribution, frequencies
from zareba.odds.drivers.exact_enumerator import ExactEnumerator, Leaf
from zareba.odds.drivers.sampler import (
    DeterminismCheck,
    OutOfBudget,
    SampleCount,
    Sampler,
    SamplingBudget,
    endless_loop_error,
)
from zareba.odds.explain import EXPLAINED_PLAYS, ProcedureExplanation, explain_procedure
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, QuestionChanged, Step

Outcome: TypeAlias = Hashable
Policy: TypeAlias = Callable[[Choose | Place | Confirm, Any], Answer]
Describe: TypeAlias = Callable[[Any, Any], Outcome]

MOST_PATHS = 200_000
"""The largest number of paths to enumerate."""
FIRST_ANSWER_SECONDS = 0.05
"""Seconds until there is a first answer."""
ENUMERATION_SHARE = 0.3
"""The share of the time given to exact enumeration before sampling. If it succeeds at all, it usually has by then."""
_EXPLANATION_SECONDS = 0.3
"""Seconds for the plays from which an explanation is drawn."""
_MOST_REJECTED = 8
"""Attempts per play to make up hidden information that fits what the seat has seen."""
FEWEST_PLAYS = 20
"""The smallest number of plays to sample."""
_MOST_PLAYS = 1_000_000
"""The largest number of plays; more do not make the odds noticeably better."""
_GROWTH = 4
"""The factor by which each batch of plays is larger than the one before."""
_LARGEST_BATCH = 20_000
"""The largest batch of plays. Each play may reach a different leaf, and all are stored until the batch is done."""


@dataclass(frozen=True, kw_only=True)
class ChoiceOdds(Distribution):
    """The odds of an answer, with outcomes as described by the caller. `guessed`: hidden information was made up."""

    guessed: bool = False

    def method_text(self) -> str:
        """Return in words how the odds were computed."""
        method = (
            f"sampled from {self.samples:,} {'play' if self.samples == 1 else 'plays'}" if self.samples else "exact"
        )
        return f"{method}; hidden cards and units are guessed" if self.guessed else method


def default_policy(game: Game[Any], seat: str) -> Policy:
    """Return the default policy: the seat that has the choice does nothing more, other players follow `Doctrine`.

    At questions for which the odds horizon `assumes_pass`, the other players do nothing either.
    """
    players = {other: Doctrine(game, other, 1) for other in game.seats if other != seat and other not in game.solo}
    horizon = game.odds_horizon

    def answer(question: Choose | Place | Confirm, state: Any) -> Answer:
        player = players.get(question.seat)
        return horizon.hold(question) if player is None or horizon.assumes_pass(question) else player(question, state)

    return answer


def odds_of(
    game: Game[Any],
    checkpoint: Any,
    given: Sequence[GivenAnswer],
    question: Choose | Place | Confirm,
    answer: Answer,
    describe: Describe | None = None,
    *,
    policy: Policy | None = None,
    paths: int = MOST_PATHS,
    seconds: float = FIRST_ANSWER_SECONDS,
    then: float = 0.2,
    plays: int = FEWEST_PLAYS,
    merging: bool = True,
) -> ChoiceOdds:
    """Return the odds of an answer to a question, asked after the answers `given` in the step from `checkpoint`.

    `describe(before, after)` returns the outcome (by default `Display.changes`); `before` is the state at the question.
    `policy` answers the questions on the way (by default `default_policy`). The odds are exact if `paths` and `seconds`
    are enough for that; otherwise they are sampled for `then` seconds and with at least `plays` plays. Raises
    QuestionChanged if information hidden from the seat has affected the step.
    """
    progress = OddsInProgress(game, checkpoint, given, question, answer, describe, policy=policy, merging=merging)
    if not progress.count(SamplingBudget(paths, seconds)):
        progress.play(then, plays)
    assert progress.odds is not None, "it was enumerated or sampled"
    return progress.odds


class OddsInProgress:
    """The odds of one answer, which improve with the time spent on them. `odds` are the odds so far."""

    def __init__(
        self,
        game: Game[Any],
        checkpoint: Any,
        given: Sequence[GivenAnswer],
        question: Choose | Place | Confirm,
        answer: Answer,
        describe: Describe | None = None,
        *,
        policy: Policy | None = None,
        merging: bool = True,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """The arguments are those of `odds_of`; `clock` returns seconds."""
        self.odds: ChoiceOdds | None = None
        self._game = game
        self._checkpoint = checkpoint
        self._seat = question.seat
        self._known = [
            *(answered for answered in given if answered.seen_by(question.seat)),
            GivenAnswer(question, answer),
        ]
        self._describe = describe
        self._policy = policy or default_policy(game, question.seat)
        self._merging = merging
        self._clock = clock
        self._seconds_used = 0.0
        self._seconds_counted = 0.0
        """The longest time that exact enumeration was given without success."""
        self._counts: Counter[Outcome] = Counter()
        """The number of samples of each outcome."""
        self._batches = 0
        """The number of batches of plays so far; also the seed of the present one."""
        self._batch = FEWEST_PLAYS
        """The number of plays in the present batch."""
        self._plays_per_second = 1 / FIRST_ANSWER_SECONDS
        self._rejected_worlds = 0
        """The number of made-up worlds that did not fit the answers of the step."""
        first, second = self._possible_world(1), self._possible_world(2)
        self._guessed = first != second or first != checkpoint
        self._worlds = [_World(self, world) for world in (first, second)[: 2 if self._guessed else 1]]
        self._determinism: DeterminismCheck | None = None
        with suppress(QuestionChanged):
            self._determinism = DeterminismCheck(game.rules, lambda: self._worlds[0].play_once(1))

    def look(self, seconds: float) -> ChoiceOdds:
        """Return the odds after `seconds` of work in total, continuing from earlier work."""
        while self.odds is None or (self.odds.samples and self._seconds_used < seconds):
            began = self._clock()
            left = max(seconds - self._seconds_used, 0.0)
            to_count = ENUMERATION_SHARE * left
            # After a failure, count again only if there is much more time than before.
            if not (
                to_count >= _GROWTH * self._seconds_counted
                and self.count(SamplingBudget(MOST_PATHS, to_count, self._clock))
            ):
                self._seconds_counted = max(self._seconds_counted, to_count)
                self.play(left - (self._clock() - began), FEWEST_PLAYS if self.odds is None else 0)
            self._seconds_used = max(seconds, self._seconds_used + self._clock() - began)
        return self.odds

    def count(self, budget: SamplingBudget) -> bool:
        """Enumerate every path; return False if the budget is too small or hidden information matters.

        If information is hidden, two possible worlds are enumerated. If they differ, the odds depend on it and cannot
        be exact.
        """
        before = key(self._checkpoint)
        try:
            by_world = [world.count_outcomes(budget) for world in self._worlds]
        except OutOfBudget:
            return False
        finally:
            assert key(self._checkpoint) == before, "odds must not change the game"
            if self._determinism is not None:
                self._determinism.check()
        if any(outcomes != by_world[0] for outcomes in by_world):
            return False
        self.odds = ChoiceOdds(outcomes=by_world[0], guessed=self._guessed)
        return True

    def play(self, seconds: float, fewest: int) -> None:
        """Sample for `seconds`, with at least `fewest` plays; if information is hidden, each in another world."""
        until = self._clock() + seconds
        plays = sum(self._counts.values())
        enough = plays + fewest
        while plays < enough or self._clock() < until:
            self._batch = max(fewest, FEWEST_PLAYS) if plays < enough else min(_GROWTH * self._batch, _LARGEST_BATCH)
            if plays >= enough:
                self._batch = min(
                    self._batch, int((until - self._clock()) * self._plays_per_second), _MOST_PLAYS - plays
                )
            if self._batch < 1:
                break
            began = self._clock()
            self._batches += 1
            if self._guessed:
                self._batch = 1
                self._play_in_another_world()
            else:
                self._counts.update(self._worlds[0].sample_outcomes(SampleCount(self._batch, self._batches)))
            self._plays_per_second = self._batch / (self._clock() - began)
            plays += self._batch
        self.odds = ChoiceOdds(outcomes=frequencies(self._counts), samples=plays, guessed=self._guessed)
        if self._determinism is not None:
            self._determinism.check()

    def explain(self) -> ProcedureExplanation:
        """Return the modifiers and rolls in the odds, from some plays; with hidden information, in different worlds."""
        return explain_procedure(self._tables_to_explain())

    def _tables_to_explain(self) -> Iterator[Sampler]:
        until = perf_counter() + _EXPLANATION_SECONDS
        for play in range(EXPLAINED_PLAYS):
            if play and perf_counter() > until:
                break
            world = _World(self, self._possible_world(play + 1)) if self._guessed else self._worlds[0]
            with suppress(QuestionChanged):
                yield world.play_once(play + 1)[0]

    def _play_in_another_world(self) -> None:
        while True:
            world = self._possible_world(self._batches + self._rejected_worlds)
            try:
                self._counts[_World(self, world).play_once(self._batches)[1]] += 1
            except QuestionChanged:
                self._rejected_worlds += 1
                if self._rejected_worlds > _MOST_REJECTED * self._batches:
                    raise
            else:
                return

    def _possible_world(self, luck: int) -> Any:
        """Return a state that may be the real one, as far as the seat knows."""
        return self._game.sight.determinize(self._checkpoint, self._seat, luck)


class _QuestionReached(BaseException):
    """Raised at the question of the odds. Not an Exception, so that no house rule swallows it."""


class _World:
    """A state that may be the real one, in which an answer is weighed."""

    def __init__(self, progress: OddsInProgress, world: Any) -> None:
        self._odds = progress
        self._world = world

    @cached_property
    def _outcome_of(self) -> Callable[[Any], Outcome]:
        before, describe = self._state_at_question(), self._odds._describe
        return self._odds._game.display.changes_since(before) if describe is None else partial(describe, before)

    def _state_at_question(self) -> Any:
        """Return the state at the question, after the earlier answers of the step."""
        game, state = self._odds._game, self._world.copy()

        def stop(_question: Choose | Place | Confirm, _state: Any) -> Answer:
            raise _QuestionReached

        table = Sampler(game.rules, 1, stop)
        table.begin(state, 1, self._odds._known[:-1])
        with suppress(_QuestionReached):
            while (step := game.play.next_step(state)) is not None:
                table.go_on()
                game.play.perform(table, state, step)
        return state

    def _next_step(self, table: ExactEnumerator | Sampler, state: Any) -> Step | None:
        """Return the next step if it still belongs to the consequences of the answer, else None."""
        game = self._odds._game
        table.go_on()
        step = game.play.next_step(state)
        belongs = step is not None and (table.knows or game.odds_horizon.includes(self._world, state, step))
        return step if belongs else None

    @cached_property
    def _table(self) -> ExactEnumerator:
        odds, draft = self._odds, self._world.copy()
        neutral_answer = partial(odds._game.odds_horizon.neutral_answer, self._world, draft)
        return ExactEnumerator(
            odds._game.rules, draft, odds._policy, neutral_answer=neutral_answer, merging=odds._merging
        )

    def _leaves(self) -> list[Leaf]:
        table, game = self._table, self._odds._game

        def next_act(state: Any, _: object) -> Callable[[], object] | None:
            step = self._next_step(table, state)
            return None if step is None else partial(game.play.perform, table, state, step)

        return table.ends(next_act, self._odds._known, outcome_of=lambda state, _: self._outcome_of(state))

    def count_outcomes(self, budget: SamplingBudget) -> dict[Outcome, Fraction]:
        """Return the probability of each outcome, from every path. Raises OutOfBudget."""
        self._table.budget, self._table.plays = budget, None
        return {leaf.result: leaf.weight for leaf in self._leaves()}

    def sample_outcomes(self, plays: SampleCount) -> dict[Outcome, int]:
        """Return how often each outcome occurs in these plays. The plays share their path until chance separates
        them.
        """
        many = plays.many
        self._table.budget, self._table.plays = SamplingBudget(), plays
        try:
            return {leaf.result: int(leaf.weight * many) for leaf in self._leaves()}
        except OutOfBudget:
            raise endless_loop_error(self._odds._game.rules) from None

    def play_once(self, seed: int) -> tuple[Sampler, Outcome]:
        """Play once; return the table after it and the outcome. Raises QuestionChanged."""
        odds, state = self._odds, self._world.copy()
        table = Sampler(
            odds._game.rules, seed, odds._policy, partial(odds._game.odds_horizon.neutral_answer, self._world, state)
        )
        table.begin(state, seed, odds._known)
        try:
            while (step := self._next_step(table, state)) is not None:
                odds._game.play.perform(table, state, step)
        except OutOfBudget:
            raise endless_loop_error(odds._game.rules) from None
        return table, self._outcome_of(state)
