"""Measures the length of the shipped battles under each ruleset, which the start page displays (`make expected`).

python tests/web/expected.py core/zareba/web/lobby/expected.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.measures import table_time
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.registry import ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios

GAMES = 3


def expected(games: list[GameRecord]) -> dict[str, Any]:
    """Return the medians of some games: index of table time, game turns, and genuine decisions of both sides."""
    return {
        "table_time": round(median(table_time(game, SECONDS) or 0.0 for game in games)),
        "turns": round(median(game.turns for game in games)),
        "decisions": round(median(sum(effort.genuine for effort in game.effort.values()) for game in games)),
    }


def main() -> None:
    found: dict[str, Any] = {}
    for name in shipped_scenarios():
        scenario = load_scenario(name)
        agents = tuple((side, "doctrine") for side in scenario.sides)
        rows = {}
        for ruleset in ruleset_names():
            rows[ruleset] = expected(run_games(GameTask(Variant(ruleset, ruleset), name, 0, GAMES, 1, agents)))
            print(name, ruleset, rows[ruleset], flush=True)
        found[name] = {"scenario": scenario.digest, "rulesets": rows}
    Path(sys.argv[1]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
