"""Cached and lazily computed results equal those of a full computation."""

from __future__ import annotations

from itertools import cycle
from math import cos, hypot, radians, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.fixed_baynet.plain import acts, battle, book, check_shift, field, man, squad
from tests.rulesets.fixed_baynet.scenarios import shipped

from zareba.battle.positions import MoveSuggestions, StepSuggestions
from zareba.space.geometry import Point
from zareba_rulesets.fixed_baynet.actions.unit_actions import legal_actions
from zareba_rulesets.fixed_baynet.chapters.aiming import known_target
from zareba_rulesets.fixed_baynet.chapters.manoeuvre import March, movers, moves_away
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import FORMATIONS, is_formed, is_layout_formed, layout
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

SCENARIOS = ("river_ford", "hill_fort", "mission_station")
spots = st.tuples(st.floats(2, 58), st.floats(2, 46))


def free(point: Point) -> str | None:
    return None


# --- suggested points -----------------------------------------------------------------------------------------------------


def drawn(points: MoveSuggestions, chances: int = 40) -> set[Point]:
    """Return the results of drawing points with many different random sequences."""
    found = set()
    for number in range(chances):
        point = points.any(cycle([number / chances, 0.31, 0.77]).__next__)
        assert point is not None
        found.add(point)
    return found


@settings(max_examples=40, deadline=None)
@given(spots, st.sampled_from(SCENARIOS), st.booleans())
def test_points_drawn_one_by_one_are_those_of_the_list(at: Point, name: str, back: bool) -> None:
    on = shipped(name).plan.field
    red = squad("red", "red", 8, at)
    state = battle(red, squad("own", "red", 8, (at[0] + 5, at[1])), squad("blue", "blue", 5, (30, 30)), on=on)
    red.back = back
    goals = [(30.0, 30.0), (10.0, 40.0), (50.0, 8.0)]

    def southwards(point: Point) -> str | None:
        return None if point[1] < red.middle[1] else "north"

    def steps() -> StepSuggestions:
        return StepSuggestions(March(state, red, movers(state, red), 5.0), red.middle, goals, southwards, red.back)

    listed = tuple(steps())
    assert bool(steps()) == bool(listed)
    assert all(point[1] < red.middle[1] for point in listed) or not back
    if listed:
        assert drawn(steps()) <= set(listed)
    else:
        assert steps().any(lambda: 0.5) is None


def test_each_of_the_points_is_drawn_and_none_is_looked_for_twice() -> None:
    asked: list[int] = []

    def first(place: int) -> Point | None:
        asked.append(place)
        return (float(place), 0.0) if place % 2 else None

    points = MoveSuggestions(6, first, free, likely=3)
    assert points and asked == [3]
    assert drawn(points) == set(points) == {(1.0, 0.0), (3.0, 0.0), (5.0, 0.0)}
    assert sorted(asked) == [0, 1, 2, 3, 4, 5]
    assert not MoveSuggestions(4, lambda _: None, free)


# --- paths of many men ----------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(spots, st.lists(st.tuples(st.integers(0, 359), st.sampled_from((5.0, 4.0, 2.0))), min_size=2, max_size=8))
def test_what_barred_one_way_is_no_answer_for_the_next(at: Point, ways: list[tuple[int, float]]) -> None:
    red = squad("red", "red", 6, at)
    state = battle(red, on=shipped("river_ford").plan.field)
    men = movers(state, red)
    march = March(state, red, men, 5.0)
    for way, inches in ways:
        dx, dy = inches * sin(radians(way)), inches * cos(radians(way))
        alone = check_shift(state, red, men, dx, dy)
        assert (march.refused(dx, dy) is None) is (alone is None)


def test_a_friend_bars_the_end_of_a_way_and_an_enemy_all_of_it() -> None:
    for side, inches, goes in (("red", 2.0, False), ("red", 4.0, True), ("blue", 2.0, False), ("blue", 4.0, False)):
        red = squad("red", "red", 1, (50, 50))
        state = battle(red, bare_unit("other", side, [man("other/1", side, 50, 52)]))
        assert (check_shift(state, red, movers(state, red), 0.0, inches) is None) is goes


@settings(max_examples=60, deadline=None)
@given(spots, spots, spots, st.integers(0, 359), st.sampled_from(SCENARIOS))
@pytest.mark.rule("FBN-160")
def test_going_away_is_going_away_from_all_whom_one_sees(a: Point, b: Point, c: Point, way: int, name: str) -> None:
    red = squad("red", "red", 3, a)
    state = battle(red, squad("blue", "blue", 3, b), squad("more", "blue", 2, c), on=shipped(name).plan.field)
    men, dx, dy = list(red.figures.values()), 4 * sin(radians(way)), 4 * cos(radians(way))
    foes = [foe for unit in state.enemies("red") for foe in unit.figures.values()]
    everywhere = state.field.scene((0, 0, 60, 48))
    for one in men:
        seen = [foe for foe in foes if sees(state, one, foe, everywhere)]
        before = min((hypot(one.x - foe.x, one.y - foe.y) for foe in seen), default=0.0)
        after = min((hypot(one.x + dx - foe.x, one.y + dy - foe.y) for foe in seen), default=1.0)
        assert moves_away(state, "red", [one], dx, dy) is (after > before)
    assert moves_away(state, "red", men, dx, dy) is all(moves_away(state, "red", [one], dx, dy) for one in men)


@settings(max_examples=150, deadline=None)
@given(spots, st.floats(0, 12), st.sampled_from(SCENARIOS))
def test_a_piece_is_within_reach_as_it_measures(at: Point, inches: float, name: str) -> None:
    for piece in shipped(name).plan.field.pieces:
        assert piece.is_within(at, inches) is (piece.distance(at) <= inches)


# --- sight ----------------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(spots, spots, st.sampled_from(SCENARIOS))
def test_a_view_hides_whom_the_scene_hides(a: Point, b: Point, name: str) -> None:
    red, blue = bare_unit("red", "red", [man("r", "red", *a)]), bare_unit("blue", "blue", [man("b", "blue", *b)])
    state = battle(red, blue, on=shipped(name).plan.field)
    box = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
    one, other = red.figures["r"], blue.figures["b"]
    assert sees(state, one, other, state.field.view(box)) is sees(state, one, other, state.field.scene(box))


def in_sights() -> tuple[Battle, Unit, Unit]:
    """Red has established that it can fire at blue."""
    red, blue = squad("red", "red", 2, (50, 20)), squad("blue", "blue", 2, (50, 34), facing=180.0)
    on = field(("crag", [(0, 26), (30, 26), (30, 28), (0, 28)]))
    state = battle(red, blue, squad("own", "red", 2, (80, 20)), on=on)
    state.active = "red"
    assert "fire" in legal_actions(state, red).kinds
    assert known_target(state, red, list(red.figures.values()))
    return state, red, blue


@pytest.mark.rule("FBN-016", "FBN-092")
def test_who_had_somebody_in_his_sights_is_asked_again() -> None:
    def gone_far(state: Battle, blue: Unit) -> None:
        for figure in blue.figures.values():
            state.put(figure, figure.x, 90.0)

    def lying(state: Battle, blue: Unit) -> None:
        for figure in blue.figures.values():
            figure.mark("prone")

    def behind_a_crag(state: Battle, blue: Unit) -> None:
        for unit in (state.units["red"], blue):
            for figure in unit.figures.values():
                state.put(figure, figure.x - 35.0, figure.y)
            unit.measure()

    def in_a_melee(state: Battle, blue: Unit) -> None:
        own = list(state.units["own"].figures.values())
        for figure, friend in zip(blue.figures.values(), own, strict=True):
            state.put(friend, figure.x, figure.y + 1.0)
        state.units["own"].measure()

    def hidden(state: Battle, blue: Unit) -> None:
        blue.mark("hidden")

    def fallen(state: Battle, blue: Unit) -> None:
        blue.figures.clear()

    for happens in (gone_far, lying, behind_a_crag, in_a_melee, hidden, fallen):
        state, red, blue = in_sights()
        happens(state, blue)
        blue.measure()
        assert "fire" not in legal_actions(state, red).kinds, happens.__name__


def test_sights_of_one_state_mislead_no_other() -> None:
    state, red, _ = in_sights()
    copy = state.copy()
    there = copy.change(copy.units["blue"])
    for figure in there.figures.values():
        copy.put(figure, figure.x, 90.0)
    there.measure()
    assert "fire" not in legal_actions(copy, copy.units["red"]).kinds
    assert ("fire", "blue") in acts(state, red)


# --- formations -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-056", "FBN-057", "FBN-058", "FBN-271")
@pytest.mark.parametrize("name", FORMATIONS)
def test_ranks_that_count_as_formed_are_formed(name: str) -> None:
    for mounted in (False, True):
        for ranks in (0, 3, 4, 5, 1):
            for count in (1, 2, 3, 7, 12, 20):
                red = squad("red", "red", 1, (50, 50), mounted=mounted)
                state = battle(red)
                radius = state.book.radii[mounted]
                men = squad("men", "red", count, (50, 50), name, 70.0, mounted=mounted).figures
                for figure, (x, y) in zip(men.values(), layout(name, count, radius, 70.0, 1.0, ranks), strict=True):
                    figure.x, figure.y = 50 + x, 50 + y
                unit = bare_unit("men", "red", list(men.values()), name)
                assert is_layout_formed(state, name, count, ranks, mounted) is is_formed(state, unit)


def test_ranks_are_judged_by_the_numbers_of_the_session() -> None:
    wide = battle(squad("red", "red", 6, (50, 50)))
    assert is_layout_formed(wide, "open", 6, 0, False)
    narrow = battle(squad("red", "red", 6, (50, 50)))
    narrow.book = book()
    spacing = narrow.book.file.spacing.model_copy(update={"least": 2})
    narrow.book.file = narrow.book.file.model_copy(update={"spacing": spacing})
    assert not is_layout_formed(narrow, "open", 6, 0, False)
