"""A square is occupied if a shape touches it, and a rectangle is open if none of its squares is occupied."""

from __future__ import annotations

from random import Random

from tests.core.seeds import seeds

from zareba.space import Point, TerrainArea, TerrainLine
from zareba.space.field.unit_index import GridIndex


def box(west: float, south: float, east: float, north: float) -> list[Point]:
    return [(west, south), (east, south), (east, north), (west, north)]


def shape(random: Random) -> TerrainArea | TerrainLine:
    """Return a triangle, a rectangle or a bent line on a table of 30 by 30."""
    x, y, points = random.uniform(2, 26), random.uniform(2, 26), random.choice((3, 3, 4))
    some = [(x + random.uniform(-4, 4), y + random.uniform(-4, 4)) for _ in range(3)]
    if points == 4:
        return TerrainArea(box(x, y, x + random.randint(1, 4), y + random.uniform(0.1, 4)))
    return TerrainArea(some) if random.random() < 0.5 else TerrainLine(some)


def touches(one: TerrainArea | TerrainLine, west: float, south: float, east: float, north: float) -> bool:
    """Return True if a shape touches a rectangle."""
    corners = box(west, south, east, north)
    return (
        any(west <= x <= east and south <= y <= north for x, y in one.points)
        or any(one.holds(corner) for corner in corners)
        or any(TerrainArea(corners).meets(a, b) for a, b in one.legs)
    )


def check(random: Random) -> None:
    shapes = [shape(random) for _ in range(random.randint(0, 3))]
    squares = GridIndex(30.0, 30.0, shapes)
    held = {(x, y) for x in range(30) for y in range(30) if any(touches(s, x, y, x + 1, y + 1) for s in shapes)}
    for x, y in held:
        assert not squares.is_open(x + 0.5, y + 0.5, x + 0.5, y + 0.5)
    for _ in range(40):
        west, south = random.randrange(28), random.randrange(28)
        east, north = random.randrange(west, 29), random.randrange(south, 29)
        known = any((x, y) in held for x in range(west, east + 1) for y in range(south, north + 1))
        near = any(touches(s, west - 1e-5, south - 1e-5, east + 1 + 1e-5, north + 1 + 1e-5) for s in shapes)
        assert squares.is_open(west + 0.1, south + 0.1, east + 0.9, north + 0.9) in {not known, not near}


@seeds(12)
def test_a_square_holds_something_when_something_touches_it(seed: int) -> None:
    check(Random(seed))


def test_a_line_on_the_border_of_two_squares_lies_in_both() -> None:
    for at in (5.0, 5 - 5e-7, 5 + 5e-7):
        squares = GridIndex(30.0, 30.0, [TerrainLine([(at, 4.5), (at, 6.5)]), TerrainLine([(10.5, at), (12.5, at)])])
        assert [squares.is_open(x, 5.5, x, 5.5) for x in (3.5, 4.5, 5.5, 6.5)] == [True, False, False, True]
        assert [squares.is_open(11.5, y, 11.5, y) for y in (3.5, 4.5, 5.5, 6.5)] == [True, False, False, True]
        assert [squares.is_open(4.5, y, 4.5, y) for y in (3.5, 4.5, 6.5, 7.5)] == [True, False, False, True]
        assert [squares.is_open(x, 4.5, x, 4.5) for x in (9.5, 10.5, 12.5, 13.5)] == [True, False, False, True]


def test_ground_beyond_the_table_counts_as_open_unless_lines_are_near() -> None:
    assert GridIndex(10.0, 10.0, []).is_open(-5.0, 0.0, 20.0, 5.0)
    assert not GridIndex(10.0, 10.0, [TerrainLine([(1.0, 1.0), (2.0, 2.0)])]).is_open(5.0, 5.0, 12.0, 6.0)
