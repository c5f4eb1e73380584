"""The advisor of a game: it evaluates the options of a choice for AI players, and says which options deserve odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from zareba.battle.evaluation import Evaluation
from zareba.battle.fallbacks import FAULTS, Fallback, first_of_all
from zareba.battle.prospect import prospects
from zareba.game.parts.odds_horizon import HOLDING
from zareba.game.parts.part import Part, S
from zareba.house_rules.hook_function import HookFunction
from zareba.scenario.model import Escort, Hold
from zareba.table.questions import Choose, Confirm, Option, Place, Point, Question

AnsweredQuestion: TypeAlias = Choose | Place | Confirm


class Search(NamedTuple):
    """The search of the AI player `general` under a ruleset (`zareba.agents.general`).

    `turns` is the number of turns played on after the present one, as `Advisor.search_turn` counts them. None plays to
    the end of the battle if `decisions` allow it, else fewer turns. With `sides`, plans for the whole side are compared
    at the first choice of a turn. `units` are the kinds of question at which plans for one unit are compared. `answers`
    are the kinds of question at which single answers are compared, None for all. `decisions` is the most decisions that
    all players make in the playouts of one search. It bounds the time of a search, so a ruleset whose decisions take
    longer needs a smaller number. `errors` is the number of standard errors by which a candidate must be better than
    doctrine. Playouts that end with a turn need more, because the prospect is an estimate. `win` is the value of a win,
    where all points together and all strength together are each worth 1.
    """

    turns: int | None = 1
    sides: bool = True
    units: frozenset[str] = frozenset()
    answers: frozenset[str] | None = None
    decisions: int = 400
    errors: float = 2.0
    win: float = 2.0


class Advisor(Part[S]):
    """Evaluates the answers to a question. This one prefers the first option that does something."""

    search: Search = Search()
    """The search of `general`. The default suits rules that say nothing about it."""

    def evaluate(self, state: S, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        """Return the evaluation of each option, in the order of the options (for Confirm: no, yes)."""
        if isinstance(question, Choose):
            is_act = [option not in HOLDING for option in question.options]
            best = is_act.index(True) if True in is_act else 0
            return [
                Evaluation(steadies=float(number == best), reason="the first option that acts")
                for number in range(len(is_act))
            ]
        count = 2 if isinstance(question, Confirm) else len(question.suggestions)
        return [Evaluation(steadies=float(number == 0), reason="the first option") for number in range(count)]

    def best_places(self, state: S, question: Place) -> Mapping[Point, Evaluation]:
        """Return the evaluation of each suggested point that may be the best, in the order of the suggestions.

        By default these are all points. A ruleset may return fewer if it knows, before it tests which are legal, that
        no player would prefer the rest. It may add legal points that are not suggested, such as a step on the way
        round closed ground.
        """
        return dict(zip(question.suggestions, self.evaluate(state, question), strict=True))

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        """Return the evaluation of each option that may be the best, in the order of the options; see `best_places`."""
        return dict(zip(question.options, self.evaluate(state, question), strict=True))

    def odds_for(self, state: S, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
        """Return which odds to show before `option` is taken (True: answer yes); by default none.

        Each is (title, name of the procedure, facts). For the odds of the next act in the present state, the facts are
        those of `zareba.odds.before_choice`.
        """
        return ()

    def has_odds(self, state: S, question: Question, option: Option) -> bool:
        """Return True if `odds_for` returns any odds. A ruleset may have a cheaper test."""
        return bool(self.odds_for(state, question, option))

    def prospect(self, state: S, seat: str) -> float:
        """Return the share of the scenario's points, 0 to 1, that a side can expect (`zareba.battle.prospect`)."""
        game = self.game
        return prospects(game.scoreboard(state), game.scenario.turns - game.game_turn(state) + 1)[seat]

    def search_turn(self, state: S) -> int:
        """Return the number of the turn by which `Search.turns` counts; by default the game turn."""
        return self.game.game_turn(state)

    def reserve(self, state: S, seat: str) -> float:
        """Return the value of what a side keeps for its next turn, such as cards, as a share of all strength; by
        default 0.
        """
        return 0.0

    def placement(self, state: S, seat: str) -> float:
        """Return the value of the places of a side's units, in figures, for players that simulate every option
        (`zareba.agents.rollout`); by default 0.
        """
        return 0.0

    def ways(
        self, state: S, question: AnsweredQuestion, answers: Sequence[Any], goal: str
    ) -> Sequence[float | None] | None:
        """Return how many turns of moving are left from the end of each answer to an objective.

        None if the question is not about a move, or for an answer whose end is not known. By default only points of a
        free table have an end, and the way is straight.
        """
        if not isinstance(question, Place):
            return None
        board, aim = self.game.scoreboard(state), self.game.scenario.objectives[goal]
        reach = board.objective_area(goal, aim) if isinstance(aim, (Hold, Escort)) else None
        return None if reach is None else [reach.distance(answer) / board.move_length for answer in answers]


class _WrappedAdvisor(Advisor[S]):
    """An advisor that returns the answers of another one. Derived classes change some of them."""

    def __init__(self, inner: Advisor[S]) -> None:
        super().__init__(inner.game)
        self.inner = inner
        self.search = inner.search

    def evaluate(self, state: S, question: AnsweredQuestion) -> Sequence[Evaluation]:
        return self.inner.evaluate(state, question)

    def best_places(self, state: S, question: Place) -> Mapping[Point, Evaluation]:
        return self.inner.best_places(state, question)

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        return self.inner.best_options(state, question)

    def odds_for(self, state: S, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
        return self.inner.odds_for(state, question, option)

    def has_odds(self, state: S, question: Question, option: Option) -> bool:
        return self.inner.has_odds(state, question, option)

    def prospect(self, state: S, seat: str) -> float:
        return self.inner.prospect(state, seat)

    def search_turn(self, state: S) -> int:
        return self.inner.search_turn(state)

    def reserve(self, state: S, seat: str) -> float:
        return self.inner.reserve(state, seat)

    def placement(self, state: S, seat: str) -> float:
        return self.inner.placement(state, seat)

    def ways(
        self, state: S, question: AnsweredQuestion, answers: Sequence[Any], goal: str
    ) -> Sequence[float | None] | None:
        return self.inner.ways(state, question, answers, goal)


class AdvisorWithFallbacks(_WrappedAdvisor[S]):
    """The ruleset's advisor, with simple answers for questions and options of house rules that it does not know."""

    def evaluate(self, state: S, question: AnsweredQuestion) -> Sequence[Evaluation]:
        if not self.game.narrator.knows_question(state, question):
            return first_of_all(question)
        try:
            return self.inner.evaluate(state, question)
        except FAULTS:
            return self._one_by_one(state, question) if isinstance(question, Choose) else first_of_all(question)

    def best_places(self, state: S, question: Place) -> Mapping[Point, Evaluation]:
        if self.game.narrator.knows_question(state, question):
            try:
                return self.inner.best_places(state, question)
            except FAULTS:
                pass
        return Advisor.best_places(self, state, question)

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        if self.game.narrator.knows_question(state, question):
            try:
                return self.inner.best_options(state, question)
            except FAULTS:
                pass
        return Advisor.best_options(self, state, question)

    def odds_for(self, state: S, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
        if isinstance(question, (Choose, Place, Confirm)) and not self.game.narrator.knows_question(state, question):
            return ()
        try:
            return self.inner.odds_for(state, question, option)
        except FAULTS:
            return ()

    def has_odds(self, state: S, question: Question, option: Option) -> bool:
        if isinstance(question, (Choose, Place, Confirm)) and not self.game.narrator.knows_question(state, question):
            return False
        try:
            return self.inner.has_odds(state, question, option)
        except FAULTS:
            return False

    def _one_by_one(self, state: S, question: Choose) -> Sequence[Evaluation]:
        """Evaluate options one at a time if all together fail, as an option may name a unit hidden from the seat.

        Options that fail alone get a lower value than the rest.
        """
        evaluations: dict[Option, Evaluation] = {}
        for option in question.options if len(question.options) > 1 else ():
            try:
                (evaluations[option],) = self.inner.evaluate(state, question._replace(options=(option,)))
            except FAULTS:
                continue
        if not evaluations:
            return first_of_all(question)
        failed = Fallback(suffers=1.0, reason="not known to these rules")
        return [evaluations.get(option, failed) for option in question.options]


class AdvisorInForce(_WrappedAdvisor[S]):
    """An advisor for rules with conditional values: it evaluates with the numbers in force in each state."""

    def __init__(self, inner: Advisor[S], advisor_now: Callable[[S], Advisor[S]]) -> None:
        super().__init__(inner)
        self._advisor_now = advisor_now

    def evaluate(self, state: S, question: AnsweredQuestion) -> Sequence[Evaluation]:
        return self._advisor_now(state).evaluate(state, question)

    def best_places(self, state: S, question: Place) -> Mapping[Point, Evaluation]:
        return self._advisor_now(state).best_places(state, question)

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        return self._advisor_now(state).best_options(state, question)


class AdvisorWithHooks(_WrappedAdvisor[S]):
    """An advisor whose evaluations house rules replace (`zareba_evaluate`), asking each hook once per option."""

    def __init__(self, inner: Advisor[S], hooks: Sequence[HookFunction]) -> None:
        super().__init__(inner)
        self._hooks = hooks

    def evaluate(self, state: S, question: AnsweredQuestion) -> Sequence[Evaluation]:
        if not isinstance(question, Choose):
            return self.inner.evaluate(state, question)

        def by_ruleset(choice: Choose) -> Mapping[Option, Evaluation]:
            return dict(zip(choice.options, self.inner.evaluate(state, choice), strict=True))

        return list(self._with_hooks(by_ruleset, state, question).values())

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        return self._with_hooks(partial(self.inner.best_options, state), state, question)

    def _with_hooks(
        self, by_ruleset: Callable[[Choose], Mapping[Option, Evaluation]], state: S, question: Choose
    ) -> dict[Option, Evaluation]:
        """Return the evaluations of a choice, in the order of its options.

        The ruleset evaluates its own options (`by_ruleset`). Hooks may replace the evaluation of any option. An option
        of a house rule that no hook evaluates gets a `Fallback`.
        """
        added = set(question.added)  # the options of house rules
        own = tuple([option for option in question.options if option not in added])
        evaluations = dict(by_ruleset(question._replace(options=own, added=()) if added else question)) if own else {}
        for number, option in enumerate(question.options):
            for hook in self._hooks:
                call = partial(hook, state=state, question=question, option=option)
                result = hook.call_read_only(state, f"the worth of '{option}'", call)
                if result is not None:
                    if not isinstance(result, Evaluation):
                        raise hook.blame(
                            TypeError(f"for '{option}' it returned {result!r}, which is not an Evaluation")
                        )
                    evaluations[option] = result
            if option not in evaluations and option in added:
                evaluations[option] = Fallback(reason=f"{number + 1} of {len(question.options)}")
        return {option: evaluations[option] for option in question.options if option in evaluations}
