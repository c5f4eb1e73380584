"""The odds of a choice run on to the end of the player turn and report the changes to units."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import row
from tests.rulesets.risk_factor.skirmishes import game

from zareba.chance import SUM
from zareba.game.activation import Step
from zareba.odds import odds_of
from zareba.space.field.bodies import Body
from zareba.table import Choose, Roll
from zareba_rulesets.risk_factor.chapters.orders.orders import order_options

TURN = ("start", "command", "throw", "move", "charge", "settle", "dispatch", "shoot", "melee", "finish")


def belonging(before: Any, after: Any) -> set[str]:
    of = game()
    return {name for name in TURN if of.odds_horizon.includes(before, after, Step(name, after.turn, "red/rifles_1"))}


@pytest.mark.rule("RSK-037", "RSK-043")
def test_the_action_throws_belong_to_command() -> None:
    before = game().start()
    before.phase = "command"
    assert belonging(before, before) == {"command", "throw"}
    for change in ({"turn": 2}, {"active": 1}):
        after = before.copy()
        for name, value in change.items():
            setattr(after, name, value)
        assert belonging(before, after) == set()


@pytest.mark.rule("RSK-038", "RSK-040", "RSK-162")
def test_all_until_its_own_melee_belongs_to_a_charge_and_nothing_to_other_orders() -> None:
    before = game().start()
    before.phase, before.waiting = "move", ["rifles_1", "rifles_2"]
    after = before.copy()
    assert belonging(before, after) == set()
    after.units["rifles_1"].target, after.waiting = "spears_1", ["rifles_2"]
    assert belonging(before, after) == {"move", "charge", "settle", "dispatch", "shoot"}
    after.units["rifles_1"].target = ""
    after.units["rifles_1"].mark("charged")
    after.waiting = ["rifles_2+spears_2", "rifles_1+spears_1"]
    assert belonging(before, after) == {"move", "charge", "settle", "dispatch", "shoot", "melee"}
    after.waiting = ["rifles_2+spears_2"]
    assert "melee" not in belonging(before, after)
    before.phase = "shoot"
    assert belonging(before, after) == set()


@pytest.mark.rule("RSK-110", "RSK-144")
def test_what_is_told_of_units_is_their_figures_wounded_leaders_and_flight() -> None:
    of = game()
    before = of.start()
    said = of.display.condition(before)["rifles"]
    assert (said["figures"], said["wounded"], said["leaders"], said["in contact"]) == (20, 0, 1, False)
    after = before.copy()
    squad, captain = after.units["rifles_2"], after.units["captain"]
    squad.hurt, squad.body, squad.status = (True, *squad.hurt[2:]), squad.body.without([0]), "routing"
    after.remove(captain, "killed")
    assert [of.narrator.describe_change(change) for change in of.display.changes(before, after)] == [
        "Rifles: 1 figure lost",
        "Rifles: wounded 0 to 1",
        "Rifles: leaders 1 to 0",
        "Rifles: routing",
    ]
    hidden = before.copy()
    hidden.units["spears_1"].hurt = ()
    hidden.units["spears_1"].mark("hidden")
    assert of.display.changes(before, hidden) == (), "who is hidden or on his way is not lost"


@pytest.mark.rule("RSK-162", "RSK-164")
def test_the_odds_of_the_order_to_charge_tell_of_the_melee() -> None:
    of = game(
        units="""
      rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 4, weapon: none, close_weapon: sword},
      spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 4, weapon: none, close_weapon: spear}
    """,
        leaders="",
    )
    state = of.start()
    state.phase, state.waiting, state.begun = "move", ["rifles"], True
    for unit in state.units.values():
        if unit.spec.leader:
            state.remove(unit, "killed")
    for name, y in (("rifles", 50), ("spears", 60)):
        unit = state.units[name]
        unit.body, unit.marks = Body(tuple(row(unit.count, y)), 1.25), frozenset({"free"})
    order = Choose("order", "RSK-066", "rifles", "red", tuple(order_options(state, state.units["rifles"])), ())

    def lost(answer: Any) -> dict[Any, Any]:
        found = odds_of(
            of,
            state,
            [],
            order,
            answer,
            of.display.changes,
            seconds=0.01,
            then=0.3,
            policy=lambda q, s: of.odds_horizon.hold(q),
        )
        return {tuple(change.what for change in changes): p for changes, p in found.outcomes.items()}

    assert set(lost("hold")) == {()}
    assert any("figures" in what for what in lost(("charge", "spears")))


@pytest.mark.rule("RSK-127", "RSK-037")
def test_the_throws_of_others_are_no_part_of_the_odds_of_a_command() -> None:
    of = game()
    before = of.start()
    before.phase = "command"
    after = before.copy()
    after.units["rifles_1"].mark("commanded")

    def thrown(name: str, why: str = "action") -> object:
        return of.odds_horizon.settled(before, after, Roll(why, "RSK-127", name, 1, 6, SUM))

    assert thrown("rifles_1") is None
    assert thrown("rifles_2") == thrown("spears_1") == 6
    assert thrown("rifles_2", "command points") is None
    before.phase = "shoot"
    assert thrown("rifles_2") is None
