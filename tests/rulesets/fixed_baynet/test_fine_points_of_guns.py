"""Interactions of guns, crews and rounds (chapter 19)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, book, field, house, man, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import game, troops

from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.aiming import may_answer
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    Impact,
    aims_of_gun,
    building_facts,
    building_targets,
    direct_targets,
    gun_facts,
    resolve_burst,
)
from zareba_rulesets.fixed_baynet.chapters.crews import (
    best_cs,
    crew_of,
    haul_gun,
    haul_refused,
    haulers,
    ready_gun,
)
from zareba_rulesets.fixed_baynet.chapters.machine_guns import fire_piece_at_gun, salvo_aims, salvo_targets
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def battery(
    kind: str = "light_gun", *others: Unit, crew: int = 2, team: int = 1, on: Any = None, **settings: Any
) -> tuple[Battle, Unit, Gun]:
    """A gun at (50, 10) facing north with its crew behind it, and the other units."""
    spots = [(50.0, 8.5), (48.7, 9.2)]
    men = [man(f"red/{i + 1}", "red", *spots[i], role="crew", cs=-1, ds=4, weapon="none") for i in range(crew)]
    gun = Gun(kind, 50.0, 10.0, 0.0, 0.0, book().guns[kind].wounds, ac=3, team=team)
    unit = bare_unit("red", "red", men, guns=[gun], kind="machine_gun" if kind == "machine_gun" else "battery")
    state = battle(unit, *others, on=on, **settings)
    state.active = "red"
    return state, unit, gun


def pieces(*at: tuple[float, float], kind: str = "light_gun", wounds: int = 2) -> Unit:
    """Enemy guns with one gunner far from all of them."""
    guns = [Gun(kind, x, y, 0.0, 180.0, wounds) for x, y in at]
    return bare_unit("guns", "blue", [man("guns/1", "blue", 90, 90, role="crew")], guns=guns, kind="battery")


# --- aiming ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-093", "FBN-215")
@pytest.mark.setting("leaders_targetable")
def test_the_owner_names_the_man_at_whom_a_gun_is_aimed() -> None:
    line = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 46 + 2 * i, 40 - (i == 3)) for i in (1, 2, 3)])
    state, unit, gun = battery("light_gun", line)
    assert [one.id for one in aims_of_gun(state, unit, gun, line)] == ["blue/2", "blue/1", "blue/3"]
    script = [("aim the gun at", "blue/1"), ("load", "shot"), ("gun", [11])]
    with scripted(state, *script) as table:
        perform_action(table, state, unit, ("gun fire", 0, "blue"))
    assert list(line.figures) == ["blue/2", "blue/3"]
    state, unit, gun = battery("light_gun", line, leaders_targetable="nearest")
    assert [one.id for one in aims_of_gun(state, unit, gun, line)] == ["blue/3"]


@pytest.mark.rule("FBN-069", "FBN-215")
def test_a_wall_at_the_edge_of_a_piece_does_not_shelter_its_target() -> None:
    for gap, cv in ((0.9, 0), (1.1, 4)):
        wall = field(lines=(("stone_wall", [(40.0, 11.0 + gap), (60.0, 11.0 + gap)]),))
        blue = squad("blue", "blue", 1, (50, 30))
        state, unit, gun = battery("light_gun", blue, on=wall)
        assert gun_facts(state, unit, gun, blue, blue.figures["blue/1"]).cv == cv


@pytest.mark.rule("FBN-205", "FBN-207", "FBN-229")
def test_only_a_machine_gun_can_move_or_turn_and_still_fire() -> None:
    foe = squad("blue", "blue", 3, (50, 30), weapon="none")
    for kind, kept in (("machine_gun", True), ("light_gun", False)):
        for order in (("gun move", 0), ("gun turn", 0)):
            state, unit, gun = battery(kind, foe)
            script: tuple[str, Any] = ("haul to", (50.0, 12.0)) if order[0] == "gun move" else ("turn gun to", 15)
            with scripted(state, script) as table:
                perform_action(table, state, unit, order)
            left = acts(state, unit)
            assert gun.ac == (1 if order[0] == "gun move" else 2)
            assert (("salvo", 0, "blue") in left) is kept and ("gun fire", 0, "blue") not in left


@pytest.mark.rule("FBN-130", "FBN-215")
def test_the_best_gunner_is_worse_with_a_chest_wound() -> None:
    state, unit, gun = battery(crew=1)
    unit.figures["red/1"].locations = frozenset({"chest_light"})
    assert best_cs(state, unit, gun) == -2


@pytest.mark.rule("FBN-054", "FBN-205")
def test_who_fires_a_piece_gets_up_and_who_turns_it_need_not() -> None:
    for order, script, lies in (
        (("gun turn", 0), [("turn gun to", 15)], True),
        (("gun fire", 0, "blue"), [("load", "shot"), ("gun", [11])], False),
    ):
        state, unit, _ = battery("light_gun", squad("blue", "blue", 1, (50, 40), weapon="none"), crew=1)
        unit.figures["red/1"].mark("prone")
        with scripted(state, *script) as table:
            perform_action(table, state, unit, order)
        assert unit.figures["red/1"].prone is lies


@pytest.mark.rule("FBN-160", "FBN-207")
def test_a_battery_that_falls_back_is_hauled_away_from_the_enemy() -> None:
    state, unit, gun = battery("light_gun", squad("blue", "blue", 3, (50, 40)))
    unit.back = True
    assert "end" not in acts(state, unit)
    assert "FBN-160" in (haul_refused(state, unit, gun, [], (50.0, 15.0)) or "")
    with scripted(state, ("haul to", (50.0, 5.0))) as table:
        perform_action(table, state, unit, ("gun move", 0))
    assert gun.y == 5 and "end" in acts(state, unit)


@pytest.mark.rule("FBN-207", "FBN-016")
def test_movers_of_another_unit_pay_of_this_turns_ac_and_go_along() -> None:
    rider = bare_unit("horse", "red", [man("horse/1", "red", 51.7, 10, mounted=True)])
    for marks, able in ((frozenset(), True), (frozenset({"activated"}), False)):
        state, unit, gun = battery("light_gun", rider, team=0)
        rider.marks = marks
        assert (haulers(state, unit, gun) is not None) is able
    rider.marks, puller = frozenset(), rider.figures["horse/1"]
    with scripted(state) as table:
        haul_gun(table, state, unit, gun, haulers(state, unit, gun) or [], (50.0, 16.0))
        assert (gun.y, puller.at, puller.spent) == (16.0, (51.7, 16.0), 1)
        end_activation(table, state, unit)
        begin_activation(table, state, rider)
    assert puller.ac == 2


@pytest.mark.rule("FBN-050", "FBN-207")
def test_a_gun_is_not_hauled_through_enemies() -> None:
    for side, refused in (("red", False), ("blue", True)):
        state, unit, gun = battery("light_gun", squad("other", side, 1, (50, 13)))
        assert (haul_refused(state, unit, gun, [], (50.0, 16.0)) is not None) is refused
        assert haul_refused(state, unit, gun, [], (50.0, 13.0)) is not None, "nobody ends upon another"


@pytest.mark.rule("FBN-050", "FBN-207")
def test_a_piece_is_not_hauled_where_its_crew_finds_no_room() -> None:
    for x, refused in ((50.0, True), (53.0, False)):
        state, unit, gun = battery("light_gun", squad("other", "red", 1, (x, 13.6)))
        assert (haul_refused(state, unit, gun, [], (50.0, 15.5)) is not None) is refused


@pytest.mark.rule("FBN-205", "FBN-098")
@pytest.mark.setting("crew_ac")
def test_answers_are_missing_in_the_ac_of_a_crew() -> None:
    for setting, ac in (("fixed3", 3), ("crew_best", 2), ("crew_sum", 3)):
        state, unit, gun = battery(crew_ac=setting)
        for figure, spent in zip(unit.figures.values(), (1, 2), strict=True):
            figure.spent = spent
        ready_gun(state, unit, gun)
        assert gun.ac == ac


@pytest.mark.rule("FBN-233", "FBN-207")
def test_any_two_men_move_a_light_piece() -> None:
    helper = squad("foot", "red", 1, (51.3, 9.2))
    state, unit, gun = battery("machine_gun", helper, crew=1)
    found = haulers(state, unit, gun)
    assert found is not None and [one.id for one in found] == ["red/1", "foot/1"]
    helper.figures["foot/1"].spent = 3
    assert haulers(state, unit, gun) is None


# --- points of impact -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-218", "FBN-005")
def test_a_stray_ball_takes_the_nearest_man_or_piece_within_an_inch_of_its_middle() -> None:
    for at, struck in (((51.0, 40.0), True), ((51.1, 40.0), False)):
        blue = squad("blue", "blue", 1, (50, 40))
        state, unit, gun = battery("light_gun", blue)
        with scripted(state, *[("burst", [12])] * struck) as table:
            resolve_burst(table, state, unit, gun, "shot", Impact(*at), None)
        assert bool(blue.figures) is not struck
    for at, wounds, men in (((60.4, 40.0), 0, 1), ((61.6, 40.0), 2, 0)):
        blue, guns = squad("blue", "blue", 1, (62, 40)), pieces((60.0, 40.0))
        state, unit, gun = battery("light_gun", blue, guns)
        with scripted(state, ("burst", [11])) as table:
            resolve_burst(table, state, unit, gun, "shot", Impact(*at), None)
        assert (guns.guns[0].wounds, len(blue.figures)) == (wounds, men)
    blue, guns = squad("blue", "blue", 1, (61, 40)), pieces((60.0, 40.0))
    state, unit, gun = battery("light_gun", blue, guns)
    with scripted(state, ("nearest of equals", "guns gun 1"), ("burst", [11])) as table:
        resolve_burst(table, state, unit, gun, "shot", Impact(60.5, 40.0), None)
    assert guns.guns[0].wounds == 0 and blue.figures


@pytest.mark.rule("FBN-218", "FBN-247")
def test_a_stray_ball_does_nothing_to_a_building_and_a_shell_does() -> None:
    for ammunition, points in (("shot", 4), ("shell", 0)):
        state, unit, gun = battery(on=house())
        with scripted(state) as table:
            resolve_burst(table, state, unit, gun, ammunition, Impact(43.0, 43.0), None)
        assert state.houses["hut"].points == points


@pytest.mark.rule("FBN-217", "FBN-204")
@pytest.mark.setting("artillery_damage")
def test_a_piece_that_was_hit_is_not_burst_upon_again() -> None:
    guns = pieces((50.0, 40.0), (51.5, 40.0), kind="heavy_gun", wounds=4)
    state, unit, gun = battery("light_howitzer", guns, artillery_damage="dice")
    state.book.gun_bands["light_howitzer"] = (7.5, 15.0, 30.0)
    script = [("gun", [11]), ("gun again", [1])]
    with scripted(state, *script, artillery_damage="dice") as table:
        fire_piece_at_gun(table, state, unit, gun, guns, guns.guns[0], "shell")
    assert [piece.wounds for piece in guns.guns] == [2, 4], (
        "under a 2 inch marker lies the first alone, and it has its hit"
    )


@pytest.mark.rule("FBN-094", "FBN-217")
def test_a_unit_whose_piece_is_under_a_marker_has_been_shot_at() -> None:
    guns = pieces((50.0, 40.0))
    state, unit, gun = battery("light_gun", guns)
    with scripted(state, ("burst", [2])) as table:
        resolve_burst(table, state, unit, gun, "shell", Impact(50.0, 41.0), None)
    assert guns.shot_turn == state.turn and guns.guns[0].wounds == 2


@pytest.mark.rule("FBN-227", "FBN-080")
def test_a_plot_is_fired_only_where_the_mortar_still_points() -> None:
    state, unit, gun = battery("trench_mortar", squad("blue", "blue", 3, (50, 40)))
    gun.plot = (50.0, 40.0, 30.0, 1.0)
    state.turn = 2
    for bearing, open_to in ((0.0, True), (15.0, True), (45.0, False)):
        gun.bearing = bearing
        assert (("gun indirect", 0) in acts(state, unit)) is open_to


# --- buildings ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-005", "FBN-247")
def test_the_range_to_a_building_is_that_to_its_wall() -> None:
    for south, band in ((25.1, "short"), (24.9, "medium")):
        state, unit, gun = battery(on=house())
        gun.x, gun.y = 43.0, 40.0 - 1.0 - 15.0 + (south - 25.0)
        for figure in unit.figures.values():
            figure.x, figure.y = 43.0, gun.y - 1.5
        assert building_facts(state, unit, gun, "hut").band == band
        assert building_targets(state, unit, gun) == ["hut"]


@pytest.mark.rule("FBN-248", "FBN-215")
def test_a_guns_critical_pierces_the_room_that_it_faces() -> None:
    inside = bare_unit("blue", "blue", [man("blue/1", "blue", 43, 43), man("blue/2", "blue", 49, 43)])
    state, unit, gun = battery("light_gun", inside, on=house(rooms=2))
    for figure, room in zip(inside.figures.values(), ("hut:0:0", "hut:0:1"), strict=True):
        figure.place = room
    gun.x, gun.bearing = 60.0, -21.0 % 360
    for figure in unit.figures.values():
        figure.x += 10
    with scripted(state, ("load", "shot"), ("gun", [12])) as table:
        perform_action(table, state, unit, ("gun at house", 0, "hut"))
    assert list(inside.figures) == ["blue/1"], "the eastern room is nearer to the gun"


@pytest.mark.rule("FBN-247", "FBN-229", "FBN-232")
@pytest.mark.setting("building_targets")
def test_a_machine_gun_fires_at_walls_where_every_weapon_may() -> None:
    for setting, offered in (("any", True), ("artillery", False)):
        state, unit, gun = battery("machine_gun", on=house(building_targets=setting), building_targets=setting)
        gun.x, gun.y = 43.0, 28.0
        for number, figure in enumerate(unit.figures.values()):
            figure.x, figure.y = 43.0 + number, 26.5
        assert (("salvo at house", 0, "hut") in acts(state, unit)) is offered
    state, unit, gun = battery("machine_gun", on=house())
    gun.x, gun.y = 43.0, 28.0
    for number, figure in enumerate(unit.figures.values()):
        figure.x, figure.y = 43.0 + number, 26.5
    with scripted(
        state, ("jam", [1]), *[("shot", [4])] * 2, ("shot", [3]), ("shot", [2]), *[("shot", [11])] * 2
    ) as table:
        perform_action(table, state, unit, ("salvo at house", 0, "hut"))
        assert [event.data["hits"] for event in table.events if event.kind == "salvo"] == [4]
    assert state.houses["hut"].points == 0 and (gun.salvos, gun.ac) == (1, 2)
    state, unit, gun = battery("machine_gun", on=house())
    gun.x, gun.y, unit.figures["red/1"].x, unit.figures["red/1"].y = 43.0, 28.0, 43.0, 26.5
    with scripted(state, ("jam", [6])) as table:
        perform_action(table, state, unit, ("salvo at house", 0, "hut"))
    assert state.houses["hut"].points == 4 and gun.salvos == 0


# --- crews ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-205")
def test_who_has_done_anything_else_that_costs_him_does_not_serve() -> None:
    deeds: list[tuple[str, list[tuple[str, Any]]]] = [
        ("strike", [("strike", "near/1"), ("blow", [1]), ("parry", [1])]),
        ("lie down", []),
    ]
    for what, script in deeds:
        near = bare_unit("near", "blue", [man("near/1", "blue", 50.0, 7.48)])
        state, unit, gun = battery("light_gun", near, squad("blue", "blue", 1, (50, 40)))
        with scripted(state, ("which man", "red/1"), ("what he does", what), *script) as table:
            perform_action(table, state, unit, "one man")
        assert unit.figures["red/1"].ac == 2 and [one.id for one in crew_of(state, unit, gun)] == ["red/2"]
    state, unit, gun = battery("light_gun", arm_light_bars="heavy_class")
    hurt = unit.figures["red/1"]
    hurt.locations = frozenset({"arm_light"})
    assert hurt in crew_of(state, unit, gun)
    hurt.ac = 2
    assert hurt not in crew_of(state, unit, gun)
    state, unit, gun = battery("light_gun", squad("blue", "blue", 1, (50, 40)), crew=2)
    unit.figures["red/1"].gl = 5
    with scripted(state, ("voluntary glory check", [1])) as table:
        perform_action(table, state, unit, "check glory")
    assert crew_of(state, unit, gun) == [] and ("gun fire", 0, "blue") not in acts(state, unit)


@pytest.mark.rule("FBN-101", "FBN-191", "FBN-201")
def test_gunners_are_armed_like_others_and_answer_who_shoots_at_them() -> None:
    for arms, weapon, close in (
        ({"weapon": "none"}, "rifle", False),
        ({"weapon": "revolver"}, "pistol", False),
        ({"weapon": "none", "close_weapon": "sword"}, "none", True),
    ):
        for arm in ({"arm": "artillery", "gun": {"kind": "field", "ammunition": ["shell"]}}, {"arm": "machine_gun"}):
            men = game({"guns": troops(figures=4, **arm, **arms)}).plan.squads
            crew = [one for key, squad in men.items() if key.startswith("guns") for one in squad.men]
            assert {(one.weapon, one.close) for one in crew} == {(weapon, close)}
    state, unit, _ = battery("light_gun", squad("blue", "blue", 1, (50, 30), facing=180.0))
    gunner, foe = unit.figures["red/1"], state.units["blue"].figures["blue/1"]
    state.active, gunner.weapon = "blue", "rifle"
    assert may_answer(state, unit, gunner, foe)


@pytest.mark.rule("FBN-122", "FBN-161")
def test_a_gun_that_its_crew_leaves_or_loses_is_taken_by_whoever_touches_it() -> None:
    for fallen in (True, False):
        toucher = bare_unit("toucher", "blue", [man("toucher/1", "blue", 50.0, 11.5)])
        state, unit, _ = battery("light_gun", toucher, squad("blue", "blue", 1, (50, 40)), crew=1)
        if fallen:
            unit.figures.clear()
        else:
            unit.figures["red/1"].y = 3.0
        unit.measure()
        active = state.units["blue"] if fallen else unit
        with scripted(state) as table:
            end_activation(table, state, active)
        assert unit.guns[0].taken_by == "blue" and "deed" not in toucher.marks
        assert [event.data["by"] for event in table.events if event.kind == "gun taken"] == ["toucher"]


@pytest.mark.rule("FBN-037", "FBN-216")
def test_no_shell_reaches_a_piece_that_is_not_on_the_table() -> None:
    away = bare_unit("away", "blue", [man("away/1", "blue", 0, 0)], guns=[Gun("light_gun", 0.0, 0.0, 0.0, 0.0, 2)])
    away.mark("away")
    state, unit, gun = battery("light_gun", away)
    with scripted(state) as table:
        resolve_burst(table, state, unit, gun, "shell", Impact(1.0, 1.0), None)
    assert away.guns[0].wounds == 2


@pytest.mark.rule("FBN-275", "FBN-212", "FBN-080", "FBN-229")
def test_a_gun_shoots_at_the_window_and_not_at_the_middle_of_the_room() -> None:
    """The range is measured to the window at (45, 40), not to the man at (41, 45). Half of a machine gun's 36 inches are
    medium range.
    """
    for kind, y, band in (("light_gun", 23.6, "short"), ("light_gun", 22.9, "medium"), ("machine_gun", 20.6, "medium")):
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 41, 45)])
        state, unit, gun = battery(kind, blue, on=house())
        gun.x, gun.y = 45.0, y
        figure = blue.figures["blue/1"]
        figure.place, figure.post = "hut:0:0", "hut:window"
        crew = unit.figures["red/1"]
        crew.x, crew.y = 45.0, y - 1.5
        unit.measure()
        assert gun_facts(state, unit, gun, blue, figure).band == band
        gun.bearing = 22.0
        aims = salvo_targets if kind == "machine_gun" else direct_targets
        assert list(aims(state, unit, gun)), "in the arc, as the window is"
        gun.bearing = -23.0 if kind == "light_gun" else -46.0
        assert not list(aims(state, unit, gun)), "out of it, though the man himself stands in it"
    gun.bearing, gun.y = 0.0, 2.5
    assert [man for man, _ in salvo_aims(state, unit, gun, blue)] == [figure], (
        "36 inches from the window, 41 from the man"
    )
    gun.y = 2.4
    assert list(salvo_aims(state, unit, gun, blue)) == []


@pytest.mark.rule("FBN-204", "FBN-215", "FBN-219", "FBN-247")
@pytest.mark.setting("deviation_on")
def test_the_die_of_a_gun_names_the_rule_of_what_it_is_aimed_at() -> None:
    """The rule shown with the roll depends on the target, so that it says correctly what a 12 does."""
    for strays in ("miss", "always"):
        guns, blue = pieces((50.0, 30.0)), bare_unit("blue", "blue", [man("blue/1", "blue", 47.0, 30.0)])
        state, unit, gun = battery("light_gun", guns, blue, on=house(), deviation_on=strays)
        for option, rule in (
            (("gun fire", 0, "blue"), "FBN-215"),
            (("gun at gun", 0, "guns", 0), "FBN-204"),
            (("gun at house", 0, "hut"), "FBN-247"),
        ):
            asked = rule if strays == "miss" else "FBN-219"
            loading = [("load", "shell")]
            with (
                pytest.raises(AssertionError, match=rf"no answer for 'gun' \({asked}"),
                scripted(state, *loading, deviation_on=strays) as table,
            ):
                perform_action(table, state, unit, option)
            gun.ac = 3
