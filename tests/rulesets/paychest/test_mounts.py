"""Mounting, dismounting and leading loose mounts."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import at, bare_unit, mount_acts, red, scene

from zareba.space.field.bodies import Base, stands_on
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.chapters.movement import factor, may_run, mover_of
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.sequence import end_activation


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
def test_who_mounts_in_a_crowd_stands_on_nobody_however_far_the_room_is() -> None:
    crowd = [(20.0 + 1.05 * x, 20.0 + 1.05 * y) for x in range(-6, 7) for y in range(-6, 7) if x or y]
    horse = {"mare": Thing("mount", "loose horse", "", (20.0, 21.2))}
    place = scene(bare_unit("red", "red", [(20.0, 20.0)]), bare_unit("more", "red", crowd), things=horse)
    script = [("handle", "done"), ("move", ("mount", "up")), ("gait", "halt")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").mount == "horse"
    assert not stands_on(at(place, "red.1"), 0.75, [Base(*spot, 0.5) for spot in crowd])


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
    assert rider.walks and mount_acts(place.battle, place.unit("red"), [rider]) == []


@pytest.mark.rule("PAY-078", "PAY-123")
def test_a_leg_wound_slows_who_mounts_for_that_activation() -> None:
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
