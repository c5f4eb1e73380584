"""The index of all units on the table, compared with measuring every pair of figures."""

from __future__ import annotations

from random import Random

import pytest
from tests.core.seeds import seeds
from tests.core.space.field.test_bodies import body, lengths

from zareba.space.field.bodies import Body, NearestPair, nearest
from zareba.space.field.unit_index import IndexedSide, UnitIndex
from zareba.space.lazy import Lazy, LazyBetween


def side(bodies: list[Body]) -> IndexedSide:
    gaps: Lazy[tuple[Body, Body], NearestPair] = LazyBetween(nearest)
    return IndexedSide({f"u{number}": unit_body for number, unit_body in enumerate(bodies)}, gaps)


def check_side(random: Random) -> None:
    here, others = body(random), [body(random, 5) for _ in range(random.randint(1, 6))]
    all_of_them, reach = side(others), random.choice((0.0, 1.0, 5.0, 12.0, 30.0))
    gaps = [min(lengths(here, other)) for other in others]
    if any(abs(gap - reach) < 1e-9 for gap in gaps if gap):
        return  # rounding decides
    near = [place for place, gap in enumerate(gaps) if gap <= reach]
    assert all_of_them.within(here, reach) == near
    assert all_of_them.any_within(here, reach) is bool(near)
    assert [all_of_them.reaches(place, here, reach) for place in range(len(others))] == [gap <= reach for gap in gaps]
    ranked = all_of_them.ranked(here, reach)
    assert sorted(place for place, _ in ranked) == near
    assert [gap for _, gap in ranked] == sorted(gap for _, gap in ranked)
    found = all_of_them.nearest(here)
    assert found is not None and found[1].gap == pytest.approx(min(gaps), abs=1e-9)
    even = all_of_them.nearest_that(here, lambda place: place % 2 == 1)
    assert (even is None) == (len(others) < 2)
    if even is not None:
        assert even[0] % 2 == 1 and even[1].gap == pytest.approx(min(gaps[1::2]), abs=1e-9)
    part = all_of_them.part("even", lambda name: int(name[1:]) % 2 == 0)
    assert part.names == all_of_them.names[::2] and all_of_them.part("even", lambda _: False) is part
    expected = {i for i, p in enumerate(here.at) for o in others if min(lengths(Body((p,), here.radius), o)) <= reach}
    assert all_of_them.touching(here, reach) == expected


@seeds(150)
def test_unit_index_finds_the_same_bodies_as_measuring(seed: int) -> None:
    check_side(Random(seed))


def test_a_unit_index_reuses_the_sides_that_have_not_moved() -> None:
    a, b, c = (Body(((float(x), 0.0),), 0.5) for x in (0, 10, 20))
    names_by_side = {"red": ("a", "b"), "blue": ("c", "hidden")}
    gaps: Lazy[tuple[Body, Body], NearestPair] = LazyBetween(nearest)
    before = UnitIndex(names_by_side, ["a", "b", "c"], [a, b, c], gaps)
    moved = b.moved_by(1.0, 0.0)
    after = UnitIndex(names_by_side, ["a", "b", "c"], [a, moved, c], gaps, before)
    assert (
        before.is_of(names_by_side, [a, b, c])
        and not before.is_of(names_by_side, [a, moved, c])
        and not before.is_of(None, [a, b, c])
    )
    assert after.sides["blue"] is before.sides["blue"] and after.sides["red"] is not before.sides["red"]
    assert (
        after.sides["blue"].names == ["c"] and after.sides["red"].has("b", moved) and not after.sides["red"].has("b", b)
    )
    assert after.present == [a, moved, c] and after.in_box((5.0, -1.0, 15.0, 1.0)) == [moved]
    fallen = UnitIndex(names_by_side, ["a", "b", "c"], [a, moved.subset([]), c], gaps, after)
    assert fallen.sides["red"].names == ["a"] and fallen.present == [a, c]
