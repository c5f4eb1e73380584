"""Dice helpers for house rules: each helper of `zareba.api` asks the table once and reads the result as documented."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from zareba.api import Outcome, add_points, draw_one, roll_at_least, roll_on_chart
from zareba.table import ScriptedTable

TOLD: dict[str, Any] = {"why": "luck", "rule": "HOUSE-1"}


def table(*answers: Any) -> ScriptedTable:
    nothing: Any = SimpleNamespace(roll_hooks=())
    return ScriptedTable(nothing, None, [("luck", answer) for answer in answers])


@pytest.mark.parametrize(("face", "passed"), [(3, False), (4, True), (6, True)])
def test_roll_at_least_passes_from_its_number_upwards(face: int, passed: bool) -> None:
    with table([face]) as thrown:
        assert roll_at_least(thrown, 4, "well", "badly", **TOLD) is passed


def test_a_row_of_a_chart_applies_up_to_the_next() -> None:
    lines = {1: "fair", 5: "dust", 6: "rain"}
    with table(*([face] for face in range(1, 7))) as thrown:
        assert [roll_on_chart(thrown, lines, **TOLD) for _ in range(6)] == ["fair"] * 4 + ["dust", "rain"]


def test_draw_one_draws_among_copies_and_not_from_a_single_name() -> None:
    class Piles(ScriptedTable):
        def draw(self, pile: Any, **told: Any) -> str:
            assert pile == {"bad": 2, "good": 1}
            return super().draw(pile, **told)

    nothing: Any = SimpleNamespace(roll_hooks=())
    with Piles(nothing, None, [("luck", "bad")]) as drawn:
        assert draw_one(drawn, ["bad", "good", "bad"], "what happens", **TOLD) == "bad"
    with table() as drawn:
        assert draw_one(drawn, ["only", "only"], "what happens", **TOLD) == "only"


def test_highest_points_after_additions_win_and_equal_points_are_a_draw() -> None:
    outcome = Outcome("red", {"red": 5, "blue": 4.5}, "turn_limit", "strength")
    assert add_points(outcome, {}) == outcome
    assert add_points(outcome, {"blue": 1}) == Outcome("blue", {"red": 5, "blue": 5.5}, "turn_limit", "strength")
    assert add_points(outcome, {"blue": 0.5}).winner is None
