"""Replay some of the recorded games; `python tests/games.py` replays them all."""

from __future__ import annotations

import pytest
from tests import games

from zareba.registry import ruleset_names

QUICK = (4, 25, 32, 47)
"""The games that every build replays: the smallest battle with doctrine and random players, the printed rules, random
settings and both house rules.
"""


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_listed_games_replay_equally(ruleset: str) -> None:
    written = (games.FILES / f"{ruleset}.txt").read_text(encoding="utf-8").splitlines()
    assert [games.game_line(ruleset, number) for number in QUICK] == [written[number] for number in QUICK]


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_all_listed_games_replay_equally(ruleset: str) -> None:
    assert games.differences(ruleset, 1) == []
