"""Finds the forces that make the shipped battles even under each ruleset (`make even`), which `--even` uses.

python tests/even.py core/zareba/authoring/even.json [SCENARIO:RULESET ...]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from zareba.agents import make_agent
from zareba.authoring.even import EVEN, with_ratio
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import Scenario, load_scenario, shipped_scenarios
from zareba.table import SeededTable

PLAYER = "doctrine"
SEARCH_GAMES, GAMES = 30, 60
"""Games of each ratio that is tried, and games with new dice that measure the result."""
TRIES = 6
CLOSE = 0.07
"""The difference from half of the games at which the search ends."""
MOST = 4.0
"""The greatest ratio tried: twice the figures of one side against half of the other."""


def share_won(scenario: Scenario, ruleset: str, seeds: range) -> float:
    """Return the share of games that the first side wins by the common victory rule; a draw counts as half."""
    game: Any = load_rules(ruleset).game(scenario)
    first, won = game.seats[0], 0.0
    for seed in seeds:
        state = game.start()
        table = SeededTable(
            game.rules, state, seed, {side: make_agent(PLAYER, game, side, seed) for side in game.seats}
        )
        while (step := game.play.next_step(state)) is not None:
            table.begin(step)
            game.play.perform(table, state, step)
        winner = game.play.common_outcome(state).winner
        won += 0.5 if winner is None else float(winner == first)
    return won / len(seeds)


def even_ratio(scenario: Scenario, ruleset: str, as_written: float) -> float:
    """Return the ratio, of those tried by bisection, at which the first side won nearest to half of the games.

    `as_written` is the share that it wins with the shipped forces.
    """
    low, high = 1 / MOST, MOST  # the first side is too weak at `low`, and too strong at `high`
    ratio, tried = 1.0, dict[float, float]()
    for attempt in range(TRIES):
        seeds = range(1000 * attempt, 1000 * attempt + SEARCH_GAMES)
        share = as_written if ratio == 1 else share_won(with_ratio(scenario, ratio), ruleset, seeds)
        tried[ratio] = abs(share - 0.5)
        if tried[ratio] <= CLOSE:
            break
        low, high = (ratio, high) if share < 0.5 else (low, ratio)
        ratio = round((low * high) ** 0.5, 3)
    return min(tried, key=lambda one: tried[one])


def main() -> None:
    file = Path(sys.argv[1])
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    wanted = [tuple(word.split(":")) for word in sys.argv[2:]]
    pairs = wanted or [(name, ruleset) for name in shipped_scenarios() for ruleset in ruleset_names()]
    for name, ruleset in pairs:
        scenario = load_scenario(name)
        if len(scenario.sides) != 2:
            continue
        sides = tuple(scenario.sides)
        entry = found.setdefault(name, {"scenario": scenario.digest, "rulesets": {}})
        if entry["scenario"] != scenario.digest:
            entry.update(scenario=scenario.digest, rulesets={})
        as_written = share_won(scenario, ruleset, range(50_000, 50_000 + GAMES))
        ratio: float | None = 1.0 if EVEN[0] <= as_written <= EVEN[1] else even_ratio(scenario, ruleset, as_written)
        share = as_written
        if ratio == 1:
            ratio = 1.0 if EVEN[0] <= share <= EVEN[1] else None
        else:
            share = share_won(with_ratio(scenario, ratio), ruleset, range(60_000, 60_000 + GAMES))
            ratio = ratio if EVEN[0] <= share <= EVEN[1] else None
        entry["rulesets"][ruleset] = {
            "ratio": ratio,
            "chances": dict(zip(sides, (round(as_written, 3), round(1 - as_written, 3)), strict=True)),
            "even_chances": dict(zip(sides, (round(share, 3), round(1 - share, 3)), strict=True)) if ratio else {},
            "games": GAMES,
            "player": PLAYER,
        }
        print(name, ruleset, entry["rulesets"][ruleset], flush=True)
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
