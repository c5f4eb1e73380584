"""A seeded table that records the start state and the answers of its step, for AI players that look ahead.

It can be given the first answers of a step. A player that looks ahead uses this to simulate play from its current
question: the answers so far, then its own choice, then dice of another seed.
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
    """A question of a step and its answer."""

    question: Question
    answer: Answer

    def seen_by(self, seat: str) -> bool:
        """Return True if a seat may see the answer. A card drawn for another seat is hidden."""
        return not isinstance(self.question, Draw) or self.question.seat in (None, seat)


def answer_fits(given: GivenAnswer, question: Question) -> bool:
    """Return True if `question` is the question that was answered and the answer is still legal."""
    asked = given.question
    if isinstance(question, Roll):
        return isinstance(asked, Roll) and question._replace(means=asked.means) == asked
    same = type(question) is type(asked) and question.why == asked.why and question.actor == asked.actor
    return same and refusal(question, given.answer) is None


@runtime_checkable
class LooksAhead(Protocol):
    """An AI player that needs the state at the start of the step, and the answers since then, before each of its
    questions.
    """

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Called just before the question itself; `start` must not be changed."""
        ...


class QuestionChanged(Exception):
    """The rules ask another question than the one that a known answer belongs to."""


class RememberingTable(SeededTable):
    """A seeded table that records its step. With `known`, the first answers of a step, it serves only that step.

    Raises QuestionChanged if a question of the rules does not fit the next known answer.
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

    # Build every question, so that it can be recorded; the shortcuts of SeededTable would skip that.
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
