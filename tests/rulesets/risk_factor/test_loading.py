"""Loading turns, and how far men may move and still shoot (RSK-053, RSK-078, RSK-088 to RSK-090)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.table import SeededTable
from zareba_rulesets.risk_factor.chapters.command import command
from zareba_rulesets.risk_factor.chapters.fire.shooting import shoot
from zareba_rulesets.risk_factor.chapters.fire.targets import has_loaded, may_use
from zareba_rulesets.risk_factor.chapters.movement.movement import go
from zareba_rulesets.risk_factor.chapters.orders.orders import give_order

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
def test_who_kills_prisoners_does_not_load() -> None:
    assert not loads(killers=1)


@pytest.mark.rule("RSK-087", "RSK-088", "RSK-150")
def test_the_shot_of_a_leader_beside_them_is_not_his_groups() -> None:
    """One in two of the three shoots: the NCO, who is nearest. The others have neither fired nor stopped loading."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (53, 50)], **MUSKETS),
        leader("nco", "red", (51.5, 53), "nco", marks=["loaded"], **MUSKETS),
        troops("e", "blue", (0, 0), at=[(51.5, 70)]),
        solo=["red"],
    )
    with field.script(("shooting", 0)) as table:
        shoot(table, field.battle, field["a"])
    assert field["nco"].marks == {"fired", "fired_now"}
    assert not field["a"].marks


@pytest.mark.rule("RSK-053", "RSK-088")
def test_a_leader_who_threw_for_command_loads_only_if_he_said_so() -> None:
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
def test_who_is_asked_whether_he_will_load_or_fire() -> None:
    """A pistol reaches 30 cm after a move of 25. With a muzzle-loader the question comes at any distance."""
    assert asked((50, 50), enemy=57.4) and not asked((50, 50), enemy=57.6)
    assert not asked((50, 50), "linked", enemy=40), "he has thrown without saying so"
    assert asked((50, 50), loading="muzzle", enemy=140) and not asked((50, 50), "loaded", loading="muzzle", enemy=140)
    assert not asked((50, 50), weapon="none", loading="none", enemy=20)


# --- half a move -----------------------------------------------------------------------------------------------------------------


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
    with field.script() as table:
        go(table, field.battle, field["a"], [(50, 50), (50, 60)], 10)
    assert "far" in field["a"].marks and not may_use(field.battle, field["a"], "rifle")


# --- facing --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-078")
@pytest.mark.parametrize(("order", "turned"), [("withdraw", True), (("advance", "e"), False)])
def test_a_group_that_shows_its_flank_after_a_move_may_be_turned(order: Any, turned: bool) -> None:
    field = scene(
        troops("a", "red", (50, 80), 4, marks=["free"]),
        leader("pc", "red", (50, 20), marks=["free"]),
        troops("e", "blue", (50, 130), 4),
    )
    more = (("face", 0),) if turned else ()
    with field.script(("order", order), ("pace", "half"), *more) as table:
        give_order(table, field.battle, field["a"], game().plan)
    assert min(field["a"].facing, 360 - field["a"].facing) < 10
