"""Climbing walls and taking cover behind them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.rulesets.paychest.stage import at, bare_unit, red, scene

from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.chapters.marching import Mover, march
from zareba_rulesets.paychest.chapters.mounts import climb, may_climb
from zareba_rulesets.paychest.chapters.sight import figures_that_may_duck, touches
from zareba_rulesets.paychest.forces.formation import wall_slots
from zareba_rulesets.paychest.forces.things import Thing

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
    assert may_climb(fort.battle, fort.unit("red").able)
    fort.play(climb, fort.battle, fort.unit("red"), fort.unit("red").able)
    assert at(fort, "red.1") == pytest.approx((20.0, 14.0))


@pytest.mark.rule("PAY-091")
def test_a_climber_lands_against_a_defender_close_by() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), bare_unit("blue", "blue", [(21.5, 14.0)]), lines=FORT)
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert touches(place.battle, place.figure("red.1"), place.figure("blue.1"))


@pytest.mark.rule("PAY-091", "PAY-007")
@pytest.mark.parametrize(
    ("defenders", "x"),
    [
        ([20.0], 19.0),
        ([20.0, 21.5], 19.0),
        ([19.6], 20.6),
        ([17.9, 21.4], 20.4),
        ([22.1], 20.0),
        ([19.5, 20.5], 18.5),
        ([18.5, 19.5, 20.5, 21.5], None),
    ],
)
def test_a_climber_finds_room_beside_the_nearest_defender(defenders: list[float], x: float | None) -> None:
    blues = bare_unit("blue", "blue", [(at, 14.0) for at in defenders])
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), blues, lines=FORT)
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert at(place, "red.1") == pytest.approx((20.0, 13.5) if x is None else (x, 14.0))


@pytest.mark.rule("PAY-091", "PAY-067")
def test_some_climb_while_others_hold_the_foot_of_the_wall() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5), (22.0, 13.5)]), lines=FORT)
    script: list[tuple[str, object]] = [("move", ("climb", "man by man")), ("climbs", False), ("climbs", True)]
    script += [("move", "halt"), ("posture", "up")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == (20.0, 13.5) and at(place, "red.2") == (22.0, 14.0)


@pytest.mark.rule("PAY-086")
def test_posture_is_chosen_in_hard_cover_only_and_ends_with_it() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5), (22.0, 10.0)]), lines=WALL)
    assert [figure.spec.id for figure in figures_that_may_duck(place.battle, place.unit("red"))] == ["red.1"]
    script: list[tuple[str, object]] = [("move", "halt"), ("posture", "down")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert "down" in place.figure("red.1").marks and "down" not in place.figure("red.2").marks
    assert place.told("lies down") == [{"unit": "red", "figures": 1}]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert not place.told("lies down") and not place.told("gets up")  # he is already down
    place.play(move_unit, place.battle, place.unit("red"), script=[("move", "halt"), ("posture", "up")])
    assert place.told("gets up") == [{"unit": "red", "figures": 1}]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    script = [("move", "advance"), ("foot advances", [3, 5]), ("move to", (20.0, 2.0))]
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
    assert place.told("gets up") == [{"unit": "blue", "figures": 1}]


@pytest.mark.rule("PAY-086")
def test_an_enemy_in_contact_makes_a_man_stand_up() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), bare_unit("blue", "blue", [(20.0, 14.5)]), lines=WALL)
    assert figures_that_may_duck(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-007", "PAY-086", "PAY-091")
def test_men_line_a_wall_shoulder_to_shoulder_as_many_as_have_room() -> None:
    place = scene(red(1), lines=WALL)
    (wall,) = place.battle.field.lines.values()
    slots = wall_slots(wall, (20.0, 14.0), 5, 0.5, (20.0, 10.0))
    xs = sorted(x for x, _ in slots)
    assert {y for _, y in slots} == {13.5} and len(slots) == 5
    assert [b - a for a, b in pairwise(xs)] == pytest.approx([xs[1] - xs[0]] * 4) and 1.0 < xs[1] - xs[0] < 1.15
    length = wall.points[1][0] - wall.points[0][0]
    assert len(wall_slots(wall, (20.0, 14.0), 100, 0.5, (20.0, 10.0))) == int(length / 1.05)


@pytest.mark.rule("PAY-091", "PAY-078")
def test_neither_riders_nor_who_leads_a_mount_climb() -> None:
    leading = scene(red(1, y=13.5), lines=FORT, things={"mule": Thing("mount", "mule", "", None, carrier="red.1")})
    assert may_climb(leading.battle, leading.unit("red").able)
    leading.figure("red.1").loads = ("mule",)
    assert may_climb(leading.battle, leading.unit("red").able) == []
    riding = scene(bare_unit("red", "red", [(20.0, 13.3)], mount="horse"), lines=FORT)
    assert may_climb(riding.battle, riding.unit("red").able) == []
