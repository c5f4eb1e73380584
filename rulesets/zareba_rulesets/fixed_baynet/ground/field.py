"""The table of a battle that does not change: ground, heights, and what a straight way over it is like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from zareba.base.exact import hypot
from zareba.scenario.model import Exit
from zareba.space import FreeTable, Stretch
from zareba.space.field.pieces import Piece
from zareba.space.field.squares import Squares
from zareba.space.geometry import Bounds, Point
from zareba.space.ground import scenes as lying
from zareba.space.ground.buildings import Building
from zareba.space.ground.grades import SameWay, climb_of, runs_along, runs_over
from zareba.space.ground.scenes import OPEN_SCENE, Height, Scenes
from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.fixed_baynet.book.numbers import FLAT, JAGGED, FbnBook, Row
from zareba_rulesets.fixed_baynet.ground.ways import CLOSED, GOING, NO_RUINS, Leg, is_covered, pace_of

__all__ = ["Field", "Scene"]

Scene: TypeAlias = lying.Scene[Row]

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
    pieces: tuple[Piece[Row], ...] = ()
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
        self._bridges = tuple(piece for piece in self.pieces if piece.over)
        self.has_dangers = any(piece.ground.dangerous for piece in self.pieces)
        self.scenes = Scenes((self.width, self.depth), self.pieces, self.heights, SQUARE, self._may_hide, _may_shelter)
        self.scene, self.view, self.near, self.height = (
            self.scenes.of,
            self.scenes.view,
            self.scenes.near,
            self.scenes.height,
        )
        self.sights: dict[str, tuple[str, str, str]] = {}  # who of a unit last aimed at whom of which (`still_aims`)
        self.slower: Lazy[tuple[int, bool], Squares] = LazyBetween(self._slower)
        self._floor = float(self.book.file.heights.floor)

    @cached_property
    def table(self) -> FreeTable:
        """The table as the core measures it."""
        return FreeTable.of(self.width, self.depth, "in", self.pieces)

    def _slower(self, most: int, stops: bool) -> Squares:
        """Where there may be ground that is worse going than `most`; `stops`: walls are closed."""
        return self.scenes.squares(
            [piece for piece in self.pieces if pace_of(piece.ground, stops) > most],
            [hill for hill in self.heights if hill.grade > most],
        )

    @cached_property
    def impassable(self) -> Squares:
        """Where somebody on foot may be unable to stand."""
        return self.scenes.squares([piece for piece in self.pieces if piece.ground.move == "closed"])

    def on_table(self, x: float, y: float) -> bool:
        return 0 <= x <= self.width and 0 <= y <= self.depth

    def floor_height(self, place: str) -> float:
        """Height of the floor of a section above the ground (FBN-273)."""
        section = self.sections.get(place)
        return section.level * self._floor if section else 0.0

    def _may_hide(self, piece: Piece[Row]) -> bool:
        row, depth = piece.ground, self.book.settings.forest_depth_los
        return row.building or row.blocks_sight or (row.forest and depth != "none")

    def same_way(
        self, starts: Sequence[Point], scene: Scene, mounted: bool, ruins: frozenset[str]
    ) -> Callable[[float, float, Bounds, int], str | None]:
        """Why men at these places may not all go by one way, as `leg` says of each; asked of every piece for all of them.

        To be asked with the way, the rectangle that they go over, and the worst going that they may touch.
        """
        stops = self.walls_stop(mounted)
        way = SameWay(
            starts,
            scene,
            lambda most: self.slower[most, stops],
            lambda piece: self.pace_of(piece, stops, ruins)[0],
            lambda piece: is_covered(piece.ground),
        )

        def refused(dx: float, dy: float, sweep: Bounds, most: int) -> str | None:
            bar = way.barred(dx, dy, sweep, most)
            if bar is None or isinstance(bar, Height):
                return None if bar is None else "it goes uphill (FBN-073)"
            pace, row = self.pace_of(bar, stops, ruins)
            return f"{row.title} bars the way (FBN-065)" if pace == CLOSED else f"{row.title} is slow (FBN-048)"

        return refused

    def walls_stop(self, mounted: bool) -> bool:
        """Whether walls are closed: to mounts and guns, and by setting to all (FBN-067)."""
        return mounted or self._no_walls

    def pace_of(self, piece: Piece[Row], stops: bool, ruins: frozenset[str]) -> tuple[int, Row]:
        """How a piece as it is now slows a move; `stops`: walls are closed."""
        row = self._row(piece, ruins) if ruins else piece.ground
        return pace_of(row, stops), row

    def is_bridged(self, piece: Piece[Row], point: Point) -> bool:
        """Whether a piece is a river or crag on which something else lies at a point (FBN-072, FBN-075)."""
        lies_under = bool(self._bridges) and not piece.over and is_covered(piece.ground)
        return lies_under and any(other.holds(point) for other in self._bridges)

    def areas_at(self, point: Point) -> list[Piece[Row]]:
        """The areas that hold a point; what lies on top of a river or crag hides it (FBN-072, FBN-075)."""
        found = [piece for piece in self.pieces if piece.holds(point)]
        if len(found) > 1 and any(piece.over for piece in found):
            return [piece for piece in found if piece.over or not is_covered(piece.ground)]
        return found

    def leg(
        self, a: Point, b: Point, mounted: bool, ruins: frozenset[str] = NO_RUINS, scene: Scene | None = None
    ) -> Leg:
        """What a straight way is like for men on foot or for mounts and guns (FBN-047, FBN-048, FBN-067, FBN-073).

        Walls are climbed at their rate, but not by mounts and guns; buildings are entered by doors only, and what is in
        `ruins` is rubble (FBN-250). `scene`: that of a larger rectangle, if the caller knows it.
        """
        west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        length = hypot(b[0] - a[0], b[1] - a[1])
        if scene is None:
            scene = self.scene((west, south, east, north))
        if scene is OPEN_SCENE:
            return Leg(FLAT, length * self.book.price[FLAT], "", False)
        climb = climb_of(a, b, scene.hills) if scene.hills else FLAT
        near = []
        for piece in scene.pieces:
            w, s, e, n = piece.box
            if w <= east and e >= west and s <= north and n >= south:
                near.append(piece)
        if not near:
            return Leg(climb, length * self.book.price[climb], "", False)
        if self.whole_actions:
            return self._touched(a, b, mounted, ruins, near, climb, length)
        return self._cut(a, b, mounted, ruins, climb)

    def _touched(
        self,
        a: Point,
        b: Point,
        mounted: bool,
        ruins: frozenset[str],
        near: list[Piece[Row]],
        climb: int,
        length: float,
    ) -> Leg:
        """A way of which only the slowest ground it touches matters (FBN-048): no need to cut it into stretches."""
        going, danger = climb, False
        no_walls = mounted or self._no_walls
        bridged = [piece for piece in near if piece.over]
        for piece in near:
            row = self._row(piece, ruins) if ruins else piece.ground
            pace = GOING.get(row.move, CLOSED)
            if pace <= going and not row.dangerous and not row.wall:
                continue
            if not piece.meets(a, b):
                continue
            if bridged and not runs_over(piece, () if piece.over or not is_covered(piece.ground) else bridged, a, b):
                continue
            if pace == CLOSED or (row.wall and no_walls):
                return Leg(going, length, row.title, danger or row.dangerous)
            going, danger = max(going, pace), danger or row.dangerous
        return Leg(going, length * self.book.price[going], "", danger)

    def _cut(self, a: Point, b: Point, mounted: bool, ruins: frozenset[str], climb: int) -> Leg:
        """A way that is paid for stretch by stretch (FBN-048), or along whose trenches it is easy to go (FBN-077).

        A wall has no width: the last inch of the way to it is paid for at its rate.
        """
        going, price, danger = climb, 0.0, False
        for stretch in self.table.stretches((a, b)):
            slowest = climb
            for piece in self._kinds(stretch):
                row = self._row(piece, ruins)
                if row.move == "closed":
                    return Leg(going, price, row.title, danger or row.dangerous)
                slowest = max(slowest, self._pace(row, stretch))
                danger = danger or row.dangerous
            ground = slowest
            for name in stretch.crosses:
                row = self.by_name[name].ground
                if row.wall and (mounted or self._no_walls):
                    return Leg(going, price, row.title, danger)
                slowest = max(slowest, GOING.get(row.move, JAGGED))
                danger = danger or row.dangerous
            going = max(going, slowest)
            climbed = min(stretch.length, CLIMBED)
            price += (stretch.length - climbed) * self.book.price[ground] + climbed * self.book.price[slowest]
        return Leg(going, price, "", danger)

    def _pace(self, row: Row, stretch: Stretch) -> int:
        """A trench is jagged to cross; along it with `trench_along` flat it is not (FBN-077)."""
        if row.trench and self.book.settings.trench_along == "flat" and self._along_trench(stretch):
            return FLAT
        return GOING[row.move]

    def _along_trench(self, stretch: Stretch) -> bool:
        pieces = [self.by_name[name] for name in stretch.areas]
        return any(piece.ground.trench and runs_along(piece, stretch.start, stretch.end) for piece in pieces)

    def _kinds(self, stretch: Stretch) -> list[Piece[Row]]:
        found = [self.by_name[name] for name in stretch.areas]
        if any(piece.over for piece in found):
            return [piece for piece in found if piece.over or not is_covered(piece.ground)]
        return found

    def _row(self, piece: Piece[Row], ruins: frozenset[str]) -> Row:
        return self.book.terrain["rubble"] if piece.building in ruins and piece.building else piece.ground

    def way_round(self, start: Point, goal: Point) -> Sequence[Point] | None:
        """The shortest way that touches no closed ground, or None."""
        if not self.closed_pieces:
            return (start, goal)
        return self.table.way_round(start, goal, self.closed_pieces)


def _may_shelter(piece: Piece[Row]) -> bool:
    return bool(piece.building) or (piece.ground.shelter != "none" and piece.ground.cv > 0)
