"""Movement costs, detours and cover on random terrain, compared with checking every step and every piece."""

from __future__ import annotations

from math import cos, dist, radians, sin
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from zareba.space import Point
from zareba.space.field.bodies import Body
from zareba.space.field.pieces import TerrainPiece
from zareba.space.ground.buildings import CoverFinder, best_cover
from zareba.space.ground.movement_cost import UNLIMITED, MovementCost
from zareba.space.outlines import TerrainArea, TerrainLine

EXTENT = (24.0, 18.0)
STEPS = 1_500

quarters = st.integers(0, 4 * 17).map(lambda number: number / 4 + 0.1)
places = st.tuples(quarters, quarters)
prices = st.sampled_from([None, 0.5, 1.0, 2.0, 3.0])


@st.composite
def grounds(draw: st.DrawFn) -> list[TerrainPiece[float | None]]:
    """Draw some rectangles and lines, each with its movement cost."""
    found: list[TerrainPiece[float | None]] = []
    for number in range(draw(st.integers(0, 4))):
        (x, y), (wide, deep) = draw(places), draw(st.tuples(quarters, quarters))
        box = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
        found.append(TerrainPiece(f"area {number}", draw(prices), TerrainArea(box), over=draw(st.booleans())))
    for number in range(draw(st.integers(0, 2))):
        a, b = draw(places), draw(places)
        if a != b:
            found.append(TerrainPiece(f"line {number}", draw(prices), TerrainLine((a, b))))
    return found


def going_over(pieces: list[TerrainPiece[float | None]]) -> MovementCost[float | None]:
    return MovementCost(EXTENT, "in", pieces, lambda piece: piece.ground)


def price_at(pieces: list[TerrainPiece[float | None]], at: Point) -> float | None:
    """Return the movement cost of a unit of length at a point."""
    here = [piece for piece in pieces if piece.is_area and piece.holds(at)]
    costs = [p.ground for p in here if p.over] or [p.ground for p in here] or [1.0]
    return None if None in costs else max(cost for cost in costs if cost is not None)


@given(grounds(), places, places, st.floats(0.5, 30))
def test_a_march_goes_as_far_as_a_walk_in_small_steps(
    pieces: list[TerrainPiece[float | None]], start: Point, goal: Point, allowance: float
) -> None:
    pieces = [piece for piece in pieces if piece.is_area]
    assume(start != goal and price_at(pieces, start) is not None)
    going = going_over(pieces)
    leg = going.march(start, goal, allowance)
    step, spent, far = dist(start, goal) / STEPS, 0.0, 0
    for far in range(STEPS):
        t = (far + 0.5) / STEPS
        price = price_at(pieces, (start[0] + t * (goal[0] - start[0]), start[1] + t * (goal[1] - start[1])))
        if price is None or spent + price * step > allowance:
            break
        spent += price * step
    else:
        far = STEPS
    assert dist(start, leg.point) == pytest.approx(far * step, abs=2 * step + 0.02)
    assert leg.spent <= allowance + 1e-9
    cost = going.cost((start, leg.point))
    assert cost is not None and cost <= leg.spent + 1e-6


@given(grounds(), places, places)
def test_a_way_is_open_where_it_has_a_price_and_costs_as_much_in_parts(
    pieces: list[TerrainPiece[float | None]], start: Point, goal: Point
) -> None:
    assume(start != goal)
    going = going_over(pieces)
    cost = going.cost((start, goal))
    assert going.is_open(start, goal) is not going.march(start, goal, UNLIMITED).is_blocked
    if cost is not None:
        assert going.is_open(start, goal)
    middle = ((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)
    one, other = going.cost((start, middle)), going.cost((middle, goal))
    if one is not None and other is not None and not any(not p.is_area and p.is_within(middle, 0.01) for p in pieces):
        assert cost == pytest.approx(one + other)
    if going.is_plain((min(start[0], goal[0]), min(start[1], goal[1]), max(start[0], goal[0]), max(start[1], goal[1]))):
        assert cost == pytest.approx(dist(start, goal))


@given(grounds(), st.lists(places, min_size=2, max_size=3, unique=True), st.floats(0, 40))
def test_a_way_is_refused_just_where_it_costs_more_than_the_most(
    pieces: list[TerrainPiece[float | None]], path: list[Point], most: float
) -> None:
    going = going_over(pieces)
    whole = going.cost(path)
    assume(whole is None or abs(whole - most) > 0.02)
    assert going.cost(path, most=most) == (whole if whole is not None and whole < most else None)


@given(grounds(), places, places, st.floats(0.2, 4), st.floats(0, 4), st.floats(0, 360), st.floats(0, 1))
def test_obstacle_before_a_round_place_blocks_every_path_into_it(
    pieces: list[TerrainPiece[float | None]],
    start: Point,
    goal: Point,
    room: float,
    most: float,
    degrees: float,
    share: float,
) -> None:
    end = goal[0] + share * room * sin(radians(degrees)), goal[1] + share * room * cos(radians(degrees))
    going = going_over(pieces)
    if going.is_barred(start, goal, room, most=most):
        assert going.cost((start, end)) is None or going.cost((start, end), most=most) is None


@given(grounds(), places)
def test_men_stand_where_the_ground_is_open(pieces: list[TerrainPiece[float | None]], at: Point) -> None:
    assert going_over(pieces).can_stand(at) is (price_at(pieces, at) is not None)
    assert not going_over(pieces).can_stand((-1.0, at[1]))


def test_a_line_may_cost_movers_differently_but_stays_closed() -> None:
    wall, ditch = TerrainLine(((5.0, 0.0), (5.0, 18.0))), TerrainLine(((10.0, 0.0), (10.0, 18.0)))
    pieces: list[TerrainPiece[float | None]] = [TerrainPiece("ditch", 1.0, ditch)]
    path = ((8.0, 9.0), (12.0, 9.0))
    assert going_over(pieces).cost(path) == 5.0
    assert going_over(pieces).cost(path, lambda _: 3.0) == 7.0
    assert going_over(pieces).advance(path, 4.5, lambda _: 3.0).stopped_by == "ditch"
    pieces.append(TerrainPiece("wall", None, wall))
    assert going_over(pieces).cost(((4.0, 9.0), (12.0, 9.0)), lambda _: 0.0) is None
    assert going_over([TerrainPiece("rope", 0.0, ditch)]).is_plain((9.0, 8.0, 11.0, 10.0)), (
        "terrain without a cost is ignored"
    )


def test_wall_in_front_blocks_only_what_is_behind_it() -> None:
    wall = TerrainPiece[float | None]("wall", None, TerrainLine(((8.0, 6.0), (12.0, 6.0), (12.0, 0.0))))
    going = going_over([wall])
    assert going.is_barred((10.0, 10.0), (10.0, 2.0), 1.0)
    assert not going.is_barred((10.0, 10.0), (10.0, 5.5), 1.0), "part of the place is in front of it"
    assert not going.is_barred((10.0, 10.0), (7.0, 2.0), 1.0), "the path passes its end"
    assert not going.is_barred((10.0, 6.0), (10.0, 2.0), 1.0), "a mover on the wall has crossed it"
    assert not going_over([TerrainPiece("bank", 3.0, wall.shape)]).is_barred((10.0, 10.0), (10.0, 2.0), 1.0, most=3.0)
    assert going_over([TerrainPiece("bank", 3.0, wall.shape)]).is_barred((10.0, 10.0), (10.0, 2.0), 1.0, most=2.5)


@given(grounds(), places, st.sampled_from([0.0, 0.5, 1.5]), st.sampled_from([0.0, 0.25, 2.0]))
def test_cover_is_the_piece_around_or_next_to_a_base(
    pieces: list[TerrainPiece[float | None]], at: Point, radius: float, near: float
) -> None:
    shelters = CoverFinder(EXTENT, near, pieces, lambda piece: piece.name)
    expected = [p.name for p in pieces if p.shape.distance(at) <= (0.0 if p.is_area else radius + near)]
    assert list(shelters.of(at, radius)) == expected
    if expected:
        assert shelters.any_in((*at, *at), radius + near)
    body = Body((at, (23.0, 17.0)), radius)
    each = tuple(shelters.of(point, radius) for point in body.at)
    assert shelters.of_body(body) == (each if any(each) else ())


@pytest.mark.parametrize("at", [(40.0, 10.0), (-40.0, 10.0), (12.0, 90.0), (12.0, -90.0), (900.0, 900.0)])
def test_cover_is_defined_beyond_the_table(at: Point) -> None:
    wood = TerrainPiece.area("wood", 1.0, [(10.0, 8.0), (14.0, 8.0), (14.0, 12.0), (10.0, 12.0)])
    shelters = CoverFinder(EXTENT, 2.0, [wood], lambda piece: piece.name)
    assert shelters.of(at, 1.0) == ()
    assert shelters.of_body(Body((at, (12.0, 10.0)), 1.0)) == ((), ("wood",))


class Cover(NamedTuple):
    worth: int
    line: TerrainLine | None


@given(
    st.lists(st.tuples(st.integers(0, 3), st.one_of(st.none(), st.tuples(places, places))), max_size=5),
    st.one_of(st.none(), places),
    places,
)
def test_the_best_cover_is_the_first_of_the_most_valuable_ones(
    found: list[tuple[int, tuple[Point, Point] | None]], start: Point | None, at: Point
) -> None:
    covers = [Cover(worth, None if ends is None else TerrainLine(ends)) for worth, ends in found]
    counting = [c for c in covers if c.line is None or start is None or c.line.meets(start, at)]
    most = max((cover.worth for cover in counting), default=0)
    expected = next((cover for cover in counting if cover.worth == most), None) if most else None
    assert best_cover(covers, start, at, lambda cover: cover.worth) is expected
