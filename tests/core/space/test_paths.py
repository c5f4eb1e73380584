"""Paths measured by the length along them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.base.exact import dist, total
from zareba.space.geometry import crossing, distance_to_path, distance_to_segment, is_inside, length
from zareba.space.outlines import (
    closest_approach,
    crossings,
    cut_off,
    distance_along,
    gap_at,
    mitre,
    part_of,
    parts_outside,
    strips,
)

BENT = ((0.0, 0.0), (10.0, 0.0), (10.0, 5.0))
NEAR = 1e-6

points = st.tuples(st.integers(0, 60), st.integers(0, 48)).map(lambda at: (float(at[0]), float(at[1])))
lines = st.lists(points, min_size=2, max_size=5).filter(lambda line: all(a != b for a, b in pairwise(line)))
shares = st.floats(0, 1)


@given(lines, points)
def test_the_length_along_a_line_leads_to_its_point_nearest_to_another(
    line: list[tuple[float, float]], at: tuple[float, float]
) -> None:
    start = part_of(line, 0.0, distance_along(line, at))
    end = start[-1] if start else line[0]
    assert dist(end, at) == pytest.approx(distance_to_path(at, line), abs=NEAR)


@given(lines, shares, shares)
def test_part_of_a_line_has_its_length_and_lies_on_it(line: list[tuple[float, float]], a: float, b: float) -> None:
    whole = length(line)
    start, end = sorted((a * whole, b * whole))
    part = part_of(line, start, end)
    if end - start > NEAR:
        assert length(part) == pytest.approx(end - start, abs=NEAR)
    assert all(distance_to_path(point, line) < NEAR for point in part)


@given(lines, st.lists(st.tuples(shares, st.floats(0, 0.3)), max_size=4))
def test_parts_and_gaps_make_up_the_line(line: list[tuple[float, float]], cuts: list[tuple[float, float]]) -> None:
    whole = length(line)
    gaps = [((at - wide / 2) * whole, (at + wide / 2) * whole) for at, wide in cuts]
    parts = parts_outside(line, gaps)
    steps = 400
    open_ = sum(any(a <= whole * n / steps <= b for a, b in gaps) for n in range(steps))
    left = total([length(part) for part in parts])
    assert left == pytest.approx(whole * (1 - open_ / steps), abs=whole * 0.02 + 0.5)
    for first, last in gaps:
        middle = (max(0.0, first) + min(whole, last)) / 2
        inside = part_of(line, middle - 1e-3, middle + 1e-3) if last - first > 0.1 else []
        for point in inside[:1]:
            away = [distance_to_path(point, part) for part in parts]
            assert not away or min(away) > 0.04 or len(line) > 2  # a bent line may return to an earlier point


def test_a_gap_goes_round_a_bend_and_not_beyond_the_ends() -> None:
    gap = gap_at(BENT, (10.0, 1.0), 4.0)
    assert gap == (9.0, 13.0)
    assert part_of(BENT, *gap) == [(9.0, 0.0), (10.0, 0.0), (10.0, 3.0)]
    assert parts_outside(BENT, [gap]) == [[(0.0, 0.0), (9.0, 0.0)], [(10.0, 3.0), (10.0, 5.0)]]
    assert parts_outside(BENT, [gap_at(BENT, (0.0, 0.0), 2.0), (14.95, 20.0)]) == [
        [(1.0, 0.0), (10.0, 0.0), (10.0, pytest.approx(4.95))]
    ]
    assert parts_outside(BENT, [(-1.0, 20.0)]) == []


@given(lines, st.floats(0.1, 3), points)
def test_points_near_a_line_are_in_its_strips(
    line: list[tuple[float, float]], half: float, at: tuple[float, float]
) -> None:
    made = list(strips(line, half))
    assert len(made) == len(line) - 1
    away = min(distance_to_segment(at, a, b) for a, b in pairwise(line))
    if away < half - NEAR:
        assert any(is_inside(at, strip) for strip in made)
    if away > 2 * half:
        assert not any(is_inside(at, strip) for strip in made)


@given(lines, st.floats(0, 40))
def test_a_path_is_cut_off_after_a_length(line: list[tuple[float, float]], reach: float) -> None:
    cut = cut_off(line, reach)
    assert cut[0] == line[0] and length(cut) == pytest.approx(min(reach, length(line)), abs=NEAR)
    assert all(distance_to_path(point, line) < NEAR for point in cut)
    assert all(corner in line for corner in cut[:-1])


@given(lines, points, points)
def test_a_way_passes_a_line_where_no_step_of_it_is_nearer(
    line: list[tuple[float, float]], a: tuple[float, float], b: tuple[float, float]
) -> None:
    legs = list(pairwise(line))
    if any(crossing(a, b, *leg) is not None for leg in legs) or dist(a, b) < NEAR:
        return
    found = closest_approach(legs, a, b)
    steps = [(a[0] + (b[0] - a[0]) * k / 200, a[1] + (b[1] - a[1]) * k / 200) for k in range(201)]
    assert found.gap <= min(distance_to_path(at, line) for at in steps) + 1e-5
    assert found.gap == pytest.approx(dist(found.on_path, found.on_leg)) and found.along == pytest.approx(
        dist(a, found.on_path)
    )
    assert distance_to_segment(found.on_path, a, b) < NEAR and distance_to_path(found.on_leg, line) < NEAR


def test_the_outline_of_a_bent_line_keeps_its_width_at_the_bend() -> None:
    assert mitre(BENT, 1.0) == [(0.0, 1.0), (9.0, 1.0), (9.0, 5.0), (11.0, 5.0), (11.0, -1.0), (0.0, -1.0)]


@given(points, points, st.floats(0.5, 4))
def test_the_outline_of_a_straight_line_has_its_width_on_both_hands(
    a: tuple[float, float], b: tuple[float, float], half: float
) -> None:
    if a != b:
        for corner, end in zip(mitre([a, b], half), (a, b, b, a), strict=True):
            assert dist(corner, end) == pytest.approx(half) == pytest.approx(distance_to_segment(corner, a, b))


@given(lines, lines)
def test_crossing_point_is_on_path_and_line(line: list[tuple[float, float]], path: list[tuple[float, float]]) -> None:
    whole = length(line)
    for at in crossings(line, path):
        start = part_of(line, 0.0, at)
        end = start[-1] if start else line[0]
        assert at <= whole + NEAR and distance_to_path(end, path) < NEAR
