"""Chapter 9: line of sight."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief

from zareba_rulesets.afriboria.chapters.combat import exchange_facts, targets
from zareba_rulesets.afriboria.chapters.sight import sees
from zareba_rulesets.afriboria.forces.pieces import Flier, FlierSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


@pytest.mark.rule("AFR-152", "AFR-153", "AFR-154", "AFR-155", "AFR-188", "AFR-127", "AFR-139", "AFR-130")
def test_terrain_and_units_that_block_sight(book: Any, at: Any) -> None:
    blocking = {"wood", "hill", "field", "building", "debris"}
    for kind in book().file.terrain:
        if kind == "impassable":
            continue
        battle = bare_battle(book(), terrain={at(4, 4): [kind]})
        assert sees(battle, at(2, 4), at(6, 4)) is (kind not in blocking)
        ends = bare_battle(book(), terrain={at(2, 4): [kind], at(6, 4): [kind]})
        assert sees(ends, at(2, 4), at(6, 4)), "neither end blocks"
    for battle in (
        bare_battle(book(), [unit_of(book(), "us", "red", "inf_a", at(4, 4))]),
        bare_battle(book(), [unit_of(book(), "them", "blue", "inf_a", at(4, 4))]),
    ):
        assert not sees(battle, at(2, 4), at(6, 4))
        assert sees(battle, at(3, 4), at(4, 4)) and sees(battle, at(4, 4), at(6, 4))


@pytest.mark.rule("AFR-161", "AFR-154")
def test_lone_commanders_block(book: Any, at: Any) -> None:
    assert not sees(bare_battle(book(), commanders=[chief("one", "blue", at(4, 4))]), at(2, 4), at(6, 4))


@pytest.mark.rule("AFR-156", "AFR-157")
def test_along_a_row_of_sides_both_hexes_must_block(book: Any, at: Any) -> None:
    a, b = at(4, 4), at(4, 6)
    left, right = at(3, 5), at(4, 5)
    assert bare_battle(book()).field.grid.edge_runs(a, b) == ((left, right),)
    assert sees(bare_battle(book(), terrain={left: ["wood"]}), a, b)
    assert not sees(bare_battle(book(), terrain={left: ["wood"], right: ["hill"]}), a, b)
    mixed = bare_battle(book(), [unit_of(book(), "us", "red", "inf_a", right)], terrain={left: ["wood"]})
    assert not sees(mixed, a, b)
    units = [unit_of(book(), "us", "red", "inf_a", right), unit_of(book(), "them", "blue", "inf_a", left)]
    assert not sees(bare_battle(book(), units), a, b)
    rim = bare_battle(book(), terrain={at(0, 5): ["wood"]})
    assert rim.field.grid.edge_runs(at(0, 4), at(0, 6)) == ((None, at(0, 5)),)
    assert sees(rim, at(0, 4), at(0, 6)), "nothing stands beyond the rim"


@pytest.mark.rule("AFR-158")
@pytest.mark.setting("contiguous_hill_los")
def test_across_one_hill(book: Any, at: Any) -> None:
    hill = {at(c, 4): ["hill"] for c in (2, 3, 4, 5)}
    for setting, clear in (("blocked", False), ("clear", True)):
        battle = bare_battle(book(contiguous_hill_los=setting), terrain=hill)
        assert sees(battle, at(2, 4), at(5, 4)) is clear
        assert not sees(battle, at(1, 4), at(5, 4)), "the looker is not on the hill"
        two = bare_battle(book(contiguous_hill_los=setting), terrain={at(c, 4): ["hill"] for c in (2, 4, 6)})
        assert not sees(two, at(2, 4), at(6, 4)), "another hill between"


@pytest.mark.rule("AFR-159")
def test_guns_shoot_over_friends_next_to_them_and_lower(rules: Any, at: Any) -> None:

    def aims(key: str, cell: int, terrain: Any, side: str = "red") -> bool:
        us = unit_of(rules, "us", "red", key, at(2, 4))
        friend = unit_of(rules, "friend", side, "inf_a", cell)
        them = unit_of(rules, "them", "blue", "inf_a", at(6, 4))
        battle = bare_battle(rules, [us, friend, them], terrain=terrain)
        return ("hex", at(6, 4)) in targets(battle, us)

    on_hill = {at(2, 4): ["hill"]}
    assert aims("art_field", at(3, 4), on_hill)
    assert aims("mg_foot", at(3, 4), on_hill)
    assert not aims("inf_a", at(3, 4), on_hill), "guns alone"
    assert not aims("art_field", at(4, 4), on_hill), "not from the second hex on"
    assert not aims("art_field", at(3, 4), {}), "only from a hill"
    assert not aims("art_field", at(3, 4), on_hill | {at(3, 4): ["hill"]}), "friends on a hill are not lower"
    assert not aims("art_field", at(3, 4), on_hill, "blue"), "enemies block"


@pytest.mark.rule("AFR-159", "AFR-158")
def test_friends_on_the_same_hill_are_not_lower(book: Any, at: Any) -> None:
    """One hill does not block sight along itself, but men on it still block guns on it."""
    rules = book(contiguous_hill_los="clear")
    hill = {at(c, 4): ["hill"] for c in (2, 3, 4)}
    gun, them = unit_of(rules, "gun", "red", "art_field", at(2, 4)), unit_of(rules, "them", "blue", "inf_a", at(4, 4))
    friend = unit_of(rules, "friend", "red", "inf_a", at(3, 4))
    assert targets(bare_battle(rules, [gun, them], terrain=hill), gun) == [("hex", at(4, 4))]
    assert targets(bare_battle(rules, [gun, them, friend], terrain=hill), gun) == []


@pytest.mark.rule("AFR-160")
def test_fliers_neither_block_nor_are_blocked(rules: Any, at: Any) -> None:
    flier = Flier(at(4, 4), True, 1, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    gun = unit_of(rules, "gun", "blue", "mg_foot", at(7, 4))
    battle = bare_battle(rules, [gun], fliers=[flier], terrain={at(6, 4): ["wood"]})
    assert sees(battle, at(3, 4), at(5, 4))
    from zareba_rulesets.afriboria.chapters.air import anti_air_targets

    assert anti_air_targets(battle, gun) == [("flier", "plane")]


@pytest.mark.rule("AFR-152")
def test_defence_needs_sight_too(rules: Any, at: Any, defence: Any) -> None:
    gun = unit_of(rules, "gun", "red", "art_field", at(4, 4))
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 7))
    friend = unit_of(rules, "friend", "red", "inf_a", at(4, 5))
    other = unit_of(rules, "other", "red", "inf_a", at(3, 5))
    battle = bare_battle(rules, [gun, them, friend, other], terrain={at(4, 4): ["hill"]})
    assert defence(battle, exchange_facts(battle, gun, at(4, 4), them, at(4, 7), 3, True)) == 0
    battle.move(friend, at(8, 0))
    battle.move(other, at(7, 0))
    assert defence(battle, exchange_facts(battle, gun, at(4, 4), them, at(4, 7), 3, True)) == 1, "2 less the hill"


@pytest.mark.rule("AFR-158")
@pytest.mark.setting("contiguous_hill_los")
def test_another_hill_between_the_arms_of_one(book: Any, at: Any) -> None:
    """Observer and target are on one hill that bends around the line. A separate hill is on the line."""
    arms = [at(2, 4), at(2, 3), *(at(column, 2) for column in range(2, 8)), at(6, 3), at(6, 4)]
    bent = {cell: ["hill"] for cell in arms}
    rules = book(contiguous_hill_los="clear")
    assert sees(bare_battle(rules, terrain=bent), at(2, 4), at(6, 4))
    assert not sees(bare_battle(rules, terrain=bent | {at(4, 4): ["hill"]}), at(2, 4), at(6, 4))
    joined = bent | {at(column, 4): ["hill"] for column in (3, 4, 5)}
    assert sees(bare_battle(rules, terrain=joined), at(2, 4), at(6, 4)), "where it is the same hill it is clear"
