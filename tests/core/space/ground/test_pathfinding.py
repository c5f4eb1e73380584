"""Paths to a goal over the cheapest ground, cell by cell."""

from __future__ import annotations

from math import dist

from tests.core.space.ground.test_movement_cost import EXTENT, going_over

from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import length
from zareba.space.ground.pathfinding import Pathfinder
from zareba.space.outlines import TerrainArea


def test_ways_lead_round_closed_ground_to_the_goal() -> None:
    pond = TerrainPiece[float | None]("pond", None, TerrainArea(((8.0, 2.0), (12.0, 2.0), (12.0, 18.0), (8.0, 18.0))))
    going = going_over([pond])
    ways, here, goal = Pathfinder(going, EXTENT, 1.0), (4.0, 15.0), (16.0, 15.0)
    assert ways.heading(here, (5.0, 3.0)) == (5.0, 3.0)
    walked = 0.0
    for _ in range(20):
        onward = ways.heading(here, goal)
        assert going.is_open(here, onward)
        walked, here = walked + dist(here, onward), onward
    assert here == goal
    around = going.path_around((4.0, 15.0), goal)
    assert around is not None
    assert walked < 1.25 * length(around)


def test_pathfinding_returns_the_goal_if_there_is_no_path() -> None:
    ring = TerrainPiece[float | None]("river", None, TerrainArea(((8.0, 0.0), (12.0, 0.0), (12.0, 18.0), (8.0, 18.0))))
    assert Pathfinder(going_over([ring]), EXTENT, 1.0).heading((4.0, 9.0), (16.0, 9.0)) == (16.0, 9.0)
