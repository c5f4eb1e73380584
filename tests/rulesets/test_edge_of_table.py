"""Figures stay on the board, however narrow it is: at set-up, on arrival and in play."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from tests.rulesets.random_games import play

from zareba.plugins.ruleset import Game
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import Scenario, parse_scenario

SLACK = 1e-6
PLAYER_TURNS = 2
"""Factor on the scenario's turns, because some rulesets count player turns."""


def narrow(width: float, depth: float) -> Scenario:
    """A battle of large units on a board too narrow for their usual formations."""
    south, north = (0.1 * depth, 0.3 * depth), (0.6 * depth, 0.9 * depth)
    west, east = 0.1 * width, 0.4 * width
    doc: dict[str, Any] = {
        "id": "narrow",
        "title": "The defile",
        "year": 1880,
        "place": "nowhere",
        "note": "A long defile.",
        "turns": 2,
        "table": {"width": width, "depth": depth},
        "terrain": {
            "wood": {
                "kind": "dense_wood",
                "area": [[0.4 * width, 0.3 * depth], [0.6 * width, 0.3 * depth], [0.5 * width, 0.6 * depth]],
            }
        },
        "sides": {
            side: {
                "name": side.title(),
                "role": role,
                "home_edge": edge,
                "deployment": {"home": [[west, low], [east, low], [east, high], [west, high]]},
            }
            for side, role, edge, (low, high) in (
                ("red", "attacker", "south", south),
                ("blue", "defender", "north", north),
            )
        },
        "units": {
            "crowd": _unit("red", 60, "mass"),
            "line": _unit("red", 30, None),
            "late": _unit("red", 20, "open_order") | {"arrival": {"turn": 1, "edge": "west"}},
            "riders": _unit("blue", 24, "open_order") | {"arm": "cavalry"},
            "foes": _unit("blue", 30, None),
        },
        "objectives": {"last": {"kind": "destroy", "name": "Drive them off", "share": 0.5}},
    }
    return parse_scenario(json.dumps(doc), "narrow.yaml")


def _unit(side: str, figures: int, formation: str | None) -> dict[str, Any]:
    unit = {
        "name": f"{figures} of {side}",
        "side": side,
        "arm": "infantry",
        "kind": "tribal",
        "figures": figures,
        "weapon": "jezail",
        "close_weapon": "sword",
    }
    return unit if formation is None else unit | {"formation": formation}


def off_the_table(game: Game[Any], state: Any) -> Iterator[str]:
    """Return descriptions of the figures that are off the board."""
    board, table = game.display.board(state), game.scenario.table
    width, depth = table.width / board.inches, table.depth / board.inches
    for piece in board.pieces if board.space == "free" else ():
        for x, y, *_ in piece.look.men or [(piece.x, piece.y)]:
            if not (-SLACK <= x <= width + SLACK and -SLACK <= y <= depth + SLACK):
                yield f"{piece.id} at {x:.2f} {y:.2f}"


@pytest.mark.parametrize(("width", "depth"), [(12, 120), pytest.param(120, 12, marks=pytest.mark.deep)])
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_no_figure_leaves_a_narrow_table(ruleset: str, width: float, depth: float) -> None:
    game: Game[Any] = load_rules(ruleset).game(narrow(width, depth))
    assert not list(off_the_table(game, game.start()))

    def look(state: Any, step: str, events: Sequence[Any]) -> None:
        assert not list(off_the_table(game, state)), step

    play(game, 1, look, turns=PLAYER_TURNS * game.scenario.turns)
