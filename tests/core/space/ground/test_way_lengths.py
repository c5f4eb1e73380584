"""Tests of the lengths of ways round closed ground."""

from __future__ import annotations

from math import inf

import pytest

from zareba.space.geometry import Point
from zareba.space.ground.pathfinding import WayLengths


def _wall_with_gap(gap: float) -> WayLengths:
    """Return a table of 20 by 10 with a wall along x = 10 that is open only from y = 10 - `gap` upwards."""

    def is_open(a: Point, b: Point) -> bool:
        if (a[0] < 10) == (b[0] < 10):
            return True
        share = (10 - a[0]) / (b[0] - a[0])
        return a[1] + share * (b[1] - a[1]) > 10 - gap

    return WayLengths((20, 10), 1.0, is_open)


def test_an_open_way_is_as_long_as_the_straight_line() -> None:
    assert _wall_with_gap(0).length((1, 1), (4, 5)) == 5


def test_a_closed_way_leads_through_the_gap() -> None:
    ways = _wall_with_gap(2)
    there, back = ways.length((5, 1), (15, 1)), ways.length((15, 1), (5, 1))
    assert there == pytest.approx(back, rel=0.1)
    assert 17 < there < 22  # 17.2 straight to the corner and back, up to a quarter more on a grid
    assert ways.length((5, 5), (15, 1)) < there


def test_without_a_gap_there_is_no_way() -> None:
    assert _wall_with_gap(0).length((5, 1), (15, 1)) == inf
