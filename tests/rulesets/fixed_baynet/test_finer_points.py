"""Details that only show in a direction other than north, with several rooms, or with several men."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import Figure, battle, book, house, man, rules_with, scripted, squad

from zareba.space.geometry import Point
from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.chapters.artillery import land_indirect
from zareba_rulesets.fixed_baynet.chapters.buildings import closed_doors_near, open_door, room_behind
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.melee import fight_facts
from zareba_rulesets.fixed_baynet.chapters.morale import patients
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-219", "FBN-221", "FBN-222")
@pytest.mark.parametrize(("hour", "at"), [(12, (26.8, 32.4)), (3, (27.4, 28.2)), (6, (23.2, 27.6)), (9, (22.6, 31.8))])
def test_a_guess_goes_along_the_line_and_the_clock_turns_with_it(hour: int, at: Point) -> None:
    """The target at (40, 50) is 50 inches from (10, 10). A guess of 25 lands half way and deviates 3 inches."""
    script = [("lay", [7]), ("deviation", [6]), ("direction", [hour])]
    with ScriptedTable(rules_with(), None, script) as table:
        impact = land_indirect(table, (10, 10), (40, 50), 25, "shell", "gun")
    assert (impact.x, impact.y) == pytest.approx(at)


@pytest.mark.rule("FBN-248")
def test_a_shot_through_the_wall_comes_to_the_nearest_room_that_holds_anybody() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit, on=house(rooms=3))
    for number, room in ((1, 0), (2, 2)):
        figure = unit.figures[f"red/{number}"]
        figure.x, figure.y, figure.place = 43.0 + 6 * room, 43.0, f"hut:0:{room}"
    for origin, hit in (((20.0, 43.0), "red/1"), ((80.0, 43.0), "red/2"), ((50.0, 43.0), "red/2")):
        assert [figure.spec.id for _, figure in room_behind(state, "hut", origin)] == [hit]


@pytest.mark.rule("FBN-118", "FBN-183")
def test_a_horse_is_worth_a_point_against_men_on_foot_alone() -> None:
    for mounted in (True, False):
        red = bare_unit("red", "red", [man("red/1", "red", 20, 20, mounted=True)])
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 21, 20, mounted=mounted)])
        state = battle(red, blue)
        rider, other = red.figures["red/1"], blue.figures["blue/1"]
        assert fight_facts(state, red, rider, other, True).rider is not mounted
        assert not fight_facts(state, blue, other, rider, False).rider


@pytest.mark.rule("FBN-140", "FBN-125", "FBN-146")
@pytest.mark.setting("same_event_per_turn")
def test_a_leader_who_is_killed_by_his_wound_is_one_event() -> None:
    unit = squad("red", "red", 6, leader="hero")
    state = battle(unit, same_event_per_turn="unlimited")
    before = unit.figures["red/2"].gl
    names = list(book().locations[0])
    assert "chest_heavy" in names
    leader = unit.figures["red/1"]
    die = next(face for face in range(1, 13) if _location(face) == "chest_heavy")
    with scripted(state, ("hit location", [die]), same_event_per_turn="unlimited") as table:
        resolve_hit(table, state, unit, leader, False, 1, "fire")
    assert "red/1" not in unit.figures and unit.figures["red/2"].gl == before + 1


def _location(face: int) -> str:
    from zareba_rulesets.fixed_baynet.chapters.hits import roll_hit_location

    unit = squad("red", "red", 1, leader="hero")
    state = battle(unit)
    with scripted(state, ("hit location", [face])) as table:
        return roll_hit_location(table, state.book, "red/1")


@pytest.mark.rule("FBN-168", "FBN-133")
def test_who_fell_prone_in_panic_and_has_fired_drops_again_when_his_activation_begins() -> None:
    unit = squad("red", "red", 2, weapon="none")
    state = battle(unit)
    figure: Figure = unit.figures["red/1"]
    figure.reaction = "prone"
    figure.mark("prone", "shown")
    with scripted(state) as table:
        carry_out_panic(table, state, unit)
    assert "prone" in figure.marks and "shown" not in figure.marks


@pytest.mark.rule("FBN-253")
def test_a_door_once_opened_is_nobodys_business_again() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit, on=house(heavy=True))
    opener, other = unit.figures["red/1"], unit.figures["red/2"]
    opener.x, opener.y, other.x, other.y = 42.0, 39.4, 43.0, 39.4
    assert closed_doors_near(state, opener) == closed_doors_near(state, other) == ["hut:door"]
    with scripted(state) as table:
        open_door(table, state, opener, "hut:door")
    assert closed_doors_near(state, other) == [] and opener.ac == 0 and other.ac > 0


@pytest.mark.rule("FBN-140", "FBN-203")
def test_a_bearer_who_is_hit_and_stands_is_an_event_too() -> None:
    unit = squad("red", "red", 6)
    bearer = man("red/1", "red", 0.0, 0.0, bearer=True)
    bearer.wounds = 2
    unit.figures["red/1"] = bearer
    state = battle(unit)
    before = unit.figures["red/2"].gl
    with scripted(state) as table:
        resolve_hit(table, state, unit, bearer, False, 1, "fire")
    assert bearer.wounds == 1 and unit.figures["red/2"].gl == before + 1


@pytest.mark.rule("FBN-137")
def test_a_medic_does_not_heal_himself() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 20, 20, role="medic")])
    state = battle(unit)
    unit.figures["red/1"].locations = frozenset({"arm_light"})
    assert patients(state, unit.figures["red/1"]) == []
