"""Random scenarios that use the whole vocabulary are played under every ruleset."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.rulesets.random_games import play, play_watched, random_settings
from tests.rulesets.random_scenarios import random_scenario
from tests.systems import each_ruleset

from zareba.odds import odds
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules, ruleset_names
from zareba.table import Choose, Confirm, Place

SEEDS = 3
DEEP = 20
BLOCKS = 10
PLAYER_TURNS = 2
"""Factor on the scenario's turns, because some rulesets count player turns."""


def started(ruleset: str, seed: int, sides: int = 2) -> Game[Any]:
    """Start a random battle under a ruleset: every third one with random settings, some with a solo side."""
    rules = load_rules(ruleset, random_settings(ruleset, Random(seed)) if seed % 3 == 2 else {})
    solo = frozenset({"one"}) if rules.ruleset.solo and seed % 4 == 1 else frozenset[str]()
    game: Game[Any] = rules.game(random_scenario(seed, sides), solo)
    return game


def end_in_order(ruleset: str, seed: int, sides: int = 2) -> None:
    game = started(ruleset, seed, sides)
    play(game, seed, lambda *_: None, turns=PLAYER_TURNS * game.scenario.turns)


def check_texts_and_odds(ruleset: str, seed: int) -> None:
    """Check that every question has a description and every option has odds that can be computed."""
    random = Random(seed)

    def look(game: Game[Any], now: Any, question: Choose | Place | Confirm) -> None:
        if random.random() > 0.2:
            return
        assert game.narrator.describe(now, question)
        options = question.options if isinstance(question, Choose) else (True,) * isinstance(question, Confirm)
        for option in options:
            if isinstance(question, Choose):
                assert game.narrator.describe_option(now, question, option)
            for title, procedure, facts in game.advisor.odds_for(now, question, option):
                assert title
                if random.random() < 0.05:
                    assert odds(game.rules, game.rules.ruleset.procedure(procedure), facts).outcomes
        assert game.display.board(game.sight.view(now, question.seat)).columns
        game.display.roster(game.sight.view(now, question.seat), question.seat)

    game = started(ruleset, seed)
    kinds = [("doctrine", "random")[(seed + place) % 2] for place, _ in enumerate(game.seats)]
    state = play_watched(game, kinds, seed, look)
    assert game.play.next_step(state) is None


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_random_battles_end_in_order(ruleset: str) -> None:
    for seed in range(SEEDS):
        end_in_order(ruleset, seed)


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_every_question_of_any_scenario_has_text_and_odds(ruleset: str) -> None:
    for seed in range(SEEDS):
        check_texts_and_odds(ruleset, seed)


def test_battles_of_three_sides_end_in_order_where_the_rules_know_them() -> None:
    for seed in range(3):
        end_in_order("fixed_baynet", seed, sides=3)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_two_hundred_random_battles(ruleset: str, block: int) -> None:
    for seed in range(1000 + DEEP * block, 1000 + DEEP * (block + 1)):
        end_in_order(ruleset, seed)
        check_texts_and_odds(ruleset, seed)
