"""The advisor of a game: what each option is worth to an AI player, and which options deserve odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from zareba.battle.evaluation import Evaluation
from zareba.battle.fallbacks import FAULTS, Fallback, first_of_all
from zareba.game.parts.odds_horizon import HOLDING
from zareba.game.parts.part import Part, S
from zareba.house_rules.hook_function import HookFunction
from zareba.table.questions import Choose, Confirm, Option, Place, Point, Question

Asked: TypeAlias = Choose | Place | Confirm


class Advisor(Part[S]):
    """Evaluates the answers to a question. This one prefers the first option that does something."""

    def evaluate(self, state: S, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        """Return the evaluation of each option, in the order of the options (for Confirm: no, yes)."""
        if isinstance(question, Choose):
            acts = [option not in HOLDING for option in question.options]
            best = acts.index(True) if True in acts else 0
            return [
                Evaluation(steadies=float(number == best), reason="the first option that acts")
                for number in range(len(acts))
            ]
        count = 2 if isinstance(question, Confirm) else len(question.suggestions)
        return [Evaluation(steadies=float(not number), reason="the first option") for number in range(count)]

    def best_places(self, state: S, question: Place) -> Mapping[Point, Evaluation]:
        """Return the suggested points worth weighing, in their order, each with its evaluation.

        By default these are all of them. A ruleset may return fewer if it knows the most promising ones, for any
        temper, before it tests which are legal.
        """
        return dict(zip(question.suggestions, self.evaluate(state, question), strict=True))

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        """Return the options worth weighing, in their order, each with its evaluation; see `best_places`."""
        return dict(zip(question.options, self.evaluate(state, question), strict=True))

    def odds_for(self, state: S, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
        """Return the odds worth showing before `option` is taken (True: answer yes); by default none.

        Each is (title, procedure, facts). The facts may be the next act in the present state: see
        `zareba.odds.before_choice`.
        """
        return ()

    def has_odds(self, state: S, question: Question, option: Option) -> bool:
        """Return True if there are odds worth showing before `option` is taken. A ruleset may have a cheaper test."""
        return bool(self.odds_for(state, question, option))

    def prospect(self, state: S, seat: str) -> float:
        """Return a number for how well a side is placed to reach the scenario's objectives; by default 0 (unknown)."""
        return 0.0


class _WrappedAdvisor(Advisor[S]):
    """An advisor that passes on what another one says."""

    def __init__(self, inner: Advisor[S]) -> None:
        super().__init__(inner.game)
        self.inner = inner

    def evaluate(self, state: S, question: Asked) -> Sequence[Evaluation]:
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


class AdvisorWithFallbacks(_WrappedAdvisor[S]):
    """The ruleset's advisor, with simple answers for questions and options of house rules that it does not know."""

    def evaluate(self, state: S, question: Asked) -> Sequence[Evaluation]:
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
        found: dict[Option, Evaluation] = {}
        for option in question.options if len(question.options) > 1 else ():
            try:
                (found[option],) = self.inner.evaluate(state, question._replace(options=(option,)))
            except FAULTS:
                continue
        if not found:
            return first_of_all(question)
        failed = Fallback(suffers=1.0, reason="not known to these rules")
        return [found.get(option, failed) for option in question.options]


class AdvisorInForce(_WrappedAdvisor[S]):
    """The advisor of the rules in force: numbers may change while a condition holds."""

    def __init__(self, inner: Advisor[S], advisor_now: Callable[[S], Advisor[S]]) -> None:
        super().__init__(inner)
        self._advisor_now = advisor_now

    def evaluate(self, state: S, question: Asked) -> Sequence[Evaluation]:
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

    def evaluate(self, state: S, question: Asked) -> Sequence[Evaluation]:
        if not isinstance(question, Choose):
            return self.inner.evaluate(state, question)

        def known(asked: Choose) -> Mapping[Option, Evaluation]:
            return dict(zip(asked.options, self.inner.evaluate(state, asked), strict=True))

        return list(self._with_hooks(known, state, question).values())

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        return self._with_hooks(partial(self.inner.best_options, state), state, question)

    def _with_hooks(
        self, known: Callable[[Choose], Mapping[Option, Evaluation]], state: S, question: Choose
    ) -> dict[Option, Evaluation]:
        """Return the evaluations of options by the ruleset or by house rules, with a fallback for unknown extra options."""
        brought = set(question.brought)
        own = tuple([option for option in question.options if option not in brought])
        worth = dict(known(question._replace(options=own, brought=()) if brought else question)) if own else {}
        for number, option in enumerate(question.options):
            for hook in self._hooks:
                look = partial(hook, state=state, question=question, option=option)
                said = hook.looks(state, f"the worth of '{option}'", look)
                if said is not None:
                    if not isinstance(said, Evaluation):
                        raise hook.blame(TypeError(f"for '{option}' it returned {said!r}, which is not an Evaluation"))
                    worth[option] = said
            if option not in worth and option in brought:
                worth[option] = Fallback(reason=f"{number + 1} of {len(question.options)}")
        return {option: worth[option] for option in question.options if option in worth}
