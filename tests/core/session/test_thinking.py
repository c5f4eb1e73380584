"""Thinking beside a session: a search uses nothing of the session, and counts only for its own question."""

from __future__ import annotations

from zareba.scenario import load_scenario
from zareba.session import Session, new_session
from zareba.session.thinking import Thought


def at_a_search() -> tuple[Session, Thought]:
    """Return a session at a question that a general searches, and the search, told to end at once."""
    session = new_session("vcc", load_scenario("patrol_clash"), {"patrol": "general", "tribesmen": "doctrine"}, seed=4)
    session.think = 0.1
    assert not session.drive(enough=session.needs_thought)
    thought = session.thought()
    assert thought is not None and thought.game is not session.game
    thought.is_enough = lambda: True
    return session, thought


def test_the_result_of_a_search_is_the_answer_to_its_question() -> None:
    session, thought = at_a_search()
    thought.think()
    session.keep(thought)
    assert not session.needs_thought()
    session.drive(enough=lambda: True)
    answered = session._last_answered()
    assert (answered.by, answered.answer) == ("general", thought.answer)


def test_the_result_of_a_search_is_discarded_if_the_seat_has_another_player() -> None:
    session, thought = at_a_search()
    thought.think()
    session.seat("patrol", "doctrine")
    session.keep(thought)
    assert not session.needs_thought()
    session.drive(enough=lambda: True)
    assert session._last_answered().by == "doctrine"


def test_ai_player_that_fails_in_the_background_is_asked_again() -> None:
    session, thought = at_a_search()
    session.keep(thought)  # it has no answer
    assert not session.needs_thought()
    session.drive(enough=lambda: True)
    assert session._last_answered().by == "general"
