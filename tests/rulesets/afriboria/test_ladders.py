"""Chapter 20: ladders and their repulse."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, plan_of, run

from zareba_rulesets.afriboria.chapters.combat import may_battle
from zareba_rulesets.afriboria.chapters.engagement import engage
from zareba_rulesets.afriboria.chapters.movement import ladder_sites, move_unit, unit_options
from zareba_rulesets.afriboria.forces.battle import Plan, reachable
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec, Company
from zareba_rulesets.afriboria.ground import StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def wall(*cells: int, kind: str = "stone", value: int = 5, side: str = "blue", **more: Any) -> dict[int, StructureSpec]:
    return {cell: StructureSpec(kind, value, side, **more) for cell in cells}


def storm(book: Any, at: Any, scripted: Any, script: Any, defended: bool = True, **settings: Any) -> Any:
    rules = book(**settings)
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), ladders=True))
    units = [us, *([unit_of(rules, "them", "blue", "inf_c", at(4, 5))] if defended else [])]
    battle = bare_battle(rules, units, structures=wall(at(4, 5)))
    run(move_unit, battle, us, plan_of(battle), script=[("move", ("ladder", at(4, 5))), *script])
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
    run(engage, battle, "us", script=script)
    assert us.hex == at(4, 5)


@pytest.mark.rule("AFR-335")
def test_a_standing_ladder_is_thrown_down(book: Any, at: Any, scripted: Any) -> None:
    battle, _us = storm(book, at, scripted, [("ladder repulse", [6])])
    them = ordered(battle.units["them"])
    run(move_unit, battle, them, plan_of(battle), script=[("move", ("throw down", at(4, 4))), ("move", "stay")])
    assert battle.ladders == [] and them.moved == 1


@pytest.mark.rule("AFR-337", "AFR-330")
def test_only_foot_uses_ladders(rules: Any, at: Any) -> None:
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
def test_member_may_not_climb_out_of_its_officers_zone(book: Any, at: Any) -> None:
    """If the officer is two hexes from the wall, its foot is still within his zone, and its top is not."""
    for state, row, climbs in (("active", 3, False), ("suspended", 3, True), ("active", 4, True)):
        us = ordered(unit_of(book(), "us", "red", "inf_b", at(4, 4), ladders=True))
        boss = Commander(at(4, row), spec=CommanderSpec("boss", "Boss", "red", True))
        battle = bare_battle(book(), [us], [boss], structures=wall(at(4, 5)))
        battle.companies["c"], us.company = Company("boss", ["us"], state), "c"
        script = [("move", ("ladder", at(4, 5))), *([("climb", "climb")] if climbs else [])]
        run(move_unit, battle, us, plan_of(battle), script=script)
        assert battle.ladders == [(at(4, 5), at(4, 4))]
        assert us.hex == (at(4, 5) if climbs else at(4, 4))


@pytest.mark.rule("AFR-103", "AFR-300", "AFR-330")
def test_second_unit_may_not_raise_a_ladder_after_its_move(book: Any, at: Any) -> None:
    rules = book(stacking="one_unit")
    for along in (True, False):
        us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 3), ladders=True))
        boss = Commander(at(5, 4), marks=frozenset({"moved"}), spec=CommanderSpec("boss", "Boss", "red", False))
        battle = bare_battle(rules, [us], [boss], structures=wall(at(4, 5)))
        if along:
            boss.along = "us"
            us.mark("along")
        script = [("move", ("to", at(4, 4))), *([] if along else [("ladder at", "stay")])]
        run(move_unit, battle, us, plan_of(battle), script=script)
        assert us.hex == at(4, 4)


@pytest.mark.rule("AFR-103", "AFR-330", "AFR-335")
def test_an_ncos_unit_of_another_colour_leaves_ladders_alone(book: Any, at: Any) -> None:
    """The unit has a ladder at the foot of the wall, and its NCO has returned. It goes with him or does nothing."""
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), ladders=True)
    us.mark("ordered", "move")
    nco = chief("nco", "red", at(4, 3), officer=False)
    nco.mark("moved")
    battle = bare_battle(book(), [us], [nco], structures={at(4, 5): StructureSpec("stone", 5, "blue")})
    nothing = Plan(battle.field, {}, {}, {})
    assert ("ladder", at(4, 5)) in unit_options(battle, us, nothing)
    us.mark("along")
    nco.along = "us"
    assert unit_options(battle, us, nothing) == ["stay", ("to", at(4, 3))]
    manned = bare_battle(book(), [us], [nco], structures={at(4, 4): StructureSpec("stone", 5, "red")})
    manned.ladders = [(at(4, 4), at(4, 5))]
    assert unit_options(manned, us, Plan(manned.field, {}, {}, {})) == ["stay", ("to", at(4, 3))]
    us.unmark("along")
    assert ("throw down", at(4, 5)) in unit_options(manned, us, Plan(manned.field, {}, {}, {}))
    assert reachable(battle, at(4, 4), 1, "red", True, room=2).get(at(4, 5)) is None


@pytest.mark.rule("AFR-103", "AFR-321", "AFR-335")
def test_an_ncos_unit_of_another_colour_does_not_gather_nor_throw_down_ladders(book: Any, at: Any) -> None:
    wall = {at(column, 4): StructureSpec("stone", 5, "red") for column in (4, 5)}
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), 6)
    us.mark("ordered", "move")
    battle = bare_battle(book(), [us], [chief("nco", "red", at(4, 4), officer=False)], structures=wall)
    battle.spread(us, dict.fromkeys(wall, 3))
    battle.ladders = [(at(4, 4), at(4, 5))]
    nothing = Plan(battle.field, {}, {}, {})
    assert unit_options(battle, us, nothing) == ["stay", ("throw down", at(4, 5)), "gather"]
    us.mark("along")
    assert unit_options(battle, us, nothing) == ["stay"]


@pytest.mark.rule("AFR-331", "AFR-081")
@pytest.mark.parametrize(("friends", "climbs"), [(0, True), (1, True), (2, False)])
def test_full_wall_hex_cannot_be_climbed(book: Any, at: Any, friends: int, climbs: bool) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), ladders=True)
    us.mark("ordered", "move", "battle")
    above = [unit_of(book(), f"friend{number}", "red", "inf_b", at(4, 5)) for number in range(friends)]
    battle = bare_battle(book(), [us, *above], structures={at(4, 5): StructureSpec("stone", 5, "blue")})
    script = [("move", ("ladder", at(4, 5))), *([("climb", "climb")] if climbs else [])]
    run(move_unit, battle, us, Plan(battle.field, {}, {}, {}), script=script)
    assert us.hex == at(4, 5 if climbs else 4) and battle.ladders == [(at(4, 5), at(4, 4))]


@pytest.mark.rule("AFR-330", "AFR-335")
@pytest.mark.parametrize("throws", [False, True])
def test_throwing_down_a_ladder_costs_a_hex_of_movement(book: Any, at: Any, throws: bool) -> None:
    """One hex takes the unit from its wall to the enemy's. The second hex of its move would raise a ladder, unless it
    is already spent.
    """
    us = unit_of(book(), "us", "red", "inf_b", at(4, 2), ladders=True)
    us.mark("ordered", "move", "battle")
    walls = {at(4, 2): StructureSpec("stone", 5, "red"), at(4, 4): StructureSpec("stone", 5, "blue")}
    battle = bare_battle(book(), [us], structures=walls)
    battle.ladders = [(at(4, 2), at(5, 2))]
    go = ("move", ("to", at(4, 3)))
    script = [("move", ("throw down", at(5, 2))), go] if throws else [go, ("ladder at", at(4, 4))]
    run(move_unit, battle, us, Plan(battle.field, {}, {}, {}), script=script)
    assert (us.hex, us.moved, us.ladders) == (at(4, 3), 2, throws)


@pytest.mark.rule("AFR-083", "AFR-330")
def test_friends_end_a_move_before_a_ladder_can_go_up(rules: Any, at: Any) -> None:
    for friend_at, script in ((at(4, 4), []), (at(8, 0), [("ladder at", "stay")])):
        us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 3), ladders=True))
        friend = unit_of(rules, "friend", "red", "inf_b", friend_at)
        battle = bare_battle(rules, [us, friend], structures={at(4, 5): StructureSpec("stone", 5, "blue")})
        run(move_unit, battle, us, plan_of(battle), script=[("move", ("to", at(4, 4))), *script])
        assert us.hex == at(4, 4) and us.ladders


@pytest.mark.rule("AFR-335", "AFR-321")
def test_men_in_sections_throw_ladders_down(rules: Any, at: Any) -> None:
    walls = (at(3, 5), at(4, 5))
    men = ordered(unit_of(rules, "men", "blue", "inf_a", walls[0]))
    structures = {cell: StructureSpec("stone", 5, "blue") for cell in walls}
    battle = bare_battle(rules, [men], structures=structures, active="blue")
    battle.spread(men, dict.fromkeys(walls, 3))
    battle.ladders = [(walls[1], at(4, 4)), (walls[0], at(3, 4))]
    feet = [("throw down", at(4, 4)), ("throw down", at(3, 4))]
    assert [option for option in unit_options(battle, men, plan_of(battle)) if option[0] == "throw down"] == feet
    run(move_unit, battle, men, plan_of(battle), script=[("move", feet[0]), ("move", feet[1])])
    assert battle.ladders == [] and men.moved == 2 and set(men.sections) == set(walls)


@pytest.mark.rule("AFR-335", "AFR-340")
def test_a_guide_helps_after_a_ladder_has_been_thrown_down(book: Any, at: Any, scripted: Any) -> None:
    """Of a forced march of three hexes the ladder takes one. With a guide the unit crosses two hexes of rough ground,
    without one only one.
    """
    for guided in (True, False):
        us = ordered(unit_of(book(), "us", "blue", "inf_a", at(4, 6)), "march", *(["guided"] if guided else []))
        terrain = {cell: ["rough"] for row in (7, 8) for cell in (at(3, row), at(4, row), at(5, row))}
        wall = {at(4, 6): StructureSpec("stone", 5, "blue")}
        battle = bare_battle(book(), [us], terrain=terrain, structures=wall, active="blue")
        battle.card, battle.ladders = "sp_forced_march", [(at(4, 6), at(4, 5))]
        script = [("move", ("throw down", at(4, 5))), ("move", ("to", at(4, 8)))]
        if not guided:
            with pytest.raises(AssertionError), scripted(battle, script) as table:
                move_unit(table, battle, us, Plan(battle.field, {}, {}, {}))
            continue
        with scripted(battle, script) as table:
            move_unit(table, battle, us, Plan(battle.field, {}, {}, {}))
        assert (us.hex, us.moved) == (at(4, 8), 3)
