"""Measurement, line of sight and movement on three kinds of table: square boxes, hexes and the open table.

- `grid`: numbered cells (`BoxGrid`, `HexGrid`) and terrain drawn in inches laid over them (`Raster`).
- `field`: points on a `FreeTable` with terrain pieces, and figures on round bases.
- `ground`: the cost of moving over terrain, and the cover it gives.
- `moves`: free places, contact, charges and marches.

Line of sight is computed in `field.line_of_sight` on the open table, and by the method `sees` of the grids. Each
ruleset decides in `chapters/sight.py` which terrain and which figures block it.

The modules here are shared by all: plane geometry, bearings, table edges, terrain outlines. `Space` is the protocol of
all tables.
"""

from zareba.space.field.bodies import Base, Crowd
from zareba.space.field.free_table import Crossing, FreeTable, Length, PathAdvance, PathStretch
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, Points, Space
from zareba.space.grid.boxes import BoxGrid
from zareba.space.grid.cells import CellGrid
from zareba.space.grid.hexes import HexGrid
from zareba.space.grid.routes import GridStep
from zareba.space.grid.terrain import Raster, sides_along
from zareba.space.outlines import Edge, TerrainArea, TerrainLine

__all__ = [
    "Base",
    "BoxGrid",
    "CellGrid",
    "Crossing",
    "Crowd",
    "Edge",
    "FreeTable",
    "GridStep",
    "HexGrid",
    "Length",
    "PathAdvance",
    "PathStretch",
    "Point",
    "Points",
    "Raster",
    "Space",
    "TerrainArea",
    "TerrainLine",
    "TerrainPiece",
    "sides_along",
]
