"""Evaluation of points, and a shortcut that finds the best one without checking all suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.battle.positions.move_suggestions import MoveSuggestions
from zareba.plugins.ruleset import Evaluation
from zareba.space.geometry import Point
from zareba.table import LazyOptions, Place
from zareba_rulesets.fixed_baynet.estimates.objectives import SideObjectives
from zareba_rulesets.fixed_baynet.estimates.positions import NOTHING, PositionValue
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle

__all__ = ["best_places", "value_deployment", "value_points"]


def value_points(battle: Battle, mission: SideObjectives, question: Any) -> list[Evaluation]:
    """Return the evaluation of each suggested point of a move or ride."""
    unit = battle.units.get(question.actor)
    if unit is None:
        return [NOTHING] * len(question.suggestions)
    positions = PositionValue(UnitView(battle, mission, unit))
    return [positions.evaluate(point) for point in question.suggestions]


def value_deployment(battle: Battle, mission: SideObjectives, question: Any) -> list[Evaluation]:
    """Return the evaluation of deployment points: where the scenario puts a unit, or as near as there is room."""
    return [_value_of_spot(index) for index in range(len(question.suggestions))]


def _value_of_spot(index: int) -> Evaluation:
    return Evaluation(ground=-0.001 * index, reason="where the scenario puts it (FBN-011)")


def best_places(battle: Battle, mission: SideObjectives, question: Place) -> Mapping[Point, Evaluation] | None:
    """Return the suggested points worth considering, with their evaluations; None if all of them have to be."""
    suggestions = question.suggestions
    if isinstance(suggestions, MoveSuggestions) and suggestions.ideal is not None and question.actor in battle.units:
        positions = PositionValue(UnitView(battle, mission, battle.units[question.actor]))
        best = positions.best(suggestions)
        return None if best is None else {best: positions.evaluate(best)}
    if question.why == "deploy at" and isinstance(suggestions, LazyOptions):
        first = next((spot for place in range(suggestions.places) if (spot := suggestions.at(place)) is not None), None)
        return None if first is None else {first: _value_of_spot(0)}
    return None
