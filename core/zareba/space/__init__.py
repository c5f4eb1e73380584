"""Measuring, seeing and moving on three kinds of table: square boxes, hexes and the open table.

`BoxGrid` and `HexGrid` number their cells; `FreeTable` uses points, with figures on round bases and directions
as `bearings`. `Raster` lays a grid over terrain drawn in inches. `Space` names what all three answer.
"""

from zareba.space.base import Space
from zareba.space.boxes import BoxGrid
from zareba.space.cells import CellGrid, Edge
from zareba.space.field.bases import Base, Crowd
from zareba.space.field.pieces import Piece
from zareba.space.free import Advance, FreeTable, Length, Met, Stretch, from_inches
from zareba.space.geometry import Point, Points
from zareba.space.hexes import HexGrid
from zareba.space.outlines import Area, Line
from zareba.space.routes import Step
from zareba.space.terrain import Raster, sides_along

__all__ = [
    "Advance",
    "Area",
    "Base",
    "BoxGrid",
    "CellGrid",
    "Crowd",
    "Edge",
    "FreeTable",
    "HexGrid",
    "Length",
    "Line",
    "Met",
    "Piece",
    "Point",
    "Points",
    "Raster",
    "Space",
    "Step",
    "Stretch",
    "from_inches",
    "sides_along",
]
