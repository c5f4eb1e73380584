"""What a ruleset's scoreboard and display find without listing all figures agrees with the full list."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.game.parts.display import Display
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.scenario.model import Hold
from zareba.scenario.victory import Scoreboard
from zareba.table import SeededTable

FIELD = ("ready", "going back", "coming")


def check_shortcuts(quick: Scoreboard[Any], listed: Scoreboard[Any]) -> None:
    """Compare a scoreboard whose groups are not listed with one whose groups are."""
    men = listed.men
    for side in listed.scenario.sides:
        assert quick.numbers_of_side(side) == Scoreboard.numbers_of_side(listed, side)
        ready = [man for man in men if man.side == side and man.unit and man.number and man.fate in FIELD]
        assert quick.last or quick.can_act(side) == bool(ready)
        own = tuple(listed.scenario.units_of(side))
        for units in (own, own[:2], own[-1:]):
            assert quick.numbers(units) == Scoreboard.numbers(listed, units)
            assert sorted(map(str, quick.groups_of_units(units))) == sorted(
                str(man) for man in men if man.unit in units
            )
    for key, goal in listed.scenario.objectives.items():
        if isinstance(goal, Hold):
            assert set(quick.sides_at(key, goal)) == set(Scoreboard.sides_at(listed, key, goal))


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_shortcuts_agree_with_the_listed_groups(ruleset: str) -> None:
    scenario = load_scenario("patrol_clash").model_copy(update={"turns": 4})
    game = load_rules(ruleset).game(scenario)
    state = game.start()
    table = SeededTable(game.rules, state, 5, {side: make_agent("random", game, side, 5) for side in game.seats})
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        check_shortcuts(game.scoreboard(state), game.scoreboard(state))
        assert dict(game.display.markers(state)) == dict(Display.markers(game.display, state))
