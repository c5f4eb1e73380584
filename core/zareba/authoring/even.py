"""Even forces: a battle with its figures changed so that, under one ruleset, each side wins about half of the games.

The factors are measured with AI players and shipped as data (`make even`). A battle or ruleset without data has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import sqrt
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import MAX_NAME
from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.model import MAX_FIGURES
from zareba.scenario.vocabulary import CREWED

EVEN = (0.4, 0.6)
"""The share of wins between which a battle counts as even."""
_TITLE_ENDING = ", even forces"


@dataclass(frozen=True, slots=True)
class EvenForces:
    """What is known about a battle under a ruleset.

    `ratio` is the factor by which the first side grows against the second: its figures are multiplied by the square
    root of it, and those of the second side divided by it; None if no ratio was found. `chances` are the shares of
    wins of each side with the shipped forces, and `even_chances` those with the changed ones, a draw counting as half, over
    `games` games each between `player` players.
    """

    ratio: float | None
    chances: Mapping[str, float]
    even_chances: Mapping[str, float]
    games: int
    player: str


def even_forces(scenario: Scenario, lineage: tuple[str, ...]) -> EvenForces | None:
    """Return what was measured for a battle under the first ruleset of a lineage that has data; None without data."""
    measured = _measured().get(scenario.id, {})
    if measured.get("scenario") != scenario.digest:  # the battle has changed since
        return None
    found = next((measured["rulesets"][name] for name in lineage if name in measured["rulesets"]), None)
    if found is None:
        return None
    return EvenForces(found["ratio"], found["chances"], found["even_chances"], found["games"], found["player"])


def with_even_forces(scenario: Scenario, lineage: tuple[str, ...]) -> Scenario:
    """Return the battle with even forces. Raises ZarebaError if none are known."""
    found = even_forces(scenario, lineage)
    if found is None or found.ratio is None:
        raise ZarebaError(
            f"no even forces are known for {scenario.id} under {lineage[0]}; find some with "
            f"'zareba balance {scenario.id} --ruleset {lineage[0]} --by UNIT.figures'"
        )
    return with_ratio(scenario, found.ratio)


def with_ratio(scenario: Scenario, ratio: float) -> Scenario:
    """Return a battle of two sides with the figures of the first multiplied, and of the second divided, by sqrt(`ratio`).

    Guns and their crews, wagons, civilians and leaders stay. A ratio of 1 returns the battle itself.
    """
    if ratio == 1:
        return scenario
    factors = dict(zip(scenario.sides, (sqrt(ratio), 1 / sqrt(ratio)), strict=True))
    data = scenario.model_dump(mode="json", exclude_unset=True)
    data["title"] = scenario.title[: MAX_NAME - len(_TITLE_ENDING)] + _TITLE_ENDING
    for key, unit in scenario.units.items():
        if unit.arm not in CREWED:
            figures = round(unit.figures * factors[unit.side])
            data["units"][key]["figures"] = min(MAX_FIGURES, max(1, figures))
    return parse_scenario(json.dumps(data, ensure_ascii=False), scenario.id)


@lru_cache(maxsize=1)
def _measured() -> dict[str, Any]:
    """Return the data that `make even` measured for the shipped battles."""
    data: dict[str, Any] = json.loads((resources.files("zareba.authoring") / "even.json").read_text("utf-8"))
    return data
