"""Morale checks, orders that follow, forced moves, and rallying."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    at,
    bare_unit,
    blue,
    red,
    riding,
    row,
    scene,
    stage_of,
)

from zareba_rulesets.paychest.chapters.fire import may_fire
from zareba_rulesets.paychest.chapters.forced_moves import fall_back, flee_singly
from zareba_rulesets.paychest.chapters.melee import melee_facts
from zareba_rulesets.paychest.chapters.morale import (
    carry_out,
    check_morale,
    morale_order,
    must_check,
    rally,
    second_roll,
)
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.things import Thing
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


@pytest.mark.rule("PAY-155", "PAY-156", "PAY-166")
def test_single_men_run_by_their_own_dice() -> None:
    place = scene(red(3, y=40.0, leader="sergeant"))
    place.figure("red.3").mark("lame")
    script = [("stand or run", [2]), ("forced move", [5]), ("stand or run", [3])]
    assert place.play(flee_singly, place.battle, place.unit("red"), 2, dice=1, backs=True, script=script) == ["red.1"]
    assert place.figure("red.1").at == pytest.approx((20.0, 35.0)) and "back turned" in place.figure("red.1").marks
    assert place.figure("red.2").at == (21.2, 40.0)
    activate(place, "red", [])
    assert "back turned" not in place.figure("red.1").marks


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


@pytest.mark.rule("PAY-163", "PAY-165")
def test_a_forced_move_goes_home_by_one_roll_and_off_the_edge() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 30.0), (21.2, 30.0), (25.0, 4.0)]))
    place.figure("red.2").wounds = ("leg_wound",)
    place.play(fall_back, place.battle, place.unit("red"), 3, backs=True, script=[("forced move", [2, 2, 2])])
    assert place.figure("red.1").at == pytest.approx((20.0, 24.0))
    assert place.figure("red.2").at == pytest.approx((21.2, 27.0))
    assert place.figure("red.3").fate == "off"
    assert place.told("loss")[0]["cause"] == "morale"
    assert {"back turned", "ran"} <= place.figure("red.1").marks
    assert may_fire(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-163")
@pytest.mark.setting("retreat_direction")
def test_away_from_the_enemy_with_the_setting_or_without_a_home() -> None:
    for home, setting, end in (
        ({"red": "south"}, "home_edge", (20.0, 16.0)),
        ({"red": "south"}, "away_from_enemy", (16.0, 20.0)),
        ({}, "home_edge", (16.0, 20.0)),
    ):
        place = scene(red(1, y=20.0), bare_unit("blue", "blue", [(30.0, 20.0)]), home=home, retreat_direction=setting)
        place.play(fall_back, place.battle, place.unit("red"), 2, backs=False, script=[("forced move", [2, 2])])
        assert place.figure("red.1").at == pytest.approx(end)


@pytest.mark.rule("PAY-163")
def test_a_forced_move_stops_an_inch_short_of_enemies_and_at_closed_ground() -> None:
    place = scene(red(1, y=20.0), blue(1, y=15.0))
    place.play(fall_back, place.battle, place.unit("red"), 3, backs=True, script=[("forced move", [6, 6, 6])])
    assert place.figure("red.1").at == pytest.approx((20.0, 17.0))
    river = {"river": ("deep_water", [(0.0, 14.0), (60.0, 14.0), (60.0, 16.0), (0.0, 16.0)])}
    wet = scene(red(1, y=20.0), areas=river)
    wet.play(fall_back, wet.battle, wet.unit("red"), 3, backs=True, script=[("forced move", [6, 6, 6])])
    assert wet.figure("red.1").at == pytest.approx((20.0, 16.0), abs=0.02)


@pytest.mark.rule("PAY-163", "PAY-007")
@pytest.mark.parametrize(
    ("foe", "end"),
    [
        ((21.0, 20.0), 14.0),  # abreast, base to base
        ((21.0, 19.99), 14.0),
        ((19.0, 19.9), 14.0),
        ((21.5, 19.7), 14.0),  # half an inch between bases
        ((21.5, 19.5), 20.0),  # the same gap, but he would come nearer
        ((20.0, 19.0), 20.0),  # between him and the edge
        ((20.5, 19.13), 20.0),
        ((20.9, 18.5), 20.0),
        ((21.5, 17.0), 18.32),  # stops an inch short of that enemy
    ],
)
def test_who_has_an_enemy_beside_him_runs_and_who_would_come_nearer_to_him_does_not(
    foe: tuple[float, float], end: float
) -> None:
    place = scene(red(1, y=20.0), bare_unit("blue", "blue", [foe]))
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [3, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, end), abs=0.01)


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


@pytest.mark.rule("PAY-077", "PAY-086", "PAY-165")
def test_who_runs_is_up_with_his_back_turned_and_who_cannot_stays_as_he_is() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 13.5), (24.0, 13.5)]),
        lines={"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])},
    )
    for figure in place.unit("red").able:
        figure.mark("down")
    place.figure("red.2").mark("lame")
    place.unit("red").measure()
    place.play(fall_back, place.battle, place.unit("red"), 1, backs=True, script=[("forced move", [4])])
    assert place.figure("red.1").marks == {"back turned", "ran"}
    assert place.figure("red.2").marks == {"down", "lame"} and place.figure("red.2").gait == "halt"


@pytest.mark.rule("PAY-143", "PAY-165", "PAY-167")
@pytest.mark.parametrize(("rout", "roll"), [("rout_3d6_rally_7", [("rally", [3, 3])]), ("rout_4d6_off_board", [])])
def test_who_runs_on_without_a_rally_has_turned_his_back(rout: str, roll: list[tuple[str, Any]]) -> None:
    place = scene(red(2, y=30.0, leader="sergeant"), blue(2, y=40.0))
    place.unit("red").rout = rout
    dice = [1, 2, 3] if roll else [1, 2, 3, 4]
    assert not activate(place, "red", [*roll, ("forced move", dice)])
    assert all({"back turned", "ran"} <= figure.marks for figure in place.unit("red").able)
    assert melee_facts(place.battle, place.figure("red.1")).back_turned == -2
    assert may_fire(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-166", "PAY-163")
def test_a_man_who_runs_far_enough_by_himself_is_gone() -> None:
    place = scene(red(2, y=3.0, leader="sergeant"))
    script: list[Script] = [("stand or run", [1]), ("forced move", [3]), ("stand or run", [2])]
    place.play(flee_singly, place.battle, place.unit("red"), 1, dice=1, backs=True, script=script)
    assert [place.figure(name).fate for name in ("red.1", "red.2")] == ["off", "able"]


@pytest.mark.rule("PAY-163", "PAY-082")
def test_a_forced_move_stops_an_inch_short_of_a_cart_of_the_enemy_not_of_a_flyer_aloft() -> None:
    for altitude, end in ((0, 13.0), (2, 2.0)):
        runner = bare_unit("blue", "blue", [(20.0, 20.0)])
        place = riding(1, 0, "flyer", runner, altitude=altitude, home={"blue": "south"})
        place.play(fall_back, place.battle, runner, 3, backs=True, script=[("forced move", [6, 6, 6])])
        assert place.figure("blue.1").at == pytest.approx((20.0, end))


@pytest.mark.rule("PAY-163", "PAY-080")
def test_all_carts_that_a_unit_drives_run_with_it_and_one_that_reaches_the_edge_is_gone() -> None:
    carts = {
        name: Engine("wagon", name, "red", "red", (x, y), mount="", aboard=(man,))
        for name, x, y, man in (("near", 20.0, 8.0, "red.1"), ("far", 30.0, 20.0, "red.2"))
    }
    place = scene(bare_unit("red", "red", [(20.0, 8.0), (30.0, 20.0), (40.0, 20.0)]), engines=carts)
    place.figure("red.1").aboard, place.figure("red.2").aboard = "near", "far"
    place.unit("red").measure()
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [5, 5])])
    assert (place.battle.engines["near"].at, place.figure("red.1").fate) == (None, "off")
    assert place.battle.engines["far"].at == place.figure("red.2").at == (30.0, 10.0)
    assert place.figure("red.3").at == (40.0, 10.0)
    assert {"back turned", "ran"} <= place.figure("red.2").marks
    behind = bare_unit("behind", "red", [(20.0, 22.0)])
    flight = riding(1, 0, "wagon", behind)
    flight.battle.engines["cart"].at, flight.figure("red.1").at = (20.0, 20.0), (20.0, 20.0)
    flight.unit("red").measure()
    behind.figures["behind.1"].mark("down")
    flight.play(fall_back, flight.battle, flight.unit("red"), 1, backs=True, script=[("forced move", [5])])
    assert "down" not in flight.figure("behind.1").marks


@pytest.mark.rule("PAY-163", "PAY-165")
def test_passengers_of_another_unit_turn_their_backs_with_the_driver() -> None:
    guests = bare_unit("guests", "red", [(20.0, 20.0)])
    place = riding(1, 0, "wagon", guests)
    cart = place.battle.engines["cart"]
    cart.at, cart.aboard = (20.0, 20.0), ("red.1", "guests.1")
    for name in cart.aboard:
        place.figure(name).aboard, place.figure(name).at = "cart", (20.0, 20.0)
    before = place.battle
    place.battle = before.copy()
    unit = place.battle.change("red")
    place.play(fall_back, place.battle, unit, 2, backs=True, script=[("forced move", [3, 3])])
    for name in ("red.1", "guests.1"):
        assert place.figure(name).at == (20.0, 14.0) and {"back turned", "ran"} <= place.figure(name).marks
    assert before.figure("guests.1").marks == frozenset() and before.figure("guests.1").gait == "halt"


@pytest.mark.rule("PAY-163", "PAY-007")
def test_a_cart_that_falls_back_stops_short_of_its_own_men_who_ran_before_it() -> None:
    place = riding(1, 1)
    place.battle.engines["cart"].at = place.figure("red.1").at = (20.0, 30.0)
    place.figure("red.2").at, place.figure("red.2").wounds = (20.0, 27.0), ("leg_wound",)
    place.unit("red").measure()
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [4, 4])])
    assert place.figure("red.2").at == (20.0, 23.0)
    cart = place.battle.engines["cart"].at
    assert cart is not None and 25.0 <= cart[1] <= 25.5


@pytest.mark.rule("PAY-163")
def test_whoever_is_behind_a_cart_that_falls_back_runs_after_it() -> None:
    place = riding(1, 2)
    unit = place.unit("red")
    unit.figures["red.2"].at, unit.figures["red.3"].at = (20.0, 12.1), (20.0, 7.9)
    unit.measure()
    place.play(fall_back, place.battle, unit, 2, backs=True, script=[("forced move", [1, 2])])
    assert [at(place, f"red.{n}")[1] for n in (1, 2, 3)] == pytest.approx([7.0, 9.1, 4.9])


@pytest.mark.rule("PAY-163", "PAY-007", "PAY-082")
@pytest.mark.parametrize(("kind", "altitude", "end"), [("wagon", 0, 17.0), ("flyer", 0, 17.0), ("flyer", 1, 8.0)])
def test_a_conveyance_that_must_fall_back_stops_an_inch_short_of_enemies_on_the_ground(
    kind: str, altitude: int, end: float
) -> None:
    place = riding(1, 0, kind, bare_unit("blue", "blue", [(20.0, 14.0)]), altitude=altitude)
    place.battle.engines["cart"].at = place.figure("red.1").at = (20.0, 20.0)
    place.unit("red").measure()
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [6, 6])])
    assert place.battle.engines["cart"].at == pytest.approx((20.0, end))


@pytest.mark.rule("PAY-163")
def test_a_conveyance_is_driven_off_where_its_way_ends_though_others_stand_at_the_edge() -> None:
    place = riding(1, 0, "wagon", bare_unit("green", "red", [(20.0, 0.2)]))
    place.battle.engines["cart"].at = place.figure("red.1").at = (20.0, 3.0)
    place.unit("red").measure()
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [6, 6])])
    assert place.battle.engines["cart"].at is None
    assert (place.figure("red.1").fate, place.battle.exits["red.1"]) == ("off", "south")


@pytest.mark.rule("PAY-163", "PAY-194", "PAY-197", "PAY-214")
def test_a_rout_takes_a_cart_over_the_edge_with_the_chest_and_the_lame_comrade_on_it() -> None:
    cart = {"cart": Engine("wagon", "cart", "red", "red", (20.0, 5.0), mount="", aboard=("red.1", "red.2"))}
    chest = {"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1")}
    place = scene(bare_unit("red", "red", [(20.0, 5.0)] * 3), engines=cart, things=chest)
    for name, loads in (("red.1", ("chest",)), ("red.2", ("red.3",))):
        place.figure(name).aboard, place.figure(name).loads = "cart", loads
    place.figure("red.3").mark("lame")
    place.play(fall_back, place.battle, place.unit("red"), 3, backs=True, script=[("forced move", [3, 3, 3])])
    assert [figure.fate for figure in place.unit("red").figures.values()] == [
        "off",
        "off",
        "off",
    ]  # none has the fate "left"
    assert [told["figure"] for told in place.told("loss")] == ["red.1", "red.2", "red.3"]
    assert (place.battle.things["chest"].taken_by, place.battle.things["chest"].edge) == ("red", "south")


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


@pytest.mark.rule("PAY-163", "PAY-123")
def test_a_rider_with_a_wounded_leg_runs_as_far_as_the_others() -> None:
    place = scene(red(1, y=30.0, mount="horse"))
    place.figure("red.1").wounds = ("leg_wound",)
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [3, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, 24.0))


@pytest.mark.rule("PAY-163", "PAY-007")
def test_the_foremost_run_first_and_nobody_ends_on_a_base() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 31.0), (20.0, 30.0), (20.0, 29.0)]))
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [1, 1])])
    ends = [figure.at[1] for figure in place.unit("red").able if figure.at]
    assert ends == pytest.approx([29.0, 28.0, 27.0])
    crowded = scene(red(1, y=30.0), bare_unit("friend", "red", [(20.0, 26.0)]))
    crowded.play(fall_back, crowded.battle, crowded.unit("red"), 1, backs=True, script=[("forced move", [4])])
    at = crowded.figure("red.1").at
    assert at is not None and dist(at, (20.0, 26.0)) >= 1.0 and at[1] < 30.0


@pytest.mark.rule("PAY-163")
@pytest.mark.setting("retreat_direction")
def test_men_run_from_the_nearest_enemy_whom_they_see() -> None:
    house = {"house": ("building", [(21.5, 18.0), (23.0, 18.0), (23.0, 22.0), (21.5, 22.0)])}
    foes = bare_unit("blue", "blue", [(24.0, 20.0), (20.0, 28.0)])
    place = scene(red(1, y=20.0), foes, areas=house, retreat_direction="away_from_enemy")
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [2, 2])])
    assert place.figure("red.1").at == pytest.approx((20.0, 16.0))


@pytest.mark.rule("PAY-164", "PAY-167", "PAY-129")
@pytest.mark.parametrize("mark", ["no fire", "idle"])
def test_who_may_not_fire_is_not_asked(mark: str) -> None:
    place = scene(red(2), blue(2))
    assert may_fire(place.battle, place.unit("red"))
    place.unit("red").mark(mark)
    stage_of(place, "red", "fire")


@pytest.mark.rule("PAY-167", "PAY-129", "PAY-061")
@pytest.mark.parametrize("mark", ["no move", "idle"])
def test_who_may_not_move_is_not_asked(mark: str) -> None:
    place = scene(red(2), blue(2))
    place.unit("red").mark(mark)
    stage_of(place, "red", "move")
