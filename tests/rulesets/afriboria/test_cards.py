"""Chapter 5 and chapter 21: turns, hands, orders, special cards."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief

from zareba.game.activation.command_cards import CommandCards
from zareba.rules import PhaseEntry
from zareba_rulesets.afriboria.chapters.orders.cards import draw_card, is_playable, play_card, playable, tidy
from zareba_rulesets.afriboria.chapters.orders.order_choices import order_options, slots_of
from zareba_rulesets.afriboria.chapters.orders.orders import give_order
from zareba_rulesets.afriboria.forces.companies import form
from zareba_rulesets.afriboria.forces.pieces import Flier, FlierSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def camp(rules: Any, at: Any, extra: Any = (), chiefs: Any = ()) -> Any:
    """Three red units, one of each colour, far apart; one blue unit."""
    units = [
        unit_of(rules, "r", "red", "inf_b", at(1, 1), colour="red"),
        unit_of(rules, "b", "red", "cav_a", at(4, 1), colour="blue"),
        unit_of(rules, "g", "red", "art_field", at(7, 1), colour="green"),
        unit_of(rules, "foe", "blue", "inf_c", at(4, 9), colour="red"),
    ]
    return bare_battle(rules, [*units, *extra], list(chiefs))


def options(battle: Any, card: str) -> Any:
    entry = battle.book.cards[card]
    return order_options(battle, "red", entry, slots_of(entry))


@pytest.mark.rule("AFR-058")
def test_player_turns_alternate(book: Any) -> None:
    battle = bare_battle(book())
    stages = {"setup": ["deploy"], "turn": ["begin", "close"]}
    phases = {key: PhaseEntry(rule="AFR-058", title=key, step=key, stages=of) for key, of in stages.items()}
    policy = CommandCards(phases, ["red", "blue"])
    battle.turn, battle.stage = 0, "deploy"
    seen = []
    for _ in range(5):
        seen.append((battle.turn, battle.active, battle.stage))
        policy.advance(battle)
    assert seen == [
        (0, "red", "deploy"),
        (1, "red", "begin"),
        (1, "red", "close"),
        (2, "blue", "begin"),
        (2, "blue", "close"),
    ]


@pytest.mark.rule("AFR-059", "AFR-064", "AFR-338")
def test_a_colour_card_orders_units_of_its_colour(book: Any, at: Any) -> None:
    battle = camp(book(), at)
    assert options(battle, "red_2") == [("unit", "r")]
    assert options(battle, "green_1") == [("unit", "g")]


@pytest.mark.rule("AFR-041", "AFR-065", "AFR-100")
def test_what_an_order_can_be_spent_on(book: Any, at: Any) -> None:
    rules = book()
    extra = [unit_of(rules, "r2", "red", "inf_a", at(1, 1), colour="blue")]
    chiefs = [chief("lone", "red", at(0, 5)), chief("major", "red", at(1, 1))]
    battle = camp(rules, at, extra, chiefs)
    found = options(battle, "red_1")
    assert found == [("unit", "r"), ("platoon", "major"), ("commander", "lone"), ("leave", "major"), ("form", "major")]
    assert ("platoon", "major") in options(battle, "blue_1") and ("platoon", "major") not in options(battle, "green_1")


@pytest.mark.rule("AFR-060")
def test_without_a_playable_card_one_is_exchanged(game: Any, book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    battle = bare_battle(rules, [unit_of(rules, "r", "red", "inf_b", at(1, 1), colour="red")])
    battle.sides["red"].hand = ["blue_2", "green_1"]
    battle.deck.pile = {"red_4": 1}
    battle.stage = "card"
    play = game()
    with scripted(battle, [("card to discard", "green_1"), ("command card", "red_4")]) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert battle.sides["red"].hand == ["blue_2", "red_4"]
    assert battle.deck.discards == {"green_1": 1} and battle.stage == "close"


@pytest.mark.rule("AFR-061", "AFR-062", "AFR-063")
def test_fewer_orders_may_be_given_and_none_twice(game: Any, book: Any, at: Any, scripted: Any) -> None:
    play, battle = game(), camp(book(), at, [unit_of(book(), "r2", "red", "inf_b", at(2, 3), colour="red")])
    battle.stage, battle.card, battle.slots = "orders", "red_3", {"red": 3}
    with scripted(battle, [("order", ("unit", "r"))]) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert options(battle, "red_3") == [("unit", "r2")]
    with scripted(battle, [("order", "done")]) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert battle.stage == "event"
    assert {"move", "battle"} <= battle.units["r"].marks and not battle.units["r2"].marks


@pytest.mark.rule("AFR-072", "AFR-073")
def test_cards_are_discarded_drawn_and_shuffled_again(book: Any, at: Any, scripted: Any) -> None:
    battle = camp(book(), at)
    battle.card = "red_1"
    battle.deck.pile, battle.deck.discards = {}, {"blue_1": 1}
    with scripted(battle, [("command card", "red_1")]) as table:
        tidy(table, battle)
    assert battle.sides["red"].hand == ["red_1"]
    assert (battle.deck.pile, battle.deck.discards, battle.card) == ({"blue_1": 1}, {}, "")


@pytest.mark.rule("AFR-072")
def test_an_empty_deck_gives_nothing(book: Any, at: Any, scripted: Any) -> None:
    battle = camp(book(), at)
    with scripted(battle, []) as table:
        draw_card(table, battle, "red")
    assert battle.sides["red"].hand == []


@pytest.mark.rule("AFR-077")
@pytest.mark.setting("solo_cards")
def test_solo_cards(book: Any, at: Any, scripted: Any) -> None:
    def played(setting: str, script: Any) -> Any:
        battle = camp(book(solo_cards=setting), at)
        battle.sides["red"].hand = ["blue_1", "green_1", "red_1"]
        with scripted(battle, script) as table:
            assert play_card(table, battle)
        return battle.card

    picks = [("first of two", "blue_1"), ("second of two", "red_1")]
    assert played("two_and_die", [*picks, ("which card", 3)]) == "blue_1"
    assert played("two_and_die", [*picks, ("which card", 4)]) == "red_1"
    assert played("off", [("play", "green_1")]) == "green_1"


@pytest.mark.rule("AFR-074", "AFR-268", "AFR-285", "AFR-264")
def test_cards_for_fliers(book: Any, at: Any) -> None:
    battle = camp(book(), at)
    battle.fliers["plane"] = Flier(at(4, 4), True, 1, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    for card in ("red_1", "green_1", "sp_cavalry"):
        assert ("flier", "plane") in options(battle, card)
    assert ("flier", "plane") not in options(battle, "sp_forced_march")
    battle.fliers["plane"].spec = FlierSpec("plane", "Plane", "red", "aircraft", colour="blue")
    assert ("flier", "plane") in options(battle, "blue_1") and ("flier", "plane") not in options(battle, "red_1")


@pytest.mark.rule("AFR-074", "AFR-268")
def test_an_aircraft_in_the_air_is_artillery_for_a_bombardment(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    plane = Flier(at(4, 4), True, 1, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(rules, [unit_of(rules, "r", "red", "inf_b", at(1, 1))], fliers=[plane])
    assert is_playable(battle, "red", "sp_artillery")
    battle.sides["red"].hand = ["sp_artillery"]
    with scripted(battle, []) as table:
        play_card(table, battle)
    assert {"ordered", "passive"} <= plane.marks, "it may fight and not fly"
    plane.airborne = False
    assert not is_playable(battle, "red", "sp_artillery")


@pytest.mark.rule("AFR-075", "AFR-339")
def test_special_cards_say_who_and_what(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    battle = camp(rules, at)
    assert options(battle, "sp_cavalry") == [("unit", "b")]
    assert options(battle, "sp_cold_steel") == [("unit", "r")]
    assert [order[1] for order in options(battle, "sp_combined")] == ["r", "b", "g"]
    assert not is_playable(battle, "red", "sp_rally") and not is_playable(battle, "red", "sp_company")
    battle.sides["red"].hand = ["sp_artillery"]
    with scripted(battle, []) as table:
        assert play_card(table, battle)
    assert {"battle", "passive"} <= battle.units["g"].marks and "move" not in battle.units["g"].marks
    march = rules.cards["sp_forced_march"]
    battle.card, battle.slots = "sp_forced_march", slots_of(march)
    with scripted(battle, []) as table:
        give_order(table, battle, ("unit", "r"), march)
    assert {"move", "march"} <= battle.units["r"].marks and "battle" not in battle.units["r"].marks
    from zareba_rulesets.afriboria.chapters.movement.movement import allowance

    assert allowance(battle, battle.units["r"]) == 3


@pytest.mark.rule("AFR-342", "AFR-182")
def test_bonus_dice_of_cards(book: Any, at: Any, scripted: Any) -> None:
    from zareba_rulesets.afriboria.chapters.battle.eligibility import dice_facts

    rules = book()
    for card, near, far in (("sp_cold_steel", 1, 0), ("sp_volley", 0, 1)):
        battle = camp(rules, at)
        unit, entry = battle.units["r"], rules.cards[card]
        battle.card, battle.slots = card, slots_of(entry)
        with scripted(battle, []) as table:
            give_order(table, battle, ("unit", "r"), entry)
        cells = {d: next(c for c in range(99) if battle.field.distance[at(1, 1)][c] == d) for d in (1, 2)}
        assert dice_facts(battle, unit, at(1, 1), cells[1]).card == near
        assert dice_facts(battle, unit, at(1, 1), cells[2]).card == far


@pytest.mark.rule("AFR-339")
def test_rally_commanders_scouts_and_new_orders(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    battle = camp(rules, at, chiefs=[chief("major", "red", at(1, 1)), chief("lone", "red", at(0, 5))])
    battle.units["r"].figures = 3
    assert options(battle, "sp_rally") == [("unit", "r")]
    battle.card, battle.slots = "sp_rally", {"any": 1}
    with scripted(battle, [("figures regained", 2)]) as table:
        give_order(table, battle, ("unit", "r"), rules.cards["sp_rally"])
    assert battle.units["r"].figures == 5 and not {"move", "battle"} & battle.units["r"].marks
    battle.sides["red"].hand, battle.card = ["sp_commanders"], ""
    with scripted(battle, []) as table:
        play_card(table, battle)
    assert "move" in battle.commanders["lone"].marks and "move" not in battle.commanders["major"].marks
    battle.sides["red"].hand, battle.sides["blue"].hand = ["sp_scouts"], ["red_1", "red_2"]
    battle.deck.pile = {"blue_1": 1, "green_1": 1}
    with scripted(battle, [("card to take away", "red_2"), ("command card", "blue_1")]) as table:
        play_card(table, battle)
    assert battle.sides["blue"].hand == ["blue_1", "red_1"]
    battle.sides["red"].hand = ["red_4", "sp_new_orders"]
    script = [("play", "sp_new_orders"), ("card to exchange", "red_4"), ("command card", "green_1")]
    with scripted(battle, script) as table:
        play_card(table, battle)
    assert battle.sides["red"].hand == ["green_1"]


@pytest.mark.rule("AFR-339")
def test_company_card(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    extra = [unit_of(rules, "r2", "red", "inf_b", at(2, 1), colour="blue")]
    battle = camp(rules, at, extra, [chief("major", "red", at(1, 1))])
    with scripted(battle, [("company of", "r")]) as table:
        form(table, battle, battle.commanders["major"], "active")
    order = ("company", "company of major")
    assert options(battle, "sp_company") == [order]
    battle.card, battle.slots = "sp_company", {"any": 1}
    with scripted(battle, []) as table:
        give_order(table, battle, order, rules.cards["sp_company"])
    assert all({"move", "battle"} <= battle.units[name].marks for name in ("r", "r2"))


@pytest.mark.rule("AFR-341", "AFR-066")
def test_the_weakest_cards_bring_events(book: Any) -> None:
    cards = book().cards
    assert sorted(name for name, card in cards.items() if card.event) == [
        "blue_1", "green_1", "red_1", "sp_new_orders", "sp_rally", "sp_scouts",
    ]  # fmt: skip


@pytest.mark.rule("AFR-060")
def test_playable_cards(book: Any, at: Any) -> None:
    battle = camp(book(), at)
    battle.sides["red"].hand = ["blue_1", "blue_1", "sp_company", "sp_volley"]
    assert playable(battle, "red") == ["blue_1", "sp_volley"]
