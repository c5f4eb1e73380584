"""Bases and crowds of them, and the first place that is free, agree with what one finds by asking everybody."""

from __future__ import annotations

from math import cos, dist, radians, sin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zareba.space import Point
from zareba.space.field.bases import SLACK, Base, Crowd, stands_on
from zareba.space.moves.room import first_free, rings

halves = st.integers(-8, 60).map(lambda number: number / 2)
places = st.tuples(halves, halves) | st.tuples(st.floats(-5, 30), st.floats(-5, 30))
radii = st.sampled_from([0.0, 0.5, 0.75, 1.5])
bases = st.builds(lambda at, radius: Base(at[0], at[1], radius), places, radii)
crowds = st.lists(bases, max_size=25)


def is_on_one(at: Point, radius: float, others: list[Base]) -> bool:
    """Whether some middle is nearer than both radii, but for the slack."""
    return any(dist(at, base[:2]) < radius + base.radius - SLACK for base in others)


@given(places, radii, crowds)
@example((1.0, 0.0), 0.5, [Base(0.0, 0.0, 0.5)])
def test_who_stands_on_whom(at: Point, radius: float, others: list[Base]) -> None:
    expected = is_on_one(at, radius, others)
    if not any(abs(dist(at, base[:2]) - radius - base.radius + SLACK) < 1e-9 for base in others):
        assert stands_on(at, radius, others) is expected
        for square in (1.0, 3.0, 8.0):
            assert Crowd(others, square).is_free(at, radius) is not expected


@given(crowds, places, st.floats(0, 9), st.floats(0, 9), st.floats(0, 3))
def test_a_crowd_knows_who_stands_in_a_rectangle(
    others: list[Base], corner: Point, wide: float, deep: float, reach: float
) -> None:
    (x, y), crowd = corner, Crowd(others)
    expected = [
        base for base in others if x - reach <= base.x <= x + wide + reach and y - reach <= base.y <= y + deep + reach
    ]
    assert sorted(crowd.within((x, y, x + wide, y + deep), reach)) == sorted(expected)
    assert sorted(crowd.near(corner, reach)) == sorted(b for b in others if dist(b[:2], corner) < reach + b.radius)


@given(crowds, bases, places)
def test_who_leaves_a_crowd_is_in_nobodys_way(others: list[Base], base: Base, at: Point) -> None:
    crowd = Crowd(others)
    before = crowd.is_free(at, 0.5)
    crowd.add(base)
    assert crowd.is_free(at, 0.5) is (before and not stands_on(at, 0.5, [base]))
    crowd.remove(base)
    assert crowd.is_free(at, 0.5) is before


def test_rings_go_round_by_the_compass_or_from_the_east() -> None:
    north, east = rings(2.0, 4.0, least=4, per=2.0), rings(2.0, 4.0, least=4, from_east=True)
    assert [step[:2] for step in north[:4]] == [(0.0, 2.0), (2.0, 0.0), (0.0, -2.0), (-2.0, 0.0)]
    assert len(north) == 4 + 8 and len(east) == 4 + 4
    assert east[:4] == ((2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (0.0, -2.0))
    assert rings(1.0, 1.0, least=4, first=90.0)[0] == (1.0, 0.0)
    for step, turn in zip(rings(0.25, 0.25, least=12), range(0, 360, 30), strict=True):
        assert step == pytest.approx((0.25 * sin(radians(turn)), 0.25 * cos(radians(turn))))


@given(places, radii, crowds, st.floats(-5, 30))
def test_the_first_free_place_is_free_and_none_before_it_is(
    want: Point, radius: float, others: list[Base], west: float
) -> None:
    around = rings(0.5, 3.0, least=8, per=4.0)
    tried = [want, *((want[0] + dx, want[1] + dy) for dx, dy in around)]
    found = first_free(want, radius, Crowd(others), around, lambda at: at[0] >= west)
    free = [at[0] >= west and Crowd(others).is_free(at, radius) for at in tried]
    assert found == (tried[free.index(True)] if any(free) else None)
