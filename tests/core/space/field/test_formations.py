"""Figures in ranks: none is missing, none overlap, and the arrangement is the same for every facing."""

from __future__ import annotations

from itertools import combinations
from math import dist, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space.bearings import bearing, direction
from zareba.space.field.bodies import Base, are_linked, gaps_within
from zareba.space.field.free_table import faces_out, in_ring, place_formation, rank_positions


def test_an_incomplete_rank_stands_behind_the_middle_or_in_files() -> None:
    assert rank_positions(5, 3, 2.0) == ((-2.0, 1.0), (0.0, 1.0), (2.0, 1.0), (-1.0, -1.0), (1.0, -1.0))
    assert rank_positions(5, 3, 2.0, in_files=True)[3:] == ((0.0, -1.0), (2.0, -1.0))
    assert rank_positions(4, 3, 2.0, in_files=True)[3:] == ((0.0, -1.0),)
    assert rank_positions(3, 3, 2.0, middle_first=True) == ((0.0, 0.0), (-2.0, 0.0), (2.0, 0.0))
    assert rank_positions(2, 2, 2.0, deep=3) == ((-1.0, 2.0), (1.0, 2.0))


@given(st.integers(1, 40), st.integers(1, 12), st.floats(0.5, 5), st.booleans(), st.booleans())
def test_men_in_ranks_stand_apart_and_about_the_middle(
    count: int, files: int, apart: float, in_files: bool, middle_first: bool
) -> None:
    places = rank_positions(count, files, apart, in_files=in_files, middle_first=middle_first)
    assert len(places) == count
    assert all(dist(a, b) >= apart - 1e-9 for a, b in combinations(places, 2))
    assert sorted(places) == sorted(rank_positions(count, files, apart, in_files=in_files))
    assert max(ahead for _, ahead in places) == pytest.approx((-(-count // files) - 1) / 2 * apart)
    if not in_files:
        assert sorted(places) == sorted((-aside, ahead) for aside, ahead in places)


@given(st.integers(1, 20), st.sampled_from([0.0, 90.0, 180.0, 33.0]))
def test_a_formation_faces_its_direction_around_its_point(count: int, facing: float) -> None:
    places, ahead = rank_positions(count, 4, 1.5), direction(facing)
    points = place_formation(places, (10.0, 20.0), ahead)
    for (aside, on), (x, y) in zip(places, points, strict=True):
        assert (x - 10) * ahead[0] + (y - 20) * ahead[1] == pytest.approx(on)
        assert (x - 10) * ahead[1] - (y - 20) * ahead[0] == pytest.approx(aside)


@given(st.integers(1, 30), st.floats(0.5, 4), st.floats(0, 40))
def test_men_in_a_ring_stand_apart_along_it_and_look_outwards(count: int, apart: float, least: float) -> None:
    places = in_ring(count, apart, least)
    across = max(count * apart, least) / (2 * pi)
    assert len(places) == count and all(dist(at, (0, 0)) == pytest.approx(across) for at in places)
    if count > 6:
        assert all(dist(a, b) >= 0.95 * apart for a, b in combinations(places, 2))
    if count > 2:
        facings = [bearing((0, 0), at) for at in places]
        assert faces_out(places, facings, 0.01, 1.0)
        assert not faces_out(places, [facings[0] + 90, *facings[1:]], 0.01, 45.0)
    if count > 5:
        facings = [bearing((0, 0), at) for at in places]
        assert not faces_out([*places, (0.1 * across, 0.0)], [*facings, 90.0], 0.5 * across, 45.0)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 12)), min_size=2, max_size=9, unique=True),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([0.0, 0.5, 1.5, 2.5]),
)
def test_men_are_linked_when_each_has_a_neighbour_and_one_reaches_all(
    spots: list[tuple[int, int]], least: float, most: float
) -> None:
    bases = [Base(x / 2, y / 2, 0.5) for x, y in spots]

    def gap(a: Base, b: Base) -> float:
        return dist(a[:2], b[:2]) - 1.0

    nearest = [min(gap(a, b) for b in bases if b is not a) for a in bases]
    assert [min(row) for row in gaps_within(bases)] == pytest.approx(nearest)
    reached, before = {bases[0]}, 0
    while len(reached) > before:
        before = len(reached)
        reached |= {b for b in bases if any(gap(a, b) <= most + 1e-6 for a in reached)}
    fits = all(near <= most + 1e-6 and (not least or near >= least - 1e-6) for near in nearest)
    assert are_linked(bases, least, most) is (fits and len(reached) == len(bases))
