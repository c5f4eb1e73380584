"""Interactions of moves, charges, rides and settings (chapters 2 to 9 and 16)."""

from __future__ import annotations

from math import cos, dist, radians, sin
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battery, battle, box, field, hill, house, man, scripted, squad

from zareba.chance import SUM
from zareba.table import Choose, Roll
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.actions.officer_orders import batteries_in_call
from zareba_rulesets.fixed_baynet.actions.unit_actions import legal_actions
from zareba_rulesets.fixed_baynet.chapters.aiming import keeps_facing
from zareba_rulesets.fixed_baynet.chapters.artillery import blast_facts, gun_facts
from zareba_rulesets.fixed_baynet.chapters.cavalry import may_mount
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.fire import shot_facts
from zareba_rulesets.fixed_baynet.chapters.melee import fight_facts, visible_contact_spot
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.units import Gun, gap
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.presentation.option_text import option_phrase
from zareba_rulesets.fixed_baynet.presentation.words import question_sentence

# --- rides ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-179", "FBN-175")
@pytest.mark.setting("mount_moves_per_turn")
def test_every_ride_with_turns_is_paid_for_where_three_are_allowed() -> None:
    rider = man("red/1", "red", 50, 20, mounted=True, rides=True)
    unit = bare_unit("red", "red", [rider])
    state = battle(unit, squad("blue", "blue", 1, (50, 90)), mount_moves_per_turn=3)
    for number, point in enumerate([(55.0, 20.0), (55.0, 25.0), (50.0, 25.0)], 1):
        script = (("ride on", "ride on"), ("ride to", point), ("ride on", "halt"))
        with scripted(state, *script, mount_moves_per_turn=3) as table:
            perform_action(table, state, unit, ("wheel", 1))
        assert (rider.at, rider.moves, rider.ac) == (point, number, 3 - number)
    assert ("wheel", 1) not in acts(state, unit)


@pytest.mark.rule("FBN-179", "FBN-186", "FBN-040")
def test_who_walks_to_his_horse_may_still_ride_it() -> None:
    rider = man("red/1", "red", 50, 20, rides=True)
    rider.mark("horse 50.00 24.00")
    unit = bare_unit("red", "red", [rider])
    state = battle(unit, squad("blue", "blue", 1, (50, 90)))
    with scripted(state, ("move to", (50.0, 23.0))) as table:
        perform_action(table, state, unit, "move")
    with scripted(state) as table:
        perform_action(table, state, unit, "mount")
    assert [option for option in acts(state, unit) if isinstance(option, tuple) and option[0] == "ride"] == [
        ("ride", 1)
    ]
    with scripted(state, ("ride to", (50.0, 30.0))) as table:
        perform_action(table, state, unit, ("ride", 1))
    assert (rider.at, rider.ac, rider.moves, rider.gait) == ((50.0, 30.0), 0, 2, 1)


# --- charges --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-041", "FBN-044")
@pytest.mark.setting("charge_actions")
def test_with_three_charge_actions_a_charge_is_run_from_afar() -> None:
    for setting, offered in ((1, False), (3, True)):
        red, blue = squad("red", "red", 1, (50, 20)), squad("blue", "blue", 1, (50, 44), facing=180.0)
        state = battle(red, blue, charge_actions=setting)
        assert (("charge", "blue") in acts(state, red)) is offered
    runner = red.figures["red/1"]
    for y in (30.0, 40.0, 43.0):
        with scripted(state, charge_actions=3) as table:
            perform_action(table, state, red, ("charge", "blue"))
        assert runner.y == pytest.approx(y, abs=0.01)
    assert foes_in_contact(state, runner, "red") and runner.ac == 0 and red.events == ("charge",)
    runner.ac, runner.moves = 3, 2
    state.put(runner, 50, 30)
    red.measure()
    assert ("charge", "blue") not in acts(state, red), "one action is left, for ten inches"


# --- sight ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-078", "FBN-273")
def test_a_line_that_enters_a_hill_is_blocked_though_its_middle_passes_above() -> None:
    for south, seen in ((16, False), (21, True)):
        ground = hill(box(0, south, 100, 27), 2.0)
        red, blue = squad("red", "red", 1, (50, 10)), squad("blue", "blue", 1, (50, 30), mounted=True)
        state = battle(red, blue, on=ground)
        a, b = red.figures["red/1"], blue.figures["blue/1"]
        b.z = 1.4
        scene = state.field.scene((50, 10, 50, 30))
        assert sees(state, a, b, scene) is seen and sees(state, b, a, scene) is seen


# --- text -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-008")
@pytest.mark.setting("initiative_highest")
def test_what_the_highest_roll_brings_is_told_as_the_setting_has_it() -> None:
    said = {"last": "activates last", "first": "activates first", "chooses": "first or last"}
    for setting, words in said.items():
        roll = Roll("initiative", "FBN-008", "red", 1, 6, SUM)
        assert words in question_sentence(battle(initiative_highest=setting), roll, {})
    choice = Choose("activate", "FBN-008", "red", "red", ("last", "first"), ())
    assert (
        question_sentence(battle(), choice, {"red": "The Reds"})
        == "The Reds rolled highest: first or last to activate?"
    )


# --- formations -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-064", "FBN-171", "FBN-058", "FBN-059")
def test_men_in_panic_no_longer_belong_to_the_mass_when_they_are_shot_at() -> None:
    for reaction, formation, need in (("", "mass", 3), ("freeze", "open", 4)):
        red, blue = squad("red", "red", 1, (50, 40)), squad("blue", "blue", 6, (50, 51), "mass", ds=4)
        state = battle(red, blue)
        blue.mark("cluster")
        man_ = min(blue.figures.values(), key=lambda one: one.y)
        man_.reaction = reaction
        scene = state.field.scene((40, 40, 60, 60))
        facts = shot_facts(state, red.figures["red/1"], blue, man_, scene, "medium")
        assert (facts.formation, state.book.rules.tally("fire", facts).total) == (formation, need)
        assert blast_facts(state, blue, man_).formation == formation
        state, unit, gun = battery(target=blue)
        assert gun_facts(state, unit, gun, blue, man_).formation == formation


@pytest.mark.rule("FBN-064", "FBN-171", "FBN-060", "FBN-116")
def test_who_freezes_in_a_square_has_no_part_in_it() -> None:
    for reaction, square in (("", True), ("freeze", False)):
        blue = squad("blue", "blue", 8, (50, 50), "square")
        stricken = blue.figures["blue/1"]
        red = squad("red", "red", 1, (stricken.x, stricken.y + 1))
        state = battle(red, blue)
        stricken.reaction, stricken.facing = reaction, 180.0
        facts = fight_facts(state, blue, stricken, red.figures["red/1"], False)
        assert (facts.square, facts.rear) == (square, not square)
        assert keeps_facing(state.book, blue, stricken) is square


# --- orders ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-036", "FBN-205")
def test_a_crew_may_check_its_glory_instead_of_serving_its_piece() -> None:
    state, unit, _ = battery()
    assert "check glory" not in acts(state, unit)
    for figure in unit.figures.values():
        figure.gl = figure.spec.gl + 1
    assert {"check glory", ("gun fire", 0, "blue")} <= set(acts(state, unit))
    with scripted(state, ("voluntary glory check", [6])) as table:
        perform_action(table, state, unit, "check glory")
    assert all((figure.gl, figure.ac) == (figure.spec.gl, 2) for figure in unit.figures.values())
    assert ("gun fire", 0, "blue") not in acts(state, unit), "who has spent AC otherwise serves no more"


@pytest.mark.rule("FBN-037", "FBN-210")
@pytest.mark.setting("howitzer_fire")
def test_nobody_calls_for_howitzers_that_fire_direct_only() -> None:
    for setting, called in (("both", True), ("indirect", True), ("direct", False)):
        _, guns, _ = battery("light_howitzer", howitzer_fire=setting)
        guns = bare_unit("guns", "red", list(guns.figures.values()), guns=guns.guns, kind="battery")
        callers = squad("callers", "red", 2, (30, 20))
        state = battle(guns, callers, squad("blue", "blue", 1, (50, 40)), howitzer_fire=setting)
        assert (("barrage", "callers/1", "guns") in acts(state, callers)) is called


@pytest.mark.rule("FBN-037", "FBN-235")
def test_at_night_the_caller_himself_must_see_the_battery() -> None:
    gun = Gun("light_howitzer", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    guns = bare_unit("guns", "red", [man("guns/1", "red", 50, 8.5, role="crew")], guns=[gun], kind="battery")
    callers = bare_unit("red", "red", [man("red/1", "red", 50, 30), man("red/2", "red", 50, 20)])
    state = battle(guns, callers, squad("blue", "blue", 1, (50, 60)))
    for night, far in ((False, True), (True, False)):
        state.night = night
        calls = [any(batteries_in_call(state, callers, figure)) for figure in callers.figures.values()]
        assert calls == [far, True]


@pytest.mark.rule("FBN-060", "FBN-271", "FBN-272")
def test_a_square_that_charges_is_a_square_no_more_once_it_has() -> None:
    for formation in ("square", "mass"):
        red, blue = squad("red", "red", 8, (50, 50), formation), squad("blue", "blue", 1, (50, 60), facing=180.0)
        state = battle(red, blue)
        with scripted(state) as table:
            begin_activation(table, state, red)
            perform_action(table, state, red, ("charge", "blue"))
            end_activation(table, state, red)
        assert ("unformed" in red.marks) is (formation == "square")


@pytest.mark.rule("FBN-038", "FBN-041", "FBN-052")
@pytest.mark.setting("prone_untargetable", "target_order_ac", "charge_actions")
def test_acts_say_what_the_settings_make_of_them() -> None:
    def told(**settings: Any) -> str:
        red, blue = squad("red", "red", 3, (50, 50)), squad("blue", "blue", 3, (50, 57), facing=180.0)
        state = battle(red, blue, **settings)
        options = (*legal_actions(state, red).kinds, ("charge", "blue"))
        question = Choose("act", "FBN-016", "red", "red", options, ())
        return "; ".join(option_phrase(state, question, option) for option in options)

    assert "lie down: cannot be targeted, half speed" in told() and "lie down: half speed" in told(
        prone_untargetable=False
    )
    assert "muskets 2): 2 options" in told()
    assert "muskets 2), 1 more to name a new target: 2 options" in told(target_order_ac=1)
    assert 'up to 10" (1 AC)' in told() and 'up to 10" an action (1 AC)' in told(charge_actions=3)


@pytest.mark.rule("FBN-016", "FBN-039")
def test_a_move_is_told_by_where_the_unit_has_come_to_not_by_where_it_would_be_if_all_had_gone() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 50, 20), man("red/2", "red", 52, 20)])
    state = battle(red, squad("blue", "blue", 1, (50, 90)))
    red.figures["red/2"].ac = 0
    with scripted(state, ("move to", (51.0, 25.0))) as table:
        perform_action(table, state, red, "move")
    [event] = [event for event in table.events if event.kind == "move"]
    assert red.figures["red/1"].y == 25 and (event.data["x"], event.data["y"]) == (51.0, 22.5)


@pytest.mark.rule("FBN-272", "FBN-180")
def test_a_charge_of_part_of_a_unit_may_cost_its_formation() -> None:
    for stays in (0, 2):
        red, blue = squad("red", "red", 6, (50, 50), "mass"), squad("blue", "blue", 1, (50, 64.5), facing=180.0)
        state = battle(red, blue)
        with scripted(state) as table:
            begin_activation(table, state, red)
            for figure in list(red.figures.values())[-stays:] if stays else ():
                figure.ac = 0
            perform_action(table, state, red, ("charge", "blue"))
            end_activation(table, state, red)
        assert ("unformed" in red.marks) is (stays > 0)
    riders = squad("red", "red", 6, (50, 50), "closed", mounted=True, rides=True)
    for figure in riders.figures.values():
        figure.last_gait = 1
    state = battle(riders, squad("blue", "blue", 1, (50, 63), facing=180.0))
    with scripted(state) as table:
        begin_activation(table, state, riders)
        perform_action(table, state, riders, ("ride down", "blue", 2))
    assert sum("charged" in figure.marks for figure in riders.figures.values()) < 6 and "loose" in riders.marks


@pytest.mark.rule("FBN-041", "FBN-042", "FBN-044")
def test_who_cannot_reach_the_nearest_men_of_the_target_charges_another() -> None:
    wire = field(lines=(("barbed_wire", [(40, 45), (51, 45)]),))
    red = squad("red", "red", 1, (50, 40))
    spots = [(49.4, 46.3), (48.2, 46.3), (47.0, 46.3), (45.8, 46.3), (56.0, 46.5)]
    foes = [man(f"blue/{i}", "blue", x, y) for i, (x, y) in enumerate(spots)]
    state = battle(red, bare_unit("blue", "blue", foes), on=wire)
    with scripted(state) as table:
        perform_action(table, state, red, ("charge", "blue"))
    assert foes_in_contact(state, red.figures["red/1"], "red") == [foes[-1]]


@pytest.mark.rule("FBN-180", "FBN-181", "FBN-174")
def test_a_rider_charges_past_men_who_are_too_near_for_his_gait() -> None:
    rider = man("red/1", "red", 50, 20, mounted=True, rides=True)
    rider.last_gait = 1
    red = bare_unit("red", "red", [rider])
    foes = [man(f"blue/{i}", "blue", x, y) for i, (x, y) in enumerate([(47.0, 24.0), (53.0, 24.0), (50.0, 31.0)])]
    state = battle(red, bare_unit("blue", "blue", foes))
    with scripted(state) as table:
        perform_action(table, state, red, ("ride down", "blue", 2))
    assert foes_in_contact(state, rider, "red") == [foes[-1]]


@pytest.mark.rule("FBN-005", "FBN-050", "FBN-186")
def test_men_who_mount_sit_on_their_horses_and_not_on_one_another() -> None:
    red = squad("red", "red", 6, (50, 50), "closed", mounted=True, rides=True)
    state = battle(red, squad("blue", "blue", 1, (50, 90)))
    horses = [figure.at for figure in red.figures.values()]
    with scripted(state) as table:
        perform_action(table, state, red, "dismount")
        perform_action(table, state, red, ("form", "closed"))
        perform_action(table, state, red, "mount")
    mounted = [figure for figure in red.figures.values() if figure.mounted]
    assert len(mounted) >= 4
    assert all(gap(a, b, state.book.radius) > 0 for a in mounted for b in red.figures.values() if a is not b)
    assert all(any(dist(figure.at, at) < 1 for at in horses) for figure in mounted)
    inside = bare_unit("red", "red", [man("red/1", "red", 43, 40.6, rides=True)])
    state = battle(inside, on=house())
    rider = inside.figures["red/1"]
    rider.mark("horse 43.00 39.40")
    assert may_mount(state, rider)
    rider.place = "hut:0:0"
    assert not may_mount(state, rider)


@pytest.mark.rule("FBN-041", "FBN-044", "FBN-050")
def test_a_charger_finds_the_gap_between_comrades_who_are_in_contact_already() -> None:
    foe = squad("blue", "blue", 1, (50, 60), facing=180.0)
    friends = [
        man(f"red/{turn}", "red", 50 + 1.001 * sin(radians(180 + turn)), 60 + 1.001 * cos(radians(180 + turn)))
        for turn in (-46, 76)
    ]
    runner = man("red/1", "red", 50, 51)
    red = bare_unit("red", "red", [runner, *friends])
    state = battle(red, foe)
    assert visible_contact_spot(state, red, runner, foe) is not None
    friends[0].x, friends[0].y = 50 + 1.001 * sin(radians(180 - 39)), 60 + 1.001 * cos(radians(180 - 39))
    assert visible_contact_spot(state, red, runner, foe) is None, "the gap is less than a base wide"
