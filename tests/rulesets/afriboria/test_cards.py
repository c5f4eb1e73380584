"""Chapters 5 and 21: turns, hands, orders, special cards, event cards, and cards that a seat may not see."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, run
from tests.rulesets.afriboria.test_random_games import circus

from zareba.agents import make_agent
from zareba.base.grammar import in_a_sentence
from zareba.chance import Meaning
from zareba.game.activation import CommandCards
from zareba.registry import load_rules
from zareba.rules import PhaseEntry, Rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Draw, Question, ScriptedTable, SeededTable, Table
from zareba_rulesets.afriboria.chapters.cards import (
    discard_played_card,
    draw_card,
    face_events,
    is_playable,
    play_card,
    playable_cards,
    take_from_hand,
    turn_over,
)
from zareba_rulesets.afriboria.chapters.combat import exchange_facts, targets
from zareba_rulesets.afriboria.chapters.exchange import Exchange, answer_flags
from zareba_rulesets.afriboria.chapters.movement import allowance, commander_goals
from zareba_rulesets.afriboria.chapters.orders import give_order, order_options, slots_of
from zareba_rulesets.afriboria.forces.companies import form_company
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec, Company, Flier, FlierSpec
from zareba_rulesets.afriboria.game import AfrGame
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
def test_options_for_an_order(rules: Any, at: Any) -> None:
    extra = [unit_of(rules, "r2", "red", "inf_a", at(1, 1), colour="blue")]
    chiefs = [chief("lone", "red", at(0, 5)), chief("major", "red", at(1, 1))]
    battle = camp(rules, at, extra, chiefs)
    found = options(battle, "red_1")
    assert found == [("unit", "r"), ("platoon", "major"), ("commander", "lone"), ("leave", "major"), ("form", "major")]
    assert ("platoon", "major") in options(battle, "blue_1") and ("platoon", "major") not in options(battle, "green_1")


@pytest.mark.rule("AFR-060")
def test_without_a_playable_card_one_is_exchanged(game: Any, rules: Any, at: Any, scripted: Any) -> None:
    battle = bare_battle(rules, [unit_of(rules, "r", "red", "inf_b", at(1, 1), colour="red")])
    battle.sides["red"].hand = ["blue_2", "green_1"]
    battle.deck.pile = {"red_4": 1}
    battle.stage = "card"
    play = game()
    with scripted(battle, [("card to discard", "green_1"), ("command card", "red_4")]) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert battle.sides["red"].hand == ["blue_2", "red_4"]
    assert battle.deck.discards == {"green_1": 1} and battle.stage == "close"


@pytest.mark.rule("AFR-061", "AFR-062", "AFR-063")
def test_fewer_orders_may_be_given_and_none_twice(game: Any, book: Any, at: Any, scripted: Any) -> None:
    play, battle = game(), camp(book(), at, [unit_of(book(), "r2", "red", "inf_b", at(2, 3), colour="red")])
    battle.stage, battle.card, battle.slots = "orders", "red_3", {"red": 3}
    with scripted(battle, [("order", ("unit", "r"))]) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert options(battle, "red_3") == [("unit", "r2")]
    with scripted(battle, [("order", "done")]) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert battle.stage == "event"
    assert {"move", "battle"} <= battle.units["r"].marks and not battle.units["r2"].marks


@pytest.mark.rule("AFR-072", "AFR-073")
def test_cards_are_discarded_drawn_and_shuffled_again(book: Any, at: Any) -> None:
    battle = camp(book(), at)
    battle.card = "red_1"
    battle.deck.pile, battle.deck.discards = {}, {"blue_1": 1}
    run(discard_played_card, battle, script=[("command card", "red_1")])
    assert battle.sides["red"].hand == ["red_1"]
    assert (battle.deck.pile, battle.deck.discards, battle.card) == ({"blue_1": 1}, {}, "")


@pytest.mark.rule("AFR-072")
def test_an_empty_deck_gives_nothing(book: Any, at: Any) -> None:
    battle = camp(book(), at)
    run(draw_card, battle, "red")
    assert battle.sides["red"].hand == []


@pytest.mark.rule("AFR-077")
@pytest.mark.setting("solo_cards")
def test_solo_cards(book: Any, at: Any) -> None:
    def played(setting: str, script: Any) -> Any:
        battle = camp(book(solo_cards=setting), at)
        battle.sides["red"].hand = ["blue_1", "green_1", "red_1"]
        assert run(play_card, battle, script=script)
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
def test_an_aircraft_in_the_air_is_artillery_for_a_bombardment(rules: Any, at: Any) -> None:
    plane = Flier(at(4, 4), True, 1, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(rules, [unit_of(rules, "r", "red", "inf_b", at(1, 1))], fliers=[plane])
    assert is_playable(battle, "red", "sp_artillery")
    battle.sides["red"].hand = ["sp_artillery"]
    run(play_card, battle)
    assert {"ordered", "passive"} <= plane.marks, "it may fight and not fly"
    plane.airborne = False
    assert not is_playable(battle, "red", "sp_artillery")


@pytest.mark.rule("AFR-075", "AFR-339")
def test_special_cards_say_who_and_what(rules: Any, at: Any) -> None:
    battle = camp(rules, at)
    assert options(battle, "sp_cavalry") == [("unit", "b")]
    assert options(battle, "sp_cold_steel") == [("unit", "r")]
    assert [order[1] for order in options(battle, "sp_combined")] == ["r", "b", "g"]
    assert not is_playable(battle, "red", "sp_rally") and not is_playable(battle, "red", "sp_company")
    battle.sides["red"].hand = ["sp_artillery"]
    assert run(play_card, battle)
    assert {"battle", "passive"} <= battle.units["g"].marks and "move" not in battle.units["g"].marks
    march = rules.cards["sp_forced_march"]
    battle.card, battle.slots = "sp_forced_march", slots_of(march)
    run(give_order, battle, ("unit", "r"), march)
    assert {"move", "march"} <= battle.units["r"].marks and "battle" not in battle.units["r"].marks
    from zareba_rulesets.afriboria.chapters.movement import allowance

    assert allowance(battle, battle.units["r"]) == 3


@pytest.mark.rule("AFR-342", "AFR-182")
def test_bonus_dice_of_cards(rules: Any, at: Any) -> None:
    from zareba_rulesets.afriboria.chapters.combat import dice_facts

    for card, near, far in (("sp_cold_steel", 1, 0), ("sp_volley", 0, 1)):
        battle = camp(rules, at)
        unit, entry = battle.units["r"], rules.cards[card]
        battle.card, battle.slots = card, slots_of(entry)
        run(give_order, battle, ("unit", "r"), entry)
        cells = {d: next(c for c in range(99) if battle.field.distance[at(1, 1)][c] == d) for d in (1, 2)}
        assert dice_facts(battle, unit, at(1, 1), cells[1]).card == near
        assert dice_facts(battle, unit, at(1, 1), cells[2]).card == far


@pytest.mark.rule("AFR-339")
def test_rally_commanders_scouts_and_new_orders(rules: Any, at: Any) -> None:
    battle = camp(rules, at, chiefs=[chief("major", "red", at(1, 1)), chief("lone", "red", at(0, 5))])
    battle.units["r"].figures = battle.units["r"].firearms = 3
    assert options(battle, "sp_rally") == [("unit", "r")]
    battle.card, battle.slots = "sp_rally", {"any": 1}
    run(give_order, battle, ("unit", "r"), rules.cards["sp_rally"], script=[("figures regained", 2)])
    assert (
        battle.units["r"].figures == battle.units["r"].firearms == 5
        and not {"move", "battle"} & battle.units["r"].marks
    )
    battle.sides["red"].hand, battle.card = ["sp_commanders"], ""
    run(play_card, battle)
    assert "move" in battle.commanders["lone"].marks and "move" not in battle.commanders["major"].marks
    battle.sides["red"].hand, battle.sides["blue"].hand = ["sp_scouts"], ["red_1", "red_2"]
    battle.deck.pile = {"blue_1": 1, "green_1": 1}
    run(play_card, battle, script=[("card to take away", "red_2"), ("command card", "blue_1")])
    assert battle.sides["blue"].hand == ["blue_1", "red_1"]
    battle.sides["red"].hand = ["red_4", "sp_new_orders"]
    script = [("play", "sp_new_orders"), ("card to exchange", "red_4"), ("command card", "green_1")]
    run(play_card, battle, script=script)
    assert battle.sides["red"].hand == ["green_1"]


@pytest.mark.rule("AFR-339")
def test_company_card(rules: Any, at: Any) -> None:
    extra = [unit_of(rules, "r2", "red", "inf_b", at(2, 1), colour="blue")]
    battle = camp(rules, at, extra, [chief("major", "red", at(1, 1))])
    run(form_company, battle, battle.commanders["major"], "active", script=[("company of", "r")])
    order = ("company", "company of major")
    assert options(battle, "sp_company") == [order]
    battle.card, battle.slots = "sp_company", {"any": 1}
    run(give_order, battle, order, rules.cards["sp_company"])
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
    assert playable_cards(battle, "red") == ["blue_1", "sp_volley"]


@pytest.mark.rule("AFR-060", "AFR-063")
def test_a_card_is_not_playable_for_a_unit_that_has_had_its_order(book: Any, at: Any) -> None:
    battle = camp(book(), at)
    battle.sides["red"].hand = ["green_1", "red_1"]
    ordered(battle.units["r"])
    assert playable_cards(battle, "red") == ["green_1"]


@pytest.mark.rule("AFR-077", "AFR-060")
@pytest.mark.setting("solo_cards")
def test_unplayable_cards_are_picked_only_where_a_playable_one_is_alone(book: Any, at: Any) -> None:
    """There are no guns and no riders, so bombardment and charge have no effect."""
    rules = book(solo_cards="two_and_die")

    def played(hand: list[str], script: Any) -> Any:
        us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
        battle = bare_battle(rules, [us, unit_of(rules, "them", "blue", "inf_c", at(4, 8))])
        battle.sides["red"].hand = hand
        assert run(play_card, battle, script=script)
        return battle.card

    useless = ["sp_artillery", "sp_cavalry"]
    picks = [("second of two", "sp_cavalry"), ("which card", 4)]
    assert played(["red_1", *useless], picks) == "sp_cavalry", "the first is the only one that can be played"
    assert played(["red_1", "red_2", *useless], [("first of two", "red_2"), ("which card", 6)]) == "red_1"
    assert played(["red_1"], []) == "red_1", "one card needs no die"


@pytest.mark.rule("AFR-340")
def test_a_unit_is_inspired_until_its_owners_next_turn(game: Any) -> None:
    play = game()
    battle = play.start()
    for unit in battle.units.values():
        unit.mark("inspired")
    battle.turn, battle.active, battle.stage = 2, "blue", "begin"
    with ScriptedTable(play.rules, battle, []) as table:
        play.sequence.begin(table, battle)
        assert {name: "inspired" in unit.marks for name, unit in battle.units.items()} == {
            name: unit.spec.side == "red" for name, unit in battle.units.items()
        }
        battle.active = "red"
        play.sequence.begin(table, battle)
    assert not any("inspired" in unit.marks for unit in battle.units.values())


@pytest.mark.rule("AFR-340")
@pytest.mark.parametrize(
    ("kinds", "bitten"),
    [(["river"], 1), (["river", "ford"], 1), (["marsh"], 1), (["river", "bridge"], 0), ([], 0)],
)
def test_crocodiles_are_in_fords_too(book: Any, at: Any, kinds: list[str], bitten: int) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4))
    battle = bare_battle(book(), [us], terrain={at(4, 4): kinds})
    battle.event_deck.pile = {"ev_crocodiles": 1}
    run(turn_over, battle, "red", script=[("event card", "ev_crocodiles"), *[("crocodiles", [1])] * bitten])
    assert us.figures == 8 - bitten


@pytest.mark.rule("AFR-339")
@pytest.mark.parametrize("figures", [7, 8])
def test_complete_units_are_not_reinforced(book: Any, at: Any, figures: int) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), figures)
    battle = bare_battle(book(), [us], [chief("boss", "red", at(4, 4))])
    assert is_playable(battle, "red", "sp_rally") is (figures < 8)


@pytest.mark.rule("AFR-056", "AFR-061")
def test_stages_without_anybody_to_act_are_passed_over(game: Any, book: Any, at: Any, scripted: Any) -> None:
    """Without orders no unit moves or mounts: battles follow the event stage, and then the card is discarded."""
    play = game()
    battle = bare_battle(book(), [unit_of(book(), "us", "red", "inf_b", at(4, 4))])
    battle.card, battle.stage = "red_1", "event"
    stages = []
    with scripted(battle, []) as table:
        while battle.stage != "draw":
            play.sequence.perform(table, battle, play.next_step(battle))
            stages.append(battle.stage)
    assert stages == ["battles", "draw"]


@pytest.mark.rule("AFR-339")
def test_rally_is_for_one_unit(rules: Any, at: Any) -> None:
    units = [unit_of(rules, name, "red", "inf_b", at(4, 4), 5) for name in ("one", "two")]
    battle = bare_battle(rules, units, [chief("boss", "red", at(4, 4))])
    found = order_options(battle, "red", rules.cards["sp_rally"], {"any": 1})
    assert found == [("unit", "one"), ("unit", "two")]


def field(rules: Any, at: Any, **terrain: Any) -> Any:
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    horse = unit_of(rules, "horse", "red", "cav_a", at(6, 4), colour="blue")
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 7))
    chief = Commander(at(0, 4), spec=CommanderSpec("chief", "Chief", "red", True))
    battle = bare_battle(rules, [us, horse, them], [chief], **terrain)
    battle.card = "red_1"
    battle.event_deck.pile = {name: card.copies for name, card in rules.file.events.items()}
    return battle


def happen(battle: Any, scripted: Any, name: str, script: Any = ()) -> Any:
    run(turn_over, battle, "red", script=[("event card", name), *script])
    return battle


@pytest.mark.rule("AFR-067", "AFR-068", "AFR-070", "AFR-071")
def test_an_event_is_accepted_or_passed_on_unseen(book: Any, at: Any) -> None:
    battle = field(book(), at)
    run(face_events, battle, script=[("event card", "pass it on unseen")])
    assert battle.sides["blue"].forced and sum(battle.event_deck.pile.values()) == 20
    battle.active = "blue"
    script = [("event card", "ev_sundown"), ("event card", "accept it unseen"), ("event card", "ev_rain")]
    run(face_events, battle, script=script)
    assert not battle.sides["blue"].forced
    assert battle.event_deck.discards == {"ev_sundown": 1, "ev_rain": 1}


@pytest.mark.rule("AFR-069")
def test_the_event_comes_after_the_announcement(book: Any) -> None:
    stages = book().file.sequence["turn"].stages
    assert stages.index("orders") < stages.index("event") < stages.index("moves")


@pytest.mark.rule("AFR-345")
def test_a_forced_event_works_even_without_a_card_to_play(game: Any, book: Any, at: Any, scripted: Any) -> None:
    play, battle = game(), field(book(), at)
    battle.card, battle.stage = "", "card"
    battle.sides["red"].forced = True
    for officer in battle.commanders.values():
        battle.place(officer, OFF)
    battle.sides["red"].hand = ["green_1"]
    battle.deck.pile = {"red_1": 1}
    script = [("event card", "ev_fever"), ("ev_fever", "us"), ("card to discard", "green_1"), ("command card", "red_1")]
    battle.units["horse"].figures = 5
    with scripted(battle, [script[0], script[3]]) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert battle.units["us"].figures == 7 and battle.stage == "close"


@pytest.mark.rule("AFR-344", "AFR-340")
def test_losses_by_events_are_not_saved_and_score(book: Any, at: Any, scripted: Any) -> None:
    battle = field(book(), at)
    battle.units["horse"].figures = 1
    happen(battle, scripted, "ev_lions", [("ev_lions", "horse"), ("lions", [3, 1])])
    assert battle.gone["horse"] == "destroyed" and battle.sides["blue"].points == 1


@pytest.mark.rule("AFR-340")
def test_animals(book: Any, at: Any, scripted: Any) -> None:
    battle = field(book(), at, terrain={at(6, 4): ["marsh"]})
    happen(battle, scripted, "ev_stampede", [("retreat to", at(4, 3))])
    assert battle.units["us"].hex == at(4, 3)
    happen(battle, scripted, "ev_snake", [("snake", [1])])
    assert battle.gone["chief"] == "killed"
    happen(battle, scripted, "ev_crocodiles", [("crocodiles", [3])])
    assert battle.units["horse"].figures == 4


@pytest.mark.rule("AFR-340")
def test_an_event_asks_for_an_enemy_unit() -> None:
    """The enemy of the side that drew the card chooses. An event that has no sentence shows its card."""
    game = AfrGame(load_rules("afriboria"), load_scenario("patrol_clash"))

    def asked(event: str) -> str:
        return game.narrator.describe(game.start(), Choose(event, "AFR-340", "patrol", "patrol", ("swordsmen",), ()))

    assert asked("ev_lions").endswith(": lions attack which enemy unit?")
    assert asked("ev_rain") == "Rain (this side has one die less beyond an adjacent hex this turn): which one?"


@pytest.mark.rule("AFR-340")
def test_weather(rules: Any, at: Any, scripted: Any) -> None:
    battle = field(rules, at)
    us = battle.units["us"]
    us.mark("ordered", "move", "battle")
    assert targets(battle, us) == [("hex", at(4, 7))]
    happen(battle, scripted, "ev_heat")
    assert (allowance(battle, us), allowance(battle, battle.units["horse"])) == (1, 3)
    happen(battle, scripted, "ev_rain")
    from zareba_rulesets.afriboria.chapters.combat import dice_facts

    assert dice_facts(battle, us, at(4, 4), at(4, 7)).card == -1
    happen(battle, scripted, "ev_sandstorm")
    assert targets(battle, us) == []
    battle.turn += 1
    assert battle.in_force("ev_sandstorm") and not battle.in_force("ev_rain")
    battle.turn += 1
    assert not battle.in_force("ev_sandstorm")


@pytest.mark.rule("AFR-340")
def test_fortune(book: Any, at: Any, scripted: Any) -> None:
    battle = field(book(), at)
    us = battle.units["us"]
    us.mark("ordered", "move", "battle")
    happen(battle, scripted, "ev_bad_cartridges", [("ev_bad_cartridges", "us")])
    assert targets(battle, us) == []
    happen(battle, scripted, "ev_fever")
    assert us.figures == 7
    happen(battle, scripted, "ev_panic", [("panic", [1]), ("retreat to", at(3, 3)), ("retreat to", at(3, 2))])
    assert us.hex == at(3, 2)


@pytest.mark.rule("AFR-340")
def test_boons(book: Any, at: Any, scripted: Any) -> None:
    battle = field(book(), at)
    us, horse = battle.units["us"], battle.units["horse"]
    us.mark("ordered")
    us.figures = 6
    happen(battle, scripted, "ev_second_wind", [("ev_second_wind", "nobody")])
    assert not horse.marks, "he may order one more, and need not"
    happen(battle, scripted, "ev_second_wind", [("ev_second_wind", ("unit", "horse"))])
    assert {"ordered", "move", "battle"} <= horse.marks
    happen(battle, scripted, "ev_ammunition", [("ev_ammunition", "us")])
    happen(battle, scripted, "ev_guide", [("ev_guide", "horse")])
    happen(battle, scripted, "ev_recovered")
    happen(battle, scripted, "ev_inspired", [("ev_inspired", "us")])
    assert {"first", "inspired"} <= us.marks and "guided" in horse.marks and us.figures == 7
    battle.sides["blue"].hand, battle.deck.pile = ["red_1", "red_2"], {"blue_1": 1}
    happen(battle, scripted, "ev_message", [("lost message", "red_1"), ("command card", "blue_1")])
    assert battle.sides["blue"].hand == ["blue_1", "red_2"]
    happen(battle, scripted, "ev_sundown")


@pytest.mark.rule("AFR-340", "AFR-319")
@pytest.mark.parametrize("figures", [3, 8])
def test_an_inspired_unit_ignores_all_flags(rules: Any, at: Any, scripted: Any, figures: int) -> None:
    """The player has no choice: neither how many flags to accept nor, with enough men, to ignore them."""
    battle = bare_battle(
        rules,
        [unit_of(rules, "us", "red", "inf_b", at(4, 4)), unit_of(rules, "them", "blue", "inf_b", at(4, 5), figures)],
    )
    us, them = battle.units.values()
    for marks, script, hexes in (("inspired", [], 0), ("", [("flags to save", 0)], 3)):
        them.marks = frozenset(marks.split())
        facts = exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True)
        course = Exchange("us", "them", "blue", flags=3, facts=facts)
        asked = [("flags", "accept the flags"), *script] if script and figures > 6 else script
        with scripted(battle, asked) as table:
            answer_flags(table, rules, course)
        assert course.retreat == hexes


@pytest.mark.rule("AFR-340", "AFR-116")
def test_a_guide_leads_a_member_of_a_company_after_its_officer(book: Any, at: Any) -> None:
    """The unit can follow across a marsh only with a guide, so the officer goes there only then."""
    for guided in (False, True):
        us = unit_of(book(), "us", "red", "inf_b", at(4, 4))
        us.mark("ordered", "move", "company", *(["guided"] if guided else []))
        chief = Commander(at(4, 5), frozenset({"company"}), spec=CommanderSpec("chief", "Chief", "red", True))
        marsh = {cell: ["marsh"] for cell in range(at(0, 5), at(0, 6))}
        battle = bare_battle(book(), [us], [chief], terrain=marsh)
        battle.companies["c"], us.company = Company("chief", ["us"], "active"), "c"
        assert (max(commander_goals(battle, chief)) >= at(0, 7)) is guided


SHOWN_BY_A_CARD = {"card to take away"}


"""Questions during which a card in play lets its player see the other hand (AFR-339)."""


class Asked(BaseException):
    """Raised with the first question of a step."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class FirstQuestion(Table):
    """A table that stops a step at its first question."""

    __slots__ = ()

    def answer(self, question: Question) -> Any:
        raise Asked(question)


def other_world(battle: Any, seat: str, random: Random) -> Any:
    """Return the same state with another enemy hand, dealt from the cards that the seat has not seen."""
    world = battle.copy()
    enemy = world.sides[battle.field.enemy(seat)]
    hand = list((Counter(enemy.hand) - Counter(enemy.known)).elements())
    unseen = sorted([*hand, *(name for name, copies in world.deck.pile.items() for _ in range(copies))])
    random.shuffle(unseen)
    enemy.hand = sorted([*enemy.known, *unseen[: len(hand)]])
    world.deck.pile = {name: unseen[len(hand) :].count(name) for name in sorted(unseen[len(hand) :])}
    return world


def first_question(game: AfrGame, rules: Rules, battle: Any) -> Question | None:
    step = game.play.next_step(battle)
    assert step is not None
    draft = battle.copy()
    table = FirstQuestion(rules, draft)
    try:
        game.play.perform(table, draft, step)
    except Asked as asked:
        return asked.question
    return None


def all_that_a_seat_receives(game: AfrGame, battle: Any, seat: str, question: Question) -> Any:
    """Return everything shown to a person, an AI player or a web page about one question."""
    view = game.sight.view(battle, seat)
    shown: list[Any] = [
        view.to_data(),
        game.display.board(view),
        game.display.headline(view),
        question,
        game.narrator.describe(view, question),
    ]
    if isinstance(question, Choose):
        shown += [game.narrator.describe_option(view, question, option) for option in question.options]
        shown += [
            odds_hint[:2] for option in question.options for odds_hint in game.advisor.odds_for(view, question, option)
        ]
        worth = game.advisor.evaluate(view, question)
        shown += [
            (evaluation.inflicts, evaluation.suffers, evaluation.ground, evaluation.steadies) for evaluation in worth
        ]
    return shown


@pytest.mark.rule("AFR-045", "AFR-067", "AFR-068", "AFR-343")
@pytest.mark.parametrize("name", ["patrol_clash", "circus"])
def test_a_seat_cannot_tell_two_worlds_apart(name: str) -> None:
    rules = load_rules("afriboria", {"event_cards": "on", "hand_size": 5})
    game = AfrGame(rules, circus() if name == "circus" else load_scenario(name))
    random, battle = Random(name), game.start()
    table = SeededTable(rules, battle, 5, {seat: make_agent("random", game, seat, 5) for seat in game.seats})
    differed = questions = 0
    while (step := game.play.next_step(battle)) is not None:
        seat = battle.active
        world = other_world(battle, seat, random)
        assert game.sight.view(battle, seat).to_data() == game.sight.view(world, seat).to_data()
        if random.random() < 0.25 and world.to_data() != battle.to_data():
            differed += 1
            mine, theirs = (first_question(game, rules, state) for state in (battle, world))
            if isinstance(mine, Choose) and mine.seat == seat and mine.why not in SHOWN_BY_A_CARD:
                assert theirs is not None
                assert all_that_a_seat_receives(game, battle, seat, mine) == all_that_a_seat_receives(
                    game, world, seat, theirs
                )
                questions += 1
        table.begin(step)
        game.play.perform(table, battle, step)
    assert differed > 20 and questions > 10


@pytest.mark.rule("AFR-045", "AFR-072", "AFR-343")
def test_the_card_drawn_is_for_one_seat() -> None:
    """Every draw of a command card names the only seat that may see it. Other seats see no event about it."""
    rules = load_rules("afriboria")
    game = AfrGame(load_rules("afriboria"), load_scenario("patrol_clash"))
    battle = game.start()
    drawn: list[Draw] = []

    class Watching(SeededTable):
        def draw(
            self,
            pile: Any,
            *,
            why: str,
            rule: str,
            actor: str = "",
            seat: str | None = None,
            means: Meaning | None = None,
        ) -> str:
            drawn.append(Draw(why, rule, actor, seat, ()))
            return super().draw(pile, why=why, rule=rule, actor=actor, seat=seat)

    table = Watching(rules, battle, 2, {seat: make_agent("random", game, seat, 2) for seat in game.seats})
    shown: set[str] = set()
    while (step := game.play.next_step(battle)) is not None and battle.turn < 8:
        table.begin(step)
        game.play.perform(table, battle, step)
        shown |= {event.kind for event in table.events}
    assert len(drawn) > 12 and all(draw.seat == draw.actor for draw in drawn if draw.why == "command card")
    assert "command card" not in shown and not any("draw" in kind for kind in shown)


@pytest.mark.rule("AFR-339", "AFR-340", "AFR-343")
def test_cards_shown_to_the_enemy_stay_known_while_held(game: Any) -> None:
    play = game({"event_cards": "on"})
    battle = play.start()
    battle.turn = 1
    battle.sides["red"].hand, battle.sides["blue"].hand = ["red_1"], ["blue_1", "green_2", "red_3"]
    battle.deck.pile = {"blue_4": 1, "red_4": 1}

    class Bottom(FirstQuestion):
        def answer(self, question: Question) -> Any:
            return question.cards[0][0] if isinstance(question, Draw) else super().answer(question)

    table = Bottom(play.rules, battle)
    assert "seen of the enemy" not in play.headline(play.view(battle, "red"))
    battle.event_deck.pile = {"ev_message": 1}
    turn_over(table, battle, "red")
    view = play.view(battle, "red")
    assert battle.sides["blue"].hand == ["blue_4", "green_2", "red_3"]
    assert view.sides["blue"].hand == ["green_2", "red_3", "?"], "the card drawn since is not known"
    assert view.deck.pile == {"blue_4": 1, "red_4": 1}
    assert "seen of the enemy's hand: two green units, three red units" in play.headline(view)
    assert "hand: one red unit" in play.headline(view) and "one red unit" not in play.headline(battle)
    take_from_hand(battle, "blue", "red_3")
    assert play.view(battle, "red").sides["blue"].hand == ["green_2", "?"]
    assert play.view(battle, "blue").sides["blue"].hand == ["blue_4", "green_2"]


def test_a_spectator_sees_the_card_in_play_and_how_many_cards_each_side_holds(game: Any) -> None:
    play = game()
    state = play.start()
    assert play.display.cards(play.sight.public(state), None) == [], "no cards have been dealt"
    first, second = play.seats
    state.sides[first].hand, state.sides[second].hand = ["red_2", "green_2"], ["blue_2"]
    state.sides[second].known = ["blue_2"]
    rows = play.display.cards(play.sight.public(state), None)
    assert [(row.title, [(card.is_known, card.count) for card in row.cards]) for row in rows] == [
        (f"Hand of {in_a_sentence(play.narrator.name_of(first))}", [(False, 2)]),
        (f"Hand of {in_a_sentence(play.narrator.name_of(second))}", [(False, 1)]),
    ]
    state.card = "red_2"
    assert play.display.cards(play.sight.public(state), None)[0].title == "Card in play"
