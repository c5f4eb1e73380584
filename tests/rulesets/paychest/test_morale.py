"""Morale, loss of leader, forced moves, rallying."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, red, row, scene

from zareba_rulesets.paychest.chapters.fire import may_fire
from zareba_rulesets.paychest.chapters.melee import candidates, leaders_lost, melee_facts, promote, succession
from zareba_rulesets.paychest.chapters.morale import (
    carry_out,
    check_morale,
    fall_back,
    flee_singly,
    morale_order,
    must_check,
    rally,
    second_roll,
)
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.sequence import Sequence, begin_activation


def arabs(count: int = 4, y: float = 30.0, leader: str = "leader") -> Scene:
    return scene(blue(count, y=y, leader=leader), red(2, y=2.0))


def activate(place: Scene, unit: str, script: list[tuple[str, object]]) -> bool:
    return place.play(begin_activation, place.battle, place.unit(unit), script=script)


# --- the checks -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-148", "PAY-149", "PAY-150")
def test_hits_of_this_turn_against_2d6() -> None:
    place = scene(red(3))
    unit = place.unit("red")
    assert not must_check(place.battle, unit)
    unit.hits = 5
    assert must_check(place.battle, unit)
    assert place.play(check_morale, place.battle, unit, script=[("morale", [2, 4])])
    script = [("morale", [2, 3]), ("second morale roll", [6])]
    assert not place.play(check_morale, place.battle, unit, script=script)


@pytest.mark.rule("PAY-168")
@pytest.mark.setting("routers_test")
def test_routers_do_not_check_unless_set_to() -> None:
    for setting in (False, True):
        place = scene(red(3), routers_test=setting)
        place.unit("red").hits, place.unit("red").rout = 3, "rout_3d6_rally_7"
        assert must_check(place.battle, place.unit("red")) is setting


@pytest.mark.rule("PAY-170", "PAY-171")
@pytest.mark.setting("single_figure_morale")
def test_units_of_one_are_exempt_and_empty_units_do_not_check() -> None:
    for setting, tests in (("exempt", False), ("test", True)):
        place = scene(red(1), single_figure_morale=setting)
        place.unit("red").hits = 2
        assert must_check(place.battle, place.unit("red")) is tests
    worn = scene(red(2))
    worn.figure("red.1").fate = "dead"
    worn.unit("red").hits = 2
    worn.unit("red").measure()
    assert must_check(worn.battle, worn.unit("red"))  # one man left of two is not a unit of one
    worn.figure("red.2").fate = "dead"
    worn.unit("red").measure()
    assert not must_check(worn.battle, worn.unit("red"))


@pytest.mark.rule("PAY-064")
def test_units_check_in_the_order_of_their_cards() -> None:
    place = scene(red(1), blue(1), bare_unit("third", "red", row(1)))
    place.battle.order = ["third", "blue"]
    assert morale_order(place.battle) == ["third", "blue", "red"]


@pytest.mark.rule("PAY-151", "PAY-152", "PAY-153", "PAY-154", "PAY-155", "PAY-156", "PAY-157")
def test_the_second_table_of_regulars() -> None:
    results = []
    for die in range(1, 7):
        place = scene(red(1, y=40.0), blue(1, y=46.0))
        script: list[tuple[str, object]] = [("second morale roll", [die])]
        if die in (1, 2):
            script.append(("forced move", [1, 1, 1]))
        if die in (4, 5):
            script.append(("stand or run", [6]))
        results.append(place.play(second_roll, place.battle, place.unit("red"), script=script))
        unit = place.unit("red")
        assert bool(unit.rout) is (die == 1) and bool(unit.pending) is (die == 3)
    assert results == [
        "rout_3d6_rally_7", "fall_back_3d6_backs_now", "fall_back_2d6_facing_next", "hold_figures_1_2",
        "hold_figures_1", "hold",
    ]  # fmt: skip


@pytest.mark.rule("PAY-152", "PAY-158", "PAY-159", "PAY-160", "PAY-161", "PAY-162")
def test_the_second_table_of_irregulars() -> None:
    dice = {1: [1, 1, 1, 1], 2: [1, 1, 1], 3: [1, 1]}
    results = []
    for die in range(1, 7):
        place = arabs(1, leader="")
        script: list[tuple[str, object]] = [("second morale roll", [die])]
        script += [("forced move", dice[die])] if die in dice else []
        results.append(place.play(second_roll, place.battle, place.unit("blue"), script=script))
        unit = place.unit("blue")
        assert bool(unit.rout) is (die < 3) and bool(unit.pending) is (die in (4, 5))
        moved = unit.figures["blue.1"].at
        assert moved is not None and moved[1] == pytest.approx(30.0 + len(dice.get(die, [])))
    assert results == [
        "rout_4d6_off_board", "rout_3d6_rally_7", "fall_back_2d6_backs_now", "fall_back_2d6_backs_next",
        "fall_back_2d6_facing_next", "hold",
    ]  # fmt: skip


@pytest.mark.rule("PAY-155", "PAY-156", "PAY-166")
def test_single_men_run_by_their_own_dice() -> None:
    place = scene(red(3, y=40.0, leader="sergeant"))
    place.figure("red.3").mark("lame")
    script = [("stand or run", [2]), ("forced move", [5]), ("stand or run", [3])]
    assert place.play(flee_singly, place.battle, place.unit("red"), 2, dice=1, backs=True, script=script) == ["red.1"]
    assert place.figure("red.1").at == pytest.approx((20.0, 35.0)) and "back turned" in place.figure("red.1").marks
    assert place.figure("red.2").at == (21.2, 40.0)
    activate(place, "red", [])
    assert "back turned" not in place.figure("red.1").marks


@pytest.mark.rule("PAY-169")
def test_the_worse_of_two_orders_counts() -> None:
    place = arabs()
    unit = place.unit("blue")
    place.play(carry_out, place.battle, unit, "fall_back_2d6_backs_next")
    assert unit.pending == "fall_back_2d6_backs_next"
    assert not place.play(carry_out, place.battle, unit, "fall_back_2d6_facing_next")
    assert unit.pending == "fall_back_2d6_backs_next"
    assert place.play(carry_out, place.battle, unit, "rout_3d6_rally_7", script=[("forced move", [1, 1, 1])])
    assert (unit.pending, unit.rout) == ("", "rout_3d6_rally_7")
    assert not place.play(carry_out, place.battle, unit, "fall_back_2d6_backs_now")
    assert place.play(carry_out, place.battle, unit, "rout_4d6_off_board", script=[("forced move", [1, 1, 1, 1])])
    assert unit.rout == "rout_4d6_off_board"


# --- forced moves -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-163", "PAY-165")
def test_a_forced_move_goes_home_by_one_roll_and_off_the_edge() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 30.0), (21.2, 30.0), (25.0, 4.0)]))
    place.figure("red.2").wounds = ("leg_wound",)
    place.play(fall_back, place.battle, place.unit("red"), 3, backs=True, script=[("forced move", [2, 2, 2])])
    assert place.figure("red.1").at == pytest.approx((20.0, 24.0))
    assert place.figure("red.2").at == pytest.approx((21.2, 27.0))
    assert place.figure("red.3").fate == "off"
    assert place.told("loss")[0]["cause"] == "morale"
    assert {"back turned", "ran"} <= place.figure("red.1").marks
    assert may_fire(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-163")
@pytest.mark.setting("retreat_direction")
def test_away_from_the_enemy_with_the_setting_or_without_a_home() -> None:
    for home, setting, end in (
        ({"red": "south"}, "home_edge", (20.0, 16.0)),
        ({"red": "south"}, "away_from_enemy", (16.0, 20.0)),
        ({}, "home_edge", (16.0, 20.0)),
    ):
        place = scene(red(1, y=20.0), bare_unit("blue", "blue", [(30.0, 20.0)]), home=home, retreat_direction=setting)
        place.play(fall_back, place.battle, place.unit("red"), 2, backs=False, script=[("forced move", [2, 2])])
        assert place.figure("red.1").at == pytest.approx(end)


@pytest.mark.rule("PAY-163")
def test_a_forced_move_stops_an_inch_short_of_enemies_and_at_closed_ground() -> None:
    place = scene(red(1, y=20.0), blue(1, y=15.0))
    place.play(fall_back, place.battle, place.unit("red"), 3, backs=True, script=[("forced move", [6, 6, 6])])
    assert place.figure("red.1").at == pytest.approx((20.0, 17.0))
    river = {"river": ("deep_water", [(0.0, 14.0), (60.0, 14.0), (60.0, 16.0), (0.0, 16.0)])}
    wet = scene(red(1, y=20.0), areas=river)
    wet.play(fall_back, wet.battle, wet.unit("red"), 3, backs=True, script=[("forced move", [6, 6, 6])])
    assert wet.figure("red.1").at == pytest.approx((20.0, 16.0), abs=0.02)


@pytest.mark.rule("PAY-163", "PAY-007")
@pytest.mark.parametrize(
    ("foe", "end"),
    [
        ((21.0, 20.0), 14.0),  # abreast, base to base
        ((21.0, 19.99), 14.0),
        ((19.0, 19.9), 14.0),
        ((21.5, 19.7), 14.0),  # half an inch between bases
        ((21.5, 19.5), 20.0),  # the same gap, but he would come nearer
        ((20.0, 19.0), 20.0),  # between him and the edge
        ((20.5, 19.13), 20.0),
        ((20.9, 18.5), 20.0),
        ((21.5, 17.0), 18.32),  # stops an inch short of that enemy
    ],
)
def test_who_has_an_enemy_beside_him_runs_and_who_would_come_nearer_to_him_does_not(
    foe: tuple[float, float], end: float
) -> None:
    place = scene(red(1, y=20.0), bare_unit("blue", "blue", [foe]))
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [3, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, end), abs=0.01)


@pytest.mark.rule("PAY-163", "PAY-073")
def test_carriers_drop_their_loads_and_guns_stay() -> None:
    things = {"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1")}
    place = scene(red(1, y=20.0), things=things)
    place.figure("red.1").loads = ("chest",)
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [3, 3])])
    assert place.battle.things["chest"].at == (20.0, 20.0)
    assert place.figure("red.1").at == pytest.approx((20.0, 14.0))


def order_of_play(place: Scene, unit: str, stage: str, script: list[tuple[str, object]]) -> None:
    """Play one stage of a unit's activation as in the sequence of play."""
    from tests.rulesets.paychest.stage import game

    played = game("patrol_clash")
    sequence = Sequence(played.policy, played.scenario, played.plan)
    place.battle.acting, place.battle.stage = unit, stage
    place.play(getattr(sequence, f"unit_{stage}"), place.battle, script=script)


@pytest.mark.rule("PAY-154", "PAY-160", "PAY-164")
def test_an_order_for_the_next_move_takes_its_place() -> None:
    for result, fires in (("fall_back_2d6_facing_next", 4), ("fall_back_2d6_backs_next", 0)):
        place = arabs()
        unit = place.unit("blue")
        place.play(carry_out, place.battle, unit, result)
        order_of_play(place, "blue", "move", [("forced move", [2, 3])])
        assert unit.pending == "" and unit.figures["blue.2"].at == pytest.approx((21.2, 35.0))
        assert len(may_fire(place.battle, unit)) == fires
        assert unit.figures["blue.2"].gait == "advance"
        assert ("no fire" in unit.marks) is (fires == 0)


@pytest.mark.rule("PAY-040", "PAY-128", "PAY-164")
def test_who_leads_is_known_at_once_when_the_leader_falls_back_off_the_table() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 3.0), (20.0, 30.0), (21.2, 30.0)], leader="lieutenant"))
    unit = place.unit("red")
    unit.figures["red.2"].rank = "sergeant"
    place.play(carry_out, place.battle, unit, "fall_back_2d6_facing_next")
    order_of_play(place, "red", "move", [("forced move", [2, 3])])
    assert unit.figures["red.1"].fate == "off" and unit.leader == "red.2"
    lost = lose(place, "red", "red.2")  # in the melee of this activation
    place.play(leaders_lost, place.battle, lost, script=[("loss of leader", [4, 3])])


@pytest.mark.rule("PAY-158", "PAY-167")
@pytest.mark.setting("rally_may_act")
def test_a_rallied_unit_may_fire_or_all_or_nothing() -> None:
    for setting, goes_on, moves in (("fire_only", True, False), ("free", True, True), ("nothing", False, True)):
        place = scene(red(2, y=20.0, leader="sergeant"), rally_may_act=setting)
        unit = place.unit("red")
        unit.rout = "rout_3d6_rally_7"
        assert activate(place, "red", [("rally", [3, 4])]) is goes_on
        assert unit.rout == "" and ("no move" not in unit.marks) is moves


@pytest.mark.rule("PAY-130", "PAY-158", "PAY-167")
def test_a_rout_goes_on_without_a_rally() -> None:
    place = scene(red(2, y=40.0))
    place.unit("red").rout = "rout_3d6_rally_7"
    assert not activate(place, "red", [("rally", [3, 3]), ("forced move", [1, 2, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, 34.0))
    lost = scene(red(2, y=40.0))
    lost.unit("red").rout = "rout_4d6_off_board"
    assert not lost.play(rally, lost.battle, lost.unit("red"), script=[("forced move", [1, 2, 3, 4])])


# --- loss of leader ---------------------------------------------------------------------------------------------------


def lose(place: Scene, unit: str, *names: str) -> list[str]:
    for name in names:
        place.figure(name).fate = "dead"
    place.unit(unit).measure()
    return list(names)


@pytest.mark.rule("PAY-128", "PAY-130", "PAY-131")
def test_irregulars_who_fail_run_at_once_and_skip_their_card() -> None:
    place = arabs()
    place.battle.cards.pile = {"blue": 1}
    script = [("loss of leader", [3, 3]), ("forced move", [1, 1, 1, 1])]
    place.play(leaders_lost, place.battle, lose(place, "blue", "blue.1"), script=script)
    unit = place.unit("blue")
    assert unit.rout == "rout_4d6_off_board" and "skip" in unit.marks
    assert place.figure("blue.2").at == pytest.approx((21.2, 34.0))
    passed = arabs()
    passed.play(leaders_lost, passed.battle, lose(passed, "blue", "blue.1"), script=[("loss of leader", [3, 4])])
    assert passed.unit("blue").rout == ""


@pytest.mark.rule("PAY-129")
@pytest.mark.setting("leader_loss_regulars")
def test_regulars_who_fail() -> None:
    def place(setting: str) -> Scene:
        return scene(red(3, y=20.0, leader="sergeant"), leader_loss_regulars=setting)

    fail = ("loss of leader", [1, 2])
    table = place("second_table")
    script = [fail, ("second morale roll", [3])]
    table.play(leaders_lost, table.battle, lose(table, "red", "red.1"), script=script)
    assert table.unit("red").pending == "fall_back_2d6_facing_next"
    back = place("fall_back")
    back.play(leaders_lost, back.battle, lose(back, "red", "red.1"), script=[fail])
    assert back.unit("red").pending == "fall_back_2d6_facing_next"
    idle = place("inactive")
    idle.play(leaders_lost, idle.battle, lose(idle, "red", "red.1"), script=[fail])
    assert "inactive" in idle.unit("red").marks
    activate(idle, "red", [("acting corporal", "nobody")])
    order_of_play(idle, "red", "move", [])
    order_of_play(idle, "red", "fire", [])
    assert "inactive" not in idle.unit("red").marks


@pytest.mark.rule("PAY-132", "PAY-134")
@pytest.mark.setting("leader_loss_scope")
def test_whose_loss_counts_and_one_roll_for_several() -> None:
    for setting, rolls in (("current", 0), ("any", 1)):
        unit = bare_unit("red", "red", row(4), leader="lieutenant")
        unit.figures["red.2"].rank = "sergeant"
        place = scene(unit, leader_loss_scope=setting)
        script = [("loss of leader", [4, 4])] * rolls
        place.play(leaders_lost, place.battle, lose(place, "red", "red.2"), script=script)
        both = [("loss of leader", [4, 4])]
        place.play(leaders_lost, place.battle, lose(place, "red", "red.1", "red.2"), script=both)
        place.play(leaders_lost, place.battle, ["red.1"])  # a man is lost only once


@pytest.mark.rule("PAY-135")
def test_no_roll_for_a_unit_of_one_a_rout_or_an_empty_unit() -> None:
    one = scene(red(1, leader="sergeant"))
    one.play(leaders_lost, one.battle, lose(one, "red", "red.1"))
    running = arabs()
    running.unit("blue").rout = "rout_4d6_off_board"
    running.play(leaders_lost, running.battle, lose(running, "blue", "blue.1"))
    empty = arabs(2)
    empty.figure("blue.2").fate = "dead"
    empty.play(leaders_lost, empty.battle, lose(empty, "blue", "blue.1"))


@pytest.mark.rule("PAY-035", "PAY-040", "PAY-133")
def test_the_next_in_rank_leads_and_a_lame_leader_still_fires_where_he_likes() -> None:
    unit = bare_unit("red", "red", row(4), leader="lieutenant")
    unit.figures["red.3"].rank, unit.figures["red.4"].rank = "sergeant", "sergeant"
    place = scene(unit)
    place.figure("red.1").mark("lame")
    place.play(leaders_lost, place.battle, ["red.1"], script=[("loss of leader", [6, 6])])
    assert unit.leader == "red.3"  # a tie: the first on the roster
    assert place.battle.is_leader(place.figure("red.1")) and place.figure("red.1").able
    assert len(may_fire(place.battle, unit)) == 4


@pytest.mark.rule("PAY-036", "PAY-040", "PAY-128", "PAY-133")
def test_a_leader_who_cannot_walk_leads_no_more_though_his_horse_carries_him() -> None:
    place = scene(bare_unit("red", "red", row(3), leader="lieutenant", mount="horse"))
    place.figure("red.2").rank = "sergeant"
    place.battle.commanders = {"red": "red.1", "blue": ""}
    place.figure("red.1").mark("lame")
    place.play(leaders_lost, place.battle, ["red.1"], script=[("loss of leader", [6, 6])])
    assert place.unit("red").leader == place.battle.commanders["red"] == "red.2"
    place.figure("red.2").mark("lame")
    place.play(leaders_lost, place.battle, ["red.2"], script=[("loss of leader", [6, 6])])
    place.play(promote, place.battle, place.unit("red"), script=[("acting corporal", "red.3")])
    assert place.unit("red").leader == place.battle.commanders["red"] == "red.3"
    place.figure("red.3").mark("lame")
    assert candidates(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-040", "PAY-124", "PAY-132", "PAY-134")
@pytest.mark.setting("unconscious_recovery")
def test_a_leader_who_came_round_and_falls_again_calls_for_no_roll_but_is_followed_at_once() -> None:
    place = scene(red(3, leader="lieutenant"), unconscious_recovery="six")
    unit = place.unit("red")
    unit.figures["red.2"].rank = "sergeant"
    unit.lost, place.battle.commanders["red"] = ("red.1",), "red.1"
    place.play(leaders_lost, place.battle, lose(place, "red", "red.1"))
    assert unit.leader == place.battle.commanders["red"] == "red.2"


@pytest.mark.rule("PAY-034", "PAY-036")
def test_the_highest_of_the_side_takes_command_at_once() -> None:
    captain = bare_unit("captain", "red", [(5.0, 5.0)], leader="captain")
    place = scene(captain, red(2, leader="sergeant"), bare_unit("second", "red", row(2, 40.0), leader="lieutenant"))
    place.battle.commanders = {"red": "captain.1", "blue": ""}
    place.figure("captain.1").mark("lame")
    place.play(leaders_lost, place.battle, ["captain.1"])
    assert place.battle.commanders["red"] == "second.1"
    place.play(succession, place.battle)
    assert place.battle.commanders["red"] == "second.1"


@pytest.mark.rule("PAY-037", "PAY-038", "PAY-039", "PAY-041", "PAY-042", "PAY-045")
@pytest.mark.setting("acting_corporal_choice")
def test_the_bravest_or_any_man_becomes_acting_corporal() -> None:
    def leaderless(setting: str) -> Scene:
        place = scene(blue(4), acting_corporal_choice=setting)
        place.figure("blue.2").brave = place.figure("blue.3").brave = 2
        return place

    place = leaderless("bravest")
    with pytest.raises(AssertionError, match="is not an answer to"):
        place.play(promote, place.battle, place.unit("blue"), script=[("acting corporal", "blue.1")])
    place.play(promote, place.battle, place.unit("blue"), script=[("acting corporal", "blue.3")])
    assert place.unit("blue").leader == "blue.3" and place.battle.is_leader(place.figure("blue.3"))
    assert place.figure("blue.3").spec.firearms == 3
    assert place.figure("blue.3").rank == place.told("promoted")[0]["rank"] == "acting_leader"
    regulars = scene(red(2))
    regulars.play(promote, regulars.battle, regulars.unit("red"), script=[("acting corporal", "red.1")])
    assert regulars.figure("red.1").rank == regulars.told("promoted")[0]["rank"] == "acting_corporal"
    owner = leaderless("owner")
    owner.play(promote, owner.battle, owner.unit("blue"), script=[("acting corporal", "blue.1")])
    assert owner.unit("blue").leader == "blue.1"
    none = leaderless("bravest")
    none.play(promote, none.battle, none.unit("blue"), script=[("acting corporal", "nobody")])
    assert none.unit("blue").leader == ""


@pytest.mark.rule("PAY-041")
def test_nobody_is_promoted_while_the_unit_routs() -> None:
    place = scene(blue(3, y=20.0))
    place.unit("blue").rout = "rout_4d6_off_board"
    assert not activate(place, "blue", [("forced move", [1, 1, 1, 1])])


@pytest.mark.rule("PAY-077", "PAY-086", "PAY-165")
def test_who_runs_is_up_with_his_back_turned_and_who_cannot_stays_as_he_is() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 13.5), (24.0, 13.5)]),
        lines={"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])},
    )
    for figure in place.unit("red").able:
        figure.mark("down")
    place.figure("red.2").mark("lame")
    place.unit("red").measure()
    place.play(fall_back, place.battle, place.unit("red"), 1, backs=True, script=[("forced move", [4])])
    assert place.figure("red.1").marks == {"back turned", "ran"}
    assert place.figure("red.2").marks == {"down", "lame"} and place.figure("red.2").gait == "halt"


@pytest.mark.rule("PAY-143", "PAY-165", "PAY-167")
@pytest.mark.parametrize(("rout", "roll"), [("rout_3d6_rally_7", [("rally", [3, 3])]), ("rout_4d6_off_board", [])])
def test_who_runs_on_without_a_rally_has_turned_his_back(rout: str, roll: list[tuple[str, Any]]) -> None:
    place = scene(red(2, y=30.0, leader="sergeant"), blue(2, y=40.0))
    place.unit("red").rout = rout
    dice = [1, 2, 3] if roll else [1, 2, 3, 4]
    assert not activate(place, "red", [*roll, ("forced move", dice)])
    assert all({"back turned", "ran"} <= figure.marks for figure in place.unit("red").able)
    assert melee_facts(place.battle, place.figure("red.1")).back_turned == -2
    assert may_fire(place.battle, place.unit("red")) == []
