"""The loss of a leader, who leads and commands next, acting corporals, orders and brave deeds."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import Scene, Script, at, bare_unit, blue, red, row, scene, stage_of

from zareba_rulesets.paychest.actions.movement import move_unit
from zareba_rulesets.paychest.chapters.command import (
    candidates,
    give_orders,
    leaders_lost,
    note_deed,
    promote,
    replace_lost_leaders,
)
from zareba_rulesets.paychest.chapters.fire import may_fire
from zareba_rulesets.paychest.chapters.morale import carry_out
from zareba_rulesets.paychest.forces.intentions import UnitIntentions
from zareba_rulesets.paychest.sequence import begin_activation

# --- The loss of a leader, and who leads and commands next ------------------------------------------------------------


def arabs(count: int = 4, y: float = 30.0, leader: str = "leader") -> Scene:
    return scene(blue(count, y=y, leader=leader), red(2, y=2.0))


def activate(place: Scene, unit: str, script: list[tuple[str, object]]) -> bool:
    return place.play(begin_activation, place.battle, place.unit(unit), script=script)


@pytest.mark.rule("PAY-040", "PAY-128", "PAY-164")
def test_new_leader_is_known_at_once_after_the_leader_leaves() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 3.0), (20.0, 30.0), (21.2, 30.0)], leader="lieutenant"))
    unit = place.unit("red")
    unit.figures["red.2"].rank = "sergeant"
    place.play(carry_out, place.battle, unit, "fall_back_2d6_facing_next")
    stage_of(place, "red", "move", [("forced move", [2, 3])])
    assert unit.figures["red.1"].fate == "off" and unit.leader == "red.2"
    lost = lose(place, "red", "red.2")  # in the melee of this activation
    place.play(leaders_lost, place.battle, lost, script=[("loss of leader", [4, 3])])


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
    stage_of(idle, "red", "move", [])
    stage_of(idle, "red", "fire", [])
    assert "inactive" not in idle.unit("red").marks


@pytest.mark.rule("PAY-132", "PAY-134")
@pytest.mark.setting("leader_loss_scope")
def test_one_leader_loss_roll_covers_several_losses() -> None:
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
    place.play(replace_lost_leaders, place.battle)
    assert place.battle.commanders["red"] == "second.1"


@pytest.mark.rule("PAY-128", "PAY-065", "PAY-040")
def test_a_unit_that_has_just_come_on_has_its_leader_to_lose() -> None:
    place = scene(blue(3, y=30.0, leader="leader"), red(1))
    spots = {name: figure.at for name, figure in place.unit("blue").figures.items()}
    for figure in place.unit("blue").figures.values():
        figure.at = None
    place.unit("blue").measure()
    place.battle.arrivals, place.battle.commanders["blue"] = {"blue": 2}, "blue.1"
    place.play(replace_lost_leaders, place.battle)
    assert place.unit("blue").leader == "blue.1" == place.battle.commanders["blue"]
    place.battle.arrivals = {}
    for name, here in spots.items():
        place.figure(name).at = here
    place.figure("blue.1").fate = "dead"
    place.unit("blue").measure()
    script: list[Script] = [("loss of leader", [3, 4])]
    place.play(leaders_lost, place.battle, ["blue.1"], script=script)
    assert place.told("leader lost")


@pytest.mark.rule("PAY-132", "PAY-134")
@pytest.mark.setting("leader_loss_scope")
@pytest.mark.parametrize(("scope", "lost"), [("current", ["blue.1"]), ("any", ["blue.2", "blue.1"])])
def test_all_leaders_lost_in_one_volley_are_named_and_there_is_one_roll(scope: str, lost: list[str]) -> None:
    place = scene(blue(3, leader="leader"), leader_loss_scope=scope)
    place.figure("blue.2").rank = "sub_leader"
    for name in ("blue.1", "blue.2"):
        place.figure(name).fate = "dead"
    place.unit("blue").measure()
    script: list[Script] = [("loss of leader", [3, 4])]
    place.play(leaders_lost, place.battle, ["blue.2", "blue.1"], script=script)
    assert [told["figure"] for told in place.told("leader lost")] == lost


@pytest.mark.rule("PAY-129")
@pytest.mark.setting("leader_loss_regulars")
def test_an_inactive_unit_starts_no_melee_but_carries_out_its_order() -> None:
    place = scene(red(2), blue(2, y=11.0), leader_loss_regulars="inactive")
    unit = place.unit("red")
    unit.mark("inactive")
    place.play(carry_out, place.battle, unit, "fall_back_2d6_facing_next")
    assert place.play(begin_activation, place.battle, unit, script=[("acting corporal", "nobody")])
    stage_of(place, "red", "move", [("forced move", [1, 1])])
    place.figure("red.1").at = (20.0, 10.0)
    unit.measure()
    stage_of(place, "red", "melee")
    assert place.told("melee") == [] and "idle" not in place.unit("red").marks


# --- Acting corporals, orders and brave deeds -------------------------------------------------------------------------


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
def test_routing_unit_promotes_no_leader() -> None:
    place = scene(blue(3, y=20.0))
    place.unit("blue").rout = "rout_4d6_off_board"
    assert not activate(place, "blue", [("forced move", [1, 1, 1, 1])])


@pytest.mark.rule("PAY-044")
def test_the_inches_that_a_comrade_is_carried_add_up() -> None:
    place = scene(red(2))
    place.figure("red.1").mark("lame")
    place.figure("red.2").loads = ("red.1",)
    for y, deeds in ((12.0, 0), (14.0, 1), (16.0, 1)):
        script: list[tuple[str, object]] = [("handle", "done"), ("move", "advance"), ("foot advances", [2, 2])]
        script += [("move to", (21.2, y)), ("handle", "done")]
        place.play(move_unit, place.battle, place.unit("red"), script=script)
        assert place.figure("red.2").brave == deeds


@pytest.mark.rule("PAY-044")
@pytest.mark.parametrize(("fate", "deeds"), [("dead", 0), ("unconscious", 1), ("able", 1)])
def test_a_comrade_who_is_dead_is_saved_no_more(fate: str, deeds: int) -> None:
    place = scene(red(2))
    place.figure("red.1").fate = fate
    place.figure("red.1").mark("lame")
    place.figure("red.2").loads = ("red.1",)
    script: list[tuple[str, object]] = [("handle", "done"), ("move", "advance"), ("foot advances", [4, 4])]
    script += [("move to", (21.2, 14.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.2").brave == deeds and at(place, "red.1") == (21.2, 14.0)


@pytest.mark.rule("PAY-043", "PAY-044", "PAY-073")
def test_two_who_carry_a_comrade_have_both_done_a_brave_deed() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (20.5, 10.9), (21.0, 10.0)], leader="sergeant"))
    place.figure("red.2").mark("lame")
    place.unit("red").measure()
    script: list[tuple[str, object]] = [
        ("handle", ("pick up", "red.1", "red.2")),
        ("handle", ("pick up", "red.3", "red.2")),
    ]
    script += [("move", "advance"), ("foot advances", [4, 4]), ("move to", (20.5, 20.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert [place.figure(f"red.{n}").brave for n in (1, 2, 3)] == [1, 0, 1]
    assert at(place, "red.2") == at(place, "red.1")


@pytest.mark.rule("PAY-033")
def test_orders_bind_ai_players_but_not_people() -> None:
    place = scene(red(2), blue(2))
    place.battle.commanders["red"] = "red.1"
    script = [("order for", "red"), ("order to", (30.0, 30.0))]
    place.play(give_orders, place.battle, "red", script=script)
    assert place.battle.orders == {"red": (30.0, 30.0)} and place.told("order")[0]["to"] == [30.0, 30.0]
    assert UnitIntentions(place.battle, place.unit("red")).destination == (30.0, 30.0)
    place.play(give_orders, place.battle, "blue")  # a side without a commander gives none
    script = [("move", "halt")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    again = place.battle.to_data()["orders"]
    assert again == {"red": [30.0, 30.0]}


@pytest.mark.rule("PAY-039", "PAY-040", "PAY-042")
def test_lame_man_or_single_man_is_no_acting_corporal() -> None:
    place = scene(red(3))
    place.figure("red.1").mark("lame")
    place.figure("red.1").brave = 5
    place.unit("red").measure()
    assert candidates(place.battle, place.unit("red")) == ["red.2", "red.3"]
    alone = scene(red(1))
    alone.play(promote, alone.battle, alone.unit("red"))


@pytest.mark.rule("PAY-044")
def test_a_deed_by_hand_is_noted_with_its_turn_or_not_at_all() -> None:
    place = scene(red(2, leader="captain"))
    place.battle.commanders, place.battle.turn = {"red": "red.1", "blue": ""}, 4
    place.play(note_deed, place.battle, "red", script=[("brave deed in", "nobody")])
    assert place.battle.deeds == {}
    place.play(note_deed, place.battle, "red", script=[("brave deed in", "red"), ("brave deed of", "red.2")])
    assert place.battle.deeds == {"red": 4}
