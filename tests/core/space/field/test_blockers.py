"""Figures that block a line of sight, compared with testing every figure against the corridor to the target."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from random import Random

from tests.core.seeds import seeds

from zareba.space import Point
from zareba.space.field.bodies import Body, FigureBlockers, is_blocked_by_figures


def body(random: Random, x: float, y: float) -> Body:
    radius = random.choice((1.25, 2.0))
    spots = [(x + random.uniform(-9, 9), y + random.uniform(-9, 9)) for _ in range(random.randint(1, 7))]
    return Body(tuple(spots), radius)


def crowd(random: Random) -> tuple[Body, Body, tuple[Body, ...]]:
    """Return two groups some distance apart, and others between and around them."""
    a, b = body(random, 20, 20), body(random, random.uniform(30, 70), random.uniform(20, 70))
    others = tuple(body(random, random.uniform(0, 80), random.uniform(0, 80)) for _ in range(random.randint(0, 5)))
    return a, b, others


def margins(
    everybody: list[Body], here: Point, own: float, there: Point, wide: float, near: float, either: bool
) -> list[float]:
    """Return how far each relevant figure reaches into the corridor, which widens to the width of the target's base."""
    length = dist(here, there)
    if length <= own + wide:
        return []
    ux, uy = (there[0] - here[0]) / length, (there[1] - here[1]) / length
    found = []
    for blocker in everybody:
        for x, y in blocker.at:
            ahead = (x - here[0]) * ux + (y - here[1]) * uy
            beside = abs((x - here[0]) * uy - (y - here[1]) * ux)
            overlooked = dist(here, (x, y)) - own - blocker.radius <= near + 1e-9
            overlooked |= either and dist(there, (x, y)) - wide - blocker.radius <= near + 1e-9
            if 0 < ahead < length - 1e-6 and not overlooked:
                found.append(blocker.radius + wide * ahead / length - beside)
    return found


def check(random: Random) -> None:
    a, b, others = crowd(random)
    near, either = random.choice((0.0, 2.0)), random.random() < 0.5
    between = FigureBlockers((a, b, *others), near, either)
    pairs = [(here, there) for here in a.at for there in b.at]
    random.shuffle(pairs)
    for here, there in pairs:
        deep = margins([a, b, *others], here, a.radius, there, b.radius, near, either)
        if any(abs(margin) < 1e-5 for margin in deep):
            continue  # they only touch
        hidden = any(margin > 0 for margin in deep)
        assert between.hides(here, a.radius, there, b.radius) is hidden
        assert is_blocked_by_figures([a, b, *others], here, a.radius, there, b.radius, near, either) is hidden


@seeds(200)
def test_blockers_do_not_depend_on_earlier_questions(seed: int) -> None:
    check(Random(seed))


@seeds(60)
def test_blockers_are_the_same_mirrored_moved_and_scaled(seed: int) -> None:
    a, b, others = crowd(Random(seed))

    def answers(change: Callable[[Point], Point], scale: float = 1.0) -> list[bool]:
        one, other, *rest = (Body(tuple(map(change, each.at)), each.radius * scale) for each in (a, b, *others))
        between = FigureBlockers((one, other, *rest), 2.0 * scale, False)
        return [between.hides(here, one.radius, there, other.radius) for here in one.at for there in other.at]

    before = answers(lambda at: at)
    assert answers(lambda at: (-at[0], at[1])) == before
    assert answers(lambda at: (at[0] + 250.0, at[1] - 30.0)) == before
    assert answers(lambda at: (at[0] / 2.54, at[1] / 2.54), 1 / 2.54) == before
