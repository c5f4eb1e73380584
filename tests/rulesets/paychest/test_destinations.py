"""Suggested destinations of a unit: computed lazily, and always a legal position."""

from __future__ import annotations

from collections import Counter
from math import dist
from random import Random
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, red, row, scene

from zareba.space import Point
from zareba.space.ground.pathfinding import Pathfinder
from zareba.table import Pause, Place, RecordedTable, SeededTable
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.chapters.marching import Mover, march
from zareba_rulesets.paychest.chapters.movement import Destinations

POND = {"pond": ("deep_water", [(0.0, 0.0), (60.0, 0.0), (60.0, 12.0), (0.0, 12.0)])}
RIVER = {
    "below": ("deep_water", [(20.0, 0.0), (24.0, 0.0), (24.0, 22.0), (20.0, 22.0)]),
    "above": ("deep_water", [(20.0, 26.0), (24.0, 26.0), (24.0, 48.0), (20.0, 48.0)]),
}
WALL = {"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])}


def destinations(place: Scene, *, onward: bool = False) -> Destinations:
    unit = place.unit("red")
    return Destinations(place.battle, unit, unit.standing.middle, 7.0, "foot", onward=onward)


def test_enemy_wall_own_edge_and_where_they_stand_are_suggested_in_this_order() -> None:
    place = scene(red(1), blue(1, y=30.0), lines=WALL)
    foe, wall, back, here = (20.0, 30.0), (20.0, 14.0), (20.0, 5.0), (20.0, 10.0)
    assert list(destinations(place)) == [foe, wall, back, here]
    assert list(destinations(place, onward=True)) == [here, foe, wall, back]


def test_without_an_edge_of_its_own_a_unit_may_go_straight_away_from_the_enemy() -> None:
    place = scene(bare_unit("red", "red", row(1)), blue(1, y=30.0), home={})
    assert list(destinations(place)) == [(20.0, 30.0), (20.0, 13.0), (20.0, 20.0)]


def test_who_can_stand_nowhere_may_stay_where_he_is() -> None:
    place = scene(red(1, y=6.0), areas=POND)
    assert list(destinations(place)) == [(20.0, 6.0)]
    assert destinations(place).any(lambda: 0.0) == (20.0, 6.0)


def test_a_program_that_takes_any_of_them_gets_each_and_looks_for_no_more_than_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = scene(red(3), blue(1, y=30.0), lines=WALL)
    looked: list[Point] = []
    heading = Pathfinder.heading

    def watched(ways: Pathfinder, start: Point, goal: Point) -> Point:
        looked.append(goal)
        return heading(ways, start, goal)

    monkeypatch.setattr(Pathfinder, "heading", watched)
    points = destinations(place)
    assert points.any(lambda: 0.99) == place.unit("red").standing.middle
    assert looked == []
    even = Random(7).random
    taken = Counter(points.any(even) for _ in range(800))
    assert set(taken) == set(points)
    assert all(150 < count < 250 for count in taken.values())


def test_from_everywhere_on_a_bank_there_is_a_way_through_the_ford() -> None:
    """The start may be right at the water, where the straight line to the next cell is blocked."""
    place = scene(red(1), blue(1, y=30.0), areas=RIVER)
    field, ways, even = place.battle.field, place.battle.field.ways["foot"], Random(3)
    goal = (28.0, 16.0)
    for _ in range(300):
        start = here = (even.uniform(14.0, 20.0), even.uniform(12.0, 36.0))
        for _ in range(12):
            here, _, _ = field.going["foot"].march(here, ways.heading(here, goal), 1000.0)
        assert here == goal, start


def test_men_whose_places_lie_in_the_water_make_for_the_place_named() -> None:
    place = scene(bare_unit("red", "red", row(8, 10.0, 8.0)), blue(1, y=30.0), areas=RIVER)
    goal = (19.0, 16.0)
    for _ in range(4):
        unit = place.unit("red")
        march(place.battle, unit, [Mover(figure, 7.0) for figure in unit.able], goal)
    assert all(figure.at is not None and dist(figure.at, goal) < 5.0 for figure in place.unit("red").able)


def test_simulations_are_given_them_unlooked_at_and_others_all_of_them() -> None:
    place = scene(red(1), blue(1, y=40.0))
    seen: list[Any] = []

    def agent(question: Any, battle: Any) -> Any:
        seen.append(question)
        return question.suggestions[0] if isinstance(question, Place) else question.options[-1]

    table = SeededTable(place.rules, place.battle, 1, {"red": agent})
    move_unit(table, place.battle, place.unit("red"))
    (offered,) = [
        question.suggestions for question in seen if isinstance(question, Place) and question.why == "move to"
    ]
    assert isinstance(offered, Destinations)
    fresh = scene(red(1), blue(1, y=40.0))
    with pytest.raises(Pause) as pause:
        move_unit(RecordedTable(fresh.rules, fresh.battle, ["run", 7, 3]), fresh.battle, fresh.unit("red"))
    question = pause.value.question
    assert isinstance(question, Place)
    assert question.suggestions == tuple(destinations(scene(red(1), blue(1, y=40.0))))
