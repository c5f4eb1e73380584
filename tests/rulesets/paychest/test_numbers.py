"""Numbers of the ruleset that a house rule may change, and their effect on play."""

from __future__ import annotations

from math import dist
from pathlib import Path

import pytest
from tests.rulesets.paychest.stage import Scene, at, bare_unit, blue, house_ruled, machine_acts, red, scenario, scene

from zareba.base.errors import FileError, ZarebaError
from zareba.rules import Rules
from zareba.table import Choose, Option
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import muster
from zareba_rulesets.paychest.chapters.marching import Mover, march
from zareba_rulesets.paychest.chapters.mounts import climb
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.presentation.words import option_phrase
from zareba_rulesets.paychest.translation import translate
from zareba_rulesets.paychest.translation.unit_mapping import force_of

ROAD = {"road": ("road", [(15.0, 0.0), (25.0, 0.0), (25.0, 40.0), (15.0, 40.0)])}


def walked(place: Scene) -> float:
    """Return how far north a man goes with an allowance of 8 inches."""
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 8.0)], (20.0, 40.0))
    return at(place, "red.1")[1] - 10.0


@pytest.mark.rule("PAY-085")
def test_the_price_of_open_ground_is_paid_where_no_piece_of_terrain_lies(tmp_path: Path) -> None:
    dear = house_ruled(tmp_path, "at: terrain.open.foot, was: 1, to: 2")
    assert walked(scene(red(1))) == pytest.approx(8.0)
    assert walked(scene(red(1), rules=dear)) == pytest.approx(4.0)
    assert walked(scene(red(1), rules=dear, areas=ROAD)) == pytest.approx(8.0)


@pytest.mark.rule("PAY-085")
def test_who_goes_by_a_cheap_road_comes_further_than_his_dice(tmp_path: Path) -> None:
    cheap = house_ruled(tmp_path, "at: terrain.road.foot, was: 1, to: 0.5")
    assert walked(scene(red(1), rules=cheap, areas=ROAD)) == pytest.approx(16.0)
    met = scene(red(1), blue(1, y=22.0), rules=cheap, areas=ROAD)
    assert walked(met) == pytest.approx(11.0)  # he stops at the first enemy in his path (PAY-071)


@pytest.mark.rule("PAY-085")
def test_open_ground_is_closed_to_nobody(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"terrain\.open\.wheels: open ground must be passable; give it a price"):
        house_ruled(tmp_path, "at: terrain.open.wheels, was: 1, to: null")


def _gun_and_crew(rules: Rules | None, *, limbered: bool) -> Scene:
    piece = Engine("gun", "gun", "red", "red", (20.0, 10.0), limbered=limbered)
    return scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), engines={"gun": piece}, rules=rules)


def _acts_of_a_gun(rules: Rules | None, *, limbered: bool) -> list[Option]:
    place = _gun_and_crew(rules, limbered=limbered)
    return list(machine_acts(place.battle, place.unit("red")))


@pytest.mark.rule("PAY-066", "PAY-084")
def test_a_gun_runs_by_hand_where_a_house_rule_gives_it_dice_to_run_with(tmp_path: Path) -> None:
    fast = house_ruled(tmp_path, "at: movers.gun_by_hand.run, was: 0, to: 2")
    assert _acts_of_a_gun(None, limbered=False) == [("push", "gun")]
    assert _acts_of_a_gun(fast, limbered=False) == [("push", "gun"), ("push", "gun", "run")]
    place = _gun_and_crew(fast, limbered=False)
    script = [
        ("move", ("push", "gun", "run")),
        ("gun_by_hand advances", [3]),
        ("gun_by_hand runs on", [4]),
        ("drive to", (20.0, 30.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.battle.engines["gun"].at == pytest.approx((20.0, 17.0)) and place.figure("red.1").gait == "run"
    asked = Choose("move", "PAY-084", "red", "red", (("push", "gun", "run"),), ())
    assert option_phrase(place.battle, asked, ("push", "gun", "run")) == "push the gun at the run"


@pytest.mark.rule("PAY-066")
def test_a_limbered_gun_that_cannot_run_is_not_asked_to(tmp_path: Path) -> None:
    slow = house_ruled(tmp_path, "at: movers.gun_limbered.run, was: 3, to: 0")
    assert ("drive", "gun", "run") in _acts_of_a_gun(None, limbered=True)
    assert _acts_of_a_gun(slow, limbered=True) == [("unlimber", "gun"), ("drive", "gun", "advance")]


@pytest.mark.rule("PAY-204", "PAY-211")
def test_the_staff_of_a_battery_of_machine_guns_has_none_of_its_own(tmp_path: Path) -> None:
    own = (
        "add: organisation.gatling_battery, entry: {rule: OUR-1, title: Gatling battery, kind: regular, arm: machine_gun, "
        "staff: {lieutenant: 1, private: 1}, of: {machine_gun_section: {least: 2, most: 4}}}"
    )
    rules = house_ruled(tmp_path, own)
    assert [(one.arm, one.guns) for one in muster(PaychestBook(rules), "gatling_battery")] == [
        ("infantry", 0), ("machine_gun", 1), ("machine_gun", 1),
    ]  # fmt: skip
    force = force_of(rules, "gatling_battery:3", "red", commands=False)
    assert [unit["arm"] for unit in force.units.values()] == ["infantry", *["machine_gun"] * 3]
    with pytest.raises(FileError, match="a scenario unit has one machine gun; use more sections"):
        house_ruled(tmp_path, "at: organisation.machine_gun_section.guns, was: 1, to: 2")


@pytest.mark.rule("PAY-080")
def test_a_scenario_arms_wagons_with_what_they_have_room_for(tmp_path: Path) -> None:
    own = scenario("patrol_clash")
    cart = next(name for name, unit in own.units.items() if unit.arm == "infantry")
    units = own.units | {cart: own.units[cart].model_copy(update={"arm": "wagon", "figures": 6})}

    def guns(rules: Rules, *armament: str) -> list[str]:
        said = {"paychest": {"armed": {cart: list(armament)}}}
        plan = translate(PaychestBook(rules), own.model_copy(update={"units": units, "overrides": said}))
        return [engine.kind for engine in plan.engines.values() if engine.carrier == f"{cart} wagon"]

    plain = house_ruled(tmp_path, "at: unit_size.most, was: 40, to: 39")
    assert guns(plain) == [] and guns(plain, "machine_gun", "machine_gun", "gun") == ["machine_gun"]
    roomy = house_ruled(tmp_path, "at: conveyances.wagon.guns, was: 0, to: 1")
    assert guns(roomy, "machine_gun", "gun") == ["machine_gun", "gun"]
    with pytest.raises(ZarebaError, match="armed"):
        guns(plain, "bombs")


@pytest.mark.rule("PAY-091")
def test_how_near_a_defender_on_the_wall_is_met(tmp_path: Path) -> None:
    near = house_ruled(tmp_path, "at: climb_contact.inches, was: 1.0, to: 0.4")

    def landed(rules: Rules | None) -> float:
        fort = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}
        units = bare_unit("red", "red", [(20.0, 13.5)]), bare_unit("blue", "blue", [(21.5, 14.0)])
        place = scene(*units, lines=fort, rules=rules)
        place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
        return at(place, "red.1")[0]

    assert landed(None) == pytest.approx(20.5) and landed(near) == pytest.approx(20.0)


@pytest.mark.rule("PAY-091", "PAY-071")
def test_nobody_lands_on_a_comrade_however_far_off_a_defender_is_met(tmp_path: Path) -> None:
    """The defender on the wall is nine inches off, and another climber is already there in contact with him."""
    far = house_ruled(tmp_path, "at: climb_contact.inches, was: 1.0, to: 12.0")
    fort = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}
    units = bare_unit("red", "red", [(20.0, 13.5), (28.0, 14.2)]), bare_unit("blue", "blue", [(29.0, 14.0)])
    place = scene(*units, lines=fort, rules=far)
    place.play(climb, place.battle, place.unit("red"), [place.figure("red.1")])
    assert dist(at(place, "red.1"), at(place, "red.2")) >= 1.0 - 1e-6
