"""Time until the odds of an attack are shown: python tests/benchmarks/odds_of_choices.py [RULESET...] [--positions 200]

Positions are choices of doctrine games after which, in twenty plays, some enemy is worse off. The table shows how many
odds are exact within 50 ms and within a second. For the rest it shows the time to a first answer and the margin after
a second. Times are processor times, so other work on the machine does not count; `--wall` uses the clock.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from time import perf_counter, process_time
from typing import Any

from zareba.agents import make_agent
from zareba.base.grammar import percent
from zareba.game import Game
from zareba.odds.choices import FEWEST_PLAYS, MOST_PATHS, OddsInProgress
from zareba.odds.drivers.sampler import SamplingBudget
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, QuestionChanged, RememberingTable

SCENARIOS = ("river_ford", "hill_fort", "patrol_clash")
SEEDS = 4
SOON, LATER = 0.05, 1.0


class Watcher:
    """A doctrine player that records its choices."""

    def __init__(self, game: Game[Any], seat: str, seen: list[tuple[Any, ...]]) -> None:
        self._player, self._game, self._seen = make_agent("doctrine", game, seat, 5), game, seen
        self._step: tuple[Any, list[GivenAnswer]] = (None, [])

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose):
            self._seen.append((self._game, *self._step, question, answer))
        return answer


def choices(ruleset: str, scenarios: Sequence[str] = SCENARIOS) -> list[tuple[Any, ...]]:
    seen: list[tuple[Any, ...]] = []
    for scenario in scenarios:
        for seed in range(1, SEEDS + 1):
            game = load_rules(ruleset).game(load_scenario(scenario))
            state = game.start()
            agents = {seat: Watcher(game, seat, seen) for seat in game.seats}
            table = RememberingTable(game.rules, state, seed, agents)
            while (step := game.play.next_step(state)) is not None:
                table.begin(step)
                game.play.perform(table, state, step)
    return Random(1).sample(seen, len(seen))


def attacks(ruleset: str) -> Iterator[tuple[Any, ...]]:
    """Yield choices after which an enemy may be worse off."""
    for position in choices(ruleset):
        game, _, _, question, _ = position
        weighing = OddsInProgress(*position)
        try:
            weighing.play(0.0, FEWEST_PLAYS)
        except QuestionChanged:
            continue
        assert weighing.odds is not None, "play() sets the odds"
        changed = {change.unit for outcome in weighing.odds.outcomes for change in outcome}
        units = game.scenario.units
        if any(unit in units and units[unit].side != question.seat for unit in changed):
            yield position


def first_answer(position: tuple[Any, ...], clock: Callable[[], float]) -> float:
    """Return the seconds until there is a sampled answer."""
    began = clock()
    OddsInProgress(*position, clock=clock).play(0.0, FEWEST_PLAYS)
    return clock() - began


def seconds_to_count(position: tuple[Any, ...], clock: Callable[[], float]) -> float | None:
    """Return the seconds until every path is counted, or None if that takes more than a second."""
    began = clock()
    is_exact = OddsInProgress(*position, clock=clock).count(SamplingBudget(MOST_PATHS, LATER, clock))
    return clock() - began if is_exact and clock() - began <= LATER else None


def margin(position: tuple[Any, ...], clock: Callable[[], float]) -> tuple[float, int]:
    """Return the largest margin after a second of sampling, in percentage points, and the number of plays."""
    found = OddsInProgress(*position, clock=clock).look(LATER)
    half = [(high - low) / 2 for low, high in map(found.interval, found.outcomes.values())]
    return 100 * max(half), found.samples


def seconds_of_second_request(position: tuple[Any, ...], clock: Callable[[], float]) -> float:
    """Return the seconds to request odds again that are already precise enough."""
    weighing = OddsInProgress(*position, clock=clock)
    weighing.look(SOON)
    began = clock()
    for _ in range(1_000):
        weighing.look(SOON)
    return (clock() - began) / 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=ruleset_names())
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--wall", action="store_true")
    asked = parser.parse_args()
    clock = perf_counter if asked.wall else process_time
    for ruleset in asked.rulesets:
        took: list[float] = []
        margins: list[tuple[float, int]] = []
        first: list[float] = []
        again = 0.0
        for position in islice(attacks(ruleset), asked.positions):
            again = again or seconds_of_second_request(position, clock)
            seconds = seconds_to_count(position, clock)
            if seconds is not None:
                took.append(seconds)
            else:
                first.append(first_answer(position, clock))
                margins.append(margin(position, clock))
        whole = len(took) + len(margins)
        soon = sum(seconds <= SOON for seconds in took)
        print(
            f"{ruleset}: {whole} attacks, exact in 50 ms {percent(soon / whole)}, in 1 s {percent(len(took) / whole)}",
            end="",
        )
        print(f", asked again {1e6 * again:.1f} microseconds", end="")
        if margins:
            in_time = sum(seconds <= SOON for seconds in first) / len(first)
            good = sum(half <= 2.5 for half, _ in margins) / len(margins)
            halves = sorted(half for half, _ in margins)
            print(
                f"; else a first answer in 50 ms {percent(in_time)}, within 2.5 points after 1 s {percent(good)} "
                f"(median {halves[len(halves) // 2]:.1f}, most {halves[-1]:.1f})",
                end="",
            )
        print(flush=True)


if __name__ == "__main__":
    main()
