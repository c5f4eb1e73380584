"""Event cards: drawn unseen, passed on, and the effect of each (AFR-066 to AFR-071, AFR-344, AFR-345)."""

from __future__ import annotations

from typing import Any

import pytest

from zareba_rulesets.afriboria.chapters.battle.combat import exchange_facts
from zareba_rulesets.afriboria.chapters.battle.eligibility import targets
from zareba_rulesets.afriboria.chapters.battle.exchange import Exchange, answer_flags
from zareba_rulesets.afriboria.chapters.movement.commander_moves import commander_goals
from zareba_rulesets.afriboria.chapters.movement.movement import allowance
from zareba_rulesets.afriboria.chapters.orders.events import face_events, turn_over
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec, Company
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


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
    with scripted(battle, [("event card", name), *script]) as table:
        turn_over(table, battle, "red")
    return battle


@pytest.mark.rule("AFR-067", "AFR-068", "AFR-070", "AFR-071")
def test_an_event_is_accepted_or_passed_on_unseen(book: Any, at: Any, scripted: Any) -> None:
    battle = field(book(), at)
    with scripted(battle, [("event card", "pass it on unseen")]) as table:
        face_events(table, battle)
    assert battle.sides["blue"].forced and sum(battle.event_deck.pile.values()) == 20
    battle.active = "blue"
    script = [("event card", "ev_sundown"), ("event card", "accept it unseen"), ("event card", "ev_rain")]
    with scripted(battle, script) as table:
        face_events(table, battle)
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
    for chief in battle.commanders.values():
        battle.place(chief, OFF)
    battle.sides["red"].hand = ["green_1"]
    battle.deck.pile = {"red_1": 1}
    script = [("event card", "ev_fever"), ("ev_fever", "us"), ("card to discard", "green_1"), ("command card", "red_1")]
    battle.units["horse"].figures = 5
    with scripted(battle, [script[0], script[3]]) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
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
def test_weather(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    battle = field(rules, at)
    us = battle.units["us"]
    us.mark("ordered", "move", "battle")
    assert targets(battle, us) == [("hex", at(4, 7))]
    happen(battle, scripted, "ev_heat")
    assert (allowance(battle, us), allowance(battle, battle.units["horse"])) == (1, 3)
    happen(battle, scripted, "ev_rain")
    from zareba_rulesets.afriboria.chapters.battle.eligibility import dice_facts

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
def test_an_inspired_unit_ignores_all_flags(book: Any, at: Any, scripted: Any, figures: int) -> None:
    """The player has no choice: neither how many flags to accept nor, with enough men, to ignore them."""
    rules = book()
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
