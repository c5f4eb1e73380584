"""Evaluations, texts and odds for players: one for each option, short, and good enough to beat a random player."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.test_random_games import circus
from tests.rulesets.random_games import play_watched
from tests.small_battle import shortened

from zareba.odds import odds
from zareba.registry import load_rules
from zareba.scenario import Scenario, load_scenario
from zareba.table import Choose
from zareba.tactics import all_positions
from zareba_rulesets.afriboria.chapters.engagement import all_targets, fighters
from zareba_rulesets.afriboria.evaluation import Evaluator
from zareba_rulesets.afriboria.game import AfrGame


def play(
    scenario: Scenario, kinds: tuple[str, str], seed: int, look: Any = None, **settings: Any
) -> tuple[AfrGame, Any]:
    """Play one game between two kinds of agent; `look` is called with every question first."""
    game = AfrGame(load_rules("afriboria", settings), scenario)
    return game, play_watched(game, kinds, seed, look)


def check(game: AfrGame, battle: Any, question: Any) -> None:
    assert isinstance(question, Choose)
    assert game.narrator.describe(battle, question)
    phrases = [game.narrator.describe_option(battle, question, option) for option in question.options]
    assert all(phrases)
    before = battle.to_data()
    worths = game.advisor.evaluate(game.sight.view(battle, question.seat), question)
    assert len(worths) == len(question.options)
    for worth in worths:
        assert len(worth.reason() if callable(worth.reason) else worth.reason) <= 80
    assert battle.to_data() == before, "looking changes nothing"


def test_orders_and_moves_say_where_a_unit_would_have_a_target() -> None:
    seen: set[tuple[str, bool]] = set()

    def look(game: AfrGame, battle: Any, question: Any) -> None:
        if question.why == "order" and battle.book.cards[battle.card].battles:
            units = {option: option[1] for option in question.options if option[0] == "unit"}
            expected = {unit: bool(all_targets(battle, battle.units[unit], first=True)) for unit in units.values()}
        elif question.why == "move" and "stay" in question.options:
            units = {"stay": question.actor}
            expected = {question.actor: question.actor in fighters(battle)}
        else:
            return
        for option, unit in units.items():
            has_note = game.narrator.describe_option(battle, question, option).endswith(", target in range")
            assert has_note == expected[unit]
            seen.add((question.why, has_note))

    play(load_scenario("patrol_clash"), ("doctrine", "doctrine"), 3, look)
    assert seen >= {(why, has_note) for why in ("order", "move") for has_note in (True, False)}


def test_an_order_to_a_gun_without_a_target_says_so() -> None:
    seen: set[bool] = set()

    def look(game: AfrGame, battle: Any, question: Any) -> None:
        if question.why != "order" or not battle.book.cards[battle.card].battles:
            return
        for option in question.options:
            if option[0] == "unit":
                unit = battle.units[option[1]]
                is_said = game.narrator.describe_option(battle, question, option).endswith(
                    ", no target in range and sight"
                )
                is_gun = unit.profile.arm in ("artillery", "machine_gun")
                assert is_said == (is_gun and not all_targets(battle, unit, first=True))
                seen.add(is_said)

    play(load_scenario("hill_fort"), ("doctrine", "doctrine"), 3, look)
    assert seen == {True, False}


@pytest.mark.parametrize("name", ["circus", "hill_fort", "paychest_raid"])
def test_every_question_is_put_in_words_and_evaluated(name: str) -> None:
    scenario = circus() if name == "circus" else load_scenario(name)
    play(scenario, ("doctrine", "random"), 0, check, event_cards="on")


def test_doctrine_beats_random_play() -> None:
    scenario = load_scenario("patrol_clash")
    wins = 0
    for seed in range(6):
        kinds = ("doctrine", "random") if seed % 2 else ("random", "doctrine")
        game, state = play(scenario, kinds, seed)
        winner = game.play.outcome(state).winner
        wins += winner == game.seats[kinds.index("doctrine")]
    assert wins >= 5


def test_the_way_to_a_place_leads_round_closed_ground() -> None:
    position = next(candidate for candidate in all_positions("afriboria") if candidate.id == "ride_round_the_lake")
    field = AfrGame(load_rules("afriboria"), position.scenario).plan.field
    village, shore = field.goals["village_held"], field.grid.at(5, 5)
    assert shore is not None
    straight = min(field.distance[shore][cell] for cell in village)
    assert field.path_lengths[True, tuple(village)][shore] > straight + 2, "round the west end of the lake"
    assert all(field.path_lengths[True, tuple(village)][cell] == 0 for cell in village)


def test_odds_are_offered_before_an_attack() -> None:
    seen = []

    def look(game: AfrGame, battle: Any, question: Any) -> None:
        for option in question.options:
            for _, procedure, facts in game.advisor.odds_for(battle, question, option):
                found = odds(game.rules, game.rules.ruleset.procedure(procedure), facts)
                assert sum(found.outcomes.values()) == 1
                seen.append(procedure)

    play(shortened("patrol_clash", 3), ("doctrine", "doctrine"), 3, look)
    assert "battle" in seen


def test_a_wagon_waits_for_its_guards_while_there_is_time() -> None:
    """The escort is two hexes behind, in two platoons. The wagon goes no further, and its order is worth little."""
    position = next(
        candidate for candidate in all_positions("afriboria") if candidate.id == "escort_stays_with_its_wagon"
    )
    game = load_rules("afriboria").game(position.scenario)
    assert isinstance(game, AfrGame)
    battle = game.start()
    wagon, guards = battle.units["wagon"], [battle.units[name] for name in ("escort", "escort_2")]
    wagon.hex = 18
    for guard in guards:
        guard.hex = 2
    evaluator = Evaluator(game.book, game.scenario, game.plan)
    worth = evaluator.order_values.units(battle, "blue")
    assert evaluator.expected_losses.objectives.guards_to_wait_for(battle, wagon) == [2, 2]
    assert worth["wagon"] < worth["escort"] and worth["escort"] == worth["escort_2"]
    onward = evaluator.expected_losses.places(battle, wagon)
    assert onward(33, 2).ground < onward(18, 0).ground
    battle.turn = 2 * position.scenario.turns - 3
    assert not evaluator.expected_losses.objectives.guards_to_wait_for(battle, wagon)
    assert evaluator.expected_losses.places(battle, wagon)(33, 2).ground > 0
