"""Corner cases of the end: holding a place, escorts, captured objects, returning irregulars."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    bare_unit,
    game,
    machine_acts,
    red,
    rules_with,
    scene,
    wiped_out,
)

from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.space import Point
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.machines import Limber, Unlimber
from zareba_rulesets.paychest.chapters.marching import leave
from zareba_rulesets.paychest.chapters.morale import must_check
from zareba_rulesets.paychest.chapters.setting_up import arrivals, note_returning, recycle, set_down
from zareba_rulesets.paychest.chapters.victory import PaychestScoreboard, decide, own_winner
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.game import PaychestGame


def cleared(name: str, **settings: Any) -> tuple[PaychestGame, Scene]:
    """A scenario with an empty board; `put` places single men."""
    played = game(name, **settings)
    battle = played.start()
    battle.waiting = []
    for unit_id in list(battle.units):
        for figure in battle.change(unit_id).figures.values():
            figure.at = None
        battle.unit(unit_id).measure()
    return played, Scene(rules_with(**settings), battle)


def put(place: Scene, figure: str, at: Point) -> None:
    place.battle.change_figure(figure).at = at
    place.battle.unit_of(place.figure(figure)).measure()


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


# --- arrivals and recycling ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-065")
def test_units_come_on_in_their_turn_near_where_the_scenario_says() -> None:
    for turn, script in ((5, []), (6, [("arrival", [4]), ("arrive at", (30.0, 0.0))])):
        played, place = cleared("paychest_raid")
        place.battle.turn = turn
        place.play(arrivals, place.battle, played.plan, script=script)
        assert bool(place.unit("goum").able) is bool(script)
    entry = played.plan.entries["goum"]
    edge = played.scenario.units["goum"].arrival
    assert edge is not None and edge.edge == "south"
    far = (entry[0] + 12.1 if entry[0] < 30 else entry[0] - 12.1, 0.0)
    for wrong, words in (((entry[0], 1.0), "south edge"), (far, "more than 12 inches")):
        late, other = cleared("paychest_raid")
        other.battle.turn = 6
        with pytest.raises(AssertionError, match=words):
            other.play(arrivals, other.battle, late.plan, script=[("arrival", [4]), ("arrive at", wrong)])


@pytest.mark.rule("PAY-195", "PAY-196", "PAY-197")
@pytest.mark.setting("recycle_irregulars")
def test_who_comes_again_and_how_fresh() -> None:
    _, place = cleared("patrol_clash", recycle_irregulars="on")
    battle = place.battle
    name = next(u.spec.id for u in battle.units.values() if u.spec.kind == "irregular" and len(u.figures) > 9)
    unit = battle.change(name)
    fates = ("dead", "unconscious", "off", "left", "dead", "dead")
    for number, figure in enumerate(unit.figures.values()):
        figure.appearances = 2 if number == 4 else 0 if number == 5 else 1
        figure.fate = fates[number] if number < 6 else "dead"
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
    assert back.leader == next(iter(back.figures))


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


# --- guns and carts --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-084")
def test_only_a_gun_with_a_team_is_limbered_and_then_it_does_not_fire() -> None:
    for team in (True, False):
        gun = {"gun": Engine("gun", "gun", "red", "red", (20.0, 10.0), team=team)}
        place = scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), engines=gun)
        assert (("limber", "gun") in machine_acts(place.battle, place.unit("red"))) is team
    place.play(Limber("gun").perform, MovingUnit(place.battle, place.unit("red"), {}))
    assert place.battle.engines["gun"].moved == "advance"
    place.play(Unlimber("gun").perform, MovingUnit(place.battle, place.unit("red"), {}))
    assert place.battle.engines["gun"].moved == "advance" and not place.battle.engines["gun"].limbered


@pytest.mark.rule("PAY-080")
def test_nobody_boards_a_cart_of_the_enemy() -> None:
    place = scene(red(1, y=12.0), engines={"cart": Engine("wagon", "cart", "blue", "blue", (20.0, 10.0), mount="")})
    assert machine_acts(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-048", "PAY-084", "PAY-007")
def test_a_unit_with_a_cart_and_a_chest_is_set_down_whole() -> None:
    cart = {"cart": Engine("wagon", "cart", "red", "red", None, mount="", aboard=("red.1", "red.2"))}
    chest = {"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.3")}
    place = scene(red(3), engines=cart, things=chest)
    place.figure("red.3").loads = ("chest",)
    set_down(place.battle, place.unit("red"), (30.0, 20.0), (0.0, 1.0))
    assert place.battle.engines["cart"].at == place.figure("red.1").at == place.figure("red.2").at == (30.0, 20.0)
    assert place.figure("red.1").aboard == "cart" and place.figure("red.3").aboard == ""
    assert [figure.appearances for figure in place.unit("red").able] == [2, 2, 2]


@pytest.mark.rule("PAY-197", "PAY-126")
@pytest.mark.setting("recycle_irregulars")
def test_who_forms_again_is_on_nobodys_shoulders_and_finds_his_gun_where_it_was_left() -> None:
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
def test_units_that_come_on_at_one_place_stand_beside_each_other_and_all_touch_the_edge() -> None:
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
