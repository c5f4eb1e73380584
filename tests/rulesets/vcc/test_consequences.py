"""What was begun in a phase is settled in it: the steps that odds of a choice run besides its own."""

from __future__ import annotations

import pytest

from zareba.activation import Step
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba_rulesets.vcc.game import VccGame


@pytest.mark.parametrize(("turn", "phase", "belongs"), [(1, 0, True), (1, 1, False), (2, 0, False)])
def test_leader_checks_and_morale_belong_to_the_fire_of_their_own_phase(turn: int, phase: int, belongs: bool) -> None:
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    assert isinstance(game, VccGame)
    fires = [name for name in game.policy.phases if name.endswith("fire") or "small_arms" in name]
    before = game.start()
    before.turn, before.phase = 1, fires[0]
    after = before.copy()
    after.turn, after.phase = turn, fires[phase]
    for name in ("fire.shots", "fire.leaders", "fire.morale"):
        assert game.consequences(before, after, Step(name, turn, "patrol")) is belongs
    assert not game.consequences(before, before, Step("move.units", 1, "patrol"))
