"""Aims are shared out among units: no place without a unit, and no more strength than a place needs."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.battle.intentions import ValuedObjective, assign_objectives

VILLAGE, KNOLL = ValuedObjective("village", 1.0, 6.0), ValuedObjective("knoll", 0.6, 4.0)


def keys(
    units: Mapping[str, float], costs: Mapping[tuple[str, str], float], *objectives: ValuedObjective
) -> dict[str, str]:
    found = assign_objectives(list(units.items()), objectives, lambda name, objective: costs.get((name, objective.key)))
    return {name: objective.key for name, objective in found.items()}


def test_each_objective_gets_the_unit_for_which_it_is_cheapest() -> None:
    costs = {("a", "village"): 0.5, ("b", "village"): 0.2, ("a", "knoll"): 0.1, ("b", "knoll"): 0.1}
    assert keys({"a": 6.0, "b": 6.0}, costs, VILLAGE, KNOLL) == {"b": "village", "a": "knoll"}


def test_a_place_is_kept_by_the_weakest_unit_on_it() -> None:
    costs = {("strong", "knoll"): 0.0, ("weak", "knoll"): 0.0, ("strong", "village"): 0.1, ("weak", "village"): 0.1}
    assert keys({"strong": 6.0, "weak": 2.0}, costs, VILLAGE, KNOLL) == {"weak": "knoll", "strong": "village"}


def test_an_objective_takes_units_until_it_has_the_strength_it_needs() -> None:
    costs = {(name, "village"): 0.1 for name in "abc"}
    assert keys(dict.fromkeys("abc", 3.0), costs, VILLAGE) == {"a": "village", "b": "village"}


def test_an_objective_that_costs_more_than_it_is_worth_gets_no_unit() -> None:
    assert keys({"a": 6.0}, {("a", "knoll"): 0.7}, KNOLL) == {}
    assert keys({"a": 6.0}, {}, KNOLL) == {}, "the unit cannot go there"
