"""Forced moves: units that fall back or rout, and figures that run."""

from __future__ import annotations

from math import dist

import pytest
from tests.rulesets.paychest.stage import Scene, Script, at, bare_unit, blue, red, riding, scene

from zareba_rulesets.paychest.chapters.fire import may_fire
from zareba_rulesets.paychest.chapters.morale import fall_back, flee_singly
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.sequence import begin_activation


def activate(place: Scene, unit: str, script: list[tuple[str, object]]) -> bool:
    return place.play(begin_activation, place.battle, place.unit(unit), script=script)


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
def test_figure_runs_only_if_it_gets_away_from_its_enemy(foe: tuple[float, float], end: float) -> None:
    place = scene(red(1, y=20.0), bare_unit("blue", "blue", [foe]))
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [3, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, end), abs=0.01)


@pytest.mark.rule("PAY-077", "PAY-086", "PAY-165")
def test_running_figures_rise_and_turn_their_backs() -> None:
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


@pytest.mark.rule("PAY-166", "PAY-163")
def test_single_runner_leaves_after_enough_distance() -> None:
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
def test_men_behind_a_cart_that_falls_back_follow_it() -> None:
    place = riding(1, 2)
    unit = place.unit("red")
    unit.figures["red.2"].at, unit.figures["red.3"].at = (20.0, 12.1), (20.0, 7.9)
    unit.measure()
    place.play(fall_back, place.battle, unit, 2, backs=True, script=[("forced move", [1, 2])])
    assert [at(place, f"red.{n}")[1] for n in (1, 2, 3)] == pytest.approx([7.0, 9.1, 4.9])


@pytest.mark.rule("PAY-163", "PAY-007", "PAY-082")
@pytest.mark.parametrize(("kind", "altitude", "end"), [("wagon", 0, 17.0), ("flyer", 0, 17.0), ("flyer", 1, 8.0)])
def test_a_conveyance_that_falls_back_stops_an_inch_short_of_enemies_on_the_ground(
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


@pytest.mark.rule("PAY-163", "PAY-123")
def test_a_rider_with_a_wounded_leg_runs_as_far_as_the_others() -> None:
    place = scene(red(1, y=30.0, mount="horse"))
    place.figure("red.1").wounds = ("leg_wound",)
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [3, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, 24.0))


@pytest.mark.rule("PAY-163", "PAY-007")
def test_foremost_figures_run_first_and_no_bases_overlap() -> None:
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
def test_men_run_from_the_nearest_visible_enemy() -> None:
    house = {"house": ("building", [(21.5, 18.0), (23.0, 18.0), (23.0, 22.0), (21.5, 22.0)])}
    foes = bare_unit("blue", "blue", [(24.0, 20.0), (20.0, 28.0)])
    place = scene(red(1, y=20.0), foes, areas=house, retreat_direction="away_from_enemy")
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [2, 2])])
    assert place.figure("red.1").at == pytest.approx((20.0, 16.0))
