"""A house rule that wraps a procedure changes the odds of every choice that leads to it in play.

Each wrappable procedure of each ruleset is run twice, or skipped, in positions from games between random players that
reach it. One of three things must then hold: the odds of the choice have changed, or they say that they are sampled,
or play agrees with the unchanged odds. Where the rules fail, the odds must fail too.

`pytest tests/rulesets/test_odds_follow_play.py -m deep` checks all procedures; every build checks two of the fast
rulesets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count, islice
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.rulesets.random_games import random_settings

from zareba.agents import make_agent
from zareba.base.errors import ZarebaError
from zareba.odds import ChoiceOdds, odds_of
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules, ruleset, ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, QuestionChanged, RememberingTable

SCENARIOS = ("patrol_clash", "river_ford", "hill_fort", "mission_station")
BROKEN = (
    ZarebaError,
    QuestionChanged,
    AssertionError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    StopIteration,
)
EXACT = {"paths": 3_000, "seconds": 30.0, "then": 0.0}
PLAYED = {"paths": 0, "seconds": 0.0, "then": 0.0, "plays": 300}
LEVEL = 1e-5
MOST = 4
STEPS = 400
GAMES = 24


class Position(NamedTuple):
    """A choice as made in a game, with the answers of its step before it."""

    game: Game[Any]
    start: Any
    given: Sequence[GivenAnswer]
    question: Choose
    answer: Answer


class Watcher:
    """A random player whose choices are recorded in order with the procedures called."""

    def __init__(self, game: Game[Any], seat: str, course: list[Position | str]) -> None:
        self._player = make_agent("random", game, seat, 5)
        self._game, self._course = game, course
        self._step: tuple[Any, list[GivenAnswer]] = (None, [])

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose):
            self._course.append(Position(self._game, *self._step, question, answer))
        return answer


@contextmanager
def wrapped(game: Game[Any], wraps: dict[str, Callable[..., Any]]) -> Iterator[None]:
    game.rules.wraps.update(wraps)
    try:
        yield
    finally:
        for name in wraps:
            del game.rules.wraps[name]


def watch(name: str, course: list[Position | str]) -> Callable[..., Any]:
    def wrap(run: Any, *args: Any, **kwargs: Any) -> Any:
        course.append(name)
        return run(*args, **kwargs)

    return wrap


def course_of(game: Game[Any], seed: int) -> dict[str, list[Position]]:
    """Map each procedure that a random game reaches after a choice to the last such choices."""
    found: dict[str, list[Position]] = {}
    course: list[Position | str] = []
    with wrapped(game, {step: watch(step, course) for step in game.rules.ruleset.wrappable}):
        state = game.start()
        table = RememberingTable(game.rules, state, seed, {seat: Watcher(game, seat, course) for seat in game.seats})
        under_way: Position | None = None
        for _ in range(STEPS):
            if (step := game.play.next_step(state)) is None:
                break
            table.begin(step)
            if under_way is not None and not game.odds_horizon.includes(under_way.start, state, step):
                under_way = None
            game.play.perform(table, state, step)
            for entry in course:
                if isinstance(entry, Position):
                    under_way = entry
                elif under_way is not None:
                    found[entry] = [*found.get(entry, ())[1 - MOST :], under_way]
            course.clear()
    return found


@cache
def positions(name: str) -> dict[str, list[Position]]:
    """Return the same for one game on each of some scenarios."""
    found: dict[str, list[Position]] = {}
    for scenario in SCENARIOS:
        for asked, seen in course_of(load_rules(name, {}, []).game(load_scenario(scenario)), 5).items():
            found.setdefault(asked, []).extend(seen)
    return found


@cache
def rarer_positions(name: str) -> dict[str, list[Position]]:
    """Return choices that lead to procedures missing from `positions`: on all scenarios, under random settings."""
    found: dict[str, list[Position]] = {}
    missing = set(ruleset(name).wrappable) - positions(name).keys()
    tried = ((seed, scenario) for seed in count(1) for scenario in sorted(shipped_scenarios()))
    for seed, scenario in islice(tried, GAMES):
        settings = random_settings(name, Random(seed)) if seed > 1 else {}
        seen = course_of(load_rules(name, settings, []).game(load_scenario(scenario)), seed)
        for asked in missing & seen.keys():
            found[asked] = seen[asked]
        missing -= found.keys()
        if not missing:
            break
    return found


def twice(run: Any, *args: Any, **kwargs: Any) -> Any:
    run(*args, **kwargs)
    return run(*args, **kwargs)


def never(run: Any, *args: Any, **kwargs: Any) -> None:
    return None


def weighed(position: Position, **how: Any) -> Any:
    """Return the odds of a choice; None if the rules fail."""
    game = position.game
    try:
        return odds_of(
            game,
            position.start,
            position.given,
            position.question,
            position.answer,
            policy=lambda question, state: game.odds_horizon.hold(question),
            **how,
        )
    except BROKEN:
        return None


def holds(name: str, procedure: str, wrap: Callable[..., Any]) -> set[str]:
    """Compare the odds with and without a wrap at each position: "alike", "followed", "sampled", "broken" (the rules
    fail under such a wrap) or "missed".
    """
    found: set[str] = set()
    for position in positions(name).get(procedure) or rarer_positions(name)[procedure]:
        found.add(_holds(position, procedure, wrap))
        if found & {"followed", "missed"}:
            break
    return found


def _holds(position: Position, procedure: str, wrap: Callable[..., Any]) -> str:
    plain = weighed(position, **EXACT)
    with wrapped(position.game, {procedure: wrap}):
        changed, played = weighed(position, **EXACT), weighed(position, **PLAYED)
    if plain is None or changed is None:
        return "broken"  # perhaps on a path too rare for this many plays
    if "sampled" in (plain.method, changed.method):
        return "sampled"
    if played is None:
        return "missed"  # every path was computed and none failed
    return "missed" if not agree(changed, played) else "followed" if changed.outcomes != plain.outcomes else "alike"


def agree(exact: ChoiceOdds, played: ChoiceOdds) -> bool:
    """Return True if no outcome was played more or less often than its probability allows, at level 0.00001."""
    from scipy.stats import binomtest

    outcomes = exact.outcomes.keys() | played.outcomes.keys()
    for outcome in outcomes:
        p, seen = exact.outcomes.get(outcome, 0), round(played.outcomes.get(outcome, 0) * played.samples)
        if binomtest(seen, played.samples, float(p)).pvalue < LEVEL / len(outcomes):
            return False
    return True


@pytest.mark.parametrize("name", ["vcc"])
def test_odds_of_choices_follow_what_is_done_to_the_first_procedures(name: str) -> None:
    for procedure in list(positions(name))[:2]:
        for wrap in (twice, never):
            assert "missed" not in holds(name, procedure, wrap), (procedure, wrap)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "procedure"), [(name, procedure) for name in ruleset_names() for procedure in ruleset(name).wrappable]
)
@pytest.mark.parametrize("wrap", [twice, never])
def test_odds_of_choices_follow_what_is_done_to_any_procedure(name: str, procedure: str, wrap: Any) -> None:
    if procedure not in positions(name) and procedure not in rarer_positions(name):
        pytest.skip("no game between players by chance came to it from a choice")
    assert "missed" not in holds(name, procedure, wrap)
