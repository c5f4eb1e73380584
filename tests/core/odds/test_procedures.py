"""Situations are run as in play: merging equal states changes no probability, and house rules count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from tests.core.toy import bare_rules

from zareba.base.errors import RuleBroken
from zareba.base.state import Record, record
from zareba.chance import AtLeast
from zareba.house_rules import HookFunction
from zareba.odds import Distribution, Formula, Procedure, SmallBattle, count_outcomes, odds
from zareba.odds.drivers.exact_enumerator import ExactEnumerator
from zareba.odds.drivers.sampler import OutOfBudget, SamplingBudget
from zareba.rules import Rules, procedure
from zareba.table import Event, Table
from zareba.testing import enumerate_paths


@dataclass(frozen=True)
class Facts:
    shots: int = 4
    defenders: int = 6


@dataclass(frozen=True)
class Outcome:
    hits: int
    ran: bool


@record
class Man(Record):
    wounds: int = 0


@record
class Fight(Record):
    defenders: int
    men: list[Man]
    ran: bool = False

    @property
    def down(self) -> int:
        return sum(man.wounds > 0 for man in self.men)


@procedure("toy.shot")
def shot(table: Table, fight: Fight, tally: dict[str, int]) -> None:
    if table.roll(1, 6, AtLeast(5), why="fire", rule="T-1"):
        tally["hits"] = tally.get("hits", 0) + 1
        standing = [number for number, man in enumerate(fight.men) if not man.wounds]
        if standing:
            man = table.draw({str(number): 1 for number in standing}, why="who", rule="T-1")
            fight.men[int(man)].wounds += 1


@procedure("toy.volley")
def volley(table: Table, fight: Fight, shots: int) -> int:
    tally: dict[str, int] = {}
    for _ in table.each(range(shots), tally):
        shot(table, fight, tally)
    table.emit("volley", "T-1", hits=tally.get("hits", 0))
    return tally.get("hits", 0)


@procedure("toy.morale")
def morale(table: Table, fight: Fight) -> None:
    if fight.down and table.roll(1, 6, why="morale", rule="T-2") > fight.defenders - fight.down:
        fight.ran = table.choose("red", ["run", "hide"], why="how", rule="T-3") == "run"


def attack(rules: Rules, facts: Facts) -> SmallBattle:
    def fire(table: Table, fight: Fight, _: None) -> int:
        return volley(table, fight, facts.shots)

    def check(table: Table, fight: Fight, hits: int) -> int:
        morale(table, fight)
        return hits

    return SmallBattle(
        Fight(facts.defenders, [Man() for _ in range(facts.defenders)]),
        [fire, check],
        lambda fight, hits: Outcome(hits, fight.ran),
    )


ATTACK = Procedure("attack", "T-1", "A volley and a check", Facts, Outcome, situation=attack)


def odds_without_merging(rules: Rules, facts: Facts) -> dict[Outcome, Fraction]:
    """Return the odds by following every path to its end, without merging."""

    def run(table: Table) -> Outcome:
        situation = attack(rules, facts)
        fight, gave = situation.start.copy(), None
        table.state = fight
        for act in situation.acts:
            gave = act(table, fight, gave)
        return Outcome(gave or 0, fight.ran)

    found: dict[Outcome, Fraction] = {}
    for outcome, p in enumerate_paths(rules, run, choices=lambda question: "run", budget=100_000):
        found[outcome] = found.get(outcome, Fraction(0)) + p
    return found


def wrapped(rules: Rules, **wraps: Any) -> Rules:
    """Return the same rules with wraps, given by procedure name without the prefix "toy."."""
    return replace(rules, wraps={f"toy.{name}": wrap for name, wrap in wraps.items()})


def twice(run: Any, table: Table, *args: Any) -> Any:
    run(table, *args)
    return run(table, *args)


def never(run: Any, table: Table, *args: Any) -> Any:
    return None


@pytest.mark.parametrize("facts", [Facts(1, 2), Facts(3, 2), Facts(4, 3)])
@pytest.mark.parametrize("wraps", [{}, {"shot": twice}, {"morale": never}, {"shot": never}])
def test_merging_states_changes_no_probability(facts: Facts, wraps: Mapping[str, Any]) -> None:
    rules = wrapped(bare_rules(), **wraps)
    found = odds(rules, ATTACK, facts)
    assert found.method == "exact"
    assert found.outcomes == odds_without_merging(rules, facts)
    assert sum(found.outcomes.values()) == 1


def test_a_loop_left_to_the_table_costs_the_sum_of_its_items() -> None:
    alike = partial(count_outcomes, bare_rules(), budget=SamplingBudget(9_000))
    found = alike(attack(bare_rules(), Facts(40, 2)))
    none = Fraction(2, 3) ** 40
    assert found[Outcome(0, False)] == none
    with pytest.raises(OutOfBudget):
        list(enumerate_in_full(40, 9_000))


def enumerate_in_full(shots: int, budget: int) -> Any:
    fight = Fight(2, [Man(), Man()])
    table = ExactEnumerator(bare_rules(), fight, lambda question, state: "run", SamplingBudget(budget), merging=False)
    return table.ends([lambda state, _: lambda: volley(table, state, shots)])


def test_wrap_changes_odds_and_play_alike() -> None:
    rules = wrapped(bare_rules(), volley=twice)
    assert odds(rules, ATTACK, Facts(1, 9)).mean(lambda result: result.hits) == Fraction(1, 3), (
        "only the last volley is emitted"
    )
    assert odds(rules, ATTACK, Facts(1, 1)).probability(lambda result: result.ran) > odds(
        bare_rules(), ATTACK, Facts(1, 1)
    ).probability(lambda result: result.ran)


def test_kept_events_are_passed_to_the_next_act() -> None:
    """An act that returns nothing and merges equal states still passes its events to the next act."""

    def fire(table: Table, fight: Fight, _: None) -> None:
        volley(table, fight, 2)

    def ask(table: Table, fight: Fight, _: None) -> int:
        return sum(event.data["hits"] for event in table.events if event.kind == "volley")

    def found(*kinds: str) -> dict[Any, Fraction]:
        start = attack(bare_rules(), Facts(2, 1))
        heard = replace(start, acts=[fire, fire, ask], outcome=lambda fight, hits: hits, kept_events=kinds)
        return count_outcomes(bare_rules(), heard)

    miss, hit = Fraction(2, 3), Fraction(1, 3)
    assert found("volley") == {
        0: miss**4,
        1: 4 * miss**3 * hit,
        2: 6 * miss**2 * hit**2,
        3: 4 * miss * hit**3,
        4: hit**4,
    }
    assert found() == {0: 1}


def test_procedures_with_too_many_paths_are_not_started() -> None:
    counting: list[bool] = []

    def fire(table: Table, fight: Fight, _: None) -> int:
        counting.append(isinstance(table, ExactEnumerator) and table.plays is None)
        return volley(table, fight, 1)

    def asked(paths: int) -> str:
        counting.clear()
        wide = replace(attack(bare_rules(), Facts()), acts=[fire], paths=paths)
        return odds(bare_rules(), replace(ATTACK, situation=lambda rules, facts: wide), Facts(), budget=50).method

    assert asked(50) == "exact" and any(counting)
    assert asked(51) == "sampled" and not any(counting)


def test_an_act_of_several_procedures_may_merge_equal_states_after_each() -> None:
    """A check has six faces but only two outcomes."""

    def checks(table: Table, fight: Fight, _: None) -> int:
        fight.men[0].wounds = 1
        for _check in range(4):
            morale(table, fight)
        return 0

    def spent(nested: bool) -> tuple[int, dict[Any, Fraction]]:
        several = replace(attack(bare_rules(), Facts(1, 3)), acts=[checks], nested=nested)
        budget = SamplingBudget(10_000)
        found = count_outcomes(bare_rules(), several, budget)
        return budget.spent, found

    (few, merged), (many, plain) = spent(True), spent(False)
    assert merged == plain and len(merged) == 2
    assert 5 * few < many == 6**4


def closed(chances: Mapping[Outcome, Fraction] | None) -> Procedure:
    return replace(ATTACK, closed=Formula(lambda rules, facts: chances, frozenset({"toy.shot"})))


def test_a_closed_calculation_is_used_only_if_no_house_rule_changes_what_it_skips() -> None:
    sure = {Outcome(9, True): Fraction(1)}
    found = odds(bare_rules(), closed(sure), Facts())
    assert (found.outcomes, found.method, found.note) == (sure, "exact", "by a formula")
    assert odds(wrapped(bare_rules(), morale=never), closed(sure), Facts()).outcomes == sure
    played = odds_without_merging(bare_rules(), Facts())
    assert odds(wrapped(bare_rules(), shot=lambda run, *args: run(*args)), closed(sure), Facts()).outcomes == played
    listening = replace(bare_rules(), event_hooks=(HookFunction("after_event", "a rule", "rule.py", lambda: None, ()),))
    assert odds(listening, closed(sure), Facts()).outcomes == played
    assert odds(bare_rules(), closed(None), Facts()).outcomes == played


def test_odds_asked_in_a_game_run_in_that_game() -> None:
    rules, doubled = bare_rules(), wrapped(bare_rules(), shot=twice)
    there = attack(rules, Facts(3, 2))
    assert odds(rules, ATTACK, there).outcomes == odds(rules, ATTACK, Facts(3, 2)).outcomes
    assert odds(doubled, ATTACK, there).outcomes == odds(doubled, ATTACK, Facts(3, 2)).outcomes


def test_procedures_with_too_many_outcomes_are_sampled_and_say_so() -> None:
    found = odds(bare_rules(), ATTACK, Facts(), budget=5, samples=400)
    assert (found.method, found.samples) == ("sampled", 400)
    assert found.note == "too many outcomes to enumerate: sampled from 400 plays with seed 1, 95 % intervals"
    assert found == odds(bare_rules(), ATTACK, Facts(), budget=5, samples=400), "the same seed gives the same"
    low, high = found.interval(found.probability(lambda result: result.hits == 0))
    assert low <= Fraction(2, 3) ** 4 <= high


def test_dice_without_effect_on_the_outcome_may_be_skipped() -> None:
    situation = replace(
        attack(bare_rules(), Facts(3, 1)), neutral_answer=lambda question: 1 if question.why == "morale" else None
    )
    assert all(not outcome.ran or outcome.hits for outcome in count_outcomes(bare_rules(), situation))
    assert (
        sum(p for outcome, p in count_outcomes(bare_rules(), situation).items() if outcome.ran)
        == 1 - Fraction(2, 3) ** 3
    )
    sure = replace(situation, neutral_answer=lambda question: None if question.why == "who" else 1)
    known = replace(ATTACK, situation=lambda rules, facts: sure)
    assert odds(bare_rules(), known, Facts(), budget=0, samples=20).outcomes == {Outcome(3, True): 1}


def test_kept_events_make_outcomes_distinct() -> None:
    def ends(kept_events: Sequence[str]) -> list[tuple[tuple[Event, ...], Fraction]]:
        table = ExactEnumerator(
            bare_rules(),
            Fight(1, []),
            lambda question, state: "run",
            SamplingBudget(1_000),
            kept_events=frozenset(kept_events),
        )
        found = table.ends([lambda state, _: lambda: (volley(table, state, 2), None)[1]])
        return [(end.told, end.weight) for end in found]

    assert ends([]) == [((), Fraction(1))]
    told = {event.data["hits"]: p for (event,), p in ends(["volley"])}
    assert told == {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}


def test_rules_with_changing_questions_are_detected() -> None:
    asked = iter(range(100))

    def wavers(run: Any, table: Table, *args: Any) -> None:
        table.roll(1, 6 + next(asked), why="whim", rule="HOUSE-1")

    with pytest.raises(RuleBroken, match="another result when they were run again"):
        odds(wrapped(bare_rules(), morale=wavers), ATTACK, Facts())


def test_sampled_intervals_have_their_nominal_coverage() -> None:
    exact = odds(bare_rules(), ATTACK, Facts(2, 2))
    truth = exact.probability(lambda outcome: outcome.ran)
    covered = 0
    for seed in range(120):
        found = odds(bare_rules(), ATTACK, Facts(2, 2), budget=5, samples=300, seed=seed)
        low, high = found.interval(found.probability(lambda outcome: outcome.ran))
        covered += low <= truth <= high
    assert 107 <= covered <= 120  # 95 % of 120 is 114, within three standard deviations


def test_an_interval_stays_between_0_and_1() -> None:
    sample = Distribution(outcomes={}, samples=50)
    assert sample.interval(Fraction(0))[0] == 0.0
    assert sample.interval(Fraction(1))[1] == 1.0
    low, high = sample.interval(Fraction(1, 2))
    assert 0.36 < low < 0.38 and 0.62 < high < 0.64


def test_means_and_probabilities() -> None:
    found = odds(bare_rules(), ATTACK, Facts(3, 4))
    assert found.mean(lambda outcome: outcome.hits) == 1
    assert found.probability(lambda outcome: outcome.hits == 0) == Fraction(2, 3) ** 3
    assert found.interval(Fraction(1, 4)) == (0.25, 0.25)


def test_a_repeated_act_is_run_once_for_each_state() -> None:
    runs: list[int] = []

    def throw(table: Table, fight: Fight, down: int) -> int:
        runs.append(down)
        return min(2, down + (table.roll(1, 6, why="shot", rule="T-1") == 6))

    forty = SmallBattle(Fight(2, []), [throw] * 40, first=0)
    none = Fraction(5, 6) ** 40
    one = 40 * Fraction(1, 6) * Fraction(5, 6) ** 39
    assert count_outcomes(bare_rules(), forty) == {0: none, 1: one, 2: 1 - none - one}
    assert len(runs) <= 7 * 6, "six faces each for the start, three states, and these at the last act"
