"""Acting corporals, orders and brave deeds."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import Scene, at, bare_unit, blue, red, scene

from zareba_rulesets.paychest.actions.movement import move_unit
from zareba_rulesets.paychest.chapters.command import candidates, give_orders, note_deed, promote
from zareba_rulesets.paychest.forces.intentions import UnitIntentions
from zareba_rulesets.paychest.sequence import begin_activation


def activate(place: Scene, unit: str, script: list[tuple[str, object]]) -> bool:
    return place.play(begin_activation, place.battle, place.unit(unit), script=script)


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
