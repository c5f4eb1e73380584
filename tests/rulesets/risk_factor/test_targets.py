"""Targets and weapons of a unit, the figures able to shoot, and the allocation of hits (RSK-081 to RSK-112)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import (
    RIFLES,
    Scene,
    able,
    book,
    crowd,
    duel,
    ground,
    leader,
    line,
    row,
    scene,
    troops,
    whole_base,
)
from tests.rulesets.risk_factor.skirmishes import UNITS, game

from zareba.base.exact import dist
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.chapters.casualties import Figure, figures_by_name, strike_all
from zareba_rulesets.risk_factor.chapters.prisoners import take_prisoners
from zareba_rulesets.risk_factor.chapters.shooting import group_cover, prepare_volley, shoot, to_hit, volley
from zareba_rulesets.risk_factor.chapters.sight import lines_of_fire, sees
from zareba_rulesets.risk_factor.chapters.targets import (
    able_figures,
    figures_to_hit,
    is_open_target,
    may_shoot,
    nearest_target,
    possible_targets,
)
from zareba_rulesets.risk_factor.forces import Captives, action_table
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


# --- Figures able to shoot, allocation of hits, and their effects (RSK-094 to RSK-112) --------------------------------


# --- figures able to shoot --------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-094", "RSK-110")
def test_the_wounded_shoot_at_short_range_only_and_men_in_contact_not_at_all() -> None:
    assert able(duel(gap=60)) == 4
    assert able(duel(gap=60, hurt=2)) == 2
    assert able(duel(gap=30, hurt=2)) == 4
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), **RIFLES),
        troops("foe", "blue", (0, 0), at=row(4, 100)),
        troops("fists", "blue", (0, 0), at=[(50, 47.5)]),
    )
    assert able(field) == 3


@pytest.mark.rule("RSK-094", "RSK-157")
def test_guards_of_prisoners_do_not_shoot() -> None:
    field = duel(gap=60, count=6)
    field.battle.units["taken"] = troops("taken", "blue", (60, 45), 6)
    field.run(take_prisoners, field["taken"], range(6), field["a"])
    assert able(field) == 4


@pytest.mark.rule("RSK-094", "RSK-157")
def test_men_without_a_shot_guard_prisoners_next_to_them() -> None:
    """Four men in the second rank cannot see past the first. One of them guards, unless only men of the first rank are
    near the prisoners.
    """

    def shooters(y: float) -> int:
        ranks = [*row(4, 50), *row(4, 40)]
        field = scene(troops("a", "red", (0, 0), at=ranks, **RIFLES), troops("foe", "blue", (0, 0), at=row(4, 100)))
        taken = Body(tuple((44.0, y + step) for step in (0.0, 2.6, 5.2, 7.8, 10.4)), 1.25)
        field.battle.captives.append(Captives("blue", "foe", "a", taken, (False,) * 5))
        return able(field)

    assert shooters(35) == 4
    assert shooters(50) == 3


@pytest.mark.rule("RSK-080", "RSK-094")
def test_the_rear_rank_holds_the_horses() -> None:
    riders: dict[str, Any] = {"mounted": True, "can_dismount": True, "weapon": "rifle", "loading": "breech"}
    field = scene(
        troops("a", "red", (0, 0), at=[*row(4, 50, step=4.2), *row(4, 43, step=4.2)], marks=["dismounted"], **riders),
        troops("foe", "blue", (0, 0), at=row(4, 100, step=4.2)),
    )
    assert able(field) == 4


@pytest.mark.rule("RSK-094")
@pytest.mark.setting("shooting.charge_throw")
def test_chargers_may_hurl_at_those_they_charged() -> None:
    def shots(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=row(6, 50), weapon="spear", loading="hurled", marks=["charged"]),
            troops("foe", "blue", (0, 0), at=row(6, 52.5)),
            **settings,
        )
        if nearest_target(field.battle, field["a"]) is None:
            return 0
        return field.run(volley, field["a"], field["foe"], "spear", script=[("shooting", [1, 1])])

    assert shots() == 0
    assert shots(shooting_charge_throw=True) == 2


@pytest.mark.rule("RSK-094", "RSK-097")
@pytest.mark.setting("shooting.charge_throw")
@pytest.mark.parametrize(("weapon", "shots"), [("spear", 1), ("rifle", 0)])
def test_the_second_rank_of_a_charge_hurls_but_does_not_fire_into_the_melee(weapon: str, shots: int) -> None:
    loading = "hurled" if weapon == "spear" else "breech"
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (60, 46)], weapon=weapon, loading=loading, marks=["charged"]),
        troops("foe", "blue", (0, 0), at=[(50, 52.5)]),
        shooting_charge_throw=True,
    )
    assert (nearest_target(field.battle, field["a"]) is not None) is bool(shots)
    found = prepare_volley(field.battle, field["a"], field["foe"], weapon)
    assert (len(found.shots) if found is not None else 0) == shots


@pytest.mark.rule("RSK-094")
@pytest.mark.setting("shooting.charge_throw")
def test_chargers_in_contact_throw_only_at_their_opponents() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(6, 50), weapon="spear", loading="hurled", marks=["charged"]),
        troops("foe", "blue", (0, 0), at=row(6, 52.5)),
        troops("others", "blue", (0, 0), at=[(44, 50)]),
        shooting_charge_throw=True,
    )
    assert able(field, target="foe", weapon="spear") == 6
    assert able(field, target="others", weapon="spear") == 0


@pytest.mark.rule("RSK-095")
@pytest.mark.setting("shooting.range_by")
def test_range_from_each_figure_or_from_the_group() -> None:
    def bands(**settings: Any) -> list[int]:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50), (58, 40)], marks=["commanded"], **RIFLES),
            troops("foe", "blue", (0, 0), at=[(50, 82)]),
            **settings,
        )
        answers = [("shooting", [1]), ("shooting", [1])] if not settings else [("shooting", [1, 1])]
        field.run(volley, field["a"], field["foe"], "rifle", script=answers)
        return [len(answers)]

    assert bands() == [2]
    assert bands(shooting_range_by="group") == [1]


@pytest.mark.rule("RSK-004", "RSK-095")
def test_range_is_to_the_nearest_base_edge_of_riders_and_men_on_foot() -> None:
    """The chief's centre is nearer than the rider's, but the rider's base is: 30 cm, which is short range, not 30.5."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(50, 50 + 1.25 + 30 + 2)], mounted=True, close="lance"),
        leader("chief", "blue", (54, 82.76)),
    )
    found = prepare_volley(field.battle, field["a"], field["foe"], "rifle")
    assert found is not None and found.shots[0].distance == pytest.approx(30) and found.cover == "open"
    assert sorted(found.victims()) == [("chief", 0), ("foe", 0)]


@pytest.mark.rule("RSK-106", "RSK-107")
@pytest.mark.setting("los.near_object")
def test_the_whole_base_must_be_clear_but_for_those_within_two_cm() -> None:
    def clear(between: float, **settings: Any) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)]),
            troops("mate", "red", (0, 0), at=[(50, between)]),
            troops("foe", "blue", (0, 0), at=[(50, 80)]),
            **settings,
        )
        return whole_base(field["a"], 0, field["foe"], 0, lines_of_fire(field.battle, field["a"], field["foe"]))

    assert clear(54.5) and not clear(54.6)
    assert not clear(65)
    assert not clear(75.5) and clear(75.5, los_near_object="either")


@pytest.mark.rule("RSK-106")
def test_a_corridor_ends_at_the_edges_of_the_target_base() -> None:
    def clear(x: float) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)]),
            troops("mate", "blue", (0, 0), at=[(x, 79)]),
            troops("foe", "blue", (0, 0), at=[(50, 82)]),
        )
        return whole_base(field["a"], 0, field["foe"], 0, lines_of_fire(field.battle, field["a"], field["foe"]))

    assert not clear(52.0)
    assert clear(52.5)


# --- cover and allocation ---------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-099", "RSK-107")
@pytest.mark.setting("shooting.group_cover")
def test_a_group_has_the_cover_of_most_of_its_men_or_the_least() -> None:
    def need(**settings: Any) -> str:
        wall = line("wall", "works", (0, 98), (57, 98))
        field = scene(
            troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
            troops("foe", "blue", (0, 0), at=row(4, 100)),
            terrain=[wall],
            **settings,
        )
        with field.script(("shooting", [1, 1, 1, 1])) as table:
            volley(table, field.battle, field["a"], field["foe"], "rifle")
        return str(next(event.data["cover"] for event in table.events if event.kind == "shooting"))

    assert need() == "hard"
    assert need(shooting_group_cover="worst") == "open"


@pytest.mark.rule("RSK-099")
@pytest.mark.parametrize(
    ("men", "cover"),
    [
        ((0, 1, 2, 3), "soft"),
        ((0, 1, 4, 5), "hard"),
        ((2, 3, 4, 5), "hard"),
        ((0, 1, 2, 4), "open"),
        ((0, 2, 4), "hard"),
        ((0, 2, 3, 4), "soft"),
    ],
)
def test_a_tie_of_covers_goes_to_the_better(men: tuple[int, ...], cover: str) -> None:
    """Two men each in the open, behind a hedge and behind a wall."""
    walls = [line("hedge", "hedge", (60, 98), (90, 98)), line("wall", "works", (100, 98), (130, 98))]
    places = [(x, 100.0) for x in (30, 33, 70, 73, 110, 113)]
    field = scene(troops("foe", "blue", (0, 0), at=places), terrain=walls)
    assert group_cover(field.battle, [Figure("foe", index) for index in men], (70.0, -2000.0)) == cover


@pytest.mark.rule("RSK-099", "RSK-104")
@pytest.mark.parametrize("allocate_to", ["visible", "whole_group"])
def test_the_cover_of_a_group_is_that_of_the_men_one_sees_whoever_may_be_hit(allocate_to: str) -> None:
    """One man at the wall is in sight. Two men in the open are hidden by a house."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(50, 100), (70, 100), (73, 100)]),
        terrain=[
            line("wall", "works", (40, 98), (60, 98)),
            ground("house", "built_up", [(56, 70), (80, 70), (80, 75)]),
        ],
        shooting_allocate_to=allocate_to,
    )
    aim = prepare_volley(field.battle, field["a"], field["foe"], "rifle")
    assert aim is not None and aim.cover == "hard"
    assert len(aim.victims()) == (1 if allocate_to == "visible" else 3)


@pytest.mark.rule("RSK-094", "RSK-107", "RSK-155")
@pytest.mark.parametrize(("kind", "shooters"), [("works", 4), ("fort", 4), ("high_wall", 0)])
def test_men_at_a_wall_shoot_over_it_unless_it_is_too_high_to_see_over(kind: str, shooters: int) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), **RIFLES),
        troops("foe", "blue", (0, 0), at=row(4, 100)),
        terrain=[line("wall", kind, (0, 52), (200, 52))],
    )
    assert able(field) == shooters
    assert (nearest_target(field.battle, field["a"]) is not None) == bool(shooters)


@pytest.mark.rule("RSK-099", "RSK-107")
def test_low_cover_counts_only_near_the_target_and_on_the_right_side() -> None:
    def cover(y: float, seen_from: tuple[float, float] | None) -> str:
        field = scene(troops("foe", "blue", (0, 0), at=[(50, y)]), terrain=[line("wall", "works", (0, 98), (90, 98))])
        return field.battle.field.cover_of(field["foe"].body, 0, seen_from)

    assert cover(100, (50, 20)) == "hard"
    assert cover(102, (50, 20)) == "open"
    assert cover(100, (50, 190)) == "open"
    assert cover(100, None) == "hard"


@pytest.mark.rule("RSK-104", "RSK-105")
@pytest.mark.setting("shooting.allocate_to")
def test_hits_fall_on_men_who_can_be_shot_at_or_on_the_whole_group_and_its_leaders() -> None:
    def drawn(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
            troops("foe", "blue", (0, 0), at=[(50, 100), (50, 105), (50, 110)]),
            leader("chief", "blue", (55, 102)),
            **settings,
        )
        with field.script(("shooting", [8]), ("damage", [6]), ("victim", "man 1 of Foe")) as table:
            volley(table, field.battle, field["a"], field["foe"], "rifle")
        return len(table.events)

    assert drawn()
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(50, 100), (50, 105), (50, 110)]),
        leader("chief", "blue", (55, 102)),
    )
    with field.script(("shooting", [8]), ("damage", [6]), ("victim", "Chief")) as table:
        volley(table, field.battle, field["a"], field["foe"], "rifle")
    assert "chief" in field.battle.gone
    whole = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(50, 100), (50, 105), (50, 110)]),
        leader("chief", "blue", (55, 102)),
        shooting_allocate_to="whole_group",
    )
    with whole.script(("shooting", [8]), ("damage", [6]), ("victim", "Chief")) as table:
        volley(table, whole.battle, whole["a"], whole["foe"], "rifle")
    assert "chief" in whole.battle.gone


@pytest.mark.rule("RSK-104", "RSK-111", "RSK-112")
@pytest.mark.setting("shooting.allocation")
def test_hits_one_after_another_or_wasted_on_the_fallen() -> None:
    def left(*struck: int, **settings: Any) -> tuple[int, int]:
        field = scene(troops("foe", "blue", (0, 0), 3), **settings)
        pool = [Figure("foe", number) for number in range(3)]
        draws = (("next hit", "kill"), *(("victim", f"man {man} of Foe") for man in struck))
        field.run(strike_all, 2, 1, pool, "a", "fire", script=draws)
        return field["foe"].count, sum(field["foe"].hurt)

    assert left(1, 2, 2) == (1, 0)
    assert left(1, 1, 1, shooting_allocation="fixed_pool") == (2, 0)


@pytest.mark.rule("RSK-111")
def test_hits_on_a_wounded_man_are_reported() -> None:
    """Three hits on two men: the first man is wounded twice, so only one man is lost and one is wounded."""
    field = scene(troops("foe", "blue", (0, 0), 3))
    pool = [Figure("foe", number) for number in range(3)]
    with field.script(("victim", "man 1 of Foe"), ("victim", "man 1 of Foe"), ("victim", "man 2 of Foe")) as table:
        strike_all(table, field.battle, 3, 0, pool, "a", "fire")
    again, wounded, loss = (dict(event.data) for event in table.events)
    assert again == {"units": ("foe",), "count": 1}
    assert wounded["count"] == 1 and loss["lost"] == 1


@pytest.mark.rule("RSK-104", "RSK-105")
def test_victims_are_called_by_names_that_tell_two_leaders_of_one_name_apart() -> None:
    field = scene(troops("foe", "blue", (50, 50)), leader("khan", "blue", (50, 60)), leader("KHAN", "blue", (55, 60)))
    pool = [Figure("foe", 9), Figure("khan", 0), Figure("KHAN", 0)]
    assert figures_by_name(field.battle, pool) == dict(zip(("man 10 of Foe", "Khan", "Khan (KHAN)"), pool, strict=True))


@pytest.mark.rule("RSK-109", "RSK-110", "RSK-111", "RSK-112")
def test_graze_wound_second_wound_and_kill() -> None:
    field = scene(troops("foe", "blue", (0, 0), 3))
    pool = [Figure("foe", 0)]
    with field.script() as table:
        strike_all(table, field.battle, 0, 0, pool, "a", "fire")
        assert (field["foe"].count, field["foe"].casualties) == (3, 0)
        strike_all(table, field.battle, 1, 0, pool, "a", "fire")
        assert (field["foe"].hurt, field["foe"].casualties) == ((True, False, False), 1)
        strike_all(table, field.battle, 1, 0, pool, "a", "melee")
    assert (field["foe"].count, field["foe"].dead, field["foe"].casualties) == (2, 1, 1)
    losses = [event.data for event in table.events if event.kind == "loss"]
    assert losses == [{"unit": "foe", "side": "blue", "lost": 1, "left": 2, "cause": "melee"}]


# --- woods and support weapons ----------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-108", "RSK-152")
@pytest.mark.setting("woods.fire_depth")
def test_shooting_out_of_a_wood_as_deep_as_ten_cm() -> None:
    def shooters(**settings: Any) -> int:
        wood = ground("wood", "wood", [(0, 20), (200, 20), (200, 60), (0, 60)])
        field = scene(
            troops("a", "red", (0, 0), at=[(40, 57), (60, 53), (80, 47)], **RIFLES),
            troops("foe", "blue", (0, 0), at=row(4, 100)),
            terrain=[wood],
            **settings,
        )
        return able(field)

    assert shooters() == 2
    assert shooters(woods_fire_depth=5.0) == 1


@pytest.mark.rule("RSK-106", "RSK-108", "RSK-152")
@pytest.mark.setting("woods.look_depth")
@pytest.mark.parametrize(
    ("y", "fires", "at_twelve"), [(22, 0, 0), (26, 0, 0), (40, 0, 0), (49, 0, 1), (52, 1, 1), (57, 1, 1)]
)
def test_men_do_not_see_through_the_wood_behind_them(y: float, fires: int, at_twelve: int) -> None:
    """A wood is 40 cm deep, with the enemy north of it. Two cm from its southern edge a man is 38 cm inside."""

    def duel_at_the_wood(depth: float, open_ground: bool = False) -> Scene:
        wood = ground("wood", "wood", [(0, 20), (200, 20), (200, 60), (0, 60)])
        return scene(
            troops("a", "red", (0, 0), at=[(50, y)], **RIFLES),
            troops("foe", "blue", (0, 0), at=[(50, 100)]),
            terrain=[] if open_ground else [wood],
            woods_look_depth=depth,
        )

    assert able(duel_at_the_wood(5.0, open_ground=True)) == 1
    assert able(duel_at_the_wood(5.0)) == fires
    assert able(duel_at_the_wood(12.0)) == at_twelve
    field = duel_at_the_wood(5.0)
    field.battle.sight_dice = {"a": 6}
    assert sees(field.battle, field["foe"], field["a"]) == (y == 57)


@pytest.mark.rule("RSK-106", "RSK-108", "RSK-152")
@pytest.mark.parametrize(("x", "y", "shoots"), [(50, 100, 1), (180, 75, 1), (20, 40, 0), (50, 0, 0)])
def test_depth_in_cover_counts_from_the_edge_on_the_line_of_fire(x: float, y: float, shoots: int) -> None:
    """The man is 7 cm from the northern edge, 13 from the western and 33 from the southern. He shoots over them
    straight or at an angle.
    """
    field = scene(
        troops("a", "red", (0, 0), at=[(48, 53)], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(x, y)]),
        terrain=[ground("wood", "wood", [(35, 20), (200, 20), (200, 60), (35, 60)])],
    )
    assert able(field) == shoots


@pytest.mark.rule("RSK-008")
@pytest.mark.setting("extensions.support_weapons")
def test_our_support_weapons() -> None:
    numbers = book(extensions_support_weapons="on")
    assert {name: numbers.ranges[name] for name in ("machine_gun", "gun", "rocket")} == {
        "machine_gun": (30, 90, 180),
        "gun": (60, 120, 240),
        "rocket": (60, 120, 240),
    }
    entries = [numbers.weapons[name] for name in ("machine_gun", "gun", "rocket")]
    assert [(w.factor, w.damage, w.shots, w.uncommanded_shots, w.blast) for w in entries] == [
        (0, "gunpowder", 6, 3, 0),
        (0, "gunpowder", 1, 1, 10),
        (0, "gunpowder", 1, 1, 10),
    ]
    assert [to_hit(numbers, "gun", "short", cover) for cover in ("open", "soft", "hard")] == [2, 4, 6]
    assert [to_hit(numbers, "rocket", band, "hard") for band in ("short", "medium", "long")] == [4, 6, 8]
    crew: dict[str, Any] = {"support": "machine_gun", "formed": True}
    field = scene(
        troops("a", "red", (50, 50), 4, marks=["commanded"], **crew), troops("foe", "blue", (0, 0), at=row(8, 100))
    )
    assert action_table(field.battle, field["a"]) == "missile"
    assert field.run(volley, field["a"], field["foe"], "machine_gun", script=[("shooting", [1] * 6)]) == 6
    idle = scene(troops("a", "red", (50, 50), 4, **crew), troops("foe", "blue", (0, 0), at=row(8, 100)))
    assert idle.run(volley, idle["a"], idle["foe"], "machine_gun", script=[("shooting", [1] * 3)]) == 3
    moved = scene(troops("a", "red", (50, 50), 4, marks=["moved"], **crew))
    assert not may_shoot(moved.battle, moved["a"])


@pytest.mark.rule("RSK-008")
@pytest.mark.parametrize(("fell", "die", "struck"), [(1, 6, 4), (4, 6, 6), (1, 3, 3)])
def test_a_shell_strikes_men_within_ten_cm_of_where_it_falls(fell: int, die: int, struck: int) -> None:
    """Of eight men 3 cm apart, the first has three others within 10 cm, the fourth six."""
    field = scene(
        troops("a", "red", (50, 50), 4, support="gun"),
        troops("foe", "blue", (0, 0), at=row(8, 109, step=3.0)),
        extensions_support_weapons="on",
    )
    script = (("shooting", [4]), ("victim", f"man {fell} of Foe"), ("shell", [die]), ("damage", [1] * struck))
    field.run(volley, field["a"], field["foe"], "gun", script=script)


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


@pytest.mark.rule("RSK-107")
@WITHIN
def test_works_are_lined_from_ten_cm(over: float, within: bool) -> None:
    """The front rank is 10 cm behind its bags, from base edge to line. The scenario gives the unit's centre."""
    inches = (14 * 2.54 - 10 - 1.25 - 1.375 - over) / 2.54
    men = (
        "men: {name: Men, side: red, arm: infantry, kind: european_irregular, figures: 8, weapon: breech_rifle, "
        f"position: [30, {inches:.6f}], facing: north}}"
    )
    texts = ", ".join((men, UNITS.strip().split("\n")[1].strip()))
    bags = "bags: {kind: mealie_bags, line: [[10, 14], [50, 14]]}"
    plan = game(units=texts, leaders="", terrain=bags).plan
    front = max(y for _, y in plan.bodies["men"].at)
    assert (14 * 2.54 - front < 2) is within


@pytest.mark.rule("RSK-106", "RSK-107")
@pytest.mark.parametrize(("ranks", "able"), [(1, 5), (2, 10), (3, 10)])
def test_the_second_rank_shoots_past_the_first_and_the_third_does_not(ranks: int, able: int) -> None:
    """Bases are 0.25 cm apart. The first rank is within 2 cm of the second, but too far from the third."""
    field = scene(
        troops("a", "red", (100, 50), 5 * ranks, width=5, weapon="rifle", loading="breech"),
        troops("b", "blue", (0, 0), at=[(100, 130)]),
    )
    unit, target = field["a"], field["b"]
    between = lines_of_fire(field.battle, unit, target)
    shots = able_figures(field.battle, unit, target, "rifle", figures_to_hit(field.battle, unit, target), between)
    assert len(shots) == able


spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
counts = st.integers(1, 12)
crowds = st.lists(st.tuples(spots, counts), min_size=3, max_size=7)


@settings(max_examples=60)
@given(crowds)
def test_a_shooter_aims_at_the_nearest_man_in_clear_sight(units: list[tuple[Point, int]]) -> None:
    battle = crowd(units)
    unit, target = battle.units["u0"], battle.units["u1"]
    pool, reach = figures_to_hit(battle, unit, target), battle.book.ranges["rifle"][-1]
    free = set(range(unit.count)) - battle.figures_in_contact(unit)
    shots = able_figures(battle, unit, target, "rifle", pool, lines_of_fire(battle, unit, target))
    battle.field.figure_blockers.clear()
    between, expected = lines_of_fire(battle, unit, target), {}
    for i in free:
        clear = [j for _, j in pool if whole_base(unit, i, target, j, between)]
        gaps = [max(0.0, dist(unit.body.at[i], target.body.at[j]) - 2 * unit.body.radius) for j in clear]
        if gaps and min(gaps) <= reach:
            expected[i] = min(gaps)
    assert {shot.index: shot.distance for shot in shots} == expected
