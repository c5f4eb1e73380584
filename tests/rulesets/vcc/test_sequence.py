"""The sequence of play: the eight fixed phases and their steps."""

from __future__ import annotations

import pytest
from tests.rulesets.vcc.battlefields import battlefield, blue, red, rules_with

from zareba.agents import make_agent
from zareba.scenario import load_scenario
from zareba.space.grid.boxes import N, S
from zareba.table import SeededTable
from zareba_rulesets.vcc.game import VccGame

STEPS = [
    "british_guns",
    "native_guns",
    "native_moves",
    "british_moves",
    "british_fire",
    "native_fire",
    "melee",
    "melee_morale",
]


@pytest.mark.rule("VCC-027", "VCC-028", "VCC-029", "VCC-030", "VCC-031", "VCC-032", "VCC-033", "VCC-034", "VCC-035")
def test_the_eight_steps_in_their_order() -> None:
    assert list(rules_with().book.sequence) == ["deployment", *STEPS, "end_of_turn"]
    sides = [rules_with().book.sequence[step].side for step in STEPS]
    assert sides == ["british", "native", "native", "british", "british", "native", None, None]


@pytest.mark.rule("VCC-027", "VCC-039")
def test_every_turn_of_a_game_runs_through_the_steps_in_that_order() -> None:
    game = VccGame(rules_with(), load_scenario("patrol_clash"))
    state = game.start()
    table = SeededTable(game.rules, state, 3, {seat: make_agent("random", game, seat, 3) for seat in game.seats})
    places = {step: place for place, step in enumerate(["deployment", *STEPS, "end_of_turn"])}
    seen: list[tuple[int, int]] = []
    while (step := game.play.next_step(state)) is not None:
        seen.append((step.turn, places[step.about]))
        table.begin(step)
        game.play.perform(table, state, step)
    assert seen == sorted(seen), "no step comes twice and none out of order"
    assert {place for turn, place in seen if turn > 1}.isdisjoint({places["deployment"]})


@pytest.mark.rule("VCC-036", "VCC-028", "VCC-032")
def test_guns_fire_before_anybody_moves_and_small_arms_after() -> None:
    scene = battlefield(red("Gun", "C1", "field_gun"), red("Rifles", "D2"), blue("Spears", "D4"))
    scene.play(("fire with", "Gun"), ("fire at", "Spears"), ("fire", [1] * 4), ("morale", 1), phase="british_guns")
    with pytest.raises(AssertionError, match="nothing is to be done in native_fire"):
        scene.play(phase="native_fire")
    scene.play(("fire with", "Rifles"), ("fire at", "Spears"), ("fire", [1] * 6), ("morale", 1), phase="british_fire")
    assert (scene.unit("Spears").strength, scene.unit("Spears").hits) == (9, 4)


@pytest.mark.rule("VCC-030", "VCC-031", "VCC-039")
def test_all_rally_rolls_come_before_any_move_and_units_move_in_any_order() -> None:
    scene = battlefield(red("A", "A1", marks="prone"), red("B", "B1"), red("C", "C1", marks="prone"), blue("Foe", "G7"))
    scene.play(
        ("rally", 1),
        ("rally", 1),
        ("move with", "C"),
        ("move", "stay"),
        ("face", N),
        ("move with", "A"),
        ("move", "stay"),
        ("face", N),
        ("move with", "done"),
        phase="british_moves",
    )


@pytest.mark.rule("VCC-037", "VCC-038", "VCC-033")
def test_after_the_shots_come_the_leaders_and_then_one_check_a_unit_in_its_owners_order() -> None:
    scene = battlefield(
        blue("Jezails", "C5", "irregular_firearms"),
        blue("Muskets", "D5", "irregular_firearms"),
        red("Left", "C4"),
        red("Right", "D4"),
    )
    scene.play(
        ("fire with", "Jezails"),
        ("fire at", "Left"),
        ("fire", [3] + [1] * 15),
        ("fire with", "Muskets"),
        ("fire at", "Left"),
        ("fire", [3] + [1] * 7),
        ("leader hit", [1, 1]),
        ("leader hit", [1, 1]),
        ("morale", 1),
        phase="native_fire",
    )
    assert len(scene.told("morale passed")) == 1


@pytest.mark.rule("VCC-037")
def test_enemy_checks_before_friends_hit_by_a_rocket() -> None:
    scene = battlefield(
        red("Rockets", "D1", "rocket_section"),
        red("Gun", "F1", "field_gun"),
        red("Friends", "D4"),
        blue("Spears", "F3"),
        blue("Others", "D4"),
    )
    scene.play(
        ("fire with", "Rockets"),
        ("rocket at", scene.box("D4")),
        ("rocket", 6),
        ("fire with", "Gun"),
        ("fire at", "Spears"),
        ("fire", [1] * 8),
        ("check morale of", "Others"),
        ("morale", 1),
        ("morale", 1),
        ("morale", 1),
        phase="british_guns",
    )
    assert [event["unit"] for event in scene.told("morale passed")] == ["Others", "Spears", "Friends"]


@pytest.mark.rule("VCC-046")
def test_moves_are_forgotten_at_the_end_of_the_turn() -> None:
    scene = battlefield(
        red("Unit", "D4", marks="moved charged fired flanked prone"),
        blue("Foe", "A7"),
        red("Gun", "A1", "field_gun", marks="gun_pivoted"),
    )
    scene.play(phase="end_of_turn")
    assert scene.marks("Unit") == {"prone"}
    assert scene.marks("Gun") == {"gun_pivoted"}, "its mark waits for the next shot"
    assert scene.battle.turn == 2


@pytest.mark.rule("VCC-045")
@pytest.mark.setting("gun_move_memory")
def test_same_turn_marks_vanish_with_the_turn() -> None:
    scene = battlefield(
        red("Gun", "A1", "field_gun", marks="gun_pivoted"), blue("Foe", "A7"), gun_move_memory="same_turn"
    )
    scene.play(phase="end_of_turn")
    assert scene.marks("Gun") == set()


@pytest.mark.rule("VCC-016")
def test_roles_are_given_by_the_scenario_and_dice_by_the_profile() -> None:
    scene = battlefield(red("Irregulars", "D2", "irregular_firearms"), blue("Regulars", "D4"))
    scene.play(
        ("fire with", "Irregulars"), ("fire at", "Regulars"), ("fire", [1] * 8), ("morale", 1), phase="british_fire"
    )
    scene.unit("Irregulars").unmark("fired")
    with pytest.raises(AssertionError, match="a die of 3 faces cannot show 4"):
        scene.play(("fire with", "Irregulars"), ("fire at", "Regulars"), ("fire", [4] * 8), phase="british_fire")
    assert scene.unit("Regulars").facing == S
