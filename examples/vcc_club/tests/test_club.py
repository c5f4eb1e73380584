"""The rules of the club: what its files change in vcc."""

from fractions import Fraction

import pytest

import zareba
from zareba.registry import load_rules

COMMANDER = {"bases": 1, "leader": False, "commander": True}


def chance_to_rally(name, **facts):
    """Return the chance that a unit rallies under a ruleset."""
    (chance,) = [Fraction(row["exact"]) for row in zareba.odds(name, "rally", **facts).rows if row["rallied"]]
    return chance


@pytest.mark.rule("CLB-001")
def test_rifles_reach_four_boxes():
    assert load_rules("vcc_club").data["weapons"]["rifle"] == {"rule": "CLB-001", "close": 1, "medium": 2, "long": 4}
    assert load_rules("vcc").data["weapons"]["rifle"]["long"] == 3


@pytest.mark.rule("CLB-002")
def test_men_lying_down_fire_with_all_their_dice():
    prone = {
        name: zareba.odds(name, "fire_pool", bases=4, band="medium", prone=True).rows for name in ("vcc", "vcc_club")
    }
    assert prone["vcc_club"] == zareba.odds("vcc", "fire_pool", bases=4, band="medium").rows
    assert prone["vcc"] != prone["vcc_club"]


@pytest.mark.rule("CLB-003")
def test_the_bugler_helps_a_unit_with_its_leader():
    facts = {"bases": 2, "leader": True}
    assert chance_to_rally("vcc", **facts) == Fraction(3, 6)
    assert chance_to_rally("vcc_club", **facts) == Fraction(4, 6)


@pytest.mark.rule("CLB-004")
def test_the_commander_calls_a_second_time():
    assert chance_to_rally("vcc", **COMMANDER) == Fraction(3, 6)
    assert chance_to_rally("vcc_club", **COMMANDER) == Fraction(3, 4)
