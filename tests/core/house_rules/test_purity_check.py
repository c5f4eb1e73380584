"""House rules that are not repeatable (own random numbers, clocks, memory) are detected and named, in odds and play."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import pytest
from tests.core.odds.test_choices import act, won
from tests.core.toy import SIDES, Raid, ToyGame, bare_rules, hook_of

from zareba.base.errors import RuleBroken
from zareba.chance import EACH, counts
from zareba.odds import odds_of
from zareba.session import Session
from zareba.table import Choose, Confirm, Place, Roll, Table, asks_the_same
from zareba.table.questions import ExtraOption

Wrap = Callable[..., None]


def wrap_with_own_dice() -> Wrap:
    """Return a wrap that uses its own random numbers, without any effect on questions."""
    random = Random(3)

    def wrap(raid: Any, table: Table, state: Raid, side: str) -> None:
        raid(table, state, side)
        state.points[side] += random.randint(0, 1000)

    return wrap


def clock() -> Wrap:
    def wrap(raid: Any, table: Table, state: Raid, side: str) -> None:
        raid(table, state, side)
        state.points[side] += time.perf_counter_ns() % 1_000_003

    return wrap


def wrap_with_own_memory() -> Wrap:
    calls = count()

    def wrap(raid: Any, table: Table, state: Raid, side: str) -> None:
        raid(table, state, side)
        state.points[side] += next(calls)

    return wrap


def other_questions() -> Wrap:
    calls = count()

    def wrap(raid: Any, table: Table, state: Raid, side: str) -> None:
        table.roll(1 + next(calls), 6, why="luck", rule="HOUSE-1", actor=side)
        raid(table, state, side)

    return wrap


MADE = pytest.mark.parametrize("made", [wrap_with_own_dice, clock, wrap_with_own_memory, other_questions])


def game_with(wrap: Wrap) -> ToyGame:
    return ToyGame(bare_rules(house_rules=("moody",), wraps={"toy.raid": wrap}))


@MADE
def test_odds_refuse_steps_that_cannot_be_repeated(made: Callable[[], Wrap]) -> None:
    game = game_with(made())
    with pytest.raises(
        RuleBroken, match=r"a house rule \(moody\) stores something outside the game state.*its odds cannot be computed"
    ):
        odds_of(game, game.start(), [], act(), "raid", won, then=0.05)


@MADE
def test_impure_house_rule_stops_play_and_leaves_the_game_unchanged(made: Callable[[], Wrap]) -> None:
    played = Session(game_with(made()), dict.fromkeys(SIDES, "human"), 5)
    with pytest.raises(
        RuleBroken,
        match=r"a house rule \(moody\) stores something outside the game state.*the game cannot go on with it",
    ):
        for _ in range(9):
            question = played.pending
            before = played.history.answers, played.state.to_data()
            if isinstance(question, Choose):
                played.answer("raid")
            elif isinstance(question, Confirm):
                played.answer(False)
            played.drive()
    assert played.history.answers[: len(before[0])] == before[0]


def test_options_that_come_and_go_are_refused_in_play() -> None:
    random = Random(4)

    def moody(state: Raid, question: Choose) -> list[Any]:
        return [*question.options, ExtraOption(f"dance {random.random()}", lambda *_: None, then="camp")]

    hook = hook_of("zareba_options", moody, "state", "question", house_rule="moody")
    game = ToyGame(bare_rules(house_rules=("moody",), option_hooks=(hook,)))
    played = Session(game, dict.fromkeys(SIDES, "human"), 5)
    with pytest.raises(RuleBroken, match=r"a house rule \(moody\) stores something outside the game state"):
        played.answer("raid")
    assert not played.history.answers


def test_play_goes_on_under_pure_house_rules() -> None:
    def wrap(raid: Any, table: Table, state: Raid, side: str) -> None:
        raid(table, state, side)
        state.points[side] += table.roll(1, 6, why="luck", rule="HOUSE-1", actor=side)

    played = Session(game_with(wrap), dict.fromkeys(SIDES, "human"), 5)
    while (question := played.pending) is not None:
        played.answer("raid" if isinstance(question, Choose) else False)
        played.drive()
    assert sum(played.state.points.values()) > 6
    game = game_with(wrap)
    assert odds_of(game, game.start(), [], act(), "raid", won, seconds=10).method == "exact"


def test_questions_are_the_same_but_for_what_they_say_to_people() -> None:
    throw = act()._replace(why="other")
    assert asks_the_same(act(), act()) and not asks_the_same(act(), throw)
    assert not asks_the_same(act(), act(("raid",)))

    def legal(point: Any) -> None:
        return None

    def strict(point: Any) -> str:
        return "no"

    place = Place("camp", "TOY-004", "a", "a", [(1.0, 2.0)], legal)
    assert asks_the_same(place, place._replace(suggestions=((1.0, 2.0),), legal=strict))
    assert not asks_the_same(place, place._replace(suggestions=[(1.0, 3.0)]))
    two = Roll("hits", "TOY-002", "a", 2, 6, EACH)
    assert asks_the_same(two, two._replace(means=counts("hits"))) and not asks_the_same(two, two._replace(dice=3))
    assert not asks_the_same(two, place)
