"""How soon the odds of a choice are there: python tests/benchmarks/odds_of_choices.py [RULESET...] [--positions 200]

Positions are choices in doctrine games that come with odds and were taken. Each is weighed exactly within 50 ms, then within
a second; what is not exact then is played for a second, and the margin of the likeliest outcome of all is shown.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Any

from zareba.agents import make_agent
from zareba.odds import ChoiceOdds, odds_of
from zareba.registry import load_rules, ruleset_names
from zareba.ruleset import Game
from zareba.scenario import load_scenario
from zareba.table import Answer, Choose, Confirm, Given, OtherwiseAsked, Place, RememberingTable

SCENARIOS = ("river_ford", "hill_fort", "patrol_clash")
SOON, LATER = 0.05, 1.0


class Watcher:
    """A player by doctrine who remembers the choices with odds that he took."""

    def __init__(self, game: Game[Any], seat: str, seen: list[tuple[Any, ...]]) -> None:
        self._player, self._game, self._seen = make_agent("doctrine", game, seat, 5), game, seen
        self._step: tuple[Any, list[Given]] = (None, [])

    def follow(self, start: Any, given: Sequence[Given]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose) and self._asks(state, question, answer):
            self._seen.append((self._game, *self._step, question, answer))
        return answer

    def _asks(self, state: Any, question: Choose, answer: Answer) -> bool:
        try:
            return bool(self._game.odds_for(state, question, answer))
        except ValueError:
            return False


def positions(ruleset: str, many: int) -> list[tuple[Any, ...]]:
    seen: list[tuple[Any, ...]] = []
    for scenario in SCENARIOS:
        for seed in range(1, 5):
            game = load_rules(ruleset).game(load_scenario(scenario))
            state = game.start()
            agents = {seat: Watcher(game, seat, seen) for seat in game.seats}
            table = RememberingTable(game.rules, state, seed, agents)
            while (step := game.next_step(state)) is not None:
                table.begin(step)
                game.perform(table, state, step)
    return Random(1).sample(seen, min(many, len(seen)))


def weigh(position: tuple[Any, ...], seconds: float, then: float) -> tuple[ChoiceOdds, float]:
    game, start, given, question, answer = position
    began = perf_counter()
    found = odds_of(game, start, given, question, answer, seconds=seconds, then=then)
    return found, perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=ruleset_names())
    parser.add_argument("--positions", type=int, default=200)
    asked = parser.parse_args()
    for ruleset in asked.rulesets:
        seen = positions(ruleset, asked.positions)
        soon = later = refused = 0
        took, margins, plays = [], [], []
        for position in seen:
            try:
                found, seconds = weigh(position, LATER, 0.0)
            except OtherwiseAsked:
                refused += 1
                continue
            took.append(seconds)
            soon += found.method == "exact" and seconds <= SOON
            later += found.method == "exact"
            if found.method != "exact":
                found, _ = weigh(position, 0.0, LATER)
                plays.append(found.samples)
                half = [(high - low) / 2 for low, high in map(found.interval, found.outcomes.values())]
                margins.append(100 * max(half))
        whole = len(seen) - refused
        print(
            f"{ruleset}: {whole} choices, exact in 50 ms {soon / whole:.0%}, in 1 s {later / whole:.0%},"
            f" median {1e3 * sorted(took)[len(took) // 2]:.0f} ms"
            + (
                f"; else {sorted(plays)[len(plays) // 2]} plays in 1 s, margin at most {max(margins):.1f}"
                if plays
                else ""
            )
            + (f"; {refused} refused" if refused else "")
        )


if __name__ == "__main__":
    main()
