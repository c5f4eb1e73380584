"""Winning chances during a game, estimated by playouts that do not change the game itself."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.games.simulate import PLAYOUTS, run_games, uncertainty
from zareba.scenario import load_scenario


def test_uncertainty_agrees_with_hand_computed_values() -> None:
    assert uncertainty(()) is None
    assert uncertainty((0.0, 1.0)) == 0 and uncertainty((0.5,)) == 1
    assert uncertainty((0.1, 1.0)) == pytest.approx(0.18 * 20 / 19) and PLAYOUTS == 20


def test_win_probabilities_of_the_first_games_change_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zareba.analysis.games.simulate.PLAYOUTS", 3)
    agents = tuple((side, "doctrine") for side in load_scenario("patrol_clash").sides)
    task = GameTask(Variant("vcc", "vcc"), "patrol_clash", 0, 2, 4, agents)
    plain, told = run_games(task), partial(run_games, foretold=1)(task)
    assert plain[1] == told[1] and plain[0] == replace(told[0], chances=())
    (game, _) = told
    assert len(game.chances) == game.turns - 1 > 0
    assert all(0 <= chance <= 1 and round(6 * chance, 9).is_integer() for chance in game.chances)
    assert GameRecord.from_dict(game.to_dict()) == game
