"""The end of a game by its players: a draw, a concession, or a win on time."""

from __future__ import annotations

from pathlib import Path

import pytest

from zareba.base.errors import ZarebaError
from zareba.campaign_result import campaign_result
from zareba.cli.play.journals import bare_steps
from zareba.journal import Journal, read_journal
from zareba.presentation.narration import outcome_sentence
from zareba.scenario import load_scenario
from zareba.session import Session, Settlement, new_session, open_session, replay
from zareba.session.saved_games import saved_game

BOTH = {"patrol": "human", "tribesmen": "human"}


def begun(path: Path) -> Session:
    session = new_session("vcc", load_scenario("patrol_clash"), BOTH, seed=3, path=path)
    session.drive()
    for _ in range(4):
        session.answer(session.suggestion()[0])
        session.drive()
    return session


@pytest.mark.parametrize(
    ("settlement", "told"),
    [
        (Settlement(None, "agreement"), "The game is over: a draw."),
        (Settlement("tribesmen", "concession"), "The game is over: the band wins."),
        (Settlement("patrol", "time"), "The game is over: the patrol wins."),
    ],
)
def test_a_settled_game_is_over_with_that_result_everywhere(settlement: Settlement, told: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = begun(path)
    session.settle(settlement)
    assert session.pending is None and session.outcome.winner == settlement.winner
    assert told in outcome_sentence(session.game.scenario, session.outcome)
    assert session.after_action_report(1.0).result.startswith(told)
    session.close()
    assert saved_game(path).over and saved_game(path).progress == "over"
    assert bare_steps(read_journal(path).entries)[-1][2][0].startswith(told)
    assert replay(path).session.pending is None
    assert campaign_result(path).outcome.winner == settlement.winner
    resumed = open_session(path).session
    assert resumed.pending is None and resumed.outcome == session.outcome
    resumed.close()


def test_a_settled_game_cannot_be_played_on(tmp_path: Path) -> None:
    session = begun(tmp_path / "game.jsonl")
    session.settle(Settlement(None, "agreement"))
    assert session.why_no_undo() == "the players have ended this game"
    assert session.why_no_redo() is not None
    with pytest.raises(ZarebaError, match="over"):
        session.settle(Settlement("patrol", "time"))
    with pytest.raises(ZarebaError, match="over"):
        session.answer(0)
    session.close()


@pytest.mark.parametrize("data", [None, {}, {"winner": "nobody", "ground": "time"}, {"winner": None, "ground": "luck"}])
def test_a_settlement_that_zareba_did_not_write_is_refused(data: object, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    begun(path).close()
    journal = Journal(path, new=False)
    journal.write({"settled": data})
    journal.close()
    with pytest.raises(ZarebaError, match="not a valid end"):
        replay(path)
