"""Buildings: openings, sections, doors and damage (chapter 21)."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import act_worth, acts, ask, battle, book, box, house, man, run, scripted, squad

from zareba.scenario import load_scenario
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, joint_box
from zareba.space.ground.buildings import BuildingOpening
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.buildings import (
    bash_door,
    building_targets_of_men,
    climb_ladder,
    closed_doors_near,
    cross_opening,
    crossings,
    damage_building,
    fire_at_building,
    free_openings,
    ladders,
    open_door,
    post_man,
    roll_bash,
    room_behind,
)
from zareba_rulesets.fixed_baynet.chapters.cavalry import may_mount
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact, in_contact, opening_between
from zareba_rulesets.fixed_baynet.chapters.fire import fire_shot, fire_volley
from zareba_rulesets.fixed_baynet.chapters.machine_guns import gun_targets_of_men, volley_at_gun
from zareba_rulesets.fixed_baynet.chapters.melee import (
    fight_facts,
    is_room_to_fight,
    strike_blow,
    strike_with_unit,
    strikers,
)
from zareba_rulesets.fixed_baynet.chapters.morale import heal, may_check, patients
from zareba_rulesets.fixed_baynet.chapters.movement import may_lie_down
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.sight import cover_value, range_between, sees
from zareba_rulesets.fixed_baynet.chapters.targets import (
    Answers,
    can_fire,
    fire_targets,
    firers,
    marksmen,
    target_figures,
)
from zareba_rulesets.fixed_baynet.estimates import ScenarioObjectives, UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty, open_ground
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def inside(on: Field, place: str, opening: str = "", **settings: Any) -> tuple[Battle, Unit, Figure, Unit]:
    """A man of red's in a section, and a man of blue's ten inches south of the building."""
    red = bare_unit("red", "red", [man("red/1", "red", 43, 43)])
    blue = squad("blue", "blue", 1, (45, 29), facing=0.0)
    figure = red.figures["red/1"]
    figure.place, figure.post = place, opening
    return battle(red, blue, on=on, **settings), red, figure, blue


@pytest.mark.rule("FBN-245", "FBN-246", "FBN-257", "FBN-275", "FBN-240")
def test_posted_men_fire_out_and_are_fired_at_behind_the_wall() -> None:
    state, red, figure, blue = inside(house(), "hut:0:0", "hut:window")
    figure.facing = 180.0
    foe = blue.figures["blue/1"]
    assert len(list(fire_targets(state, red))) == 1 and len(list(fire_targets(state, blue))) == 1
    scene = state.field.scene(joint_box(red.box, blue.box))
    assert cover_value(state, foe, figure, scene) == 3 and cover_value(state, figure, foe, scene) == 0
    figure.post = ""
    assert list(fire_targets(state, red)) == [] and list(fire_targets(state, blue)) == []


@pytest.mark.rule("FBN-078", "FBN-259", "FBN-240")
def test_buildings_block_sight_and_a_silo_cannot_be_entered() -> None:
    for kind in ("sections", "silo"):
        on = house(kind)
        red, blue = squad("red", "red", 1, (43, 35)), squad("blue", "blue", 1, (43, 55))
        state = battle(red, blue, on=on)
        assert not sees(state, red.figures["red/1"], blue.figures["blue/1"], state.field.scene((40, 30, 60, 60)))


def garrison(spots: list[Point], *foes: Figure, rooms: int = 1) -> tuple[Battle, Unit, Unit]:
    """Men of red's at these points of the first room of a building with rooms for figures; enemies are in the open."""
    red = bare_unit("red", "red", [man(f"red/{i + 1}", "red", x, y) for i, (x, y) in enumerate(spots)])
    blue = bare_unit("blue", "blue", list(foes))
    state = battle(red, blue, on=house("openable", rooms=rooms))
    for figure in red.figures.values():
        figure.place = "hut:0:0"
    state.active = "red"
    return state, red, blue


@pytest.mark.rule("FBN-245", "FBN-099", "FBN-241")
def test_an_answer_from_a_room_of_figures_uses_the_window_too() -> None:
    for used, answers in ((1, True), (2, False)):
        state, red, blue = garrison([(45.0, 41.0)], man("blue/1", "blue", 45, 30, facing=0.0))
        figure = red.figures["red/1"]
        figure.facing, figure.wounds, state.active = 180.0, 2, "blue"
        state.houses["hut"].used = {"hut:window": used}
        answer = [("counter-attack", "answer every hit"), ("counter-attack", [2])] if answers else []
        run(fire_volley, state, blue, red, script=[("shot", [11]), *answer])
        assert state.houses["hut"].used == {"hut:window": 2}


def in_room(kind: str = "openable", *others: Figure, rooms: int = 1, **spec: Any) -> tuple[Battle, Unit, Figure]:
    """A man of red's in the first room of a building, with men of blue's."""
    red = bare_unit("red", "red", [man("red/1", "red", 41, 41, **spec)])
    blue = bare_unit("blue", "blue", [*others, man("blue/9", "blue", 90, 90)])
    state, figure = battle(red, blue, on=house(kind, rooms=rooms)), red.figures["red/1"]
    for one in (figure, *others):
        one.place = "hut:0:0"
    return state, red, figure


def walks(state: Battle, unit: Unit, point: Point) -> None:
    run(perform_action, state, unit, "one man", script=[("what he does", "walk"), ("walk to", point)])


@pytest.mark.rule("FBN-241", "FBN-270", "FBN-050")
def test_in_a_room_where_figures_stand_a_man_walks_as_elsewhere_within_its_walls() -> None:
    state, red, figure = in_room()
    walks(state, red, (45.0, 44.0))
    assert (figure.at, figure.ac, figure.moves, figure.place) == ((45.0, 44.0), 2, 1, "hut:0:0")
    for point, reason in (((45.6, 44.0), "the walls"), ((41.0, 40.5), "of 5")):
        with pytest.raises(AssertionError, match=reason):
            walks(state, red, point)
    foe = man("blue/1", "blue", 45, 41, facing=90.0)
    state, red, figure = in_room("openable", foe)
    with pytest.raises(AssertionError, match="another figure is there"):
        walks(state, red, (44.5, 41.0))
    walks(state, red, (44.0, 41.0))
    assert state.units["blue"].events == ("flank",) and "fight" in acts(state, red)
    with pytest.raises(AssertionError, match="what he does"):
        walks(in_room("sections")[0], in_room("sections")[1], (45.0, 44.0))


@pytest.mark.rule("FBN-239", "FBN-241")
def test_men_in_a_room_do_not_stumble_over_terrain_outside() -> None:
    state, red, figure = in_room()
    ditch = TerrainPiece.area("ditch", book().terrain["trench"], box(36, 38, 39.5, 48))
    state.field = replace(state.field, pieces=(*state.field.pieces, ditch))
    state.night = True
    walks(state, red, (41.0, 44.0))
    assert "halted" not in figure.marks


@pytest.mark.rule("FBN-241")
def test_the_way_to_a_door_is_measured_in_a_room_and_stairs_cost_their_height() -> None:
    for x, crosses in ((41.0, True), (40.9, False)):
        state, _, figure = in_room(rooms=2)
        state.put(figure, x, 43.0)
        assert ("hut:0:1" in [to for _, to in crossings(state, figure)]) is crosses
    stairs = BuildingOpening("hut:inner0", "stairs", "hut:0:0", "hut:0:1", (44.0, 43.0), 0)
    for away, crosses in ((3.0, True), (3.1, False)):  # 3 inches and 2 inches up make 5
        state, _, figure = in_room(rooms=2)
        state.field.buildings["hut"].openings["hut:inner0"] = stairs  # type: ignore[index]  # our copy
        state.put(figure, 44.0 - away, 43.0)
        assert ("hut:0:1" in [to for _, to in crossings(state, figure)]) is crosses


@pytest.mark.rule("FBN-241", "FBN-169", "FBN-170")
def test_panicking_men_go_for_an_enemy_in_their_room() -> None:
    for reaction in ("onwards", "berserk"):
        state, red, figure = in_room("openable", man("blue/1", "blue", 45, 45), weapon="none")
        figure.reaction = reaction
        blows = [("blow", [1]), ("parry", [1])] * 2
        run(carry_out_panic, state, red, script=blows)
        assert figure.place and (figure.ac, figure.moves, figure.attacks) == (0, 1, 2)


@pytest.mark.rule("FBN-241", "FBN-166")
def test_man_fleeing_from_a_large_room_walks_to_its_door() -> None:
    state, red, figure = in_room(sp=4, ac=2)
    figure.reaction, figure.x, figure.y = "flee", 45.5, 45.5
    run(carry_out_panic, state, red)
    assert figure.place == "" and figure.moves == 2


@pytest.mark.rule("FBN-005", "FBN-241")
def test_man_entering_a_room_takes_a_free_spot_near_the_door() -> None:
    state, red, first = in_room("openable", *[man(f"blue/{i}", "blue", 40.5 + 1.25 * i, 40.5) for i in range(3)])
    late = man("red/2", "red", 42, 39)
    first.x, first.y = 40.5, 42.0
    red.figures["red/2"] = late
    run(cross_opening, state, red, late, state.field.openings["hut:door"], "hut:0:0")
    others = [
        figure
        for unit in state.units.values()
        for figure in unit.figures.values()
        if figure is not late and figure.place
    ]
    assert all(hypot(other.x - late.x, other.y - late.y) >= 1 for other in others) and late.y < 43


@pytest.mark.rule("FBN-253", "FBN-256", "FBN-241")
def test_figures_in_rooms_fight_through_their_openings() -> None:
    for at, reached in (((45.0, 38.5), True), ((45.0, 38.4), False), ((43.0, 39.0), False)):
        state, red, figure = in_room("openable")
        figure.x, figure.y = 45.0, 40.5
        blue = bare_unit("out", "blue", [man("out/1", "blue", *at)])
        state.units["out"] = blue
        foe = blue.figures["out/1"]
        assert (strikers(state, red) == [figure]) is reached and (strikers(state, blue) == [foe]) is reached
        assert target_figures(state, "blue", red) == ([] if reached else [figure])
    figure.x, foe.x, foe.y = 42.0, 42.0, 38.6
    assert strikers(state, red) == [figure], "through the door as through the window"
    facts = fight_facts(state, red, figure, foe, False), fight_facts(state, blue, foe, figure, True)
    assert [fact.shelter for fact in facts] == ["doorway", "none"]
    heavy = battle(red, blue, on=house("openable", heavy=True))
    assert strikers(heavy, red) == []
    heavy.houses["hut"].open_doors = frozenset({"hut:door"})
    assert strikers(heavy, red) == [figure]


@pytest.mark.rule("FBN-242", "FBN-244")
def test_sections_hold_a_squad_and_join_by_inner_doors() -> None:
    state, _, figure, _ = inside(house(rooms=2), "hut:0:0")
    assert {to for _, to in crossings(state, figure)} == {"", "hut:0:1"}
    crowd = squad("crowd", "red", 20, (80, 80))
    for member in crowd.figures.values():
        member.place = "hut:0:1"
    state.units["crowd"] = crowd
    assert {to for _, to in crossings(state, figure)} == {""}


def outside(on: Field, **spec: Any) -> tuple[Battle, Unit, Figure]:
    red = bare_unit("red", "red", [man("red/1", "red", 42, 38, **spec)])
    return battle(red, on=on), red, red.figures["red/1"]


@pytest.mark.rule("FBN-260", "FBN-242", "FBN-275")
def test_a_watchtower_holds_four_and_its_ladder_takes_a_turn() -> None:
    state, red, figure = outside(house("tower", level=1))
    figure.x, figure.y = 43.0, 39.0
    [ladder] = ladders(state, figure)
    run(climb_ladder, state, red, figure, ladder)
    assert (figure.place, figure.post, figure.ac, figure.z) == ("hut:1:0", "hut:rail", 0, 2.0)
    for number in range(2, 6):
        mate = man(f"red/{number}", "red", 43, 39)
        red.figures[mate.id] = mate
        if number < 5:
            mate.place, mate.post = "hut:1:0", "hut:rail"
    state.houses["hut"].used = {"hut:rail": 7}
    assert can_fire(state, red.figures["red/2"])
    assert ladders(state, red.figures["red/5"]) == []


@pytest.mark.rule("FBN-243", "FBN-275")
def test_posting_is_free_and_two_to_each() -> None:
    state, red, figure, _ = inside(house(), "hut:0:0")
    for number in range(2, 5):
        mate = man(f"red/{number}", "red", 43, 43)
        mate.place = "hut:0:0"
        red.figures[mate.id] = mate
    run(perform_action, state, red, "man the openings")
    assert sorted(man.post for man in red.figures.values()) == ["hut:door", "hut:door", "hut:window", "hut:window"]
    assert figure.ac == 3
    assert free_openings(state, figure) == []


@pytest.mark.rule("FBN-244", "FBN-254")
def test_crossing_a_boundary_uses_ac_for_movement_only() -> None:
    men = [man("red/1", "red", 42, 38, role="officer", spare="pistol"), man("red/2", "red", 43, 38)]
    unit = bare_unit("red", "red", men)
    state = battle(unit, squad("far", "red", 1, (47, 38)), on=house())
    men[0].flares, state.units["far"].figures["far/1"].gl = 1, 6
    assert {("flare", "red/1"), ("rally", "red/1", "far")} <= set(acts(state, unit))
    [(way, to)] = crossings(state, men[0])
    run(cross_opening, state, unit, men[0], way, to)
    assert men[0].ac == 2 and crossings(state, men[0]), "he may go out again"
    assert not {("flare", "red/1"), ("rally", "red/1", "far")} & set(acts(state, unit))
    assert may_lie_down(men[1]) and not may_lie_down(men[0])
    men[1].gl = 6
    assert not may_check(state, unit)
    men[0].unmark("crossed")
    assert may_check(state, unit)
    before = battle(bare_unit("red", "red", [man("red/1", "red", 42, 38)]), on=house())
    figure = before.units["red"].figures["red/1"]
    assert crossings(before, figure)
    figure.ac -= 1  # a blow at a door or a rally bars a crossing
    assert crossings(before, figure) == []
    figure.moves += 1  # a step does not
    assert crossings(before, figure)


@pytest.mark.rule("FBN-186", "FBN-244")
def test_man_may_not_mount_after_going_through_a_door() -> None:
    rider = man("red/1", "red", 42, 38, rides=True)
    state = battle(bare_unit("red", "red", [rider]), on=house())
    rider.mark("horse 42.00 38.00")
    assert may_mount(state, rider)
    rider.mark("crossed")
    assert not may_mount(state, rider)


@pytest.mark.rule("FBN-145", "FBN-244")
def test_charge_out_of_a_door_into_an_enemys_back_hits_the_rear() -> None:
    for facing, events in ((180.0, ("flank",)), (0.0, ())):
        state, red, figure = in_room("sections")
        blue = bare_unit("back", "blue", [man("back/1", "blue", 41.78, 38.29, facing=facing)])
        state.units["back"] = blue
        run(cross_opening, state, red, figure, state.field.openings["hut:door"], "")
        assert blue.events == events


@pytest.mark.rule("FBN-048", "FBN-050", "FBN-244", "FBN-252")
def test_the_way_to_a_door_is_a_move_like_others() -> None:
    """A man enters over five inches of flat ground, but not over jagged ground, past an enemy or over a wall."""
    hut, scrub = house(), TerrainPiece.area("scrub", book().terrain["dense_forest"], box(30, 30, 50, 38), over=False)
    wall = TerrainPiece.line("wall", book().terrain["stone_wall"], [(30.0, 38.5), (50.0, 38.5)])
    for pieces, foe, enters in (((), (46, 37), 1), ((), (42, 38), 0), ((scrub,), (46, 37), 0), ((wall,), (46, 37), 0)):
        field = replace(hut, pieces=(*hut.pieces, *pieces))
        red = bare_unit("red", "red", [man("red/1", "red", 42, 35, sp=5)])
        state = battle(red, bare_unit("blue", "blue", [man("blue/1", "blue", *foe)]), on=field)
        assert len(crossings(state, red.figures["red/1"])) == enters


@pytest.mark.rule("FBN-065", "FBN-251", "FBN-252", "FBN-244")
def test_light_doors_cost_nothing_and_crossing_leaves_only_movement() -> None:
    state, red, figure = outside(house())
    assert not open_ground(state, 43, 43)
    [(way, to)] = crossings(state, figure)
    assert (way.id, to) == ("hut:door", "hut:0:0")
    run(cross_opening, state, red, figure, way, to)
    assert (figure.place, figure.ac, figure.moves) == ("hut:0:0", 2, 1)
    assert firers(state, red) == []
    state, red, figure = outside(house())
    figure.attacks = 1
    assert crossings(state, figure) == []
    assert crossings(outside(house(), mounted=True)[0], outside(house(), mounted=True)[2]) == []


@pytest.mark.rule("FBN-245", "FBN-247")
def test_shots_at_buildings_and_guns_use_up_a_window() -> None:
    men = [man(f"red/{number}", "red", 43 + number, 43) for number in (1, 2, 3)]
    unit = bare_unit("red", "red", men)
    gun = Gun("light_gun", 45.0, 20.0, 0.0, 0.0, 2)
    state = battle(unit, bare_unit("guns", "blue", [man("guns/1", "blue", 70, 70)], guns=[gun]), on=house())
    state.active = "red"
    for figure in men:
        figure.place, figure.post = "hut:0:0", "hut:window"
    run(perform_action, state, unit, ("fire at gun", "guns", 0), script=[("shot", [2]), ("shot", [2])])
    assert state.houses["hut"].used == {"hut:window": 2} and [figure.attacks for figure in men] == [1, 1, 0]


AT_THE_WINDOW = [(45.0, 40.6), (45.0, 41.7), (45.0, 42.8)]


@pytest.mark.rule("FBN-245", "FBN-204", "FBN-247")
def test_pieces_and_walls_are_shot_at_through_windows_by_two_men_as_well() -> None:
    state, red, blue = garrison(AT_THE_WINDOW, man("blue/1", "blue", 60, 20, role="crew", weapon="none"))
    gun = Gun("light_gun", 45.0, 30.0, 0.0, 0.0, 2)
    blue.guns.append(gun)
    blue.measure()
    run(volley_at_gun, state, red, blue, gun, list(red.figures.values()), script=[("shot", [1])] * 2)
    assert (
        state.houses["hut"].used == {"hut:window": 2}
        and gun_targets_of_men(state, red, marksmen(state, red, [red.figures["red/3"]])) == []
    )


@pytest.mark.rule("FBN-245", "FBN-253")
def test_men_are_not_posted_at_a_closed_heavy_door() -> None:
    for heavy, opened, posts in ((False, False, 2), (True, False, 1), (True, True, 2)):
        figure = man("red/1", "red", 43, 43)
        state = battle(bare_unit("red", "red", [figure]), on=house(heavy=heavy))
        figure.place = "hut:0:0"
        if opened:
            state.houses["hut"].open_doors = frozenset({"hut:door"})
        assert len(free_openings(state, figure)) == posts


@pytest.mark.rule("FBN-078", "FBN-245", "FBN-253")
def test_figures_in_rooms_see_through_open_doors() -> None:
    state, _, figure = in_room("openable", man("blue/1", "blue", 50, 43), rooms=2)
    foe = state.units["blue"].figures["blue/1"]
    foe.place = "hut:0:1"
    for y, seen in ((43.0, True), (41.0, False)):
        figure.y = foe.y = y
        assert sees(state, figure, foe, state.field.scene((30, 30, 60, 60))) is seen
    outside = man("blue/2", "blue", 42, 30)
    for heavy, opened, seen in ((False, False, True), (True, False, False), (True, True, True)):
        state = battle(bare_unit("red", "red", [figure]), on=house("openable", heavy=heavy))
        figure.x, figure.y = 42.0, 43.0
        if opened:
            state.houses["hut"].open_doors = frozenset({"hut:door"})
        assert sees(state, figure, outside, state.field.scene((30, 20, 60, 60))) is seen


@pytest.mark.rule("FBN-245", "FBN-275")
def test_two_men_to_an_opening_in_a_turn() -> None:
    state, red, figure, blue = inside(house(), "hut:0:0", "hut:window")
    mate = man("red/2", "red", 44, 43)
    mate.place = "hut:0:0"
    red.figures["red/2"] = mate
    run(fire_shot, state, red, figure, blue, blue.figures["blue/1"], OPEN_WINDOW, Answers(), script=[("shot", [2])])
    mate.post = "hut:window"
    assert can_fire(state, mate)
    state.houses["hut"].used = {"hut:window": 2}
    assert not can_fire(state, mate) and can_fire(state, figure)
    assert free_openings(state, figure) == ["hut:door"]


@pytest.mark.rule("FBN-247")
def test_any_building_without_friends_may_be_shot_at() -> None:
    red = squad("red", "red", 1, (43, 30))
    state = battle(red, on=house())
    ready = firers(state, red)
    assert building_targets_of_men(state, red, marksmen(state, red, ready)) == ["hut"]
    inside = squad("friend", "red", 1, (43, 43))
    inside.figures["friend/1"].place = "hut:0:0"
    state.units["friend"] = inside
    assert building_targets_of_men(state, red, marksmen(state, red, ready)) == []
    state.houses["hut"].points = 0
    inside.figures["friend/1"].place = ""
    assert building_targets_of_men(state, red, marksmen(state, red, ready)) == []


@pytest.mark.rule("FBN-249", "FBN-247")
def test_damage_points_by_wall_and_size() -> None:
    found = {}
    for row, rooms in (("wooden_building", 1), ("wooden_building", 2), ("stone_building", 1), ("stone_building", 4)):
        found[row, rooms] = battle(on=house(row=row, rooms=rooms)).houses["hut"].points
    assert list(found.values()) == [4, 6, 5, 11]


@pytest.mark.rule("FBN-247")
@pytest.mark.setting("building_targets")
def test_small_arms_may_fire_at_buildings_or_not() -> None:
    for setting, targets in (("any", ["hut"]), ("artillery", [])):
        state, _, _, blue = inside(house(building_targets=setting), "hut:0:0", building_targets=setting)
        assert building_targets_of_men(state, blue, marksmen(state, blue, firers(state, blue))) == targets
    for y, targets in ((15.5, ["hut"]), (15.4, [])):  # a rifle reaches 24 inches from his base
        state, _, _, blue = inside(house(), "hut:0:0")
        state.put(blue.figures["blue/1"], 45.0, y)
        assert building_targets_of_men(state, blue, marksmen(state, blue, firers(state, blue))) == targets
    state, _, _, blue = inside(house(), "hut:0:0")
    run(fire_at_building, state, blue, "hut", firers(state, blue), script=[("shot", [3])])
    assert state.houses["hut"].points == 3 and blue.figures["blue/1"].ac == 2


@pytest.mark.rule("FBN-247", "FBN-248")
def test_only_critical_shots_of_a_volley_pierce_a_wall() -> None:
    for score, left in ((11, ["red/1"]), (12, [])):
        state, red, _, blue = inside(house(), "hut:0:0")
        state.active = "blue"
        run(perform_action, state, blue, ("fire at house", "hut"), script=[("shot", [score])])
        assert list(red.figures) == left and state.houses["hut"].points == 3


@pytest.mark.rule("FBN-248")
def test_a_shot_through_the_wall_comes_to_the_nearest_room_that_holds_anybody() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit, on=house(rooms=3))
    for number, room in ((1, 0), (2, 2)):
        figure = unit.figures[f"red/{number}"]
        figure.x, figure.y, figure.place = 43.0 + 6 * room, 43.0, f"hut:0:{room}"
    for origin, hit in (((20.0, 43.0), "red/1"), ((80.0, 43.0), "red/2"), ((50.0, 43.0), "red/2")):
        assert [figure.spec.id for _, figure in room_behind(state, "hut", origin)] == [hit]


@pytest.mark.rule("FBN-248")
@pytest.mark.setting("building_critical")
def test_a_critical_pierces_the_wall() -> None:
    for setting, curable in (("wound", True), ("bloody_death", False)):
        state, red, _, blue = inside(house(), "hut:0:0", building_critical=setting)
        red.figures["red/2"] = man("red/2", "red", 44, 43)
        red.figures["red/2"].place = "hut:0:0"
        with scripted(state, ("who is hit inside", "red/2"), building_critical=setting) as table:
            damage_building(table, state, "hut", 1, True, False, blue)
        assert list(red.figures) == ["red/1"] and state.fallen[0].curable is curable
    state, red, _, blue = inside(house(rooms=2), "hut:0:0")
    red.figures["red/2"] = man("red/2", "red", 44, 43)
    red.figures["red/2"].place = "hut:0:0"
    run(damage_building, state, "hut", 2, True, True, blue)
    assert not red.figures and state.houses["hut"].points == 4


@pytest.mark.rule("FBN-250")
def test_each_man_in_a_house_that_falls_is_struck_once_with_his_ds() -> None:
    unit = bare_unit("red", "red", [man(f"red/{i}", "red", 41 + i, 43) for i in (1, 2, 3, 4)])
    state = battle(unit, on=house())
    for figure in unit.figures.values():
        figure.place = "hut:0:0"
    with scripted(state, ("collapse", [4]), ("collapse", [5]), ("collapse", [12]), ("collapse", [1])) as table:
        damage_building(table, state, "hut", 4, False, True, None)
    assert list(unit.figures) == ["red/1", "red/4"]
    assert [casualty.curable for casualty in state.fallen] == [True, False]
    assert all(not figure.place for figure in unit.figures.values())


@pytest.mark.rule("FBN-137", "FBN-250")
def test_a_medic_reaches_who_fell_in_a_house_that_has_come_down() -> None:
    medic = man("red/1", "red", 43, 43, role="medic")
    unit = bare_unit("red", "red", [medic])
    state = battle(unit, on=house())
    state.specs["red/2"] = man("red/2", "red", 0, 0).spec
    state.fallen = (Casualty("red/2", "red", 43.0, 44.0, True, "hut:0:0"),)
    assert patients(state, medic) == []
    with scripted(state) as table:
        damage_building(table, state, "hut", 9, False, False, None)
        assert patients(state, medic) == [("fallen", "red/2")]
        assert heal(table, state, medic, "red/2")
    assert not unit.figures["red/2"].place


@pytest.mark.rule("FBN-250")
def test_a_building_at_no_points_is_rubble() -> None:
    state, _red, figure, blue = inside(house(), "hut:0:0", "hut:door")
    run(damage_building, state, "hut", 9, False, False, blue, script=[("collapse", [4])])
    assert (figure.place, figure.post, state.houses["hut"].points) == ("", "", 0)
    assert open_ground(state, 43, 43)
    assert state.field.straight_move((38, 43), (48, 43), False, frozenset({"hut"})).difficulty == 1
    assert sees(state, figure, blue.figures["blue/1"], state.field.scene((30, 20, 60, 60)))
    foe = blue.figures["blue/1"]
    assert cover_value(state, foe, figure, state.field.scene((30, 20, 60, 60))) == 1


@pytest.mark.rule("FBN-251", "FBN-253")
def test_a_heavy_door_takes_a_mans_whole_activation() -> None:
    state, red, figure = outside(house(heavy=True))
    mate = man("red/2", "red", 43, 38)
    red.figures["red/2"] = mate
    assert crossings(state, figure) == [] and closed_doors_near(state, figure) == []
    figure.y = 39.0
    assert closed_doors_near(state, figure) == ["hut:door"]
    assert ("open", "red/1", "hut:door") in acts(state, red)
    with scripted(state) as table:
        open_door(table, state, figure, "hut:door")
    assert figure.ac == 0 and len(crossings(state, mate)) == 1
    assert [event.data["door"] for event in table.events if event.kind == "door open"] == ["hut:door"]
    state, red, figure = outside(house(heavy=True))
    figure.y, figure.ac = 39.0, 2
    assert ("open", "red/1", "hut:door") not in acts(state, red)


@pytest.mark.rule("FBN-253")
def test_opened_door_offers_no_further_action() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit, on=house(heavy=True))
    opener, other = unit.figures["red/1"], unit.figures["red/2"]
    opener.x, opener.y, other.x, other.y = 42.0, 39.4, 43.0, 39.4
    assert closed_doors_near(state, opener) == closed_doors_near(state, other) == ["hut:door"]
    run(open_door, state, opener, "hut:door")
    assert closed_doors_near(state, other) == [] and opener.ac == 0 and other.ac > 0


@pytest.mark.rule("FBN-130", "FBN-254")
@pytest.mark.setting("bash_die")
def test_bashing_a_door() -> None:
    state, _, figure = outside(house(heavy=True))
    with scripted(state, ("bash", [3]), ("bash", [4])) as table:
        assert not bash_door(table, state, figure, "hut:door")
        assert bash_door(table, state, figure, "hut:door")
    assert figure.ac == 1 and "hut:door" in state.houses["hut"].open_doors
    for signs, needs in (("sense", 5), ("literal", 3)):
        _, red, figure = outside(house(heavy=True))
        state = battle(red, on=house(heavy=True), sign_reading=signs)
        figure.locations = frozenset({"chest_light"})
        with scripted(state, ("bash", [needs - 1]), ("bash", [needs]), sign_reading=signs) as table:
            assert not bash_door(table, state, figure, "hut:door")
            assert bash_door(table, state, figure, "hut:door"), "his CS is another with a chest wound"
    for setting, p in (("d12", "3/4"), ("d6", "1/2")):
        assert str(ask("door", {"bash_die": setting}).probability(lambda o: o.opened)) == p
    with scripted(state, ("bash", [1])) as table:
        assert not roll_bash(table, 9, "man")
    with scripted(state, ("bash", [12])) as table:
        assert roll_bash(table, -20, "man")


def at_window(facing: float = 0.0, at: Point = (45.0, 33.0)) -> tuple[Battle, Unit, Figure, Unit]:
    """A man of red's at a window in the south wall, and a man of blue's outdoors to the south."""
    red = bare_unit("red", "red", [man("red/1", "red", 43, 43, facing=facing)])
    blue = bare_unit("blue", "blue", [man("blue/1", "blue", *at, facing=0.0)])
    state, figure = battle(red, blue, on=house()), red.figures["red/1"]
    figure.place, figure.post = "hut:0:0", "hut:window"
    return state, red, figure, blue


@pytest.mark.rule("FBN-103", "FBN-255", "FBN-256", "FBN-275")
def test_blows_are_offered_through_a_window_and_right_across_a_room() -> None:
    state, red, figure, blue = at_window(at=(45.0, 39.1))
    figure.x, figure.y = 40.5, 45.5  # his position in the room does not matter
    red.measure()
    assert strikers(state, blue) == list(blue.figures.values()) and strikers(state, red) == [figure]
    assert "fight" in acts(state, blue) and "fight" in acts(state, red)
    assert target_figures(state, "blue", red) == [], "nobody fires into that fight"
    foe = blue.figures["blue/1"]
    state.put(foe, 45.0, 30.0)
    blue.measure()
    assert "fight" not in acts(state, blue) and target_figures(state, "blue", red) == [figure]
    foe.place, figure.post = "hut:0:0", ""
    state.put(foe, 45.5, 40.5)
    blue.measure()
    assert "fight" in acts(state, red) and "fight" in acts(state, blue)
    assert fight_facts(state, red, figure, foe, False).rear is False


@pytest.mark.rule("FBN-275", "FBN-255")
def test_in_a_section_all_are_seen_near_and_touched() -> None:
    state, _, figure, _ = inside(house(), "hut:0:0")
    foe = bare_unit("foe", "blue", [man("foe/1", "blue", 41, 45)])
    foe.figures["foe/1"].place = "hut:0:0"
    state.units["foe"] = foe
    foe.measure()
    other = foe.figures["foe/1"]
    assert sees(state, figure, other, OPEN_WINDOW) and range_between(state, figure, other) == 0
    assert [foe.id for foe in foes_in_contact(state, figure, "red")] == ["foe/1"]
    assert cover_value(state, figure, other, OPEN_WINDOW) == 0


@pytest.mark.rule("FBN-256", "FBN-275")
def test_two_men_a_side_fight_through_a_door_whoever_strikes() -> None:
    state, red, figure, blue = at_window()
    post_man(state, figure, "hut:door")
    for number in (1, 2, 3):
        key = f"blue/{number}"
        blue.figures[key] = man(key, "blue", 41.0 + 0.3 * number, 39.1)
    foes = list(blue.figures.values())
    assert all(is_room_to_fight(state, figure, foe) for foe in foes)
    for foe in foes[:2]:
        with scripted(state, ("blow", [5]), ("parry", [3])) as table:  # a defender at a door adds 2
            strike_blow(table, state, red, figure, foe)
    assert [is_room_to_fight(state, figure, foe) for foe in foes] == [True, True, False]
    assert [is_room_to_fight(state, foe, figure) for foe in foes] == [True, True, False]
    blue.measure()
    assert run(strike_with_unit, state, blue, script=[("blow", [5]), ("parry", [3])] * 2) == 2


@pytest.mark.rule("FBN-256", "FBN-275")
def test_man_killed_at_a_door_makes_room_for_another() -> None:
    state, red, figure, blue = at_window()
    post_man(state, figure, "hut:door")
    for number in (1, 2, 3):
        key = f"blue/{number}"
        blue.figures[key] = man(key, "blue", 41.0 + 0.3 * number, 39.1)
    blue.measure()
    first, second, third = blue.figures.values()
    with scripted(state, ("blow", [5]), ("parry", [3]), ("blow", [6]), ("parry", [1])) as table:
        strike_blow(table, state, red, figure, first)
        assert is_room_to_fight(state, figure, third)
        strike_blow(table, state, red, figure, second)
    assert list(blue.figures) == ["blue/1", "blue/3"] and is_room_to_fight(state, figure, third)


def at_door(inside: bool) -> Battle:
    """Red strikes at blue, through a door if blue is behind it."""
    red = squad("red", "patrol", 1, (42, 39.1) if inside else (42, 20))
    blue = squad("blue", "tribesmen", 1, (42, 41) if inside else (42, 21), facing=180.0)
    state = battle(red, blue, on=house())
    foe = blue.figures["blue/1"]
    if inside:
        foe.place = "hut:0:0"
        post_man(state, foe, "hut:door")
    return state


@pytest.mark.rule("FBN-256", "FBN-266")
def test_a_commander_knows_that_those_behind_a_door_have_two_more() -> None:
    worths = []
    for inside in (False, True):
        state = at_door(inside)
        red = state.units["red"]
        assert "fight" in acts(state, red)
        worths.append(
            act_worth(
                UnitView(state, ScenarioObjectives(load_scenario("patrol_clash"), state.field), red), "fight"
            ).total
        )
    assert worths[0] > 0 > worths[1]


@pytest.mark.rule("FBN-256", "FBN-275")
@pytest.mark.setting("doorway_cc")
def test_fights_through_a_door_favour_the_defender() -> None:
    for setting, attacker in (("defender", "none"), ("both", "doorway")):
        state, red, figure, blue = inside(house(), "hut:0:0", "hut:door", doorway_cc=setting)
        foe = blue.figures["blue/1"]
        foe.x, foe.y = 42.0, 39.0
        blue.measure()
        assert opening_between(state, figure, foe) is not None and in_contact(state, figure, foe, 0.05)
        assert fight_facts(state, blue, foe, figure, True).shelter == attacker
        assert fight_facts(state, red, figure, foe, False).shelter == "doorway"
        foe.y = 37.9
        assert opening_between(state, figure, foe) is None


@pytest.mark.rule("FBN-079", "FBN-256")
@pytest.mark.parametrize(("y", "targets"), [(39.0, []), (37.9, ["blue/1"])])
def test_a_man_fighting_through_a_door_with_a_friend_is_no_target(y: float, targets: list[str]) -> None:
    state, _, _, blue = inside(house(), "hut:0:0", "hut:door")
    foe = blue.figures["blue/1"]
    foe.x, foe.y = 42.0, y
    blue.measure()
    assert [man.id for man in target_figures(state, "red", blue)] == targets


@pytest.mark.rule("FBN-256")
def test_at_most_two_a_side_fight_through_a_door() -> None:
    state, _, figure, blue = inside(house(), "hut:0:0", "hut:door")
    foe = blue.figures["blue/1"]
    foe.x, foe.y = 42.0, 39.0
    for number in (2, 3):
        mate = man(f"blue/{number}", "blue", 42 + 0.1 * number, 39)
        blue.figures[mate.id] = mate
    blue.measure()
    assert is_room_to_fight(state, foe, figure)
    blue.figures["blue/2"].mark("through hut:door")
    blue.figures["blue/3"].mark("through hut:door")
    assert not is_room_to_fight(state, foe, figure)
    assert is_room_to_fight(state, blue.figures["blue/2"], figure)


@pytest.mark.rule("FBN-258")
@pytest.mark.parametrize("ground", [0.0, 3.0])
def test_a_line_of_just_45_degrees_is_allowed(ground: float) -> None:
    for y, seen in ((39.98 - 4, True), (36.0, False)):  # 4" below a window in a wall at 39.98
        red = bare_unit("red", "red", [man("red/1", "red", 43, 43)])
        blue = squad("blue", "blue", 1, (45, y))
        state = battle(red, blue, on=house(level=2))
        figure = red.figures["red/1"]
        figure.place, figure.post, figure.z = "hut:2:0", "hut:window", ground + 4.0
        blue.figures["blue/1"].z = ground
        assert sees(state, figure, blue.figures["blue/1"], state.field.scene((40, 20, 60, 60))) is seen


@pytest.mark.rule("FBN-258")
@pytest.mark.setting("angle_rule")
def test_no_shots_steeper_than_45_degrees_between_levels() -> None:
    for setting, near, far in (("vertical", False, True), ("off", True, True)):
        for y, expected in ((37.5, near), (35.0, far)):
            state, _red, figure, blue = inside(
                house(level=2, angle_rule=setting), "hut:2:0", "hut:window", angle_rule=setting
            )
            figure.z = 4.0
            blue.figures["blue/1"].x, blue.figures["blue/1"].y = 45.0, y
            scene = state.field.scene((40, 20, 60, 60))
            assert sees(state, figure, blue.figures["blue/1"], scene) is expected


@pytest.mark.rule("FBN-260", "FBN-275")
def test_all_men_of_a_tower_stand_at_its_rail() -> None:
    unit = squad("red", "red", 4, (43, 43))
    state = battle(unit, on=house("tower", level=1))
    tower = state.field.buildings["hut"]
    assert isinstance(tower.openings["hut:ladder"], BuildingOpening)
    for figure in unit.figures.values():
        figure.place = "hut:1:0"
    run(perform_action, state, unit, "man the openings")
    assert {figure.post for figure in unit.figures.values()} == {"hut:rail"} and len(firers(state, unit)) == 4


@pytest.mark.rule("FBN-137", "FBN-275")
def test_medic_reaches_everyone_in_his_room_but_not_through_its_wall() -> None:
    medic = man("red/1", "red", 41, 41, role="medic")
    unit = bare_unit("red", "red", [medic, man("red/2", "red", 45, 45, role="hero")])
    state = battle(unit, on=house())
    state.specs["red/3"] = man("red/3", "red", 0, 0).spec
    hero = unit.figures["red/2"]
    hero.locations = frozenset({"leg_light"})
    for own, other, found in (("hut:0:0", "hut:0:0", 2), ("hut:0:0", "", 0), ("", "hut:0:0", 0), ("", "", 0)):
        medic.place, hero.place = own, other
        state.fallen = (Casualty("red/3", "red", 45.0, 44.0, True, other),)
        assert len(patients(state, medic)) == found
    medic.place, medic.x, medic.y = "", 45.0, 39.5
    state.fallen = (Casualty("red/3", "red", 45.0, 40.2, True, "hut:0:0"),)
    assert patients(state, medic) == []


@pytest.mark.rule("FBN-275")
def test_a_man_is_posted_once_in_an_activation() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 43, 43), man("red/2", "red", 44, 43)])
    state = battle(unit, on=house())
    for figure in unit.figures.values():
        figure.place = "hut:0:0"
    with scripted(state) as table:
        perform_action(table, state, unit, "man the openings")
    assert [figure.post for figure in unit.figures.values()] == ["hut:door"] * 2
    again = [("which man", "red/1"), ("what he does", ("post", "hut:window"))]
    with pytest.raises(AssertionError, match="what he does"), scripted(state, *again) as table:
        perform_action(table, state, unit, "one man")
    unit.figures["red/1"].post = ""
    assert "man the openings" not in acts(state, unit), "he has had his place"
