"""Interactions between chapters: squares and guns, wounds and answers, orders and contact."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, box, field, house, man, rules_with, scripted, squad

from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.aiming import (
    Answers,
    firers,
    marksmen,
    resolve_counter_attack,
    target_figures,
)
from zareba_rulesets.fixed_baynet.chapters.artillery import BlastFacts
from zareba_rulesets.fixed_baynet.chapters.buildings import crossings, fire_at_building, house_shots, house_targets
from zareba_rulesets.fixed_baynet.chapters.cavalry import riders
from zareba_rulesets.fixed_baynet.chapters.contact import has_close_weapon
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts, fire_volley
from zareba_rulesets.fixed_baynet.chapters.machine_guns import gun_marks, planned_gun_shots
from zareba_rulesets.fixed_baynet.chapters.melee import fight_facts
from zareba_rulesets.fixed_baynet.chapters.morale import heal, panicking_near
from zareba_rulesets.fixed_baynet.chapters.movement import settle_contacts
from zareba_rulesets.fixed_baynet.forces.battle import Captive, Casualty
from zareba_rulesets.fixed_baynet.forces.formations import in_square, is_formed
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

# --- formations and squares -------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-035", "FBN-269", "FBN-272")
def test_who_cannot_move_stays_where_he_is_while_the_others_form_up() -> None:
    for mark, formed in (("prone", True), ("stunned", False)):
        unit = squad("red", "red", 6, (50, 50))
        state = battle(unit)
        idle = unit.figures["red/6"]
        idle.mark(mark)
        before = idle.at
        with scripted(state) as table:
            perform_action(table, state, unit, ("form", "closed"))
        others = [figure for figure in unit.figures.values() if figure is not idle]
        assert idle.at == before and idle.ac == (2 if mark == "prone" else 3)
        assert is_formed(state, unit, others) and {figure.ac for figure in others} == {2}
        assert ("unformed" not in unit.marks) is formed, "a stunned man is steady and out of his place"


@pytest.mark.rule("FBN-062", "FBN-060", "FBN-145")
def test_a_lone_leader_inside_a_square_is_part_of_it() -> None:
    for x, part in ((50.0, True), (56.0, False)):
        square = squad("red", "red", 12, (50, 50), "square")
        leader = bare_unit("chief", "red", [man("chief/1", "red", x, 50, role="officer")], kind="independent")
        foe = squad("blue", "blue", 1, (x, 48.99))
        state = battle(square, leader, foe)
        assert in_square(state, leader) is part and in_square(state, square)
        facts = fight_facts(state, leader, leader.figures["chief/1"], foe.figures["blue/1"], False)
        assert (facts.square, facts.rear) == (part, not part)
        with scripted(state) as table:
            settle_contacts(table, state, foe, list(foe.figures.values()))
        assert leader.events == (() if part else ("flank",))
    square.mark("unformed")
    leader.figures["chief/1"].x = 50
    assert not in_square(state, leader)


@pytest.mark.rule("FBN-063", "FBN-049")
def test_men_in_square_fire_at_guns_and_buildings_only_where_they_look() -> None:
    for facing, shots in ((0.0, 1), (180.0, 0)):
        for formation in ("square", "open"):
            red = bare_unit(
                "red", "red", [man("red/1", "red", 43, 30, facing=facing), man("red/2", "red", 80, 80)], formation
            )
            gun = Gun("light_gun", 43.0, 38.0, 0.0, 180.0, 2)
            state = battle(red, bare_unit("guns", "blue", [man("guns/1", "blue", 70, 70)], guns=[gun]), on=house())
            ready = [red.figures["red/1"]]
            seen = shots if formation == "square" else 1
            assert (
                len(planned_gun_shots(state, red, gun, ready))
                == len(gun_marks(state, red, marksmen(state, red, ready)))
                == seen
            )
            assert (
                len(house_shots(state, red, "hut", ready))
                == len(house_targets(state, red, marksmen(state, red, ready)))
                == seen
            )
    with scripted(state, ("shot", [1])) as table:
        fire_at_building(table, state, red, "hut", ready)
    assert red.figures["red/1"].facing == 0.0, "in open order he turns to what he shoots at"


# --- fire -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-247")
def test_any_building_without_friends_may_be_shot_at() -> None:
    red = squad("red", "red", 1, (43, 30))
    state = battle(red, on=house())
    ready = firers(state, red)
    assert house_targets(state, red, marksmen(state, red, ready)) == ["hut"]
    inside = squad("friend", "red", 1, (43, 43))
    inside.figures["friend/1"].place = "hut:0:0"
    state.units["friend"] = inside
    assert house_targets(state, red, marksmen(state, red, ready)) == []
    state.houses["hut"].points = 0
    inside.figures["friend/1"].place = ""
    assert house_targets(state, red, marksmen(state, red, ready)) == []


@pytest.mark.rule("FBN-245", "FBN-247")
def test_shots_at_buildings_and_guns_use_up_a_window() -> None:
    men = [man(f"red/{number}", "red", 43 + number, 43) for number in (1, 2, 3)]
    unit = bare_unit("red", "red", men)
    gun = Gun("light_gun", 45.0, 20.0, 0.0, 0.0, 2)
    state = battle(unit, bare_unit("guns", "blue", [man("guns/1", "blue", 70, 70)], guns=[gun]), on=house())
    state.active = "red"
    for figure in men:
        figure.place, figure.post = "hut:0:0", "hut:window"
    with scripted(state, ("shot", [2]), ("shot", [2])) as table:
        perform_action(table, state, unit, ("fire at gun", "guns", 0))
    assert state.houses["hut"].used == {"hut:window": 2} and [figure.attacks for figure in men] == [1, 1, 0]


@pytest.mark.rule("FBN-031", "FBN-058", "FBN-217")
@pytest.mark.setting("sign_reading")
def test_a_charging_mass_under_a_burst_is_read_like_one_under_fire() -> None:
    for settings in ({}, {"sign_reading": "literal"}, {"cluster_stack": True}):
        rules = rules_with(**settings)
        for formation in ("open", "closed", "mass", "square"):
            for charging in (False, True):
                fire = rules.tally("fire", ShotFacts(4, formation, charging=charging)).total
                blast = rules.tally("blast", BlastFacts(4, formation, charging=charging)).total
                assert fire == blast


@pytest.mark.rule("FBN-054", "FBN-168")
def test_a_man_who_panics_lying_answers_without_getting_up() -> None:
    for reaction, marks in (("", frozenset()), ("prone", frozenset({"prone", "shown"}))):
        red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 1, (10, 20), facing=180.0)
        state = battle(red, blue)
        state.active = "red"
        figure = blue.figures["blue/1"]
        figure.reaction = reaction
        figure.mark("prone")
        script = (("counter-attack", "answer every hit"), ("counter-attack", [2]))
        with scripted(state, *script) as table:
            resolve_counter_attack(table, state, blue, figure, red, red.figures["red/1"], Answers(), False)
        assert figure.marks == marks and target_figures(state, "red", blue) == [figure]


# --- close combat -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-117", "FBN-119")
def test_a_man_who_strikes_out_of_a_trench_is_in_cover() -> None:
    ground = field(("trench", list(box(40, 40, 60, 42))))
    red, blue = squad("red", "red", 1, (50, 41.5)), squad("blue", "blue", 1, (50, 42.5), facing=180.0)
    state = battle(red, blue, on=ground)
    one, other = red.figures["red/1"], blue.figures["blue/1"]
    inside, outside = fight_facts(state, red, one, other, True), fight_facts(state, blue, other, one, False)
    assert (inside.shelter, inside.trench, outside.shelter, outside.trench) == ("cover", "none", "none", "none")
    outside, inside = fight_facts(state, blue, other, one, True), fight_facts(state, red, one, other, False)
    assert (inside.shelter, inside.trench, outside.shelter, outside.trench) == ("none", "defender", "none", "attacker")


@pytest.mark.rule("FBN-117", "FBN-250")
def test_the_rubble_of_a_building_is_cover_hand_to_hand() -> None:
    red, blue = squad("red", "red", 1, (43, 40.4)), squad("blue", "blue", 1, (43, 39.4))
    state = battle(red, blue, on=house())
    state.houses["hut"].points = 0
    one, other = red.figures["red/1"], blue.figures["blue/1"]
    assert fight_facts(state, red, one, other, True).shelter == "cover"
    assert fight_facts(state, blue, other, one, False).shelter == "none"


@pytest.mark.rule("FBN-114", "FBN-123")
def test_officers_and_ncos_are_heroes_on_an_entrenched_table() -> None:
    ground = field()
    ground.entrenched = True
    for role, armed in (("soldier", False), ("nco", True), ("officer", True), ("hero", True)):
        unit = squad("red", "red", 1, (10, 10), role=role, close=True)
        assert has_close_weapon(battle(unit, on=ground), unit.figures["red/1"]) is armed


# --- medics, officers, orders -------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-137")
def test_a_man_who_was_healed_acts_again_in_the_next_turn() -> None:
    medic = man("red/1", "red", 10, 10, role="medic")
    unit = bare_unit("red", "red", [medic, man("red/3", "red", 14, 10)])
    state = battle(unit)
    state.specs["red/2"] = man("red/2", "red", 11, 10).spec
    state.fallen = (Casualty("red/2", "red", 11.0, 10.0, True),)
    with scripted(state) as table:
        heal(table, state, medic, "red/2")
        back = unit.figures["red/2"]
        begin_activation(table, state, unit)
        assert back.ac == 0 and back not in firers(state, unit)
        end_activation(table, state, unit)
        back.spent, state.turn = 0, 2
        begin_activation(table, state, unit)
        assert back.ac == 3 and back.able and back.spec.id in {figure.spec.id for figure in firers(state, unit)}


@pytest.mark.rule("FBN-051")
@pytest.mark.setting("leave_contact")
def test_riders_and_single_men_leave_contact_or_stay() -> None:
    for setting, free in (("free", True), ("refused", False)):
        rider = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True)])
        foe = squad("blue", "blue", 1, (50, 51.25))
        state = battle(rider, foe, leave_contact=setting)
        assert bool(riders(state, rider)) is free
        unit = bare_unit("foot", "red", [man("foot/1", "red", 20, 50), man("foot/2", "red", 40, 50)])
        state = battle(unit, squad("blue", "blue", 1, (20, 51)), leave_contact=setting)
        state.active = "foot"
        script = (("which man", "foot/1"), ("what he does", "walk"), ("walk to", (17.0, 50.0)))
        refused = nullcontext() if free else pytest.raises(AssertionError, match="walk")
        with refused, scripted(state, *script, leave_contact=setting) as table:
            perform_action(table, state, unit, "one man")
        assert (unit.figures["foot/1"].x == 17) is free


@pytest.mark.rule("FBN-160")
def test_single_men_of_a_unit_that_falls_back_go_away_too() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50), man("red/2", "red", 53, 50)])
    state = battle(unit, squad("blue", "blue", 1, (50, 60)))
    unit.back = True
    script = (("which man", "red/1"), ("what he does", "walk"))
    with pytest.raises(AssertionError, match="FBN-160"), scripted(state, *script, ("walk to", (50.0, 54.0))) as table:
        perform_action(table, state, unit, "one man")
    with scripted(state, *script, ("walk to", (50.0, 46.0))) as table:
        perform_action(table, state, unit, "one man")
    assert unit.figures["red/1"].at == (50, 46)


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


@pytest.mark.rule("FBN-041", "FBN-078")
def test_a_charge_stops_short_of_enemies_of_whom_nobody_knew() -> None:
    red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 58))
    ambush = squad("ambush", "blue", 1, (50.3, 57.1))
    ambush.mark("hidden")
    state = battle(red, blue, ambush)
    assert ("charge", "blue") in acts(state, red)
    with scripted(state) as table:
        perform_action(table, state, red, ("charge", "blue"))
    figure = red.figures["red/1"]
    assert figure.y < 56.2 and "charged" in figure.marks and "hidden" not in ambush.marks


@pytest.mark.rule("FBN-065", "FBN-252")
def test_only_doors_lead_into_a_building() -> None:
    unit = squad("red", "red", 1, (45, 38))
    state = battle(unit, on=house())
    assert [way.id for way, _ in crossings(state, unit.figures["red/1"])] == ["hut:door"]


@pytest.mark.rule("FBN-092", "FBN-112")
@pytest.mark.setting("captives")
def test_nobody_shoots_at_a_fallen_man_when_his_prisoner_takes_his_place() -> None:
    red, blue = squad("red", "red", 3, (10, 10)), squad("blue", "blue", 1, (10, 20), weapon="none")
    state = battle(red, blue, captives="escorted")
    state.specs["blue/2"] = man("blue/2", "blue", 12, 20).spec
    state.captives = (Captive("blue/2", "blue", "blue", "blue/1"),)
    with scripted(state, ("shot", [11]), captives="escorted") as table:
        assert fire_volley(table, state, red, blue) == 1
    assert list(blue.figures) == ["blue/2"], "one fell, another came free: as many as before, but not the same"
