"""The terrain on the table and its effect on movement."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import TypeAlias

from zareba.base.exact import dist
from zareba.scenario.model import Exit
from zareba.space import FreeTable
from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import GridIndex
from zareba.space.geometry import Bounds, Point
from zareba.space.ground.buildings import Building
from zareba.space.ground.pathfinding import StraightMove, StraightMoves, TerrainReading, WayLengths
from zareba.space.ground.terrain_window import Height, TerrainWindow, TerrainWindows
from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED, FbnBook
from zareba_rulesets.fixed_baynet.book.tables import TerrainRow

# --- Terrain costs ----------------------------------------------------------------------------------------------------
# The effect of each row of the terrain chart on movement (FBN-042, FBN-047, FBN-065, FBN-072, FBN-073, FBN-075,
# FBN-077).


_GOING = {"flat": FLAT, "bumpy": BUMPY, "jagged": JAGGED}
CLOSED = 3
"""The grade of ground that no one can enter, after flat, bumpy and jagged."""
NO_RUINS: frozenset[str] = frozenset()


def reading_of(row: TerrainRow, eased: bool) -> TerrainReading:
    """Return the effect of a terrain row on movement. With `eased`, moving along a trench is easy (FBN-077).

    Rivers and crags lie under fords, bridges and paths (FBN-072, FBN-075).
    """
    # The chart has no column for rivers. They are the rows that shelter men inside and that men notice only from near
    # by at night (FBN-235), except the trench.
    stream = row.notice and row.shelter == "inside" and not row.trench
    under = stream or (row.move == "closed" and not row.building)
    along = row.trench and eased
    return TerrainReading(_GOING.get(row.move, CLOSED), row.title, row.wall, row.dangerous, under, along)


# --- The battlefield: its fixed terrain, heights and buildings, and the cost of straight moves over them --------------


Scene: TypeAlias = TerrainWindow[TerrainRow]
"""The terrain that matters for lines of sight and cover within a rectangle of the table."""

SQUARE = 3.0  # inches: the side of the squares by which terrain is found
_CLIMBED = 1.0  # inches of a move that a wall makes jagged: the width of a base


MOST_LINES = 20_000
"""The number of lines of sight that are cached."""
_WAY_STEP = 1.0  # inches: the side of the squares in which ways round closed ground are found


@dataclass
class Field:
    """A battlefield.

    `deployment` holds each side's deployment polygons (FBN-011); `places` are points that the scenario wants held or
    reached. `exits` lists, by side, the edges over which the scenario sends units or objects off the table. `names` are
    those of terrain pieces.
    """

    book: FbnBook
    width: float
    depth: float
    pieces: tuple[TerrainPiece[TerrainRow], ...] = ()
    heights: tuple[Height, ...] = ()
    buildings: Mapping[str, Building[TerrainRow]] = field(default_factory=dict)
    deployment: Mapping[str, tuple[tuple[Point, ...], ...]] = field(default_factory=dict)
    home_edge: Mapping[str, str] = field(default_factory=dict)
    entrenched: bool = False
    places: Sequence[Point] = ()
    exits: Mapping[str, Sequence[Exit]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_name = {piece.name: piece for piece in self.pieces}
        self.sections = {key: section for house in self.buildings.values() for key, section in house.sections.items()}
        self.openings = {key: opening for house in self.buildings.values() for key, opening in house.openings.items()}
        self.doors = {
            name: tuple(opening for opening in house.openings.values() if opening.kind == "door" and not opening.other)
            for name, house in self.buildings.items()
        }
        self.heavy_doors = {
            name: tuple(opening for opening in house.openings.values() if opening.heavy)
            for name, house in self.buildings.items()
        }
        self.entrances = [
            opening.at for opening in self.openings.values() if not opening.other and opening.kind != "window"
        ]
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
        # Attributes and not methods, because they are called for every line of sight.
        self.scene = self.scenes.of
        self.view = self.scenes.view
        self.near = self.scenes.near
        self.height = self.scenes.height
        eased, rubble = settings.trench_along == "flat", self.book.terrain["rubble"]
        self.straight_moves = StraightMoves(
            (self.width, self.depth), "in", self.scenes, self.pieces, self.heights,
            {piece.name: reading_of(piece.ground, eased) for piece in self.pieces}, reading_of(rubble, eased),
            self.book.move_prices, whole=self.whole_actions, climbed=_CLIMBED,
        )  # fmt: skip
        self.is_bridged, self.areas_at = self.straight_moves.is_bridged, self.straight_moves.areas_at
        self.has_rooms = any(house.kind == "openable" for house in self.buildings.values())
        self.clear_lines: dict[Hashable, bool] = {}
        """The lines of sight computed so far, by everything that they depend on; at most MOST_LINES of them."""
        self.last_targets: dict[
            str, tuple[str, str, str]
        ] = {}  # unit -> last firer, target unit and man (`known_target`)
        self._floor = float(self.book.file.heights.floor)
        self.way_lengths: Lazy[tuple[float, float, bool], WayLengths] = LazyBetween(self._way_lengths)
        """(half the width, half the depth, mounted) of a unit -> the lengths of its ways round closed ground."""

    @property
    def table(self) -> FreeTable:
        """The table in the form the core's distance functions use."""
        return self.straight_moves.table

    @cached_property
    def impassable(self) -> GridIndex:
        """Index of the ground on which a man on foot may be unable to stand."""
        return self.scenes.squares([piece for piece in self.pieces if piece.ground.move == "closed"])

    def on_table(self, x: float, y: float) -> bool:
        """Return True if a point is on the table."""
        return 0 <= x <= self.width and 0 <= y <= self.depth

    def floor_height(self, place: str) -> float:
        """Return the height of a section's floor above the ground (FBN-273)."""
        section = self.sections.get(place)
        return section.level * self._floor if section else 0.0

    def is_sectioned(self, place: str) -> bool:
        """Return True if a place is a section of a building with no figures inside the model (FBN-240)."""
        section = self.sections.get(place)
        return section is not None and self.buildings[section.building].kind != "openable"

    def _may_hide(self, piece: TerrainPiece[TerrainRow]) -> bool:
        """Return True if a piece of terrain may block a line of sight (FBN-078)."""
        row, depth = piece.ground, self.book.settings.forest_depth_los
        return row.building or row.blocks_sight or (row.forest and depth != "none")

    def common_move_check(
        self, starts: Sequence[Point], scene: Scene, mounted: bool, ruins: frozenset[str]
    ) -> Callable[[float, float, Bounds, int], str | None]:
        """Return a function that says why men at these positions may not all make the same move, checking each piece
        of terrain once for all of them.

        The function takes the move (east and north), the rectangle the men sweep over, and the slowest kind of ground
        they may touch. It returns a reason or None, by the same rules as `straight_move`.
        """
        stops = self.walls_stop(mounted)
        way = self.straight_moves.shared_path(starts, scene, stops, ruins)

        def refused(dx: float, dy: float, sweep: Bounds, most: int) -> str | None:
            bar = way.blocker(dx, dy, sweep, most)
            if bar is None or isinstance(bar, Height):
                return None if bar is None else "it goes uphill (FBN-073)"
            grade, title = self.straight_moves.difficulty_and_title(bar, stops, ruins)
            return f"{title} blocks the way (FBN-065)" if grade == CLOSED else f"{title} is slow (FBN-048)"

        return refused

    def _way_lengths(self, wide: float, deep: float, mounted: bool) -> WayLengths:
        """Return the lengths of ways for units whose men stand up to so far from their middle."""
        stops = self.walls_stop(mounted)
        closed = [
            obstacle
            for obstacle in self.pieces
            if self.straight_moves.difficulty_and_title(obstacle, stops)[0] == CLOSED and obstacle.is_area
        ]
        squares = self.straight_moves.slower[CLOSED - 1, stops]
        corners = [(x, y) for x in (-wide, 0.0, wide) for y in (-deep, deep)]

        def room_at(point: Point) -> bool:
            """Return True if the unit can stand with its middle at a point."""
            x, y = point
            if not (wide <= x <= self.width - wide and deep <= y <= self.depth - deep):
                return False
            if squares.is_open(x - wide, y - deep, x + wide, y + deep):
                return True
            for east, north in corners:
                at = x + east, y + north
                if any(piece.holds(at) and not self.is_bridged(piece, at) for piece in closed):
                    return False
            return True

        room: Lazy[Point, bool] = Lazy(room_at)

        def is_open(a: Point, b: Point) -> bool:
            west, east, south, north = min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])
            if squares.is_open(west - wide, south - deep, east + wide, north + deep):
                return room[b]
            steps = max(1, ceil(dist(a, b) / _WAY_STEP))
            return not self.straight_move(a, b, mounted).closed and all(
                room[a[0] + (b[0] - a[0]) * n / steps, a[1] + (b[1] - a[1]) * n / steps] for n in range(1, steps + 1)
            )

        return WayLengths((self.width, self.depth), _WAY_STEP, is_open)

    def walls_stop(self, mounted: bool) -> bool:
        """Return True if walls are closed: always to mounts and guns, and by setting to all (FBN-067)."""
        return mounted or self._no_walls

    def straight_move(
        self, a: Point, b: Point, mounted: bool, ruins: frozenset[str] = NO_RUINS, scene: Scene | None = None
    ) -> StraightMove:
        """Return the terrain along a straight move (FBN-047, FBN-048, FBN-067, FBN-073).

        Men on foot climb walls at the wall's rate; mounts and guns cannot. Buildings are entered only by doors;
        buildings in `ruins` are rubble (FBN-250). `scene` may be that of a larger rectangle, if the caller has it.
        """
        return self.straight_moves.of(a, b, mounted or self._no_walls, ruins, scene)

    def path_around(self, start: Point, goal: Point) -> Sequence[Point] | None:
        """Return the shortest path that touches no closed ground, or None."""
        if not self.closed_pieces:
            return (start, goal)
        return self.table.path_around(start, goal, self.closed_pieces)


def _may_shelter(piece: TerrainPiece[TerrainRow]) -> bool:
    """Return True if a piece of terrain may give cover (FBN-066, FBN-067)."""
    return bool(piece.building) or (piece.ground.shelter != "none" and piece.ground.cv > 0)
