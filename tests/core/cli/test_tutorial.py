"""The tutorial: following it teaches everything, mistakes are corrected kindly, and every ruleset is taught."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.scripted_player import Screen
from tests.systems import each_ruleset

from zareba.cli.prompt.prompt import Prompt
from zareba.journal import games_folder
from zareba.lessons import Teacher, first_steps, read_primer, start_tutorial
from zareba.lessons.course import COURSE
from zareba.registry import ruleset
from zareba.scenario import shipped_scenarios
from zareba.session import Answered, replay
from zareba.table import Place

MOST_LINES = 100
"""Ten minutes at six seconds a line."""
TASKS = {
    "Press Enter.": "",
    "Answer with a number or words of your choice.": "1",
    "Type a place, such as: towards the well.": "towards the well",
    "Type rule.": "rule",
    "Type odds.": "odds",
    "Type why.": "why",
    "Type undo, then continue as you like.": "undo",
    "Type two answers on one line.": "1; 1",
    "Type score.": "score",
    "Type measure 1 a.": "measure 1 a",
    "Type do phase, then more to see what was done.": "do phase",
}


class Pupil:
    """A learner who does each task once and otherwise presses Enter; `told` is the text shown so far."""

    def __init__(self) -> None:
        self.lines: Counter[str] = Counter()
        self.told = ""
        self.heights: list[int] = []
        self.screen = Screen()
        self._left = dict(TASKS)

    def ask(self, invitation: str) -> str:
        """Return one line of input."""
        assert isinstance(self.screen.file, io.StringIO), "as it was made"
        shown = self.screen.file.getvalue()
        self.heights.append(self.screen.lines_printed() + max(1, -(-len(invitation) // 80)))
        self.told += shown
        flat = " ".join(shown.split())
        task = next((task for task in self._left if flat.endswith(task)), "")
        line = self._left.pop(task, "")
        self.lines[line] += 1
        return line


@pytest.fixture
def typed_tasks() -> None:
    assert [lesson.task for lesson in COURSE] == list(TASKS)


@pytest.mark.usefixtures("typed_tasks")
@pytest.mark.parametrize("rules", each_ruleset("vcc"))
def test_following_the_tutorial_finishes_it(rules: str) -> None:
    pupil, session = Pupil(), start_tutorial(rules)
    teacher = Teacher(session)
    assert Prompt(session, pupil.screen, pupil.ask, teacher=teacher).run(), "the battle is fought to its end"
    lessons = teacher.lessons("").split("\n")
    assert [line for line in lessons if ": learnt." not in line] == []
    asked = [
        answer.question for answer in session.history.answers if isinstance(answer, Answered) and answer.by == "person"
    ]
    is_open_table = any(isinstance(question, Place) for question in asked)
    assert any(line.startswith("places:") for line in lessons) is is_open_table
    assert sum(pupil.lines.values()) <= MOST_LINES
    assert max(pupil.heights) <= 24, sorted(pupil.heights)[-3:]
    assert "No harm done" not in pupil.told


@pytest.mark.parametrize("rules", each_ruleset("vcc"))
def test_a_ruleset_explains_its_decisions_in_its_own_words(rules: str) -> None:
    pupil, session = Pupil(), start_tutorial(rules)
    primer = read_primer(ruleset(rules).folder)
    Prompt(session, pupil.screen, pupil.ask, teacher=Teacher(session)).run()
    asked = {
        answer.question.why
        for _, answers, _ in session.log()
        for answer in answers
        if answer.by in ("person", "doctrine")
    }
    flat = " ".join(pupil.told.split())
    heard = {why for why, said in primer.questions.items() if " ".join(said.split()) in flat}
    assert heard and heard <= asked
    code = "".join(file.read_text(encoding="utf-8") for file in ruleset(rules).folder.rglob("*.py"))
    assert [why for why in primer.questions if f'"{why}"' not in code] == [], "every described question exists"


def test_without_its_own_words_a_ruleset_shows_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zareba.lessons.teacher.read_primer", lambda folder: read_primer(tmp_path))
    session = start_tutorial("vcc")
    assert session.pending is not None
    said = Teacher(session).lesson_lines(session.pending)
    assert said[0].startswith("VCC-030: Step 3")


MISTAKES = {
    "rul": "(or the command 'rule'?)",
    "99": "there is no option 99",
    "odds 9": "there is no option 9",
    "why": "nothing to explain yet: no dice have been thrown and no number has been computed",
    "rule VCC-9999": "there is no rule of vcc called 'VCC-9999'",
    "undo": "you have no choice to undo",
    "rifels": "did you mean",
    "1; 99": "there is no option 99",
    "measure": "name two units, or a unit and a place: measure ",
    "measure rifles": "name two units",
    "measure rifles jezales": "there is no place 'jezales'",
    "do": "say what to do",
    "do phaze": "there is no piece 'phaze'",
    "do phase by nobody": "'nobody'",
    "order rifles run": "there is no order 'run'",
    "score me": "Turn 1 of 4",
    "skp": "no option is called 'skp'",
    "lesson": "(or the command 'lessons'?)",
    "towards the well": "no option is called",
    "redo": "there is nothing to redo",
    "help me": "briefing, score",
}


def test_mistakes_get_a_kind_explanation(run: Any) -> None:
    result = run("tutorial", typed="\n".join([*MISTAKES, "skip", "skip", "lessons", "quit", ""]))
    told = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert [typed for typed, sentence in MISTAKES.items() if sentence not in told] == []
    assert told.count("No harm done: nothing has changed. Press Enter.") >= 10
    assert "skipped: the screen" in told
    assert "there is no lesson to skip just now" in told
    assert "the screen: skipped. Press Enter." in told
    assert "rules: to come. Type rule." in told
    assert "You have learnt 1 of 10 lessons." in told, "'score me' shows the score"
    assert "zareba play patrol_clash --ruleset vcc --seat tribesmen=doctrine" in told


def test_a_mistyped_ruleset_is_reported_and_the_lesson_battle_is_not_listed(run: Any) -> None:
    assert "did you mean 'vcc'?" in run("tutorial", "vc").stderr
    assert first_steps().id not in shipped_scenarios()
    assert not list(games_folder().glob("*"))


def test_an_abandoned_lesson_continues_as_a_game(run: Any) -> None:
    run("tutorial", "paychest", typed="\n\nquit\n")
    (journal,) = games_folder().glob("first_steps-paychest-1.jsonl")
    assert replay(journal).session.pending is not None
    assert "saved; continue with: zareba continue first_steps-paychest-1" in run("continue", typed="quit\n").stderr


def test_a_fault_of_a_primer_is_reported_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "tutorial.yaml").write_text("opening: hello\nquestion: {}\n", encoding="utf-8")
    with pytest.raises(Exception, match=re.compile(r"tutorial.yaml:2:1.*did you mean 'questions'", re.DOTALL)):
        read_primer(tmp_path)


def test_a_resumed_tutorial_still_has_its_lessons(run: Any) -> None:
    left = run("tutorial", typed="quit\n")
    assert "continue with: zareba continue first_steps-vcc-1" in " ".join(left.stderr.split())
    told = " ".join(run("continue", "first_steps-vcc-1", typed="quit\n").stdout.split())
    assert "Lesson 1 of 10, the screen." in told and "You have learnt 0 of 10 lessons." in told


def test_a_resumed_tutorial_continues_with_the_next_lesson(run: Any) -> None:
    told = run("tutorial", typed="\nrule\nskip\nquit\n").stdout
    assert "Lesson 1 of " in told and "Lesson 2 of " in told
    continued = run("continue", typed="lessons\nquit\n").stdout
    assert "Lesson 1 of " not in continued
    assert "the screen: learnt." in continued and "rules: learnt." in continued
    assert "You have learnt 2 of " in continued
    (progress,) = games_folder().glob("*.lessons.json")
    progress.write_text("[no JSON", encoding="utf-8")
    assert "Lesson 1 of " in run("continue", typed="quit\n").stdout


def test_technical_terms_are_explained_by_why_and_found_by_rule(run: Any) -> None:
    told = run("tutorial", "fixed_baynet", typed="why 2\nrule DS\nrule ac\nrule nonsense\nquit\n").stdout
    why, ds, ac, nothing = told.split("help] > ")[1:5]
    assert "DS: Defence Skill: how hard a man is to hit" in why and "CS: Combat Skill: " in why
    assert "DS: Defence Skill: how hard a man is to hit" in ds and "FBN-082 A D12 must reach the target's DS" in ds
    assert "FBN-091" not in ds, "no word that only contains the letters"
    assert "AC: action counters" in ac
    assert "no rule of fixed_baynet contains 'nonsense'" in nothing


def test_a_term_in_the_headline_is_explained_too(run: Any) -> None:
    told = " ".join(run("tutorial", "paychest", typed="\n\n\n\nquit\n").stdout.split())
    assert "the phasing unit" in told and "phasing unit: the unit whose card was drawn" in told


def test_a_command_counts_as_learnt_whichever_lesson_is_shown(run: Any) -> None:
    told = run("tutorial", typed="rule\nskip\nguides\n2\nundo\nmeasure 1 a\nlessons\nquit\n").stdout
    for lesson in ("rules", "answers", "undo", "measuring"):
        assert f"{lesson}: learnt." in told
    assert "the screen: skipped." in told


def test_the_tutorial_says_at_once_how_the_battle_is_won(run: Any) -> None:
    opening = " ".join(run("tutorial", typed="quit\n").stdout.split())
    assert "Most points win. The well (2 points, either side): be the only side there at the end; Break" in opening
    assert "the picket is the British side" in opening
