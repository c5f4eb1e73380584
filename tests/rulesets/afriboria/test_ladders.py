"""Chapter 20: ladders and their repulse."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import ordered, plan_of

from zareba_rulesets.afriboria.chapters.battle.eligibility import may_battle
from zareba_rulesets.afriboria.chapters.engagement import engage
from zareba_rulesets.afriboria.chapters.movement.ladders import ladder_sites
from zareba_rulesets.afriboria.chapters.movement.movement import move_unit, unit_options
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec, Company
from zareba_rulesets.afriboria.ground.field import StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def wall(*cells: int, kind: str = "stone", value: int = 5, side: str = "blue", **more: Any) -> dict[int, StructureSpec]:
    return {cell: StructureSpec(kind, value, side, **more) for cell in cells}


def storm(book: Any, at: Any, scripted: Any, script: Any, defended: bool = True, **settings: Any) -> Any:
    rules = book(**settings)
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), ladders=True))
    units = [us, *([unit_of(rules, "them", "blue", "inf_c", at(4, 5))] if defended else [])]
    battle = bare_battle(rules, units, structures=wall(at(4, 5)))
    with scripted(battle, [("move", ("ladder", at(4, 5))), *script]) as table:
        move_unit(table, battle, us, plan_of(battle))
    return battle, us


@pytest.mark.rule("AFR-330", "AFR-331", "AFR-332", "AFR-333", "AFR-334")
def test_ladders_and_their_repulse(book: Any, at: Any, scripted: Any) -> None:
    battle, us = storm(book, at, scripted, [("ladder repulse", [2]), ("saving throws", [2])])
    assert (us.figures, us.ladders, us.moved, battle.ladders) == (7, True, 1, [])
    battle, us = storm(book, at, scripted, [("ladder repulse", [2]), ("saving throws", [3])])
    assert us.figures == 8
    battle, us = storm(book, at, scripted, [("ladder repulse", [3])])
    assert (us.figures, us.ladders, battle.ladders) == (7, False, [])
    battle, us = storm(book, at, scripted, [("ladder repulse", [6])])
    assert battle.ladders == [(at(4, 5), at(4, 4))] and not us.ladders and us.hex == at(4, 4)
    assert may_battle(battle, us), "it fights from the foot"
    battle, us = storm(book, at, scripted, [("climb", "climb")], defended=False)
    assert us.hex == at(4, 5) and not may_battle(battle, us)
    battle, us = storm(book, at, scripted, [("ladder repulse", [2])], fastplay="on")
    assert us.figures == 7, "no saving throw in fast play"


@pytest.mark.rule("AFR-331", "AFR-251")
def test_a_breakthrough_up_the_ladder(book: Any, at: Any, scripted: Any) -> None:
    battle, us = storm(book, at, scripted, [("ladder repulse", [6])])
    battle.units["them"].figures = 1
    script = [
        ("battle against", ("hex", at(4, 5))),
        ("defender", "make a stand"),
        ("battle", [5, 4]),
        ("breakthrough", "advance"),
    ]
    with scripted(battle, script) as table:
        engage(table, battle, "us")
    assert us.hex == at(4, 5)


@pytest.mark.rule("AFR-335")
def test_a_standing_ladder_is_thrown_down(book: Any, at: Any, scripted: Any) -> None:
    battle, _us = storm(book, at, scripted, [("ladder repulse", [6])])
    them = ordered(battle.units["them"])
    with scripted(battle, [("move", ("throw down", at(4, 4))), ("move", "stay")]) as table:
        move_unit(table, battle, them, plan_of(battle))
    assert battle.ladders == [] and them.moved == 1


@pytest.mark.rule("AFR-337", "AFR-330")
def test_only_foot_uses_ladders(book: Any, at: Any) -> None:
    rules = book()
    for key, mounted, may in (
        ("inf_a", False, True),
        ("cav_a", True, False),
        ("cav_a", False, True),
        ("art_field", False, False),
        ("pack", False, False),
    ):
        us = ordered(unit_of(rules, "us", "red", key, at(4, 4), ladders=True))
        us.mounted = mounted
        battle = bare_battle(rules, [us], structures=wall(at(4, 5)))
        assert bool(ladder_sites(battle, us)) is may
        battle.ladders.append((at(4, 5), at(4, 4)))
        goes_up = ("to", at(4, 5)) in unit_options(battle, us, plan_of(battle))
        assert goes_up is (may and key != "cav_a"), "riders on foot do not walk"


@pytest.mark.rule("AFR-331", "AFR-116")
def test_nobody_climbs_out_of_his_company(book: Any, at: Any, scripted: Any) -> None:
    """The wall is two hexes from the officer. At its foot the unit is still within his zone."""
    for state, climbs in (("active", False), ("suspended", True)):
        us = ordered(unit_of(book(), "us", "red", "inf_b", at(4, 4), ladders=True))
        boss = Commander(at(4, 3), spec=CommanderSpec("boss", "Boss", "red", True))
        battle = bare_battle(book(), [us], [boss], structures=wall(at(4, 5)))
        battle.companies["c"], us.company = Company("boss", ["us"], state), "c"
        script = [("move", ("ladder", at(4, 5))), *([("climb", "climb")] if climbs else [])]
        with scripted(battle, script) as table:
            move_unit(table, battle, us, plan_of(battle))
        assert battle.ladders == [(at(4, 5), at(4, 4))]
        assert us.hex == (at(4, 5) if climbs else at(4, 4))


@pytest.mark.rule("AFR-103", "AFR-300", "AFR-330")
def test_who_only_goes_along_puts_up_no_ladder_after_its_move(book: Any, at: Any, scripted: Any) -> None:
    rules = book(stacking="one_unit")
    for along in (True, False):
        us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 3), ladders=True))
        boss = Commander(at(5, 4), marks=frozenset({"moved"}), spec=CommanderSpec("boss", "Boss", "red", False))
        battle = bare_battle(rules, [us], [boss], structures=wall(at(4, 5)))
        if along:
            boss.along = "us"
            us.mark("along")
        script = [("move", ("to", at(4, 4))), *([] if along else [("ladder at", "stay")])]
        with scripted(battle, script) as table:
            move_unit(table, battle, us, plan_of(battle))
        assert us.hex == at(4, 4)
