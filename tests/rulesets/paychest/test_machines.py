"""Moving conveyances, flyers and guns."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import Scene, at, bare_unit, machine_acts, red, rules_with, scene

from zareba.space.field.bodies import Base, stands_on
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.sight import height_of
from zareba_rulesets.paychest.forces.battle import Engine

BOOK = PaychestBook(rules_with())


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
    assert not stands_on(at(place, "red.1"), 0.5, [Base(20.0, 20.0, 1.5)])


@pytest.mark.rule("PAY-080")
def test_getting_on_needs_contact_and_room() -> None:
    place = scene(red(1), engines=wagon())
    place.figure("red.1").at = (20.0, 12.0)
    place.unit("red").measure()
    assert ("board", "cart") in machine_acts(place.battle, place.unit("red"))
    place.figure("red.1").at = (20.0, 13.0)
    assert machine_acts(place.battle, place.unit("red")) == []


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
def test_flyers_are_for_those_who_want_them() -> None:
    from tests.rulesets.paychest.stage import scenario

    units = dict(scenario("patrol_clash").units)
    name = next(iter(units))
    units[name] = units[name].model_copy(update={"arm": "airship", "armament": ("machine_gun",), "figures": 6})
    from zareba_rulesets.paychest.translation import translate

    ship = scenario("patrol_clash").model_copy(update={"units": units})
    grounded = translate(BOOK, ship)
    assert name not in grounded.units and any("flyers" in note for note in grounded.notes)
    flying = translate(PaychestBook(rules_with(flyers="on")), ship)
    assert flying.engines[f"{name} flyer"].kind == "flyer"
    assert flying.engines[f"{name} machine_gun 1"].mount == "flyer"


@pytest.mark.rule("PAY-082")
def test_altitude_adds_to_ranges() -> None:
    engines = {"ship": Engine("flyer", "ship", "red", "red", (20.0, 10.0), mount="", aboard=("red.1",), altitude=2)}
    place = scene(red(1), engines=engines)
    place.figure("red.1").aboard = "ship"
    assert height_of(place.battle, place.figure("red.1")) == 12.0


@pytest.mark.rule("PAY-084")
def test_guns_by_hand_and_by_team() -> None:
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
def test_getting_on_and_off_and_the_height_of_a_flyer_are_told() -> None:
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


@pytest.mark.rule("PAY-067", "PAY-069")
def test_who_names_a_gait_and_stays_has_that_gait_and_the_log_says_so() -> None:
    place = scene(red(2))
    here = (20.6, 10.0)
    script = [("move", "run"), ("foot advances", [1, 1]), ("foot runs on", [1]), ("move to", here)]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.told("stayed") == [{"unit": "red", "by": "red", "gait": "run"}]
    assert {figure.gait for figure in place.unit("red").able} == {"run"}
