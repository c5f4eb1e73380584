"""Corner cases of guns, conveyances and flyers: hauling, riding, contact, and cover behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    at,
    bare_unit,
    blue,
    machine_acts,
    red,
    rules_with,
    scenario,
    scene,
)

from zareba.registry import find_house_rule, load_rules
from zareba_rulesets.paychest.actions.leaving import leave_by_edge
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.fire import may_fire, single_targets
from zareba_rulesets.paychest.chapters.marching import Mover, march
from zareba_rulesets.paychest.chapters.morale import fall_back
from zareba_rulesets.paychest.chapters.mounts import board
from zareba_rulesets.paychest.chapters.sight import (
    cover_class,
    covers_of,
    exposures,
    figures_that_may_duck,
    height_of,
    in_contact,
    touches,
)
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.odds.stage import bare_battle
from zareba_rulesets.paychest.sequence import begin_activation
from zareba_rulesets.paychest.translation import translate


def cart(kind: str = "wagon", at: tuple[float, float] = (20.0, 10.0), **more: Any) -> dict[str, Engine]:
    return {"cart": Engine(kind, "cart", "red", "red", at, mount="", **more)}


def riding(count: int = 1, walking: int = 0, kind: str = "wagon", *others: Any, **more: Any) -> Scene:
    """The first men of red aboard a cart, the others in a rank to the east of it."""
    engine: dict[str, Any] = {"altitude": more.pop("altitude")} if "altitude" in more else {}
    spots = [(20.0, 10.0)] * count + [(30.0 + 1.2 * n, 10.0) for n in range(walking)]
    names = tuple(f"red.{n}" for n in range(1, count + 1))
    place = scene(bare_unit("red", "red", spots), *others, engines=cart(kind, aboard=names, **engine), **more)
    for name in names:
        place.figure(name).aboard = "cart"
    place.unit("red").measure()
    return place


# --- contents of a conveyance ---------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-080", "PAY-082", "PAY-083")
@pytest.mark.parametrize(
    ("arm", "kind", "men", "guns"),
    [("vehicle", "tractor", 3, ["machine_gun"]), ("airship", "flyer", 10, ["machine_gun", "machine_gun", "gun"])],
)
def test_as_many_men_and_guns_ride_as_there_is_room_for(arm: str, kind: str, men: int, guns: list[str]) -> None:
    units = dict(scenario("patrol_clash").units)
    name = next(iter(units))
    more = {"arm": arm, "figures": 12, "armament": ("machine_gun", "machine_gun", "machine_gun", "gun", "gun")}
    units[name] = units[name].model_copy(update=more)
    plan = translate(
        PaychestBook(rules_with(flyers="on")), scenario("patrol_clash").model_copy(update={"units": units})
    )
    assert len(plan.engines[f"{name} {kind}"].aboard) == men
    assert [e.kind for e in plan.engines.values() if e.unit == name and e.carrier] == guns
    assert sum("no room" in note for note in plan.notes) == 5 - len(guns)


@pytest.mark.rule("PAY-078", "PAY-080")
def test_who_is_set_up_on_a_cart_has_no_horse_under_him() -> None:
    battle = scenario("patrol_clash")
    (name, unit), *_ = battle.units.items()
    carters = unit.model_copy(update={"arm": "wagon", "mount": "horse", "figures": 10})
    plan = translate(
        PaychestBook(rules_with()), battle.model_copy(update={"units": dict(battle.units) | {name: carters}})
    )
    mounts = [plan.figures[key].mount for key in plan.units[name].figures]
    assert mounts == [""] * 8 + ["horse"] * 2


@pytest.mark.rule("PAY-080", "PAY-073")
def test_one_heavy_load_or_a_machine_gun_besides_the_men() -> None:
    def boarded(*loads: str, gun: bool = False, kind: str = "wagon") -> list[str]:
        things = {name: Thing("paychest", name, "", None, heavy=name != "flag") for name in loads}
        engines = cart(kind)
        if gun:
            engines["gun"] = Engine("machine_gun", "gun", "red", "red", (20.0, 10.0), "conveyance", "cart")
        men = bare_unit("red", "red", [(18.0, 10.0), (22.0, 10.0), (20.0, 12.0)])
        place = scene(men, engines=engines, things=things)
        for number, load in enumerate(loads, start=1):
            men.figures[f"red.{number}"].loads, things[load].carrier = (load,), f"red.{number}"
        return place.play(board, place.battle, men, "cart", men.figures)

    assert boarded() == boarded("flag", "chest") == ["red.1", "red.2", "red.3"]
    assert boarded("chest", "box") == ["red.1", "red.3"]
    assert boarded("chest", gun=True) == ["red.2", "red.3"]
    assert boarded("flag", "chest", gun=True, kind="flyer") == ["red.1", "red.3"]


@pytest.mark.rule("PAY-073", "PAY-080", "PAY-082")
@pytest.mark.parametrize(("kind", "gets_on"), [("wagon", ["red.1"]), ("flyer", [])])
def test_a_lame_comrade_is_a_heavy_load_and_no_flyer_takes_one(kind: str, gets_on: list[str]) -> None:
    men = bare_unit("red", "red", [(18.0, 10.0), (18.0, 10.0)])
    place = scene(men, engines=cart(kind))
    place.figure("red.2").mark("lame")
    men.figures["red.1"].loads = ("red.2",)
    assert place.play(board, place.battle, men, "cart", men.figures) == gets_on


@pytest.mark.rule("PAY-073", "PAY-082")
@pytest.mark.parametrize(("loads", "gets_on"), [(0, []), (1, ["red.1"])])
def test_a_house_rule_may_let_a_flyer_take_the_chest(tmp_path: Path, loads: int, gets_on: list[str]) -> None:
    patch = tmp_path / "holds.yaml"
    change = f"{{at: conveyances.flyer.loads, was: 0, to: {loads}, why: a hold}}"
    patch.write_text(f"house_rule: holds\ntitle: Holds\nruleset: paychest\nchanges:\n  - {change}\n", "utf-8")
    rules = load_rules("paychest", {"flyers": "on"}, house_rules=[find_house_rule(str(patch))])
    man = bare_unit("red", "red", [(18.0, 10.0)])
    place = Scene(rules, bare_battle(rules, [man]))
    place.battle.engines.update(cart("flyer"))
    place.battle.things["chest"] = Thing("paychest", "chest", "", None, heavy=True, carrier="red.1")
    man.figures["red.1"].loads = ("chest",)
    assert place.play(board, place.battle, man, "cart", man.figures) == gets_on


@pytest.mark.rule("PAY-080", "PAY-078")
def test_who_leads_a_mount_stays_off_and_a_full_cart_takes_nobody() -> None:
    things = {"mule": Thing("mount", "loose mule", "", None, carrier="red.1")}
    place = scene(bare_unit("red", "red", [(20.0, 12.0)]), engines=cart(), things=things)
    place.figure("red.1").loads = ("mule",)
    assert machine_acts(place.battle, place.unit("red")) == []
    full = riding(4, 1, "carriage")
    full.figure("red.5").at = (20.0, 12.0)
    full.unit("red").measure()
    assert ("board", "cart") not in machine_acts(full.battle, full.unit("red"))


@pytest.mark.rule("PAY-080", "PAY-073", "PAY-126")
def test_a_body_travels_with_the_man_who_carries_it_aboard() -> None:
    place = riding(2)
    body = bare_unit("fallen", "red", [(20.0, 10.0)])
    place.battle.units["fallen"] = body
    body.figures["fallen.1"].fate = "dead"
    body.measure()
    place.figure("red.2").loads = ("fallen.1",)
    script: list[Script] = [
        ("move", ("drive", "cart", "advance")),
        ("wagon advances", [3, 3]),
        ("drive to", (20.0, 30.0)),
    ]
    script = [("handle", "done"), *script, ("handle", "done"), ("posture", "up")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("fallen.1").at == place.figure("red.2").at == (20.0, 16.0)


# --- contact, cover, posture ------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-071", "PAY-080", "PAY-136")
def test_men_aboard_are_charged_and_fought_at_the_side_of_their_cart() -> None:
    place = riding(1, 0, "wagon", blue(1, y=20.0))
    march(place.battle, place.unit("blue"), [Mover(place.figure("blue.1"), 18.0)], (20.0, 10.0))
    assert place.figure("blue.1").at == pytest.approx((20.0, 12.0))  # 1.5 inches + half a foot base from its centre
    assert touches(place.battle, place.figure("blue.1"), place.figure("red.1"))
    assert may_fire(place.battle, place.unit("red")) == []
    script: list[Script] = [("melee", "fight all"), ("melee", [3]), ("melee", [6]), ("casualty card", "head_killed")]
    place.play(melee_step, place.battle, place.unit("blue"), script=script)
    assert place.figure("red.1").fate == "dead" and place.battle.engines["cart"].aboard == ()


@pytest.mark.rule("PAY-082")
@pytest.mark.parametrize(("altitude", "touch"), [(0, True), (1, False)])
def test_a_flyer_is_touched_on_the_ground_only(altitude: int, touch: bool) -> None:
    beside = bare_unit("blue", "blue", [(20.0, 11.9)])
    place = riding(1, 0, "flyer", beside, altitude=altitude)
    pairs = (("red", "blue"), ("blue", "red"))
    for own, other in pairs:
        figure = place.figure(f"{own}.1")
        assert in_contact(place.battle, figure, [place.unit(other)]) is touch
        assert touches(place.battle, figure, place.figure(f"{other}.1")) is touch
        assert bool(may_fire(place.battle, place.unit(own))) is not touch
    beneath = riding(1, 0, "flyer", bare_unit("blue", "blue", [(20.0, 10.0)]), altitude=1)
    assert not in_contact(beneath.battle, beneath.figure("blue.1"), [beneath.unit("red")])


@pytest.mark.rule("PAY-023", "PAY-082")
@pytest.mark.parametrize(("altitude", "taken"), [(0, True), (1, False)])
def test_nobody_aloft_takes_a_rifle_from_the_ground(altitude: int, taken: bool) -> None:
    place = riding(1, 0, "flyer", altitude=altitude)
    place.figure("red.1").weapons = ("knife",)
    place.battle.things["rifle of blue.1"] = Thing("weapon", "rifle", "", (20.0, 10.0))
    script: list[Script] = [("handle", ("take", "red.1", "rifle of blue.1", "rifle"))] if taken else []
    place.play(handle, place.battle, place.unit("red"), {}, before=False, script=script)
    assert bool(place.told("weapon taken")) is taken


@pytest.mark.rule("PAY-163", "PAY-082")
def test_a_forced_move_stops_an_inch_short_of_a_cart_of_the_enemy_not_of_a_flyer_aloft() -> None:
    for altitude, end in ((0, 13.0), (2, 2.0)):
        runner = bare_unit("blue", "blue", [(20.0, 20.0)])
        place = riding(1, 0, "flyer", runner, altitude=altitude, home={"blue": "south"})
        place.play(fall_back, place.battle, runner, 3, backs=True, script=[("forced move", [6, 6, 6])])
        assert place.figure("blue.1").at == pytest.approx((20.0, end))


@pytest.mark.rule("PAY-087", "PAY-088")
def test_a_conveyance_covers_those_who_stand_behind_it() -> None:
    men = blue(1, y=12.0)
    place = scene(men, engines=cart())
    covers = covers_of(place.battle, men.able)
    assert cover_class((20.0, 0.0), men.able, covers, 0.5) == "hard"
    assert exposures(place.battle, (20.0, 0.0), men.able, covers) == [frozenset({"head", "leg"})]
    for beside in ((20.0, 30.0), (30.0, 12.0)):
        assert cover_class(beside, men.able, covers, 0.5) == "none"
    men.figures["blue.1"].at = (20.0, 12.2)
    men.measure()
    assert covers_of(place.battle, men.able) is None  # not in contact with it
    aloft = scene(blue(1, y=12.0), engines=cart("flyer", altitude=1))
    assert covers_of(aloft.battle, aloft.unit("blue").able) is None


@pytest.mark.rule("PAY-086", "PAY-080", "PAY-088")
def test_men_aboard_behind_or_in_an_emplacement_may_get_down() -> None:
    place = riding(1, 1)
    place.figure("red.2").at = (20.0, 12.0)
    place.unit("red").measure()
    assert [figure.spec.id for figure in figures_that_may_duck(place.battle, place.unit("red"))] == ["red.1", "red.2"]
    gun = {"gun": Engine("gun", "gun", "red", "red", (20.0, 10.0), mount="emplacement")}
    crew = scene(bare_unit("red", "red", [(18.5, 10.0), (30.0, 10.0)]), engines=gun)
    assert [figure.spec.id for figure in figures_that_may_duck(crew.battle, crew.unit("red"))] == ["red.1"]
    place.figure("red.1").mark("down")
    foes = scene(bare_unit("blue", "blue", [(20.0, 20.0)], leader="leader")).unit("blue")
    place.battle.units["blue"] = foes
    (leader,) = may_fire(place.battle, foes)
    assert [f.spec.id for f in single_targets(place.battle, foes, leader)["red"]] == ["red.2"]


@pytest.mark.rule("PAY-086")
def test_whose_cart_drives_away_is_up() -> None:
    behind = bare_unit("behind", "red", [(20.0, 12.0)])
    place = riding(1, 0, "wagon", behind)
    behind.figures["behind.1"].mark("down")
    script: list[Script] = [
        ("move", ("drive", "cart", "advance")),
        ("wagon advances", [3, 3]),
        ("drive to", (50.0, 10.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("posture", "up")])
    assert "down" not in place.figure("behind.1").marks


# --- moving -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-084", "PAY-069")
def test_teams_at_both_gaits_move_by_one_roll() -> None:
    guns = {
        name: Engine("gun", name, "red", "red", (x, 10.0), limbered=True, team=True)
        for name, x in (("left", 20.0), ("right", 40.0))
    }
    place = scene(bare_unit("red", "red", [(18.5, 10.0), (38.5, 10.0)]), engines=guns)
    script: list[Script] = [("move", ("drive", "left", "advance")), ("gun_limbered advances", [2, 3])]
    script += [("drive to", (20.0, 30.0)), ("move", ("drive", "right", "run")), ("gun_limbered runs on", [4])]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("drive to", (40.0, 30.0))])
    assert [place.battle.engines[name].at for name in ("left", "right")] == [(20.0, 15.0), (40.0, 19.0)]


@pytest.mark.rule("PAY-084", "PAY-078", "PAY-080")
def test_who_has_pushed_a_gun_does_not_walk_as_well_when_others_get_down() -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0))}
    unit = bare_unit("red", "red", [(18.5, 10.0), (30.0, 10.0)])
    unit.figures["red.2"].mount = "horse"
    place = scene(unit, engines=gun)
    script: list[Script] = [("move", ("push", "gun")), ("gun_by_hand advances", [4]), ("drive to", (20.0, 30.0))]
    script += [
        ("move", ("mount", "down")),
        ("gait", "advance"),
        ("horse advances", [4, 4, 4]),
        ("move to", (30.0, 30.0)),
    ]
    place.play(move_unit, place.battle, unit, script=script)
    pusher, rider = place.figure("red.1").at, place.figure("red.2").at
    assert pusher is not None and pusher[1] == pytest.approx(14.0, abs=1.6)
    assert rider is not None and rider[1] >= 15.0


@pytest.mark.rule("PAY-084", "PAY-077", "PAY-076")
@pytest.mark.setting("melee_lock")
def test_lame_men_and_men_held_by_the_enemy_haul_no_gun() -> None:
    def pushes(lame: bool, lock: str) -> bool:
        gun = {"gun": Engine("gun", "gun", "red", "red", (20.0, 10.0))}
        place = scene(
            bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), blue_at((17.5, 10.0)), engines=gun, melee_lock=lock
        )
        if lame:
            place.figure("red.2").mark("lame")
        return ("push", "gun") in machine_acts(place.battle, place.unit("red"))

    assert pushes(False, "off") and not pushes(True, "off") and not pushes(False, "on")
    driver = riding(1, 0, "wagon", blue_at((18.0, 10.0)), melee_lock="on")
    assert ("drive", "cart", "advance") not in machine_acts(driver.battle, driver.unit("red"))


def blue_at(*spots: tuple[float, float]) -> Any:
    return bare_unit("blue", "blue", list(spots), kind="irregular")


@pytest.mark.rule("PAY-084", "PAY-077")
def test_a_gun_that_is_pushed_leaves_lame_men_behind() -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0))}
    place = scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), engines=gun)
    place.figure("red.2").mark("lame")
    place.unit("red").measure()
    script: list[Script] = [("move", ("push", "gun")), ("gun_by_hand advances", [4]), ("drive to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.2").at == (21.5, 10.0) and place.battle.engines["gun"].at == (20.0, 14.0)


@pytest.mark.rule("PAY-080")
def test_passengers_of_another_unit_fire_with_the_gait_of_the_cart() -> None:
    guests = bare_unit("guests", "red", [(20.0, 10.0)])
    place = riding(1, 0, "wagon", guests)
    cart = place.battle.engines["cart"]
    cart.aboard, cart.moved = ("red.1", "guests.1"), "run"
    guests.figures["guests.1"].aboard = "cart"
    place.play(begin_activation, place.battle, guests)
    assert guests.figures["guests.1"].gait == "run"
    place.play(begin_activation, place.battle, place.unit("red"))
    assert place.figure("red.1").gait == "halt" and place.battle.engines["cart"].moved == "halt"


@pytest.mark.rule("PAY-080", "PAY-084")
def test_who_owns_a_cart_and_its_gun_fires_with_the_gait_at_which_others_have_driven_it() -> None:
    drivers = bare_unit("drivers", "red", [(20.0, 10.0)])
    place = riding(1, 0, "wagon", drivers)
    engines = place.battle.engines
    engines["gun"] = Engine("machine_gun", "gun", "red", "red", (20.0, 10.0), "conveyance", "cart")
    engines["cart"].aboard, drivers.figures["drivers.1"].aboard = ("drivers.1", "red.1"), "cart"
    engines["cart"].moved = engines["gun"].moved = "run"
    engines["gun"].shots = 2
    place.play(begin_activation, place.battle, place.unit("red"))
    assert [place.figure("red.1").gait, engines["cart"].moved, engines["gun"].moved] == ["run"] * 3
    assert engines["gun"].shots == 0
    place.play(begin_activation, place.battle, drivers)
    assert [place.figure("drivers.1").gait, engines["cart"].moved, engines["gun"].moved] == ["halt"] * 3


@pytest.mark.rule("PAY-082")
def test_a_flyer_changes_its_height_by_a_step_besides_its_move() -> None:
    place = riding(1, 0, "flyer", altitude=2)
    script: list[Script] = [("move", ("rise", "cart")), ("move", ("drive", "cart", "run"))]
    script += [
        ("flyer advances", [1, 1, 1, 1]),
        ("flyer runs on", [1, 1]),
        ("drive to", (20.0, 30.0)),
        ("posture", "up"),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    flyer = place.battle.engines["cart"]
    assert (flyer.altitude, flyer.at, flyer.moved) == (3, (20.0, 16.0), "run")
    assert height_of(place.battle, place.figure("red.1")) == 18.0
    flyer.moved = "halt"
    acts = machine_acts(place.battle, place.unit("red"))
    assert ("rise", "cart") not in acts and ("sink", "cart") in acts  # three steps is the limit
    place.play(
        move_unit,
        place.battle,
        place.unit("red"),
        script=[("move", ("sink", "cart")), ("move", "halt"), ("posture", "up")],
    )
    assert flyer.altitude == 2 and place.figure("red.1").gait == "advance"


@pytest.mark.rule("PAY-082", "PAY-007")
def test_a_flyer_lands_where_there_is_room() -> None:
    place = riding(1, 0, "flyer", blue_at((20.0, 11.5)), altitude=1)
    assert ("sink", "cart") not in machine_acts(place.battle, place.unit("red"))
    place.figure("blue.1").at = (20.0, 13.0)
    place.unit("blue").measure()
    assert ("sink", "cart") in machine_acts(place.battle, place.unit("red"))


@pytest.mark.rule("PAY-082", "PAY-101")
def test_height_is_added_to_the_range_of_both() -> None:
    for altitude, seen in ((0, True), (1, True), (2, False)):
        place = riding(1, 0, "flyer", bare_unit("blue", "blue", [(20.0, 40.0)], leader="leader"), altitude=altitude)
        place.figure("red.1").rank = "sergeant"
        for own, other in (("red", "blue"), ("blue", "red")):
            (leader,) = may_fire(place.battle, place.unit(own))
            found = single_targets(place.battle, place.unit(own), leader)
            assert (list(found) == [other]) is seen, (altitude, own)  # 30 inches + 6 for each step; rifles reach 36


@pytest.mark.rule("PAY-214", "PAY-080")
def test_a_driver_who_leaves_the_table_takes_the_cart_and_all_aboard() -> None:
    guests = bare_unit("guests", "red", [(20.0, 0.0)])
    place = riding(1, 1, "wagon", guests)
    engine = place.battle.engines["cart"]
    engine.at, engine.aboard = (20.0, 0.0), ("red.1", "guests.1")
    place.battle.engines["gun"] = Engine("machine_gun", "gun", "red", "red", (20.0, 0.0), "conveyance", "cart")
    place.figure("red.1").at, guests.figures["guests.1"].aboard = (20.0, 0.0), "cart"
    place.figure("red.1").gait = "advance"
    place.unit("red").measure()
    place.play(leave_by_edge, place.battle, place.unit("red"), script=[("at the edge", "leave the table")])
    assert [place.figure(name).fate for name in ("red.1", "guests.1", "red.2")] == ["left", "left", "able"]
    engines = place.battle.engines
    assert (engines["cart"].at, engines["cart"].aboard, engines["gun"].at) == (None, (), None)


@pytest.mark.rule("PAY-214", "PAY-080", "PAY-120")
def test_a_passenger_at_the_edge_has_not_come_there_by_a_move_of_his_own_but_a_lame_driver_has() -> None:
    guests = bare_unit("guests", "red", [(20.0, 0.0)])
    place = riding(1, 0, "wagon", guests)
    engine = place.battle.engines["cart"]
    engine.at, engine.aboard, engine.moved = (20.0, 0.0), ("red.1", "guests.1"), "advance"
    driver = place.figure("red.1")
    driver.at, driver.gait, guests.figures["guests.1"].aboard = (20.0, 0.0), "advance", "cart"
    driver.mark("lame")
    place.unit("red").measure()
    place.play(begin_activation, place.battle, guests)
    place.play(leave_by_edge, place.battle, guests)  # no question
    place.play(leave_by_edge, place.battle, place.unit("red"), script=[("at the edge", "leave the table")])
    assert [driver.fate, guests.figures["guests.1"].fate] == ["left", "left"]


@pytest.mark.rule("PAY-214")
def test_one_may_leave_while_the_other_stays() -> None:
    place = scene(red(2, y=0.0))
    for figure in place.unit("red").able:
        figure.gait = "advance"
    script: list[Script] = [("at the edge", "man by man"), ("at the edge", "leave the table"), ("at the edge", "stay")]
    place.play(leave_by_edge, place.battle, place.unit("red"), script=script)
    assert [place.figure(name).fate for name in ("red.1", "red.2")] == ["left", "able"]


# --- man by man ---------------------------------------------------------------------------------------------------------------


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


@pytest.mark.rule("PAY-080")
def test_some_get_on_or_off_and_others_do_not() -> None:
    place = riding(3)
    script: list[Script] = [
        ("move", ("get off", "cart", "man by man")),
        ("seat", False),
        ("seat", True),
        ("seat", False),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("gait", "halt"), ("posture", "up")])
    assert place.battle.engines["cart"].aboard == ("red.1", "red.3")
    beside = scene(bare_unit("red", "red", [(18.0, 10.0), (22.0, 10.0)]), engines=cart())
    script = [
        ("move", ("board", "cart", "man by man")),
        ("seat", False),
        ("seat", True),
        ("move", "halt"),
        ("posture", "up"),
    ]
    beside.play(move_unit, beside.battle, beside.unit("red"), script=script)
    assert beside.battle.engines["cart"].aboard == ("red.2",)


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


@pytest.mark.rule("PAY-070", "PAY-071", "PAY-084")
@pytest.mark.parametrize(("kind", "altitude", "end"), [("wagon", 0, 14.0), ("flyer", 0, 14.0), ("flyer", 1, 22.0)])
def test_a_conveyance_stops_in_contact_with_the_first_enemy_on_its_way(kind: str, altitude: int, end: float) -> None:
    place = riding(1, 0, kind, bare_unit("blue", "blue", [(20.0, 16.0)]), altitude=altitude)
    dice: list[Script] = [(f"{kind} advances", [6, 6] if kind == "wagon" else [3, 3, 3, 3])]
    script: list[Script] = [("move", ("drive", "cart", "advance")), *dice, ("drive to", (20.0, 40.0))]
    if altitude:
        script.append(("posture", "up"))  # on the ground it is in contact
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.battle.engines["cart"].at == pytest.approx((20.0, end))


@pytest.mark.rule("PAY-070", "PAY-084")
def test_a_gun_is_not_pushed_through_the_enemy() -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0))}
    place = scene(bare_unit("red", "red", [(18.5, 10.0)]), blue_at((20.0, 13.0)), engines=gun)
    script: list[Script] = [("move", ("push", "gun")), ("gun_by_hand advances", [6]), ("drive to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.battle.engines["gun"].at == pytest.approx((20.0, 11.5))


@pytest.mark.rule("PAY-069", "PAY-080", "PAY-084")
def test_who_has_pushed_a_gun_neither_gets_on_a_cart_nor_pushes_another() -> None:
    engines = {
        "gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0)),
        "spare": Engine("machine_gun", "spare", "red", "red", (18.8, 11.5)),
        **cart(at=(16.48, 9.0)),
    }
    place = scene(bare_unit("red", "red", [(18.5, 10.0), (40.0, 10.0)]), engines=engines)
    unit = place.unit("red")
    assert machine_acts(place.battle, unit) == [("push", "gun"), ("push", "spare")]
    assert machine_acts(place.battle, unit, ["red.1"]) == []
    script: list[Script] = [("move", ("push", "gun")), ("gun_by_hand advances", [1]), ("drive to", (20.0, 8.0))]
    with pytest.raises(AssertionError, match="board"):
        place.play(move_unit, place.battle, unit, script=[*script, ("move", ("board", "cart"))])
    assert place.battle.engines["gun"].at == (20.0, 9.0)
    assert ("board", "cart") in machine_acts(place.battle, unit)  # he is now next to it


@pytest.mark.rule("PAY-076", "PAY-080")
@pytest.mark.setting("melee_lock")
@pytest.mark.parametrize(("lock", "offered"), [("off", True), ("on", False)])
def test_contact_that_holds_men_keeps_them_off_a_cart_and_on_it(lock: str, offered: bool) -> None:
    foot = bare_unit("red", "red", [(20.0, 12.0)])
    place = scene(foot, blue_at((20.0, 13.0)), engines=cart(), melee_lock=lock)
    assert (("board", "cart") in machine_acts(place.battle, foot)) is offered
    riders = riding(2, 0, "wagon", blue_at((20.0, 12.0)), melee_lock=lock)
    assert (("get off", "cart") in machine_acts(riders.battle, riders.unit("red"))) is offered


@pytest.mark.rule("PAY-080", "PAY-069")
def test_a_cart_drives_off_with_those_who_have_just_got_on_unless_one_of_them_is_its_driver() -> None:
    drive: list[Script] = [
        ("move", ("drive", "cart", "advance")),
        ("wagon advances", [3, 3]),
        ("drive to", (20.0, 40.0)),
    ]
    place = riding(1, 1)
    place.figure("red.2").at = (20.0, 12.0)
    place.unit("red").measure()
    script: list[Script] = [("move", ("board", "cart")), *drive, ("posture", "up")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").at == place.figure("red.2").at == place.battle.engines["cart"].at == (20.0, 16.0)
    empty = scene(bare_unit("red", "red", [(20.0, 12.0)]), engines=cart())
    empty.play(move_unit, empty.battle, empty.unit("red"), script=[("move", ("board", "cart")), ("posture", "up")])
    assert empty.battle.engines["cart"].aboard == ("red.1",)


@pytest.mark.rule("PAY-067", "PAY-069")
@pytest.mark.setting("gait_scope")
@pytest.mark.parametrize(("scope", "offered"), [("figure", True), ("unit", False)])
def test_each_man_has_his_own_gait_though_a_gun_or_a_rider_has_moved_first(scope: str, offered: bool) -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0))}
    men = bare_unit("red", "red", [(18.5, 10.0), (30.0, 10.0), (32.0, 10.0)])
    place = scene(men, engines=gun, gait_scope=scope)
    script: list[Script] = [("move", ("push", "gun")), ("gun_by_hand advances", [1]), ("drive to", (20.0, 30.0))]
    if offered:
        script += [("move", "man by man"), ("gait", "halt"), ("gait", "run")]
        script += [("foot advances", [3, 3]), ("foot runs on", [3]), ("move to", (32.0, 40.0))]
    else:
        script += [("move", "halt")]
    place.play(move_unit, place.battle, men, script=script)
    assert [figure.gait for figure in men.able] == ["advance", "halt", "run" if offered else "halt"]
    riders = scene(bare_unit("red", "red", [(18.5, 10.0), (30.0, 10.0)], mount="horse"), gait_scope=scope)
    script = [("move", ("mount", "down", "man by man")), ("saddle", True), ("saddle", False)]
    if offered:
        script += [("gait", "man by man"), ("gait", "halt"), ("gait", "advance")]
        script += [("horse advances", [1, 1, 1]), ("move to", (30.0, 13.0))]
    else:
        script += [("gait", "halt")]
    riders.play(move_unit, riders.battle, riders.unit("red"), script=[*script, ("handle", "done")])
    assert riders.figure("red.2").at == (30.0, 13.0 if offered else 10.0)


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


@pytest.mark.rule("PAY-082")
def test_a_flyer_changes_its_altitude_by_one_step_in_an_activation() -> None:
    place = riding(1, 0, "flyer", flyers="on", altitude=1)
    script: list[Script] = [("move", ("rise", "cart"))]
    for again in ("rise", "sink"):
        with pytest.raises(AssertionError, match="is not an answer to"):
            place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("move", (again, "cart"))])
        place.battle.engines["cart"].altitude, place.battle.engines["cart"].moved = 1, "halt"
