"""Machine guns: salvos, pins and jams (chapter 19)."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import (
    battery,
    scripted,
    squad,
)

from zareba_rulesets.fixed_baynet.chapters.machine_guns import (
    clear_jam,
    end_gun_turn,
    fire_salvo,
    may_clear,
    may_salvo,
    roll_jam_after_firing,
)


@pytest.mark.rule("FBN-229", "FBN-230", "FBN-231", "FBN-263", "FBN-144")
def test_a_salvo_is_six_shots_and_pins_at_once() -> None:
    state, unit, gun = battery("machine_gun", target=squad("blue", "blue", 9, (50, 28), ds=4, weapon="none"))
    with scripted(state, ("jam", [1]), *[("shot", [2])] * 5, ("shot", [12])) as table:
        assert fire_salvo(table, state, unit, gun, state.units["blue"]) == 1
    blue = state.units["blue"]
    assert "pinned" in blue.marks and blue.events == ("pinned",)
    assert (gun.salvos, gun.ac, len(blue.figures)) == (1, 2, 8)
    for _ in range(2):
        with scripted(state, *[("shot", [2])] * 6) as table:
            fire_salvo(table, state, unit, gun, blue)
    assert not may_salvo(state, unit, gun)


@pytest.mark.rule("FBN-229")
@pytest.mark.setting("mg_salvo_ac")
def test_a_salvo_costs_one_ac_or_three() -> None:
    for setting, left in ((1, 2), (3, 0)):
        state, unit, gun = battery("machine_gun", mg_salvo_ac=setting)
        with scripted(state, ("jam", [1]), *[("shot", [2])] * 6, mg_salvo_ac=setting) as table:
            fire_salvo(table, state, unit, gun, state.units["blue"])
        assert gun.ac == left


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_roll")
def test_a_six_jams_before_firing_or_after() -> None:
    state, unit, gun = battery("machine_gun")
    with scripted(state, ("jam", [6])) as table:
        assert fire_salvo(table, state, unit, gun, state.units["blue"]) == 0
    assert not may_salvo(state, unit, gun) and "pinned" not in state.units["blue"].marks
    end_gun_turn(state, gun)
    assert gun.jam == ""
    state, unit, gun = battery("machine_gun", jam_roll="after_firing")
    with scripted(state, *[("shot", [2])] * 6, ("jam", [6]), jam_roll="after_firing") as table:
        fire_salvo(table, state, unit, gun, state.units["blue"])
        roll_jam_after_firing(table, state, unit, gun)
    end_gun_turn(state, gun)
    state.turn, gun.ac = 2, 3
    assert not may_salvo(state, unit, gun)
    end_gun_turn(state, gun)
    assert may_salvo(state, unit, gun)


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_clears")
def test_a_jam_is_over_next_turn_or_cleared_by_hand() -> None:
    for setting, stays in (("next_turn", False), ("action_1ac", True)):
        state, unit, gun = battery("machine_gun", jam_clears=setting)
        gun.jam, gun.jammed_in = "jammed", 1
        end_gun_turn(state, gun)
        assert (gun.jam == "jammed") is stays
        assert may_clear(state, unit, gun) is stays
    with scripted(state, jam_clears="action_1ac") as table:
        clear_jam(table, state, unit, gun)
    assert gun.ac == 2 and gun.jam == "clear"


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_clears")
@pytest.mark.setting("jam_roll")
def test_a_gun_whose_old_jam_is_cleared_rolls_again_in_the_same_turn() -> None:
    for roll, rolls in (("before_first_salvo", [("jam", [1])]), ("after_firing", [])):
        state, unit, gun = battery("machine_gun", jam_clears="action_1ac", jam_roll=roll)
        gun.jam, gun.jammed_in, state.turn = "jammed", 1 if rolls else 2, 2
        with scripted(state, *rolls, *[("shot", [2])] * 6, jam_clears="action_1ac", jam_roll=roll) as table:
            clear_jam(table, state, unit, gun)
            fire_salvo(table, state, unit, gun, state.units["blue"])
        if not rolls:
            with scripted(state, ("jam", [1]), jam_clears="action_1ac", jam_roll=roll) as table:
                roll_jam_after_firing(table, state, unit, gun)
        assert gun.jam == "clear"


@pytest.mark.rule("FBN-229", "FBN-230", "FBN-064")
def test_the_first_shot_of_a_salvo_is_aimed_before_its_pin_breaks_the_mass() -> None:
    state, unit, gun = battery("machine_gun", target=squad("blue", "blue", 9, (50, 26), "mass", ds=4, weapon="none"))
    blue = state.units["blue"]
    for figure in blue.figures.values():
        figure.gl = 6
    with scripted(state, ("jam", [1]), *[("panic", [3])] * 9, *[("shot", [4])] * 6) as table:
        assert fire_salvo(table, state, unit, gun, blue) == 1, "a 4 hits a man in mass, and no man out of it"
    assert {figure.reaction for figure in blue.figures.values()} == {"onwards"}
