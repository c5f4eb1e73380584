"""The point where a moving base first touches another, compared with a walk in small steps without geometry."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, dist, radians, sin
from random import Random

import pytest
from tests.core.seeds import seeds

from zareba.space import Base, Point
from zareba.space.bearings import bearing, turn
from zareba.space.geometry import distance_to_segment
from zareba.space.moves import first_touch, points_around

STEP = 0.002


def field(random: Random) -> tuple[Point, Point, float, list[Base], float]:
    """Return a path, the radius of the moving base, the bases around it, and the distance to keep from them."""
    start, goal = ((random.uniform(0, 8), random.uniform(0, 8)) for _ in range(2))
    others = [
        Base(random.uniform(0, 8), random.uniform(0, 8), random.choice((0.5, 0.75, 1.5)), key=str(number))
        for number in range(random.randint(0, 8))
    ]
    return start, goal, random.choice((0.0, 0.5, 0.75)), others, random.choice((0.0, 0.5, 1.0))


def walked(start: Point, goal: Point, near: float, other: Base) -> float | None:
    """Return the distance covered in small steps until the base is too near another one and still approaching it."""
    length, moved, before = dist(start, goal), 0.0, dist(start, other[:2])
    while moved < length:
        moved = min(length, moved + STEP)
        at = tuple(a + (b - a) * moved / length for a, b in zip(start, goal, strict=True))
        away = dist(at, other[:2])
        if away < near and away < before:
            return moved
        before = away
    return None


def check(random: Random) -> None:
    start, goal, radius, others, apart = field(random)
    found = first_touch(start, goal, radius, others, apart)
    ways = [(other, walked(start, goal, radius + apart + other.radius, other)) for other in others]
    expected = min((moved for _, moved in ways if moved is not None), default=None)
    whole, slack = dist(start, goal), 2 * STEP
    clearances = [distance_to_segment(o[:2], start, goal) - radius - apart - o.radius for o in others]
    if any(abs(clearance) < slack for clearance in clearances):
        return  # a near miss that small steps may overlook
    if expected is None:
        assert found is None or found.moved < slack or found.moved > whole - slack
    elif found is None:
        assert expected < slack or expected > whole - slack
    else:
        assert expected == pytest.approx(found.moved, abs=slack)
        assert found.base in others


@seeds(100)
def test_the_first_touch_agrees_with_a_walk_in_small_steps(seed: int) -> None:
    check(Random(seed))


@seeds(100)
def test_the_first_touch_is_the_same_mirrored_turned_shifted_or_scaled(seed: int) -> None:
    start, goal, radius, others, apart = field(Random(seed))
    found = first_touch(start, goal, radius, others, apart)

    def again(change: Callable[[Point], Point], scale: float = 1.0) -> None:
        moved = [Base(*change((b.x, b.y)), b.radius * scale, key=b.key) for b in others]
        other = first_touch(change(start), change(goal), radius * scale, moved, apart * scale)
        assert (other is None) == (found is None)
        if other is not None and found is not None:
            assert other.base.key == found.base.key and other.moved == pytest.approx(found.moved * scale, abs=1e-6)

    again(lambda at: (-at[0], at[1]))
    again(lambda at: (at[0] + 100.0, at[1] - 30.0))
    again(lambda at: (at[0] * 2.54, at[1] * 2.54), 2.54)
    turn = radians(37)
    again(lambda at: (at[0] * cos(turn) - at[1] * sin(turn), at[0] * sin(turn) + at[1] * cos(turn)))


def test_base_may_pass_a_base_that_it_touches_at_the_start() -> None:
    beside, ahead = Base(0.0, 1.0, 0.5, key="beside"), Base(4.0, 0.2, 0.5, key="ahead")
    way: tuple[Point, Point] = ((-0.2, 0.0), (9.0, 0.0))
    assert first_touch(*way, 0.5, [beside, ahead], 0.5) == (0.0, beside)
    touch = first_touch(*way, 0.5, [beside, ahead], 0.5, 0.0, lambda away, aside, other: aside >= 0.5 + other.radius)
    assert touch is not None and touch.base is ahead
    assert first_touch(*way, 0.5, [Base(-1.0, 0.0, 0.5)], 0.5) is None, "a base behind the mover is not touched"
    assert first_touch(way[0], way[0], 0.5, [ahead]) is None


def test_points_around_a_point_come_in_the_order_of_their_bearings() -> None:
    found = list(points_around((2.0, 3.0), 5.0, 90.0, (0, 90, -30)))
    assert [turn(90.0, bearing((2.0, 3.0), spot)) for spot in found] == pytest.approx([0, 90, -30])
    assert all(dist(spot, (2.0, 3.0)) == pytest.approx(5.0) for spot in found)
