"""Checkpoints of a journal: a shortcut used only if it agrees with the journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.systems import each_ruleset

from zareba.base.errors import ZarebaError
from zareba.base.state import digest
from zareba.scenario import load_scenario
from zareba.session import Correction, Session, earlier_history, new_session, open_session
from zareba.table import fingerprint


def begun(ruleset: str, path: Path) -> Session:
    seats = {"patrol": "human", "tribesmen": "doctrine"}
    session = new_session(ruleset, load_scenario("patrol_clash"), seats, seed=5, path=path)
    session.drive()
    return session


def play(session: Session, count: int) -> None:
    for _ in range(count):
        if session.pending is None:
            return
        session.answer(session.suggestion("random")[0])
        session.drive()


def looks(session: Session) -> Any:
    """Return everything a game shows about itself."""
    log = [
        (key, [(answer.answer, answer.faces, answer.by) for answer in answers], [str(event) for event in events])
        for key, answers, events in session.log()
    ]
    return digest(session.state.to_data()), session.pending and fingerprint(session.pending), log


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_game_opened_from_its_checkpoint_is_the_one_that_was_played(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = begun(ruleset, path)
    play(session, 12)
    assert session.save_checkpoint(path)
    play(session, 5)
    before = looks(session)
    session.close()
    opened = open_session(path, shortcut=True)
    quick = opened.session
    assert opened.checkpoint is not None and quick.history.is_partial
    assert looks(quick)[:2] == before[:2] and len(quick.history.steps) < len(before[2]) + 2
    with pytest.raises(ZarebaError, match="still being read"):
        quick.score()
    play(quick, 1)
    quick.history.prepend(earlier_history(opened))
    assert not quick.history.is_partial
    after = looks(quick)
    quick.close()
    whole = open_session(path).session
    assert looks(whole) == after and after[2][: len(before[2]) - 1] == before[2][:-1]
    assert whole.score() == quick.score()
    while whole.why_no_undo() is None and whole.recorded < 200:
        whole.undo()
        quick.undo()
        assert looks(whole) == looks(quick)
    whole.close()


def checkpointed(path: Path) -> dict[str, Any]:
    session = begun("vcc", path)
    play(session, 8)
    assert session.save_checkpoint(path)
    play(session, 2)
    session.close()
    found: dict[str, Any] = json.loads(path.with_suffix(".checkpoint.json").read_text())
    return found


@pytest.mark.parametrize(
    "changed",
    [
        {"entries": 3}, {"entries": -1}, {"entries": 10**9}, {"entries": "4"}, {"state": "AAAA"}, {"state": 7}, {"zareba": "0.0.1"},
        {"checkpoint": 99},
    ],
)  # fmt: skip
def test_a_checkpoint_that_contradicts_the_journal_is_ignored(changed: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    data = checkpointed(path)
    path.with_suffix(".checkpoint.json").write_text(json.dumps({**data, **changed}))
    opened = open_session(path, shortcut=True)
    assert opened.checkpoint is None and not opened.session.history.is_partial
    opened.session.close()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00"])
def test_a_damaged_checkpoint_is_ignored(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    checkpointed(path)
    path.with_suffix(".checkpoint.json").write_text(text)
    opened = open_session(path, shortcut=True)
    assert opened.checkpoint is None
    opened.session.close()


def test_undo_behind_a_checkpoint_replays_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = begun("vcc", path)
    play(session, 8)
    assert session.save_checkpoint(path)
    for _ in range(3):
        session.undo()
    play(session, 3)
    before = looks(session)
    session.close()
    opened = open_session(path, shortcut=True)
    assert opened.checkpoint is None and looks(opened.session) == before
    opened.session.close()


def test_an_umpires_act_is_refused_until_the_game_has_been_read(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    checkpointed(path)
    opened = open_session(path, shortcut=True)
    with pytest.raises(ZarebaError, match="still being read"):
        opened.session.correct(Correction("turn", value=2))
    opened.session.history.prepend(earlier_history(opened))
    opened.session.correct(Correction("turn", value=2))
    opened.session.close()


def test_standing_orders_and_seats_from_before_a_checkpoint_are_kept(tmp_path: Path) -> None:
    from zareba.session import StandingOrder

    path = tmp_path / "game.jsonl"
    session = begun("vcc", path)
    play(session, 4)
    session.order("fusiliers", StandingOrder("hold"))
    session.seat("tribesmen", "random")
    play(session, 6)
    assert session.save_checkpoint(path)
    session.close()
    opened = open_session(path, shortcut=True)
    assert opened.checkpoint is not None
    assert opened.session.seats["tribesmen"] == "random" and set(opened.session.orders.given) == {"fusiliers"}
    opened.session.close()
