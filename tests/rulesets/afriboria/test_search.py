"""The search of the general: it ends with the enemy's reply, values cards in hand, and plays equal orders once."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.agents.candidates import Candidate, CandidateComparison, SearchBudget
from zareba.agents.general import General
from zareba.agents.scripts import BY_DOCTRINE, Units
from zareba.game.doctrine import Doctrine
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import GivenAnswer, RememberingTable
from zareba_rulesets.afriboria.game import AfrGame


@pytest.fixture(scope="module")
def game() -> AfrGame:
    return AfrGame(load_rules("afriboria"), load_scenario("patrol_clash"))


class Stopped(Exception):
    """Raised at the choice that a test looks at."""


class FirstOrder(Doctrine):
    """Doctrine that stops at the first of two orders of a card, and keeps the choice."""

    found: Any = None

    def follow(self, start: Any, given: Any) -> None:
        self._start, self._given = start, given

    def __call__(self, question: Any, state: Any) -> Any:
        if question.why == "order" and sum(state.slots.values()) > 1 and len(question.options) > 3:
            FirstOrder.found = self._start, list(self._given), question, state.copy(), question.seat
            raise Stopped
        return super().__call__(question, state)


def first_order(game: AfrGame) -> Any:
    """Return the start of the step, the answers given in it, the question, the state and the seat."""
    state = game.start()
    players = {side: FirstOrder(game, side, 1) for side in game.seats}
    table = RememberingTable(game.rules, state, 1, players)
    with pytest.raises(Stopped):
        while (step := game.play.next_step(state)) is not None:
            table.begin(step)
            game.play.perform(table, state, step)
    return FirstOrder.found


def test_two_orders_in_another_sequence_are_played_once(game: AfrGame) -> None:
    start, known, question, state, seat = first_order(game)
    doctrine = Doctrine(game, seat, 1)
    weighed = sorted(doctrine.weigh(question, state), key=lambda choice: -choice.value)
    answers = [GivenAnswer(question, choice.answer) for choice in weighed]
    candidates = [Candidate(answer, BY_DOCTRINE, {}) for answer in (answers[0], answers[1], answers[-1])]
    budget = SearchBudget(48, 10_000, lambda: False)
    comparison = CandidateComparison(
        game, seat, Units(game), start, known, candidates, seed=1, luck="1", turns=0, errors=1.0, win=0.5, budget=budget
    )
    assert comparison._attempt_first() == [0, 2], "the second order first is the same as the first order first"


def test_a_search_counts_player_turns(game: AfrGame) -> None:
    _, _, _, state, _ = first_order(game)
    assert game.advisor.search_turn(state) == state.turn
    state.turn += 1
    assert game.advisor.search_turn(state) == state.turn


def test_a_card_in_hand_has_a_value(game: AfrGame) -> None:
    _, _, _, state, seat = first_order(game)
    hand = state.sides[seat].hand
    advisor: Any = game.advisor
    values = dict(zip(hand, advisor.evaluator.order_values.cards(state, seat, hand), strict=True))
    with_all = game.advisor.reserve(state, seat)
    assert with_all == pytest.approx(max(values.values()) / len(game.plan.roster.units[seat]))
    best = max(hand, key=lambda card: values[card])
    state.sides[seat].hand = [card for card in hand if card != best]
    assert game.advisor.reserve(state, seat) < with_all
    state.sides[seat].hand = []
    assert game.advisor.reserve(state, seat) == 0


def test_the_same_seed_gives_the_same_game(game: AfrGame) -> None:
    ends = []
    for _ in range(2):
        state = game.start()
        first, second = game.seats
        players: dict[str, Any] = {first: General(game, first, 3, playouts=8), second: Doctrine(game, second, 3)}
        table = RememberingTable(game.rules, state, 3, players)
        while (step := game.play.next_step(state)) is not None and state.turn <= 4:
            table.begin(step)
            game.play.perform(table, state, step)
        ends.append(state.to_data())
    assert ends[0] == ends[1]
