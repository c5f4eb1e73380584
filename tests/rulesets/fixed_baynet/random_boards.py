"""Random boards, and men and guns on them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.rulesets.fixed_baynet.plain import book

from zareba.space.bearings import offset
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba_rulesets.fixed_baynet.ground import Field

AREAS = ("rubble", "dense_forest", "light_forest", "deep_river", "crag", "barbed_wire", "clear", "path")
LINES = ("stone_wall", "wooden_wall")


def oblong(random: Random) -> tuple[Point, ...]:
    """Return a random rectangle, usually rotated and sometimes partly off the board."""
    at, turn = (random.uniform(-3, 30), random.uniform(-3, 30)), random.choice((0.0, 20.0, 45.0, 77.0))
    far, across = offset(at, turn, random.uniform(0.5, 14)), random.uniform(0.5, 5)
    return at, far, offset(far, turn + 90, across), offset(at, turn + 90, across)


def ground(random: Random, **settings: Any) -> Field:
    """A board of 30 by 30 inches with a few areas, walls and hills, crossed by fords and paths."""
    made = book(**settings)
    rows = random.choices(AREAS, k=random.randint(1, 5))
    pieces = [
        TerrainPiece.area(f"{row} {number}", made.terrain[row], oblong(random), over=row in ("clear", "path"))
        for number, row in enumerate(rows)
    ]
    walls = random.choices(LINES, k=random.randint(0, 2))
    pieces += [
        TerrainPiece.line(f"wall {number}", made.terrain[row], oblong(random)[:3]) for number, row in enumerate(walls)
    ]
    rises = [(random.choice((2.0, 4.0)), random.choice((1, 2))) for _ in range(random.randint(0, 2))]
    return Field(
        made, 30.0, 30.0, tuple(pieces), tuple(Height(TerrainArea(oblong(random)), high, up) for high, up in rises)
    )


def spot(random: Random) -> Point:
    """Return a random point."""
    return random.uniform(0, 30), random.uniform(0, 30)


def tables(count: int = 120) -> Iterator[Random]:
    """Yield a random generator for each of this many boards."""
    return (Random(seed) for seed in range(count))


def way(random: Random) -> Point:
    """Return a random move."""
    return random.uniform(-12, 12), random.uniform(-12, 12)
