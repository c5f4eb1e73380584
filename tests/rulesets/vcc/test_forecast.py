"""The odds offered before an attack tell the same facts as the attack that follows."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Scene, ask_odds, battlefield, blue, red

from zareba.table import Choose, Option
from zareba_rulesets.vcc.fire import fire
from zareba_rulesets.vcc.forecast import odds_before
from zareba_rulesets.vcc.melee import melee, open_melee
from zareba_rulesets.vcc.morale import morale_facts
from zareba_rulesets.vcc.movement import CHARGE, charge

HILL = "\n".join(["." * 7] * 3 + ["...1..."] + ["." * 7] * 3)


def asked(scene: Scene, why: str, actor: str, option: Option) -> list[tuple[str, str, Any]]:
    """The titles, procedures and facts of the odds before this option."""
    seat = scene.unit(actor).spec.side
    return list(odds_before(scene.battle, Choose(why, "VCC-001", actor, seat, (option, "other"), ()), option))


def before_charge(scene: Scene, actor: str, enemy: str) -> tuple[str, Any]:
    ((_, procedure, facts),) = asked(scene, "move", actor, (CHARGE, enemy))
    return procedure, facts


def before_shot(scene: Scene, actor: str, target: str) -> Any:
    ((_, procedure, facts),) = asked(scene, "fire at", actor, target)
    assert procedure == "fire_step"
    return facts


@pytest.mark.rule("VCC-156", "VCC-157", "VCC-055")
def test_odds_know_that_gunners_fall_back_on_foot_and_the_others_with_their_weapon() -> None:
    rocks = "\n".join(["." * 7] * 2 + ["r" * 7] + ["." * 7] * 4)
    for profile, room in (("field_gun", 2), ("machine_gun", 0), ("irregular_shock", 2)):
        scene = battlefield(red("Rifles", "D3"), blue("Target", "D4", profile), ground=rocks)
        facts = before_shot(scene, "Rifles", "Target")
        assert (facts.room_behind, facts.edge_behind) == (room, False)
        assert scene.marks("Target") == set(), "nobody has left his gun"


@pytest.mark.rule("VCC-132", "VCC-170")
@pytest.mark.setting("max_supports")
@pytest.mark.parametrize("most", [0, 1, 2])
def test_who_charges_behind_a_friend_is_told_the_dice_of_a_supporter(most: int) -> None:
    scene = battlefield(
        red("First", "D3"), red("Second", "D3"), blue("Spears", "D4", bases=5), ground=HILL, max_supports=most
    )
    assert before_charge(scene, "Second", "Spears")[0] == "melee"
    scene.run(charge, scene.unit("First"), scene.unit("Spears"))
    foretold = asked(scene, "move", "Second", (CHARGE, "Spears"))
    scene.run(charge, scene.unit("Second"), scene.unit("Spears"))
    supports = [("melee", [2, 2])] if most else []
    scene.run(melee, script=[("melee", [2] * 4), ("melee", [2] * 6), *supports])
    totals = [
        t.total for _, name, facts in foretold for t in scene.rules.ruleset.procedure(name).tallies(scene.rules, facts)
    ]
    assert totals == [data["dice"] for data in scene.told("melee") if data["unit"] == "Second"]


@pytest.mark.rule("VCC-111", "VCC-163", "VCC-171")
def test_a_charge_tells_of_waiting_jests_and_of_commanders_who_share_the_danger() -> None:
    scene = battlefield(
        red("Rifles", "D3", marks="jest"),
        blue("Spears", "D4", marks="jest"),
        commanders={"red": ("D3", "Rifles"), "blue": ("D4", "Spears")},
    )
    for commander in scene.battle.commanders.values():
        commander.wounds = 2
    _, facts = before_charge(scene, "Rifles", "Spears")
    assert (facts.a_jest, facts.b_jest) == (True, True)
    assert (facts.a_commander, facts.a_commander_attached) == (False, False), "a charge leaves him behind"
    assert (facts.b_commander, facts.b_commander_attached, facts.b_commander_wounds) == (True, True, 2)
    scene.battle.move(scene.unit("Rifles"), scene.box("D4"))
    scene.battle.commanders["red"].box = scene.box("D4")
    _, facts = before_charge(scene, "Rifles", "Spears")
    assert (facts.a_commander, facts.a_commander_attached, facts.a_commander_wounds) == (True, True, 2)


@pytest.mark.rule("VCC-147", "VCC-148")
def test_a_charge_tells_of_an_enemy_whom_another_has_taken_in_the_flank() -> None:
    scene = battlefield(blue("Front", "D5", bases=1), blue("Flank", "E4"), red("Prey", "D4", bases=5))
    assert not before_charge(scene, "Front", "Prey")[1].b_flanked
    scene.run(charge, scene.unit("Flank"), scene.unit("Prey"))
    procedure, facts = before_charge(scene, "Front", "Prey")
    assert (facts.flank, facts.b_flanked) == (False, True), "it comes from the front itself"
    scene.run(charge, scene.unit("Front"), scene.unit("Prey"))
    open_melee(scene.battle)
    number = scene.rules.tally("morale", morale_facts(scene.battle, scene.unit("Prey"))).total
    assert number == 5 + 1 - 2
    one_d3 = {"a_bases": 0, "a_melee_die": 3, "charging": False}  # so that it loses neither base nor leader
    found = ask_odds(procedure, {**asdict(facts), **one_d3}, leader_hit_trigger="five_hits")
    assert found.probability(lambda o: o.b_result == "passes") == F(number, 6)


@pytest.mark.rule("VCC-088", "VCC-044")
@pytest.mark.parametrize(
    ("profile", "facing", "marks", "moved"),
    [
        ("field_gun", "N", "", False),
        ("field_gun", "E", "", True),
        ("machine_gun", "S", "", True),
        ("machine_gun", "N", "gun_pivoted", True),
        ("regular_infantry", "N", "moved", True),
    ],
)
def test_a_shot_tells_of_the_pivot_that_brings_the_target_into_the_arc(
    profile: str, facing: str, marks: str, moved: bool
) -> None:
    scene = battlefield(red("Firer", "D3", profile, facing=facing, marks=marks), blue("Spears", "D5"))
    assert before_shot(scene, "Firer", "Spears").moved is moved


@pytest.mark.rule("VCC-145", "VCC-148", "VCC-059", "VCC-163")
def test_a_shot_tells_of_the_rocket_and_the_flank_shot_before_it() -> None:
    scene = battlefield(
        red("Rifles", "D3"),
        blue("Spears", "D4", marks="rocketed flank_shot lost_base"),
        blue("Wagon", "C3", "wagon_section", facing="W"),
        commanders={"blue": ("D4", "Spears")},
        flanked_by="melee_and_fire",
    )
    scene.battle.commanders["blue"].wounds = 1
    facts = before_shot(scene, "Rifles", "Spears")
    assert (facts.rocketed, facts.flank_shot, facts.target_lost_base, facts.commander_wounds) == (True, True, True, 1)
    assert not before_shot(scene, "Rifles", "Wagon").flank_shot, "a wagon has no flank"


@pytest.mark.rule("VCC-038", "VCC-109")
def test_a_shot_tells_of_the_leader_checks_that_earlier_shots_have_called_for() -> None:
    scene = battlefield(red("Near", "D3"), red("Far", "D2"), blue("Spears", "D4", bases=9), blue("Other", "E4"))
    scene.begin("british_fire")
    scene.run(fire, scene.unit("Far"), scene.unit("Spears"), script=[("fire", [6, 1, 1, 1, 1, 1])])
    assert before_shot(scene, "Near", "Spears").checks_due == ("medium",)
    assert before_shot(scene, "Near", "Other").checks_due == ()


@pytest.mark.rule("VCC-098", "VCC-100", "VCC-145", "VCC-146")
def test_a_rocket_tells_the_morale_of_everyone_in_the_box() -> None:
    scene = battlefield(
        red("Rockets", "D1", "rocket_section"),
        blue("Spears", "D4", bases=2, marks="jest", hits=4),
        blue("Horse", "D4", "irregular_cavalry", bases=3, leader=False),
        blue("Shot at", "D4", marks="hit"),
    )
    offered = asked(scene, "rocket at", "Rockets", scene.box("D4"))
    assert [procedure for _, procedure, _ in offered] == ["rocket_morale"] * 2, "who checks anyway is left out"
    for (_, procedure, facts), number in zip(offered, (2 + 1 + 1 - 1, 3 - 2), strict=True):
        stands = ask_odds(procedure, asdict(facts)).probability(lambda o: o.result in ("passes", "no check"))
        assert stands == F(2, 3) + F(1, 3) * F(number, 6)
    assert asked(scene, "rocket at", "Rockets", scene.box("A7")) == []


@pytest.mark.rule("VCC-156", "VCC-157")
@pytest.mark.parametrize(
    ("at", "walls", "gone", "behind"),
    [
        ("D4", "", "", (2, False)),
        ("D6", "", "", (1, True)),
        ("D7", "", "", (0, True)),
        ("D4", "C5 D5 E5", "", (0, False)),
        ("D4", "C5 D5", "", (2, False)),
        ("D4", "C6 D6 E6", "", (1, False)),
        ("D3", "C4 E4", "D4", (2, False)),
    ],
)
def test_odds_know_what_lies_behind_a_unit(at: str, walls: str, gone: str, behind: tuple[int, bool]) -> None:
    """Enemies in the way, the table's edge; a charger leaves the box that he comes from (`gone`) open."""
    scene = battlefield(
        red("Rifles", gone or f"D{int(at[1]) - 1}"),
        blue("Spears", at),
        *(red(f"At {label}", label) for label in walls.split()),
    )
    if gone:
        _, facts = before_charge(scene, "Rifles", "Spears")
        assert (facts.b_room_behind, facts.b_edge_behind) == behind
        assert (facts.a_room_behind, facts.a_edge_behind) == (2, False)
        return
    facts = before_shot(scene, "Rifles", "Spears")
    assert (facts.room_behind, facts.edge_behind) == behind
