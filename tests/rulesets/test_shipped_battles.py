"""The shipped battles are fair enough to compare rulesets: by the common victory rules one side wins nearly always in
at most two of the five.

`pytest tests/rulesets/test_shipped_battles.py -m deep -s` prints the rows of the table in
`docs/reference/test_results.md`. ZAREBA_GAMES and ZAREBA_AHEAD in the environment set the number of games.
"""

from __future__ import annotations

import os

import pytest

from zareba.analysis.compare import compare
from zareba.analysis.findings.advice import ONE_SIDED
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import run_games
from zareba.analysis.statistics.intervals import Interval, ShareEstimate
from zareba.registry import ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios

GAMES = int(os.environ.get("ZAREBA_GAMES", "100"))
AHEAD = int(os.environ.get("ZAREBA_AHEAD", "12"))
"""Games of each ruleset between look-ahead players: just enough to tell which side a walkover favours."""


@pytest.mark.parametrize("name", shipped_scenarios())
def test_each_scenario_states_what_it_tests(name: str) -> None:
    assert len(load_scenario(name).tests.split()) > 5


def won_by_first(name: str, agent: str, games: int) -> dict[str, tuple[float, Interval]]:
    """Return, by ruleset, the share of games won by the side named first, counting a draw as half, and its interval."""
    sides = tuple(load_scenario(name).sides)
    variants = [Variant(name, name) for name in ruleset_names()]
    agents = tuple((side, agent) for side in sides)
    played = compare(name, variants, games, 1, os.cpu_count() or 1, agents, run_games).records
    found = {}
    for variant in variants:
        winners = [record.winner for record in played if record.variant == variant.name]
        won = ShareEstimate(winners.count(sides[0]) + winners.count(None) / 2, len(winners))
        found[variant.name] = won.value, won.limits()
    return found


@pytest.mark.deep
@pytest.mark.parametrize("name", shipped_scenarios())
def test_shipped_battles_are_not_one_sided_and_searching_players_agree(name: str) -> None:
    plain, ahead = won_by_first(name, "doctrine", GAMES), won_by_first(name, "general", AHEAD)
    cells = [f"{100 * plain[name][0]:.0f} ({100 * ahead[name][0]:.0f})" for name in ruleset_names()]
    print(f"\n| {name}, {next(iter(load_scenario(name).sides.values())).name} | {' | '.join(cells)} |")
    surely = [battle for battle, (_, found) in plain.items() if found.low > ONE_SIDED]
    surely_not = [one for one, (_, found) in plain.items() if found.high < 1 - ONE_SIDED]
    against = [
        one
        for one in plain
        if (plain[one][1].low > 1 / 2 and ahead[one][1].high < 1 / 2)
        or (plain[one][1].high < 1 / 2 < ahead[one][1].low)
    ]
    assert len(surely) <= 2 and len(surely_not) <= 2, (
        f"one side wins nearly always under {surely}, the other under {surely_not}"
    )
    assert not against, f"those who look ahead win with the other side under {against}"
