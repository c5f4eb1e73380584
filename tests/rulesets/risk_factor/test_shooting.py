"""Shooting: who may shoot, targets and rates (RSK-067, RSK-081 to RSK-097)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import RIFLES, Scene, book, duel, ground, leader, line, row, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.table import SeededTable
from zareba_rulesets.risk_factor.actions import give_order
from zareba_rulesets.risk_factor.chapters.command import command
from zareba_rulesets.risk_factor.chapters.movement import go
from zareba_rulesets.risk_factor.chapters.shooting import HOLD, number_of_shots, shoot, volley
from zareba_rulesets.risk_factor.chapters.targets import (
    has_loaded,
    may_name_target,
    may_shoot,
    may_use,
    nearest_target,
    possible_targets,
    ready_to_shoot,
    shoots_at_full_rate,
)


# --- rates ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-081", "RSK-082", "RSK-083", "RSK-086")
@pytest.mark.setting("shooting.fraction")
@pytest.mark.parametrize(
    ("fraction", "still", "moved", "one"),
    [("down_min1", 5, 3, 1), ("down", 5, 3, 0), ("up", 6, 4, 1)],
)
def test_one_in_two_one_in_three(fraction: str, still: int, moved: int, one: int) -> None:
    numbers = book(shooting_fraction=fraction)
    assert number_of_shots(numbers, 11, False, False, False) == still
    assert number_of_shots(numbers, 11, False, False, True) == moved
    assert number_of_shots(numbers, 1, False, False, False) == one
    assert number_of_shots(numbers, 11, False, True, True) == 11
    assert number_of_shots(numbers, 0, False, False, False) == 0


@pytest.mark.rule("RSK-083", "RSK-094")
def test_a_volley_out_of_range_fires_no_shot() -> None:
    field = scene(troops("a", "red", (0, 0), **RIFLES), troops("b", "blue", (0, 250)))
    with field.script() as table:
        assert volley(table, field.battle, field["a"], field["b"], "rifle") == 0
        assert table.events == []


@pytest.mark.rule("RSK-092", "RSK-093")
@pytest.mark.setting("shooting.hand_hurled")
def test_hurled_weapons_count_one_in_three() -> None:
    plain, multiplied = book(), book(shooting_hand_hurled="multiply")
    assert [
        number_of_shots(plain, 18, True, full, moved) for full, moved in ((True, True), (False, False), (False, True))
    ] == [6, 6, 6]
    assert [
        number_of_shots(multiplied, 18, True, full, moved)
        for full, moved in ((True, True), (False, False), (False, True))
    ] == [6, 3, 2]


@pytest.mark.rule("RSK-067", "RSK-068")
@pytest.mark.setting("shooting.no_volley_scope")
def test_troops_without_volleys_count_as_uncommanded_for_shooting() -> None:
    def kinds(**settings: Any) -> list[tuple[bool, bool]]:
        field = scene(
            troops("drilled", "red", (0, 0), 4, marks=["commanded"], **RIFLES),
            troops("boers", "red", (30, 0), 4, marks=["commanded"], weapon="rifle", loading="breech"),
            troops("idle", "red", (60, 0), 4, **RIFLES),
            **settings,
        )
        return [
            (shoots_at_full_rate(field[n]), may_name_target(field.battle, field[n]))
            for n in ("drilled", "boers", "idle")
        ]

    assert kinds() == [(True, True), (False, False), (False, False)]
    assert kinds(shooting_no_volley_scope="rate_only") == [(True, True), (False, True), (False, False)]


@pytest.mark.rule("RSK-067", "RSK-081", "RSK-082", "RSK-085", "RSK-086")
@pytest.mark.parametrize(
    ("traits", "marks", "shots", "at"),
    [
        (RIFLES, ["commanded"], 6, "far"),
        (RIFLES, [], 3, "near"),
        (RIFLES, ["moved"], 2, "near"),
        (RIFLES | {"volley": False}, ["commanded"], 3, "near"),
        (RIFLES | {"volley": False}, ["commanded", "moved", "far"], 2, "near"),
        (RIFLES, ["commanded", "moved"], 6, "far"),
    ],
)
def test_number_of_shooters_and_choice_of_target_for_six_men(
    traits: dict[str, Any], marks: list[str], shots: int, at: str
) -> None:
    """Only commanded troops with volleys have a choice, and all of them fire. Of other troops one in two fires, or one
    in three after a move.
    """
    field = scene(
        troops("a", "red", (0, 0), at=row(6, 50), marks=marks, **traits),
        troops("near", "blue", (0, 0), at=row(4, 85, x=20)),
        troops("far", "blue", (0, 0), at=row(4, 90, x=80)),
    )
    choice = (("shoot at", "far"),) if at == "far" else ()
    with field.script(*choice, ("shooting", [1] * shots)) as table:
        shoot(table, field.battle, field["a"])
    assert [(e.data["target"], e.data["shots"]) for e in table.events if e.kind == "shooting"] == [(at, shots)]


# --- loading and movement ---------------------------------------------------------------------------------------------
def usable(loading: str, marks: str, **settings: Any) -> bool:
    unit = RIFLES | {"loading": loading}
    field = scene(troops("a", "red", (0, 0), 4, marks=marks.split(), **unit), **settings)
    return may_use(field.battle, field["a"], "rifle")


@pytest.mark.rule("RSK-088", "RSK-089", "RSK-090", "RSK-091")
def test_commanded_troops_load_and_go_slow_to_shoot() -> None:
    assert usable("muzzle", "commanded loaded moved")
    assert not usable("muzzle", "commanded moved")
    assert not usable("muzzle", "commanded loaded moved far")
    assert usable("breech", "commanded moved") and not usable("breech", "commanded moved far")
    assert usable("magazine", "commanded moved far")


@pytest.mark.rule("RSK-084")
@pytest.mark.setting("shooting.uncommanded_loading")
def test_uncommanded_troops_need_not_count_their_loading() -> None:
    assert usable("muzzle", "moved far") and usable("breech", "moved far")
    tracked = {"shooting_uncommanded_loading": "tracked"}
    assert not usable("muzzle", "", **tracked) and usable("muzzle", "loaded", **tracked)
    assert not usable("breech", "moved far", **tracked)


@pytest.mark.rule("RSK-088")
def test_firing_unloads() -> None:
    field = duel(marks=["commanded", "loaded"], loading="muzzle")
    assert field.run(volley, field["a"], field["foe"], "rifle", script=[("shooting", [1, 1, 1, 1])]) == 4
    assert "loaded" not in field["a"].marks and {"fired", "fired_now"} <= field["a"].marks


@pytest.mark.rule("RSK-035", "RSK-088")
@pytest.mark.parametrize(("weapon", "loaded"), [("musket", False), ("hatchet", True)])
def test_throwing_a_weapon_leaves_the_musket_loaded(weapon: str, loaded: bool) -> None:
    arms: dict[str, Any] = {"weapon": "musket", "loading": "muzzle", "close": "hatchet", "volley": True}
    field = scene(
        troops("a", "red", (0, 0), at=row(3, 50), marks=["commanded", "loaded"], **arms),
        troops("foe", "blue", (0, 0), at=row(3, 60)),
    )
    shots = 3 if weapon == "musket" else 1
    field.run(shoot, field["a"], script=[("shoot at", "foe"), ("shoot with", weapon), ("shooting", [1] * shots)])
    assert "fired_now" in field["a"].marks and ("loaded" in field["a"].marks) == loaded


@pytest.mark.rule("RSK-086", "RSK-088")
@pytest.mark.setting("shooting.split_fire")
@pytest.mark.parametrize("second", ["musket", "hatchet", ""])
def test_half_of_a_group_that_has_fired_its_muskets_leaves_it_unloaded(second: str) -> None:
    arms: dict[str, Any] = {"weapon": "musket", "loading": "muzzle", "close": "hatchet", "volley": True}
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded", "loaded"], **arms),
        troops("near", "blue", (0, 0), at=row(2, 60, x=40)),
        troops("far", "blue", (0, 0), at=row(2, 60, x=62)),
        shooting_split_fire=True,
    )
    first = (("shoot at", "near"), ("split fire", True), ("shoot with", "musket"), ("shooting", [1, 1]))
    then = (("shoot with", second), ("shooting", [1] * (2 if second == "musket" else 1)))
    field.run(shoot, field["a"], script=[*first, ("shoot at", "far" if second else HOLD), *(then if second else ())])
    assert "loaded" not in field["a"].marks and "fired_now" in field["a"].marks


@pytest.mark.rule("RSK-035", "RSK-094", "RSK-110")
def test_only_weapons_with_a_clear_shot_are_offered() -> None:
    """At 15 cm wounded men may use their rifles but not throw. Behind friends they may do neither."""
    arms: dict[str, Any] = {"weapon": "rifle", "loading": "magazine", "close": "hatchet"}
    foe = troops("foe", "blue", (0, 0), at=row(2, 67.5))
    field = scene(troops("a", "red", (0, 0), at=row(2, 50), hurt=2, **arms), foe)
    field.run(shoot, field["a"], script=[("shooting", [1])])
    hidden = scene(
        troops("a", "red", (0, 0), at=row(2, 50), **arms), foe, troops("mates", "red", (0, 0), at=row(8, 60, x=42))
    )
    hidden.run(shoot, hidden["a"])
    assert "fired_now" in field["a"].marks and "fired_now" not in hidden["a"].marks


# --- targets ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-085", "RSK-148", "RSK-039")
def test_uncommanded_units_shoot_at_the_nearest_seen_enemy() -> None:
    house = ground("house", "built_up", [(40, 70), (80, 70), (80, 80), (40, 80)])
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), **RIFLES),
        troops("hidden", "blue", (0, 0), at=row(4, 90)),
        troops("seen", "blue", (0, 0), at=row(4, 100, x=130)),
        troops("far", "blue", (0, 0), at=row(4, 190, x=130)),
        terrain=[house],
    )
    target = nearest_target(field.battle, field["a"])
    assert target is not None and target.id == "seen"
    assert ready_to_shoot(field.battle) == ["a"]
    with field.script(("shooting", [1, 1])) as table:
        shoot(table, field.battle, field["a"])
    assert [event.data["target"] for event in table.events if event.kind == "shooting"] == ["seen"]


@pytest.mark.rule("RSK-086")
@pytest.mark.setting("shooting.split_fire")
def test_commanded_troops_name_their_target_and_may_split_their_fire() -> None:
    def two(**settings: Any) -> Scene:
        return scene(
            troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
            troops("near", "blue", (0, 0), at=row(4, 100, x=20)),
            troops("far", "blue", (0, 0), at=row(4, 120, x=80)),
            **settings,
        )

    field = two()
    field.run(shoot, field["a"], script=[("shoot at", "far"), ("shooting", [1, 1, 1, 1])])
    split = two(shooting_split_fire=True)
    answers = (
        ("shoot at", "far"),
        ("split fire", True),
        ("shooting", [1, 1]),
        ("shoot at", "near"),
        ("shooting", [1, 1]),
    )
    split.run(shoot, split["a"], script=answers)


@pytest.mark.rule("RSK-086")
@pytest.mark.setting("shooting.split_fire")
def test_no_man_fires_twice_when_fire_is_split() -> None:
    """Of five men three fire at the nearer target and the other two at the second."""
    field = scene(
        troops("a", "red", (0, 0), at=row(5, 50), marks=["commanded"], **RIFLES),
        troops("near", "blue", (0, 0), at=row(4, 100, x=20)),
        troops("far", "blue", (0, 0), at=row(4, 120, x=80)),
        shooting_split_fire=True,
    )
    answers = (("shoot at", "near"), ("split fire", True), ("shooting", [1] * 3), ("shoot at", "far"))
    with field.script(*answers, ("shooting", [1] * 2)) as table:
        shoot(table, field.battle, field["a"])
    assert [event.data["shots"] for event in table.events if event.kind == "shooting"] == [3, 2]


@pytest.mark.rule("RSK-008", "RSK-086")
@pytest.mark.setting("shooting.split_fire")
@pytest.mark.setting("extensions.support_weapons")
def test_the_crew_of_one_gun_cannot_split_its_fire() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], support="machine_gun"),
        troops("near", "blue", (0, 0), at=row(4, 100, x=20)),
        troops("far", "blue", (0, 0), at=row(4, 120, x=80)),
        shooting_split_fire=True,
        extensions_support_weapons="on",
    )
    field.run(shoot, field["a"], script=[("shoot at", "near"), ("shooting", [1] * 6)])


@pytest.mark.rule("RSK-087", "RSK-104")
def test_a_player_character_picks_his_man() -> None:
    field = scene(
        leader("officer", "red", (54, 50), weapon="pistol", loading="magazine", marks=["linked", "busy"]),
        troops("foe", "blue", (0, 0), at=row(4, 60, step=4)),
        commanders=["officer"],
    )
    with field.script(("shoot at", "foe"), ("pick a man", 2), ("shooting", [8]), ("damage", [6])) as table:
        shoot(table, field.battle, field["officer"])
    assert field["foe"].count == 3 and 58 not in [x for x, _ in field["foe"].body.at]


@pytest.mark.rule("RSK-087", "RSK-094", "RSK-110")
@pytest.mark.parametrize(("hurt", "offered"), [(0, (0, 1)), (1, None)])
def test_player_character_chooses_among_men_in_range(hurt: int, offered: Any) -> None:
    """Men are 4, 9 and 31 cm off. A pistol reaches 30 cm, and a wounded man's shot 5 cm, so that he has no choice."""
    field = scene(
        leader("officer", "red", (50, 50), weapon="pistol", loading="magazine", marks=["linked", "busy"], hurt=hurt),
        troops("foe", "blue", (0, 0), at=[(50, 56.5), (58, 58), (62, 81.5)]),
        commanders=["officer"],
    )
    asked: dict[str, Any] = {}

    def agent(question: Any, _: Any) -> Any:
        asked[question.why] = question.options
        return question.options[-1]

    shoot(SeededTable(field.rules, field.battle, 1, {"red": agent}), field.battle, field["officer"])
    assert asked.get("pick a man") == offered and "fired" in field["officer"].marks


@pytest.mark.rule("RSK-087")
def test_player_character_next_to_a_group_fires_separately() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
        leader("officer", "red", (46, 50), marks=["linked", "busy"], **RIFLES),
        troops("foe", "blue", (0, 0), at=row(4, 100)),
        commanders=["officer"],
    )
    assert ready_to_shoot(field.battle) == ["a", "officer"]
    field.run(shoot, field["a"], script=[("shoot at", "foe"), ("shooting", [1] * 4)])
    field.run(shoot, field["officer"], script=[("shoot at", "foe"), ("pick a man", 0), ("shooting", [1])])


@pytest.mark.rule("RSK-087", "RSK-094")
@pytest.mark.parametrize(("gap", "ready"), [(0.05, []), (3.0, ["officer"])])
def test_officer_in_contact_has_no_choice_of_target(gap: float, ready: list[str]) -> None:
    field = scene(
        leader("officer", "red", (50, 50), marks=["linked", "busy"], **RIFLES),
        troops("foe", "blue", (0, 0), at=row(4, 52.5 + gap)),
        commanders=["officer"],
    )
    assert ready_to_shoot(field.battle) == ready


@pytest.mark.rule("RSK-092")
@pytest.mark.setting("shooting.fraction")
def test_a_player_character_throws_one_spear_however_fractions_are_rounded() -> None:
    field = scene(
        leader("chief", "red", (50, 50), close="spear", marks=["linked", "busy"]),
        troops("foe", "blue", (0, 0), at=row(4, 60)),
        commanders=["chief"],
        shooting_fraction="down",
    )
    field.run(shoot, field["chief"], script=[("shoot at", "foe"), ("pick a man", 0), ("shooting", [1])])


@pytest.mark.rule("RSK-048", "RSK-087")
def test_leaders_with_a_group_are_not_asked_separately() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
        leader("nco", "red", (46, 50), "nco", marks=["linked", "busy"], **RIFLES),
        leader("alone", "red", (150, 50), "nco", marks=["linked", "busy"], **RIFLES),
        troops("foe", "blue", (0, 0), at=row(4, 100)),
    )
    assert ready_to_shoot(field.battle) == ["a", "alone"]


@pytest.mark.rule("RSK-088", "RSK-159")
def test_men_who_fought_or_killed_prisoners_have_not_loaded() -> None:
    field = scene(troops("a", "red", (50, 50), 4, **RIFLES))
    assert has_loaded(field.battle, field["a"])
    field["a"].killers = 1
    assert not has_loaded(field.battle, field["a"])
    field["a"].killers, field.battle.fights = 0, [("a", "foe")]
    assert not has_loaded(field.battle, field["a"])
    field["a"].marks, field.battle.fights = field["a"].marks | {"footing"}, []
    assert not has_loaded(field.battle, field["a"])


@pytest.mark.rule("RSK-053", "RSK-096")
def test_routers_and_leaders_who_did_not_declare_do_not_shoot() -> None:
    field = scene(
        troops("rout", "red", (0, 0), 4, status="routing", **RIFLES),
        leader("silent", "red", (50, 0), marks=["linked"], weapon="pistol", loading="magazine"),
        leader("idle", "red", (90, 0), weapon="pistol", loading="magazine"),
    )
    assert [may_shoot(field.battle, field[name]) for name in ("rout", "silent", "idle")] == [False, False, True]


@pytest.mark.rule("RSK-097", "RSK-094")
@pytest.mark.setting("shooting.at_engaged")
def test_figures_in_contact_are_not_shot_at() -> None:
    def mixed(**settings: Any) -> Scene:
        return scene(
            troops("a", "red", (0, 0), at=row(4, 50), **RIFLES),
            troops("pals", "red", (0, 0), at=row(4, 97.5)),
            troops("foe", "blue", (0, 0), at=row(4, 100)),
            troops("far", "blue", (0, 0), at=row(4, 100, x=150)),
            **settings,
        )

    assert [target.id for target in possible_targets(mixed().battle, mixed()["a"])] == ["far"]
    both = mixed(shooting_at_engaged="allow")
    assert {target.id for target in possible_targets(both.battle, both["a"])} == {"foe", "far"}


MUSKETS: dict[str, Any] = {"weapon": "musket", "loading": "muzzle", "volley": True}


def loads(*marks: str, contact: bool = False, fought: bool = False, killers: int = 0, rank: str = "") -> bool:
    unit = (
        leader("a", "red", (50, 50), rank, marks=marks, **MUSKETS)
        if rank
        else troops("a", "red", (0, 0), at=[(50, 50), (53, 50)], marks=marks, **MUSKETS)
    )
    unit.killers = killers
    field = scene(unit, troops("e", "blue", (0, 0), at=[(50, 52.5 if contact else 80)]))
    field.battle.fights = [("a", "e")] if fought else []
    return has_loaded(field.battle, field["a"])


@pytest.mark.rule("RSK-088")
def test_loading_takes_a_whole_turn_still_and_out_of_contact() -> None:
    assert loads() and loads("commanded")
    assert not loads("moved")
    assert not loads(contact=True)
    assert not loads(fought=True), "it was pushed out of contact, but it fought"


@pytest.mark.rule("RSK-159", "RSK-088")
def test_men_who_kill_prisoners_do_not_load() -> None:
    assert not loads(killers=1)


@pytest.mark.rule("RSK-087", "RSK-088", "RSK-150")
def test_shot_of_a_leader_is_not_counted_for_his_group() -> None:
    """One in two of the three shoots: the NCO, who is nearest. The others have neither fired nor stopped loading."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (53, 50)], **MUSKETS),
        leader("nco", "red", (51.5, 53), "nco", marks=["loaded"], **MUSKETS),
        troops("e", "blue", (0, 0), at=[(51.5, 70)]),
        solo=["red"],
    )
    field.run(shoot, field["a"], script=[("shooting", 0)])
    assert field["nco"].marks == {"fired", "fired_now"}
    assert not field["a"].marks


@pytest.mark.rule("RSK-053", "RSK-088")
def test_leader_who_threw_for_command_loads_only_if_declared() -> None:
    assert loads(rank="nco") and loads("linked", "busy", rank="nco")
    assert not loads("linked", rank="nco")


def asked(at: tuple[float, float], *marks: str, enemy: float = 100.0, **traits: Any) -> bool:
    """Return True if the officer at this point has to choose between loading and firing; the enemy is north of him."""
    arms = {"weapon": "pistol", "loading": "magazine"} | traits
    field = scene(
        leader("officer", "red", at, marks=marks, **arms),
        leader("chief", "red", (at[0] + 30, at[1])),
        troops("foe", "blue", (0, 0), at=[(at[0], at[1] + enemy)]),
        commanders=["officer", "chief"],
    )
    questions: list[str] = []

    def answer(question: Any, _: Any) -> Any:
        questions.append(question.why)
        return question.options[0]

    command(SeededTable(field.rules, field.battle, 1, {"red": answer}), field.battle, field["chief"])
    return "will load or fire" in questions


@pytest.mark.rule("RSK-053")
def test_leaders_asked_to_load_or_fire() -> None:
    """A pistol reaches 30 cm after a move of 25. With a muzzle-loader the question comes at any distance."""
    assert asked((50, 50), enemy=57.4) and not asked((50, 50), enemy=57.6)
    assert not asked((50, 50), "linked", enemy=40), "he has thrown without saying so"
    assert asked((50, 50), loading="muzzle", enemy=140) and not asked((50, 50), "loaded", loading="muzzle", enemy=140)
    assert not asked((50, 50), weapon="none", loading="none", enemy=20)


# --- half a move ------------------------------------------------------------------------------------------------------
def marched(pace: str, terrain: Any = (), hurt: int = 0, loading: str = "breech") -> Scene:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (53, 50)], hurt=hurt, marks=["free", "commanded", "loaded"],
               weapon="rifle", loading=loading, volley=True),
        terrain=terrain,
    )  # fmt: skip
    with field.script(("order", "march"), ("march to", (51.5, 150.0)), ("pace", pace)) as table:
        give_order(table, field.battle, field["a"], game().plan)
    return field


@pytest.mark.rule("RSK-089", "RSK-090")
@pytest.mark.parametrize("loading", ["breech", "muzzle"])
def test_at_half_pace_one_may_shoot_and_at_full_pace_not(loading: str) -> None:
    half, full = marched("half", loading=loading), marched("full", loading=loading)
    assert half["a"].body.at[0][1] == pytest.approx(62.5) and may_use(half.battle, half["a"], "rifle")
    assert full["a"].body.at[0][1] == pytest.approx(75) and not may_use(full.battle, full["a"], "rifle")


@pytest.mark.rule("RSK-089", "RSK-076", "RSK-077")
def test_half_pace_is_half_the_allowance_on_any_ground() -> None:
    marsh = marched("half", [ground("marsh", "broken", [(0, 55), (100, 55), (100, 90), (0, 90)])])
    assert marsh["a"].body.at[0][1] == pytest.approx(50 + 5 + 7.5 / 2)
    assert may_use(marsh.battle, marsh["a"], "rifle")
    fence = marched("half", [line("fence", "hedge", (0, 55), (100, 55))])
    assert 54.9 < fence["a"].body.at[0][1] < 55, "half a move does not cross a barrier that costs half a move"
    assert marched("half", hurt=1)["a"].body.at[1][1] == pytest.approx(60), "a wounded man goes half of his 20 cm"


@pytest.mark.rule("RSK-089")
def test_double_cost_ground_counts_towards_the_half() -> None:
    """Ten cm through a marsh cost twenty, more than half of 25."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], weapon="rifle", loading="breech", volley=True),
        terrain=[ground("marsh", "broken", [(0, 40), (100, 40), (100, 90), (0, 90)])],
    )
    field.run(go, field["a"], [(50, 50), (50, 60)], 10)
    assert "far" in field["a"].marks and not may_use(field.battle, field["a"], "rifle")
