"""Loads: they slow a man and are dropped in an emergency. Carrying a comrade is a brave deed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, at, bare_unit, blue, machine_acts, red, scene

from zareba.base.exact import dist
from zareba.table import SeededTable
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.chapters.fire import line_of, may_fire
from zareba_rulesets.paychest.chapters.machines import move_engine
from zareba_rulesets.paychest.chapters.marching import leave, set_beside
from zareba_rulesets.paychest.chapters.melee import Fight, fight
from zareba_rulesets.paychest.chapters.morale import fall_back
from zareba_rulesets.paychest.chapters.mounts import boarders
from zareba_rulesets.paychest.chapters.movement import factor, movers
from zareba_rulesets.paychest.chapters.sight import eligible
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.sequence import begin_activation

CHEST = {"chest": Thing("paychest", "the chest", "", (20.0, 11.0), heavy=True)}


@pytest.mark.rule("PAY-072", "PAY-073", "PAY-075", "PAY-123")
def test_loads_and_leg_wounds_halve_and_multiply() -> None:
    place = scene(red(1), things={k: t.copy() for k, t in CHEST.items()})
    man = place.figure("red.1")
    man.loads = ("chest",)
    assert factor(place.battle, man) == 0.5
    man.wounds = ("leg_wound",)
    assert factor(place.battle, man) == 0.25
    place.battle.things["chest"].heavy = False
    assert factor(place.battle, man) == 0.5


@pytest.mark.rule("PAY-073", "PAY-049")
def test_picking_up_halves_what_is_left_of_the_move() -> None:
    place = scene(red(1), things={"chest": Thing("paychest", "the chest", "", (20.0, 14.5), heavy=True)})
    script = [
        ("move", "advance"),
        ("foot advances", [4, 4]),
        ("move to", (20.0, 14.0)),
        ("go on to", (20.0, 14.0)),
        ("handle", ("pick up", "red.1", "chest")),
        ("carry on to", (20.0, 16.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == (20.0, 16.0)
    assert [(told["by"], told["to"], told["inches"]) for told in place.told("move")] == [
        ("red", [20.0, 14.0], 8.0),
        ("red.1", [20.0, 16.0], 2.0),
    ]
    assert place.battle.things["chest"].carrier == "red.1" and place.battle.things["chest"].at is None
    refused = scene(red(1), things={"chest": Thing("paychest", "the chest", "", (20.0, 14.5), heavy=True)})
    with pytest.raises(AssertionError, match=r"only 2\.00 inches"):
        refused.play(
            move_unit, refused.battle, refused.unit("red"), script=[*script[:5], ("carry on to", (20.0, 17.0))]
        )


@pytest.mark.rule("PAY-073", "PAY-086")
def test_who_carries_on_into_contact_makes_the_enemy_get_up() -> None:
    things = {"chest": Thing("paychest", "the chest", "", (20.0, 12.0), heavy=True)}
    place = scene(red(1), blue(1, y=17.0), things=things)
    place.figure("blue.1").mark("down")
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [6, 5]), ("move to", (20.0, 11.5))]
    script += [("go on to", (20.0, 11.5)), ("handle", ("pick up", "red.1", "chest")), ("carry on to", (20.0, 16.2))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == pytest.approx((20.0, 16.0))
    assert "down" not in place.figure("blue.1").marks


@pytest.mark.rule("PAY-071", "PAY-073")
def test_who_has_come_into_contact_stops_there_whatever_he_picks_up() -> None:
    things = {"chest": Thing("paychest", "the chest", "", (20.0, 12.0), heavy=True)}
    place = scene(red(1), blue(1, y=13.0), things=things)
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [6, 5]), ("move to", (20.0, 13.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("handle", ("pick up", "red.1", "chest"))])
    assert at(place, "red.1") == (20.0, 12.0) and place.figure("red.1").loads == ("chest",)


@pytest.mark.rule("PAY-073")
def test_dropping_gives_the_whole_rest_back() -> None:
    place = scene(red(1), things={"chest": Thing("paychest", "the chest", "", None, heavy=True, carrier="red.1")})
    place.figure("red.1").loads = ("chest",)
    left = {"red.1": 2.0}
    script = [("handle", ("drop", "red.1", "chest")), ("carry on to", (20.0, 14.0))]
    place.play(handle, place.battle, place.unit("red"), left, before=False, script=script)
    assert at(place, "red.1") == (20.0, 14.0) and place.battle.things["chest"].at == (20.0, 10.0)


@pytest.mark.rule("PAY-073")
def test_a_load_may_be_dropped_half_way() -> None:
    place = scene(red(1), things={"chest": Thing("paychest", "the chest", "", None, heavy=True, carrier="red.1")})
    place.figure("red.1").loads = ("chest",)
    script: list[tuple[str, object]] = [("handle", "done"), ("move", "advance"), ("foot advances", [4, 6])]
    script += [("move to", (20.0, 12.0)), ("go on to", (20.0, 12.0))]  # two of a loaded man's five inches
    script += [("handle", ("drop", "red.1", "chest")), ("carry on to", (20.0, 18.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == (20.0, 18.0) and place.battle.things["chest"].at == (20.0, 12.0)


@pytest.mark.rule("PAY-070", "PAY-073")
def test_what_is_left_after_a_load_may_bend_and_be_short() -> None:
    place = scene(red(1), things={"chest": Thing("paychest", "the chest", "", None, heavy=True, carrier="red.1")})
    place.figure("red.1").loads = ("chest",)
    script = [("handle", ("drop", "red.1", "chest")), ("carry on to", (20.0, 10.4)), ("carry on to", (20.4, 10.4))]
    place.play(handle, place.battle, place.unit("red"), {"red.1": 0.4}, before=False, script=script)
    assert at(place, "red.1") == (20.4, 10.4)


@pytest.mark.rule("PAY-074")
def test_a_carrier_drops_his_load_when_he_has_to_fight() -> None:
    place = scene(
        red(1), blue(1, y=11.0), things={"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1")}
    )
    place.figure("red.1").loads = ("chest",)
    place.play(fight, place.battle, Fight(("red.1",), ("blue.1",)), script=[("melee", [6]), ("melee", [6])])
    assert place.figure("red.1").loads == () and place.battle.things["chest"].at == (20.0, 10.0)


@pytest.mark.rule("PAY-077", "PAY-120")
def test_helpless_men_do_not_move_and_can_be_carried() -> None:
    place = scene(red(3))
    place.figure("red.1").mark("lame")
    place.figure("red.2").fate = "unconscious"
    place.figure("red.2").at = (22.4, 11.0)
    assert [figure.spec.id for figure in movers(place.battle, place.unit("red"))] == ["red.3"]
    script = [("handle", ("pick up", "red.3", "red.2"))]
    place.play(handle, place.battle, place.unit("red"), {}, before=True, script=script)
    assert place.figure("red.3").loads == ("red.2",)


@pytest.mark.rule("PAY-043", "PAY-044")
def test_carrying_a_comrade_three_inches_is_a_brave_deed_once() -> None:
    place = scene(red(2, leader="sergeant"))
    place.figure("red.1").mark("lame")
    saver = place.figure("red.2")
    saver.loads = ("red.1",)
    for y in (14.0, 18.0, 22.0):
        script = [
            ("handle", "done"),
            ("move", "advance"),
            ("foot advances", [4, 4]),
            ("move to", (21.2, y)),
            ("handle", "done"),
        ]
        place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert saver.brave == 1 and at(place, "red.1") == at(place, "red.2") == pytest.approx((21.2, 22.0))


@pytest.mark.rule("PAY-044")
def test_the_inches_that_a_comrade_is_carried_add_up() -> None:
    place = scene(red(2))
    place.figure("red.1").mark("lame")
    place.figure("red.2").loads = ("red.1",)
    for y, deeds in ((12.0, 0), (14.0, 1), (16.0, 1)):
        script: list[tuple[str, object]] = [("handle", "done"), ("move", "advance"), ("foot advances", [2, 2])]
        script += [("move to", (21.2, y)), ("handle", "done")]
        place.play(move_unit, place.battle, place.unit("red"), script=script)
        assert place.figure("red.2").brave == deeds


@pytest.mark.rule("PAY-044")
@pytest.mark.parametrize(("fate", "deeds"), [("dead", 0), ("unconscious", 1), ("able", 1)])
def test_a_comrade_who_is_dead_is_saved_no_more(fate: str, deeds: int) -> None:
    place = scene(red(2))
    place.figure("red.1").fate = fate
    place.figure("red.1").mark("lame")
    place.figure("red.2").loads = ("red.1",)
    script: list[tuple[str, object]] = [("handle", "done"), ("move", "advance"), ("foot advances", [4, 4])]
    script += [("move to", (21.2, 14.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.2").brave == deeds and at(place, "red.1") == (21.2, 14.0)


@pytest.mark.rule("PAY-067", "PAY-108", "PAY-077")
def test_a_lame_man_on_the_move_on_his_friends_back_fires_as_one_who_moves() -> None:
    place = scene(red(2), blue(2))
    lame, friend = place.figure("red.1"), place.figure("red.2")
    lame.mark("lame")
    lame.at, friend.loads = friend.at, ("red.1",)
    place.unit("red").measure()
    script: list[tuple[str, object]] = [("handle", "done"), ("move", "advance"), ("foot advances", [4, 4])]
    script += [("move to", (21.2, 14.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert [firer.figure.spec.id for firer in may_fire(place.battle, place.unit("red"))] == ["red.1"]
    assert (lame.at, lame.gait) == (friend.at, "advance")


@pytest.mark.rule("PAY-086", "PAY-101")
def test_who_is_carried_out_of_cover_is_down_no_more() -> None:
    wall = {"wall": ("low_wall", [(10.0, 9.5), (30.0, 9.5)])}
    place = scene(red(1), bare_unit("help", "red", [(21.0, 10.0)]), blue(1, y=30.0), lines=wall)
    lame = place.figure("red.1")
    lame.mark("lame", "down")
    script: list[tuple[str, object]] = [("handle", ("pick up", "help.1", "red.1")), ("move", "advance")]
    script += [("foot advances", [3, 3]), ("move to", (21.0, 13.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("help"), script=script)
    assert lame.at == place.figure("help.1").at
    line = line_of(place.battle, may_fire(place.battle, place.unit("blue")))
    assert lame in eligible(place.battle, "blue", line, place.unit("red"))


@pytest.mark.rule("PAY-073", "PAY-126")
@pytest.mark.parametrize(("fate", "stays"), [("unconscious", True), ("dead", True), ("able", False)])
def test_a_body_put_down_lies_where_it_is_but_an_able_man_needs_room(fate: str, stays: bool) -> None:
    place = scene(red(2))
    comrade = place.figure("red.2")
    comrade.fate, comrade.at = fate, at(place, "red.1")
    set_beside(place.battle, comrade)
    assert (at(place, "red.2") == at(place, "red.1")) is stays


@pytest.mark.rule("PAY-022", "PAY-023", "PAY-163")
def test_who_falls_back_drops_what_he_carries_but_keeps_the_weapon_that_he_has_taken() -> None:
    things = {
        "chest": Thing("paychest", "the chest", "", None, heavy=True, carrier="red.1"),
        "rifle": Thing("weapon", "rifle", "", None, carrier="red.1"),
    }
    place = scene(red(1, weapons=("sword",)), things=things)
    man = place.figure("red.1")
    man.loads = ("chest", "rifle")
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [1, 1])])
    assert place.figure("red.1").loads == ("rifle",) and place.battle.things["chest"].at == (20.0, 10.0)
    place.play(begin_activation, place.battle, place.unit("red"))
    assert place.figure("red.1").weapons == ("rifle", "sword")


# --- two bearers for one load -----------------------------------------------------------------------------------------


def two_bearers(*more: Any) -> Scene:
    """Two men who carry the chest together, one of them the first on the roster."""
    men = bare_unit("red", "red", [(20.0, 10.0), (21.0, 10.0), (24.0, 10.0)])
    place = scene(men, *more, things={"chest": Thing("paychest", "the chest", "", (20.5, 10.0), heavy=True)})
    script = [("handle", ("pick up", "red.2", "chest")), ("handle", ("pick up", "red.1", "chest"))]
    place.play(handle, place.battle, place.unit("red"), {}, before=True, script=script)
    assert place.figure("red.1").loads == place.figure("red.2").loads == ("chest",)
    assert [told["led"] for told in place.told("taken up")] == [False, True]
    assert (place.battle.things["chest"].carrier, place.battle.things["chest"].at) == ("red.1", None)
    return place


@pytest.mark.rule("PAY-073", "PAY-072")
def test_two_who_bear_a_load_together_go_together_at_half_their_move() -> None:
    place = two_bearers()
    script: list[tuple[str, object]] = [("handle", "done"), ("move", "advance"), ("foot advances", [4, 4])]
    script += [("move to", (21.5, 30.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert [place.figure(f"red.{n}").loads for n in (1, 2, 3)] == [("chest",), ("chest",), ()]
    assert [at(place, f"red.{n}")[1] for n in (1, 2)] == pytest.approx([14.0, 14.0], abs=0.001)
    assert place.battle.things["chest"].carrier == "red.1"
    assert [firer.figure.spec.id for firer in may_fire(place.battle, place.unit("red"))] == ["red.3"]


@pytest.mark.rule("PAY-073")
def test_who_goes_further_than_two_inches_from_the_first_bearer_has_let_go() -> None:
    for goer, stays in (("red.1", "red.2"), ("red.2", "red.1")):
        for inches, parted in ((1.6, False), (2.1, True)):
            place = two_bearers()
            here = at(place, goer)
            goal = (20.5 + (0.5 if goer == "red.1" else -0.5), here[1] + inches)  # north of the other
            script: list[tuple[str, object]] = [("handle", "done"), ("move", "man by man")]
            script += [("gait", "advance" if f"red.{n}" == goer else "halt") for n in (1, 2, 3)]
            script += [("foot advances", [4, 4]), ("move to", goal), ("go on to", goal), ("handle", "done")]
            place.play(move_unit, place.battle, place.unit("red"), script=script)
            left = {"red.1"} if parted else {"red.1", "red.2"}  # the first man keeps the load
            assert {key for key, man in place.unit("red").figures.items() if man.loads} == left, (goer, inches, stays)


@pytest.mark.rule("PAY-073", "PAY-074", "PAY-216")
def test_what_one_of_two_lets_go_of_the_other_still_has() -> None:
    place = two_bearers(blue(1, y=9.0))
    place.play(
        fight,
        place.battle,
        Fight(("red.1",), ("blue.1",)),
        script=[("melee", [6]), ("melee", [3]), ("casualty card", "head_killed")],
    )
    assert place.figure("red.1").fate == "dead" and place.figure("red.2").loads == ("chest",)
    chest = place.battle.things["chest"]
    assert (chest.carrier, chest.at) == ("red.2", None) and place.told("dropped")[0]["led"]
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [1, 1])])
    assert (place.battle.things["chest"].carrier, place.battle.things["chest"].at) == ("", (21.0, 10.0))


@pytest.mark.rule("PAY-073", "PAY-194", "PAY-214")
def test_whoever_of_two_leaves_first_takes_the_load_along() -> None:
    place = two_bearers()
    place.figure("red.2").at = (21.0, 0.0)
    place.play(leave, place.battle, place.battle.change_figure("red.2"), "left")
    assert place.figure("red.1").loads == () and place.figure("red.1").able
    assert (place.battle.things["chest"].taken_by, place.battle.things["chest"].carrier) == ("red", "")


@pytest.mark.rule("PAY-043", "PAY-044", "PAY-073")
def test_two_who_carry_a_comrade_have_both_done_a_brave_deed() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (20.5, 10.9), (21.0, 10.0)], leader="sergeant"))
    place.figure("red.2").mark("lame")
    place.unit("red").measure()
    script: list[tuple[str, object]] = [
        ("handle", ("pick up", "red.1", "red.2")),
        ("handle", ("pick up", "red.3", "red.2")),
    ]
    script += [("move", "advance"), ("foot advances", [4, 4]), ("move to", (20.5, 20.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert [place.figure(f"red.{n}").brave for n in (1, 2, 3)] == [1, 0, 1]
    assert at(place, "red.2") == at(place, "red.1")


@pytest.mark.rule("PAY-080", "PAY-073")
def test_what_two_bear_is_one_load_for_a_wagon() -> None:
    place = two_bearers()
    place.battle.engines["cart"] = Engine("wagon", "the cart", "red", "red", (20.5, 11.9))
    names = boarders(place.battle, place.unit("red"), place.battle.engines["cart"], {"red.1", "red.2", "red.3"})
    assert names == ["red.1", "red.2"]


@pytest.mark.rule("PAY-073")
def test_men_lift_the_fallen_of_their_own_side_and_no_others() -> None:
    place = scene(red(1), bare_unit("help", "red", [(20.0, 11.0)]), blue(1, y=9.0))
    for key in ("help.1", "blue.1"):
        place.figure(key).fate = "unconscious"
        place.unit(key.partition(".")[0]).measure()
    offered: list[Any] = []

    def agent(question: Any, battle: Any) -> Any:
        offered.append(question.options)
        return "done"

    table = SeededTable(place.rules, place.battle, 1, {"red": agent})
    handle(table, place.battle, place.unit("red"), {}, before=True)
    assert offered == [("done", ("pick up", "red.1", "help.1"))]


def offers(place: Scene, unit: str, *, before: bool = True) -> list[Any]:
    """Return the handling options of a unit."""
    offered: list[Any] = []

    def agent(question: Any, battle: Any) -> Any:
        offered.extend(question.options)
        return "done"

    table = SeededTable(place.rules, place.battle, 1, {"red": agent})
    handle(table, place.battle, place.unit(unit), {}, before=before)
    return offered


def with_cart(*men: Any, chest: tuple[float, float] | None = None, carrier: str = "") -> Scene:
    """A cart at (20, 10) driven by the first red man, and a chest."""
    things = {"chest": Thing("paychest", "the chest", "", chest, heavy=True, carrier=carrier)}
    cart = Engine("wagon", "the cart", "red", "red", (20.0, 10.0), aboard=("red.1",))
    place = scene(bare_unit("red", "red", [(20.0, 10.0)]), *men, things=things, engines={"cart": cart})
    place.figure("red.1").aboard = "cart"
    if carrier:
        place.figure(carrier).loads = ("chest",)
    place.unit("red").measure()
    return place


@pytest.mark.rule("PAY-073", "PAY-080")
def test_what_a_passenger_drops_lies_where_a_man_on_foot_can_take_it_up() -> None:
    place = with_cart(bare_unit("help", "red", [(17.9, 10.0)]), carrier="red.1")
    place.play(
        handle, place.battle, place.unit("red"), {}, before=True, script=[("handle", ("drop", "red.1", "chest"))]
    )
    spot = place.battle.things["chest"].at
    assert spot is not None and 1.5 < dist(spot, (20.0, 10.0)) < 2.6
    place.figure("help.1").at = spot
    place.unit("help").measure()
    assert ("pick up", "help.1", "chest") in offers(place, "help")


@pytest.mark.rule("PAY-073", "PAY-080")
@pytest.mark.parametrize("fate", ["dead", "unconscious"])
def test_a_comrade_whom_a_passenger_puts_down_lies_beside_the_wagon(fate: str) -> None:
    place = with_cart(bare_unit("hurt", "red", [(20.0, 10.0)]))
    place.figure("red.1").loads = ("hurt.1",)
    place.figure("hurt.1").fate = fate
    place.unit("hurt").measure()
    script = [("handle", ("drop", "red.1", "hurt.1"))]
    place.play(handle, place.battle, place.unit("red"), {}, before=True, script=script)
    spot = place.figure("hurt.1").at
    assert spot is not None and dist(spot, (20.0, 10.0)) > 1.5


@pytest.mark.rule("PAY-007", "PAY-073", "PAY-084")
def test_no_wagon_stops_on_the_paychest() -> None:
    place = with_cart(chest=(20.0, 17.0))
    move_engine(place.battle, "cart", (20.0, 17.5), "advance")
    stopped = place.battle.engines["cart"].at
    assert stopped is not None and dist(stopped, (20.0, 17.0)) >= 1.5 and stopped[1] > 14.0
    past = with_cart(chest=(20.0, 17.0))
    move_engine(past.battle, "cart", (20.0, 22.0), "advance")
    assert past.battle.engines["cart"].at == (20.0, 22.0), "it may pass over it"


@pytest.mark.rule("PAY-073", "PAY-082")
def test_no_flyer_comes_down_on_a_load() -> None:
    for chest, may in (((20.5, 10.0), False), ((24.0, 10.0), True)):
        place = with_cart(chest=chest)
        engine = place.battle.engines["cart"]
        engine.kind, engine.altitude, engine.moved = "flyer", 1, "halt"
        assert (("sink", "cart") in machine_acts(place.battle, place.unit("red"))) is may


@pytest.mark.rule("PAY-073")
def test_who_touches_a_wagon_reaches_what_lies_under_it() -> None:
    place = with_cart(bare_unit("help", "red", [(20.0, 12.0)]), chest=(20.0, 9.0))
    assert ("pick up", "help.1", "chest") in offers(place, "help")
    place.figure("help.1").at = (20.0, 13.0)
    place.unit("help").measure()
    assert ("pick up", "help.1", "chest") not in offers(place, "help")


@pytest.mark.rule("PAY-073")
def test_what_is_picked_up_after_the_march_may_be_dropped_in_the_same_move() -> None:
    place = scene(red(1), things={"chest": Thing("paychest", "the chest", "", (20.0, 10.5), heavy=True)})
    script = [
        ("handle", ("pick up", "red.1", "chest")),
        ("carry on to", (20.0, 12.0)),
        ("carry on to", (20.0, 12.0)),
        ("handle", ("drop", "red.1", "chest")),
        ("carry on to", (20.0, 16.0)),
    ]
    place.play(handle, place.battle, place.unit("red"), {"red.1": 8.0}, before=False, script=script)
    assert place.battle.things["chest"].at == (20.0, 12.0)
    assert at(place, "red.1") == (20.0, 16.0), "2 of 4 inches with the load are 4 of 8 without it"
