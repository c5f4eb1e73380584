"""Every number of dice with several reasons has a modifier breakdown on the table for `why?`."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.test_wall_sections import QUIET, wall_of

from zareba_rulesets.afriboria.chapters.air.air_battle import fire_at_flier
from zareba_rulesets.afriboria.chapters.battle.combat import fight_unit
from zareba_rulesets.afriboria.chapters.siege.walls import fight_from_wall
from zareba_rulesets.afriboria.forces.pieces import Flier, FlierSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def told(table: Any) -> list[tuple[str, int]]:
    return [(tally.rule.name, tally.total) for tally in table.tallies]


@pytest.mark.rule("AFR-208", "AFR-214")
def test_defence_dice_are_explained(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 5))
    battle = bare_battle(rules, [us, them], terrain={at(4, 4): ["fence"]})
    script = [("defender", "make a stand"), ("battle", [2] * 4), ("defence", "defend"), ("defence dice", [2])]
    with scripted(battle, script) as table:
        fight_unit(table, battle, us, at(4, 5))
        assert told(table) == [("battle_dice", 4), ("defence_dice", 1)]
        assert [part.id for part in table.tallies[1].parts()] == ["row", "terrain"], "two less the fence"


@pytest.mark.rule("AFR-272", "AFR-340", "AFR-342")
def test_dice_at_what_flies_are_explained(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    gun = unit_of(rules, "gun", "red", "mg_foot", at(4, 4))
    gun.mark("first")
    plane = Flier(at(4, 6), True, 1, fuel=4, spec=FlierSpec("plane", "Plane", "blue", "aircraft"))
    battle = bare_battle(rules, [gun], fliers=[plane])
    battle.effects["ev_rain"] = battle.turn
    for away, dice, parts in ((1, 5, ["row", "card"]), (2, 4, ["row"]), (3, 2, ["row", "card"])):
        plane.hex = at(4, 4 + away)
        gun.marks = frozenset({"first"}) if away < 3 else frozenset()
        with scripted(battle, [("anti-aircraft fire", [2] * dice)]) as table:
            fire_at_flier(table, battle, "gun", gun.hex, plane)
            assert told(table) == [("battle_dice", dice)]
            assert [part.id for part in table.tallies[0].parts()] == parts


@pytest.mark.rule("AFR-322", "AFR-323")
def test_dice_of_sections_are_explained(book: Any, at: Any, scripted: Any) -> None:
    battle, guards, foe, _ = wall_of(book, at, 2)
    script = [QUIET, ("dice of the section", 0), ("dice of the section", 3), ("battle", [2] * 4)]
    with scripted(battle, script) as table:
        fight_from_wall(table, battle, guards, foe.hex)
        assert told(table) == [("battle_dice", 3), ("battle_dice", 4), ("battle_dice", 3)], "the most of each section"
        assert [part.id for part in table.tallies[1].parts()] == ["row", "officer"]


@pytest.mark.rule("AFR-322", "AFR-208")
def test_the_answer_to_sections_is_explained(book: Any, at: Any, scripted: Any) -> None:
    battle, guards, foe, _ = wall_of(book, at, 1)
    script = [
        QUIET,
        ("dice of the section", 0),
        ("dice of the section", 4),
        ("battle", [2] * 5),
        ("defence", "do not defend"),
    ]
    battle.rubble = frozenset(battle.structures)
    with scripted(battle, script) as table:
        fight_from_wall(table, battle, guards, foe.hex)
        assert told(table)[-1] == ("defence_dice", 1)
