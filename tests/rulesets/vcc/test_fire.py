"""Fire: which units may fire, their targets, and the number of dice."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Scene, battlefield, blue, red

from zareba_rulesets.vcc.chapters.fire import fire_facts, may_fire, targets, targets_despite_contact
from zareba_rulesets.vcc.chapters.movement import charge
from zareba_rulesets.vcc.chapters.sight import band_of, in_front, sees
from zareba_rulesets.vcc.forces import Contact


def dice(scene: Scene, firer: str, target: str) -> int:
    """Return the dice of this shot in the present state."""
    situation = fire_facts(scene.battle, scene.unit(firer), scene.unit(target))
    return scene.rules.tally("fire_dice", situation).total


def aims(scene: Scene, firer: str) -> list[str]:
    """Return the units that a unit may fire at."""
    return [target.id for target in targets(scene.battle, scene.unit(firer))]


def ready(phase: str, *args: Any, **kwargs: Any) -> Scene:
    """A battlefield in a fire phase."""
    scene = battlefield(*args, **kwargs)
    scene.battle.phase = phase
    return scene


def line(*, at: str = "D4", red_marks: str = "", blue_marks: str = "", **kwargs: Any) -> Scene:
    """Rifles (5+1) in D2 and spears (9+1) in another box, by default 2 boxes away."""
    men = {name: kwargs.pop(name) for name in ("quality", "profile") if name in kwargs}
    target = {name.removeprefix("target_"): kwargs.pop(name) for name in list(kwargs) if name.startswith("target_")}
    return ready(
        "british_fire",
        red("Rifles", "D2", marks=red_marks, **men),
        blue("Spears", at, marks=blue_marks, **target),
        **kwargs,
    )


@pytest.mark.rule("VCC-074", "VCC-080", "VCC-012")
def test_pips_are_hits_one_die_a_base() -> None:
    scene = line()
    scene.play(
        ("fire with", "Rifles"),
        ("fire at", "Spears"),
        ("fire", [1, 2, 3, 4, 5, 5]),
        ("morale", 1),
        phase="british_fire",
    )
    (shot,) = scene.told("fire")
    assert (shot["dice"], shot["hits"]) == (6, 20)


@pytest.mark.rule("VCC-075")
@pytest.mark.setting("fire_includes_leader_base")
def test_the_leader_base_fires_unless_the_setting_says_no() -> None:
    assert dice(line(), "Rifles", "Spears") == 6
    assert dice(line(fire_includes_leader_base=False), "Rifles", "Spears") == 5
    dead = line()
    dead.unit("Rifles").leader = False
    assert dice(dead, "Rifles", "Spears") == 5


@pytest.mark.rule("VCC-018", "VCC-083", "VCC-084", "VCC-085", "VCC-086", "VCC-087")
def test_target_quality_and_range_change_the_dice() -> None:
    assert dice(line(target_profile="irregular_cavalry"), "Rifles", "Spears") == 7
    assert dice(line(quality="elite"), "Rifles", "Spears") == 7
    assert dice(line(quality="raw"), "Rifles", "Spears") == 5
    assert dice(line(at="D3"), "Rifles", "Spears") == 12
    assert dice(line(at="D5"), "Rifles", "Spears") == 3


@pytest.mark.rule("VCC-088", "VCC-089", "VCC-090", "VCC-065", "VCC-162")
def test_moving_and_lying_halve() -> None:
    assert dice(line(red_marks="moved"), "Rifles", "Spears") == 3
    assert dice(line(red_marks="prone"), "Rifles", "Spears") == 3
    assert dice(line(blue_marks="prone"), "Rifles", "Spears") == 3
    assert dice(line(red_marks="moved prone", blue_marks="prone"), "Rifles", "Spears") == 1


@pytest.mark.rule("VCC-088", "VCC-046", "VCC-096")
@pytest.mark.parametrize(("foe_at", "target_at", "thrown"), [("D3", "D5", 3), ("D2", "D4", 6)])
def test_a_charger_left_without_its_enemy_fires_at_half_dice_if_it_changed_its_box(
    foe_at: str, target_at: str, thrown: int
) -> None:
    scene = ready("british_fire", red("Rifles", "D2"), blue("Foe", foe_at), blue("Spears", target_at))
    scene.run(charge, scene.unit("Rifles"), scene.unit("Foe"))
    assert aims(scene, "Rifles") == []
    scene.battle.remove(scene.unit("Foe"), "destroyed")
    assert aims(scene, "Rifles") == ["Spears"]
    assert dice(scene, "Rifles", "Spears") == thrown


@pytest.mark.rule("VCC-088")
def test_a_gun_that_moved_and_pivoted_is_halved_once() -> None:
    scene = ready("british_guns", red("Gun", "D2", "field_gun", marks="gun_pivoted moved"), blue("Spears", "D6"))
    assert dice(scene, "Gun", "Spears") == 2


@pytest.mark.rule("VCC-067", "VCC-068", "VCC-091", "VCC-092")
def test_soft_cover_halves_hard_cover_quarters_and_only_the_better_counts() -> None:
    def under(letter: str, **more: Any) -> int:
        rows = [["."] * 7 for _ in range(7)]
        rows[7 - 4][3] = letter
        return dice(line(ground="\n".join("".join(row) for row in rows), **more), "Rifles", "Spears")

    assert under(".") == 6
    assert under("s") == 3
    assert under("r") == 2
    assert under("s", walls={("D4", "S"): "wall"}) == 2  # hard cover only: 6/4; both covers would be 6/8
    assert under("r", walls={("D4", "S"): "fence"}) == 2


@pytest.mark.rule("VCC-069")
def test_a_wall_shelters_only_from_shots_across_it() -> None:
    wall = {("D4", "S"): "wall"}
    assert dice(line(walls=wall), "Rifles", "Spears") == 2
    assert dice(line(walls={("D4", "N"): "wall"}), "Rifles", "Spears") == 6
    aside = ready("british_fire", red("Rifles", "B4", facing="E"), blue("Spears", "D4"), walls=wall)
    assert dice(aside, "Rifles", "Spears") == 6
    corner = ready("british_fire", red("Rifles", "C3"), blue("Spears", "D4"), walls=wall)
    assert dice(corner, "Rifles", "Spears") == 2, "through a corner one of the two sides is enough"
    inside = ready(
        "british_fire", red("Rifles", "D4"), blue("Spears", "D4"), walls=wall, ground="\n".join(["r" * 7] * 7)
    )
    assert dice(inside, "Rifles", "Spears") == 12, "no cover within one box, and the range is close"


@pytest.mark.rule("VCC-070")
def test_height_changes_no_fire_dice() -> None:
    rows = [["0"] * 7 for _ in range(7)]
    rows[7 - 2][3] = "2"
    assert dice(line(ground="\n".join("".join(row) for row in rows)), "Rifles", "Spears") == 6


@pytest.mark.rule("VCC-063")
@pytest.mark.setting("square_fire")
def test_a_square_fires_in_full_or_at_half() -> None:
    assert dice(line(red_marks="square"), "Rifles", "Spears") == 6
    assert dice(line(red_marks="square", square_fire="half"), "Rifles", "Spears") == 3
    assert dice(line(blue_marks="square", square_fire="half"), "Rifles", "Spears") == 6, "fire at a square is unchanged"


@pytest.mark.rule("VCC-063", "VCC-079")
def test_the_minimum_of_one_die_is_applied_last() -> None:
    assert dice(line(red_marks="square prone moved", blue_marks="prone", square_fire="half"), "Rifles", "Spears") == 1
    raw = line(quality="raw", at="D3")
    raw.unit("Rifles").bases, raw.unit("Rifles").leader = 1, False
    assert dice(raw, "Rifles", "Spears") == 1, "1 - 1 = 0, doubled 0, then 1 (not 2)"


@pytest.mark.rule("VCC-081", "VCC-097")
@pytest.mark.parametrize(
    ("weapon", "bands"),
    [
        ("musket", ["close", "close", "medium", None, None, None, None]),
        ("rifle", ["close", "close", "medium", "long", None, None, None]),
        ("machine_gun", ["close", "close", "close", "medium", "medium", "long", "long"]),
        ("artillery", ["close"] * 4 + ["medium"] * 3),
        ("rocket", ["close"] * 7),
    ],
)
def test_range_bands(weapon: str, bands: list[str | None]) -> None:
    scene = battlefield()
    row = [scene.box(f"D{number}") for number in range(1, 8)]
    assert [scene.battle.field.range_bands[weapon, row[0], box] for box in row] == bands


@pytest.mark.rule("VCC-082")
@pytest.mark.setting("diagonal_range")
def test_a_diagonal_box_counts_one_and_a_half_or_one() -> None:
    for value, (near, far) in {1.5: ("medium", "long"), 1: ("close", "medium")}.items():
        scene = battlefield(red("Rifles", "C3"), diagonal_range=value)
        rifles = scene.unit("Rifles")
        assert band_of(scene.battle, rifles, scene.box("D4")) == near
        assert band_of(scene.battle, rifles, scene.box("E5")) == far


@pytest.mark.rule("VCC-058")
def test_the_front_arc_is_a_quarter_with_its_edges() -> None:
    scene = battlefield(red("Rifles", "D4", facing="N"), red("Gun", "D4", "field_gun", facing="NE"))

    def in_arc(name: str) -> list[str]:
        near = ["D5", "E5", "E4", "E3", "D3", "C3", "C4", "C5", "D4"]
        return [label for label in near if in_front(scene.battle, scene.unit(name), scene.box(label))]

    assert in_arc("Rifles") == ["D5", "E5", "C5", "D4"]
    assert in_arc("Gun") == ["D5", "E5", "E4", "D4"]
    scene.unit("Rifles").mark("square")
    assert len(in_arc("Rifles")) == 9


@pytest.mark.rule("VCC-058", "VCC-093")
def test_targets_lie_in_range_in_front_and_in_sight() -> None:
    scene = ready(
        "british_fire",
        red("Rifles", "D4", facing="N"),
        blue("Ahead", "D6"),
        blue("Beside", "F4"),
        blue("Behind", "D2"),
        blue("Corner", "F6"),
        blue("Hidden", "D7"),
    )
    assert aims(scene, "Rifles") == ["Ahead", "Corner"]
    assert "Hidden" not in aims(scene, "Rifles"), "it stands behind the unit in D6"


@pytest.mark.rule("VCC-093", "VCC-038")
def test_a_unit_may_hold_fire_without_a_throw() -> None:
    scene = line()
    scene.play(("fire with", "Rifles"), ("fire at", "hold fire"), phase="british_fire")
    assert scene.told("fire") == []
    scene.play(("fire with", "done"), phase="british_fire")
    assert scene.told("fire") == []


# --- line of sight ----------------------------------------------------------------------------------------------------


def is_seen(ground: str, *men: Any) -> bool:
    scene = battlefield(*men, ground=ground)
    return sees(scene.battle, scene.box("A1"), scene.box("C1"))


@pytest.mark.rule("VCC-072")
@pytest.mark.parametrize(
    ("ground", "seen"),
    [
        ("...", True),
        (".s.", True),
        (".r.", True),
        (".w.", False),
        (".v.", False),
        ("w.w", True),
        (".1.", False),
        ("11.", True),
        (".11", True),
        ("121", False),
        ("2w.", False),
    ],
)
def test_terrain_and_units_that_block_sight_across_a_box(ground: str, seen: bool) -> None:
    assert is_seen(ground) is seen


@pytest.mark.rule("VCC-072")
def test_troops_block_sight_unless_an_end_is_higher() -> None:
    for man in (red("Friend", "B1"), blue("Enemy", "B1")):
        assert not is_seen("...", man)
        assert not is_seen("11.", man)
        assert is_seen("1..", man)
        assert is_seen("..1", man)
        assert is_seen("211", man)


@pytest.mark.rule("VCC-072")
def test_neighbours_always_see_each_other_and_corners_do_not_block() -> None:
    scene = battlefield(red("Left", "A2"), red("Right", "B1"), ground="w w w\nw w w\nw w w")
    assert sees(scene.battle, scene.box("A1"), scene.box("B2"))
    assert sees(scene.battle, scene.box("A1"), scene.box("A1"))
    open_diagonal = battlefield(ground="w w .\nw . w\n. w w")
    assert sees(open_diagonal.battle, open_diagonal.box("A1"), open_diagonal.box("C3"))


# --- units that may not fire ------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-095", "VCC-154", "VCC-054")
def test_broken_units_hold_their_fire_and_prone_ones_may_shoot() -> None:
    assert may_fire(line(red_marks="prone").battle, line().unit("Rifles"))
    broken = line(red_marks="prone broken")
    assert not may_fire(broken.battle, broken.unit("Rifles"))


@pytest.mark.rule("VCC-076", "VCC-020")
@pytest.mark.setting("mounted_fire")
def test_riders_fire_only_dismounted_or_by_the_setting() -> None:
    for allowed in (False, True):
        scene = ready("british_fire", red("Camels", "D2", "camel_corps"), blue("Spears", "D4"), mounted_fire=allowed)
        assert may_fire(scene.battle, scene.unit("Camels")) is allowed
        scene.unit("Camels").mark("dismounted")
        assert may_fire(scene.battle, scene.unit("Camels"))


@pytest.mark.rule("VCC-036")
def test_small_arms_and_crewed_weapons_fire_in_their_own_steps() -> None:
    scene = battlefield(
        red("Rifles", "D2"),
        red("Gun", "E2", "field_gun"),
        red("Maxim", "F2", "machine_gun"),
        red("Rockets", "C2", "rocket_section"),
        red("Wagon", "B2", "wagon_section"),
    )
    names = ["Rifles", "Gun", "Maxim", "Rockets", "Wagon"]
    scene.battle.phase = "british_guns"
    assert [name for name in names if may_fire(scene.battle, scene.unit(name))] == ["Gun", "Maxim", "Rockets"]
    scene.battle.phase = "british_fire"
    assert [name for name in names if may_fire(scene.battle, scene.unit(name))] == ["Rifles"]


# --- contacts ---------------------------------------------------------------------------------------------------------


def charged(rule: str) -> Scene:
    """Spears have charged the rifles this turn. Other rifles look on; more spears are in the box without contact."""
    return ready(
        "british_fire",
        red("Rifles", "D4"),
        red("Others", "D3"),
        blue("Spears", "D4", marks="charged moved", bases=4),
        blue("Free", "D4", bases=4),
        contacts=[Contact("Spears", "Rifles", False, False, "none", 1)],
        fire_into_contact=rule,
    )


@pytest.mark.rule("VCC-094", "VCC-096", "VCC-008")
@pytest.mark.setting("fire_into_contact")
@pytest.mark.parametrize(
    ("rule", "charged_unit", "onlookers"),
    [
        ("charge_turn", ["Spears"], ["Free"]),
        ("never", [], ["Free"]),
        ("always", ["Spears", "Free"], ["Spears", "Free"]),
    ],
)
def test_fire_by_and_at_units_in_contact(rule: str, charged_unit: list[str], onlookers: list[str]) -> None:
    scene = charged(rule)
    assert may_fire(scene.battle, scene.unit("Rifles")) is bool(charged_unit)
    if charged_unit:
        assert aims(scene, "Rifles") == charged_unit
    assert aims(scene, "Others") == onlookers


@pytest.mark.rule("VCC-094", "VCC-008")
def test_enemies_in_one_box_without_contact_shoot_at_each_other() -> None:
    scene = ready("british_fire", red("Rifles", "D4"), blue("Spears", "D4"))
    assert aims(scene, "Rifles") == ["Spears"]
    assert dice(scene, "Rifles", "Spears") == 12


@pytest.mark.rule("VCC-094")
def test_a_charger_may_fire_only_in_the_turn_of_its_charge() -> None:
    scene = charged("charge_turn")
    scene.battle.turn = 2
    assert not may_fire(scene.battle, scene.unit("Rifles"))


@pytest.mark.rule("VCC-096")
def test_a_charger_does_not_shoot_even_at_one_who_charged_it_in_turn() -> None:
    scene = ready(
        "native_fire",
        red("Lancers", "D4", "regular_cavalry", marks="charged"),
        red("Prey", "D4"),
        blue("Jezails", "D4", "irregular_firearms", marks="charged"),
        contacts=[
            Contact("Jezails", "Prey", False, False, "none", 1),
            Contact("Lancers", "Jezails", False, False, "none", 1),
        ],
    )
    assert targets_despite_contact(scene.battle, scene.unit("Jezails")) == set()
    assert not may_fire(scene.battle, scene.unit("Jezails"))


@pytest.mark.rule("VCC-038")
def test_a_destroyed_target_opens_the_way_to_those_behind_it() -> None:
    scene = battlefield(
        red("First", "C3"),
        red("Second", "D3"),
        blue("Screen", "D5", bases=1, leader=False),
        blue("Behind", "D6"),
    )
    assert aims(scene, "Second") == ["Screen"]
    scene.play(
        ("fire with", "First"),
        ("fire at", "Screen"),
        ("fire", [2, 1, 1]),  # range 2.5 is long: half of six dice; 4 hits remove no base
        ("fire with", "Second"),
        ("fire at", "Screen"),
        ("fire", [2, 1, 1, 1, 1, 1]),
        phase="british_fire",
    )
    assert scene.battle.gone == {"Screen": "destroyed"}
    assert scene.unit("Behind").strength == 10


@pytest.mark.rule("VCC-038", "VCC-096")
def test_a_charger_whose_enemy_is_shot_down_may_fire_after_all() -> None:
    scene = battlefield(
        red("Charged", "D4"),
        red("Helpers", "D4", marks="charged moved"),
        blue("Spears", "D4", bases=1, leader=False, marks="charged"),
        blue("Others", "D5"),
        contacts=[
            Contact("Spears", "Charged", False, False, "none", 1),
            Contact("Helpers", "Spears", False, False, "none", 1),
        ],
    )
    scene.play(
        ("fire with", "Charged"),
        ("fire at", "Spears"),
        ("fire", [1] * 12),
        ("fire with", "Helpers"),
        ("fire at", "Others"),
        ("fire", [1] * 6),
        ("morale", 1),
        phase="british_fire",
    )
    assert scene.battle.gone == {"Spears": "destroyed"}
    assert scene.unit("Others").strength == 9


@pytest.mark.rule("VCC-038")
def test_a_unit_that_held_its_fire_is_not_asked_again() -> None:
    scene = battlefield(
        red("First", "C4"), red("Second", "D4"), blue("Near", "C5", bases=1, leader=False), blue("Far", "D5")
    )
    scene.play(
        ("fire with", "First"),
        ("fire at", "hold fire"),
        ("fire with", "Second"),
        ("fire at", "Near"),
        ("fire", [1] * 6),
        phase="british_fire",
    )
    assert scene.battle.gone == {"Near": "destroyed"}
    assert "held" not in scene.marks("First"), "it is forgotten when the step is over"
