"""Compare the losses that the doctrine AI expects of a choice with the exact or sampled odds.

Choices in doctrine games with expected losses are evaluated exactly or by 200 plays. For each kind of choice the test
prints the error of the estimate: the mean and the 95 % bound, in shares of a unit's strength. It also prints the rank
correlation with the odds, because the AI picks by rank.

`pytest tests/rulesets/test_estimates.py -m deep -s` evaluates 2,000 choices of each ruleset; set another number with
ZAREBA_POSITIONS in the environment. Every build evaluates 60 with 50 plays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count, islice
from random import Random
from typing import Any, NamedTuple

import pytest

from zareba.agents import make_agent
from zareba.battle.evaluation import Evaluation
from zareba.odds import odds_of
from zareba.odds.choices import Policy, default_policy
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.scenario.victory import Scoreboard
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, QuestionChanged, RememberingTable

SCENARIOS = ("patrol_clash", "river_ford", "hill_fort", "square_attacked")
POSITIONS = int(os.environ.get("ZAREBA_POSITIONS", "2000"))
PLAYS = 200
FEW = 30
"""Kinds with fewer choices are not reported."""
ORDER = {"vcc": 0.4, "afriboria": 0.35, "fixed_baynet": 0.5, "paychest": 0.1, "risk_factor": 0.25}
"""Required rank correlation (Spearman) between estimated and actual losses inflicted, over all choices.

In Paychest the estimate of a volley counts all armed men at the distance of one target. It leaves out line of sight
for each man and the cover of the targets. The estimate for a gun uses the size of the group.
"""


class Expected(NamedTuple):
    """A choice, and the AI's expectation for one of its options."""

    game: Game[Any]
    start: Any
    given: Sequence[GivenAnswer]
    question: Choose
    answer: Answer
    evaluation: Evaluation


class Compared(NamedTuple):
    """Losses inflicted and suffered, in shares of units: expected by the AI, and by the odds."""

    kind: str
    dealt: tuple[float, float]
    taken: tuple[float, float]


class Watcher:
    """A doctrine player. Of each choice one option with expected losses is recorded."""

    def __init__(self, game: Game[Any], seat: str, seed: int, seen: list[Expected]) -> None:
        self._player, self._game, self._seen = make_agent("doctrine", game, seat, seed), game, seen
        self._seat, self._random = seat, Random(f"{seat}/{seed}")
        self._step: tuple[Any, list[GivenAnswer]] = (None, [])

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        if isinstance(question, Choose):
            evaluated = self._game.advisor.best_options(self._game.sight.view(state, self._seat), question)
            costly = [
                (answer, one)
                for answer, one in evaluated.items()
                if (one.inflicts or one.suffers) and self._game.advisor.has_odds(state, question, answer)
            ]
            if costly:
                self._seen.append(Expected(self._game, *self._step, question, *self._random.choice(costly)))
        return self._player(question, state)


def choices(name: str) -> Iterator[Expected]:
    for seed in count(1):
        for scenario in SCENARIOS:
            seen: list[Expected] = []
            game = load_rules(name).game(load_scenario(scenario))
            state = game.start()
            table = RememberingTable(
                game.rules, state, seed, {seat: Watcher(game, seat, seed, seen) for seat in game.seats}
            )
            while (step := game.play.next_step(state)) is not None:
                table.begin(step)
                game.play.perform(table, state, step)
            yield from Random(seed).sample(seen, min(40, len(seen)))


def fallen(scoreboard: Scoreboard[Any]) -> dict[str, float]:
    """Return the share of each unit that is permanently lost."""
    men, gone = dict[str, float](), dict[str, float]()
    for man in scoreboard.men:
        men[man.unit] = men.get(man.unit, 0.0) + man.number
        gone[man.unit] = gone.get(man.unit, 0.0) + man.number * (man.fate == "lost")
    return {unit: gone[unit] / number for unit, number in men.items() if number}


def lost(game: Game[Any], seat: str, before: Any, after: Any) -> tuple[float, float]:
    """Return the shares of units that a side's enemies have lost, and its own."""
    was, now = fallen(game.scoreboard(before)), fallen(game.scoreboard(after))
    dealt = taken = 0.0
    for name, unit in game.scenario.units.items():
        gone = now.get(name, 0.0) - was.get(name, 0.0)
        dealt, taken = (dealt, taken + gone) if unit.side == seat else (dealt + gone, taken)
    return round(dealt, 4), round(taken, 4)


def compared(name: str, many: int, plays: int = PLAYS) -> list[Compared]:
    return list(islice(_compared(name, plays), many))


def _compared(name: str, plays: int) -> Iterator[Compared]:
    for game, start, given, question, answer, evaluation in choices(name):
        passed, policy = list[str](), default_policy(game, question.seat)

        def answered(
            asked: Choose | Place | Confirm, state: Any, seat: str = question.seat, passed: list[str] = passed,
            policy: Policy = policy, game: Game[Any] = game,
        ) -> Answer:  # fmt: skip
            if asked.seat != seat and game.odds_horizon.assumes_pass(asked):
                passed.append(asked.why)
            return policy(asked, state)

        describe = partial(lost, game, question.seat)
        try:
            found = odds_of(
                game,
                start,
                given,
                question,
                answer,
                describe,
                policy=answered,
                paths=plays,
                seconds=20.0,
                then=0.0,
                plays=plays,
            )
        except QuestionChanged:
            continue
        if passed:  # the odds leave out enemy reactions, but the AI counts them
            continue
        dealt, taken = (float(found.mean(lambda losses, place=place: losses[place])) for place in (0, 1))  # type: ignore[misc]  # a lambda's default
        yield Compared(question.why, (evaluation.inflicts, dealt), (evaluation.suffers, taken))


def told(name: str, found: Sequence[Compared]) -> dict[str, float]:
    """Print a line for each kind of choice and one for all. Return the rank correlation of each."""
    from scipy.stats import spearmanr

    kinds = {
        kind: [choice for choice in found if choice.kind == kind] for kind in sorted({choice.kind for choice in found})
    }
    agree: dict[str, float] = {}
    for kind, ours in {**kinds, "all": list(found)}.items():
        for what in ("dealt", "taken"):
            pairs = [getattr(choice, what) for choice in ours if any(getattr(choice, what))]
            if len(pairs) < FEW:
                continue
            errors = [expected - odds for expected, odds in pairs]
            within = sorted(map(abs, errors))[int(0.95 * len(errors))]
            order = float(spearmanr(*zip(*pairs, strict=True)).statistic)
            agree[f"{kind}, {what}"] = order
            mean, truth = sum(errors) / len(errors), sum(odds for _, odds in pairs) / len(pairs)
            print(
                f"{name}: {kind}, {what}: {len(pairs)} choices, {truth:.3f} by the odds, error {mean:+.3f} on average, "
                f"95 % within {within:.3f}; order {order:.2f}"
            )
    return agree


@pytest.mark.deep
def test_estimates_rank_choices_as_the_odds_do() -> None:
    """In VCC, the fastest ruleset. `make deep` looks at many choices in all of them."""
    agree = told("vcc", compared("vcc", 60, plays=50))
    assert agree["all, dealt"] >= ORDER["vcc"]


@pytest.mark.deep
@pytest.mark.parametrize("name", ruleset_names())
def test_estimates_rank_many_choices_as_the_odds_do(name: str) -> None:
    agree = told(name, compared(name, POSITIONS))
    assert agree["all, dealt"] >= ORDER[name]
