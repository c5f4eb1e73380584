"""Corner cases of moving, loads, wounds, leaders, melee, arrivals and the end."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, blue, game, red, rules_with, scene, wiped_out

from zareba.space import Point
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.chapters.marching import Mover, column_of, march
from zareba_rulesets.paychest.chapters.melee import (
    apply_card,
    come_round,
    draw_casualty_card,
    leaders_lost,
    melee_facts,
    succession,
)
from zareba_rulesets.paychest.chapters.morale import flee_singly
from zareba_rulesets.paychest.chapters.mounts import climb, may_climb
from zareba_rulesets.paychest.chapters.setting_up import recycle, set_down
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.sequence import Sequence, begin_activation, end_activation

FORT = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}


def spot(place: Scene, name: str) -> Point:
    at = place.figure(name).at
    assert at is not None
    return at


# --- moving -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-007", "PAY-070", "PAY-071")
def test_who_goes_beside_a_comrade_against_the_same_enemy_stands_on_nobody() -> None:
    """Two friends occupy the places next to the enemy. One of them is outside the strip swept by the mover."""
    foe = bare_unit("blue", "blue", [(30.0, 21.45)], mount="horse")
    friends = bare_unit("friends", "red", [(29.6, 19.0), (29.0, 24.0)], mount="horse")
    place = scene(bare_unit("red", "red", [(20.0, 20.0)], mount="horse"), foe, friends)
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 25.0)], (40.0, 20.0))
    others = [(29.6, 19.0), (29.0, 24.0), (30.0, 21.45)]
    assert all(dist(spot(place, "red.1"), at) >= 1.5 - 1e-6 for at in others)


@pytest.mark.rule("PAY-070", "PAY-071")
def test_nobody_goes_beside_a_comrade_off_the_table() -> None:
    """The enemy is at the edge. A friend has the place in front of it; the only other place is off the board."""
    friends = bare_unit("friends", "red", [(28.95, 0.4), (29.55, 1.32)])
    place = scene(bare_unit("red", "red", [(20.0, 0.3)]), bare_unit("blue", "blue", [(30.0, 0.4)]), friends)
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 12.0)], (30.0, 0.4))
    assert place.battle.field.table.is_on_table(spot(place, "red.1"))
    assert spot(place, "red.1") != (20.0, 0.3)


@pytest.mark.rule("PAY-078", "PAY-085", "PAY-091")
def test_who_leads_mounts_goes_where_they_can_go() -> None:
    mule = {"mule": Thing("mount", "loose mule", "", None, carrier="red.1")}
    grove = {"grove": ("brush", [(0.0, 10.0), (60.0, 10.0), (60.0, 40.0), (0.0, 40.0)])}
    place = scene(red(1), things=mule, areas=grove)
    place.figure("red.1").loads = ("mule",)
    assert column_of(place.battle, place.figure("red.1")) == "mounted"
    march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 8.0)], (20.0, 30.0))
    assert spot(place, "red.1") == pytest.approx((20.0, 14.0))  # each inch costs two, as for horses
    below = scene(bare_unit("red", "red", [(20.0, 13.5), (24.0, 13.5)]), things=mule, lines=FORT)
    below.figure("red.1").loads = ("mule",)
    below.play(climb, below.battle, below.unit("red"), below.unit("red").able)
    assert [spot(below, name)[1] for name in ("red.1", "red.2")] == [13.5, 14.0]


@pytest.mark.rule("PAY-091")
def test_a_climber_lands_against_a_defender_on_the_wall_not_against_one_behind_it() -> None:
    behind = bare_unit("blue", "blue", [(21.5, 14.9)])
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), behind, lines=FORT)
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert spot(place, "red.1") == (20.0, 14.0)


@pytest.mark.rule("PAY-091")
def test_who_stands_on_a_wall_comes_down_on_either_side() -> None:
    for goal, y in (((20.0, 30.0), 19.0), ((20.0, 2.0), 9.0)):
        place = scene(bare_unit("red", "red", [(20.0, 14.0)]), lines=FORT)
        assert not may_climb(place.battle, place.unit("red").able)
        march(place.battle, place.unit("red"), [Mover(place.figure("red.1"), 5.0)], goal)
        assert spot(place, "red.1") == pytest.approx((20.0, y))


@pytest.mark.rule("PAY-078")
def test_men_with_loads_are_not_offered_a_saddle_that_they_cannot_take() -> None:
    things = {
        "mare": Thing("mount", "loose horse", "", (20.0, 11.2)),
        "chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1"),
    }
    place = scene(red(1), things=things)
    place.figure("red.1").loads = ("chest",)
    with pytest.raises(AssertionError, match="is not an answer to"):
        place.play(move_unit, place.battle, place.unit("red"), script=[("handle", "done"), ("move", ("mount", "up"))])


@pytest.mark.rule("PAY-048")
def test_a_unit_set_up_on_a_bank_does_not_stand_on_both() -> None:
    lake = {"lake": ("deep_water", [(12.0, 0.0), (28.0, 0.0), (28.0, 48.0), (12.0, 48.0)])}
    place = scene(red(6), areas=lake)
    set_down(place.battle, place.unit("red"), (20.0, 20.0), (0.0, 1.0))
    assert len({figure.at[0] < 20.0 for figure in place.unit("red").able if figure.at}) == 1


# --- wounds and loads --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-118", "PAY-124")
@pytest.mark.setting("unconscious_recovery")
def test_who_comes_round_keeps_every_wound() -> None:
    place = scene(red(1), unconscious_recovery="six")
    for result in ("arm_wound", "leg_wound", "body_wound"):
        place.play(apply_card, place.battle, place.figure("red.1"), result, "fire", [])
    assert place.figure("red.1").fate == "unconscious"
    place.play(come_round, place.battle, "red", script=[("come round", [6])])
    man = place.figure("red.1")
    assert man.able and man.wounds == ("arm_wound", "leg_wound", "body_wound")
    assert place.rules.tallies["melee"].total(melee_facts(place.battle, man)) == 4 - 1 - 1  # the wound and the knock
    place.play(apply_card, place.battle, man, "graze", "fire", [])
    assert man.able
    place.play(apply_card, place.battle, man, "arm_wound", "fire", [])
    assert man.fate == "unconscious"


@pytest.mark.rule("PAY-125", "PAY-216", "PAY-073")
def test_a_dead_irregular_who_was_carried_burdens_nobody() -> None:
    place = scene(blue(2))
    carrier, comrade = place.figure("blue.1"), place.figure("blue.2")
    comrade.mark("lame")
    comrade.at, carrier.loads = carrier.at, ("blue.2",)
    place.unit("blue").measure()
    place.play(apply_card, place.battle, comrade, "killed", "fire", [])
    place.play(end_activation, place.battle, place.unit("blue"))
    assert comrade.at is None and not place.figure("blue.1").loads


@pytest.mark.rule("PAY-216", "PAY-078")
def test_a_man_who_cannot_walk_lets_go_of_what_he_leads_and_keeps_what_is_light() -> None:
    things = {
        "mule": Thing("mount", "loose mule", "", None, carrier="red.1"),
        "flag": Thing("light", "flag", "", None, carrier="red.1"),
    }
    place = scene(red(1), things=things)
    place.figure("red.1").loads = ("mule", "flag")
    place.play(apply_card, place.battle, place.figure("red.1"), "crippled_leg", "fire", [])
    assert place.figure("red.1").loads == ("flag",) and place.battle.things["mule"].at == (20.0, 10.0)


@pytest.mark.rule("PAY-216", "PAY-078")
def test_the_pack_animal_of_a_dead_driver_stays_loose() -> None:
    place = scene(red(1, mount="pack"))
    place.play(apply_card, place.battle, place.figure("red.1"), "killed", "fire", [])
    (animal,) = place.battle.things.values()
    assert (animal.kind, animal.at, animal.carrier) == ("mount", (20.0, 10.0), "")


# --- melee -------------------------------------------------------------------------------------------------------------------


def pair(**settings: Any) -> Scene:
    return scene(bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0), (30.0, 11.0)], leader="sergeant"),
                 bare_unit("blue", "blue", [(20.0, 11.0), (30.0, 12.0)], leader="sergeant", melee=3), **settings)  # fmt: skip


@pytest.mark.rule("PAY-142")
def test_the_phasing_player_orders_the_fights() -> None:
    for order in (("red.1", "red.3"), ("red.3", "red.1")):
        place = pair()
        script: list[Script] = [("melee", "man by man")]
        for man in order:
            script += [("fights next", man), *([("fights", "blue.1")] if man == "red.1" else [("fights", "blue.2")])]
        script += [("fights", "does not fight")]  # the third man
        script += [("melee", [6]), ("melee", [6])] * 2
        place.play(melee_step, place.battle, place.unit("red"), script=script)
        assert [told["ours"] for told in place.told("melee")] == [[man] for man in order]


@pytest.mark.rule("PAY-142", "PAY-063")
def test_who_has_run_from_a_pair_leaves_his_comrade_to_fight_alone() -> None:
    place = pair()
    script: list[Script] = [("melee", "man by man"), ("fights next", "red.3"), ("fights", "blue.2")]
    script += [("fights next", "red.1"), ("fights", "blue.1"), ("fights", "blue.1")]
    place.unit("red").leader = "red.3"  # he falls; the unit holds, and red.2 runs before fighting
    script += [("melee", [6]), ("melee", [3]), ("casualty card", "head_killed"), ("loss of leader", [1, 1])]
    script += [("second morale roll", [5]), ("stand or run", [6]), ("stand or run", [1]), ("forced move", [4])]
    script += [("melee", [6]), ("melee", [6])]
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert place.told("melee")[1]["ours"] == ["red.1"]


# --- leaders -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-128", "PAY-065", "PAY-040")
def test_a_unit_that_has_just_come_on_has_its_leader_to_lose() -> None:
    place = scene(blue(3, y=30.0, leader="leader"), red(1))
    spots = {name: figure.at for name, figure in place.unit("blue").figures.items()}
    for figure in place.unit("blue").figures.values():
        figure.at = None
    place.unit("blue").measure()
    place.battle.arrivals, place.battle.commanders["blue"] = {"blue": 2}, "blue.1"
    place.play(succession, place.battle)
    assert place.unit("blue").leader == "blue.1" == place.battle.commanders["blue"]
    place.battle.arrivals = {}
    for name, at in spots.items():
        place.figure(name).at = at
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


# --- arrivals and the end ----------------------------------------------------------------------------------------------------


def opened(**settings: Any) -> tuple[PaychestGame, Scene]:
    played = game("patrol_clash", **settings)
    battle = played.start()
    for unit_id in battle.waiting:
        set_down(battle, battle.change(unit_id), played.plan.placed[unit_id], played.plan.ahead[unit_id])
    battle.waiting = []
    return played, Scene(rules_with(**settings), battle)


def fell(place: Scene, side: str) -> None:
    for unit in place.battle.units.values():
        if unit.spec.side == side:
            for figure in place.battle.change(unit.spec.id).figures.values():
                figure.fate, figure.at = "dead", None
            place.battle.unit(unit.spec.id).measure()


@pytest.mark.rule("PAY-192", "PAY-197", "PAY-215")
@pytest.mark.setting("recycle_irregulars")
def test_a_side_that_will_come_again_has_not_lost_in_mid_turn() -> None:
    for setting, over in (("off", True), ("on", False)):
        played, place = opened(recycle_irregulars=setting)
        fell(place, "tribesmen")
        place.battle.stage, place.battle.acting = "melee", "fusiliers"
        sequence = Sequence(played.policy, played.scenario, played.plan)
        place.play(sequence.unit_melee, place.battle)
        assert place.battle.over is over
        assert bool(wiped_out(place, played)) is over


@pytest.mark.rule("PAY-197", "PAY-065")
@pytest.mark.setting("recycle_irregulars")
@pytest.mark.parametrize("at", [(3.0, 36.0), (45.0, 36.0)])
def test_units_that_form_again_come_on_anywhere_along_their_edge_and_touch_it(at: Point) -> None:
    _, place = opened(recycle_irregulars="on")
    width, depth = place.battle.field.table.extent
    name = next(u.spec.id for u in place.battle.units.values() if u.spec.side == "tribesmen" and len(u.figures) > 9)
    for figure in place.battle.change(name).figures.values():
        figure.fate, figure.at = "dead", None
    place.battle.unit(name).measure()
    place.battle.returning = [name]
    script: list[Script] = [("arrive at", (at[0], depth))]
    place.play(recycle, place.battle, script=script)
    unit = place.battle.unit(name)
    nearest = min(depth - figure.at[1] for figure in unit.able if figure.at)
    assert nearest <= place.battle.radius(unit.able[0]) + 0.05
    assert abs(unit.standing.middle[0] - at[0]) < 6 and 0 < at[0] < width


@pytest.mark.rule("PAY-166", "PAY-163")
def test_a_man_who_runs_far_enough_by_himself_is_gone() -> None:
    place = scene(red(2, y=3.0, leader="sergeant"))
    script: list[Script] = [("stand or run", [1]), ("forced move", [3]), ("stand or run", [2])]
    place.play(flee_singly, place.battle, place.unit("red"), 1, dice=1, backs=True, script=script)
    assert [place.figure(name).fate for name in ("red.1", "red.2")] == ["off", "able"]


# --- start of a turn and of an activation ----------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-065", "PAY-046", "PAY-197", "PAY-059")
@pytest.mark.setting("recycle_irregulars")
def test_who_comes_on_has_a_card_in_the_same_turn() -> None:
    played = game("paychest_raid", recycle_irregulars="on")
    battle = played.start()
    for unit_id in battle.waiting:
        set_down(battle, battle.change(unit_id), played.plan.placed[unit_id], played.plan.ahead[unit_id])
    battle.waiting, battle.turn = [], 6
    place = Scene(rules_with(recycle_irregulars="on"), battle)
    for figure in battle.change("knives").figures.values():
        figure.fate, figure.at = "dead", None
    battle.unit("knives").measure()
    battle.change("knives").mark("acted", "skip")
    battle.returning = ["knives"]
    home = battle.field.home["raiders"]
    depth = battle.field.table.extent[1]
    script: list[Script] = [
        ("arrival", [4]),
        ("arrive at", (30.0, 0.0)),
        ("arrive at", (30.0, depth if home == "north" else 0.0)),
    ]
    script += [("order for", "no more orders")] * 2
    sequence = Sequence(played.policy, played.scenario, played.plan)
    place.play(sequence.turn_start, battle, script=script)
    assert battle.cards.pile["goum"] == battle.cards.pile["knives"] == 1
    assert not battle.unit("knives").marks
    first = next(iter(battle.units))
    battle.change(first).mark("acted", "skip")
    place.play(sequence.turn_start, battle, script=[("order for", "no more orders")] * 2)
    assert battle.unit(first).marks.isdisjoint(("acted", "skip"))


@pytest.mark.rule("PAY-023", "PAY-124")
@pytest.mark.setting("unconscious_recovery")
def test_an_activation_begins_with_who_wakes_and_what_was_picked_up() -> None:
    rifle = {"gun of x": Thing("weapon", "rifle", "", None, carrier="red.1")}
    place = scene(red(2, leader="sergeant", weapons=("sword",)), things=rifle, unconscious_recovery="six")
    place.figure("red.1").loads = ("gun of x",)
    place.figure("red.2").fate = "unconscious"
    place.unit("red").measure()
    place.play(begin_activation, place.battle, place.unit("red"), script=[("come round", [6])])
    assert place.figure("red.1").weapons == ("rifle", "sword") and place.figure("red.2").able


@pytest.mark.rule("PAY-057", "PAY-064", "PAY-148", "PAY-168", "PAY-170")
def test_the_turn_ends_with_morale_of_those_who_were_hit_as_their_cards_came_up() -> None:
    played, place = opened()
    battle = place.battle
    hit = [name for name, unit in battle.units.items() if not unit.spec.single][:4]
    alone = next(name for name, unit in battle.units.items() if unit.spec.single)
    for name in (*hit, alone):
        battle.change(name).hits = 3
    battle.change(hit[3]).rout = "rout_3d6_rally_7"
    battle.order = [hit[2], alone, hit[0]]
    sequence = Sequence(played.policy, played.scenario, played.plan)
    battle.stage = "end"
    script: list[Script] = [("morale", [6, 6])] * 3 + [("brave deed in", "nobody")] * 2
    place.play(sequence.turn_end, battle, script=script)
    assert [told["unit"] for told in place.told("morale passed")] == [hit[2], hit[0], hit[1]]
    assert battle.turn == 2


# --- more on moving and wounds -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-123", "PAY-120", "PAY-067")
def test_a_leg_wound_halves_and_forbids_the_run_on_foot_alone() -> None:
    place = scene(red(2))
    place.figure("red.1").wounds = ("leg_wound",)
    script: list[Script] = [
        ("move", "run"),
        ("foot advances", [4, 4]),
        ("foot runs on", [4]),
        ("move to", (20.6, 30.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert spot(place, "red.1")[1] == pytest.approx(14.0) and place.figure("red.1").gait == "advance"
    assert place.figure("red.2").gait == "run"
    rider = scene(red(1, mount="horse"))
    rider.figure("red.1").wounds = ("leg_wound",)
    dice: list[Script] = [("horse advances", [4, 4, 4]), ("horse runs on", [4, 4]), ("move to", (20.0, 40.0))]
    rider.play(move_unit, rider.battle, rider.unit("red"), script=[("move", "run"), *dice])
    assert spot(rider, "red.1")[1] == pytest.approx(30.0)
    lame = scene(red(1, mount="horse"))
    lame.figure("red.1").mark("lame")
    lame.unit("red").measure()
    with pytest.raises(AssertionError, match="is not an answer to"):
        lame.play(move_unit, lame.battle, lame.unit("red"), script=[("move", ("mount", "down"))])


@pytest.mark.rule("PAY-091")
def test_nobody_climbs_onto_a_comrade_and_a_climber_has_advanced() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 13.5), (30.0, 13.5)]), bare_unit("top", "red", [(20.3, 14.0)]), lines=FORT
    )
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert spot(place, "red.1") == (20.0, 13.5) and spot(place, "red.2") == (30.0, 14.0)
    assert [place.figure(f"red.{n}").gait for n in (1, 2)] == ["halt", "advance"]


@pytest.mark.rule("PAY-214", "PAY-053")
def test_a_move_to_the_edge_may_end_beyond_it() -> None:
    place = scene(red(1, y=5.0))
    script: list[Script] = [("move", "advance"), ("foot advances", [3, 3]), ("move to", (20.0, 0.0))]
    script += [("go on to", (20.0, 0.0)), ("at the edge", "leave the table")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").fate == "left" and place.battle.exits == {"red.1": "south"}


@pytest.mark.rule("PAY-121", "PAY-216")
def test_a_second_smashed_arm_carries_nothing() -> None:
    flag = {"flag": Thing("light", "flag", "", None, carrier="red.1")}
    place = scene(red(1), things=flag)
    place.figure("red.1").loads = ("flag",)
    for held in (("flag",), ()):
        place.play(apply_card, place.battle, place.figure("red.1"), "smashed_arm", "fire", [])
        assert place.figure("red.1").loads == held


@pytest.mark.rule("PAY-216", "PAY-027", "PAY-125")
def test_of_what_a_removed_irregular_had_the_firearm_stays() -> None:
    place = scene(blue(1, weapons=("rifle", "knife")))
    place.play(apply_card, place.battle, place.figure("blue.1"), "killed", "fire", [])
    place.play(end_activation, place.battle, place.unit("blue"))
    assert [(thing.kind, thing.name) for thing in place.battle.things.values()] == [("weapon", "rifle")]


@pytest.mark.rule("PAY-124", "PAY-073", "PAY-125")
@pytest.mark.setting("unconscious_recovery")
def test_who_wakes_on_a_comrades_shoulders_is_set_down_and_who_is_gone_does_not_wake() -> None:
    place = scene(red(3), unconscious_recovery="six")
    carrier, sleeper = place.figure("red.1"), place.figure("red.2")
    sleeper.fate, sleeper.at, carrier.loads = "unconscious", carrier.at, ("red.2",)
    place.figure("red.3").fate, place.figure("red.3").at = "unconscious", None
    place.unit("red").measure()
    place.play(come_round, place.battle, "red", script=[("come round", [6])])
    assert place.figure("red.2").able and not place.figure("red.1").loads
    assert dist(spot(place, "red.1"), spot(place, "red.2")) >= 1.0


@pytest.mark.rule("PAY-022", "PAY-023", "PAY-078")
def test_nobody_takes_what_he_has_and_a_rider_leads_nothing() -> None:
    rifle = {
        "rifle of x": Thing("weapon", "rifle", "", (20.0, 10.2)),
        "mare": Thing("mount", "loose mare", "", (20.0, 11.2)),
    }
    place = scene(red(1, mount="horse"), things=rifle)
    place.play(
        handle, place.battle, place.unit("red"), {}, before=False
    )  # he has a rifle already and cannot lead: no question


@pytest.mark.rule("PAY-117")
@pytest.mark.setting("casualty_reshuffle")
def test_a_shuffled_deck_has_52_cards_and_no_discards() -> None:
    place = scene(red(1), casualty_reshuffle="every_card")
    place.play(draw_casualty_card, place.battle, "red.1", script=[("casualty card", "leg_wound")])
    assert place.battle.casualties.pile == place.battle.book.full_deck() and not place.battle.casualties.discards
