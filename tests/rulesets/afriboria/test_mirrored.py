"""A mirrored scenario has a mirrored map: no end of the map has an advantage."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from zareba.base.exact import dist
from zareba.registry import load_rules
from zareba.scenario import Scenario
from zareba.space import HexGrid
from zareba_rulesets.afriboria.forces.battle import Plan
from zareba_rulesets.afriboria.game import AfrGame

Point = tuple[float, float]
Turn = Callable[[Point, Point], Point]

TURNS: dict[str, Turn] = {
    "north to south": lambda at, size: (at[0], size[1] - at[1]),
    "west to east": lambda at, size: (size[0] - at[0], at[1]),
    "half a turn": lambda at, size: (size[0] - at[0], size[1] - at[1]),
}
OPPOSITE = {"north": "south", "south": "north", "west": "east", "east": "west"}
AREAS = {
    "wood": ("light_wood", [(8, 10), (17, 9), (19, 16), (10, 18)]),
    "village": ("village", [(30, 20), (39, 20), (39, 26), (30, 26)]),
}
LINES = {
    "stream": ("stream", [(0, 19), (14, 21), (30, 16), (48, 18)]),
    "ford": ("ford", [(21, 17), (21, 20)]),
    "wall": ("low_wall", [(30, 12), (44, 12)]),
}
UNITS = {
    "rifles": ("red", "infantry", 12, (13, 5)),
    "guns": ("red", "artillery", 8, (21, 3)),
    "horse": ("red", "cavalry", 10, (27, 6)),
    "crowded": ("red", "infantry", 24, (27, 6)),
    "spears": ("blue", "infantry", 16, (11, 31)),
    "jezails": ("blue", "infantry", 16, (35, 33)),
}


def scenario(turn: Turn, edges: dict[str, str], size: Point, moved: dict[str, Point] | None = None) -> Scenario:
    """The test battle, mirrored. `edges` gives the new place of each edge; `moved` puts units elsewhere."""

    def at(point: Point) -> list[float]:
        return list(turn((point[0] * size[0] / 48, point[1] * size[1] / 36), size))

    areas = {key: {"kind": kind, "area": list(map(at, area))} for key, (kind, area) in AREAS.items()}
    lines = {key: {"kind": kind, "line": list(map(at, line))} for key, (kind, line) in LINES.items()}
    units: dict[str, Any] = {}
    for key, (side, arm, figures, where) in UNITS.items():
        given = {"name": key, "side": side, "arm": arm, "kind": "own_led_regular", "figures": figures}
        gun = {"gun": {"kind": "field", "pieces": 2}} if arm == "artillery" else {"weapon": "breech_rifle"}
        units[key] = given | gun | {"position": at((moved or {}).get(key, where))}
    units["relief"] = units["rifles"] | {
        "name": "relief",
        "arrival": {"turn": 2, "edge": edges["east"], "at": at((48, 9))},
    }
    del units["relief"]["position"]
    goals = {
        "village": {"kind": "hold", "name": "Village", "terrain": "village"},
        "ford": {"kind": "hold", "name": "Ford", "terrain": "ford"},
        "well": {"kind": "hold", "name": "Well", "at": at((24, 18)), "radius": 4},
        "bush": {"kind": "hold", "name": "Bush", "at": at((19.5, 28)), "radius": 1},
        "away": {"kind": "escort", "name": "Away", "units": ["guns"], "at": at((41, 29)), "by": ["red"]},
    }
    text = {
        "id": "mirrored", "title": "Mirrored", "year": 1880, "place": "Nowhere", "note": "A test.", "turns": 8, "first": "dice",
        "table": {"width": size[0], "depth": size[1]}, "terrain": areas | lines,
        "sides": {side: {"name": side, "home_edge": edges[edge], "briefing": "Win."} for side, edge in (("red", "south"), ("blue", "north"))},
        "units": units, "objectives": goals,
        "leaders": {"chief": {"name": "Chief", "side": "blue", "rank": "chief", "position": at((20, 30))}},
        "objects": {"chest": {"name": "Chest", "kind": "paychest", "position": at((33, 8))}},
    }  # fmt: skip
    return Scenario.model_validate_json(json.dumps(text))


def laid_out(plan: Plan, image: Callable[[int], int]) -> dict[str, Any]:
    """Return the parts of a plan about hexes, each hex replaced by its mirror image."""
    field = plan.field
    return {
        "ground": {image(cell): set(field.ground[cell].kinds) for cell in field.grid.cells},
        "units": {name: image(cell) for name, cell in plan.placed.items()},
        "leaders": {name: image(cell) for name, cell in plan.chiefs.items()},
        "places": {name: set(map(image, cells)) for name, cells in (plan.places | plan.areas).items()},
        "arrivals": {name: list(map(image, cells)) for name, cells in plan.entries.items()},
        "things": {name: image(cell) for name, (cell, _) in plan.carried_objects.items()},
        "last hexes": {side: set(map(image, cells)) for side, cells in field.own_edge_hexes.items()},
        "ways back": {side: {image(cell): set(map(image, back[cell])) for cell in field.grid.cells} for side, back in field.hexes_behind.items()},
    }  # fmt: skip


def mirrored(grid: HexGrid, turn: Turn) -> dict[int, int]:
    """Map each hex to its mirror image."""
    return {
        cell: next(
            other for other in grid.cells if dist(grid.centre(other), turn(grid.centre(cell), grid.extent)) < 1e-6
        )
        for cell in grid.cells
    }


@pytest.mark.rule("AFR-004", "AFR-005")
@pytest.mark.parametrize("how", TURNS)
@pytest.mark.parametrize("hex_cm", [15, 10])
@pytest.mark.parametrize("size", [(48, 36), (66, 44), (30, 30)], ids=str)
def test_a_mirrored_scenario_has_a_mirrored_board(how: str, hex_cm: int, size: Point) -> None:
    """Tested with odd and even numbers of rows and columns."""
    moves = {"north to south": ("north", "south"), "west to east": ("west", "east"), "half a turn": tuple(OPPOSITE)}[
        how
    ]
    edges = {edge: OPPOSITE[edge] if edge in moves else edge for edge in OPPOSITE}
    same = {edge: edge for edge in OPPOSITE}
    rules = load_rules("afriboria", {"hex_cm": hex_cm})
    plain = AfrGame(rules, scenario(lambda at, _: at, same, size)).plan
    turned = AfrGame(rules, scenario(TURNS[how], edges, size)).plan
    image = mirrored(plain.field.grid, TURNS[how])
    assert turned.field.grid == plain.field.grid
    assert laid_out(plain, image.__getitem__) == laid_out(turned, lambda cell: cell)


@pytest.mark.rule("AFR-004", "AFR-047")
@pytest.mark.parametrize("how", TURNS)
def test_units_on_the_rim_between_hexes_are_mirrored_too(how: str) -> None:
    """A point shared by several hexes belongs to the one nearest to the middle of the map."""
    rules = load_rules("afriboria")
    grid = AfrGame(rules, scenario(lambda at, _: at, {e: e for e in OPPOSITE}, (48, 36))).plan.field.grid
    west = (48 - grid.extent[0] * 6) / 2
    south = (36 - grid.extent[1] * 6) / 2
    corners = [
        (west + x * 6, south + y * 6) for cell in (9, 21) for x, y in grid.outline(cell) if abs(west + x * 6 - 24) > 1
    ]
    moves = {"north to south": ("north", "south"), "west to east": ("west", "east"), "half a turn": tuple(OPPOSITE)}[
        how
    ]
    edges = {edge: OPPOSITE[edge] if edge in moves else edge for edge in OPPOSITE}
    image = mirrored(grid, TURNS[how])
    for corner in corners:
        both = [
            AfrGame(rules, scenario(turn, to, (48, 36), {"spears": corner})).plan.placed["spears"]
            for turn, to in ((lambda at, _: at, {e: e for e in OPPOSITE}), (TURNS[how], edges))
        ]
        assert image[both[0]] == both[1]
