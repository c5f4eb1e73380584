"""Prepared areas and lines give the same results as plain geometry."""

from __future__ import annotations

from math import cos, dist, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space import Point, TerrainArea, TerrainLine
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
    area = TerrainArea(shape)
    assert area.holds(point) == is_inside(point, shape)
    assert area.distance(point) == distance_to_polygon(point, shape)


@given(
    shape=st.sampled_from([TerrainArea(SQUARE), TerrainArea(NOTCHED), TerrainLine(SQUARE)]), point=points, reach=free
)
def test_points_within_reach_of_a_piece_are_no_farther_away(
    shape: TerrainArea | TerrainLine, point: Point, reach: float
) -> None:
    assert shape.is_within(point, reach) is (shape.distance(point) <= reach)


@given(shape=st.sampled_from(SHAPES), a=points, b=points)
def test_a_line_runs_through_an_area_as_through_its_polygon(shape: list[Point], a: Point, b: Point) -> None:
    found, expected = TerrainArea(shape).spans(a, b), spans_inside(a, b, shape)
    assert [mark for span in found for mark in span] == pytest.approx([m for span in expected for m in span], abs=1e-6)
    assert TerrainArea(shape).meets(a, b) == bool(expected)


@given(shape=st.sampled_from([SQUARE, ROUND]), a=points, b=points)
def test_the_chord_of_a_convex_area_is_what_lies_inside_of_a_line(shape: list[Point], a: Point, b: Point) -> None:
    area, expected = TerrainArea(shape), spans_inside(a, b, shape)
    found = area.chord(a, b) if area.is_convex else None
    length = sum(last - first for first, last in expected)
    assert (0.0 if found is None else found[1] - found[0]) == pytest.approx(length, abs=1e-6)
    assert area.length_inside(a, b) == pytest.approx(length * dist(a, b), abs=1e-6)
    mirrored = TerrainArea([(-x, y) for x, y in shape]).chord((-a[0], a[1]), (-b[0], b[1]))
    assert (mirrored or (0.0, 0.0)) == pytest.approx(found or (0.0, 0.0), abs=1e-9)


@given(shape=st.sampled_from(SHAPES), a=points, b=points)
def test_length_of_a_line_inside_an_area(shape: list[Point], a: Point, b: Point) -> None:
    inside = sum(last - first for first, last in spans_inside(a, b, shape)) * dist(a, b)
    assert TerrainArea(shape).length_inside(a, b) == pytest.approx(inside, abs=1e-5)
    assert TerrainArea(shape).length_inside(b, a) == pytest.approx(inside, abs=1e-5)


@given(shape=st.sampled_from(SHAPES), corner=points, wide=free, deep=free)
def test_shape_beyond_one_side_of_an_area_does_not_meet_it(
    shape: list[Point], corner: Point, wide: float, deep: float
) -> None:
    area, (west, south), (east, north) = TerrainArea(shape), corner, (corner[0] + wide, corner[1] + deep)
    corners = [(west, south), (east, south), (east, north), (west, north)]
    if not area.may_meet((west, south, east, north)) or area.is_beyond_one_side(corners, 0.0):
        assert area.is_convex and not any(area.meets(a, b) for a in corners for b in corners)


def test_an_area_knows_its_border_and_how_far_it_is() -> None:
    area = TerrainArea(SQUARE)
    assert area.holds((2.0, 5.0))
    assert not area.holds((1.99, 5.0))
    assert area.distance_to_border((4.0, 5.0)) == 2.0
    assert area.spans((0.0, 5.0), (10.0, 5.0)) == [(0.2, 0.8)]
    assert area.spans((0.0, 2.0), (10.0, 2.0)) == [(0.2, 0.8)]
    assert area.spans((4.0, 4.0), (6.0, 6.0)) == [(0.0, 1.0)]
    assert area.spans((0.0, 4.0), (4.0, 0.0))[0] == pytest.approx((0.5, 0.5))


def test_a_corner_of_a_line_is_met_once() -> None:
    line = TerrainLine([(0.0, 0.0), (5.0, 5.0), (10.0, 0.0)])
    assert line.marks((5.0, 0.0), (5.0, 10.0)) == [0.5]
    assert line.marks((0.0, 2.5), (10.0, 2.5)) == [0.25, 0.75]
    assert not line.meets((0.0, 6.0), (10.0, 6.0))


@given(a=points)
def test_the_distance_to_a_line_is_that_to_its_nearest_leg(a: Point) -> None:
    legs = [((0.0, 0.0), (5.0, 5.0)), ((5.0, 5.0), (10.0, 0.0))]
    assert TerrainLine([(0.0, 0.0), (5.0, 5.0), (10.0, 0.0)]).distance(a) == min(
        distance_to_segment(a, *leg) for leg in legs
    )


def test_depth_behind_the_side_on_the_line_of_sight() -> None:
    area = TerrainArea(SQUARE)
    assert area.depth_behind((4.0, 5.0), (-9.0, 5.0)) == pytest.approx(2.0)
    assert area.depth_behind((4.0, 5.0), (40.0, 5.0)) == pytest.approx(4.0)
    assert area.depth_behind((4.0, 5.0), (4.0, -40.0)) == pytest.approx(3.0)
    assert area.depth_behind((2.0, 5.0), (-9.0, 5.0)) == 0.0, "looking outwards from the border, no side is crossed"
    assert area.depth_behind((2.0, 5.0), (40.0, 5.0)) == pytest.approx(6.0), (
        "looking through the area from the border, one side is crossed"
    )


@given(a=points, b=points)
def test_a_side_that_one_looks_over_is_no_farther_than_the_way_to_it(a: Point, b: Point) -> None:
    area = TerrainArea(SQUARE)
    if area.holds(a) and not area.holds(b):
        deep = area.depth_behind(a, b)
        assert area.distance_to_border(a) - 1e-6 <= max(deep, area.distance_to_border(a) * (deep == 0.0))
        assert deep <= area.length_inside(a, b) + 1e-6
