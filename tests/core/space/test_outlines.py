"""Prepared areas and lines answer as the plain geometry does."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space import Area, Line, Point
from zareba.space.geometry import distance_to_polygon, distance_to_segment, is_inside, spans_inside

SQUARE = [(2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0)]
NOTCHED = [(2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (5.0, 4.0), (2.0, 8.0)]
STAR = [(5 + 4 * cos(4 * pi * k / 5), 5 + 4 * sin(4 * pi * k / 5)) for k in range(5)]
ROUND = [(5 + 3 * cos(pi * k / 7), 5 + 3 * sin(pi * k / 7)) for k in range(14)]
SHAPES = [SQUARE, SQUARE[::-1], NOTCHED, STAR, ROUND, [*SQUARE, SQUARE[-1]], [(2.0, 2.0), (5.0, 2.0), *SQUARE[1:]]]

quarters = st.integers(0, 40).map(lambda n: n / 4)
free = st.floats(0, 10, allow_nan=False)
points = st.tuples(quarters, quarters) | st.tuples(free, free)


@given(shape=st.sampled_from(SHAPES), point=points)
def test_an_area_holds_what_its_polygon_holds(shape: list[Point], point: Point) -> None:
    area = Area(shape)
    assert area.holds(point) == is_inside(point, shape)
    assert area.distance(point) == distance_to_polygon(point, shape)


@given(shape=st.sampled_from(SHAPES), a=points, b=points)
def test_a_line_runs_through_an_area_as_through_its_polygon(shape: list[Point], a: Point, b: Point) -> None:
    found, expected = Area(shape).spans(a, b), spans_inside(a, b, shape)
    assert [mark for span in found for mark in span] == pytest.approx([m for span in expected for m in span], abs=1e-6)
    assert Area(shape).meets(a, b) == bool(expected)


def test_an_area_knows_its_border_and_how_far_it_is() -> None:
    area = Area(SQUARE)
    assert area.holds((2.0, 5.0))
    assert not area.holds((1.99, 5.0))
    assert area.distance_to_border((4.0, 5.0)) == 2.0
    assert area.spans((0.0, 5.0), (10.0, 5.0)) == [(0.2, 0.8)]
    assert area.spans((0.0, 2.0), (10.0, 2.0)) == [(0.2, 0.8)]
    assert area.spans((4.0, 4.0), (6.0, 6.0)) == [(0.0, 1.0)]
    assert area.spans((0.0, 4.0), (4.0, 0.0))[0] == pytest.approx((0.5, 0.5))


def test_a_corner_of_a_line_is_met_once() -> None:
    line = Line([(0.0, 0.0), (5.0, 5.0), (10.0, 0.0)])
    assert line.marks((5.0, 0.0), (5.0, 10.0)) == [0.5]
    assert line.marks((0.0, 2.5), (10.0, 2.5)) == [0.25, 0.75]
    assert not line.meets((0.0, 6.0), (10.0, 6.0))


@given(a=points)
def test_the_distance_to_a_line_is_that_to_its_nearest_leg(a: Point) -> None:
    legs = [((0.0, 0.0), (5.0, 5.0)), ((5.0, 5.0), (10.0, 0.0))]
    assert Line([(0.0, 0.0), (5.0, 5.0), (10.0, 0.0)]).distance(a) == min(distance_to_segment(a, *leg) for leg in legs)
