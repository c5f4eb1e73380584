"""Chapter 19: hexes of 10 centimetres with one unit each."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import plan_of, run

from zareba.table import SeededTable
from zareba_rulesets.afriboria.chapters.combat import dice_facts, exchange_facts
from zareba_rulesets.afriboria.chapters.movement import move_commander, move_unit, unit_options
from zareba_rulesets.afriboria.chapters.orders import give_order, order_options, slots_of
from zareba_rulesets.afriboria.chapters.retreat import retreat, retreat_commander
from zareba_rulesets.afriboria.forces.companies import platoon, second_of
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def chief(cell: int, officer: bool) -> Commander:
    return Commander(cell, spec=CommanderSpec("boss", "Boss", "red", officer))


@pytest.mark.rule("AFR-296", "AFR-297", "AFR-081")
@pytest.mark.setting("stacking")
def test_setting_decides_how_many_units_a_hex_holds(book: Any, at: Any) -> None:
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
        assert run(retreat, back, us, 1, script=script) == int(may)


def squad(book: Any, at: Any, officer: bool = True) -> Any:
    """A commander with a red unit; a blue and a green one next to him."""
    rules = book(stacking="one_unit")
    places = {"red": at(4, 4), "blue": at(5, 4), "green": at(4, 5)}
    units = [unit_of(rules, name, "red", "inf_b", cell, colour=name) for name, cell in places.items()]
    rival = Commander(at(0, 0), spec=CommanderSpec("rival", "Rival", "red", True))
    return bare_battle(rules, units, [chief(at(4, 4), officer), rival])


def platoons(battle: Any, card: str) -> list[Any]:
    entry = battle.book.cards[card]
    return [order for order in order_options(battle, "red", entry, slots_of(entry)) if order[0] == "platoon"]


def announce(battle: Any, scripted: Any, card: str, order: Any) -> None:
    entry = battle.book.cards[card]
    battle.card, battle.slots = card, slots_of(entry)
    run(give_order, battle, order, entry)


@pytest.mark.rule("AFR-298")
def test_the_second_unit_is_named_when_orders_are_announced(game: Any, book: Any, at: Any) -> None:
    """The choice comes once a turn, before the orders. The unit named last is listed first; none is allowed."""
    play, battle = game({"stacking": "one_unit"}), squad(book, at)
    boss = battle.commanders["boss"]
    for answer, first in (("blue", "green"), ("nobody", "blue"), ("green", "green")):
        battle.stage, battle.waiting, battle.card, battle.slots = "orders", [], "green_1", {"green": 1}
        asked: list[Any] = []

        def note(question: Any, _: Any, answer: str = answer, asked: list[Any] = asked) -> Any:
            asked.append(question)
            return answer if question.why == "second unit" else "done"

        table = SeededTable(battle.book.rules, battle, 1, {"red": note})
        table.begin(play.play.next_step(battle))
        play.sequence.perform(table, battle, play.play.next_step(battle))
        assert [question.why for question in asked] == ["second unit", "order"]
        assert asked[0].options[0] == first and set(asked[0].options) == {"blue", "green", "nobody"}
        assert boss.second == ("" if answer == "nobody" else answer)
        assert [unit.id for unit in platoon(battle, boss)][1:] == ([] if answer == "nobody" else [answer])


@pytest.mark.rule("AFR-298", "AFR-099")
def test_the_second_unit_is_named_on_arrival(book: Any, at: Any) -> None:
    battle = squad(book, at)
    boss = battle.commanders["boss"]
    battle.place(boss, at(2, 4))
    boss.mark("move")
    run(move_commander, battle, boss, script=[("commander to", at(4, 4)), ("second unit", "green")])
    assert boss.second == "green"
    battle = squad(book, at)
    red, boss = battle.units["red"], battle.commanders["boss"]
    battle.move(red, at(2, 4))
    red.mark("ordered", "move")
    run(move_unit, battle, red, plan_of(battle), script=[("move", ("to", at(4, 4))), ("second unit", "nobody")])
    assert boss.second == ""
    two = bare_battle(book(), [unit_of(book(), "red", "red", "inf_b", at(2, 4))], [chief(at(4, 4), True)])
    two.units["red"].mark("ordered", "move")
    run(move_unit, two, two.units["red"], plan_of(two), script=[("move", ("to", at(4, 4)))])


@pytest.mark.rule("AFR-298")
def test_a_platoon_lasts_while_its_units_are_side_by_side(book: Any, at: Any) -> None:
    battle = squad(book, at)
    boss, blue = battle.commanders["boss"], battle.units["blue"]
    boss.second = "blue"
    assert second_of(battle, boss) is blue
    battle.move(blue, at(6, 4))
    assert second_of(battle, boss) is None
    battle.move(blue, at(5, 4))
    battle.place(battle.commanders["rival"], at(5, 4))
    assert second_of(battle, boss) is None, "it has a commander of its own"
    battle.place(battle.commanders["rival"], at(0, 0))
    battle.move(battle.units["red"], at(3, 3))
    assert second_of(battle, boss) is None, "he has no unit in his own hex"


@pytest.mark.rule("AFR-299", "AFR-301")
def test_an_officers_platoon_is_one_unit_for_cards(book: Any, at: Any, scripted: Any) -> None:
    battle = squad(book, at)
    assert platoons(battle, "red_1") == []
    battle.commanders["boss"].second = "blue"
    assert platoons(battle, "red_1") == platoons(battle, "blue_1") == [("platoon", "boss")]
    assert platoons(battle, "green_1") == []
    announce(battle, scripted, "red_1", ("platoon", "boss"))
    assert all({"move", "battle"} <= battle.units[n].marks for n in ("red", "blue")) and not battle.units["green"].marks


@pytest.mark.rule("AFR-300", "AFR-103")
def test_an_ncos_second_unit_moves_along(book: Any, at: Any, scripted: Any) -> None:
    battle = squad(book, at, officer=False)
    battle.commanders["boss"].second = "blue"
    announce(battle, scripted, "red_1", ("platoon", "boss"))
    red, blue = battle.units["red"], battle.units["blue"]
    assert "battle" in red.marks and "battle" not in blue.marks
    assert unit_options(battle, blue, plan_of(battle)) == ["stay"], "not before the NCO has gone"
    run(move_unit, battle, red, plan_of(battle), script=[("move", ("with", at(4, 6)))])
    goals = [act[1] for act in unit_options(battle, blue, plan_of(battle)) if act != "stay"]
    assert goals and all(battle.field.distance[cell][at(4, 6)] <= 1 for cell in goals)


@pytest.mark.rule("AFR-103")
def test_second_unit_stays_if_its_nco_stays(book: Any, at: Any, scripted: Any) -> None:
    battle = squad(book, at, officer=False)
    boss, blue = battle.commanders["boss"], battle.units["blue"]
    boss.second = "blue"
    announce(battle, scripted, "red_1", ("platoon", "boss"))
    boss.mark("move")
    run(move_commander, battle, boss, script=[("commander to", at(4, 4))])
    assert unit_options(battle, blue, plan_of(battle)) == ["stay"]


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


@pytest.mark.rule("AFR-298", "AFR-223")
def test_nco_who_retreats_to_a_unit_takes_a_second_one(book: Any, at: Any) -> None:
    battle = squad(book, at)
    boss = battle.commanders["boss"]
    battle.place(boss, at(4, 6))
    run(retreat_commander, battle, boss, 1, script=[("retreat to", at(4, 5)), ("second unit", "blue")])
    assert [unit.spec.id for unit in platoon(battle, boss)] == ["green", "blue"]
