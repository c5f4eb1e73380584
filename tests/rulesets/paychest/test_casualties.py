"""The casualty deck, wounds, and fallen men."""

from __future__ import annotations

from math import dist

import pytest
from tests.rulesets.paychest.stage import Scene, at, bare_unit, blue, printed_book, red, row, scene

from zareba_rulesets.paychest.chapters.casualties import (
    apply_card,
    draw_casualty_card,
    recover_unconscious,
    remove_fallen_irregulars,
    strike,
)
from zareba_rulesets.paychest.chapters.fire import ready_weapon
from zareba_rulesets.paychest.chapters.melee import melee_facts
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.sequence import Sequence, end_activation


@pytest.mark.rule("PAY-121")
def test_smashed_arms_and_weapons() -> None:
    place = scene(red(1, weapons=("rifle", "pistol")))
    man = place.figure("red.1")
    man.wounds = ("smashed_arm",)
    assert ready_weapon(printed_book(), man) == "pistol"
    man.wounds = ("smashed_arm", "smashed_arm")
    assert ready_weapon(printed_book(), man) == ""


FIRST = [("casualty card", "arm_graze")]


def hurt(place: Scene, *cards: str, figure: str = "red.1") -> list[str]:
    """Make a figure draw these cards. Returns the figures that fell or became lame."""
    fallen: list[str] = []
    for card in cards:
        script = [("casualty card", card)]
        place.play(strike, place.battle, place.figure(figure), None, "fire", fallen, script=script)
    return fallen


@pytest.mark.rule("PAY-117")
@pytest.mark.setting("casualty_reshuffle")
def test_conditions_for_shuffling_the_deck() -> None:
    used_up = scene(red(1), deck={"arm_graze": 1, "leg_wound": 1})
    used_up.play(draw_casualty_card, used_up.battle, "red.1", script=[("casualty card", "leg_wound")])
    used_up.play(draw_casualty_card, used_up.battle, "red.1", script=[("casualty card", "arm_graze")])
    assert used_up.battle.casualties.pile == {}
    used_up.play(draw_casualty_card, used_up.battle, "red.1", script=[("casualty card", "leg_wound")])
    assert used_up.battle.casualties.pile == {"arm_graze": 1}
    each = scene(red(1), casualty_reshuffle="every_card")
    each.play(draw_casualty_card, each.battle, "red.1", script=FIRST)
    assert sum(each.battle.casualties.pile.values()) == 52
    turn = scene(red(1), casualty_reshuffle="every_turn")
    turn.play(draw_casualty_card, turn.battle, "red.1", script=FIRST)
    assert sum(turn.battle.casualties.pile.values()) == 51
    _new_turn(turn)
    assert sum(turn.battle.casualties.pile.values()) == 52


def _new_turn(place: Scene) -> None:
    """Start a turn of the sequence of play."""
    from tests.rulesets.paychest.stage import game

    from zareba.table import ScriptedTable

    played = game("patrol_clash")
    with ScriptedTable(place.rules, place.battle, []) as table:
        Sequence(played.policy, played.scenario, played.plan).turn_start(table, place.battle)


@pytest.mark.rule("PAY-118", "PAY-120", "PAY-121", "PAY-122", "PAY-123")
def test_wounds_add_up_in_any_order() -> None:
    place = scene(red(2))
    assert hurt(place, "leg_wound", "arm_wound") == []
    hurt(place, "arm_wound", "leg_wound", figure="red.2")
    assert sorted(place.figure("red.1").wounds) == sorted(place.figure("red.2").wounds)
    tally = place.rules.tallies["melee"]
    other = scene(red(1))
    hurt(other, "chest_body_wound")
    assert tally.total(melee_facts(other.battle, other.figure("red.1"))) == 3


@pytest.mark.rule("PAY-120", "PAY-077")
def test_a_crippled_leg_or_two_leg_wounds_lame() -> None:
    for cards in (["leg_crippled"], ["leg_wound", "leg_wound"]):
        place = scene(red(1))
        assert hurt(place, *cards) == ["red.1"]
        man = place.figure("red.1")
        assert man.able and not man.can_walk
        assert place.rules.tallies["melee"].total(melee_facts(place.battle, man)) == 3
    rider = scene(red(1, mount="horse"))
    hurt(rider, "leg_crippled")
    assert rider.figure("red.1").can_walk and rider.figure("red.1").mount == "horse"


@pytest.mark.rule("PAY-119")
@pytest.mark.setting("collapse_at_wounds")
def test_the_third_wound_knocks_out() -> None:
    for limit, fate in ((3, "unconscious"), (4, "able"), (0, "able")):
        place = scene(red(1), collapse_at_wounds=limit)
        hurt(place, "arm_wound", "arm_graze", "chest_body_wound", "arm_wound")
        assert place.figure("red.1").fate == fate


@pytest.mark.rule("PAY-124")
@pytest.mark.setting("unconscious_recovery")
def test_the_unconscious_lie_or_wake_on_a_six_with_a_point_less() -> None:
    place = scene(red(1))
    hurt(place, "head_unconscious")
    place.play(recover_unconscious, place.battle, "red")  # no roll is needed
    assert place.figure("red.1").fate == "unconscious"
    hurt(place, "arm_wound")
    assert place.figure("red.1").wounds == ()
    hurt(place, "head_killed")
    assert place.figure("red.1").fate == "dead"
    waking = scene(red(1), unconscious_recovery="six")
    hurt(waking, "head_unconscious")
    waking.play(recover_unconscious, waking.battle, "red", script=[("come round", [5])])
    assert waking.figure("red.1").fate == "unconscious"
    waking.play(recover_unconscious, waking.battle, "red", script=[("come round", [6])])
    man = waking.figure("red.1")
    assert man.able and waking.rules.tallies["melee"].total(melee_facts(waking.battle, man)) == 3


@pytest.mark.rule("PAY-125", "PAY-126", "PAY-216")
@pytest.mark.setting("remove_irregular_casualties")
def test_irregulars_are_removed_and_leave_their_rifles_regulars_stay() -> None:
    for setting, stays in ((True, False), (False, True)):
        place = scene(red(1), blue(1), remove_irregular_casualties=setting)
        hurt(place, "head_killed")
        hurt(place, "head_killed", figure="blue.1")
        place.play(end_activation, place.battle, place.unit("red"))
        assert place.figure("red.1").at is not None
        assert (place.figure("blue.1").at is not None) is stays
        if not stays:
            assert place.battle.things["rifle of blue.1"].at == (20.0, 20.0)


@pytest.mark.rule("PAY-216")
def test_unconscious_irregulars_stay_when_they_may_wake() -> None:
    place = scene(blue(1), unconscious_recovery="six")
    hurt(place, "head_unconscious", figure="blue.1")
    remove_fallen_irregulars(place.battle)
    assert place.figure("blue.1").at is not None


@pytest.mark.rule("PAY-078", "PAY-216")
def test_a_man_who_falls_drops_his_loads_and_leaves_his_mount() -> None:
    things = {"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1")}
    place = scene(red(1, mount="camel"), things=things)
    place.figure("red.1").loads = ("chest",)
    hurt(place, "head_unconscious")
    assert place.battle.things["chest"].at == (20.0, 10.0)
    assert place.battle.things["mount of red.1"].name == "loose camel"
    lame = scene(red(1), things={"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1")})
    lame.figure("red.1").loads = ("chest",)
    hurt(lame, "leg_crippled")
    assert lame.figure("red.1").loads == ()


@pytest.mark.rule("PAY-127")
@pytest.mark.setting("morale_counts")
def test_grazes_are_hits_unless_wounds_alone_count() -> None:
    for setting, hits in (("hits", 2), ("wounds", 1)):
        place = scene(red(1), morale_counts=setting)
        hurt(place, "arm_graze", "arm_wound")
        assert place.unit("red").hits == hits


def test_cards_on_a_dead_man_change_nothing() -> None:
    place = scene(bare_unit("red", "red", row(1)))
    hurt(place, "head_killed", "arm_wound", "head_unconscious")
    man = place.figure("red.1")
    assert (man.fate, man.wounds, place.unit("red").hits) == ("dead", (), 3)
    place.play(apply_card, place.battle, man, "killed", "fire", [])
    assert place.told("loss") == []


@pytest.mark.rule("PAY-124")
def test_the_death_of_an_unconscious_man_is_reported_but_he_was_lost_before() -> None:
    place = scene(red(2))
    told = []
    for result in ("unconscious", "killed", "killed"):
        place.play(apply_card, place.battle, place.figure("red.1"), result, "fire", [])
        told.append([event.kind for event in place.events])
    assert told == [["loss"], ["died"], []] and place.figure("red.1").fate == "dead"


@pytest.mark.rule("PAY-007", "PAY-216")
def test_a_comrade_lies_where_he_was_when_his_bearer_is_killed_under_him() -> None:
    place = scene(red(2))
    bearer, comrade = place.figure("red.1"), place.figure("red.2")
    comrade.mark("lame")
    comrade.at, bearer.loads = bearer.at, ("red.2",)
    place.unit("red").measure()
    assert place.unit("red").able == [bearer, comrade]
    place.play(apply_card, place.battle, bearer, "killed", "fire", [])
    assert place.figure("red.2").at == (20.0, 10.0)  # a dead man has no base


@pytest.mark.rule("PAY-118", "PAY-124")
@pytest.mark.setting("unconscious_recovery")
def test_figure_that_wakes_keeps_every_wound() -> None:
    place = scene(red(1), unconscious_recovery="six")
    for result in ("arm_wound", "leg_wound", "body_wound"):
        place.play(apply_card, place.battle, place.figure("red.1"), result, "fire", [])
    assert place.figure("red.1").fate == "unconscious"
    place.play(recover_unconscious, place.battle, "red", script=[("come round", [6])])
    man = place.figure("red.1")
    assert man.able and man.wounds == ("arm_wound", "leg_wound", "body_wound")
    assert place.rules.tallies["melee"].total(melee_facts(place.battle, man)) == 4 - 1 - 1  # the wound and the knock
    place.play(apply_card, place.battle, man, "graze", "fire", [])
    assert man.able
    place.play(apply_card, place.battle, man, "arm_wound", "fire", [])
    assert man.fate == "unconscious"


@pytest.mark.rule("PAY-125", "PAY-216", "PAY-073")
def test_carried_irregular_who_dies_is_no_load() -> None:
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


@pytest.mark.rule("PAY-121", "PAY-216")
def test_a_second_smashed_arm_carries_nothing() -> None:
    flag = {"flag": Thing("light", "flag", "", None, carrier="red.1")}
    place = scene(red(1), things=flag)
    place.figure("red.1").loads = ("flag",)
    for held in (("flag",), ()):
        place.play(apply_card, place.battle, place.figure("red.1"), "smashed_arm", "fire", [])
        assert place.figure("red.1").loads == held


@pytest.mark.rule("PAY-216", "PAY-027", "PAY-125")
def test_firearm_of_a_removed_irregular_stays_on_the_table() -> None:
    place = scene(blue(1, weapons=("rifle", "knife")))
    place.play(apply_card, place.battle, place.figure("blue.1"), "killed", "fire", [])
    place.play(end_activation, place.battle, place.unit("blue"))
    assert [(thing.kind, thing.name) for thing in place.battle.things.values()] == [("weapon", "rifle")]


@pytest.mark.rule("PAY-124", "PAY-073", "PAY-125")
@pytest.mark.setting("unconscious_recovery")
def test_carried_figure_that_wakes_is_set_down() -> None:
    place = scene(red(3), unconscious_recovery="six")
    carrier, sleeper = place.figure("red.1"), place.figure("red.2")
    sleeper.fate, sleeper.at, carrier.loads = "unconscious", carrier.at, ("red.2",)
    place.figure("red.3").fate, place.figure("red.3").at = "unconscious", None
    place.unit("red").measure()
    place.play(recover_unconscious, place.battle, "red", script=[("come round", [6])])
    assert place.figure("red.2").able and not place.figure("red.1").loads
    assert dist(at(place, "red.1"), at(place, "red.2")) >= 1.0
