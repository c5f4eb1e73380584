"""Sessions under every ruleset: a journal replays step by step, and undone steps can be redone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.state import digest
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.session import Session, new_session, replay
from zareba.table import Choose, Confirm, Place, SeededTable


def answer_at_random(session: Session, random: Random, most: int) -> None:
    """Answer randomly for the people at the table."""
    for _ in range(most):
        session.drive()
        question = session.pending
        if question is None:
            return
        if isinstance(question, Place):
            session.answer(random.choice(question.suggestions))
        elif isinstance(question, Choose):
            session.answer(random.choice(question.options))
        else:
            assert isinstance(question, Confirm), f"a person is asked to {question.why}"
            session.answer(random.random() < 0.5)


@pytest.mark.parametrize("scenario", ["patrol_clash", pytest.param("column_ambushed", marks=pytest.mark.deep)])
@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_journal_replays_to_the_same_state_at_every_step(ruleset: str, scenario: str, tmp_path: Path) -> None:
    given, path = load_scenario(scenario), tmp_path / "game.jsonl"
    session = new_session(ruleset, given, dict.fromkeys(given.sides, "random"), seed=5, path=path)
    session.drive()
    session.close()
    assert session.pending is None
    again = replay(path, check=True)
    assert again.steps > 50
    assert digest(again.session.state.to_data()) == digest(session.state.to_data())


@pytest.mark.parametrize("player", [pytest.param("random", marks=pytest.mark.deep), "doctrine"])
@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_ai_players_choose_equally_in_sessions_and_simulations(ruleset: str, player: str) -> None:
    given, rules = load_scenario("patrol_clash"), load_rules(ruleset)
    game, seed = rules.game(given), 11
    state = game.start()
    table = SeededTable(rules, state, seed, {side: make_agent(player, game, side, seed) for side in game.seats})
    session = Session(game, dict.fromkeys(given.sides, player), seed)
    session.drive()
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert digest(session.state.to_data()) == digest(state.to_data())


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_undo_and_redo_come_back_to_the_same_state(ruleset: str, tmp_path: Path) -> None:
    given, path, random = load_scenario("patrol_clash"), tmp_path / "game.jsonl", Random(7)
    session = new_session(ruleset, given, {"patrol": "human", "tribesmen": "random"}, seed=5, path=path)
    for _ in range(20):
        answer_at_random(session, random, most=4)
        if session.pending is None:
            break
        before = digest(session.state.to_data())
        session.undo()
        undone = digest(session.state.to_data())
        session.redo()
        assert digest(session.state.to_data()) == before
        session.undo()
        assert digest(session.state.to_data()) == undone
        session.redo()
    session.close()
    assert digest(replay(path).session.state.to_data()) == digest(session.state.to_data())
