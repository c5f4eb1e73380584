"""Square grids: labels, distances, directions, lines and arcs."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.base.errors import ZarebaError
from zareba.space.geometry import spans_inside
from zareba.space.grid.boxes import (
    COMPASS,
    DIRECTIONS,
    NE,
    NW,
    SE,
    SW,
    BoxGrid,
    E,
    N,
    S,
    W,
    is_corner,
    opposite,
    turn_direction,
)
from zareba.space.grid.routes import GridStep

GRID = BoxGrid(12, 8)
SMALL = BoxGrid(6, 5)
SIDES, SMALL_SIDES = 12 * 9 + 8 * 13, 6 * 6 + 5 * 7
boxes = st.integers(0, GRID.size - 1)
prices = st.fractions(min_value=1, max_value=2, max_denominator=6)


def box(column: int, row: int, grid: BoxGrid = GRID) -> int:
    found = grid.at(column, row)
    assert found is not None
    return found


@given(st.integers(1, 200), st.integers(1, 200), st.data())
def test_a_label_names_one_box(columns: int, rows: int, data: st.DataObject) -> None:
    grid = BoxGrid(columns, rows)
    place = data.draw(st.integers(0, grid.size - 1))
    assert grid.parse(grid.label(place)) == place


def test_labels_count_columns_in_letters_and_rows_from_one() -> None:
    wide = BoxGrid(60, 20)
    names = {(3, 4): "D5", (0, 0): "A1", (25, 0): "Z1", (26, 9): "AA10", (52, 0): "BA1"}
    assert {at: wide.label(box(*at, wide)) for at in names} == names
    assert wide.parse(" aa10 ") == box(26, 9, wide)


@pytest.mark.parametrize("wrong", ["", "D", "5", "D0", "D05", "M1", "A9", "D-5", "5D", "ÄA1", "A" * 50 + "1"])
def test_an_unknown_label_is_refused_with_what_is_known(wrong: str) -> None:
    with pytest.raises(ZarebaError, match=r"no box .* from A1 to L8"):
        GRID.parse(wrong)


def test_a_table_without_boxes_is_refused() -> None:
    with pytest.raises(ZarebaError, match="0 x 3"):
        BoxGrid(0, 3)


def test_directions_run_clockwise_from_north() -> None:
    middle = box(5, 4)
    ring = [GRID.column_row(near) for near in GRID.neighbours(middle)]
    assert ring == [(5, 5), (6, 5), (6, 4), (6, 3), (5, 3), (4, 3), (4, 4), (4, 5)]
    assert GRID.neighbours(middle, diagonal=False) == tuple(GRID.neighbours(middle)[::2])
    assert [COMPASS[turn_direction(NW, step)] for step in (1, 2, -1)] == ["N", "NE", "W"]
    assert [direction for direction in DIRECTIONS if is_corner(direction)] == [NE, SE, SW, NW]


def test_the_table_ends_at_its_rim() -> None:
    corner = box(0, 0)
    assert GRID.around(corner) == (box(0, 1), box(1, 1), box(1, 0), None, None, None, None, None)
    assert GRID.neighbours(corner, diagonal=False) == (box(0, 1), box(1, 0))
    assert GRID.at(12, 0) is None and GRID.at(0, -1) is None


@given(boxes, st.sampled_from(DIRECTIONS))
def test_the_way_back_is_the_opposite_direction(place: int, direction: int) -> None:
    near = GRID.neighbour(place, direction)
    if near is not None:
        assert GRID.neighbour(near, opposite(direction)) == place
        assert GRID.direction(place, near) == direction


@pytest.mark.rule("VCC-082")
@pytest.mark.parametrize(
    ("column", "row", "range_"),
    [
        (0, 1, 1),
        (0, 3, 3),
        (1, 1, Fraction(3, 2)),
        (3, 3, Fraction(9, 2)),
        (4, 4, 6),
        (7, 7, Fraction(21, 2)),
    ],
)
def test_diagonal_boxes_at_one_and_a_half(column: int, row: int, range_: Fraction) -> None:
    distance = GRID.distance(box(0, 0), box(column, row), Fraction(3, 2))
    assert distance == range_
    assert isinstance(distance, int) == (range_ == int(range_))


@given(boxes, boxes, boxes, prices)
def test_distance_is_a_metric_for_prices_from_one_to_two(a: int, b: int, c: int, price: Fraction) -> None:
    assert GRID.distance(a, b, price) == GRID.distance(b, a, price)
    assert (GRID.distance(a, b, price) == 0) == (a == b)
    assert GRID.distance(a, c, price) <= GRID.distance(a, b, price) + GRID.distance(b, c, price)


@given(st.integers(0, SMALL.size - 1), prices)
def test_distance_is_the_price_of_the_shortest_way(start: int, price: Fraction) -> None:
    reached = SMALL.reachable(start, 100, lambda _a, _b, direction: price if is_corner(direction) else 1)
    assert reached == {goal: SMALL.distance(start, goal, price) for goal in range(SMALL.size)}


@given(boxes, boxes)
def test_direction_is_the_compass_point_at_the_least_angle(a: int, b: int) -> None:
    (ax, ay), (bx, by) = GRID.column_row(a), GRID.column_row(b)
    dx, dy = bx - ax, by - ay
    if a == b:
        with pytest.raises(ValueError, match="itself"):
            GRID.direction(a, b)
        return
    unit: dict[int, tuple[float, float]] = {N: (0, 1), E: (1, 0), S: (0, -1), W: (-1, 0)}
    for side, corner in ((N, NE), (E, SE), (S, SW), (W, NW)):
        x, y = unit[side]
        across = unit[turn_direction(side, 2)]
        unit[corner] = ((x + across[0]) / 2**0.5, (y + across[1]) / 2**0.5)
    assert GRID.direction(a, b) == max(DIRECTIONS, key=lambda d: unit[d][0] * dx + unit[d][1] * dy)


@given(boxes, boxes)
def test_crossed_boxes_are_those_with_a_length_of_line_inside(a: int, b: int) -> None:
    start, end = GRID.centre(a), GRID.centre(b)
    expected = set()
    for other in range(GRID.size):
        spans = spans_inside(start, end, GRID.outline(other))
        middles = [(entry + exit_) / 2 for entry, exit_ in spans if exit_ - entry > 1e-6]
        column, row = GRID.column_row(other)
        for t in middles:
            x, y = start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])
            if column + 1e-6 < x < column + 1 - 1e-6 and row + 1e-6 < y < row + 1 - 1e-6:
                expected.add(other)
    assert set(GRID.crossed(a, b)) == expected - {a, b}


def test_crossed_agrees_with_counting_corners_on_each_side_of_the_line() -> None:
    for a, b in product(range(SMALL.size), repeat=2):
        (ax, ay), (bx, by) = SMALL.column_row(a), SMALL.column_row(b)
        expected = []
        for column in range(min(ax, bx), max(ax, bx) + 1):
            for row in range(min(ay, by), max(ay, by) + 1):
                turns = [
                    (bx - ax) * (2 * (row - ay) + v) - (by - ay) * (2 * (column - ax) + u)
                    for u, v in product((-1, 1), repeat=2)
                ]
                if min(turns) < 0 < max(turns):
                    expected.append(box(column, row, SMALL))
        assert sorted({a, b, *SMALL.crossed(a, b)}) == sorted({a, b, *expected})


@given(boxes, boxes)
def test_the_line_back_crosses_the_same_in_reverse(a: int, b: int) -> None:
    assert GRID.crossed(b, a) == GRID.crossed(a, b)[::-1]
    assert sorted(GRID.sides_crossed(b, a)) == sorted(GRID.sides_crossed(a, b))


@given(boxes, boxes)
def test_sides_crossed_are_the_sides_that_meet_the_line(a: int, b: int) -> None:
    (ax, ay), (bx, by) = GRID.column_row(a), GRID.column_row(b)
    expected = set()
    for side in range(SIDES):
        ends = [(2 * x - 2 * ax - 1, 2 * y - 2 * ay - 1) for x, y in GRID.side_line(side)]
        turns = [(bx - ax) * y - (by - ay) * x for x, y in ends]
        within = all(
            min(p, q) <= 2 * run and max(p, q) >= 0
            for (p, q), run in (
                (tuple(sorted(x if bx >= ax else -x for x, _ in ends)), abs(bx - ax)),
                (tuple(sorted(y if by >= ay else -y for _, y in ends)), abs(by - ay)),
            )
        )
        if a != b and min(turns) <= 0 <= max(turns) and within:
            expected.add(side)
    assert set(GRID.sides_crossed(a, b)) == expected


def test_sight_is_barred_by_crossed_boxes_and_not_by_the_two_ends() -> None:
    a, b = box(0, 0), box(4, 2)
    assert not any(GRID.sees(a, b, {crossed}.__contains__) for crossed in GRID.crossed(a, b))
    assert GRID.sees(a, b, lambda other: other not in GRID.crossed(a, b))
    assert GRID.sees(a, a, lambda _: True) and GRID.sees(a, box(1, 1), lambda _: True)


def test_a_line_through_a_corner_crosses_all_four_sides_there() -> None:
    here, there = box(2, 2), box(3, 3)
    assert GRID.crossed(here, there) == ()
    assert GRID.sides_crossed(here, there) == (
        GRID.side(here, N),
        GRID.side(here, E),
        GRID.side(there, S),
        GRID.side(there, W),
    )
    assert GRID.sides_entered(here, there) == (GRID.side(there, S), GRID.side(there, W))


@pytest.mark.rule("VCC-069")
def test_a_line_enters_through_the_last_side_it_crosses() -> None:
    assert GRID.sides_entered(box(2, 2), box(2, 5)) == (GRID.side(box(2, 5), S),)
    assert GRID.sides_entered(box(0, 0), box(3, 1)) == (GRID.side(box(3, 1), W),)
    assert GRID.sides_entered(box(2, 2), box(2, 2)) == ()


def test_neighbouring_boxes_share_their_side() -> None:
    for place in range(GRID.size):
        for direction in (N, E, S, W):
            side = GRID.side(place, direction)
            near = GRID.neighbour(place, direction)
            assert 0 <= side < SIDES
            assert set(GRID.side_boxes(side)) == {place} | ({near} if near is not None else set())
            assert set(GRID.side_line(side)) <= set(GRID.outline(place))
    with pytest.raises(ValueError, match="corner, not a side, to the NE"):
        GRID.side(0, NE)


@pytest.mark.rule("VCC-058", "VCC-059")
def test_the_front_arc_is_the_quarter_round_the_facing() -> None:
    middle = box(5, 4)
    front = {
        facing: [
            COMPASS[GRID.direction(middle, near)]
            for near in GRID.neighbours(middle)
            if GRID.in_arc(facing, middle, near)
        ]
        for facing in (N, NE, W, SW)
    }
    assert front == {
        N: ["N", "NE", "NW"],
        NE: ["N", "NE", "E"],
        W: ["SW", "W", "NW"],
        SW: ["S", "SW", "W"],
    }
    assert all(GRID.in_arc(facing, middle, middle) for facing in DIRECTIONS)


@given(boxes, boxes)
def test_every_box_lies_in_one_or_two_of_the_four_quarters(a: int, b: int) -> None:
    for quarters in ((N, E, S, W), (NE, SE, SW, NW)):
        seen = [facing for facing in quarters if GRID.in_arc(facing, a, b)]
        assert len(seen) == 4 if a == b else 1 <= len(seen) <= 2


@given(st.integers(0, SMALL.size - 1), st.integers(0, 5), st.data())
def test_reachable_agrees_with_trying_every_way(start: int, budget: int, data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from("122s.x"), min_size=SMALL.size, max_size=SMALL.size))
    walls = data.draw(st.sets(st.integers(0, SMALL_SIDES - 1), max_size=8))

    def cost(here: int, there: int, _direction: int) -> GridStep | int | None:
        if kinds[there] == "x":
            return None
        ends = kinds[there] == "s" or bool(walls.intersection(SMALL.sides_crossed(here, there)))
        return GridStep(2 if kinds[there] == "2" else 1, ends)

    best = {start: 0}

    def wander(place: int, spent: int) -> None:
        for direction, near in enumerate(SMALL.around(place)):
            step = None if near is None else cost(place, near, direction)
            if near is None or not isinstance(step, GridStep) or spent + step.cost > budget:
                continue
            total = int(spent + step.cost)
            best[near] = min(best.get(near, total), total)
            if not step.ends:
                wander(near, total)

    wander(start, 0)
    reached = SMALL.reachable(start, budget, cost)
    assert reached == best
    assert list(reached.values()) == sorted(reached.values())
    for goal in range(SMALL.size):
        way = SMALL.path(start, goal, budget, cost)
        assert (way is not None) == (goal in best)
        if way is not None:
            assert (way[0], way[-1]) == (start, goal)
            steps = [cost(here, there, SMALL.around(here).index(there)) for here, there in pairwise(way)]
            assert sum(step.cost for step in steps if isinstance(step, GridStep)) == best[goal]
            assert not any(step.ends for step in steps[:-1] if isinstance(step, GridStep))


def test_a_dearer_way_in_may_leave_a_mover_free_to_go_on() -> None:
    row = BoxGrid(3, 2)
    start, hedged, beyond = box(0, 0, row), box(1, 0, row), box(2, 0, row)

    def cost(here: int, there: int, direction: int) -> GridStep | int | None:
        if is_corner(direction):
            return None
        return GridStep(1, ends=(here, there) == (start, hedged) or there == box(2, 1, row))

    assert row.reachable(start, 4, cost)[hedged] == 1
    assert row.path(start, beyond, 4, cost) == (start, box(0, 1, row), box(1, 1, row), hedged, beyond)


def test_a_negative_price_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        GRID.reachable(0, 1, lambda _a, _b, _d: -1)


def test_grids_of_one_size_are_equal_and_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(GRID))
    assert again == GRID == BoxGrid(12, 8) != BoxGrid(8, 12)
    assert hash(again) == hash(GRID)
    assert again.crossed(0, 95) == GRID.crossed(0, 95)


@pytest.mark.parametrize("ends", [(-1, 5), (5, -1), (5, 12), (12, 5)])
def test_no_line_leads_to_a_box_beyond_the_table(ends: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="on a table of 12 boxes"):
        BoxGrid(4, 3).crossed(*ends)
