"""Night and buildings (chapters 20 and 21)."""

from __future__ import annotations

from dataclasses import replace
from math import dist
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, ask, battle, box, field, house, man, scripted, squad

from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import joint_box
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.aiming import Answers, can_fire, fire_targets, firers, marksmen
from zareba_rulesets.fixed_baynet.chapters.buildings import (
    bash_door,
    climb_ladder,
    closed_doors_near,
    cross_opening,
    crossings,
    damage_building,
    fire_at_building,
    free_openings,
    house_targets,
    ladders,
    open_door,
    roll_bash,
)
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact, in_contact, opening_between
from zareba_rulesets.fixed_baynet.chapters.fire import fire_shot, shot_facts
from zareba_rulesets.fixed_baynet.chapters.manoeuvre import movers
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets, fight_facts, is_room_to_fight
from zareba_rulesets.fixed_baynet.chapters.movement import way_refused
from zareba_rulesets.fixed_baynet.chapters.night import notice_terrain
from zareba_rulesets.fixed_baynet.chapters.sight import cover_value, is_lit, range_between, sees, visibility
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Flare
from zareba_rulesets.fixed_baynet.forces.places import open_ground
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

# --- night ----------------------------------------------------------------------------------------------------------------------


def by_night(gap: float, fog: bool = False) -> tuple[Battle, Unit, Unit]:
    red, blue = squad("red", "red", 1, (50, 20)), squad("blue", "blue", 1, (50, 21 + gap), facing=180.0)
    state = battle(red, blue)
    state.night, state.fog = True, fog
    return state, red, blue


@pytest.mark.rule("FBN-234", "FBN-235")
def test_how_far_one_sees_at_night() -> None:
    for gap, fog, seen in ((12, False, 1), (12.1, False, 0), (6, True, 1), (6.1, True, 0)):
        state, red, _ = by_night(gap, fog)
        assert len(list(fire_targets(state, red))) == seen
    state, red, _ = by_night(8, fog=True)
    assert list(charge_targets(state, red)) == []
    state.night = False
    assert visibility(state) > 100


@pytest.mark.rule("FBN-236", "FBN-238", "FBN-002")
def test_a_flare_brings_back_the_day_for_those_in_its_light() -> None:
    state, red, blue = by_night(18)
    state.flares = [Flare(50, 40, 2)]
    assert is_lit(state, (50, 43)) and not is_lit(state, (50, 43.1))
    assert len(list(fire_targets(state, red))) == 1
    facts = shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "long")
    assert not facts.dark
    state.flares = []
    assert shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "long").dark


@pytest.mark.rule("FBN-236", "FBN-238", "FBN-275")
def test_a_man_at_a_window_is_lit_with_his_window() -> None:
    red, blue = squad("red", "red", 1, (45, 20)), bare_unit("blue", "blue", [man("blue/1", "blue", 43, 43)])
    state = battle(red, blue, on=house())
    state.night, posted = True, blue.figures["blue/1"]
    posted.place, posted.post = "hut:0:0", "hut:window"
    for flare, lit in ((Flare(45, 38, 2), True), (Flare(43, 44, 2), False)):
        state.flares = [flare]
        assert sees(state, red.figures["red/1"], posted, OPEN_WINDOW) is lit
        assert shot_facts(state, red.figures["red/1"], blue, posted, OPEN_WINDOW, "long").dark is not lit


@pytest.mark.rule("FBN-238")
def test_a_leader_with_flares_lights_a_circle() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 50, 20, role="officer")])
    red.figures["red/1"].flares = 1
    state = battle(red)
    assert ("flare", "red/1") in acts(state, red)
    with pytest.raises(AssertionError, match="FBN-238"), scripted(state, ("flare over", (50.0, 50.0))) as table:
        perform_action(table, state, red, ("flare", "red/1"))
    with scripted(state, ("flare over", (50.0, 40.0))) as table:
        perform_action(table, state, red, ("flare", "red/1"))
    assert (state.flares[0].until, red.figures["red/1"].ac, red.figures["red/1"].flares) == (2, 2, 0)


@pytest.mark.rule("FBN-239")
def test_who_misses_what_he_walks_past_falls_into_it() -> None:
    ditch = field(("trench", list(box(52, 0, 54, 100))))
    for die, x, fallen in ((4, 50.5, False), (3, 50.5, True), (None, 49.5, False)):
        red = bare_unit("red", "red", [man("red/1", "red", x, 25)])
        state = battle(red, on=ditch)
        figure = red.figures["red/1"]
        script = [] if die is None else [("notice", [die])]
        with scripted(state, *script) as table:
            notice_terrain(table, state, red, figure, (x, 20.0))
            notice_terrain(table, state, red, figure, (x, 20.0))
        assert figure.prone is fallen and ditch.pieces[0].holds(figure.at) is fallen
        assert figure.gl == 4
        assert (movers(state, red) == []) is fallen


@pytest.mark.rule("FBN-239")
def test_who_stumbles_falls_where_he_passed_and_not_from_the_end_of_his_way() -> None:
    """Two ditches lie on a man's path, far behind its end. The first one he passes is checked first."""
    ditches = [("shallow_river", list(box(x, y, x + 1, y + 1))) for x, y in ((51, 31), (52, 22))]
    for dice, spot, told in (([1], (52.05, 22.5), "1"), ([6, 1], (51.05, 31.5), "0")):
        red = squad("red", "red", 1, (50, 34))
        state = battle(red, on=field(*ditches))
        state.night = True
        with scripted(state, *[("notice", [die]) for die in dice]) as table:
            notice_terrain(table, state, red, red.figures["red/1"], (50.0, 20.0))
            (event,) = [event for event in table.events if event.kind == "stumbled"]
        assert dist(red.figures["red/1"].at, spot) < 0.6 and event.data["terrain"].endswith(told)


@pytest.mark.rule("FBN-050", "FBN-239")
def test_two_who_stumble_over_one_spot_lie_side_by_side() -> None:
    wire = field(lines=(("barbed_wire", [(52.0, 0.0), (52.0, 100.0)]),))
    red = bare_unit("red", "red", [man("red/1", "red", 50.0, 25), man("red/2", "red", 51.0, 25)])
    state = battle(red, on=wire)
    with scripted(state, ("notice", [1]), ("notice", [1])) as table:
        for figure in red.figures.values():
            notice_terrain(table, state, red, figure, (figure.x, 20.0))
    first, second = red.figures.values()
    assert first.at == (52.0, 25.0) and first.prone and second.prone
    assert 1 - 1e-6 <= dist(first.at, second.at) < 1.5


@pytest.mark.rule("FBN-239")
def test_a_ditch_of_several_legs_is_noticed_once_or_walked_into() -> None:
    """The first leg runs north along x = 52 to 54; the second turns west from its end."""
    made = field()
    row = made.book.terrain["gully"]
    legs = [TerrainPiece.area("khor", row, box(52, 0, 54, 30)), TerrainPiece.area("khor.1", row, box(40, 30, 54, 32))]
    ditch = Field(made.book, 100.0, 100.0, tuple(legs), deployment=made.deployment)
    for start, end, dice in (
        ((50.5, 24.0), (50.5, 29.0), 1),
        ((50.5, 29.0), (50.5, 31.0), 0),
        ((50.5, 20.0), (50.5, 25.0), 1),
    ):
        red = bare_unit("red", "red", [man("red/1", "red", *end)])
        state = battle(red, on=ditch)
        with scripted(state, *[("notice", [3])] * dice) as table:
            notice_terrain(table, state, red, red.figures["red/1"], start)
            told = [event.data["terrain"] for event in table.events if event.kind == "stumbled"]
        assert told == ["khor"] * dice
        if end == (50.5, 29.0):
            assert red.figures["red/1"].at == pytest.approx((50.5, 30.05)), "into the nearest leg"


# --- sight and fire from buildings --------------------------------------------------------------------------------------------------


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


@pytest.mark.rule("FBN-245", "FBN-275")
def test_two_men_to_an_opening_in_a_turn() -> None:
    state, red, figure, blue = inside(house(), "hut:0:0", "hut:window")
    mate = man("red/2", "red", 44, 43)
    mate.place = "hut:0:0"
    red.figures["red/2"] = mate
    with scripted(state, ("shot", [2])) as table:
        fire_shot(table, state, red, figure, blue, blue.figures["blue/1"], OPEN_WINDOW, Answers())
    mate.post = "hut:window"
    assert can_fire(state, mate)
    state.houses["hut"].used = {"hut:window": 2}
    assert not can_fire(state, mate) and can_fire(state, figure)
    assert free_openings(state, figure) == ["hut:door"]


@pytest.mark.rule("FBN-243", "FBN-275")
def test_posting_is_free_and_two_to_each() -> None:
    state, red, figure, _ = inside(house(), "hut:0:0")
    for number in range(2, 5):
        mate = man(f"red/{number}", "red", 43, 43)
        mate.place = "hut:0:0"
        red.figures[mate.id] = mate
    with scripted(state) as table:
        perform_action(table, state, red, "man the openings")
    assert sorted(man.post for man in red.figures.values()) == ["hut:door", "hut:door", "hut:window", "hut:window"]
    assert figure.ac == 3
    assert free_openings(state, figure) == []


@pytest.mark.rule("FBN-275", "FBN-255")
def test_in_a_section_all_are_seen_near_and_touched() -> None:
    state, _, figure, _ = inside(house(), "hut:0:0")
    foe = bare_unit("foe", "blue", [man("foe/1", "blue", 41, 45)])
    foe.figures["foe/1"].place = "hut:0:0"
    state.units["foe"] = foe
    foe.measure()
    other = foe.figures["foe/1"]
    assert sees(state, figure, other, OPEN_WINDOW) and range_between(state, figure, other) == 0
    assert [one.id for one in foes_in_contact(state, figure, "red")] == ["foe/1"]
    assert cover_value(state, figure, other, OPEN_WINDOW) == 0


@pytest.mark.rule("FBN-078", "FBN-259", "FBN-240")
def test_buildings_block_sight_and_a_silo_cannot_be_entered() -> None:
    for kind in ("sections", "silo"):
        on = house(kind)
        red, blue = squad("red", "red", 1, (43, 35)), squad("blue", "blue", 1, (43, 55))
        state = battle(red, blue, on=on)
        assert not sees(state, red.figures["red/1"], blue.figures["blue/1"], state.field.scene((40, 30, 60, 60)))


@pytest.mark.rule("FBN-259", "FBN-245", "FBN-250")
def test_a_silo_has_no_way_in_and_no_window() -> None:
    near = bare_unit("near", "red", [man("near/1", "red", 42, 38)])
    for kind, ways in (("sections", 1), ("silo", 0)):
        state = battle(near, on=house(kind))
        figure = near.figures["near/1"]
        assert len(crossings(state, figure)) == ways
        assert way_refused(state, figure, (43.0, 42.0)) is not None, "nobody walks through its wall"
        assert not free_openings(state, figure) and not closed_doors_near(state, figure)
    silo = state.field.buildings["hut"]
    assert (silo.sections, dict(silo.openings), silo.size) == ({}, {}, 1)
    with scripted(state) as table:
        damage_building(table, state, "hut", 9, True, False, near)
    assert state.houses["hut"].points == 0, "it can be shot down, with nobody inside to be hit"


@pytest.mark.rule("FBN-078", "FBN-273")
def test_a_sight_line_may_pass_above_the_floors_of_a_building() -> None:
    for floors, height, seen in ((1, 0.0, False), (1, 0.5, False), (1, 1.0, True), (2, 1.0, False), (2, 3.0, True)):
        on = house("sections")
        tall = replace(on.buildings["hut"], floors=floors)
        state = battle(squad("red", "red", 1, (43, 30)), squad("blue", "blue", 1, (43, 56)), on=on)
        state.field.buildings = {"hut": tall}
        for unit in state.units.values():
            for figure in unit.figures.values():
                figure.z = height
        one, other = state.units["red"].figures["red/1"], state.units["blue"].figures["blue/1"]
        assert sees(state, one, other, state.field.scene((40, 30, 60, 60))) is seen


@pytest.mark.rule("FBN-240", "FBN-241", "FBN-245")
def test_in_an_openable_building_men_stand_where_they_are_and_see_through_openings() -> None:
    state, _, figure, blue = inside(house("openable"), "hut:0:0")
    foe = blue.figures["blue/1"]
    scene = state.field.scene((40, 20, 60, 60))
    assert not sees(state, figure, foe, scene)
    figure.x = foe.x = 45.0
    assert sees(state, figure, foe, scene)
    assert range_between(state, figure, foe) == 13.0
    assert free_openings(state, figure) == []


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


# --- entering and leaving --------------------------------------------------------------------------------------------------------------


def outside(on: Field, **spec: Any) -> tuple[Battle, Unit, Figure]:
    red = bare_unit("red", "red", [man("red/1", "red", 42, 38, **spec)])
    return battle(red, on=on), red, red.figures["red/1"]


@pytest.mark.rule("FBN-065", "FBN-251", "FBN-252", "FBN-244")
def test_light_doors_cost_nothing_and_crossing_leaves_only_movement() -> None:
    state, red, figure = outside(house())
    assert not open_ground(state, 43, 43)
    [(way, to)] = crossings(state, figure)
    assert (way.id, to) == ("hut:door", "hut:0:0")
    with scripted(state) as table:
        cross_opening(table, state, red, figure, way, to)
    assert (figure.place, figure.ac, figure.moves) == ("hut:0:0", 2, 1)
    assert firers(state, red) == []
    state, red, figure = outside(house())
    figure.attacks = 1
    assert crossings(state, figure) == []
    assert crossings(outside(house(), mounted=True)[0], outside(house(), mounted=True)[2]) == []


@pytest.mark.rule("FBN-242", "FBN-244")
def test_sections_hold_a_squad_and_join_by_inner_doors() -> None:
    state, _, figure, _ = inside(house(rooms=2), "hut:0:0")
    assert {to for _, to in crossings(state, figure)} == {"", "hut:0:1"}
    crowd = squad("crowd", "red", 20, (80, 80))
    for one in crowd.figures.values():
        one.place = "hut:0:1"
    state.units["crowd"] = crowd
    assert {to for _, to in crossings(state, figure)} == {""}


@pytest.mark.rule("FBN-241")
def test_in_an_openable_building_the_way_to_the_door_is_walked() -> None:
    state, _, figure, _ = inside(house("openable"), "hut:0:0")
    figure.y = 45.9
    assert crossings(state, figure) == []
    figure.y = 43.0
    assert [way.id for way, _ in crossings(state, figure)] == ["hut:door"]


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
    state, red, figure = outside(house(heavy=True))
    figure.y, figure.ac = 39.0, 2
    assert ("open", "red/1", "hut:door") not in acts(state, red)


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


@pytest.mark.rule("FBN-260", "FBN-242", "FBN-275")
def test_a_watchtower_holds_four_and_its_ladder_takes_a_turn() -> None:
    state, red, figure = outside(house("tower", level=1))
    figure.x, figure.y = 43.0, 39.0
    [ladder] = ladders(state, figure)
    with scripted(state) as table:
        climb_ladder(table, state, red, figure, ladder)
    assert (figure.place, figure.post, figure.ac, figure.z) == ("hut:1:0", "hut:rail", 0, 2.0)
    for number in range(2, 6):
        mate = man(f"red/{number}", "red", 43, 39)
        red.figures[mate.id] = mate
        if number < 5:
            mate.place, mate.post = "hut:1:0", "hut:rail"
    state.houses["hut"].used = {"hut:rail": 7}
    assert can_fire(state, red.figures["red/2"])
    assert ladders(state, red.figures["red/5"]) == []


# --- doorways ------------------------------------------------------------------------------------------------------------------------------


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


# --- damage ----------------------------------------------------------------------------------------------------------------------------------


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
        assert house_targets(state, blue, marksmen(state, blue, firers(state, blue))) == targets
    state, _, _, blue = inside(house(), "hut:0:0")
    with scripted(state, ("shot", [3])) as table:
        fire_at_building(table, state, blue, "hut", firers(state, blue))
    assert state.houses["hut"].points == 3 and blue.figures["blue/1"].ac == 2


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
    with scripted(state) as table:
        damage_building(table, state, "hut", 2, True, True, blue)
    assert not red.figures and state.houses["hut"].points == 4


@pytest.mark.rule("FBN-250")
def test_a_building_at_no_points_is_rubble() -> None:
    state, _red, figure, blue = inside(house(), "hut:0:0", "hut:door")
    with scripted(state, ("collapse", [4])) as table:
        damage_building(table, state, "hut", 9, False, False, blue)
    assert (figure.place, figure.post, state.houses["hut"].points) == ("", "", 0)
    assert open_ground(state, 43, 43)
    assert state.field.leg((38, 43), (48, 43), False, frozenset({"hut"})).difficulty == 1
    assert sees(state, figure, blue.figures["blue/1"], state.field.scene((30, 20, 60, 60)))
    foe = blue.figures["blue/1"]
    assert cover_value(state, foe, figure, state.field.scene((30, 20, 60, 60))) == 1


@pytest.mark.rule("FBN-247", "FBN-248")
def test_of_a_volley_at_a_wall_only_the_critical_shots_go_through_it() -> None:
    for score, left in ((11, ["red/1"]), (12, [])):
        state, red, _, blue = inside(house(), "hut:0:0")
        state.active = "blue"
        with scripted(state, ("shot", [score])) as table:
            perform_action(table, state, blue, ("fire at house", "hut"))
        assert list(red.figures) == left and state.houses["hut"].points == 3
