"""Morale checks, effects of failure, retreats, rallying."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Men, Scene, Script, battlefield, blue, red

from zareba.space.grid.boxes import COMPASS, N, S
from zareba_rulesets.vcc.chapters.fire import fire, may_fire
from zareba_rulesets.vcc.chapters.morale import (
    check_morale,
    is_flanked,
    morale_facts,
    must_check_after_fire,
    must_rally,
    rally,
    retreat,
)
from zareba_rulesets.vcc.chapters.movement import move_unit
from zareba_rulesets.vcc.forces import OFF_TABLE, Contact
from zareba_rulesets.vcc.presentation.drawing import draw_board
from zareba_rulesets.vcc.presentation.words import words


def total(scene: Scene, name: str = "Unit") -> int:
    """Return the number to roll or less."""
    return scene.rules.tally("morale", morale_facts(scene.battle, scene.unit(name))).total


def check(scene: Scene, die: int, *more: Script, name: str = "Unit") -> str:
    return scene.run(check_morale, scene.unit(name), script=[("morale", die), *more])


def small(at: str = "D4", marks: str = "", **more: Any) -> Men:
    """A red unit of two bases, whose home edge is in the south: total 2."""
    return red("Unit", at, bases=1, marks=marks, **more)


@pytest.mark.rule("VCC-137", "VCC-138", "VCC-018", "VCC-141", "VCC-142", "VCC-143", "VCC-144", "VCC-147", "VCC-149")
@pytest.mark.parametrize(
    ("marks", "more", "number"),
    [
        ("", {}, 6),
        ("", {"quality": "elite"}, 7),
        ("", {"quality": "raw"}, 5),
        ("", {"leader": False}, 5),
        ("square", {}, 7),
        ("square", {"regular": False}, 6),
        ("rocketed", {}, 5),
        ("flanked", {}, 4),
        ("flanked square", {}, 7),
        ("jest", {}, 7),
    ],
)
def test_the_number_to_roll(marks: str, more: dict[str, Any], number: int) -> None:
    assert total(battlefield(red("Unit", "D4", marks=marks, **more))) == number


@pytest.mark.rule("VCC-145", "VCC-146", "VCC-100")
@pytest.mark.parametrize(
    ("profile", "marks", "loss"),
    [
        ("regular_infantry", "", 1),
        ("field_gun", "", 1),
        ("wagon_section", "", 1),
        ("camel_corps", "dismounted", 1),
        ("camel_corps", "", 2),
        ("regular_cavalry", "prone", 2),
    ],
)
def test_rockets_give_a_penalty_to_foot_and_a_larger_one_to_riders(profile: str, marks: str, loss: int) -> None:
    plain = battlefield(red("Unit", "D4", profile, marks=marks))
    struck = battlefield(red("Unit", "D4", profile, marks=f"{marks} rocketed"))
    assert total(plain) - total(struck) == loss


@pytest.mark.rule("VCC-143")
def test_a_commander_helps_every_unit_of_his_side_in_his_box() -> None:
    scene = battlefield(red("Unit", "D4"), red("Other", "D4"), blue("Foe", "D4"), commanders={"red": ("D4", "Other")})
    assert (total(scene), total(scene, "Other"), total(scene, "Foe")) == (8, 8, 10)
    scene.battle.commanders["red"].box = scene.box("D3")
    assert total(scene) == 6


@pytest.mark.rule("VCC-140", "VCC-150")
@pytest.mark.parametrize(
    ("bases", "die", "result"),
    [
        (6, 6, "passes"),
        (1, 1, "passes"),
        (1, 2, "shaken"),
        (1, 3, "recoils"),
        (1, 4, "falls_back"),
        (1, 5, "breaks"),
        (1, 6, "breaks"),
        (-2, 1, "falls_back"),
        (-2, 6, "breaks"),
    ],
)
def test_one_die_decides_and_finds_the_line_by_its_margin(bases: int, die: int, result: str) -> None:
    scene = battlefield(
        red("Unit", "D4", bases=max(bases, 1), leader=False, marks="flanked rocketed" if bases < 0 else "")
    )
    assert total(scene) == (bases if bases > 0 else -2)
    more = [("hits from morale", 1)] if result == "shaken" else []
    assert check(scene, die, *more) == result


@pytest.mark.rule("VCC-111", "VCC-149")
def test_a_jest_is_used_up_by_the_next_check() -> None:
    scene = battlefield(small(marks="jest"))
    assert check(scene, 3) == "passes"
    assert check(scene, 3, ("hits from morale", 1)) == "shaken"


@pytest.mark.rule("VCC-151", "VCC-105")
def test_missed_by_one_costs_a_die_of_hits_and_nothing_else() -> None:
    held = [Contact("Unit", "Foe", False, False, "none", 1)]
    scene = battlefield(small(hits=4), blue("Foe", "D4"), contacts=held)
    check(scene, 3, ("hits from morale", 5))
    assert (scene.unit("Unit").strength, scene.unit("Unit").hits) == (1, 3)
    assert (scene.marks("Unit"), scene.battle.contacts) == ({"lost_base"}, held)


@pytest.mark.rule("VCC-152", "VCC-064", "VCC-065", "VCC-008")
def test_missed_by_two_ends_contact_prone_in_the_same_box() -> None:
    scene = battlefield(
        small(marks="square"), blue("Foe", "D4"), contacts=[Contact("Foe", "Unit", False, False, "none", 1)]
    )
    check(scene, 5)  # 1 + 1 + square
    assert (scene.at("Unit"), scene.at("Foe"), scene.battle.contacts) == ("D4", "D4", [])
    assert scene.marks("Unit") == {"prone"}
    scene.battle.phase = "british_fire"
    assert may_fire(scene.battle, scene.unit("Unit"))


def test_each_failure_is_told_by_the_word_on_its_die() -> None:
    """The dice line calls the results shaken, recoils, falls back and breaks."""
    failures = words().tables["failures"]
    assert list(failures) == [name for name, _ in battlefield(small()).battle.book.failures]
    stems = {"shaken": "shaken", "recoils": "recoiled", "falls_back": "fell back", "breaks": "broke"}
    assert {name: text.startswith(stems[name]) for name, text in failures.items()} == dict.fromkeys(stems, True)


@pytest.mark.rule("VCC-153", "VCC-156")
def test_missed_by_three_is_a_box_back_and_prone() -> None:
    scene = battlefield(small(), blue("Foe", "D4"), contacts=[Contact("Foe", "Unit", False, False, "none", 1)])
    scene.unit("Unit").facing = S
    check(scene, 5)
    assert (scene.at("Unit"), scene.marks("Unit"), scene.unit("Unit").facing) == ("D3", {"prone"}, N)
    assert scene.battle.contacts == []


@pytest.mark.rule("VCC-154", "VCC-046")
def test_missed_by_four_or_more_breaks_two_boxes_back() -> None:
    scene = battlefield(small())
    check(scene, 6)
    assert (scene.at("Unit"), scene.marks("Unit")) == ("D2", {"prone", "broken"})
    scene.battle.phase = "british_fire"
    assert not may_fire(scene.battle, scene.unit("Unit"))


@pytest.mark.rule("VCC-155", "VCC-066")
def test_a_new_result_applies_in_full_and_the_worse_state_stays() -> None:
    scene = battlefield(small(marks="prone broken"))
    check(scene, 5)
    assert (scene.at("Unit"), scene.marks("Unit")) == ("D3", {"prone", "broken"})
    lying = battlefield(small(marks="prone lying"))
    check(lying, 4)
    assert lying.marks("Unit") == {"prone"}, "now it has to rally"


@pytest.mark.rule("VCC-158")
def test_friends_who_see_it_take_no_notice() -> None:
    scene = battlefield(small(), red("Friend", "D4"), red("Behind", "D2"))
    check(scene, 6)
    assert scene.marks("Friend") == scene.marks("Behind") == set()


# --- units that check after fire --------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-139", "VCC-037")
@pytest.mark.setting("morale_trigger")
def test_any_hit_or_only_a_lost_base_calls_for_a_check() -> None:
    for rule, checking in (("any_hit", {"hit", "rocketed"}), ("base_lost", {"lost_base", "rocketed"})):
        for mark in ("hit", "lost_base", "rocketed", "moved"):
            struck = battlefield(red("Unit", "D4", marks=mark), morale_trigger=rule)
            assert must_check_after_fire(struck.battle, struck.unit("Unit")) is (mark in checking), (rule, mark)


@pytest.mark.rule("VCC-139", "VCC-032")
@pytest.mark.setting("morale_trigger")
def test_a_volley_without_a_lost_base_calls_for_no_check_under_base_lost() -> None:
    for rule, script in (("any_hit", [("morale", 1)]), ("base_lost", [])):
        scene = battlefield(red("Rifles", "D2"), blue("Spears", "D5"), morale_trigger=rule)
        scene.play(("fire with", "Rifles"), ("fire at", "Spears"), ("fire", [1, 1, 1]), *script, phase="british_fire")
        assert scene.unit("Spears").hits == 3


@pytest.mark.rule("VCC-148")
@pytest.mark.setting("flanked_by")
@pytest.mark.parametrize(("rule", "number"), [("melee", 9), ("melee_and_fire", 7)])
def test_a_shot_from_the_flank_counts_by_the_setting(rule: str, number: int) -> None:
    scene = battlefield(red("Rifles", "D2"), blue("Spears", "D4", facing="E"), flanked_by=rule)
    scene.play(
        ("fire with", "Rifles"),
        ("fire at", "Spears"),
        ("fire", [1, 1, 1, 1, 1, 1]),
        ("morale", 6),
        phase="british_fire",
    )
    assert scene.told("morale passed")[0]["total"] == number
    assert not is_flanked(scene.battle, scene.unit("Spears")), "the shot is forgotten after the step"


@pytest.mark.rule("VCC-148", "VCC-059")
def test_shot_from_the_front_does_not_flank() -> None:
    scene = battlefield(red("Rifles", "D2"), blue("Spears", "D4"), flanked_by="melee_and_fire")
    scene.play(("fire with", "Rifles"), ("fire at", "Spears"), ("fire", [1] * 6), ("morale", 6), phase="british_fire")
    assert scene.told("morale passed")[0]["total"] == 9


@pytest.mark.rule("VCC-059", "VCC-148")
@pytest.mark.setting("flanked_by")
@pytest.mark.parametrize(("profile", "flanked"), [("irregular_shock", True), ("wagon_section", False)])
def test_a_wagon_has_no_flank_to_be_shot_in(profile: str, flanked: bool) -> None:
    scene = battlefield(red("Rifles", "D2"), blue("Target", "D4", profile, facing="N"), flanked_by="melee_and_fire")
    scene.battle.phase = "british_fire"
    scene.run(fire, scene.unit("Rifles"), scene.unit("Target"), script=[("fire", [1, 1, 1, 1, 1, 1])])
    assert is_flanked(scene.battle, scene.unit("Target")) is flanked


# --- retreats ---------------------------------------------------------------------------------------------------------


def drives_back(scene: Scene, boxes: int, *script: Script, name: str = "Unit") -> None:
    scene.run(retreat, scene.unit(name), boxes, script=script)


@pytest.mark.rule("VCC-156")
def test_straight_back_else_a_diagonal_of_the_owners_choice() -> None:
    scene = battlefield(red("Unit", "D4"), blue("Foe", "D3"))
    drives_back(scene, 1, ("retreat to", scene.box("E3")))
    assert scene.at("Unit") == "E3"
    one_way = battlefield(red("Unit", "D4"), blue("Foe", "D3"), blue("Other", "C3"))
    drives_back(one_way, 1)
    assert one_way.at("Unit") == "E3", "a single way is taken without asking"


@pytest.mark.rule("VCC-156", "VCC-006")
@pytest.mark.setting("diagonal_move")
def test_without_diagonals_only_straight_back() -> None:
    scene = battlefield(red("Unit", "D4"), blue("Foe", "D3"), diagonal_move="orthogonal")
    drives_back(scene, 1, ("barred retreat", 3))
    assert (scene.at("Unit"), scene.unit("Unit").hits) == ("D4", 3)


@pytest.mark.rule("VCC-156", "VCC-151")
def test_each_box_that_is_barred_costs_a_die_of_hits() -> None:
    foes = (blue("A", "C3"), blue("B", "D3"), blue("C", "E3"))
    scene = battlefield(red("Unit", "D4"), *foes)
    drives_back(scene, 2, ("barred retreat", 4), ("barred retreat", 5))
    assert (scene.at("Unit"), scene.unit("Unit").strength, scene.unit("Unit").hits) == ("D4", 5, 3)
    second = battlefield(red("Unit", "D4"), blue("A", "C2"), blue("B", "D2"), blue("C", "E2"))
    drives_back(second, 2, ("barred retreat", 4))
    assert (second.at("Unit"), second.unit("Unit").hits) == ("D3", 4)


@pytest.mark.rule("VCC-156")
def test_closed_ground_bars_the_way_too() -> None:
    ground = "...\n...\nxxx"
    scene = battlefield(red("Unit", "B2"), ground=ground)
    drives_back(scene, 1, ("barred retreat", 2))
    assert scene.at("Unit") == "B2"


@pytest.mark.rule("VCC-156", "VCC-171", "VCC-057")
def test_off_its_own_edge_a_unit_is_lost_with_the_commander_attached_to_it() -> None:
    scene = battlefield(red("Unit", "D1"), commanders={"red": ("D1", "Unit")})
    drives_back(scene, 1)
    assert scene.battle.gone == {"Unit": "routed"}
    assert scene.told("loss") == [{"unit": "Unit", "side": "red", "lost": 6, "left": 0, "cause": "morale"}]
    assert (scene.battle.commanders["red"].box, scene.battle.commanders["red"].unit) == (-1, "")


@pytest.mark.rule("VCC-156", "VCC-007")
def test_retreat_passes_a_full_box_and_a_barred_one_stays_without_hits() -> None:
    friends = (red("A", "D3"), red("B", "D3"))
    scene = battlefield(red("Unit", "D4"), *friends)
    drives_back(scene, 1)
    assert scene.at("Unit") == "D2"
    foes = (blue("X", "C2"), blue("Y", "D2"), blue("Z", "E2"))
    barred = battlefield(red("Unit", "D4"), *friends, *foes)
    drives_back(barred, 1)
    assert (barred.at("Unit"), barred.unit("Unit").hits) == ("D3", 0)


@pytest.mark.rule("VCC-171")
def test_a_commander_goes_along_only_with_the_unit_he_is_attached_to() -> None:
    for attached, at in (("Unit", "D3"), ("", "D4")):
        scene = battlefield(red("Unit", "D4"), commanders={"red": ("D4", attached)})
        moved = {"side": "red", "name": "commander of red", "box": scene.box(at)}
        drives_back(scene, 1)
        assert scene.battle.commanders["red"].box == scene.box(at)
        assert scene.told("commander moved") == ([moved] if attached else [])
        assert scene.told("gun abandoned") == []


@pytest.mark.rule("VCC-157", "VCC-044")
def test_gunners_leave_their_gun_and_come_back_to_it() -> None:
    scene = battlefield(red("Gun", "D4", "field_gun"))
    drives_back(scene, 1, name="Gun")
    gun = scene.unit("Gun")
    assert (scene.at("Gun"), scene.marks("Gun"), gun.gun_box) == ("D3", {"abandoned"}, scene.box("D4"))
    assert scene.told("gun abandoned") == [{"unit": "Gun", "box": scene.box("D4")}]
    drawn = {(piece.text, piece.x, piece.y) for piece in draw_board(scene.battle, scene.order.scenario, {}, "").pieces}
    assert ("the abandoned gun of Gun", 3, 3) in drawn
    scene.battle.phase = "british_guns"
    assert not may_fire(scene.battle, gun)
    drives_back(scene, 1, name="Gun")
    assert scene.told("gun abandoned") == [], "it stands abandoned already"
    scene.battle.move(gun, scene.box("D3"))
    scene.run(move_unit, gun, script=[("move", ("go", scene.box("D4"))), ("face", N)])
    assert scene.told("gun manned") == [{"unit": "Gun"}]
    assert "abandoned" not in scene.marks("Gun") and gun.gun_box == OFF_TABLE
    assert may_fire(scene.battle, gun)


@pytest.mark.rule("VCC-157")
def test_gunners_who_cannot_get_away_stay_with_their_gun() -> None:
    scene = battlefield(red("Gun", "D4", "field_gun"), blue("A", "C3"), blue("B", "D3"), blue("C", "E3"))
    drives_back(scene, 1, ("barred retreat", 1), name="Gun")
    assert (scene.at("Gun"), scene.marks("Gun")) == ("D4", set())
    assert scene.told("gun abandoned") == []


@pytest.mark.rule("VCC-156", "VCC-007")
def test_from_full_box_to_full_box_it_goes_on_to_the_first_with_room_or_off_the_table() -> None:
    full = [red(f"Friend {n} in D{row}", f"D{row}") for row in (3, 2) for n in (1, 2)]
    scene = battlefield(red("Unit", "D4", facing="W"), *full)
    drives_back(scene, 1)
    assert (scene.at("Unit"), scene.unit("Unit").facing) == ("D1", N)
    more = [red(f"Friend {n} in D1", "D1") for n in (1, 2)]
    routed = battlefield(red("Unit", "D4", facing="W"), *full, *more)
    drives_back(routed, 1)
    assert routed.battle.gone == {"Unit": "routed"}
    assert [event["unit"] for event in routed.told("routed")] == ["Unit"]


@pytest.mark.rule("VCC-157", "VCC-044", "VCC-156")
def test_gunners_who_stay_with_their_gun_do_not_turn_it() -> None:
    """A crew of any weapon that cannot retreat lies prone or broken and may not pivot."""
    foes = (blue("A", "C3"), blue("B", "D3"), blue("C", "E3"))
    for profile in ("field_gun", "machine_gun", "rocket_section"):
        crew = battlefield(red("Crew", "D4", profile, facing="SW"), *foes)
        drives_back(crew, 2, ("barred retreat", 1), ("barred retreat", 1), name="Crew")
        assert COMPASS[crew.unit("Crew").facing] == "SW"
    foot = battlefield(red("Foot", "D4", facing="W"), *foes)
    drives_back(foot, 1, ("barred retreat", 1), name="Foot")
    assert foot.unit("Foot").facing == N, "away from its home edge"
    free = battlefield(red("Maxim", "D4", "machine_gun", facing="SW"))
    drives_back(free, 1, name="Maxim")
    assert free.unit("Maxim").facing == N


@pytest.mark.rule("VCC-157")
def test_gunners_who_are_driven_back_on_their_gun_have_it_again() -> None:
    scene = battlefield(red("Gun", "D5", "field_gun", marks="abandoned"))
    scene.unit("Gun").gun_box = scene.box("D4")
    drives_back(scene, 1, name="Gun")
    assert (scene.at("Gun"), scene.marks("Gun"), scene.unit("Gun").gun_box) == ("D4", set(), OFF_TABLE)
    assert scene.told("gun manned") == [{"unit": "Gun"}]


@pytest.mark.rule("VCC-157")
@pytest.mark.parametrize("profile", ["machine_gun", "rocket_section"])
def test_machine_guns_and_rockets_go_with_their_crews(profile: str) -> None:
    scene = battlefield(red("Crew", "D4", profile))
    drives_back(scene, 1, name="Crew")
    assert (scene.at("Crew"), scene.marks("Crew")) == ("D3", set())


# --- rally ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-159")
@pytest.mark.parametrize(
    ("marks", "rolls"), [("prone", True), ("prone broken", True), ("prone lying", False), ("moved", False)]
)
def test_units_that_must_rally(marks: str, rolls: bool) -> None:
    scene = battlefield(red("Unit", "D4", marks=marks), blue("Foe", "D4"))
    assert must_rally(scene.battle, scene.unit("Unit")) is rolls
    scene.battle.contacts = [Contact("Foe", "Unit", False, False, "none", 1)]
    assert not must_rally(scene.battle, scene.unit("Unit"))


@pytest.mark.rule("VCC-160", "VCC-106", "VCC-111")
@pytest.mark.setting("rally_method")
def test_a_rally_is_a_morale_roll_or_four_and_more() -> None:
    for die, rallied in ((2, True), (3, False)):
        scene = battlefield(small(marks="prone broken", hits=3))
        assert scene.run(rally, scene.unit("Unit"), script=[("rally", die)]) is rallied
        assert ("broken" in scene.marks("Unit"), "prone" in scene.marks("Unit")) == (not rallied, not rallied)
        assert (scene.unit("Unit").hits, scene.at("Unit")) == (3, "D4")
    for die, rallied in ((3, False), (4, True)):
        scene = battlefield(small(marks="prone broken jest"), rally_method="four_plus")
        assert scene.run(rally, scene.unit("Unit"), script=[("rally", die)]) is rallied
        assert "jest" in scene.marks("Unit"), "a plain die has no use for it"


@pytest.mark.rule("VCC-160", "VCC-111")
@pytest.mark.parametrize(
    ("more", "commander", "marks", "number"),
    [
        ({}, False, "", 2),
        ({"quality": "elite"}, False, "", 3),
        ({"quality": "raw"}, False, "", 1),
        ({}, True, "", 4),
        ({}, False, "jest", 3),
    ],
)
def test_modifiers_of_a_rally(more: dict[str, Any], commander: bool, marks: str, number: int) -> None:
    for die in (number, number + 1):
        who = {"red": ("D4", "")} if commander else {}
        scene = battlefield(small(marks=f"prone {marks}", **more), commanders=who)
        assert scene.run(rally, scene.unit("Unit"), script=[("rally", die)]) is (die == number)
        assert "jest" not in scene.marks("Unit"), "used up either way"


@pytest.mark.rule("VCC-030", "VCC-159", "VCC-161")
@pytest.mark.setting("rally_then_move")
def test_a_rallied_unit_moves_at_once_or_next_turn() -> None:
    for value in (True, False):
        scene = battlefield(red("Unit", "D4", marks="prone"), red("Other", "A1"), rally_then_move=value)
        scene.begin("british_moves")
        chosen: list[Script] = [
            ("rally", 1),
            ("move with", "Unit" if value else "Other"),
            ("move", "stay"),
            ("face", N),
        ]
        scene.play(*chosen, *([("move with", "done")] if value else []))
        assert scene.marks("Unit") == set()


@pytest.mark.rule("VCC-161", "VCC-162")
def test_after_failing_to_rally_the_prone_may_fire_at_half_dice() -> None:
    scene = battlefield(small(at="D2", marks="prone"), blue("Spears", "D4"))
    scene.play(("rally", 6), phase="british_moves")
    scene.play(("fire with", "Unit"), ("fire at", "Spears"), ("fire", [1]), ("morale", 1), phase="british_fire")
    assert scene.told("fire")[0]["dice"] == 1
