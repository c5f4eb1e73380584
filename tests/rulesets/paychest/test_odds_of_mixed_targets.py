"""Odds of fire at mixed targets and of several volleys equal fractions computed by hand, and play."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb, sqrt
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, chances, row, scene

from zareba.base.errors import ZarebaError
from zareba.chance import KeyedDice
from zareba.odds import Odds
from zareba.table import Choose, SeededTable
from zareba_rulesets.paychest.actions.fire import fire_step
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.odds.stage import losses_of

PLAYS = [1_500, pytest.param(20_000, marks=pytest.mark.deep)]
HALF = F(1, 2)
"""A rifleman of skill 4 at 20 inches hits a target in the open with 3 or less."""


def lost(asked: Odds) -> dict[tuple[int, int], F]:
    found: dict[tuple[int, int], F] = {}
    for outcome, p in asked.outcomes.items():
        key = outcome.killed, outcome.unconscious
        found[key] = found.get(key, F(0)) + p
    return found


# --- computed by hand -------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-105", "PAY-119", "PAY-187", "PAY-188")
@pytest.mark.setting("exposure_check")
def test_one_shot_at_two_in_the_open_and_a_wounded_man_behind_a_parapet() -> None:
    targets = ((2, "open", 0), (1, "parapet", 2))
    anywhere = chances("mixed_volleys", firers=1, shots=1, targets=targets)
    assert anywhere.method == "exact"
    killed, knocked = HALF * F(12, 52), HALF * (F(4, 52) + F(1, 3) * F(29, 52))
    assert lost(anywhere) == {(0, 0): 1 - killed - knocked, (1, 0): killed, (0, 1): knocked}
    # the third man shows head and arm: 4 cards kill, 2 knock out, 9 give him his third wound
    shown = chances("mixed_volleys", {"exposure_check": "all_fire"}, firers=1, shots=1, targets=targets)
    killed = HALF * (F(2, 3) * F(12, 52) + F(1, 3) * F(4, 52))
    knocked = HALF * (F(2, 3) * F(4, 52) + F(1, 3) * F(2 + 9, 52))
    assert lost(shown) == {(0, 0): 1 - killed - knocked, (1, 0): killed, (0, 1): knocked}


@pytest.mark.rule("PAY-114")
@pytest.mark.parametrize(
    ("targets", "hits"),
    [
        (((2, "open", 0), (1, "wagon", 0)), 3),
        (((1, "open", 0), (1, "soft", 0)), 2),
        (((2, "open", 0), (1, "soft", 0), (1, "low_wall", 0)), 2),
        (((1, "soft", 0), (1, "low_wall", 0)), 1),
    ],
)
def test_half_of_them_in_cover_are_cover_for_all(targets: Any, hits: int) -> None:
    asked = chances("mixed_volleys", firers=1, shots=1, targets=targets)
    assert asked.mean(lambda o: o.killed) == F(hits, 6) * F(12, 52)


@pytest.mark.rule("PAY-100", "PAY-106", "PAY-116")
def test_whom_the_first_volley_puts_out_of_action_is_no_target_of_the_second() -> None:
    asked = chances("mixed_volleys", firers=1, shots=2, targets=((1, "open", 2),))
    assert asked.method == "exact"
    # the first shot misses, or grazes him and that card is gone from the deck
    again = HALF * F(1, 52) + HALF * F(7, 52) * F(1, 51)
    killed, knocked = (HALF * F(n, 52) + HALF * again * n for n in (12, 33))
    assert lost(asked) == {(0, 0): 1 - killed - knocked, (1, 0): killed, (0, 1): knocked}


def spared(deadly: int, men: int, hits: dict[int, F]) -> F:
    """Return the probability that none of these hits kills a given one of the men."""
    return sum(
        (
            p * sum(F(comb(deadly, k) * comb(52 - deadly, h - k), comb(52, h)) * F(men - 1, men) ** k for k in range(min(h, deadly) + 1))
            for h, p in hits.items()
        ),
        F(0),
    )  # fmt: skip


@pytest.mark.rule("PAY-173", "PAY-174", "PAY-187")
def test_losses_by_a_burst() -> None:
    """Four men 20 inches off: 4 - 1 + 1, and 2 less behind a wall. Then 1 to 6 rounds hit; few kill behind a wall."""
    for facts, hits, deadly in (({}, 4, 12), ({"cover": "hard", "exposure": "parapet"}, 2, 4)):
        asked = chances("machine_gun_losses", {"jam_effect": "hit_stands"}, group=4, **facts)
        assert asked.method == "exact"
        rounds = {number: F(1, 6) for number in range(1, 7)}
        assert asked.mean(lambda o: o.killed) == F(hits, 6) * 4 * (1 - spared(deadly, 4, rounds))
    one = chances("machine_gun_losses", group=1, inches=10, skill=6)
    nobody = sum((F(comb(52 - 12, h), comb(52, h)) for h in range(1, 7)), F(0)) / 6
    assert one.probability(lambda o: o.killed == 1) == 1 - nobody


def close(p: float, expected: float, plays: int) -> bool:
    """Return True if a sampled share is within four standard deviations of the expected one."""
    return abs(p - expected) <= 4 * sqrt(max(expected * (1 - expected), 1 / plays) / plays)


@pytest.mark.rule("PAY-174", "PAY-182")
@pytest.mark.parametrize(("weapon", "counted"), [("machine_gun", "machine_gun_losses"), ("shell", "shell")])
def test_a_gun_at_men_alike_does_what_is_counted(weapon: str, counted: str) -> None:
    played = chances("gun_fire", weapon=weapon, inches=20, targets=((7, "open", 0),))
    exact = lost(chances(counted, group=7, inches=20))
    assert played.method == "sampled"
    found = lost(played)
    assert all(close(float(found.get(key, 0)), float(p), played.samples) for key, p in exact.items())


@pytest.mark.rule("PAY-119", "PAY-182")
def test_a_shell_at_men_with_two_wounds() -> None:
    """Any card but a graze puts a man out: 7 of 52 cards spare him."""
    asked = chances("gun_fire", weapon="shell", inches=20, skill=6, targets=((2, "open", 2),))
    faces = {number: F(0) for number in range(4, 25)}
    for a in range(6**4):
        faces[sum(a // 6**n % 6 + 1 for n in range(4))] += F(1, 6**4)
    up = float(spared(45, 2, faces))
    assert close(float(asked.mean(lambda o: o.killed + o.unconscious)) / 2, 1 - up, asked.samples)


@pytest.mark.rule("PAY-175")
def test_a_jammed_gun_fires_no_more() -> None:
    twice = chances("gun_fire", {"jam_effect": "burst_lost"}, shots=2, skill=1, inches=1.5, targets=((2, "open", 0),))
    jams = float(twice.probability(lambda o: o.jammed))
    assert close(jams, 1 - (35 / 36) ** 2, twice.samples)


REFUSED = [
    ("mixed_volleys", {"weapon": "musket"}, "PAY-026"),
    ("mixed_volleys", {"inches": 1}, "PAY-103"),
    ("mixed_volleys", {"inches": 100}, "PAY-101"),
    ("mixed_volleys", {"arm_wounds": 2, "body_wounds": 1}, "PAY-119"),
    ("mixed_volleys", {"targets": ((2, "open", 3),)}, "PAY-119"),
    ("mixed_volleys", {"drawn": ("leg_wound",) * 7}, "PAY-116"),
    ("gun_fire", {"shots": 3}, "PAY-177"),
    ("gun_fire", {"weapon": "shell", "shots": 2}, "PAY-184"),
    ("gun_fire", {"weapon": "shell", "gait": "advance"}, "PAY-084"),
    ("gun_fire", {"inches": 1}, "PAY-178"),
    ("gun_fire", {"inches": 300}, "PAY-172"),
    ("machine_gun_losses", {"exposure": "wagon"}, "PAY-187"),
]


@pytest.mark.parametrize(("name", "facts", "rule"), REFUSED)
def test_what_play_refuses_is_refused_with_its_rule(name: str, facts: dict[str, Any], rule: str) -> None:
    with pytest.raises(ZarebaError, match=rule):
        chances(name, **facts)


# --- play on real ground ----------------------------------------------------------------------------------------------


def held_against_play(asked: Odds, place: Scene, plays: int) -> None:
    """Play fire steps with this volley or gun as often as allowed, at the first group, and compare."""

    def answer(question: Any, state: Any) -> Any:
        assert isinstance(question, Choose)
        return next((option for option in question.options if option == "volley" or isinstance(option, tuple)), "done")

    counts: dict[tuple[int, int], int] = {}
    for number in range(plays):
        battle = place.battle.copy()
        table = SeededTable(place.rules, battle, number, {"red": answer})
        table.dice = KeyedDice(number)
        fire_step(table, battle, battle.change("red"))
        found = losses_of(battle, "blue")
        counts[found] = counts.get(found, 0) + 1
    expected = lost(asked)
    few = min(plays, asked.samples or plays)
    for key in {*expected, *counts}:
        p = (float(expected.get(key, 0)) + counts.get(key, 0) / plays) / 2
        assert abs(float(expected.get(key, 0)) - counts.get(key, 0) / plays) <= 4 * sqrt(2 * max(p, 1 / few) / few), key


WALL = {"wall": ("low_wall", [(26.6, 29.5), (32.0, 29.5)])}
"""A wall in front of the last four of ten men in a rank, 30 inches north."""


def ten_men(wounded: int = 0) -> Any:
    """Six men in the open and four behind the wall; the first of each have one wound."""
    unit = bare_unit("blue", "blue", row(10, y=30.0))
    for name in (*list(unit.figures)[:wounded], *list(unit.figures)[6 : 6 + wounded]):
        unit.figures[name].wounds = ("body_wound",)
    return unit


def rows(wounded: int) -> Any:
    found = ((wounded, "open", 1), (6 - wounded, "open", 0), (wounded, "low_wall", 1), (4 - wounded, "low_wall", 0))
    return tuple(one for one in found if one[0])


@pytest.mark.rule("PAY-100", "PAY-105", "PAY-106", "PAY-188")
@pytest.mark.setting("exposure_check", "hit_spread")
@pytest.mark.parametrize("plays", PLAYS)
@pytest.mark.parametrize("spread", ["random", "even"])
def test_two_volleys_as_in_play(plays: int, spread: str) -> None:
    settings: dict[str, Any] = {"exposure_check": "all_fire", "hit_spread": spread, "group_gap_in": 100}
    place = scene(bare_unit("red", "red", row(8, y=10.0, x=21.0)), ten_men(), lines=WALL, **settings)
    asked = chances("mixed_volleys", settings, firers=8, shots=2, targets=rows(0))
    held_against_play(asked, place, plays)


@pytest.mark.rule("PAY-174", "PAY-182", "PAY-187")
@pytest.mark.parametrize("plays", PLAYS)
@pytest.mark.parametrize(("weapon", "crew"), [("machine_gun", 1), ("shell", 2)])
def test_a_gun_at_wounded_men_as_in_play(plays: int, weapon: str, crew: int) -> None:
    settings: dict[str, Any] = {"group_gap_in": 100}
    spots = [(23.5, 10.0), (26.5, 10.0)][:crew]
    kind = "machine_gun" if weapon == "machine_gun" else "gun"
    gun = {"gun": Engine(kind, "the gun", "red", "red", (25.0, 10.0))}
    place = scene(bare_unit("red", "red", spots, weapons=()), ten_men(2), lines=WALL, engines=gun, **settings)
    shots = 2 if weapon == "machine_gun" else 1
    asked = chances("gun_fire", settings, weapon=weapon, shots=shots, targets=rows(2))
    held_against_play(asked, place, plays)
