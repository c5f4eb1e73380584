"""Targets and weapons of a unit: leaders among their men, hidden and engaged enemies, second choices."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import (
    RIFLES,
    Scene,
    ground,
    leader,
    line,
    row,
    scene,
    troops,
)

from zareba_rulesets.risk_factor.chapters.shooting import prepare_volley, shoot, volley
from zareba_rulesets.risk_factor.chapters.targets import is_open_target, nearest_target, possible_targets
from zareba_rulesets.risk_factor.presentation.words import event_sentence

PISTOL: dict[str, Any] = {"weapon": "pistol", "loading": "magazine"}


def led(*marks: str) -> Scene:
    """Riflemen facing a group with its chief in front, and a separate chief."""
    return scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=marks, **RIFLES),
        leader("officer", "red", (54, 46), marks=["linked", "busy"], **PISTOL),
        troops("foe", "blue", (0, 0), at=row(4, 76)),
        leader("chief", "blue", (54, 72)),
        leader("alone", "blue", (90, 76)),
        commanders=["officer"],
    )


@pytest.mark.rule("RSK-048", "RSK-085", "RSK-104", "RSK-105")
def test_a_leader_with_his_group_is_hit_among_its_men_and_not_singled_out() -> None:
    field = led("commanded")
    near = nearest_target(field.battle, field["a"])
    assert near is not None and near.spec.id == "foe"
    assert {unit.spec.id for unit in possible_targets(field.battle, field["a"])} == {"foe", "alone"}
    aim = prepare_volley(field.battle, field["a"], field["foe"], "rifle")
    assert aim is not None and ("chief", 0) in aim.victims()


@pytest.mark.rule("RSK-087", "RSK-104")
def test_a_player_character_may_pick_the_leader_out_of_his_group() -> None:
    field = led()
    field["officer"].body = field["officer"].body.moved_by(0, 2)
    assert {unit.spec.id for unit in possible_targets(field.battle, field["officer"])} == {"foe", "chief"}
    field.run(shoot, field["officer"], script=[("shoot at", "chief"), ("shooting", [8]), ("damage", [6])])
    assert field.battle.gone == {"chief": "killed"}


@pytest.mark.rule("RSK-086", "RSK-094")
def test_target_without_a_clear_shot_may_be_replaced() -> None:
    """Friends in front of the group hide the far target wholly, though it counts as in sight."""
    field = scene(
        troops("a", "red", (0, 0), at=row(2, 50), marks=["commanded"], **RIFLES),
        troops("pals", "red", (0, 0), at=row(9, 70, x=42, step=2.5)),
        troops("foe", "blue", (0, 0), at=row(2, 100)),
        troops("side", "blue", (0, 0), at=row(2, 90, x=150)),
    )
    assert {unit.spec.id for unit in possible_targets(field.battle, field["a"])} == {"foe", "side"}
    with field.script(("shoot at", "foe"), ("shoot at", "side"), ("shooting", [1, 1])) as table:
        shoot(table, field.battle, field["a"])
    told = [(event.kind, event.data["target"]) for event in table.events if "target" in event.data]
    assert told == [("no clear shot", "foe"), ("shooting", "side")]
    assert event_sentence(field.rules, {"a": "Rifles", "foe": "The chief's men"}, table.events[0]) == (
        "Rifles had no clear shot at the chief's men"
    )


@pytest.mark.rule("RSK-104", "RSK-106")
def test_hits_beyond_the_men_in_clear_sight_are_reported() -> None:
    """A file seen from its end shows one man at a time. Three kills leave the rest of the file unharmed."""
    field = scene(
        troops("a", "red", (0, 0), at=row(3, 50, x=47.5, step=2.5), marks=["commanded"], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(50, 100 + 2.5 * place) for place in range(5)]),
    )
    with field.script(("shooting", [8, 8, 8]), ("damage", [6, 6, 6])) as table:
        volley(table, field.battle, field["a"], field["foe"], "rifle")
    assert field["foe"].count == 4
    assert event_sentence(field.rules, {"a": "Rifles"}, table.events[-1]) == (
        "Rifles: 2 further wounds or kills had no target left in clear sight"
    )


@pytest.mark.rule("RSK-035")
@pytest.mark.parametrize("solo", [(), ("red",)])
def test_the_owner_of_uncommanded_troops_chooses_their_weapon_too(solo: tuple[str, ...]) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(6, 50), weapon="bow", loading="breech", close="hatchet"),
        troops("foe", "blue", (0, 0), at=row(6, 60)),
        solo=solo,
    )
    choice = () if solo else (("shoot with", "hatchet"),)
    shots = 3 if solo else 2
    field.run(shoot, field["a"], script=[*choice, ("shooting", [1] * shots)])


@pytest.mark.rule("RSK-035", "RSK-083", "RSK-092")
@pytest.mark.parametrize(
    ("bowmen", "gap", "marks", "bows", "hatchets"),
    [
        (2, 8.0, [], 1, 2),
        (2, 8.0, ["moved"], 1, 2),
        (8, 8.0, [], 4, 0),
        (6, 8.0, [], 3, 1),
        (2, 21.0, [], 1, 0),
        (4, 8.0, ["commanded"], 4, 1),
    ],
)
def test_men_without_the_missile_arm_throw_what_they_have(
    bowmen: int, gap: float, marks: list[str], bows: int, hatchets: int
) -> None:
    """Eight men in a row, some with bows, all with hatchets; each kind shoots at its own rate."""
    field = scene(
        troops("a", "red", (0, 0), at=row(8, 50), armed=bowmen, weapon="bow", loading="breech", close="hatchet",
               marks=marks, volley=True),
        troops("foe", "blue", (0, 0), at=row(8, 52.5 + gap)),
        solo=() if marks == ["commanded"] else ("red",),
    )  # fmt: skip
    chosen = (("shoot at", "foe"), ("shoot with", "bow")) if marks == ["commanded"] else ()
    dice = [("shooting", [1] * count) for count in (bows, hatchets) if count]
    with field.script(*chosen, *dice) as table:
        shoot(table, field.battle, field["a"])
    assert [event.data["shots"] for event in table.events if event.kind == "shooting"] == [bows + hatchets]


@pytest.mark.rule("RSK-086", "RSK-088")
@pytest.mark.setting("shooting.split_fire")
@pytest.mark.parametrize("second", ["near", "hold fire"])
def test_both_halves_of_a_split_volley_fire_from_one_load(second: str) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded", "loaded"], **RIFLES | {"loading": "muzzle"}),
        troops("near", "blue", (0, 0), at=row(4, 100, x=20)),
        troops("far", "blue", (0, 0), at=row(4, 120, x=80)),
        shooting_split_fire=True,
    )
    more = (("shooting", [1, 1]),) if second == "near" else ()
    script = (("shoot at", "far"), ("split fire", True), ("shooting", [1, 1]), ("shoot at", second), *more)
    field.run(shoot, field["a"], script=script)
    assert "loaded" not in field["a"].marks and {"fired", "fired_now"} <= field["a"].marks


# --- leaders who shoot with their group -------------------------------------------------------------------------------


@pytest.mark.rule("RSK-087", "RSK-094")
@pytest.mark.parametrize(
    ("gap", "traits", "shots"),
    [(20.0, {}, 5), (28.0, {}, 4), (20.0, {"marks": ["linked"]}, 4), (20.0, {"status": "routing"}, 4),
     (60.0, {"weapon": "rifle", "loading": "breech"}, 5)],
)  # fmt: skip
def test_officer_shoots_with_his_own_weapon_next_to_his_group(gap: float, traits: Any, shots: int) -> None:
    """An officer 4 cm behind the rank has a pistol with a range of 30 cm. If he threw for command, he must have
    declared his shot.
    """
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
        leader("officer", "red", (54.1, 46), **PISTOL | traits),
        troops("foe", "blue", (0, 0), at=row(4, 52.5 + gap)),
    )
    aim = prepare_volley(field.battle, field["a"], field["foe"], "rifle")
    assert aim is not None and len(aim.shots) == shots


@pytest.mark.rule("RSK-029", "RSK-098")
def test_his_pistol_has_its_own_ranges() -> None:
    """At 26 cm rifles are at short range and his pistol at long range, so there are two throws."""
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
        leader("officer", "red", (54.1, 48), **PISTOL),
        troops("foe", "blue", (0, 0), at=row(4, 78.5)),
    )
    with field.script(("shooting", [2, 2, 2, 1]), ("damage", [1, 1, 1]), ("shooting", [5])) as table:
        volley(table, field.battle, field["a"], field["foe"], "rifle")
    assert {"fired", "fired_now"} <= field["officer"].marks


@pytest.mark.rule("RSK-094")
def test_a_leader_in_contact_does_not_shoot_with_his_group() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
        leader("officer", "red", (54.1, 46), **PISTOL),
        troops("foe", "blue", (0, 0), at=row(4, 70)),
        troops("fists", "blue", (0, 0), at=[(54.1, 43.5)]),
    )
    aim = prepare_volley(field.battle, field["a"], field["foe"], "rifle")
    assert aim is not None and {shot.unit.spec.id for shot in aim.shots} == {"a"}


# --- engaged enemies --------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-097")
@pytest.mark.setting("shooting.at_engaged")
def test_an_enemy_whose_visible_men_are_all_in_contact_is_passed_over() -> None:
    """One of two men is in contact. The other is in the open, or behind a house."""

    def open_to(other: tuple[float, float], **settings: Any) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 20)], **RIFLES),
            troops("pals", "red", (0, 0), at=[(50, 97.5)]),
            troops("foe", "blue", (0, 0), at=[(50, 100), other]),
            terrain=[ground("house", "built_up", [(60, 70), (90, 70), (90, 90), (60, 90)])],
            **settings,
        )
        return is_open_target(field.battle, field["a"], field["foe"])

    assert open_to((40, 100)) and not open_to((80, 110))
    assert open_to((80, 110), shooting_at_engaged="allow")


@pytest.mark.rule("RSK-097")
@pytest.mark.parametrize(("x", "is_open"), [(40, True), (80, False)])
def test_a_high_wall_hides_the_men_who_are_not_in_contact(x: float, is_open: bool) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 20)], **RIFLES),
        troops("pals", "red", (0, 0), at=[(50, 97.5)]),
        troops("foe", "blue", (0, 0), at=[(50, 100), (x, 110)]),
        terrain=[line("wall", "high_wall", (60, 90), (90, 90))],
    )
    assert is_open_target(field.battle, field["a"], field["foe"]) is is_open
