"""The odds of a choice run on to the end of its phase, including the steps after the choice itself."""

from __future__ import annotations

import pytest
from tests.rulesets.vcc.battlefields import battlefield, blue, red

from zareba.chance import SUM
from zareba.game.activation import Step
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Roll
from zareba_rulesets.vcc.forces.battle import Contact
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
        assert game.odds_horizon.includes(before, after, Step(name, turn, "patrol")) is belongs
    assert not game.odds_horizon.includes(before, before, Step("move.units", 1, "patrol"))


@pytest.mark.rule("VCC-034", "VCC-050", "VCC-134")
def test_all_until_its_melee_and_morale_belongs_to_a_charge_and_nobody_acts_on_the_way() -> None:
    scene = battlefield(red("Rifles", "D3"), blue("Spears", "D4", bases=3), red("Far", "A1"), blue("Other", "G7"))
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    assert isinstance(game, VccGame)
    before = scene.battle
    before.turn, before.phase = 1, "native_moves"
    after = before.copy()
    assert not game.odds_horizon.includes(before, after, Step("fire.shots", 1, "red")), "it has only moved"
    after.contacts = [Contact("Spears", "Rifles", False, False, "none", 1)]
    after.phase = "british_fire"
    for name in ("move.units", "fire.shots", "fire.morale", "melee.fight", "melee.morale"):
        assert game.odds_horizon.includes(before, after, Step(name, 1, "red"))
    assert not game.odds_horizon.includes(before, after, Step("end.turn", 1, "red"))
    after.contacts, after.taken = [], {"Rifles": 2}
    assert game.odds_horizon.includes(before, after, Step("melee.morale", 1, "red")), (
        "who has fled is in contact no more"
    )
    after.turn = 2
    assert not game.odds_horizon.includes(before, after, Step("fire.shots", 2, "red"))
    for why, waits in (("fire with", True), ("move with", True), ("fight", False), ("retreat to", False)):
        assert game.odds_horizon.waits(Choose(why, "VCC-038", "red", "red", ("a", "done"), ())) is waits


@pytest.mark.rule("VCC-134", "VCC-160")
def test_who_fights_elsewhere_strikes_nobody_while_a_charge_is_weighed() -> None:
    scene = battlefield(red("Rifles", "D3"), blue("Spears", "D4"), red("Far", "A1"), blue("Other", "A1"))
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    before, after = scene.battle, scene.battle.copy()
    after.move(after.unit("Spears"), scene.box("D3"))
    after.contacts = [Contact("Spears", "Rifles", False, False, "none", 1)]

    def settled(why: str, actor: str) -> object:
        return game.settled(before, after, Roll(why, "VCC-118", actor, 1, 6, SUM))

    assert settled("melee", "Far") == (0, False)
    assert settled("melee", "Rifles") is settled("melee", "Spears") is settled("rally", "Rifles") is None
    assert settled("rally", "Other") == 99, "more than any total"
    assert settled("morale", "Far") == 0 and settled("morale", "Spears") is None
