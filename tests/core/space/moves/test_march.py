"""Bases that block figures moving in parallel, compared with a walk of each figure in small steps."""

from __future__ import annotations

from math import dist
from random import Random

from tests.core.seeds import seeds

from zareba.space import Base, Point
from zareba.space.geometry import bounds, joint_box
from zareba.space.moves import find_blockers, is_blocked, relevant_bases

STEPS = 400
MAN = 0.5


def spot(random: Random) -> Point:
    return random.uniform(0, 12), random.uniform(0, 12)


def crowd(random: Random) -> list[Base]:
    return [
        Base(*spot(random), random.choice((0.5, 0.75, 1.5)), random.choice(("red", "blue")), str(k))
        for k in range(random.randint(0, 9))
    ]


def least(start: Point, way: Point, base: Base) -> float:
    """Return the least gap between a moving figure and a base, edge to edge, in small steps."""
    steps = [(start[0] + way[0] * k / STEPS, start[1] + way[1] * k / STEPS) for k in range(STEPS + 1)]
    return min(dist(at, base[:2]) for at in steps) - MAN - base.radius


@seeds(200)
def test_first_base_met_blocks_a_path(seed: int) -> None:
    random = Random(seed)
    bases, way, touch = crowd(random), (random.uniform(-5, 5), random.uniform(-5, 5)), random.choice((0.0, 0.05))
    starts = [spot(random) for _ in range(random.randint(1, 4))]
    expected = None
    for base in bases:
        ends = [dist((x + way[0], y + way[1]), base[:2]) - MAN - base.radius for x, y in starts]
        near = [least(at, way, base) for at in starts]
        if any(abs(gap) < 0.02 or abs(gap - touch) < 1e-4 for gap in (*ends, *near)):
            return  # a near miss
        how = "on" if min(ends) < 0 else "through" if min(near) < 0 else "against" if min(ends) <= touch else None
        if how == "on" or (how is not None and base.side != "red" and (how == "through" or touch > 0)):
            expected = base, how
            break
    assert find_blockers(starts, way, MAN, bases, "red", touch) == expected
    ends_at = [(x + way[0], y + way[1]) for x, y in starts]
    end, sweep = bounds(ends_at), joint_box(bounds(starts), bounds(ends_at))
    some = relevant_bases(bases, sweep, end, MAN + touch, "red")
    assert find_blockers(starts, way, MAN, some, "red", touch) == expected, "an excluded base does not block"
    assert set(some) <= set(bases)


@seeds(200)
def test_one_figure_is_stopped_by_the_same_bases(seed: int) -> None:
    random = Random(seed)
    bases, start = crowd(random), spot(random)
    way = random.choice(((0.0, 0.0), (random.uniform(-5, 5), random.uniform(-5, 5))))
    assert is_blocked(start, way, MAN, bases, "red") is (find_blockers([start], way, MAN, bases, "red") is not None)
