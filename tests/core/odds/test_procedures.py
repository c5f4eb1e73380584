"""Odds: merging equals brute force over whole runs; a sample says that it is one, and its intervals cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from tests.core.toy import bare_rules

from zareba.chance import AtLeast
from zareba.odds import Leg, Odds, Procedure, Slate, odds, slate_leg
from zareba.rules import Rules
from zareba.table import Table, TooManyPaths, enumerate_paths


@dataclass(frozen=True)
class AttackFacts:
    dice: int = 4
    defenders: int = 6


@dataclass(frozen=True)
class AttackOutcome:
    hits: int
    ran: bool


@dataclass
class Fight:
    dice: int
    defenders: int
    hits: int = 0
    ran: bool = False

    def copy(self) -> Fight:
        return replace(self)


def volley(table: Table, fight: Fight) -> None:
    fight.hits += min(table.roll(fight.dice, 6, AtLeast(5), why="fire", rule="T-1"), fight.defenders)


def morale(table: Table, fight: Fight) -> None:
    if fight.hits and table.roll(1, 6, why="morale", rule="T-2") > fight.defenders - fight.hits:
        fight.ran = table.choose("red", ["run", "hide"], why="how", rule="T-3") == "run"


def legs(rules: Rules, facts: AttackFacts) -> Sequence[Leg]:
    def start() -> Fight:
        return Fight(facts.dice, facts.defenders)

    return [Leg(start, (volley, volley, morale), lambda f: (f.hits, f.ran), lambda f: AttackOutcome(f.hits, f.ran))]


ATTACK = Procedure(
    "attack", "T-1", "Two volleys and a check", AttackFacts, AttackOutcome, legs, lambda outcome: outcome
)
BOTH = replace(
    ATTACK, name="both", legs=lambda rules, facts: [*legs(rules, facts)] * 2, join=lambda a, b: (a.hits, b.hits)
)


def brute(facts: AttackFacts, budget: int = 10_000) -> dict[AttackOutcome, Fraction]:
    def run(table: Table) -> AttackOutcome:
        fight = Fight(facts.dice, facts.defenders)
        for stage in (volley, volley, morale):
            stage(table, fight)
        return AttackOutcome(fight.hits, fight.ran)

    found: dict[AttackOutcome, Fraction] = {}
    for outcome, p in enumerate_paths(bare_rules(), run, choices=lambda question: "run", budget=budget):
        found[outcome] = found.get(outcome, Fraction(0)) + p
    return found


@pytest.mark.parametrize("facts", [AttackFacts(), AttackFacts(1, 1), AttackFacts(9, 3)])
def test_merging_equal_states_after_each_stage_changes_no_probability(facts: AttackFacts) -> None:
    found = odds(bare_rules(), ATTACK, facts)
    assert (found.method, found.samples, found.note) == ("exact", 0, "")
    assert dict(found.outcomes) == brute(facts)
    assert sum(found.outcomes.values()) == 1


def test_merging_keeps_within_a_budget_what_whole_runs_would_break() -> None:
    facts = AttackFacts(dice=40, defenders=200)
    assert odds(bare_rules(), ATTACK, facts, budget=3000).method == "exact"
    with pytest.raises(TooManyPaths):
        brute(facts, budget=3000)


def test_independent_legs_multiply() -> None:
    one = odds(bare_rules(), ATTACK, AttackFacts())
    both = odds(bare_rules(), BOTH, AttackFacts())
    hits = {n: one.probability(lambda o, n=n: o.hits == n) for n in range(9)}  # type: ignore[misc]  # a bound default
    for (a, b), p in both.outcomes.items():
        assert p == hits[a] * hits[b]


def test_means_and_probabilities() -> None:
    found = odds(bare_rules(), ATTACK, AttackFacts(dice=3, defenders=100))
    assert found.mean(lambda outcome: outcome.hits) == 2
    assert found.probability(lambda outcome: outcome.hits == 0) == Fraction(2, 3) ** 6
    assert found.interval(Fraction(1, 4)) == (0.25, 0.25)


def test_past_the_budget_a_sample_is_taken_and_called_one() -> None:
    found = odds(bare_rules(), ATTACK, AttackFacts(), budget=10, samples=4000, seed=3)
    assert (found.method, found.samples) == ("sampled", 4000)
    assert found.note == "more than 10 paths: sampled 4000 times with seed 3, 95 % intervals"
    assert sum(found.outcomes.values()) == 1
    again = odds(bare_rules(), ATTACK, AttackFacts(), budget=10, samples=4000, seed=3)
    assert found == again
    assert found != odds(bare_rules(), ATTACK, AttackFacts(), budget=10, samples=4000, seed=4)


def test_intervals_of_samples_cover_the_exact_probability_as_often_as_they_say() -> None:
    exact = odds(bare_rules(), ATTACK, AttackFacts())
    truth = exact.probability(lambda outcome: outcome.ran)
    covered = 0
    for seed in range(120):
        found = odds(bare_rules(), ATTACK, AttackFacts(), budget=10, samples=300, seed=seed)
        low, high = found.interval(found.probability(lambda outcome: outcome.ran))
        covered += low <= truth <= high
    assert 107 <= covered <= 120  # 95 % of 120 is 114, give or take three standard deviations


def test_an_interval_stays_between_0_and_1() -> None:
    sample = Odds("attack", "sampled", {}, samples=50)
    assert sample.interval(Fraction(0))[0] == 0.0
    assert sample.interval(Fraction(1))[1] == 1.0
    low, high = sample.interval(Fraction(1, 2))
    assert 0.36 < low < 0.38 and 0.62 < high < 0.64


@dataclass(frozen=True)
class Down:
    men: int


def test_a_stage_that_comes_again_is_run_once_for_each_state() -> None:
    runs: list[int] = []

    def throw(table: Table, slate: Slate) -> None:
        runs.append(slate.values[0])
        six = table.roll(1, 6, why="shot", rule="T-1") == 6
        slate.values = (min(2, slate.values[0] + six),)

    def forty(rules: Rules, facts: AttackFacts) -> Sequence[Leg]:
        return [slate_leg(*[throw] * 40, first=(0,))]

    found = odds(bare_rules(), Procedure("shots", "T-1", "Forty shots", AttackFacts, Down, forty), AttackFacts())
    none = Fraction(5, 6) ** 40
    one = 40 * Fraction(1, 6) * Fraction(5, 6) ** 39
    assert found.outcomes == {Down(0): none, Down(1): one, Down(2): 1 - none - one}
    assert len(runs) <= 4 * 6, "three states and the start, six faces each"
