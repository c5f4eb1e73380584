"""Strength of a side in every ruleset: units not yet deployed or still to arrive count from the start."""

from __future__ import annotations

import pytest

from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios


@pytest.mark.parametrize("scenario", shipped_scenarios())
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_side_begins_at_its_full_strength(ruleset: str, scenario: str) -> None:
    game = load_rules(ruleset).game(load_scenario(scenario))
    assert game.strength(game.start()) == dict.fromkeys(game.seats, 1.0)
