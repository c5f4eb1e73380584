"""Terrain of a scenario on the cells and sides of a grid."""

from __future__ import annotations

from itertools import pairwise, product
from math import dist
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space.geometry import Point, area, distance_to_polygon, is_inside, length
from zareba.space.grid.boxes import BoxGrid, E, N, S, W
from zareba.space.grid.cells import CellGrid
from zareba.space.grid.hexes import HexGrid
from zareba.space.grid.terrain import Raster, sides_along

G = TypeVar("G", bound=CellGrid)
BOXES = Raster(BoxGrid(12, 8), 6)
POINTY = Raster(HexGrid(12, 9), 6)
FLAT = Raster(HexGrid(14, 8, flat_top=True), 6, (1.5, -1))
rasters = st.sampled_from([BOXES, POINTY, FLAT])
inches = st.tuples(st.integers(-4, 76), st.integers(-4, 52)).map(lambda p: (float(p[0]), float(p[1])))
on_table = st.tuples(st.integers(4, 68), st.integers(4, 44)).map(lambda p: (float(p[0]), float(p[1])))
triangles = st.tuples(on_table, on_table, on_table).filter(lambda t: area(t) > 20)


def box(column: int, row: int) -> int:
    found = BOXES.grid.at(column, row)
    assert found is not None
    return found


def outline(raster: Raster[G], cell: int) -> list[Point]:
    west, south = raster.origin
    return [(west + x * raster.inches, south + y * raster.inches) for x, y in raster.grid.outline(cell)]


@given(rasters, triangles)
def test_coverage_agrees_with_counting_points(raster: Raster[CellGrid], triangle: tuple[Point, ...]) -> None:
    found = raster.coverage(triangle)
    assert all(0 < covered <= 1 for covered in found.values())
    cell_area = area(outline(raster, 0))
    assert sum(found.values()) * cell_area == pytest.approx(area(triangle))
    for cell in list(found)[:3]:
        ring = outline(raster, cell)
        x, y = raster.to_table(cell)
        grid_points = [(x + (i - 11.5) * 8 / 24, y + (j - 11.5) * 8 / 24) for i, j in product(range(24), repeat=2)]
        own = [point for point in grid_points if is_inside(point, ring)]
        sampled = sum(is_inside(point, triangle) for point in own) / len(own)
        assert found[cell] == pytest.approx(sampled, abs=0.1)


def test_half_a_box_is_exactly_a_half() -> None:
    assert BOXES.coverage([(0, 0), (9, 0), (9, 6), (0, 6)]) == {box(0, 0): 1, box(1, 0): 0.5}


@given(rasters, st.lists(on_table, min_size=2, max_size=4))
def test_a_line_is_shared_out_among_the_cells_it_crosses(raster: Raster[CellGrid], line: list[Point]) -> None:
    found = raster.crossed_by(line)
    assert sum(found.values()) >= length(line) - 1e-6
    if length(line) > 0:
        assert (
            raster.cell_at(line[0]) in found
            or min(distance_to_polygon(line[0], outline(raster, cell)) for cell in found) < 1e-6
        )
    for cell, inside in found.items():
        ring = outline(raster, cell)
        samples = 0
        total = 0.0
        for a, b in pairwise(line):
            for step in range(200):
                t = (step + 0.5) / 200
                if is_inside((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])), ring):
                    samples += 1
                    total += dist(a, b) / 200
        assert inside == pytest.approx(total, abs=2 * length(line) / 200 + 1e-6)


def test_cells_come_in_the_order_of_the_line() -> None:
    assert list(BOXES.crossed_by([(21, 3), (3, 3), (3, 9)])) == [
        box(3, 0),
        box(2, 0),
        box(1, 0),
        box(0, 0),
        box(0, 1),
    ]
    assert BOXES.crossed_by([(3, 3), (9, 3), (3, 3)]) == {
        box(0, 0): pytest.approx(6),
        box(1, 0): pytest.approx(6),
    }
    assert BOXES.crossed_by([(2, 6), (5, 6)]) == {box(0, 0): pytest.approx(3), box(0, 1): pytest.approx(3)}
    assert BOXES.crossed_by([(4, 4), (8, 8)]).keys() == {box(0, 0), box(1, 1)}


@given(rasters, inches)
def test_a_point_goes_to_the_cell_that_holds_it_or_the_nearest(raster: Raster[CellGrid], point: Point) -> None:
    found = raster.cell_at(point)
    away = {cell: distance_to_polygon(point, outline(raster, cell)) for cell in range(raster.grid.size)}
    assert away[found] == pytest.approx(min(away.values()), abs=1e-6)


def test_a_point_on_a_border_goes_north_and_east() -> None:
    assert BOXES.cell_at((6, 6)) == box(1, 1)
    assert BOXES.cell_at((12, 3)) == box(2, 0)
    assert BOXES.cell_at((72, 48)) == box(11, 7)
    assert BOXES.cell_at((-30, 100)) == box(0, 7)


@given(rasters, st.data())
def test_the_middle_of_a_cell_leads_back_to_it(raster: Raster[CellGrid], data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, raster.grid.size - 1))
    assert raster.cell_at(raster.to_table(cell)) == cell


def test_a_centred_grid_overhangs_the_table_evenly() -> None:
    grid = HexGrid(12, 9)
    raster = Raster.centred(grid, 6, 72, 48)
    assert raster.origin[0] == pytest.approx(-1.5)
    corners = [corner for cell in range(grid.size) for corner in outline(raster, cell)]
    assert -min(x for x, _ in corners) == pytest.approx(max(x for x, _ in corners) - 72)
    assert -min(y for _, y in corners) == pytest.approx(max(y for _, y in corners) - 48)


def test_a_straight_wall_lies_on_the_nearest_sides() -> None:
    wall = sides_along(BOXES, [(6.5, 11), (17, 13)])
    assert wall == (BOXES.grid.side(box(1, 1), N), BOXES.grid.side(box(2, 1), N))
    upright = sides_along(BOXES, [(25, 1), (25, 17)])
    assert upright == tuple(BOXES.grid.side(box(3, row), E) for row in range(3))


def test_a_wall_along_the_rim_and_one_beyond_it() -> None:
    assert sides_along(BOXES, [(0, 0), (12, 0)]) == (
        BOXES.grid.side(box(0, 0), S),
        BOXES.grid.side(box(1, 0), S),
    )
    assert sides_along(BOXES, [(-40, 6), (-40, 12)]) == (BOXES.grid.side(box(0, 1), W),)


def test_a_short_wall_does_not_vanish() -> None:
    assert sides_along(BOXES, [(9, 12.5), (10, 12.5)]) == (BOXES.grid.side(box(1, 1), N),)
    assert len(sides_along(BOXES, [(300, 300), (301, 300)])) == 1


@given(st.lists(inches, min_size=2, max_size=4))
def test_sides_hang_together_and_keep_near_the_line(line: list[Point]) -> None:
    grid = BOXES.grid
    sides = sides_along(BOXES, line)
    assert sorted(sides) == sorted(sides_along(BOXES, line[::-1]))
    ends: dict[Point, set[Point]] = {}
    for side in sides:
        a, b = grid.side_line(side)
        ends.setdefault(a, set()).add(b)
        ends.setdefault(b, set()).add(a)
        clamped = [(min(max(x, 0.0), 72.0), min(max(y, 0.0), 48.0)) for x, y in line]
        if clamped == line:
            middle = ((a[0] + b[0]) * 3, (a[1] + b[1]) * 3)
            samples = [
                (p[0] + t / 100 * (q[0] - p[0]), p[1] + t / 100 * (q[1] - p[1]))
                for p, q in pairwise(line)
                for t in range(101)
            ]
            assert min(dist(middle, sample) for sample in samples) < 7
    reached, waiting = set(), [next(iter(ends))]
    while waiting:
        corner = waiting.pop()
        if corner not in reached:
            reached.add(corner)
            waiting += ends[corner]
    assert reached == set(ends)
