"""The remembering table: seeded play that keeps how its step began and every answer in it, for players who look ahead.

It may be given the first answers of a step. That is how such a player plays on, in his mind, from the point where he is
asked: what was answered so far, then his own choice, then dice of another seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from zareba.table.drivers.seeded import Agent, SeededTable
from zareba.table.questions import Answer, Draw, Question, Roll, refusal
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.step import Step
from zareba.table.table import Table

__all__ = ["GivenAnswer", "LooksAhead", "QuestionChanged", "RememberingTable", "answer_fits"]


class GivenAnswer(NamedTuple):
    """A question of a step and what was answered."""

    question: Question
    answer: Answer

    def seen_by(self, seat: str) -> bool:
        """Whether a seat has seen the answer: not which card another drew for himself."""
        return not isinstance(self.question, Draw) or self.question.seat in (None, seat)


def answer_fits(given: GivenAnswer, question: Question) -> bool:
    """Whether a question is the one that was answered, and the answer still one to it."""
    asked = given.question
    if isinstance(question, Roll):
        return isinstance(asked, Roll) and question._replace(means=asked.means) == asked
    same = type(question) is type(asked) and question.why == asked.why and question.actor == asked.actor
    return same and refusal(question, given.answer) is None


@runtime_checkable
class LooksAhead(Protocol):
    """A player who wants to know, before each question to him, the state at the start of the step and the answers since."""

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Told just before the question itself; `start` is not to be changed."""
        ...


class QuestionChanged(Exception):
    """The rules ask something else than what the known answers were given to."""


class RememberingTable(SeededTable):
    """With `known`, the first answers of a step, it serves that one step.

    Raises OtherwiseAsked where the rules ask for none of them, or for others.
    """

    __slots__ = ("_known", "_start", "given")

    def __init__(
        self,
        rules: RulesProtocol,
        state: Any,
        seed: int,
        agents: Mapping[str, Agent],
        known: Sequence[GivenAnswer] = (),
    ) -> None:
        super().__init__(rules, state, seed, agents)
        self.given: list[GivenAnswer] = []
        self._known = known
        self._start = state

    # Every question is built, so that it can be kept: the short cuts of simulation do not serve here.
    roll = Table.roll
    _throw = Table._throw
    draw = Table.draw
    choose = Table.choose
    place = Table.place

    def begin(self, step: Step) -> None:
        super().begin(step)
        self._start = self.state.copy()
        self.given = []

    def answer(self, question: Question) -> Answer:
        answer = self._known_answer(question) if len(self.given) < len(self._known) else self._asked(question)
        self.given.append(GivenAnswer(question, answer))
        return answer

    def _known_answer(self, question: Question) -> Answer:
        given = self._known[len(self.given)]
        if not answer_fits(given, question):
            raise QuestionChanged
        return given.answer

    def _asked(self, question: Question) -> Answer:
        if isinstance(question, Roll):
            self.rolls += 1
            self.thrown += question.dice
        elif isinstance(question, Draw):
            self.draws += 1
        else:
            player = self.agents[question.seat]
            if isinstance(player, LooksAhead):
                player.follow(self._start, self.given)
        return super().answer(question)
