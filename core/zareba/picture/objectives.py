"""Objectives and deployment zones on the map."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.picture.label_placement import LabelPlacement
from zareba.picture.svg import SvgCanvas, escape_text, group, number, text
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.scenario.placement import place_of
from zareba.space.geometry import Point

__all__ = ["draw_objectives"]


def draw_objectives(scenario: Scenario, sheet: SvgCanvas, size: float, room: LabelPlacement) -> str:
    """Return a flag at every objective that has a place, and the deployment zones."""
    zones = [
        sheet.shape(f"zone side-{number_}", area, closed=True)
        for number_, side in enumerate(scenario.sides.values())
        for area in side.deployment.values()
    ]
    return group("aims", [group("zones", zones), *_flags(scenario, sheet, size, room)])


def _flags(scenario: Scenario, sheet: SvgCanvas, size: float, room: LabelPlacement) -> Iterator[str]:
    planted: list[Point] = []
    for key, goal in scenario.objectives.items():
        place, radius = _place(scenario, key)
        if place is None:
            continue
        at = place
        while any(abs(at[0] - x) < size and abs(at[1] - y) < size for x, y in planted):
            at = at[0] + size * 1.4, at[1]
        planted.append(at)
        words = f"{goal.name}: {goal.points} point{'s' if goal.points != 1 else ''}"
        x, y = at
        below = [(x, y - size * (0.95 + step)) for step in range(5)]
        name = room.first([*below, (x, y + size * 2.4)], size * 0.22 * len(words), size * 0.7, size * 0.2)
        parts = [escape_text(f"Objective: {words}")]
        if radius:
            cx, cy = sheet.xy(place)
            parts.append(f'<circle class="reach" cx="{cx}" cy="{cy}" r="{number(radius)}"/>')
        parts.append(sheet.use("flag", at, scale=size * 1.3))
        parts.append(text(*sheet.xy(name), size * 0.8, words, "aim-name"))
        yield group("aim", parts, f' data-aim="{key}"')


def _place(scenario: Scenario, key: str) -> tuple[Point | None, float]:
    """Return the place of an objective and the radius around it that counts, 0 if it has none."""
    goal = scenario.objectives[key]
    if isinstance(goal, CarryOff):
        return scenario.objects[goal.object].position, 0.0
    radius = goal.radius if isinstance(goal, (Hold, Escort)) and goal.at is not None else 0.0
    return place_of(scenario, goal), radius
