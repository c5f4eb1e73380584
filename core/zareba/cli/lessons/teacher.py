"""Who says, at each question of the tutorial, what the rules decide there and what else can be typed."""

from __future__ import annotations

from collections.abc import Callable

from zareba.base.amounts import amount, listed
from zareba.cli.lessons.course import COURSE, Lesson, LessonContext
from zareba.cli.lessons.primer import read_primer
from zareba.rules import load_catalogue
from zareba.session import Session
from zareba.table import Question

__all__ = ["Teacher"]

PATIENCE = 3
"""So many questions a lesson is held out to the pupil; then it makes room for the next, and may be asked for."""


class Teacher:
    """Gives a lesson at a time where there is occasion for it. `commands` are what can be typed to him."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rules = session.game.rules.ruleset
        self._primer = read_primer(self._rules.folder)
        self._learnt: dict[str, bool] = {}
        self._asked: set[str] = set()
        self._now: Lesson | None = None
        self._held_out = 0
        self.commands: dict[str, Callable[[str], str]] = {"lessons": self.lessons, "skip": self.skip}

    def opening(self) -> list[str]:
        """What is said before the first question."""
        return [
            f"Ten minutes of {self._session.game.rules.book.title}. The sides are set out already; you have the first.",
            *([self._primer.opening] if self._primer.opening else []),
            "At each step there is a lesson; skip passes over it, lessons lists them, quit leaves. Nothing can go wrong.",
        ]

    def says(self, question: Question) -> list[str]:
        """What is said of a question that is put: of its rule the first time, and the lesson there is occasion for."""
        found = []
        if question.why not in self._asked:
            self._asked.add(question.why)
            if said := self._of_rule(question):
                found.append(said)
        if self._now is not None and self._held_out >= PATIENCE:
            self._pass_over()
        if self._now is None or not self._now.due(self._session, question):
            self._now = next((one for one in COURSE if self._is_open(one) and one.due(self._session, question)), None)
            self._held_out = 0
        if self._now is not None:
            self._held_out += 1
            number = len(self._learnt) + 1
            said = f"{self._now.says} " if self._held_out == 1 else ""
            found.append(f"Lesson {number} of {len(COURSE)}, {self._now.key}. {said}{self._now.task}")
        return found

    def _is_open(self, lesson: Lesson) -> bool:
        return lesson.key not in self._learnt

    def _of_rule(self, question: Question) -> str:
        """What is decided there: in the words of the ruleset's primer, or the catalogue's line of the rule."""
        if question.why in self._primer.questions:
            return f"{self._primer.questions[question.why]} ({question.rule})"
        entry = load_catalogue(self._rules.folder).rules.get(question.rule)
        return f"{question.rule}: {entry.summary}" if entry is not None else ""

    def heard(self, line: str, answers: int) -> str:
        """A line that was carried out, of which came so many answers; gives what is said before its question, if it waits
        still; "" for nothing.
        """
        if self._now is None or not self._now.learnt(LessonContext(line, answers)):
            return ""
        self._learnt[self._now.key] = True
        self._now = None
        return "Well done. Now the question:"

    def refused(self) -> str:
        """What is said when a line was refused."""
        task = f" {self._now.task}" if self._now is not None else ""
        return f"No harm done: nothing has changed.{task}"

    def skip(self, _: str) -> str:
        """Pass over the lesson."""
        if self._now is None:
            return "there is no lesson to pass over just now"
        key = self._now.key
        self._pass_over()
        return f"passed over: {key}"

    def _pass_over(self) -> None:
        if self._now is not None:
            self._learnt[self._now.key] = False
            self._now = None

    def lessons(self, _: str) -> str:
        """All lessons, and how far the pupil has come."""
        marks = {True: "learnt", False: "passed over", None: "to come"}
        return "\n".join(f"{lesson.key}: {marks[self._learnt.get(lesson.key)]}. {lesson.task}" for lesson in COURSE)

    def farewell(self) -> list[str]:
        """What is said when the battle is over or left."""
        learnt = sum(self._learnt.values())
        left = [lesson for lesson in COURSE if not self._learnt.get(lesson.key)]
        found = [f"You have learnt {learnt} of {amount(len(COURSE), 'lesson')}."]
        if left:
            found.append(
                f"Still to be tried: {listed([lesson.key for lesson in left])}; help at the prompt tells of all."
            )
        found.append(f"A first evening: zareba play patrol_clash --ruleset {self._rules.id} --seat tribesmen=doctrine")
        return found
