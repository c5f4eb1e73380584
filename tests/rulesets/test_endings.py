"""The closing sentence states the result of a battle, under every ruleset and for every kind of ending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.random_games import play
from tests.systems import each_ruleset

from zareba.plugins.ruleset import Game
from zareba.presentation.narration import outcome_sentence
from zareba.registry import HouseRule, find_house_rule, load_rules, ruleset_names
from zareba.scenario import load_scenario

PLAYER_TURNS = 2
"""Factor on the scenario's turns, because some rulesets count player turns."""
RULE = """
import zareba.api as zareba

@zareba.hookimpl
def zareba_over(state):
    return "the whistle" if state.turn > 2 else None
"""
DRAWN = """
from dataclasses import replace
import zareba.api as zareba

@zareba.hookimpl
def zareba_outcome(outcome):
    return replace(outcome, winner=None, ground="no clear victory")
"""


def check(game: Game[Any], state: Any) -> None:
    """Check that the sentence states a result and that the result fits the points."""
    outcome = game.play.outcome(state)
    sentence = outcome_sentence(game.scenario, outcome)
    assert outcome.decided_by and sentence.endswith(f" Deciding factor: {outcome.decided_by}."), sentence
    most = max(outcome.points.values())
    best = [side for side, points in outcome.points.items() if points == most]
    if "most points" in outcome.decided_by:
        assert best == [outcome.winner], sentence
    if "points equal" in outcome.decided_by:
        assert len(best) > 1, sentence
    if outcome.winner is not None and best != [outcome.winner]:
        assert "most points" not in outcome.decided_by, sentence


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
@pytest.mark.parametrize("turns", [1, 5])
def test_the_closing_sentence_says_what_decided(ruleset: str, turns: int) -> None:
    scenario = load_scenario("patrol_clash").model_copy(update={"turns": turns})
    game: Game[Any] = load_rules(ruleset).game(scenario)
    for seed in (1, 2):
        check(game, play(game, seed, lambda *_: None, turns=PLAYER_TURNS * turns))


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_a_battle_that_a_house_rule_ends_goes_to_who_is_ahead(ruleset: str, tmp_path: Path) -> None:
    rules = load_rules(ruleset, house_rules=[written(tmp_path, RULE)])
    game: Game[Any] = rules.game(load_scenario("patrol_clash"))
    state = play(game, 3, lambda *_: None, turns=PLAYER_TURNS * 3)
    outcome = game.play.outcome(state)
    check(game, state)
    ahead = [side for side, points in outcome.points.items() if points == max(outcome.points.values())]
    if outcome.ending == "the whistle" and ruleset != "afriboria" and len(ahead) == 1:
        assert outcome.winner == ahead[0]


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_a_house_rule_that_decides_is_named(ruleset: str, tmp_path: Path) -> None:
    scenario = load_scenario("patrol_clash").model_copy(update={"turns": 1})
    game: Game[Any] = load_rules(ruleset, house_rules=[written(tmp_path, DRAWN)]).game(scenario)
    state = game.start()
    if game.play.printed_outcome(state).winner is not None:
        assert game.play.outcome(state).decided_by == "no clear victory, house rule whistle"


def written(folder: Path, text: str) -> HouseRule:
    """Write a house rule to a file."""
    file = folder / "whistle.py"
    file.write_text(text, encoding="utf-8")
    return find_house_rule(str(file))


def how_to_win(ruleset: str, scenario: str = "patrol_clash", **settings: str) -> list[str]:
    """Return what decides a battle under a ruleset, in sentences."""
    rules = load_rules(ruleset, settings)
    game = rules.game(load_scenario(scenario))
    return list(game.play.how_to_win(game.start()))


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_victory_rule_that_decides_is_stated_first(ruleset: str) -> None:
    assert how_to_win(ruleset)[0].startswith("Most points win")


def test_a_ruleset_states_its_own_victory_rules() -> None:
    assert "Equal points are a draw." in how_to_win("paychest")
    assert how_to_win("paychest", own_victory="common") == how_to_win("fixed_baynet")
    assert any(
        "25\u00a0% of the starting bases" in sentence
        for sentence in how_to_win("vcc", **{"withdrawal_share.british": "0.25"})
    )
    assert "A side loses at once when all its units are in retreat or gone." in how_to_win("risk_factor")
    quota = how_to_win("afriboria", vp_quota="half_enemy")[0]
    assert quota.startswith("The first side to reach its quota wins: ") and " points" in quota


def test_a_house_rule_that_ends_or_decides_a_battle_is_mentioned(tmp_path: Path) -> None:
    for name, code, words in (("ends", RULE, "can end the battle early"), ("draws", DRAWN, "can change who wins")):
        file = tmp_path / f"{name}.py"
        file.write_text(code, encoding="utf-8")
        game = load_rules("vcc", {}, [find_house_rule(str(file))]).game(load_scenario("patrol_clash"))
        assert any(words in sentence for sentence in game.play.how_to_win(game.start()))
