"""Table edges: the nearest edge, its nearest point, and where a line reaches an edge, compared with small steps."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.base.exact import hypot
from zareba.space import FreeTable, Point
from zareba.space.bearings import direction, offset

TABLE = FreeTable(48.0, 30.0, "in")
places = st.tuples(st.floats(-20, 70), st.floats(-20, 50))
on_table = st.tuples(st.floats(0.1, 47.9), st.floats(0.1, 29.9))


@given(places, st.sampled_from([0.0, 0.5, 3.0]))
def test_who_is_put_onto_the_table_goes_as_little_as_he_can(at: Point, room: float) -> None:
    put = TABLE.onto(at, room)
    assert room <= put[0] <= 48 - room and room <= put[1] <= 30 - room
    others = [(x * 48 / 12, y * 30 / 12) for x in range(13) for y in range(13)]
    inside = [(x, y) for x, y in others if room <= x <= 48 - room and room <= y <= 30 - room]
    assert all(dist(at, put) <= dist(at, other) + 1e-9 for other in inside)
    assert TABLE.onto(put, room) == put


@given(on_table, st.sampled_from([1e-6, 0.5, 4.0]))
def test_a_point_is_at_an_edge_from_which_it_is_no_farther_than_so_much(at: Point, slack: float) -> None:
    near = [edge for edge in ("north", "east", "south", "west") if TABLE.distance_to_edge(at, edge) <= slack]
    assert TABLE.edge_at(at, slack) == (near[0] if near else None)


@given(on_table, st.floats(0, 359))
def test_a_line_comes_to_the_edge_where_steps_along_it_leave_the_table(at: Point, towards: float) -> None:
    way, far = direction(towards), 0.0
    while TABLE.is_on_table(offset(at, towards, far)):
        far += 0.01
    found = TABLE.way_off(at, way)
    assert hypot(found[0] - at[0], found[1] - at[1]) == pytest.approx(far, abs=0.011)
    assert TABLE.edge_at(found, 1e-9) is not None
