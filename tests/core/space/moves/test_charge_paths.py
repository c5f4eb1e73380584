"""Runs into contact, compared with walks in small steps and with trying every degree around a base."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, radians, sin
from random import Random

import pytest
from tests.core.seeds import seeds

from zareba.space import Base, Crowd, Point
from zareba.space.bearings import bearing
from zareba.space.geometry import length
from zareba.space.moves import ChargePaths, Ring

TOUCH = 0.05
RUNS = ChargePaths(TOUCH, 20.0, 4, tuple(20.0 * number * hand for number in range(1, 9) for hand in (1, -1)))
MAN = 1.25


def walked(way: list[Point]) -> list[Point]:
    """Return the points of a walk in small steps along a path."""
    found = []
    for (ax, ay), (bx, by) in pairwise(way):
        steps = max(1, int(dist((ax, ay), (bx, by)) / 0.01))
        found += [(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps) for k in range(steps + 1)]
    return found


def around(at: Point, reach: float, degrees: float) -> Point:
    return at[0] + reach * sin(radians(degrees)), at[1] + reach * cos(radians(degrees))


def crowd(random: Random, apart: float) -> list[Ring]:
    """Return some bases that do not overlap."""
    rings: list[Ring] = []
    for _ in range(random.randint(0, 7)):
        at, wide = (random.uniform(-6, 6), random.uniform(-6, 6)), random.choice((1.25, 2.0))
        if all(dist(at, other) >= wide + own + apart for other, own in rings):
            rings.append((at, wide))
    return rings


@seeds(60)
def test_path_is_blocked_where_a_walk_meets_a_base(seed: int) -> None:
    random = Random(seed)
    rings = crowd(random, 0.0)
    way: list[Point] = [(random.uniform(-9, 9), random.uniform(-9, 9)) for _ in range(random.randint(2, 4))]
    gaps = [min(dist(at, step) for step in walked(way)) - wide - MAN + TOUCH for at, wide in rings]
    if any(abs(gap) < 0.01 for gap in gaps):
        return  # a near miss
    assert RUNS.is_barred(way, (99.0, 99.0), MAN, rings) is any(gap < 0 for gap in gaps)
    if sum(gap < 0 for gap in gaps) == 1:
        one = rings[next(k for k, gap in enumerate(gaps) if gap < 0)]
        assert not RUNS.is_barred(way, one[0], MAN, rings), "the target does not block"


@seeds(60)
def test_contact_place_is_found_wherever_one_degree_is_free(seed: int) -> None:
    random = Random(seed)
    ring: Ring = ((0.0, 0.0), 1.25)
    taken = Crowd([Base(x, y, wide) for (x, y), wide in crowd(random, 0.0) if dist((x, y), (0, 0)) >= wide + 1.25], 8.0)
    start = (random.uniform(8, 12), random.uniform(-9, 9))
    places = list(RUNS.places_in_contact(start, MAN, ring, {ring: RUNS.occupied_arcs(MAN, taken, ring)}))
    assert all(dist(spot, ring[0]) == pytest.approx(2.5 + TOUCH) for _, spot in places)
    turns = [abs(angle) for angle, _ in places]
    assert turns == sorted(turns) and turns[0] == 0.0, "the direct path first, then longer detours"
    free = [d for d in range(360) if taken.is_free(around(ring[0], 2.5 + TOUCH, d), MAN + 0.02)]
    assert any(taken.is_free(spot, MAN) for _, spot in places) or not free


@seeds(60)
def test_contact_places_out_of_reach_are_left_out(seed: int) -> None:
    random = Random(seed)
    ring: Ring = ((0.0, 0.0), 1.25)
    taken = {ring: RUNS.occupied_arcs(MAN, Crowd([Base(2.0, 2.0, 1.25), Base(-3.0, 1.0, 1.25)], 8.0), ring)}
    start = (random.uniform(3, 8), random.uniform(-6, 6))
    reach = random.uniform(1, 14)
    every = list(RUNS.places_in_contact(start, MAN, ring, taken))
    some = list(RUNS.places_in_contact(start, MAN, ring, taken, reach))
    assert some[0] == every[0]
    assert [place for place in every[1:] if dist(start, place[1]) <= reach] == [
        place for place in some[1:] if dist(start, place[1]) <= reach
    ]
    assert all(dist(start, spot) <= reach + 0.01 for _, spot in some[1:])


@seeds(60)
def test_a_way_to_a_place_goes_round_the_base_and_no_farther_than_it_must(seed: int) -> None:
    random = Random(seed)
    ring: Ring = ((0.0, 0.0), random.choice((1.25, 2.0)))
    both, start = MAN + ring[1] + TOUCH, (random.uniform(5, 12), random.uniform(-9, 9))
    for angle in (0.0, 35.0, -80.0, 140.0, -180.0):
        way = RUNS.path_into_contact(start, MAN, ring, angle)
        assert way[0] == start and way[-1] == pytest.approx(around(ring[0], both, bearing(ring[0], start) + angle))
        assert min(dist(step, ring[0]) for step in walked(way)) >= both * cos(radians(10)) - 1e-6
        assert length(way) <= dist(start, ring[0]) + both * radians(abs(angle)) + 1e-6
        if len(way) == 2:
            assert min(dist(step, ring[0]) for step in walked(way)) >= both - 1e-6


@seeds(120)
def test_path_past_other_bases_meets_none(seed: int) -> None:
    random = Random(seed)
    rings = crowd(random, 0.3)
    goal: Ring = ((0.0, 16.0), 1.25)
    start = (random.uniform(-4, 4), -14.0)
    spot = around(goal[0], 2.5 + TOUCH, random.choice((180, 120, 240)))
    full = {at for at, _ in rings}
    for hand in (1, -1):
        way = RUNS.past(start, spot, goal[0], MAN, [*rings, goal], full, hand)
        if way is not None:
            assert way[0] == start and way[-1] == pytest.approx(spot)
            assert all(min(dist(at, step) for step in walked(way)) >= wide + MAN - TOUCH - 0.06 for at, wide in rings)
    straight = [start, spot]
    barred = [ring for ring in rings if min(dist(ring[0], step) for step in walked(straight)) < ring[1] + MAN - 0.1]
    if barred:
        assert RUNS.past(start, spot, goal[0], MAN, rings, (), 1) is None, "a target with free places is met"
