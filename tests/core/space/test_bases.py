from __future__ import annotations

from math import dist, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space.bases import (
    Base,
    RectangularBase,
    RoundBase,
    bases_on_line,
    contact_along,
    frontage,
    gap,
    in_contact,
    mean_centre,
    nearest_figure,
    overlap,
    unit_gap,
)
from zareba.space.geometry import Point

numbers = st.integers(-40, 40).map(lambda n: n / 4)
points = st.tuples(numbers, numbers)
rounds = st.builds(RoundBase, points, st.integers(1, 8).map(lambda n: n / 4))
rectangles = st.builds(
    RectangularBase,
    points,
    st.integers(1, 8).map(float),
    st.integers(1, 8).map(float),
    st.integers(0, 359).map(float),
)
bases: st.SearchStrategy[Base] = st.one_of(rounds, rectangles)


def test_a_rectangle_has_its_front_towards_its_facing() -> None:
    east = RectangularBase((10, 10), width=4, depth=2, facing=90)
    front_left, front_right, rear_right, rear_left = east.outline
    assert list(front_left) == pytest.approx([11, 12]) and list(front_right) == pytest.approx([11, 8])
    assert list(rear_right) == pytest.approx([9, 8]) and list(rear_left) == pytest.approx([9, 12])


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (RoundBase((0, 0), 1), RoundBase((3, 4), 1), 3),
        (RoundBase((0, 0), 1), RoundBase((1, 1), 1), 0),
        (RoundBase((0, 0), 0), RectangularBase((5, 0), 2, 4), 4),
        (RoundBase((8, 4), 2), RectangularBase((3, 0), 4, 2), sqrt(9 + 9) - 2),
        (RectangularBase((0, 0), 2, 2), RectangularBase((5, 5), 2, 2), sqrt(18)),
        (RectangularBase((0, 0), 2, 2), RectangularBase((5, 0), 2, 2, 45), 4 - sqrt(2)),
        (RectangularBase((0, 0), 8, 8), RectangularBase((1, 1), 2, 2), 0),
    ],
)
def test_gaps_run_from_edge_to_edge(a: Base, b: Base, expected: float) -> None:
    assert gap(a, b) == pytest.approx(expected) == gap(b, a)


@given(bases, bases)
def test_gap_contact_and_overlap_agree_both_ways(a: Base, b: Base) -> None:
    assert gap(a, b) == pytest.approx(gap(b, a))
    assert in_contact(a, b) == in_contact(b, a)
    assert overlap(a, b) == overlap(b, a)
    assert gap(a, b) <= dist(a.centre, b.centre)
    if overlap(a, b):
        assert in_contact(a, b)


def test_bases_side_by_side_touch_without_overlap() -> None:
    pairs: list[tuple[Base, Base]] = [
        (RoundBase((0.1, 0), 0.35), RoundBase((0.8, 0), 0.35)),
        (RoundBase((0, 0), 1), RectangularBase((0, 3), 5, 4)),
        (RectangularBase((0, 0), 1, 1), RectangularBase((1, 0), 1, 1)),
    ]
    for a, b in pairs:
        assert in_contact(a, b) and not overlap(a, b)
    assert overlap(RoundBase((0, 0), 1), RectangularBase((0, 2.9), 5, 4))
    assert overlap(RectangularBase((0, 0), 1, 1), RectangularBase((0.9, 0), 1, 1))


@given(points, points, bases)
def test_a_mover_stops_where_it_first_touches(start: Point, end: Point, other: Base) -> None:
    moved = contact_along(start, end, 0.5, other)
    reach = dist(start, end)

    def gap_after(length: float) -> float:
        t = length / reach if reach else 0.0
        here = (start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]))
        return gap(RoundBase(here, 0.5), other)

    samples = [gap_after(reach * step / 100) for step in range(101)]
    if moved is None:
        assert min(samples) > 0
    else:
        assert gap_after(moved) <= 1e-5
        before = [found for step, found in enumerate(samples) if reach * step / 100 < moved - 1e-3]
        assert all(found > 0 for found in before)


def test_a_charge_straight_at_a_base() -> None:
    assert contact_along((0, 0), (10, 0), 0.5, RoundBase((8, 0), 0.5)) == pytest.approx(7)
    assert contact_along((0, 0), (10, 0), 0.5, RectangularBase((8, 0), 2, 2)) == pytest.approx(6.5, abs=1e-5)
    assert contact_along((0, 0), (6.9, 0), 0.5, RoundBase((8, 0), 0.5)) is None
    assert contact_along((0, 0), (-10, 0), 0.5, RoundBase((8, 0), 0.5)) is None
    assert contact_along((0, 0), (0, 0), 0.5, RoundBase((8, 0), 0.5)) is None
    assert contact_along((0, 0), (10, 0), 0.5, RoundBase((1, 0), 0.5)) == 0


def shrunk(base: Base) -> Base:
    if isinstance(base, RoundBase):
        return RoundBase(base.centre, base.radius - 1e-3)
    return RectangularBase(base.centre, base.width - 2e-3, base.depth - 2e-3, base.facing)


@given(points, points, st.lists(bases, max_size=6))
def test_bases_on_a_line_are_those_that_hold_some_of_it(a: Point, b: Point, others: list[Base]) -> None:
    found = bases_on_line(a, b, others)
    assert set(bases_on_line(b, a, others)) == set(found)
    assert [dist(a, others[i].centre) for i in found] == sorted(dist(a, others[i].centre) for i in found)
    samples = [RoundBase((a[0] + t / 50 * (b[0] - a[0]), a[1] + t / 50 * (b[1] - a[1])), 0) for t in range(51)]
    for index, other in enumerate(others):
        if index in found:
            assert min(gap(place, other) for place in samples) <= dist(a, b) / 50
        else:
            assert min(gap(place, shrunk(other)) for place in samples) > 0


def test_a_line_that_only_touches_a_base_passes_it() -> None:
    file: list[Base] = [
        RoundBase((3, 1), 1.0),
        RoundBase((9, 0.5), 1.0),
        RectangularBase((6, 0), 1, 1),
        RoundBase((-2, 0), 1),
    ]
    assert bases_on_line((0, 0), (10, 0), file) == (2, 1)


def test_the_middle_and_the_nearest_figure_of_a_unit() -> None:
    unit = [RoundBase((0.0, 0.0), 0.5), RoundBase((4.0, 0.0), 0.5), RoundBase((2.0, 3.0), 0.5)]
    assert mean_centre([figure.centre for figure in unit]) == (2, 1)
    assert nearest_figure(RoundBase((9, 0), 0.5), unit) == 1
    assert nearest_figure(RoundBase((2, -5), 0.5), unit) == 0
    foes = [RoundBase((12.0, 0.0), 0.5), RoundBase((8.0, 3.0), 0.5)]
    assert unit_gap(unit, foes) == unit_gap(foes, unit) == pytest.approx(4)
    with pytest.raises(ValueError, match="without figures"):
        mean_centre([])


@given(st.lists(bases, min_size=1, max_size=8), st.lists(bases, min_size=1, max_size=8))
def test_the_gap_between_units_is_the_least_of_all_pairs(a: list[Base], b: list[Base]) -> None:
    assert unit_gap(a, b) == pytest.approx(min(gap(one, other) for one in a for other in b))


@pytest.mark.rule("PAY-099")
def test_frontage_is_the_spread_across_the_line_of_fire_and_one_man() -> None:
    rank = [(float(x), 0.0) for x in range(5)]
    assert frontage(rank, (2, 20), 1) == pytest.approx(5)
    assert frontage(rank, (40, 0), 1) == pytest.approx(1)
    assert frontage(rank, (22, 20), 1) == pytest.approx(4 / sqrt(2) + 1)
    assert frontage(rank[:1], (3, 3), 1) == 1 == frontage(rank, (2, 0), 1)
