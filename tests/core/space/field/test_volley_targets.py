"""Targets in range and in sight, compared with testing every pair against every sight blocker."""

from __future__ import annotations

from math import dist
from random import Random

from tests.core.seeds import seeds

from zareba.space import Point, TerrainPiece
from zareba.space.field.line_of_sight import Observer, SightBlocker, SightBlockers, find_visible, line_is_clear
from zareba.space.geometry import bounds


def spot(random: Random) -> Point:
    return random.uniform(0, 40), random.uniform(0, 30)


def screens(random: Random) -> list[SightBlocker[str]]:
    """Return houses, yards with an inward corner, walls with and without loopholes, and woods."""
    found = []
    for number in range(random.randint(0, 6)):
        x, y, wide, deep = *spot(random), random.uniform(1, 8), random.uniform(1, 8)
        box = [(x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)]
        kind = random.randrange(4)
        if kind == 0:
            found.append(SightBlocker(TerrainPiece.area(f"house {number}", "", box)))
        elif kind == 1:
            found.append(SightBlocker(TerrainPiece.area(f"yard {number}", "", [*box, (x + wide / 3, y + deep / 2)])))
        elif kind == 2:
            found.append(
                SightBlocker(TerrainPiece.line(f"wall {number}", "", box[:3]), loophole=random.choice((0.0, 1.0)))
            )
        else:
            found.append(SightBlocker(TerrainPiece.area(f"wood {number}", "", box), through=random.choice((2.0, 4.0))))
    return found


@seeds(150)
def test_targets_in_sight_are_on_a_clear_line_from_some_firer(seed: int) -> None:
    random = Random(seed)
    before = screens(random)
    eyes = [
        Observer(spot(random), random.uniform(5, 40), random.choice((0.0, 0.0, 2.0)))
        for _ in range(random.randint(1, 6))
    ]
    near = spot(random)
    sought = [
        ((near[0] + random.uniform(-5, 5), near[1] + random.uniform(-5, 5)), random.choice((0.0, 0.0, 3.0)))
        for _ in range(random.randint(1, 8))
    ]
    friend, crowded = spot(random), random.random() < 0.5

    def hides(a: Point, b: Point) -> bool:
        return min(dist(a, friend), dist(b, friend)) < 9.0

    expected = [
        place
        for place, (at, above) in enumerate(sought)
        if any(
            dist(eye.at, at) + eye.height + above <= eye.range
            and line_is_clear(eye.at, at, before)
            and not (crowded and hides(eye.at, at))
            for eye in eyes
        )
    ]
    box, known = bounds([at for at, _ in sought]), SightBlockers(before, 2.0).visibility_cache[frozenset(eyes)]
    assert find_visible(eyes, sought, box, before, hides if crowded else None, known) == expected
    assert (
        known.keys() <= set(sought) and find_visible(eyes, sought, box, before, hides if crowded else None) == expected
    )
    random.shuffle(eyes)
    wide = (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1)
    assert find_visible(eyes, sought, wide, before[::-1], hides if crowded else None, known) == expected
