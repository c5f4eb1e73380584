"""Chapter 19: hexes of 10 centimetres with one unit each."""

from __future__ import annotations

from typing import Any

import pytest

from zareba_rulesets.afriboria.battle import Commander, CommanderSpec
from zareba_rulesets.afriboria.combat import exchange_facts
from zareba_rulesets.afriboria.eligibility import dice_facts
from zareba_rulesets.afriboria.movement import move_unit, unit_options
from zareba_rulesets.afriboria.orders import give_order, order_options, slots_of
from zareba_rulesets.afriboria.retreat import retreat
from zareba_rulesets.afriboria.situation import bare_battle, unit_of
from zareba_rulesets.afriboria.translation import Plan


def plan_of(battle: Any) -> Plan:
    return Plan(battle.field, {}, {}, {})


def chief(cell: int, officer: bool) -> Commander:
    return Commander(cell, spec=CommanderSpec("boss", "Boss", "red", officer))


@pytest.mark.rule("AFR-296", "AFR-297", "AFR-081")
@pytest.mark.setting("stacking")
def test_how_many_units_a_hex_holds(book: Any, at: Any, scripted: Any) -> None:
    for setting, may in (("two_units", True), ("one_unit", False)):
        rules = book(stacking=setting)
        us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
        us.mark("ordered", "move", "battle")
        battle = bare_battle(rules, [us, unit_of(rules, "friend", "red", "inf_b", at(5, 4))])
        assert (("to", at(5, 4)) in unit_options(battle, us, plan_of(battle))) is may
        back = bare_battle(
            rules, [us, *[unit_of(rules, f"f{n}", "red", "inf_b", c) for n, c in enumerate((at(4, 3), at(3, 3)))]]
        )
        script = [("retreat to", at(4, 3))] if may else []
        with scripted(back, script) as table:
            assert retreat(table, back, us, 1) == int(may)


@pytest.mark.rule("AFR-298", "AFR-299", "AFR-301")
def test_an_officers_platoon_reaches_the_next_hex(book: Any, at: Any, scripted: Any) -> None:
    rules = book(stacking="one_unit")
    units = [
        unit_of(rules, n, "red", "inf_b", c, colour=n)
        for n, c in (("red", at(4, 4)), ("blue", at(5, 4)), ("green", at(4, 5)))
    ]
    battle = bare_battle(rules, units, [chief(at(4, 4), True)])
    card = rules.cards["red_1"]
    platoons = [o for o in order_options(battle, "red", card, slots_of(card)) if o[0] == "platoon"]
    assert platoons == [("platoon", "boss", "green"), ("platoon", "boss", "blue")]
    battle.card, battle.slots = "red_1", slots_of(card)
    with scripted(battle, []) as table:
        give_order(table, battle, ("platoon", "boss", "blue"), card)
    assert all({"move", "battle"} <= battle.units[n].marks for n in ("red", "blue")) and not battle.units["green"].marks


@pytest.mark.rule("AFR-300")
def test_an_ncos_second_unit_moves_along(book: Any, at: Any, scripted: Any) -> None:
    rules = book(stacking="one_unit")
    units = [unit_of(rules, n, "red", "inf_b", c, colour=n) for n, c in (("red", at(4, 4)), ("blue", at(5, 4)))]
    battle = bare_battle(rules, units, [chief(at(4, 4), False)])
    card = rules.cards["red_1"]
    battle.card, battle.slots = "red_1", slots_of(card)
    with scripted(battle, []) as table:
        give_order(table, battle, ("platoon", "boss", "blue"), card)
    red, blue = battle.units["red"], battle.units["blue"]
    assert "battle" in red.marks and "battle" not in blue.marks
    with scripted(battle, [("move", ("with", at(4, 6)))]) as table:
        move_unit(table, battle, red, plan_of(battle))
    goals = [act[1] for act in unit_options(battle, blue, plan_of(battle)) if act != "stay"]
    assert goals and all(battle.field.distance[cell, at(4, 6)] <= 1 for cell in goals)


@pytest.mark.rule("AFR-302")
def test_the_officer_helps_only_in_his_own_hex(book: Any, at: Any) -> None:
    rules = book(stacking="one_unit")
    units = [unit_of(rules, n, "red", "inf_b", c) for n, c in (("mine", at(4, 4)), ("next", at(5, 4)))]
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 6))
    battle = bare_battle(rules, [*units, them], [chief(at(4, 4), True)])
    assert dice_facts(battle, units[0], at(4, 4), at(4, 6)).officer
    assert not dice_facts(battle, units[1], at(5, 4), at(4, 6)).officer
    assert exchange_facts(battle, them, at(4, 6), units[1], at(5, 4), 3, True).steady_above == 6
    assert exchange_facts(battle, them, at(4, 6), units[0], at(4, 4), 3, True).steady_above == 5
