"""Glory, officers and heroic deeds (chapter 14)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from math import cos, hypot, radians, sin
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.fixed_baynet.plain import (
    CANTER,
    WALK,
    acts,
    ask,
    battle,
    book,
    box,
    event,
    field,
    house,
    man,
    perform_with_one_man,
    run,
    scripted,
    squad,
    troop,
)
from tests.rulesets.fixed_baynet.random_boards import ground, spot, tables
from tests.rulesets.fixed_baynet.scenarios import game, shipped, troops

from zareba.space.bearings import offset
from zareba.space.geometry import Point, distance_to_segment
from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.cavalry import raise_ridden_at, ride_straight
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.hits import remove_man, resolve_hit
from zareba_rulesets.fixed_baynet.chapters.melee import charge_with_unit
from zareba_rulesets.fixed_baynet.chapters.morale import (
    check_half,
    glory_event,
    glory_phase,
    may_rally,
    order_back,
    panicking_near,
    rally_nearby,
    rally_targets,
    rally_unit,
    reward_deed,
    roll_recovery,
    start_panic,
    units_to_order_back,
)
from zareba_rulesets.fixed_baynet.chapters.movement import moves_away
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def _location(face: int) -> str:
    from zareba_rulesets.fixed_baynet.chapters.hits import roll_hit_location

    unit = squad("red", "red", 1, leader="hero")
    state = battle(unit)
    with scripted(state, ("hit location", [face])) as table:
        return roll_hit_location(table, state.book, "red/1")


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


@pytest.mark.rule("FBN-140", "FBN-203")
def test_a_bearer_who_is_hit_and_stands_is_an_event_too() -> None:
    unit = squad("red", "red", 6)
    bearer = man("red/1", "red", 0.0, 0.0, bearer=True)
    bearer.wounds = 2
    unit.figures["red/1"] = bearer
    state = battle(unit)
    before = unit.figures["red/2"].gl
    run(resolve_hit, state, unit, bearer, False, 1, "fire")
    assert bearer.wounds == 1 and unit.figures["red/2"].gl == before + 1


@pytest.mark.rule("FBN-140")
def test_the_loss_of_a_leader_or_bearer_is_an_event() -> None:
    for spec in ({"role": "nco"}, {"role": "officer"}, {"role": "hero"}, {"bearer": True}):
        unit = bare_unit(
            "red", "red", [man("red/1", "red", 0, 0, **spec), *(man(f"red/{i}", "red", i, 0) for i in range(2, 6))]
        )
        state = battle(unit)
        run(remove_man, state, unit, unit.figures["red/1"], "down", "fire")
        assert unit.events == ("banner",)


@pytest.mark.rule("FBN-140", "FBN-161")
def test_the_fall_of_a_banner_is_a_deed_and_that_of_a_soldier_is_none() -> None:
    for bearer in (True, False):
        red = squad("red", "red", 1, (50, 50))
        blue = bare_unit(
            "blue", "blue", [man(f"blue/{i}", "blue", 50 + i, 60, bearer=bearer and i == 1) for i in (1, 2, 3)]
        )
        state = battle(red, blue)
        run(remove_man, state, blue, blue.figures["blue/1"], "down", "fire", red)
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


@pytest.mark.rule("FBN-141")
def test_half_of_an_odd_number_is_less_than_half() -> None:
    for left, halved in ((3, False), (2, True)):
        unit = squad("red", "red", 5)
        for key in list(unit.figures)[left:]:
            del unit.figures[key]
        state = battle(unit)
        run(check_half, state, unit)
        assert bool(unit.events) is halved


@pytest.mark.rule("FBN-141")
@pytest.mark.setting("half_strength_trigger")
def test_half_strength_counts_once_or_every_turn() -> None:
    for setting, second in (("once", ()), ("each_turn", ("half",))):
        unit = squad("red", "red", 4)
        state = battle(unit, half_strength_trigger=setting)
        with scripted(state, half_strength_trigger=setting) as table:
            remove_man(table, state, unit, unit.figures["red/1"], "down", "fire")
            assert not unit.events
            remove_man(table, state, unit, unit.figures["red/2"], "down", "fire")
            assert unit.events == ("half",)
            unit.events = ()
            unit.unmark("half turn")
            check_half(table, state, unit)
        assert unit.events == second
    lone = squad("lone", "red", 1)
    run(check_half, battle(lone), lone)
    assert lone.events == ()


@pytest.mark.rule("FBN-142")
def test_men_in_sight_on_a_riders_path_are_ridden_at() -> None:
    for random in tables(30):
        red = bare_unit("red", "red", [man(f"red/{i}", "red", *spot(random), mounted=i < 3) for i in range(4)])
        blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", *spot(random)) for i in range(2)])
        state = battle(red, blue, on=ground(random))
        for rider, gait in zip(red.figures.values(), (1, 2, 3, 3), strict=True):
            rider.facing, rider.gait = random.uniform(0, 360), gait
        run(raise_ridden_at, state, red)
        view = state.field.scene((0.0, 0.0, 30.0, 30.0))
        expected = any(
            rider.mounted
            and rider.gait > 1
            and distance_to_segment(foe.at, rider.at, offset(rider.at, rider.facing, 17.0)) <= 0.5
            and sees(state, rider, foe, view)
            for rider in red.figures.values()
            for foe in blue.figures.values()
        )
        assert state.units["blue"].events == ("ridden at",) * expected


@pytest.mark.rule("FBN-142")
@pytest.mark.parametrize(
    ("at", "ridden"), [((10, 27.4), True), ((10, 27.6), False), ((10.5, 20), True), ((10.6, 20), False)]
)
def test_a_base_that_the_prolonged_line_touches_is_ridden_at(at: Point, ridden: bool) -> None:
    """A rider at canter faces north. Seventeen inches ahead of him a man with a base of half an inch is at the end of
    the line or next to it.
    """
    red = bare_unit("red", "red", [man("red/0", "red", 10, 10, mounted=True)])
    blue = bare_unit("blue", "blue", [man("blue/0", "blue", *at)])
    state = battle(red, blue, on=field())
    red.figures["red/0"].gait = 2
    run(raise_ridden_at, state, red)
    assert state.units["blue"].events == ("ridden at",) * ridden


@pytest.mark.rule("FBN-142")
def test_riding_straight_at_men_above_a_walk_is_an_event_for_them() -> None:
    for gait, last, inches, events in ((WALK, 0, 7, ()), (CANTER, WALK, 10, ("ridden at",))):
        state, red, blue = troop(last, gap=22)
        run(ride_straight, state, red, list(red.figures.values()), gait, 0, inches)
        assert blue.events == events
    state, red, blue = troop(WALK, gap=22)
    blue.figures["blue/1"].x = 60
    run(ride_straight, state, red, list(red.figures.values()), CANTER, 0, 10)
    assert blue.events == ()


@pytest.mark.rule("FBN-142")
def test_men_out_of_sight_of_the_riders_are_not_frightened() -> None:
    """Men behind a crag are not ridden at, because they cannot see the riders. By night sight ends at 12 inches."""
    for crag, dark, events in ((False, False, ("ridden at",)), (True, False, ()), (False, True, ())):
        _, red, blue = troop(WALK, gap=26)
        state = battle(red, blue, on=field(("crag", list(box(40, 40, 60, 42)))) if crag else None)
        state.night = dark
        run(ride_straight, state, red, list(red.figures.values()), CANTER, 0, 12)
        assert blue.events == events


@pytest.mark.rule("FBN-145", "FBN-035")
def test_men_who_form_up_into_an_enemys_back_assault_it() -> None:
    for facing, events in ((0.0, ("flank",)), (180.0, ())):
        unit, enemy = squad("red", "red", 8, (50, 50), "closed"), squad("blue", "blue", 1, (50, 52.03), facing=facing)
        state = battle(unit, enemy)
        assert not foes_in_contact(state, enemy.figures["blue/1"], "blue")
        run(perform_action, state, unit, ("form", "mass"))
        assert foes_in_contact(state, enemy.figures["blue/1"], "blue")
        assert state.units["blue"].events == events
    unit, enemy = squad("red", "red", 8, (50, 50), "closed"), squad("blue", "blue", 1, (49.495, 51.52))
    state = battle(unit, enemy)
    run(perform_action, state, unit, ("form", "closed"))
    assert foes_in_contact(state, enemy.figures["blue/1"], "blue")
    assert state.units["blue"].events == (), "who touches him already does not come into contact"


@pytest.mark.rule("FBN-145")
def test_contact_from_the_flank_is_an_event_for_the_man_struck() -> None:
    for facing, events in ((180.0, ()), (90.0, ("flank",))):
        red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 1, (10, 15), facing=facing)
        state = battle(red, blue)
        run(charge_with_unit, state, red, blue)
        assert blue.events == events


@pytest.mark.rule("FBN-022", "FBN-146")
@pytest.mark.setting("same_event_per_turn")
def test_an_event_worsens_gl_once_a_turn_or_each_time() -> None:
    for setting, gl in ((1, 5), ("unlimited", 6)):
        unit = squad("red", "red", 3)
        state = battle(unit, same_event_per_turn=setting)
        event(state, unit, "charge", same_event_per_turn=setting)
        event(state, unit, "charge", same_event_per_turn=setting)
        assert [figure.gl for figure in unit.figures.values()] == [gl] * 3


@pytest.mark.rule("FBN-012", "FBN-147", "FBN-148")
@pytest.mark.setting("glory_test_timing")
def test_the_test_comes_in_the_glory_phase_or_with_the_next_orders() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit)
    event(state, unit, "charge")
    run(glory_phase, state, script=[("glory", [5])])
    assert [figure.gl for figure in unit.figures.values()] == [4, 4] and unit.events == ()
    unit = squad("red", "red", 2)
    state = battle(unit, glory_test_timing="unit_orders")
    event(state, unit, "charge", glory_test_timing="unit_orders")
    with scripted(state, ("glory", [5]), glory_test_timing="unit_orders") as table:
        glory_phase(table, state)
        assert "due" in unit.marks
        begin_activation(table, state, unit)
    assert [figure.gl for figure in unit.figures.values()] == [4, 4] and unit.figures["red/1"].ac == 3


@pytest.mark.rule("FBN-147", "FBN-157")
@pytest.mark.setting("glory_test_timing")
def test_test_lapses_if_no_man_is_steady() -> None:
    unit = squad("red", "red", 2, (20, 20), weapon="none")
    for figure in unit.figures.values():
        figure.reaction, figure.gl, figure.since = "freeze", 7, 1
    unit.mark("due")
    with scripted(battle(unit)) as table:
        glory_phase(table, table.state)
    assert "due" not in unit.marks, "nor does it wait for the next Glory phase"
    state = battle(unit, glory_test_timing="unit_orders")
    unit.mark("due")
    with scripted(state, glory_test_timing="unit_orders") as table:
        begin_activation(table, state, unit)
        for figure in unit.figures.values():
            figure.reaction, figure.gl = "", 6
        begin_activation(table, state, unit)
    assert "due" not in unit.marks


@pytest.mark.rule("FBN-150")
@pytest.mark.setting("glory_floor")
def test_success_stops_at_the_printed_gl_or_not() -> None:
    for setting, gl in (("base", 4), ("none", 3)):
        unit = squad("red", "red", 1)
        state = battle(unit, glory_floor=setting)
        unit.mark("due")
        run(glory_phase, state, script=[("glory", [6])], glory_floor=setting)
        assert unit.figures["red/1"].gl == gl


@pytest.mark.rule("FBN-151")
@pytest.mark.setting("glory_cap")
@pytest.mark.setting("panic_timing")
def test_seven_is_panic_at_once_or_in_the_glory_phase() -> None:
    unit = squad("red", "red", 1, gl=4)
    state = battle(unit)
    unit.figures["red/1"].gl = 6
    event(state, unit, "charge", ("panic", [1]))
    assert (unit.figures["red/1"].gl, unit.figures["red/1"].reaction) == (7, "flee")
    late: dict[str, Any] = {"panic_timing": "glory_phase"}
    for cap, gl in ((7, 7), ("none", 8)):
        unit = squad("red", "red", 1)
        state = battle(unit, glory_cap=cap, **late)
        unit.figures["red/1"].gl = 6
        event(state, unit, "charge", glory_cap=cap, **late)
        event(state, unit, "pinned", glory_cap=cap, **late)
        assert (unit.figures["red/1"].gl, unit.figures["red/1"].reaction) == (gl, "")
        run(glory_phase, state, script=[("panic", [1])], glory_cap=cap, **late)
        assert unit.figures["red/1"].reaction == "flee"


@pytest.mark.rule("FBN-030", "FBN-152", "FBN-163")
@pytest.mark.setting("panic_row_reads")
def test_the_table_of_reactions_by_quality() -> None:
    expected = {
        "green": ["flee", "freeze", "onwards", "onwards", "onwards", "berserk"],
        "regular": ["flee", "onwards", "onwards", "prone", "take_cover", "berserk"],
        "elite": ["flee", "prone", "prone", "take_cover", "take_cover", "berserk"],
    }
    for column, reactions in expected.items():
        for die, reaction in enumerate(reactions, start=1):
            unit = bare_unit("red", "red", [man("red/1", "red", 0, 0, column=column)])
            state = battle(unit)
            run(start_panic, state, unit, unit.figures["red/1"], script=[("panic", [die])])
            assert unit.figures["red/1"].reaction == reaction
            assert unit.figures["red/1"].prone is (reaction == "prone")
    unit = bare_unit("red", "red", [man("red/1", "red", 0, 0, column="green")])
    state = battle(unit, panic_row_reads="reroll")
    with scripted(state, ("panic", [2]), ("panic", [3]), panic_row_reads="reroll") as table:
        start_panic(table, state, unit, unit.figures["red/1"])
    assert unit.figures["red/1"].reaction == "onwards"
    assert ask("panic", {"panic_row_reads": "reroll"}, column="green").mean(lambda o: o.onwards) == F(3, 5)


@pytest.mark.rule("FBN-158", "FBN-153", "FBN-171")
def test_events_do_not_affect_panicking_men() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit)
    unit.figures["red/1"].reaction, unit.figures["red/1"].gl = "freeze", 7
    event(state, unit, "charge")
    assert (unit.figures["red/1"].gl, unit.figures["red/1"].reaction, unit.figures["red/2"].gl) == (7, "freeze", 5)
    run(begin_activation, state, unit)
    assert unit.figures["red/1"].reaction == "freeze" and len(unit.figures) == 2


@pytest.mark.rule("FBN-154", "FBN-155", "FBN-156")
@pytest.mark.setting("panic_check_target")
def test_recovery_from_panic() -> None:
    def tries(role: str) -> list[bool]:
        found = []
        for turn in range(1, 6):
            unit = bare_unit("red", "red", [man("red/1", "red", 0, 0, role=role)])
            state = battle(unit)
            figure = unit.figures["red/1"]
            figure.reaction, figure.since, figure.gl, state.turn = "freeze", 1, 7, turn
            script = [("recovery", [4])] if (turn > 1 and (role == "nco" or turn % 2 == 0)) else []
            run(roll_recovery, state, unit, figure, script=script)
            found.append(not figure.reaction)
            assert figure.gl == (6 if found[-1] else 7)
        return found

    assert tries("soldier") == [False, True, False, True, False]
    assert tries("nco") == [False, True, True, True, True]
    for setting, p in (("base", F(1, 2)), ("natural_six", F(1, 6))):
        assert ask("recovery", {"panic_check_target": setting}, gl=4).probability(lambda o: o.recovered) == p


@pytest.mark.rule("FBN-158")
def test_unit_in_complete_panic_loses_no_more_glory_and_emits_no_event() -> None:
    unit = squad("red", "red", 2, (50, 50))
    state = battle(unit)
    for figure, told in ((None, 1), ("freeze", 0)):
        unit.events = ()
        for member in unit.figures.values():
            member.reaction = figure or ""
        with scripted(state) as table:
            glory_event(table, state, unit, "charge")
        assert len([event for event in table.events if event.kind == "glory event"]) == told


@pytest.mark.rule("FBN-159", "FBN-161")
def test_nearby_is_nine_inches_from_edge_to_edge() -> None:
    for gap, near in ((9.0, True), (9.05, False)):
        chief = bare_unit("chief", "red", [man("chief/1", "red", 50, 50, role="officer")], kind="independent")
        unit = squad("red", "red", 1, (51 + gap, 50))
        [figure] = unit.figures.values()
        figure.reaction, figure.gl = "freeze", 7
        state = battle(chief, unit)
        assert bool(panicking_near(state, chief.figures["chief/1"])) is near
        chief.mark("deed")
        run(reward_deed, state, chief)
        assert (figure.gl, figure.reaction) == ((5, "") if near else (7, "freeze"))


@pytest.mark.rule("FBN-160", "FBN-159")
def test_men_ordered_back_are_not_gathered_in_the_same_turn() -> None:
    chief = bare_unit("chief", "red", [man("chief/1", "red", 50, 50, role="officer")], kind="independent")
    unit = squad("red", "red", 2, (53, 50))
    for figure in unit.figures.values():
        figure.reaction, figure.gl = "freeze", 7
    state = battle(chief, unit)
    assert len(panicking_near(state, chief.figures["chief/1"])) == 2
    unit.mark("ordered_back")
    assert panicking_near(state, chief.figures["chief/1"]) == []


@pytest.mark.rule("FBN-160")
@pytest.mark.parametrize(("role", "offered"), [("officer", True), ("nco", False)])
def test_only_officers_order_units_back(role: str, offered: bool) -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, role=role), man("red/2", "red", 52, 50)])
    state = battle(unit, squad("blue", "blue", 1, (50, 60)))
    state.active = "red"
    for figure in unit.figures.values():
        figure.gl = 6
    assert (("fall back", "red/1", "red") in acts(state, unit)) is offered


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


def officer(x: float = 50.0, y: float = 50.0, **spec: Any) -> Unit:
    return bare_unit("chief", "red", [man("chief/1", "red", x, y, role="officer", **spec)], kind="independent")


@pytest.mark.rule("FBN-159")
def test_rally_is_offered_only_if_it_helps_a_man() -> None:
    chief, unit = officer(), squad("red", "red", 2, (53, 50))
    state = battle(chief, unit)
    for figure in unit.figures.values():
        figure.reaction, figure.gl = "freeze", 7
    run(rally_nearby, state, chief.figures["chief/1"], False)
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


def command(
    away: float = 8.0, role: str = "officer", table: str = "european", **settings: Any
) -> tuple[Battle, Unit, Unit]:
    """A single leader and a squad of three at this distance, at GL 6."""
    chief = bare_unit("chief", "red", [man("chief/1", "red", 10, 10, role=role, table=table)])
    unit = squad("red", "red", 3, (10 + 1 + away + 2, 10))
    for figure in unit.figures.values():
        figure.gl = 6
    return battle(chief, unit, **settings), chief, unit


@pytest.mark.rule("FBN-159", "FBN-162")
@pytest.mark.setting("nearby_inches")
def test_an_officer_rallies_a_unit_near_him_without_a_die() -> None:
    state, chief, unit = command()
    officer = chief.figures["chief/1"]
    assert rally_targets(state, officer) == [unit]
    assert run(rally_unit, state, officer, unit) == 3
    assert [figure.gl for figure in unit.figures.values()] == [4, 4, 4] and officer.ac == 2
    assert rally_targets(state, officer) == []
    for inches, count in ((9, 0), (20, 1)):
        state, chief, _ = command(12, nearby_inches=inches)
        assert len(rally_targets(state, chief.figures["chief/1"])) == count


@pytest.mark.rule("FBN-159")
@pytest.mark.setting("nco_may_rally")
def test_men_who_may_rally_others() -> None:
    expected = {
        ("officer", "european"): True,
        ("hero", "native"): True,
        ("hero", "european"): False,
        ("nco", "european"): False,
    }
    for (role, table), may in expected.items():
        state, chief, _ = command(role=role, table=table)
        assert may_rally(state, chief.figures["chief/1"]) is may
    state, chief, _ = command(role="nco", nco_may_rally=True)
    assert may_rally(state, chief.figures["chief/1"])


@pytest.mark.rule("FBN-159")
def test_broken_men_are_gathered_into_a_new_unit() -> None:
    state, chief, unit = command(4.0)
    for figure in list(unit.figures.values())[:2]:
        figure.reaction, figure.gl, figure.since = "flee", 7, 1
    with scripted(state) as table:
        made = rally_nearby(table, state, chief.figures["chief/1"], merge=True)
    assert made is not None and list(made.figures) == ["chief/1", "red/1", "red/2"], "they are under him"
    assert list(unit.figures) == ["red/3"] and not chief.figures and made.start == 3
    assert state.gone == {"chief": "gathered"}, "his own unit is empty; the squad goes on with one man"
    assert [(figure.gl, figure.reaction, figure.ac) for figure in made.figures.values()] == [
        (4, "", 0), (5, "", 0), (5, "", 0),
    ]  # fmt: skip


@pytest.mark.rule("FBN-015", "FBN-159")
def test_single_officer_who_gathers_men_ends_his_activation() -> None:
    made = game({"foot": troops(position=[30, 10]), "boss": troops(figures=1, position=[30, 16])})
    state = made.start()
    boss = state.units.change("boss")
    officer = next(iter(boss.figures.values()))
    officer.spec = replace(officer.spec, role="officer")
    for figure in list(state.units.change("foot").figures.values())[:4]:
        figure.reaction, figure.gl, figure.since = "freeze", 7, 1
    state.phase, state.waiting = "actions", ["boss"]
    script = [("act", ("gather", "boss/1", True))]
    with ScriptedTable(made.rules, state, script) as table:
        for _ in ("actions.unit", "actions.act"):
            step = made.play.next_step(state)
            assert step is not None
            made.play.perform(table, state, step)
    assert state.active == "" and not state.waiting and len(state.units["gathered:army:1"].figures) == 5


@pytest.mark.rule("FBN-160")
def test_a_unit_ordered_back_goes_with_all_its_men() -> None:
    unit = squad("red", "red", 3, (50, 50))
    unit.back = True
    state = battle(unit, squad("blue", "blue", 1, (50, 70)))
    man_ahead = unit.figures["red/1"]
    perform_with_one_man(state, unit, "red/1", "walk", ("walk to", (man_ahead.x, man_ahead.y - 3)))
    assert "end" not in acts(state, unit), "one man who walks does not go back for the others"
    x, y = unit.middle
    run(perform_action, state, unit, "move", script=[("move to", (x, y - 4))])
    assert "end" in acts(state, unit)


@pytest.mark.rule("FBN-160")
def test_a_unit_ordered_back_may_end_when_each_man_has_walked_back() -> None:
    unit = squad("red", "red", 2, (50, 50))
    state = battle(unit, squad("blue", "blue", 1, (50, 62), facing=180.0))
    unit.back = True
    for figure, may_end in zip(unit.figures.values(), (False, True), strict=True):
        assert "end" not in acts(state, unit)
        perform_with_one_man(state, unit, figure.id, "walk", ("walk to", (figure.x, 47.0)))
        assert ("end" in acts(state, unit)) is may_end


@pytest.mark.rule("FBN-160", "FBN-244")
def test_falling_back_avoids_doors_nearer_to_the_enemy() -> None:
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


@pytest.mark.rule("FBN-159", "FBN-160")
def test_an_officer_orders_a_unit_with_a_steady_man_back_once_and_rallies_it_no_more() -> None:
    near, far = man("red/1", "red", 55, 50), man("red/2", "red", 65, 50)
    near.gl = far.gl = 7
    near.reaction = far.reaction = "freeze"
    chief, unit = officer(), bare_unit("red", "red", [near, far])
    state, leader = battle(chief, unit), chief.figures["chief/1"]
    assert [figure.id for _, figure in panicking_near(state, leader)] == ["red/1"], "the other is too far away"
    assert units_to_order_back(state, leader) == [], "no man of the unit is steady"
    near.reaction = ""
    assert units_to_order_back(state, leader) == rally_targets(state, leader) == [unit]
    run(order_back, state, leader, unit)
    assert near.gl == 5
    assert units_to_order_back(state, leader) == rally_targets(state, leader) == []


@pytest.mark.rule("FBN-160")
def test_a_fall_back_helps_at_once_and_binds_the_next_activation() -> None:
    state, chief, unit = command()
    foe = squad("foe", "blue", 1, (unit.middle[0], 22), facing=180.0)
    state.units["foe"] = foe
    state.active = "chief"
    assert units_to_order_back(state, chief.figures["chief/1"]) == [unit]
    with scripted(state) as table:
        order_back(table, state, chief.figures["chief/1"], unit)
    assert [figure.gl for figure in unit.figures.values()] == [4, 4, 4]
    assert chief.figures["chief/1"].ac == 2, "the order costs the officer 1 AC"
    assert rally_targets(state, chief.figures["chief/1"]) == []
    with scripted(state) as table:
        begin_activation(table, state, unit)
    offered = acts(state, unit)
    assert "end" not in offered and "move" in offered and ("fire", "foe") in offered
    assert not any(isinstance(option, tuple) and option[0] == "charge" for option in offered)
    x, y = unit.middle
    with pytest.raises(AssertionError, match="FBN-160"), scripted(state, ("move to", (x, y + 3))) as table:
        perform_action(table, state, unit, "move")
    with scripted(state, ("move to", (x, y - 5))) as table:
        perform_action(table, state, unit, "move")
    assert "end" in acts(state, unit)


SCENARIOS = ("river_ford", "hill_fort", "mission_station")
spots = st.tuples(st.floats(2, 58), st.floats(2, 46))


@settings(max_examples=60, deadline=None)
@given(spots, spots, spots, st.integers(0, 359), st.sampled_from(SCENARIOS))
@pytest.mark.rule("FBN-160")
def test_falling_back_moves_away_from_every_visible_enemy(a: Point, b: Point, c: Point, way: int, name: str) -> None:
    red = squad("red", "red", 3, a)
    state = battle(red, squad("blue", "blue", 3, b), squad("more", "blue", 2, c), on=shipped(name).plan.field)
    men, dx, dy = list(red.figures.values()), 4 * sin(radians(way)), 4 * cos(radians(way))
    foes = [foe for unit in state.enemies("red") for foe in unit.figures.values()]
    everywhere = state.field.scene((0, 0, 60, 48))
    for figure in men:
        seen = [foe for foe in foes if sees(state, figure, foe, everywhere)]
        before = min((hypot(figure.x - foe.x, figure.y - foe.y) for foe in seen), default=0.0)
        after = min((hypot(figure.x + dx - foe.x, figure.y + dy - foe.y) for foe in seen), default=1.0)
        assert moves_away(state, "red", [figure], dx, dy) is (after > before)
    assert moves_away(state, "red", men, dx, dy) is all(moves_away(state, "red", [figure], dx, dy) for figure in men)


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


@pytest.mark.rule("FBN-161")
@pytest.mark.setting("heroic_deeds")
def test_deeds_hearten_friends_nearby() -> None:
    for setting, gl in ((True, 4), (False, 6)):
        state, chief, unit = command(heroic_deeds=setting)
        chief.dealt, chief.lost = 3, 1
        run(reward_deed, state, chief, heroic_deeds=setting)
        assert unit.figures["red/1"].gl == gl
    state, chief, unit = command()
    chief.dealt, chief.lost = 2, 1
    run(reward_deed, state, chief)
    assert unit.figures["red/1"].gl == 6
    chief.mark("deed")
    with scripted(state) as table:
        reward_deed(table, state, chief)
        reward_deed(table, state, chief)
    assert unit.figures["red/1"].gl == 4


@pytest.mark.rule("FBN-161")
def test_a_second_deed_of_the_turn_heartens_no_friend_again() -> None:
    chief, friend = officer(), squad("friend", "red", 2, (54, 50), gl=2)
    state = battle(chief, friend)
    for figure in friend.figures.values():
        figure.gl = 6
    for _ in range(2):
        chief.mark("deed")
        run(reward_deed, state, chief)
    assert [figure.gl for figure in friend.figures.values()] == [4, 4]


@pytest.mark.rule("FBN-161")
def test_taking_a_leader_is_a_deed() -> None:
    red, blue = squad("red", "red", 2), squad("blue", "blue", 2, (10, 10), leader="nco")
    state = battle(red, blue)
    run(remove_man, state, blue, blue.figures["blue/1"], "down", "fire", red)
    assert "deed" in red.marks
