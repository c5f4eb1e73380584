"""What is said to come next when an option is taken is what play does then, in the words of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from zareba.agents import make_agent
from zareba.memento import detached
from zareba.odds import odds, odds_of
from zareba.registry import load_rules, ruleset_names
from zareba.ruleset import Game
from zareba.scenario import load_scenario
from zareba.table import Answer, Choose, Confirm, Given, Place, RememberingTable

SCENARIOS = ("river_ford", "hill_fort", "patrol_clash", "column_ambushed")
FEW, MOST = 2, 1_000
"""Positions for each sort of choice, and their paths."""


class Position(NamedTuple):
    """A choice whose odds are worth seeing, the step in which it comes, and the battle as it stands then."""

    game: Game[Any]
    start: Any
    given: Sequence[Given]
    question: Choose | Confirm
    option: Answer
    now: Any


class Watcher:
    """A player by chance who notes the choices with odds that he makes."""

    def __init__(self, game: Game[Any], seat: str, found: list[Position], seen: Counter[Any]) -> None:
        self._player = make_agent("random", game, seat, 7)
        self._game, self._found, self._seen = game, found, seen
        self._step: tuple[Any, list[Given]] = (None, [])

    def follow(self, start: Any, given: Sequence[Given]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose) and isinstance(answer, (str, int, tuple)):
            for _, procedure, _ in self._game.odds_for(state, question, answer):
                kind = self._game.rules.ruleset.id, question.why, procedure
                self._seen[kind] += 1
                if self._seen[kind] <= FEW:
                    self._found.append(Position(self._game, *self._step, question, answer, detached(state)))
        return answer


def positions(name: str) -> list[Position]:
    found: list[Position] = []
    seen: Counter[Any] = Counter()
    for scenario in SCENARIOS:
        game = load_rules(name, {}, []).game(load_scenario(scenario))
        state = game.start()
        table = RememberingTable(game.rules, state, 7, {s: Watcher(game, s, found, seen) for s in game.seats})
        for _ in range(500):
            if (step := game.next_step(state)) is None:
                break
            table.begin(step)
            game.perform(table, state, step)
    return found


def alone(game: Game[Any]) -> Game[Any]:
    """The same game, where nothing later belongs to an act."""
    game.consequences = lambda before, state, step: False  # type: ignore[method-assign]  # for this test alone
    return game


def certain(outcomes: Mapping[Any, Fraction]) -> frozenset[Any]:
    """What comes in every outcome: thrown before the choice, it is done after it, whatever is chosen."""
    return frozenset.intersection(*map(frozenset, outcomes))


def without(outcomes: Mapping[Any, Fraction], settled: frozenset[Any]) -> dict[Any, Fraction]:
    """The outcomes, of which so much is left out."""
    return {tuple(change for change in changes if change not in settled): p for changes, p in outcomes.items()}


@pytest.mark.parametrize("name", ruleset_names())
def test_what_comes_next_is_what_play_does(name: str) -> None:
    """Fraction for fraction, wherever both can be counted; each sort of choice is named with a procedure that there is."""
    compared: Counter[str] = Counter()
    for game, start, given, question, option, now in positions(name):
        ((title, procedure, next_act),) = game.odds_for(now, question, option)
        assert title
        found = odds(game.rules, game.rules.ruleset.procedure(procedure), next_act, budget=MOST, samples=1)
        if found.samples:
            continue
        played = odds_of(
            alone(game),
            start,
            given,
            question,
            option,
            lambda _, after, game=game, now=now: game.changes(now, after),  # type: ignore[misc]  # a lambda with defaults
            policy=lambda asked, _, game=game: game.hold(asked),  # type: ignore[misc]  # the same
            paths=2 * MOST,
            seconds=1.0,
            then=0.0,
        )
        if not played.samples:
            settled, known = certain(played.outcomes), certain(found.outcomes)
            assert known <= settled and without(played.outcomes, settled) == without(found.outcomes, known), (
                title,
                procedure,
            )
            compared[procedure] += 1
    assert compared.total() >= 3 and len(compared) > 1
