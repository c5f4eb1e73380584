"""The prospect of a side: it rises with places held and ways shortened, and sums up what can still be scored."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.scenario.objective_area import ObjectiveArea
from zareba.table import SeededTable


def test_the_distance_to_an_area_is_zero_inside() -> None:
    square = ObjectiveArea("within 2", outlines=(((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)),), within=2.0)
    assert square.distance((1.0, 1.0)) == 0
    assert square.distance((5.0, 1.0)) == 0
    assert square.distance((10.0, 1.0)) == pytest.approx(4.0)
    assert ObjectiveArea("within 1", at=(0.0, 0.0), within=1.0).distance((0.0, 5.0)) == pytest.approx(4.0)


@pytest.mark.parametrize("ruleset", ["vcc", "afriboria", "risk_factor"])
def test_prospects_lie_between_0_and_1_and_agree_with_the_result(ruleset: str) -> None:
    """At every turn they lie between 0 and 1; the side with far more points at the end has the better one there."""
    game: Any = load_rules(ruleset).game(load_scenario("patrol_clash"))
    state = game.start()
    players = {side: make_agent("doctrine", game, side, 3) for side in game.seats}
    table = SeededTable(game.rules, state, 3, players)
    turn = -1
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        if game.game_turn(state) != turn:
            turn = game.game_turn(state)
            assert all(0 <= game.advisor.prospect(state, side) <= 1 for side in game.seats)
    last = {side: game.advisor.prospect(state, side) for side in game.seats}
    points = game.play.outcome(state).points
    first, second = game.seats
    if abs(points[first] - points[second]) >= 3:
        assert (points[first] > points[second]) == (last[first] > last[second])


@pytest.mark.parametrize("ruleset", ["vcc", "afriboria"])
def test_a_way_is_zero_at_the_place_and_grows_with_distance(ruleset: str) -> None:
    game: Any = load_rules(ruleset).game(load_scenario("patrol_clash"))
    state = game.start()
    table = SeededTable(game.rules, state, 1, {side: make_agent("doctrine", game, side, 1) for side in game.seats})
    goals = {key: goal for key, goal in game.scenario.objectives.items() if goal.kind == "hold"}
    was_there = False
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        board = game.scoreboard(state)
        for men in board.men if goals else ():
            for key, goal in goals.items():
                way = board.turns_to_reach(men, key, goal)
                if way is not None and men.fate == "ready":
                    assert (way == 0) == board.is_at(men, key, goal)
                    was_there |= way == 0
    assert was_there


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_ruleset_has_a_prospect_at_the_start(ruleset: str) -> None:
    game: Any = load_rules(ruleset).game(load_scenario("patrol_clash"))
    state = game.start()
    assert all(0 <= game.advisor.prospect(state, side) <= 1 for side in game.seats)
