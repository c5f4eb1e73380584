"""A long game stores its finished steps compactly, and any of them can be restored exactly."""

from __future__ import annotations

import gc
from random import Random

import pytest
from tests.systems import each_ruleset

from zareba.base.state import canonical_json
from zareba.game.advance import Done, advance
from zareba.scenario import load_scenario
from zareba.session import Correction, Session, new_session
from zareba.table import Choose, Place

SOLDIER, ENEMY = "patrol", "tribesmen"


def begun(ruleset: str) -> Session:
    made = new_session(ruleset, load_scenario("patrol_clash"), {SOLDIER: "human", ENEMY: "random"}, seed=7)
    made.drive()
    return made


def play(session: Session, answers: int, luck: Random) -> None:
    for _ in range(answers):
        question = session.pending
        if question is None:
            return
        listed = question.options if isinstance(question, Choose) else (False, True)
        if isinstance(question, Place):
            listed = question.suggestions
        session.answer(luck.choice(list(listed)))
        session.drive()


def written(session: Session) -> list[str]:
    """Return the state at the start of each step, and the current state."""
    return [canonical_json(played.start.to_data()) for played in session.history.steps] + [
        canonical_json(session.state.to_data())
    ]


def played_again(session: Session) -> list[str]:
    """Replay the same answers from the start. Return the state at the start of each step."""
    game, state = session.game, session.game.start()
    found = []
    for played in session.history.steps:
        found.append(canonical_json(state.to_data()))
        assert played.turn == game.game_turn(state)
        if played.done is not None:
            reached = advance(game, state, [answer.answer for answer in played.answers])
            assert isinstance(reached, Done) and reached.events == played.done.events
            state = reached.checkpoint
    return found


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_every_step_starts_from_the_same_state_as_in_a_replay(ruleset: str) -> None:
    session = begun(ruleset)
    play(session, 25, Random(3))
    assert written(session)[:-1] == played_again(session)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_game_undone_to_its_start_replays_equally(ruleset: str) -> None:
    session = begun(ruleset)
    play(session, 20, Random(3))
    before, asked = written(session), session.pending
    assert asked is not None and len(before) > 15
    while session.why_no_undo() is None:
        session.undo()
    assert written(session) == written(begun(ruleset))
    while session.history.undone:
        session.redo()
    assert written(session) == before
    assert session.pending is not None and session.pending.why == asked.why
    # and another game can branch off from the middle
    for _ in range(12):
        session.undo()
    play(session, 5, Random(4))
    assert written(session)[:-1] == played_again(session)


def test_undo_takes_back_a_much_earlier_act_of_the_umpire() -> None:
    session = begun("vcc")
    play(session, 12, Random(3))
    before = written(session)
    session.correct(Correction("set", "fusiliers", "figures", 3, "the table differs"))
    play(session, 12, Random(4))
    for _ in range(13):
        session.undo()
    assert written(session) == before
    for _ in range(13):
        session.redo()
    assert any("the table differs" in str(event) for _, _, events in session.log() for event in events)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_long_game_keeps_no_more_tables_than_a_short_one(ruleset: str) -> None:
    session = begun(ruleset)
    kind = type(session.state)

    def kept() -> int:
        gc.collect()
        return sum(type(candidate) is kind for candidate in gc.get_objects())

    play(session, 10, Random(3))
    session.score(SOLDIER)  # the game now caches a start state for restoring others
    early, steps = kept(), len(session.history.steps)
    play(session, 25, Random(4))
    session.score(SOLDIER)
    assert len(session.history.steps) > steps + 5
    assert kept() <= early + 2
