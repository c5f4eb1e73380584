"""A terrain piece gives the same answers as its shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.space import Point
from zareba.space.field.pieces import TerrainPiece

HILL: TerrainPiece[str] = TerrainPiece.area(
    "hill", "steep", [(2, 2), (8, 2), (8, 8), (2, 8)], [(4, 4), (6, 4), (6, 6), (4, 6)]
)
WALL: TerrainPiece[str] = TerrainPiece.line("wall", "stone", [(0, 0), (5, 5), (10, 5)])
PIECES = st.sampled_from([HILL, WALL])
points = st.tuples(st.floats(-5, 15), st.floats(-5, 15))


def test_a_hill_hides_by_its_crest_alone() -> None:
    assert HILL.hiding is HILL.crest and WALL.hiding is WALL.shape
    assert HILL.is_area and not WALL.is_area
    assert HILL.holds((2.0, 5.0)) and not HILL.hiding.meets((2.0, 3.0), (8.0, 3.0))
    assert not WALL.holds((5.0, 5.0)) and WALL.meets((5.0, 0.0), (5.0, 9.0))
    assert HILL.length_inside((0.0, 5.0), (10.0, 5.0)) == pytest.approx(6.0)
    assert WALL.length_inside((0.0, 5.0), (10.0, 5.0)) == 0.0
    assert HILL.depth((3.0, 5.0)) == 1.0 and WALL.depth((5.0, 5.0)) == 0.0
    assert len(HILL.legs) == 4 and WALL.legs == (((0, 0), (5, 5)), ((5, 5), (10, 5)))


@given(PIECES, points, st.floats(0, 12))
def test_piece_is_within_reach_if_its_distance_is(piece: TerrainPiece[str], at: Point, reach: float) -> None:
    assert piece.is_within(at, reach + 1e-9) or piece.distance(at) > reach
    assert not piece.is_within(at, reach) or piece.distance(at) <= reach


@given(PIECES, points, points)
def test_piece_does_not_meet_lines_outside_its_box(piece: TerrainPiece[str], a: Point, b: Point) -> None:
    box = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
    assert piece.may_meet(box) or not piece.meets(a, b)
