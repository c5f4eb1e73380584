"""A side that holds a place at the start of the scenario holds it under every ruleset, whatever its cell size."""

from __future__ import annotations

import pytest

from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.scenario.model import Hold
from zareba.scenario.placement import occupied

EXPECTED = {
    "hill_fort": {"court_taken": "garrison", "keep_taken": "garrison"},
    "mission_station": {"hospital_held": "british", "store_held": "british"},
    "paychest_raid": {"yard": "legion"},
    "square_attacked": {"into_the_square": "column"},
}
"""The shipped battles in which a side holds a place from the start, according to their texts."""


@pytest.mark.parametrize("name", sorted(shipped_scenarios()))
def test_places_of_shipped_battles_that_are_held_at_the_start(name: str) -> None:
    assert {key: side for key, (side, _) in occupied(load_scenario(name)).items()} == EXPECTED.get(name, {})


@pytest.mark.parametrize("name", sorted(shipped_scenarios()))
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_a_side_that_holds_a_place_at_the_start_holds_it_under_every_system(ruleset: str, name: str) -> None:
    scenario = load_scenario(name)
    game = load_rules(ruleset).game(scenario)
    scoreboard = game.scoreboard(game.start())
    held = {key: scoreboard.holder(goal) for key, goal in scenario.objectives.items() if isinstance(goal, Hold)}
    assert {key: held[key] for key in occupied(scenario)} == {
        key: side for key, (side, _) in occupied(scenario).items()
    }


@pytest.mark.parametrize("hex_cm", [15, 10])
@pytest.mark.parametrize("stacking", ["two_units", "one_unit"])
def test_the_store_is_held_on_hexes_of_any_size(hex_cm: int, stacking: str) -> None:
    scenario = load_scenario("mission_station")
    game = load_rules("afriboria", {"hex_cm": hex_cm, "stacking": stacking}).game(scenario)
    scoreboard = game.scoreboard(game.start())
    goals = scenario.objectives
    assert {scoreboard.holder(goals[key]) for key in ("store_held", "hospital_held")} == {"british"}
