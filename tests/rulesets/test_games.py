"""Replay some of the recorded games; `python tests/games.py` replays them all."""

from __future__ import annotations

import pytest
from tests import games

from zareba.registry import ruleset_names

QUICK = 72
"""Every build replays one game in this many."""


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_listed_games_are_played_again_as_they_were(ruleset: str) -> None:
    assert games.differences(ruleset, QUICK) == []


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_all_listed_games_are_played_again_as_they_were(ruleset: str) -> None:
    assert games.differences(ruleset, 1) == []
