"""Things that must not happen: a second time, to the wrong man, in the wrong activation."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import Battle, Unit, battle, book, box, field, house, man, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import game, troops

from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation
from zareba_rulesets.fixed_baynet.chapters.aiming import may_answer
from zareba_rulesets.fixed_baynet.chapters.artillery import Impact, resolve_burst
from zareba_rulesets.fixed_baynet.chapters.buildings import crossings, free_openings
from zareba_rulesets.fixed_baynet.chapters.contact import opening_between
from zareba_rulesets.fixed_baynet.chapters.crews import crew_of
from zareba_rulesets.fixed_baynet.chapters.fire import record_shot_at
from zareba_rulesets.fixed_baynet.chapters.hits import capture_man, remove_man, resolve_hit
from zareba_rulesets.fixed_baynet.chapters.machine_guns import fire_salvo, may_salvo
from zareba_rulesets.fixed_baynet.chapters.melee import charge_with_unit
from zareba_rulesets.fixed_baynet.chapters.morale import (
    heal,
    order_back,
    panicking_near,
    patients,
    rally_targets,
    reward_deed,
    units_to_order_back,
)
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Casualty
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

# --- officers and deeds -----------------------------------------------------------------------------------------------------


def command(*units: Unit) -> tuple[Battle, Any]:
    chief = bare_unit("chief", "red", [man("chief/1", "red", 50, 50, role="officer")], kind="independent")
    return battle(chief, *units), chief.figures["chief/1"]


@pytest.mark.rule("FBN-159", "FBN-160")
def test_whom_an_officer_does_not_reach() -> None:
    near, far = man("red/1", "red", 55, 50), man("red/2", "red", 65, 50)
    for figure in (near, far):
        figure.reaction, figure.gl = "freeze", 7
    unit = bare_unit("red", "red", [near, far])
    state, officer = command(unit)
    assert [figure.id for _, figure in panicking_near(state, officer)] == ["red/1"], "the other stands too far off"
    assert units_to_order_back(state, officer) == [], "nobody in it is steady"
    near.reaction, near.gl = "", 7
    assert units_to_order_back(state, officer) == [unit] and rally_targets(state, officer) == [unit]
    with scripted(state) as table:
        order_back(table, state, officer, unit)
    assert near.gl == 5 and rally_targets(state, officer) == [], "no rally in the turn of such an order"
    assert units_to_order_back(state, officer) == []


@pytest.mark.rule("FBN-161")
def test_friends_are_heartened_once_a_turn() -> None:
    friend = squad("friend", "red", 2, (54, 50), gl=2)
    state, officer = command(friend)
    for figure in friend.figures.values():
        figure.gl = 6
    chief = state.units["chief"]
    for _ in range(2):
        chief.mark("deed")
        with scripted(state) as table:
            reward_deed(table, state, chief)
    assert [figure.gl for figure in friend.figures.values()] == [4, 4] and officer.gl == 4


@pytest.mark.rule("FBN-140", "FBN-161")
def test_the_fall_of_a_banner_is_a_deed_and_that_of_a_soldier_is_none() -> None:
    for bearer in (True, False):
        red = squad("red", "red", 1, (50, 50))
        blue = bare_unit(
            "blue", "blue", [man(f"blue/{i}", "blue", 50 + i, 60, bearer=bearer and i == 1) for i in (1, 2, 3)]
        )
        state = battle(red, blue)
        with scripted(state) as table:
            remove_man(table, state, blue, blue.figures["blue/1"], "down", "fire", red)
        assert ("deed" in red.marks) is bearer and (blue.events == ("banner",)) is bearer


@pytest.mark.rule("FBN-140", "FBN-146", "FBN-134")
@pytest.mark.setting("same_event_per_turn")
def test_the_death_of_a_leader_is_one_event() -> None:
    for location in (9, 2):
        unit = bare_unit(
            "red", "red", [man(f"red/{i}", "red", i, 0, role="nco" if i == 1 else "soldier") for i in range(1, 6)]
        )
        state = battle(unit, same_event_per_turn="unlimited")
        with scripted(state, ("hit location", [location]), same_event_per_turn="unlimited") as table:
            resolve_hit(table, state, unit, unit.figures["red/1"], False, 1, "fire")
        assert unit.events == ("banner",) and unit.figures["red/5"].gl == 5


@pytest.mark.rule("FBN-094", "FBN-144", "FBN-146")
@pytest.mark.setting("same_event_per_turn")
def test_being_pinned_is_an_event_at_the_first_shot_of_a_turn() -> None:
    unit = squad("red", "red", 3)
    state = battle(unit, same_event_per_turn="unlimited")
    for turn, events in ((1, 0), (2, 1), (3, 2), (5, 2)):
        state.turn = turn
        with scripted(state, same_event_per_turn="unlimited") as table:
            record_shot_at(table, state, unit)
            record_shot_at(table, state, unit)
        assert len(unit.events) == events


@pytest.mark.rule("FBN-137")
def test_a_medic_tends_one_man_in_an_activation() -> None:
    medic = man("red/1", "red", 50, 50, role="medic")
    unit = bare_unit("red", "red", [medic, man("red/2", "red", 60, 60)])
    state = battle(unit)
    for number, y in ((3, 49.0), (4, 51.0)):
        state.specs[f"red/{number}"] = man(f"red/{number}", "red", 50, y).spec
        state.fallen += (Casualty(f"red/{number}", "red", 50.0, y, True),)
    assert len(patients(state, medic)) == 2
    with scripted(state) as table:
        heal(table, state, medic, "red/3")
    assert patients(state, medic) == [] and len(state.fallen) == 1


# --- fire and charges -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-096", "FBN-100", "FBN-131")
def test_neither_comrades_nor_the_stunned_answer() -> None:
    """Men do not answer fire from their own side, because it is not the enemy's activation. Nor do stunned men."""
    red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 60), facing=180.0)
    more = squad("more", "blue", 1, (55, 50))
    state = battle(red, blue, more, fire_into_melee=True)
    figure, foe = blue.figures["blue/1"], red.figures["red/1"]
    assert may_answer(state, blue, figure, foe)
    assert not may_answer(state, blue, figure, more.figures["more/1"]), "it is not the enemy's activation"
    figure.mark("stunned")
    assert not may_answer(state, blue, figure, foe)


@pytest.mark.rule("FBN-041", "FBN-059", "FBN-103")
def test_who_is_in_contact_stays_when_his_unit_charges_and_open_order_is_no_cluster() -> None:
    for formation, cluster in (("open", False), ("closed", True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50), man("red/2", "red", 51, 50)], formation)
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 51), man("blue/2", "blue", 52, 56)])
        state = battle(unit, blue)
        with scripted(state) as table:
            assert charge_with_unit(table, state, unit, blue) == 1
            assert unit.figures["red/1"].at == (50, 50) and unit.figures["red/1"].ac == 3
            assert ("cluster" in unit.marks) is cluster
            begin_activation(table, state, unit)
        assert "cluster" not in unit.marks, "until its next activation"


@pytest.mark.rule("FBN-078", "FBN-273")
def test_ground_lower_than_one_of_two_men_hides_neither() -> None:
    for height, seen in ((1.9, True), (2.1, False)):
        knolls = (Height(TerrainArea(box(45, 45, 55, 55)), 2.0, 1), Height(TerrainArea(box(45, 66, 55, 68)), height, 1))
        red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 70))
        state = battle(red, blue, on=Field(book(), 100, 100, (), knolls))
        assert sees(state, red.figures["red/1"], blue.figures["blue/1"], state.field.scene((0, 0, 100, 100))) is seen


# --- guns -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-229", "FBN-205")
@pytest.mark.setting("crew_ac")
def test_no_more_than_three_salvos_however_many_ac() -> None:
    gun = Gun("machine_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=6)
    crew = [man(f"red/{i}", "red", 47.5 + i, 8.8, role="crew", weapon="none") for i in (2, 3)]
    unit = bare_unit("red", "red", crew, guns=[gun], kind="machine_gun")
    blue = squad("blue", "blue", 4, (50, 25), weapon="none")
    state = battle(unit, blue, crew_ac="crew_sum")
    for number in range(3):
        assert may_salvo(state, unit, gun)
        script = [("jam", [1])] * (number == 0) + [("shot", [2])] * 6
        with scripted(state, *script, crew_ac="crew_sum") as table:
            fire_salvo(table, state, unit, gun, blue)
    assert gun.ac == 3 and not may_salvo(state, unit, gun)


@pytest.mark.rule("FBN-205")
def test_who_has_moved_does_not_serve() -> None:
    gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 8.5, role="crew")], guns=[gun], kind="battery")
    state = battle(unit)
    assert len(crew_of(state, unit, gun)) == 1
    unit.figures["red/1"].moves, unit.figures["red/1"].ac = 1, 2
    assert crew_of(state, unit, gun) == []


@pytest.mark.rule("FBN-217", "FBN-247", "FBN-240")
def test_men_in_sections_are_safe_from_a_burst_but_their_building_is_not() -> None:
    for kind, struck in (("sections", 0), ("openable", 1)):
        inside = bare_unit("blue", "blue", [man("blue/1", "blue", 43, 43)])
        gun = Gun("light_howitzer", 43.0, 10.0, 0.0, 0.0, 2, ac=3)
        unit = bare_unit("red", "red", [man("red/1", "red", 43, 8.5, role="crew")], guns=[gun], kind="battery")
        state = battle(unit, inside, on=house(kind, rooms=3))
        inside.figures["blue/1"].place = "hut:0:0"
        with scripted(state, *[("burst", [2])] * struck) as table:
            resolve_burst(table, state, unit, gun, "shell", Impact(43.0, 43.0), None)
        assert state.houses["hut"].points == 8 - 4


# --- buildings, flight, turns -------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-242", "FBN-260", "FBN-275")
def test_nobody_enters_a_full_room_or_stands_at_a_ladder() -> None:
    unit, crowd = bare_unit("red", "red", [man("red/1", "red", 42, 38)]), squad("crowd", "red", 20, (80, 80))
    state = battle(unit, crowd, on=house())
    for left, ways in ((20, 0), (19, 1)):
        for number, figure in enumerate(crowd.figures.values()):
            figure.place = "hut:0:0" if number < left else ""
        assert len(crossings(state, unit.figures["red/1"])) == ways
    state = battle(unit, on=house("tower", level=1))
    unit.figures["red/1"].place = "hut:1:0"
    assert free_openings(state, unit.figures["red/1"]) == ["hut:rail"]


@pytest.mark.rule("FBN-256", "FBN-275")
def test_a_man_on_the_ground_does_not_reach_an_upper_window() -> None:
    for level, reached in ((0, True), (1, False)):
        red = bare_unit("red", "red", [man("red/1", "red", 43, 43)])
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 45, 39.2)])
        state = battle(red, blue, on=house(level=level))
        figure = red.figures["red/1"]
        figure.place, figure.post = f"hut:{level}:0", "hut:window"
        state.put(figure, 43, 43)
        assert (opening_between(state, figure, blue.figures["blue/1"]) is not None) is reached


@pytest.mark.rule("FBN-166")
def test_who_has_run_home_stays_where_he_is() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 6)])
    state = battle(unit, on=field())
    unit.figures["red/1"].reaction = "flee"
    with scripted(state) as table:
        carry_out_panic(table, state, unit)
    assert unit.figures["red/1"].at == (50, 6)


@pytest.mark.rule("FBN-014")
@pytest.mark.setting("pass_allowed")
def test_nobody_passes_to_himself() -> None:
    made = game({"foot": troops(position=[20, 8]), "other": troops(position=[40, 8])}, {"pass_allowed": True})
    state = made.start()
    with scripted(state, ("initiative", [5]), ("initiative", [2]), pass_allowed=True) as table:
        made.play.perform(table, state, made.play.next_step(state))  # type: ignore[arg-type]  # the first step is there
    state.waiting.remove("enemy")
    following = made.play.next_step(state)
    assert following is not None
    refused = pytest.raises(AssertionError, match=r"possible: foot, other$")
    with refused, scripted(state, ("activate", "pass"), pass_allowed=True) as table:
        made.play.perform(table, state, following)


@pytest.mark.rule("FBN-014")
@pytest.mark.setting("pass_allowed")
def test_two_players_cannot_pass_for_ever() -> None:
    made = game({"foot": troops(position=[20, 8]), "other": troops(position=[40, 8])}, {"pass_allowed": True})
    state = made.start()
    for key in state.units:
        state.units.change(key)

    def perform(*script: tuple[str, Any]) -> None:
        following = made.play.next_step(state)
        assert following is not None
        with scripted(state, *script, pass_allowed=True) as table:
            made.play.perform(table, state, following)

    perform(("initiative", [5]), ("initiative", [2]))
    perform(("activate", "pass"))
    assert state.passes == 1
    with pytest.raises(AssertionError, match=r"possible: foot, other$"):
        perform(("activate", "pass"))
    perform(("activate", "foot"))
    assert state.passes == 0, "after an activation one may pass again"


@pytest.mark.rule("FBN-112", "FBN-265")
@pytest.mark.setting("captives")
def test_a_prisoner_who_is_freed_follows_a_unit_that_has_left() -> None:
    red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 2, (20, 10))
    state = battle(red, blue, captives="escorted")
    with scripted(state, captives="escorted") as table:
        capture_man(table, state, blue, blue.figures["blue/2"], red, red.figures["red/1"])
        state.gone["blue"] = "left west"
        blue.mark("away")
        remove_man(table, state, red, red.figures["red/1"], "down", "fire")
    assert state.gone["blue"] == "left west" and not state.captives
    assert "blue/2" in blue.figures and not blue.on_table
