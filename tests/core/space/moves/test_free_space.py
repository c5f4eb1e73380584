"""Moving back along a path to the last free place, and the foremost figures on it."""

from __future__ import annotations

from math import dist
from random import Random

from tests.core.seeds import seeds

from zareba.space import Base, Crowd, Point
from zareba.space.bearings import direction
from zareba.space.moves import even_shares_back, first_place_back, furthest_first


@seeds(60)
def test_a_unit_goes_back_along_its_path_to_the_last_free_step(seed: int) -> None:
    random = Random(seed)
    crowd = Crowd([Base(random.uniform(0, 9), random.uniform(0, 9), 0.6) for _ in range(random.randint(0, 12))])
    start, way = (random.uniform(0, 9), random.uniform(0, 9)), (random.uniform(-6, 6), random.uniform(-6, 6))
    shares = even_shares_back(dist((0, 0), way), random.choice((0.5, 1.25)))
    assert shares[0] == 1.0 and shares[-1] == 0.0 and shares == sorted(shares, reverse=True)

    def free(at: Point) -> bool:
        return crowd.is_free(at, 0.5)

    places = [(start[0] + way[0] * share, start[1] + way[1] * share) for share in shares]
    expected = [at for at in places if free(at)]
    assert first_place_back(start, way, shares, free) == (expected[0] if expected else None)


def test_even_parts_are_about_a_step_and_there_is_one_at_least() -> None:
    assert even_shares_back(5.0, 1.25) == [1.0, 0.75, 0.5, 0.25, 0.0]
    assert even_shares_back(0.0, 1.25) == [1.0, 0.0] == even_shares_back(1.0, 1.25)


@seeds(20)
def test_furthest_first_sorts_by_distance_along_a_direction(seed: int) -> None:
    random = Random(seed)
    at = [(random.uniform(-9, 9), random.uniform(-9, 9)) for _ in range(8)]
    east, north = direction(random.uniform(0, 360))
    order = furthest_first(at, (east, north))
    ahead = [at[k][0] * east + at[k][1] * north for k in order]
    assert sorted(order) == list(range(8)) and ahead == sorted(ahead, reverse=True)
    assert furthest_first(at, (east, north), [5, 2, 7]) == [k for k in order if k in (2, 5, 7)]
    assert furthest_first([(1.0, 0.0), (1.0, 3.0)], (1.0, 0.0)) == [0, 1], "ties keep their order"
