"""The forecast of an option equals the result of playing it, in the words of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.memento import detach
from zareba.odds import ChoiceOdds, odds, odds_of
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, RememberingTable

SCENARIOS = ("river_ford", "hill_fort", "patrol_clash", "column_ambushed")
FEW, MOST = 2, 1_000
"""Positions for each sort of choice, and their paths."""


class Position(NamedTuple):
    """A choice with odds, its step with the answers so far, and the state at that moment."""

    game: Game[Any]
    start: Any
    given: Sequence[GivenAnswer]
    question: Choose | Confirm
    option: Answer
    now: Any


class Watcher:
    """A random player that records its choices that have odds."""

    def __init__(self, game: Game[Any], seat: str, found: list[Position], seen: Counter[Any]) -> None:
        self._player = make_agent("random", game, seat, 7)
        self._game, self._found, self._seen = game, found, seen
        self._step: tuple[Any, list[GivenAnswer]] = (None, [])

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose) and isinstance(answer, (str, int, tuple)):
            for _, procedure, _ in self._game.advisor.odds_for(state, question, answer):
                kind = self._game.rules.ruleset.id, question.why, procedure
                self._seen[kind] += 1
                if self._seen[kind] <= FEW:
                    self._found.append(Position(self._game, *self._step, question, answer, detach(state)))
        return answer


def positions(name: str) -> list[Position]:
    found: list[Position] = []
    seen: Counter[Any] = Counter()
    for scenario in SCENARIOS:
        game = load_rules(name, {}, []).game(load_scenario(scenario))
        state = game.start()
        table = RememberingTable(game.rules, state, 7, {s: Watcher(game, s, found, seen) for s in game.seats})
        for _ in range(500):
            if (step := game.play.next_step(state)) is None:
                break
            table.begin(step)
            game.play.perform(table, state, step)
    return found


def alone(game: Game[Any]) -> Game[Any]:
    """Return the same game without later consequences: an act ends with its own step."""
    horizon = game.odds_horizon
    horizon.includes = lambda before, state, step: False  # type: ignore[method-assign]  # for this test alone
    return game


def certain(outcomes: Mapping[Any, Fraction]) -> frozenset[Any]:
    """Return the changes common to all outcomes."""
    return frozenset.intersection(*map(frozenset, outcomes))


def without(outcomes: Mapping[Any, Fraction], settled: frozenset[Any]) -> dict[Any, Fraction]:
    """Return the outcomes without the given changes."""
    return {tuple(change for change in changes if change not in settled): p for changes, p in outcomes.items()}


def played(position: Position, option: Answer) -> ChoiceOdds:
    """Return the outcomes of an option by playing it to the end of the act."""
    return odds_of(
        alone(position.game),
        position.start,
        position.given,
        position.question,
        option,
        lambda _, after: position.game.display.changes(position.now, after),
        policy=lambda asked, _: position.game.odds_horizon.hold(asked),
        paths=2 * MOST,
        seconds=1.0,
        then=0.0,
    )


@pytest.fixture(scope="module", params=each_ruleset("vcc"))
def found(request: pytest.FixtureRequest) -> list[Position]:
    """Return the positions that occur in games of a ruleset."""
    return positions(request.param)


def test_odds_equal_the_results_of_play(found: list[Position]) -> None:
    """Probabilities are equal wherever both can be computed. Every kind of choice names an existing procedure."""
    compared: Counter[str] = Counter()
    for position in found:
        ((title, procedure, next_act),) = position.game.advisor.odds_for(
            position.now, position.question, position.option
        )
        assert title
        told = odds(
            position.game.rules, position.game.rules.ruleset.procedure(procedure), next_act, budget=MOST, samples=1
        )
        if told.samples:
            continue
        came = played(position, position.option)
        if came.samples:
            continue
        # results of earlier rolls follow whatever is chosen; all other changes belong to the procedure
        settled = certain(came.outcomes) - certain(told.outcomes)
        assert without(came.outcomes, settled) == told.outcomes, (title, procedure)
        if settled:
            answers = position.question.options if isinstance(position.question, Choose) else (False, True)
            other = played(position, next(answer for answer in answers if answer != position.option))
            assert other.samples or settled <= certain(other.outcomes), (title, procedure, settled)
        compared[procedure] += 1
    assert compared.total() >= 3 and len(compared) > 1


def test_has_odds_agrees_with_computed_odds(found: list[Position], monkeypatch: pytest.MonkeyPatch) -> None:
    """`has_odds` agrees with computing the odds, for every option of a question, and never copies the battle."""
    laid = [
        [bool(position.game.advisor.odds_for(position.now, position.question, option)) for option in answers(position)]
        for position in found
    ]
    assert any(map(any, laid))
    monkeypatch.setattr("zareba.odds.procedures.detach", forbidden)
    said = [
        [position.game.advisor.has_odds(position.now, position.question, option) for option in answers(position)]
        for position in found
    ]
    assert said == laid


def answers(position: Position) -> Sequence[Answer]:
    return position.question.options if isinstance(position.question, Choose) else (False, True)


def forbidden(state: Any) -> Any:
    raise AssertionError("the state is copied for a yes or no")
