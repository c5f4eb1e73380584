"""The odds of a choice: the later steps they include, and the changes to units they report."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import rules_with

from zareba.scenario import load_scenario
from zareba.table import Choose
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.game import FbnGame

ACT = Step("actions.act", 1, "unit")


def begun() -> tuple[FbnGame, Battle, str]:
    """A game in which a unit is active."""
    game = FbnGame(rules_with(), load_scenario("patrol_clash"))
    battle = game.start()
    battle.active = next(iter(battle.units))
    return game, battle, battle.active


@pytest.mark.rule("FBN-043", "FBN-104")
def test_the_blows_of_those_who_got_home_belong_to_their_charge() -> None:
    game, before, key = begun()
    assert not game.odds_horizon.includes(before, before.copy(), ACT)
    after = before.copy()
    man = next(iter(after.units.change(key).figures.values()))
    man.mark("charged")
    assert game.odds_horizon.includes(before, after, ACT)
    assert not game.odds_horizon.includes(after, after.copy(), ACT), "a shot after the charge is done in its own step"
    assert not game.odds_horizon.includes(before, after, Step("actions.unit", 1, "unit"))
    over = after.copy()
    over.active = ""
    assert not game.odds_horizon.includes(before, over, ACT)
    man.attacks = 1
    assert not game.odds_horizon.includes(before, after, ACT), "each strikes once"


@pytest.mark.rule("FBN-104")
def test_who_does_nothing_more_strikes_after_his_charge_and_else_holds() -> None:
    game, _, key = begun()
    assert game.odds_horizon.hold(Choose("act", "FBN-016", key, "red", ("move", "fight", "end"), ())) == "fight"
    assert game.odds_horizon.hold(Choose("aim at", "FBN-093", key, "red", ("somebody", "hold fire"), ())) == "hold fire"


@pytest.mark.rule("FBN-091", "FBN-125", "FBN-152", "FBN-231")
def test_what_becomes_of_a_unit_is_told_by_its_men_its_glory_and_its_marks() -> None:
    game, before, key = begun()
    after = before.copy()
    unit = after.units.change(key)
    first, second, third, *_ = unit.figures.values()
    del unit.figures[first.id]
    second.locations = frozenset({"arm_light"})
    third.reaction = "flee"
    unit.mark("pinned")
    changes = game.display.changes(before, after)
    assert {change.unit for change in changes} == {key}
    assert first.spec.leads
    assert {(change.what, float(change.now) - float(change.was)) for change in changes} == {
        ("figures", -1), ("leaders", -1), ("wounded", 1), ("in panic", 1), ("pinned", 1)
    }  # fmt: skip
    assert f"{game.narrator.name_of(key)}: 1 figure lost" in [
        game.narrator.describe_change(change) for change in changes
    ]
