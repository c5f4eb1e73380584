"""The lessons of the tutorial in order: the text, the condition for offering it, and the condition for having learnt
it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zareba.session import Session
from zareba.table import Choose, Place, Question, Roll

_FIRST_DELEGATED_TURN = 2
"""From this game turn on, whole turns are delegated. Earlier, the player should see everything."""


@dataclass(frozen=True)
class LessonContext:
    """An executed line of input. `answers` is the number of answers it gave; commands give none."""

    line: str
    answers: int

    def is_command(self, *words: str) -> bool:
        """Return True if the line is one of these commands."""
        return self.line.partition(" ")[0].casefold() in words


@dataclass(frozen=True)
class PageTask:
    """A lesson on the page: what to do there, the act that does it, and `text` if the explanation differs there.

    An act is a word that the script of the page uses: answer, advice, rule, odds, why, undo, score, ruler, delegate.
    """

    task: str
    act: str
    text: str = ""


@dataclass(frozen=True)
class Lesson:
    """One lesson: `text` is the explanation, `task` the input to try at the prompt, `page` the task on the page.

    A lesson without `page` is not taught there.

    `due` returns True if the lesson fits the current question; `learnt` returns True if a line did what the lesson
    asks. A lesson `on_open_table` is left out on a table of boxes or hexes, where its question never comes.
    """

    key: str
    text: str
    task: str
    due: Callable[[Session, Question], bool]
    learnt: Callable[[LessonContext], bool]
    page: PageTask | None = None
    on_open_table: bool = False


def _of_options(session: Session, question: Question) -> bool:
    return isinstance(question, Choose) and len(question.options) > 1


def _always(session: Session, question: Question) -> bool:
    return not isinstance(question, Roll)


def _of_a_unit(session: Session, question: Question) -> bool:
    """Return True if the choice is between units, so that a question about the unit's action follows."""
    known = session.game.umpire_editor().piece_holders(session.state)
    return isinstance(question, Choose) and sum(option in known for option in question.options) > 1


def _may_hurt(session: Session, question: Question) -> bool:
    """Return True if an option leads to dice for which the rules offer odds."""
    if not isinstance(question, Choose):
        return False
    seen = session.game.sight.view(session.state, question.seat)
    return any(session.game.advisor.has_odds(seen, question, option) for option in question.options)


def _thrown(session: Session, question: Question) -> bool:
    return bool(session.last_numbers())


def _to_take_back(session: Session, question: Question) -> bool:
    return len(session.history.answers) > 1 and session.why_no_undo() is None


def _turn_to_give_away(session: Session, question: Question) -> bool:
    return _of_options(session, question) and session.game.game_turn(session.state) >= _FIRST_DELEGATED_TURN


COURSE = (
    Lesson(
        "the screen",
        "Above the question you see the news and the map: your units are numbers, the enemy's units small letters. The "
        "rule behind the question is in brackets. The line 'Enter takes' is the AI's suggestion, with its reason.",
        "Press Enter.",
        _always,
        lambda heard: not heard.line,
        PageTask(
            "Press What would the AI do?, then Do it.",
            "advice",
            "The map shows your units with numbers and the enemy's with letters. The units and places that you can choose "
            "glow. The panel asks the question, and the button behind the question shows its rule.",
        ),
    ),
    Lesson(
        "answers",
        "Answer with the number of an option, or with enough of its words to identify it, such as a name or 'done'.",
        "Answer with a number or words of your choice.",
        _of_options,
        lambda heard: heard.answers == 1 and bool(heard.line),
        PageTask(
            "Choose an option.",
            "answer",
            "Answer with a click on a glowing unit or place on the map, with a click on an option, or with its number on the "
            "keyboard.",
        ),
    ),
    Lesson(
        "places",
        "You can type a place on an open table in several ways: 'behind the rocks', '8 towards the Jezails' (a distance), "
        "'8 NE', a point such as '12 4', or a name. 'towards the well' goes as far as the unit can. A number picks a "
        "suggestion.",
        "Type a place, such as: towards the well.",
        lambda session, question: isinstance(question, Place),
        lambda heard: heard.answers > 0 and not heard.line.isdecimal(),
        PageTask(
            "Click a place on the map, then press Go there.",
            "answer",
            "On an open table you may go anywhere in the lit area. Click a place, and the panel says what it costs, or why "
            "it is not allowed.",
        ),
        on_open_table=True,
    ),
    Lesson(
        "rules",
        "You can look up the rulebook: 'rule' shows the rule of the question, 'rule rally' lists the rules about rallying.",
        "Type rule.",
        _always,
        lambda heard: heard.is_command("rule", "rules"),
        PageTask(
            "Press the number of the rule behind the question.",
            "rule",
            "You can look up the rulebook: press any rule number such as this one, and the page shows the text of the rule.",
        ),
    ),
    Lesson(
        "odds",
        "This choice can cause losses. Before you choose, you can see the odds: 'odds' summarises all options, "
        "'odds 1' shows the first one in full.",
        "Type odds.",
        _may_hurt,
        lambda heard: heard.is_command("odds"),
        PageTask(
            "Press the line under an option.",
            "odds",
            "This choice can cause losses. Before you choose, you can see the odds: the line under an option shows the "
            "chances of losses, and leads to all outcomes.",
        ),
    ),
    Lesson(
        "numbers",
        "Dice or cards have decided something. 'why' shows them, and how each number came about: its modifiers and their "
        "rules.",
        "Type why.",
        _thrown,
        lambda heard: heard.is_command("why"),
        PageTask("Press Why.", "why"),
    ),
    Lesson(
        "undo",
        "When you play alone, you can undo anything, even dice. The same choices get the same dice again.",
        "Type undo, then continue as you like.",
        _to_take_back,
        lambda heard: heard.is_command("undo"),
        PageTask("Press Undo, then continue as you like.", "undo"),
    ),
    Lesson(
        "several at once",
        "You can type several answers on one line, separated by semicolons: the unit, then its action, as in '1; 1'. If "
        "one answer is refused, the rest of the line is dropped, and you see which answers counted.",
        "Type two answers on one line.",
        _of_a_unit,
        lambda heard: heard.answers > 1,
    ),
    Lesson(
        "the score",
        "'briefing' shows the objectives and their points; 'score' shows the present score and how it came about.",
        "Type score.",
        _to_take_back,
        lambda heard: heard.is_command("score", "briefing"),
        PageTask(
            "Open the line above the question, then press Score and how it changed.",
            "score",
            "The line above the question says how to win. Behind it are the objectives, the briefing, and the present score "
            "and how it came about.",
        ),
    ),
    Lesson(
        "measuring",
        "Before you move, you can measure between two units and see what it means in the rules. Name the units, or use "
        "their keys on the map.",
        "Type measure 1 a.",
        _of_options,
        lambda heard: heard.is_command("measure"),
        PageTask(
            "Press Ruler, then click two units.",
            "ruler",
            "Before you move, you can measure between two units and see what it means in the rules.",
        ),
    ),
    Lesson(
        "helpers",
        "An AI player can act for you: 'do choice', 'do unit', 'do phase' or 'do turn'. One 'undo' takes all of it back. "
        "'order rifles hold' gives the Rifles a standing order.",
        "Type do phase, then more to see what was done.",
        _turn_to_give_away,
        lambda heard: heard.is_command("do", "order", "all"),
        PageTask(
            "Open Let the AI play, and start it for the rest of this phase.",
            "delegate",
            "An AI can act for you, for one choice, a phase or a turn. One undo takes all of it back. The card of a unit has "
            "its standing orders.",
        ),
    ),
)


def course_of(session: Session) -> list[Lesson]:
    """Return the lessons that a session can teach, in order."""
    is_open = session.game.display.board(session.state).space == "free"
    return [lesson for lesson in COURSE if is_open or not lesson.on_open_table]
