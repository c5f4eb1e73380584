"""Men whose objective is to leave by an edge: AI players send them off, and they do not count as lost."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import parse_scenario
from zareba.scenario.model import Escort
from zareba.table import SeededTable

HOMEWARD = """
id: homeward
title: The last mile
year: 1897
place: made up
note: Bearers have the edge before them, and their enemies far behind.
turns: 8
table: {width: 48, depth: 32}
terrain: {}
sides:
  column: {name: The column, home_edge: west, deployment: {road: [[40, 12], [47.5, 12], [47.5, 20], [40, 20]]}}
  pickets: {name: The pickets, home_edge: east, deployment: {hill: [[1, 12], [6, 12], [6, 20], [1, 20]]}}
units:
  bearers: {side: column, name: The bearers, arm: civilians, kind: civilian, figures: 8, position: [46.5, 16]}
  watchers:
    {side: pickets, name: The watchers, arm: infantry, kind: tribal, figures: 8, weapon: none,
     close_weapon: none, position: [3, 16], facing: east}
objectives:
  home: {kind: escort, name: Home, by: [column], points: 5, units: [bearers], edge: east, share: 0.5}
  stop: {kind: destroy, name: Stop them, by: [pickets], points: 5, units: [bearers], share: 0.5}
"""


def left_in_a_game(game: Game[Any], seed: int) -> int:
    """Play a game and check that no side loses strength when its men leave. Return how often men left."""
    state = game.start()
    table = SeededTable(
        game.rules, state, seed, {side: make_agent("doctrine", game, side, seed) for side in game.seats}
    )
    left, before = 0, game.strength(state)
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        now, kinds = game.strength(state), [event.kind for event in table.events]
        if "left the table" in kinds and "loss" not in kinds:
            left += 1
            assert all(now[side] >= before[side] for side in game.seats), kinds
        before = now
    return left


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_units_that_left_as_allowed_are_not_lost(ruleset: str) -> None:
    """An escort that comes through leaves its side as strong as before."""
    game = load_rules(ruleset).game(parse_scenario(HOMEWARD, "homeward.yaml"))
    assert any(left_in_a_game(game, seed) for seed in range(12))


@pytest.mark.parametrize("ruleset", [name for name in ruleset_names() if name != "risk_factor"])
def test_commanders_bring_an_escort_off_whole(ruleset: str) -> None:
    """Units at the edge leave even when enough have left for the points. In Risk-Factor the dice decide for them."""
    game = load_rules(ruleset).game(parse_scenario(HOMEWARD, "homeward.yaml"))
    state = game.start()
    table = SeededTable(game.rules, state, 1, {side: make_agent("doctrine", game, side, 1) for side in game.seats})
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    scoreboard = game.scoreboard(state)
    escort = game.scenario.objectives["home"]
    assert isinstance(escort, Escort)
    assert scoreboard.share_brought(escort) == scoreboard.share_left(["bearers"]) == 1.0
