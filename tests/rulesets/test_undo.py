"""Undo between two people under every ruleset: its limit, and the agreement of the other person."""

from __future__ import annotations

from typing import Any

import pytest
from tests.systems import each_ruleset
from tests.web.worlds import HIDERS, world

from zareba.base.errors import ZarebaError
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.session import Session
from zareba.table import Draw, Roll, seat_of

AMBUSHED = ("vcc", "afriboria", "paychest")


def two_people(ruleset: str, scenario: Any = None, rules: tuple[str, ...] = (), **settings: Any) -> Session:
    """Begin a game between two people."""
    resolved = load_rules(ruleset, settings or None, [find_house_rule(rule) for rule in rules])
    game = resolved.game(scenario or load_scenario("patrol_clash"))
    session = Session(game, dict.fromkeys(game.seats, "human"), 5)
    session.drive()
    return session


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_undo_of_the_other_side_s_choice_needs_its_consent(ruleset: str) -> None:
    session = two_people(ruleset)
    refused = 0
    for _ in range(60):
        if session.pending is None or refused > 2:
            break
        seat = seat_of(session.pending)
        assert seat is not None
        session.answer(session.suggestion("random")[0])
        session.drive()
        if session.why_no_undo() is not None:
            continue
        other = next(person for person in session.people if person != seat)
        before = session.state.to_data()
        with pytest.raises(ZarebaError, match="would undo a choice of"):
            session.undo([other])
        with pytest.raises(ZarebaError, match="your own choice"):
            session.ask_undo([seat])
        session.ask_undo([other])
        with pytest.raises(ZarebaError, match="your agreement is not needed"):
            session.agree_undo([other])
        session.decline_undo([seat])
        assert session.undo_request is None and session.state.to_data() == before
        session.ask_undo([other])
        session.agree_undo([seat])
        assert session.undo_request is None and seat_of(session.pending) == seat
        with pytest.raises(ZarebaError, match="only they can redo it"):
            session.redo([other])
        session.redo([seat])
        session.drive()
        assert session.state.to_data() == before
        refused += 1
    assert refused


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_undo_request_ends_with_the_next_answer(ruleset: str) -> None:
    session = two_people(ruleset)
    seat = seat_of(session.pending)  # type: ignore[arg-type]  # a question is pending
    session.answer(session.suggestion("random")[0])
    session.drive()
    session.ask_undo([person for person in session.people if person != seat])
    assert session.undo_request is not None
    session.answer(session.suggestion("random")[0])
    assert session.undo_request is None
    with pytest.raises(ZarebaError, match="there is no request"):
        session.agree_undo(session.people)
    alone = Session(session.game, {session.game.seats[0]: "human", session.game.seats[1]: "doctrine"}, 5)
    alone.drive()
    alone.answer(alone.suggestion()[0])
    alone.drive()
    assert alone.why_no_undo([session.game.seats[0]]) is None


@pytest.mark.parametrize("ruleset", AMBUSHED)
def test_men_who_come_out_of_hiding_have_been_seen(ruleset: str) -> None:
    session = two_people(ruleset, world("first"), ("ambush",))
    for _ in range(80):
        question = session.pending
        assert question is not None and not isinstance(question, (Roll, Draw))
        session.answer("come out" if question.why == "ambush" else session.suggestion()[0])
        session.drive()
        if question.why == "ambush":
            break
    assert question is not None and question.why == "ambush"
    told = [event.kind for _, _, events in session.log() for event in events]
    assert "sprung" in told
    assert "something hidden has been revealed" in str(session.why_no_undo())
    with pytest.raises(ZarebaError):
        session.undo(session.people)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_undo_stops_at_units_that_came_into_sight(ruleset: str) -> None:
    rules = ("ambush",) if ruleset in AMBUSHED else ()
    settings = {"hidden.use": "on"} if ruleset == "risk_factor" else {}
    session = two_people(ruleset, world("second"), rules, **settings)
    learned = 0
    for _ in range(150):
        if session.pending is None:
            break
        before = {seat: session.game.sight.secrets(session.state, seat) for seat in session.people}
        session.answer("come out" if session.pending.why == "ambush" else session.suggestion("doctrine")[0])
        session.drive()
        for seat in session.people:
            if before[seat] - session.game.sight.secrets(session.state, seat):
                learned += 1
                assert session.why_no_undo() is not None
    assert learned or ruleset == "fixed_baynet", f"nobody saw {HIDERS}"
