"""A table that answers from a list and then pauses: the basis of live play, undo, resume, replay and look-ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.base.errors import RuleBroken
from zareba.base.grammar import amount
from zareba.table.questions import Answer, Question
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.table import Table

__all__ = ["Pause", "RecordedTable", "has_python_rules", "nondeterminism_error"]


class Pause(BaseException):
    """Raised when a rule asks a question that has no answer yet; carries the question.

    It is not an Exception, so that `except Exception` in a house rule cannot swallow it.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class RecordedTable(Table):
    """Gives the recorded answers in order; the first question after them raises Pause.

    `marks` holds the number of events and modifier breakdowns before each answer.
    """

    __slots__ = ("_answers", "_paused", "_used", "marks", "questions")

    def __init__(self, rules: RulesProtocol, state: Any, answers: Sequence[Answer]) -> None:
        super().__init__(rules, state)
        self.questions: list[Question] = []
        self.marks: list[tuple[int, int]] = []
        self._answers = answers
        self._used = 0
        self._paused: Question | None = None

    def answer(self, question: Question) -> Answer:
        if self._paused is not None:
            raise RuleBroken(_swallowed(self._paused))
        if self._used == len(self._answers):
            self._paused = question
            raise Pause(question)
        given = self._answers[self._used]
        self._used += 1
        self.questions.append(question)
        self.marks.append((len(self.events), len(self.tallies)))
        return given

    def unanswered(self) -> Question | None:
        return self._paused

    def finish(self) -> None:
        """Call at the end of a step: raise RuleBroken if a rule swallowed a pause or an answer was not used."""
        if self._paused is not None:
            raise RuleBroken(_swallowed(self._paused))
        if self._used < len(self._answers):
            raise RuleBroken(
                f"{amount(len(self._answers) - self._used, 'recorded answer')} left over at the end of a step"
            )


def has_python_rules(law: RulesProtocol) -> bool:
    """Return True if house rules run Python functions during play. Such functions might not give the same result
    twice.
    """
    return law.runs_code


def nondeterminism_error(law: RulesProtocol, lost: str) -> RuleBroken:
    """Return the error for rules that ask or do something else when the same answers are replayed; `lost` says what is
    not possible as a result.
    """
    by = f" ({', '.join(law.house_rules)})" if law.house_rules else ""
    return RuleBroken(
        f"the rules gave another result when they were run again; a house rule{by} stores something outside the game state, "
        f"or uses random numbers or a clock without the table, and {lost}"
    )


def _swallowed(question: Question) -> str:
    return (
        f"the question '{question.why}' ({question.rule}) was asked and its pause caught by a rule or house rule; "
        "a bare 'except:' or 'except BaseException:' must let zareba.table.Pause through"
    )
