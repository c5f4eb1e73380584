"""The lessons of the tutorial, in their order: what is taught, when there is occasion for it, and when it is learnt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zareba.session import Session
from zareba.table import Choose, Place, Question, Roll

__all__ = ["COURSE", "Heard", "Lesson"]

LATER = 2
"""From this game turn on whole turns are delegated: before it there is too much to see."""


@dataclass(frozen=True)
class Heard:
    """A line that the pupil typed and that was carried out: `answers` is how many answers came of it, commands being none."""

    line: str
    answers: int

    def is_command(self, *words: str) -> bool:
        """Whether it was one of these commands."""
        return self.line.partition(" ")[0].casefold() in words


@dataclass(frozen=True)
class Lesson:
    """`says` is what is taught, `task` what is to be typed; `due` tells whether there is occasion for it now, `learnt`
    whether a line was what it asks for.
    """

    key: str
    says: str
    task: str
    due: Callable[[Session, Question], bool]
    learnt: Callable[[Heard], bool]


def _of_options(session: Session, question: Question) -> bool:
    return isinstance(question, Choose) and len(question.options) > 1


def _always(session: Session, question: Question) -> bool:
    return not isinstance(question, Roll)


def _of_a_unit(session: Session, question: Question) -> bool:
    """Whether the choice is which unit, after which it is asked what that does."""
    known = session.game.by_hand().named(session.state)
    return isinstance(question, Choose) and sum(option in known for option in question.options) > 1


def _may_hurt(session: Session, question: Question) -> bool:
    """Whether an option leads to dice whose odds the rules call worth seeing."""
    if not isinstance(question, Choose):
        return False
    seen = session.game.view(session.state, question.seat)
    return any(session.game.has_odds(seen, question, option) for option in question.options)


def _thrown(session: Session, question: Question) -> bool:
    return bool(session.last_numbers())


def _to_take_back(session: Session, question: Question) -> bool:
    return len(session.history.answers) > 1 and session.may_undo() is None


def _turn_to_give_away(session: Session, question: Question) -> bool:
    return _of_options(session, question) and session.game.game_turn(session.state) >= LATER


COURSE = (
    Lesson(
        "the screen",
        "Above the question stands what has happened, and the map: your units are numbers, theirs small letters. In "
        "brackets stands the rule that asks. The line 'Enter takes' is what a commander with sense would do, and why.",
        "Press Enter.",
        _always,
        lambda heard: not heard.line,
    ),
    Lesson(
        "answers",
        "An answer is the number of an option, or as many of its words as tell it from the others: a name, a box, done.",
        "Answer with a number or words of your own choice.",
        _of_options,
        lambda heard: heard.answers == 1 and bool(heard.line),
    ),
    Lesson(
        "places",
        "A place on an open table is 12 4, 8 NE, 8 towards the Jezails, behind the rocks, or a name; a number is one of "
        "those suggested. As far as may be, if it is too far.",
        "Type a place, as: towards the well.",
        lambda session, question: isinstance(question, Place),
        lambda heard: heard.answers > 0 and not heard.line.isdecimal(),
    ),
    Lesson(
        "rules",
        "The rulebook lies open: rule tells the rule of the question, rule and a word those in which it stands.",
        "Type rule.",
        _always,
        lambda heard: heard.is_command("rule", "rules"),
    ),
    Lesson(
        "odds",
        "Here somebody may be hurt. Before you choose you may see what comes of it: odds for all options in brief, "
        "odds 1 for the first of them whole.",
        "Type odds.",
        _may_hurt,
        lambda heard: heard.is_command("odds"),
    ),
    Lesson(
        "numbers",
        "Dice have fallen. Every number that was reckoned is kept with its parts, their rules, and the dice.",
        "Type why.",
        _thrown,
        lambda heard: heard.is_command("why"),
    ),
    Lesson(
        "undo",
        "Playing alone you may take back whatever you like, dice and all; they fall the same when you do the same again.",
        "Type undo, and then what you like.",
        _to_take_back,
        lambda heard: heard.is_command("undo"),
    ),
    Lesson(
        "several at once",
        "Several answers go on one line, with ; between: the unit, and what is asked of it next, as 1; 1. A line stops "
        "where something is refused, and says what was taken.",
        "Type two answers on one line.",
        _of_a_unit,
        lambda heard: heard.answers > 1,
    ),
    Lesson(
        "the score",
        "briefing tells what is to be done here and what it is worth, score how it stands, and how it came about.",
        "Type score.",
        _to_take_back,
        lambda heard: heard.is_command("score", "briefing"),
    ),
    Lesson(
        "measuring",
        "What lies between two units, and what the rules make of it, is told before you move. Units go by their names, or by "
        "their keys on the map.",
        "Type measure 1 a.",
        _of_options,
        lambda heard: heard.is_command("measure"),
    ),
    Lesson(
        "helpers",
        "A program may act for you, as long as you like: do choice, do unit, do phase, do turn. One undo takes it back. "
        "order rifles hold is a standing order.",
        "Type do phase, and see with more what was done.",
        _turn_to_give_away,
        lambda heard: heard.is_command("do", "order", "all"),
    ),
)
