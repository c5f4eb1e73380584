"""Interactions of ground, sight, night and deployment (chapters 2, 6, 8, 9, 20)."""

from __future__ import annotations

from math import dist

import pytest
from tests.rulesets.fixed_baynet.plain import battle, book, box, field, man, rules_with, scripted, squad

from zareba.scenario import load_scenario, shipped_scenarios
from zareba_rulesets.fixed_baynet.chapters.movement import step_towards, way_refused
from zareba_rulesets.fixed_baynet.chapters.setting_up import form_up, roll_initiative, room_near
from zareba_rulesets.fixed_baynet.chapters.sight import sees_point
from zareba_rulesets.fixed_baynet.forces.battle import Flare
from zareba_rulesets.fixed_baynet.forces.formations import is_formed
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

# --- setting up -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-011", "FBN-271")
@pytest.mark.parametrize("name", shipped_scenarios())
def test_every_unit_of_a_shipped_scenario_starts_in_its_formation(name: str) -> None:
    state = FbnGame(rules_with(), load_scenario(name)).start()
    for unit in state.on_table():
        if not unit.guns:
            assert is_formed(state, unit) and "unformed" not in unit.marks, unit.spec.id


@pytest.mark.rule("FBN-011")
def test_a_unit_whose_place_is_taken_stands_beside_it_on_the_same_side_of_a_wall() -> None:
    first = squad("first", "red", 12, (50, 50), "mass")
    second = squad("second", "red", 12, (-50, -50), "mass")
    state = battle(first, second, on=field())
    at = room_near(state, second, (50.0, 50.0), "mass", 0.0)
    assert at is not None and 3 < dist(at, (50, 50)) <= 5
    form_up(state, second, at, "mass", 0.0)
    assert is_formed(state, second) and is_formed(state, first)
    walls = [("stone_wall", [(52.6, 40.0), (52.6, 60.0)]), ("stone_wall", [(47.4, 40.0), (47.4, 60.0)])]
    state = battle(first, second, on=field(lines=tuple(walls)))
    at = room_near(state, second, (50.0, 50.0), "mass", 0.0)
    assert at is not None and 47.4 < at[0] < 52.6 and abs(at[1] - 50) >= 3
    full = [squad(f"full{i}", "blue", 100, (5 + 10 * (i % 10), 5 + 10 * (i // 10)), "mass") for i in range(100)]
    assert room_near(battle(second, *full, on=field()), second, (50.0, 50.0), "square", 0.0) is None


@pytest.mark.rule("FBN-008", "FBN-009")
@pytest.mark.setting("initiative_highest")
def test_three_sides_with_the_highest_first_keep_the_order_of_the_others() -> None:
    for setting, order in (("last", ["b", "c", "a"]), ("first", ["a", "b", "c"])):
        state = battle(initiative_highest=setting)
        state.order = ["a", "b", "c"]
        rolls = [("initiative", [6]), ("initiative", [1]), ("initiative", [3])]
        with scripted(state, *rolls, initiative_highest=setting) as table:
            roll_initiative(table, state)
        assert state.order == order


# --- ground ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-048")
@pytest.mark.setting("terrain_move")
def test_in_proportion_each_inch_has_the_price_of_its_ground() -> None:
    """Of 5 inches, 2 on flat ground cost 2. The other 3 pay for 2 bumpy inches or 1 jagged inch."""
    for row, most in (("clear", 5.0), ("rubble", 4.0), ("dense_forest", 3.0)):
        ground = field((row, list(box(0, 12, 100, 30))), terrain_move="proportional")
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=ground, terrain_move="proportional")
        figure = unit.figures["red/1"]
        assert way_refused(state, figure, (10, 10 + most)) is None
        assert "FBN-039" in (way_refused(state, figure, (10, 10.1 + most)) or "")


@pytest.mark.rule("FBN-042", "FBN-050", "FBN-044")
def test_a_run_stops_short_of_what_it_may_not_cross() -> None:
    for row, charging, y in (("barbed_wire", True, 13.0), ("crag", False, 13.0), ("rubble", False, 14.0)):
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=field((row, list(box(0, 13.2, 100, 14)))))
        figure = unit.figures["red/1"]
        step_towards(state, unit, figure, (10.0, 30.0), charging)
        assert figure.y == pytest.approx(y, abs=0.5) and figure.ac == 2


@pytest.mark.rule("FBN-072", "FBN-075")
def test_the_rows_beyond_the_chart() -> None:
    rows = book().terrain
    assert (rows["rapids"].cv, rows["gully"].cv, rows["huts"].cv, rows["thorn_fence"].cv) == (1, 1, 3, 3)
    assert rows["low_slope"].uphill == "bumpy" and rows["high_slope"].uphill == "jagged"


# --- night ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-224", "FBN-235", "FBN-238")
def test_a_point_is_seen_at_night_within_twelve_inches_or_by_the_light_of_a_flare() -> None:
    unit = squad("red", "red", 1, (50, 50))
    state = battle(unit, on=field())
    figure = unit.figures["red/1"]
    assert sees_point(state, figure, (50.0, 90.0))
    state.night = True
    assert sees_point(state, figure, (50.0, 62.0)) and not sees_point(state, figure, (50.0, 62.1))
    state.flares = [Flare(50.0, 80.0, 2)]
    assert sees_point(state, figure, (50.0, 83.0)) and not sees_point(state, figure, (50.0, 83.1))
