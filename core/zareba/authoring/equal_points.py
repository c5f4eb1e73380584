"""Balance a scenario: change the number of figures until all sides are worth the same points.

No rulebook here prices units, so the points are zareba's own estimate (`zareba.authoring.forces`). It is the same
under all rulesets, so that a comparison of rulesets plays one and the same battle.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zareba.authoring.forces import worth
from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import MAX_NAME
from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.vocabulary import CREWED

MOST_FACTOR = 2.0
"""The greatest factor by which a unit is made stronger or weaker; beyond it, the battle would be a different one."""
_TITLE_ENDING = ", forces of equal points"

_Units = Mapping[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class EqualPoints:
    """A scenario that was changed to give all sides equal points."""

    text: str
    """The text of the changed scenario file."""
    scenario: Scenario
    before: Mapping[str, float]
    """The points of each side in the original scenario."""
    now: Mapping[str, float]
    """The points of each side in the changed scenario."""
    men: Mapping[str, tuple[int, int]]
    """The figures of each changed unit, before and now."""

    def save_in(self, folder: Path) -> Path:
        """Write the changed scenario into a folder and return its file."""
        file = folder / f"{self.scenario.id}_equal_points.yaml"
        file.write_text(self.text, encoding="utf-8")
        return file


def with_equal_points(scenario: Scenario) -> EqualPoints:
    """Return the scenario with its infantry and mounted units changed so that all sides have equal points.

    All figures of a side change by one factor. The target is the mean of all sides, met as nearly as whole figures
    allow. Guns and their crews, wagons, civilians, leaders and overrides for one ruleset stay unchanged. Raises
    ZarebaError if a side would need more than twice or less than half its figures.
    """
    all_units = scenario.model_dump(mode="json")["units"]
    sides = {side: {key: all_units[key] for key in scenario.units_of(side)} for side in scenario.sides}
    before = {side: _points(units) for side, units in sides.items()}
    target = sum(before.values()) / len(before)
    men = {
        key: figures
        for side, units in sides.items()
        for key, figures in _figures_for(scenario.sides[side].name, units, target).items()
    }
    data = scenario.model_dump(mode="json", exclude_unset=True)
    data["title"] = scenario.title[: MAX_NAME - len(_TITLE_ENDING)] + _TITLE_ENDING
    for key, figures in men.items():
        data["units"][key]["figures"] = all_units[key]["figures"] = figures
    text = json.dumps(data, ensure_ascii=False)
    changed = {
        key: (scenario.units[key].figures, now) for key, now in men.items() if now != scenario.units[key].figures
    }
    after = {side: _points(units) for side, units in sides.items()}
    return EqualPoints(text, parse_scenario(text, scenario.id), before, after, changed)


def _points(units: _Units) -> float:
    return math.fsum(worth(unit) for unit in units.values())


def _figures_for(side: str, units: _Units, target: float) -> dict[str, int]:
    """Return the figures of the units of a side that may change, so that the whole side has `target` points."""
    points_per_figure = {
        key: worth(unit) / unit["figures"] for key, unit in units.items() if unit["arm"] not in CREWED and worth(unit)
    }
    changeable = math.fsum(points * units[key]["figures"] for key, points in points_per_figure.items())
    fixed = _points(units) - changeable
    factor = (target - fixed) / changeable if changeable else 0.0
    if not 1 / MOST_FACTOR <= factor <= MOST_FACTOR:
        raise ZarebaError(
            f"{side} is worth about {fixed + changeable:.0f} points ({fixed:.0f} of them in guns) and would need {target:.0f}."
            f" Figures may change by a factor of at most {MOST_FACTOR:g}; change its units yourself"
        )
    exact = {key: units[key]["figures"] * factor for key in points_per_figure}
    men = {key: max(1, math.floor(figures)) for key, figures in exact.items()}
    # Units that lost most by rounding down get a figure back first, while the side is short of points.
    for key in sorted(exact, key=lambda key: (men[key] - exact[key], key)):
        missing = target - fixed - math.fsum(points * men[unit] for unit, points in points_per_figure.items())
        if missing > points_per_figure[key] / 2:
            men[key] += 1
    return men
