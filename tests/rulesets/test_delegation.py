"""AI players that stand in for people, standing orders, and changes of seats, under every ruleset."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.small_battle import shortened
from tests.systems import each_ruleset

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.base.state import digest
from zareba.presentation.board import describe_position
from zareba.scenario import Scenario
from zareba.session import Correction, Session, StandingOrder, new_session, open_session, replay
from zareba.table import seat_of


def begun(ruleset: str, path: Path | None = None, scenario: Scenario | None = None) -> Session:
    """Begin a game in which a person plays the first side and the doctrine AI the other; by default a short one."""
    given = scenario or shortened("patrol_clash", 4)
    first, *others = given.sides
    session = new_session(ruleset, given, {first: "human", **dict.fromkeys(others, "doctrine")}, seed=5, path=path)
    session.drive()
    return session


def mark(session: Session) -> tuple[str, int]:
    return digest(session.state.to_data()), len(session.history.answers)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_undo_takes_back_a_delegated_turn_as_one(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = begun(ruleset, path)
    turn, before = session.game.game_turn(session.state), mark(session)
    session.delegate("turn")
    session.drive()
    assert session.pending is not None
    assert session.game.game_turn(session.state) == turn + 1
    own = [
        answer for answer in session.history.answers if not isinstance(answer, Correction) and answer.by == "doctrine"
    ]
    assert any(seat_of(answer.question) == next(iter(session.seats)) and answer.reason for answer in own)
    after = mark(session)
    session.undo()
    assert mark(session) == before
    session.redo()
    assert mark(session) == after
    session.close()
    assert digest(replay(path).session.state.to_data()) == after[0]


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_delegated_seat_is_given_back(ruleset: str) -> None:
    session = begun(ruleset)
    seat = session.people[0]
    session.delegate("game", "random")
    with pytest.raises(ZarebaError, match="no AI player acts for"):
        session.give_back(next(side for side in session.seats if side != seat))
    session.give_back(seat)
    asked = session.pending
    session.drive()
    assert session.pending is asked
    session.delegate("game", "random")
    session.drive()
    assert session.pending is None


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_delegating_one_choice_returns_control_to_the_person(ruleset: str) -> None:
    session = begun(ruleset)
    before = len(session.history.answers)
    session.delegate("choice")
    session.drive()
    seat = session.people[0]
    made = session.history.answers[before:]
    assert sum(not isinstance(answer, Correction) and seat_of(answer.question) == seat for answer in made) == 1


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_player_of_a_seat_is_changed_and_saved(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = begun(ruleset, path)
    seat = session.people[0]
    session.seat(seat, "random")
    assert session.people == []
    session.close()
    resumed = open_session(path).session
    assert resumed.seats[seat] == "random"
    resumed.seat(seat, "human")
    with pytest.raises(ZarebaError, match="'doctrine'"):
        resumed.seat(seat, "doctrin")
    with pytest.raises(ZarebaError, match="side"):
        resumed.seat("nobody", "human")
    resumed.close()
    assert replay(path).session.people == [seat]


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_standing_orders_answer_for_their_units_are_saved_and_cancelled(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = begun(ruleset, path)
    session.delegate("phase")
    session.drive()
    units = [
        name
        for name in session.game.umpire_editor().piece_holders(session.state)
        if name.startswith(("fusiliers", "sikhs"))
    ]
    for unit in units:
        session.order(unit, StandingOrder("hold"))
    with pytest.raises(ZarebaError, match="no standing order"):
        session.order("lancers" if ruleset != "risk_factor" else "captain", None)
    for _ in range(60):
        session.drive()
        obeyed = [
            answer for answer in session.history.answers if not isinstance(answer, Correction) and answer.by == "orders"
        ]
        if obeyed or session.pending is None:
            break
        session.delegate("choice")
    assert obeyed, "no order was carried out"
    session.order(units[0], None)
    session.close()
    resumed = replay(path).session
    assert set(resumed.orders.given) == set(units[1:])


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_units_with_orders_go_where_they_were_sent(ruleset: str) -> None:
    session = begun(ruleset)
    session.delegate("phase")
    session.drive()
    game, seat = session.game, session.people[0]
    board = game.display.board(session.state)
    goal = (board.columns / 2, board.rows / 2) if board.space == "free" else (board.columns // 2, board.rows // 2)
    own = {piece.id for piece in board.pieces if piece.side == seat}
    units = [
        name
        for name in game.umpire_editor().piece_holders(session.state)
        if any(piece.startswith(name) for piece in own)
    ]
    for unit in units:
        session.order(unit, StandingOrder("go", "the middle", goal))
    start = describe_position(board)
    nearer = set()
    for _ in range(60):
        session.drive()
        if session.pending is None or game.game_turn(session.state) > 2:
            break
        now = describe_position(game.display.board(session.state))
        nearer |= {unit for unit in units if unit in now and dist(now[unit], goal) < dist(start[unit], goal) - 1e-6}
        if len(nearer) > 1:
            break
        session.delegate("choice")
    assert len(nearer) > 1
