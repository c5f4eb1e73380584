"""Hits, losses, leader hits, and the Army Commander under fire."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Scene, Script, battlefield, blue, red, rules_with

from zareba.testing import chances
from zareba_rulesets.vcc.chapters.casualties import apply_hits, leader_check, note_leader_check, resolve_checks
from zareba_rulesets.vcc.forces import LeaderCheck, ScenarioObject
from zareba_rulesets.vcc.presentation.words import commander_line, event_sentence, unit_line

# Scripted leader rolls are rows of the chart: 0 or 1 for "hit", then the row of the effect.
HIT, MISSED = ("leader hit", [6, 6]), ("leader hit", [1, 1])
JEST, WOUND, TWO_WOUNDS, DEATH = ([1, 1], [2, 3], [5, 5], [6, 6])


def effect(faces: list[int]) -> Script:
    return ("effect of leader hit", faces)


def spears(**more: Any) -> Scene:
    settings = {name: more.pop(name) for name in list(more) if name in rules_with().book.settings}
    return battlefield(blue("Spears", "D4", **more), **settings)


@pytest.mark.rule("VCC-105", "VCC-106", "VCC-107", "VCC-009")
@pytest.mark.setting("hits_per_base")
@pytest.mark.parametrize(("per_base", "left", "marker"), [(6, 7, 1), (3, 4, 1), (12, 9, 7)])
def test_hits_remove_bases_and_the_rest_stays(per_base: int, left: int, marker: int) -> None:
    scene = spears(hits_per_base=per_base)
    scene.run(apply_hits, scene.unit("Spears"), 19, "fire")
    unit = scene.unit("Spears")
    assert (unit.strength, unit.hits, unit.leader) == (left, marker, True)
    scene.run(apply_hits, unit, per_base - marker, "fire")
    assert (unit.strength, unit.hits) == (left - 1, 0), "the marker counts with the next hits"


@pytest.mark.rule("VCC-107", "VCC-108")
def test_the_leader_base_goes_last_and_the_unit_with_it() -> None:
    scene = spears(bases=2)
    unit = scene.unit("Spears")
    scene.run(apply_hits, unit, 12, "fire")
    assert (unit.bases, unit.leader) == (0, True)
    scene.run(apply_hits, unit, 100, "melee")
    assert (unit.strength, unit.hits, unit.box) == (0, 0, -1)
    assert scene.battle.gone == {"Spears": "destroyed"}
    assert [event["lost"] for event in scene.told("loss")] == [1]


@pytest.mark.rule("VCC-109", "VCC-012")
@pytest.mark.setting("leader_hit_trigger")
@pytest.mark.parametrize(
    ("trigger", "six_shown", "five_hits", "neither"),
    [("max_face", 1, 0, 0), ("five_hits", 0, 1, 0), ("either", 1, 1, 0)],
)
def test_hits_that_require_a_leader_check(trigger: str, six_shown: int, five_hits: int, neither: int) -> None:
    scene = spears(leader_hit_trigger=trigger)
    unit = scene.unit("Spears")
    for hits, highest, wanted in ((4, True, six_shown), (5, False, five_hits), (4, False, neither)):
        scene.battle.checks = []
        note_leader_check(scene.battle, unit, hits, highest, "close")
        assert len(scene.battle.checks) == wanted


@pytest.mark.rule("VCC-109", "VCC-163")
def test_a_check_needs_a_living_leader_or_an_attached_commander() -> None:
    scene = battlefield(
        blue("Led", "D4"),
        blue("Leaderless", "D4", leader=False),
        blue("Crew", "D4", "field_gun"),
        commanders={"blue": ("D4", "Crew")},
    )
    for name in ("Led", "Leaderless", "Crew"):
        note_leader_check(scene.battle, scene.unit(name), 9, True, "close")
    scene.battle.remove(scene.unit("Led"), "destroyed")
    note_leader_check(scene.battle, scene.unit("Led"), 9, True, "close")
    assert [check.unit for check in scene.battle.checks] == ["Led", "Crew"], "a destroyed unit has no leader to hit"


@pytest.mark.rule("VCC-109", "VCC-038")
def test_one_check_a_volley_however_many_sixes_and_in_the_order_of_the_shots() -> None:
    scene = battlefield(red("Rifles", "C3"), red("Others", "D3"), blue("Spears", "C5"), blue("Swords", "D5"))
    scene.play(
        ("fire with", "Others"),
        ("fire at", "Swords"),
        ("fire", [6, 6, 6, 6, 1, 1]),
        ("fire with", "Rifles"),
        ("fire at", "Spears"),
        ("fire", [6, 1, 1, 1, 1, 1]),
        MISSED,
        MISSED,
        ("check morale of", "Spears"),
        ("morale", 1),
        ("morale", 1),
        phase="british_fire",
    )


@pytest.mark.rule("VCC-108", "VCC-038")
def test_a_target_destroyed_before_its_leader_roll_needs_none() -> None:
    scene = battlefield(red("Rifles", "C3"), red("Others", "D3"), blue("Spears", "D5", bases=1))
    scene.play(
        ("fire with", "Rifles"),
        ("fire at", "Spears"),
        ("fire", [6, 1, 1]),  # range 2.5: half dice
        ("fire with", "Others"),
        ("fire at", "Spears"),
        ("fire", [6, 6, 6, 1, 1, 1]),
        phase="british_fire",
    )
    assert scene.battle.gone == {"Spears": "destroyed"}


@pytest.mark.rule("VCC-110")
@pytest.mark.parametrize(("band", "just_missed", "just_hit"), [("long", 11, 12), ("medium", 10, 11), ("close", 8, 9)])
def test_the_score_that_hits_depends_on_the_band(band: str, just_missed: int, just_hit: int) -> None:
    for total, is_hit in ((just_missed, False), (just_hit, True)):
        scene = spears()
        script: list[Script] = [("leader hit", [6, total - 6])]
        if is_hit:
            script.append(effect(WOUND))
        scene.run(leader_check, scene.unit("Spears"), band, "fire", script=script)
        assert scene.unit("Spears").wounds == int(is_hit)


@pytest.mark.rule("VCC-110")
def test_leader_check_is_a_breakdown_that_house_rules_extend(tmp_path: Path) -> None:
    modest = tmp_path / "modest.py"
    modest.write_text(
        "from zareba.api import Modifier, hookimpl\n\n@hookimpl\ndef zareba_modifiers():\n"
        "    plain = Modifier('plain', 'H-1', 'add', 1, when={'band': 'close'}, summary='he dresses as his men do')\n"
        "    return {'leader_hit': [plain]}\n",
        encoding="utf-8",
    )

    def missed(*rules: Path, band: str) -> Fraction:
        found = chances("leader_check", *rules, band=band)
        return sum((chance for end, chance in found.items() if end.leader == "unhurt" and not end.jest), Fraction(0))

    assert (missed(band="close"), missed(modest, band="close")) == (Fraction(26, 36), Fraction(30, 36))
    assert missed(modest, band="medium") == missed(band="medium") == Fraction(33, 36)


@pytest.mark.rule("VCC-111", "VCC-112", "VCC-113", "VCC-114")
@pytest.mark.parametrize(
    ("total", "wounds", "jest", "alive"),
    [
        (2, 0, True, True),
        (4, 0, True, True),
        (5, 1, False, True),
        (9, 1, False, True),
        (10, 2, False, True),
        (11, 2, False, True),
        (12, 3, False, False),
    ],
)
def test_effects_of_a_leader_hit(total: int, wounds: int, jest: bool, alive: bool) -> None:
    scene = spears()
    faces = [max(1, total - 6), min(total - 1, 6)]
    scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[HIT, effect(faces)])
    unit = scene.unit("Spears")
    assert (unit.wounds, "jest" in unit.marks, unit.leader) == (wounds, jest, alive)
    assert [event["wounds"] for event in scene.told("leader wounded")] == ([wounds] if 0 < wounds < 3 else [])


@pytest.mark.rule("VCC-115")
def test_the_third_wound_kills() -> None:
    scene = spears(wounds=1)
    scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[HIT, effect(WOUND)])
    assert scene.unit("Spears").leader
    scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[HIT, effect(WOUND)])
    assert not scene.unit("Spears").leader
    scene.run(leader_check, scene.unit("Spears"), "close", "fire")


@pytest.mark.rule("VCC-116")
@pytest.mark.setting("leader_death_removes_base")
def test_a_dead_leaders_base_goes_or_stays_as_an_ordinary_one() -> None:
    for removes, left in ((True, 9), (False, 10)):
        scene = spears(leader_death_removes_base=removes)
        scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[HIT, effect(DEATH)])
        assert (scene.unit("Spears").strength, scene.unit("Spears").leader) == (left, False)
    last = spears(bases=0)
    last.run(leader_check, last.unit("Spears"), "close", "fire", script=[HIT, effect(DEATH)])
    assert last.battle.gone == {"Spears": "destroyed"}


@pytest.mark.rule("VCC-111")
def test_a_jest_waits_once_and_dies_with_the_leader() -> None:
    scene = spears()
    for _ in range(2):
        scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[HIT, effect(JEST)])
    assert scene.marks("Spears") == {"jest"}
    scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[HIT, effect(DEATH)])
    assert "jest" not in scene.marks("Spears")


@pytest.mark.rule("VCC-111", "VCC-112", "VCC-114", "VCC-163")
@pytest.mark.parametrize(
    ("faces", "leader", "commander"),
    [
        (
            JEST,
            "the leader of Spears was hit, but laughed it off with a jest",
            "he, commander of blue, cheered Spears with a jest",
        ),
        (TWO_WOUNDS, "the leader of Spears took 2 wounds", "he, commander of blue, took 2 wounds"),
        (DEATH, "the leader of Spears was killed", "he, commander of blue, was killed"),
    ],
)
def test_leader_hit_is_reported_once(faces: list[int], leader: str, commander: str) -> None:
    scene = battlefield(blue("Spears", "D4"), commanders={"blue": ("D4", "Spears")})
    scene.battle.commanders["blue"].name = "he"
    script = [HIT, effect(faces), HIT, effect(faces)]
    scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=script)
    specs = {"Spears": scene.unit("Spears").spec}
    told = [event_sentence(specs, scene.battle.field.grid, event) for event in scene.events if event.kind != "loss"]
    assert told == [leader, commander]


@pytest.mark.rule("VCC-163")
@pytest.mark.setting("commander_at_risk")
def test_a_commander_shares_the_danger_of_his_unit_or_not() -> None:
    for risk in ("attached_unit", "never"):
        scene = battlefield(blue("Spears", "D4"), commanders={"blue": ("D4", "Spears")}, commander_at_risk=risk)
        script = [MISSED] if risk == "never" else [MISSED, HIT, effect(TWO_WOUNDS)]
        scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=script)
        assert scene.battle.commanders["blue"].wounds == (0 if risk == "never" else 2)


@pytest.mark.rule("VCC-163", "VCC-143")
def test_a_commanders_death_ends_his_bonus_and_leaves_the_unit_its_bases() -> None:
    scene = battlefield(blue("Spears", "D4", marks="jest"), commanders={"blue": ("D4", "Spears")})
    box = scene.box("D4")
    assert scene.battle.commander_in(box, "blue")
    scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[MISSED, HIT, effect(DEATH)])
    assert not scene.battle.commander_in(box, "blue")
    assert (scene.unit("Spears").strength, scene.marks("Spears")) == (10, {"jest"})


@pytest.mark.rule("VCC-163", "VCC-111")
def test_a_commanders_jest_cheers_the_unit_he_is_with() -> None:
    scene = battlefield(blue("Spears", "D4"), commanders={"blue": ("D4", "Spears")})
    scene.run(leader_check, scene.unit("Spears"), "close", "fire", script=[MISSED, HIT, effect(JEST)])
    assert scene.marks("Spears") == {"jest"}


@pytest.mark.rule("VCC-163")
def test_a_commander_who_is_not_attached_is_not_at_risk() -> None:
    scene = battlefield(blue("Spears", "D4"), commanders={"blue": ("D4", "")})
    scene.battle.checks = [LeaderCheck("Spears", "close")]
    scene.run(resolve_checks, "fire", script=[MISSED])
    assert scene.battle.checks == []


@pytest.mark.rule("VCC-108", "VCC-171")
def test_a_commander_survives_the_unit_that_is_destroyed_round_him() -> None:
    scene = battlefield(blue("Spears", "D4", bases=1, leader=False), commanders={"blue": ("D4", "Spears")})
    scene.run(apply_hits, scene.unit("Spears"), 6, "fire")
    commander = scene.battle.commanders["blue"]
    assert (commander.box, commander.unit) == (scene.box("D4"), "")


@pytest.mark.rule("VCC-117", "VCC-015", "VCC-019")
def test_profiles_say_who_has_a_leader_and_which_dice() -> None:
    profiles = rules_with().book.profiles  # type: ignore[attr-defined]  # the file model of this ruleset
    line = {name for name, profile in profiles.items() if profile.troop in ("foot", "mounted")}
    assert {name for name, profile in profiles.items() if profile.leader} == line
    assert {profiles[name].melee_die for name in line} == {6}
    assert {profile.melee_die for name, profile in profiles.items() if name not in line} == {3}


@pytest.mark.rule("VCC-106", "VCC-111", "VCC-115", "VCC-157")
def test_markers_of_a_unit_are_reported_with_it() -> None:
    scene = battlefield(
        red("Foot", "D4", marks="jest prone", hits=5, wounds=1),
        red("Old men", "D5", wounds=3),
        red("Gun", "E4", "field_gun", marks="abandoned", hits=1),
        red("Maxim", "E5", "machine_gun", marks="wrecked"),
        commanders={"red": ("D4", "Foot")},
    )
    scene.unit("Old men").leader = False
    scene.battle.commanders["red"].wounds = 2
    scene.battle.carried_objects = {"pay_chest": ScenarioObject(scene.box("D5"), "Old men")}
    told = {name: unit_line(scene.battle, unit).split(", ", 1)[1] for name, unit in scene.battle.units.items()}
    assert told == {
        "Foot": "6 bases, 5 hits, leader with 1 wound, +1 to next morale check (jest), prone",
        "Old men": "5 bases, leader dead, carries the pay chest",
        "Gun": "4 gunners, 1 hit, gun abandoned",
        "Maxim": "4 gunners, gun out of action",
    }
    assert commander_line(scene.battle, scene.battle.commanders["red"]).endswith(
        ", Army Commander, with Foot, 2 wounds"
    )
