"""Random games under random settings end, and the state is valid after every step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import rules_with
from tests.rulesets.random_games import play, random_settings
from tests.systems import each_battle

from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Confirm, Event, Place, SeededTable
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.game import FbnGame


def check(state: Battle, men: int) -> None:
    """Check that no figure is lost or duplicated and that every number is within its limits."""
    standing = [figure for unit in state.units.values() for figure in unit.figures.values()]
    assert len({figure.id for figure in standing}) == len(standing)
    lost = {casualty.figure for casualty in state.fallen} - {figure.id for figure in standing}
    assert len(standing) + len(lost) == men
    for figure in standing:
        assert figure.ac >= 0 and figure.spent >= 0 and figure.wounds > 0
        assert 0 <= figure.moves <= 6
        assert not figure.place or figure.place in state.field.sections
    assert all(house.points >= 0 for house in state.houses.values())


def referee(name: str, seed: int) -> None:
    """Play one game to its end, with a full check from time to time."""
    random = Random(f"{name}/{seed}")
    game = FbnGame(load_rules("fixed_baynet", random_settings("fixed_baynet", random)), load_scenario(name))
    men = sum(len(squad.men) for squad in game.plan.squads.values())

    def look_through(state: Battle, _: str, __: Sequence[Event]) -> None:
        if random.random() < 0.05:
            check(state, men)
            assert game.sight.view(state, game.seats[0]).turn == state.turn

    end = play(
        game, seed, look_through, endings=("objectives", "collapse", "turn_limit"), sample=0.01, most_steps=60_000
    )
    check(end, men)


@pytest.mark.parametrize("name", each_battle("patrol_clash"))
def test_random_games_end_in_order(name: str) -> None:
    referee(name, 0)


def agent(random: Random) -> Any:
    def answer(question: Any, _: Any) -> Any:
        if isinstance(question, Place):
            return random.choice(question.suggestions)
        return random.random() < 0.5 if isinstance(question, Confirm) else random.choice(question.options)

    return answer


def test_every_question_option_and_board_reads_in_words() -> None:
    game = FbnGame(rules_with(), load_scenario("mission_station"))
    state = game.start()
    random = Random(5)
    choose = agent(random)

    def reading(question: Any, now: Battle) -> Any:
        sentence = game.narrator.describe(now, question)
        assert sentence and "{" not in sentence
        if not isinstance(question, (Place, Confirm)):
            phrases = [game.narrator.describe_option(now, question, option) for option in question.options]
            assert all(phrases) and len(set(phrases)) == len(phrases), phrases
        weighed = game.advisor.evaluate(game.sight.view(now, question.seat), question)
        count = 2 if isinstance(question, Confirm) else len(question[4])
        assert len(weighed) == count
        assert all(
            len(evaluation.reason if isinstance(evaluation.reason, str) else evaluation.reason()) <= 80
            for evaluation in weighed
        )
        return choose(question, now)

    table = SeededTable(game.rules, state, 1, dict.fromkeys(game.seats, reading))
    for _ in range(250):
        step = game.play.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    board = game.display.board(state)
    assert {piece.side for piece in board.pieces} == set(game.seats) and board.cells


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games_end_in_order(block: int) -> None:
    names = shipped_scenarios()
    for number in range(100):
        seed = 1000 + 100 * block + number
        referee(names[seed % len(names)], seed)
