"""Plane geometry: areas, distances, intersections and clipping."""

from __future__ import annotations

from itertools import product
from math import dist, hypot, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from zareba.space.geometry import (
    Point,
    area,
    bounds,
    boxes_meet,
    clip,
    covered_share,
    crossing,
    distance_between_polygons,
    distance_between_segments,
    distance_to_path,
    distance_to_polygon,
    distance_to_segment,
    hull,
    is_inside,
    length,
    length_inside,
    middle_of,
    nearest_leg,
    nearest_on,
    nearest_on_segment,
    orientation,
    shift_into,
    spans_inside,
)

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
# A horseshoe open to the north, without the middle third of its upper part.
HORSESHOE = ((0, 0), (6, 0), (6, 6), (4, 6), (4, 2), (2, 2), (2, 6), (0, 6))

whole = st.integers(-6, 12)
points = st.tuples(whole, whole).map(lambda p: (p[0] / 2, p[1] / 2))
triangles = st.tuples(points, points, points).filter(lambda t: area(t) > 0.1)


def test_area_is_the_same_in_both_directions_of_rotation() -> None:
    assert area(SQUARE) == area(SQUARE[::-1]) == 16
    assert area(HORSESHOE) == 36 - 8
    assert area(SQUARE[:2]) == 0


@given(st.lists(st.tuples(st.floats(15, 175), st.floats(15, 175)), min_size=1, max_size=12))
def test_a_hull_contains_all_points_and_consists_of_some(some: list[Point]) -> None:
    corners = hull(some)
    assert set(corners) <= set(some)
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        assert all(orientation(a, b, point) >= -1e-6 for point in some)


def test_a_hull_leaves_out_what_lies_inside_and_on_its_sides() -> None:
    assert hull([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2), (1, 0)]) == ((0, 0), (2, 0), (2, 2), (0, 2))
    assert hull([(1, 1), (1, 1)]) == ((1, 1),)


def test_the_middle_of_some_points_is_their_mean() -> None:
    assert middle_of([(0.0, 0.0), (4.0, 0.0), (2.0, 6.0)]) == (2.0, 2.0)
    with pytest.raises(ValueError, match="no middle"):
        middle_of([])


def test_distance_from_a_point_to_a_path() -> None:
    path = ((0, 0), (4, 0), (4, 3))
    assert [distance_to_path(at, path) for at in ((2, 2), (2, -1), (6, 3), (-3, -4), (0, 3))] == [2, 1, 2, 5, 3]


@pytest.mark.parametrize("turned", [SQUARE, SQUARE[::-1]])
def test_the_border_counts_as_inside(turned: tuple[Point, ...]) -> None:
    for x, y in product(range(-1, 6), repeat=2):
        assert is_inside((x, y), turned) == (0 <= x <= 4 and 0 <= y <= 4)
    assert not is_inside((4.00001, 2), turned)
    assert not is_inside((3, 4), HORSESHOE) and is_inside((4, 4), HORSESHOE) and is_inside((5, 4), HORSESHOE)


@given(points, triangles)
def test_inside_a_triangle_means_on_the_same_side_of_all_its_sides(point: Point, triangle: tuple[Point, ...]) -> None:
    turns = []
    for a, b in zip(triangle, triangle[1:] + triangle[:1], strict=True):
        turns.append((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]))
    assert is_inside(point, triangle) == (min(turns) >= 0 or max(turns) <= 0)


@given(triangles, triangles)
def test_clipping_is_symmetric_and_agrees_with_counting_points(a: tuple[Point, ...], b: tuple[Point, ...]) -> None:
    common = area(clip(a, b))
    assert common == pytest.approx(area(clip(b, a)), abs=1e-9)
    assert common <= min(area(a), area(b)) + 1e-9
    west, south, east, north = bounds(a)
    steps = 40
    hits = sum(
        is_inside(place, a) and is_inside(place, b)
        for place in (
            (west + (east - west) * (i + 0.5) / steps, south + (north - south) * (j + 0.5) / steps)
            for i, j in product(range(steps), repeat=2)
        )
    )
    box = (east - west) * (north - south)
    assert common == pytest.approx(hits * box / steps**2, abs=0.08 * box)


def test_a_part_in_two_pieces_has_the_right_area() -> None:
    assert area(clip(HORSESHOE, ((0, 3), (6, 3), (6, 6), (0, 6)))) == 12
    assert clip(SQUARE, ((9, 9), (10, 9), (10, 10))) == []


def test_share_of_a_cell_that_a_polygon_covers() -> None:
    cell = ((0, 0), (2, 0), (2, 2), (0, 2))
    assert covered_share(cell, SQUARE) == 1
    assert covered_share(cell, ((1, -5), (9, -5), (9, 9), (1, 9))) == 0.5
    assert covered_share(cell, ((2, 0), (3, 0), (3, 2), (2, 2))) == 0


@pytest.mark.parametrize(
    ("c", "d", "where"),
    [
        ((2, -1), (2, 1), 0.5),  # across
        ((1, 0), (1, 5), 0.25),  # one end on the line
        ((4, 0), (8, 3), 1.0),  # end to end
        ((-2, 0), (0, 0), 0.0),  # in one line, end to end
        ((3, 0), (1, 0), 0.25),  # overlapping
        ((-2, 0), (9, 0), 0.0),  # covering
        ((5, 0), (9, 0), None),  # in one line, apart
        ((0, 1), (4, 1), None),  # parallel
        ((5, -1), (5, 1), None),  # past the end
        ((2, 1), (2, 1e-10), 0.5),  # closer than the tolerance
        ((2, 1), (2, 1e-6), None),
    ],
)
def test_first_crossing_of_two_segments(c: Point, d: Point, where: float | None) -> None:
    a, b = (0.0, 0.0), (4.0, 0.0)
    for first, second in ((c, d), (d, c)):
        assert crossing(a, b, first, second) == (None if where is None else pytest.approx(where))


def test_a_segment_of_no_length_is_a_point() -> None:
    assert crossing((1, 1), (1, 1), (0, 0), (2, 2)) == 0
    assert crossing((1, 0), (1, 0), (0, 0), (2, 2)) is None
    assert spans_inside((1, 1), (1, 1), SQUARE) == [(0, 1)]


@given(points, points, points, points)
def test_crossing_is_symmetric(a: Point, b: Point, c: Point, d: Point) -> None:
    first, second = crossing(a, b, c, d), crossing(c, d, a, b)
    assert (first is None) == (second is None)
    assert (distance_between_segments(a, b, c, d) == 0) == (first is not None)
    if first is not None:
        meeting = (a[0] + first * (b[0] - a[0]), a[1] + first * (b[1] - a[1]))
        assert distance_to_segment(meeting, c, d) < 1e-7


@given(points, points, points)
def test_the_nearest_point_of_a_segment(point: Point, a: Point, b: Point) -> None:
    nearest = nearest_on_segment(point, a, b)
    sampled = [(a[0] + t / 64 * (b[0] - a[0]), a[1] + t / 64 * (b[1] - a[1])) for t in range(65)]
    assert dist(point, nearest) <= min(dist(point, other) for other in sampled) + 1e-9
    assert dist(a, nearest) + dist(nearest, b) == pytest.approx(dist(a, b))


@given(points, st.lists(st.tuples(points, points), min_size=1, max_size=5))
def test_the_nearest_point_of_some_legs_lies_on_the_nearest_of_them(
    point: Point, legs: list[tuple[Point, Point]]
) -> None:
    steps = [(a[0] + (b[0] - a[0]) * k / 200, a[1] + (b[1] - a[1]) * k / 200) for a, b in legs for k in range(201)]
    away = dist(point, nearest_on(point, legs))
    assert away <= min(dist(point, step) for step in steps) + 1e-9 <= away + 0.1
    least = distance_to_segment(point, *nearest_leg(point, legs))
    assert least == min(distance_to_segment(point, *leg) for leg in legs) == pytest.approx(away)


@given(points, points, triangles)
def test_stretches_inside_agree_with_sampling(a: Point, b: Point, triangle: tuple[Point, ...]) -> None:
    spans = spans_inside(a, b, triangle)
    assert len(spans) <= 1
    for step in range(101):
        t = step / 100
        place = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
        near_border = any(abs(t - end) < 1e-6 for span in spans for end in span)
        assume(dist(a, b) > 0)
        if not near_border:
            assert is_inside(place, triangle) == any(start <= t <= end for start, end in spans)


def rounded_spans(a: Point, b: Point, polygon: tuple[Point, ...]) -> list[tuple[float, float]]:
    return [(round(entry, 6), round(leave, 6)) for entry, leave in spans_inside(a, b, polygon)]


def test_a_line_leaves_and_enters_again() -> None:
    assert rounded_spans((-2, 4), (8, 4), HORSESHOE) == [(0.2, 0.4), (0.6, 0.8)]
    assert length_inside([(-2, 4), (8, 4)], HORSESHOE) == pytest.approx(4)


def test_touching_a_corner_and_running_along_a_border() -> None:
    assert rounded_spans((-1, 1), (1, -1), SQUARE) == [(0.5, 0.5)]
    assert rounded_spans((0, -2), (0, 6), SQUARE) == [(0.25, 0.75)]
    assert rounded_spans((-4, 6), (6, -4), SQUARE) == [(0.4, 0.6)]
    assert rounded_spans((-4, 8), (8, -4), SQUARE) == [(0.333333, 0.666667)]
    assert rounded_spans((-1, 5), (5, 5), SQUARE) == []


def test_the_length_of_a_path_inside() -> None:
    path = [(-2.0, 2.0), (2.0, 2.0), (2.0, 7.0), (3.0, 8.0)]
    assert length(path) == pytest.approx(9 + sqrt(2))
    assert length_inside(path, SQUARE) == pytest.approx(4)
    assert length_inside(path[:1], SQUARE) == 0


def test_distances_between_polygons() -> None:
    other = ((7.0, 8.0), (9.0, 8.0), (9.0, 9.0))
    assert distance_between_polygons(SQUARE, other) == distance_between_polygons(other, SQUARE) == 5
    assert distance_between_polygons(SQUARE, ((1, 1), (2, 1), (2, 2))) == 0
    assert distance_between_polygons(((1, 1), (2, 1), (2, 2)), SQUARE) == 0
    assert distance_between_polygons(SQUARE, ((4, 1), (9, 1), (9, 2))) == 0
    assert distance_to_polygon((7, 8), SQUARE) == hypot(3, 4) and distance_to_polygon((1, 4), SQUARE) == 0


def test_bounds_that_touch_count_as_meeting() -> None:
    assert bounds(HORSESHOE) == (0, 0, 6, 6)
    assert boxes_meet((0, 0, 1, 1), (1, 1, 2, 2))
    assert not boxes_meet((0, 0, 1, 1), (0, 1.1, 1, 2)) and not boxes_meet((0, 0, 1, 1), (1.1, 0, 2, 1))


@given(st.tuples(whole, whole, st.integers(1, 9), st.integers(1, 9)))
def test_shift_into_moves_a_rectangle_no_farther_than_necessary(box: tuple[int, int, int, int]) -> None:
    x, y, wide, deep = box
    across, along = shift_into((x, y, x + wide, y + deep), (0.0, 0.0, 10.0, 10.0))
    assert x + across >= 0 and x + wide + across <= 10 and y + along >= 0 and y + deep + along <= 10
    assert (across == 0) is (0 <= x <= 10 - wide) and (along == 0) is (0 <= y <= 10 - deep)
    assert across == 0 or x + across in (0, 10 - wide)
