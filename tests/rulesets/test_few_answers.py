"""Shortcuts that save answers: no questions about single men, repeating orders, one order for several units."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.rulesets.test_delegation import begun
from tests.scripted_player import Screen

from zareba.base.errors import ZarebaError
from zareba.base.state import digest
from zareba.cli.prompt.prompt import Prompt
from zareba.game.parts.play import sets_up
from zareba.scenario import load_scenario
from zareba.session import Answered, Session, replay
from zareba.session.delegation import only_selects_figure
from zareba.table import Choose, Place


def until(session: Session, ready: Callable[[Session], bool], most: int = 400) -> Session:
    """Answer as suggested until `ready` returns True; return the session."""
    for _ in range(most):
        session.drive()
        if ready(session):
            return session
        session.answer(session.suggestion()[0])
    raise AssertionError("it is never asked")


def asks_for_a_man(session: Session) -> bool:
    now = session.history.now
    return now is not None and only_selects_figure(session.game, now.draft, now.question)


def typed(session: Session, *lines: str) -> str:
    """Return the output of the prompt when these lines are typed."""
    left = [*lines]
    screen = Screen()

    def ask(_: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    Prompt(session, screen, ask).run()
    return " ".join(screen.file.getvalue().split())  # type: ignore[attr-defined]  # it is a StringIO


def test_doctrine_chooses_single_figures_on_request(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = until(begun("paychest", path, load_scenario("river_ford")), asks_for_a_man)
    question = session.pending
    assert isinstance(question, Choose) and len(question.options) > 1
    assert "doctrine chooses the single figures of a unit from now on" in typed(session, "men off")
    assert session.by_units
    session.drive()
    last = [
        answer for answer in session.history.answers if isinstance(answer, Answered) and answer.question is question
    ]
    assert [(answer.answer in question.options, answer.by, answer.reason != "") for answer in last] == [
        (True, "doctrine", True)
    ]
    session.undo()
    assert "you choose the single figures of a unit from now on" in typed(session, "men on")
    until(session, asks_for_a_man, 3)
    session.close()
    assert digest(replay(path).session.state.to_data()) == digest(session.state.to_data())


def test_same_repeats_the_last_answer_and_those_that_followed_it() -> None:
    session = until(begun("vcc"), lambda session: session.pending.why == "move with")  # type: ignore[union-attr]  # not over
    question = session.pending
    assert isinstance(question, Choose)
    with pytest.raises(ZarebaError, match="no question of this kind has been answered yet"):
        session.answer_as_before()
    units = [option for option in question.options if option != "done"]
    session.answer(units[0])
    session.answer("stay")
    session.answer(session.pending.options[0])  # type: ignore[union-attr]  # any facing
    session.answer(units[1])
    assert session.pending is not None and session.pending.why == "move"
    assert session.answer_as_before() == 2, "the next unit does as the one before: it stays, and faces the same way"
    assert session.pending.why == "move with"
    typed(session, "1", "same")
    kept = [answer.answer for answer in session.history.answers if isinstance(answer, Answered)][-3:]
    assert kept[1:] == ["stay", 0]


def test_command_that_cannot_be_repeated_changes_nothing() -> None:
    session = until(begun("vcc"), lambda session: session.pending.why == "move with")  # type: ignore[union-attr]  # not over
    session.answer(session.pending.options[0])  # type: ignore[union-attr]  # a unit
    session.answer("stay")
    session.answer(session.pending.options[0])  # type: ignore[union-attr]  # any facing
    count = len(session.history.answers)
    with pytest.raises(ZarebaError, match="cannot repeat: the earlier answer is no longer an option"):
        session.answer_as_before()  # a unit moves only once
    assert len(session.history.answers) == count


def test_one_command_orders_several_units() -> None:
    session = until(begun("vcc"), lambda session: session.pending.why == "move with")  # type: ignore[union-attr]  # not over
    count = len(session.history.answers)
    typed(session, "1-2 stay n")
    answers = [answer.answer for answer in session.history.answers[count:] if isinstance(answer, Answered)]
    assert [answers[place] for place in (1, 2, 4, 5)] == ["stay", 0, "stay", 0]


def test_rejected_part_of_a_command_is_reported() -> None:
    session = until(begun("vcc"), lambda session: session.pending.why == "move with")  # type: ignore[union-attr]  # not over
    shown = typed(session, "1-2 stay moonwards")
    assert "Fusiliers: 'stay' was taken, 'moonwards' was not: no option is called 'moonwards'" in shown


def test_end_does_not_answer_a_question_for_a_place() -> None:
    session = until(begun("fixed_baynet"), lambda session: isinstance(session.pending, Place) and not _sets_up(session))
    count = len(session.history.answers)
    shown = typed(session, "end", "E4")
    assert "'end' is not a place; stay leaves the unit where it is" in shown
    assert "'E4' is a box or hex, but this table is open: type 12 4, 8 NE, or a name" in shown
    assert len(session.history.answers) == count


def _sets_up(session: Session) -> bool:
    now = session.history.now
    return now is not None and sets_up(now.step)


def test_mistakes_in_shorthand_commands_are_reported_and_change_nothing(tmp_path: Path) -> None:
    session = until(begun("vcc"), lambda session: session.pending.why == "move with")  # type: ignore[union-attr]  # not over
    count = len(session.history.answers)
    for line, sentence in {
        "same E3": "'E3' is not expected; type 'same'",
        "same": "no question of this kind has been answered yet",
        "men maybe": "type men on or men off, not 'men maybe'",
        "9 stay": "'9' is not a list of options; type numbers from 1 to 5",
        "2-1 stay": "'2-1' is not a list of options",
        "1-9 stay": "'1-9' is not a list of options",
        "and stay": "no option is called 'and stay'",
    }.items():
        assert sentence in typed(session, line), line
        assert len(session.history.answers) == count, line
    assert not session.by_units
