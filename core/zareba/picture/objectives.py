"""Objectives and deployment zones on the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zareba.base.grammar import amount
from zareba.picture.label_placement import LabelPlacement, Spot, draw_name
from zareba.picture.svg import SvgCanvas, circle, group, hit_area, number, tooltip
from zareba.picture.zones import cell_outline, on_table
from zareba.presentation.board import Board
from zareba.presentation.objectives import PlacedObjective
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.scenario.placement import place_of
from zareba.space.geometry import Point

_POLE_HEIGHT = 1.5
"""Height of a flag, as a share of its size."""


def draw_objectives(scenario: Scenario, canvas: SvgCanvas, size: float, room: LabelPlacement, *, radius: bool) -> str:
    """Return a flag at every objective that has a place, and the deployment zones.

    `radius` draws the scenario's own radius of an objective too; in a game the ruleset decides how far it reaches.
    """
    zones = [
        canvas.shape(f"zone side-{number_}", area, closed=True)
        for number_, side in enumerate(scenario.sides.values())
        for area in side.deployment.values()
    ]
    return group("aims", [group("zones", zones), *_flags(scenario, canvas, size, room, radius)])


def _flags(
    scenario: Scenario, canvas: SvgCanvas, size: float, room: LabelPlacement, with_radius: bool
) -> Iterator[str]:
    planted: list[Point] = []
    flag = size * 1.3
    for key, goal in scenario.objectives.items():
        place, radius = _place(scenario, key)
        if place is None:
            continue
        at = place
        while any(abs(at[0] - x) < size and abs(at[1] - y) < size for x, y in planted):
            at = at[0] + size * 1.4, at[1]
        planted.append(at)
        x, y = at
        taken = (x - size * 0.1, y, x + flag, y + flag * _POLE_HEIGHT)
        room.keep_free(taken)
        words = f"{goal.name}: {amount(goal.points, 'point')}"
        spots = [
            Spot(x, y, "s"),
            Spot(x, y + flag * _POLE_HEIGHT, "n"),
            Spot(x + flag, y + flag, "e"),
            Spot(x - size * 0.1, y + flag, "w"),
            Spot(x + flag, y, "se"),
            Spot(x, y, "sw"),
        ]
        parts = [tooltip(f"Objective: {words}")]
        if radius and with_radius:
            parts.append(circle(*canvas.xy(place), radius, "reach"))
        box = " ".join(
            map(number, (x - size * 0.1, canvas.depth - y - flag * _POLE_HEIGHT, x + flag, canvas.depth - y))
        )
        parts.append(
            group("flag", [hit_area(taken, canvas), canvas.use("flag", at, scale=flag)], f' data-taken="{box}"')
        )
        parts.append(draw_name(words, "aim-name", spots, canvas, size, room))
        yield group("aim", parts, f' data-aim="{key}"')


def _place(scenario: Scenario, key: str) -> tuple[Point | None, float]:
    """Return the place of an objective and the radius around it that counts, 0 if it has none."""
    goal = scenario.objectives[key]
    if isinstance(goal, CarryOff):
        return scenario.objects[goal.object].position, 0.0
    radius = goal.radius if isinstance(goal, (Hold, Escort)) and goal.at is not None else 0.0
    return place_of(scenario, goal), radius


def draw_reaches(board: Board, canvas: SvgCanvas, objectives: Sequence[PlacedObjective]) -> str:
    """Return where troops count for each objective, in the colour of the side that holds it."""
    sides = {side: index for index, side in enumerate(board.sides)}
    drawn = []
    for objective in objectives:
        kind = f"side-{sides[objective.holder]}" if objective.holder in sides else "unheld"
        parts = [tooltip(objective.words), *_reach(board, canvas, objective)]
        drawn.append(group(f"held {kind}", parts, f' data-held="{objective.id}"'))
    return group("reaches", drawn)


def _reach(board: Board, canvas: SvgCanvas, objective: PlacedObjective) -> Iterator[str]:
    reach, width = objective.area, number(2 * objective.area.within * board.inches)
    if reach.cells:
        outlines = [canvas.path(cell_outline(board, cell), closed=True) for cell in reach.cells]
        yield f'<path class="ring" d="{"".join(outlines)}"/>'
    elif reach.at is not None:
        yield circle(*canvas.xy(on_table(board, reach.at)), reach.within * board.inches, "ring")
    else:
        for outline in reach.outlines:
            path = canvas.path([on_table(board, point) for point in outline], closed=reach.is_area)
            yield f'<path class="halo{"" if reach.is_area else " line"}" d="{path}" stroke-width="{width}"/>'
            if reach.is_area and len(reach.outlines) == 1:
                yield f'<path class="ring" d="{path}"/>'
