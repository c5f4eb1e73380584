"""The recorded table: answers from a list, then a pause. Undo, resume, replay, look-ahead and live play stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.base.amounts import amount
from zareba.base.errors import RuleBroken
from zareba.table.questions import Answer, Question
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.table import Table

__all__ = ["Pause", "RecordedTable", "has_python_rules", "nondeterminism_error"]


class Pause(BaseException):
    """Raised by a rule's question that has no answer yet; carries the question.

    Not an Exception, so that `except Exception` in a house rule cannot swallow it.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class RecordedTable(Table):
    """Gives the recorded answers in order; the first question beyond them raises Pause.

    `marks` says for each answer how many events and tallies there were before it.
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
        """Call when the step has ended: no pause may have been swallowed, no answer may be left over."""
        if self._paused is not None:
            raise RuleBroken(_swallowed(self._paused))
        if self._used < len(self._answers):
            raise RuleBroken(
                f"{amount(len(self._answers) - self._used, 'recorded answer')} left over at the end of a step"
            )


def has_python_rules(law: RulesProtocol) -> bool:
    """Whether functions of house rules are run during play, which may do what cannot be done again."""
    return law.runs_code


def nondeterminism_error(law: RulesProtocol, lost: str) -> RuleBroken:
    """What is wrong when the same answers do not lead to the same questions and states; and what cannot be had for it."""
    by = f" ({', '.join(law.house_rules)})" if law.house_rules else ""
    return RuleBroken(
        f"the rules came to something else when they were run again; a house rule{by} keeps something elsewhere than in the game, "
        f"or asks chance or a clock without the table, and {lost}"
    )


def _swallowed(question: Question) -> str:
    return (
        f"the question '{question.why}' ({question.rule}) was asked and its pause caught by a rule or house rule; "
        "a bare 'except:' or 'except BaseException:' must let zareba.table.Pause through"
    )
