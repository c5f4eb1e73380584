"""Hex grids: names, distances, directions, lines and arcs."""

from __future__ import annotations

import pickle
from collections import deque
from itertools import product
from math import atan2, degrees, dist, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.base.errors import ZarebaError
from zareba.space.geometry import area, clip, spans_inside
from zareba.space.grid.hexes import HexGrid

POINTY = HexGrid(9, 7)
FLAT = HexGrid(7, 9, flat_top=True)
GRIDS = (POINTY, FLAT)
grids = st.sampled_from(GRIDS)
hexes = st.integers(0, POINTY.size - 1)
both = pytest.mark.parametrize("grid", GRIDS, ids=["pointy", "flat"])


def hex_at(grid: HexGrid, column: int, row: int) -> int:
    found = grid.at(column, row)
    assert found is not None
    return found


def bearing(grid: HexGrid, a: int, b: int) -> float:
    (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
    return degrees(atan2(bx - ax, by - ay)) % 360


@both
def test_directions_run_clockwise_and_neighbours_are_one_apart(grid: HexGrid) -> None:
    middle = hex_at(grid, 4, 4)
    first = 0 if grid.flat_top else 30
    assert [round(bearing(grid, middle, near)) for near in grid.neighbours(middle)] == [
        first + 60 * direction for direction in range(6)
    ]
    compass = {0: "N", 30: "NE", 60: "NE", 90: "E", 120: "SE", 150: "SE", 180: "S"}
    compass |= {210: "SW", 240: "SW", 270: "W", 300: "NW", 330: "NW"}
    assert grid.compass == tuple(compass[first + 60 * direction] for direction in range(6))
    for cell in range(grid.size):
        for direction, near in enumerate(grid.around(cell)):
            if near is not None:
                assert dist(grid.centre(cell), grid.centre(near)) == pytest.approx(1)
                assert grid.neighbour(near, (direction + 3) % 6) == cell
                assert grid.direction(cell, near) == direction


@both
def test_hexes_fill_the_table_without_overlap(grid: HexGrid) -> None:
    width, depth = grid.extent
    corners = [corner for cell in range(grid.size) for corner in grid.outline(cell)]
    assert min(x for x, _ in corners) == pytest.approx(0)
    assert min(y for _, y in corners) == pytest.approx(0)
    assert max(x for x, _ in corners) == pytest.approx(width)
    assert max(y for _, y in corners) == pytest.approx(depth)
    middle = hex_at(grid, 4, 4)
    assert area(grid.outline(middle)) == pytest.approx(sqrt(3) / 2)
    for near in grid.neighbours(middle):
        assert area(clip(grid.outline(near), grid.outline(middle))) == pytest.approx(0)


@pytest.mark.rule("AFR-004")
def test_odd_rows_of_a_pointy_table_are_pushed_to_the_east() -> None:
    assert POINTY.centre(hex_at(POINTY, 0, 1))[0] - POINTY.centre(hex_at(POINTY, 0, 0))[0] == 0.5
    assert FLAT.centre(hex_at(FLAT, 1, 0))[1] - FLAT.centre(hex_at(FLAT, 0, 0))[1] == 0.5


@given(grids, hexes)
def test_names_of_hexes_parse_back(grid: HexGrid, cell: int) -> None:
    assert grid.parse(grid.label(cell)) == cell


def test_an_unknown_hex_is_refused() -> None:
    with pytest.raises(ZarebaError, match="no hex 'Z9'; it runs from A1 to I7"):
        POINTY.parse("Z9")


@both
def test_distance_is_the_fewest_steps(grid: HexGrid) -> None:
    for start in range(0, grid.size, 5):
        steps = {start: 0}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for near in grid.neighbours(here):
                if near not in steps:
                    steps[near] = steps[here] + 1
                    waiting.append(near)
        assert steps == {goal: grid.distance(start, goal) for goal in range(grid.size)}


@given(grids, hexes, hexes, hexes)
def test_distance_is_a_metric(grid: HexGrid, a: int, b: int, c: int) -> None:
    assert grid.distance(a, b) == grid.distance(b, a)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(grids, hexes, st.integers(0, 9))
def test_a_ring_holds_the_hexes_at_its_distance_clockwise(grid: HexGrid, centre: int, radius: int) -> None:
    ring = grid.ring(centre, radius)
    assert sorted(ring) == [cell for cell in range(grid.size) if grid.distance(centre, cell) == radius]
    if radius:
        start = 0 if grid.flat_top else 30
        turns = [(bearing(grid, centre, cell) - start + 1e-6) % 360 for cell in ring]
        assert turns == sorted(turns)


@given(grids, hexes, hexes)
def test_direction_is_the_nearest_and_of_two_the_clockwise_one(grid: HexGrid, a: int, b: int) -> None:
    if a == b:
        with pytest.raises(ValueError, match="itself"):
            grid.direction(a, b)
        return
    first = 0 if grid.flat_top else 30
    offset = (bearing(grid, a, b) - (first + 60 * grid.direction(a, b)) + 180) % 360 - 180
    assert -30 - 1e-6 <= offset < 30 - 1e-6


@given(grids, hexes, hexes, st.integers(0, 5))
def test_the_arc_is_a_third_of_the_table_with_its_limits(grid: HexGrid, a: int, b: int, facing: int) -> None:
    first = 0 if grid.flat_top else 30
    offset = 0.0 if a == b else (bearing(grid, a, b) - (first + 60 * facing) + 180) % 360 - 180
    assert grid.in_arc(facing, a, b) == (abs(offset) <= 60 + 1e-6)


@given(grids, hexes, hexes)
def test_crossed_hexes_are_those_with_a_length_of_line_inside(grid: HexGrid, a: int, b: int) -> None:
    start, end = grid.centre(a), grid.centre(b)
    reach = dist(start, end)
    entries: dict[int, float] = {}
    for other in range(grid.size):
        middle = grid.centre(other)
        smaller = [
            (middle[0] + (x - middle[0]) * (1 - 1e-6), middle[1] + (y - middle[1]) * (1 - 1e-6))
            for x, y in grid.outline(other)
        ]
        for entry, exit_ in spans_inside(start, end, smaller):
            if (exit_ - entry) * reach > 1e-3 and other not in (a, b):
                entries[other] = entry
    assert list(grid.crossed(a, b)) == sorted(entries, key=lambda cell: entries[cell])


def side_runs(grid: HexGrid, a: int, b: int) -> set[tuple[int | None, int | None]]:
    """Return the edge runs found by measuring: sides with both ends on the line between the two centres."""
    (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
    reach = dist((ax, ay), (bx, by))

    def left_of(point: tuple[float, float]) -> float:
        return ((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) / reach

    def is_on(point: tuple[float, float]) -> bool:
        ahead = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / reach
        return abs(left_of(point)) < 1e-6 and -1e-6 < ahead < reach + 1e-6

    beside: dict[tuple[int, int], list[int]] = {}
    for cell in range(grid.size):
        corners = grid.outline(cell)
        for first, second in zip(corners, corners[1:] + corners[:1], strict=True):
            if is_on(first) and is_on(second):
                middle = (round((first[0] + second[0]) * 500), round((first[1] + second[1]) * 500))
                beside.setdefault(middle, []).append(cell)
    runs = set()
    for cells in beside.values():
        left = [cell for cell in cells if left_of(grid.centre(cell)) > 0]
        right = [cell for cell in cells if left_of(grid.centre(cell)) < 0]
        runs.add((left[0] if left else None, right[0] if right else None))
    return runs


@both
def test_edge_runs_agree_with_measuring_every_side(grid: HexGrid) -> None:
    found = 0
    for a, b in product(range(0, grid.size, 2), range(grid.size)):
        if a != b:
            runs = grid.edge_runs(a, b)
            assert set(runs) == side_runs(grid, a, b)
            assert len(set(runs)) == len(runs)
            found += len(runs)
    assert found > 100


@given(grids, hexes, hexes, st.sets(hexes))
def test_sight_is_the_same_both_ways(grid: HexGrid, a: int, b: int, blocked: set[int]) -> None:
    assert grid.crossed(b, a) == grid.crossed(a, b)[::-1]
    assert grid.edge_runs(b, a) == tuple((right, left) for left, right in grid.edge_runs(a, b)[::-1])
    assert grid.sees(a, b, blocked.__contains__) == grid.sees(b, a, blocked.__contains__)


@pytest.mark.rule("AFR-156", "AFR-157")
def test_a_line_along_a_side_is_barred_only_from_both_hands() -> None:
    shooter, target = hex_at(POINTY, 3, 2), hex_at(POINTY, 3, 4)
    left, right = hex_at(POINTY, 2, 3), hex_at(POINTY, 3, 3)
    assert POINTY.crossed(shooter, target) == ()
    assert POINTY.edge_runs(shooter, target) == ((left, right),)
    assert POINTY.sees(shooter, target, {left}.__contains__)
    assert POINTY.sees(shooter, target, {right}.__contains__)
    assert not POINTY.sees(shooter, target, {left, right}.__contains__)


@pytest.mark.rule("AFR-157")
def test_a_hex_beyond_the_rim_bars_nothing() -> None:
    shooter, target = hex_at(POINTY, 0, 2), hex_at(POINTY, 0, 4)
    assert POINTY.edge_runs(shooter, target) == ((None, hex_at(POINTY, 0, 3)),)
    assert POINTY.sees(shooter, target, lambda _: True)


@pytest.mark.rule("AFR-152")
@given(grids, hexes)
def test_neighbours_always_see_each_other(grid: HexGrid, cell: int) -> None:
    assert all(grid.sees(cell, near, lambda _: True) for near in grid.neighbours(cell))


@pytest.mark.rule("AFR-005", "AFR-238")
def test_each_hex_has_two_neighbours_nearer_to_a_base_edge_and_two_level_with_it() -> None:
    middle = hex_at(POINTY, 4, 3)
    here = POINTY.distance_to_edge(middle, "south")
    there = [POINTY.distance_to_edge(near, "south") for near in POINTY.neighbours(middle)]
    assert [distance < here for distance in there] == [False, False, True, True, False, False]
    assert [distance == here for distance in there] == [False, True, False, False, True, False]


@both
def test_distances_to_opposite_edges_make_up_the_table(grid: HexGrid) -> None:
    width, depth = grid.extent
    for cell in range(grid.size):
        south, north = grid.distance_to_edge(cell, "south"), grid.distance_to_edge(cell, "north")
        west, east = grid.distance_to_edge(cell, "west"), grid.distance_to_edge(cell, "east")
        assert south + north == pytest.approx(depth)
        assert west + east == pytest.approx(width)
        assert [west, south] == pytest.approx(grid.centre(cell))


@pytest.mark.rule("AFR-248")
def test_edge_rows_are_the_outermost_rows_and_columns() -> None:
    rows = {
        "south": [(column, 0) for column in range(9)],
        "north": [(column, 6) for column in range(9)],
        "west": [(0, row) for row in range(7)],
        "east": [(8, row) for row in range(7)],
    }
    assert [POINTY.column_row(cell) for cell in POINTY.edge_row("south")] == rows["south"]
    assert [POINTY.column_row(cell) for cell in POINTY.edge_row("north")] == rows["north"]
    assert [POINTY.column_row(cell) for cell in POINTY.edge_row("west")] == rows["west"]
    assert [POINTY.column_row(cell) for cell in POINTY.edge_row("east")] == rows["east"]


def test_moving_uses_the_six_directions() -> None:
    middle = hex_at(POINTY, 4, 3)
    assert set(POINTY.reachable(middle, 2, lambda _a, _b, _d: 1)) == {
        cell for cell in range(POINTY.size) if POINTY.distance(middle, cell) <= 2
    }
    way = POINTY.path(middle, hex_at(POINTY, 7, 3), 9, lambda _a, _b, direction: 1 if direction == 1 else 5)
    assert way == tuple(hex_at(POINTY, column, 3) for column in range(4, 8))


def test_pointy_and_flat_tables_differ_and_can_be_pickled() -> None:
    assert HexGrid(9, 7) == POINTY != HexGrid(9, 7, flat_top=True)
    again = pickle.loads(pickle.dumps(FLAT))
    assert again == FLAT and again.flat_top and hash(again) == hash(FLAT)


SHORT = HexGrid(9, 7, short_rows=True)


@pytest.mark.rule("AFR-004")
@pytest.mark.parametrize("grid", [SHORT, HexGrid(7, 9, flat_top=True, short_rows=True)], ids=["pointy", "flat"])
def test_a_table_with_short_rows_is_its_own_mirror_image_both_ways(grid: HexGrid) -> None:
    width, depth = grid.extent
    corners = [corner for cell in grid.cells for corner in grid.outline(cell)]
    assert (max(x for x, _ in corners), max(y for _, y in corners)) == pytest.approx((width, depth))
    for across, along in ((True, False), (False, True), (True, True)):

        def mirrored(cell: int, across: bool = across, along: bool = along) -> int:
            x, y = grid.centre(cell)
            there = width - x if across else x, depth - y if along else y
            return next(other for other in grid.cells if dist(grid.centre(other), there) < 1e-9)

        image = {cell: mirrored(cell) for cell in grid.cells}
        for cell in grid.cells:
            assert {image[near] for near in grid.neighbours(cell)} == set(grid.neighbours(image[cell]))
        north = {image[cell] for cell in grid.edge_row("north")}
        assert north == set(grid.edge_row("south" if along else "north"))
        east = {image[cell] for cell in grid.edge_row("east")}
        assert east == set(grid.edge_row("west" if across else "east"))


@pytest.mark.rule("AFR-004")
def test_the_missing_hexes_of_short_rows_are_nowhere_on_the_table() -> None:
    missing = set(range(SHORT.size)) - set(SHORT.cells)
    assert missing == {row * 9 + 8 for row in (1, 3, 5)}
    assert SHORT.at(8, 1) is None and SHORT.at(8, 2) == 26
    assert not missing & {near for cell in SHORT.cells for near in SHORT.neighbours(cell)}
    assert not missing & set(SHORT.cells_near((0, 0, 20, 20)))
    assert SHORT.edge_row("east") == (8, 16, 26, 34, 44, 52, 62)
    with pytest.raises(ZarebaError, match="no hex 'I2'; it runs from A1 to I7"):
        SHORT.parse("I2")


def test_short_rows_make_another_table_that_can_be_pickled() -> None:
    assert SHORT != POINTY and pickle.loads(pickle.dumps(SHORT)) == SHORT
    assert repr(POINTY) == "HexGrid(9, 7, 0)"
