"""Comparisons count the same turns in every ruleset: game turns, in which every side has had its turn."""

from __future__ import annotations

from functools import cache

import pytest

from zareba.analysis.games.records import GamePlan, GameRecord
from zareba.analysis.games.simulate import play_game
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario

TURNS = 3


@cache
def short_game(ruleset: str, seed: int) -> GameRecord:
    """A game of a few turns between random players."""
    scenario = load_scenario("patrol_clash").model_copy(update={"turns": TURNS})
    game = load_rules(ruleset).game(scenario)
    agents = tuple((side, "random") for side in game.seats)
    return play_game(game, ruleset, GamePlan(0, 0, seed, False, agents))


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_the_turn_limit_of_a_scenario_is_as_many_turns_in_every_system(ruleset: str) -> None:
    games = [short_game(ruleset, seed) for seed in range(2)]
    assert all(game.turns <= TURNS for game in games)
    assert [game.turns for game in games if game.ending == "turn_limit"], "one at least goes to the limit"
    assert all(game.turns == TURNS for game in games if game.ending == "turn_limit")
    assert all(len(shares) == game.turns + 1 for game in games for shares in game.strength.values())


def test_two_player_turns_are_one_game_turn() -> None:
    game = load_rules("afriboria").game(load_scenario("patrol_clash"))
    state = game.start()
    assert game.game_turn(state) == 0, "while it is set up"
    for player_turn, game_turn in ((1, 1), (2, 1), (3, 2), (4, 2), (27, 14), (28, 14)):
        state.turn = player_turn
        assert game.game_turn(state) == game_turn
