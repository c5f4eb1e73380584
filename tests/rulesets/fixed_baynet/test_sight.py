"""Lines of sight, and men who cannot be a target (chapter 9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    HIT,
    battle,
    book,
    box,
    field,
    hill,
    house,
    man,
    pair,
    run,
    scripted,
    squad,
)
from tests.rulesets.fixed_baynet.random_boards import ground, spot, tables

from zareba.space.geometry import joint_box
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba_rulesets.fixed_baynet.actions.activation import legal_actions, perform_action
from zareba_rulesets.fixed_baynet.actions.movement import march_destinations
from zareba_rulesets.fixed_baynet.chapters.crews import is_in_gun_arc
from zareba_rulesets.fixed_baynet.chapters.fire import fire_volley
from zareba_rulesets.fixed_baynet.chapters.sight import eye_height, is_higher, sees
from zareba_rulesets.fixed_baynet.chapters.targets import fire_targets, target_figures
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Captive
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-078", "FBN-273")
@pytest.mark.setting("forest_depth_los")
@pytest.mark.parametrize("depth", ["none", 6])
def test_a_line_of_sight_is_ended_by_what_lies_on_it(depth: Any) -> None:
    def ends(state: Battle, hill: Height, a: Figure, b: Figure) -> bool:
        lines = [
            eye_height(state, a) + t * (eye_height(state, b) - eye_height(state, a))
            for span in hill.shape.spans(a.at, b.at)
            for t in span
        ]
        return hill.top > max(a.z, b.z) and any(hill.top > line for line in lines)

    for random in tables(30):
        on = ground(random, forest_depth_los=depth)
        red = bare_unit("red", "red", [man(f"red/{i}", "red", *spot(random)) for i in range(3)])
        blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", *spot(random)) for i in range(3)])
        state = battle(red, blue, on=on, forest_depth_los=depth)
        view = state.field.scene((0.0, 0.0, 30.0, 30.0))
        for a in red.figures.values():
            for b in blue.figures.values():
                hidden = any(ends(state, hill, a, b) for hill in on.heights)
                hidden |= any(
                    piece.ground.blocks_sight and piece.length_inside(a.at, b.at) > 1e-9 for piece in on.pieces
                )
                wood = [piece.length_inside(a.at, b.at) for piece in on.pieces if piece.ground.forest]
                assert sees(state, a, b, view) is not (hidden or (depth == 6 and sum(wood) >= 6))


@pytest.mark.rule("FBN-078")
def test_moves_are_recomputed_after_a_unit_leaves_hiding() -> None:
    """A unit that leaves hiding may discover an enemy in its path, so its moves are computed again."""
    red = squad("red", "red", 1, (50, 20))
    foe = squad("blue", "blue", 1, (50, 23))
    red.mark("hidden")
    foe.mark("hidden")
    state = battle(red, foe)
    state.menu = legal_actions(state, red)
    assert march_destinations(state, red)[1].legal((50.0, 23.0)) is None
    with pytest.raises(AssertionError, match="FBN-050"), scripted(state, ("move to", (50.0, 23.0))) as table:
        perform_action(table, state, red, "move")


@pytest.mark.rule("FBN-078", "FBN-273")
def test_a_line_that_enters_a_hill_is_blocked_though_its_middle_passes_above() -> None:
    for south, seen in ((16, False), (21, True)):
        ground = hill(box(0, south, 100, 27), 2.0)
        red, blue = squad("red", "red", 1, (50, 10)), squad("blue", "blue", 1, (50, 30), mounted=True)
        state = battle(red, blue, on=ground)
        a, b = red.figures["red/1"], blue.figures["blue/1"]
        b.z = 1.4
        scene = state.field.scene((50, 10, 50, 30))
        assert sees(state, a, b, scene) is seen and sees(state, b, a, scene) is seen


def seen(on: Field | None, a: tuple[float, float], b: tuple[float, float], **settings: Any) -> bool:
    state, one, other = pair(on, a, b, **settings)
    return sees(state, one, other, state.field.scene(joint_box((*a, *a), (*b, *b))))


@pytest.mark.rule("FBN-078", "FBN-067")
def test_terrain_that_blocks_sight() -> None:
    assert not seen(field(("crag", list(box(5, 18, 15, 22)))), (10, 10), (10, 30))
    assert seen(field(("dense_forest", list(box(5, 18, 15, 22)))), (10, 10), (10, 30))
    assert seen(field(lines=(("stone_wall", [(0, 20), (20, 20)]),)), (10, 10), (10, 30))


@pytest.mark.rule("FBN-078", "FBN-273")
def test_higher_ground_blocks_but_not_for_those_upon_it() -> None:
    ridge = hill(box(5, 18, 15, 22), 2.0)
    assert not seen(ridge, (10, 10), (10, 30))
    assert seen(ridge, (10, 20), (10, 30))
    assert seen(hill(box(5, 18, 15, 22), 0.9), (10, 10), (10, 30))
    state, top, low = pair(ridge, (10, 20), (10, 30))
    assert is_higher(state, top, low) and not is_higher(state, low, top)


@pytest.mark.rule("FBN-078")
@pytest.mark.setting("figures_block_los")
@pytest.mark.setting("forest_depth_los")
def test_figures_and_deep_woods_may_block_sight() -> None:
    for setting, expected in ((False, True), (True, False)):
        red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 1, (10, 30))
        between = squad("between", "red", 1, (10, 20))
        state = battle(red, blue, between, figures_block_los=setting)
        assert sees(state, red.figures["red/1"], blue.figures["blue/1"], state.field.scene((0, 0, 40, 40))) is expected
    for depth, expected in (("none", True), (3, False), (5, True)):
        wood = field(("light_forest", list(box(5, 18, 15, 22))), forest_depth_los=depth)
        assert seen(wood, (10, 10), (10, 30), forest_depth_los=depth) is expected


@pytest.mark.rule("FBN-078")
@pytest.mark.setting("forest_depth_los")
def test_as_many_inches_of_forest_as_the_setting_says_end_sight() -> None:
    for inches, expected in ((3.99, True), (4.0, False), (4.01, False)):
        for start in (12, 13.7, 18, 21.3):
            wood = field(("light_forest", list(box(5, start, 15, start + inches))), forest_depth_los=4)
            assert seen(wood, (10, 10), (10, 30), forest_depth_los=4) is expected
        slope = field(("dense_forest", list(box(0, 20, 60, 20 + 0.8 * inches))), forest_depth_los=4)
        assert seen(slope, (10, 10), (40, 50), forest_depth_los=4) is expected
        two = [("light_forest", list(box(5, 15, 15, 16.3))), ("dense_forest", list(box(5, 20, 15, 18.7 + inches)))]
        assert seen(field(*two, forest_depth_los=4), (10, 10), (10, 30), forest_depth_los=4) is expected


@pytest.mark.rule("FBN-078", "FBN-273")
def test_ground_lower_than_one_of_two_men_hides_neither() -> None:
    for height, seen in ((1.9, True), (2.1, False)):
        knolls = (Height(TerrainArea(box(45, 45, 55, 55)), 2.0, 1), Height(TerrainArea(box(45, 66, 55, 68)), height, 1))
        red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 70))
        state = battle(red, blue, on=Field(book(), 100, 100, (), knolls))
        assert sees(state, red.figures["red/1"], blue.figures["blue/1"], state.field.scene((0, 0, 100, 100))) is seen


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


@pytest.mark.rule("FBN-079")
@pytest.mark.setting("fire_into_melee")
def test_men_in_contact_with_friends_are_no_targets() -> None:
    for setting, seen in ((False, 0), (True, 1)):
        red, friend = squad("red", "red", 1, (10, 10)), squad("friend", "red", 1, (10, 19))
        blue = squad("blue", "blue", 1, (10, 20))
        state = battle(red, friend, blue, fire_into_melee=setting)
        assert len(target_figures(state, "red", blue)) == seen
        assert len(list(fire_targets(state, red))) == seen


@pytest.mark.rule("FBN-079", "FBN-112")
@pytest.mark.setting("captives")
def test_freed_prisoner_protects_men_in_contact_from_later_shots() -> None:
    for setting, shots in (("removed", 2), ("escorted", 1)):
        red, mates = squad("red", "red", 2, (50, 50)), squad("mates", "red", 2, (80, 80))
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 55), man("blue/2", "blue", 50.0, 56.03)])
        blue.mark("activated")
        state = battle(red, mates, blue, captives=setting)
        del mates.figures["mates/1"]
        state.captives = (Captive("mates/1", "mates", "blue", "blue/1"),)
        assert run(fire_volley, state, red, blue, script=[("shot", HIT)] * shots, captives=setting) == shots


@pytest.mark.rule("FBN-080", "FBN-209")
@pytest.mark.setting("arc_is_total")
def test_the_arc_of_a_gun() -> None:
    for setting, expected in ((True, [True, False, False]), (False, [True, True, False])):
        state = battle(arc_is_total=setting)
        gun = Gun("light_gun", 50, 50, 0, 0.0, 2)
        points = [(50 + 4, 60), (50 + 8, 60), (50 + 12, 60)]
        assert [is_in_gun_arc(state, gun, point) for point in points] == expected
    maxim = Gun("machine_gun", 50, 50, 0, 0.0, 2)
    assert [is_in_gun_arc(battle(), maxim, point) for point in ((59, 60), (61, 60))] == [True, False]


@pytest.mark.rule("FBN-273", "FBN-074")
def test_half_an_inch_is_higher() -> None:
    state = battle(squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 51)))
    one, other = state.units["red"].figures["red/1"], state.units["blue"].figures["blue/1"]
    for z, expected in ((0.5, True), (0.49, False)):
        one.z = z
        assert is_higher(state, one, other) is expected and not is_higher(state, other, one)
