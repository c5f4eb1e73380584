"""Loads, comrades who are carried, weapons that are picked up, and mounts."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    apart,
    at,
    bare_unit,
    blue,
    machine_acts,
    mount_acts,
    printed_book,
    red,
    scene,
    two_bearers,
)

from zareba.space.field.bodies import Base, overlaps_any
from zareba.table import SeededTable
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.movement import move_unit
from zareba_rulesets.paychest.chapters.fire import may_fire, ready_weapon
from zareba_rulesets.paychest.chapters.machines import move_engine
from zareba_rulesets.paychest.chapters.marching import (
    MovingFigure,
    arm_from_loads,
    column_of,
    leave,
    march,
    stand_clear,
)
from zareba_rulesets.paychest.chapters.melee import Fight, fight
from zareba_rulesets.paychest.chapters.morale import fall_back
from zareba_rulesets.paychest.chapters.mounts import climb
from zareba_rulesets.paychest.chapters.movement import factor, may_run, mover_of, movers
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.sequence import begin_activation, end_activation


@pytest.mark.rule("PAY-022", "PAY-023")
def test_a_man_may_take_a_weapon_off_the_fallen_and_use_it_next_time() -> None:
    place = scene(blue(2, weapons=("sword",)))
    first, second = place.figure("blue.1"), place.figure("blue.2")
    first.fate, first.weapons = "dead", ("rifle", "sword")
    first.at = (second.at[0] - 1.0, second.at[1]) if second.at else None
    script = [("handle", ("take", "blue.2", "blue.1", "rifle"))]
    place.play(handle, place.battle, place.unit("blue"), {}, before=False, script=script)
    assert ready_weapon(printed_book(), second) == "" and list(first.weapons) == ["sword"]
    arm_from_loads(place.battle, place.unit("blue"))
    assert ready_weapon(printed_book(), second) == "rifle"
    assert second.spec.firearms == 3


CHEST = {"chest": Thing("paychest", "the chest", "", (20.0, 11.0), heavy=True)}


@pytest.mark.rule("PAY-072", "PAY-073", "PAY-075", "PAY-123")
def test_loads_and_leg_wounds_multiply_the_halving_of_a_move() -> None:
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
        ("red", [20.0, 14.0], 4.0),
        ("red.1", [20.0, 16.0], 2.0),
    ]
    assert place.battle.things["chest"].carrier == "red.1" and place.battle.things["chest"].at is None
    refused = scene(red(1), things={"chest": Thing("paychest", "the chest", "", (20.0, 14.5), heavy=True)})
    with pytest.raises(AssertionError, match=r"only 2\.0 inches"):
        refused.play(
            move_unit, refused.battle, refused.unit("red"), script=[*script[:5], ("carry on to", (20.0, 17.0))]
        )


@pytest.mark.rule("PAY-073")
def test_each_figure_is_offered_the_load_it_touches() -> None:
    chest = Thing("paychest", "the chest", "", (20.0, 9.5), heavy=True)
    box = Thing("paychest", "the box", "", (12.0, 10.5), heavy=True)
    place = scene(red(2), things={"chest": chest, "box": box})
    place.figure("red.1").at, place.figure("red.2").at = (20.0, 10.0), (12.0, 10.0)
    place.unit("red").measure()
    assert {("pick up", "red.1", "chest"), ("pick up", "red.2", "box")} <= set(offers(place, "red"))


@pytest.mark.rule("PAY-073", "PAY-086")
def test_bearer_moving_into_contact_makes_the_enemy_rise() -> None:
    things = {"chest": Thing("paychest", "the chest", "", (20.0, 12.0), heavy=True)}
    place = scene(red(1), blue(1, y=17.0), things=things)
    place.figure("blue.1").mark("down")
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [6, 5]), ("move to", (20.0, 11.5))]
    script += [("go on to", (20.0, 11.5)), ("handle", ("pick up", "red.1", "chest")), ("carry on to", (20.0, 16.2))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == pytest.approx((20.0, 16.0))
    assert "down" not in place.figure("blue.1").marks


@pytest.mark.rule("PAY-071", "PAY-073")
def test_figure_in_contact_stops_after_picking_up_a_load() -> None:
    things = {"chest": Thing("paychest", "the chest", "", (20.0, 12.0), heavy=True)}
    place = scene(red(1), blue(1, y=13.0), things=things)
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [6, 5]), ("move to", (20.0, 13.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("handle", ("pick up", "red.1", "chest"))])
    assert at(place, "red.1") == (20.0, 12.0) and place.figure("red.1").loads == ("chest",)


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
def test_rest_of_a_move_after_a_load_may_bend() -> None:
    place = scene(red(1), things={"chest": Thing("paychest", "the chest", "", None, heavy=True, carrier="red.1")})
    place.figure("red.1").loads = ("chest",)
    script = [("handle", ("drop", "red.1", "chest")), ("carry on to", (20.0, 10.4)), ("carry on to", (20.4, 10.4))]
    place.play(handle, place.battle, place.unit("red"), {"red.1": 0.4}, before=False, script=script)
    assert at(place, "red.1") == (20.4, 10.4)


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


@pytest.mark.rule("PAY-073", "PAY-126")
@pytest.mark.parametrize(("fate", "stays"), [("unconscious", True), ("dead", True), ("able", False)])
def test_a_body_put_down_lies_where_it_is_but_an_able_man_needs_room(fate: str, stays: bool) -> None:
    place = scene(red(2))
    comrade = place.figure("red.2")
    comrade.fate, comrade.at = fate, at(place, "red.1")
    stand_clear(place.battle, comrade)
    assert (at(place, "red.2") == at(place, "red.1")) is stays


@pytest.mark.rule("PAY-022", "PAY-023", "PAY-163")
def test_figure_falling_back_drops_loads_but_keeps_taken_weapons() -> None:
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
def test_bearer_farther_than_two_inches_lets_go() -> None:
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
def test_second_bearer_keeps_a_load_if_the_first_lets_go() -> None:
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
def test_first_bearer_to_leave_takes_the_load_along() -> None:
    place = two_bearers()
    place.figure("red.2").at = (21.0, 0.0)
    place.play(leave, place.battle, place.battle.change_figure("red.2"), "left")
    assert place.figure("red.1").loads == () and place.figure("red.1").able
    assert (place.battle.things["chest"].taken_by, place.battle.things["chest"].carrier) == ("red", "")


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
def test_load_dropped_by_a_passenger_can_be_picked_up_on_foot() -> None:
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
def test_comrade_put_down_by_a_passenger_lies_next_to_the_wagon(fate: str) -> None:
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
    assert dist(stopped, (20.0, 17.0)) < 2.0, "its edge comes up to the chest"
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
def test_figure_touching_a_wagon_reaches_loads_under_it() -> None:
    place = with_cart(bare_unit("help", "red", [(20.0, 12.0)]), chest=(20.0, 9.0))
    assert ("pick up", "help.1", "chest") in offers(place, "help")
    place.figure("help.1").at = (20.0, 13.0)
    place.unit("help").measure()
    assert ("pick up", "help.1", "chest") not in offers(place, "help")


@pytest.mark.rule("PAY-073")
def test_load_picked_up_after_the_march_may_be_dropped_in_the_same_move() -> None:
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


@pytest.mark.rule("PAY-078")
def test_mounting_and_dismounting_cost_half_the_move() -> None:
    place = scene(red(1, mount="horse"))
    script: list[tuple[str, object]] = [("move", ("mount", "down")), ("gait", "advance"), ("horse advances", [4, 4, 4])]
    script += [("move to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    man = place.figure("red.1")
    assert man.mount == "" and place.battle.things["mount of red.1"].at == (20.0, 10.0)
    assert 4.0 <= at(place, "red.1")[1] - 10.0 <= 8.0
    man.at = (20.0, 11.25)
    place.unit("red").measure()
    script = [("handle", "done"), ("move", ("mount", "up")), ("gait", "run"), ("foot advances", [4, 4])]
    script += [("foot runs on", [4]), ("move to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert man.mount == "horse" and at(place, "red.1") == pytest.approx((20.0, 16.0)) and man.gait == "run"


@pytest.mark.rule("PAY-078")
def test_two_loose_mounts_may_be_led_and_slow_a_man_to_their_pace() -> None:

    things = {f"mule {n}": Thing("mount", f"mule {n}", "", (20.0 + 0.8 * n, 11.0)) for n in (0, 1)}
    things["mule 2"] = Thing("mount", "mule 2", "", (20.0, 9.0))
    place = scene(red(1), things=things)
    place.figure("red.1").loads = ("mule 0",)
    things["mule 0"].at, things["mule 0"].carrier = None, "red.1"
    place.play(
        handle, place.battle, place.unit("red"), {}, before=True, script=[("handle", ("pick up", "red.1", "mule 1"))]
    )
    assert mover_of(place.battle, place.figure("red.1")) == "pack"
    place.play(handle, place.battle, place.unit("red"), {}, before=True, script=[("handle", "done")])
    with pytest.raises(AssertionError, match="is not an answer to"):
        script = [("handle", ("pick up", "red.1", "mule 2"))]
        place.play(handle, place.battle, place.unit("red"), {}, before=True, script=script)


@pytest.mark.rule("PAY-078", "PAY-007")
def test_mounting_in_a_crowd_overlaps_no_base() -> None:
    crowd = [(20.0 + 1.05 * x, 20.0 + 1.05 * y) for x in range(-6, 7) for y in range(-6, 7) if x or y]
    horse = {"mare": Thing("mount", "loose horse", "", (20.0, 21.2))}
    place = scene(bare_unit("red", "red", [(20.0, 20.0)]), bare_unit("more", "red", crowd), things=horse)
    script = [("handle", "done"), ("move", ("mount", "up")), ("gait", "halt")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").mount == "horse"
    assert not overlaps_any(at(place, "red.1"), 0.75, [Base(*spot, 0.5) for spot in crowd])


@pytest.mark.rule("PAY-073", "PAY-078")
@pytest.mark.parametrize(("kind", "mounts"), [("light", True), ("paychest", False), ("mount", False), ("body", False)])
def test_a_man_mounts_with_a_light_load_but_not_with_a_heavy_one_or_a_led_mount(kind: str, mounts: bool) -> None:
    horse = Thing("mount", "loose horse", "", (20.0, 11.25))
    load = Thing(kind, "the load", "", None, heavy=kind == "paychest", carrier="red.1")
    place = scene(red(1), bare_unit("fallen", "red", [(20.0, 10.0)]), things={"horse": horse, "load": load})
    place.figure("red.1").loads = ("fallen.1",) if kind == "body" else ("load",)
    place.figure("fallen.1").fate = "dead"
    place.unit("fallen").measure()
    acts = mount_acts(place.battle, place.unit("red"), place.unit("red").able)
    assert (("mount", "up") in acts) is mounts


@pytest.mark.rule("PAY-077", "PAY-078", "PAY-123")
def test_a_rider_with_wounded_legs_rides_at_full_pace_and_stays_in_the_saddle() -> None:
    place = scene(red(1, mount="horse"))
    rider = place.figure("red.1")
    rider.wounds = ("leg_wound",)
    assert factor(place.battle, rider) == 1.0 and may_run(place.battle, rider)
    assert mount_acts(place.battle, place.unit("red"), [rider]) == [("mount", "down")]
    rider.mark("lame")
    assert rider.can_walk and mount_acts(place.battle, place.unit("red"), [rider]) == []


@pytest.mark.rule("PAY-078", "PAY-123")
def test_a_leg_wound_slows_mounting_for_that_activation() -> None:
    place = scene(red(1), things={"mare": Thing("mount", "loose horse", "", (20.0, 11.25))})
    man = place.figure("red.1")
    man.wounds = ("leg_wound",)
    mounting: list[tuple[str, object]] = [("handle", "done"), ("move", ("mount", "up"))]
    with pytest.raises(AssertionError, match="is not an answer to"):
        place.play(move_unit, place.battle, place.unit("red"), script=[*mounting, ("gait", "run")])
    man.at, man.mount = (20.0, 10.0), ""
    place.battle.add_thing("mare", Thing("mount", "loose horse", "", (20.0, 11.25)))
    script = [*mounting, ("gait", "advance"), ("foot advances", [4, 4]), ("move to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == pytest.approx((20.0, 13.25))
    place.play(end_activation, place.battle, place.unit("red"))
    assert may_run(place.battle, man) and factor(place.battle, man) == 1.0


@pytest.mark.rule("PAY-007", "PAY-074")
@pytest.mark.parametrize("x", [18.8, 19.5, 20.5, 21.0, 21.2])
def test_runner_stands_clear_of_a_comrade_put_down(x: float) -> None:
    place = scene(bare_unit("blue", "blue", [(20.0, 20.0), (x, 14.0), (20.0, 20.0)], kind="irregular"))
    carrier, comrade = place.figure("blue.1"), place.figure("blue.3")
    comrade.mark("lame")
    carrier.loads = ("blue.3",)
    place.unit("blue").measure()
    place.play(fall_back, place.battle, place.unit("blue"), 2, backs=True, script=[("forced move", [3, 3])])
    assert not place.figure("blue.1").loads and carrier.at == (20.0, 26.0)
    assert comrade.at is not None and dist(comrade.at, (20.0, 20.0)) < 2.0
    assert apart(place)


@pytest.mark.rule("PAY-073", "PAY-078")
def test_a_rider_is_not_carried() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0)]), bare_unit("horse", "red", [(21.2, 10.0)], mount="horse"))
    place.figure("horse.1").mark("lame")
    place.unit("horse").measure()
    place.play(handle, place.battle, place.unit("red"), {}, before=True)
    assert place.figure("red.1").loads == ()
    assert place.figure("horse.1").can_walk


@pytest.mark.rule("PAY-022", "PAY-023", "PAY-194", "PAY-214")
def test_a_rifle_that_goes_with_its_man_is_no_prize_carried_off() -> None:
    place = scene(red(1))
    for key, kind in (("rifle", "weapon"), ("chest", "paychest")):
        place.battle.things[key] = Thing(kind, key, "", None, carrier="red.1")
    man = place.figure("red.1")
    man.loads, man.at = ("rifle", "chest"), (20.0, 0.0)
    place.play(leave, place.battle, man, "left")
    assert [told["object"] for told in place.told("carried off")] == ["chest"]
    assert place.battle.things["rifle"].taken_by == "red"


@pytest.mark.rule("PAY-073", "PAY-214")
def test_the_log_tells_of_the_comrade_who_leaves_on_another_mans_back() -> None:
    place = scene(red(2))
    man, comrade = place.figure("red.1"), place.figure("red.2")
    comrade.mark("lame")
    man.loads, man.at, comrade.at = ("red.2",), (20.0, 0.0), (20.0, 0.0)
    place.play(leave, place.battle, man, "left")
    assert [told["figure"] for told in place.told("left the table")] == ["red.2", "red.1"]


FORT = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}


@pytest.mark.rule("PAY-078", "PAY-085", "PAY-091")
def test_men_leading_mounts_go_only_where_mounts_can() -> None:
    mule = {"mule": Thing("mount", "loose mule", "", None, carrier="red.1")}
    grove = {"grove": ("brush", [(0.0, 10.0), (60.0, 10.0), (60.0, 40.0), (0.0, 40.0)])}
    place = scene(red(1), things=mule, areas=grove)
    place.figure("red.1").loads = ("mule",)
    assert column_of(place.battle, place.figure("red.1")) == "mounted"
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 8.0)], (20.0, 30.0))
    assert at(place, "red.1") == pytest.approx((20.0, 14.0))  # each inch costs two, as for horses
    below = scene(bare_unit("red", "red", [(20.0, 13.5), (24.0, 13.5)]), things=mule, lines=FORT)
    below.figure("red.1").loads = ("mule",)
    below.play(climb, below.battle, below.unit("red"), below.unit("red").able)
    assert [at(below, name)[1] for name in ("red.1", "red.2")] == [13.5, 14.0]


@pytest.mark.rule("PAY-078")
def test_men_with_loads_are_not_offered_a_saddle_that_they_cannot_take() -> None:
    things = {
        "mare": Thing("mount", "loose horse", "", (20.0, 11.2)),
        "chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1"),
    }
    place = scene(red(1), things=things)
    place.figure("red.1").loads = ("chest",)
    with pytest.raises(AssertionError, match="is not an answer to"):
        place.play(move_unit, place.battle, place.unit("red"), script=[("handle", "done"), ("move", ("mount", "up"))])


@pytest.mark.rule("PAY-078")
@pytest.mark.parametrize(("mount", "mounts"), [("", True), ("horse", False), ("camel", False)])
def test_a_rider_beside_a_loose_horse_does_not_mount_again(mount: str, mounts: bool) -> None:
    place = scene(red(1, mount=mount), things={"mare": Thing("mount", "loose horse", "", (20.0, 11.2))})
    acts = mount_acts(place.battle, place.unit("red"), place.unit("red").able)
    assert (("mount", "up") in acts) is mounts


@pytest.mark.rule("PAY-022", "PAY-023", "PAY-078")
def test_weapons_already_held_are_not_offered_and_riders_lead_no_mounts() -> None:
    rifle = {
        "rifle of x": Thing("weapon", "rifle", "", (20.0, 10.2)),
        "mare": Thing("mount", "loose mare", "", (20.0, 11.2)),
    }
    place = scene(red(1, mount="horse"), things=rifle)
    place.play(
        handle, place.battle, place.unit("red"), {}, before=False
    )  # he has a rifle already and cannot lead: no question


@pytest.mark.rule("PAY-078", "PAY-067")
def test_some_dismount_and_others_hold_their_horses() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (22.0, 10.0), (24.0, 10.0)], mount="horse"))
    script: list[Script] = [
        ("move", ("mount", "down", "man by man")),
        ("saddle", True),
        ("saddle", False),
        ("saddle", True),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("gait", "halt"), ("handle", "done")])
    assert [figure.mount for figure in place.unit("red").able] == ["", "horse", ""]
    assert [figure.gait for figure in place.unit("red").able] == ["advance", "halt", "advance"]
    script = [("handle", "done"), ("move", ("mount", "up", "man by man")), ("saddle", False), ("saddle", True)]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("gait", "halt"), ("handle", "done")])
    assert [figure.mount for figure in place.unit("red").able] == ["", "horse", "horse"]


@pytest.mark.rule("PAY-073")
def test_light_loads_cost_nothing_and_each_man_handles_one_load() -> None:
    def walks_on(name: str, heavy: bool, before: tuple[str, ...]) -> float:
        """Return how far a man with 4 inches left goes after picking up or dropping a load."""
        things = {name: Thing("light", name, "", None if before else (20.0, 10.5), heavy=heavy)}
        place = scene(red(1), things=things)
        place.figure("red.1").loads = before
        if before:
            things[name].carrier = "red.1"
        verb = "drop" if before else "pick up"
        reach = {("pick up", True): 2.0, ("drop", True): 8.0}.get((verb, heavy), 4.0)
        for inches, fine in ((reach, True), (reach + 0.1, False)):
            script: list[Script] = [("handle", (verb, "red.1", name)), ("carry on to", (20.0 + inches, 10.0))]
            here = scene(red(1), things={name: things[name].copy()})
            here.figure("red.1").loads = before
            if fine:
                here.play(handle, here.battle, here.unit("red"), {"red.1": 4.0}, before=False, script=script)
            else:
                with pytest.raises(AssertionError, match="of the move are left"):
                    here.play(handle, here.battle, here.unit("red"), {"red.1": 4.0}, before=False, script=script)
        return reach

    assert walks_on("flag", False, ()) == 4.0 and walks_on("chest", True, ()) == 2.0
    assert walks_on("flag", False, ("flag",)) == 4.0 and walks_on("chest", True, ("chest",)) == 8.0


@pytest.mark.rule("PAY-073", "PAY-121")
def test_loads_in_use_or_without_a_free_arm_are_not_offered() -> None:
    place = scene(red(3), things={"flag": Thing("light", "the flag", "", None, carrier="red.1")})
    for name in ("red.1", "red.2", "red.3"):
        place.figure(name).at = (20.0 + 0.5 * int(name[-1]), 10.0)
    place.figure("red.3").fate = "dead"
    place.figure("red.1").loads = ("flag",)
    place.unit("red").measure()
    with pytest.raises(AssertionError, match="is not an answer to"):
        place.play(
            handle, place.battle, place.unit("red"), {}, before=True, script=[("handle", ("pick up", "red.2", "flag"))]
        )
    place.figure("red.1").loads = ()
    place.figure("red.1").wounds = place.figure("red.2").wounds = ("smashed_arm", "smashed_arm")
    place.play(handle, place.battle, place.unit("red"), {}, before=True)


def test_taken_weapon_is_not_offered_to_the_next_man() -> None:
    things = {
        "rifle": Thing("weapon", "rifle", "", (20.5, 10.1)),
        "musket": Thing("weapon", "musket", "", (20.5, 9.9)),
    }
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (21.0, 10.0)], weapons=("knife",)), things=things)
    offered: list[tuple[Any, ...]] = []
    answers = iter([("take", "red.1", "rifle", "rifle"), ("take", "red.2", "musket", "musket")])

    def agent(question: Any, battle: Any) -> Any:
        offered.append(question.options)
        return next(answers)

    handle(SeededTable(place.rules, place.battle, 1, {"red": agent}), place.battle, place.unit("red"), {}, before=False)
    assert [len(options) for options in offered] == [5, 2]
    assert offered[1] == ("done", ("take", "red.2", "musket", "musket"))
    assert place.figure("red.1").loads == ("rifle",) and place.figure("red.2").loads == ("musket",)


def test_a_man_taken_up_may_be_borne_by_a_second_who_may_also_take_his_weapons() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (21.0, 10.0), (20.5, 10.9)], weapons=("rifle",)))
    body = place.figure("red.3")
    body.fate, body.weapons = "unconscious", ("rifle", "knife")
    place.unit("red").measure()
    offered: list[tuple[Any, ...]] = []

    def agent(question: Any, battle: Any) -> Any:
        offered.append(question.options)
        return ("pick up", "red.1", "red.3") if len(offered) == 1 else "done"

    handle(SeededTable(place.rules, place.battle, 1, {"red": agent}), place.battle, place.unit("red"), {}, before=False)
    knife = ("take", "red.2", "red.3", "knife")
    assert ("pick up", "red.2", "red.3") in offered[0] and knife in offered[0]
    assert offered[1] == ("done", ("pick up", "red.2", "red.3"), knife)


@pytest.mark.rule("PAY-073")
def test_a_figure_that_gets_no_further_after_picking_up_stops() -> None:
    place = scene(red(1), things={"chest": Thing("paychest", "the chest", "", (20.0, 10.5), heavy=True)})
    script: list[tuple[str, object]] = [("handle", ("pick up", "red.1", "chest"))]
    script += [("carry on to", (20.0, 12.0 + number * 1e-9)) for number in range(21)]  # only the first is a real move
    script += [("handle", "done")]
    place.play(handle, place.battle, place.unit("red"), {"red.1": 8.0}, before=False, script=script)
    assert at(place, "red.1") == pytest.approx((20.0, 12.0), abs=0.001)
