"""Run one step of play so that it can stop at a question and continue later.

The step runs on a copy of the checkpoint, with the answers given so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zareba.base.errors import Impossible
from zareba.base.tally import Tally
from zareba.game import Game
from zareba.table import (
    Answer,
    Draw,
    Event,
    Pause,
    Question,
    RecordedTable,
    Roll,
    asks_the_same,
    has_python_rules,
    nondeterminism_error,
)
from zareba.table.questions import Step

PLAIN = (str, int, float, tuple, list, dict, type(None))
"""The types of value that an event of a house rule may contain."""
_NOT_ON = "the game cannot go on with it"


@dataclass(frozen=True, slots=True)
class AtQuestion:
    """The step has stopped because it needs an answer.

    `events` and `tallies` are those of the step so far, `draft` is the state at the question. `marks` gives the number
    of events and tallies before each answer of the step.
    """

    step: Step
    question: Question
    events: tuple[Event, ...]
    tallies: tuple[Tally, ...]
    marks: tuple[tuple[int, int], ...]
    draft: Any


@dataclass(frozen=True, slots=True)
class Done:
    """The step is finished: the new checkpoint, and the events, tallies and marks of the step (see `AtQuestion`)."""

    step: Step
    checkpoint: Any
    events: tuple[Event, ...]
    tallies: tuple[Tally, ...]
    marks: tuple[tuple[int, int], ...]


def advance(
    game: Game[Any], checkpoint: Any, answers: Sequence[Answer], asked: Sequence[Question] = (), at: Any = None
) -> AtQuestion | Done | None:
    """Run the next step of `checkpoint` with `answers`. The checkpoint itself is never changed.

    `asked` are the questions that got these answers in an earlier run of the step, as far as they are known. `at` is
    the state at the last of them. If the questions or the state differ now, a rule is not deterministic.

    Returns AtQuestion at the first question without an answer, Done when the step ends, and None when the game is
    over. Raises RuleBroken if a rule swallows a pause, leaves answers unused or is not deterministic, or if a step
    fails under house rules; nothing has changed then.
    """
    with game.rules.blamed("the order of play"):
        step = game.play.next_step(checkpoint)
    if step is None:
        return None
    draft = checkpoint.copy()
    table = _Again(game, draft, answers, asked, at)
    with game.rules.blamed(f"the step {step.key}"):
        try:
            game.play.perform(table, draft, step)
        except Pause as pause:
            reported = tuple(table.events), tuple(table.tallies), tuple(table.marks)
            return AtQuestion(step, pause.question, *reported, draft)
        table.finish()
        if draft == checkpoint:
            wrong = Impossible("it changed nothing, so it would repeat forever")
            wrapped = game.rules.step_hooks.get(step.name)
            raise wrapped.blame(wrong) if wrapped is not None else wrong
    reported = tuple(table.events), tuple(table.tallies), tuple(table.marks)
    return Done(step, draft, *reported)


class _Again(RecordedTable):
    """A table that replays answers, and checks that the rules ask the same questions in the same state as before.

    Illegal questions and events are refused at once, so that the error points at the line of the rule.
    """

    __slots__ = ("_asked", "_at", "_game")

    def __init__(
        self, game: Game[Any], state: Any, answers: Sequence[Answer], asked: Sequence[Question], at: Any
    ) -> None:
        super().__init__(game.rules, state, answers)
        self._game, self._asked, self._at = game, asked, at

    def answer(self, question: Question) -> Answer:
        place = len(self.questions)
        if place < len(self._asked) and not asks_the_same(question, self._asked[place]):
            raise nondeterminism_error(self.rules, _NOT_ON)
        last = place == len(self._answers) - 1
        if last and self._at is not None and has_python_rules(self.rules) and _says_other(self.state, self._at):
            raise nondeterminism_error(self.rules, _NOT_ON)
        if place == len(self._answers):
            _check_seat(self._game, question)
            if self.rules.house_rules:
                _check_options(question)
        return super().answer(question)

    def emit(self, kind: str, rule: str, **data: Any) -> None:
        """Emit an event. Those of house rules go into journals, so only words, numbers and containers are allowed."""
        if self.rules.house_rules:
            for name, value in data.items():
                if not isinstance(value, PLAIN):
                    raise Impossible(
                        f"{rule}: the event '{kind}' contains {name}={value!r}; use only words and numbers"
                    )
        super().emit(kind, rule, **data)


def _says_other(asked: Any, other: Any) -> bool:
    """Return True if two states differ in content; different objects may have the same content."""
    return bool(asked != other) and asked.to_data() != other.to_data()


def _check_options(question: Question) -> None:
    """Refuse house-rule options that are not words, numbers or tuples, because options go into journals and logs."""
    for option in getattr(question, "options", ()):
        if not isinstance(option, (str, int, tuple)):
            raise Impossible(
                f"{question.rule}: '{question.why}' offers the option {option!r}; options must be words or numbers"
            )


def _check_seat(game: Game[Any], question: Question) -> None:
    """Refuse a question that is put to a seat not in the game. Rolls and draws are put to no seat."""
    if not isinstance(question, (Roll, Draw)) and question.seat not in game.seats:
        raise Impossible(
            f"{question.rule}: '{question.why}' is put to '{question.seat}', which is not a side of this game; "
            f"the sides are {', '.join(game.seats)}"
        )
