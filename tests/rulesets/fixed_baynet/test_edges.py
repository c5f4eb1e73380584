"""Limits of rules: the last inch and degree, and figures that are exempt."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, box, field, house, man, scripted, squad

from zareba.space.geometry import joint_box
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation
from zareba_rulesets.fixed_baynet.chapters.aiming import target_figures
from zareba_rulesets.fixed_baynet.chapters.artillery import Impact, direct_targets, resolve_burst
from zareba_rulesets.fixed_baynet.chapters.buildings import damage_building
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_reach
from zareba_rulesets.fixed_baynet.chapters.crews import capture_guns
from zareba_rulesets.fixed_baynet.chapters.machine_guns import fire_salvo, salvo_targets
from zareba_rulesets.fixed_baynet.chapters.melee import fight_facts, strike_blow
from zareba_rulesets.fixed_baynet.chapters.morale import check_half, panicking_near, reward_deed
from zareba_rulesets.fixed_baynet.chapters.movement import settle_contacts
from zareba_rulesets.fixed_baynet.chapters.night import notice_terrain
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.sight import cover_value, in_arc, is_higher, sees
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def beside(degrees: float, away: float = 1.0) -> tuple[float, float]:
    """Return a point at this many degrees from north, seen from (50, 50)."""
    return 50 + away * sin(radians(degrees)), 50 + away * cos(radians(degrees))


# --- arcs, heights, cover ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-063", "FBN-116", "FBN-145")
def test_front_flank_and_rear_to_the_degree() -> None:
    for degrees, flank, rear in ((44, False, False), (46, True, False), (134, True, False), (136, True, True)):
        red, blue = squad("red", "red", 1, (50, 50), facing=0.0), squad("blue", "blue", 1, beside(degrees))
        state = battle(red, blue)
        with scripted(state) as table:
            settle_contacts(table, state, blue, list(blue.figures.values()))
        assert bool(red.events) is flank
        assert fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], False).rear is rear
    for degrees, inside in ((89, True), (91, False)):
        assert in_arc(red.figures["red/1"], beside(degrees), 90.0) is inside


@pytest.mark.rule("FBN-273", "FBN-074")
def test_half_an_inch_is_higher() -> None:
    state = battle(squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 51)))
    one, other = state.units["red"].figures["red/1"], state.units["blue"].figures["blue/1"]
    for z, expected in ((0.5, True), (0.49, False)):
        one.z = z
        assert is_higher(state, one, other) is expected and not is_higher(state, other, one)


@pytest.mark.rule("FBN-066", "FBN-069")
def test_cover_next_to_the_firer_to_the_inch() -> None:
    def cv(on: Any, a: tuple[float, float], b: tuple[float, float]) -> int:
        red, blue = squad("red", "red", 1, a), squad("blue", "blue", 1, b)
        state = battle(red, blue, on=on)
        scene = state.field.scene(joint_box((*a, *a), (*b, *b)))
        return cover_value(state, red.figures["red/1"], blue.figures["blue/1"], scene)

    wood = field(("light_forest", list(box(40, 40, 60, 60))))
    assert [cv(wood, (50, 50), (50, 51 + gap)) for gap in (1.0, 1.05)] == [0, 2], "in one wood, an inch apart"
    assert cv(wood, (50, 39.5), (50, 40.5)) == 2, "the firer stands outside"
    for gap, value in ((1.0, 0), (1.05, 4)):
        assert cv(field(lines=(("stone_wall", [(40, 50.5 + gap), (60, 50.5 + gap)]),)), (50, 50), (50, 70)) == value


@pytest.mark.rule("FBN-258")
def test_a_line_of_just_45_degrees_is_allowed() -> None:
    for y, seen in ((35.97, True), (36.0, False)):  # 4" below a window in a wall at 39.98
        red = bare_unit("red", "red", [man("red/1", "red", 43, 43)])
        blue = squad("blue", "blue", 1, (45, y))
        state = battle(red, blue, on=house(level=2))
        figure = red.figures["red/1"]
        figure.place, figure.post, figure.z = "hut:2:0", "hut:window", 4.0
        assert sees(state, figure, blue.figures["blue/1"], state.field.scene((40, 20, 60, 60))) is seen


# --- lying men, return fire -------------------------------------------------------------------------------------------------


def piece(kind: str, **settings: Any) -> tuple[Any, Unit, Gun, Unit]:
    gun = Gun(kind, 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    crew = [man(f"red/{i}", "red", 48 + i, 8.5, role="crew", weapon="none") for i in (1, 2)]
    unit = bare_unit("red", "red", crew, guns=[gun], kind="machine_gun" if kind == "machine_gun" else "battery")
    blue = squad("blue", "blue", 2, (50, 25), facing=180.0, ds=4)
    state = battle(unit, blue, **settings)
    state.active = "red"
    return state, unit, gun, blue


@pytest.mark.rule("FBN-052")
@pytest.mark.setting("prone_untargetable")
def test_no_direct_fire_names_lying_men_but_bursts_and_blows_find_them() -> None:
    for setting, aimed in ((True, 0), (False, 1)):
        for kind in ("light_gun", "machine_gun"):
            state, unit, gun, blue = piece(kind, prone_untargetable=setting)
            for figure in blue.figures.values():
                figure.mark("prone")
            found = salvo_targets(state, unit, gun) if kind == "machine_gun" else direct_targets(state, unit, gun)
            assert len(list(found)) == aimed
    state, unit, gun, blue = piece("light_gun")
    for figure in blue.figures.values():
        figure.mark("prone")
    with scripted(state, ("burst", [12]), ("burst", [2])) as table:
        resolve_burst(table, state, unit, gun, "shell", Impact(50.0, 25.0), None)
    [left] = blue.figures.values()
    near = squad("near", "red", 1, (left.x, left.y - 1))
    state.units["near"] = near
    with scripted(state, ("blow", [6]), ("parry", [1])) as table:
        strike_blow(table, state, near, near.figures["near/1"], left)
    assert not blue.figures


@pytest.mark.rule("FBN-101")
def test_nobody_answers_shells_salvos_blows_or_what_comes_through_a_wall() -> None:
    state, unit, gun, blue = piece("light_gun")
    with scripted(state, ("burst", [11]), ("burst", [11])) as table:
        resolve_burst(table, state, unit, gun, "shell", Impact(50.0, 25.0), None)
    assert not blue.figures
    state, unit, gun, blue = piece("machine_gun")
    with scripted(state, ("jam", [1]), ("shot", [11]), ("shot", [11])) as table:
        assert fire_salvo(table, state, unit, gun, blue) == 2
    assert not blue.figures, "and the shots that are left are not fired"
    inside = bare_unit("blue", "blue", [man("blue/1", "blue", 43, 43, facing=180.0)])
    outside = squad("red", "red", 1, (45, 30))
    state = battle(outside, inside, on=house())
    inside.figures["blue/1"].place, inside.figures["blue/1"].post = "hut:0:0", "hut:window"
    with scripted(state) as table:
        damage_building(table, state, "hut", 1, True, False, outside, (45.0, 30.0))
    assert not inside.figures


@pytest.mark.rule("FBN-103")
def test_the_reach_of_a_close_combat_weapon_is_an_inch() -> None:
    for gap, reached in ((1.0, 1), (1.01, 0)):
        red, blue = squad("red", "red", 1, (50, 50), close=True), squad("blue", "blue", 1, (50, 51 + gap))
        assert len(foes_in_reach(battle(red, blue), red.figures["red/1"], "red")) == reached


@pytest.mark.rule("FBN-168", "FBN-052")
def test_who_panics_lying_is_out_of_aim_again_in_his_next_activation() -> None:
    red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 60), weapon="none")
    state = battle(red, blue)
    figure = red.figures["red/1"]
    figure.reaction = "prone"
    figure.mark("prone")
    with scripted(state, ("aim at", "blue/1"), ("shot", [2]), ("aim at", "hold fire")) as table:
        carry_out_panic(table, state, red)
    assert target_figures(state, "blue", red) == [figure]
    with scripted(state, ("aim at", "hold fire")) as table:
        begin_activation(table, state, red)
    assert target_figures(state, "blue", red) == []


# --- guns, glory ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-122", "FBN-161")
def test_when_a_gun_is_not_taken() -> None:
    for crew_at, captor, reaction, taken in (
        ((90.0, 90.0), "red", "", True),
        ((48.0, 51.5), "red", "", False),
        ((90.0, 90.0), "blue", "", False),
        ((90.0, 90.0), "red", "freeze", False),
    ):
        gun = Gun("light_gun", 50.0, 51.5, 0.0, 0.0, 2)
        guns = bare_unit("guns", "blue", [man("guns/1", "blue", *crew_at, role="crew")], guns=[gun], kind="battery")
        unit = squad("unit", captor, 1, (50, 50))
        unit.figures["unit/1"].reaction = reaction
        state = battle(guns, unit)
        with scripted(state) as table:
            capture_guns(table, state, unit)
        assert bool(gun.taken_by) is taken and ("deed" in unit.marks) is taken
    far = squad("far", "red", 1, (50, 49.8))
    gun.taken_by = ""
    state = battle(bare_unit("guns", "blue", [man("guns/1", "blue", 90, 90)], guns=[gun]), far)
    with scripted(state) as table:
        capture_guns(table, state, far)
    assert not gun.taken_by, "nobody is in contact"


@pytest.mark.rule("FBN-141")
def test_half_of_an_odd_number_is_less_than_half() -> None:
    for left, halved in ((3, False), (2, True)):
        unit = squad("red", "red", 5)
        for key in list(unit.figures)[left:]:
            del unit.figures[key]
        state = battle(unit)
        with scripted(state) as table:
            check_half(table, state, unit)
        assert bool(unit.events) is halved


@pytest.mark.rule("FBN-159", "FBN-161")
def test_nearby_is_nine_inches_from_edge_to_edge() -> None:
    for gap, near in ((9.0, True), (9.05, False)):
        chief = bare_unit("chief", "red", [man("chief/1", "red", 50, 50, role="officer")], kind="independent")
        unit = squad("red", "red", 1, (51 + gap, 50))
        [figure] = unit.figures.values()
        figure.reaction, figure.gl = "freeze", 7
        state = battle(chief, unit)
        assert bool(panicking_near(state, chief.figures["chief/1"])) is near
        chief.mark("deed")
        with scripted(state) as table:
            reward_deed(table, state, chief)
        assert (figure.gl, figure.reaction) == ((5, "") if near else (7, "freeze"))


@pytest.mark.rule("FBN-272")
def test_who_does_not_count_when_a_formation_is_looked_at() -> None:
    for mark, reaction, foe_at, kept in (
        ("", "", (90.0, 90.0), False),
        ("prone", "", (90.0, 90.0), True),
        ("", "freeze", (90.0, 90.0), True),
        ("", "", (70.0, 51.0), True),
    ):
        unit, foe = squad("red", "red", 4, (50, 50), "closed"), squad("blue", "blue", 1, foe_at)
        state = battle(unit, foe)
        astray = unit.figures["red/4"]
        astray.x, astray.y, astray.reaction = 70.0, 50.0, reaction
        astray.marks = frozenset({mark} - {""})
        unit.measure()
        unit.mark("loose")
        with scripted(state) as table:
            end_activation(table, state, unit)
        assert ("unformed" not in unit.marks) is kept


# --- night, collapse ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-239")
def test_two_inches_from_a_ditch_and_not_in_it() -> None:
    ditch = field(("trench", list(box(52, 0, 54, 100))))
    for x, end, asked in ((50.0, 50.0, True), (49.95, 49.95, False), (51.0, 53.0, False)):
        unit = bare_unit("red", "red", [man("red/1", "red", end, 25)])
        state = battle(unit, on=ditch)
        with scripted(state, *[("notice", [6])] * asked) as table:
            notice_terrain(table, state, unit, unit.figures["red/1"], (x, 20.0))


@pytest.mark.rule("FBN-235", "FBN-037")
def test_nobody_calls_a_battery_farther_than_he_sees_at_night() -> None:
    for gap, night, heard in ((40, False, True), (11, True, True), (13, True, False)):
        gun = Gun("light_howitzer", 50.0, 10.0, 0.0, 0.0, 2)
        guns = bare_unit("guns", "red", [man("guns/1", "red", 50, 10, role="crew")], guns=[gun], kind="battery")
        caller = squad("red", "red", 1, (50, 10 + gap))
        state = battle(guns, caller)
        state.night = night
        assert (("barrage", "red/1", "guns") in acts(state, caller)) is heard


@pytest.mark.rule("FBN-250")
def test_each_man_in_a_house_that_falls_is_struck_once_with_his_ds() -> None:
    unit = bare_unit("red", "red", [man(f"red/{i}", "red", 41 + i, 43) for i in (1, 2, 3, 4)])
    state = battle(unit, on=house())
    for figure in unit.figures.values():
        figure.place = "hut:0:0"
    with scripted(state, ("collapse", [4]), ("collapse", [5]), ("collapse", [12]), ("collapse", [1])) as table:
        damage_building(table, state, "hut", 4, False, True, None)
    assert list(unit.figures) == ["red/1", "red/4"]
    assert [one.curable for one in state.fallen] == [True, False]
    assert all(not figure.place for figure in unit.figures.values())
