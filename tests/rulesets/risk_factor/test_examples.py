"""The worked examples of the catalogue with their exact numbers."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import rules_with

from zareba.odds import Odds, odds


def has(name: str, value: Any, outcome: Any) -> bool:
    """Return True if an outcome has this value in one of its fields."""
    return bool(getattr(outcome, name) == value)


def ask(procedure: str, **facts: Any) -> Odds:
    """Return the odds of a procedure under the default settings."""
    rules = rules_with()
    found = rules.ruleset.procedure(procedure)
    answer = odds(rules, found, found.facts(**facts))
    assert answer.method == "exact"
    assert sum(answer.outcomes.values()) == 1
    return answer


@pytest.mark.rule("RSK-006", "RSK-050", "RSK-051", "RSK-052", "RSK-053", "RSK-056")
def test_1_points_for_ten_loyal_men() -> None:
    def chance(**facts: Any) -> F:
        return ask("command_points", figures=10, **facts).probability(lambda o: o.commanded)

    assert chance() == F(5, 8)
    assert chance(busy=True) == chance(leader="raw") == F(1, 6)
    assert chance(leader="hero") == F(65, 72)
    nine = ask("command_points", figures=10).probability(lambda o: o.points == 9 and o.commanded)
    assert nine == 0


@pytest.mark.rule("RSK-059", "RSK-061", "RSK-062")
def test_2_the_chain_of_command() -> None:
    squads = ask("command_chain")
    assert squads.probability(lambda o: o.squads == 3) == F(85759, 186624)
    assert squads.probability(lambda o: o.squads == 0) == F(5, 186624)
    assert squads.probability(lambda o: o.squads == 1) == F(7249, 186624)
    assert squads.probability(lambda o: o.squads == 2) == F(93611, 186624)


@pytest.mark.rule("RSK-086", "RSK-098", "RSK-100", "RSK-104")
def test_3_a_commanded_volley() -> None:
    volley = ask("volley", shooters=10, band="medium", cover="open", unhurt=12)
    untouched = volley.probability(lambda o: o.killed == 0 and o.wounded == 0)
    assert untouched == F(7, 12) ** 10 == F(282475249, 61917364224)
    assert float(volley.mean(lambda o: o.killed)) == pytest.approx(2.239906, abs=1e-6)
    assert float(volley.mean(lambda o: o.wounded)) == pytest.approx(1.613616, abs=1e-6)
    expected = [0.075882, 0.227282, 0.301200, 0.232212, 0.115125, 0.038266, 0.008612, 0.001291]
    for killed, share in enumerate(expected):
        assert float(volley.probability(partial(has, "killed", killed))) == pytest.approx(share, abs=1e-6)
    assert float(volley.probability(lambda o: o.killed >= 8)) == pytest.approx(0.000130, abs=1e-6)


@pytest.mark.rule("RSK-081", "RSK-082", "RSK-083")
def test_4_the_same_group_uncommanded() -> None:
    still = ask("volley", shooters=10, commanded=False)
    assert still.probability(lambda o: o.killed == 0 and o.wounded == 0) == F(16807, 248832)
    assert still.mean(lambda o: o.killed) == F(34251884575, 31794757632)
    assert float(still.mean(lambda o: o.wounded)) == pytest.approx(0.934824, abs=1e-6)
    for killed, share in enumerate([0.293932, 0.411925, 0.225675, 0.060259, 0.007817, 0.000392]):
        assert float(still.probability(partial(has, "killed", killed))) == pytest.approx(share, abs=1e-6)
    moving = ask("volley", shooters=10, commanded=False, moved=True)
    assert moving.probability(lambda o: o.killed == 0 and o.wounded == 0) == F(343, 1728)
    assert moving.mean(lambda o: o.killed) == F(6961055, 10948608)


@pytest.mark.rule("RSK-087", "RSK-101")
def test_5_a_hero_picks_a_man() -> None:
    shot = ask("single_shot", troop_class="hero", weapon="rifle", band="short", cover="soft")
    chances = {outcome.effect: p for outcome, p in shot.outcomes.items()}
    assert chances == {"miss": F(3, 8), "graze": F(5, 48), "wound": F(5, 24), "kill": F(5, 16)}


WAR_BAND = {"superior": True, "advancing": True, "in_range": True, "casualties": 2}


@pytest.mark.rule("RSK-113", "RSK-125", "RSK-132")
def test_6_risk_factor_of_a_war_band() -> None:
    throw = ask("action", table="melee", **WAR_BAND)
    assert {outcome.risk for outcome in throw.outcomes} == {1}
    results = {outcome.result: p for outcome, p in throw.outcomes.items()}
    assert results == {"halt": F(1, 6), "advance": F(1, 3), "attack": F(1, 2)}


@pytest.mark.rule("RSK-137", "RSK-138")
def test_7_do_they_make_contact() -> None:
    charge = ask("charge_contact", distance=28.0, native=True, **WAR_BAND)
    assert charge.probability(lambda o: o.attacks) == F(5, 6)
    assert charge.probability(lambda o: o.contact) == F(5, 9)


@pytest.mark.rule("RSK-122", "RSK-128", "RSK-129", "RSK-131")
def test_8_a_shaken_squad_commanded_or_not() -> None:
    shaken = {"table": "missile", "in_cover": True, "casualties": 2, "flank": True}
    throw = ask("action", **shaken)
    results = {outcome.result: p for outcome, p in throw.outcomes.items()}
    assert {outcome.risk for outcome in throw.outcomes} == {3}
    assert results == {"retreat": F(1, 6), "halt": F(1, 3), "advance": F(1, 2)}
    commanded = ask("action", commanded=True, **shaken)
    assert commanded.probability(lambda o: o.bound and o.result == "retreat") == F(1, 6)
    assert commanded.probability(lambda o: not o.bound) == F(5, 6)


def fates(**facts: Any) -> dict[tuple[str, int, int], F]:
    return {(o.single, o.wounded, o.killed): p for o, p in ask("match", **facts).outcomes.items()}


@pytest.mark.rule("RSK-166", "RSK-167", "RSK-169", "RSK-170", "RSK-173")
def test_9a_one_against_one() -> None:
    assert fates(opponents=1, factor=4, enemy_factor=3, enemy_superior=True) == {
        ("unhurt", 0, 0): F(1, 2),
        ("wounded", 0, 0): F(1, 9),
        ("killed", 0, 0): F(5, 36),
        ("unhurt", 1, 0): F(1, 9),
        ("unhurt", 0, 1): F(5, 36),
    }


@pytest.mark.rule("RSK-171", "RSK-172", "RSK-174")
def test_9b_one_against_two() -> None:
    assert fates(opponents=2, factor=4, enemy_factor=3, enemy_superior=True) == {
        ("unhurt", 0, 0): F(11, 36),
        ("wounded", 0, 0): F(17, 108),
        ("killed", 0, 0): F(19, 72),
        ("unhurt", 1, 0): F(5, 72),
        ("wounded", 1, 0): F(1, 36),
        ("killed", 1, 0): F(1, 36),
        ("unhurt", 0, 1): F(1, 9),
        ("killed", 0, 1): F(1, 27),
    }


@pytest.mark.rule("RSK-164", "RSK-168", "RSK-177", "RSK-178")
def test_10_storming_the_mealie_bags() -> None:
    storm = ask("melee", attackers=20, defenders=10, attackers_superior=True, attackers_crossing=True)
    back = {side: float(storm.probability(partial(has, "back", side))) for side in ("attackers", "defenders", "both")}
    assert back["attackers"] == pytest.approx(0.262824, abs=1e-6)
    assert back["defenders"] == pytest.approx(0.597937, abs=1e-6)
    assert back["both"] == pytest.approx(0.139239, abs=1e-6)
    assert storm.mean(lambda o: o.attackers_wounded) == storm.mean(lambda o: o.defenders_wounded) == F(40, 27)
    assert storm.mean(lambda o: o.attackers_killed) == F(175, 108)
    assert storm.mean(lambda o: o.defenders_killed) == F(295, 108)
    assert fates(opponents=2, factor=4, enemy_factor=3, enemy_superior=True, enemy_crossing=True) == {
        ("unhurt", 0, 0): F(11, 36),
        ("wounded", 0, 0): F(4, 27),
        ("killed", 0, 0): F(17, 72),
        ("unhurt", 1, 0): F(1, 9),
        ("unhurt", 0, 1): F(35, 216),
        ("killed", 1, 0): F(1, 27),
    }


@pytest.mark.rule("RSK-143", "RSK-157", "RSK-158", "RSK-159", "RSK-160")
def test_11_surrender_and_prisoners() -> None:
    ((surrender, _),) = ask("surrender", bearings=(20, 95, 170, 250, 320)).outcomes.items()
    assert (surrender.surrenders, surrender.widest) == (True, 80)
    ((kept, _),) = ask("prisoners", prisoners=8, guards=1).outcomes.items()
    assert (kept.escape, kept.left) == (3, 5)
    ((free, _),) = ask("prisoners", prisoners=8, guards=2).outcomes.items()
    assert free.escape == 0
    ((killed, _),) = ask("prisoners", prisoners=8, no_quarter_group=6).outcomes.items()
    assert (killed.escape, killed.killed) == (0, 8)


@pytest.mark.rule("RSK-150", "RSK-151", "RSK-183", "RSK-187", "RSK-189")
def test_12_sight_markers_and_defeat() -> None:
    assert ask("sighting", distances=(45.0,)).probability(lambda o: o.turn == 1) == F(1, 3)
    turns = {o.turn: p for o, p in ask("sighting", distances=(90.0, 65.0, 40.0, 15.0)).outcomes.items()}
    assert turns == {0: F(1, 12), 3: F(1, 2), 4: F(5, 12)}
    assert ask("markers", markers=9).probability(lambda o: o.any_moves) == F(8124571, 10077696)
    assert ask("side_beaten", risks=(9, 7), table="melee").probability(lambda o: o.beaten) == F(5, 12)
