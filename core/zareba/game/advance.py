"""The heart of play that can stop and go on: a step run on a draft of its checkpoint, with the answers so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zareba.base.errors import Impossible
from zareba.base.tally import Tally
from zareba.game import Game
from zareba.game.activation import Step
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

__all__ = ["AtQuestion", "Done", "advance"]

PLAIN = (str, int, float, tuple, list, dict, type(None))
"""What may be told."""
NOT_ON = "the game cannot go on with it"


@dataclass(frozen=True, slots=True)
class AtQuestion:
    """The step needs an answer. `events` and `tallies` are what happened in it so far; `draft` how the table looks.

    `marks` says for each of its answers how many events and tallies came before it.
    """

    step: Step
    question: Question
    events: tuple[Event, ...]
    tallies: tuple[Tally, ...]
    marks: tuple[tuple[int, int], ...]
    draft: Any


@dataclass(frozen=True, slots=True)
class Done:
    """The step is finished: the new checkpoint, and what happened (as in `Paused`)."""

    step: Step
    checkpoint: Any
    events: tuple[Event, ...]
    tallies: tuple[Tally, ...]
    marks: tuple[tuple[int, int], ...]


def advance(
    game: Game[Any], checkpoint: Any, answers: Sequence[Answer], asked: Sequence[Question] = (), at: Any = None
) -> AtQuestion | Done | None:
    """Run the next step of `checkpoint` with `answers`; the checkpoint itself is never changed.

    `asked` are the questions that were given these answers when the step was run before, as far as that is known, and `at`
    how the table looked when the last of them was asked. If it comes to others now, some rule is not to be relied on.

    Gives Paused at the first question beyond the answers, Done when the step ends, None when the game is over. Raises
    RuleBroken when a rule swallows a pause or leaves answers over, or a step fails under house rules; nothing has changed
    then.
    """
    with game.rules.blamed("the order of play"):
        step = game.next_step(checkpoint)
    if step is None:
        return None
    draft = checkpoint.copy()
    table = _Again(game, draft, answers, asked, at)
    with game.rules.blamed(f"the step {step.key}"):
        try:
            game.perform(table, draft, step)
        except Pause as pause:
            told = tuple(table.events), tuple(table.tallies), tuple(table.marks)
            return AtQuestion(step, pause.question, *told, draft)
        table.finish()
        if draft == checkpoint:
            wrong = Impossible("it left everything as it was, so it would come again for ever")
            wrapped = game.rules.step_hooks.get(step.name)
            raise wrapped.blame(wrong) if wrapped is not None else wrong
    told = tuple(table.events), tuple(table.tallies), tuple(table.marks)
    return Done(step, draft, *told)


class _Again(RecordedTable):
    """Answers as before, and sees to it that the rules come to the same questions, and to the same table, as before.

    What is asked and told amiss is refused where it is asked and told, so that it is blamed on the line of the rule that does it.
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
            raise nondeterminism_error(self.rules, NOT_ON)
        last = place == len(self._answers) - 1
        if last and self._at is not None and has_python_rules(self.rules) and _says_other(self.state, self._at):
            raise nondeterminism_error(self.rules, NOT_ON)
        if place == len(self._answers):
            _check_seat(self._game, question)
            if self.rules.house_rules:
                _check_options(question)
        return super().answer(question)

    def tell(self, kind: str, rule: str, **data: Any) -> None:
        """What house rules tell goes into journals and logs: words and numbers, and what is made of them."""
        if self.rules.house_rules:
            for name, value in data.items():
                if not isinstance(value, PLAIN):
                    raise Impossible(f"{rule}: '{kind}' tells {name}={value!r}; tell words and numbers")
        super().tell(kind, rule, **data)


def _says_other(one: Any, other: Any) -> bool:
    """Whether two states say something else; they may hold other objects that say the same, as bodies of men."""
    return bool(one != other) and one.to_data() != other.to_data()


def _check_options(question: Question) -> None:
    """What house rules offer goes into journals and logs, as what they tell does."""
    for option in getattr(question, "options", ()):
        if not isinstance(option, (str, int, tuple)):
            raise Impossible(f"{question.rule}: '{question.why}' offers {option!r}, where options are words or numbers")


def _check_seat(game: Game[Any], question: Question) -> None:
    """Dice and cards are nobody's to answer; everything else is asked of a side of the game."""
    if not isinstance(question, (Roll, Draw)) and question.seat not in game.seats:
        raise Impossible(
            f"{question.rule}: '{question.why}' is asked of '{question.seat}', who is no side of this game; "
            f"the sides are {', '.join(game.seats)}"
        )
