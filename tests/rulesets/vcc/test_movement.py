"""Movement, charges, formations, facing, ground."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Scene, Script, battlefield, blue, red

from zareba.space.grid.boxes import COMPASS, E, N, S, W
from zareba.table import ScriptedTable
from zareba_rulesets.vcc.chapters.army_commander import commander_boxes
from zareba_rulesets.vcc.chapters.movement import allowance, charge, charge_targets, facings, may_act, move_unit
from zareba_rulesets.vcc.forces import Contact, ScenarioObject
from zareba_rulesets.vcc.presentation.words import event_sentence

KINDS = {
    "foot": "regular_infantry",
    "mounted": "regular_cavalry",
    "machine_gun": "machine_gun",
    "rocket": "rocket_section",
    "wagon": "wagon_section",
    "artillery": "field_gun",
}


def go(scene: Scene, label: str) -> Script:
    return ("move", ("go", scene.box(label)))


def move(scene: Scene, name: str, *script: Script) -> None:
    scene.run(move_unit, scene.unit(name), script=script)


def offered(scene: Scene, name: str) -> dict[str, list[str]]:
    """Return the options of a unit at the start of its move: boxes, charges and other acts."""

    class Asked(Exception):
        pass

    found: dict[str, list[str]] = {"go": [], "charge": [], "else": []}

    class Asking(ScriptedTable):
        def choose(self, seat: str, options: Any, **_: Any) -> Any:
            for option in options:
                if isinstance(option, tuple):
                    where = scene.battle.field.grid.label(option[1]) if option[0] == "go" else option[1]
                    found[option[0]].append(where)
                else:
                    found["else"].append(str(option))
            raise Asked

    with pytest.raises(Asked):
        move_unit(Asking(scene.rules, scene.battle, []), scene.battle, scene.unit(name))
    return found


@pytest.mark.rule("VCC-040", "VCC-019")
def test_allowances_in_boxes() -> None:
    found = {}
    for troop, profile in KINDS.items():
        scene = battlefield(red("Unit", "D4", profile))
        found[troop] = allowance(scene.battle, scene.unit("Unit"))
    assert found == {"foot": 1, "mounted": 2, "machine_gun": 1, "rocket": 1, "wagon": 1, "artillery": 0}


@pytest.mark.rule("VCC-040", "VCC-046", "VCC-048")
def test_a_unit_moves_its_boxes_and_turns_once_at_the_end() -> None:
    foot = battlefield(red("Unit", "D4"))
    move(foot, "Unit", go(foot, "D5"), ("face", E))
    assert (foot.at("Unit"), foot.unit("Unit").facing, foot.marks("Unit")) == ("D5", E, {"moved"})
    riders = battlefield(red("Unit", "D4", "regular_cavalry"))
    move(riders, "Unit", go(riders, "D5"), go(riders, "E6"), ("face", N))
    assert riders.at("Unit") == "E6"


@pytest.mark.rule("VCC-006")
@pytest.mark.setting("diagonal_move")
def test_eight_neighbours_or_four() -> None:
    free = battlefield(red("Unit", "D4"))
    assert sorted(offered(free, "Unit")["go"]) == sorted(["D5", "E5", "E4", "E3", "D3", "C3", "C4", "C5"])
    strict = battlefield(red("Unit", "D4"), blue("Foe", "E5"), diagonal_move="orthogonal")
    assert sorted(offered(strict, "Unit")["go"]) == sorted(["D5", "E4", "D3", "C4"])
    assert offered(strict, "Unit")["charge"] == []


@pytest.mark.rule("VCC-007", "VCC-052")
@pytest.mark.setting("stack_points")
def test_a_box_holds_four_points_of_a_side_and_may_be_passed_when_full() -> None:
    men = (red("Riders", "D4", "regular_cavalry"), red("A", "D5"), red("B", "D5"), blue("Foe", "A7"))
    scene = battlefield(*men)
    assert "D5" in offered(scene, "Riders")["go"], "riders may pass through"
    move(scene, "Riders", go(scene, "D5"), go(scene, "D6"), ("face", N))
    assert scene.at("Riders") == "D6"
    foot = battlefield(red("Foot", "D4"), *men[1:])
    assert "D5" not in offered(foot, "Foot")["go"]
    roomy = battlefield(red("Foot", "D4"), *men[1:], stack_points=6)
    assert "D5" in offered(roomy, "Foot")["go"]
    guns = battlefield(red("Maxim", "D4", "machine_gun"), red("A", "D5"), red("Gun", "D5", "field_gun"))
    assert "D5" in offered(guns, "Maxim")["go"], "a weapon is one point"
    assert foot.battle.has_room(foot.box("D5"), foot.unit("A")), "a unit already there counts once"


@pytest.mark.rule("VCC-007", "VCC-008")
def test_the_box_limit_counts_each_side_separately() -> None:
    scene = battlefield(red("A", "D4"), blue("B", "D5"), blue("C", "D5"))
    assert offered(scene, "A")["charge"] == ["B", "C"]


@pytest.mark.rule("VCC-048")
@pytest.mark.parametrize("marks", ["prone", "prone broken"])
def test_prone_and_broken_units_neither_move_nor_turn(marks: str) -> None:
    scene = battlefield(red("Unit", "D4", marks=marks))
    assert not may_act(scene.battle, scene.unit("Unit"))


@pytest.mark.rule("VCC-053", "VCC-054", "VCC-065")
def test_units_prone_from_morale_are_not_asked_to_move() -> None:
    scene = battlefield(red("Prone", "D4", marks="prone"), red("Free", "C4"))
    scene.begin("british_moves")
    assert scene.battle.phase == "british_moves"
    scene.play(("rally", 6), ("move with", "done"))
    assert scene.marks("Prone") == set(), "6 of 6 bases rallies"
    broken = battlefield(red("Broken", "D4", marks="prone broken", bases=1), red("Free", "C4"))
    broken.play(("rally", 6), ("move with", "Free"), ("move", "stay"), ("face", N), phase="british_moves")
    assert broken.battle.phase != "british_moves", "nobody else was left to move"


@pytest.mark.rule("VCC-039", "VCC-026", "VCC-169")
def test_a_wagon_that_has_arrived_cannot_act() -> None:
    """A wagon cannot turn after arriving, so it has no act left. All other units may still turn."""
    for profile, more in (("wagon_section", False), ("machine_gun", True), ("regular_infantry", True)):
        scene = battlefield(red("Unit", "D4", profile))
        assert may_act(scene.battle, scene.unit("Unit"))
        scene.unit("Unit").mark("arrived")
        assert may_act(scene.battle, scene.unit("Unit")) is more


@pytest.mark.rule("VCC-026", "VCC-048")
def test_facings_by_class_of_troops() -> None:
    for troop, profile in KINDS.items():
        ways = facings(battlefield(red("Unit", "D4", profile)).unit("Unit"))
        assert len(ways) == {"foot": 4, "mounted": 4, "wagon": 1}.get(troop, 8)


@pytest.mark.rule("VCC-046")
@pytest.mark.setting("pivot_counts_as_move")
def test_turning_counts_as_moving_only_by_the_setting() -> None:
    for value, moved in (("guns_only", set()), ("all", {"moved"})):
        scene = battlefield(red("Unit", "D4"), pivot_counts_as_move=value)
        move(scene, "Unit", ("move", "stay"), ("face", E))
        assert scene.marks("Unit") == moved


# --- charges ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-049", "VCC-050", "VCC-165")
@pytest.mark.parametrize("troop", KINDS)
def test_only_troops_of_the_line_enter_boxes_with_enemies(troop: str) -> None:
    scene = battlefield(red("Unit", "D4", KINDS[troop]), blue("Foe", "D5"))
    assert [foe.id for foe in charge_targets(scene.battle, scene.unit("Unit"))] == (
        ["Foe"] if troop in ("foot", "mounted") else []
    )
    if troop != "artillery":
        assert "D5" not in offered(scene, "Unit")["go"]


@pytest.mark.rule("VCC-050", "VCC-049", "VCC-120")
def test_a_charge_makes_contact_and_ends_the_move() -> None:
    scene = battlefield(red("Riders", "D3", "regular_cavalry"), blue("Foe", "D5"), blue("Other", "D5"))
    move(scene, "Riders", go(scene, "D4"), ("move", ("charge", "Other")))
    assert scene.battle.contacts == [Contact("Riders", "Other", False, False, "none", 1)]
    assert (scene.at("Riders"), scene.marks("Riders")) == ("D5", {"moved", "charged"})


@pytest.mark.rule("VCC-052", "VCC-050")
def test_riders_charge_through_a_box_full_of_friends_even_if_they_could_not_stop_elsewhere() -> None:
    rows = "xxxxxxx\nxxxxxxx\nxxx.xxx\nxxx.xxx\nxxx.xxx\nxxxxxxx\nxxxxxxx"
    friends = [red("A", "D4"), red("B", "D4")]
    scene = battlefield(red("Riders", "D3", "regular_cavalry"), blue("Foe", "D5"), *friends, ground=rows)
    assert offered(scene, "Riders")["go"] == ["D4"]
    move(scene, "Riders", go(scene, "D4"), ("move", ("charge", "Foe")))
    assert scene.battle.contacts == [Contact("Riders", "Foe", False, False, "none", 1)]
    foot = battlefield(red("Foot", "D3"), blue("Foe", "D5"), *friends, ground=rows)
    assert offered(foot, "Foot")["go"] == []


@pytest.mark.rule("VCC-050", "VCC-046", "VCC-071")
def test_a_charge_on_the_spot_is_frontal_level_without_cover_and_no_movement() -> None:
    scene = battlefield(red("Unit", "D4"), blue("Foe", "D4", facing="N"), ground="\n".join(["r" * 7] * 7))
    assert offered(scene, "Unit")["charge"] == ["Foe"]
    scene.run(charge, scene.unit("Unit"), scene.unit("Foe"))
    assert scene.battle.contacts == [Contact("Unit", "Foe", False, False, "none", 1)]
    assert scene.marks("Unit") == {"charged"}, "it has left no box and entered none"


@pytest.mark.rule("VCC-050", "VCC-061")
@pytest.mark.parametrize("marks", ["square", "arrived"])
def test_squares_and_units_that_have_arrived_may_not_charge(marks: str) -> None:
    scene = battlefield(red("Unit", "D4", marks=marks), blue("Foe", "D5"))
    assert charge_targets(scene.battle, scene.unit("Unit")) == []


@pytest.mark.rule("VCC-007", "VCC-050")
def test_a_charge_needs_room_in_the_box() -> None:
    scene = battlefield(red("Unit", "D4"), red("A", "D5"), red("B", "D5"), blue("Foe", "D5"))
    assert offered(scene, "Unit")["charge"] == []


@pytest.mark.rule("VCC-059")
@pytest.mark.parametrize("facing", ["N", "NE"])
def test_front_and_flank(facing: str) -> None:
    front = {"N": ["NW", "N", "NE"], "NE": ["N", "NE", "E"]}[facing]
    profile = "regular_infantry" if facing == "N" else "field_gun"
    around = dict(zip(COMPASS, ["D5", "E5", "E4", "E3", "D3", "C3", "C4", "C5"], strict=True))
    for way, label in around.items():
        scene = battlefield(blue("Charger", label), red("Charged", "D4", profile, facing=facing))
        scene.run(charge, scene.unit("Charger"), scene.unit("Charged"))
        assert scene.battle.contacts[0].flank is (way not in front), way


@pytest.mark.rule("VCC-059", "VCC-060")
def test_wagons_and_squares_have_no_flank() -> None:
    for charged in (red("Charged", "D4", "wagon_section"), red("Charged", "D4", marks="square")):
        scene = battlefield(blue("Charger", "D3"), charged)
        scene.run(charge, scene.unit("Charger"), scene.unit("Charged"))
        assert not scene.battle.contacts[0].flank


@pytest.mark.rule("VCC-070", "VCC-071", "VCC-069")
def test_a_charge_records_the_slope_and_the_cover_of_its_target() -> None:
    rows = "0000000\n0000000\n0001000\n0000000\n0000000\n0000000\n0000000"
    scene = battlefield(red("Unit", "D4"), blue("Foe", "D5"), ground=rows, walls={("D5", "S"): "fence"})
    scene.run(charge, scene.unit("Unit"), scene.unit("Foe"))
    assert scene.battle.contacts == [Contact("Unit", "Foe", False, True, "soft", 1)]
    down = battlefield(red("Unit", "D5"), blue("Foe", "D4", facing="N"), ground=rows)
    down.run(charge, down.unit("Unit"), down.unit("Foe"))
    assert not down.battle.contacts[0].uphill


@pytest.mark.rule("VCC-051")
@pytest.mark.setting("contact_pins")
def test_contact_pins_a_unit_only_by_the_setting() -> None:
    held = [Contact("Foe", "Unit", False, False, "none", 1)]
    pinned = battlefield(red("Unit", "D4"), blue("Foe", "D4"), contacts=held)
    assert not may_act(pinned.battle, pinned.unit("Unit"))
    free = battlefield(red("Unit", "D4"), blue("Foe", "D4"), blue("Far", "D5"), contacts=held, contact_pins=False)
    assert may_act(free.battle, free.unit("Unit"))
    found = offered(free, "Unit")
    assert "D5" not in found["go"]
    assert (found["charge"], found["else"]) == ([], ["stay"])
    move(free, "Unit", go(free, "D3"), ("face", N))
    assert (free.at("Unit"), free.at("Foe"), free.battle.contacts) == ("D3", "D4", [])
    stays = battlefield(red("Unit", "D4"), blue("Foe", "D4"), contacts=held, contact_pins=False)
    move(stays, "Unit", ("move", "stay"))


@pytest.mark.rule("VCC-050", "VCC-051", "VCC-052")
@pytest.mark.setting("contact_pins")
def test_a_unit_that_leaves_contact_cannot_charge_in_the_same_move() -> None:
    """A unit may leave contact for a box without enemies (VCC-051), but then it may not charge (VCC-050)."""
    held = [Contact("Foe", "Riders", False, False, "none", 1)]
    men = (red("Riders", "D4", "regular_cavalry"), blue("Foe", "D4", facing="S"), blue("Other", "D6"))
    scene = battlefield(*men, contacts=held, contact_pins=False)
    move(scene, "Riders", go(scene, "D5"), ("move", "stay"), ("face", N))
    for foe in ("Foe", "Other"):
        again = battlefield(*men, contacts=held, contact_pins=False)
        with pytest.raises(AssertionError, match="is not an answer to 'move'"):
            move(again, "Riders", go(again, "D5"), ("move", ("charge", foe)))
    full = battlefield(*men, red("A", "D5"), red("B", "D5"), contacts=held, contact_pins=False)
    rows = ["xxxxxxx", "xxx.xxx", "xxx.xxx", "xxx.xxx", "xxxxxxx", "xxxxxxx", "xxxxxxx"]
    shut = battlefield(*men, red("A", "D5"), red("B", "D5"), contacts=held, contact_pins=False, ground="\n".join(rows))
    assert "D5" in offered(full, "Riders")["go"], "past the enemy behind it"
    assert offered(shut, "Riders")["go"] == [], "a full box from which only a charge would lead on"


@pytest.mark.rule("VCC-050", "VCC-051")
@pytest.mark.setting("contact_pins")
@pytest.mark.parametrize("pins", [True, False])
def test_contact_between_other_units_neither_pins_a_unit_nor_bars_its_charge(pins: bool) -> None:
    scene = battlefield(
        red("Riders", "D3", "regular_cavalry"),
        red("Fighting", "A6"),
        blue("Fought", "A6"),
        blue("Foe", "D5"),
        contacts=[Contact("Fought", "Fighting", False, False, "none", 1)],
        contact_pins=pins,
    )
    assert may_act(scene.battle, scene.unit("Riders"))
    assert may_act(scene.battle, scene.unit("Fighting")) is not pins
    move(scene, "Riders", go(scene, "D4"), ("move", ("charge", "Foe")))
    assert scene.battle.contacts[-1].charger == "Riders"


# --- squares, lying down, saddles -------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-061", "VCC-046", "VCC-064", "VCC-023")
def test_regular_infantry_forms_and_leaves_square_instead_of_moving() -> None:
    scene = battlefield(red("Unit", "D4"))
    move(scene, "Unit", ("move", "form square"))
    assert scene.marks("Unit") == {"square", "moved"}
    scene.unit("Unit").unmark("moved")
    move(scene, "Unit", ("move", "leave square"), ("face", E))
    assert scene.marks("Unit") == {"moved"}
    assert "form square" not in offered(battlefield(blue("Unit", "D4")), "Unit")["else"]


@pytest.mark.rule("VCC-062")
@pytest.mark.setting("square_may_move")
def test_a_square_moves_a_box_or_stands() -> None:
    moving = battlefield(red("Unit", "D4", marks="square"), blue("Foe", "D5"))
    found = offered(moving, "Unit")
    assert len(found["go"]) == 7, "all neighbours but the one with enemies"
    move(moving, "Unit", go(moving, "D3"))
    assert "square" in moving.marks("Unit")
    standing = battlefield(red("Unit", "D4", marks="square"), square_may_move=False)
    assert offered(standing, "Unit") == {"go": [], "charge": [], "else": ["stay", "leave square"]}


@pytest.mark.rule("VCC-066")
@pytest.mark.setting("voluntary_prone")
def test_foot_lies_down_and_gets_up_by_the_setting() -> None:
    assert "lie down" not in offered(battlefield(red("Unit", "D4")), "Unit")["else"]
    scene = battlefield(red("Unit", "D4"), red("Riders", "C4", "regular_cavalry"), voluntary_prone="yes")
    assert "lie down" not in offered(scene, "Riders")["else"]
    move(scene, "Unit", ("move", "lie down"))
    assert scene.marks("Unit") == {"prone", "lying"}
    assert offered(scene, "Unit") == {"go": [], "charge": [], "else": ["stay", "get up"]}
    move(scene, "Unit", ("move", "get up"))
    assert scene.marks("Unit") == {"moved"}


@pytest.mark.rule("VCC-024", "VCC-061", "VCC-066")
@pytest.mark.parametrize(
    ("act", "marks", "told", "rule"),
    [
        ("form square", "", "Unit formed square", "VCC-061"),
        ("leave square", "square", "Unit left square", "VCC-061"),
        ("dismount", "", "Unit dismounted", "VCC-024"),
        ("mount", "dismounted", "Unit mounted", "VCC-024"),
        ("lie down", "", "Unit lay down", "VCC-066"),
        ("get up", "prone lying", "Unit got up", "VCC-066"),
    ],
)
def test_every_change_of_formation_is_an_event(act: str, marks: str, told: str, rule: str) -> None:
    profile = "camel_corps" if "mount" in act else "regular_infantry"
    scene = battlefield(red("Unit", "D4", profile, marks=marks), voluntary_prone="yes")
    riding_on: list[Script] = [("move", "stay")] if "mount" in act else []
    turning: list[Script] = [("face", N)] if "mount" in act or act == "leave square" else []
    move(scene, "Unit", ("move", act), *riding_on, *turning)
    specs = {"Unit": scene.unit("Unit").spec}
    [event] = scene.events
    assert (event_sentence(specs, scene.battle.field.grid, event), event.rule) == (told, rule)


@pytest.mark.rule("VCC-024", "VCC-046", "VCC-020")
@pytest.mark.setting("dismount")
def test_camel_corps_rides_a_box_and_dismounts() -> None:
    off = battlefield(red("Camels", "D4", "camel_corps"), dismount="off")
    assert "dismount" not in offered(off, "Camels")["else"]
    scene = battlefield(red("Camels", "D4", "camel_corps", regular_on_foot=True))
    move(scene, "Camels", go(scene, "D5"), ("move", "dismount"), ("face", N))
    unit = scene.unit("Camels")
    assert scene.marks("Camels") == {"moved", "dismounted"}
    assert (unit.mounted, unit.troop, unit.regular) == (False, "foot", True)
    assert allowance(scene.battle, unit) == 1
    assert "dismount" not in offered(battlefield(red("Cavalry", "D4", "regular_cavalry")), "Cavalry")["else"]


@pytest.mark.rule("VCC-024")
def test_mounting_costs_one_of_two_boxes_and_only_once() -> None:
    scene = battlefield(red("Boers", "D4", "mounted_european_irregular", marks="dismounted"))
    move(scene, "Boers", ("move", "mount"), go(scene, "D5"), ("face", N))
    assert (scene.at("Boers"), scene.unit("Boers").mounted) == ("D5", True)
    again = battlefield(red("Boers", "D4", "mounted_european_irregular"))
    with pytest.raises(AssertionError, match="is not an answer to 'move'"):
        move(again, "Boers", ("move", "dismount"), ("move", "mount"))


@pytest.mark.rule("VCC-024", "VCC-046", "VCC-040")
def test_dismounted_men_walk_one_box_and_mount_for_the_second() -> None:
    scene = battlefield(red("Boers", "D4", "mounted_european_irregular", marks="dismounted"))
    move(scene, "Boers", go(scene, "D5"), ("move", "mount"), ("face", N))
    assert (scene.at("Boers"), scene.marks("Boers")) == ("D5", {"moved"})
    stays = battlefield(red("Boers", "D4", "mounted_european_irregular", marks="dismounted"))
    move(stays, "Boers", go(stays, "D5"), ("move", "stay"), ("face", N))
    assert stays.marks("Boers") == {"moved", "dismounted"}
    with pytest.raises(AssertionError, match="is not an answer to 'move'"):
        move(stays, "Boers", go(stays, "D6"), go(stays, "D7"))
    foot = battlefield(red("Foot", "D4"))
    move(foot, "Foot", go(foot, "D5"), ("face", N))
    off = battlefield(red("Boers", "D4", "mounted_european_irregular", marks="dismounted"), dismount="off")
    move(off, "Boers", go(off, "D5"), ("face", N))


@pytest.mark.rule("VCC-024", "VCC-040", "VCC-007")
def test_riders_do_not_dismount_in_a_full_box_that_they_pass() -> None:
    riders, friends = red("Boers", "D4", "mounted_european_irregular"), (red("A", "D5"), red("B", "D5"))
    roomy = battlefield(riders, friends[0])
    move(roomy, "Boers", go(roomy, "D5"), ("move", "dismount"), ("face", N))
    assert roomy.marks("Boers") == {"moved", "dismounted"}
    full = battlefield(riders, *friends)
    with pytest.raises(AssertionError, match="is not an answer to 'move'"):
        move(full, "Boers", go(full, "D5"), ("move", "dismount"))


@pytest.mark.rule("VCC-024", "VCC-055")
def test_riders_neither_mount_nor_dismount_after_difficult_ground_ends_their_move() -> None:
    ford = "...\nfff\n..."
    for marks in ("", "dismounted"):
        scene = battlefield(red("Boers", "B1", "mounted_european_irregular", marks=marks), ground=ford)
        move(scene, "Boers", go(scene, "B2"), ("face", N))
        assert scene.at("Boers") == "B2"


@pytest.mark.rule("VCC-024", "VCC-046")
@pytest.mark.parametrize("act", ["mount", "dismount"])
def test_mounting_or_dismounting_on_the_spot_counts_as_moving(act: str) -> None:
    marks = "dismounted" if act == "mount" else ""
    scene = battlefield(red("Boers", "D4", "mounted_european_irregular", marks=marks))
    move(scene, "Boers", ("move", act), ("move", "stay"), ("face", N))
    assert scene.at("Boers") == "D4"
    assert "moved" in scene.marks("Boers")


@pytest.mark.rule("VCC-024", "VCC-007")
def test_a_unit_in_an_overfull_box_may_dismount_and_stay() -> None:
    foes = (blue("X", "C3"), blue("Y", "C4"), blue("Z", "C5"), blue("V", "E3"), blue("U", "E4"), blue("T", "E5"))
    friends = (red("A", "D4"), red("B", "D4"), red("C", "D3"), red("E", "D3"), red("F", "D5"), red("G", "D5"))
    scene = battlefield(red("Boers", "D4", "mounted_european_irregular"), *foes, *friends)
    move(scene, "Boers", ("move", "dismount"), ("move", "stay"), ("face", N))
    assert scene.at("Boers") == "D4"


# --- ground -----------------------------------------------------------------------------------------------------------


def crossing(letter: str, profile: str, **more: Any) -> dict[str, list[str]]:
    """Return the options of a unit just south of a band of ground."""
    ground = "...\n" + letter * 3 + "\n..."
    return offered(battlefield(red("Unit", "B1", profile), ground=ground, **more), "Unit")


@pytest.mark.rule("VCC-055", "VCC-067")
@pytest.mark.parametrize(
    ("letter", "closed_to"),
    [
        (".", []),
        ("s", []),
        ("w", ["machine_gun", "rocket", "wagon"]),
        ("r", ["machine_gun", "rocket", "wagon"]),
        ("v", ["machine_gun", "rocket", "wagon"]),
        ("m", ["machine_gun", "rocket", "wagon"]),
        ("f", ["machine_gun", "rocket", "wagon"]),
        ("x", ["foot", "mounted", "machine_gun", "rocket", "wagon"]),
    ],
)
def test_ground_closed_to_each_class_of_troops(letter: str, closed_to: list[str]) -> None:
    moving = [troop for troop in KINDS if troop != "artillery"]
    assert [troop for troop in moving if "B2" not in crossing(letter, KINDS[troop])["go"]] == closed_to


@pytest.mark.rule("VCC-055")
@pytest.mark.parametrize(
    ("letter", "opened"), [("w", True), ("v", True), ("f", True), ("r", False), ("m", False), ("x", False)]
)
def test_a_road_opens_some_ground_to_wheels(letter: str, opened: bool) -> None:
    assert ("B2" in crossing(letter, "machine_gun", roads=["B2"])["go"]) is opened


@pytest.mark.rule("VCC-055")
@pytest.mark.parametrize(("letter", "rides_on"), [("s", True), ("w", True), ("r", True), ("v", True), ("f", False)])
def test_on_a_road_difficult_ground_does_not_end_the_move_of_riders(letter: str, rides_on: bool) -> None:
    scene = battlefield(red("Unit", "B1", "regular_cavalry"), ground="...\n" + letter * 3 + "\n...", roads=["B2"])
    way = scene.battle.field.step("mounted", scene.box("B1"), N)
    assert way is not None
    assert way.ends is not rides_on


@pytest.mark.rule("VCC-055")
@pytest.mark.setting("terrain_movement")
@pytest.mark.parametrize("letter", "swrvmf")
def test_difficult_ground_ends_the_move_of_riders(letter: str) -> None:
    ground = f"...\n{letter * 3}\n..."
    slow = battlefield(red("Riders", "B1", "regular_cavalry"), ground=ground)
    move(slow, "Riders", go(slow, "B2"), ("face", N))
    assert slow.at("Riders") == "B2"
    fast = battlefield(red("Riders", "B1", "regular_cavalry"), ground=ground, terrain_movement="off")
    move(fast, "Riders", go(fast, "B2"), go(fast, "B3"), ("face", N))
    assert fast.at("Riders") == "B3"


@pytest.mark.rule("VCC-055", "VCC-050")
def test_riders_do_not_charge_into_buildings_or_across_obstacles() -> None:
    def may_charge(profile: str, **more: Any) -> bool:
        scene = battlefield(red("Unit", "B1", profile), blue("Foe", "B2"), **more)
        return bool(charge_targets(scene.battle, scene.unit("Unit")))

    village = "...\nvvv\n..."
    fence = {("B2", "S"): "fence"}
    assert not may_charge("regular_cavalry", ground=village)
    assert not may_charge("regular_cavalry", walls=fence)
    assert may_charge("regular_infantry", ground=village)
    assert may_charge("regular_infantry", walls=fence)
    assert may_charge("regular_cavalry", ground="...\nsss\n...")


@pytest.mark.rule("VCC-055", "VCC-069")
def test_walls_stop_riders_and_wheels_except_at_a_gate() -> None:
    wall = {("B2", "S"): "wall"}
    plain = "...\n...\n..."
    for profile in ("regular_cavalry", "machine_gun"):
        shut = battlefield(red("Unit", "B1", profile), ground=plain, walls=wall)
        assert "B2" not in offered(shut, "Unit")["go"]
        gate = battlefield(red("Unit", "B1", profile), ground=plain, walls=wall, gates=[("B2", "S")])
        assert "B2" in offered(gate, "Unit")["go"]
    foot = battlefield(red("Unit", "B1"), ground=plain, walls=wall)
    assert "B2" in offered(foot, "Unit")["go"]


# --- commanders, leaving the table ------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-056", "VCC-171")
def test_a_commander_rides_two_boxes_round_the_enemy_and_joins_a_unit() -> None:
    scene = battlefield(red("Unit", "D4"), blue("Foe", "D6"), commanders={"red": ("D3", "")})
    scene.play(
        ("move with", "done"), ("commander to", scene.box("D4")), ("attach commander to", "Unit"), phase="british_moves"
    )
    commander = scene.battle.commanders["red"]
    assert (commander.box, commander.unit) == (scene.box("D4"), "Unit")
    [event] = [event for event in scene.events if event.kind == "commander moved"]
    assert event_sentence({}, scene.battle.field.grid, event) == "commander of red, commander of red, went to D4"
    grid = scene.battle.field.grid
    joined = "commander of red, commander of red, joined Unit"
    assert [event_sentence({}, grid, e) for e in scene.events if e.kind == "commander attached"] == [joined]
    script = [("move with", "done"), ("commander to", scene.box("D4")), ("attach commander to", "Unit")]
    scene.play(*script, phase="british_moves")
    assert scene.told("commander attached") == [], "nothing is new"
    scene.play(*script[:2], ("attach commander to", "alone"), phase="british_moves")
    alone = "commander of red, commander of red, is no longer attached to a unit"
    assert [event_sentence({}, grid, e) for e in scene.events if e.kind == "commander attached"] == [alone]
    commander.unit = "Unit"
    with pytest.raises(AssertionError, match="is not an answer to 'commander to'"):
        scene.play(("move with", "done"), ("commander to", scene.box("D6")), phase="british_moves")
    with pytest.raises(AssertionError, match="is not an answer to 'commander to'"):
        scene.play(("move with", "done"), ("commander to", scene.box("D7")), phase="british_moves")


@pytest.mark.rule("VCC-056", "VCC-055")
@pytest.mark.setting("terrain_movement")
@pytest.mark.parametrize(
    ("letter", "roads", "value", "reached"),
    [
        (".", (), "standin", "A1 A2 A3"),
        ("s", (), "standin", "A1 A2"),
        ("v", (), "standin", "A1 A2"),
        ("s", ("A2",), "standin", "A1 A2 A3"),
        ("s", (), "off", "A1 A2 A3"),
        ("x", (), "standin", "A1"),
    ],
)
def test_a_commander_goes_on_after_a_box_only_if_mounted_troops_could(
    letter: str, roads: tuple[str, ...], value: str, reached: str
) -> None:
    scene = battlefield(
        red("Unit", "A1"),
        ground=f".\n.\n{letter}\n.",
        roads=roads,
        commanders={"red": ("A1", "")},
        terrain_movement=value,
    )
    grid = scene.battle.field.grid
    found = commander_boxes(scene.battle, scene.battle.commanders["red"])
    assert [grid.label(box) for box in found] == reached.split()


@pytest.mark.rule("VCC-171")
def test_a_unit_that_moves_or_charges_leaves_its_commander_behind() -> None:
    for act in (("go", 31), ("charge", "Foe")):
        scene = battlefield(
            red("Unit", "D4"), blue("Foe", "D5" if act[0] == "charge" else "G7"), commanders={"red": ("D4", "Unit")}
        )
        script = [("move", act)] if act[0] == "charge" else [("move", ("go", scene.box("D5"))), ("face", N)]
        scene.run(move_unit, scene.unit("Unit"), script=script)
        commander = scene.battle.commanders["red"]
        assert (commander.box, commander.unit) == (scene.box("D4"), "")


@pytest.mark.rule("VCC-056", "VCC-171")
def test_a_lone_commander_stops_no_unit_and_is_captured() -> None:
    scene = battlefield(blue("Riders", "D5", "irregular_cavalry"), red("Unit", "A1"), commanders={"red": ("D4", "")})
    assert "D4" in offered(scene, "Riders")["go"]
    move(scene, "Riders", go(scene, "D4"), go(scene, "D3"), ("face", S))
    assert scene.battle.commanders["red"].box == -1
    assert scene.at("Riders") == "D3"


@pytest.mark.rule("VCC-057")
def test_leaving_the_table_only_where_the_scenario_allows_it() -> None:
    plain = battlefield(red("Unit", "D7"))
    assert "leave the table" not in offered(plain, "Unit")["else"]
    scene = battlefield(
        red("Escorted", "D7"), red("Carrier", "E7"), red("Other", "F7"), commanders={"red": ("D7", "Escorted")}
    )
    scene.battle.exits = {
        "blue": (("north", ("Other",), ""),),
        "red": (("north", ("Escorted",), ""), ("north", (), "chest")),
    }
    scene.battle.carried_objects = {"chest": ScenarioObject(scene.box("E7"), "Carrier")}
    assert "leave the table" not in offered(scene, "Other")["else"]
    move(scene, "Escorted", ("move", "leave the table"))
    move(scene, "Carrier", ("move", "leave the table"))
    assert scene.battle.gone == {"Escorted": "left north", "Carrier": "left north"}
    assert (scene.battle.carried_objects["chest"].taken_by, scene.battle.carried_objects["chest"].edge) == (
        "red",
        "north",
    )
    assert scene.battle.commanders["red"].unit == "", "he does not leave with it"


@pytest.mark.rule("VCC-026", "VCC-048", "VCC-050")
@pytest.mark.setting("charge_facing")
@pytest.mark.parametrize(
    ("start", "before", "faces"),
    [("D3", "W", N), ("C4", "W", E), ("D5", "N", S), ("E4", "N", W), ("C3", "N", E), ("C5", "N", S), ("E3", "E", N)],
)
def test_a_charge_turns_the_charger_the_way_it_came_in_or_not_at_all(start: str, before: str, faces: int) -> None:
    """After a diagonal charge the unit faces the next side clockwise, because no line unit faces a corner."""
    for value, facing in (("towards_enemy", faces), ("kept", COMPASS.index(before))):
        scene = battlefield(red("Unit", start, facing=before), blue("Foe", "D4"), charge_facing=value)
        scene.run(charge, scene.unit("Unit"), scene.unit("Foe"))
        assert scene.unit("Unit").facing == facing


@pytest.mark.rule("VCC-050", "VCC-059")
@pytest.mark.setting("charge_facing")
@pytest.mark.parametrize(("value", "flank"), [("towards_enemy", False), ("kept", True)])
def test_a_charge_on_a_charger_is_on_the_flank_by_its_new_facing(value: str, flank: bool) -> None:
    scene = battlefield(
        red("Unit", "D3", facing="W"), blue("Foe", "D4"), blue("Avenger", "D5", facing="S"), charge_facing=value
    )
    scene.run(charge, scene.unit("Unit"), scene.unit("Foe"))
    scene.run(charge, scene.unit("Avenger"), scene.unit("Unit"))
    assert scene.battle.contacts[-1].flank is flank


@pytest.mark.rule("VCC-050", "VCC-046")
def test_a_charge_on_the_spot_neither_turns_nor_moves_the_charger() -> None:
    scene = battlefield(red("Unit", "D4", facing="W"), blue("Foe", "D4"))
    scene.run(charge, scene.unit("Unit"), scene.unit("Foe"))
    assert (scene.unit("Unit").facing, scene.marks("Unit")) == (W, {"charged"})


@pytest.mark.rule("VCC-024", "VCC-061")
def test_camel_corps_on_foot_forms_square_and_leaves_it_before_mounting() -> None:
    assert "form square" not in offered(battlefield(red("Camels", "D4", "camel_corps")), "Camels")["else"]
    scene = battlefield(red("Camels", "D4", "camel_corps", marks="dismounted"))
    move(scene, "Camels", ("move", "form square"))
    assert scene.marks("Camels") >= {"square", "dismounted", "moved"}
    found = offered(scene, "Camels")["else"]
    assert "mount" not in found and "leave square" in found
    boers = battlefield(red("Boers", "D4", "mounted_european_irregular", marks="dismounted"))
    assert "form square" not in offered(boers, "Boers")["else"]
