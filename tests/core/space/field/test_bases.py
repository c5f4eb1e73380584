"""Bases, crowds of bases and the first free place, compared with checking every base."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, dist, radians, sin
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.seeds import seeds

from zareba.space import Point
from zareba.space.field.bodies import SLACK, Base, Crowd, on_line, overlaps_any
from zareba.space.moves import first_free, rings

STEPS = 400

halves = st.integers(-8, 60).map(lambda number: number / 2)
places = st.tuples(halves, halves) | st.tuples(st.floats(-5, 30), st.floats(-5, 30))
radii = st.sampled_from([0.0, 0.5, 0.75, 1.5])
bases = st.builds(lambda at, radius: Base(at[0], at[1], radius), places, radii)
crowds = st.lists(bases, max_size=25)


def is_on_one(at: Point, radius: float, others: list[Base]) -> bool:
    """Return True if a base's centre is nearer than the sum of both radii, less a tolerance."""
    return any(dist(at, base[:2]) < radius + base.radius - SLACK for base in others)


@given(places, radii, crowds)
@example((1.0, 0.0), 0.5, [Base(0.0, 0.0, 0.5)])
def test_overlapping_bases_are_found(at: Point, radius: float, others: list[Base]) -> None:
    expected = is_on_one(at, radius, others)
    if not any(abs(dist(at, base[:2]) - radius - base.radius + SLACK) < 1e-9 for base in others):
        assert overlaps_any(at, radius, others) is expected
        for square in (1.0, 3.0, 8.0):
            assert Crowd(others, square).is_free(at, radius) is not expected


def check_line(start: Point, end: Point, near: float, others: list[Base]) -> None:
    steps = [tuple(a + (b - a) * k / STEPS for a, b in zip(start, end, strict=True)) for k in range(STEPS + 1)]
    gaps = [min(dist(at, base[:2]) for at in steps) - base.radius - near for base in others]
    found = list(on_line(others, start, end, near))
    graze = dist(start, end) / STEPS + 1e-6
    for base, gap in zip(others, gaps, strict=True):
        if abs(gap) > graze:
            assert (base in found) is (gap < 0)
    assert found == [base for base in others if base in found], "in order"

    def again(change: Callable[[Point], Point], scale: float = 1.0) -> None:
        moved = [Base(*change(base[:2]), base.radius * scale) for base in others]
        which = [base in list(on_line(moved, change(start), change(end), near * scale)) for base in moved]
        assert all(a is (b in found) for a, b, gap in zip(which, others, gaps, strict=True) if abs(gap) > graze)

    again(lambda at: (-at[0], at[1]))
    again(lambda at: (at[1], -at[0] + 100.0))
    again(lambda at: (at[0] * 2.54, at[1] * 2.54), 2.54)
    assert {base for base, gap in zip(others, gaps, strict=True) if gap < -graze} <= set(
        on_line(others, end, start, near)
    )


def line(random: Random) -> tuple[Point, Point, float, list[Base]]:
    """Return a line, the distance to keep from it, and some bases around it."""
    spots = [(random.uniform(0, 12), random.uniform(0, 12)) for _ in range(random.randint(2, 11))]
    others = [Base(*at, random.choice((0.0, 0.5, 0.75, 1.5))) for at in spots[2:]]
    return spots[0], spots[random.random() < 0.95], random.choice((-0.1, 0.0, 0.5, 1.0)), others


@seeds(60)
def test_a_line_runs_over_the_bases_that_some_step_on_it_comes_upon(seed: int) -> None:
    check_line(*line(Random(seed)))


@given(crowds, places, st.floats(0, 9), st.floats(0, 9), st.floats(0, 3))
def test_a_crowd_lists_the_bases_in_a_rectangle(
    others: list[Base], corner: Point, wide: float, deep: float, reach: float
) -> None:
    (x, y), crowd = corner, Crowd(others)
    expected = [
        base for base in others if x - reach <= base.x <= x + wide + reach and y - reach <= base.y <= y + deep + reach
    ]
    assert sorted(crowd.within((x, y, x + wide, y + deep), reach)) == sorted(expected)
    assert sorted(crowd.near(corner, reach)) == sorted(b for b in others if dist(b[:2], corner) < reach + b.radius)


@given(crowds, bases, places)
def test_base_that_leaves_a_crowd_blocks_no_one(others: list[Base], base: Base, at: Point) -> None:
    crowd = Crowd(others)
    before = crowd.is_free(at, 0.5)
    crowd.add(base)
    assert crowd.is_free(at, 0.5) is (before and not overlaps_any(at, 0.5, [base]))
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
