"""Men in rooms and at openings: interactions of chapters 12, 13 and 21."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, book, box, house, man, scripted, squad

from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.space.ground.buildings import BuildingOpening
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.aiming import firers, may_answer, target_figures
from zareba_rulesets.fixed_baynet.chapters.buildings import (
    cross_opening,
    crossings,
    damage_building,
    free_openings,
    ladders,
    post_man,
)
from zareba_rulesets.fixed_baynet.chapters.cavalry import may_mount
from zareba_rulesets.fixed_baynet.chapters.fire import fire_volley
from zareba_rulesets.fixed_baynet.chapters.melee import (
    fight_facts,
    is_room_to_fight,
    strike_blow,
    strike_with_unit,
    strikers,
)
from zareba_rulesets.fixed_baynet.chapters.morale import heal, patients
from zareba_rulesets.fixed_baynet.chapters.movement import settle_contacts
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def shoot_once(state: Battle, unit: Unit, target: Unit, **settings: Any) -> None:
    with scripted(state, ("shot", [2]), **settings) as table:
        assert fire_volley(table, state, unit, target) == 1


def at_window(facing: float = 0.0, at: Point = (45.0, 33.0)) -> tuple[Battle, Unit, Figure, Unit]:
    """A man of red's at a window in the south wall, and a man of blue's outdoors to the south."""
    red = bare_unit("red", "red", [man("red/1", "red", 43, 43, facing=facing)])
    blue = bare_unit("blue", "blue", [man("blue/1", "blue", *at, facing=0.0)])
    state, figure = battle(red, blue, on=house()), red.figures["red/1"]
    figure.place, figure.post = "hut:0:0", "hut:window"
    return state, red, figure, blue


@pytest.mark.rule("FBN-049", "FBN-275", "FBN-099")
def test_a_man_at_a_window_looks_out_and_answers_from_there() -> None:
    state, red, figure, blue = at_window()
    state.active = "blue"
    foe = blue.figures["blue/1"]
    assert not may_answer(state, red, figure, foe), "he looks into the room"
    post_man(state, figure, "hut:window")
    assert figure.facing == pytest.approx(146.5, abs=1) and may_answer(state, red, figure, foe)
    state, red, figure, blue = at_window(facing=35.0, at=(52.0, 36.0))
    assert may_answer(state, red, figure, blue.figures["blue/1"]), "as the arc runs from the opening"
    figure.facing = 25.0
    assert not may_answer(state, red, figure, blue.figures["blue/1"])
    state, red, figure, blue = at_window()
    shoot_once(state, red, blue)
    assert figure.facing == pytest.approx(180.0)


@pytest.mark.rule("FBN-245", "FBN-099")
def test_an_answer_uses_a_window_like_any_shot() -> None:
    for used, answers in ((1, True), (2, False)):
        state, red, figure, blue = at_window(facing=180.0)
        figure.wounds, figure.mounted = 2, False
        state.active = "blue"
        state.houses["hut"].used = {"hut:window": used}
        answer = [("counter-attack", "answer every hit"), ("counter-attack", [2])] if answers else []
        with scripted(state, ("shot", [11]), *answer) as table:
            fire_volley(table, state, blue, red)
        assert state.houses["hut"].used == {"hut:window": 2}


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
    with scripted(state, *[("blow", [5]), ("parry", [3])] * 2) as table:
        assert strike_with_unit(table, state, blue) == 2


@pytest.mark.rule("FBN-256", "FBN-275")
def test_who_falls_at_a_door_makes_room_for_a_third() -> None:
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


@pytest.mark.rule("FBN-275", "FBN-079")
def test_men_in_one_section_shoot_at_one_another_at_short_range() -> None:
    red, blue = squad("red", "red", 2, (42, 42)), squad("blue", "blue", 2, (44, 44), weapon="none")
    state = battle(red, blue, on=house())
    for figure in (*red.figures.values(), *blue.figures.values()):
        figure.place = "hut:0:0"
    state.active = "red"
    with scripted(state, ("shot", [4]), ("shot", [3])) as table:
        perform_action(table, state, red, ("fire", "blue"))
    assert len(blue.figures) == 1, "5, less 1 for short range, and no cover in the room"


@pytest.mark.rule("FBN-116", "FBN-145", "FBN-256")
def test_nobody_is_struck_from_behind_through_his_own_window() -> None:
    state, red, figure, blue = at_window(facing=0.0, at=(45.0, 39.1))
    foe = blue.figures["blue/1"]
    assert fight_facts(state, red, figure, foe, False).rear is False
    with scripted(state) as table:
        settle_contacts(table, state, blue, [foe])
    assert red.events == ()


@pytest.mark.rule("FBN-137", "FBN-275")
def test_a_medic_reaches_everybody_in_his_room_and_nobody_through_its_wall() -> None:
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


@pytest.mark.rule("FBN-250", "FBN-130")
@pytest.mark.setting("sign_reading")
def test_a_chest_wound_counts_when_the_house_comes_down() -> None:
    for setting, die, hurt in (("sense", 4, True), ("sense", 3, False), ("literal", 5, False), ("literal", 6, True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 43, 43, role="nco"), man("red/2", "red", 90, 90)])
        state = battle(unit, on=house(sign_reading=setting), sign_reading=setting)
        hero = unit.figures["red/1"]
        hero.place, hero.locations = "hut:0:0", frozenset({"chest_light"})
        script = [("collapse", [die]), *[("hit location", [2])] * hurt]
        with scripted(state, *script, sign_reading=setting) as table:
            damage_building(table, state, "hut", 9, False, False, None)
        assert ("leg_light" in hero.locations) is hurt


@pytest.mark.rule("FBN-260", "FBN-275")
def test_all_men_of_a_tower_stand_at_its_rail() -> None:
    unit = squad("red", "red", 4, (43, 43))
    state = battle(unit, on=house("tower", level=1))
    tower = state.field.buildings["hut"]
    assert isinstance(tower.openings["hut:ladder"], BuildingOpening)
    for figure in unit.figures.values():
        figure.place = "hut:1:0"
    with scripted(state) as table:
        perform_action(table, state, unit, "man the openings")
    assert {figure.post for figure in unit.figures.values()} == {"hut:rail"} and len(firers(state, unit)) == 4


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


@pytest.mark.rule("FBN-186", "FBN-244")
def test_who_goes_through_a_door_may_not_mount_in_the_same_activation() -> None:
    rider = man("red/1", "red", 42, 38, rides=True)
    state = battle(bare_unit("red", "red", [rider]), on=house())
    rider.mark("horse 42.00 38.00")
    assert may_mount(state, rider)
    rider.mark("crossed")
    assert not may_mount(state, rider)


@pytest.mark.rule("FBN-052", "FBN-260")
def test_nobody_climbs_lying_down() -> None:
    climber = man("red/1", "red", 43, 38.9)
    state = battle(bare_unit("red", "red", [climber]), on=house("tower", level=1))
    assert len(ladders(state, climber)) == 1
    climber.mark("prone")
    assert ladders(state, climber) == []


# --- rooms for figures ----------------------------------------------------------------------------------------------------


def in_room(kind: str = "openable", *others: Figure, rooms: int = 1, **spec: Any) -> tuple[Battle, Unit, Figure]:
    """A man of red's in the first room of a building, with men of blue's."""
    red = bare_unit("red", "red", [man("red/1", "red", 41, 41, **spec)])
    blue = bare_unit("blue", "blue", [*others, man("blue/9", "blue", 90, 90)])
    state, figure = battle(red, blue, on=house(kind, rooms=rooms)), red.figures["red/1"]
    for one in (figure, *others):
        one.place = "hut:0:0"
    return state, red, figure


def walks(state: Battle, unit: Unit, point: Point) -> None:
    with scripted(state, ("what he does", "walk"), ("walk to", point)) as table:
        perform_action(table, state, unit, "one man")


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
def test_nobody_stumbles_in_a_room_into_what_lies_outside() -> None:
    state, red, figure = in_room()
    ditch = TerrainPiece.area("ditch", book().terrain["trench"], box(36, 38, 39.5, 48))
    state.field = replace(state.field, pieces=(*state.field.pieces, ditch))
    state.night = True
    walks(state, red, (41.0, 44.0))
    assert "halted" not in figure.marks


@pytest.mark.rule("FBN-241")
def test_in_a_room_the_way_to_a_door_is_measured_and_stairs_cost_the_height_between_floors() -> None:
    for x, crosses in ((41.0, True), (40.9, False)):
        state, _, figure = in_room(rooms=2)
        state.put(figure, x, 43.0)
        assert ("hut:0:1" in [to for _, to in crossings(state, figure)]) is crosses
    for away, crosses in ((3.0, True), (3.1, False)):  # 3 inches and 2 inches up make 5
        state, _, figure = in_room(rooms=2)
        state.field.buildings["hut"].openings["hut:inner0"] = BuildingOpening(  # type: ignore[index]  # our copy
            "hut:inner0", "stairs", "hut:0:0", "hut:0:1", (44.0, 43.0), 0
        )
        state.put(figure, 44.0 - away, 43.0)
        assert ("hut:0:1" in [to for _, to in crossings(state, figure)]) is crosses


@pytest.mark.rule("FBN-241", "FBN-169", "FBN-170")
def test_panicking_men_go_for_an_enemy_in_their_room() -> None:
    for reaction in ("onwards", "berserk"):
        state, red, figure = in_room("openable", man("blue/1", "blue", 45, 45), weapon="none")
        figure.reaction = reaction
        blows = [("blow", [1]), ("parry", [1])] * 2
        with scripted(state, *blows) as table:
            carry_out_panic(table, state, red)
        assert figure.place and (figure.ac, figure.moves, figure.attacks) == (0, 1, 2)


@pytest.mark.rule("FBN-241", "FBN-166")
def test_who_flees_from_a_large_room_walks_to_its_door() -> None:
    state, red, figure = in_room(sp=4, ac=2)
    figure.reaction, figure.x, figure.y = "flee", 45.5, 45.5
    with scripted(state) as table:
        carry_out_panic(table, state, red)
    assert figure.place == "" and figure.moves == 2


@pytest.mark.rule("FBN-005", "FBN-241")
def test_who_comes_into_a_room_stands_where_nobody_is_near_the_door() -> None:
    state, red, first = in_room("openable", *[man(f"blue/{i}", "blue", 40.5 + 1.25 * i, 40.5) for i in range(3)])
    late = man("red/2", "red", 42, 39)
    first.x, first.y = 40.5, 42.0
    red.figures["red/2"] = late
    with scripted(state) as table:
        cross_opening(table, state, red, late, state.field.openings["hut:door"], "hut:0:0")
    others = [one for unit in state.units.values() for one in unit.figures.values() if one is not late and one.place]
    assert all(hypot(one.x - late.x, one.y - late.y) >= 1 for one in others) and late.y < 43


@pytest.mark.rule("FBN-145", "FBN-244")
def test_who_comes_out_of_a_door_upon_an_enemys_back_takes_him_in_the_rear() -> None:
    for facing, events in ((180.0, ("flank",)), (0.0, ())):
        state, red, figure = in_room("sections")
        blue = bare_unit("back", "blue", [man("back/1", "blue", 41.78, 38.29, facing=facing)])
        state.units["back"] = blue
        with scripted(state) as table:
            cross_opening(table, state, red, figure, state.field.openings["hut:door"], "")
        assert blue.events == events


@pytest.mark.rule("FBN-253", "FBN-256", "FBN-241")
def test_where_figures_stand_in_rooms_they_fight_through_the_openings_that_they_are_at() -> None:
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
    assert [one.shelter for one in facts] == ["doorway", "none"]
    heavy = battle(red, blue, on=house("openable", heavy=True))
    assert strikers(heavy, red) == []
    heavy.houses["hut"].open_doors = frozenset({"hut:door"})
    assert strikers(heavy, red) == [figure]


@pytest.mark.rule("FBN-245", "FBN-253")
def test_nobody_is_posted_at_a_door_that_is_shut_fast() -> None:
    for heavy, opened, posts in ((False, False, 2), (True, False, 1), (True, True, 2)):
        figure = man("red/1", "red", 43, 43)
        state = battle(bare_unit("red", "red", [figure]), on=house(heavy=heavy))
        figure.place = "hut:0:0"
        if opened:
            state.houses["hut"].open_doors = frozenset({"hut:door"})
        assert len(free_openings(state, figure)) == posts


@pytest.mark.rule("FBN-078", "FBN-245", "FBN-253")
def test_where_figures_stand_in_rooms_sight_goes_through_doors_that_are_open() -> None:
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
