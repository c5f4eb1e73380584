"""The AI's destination for a unit is the best of all places, without a path search for each."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, blue, game, red, scene

from zareba.agents import make_agent
from zareba.space import Point
from zareba.space.ground.pathfinding import Pathfinder
from zareba.table import Choose, Confirm, LazyOptions, Place, SeededTable
from zareba_rulesets.paychest.chapters.movement import Destinations
from zareba_rulesets.paychest.evaluation import best_places, evaluate
from zareba_rulesets.paychest.forces.battle import Goal

WALL = {"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])}


def asked(place: Scene, why: str = "move to", *, onward: bool = False) -> Place:
    unit = place.unit("red")
    points = Destinations(place.battle, unit, unit.standing.middle, 7.0, "foot", onward=onward)
    return Place(why, "PAY-070", "red", "red", points, lambda _: None)


@pytest.mark.parametrize("hill", [(40.0, 40.0), (26.0, 12.0), (21.0, 2.0), (23.0, 10.0)])
@pytest.mark.parametrize("foe", [16.0, 22.0, 34.0, 46.0])
@pytest.mark.parametrize("weapons", [("rifle",), ("sword",)])
def test_on_open_ground_the_best_of_all_places_is_among_them(hill: Point, foe: float, weapons: tuple[str, ...]) -> None:
    place = scene(red(5, weapons=weapons), blue(5, y=foe), lines=WALL)
    place.battle.goals = (Goal("hill", "hold", ("red", "blue"), 3, hill, 3.0, due=12),)
    best, points = best_places(place.battle, asked(place)), list(asked(place).suggestions)
    worths = dict(zip(points, evaluate(place.battle, asked(place)), strict=True))
    assert list(best) == [point for point in points if point in best], "in their order"
    assert all(best[point].total == worths[point].total for point in best)
    for aggression in (0.5, 1.0, 2.0):
        for caution in (0.5, 1.0, 2.0):
            assert max(one.inflicts * aggression - one.suffers * caution + one.ground for one in best.values()) == max(
                one.inflicts * aggression - one.suffers * caution + one.ground for one in worths.values()
            )


def test_no_way_is_looked_for_where_less_is_to_be_gained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Riflemen far from the enemy make for their objective, so no path to the enemy behind them is computed."""
    looked: list[Point] = []
    heading = Pathfinder.heading

    def watched(ways: Pathfinder, start: Point, goal: Point) -> Point:
        looked.append(goal)
        return heading(ways, start, goal)

    monkeypatch.setattr(Pathfinder, "heading", watched)
    place = scene(red(5, y=30.0), blue(5, y=2.0), home={})
    place.battle.goals = (Goal("hill", "hold", ("red",), 3, (20.0, 47.0), 2.0, due=12),)
    assert max(best_places(place.battle, asked(place)).items(), key=lambda one: one[1].total)[0] == (20.0, 47.0)
    assert looked == [(20.0, 47.0)]


def test_who_has_gone_far_enough_looks_for_no_way_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pathfinder, "heading", lambda *_: pytest.fail("a way was looked for"))
    place = scene(red(5), blue(5, y=40.0))
    best = best_places(place.battle, asked(place, "go on to", onward=True))
    assert list(best) == [place.unit("red").standing.middle]
    none = LazyOptions[Point](3, lambda n: None if n < 2 else (3.0, 4.0))
    question = Place("set up at", "PAY-048", "red", "red", none, lambda _: None)
    assert list(best_places(place.battle, question)) == [(3.0, 4.0)]


@pytest.mark.parametrize("name", ["river_ford", "hill_fort"])
def test_in_whole_games_they_are_suggested_points_with_the_worths_of_all_appraisals(name: str) -> None:
    match = game(name)
    state = match.start()
    kept = every = 0

    def watched(seat: str) -> Any:
        agent = make_agent("doctrine", match, seat, 3)

        def answer(question: Choose | Place | Confirm, battle: Any) -> Any:
            nonlocal kept, every
            taken = agent(question, battle)
            if isinstance(question, Place):
                best, points = match.advisor.best_places(battle, question), list(question.suggestions)
                worths = match.advisor.evaluate(battle, question)
                assert taken in best and set(best) <= set(points)
                assert all(best[point].total == worths[points.index(point)].total for point in best)
                kept, every = kept + len(best), every + len(points)
            return taken

        return answer

    table = SeededTable(match.rules, state, 3, {seat: watched(seat) for seat in match.seats})
    while state.turn < 6 and (step := match.play.next_step(state)) is not None:
        table.begin(step)
        match.play.perform(table, state, step)
    assert 0 < kept < every
