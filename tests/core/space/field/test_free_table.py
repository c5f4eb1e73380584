"""Open tables: terrain at points and along lines, movement costs, obstacles and table edges."""

from __future__ import annotations

import pickle
from itertools import pairwise, product
from math import dist

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from zareba.base.errors import ZarebaError
from zareba.base.exact import hypot
from zareba.space.bearings import direction, offset
from zareba.space.field.free_table import Crossing, FreeTable
from zareba.space.geometry import Point, Space, is_inside, length, segment_crossings
from zareba.space.grid.boxes import BoxGrid
from zareba.space.grid.hexes import HexGrid

WOOD = ((20.0, 10.0), (40.0, 10.0), (40.0, 30.0), (20.0, 30.0))
MARSH = ((30.0, 0.0), (50.0, 0.0), (50.0, 20.0), (30.0, 20.0))
WALL = ((10.0, 0.0), (10.0, 25.0), (18.0, 40.0))
TABLE = FreeTable(72, 48, "in", {"wood": WOOD, "marsh": MARSH}, {"wall": WALL})

quarters = st.integers(0, 192).map(lambda n: n / 4)
points = st.tuples(quarters, quarters)


def rate(areas: tuple[str, ...]) -> float:
    return 3.0 if "marsh" in areas else 2.0 if "wood" in areas else 1.0


def toll(_line: str) -> float:
    return 6.0


def met(a: Point, b: Point) -> dict[str, tuple[tuple[float, float], ...]]:
    return {
        found.piece: tuple((round(start, 6), round(end, 6)) for start, end in found.spans)
        for found in TABLE.crossed(a, b)
    }


def test_the_edges_of_the_table() -> None:
    edges = [TABLE.distance_to_edge((10, 20), edge) for edge in ("north", "east", "south", "west")]
    assert edges == [28, 62, 20, 10]
    assert TABLE.is_on_table((72, 0)) and not TABLE.is_on_table((72.1, 0)) and not TABLE.is_on_table((3, -1))


def test_terrain_at_a_point() -> None:
    assert TABLE.areas_at((35, 15)) == ("wood", "marsh")
    assert TABLE.areas_at((20, 10)) == ("wood",) and TABLE.areas_at((60, 40)) == ()
    assert TABLE.distance_to_piece((17, 6), "wood") == 5 and TABLE.distance_to_piece((30, 20), "wood") == 0
    assert TABLE.distance_to_piece((13, 5), "wall") == 3
    with pytest.raises(KeyError):
        TABLE.distance_to_piece((0, 0), "lake")


def test_pieces_on_a_line_are_listed_with_their_stretches() -> None:
    assert met((0, 15), (60, 15)) == {"wood": ((20, 40),), "marsh": ((30, 50),), "wall": ((10, 10),)}
    assert met((25, 20), (35, 20)) == {"wood": ((0, 10),), "marsh": ((5, 10),)}
    assert met((0, 5), (20, 5)) == {"wall": ((10, 10),)}
    assert met((12, 20), (20, 10)) == {}
    assert met((10, 20), (0, 20)) == {"wall": ((0, 0),)}
    assert met((60, 0), (60, 48)) == {}
    assert TABLE.crossed((0, 15), (60, 15))[0].length == pytest.approx(20)


def test_a_line_through_the_corner_of_a_wall_crosses_it_once() -> None:
    assert met((0, 25), (19, 25)) == {"wall": ((10, 10),)}


def test_a_line_along_a_wall_crosses_it_once_where_it_comes_upon_it() -> None:
    assert met((10, 0), (10, 0.25)) == met((10, 0.25), (10, 0)) == {"wall": ((0, 0),)}
    assert met((10, 30), (10, 20)) == {"wall": ((5, 5),)}


@given(points, points)
def test_a_line_crosses_the_same_pieces_in_both_directions(a: Point, b: Point) -> None:
    assume(
        all(len(segment_crossings(a, b, c, d)) < 2 for c, d in pairwise(WALL))
    )  # the line does not run along the wall
    there, back, reach = TABLE.crossed(a, b), TABLE.crossed(b, a), dist(a, b)
    assert [found.piece for found in there] == [found.piece for found in back]
    for one, other in zip(there, back, strict=True):
        mirrored = [(reach - end, reach - start) for start, end in other.spans[::-1]]
        assert [list(span) for span in one.spans] == [pytest.approx(list(span), abs=1e-6) for span in mirrored]

    def blocks(found: Crossing) -> bool:
        return found.piece == "wood" and found.length > 6

    assert TABLE.sees(a, b, blocks) == TABLE.sees(b, a, blocks)


def test_the_rules_decide_which_pieces_block() -> None:
    assert TABLE.sees((0, 15), (25, 15), lambda found: found.piece == "wood" and found.length > 6)
    assert not TABLE.sees((0, 15), (27, 15), lambda found: found.piece == "wood" and found.length > 6)


@given(st.lists(points, min_size=2, max_size=4))
@example([(0.0, 10.25), (40.0, 9.75)])
def test_stretches_make_up_the_path_and_know_their_ground(path: list[Point]) -> None:
    stretches = list(TABLE.stretches(path))
    assert sum(stretch.length for stretch in stretches) == pytest.approx(length(path))
    for stretch in stretches:
        (ax, ay), (bx, by) = stretch.start, stretch.end
        within = [
            (ax + (bx - ax) * part, ay + (by - ay) * part) for part in (1 / 3, 2 / 3)
        ]  # a single point may touch a corner
        assert stretch.areas == tuple(
            name for name, area in (("wood", WOOD), ("marsh", MARSH)) if all(is_inside(point, area) for point in within)
        )
    for before, after in pairwise(stretches):
        assert list(before.end) == pytest.approx(list(after.start))


@pytest.mark.rule("RSK-076", "RSK-077", "FBN-048")
def test_ground_and_obstacles_are_paid_for() -> None:
    assert TABLE.cost([(0, 15), (60, 15)], rate, toll) == pytest.approx(20 + 10 * 2 + 20 * 3 + 10 + 6)
    assert TABLE.cost([(0, 15), (5, 15), (5, 20)], rate, toll) == 10
    assert TABLE.cost([(0, 15), (30, 15)], rate, lambda _line: None) is None
    assert TABLE.cost([(0, 45), (45, 45), (45, 5)], lambda areas: None if areas else 1, toll) is None


def test_a_line_is_crossed_where_a_path_ends_on_it_not_where_it_begins() -> None:
    assert TABLE.cost([(0, 15), (10, 15)], rate, toll) == 16
    assert TABLE.cost([(10, 15), (15, 15)], rate, toll) == 5
    assert TABLE.cost([(0, 15), (10, 15), (15, 15)], rate, toll) == 21
    assert TABLE.cost([(0, 15), (15, 15), (5, 15)], rate, toll) == 25 + 12


def test_an_advance_ends_with_the_allowance() -> None:
    here = TABLE.advance([(60, 40), (60, 0)], 25, rate, toll)
    assert (here.point, here.spent, here.stopped_by) == ((60, 15), 25, None)
    bogged = TABLE.advance([(15, 20), (60, 20)], 13, rate, toll)
    assert list(bogged.point) == pytest.approx([24, 20])
    assert TABLE.advance([(60, 40), (62, 40)], 25, rate, toll).point == (62, 40)
    assert TABLE.advance([(60, 40), (62, 40)], 25, rate, toll).spent == 2


def test_an_advance_stops_short_of_what_it_cannot_cross_and_has_it_still_before_it() -> None:
    path = [(0.0, 15.0), (30.0, 15.0)]
    here = TABLE.advance(path, 15, rate, toll)
    assert here.stopped_by == "wall"
    assert 10 - 0.01 < here.point[0] < 10
    assert here.spent == pytest.approx(10, abs=0.01)
    after = TABLE.advance([here.point, (30, 15)], 15, rate, toll)
    assert after.point[0] == pytest.approx(19, abs=0.01)
    assert TABLE.advance(path, 100, rate, lambda _line: None).stopped_by == "wall"


def test_an_advance_stops_before_closed_ground() -> None:
    here = TABLE.advance([(15, 15), (30, 15)], 100, lambda areas: None if "wood" in areas else 1, toll)
    assert (here.point, here.spent, here.stopped_by) == ((20, 15), 5, "wood")


@given(st.lists(points, min_size=2, max_size=4), st.integers(0, 120))
def test_an_advance_never_spends_more_than_it_has(path: list[Point], allowance: int) -> None:
    here = TABLE.advance(path, allowance, rate, toll)
    whole = TABLE.cost(path, rate, toll)
    assert whole is not None and 0 <= here.spent <= allowance
    if whole <= allowance:
        assert here.spent == pytest.approx(whole) and here.stopped_by is None
        assert list(here.point) == pytest.approx(list(path[-1]))
    elif here.stopped_by is None:
        assert here.spent == allowance


def test_a_table_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(TABLE))
    assert (again.extent, again.unit) == (TABLE.extent, TABLE.unit)
    assert again.crossed((0, 15), (60, 15)) == TABLE.crossed((0, 15), (60, 15))


def test_a_way_leads_round_what_is_closed() -> None:
    assert TABLE.path_around((15, 20), (45, 22), ()) == ((15, 20), (45, 22))
    way = TABLE.path_around((15, 20), (45, 22), ("wood",))
    assert way is not None and len(way) == 4
    assert length(way) == pytest.approx(dist((15, 20), (20, 30)) + 20 + dist((40, 30), (45, 22)), abs=0.05)
    assert TABLE.path_around((30, 20), (45, 22), ("wood",)) is None


def test_a_path_passes_a_wall_at_its_free_end_or_not_at_all() -> None:
    way = TABLE.path_around((5, 5), (15, 5), ("wall",))
    assert way is not None
    assert any(dist(corner, (18, 40)) < 0.02 for corner in way)
    closed = FreeTable(72, 48, "in", {}, {"wall": [(10, 0), (10, 48)]})
    assert closed.path_around((5, 5), (15, 5), ("wall",)) is None


def test_terrain_shrunk_to_a_point_is_gone_round_too() -> None:
    dots = FreeTable(20, 20, "in", {"rock": [(5, 5)] * 3}, {"post": [(9, 5)] * 2})
    assert dots.path_around((0, 6), (20, 6), ("rock", "post")) == ((0, 6), (20, 6))
    assert dots.path_around((0, 5), (7, 5), ("rock",)) is None
    assert dots.path_around((0, 5), (0, 5), ("rock",)) == ((0, 5),)


@given(points, points)
def test_paths_are_open_and_not_longer_than_any_with_two_corners(start: Point, goal: Point) -> None:
    assume(not TABLE.areas_at(start) and not TABLE.areas_at(goal))
    way = TABLE.path_around(start, goal, ("wood", "marsh"))
    assert way is not None and (way[0], way[-1]) == (start, goal)
    assert all(not found.piece.startswith(("wood", "marsh")) for a, b in pairwise(way) for found in TABLE.crossed(a, b))
    assert length(way) >= dist(start, goal) - 1e-9
    corners = [(19.9, 9.9), (19.9, 30.1), (40.1, 30.1), (50.1, 20.1), (50.1, -0.1), (29.9, -0.1)]
    free = [corner for corner in corners if TABLE.is_on_table(corner)]

    def is_open(a: Point, b: Point) -> bool:
        return all(found.piece == "wall" for found in TABLE.crossed(a, b))

    for first, second in product(free, repeat=2):
        legs = [start, first, second, goal]
        if all(is_open(a, b) for a, b in pairwise(legs)):
            assert length(way) <= length(legs) + 0.1


def test_terrain_without_shape_or_with_a_name_used_twice_is_refused() -> None:
    with pytest.raises(ZarebaError, match="'pond' needs at least 3 points, not 2"):
        FreeTable(10, 10, "in", {"pond": [(1, 1), (2, 2)]})
    with pytest.raises(ZarebaError, match="'ditch' needs at least 2 points, not 1"):
        FreeTable(10, 10, "in", {}, {"ditch": [(1, 1)]})
    with pytest.raises(ZarebaError, match="'wood' names both an area and a line"):
        FreeTable(10, 10, "in", {"wood": WOOD}, {"wood": WALL})


def test_all_three_tables_answer_the_shared_questions() -> None:
    tables: tuple[Space[int, int], Space[int, int], Space[Point, Crossing]] = (BoxGrid(6, 4), HexGrid(6, 4), TABLE)
    boxes, hexes, free = tables
    assert boxes.distance(0, 5) == hexes.distance(0, 5) == free.distance((0, 0), (3, 4)) == 5
    assert boxes.sees(0, 1, lambda _: True) and hexes.sees(0, 1, lambda _: True)
    assert not free.sees((0, 15), (60, 15), lambda _: True)
    assert len(boxes.crossed(0, 5)) == len(hexes.crossed(0, 5)) == 4
    assert boxes.extent == (6, 4) and free.extent == (72, 48)
    assert boxes.distance_to_edge(0, "west") == hexes.distance_to_edge(0, "west") == 0.5


RECTANGLE = FreeTable(48.0, 30.0, "in")
places = st.tuples(st.floats(-20, 70), st.floats(-20, 50))
on_table = st.tuples(st.floats(0.1, 47.9), st.floats(0.1, 29.9))


@given(places, st.sampled_from([0.0, 0.5, 3.0]))
def test_points_off_the_table_move_to_the_nearest_point_on_it(at: Point, room: float) -> None:
    put = RECTANGLE.nearest_point_inside(at, room)
    assert room <= put[0] <= 48 - room and room <= put[1] <= 30 - room
    others = [(x * 48 / 12, y * 30 / 12) for x in range(13) for y in range(13)]
    inside = [(x, y) for x, y in others if room <= x <= 48 - room and room <= y <= 30 - room]
    assert all(dist(at, put) <= dist(at, other) + 1e-9 for other in inside)
    assert RECTANGLE.nearest_point_inside(put, room) == put


@given(on_table, st.sampled_from([1e-6, 0.5, 4.0]))
def test_point_is_at_an_edge_within_the_given_distance(at: Point, slack: float) -> None:
    near = [edge for edge in ("north", "east", "south", "west") if RECTANGLE.distance_to_edge(at, edge) <= slack]
    assert RECTANGLE.edge_at(at, slack) == (near[0] if near else None)


@given(on_table, st.floats(0, 359))
def test_a_line_comes_to_the_edge_where_steps_along_it_leave_the_table(at: Point, towards: float) -> None:
    way, far = direction(towards), 0.0
    while RECTANGLE.is_on_table(offset(at, towards, far)):
        far += 0.01
    found = RECTANGLE.edge_point_towards(at, way)
    assert hypot(found[0] - at[0], found[1] - at[1]) == pytest.approx(far, abs=0.011)
    assert RECTANGLE.edge_at(found, 1e-9) is not None
