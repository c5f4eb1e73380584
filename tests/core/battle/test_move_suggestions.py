"""Destinations a unit may move to are computed only as far as a caller reads them."""

from __future__ import annotations

from zareba.battle.positions import MoveSuggestions, StepSuggestions
from zareba.space import Point
from zareba.table import MoveCost


def test_suggestions_by_bearings_reach_the_legal_limit_and_check_each_point_once() -> None:
    checked: list[Point] = []

    def legal(point: Point) -> str | None:
        checked.append(point)
        return None if point[1] < 4 else "too far north"

    suggestions = MoveSuggestions.by_bearings((0.0, 0.0), (0.0, 90.0), lambda _: (6.0, 3.0), legal)
    assert bool(suggestions) and checked == [(0.0, 6.0), (0.0, 3.0)], "the second direction is not computed"
    assert list(suggestions) == [(0.0, 3.0), (6.0, 0.0)] and len(checked) == 3
    assert not list(MoveSuggestions.by_bearings((0.0, 0.0), (0.0,), lambda _: (6.0,), lambda _: "no"))


class FiguresByAWall:
    """Figures that can move a distance of 5 or 2, but never more than `north` to the north."""

    lengths = (5.0, 2.0)

    def __init__(self, north: float) -> None:
        self.north = north

    def reason_against(self, dx: float, dy: float) -> str | None:
        return "a wall" if dy > self.north else None

    def cost(self, dx: float, dy: float) -> MoveCost:
        return MoveCost((dx * dx + dy * dy) ** 0.5, 5.0)


def test_steps_lead_to_goals_by_the_longest_step_and_back() -> None:
    free = StepSuggestions(FiguresByAWall(9.0), (10.0, 10.0), [(10.0, 40.0)], lambda _: None)
    assert list(free)[:2] == [(10.0, 15.0), (10.0, 5.0)]
    assert free.cost is not None and free.cost((10.0, 13.0)) == MoveCost(3.0, 5.0)
    short = StepSuggestions(FiguresByAWall(2.5), (10.0, 10.0), [(10.0, 40.0)], lambda _: None)
    assert short.at(0) == (10.0, 12.0)
    near = StepSuggestions(FiguresByAWall(9.0), (10.0, 10.0), [(10.0, 11.0)], lambda _: None)
    assert near.at(0) == (10.0, 11.0), "no step goes beyond the goal"
    aslant = StepSuggestions(FiguresByAWall(1.5), (10.0, 10.0), [(10.0, 40.0)], lambda _: None)
    point = aslant.at(0)
    assert point is not None and point[0] != 10.0 and 10.0 < point[1] <= 11.5, "around the obstacle"
    falls_back = StepSuggestions(
        FiguresByAWall(9.0), (10.0, 10.0), [(10.0, 40.0)], lambda at: "on" if at[1] > 10 else None, back=True
    )
    assert all(y <= 10 for _, y in falls_back)
