"""Exact odds of choices agree with play: `pytest tests/rulesets/test_odds_are_played.py -m deep -k vcc`.

Choices from games between random players are computed exactly and played 2,000 times. The same is done with two house
rules that roll extra dice around a procedure. Over all choices no outcome may be more or less frequent than its
probability allows (Holm's method, level 0.001). ZAREBA_POSITIONS in the environment sets the number of choices, 500 by
default. Every build checks two of each ruleset.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import count, islice
from random import Random
from typing import Any

import pytest
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken
from zareba.odds import odds_of
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules, ruleset, ruleset_names
from zareba.scenario import load_scenario
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, QuestionChanged, RememberingTable, Table

SCENARIOS = ("patrol_clash", "river_ford", "hill_fort", "mission_station")
POSITIONS = int(os.environ.get("ZAREBA_POSITIONS", "500"))
TURNS = 6
LEVEL = 0.001
PATHS = {"vcc": 3_000, "afriboria": 3_000}
NARROW = 400
"""Most paths of a choice that is checked; in the figure rulesets, as many as take a second."""
LUCK = {
    "vcc": ("hits.apply", "morale.check"),
    "afriboria": ("battle.attack", "battle.flags"),
    "paychest": ("fire.volley", "morale.check"),
    "fixed_baynet": ("fire.shot", "hits.strike"),
    "risk_factor": ("shooting.volley", "actions.die"),
}
"""Procedures around which the house rules of these tests roll dice."""


class Watcher:
    """A random player that records its choices."""

    def __init__(self, game: Game[Any], seat: str, seed: int, seen: list[tuple[Any, ...]]) -> None:
        self._player, self._game, self._seen = make_agent("random", game, seat, seed), game, seen
        self._step: tuple[Any, list[GivenAnswer]] = (None, [])

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose):
            self._seen.append((self._game, *self._step, question, answer))
        return answer


def choices(
    name: str, wraps: dict[str, Callable[..., Any]], seed: int, scenarios: Sequence[str]
) -> list[tuple[Any, ...]]:
    seen: list[tuple[Any, ...]] = []
    for scenario in scenarios:
        game = load_rules(name, {}, []).game(load_scenario(scenario))
        game.rules.wraps.update(wraps)
        state = game.start()
        table = RememberingTable(
            game.rules, state, seed, {seat: Watcher(game, seat, seed, seen) for seat in game.seats}
        )
        while (step := game.play.next_step(state)) is not None and game.game_turn(state) <= TURNS:
            table.begin(step)
            game.play.perform(table, state, step)
    return Random(seed).sample(seen, len(seen))


def throwing(name: str) -> dict[str, Callable[..., Any]]:
    """Return two wraps that roll a die after the procedure. In VCC one rolls before it and skips it on a six."""

    def before(run: Any, table: Table, *args: Any, **kwargs: Any) -> Any:
        return None if table.roll(1, 6, why="misgiving", rule="HOUSE-1") == 6 else run(table, *args, **kwargs)

    def after(run: Any, table: Table, *args: Any, **kwargs: Any) -> Any:
        given = run(table, *args, **kwargs)
        table.roll(1, 6, why="afterthought", rule="HOUSE-2")
        return given

    early, late = (step for step in LUCK[name] if step in ruleset(name).wrappable)
    return {early: after, late: before if name == "vcc" else after}


def compared(
    name: str,
    many: int,
    plays: int,
    wraps: dict[str, Callable[..., Any]],
    scenarios: Sequence[str] = SCENARIOS,
) -> int:
    """Check this many choices whose odds are exact and uncertain. Return their number."""
    from scipy.stats import binomtest

    paths = PATHS.get(name, NARROW)
    chances: list[tuple[float, str]] = []
    found = 0
    for seed in count(1):
        for game, start, given, question, answer in choices(name, wraps, seed, scenarios):
            try:
                exact = odds_of(game, start, given, question, answer, paths=paths, seconds=60.0, then=0.0)
                if exact.method != "exact" or len(exact.outcomes) < 2:
                    continue
                played = odds_of(game, start, given, question, answer, paths=0, then=0.0, plays=plays)
            except (QuestionChanged, RuleBroken):
                continue
            assert played.outcomes.keys() <= exact.outcomes.keys(), f"{question.why}: {answer!r}"
            for outcome, p in exact.outcomes.items():
                seen = round(played.outcomes.get(outcome, 0) * played.samples)
                chance = binomtest(seen, played.samples, float(p)).pvalue
                chances.append(
                    (chance, f"{question.why}: {answer!r}, {outcome}: {float(p):.4f}, {seen} of {played.samples}")
                )
            found += 1
            if found == many:
                break
        if found == many:
            break
    chances.sort()
    for place, (chance, what) in enumerate(islice(chances, 20)):
        assert chance > LEVEL / (len(chances) - place), what
    return found


@pytest.mark.parametrize("name", each_ruleset("vcc"))
def test_exact_odds_of_a_few_choices_equal_played_frequencies(name: str) -> None:
    assert compared(name, 2, 200, {}, SCENARIOS[:2]) == 2


@pytest.mark.deep
@pytest.mark.parametrize("with_rules", [False, True])
@pytest.mark.parametrize("name", ruleset_names())
def test_exact_odds_equal_played_frequencies(name: str, with_rules: bool) -> None:
    assert compared(name, POSITIONS, 2_000, throwing(name) if with_rules else {}) == POSITIONS
