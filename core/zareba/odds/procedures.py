"""Odds: the exact distribution of a procedure, or an honest sample of it.

A procedure is described by its facts, its outcome, and legs: runs of the very functions that play uses, which do not
depend on each other. A leg is cut into stages; after each stage equal states are merged, so that a shot, a leader check
and a morale check cost the sum of their outcomes and not the product.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any

from zareba.activation.step import Step
from zareba.chance.keyed import KeyedDice
from zareba.table.enumerating import TooManyPaths, enumerate_paths
from zareba.table.questions import Answer, Choose, Confirm, Draw, Place, Question, Roll
from zareba.table.seeded import ChanceKeys
from zareba.table.table import Table

if TYPE_CHECKING:
    from zareba.rules import Rules
    from zareba.tally import Tally

__all__ = ["Leg", "Odds", "OddsCache", "Procedure", "Slate", "first_option", "odds", "slate_leg", "wilson"]

BUDGET = 200_000
SAMPLES = 20_000
_Z = 1.959963984540054


@dataclass(frozen=True)
class Leg:
    """One independent part of a procedure.

    `start` makes a fresh state with `copy()`; each stage changes it, asking the table; `key` is what of the state still
    matters; `result` is what comes of it at the end.
    """

    start: Callable[[], Any]
    stages: Sequence[Callable[[Table, Any], None]]
    key: Callable[[Any], Hashable]
    result: Callable[[Any], Hashable]


class Slate:
    """A state of nothing but results, for procedures that need no battle."""

    __slots__ = ("values",)

    def __init__(self, *values: Any) -> None:
        self.values = values

    def copy(self) -> Slate:
        """Another slate with the same results."""
        return Slate(*self.values)


def slate_leg(*stages: Callable[[Table, Slate], None], first: tuple[Any, ...] = ()) -> Leg:
    """A leg whose state is a slate, with `first` on it to begin with; what stands on it at the end is the result."""
    return Leg(lambda: Slate(*first), stages, key=lambda slate: slate.values, result=lambda slate: slate.values)


@dataclass(frozen=True)
class Procedure:
    """A procedure whose odds can be asked. `facts` and `outcome` are dataclasses with flat fields,
    or with lists of rows.

    `legs` builds the runs for some facts; `join` makes the outcome of the results of all legs, in order. Without it there
    is one leg, and its result is the outcome or the tuple of its fields. `tallies` gives the numbers that go into it, for
    explanation.
    """

    name: str
    rule: str
    summary: str
    facts: type[Any]
    outcome: type[Any]
    legs: Callable[[Rules, Any], Sequence[Leg]]
    join: Callable[..., Any] | None = None
    tallies: Callable[[Rules, Any], Sequence[Tally]] = field(default=lambda rules, facts: ())

    def outcome_of(self, *results: Any) -> Any:
        """The outcome that the results of the legs make."""
        if self.join is not None:
            return self.join(*results)
        (result,) = results
        return result if isinstance(result, self.outcome) else self.outcome(*result)


@dataclass(frozen=True)
class Odds:
    """A distribution of outcomes. `exact` fractions sum to 1; a sample has counts of `samples` instead."""

    procedure: str
    method: str
    outcomes: Mapping[Any, Fraction]
    samples: int = 0
    note: str = ""

    def probability(self, holds: Callable[[Any], bool]) -> Fraction:
        """The probability that an outcome has a property."""
        return sum((p for outcome, p in self.outcomes.items() if holds(outcome)), Fraction(0))

    def mean(self, value: Callable[[Any], Any]) -> Fraction:
        """The mean of a number over the outcomes."""
        return sum((p * value(outcome) for outcome, p in self.outcomes.items()), Fraction(0))

    def interval(self, p: Fraction) -> tuple[float, float]:
        """The 95 % Wilson interval of a sampled probability; the probability itself when exact."""
        return wilson(float(p), self.samples) if self.samples else (float(p), float(p))


def wilson(share: float, n: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share of n."""
    middle = (share + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
    half = _Z / (1 + _Z * _Z / n) * sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def odds(
    rules: Rules,
    procedure: Procedure,
    facts: Any,
    *,
    budget: int = BUDGET,
    samples: int = SAMPLES,
    seed: int = 1,
) -> Odds:
    """The odds of a procedure in a situation: exact within `budget` paths, else sampled, and so marked."""
    legs = procedure.legs(rules, facts)
    try:
        spread = [_distribution(rules, leg, budget) for leg in legs]
    except TooManyPaths:
        return _sampled(rules, procedure, legs, samples, seed, budget)
    joined: dict[Any, Fraction] = {}
    for combination in product(*(one.items() for one in spread)):
        p = Fraction(1)
        for _, weight in combination:
            p *= weight
        outcome = procedure.outcome_of(*(result for result, _ in combination))
        joined[outcome] = joined.get(outcome, Fraction(0)) + p
    return Odds(procedure.name, "exact", joined)


def _distribution(rules: Rules, leg: Leg, budget: int) -> dict[Hashable, Fraction]:
    states: dict[Hashable, tuple[Any, Fraction]] = {None: (leg.start(), Fraction(1))}
    moves: dict[tuple[Hashable, Hashable], list[tuple[Hashable, Any, Fraction]]] = {}  # by stage and state, each once
    left = budget
    for stage in leg.stages:
        following: dict[Hashable, tuple[Any, Fraction]] = {}
        for before, (state, weight) in states.items():
            if (found := moves.get((stage, before))) is None:
                found = moves[stage, before] = _moves(rules, leg, stage, state, left)
                left -= len(found)
            for key, reached, p in found:
                known = following.get(key)
                following[key] = (reached, p * weight if known is None else known[1] + p * weight)
        states = following
    results: dict[Hashable, Fraction] = {}
    for state, weight in states.values():
        result = leg.result(state)
        results[result] = results.get(result, Fraction(0)) + weight
    return results


def _moves(
    rules: Rules, leg: Leg, stage: Callable[[Table, Any], None], state: Any, budget: int
) -> list[tuple[Hashable, Any, Fraction]]:
    """Where a stage leads from a state, path by path."""

    def run(table: Table) -> Any:
        draft = state.copy()
        table.state = draft
        stage(table, draft)
        return draft

    paths = enumerate_paths(rules, run, choices=first_option, budget=budget)
    return [(leg.key(reached), reached, p) for reached, p in paths]


def _sampled(rules: Rules, procedure: Procedure, legs: Sequence[Leg], samples: int, seed: int, budget: int) -> Odds:
    counts: dict[Any, int] = {}
    table = _SamplingTable(rules, seed)
    starts = [leg.start() for leg in legs]
    for sample in range(samples):
        results = []
        for number, (leg, start) in enumerate(zip(legs, starts, strict=True)):
            state = table.state = start.copy()
            table.keys = ChanceKeys(Step("sample", sample, str(number)))
            for stage in leg.stages:
                stage(table, state)
            results.append(leg.result(state))
        outcome = procedure.outcome_of(*results)
        counts[outcome] = counts.get(outcome, 0) + 1
    note = f"more than {budget} paths: sampled {samples} times with seed {seed}, 95 % intervals"
    return Odds(procedure.name, "sampled", {o: Fraction(n, samples) for o, n in counts.items()}, samples, note)


class _SamplingTable(Table):
    """Throws keyed dice and takes the same options as the exact odds do."""

    __slots__ = ("dice", "keys")

    def __init__(self, rules: Rules, seed: int) -> None:
        super().__init__(rules, None)
        self.dice = KeyedDice(seed)
        self.keys = ChanceKeys(Step("", 0, ""))

    def answer(self, question: Question) -> Answer:
        if isinstance(question, (Roll, Draw)):
            return self.keys.answer(self.dice, question)[0]
        return first_option(question)


def first_option(question: Choose | Place | Confirm) -> Any:
    """The policy of odds where a procedure leaves a choice that does not bear on its outcome: the first option."""
    if isinstance(question, Choose):
        return question.options[0]
    return question.suggestions[0] if isinstance(question, Place) else False


class OddsCache:
    """Remembers the odds of situations under one set of rules, for commanders who ask again and again."""

    def __init__(self, rules: Rules, budget: int = BUDGET) -> None:
        @lru_cache(maxsize=50_000)
        def ask(procedure: str, facts: Any) -> Odds:
            return odds(rules, rules.ruleset.procedure(procedure), facts, budget=budget)

        self.ask = ask
