"""Men along the nearest leg of a wall: as many as there is room for, the nearest first, all on their own hand."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist, radians, sin
from random import Random

import pytest

from zareba.space import Line
from zareba.space.bearings import bearing
from zareba.space.geometry import nearest_on_segment
from zareba_rulesets.paychest.forces.formation import spread_along


@pytest.mark.parametrize("seed", range(60))
def test_men_spread_along_the_nearest_leg_of_a_line_on_the_hand_that_is_theirs(seed: int) -> None:
    random = Random(seed)
    line = [(12.0 * k, random.uniform(-8, 8)) for k in range(random.randint(2, 4))]
    apart, off = random.uniform(1.0, 3.0), random.choice((0.0, 0.5))
    at, behind = (random.uniform(0, 40), random.uniform(-9, 9)), (random.uniform(0, 40), random.uniform(-30, 30))
    count, legs = random.randint(1, 12), list(pairwise(line))
    found = spread_along(legs, at, count, apart, off, behind)
    leg = min(legs, key=lambda leg: Line(leg).distance(at))
    assert len(found) == min(count, max(1, int(dist(*leg) / apart)))
    assert all(Line(leg).distance(place) == pytest.approx(off) for place in found)
    assert all(dist(a, b) >= apart - 1e-6 for a, b in combinations(found, 2))
    middle = nearest_on_segment(at, *leg)
    away = [dist(nearest_on_segment(place, *leg), middle) for place in found]
    assert away == sorted(away) or not Line(leg).distance(at) < dist(at, leg[0]), "the nearest first"
    if off:
        side = [sin(radians(bearing(leg[0], place) - bearing(*leg))) for place in (*found, behind)]
        assert len({one > 0 for one in side}) == 1


def test_a_leg_of_no_length_has_no_places() -> None:
    assert spread_along([((3.0, 3.0), (3.0, 3.0))], (0.0, 0.0), 4, 1.0, 0.5, (0.0, 9.0)) == []


@pytest.mark.deep
def test_men_spread_along_any_line() -> None:
    for seed in range(200, 10_000):
        test_men_spread_along_the_nearest_leg_of_a_line_on_the_hand_that_is_theirs(seed)
