"""The lessons on the page, next to each question of the tutorial battle."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from zareba.lessons.course import course_of
from zareba.lessons.primer import read_primer
from zareba.lessons.teacher import explain_question
from zareba.session import Session


@dataclass(frozen=True)
class PageLesson:
    """The text next to a question: the introduction of the ruleset at the start, an explanation of the
    question, and a lesson.

    `key` and `act` are those of the lesson, "" if no lesson fits the question. `number` counts the lessons from 1.
    """

    opening: str
    explanation: str
    key: str
    act: str
    number: int
    count: int
    text: str
    task: str


def page_lesson(session: Session, learnt: Collection[str]) -> PageLesson | None:
    """Return the lesson for the pending question; None without a question. `learnt` are the keys of lessons
    already done or skipped.
    """
    question = session.pending
    if question is None:
        return None
    rules = session.game.rules.ruleset
    primer = read_primer(*rules.folders)
    course = [(lesson, lesson.page) for lesson in course_of(session) if lesson.page is not None]
    done = [lesson.key for lesson, _ in course if lesson.key in learnt]
    due = next(
        ((lesson, page) for lesson, page in course if lesson.key not in done and lesson.due(session, question)), None
    )
    return PageLesson(
        primer.opening if not done else "",
        explain_question(rules, primer, question),
        due[0].key if due else "",
        due[1].act if due else "",
        len(done) + 1,
        len(course),
        (due[1].text or due[0].text) if due else "",
        due[1].task if due else "",
    )
