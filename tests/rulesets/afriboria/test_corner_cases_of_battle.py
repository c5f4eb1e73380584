"""Corner cases: interacting exceptions of battles, retreats and events."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from tests.rulesets.afriboria.pieces import chief, ordered

from zareba.table import Choose
from zareba_rulesets.afriboria.chapters.air.air import may_land
from zareba_rulesets.afriboria.chapters.air.air_battle import (
    air_targets,
    anti_air_targets,
    fight_from_air,
    fire_at_flier,
)
from zareba_rulesets.afriboria.chapters.battle.combat import exchange_facts, fight_unit
from zareba_rulesets.afriboria.chapters.engagement import engage
from zareba_rulesets.afriboria.chapters.retreat import commander_withdrawals, may_withdraw, retreat, retreat_hexes
from zareba_rulesets.afriboria.chapters.siege.siege import bombardment_facts
from zareba_rulesets.afriboria.forces.pieces import Flier, FlierSpec, ScenarioObject
from zareba_rulesets.afriboria.ground.field import StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.odds_hints import next_act


def plane(name: str, side: str, cell: int, airborne: bool = True) -> Flier:
    return Flier(cell, airborne, 1, fuel=6, bombs=1, spec=FlierSpec(name, name.title(), side, "aircraft"))


@pytest.mark.rule("AFR-183")
def test_one_of_an_officers_units_has_his_die_in_defence(book: Any, at: Any, scripted: Any, defence: Any) -> None:
    rules = book(officer_die_in_defence=True)
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    pair = [unit_of(rules, name, "blue", "inf_a", at(4, 5)) for name in ("one", "two")]
    battle = bare_battle(rules, [us, *pair], [chief("boss", "blue", at(4, 5))])

    def dice() -> list[int]:
        attacks = (exchange_facts(battle, us, at(4, 4), unit, at(4, 5), 4, True) for unit in pair)
        return [defence(battle, facts) for facts in attacks]

    assert dice() == [3, 3]
    script = [
        ("which unit is attacked", "one"), ("defender", "make a stand"), ("battle", [2, 2, 2, 2]), ("defence", "defend"),
        ("defence dice", [1, 1, 1]),
    ]  # fmt: skip
    with scripted(battle, script) as table:
        fight_unit(table, battle, us, at(4, 4 + 1))
    assert dice() == [0, 2]


@pytest.mark.rule("AFR-255", "AFR-169")
def test_riders_fight_on_against_the_unit_they_drove_off_alone(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    us = ordered(unit_of(rules, "us", "red", "cav_a", at(4, 4)))
    them = [unit_of(rules, name, "blue", "inf_c", at(4, row)) for name, row in (("driven", 5), ("fresh", 6))]
    battle = bare_battle(rules, [us, *them])
    driven = [("defender", "make a stand"), ("battle", [1, 2, 2]), ("defence", "do not defend"), ("flags to save", 0)]
    script = [
        ("battle against", ("hex", at(4, 5))), *driven, ("retreat to", at(4, 6)), ("breakthrough", "advance"),
        ("fight on against", at(4, 6)), ("defender", "make a stand"), ("battle", [2, 2, 2]), ("defence", "do not defend"),
    ]  # fmt: skip
    with scripted(battle, script) as table:
        engage(table, battle, "us")
        fights = [event.data["target"] for event in table.events if event.kind == "battle"]
    assert fights == ["driven", "driven"]
    question = Choose("fight on against", "AFR-255", "us", "red", (at(4, 6), "stay"), ("driven",))
    assert (next_act(battle, question, at(4, 6)) or ("",))[0] == "battle"


@pytest.mark.rule("AFR-255")
@pytest.mark.setting("breakthrough_target")
def test_a_commander_who_gets_away_frees_nobody_for_another_fight(book: Any, at: Any, scripted: Any) -> None:
    rules = book(breakthrough_target="any_adjacent")
    for roll, more in (
        ([1, 2, 2], [("flags to save", 0), ("retreat to", at(3, 5))]),
        ([3, 2, 2], [("saving throws", [1])]),
    ):
        us = ordered(unit_of(rules, "us", "red", "cav_a", at(4, 4)))
        other = unit_of(rules, "other", "blue", "inf_c", at(4, 6))
        battle = bare_battle(
            rules, [us, other], [chief("boss", "blue", at(4, 5))], homes={"red": "east", "blue": "west"}
        )
        fight_on = [] if more[0][0] == "flags to save" else [("fight on against", "stay")]
        script = [
            ("battle against", ("commander", "boss")), ("defender", "make a stand"), ("battle", roll), *more,
            ("breakthrough", "advance"), *fight_on,
        ]  # fmt: skip
        with scripted(battle, script) as table:
            engage(table, battle, "us")
        assert us.hex == at(4, 5)


@pytest.mark.rule("AFR-247", "AFR-225")
def test_a_wounded_character_spares_no_figures(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 4), 3)
    ring = [unit_of(rules, f"r{n}", "red", "inf_b", cell) for n, cell in enumerate((at(4, 5), at(3, 5)))]
    battle = bare_battle(rules, [them, *ring], [chief("prince", "blue", at(4, 4), character=True)])
    with scripted(battle, [("lose", "the commander")]) as table:
        retreat(table, battle, them, 1)
    assert them.figures == 3 and "wounded" in battle.commanders["prince"].marks
    with scripted(battle, []) as table:
        retreat(table, battle, them, 1)
    assert them.figures == 2


@pytest.mark.rule("AFR-005", "AFR-238", "AFR-241", "AFR-248")
@pytest.mark.parametrize(
    ("edge", "other", "column", "row"),
    [("south", "north", 4, 2), ("north", "south", 4, 8), ("west", "east", 2, 5), ("east", "west", 6, 5)],
)
def test_back_and_off_the_field_at_every_edge(
    book: Any, at: Any, scripted: Any, edge: Any, other: Any, column: int, row: int
) -> None:
    rules = book()
    us = unit_of(rules, "us", "red", "inf_b", at(column, row))
    lone = chief("lone", "red", at(column, row))
    battle = bare_battle(rules, [us], [lone], homes={"red": edge, "blue": other})
    distance = battle.field.grid.distance_to_edge
    while us.hex not in battle.field.last["red"]:
        cells = retreat_hexes(battle, us, None)
        near = [cell for cell in battle.field.near[us.hex] if distance(cell, edge) < distance(us.hex, edge) - 1e-9]
        assert sorted(cells) == sorted(near) and cells
        battle.move(us, cells[0])
        battle.place(lone, cells[0])
    for rim in battle.field.last["red"]:
        battle.move(us, rim)
        battle.place(lone, rim)
        assert not may_withdraw(battle, us) and not commander_withdrawals(battle, lone), (
            "the next step is off the field"
        )
    with scripted(battle, []) as table:
        retreat(table, battle, us, 1)
    assert battle.gone == {"us": "left the field", "lone": "left the field"}
    assert battle.sides["blue"].points == 2


@pytest.mark.rule("AFR-340", "AFR-276")
def test_events_bind_fire_at_what_flies(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    gun = ordered(unit_of(rules, "gun", "red", "mg_foot", at(4, 4)))
    battle = bare_battle(rules, [gun], fliers=[plane("far", "blue", at(4, 6)), plane("near", "blue", at(4, 5))])
    both, near = [("flier", "far"), ("flier", "near")], [("flier", "near")]
    assert anti_air_targets(battle, gun) == both
    battle.effects["ev_sandstorm"] = 1
    assert anti_air_targets(battle, gun) == near
    battle.effects.clear()
    gun.mark("no_far")
    assert anti_air_targets(battle, gun) == near


@pytest.mark.rule("AFR-340", "AFR-342")
def test_rain_and_ammunition_in_every_sort_of_battle(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    mg = unit_of(rules, "mg", "red", "mg_foot", at(4, 4))
    gun = unit_of(rules, "gun", "red", "art_field", at(4, 3))
    foe = unit_of(rules, "foe", "blue", "inf_c", at(4, 6))
    ours, theirs = plane("ours", "red", at(4, 4)), plane("theirs", "blue", at(4, 6))
    stone = {at(4, 7): StructureSpec("stone", 5, "blue"), at(4, 2): StructureSpec("stone", 5, "blue")}
    battle = bare_battle(rules, [mg, gun, foe], fliers=[ours, theirs], structures=stone)
    assert bombardment_facts(battle, gun, at(4, 7)).card == 0
    battle.effects["ev_rain"] = 1
    assert [bombardment_facts(battle, gun, cell).card for cell in (at(4, 7), at(4, 2))] == [-1, 0]
    ours.mark("ordered")
    assert ("hex", at(4, 6)) in air_targets(battle, ours)
    with scripted(battle, [("defender", "make a stand"), ("battle", [2, 2, 2])]) as table:
        fight_from_air(table, battle, ours, "hex", at(4, 6))
    with scripted(battle, [("anti-aircraft fire", [2, 2, 2])]) as table:
        fire_at_flier(table, battle, "mg", mg.hex, theirs)
    mg.mark("first")
    for dice in (4, 3):
        with scripted(battle, [("anti-aircraft fire", [2] * dice)]) as table:
            fire_at_flier(table, battle, "mg", mg.hex, theirs)


@pytest.mark.rule("AFR-260")
def test_a_supply_truck_is_in_the_way(book: Any, at: Any) -> None:
    cart = unit_of(book(), "cart", "red", "pack", at(4, 5))
    battle = bare_battle(book(), [cart], fliers=[plane("plane", "red", at(4, 4))])
    battle.field.trucks = {"red": ("truck",)}
    battle.prizes["truck"] = ScenarioObject(at(4, 5), "cart")
    flier = battle.fliers["plane"]
    assert may_land(battle, flier, at(4, 4)) and not may_land(battle, flier, at(4, 5))
    battle.move(cart, at(4, 6))
    assert not may_land(battle, flier, at(4, 4)) and may_land(battle, flier, at(4, 5)), "the zone is where it is now"
    battle.move(cart, -1)
    assert may_land(battle, flier, at(4, 4)) and not may_land(battle, flier, at(4, 5)), "left behind it is in the way"


@pytest.mark.rule("AFR-342")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("anti_aircraft", {"target": "aircraft"}),
        ("attack_from_air", {"range": 1, "defender": "inf_c", "defender_figures": 8}),
        ("bombardment", {"gun": "art_field", "range": 1, "structure": "wood", "value": 3}),
    ],
)
def test_odds_refuse_more_dice_than_cards_give(book: Any, name: str, words: dict[str, Any]) -> None:
    facts = TypeAdapter(book().rules.ruleset.procedure(name).facts)
    assert facts.validate_python({**words, "card": 1}).card == 1
    with pytest.raises(ValidationError, match="card"):
        facts.validate_python({**words, "card": 9})


@pytest.mark.rule("AFR-247", "AFR-246")
def test_a_commander_who_has_come_to_a_second_unit_spares_no_figures(book: Any, at: Any, scripted: Any) -> None:
    """The commander retreats with his unit into a friend's hex. The way on is barred, so he stays there."""
    rules = book()
    us, friend = (unit_of(rules, name, "red", "inf_b", cell) for name, cell in (("us", at(4, 4)), ("friend", at(4, 3))))
    row = [unit_of(rules, f"foe{column}", "blue", "inf_c", at(column, 2)) for column in (4, 5)]
    beside = unit_of(rules, "beside", "blue", "inf_c", at(3, 3))
    battle = bare_battle(rules, [us, friend, *row, beside], [chief("boss", "red", at(4, 4))])
    with scripted(battle, []) as table:
        assert retreat(table, battle, us, 2) == 1
    assert us.figures == 7 and us.hex == battle.commanders["boss"].hex == friend.hex
    alone = bare_battle(rules, [us, *row, beside], [chief("boss", "red", at(4, 3))])
    with scripted(alone, [("lose", "the commander")]) as table:
        retreat(table, alone, us, 1)
    assert us.figures == 7 and "boss" in alone.gone
