"""Formations, cover, sight and arcs (chapters 7 to 9)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, box, field, hill, man, scripted, squad

from zareba.base.exact import dist
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import joint_box
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba_rulesets.fixed_baynet.actions.activation import end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.crews import gun_targets_arc
from zareba_rulesets.fixed_baynet.chapters.morale import rally_unit, roll_recovery
from zareba_rulesets.fixed_baynet.chapters.setting_up import ranks_that_fit
from zareba_rulesets.fixed_baynet.chapters.sight import (
    cover_value,
    is_higher,
    range_between,
    sees,
    visibility,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import allowed_formations, is_formed, is_in_formation, layout
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def pair(
    on: Field | None, a: tuple[float, float], b: tuple[float, float], **settings: Any
) -> tuple[Battle, Figure, Figure]:
    red, blue = (
        bare_unit("red", "red", [man("red/1", "red", *a)]),
        bare_unit("blue", "blue", [man("blue/1", "blue", *b)]),
    )
    state = battle(red, blue, on=on, **settings)
    return state, red.figures["red/1"], blue.figures["blue/1"]


def cv(on: Field, a: tuple[float, float], b: tuple[float, float], **settings: Any) -> int:
    state, one, other = pair(on, a, b, **settings)
    return cover_value(state, one, other, state.field.scene(joint_box((*a, *a), (*b, *b))))


def seen(on: Field | None, a: tuple[float, float], b: tuple[float, float], **settings: Any) -> bool:
    state, one, other = pair(on, a, b, **settings)
    return sees(state, one, other, state.field.scene(joint_box((*a, *a), (*b, *b))))


# --- formations --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-055", "FBN-056", "FBN-057", "FBN-058", "FBN-271")
@pytest.mark.parametrize("formation", ["open", "closed", "mass", "square"])
@pytest.mark.parametrize("count", [2, 5, 9, 10, 19, 20, 32])
def test_men_laid_out_in_a_formation_stand_in_it(formation: str, count: int) -> None:
    unit = squad("red", "red", count, (50, 50), formation)
    state = battle(unit)
    assert is_formed(state, unit)
    assert len(set(layout(formation, count, 0.5, 30.0, 1.0))) == count


@pytest.mark.rule("FBN-056", "FBN-057")
def test_open_order_wants_one_to_three_inches_and_one_facing() -> None:
    for gap, open_order, closed in (
        (0.9, False, False),
        (1.0, True, False),
        (3.0, True, False),
        (3.1, False, False),
        (0.05, False, True),
    ):
        men = [man("red/1", "red", 10, 10), man("red/2", "red", 11 + gap, 10)]
        state = battle(bare_unit("red", "red", men))
        assert (is_in_formation(state, "open", men), is_in_formation(state, "closed", men)) == (open_order, closed)
    men = [man("red/1", "red", 10, 10), man("red/2", "red", 13, 10, facing=2.0)]
    assert not is_in_formation(battle(bare_unit("red", "red", men)), "open", men)
    chain = [man(f"red/{i}", "red", x, 10) for i, x in enumerate((10, 13, 20, 23))]
    assert not is_in_formation(battle(bare_unit("red", "red", chain)), "open", chain)


@pytest.mark.rule("FBN-060", "FBN-185", "FBN-062")
@pytest.mark.setting("native_regular_square")
def test_who_may_form_square() -> None:
    def formations(unit: Unit, **settings: Any) -> list[str]:
        return allowed_formations(battle(unit, **settings), unit)

    assert "square" in formations(squad("red", "red", 10))
    assert "square" not in formations(squad("red", "red", 10, mounted=True))
    assert "square" not in formations(squad("red", "red", 10, table="native"))
    drilled = squad("red", "red", 10, drilled=True)
    assert "square" not in formations(drilled)
    assert "square" in formations(drilled, native_regular_square=True)
    assert formations(squad("red", "red", 1)) == []
    assert squad("red", "red", 1, formation="mass").shape == "open"


@pytest.mark.rule("FBN-271")
def test_a_square_is_known_by_its_outline() -> None:
    unit = squad("red", "red", 12, (50, 50), "square")
    state = battle(unit)
    men = list(unit.figures.values())
    assert is_in_formation(state, "square", men)
    men[0].facing = (men[0].facing + 50) % 360
    assert not is_in_formation(state, "square", men)
    men[0].facing = (men[0].facing - 50) % 360
    men[0].x, men[0].y = 50.0, 50.0
    assert not is_in_formation(state, "square", men)


@pytest.mark.rule("FBN-035", "FBN-034")
def test_a_change_of_formation_takes_an_ac_from_everybody_or_is_refused() -> None:
    unit = squad("red", "red", 6, (50, 50))
    state = battle(unit)
    assert ("form", "closed") in acts(state, unit)
    with scripted(state) as table:
        perform_action(table, state, unit, ("form", "closed"))
    assert [figure.ac for figure in unit.figures.values()] == [2] * 6
    assert unit.formation == "closed" and is_formed(state, unit)
    unit.figures["red/3"].ac = 0
    assert not any(isinstance(option, tuple) and option[0] == "form" for option in acts(state, unit))
    unit.figures["red/3"].mark("stunned")
    assert ("form", "open") in acts(state, unit)


@pytest.mark.rule("FBN-064", "FBN-272")
def test_single_moves_may_unform_a_unit_and_losses_do_not() -> None:
    unit = squad("red", "red", 4, (50, 50))
    state = battle(unit)
    del unit.figures["red/2"]
    with scripted(state) as table:
        end_activation(table, state, unit)
    assert "unformed" not in unit.marks
    unit.figures["red/1"].x += 20
    unit.mark("loose")
    with scripted(state) as table:
        end_activation(table, state, unit)
    assert "unformed" in unit.marks
    unit.formation = "mass"
    assert unit.shape == "open"


@pytest.mark.rule("FBN-064", "FBN-272")
def test_gaps_that_losses_have_torn_are_looked_at_when_the_unit_has_moved() -> None:
    for fallen, unformed in ((("red/4", "red/5", "red/6"), True), (("red/1", "red/2", "red/3"), False)):
        for mounted, order, place in ((False, "move", "move to"), (True, ("ride", 1), "ride to")):
            unit = squad("red", "red", 9, (50, 50), "mass", mounted=mounted)
            state = battle(unit, squad("blue", "blue", 1, (50, 80)))
            for key in fallen:
                del unit.figures[key]
            unit.measure()
            assert unit.shape == "mass", "not when men fall"
            x, y = unit.middle
            with scripted(state, (place, (x, y + 4))) as table:
                perform_action(table, state, unit, order)
            assert ("unformed" in unit.marks) is unformed


@pytest.mark.rule("FBN-053", "FBN-064", "FBN-154", "FBN-159", "FBN-272")
def test_men_who_belong_to_the_ranks_again_but_stand_elsewhere_break_them() -> None:
    """A man who gets up, recovers or is rallied away from his place breaks the formation. A fault once skipped this check
    in units at full strength.
    """
    for how in ("get up", "recovery", "rally"):
        for strayed in (False, True):
            unit = squad("red", "red", 9, (50, 50), "mass")
            stray = unit.figures["red/5"]
            stray.y += 12 if strayed else 0
            if how == "get up":
                stray.mark("prone")
            else:
                stray.reaction, stray.since, stray.gl = "freeze", 1, 7
            leader = bare_unit("major", "red", [man("major", "red", 50, 55, role="officer")], kind="independent")
            state = battle(unit, leader)
            state.turn = 2
            with scripted(state, *[("recovery", [6])] * (how == "recovery")) as table:
                if how == "get up":
                    perform_action(table, state, unit, "get up")
                elif how == "recovery":
                    roll_recovery(table, state, unit, stray)
                else:
                    rally_unit(table, state, leader.figures["major"], unit)
                assert not stray.prone and not stray.reaction and unit.shape == "mass", "when its activation ends"
                end_activation(table, state, unit)
            assert unit.shape == ("open" if strayed else "mass")


@pytest.mark.rule("FBN-145", "FBN-035")
def test_men_who_form_up_into_an_enemys_back_assault_it() -> None:
    for facing, events in ((0.0, ("flank",)), (180.0, ())):
        unit, enemy = squad("red", "red", 8, (50, 50), "closed"), squad("blue", "blue", 1, (50, 52.03), facing=facing)
        state = battle(unit, enemy)
        assert not foes_in_contact(state, enemy.figures["blue/1"], "blue")
        with scripted(state) as table:
            perform_action(table, state, unit, ("form", "mass"))
        assert foes_in_contact(state, enemy.figures["blue/1"], "blue")
        assert state.units["blue"].events == events
    unit, enemy = squad("red", "red", 8, (50, 50), "closed"), squad("blue", "blue", 1, (49.495, 51.52))
    state = battle(unit, enemy)
    with scripted(state) as table:
        perform_action(table, state, unit, ("form", "closed"))
    assert foes_in_contact(state, enemy.figures["blue/1"], "blue")
    assert state.units["blue"].events == (), "who touches him already does not come into contact"


@pytest.mark.rule("FBN-063", "FBN-116")
def test_arcs_of_front_and_rear() -> None:
    arcs = battle().book.file.arcs
    assert (arcs.front, arcs.rear) == (45, 135)


# --- cover ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-023", "FBN-065", "FBN-066")
def test_the_cover_of_each_row_of_the_chart() -> None:
    expected = {
        "rubble": 1,
        "light_forest": 2,
        "dense_forest": 3,
        "shallow_river": 1,
        "deep_river": 1,
        "trench": 5,
        "clear": 0,
    }
    assert {row: cv(field((row, list(box(8, 28, 12, 32)))), (10, 10), (10, 30)) for row in expected} == expected


@pytest.mark.rule("FBN-066")
def test_an_area_gives_nothing_at_an_inch_inside_it() -> None:
    wood = field(("light_forest", list(box(5, 5, 15, 35))))
    assert cv(wood, (10, 10), (10, 30)) == 2
    assert cv(wood, (10, 10), (10, 12)) == 0
    assert 8.3 - 6.3 > 2 and cv(wood, (10, 6.3), (10, 8.3)) == 0, "an inch, whatever the last digit says"


@pytest.mark.rule("FBN-067", "FBN-069", "FBN-070")
def test_walls_shelter_men_behind_them_but_not_from_a_firer_who_leans_on_them() -> None:
    wall = field(lines=(("stone_wall", [(0, 29), (20, 29)]), ("wooden_wall", [(0, 25), (20, 25)])))
    assert cv(wall, (10, 10), (10, 30)) == 4
    assert cv(wall, (10, 24), (10, 30)) == 4
    near = field(lines=(("stone_wall", [(0, 11), (20, 11)]),))
    assert cv(near, (10, 10), (10, 30)) == 0
    assert cv(near, (10, 5), (10, 30)) == 4


@pytest.mark.rule("FBN-071", "FBN-273")
@pytest.mark.setting("high_shooter_cv")
def test_far_cover_is_worth_two_against_a_higher_firer() -> None:
    def value(row: str, away: float, **settings: Any) -> int:
        plain = field(lines=((row, [(0, 30 - 0.5 - away), (20, 30 - 0.5 - away)]),), **settings)
        top = Height(TerrainArea(box(5, 5, 15, 15)), 3.0, 1)
        return cv(Field(plain.book, 100, 100, plain.pieces, (top,)), (10, 10), (10, 30), **settings)

    assert (value("stone_wall", 2.0), value("stone_wall", 2.1)) == (4, 2)
    assert value("thorn_fence", 3.0) == 2
    rubble = Field(field().book, 100, 100, (), (Height(TerrainArea(box(5, 5, 15, 15)), 3.0, 1),))
    low = TerrainPiece.line(
        "low", rubble.book.terrain["rubble"].model_copy(update={"shelter": "behind"}), [(0, 25), (20, 25)]
    )
    for setting, expected in (("min", 1), ("set", 2)):
        made = field(high_shooter_cv=setting)
        assert (
            cv(Field(made.book, 100, 100, (low,), rubble.heights), (10, 10), (10, 30), high_shooter_cv=setting)
            == expected
        )


@pytest.mark.rule("FBN-070", "FBN-071")
@pytest.mark.setting("high_shooter_cv")
def test_the_best_of_several_covers_is_found_after_what_height_makes_of_them() -> None:
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


@pytest.mark.rule("FBN-274")
@pytest.mark.setting("area_cover_behind")
def test_grass_shelters_men_beyond_it_and_woods_do_not() -> None:
    for setting, expected in ((True, 1), (False, 0)):
        grass = field(("rubble", list(box(5, 18, 15, 22))), area_cover_behind=setting)
        assert cv(grass, (10, 10), (10, 30), area_cover_behind=setting) == expected
    assert cv(field(("dense_forest", list(box(5, 18, 15, 22)))), (10, 10), (10, 30)) == 0


@pytest.mark.rule("FBN-068")
def test_every_neutral_word_of_terrain_has_a_row_of_the_chart() -> None:
    made = battle().book
    mapping = made.file.mapping
    assert set((mapping.area_terrain | mapping.linear_terrain).values()) <= set(made.terrain)


# --- sight --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-078", "FBN-067")
def test_what_blocks_sight_and_what_does_not() -> None:
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


@pytest.mark.rule("FBN-080", "FBN-209")
@pytest.mark.setting("arc_is_total")
def test_the_arc_of_a_gun() -> None:
    for setting, expected in ((True, [True, False, False]), (False, [True, True, False])):
        state = battle(arc_is_total=setting)
        gun = Gun("light_gun", 50, 50, 0, 0.0, 2)
        points = [(50 + 4, 60), (50 + 8, 60), (50 + 12, 60)]
        assert [gun_targets_arc(state, gun, point) for point in points] == expected
    maxim = Gun("machine_gun", 50, 50, 0, 0.0, 2)
    assert [gun_targets_arc(battle(), maxim, point) for point in ((59, 60), (61, 60))] == [True, False]


@pytest.mark.rule("FBN-005", "FBN-235")
def test_ranges_run_between_edges() -> None:
    state, one, other = pair(None, (10, 10), (10, 17))
    assert range_between(state, one, other) == 6.0
    assert visibility(state) > 1e6


def test_pieces_know_what_they_hold() -> None:
    piece = field(("rubble", list(box(0, 0, 2, 2)))).pieces[0]
    assert piece.holds((1, 1)) and not piece.holds((3, 1))


@pytest.mark.rule("FBN-062", "FBN-064")
def test_one_man_who_is_left_steady_has_no_formation() -> None:
    for formation in ("mass", "square"):
        unit = squad("red", "red", 3, (50, 50), formation)
        state = battle(unit)
        first, second, third = unit.figures.values()
        third.reaction = "flee"
        assert unit.shape_of(first) == formation and allowed_formations(state, unit)
        second.reaction = "freeze"
        assert unit.shape_of(first) == "open" and not allowed_formations(state, unit)


@pytest.mark.rule("FBN-056", "FBN-272")
def test_a_unit_that_goes_without_one_of_its_men_is_looked_at_when_its_activation_ends() -> None:
    for tired, torn in ((0, False), (1, True)):
        red = squad("red", "red", 6, (50, 50), "closed")
        state = battle(red, squad("blue", "blue", 1, (50, 90)))
        state.active = "red"
        for figure in list(red.figures.values())[:tired]:
            figure.moves = 3
        x, y = red.middle
        with scripted(state, ("move to", (x, y - 4.0))) as table:
            perform_action(table, state, red, "move")
            end_activation(table, state, red)
        assert ("unformed" in red.marks) is torn


@pytest.mark.rule("FBN-005", "FBN-011")
def test_where_no_formation_fits_every_man_finds_a_place_of_his_own() -> None:
    crowd = squad("crowd", "blue", 60, (50, 50), "mass")
    unit = squad("red", "red", 5, (50, 50), "closed")
    state = battle(unit, crowd)
    spots, ranks = ranks_that_fit(state, unit.figures, (50.0, 50.0), "closed", 0.0, 0.5)
    assert len(spots) == 5 and ranks is None
    for place, spot in enumerate(spots):
        others = [*spots[:place], *[figure.at for figure in crowd.figures.values()]]
        assert all(dist(spot, other) >= 1 - 1e-6 for other in others)
