"""The play of a game: house rules wrap it in one order, and each of their hooks runs once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.core.toy import Raid, ToyGame, ToyPlay, bare_rules, hook_of

from zareba.plugins.ruleset import Outcome


class OwnPlay(ToyPlay):
    """Has its own victory rule, which builds on the common one."""

    def common_outcome(self, state: Raid) -> Outcome:
        return Outcome("patrol", {"patrol": 1.0, "tribesmen": 0.0}, self.ending(state))

    def own_outcome(self, state: Raid) -> Outcome | None:
        return replace(self.common_outcome(state), ground="own rule")

    def outcome(self, state: Raid) -> Outcome:
        return self.own_outcome(state) or self.common_outcome(state)


class OwnGame(ToyGame):
    play_class = OwnPlay


def game_with(**hooks: Callable[..., Any]) -> OwnGame:
    arguments = {"zareba_outcome": ("outcome",), "zareba_over": ("state",)}
    made = {name: (hook_of(name, function, *arguments[name]),) for name, function in hooks.items()}
    return OwnGame(bare_rules(game_hooks=made))


def test_a_hook_on_outcomes_runs_once_where_the_own_rule_builds_on_the_common_one() -> None:
    def one_point_more(outcome: Outcome) -> Outcome:
        return replace(outcome, points={side: points + 1 for side, points in outcome.points.items()})

    game = game_with(zareba_outcome=one_point_more)
    state = game.start()
    assert game.play.outcome(state).points == {"patrol": 2.0, "tribesmen": 1.0}
    assert game.play.common_outcome(state).points == {"patrol": 2.0, "tribesmen": 1.0}
    assert game.play.printed_outcome(state).points == {"patrol": 1.0, "tribesmen": 0.0}
    assert game.play.outcome(state).ground == "own rule"


def test_every_caller_sees_that_a_house_rule_ends_the_game() -> None:
    game = game_with(zareba_over=lambda state: "sunset" if state.turn > 1 else None)
    state = game.start()
    assert game.play.next_step(state) is not None and game.play.ending(state) == ""
    state.turn = 2
    assert game.play.next_step(state) is None and game.play.ending(state) == "sunset"
    own = game.play.own_outcome(state)
    assert own is not None and own.ending == "sunset" and game.play.outcome(state).ending == "sunset"
