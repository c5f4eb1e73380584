"""Table edges and compass points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.base.exact import dist
from zareba.space.bearings import direction
from zareba.space.outlines import (
    EDGES,
    INWARD,
    OPPOSITE,
    WINDS,
    bearing_of,
    distances_to_edges,
    middle_of_edge,
    nearest_on_edge,
)

TABLE = (60.0, 48.0)


@given(st.floats(0, 60), st.floats(0, 48))
def test_the_nearest_point_of_an_edge_is_on_it_and_as_far_as_the_edge(x: float, y: float) -> None:
    away = distances_to_edges((x, y), TABLE)
    for edge in EDGES:
        on_it = nearest_on_edge((x, y), TABLE, edge)
        assert distances_to_edges(on_it, TABLE)[edge] == 0
        assert dist(on_it, (x, y)) == pytest.approx(away[edge], abs=1e-9)
    assert away["north"] + away["south"] == pytest.approx(48)
    assert away["east"] + away["west"] == pytest.approx(60)


def test_from_the_middle_of_an_edge_its_inward_step_leads_to_the_one_opposite() -> None:
    for edge in EDGES:
        (x, y), (east, north) = middle_of_edge(TABLE, edge), INWARD[edge]
        assert direction(bearing_of(OPPOSITE[edge])) == (east, north)
        across = distances_to_edges((x, y), TABLE)[OPPOSITE[edge]]
        assert (x + across * east, y + across * north) == middle_of_edge(TABLE, OPPOSITE[edge])


def test_compass_points_are_45_degrees_apart() -> None:
    assert [bearing_of(wind) for wind in WINDS] == [0, 45, 90, 135, 180, 225, 270, 315]
