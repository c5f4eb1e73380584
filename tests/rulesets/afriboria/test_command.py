"""Chapter 7: platoons, companies, commanders."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, plan_of, run

from zareba.table import Choose
from zareba_rulesets.afriboria.chapters.breakthrough import break_through
from zareba_rulesets.afriboria.chapters.combat import dice_facts, may_battle, spend_battle
from zareba_rulesets.afriboria.chapters.losses import lose_commander
from zareba_rulesets.afriboria.chapters.movement import (
    allowance,
    commander_goals,
    move_commander,
    move_unit,
    must_come_back,
    unit_options,
)
from zareba_rulesets.afriboria.chapters.orders import give_order, order_all_named, order_options, slots_of
from zareba_rulesets.afriboria.chapters.retreat import (
    commander_hexes,
    commander_withdrawals,
    may_withdraw,
    retreat,
    retreat_commander,
)
from zareba_rulesets.afriboria.chapters.victory import leave_table
from zareba_rulesets.afriboria.forces.battle import Plan
from zareba_rulesets.afriboria.forces.companies import (
    company_pace,
    form_company,
    may_form,
    members_outside_zone,
    reactivate_companies,
    settle_companies,
)
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec, Company
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.words import question_sentence
from zareba_rulesets.afriboria.sequence import Sequence, may_mount


def red_chief(name: str, cell: int, officer: bool = True, mounted: bool = False) -> Commander:
    return Commander(cell, spec=CommanderSpec(name, name.title(), "red", officer, mounted))


def order(battle: Any, scripted: Any, what: Any, card: str, script: Any = ()) -> Any:
    entry = battle.book.cards[card]
    if battle.card != card:
        battle.card, battle.slots = card, slots_of(entry)
    assert what in order_options(battle, "red", entry, battle.slots)
    run(give_order, battle, what, entry, script=script)


def platoon(rules: Any, at: Any, officer: bool, colours: Any = ("red", "blue")) -> Any:
    units = [unit_of(rules, c, "red", "inf_b", at(4, 4), colour=c) for c in colours]
    return bare_battle(rules, units, [red_chief("boss", at(4, 4), officer)])


@pytest.mark.rule("AFR-101", "AFR-104", "AFR-108")
def test_an_officers_platoon_costs_one_order(book: Any, at: Any, scripted: Any) -> None:
    battle = platoon(book(), at, True)
    order(battle, scripted, ("platoon", "boss"), "red_2")
    assert battle.slots == {"red": 1}
    assert all({"ordered", "move", "battle"} <= unit.marks for unit in battle.units.values())
    single = platoon(book(), at, True)
    order(single, scripted, ("unit", "red"), "red_1")
    assert not single.units["blue"].marks


def test_the_question_for_an_order_says_how_many_are_left(book: Any, at: Any) -> None:
    battle = platoon(book(), at, True)
    question = Choose("order", "AFR-062", "red", "red", ("done",), ())

    def text(**slots: int) -> str:
        battle.slots = slots
        return question_sentence(battle, question, {"red": "The patrol"})

    assert text(red=2, blue=0) == "The patrol, 2 red orders left: give the next order to which unit?"
    assert text(red=1, blue=1).startswith("The patrol, 2 orders (1 red, 1 blue) left: ")
    assert text(any=3).startswith("The patrol, 3 orders of any colour left: ")


@pytest.mark.rule("AFR-102", "AFR-103", "AFR-104")
def test_an_ncos_platoon(book: Any, at: Any, scripted: Any) -> None:
    both = bare_battle(
        book(),
        [unit_of(book(), n, "red", "inf_b", at(4, 4), colour="red") for n in ("one", "two")],
        [red_chief("boss", at(4, 4), officer=False)],
    )
    order(both, scripted, ("platoon", "boss"), "red_1")
    assert all("battle" in unit.marks for unit in both.units.values())
    mixed = platoon(book(), at, officer=False)
    order(mixed, scripted, ("platoon", "boss"), "red_1")
    red, blue = mixed.units["red"], mixed.units["blue"]
    assert "battle" in red.marks and {"ordered", "move", "along"} <= blue.marks and not may_battle(mixed, blue)
    assert unit_options(mixed, blue, plan_of(mixed)) == ["stay"], "he has not gone yet"
    run(move_unit, mixed, red, plan_of(mixed), script=[("move", ("with", at(4, 5)))])
    assert unit_options(mixed, blue, plan_of(mixed)) == ["stay", ("to", at(4, 5))]


@pytest.mark.rule("AFR-100")
def test_a_commander_leaves_his_command_for_another(book: Any, at: Any, scripted: Any) -> None:
    battle = platoon(book(), at, True)
    order(battle, scripted, ("leave", "boss"), "green_1")
    assert set(battle.slots.values()) == {0} and "move" in battle.commanders["boss"].marks
    run(move_commander, battle, battle.commanders["boss"], script=[("commander to", at(4, 5))])
    assert battle.is_alone(battle.commanders["boss"])


@pytest.mark.rule("AFR-109", "AFR-124", "AFR-125", "AFR-183")
def test_the_officers_die(rules: Any, at: Any) -> None:
    for officer, key, counts in (
        (True, "inf_a", True), (True, "cav_b", True), (False, "inf_a", False), (True, "art_field", False),
        (True, "mg_foot", False), (True, "civ_n", False), (True, "vehicle_mg", False),
    ):  # fmt: skip
        unit = unit_of(rules, "us", "red", key, at(4, 4))
        battle = bare_battle(rules, [unit], [red_chief("boss", at(4, 4), officer)])
        assert dice_facts(battle, unit, at(4, 4), at(4, 5)).officer is counts
        battle.commanders["boss"].supports = "another"
        assert not dice_facts(battle, unit, at(4, 4), at(4, 5)).officer
    apart = bare_battle(rules, [unit_of(rules, "us", "red", "inf_a", at(3, 4))], [red_chief("boss", at(4, 4))])
    assert not dice_facts(apart, apart.units["us"], at(3, 4), at(2, 4)).officer


def company(book: Any, at: Any, scripted: Any, setting: str = "per_order", **settings: Any) -> Any:
    """An active company: red infantry, blue infantry and a red gun around a mounted major."""
    rules = book(company_battle=setting, **settings)
    units = [
        unit_of(rules, "red", "red", "inf_b", at(4, 5), colour="red"),
        unit_of(rules, "blue", "red", "inf_b", at(5, 4), colour="blue"),
        unit_of(rules, "gun", "red", "art_horse", at(4, 4), colour="red"),
    ]
    battle = bare_battle(rules, units, [red_chief("major", at(4, 4), mounted=True)])
    with scripted(battle, [("company of", "red"), ("company of", "blue"), ("company of", "gun")]) as table:
        form_company(table, battle, battle.commanders["major"], "active")
    return battle


KEY = "company of major"


@pytest.mark.rule("AFR-112", "AFR-114")
@pytest.mark.setting("company_battle")
def test_a_company_is_one_unit_for_moving_not_for_battling(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    order(battle, scripted, ("company", KEY), "red_2")
    assert all({"move", "company"} <= unit.marks for unit in battle.units.values())
    assert may_battle(battle, battle.units["red"]) and not may_battle(battle, battle.units["blue"])
    spend_battle(battle, battle.units["red"])
    assert not may_battle(battle, battle.units["gun"])
    order(battle, scripted, ("company", KEY), "red_2")
    assert may_battle(battle, battle.units["gun"])
    everybody = company(book, at, scripted, "all")
    order(everybody, scripted, ("company", KEY), "red_1")
    assert all(may_battle(everybody, unit) for unit in everybody.units.values())


@pytest.mark.rule("AFR-065", "AFR-114")
def test_a_company_with_a_member_that_has_an_order_is_not_ordered_as_a_whole(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    entry = battle.book.cards["red_2"]
    slots = slots_of(entry)
    assert ("company", KEY) in order_options(battle, "red", entry, slots)
    battle.units["red"].mark("ordered")
    assert ("company", KEY) not in order_options(battle, "red", entry, slots)


@pytest.mark.rule("AFR-121", "AFR-238")
def test_an_officer_who_retreats_leaves_his_company_suspended(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    major = battle.commanders["major"]
    cells = commander_hexes(battle, "red", major.hex)
    run(retreat_commander, battle, major, 1, script=[("retreat to", cells[0])] if len(cells) > 1 else [])
    assert (major.hex, battle.companies[KEY].state) == (cells[0], "suspended")


@pytest.mark.rule("AFR-115")
def test_the_slowest_sets_the_pace(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    order(battle, scripted, ("company", KEY), "red_1")
    assert [company_pace(battle, battle.units["red"], to_battle=t) for t in (False, True)] == [2, 1]
    gun = battle.units["gun"]
    gun.spec = unit_of(battle.book, "gun", "red", "art_field", 0).spec
    assert [company_pace(battle, battle.units["red"], to_battle=t) for t in (False, True)] == [1, 0]
    assert allowance(battle, battle.units["red"]) == 1
    battle.units["red"].moved = 1
    assert not may_battle(battle, battle.units["red"])


@pytest.mark.rule("AFR-115", "AFR-040", "AFR-043")
def test_the_officer_may_be_the_slowest(rules: Any, at: Any, scripted: Any) -> None:
    """On foot the officer limits riders to 2 hexes. Wounded, he limits the whole company to 1."""
    for mounted, wounded, paces in ((True, False, [3, 3]), (False, False, [2, 2]), (False, True, [1, 1])):
        riders = [unit_of(rules, name, "red", "cav_b", at(4, 4), colour="red") for name in ("one", "two")]
        battle = bare_battle(rules, riders, [red_chief("major", at(4, 4), mounted=mounted)])
        major = battle.commanders["major"]
        run(form_company, battle, major, "active", script=[("company of", "one")])
        if wounded:
            major.mark("wounded")
        order(battle, scripted, ("company", KEY), "red_1")
        assert [company_pace(battle, riders[0], to_battle=t) for t in (False, True)] == paces
        assert allowance(battle, riders[0]) == paces[0]


@pytest.mark.rule("AFR-116", "AFR-119", "AFR-346")
def test_a_company_keeps_together(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    red, major = battle.units["red"], battle.commanders["major"]
    red.mark("ordered", "move", "battle")
    zone = {at(4, 4), *battle.field.neighbours[at(4, 4)]}
    assert {act[1] for act in unit_options(battle, red, plan_of(battle)) if act != "stay"} <= zone
    is_alone = commander_goals(battle, major)
    assert all(all(battle.field.distance[u.hex][cell] <= 1 for u in battle.units.values()) for cell in is_alone)
    red.marks = frozenset()
    order(battle, scripted, ("company", KEY), "red_1")
    assert at(6, 4) in commander_goals(battle, major), "with the whole company he may go further"
    script = [("commander to", at(6, 4)), ("follow to", at(5, 5))]
    run(move_commander, battle, major, script=[*script, ("follow to", at(5, 4))])
    assert all(battle.in_zone(unit, major) for unit in battle.units.values())


@pytest.mark.rule("AFR-116", "AFR-118", "AFR-226")
def test_members_outside_the_zone_move_first_and_back_into_it(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    stray = unit_of(battle.book, "stray", "red", "inf_b", at(8, 8), colour="red")
    battle.units["stray"] = stray
    stray.hex = -1
    battle.move(stray, at(8, 8))
    red, major = battle.units["red"], battle.commanders["major"]
    battle.move(red, at(1, 4))
    assert members_outside_zone(battle, "red") == [red]
    card = battle.book.cards["red_2"]
    first = order_options(battle, "red", card, {"red": 2})
    assert [o for o in first if o[0] == "unit"] == [("unit", "red")] and ("company", KEY) in first
    assert ("unit", "blue") in order_options(battle, "red", battle.book.cards["blue_1"], {"blue": 1})
    red.mark("ordered", "move", "battle")
    homeward = [act[1] for act in unit_options(battle, red, plan_of(battle)) if act != "stay"]
    assert homeward and all(battle.field.distance[cell][major.hex] < 3 for cell in homeward)


def strayed(book: Any, at: Any, scripted: Any, cell: int) -> Any:
    """A company whose red infantry has a separate order outside the zone."""
    battle = company(book, at, scripted)
    red = battle.units["red"]
    battle.move(red, cell)
    red.mark("ordered", "move", "battle")
    return battle, red


@pytest.mark.rule("AFR-116", "AFR-118")
def test_member_outside_the_zone_returns_on_the_shortest_path(book: Any, at: Any, scripted: Any) -> None:
    battle, red = strayed(book, at, scripted, at(0, 4))
    major = battle.commanders["major"]
    acts = unit_options(battle, red, plan_of(battle))
    assert acts and all(act[0] == "to" and battle.field.distance[act[1]][major.hex] == 2 for act in acts)
    battle, red = strayed(book, at, scripted, at(2, 4))
    cells = [act[1] for act in unit_options(battle, red, plan_of(battle))]
    assert set(cells) == {at(3, 4), at(3, 3), at(3, 5), at(4, 4)}, "in the zone one hex of it is as good as another"


@pytest.mark.rule("AFR-116", "AFR-118", "AFR-105")
def test_a_stray_does_not_dawdle_with_its_nco(book: Any, at: Any, scripted: Any) -> None:
    """Riders who can come three hexes nearer alone do not move at the pace of a sergeant on foot."""
    battle = company(book, at, scripted)
    riders = unit_of(battle.book, "red", "red", "cav_b", at(0, 4), colour="red")
    battle.commanders["sergeant"] = red_chief("sergeant", at(0, 4), officer=False)
    for mounted, verbs in ((False, {"to"}), (True, {"to", "with"})):
        units = [riders, *(unit for name, unit in battle.units.items() if name != "red")]
        chiefs = [battle.commanders["major"], red_chief("sergeant", at(0, 4), officer=False, mounted=mounted)]
        field = bare_battle(battle.book, units, chiefs)
        field.companies = battle.companies
        riders.company = KEY
        riders.mark("ordered", "move", "battle")
        assert {act[0] for act in unit_options(field, riders, plan_of(field))} == verbs


@pytest.mark.rule("AFR-118")
def test_a_stray_may_stay_to_battle(book: Any, at: Any, scripted: Any) -> None:
    battle, red = strayed(book, at, scripted, at(0, 4))
    them = unit_of(battle.book, "them", "blue", "inf_c", at(0, 7), missile=False)
    field = bare_battle(battle.book, [*battle.units.values(), them], list(battle.commanders.values()))
    field.companies = battle.companies
    assert "stay" in unit_options(field, red, plan_of(field))
    red.unmark("battle")
    assert "stay" not in unit_options(field, red, plan_of(field)), "without a right to battle"
    red.mark("battle")
    field.move(them, at(0, 8) if field.field.distance[at(0, 8)][red.hex] > 4 else at(8, 8))
    assert "stay" not in unit_options(field, red, plan_of(field)), "without anybody to battle"


@pytest.mark.rule("AFR-118")
def test_the_moves_are_not_over_while_a_stray_can_come_nearer(book: Any, at: Any, scripted: Any) -> None:
    battle, red = strayed(book, at, scripted, at(0, 4))
    nobody: Any = None
    sequence = Sequence(nobody, nobody, plan_of(battle))
    gun = battle.units["gun"]
    gun.mark("ordered", "move", "battle")
    battle.waiting = ["red", "gun"]
    script = [("move with", "gun"), ("move", "stay")]
    with scripted(battle, script) as table:
        assert not sequence.moves(table, battle)
        assert not sequence.moves(table, battle), "nothing was left to say, it has one way"
        assert sequence.moves(table, battle)
    assert red.hex == at(2, 4)


@pytest.mark.rule("AFR-118", "AFR-116")
def test_a_stray_that_cannot_come_nearer_stays(book: Any, at: Any, scripted: Any) -> None:
    battle, red = strayed(book, at, scripted, at(0, 4))
    away = battle.field.distance[at(4, 4)]
    walls = {cell: ["impassable"] for cell in range(battle.field.grid.size) if 1 < away[cell] < 4}
    field = bare_battle(battle.book, list(battle.units.values()), list(battle.commanders.values()), terrain=walls)
    field.companies = battle.companies
    options = unit_options(field, red, plan_of(field))
    assert options == ["stay"], "nowhere is nearer, and further off it may not go"
    assert must_come_back(battle, red) and not must_come_back(field, red)


@pytest.mark.rule("AFR-117")
def test_ncos_have_no_companies(rules: Any, at: Any) -> None:
    units = [unit_of(rules, n, "red", "inf_b", at(4, 4)) for n in ("one", "two")]
    for officer in (True, False):
        battle = bare_battle(rules, units, [red_chief("boss", at(4, 4), officer)])
        assert may_form(battle, battle.commanders["boss"]) is officer


@pytest.mark.rule("AFR-119", "AFR-120")
def test_forming_and_disbanding_take_a_turn(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    card = battle.book.cards["green_1"]
    for piece in (battle.commanders["major"], battle.units["red"]):
        assert ("disband", KEY) in order_options(battle, "red", card, slots_of(card))
        piece.mark("ordered")
        assert ("disband", KEY) not in order_options(battle, "red", card, slots_of(card)), "one has an order already"
        piece.unmark("ordered")
    order(battle, scripted, ("disband", KEY), "green_1")
    assert all("ordered" in u.marks and not may_battle(battle, u) for u in battle.units.values())
    assert battle.companies[KEY].state == "disbanding"
    settle_companies(battle, "red")
    assert battle.companies == {} and battle.units["red"].company == ""
    for piece in (*battle.units.values(), *battle.commanders.values()):
        piece.marks = frozenset()
    battle.card = ""
    script = [("company of", "red"), ("company of", "gun"), ("company of", "no more")]
    order(battle, scripted, ("form", "major"), "green_1", script)
    assert battle.companies[KEY].state == "forming" and not may_battle(battle, battle.units["red"])
    settle_companies(battle, "red")
    assert (battle.companies[KEY].state, battle.companies[KEY].members) == ("active", ["red", "gun"])


@pytest.mark.rule("AFR-121", "AFR-122")
def test_an_officer_forced_out_or_killed(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    major, gun = battle.commanders["major"], battle.units["gun"]
    run(retreat, battle, gun, 2, script=[("retreat to", at(4, 3)), ("retreat to", at(4, 2))])
    assert major.hex == at(4, 2) and battle.companies[KEY].state == "suspended"
    red = battle.units["red"]
    red.mark("ordered", "move", "battle")
    assert ("to", at(4, 6)) in unit_options(battle, red, plan_of(battle)), "its parts move separately"
    reactivate_companies(battle, "red")
    assert battle.companies[KEY].state == "suspended"
    battle.move(red, at(4, 3))
    battle.move(battle.units["blue"], at(3, 3))
    reactivate_companies(battle, "red")
    assert battle.companies[KEY].state == "active"
    red.mark("company")
    run(lose_commander, battle, major, "killed", "AFR-122", "melee")
    assert battle.companies == {} and red.company == ""
    assert allowance(battle, red) == 2, "what was ordered goes on by itself"


@pytest.mark.rule("AFR-123")
def test_a_platoon_inside_a_company_battles_together(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    battle.move(battle.units["blue"], at(4, 4))
    order(battle, scripted, ("company", KEY), "red_1")
    spend_battle(battle, battle.units["gun"])
    assert "battle" in battle.units["blue"].marks and not may_battle(battle, battle.units["red"])
    assert "battle" not in battle.units["gun"].marks


@pytest.mark.rule("AFR-135", "AFR-030")
def test_debris_holds_a_vehicle_of_a_company_too(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    red = battle.units["red"]
    red.mark("stuck")
    order(battle, scripted, ("company", KEY), "red_1")
    assert {"company", "passive"} <= red.marks and not {"stuck", "move"} & red.marks


@pytest.mark.rule("AFR-119", "AFR-223", "AFR-239")
def test_an_officer_alone_does_not_leave_his_company_by_a_voluntary_retreat(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    major, members = battle.commanders["major"], battle.companies[KEY].members
    for name, cell in zip(members, (at(4, 5), at(3, 5), at(4, 6)), strict=True):
        battle.move(battle.units[name], cell)
    assert commander_hexes(battle, "red", major.hex) and commander_withdrawals(battle, major) == []
    battle.companies.clear()
    assert commander_withdrawals(battle, major) == commander_hexes(battle, "red", major.hex)


@pytest.mark.rule("AFR-239", "AFR-116")
def test_no_voluntary_retreat_out_of_the_zone(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    assert may_withdraw(battle, battle.units["red"])
    battle.move(battle.units["red"], at(4, 3))
    assert not may_withdraw(battle, battle.units["red"])


@pytest.mark.rule("AFR-121", "AFR-340")
def test_officer_driven_out_after_the_announcement_goes_alone(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    major = battle.commanders["major"]
    order(battle, scripted, ("company", KEY), "red_1")
    run(retreat, battle, battle.units["gun"], 2, script=[("retreat to", at(4, 3)), ("retreat to", at(4, 2))])
    places = {name: unit.hex for name, unit in battle.units.items()}
    run(move_commander, battle, major, script=[("commander to", at(4, 0))])
    assert {name: unit.hex for name, unit in battle.units.items()} == places, "its parts move separately"


@pytest.mark.rule("AFR-114", "AFR-101", "AFR-123")
def test_a_platoon_of_a_company_battles_where_one_of_its_units_has_the_colour(
    book: Any, at: Any, scripted: Any
) -> None:
    battle = company(book, at, scripted)
    blue, gun = battle.units["blue"], battle.units["gun"]
    order(battle, scripted, ("company", KEY), "red_1")
    assert not may_battle(battle, blue)
    battle.move(blue, gun.hex)
    assert may_battle(battle, blue), "with the red gun it is one platoon under the officer"
    spend_battle(battle, blue)
    assert may_battle(battle, gun) and not may_battle(battle, battle.units["red"])


@pytest.mark.rule("AFR-115", "AFR-340")
def test_heat_slows_the_riders_of_a_company_down_to_its_foot(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, scripted)
    gun = battle.units["gun"]
    order(battle, scripted, ("company", KEY), "red_1")
    assert allowance(battle, gun) == 2
    battle.effects["ev_heat"] = battle.turn
    assert allowance(battle, gun) == 1, "the slowest sets the pace"
    battle.active = "blue"
    assert company_pace(battle, gun, to_battle=False) == 2, "the heat is the holder's alone"


@pytest.mark.rule("AFR-065", "AFR-101", "AFR-339")
def test_a_platoon_of_two_colours_spends_the_one_that_others_need_less(book: Any, at: Any, scripted: Any) -> None:
    battle = platoon(book(), at, True, ("blue", "red"))
    other = unit_of(battle.book, "other", "red", "inf_b", at(7, 4), colour="blue")
    units = [*battle.units.values(), other]
    battle = bare_battle(book(), units, [red_chief("boss", at(4, 4))])
    order(battle, scripted, ("platoon", "boss"), "sp_combined")
    assert battle.slots == {"red": 0, "blue": 1, "green": 1}
    order(battle, scripted, ("unit", "other"), "sp_combined")


@pytest.mark.rule("AFR-103", "AFR-078")
def test_second_unit_is_asked_only_after_its_nco_has_moved(book: Any, at: Any, scripted: Any) -> None:
    battle = platoon(book(), at, officer=False, colours=("blue", "red"))
    order(battle, scripted, ("platoon", "boss"), "red_1")
    nobody: Any = None
    sequence = Sequence(nobody, nobody, plan_of(battle))
    battle.waiting = ["blue", "red"]
    script = [("move with", "red"), ("move", ("with", at(4, 5))), ("move with", "blue"), ("move", ("to", at(4, 5)))]
    with scripted(battle, script) as table:
        while not sequence.moves(table, battle):
            asked = [event.data["unit"] for event in table.events if event.kind == "move"]
    assert asked == ["red", "blue"] and battle.units["blue"].hex == at(4, 5)
    staying = platoon(book(), at, officer=False, colours=("blue", "red"))
    order(staying, scripted, ("platoon", "boss"), "red_1")
    staying.waiting = ["blue", "red"]
    with scripted(staying, [("move with", "red"), ("move", "stay")]) as table:
        assert not sequence.moves(table, staying)
        assert sequence.moves(table, staying), "if the NCO stays, so does the other unit"


@pytest.mark.rule("AFR-116", "AFR-118", "AFR-339")
def test_members_outside_the_zone_do_not_block_cards_that_cannot_order_them(book: Any, at: Any, scripted: Any) -> None:
    led = company(book, at, scripted)
    horse = unit_of(led.book, "horse", "red", "cav_b", at(8, 8), colour="red")
    battle = bare_battle(led.book, [*led.units.values(), horse], [led.commanders["major"]])
    battle.companies = led.companies
    battle.move(battle.units["red"], at(1, 4))
    charge, march = battle.book.cards["sp_cavalry"], battle.book.cards["red_1"]
    assert ("unit", "horse") in order_options(battle, "red", charge, slots_of(charge))
    assert ("unit", "horse") not in order_options(battle, "red", march, slots_of(march))


@pytest.mark.rule("AFR-042", "AFR-101", "AFR-110")
def test_a_character_without_a_bonus_leads_as_other_officers_do(rules: Any, at: Any) -> None:
    prince = Commander(at(4, 4), spec=CommanderSpec("prince", "Prince", "red", True, character=True, bonus=False))
    units = [unit_of(rules, name, "red", "inf_b", at(4, 4)) for name in ("one", "two")]
    battle = bare_battle(rules, units, [prince])
    orders = order_options(battle, "red", rules.cards["red_2"], {"red": 2})
    assert ("platoon", "prince") in orders and ("form", "prince") in orders
    assert not dice_facts(battle, units[0], at(4, 4), at(4, 5)).officer, "he lends no die"


@pytest.mark.rule("AFR-063", "AFR-339", "AFR-346")
def test_commanders_forward_is_the_one_order_of_an_officer_alone(rules: Any, at: Any) -> None:
    units = [unit_of(rules, name, "red", "inf_b", at(4, 5)) for name in ("one", "two")]
    battle = bare_battle(rules, units, [red_chief("boss", at(4, 4))])
    run(form_company, battle, battle.commanders["boss"], "active", script=[("company of", "one")])
    card = rules.cards["sp_commanders"]
    assert ("company", "company of boss") in order_options(battle, "red", card, slots_of(card))
    assert order_all_named(battle, "red", card) == 1
    orders = order_options(battle, "red", card, slots_of(card))
    assert ("unit", "one") in orders and ("company", "company of boss") not in orders


@pytest.mark.rule("AFR-103")
def test_the_other_unit_of_an_nco_goes_along_or_does_nothing(rules: Any, at: Any, scripted: Any) -> None:
    horse = unit_of(rules, "horse", "red", "cav_b", at(4, 4), colour="blue")
    foot = unit_of(rules, "foot", "red", "inf_b", at(4, 4))
    battle = bare_battle(rules, [foot, horse], [chief("nco", "red", at(4, 4), officer=False)])
    battle.card, battle.slots = "red_1", {"red": 1}
    give_order(scripted(battle, []), battle, ("platoon", "nco"), rules.cards["red_1"])
    assert unit_options(battle, horse, plan_of(battle)) == ["stay"], "it may not even dismount"
    run(move_unit, battle, foot, plan_of(battle), script=[("move", ("with", at(4, 5)))])
    assert unit_options(battle, horse, plan_of(battle)) == ["stay", ("to", at(4, 5))]
    horse.mounted = False
    assert may_mount(battle) == []


@pytest.mark.rule("AFR-119", "AFR-120")
@pytest.mark.parametrize("state", ["forming", "disbanding"])
def test_officer_stays_with_a_company_that_forms_or_disbands(rules: Any, at: Any, state: str) -> None:
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
def test_a_company_does_not_march_off_from_a_member_with_orders_of_its_own(rules: Any, at: Any, scripted: Any) -> None:
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


@pytest.mark.rule("AFR-122", "AFR-043")
def test_a_captured_officer_leaves_no_company(rules: Any, at: Any) -> None:
    prince = chief("prince", "blue", at(4, 5), character=True)
    prince.mark("wounded")
    guard = unit_of(rules, "guard", "blue", "inf_b", at(4, 6))
    far, near = (ordered(unit_of(rules, name, "red", "cav_a", at(4, row))) for name, row in (("far", 3), ("near", 4)))
    battle = bare_battle(rules, [far, near, guard], [prince])
    guard.company, battle.companies["c"] = "c", Company("prince", ["guard"], "active")
    assert ("to", at(4, 5)) not in unit_options(battle, far, plan_of(battle)), "only from the next hex"
    run(move_unit, battle, near, plan_of(battle), script=[("move", ("to", at(4, 5)))])
    assert battle.gone == {"prince": "captured"} and not battle.companies and not guard.company


@pytest.mark.rule("AFR-118", "AFR-119", "AFR-239")
def test_members_outside_the_zone_do_not_limit_a_voluntary_retreat(rules: Any, at: Any) -> None:
    led = unit_of(rules, "led", "blue", "inf_b", at(4, 4))
    astray = unit_of(rules, "astray", "blue", "inf_b", at(4, 1))
    battle = bare_battle(rules, [led, astray], [chief("boss", "blue", at(4, 4))])
    led.company = astray.company = "c"
    battle.companies["c"] = Company("boss", ["led", "astray"], "active")
    assert may_withdraw(battle, led) and may_withdraw(battle, astray)
    battle.move(astray, at(4, 3))
    assert not may_withdraw(battle, led), "a member in the zone stays in it"


def chief_of_side(name: str, cell: int, side: str = "red", officer: bool = True) -> Commander:
    return Commander(cell, spec=CommanderSpec(name, name.title(), side, officer))


def company_around_major(book: Any, at: Any, second: tuple[int, int], state: str = "active") -> Any:
    """The major with the van at (4, 4), the rear of his company at `second`, and a unit driven off in the north."""
    rules = book()
    units = [
        unit_of(rules, "van", "red", "inf_b", at(4, 4)),
        unit_of(rules, "rear", "red", "inf_b", at(*second)),
        unit_of(rules, "guest", "red", "inf_b", at(0, 0)),
        unit_of(rules, "foe", "blue", "inf_c", at(4, 9)),
    ]
    battle = bare_battle(rules, units, [chief_of_side("major", at(4, 4))])
    battle.companies["c"] = Company("major", ["van", "rear"], state)
    units[0].company = units[1].company = "c"
    return battle


@pytest.mark.rule("AFR-119", "AFR-116", "AFR-251")
@pytest.mark.parametrize(
    ("second", "state", "along"),
    [((4, 3), "active", False), ((5, 4), "active", True), ((4, 2), "active", True), ((4, 3), "suspended", True)],
)
def test_the_officer_follows_a_breakthrough_where_his_company_stays_around_him(
    book: Any, at: Any, scripted: Any, second: tuple[int, int], state: str, along: bool
) -> None:
    """A unit already outside does not count, nor does a company whose parts move separately."""
    for choice, offered in (("advance", True), ("advance with the commander", along)):
        battle = company_around_major(book, at, second, state)
        van, foe = battle.units["van"], battle.units["foe"]
        if not offered:
            with pytest.raises(AssertionError), scripted(battle, [("breakthrough", choice)]) as table:
                break_through(table, battle, van, at(4, 5), foe)
            continue
        with scripted(battle, [("breakthrough", choice)]) as table:
            break_through(table, battle, van, at(4, 5), foe)
        assert van.hex == at(4, 5), "a unit may leave the zone by a breakthrough"
        assert battle.commanders["major"].hex == (at(4, 4) if choice == "advance" else at(4, 5))
    if state == "active" and second != (4, 2):
        assert members_outside_zone(battle, "red") == [], "so nobody of his company is left behind"


@pytest.mark.rule("AFR-119", "AFR-242", "AFR-239")
def test_unit_without_a_company_does_not_take_an_officer_along(book: Any, at: Any) -> None:
    battle = company_around_major(book, at, (4, 5))
    guest = battle.units["guest"]
    battle.move(battle.units["van"], at(3, 5))
    battle.move(guest, at(4, 4))
    assert not may_withdraw(battle, guest), "its commander would have to go with it"
    battle.companies["c"].state = "suspended"
    assert may_withdraw(battle, guest)


@pytest.mark.rule("AFR-116", "AFR-105")
def test_another_officer_takes_no_unit_out_of_its_company(book: Any, at: Any) -> None:
    """The rear is with a captain who leads another company. Together they stay around the major."""
    battle = company_around_major(book, at, (4, 5))
    rear, guest = battle.units["rear"], battle.units["guest"]
    battle.commanders["captain"] = captain = chief_of_side("captain", -1)
    battle.place(captain, at(4, 5))
    battle.companies["other"] = Company("captain", ["guest"], "active")
    guest.company = "other"
    rear.mark("ordered", "move", "battle")
    plan = Plan(battle.field, {}, {}, {})
    goals = [option[1] for option in unit_options(battle, rear, plan) if option[0] == "with"]
    zone = battle.field.zone[at(4, 4)]
    assert goals and all(cell in zone for cell in goals)


@pytest.mark.rule("AFR-110", "AFR-090")
def test_a_company_ends_when_all_of_it_have_left_the_table(book: Any, at: Any) -> None:
    battle = company_around_major(book, at, (4, 3))
    for name, members in (("van", ["rear"]), ("rear", None)):
        run(leave_table, battle, battle.units[name], "north")
        assert battle.units[name].company == ""
        assert [group.members for group in battle.companies.values()] == ([members] if members else [])
