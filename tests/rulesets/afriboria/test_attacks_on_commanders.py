"""Chapter 13: attacks on commanders."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered
from tests.rulesets.afriboria.test_walls import QUIET

from zareba_rulesets.afriboria.chapters.combat import fight_commander, targets
from zareba_rulesets.afriboria.chapters.engagement import all_targets
from zareba_rulesets.afriboria.chapters.exchange import Exchange, ExchangeFacts, attack_commander
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


@pytest.mark.rule("AFR-206", "AFR-220", "AFR-221")
def test_foot_and_riders_attack_lone_commanders_guns_and_vehicles_do_not(rules: Any, at: Any) -> None:
    for key, may in (
        ("inf_a", True),
        ("cav_a", True),
        ("civ_n", True),
        ("art_field", False),
        ("mg_foot", False),
        ("vehicle_gun", False),
    ):
        us = ordered(unit_of(rules, "us", "red", key, at(4, 4)))
        battle = bare_battle(rules, [us], [chief("boss", "blue", at(4, 5))])
        assert (("commander", "boss") in all_targets(battle, us)) is may
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 4)))
    guarded = bare_battle(
        rules, [us, unit_of(rules, "them", "blue", "inf_c", at(4, 5))], [chief("boss", "blue", at(4, 5))]
    )
    assert targets(guarded, us) == [("hex", at(4, 5))]


def strike(rules: Any, script: Any, scripted: Any, **facts: Any) -> Any:
    given: dict[str, Any] = {"dice": 4, "hits": "modern", "close": False, "figures": 1, "strength": 1} | facts
    course = Exchange("us", "them", "blue", facts=ExchangeFacts(**given))
    with scripted(bare_battle(rules), script) as table:
        attack_commander(table, rules, course)
    return course


@pytest.mark.rule("AFR-222")
@pytest.mark.setting("commander_save_count")
def test_sabres_hit_a_commander_who_has_a_saving_throw_at_a_distance(book: Any, scripted: Any) -> None:
    rules = book()
    assert strike(rules, [("battle", [6, 6, 5, 4])], scripted).kills == 0
    assert strike(rules, [("battle", [3, 3, 2, 2]), ("saving throws", [2])], scripted).kills == 0
    assert strike(rules, [("battle", [3, 3, 2, 2]), ("saving throws", [2])], scripted, close=True).kills == 1
    assert (
        strike(
            book(commander_save_count="per_hit"), [("battle", [3, 3, 2, 2]), ("saving throws", [2, 6])], scripted
        ).kills
        == 1
    )


@pytest.mark.rule("AFR-223", "AFR-224")
@pytest.mark.setting("commander_flags")
def test_flags_drive_a_lone_commander_back_by_the_setting(book: Any, at: Any, scripted: Any) -> None:
    for setting, script, cell in (
        ("retreat", [("flags to save", 0), ("retreat to", at(4, 6))], at(4, 6)),
        ("ignore", [], at(4, 5)),
    ):
        rules = book(commander_flags=setting)
        us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 4)))
        boss = chief("boss", "blue", at(4, 5))
        battle = bare_battle(rules, [us], [boss])
        with scripted(battle, [("defender", "make a stand"), ("battle", [1, 2, 2, 2]), *script]) as table:
            fight_commander(table, battle, us, boss, us.hex)
        assert boss.hex == cell


@pytest.mark.rule("AFR-225", "AFR-042")
def test_a_character_is_only_wounded(rules: Any, at: Any, scripted: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 4)))
    prince = chief("prince", "blue", at(4, 5), character=True, bonus=False)
    battle = bare_battle(rules, [us], [prince])
    for _ in range(2):
        us.battled = ()
        script = [("defender", "make a stand"), ("battle", [3, 2, 2, 2]), ("saving throws", [6])]
        with scripted(battle, script) as table:
            fight_commander(table, battle, us, prince, us.hex)
            assert [event.data["kills"] for event in table.events if event.kind == "battle"] == [0], "nobody is dead"
        assert prince.hex == at(4, 5) and "wounded" in prince.marks and battle.sides["red"].points == 0


@pytest.mark.rule("AFR-223", "AFR-234")
def test_sandbags_let_a_lone_commander_ignore_the_first_flag(book: Any, at: Any, scripted: Any) -> None:
    for ground, dice, answers, cell in (
        (["sandbags"], 3, [("first flag", "ignore the first flag")], at(4, 5)),
        (["fence"], 3, [("flags to save", 0), ("retreat to", at(4, 6))], at(4, 6)),
    ):
        us = unit_of(book(), "us", "red", "inf_a", at(4, 4))
        us.mark("ordered", "battle")
        boss = chief("boss", "blue", at(4, 5))
        battle = bare_battle(book(), [us], [boss], terrain={at(4, 5): ground})
        with scripted(battle, [QUIET, ("battle", [1, 2, 2][:dice]), *answers]) as table:
            fight_commander(table, battle, us, boss, us.hex)
            told = [(event.data["unit"], event.data["hex"]) for event in table.events if event.kind == "retreat"]
        assert boss.hex == cell
        assert told == ([("boss", cell)] if cell == at(4, 6) else [])
