"""Wagons, flyers and guns: who rides, how they move, and what they carry."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    at,
    bare_unit,
    blue,
    blue_at,
    cart,
    carters,
    machine_acts,
    printed_book,
    red,
    riding,
    rules_with,
    scenario,
    scene,
    two_bearers,
)

from zareba.registry import find_house_rule, load_rules
from zareba.space.field.bodies import Base, overlaps_any
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.machines import Limber, Unlimber
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.actions.movement import leave_by_edge, move_unit
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.fire import aimed_shot, may_fire, single_targets
from zareba_rulesets.paychest.chapters.guns import gun_facts, gun_groups, is_ready
from zareba_rulesets.paychest.chapters.machines import move_engine
from zareba_rulesets.paychest.chapters.marching import MovingFigure, march
from zareba_rulesets.paychest.chapters.mounts import board, boarders
from zareba_rulesets.paychest.chapters.sight import covers_of, height_of, in_contact, obstacles_between, touches
from zareba_rulesets.paychest.forces.battle import Engine, Objective
from zareba_rulesets.paychest.forces.formation import crowd_around, nearest_free
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.odds.stage import bare_battle
from zareba_rulesets.paychest.presentation.drawing import draw_board
from zareba_rulesets.paychest.sequence import begin_activation
from zareba_rulesets.paychest.translation import translate


@pytest.mark.rule("PAY-080", "PAY-073")
def test_load_of_two_bearers_is_one_load_on_a_wagon() -> None:
    place = two_bearers()
    place.battle.engines["cart"] = Engine("wagon", "the cart", "red", "red", (20.5, 11.9))
    names = boarders(place.battle, place.unit("red"), place.battle.engines["cart"], {"red.1", "red.2", "red.3"})
    assert names == ["red.1", "red.2"]


def wagon(**more: object) -> dict[str, Engine]:
    return {"cart": Engine("wagon", "cart", "red", "red", (20.0, 10.0), mount="", **more)}  # type: ignore[arg-type]


@pytest.mark.rule("PAY-079", "PAY-080")
def test_a_conveyance_moves_with_its_driver_and_all_aboard() -> None:
    place = scene(red(3, weapons=()), engines=wagon(aboard=("red.1", "red.2")))
    for name in ("red.1", "red.2"):
        place.figure(name).aboard, place.figure(name).at = "cart", (20.0, 10.0)
    script = [
        ("move", ("drive", "cart", "run")),
        ("wagon advances", [3, 3]),
        ("wagon runs on", [4]),
        ("drive to", (20.0, 30.0)),
        ("move", "halt"),
        ("posture", "up"),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.battle.engines["cart"].at == at(place, "red.1") == at(place, "red.2") == pytest.approx((20.0, 20.0))
    assert place.figure("red.1").gait == "run" and at(place, "red.3") == (22.4, 10.0)
    script = [("move", ("get off", "cart")), ("gait", "advance"), ("foot advances", [2, 2]), ("move to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.battle.engines["cart"].aboard == () and place.figure("red.1").aboard == ""
    assert not overlaps_any(at(place, "red.1"), 0.5, [Base(20.0, 20.0, 1.5)])


@pytest.mark.rule("PAY-080")
def test_getting_on_needs_contact_and_room() -> None:
    place = scene(red(1), engines=wagon())
    place.figure("red.1").at = (20.0, 12.0)
    place.unit("red").measure()
    assert ("board", "cart") in machine_acts(place.battle, place.unit("red"))
    place.figure("red.1").at = (20.0, 13.0)
    assert machine_acts(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-080", "PAY-007")
def test_a_man_who_gets_on_leaves_his_place_on_the_ground_free() -> None:
    place = scene(red(2), engines=wagon())
    place.figure("red.1").at, place.figure("red.2").at = (20.0, 12.0), (30.0, 12.0)
    place.unit("red").measure()

    def is_free() -> bool:
        crowd = crowd_around(place.battle, (20.0, 12.0), 4.0)
        return nearest_free(place.battle, (20.0, 12.0), 0.5, "foot", crowd) == (20.0, 12.0)

    assert not is_free()
    assert place.play(board, place.battle, place.unit("red"), "cart", ["red.1"]) == ["red.1"]
    assert is_free()


@pytest.mark.rule("PAY-080", "PAY-178")
@pytest.mark.parametrize(("kind", "goes_along"), [("wagon", False), ("gun", True)])
def test_men_on_foot_go_along_with_a_gun_but_not_with_a_wagon(kind: str, goes_along: bool) -> None:
    place = scene(red(1), engines=cart(kind))
    before = 20.0, 10.0 - place.battle.engine_radius(place.battle.engines["cart"]) - 0.5
    place.figure("red.1").at = before
    place.unit("red").measure()
    move_engine(place.battle, "cart", (20.0, 15.0), "advance")
    assert place.battle.engines["cart"].at == (20.0, 15.0)
    assert (at(place, "red.1") != before) is goes_along


@pytest.mark.rule("PAY-080")
def test_getting_on_takes_half_the_move_at_its_start_or_on_the_way() -> None:
    def walk(inches: float) -> Scene:
        place = scene(red(1), engines=wagon())
        place.figure("red.1").at = (20.0, 12.0 + inches)
        place.unit("red").measure()
        return place

    near = walk(4.0)
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [4, 4]), ("move to", (20.0, 12.0))]
    script += [("go on to", (20.0, 12.0)), ("get on", ("board", "cart"))]
    near.play(move_unit, near.battle, near.unit("red"), script=[*script, ("posture", "up")])
    assert near.battle.engines["cart"].aboard == ("red.1",) and at(near, "red.1") == (20.0, 10.0)
    far = walk(4.5)
    stays = [*script[:4], ("posture", "up")]  # 3.5 inches left of 8: no question; he is behind the cart
    far.play(move_unit, far.battle, far.unit("red"), script=stays)
    assert far.battle.engines["cart"].aboard == ()


@pytest.mark.rule("PAY-081", "PAY-082")
@pytest.mark.setting("flyers")
def test_flyers_are_left_out_unless_the_setting_is_on() -> None:
    from tests.rulesets.paychest.stage import scenario

    units = dict(scenario("patrol_clash").units)
    name = next(iter(units))
    units[name] = units[name].model_copy(update={"arm": "airship", "armament": ("machine_gun",), "figures": 6})
    from zareba_rulesets.paychest.translation import translate

    ship = scenario("patrol_clash").model_copy(update={"units": units})
    grounded = translate(printed_book(), ship)
    assert name not in grounded.units and any("flyers" in note for note in grounded.notes)
    flying = translate(PaychestBook(rules_with(flyers="on")), ship)
    assert flying.engines[f"{name} flyer"].kind == "flyer"
    assert flying.engines[f"{name} machine_gun 1"].mount == "flyer"


@pytest.mark.rule("PAY-084")
def test_guns_move_by_hand_and_by_team() -> None:
    gun = {"gun": Engine("gun", "gun", "red", "red", (20.0, 10.0), team=True)}
    place = scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), engines=gun)
    acts = machine_acts(place.battle, place.unit("red"))
    assert acts == [("limber", "gun"), ("push", "gun")]
    script = [("move", ("push", "gun")), ("gun_by_hand advances", [4]), ("drive to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.battle.engines["gun"].at == pytest.approx((20.0, 14.0))
    place.play(move_unit, place.battle, place.unit("red"), script=[("move", ("limber", "gun"))])
    assert ("drive", "gun", "run") in machine_acts(place.battle, place.unit("red"))
    gun["gun"].mount = "emplacement"
    place.battle.engines["gun"].mount = "emplacement"
    assert machine_acts(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-084", "PAY-069")
def test_two_guns_of_a_unit_move_by_one_roll_and_the_others_by_theirs() -> None:
    guns = {name: Engine("gun", name, "red", "red", (x, 10.0)) for name, x in (("left", 20.0), ("right", 40.0))}
    spots = [(18.5, 10.0), (21.5, 10.0), (38.5, 10.0), (41.5, 10.0), (30.0, 10.0)]
    place = scene(bare_unit("red", "red", spots), engines=guns)
    script: list[tuple[str, object]] = [("move", ("push", "left")), ("gun_by_hand advances", [4])]
    script += [("drive to", (20.0, 30.0)), ("move", ("push", "right")), ("drive to", (40.0, 30.0))]
    script += [("move", "advance"), ("foot advances", [3, 3]), ("move to", (30.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert [place.battle.engines[name].at for name in ("left", "right")] == [(20.0, 14.0), (40.0, 14.0)]
    assert at(place, "red.5") == (30.0, 16.0)


@pytest.mark.rule("PAY-080", "PAY-082")
def test_getting_on_and_off_and_the_height_of_a_flyer_are_reported() -> None:
    on = bare_unit("red", "red", [(18.0, 10.0), (22.0, 10.0)])
    place = scene(on, engines=wagon())
    place.play(move_unit, place.battle, on, script=[("move", ("board", "cart")), ("posture", "up")])
    assert place.told("got on") == [{"unit": "red", "engine": "cart", "figures": 2}]
    place.play(move_unit, place.battle, on, script=[("move", ("get off", "cart")), ("gait", "halt"), ("posture", "up")])
    assert place.told("got off") == [{"unit": "red", "engine": "cart", "figures": 2}]
    walker = bare_unit("red", "red", [(20.0, 4.0)])
    place = scene(walker, engines=wagon())
    script: list[tuple[str, object]] = [("move", "run"), ("foot advances", [6, 6]), ("foot runs on", [6])]
    script += [("move to", (20.0, 8.0)), ("go on to", (20.0, 8.0)), ("get on", ("board", "cart")), ("posture", "up")]
    place.play(move_unit, place.battle, walker, script=script)
    assert place.told("got on") == [{"unit": "red", "engine": "cart", "figures": 1}]
    engines = {"ship": Engine("flyer", "ship", "red", "red", (20.0, 10.0), mount="", aboard=("red.1",), altitude=1)}
    place = scene(red(1), engines=engines)
    place.figure("red.1").aboard = "ship"
    place.play(
        move_unit,
        place.battle,
        place.unit("red"),
        script=[("move", ("sink", "ship")), ("move", "halt"), ("posture", "up")],
    )
    assert place.told("altitude") == [{"unit": "red", "engine": "ship", "steps": 0, "rose": False}]


@pytest.mark.rule("PAY-007", "PAY-084")
def test_the_log_tells_where_a_cart_has_come_to_not_where_it_was_sent() -> None:
    driver = bare_unit("red", "red", [(20.0, 10.0)])
    ahead = bare_unit("more", "red", [(20.0, 16.0)])
    for friend, goal, end in ((16.0, 16.0, [20.0, 14.0]), (12.1, 10.4, None)):
        ahead.figures["more.1"].at = (20.0, friend)
        place = scene(driver, ahead, engines=wagon(aboard=("red.1",)))
        place.figure("red.1").aboard = "cart"
        script: list[tuple[str, object]] = [("move", ("drive", "cart", "advance")), ("wagon advances", [3, 3])]
        script += [("drive to", (20.0, goal)), ("posture", "up")]
        place.play(move_unit, place.battle, place.unit("red"), script=script)
        assert [told["to"] for told in place.told("drives")] == ([end] if end else [])
        stayed = {"unit": "red", "by": "cart", "gait": "advance"}
        assert place.told("stayed") == ([] if end else [stayed])


@pytest.mark.rule("PAY-084", "PAY-082", "PAY-180")
def test_a_gun_on_a_conveyance_fires_on_the_move_and_from_a_height() -> None:
    flyer = Engine("flyer", "ship", "red", "red", (20.0, 10.0), mount="", aboard=("red.1", "red.2"), altitude=2)
    gun = Engine("gun", "gun", "red", "red", (20.0, 10.0), "flyer", "ship", moved="advance")
    place = scene(bare_unit("red", "red", [(20.0, 10.0)] * 2), blue(3, y=30.0), engines={"ship": flyer, "gun": gun})
    for figure in place.unit("red").able:
        figure.aboard = "ship"
    place.unit("red").measure()
    gun = place.battle.engines["gun"]
    assert is_ready(place.battle, gun)
    (target,) = gun_groups(place.battle, gun).values()
    facts = gun_facts(place.battle, gun, place.figure("red.1"), target)
    assert facts is not None and (facts.gait, facts.band) == ("advance", "medium")  # 20 inches + 2 x 6


@pytest.mark.rule("PAY-082", "PAY-110")
@pytest.mark.parametrize(("aloft", "band"), [("red", "medium"), ("blue", "medium"), ("", "short")])
def test_altitude_lengthens_the_range_of_rifles_to_it_and_from_it(aloft: str, band: str) -> None:
    place = scene(red(1), blue(1, y=20.0))
    if aloft:
        aboard = (f"{aloft}.1",)
        ship = Engine("flyer", "ship", aloft, aloft, place.figure(f"{aloft}.1").at, mount="", aboard=aboard, altitude=1)
        place.battle.engines["ship"] = ship
        place.figure(f"{aloft}.1").aboard = "ship"
        place.unit(aloft).measure()
    battle, targets = place.battle, place.unit("blue").able
    view = obstacles_between(battle, "red", place.unit("red").box, place.unit("blue").box)
    facts = aimed_shot(battle, view, place.figure("red.1"), "rifle", targets, covers_of(battle, targets))
    assert facts is not None and facts.band == band


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
def test_men_set_up_on_a_cart_have_no_mounts() -> None:
    battle = scenario("patrol_clash")
    (name, unit), *_ = battle.units.items()
    carters = unit.model_copy(update={"arm": "wagon", "mount": "horse", "figures": 10})
    plan = translate(printed_book(), battle.model_copy(update={"units": dict(battle.units) | {name: carters}}))
    mounts = [plan.figures[key].mount for key in plan.units[name].figures]
    assert mounts == [""] * 8 + ["horse"] * 2


@pytest.mark.rule("PAY-080", "PAY-073")
def test_conveyance_carries_men_and_one_heavy_load_or_machine_gun() -> None:
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
def test_men_leading_mounts_may_not_board_and_full_carts_take_no_one() -> None:
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


@pytest.mark.rule("PAY-071", "PAY-080", "PAY-136")
def test_men_aboard_are_charged_and_fought_at_the_side_of_their_cart() -> None:
    place = riding(1, 0, "wagon", blue(1, y=20.0))
    march(place.battle, place.unit("blue"), [MovingFigure(place.figure("blue.1"), 18.0)], (20.0, 10.0))
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
def test_figures_aloft_do_not_take_weapons_from_the_ground(altitude: int, taken: bool) -> None:
    place = riding(1, 0, "flyer", altitude=altitude)
    place.figure("red.1").weapons = ("knife",)
    place.battle.things["rifle of blue.1"] = Thing("weapon", "rifle", "", (20.0, 10.0))
    script: list[Script] = [("handle", ("take", "red.1", "rifle of blue.1", "rifle"))] if taken else []
    place.play(handle, place.battle, place.unit("red"), {}, before=False, script=script)
    assert bool(place.told("weapon taken")) is taken


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
def test_men_who_pushed_a_gun_do_not_walk_after_others_get_off() -> None:
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


@pytest.mark.rule("PAY-084", "PAY-077")
def test_a_gun_that_is_pushed_leaves_lame_men_behind() -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0))}
    place = scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), engines=gun)
    place.figure("red.2").mark("lame")
    place.unit("red").measure()
    script: list[Script] = [("move", ("push", "gun")), ("gun_by_hand advances", [4]), ("drive to", (20.0, 30.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.2").at == (21.5, 10.0) and place.battle.engines["gun"].at == (20.0, 14.0)


@pytest.mark.rule("PAY-080", "PAY-084")
def test_gun_on_a_cart_fires_at_the_gait_of_the_cart() -> None:
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
def test_flyer_may_change_its_height_by_a_step_and_move() -> None:
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


@pytest.mark.rule("PAY-080")
def test_some_men_board_or_leave_and_others_stay() -> None:
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
def test_men_who_pushed_a_gun_may_not_board_or_push_again() -> None:
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


@pytest.mark.rule("PAY-082")
def test_a_flyer_changes_its_altitude_by_one_step_in_an_activation() -> None:
    place = riding(1, 0, "flyer", flyers="on", altitude=1)
    script: list[Script] = [("move", ("rise", "cart"))]
    for again in ("rise", "sink"):
        with pytest.raises(AssertionError, match="is not an answer to"):
            place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("move", (again, "cart"))])
        place.battle.engines["cart"].altitude, place.battle.engines["cart"].moved = 1, "halt"


@pytest.mark.rule("PAY-084")
def test_only_a_gun_with_a_team_is_limbered_and_then_it_does_not_fire() -> None:
    for team in (True, False):
        gun = {"gun": Engine("gun", "gun", "red", "red", (20.0, 10.0), team=team)}
        place = scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), engines=gun)
        assert (("limber", "gun") in machine_acts(place.battle, place.unit("red"))) is team
    place.play(Limber("gun").perform, MovingUnit(place.battle, place.unit("red"), {}))
    assert place.battle.engines["gun"].moved == "advance"
    place.play(Unlimber("gun").perform, MovingUnit(place.battle, place.unit("red"), {}))
    assert place.battle.engines["gun"].moved == "advance" and not place.battle.engines["gun"].limbered


@pytest.mark.rule("PAY-080")
def test_enemy_cart_cannot_be_boarded() -> None:
    place = scene(red(1, y=12.0), engines={"cart": Engine("wagon", "cart", "blue", "blue", (20.0, 10.0), mount="")})
    assert machine_acts(place.battle, place.unit("red")) == []


HILL = Objective("hill", "hold", ("red",), 3, (20.0, 44.0), 2.0, due=15)


@pytest.mark.rule("PAY-007", "PAY-084")
@pytest.mark.parametrize("inches", [[2, 3], [1, 1], [3, 4], [5, 6]])
def test_the_log_says_that_a_cart_without_room_ahead_stays(inches: list[int]) -> None:
    crowd = bare_unit("others", "red", [(20.0 + x, 20.1 + 1.1 * n) for n in range(20) for x in (-2.2, -1.1, 0.0, 1.1)])
    cart = Engine("wagon", "cart", "red", "red", (20.0, 18.0), mount="", aboard=("red.1",))
    place = scene(bare_unit("red", "red", [(20.0, 18.0)], weapons=()), crowd, engines={"cart": cart})
    place.figure("red.1").aboard = "cart"
    script = [("move", ("drive", "cart", "advance")), ("wagon advances", inches), ("drive to", (17.5, 38.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("posture", "up")])
    assert place.battle.engines["cart"].at == (20.0, 18.0)
    assert place.told("stayed") and not place.told("drives")


@pytest.mark.rule("PAY-086")
def test_carters_touched_by_an_enemy_rise_once() -> None:
    battle = carters(bare_unit("blue", "blue", [(20.0, 24.0)]), goal=HILL)
    battle.engines["cart"].moved = "advance"
    for figure in battle.unit("red").able:
        figure.mark("down")
    place = Scene(battle.book.rules, battle)
    script = [("move", "run"), ("foot advances", 12), ("foot runs on", 6), ("move to", (20.0, 18.0))]
    place.play(move_unit, battle, battle.unit("blue"), script=script)
    assert place.told("gets up") == [{"unit": "red", "figures": 2}]


@pytest.mark.parametrize(("walking", "unit"), [(0, "red"), (1, "")])
def test_a_conveyance_has_the_tag_of_a_unit_that_is_aboard_as_a_whole(walking: int, unit: str) -> None:
    board = draw_board(riding(2, walking).battle, scenario("river_ford"), "")
    drawn = next(piece for piece in board.pieces if piece.look.kind == "wagon")
    assert (drawn.id, drawn.look.unit) == ("cart", unit)
