"""Objectives, capture, the end of the game, and irregulars who return."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    bare_unit,
    cleared,
    fell,
    opened,
    put,
    scene,
    wiped_out,
)

from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.space import Point
from zareba_rulesets.paychest.chapters.marching import leave
from zareba_rulesets.paychest.chapters.morale import must_check
from zareba_rulesets.paychest.chapters.setting_up import note_returning, recycle
from zareba_rulesets.paychest.chapters.victory import PaychestScoreboard, decide, own_winner
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.sequence import Sequence


@pytest.mark.rule("PAY-192", "PAY-193", "PAY-194", "PAY-215")
def test_the_paychest_over_the_edge_wins_at_once() -> None:
    played, place = opened()
    chest = place.battle.things["paychest"]
    chest.at, chest.taken_by, chest.edge = None, "raiders", "south"
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert not place.battle.over  # the wrong edge
    chest.edge = "north"
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert (place.battle.over, place.battle.ending, place.battle.winner) == (True, "objectives", "raiders")
    assert played.play.outcome(place.battle).winner == "raiders"


@pytest.mark.rule("PAY-194", "PAY-215")
@pytest.mark.setting("taken_when")
@pytest.mark.setting("own_victory")
@pytest.mark.parametrize(
    ("settings", "winner"),
    [({}, "raiders"), ({"taken_when": "carried"}, "legion"), ({"own_victory": "common"}, "legion")],
)
def test_winner_by_the_position_of_the_chest(settings: dict[str, str], winner: str) -> None:
    """A raider is alone with the chest when time runs out. By the common victory rules he has not captured it."""
    played, place = opened(**settings)
    place.battle.things["paychest"].at = (1.0, 1.0)
    place.figure("knives.1").at = (2.0, 1.0)
    place.battle.turn = 15
    decide(place.battle, played.scenario, played.plan, turn_over=True)
    assert played.play.outcome(place.battle).winner == winner
    assert (played.play.own_outcome(place.battle) is None) is ("own_victory" in settings)


@pytest.mark.rule("PAY-193")
def test_half_of_the_mounts_led_off_is_a_theft() -> None:
    played, place = opened()
    goal = played.scenario.objectives["mules_gone"]
    assert goal.kind == "carry_off"
    for number in range(1, 4):
        scoreboard = PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=False)
        assert scoreboard.carried_off(goal) is None
        mule = place.battle.things[f"mules {number}"]
        mule.at, mule.taken_by, mule.edge = None, "raiders", "north"
    assert scoreboard.carried_off(goal) == "raiders"


@pytest.mark.rule("PAY-192", "PAY-215")
def test_a_side_without_anybody_loses_and_both_draw() -> None:
    played, place = opened("patrol_clash")
    fell(place, "tribesmen", "off")
    assert wiped_out(place, played) == ["tribesmen"]
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert (place.battle.ending, place.battle.winner) == ("collapse", "patrol")
    place.battle.over = False
    fell(place, "patrol", "left")
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert played.play.outcome(place.battle).winner is None


@pytest.mark.rule("PAY-192")
def test_expected_reserves_keep_their_side_in_the_game() -> None:
    played, place = opened()
    fell(place, "legion")
    assert "goum" in place.battle.arrivals and wiped_out(place, played) == []


@pytest.mark.rule("PAY-192", "PAY-197", "PAY-215")
@pytest.mark.setting("recycle_irregulars")
@pytest.mark.parametrize("turn_over", [False, True])
def test_no_reserves_are_expected_in_the_last_turn(turn_over: bool) -> None:
    for late in ("arrivals", "returning"):
        played, place = opened("patrol_clash", recycle_irregulars="on")
        battle = place.battle
        name = next(unit.spec.id for unit in battle.units.values() if unit.spec.side == "tribesmen")
        fell(place, "tribesmen", "off")
        for figure in battle.change(name).figures.values():
            figure.fate, figure.appearances = ("able" if late == "arrivals" else "off"), 1
        battle.arrivals, battle.returning = ({name: battle.turn}, []) if late == "arrivals" else ({}, [name])
        battle.turn = played.scenario.turns - 1
        decide(battle, played.scenario, played.plan, turn_over=turn_over)
        assert not battle.over
        battle.turn += 1
        decide(battle, played.scenario, played.plan, turn_over=turn_over)
        assert (battle.over, battle.ending, battle.winner) == (True, "collapse", "patrol")


@pytest.mark.rule("PAY-197", "PAY-215")
@pytest.mark.setting("recycle_irregulars")
def test_unit_that_can_still_reform_is_not_lost() -> None:
    played, place = opened("patrol_clash", recycle_irregulars="on")
    battle = place.battle
    names = [unit.spec.id for unit in battle.units.values() if unit.spec.side == "tribesmen"]
    fell(place, "tribesmen", "off")
    twice = next(iter(battle.unit(names[0]).figures.values()))
    twice.appearances = 2
    whole = len(battle.unit(names[0]).figures)

    def left(turn: int) -> float:
        battle.turn = turn
        return PaychestScoreboard(battle, played.scenario, played.plan, turn_over=False).share_left([names[0]])

    assert left(2) == 0
    note_returning(battle)
    assert names[0] in battle.returning
    assert left(2) == pytest.approx((whole - 1) / whole)
    assert left(played.scenario.turns) == 0


@pytest.mark.rule("PAY-215")
def test_no_turn_has_just_ended_while_one_is_being_played() -> None:
    played, place = opened("patrol_clash")
    place.battle.turn = 5
    for turn_over, turn in ((True, 5), (False, 0)):
        assert PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=turn_over).turn == turn


@pytest.mark.rule("PAY-215")
def test_at_the_turn_limit_the_scenario_says_who_wins() -> None:
    played, place = opened("patrol_clash")
    place.battle.turn = played.scenario.turns
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert not place.battle.over
    decide(place.battle, played.scenario, played.plan, turn_over=True)
    assert place.battle.ending == "turn_limit"


@pytest.mark.rule("PAY-196")
@pytest.mark.setting("recycle_irregulars")
def test_units_reform_only_with_the_setting() -> None:
    _, place = opened("patrol_clash")
    fell(place, "tribesmen")
    note_returning(place.battle)
    assert place.battle.returning == []


@pytest.mark.rule("PAY-197")
def test_men_still_able_stop_a_unit_from_forming_again() -> None:
    _, place = opened("patrol_clash", recycle_irregulars="on")
    unit = next(u for u in place.battle.units.values() if u.spec.kind == "irregular" and len(u.figures) > 9)
    for figure in list(unit.figures.values())[1:]:
        figure.fate, figure.at = "dead", None
    unit.measure()
    note_returning(place.battle)
    assert place.battle.returning == []


@pytest.mark.rule("PAY-192", "PAY-197", "PAY-215")
@pytest.mark.setting("recycle_irregulars")
def test_a_side_that_will_come_again_has_not_lost_in_mid_turn() -> None:
    for setting, over in (("off", True), ("on", False)):
        played, place = opened("patrol_clash", recycle_irregulars=setting)
        fell(place, "tribesmen")
        place.battle.stage, place.battle.acting = "melee", "fusiliers"
        sequence = Sequence(played.policy, played.scenario, played.plan)
        place.play(sequence.unit_melee, place.battle)
        assert place.battle.over is over
        assert bool(wiped_out(place, played)) is over


@pytest.mark.rule("PAY-197", "PAY-065")
@pytest.mark.setting("recycle_irregulars")
@pytest.mark.parametrize("entry", [(3.0, 36.0), (45.0, 36.0)])
def test_units_that_form_again_come_on_anywhere_along_their_edge_and_touch_it(entry: Point) -> None:
    _, place = opened("patrol_clash", recycle_irregulars="on")
    width, depth = place.battle.field.table.extent
    name = next(u.spec.id for u in place.battle.units.values() if u.spec.side == "tribesmen" and len(u.figures) > 9)
    for figure in place.battle.change(name).figures.values():
        figure.fate, figure.at = "dead", None
    place.battle.unit(name).measure()
    place.battle.returning = [name]
    script: list[Script] = [("arrive at", (entry[0], depth))]
    place.play(recycle, place.battle, script=script)
    unit = place.battle.unit(name)
    nearest = min(depth - figure.at[1] for figure in unit.able if figure.at)
    assert nearest <= place.battle.radius(unit.able[0]) + 0.05
    assert abs(unit.positions.middle[0] - entry[0]) < 6 and 0 < entry[0] < width


def scoreboard_of(played: PaychestGame, place: Scene, *, last: bool = False) -> PaychestScoreboard:
    place.battle.turn = played.scenario.turns if last else 2
    return PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=last)


def first_of(place: Scene, side: str) -> str:
    return next(key for unit in place.battle.units.values() if unit.spec.side == side for key in unit.figures)


@pytest.mark.rule("PAY-194", "PAY-215", "PAY-193")
def test_a_place_is_held_by_whoever_is_alone_within_two_inches_of_it() -> None:
    played, place = cleared("patrol_clash")
    goal = next(g for g in played.scenario.objectives.values() if isinstance(g, Hold) and g.terrain == "village")
    (west, south, east, north) = place.battle.field.areas["village"].box
    middle = (west + east) / 2
    ours, theirs = first_of(place, "patrol"), first_of(place, "tribesmen")
    assert scoreboard_of(played, place).holder(goal) is None
    put(place, ours, (middle, south - 1.9))
    assert scoreboard_of(played, place).holder(goal) == "patrol"
    put(place, theirs, (middle, (south + north) / 2))
    assert scoreboard_of(played, place).holder(goal) is None
    place.battle.change_figure(theirs).fate = "unconscious"
    place.battle.unit_of(place.figure(theirs)).measure()
    assert scoreboard_of(played, place).holder(goal) == "patrol"
    put(place, ours, (middle, south - 2.1))
    assert scoreboard_of(played, place).holder(goal) is None


@pytest.mark.rule("PAY-215")
def test_a_point_is_held_within_its_own_radius() -> None:
    played, place = cleared("hill_fort")
    goal = next(g for g in played.scenario.objectives.values() if isinstance(g, Hold) and g.at is not None)
    assert goal.at is not None
    ours = first_of(place, "besiegers")
    for away, holder in ((goal.radius, "besiegers"), (goal.radius + 0.1, None)):
        put(place, ours, (goal.at[0] + away, goal.at[1]))
        assert scoreboard_of(played, place).holder(goal) == holder


@pytest.mark.rule("PAY-194")
def test_at_the_end_the_chest_is_his_who_stands_alone_by_it_or_by_him_who_carries_it() -> None:
    played, place = cleared("paychest_raid")
    goal = next(g for g in played.scenario.objectives.values() if isinstance(g, CarryOff) and g.object == "paychest")
    chest = place.battle.change_thing("paychest")
    raider, guard = "knives.1", first_of(place, "legion")
    chest.at, chest.carrier = None, raider
    put(place, raider, (10.0, 10.0))
    assert scoreboard_of(played, place, last=True).guarded_by(goal) == "raiders"
    put(place, guard, (12.0, 10.0))
    assert scoreboard_of(played, place, last=True).guarded_by(goal) is None
    put(place, guard, (12.1, 10.0))
    at_end = scoreboard_of(played, place, last=True)
    assert at_end.guarded_by(goal) == own_winner(at_end, "turn_limit") == "raiders"
    assert at_end.carried_off(goal) is None, "by the common law it must be over the edge"


@pytest.mark.rule("PAY-214", "PAY-193")
def test_men_brought_off_count_whether_they_walk_or_are_carried() -> None:
    played, place = cleared("column_ambushed")
    goal = next(g for g in played.scenario.objectives.values() if isinstance(g, Escort) and g.units == ("bearers",))
    assert goal.edge == "east"
    width = place.battle.field.table.extent[0]
    names = list(place.unit("bearers").figures)
    for name in names[:3]:
        put(place, name, (width, 20.0))
    unit = place.battle.change("bearers")
    unit.figures[names[1]].mark("lame")
    unit.figures[names[2]].fate = "dead"
    unit.figures[names[0]].loads = (names[1],)
    place.play(leave, place.battle, unit.figures[names[0]], "left")
    assert scoreboard_of(played, place).share_brought(goal) == pytest.approx(2 / len(names))
    unit.figures[names[3]].at, unit.figures[names[3]].loads = (width, 20.0), (names[2],)
    place.play(leave, place.battle, unit.figures[names[3]], "left")
    assert unit.figures[names[2]].fate == "dead"
    assert scoreboard_of(played, place).share_brought(goal) == pytest.approx(3 / len(names))


@pytest.mark.rule("PAY-215", "PAY-192")
def test_losses_are_those_who_are_out_or_driven_off_not_who_left() -> None:
    played, place = cleared("patrol_clash")
    unit = place.battle.change("fusiliers")
    for number, (figure, fate) in enumerate(zip(unit.figures.values(), ("able", "left", "off", "dead"), strict=False)):
        figure.fate = fate
        figure.at = (20.0 + 2 * number, 20.0) if fate == "able" else None
    unit.measure()
    whole = len(unit.figures)
    assert scoreboard_of(played, place).share_left(["fusiliers"]) == pytest.approx(2 / whole)
    leader = next(iter(played.plan.leaders))
    for fate, lost in (("able", False), ("left", False), ("off", True), ("unconscious", True), ("dead", True)):
        chief = place.battle.change_figure(played.plan.leaders[leader])
        chief.fate, chief.at = fate, (20.0, 10.0) if fate == "able" else None
        assert scoreboard_of(played, place).leader_lost(leader) is lost


@pytest.mark.rule("PAY-215", "PAY-192")
def test_an_objective_comes_before_a_wipe_out_and_both_before_the_turn_limit() -> None:
    played, place = cleared("paychest_raid")
    chest = place.battle.change_thing("paychest")
    chest.at, chest.carrier, chest.taken_by, chest.edge = None, "", "raiders", "north"
    put(place, first_of(place, "legion"), (10.0, 10.0))
    place.battle.arrivals = {}
    assert wiped_out(place, played) == ["raiders"]
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert (place.battle.ending, place.battle.winner) == ("objectives", "raiders")
    other, bare = cleared("patrol_clash")
    put(bare, first_of(bare, "patrol"), (10.0, 10.0))
    bare.battle.turn = other.scenario.turns
    decide(bare.battle, other.scenario, other.plan, turn_over=True)
    assert (bare.battle.ending, bare.battle.winner) == ("collapse", "patrol")


@pytest.mark.rule("PAY-195", "PAY-196", "PAY-197")
@pytest.mark.setting("recycle_irregulars")
def test_irregulars_come_a_second_time_fresh_and_not_a_third() -> None:
    _, place = cleared("patrol_clash", recycle_irregulars="on")
    battle = place.battle
    name = next(u.spec.id for u in battle.units.values() if u.spec.kind == "irregular" and len(u.figures) > 9)
    unit = battle.change(name)
    fates = ("dead", "unconscious", "off", "left", "dead", "dead")
    for number, figure in enumerate(unit.figures.values()):
        figure.appearances = 2 if number == 4 else 0 if number == 5 else 1
        figure.fate, figure.wounds = fates[number] if number < 6 else "dead", ("arm_wound",)
    unit.rout = "rout_4d6_off_board"
    unit.hits, unit.lost, unit.pending, unit.pending_row = 4, (next(iter(unit.figures)),), "fall_back_2d6_backs_next", 4
    unit.mark("inactive")
    regulars = [u for u in battle.units.values() if u.spec.kind == "regular"]
    for other in regulars:
        for figure in battle.change(other.spec.id).figures.values():
            figure.fate, figure.appearances = "dead", 1
    battle.arrivals = {}
    note_returning(battle)
    note_returning(battle)
    assert name in battle.returning and len(battle.returning) == len(set(battle.returning))
    assert not set(battle.returning) & {u.spec.id for u in regulars}
    battle.returning = [name]
    depth = battle.field.table.extent[1]
    script: list[Script] = [("arrive at", (24.0, depth))]
    place.play(recycle, battle, script=script)
    back = battle.unit(name)
    numbers = [number for number, figure in enumerate(back.figures.values()) if figure.able]
    assert numbers[:4] == [0, 1, 2, 6] and 5 not in numbers
    assert (back.hits, len(back.lost), back.pending, back.pending_row, back.marks) == (0, 0, "", 9, frozenset())
    assert (back.rout, back.leader, list(back.figures)) == ("", next(iter(unit.spec.figures)), list(unit.spec.figures))
    assert all(figure.wounds == () and figure.appearances == 2 for figure in back.able)
    for figure in back.able:
        figure.fate, figure.at = "dead", None
    back.measure()
    note_returning(battle)
    assert name not in battle.returning, "no man comes a third time"


@pytest.mark.rule("PAY-197")
@pytest.mark.setting("recycle_irregulars")
def test_a_unit_still_to_come_does_not_form_again() -> None:
    played, place = cleared("paychest_raid", recycle_irregulars="on")
    assert played.plan.arrivals
    late = next(iter(place.battle.arrivals))
    place.battle.change(late).spec = place.unit("knives").spec
    for figure in place.unit(late).figures.values():
        figure.appearances, figure.fate = 1, "dead"
    note_returning(place.battle)
    assert late not in place.battle.returning


@pytest.mark.rule("PAY-197", "PAY-126")
@pytest.mark.setting("recycle_irregulars")
def test_reformed_figures_are_not_carried_and_their_gun_stays_in_place() -> None:
    _, place = cleared("patrol_clash", recycle_irregulars="on", remove_irregular_casualties=False)
    battle = place.battle
    name, friends = [u.spec.id for u in battle.units.values() if u.spec.kind == "irregular" and len(u.figures) > 4][:2]
    for figure in battle.change(name).figures.values():
        figure.fate, figure.at, figure.appearances = "dead", (20.0, 20.0), 1
    body = next(iter(battle.unit(name).figures))
    friend = next(iter(battle.change(friends).figures.values()))
    friend.fate, friend.at, friend.loads = "able", (20.0, 20.0), (body,)
    for unit_id in (name, friends):
        battle.change(unit_id).measure()
    battle.engines["gun"] = Engine("gun", "gun", battle.unit(name).spec.side, name, (10.0, 10.0))
    battle.returning = [name]
    place.play(recycle, battle, script=[("arrive at", (24.0, 36.0))])
    assert battle.figure(friend.spec.id).loads == ()
    assert battle.figure(body).able and battle.engines["gun"].at == (10.0, 10.0)


@pytest.mark.rule("PAY-065", "PAY-197")
@pytest.mark.setting("recycle_irregulars")
def test_units_arriving_at_one_place_stand_side_by_side_at_the_edge() -> None:
    _, place = cleared("patrol_clash", recycle_irregulars="on")
    battle = place.battle
    names = [unit.spec.id for unit in battle.units.values() if unit.spec.kind == "irregular"]
    for name in names:
        for figure in battle.change(name).figures.values():
            figure.fate, figure.appearances = "dead", 1
    battle.returning = list(names)
    script: list[Script] = [("arrive at", (24.0, 36.0))] * len(names)
    place.play(recycle, battle, script=script)
    for name in names:
        able = battle.unit(name).able
        nearest = min(battle.field.table.distance_to_edge(at, "north") - battle.radius(f) for f in able if (at := f.at))
        assert nearest == pytest.approx(0.0, abs=0.05)


@pytest.mark.rule("PAY-060", "PAY-148", "PAY-192", "PAY-197", "PAY-214")
def test_a_unit_whose_last_men_stand_on_the_western_edge_is_still_there() -> None:
    place = scene(bare_unit("red", "red", [(0.0, 10.0), (0.0, 12.0)], kind="irregular"), recycle_irregulars="on")
    battle, unit = place.battle, place.unit("red")
    assert list(battle.side_units("red")) == [unit]
    assert list(battle.enemies("blue")) == [unit]
    unit.hits = 1
    assert must_check(battle, unit)
    unit.figures["red.1"].fate = "dead"
    unit.measure()
    note_returning(battle)
    assert battle.returning == []
    unit.figures["red.2"].fate = "dead"
    unit.measure()
    assert list(battle.side_units("red")) == [] and not must_check(battle, unit)
    note_returning(battle)
    assert battle.returning == ["red"]
