"""Movement: gaits, one roll, prices of ground, loads, riders, conveyances, leaving the table."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, game, red, row, rules_with, scene

from zareba.scenario import shipped_scenarios
from zareba_rulesets.paychest.battle import Engine, Thing
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.contact import in_contact, touches
from zareba_rulesets.paychest.deployment import arrivals, set_down
from zareba_rulesets.paychest.formation import clash
from zareba_rulesets.paychest.handling import handle
from zareba_rulesets.paychest.leaving import leave_by_edge
from zareba_rulesets.paychest.machines import machine_acts
from zareba_rulesets.paychest.marching import Mover, march
from zareba_rulesets.paychest.melee import fight
from zareba_rulesets.paychest.mounts import climb, may_climb
from zareba_rulesets.paychest.movement import factor, move_unit, movers, roll_allowance
from zareba_rulesets.paychest.posture import postures
from zareba_rulesets.paychest.sighting import height_of

BOOK = PaychestBook(rules_with())
CHEST = {"chest": Thing("paychest", "the chest", "", (20.0, 11.0), heavy=True)}


def at(place: Scene, name: str) -> tuple[float, float]:
    spot = place.figure(name).at
    assert spot is not None
    return spot


@pytest.mark.rule("PAY-053", "PAY-066", "PAY-069", "PAY-009")
def test_the_first_dice_are_the_advance_and_all_of_them_the_run() -> None:
    place = scene(red(1))
    script = [("foot advances", [3, 4]), ("foot runs on", [5])]
    assert place.play(roll_allowance, place.battle, "foot", True, "red", script=script) == (7.0, 12.0)
    assert place.play(roll_allowance, place.battle, "foot", False, "red", script=script[:1]) == (7.0, 0.0)


@pytest.mark.rule("PAY-068")
@pytest.mark.setting("movement_method")
def test_moves_are_diced_for_or_three_and_a_half_inches_a_die() -> None:
    assert (
        scene(red(1)).play(roll_allowance, scene(red(1)).battle, "foot", False, "red", script=[("foot advances", 12)])[
            0
        ]
        == 12
    )
    fixed = scene(red(1), movement_method="fixed")
    rolled = [fixed.play(roll_allowance, fixed.battle, mover, True, "red") for mover in ("foot", "horse", "camel")]
    assert rolled == [(7.0, 10.0), (10.0, 17.0), (10.0, 14.0)]


@pytest.mark.rule("PAY-067", "PAY-061", "PAY-069")
@pytest.mark.setting("gait_scope")
def test_each_figure_has_its_gait_or_the_unit_has_one() -> None:
    place = scene(red(2))
    script = [
        ("move", "man by man"),
        ("gait", "advance"),
        ("gait", "run"),
        ("foot advances", [2, 3]),
        ("foot runs on", [4]),
        ("move to", (20.0, 30.0)),
        ("move to", (21.2, 30.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == pytest.approx((20.0, 15.0)) and at(place, "red.2") == pytest.approx((21.2, 19.0))
    assert [place.figure(f"red.{n}").gait for n in (1, 2)] == ["advance", "run"]
    unit = scene(red(2), gait_scope="unit")
    with pytest.raises(AssertionError, match="no answer"):
        unit.play(move_unit, unit.battle, unit.unit("red"), script=script)
    unit.play(move_unit, unit.battle, unit.unit("red"), script=[("move", "halt")])
    assert at(unit, "red.1") == (20.0, 10.0)


@pytest.mark.rule("PAY-070", "PAY-085")
def test_ground_has_its_price() -> None:
    rocks = {"rocks": ("rocks", [(0.0, 12.0), (60.0, 12.0), (60.0, 40.0), (0.0, 40.0)])}
    place = scene(red(1), areas=rocks)
    left = march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 8.0)], (20.0, 30.0))
    assert at(place, "red.1")[1] == pytest.approx(15.0) and left["red.1"] == pytest.approx(0.0)


@pytest.mark.rule("PAY-070", "PAY-007")
def test_nobody_ends_on_a_base_but_friends_may_be_passed() -> None:
    other = bare_unit("other", "red", [(20.0, 15.0)])
    place = scene(red(1), other)
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 5.0)], (20.0, 15.0))
    assert not clash(at(place, "red.1"), 0.5, [(20.0, 15.0, 0.5, "")])
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 9.0)], (20.0, 20.0))
    assert at(place, "red.1")[1] > 16.0


@pytest.mark.rule("PAY-071", "PAY-136")
def test_a_move_may_end_against_an_enemy_and_stops_there() -> None:
    place = scene(red(1), blue(1, y=16.0))
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 12.0)], (20.0, 16.0))
    assert touches(place.battle, place.figure("red.1"), place.figure("blue.1"))
    assert at(place, "red.1")[1] == pytest.approx(15.0)
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 12.0)], (20.0, 30.0))
    assert at(place, "red.1")[1] == pytest.approx(15.0)  # no way through his base


@pytest.mark.rule("PAY-076")
@pytest.mark.setting("melee_lock")
def test_breaking_off_is_free_or_forbidden() -> None:
    for lock, free in (("off", 1), ("on", 0)):
        place = scene(red(1), blue(1, y=11.0), melee_lock=lock)
        assert in_contact(place.battle, place.figure("red.1"), [place.unit("blue")])
        assert len(movers(place.battle, place.unit("red"))) == free


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
    assert place.battle.things["chest"].carrier == "red.1" and place.battle.things["chest"].at is None
    refused = scene(red(1), things={"chest": Thing("paychest", "the chest", "", (20.0, 14.5), heavy=True)})
    with pytest.raises(AssertionError, match=r"only 2\.00 inches"):
        refused.play(
            move_unit, refused.battle, refused.unit("red"), script=[*script[:5], ("carry on to", (20.0, 17.0))]
        )


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
    script += [("move to", (20.0, 12.0)), ("go on to", (20.0, 12.0))]  # two of the five inches that a loaded man has
    script += [("handle", ("drop", "red.1", "chest")), ("carry on to", (20.0, 18.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == (20.0, 18.0) and place.battle.things["chest"].at == (20.0, 12.0)


@pytest.mark.rule("PAY-070")
def test_a_path_may_bend() -> None:
    place = scene(red(1))
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [4, 6]), ("move to", (24.0, 10.0))]
    script += [("go on to", (24.0, 14.0)), ("go on to", (30.0, 14.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == pytest.approx((26.0, 14.0))


@pytest.mark.rule("PAY-074")
def test_a_carrier_drops_his_load_when_he_has_to_fight() -> None:
    from zareba_rulesets.paychest.melee import Fight

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


@pytest.mark.rule("PAY-078", "PAY-067")
def test_who_dismounts_and_stays_has_moved() -> None:
    place = scene(red(1, mount="horse"))
    script = [("move", ("mount", "down")), ("gait", "halt"), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").mount == "" and place.figure("red.1").gait == "advance"


@pytest.mark.rule("PAY-078")
def test_two_loose_mounts_may_be_led_and_slow_a_man_to_their_pace() -> None:
    from zareba_rulesets.paychest.movement import mover_of

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
    with pytest.raises(AssertionError, match="no answer"):
        script = [("handle", ("pick up", "red.1", "mule 2"))]
        place.play(handle, place.battle, place.unit("red"), {}, before=True, script=script)


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
    assert not clash(at(place, "red.1"), 0.5, [(20.0, 20.0, 1.5, "")])


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
    stays = [*script[:4], ("posture", "up")]  # 3.5 inches left of 8: nobody is asked; he stands behind the cart
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


@pytest.mark.rule("PAY-214", "PAY-194")
def test_who_reaches_the_edge_may_leave_with_what_he_carries() -> None:
    things = {"chest": Thing("paychest", "chest", "", None, heavy=True, carrier="red.1")}
    place = scene(red(2, y=0.0), things=things)
    place.figure("red.1").loads = ("chest",)
    for name in ("red.1", "red.2"):
        place.figure(name).gait = "advance"
    place.play(leave_by_edge, place.battle, place.unit("red"), script=[("at the edge", "leave the table")])
    assert place.figure("red.1").fate == "left" and place.unit("red").able == []
    assert (place.battle.things["chest"].taken_by, place.battle.things["chest"].edge) == ("red", "south")
    stays = scene(red(1, y=0.0))
    stays.play(leave_by_edge, stays.battle, stays.unit("red"))  # did not move: nobody is asked
    assert stays.figure("red.1").able


WALL = {"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])}
FORT = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}


@pytest.mark.rule("PAY-091", "PAY-067")
def test_those_who_do_not_climb_may_move() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5), (30.0, 5.0)]), lines=FORT)
    script: list[tuple[str, object]] = [("move", "climb"), ("move", "advance"), ("foot advances", [3, 3])]
    script += [("move to", (30.0, 11.0)), ("posture", "up")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == (20.0, 14.0) and at(place, "red.2") == (30.0, 11.0)


@pytest.mark.rule("PAY-091")
def test_a_low_wall_costs_three_inches_and_a_high_one_a_move() -> None:
    place = scene(red(1), lines=WALL)
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 9.0)], (20.0, 30.0))
    assert at(place, "red.1")[1] == pytest.approx(16.0)
    short = scene(red(1), lines=WALL)
    march(short.battle, short.unit("red"), [Mover(short.figure("red.1"), 6.0)], (20.0, 30.0))
    assert at(short, "red.1")[1] == pytest.approx(13.5, abs=0.01)
    fort = scene(red(1), lines=FORT)
    march(fort.battle, fort.unit("red"), [Mover(fort.figure("red.1"), 12.0)], (20.0, 30.0))
    assert at(fort, "red.1")[1] == pytest.approx(13.5, abs=0.01)
    assert may_climb(fort.battle, fort.unit("red"), fort.unit("red").able)
    fort.play(climb, fort.battle, fort.unit("red"), fort.unit("red").able)
    assert at(fort, "red.1") == pytest.approx((20.0, 14.0))


@pytest.mark.rule("PAY-091")
def test_a_climber_lands_against_a_defender_close_by() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), bare_unit("blue", "blue", [(21.5, 14.0)]), lines=FORT)
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert touches(place.battle, place.figure("red.1"), place.figure("blue.1"))


@pytest.mark.rule("PAY-086")
def test_posture_is_chosen_in_hard_cover_only_and_ends_with_it() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5), (22.0, 10.0)]), lines=WALL)
    assert [figure.spec.id for figure in postures(place.battle, place.unit("red"))] == ["red.1"]
    script: list[tuple[str, object]] = [("move", "halt"), ("posture", "down")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert "down" in place.figure("red.1").marks and "down" not in place.figure("red.2").marks
    script = [("move", "advance"), ("foot advances", [5, 5]), ("move to", (20.0, 2.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert "down" not in place.figure("red.1").marks


@pytest.mark.rule("PAY-086")
def test_a_charge_makes_the_men_whom_it_touches_get_up() -> None:
    place = scene(red(1), bare_unit("blue", "blue", [(20.0, 14.5), (24.0, 14.5)]), lines=WALL)
    for name in ("blue.1", "blue.2"):
        place.figure(name).mark("down")
    script = [("move", "advance"), ("foot advances", [5, 5]), ("move to", (20.0, 14.5))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert touches(place.battle, place.figure("red.1"), place.figure("blue.1"))
    assert "down" not in place.figure("blue.1").marks and "down" in place.figure("blue.2").marks


@pytest.mark.rule("PAY-086")
def test_an_enemy_in_contact_makes_a_man_stand_up() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), bare_unit("blue", "blue", [(20.0, 14.5)]), lines=WALL)
    assert postures(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-048", "PAY-007")
def test_units_form_up_close_together_and_on_no_other_base() -> None:
    battle = game("mission_station").start()
    spots = [(f.at, battle.radius(f)) for unit in battle.units.values() for f in unit.able if f.at]
    for number, (spot, radius) in enumerate(spots):
        assert not clash(spot, radius, [(x, y, r, "") for (x, y), r in spots[:number]])
    for unit in battle.units.values():
        for figure in unit.able if len(unit.able) > 1 else ():
            near = [o for o in unit.able if o is not figure and o.at and figure.at]
            assert (
                min(abs(o.at[0] - figure.at[0]) + abs(o.at[1] - figure.at[1]) for o in near if o.at and figure.at) <= 6
            )


@pytest.mark.rule("PAY-048")
def test_the_defender_sets_up_first() -> None:
    both = 0
    for name in shipped_scenarios():
        played = game(name)
        waiting = played.start().waiting
        roles = [played.scenario.sides[played.plan.units[unit].side].role for unit in waiting]
        assert roles == sorted(roles, key=("defender", "either", "attacker").index), name
        both += {"defender", "attacker"} <= set(roles)
    assert both


@pytest.mark.rule("PAY-065")
def test_units_arrive_at_their_edge_when_due_and_the_die_allows() -> None:
    played = game("paychest_raid")
    battle = played.start()
    scene_of = Scene(rules_with(), battle)
    scene_of.play(arrivals, battle, played.plan, played.scenario)
    assert battle.unit("goum").able == []
    battle.turn = 6
    scene_of.play(arrivals, battle, played.plan, played.scenario, script=[("arrival", [3])])
    assert "goum" in battle.arrivals
    scene_of.play(arrivals, battle, played.plan, played.scenario, script=[("arrival", [4]), ("arrive at", (30.0, 0.0))])
    assert len(battle.unit("goum").able) == 12 and "goum" not in battle.arrivals
    assert min(f.at[1] for f in battle.unit("goum").able if f.at) <= 1.5


def test_set_down_puts_crews_to_their_guns() -> None:
    gun = {"gun": Engine("gun", "gun", "red", "red", None)}
    place = scene(bare_unit("red", "red", row(3)), engines=gun)
    set_down(place.battle, place.unit("red"), (30.0, 20.0), (0.0, 1.0))
    from zareba_rulesets.paychest.machines import crew_at

    assert len(crew_at(place.battle, place.battle.engines["gun"])) == 3


@pytest.mark.rule("PAY-078", "PAY-007")
def test_who_mounts_in_a_crowd_stands_on_nobody_however_far_the_room_is() -> None:
    crowd = [(20.0 + 1.05 * x, 20.0 + 1.05 * y) for x in range(-6, 7) for y in range(-6, 7) if x or y]
    horse = {"mare": Thing("mount", "loose horse", "", (20.0, 21.2))}
    place = scene(bare_unit("red", "red", [(20.0, 20.0)]), bare_unit("more", "red", crowd), things=horse)
    script = [("handle", "done"), ("move", ("mount", "up")), ("gait", "halt")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").mount == "horse"
    assert not clash(at(place, "red.1"), 0.75, [(*spot, 0.5, "") for spot in crowd])
