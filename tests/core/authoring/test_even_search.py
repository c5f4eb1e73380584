"""The search for even forces (`make even`): it finds the figures and units with which invented results are even."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests import even_forces
from tests.even_forces import Change, EvenForcesSearch, Result

from zareba.scenario import Scenario, load_scenario, parse_scenario

BATTLE = load_scenario("patrol_clash")
RULESET = "paychest"
INFANTRY = ("fusiliers", "sikhs")

Figures = dict[str, int]


def search(monkeypatch: pytest.MonkeyPatch, lead_of: Callable[[Figures], float], stronger: int = 0) -> Change | None:
    """Return what the search finds if the first side is `lead_of` its and the enemy's figures points ahead."""

    def play(battle: Scenario, change: Change, _ruleset: str, _games: int, seed: int) -> Result:
        units = parse_scenario(change.text(battle), battle.id).units
        lead = lead_of({key: unit.figures for key, unit in units.items()})
        return Result(min(1.0, max(0.0, 0.5 + lead / 2)), lead)

    monkeypatch.setattr(even_forces, "play", play)
    found = EvenForcesSearch(BATTLE, RULESET, stronger).find()
    return found and found[0]


def infantry(figures: Figures) -> int:
    return sum(figures.get(key, 0) for key in INFANTRY)


def test_fewer_figures_are_tried_before_a_unit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    found = search(monkeypatch, lambda figures: (infantry(figures) - 15) / 5)
    assert found is not None and not found.without
    assert infantry({key: unit.figures for key, unit in parse_scenario(found.text(BATTLE), "x").units.items()}) == 15


def test_the_second_side_loses_figures_if_it_is_stronger(monkeypatch: pytest.MonkeyPatch) -> None:
    found = search(monkeypatch, lambda figures: (30 - figures["swordsmen"] - figures["young_men"]) / 5, stronger=1)
    assert found is not None and not found.without and found.forces > 100


def test_the_units_that_matter_most_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    worth = {"lancers": 4, "mountain_gun": 5, "sikhs": 0.5, "fusiliers": 0.5}
    found = search(monkeypatch, lambda figures: sum(worth.get(key, 0) for key in figures) - 1)
    assert found == Change(100, ("lancers", "mountain_gun"))


def test_the_search_returns_none_if_no_choice_is_even(monkeypatch: pytest.MonkeyPatch) -> None:
    assert search(monkeypatch, lambda figures: 5.0) is None
    assert search(monkeypatch, lambda figures: 5.0 if "mountain_gun" in figures else -5.0) is None
