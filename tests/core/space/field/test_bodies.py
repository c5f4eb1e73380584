"""Groups of figures, compared with measuring every pair of figures."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.seeds import seeds

from zareba.space import Base, Point
from zareba.space.bearings import bearing_to, in_arc
from zareba.space.field.bodies import (
    Body,
    Crowd,
    body_in_ranks,
    connected_groups,
    nearest,
    nearest_of,
    touching_indices,
    touching_pairs,
)
from zareba.space.lazy import LazyBetween


def body(random: Random, most: int = 9) -> Body:
    """Return some figures: scattered, in ranks, or on the points of a grid, where many distances are equal."""
    count, radius = random.randint(1, most), random.choice((0.5, 0.75, 1.25))
    kind, x, y = random.randrange(3), random.uniform(0, 40), random.uniform(0, 40)
    if kind == 0:
        return body_in_ranks((x, y), random.uniform(0, 360), count, radius, random.randint(1, count))
    if kind == 1:
        return Body(tuple((x + random.uniform(0, 9), y + random.uniform(0, 9)) for _ in range(count)), radius)
    return Body(tuple((float(random.randint(0, 30)), float(random.randint(0, 30))) for _ in range(count)), radius)


def lengths(a: Body, b: Body) -> list[float]:
    """Return the gaps between all pairs of figures."""
    return [max(0.0, dist(p, q) - a.radius - b.radius) for p in a.at for q in b.at]


def check_nearest(random: Random) -> None:
    a, b, c = body(random), body(random), body(random)
    near = nearest(a, b)
    assert near.gap == pytest.approx(min(lengths(a, b)), abs=1e-9)
    own, other = a.at[near.first_index], b.at[near.second_index]
    assert max(0.0, dist(own, other) - a.radius - b.radius) == pytest.approx(near.gap, abs=1e-9)
    back = nearest(b, a)
    assert back.gap == pytest.approx(near.gap, abs=1e-9)
    assert a.circle_gap(b) <= near.gap + 1e-9
    middles = [nearest(Body(p.at, 0.0), Body(q.at, 0.0)).gap for p, q in ((a, c), (a, b), (b, c))]
    widest = max(dist(p, q) for p in b.at for q in b.at)
    assert middles[0] <= middles[1] + middles[2] + widest + 1e-9


def check_touching(random: Random) -> None:
    def some() -> list[Base]:
        return [
            Base(random.uniform(0, 9), random.uniform(0, 9), random.choice((0.5, 0.75, 1.5)))
            for _ in range(random.randint(0, 8))
        ]

    own, others, reach = some(), some(), random.choice((0.0, 0.05, 1.0))

    def touch(a: Base, b: Base) -> bool:
        return dist(a[:2], b[:2]) <= a.radius + b.radius + reach

    assert touching_indices(own, others, reach) == [i for i, a in enumerate(own) if any(touch(a, b) for b in others)]
    assert len(touching_indices(others, own, reach)) == sum(any(touch(a, b) for a in own) for b in others)
    pairs = {i: [j for j, b in enumerate(others) if touch(a, b)] for i, a in enumerate(own)}
    assert touching_pairs(own, others, reach) == {i: touched for i, touched in pairs.items() if touched}


def check_joined_crowds(random: Random) -> None:
    parts = [
        [
            Base(random.uniform(0, 9), random.uniform(0, 9), random.choice((0.5, 1.5)))
            for _ in range(random.randint(0, 5))
        ]
        for _ in range(3)
    ]
    crowds, whole = [Crowd(part) for part in parts], Crowd(base for part in parts for base in part)
    joined = Crowd.joined(crowds)
    joined.add(Base(20.0, 20.0, 0.5))
    assert crowds[0].is_free((20.0, 20.0), 0.5), "the parts stay as they are"
    for _ in range(20):
        at, radius = (random.uniform(-2, 11), random.uniform(-2, 11)), random.choice((0.5, 0.75))
        assert joined.is_free(at, radius) is whole.is_free(at, radius)


def check_chains(random: Random) -> None:
    bases = [
        Base(random.uniform(0, 20), random.uniform(0, 20), random.choice((0.5, 0.75, 1.5)))
        for _ in range(random.randint(0, 12))
    ]
    most = random.choice((0.0, 1.0, 3.0))
    group = list(range(len(bases)))  # each base takes the least number among the bases it reaches
    for _ in bases:
        for i, a in enumerate(bases):
            for j, b in enumerate(bases):
                if dist(a[:2], b[:2]) <= a.radius + b.radius + most:
                    group[i] = min(group[i], group[j])
    found = connected_groups(bases, most)
    assert sorted(place for chain in found for place in chain) == list(range(len(bases)))
    assert {frozenset(chain) for chain in found} == {
        frozenset(i for i, own in enumerate(group) if own == name) for name in set(group)
    }
    assert [chain[0] for chain in found] == sorted(set(group))


CHECKS = (check_chains, check_joined_crowds, check_nearest, check_touching)


@pytest.mark.parametrize("check", CHECKS)
@seeds(150)
def test_nearby_bodies_equal_those_found_by_measuring(seed: int, check: Callable[[Random], None]) -> None:
    check(Random(seed))


@seeds(60)
def test_gaps_are_the_same_mirrored_moved_turned_and_in_centimetres(seed: int) -> None:
    random = Random(seed)
    a, b = body(random), body(random)
    gap = nearest(a, b).gap

    def again(change: Callable[[Point], Point], scale: float = 1.0) -> None:
        one, other = (Body(tuple(map(change, some.at)), some.radius * scale) for some in (a, b))
        assert nearest(one, other).gap == pytest.approx(gap * scale, abs=1e-9)

    again(lambda at: (-at[0], at[1]))
    again(lambda at: (at[0] + 250.0, at[1] - 30.0))
    again(lambda at: (at[1], -at[0]))
    again(lambda at: (at[0] * 2.54, at[1] * 2.54), 2.54)


def test_part_of_a_body_has_only_its_figures() -> None:
    whole = body_in_ranks((5.0, 5.0), 0.0, 5, 0.5, 5)
    assert whole.subset(range(5)) is whole
    assert whole.subset([1, 3]).at == (whole.at[1], whole.at[3]) == whole.without([0, 2, 4]).at
    assert Body.from_data(whole.to_data()).at == whole.at and whole.copy() is whole
    assert whole.moved_by(1.0, -2.0).centre == pytest.approx((6.0, 3.0))


@given(
    st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), min_size=1, max_size=6),
    st.tuples(st.floats(-30, 30), st.floats(-30, 30)),
    st.floats(0, 359),
    st.sampled_from([30.0, 45.0, 67.5, 90.0, 135.0]),
)
def test_body_in_an_arc_has_every_figure_in_it(spots: list[Point], start: Point, facing: float, half: float) -> None:
    body = Body(tuple(spots), 0.5)
    found = body.lies_in_arc(start, facing, half)
    inside = [in_arc(facing, half, bearing_to(start, at)) for at in body.at]
    if found is not None:
        assert half <= 90 and all(one is found for one in inside)
    assert Body(((0.0, 20.0),), 1.0).lies_in_arc((0.0, 0.0), 0.0, 45.0) is True
    assert Body(((0.0, -20.0),), 1.0).lies_in_arc((0.0, 0.0), 0.0, 90.0) is False


@seeds(150)
def test_the_nearest_of_some_bodies_has_the_least_gap_of_all(seed: int) -> None:
    random = Random(seed)
    own, others = body(random), [body(random) for _ in range(random.randint(0, 6))]
    found = nearest_of(own, others, LazyBetween(nearest))
    if not others:
        assert found is None
        return
    assert found is not None
    least = [min(lengths(own, other)) for other in others]
    assert found[1] == nearest(own, others[found[0]])
    assert found[1].gap == pytest.approx(min(least)) and least[found[0]] == pytest.approx(min(least))
