"""The whole method on made-up games: equal rulesets are not called different, and a change worth five points is
found.
"""

from __future__ import annotations

import math
import random

import pytest
from tests.core.analysis.hand_made import record

from zareba.analysis.games.metrics import Scope
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.pilot import PILOT_GAMES, games_wanted
from zareba.analysis.statistics.estimates import Column, compare_columns


def game(number: int, luck: random.Random, own: random.Random, better: float) -> GameRecord:
    """Return a game of some turns with mostly shared luck; the chance that red wins is 0.5 + `better`."""
    shared, turns = luck.random(), 3 + int(luck.random() * 6)
    won = shared if own.random() < 0.8 else own.random()
    red = 0.3 + 0.6 * own.random()
    strength = {
        "red": (1.0, *(1 - (1 - red) * t / turns for t in range(1, turns + 1))),
        "blue": (1.0, *([0.6] * turns)),
    }
    losses = {"red": {"fire": 1 - red}, "blue": {"fire": 0.4}}
    return record(number, "red" if won < 0.5 + better else "blue", "collapse", strength, losses)


def column(name: str, ruleset: str, games: int, seed: int, better: float = 0.0) -> Column:
    """Return a variant that shares its luck with the others of its seed."""
    luck, own = random.Random(f"luck/{seed}/{ruleset}"), random.Random(f"own/{seed}/{name}")
    records = [game(number, luck, own, better) for number in range(games)]
    return Column.of(Variant(name, ruleset), records, Scope.of(records))


@pytest.mark.deep
def test_equal_systems_are_called_different_in_at_most_one_of_twenty_runs() -> None:
    runs, alarms = 400, 0
    for run in range(runs):
        columns = [column(name, name, 100, run) for name in "abcde"]
        alarms += any(difference.is_significant for difference in compare_columns(columns))
    print(f"five systems that are alike, 100 games each: a false claim in {alarms / runs:.3f} of {runs} runs")
    assert alarms / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.deep
def test_a_house_rule_worth_five_points_is_found_in_nine_of_ten_runs_by_default() -> None:
    runs, found, games = 60, 0, []
    for run in range(runs):
        pilot = [column("a", "r", PILOT_GAMES, run), column("b", "r", PILOT_GAMES, run, 0.05)]
        games.append(games_wanted(pilot))
        columns = [column("a", "r", games[-1], run), column("b", "r", games[-1], run, 0.05)]
        found += next(difference.is_significant for difference in compare_columns(columns) if difference.metric == "M1")
    print(f"five points found in {found / runs:.2f} of {runs} runs, with {min(games)} to {max(games)} games")
    assert found / runs >= 0.9 - 2 * math.sqrt(0.9 * 0.1 / runs)
