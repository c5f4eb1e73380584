"""Doctrine AI players under every ruleset: far better than random from either side, and their games end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.analysis.statistics.intervals import ShareEstimate
from zareba.registry import ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios

EACH = 50
"""Games on each of the eight scenarios: 400 in all."""
BAR = 0.90
"""Required lower 95 % bound of the score against a random player."""
LOWER = {"risk_factor": 0.55}
"""Lower bars for rulesets whose dice leave less to the player. Their README gives the best known result."""


def games(ruleset: str, first: str, second: str) -> Sequence[GameRecord]:
    """Play side-swapped games on all shipped scenarios."""
    played: list[GameRecord] = []
    for name in shipped_scenarios():
        agents = tuple(zip(load_scenario(name).sides, (first, second), strict=True))
        played += run_games(GameTask(Variant(ruleset, ruleset), name, 0, EACH, 1879, agents, swap=True))
    return played


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_doctrine_beats_random_play_from_either_side_on_all_scenarios(ruleset: str) -> None:
    played = games(ruleset, "doctrine", "random")
    won = sum(0.5 if game.winner is None else float(game.agents[game.winner] == "doctrine") for game in played)
    low = ShareEstimate(won, len(played)).limits().low
    assert low >= LOWER.get(ruleset, BAR), f"{won} of {len(played)} won: lower 95 % bound {low:.3f}"


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_games_between_ai_players_end_and_are_seldom_drawn(ruleset: str) -> None:
    played = games(ruleset, "doctrine", "doctrine")
    drawn = sum(game.winner is None for game in played)
    assert drawn <= 0.15 * len(played), f"{drawn} of {len(played)} drawn"
    assert not [game.seed for game in played if game.ending == "act_limit"]
