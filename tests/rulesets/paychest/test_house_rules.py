"""House rules of a club reach whatever they touch, and numbers that cannot be are refused."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path

import pytest
from tests.rulesets.paychest.stage import chances, house_ruled

from zareba.errors import ZarebaError
from zareba.odds import odds


@pytest.mark.rule("PAY-116")
def test_the_odds_of_cards_are_those_of_the_pack_as_a_house_rule_has_it(tmp_path: Path) -> None:
    rules = house_ruled(tmp_path, "at: casualty_cards.head_killed.copies, was: 4, to: 12")
    asked = rules.ruleset.procedure("casualty")
    assert odds(rules, asked, asked.facts()).probability(lambda o: o.fate == "killed") == F(20, 60)
    asked = rules.ruleset.procedure("melee_casualties")
    one = odds(rules, asked, asked.facts(a_skill=0, b_skill=6))
    plain = chances("melee_casualties", a_skill=0, b_skill=6)
    assert one.probability(lambda o: o.a == "killed") > plain.probability(lambda o: o.a == "killed")


@pytest.mark.rule("PAY-116", "PAY-117")
def test_cards_that_are_out_are_named_by_class_and_cannot_be_more_than_there_are() -> None:
    drawn = ("head_killed",) * 4 + ("chest_killed",) * 6 + ("belly_killed",) * 2
    assert chances("casualty", drawn=drawn).probability(lambda o: o.fate == "killed") == 0
    with pytest.raises(ZarebaError, match="there is no casualty card 'hed_killed'; did you mean 'head_killed'"):
        chances("casualty", drawn=("hed_killed",))
    with pytest.raises(ZarebaError, match="does not hold so many"):
        chances("casualty", drawn=("arm_wound",) * 4)


@pytest.mark.rule("PAY-128")
def test_the_odds_of_shots_at_a_leader_know_when_he_is_lost_already() -> None:
    with pytest.raises(ZarebaError, match="lost already"):
        chances("shots_at_leader", leader_leg_wounds=2)
