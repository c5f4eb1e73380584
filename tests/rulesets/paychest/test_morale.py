"""Morale checks, the results of the second roll, and rallying."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, red, row, scene, stage_of

from zareba_rulesets.paychest.chapters.fire import may_fire
from zareba_rulesets.paychest.chapters.melee import melee_facts
from zareba_rulesets.paychest.chapters.morale import (
    carry_out,
    check_morale,
    morale_order,
    must_check,
    rally,
    second_roll,
)
from zareba_rulesets.paychest.sequence import begin_activation


def arabs(count: int = 4, y: float = 30.0, leader: str = "leader") -> Scene:
    return scene(blue(count, y=y, leader=leader), red(2, y=2.0))


def activate(place: Scene, unit: str, script: list[tuple[str, object]]) -> bool:
    return place.play(begin_activation, place.battle, place.unit(unit), script=script)


@pytest.mark.rule("PAY-148", "PAY-149", "PAY-150")
def test_hits_of_this_turn_against_2d6() -> None:
    place = scene(red(3))
    unit = place.unit("red")
    assert not must_check(place.battle, unit)
    unit.hits = 5
    assert must_check(place.battle, unit)
    assert place.play(check_morale, place.battle, unit, script=[("morale", [2, 4])])
    script = [("morale", [2, 3]), ("second morale roll", [6])]
    assert not place.play(check_morale, place.battle, unit, script=script)


@pytest.mark.rule("PAY-168")
@pytest.mark.setting("routers_test")
def test_routers_do_not_check_unless_set_to() -> None:
    for setting in (False, True):
        place = scene(red(3), routers_test=setting)
        place.unit("red").hits, place.unit("red").rout = 3, "rout_3d6_rally_7"
        assert must_check(place.battle, place.unit("red")) is setting


@pytest.mark.rule("PAY-170", "PAY-171")
@pytest.mark.setting("single_figure_morale")
def test_units_of_one_are_exempt_and_empty_units_do_not_check() -> None:
    for setting, tests in (("exempt", False), ("test", True)):
        place = scene(red(1), single_figure_morale=setting)
        place.unit("red").hits = 2
        assert must_check(place.battle, place.unit("red")) is tests
    worn = scene(red(2))
    worn.figure("red.1").fate = "dead"
    worn.unit("red").hits = 2
    worn.unit("red").measure()
    assert must_check(worn.battle, worn.unit("red"))  # one man left of two is not a unit of one
    worn.figure("red.2").fate = "dead"
    worn.unit("red").measure()
    assert not must_check(worn.battle, worn.unit("red"))


@pytest.mark.rule("PAY-064")
def test_units_check_in_the_order_of_their_cards() -> None:
    place = scene(red(1), blue(1), bare_unit("third", "red", row(1)))
    place.battle.order = ["third", "blue"]
    assert morale_order(place.battle) == ["third", "blue", "red"]


@pytest.mark.rule("PAY-151", "PAY-152", "PAY-153", "PAY-154", "PAY-155", "PAY-156", "PAY-157")
def test_the_second_table_of_regulars() -> None:
    results = []
    for die in range(1, 7):
        place = scene(red(1, y=40.0), blue(1, y=46.0))
        script: list[tuple[str, object]] = [("second morale roll", [die])]
        if die in (1, 2):
            script.append(("forced move", [1, 1, 1]))
        if die in (4, 5):
            script.append(("stand or run", [6]))
        results.append(place.play(second_roll, place.battle, place.unit("red"), script=script))
        unit = place.unit("red")
        assert bool(unit.rout) is (die == 1) and bool(unit.pending) is (die == 3)
    assert results == [
        "rout_3d6_rally_7", "fall_back_3d6_backs_now", "fall_back_2d6_facing_next", "hold_figures_1_2",
        "hold_figures_1", "hold",
    ]  # fmt: skip


@pytest.mark.rule("PAY-152", "PAY-158", "PAY-159", "PAY-160", "PAY-161", "PAY-162")
def test_the_second_table_of_irregulars() -> None:
    dice = {1: [1, 1, 1, 1], 2: [1, 1, 1], 3: [1, 1]}
    results = []
    for die in range(1, 7):
        place = arabs(1, leader="")
        script: list[tuple[str, object]] = [("second morale roll", [die])]
        script += [("forced move", dice[die])] if die in dice else []
        results.append(place.play(second_roll, place.battle, place.unit("blue"), script=script))
        unit = place.unit("blue")
        assert bool(unit.rout) is (die < 3) and bool(unit.pending) is (die in (4, 5))
        moved = unit.figures["blue.1"].at
        assert moved is not None and moved[1] == pytest.approx(30.0 + len(dice.get(die, [])))
    assert results == [
        "rout_4d6_off_board", "rout_3d6_rally_7", "fall_back_2d6_backs_now", "fall_back_2d6_backs_next",
        "fall_back_2d6_facing_next", "hold",
    ]  # fmt: skip


@pytest.mark.rule("PAY-169")
def test_the_worse_of_two_orders_counts() -> None:
    place = arabs()
    unit = place.unit("blue")
    place.play(carry_out, place.battle, unit, "fall_back_2d6_backs_next")
    assert unit.pending == "fall_back_2d6_backs_next"
    assert not place.play(carry_out, place.battle, unit, "fall_back_2d6_facing_next")
    assert unit.pending == "fall_back_2d6_backs_next"
    assert place.play(carry_out, place.battle, unit, "rout_3d6_rally_7", script=[("forced move", [1, 1, 1])])
    assert (unit.pending, unit.rout) == ("", "rout_3d6_rally_7")
    assert not place.play(carry_out, place.battle, unit, "fall_back_2d6_backs_now")
    assert place.play(carry_out, place.battle, unit, "rout_4d6_off_board", script=[("forced move", [1, 1, 1, 1])])
    assert unit.rout == "rout_4d6_off_board"


@pytest.mark.rule("PAY-154", "PAY-160", "PAY-164")
def test_an_order_for_the_next_move_takes_its_place() -> None:
    for result, fires in (("fall_back_2d6_facing_next", 4), ("fall_back_2d6_backs_next", 0)):
        place = arabs()
        unit = place.unit("blue")
        place.play(carry_out, place.battle, unit, result)
        stage_of(place, "blue", "move", [("forced move", [2, 3])])
        assert unit.pending == "" and unit.figures["blue.2"].at == pytest.approx((21.2, 35.0))
        assert len(may_fire(place.battle, unit)) == fires
        assert unit.figures["blue.2"].gait == "advance"
        assert ("no fire" in unit.marks) is (fires == 0)


@pytest.mark.rule("PAY-158", "PAY-167")
@pytest.mark.setting("rally_may_act")
def test_a_rallied_unit_may_fire_or_all_or_nothing() -> None:
    for setting, goes_on, moves in (("fire_only", True, False), ("free", True, True), ("nothing", False, True)):
        place = scene(red(2, y=20.0, leader="sergeant"), rally_may_act=setting)
        unit = place.unit("red")
        unit.rout = "rout_3d6_rally_7"
        assert activate(place, "red", [("rally", [3, 4])]) is goes_on
        assert unit.rout == "" and ("no move" not in unit.marks) is moves


@pytest.mark.rule("PAY-130", "PAY-158", "PAY-167")
def test_a_rout_goes_on_without_a_rally() -> None:
    place = scene(red(2, y=40.0))
    place.unit("red").rout = "rout_3d6_rally_7"
    assert not activate(place, "red", [("rally", [3, 3]), ("forced move", [1, 2, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, 34.0))
    lost = scene(red(2, y=40.0))
    lost.unit("red").rout = "rout_4d6_off_board"
    assert not lost.play(rally, lost.battle, lost.unit("red"), script=[("forced move", [1, 2, 3, 4])])


@pytest.mark.rule("PAY-143", "PAY-165", "PAY-167")
@pytest.mark.parametrize(("rout", "roll"), [("rout_3d6_rally_7", [("rally", [3, 3])]), ("rout_4d6_off_board", [])])
def test_unrallied_runner_turns_its_back(rout: str, roll: list[tuple[str, Any]]) -> None:
    place = scene(red(2, y=30.0, leader="sergeant"), blue(2, y=40.0))
    place.unit("red").rout = rout
    dice = [1, 2, 3] if roll else [1, 2, 3, 4]
    assert not activate(place, "red", [*roll, ("forced move", dice)])
    assert all({"back turned", "ran"} <= figure.marks for figure in place.unit("red").able)
    assert melee_facts(place.battle, place.figure("red.1")).back_turned == -2
    assert may_fire(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-169", "PAY-160")
def test_an_equal_result_is_carried_out_again_and_a_rout_that_rallies_leaves_the_card() -> None:
    place = scene(blue(3, y=30.0))
    unit = place.unit("blue")
    place.battle.cards.pile = {"blue": 1}
    for dice in ([1, 1, 1], [2, 2, 2]):
        assert place.play(carry_out, place.battle, unit, "rout_3d6_rally_7", script=[("forced move", dice)])
    assert unit.figures["blue.1"].at == pytest.approx((20.0, 39.0)) and "skip" not in unit.marks
    place.play(carry_out, place.battle, unit, "rout_4d6_off_board", script=[("forced move", [1, 1, 1, 1])])
    assert "skip" in unit.marks


@pytest.mark.rule("PAY-164", "PAY-167", "PAY-129")
@pytest.mark.parametrize("mark", ["no fire", "idle"])
def test_units_that_may_not_fire_are_not_asked(mark: str) -> None:
    place = scene(red(2), blue(2))
    assert may_fire(place.battle, place.unit("red"))
    place.unit("red").mark(mark)
    stage_of(place, "red", "fire")


@pytest.mark.rule("PAY-167", "PAY-129", "PAY-061")
@pytest.mark.parametrize("mark", ["no move", "idle"])
def test_units_that_may_not_move_are_not_asked(mark: str) -> None:
    place = scene(red(2), blue(2))
    place.unit("red").mark(mark)
    stage_of(place, "red", "move")
