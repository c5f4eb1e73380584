"""Figures lined up along works and in the front of areas: every place is found, and no two figures share one."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import cos, dist, radians, sin
from random import Random

import pytest
from tests.core.seeds import seeds

from zareba.space import Point, TerrainArea, TerrainLine
from zareba.space.bearings import bearing, direction, in_arc
from zareba.space.field.bodies import Body
from zareba.space.geometry import nearest_on_segment
from zareba.space.moves import LineFormation, offset_along, spread_along

LINING = LineFormation(spacing=1.1, rows=3, close_up=0.05, square_on=0.5, beside=2.2, deeper=2.0)
MAN = 1.25
STEP = 2 * MAN * 1.1


def works(random: Random) -> list[Point]:
    x, found = 0.0, [(0.0, random.uniform(-4, 4))]
    for _ in range(random.randint(1, 3)):
        x += random.uniform(9, 25)
        found.append((x, random.uniform(-8, 8)))
    return found


@seeds(40)
def test_rows_stand_behind_works_the_first_close_up_to_them(seed: int) -> None:
    random = Random(seed)
    line, facing = works(random), random.choice((0.0, 180.0, 20.0, 160.0))
    ahead, rows = direction(facing), LINING.rows_along(line, MAN, facing)
    legs = list(pairwise(line))
    for number, row in enumerate(rows):
        for at in row:
            leg = min(legs, key=lambda leg: TerrainLine(leg).distance(at))
            assert TerrainLine(leg).distance(at) <= MAN + 0.05 + number * STEP + 1e-6
            near = nearest_on_segment(at, *leg)
            assert offset_along(near, ahead) > offset_along(at, ahead), "the works are in front of the figure"
        assert all(dist(a, b) >= STEP - 1e-6 for k in range(len(legs)) for a, b in combinations(row[k:1], 2))
    square = [leg for leg in legs if abs(sin(radians(bearing(*leg) - facing))) >= 0.5]
    assert len(rows[0]) == sum(int((dist(*leg) - 2 * MAN) / STEP) + 1 for leg in square)


@seeds(40)
def test_files_of_an_area_hold_every_place_of_the_grid_in_it_front_first(seed: int) -> None:
    random = Random(seed)
    turn, wide, deep = random.uniform(0, 90), random.uniform(4, 30), random.uniform(4, 20)
    east, north = (cos(radians(turn)), sin(radians(turn))), (-sin(radians(turn)), cos(radians(turn)))
    corners = [
        (a * east[0] + b * north[0], a * east[1] + b * north[1])
        for a, b in ((0, 0), (wide, 0), (wide, deep), (0, deep))
    ]
    area, facing = TerrainArea(corners), random.uniform(0, 360)
    files, outside = LINING.files_in(area, MAN, facing)
    ahead = direction(facing)
    inside = [at for file in files for at in file]
    assert all(area.holds(at) for at in inside) and not any(area.holds(at) for at in outside)
    assert all(offset_along(a, ahead) > offset_along(b, ahead) for file in files for a, b in pairwise(file))
    assert all(dist(a, b) >= STEP - 1e-6 for a, b in combinations([*inside, *outside], 2))
    for _ in range(20):
        at = (random.uniform(-20, 40), random.uniform(-20, 40))
        if area.holds(at):
            assert min(dist(at, place) for place in (*inside, *outside)) <= STEP


@seeds(40)
def test_men_line_up_in_rows(seed: int) -> None:
    random = Random(seed)
    line, facing = works(random), random.choice((0.0, 180.0))
    rows = LINING.rows_along(line, MAN, facing)
    body = Body(tuple((random.uniform(-5, 40), random.uniform(-12, 12)) for _ in range(random.randint(1, 8))), MAN)
    found = LINING.line_up(body, rows, facing, 60.0)
    first = min(rows[0], key=lambda at: dist(at, body.centre), default=None)
    assert LINING.line_up(body, rows, facing, 0.0) is None
    if found is None:
        assert first is None or len(body) > 1
        return
    places = [at for row in rows for at in row]
    assert len(found) == len(body) and set(found.at) <= set(places) and first in found.at
    assert all(dist(a, b) >= 2 * MAN - 1e-6 for a, b in combinations(found.at, 2))
    if len(found) > 1:
        assert all(min(dist(a, b) for b in found.at if b != a) <= 2.2 * STEP + 1e-9 for a in found.at)
    ranks = [offset_along(at, direction(facing)) for at in found.at]
    assert ranks == sorted(ranks, reverse=True), "the foremost come first"


def test_works_that_are_not_square_on_are_not_lined() -> None:
    assert LINING.rows_along([(0, 0), (0, 30)], MAN, 0.0) == [[], [], []]
    assert in_arc(0.0, 60.0, bearing((0, 0), (10, 20))) and LINING.rows_along([(0, 0), (10, 20)], MAN, 0.0)[0] == []


@seeds(60)
def test_men_spread_along_the_nearest_leg_of_a_line_on_the_hand_that_is_theirs(seed: int) -> None:
    random = Random(seed)
    line, apart, off = works(random), random.uniform(1.0, 3.0), random.choice((0.0, 0.5))
    at, behind = (random.uniform(0, 40), random.uniform(-9, 9)), (random.uniform(0, 40), random.uniform(-30, 30))
    count, legs = random.randint(1, 12), list(pairwise(line))
    found = spread_along(legs, at, count, apart, off, behind)
    leg = min(legs, key=lambda leg: TerrainLine(leg).distance(at))
    assert len(found) == min(count, max(1, int(dist(*leg) / apart)))
    assert all(TerrainLine(leg).distance(place) == pytest.approx(off) for place in found)
    assert all(dist(a, b) >= apart - 1e-6 for a, b in combinations(found, 2))
    middle = nearest_on_segment(at, *leg)
    away = [dist(nearest_on_segment(place, *leg), middle) for place in found]
    assert away == sorted(away) or not TerrainLine(leg).distance(at) < dist(at, leg[0]), "the nearest first"
    if off:
        side = [sin(radians(bearing(leg[0], place) - bearing(*leg))) for place in (*found, behind)]
        assert len({offset > 0 for offset in side}) == 1


def test_a_leg_of_no_length_has_no_places() -> None:
    assert spread_along([((3.0, 3.0), (3.0, 3.0))], (0.0, 0.0), 4, 1.0, 0.5, (0.0, 9.0)) == []
