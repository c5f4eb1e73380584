"""Scenario files: their vocabulary, how they are read and checked, and the scenarios shipped with zareba."""

from __future__ import annotations

from zareba.scenario.check import check_scenario
from zareba.scenario.load import (
    known_scenarios,
    load_scenario,
    parse_scenario,
    read_scenario,
    scenario_schema,
    scenario_text,
    shipped_scenarios,
)
from zareba.scenario.model import Arrival, Leader, Scenario, Side, Terrain, Unit
from zareba.scenario.placement import arrival_point, starting_positions

__all__ = [
    "Arrival",
    "Leader",
    "Scenario",
    "Side",
    "Terrain",
    "Unit",
    "arrival_point",
    "check_scenario",
    "known_scenarios",
    "load_scenario",
    "parse_scenario",
    "read_scenario",
    "scenario_schema",
    "scenario_text",
    "shipped_scenarios",
    "starting_positions",
]
