"""Leaving contact, and windows that two men may use: interactions of chapters 6, 9, 10 and 21."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battery, battle, house, man, scripted, squad

from zareba.space.geometry import Point
from zareba.table import Choose
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.aiming import marksmen
from zareba_rulesets.fixed_baynet.chapters.buildings import post_man
from zareba_rulesets.fixed_baynet.chapters.contact import men_in_contact
from zareba_rulesets.fixed_baynet.chapters.crews import haul_refused, haulers
from zareba_rulesets.fixed_baynet.chapters.fire import fire_volley, fire_with_man
from zareba_rulesets.fixed_baynet.chapters.machine_guns import gun_marks, volley_at_gun
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.presentation.odds_hints import next_act

STAYS = {"free": False, "refused": True}


def kinds(state: Battle, unit: Unit) -> set[Any]:
    """Return the kinds of act open to a unit."""
    return {act[0] if isinstance(act, tuple) else act for act in acts(state, unit)}


# --- leaving contact ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-051", "FBN-207")
@pytest.mark.setting("leave_contact")
def test_a_crew_in_contact_does_not_drag_its_piece_away() -> None:
    for setting, stays in STAYS.items():
        foe = squad("blue", "blue", 1, (47.7, 9.2))
        state, unit, gun = battery("machine_gun", crew=3, target=foe, leave_contact=setting)
        gun.ac = 3
        assert ("gun move" in kinds(state, unit)) is not stays
        state.put(foe.figures["blue/1"], 47.3, 30.0)
        foe.measure()
        assert "gun move" in kinds(state, unit)


@pytest.mark.rule("FBN-051", "FBN-244")
@pytest.mark.setting("leave_contact")
def test_nobody_slips_out_of_contact_through_a_door() -> None:
    for setting, stays in STAYS.items():
        red = bare_unit("red", "red", [man("red/1", "red", 42, 38.5), man("red/2", "red", 44.5, 38.5)])
        state = battle(red, squad("blue", "blue", 1, (41, 38.5)), on=house(), leave_contact=setting)
        with scripted(state, leave_contact=setting) as table:
            perform_action(table, state, red, ("cross", "hut:door", "hut:0:0"))
        assert [bool(figure.place) for figure in red.figures.values()] == [not stays, True]


@pytest.mark.rule("FBN-051", "FBN-241", "FBN-243", "FBN-275")
@pytest.mark.setting("leave_contact")
def test_a_foe_holds_a_man_in_a_room_of_figures_but_not_in_a_section() -> None:
    for kind, stays in (("openable", True), ("sections", False)):
        state = battle(
            squad("red", "red", 1, (42, 41)),
            squad("blue", "blue", 1, (43, 41)),
            on=house(kind, leave_contact="refused"),
            leave_contact="refused",
        )
        red, blue = state.units["red"], state.units["blue"]
        for unit in (red, blue):
            for figure in unit.figures.values():
                figure.place = "hut:0:0"
        assert (("cross", "hut:door", "") in acts(state, red)) is not stays


@pytest.mark.rule("FBN-051", "FBN-260")
@pytest.mark.setting("leave_contact")
def test_a_ladder_is_no_way_out_of_contact() -> None:
    for setting, stays in STAYS.items():
        red, blue = squad("red", "red", 1, (43, 39)), squad("blue", "blue", 1, (44, 39))
        state = battle(red, blue, on=house("tower", level=1, leave_contact=setting), leave_contact=setting)
        assert ("climb" in kinds(state, red)) is not stays


@pytest.mark.rule("FBN-035", "FBN-051")
@pytest.mark.setting("leave_contact")
def test_men_in_contact_pay_for_a_change_of_formation_and_stay() -> None:
    for setting, stays in STAYS.items():
        red, blue = squad("red", "red", 6, (50, 50)), squad("blue", "blue", 1, (48, 52.0), facing=180.0)
        state = battle(red, blue, leave_contact=setting)
        foe = blue.figures["blue/1"]
        near = min(red.figures.values(), key=lambda one: abs(one.x - 48) + abs(one.y - 51))
        state.put(foe, near.x, near.y + 1.0)
        blue.measure()
        start = near.at
        with scripted(state, leave_contact=setting) as table:
            perform_action(table, state, red, ("form", "closed"))
        assert (near.at == start) is stays and near.ac == 2 and red.formation == "closed"


# --- windows of rooms for figures -------------------------------------------------------------------------------------------


def garrison(spots: list[Point], *foes: Figure, rooms: int = 1) -> tuple[Battle, Unit, Unit]:
    """Men of red's at these points of the first room of a building with rooms for figures; enemies are in the open."""
    red = bare_unit("red", "red", [man(f"red/{i + 1}", "red", x, y) for i, (x, y) in enumerate(spots)])
    blue = bare_unit("blue", "blue", list(foes))
    state = battle(red, blue, on=house("openable", rooms=rooms))
    for figure in red.figures.values():
        figure.place = "hut:0:0"
    state.active = "red"
    return state, red, blue


AT_THE_WINDOW = [(45.0, 40.6), (45.0, 41.7), (45.0, 42.8)]


@pytest.mark.rule("FBN-245", "FBN-241")
def test_only_two_men_a_turn_fire_through_a_window_of_a_room_where_figures_stand() -> None:
    state, red, blue = garrison(AT_THE_WINDOW, man("blue/1", "blue", 45, 30, weapon="none"))
    question = Choose("act", "FBN-016", "red", "red", (("fire", "blue"), "end"), ())
    assert next_act(state, question, ("fire", "blue")) is not None
    with scripted(state, *[("shot", [1])] * 2) as table:
        assert fire_volley(table, state, red, blue) == 2
    assert state.houses["hut"].used == {"hut:window": 2}
    third = red.figures["red/3"]
    assert [man.attacks for man in red.figures.values()] == [1, 1, 0] and third.ac == 3
    with scripted(state, *[("shot", [1])] * 2) as table:
        assert fire_volley(table, state, red, blue) == 2, "the same two again"
    third.x = 42.0
    with scripted(state, ("aim at", "blue/1"), ("shot", [1])) as table:
        fire_with_man(table, state, red, red.figures["red/1"])
    state.put(blue.figures["blue/1"], 42.0, 30.0)
    blue.measure()
    with scripted(state, *[("shot", [1])] * 2) as table:
        assert fire_volley(table, state, red, blue) == 2, "the second man at his window, the third through the door"
    assert state.houses["hut"].used == {"hut:window": 2, "hut:door": 1}


@pytest.mark.rule("FBN-245", "FBN-099", "FBN-241")
def test_an_answer_from_a_room_of_figures_uses_the_window_too() -> None:
    for used, answers in ((1, True), (2, False)):
        state, red, blue = garrison([(45.0, 41.0)], man("blue/1", "blue", 45, 30, facing=0.0))
        figure = red.figures["red/1"]
        figure.facing, figure.wounds, state.active = 180.0, 2, "blue"
        state.houses["hut"].used = {"hut:window": used}
        answer = [("counter-attack", "answer every hit"), ("counter-attack", [2])] if answers else []
        with scripted(state, ("shot", [11]), *answer) as table:
            fire_volley(table, state, blue, red)
        assert state.houses["hut"].used == {"hut:window": 2}


@pytest.mark.rule("FBN-245", "FBN-204", "FBN-247")
def test_pieces_and_walls_are_shot_at_through_windows_by_two_men_as_well() -> None:
    state, red, blue = garrison(AT_THE_WINDOW, man("blue/1", "blue", 60, 20, role="crew", weapon="none"))
    gun = Gun("light_gun", 45.0, 30.0, 0.0, 0.0, 2)
    blue.guns.append(gun)
    blue.measure()
    with scripted(state, *[("shot", [1])] * 2) as table:
        volley_at_gun(table, state, red, blue, gun, list(red.figures.values()))
    assert (
        state.houses["hut"].used == {"hut:window": 2}
        and gun_marks(state, red, marksmen(state, red, [red.figures["red/3"]])) == []
    )


@pytest.mark.rule("FBN-245", "FBN-275")
def test_a_shot_within_a_section_goes_through_no_window() -> None:
    red, blue = squad("red", "red", 1, (42, 42)), squad("blue", "blue", 1, (44, 44), weapon="none")
    state = battle(red, blue, on=house())
    for unit in (red, blue):
        for figure in unit.figures.values():
            figure.place = "hut:0:0"
    post_man(state, red.figures["red/1"], "hut:window")
    state.houses["hut"].used = {"hut:window": 1}
    with scripted(state, ("shot", [1])) as table:
        assert fire_volley(table, state, red, blue) == 1
    assert state.houses["hut"].used == {"hut:window": 1}


@pytest.mark.rule("FBN-078", "FBN-245")
def test_nobody_looks_out_of_the_next_room_through_the_wall_between() -> None:
    foe = man("blue/1", "blue", 25, 32)
    state, red, _ = garrison([(50.0, 42.0)], foe, rooms=2)
    figure = red.figures["red/1"]
    for room, seen in (("hut:0:1", False), ("hut:0:0", True)):
        figure.place = room
        figure.x, figure.y = (50.0, 42.0) if room == "hut:0:1" else (45.9, 40.36)
        assert sees(state, figure, foe, state.field.scene((20, 15, 60, 60))) is seen
    figure.place = "hut:0:1"
    figure.x, figure.y = 47.0, 45.94
    state.put(foe, 38.3, 20.0)
    assert sees(state, figure, foe, state.field.scene((20, 15, 60, 60))), "through the inner door and the window"


# --- guns -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-270", "FBN-207")
@pytest.mark.setting("contact_needs_charge")
def test_a_crew_is_not_hauled_into_contact_where_that_takes_a_charge() -> None:
    for setting in (False, True):
        for east, touches in ((52.32, True), (52.4, False)):
            foe = squad("blue", "blue", 1, (east, 12.0))  # the man at (51.3, 9.2) moves to (51.3, 12)
            state, unit, gun = battery("machine_gun", crew=3, target=foe, contact_needs_charge=setting)
            pullers = haulers(state, unit, gun)
            assert pullers is not None
            refused = haul_refused(state, unit, gun, pullers, (50.0, 12.8))
            assert ("FBN-270" in (refused or "")) is (setting and touches)
            assert refused is None or (setting and touches)


@pytest.mark.rule("FBN-035", "FBN-270")
@pytest.mark.setting("contact_needs_charge")
def test_nobody_forms_up_into_contact_where_that_takes_a_charge() -> None:
    """The usual ranks would touch an enemy in front of the unit, or two rows of enemies around it."""
    one, rows = [(50, 52.03)], [(50 + x, y) for x in range(-8, 9) for y in (47.95, 52.05)]
    for spots in (one, rows):
        for setting in (False, True):
            unit = squad("red", "red", 8, (50, 50), "closed")
            enemy = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", x, y) for i, (x, y) in enumerate(spots)])
            state = battle(unit, enemy, contact_needs_charge=setting)
            assert not men_in_contact(state, unit)
            with scripted(state, contact_needs_charge=setting) as table:
                perform_action(table, state, unit, ("form", "mass"))
            assert bool(men_in_contact(state, unit)) is not setting


@pytest.mark.rule("FBN-078", "FBN-204")
@pytest.mark.setting("figures_block_los")
def test_figures_hide_a_piece_as_they_hide_men() -> None:
    for setting, seen in ((False, True), (True, False)):
        gun = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 41.5, role="crew")], guns=[gun], kind="battery")
        red, between = squad("red", "red", 1, (50, 25)), squad("more", "red", 1, (50, 30))
        state = battle(red, between, blue, figures_block_los=setting)
        shooter = red.figures["red/1"]
        assert (gun_marks(state, red, marksmen(state, red, [shooter])) == [("blue", 0)]) is seen
        state.put(between.figures["more/1"], 52, 30)
        assert gun_marks(state, red, marksmen(state, red, [shooter])) == [("blue", 0)]


@pytest.mark.rule("FBN-041", "FBN-051")
@pytest.mark.setting("leave_contact")
def test_a_man_in_contact_charges_another_enemy_if_he_may_leave() -> None:
    for setting, targets in (("free", ["far"]), ("refused", [])):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
        near, far = squad("near", "blue", 1, (50, 51)), squad("far", "blue", 1, (50, 44))
        state = battle(unit, near, far, leave_contact=setting)
        figure = unit.figures["red/1"]
        assert [foe.spec.id for foe in charge_targets(state, unit, only=figure)] == targets
        assert not list(charge_targets(state, unit)), "a charge of the unit leaves those alone who fight"
