"""A scenario as one side may know it: without the units that enemies hide."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pydantic import ValidationError

from zareba.base.state import canonical_json
from zareba.scenario.model import Scenario

__all__ = ["as_known_to", "held_back", "hidden_from"]


def hidden_from(scenario: Scenario, readers: Collection[str]) -> frozenset[str]:
    """Return the ids of the units hidden from at least one of these sides, and of the leaders with them."""
    units = {
        key for key, unit in scenario.units.items() if unit.hidden and any(reader != unit.side for reader in readers)
    }
    return frozenset(units | {key for key, leader in scenario.leaders.items() if leader.unit in units})


def held_back(scenario: Scenario, unit: str) -> bool:
    """Return True if a unit is hidden and due after the last turn: only a house rule brings it on."""
    one = scenario.units[unit]
    return one.hidden and one.arrival is not None and one.arrival.turn > scenario.turns


def as_known_to(scenario: Scenario, readers: Collection[str]) -> Scenario | None:
    """Return the scenario without everything that it hides from one of these sides; None if no valid battle remains.

    Removed are the units, the leaders with them, the objects they carry, and everything that names them.
    """
    hidden = hidden_from(scenario, readers)
    if not hidden:
        return scenario
    data = scenario.model_dump(mode="json", exclude_defaults=True)
    for part in ("units", "leaders", "overrides"):
        data[part] = _without(data.get(part, {}), hidden)
    data["objects"] = {key: one for key, one in data.get("objects", {}).items() if one.get("carrier") not in hidden}
    lost = scenario.objects.keys() - data["objects"].keys()
    data["objectives"] = {
        key: goal
        for key, goal in data.get("objectives", {}).items()
        if not hidden.intersection(goal.get("units", ()))
        and goal.get("leader") not in hidden
        and goal.get("object") not in lost
    }
    data["hidden"] = {}
    try:
        return Scenario.model_validate_json(canonical_json(data), strict=True)
    except ValidationError:
        return None


def _without(value: Any, ids: Collection[str]) -> Any:
    """Return data without these ids, neither as keys nor as members of lists."""
    if isinstance(value, dict):
        return {key: _without(held, ids) for key, held in value.items() if key not in ids}
    if isinstance(value, list):
        return [_without(held, ids) for held in value if not isinstance(held, str) or held not in ids]
    return value
