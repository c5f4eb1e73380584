"""Rulesets written for the last release, which override the methods of parts on the game class, still work."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest
from tests.core.toy import Raid, ToyGame, bare_rules, hook_of

from zareba.house_rules import HookFunction
from zareba.plugins.ruleset import Evaluation
from zareba.renamed import warn_renamed
from zareba.table import Choose

CHOICE = Choose("act", "T-1", "patrol", "patrol", ("raid", "camp"), ())


def old_game(caplog: pytest.LogCaptureFixture) -> Any:
    """Return a game class of the last release, after checking that a warning tells its author what to do."""
    caplog.set_level(logging.WARNING, logger="zareba")

    class OldGame(ToyGame):
        def evaluate(self, state: Raid, question: Any) -> Sequence[Evaluation]:
            return [Evaluation(ground=2.0, reason="old"), *super().evaluate(state, question)[1:]]  # type: ignore[misc]

        def consequences(self, before: Raid, state: Raid, step: Any) -> bool:
            return step == "next" or super().consequences(before, state, step)  # type: ignore[misc,no-any-return]

    assert "OldGame.evaluate will no longer be used" in caplog.text and "set advisor_class" in caplog.text
    assert "OldGame.consequences" in caplog.text and "(includes)" in caplog.text
    return OldGame


def test_a_part_calls_the_method_that_an_old_game_overrides(caplog: pytest.LogCaptureFixture) -> None:
    game = old_game(caplog)()
    state = game.start()
    assert [evaluation.reason for evaluation in game.advisor.evaluate(state, CHOICE)] == ["old", "option 1"]
    assert [option.reason for option in game.advisor.best_options(state, CHOICE).values()] == ["old", "option 1"]
    assert game.odds_horizon.includes(state, state, "next") and not game.odds_horizon.includes(state, state, "other")
    assert game.has_evaluation


def test_a_class_derived_from_an_old_game_may_override_a_method_again(caplog: pytest.LogCaptureFixture) -> None:
    old: Any = old_game(caplog)

    class Older(old):  # type: ignore[misc]
        def evaluate(self, state: Raid, question: Any) -> Sequence[Evaluation]:
            return [*super().evaluate(state, question)[:1], Evaluation(reason="older")]

    game = Older()
    assert [evaluation.reason for evaluation in game.advisor.evaluate(game.start(), CHOICE)] == ["old", "older"]


def test_a_data_member_of_an_old_game_is_read_too(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="zareba")

    class Metric(ToyGame):
        length = "cm"

    assert Metric().narrator.length == "cm" and "Metric.length" in caplog.text


def test_house_rules_also_wrap_an_old_game(caplog: pytest.LogCaptureFixture) -> None:
    def evaluate(option: str) -> Evaluation | None:
        return Evaluation(reason="club") if option == "camp" else None

    hook: HookFunction = hook_of("zareba_evaluate", evaluate, "option")
    game = old_game(caplog)()
    game.rules.game_hooks = {"zareba_evaluate": (hook,)}
    assert [evaluation.reason for evaluation in game.advisor.evaluate(game.start(), CHOICE)] == ["old", "club"]
    assert [evaluation.reason for evaluation in game.evaluate(game.start(), CHOICE)] == ["old", "club"], (
        "old callers get them too"
    )


def test_callers_that_use_old_names_get_the_new_part(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="zareba")
    warn_renamed.cache_clear()
    game: Any = ToyGame(bare_rules())
    assert game.evaluate(game.start(), CHOICE) == game.advisor.evaluate(game.start(), CHOICE)
    assert game.hold(CHOICE) == "raid"
    assert "Game.evaluate is now called Game.advisor.evaluate" in caplog.text
    assert "Game.hold is now called Game.odds_horizon.hold" in caplog.text
