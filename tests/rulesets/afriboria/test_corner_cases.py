"""Corner cases: interacting exceptions of command, movement and sieges."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, plan_of

from zareba.table import Deck
from zareba_rulesets.afriboria.chapters.movement.commander_moves import commander_goals
from zareba_rulesets.afriboria.chapters.movement.movement import move_unit, unit_options
from zareba_rulesets.afriboria.chapters.orders.events import turn_over
from zareba_rulesets.afriboria.chapters.orders.order_choices import order_options
from zareba_rulesets.afriboria.chapters.orders.orders import give_order
from zareba_rulesets.afriboria.chapters.retreat import may_withdraw
from zareba_rulesets.afriboria.forces.pieces import Company
from zareba_rulesets.afriboria.ground.field import StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.sequence import may_mount


@pytest.mark.rule("AFR-103")
def test_the_other_unit_of_an_nco_goes_along_or_does_nothing(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    horse = unit_of(rules, "horse", "red", "cav_b", at(4, 4), colour="blue")
    foot = unit_of(rules, "foot", "red", "inf_b", at(4, 4))
    battle = bare_battle(rules, [foot, horse], [chief("nco", "red", at(4, 4), officer=False)])
    battle.card, battle.slots = "red_1", {"red": 1}
    give_order(scripted(battle, []), battle, ("platoon", "nco"), rules.cards["red_1"])
    assert unit_options(battle, horse, plan_of(battle)) == ["stay"], "it may not even dismount"
    with scripted(battle, [("move", ("with", at(4, 5)))]) as table:
        move_unit(table, battle, foot, plan_of(battle))
    assert unit_options(battle, horse, plan_of(battle)) == ["stay", ("to", at(4, 5))]
    horse.mounted = False
    assert may_mount(battle) == []


@pytest.mark.rule("AFR-119", "AFR-120")
@pytest.mark.parametrize("state", ["forming", "disbanding"])
def test_nobody_takes_the_officer_out_of_a_company_that_forms_or_ends(book: Any, at: Any, state: str) -> None:
    rules = book()
    units = [unit_of(rules, name, "red", "inf_b", at(4, 4)) for name in ("guest", "one")]
    battle = bare_battle(
        rules, [*units, unit_of(rules, "two", "red", "inf_b", at(5, 4))], [chief("boss", "red", at(4, 4))]
    )
    guest = ordered(battle.units["guest"])
    kinds = {option[0] for option in unit_options(battle, guest, plan_of(battle))}
    assert "with" in kinds
    battle.companies["c"] = Company("boss", ["one", "two"], state)
    kinds = {option[0] for option in unit_options(battle, guest, plan_of(battle))}
    assert "to" in kinds and "with" not in kinds


@pytest.mark.rule("AFR-116", "AFR-346")
def test_a_company_does_not_march_off_from_a_member_with_orders_of_its_own(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    red = unit_of(rules, "red one", "red", "inf_b", at(4, 4))
    blue = unit_of(rules, "blue one", "red", "inf_b", at(5, 4), colour="blue")
    battle = bare_battle(rules, [red, blue], [chief("boss", "red", at(4, 4), mounted=True)])
    boss = battle.commanders["boss"]
    red.company = blue.company = "c"
    battle.companies["c"] = Company("boss", ["red one", "blue one"], "active")
    battle.card, battle.slots = "sp_combined", {"red": 1, "blue": 1, "green": 1}
    for order in (("unit", "blue one"), ("company", "c")):
        assert order in order_options(battle, "red", rules.cards["sp_combined"], battle.slots)
        give_order(scripted(battle, []), battle, order, rules.cards["sp_combined"])
    goals = commander_goals(battle, boss)
    assert goals and all(battle.field.distance[cell][blue.hex] <= 1 for cell in goals)


@pytest.mark.rule("AFR-083", "AFR-330")
def test_friends_end_a_move_before_a_ladder_can_go_up(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    for friend_at, script in ((at(4, 4), []), (at(8, 0), [("ladder at", "stay")])):
        us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 3), ladders=True))
        friend = unit_of(rules, "friend", "red", "inf_b", friend_at)
        battle = bare_battle(rules, [us, friend], structures={at(4, 5): StructureSpec("stone", 5, "blue")})
        with scripted(battle, [("move", ("to", at(4, 4))), *script]) as table:
            move_unit(table, battle, us, plan_of(battle))
        assert us.hex == at(4, 4) and us.ladders


@pytest.mark.rule("AFR-122", "AFR-043")
def test_a_captured_officer_leaves_no_company(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    prince = chief("prince", "blue", at(4, 5), character=True)
    prince.mark("wounded")
    guard = unit_of(rules, "guard", "blue", "inf_b", at(4, 6))
    far, near = (ordered(unit_of(rules, name, "red", "cav_a", at(4, row))) for name, row in (("far", 3), ("near", 4)))
    battle = bare_battle(rules, [far, near, guard], [prince])
    guard.company, battle.companies["c"] = "c", Company("prince", ["guard"], "active")
    assert ("to", at(4, 5)) not in unit_options(battle, far, plan_of(battle)), "only from the next hex"
    with scripted(battle, [("move", ("to", at(4, 5)))]) as table:
        move_unit(table, battle, near, plan_of(battle))
    assert battle.gone == {"prince": "captured"} and not battle.companies and not guard.company


@pytest.mark.rule("AFR-339")
def test_rally_is_for_one_unit(book: Any, at: Any) -> None:
    rules = book()
    units = [unit_of(rules, name, "red", "inf_b", at(4, 4), 5) for name in ("one", "two")]
    battle = bare_battle(rules, units, [chief("boss", "red", at(4, 4))])
    found = order_options(battle, "red", rules.cards["sp_rally"], {"any": 1})
    assert found == [("unit", "one"), ("unit", "two")]


@pytest.mark.rule("AFR-118", "AFR-119", "AFR-239")
def test_who_is_outside_the_zone_does_not_bind_a_voluntary_retreat(book: Any, at: Any) -> None:
    rules = book()
    led = unit_of(rules, "led", "blue", "inf_b", at(4, 4))
    astray = unit_of(rules, "astray", "blue", "inf_b", at(4, 1))
    battle = bare_battle(rules, [led, astray], [chief("boss", "blue", at(4, 4))])
    led.company = astray.company = "c"
    battle.companies["c"] = Company("boss", ["led", "astray"], "active")
    assert may_withdraw(battle, led) and may_withdraw(battle, astray)
    battle.move(astray, at(4, 3))
    assert not may_withdraw(battle, led), "a member in the zone stays in it"


@pytest.mark.rule("AFR-335", "AFR-321")
def test_men_in_sections_throw_ladders_down(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    walls = (at(3, 5), at(4, 5))
    men = ordered(unit_of(rules, "men", "blue", "inf_a", walls[0]))
    structures = {cell: StructureSpec("stone", 5, "blue") for cell in walls}
    battle = bare_battle(rules, [men], structures=structures, active="blue")
    battle.spread(men, dict.fromkeys(walls, 3))
    battle.ladders = [(walls[1], at(4, 4)), (walls[0], at(3, 4))]
    feet = [("throw down", at(4, 4)), ("throw down", at(3, 4))]
    assert [option for option in unit_options(battle, men, plan_of(battle)) if option[0] == "throw down"] == feet
    with scripted(battle, [("move", feet[0]), ("move", feet[1])]) as table:
        move_unit(table, battle, men, plan_of(battle))
    assert battle.ladders == [] and men.moved == 2 and set(men.sections) == set(walls)


@pytest.mark.rule("AFR-316", "AFR-340")
def test_men_ordered_by_a_second_wind_may_show_themselves(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    men = unit_of(rules, "men", "red", "inf_a", at(4, 4))
    fort = {at(4, 4): StructureSpec("stone_fort", 6, "red", fortification=True)}
    battle = bare_battle(rules, [men], structures=fort)
    men.mark("unexposed")
    battle.card, battle.event_deck = "red_1", Deck({"ev_second_wind": 1}, {})
    script = [("event card", "ev_second_wind"), ("ev_second_wind", ("unit", "men")), ("exposure", "show themselves")]
    with scripted(battle, script) as table:
        turn_over(table, battle, "red")
    assert "battle" in men.marks and "unexposed" not in men.marks


@pytest.mark.rule("AFR-317")
def test_a_building_over_exactly_half_a_hex_is_in_it(game: Any) -> None:
    """The building ends at the centre of a hex on each side. A rounding error must not make it less than half."""
    field = game(terrain="keep: {kind: building, area: [[12, 14], [24, 14], [24, 22], [12, 22]]}").plan.field
    keep = [field.grid.column_row(cell) for cell in field.grid.cells if "building" in field.ground[cell].kinds]
    assert [place for place in keep if place[1] == 3] == [(1, 3), (2, 3), (3, 3)]
