"""Random games under random settings: they end, and after every step the table is in order."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import rules_with

from zareba.rules.settings import Setting
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.state import digest
from zareba.table import Confirm, Place, SeededTable
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.game import FbnGame

MOST_STEPS = 60_000


def random_value(setting: Setting, random: Random) -> Any:
    values = list(setting.values)
    if setting.at_least is not None and setting.at_most is not None:
        values.append(random.randint(int(setting.at_least), int(setting.at_most)))
    return random.choice(values)


def random_settings(random: Random) -> dict[str, Any]:
    """About a third of the settings away from their defaults."""
    settings = rules_with().book.settings
    return {name: random_value(setting, random) for name, setting in settings.items() if random.random() < 0.35}


def agent(random: Random) -> Any:
    def answer(question: Any, _: Any) -> Any:
        if isinstance(question, Place):
            return random.choice(question.suggestions)
        return random.random() < 0.5 if isinstance(question, Confirm) else random.choice(question.options)

    return answer


def check(state: Battle, men: int) -> None:
    """Figures are conserved, and every number is within its bounds."""
    standing = [figure for unit in state.units.values() for figure in unit.figures.values()]
    assert len({figure.id for figure in standing}) == len(standing)
    lost = {casualty.figure for casualty in state.fallen} - {figure.id for figure in standing}
    assert len(standing) + len(lost) == men
    for figure in standing:
        assert figure.ac >= 0 and figure.spent >= 0 and figure.wounds > 0
        assert 0 <= figure.moves <= 6
        assert not figure.place or figure.place in state.field.sections
    assert all(house.points >= 0 for house in state.houses.values())


def play(name: str, seed: int, sample: float) -> Battle:
    random = Random(f"{name}/{seed}")
    rules = rules_with(**random_settings(random))
    game = FbnGame(rules, load_scenario(name))
    state = game.start()
    men = sum(len(squad.men) for squad in game.plan.squads.values())
    table = SeededTable(rules, state, seed, dict.fromkeys(game.seats, agent(random)))
    steps = 0
    while (step := game.next_step(state)) is not None:
        table.begin(step)
        game.perform(table, state, step)
        steps += 1
        assert steps < MOST_STEPS
        if random.random() < sample:
            check(state, men)
            data = json.loads(json.dumps(state.to_data()))
            assert digest(game.from_data(data).to_data()) == digest(state.to_data())
            assert game.view(state, game.seats[0]).turn == state.turn
            assert all(game.describe_event(event) for event in table.events)
    check(state, men)
    assert state.ending in ("objectives", "collapse", "turn_limit")
    assert sum(game.strength(state).values()) >= 0
    return state


SMALL = [name for name in shipped_scenarios() if name != "battle_of_the_wells"]
GAMES = {
    "patrol_clash": 11,
    "hill_fort": 4,
    "mission_station": 4,
    "paychest_raid": 4,
    "river_ford": 3,
    "column_ambushed": 2,
    "square_attacked": 1,
    "battle_of_the_wells": 1,
}


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name, games in GAMES.items() for seed in range(games)])
def test_random_games_end_in_order(name: str, seed: int) -> None:
    play(name, seed, 0.01)


def test_every_shipped_scenario_is_among_the_games() -> None:
    assert set(GAMES) == set(shipped_scenarios()) and sum(GAMES.values()) == 30


def test_every_question_option_and_board_reads_in_words() -> None:
    game = FbnGame(rules_with(), load_scenario("mission_station"))
    state = game.start()
    random = Random(5)
    choose = agent(random)

    def reading(question: Any, now: Battle) -> Any:
        sentence = game.describe(now, question)
        assert sentence and "{" not in sentence
        if not isinstance(question, (Place, Confirm)):
            phrases = [game.describe_option(now, question, option) for option in question.options]
            assert all(phrases) and len(set(phrases)) == len(phrases), phrases
        weighed = game.appraise(game.view(now, question.seat), question)
        count = 2 if isinstance(question, Confirm) else len(question[4])
        assert len(weighed) == count
        assert all(len(one.reason if isinstance(one.reason, str) else one.reason()) <= 80 for one in weighed)
        return choose(question, now)

    table = SeededTable(game.rules, state, 1, dict.fromkeys(game.seats, reading))
    for _ in range(250):
        step = game.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.perform(table, state, step)
    board = game.board(state)
    assert {piece.side for piece in board.pieces} == set(game.seats) and board.cells


@pytest.mark.deep
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("block", range(20))
def test_many_random_games(name: str, block: int) -> None:
    for seed in range(100 + 14 * block, 114 + 14 * block):
        play(name, seed, 0.005)
