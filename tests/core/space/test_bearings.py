"""Bearings, turns and arcs."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space.bearings import angle_between, bearing, clock_offset, in_arc, offset, turn, widest_gap

angles = st.floats(0, 359.99)


@pytest.mark.parametrize(
    ("x", "y", "expected"), [(0, 2, 0), (1, 1, 45), (3, 0, 90), (0, -1, 180), (-1, 0, 270), (-1, 1, 315)]
)
def test_bearings_turn_clockwise_from_north(x: float, y: float, expected: float) -> None:
    assert bearing((5, 5), (5 + x, 5 + y)) == pytest.approx(expected)


def test_a_bearing_stays_below_360() -> None:
    assert bearing((0, 0), (-1e-300, 1)) == 0
    with pytest.raises(ValueError, match="itself"):
        bearing((1, 2), (1, 2))


@given(angles, st.floats(0.1, 100))
def test_offset_and_bearing_belong_together(towards: float, length: float) -> None:
    there = offset((3, -4), towards, length)
    assert angle_between(bearing((3, -4), there), towards) == pytest.approx(0, abs=1e-6)
    assert dist((3, -4), there) == pytest.approx(length)


@given(angles, angles)
def test_a_turn_leads_from_one_bearing_to_the_other_the_short_way(start: float, end: float) -> None:
    change = turn(start, end)
    assert -180 < change <= 180
    assert angle_between(start + change, end) == pytest.approx(0, abs=1e-9)
    assert angle_between(start, end) == abs(change) == pytest.approx(angle_between(end, start))


def test_turns_across_north() -> None:
    assert (turn(350, 20), turn(20, 350), turn(90, 270)) == (30, -30, 180)


@pytest.mark.rule("FBN-080")
@pytest.mark.parametrize(("towards", "seen"), [(10, True), (347.5, True), (32.5, True), (347, False), (33, False)])
def test_arcs_include_their_limits(towards: float, seen: bool) -> None:
    assert in_arc(10, 22.5, towards) == seen


@pytest.mark.rule("FBN-221")
def test_the_clock_lies_along_the_line_of_fire() -> None:
    assert list(clock_offset((0, 0), 0, 2, 2)) == pytest.approx([1.7320508, 1])
    assert list(clock_offset((10, 10), 90, 12, 4)) == pytest.approx([14, 10])
    assert list(clock_offset((10, 10), 90, 3, 4)) == pytest.approx([10, 6])
    assert list(clock_offset((10, 10), 90, 6, 4)) == pytest.approx([6, 10])


@pytest.mark.rule("RSK-143")
@pytest.mark.parametrize(
    ("bearings", "gap"),
    [
        ([20, 95, 170, 250, 320], 80),
        ([], 360),
        ([77], 360),
        ([77, 77], 360),
        ([77, 437], 360),
        ([350, 10], 340),
        ([0, 180], 180),
        ([300, 0, 90], 210),
    ],
)
def test_the_widest_gap(bearings: list[float], gap: float) -> None:
    assert widest_gap(bearings) == gap
    assert widest_gap(reversed(bearings)) == gap
