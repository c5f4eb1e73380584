"""Straight moves over terrain with difficulty, compared with testing every piece at every step of a path."""

from __future__ import annotations

from math import dist
from random import Random

import pytest
from tests.core.seeds import seeds
from tests.core.space.ground.test_difficulty import EXTENT, lie, spot, steps, windows_of

from zareba.space import Point, TerrainPiece
from zareba.space.ground.movement_cost import climb_of
from zareba.space.ground.pathfinding import StraightMove, StraightMoves, TerrainReading
from zareba.space.ground.terrain_window import Height

COSTS = (1.0, 1.5, 2.5)
CLOSED = len(COSTS)


def reading(piece: TerrainPiece[int], walls: bool = False) -> TerrainReading:
    """Return a reading with the difficulty of the piece; difficult terrain may lie below other pieces."""
    wall = walls and not piece.is_area
    return TerrainReading(1 if wall else piece.ground, piece.name, wall, piece.ground == 2, piece.ground > 1)


def tracks(
    pieces: list[TerrainPiece[int]], hills: list[Height], *, whole: bool, walls: bool = False
) -> StraightMoves[int]:
    readings = {piece.name: reading(piece, walls) for piece in pieces}
    ruins = TerrainReading(1, "ruins")
    return StraightMoves(
        EXTENT, "in", windows_of(pieces, hills), pieces, hills, readings, ruins, COSTS, whole=whole, climbed=0.0
    )


def difficulty_at(pieces: list[TerrainPiece[int]], at: Point) -> int:
    """Return the worst difficulty of the terrain at a point, ignoring terrain covered by other pieces."""
    found = [piece for piece in pieces if piece.is_area and piece.holds(at)]
    if any(piece.over for piece in found):
        found = [piece for piece in found if piece.over or piece.ground <= 1]
    return max((piece.ground for piece in found), default=0)


@seeds(60)
def test_a_path_is_as_difficult_as_its_worst_step_and_costs_their_sum(seed: int) -> None:
    random = Random(seed)
    pieces, hills = lie(random)
    areas = [piece for piece in pieces if piece.is_area]
    at_once, cut = (tracks(areas, hills, whole=whole) for whole in (True, False))
    for _ in range(8):
        a, b = spot(random), spot(random)
        climb = climb_of(a, b, hills)
        difficulties = [max(climb, difficulty_at(areas, at)) for at in steps(a, b)]
        one, other = at_once.of(a, b, False), cut.of(a, b, False)
        assert (one.closed == "") is (other.closed == "")
        if difficulties.count(CLOSED) > 2:
            assert other.closed
        elif not other.closed:
            assert one.difficulty == other.difficulty >= sorted(difficulties)[-3]
            assert one.cost == pytest.approx(dist(a, b) * COSTS[one.difficulty])
            mean = sum(COSTS[min(difficulty, CLOSED - 1)] for difficulty in difficulties) / len(difficulties)
            assert other.cost == pytest.approx(dist(a, b) * mean, rel=0.02, abs=0.05)
            assert one.dangerous is other.dangerous


def test_walls_stop_some_and_are_climbed_by_others() -> None:
    wall = TerrainPiece.line("wall", 0, ((10.0, 0.0), (10.0, 20.0)))
    for whole in (True, False):
        made = tracks([wall], [], whole=whole, walls=True)
        assert made.of((5.0, 5.0), (15.0, 5.0), True).closed == "wall"
        climbed = made.of((5.0, 5.0), (15.0, 5.0), False)
        assert climbed.difficulty == 1 and climbed.closed == ""
        assert made.of((5.0, 5.0), (9.0, 5.0), True) == StraightMove(0, 4.0, "", False)
        assert made.difficulty_and_title(wall, True) == (CLOSED, "wall") and made.difficulty_and_title(wall, False) == (
            1,
            "wall",
        )


def test_fallen_pieces_are_ruins_and_bridges_cross_rivers() -> None:
    corners = ((10.0, 0.0), (12.0, 0.0), (12.0, 20.0), (10.0, 20.0))
    hut, river = TerrainPiece.area("hut", 3, corners, building="hut"), TerrainPiece.area("river", 3, corners)
    bridge = TerrainPiece.area("bridge", 0, ((9.0, 8.0), (13.0, 8.0), (13.0, 12.0), (9.0, 12.0)), over=True)
    for whole in (True, False):
        made = tracks([hut], [], whole=whole)
        assert made.of((5.0, 5.0), (15.0, 5.0), False).closed == "hut"
        assert made.of((5.0, 5.0), (15.0, 5.0), False, frozenset({"hut"})).difficulty == 1
        made = tracks([river, bridge], [], whole=whole)
        assert made.of((5.0, 5.0), (15.0, 5.0), False).closed == "river"
        assert made.of((5.0, 10.0), (15.0, 10.0), False).closed == ""
        assert made.is_bridged(river, (11.0, 10.0)) and not made.is_bridged(river, (11.0, 5.0))
        assert [piece.name for piece in made.areas_at((11.0, 10.0))] == ["bridge"]
