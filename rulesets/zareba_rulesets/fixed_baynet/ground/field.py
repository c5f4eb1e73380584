"""The table of a battle that does not change: ground, heights, and what a straight way over it is like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from zareba.scenario.model import Exit
from zareba.space import FreeTable
from zareba.space.field.grid_index import GridIndex
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Bounds, Point
from zareba.space.ground import terrain_window as lying
from zareba.space.ground.buildings import Building
from zareba.space.ground.straight_moves import StraightMove, StraightMoves
from zareba.space.ground.terrain_window import Height, TerrainWindows
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook, Row
from zareba_rulesets.fixed_baynet.ground.terrain_costs import CLOSED, NO_RUINS, reading_of

__all__ = ["Field", "Scene"]

Scene: TypeAlias = lying.TerrainWindow[Row]

SQUARE = 3.0
CLIMBED = 1.0  # inches of a way that a wall makes jagged: the width of a base


@dataclass
class Field:
    """A battlefield. `deployment`: polygons of each side (FBN-011); `places` that the scenario wants held or reached.

    `exits`, by side: edges over which the scenario sends its units, by their sources, or what it is to carry off.
    """

    book: FbnBook
    width: float
    depth: float
    pieces: tuple[TerrainPiece[Row], ...] = ()
    heights: tuple[Height, ...] = ()
    buildings: Mapping[str, Building[Row]] = field(default_factory=dict)
    deployment: Mapping[str, tuple[tuple[Point, ...], ...]] = field(default_factory=dict)
    home_edge: Mapping[str, str] = field(default_factory=dict)
    entrenched: bool = False
    places: Sequence[Point] = ()
    exits: Mapping[str, Sequence[Exit]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_name = {piece.name: piece for piece in self.pieces}
        self.sections = {key: room for house in self.buildings.values() for key, room in house.sections.items()}
        self.openings = {key: way for house in self.buildings.values() for key, way in house.openings.items()}
        self.doors = {
            name: tuple(way for way in house.openings.values() if way.kind == "door" and not way.other)
            for name, house in self.buildings.items()
        }
        self.heavy_doors = {
            name: tuple(way for way in house.openings.values() if way.heavy) for name, house in self.buildings.items()
        }
        self.ways_in = [way.at for way in self.openings.values() if not way.other and way.kind != "window"]
        self.closed_pieces = tuple(
            piece.name for piece in self.pieces if piece.ground.move == "closed" and not piece.over
        )
        settings = self.book.settings
        self.whole_actions = settings.terrain_move == "worst" and settings.trench_along == "jagged"
        self._no_walls = settings.cover_passable == "never"
        self.has_dangers = any(piece.ground.dangerous for piece in self.pieces)
        self.scenes = TerrainWindows(
            (self.width, self.depth), self.pieces, self.heights, SQUARE, self._may_hide, _may_shelter
        )
        self.scene, self.view, self.near, self.height = (
            self.scenes.of,
            self.scenes.view,
            self.scenes.near,
            self.scenes.height,
        )
        eased, rubble = settings.trench_along == "flat", self.book.terrain["rubble"]
        self.tracks = StraightMoves(
            (self.width, self.depth), "in", self.scenes, self.pieces, self.heights,
            {piece.name: reading_of(piece.ground, eased) for piece in self.pieces}, reading_of(rubble, eased),
            self.book.price, whole=self.whole_actions, climbed=CLIMBED,
        )  # fmt: skip
        self.is_bridged, self.areas_at = self.tracks.is_bridged, self.tracks.areas_at
        self.sights: dict[str, tuple[str, str, str]] = {}  # who of a unit last aimed at whom of which (`still_aims`)
        self._floor = float(self.book.file.heights.floor)

    @property
    def table(self) -> FreeTable:
        """The table as the core measures it."""
        return self.tracks.table

    @cached_property
    def impassable(self) -> GridIndex:
        """Where somebody on foot may be unable to stand."""
        return self.scenes.squares([piece for piece in self.pieces if piece.ground.move == "closed"])

    def on_table(self, x: float, y: float) -> bool:
        return 0 <= x <= self.width and 0 <= y <= self.depth

    def floor_height(self, place: str) -> float:
        """Height of the floor of a section above the ground (FBN-273)."""
        section = self.sections.get(place)
        return section.level * self._floor if section else 0.0

    def is_sectioned(self, place: str) -> bool:
        """Whether a place is a section of a building without figures inside the model (FBN-240)."""
        section = self.sections.get(place)
        return section is not None and self.buildings[section.building].kind != "openable"

    def _may_hide(self, piece: TerrainPiece[Row]) -> bool:
        row, depth = piece.ground, self.book.settings.forest_depth_los
        return row.building or row.blocks_sight or (row.forest and depth != "none")

    def same_way(
        self, starts: Sequence[Point], scene: Scene, mounted: bool, ruins: frozenset[str]
    ) -> Callable[[float, float, Bounds, int], str | None]:
        """Why men at these places may not all go by one way, as `leg` says of each; asked of every piece for all of them.

        To be asked with the way, the rectangle that they go over, and the worst going that they may touch.
        """
        stops = self.walls_stop(mounted)
        way = self.tracks.alike(starts, scene, stops, ruins)

        def refused(dx: float, dy: float, sweep: Bounds, most: int) -> str | None:
            bar = way.barred(dx, dy, sweep, most)
            if bar is None or isinstance(bar, Height):
                return None if bar is None else "it goes uphill (FBN-073)"
            grade, title = self.tracks.graded(bar, stops, ruins)
            return f"{title} bars the way (FBN-065)" if grade == CLOSED else f"{title} is slow (FBN-048)"

        return refused

    def walls_stop(self, mounted: bool) -> bool:
        """Whether walls are closed: to mounts and guns, and by setting to all (FBN-067)."""
        return mounted or self._no_walls

    def leg(
        self, a: Point, b: Point, mounted: bool, ruins: frozenset[str] = NO_RUINS, scene: Scene | None = None
    ) -> StraightMove:
        """What a straight way is like for men on foot or for mounts and guns (FBN-047, FBN-048, FBN-067, FBN-073).

        Walls are climbed at their rate, but not by mounts and guns; buildings are entered by doors only, and what is in
        `ruins` is rubble (FBN-250). `scene`: that of a larger rectangle, if the caller knows it.
        """
        return self.tracks.of(a, b, mounted or self._no_walls, ruins, scene)

    def way_round(self, start: Point, goal: Point) -> Sequence[Point] | None:
        """The shortest way that touches no closed ground, or None."""
        if not self.closed_pieces:
            return (start, goal)
        return self.table.way_round(start, goal, self.closed_pieces)


def _may_shelter(piece: TerrainPiece[Row]) -> bool:
    return bool(piece.building) or (piece.ground.shelter != "none" and piece.ground.cv > 0)
