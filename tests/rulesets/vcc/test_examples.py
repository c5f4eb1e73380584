"""The worked examples of the catalogue, by number, computed with the rules that play uses."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import ask_odds, battlefield, blue, red, rules_with

from zareba.odds import Odds


def chance(found: Odds, **wanted: Any) -> F:
    """Return the probability that these fields of the outcome have these values."""
    return found.probability(lambda outcome: all(getattr(outcome, name) == value for name, value in wanted.items()))


def spread(found: Odds, field: str) -> dict[Any, float]:
    """Return the distribution of one field, to six places."""
    values = {getattr(outcome, field) for outcome in found.outcomes}
    return {value: six(chance(found, **{field: value})) for value in values}


def six(p: F) -> float:
    return round(float(p), 6)


def dice(tally: str, **facts: Any) -> int:
    """Return the dice of a pool as the rules count them."""
    procedure = {"fire_dice": "fire_pool", "melee_dice": "melee_roll"}[tally]
    rules = rules_with()
    asked = rules.ruleset.procedure(procedure)
    (counted,) = asked.explain(rules, asked.facts(**facts)).tallies
    return int(counted.total)


@pytest.mark.rule("VCC-074", "VCC-080", "VCC-109")
def test_1_a_volley_of_six_dice() -> None:
    pool = ask_odds("fire_pool", {"bases": 5, "leader": True, "band": "medium"})
    assert pool.mean(lambda roll: roll.hits) == 21
    assert pool.probability(lambda roll: roll.hits >= 18) == F(9263, 11664)
    assert pool.probability(lambda roll: roll.hits >= 24) == F(4345, 15552)
    assert chance(pool, highest_face=True) == 1 - F(5, 6) ** 6


@pytest.mark.rule("VCC-038", "VCC-110", "VCC-137", "VCC-151")
def test_1_the_whole_chain() -> None:
    step = ask_odds(
        "fire_step",
        {"bases": 5, "leader": True, "band": "medium", "target_bases": 9, "target_leader": True},
    )
    assert chance(step, leader="unhurt") == F(3204077, 3359232)
    assert chance(step, leader="dead") == F(31031, 20155392)
    assert spread(step, "leader") == {"unhurt": 0.953812, "one wound": 0.03695, "two wounds": 0.007698, "dead": 0.00154}
    left = spread(step, "bases")
    assert {bases: left[bases] for bases in (9, 8, 7, 6, 5)} == {
        9: 0.009902,
        8: 0.195813,
        7: 0.514095,
        6: 0.259956,
        5: 0.019126,
    }
    # The example gives 0.001108: 1 less the sum of its five rounded numbers.
    assert six(step.probability(lambda outcome: outcome.bases <= 4)) == 0.001107
    assert chance(step, result="passes") == F(13392077, 13436928)
    assert six(chance(step, result="shaken")) == 0.003327
    assert six(chance(step, result="recoils")) == 0.000011


@pytest.mark.rule("VCC-077", "VCC-078", "VCC-079")
@pytest.mark.parametrize(
    ("facts", "total"),
    [
        (
            {
                "bases": 4,
                "leader": True,
                "quality": "elite",
                "moved": True,
                "band": "close",
                "target_mounted": True,
                "cover": "soft",
            },
            4,
        ),
        ({"bases": 2, "leader": True, "quality": "raw", "prone": True, "band": "long", "cover": "hard"}, 1),
    ],
)
def test_2_order_of_the_fire_lines(facts: Mapping[str, Any], total: int) -> None:
    assert dice("fire_dice", **facts) == total


@pytest.mark.rule("VCC-013", "VCC-014", "VCC-091")
def test_3_a_native_volley_of_d3() -> None:
    facts = {"bases": 7, "leader": True, "band": "medium", "cover": "soft", "fire_die": 3}
    pool = ask_odds("fire_pool", facts)
    assert pool.mean(lambda roll: roll.hits) == 8
    expected = [1, 4, 10, 16, 19, 16, 10, 4, 1]
    assert [chance(pool, hits=hits) for hits in range(4, 13)] == [F(ways, 81) for ways in expected]
    assert chance(pool, highest_face=True) == F(65, 81)
    assert pool.probability(lambda roll: roll.hits >= 8) == F(50, 81)
    halved = ask_odds("fire_pool", facts, d3_method="half_total")
    assert halved.mean(lambda roll: roll.hits) == F(29, 4)
    assert halved.probability(lambda roll: roll.hits >= 8) == F(575, 1296)


@pytest.mark.rule("VCC-081", "VCC-082")
@pytest.mark.parametrize(
    ("weapon", "across", "up", "band"),
    [
        ("rifle", 0, 1, "close"),
        ("rifle", 0, 3, "long"),
        ("rifle", 1, -1, "medium"),
        ("machine_gun", 3, 3, "long"),
        ("artillery", 4, 4, "medium"),
        ("artillery", 7, 7, "long"),
        ("artillery", 9, 9, None),
        ("musket", 0, 0, "close"),
    ],
)
def test_4_ranges(weapon: str, across: int, up: int, band: str | None) -> None:
    scene = battlefield(ground="\n".join(["." * 20] * 20))
    start = scene.box("F6")
    there = scene.battle.field.grid.at(5 + across, 5 + up)
    assert there is not None
    assert scene.battle.field.range_bands[weapon, start, there] == band


@pytest.mark.rule("VCC-110", "VCC-111", "VCC-112", "VCC-113", "VCC-114")
@pytest.mark.parametrize(("band", "hit"), [("long", F(1, 36)), ("medium", F(1, 12)), ("close", F(5, 18))])
def test_5_the_leader_table(band: str, hit: F) -> None:
    check = ask_odds("leader_check", {"band": band})
    assert chance(check, leader="unhurt", jest=False) == 1 - hit
    assert chance(check, leader="unhurt", jest=True) == hit * F(1, 6)
    assert chance(check, leader="one wound") == hit * F(2, 3)
    assert chance(check, leader="two wounds") == hit * F(5, 36)
    assert chance(check, leader="dead") == hit * F(1, 36)


@pytest.mark.rule("VCC-111", "VCC-115")
def test_5_two_checks_on_a_wounded_leader() -> None:
    checks = ask_odds("leader_check", {"band": "close", "wounds": 1, "checks": 2})
    assert chance(checks, leader="dead") == F(485, 3888)
    assert six(chance(checks, leader="two wounds", jest=False)) == 0.26749
    assert six(chance(checks, leader="two wounds", jest=True)) == 0.017147
    assert six(chance(checks, leader="one wound", jest=False)) == 0.521605
    assert six(chance(checks, leader="one wound", jest=True)) == 0.069016


@pytest.mark.rule("VCC-109", "VCC-115")
def test_6_a_twice_wounded_leader_under_a_close_volley() -> None:
    pool = ask_odds("fire_pool", {"bases": 5, "leader": True, "band": "close"})
    due = chance(pool, highest_face=True)
    assert due == 1 - F(5, 6) ** 12
    check = ask_odds("leader_check", {"band": "close", "wounds": 2})
    assert chance(check, leader="dead") == F(10, 36) * F(30, 36)
    assert six(due * chance(check, leader="dead")) == 0.205519
    assert six(due * chance(check, jest=True)) == 0.041104


@pytest.mark.rule("VCC-106", "VCC-145", "VCC-151", "VCC-154")
def test_7_morale_of_raw_foot_under_a_rocket() -> None:
    check = ask_odds("morale", {"bases": 3, "leader": True, "quality": "raw", "rocketed": True})
    assert chance(check, result="passes") == F(1, 3)
    for result in ("shaken", "recoils", "falls_back", "breaks"):
        assert chance(check, result=result) == F(1, 6)
    assert chance(check, bases=4) == F(35, 36)
    assert chance(check, bases=3) == F(1, 36)


@pytest.mark.rule("VCC-106", "VCC-146", "VCC-151", "VCC-154")
def test_7_morale_of_raw_riders_under_a_rocket() -> None:
    facts = {"bases": 3, "leader": True, "quality": "raw", "rocketed": True, "mounted": True, "hits": 4}
    check = ask_odds("morale", facts)
    for result in ("passes", "shaken", "recoils", "falls_back"):
        assert chance(check, result=result) == F(1, 6)
    assert chance(check, result="breaks") == F(1, 3)
    assert chance(check, bases=4) == F(31, 36)
    assert chance(check, bases=3) == F(5, 36)


@pytest.mark.rule("VCC-107", "VCC-108", "VCC-116")
def test_8_fire_on_a_weak_unit() -> None:
    step = ask_odds(
        "fire_step",
        {
            "bases": 1,
            "leader": True,
            "band": "close",
            "target_bases": 3,
            "target_leader": True,
            "target_hits": 2,
            "target_wounds": 2,
        },
    )
    assert chance(step, result="destroyed") == F(5185, 69984)
    assert chance(step, result="passes") == F(14489, 52488)
    assert {result: six(chance(step, result=result)) for result in ("shaken", "recoils", "falls_back", "breaks")} == {
        "shaken": 0.154319,
        "recoils": 0.154319,
        "falls_back": 0.154295,
        "breaks": 0.186936,
    }
    assert chance(step, bases=0) == F(41713, 419904)
    assert spread(step, "bases") == {3: 0.083124, 2: 0.473943, 1: 0.343594, 0: 0.099339}
    lost = step.probability(lambda outcome: outcome.leader == "dead" and outcome.bases > 0)
    assert lost == F(40325, 839808)


@pytest.mark.rule("VCC-118", "VCC-120", "VCC-134", "VCC-137")
def test_9_melee_frontal_level_open() -> None:
    fight = ask_odds("melee", {"a_bases": 4, "b_bases": 3, "b_regular": True})
    assert spread(fight, "a_bases") == {
        5: 0.003236,
        4: 0.205688,
        3: 0.572908,
        2: 0.206388,
        1: 0.011681,
        0: 0.000098,
    }
    assert chance(fight, a_result="passes") == F(2606183, 5038848)
    assert spread(fight, "a_result") == {
        "passes": 0.517218,
        "shaken": 0.166666,
        "recoils": 0.165785,
        "falls_back": 0.124219,
        "breaks": 0.026106,
        "destroyed": 0.000006,
    }
    assert chance(fight, b_result="destroyed") == F(8527735, 30233088)
    assert spread(fight, "b_result") == {
        "destroyed": 0.282066,
        "passes": 0.158662,
        "shaken": 0.119656,
        "recoils": 0.119656,
        "falls_back": 0.119655,
        "breaks": 0.200305,
    }
    assert spread(fight, "b_bases") == {3: 0.008448, 2: 0.172916, 1: 0.485728, 0: 0.332909}
    for result in ("passes", "breaks"):
        both = chance(fight, a_result=result, b_result=result)
        assert both == chance(fight, a_result=result) * chance(fight, b_result=result)


@pytest.mark.rule("VCC-124", "VCC-125", "VCC-128", "VCC-129", "VCC-131")
@pytest.mark.parametrize(
    ("facts", "total"),
    [
        (
            {
                "bases": 3,
                "leader": True,
                "quality": "elite",
                "charging": True,
                "flank": True,
                "lancers": True,
                "enemy_broken": True,
                "mounted": True,
                "uphill": True,
            },
            12,
        ),
        ({"bases": 4, "leader": True, "quality": "raw", "broken": True}, 2),
        ({"bases": 6, "leader": True, "charging": True, "supporting": True, "cover": "hard"}, 1),
    ],
)
def test_10_melee_pools(facts: Mapping[str, Any], total: int) -> None:
    assert dice("melee_dice", **facts) == total


@pytest.mark.rule("VCC-098", "VCC-099")
def test_11_where_a_rocket_comes_down() -> None:
    rocket = ask_odds("rocket", {"columns": 12, "rows": 8, "column": 6, "row": 5, "flight": "N"})
    assert chance(rocket, column=6, row=5) == F(1, 3)
    assert chance(rocket, column=None) == F(2, 9)
    assert chance(rocket, column=6, row=6) == F(1, 72)


@pytest.mark.rule("VCC-100", "VCC-145")
def test_11_morale_where_a_rocket_is_aimed() -> None:
    found = ask_odds("rocket_morale", {"bases": 2, "leader": True})
    assert chance(found, result="no check") == F(2, 3)
    assert chance(found, result="passes") == F(1, 9)
    for result in ("shaken", "recoils", "falls_back", "breaks"):
        assert chance(found, result=result) == F(1, 18)


@pytest.mark.rule("VCC-103", "VCC-104")
def test_12_overheating() -> None:
    gun = ask_odds("overheating", {"turns": 4, "rest": True})
    assert gun.probability(lambda outcome: 0 < outcome.first_overheated <= 2) == F(1, 3)
    assert gun.probability(lambda outcome: 0 < outcome.first_overheated <= 3) == F(2, 3)
    assert gun.probability(lambda outcome: 0 < outcome.first_overheated <= 4) == F(8, 9)
    reckless = ask_odds("overheating", {"turns": 3, "rest": False})
    assert chance(reckless, state="cool") == F(1, 3)
    assert chance(reckless, state="overheated") == F(1, 2)
    assert chance(reckless, state="broken") == F(1, 6)


@pytest.mark.rule("VCC-160")
def test_12_rally() -> None:
    leaderless = {"bases": 3, "leader": False, "quality": "raw"}
    assert chance(ask_odds("rally", leaderless), rallied=True) == F(1, 3)
    assert chance(ask_odds("rally", {**leaderless, "commander": True}), rallied=True) == F(2, 3)


@pytest.mark.rule("VCC-105")
def test_the_example_shots_play_out_on_the_table() -> None:
    """Example 1 with rolled dice: 23 hits remove three bases and leave a marker of 5."""
    scene = battlefield(red("Rifles", "D2"), blue("Spears", "D4"))
    volley = [("fire with", "Rifles"), ("fire at", "Spears"), ("fire", [5, 5, 5, 5, 2, 1]), ("morale", 6)]
    scene.play(*volley, phase="british_fire")
    spears = scene.unit("Spears")
    assert (spears.strength, spears.hits) == (7, 5)
    assert scene.told("morale passed") == [{"unit": "Spears", "die": 6, "total": 7}]
