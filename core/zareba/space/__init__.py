"""Measuring, seeing and moving on three kinds of table: square boxes, hexes and the open table.

`grid` numbers its cells, `BoxGrid` or `HexGrid`, and lays itself over terrain drawn in inches (`Raster`). `field` uses points:
a `FreeTable` with pieces of ground, and figures on round bases; `ground` says what ways over it cost and what shelters there,
`moves` who finds room and who comes upon whom. What all stand on is here: plane geometry, `bearings`, `edges` of the table,
outlines of ground. `Space` names what all tables answer.
"""

from zareba.space.base import Space
from zareba.space.field.bases import Base, Crowd
from zareba.space.field.free_table import Crossing, FreeTable, Length, PathAdvance, PathStretch
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, Points
from zareba.space.grid.boxes import BoxGrid
from zareba.space.grid.cells import CellGrid
from zareba.space.grid.hexes import HexGrid
from zareba.space.grid.routes import GridStep
from zareba.space.grid.terrain import Raster, sides_along
from zareba.space.outlines import TerrainArea, TerrainLine
from zareba.space.table_edges import Edge

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
