"""Interactions of orders: single men, crews without guns, charges, falling back, boundaries of buildings."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, box, field, house, man, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import game, troops

from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.artillery import may_aim_indirect
from zareba_rulesets.fixed_baynet.chapters.buildings import cross_opening, crossings
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.manoeuvre import moves_away
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets
from zareba_rulesets.fixed_baynet.chapters.morale import (
    may_check,
    order_back,
    rally_nearby,
    rally_targets,
    rally_unit,
    reward_deed,
    units_to_order_back,
)
from zareba_rulesets.fixed_baynet.chapters.movement import may_lie_down
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def by_himself(state: Battle, unit: Unit, name: str, what: Any, *script: tuple[str, Any], **settings: Any) -> None:
    """One man of a unit performs a single-man act."""
    who = [("which man", name)] if sum(man.able and man.ac > 0 for man in unit.figures.values()) > 1 else []
    with scripted(state, *who, ("what he does", what), *script, **settings) as table:
        perform_action(table, state, unit, "one man")


# --- single men ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-016", "FBN-093", "FBN-120")
def test_a_lone_man_picks_his_target_and_his_foe() -> None:
    chief = bare_unit("chief", "red", [man("chief/1", "red", 50, 50, weapon="pistol")], kind="independent")
    near, far = squad("near", "blue", 1, (50, 53), weapon="none"), squad("far", "blue", 1, (52, 58), weapon="none")
    state = battle(chief, near, far)
    by_himself(state, chief, "chief/1", "fire", ("aim at", "far/1"), ("shot", [12]))
    assert not far.figures and near.figures
    left, right = squad("left", "blue", 1, (49.2, 50.62)), squad("right", "blue", 1, (50.8, 50.62))
    state = battle(chief, left, right)
    by_himself(state, chief, "chief/1", "strike", ("strike", "right/1"), ("blow", [6]), ("parry", [1]))
    assert left.figures and not right.figures


@pytest.mark.rule("FBN-016", "FBN-033", "FBN-205")
def test_a_gunner_who_does_not_serve_may_act_and_then_serves_no_more() -> None:
    crew = [man("red/1", "red", 50.0, 8.5, role="crew", weapon="none"), man("red/2", "red", 48.7, 9.2, role="crew")]
    gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    unit = bare_unit("red", "red", crew, guns=[gun], kind="battery")
    state = battle(unit, squad("blue", "blue", 3, (50, 40), weapon="none"))
    offered = acts(state, unit)
    assert "one man" in offered and not {"move", "lie down", "face"} & set(offered)
    by_himself(state, unit, "red/2", "walk", ("walk to", (48.7, 6.2)))
    assert crew[1].at == (48.7, 6.2) and ("gun fire", 0, "blue") in acts(state, unit)
    script = (("aim the gun at", "blue/2"), ("load", "shot"), ("gun", [1]), ("deviation", [6]), ("direction", [3]))
    with scripted(state, *script) as table:
        perform_action(table, state, unit, ("gun fire", 0, "blue"))
    assert "served" in crew[0].marks and "served" not in crew[1].marks, "only those at the piece have served it"
    by_himself(state, unit, "red/2", "lie down")
    assert crew[1].prone and crew[0].ac == 0


@pytest.mark.rule("FBN-016", "FBN-204")
def test_a_crew_whose_pieces_are_gone_is_a_squad_like_others() -> None:
    for wounds, taken, free in ((2, "", False), (0, "", True), (2, "blue", True)):
        gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, wounds, taken_by=taken)
        crew = [man(f"red/{i}", "red", 47 + i, 8.5, role="crew", weapon="none") for i in (1, 2)]
        unit = bare_unit("red", "red", crew, guns=[gun], kind="battery")
        state = battle(unit, squad("blue", "blue", 1, (50, 60)))
        assert ({"move", "lie down", ("form", "closed")} <= set(acts(state, unit))) is free


@pytest.mark.rule("FBN-016", "FBN-179", "FBN-180")
def test_a_rider_may_ride_or_charge_by_himself() -> None:
    riders = [man(f"red/{i}", "red", 47 + 3 * i, 20, mounted=True, rides=True) for i in (1, 2)]
    unit = bare_unit("red", "red", riders)
    foe = squad("blue", "blue", 1, (53, 31), facing=180.0)
    state = battle(unit, foe)
    for rider in riders:
        rider.last_gait = 1
    by_himself(state, unit, "red/1", ("ride", 1), ("ride to", (50.0, 26.0)))
    assert (riders[0].y, riders[0].gait, riders[0].ac, riders[1].y) == (26, 1, 2, 20) and "loose" in unit.marks
    by_himself(state, unit, "red/2", ("ride down", "blue", 2))
    assert riders[1].gait == 2 and foes_in_contact(state, riders[1], "red") and unit.events == ("charge",)
    with pytest.raises(AssertionError, match="ride"):
        by_himself(state, unit, "red/1", ("ride", 1), ("ride to", (50.0, 28.0)))


@pytest.mark.rule("FBN-037", "FBN-224")
def test_any_man_may_call_a_battery_and_it_sees_through_his_eyes() -> None:
    ground = field(("crag", list(box(0, 20, 60, 22))))
    gun = Gun("light_howitzer", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    guns = bare_unit("guns", "red", [man("guns/1", "red", 50, 8.5, role="crew")], guns=[gun], kind="battery")
    squad_ = bare_unit("red", "red", [man("red/1", "red", 50, 15), man("red/2", "red", 70, 15)])
    blue = squad("blue", "blue", 1, (50, 38))
    for caller, seen in (("red/1", False), ("red/2", True)):
        state = battle(guns, squad_, blue, on=ground)
        state.active = "red"
        squad_.figures[caller].ac = 1
        by_himself(state, squad_, caller, ("barrage", caller, "guns"))
        assert state.calls == [("red", "guns", caller)] and squad_.figures[caller].ac == 0
        assert may_aim_indirect(state, guns, gun, (50, 38)) is seen


@pytest.mark.rule("FBN-224")
def test_only_men_at_the_piece_observe_for_it() -> None:
    ground = field(("crag", list(box(0, 20, 60, 22))))
    guns = [Gun("light_howitzer", x, 10.0, 0.0, 0.0, 2, ac=3) for x in (50.0, 70.0)]
    crew = [man("red/1", "red", 50, 8.5, role="crew"), man("red/2", "red", 70, 8.5, role="crew")]
    unit = bare_unit("red", "red", crew, guns=guns, kind="battery")
    state = battle(unit, squad("blue", "blue", 1, (62, 38)), on=ground)
    point = (61.0, 38.0)
    assert not may_aim_indirect(state, unit, guns[0], point), "the man at the other howitzer sees it, not this crew"
    assert may_aim_indirect(state, unit, guns[1], point)


@pytest.mark.rule("FBN-016", "FBN-093", "FBN-120")
def test_one_man_is_offered_no_shot_without_a_target() -> None:
    for away, shot in ((10, True), (60, False)):
        unit = squad("red", "red", 1, (50, 20))
        state = battle(unit, squad("blue", "blue", 1, (50, 20 + away)))
        refused = nullcontext() if shot else pytest.raises(AssertionError, match="fire")
        script = [("aim at", "blue/1"), ("shot", [1])] if shot else []
        with refused:
            by_himself(state, unit, "red/1", "fire", *script)
        assert (unit.figures["red/1"].ac < 3) is shot


@pytest.mark.rule("FBN-039", "FBN-173")
def test_the_log_says_of_an_order_to_move_that_it_came_to_nothing() -> None:
    crags = (box(40, 40, 60, 49.2), box(40, 50.8, 60, 60), box(40, 49.2, 49.2, 50.8), box(50.8, 49.2, 60, 50.8))
    ground = field(*(("crag", list(one)) for one in crags))
    for mounted, order in ((False, "move"), (True, ("ride", 1)), (True, ("wheel", 1)), (True, "one man")):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=mounted)])
        state = battle(unit, squad("blue", "blue", 1, (50, 90)), on=ground)
        script = [("what he does", ("ride", 1))] if order == "one man" else []
        with scripted(state, *script) as table:
            perform_action(table, state, unit, order)
            assert [event.kind for event in table.events] == ["no way"]
        assert unit.figures["red/1"].at == (50, 50) and unit.figures["red/1"].ac == 3


# --- charges ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-041", "FBN-042", "FBN-078")
def test_a_charge_needs_a_target_in_sight_and_no_wire_before_it() -> None:
    for row, open_to in ((None, True), ("rubble", True), ("crag", False), ("barbed_wire", False)):
        ground = field() if row is None else field((row, list(box(0, 53, 100, 53.6))))
        unit = squad("red", "red", 2, (50, 50))
        foe = squad("blue", "blue", 1, (50, 56), facing=180.0)
        state = battle(unit, foe, on=ground)
        assert bool(list(charge_targets(state, unit))) is open_to
        refused = nullcontext() if open_to else pytest.raises(AssertionError, match="charge")
        with refused:
            by_himself(state, unit, "red/1", ("charge", "blue"))
        assert bool(unit.events) is open_to
    gap = field(("barbed_wire", list(box(0, 53, 49.9, 53.6))), ("barbed_wire", list(box(53, 53, 100, 53.6))))
    state = battle(squad("red", "red", 1, (50.2, 50)), squad("blue", "blue", 1, (50.2, 56)), on=gap)
    assert list(charge_targets(state, state.units["red"])), "through the gap"


@pytest.mark.rule("FBN-041", "FBN-103")
def test_who_stands_in_contact_does_not_charge_by_himself() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50), man("red/2", "red", 56, 50)])
    state = battle(unit, squad("blue", "blue", 1, (50, 51), facing=180.0))
    assert list(charge_targets(state, unit, only=unit.figures["red/1"])) == []
    assert list(charge_targets(state, unit, only=unit.figures["red/2"])) == [state.units["blue"]]


# --- officers -----------------------------------------------------------------------------------------------------------


def officer(x: float = 50.0, y: float = 50.0, **spec: Any) -> Unit:
    return bare_unit("chief", "red", [man("chief/1", "red", x, y, role="officer", **spec)], kind="independent")


@pytest.mark.rule("FBN-160")
def test_a_unit_that_has_acted_may_be_ordered_back_for_its_next_activation() -> None:
    chief, unit = officer(), squad("red", "red", 3, (54, 50))
    state = battle(chief, unit, squad("blue", "blue", 1, (54, 70)))
    unit.mark("activated")
    assert units_to_order_back(state, chief.figures["chief/1"]) == [unit], "not himself: he is no squad"
    with scripted(state) as table:
        order_back(table, state, chief.figures["chief/1"], unit)
    assert unit.back
    unit.unmark("activated", "ordered_back")
    with scripted(state) as table:
        begin_activation(table, state, unit)
        assert "end" not in acts(state, unit)


@pytest.mark.rule("FBN-160")
def test_a_unit_ordered_back_goes_with_all_its_men() -> None:
    unit = squad("red", "red", 3, (50, 50))
    unit.back = True
    state = battle(unit, squad("blue", "blue", 1, (50, 70)))
    man_ahead = unit.figures["red/1"]
    by_himself(state, unit, "red/1", "walk", ("walk to", (man_ahead.x, man_ahead.y - 3)))
    assert "end" not in acts(state, unit), "one man who walks does not go back for the others"
    x, y = unit.middle
    with scripted(state, ("move to", (x, y - 4))) as table:
        perform_action(table, state, unit, "move")
    assert "end" in acts(state, unit)


@pytest.mark.rule("FBN-160", "FBN-159")
def test_an_officer_orders_his_own_squad_back_and_it_binds_the_next_activation_only() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, role="officer"), man("red/2", "red", 52, 50)])
    state = battle(unit, squad("blue", "blue", 1, (50, 60)))
    state.active = "red"
    for figure in unit.figures.values():
        figure.gl = 6
    with scripted(state) as table:
        perform_action(table, state, unit, ("fall back", "red/1", "red"))
        assert [figure.gl for figure in unit.figures.values()] == [4, 4]
        assert not unit.back and ("charge", "blue") in acts(state, unit), "this activation goes on as before"
        end_activation(table, state, unit)
    assert unit.back
    with scripted(state) as table:
        begin_activation(table, state, unit)
        assert ("charge", "blue") not in acts(state, unit)
        end_activation(table, state, unit)
    assert not unit.back


@pytest.mark.rule("FBN-160", "FBN-159")
def test_a_man_profits_from_a_rally_or_an_order_back_not_from_both() -> None:
    chief, unit = officer(), squad("red", "red", 2, (53, 50))
    calm, broken = unit.figures.values()
    calm.gl, broken.gl, broken.reaction = 7, 7, "freeze"
    calm.reaction = ""
    state = battle(chief, unit)
    with scripted(state) as table:
        rally_nearby(table, state, chief.figures["chief/1"], False)
        assert (broken.gl, broken.reaction) == (5, "")
        order_back(table, state, chief.figures["chief/1"], unit)
    assert (calm.gl, broken.gl) == (5, 5)


@pytest.mark.rule("FBN-159")
def test_a_rally_of_a_unit_helps_each_man_once_a_turn() -> None:
    chief, unit = officer(), squad("red", "red", 2, (53, 50))
    state = battle(chief, unit)
    for figure in unit.figures.values():
        figure.gl = 7
    with scripted(state) as table:
        assert rally_unit(table, state, chief.figures["chief/1"], unit) == 2
        assert rally_unit(table, state, chief.figures["chief/1"], unit) == 0
    assert {figure.gl for figure in unit.figures.values()} == {5}


@pytest.mark.rule("FBN-160", "FBN-078")
def test_falling_back_is_away_from_the_nearest_enemy_in_sight() -> None:
    unit = squad("red", "red", 1, (50, 50))
    near, far = squad("near", "blue", 1, (50, 42)), squad("far", "blue", 1, (50, 70))
    for ground, south in ((field(), False), (field(("crag", list(box(40, 45, 60, 47)))), True)):
        state = battle(unit, near, far, on=ground)
        men = list(unit.figures.values())
        assert moves_away(state, "red", men, 0, -3) is south, "an enemy behind the crag does not count"
        assert moves_away(state, "red", men, 0, 3) is not south


@pytest.mark.rule("FBN-060", "FBN-159")
def test_natives_who_are_gathered_form_no_square() -> None:
    for table_, drilled, square in (("european", False, True), ("native", False, False), ("european", True, False)):
        chief, unit = officer(), squad("red", "red", 3, (53, 50), table=table_, drilled=drilled)
        for figure in unit.figures.values():
            figure.reaction, figure.gl = "freeze", 7
        state = battle(chief, unit)
        with scripted(state) as table:
            made = rally_nearby(table, state, chief.figures["chief/1"], True)
        assert made is not None
        made.unmark("activated")
        for figure in made.figures.values():
            figure.ac = 3
        assert (("form", "square") in acts(state, made)) is square


@pytest.mark.rule("FBN-161")
def test_a_deed_is_one_of_the_units_own_activation() -> None:
    chief, friend = officer(), squad("friend", "red", 2, (54, 50))
    state = battle(chief, friend)
    for figure in friend.figures.values():
        figure.gl = 6
    chief.mark("deed")
    with scripted(state) as table:
        begin_activation(table, state, chief)
        end_activation(table, state, chief)
    assert {figure.gl for figure in friend.figures.values()} == {6}, "what an answer did in the enemy's turn is past"
    chief.mark("deed")
    with scripted(state) as table:
        reward_deed(table, state, chief)
    assert {figure.gl for figure in friend.figures.values()} == {4}
    assert [event.data["helped"] for event in table.events] == [("friend",)]
    chief.mark("deed")
    with scripted(state) as table:
        reward_deed(table, state, chief)
    assert not table.events, "nobody is left to be heartened this turn, and nothing is told"


@pytest.mark.rule("FBN-016")
def test_left_over_ac_are_lost() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit)
    with scripted(state) as table:
        begin_activation(table, state, unit)
        end_activation(table, state, unit)
    assert [figure.ac for figure in unit.figures.values()] == [0, 0]


# --- boundaries -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-244", "FBN-254")
def test_who_crosses_a_boundary_spends_his_ac_on_movement_alone() -> None:
    men = [man("red/1", "red", 42, 38, role="officer", spare="pistol"), man("red/2", "red", 43, 38)]
    unit = bare_unit("red", "red", men)
    state = battle(unit, squad("far", "red", 1, (47, 38)), on=house())
    men[0].flares, state.units["far"].figures["far/1"].gl = 1, 6
    assert {("flare", "red/1"), ("rally", "red/1", "far")} <= set(acts(state, unit))
    [(way, to)] = crossings(state, men[0])
    with scripted(state) as table:
        cross_opening(table, state, unit, men[0], way, to)
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


@pytest.mark.rule("FBN-159")
def test_a_rally_is_offered_only_where_it_helps_somebody() -> None:
    chief, unit = officer(), squad("red", "red", 2, (53, 50))
    state = battle(chief, unit)
    for figure in unit.figures.values():
        figure.reaction, figure.gl = "freeze", 7
    with scripted(state) as table:
        rally_nearby(table, state, chief.figures["chief/1"], False)
    assert rally_targets(state, chief.figures["chief/1"]) == [], "both have had their rally of this turn"
    unit.figures["red/1"].unmark("steadied")
    assert rally_targets(state, chief.figures["chief/1"]) == [unit]


@pytest.mark.rule("FBN-159", "FBN-265")
def test_gathered_men_still_count_for_what_the_scenario_asks_of_their_units() -> None:
    made = game({"foot": troops(position=[30, 10]), "boss": troops(figures=1, position=[30, 16])})
    state = made.start()
    foot, boss = state.units.change("foot"), state.units["boss"]
    for figure in list(foot.figures.values())[:4]:
        figure.reaction, figure.gl = "freeze", 7
    assert FbnScoreboard(state, made.scenario).share_left(["foot"]) == 0.6
    with ScriptedTable(made.rules, state, []) as table:
        new = rally_nearby(table, state, next(iter(boss.figures.values())), True)
    assert new is not None and len(new.figures) == 5
    assert FbnScoreboard(state, made.scenario).share_left(["foot"]) == 1.0
    list(new.figures.values())[-1].reaction = "flee"
    standing = FbnScoreboard(state, made.scenario)
    assert standing.share_left(["foot"]) == 0.9 and standing.share_left(["boss"]) == 1.0


@pytest.mark.rule("FBN-078", "FBN-207", "FBN-145")
def test_a_gun_that_is_moved_finds_hidden_men_and_brings_its_crew_into_contact() -> None:
    hidden = bare_unit("hidden", "blue", [man("hidden/1", "blue", 56, 18)])
    hidden.mark("hidden")
    turned = bare_unit("turned", "blue", [man("turned/1", "blue", 50.0, 16.05, facing=0.0)])
    gun = Gun("machine_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    crew = [man(f"red/{i}", "red", 48.75 + 2.5 * i, 10.9, role="crew") for i in (0, 1)]
    unit = bare_unit("red", "red", crew, guns=[gun], kind="machine_gun")
    state = battle(unit, hidden, turned)
    turned.figures["turned/1"].x = 48.75
    turned.measure()
    with scripted(state, ("haul to", (50.0, 14.1))) as table:
        perform_action(table, state, unit, ("gun move", 0))
    assert "hidden" not in hidden.marks and turned.events == ("flank",)


@pytest.mark.rule("FBN-160", "FBN-244")
def test_who_must_fall_back_goes_through_no_door_that_is_nearer_to_the_enemy() -> None:
    for y, may in ((30.0, False), (60.0, True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 42, 43)])
        state = battle(unit, squad("blue", "blue", 1, (45, y)), on=house())
        figure = unit.figures["red/1"]
        figure.place, figure.post, unit.back = "hut:0:0", "hut:window", True
        if may:
            figure.place = figure.post = ""
            state.put(figure, 42.0, 38.0)
            state.units["blue"].figures["blue/1"].y = 33.0
            state.units["blue"].measure()
            unit.measure()
        crossing = ("cross", "hut:door", "hut:0:0" if may else "")
        assert (crossing in acts(state, unit)) is may
        unit.back = False
        assert crossing in acts(state, unit)


@pytest.mark.rule("FBN-160")
def test_men_who_have_all_walked_back_singly_may_leave_it_at_that() -> None:
    unit = squad("red", "red", 2, (50, 50))
    state = battle(unit, squad("blue", "blue", 1, (50, 62), facing=180.0))
    unit.back = True
    for figure, may_end in zip(unit.figures.values(), (False, True), strict=True):
        assert "end" not in acts(state, unit)
        by_himself(state, unit, figure.id, "walk", ("walk to", (figure.x, 47.0)))
        assert ("end" in acts(state, unit)) is may_end


@pytest.mark.rule("FBN-041", "FBN-143", "FBN-145")
def test_a_man_who_charges_by_himself_frightens_those_whom_he_takes_in_flank() -> None:
    for facing, events in ((180.0, ()), (90.0, ("flank",))):
        red = squad("red", "red", 2, (50, 50))
        blue = squad("blue", "blue", 1, (50, 57), facing=facing)
        state = battle(red, blue)
        by_himself(state, red, "red/1", ("charge", "blue"))
        assert (
            foes_in_contact(state, red.figures["red/1"], "red") and blue.events == events and red.events == ("charge",)
        )
