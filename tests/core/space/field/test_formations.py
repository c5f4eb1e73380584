"""Men in ranks: all of them, none on another, and the same from whatever side one looks."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space.bearings import direction
from zareba.space.field.formations import drawn_up, in_ranks


def test_a_rank_that_is_not_full_stands_behind_the_middle_or_in_files() -> None:
    assert in_ranks(5, 3, 2.0) == ((-2.0, 1.0), (0.0, 1.0), (2.0, 1.0), (-1.0, -1.0), (1.0, -1.0))
    assert in_ranks(5, 3, 2.0, in_files=True)[3:] == ((0.0, -1.0), (2.0, -1.0))
    assert in_ranks(4, 3, 2.0, in_files=True)[3:] == ((0.0, -1.0),)
    assert in_ranks(3, 3, 2.0, middle_first=True) == ((0.0, 0.0), (-2.0, 0.0), (2.0, 0.0))
    assert in_ranks(2, 2, 2.0, deep=3) == ((-1.0, 2.0), (1.0, 2.0))


@given(st.integers(1, 40), st.integers(1, 12), st.floats(0.5, 5), st.booleans(), st.booleans())
def test_men_in_ranks_stand_apart_and_about_the_middle(
    count: int, files: int, apart: float, in_files: bool, middle_first: bool
) -> None:
    places = in_ranks(count, files, apart, in_files=in_files, middle_first=middle_first)
    assert len(places) == count
    assert all(dist(a, b) >= apart - 1e-9 for a, b in combinations(places, 2))
    assert sorted(places) == sorted(in_ranks(count, files, apart, in_files=in_files))
    assert max(ahead for _, ahead in places) == pytest.approx((-(-count // files) - 1) / 2 * apart)
    if not in_files:
        assert sorted(places) == sorted((-aside, ahead) for aside, ahead in places)


@given(st.integers(1, 20), st.sampled_from([0.0, 90.0, 180.0, 33.0]))
def test_a_formation_faces_a_way_about_its_point(count: int, facing: float) -> None:
    places, ahead = in_ranks(count, 4, 1.5), direction(facing)
    points = drawn_up(places, (10.0, 20.0), ahead)
    for (aside, on), (x, y) in zip(places, points, strict=True):
        assert (x - 10) * ahead[0] + (y - 20) * ahead[1] == pytest.approx(on)
        assert (x - 10) * ahead[1] - (y - 20) * ahead[0] == pytest.approx(aside)
