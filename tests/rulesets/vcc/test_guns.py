"""Artillery, machine guns and rockets: pivots, effects of moving, drift, overheating."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Scene, Script, ask_odds, battlefield, blue, red

from zareba.space.grid.boxes import COMPASS, E, N, W
from zareba_rulesets.vcc.chapters.fire import (
    check_all_overheating,
    fire_rocket,
    landing_box,
    may_fire,
    may_pivot,
    rocket_target_boxes,
    targets,
)
from zareba_rulesets.vcc.chapters.movement import allowance, facings
from zareba_rulesets.vcc.forces import Contact
from zareba_rulesets.vcc.presentation.words import unit_line

MOVE_ON: Script = ("move with", "done")


def move(scene: Scene, name: str, *acts: Script, phase: str = "british_moves") -> str:
    """Move one unit in its movement step while all other units wait."""
    return scene.play(("move with", name), *acts, phase=phase)


@pytest.mark.rule("VCC-009")
@pytest.mark.parametrize(
    ("profile", "told"),
    [
        ("field_gun", "4 gunners"),
        ("machine_gun", "4 gunners"),
        ("rocket_section", "3 gunners"),
        ("wagon_section", "1 base"),
        ("regular_infantry", "6 bases"),
    ],
)
def test_a_crew_is_counted_in_gunners_and_everybody_else_in_bases(profile: str, told: str) -> None:
    scene = battlefield(red("Unit", "D2", profile))
    assert unit_line(scene.battle, scene.unit("Unit")) == f"Unit at D2, {told}"


@pytest.mark.rule("VCC-043", "VCC-044", "VCC-026")
def test_a_gun_pivots_onto_its_target_and_fires_half_its_dice() -> None:
    scene = battlefield(red("Gun", "D2", "field_gun", facing="N"), blue("Spears", "G2"))
    assert may_pivot(scene.battle, scene.unit("Gun"))
    scene.play(
        ("fire with", "Gun"),
        ("fire at", "Spears"),
        ("pivot to", COMPASS.index("SE")),
        ("fire", [3, 3, 3, 3]),  # 4 gunners; close range doubles, a pivot halves
        ("morale", 1),
        phase="british_guns",
    )
    assert scene.unit("Gun").facing == COMPASS.index("SE")
    assert scene.unit("Spears").strength == 8
    assert "gun_pivoted" not in scene.marks("Gun"), "the spoilt shot is over"


@pytest.mark.rule("VCC-044")
def test_a_pivot_takes_in_the_target_or_is_not_offered() -> None:
    scene = battlefield(red("Gun", "D2", "field_gun", facing="N"), blue("Spears", "G2"))
    with pytest.raises(AssertionError, match="is not an answer to 'pivot to'"):
        scene.play(("fire with", "Gun"), ("fire at", "Spears"), ("pivot to", W), phase="british_guns")


@pytest.mark.rule("VCC-044")
@pytest.mark.parametrize("marks", ["prone", "prone broken", "contact"])
def test_a_prone_broken_or_engaged_crew_does_not_pivot(marks: str) -> None:
    contact = [Contact("Foe", "Gun", False, False, "none", 0)] if marks == "contact" else []
    scene = battlefield(
        red("Gun", "D2", "field_gun", marks=marks.replace("contact", "")),
        blue("Foe", "D2"),
        blue("Aside", "G2"),
        contacts=contact,
        fire_into_contact="always",
    )
    scene.battle.phase = "british_guns"
    assert not may_pivot(scene.battle, scene.unit("Gun"))
    assert [target.id for target in targets(scene.battle, scene.unit("Gun"))] == ["Foe"]


@pytest.mark.rule("VCC-040", "VCC-043")
def test_a_gun_has_no_movement_and_may_only_turn() -> None:
    scene = battlefield(red("Gun", "D2", "field_gun"))
    assert allowance(scene.battle, scene.unit("Gun")) == 0
    move(scene, "Gun", ("face", E))
    assert scene.at("Gun") == "D2"
    assert "gun_pivoted" in scene.marks("Gun")


@pytest.mark.rule("VCC-041", "VCC-042", "VCC-045")
@pytest.mark.setting("gun_move_memory")
@pytest.mark.parametrize("profile", ["machine_gun", "rocket_section"])
def test_a_move_costs_the_next_shot_or_is_barred_after_a_shot(profile: str) -> None:
    after = battlefield(red("Crew", "D2", profile), blue("Spears", "D4"))
    move(after, "Crew", ("move", ("go", after.box("D3"))), ("face", N))
    assert "gun_moved" in after.marks("Crew")
    after.battle.phase = "british_guns"
    assert not may_fire(after.battle, after.unit("Crew"))
    after.begin("native_guns")
    assert "gun_moved" not in after.marks("Crew"), "after its fire step the mark is gone"

    same = battlefield(red("Crew", "D2", profile), blue("Spears", "D4"), gun_move_memory="same_turn")
    assert allowance(same.battle, same.unit("Crew")) == 1
    move(same, "Crew", ("move", ("go", same.box("D3"))), ("face", N))
    same.battle.phase = "british_guns"
    assert may_fire(same.battle, same.unit("Crew"))
    same.unit("Crew").mark("fired")
    assert allowance(same.battle, same.unit("Crew")) == 0
    assert allowance(after.battle, after.unit("Crew")) == 1, "under next_shot firing bars no move"


@pytest.mark.rule("VCC-042", "VCC-044", "VCC-045")
def test_a_machine_gun_that_turned_fires_its_next_shot_at_half() -> None:
    scene = battlefield(red("Maxim", "D2", "machine_gun", facing="E"), blue("Spears", "D5"))
    move(scene, "Maxim", ("move", "stay"), ("face", N))
    assert "gun_pivoted" in scene.marks("Maxim")
    scene.play(("fire with", "Maxim"), ("fire at", "Spears"), ("fire", [1, 1]), ("morale", 1), phase="british_guns")
    assert scene.told("fire")[0]["dice"] == 2
    assert "gun_pivoted" not in scene.marks("Maxim")


@pytest.mark.rule("VCC-047", "VCC-026")
def test_turning_a_rocket_section_is_moving_it() -> None:
    scene = battlefield(red("Rockets", "D2", "rocket_section"))
    assert len(facings(scene.unit("Rockets"))) == 8
    move(scene, "Rockets", ("move", "stay"), ("face", E))
    assert {"moved", "gun_moved"} <= scene.marks("Rockets")
    still = battlefield(red("Rockets", "D2", "rocket_section"))
    move(still, "Rockets", ("move", "stay"), ("face", N))
    assert still.marks("Rockets") == set()


# --- rockets ----------------------------------------------------------------------------------------------------------


def rockets(**settings: Any) -> Scene:
    return battlefield(
        red("Rockets", "D1", "rocket_section"),
        red("Friends", "E4", bases=2),
        blue("Spears", "D4", bases=2),
        blue("Riders", "D4", "irregular_cavalry", bases=2),
        blue("Behind", "D6"),
        **settings,
    )


@pytest.mark.rule("VCC-073", "VCC-036")
@pytest.mark.setting("rocket_los_required")
def test_a_rocket_aims_at_what_it_sees_or_anywhere() -> None:
    seen = rockets()
    aimed = rocket_target_boxes(seen.battle, seen.unit("Rockets"))
    assert seen.box("D4") in aimed
    assert seen.box("D1") in aimed, "its own box"
    assert seen.box("D6") not in aimed, "units in D4 stand between"
    assert seen.box("A1") not in aimed, "not in front"
    blind = rockets(rocket_los_required=False)
    assert rocket_target_boxes(blind.battle, blind.unit("Rockets")) == list(range(49))


@pytest.mark.rule("VCC-098", "VCC-094")
@pytest.mark.parametrize("rule", ["charge_turn", "never"])
def test_a_rocket_may_be_aimed_at_a_box_with_a_contact(rule: str) -> None:
    """A rocket is aimed at a box, so a contact there does not matter. A section in contact cannot fire."""
    for charged, may in (("Friends", True), ("Rockets", False)):
        scene = rockets(fire_into_contact=rule)
        scene.battle.contacts.append(Contact("Spears", charged, False, False, "none", 1))
        section = scene.unit("Rockets")
        assert scene.box("D4") in rocket_target_boxes(scene.battle, section)
        scene.battle.turn, scene.battle.phase = 2, "british_guns"
        assert may_fire(scene.battle, section) is may


@pytest.mark.rule("VCC-098", "VCC-100", "VCC-101", "VCC-028")
def test_a_rocket_on_target_makes_everybody_there_check_and_causes_no_hits() -> None:
    scene = rockets()
    scene.play(
        ("fire with", "Rockets"),
        ("rocket at", scene.box("D4")),
        ("rocket", 5),
        ("check morale of", "Spears"),
        ("morale", 2),  # 2 + 1 leader - 1 = 2
        ("morale", 1),  # 2 + 1 leader - 2 = 1
        phase="british_guns",
    )
    assert [event["total"] for event in scene.told("morale passed")] == [2, 1]
    assert scene.unit("Spears").hits == scene.unit("Riders").hits == 0
    assert scene.told("fire") == []


@pytest.mark.rule("VCC-099", "VCC-037", "VCC-100")
def test_a_rocket_drifts_onto_its_own_side() -> None:
    scene = rockets()
    scene.play(
        ("fire with", "Rockets"),
        ("rocket at", scene.box("D4")),
        ("rocket", 4),
        ("drift direction", 3),  # 1 is north, clockwise, so 3 is east
        ("drift distance", 1),
        ("morale", 2),
        phase="british_guns",
    )
    assert scene.told("rocket")[0]["landing"] == scene.box("E4")
    assert scene.told("morale passed") == [{"unit": "Friends", "die": 2, "total": 2}]


@pytest.mark.rule("VCC-099")
@pytest.mark.setting("rocket_drift")
def test_a_miss_drifts_or_is_lost() -> None:
    drifting, lost = rockets(), rockets(rocket_drift="off")
    start, box = drifting.box("D1"), drifting.box("D4")
    script: list[Script] = [("rocket", 1), ("drift direction", 1), ("drift distance", 2)]
    assert drifting.run(landing_box, "Rockets", start, N, box, script=script) == drifting.box("D6")
    assert lost.run(landing_box, "Rockets", start, N, box, script=script[:1]) is None


@pytest.mark.rule("VCC-099")
@pytest.mark.parametrize(
    ("start", "aim", "direction", "distance", "landing"),
    [
        ("D1", "D4", 1, 3, "D7"),
        ("D1", "D4", 1, 4, None),
        ("D1", "D4", 2, 2, "F6"),
        ("D1", "D4", 5, 1, "D3"),
        ("A1", "D4", 1, 2, "F6"),  # the flight is north-east; diagonal boxes count 1
        ("A1", "D4", 8, 2, "D6"),
        ("D4", "D4", 1, 2, "F4"),  # its own box: drifts by the section's facing, east
    ],
)
def test_drift(start: str, aim: str, direction: int, distance: int, landing: str | None) -> None:
    scene = battlefield()
    script: list[Script] = [("rocket", 3), ("drift direction", direction), ("drift distance", distance)]
    found = scene.run(landing_box, "Rockets", scene.box(start), E, scene.box(aim), script=script)
    assert found == (scene.box(landing) if landing else None)


@pytest.mark.rule("VCC-098")
def test_rocket_section_fires_one_rocket() -> None:
    for more in ({"bases": 1}, {"bases": 6, "quality": "elite"}, {"quality": "raw"}):
        scene = battlefield(red("Rockets", "D1", "rocket_section", **more), blue("Spears", "D4"))
        scene.battle.phase = "british_guns"
        scene.run(fire_rocket, scene.unit("Rockets"), scene.box("D4"), script=[("rocket", 6)])
        assert "rocketed" in scene.marks("Spears")
        assert not may_fire(scene.battle, scene.unit("Rockets")), "once a step"


@pytest.mark.rule("VCC-038", "VCC-098")
def test_rockets_that_hold_fire_are_not_asked_again() -> None:
    def scene() -> Scene:
        return battlefield(
            red("Rockets", "C1", "rocket_section"),
            red("Gun", "D1", "field_gun"),
            red("Maxim", "E1", "machine_gun"),
            blue("Last", "D3", bases=1, leader=False),
            blue("Other", "E3"),
        )

    so_far: list[Script] = [
        ("fire with", "Rockets"),
        ("rocket at", "hold fire"),
        ("fire with", "Gun"),
        ("fire at", "Last"),
        ("fire", [1] * 8),
    ]
    destroyed = scene()
    destroyed.play(*so_far, ("fire with", "done"), phase="british_guns")
    assert destroyed.battle.gone == {"Last": "destroyed"}
    with pytest.raises(AssertionError, match="'Rockets' is not an answer to 'fire with'"):
        scene().play(*so_far, ("fire with", "Rockets"), phase="british_guns")


@pytest.mark.rule("VCC-102")
def test_two_rockets_are_one_check_with_one_modifier() -> None:
    scene = battlefield(
        red("Left", "C1", "rocket_section"), red("Right", "D1", "rocket_section"), blue("Spears", "D4", bases=2)
    )
    aim = scene.box("D4")
    scene.play(
        ("fire with", "Left"),
        ("rocket at", aim),
        ("rocket", 6),
        ("fire with", "Right"),
        ("rocket at", aim),
        ("rocket", 6),
        ("morale", 2),
        phase="british_guns",
    )
    assert scene.told("morale passed") == [{"unit": "Spears", "die": 2, "total": 2}]


# --- overheating ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-103", "VCC-104")
@pytest.mark.setting("mg_overheat")
def test_a_gun_that_fires_on_overheats_and_breaks() -> None:
    scene = battlefield(red("Maxim", "D2", "machine_gun", marks="fired", streak=1))
    scene.run(check_all_overheating, script=[("overheating", 3)])
    assert (scene.unit("Maxim").streak, "overheated" in scene.marks("Maxim")) == (2, False)
    scene.run(check_all_overheating, script=[("overheating", 3)])
    assert (scene.unit("Maxim").streak, "overheated" in scene.marks("Maxim")) == (3, True)
    scene.run(check_all_overheating, script=[("overheating", 4)])
    assert "wrecked" in scene.marks("Maxim")
    scene.battle.phase = "british_guns"
    scene.unit("Maxim").unmark("fired")
    assert not may_fire(scene.battle, scene.unit("Maxim")), "the crew stays, without fire"
    cool = battlefield(red("Maxim", "D2", "machine_gun", marks="fired", streak=1), mg_overheat="off")
    cool.run(check_all_overheating)
    assert cool.unit("Maxim").streak == 1


@pytest.mark.rule("VCC-104")
def test_a_turn_without_a_shot_cools_the_gun() -> None:
    scene = battlefield(red("Maxim", "D2", "machine_gun", marks="overheated", streak=4))
    scene.run(check_all_overheating)
    assert (scene.unit("Maxim").streak, scene.marks("Maxim")) == (0, set())
    first = battlefield(red("Maxim", "D2", "machine_gun", marks="fired"))
    first.run(check_all_overheating)
    assert first.unit("Maxim").streak == 1, "no roll in the first turn of fire"


@pytest.mark.rule("VCC-013", "VCC-014")
@pytest.mark.setting("d3_method")
def test_native_crews_roll_a_d3_or_half_of_a_die() -> None:
    facts = {"bases": 4, "band": "medium", "fire_die": 3}
    real, halved = (ask_odds("fire_pool", facts, d3_method=method) for method in ("d3", "half_total"))
    assert {roll.hits for roll in real.outcomes} == set(range(4, 13))
    assert {roll.hits for roll in halved.outcomes} == set(range(2, 13))
    assert real.mean(lambda roll: roll.hits) == 8
