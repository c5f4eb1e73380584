"""Corner cases of melee and morale: choices, joining a fight, the worse of two results, and the length and order of
forced moves.
"""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, blue, game, red, scene

from zareba.table import Answer, Question, ScriptedTable
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.chapters.fire import may_fire
from zareba_rulesets.paychest.chapters.melee import Fight, candidates, fight, note_deed, promote
from zareba_rulesets.paychest.chapters.morale import carry_out, check_morale, fall_back, must_check
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.sequence import Sequence, begin_activation, end_activation


class Listening(ScriptedTable):
    """A scripted table that records the question and the seat of each choice."""

    def __init__(self, place: Scene, script: list[Script]) -> None:
        super().__init__(place.rules, place.battle, script)
        self.asked: list[tuple[str, str | None]] = []

    def answer(self, question: Question) -> Answer:
        self.asked.append((question.why, getattr(question, "seat", None)))
        return super().answer(question)


def asked_in(place: Scene, rule: Any, *args: Any, script: list[Script]) -> list[tuple[str, str | None]]:
    table = Listening(place, script)
    with table:
        rule(table, place.battle, *args)
    return table.asked


# --- melee -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-142")
def test_the_owner_of_a_spare_man_says_whether_he_joins() -> None:
    foes = bare_unit("blue", "blue", [(19.0, 10.0), (21.0, 10.0)], melee=3)
    place = scene(red(1), foes)
    script: list[Script] = [("melee", "man by man"), ("fights", "blue.1"), ("joins against", "blue.2")]
    asked = asked_in(place, melee_step, place.unit("red"), script=[*script, ("melee", [6]), ("melee", [5, 5])])
    assert asked[:3] == [("melee", "red"), ("fights", "red"), ("joins against", "blue")]


@pytest.mark.rule("PAY-144")
@pytest.mark.setting("melee_excess_spread")
def test_the_winner_is_asked_which_man_is_hit() -> None:
    place = scene(bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0)]), blue(1, y=11.0), melee_excess_spread="winner")
    script: list[Script] = [
        ("melee", [6, 6]),
        ("melee", [3]),
        ("which man is hit", "red.2"),
        ("casualty card", "arm_graze"),
    ]
    asked = asked_in(place, fight, Fight(("red.1", "red.2"), ("blue.1",)), script=script)
    assert ("which man is hit", "blue") in asked


@pytest.mark.rule("PAY-142")
def test_no_two_against_two_and_nobody_joins_twice() -> None:
    ours = bare_unit("red", "red", [(19.2, 10.4), (19.2, 11.6)])
    theirs = bare_unit("blue", "blue", [(20.0, 11.0), (20.1, 9.9)])
    place = scene(ours, theirs)
    script: list[Script] = [
        ("melee", "man by man"),
        ("fights next", "red.1"),
        ("fights", "blue.1"),
        ("fights", "blue.1"),
    ]
    place.play(
        melee_step, place.battle, ours, script=[*script, ("melee", [6, 6]), ("melee", [6])]
    )  # no question about blue.2
    assert place.told("melee")[0]["theirs"] == ["blue.1"]
    file = bare_unit("red", "red", [(20.0, 10.0), (21.2, 10.0)])
    spare = bare_unit("blue", "blue", [(20.0, 9.0), (21.2, 9.0), (20.6, 10.83)])
    both = scene(file, spare)
    script = [("melee", "man by man"), ("fights next", "red.1"), ("fights", "blue.1"), ("fights", "blue.2")]
    script += [("joins against", "blue.3"), ("melee", [6]), ("melee", [6, 6]), ("melee", [6]), ("melee", [6])]
    both.play(melee_step, both.battle, file, script=script)
    assert [told["theirs"] for told in both.told("melee")] == [["blue.1", "blue.3"], ["blue.2"]]


@pytest.mark.rule("PAY-138")
@pytest.mark.setting("two_to_one_dice")
def test_the_one_die_of_two_men_is_thrown_against_the_better_skill() -> None:
    unit = bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0)], melee=2)
    unit.figures["red.2"] = bare_unit("red", "red", [(0, 0), (21.0, 11.0)], melee=5).figures["red.2"]
    place = scene(unit, blue(1, y=11.0), two_to_one_dice="single")
    place.play(fight, place.battle, Fight(("red.1", "red.2"), ("blue.1",)), script=[("melee", [5]), ("melee", [3])])
    assert place.told("melee")[0]["hits"] == [1, 1]


# --- conflicting results -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-169", "PAY-160")
def test_an_equal_result_is_carried_out_again_and_a_rout_that_rallies_leaves_the_card() -> None:
    place = scene(blue(3, y=30.0))
    unit = place.unit("blue")
    place.battle.cards.pile = {"blue": 1}
    for dice in ([1, 1, 1], [2, 2, 2]):
        assert place.play(carry_out, place.battle, unit, "rout_3d6_rally_7", script=[("forced move", dice)])
    assert unit.figures["blue.1"].at == pytest.approx((20.0, 39.0)) and "skip" not in unit.marks
    place.play(carry_out, place.battle, unit, "rout_4d6_off_board", script=[("forced move", [1, 1, 1, 1])])
    assert "skip" in unit.marks


@pytest.mark.rule("PAY-169", "PAY-157")
def test_a_better_result_is_no_relief() -> None:
    place = scene(red(3, y=30.0))
    unit = place.unit("red")
    place.play(carry_out, place.battle, unit, "fall_back_2d6_facing_next")
    for better in ("hold", "hold_figures_1", "hold_figures_1_2"):
        assert not place.play(carry_out, place.battle, unit, better)
    assert unit.pending == "fall_back_2d6_facing_next"


@pytest.mark.rule("PAY-148", "PAY-149")
def test_one_hit_never_fails() -> None:
    place = scene(red(3))
    unit = place.unit("red")
    unit.hits = 1
    assert must_check(place.battle, unit)
    assert place.play(check_morale, place.battle, unit, script=[("morale", [1, 1])])
    unit.hits = 12
    assert not place.play(check_morale, place.battle, unit, script=[("morale", [6, 6]), ("second morale roll", [6])])


# --- forced moves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-163", "PAY-123")
def test_a_rider_with_a_wounded_leg_runs_as_far_as_the_others() -> None:
    place = scene(red(1, y=30.0, mount="horse"))
    place.figure("red.1").wounds = ("leg_wound",)
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [3, 3])])
    assert place.figure("red.1").at == pytest.approx((20.0, 24.0))


@pytest.mark.rule("PAY-163", "PAY-007")
def test_the_foremost_run_first_and_nobody_ends_on_a_base() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 31.0), (20.0, 30.0), (20.0, 29.0)]))
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [1, 1])])
    ends = [figure.at[1] for figure in place.unit("red").able if figure.at]
    assert ends == pytest.approx([29.0, 28.0, 27.0])
    crowded = scene(red(1, y=30.0), bare_unit("friend", "red", [(20.0, 26.0)]))
    crowded.play(fall_back, crowded.battle, crowded.unit("red"), 1, backs=True, script=[("forced move", [4])])
    at = crowded.figure("red.1").at
    assert at is not None and dist(at, (20.0, 26.0)) >= 1.0 and at[1] < 30.0


@pytest.mark.rule("PAY-163")
@pytest.mark.setting("retreat_direction")
def test_men_run_from_the_nearest_enemy_whom_they_see() -> None:
    house = {"house": ("building", [(21.5, 18.0), (23.0, 18.0), (23.0, 22.0), (21.5, 22.0)])}
    foes = bare_unit("blue", "blue", [(24.0, 20.0), (20.0, 28.0)])
    place = scene(red(1, y=20.0), foes, areas=house, retreat_direction="away_from_enemy")
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [2, 2])])
    assert place.figure("red.1").at == pytest.approx((20.0, 16.0))


# --- an activation in the sequence of play -------------------------------------------------------------------------------------


def stage_of(place: Scene, unit: str, stage: str, script: list[Script] | None = None) -> None:
    played = game("patrol_clash")
    sequence = Sequence(played.policy, played.scenario, played.plan)
    place.battle.acting, place.battle.stage = unit, stage
    place.play(getattr(sequence, f"unit_{stage}"), place.battle, script=script or [])


@pytest.mark.rule("PAY-164", "PAY-167", "PAY-129")
@pytest.mark.parametrize("mark", ["no fire", "idle"])
def test_who_may_not_fire_is_not_asked(mark: str) -> None:
    place = scene(red(2), blue(2))
    assert may_fire(place.battle, place.unit("red"))
    place.unit("red").mark(mark)
    stage_of(place, "red", "fire")


@pytest.mark.rule("PAY-167", "PAY-129", "PAY-061")
@pytest.mark.parametrize("mark", ["no move", "idle"])
def test_who_may_not_move_is_not_asked(mark: str) -> None:
    place = scene(red(2), blue(2))
    place.unit("red").mark(mark)
    stage_of(place, "red", "move")


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


@pytest.mark.rule("PAY-158", "PAY-167")
def test_a_unit_that_has_not_rallied_neither_fires_nor_fights() -> None:
    place = scene(red(2, y=30.0, leader="sergeant"), blue(2, y=40.0))
    place.unit("red").rout, place.unit("red").rout_row = "rout_3d6_rally_7", 1
    script: list[Script] = [("rally", [1, 1]), ("forced move", [1, 1, 1])]
    assert not place.play(begin_activation, place.battle, place.unit("red"), script=script)


@pytest.mark.rule("PAY-100", "PAY-024", "PAY-175", "PAY-102")
def test_shots_are_counted_afresh_in_each_activation() -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0), shots=2, first_ones=1, moved="advance")}
    place = scene(red(2, leader="sergeant"), engines=gun)
    unit = place.unit("red")
    unit.shot_at, unit.aimed, unit.volleys = "blue", (("red.1", "blue"),), 2
    place.play(begin_activation, place.battle, unit)
    assert (unit.shot_at, len(unit.aimed), unit.volleys) == ("", 0, 0)
    engine = place.battle.engines["gun"]
    assert (engine.shots, engine.first_ones, engine.moved) == (0, 0, "halt")
    for figure in unit.figures.values():
        figure.mark("served", "held")
    unit.mark("no fire", "no move")
    place.play(end_activation, place.battle, unit)
    assert unit.marks == {"acted"} and not any(figure.marks for figure in unit.figures.values())


# --- leaders and deeds -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-039", "PAY-040", "PAY-042")
def test_who_cannot_walk_is_no_acting_corporal_and_a_man_alone_needs_none() -> None:
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


# --- handling --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-073")
def test_light_loads_cost_nothing_and_each_man_handles_one_thing() -> None:
    def walks_on(name: str, heavy: bool, before: tuple[str, ...]) -> float:
        """Return how far a man with 4 inches left goes after picking up or dropping a load."""
        things = {name: Thing("light", name, "", None if before else (20.0, 10.5), heavy=heavy)}
        place = scene(red(1), things=things)
        place.figure("red.1").loads = before
        if before:
            things[name].carrier = "red.1"
        verb = "drop" if before else "pick up"
        reach = {("pick up", True): 2.0, ("drop", True): 8.0}.get((verb, heavy), 4.0)
        for inches, fine in ((reach, True), (reach + 0.1, False)):
            script: list[Script] = [("handle", (verb, "red.1", name)), ("carry on to", (20.0 + inches, 10.0))]
            here = scene(red(1), things={name: things[name].copy()})
            here.figure("red.1").loads = before
            if fine:
                here.play(handle, here.battle, here.unit("red"), {"red.1": 4.0}, before=False, script=script)
            else:
                with pytest.raises(AssertionError, match="of the move are left"):
                    here.play(handle, here.battle, here.unit("red"), {"red.1": 4.0}, before=False, script=script)
        return reach

    assert walks_on("flag", False, ()) == 4.0 and walks_on("chest", True, ()) == 2.0
    assert walks_on("flag", False, ("flag",)) == 4.0 and walks_on("chest", True, ("chest",)) == 8.0


@pytest.mark.rule("PAY-073", "PAY-121")
def test_nobody_lifts_what_another_has_in_his_hand_or_without_an_arm_to_lift_it() -> None:
    place = scene(red(3), things={"flag": Thing("light", "the flag", "", None, carrier="red.1")})
    for name in ("red.1", "red.2", "red.3"):
        place.figure(name).at = (20.0 + 0.5 * int(name[-1]), 10.0)
    place.figure("red.3").fate = "dead"
    place.figure("red.1").loads = ("flag",)
    place.unit("red").measure()
    with pytest.raises(AssertionError, match="is not an answer to"):
        place.play(
            handle, place.battle, place.unit("red"), {}, before=True, script=[("handle", ("pick up", "red.2", "flag"))]
        )
    place.figure("red.1").loads = ()
    place.figure("red.1").wounds = place.figure("red.2").wounds = ("smashed_arm", "smashed_arm")
    place.play(handle, place.battle, place.unit("red"), {}, before=True)
