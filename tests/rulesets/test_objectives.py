"""Without enemies in the way, an AI player reaches its objective under every ruleset, for every kind of objective."""

from __future__ import annotations

from typing import Any

import pytest
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.registry import load_rules
from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.scenario.victory import Scoreboard
from zareba.table import SeededTable

SCENARIO = """
id: errand
title: An errand
year: 1897
place: made up
note: The enemy is expected when it is over.
turns: 12
table: {{width: 48, depth: 32}}
terrain: {terrain}
sides:
  us: {{name: Us, role: attacker, home_edge: west, deployment: {{road: [[6, 4], [20, 4], [20, 28], [6, 28]]}}}}
  them: {{name: Them, role: defender, home_edge: east, deployment: {{hill: [[30, 2], [47, 2], [47, 30], [30, 30]]}}}}
leaders:
  major: {{name: The major, side: us, rank: commander, unit: guard}}
  chief: {{name: The chief, side: them, rank: commander, unit: watch}}
units:
  guard:
    {{side: us, name: The guard, arm: infantry, kind: european_regular, figures: 20, weapon: breech_rifle,
      close_weapon: bayonet, position: [12, 12], facing: east}}
  second:
    {{side: us, name: The second, arm: infantry, kind: european_regular, figures: 16, weapon: breech_rifle,
      close_weapon: bayonet, position: [12, 20], facing: east}}
  watch:
    {{side: them, name: The watch, arm: infantry, kind: tribal, figures: 6, weapon: none, close_weapon: spear,
      arrival: {{turn: 12, edge: east, at: [48, 30]}}, facing: west}}
objects:
  chest: {{name: The chest, kind: paychest, position: [22, 16]}}
objectives:
  errand: {{name: The errand, by: [us], points: 5, {goal}}}
  stay: {{kind: survive, name: Stay, by: [them], points: 1, turn: 12, share: 0.5}}
"""
VILLAGE = "{huts: {kind: village, name: Huts, area: [[24, 12], [30, 12], [30, 20], [24, 20]], material: adobe}}"
HILL = "{rise: {kind: hill, name: Rise, slope: gentle, area: [[24, 10], [32, 10], [32, 22], [24, 22]]}}"
RIVER = """{
  river: {kind: river, name: River, line: [[22, 0], [22, 32]], depth: deep},
  ford: {kind: ford, name: Ford, line: [[20, 24], [24, 24]]}}"""
ERRANDS = {
    "hold a point": ("{}", "kind: hold, at: [30, 16], radius: 3"),
    "hold a village": (VILLAGE, "kind: hold, terrain: huts"),
    "hold a hill": (HILL, "kind: hold, terrain: rise"),
    "hold a point beyond a ford": (RIVER, "kind: hold, at: [30, 20], radius: 6"),
    "carry off": ("{}", "kind: carry_off, object: chest, edge: west"),
    "escort to a place": ("{}", "kind: escort, units: [second], at: [34, 20], radius: 4, share: 0.5"),
    "escort off the far edge": ("{}", "kind: escort, units: [second], edge: east, share: 0.5"),
    "escort off the side": ("{}", "kind: escort, units: [second], edge: north, share: 0.5"),
}


def is_run(scoreboard: Scoreboard[Any], scenario: Scenario) -> bool:
    """Return True if the objective is reached."""
    goal = scenario.objectives["errand"]
    if isinstance(goal, Hold):
        return scoreboard.holder(goal) == "us"
    if isinstance(goal, CarryOff):
        return scoreboard.carried_off(goal) == "us"
    assert isinstance(goal, Escort)
    return scoreboard.share_brought(goal) >= goal.share


@pytest.mark.parametrize("errand", ERRANDS)
@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_ai_players_carry_out_objectives_of_a_house_rule(ruleset: str, errand: str) -> None:
    terrain, goal = ERRANDS[errand]
    game = load_rules(ruleset).game(parse_scenario(SCENARIO.format(terrain=terrain, goal=goal), "errand.yaml"))
    run = 0
    for seed in range(3):
        state = game.start()
        table = SeededTable(
            game.rules, state, seed, {side: make_agent("doctrine", game, side, seed) for side in game.seats}
        )
        while (step := game.play.next_step(state)) is not None and "errand" not in state.achieved:
            table.begin(step)
            game.play.perform(table, state, step)
        run += is_run(game.scoreboard(state), game.scenario)
    assert run >= 2
