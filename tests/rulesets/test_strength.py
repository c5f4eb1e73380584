"""Strength, losses and size are defined alike in all rulesets and agree with each other and with the events."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.systems import each_battle, each_ruleset

from zareba.agents import make_agent
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import SeededTable


def play(ruleset: str, scenario: str, kind: str, seed: int) -> None:
    """Play a whole game, and compare strength, losses and size with the events after every step."""
    game = load_rules(ruleset).game(load_scenario(scenario))
    state = game.start()
    agents = {side: make_agent(kind, game, side, seed) for side in game.seats}
    table = SeededTable(game.rules, state, seed, agents)
    start = game.scoreboard(state)
    sizes = {side: start.size(side) for side in game.seats}
    assert {side: start.strength(side) for side in game.seats} == dict.fromkeys(game.seats, 1.0)
    reported: Counter[str] = Counter()
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        for event in table.events:
            if event.kind == "loss":
                reported[event.data["side"]] += event.data["lost"]
        now = game.scoreboard(state)
        assert {side: now.size(side) for side in game.seats} == sizes, "no figure appears from nowhere"
        for side in game.seats:
            strength, lost = now.strength(side), now.losses(side)
            assert 0 <= strength <= 1 and 0 <= lost <= 1 and strength + lost <= 1 + 1e-9
            gone = lost * sizes[side]
            assert gone <= reported[side] + 1e-6, f"{step}: {side} has lost more than the events report"
            if gone < reported[side] - 1e-6:  # a man has come back
                reported[side] = round(gone)
    assert not state.over or game.play.common_outcome(state).ending


@pytest.mark.parametrize("kind", ["random", "doctrine"])
@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_losses_equal_the_reported_losses(ruleset: str, kind: str) -> None:
    play(ruleset, "patrol_clash", kind, 1)


@pytest.mark.deep
@pytest.mark.parametrize("scenario", shipped_scenarios())
@pytest.mark.parametrize("kind", ["random", "doctrine"])
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_losses_equal_the_reported_losses_in_every_battle(ruleset: str, kind: str, scenario: str) -> None:
    play(ruleset, scenario, kind, 2)


@pytest.mark.parametrize("scenario", each_battle("patrol_clash", "hill_fort"))
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_side_begins_at_its_full_strength(ruleset: str, scenario: str) -> None:
    game = load_rules(ruleset).game(load_scenario(scenario))
    assert game.strength(game.start()) == dict.fromkeys(game.seats, 1.0)
