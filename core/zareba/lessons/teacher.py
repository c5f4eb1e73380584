"""The teacher of the tutorial, which explains each question and what else can be typed or clicked, and its battle."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from pydantic import Field

from zareba.base.grammar import amount, in_a_sentence, join_with_and
from zareba.base.yamlfile import Text, YamlModel, read_yaml
from zareba.game.parts.play import sets_up
from zareba.lessons.course import Lesson, LessonContext, course_of
from zareba.rules import load_catalogue
from zareba.rules.ruleset_info import RulesetInfo
from zareba.scenario import Scenario
from zareba.scenario.load import parse_scenario
from zareba.session import Session, new_session
from zareba.session.briefing import objective_lines
from zareba.table import Question

# --- The introduction of a ruleset for new players: the optional file tutorial.yaml in its folder ---------------------


class Primer(YamlModel):
    """`opening` describes the ruleset in a few lines. `questions` explains each kind of question, by its `why`, when it
    first comes up.

    Questions without an entry get the summary of their rule from the catalogue.
    """

    opening: Text = ""
    questions: dict[str, Text] = Field(default_factory=dict, max_length=60)


def read_primer(*folders: Path) -> Primer:
    """Return the primer of a ruleset from the first of its folders that has one, or an empty one if none has.

    Raises:
        FileError: with all problems at once.
    """
    file = next((file for folder in folders if (file := folder / "tutorial.yaml").is_file()), None)
    return Primer() if file is None else read_yaml(file).validate(Primer)


# --- The battle of the tutorial ---------------------------------------------------------------------------------------


_SEED = 1
"""All pupils get the same dice."""


def first_steps() -> Scenario:
    """Return the tutorial scenario."""
    file = resources.files("zareba.lessons") / "first_steps.yaml"
    return parse_scenario(file.read_text(encoding="utf-8"), file.name)


def start_tutorial(ruleset: str, path: Path | None = None, think: float | None = None) -> Session:
    """Return the tutorial battle with both sides set up, recorded in a new journal at `path`.

    A person plays the first side, and doctrine the other. `think` is the time that an AI player may take for a choice,
    in seconds.
    """
    battle = first_steps()
    yours, *others = battle.sides
    seats = {yours: "human", **dict.fromkeys(others, "doctrine")}
    session = new_session(ruleset, battle, seats, seed=_SEED, path=path)
    session.think = think
    session.drive()
    while (now := session.history.now) is not None and sets_up(now.step):
        value, reason = session.suggestion()
        session.answer(value, by="doctrine", reason=reason)
        session.drive()
    return session


# --- The teacher at the prompt ----------------------------------------------------------------------------------------


_QUESTIONS_PER_LESSON = 3
"""Number of questions for which a lesson is offered before the next one replaces it."""


def explain_question(rules: RulesetInfo, primer: Primer, question: Question) -> str:
    """Return the explanation of a question: the ruleset's own for new players, or the summary of its rule; "" if
    none.
    """
    if question.why in primer.questions:
        return f"{primer.questions[question.why]} ({question.rule})"
    entry = load_catalogue(*rules.folders).rules.get(question.rule)
    return f"{question.rule}: {entry.summary}" if entry is not None else ""


def progress_file(journal: Path) -> Path:
    """Return the file next to a journal of the tutorial that keeps which lessons the player has had."""
    return journal.with_suffix(".lessons.json")


class Teacher:
    """Gives one lesson at a time, when it fits the question. `commands` are the additional commands of the tutorial.

    A file `progress` keeps the lessons that the player has had, so that a resumed tutorial goes on with the next one.
    """

    def __init__(self, session: Session, progress: Path | None = None) -> None:
        self._session = session
        self._rules = session.game.rules.ruleset
        self._primer = read_primer(*self._rules.folders)
        self._course = course_of(session)
        self._progress = progress
        self._learnt = self._read_progress()
        self._asked: set[str] = set()
        self._now: Lesson | None = None
        self._due: list[Lesson] = []
        """All lessons not yet learnt that fit the current question, including those that were skipped."""
        self._held_out = 0
        self.commands: dict[str, Callable[[str], str]] = {"lessons": self.lessons, "skip": self.skip}

    def _read_progress(self) -> dict[str, bool]:
        """Return the lessons in the file, each with True if it was learnt and False if it was skipped."""
        with suppress(OSError, ValueError):
            kept = json.loads(self._progress.read_text("utf-8")) if self._progress is not None else {}
            if isinstance(kept, dict):
                return {lesson.key: bool(kept[lesson.key]) for lesson in self._course if lesson.key in kept}
        return {}

    def _mark(self, lesson: Lesson, *, learnt: bool) -> None:
        """Note that the player has had a lesson. The tutorial goes on if the file cannot be written."""
        self._learnt[lesson.key] = learnt
        if self._progress is not None:
            with suppress(OSError):
                self._progress.write_text(json.dumps(self._learnt), "utf-8")

    def opening(self) -> list[str]:
        """Return the lines shown before the first question."""
        game = self._session.game
        yours, *others = [in_a_sentence(side.name) for side in game.scenario.sides.values()]
        return [
            f"Ten minutes of {game.rules.book.title}. You play {yours}, and an AI player plays "
            f"{join_with_and(others)}. Both sides are already set up.",
            f"Most points win. {'; '.join(objective_lines(game, ()))}.",
            *([self._primer.opening] if self._primer.opening else []),
            "Each step has a lesson. 'skip' skips it, 'lessons' lists them all, 'quit' leaves the game. Mistakes cost nothing.",
        ]

    def lesson_lines(self, question: Question) -> list[str]:
        """Return the lines for a question: an explanation of its rule the first time, and the lesson that fits."""
        found = []
        if question.why not in self._asked:
            self._asked.add(question.why)
            if text := self._of_rule(question):
                found.append(text)
        if self._now is not None and self._held_out >= _QUESTIONS_PER_LESSON:
            self._pass_over()
        self._due = [
            lesson
            for lesson in self._course
            if not self._learnt.get(lesson.key) and lesson.due(self._session, question)
        ]
        if self._now is None or not self._now.due(self._session, question):
            self._now = next((lesson for lesson in self._due if self._is_open(lesson)), None)
            self._held_out = 0
        if self._now is not None:
            self._held_out += 1
            number = len(self._learnt) + 1
            text = f"{self._now.text} " if self._held_out == 1 else ""
            found.append(f"Lesson {number} of {len(self._course)}, {self._now.key}. {text}{self._now.task}")
        return found

    def _is_open(self, lesson: Lesson) -> bool:
        return lesson.key not in self._learnt

    def _of_rule(self, question: Question) -> str:
        """Explain a question by the ruleset's primer or by the summary of its rule in the catalogue."""
        return explain_question(self._rules, self._primer, question)

    def record_line(self, line: str, answers: int) -> str:
        """Record an executed line with its number of answers.

        It may do what another lesson asks than the current one. Return a line to show before the question if it is
        still pending, or "".
        """
        context = LessonContext(line, answers)
        done = [lesson for lesson in self._due if lesson.learnt(context)]
        for lesson in done:
            self._mark(lesson, learnt=True)
        self._due = [lesson for lesson in self._due if lesson not in done]
        if self._now is None or self._now not in done:
            return ""
        self._now = None
        return "Well done. Now the question:"

    def refusal_line(self) -> str:
        """Return the line shown after a refused input."""
        task = f" {self._now.task}" if self._now is not None else ""
        return f"No harm done: nothing has changed.{task}"

    def skip(self, _: str) -> str:
        """Skip the current lesson."""
        if self._now is None:
            return "there is no lesson to skip just now"
        key = self._now.key
        self._pass_over()
        return f"skipped: {key}"

    def _pass_over(self) -> None:
        if self._now is not None:
            self._mark(self._now, learnt=False)
            self._now = None

    def lessons(self, _: str) -> str:
        """List all lessons with the pupil's progress."""
        marks = {True: "learnt", False: "skipped", None: "to come"}
        return "\n".join(
            f"{lesson.key}: {marks[self._learnt.get(lesson.key)]}. {lesson.task}" for lesson in self._course
        )

    def closing_lines(self) -> list[str]:
        """Return the lines shown when the battle is over or left."""
        learnt = sum(self._learnt.values())
        left = [lesson for lesson in self._course if not self._learnt.get(lesson.key)]
        found = [f"You have learnt {learnt} of {amount(len(self._course), 'lesson')}."]
        if left:
            found.append(
                f"Still to try: {join_with_and([lesson.key for lesson in left])}; help at the prompt lists all commands."
            )
        found.append(f"A first evening: zareba play patrol_clash --ruleset {self._rules.id} --seat tribesmen=doctrine")
        return found


# --- The lessons on the page, next to each question of the tutorial battle --------------------------------------------


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
