"""Terrain: difficulty, cover and heights (chapter 8)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import alone, battle, box, cv, field, man, squad

from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import joint_box
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba_rulesets.fixed_baynet.chapters.melee import fight_facts
from zareba_rulesets.fixed_baynet.chapters.movement import allowance_on, way_refused
from zareba_rulesets.fixed_baynet.chapters.sight import cover_value
from zareba_rulesets.fixed_baynet.forces.battle import open_ground
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-067", "FBN-065")
@pytest.mark.setting("cover_passable")
def test_walls_are_climbed_at_their_rate_or_not_at_all() -> None:
    for setting, refused in (("by_move_type", False), ("never", True)):
        ground = field(lines=(("stone_wall", [(0, 11), (100, 11)]),), cover_passable=setting)
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=ground, cover_passable=setting)
        figure = unit.figures["red/1"]
        assert (way_refused(state, figure, (10, 12)) is not None) is refused
        figure.mounted = True
        assert "brick or stone wall" in (way_refused(state, figure, (10, 12)) or "")


@pytest.mark.rule("FBN-072", "FBN-075", "FBN-065")
def test_rapids_and_crags_are_closed_but_for_fords_and_paths() -> None:
    state, _, figure = alone(field(("rapids", list(box(0, 11, 100, 14)))))
    assert "rapids" in (way_refused(state, figure, (10, 15)) or "")
    assert not open_ground(state, 10, 12)
    state, _, figure = alone(field(("crag", list(box(0, 11, 100, 14))), ("path", list(box(8, 11, 12, 14)))))
    assert way_refused(state, figure, (10, 12)) is None
    assert allowance_on(state, figure, state.field.straight_move((10, 10), (10, 12), False).difficulty) == 2
    assert open_ground(state, 10, 12) and not open_ground(state, 20, 12)


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


@pytest.mark.rule("FBN-066", "FBN-072", "FBN-117")
def test_a_bridge_is_no_river() -> None:
    river, bridge = ("deep_river", list(box(0, 50, 100, 54))), ("clear", list(box(48, 50, 52, 54)))
    for x, value in ((50.0, 0), (60.0, 1)):
        red, blue = squad("red", "red", 1, (x, 40)), squad("blue", "blue", 1, (x, 50.5), facing=180.0)
        state = battle(red, blue, on=field(river, bridge))
        one, other = red.figures["red/1"], blue.figures["blue/1"]
        assert cover_value(state, one, other, state.field.scene((0, 0, 100, 100))) == value
        state.put(one, x, 49.49)
        assert fight_facts(state, blue, other, one, False).shelter == ("cover" if value else "none")


@pytest.mark.rule("FBN-067", "FBN-069", "FBN-070")
def test_walls_shelter_men_behind_them_but_not_from_a_firer_who_leans_on_them() -> None:
    wall = field(lines=(("stone_wall", [(0, 29), (20, 29)]), ("wooden_wall", [(0, 25), (20, 25)])))
    assert cv(wall, (10, 10), (10, 30)) == 4
    assert cv(wall, (10, 24), (10, 30)) == 4
    near = field(lines=(("stone_wall", [(0, 11), (20, 11)]),))
    assert cv(near, (10, 10), (10, 30)) == 0
    assert cv(near, (10, 5), (10, 30)) == 4


@pytest.mark.rule("FBN-068")
def test_every_neutral_word_of_terrain_has_a_row_of_the_chart() -> None:
    made = battle().book
    mapping = made.file.mapping
    assert set((mapping.area_terrain | mapping.linear_terrain).values()) <= set(made.terrain)


@pytest.mark.rule("FBN-070", "FBN-071")
@pytest.mark.setting("high_shooter_cv")
def test_the_best_of_several_covers_is_found_after_height_is_applied() -> None:
    for setting, expected in (("min", 1), ("set", 2)):
        made = field(high_shooter_cv=setting)
        grass = made.book.terrain["rubble"].model_copy(update={"shelter": "behind"})
        near, far = (
            TerrainPiece.line("near", grass, [(0, 29), (20, 29)]),
            TerrainPiece.line("far", grass, [(0, 25), (20, 25)]),
        )
        top = (Height(TerrainArea(box(5, 5, 15, 15)), 3.0, 1),)
        for covers in ((near, far), (far, near)):
            ground = Field(made.book, 100, 100, covers, top)
            assert cv(ground, (10, 10), (10, 30), high_shooter_cv=setting) == expected


@pytest.mark.rule("FBN-071", "FBN-077")
def test_trenches_keep_their_cover_against_higher_firers() -> None:
    plain = field(("trench", list(box(0, 29, 20, 31))))
    top = Height(TerrainArea(box(5, 5, 15, 15)), 3.0, 1)
    assert cv(Field(plain.book, 100, 100, plain.pieces, (top,)), (10, 10), (10, 30)) == 5


@pytest.mark.rule("FBN-077")
@pytest.mark.setting("trench_along")
def test_trenches_are_jagged_along_them_too_unless_set_otherwise() -> None:
    for setting, along in (("jagged", 2), ("flat", 0)):
        ground = field(("trench", list(box(0, 9.5, 100, 10.5))), trench_along=setting)
        assert ground.straight_move((10, 10), (13, 10), False).difficulty == along
        assert ground.straight_move((10, 8), (10, 12), False).difficulty == 2
        assert ground.straight_move((10, 10), (10.8, 10.1), False).difficulty == along, "however short the way"
        for askew in (10.8, 11.9):
            assert ground.straight_move((10, 9), (askew, 11), False).difficulty == 2, (
                "crossed askew it is crossed all the same"
            )
        both = [("trench", list(box(0, 9.5, 100, 10.5))), ("dense_forest", list(box(0, 5, 100, 15)))]
        wood = field(*both, trench_along=setting)
        assert wood.straight_move((10, 10), (13, 10), False).difficulty == 2, (
            "a trench through a wood does not clear it"
        )


@pytest.mark.rule("FBN-274")
@pytest.mark.setting("area_cover_behind")
def test_grass_shelters_men_beyond_it_and_woods_do_not() -> None:
    for setting, expected in ((True, 1), (False, 0)):
        grass = field(("rubble", list(box(5, 18, 15, 22))), area_cover_behind=setting)
        assert cv(grass, (10, 10), (10, 30), area_cover_behind=setting) == expected
    assert cv(field(("dense_forest", list(box(5, 18, 15, 22)))), (10, 10), (10, 30)) == 0
