"""What is fought for, and where the sides set up and come on."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.picture.svg import Sheet, group, number, said, text
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.space.geometry import Point, bounds

__all__ = ["draw_aims"]

NEAR = 8.0
"""Inches within which two names beside each other would run into one."""


def draw_aims(scenario: Scenario, sheet: Sheet, size: float) -> str:
    """A flag at every objective that has a place, and the zones of deployment."""
    zones = [
        sheet.shape(f"zone side-{number_}", area, closed=True)
        for number_, side in enumerate(scenario.sides.values())
        for area in side.deployment.values()
    ]
    return group("aims", [group("zones", zones), *_flags(scenario, sheet, size)])


def _flags(scenario: Scenario, sheet: Sheet, size: float) -> Iterator[str]:
    named: list[Point] = []
    for key, goal in scenario.objectives.items():
        at, radius = _place(scenario, key)
        if at is None:
            continue
        below = size * 0.9
        while any(abs(at[0] - x) < NEAR and abs(at[1] - below - y) < size for x, y in named):
            below += size
        named.append((at[0], at[1] - below))
        x, y = sheet.xy(at)
        words = f"{goal.name}: {goal.points} point{'s' if goal.points != 1 else ''}"
        parts = [said(f"Objective: {words}")]
        if radius:
            parts.append(f'<circle class="reach" cx="{x}" cy="{y}" r="{number(radius)}"/>')
        parts.append(sheet.use("flag", at, scale=size * 1.3))
        parts.append(text(x, number(float(y) + below), size * 0.8, words, "aim-name"))
        yield group("aim", parts, f' data-aim="{key}"')


def _place(scenario: Scenario, key: str) -> tuple[Point | None, float]:
    """Where an objective lies, and the radius about it that counts, if one does."""
    goal = scenario.objectives[key]
    if isinstance(goal, Hold):
        if goal.at is not None:
            return goal.at, goal.radius
        piece = scenario.terrain.get(goal.terrain or "")
        points = (piece.area or piece.line) if piece is not None else None
        if points:
            west, south, east, north = bounds(points)
            return ((west + east) / 2, (south + north) / 2), 0.0
    if isinstance(goal, Escort) and goal.at is not None:
        return goal.at, goal.radius
    if isinstance(goal, CarryOff):
        return scenario.objects[goal.object].position, 0.0
    return None, 0.0
